//! The answer to a friction problem.

use crate::outcome::MlcpSolution;
use crate::problem::ContactAnswer;

/// An answer to a [`crate::FrictionProblem`].
///
/// ```
/// use gudgeon_lcp::{ContactMode, FrictionProblem, FrictionSolution, Method, Solver};
///
/// let delassus = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let problem = FrictionProblem::local(&delassus, vec![1.0, 0.2, 0.0], vec![0.5])?;
/// let mut answer = FrictionSolution::default();
/// let _ = Solver::new(Method::Robust).solve_friction(&problem, &mut answer);
/// assert_eq!(answer.contacts[0].mode, ContactMode::Open); // it leaves
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FrictionSolution {
    /// The contacts, in the problem's order.
    pub contacts: Vec<ContactAnswer>,
    /// The impulses of all rows: contacts in blocks of three, unilateral, bounded, equality.
    pub impulses: Vec<f64>,
    /// The unknowns of the lowered problem, in the order of [`crate::FrictionProblem::to_mlcp`].
    pub boxed: MlcpSolution,
    /// The basis of the structured solver, for the next warm start; empty from other methods.
    pub basis: Vec<bool>,
}
