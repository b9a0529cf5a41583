//! Loads that nothing determines, as an equal compliance shares them.
//!
//! Where contacts slide, the split of a load may turn the motion, and the law leaves the split open: a peg in its hole, a table that
//! slides on some of its legs. A warm start would choose, and a step would no longer be a function of its state. The rule that has no
//! history is that of bodies that all yield alike by very little, the same at every contact:
//!
//! ```text
//!     doubt    (S + ε) α = −ε D r                        how an equal compliance moves the answer; its motion W C α tells
//!     soften   u = (W + ε D) r + q, climbed              the modes that bodies of that compliance have
//!     share    S α = −R u,   Vᵀ D (r + α) = 0, Vᵀ S = 0     the limit ε → 0 in these modes, see the parent's `share`
//! ```
//!
//! | symbol | meaning                                                              |
//! |--------|----------------------------------------------------------------------|
//! | S      | R W C + c, the equations of the modes                                |
//! | D      | one for the loads of contacts and one-sided rows, else nothing       |
//! | ε      | [`COMPLIANCE`], of rows of size one                                  |
//!
//! The answer is one of the rigid law: compliance decides which.

use super::climb::How;
use super::step::Unknown;
use super::{Few, Mode};
use crate::friction::dense::solve_in_place;
use crate::friction::settle::rank::solve_rank;
use crate::friction::settle::share::share_evenly;
use crate::friction::settle::{Settle, band};
use crate::friction::system::System;
use crate::kernel::{axpy, dot, max_abs};

/// The compliance that tells whether a motion is determined, of rows of size one: well above rounding, and a motion that is determined
/// moves by a few times it.
const PROBE: f64 = 1e-7;
/// A motion that moves by more than this part of the impulses under [`PROBE`] is in doubt: as much as a factor of 100 more
/// than one that is determined.
const DOUBT: f64 = 1e-5;
/// The compliance whose modes are taken: small beside rows of size one, and large beside the rounding of residuals, 1e-14, so that
/// loads have ten digits.
const COMPLIANCE: f64 = 1e-4;
/// A contact that opens by less than this, of the largest velocity of a row, touches: a hundred times what a compliance of 1e-4 lets
/// bodies sink by would not close it.
const TOUCHING: f64 = 1e-2;
/// Kinks on the way there.
const KINKS: usize = 40;
/// Sweeps before each try to get there, and its steps.
const TRIES: [(usize, How); 3] = [(0, How::Alike), (16, How::Damped), (64, How::Alike)];
/// Newton's steps in the modes at the end: what slides turns.
const TURNS: usize = 8;

impl Settle {
    /// Whether a contact slides under a load.
    pub(crate) fn any_slides(&self) -> bool {
        self.modes.iter().enumerate().any(|(i, m)| matches!(m, Mode::Slip(..)) && self.r[3 * i] > 0.0)
    }

    /// From an answer in `r` and `modes` to the one whose loads an equal compliance shares, if the split of loads decides the
    /// motion; false, and everything as it was, if it does not or none is found.
    pub(crate) fn share_few(&mut self, system: &System) -> bool {
        self.few.load(system);
        self.few.start.clone_from(&self.r);
        self.keep_modes();
        self.few_velocities(system);
        if !self.has_spare(system) && !self.is_in_doubt(system) {
            return false;
        }
        self.few.soften(system);
        let soft = TRIES.into_iter().any(|(sweeps, how)| self.soft_answer(system, sweeps, how));
        self.few.harden(system);
        // from here on there is no history
        let shared = soft && (self.share_in_modes(system) || self.rigid_answer(system));
        if shared {
            self.clip(system);
        } else {
            self.return_to_start();
        }
        shared
    }

