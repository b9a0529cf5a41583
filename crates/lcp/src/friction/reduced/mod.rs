//! Lloyd's reduced basis: every basic λ, and one basic φ with it, eliminated by hand [Lloyd, §5.1, App. A].
//!
//! For a set of basic variables, rows R hold the non-basic w and columns C the basic z. The block M̄[R, C] of
//! [Lloyd (23), (35)] is solved without being formed. Of the basic φ of a contact whose λ is basic, one is φ_x
//! (there is one, [Lloyd, App. C]) and the others, at most one more, are φ_κ:
//!
//! ```text
//!     N* = N_α + D_x mu        D* = D_κ − D_x Eᵀ        c* = D_x c_γ        b* = D_x b_γ        (28), (39)
//!
//!     ⎛ N_αᵀN*   N_αᵀD*   c_ν + N_αᵀc* ⎞ ⎛ θ_α ⎞   ⎛ b_ν           ⎞   ⎛ N_αᵀ ⎞
//!     ⎜ D*ᵀN*    D*ᵀD*    c′_κ + D*ᵀc* ⎟ ⎜ φ_κ ⎟ = ⎜ b_κ − E b_x   ⎟ + ⎜ D*ᵀ  ⎟ b*                 (31)
//!     ⎝           the row of w_r       ⎠ ⎝ z₀  ⎠   ⎝ b_r           ⎠   ⎝  ⋯   ⎠         (42), (44), (47)
//!
//!     w_r = ν:   n_rᵀN*      n_rᵀD*     c_r + n_rᵀc*                                                (42)
//!     w_r = σ:   d*ᵀN*       d*ᵀD*      c′_r + d*ᵀc*,   d* = d_r − D_x e_rᵀ                   (44), (45)
//!     w_r = γ:   mu_r        −e_κr      c_r                                                         (47)
//!
//!     φ_x = mu θ − Eᵀφ_κ + c_γ z₀ − b_γ                                                       (27), (38)
//!     v_c = N_α θ_α + D_α φ_α                                                                 (29), (40)
//!     λ   = −D_xᵀ v_c + b_x − c_x z₀                                                          (30), (41)
//!     ν   = N_β̃ᵀ v_c + c z₀,   σ = D_β̃ᵀ v_c + E λ + c z₀,   γ = mu θ − Eᵀφ + c z₀              (33), (36)
//! ```
//!
//! *Updates.* The matrix of (31) is the Schur complement of the eliminated rows and columns in M̄[R, C], so its
//! inverse is a block of the inverse of M̄[R, C], and an exchange changes it by the same one rank
//! ([`crate::inverse`]), r² products. Unknowns join and leave the eliminated ones by rows and columns that come and
//! go: leaving V costs nothing, coming back two solves and two products from the left. V is computed afresh where a
//! pivot is small against its column (growth), where a solve leaves a residual in the rows of the problem (error), and
//! after r + 100 exchanges.
//!
//! | paper            | here                      | shape                                              |
//! |------------------|---------------------------|----------------------------------------------------|
//! | α, β̃             | `side`                    | unknowns: which of a pair is basic                 |
//! | z_α without z₀   | `active`                  | basic unknowns                                     |
//! | λ_α, φ_x         | `heads`, `x_of`           | basic λ with the φ that goes with it               |
//! | θ_α, φ_κ, z₀     | `cols`                    | r ≤ degrees of freedom; + 1 for z₀, + 1 if w_r is a γ |
//! | N_αᵀ, D*ᵀ, w_r   | `rows`                    | the same                                           |
//! | inverse of (31)  | `inverse`                 | r × r                                              |
//! | −b               | `load`                    | unknowns: q, a column of M, or a unit vector       |
//! | v_c              | `y`                       | degrees of freedom (scalar rows in local form)     |
//! | w_r              | the pair with [`Basic::Neither`] |                                              |
//!
//! Departures. Vectors are multiples of scalar rows (n, t1, t2 of a contact), so the local form, with a W that may
//! be unsymmetric, runs through the same lines: aᵀb is read as the velocity that b gives to a. A bounded row is a
//! group with a single direction and γ = room − z in the place of mu θ − Σφ: its z is the φ_x of its cap. Free rows
//! are θ without a sign. A λ without a basic φ, which only degenerate bases have, stays in the reduced system. The
//! sign of b is turned, because every b of [Lloyd (19)-(21)] is minus a load.

mod exchange;
mod parts;
mod solve;
#[cfg(test)]
mod tests;

use parts::{Column, Row, head};

