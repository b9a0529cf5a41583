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

/// Scaled pivots below this are rounding: products of unit vectors, accumulated over some hundred rows, leave
/// 1e-14; a genuine singular value of 1e-6 leaves 1e-12.
const RANK_TOLERANCE: f64 = 1e-12;

/// W ≈ scaled, pivoted L Lᵀ of numerical rank `rank`; keeps its memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankRevealing {
    n: usize,
    rank: usize,
    w: Vec<f64>,       // n × n, S W S, for residuals
    l: Vec<f64>,       // n × n row-major, rows in pivot order
    scale: Vec<f64>,   // n, S
    pivot: Vec<usize>, // n, row of W at each place
    null: Vec<f64>,    // n × (n - rank), columns contiguous, in pivot order
    gram: Vec<f64>,    // (n - rank)², Cholesky factor of NᵀN
    x: Vec<f64>,       // n, scratch in pivot order
    r: Vec<f64>,       // n, scratch
    y: Vec<f64>,       // n, scratch
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
        self.n = n;
        self.scale.clear();
        let mut tolerance = RANK_TOLERANCE;
        for i in 0..n {
            let (d, noise) = (w[i * n + i], 100.0 * noise(i));
            if d > noise {
                self.scale.push(1.0 / d.sqrt());
                tolerance = tolerance.max(noise / d);
            } else {
                self.scale.push(0.0);
            }
        }
        self.w.clear();
        self.w.extend((0..n * n).map(|k| w[k] * self.scale[k / n] * self.scale[k % n]));
        self.l.clear();
        self.l.extend_from_slice(&self.w);
        self.pivot.clear();
        self.pivot.extend(0..n);
        self.rank = n;
        for k in 0..n {
            // the largest diagonal left
            let best = (k..n).fold(k, |b, i| if self.l[i * n + i] > self.l[b * n + b] { i } else { b });
            if self.l[best * n + best] <= tolerance {
                self.rank = k;
                break;
            }
            self.swap(k, best);
            let d = self.l[k * n + k].sqrt();
            self.l[k * n + k] = d;
            for i in k + 1..n {
                self.l[i * n + k] /= d;
            }
            for i in k + 1..n {
                let l_ik = self.l[i * n + k];
                for j in k + 1..=i {
                    self.l[i * n + j] -= l_ik * self.l[j * n + k];
                }
                // keep the trailing block symmetric so that rows may be swapped
                for j in k + 1..i {
                    self.l[j * n + i] = self.l[i * n + j];
                }
            }
        }
        self.null_space();
    }

    fn swap(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        let n = self.n;
        self.pivot.swap(a, b);
        for j in 0..n {
            self.l.swap(a * n + j, b * n + j);
        }
        // columns below the finished ones; the finished columns belong to rows, already swapped
        for i in a..n {
            self.l.swap(i * n + a, i * n + b);
        }
    }

    fn null_space(&mut self) {
        let (n, r) = (self.n, self.rank);
        let m = n - r;
        self.null.clear();
        self.null.resize(n * m, 0.0);
        for c in 0..m {
            let column = &mut self.null[c * n..(c + 1) * n];
            for i in 0..r {
                column[i] = -self.l[(r + c) * n + i];
            }
            back_substitute(&self.l, n, r, column);
            column[r + c] = 1.0;
        }
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

    /// The least-norm x with W x = b, b in the range of W; one step of refinement.
    pub fn solve(&mut self, b: &[f64], out: &mut [f64]) {
        let n = self.n;
        self.x.clear();
        self.x.resize(n, 0.0);
        self.r.clear();
        self.r.extend((0..n).map(|i| b[self.pivot[i]] * self.scale[self.pivot[i]]));
        self.add_basic();

        // residual in the original order of the scaled matrix
        for i in 0..n {
            let row = &self.w[self.pivot[i] * n..(self.pivot[i] + 1) * n];
            let wx: f64 = (0..n).map(|j| row[self.pivot[j]] * self.x[j]).sum();
            self.r[i] = b[self.pivot[i]] * self.scale[self.pivot[i]] - wx;
        }
        self.add_basic();
        self.remove_null_part();
        for i in 0..n {
            out[self.pivot[i]] = self.x[i] * self.scale[self.pivot[i]];
        }
    }

    /// x += the solution of L₁ L₁ᵀ y = r on the pivots.
    fn add_basic(&mut self) {
        let (n, r) = (self.n, self.rank);
        self.y.clear();
        self.y.extend_from_slice(&self.r[..r]);
        for i in 0..r {
            let mut sum = self.y[i];
            for j in 0..i {
                sum -= self.l[i * n + j] * self.y[j];
            }
            self.y[i] = sum / self.l[i * n + i];
        }
        back_substitute(&self.l, n, r, &mut self.y);
        for i in 0..r {
            self.x[i] += self.y[i];
        }
    }

    fn remove_null_part(&mut self) {
        let n = self.n;
        let m = n - self.rank;
        if m == 0 {
            return;
        }
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
        back_substitute(&self.gram, m, m, &mut self.y);
        for c in 0..m {
            for i in 0..n {
                self.x[i] -= self.null[c * n + i] * self.y[c];
            }
        }
    }
}

/// x ← L₁⁻ᵀ x for the leading r × r block of the row-major lower factor `l` with row length `n`.
fn back_substitute(l: &[f64], n: usize, r: usize, x: &mut [f64]) {
    for i in (0..r).rev() {
        let y = x[i] / l[i * n + i];
        x[i] = y;
        for j in 0..i {
            x[j] -= l[i * n + j] * y;
        }
    }
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
