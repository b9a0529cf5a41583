//! Few rows: the Delassus matrix itself, swept and then solved.
//!
//! A walking robot has a handful of contacts, and modes that change at every step. For as few rows as that nothing is
//! cheaper than W = A Aᵀ written out: a sweep of Gauss and Seidel over it costs less than a hundredth of a factor of
//! the size of the degrees of freedom, and leads into the cones near the answer; Newton's method on the equations of the
//! modes finishes: a few whole steps from the modes that the sweeps left, and where they lead away, steps that are held
//! inside the cones by a ratio test as pivoting methods are. Without that test two contacts of one foot fight along the
//! line that joins them with a thousand times their weight, and modes go round in circles.
//!
//! ```text
//!     sweep    r_i ← the answer of contact i alone, the others held        open, stick, or slip at the angle θ with
//!              g(θ) = u_tᵀ e⊥ = 0,  r_n = −b_n / (W_nn + mu W_ntᵀ e),  r_t = mu r_n e,  u = b + W_ii r
//!     step     (R W C + ε + c) α = −R u,   r ← r + s C α                   columns, rows and c as in the parent's table;
//!     repeat   the same by the last factor, u new                          while modes stay and it gains enough
//!     leap     s = 1, modes those of r − u / W_ii before each step
//!     climb    s ≤ 1 where the first contact meets its cone, or lifts; it takes the mode of the bound
//! ```
//!
//! | symbol | meaning                                                                    |
//! |--------|----------------------------------------------------------------------------|
//! | W      | Delassus matrix of all scalar rows, by rows                                |
//! | b      | velocity of a contact if it had no impulse                                 |
//! | e, e⊥  | direction of a contact's friction, and across it                           |
//! | ε      | the parent's shift: what is not determined stays; the error in damped steps |
//!
//! The caller measures the answer, on the rows of the problem, not on W.

mod climb;
mod step;
mod sweep;

use super::Settle;
use crate::friction::system::System;
use crate::kernel::{dot, gram};
use crate::problem::ContactMode;

/// The most scalar rows with which this is the first way, 32 contacts, unless there are more contacts than half the degrees of freedom: W is
/// then singular enough for what the parent does to be cheaper, and loads are better shared evenly, as it does. Rows of joints (friction,
/// limits, motors) share nothing and are not counted.
const FEW: usize = 96;
/// The most scalar rows with which this is a way at all: a step takes their third power.
const MANY: usize = 1200;
/// Room is made for a multiple of this many rows, so that a contact more does not allocate.
const ROOM: usize = 48;
/// Sweeps before each try, and the steps of Newton's method in it: first the modes as they are remembered, then on from
/// where the last try ended, and once more from the start with a step more for each contact.
/// The middle two are damped: whether damped steps or whole ones end in an answer differs from problem to problem.
const TRIES: [(usize, usize, bool); 5] =
    [(0, 6, false), (4, 16, true), (16, 24, true), (64, 40, false), (64, 40, false)];

/// W and the scratch memory of its solves.
#[derive(Debug, Clone, Default)]
pub(super) struct Few {
    w: Vec<f64>,       // rows × rows, by rows
    y: Vec<f64>,       // one row of R W; one column of W while it is written out
    columns: Vec<f64>, // the rows of the problem, by degree of freedom
    matrix: Vec<f64>,
    alpha: Vec<f64>,
    unknowns: Vec<step::Unknown>,
    scale: Vec<f64>,   // by unknown: what its equation was divided by
    swaps: Vec<usize>, // of the factor in `matrix`
    step: Vec<f64>,    // C α, by row
    met: Vec<bool>,    // contacts, then rows, that met a bound
    start: Vec<f64>,   // impulses as they were remembered
    freed: Vec<bool>,  // contacts that were let go last
    refused: Vec<u8>,  // how often a contact's change was undone at once
}