    /// The answer of bodies that yield, from the one at hand; after sweeps, where there are any.
    fn soft_answer(&mut self, system: &System, sweeps: usize, how: How) -> bool {
        self.return_to_start();
        self.inside(system);
        if sweeps > 0 {
            self.sweep(system, sweeps);
        }
        self.few_velocities(system);
        let found = !self.clock.expired() && self.climb(system, KINKS, system.n, how);
        if found {
            self.soft.0.clone_from(&self.r);
            self.soft.1.clone_from(&self.modes);
            self.soft.2.clone_from(&self.holds);
        }
        found
    }

    /// The rigid answer nearest to the soft one, where its modes have none.
    fn rigid_answer(&mut self, system: &System) -> bool {
        self.r.clone_from(&self.soft.0);
        self.modes.clone_from(&self.soft.1);
        self.holds.clone_from(&self.soft.2);
        self.inside(system);
        self.few_velocities(system);
        self.climb(system, KINKS, system.n, How::Whole)
    }

    /// Back to what [`Settle::share_few`] began with.
    pub(crate) fn return_to_start(&mut self) {
        self.r.clone_from(&self.few.start);
        self.restore_modes();
    }

    /// Whether more contacts touch than free bodies could be held by: an answer may then be determined in its own modes and still be one of many.
    fn has_spare(&self, system: &System) -> bool {
        let touching = (0..system.n).filter(|&i| self.modes[i] != Mode::Open || self.u[3 * i] < TOUCHING);
        system.is_loose() && 2 * touching.count() > system.width()
    }

    /// Whether an equal compliance would move bodies, and not only loads.
    fn is_in_doubt(&mut self, system: &System) -> bool {
        self.few_equations(system, PROBE);
        let size = self.few.unknowns.len();
        for j in 0..size {
            let load = self.few_load(system, self.few.unknowns[j]).unwrap_or(0.0);
            self.few.alpha[j] = -PROBE * load / self.few.scale[j];
        }
        let Few { matrix, alpha, swaps, .. } = &mut self.few;
        if !solve_in_place(&mut matrix[..size * size], size, alpha, swaps) {
            return false;
        }
        self.few_step(system);
        let rows = system.q.len();
        let moved = (0..rows).map(|k| dot(self.few.row(k, rows), &self.few.step).abs()).fold(0.0, f64::max);
        moved > DOUBT * max_abs(&self.r)
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
    fn share_in_modes(&mut self, system: &System) -> bool {
        self.few_velocities(system);
        for _ in 0..TURNS {
            if self.clock.expired() {
                return false;
            }
            self.few_equations(system, 0.0);
            let size = self.few.unknowns.len();
            self.few.loads.clear();
            for j in 0..size {
                let load = self.few_load(system, self.few.unknowns[j]);
                self.few.loads.push(load);
                // the rule counts rows as they are; those across sliding have no part in it
                if load.is_some() {
                    let (by, row) = (self.few.scale[j], &mut self.few.matrix[j * size..(j + 1) * size]);
                    for v in row {
                        *v *= by;
                    }
                    self.few.alpha[j] *= by;
                }
            }
            let Few { matrix, alpha, swaps, y, loads, shares, .. } = &mut self.few;
            y.clear();
            y.extend_from_slice(&matrix[..size * size]);
            solve_rank(y, size, alpha, swaps);
            share_evenly(&mut matrix[..size * size], loads, alpha, shares);
            self.few_step(system);
            axpy(1.0, &self.few.step, &mut self.r);
            if self.r.iter().any(|v| !v.is_finite()) {
                return false;
            }
            self.put_on_circles(system);
            self.few_velocities(system);
            let moved = max_abs(&self.few.step);
            if moved <= 1e-13 * max_abs(&self.r) {
                return self.error(system) <= self.acceptable(band(&self.r));
            }
        }
        self.error(system) <= self.acceptable(band(&self.r))
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
    }

    /// Back to W as it was.
    fn harden(&mut self, system: &System) {
        let rows = system.q.len();
        (0..self.hard.len()).for_each(|k| self.w[k * rows + k] = self.hard[k]);
    }
}
