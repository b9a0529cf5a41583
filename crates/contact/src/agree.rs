//! An answer under the whole law of moments, foretold by Newton's method from one under bounds of its own.
//!
//! An answer under bounds γ N obeys every law but that N is not n. From there the law of its rows as they are, with the
//! moments bound by n itself, is solved:
//! ```text
//!     Δu = W Δx
//!     pressing, limits, bounded rows, z = x - r (u - u*):
//!         lo < z < hi                       u = u*                 u* is what u is where the row rests, else 0
//!         else                              x = the bound
//!     friction and rolling, c = μ or ρ, z = x_t - r u_t:
//!         ‖z‖ < c n                         u_t = u*
//!         else                              x_t = c n z/‖z‖
//!     torsion                               likewise, with one row
//! ```
//! r is what makes r ‖u_t‖ as large as the bound, between the mass of the row and some times it: feet of equal legs that turn in
//! step roll at a ten-thousandth of the body's speed, and only a large r sees which way. Where many more rows rest than there are
//! dofs, a large r takes rounding for turning; so there are two tries ([`TRIES`]). Of all that they pass the best is foretold, by
//! ```text
//!     off = max over rows of min over modes of the change of u, and of W_ii times that of x, after which the law holds
//! ```
//!
//! Where rows are many, contacts and limits that are open stay so. Nothing here is an answer: the verdict has the word on the impulses foretold, and where it does
//! not agree the solver has, under the bounds foretold. Where rows are redundant only the impulses themselves are worth
//! judging: every solve under the same bounds may share them out in another way, with other n.

mod dense;

use std::ops::Range;

use gudgeon_lcp::FactoredRow;

use self::dense::{LANES, act, eliminate, gram};

/// Rows up to which a dense elimination costs less than the rounds it saves.
pub(crate) const MOST_ROWS: usize = 120;

/// Newton's steps: directions turn little from one to the next, a few modes change. Where whole steps go to and fro between modes
/// those from [`SHORT`] on go [`SHORTER`] of the way, until [`WHOLE`].
const STEPS: usize = 32;
const SHORT: usize = 10;
const WHOLE: usize = 20;
const SHORTER: f64 = 0.5;

/// The same in haste: fewer, hardly any of the first try, and the shorter ones sooner.
const HASTY_STEPS: [usize; 2] = [4, 18];
const HASTY: [Range<usize>; 2] = [4..7, 10..15];

/// Part of the largest velocity that an impulse makes in its own row by which a row may be off its law: rounding.
const STILL: f64 = 1e-14;

/// Part of the largest velocity from which one more step of Newton's leads to rounding, and what is then taken for it.
const NEAR: f64 = 1e-10;
const CLOSE: f64 = 1e-12;

/// How often r may be the mass of its row, and the part of a row's own W that is added to it: redundant rows share a change evenly, and
/// W has an inverse. The larger r wants the larger part.
const TRIES: [(f64, f64); 2] = [(1e6, 1e-10), (1e2, 1e-12)];

/// Nearer to a bound than this part of it is at the bound; what a solved row may be off its bound is far below.
pub(crate) const AT_BOUND: f64 = 1e-6;

/// What a row that pushes does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Does {
    /// Keeps the velocity it has, with an impulse within bounds.
    Within { lo: f64, hi: f64 },
    /// The first of `rows` rows within a disc of radius `coefficient` times the normal impulse of a contact, whose
    /// active row is `normal`, none if it is open.
    Rubs { rows: usize, normal: Option<usize>, coefficient: f64 },
    /// The second row of a disc.
    Follows,
}

/// How Newton's steps ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Every row obeys its law, to rounding.
    Agreed,
    /// With a best try.
    Somewhere,
    /// Without one.
    Nowhere,
}

/// The rows that push and the memory of their elimination.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agreement {
    does: Vec<Does>,
    x: Vec<f64>,
    u: Vec<f64>,
    target: Vec<f64>,     // of u where it is held
    columns: Vec<f64>,    // dense rows, by dof
    rows: Vec<f64>,       // dense, `width` each
    compliance: Vec<f64>, //
    w: Vec<f64>,          // W
    matrix: Vec<f64>,     // Newton's, eliminated in place, `stride` numbers a row
    stride: usize,        // a multiple of LANES
    turned: Vec<f64>,     // what a step adds to u
    step: Vec<f64>,
    best: Vec<f64>,         // x that is least off
    start: [Vec<f64>; 2],   // x and u
    heaviest: f64,          // r at most, in masses of the row
    give: f64,              // part of W_ii
    at: Vec<Option<usize>>, // by contact: the active row of its normal
    y: Vec<f64>,            // Aᵀ x of all rows
    place: Vec<usize>,      // of a row among all impulses
    width: usize,
}

impl Agreement {
    /// Forgets all rows.
    pub(crate) fn clear(&mut self, width: usize) {
        self.width = width;
        for list in [&mut self.x, &mut self.u, &mut self.target, &mut self.rows, &mut self.compliance] {
            list.clear();
        }
        self.does.clear();
        self.place.clear();
        self.at.clear();
        self.y.clear();
        self.y.resize(width, 0.0);
    }

