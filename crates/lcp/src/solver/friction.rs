//! Friction problems: on their structure where the method has one, else as boxed problems.

use super::translated::Translated;
use super::{Engine, Solver};
use crate::clock::Clock;
use crate::convert::FrictionMlcp;
use crate::friction::{FrictionSolution, StageReport};
use crate::observer::Observer;
use crate::observer::watched;
use crate::outcome::{Budget, MlcpSolution, Outcome, Residual, SOLVED, Status, certified};
use crate::problem::{FrictionProblem, Stabilisation};
use crate::tolerances;

impl Solver {
    /// What the stages of the last friction solve with round cones did, in their order.
    pub fn stages(&self) -> &[StageReport] {
        self.structured.stages()
    }

    /// Solves a friction problem: `robust`, `structural` and `reduced` on its structure, the others as the standard problem of Yamane
    /// (25)-(26).
    pub fn solve_friction(&mut self, problem: &FrictionProblem, solution: &mut FrictionSolution) -> Outcome {
        self.solve_friction_with(problem, Stabilisation::default(), Budget::default(), solution, &mut ())
    }

    /// Solves a friction problem with round cones, on its structure whatever the method: the natural residual of
    /// the outcome is then that of Coulomb's law itself.
    pub fn solve_friction_exact(
        &mut self,
        problem: &FrictionProblem,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_friction_exact_by(problem, budget, solution, o))
    }

    fn solve_friction_exact_by(
        &mut self,
        problem: &FrictionProblem,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.structured.solve_exact(problem, None, budget, solution, observer)
    }

    /// The same with Tan's stabilisation, within a budget, watched.
    pub fn solve_friction_with(
        &mut self,
        problem: &FrictionProblem,
        stabilisation: Stabilisation,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_friction_with_by(problem, stabilisation, budget, solution, o))
    }

    fn solve_friction_with_by(
        &mut self,
        problem: &FrictionProblem,
        stabilisation: Stabilisation,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        if stabilisation == Stabilisation::default() {
            match &mut self.engine {
                Engine::Robust(_) => {
                    let clock = Clock::new(&budget);
                    let structured = self.structured.solve_with(problem, None, budget, solution, observer);
                    let engine = &self.structured;
                    let sure = crisp(structured) && engine.has_ended() && !engine.was_wide();
                    if structured.status == Status::Budget || sure {
                        return structured;
                    }
                    let left = clock.rest(budget);
                    return self.second_opinion(problem, structured, left, solution, observer);
                }
                Engine::Structural(lloyd) => {
                    let clock = Clock::new(&budget);
                    let outcome = lloyd.solve_friction_with(problem, budget, solution, observer);
                    return looked_at_again(problem, outcome, &clock, solution);
                }
                Engine::Reduced(lloyd) => {
                    let clock = Clock::new(&budget);
                    let outcome = lloyd.solve_friction_with(problem, budget, solution, observer);
                    return looked_at_again(problem, outcome, &clock, solution);
                }
                _ => {}
            }
        }
        solution.basis.clear();
        let clock = Clock::new(&budget);
        let lowered = match FrictionMlcp::within(problem, stabilisation, &clock) {
            Ok(Some(lowered)) => lowered,
            // with no time left the structure tells where one would begin
            Ok(None) => {
                return self.structured.solve_with(problem, None, clock.rest(budget), solution, observer);
            }
            Err(_) => {
                *solution = FrictionSolution::default();
                let residual = Residual { natural: f64::INFINITY, ..Residual::default() };
                return Outcome { status: Status::Inaccurate, pivots: 0, nodes: 0, residual };
            }
        };
        let budget = clock.rest(budget);
        let outcome = if observer.wants_iterates() {
            let mut watch = Translated::impulses(&lowered, observer);
            self.solve_mlcp_with(lowered.mlcp(), budget, &mut solution.boxed, &mut watch)
        } else {
            self.solve_mlcp_with(lowered.mlcp(), budget, &mut solution.boxed, observer)
        };
        solution.contacts = lowered.contacts(&solution.boxed);
        solution.impulses = lowered.impulses(&solution.boxed);
        outcome
    }

    /// An answer that is not crisp is measured on the lowered problem, and if it does not hold there, the problem
    /// is solved there: the last rung of the ladder, with the whole matrix.
    fn second_opinion(
        &mut self,
        problem: &FrictionProblem,
        structured: Outcome,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let clock = Clock::new(&budget);
        let lowered = match FrictionMlcp::within(problem, Stabilisation::default(), &clock) {
            Ok(Some(lowered)) => lowered,
            // nobody has looked a second time
            Ok(None) => return Outcome { status: Status::Budget, ..structured },
            Err(_) => return structured,
        };
        let budget = clock.rest(budget);
        let mlcp = lowered.mlcp();
        let mut w = Vec::new();
        mlcp.slack(&solution.boxed.x, &mut w);
        let measured = Residual::of_mlcp(mlcp, &solution.boxed.x, &w);
        let solved = structured.status == Status::Solved && measured.natural <= SOLVED;
        if solved && self.structured.has_ended() {
            return structured;
        }
        let mut boxed = MlcpSolution::default();
        let left = Budget { pivots: budget.pivots.map(|p| p.saturating_sub(structured.pivots)), ..budget };
        let mut dense = self.solve_mlcp_with(mlcp, left, &mut boxed, observer);
        dense.pivots += structured.pivots;
        dense.nodes += structured.nodes;
        if dense.status != Status::Solved && (solved || dense.residual.energy > measured.energy) {
            let status = certified(structured.status, measured);
            return Outcome { status, pivots: dense.pivots, nodes: dense.nodes, residual: measured };
        }
        solution.contacts = lowered.contacts(&boxed);
        solution.impulses = lowered.impulses(&boxed);
        solution.basis.clear();
        solution.boxed = boxed;
        dense
    }
}

/// An answer of Lloyd's methods that is solved on the structure, and not crisp, has to hold on the lowered problem too: contacts that nearly
/// repeat each other let the two part by more than the tolerance.
fn looked_at_again(
    problem: &FrictionProblem,
    outcome: Outcome,
    clock: &Clock,
    solution: &FrictionSolution,
) -> Outcome {
    if outcome.status != Status::Solved || crisp(outcome) {
        return outcome;
    }
    match FrictionMlcp::within(problem, Stabilisation::default(), clock) {
        Ok(Some(lowered)) => {
            let (x, mut w) = (&solution.boxed.x, Vec::new());
            lowered.mlcp().slack(x, &mut w);
            let residual = Residual::of_mlcp(lowered.mlcp(), x, &w);
            let status = certified(Status::Solved, residual);
            if status == Status::Solved { outcome } else { Outcome { status, residual, ..outcome } }
        }
        Ok(None) => Outcome { status: Status::Budget, ..outcome },
        // too large for a matrix: the structure has the only word
        Err(_) => outcome,
    }
}

/// Solved with room to spare: by whatever matrix, such an answer is right.
fn crisp(outcome: Outcome) -> bool {
    outcome.status == Status::Solved && outcome.residual.natural <= tolerances::TO_SPARE * SOLVED
}
