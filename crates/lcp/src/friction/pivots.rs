//! The last resort of the walk: pivots, where rows are few or cones have facets.

use std::time::Instant;

use super::stage::Stage;
use super::system::System;
use super::{ConeShape, Structured, search};
use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Status};

/// A scaled residual of an iterate that is nearly an answer.
const NEARLY: f64 = 1e-4;
/// Pivots after the other stages for round cones, besides one for each row, unless the caller says how many: from an iterate that is
/// nearly an answer, and the factor from one that is not.
const PIVOTS: usize = 100;
const PIVOTS_FROM_AFAR: usize = 10;

/// What the other stages leave: of the caller's limits, and the residual of the best iterate.
#[derive(Clone, Copy)]
pub(super) struct Left<'a> {
    pub(super) budget: Budget,
    pub(super) clock: &'a Clock,
    pub(super) best: f64,
}

impl Structured {
    /// Pivots, from the remembered basis and then from none, or the best iterate if that is nearer.
    pub(super) fn by_pivots(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        basis: &[bool],
        left: Left<'_>,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let Left { budget, clock, best } = left;
        let (began, round) = (Instant::now(), cone != ConeShape::Facets);
        // facets have no other road, and the caller's word goes before ours
        let bounded = round && budget.pivots.is_none() && (best < NEARLY || !self.patient);
        let ours = bounded.then(|| pivots_of(system, best));
        let limits = |clock: &Clock| clock.rest(Budget { pivots: budget.pivots.or(ours), ..budget });
        let mut outcome = self.pivoted(system, cone, basis, limits(clock), solution, observer);
        if bounded && outcome.status != Status::Solved && basis.contains(&true) && !clock.expired() {
            // the remembered basis may be a bad one to start from
            let (spent, mut cold) = (outcome.pivots, std::mem::take(&mut self.cold));
            cold.clear();
            cold.resize(basis.len(), false);
            outcome = self.pivoted(system, cone, &cold, limits(clock), solution, observer);
            outcome.pivots += spent;
            self.cold = cold;
        }
        if outcome.status == Status::Budget && bounded && !clock.expired() {
            // the pivots were bounded here, not by the caller
            outcome.status = Status::Inaccurate;
        }
        let won = outcome.status == Status::Solved || outcome.residual.natural <= best;
        self.log(Stage::Pivots, began, 0, best, outcome.residual.natural, won);
        if won { outcome } else { self.report_road(system, basis, outcome.status, solution) }
    }

    /// The answer by pivoting; then, if it can be had, one with the same motion inside the cones, which the next
    /// step can start from.
    fn pivoted(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        start: &[bool],
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let outcome = match cone {
            ConeShape::Facets => self.solve_facets(system, Some(start), budget, solution, observer),
            ConeShape::Exact | ConeShape::Convex => {
                self.solve_round(system, Some(start), budget, solution, observer)
            }
        };
        // an answer that is not good enough may still know what sticks
        self.settle.classify(system, &self.search.z, &self.impulse, outcome.residual.natural);
        if outcome.status == Status::Budget || !self.settle.spread(system) {
            self.settle.restore_modes();
            return outcome;
        }
        let mut basis = std::mem::take(&mut self.round.basis);
        basis.clone_from(&solution.basis);
        let spent = search::Spent { pivots: outcome.pivots, nodes: outcome.nodes };
        // what does not do must not be told in place of what does
        let mut other = std::mem::take(&mut self.other);
        let spread = self.settled(system, cone, &basis, spent, &mut other);
        self.round.basis = basis;
        if spread.is_some() {
            std::mem::swap(solution, &mut other);
        } else {
            self.settle.restore_modes();
        }
        self.other = other;
        spread.unwrap_or(outcome)
    }
}

/// The pivots that a problem is worth from an iterate with this residual.
fn pivots_of(system: &System, best: f64) -> usize {
    let few = PIVOTS + system.q.len();
    if best < NEARLY { few } else { PIVOTS_FROM_AFAR * few }
}
