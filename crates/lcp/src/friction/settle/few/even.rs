//! Loads that nothing determines, as an equal compliance shares them.
//!
//! Where contacts slide, the split of a load may turn the motion, and the law leaves the split open: a peg in its hole, a table that
//! slides on some of its legs. A warm start would choose, and a step would no longer be a function of its state. The rule that has no
//! history is that of bodies that all yield alike by very little, the same at every contact, in the limit:
//!
//! ```text
//!     share    S α = −R u,   Vᵀ D (r + α) = 0, Vᵀ S = 0     the limit ε → 0 in the modes at hand, see the parent's `share`
//!     stay     S α' = −D r,  Vᵀ D α' = 0                    u + ε W C α' ≥ 0 where something is open: these are the modes of the limit
//!     soften   u = (W + ε D) r + q, climbed                 if not: the modes that bodies of that compliance have; then `share`
//! ```
//!
//! | symbol | meaning                                                              |
//! |--------|----------------------------------------------------------------------|
//! | S      | R W C + c, the equations of the modes                                |
//! | D      | one for the loads of contacts and one-sided rows, else nothing       |
//! | ε      | [`COMPLIANCE`], of rows of size one                                  |
//!
//! The answer is one of the rigid law: compliance decides which.

use super::step::Unknown;
use super::{Few, MANY_SHARED, Mode};
use crate::friction::settle::share::LANES;
use crate::friction::settle::{Settle, band};
use crate::friction::system::System;
use crate::kernel::{axpy, dot, max_abs};
use crate::outcome::Side;

/// The compliance whose modes are taken, of rows of size one: the smaller, the nearer they are to those of the limit; loads have as many digits as it
/// is above the rounding of residuals.
const COMPLIANCE: f64 = 1e-6;
/// What opens slower than this touches, of the largest velocity of a row: a hundred times what bodies that yield sink by.
const TOUCHES: f64 = 1e2 * COMPLIANCE;
/// A pivot of equations of size one, shifted by 1e-9, below which they may be dependent.
const DEPENDENT: f64 = 1e-6;
/// The same without a shift, by complete pivoting: what creeps is determined by c of 1e-9 and more, the speed of its slip over its friction.
const LEAST: f64 = 1e-12;
/// Kinks on the way to the answer of bodies that yield.
const KINKS: usize = 40;
/// Sweeps before each try to get there, and whether its steps are damped.
const TRIES: [(usize, bool); 3] = [(0, false), (16, true), (64, false)];
/// Newton's steps in modes, of the answer at hand and of one of bodies that yield, whose loads are even to its compliance: what slides turns, and shares
/// turn with it, so that they gain digits by a part in each step only.
const TURNS: usize = 5;
const TURNS_SOFT: usize = 16;
/// Of the largest impulse: a step that is rounding.
const NOTHING: f64 = 1e-14;
/// The same: shares that turn by more have not come to their end, and would depend on where they began.
const SETTLED: f64 = 1e-11;
/// A step that leaves more than this part of the one before gains no digits.
const IDLE: f64 = 0.5;

impl Settle {
    /// Whether a contact slides under a load.
    pub(crate) fn any_slides(&self) -> bool {
        self.modes.iter().enumerate().any(|(i, m)| matches!(m, Mode::Slip(..)) && self.r[3 * i] > 0.0)
    }

    /// Whether the equations that the stage for few rows solved last are nearly dependent.
    pub(crate) fn few_are_dependent(&self) -> bool {
        let Few { matrix, unknowns, .. } = &self.few;
        let size = unknowns.len();
        (0..size).any(|k| matrix.get(k * size + k).is_none_or(|pivot| pivot.abs() < DEPENDENT))
    }

    /// Whether those of the remembered modes were, and their loads are not shared yet.
    pub(crate) fn slides_are_dependent(&self) -> bool {
        self.sliding.is_unshared()
    }

    /// Whether something that carries nothing touches: bodies that yield would close it.
    pub(crate) fn any_touches(&self, system: &System) -> bool {
        let contact = |i: usize| self.modes[i] == Mode::Open && self.u[3 * i] < TOUCHES;
        let row = |k: usize| self.holds[k] == Side::Lower && self.u[3 * system.n + k] < TOUCHES;
        (0..system.n).any(contact) || (0..system.n_unilateral()).any(row)
    }

