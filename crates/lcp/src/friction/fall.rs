//! What a part of a problem falls back on when its road ends without an answer.
//!
//! ```text
//!     from memory ─► from nothing, where rows are few ─► best iterate, if it is near ─► the convex law
//! ```
//!
//! The convex law ([`super::convex`]) is a floor: it has one answer whatever the problem, makes no energy and ends jams, and is another
//! law than Coulomb's. Each part falls for itself: bodies that nothing connects to those in trouble keep the answer they would
//! have alone. How far any of them fell is told by [`Structured::fell`].

use super::layout::Layout;
use super::task::FrictionTask;
use super::warm::{ConeShape, RowIds, WarmStart};
use super::{FrictionSolution, Structured};
use crate::clock::Clock;
use crate::observer::Observer;
use crate::observer::watched;
use crate::outcome::{Budget, Outcome, Status};
use crate::problem::FrictionProblem;

/// The scaled residual of a best iterate that is taken before an answer to another law.
const NEARLY: f64 = 1e-6;
/// Scalar rows of a part up to which a second solve takes milliseconds.
const FEW_ROWS: usize = 150;

/// Where an answer came from, the worst part last.
///
/// ```
/// use gudgeon_lcp::Rung;
///
/// // of two parts, what is told is how far the lower one fell
/// assert_eq!(Rung::Cold.max(Rung::Convex), Rung::Convex);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Rung {
    /// From the road, as asked.
    #[default]
    Asked,
    /// From the road, with nothing remembered.
    Cold,
    /// The best iterate, within a millionth of an answer or the nearest to one that there is.
    BestIterate,
    /// The convex law.
    Convex,
}

/// How far the parts of a problem fell.
///
/// ```
/// use gudgeon_lcp::{Budget, FrictionProblem, FrictionSolution, RowIds, Rung, Structured, WarmStart};
///
/// let w = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]];
/// let block = FrictionProblem::local(&w, vec![-0.1, 0.3, 0.0], vec![0.5])?.with_facets(8)?;
/// let (mut solver, mut warm) = (Structured::default(), WarmStart::default());
/// let mut answer = FrictionSolution::default();
/// let (ids, budget) = (RowIds::default(), Budget::default());
/// let outcome = solver.solve_falling(&block, ids, &mut warm, budget, &mut answer, &mut ());
/// assert!(outcome.is_solved());
/// assert_eq!(solver.fell().rung, Rung::Asked);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fell {
    /// The lowest rung.
    pub rung: Rung,
    /// How the first part that fell had ended; `Solved` if none did.
    pub first: Status,
}

impl Default for Fell {
    fn default() -> Self {
        Self { rung: Rung::Asked, first: Status::Solved }
    }
}

/// Memory of a part that falls.
#[derive(Debug, Clone, Default)]
pub(super) struct Fall {
    /// Whether parts may.
    on: bool,
    fell: Fell,
    kept: FrictionSolution,
    /// Rows that other parts remember already.
    known: usize,
    nothing: WarmStart,
}

