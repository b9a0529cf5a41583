//! Pivots on polygons, and round cones by polygons whose facets turn from one search to the next.

use super::cone::Cone;
use super::report::Measured;
use super::system::System;
use super::{Rounds, Structured, search};
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, SOLVED, Status};
use crate::solver::FrictionSolution;

/// Rounds of turning facets before the best answer is taken as it is.
const ROUNDS: usize = 30;
/// The residual at which turning stops, scaled: a hundredth of what counts as solved.
const EXACT: f64 = 1e-11;

impl Structured {
    pub(super) fn solve_facets(
        &mut self,
        system: &mut System,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let (status, spent) = self.search.solve(system, start, budget, observer);
        self.ended = status == Status::Solved;
        self.report(system, solution);
        let residual = self.residual(system);
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: spent.pivots, nodes: spent.nodes.max(spent.pivots), residual }
    }

    /// Solves again and again with turned facets; `system` is left with those of the best answer.
    pub(super) fn solve_round(
        &mut self,
        system: &mut System,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut spent = search::Spent::default();
        let mut status = Status::Inaccurate;
        let Rounds { basis, best_basis, best_dirs, velocities, impulses } = &mut self.round;
        basis.clear();
        basis.extend_from_slice(start.unwrap_or_default());
        best_basis.clear();
        best_dirs.clear();
        self.cone.reset();
        for _ in 0..ROUNDS {
            let left = Budget { pivots: budget.pivots.map(|p| p.saturating_sub(spent.pivots)), ..budget };
            // a basis of another length is none
            let (round, cost) = self.search.solve(system, Some(&*basis), left, observer);
            spent.pivots += cost.pivots;
            spent.nodes += cost.nodes;
            let before = self.cone.residual();
            if self.cone.take(system, &self.search) < before {
                best_basis.clone_from(&self.search.basic);
                best_dirs.clone_from(&system.dirs);
            }
            status = round;
            if self.cone.residual() <= EXACT || round == Status::Budget {
                break;
            }
            system.scalar_impulses(&self.search.z, impulses);
            system.scalar_velocities(impulses, velocities);
            let turned = Cone::turn(system, &self.search, velocities);
            basis.clone_from(&self.search.basic);
            // nothing turns any more and nothing gets better
            if turned < 1e-15 {
                break;
            }
        }
        if !best_dirs.is_empty() {
            system.dirs.clone_from(best_dirs);
        }
        solution.basis.clone_from(best_basis);
        self.impulse.clear();
        self.impulse.extend_from_slice(self.cone.answer());
        self.exact_outcome(system, Measured::Coulomb, status, spent, solution)
    }
}
