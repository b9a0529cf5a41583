//! A tree of values to a problem: which fields each kind has, and what must be in them.

use gudgeon_lcp::{FrictionProblem, Lcp, Mlcp};

use super::Problem;
use super::bodies;
use super::error::FileError;
use super::global;
use super::sparse::Triplets;
use super::value::{Value, check_size};

/// The most sides of a friction cone that make sense: beyond it the sides differ by less than 1e-6.
const MAX_FACETS: usize = 4096;

/// Reads a problem of any kind.
pub(crate) fn problem(value: &Value) -> Result<Problem, FileError> {
    if !matches!(value, Value::Object(_)) {
        return Err(FileError::field("the problem", value.describe(), "an object with a \"kind\""));
    }
    let kinds = "\"lcp\", \"mlcp\" or \"friction\"";
    match value.need("kind", kinds, Value::text)? {
        "lcp" => lcp(value).map(Problem::Lcp),
        "mlcp" => mlcp(value).map(Problem::Mlcp),
        "friction" => friction(value).map(Problem::Friction),
        other => Err(FileError::field("kind", Value::Text(other.to_owned()).describe(), kinds)),
    }
}

fn lcp(value: &Value) -> Result<Lcp, FileError> {
    let (m, q) = system(value, "M", "q")?;
    Ok(Lcp::from_column_major(m, q)?)
}

fn mlcp(value: &Value) -> Result<Mlcp, FileError> {
    let (a, b) = system(value, "A", "b")?;
    let n = b.len();
    let lo = value.need("lo", BOUNDS, |v| v.list(BOUNDS, |x| x.bound(f64::NEG_INFINITY)))?;
    let hi = value.need("hi", BOUNDS, |v| v.list(BOUNDS, |x| x.bound(f64::INFINITY)))?;
    let mlcp = Mlcp::from_column_major(a, b, lo, hi)?;
    let findex = value.may("findex", |v| v.list("a list of rows, -1 for none", |x| normal_row(x, n)))?;
    Ok(match findex {
        Some(findex) => mlcp.with_friction_index(findex)?,
        None => mlcp,
    })
}

const BOUNDS: &str = "a list of numbers or nulls";

/// A row that a friction row hangs on; −1 for none.
fn normal_row(value: &Value, n: usize) -> Result<Option<usize>, FileError> {
    if value.number().is_ok_and(|x| x == -1.0) {
        return Ok(None);
    }
    value.index(n).map(Some).map_err(|error| match error {
        FileError::Field { field, found, .. } => {
            FileError::field(field, found, format!("-1 or a whole number from 0 to below {n}"))
        }
        other => other,
    })
}

/// A square matrix and the vector that goes with it.
fn system(value: &Value, matrix: &str, vector: &str) -> Result<(Vec<f64>, Vec<f64>), FileError> {
    let q = value.need(vector, "a list of numbers", Value::vector)?;
    let (n, m) = value.need(matrix, "a square matrix, given by rows", Value::square)?;
    if n != q.len() {
        let found = format!("{n}x{n}");
        return Err(FileError::field(matrix, found, format!("{0}x{0} to match {vector}", q.len())));
    }
    Ok((m, q))
}

fn friction(value: &Value) -> Result<FrictionProblem, FileError> {
    let problem = match (value.get("W"), value.get("mass")) {
        (None, Some(_)) if value.get("Ja").is_some() => bodies::read(value)?,
        (Some(_), None) => local(value)?,
        (None, Some(_)) => global::read(value)?,
        (Some(_), Some(_)) => {
            return Err(FileError::field("W", "given together with mass", "one of them"));
        }
        (None, None) => {
            return Err(FileError::missing("W", "a Delassus matrix (or \"mass\", the global form)"));
        }
    };
    match value.may("facets", |v| v.index(MAX_FACETS + 1))? {
        Some(facets) => Ok(problem.with_facets(facets)?),
        None => Ok(problem),
    }
}

fn local(value: &Value) -> Result<FrictionProblem, FileError> {
    let mu = value.need("mu", "a list of numbers", Value::vector)?;
    let q = value.need("q", "a list of numbers", Value::vector)?;
    let rows = 3 * mu.len();
    if q.len() != rows {
        let expected = format!("{rows} long, three rows for each mu");
        return Err(FileError::field("q", format!("{} long", q.len()), expected));
    }
    let w = value.need("W", "a Delassus matrix", |w| {
        if matches!(w, Value::Object(_)) {
            return sparse(w, rows);
        }
        let (n, w) = w.square()?;
        if n != rows {
            return Err(FileError::field("", format!("{n}x{n}"), format!("{rows}x{rows} to match q")));
        }
        Ok(w)
    })?;
    Ok(FrictionProblem::local_column_major(w, q, mu)?)
}

/// {"i", "j", "x"} to a dense matrix, by columns.
fn sparse(value: &Value, n: usize) -> Result<Vec<f64>, FileError> {
    check_size(n)?;
    let indices = |v: &Value| v.list("a list of indices", |x| x.index(n));
    let rows = value.need("i", "a list of rows", indices)?;
    let cols = value.need("j", "a list of columns", indices)?;
    let values = value.need("x", "a list of numbers", Value::vector)?;
    for (name, found) in [("i", rows.len()), ("j", cols.len())] {
        if found != values.len() {
            let expected = format!("{} long to match x", values.len());
            return Err(FileError::field(name, format!("{found} long"), expected));
        }
    }
    Ok(Triplets { rows, cols, values }.dense(n, n))
}
