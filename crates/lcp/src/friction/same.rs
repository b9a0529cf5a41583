//! Same problem, same motion: memory chooses the road, never the answer.
//!
//! An answer from memory is taken if it is the only one near it ([`super::doubt`]). Where Coulomb's law leaves a choice, memory is
//! left aside, and the answer is a function of the problem alone, by two rules:
//!
//! 1. What can hold, holds: if loads inside the cones stop all contacts, they do ([`super::hold`]).
//! 2. Else the answer is the one that the road leads to from contacts that hold and carry nothing, rows in the order of their
//!    ids: bodies carry no stress from the step before, and loads are least changes from none.
//!
//! ```text
//!     memory ─► road ─► in doubt? ── no ──────────────────────────────────────────────► answer
//!                           │ yes
//!     nothing ──────────────┴─► rows by id ─► road ─► in doubt? ── no ────────────────► answer
//!                                                          └ yes ─► all hold? ─► loads or answer
//! ```
//!
//! A problem whose rows have no ids is solved by the road alone. Where the cold road finds no answer, the one from memory is kept.

use super::layout::Layout;
use super::road::Stage;
use super::warm::{self, RowIds, WarmKind, WarmStart};
use super::{ConeShape, Structured};
use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Status};
use crate::problem::FrictionProblem;

impl Structured {
    /// Solves a problem that is one part; what it should remember is added to `next`.
    pub(super) fn solve_whole(
        &mut self,
        problem: &FrictionProblem,
        cone: ConeShape,
        ids: RowIds<'_>,
        warm: &WarmStart,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let chosen = cone == ConeShape::Exact && problem.as_factored().is_some() && !ids.contacts.is_empty();
        if chosen && !is_remembered(ids, warm) {
            return self.solve_cold(problem, ids, budget, solution, observer);
        }
        let logged = self.stages.len();
        let outcome = self.solve_from(problem, cone, ids, warm, budget, solution, observer);
        if !(chosen && outcome.status == Status::Solved && self.doubts(solution)) {
            warm::remember(&self.system, ids, solution, &self.settle, &mut self.next);
            return outcome;
        }
        self.stages[logged..].iter_mut().for_each(|stage| stage.won = false);
        let known = self.next.entries().len();
        let cold = self.solve_cold(problem, ids, budget, solution, observer);
        if cold.status == Status::Solved {
            return cold;
        }
        self.next.truncate(known);
        let outcome = self.solve_from(problem, cone, ids, warm, budget, solution, observer);
        warm::remember(&self.system, ids, solution, &self.settle, &mut self.next);
        outcome
    }

    /// The answer that knows no past, rows in the order of their ids.
    fn solve_cold(
        &mut self,
        problem: &FrictionProblem,
        ids: RowIds<'_>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut ordered = std::mem::take(&mut self.ordered);
        let outcome = if ordered.enter(problem, ids) {
            let mut answer = std::mem::take(&mut ordered.answer);
            let (own, own_ids) = ordered.problem();
            let outcome = self.solve_alone(own, own_ids, budget, &mut answer, observer);
            let layout = Layout::new(problem);
            let mut whole = layout.begin(solution);
            layout.put(ordered.members(), &outcome, &answer, &mut whole, solution);
            ordered.answer = answer;
            outcome
        } else {
            self.solve_alone(problem, ids, budget, solution, observer)
        };
        self.ordered = ordered;
        outcome
    }

    fn solve_alone(
        &mut self,
        problem: &FrictionProblem,
        ids: RowIds<'_>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let (cone, nothing) = (ConeShape::Exact, WarmStart::default());
        let began = self.stages.len();
        let mut outcome = self.solve_from(problem, cone, ids, &nothing, budget, solution, observer);
        if outcome.status == Status::Solved && self.doubts(solution) {
            let logged = self.stages.len();
            match self.held(&Clock::new(&budget), solution) {
                None => {}
                Some(held) if held.status == Status::Solved => {
                    self.stages[began..logged].iter_mut().for_each(|stage| stage.won = false);
                    outcome = held;
                }
                // held in one scale for all rows, not in each one's own
                Some(_) => {
                    outcome = self.solve_from(problem, cone, ids, &nothing, budget, solution, observer);
                }
            }
        }
        warm::remember(&self.system, ids, solution, &self.settle, &mut self.next);
        outcome
    }

    /// Solves a problem that is one part from what is remembered of it.
    fn solve_from(
        &mut self,
        problem: &FrictionProblem,
        cone: ConeShape,
        ids: RowIds<'_>,
        warm: &WarmStart,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut system = self.load(problem);
        let mut start = std::mem::take(&mut self.start);
        let round = cone != ConeShape::Facets;
        self.settle.reset(&system, round);
        warm::recall(&mut system, ids, warm, &mut self.settle, &mut start, round);
        let rests = cone == ConeShape::Exact && problem.is_at_peace();
        let outcome = match rests.then(|| self.at_peace(&system, &start, solution)).flatten() {
            Some(outcome) => outcome,
            None => self.walk(&mut system, cone, &start, budget, solution, observer),
        };
        self.start = start;
        self.system = system;
        outcome
    }

    fn doubts(&mut self, solution: &FrictionSolution) -> bool {
        let system = std::mem::take(&mut self.system);
        let doubt = self.is_in_doubt(&system, solution);
        self.system = system;
        doubt
    }

    /// Loads that hold everything, as an answer, if there are any; else the answer stays what it was.
    fn held(&mut self, clock: &Clock, solution: &mut FrictionSolution) -> Option<Outcome> {
        let began = std::time::Instant::now();
        let holds = self.road.hold(clock);
        let (after, count) = (self.road.at.natural, self.road.factorisations());
        self.log(Stage::Modes, began, count, f64::INFINITY, after, holds);
        if !holds {
            return None;
        }
        let (system, start) = (std::mem::take(&mut self.system), std::mem::take(&mut self.start));
        let outcome = self.report_road(&system, &start, Status::Inaccurate, solution);
        (self.system, self.start) = (system, start);
        Some(outcome)
    }
}

fn is_remembered(ids: RowIds<'_>, warm: &WarmStart) -> bool {
    let any = |kind: WarmKind, ids: &[u64]| ids.iter().any(|&id| warm.recall(kind, id).is_some());
    !warm.entries().is_empty()
        && (any(WarmKind::Contact, ids.contacts)
            || any(WarmKind::Unilateral, ids.unilateral)
            || any(WarmKind::Bounded, ids.bounded))
}
