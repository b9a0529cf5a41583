//! The active block of a problem, factorised from the original data in energy units.
//!
//! ```text
//!     P (D A D)_ff = L U,       x_f = x_f − (A_ff)⁻¹ (A x + b)_f
//! ```
//!
//! Partial pivoting. The second line, applied twice, is the solution with one step of iterative refinement:
//! the first pass solves, the second corrects by the residual of the original rows.

use crate::kernel::axpy;
use crate::rows::BoxedRows;
use crate::scale::Scaling;

/// A pivot below this part of the largest entry of its block makes the block singular: in energy units
/// dependent contacts leave about 1e-16.
const SINGULAR: f64 = 1e-12;

/// Factors of one block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lu {
    f: Vec<f64>, // k × k, column-major: L below the diagonal, U above
    swaps: Vec<usize>,
    rhs: Vec<f64>,
    w: Vec<f64>,
}

impl Lu {
    /// Room for a block of this size.
    pub(crate) fn reserve(&mut self, n: usize) {
        self.f.clear();
        self.f.reserve(n * n);
        self.swaps.clear();
        self.swaps.reserve(n);
        self.rhs.clear();
        self.rhs.reserve(n);
        self.w.clear();
        self.w.reserve(n);
    }

    /// Factorises the block of the given rows and columns; false if it is singular.
    pub(crate) fn factor(
        &mut self,
        block: &[usize],
        entry: impl Fn(usize, usize) -> f64,
        scaling: &Scaling,
    ) -> bool {
        let k = block.len();
        let d = scaling.d();
        self.f.clear();
        for &j in block {
            self.f.extend(block.iter().map(|&i| entry(i, j) * d[i] * d[j]));
        }
        self.decompose(k)
    }

    /// Factorises a k × k matrix, by columns, as it is; false if it is singular.
    pub(crate) fn factor_matrix(&mut self, k: usize, matrix: impl Iterator<Item = f64>) -> bool {
        self.f.clear();
        self.f.extend(matrix);
        self.decompose(k)
    }

    /// x = A⁻¹ b with the factors of [`Self::factor_matrix`].
    pub(crate) fn apply(&mut self, b: impl Iterator<Item = f64>, x: &mut Vec<f64>) {
        self.rhs.clear();
        self.rhs.extend(b);
        self.substitute();
        x.clone_from(&self.rhs);
    }

    /// L U in the place of the matrix.
    fn decompose(&mut self, k: usize) -> bool {
        self.swaps.clear();
        let largest = crate::kernel::max_abs(&self.f);
        for c in 0..k {
            let column = &self.f[c * k..(c + 1) * k];
            let p = (c + 1..k).fold(c, |p, i| if column[i].abs() > column[p].abs() { i } else { p });
            let pivot = column[p];
            // written so that NaN is singular
            if !(pivot.abs() > SINGULAR * largest && pivot.is_finite()) {
                return false;
            }
            self.swaps.push(p);
            if p != c {
                (0..k).for_each(|j| self.f.swap(j * k + c, j * k + p));
            }
            let (left, right) = self.f.split_at_mut((c + 1) * k);
            let multipliers = &mut left[c * k + c + 1..];
            for v in multipliers.iter_mut() {
                *v /= pivot;
            }
            for column in right.chunks_exact_mut(k) {
                let f = column[c];
                if f != 0.0 {
                    axpy(-f, multipliers, &mut column[c + 1..]);
                }
            }
        }
        true
    }

    /// Solves (A x + b)_f = 0 for x_f, the other x given.
    pub(crate) fn solve(&mut self, block: &[usize], rows: BoxedRows<'_>, scaling: &Scaling, x: &mut [f64]) {
        for &i in block {
            x[i] = 0.0;
        }
        for _pass in 0..2 {
            self.correct(block, rows, scaling, x);
        }
    }

    /// x_f ← x_f − (A_ff)⁻¹ (A x + b)_f, with the residual from the original data.
    pub(crate) fn correct(&mut self, block: &[usize], rows: BoxedRows<'_>, scaling: &Scaling, x: &mut [f64]) {
        rows.slack(x, &mut self.w);
        self.rhs.clear();
        self.rhs.extend(block.iter().map(|&i| -self.w[i] * scaling.d()[i]));
        self.substitute();
        for (&i, &v) in block.iter().zip(&self.rhs) {
            x[i] += v * scaling.d()[i];
        }
    }

    /// Solves for a right-hand side in place, in the units of [`Lu::factor_matrix`].
    pub(crate) fn solve_in_place(&mut self, b: &mut [f64]) {
        self.rhs.clear();
        self.rhs.extend_from_slice(b);
        self.substitute();
        b.copy_from_slice(&self.rhs);
    }

    fn substitute(&mut self) {
        let k = self.rhs.len();
        for (c, &p) in self.swaps.iter().enumerate() {
            self.rhs.swap(c, p);
        }
        for c in 0..k {
            let v = self.rhs[c];
            if v != 0.0 {
                axpy(-v, &self.f[c * k + c + 1..(c + 1) * k], &mut self.rhs[c + 1..]);
            }
        }
        for c in (0..k).rev() {
            let v = self.rhs[c] / self.f[c * k + c];
            self.rhs[c] = v;
            if v != 0.0 {
                axpy(-v, &self.f[c * k..c * k + c], &mut self.rhs[..c]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Lcp;

    #[test]
    fn a_block_is_solved_and_a_dependent_one_refused() {
        let m = [[0.0, 2.0, 1.0], [1e6, 1.0, 1e3], [1.0, 2.0, 3e-3]];
        let lcp = Lcp::from_rows(&m, vec![-3.0, 2.0, -1.0]).unwrap();
        let scaling = Scaling::new(lcp.m(), lcp.q());
        let mut lu = Lu::default();
        assert!(lu.factor(&[0, 1, 2], |i, j| lcp.entry(i, j), &scaling));
        let (mut x, mut w) = (vec![0.0; 3], vec![]);
        lu.solve(&[0, 1, 2], (&lcp).into(), &scaling, &mut x);
        lcp.slack(&x, &mut w);
        assert!(w.iter().all(|w| w.abs() < 1e-9), "{w:?}");
        assert!(!lu.factor(&[0, 1], |_, _| 1.0, &scaling));
    }
}
