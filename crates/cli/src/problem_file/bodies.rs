//! The form by bodies, in `.npz` alone: contacts between free bodies, each row twelve numbers.
//!
//! | key                | shape     | meaning                                                      |
//! |--------------------|-----------|--------------------------------------------------------------|
//! | `mass`             | b × 6 × 6 | one block for each body                                      |
//! | `body_a`, `body_b` | n         | the bodies of a contact; −1 is the world                     |
//! | `Ja`, `Jb`         | n × 3 × 6 | rows n, t1, t2 over the velocity of each                     |
//! | `q`                | 3 n       | velocities of the rows without impulses, biases included     |
//! | `mu`               | n         |                                                              |

use gudgeon_lcp::{Contact, FrictionProblem, GlobalForm, Row};

use super::error::FileError;
use super::value::{Array, Value, check_size};

/// Reads a friction problem that is given by its bodies.
pub(crate) fn read(value: &Value) -> Result<FrictionProblem, FileError> {
    let mu = value.need("mu", "a list of numbers", Value::vector)?;
    let q = value.need("q", "a list of numbers", Value::vector)?;
    let n = mu.len();
    if q.len() != 3 * n {
        let expected = format!("{} long, three rows for each mu", 3 * n);
        return Err(FileError::field("q", format!("{} long", q.len()), expected));
    }
    let blocks = array(value, "mass", |shape| shape.len() == 3 && shape[1..] == [6, 6], "bodies x 6 x 6")?;
    let bodies = blocks.shape[0];
    check_size(6 * bodies).map_err(|error| error.within("mass"))?;
    let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); 3 * n];
    // the body with the smaller number first: entries of a row ascend
    let sides = [side(value, "body_a", "Ja", n, bodies)?, side(value, "body_b", "Jb", n, bodies)?];
    for contact in 0..n {
        let mut order = [0, 1];
        order.sort_by_key(|&s| sides[s].0[contact]);
        for (k, row) in rows[3 * contact..3 * contact + 3].iter_mut().enumerate() {
            for (body, jacobian) in order.map(|s| (sides[s].0[contact], &sides[s].1.data)) {
                let Some(body) = body else { continue };
                let at = (3 * contact + k) * 6;
                for (j, v) in jacobian[at..at + 6].iter().enumerate() {
                    match row.last_mut() {
                        Some(last) if last.0 >= 6 * body + j => {
                            return Err(FileError::field(
                                "body_b",
                                "the same body as body_a",
                                "another body",
                            ));
                        }
                        _ => row.push((6 * body + j, *v)),
                    }
                }
            }
        }
    }
    let mut rows = rows.into_iter().zip(q).map(|(entries, bias)| Row { entries, bias });
    let mut next = || rows.next().expect("three rows for each mu");
    let contacts =
        mu.into_iter().map(|mu| Contact { mu, normal: next(), tangents: [next(), next()] }).collect();
    Ok(FrictionProblem::global(GlobalForm {
        mass: blocks.data.chunks_exact(36).map(|block| (6, block.to_vec())).collect(),
        free_velocity: vec![0.0; 6 * bodies],
        contacts,
        ..GlobalForm::default()
    })?)
}

/// The body of every contact on one side, and its rows.
fn side<'a>(
    value: &'a Value,
    body: &str,
    jacobian: &str,
    n: usize,
    bodies: usize,
) -> Result<(Vec<Option<usize>>, &'a Array), FileError> {
    let expected = "a list of bodies, -1 for the world";
    let of = value.need(body, expected, |v| {
        v.list(expected, |x| {
            if x.number().is_ok_and(|x| x == -1.0) { Ok(None) } else { x.index(bodies).map(Some) }
        })
    })?;
    if of.len() != n {
        return Err(FileError::field(body, format!("{} long", of.len()), format!("{n} long to match mu")));
    }
    let rows = array(value, jacobian, |shape| shape == [n, 3, 6], &format!("{n} x 3 x 6"))?;
    Ok((of, rows))
}

fn array<'a>(
    value: &'a Value,
    name: &str,
    fits: impl FnOnce(&[usize]) -> bool,
    expected: &str,
) -> Result<&'a Array, FileError> {
    value.need(name, expected, |v| match v {
        Value::Array(array) if fits(&array.shape) => {
            if array.data.iter().all(|x| x.is_finite()) {
                Ok(array)
            } else {
                Err(FileError::field("", "not finite", "finite numbers"))
            }
        }
        other => Err(FileError::field("", other.describe(), expected)),
    })
}
