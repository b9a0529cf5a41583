//! Rank-revealing Cholesky of a positive semidefinite matrix, and least-norm solutions with it.
//!
//! W is scaled to unit diagonal, S W S, then factored with diagonal pivoting until what is left is rounding:
//! ```text
//!     P S W S Pᵀ = [L₁; L₂] [L₁; L₂]ᵀ,      null space N = [-L₁⁻ᵀ L₂ᵀ; 1]
//!     x = basic solution on the pivots;  x ← x - N (NᵀN)⁻¹ Nᵀ x                      least norm
//! ```
//! Redundant loops (a planar four-bar has three redundant rows in space) give a singular W whose right-hand sides
//! are consistent; the solution is then the one of least norm in the scaled variables, that is with each force
//! measured against the effective mass of its row.
//!
//! The scaling makes the tolerance free of units: grams and kilotons, metres and radians.

use crate::rows::Rows;
use crate::tolerances::ROW_NOISE;

/// Scaled pivots below this are rounding: products of unit vectors, accumulated over some hundred rows, leave
/// 1e-14; a genuine singular value of 1e-6 leaves 1e-12.
const RANK_TOLERANCE: f64 = 1e-12;

/// W ≈ scaled, pivoted L Lᵀ of numerical rank `rank`; keeps its memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankRevealing {
    n: usize, // rows that are not zero
    rank: usize,
    live: Vec<usize>,  // n, which they are
    w: Vec<f64>,       // n × n, S W S, for residuals
    l: Vec<f64>,       // n × n row-major, rows as in W, columns in pivot order
    left: Vec<f64>,    // n, diagonal not yet explained
    scale: Vec<f64>,   // n, S
    pivot: Vec<usize>, // n, row of W at each place
    null: Vec<f64>,    // n × (n - rank), columns contiguous, in pivot order
    gram: Vec<f64>,    // (n - rank)², Cholesky factor of NᵀN
    x: Vec<f64>,       // n, scratch in pivot order
    r: Vec<f64>,       // n, scratch
    y: Vec<f64>,       // n, scratch
    dense: Vec<f64>,   // width of the rows, scratch of factor_rows
}

impl RankRevealing {
    /// Numerical rank of the matrix last factored.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Factors the symmetric n × n matrix `w`, in whose diagonal the first `noise[i]` of each entry is rounding.
    ///
    /// Rows within a hundredfold of their noise are taken for zero (a loop between two links of one rigid body has
    /// nothing to hold), and the rank tolerance never falls below the noise.
    pub fn factor(&mut self, w: &[f64], n: usize, noise: impl Fn(usize) -> f64) {
        let total = n;
        self.live.clear();
        self.scale.clear();
        let mut tolerance = RANK_TOLERANCE;
        for i in 0..total {
            let (d, noise) = (w[i * total + i], 100.0 * noise(i));
            if d > noise {
                self.live.push(i);
                self.scale.push(1.0 / d.sqrt());
                tolerance = tolerance.max(noise / d);
            }
        }
        self.n = self.live.len();
        self.w.clear();
        for (i, &row) in self.live.iter().enumerate() {
            let s = self.scale[i];
            self.w.extend(self.live.iter().zip(&self.scale).map(|(&col, t)| w[row * total + col] * s * t));
        }
        self.pivot_down(tolerance);
    }

    /// Factors W = Y Yᵀ for whitened rows `y` over `width` dofs. Rows without an entry cost nothing.
    ///
    /// Rows are exact to 1e-16 of the largest, so W to 1e-32 of its largest entry; gaps of 1e-12 m between links of one
    /// body make rows of 1e-12: noise of 1e-22 of the largest keeps clear of both and of mass ratios up to 1e18.
    pub fn factor_rows(&mut self, y: &Rows, width: usize) {
        let square = |i: usize| -> f64 { y.row(i).1.iter().map(|x| x * x).sum() };
        let noise = ROW_NOISE * (0..y.len()).map(square).fold(0.0, f64::max);
        self.live.clear();
        self.scale.clear();
        let mut tolerance = RANK_TOLERANCE;
        for i in 0..y.len() {
            let d = square(i);
            if d > noise {
                self.live.push(i);
                self.scale.push(1.0 / d.sqrt());
                tolerance = tolerance.max(noise / d);
            }
        }
        let n = self.live.len();
        self.n = n;
        self.w.clear();
        self.w.resize(n * n, 0.0);
        self.dense.clear();
        self.dense.resize(width, 0.0);
        for i in 0..n {
            let (dofs, values) = y.row(self.live[i]);
            for (&k, x) in dofs.iter().zip(values) {
                self.dense[k] = x * self.scale[i];
            }
            for j in 0..=i {
                let x = y.dot(self.live[j], &self.dense) * self.scale[j];
                self.w[i * n + j] = x;
                self.w[j * n + i] = x;
            }
            for &k in dofs {
                self.dense[k] = 0.0;
            }
        }
        self.pivot_down(tolerance);
    }

