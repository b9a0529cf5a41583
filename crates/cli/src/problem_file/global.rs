//! The global form of a friction problem: a mass matrix with rows on it.

use gudgeon_lcp::{Bounded, Contact, FrictionProblem, GlobalForm, Row};

use super::error::FileError;
use super::value::{Value, check_size};

/// Reads `mass`, `free_velocity`, `contacts`, and the three lists that may be left out.
pub(crate) fn read(value: &Value) -> Result<FrictionProblem, FileError> {
    let mass = value.need("mass", BLOCKS, |v| v.list(BLOCKS, |block| some(block, Value::square)))?;
    let free_velocity = value.need("free_velocity", "a list of numbers", Value::vector)?;
    let dof = mass.iter().map(|(size, _)| size).sum();
    check_size(dof).map_err(|error| error.within("mass"))?;
    if free_velocity.len() != dof {
        let found = format!("{} long", free_velocity.len());
        return Err(FileError::field("free_velocity", found, format!("{dof} long to match mass")));
    }
    let contacts = value.need("contacts", "a list of contacts", |v| list(v, |c| contact(c, dof)))?;
    let equality = value.may("equality", |v| list(v, |r| row_with_bias(r, dof)))?;
    let unilateral = value.may("unilateral", |v| list(v, |r| row_with_bias(r, dof)))?;
    let bounded = value.may("box", |v| list(v, |r| bounded(r, dof)))?;
    Ok(FrictionProblem::global(GlobalForm {
        mass,
        free_velocity,
        contacts,
        equality: equality.unwrap_or_default(),
        unilateral: unilateral.unwrap_or_default(),
        bounded: bounded.unwrap_or_default(),
    })?)
}

const BLOCKS: &str = "a list of square blocks";
const ROW: &str = "a list of [dof, value] pairs";

fn list<T>(value: &Value, read: impl FnMut(&Value) -> Result<T, FileError>) -> Result<Vec<T>, FileError> {
    value.list("a list of objects", read)
}

/// A block that is not empty.
fn some<T>(
    block: &Value,
    read: impl FnOnce(&Value) -> Result<(usize, T), FileError>,
) -> Result<(usize, T), FileError> {
    match read(block)? {
        (0, _) => Err(FileError::field("", "empty", "a square matrix, given by rows")),
        block => Ok(block),
    }
}

fn contact(value: &Value, dof: usize) -> Result<Contact, FileError> {
    let mu = value.need("mu", "a number", Value::number)?;
    if mu < 0.0 {
        return Err(FileError::field("mu", mu.to_string(), "mu >= 0"));
    }
    let normal = value.need("normal", ROW, |v| row(v, dof))?;
    let t1 = value.need("t1", ROW, |v| row(v, dof))?;
    let t2 = value.need("t2", ROW, |v| row(v, dof))?;
    let [b, b1, b2] = value.may("bias", biases)?.unwrap_or_default();
    Ok(Contact { mu, normal: normal.with_bias(b), tangents: [t1.with_bias(b1), t2.with_bias(b2)] })
}

/// One number is the normal's; conveyor belts have three, (n, t1, t2).
fn biases(value: &Value) -> Result<[f64; 3], FileError> {
    if !matches!(value, Value::List(_)) {
        return Ok([value.number()?, 0.0, 0.0]);
    }
    let found = value.vector()?;
    let three = found.as_slice().try_into();
    three.map_err(|_| FileError::field("", format!("{} long", found.len()), "a number, or three"))
}

fn bounded(value: &Value, dof: usize) -> Result<Bounded, FileError> {
    let row = row_with_bias(value, dof)?;
    let lo = value.need("lo", "a number or null", |v| v.bound(f64::NEG_INFINITY))?;
    let hi = value.need("hi", "a number or null", |v| v.bound(f64::INFINITY))?;
    if lo > hi {
        return Err(FileError::field("lo", lo.to_string(), format!("at most hi, which is {hi}")));
    }
    Ok(Bounded { row, lo, hi })
}

fn row_with_bias(value: &Value, dof: usize) -> Result<Row, FileError> {
    let row = value.need("row", ROW, |v| row(v, dof))?;
    Ok(row.with_bias(bias(value)?))
}

/// What is added to the row's velocity; nothing where it is left out.
fn bias(value: &Value) -> Result<f64, FileError> {
    Ok(value.may("bias", Value::number)?.unwrap_or(0.0))
}

fn row(value: &Value, dof: usize) -> Result<Row, FileError> {
    let entries = value.list(ROW, |pair| match pair {
        Value::List(items) if items.len() == 2 => {
            let index = items[0].index(dof).map_err(|error| error.within("[0]"))?;
            let number = items[1].number().map_err(|error| error.within("[1]"))?;
            Ok((index, number))
        }
        _ => Err(FileError::field("", pair.describe(), "a pair [dof, value]")),
    })?;
    Ok(Row::new(entries))
}