    /// Whether what touches and carries nothing stays open as bodies yield, in an answer of modes whose loads are shared.
    pub(crate) fn slides_stay(&mut self, system: &System) -> bool {
        if !self.still.is_empty() || !self.sliding.yields(&self.r) {
            return false;
        }
        self.left.clear();
        self.left.resize(system.width(), 0.0);
        self.sliding.push(system, &mut self.left);
        self.stays_open(system, |at| system.velocity(at, &self.left))
    }

    /// The same by the equations that [`Settle::share_in_modes`] solved last.
    fn few_stays(&mut self, system: &System) -> bool {
        let Few { alpha, loads, padded, shares, .. } = &mut self.few;
        alpha.clear();
        alpha.extend(loads.iter().map(|load| -load.unwrap_or(0.0)));
        shares.solve(padded, alpha);
        if shares.is_deficient() {
            shares.share(|_| 0.0, alpha);
        }
        self.few_step(system);
        let rows = system.q.len();
        self.stays_open(system, |at| dot(self.few.row(at, rows), &self.few.step))
    }

    /// Whether nothing that is open closes, by this change of the velocity of a row per compliance.
    fn stays_open(&self, system: &System, change: impl Fn(usize) -> f64) -> bool {
        let stays =
            |at: usize| self.u[at] >= TOUCHES || self.u[at] + COMPLIANCE * change(at) >= -band(&self.r);
        let first = 3 * system.n;
        (0..system.n).all(|i| self.modes[i] != Mode::Open || stays(3 * i))
            && (0..system.n_unilateral()).all(|k| self.holds[k] != Side::Lower || stays(first + k))
    }

    /// From an answer in `r` and `modes` to the one whose loads an equal compliance shares; false, and everything as it was, if none is
    /// found. The modes stay where nothing `touches`, or what does stays open; not where something is known to close.
    pub(crate) fn share_few(&mut self, system: &System, touches: bool, closes: bool) -> bool {
        self.few.load(system);
        self.few.start.clone_from(&self.r);
        self.keep_modes();
        let in_modes = !closes && self.share_in_modes(system, TURNS);
        if in_modes && (!touches || self.few_stays(system)) {
            return true;
        }
        self.return_to_start();
        self.few.soften(system);
        let soft = TRIES.into_iter().any(|(sweeps, damped)| self.soft_answer(system, sweeps, damped));
        self.few.harden(system);
        // from here on there is no history
        if soft {
            self.few.soft_modes.0.clone_from(&self.modes);
            self.few.soft_modes.1.clone_from(&self.holds);
            self.few.soft_r.clone_from(&self.r);
            if self.share_in_modes(system, TURNS_SOFT) || self.rigid_answer(system) {
                return true;
            }
        }
        self.return_to_start();
        false
    }

    /// The answer of bodies that yield, from the one at hand; after sweeps, where there are any.
    fn soft_answer(&mut self, system: &System, sweeps: usize, damped: bool) -> bool {
        self.return_to_start();
        self.inside(system);
        if sweeps > 0 {
            self.sweep(system, sweeps);
        }
        self.few_velocities(system);
        !self.clock.expired() && self.climb(system, KINKS, system.n, damped)
    }

    /// The rigid answer nearest to the soft one, where its modes have none.
    fn rigid_answer(&mut self, system: &System) -> bool {
        self.r.clone_from(&self.few.soft_r);
        self.modes.clone_from(&self.few.soft_modes.0);
        self.holds.clone_from(&self.few.soft_modes.1);
        self.inside(system);
        self.few_velocities(system);
        if !self.climb(system, KINKS, system.n, false) {
            return false;
        }
        self.clip(system);
        self.few.soft_r.clone_from(&self.r);
        if !self.share_in_modes(system, TURNS_SOFT) {
            self.r.clone_from(&self.few.soft_r);
            self.few_velocities(system);
        }
        true
    }

    /// Back to what [`Settle::share_few`] began with.
    pub(crate) fn return_to_start(&mut self) {
        self.r.clone_from(&self.few.start);
        self.restore_modes();
    }