use super::system::System;
use crate::inverse::Inverse;
use crate::observer::Variable;

const NONE: usize = usize::MAX;

/// A pivot below this part of its column is not trusted to an update: V would lose as many digits.
const GROWTH: f64 = 1e-7;
/// What a solve may leave in the rows before V is computed afresh, in units of the largest unknown: far below the
/// bands of any ratio test, far above the rounding of r products.
const STALE: f64 = 1e-12;

/// Which variable of a pair is basic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basic {
    /// The pair is not in the problem.
    Absent,
    W,
    Z,
    /// The pair of w_r in an almost complementary basis.
    Neither,
}

/// What a solve answers to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Load<'a> {
    /// q, or any other vector over the rows.
    Vector(&'a [f64]),
    /// The column of an unknown.
    Column(usize),
    /// A multiple of the unit vector of a row.
    Unit(usize, f64),
}

/// Memory of a group that is taken apart.
#[derive(Debug, Clone, Default)]
struct Apart {
    row_x: Vec<f64>,
    row_head: Vec<f64>,
    col_x: Vec<f64>,
    col_head: Vec<f64>,
    corner: Vec<f64>,
}

/// The basis, its reduced inverse, and the last solve. Every answer is a vector over the pairs, z₀ last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Basis {
    n: usize,
    side: Vec<Basic>, // n
    z0: bool,
    active: Vec<usize>,
    heads: Vec<usize>, // grouped λ and caps
    x_of: Vec<usize>,  // n: φ_x of a grouped λ
    cols: Vec<Column>,
    rows: Vec<Row>,
    col_at: Vec<usize>, // n + 1: place in cols, or NONE
    row_at: Vec<usize>, // n: place in rows, or NONE
    inverse: Inverse,   // by (col, row)
    updates: usize,     // exchanges since it was computed afresh
    c_star: Vec<f64>,
    c_star_is_right: bool,
    t: Vec<f64>,
    correction: Vec<f64>,
    line: Vec<f64>,
    left: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>, // n + 1, zero where not basic
    load: Vec<f64>,
    apart: Apart,
    /// The largest reduced system so far, without z₀.
    pub(crate) largest: usize,
}

impl Basis {
    /// The basis of all w that are in the problem.
    pub(crate) fn reset(&mut self, system: &System) {
        self.n = system.unknowns();
        let refill = |v: &mut Vec<f64>, n: usize| {
            v.clear();
            v.resize(n, 0.0);
        };
        self.side.clear();
        self.side.extend((0..self.n).map(|i| if system.present(i) { Basic::W } else { Basic::Absent }));
        for (v, n) in [(&mut self.x_of, self.n), (&mut self.row_at, self.n), (&mut self.col_at, self.n + 1)] {
            v.clear();
            v.resize(n, NONE);
        }
        self.z0 = false;
        self.active.clear();
        self.heads.clear();
        self.cols.clear();
        self.rows.clear();
        self.inverse.clear();
        self.updates = 0;
        self.c_star_is_right = false;
        refill(&mut self.z, self.n + 1);
        refill(&mut self.load, self.n);
        refill(&mut self.y, system.width());
        refill(&mut self.c_star, system.width());
        self.largest = 0;
    }

    #[inline]
    pub(crate) fn side(&self, i: usize) -> Basic {
        self.side[i]
    }

    /// Whether w of this row is basic.
    #[inline]
    pub(crate) fn w_is_basic(&self, i: usize) -> bool {
        self.side[i] == Basic::W
    }

    /// Whether z₀ is basic.
    pub(crate) fn has_z0(&self) -> bool {
        self.z0
    }

    /// The basic unknowns, without z₀, in the order in which they came.
    pub(crate) fn active(&self) -> &[usize] {
        &self.active
    }

    /// The friction of a contact comes into the problem: its w become basic, with
    /// q′_δ = q_δ + M_δ q′_α in `now`                                                                (58).
    pub(crate) fn grow(&mut self, system: &System, contact: usize, load: &[f64], now: &mut [f64]) {
        let first = system.theta(contact) + 1;
        let rows = first..first + system.d + 1;
        self.side[rows.clone()].fill(Basic::W);
        let mut out = std::mem::take(&mut self.line);
        out.clear();
        out.resize(system.d + 1, 0.0);
        let z0 = self.z0.then(|| (self.n, now[self.n]));
        let cols = self.active.iter().map(|&j| (j, now[j])).chain(z0);
        system.friction_rows(contact, cols, load, &mut out);
        now[rows].copy_from_slice(&out);
        self.line = out;
    }

