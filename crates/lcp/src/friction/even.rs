//! Same state, same motion: of the answers that the law leaves, the one whose loads an equal compliance shares.
//!
//! Most answers need nothing: nothing slides, or loads are what they were, or no other loads lead to another motion. What tells the last costs a solve by
//! factors that are there: with J the matrix of Newton's method at the answer x,
//!
//! ```text
//!     J dx = −ε G x,     dg = Aᵀ dx          how an equal compliance ε moves bodies: by less than 100 ε |x| where loads do not turn the motion
//! ```
//! Of W written out and of modes, the least pivot tells. The rule itself is in [`super::settle`], `even`.

use super::report::Measured;
use super::search::Spent;
use super::settle::MANY_SHARED;
use super::stage::Stage;
use super::system::System;
use super::{FrictionSolution, Structured};
use crate::kernel::max_abs;
use crate::outcome::{Outcome, Status};

/// Impulses that differ from what is remembered by less than this part of the largest are the same, but for rounding.
const REPEATED: f64 = 1e-13;

impl Structured {
    /// Whether loads that decide a motion are shared by the rule in all parts of the last problem, as far as there are any.
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// The answer by the rule in place of one that a stage found: a warm start may choose the road, never the answer.
    pub(super) fn evened(
        &mut self,
        system: &System,
        stage: Stage,
        found: Outcome,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        if found.status != Status::Solved || !self.settle.any_slides() || self.repeats() {
            return found;
        }
        if !system.is_factored() || system.q.len() > MANY_SHARED || !self.settle.is_round() {
            self.even &= stage == Stage::Modes;
            return found;
        }
        let touches = self.settle.any_touches(system);
        let modes = stage == Stage::Modes;
        let dependent = match stage {
            Stage::Modes => self.settle.slides_are_dependent(),
            _ if touches => true,
            Stage::FewRows => self.settle.few_are_dependent(),
            _ => self.road.is_in_doubt(stage),
        };
        // loads of modes may be even already, and the modes those of the limit
        let closes = modes && !dependent && touches && !self.settle.slides_stay(system);
        if !dependent && !closes {
            return found;
        }
        let shared = self.settle.share_few(system, touches, closes);
        self.even &= shared;
        if !shared {
            return found;
        }
        let spent = Spent { pivots: found.pivots, nodes: found.nodes };
        self.impulse.clone_from(&self.settle.r);
        let outcome = self.exact_outcome(system, Measured::Coulomb, Status::Inaccurate, spent, solution);
        if outcome.status == Status::Solved {
            return outcome;
        }
        self.even = false;
        self.settle.return_to_start();
        self.impulse.clone_from(&self.settle.r);
        self.exact_outcome(system, Measured::Coulomb, Status::Inaccurate, spent, solution)
    }

    /// Whether loads are what is remembered: what goes on as it did has them by the rule already.
    fn repeats(&self) -> bool {
        let least = REPEATED * max_abs(&self.remembered);
        self.settle.r.iter().zip(&self.remembered).all(|(r, old)| (r - old).abs() <= least)
    }
}