    /// The factor of the scaled matrix in `w`, the largest diagonal first.
    fn pivot_down(&mut self, tolerance: f64) {
        let n = self.n;
        self.l.clear();
        self.l.resize(n * n, 0.0);
        self.left.clear();
        self.left.extend((0..n).map(|i| self.w[i * n + i]));
        self.pivot.clear();
        self.pivot.extend(0..n);
        self.null.clear();
        self.rank = n;
        for k in 0..n {
            // the largest diagonal left
            let best = (k..n)
                .fold(k, |b, i| if self.left[self.pivot[i]] > self.left[self.pivot[b]] { i } else { b });
            let p = self.pivot[best];
            if self.left[p] <= tolerance {
                self.rank = k;
                break;
            }
            self.pivot.swap(k, best);
            let d = self.left[p].sqrt();
            self.l[p * n + k] = d;

            // column k of the rows that wait; rows are contiguous, so this is one dot product each
            for &i in &self.pivot[k + 1..] {
                let dot = dot(&self.l[i * n..i * n + k], &self.l[p * n..p * n + k]);
                let x = (self.w[i * n + p] - dot) / d;
                self.l[i * n + k] = x;
                self.left[i] -= x * x;
            }
        }
    }

    /// Entry (i, j) of L in pivot order.
    #[inline]
    fn at(&self, i: usize, j: usize) -> f64 {
        self.l[self.pivot[i] * self.n + j]
    }

    /// x ← L₁⁻ᵀ x on the pivots.
    fn back_substitute(&self, x: &mut [f64]) {
        for i in (0..self.rank).rev() {
            let row = &self.l[self.pivot[i] * self.n..];
            let y = x[i] / row[i];
            x[i] = y;
            for j in 0..i {
                x[j] -= row[j] * y;
            }
        }
    }

    fn null_space(&mut self) {
        let (n, r) = (self.n, self.rank);
        let m = n - r;
        let mut null = std::mem::take(&mut self.null);
        null.clear();
        null.resize(n * m, 0.0);
        for (c, column) in null.chunks_mut(n.max(1)).enumerate() {
            for i in 0..r {
                column[i] = -self.at(r + c, i);
            }
            self.back_substitute(column);
            column[r + c] = 1.0;
        }
        self.null = null;
        self.gram.clear();
        self.gram.resize(m * m, 0.0);
        for a in 0..m {
            for b in 0..=a {
                let (x, y) = (&self.null[a * n..(a + 1) * n], &self.null[b * n..(b + 1) * n]);
                self.gram[a * m + b] = x.iter().zip(y).map(|(x, y)| x * y).sum();
            }
        }

        // NᵀN ≥ 1 because N ends in the identity: plain Cholesky is safe
        for k in 0..m {
            for j in 0..k {
                let l_kj = self.gram[k * m + j];
                for i in k..m {
                    self.gram[i * m + k] -= self.gram[i * m + j] * l_kj;
                }
            }
            let d = self.gram[k * m + k].sqrt();
            for i in k..m {
                self.gram[i * m + k] /= d;
            }
        }
    }

    /// A solution x of W x = b as [`Self::solve_basic`], without refinement: for those who correct it themselves.
    pub fn solve_once(&mut self, b: &[f64], out: &mut [f64]) {
        self.begin_basic(b);
        out.fill(0.0);
        for i in 0..self.rank {
            out[self.live[self.pivot[i]]] = self.x[i] * self.scale[self.pivot[i]];
        }
    }

    fn begin_basic(&mut self, b: &[f64]) {
        let n = self.n;
        self.x.clear();
        self.x.resize(n, 0.0);
        self.r.clear();
        self.r.extend((0..n).map(|i| b[self.live[self.pivot[i]]] * self.scale[self.pivot[i]]));
        self.add_basic();
    }

