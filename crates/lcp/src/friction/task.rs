//! What is asked of the solver: rows, their names, the law, and the limits.

use super::warm::{ConeShape, RowIds};
use crate::outcome::Budget;
use crate::problem::FrictionProblem;

/// A friction problem with what a solve has to know of it; what is remembered and what is answered are the caller's.
///
/// ```
/// use gudgeon_lcp::{Budget, ConeShape, FrictionProblem, FrictionSolution, FrictionTask, RowIds, Structured, WarmStart};
///
/// let w = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]];
/// let block = FrictionProblem::local(&w, vec![-0.1, 0.3, 0.0], vec![0.5])?.with_facets(8)?;
/// let ids = RowIds { contacts: &[7], ..RowIds::default() };
/// let task = FrictionTask { problem: &block, cone: ConeShape::Exact, ids, budget: Budget::default() };
/// let (mut solver, mut memory) = (Structured::default(), WarmStart::default());
/// let mut answer = FrictionSolution::default();
/// assert!(solver.solve_warm(task, &mut memory, &mut answer, &mut ()).is_solved());
/// // the same contact next time, by its name
/// assert!(solver.solve_warm(task, &mut memory, &mut answer, &mut ()).is_solved());
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct FrictionTask<'a> {
    /// The rows.
    pub problem: &'a FrictionProblem,
    /// The law of friction.
    pub cone: ConeShape,
    /// The names by which rows are remembered.
    pub ids: RowIds<'a>,
    /// What it may cost.
    pub budget: Budget,
}

impl FrictionTask<'_> {
    /// The same within other limits.
    pub(super) fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}
