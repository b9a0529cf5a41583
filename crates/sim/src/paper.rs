//! The papers' own methods on the contact problem, with Yamane's two-step start [Yamane §IV-C].
//!
//! The frictionless problem is solved first; its basis is where the frictional one starts. Methods that know no basis
//! (`murty`, `pgs`, ..) start cold, and `structural` and `reduced` have their own way to grow.

use gudgeon_lcp::{
    Budget, FrictionLcp, FrictionProblem, FrictionSolution, Lcp, Lemke, Lexicographic, Method, MlcpSolution,
    Outcome, Residual, Search, Solution, Solver, Stabilisation, Start, Status,
};

/// A method that works on the lowered problem.
#[derive(Debug, Clone)]
pub(crate) struct PaperMethod {
    engine: Engine,
    standard: Solution,
    boxed: MlcpSolution,
    basis: Vec<bool>,
}

#[derive(Debug, Clone)]
enum Engine {
    Lemke(Box<Lemke>),
    Lexicographic(Box<Lexicographic>),
    Search(Box<Search>),
    Other(Box<Solver>),
}

impl PaperMethod {
    pub(crate) fn new(method: Method, delta: f64) -> Self {
        let engine = match method {
            Method::Lemke => Engine::Lemke(Box::default()),
            Method::Lexicographic => {
                let mut engine = Box::<Lexicographic>::default();
                engine.delta = delta;
                Engine::Lexicographic(engine)
            }
            Method::Search => Engine::Search(Box::default()),
            other => Engine::Other(Box::new(Solver::new(other))),
        };
        Self { engine, standard: Solution::default(), boxed: MlcpSolution::default(), basis: Vec::new() }
    }

    pub(crate) fn solve(
        &mut self,
        problem: &FrictionProblem,
        budget: Budget,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        if let Engine::Other(solver) = &mut self.engine {
            return solver.solve_friction_with(problem, Stabilisation::default(), budget, solution, &mut ());
        }
        let failed = Outcome {
            status: Status::Inaccurate,
            pivots: 0,
            nodes: 0,
            residual: Residual { natural: f64::INFINITY, ..Residual::default() },
        };
        let Ok(lowered) = FrictionLcp::new(problem, Stabilisation::default()) else { return failed };
        let mut outcome = Outcome { status: Status::Solved, ..failed };
        if let Some(lcp) = lowered.lcp() {
            let mut pivots = 0;
            let started = self.frictionless(lcp, problem.facets(), problem.n_contacts(), budget, &mut pivots);
            let basis = std::mem::take(&mut self.basis);
            let start = if started { Start::Basis(&basis) } else { Start::Cold };
            outcome = self.run(lcp, start, budget);
            outcome.pivots += pivots;
            self.basis = basis;
        }
        lowered.recover(&self.standard, &mut self.boxed);
        let impulses = lowered.impulses(&self.boxed);
        solution.impulses = impulses;
        solution.contacts = lowered.contacts(&self.boxed);
        solution.boxed.clone_from(&self.boxed);
        solution.basis.clear();
        outcome
    }

    fn run(&mut self, lcp: &Lcp, start: Start<'_>, budget: Budget) -> Outcome {
        let solution = &mut self.standard;
        match &mut self.engine {
            Engine::Lemke(engine) => engine.solve_with(lcp, start, budget, solution, &mut ()),
            Engine::Lexicographic(engine) => engine.solve_with(lcp, start, budget, solution, &mut ()),
            Engine::Search(engine) => engine.solve_with(lcp, start, budget, solution, &mut ()),
            Engine::Other(engine) => engine.solve_with(lcp, start, budget, solution, &mut ()),
        }
    }

    /// Solves the rows without φ and λ; their basis, spread over all unknowns, goes into `basis`.
    fn frictionless(
        &mut self,
        lcp: &Lcp,
        sides: usize,
        contacts: usize,
        budget: Budget,
        pivots: &mut usize,
    ) -> bool {
        let n = lcp.n();
        let friction = contacts..contacts * (sides + 2);
        let kept: Vec<usize> = (0..n).filter(|i| !friction.contains(i)).collect();
        let k = kept.len();
        let mut m = Vec::with_capacity(k * k);
        for &j in &kept {
            m.extend(kept.iter().map(|&i| lcp.m()[j * n + i]));
        }
        let q = kept.iter().map(|&i| lcp.q()[i]).collect();
        let Ok(small) = Lcp::from_column_major(m, q) else { return false };
        let outcome = self.run(&small, Start::Cold, budget);
        *pivots += outcome.pivots;
        self.basis.clear();
        self.basis.resize(n, false);
        for (&i, &z) in kept.iter().zip(&self.standard.z) {
            self.basis[i] = z > 0.0;
        }
        outcome.status == Status::Solved
    }
}
