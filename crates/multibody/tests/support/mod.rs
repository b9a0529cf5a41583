//! Seeded numbers, random trees, and named mechanisms.

pub(crate) mod mechanisms;
pub(crate) mod random;
pub(crate) mod trees;

/// Largest difference, relative to the largest entry of `expected` (or absolute below 1e-3: tests use numbers of
/// size 1 to 1000).
pub(crate) fn relative_error(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1e-3, |m: f64, x| m.max(x.abs()));
    let worst = found.iter().zip(expected).fold(0.0, |m: f64, (a, b)| {
        // NaN must not slip through max
        if (a - b).is_nan() { f64::INFINITY } else { m.max((a - b).abs()) }
    });
    worst / size
}