    /// A row whose impulse is `x`, at `place` among all; what `rests` keeps its velocity wherever it is held.
    pub(crate) fn push(&mut self, row: &FactoredRow<'_>, (place, x): (usize, f64), does: Does, rests: bool) {
        self.place.push(place);
        let first = self.rows.len();
        self.rows.resize(first + self.width, 0.0);
        let mut u = row.velocity + row.compliance * x;
        for (&dof, a) in row.index.iter().zip(row.value) {
            self.rows[first + dof] = *a;
            u += a * self.y[dof];
        }
        self.u.push(u);
        self.target.push(if rests { u } else { 0.0 });
        self.x.push(x);
        self.compliance.push(row.compliance);
        self.does.push(does);
    }

    /// Adds the motion that an impulse of some row makes; before any row is pushed.
    pub(crate) fn act(&mut self, row: &FactoredRow<'_>, x: f64) {
        row.index.iter().zip(row.value).for_each(|(&dof, a)| self.y[dof] += a * x);
    }

    /// The next row as the normal of the next contact; or that contact is open.
    pub(crate) fn contact(&mut self, pushes: bool) -> Option<usize> {
        self.at.push(pushes.then_some(self.x.len()));
        self.normal(self.at.len() - 1)
    }

    /// The row of a contact's normal, if it pushes.
    pub(crate) fn normal(&self, contact: usize) -> Option<usize> {
        self.at[contact]
    }

    /// Puts the impulses foretold in their places among all.
    pub(crate) fn put(&self, impulses: &mut [f64]) {
        self.place.iter().zip(&self.best).for_each(|(&place, x)| impulses[place] = *x);
    }

    /// Newton's steps until every row obeys its law, the best of them; [`Ends::Nowhere`] where rows are many. In haste the first step
    /// after one that is off by [`NEAR`] of the largest velocity at most is the last: the method is quadratic, and what is left is rounding.
    pub(crate) fn solve(&mut self, haste: bool) -> Ends {
        if self.x.len() > MOST_ROWS {
            return Ends::Nowhere;
        }
        self.delassus();
        self.start[0].clone_from(&self.x);
        self.start[1].clone_from(&self.u);
        let mut least = f64::INFINITY;
        for ((heaviest, give), hasty) in TRIES.into_iter().zip(HASTY_STEPS) {
            (self.heaviest, self.give) = (heaviest, give);
            self.x.clone_from(&self.start[0]);
            self.u.clone_from(&self.start[1]);
            let mut near = false;
            for round in 0..if haste { hasty } else { STEPS } {
                let short = if haste {
                    HASTY.iter().any(|s| s.contains(&round))
                } else {
                    (SHORT..WHOLE).contains(&round)
                };
                let share = if short { SHORTER } else { 1.0 };
                if !self.step(share) {
                    break;
                }
                let (off, size) = self.off();
                if off < least {
                    least = off;
                    self.best.clone_from(&self.x);
                }
                if off <= STILL * size || near && least <= CLOSE * size {
                    return Ends::Agreed;
                }
                near = haste && off <= NEAR * size;
            }
        }
        if least < f64::INFINITY { Ends::Somewhere } else { Ends::Nowhere }
    }

    /// How far a row is off its law at most, in velocity, and the largest velocity that an impulse makes in its own row.
    fn off(&self) -> (f64, f64) {
        let n = self.x.len();
        let own = |i: usize| self.w[i * n + i];
        let (mut off, mut size) = (0.0_f64, 0.0_f64);
        for i in 0..n {
            size = size.max(own(i) * self.x[i].abs());
            let row = match self.does[i] {
                Does::Within { lo, hi } => {
                    let (x, u) = (self.x[i], self.u[i] - self.target[i]);
                    let free = u.abs().max(own(i) * (lo - x).max(x - hi).max(0.0));
                    let lower = (-u).max(0.0).max(own(i) * (x - lo).abs());
                    free.min(lower).min(u.max(0.0).max(own(i) * (hi - x).abs()))
                }
                Does::Rubs { rows, normal, coefficient } => {
                    let both = |v: &[f64]| [v[i], if rows > 1 { v[i + 1] } else { 0.0 }];
                    let (x, u) = (both(&self.x), both(&self.u));
                    let rest = both(&self.target);
                    let radius = coefficient * normal.map_or(0.0, |k| self.x[k].max(0.0));
                    let (force, speed) = (x[0].hypot(x[1]), u[0].hypot(u[1]));
                    let w = own(i).max(own(i + rows - 1));
                    let slow = (u[0] - rest[0]).hypot(u[1] - rest[1]);
                    let stick = slow.max(w * (force - radius).max(0.0));
                    let arc = if force > 0.0 && speed > 0.0 {
                        (u[0] / speed + x[0] / force).hypot(u[1] / speed + x[1] / force)
                    } else {
                        0.0
                    };
                    stick.min((w * (force - radius).abs()).max(arc * speed.min(w * force)))
                }
                Does::Follows => 0.0,
            };
            off = off.max(row);
        }
        (off, size)
    }