impl Few {
    /// Writes out W.
    fn load(&mut self, system: &System) {
        let (rows, width) = (system.q.len(), system.width());
        let room = rows.next_multiple_of(ROOM);
        for v in [&mut self.w, &mut self.columns, &mut self.matrix] {
            v.clear();
            v.reserve(room * room.max(width));
        }
        for v in [&mut self.alpha, &mut self.start, &mut self.step, &mut self.y, &mut self.scale] {
            v.clear();
            v.reserve(room);
        }
        self.unknowns.clear();
        self.unknowns.reserve(room);
        self.swaps.clear();
        self.swaps.reserve(room);
        for v in [&mut self.met, &mut self.freed] {
            v.clear();
            v.reserve(room);
        }
        self.refused.clear();
        self.refused.reserve(room);
        self.w.resize(rows * rows, 0.0);
        if system.is_factored() {
            // by degrees of freedom, so that W is a sum of outer products of their rows
            self.columns.clear();
            self.columns.resize(width * rows, 0.0);
            for k in 0..rows {
                for (at, values) in system.runs(k) {
                    for (j, v) in values.iter().enumerate() {
                        self.columns[(at + j) * rows + k] = *v;
                    }
                }
            }
            gram(&self.columns, rows, &mut self.w);
            return;
        }
        for k in 0..rows {
            self.y.clear();
            self.y.resize(width, 0.0);
            system.impel(k, 1.0, &mut self.y);
            for j in 0..rows {
                self.w[j * rows + k] = system.velocity(j, &self.y);
            }
        }
    }

    fn row(&self, k: usize, rows: usize) -> &[f64] {
        &self.w[k * rows..(k + 1) * rows]
    }
}

impl Settle {
    /// Whether the problem has so few rows that [`Settle::climb_few`] is the first way, or the second.
    pub(crate) fn is_few(&self, system: &System, first: bool) -> bool {
        let rows = system.q.len();
        let apart = 2 * system.n <= system.width();
        self.round && rows > 0 && if first { rows <= FEW && apart } else { rows <= MANY }
    }

    /// From the modes and impulses at hand to an answer; false, and everything as it was, if none is found.
    pub(crate) fn climb_few(&mut self, system: &System) -> bool {
        self.inside(system);
        system.scalar_velocities(&self.r, &mut self.u);
        self.residual = self.error(system);
        if self.is_repeated(self.residual) {
            return true;
        }
        self.few.load(system);
        self.few.start.clone_from(&self.r);
        self.keep_modes();
        for (k, (sweeps, steps, damped)) in TRIES.into_iter().enumerate() {
            let last = k + 1 == TRIES.len();
            if last {
                self.r.clone_from(&self.few.start);
                self.restore_modes();
            }
            if k > 0 {
                self.inside(system);
            }
            if self.clock.expired() {
                break;
            }
            if sweeps > 0 {
                self.sweep(system, sweeps);
            }
            if sweeps > 0 && self.leap(system) {
                return true;
            }
            let more = if last { system.n } else { 0 };
            if k > 0 {
                self.few_velocities(system);
            }
            if self.climb(system, steps, more, damped) {
                self.clip(system);
                return true;
            }
        }
        self.r.clone_from(&self.few.start);
        self.restore_modes();
        false
    }

    /// u = W r + q.
    fn few_velocities(&mut self, system: &System) {
        let rows = system.q.len();
        self.u.clear();
        self.u.extend((0..rows).map(|k| system.q[k] + dot(self.few.row(k, rows), &self.r)));
    }

    /// Impulses to their signs and cones; those of open contacts are none.
    fn inside(&mut self, system: &System) {
        if self.r.iter().any(|v| !v.is_finite()) {
            self.r.fill(0.0);
        }
        for i in 0..system.n {
            let at = 3 * i;
            let open = self.modes[i].mode == ContactMode::Open;
            let slides = self.modes[i].mode == ContactMode::Slip;
            let limit = if open { 0.0 } else { system.mu[i] * self.r[at].max(0.0) };
            let size = (self.r[at + 1] * self.r[at + 1] + self.r[at + 2] * self.r[at + 2]).sqrt();
            self.r[at] = if open { 0.0 } else { self.r[at].max(0.0) };
            if size > limit || (slides && size > 0.0) {
                self.r[at + 1] *= limit / size;
                self.r[at + 2] *= limit / size;
            }
        }
        self.clip(system);
    }
}

fn unit(t: [f64; 2]) -> Option<[f64; 2]> {
    let size = (t[0] * t[0] + t[1] * t[1]).sqrt();
    (size > 0.0).then(|| [t[0] / size, t[1] / size])
}
