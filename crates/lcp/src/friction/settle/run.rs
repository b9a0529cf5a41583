//! The steps from remembered modes to an answer: measure, change modes, factor, step.

use super::measure::{CRISP, ROUNDING, band};
use super::{LARGE, STALLED, Settle};
use crate::friction::system::System;
use crate::kernel::max_abs;
use crate::problem::ContactMode;

/// Steps before the search is asked.
const STEPS: usize = 32;
/// Factorisations before the search is asked.
const FACTORS: usize = 12;
/// Of more than [`LARGE`] scalar rows.
const FACTORS_LARGE: usize = 2;
/// Steps and factorisations of a careful run.
const CAREFUL: (usize, usize) = (150, 40);
/// Contacts that are let go because the equations cannot hold them, in one run.
const RELEASES: usize = 6;
/// A step that left less than this part of the error before it used factors that will do once more; where unknowns are few, and a step costs
/// a fifth of what its factors do. Larger and steps go on that gain no digits; smaller and factors are made that save none.
const CHORD: f64 = 1e-4;
const CHORD_SMALL: f64 = 1e-2;
/// A scaled error below which that holds where unknowns are few. Farther off kept factors lead past the answer, contacts open on the way, and those that
/// carry nothing and do not leave stay so: the load is no longer shared by all.
const CHORD_NEAR: f64 = 1e-4;
/// Of the error before: a step that leaves more is slow.
const SLOW: f64 = 0.25;
/// How a run gets on.
struct Pace {
    /// Of the step before.
    last: f64,
    /// Slow steps in a row.
    slowly: usize,
    released: usize,
}

/// What a step found where it stands.
#[derive(Clone, Copy)]
struct Stand {
    step: usize,
    error: f64,
    /// What is within rounding of an answer.
    band: f64,
}

impl Settle {
    /// Steps until the impulses are an answer for round cones, or for the facets as far as modes can tell; false if
    /// they do not become one. The answer is in `r` and `modes`.
    ///
    /// A `careful` run changes one mode at a time, the one that is violated most: slower, from iterates that are nearly an
    /// answer, where many changes at once would lead away from it.
    pub(crate) fn run(&mut self, system: &System, careful: bool) -> bool {
        let (most_steps, mut most_factors) = if careful { CAREFUL } else { (STEPS, FACTORS) };
        if self.round && system.q.len() > LARGE {
            most_factors = FACTORS_LARGE;
        }
        if !system.is_factored() {
            return false;
        }
        // rows that contradict each other by little: steps that are held inside the cones tell which of them gives way
        if careful && self.is_few(system, false) && self.climb_few(system) {
            return true;
        }
        self.factors = 0;
        if self.round && self.modes.iter().any(|m| m.mode == ContactMode::Slip) {
            self.quick.load(system);
        }
        let mut pace = Pace { last: f64::INFINITY, slowly: 0, released: 0 };
        let (mut best, mut fresh) = (f64::INFINITY, true);
        for step in 0..most_steps {
            if self.clock.expired() {
                return false;
            }
            self.quick.velocities(system, &self.r, &mut self.u);
            let mut error = self.error(system);
            if step == 0 && self.round && !careful && self.is_repeated(error) {
                self.residual = error;
                return true;
            }
            let band = band(&self.r);
            if step > 0 && error > band && self.relax(system) {
                self.quick.velocities(system, &self.r, &mut self.u);
                error = self.error(system);
            }
            if step > 0 && error < best {
                best = error;
                self.best_r.clone_from(&self.r);
            }
            let stand = Stand { step, error, band };
            let mut changed = step > 0 && error > band && self.change(system, stand, careful);
            let enough = self.is_enough(system, stand, &mut pace, &mut changed);
            if (step > 0 && !changed && enough) || step + 1 == most_steps {
                break;
            }
            let before = std::mem::replace(&mut pace.last, error);
            if changed {
                best = f64::INFINITY;
                fresh = true;
                self.quick.velocities(system, &self.r, &mut self.u);
            }
            if fresh {
                self.factors += 1;
                if self.factors > most_factors || !self.project(system) {
                    return false;
                }
            }
            // the slips have turned; the factors will do where they lead there as fast
            let near = self.sliding.is_small() && error <= CHORD_NEAR;
            let chord = if near { CHORD_SMALL } else { CHORD };
            let kept = !fresh && error <= chord * before;
            self.sliding.list(system, &self.modes, self.round, &self.r, &self.u, kept);
            fresh = false;
            if !self.step(system) {
                return false;
            }
        }
        self.conclude(system, best)
    }

    /// Other modes for contacts that leave theirs; what Newton has still to do must not be taken for that.
    fn change(&mut self, system: &System, Stand { band, .. }: Stand, careful: bool) -> bool {
        let unclear = band.max(10.0 * self.unsolved());
        if careful {
            self.change_worst(system, unclear.max(0.3 * STALLED))
        } else {
            self.change_modes(system, unclear)
        }
    }

    /// Whether it is crisp, or as good as it gets, or the equations have no solution: then what they cannot hold goes first.
    fn is_enough(&mut self, system: &System, stand: Stand, pace: &mut Pace, changed: &mut bool) -> bool {
        let Stand { step, error, band } = stand;
        let slow = step > 1 && !*changed && error > SLOW * pace.last;
        pace.slowly = if slow { pace.slowly + 1 } else { 0 };
        if pace.slowly > 1 && error > self.acceptable(band) && pace.released < RELEASES {
            // equations that contradict each other
            pace.released += 1;
            *changed = self.release(system, band);
            pace.slowly = if *changed { 0 } else { pace.slowly };
        }
        let stalled = pace.slowly > 1 && error <= self.acceptable(band);
        error <= CRISP * band || (slow && pace.last <= band) || stalled || pace.slowly > 2
    }

    /// Factors for the modes as they are, and what the sticking rows leave of the slides; false if there are none.
    fn project(&mut self, system: &System) -> bool {
        if !self.factor(system) {
            return false;
        }
        let still = (!self.still.is_empty()).then_some(&self.envelope);
        self.sliding.project(system, &self.modes, still)
    }

    /// The best impulses met, clipped to their bounds, if they are an answer.
    fn conclude(&mut self, system: &System, mut best: f64) -> bool {
        self.keep_shares(system, &mut best);
        if best > self.acceptable(band(&self.best_r)) {
            return false;
        }
        std::mem::swap(&mut self.r, &mut self.best_r);
        self.clip(system);
        self.quick.velocities(system, &self.r, &mut self.u);
        self.residual = self.error(system);
        // one scaling for all may hide a light body behind a heavy one, unless there is nothing to hide; facets are held
        // against each row's own numbers
        let crisp = ROUNDING * max_abs(&self.r).max(1.0);
        self.residual <= if system.is_wide() && !self.round { crisp } else { self.acceptable(band(&self.r)) }
    }

    /// One more step from an answer in its modes; false if they have no factor or it leads nowhere.
    pub(crate) fn refine(&mut self, system: &System) -> bool {
        if !system.is_factored() || !self.project(system) {
            return false;
        }
        self.quick.velocities(system, &self.r, &mut self.u);
        self.sliding.list(system, &self.modes, self.round, &self.r, &self.u, false);
        if !self.step(system) {
            return false;
        }
        self.measured(system).is_finite()
    }
}
