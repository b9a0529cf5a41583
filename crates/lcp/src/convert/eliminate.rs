//! The free block, eliminated; what is left of it where it is singular.

use super::MlcpLcp;
use crate::problem::Mlcp;
use crate::tolerances;

/// A pivot of the free block below this part of its largest entry counts as zero. Rounding leaves about
/// 1e-16 times the growth of a redundant row; honest mechanisms stay above 1e-8.
const RANK: f64 = 1e-11;

impl MlcpLcp {
    /// Gauss-Jordan with complete pivoting on the free block, carrying the columns of z and the constant.
    pub(super) fn eliminate(&mut self, mlcp: &Mlcp) {
        let (n, k, nz) = (mlcp.n(), self.free.len(), self.unknowns);
        let width = k + nz + 1 + k;
        self.pivot_row.clear();
        self.pivot_col.clear();
        self.split.clear();
        self.elim.clear();
        self.elim.resize(k * width, 0.0);
        for (r, &i) in self.free.iter().enumerate() {
            let row = &mut self.elim[r * width..(r + 1) * width];
            for (c, &j) in self.free.iter().enumerate() {
                row[c] = mlcp.entry(i, j);
                for &(t, _, f) in self.coupled.iter().filter(|c| c.1 == j) {
                    row[c] += f * mlcp.entry(i, t);
                }
            }
            for &(j, z, f) in &self.span {
                row[k + z] += f * mlcp.entry(i, j);
            }
            row[k + nz] = mlcp.b()[i];
            for j in 0..n {
                row[k + nz] += mlcp.entry(i, j) * self.offset[j];
            }
            row[k + nz + 1 + r] = 1.0;
        }
        let scale = self.elim.chunks(width).fold(0.0, |m: f64, row| m.max(crate::kernel::max_abs(&row[..k])));
        let mut row_done = vec![false; k];
        let mut col_done = vec![false; k];
        for _ in 0..k {
            let mut best = (0.0, 0, 0);
            for r in (0..k).filter(|&r| !row_done[r]) {
                for c in (0..k).filter(|&c| !col_done[c]) {
                    let v = self.elim[r * width + c].abs();
                    if v > best.0 {
                        best = (v, r, c);
                    }
                }
            }
            let (size, r, c) = best;
            if size <= RANK * scale {
                break;
            }
            (row_done[r], col_done[c]) = (true, true);
            self.pivot_row.push(r);
            self.pivot_col.push(c);
            let pivot = self.elim[r * width + c];
            self.elim[r * width..(r + 1) * width].iter_mut().for_each(|v| *v /= pivot);
            let row = self.elim[r * width..(r + 1) * width].to_vec();
            for other in (0..k).filter(|&o| o != r) {
                let f = self.elim[other * width + c];
                if f != 0.0 {
                    crate::kernel::axpy(-f, &row, &mut self.elim[other * width..(other + 1) * width]);
                }
            }
        }

        // leftover rows that still speak of bounded unknowns become pairs of inequalities
        let left_cols: Vec<usize> = (0..k).filter(|&c| !col_done[c]).collect();
        for (r, c) in (0..k).filter(|&r| !row_done[r]).zip(left_cols) {
            let row = &self.elim[r * width..(r + 1) * width];
            let size = crate::kernel::max_abs(&row[k..k + nz]);
            // a redundant row repeats what the others say, up to the rounding of the elimination
            let inconsistent = row[k + nz].abs() > tolerances::REPETITION * self.scaling.size();
            if size > tolerances::REPETITION || inconsistent {
                self.split.push((self.unknowns, self.unknowns + 1, c));
                self.unknowns += 2;
            }
        }
    }
}
