//! The papers' own methods on the contact problem, with Yamane's two-step start [Yamane §IV-C].
//!
//! The frictionless problem is solved first; its basis is where the frictional one starts. Methods that know no basis
//! (`murty`, `pgs`, ..) start cold, and `structural` and `reduced` have their own way to grow.
//!
//! `search` is given the problem in units of its own, M′ = D M D with a diagonal of ones and q′ = D q / s of size one, and
//! an ε to go with them. The paper's ε, 1e-3, is meant for forces of some newtons and an answer that is good to 1e-3;
//! the impulses of a millisecond are a thousandth of them, and an answer here must be good to 1e-9. With 1e-3 as it stands
//! every node passes and all of 200 problems of the squat end in one that is not an answer.

use gudgeon_lcp::{
    Budget, FrictionLcp, FrictionProblem, FrictionSolution, Lcp, Lemke, Lexicographic, Method, MlcpSolution,
    Outcome, Residual, Search, Solution, Solver, Stabilisation, Start, Status,
};

/// ε of `search`, of the largest velocity in the problem: as good as an answer must be. From 1e-8 to 1e-12 all of 15
/// problems of the squat are solved, 14 with 1e-7, none with 1e-4.
const SEARCH_EPSILON: f64 = 1e-9;
/// Nodes of `search` in a step, unless the caller says otherwise: the squat takes about 130, and a string of 30 contacts
/// would else spend minutes on a problem that robust then solves in a millisecond.
const SEARCH_NODES: usize = 1000;
/// e_max of `search`, in the same units: the paper's.
const SEARCH_ERROR: f64 = 1e-3;

/// A method that works on the lowered problem.
#[derive(Debug, Clone)]
pub(crate) struct PaperMethod {
    asked: (Method, f64),
    engine: PaperSolver,
    standard: Solution,
    boxed: MlcpSolution,
    basis: Vec<bool>,
}

#[derive(Debug, Clone)]
enum PaperSolver {
    Lemke(Box<Lemke>),
    Lexicographic(Box<Lexicographic>),
    Search(Box<Search>),
    Other(Box<Solver>),
}

impl PaperMethod {
    pub(crate) fn new(method: Method, delta: f64) -> Self {
        let engine = match method {
            Method::Lemke => PaperSolver::Lemke(Box::default()),
            Method::Lexicographic => {
                let mut engine = Box::<Lexicographic>::default();
                engine.delta = delta;
                PaperSolver::Lexicographic(engine)
            }
            Method::Search => {
                PaperSolver::Search(Box::new(Search::with_thresholds(SEARCH_EPSILON, SEARCH_ERROR)))
            }
            other => PaperSolver::Other(Box::new(Solver::new(other))),
        };
        let (standard, boxed, basis) = (Solution::default(), MlcpSolution::default(), Vec::new());
        Self { asked: (method, delta), engine, standard, boxed, basis }
    }

    /// Whether it was made for this method and this Δ.
    pub(crate) fn is(&self, method: Method, delta: f64) -> bool {
        self.asked == (method, delta)
    }

    pub(crate) fn solve(
        &mut self,
        problem: &FrictionProblem,
        budget: Budget,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        if let PaperSolver::Other(solver) = &mut self.engine {
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
            PaperSolver::Lemke(engine) => engine.solve_with(lcp, start, budget, solution, &mut ()),
            PaperSolver::Lexicographic(engine) => engine.solve_with(lcp, start, budget, solution, &mut ()),
            PaperSolver::Search(engine) => {
                let budget = Budget { nodes: budget.nodes.or(Some(SEARCH_NODES)), ..budget };
                let Some((scaled, d, size)) = scaled(lcp) else {
                    return engine.solve_with(lcp, start, budget, solution, &mut ());
                };
                let outcome = engine.solve_with(&scaled, start, budget, solution, &mut ());
                for (z, d) in solution.z.iter_mut().zip(&d) {
                    *z *= d * size;
                }
                for (w, d) in solution.w.iter_mut().zip(&d) {
                    *w *= size / d;
                }
                outcome
            }
            PaperSolver::Other(engine) => engine.solve_with(lcp, start, budget, solution, &mut ()),
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
        let Ok(small) = Lcp::from_column_major(m, q).map(Lcp::with_noise) else { return false };
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

/// M′, q′ with D and s, all powers of two: nothing is rounded.
fn scaled(lcp: &Lcp) -> Option<(Lcp, Vec<f64>, f64)> {
    let n = lcp.n();
    let power = |x: f64| x.log2().round().exp2();
    let scale = |i: usize| {
        let diagonal = lcp.m()[i * n + i];
        if diagonal > 0.0 { power(1.0 / diagonal.sqrt()) } else { 1.0 }
    };
    let d: Vec<f64> = (0..n).map(scale).collect();
    let largest = lcp.q().iter().zip(&d).fold(0.0_f64, |m, (q, d)| m.max((q * d).abs()));
    let size = if largest > 0.0 { power(largest) } else { 1.0 };
    let m = lcp.m().iter().enumerate().map(|(k, m)| m * d[k % n] * d[k / n]).collect();
    let q = lcp.q().iter().zip(&d).map(|(q, d)| q * d / size).collect();
    Lcp::from_column_major(m, q).ok().map(Lcp::with_noise).map(|lcp| (lcp, d, size))
}
