//! From a run of the active set to an answer in the caller's form, and how much a run may spend.

use crate::clock::Clock;
use crate::measure::row_error;
use crate::observer::Observer;
use crate::outcome::{Budget, MlcpSolution, Outcome, Residual, SOLVED, Side, Solution, Start, Status};
use crate::problem::{Lcp, Mlcp};

use super::{ActiveSet, Effort, View};

impl Effort {
    /// All that the budget allows: for methods that have nothing else to try.
    pub(crate) fn whole(budget: &Budget, n: usize) -> Self {
        let pivots = budget.pivots.unwrap_or_else(|| (50 * n).max(200_000));
        let clock = Clock::new(budget);
        Self {
            patience: 10,
            sets: usize::MAX,
            pivots,
            interior: true,
            proximal: true,
            warm: false,
            shares: false,
            clock,
        }
    }

    /// A quick try before a method that takes longer: a few dozen factorisations.
    pub(crate) fn quick(budget: &Budget, n: usize) -> Self {
        Self { patience: 5, sets: 40, proximal: false, ..Self::whole(budget, n) }
    }

    /// Only to see whether the start is the answer.
    pub(crate) fn none(budget: &Budget) -> Self {
        Self { patience: 0, sets: 0, proximal: false, ..Self::whole(budget, 1) }
    }
}

impl ActiveSet {
    /// Runs on a standard problem; the answer is written whatever its worth.
    pub(crate) fn solve_lcp(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        effort: Effort,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let view = View::from(lcp);
        let outcome = self.solve_view(&view, start, effort, observer);
        self.write_lcp(solution);
        outcome
    }

    /// Runs on a boxed problem without friction indices; none if it has some.
    pub(crate) fn solve_mlcp(
        &mut self,
        mlcp: &Mlcp,
        start: Start<'_>,
        effort: Effort,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let view = View::of_mlcp(mlcp)?;
        let outcome = self.solve_view(&view, start, effort, observer);
        self.write_mlcp(solution);
        Some(outcome)
    }

    /// Projected Gauss-Seidel on a problem that was given sparse; none if it was not, or has friction indices.
    pub(crate) fn sweep(
        &mut self,
        view: &View<'_>,
        omega: f64,
        start: Start<'_>,
        budget: Budget,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let a = view.matrix.as_sparse()?;
        let mut guess = Vec::new();
        if !matches!(start, Start::Cold | Start::Iterate(_)) {
            // a set that may be the answer: one factorisation and one check, and its x to begin with if it is not
            let outcome = self.solve_view(view, start, Effort::none(&budget), observer);
            if outcome.is_solved() {
                return Some(outcome);
            }
            guess.clone_from(&self.x);
        }
        let start = if guess.is_empty() { start } else { Start::Iterate(&guess) };
        self.forget();
        self.base.know(view);
        let (mut x, mut w) = (std::mem::take(&mut self.x), std::mem::take(&mut self.w));
        let Self { base, verdict, .. } = self;
        let terms = base.terms(view);
        let natural = |x: &[f64], w: &[f64]| verdict.natural(&terms, view.b, x, w, |i| view.bounds(i));
        let (status, sweeps) =
            super::sweep::sweeps(a, view, omega, (start, budget), (&mut x, &mut w), natural, observer);
        (self.x, self.w) = (x, w);
        view.sides(Start::Iterate(&self.x), &mut self.sides);
        self.pivots = sweeps;
        Some(self.outcome(view, status))
    }

    /// The answer of the last run, as that to a standard problem.
    pub(crate) fn write_lcp(&self, solution: &mut Solution) {
        solution.z.clone_from(&self.x);
        solution.w.clone_from(&self.w);
        solution.basis.clear();
        solution.basis.extend(self.sides.iter().map(|&side| side == Side::Free));
        solution.ray = None;
    }

    /// The same for a boxed one.
    pub(crate) fn write_mlcp(&self, solution: &mut MlcpSolution) {
        solution.x.clone_from(&self.x);
        solution.w.clone_from(&self.w);
        solution.sides.clone_from(&self.sides);
        solution.ray = None;
    }

    fn solve_view(
        &mut self,
        view: &View<'_>,
        start: Start<'_>,
        effort: Effort,
        observer: &mut impl Observer,
    ) -> Outcome {
        if start == Start::Previous {
            let last = std::mem::take(&mut self.sides);
            let start = if last.len() == view.n() { Start::Sides(&last) } else { Start::Cold };
            view.sides(start, &mut self.sides);
        } else {
            // a new solver would have no factors
            self.forget();
            view.sides(start, &mut self.sides);
        }
        // a basis is taken at its word: singular is singular
        let (warm, shares) = (start != Start::Cold, !matches!(start, Start::Basis(_)));
        let status = self.run(view, Effort { warm, shares, ..effort }, observer);
        self.outcome(view, status)
    }

    /// The three measures of x within its bounds.
    pub(super) fn residual(&mut self, view: &View<'_>) -> Residual {
        let natural = self.natural(view);
        let mut residual = Residual { natural, ..Residual::default() };
        for i in 0..view.n() {
            let (lo, hi) = view.bounds(i);
            let row = row_error(self.x[i], self.w[i], lo, hi, self.base.mass(i));
            residual.fischer_burmeister += row.fischer_burmeister;
            residual.energy += row.energy;
        }
        residual
    }

    /// The verdict on the last iterate.
    fn outcome(&mut self, view: &View<'_>, status: Status) -> Outcome {
        let residual = self.residual(view);
        // written so that NaN is not solved
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: self.pivots, nodes: self.pivots, residual }
    }
}
