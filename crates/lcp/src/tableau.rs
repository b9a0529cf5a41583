//! The papers' arithmetic: M̄′ and q′ updated from exchange to exchange, nothing ever recomputed.
//!
//! ```text
//!     y_B = M̄′ y_N + q′,        M̄′ = (M c) at the start                               [Yamane (5), (8)]
//! ```
//!
//! Exchanging the basic variable of row r with the non-basic one of column s, with pivot p = m′_rs:
//!
//! ```text
//!     m″_rs = 1/p        m″_rj = −m′_rj/p                q″_r = −q′_r/p
//!     m″_is = m′_is/p    m″_ij = m′_ij + m′_is m″_rj     q″_i = q′_i + m′_is q″_r
//! ```
//!
//! which is [Yamane (6)-(7)] for one more index. Rounding errors of all exchanges stay in the numbers: that
//! is the point, see `lemke`, `lexicographic` and `search`.
//!
//! | paper | here                 | shape     |
//! |-------|----------------------|-----------|
//! | M̄′    | `t`, by columns      | n × (n+1) |
//! | q′    | `q`                  | n         |
//! | m′    | `column(s)`          | n         |
//! | y_B   | `rows`               | n         |
//! | y_N   | `cols`               | n + 1     |
//! | c     | `cover`, of w        | n         |
//!
//! Departure: the path may start from any complementary basis. The wanted z are exchanged in first, with
//! complete pivoting; then c = (1 … 1)ᵀ covers the *pivoted* system, which in the original rows is
//! c_i = \[i ∉ α\] − Σ_{j ∈ α} M_ij.

use crate::kernel::axpy;
use crate::observer::Variable;
use crate::outcome::starts_basic;
use crate::outcome::{Proof, Ray, Start};
use crate::problem::Lcp;
use crate::visited::key;

/// A pivot of the starting block below this part of the block's largest entry makes it singular: elimination
/// leaves about 1e-16 times the growth where there should be nothing.
const SINGULAR: f64 = 1e-13;

/// The exchanged system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tableau {
    n: usize,
    t: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) rows: Vec<Variable>,
    pub(crate) cols: Vec<Variable>,
    /// The basic variables of the start, row by row: the columns of B⁻¹ belong to them.
    pub(crate) slack: Vec<Variable>,
    cover: Vec<f64>,
    basis: u128, // the set of basic variables, hashed
    pivot_column: Vec<f64>,
}

/// The starting basis cannot be brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Singular;

impl Tableau {
    /// Loads a problem and brings the starting basis in.
    pub(crate) fn load(&mut self, lcp: &Lcp, start: Start<'_>) -> Result<(), Singular> {
        self.load_matrix(lcp.m(), lcp.q());
        self.bring_in(start)?;
        let n = self.n;
        self.slack.clone_from(&self.rows);
        self.t[n * n..].fill(1.0);
        for (i, c) in self.cover.iter_mut().enumerate() {
            *c = if starts_basic(start, i) { 0.0 } else { 1.0 };
        }
        for j in (0..n).filter(|&j| starts_basic(start, j)) {
            axpy(-1.0, lcp.column(j), &mut self.cover);
        }
        Ok(())
    }