    /// The load of an unknown, where it yields.
    fn few_load(&self, system: &System, unknown: Unknown) -> Option<f64> {
        match unknown {
            Unknown::Still(at) => (at < yielding(system)).then(|| self.r[at]),
            Unknown::Pressed(i, _) => Some(self.r[3 * i]),
            Unknown::Across(..) => None,
        }
    }

    /// Newton's method in the present modes, loads shared evenly in every step; false if it does not end, or leads out of the modes.
    fn share_in_modes(&mut self, system: &System, turns: usize) -> bool {
        self.few_velocities(system);
        let (mut before, mut settled) = (f64::INFINITY, false);
        for _ in 0..turns {
            if self.clock.expired() {
                return false;
            }
            self.few_equations(system, 0.0);
            if !self.solve_evenly(system) {
                return false;
            }
            self.few_step(system);
            axpy(1.0, &self.few.step, &mut self.r);
            if self.r.iter().any(|v| !v.is_finite()) {
                return false;
            }
            self.put_on_circles(system);
            self.few_velocities(system);
            let (moved, most) = (max_abs(&self.few.step), max_abs(&self.r));
            settled = moved <= SETTLED * most;
            if moved <= NOTHING * most || (settled && moved > IDLE * before) {
                break;
            }
            before = moved;
        }
        self.clip(system);
        self.few_velocities(system);
        self.residual = self.error(system);
        settled && self.residual <= self.acceptable(band(&self.r))
    }

    /// The step of the equations as they are written out, of all that there are the one whose loads are even; false if loads do not decide.
    fn solve_evenly(&mut self, system: &System) -> bool {
        let size = self.few.unknowns.len();
        let stride = size.next_multiple_of(LANES).max(LANES);
        self.few.loads.clear();
        self.few.padded.clear();
        for j in 0..size {
            let load = self.few_load(system, self.few.unknowns[j]);
            // the rule counts rows as they are; those across sliding have no part in it
            let by = if load.is_some() { self.few.scale[j] } else { 1.0 };
            let Few { matrix, alpha, loads, padded, .. } = &mut self.few;
            loads.push(load);
            alpha[j] *= by;
            padded.extend(matrix[j * size..(j + 1) * size].iter().map(|v| v * by));
            padded.resize((j + 1) * stride, 0.0);
        }
        let Few { alpha, loads, padded, shares, .. } = &mut self.few;
        shares.factor(padded, size, stride, LEAST);
        shares.solve(padded, alpha);
        if !shares.is_deficient() {
            return true;
        }
        shares.find_freedom(padded, |k| loads[k].is_some());
        shares.share(|k| loads[k].unwrap_or(0.0), alpha);
        shares.decides()
    }
}

/// The scalar rows that yield: those of contacts and one-sided ones. Equations and motors do not.
fn yielding(system: &System) -> usize {
    3 * system.n + system.n_unilateral()
}

impl Few {
    /// Every row yields alike.
    fn soften(&mut self, system: &System) {
        let rows = system.q.len();
        self.hard.clear();
        self.hard.extend((0..yielding(system)).map(|k| self.w[k * rows + k]));
        (0..self.hard.len()).for_each(|k| self.w[k * rows + k] += COMPLIANCE);
        self.is_soft = true;
    }

    /// Back to W as it was.
    fn harden(&mut self, system: &System) {
        let rows = system.q.len();
        (0..self.hard.len()).for_each(|k| self.w[k * rows + k] = self.hard[k]);
        self.is_soft = false;
    }

    /// Room for what the rule needs of a part: it may be asked for the first time in any step.
    pub(in crate::friction::settle) fn reserve_shares(&mut self, rows: usize, contacts: usize, width: usize) {
        if rows > MANY_SHARED || contacts == 0 {
            return;
        }
        self.reserve(rows, width);
        for (list, room) in
            [(&mut self.hard, rows), (&mut self.soft_r, rows), (&mut self.padded, rows * (rows + LANES))]
        {
            list.clear();
            list.reserve(room);
        }
        self.loads.clear();
        self.loads.reserve(rows);
        self.soft_modes.0.clear();
        self.soft_modes.0.reserve(contacts);
        self.soft_modes.1.clear();
        self.soft_modes.1.reserve(rows);
        self.shares.reserve(rows);
    }
}