    /// A row is left out for good; [`Basis::factor`] must follow if it was active.
    pub(crate) fn leave_out(&mut self, i: usize) {
        self.active.retain(|&j| j != i);
        self.z[i] = 0.0;
        self.side[i] = Basic::Absent;
    }

    /// An unknown becomes basic in the place of its own w; [`Basis::factor`] must follow.
    pub(crate) fn install(&mut self, j: usize) {
        self.side[j] = Basic::Z;
        self.active.push(j);
    }

    /// The covering vector has changed in rows whose w is basic and stays so.
    pub(crate) fn cover_changed(&mut self) {
        self.c_star_is_right = false;
    }

    /// Exchanges two variables without arithmetic; [`Basis::factor`] must follow.
    pub(crate) fn swap(&mut self, entering: Variable, leaving: Variable) {
        match entering {
            Variable::Z(j) => self.install(j),
            Variable::W(i) => self.side[i] = Basic::W,
            Variable::Z0 => self.z0 = true,
        }
        match leaving {
            Variable::Z(j) => {
                let at = self.active.iter().position(|&i| i == j).expect("what leaves was basic");
                self.active.remove(at);
                self.z[j] = 0.0;
                self.side[j] = Basic::Neither;
            }
            Variable::W(i) => self.side[i] = Basic::Neither,
            Variable::Z0 => {
                self.z0 = false;
                self.z[self.n] = 0.0;
            }
        }
    }

    /// Forms the groups, the rows and the columns, and computes V afresh. False if the basis is singular.
    pub(crate) fn factor(&mut self, system: &System) -> bool {
        for c in self.cols.drain(..) {
            self.col_at[c.unknown] = NONE;
        }
        for r in self.rows.drain(..) {
            self.row_at[r.unknown] = NONE;
        }
        for head in self.heads.drain(..) {
            if self.side[head] != Basic::Z {
                self.x_of[head] = NONE;
            }
        }
        for at in 0..self.active.len() {
            let j = self.active[at];
            if head(system, j) == Some(j) {
                self.x_of[j] = self.partner(system, j).unwrap_or(NONE);
                if self.x_of[j] != NONE {
                    self.heads.push(j);
                }
            }
        }
        self.c_star_is_right = false;
        for j in 0..self.n {
            if self.side[j] != Basic::Z {
                continue;
            }
            let grouped =
                head(system, j).is_some_and(|h| self.x_of[h] != NONE && (h == j || self.x_of[h] == j));
            if !grouped {
                self.push_col(self.column_of(system, j));
                self.push_row(self.row_of(system, j));
            }
        }
        if self.z0 {
            self.push_col(Column { unknown: self.n, parts: parts::Parts::default() });
            if let Some(missing) = self.side.iter().position(|&s| s == Basic::Neither) {
                self.push_row(self.row_of(system, missing));
            }
        }
        self.updates = 0;
        self.note_size();
        let k = self.rows.len();
        if k != self.cols.len() {
            return false;
        }
        let mut inverse = std::mem::take(&mut self.inverse);
        let limit = self.limit();
        let regular = inverse.factor(k, limit, |c, out| {
            let column = self.cols[c];
            self.column_entries(system, &column, out);
        });
        self.inverse = inverse;
        regular
    }

    /// The most that the inverse can have: a group that is taken apart stands in it for a moment.
    fn limit(&self) -> usize {
        self.n + 1
    }

    fn note_size(&mut self) {
        self.largest = self.largest.max(self.cols.len() - usize::from(self.z0));
    }

    fn push_col(&mut self, column: Column) {
        self.col_at[column.unknown] = self.cols.len();
        self.cols.push(column);
    }

    fn push_row(&mut self, row: Row) {
        self.row_at[row.unknown] = self.rows.len();
        self.rows.push(row);
    }

    fn remove_col(&mut self, unknown: usize) {
        let at = std::mem::replace(&mut self.col_at[unknown], NONE);
        self.cols.swap_remove(at);
        if let Some(moved) = self.cols.get(at) {
            self.col_at[moved.unknown] = at;
        }
    }

    fn remove_row(&mut self, unknown: usize) {
        let at = std::mem::replace(&mut self.row_at[unknown], NONE);
        self.rows.swap_remove(at);
        if let Some(moved) = self.rows.get(at) {
            self.row_at[moved.unknown] = at;
        }
    }

    /// Whether V should be computed afresh after a solve that left this residual.
    pub(crate) fn is_stale(&self, residual: f64) -> bool {
        self.updates > 0 && (residual > STALE || residual.is_nan())
    }
}