    /// Becomes a copy, keeping its memory.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.n = other.n;
        self.t.clone_from(&other.t);
        self.q.clone_from(&other.q);
        self.rows.clone_from(&other.rows);
        self.cols.clone_from(&other.cols);
        self.slack.clone_from(&other.slack);
        self.cover.clone_from(&other.cover);
        self.basis = other.basis;
    }

    /// Loads w = M z + q with all w basic, and no covering vector.
    pub(crate) fn load_matrix(&mut self, m: &[f64], q: &[f64]) {
        let n = q.len();
        self.n = n;
        self.t.clear();
        self.t.extend_from_slice(m);
        self.t.resize(n * (n + 1), 0.0);
        self.q.clear();
        self.q.extend_from_slice(q);
        self.rows.clear();
        self.rows.extend((0..n).map(Variable::W));
        self.cols.clear();
        self.cols.extend((0..n).map(Variable::Z));
        self.cols.push(Variable::Z0);
        self.cover.clear();
        self.cover.resize(n, 0.0);
        self.pivot_column.clear();
        self.pivot_column.reserve(n);
        self.basis = self.rows.iter().fold(0, |set, &v| set ^ key(v));
    }

    /// Exchanges the wanted z in, the largest pivot first; afterwards row and column i belong to pair i.
    pub(crate) fn bring_in(&mut self, start: Start<'_>) -> Result<(), Singular> {
        let n = self.n;
        let largest = |tableau: &Self| {
            let mut best = (0.0, 0, 0);
            for s in (0..n).filter(|&s| wanted(start, tableau.cols[s])) {
                for r in (0..n).filter(|&r| unwanted(start, tableau.rows[r])) {
                    let size = tableau.t[s * n + r].abs();
                    if size > best.0 {
                        best = (size, r, s);
                    }
                }
            }
            best
        };
        let scale = largest(self).0;
        while self.cols.iter().any(|&v| wanted(start, v)) {
            let (size, r, s) = largest(self);
            if size <= SINGULAR * scale || !size.is_finite() {
                return Err(Singular);
            }
            self.exchange(r, s);
        }
        self.sort_pairs();
        Ok(())
    }

    /// Reorders a complementary system so that row and column i belong to pair i.
    fn sort_pairs(&mut self) {
        let n = self.n;
        for i in 0..n {
            while let Variable::W(k) | Variable::Z(k) = self.rows[i]
                && k != i
            {
                self.rows.swap(i, k);
                self.q.swap(i, k);
                (0..=n).for_each(|s| self.t.swap(s * n + i, s * n + k));
            }
            while let Variable::W(k) | Variable::Z(k) = self.cols[i]
                && k != i
            {
                self.cols.swap(i, k);
                (0..n).for_each(|r| self.t.swap(i * n + r, k * n + r));
            }
        }
    }

    pub(crate) fn n(&self) -> usize {
        self.n
    }

    /// Puts a vector in the place of c, to be carried along; it answers to no variable.
    pub(crate) fn set_last_column(&mut self, values: impl Iterator<Item = f64>) {
        let n = self.n;
        self.t[n * n..].iter_mut().zip(values).for_each(|(t, v)| *t = v);
    }

    /// m′ of one non-basic variable.
    pub(crate) fn column(&self, s: usize) -> &[f64] {
        &self.t[s * self.n..(s + 1) * self.n]
    }

    /// Where a non-basic variable stands.
    pub(crate) fn column_of(&self, variable: Variable) -> Option<usize> {
        self.cols.iter().position(|&v| v == variable)
    }

    /// The set of basic variables as 128 bits: equal sets have equal hashes, and different ones collide about
    /// as often as cosmic rays strike.
    pub(crate) fn basis(&self) -> u128 {
        self.basis
    }

    /// The hash after an exchange that is not made.
    pub(crate) fn basis_after(&self, r: usize, s: usize) -> u128 {
        self.basis ^ key(self.rows[r]) ^ key(self.cols[s])
    }

    /// Exchanges row r with column s; returns the variable that left the basis.
    pub(crate) fn exchange(&mut self, r: usize, s: usize) -> Variable {
        let n = self.n;
        let pivot = self.t[s * n + r];
        self.pivot_column.clear();
        self.pivot_column.extend_from_slice(&self.t[s * n..(s + 1) * n]);
        self.pivot_column[r] = 0.0;
        for (j, column) in self.t.chunks_exact_mut(n).enumerate() {
            if j == s {
                for v in column.iter_mut() {
                    *v /= pivot;
                }
                column[r] = 1.0 / pivot;
            } else if column[r] != 0.0 {
                let f = -column[r] / pivot;
                axpy(f, &self.pivot_column, column);
                column[r] = f;
            }
        }
        let f = -self.q[r] / pivot;
        axpy(f, &self.pivot_column, &mut self.q);
        self.q[r] = f;
        self.basis = self.basis_after(r, s);
        std::mem::swap(&mut self.rows[r], &mut self.cols[s]);
        self.cols[s]
    }

    /// Exchanges the pairs i and j together, a principal pivot of order two: for where both diagonals are
    /// zero.
    pub(crate) fn exchange_pairs(&mut self, i: usize, j: usize) {
        let n = self.n;
        self.exchange(i, j);
        self.exchange(j, i);
        // row i now belongs to pair j and column i to pair j: put them back
        self.rows.swap(i, j);
        self.q.swap(i, j);
        (0..=n).for_each(|s| self.t.swap(s * n + i, s * n + j));
        self.cols.swap(i, j);
        (0..n).for_each(|r| self.t.swap(i * n + r, j * n + r));
    }

    /// Column k of B⁻¹ as a function of the row: what row i gains when the k-th slack of the start is shifted.
    pub(crate) fn inverse_column(&self, k: usize) -> impl Fn(usize) -> f64 {
        let place = self.column_of(self.slack[k]);
        move |i| match place {
            Some(s) => -self.t[s * self.n + i],
            None => f64::from(u8::from(self.rows[i] == self.slack[k])),
        }
    }

    pub(crate) fn q_min(&self) -> f64 {
        self.q.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.q.iter().all(|q| q.is_finite())
    }

    /// The iterate with z₀ dropped: z as it is, w = w′ − c z₀.
    pub(crate) fn iterate(&self, z: &mut [f64], w: &mut [f64]) {
        let z0 = self.scatter(&self.q, z, w);
        axpy(-z0, &self.cover, w);
    }

    /// Spreads values of the basic variables over z, w and z₀.
    pub(crate) fn scatter(&self, values: &[f64], z: &mut [f64], w: &mut [f64]) -> f64 {
        z.fill(0.0);
        w.fill(0.0);
        let mut z0 = 0.0;
        for (&variable, &v) in self.rows.iter().zip(values) {
            match variable {
                Variable::Z(i) => z[i] = v,
                Variable::W(i) => w[i] = v,
                Variable::Z0 => z0 = v,
            }
        }
        z0
    }

    /// w − M z − c z₀ − q of given values, from the original data, into `error`.
    pub(crate) fn mismatch(&self, lcp: &Lcp, q: &[f64], z: &[f64], w: &[f64], z0: f64, error: &mut Vec<f64>) {
        error.clear();
        error.extend(w.iter().zip(q).map(|(w, q)| w - q));
        axpy(-z0, &self.cover, error);
        for (j, &zj) in z.iter().enumerate() {
            if zj != 0.0 {
                axpy(-zj, lcp.column(j), error);
            }
        }
    }

    /// The ray along column s, where no basic variable decreases.
    pub(crate) fn ray(&self, s: usize, ray: &mut Ray, w: &mut [f64]) {
        let n = self.n;
        ray.z.resize(n, 0.0);
        ray.dz.resize(n, 0.0);
        ray.cover.clone_from(&self.cover);
        ray.proof = Proof::None;
        ray.z0 = self.scatter(&self.q, &mut ray.z, w).max(0.0);
        ray.dz0 = self.scatter(self.column(s), &mut ray.dz, w).max(0.0);
        match self.cols[s] {
            Variable::Z(i) => ray.dz[i] = 1.0,
            Variable::Z0 => ray.dz0 = 1.0,
            Variable::W(_) => {}
        }
        for v in ray.z.iter_mut().chain(&mut ray.dz) {
            *v = if v.is_finite() { v.max(0.0) } else { 0.0 };
        }
    }

    /// Whether z_i is basic.
    pub(crate) fn is_basic(&self, i: usize) -> bool {
        self.rows.contains(&Variable::Z(i))
    }
}