impl Structured {
    /// As [`Structured::solve_warm`] with round cones; a part that ends without an answer falls back, see [`Rung`]. Out of budget
    /// the best iterate is the answer.
    pub fn solve_falling(
        &mut self,
        problem: &FrictionProblem,
        ids: RowIds<'_>,
        warm: &mut WarmStart,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_falling_by(problem, ids, warm, budget, solution, o))
    }

    fn solve_falling_by(
        &mut self,
        problem: &FrictionProblem,
        ids: RowIds<'_>,
        warm: &mut WarmStart,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        (self.fall.on, self.fall.fell) = (true, Fell::default());
        let outcome = self.solve_warm(
            FrictionTask { problem, cone: ConeShape::Exact, ids, budget },
            warm,
            solution,
            observer,
        );
        self.fall.on = false;
        outcome
    }

    /// How far the parts of the last [`Structured::solve_falling`] fell.
    pub fn fell(&self) -> Fell {
        self.fall.fell
    }

    /// Solves one part, with what it falls back on.
    pub(super) fn solve_part(
        &mut self,
        task: FrictionTask<'_>,
        warm: &WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let (known, clock, budget) = (self.next.len(), Clock::new(&task.budget), task.budget);
        let first = self.solve_whole(task, warm, solution, observer);
        // out of what the caller allows, not of a bound of the road's own
        let limited = budget.pivots.is_some() || budget.seconds.is_some() || clock.expired();
        let ended = first.status == Status::Solved || first.status == Status::Budget && limited;
        if !self.fall.on || ended {
            return first;
        }
        if self.fall.fell.first == Status::Solved {
            self.fall.fell.first = first.status;
        }
        let budget = clock.rest(Budget { pivots: None, ..budget });
        let mut fall = std::mem::take(&mut self.fall);
        fall.known = known;
        let task = FrictionTask { budget, ..task };
        let (rung, outcome) = self.lower(&mut fall, first, task, warm, solution, observer);
        fall.fell.rung = fall.fell.rung.max(rung);
        self.fall = fall;
        outcome
    }

    /// From rung to rung until one holds; the answer of the first try is in `solution`, what it remembers behind
    /// `fall.known`.
    fn lower(
        &mut self,
        fall: &mut Fall,
        first: Outcome,
        task: FrictionTask<'_>,
        warm: &WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> (Rung, Outcome) {
        let finite = |solution: &FrictionSolution| solution.impulses.iter().all(|x| x.is_finite());
        let FrictionTask { problem, budget, .. } = task;
        let (known, clock) = (fall.known, Clock::new(&budget));
        let mut best = first;
        let mut least = if finite(solution) { first.residual.natural } else { f64::INFINITY };
        fall.kept.clone_from(solution);
        let mut remembered = self.next.split_off(known);
        if problem.n_rows() <= FEW_ROWS {
            let cold = self.solve_whole(
                FrictionTask { cone: ConeShape::Exact, ..task },
                &fall.nothing,
                solution,
                observer,
            );
            if cold.status == Status::Solved {
                return (Rung::Cold, cold);
            }
            let again = self.next.split_off(known);
            if finite(solution) && cold.residual.natural < least {
                (best, least, remembered) = (cold, cold.residual.natural, again);
                fall.kept.clone_from(solution);
            }
        }
        // written so that NaN falls
        let near = least <= NEARLY;
        if !near {
            let left = clock.rest(budget);
            let floor = self.solve_whole(
                FrictionTask { cone: ConeShape::Convex, budget: left, ..task },
                warm,
                solution,
                observer,
            );
            if floor.residual.natural <= NEARLY && finite(solution) {
                // an answer to another law is not called solved
                return (Rung::Convex, Outcome { status: first.status, ..floor });
            }
            self.next.truncate(known);
        }
        solution.clone_from(&fall.kept);
        self.next.extend(&remembered);
        if !finite(solution) {
            best = Layout::new(problem).begin(solution);
            best.status = first.status;
            best.residual.natural = f64::INFINITY;
        }
        (Rung::BestIterate, best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{FactoredForm, FactoredRow};

    /// Rows over the degrees of freedom from `first` on: one contact with its velocities.
    fn contact(form: &mut FactoredForm, first: usize, rows: [[f64; 3]; 3], velocity: [f64; 3]) {
        let index = [first, first + 1, first + 2];
        let row =
            |k: usize| FactoredRow { index: &index, value: &rows[k], velocity: velocity[k], compliance: 0.0 };
        form.contact(0.5, [row(0), row(1), row(2)]);
    }

    const UP: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    const DOWN: [[f64; 3]; 3] = [[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    fn solve(form: FactoredForm) -> (Structured, FrictionSolution) {
        let problem = FrictionProblem::factored(form).expect("rows of points");
        let (mut solver, mut warm) = (Structured::default(), WarmStart::default());
        let mut solution = FrictionSolution::default();
        let ids: Vec<u64> = (0..problem.n_contacts() as u64).collect();
        let ids = RowIds { contacts: &ids, ..RowIds::default() };
        let outcome =
            solver.solve_falling(&problem, ids, &mut warm, Budget::default(), &mut solution, &mut ());
        assert_eq!(outcome.status == Status::Solved, solver.fell().rung == Rung::Asked);
        (solver, solution)
    }

    /// A point between two plates that both close on it has no answer in the rigid law: it falls to the convex one. A point that
    /// slides on a floor beside it has the answer of its own law, to the bit.
    #[test]
    fn parts_fall_for_themselves() {
        let slides = [-1.0, 2.0, 0.3];
        let mut alone = FactoredForm::default();
        alone.clear(3);
        contact(&mut alone, 0, UP, slides);
        let (solver, own) = solve(alone);
        assert_eq!(solver.fell(), Fell::default());

        let mut both = FactoredForm::default();
        both.clear(6);
        contact(&mut both, 0, UP, slides);
        contact(&mut both, 3, UP, [-1.0, 0.0, 0.0]);
        contact(&mut both, 3, DOWN, [-1.0, 0.0, 0.0]);
        let (solver, beside) = solve(both);
        assert_eq!(solver.fell().rung, Rung::Convex);
        assert_ne!(solver.fell().first, Status::Solved);
        assert_eq!(beside.contacts[0], own.contacts[0]);
        assert!(beside.contacts[1].impulse[0] > 1.0, "{:?}", beside.contacts);
    }
}
