//! The dense basis: the inverse of the active block, updated from pivot to pivot, answering from the original
//! matrix.
//!
//! For a set of basic variables, rows R hold the non-basic w and columns C the basic z (z₀ among them), and
//! A = M̄[R, C] is k × k with k = |R| = |C|. Everything a pivoting method asks for is a solve with A and a
//! product with the columns C [Yamane (4)-(8)], [Lloyd (19)-(21)]:
//!
//! ```text
//!     q′:        z_C = −V q_R           w = q   + M̄_C z_C
//!     z_j in:    dz  = −V M̄[R, j]       dw = M̄_j + M̄_C dz          V = A⁻¹
//!     w_j in:    dz  =  V e_j           dw =       M̄_C dz
//! ```
//!
//! The product is taken over *all* rows, so its part in R is the residual of the solve, for nothing: it is
//! used for a step of iterative refinement, and tells when V has to be computed afresh. That is the whole
//! difference from a tableau, which trusts itself.
//!
//! An exchange changes A by a row, a column, or both, and V by one rank-one update: [`crate::inverse`].
//!
//! Departure from the papers: they keep an LU of A or the whole M′. An explicit inverse costs the same per
//! pivot as the best of them, needs no special cases, and refinement with the original data takes away its
//! only weakness.

mod columns;

use crate::inverse::Inverse;
use crate::kernel::{dot, max_abs};
use crate::observer::Variable;
use crate::tolerances;

pub(crate) use columns::Columns;

const NONE: usize = usize::MAX;

/// What a solve answers to.
#[derive(Debug, Clone, Copy)]
enum Load<'a> {
    Vector(&'a [f64]),
    Column(usize),
    Unit(usize),
}

/// A column of the pivoted system: the change of every basic variable per unit of a driving one, or q′.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    /// By row, valid where w is basic.
    pub(crate) w: Vec<f64>,
    /// By position in the columns.
    pub(crate) z: Vec<f64>,
}

impl Values {
    /// Room for a problem of size n.
    pub(crate) fn reserve(&mut self, n: usize) {
        reserve(&mut self.w, n);
        reserve(&mut self.z, n + 2);
    }
}

/// Raises the capacity to a whole, not by a part.
fn reserve<T>(v: &mut Vec<T>, whole: usize) {
    v.reserve(whole.saturating_sub(v.len()));
}

/// The active block and its inverse.
#[derive(Debug, Clone, Default)]
pub(crate) struct Basis {
    n: usize,
    rows: Vec<usize>,   // k: rows whose w is non-basic
    cols: Vec<usize>,   // k: columns whose z is basic; n is z₀
    row_at: Vec<usize>, // n: position in rows, or NONE
    col_at: Vec<usize>, // n + 1: position in cols, or NONE
    inverse: Inverse,   // by (col, row)
    updates: usize,     // exchanges since the inverse was computed afresh
    a: Vec<f64>,        // scratch, k
    b: Vec<f64>,        // scratch, k
    y_row: usize,       // the row that y is for, until the next exchange
    y: Vec<f64>,        // scratch, k
}

impl Basis {
    /// The basis of all w.
    pub(crate) fn reset(&mut self, n: usize) {
        self.n = n;
        self.rows.clear();
        self.cols.clear();
        self.row_at.clear();
        self.row_at.resize(n, NONE);
        self.col_at.clear();
        self.col_at.resize(n + 1, NONE);
        self.inverse.clear();
        self.updates = 0;
        self.y_row = NONE;
    }

    /// Room for everything that a problem of size n may ask for, so that no exchange allocates. Memory that is
    /// not used is not touched.
    pub(crate) fn reserve_for(&mut self, n: usize) {
        let whole = n.max(15) + 1;
        self.inverse.reserve_for(whole);
        for v in [&mut self.a, &mut self.b, &mut self.y] {
            reserve(v, whole);
        }
        // a driving column stands among the basic ones while it is multiplied
        for v in [&mut self.rows, &mut self.cols, &mut self.row_at, &mut self.col_at] {
            reserve(v, whole + 1);
        }
    }

    pub(crate) fn cols(&self) -> &[usize] {
        &self.cols
    }

    /// Whether w of this row is basic.
    #[inline]
    pub(crate) fn w_is_basic(&self, i: usize) -> bool {
        self.row_at[i] == NONE
    }

    /// Whether z of this column is basic.
    #[inline]
    pub(crate) fn z_is_basic(&self, j: usize) -> bool {
        self.col_at[j] != NONE
    }

