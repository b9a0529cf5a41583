//! Units in which rows and columns are of a size.
//!
//! ```text
//!     M̂ = T⁻¹ M T,   q̂ = T⁻¹ q,   z = T ẑ,   w = T ŵ          T diagonal, positive, powers of two
//! ```
//!
//! Signs and complementarity stay. A symmetric matrix needs no T: energy units serve rows and columns alike. One
//! whose rows and columns came in different units has none that do, and T is found by making the largest entry
//! beside the diagonal the same in row i and column i, one index after the other [Osborne 1960].

use crate::problem::Lcp;
use crate::scale::Scaling;

/// Sweeps over all rows; each halves what is left of the imbalance along a chain.
const SWEEPS: usize = 40;
/// Rows and columns that differ by less need no T: cones of friction have entries μ against 1.
const WORTH: f64 = 4096.0;

/// T of a problem whose rows and columns are far apart; none where they are not.
pub(super) fn balance(lcp: &Lcp) -> Option<Vec<f64>> {
    let n = lcp.n();
    let scaling = Scaling::new(lcp.m(), lcp.q());
    let d = scaling.d();
    let mut t = vec![1.0; n];
    let (mut worst, mut rows, mut cols) = (1.0_f64, vec![0.0_f64; n], vec![0.0_f64; n]);
    for j in 0..n {
        for (i, &v) in lcp.column(j).iter().enumerate().filter(|(i, _)| *i != j) {
            let size = (v * d[i]).abs() * d[j];
            rows[i] = rows[i].max(size);
            cols[j] = cols[j].max(size);
        }
    }
    for (r, c) in rows.iter().zip(&cols).filter(|(r, c)| **r > 0.0 && **c > 0.0) {
        worst = worst.max(r / c).max(c / r);
    }
    if worst < WORTH {
        return None;
    }
    for _ in 0..SWEEPS {
        let mut settled = true;
        for i in 0..n {
            let (mut row, mut col) = (0.0_f64, 0.0_f64);
            for j in (0..n).filter(|&j| j != i) {
                row = row.max((lcp.entry(i, j) * d[j]).abs() * t[j]);
                col = col.max((lcp.entry(j, i) * d[j]).abs() / t[j]);
            }
            if row > 0.0 && col > 0.0 && row.is_finite() && col.is_finite() {
                let wanted = (row / col).sqrt().log2().round().clamp(-300.0, 300.0).exp2();
                settled &= (0.6..1.7).contains(&(wanted / t[i]));
                t[i] = wanted;
            }
        }
        if settled {
            break;
        }
    }
    t.iter().any(|&v| v != t[0]).then_some(t)
}

/// The problem in these units; none where finite numbers overflow.
pub(super) fn balanced(lcp: &Lcp, t: &[f64]) -> Option<Lcp> {
    let n = lcp.n();
    let mut m = Vec::with_capacity(n * n);
    for j in 0..n {
        m.extend(lcp.column(j).iter().zip(t).map(|(v, ti)| v / ti * t[j]));
    }
    let q = lcp.q().iter().zip(t).map(|(q, t)| q / t).collect();
    Lcp::from_column_major(m, q).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_scaled_apart_are_brought_together_again() {
        let m = [[4.0, 1.0, -1.0], [2.0, 5.0, 1.0], [1.0, -1.0, 3.0]];
        let lcp = Lcp::from_rows(&m, vec![-1.0, -1.0, 2.0]).unwrap();
        assert_eq!(balance(&lcp), None);
        let (r, c) = ([1e9, 1e-7, 1.0], [1e-3, 1e8, 1e5]);
        let apart: Vec<Vec<f64>> = (0..3).map(|i| (0..3).map(|j| m[i][j] * r[i] * c[j]).collect()).collect();
        let apart = Lcp::from_rows(&apart, vec![-1e9, -1e-7, 2.0]).unwrap();
        let t = balance(&apart).unwrap();
        let near = balanced(&apart, &t).unwrap();
        assert_eq!(balance(&near), None);
    }
}
