//! Any problem as one line of JSON that reads back to the bit.

use std::fmt::Write;

use gudgeon_lcp::{Contact, FrictionProblem, GlobalForm, LocalForm, Row};

use super::Problem;

/// One JSON object on one line, without a line end. Numbers are written as short as they can be while still
/// reading back to the same bits.
pub fn write_json(problem: &Problem) -> String {
    match problem {
        Problem::Lcp(lcp) => {
            format!(r#"{{"kind":"lcp","M":{},"q":{}}}"#, matrix(lcp.m(), lcp.n()), numbers(lcp.q()))
        }
        Problem::Mlcp(mlcp) => {
            let mut out = format!(
                r#"{{"kind":"mlcp","A":{},"b":{},"lo":{},"hi":{}"#,
                matrix(mlcp.a(), mlcp.n()),
                numbers(mlcp.b()),
                numbers(mlcp.lo()),
                numbers(mlcp.hi()),
            );
            if mlcp.findex().iter().any(Option::is_some) {
                let rows = mlcp.findex().iter().map(|f| f.map_or("-1".to_owned(), |f| f.to_string()));
                out = format!(r#"{out},"findex":{}"#, list(rows));
            }
            out + "}"
        }
        Problem::Friction(friction) => {
            let head = format!(r#"{{"kind":"friction","facets":{}"#, friction.facets());
            // the factored form is written with the identity for a mass matrix
            match (friction.as_local(), friction.to_global()) {
                (Some(local), _) => head + &local_fields(local, friction) + "}",
                (_, Some(global)) => head + &global_fields(&global) + "}",
                (None, None) => unreachable!("a problem is local, global or factored"),
            }
        }
    }
}

/// One number; an infinity is an absent bound, `null`.
fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:?}") } else { "null".to_owned() }
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    let mut out = String::from("[");
    for (k, item) in items.into_iter().enumerate() {
        if k > 0 {
            out.push(',');
        }
        out.push_str(&item);
    }
    out + "]"
}

fn numbers(values: &[f64]) -> String {
    list(values.iter().map(|&x| number(x)))
}

/// The rows of a square matrix that is stored by columns.
fn matrix(columns: &[f64], n: usize) -> String {
    list((0..n).map(|i| list((0..n).map(|j| number(columns[j * n + i])))))
}

fn local_fields(local: &LocalForm, problem: &FrictionProblem) -> String {
    let n = local.q().len();
    // to the bit: a negative zero is an entry
    let places: Vec<usize> = (0..n * n).filter(|&k| local.w()[k].to_bits() != 0).collect();
    let mut out = String::from(r#","W":"#);
    // an entry of a list of triplets is about three times as long as one of a row
    if 3 * places.len() < n * n {
        let rows = list(places.iter().map(|k| (k % n).to_string()));
        let cols = list(places.iter().map(|k| (k / n).to_string()));
        let values = list(places.iter().map(|&k| number(local.w()[k])));
        write!(out, r#"{{"i":{rows},"j":{cols},"x":{values}}}"#).expect("a String takes all");
    } else {
        out.push_str(&matrix(local.w(), n));
    }
    write!(out, r#","q":{},"mu":{}"#, numbers(local.q()), numbers(problem.mu())).expect("a String takes all");
    out
}

fn global_fields(global: &GlobalForm) -> String {
    let mass = list(global.mass.iter().map(|(size, block)| matrix(block, *size)));
    let contacts = list(global.contacts.iter().map(|c| {
        format!(
            r#"{{"mu":{},"normal":{},"t1":{},"t2":{},"bias":{}}}"#,
            number(c.mu),
            pairs(&c.normal),
            pairs(&c.tangents[0]),
            pairs(&c.tangents[1]),
            bias(c),
        )
    }));
    let mut out =
        format!(r#","mass":{mass},"free_velocity":{},"contacts":{contacts}"#, numbers(&global.free_velocity));
    for (name, rows) in [("equality", &global.equality), ("unilateral", &global.unilateral)] {
        if !rows.is_empty() {
            let rows = list(rows.iter().map(|row| format!("{{{}}}", row_fields(row))));
            out = format!(r#"{out},"{name}":{rows}"#);
        }
    }
    if !global.bounded.is_empty() {
        let rows =
            list(global.bounded.iter().map(|b| {
                format!(r#"{{{},"lo":{},"hi":{}}}"#, row_fields(&b.row), number(b.lo), number(b.hi))
            }));
        out = format!(r#"{out},"box":{rows}"#);
    }
    out
}

/// The normal's alone, or all three where the tangents have one.
fn bias(contact: &Contact) -> String {
    let [t1, t2] = [&contact.tangents[0], &contact.tangents[1]].map(|row| row.bias);
    if t1.to_bits() | t2.to_bits() == 0 {
        number(contact.normal.bias)
    } else {
        numbers(&[contact.normal.bias, t1, t2])
    }
}

fn row_fields(row: &Row) -> String {
    format!(r#""row":{},"bias":{}"#, pairs(row), number(row.bias))
}

fn pairs(row: &Row) -> String {
    list(row.entries.iter().map(|&(dof, x)| format!("[{dof},{}]", number(x))))
}
