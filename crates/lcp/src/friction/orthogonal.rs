//! Orthogonal factorisation with column pivoting, stopped at the numerical rank.
//!
//! ```text
//!     B Π = Q R,   B m × n,   R upper trapezoidal of `rank` rows                 Householder, Businger and Golub
//!     the least-norm y with Bᵀ y = b:   y = Q (R₁⁻ᵀ Πᵀ b, 0)
//! ```
//!
//! Q is kept as reflectors 1 − τ v vᵀ, v₁ = 1, below the diagonal, each with the row after its last entry: a matrix
//! whose rows are in the order of their first column keeps its stairs, and the zeros below cost nothing. Departure:
//! the next column is the first one with at least [`FAIR`] of the most that is left of any, not the largest, so that
//! the stairs survive the pivoting.

use crate::clock::Clock;
use crate::kernel::{axpy, dot};
use crate::tolerances;

/// Without unit: |R_jj| is at least this part of any column that is left, so rank is decided a digit less sharply
/// than by the largest column; the tolerances of the callers have two digits to spare.
const FAIR: f64 = 0.1;

/// The factors, with their memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Orthogonal {
    rows: usize,
    cols: usize,
    a: Vec<f64>,     // rows × cols, column-major
    tau: Vec<f64>,   // rank
    end: Vec<usize>, // rank, the row after the last entry of each reflector
    norm: Vec<f64>,  // cols, the square of what is left of each column
    fresh: Vec<f64>, // cols, the same when it was last computed from the column
    order: Vec<usize>,
}

impl Orthogonal {
    /// The matrix to be factored, column-major and zero, to be filled by the caller.
    pub(crate) fn load(&mut self, rows: usize, cols: usize) -> &mut [f64] {
        (self.rows, self.cols) = (rows, cols);
        self.a.clear();
        self.a.resize(rows * cols, 0.0);
        &mut self.a
    }

    /// Factors; columns with less than `tolerance` of the largest one left are taken for dependent. Out of time, so are all that
    /// are left.
    pub(crate) fn factor(&mut self, tolerance: f64, clock: &Clock) {
        let (m, n) = (self.rows, self.cols);
        self.tau.clear();
        self.end.clear();
        self.order.clear();
        self.order.extend(0..n);
        self.norm.clear();
        self.norm.extend((0..n).map(|j| dot(&self.a[j * m..(j + 1) * m], &self.a[j * m..(j + 1) * m])));
        self.fresh.clone_from(&self.norm);
        let largest = self.norm.iter().copied().fold(0.0, f64::max).sqrt();
        for j in 0..m.min(n) {
            if clock.expired() {
                break;
            }
            let most = self.norm[j..].iter().copied().fold(0.0, f64::max);
            let Some(best) = (j..n).find(|&k| self.norm[k] >= FAIR * FAIR * most) else { break };
            if best != j {
                let (left, right) = self.a.split_at_mut(best * m);
                left[j * m..(j + 1) * m].swap_with_slice(&mut right[..m]);
                self.order.swap(j, best);
                self.norm.swap(j, best);
                self.fresh.swap(j, best);
            }
            let (left, right) = self.a.split_at_mut((j + 1) * m);
            let pivot = &mut left[j * m + j..];
            let length = pivot.iter().rposition(|&v| v != 0.0).map_or(1, |last| last + 1);
            let (pivot, _) = pivot.split_at_mut(length);
            let size = dot(pivot, pivot).sqrt();
            if size.is_nan() || size <= tolerance * largest {
                break;
            }
            let beta = -size.copysign(pivot[0]);
            let tau = (beta - pivot[0]) / beta;
            let inverse = 1.0 / (pivot[0] - beta);
            pivot[1..].iter_mut().for_each(|v| *v *= inverse);
            pivot[0] = beta;
            self.tau.push(tau);
            self.end.push(j + length);
            let v = &pivot[1..];
            for (k, column) in right.chunks_exact_mut(m).enumerate() {
                let k = j + 1 + k;
                let x = &mut column[j..];
                let f = tau * (x[0] + dot(v, &x[1..length]));
                if f != 0.0 {
                    x[0] -= f;
                    axpy(-f, v, &mut x[1..length]);
                }
                self.norm[k] -= x[0] * x[0];
                // a difference that has lost half its digits is computed afresh
                if self.norm[k] <= tolerances::HALF_THE_DIGITS * self.fresh[k] {
                    self.norm[k] = dot(&x[1..], &x[1..]);
                    self.fresh[k] = self.norm[k];
                }
            }
        }
    }

    /// The number of independent columns.
    pub(crate) fn rank(&self) -> usize {
        self.tau.len()
    }

    /// The least |R_jj| of those columns against the largest: within a few times that of the singular values.
    pub(crate) fn weakest(&self) -> f64 {
        let diagonal = (0..self.rank()).map(|j| self.a[j * self.rows + j].abs());
        let (least, most) = diagonal.fold((f64::INFINITY, 0.0_f64), |(l, m), v| (l.min(v), m.max(v)));
        if most > 0.0 { least / most } else { 1.0 }
    }

    /// x ← Qᵀ x
    pub(crate) fn apply_transposed(&self, x: &mut [f64]) {
        for j in 0..self.rank() {
            self.reflect(j, x);
        }
    }

    /// x ← Q x
    pub(crate) fn apply(&self, x: &mut [f64]) {
        for j in (0..self.rank()).rev() {
            self.reflect(j, x);
        }
    }

    fn reflect(&self, j: usize, x: &mut [f64]) {
        let v = &self.a[j * self.rows + j + 1..j * self.rows + self.end[j]];
        let x = &mut x[j..self.end[j]];
        let f = self.tau[j] * (x[0] + dot(v, &x[1..]));
        if f != 0.0 {
            x[0] -= f;
            axpy(-f, v, &mut x[1..]);
        }
    }

    /// out ← (R₁⁻ᵀ Πᵀ b, 0), `rows` long.
    pub(crate) fn solve(&self, b: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.rows, 0.0);
        for j in 0..self.rank() {
            let column = &self.a[j * self.rows..j * self.rows + j];
            out[j] = (b[self.order[j]] - dot(column, &out[..j])) / self.a[j * self.rows + j];
        }
    }

    /// Row i of R Πᵀ, entry by entry: column of B, value.
    pub(crate) fn scatter_row(&self, i: usize, mut put: impl FnMut(usize, f64)) {
        for j in i..self.cols {
            put(self.order[j], self.a[j * self.rows + i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_norm_answer_of_a_redundant_system() {
        // y1 + y2 + y3 = 3, twice, and y1 − y2 = 1: rank two
        let mut qr = Orthogonal::default();
        qr.load(3, 3).copy_from_slice(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, -1.0, 0.0]);
        qr.factor(1e-13, &Clock::default());
        assert_eq!(qr.rank(), 2);
        let mut y = Vec::new();
        qr.solve(&[3.0, 6.0, 1.0], &mut y);
        qr.apply(&mut y);
        for (y, expected) in y.iter().zip([1.5, 0.5, 1.0]) {
            assert!((y - expected).abs() < 1e-14, "{y} against {expected}");
        }
        let mut back = y.clone();
        qr.apply_transposed(&mut back);
        qr.apply(&mut back);
        assert!(y.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}