    /// The position of a basic z among the columns; n asks for z₀.
    pub(crate) fn position(&self, j: usize) -> usize {
        self.col_at[j]
    }

    /// Puts a set of non-basic w and basic z in place without arithmetic; [`Basis::factor`] must follow.
    pub(crate) fn install(&mut self, entering: Variable, leaving: Variable) {
        match (self.column_of(entering), self.column_of(leaving)) {
            (Some(j), None) => self.push(self.row_of(leaving), j),
            (Some(j), Some(l)) => self.swap_col(self.col_at[l], j),
            (None, None) => self.swap_row(self.row_at[self.row_of(entering)], self.row_of(leaving)),
            (None, Some(l)) => self.remove(self.col_at[l], self.row_at[self.row_of(entering)]),
        }
        self.updates = usize::MAX;
        self.y_row = NONE;
    }

    /// The column of M̄ that a variable owns; none for a slack.
    fn column_of(&self, variable: Variable) -> Option<usize> {
        match variable {
            Variable::Z(j) => Some(j),
            Variable::Z0 => Some(self.n),
            Variable::W(_) => None,
        }
    }

    fn row_of(&self, variable: Variable) -> usize {
        match variable {
            Variable::W(i) | Variable::Z(i) => i,
            Variable::Z0 => self.n,
        }
    }

    fn push(&mut self, i: usize, j: usize) {
        self.row_at[i] = self.rows.len();
        self.col_at[j] = self.cols.len();
        self.rows.push(i);
        self.cols.push(j);
    }

    fn swap_col(&mut self, p: usize, j: usize) {
        self.col_at[self.cols[p]] = NONE;
        self.cols[p] = j;
        self.col_at[j] = p;
    }

    fn swap_row(&mut self, p: usize, i: usize) {
        self.row_at[self.rows[p]] = NONE;
        self.rows[p] = i;
        self.row_at[i] = p;
    }

    fn remove(&mut self, s: usize, p: usize) {
        self.col_at[self.cols[s]] = NONE;
        self.row_at[self.rows[p]] = NONE;
        self.cols.swap_remove(s);
        self.rows.swap_remove(p);
        if let Some(&j) = self.cols.get(s) {
            self.col_at[j] = s;
        }
        if let Some(&i) = self.rows.get(p) {
            self.row_at[i] = p;
        }
    }

    /// Computes the inverse afresh. False if it has none.
    pub(crate) fn factor(&mut self, m: &impl Columns) -> bool {
        self.updates = 0;
        self.y_row = NONE;
        let Self { inverse, rows, cols, n, .. } = self;
        inverse.factor(rows.len(), *n + 1, |c, out| m.column_at(cols[c], rows, out))
    }

    /// dz −= V r, with r the entries of `w` in R: one step of refinement.
    pub(crate) fn correct(&mut self, w: &[f64], dz: &mut [f64]) {
        self.a.clear();
        self.a.extend(self.rows.iter().map(|&i| w[i]));
        self.correct_rows(dz);
    }

    /// dz −= V a
    fn correct_rows(&mut self, dz: &mut [f64]) {
        for (c, z) in dz.iter_mut().enumerate() {
            *z -= dot(self.inverse.row(c), &self.a);
        }
    }

    /// q′ for any right-hand side.
    pub(crate) fn solve(&mut self, m: &impl Columns, q: &[f64], out: &mut Values) -> f64 {
        out.z.clear();
        out.z.resize(self.cols.len(), 0.0);
        self.correct(q, &mut out.z);
        self.finish(m, Load::Vector(q), out)
    }

    /// The column of a driving variable.
    pub(crate) fn drive(&mut self, m: &impl Columns, entering: Variable, out: &mut Values) -> f64 {
        out.z.clear();
        if let Some(j) = self.column_of(entering) {
            out.z.resize(self.cols.len(), 0.0);
            m.column_at(j, &self.rows, &mut self.a);
            self.correct_rows(&mut out.z);
            self.finish(m, Load::Column(j), out)
        } else {
            let i = self.row_of(entering);
            let p = self.row_at[i];
            out.z.extend((0..self.cols.len()).map(|c| self.inverse.at(c, p)));
            self.finish(m, Load::Unit(i), out)
        }
    }