    fn delassus(&mut self) {
        let (n, width) = (self.x.len(), self.width);
        self.columns.clear();
        self.columns.resize(n * width, 0.0);
        for (i, row) in self.rows.chunks_exact(width.max(1)).enumerate() {
            row.iter()
                .enumerate()
                .filter(|(_, a)| **a != 0.0)
                .for_each(|(d, a)| self.columns[d * n + i] = *a);
        }
        self.w.clear();
        self.w.resize(n * n, 0.0);
        gram(&self.columns, n, &mut self.w);
        for i in 0..n {
            self.w[i * n + i] += self.compliance[i];
        }
    }

    /// One step, or a share of it; false if there is no way on.
    fn step(&mut self, share: f64) -> bool {
        let n = self.x.len();
        self.stride = n.next_multiple_of(LANES);
        self.matrix.clear();
        self.matrix.resize(n * self.stride, 0.0);
        self.step.clear();
        self.step.resize(n, 0.0);
        for i in 0..n {
            match self.does[i] {
                Does::Within { lo, hi } => self.keep(i, lo, hi),
                Does::Rubs { rows, normal, coefficient } => self.rub(i, rows, normal, coefficient),
                Does::Follows => {}
            }
        }
        if !eliminate(&mut self.matrix, self.stride, &mut self.step)
            || self.step.iter().any(|x| !x.is_finite())
        {
            return false;
        }
        self.step.iter_mut().for_each(|x| *x *= share);
        self.turned.clear();
        self.turned.resize(n, 0.0);
        act(&self.w, &self.step, &mut self.turned);
        for i in 0..n {
            self.x[i] += self.step[i];
            self.u[i] += self.turned[i];
        }
        true
    }

    /// x at a bound, or u_i = its target where z is between them.
    fn keep(&mut self, i: usize, lo: f64, hi: f64) {
        let w = self.w[i * self.x.len() + i];
        let z = self.x[i] - if w > 0.0 { (self.u[i] - self.target[i]) / w } else { 0.0 };
        if lo < z && z < hi {
            self.hold(i);
        } else {
            self.take(i, z.clamp(lo, hi));
        }
    }

    /// x_i = a value.
    fn take(&mut self, i: usize, value: f64) {
        self.matrix[i * self.stride + i] = 1.0;
        self.step[i] = value - self.x[i];
    }

    /// u_i = its target.
    fn hold(&mut self, i: usize) {
        let n = self.x.len();
        let Self { matrix, w, step, target, u, stride, .. } = self;
        let row = &mut matrix[i * *stride..][..n];
        row.copy_from_slice(&w[i * n..][..n]);
        row[i] *= 1.0 + self.give;
        step[i] = target[i] - u[i];
    }

    /// x = c n z/‖z‖ of one or two rows from `i` on, or u = 0 where ‖z‖ ≤ c n; z = x - r u.
    fn rub(&mut self, i: usize, rows: usize, normal: Option<usize>, coefficient: f64) {
        let n = self.x.len();
        let pressed = normal.map_or(0.0, |k| self.x[k].max(0.0));
        let radius = coefficient * pressed;
        let mass = (i..i + rows).map(|k| self.w[k * n + k]).fold(0.0_f64, f64::max);
        let light = if mass > 0.0 { 1.0 / mass } else { 1.0 };
        let speed = self.u[i].hypot(if rows > 1 { self.u[i + 1] } else { 0.0 });
        let r = if speed > 0.0 { (radius / speed).clamp(light, self.heaviest * light) } else { light };
        let z = [0, 1].map(|k| if k < rows { self.x[i + k] - r * self.u[i + k] } else { 0.0 });
        let size = z[0].hypot(z[1]);
        if size < radius {
            (i..i + rows).for_each(|k| self.hold(k));
            return;
        }
        let way = if size > 0.0 { z.map(|z| z / size) } else { [0.0; 2] };
        // how the way turns with z: nothing where there is one row
        let turn = |a: usize, b: usize| {
            let one = if a == b { 1.0 } else { 0.0 };
            if rows == 1 || size == 0.0 { 0.0 } else { radius / size * (one - way[a] * way[b]) }
        };
        for a in 0..rows {
            let row = &mut self.matrix[(i + a) * self.stride..][..n];
            row[i + a] += 1.0;
            if let Some(k) = normal {
                row[k] -= coefficient * way[a];
            }
            for b in 0..rows {
                let t = turn(a, b);
                if t != 0.0 {
                    row[i + b] -= t;
                    let part = t * r;
                    row.iter_mut().zip(&self.w[(i + b) * n..][..n]).for_each(|(m, w)| *m += part * w);
                }
            }
            self.step[i + a] = radius * way[a] - self.x[i + a];
        }
    }
}