    /// A solution x of W x = b, b in the range of W, that uses the pivot rows alone; one step of refinement.
    pub fn solve_basic(&mut self, b: &[f64], out: &mut [f64]) {
        let n = self.n;
        self.begin_basic(b);

        // residual from the matrix itself, on the pivots
        for i in 0..self.rank {
            let row = &self.w[self.pivot[i] * n..(self.pivot[i] + 1) * n];
            let wx: f64 = (0..self.rank).map(|j| row[self.pivot[j]] * self.x[j]).sum();
            self.r[i] = b[self.live[self.pivot[i]]] * self.scale[self.pivot[i]] - wx;
        }
        self.add_basic();
        out.fill(0.0);
        for i in 0..n {
            out[self.live[self.pivot[i]]] = self.x[i] * self.scale[self.pivot[i]];
        }
    }

    /// The least-norm x with W x = b, b in the range of W.
    pub fn solve(&mut self, b: &[f64], out: &mut [f64]) {
        self.solve_basic(b, out);
        self.make_least_norm(out);
    }

    /// Replaces a solution by the one of least norm (in the scaled variables) with the same W x.
    pub fn make_least_norm(&mut self, x: &mut [f64]) {
        let n = self.n;
        if self.rank == n {
            return;
        }
        if self.null.is_empty() {
            self.null_space();
        }
        self.x.clear();
        for i in 0..n {
            self.x.push(x[self.live[self.pivot[i]]] / self.scale[self.pivot[i]]);
        }
        self.remove_null_part();
        for i in 0..n {
            x[self.live[self.pivot[i]]] = self.x[i] * self.scale[self.pivot[i]];
        }
    }

    /// x += the solution of L₁ L₁ᵀ y = r on the pivots.
    fn add_basic(&mut self) {
        let mut y = std::mem::take(&mut self.y);
        y.clear();
        y.extend_from_slice(&self.r[..self.rank]);
        for i in 0..self.rank {
            let row = &self.l[self.pivot[i] * self.n..];
            y[i] = (y[i] - dot(&row[..i], &y[..i])) / row[i];
        }
        self.back_substitute(&mut y);
        for i in 0..self.rank {
            self.x[i] += y[i];
        }
        self.y = y;
    }

    fn remove_null_part(&mut self) {
        let n = self.n;
        let m = n - self.rank;
        self.y.clear();
        for c in 0..m {
            let column = &self.null[c * n..(c + 1) * n];
            self.y.push(column.iter().zip(&self.x).map(|(a, b)| a * b).sum());
        }
        for i in 0..m {
            for j in 0..i {
                self.y[i] -= self.gram[i * m + j] * self.y[j];
            }
            self.y[i] /= self.gram[i * m + i];
        }
        for i in (0..m).rev() {
            self.y[i] /= self.gram[i * m + i];
            for j in 0..i {
                self.y[j] -= self.gram[i * m + j] * self.y[i];
            }
        }
        for c in 0..m {
            for i in 0..n {
                self.x[i] -= self.null[c * n + i] * self.y[c];
            }
        }
    }
}

/// a·b in four sums, the same on every machine.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    let mut sum = [0.0; 4];
    for (x, y) in a4.zip(b4) {
        for k in 0..4 {
            sum[k] += x[k] * y[k];
        }
    }
    (sum[0] + sum[2]) + (sum[1] + sum[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn a_singular_system_is_solved_with_least_norm() {
        // rank 3 of 6, unit diagonal so that scaled and plain norms agree
        let raw = DMatrix::from_fn(6, 3, |i, j| ((i * i * 3 + j * j * 7 + i * j) as f64 * 0.7).sin());
        let a = DMatrix::from_fn(6, 3, |i, j| raw[(i, j)] / raw.row(i).norm());
        let w = &a * a.transpose();
        let b = &w * DVector::from_fn(6, |i, _| (i as f64 + 0.3).cos());
        let mut f = RankRevealing::default();
        f.factor(w.as_slice(), 6, |_| 0.0);
        assert_eq!(f.rank(), 3);
        let mut x = [0.0; 6];
        f.solve(b.as_slice(), &mut x);
        let expected = w.clone().pseudo_inverse(1e-10).unwrap() * &b;
        // condition of the regular part below 100
        assert!((DVector::from_row_slice(&x) - expected).amax() < 1e-12);
    }
}