    /// w = load + M̄_C z over all rows; refines while the part in R says it helps. Answers the relative
    /// residual that is left. A driving column may keep 1e-13, far below the bands of any ratio test; q′ is
    /// taken to the rounding of sums of k products of size one.
    fn finish(&mut self, m: &impl Columns, load: Load<'_>, out: &mut Values) -> f64 {
        let mut last = f64::INFINITY;
        // one step is the rule; a second one only where the first left something
        for round in 0..3 {
            out.w.clear();
            out.w.resize(self.n, 0.0);
            match load {
                Load::Vector(q) => out.w.copy_from_slice(q),
                Load::Unit(i) => out.w[i] = -1.0,
                Load::Column(j) => {
                    self.cols.push(j);
                    out.z.push(1.0);
                }
            }
            m.add(&self.cols, &out.z, &mut out.w);
            if let Load::Column(_) = load {
                self.cols.pop();
                out.z.pop();
            }
            let size = max_abs(&out.z).max(1.0);
            let residual = self.rows.iter().fold(0.0, |s: f64, &i| s.max(out.w[i].abs())) / size;
            let enough = match load {
                Load::Vector(_) => tolerances::SUM_ROUNDING * (4.0 + self.rows.len() as f64).sqrt(),
                Load::Column(_) | Load::Unit(_) => tolerances::DRIVING,
            };
            if residual <= enough || residual > 0.5 * last || round == 2 {
                return residual;
            }
            last = residual;
            let Values { w, z } = out;
            self.correct(w, z);
        }
        last
    }

    /// Whether enough exchanges have gone by, or enough was left of the last solve, to compute V afresh.
    pub(crate) fn is_stale(&self, residual: f64) -> bool {
        self.updates > 100 + self.rows.len() || (self.updates > 0 && residual > tolerances::STALE)
    }

    /// Whether the pivot that V gives agrees with the one in `column`, which was refined against M. Where it
    /// does not, V is stale and should be computed afresh.
    pub(crate) fn check_exchange(
        &mut self,
        m: &impl Columns,
        entering: Variable,
        leaving: Variable,
        column: &Values,
    ) -> bool {
        if self.updates == 0 {
            return true;
        }
        let (pivot, other) = match (self.column_of(entering), self.column_of(leaving)) {
            (Some(j), None) => {
                let i = self.row_of(leaving);
                self.left_row(m, i);
                // d − (bᵀ V) a
                m.column_at(j, &self.rows, &mut self.a);
                let part = dot(&self.y, &self.a);
                m.column_at(j, &[i], &mut self.a);
                (column.w[i], self.a[0] - part)
            }
            (None, None) => {
                let (i, p) = (self.row_of(leaving), self.row_at[self.row_of(entering)]);
                self.left_row(m, i);
                (column.w[i], self.y[p])
            }
            (None, Some(l)) => {
                let (s, p) = (self.col_at[l], self.row_at[self.row_of(entering)]);
                (column.z[s], self.inverse.at(s, p))
            }
            (Some(_), Some(_)) => return true,
        };
        (pivot - other).abs() <= tolerances::PIVOTS_AGREE * pivot.abs()
    }

    /// Exchanges a non-basic for a basic variable. `column` is what [`Basis::drive`] gave for `entering`.
    pub(crate) fn exchange(
        &mut self,
        m: &impl Columns,
        entering: Variable,
        leaving: Variable,
        column: &Values,
    ) {
        match (self.column_of(entering), self.column_of(leaving)) {
            (Some(j), None) => {
                let i = self.row_of(leaving);
                self.left_row(m, i);
                self.inverse.grow(&column.z, &self.y, column.w[i], self.n + 1);
                self.push(i, j);
            }
            (Some(j), Some(l)) => {
                let s = self.col_at[l];
                self.inverse.replace_col(s, &column.z);
                self.swap_col(s, j);
            }
            (None, None) => {
                let (i, p) = (self.row_of(leaving), self.row_at[self.row_of(entering)]);
                self.left_row(m, i);
                self.inverse.replace_row(p, &self.y);
                self.swap_row(p, i);
            }
            (None, Some(l)) => {
                let (s, p) = (self.col_at[l], self.row_at[self.row_of(entering)]);
                self.inverse.shrink(s, p);
                self.remove(s, p);
            }
        }
        self.updates = self.updates.saturating_add(1);
        self.y_row = NONE;
    }

    /// y = bᵀ V with b the entries of row i in C.
    fn left_row(&mut self, m: &impl Columns, i: usize) {
        let k = self.rows.len();
        if self.y_row == i && self.y.len() == k {
            return;
        }
        self.y_row = i;
        m.row_at(i, &self.cols, &mut self.b);
        self.inverse.left(&self.b, &mut self.y);
    }
}

#[cfg(test)]
mod tests;