fn wanted(start: Start<'_>, v: Variable) -> bool {
    matches!(v, Variable::Z(i) if starts_basic(start, i))
}

fn unwanted(start: Start<'_>, v: Variable) -> bool {
    matches!(v, Variable::W(i) if starts_basic(start, i))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Lcp {
        let m = [[4.0, 1.0, -2.0], [0.5, 3.0, 1.0], [1.0, -1.0, 5.0]];
        Lcp::from_rows(&m, vec![-1.0, 2.0, -3.0]).unwrap()
    }

    #[test]
    fn an_exchange_undone_is_no_exchange() {
        let mut tableau = Tableau::default();
        tableau.load(&sample(), Start::Cold).unwrap();
        let before = tableau.clone();
        assert_eq!(tableau.exchange(2, 0), Variable::W(2));
        assert_ne!(tableau.basis(), before.basis());
        assert_eq!(tableau.exchange(2, 0), Variable::Z(0));
        assert_eq!((tableau.basis(), &tableau.rows), (before.basis(), &before.rows));
        for (a, b) in tableau.t.iter().zip(&before.t) {
            assert!((a - b).abs() < 1e-14);
        }
    }

    #[test]
    fn a_starting_basis_is_the_pivoted_system_covered_by_ones() {
        let lcp = sample();
        let mut tableau = Tableau::default();
        tableau.load(&lcp, Start::Basis(&[true, false, true])).unwrap();
        assert_eq!(tableau.rows, [Variable::Z(0), Variable::W(1), Variable::Z(2)]);
        assert_eq!(tableau.column(3), [1.0; 3]);
        // any point of the system satisfies the original equations with the original cover
        let (mut z, mut w, mut error) = (vec![0.0; 3], vec![0.0; 3], vec![]);
        let values: Vec<f64> = tableau.q.iter().map(|q| q + 7.0).collect();
        tableau.scatter(&values, &mut z, &mut w);
        tableau.mismatch(&lcp, lcp.q(), &z, &w, 7.0, &mut error);
        assert!(error.iter().all(|e| e.abs() < 1e-13), "{error:?}");
    }

    #[test]
    fn a_singular_start_is_told() {
        let lcp = Lcp::from_rows(&[[1.0, 1.0], [1.0, 1.0]], vec![-1.0; 2]).unwrap();
        assert_eq!(Tableau::default().load(&lcp, Start::Basis(&[true, true])), Err(Singular));
    }
}
