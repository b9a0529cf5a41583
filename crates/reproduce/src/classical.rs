//! Yamane's rivals judged as in the paper: Lemke's method, plain and lexicographic, with the two-step start
//! [Yamane §IV-C] and the paper's own error [Yamane §III]:
//!
//! ```text
//!     error = ‖w − M z − z₀ c − q‖  of the last basis        no solution, cycle, or error > e_max      [Yamane §V-A]
//! ```
//! A slightly negative force or velocity, which is what a wide threshold Δ leaves behind, is no error in this sense. In
//! ours it is.

use std::time::Instant;

use gudgeon_lcp::{
    Budget, FrictionLcp, FrictionProblem, Lcp, Lemke, Lexicographic, Mlcp, Observer, Outcome, PivotEvent,
    Solution, Stabilisation, Start, Status, Variable,
};
use serde_json::{Value, json};

use super::runs::{Tally, median};

/// The permissible error [Yamane §V]: theirs in raw units, ours where the largest free velocity is one.
pub(super) const E_MAX: f64 = 1e-3;

/// Keeps the last exchange, with its error.
#[derive(Default)]
struct Last(Option<PivotEvent>);

impl Observer for Last {
    fn pivot(&mut self, event: &PivotEvent) {
        self.0 = Some(*event);
    }

    fn wants_errors(&self) -> bool {
        true
    }
}

enum ClassicalSolver {
    Lemke(Box<Lemke>),
    Lexicographic(Box<Lexicographic>),
}

impl ClassicalSolver {
    fn solve(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        match self {
            Self::Lemke(lemke) => lemke.solve_with(lcp, start, Budget::default(), solution, observer),
            Self::Lexicographic(lex) => lex.solve_with(lcp, start, Budget::default(), solution, observer),
        }
    }
}

/// A method on the problems of a run, judged by the paper's e_max and by our own 1e-9. It sees them in energy units, as
/// everywhere in this project, or raw, as in the paper.
pub(super) struct Contender {
    pub(super) name: String,
    engine: ClassicalSolver,
    raw: bool,
    solution: Solution,
    pub(super) strict: Tally,
    pub(super) paper: Tally,
    pub(super) pivots: usize,
    active: usize,
    seconds: Vec<f64>,
}

impl Contender {
    fn new(name: String, engine: ClassicalSolver) -> Self {
        let (strict, paper) = (Tally::default(), Tally::default());
        let solution = Solution::default();
        Self { name, engine, raw: false, solution, strict, paper, pivots: 0, active: 0, seconds: Vec::new() }
    }

    /// Lemke's method; pivots below 1e-10 of their column are refused.
    pub(super) fn lemke() -> Self {
        Self::new("lemke".into(), ClassicalSolver::Lemke(Box::default()))
    }

    /// Lemke's method, every negative number a pivot.
    pub(super) fn literal() -> Self {
        Self::new("lemke, literal".into(), ClassicalSolver::Lemke(Box::new(Lemke::with_pivot_tolerance(0.0))))
    }

    /// Lexicographic ordering with a threshold.
    pub(super) fn lexicographic(delta: f64) -> Self {
        let name = if delta == 0.0 { "lexicographic 0".into() } else { format!("lexicographic {delta:.0e}") };
        Self::new(name, ClassicalSolver::Lexicographic(Box::new(Lexicographic::with_delta(delta))))
    }

    /// The same on raw numbers: N or N s, and m/s.
    pub(super) fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    pub(super) fn solve(&mut self, problem: &FrictionProblem) {
        let Ok(lowered) = FrictionLcp::new(problem, Stabilisation::default()) else { return };
        let raw = if self.raw { raw(lowered.mlcp()) } else { None };
        let Some(lcp) = raw.as_ref().or_else(|| lowered.lcp()) else { return };
        let basis = self.frictionless(lcp, problem);
        let start = basis.as_deref().map_or(Start::Cold, Start::Basis);
        // the paper's "LCP solve time" is that of the frictional problem; its error is measured in a second solve
        let began = Instant::now();
        let outcome = self.engine.solve(lcp, start, &mut self.solution, &mut ());
        self.seconds.push(began.elapsed().as_secs_f64());
        let mut last = Last::default();
        let again = self.engine.solve(lcp, start, &mut self.solution, &mut last);
        debug_assert_eq!(again.status, outcome.status, "the same input, the same answer");
        self.pivots += outcome.pivots;
        self.strict.add(outcome.status);
        self.paper.add(paper_status(outcome.status, &last));
        // the normal impulses are the first unknowns, in any unit
        self.active += self.solution.z.iter().take(problem.n_contacts()).filter(|z| **z > 0.0).count();
    }

    /// The basis of the problem without friction, spread over all unknowns; none if that fails.
    fn frictionless(&mut self, lcp: &Lcp, problem: &FrictionProblem) -> Option<Vec<bool>> {
        let (n, contacts) = (lcp.n(), problem.n_contacts());
        let friction = contacts..contacts * (problem.facets() + 2);
        let kept: Vec<usize> = (0..n).filter(|i| !friction.contains(i)).collect();
        let m = kept.iter().flat_map(|&j| kept.iter().map(move |&i| lcp.entry(i, j))).collect();
        let q = kept.iter().map(|&i| lcp.q()[i]).collect();
        let small = Lcp::from_column_major(m, q).ok()?.with_noise();
        let outcome = self.engine.solve(&small, Start::Cold, &mut self.solution, &mut ());
        self.pivots += outcome.pivots;
        let mut basis = vec![false; n];
        kept.iter().zip(&self.solution.z).for_each(|(&i, &z)| basis[i] = z > 0.0);
        (outcome.status == Status::Solved).then_some(basis)
    }

    pub(super) fn active(&self) -> f64 {
        self.active as f64 / self.paper.frames.max(1) as f64
    }

    pub(super) fn solve_ms(&self) -> f64 {
        1e3 * median(&mut self.seconds.clone())
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "method": self.name, "by_e_max": self.paper.to_json(), "by_1e-9": self.strict.to_json(),
            "pivots": self.pivots, "active": self.active(), "solve_ms_median": self.solve_ms(),
        })
    }
}

/// A boxed problem whose unknowns are all free upwards from zero is a standard one.
fn raw(mlcp: &Mlcp) -> Option<Lcp> {
    let n = mlcp.n();
    if (0..n).any(|i| mlcp.lo()[i] != 0.0 || mlcp.hi()[i] != f64::INFINITY) {
        return None;
    }
    Lcp::from_column_major(mlcp.a().to_vec(), mlcp.b().to_vec()).ok().map(Lcp::with_noise)
}

/// How the paper would have called the end of a path.
fn paper_status(status: Status, last: &Last) -> Status {
    match (status, last.0) {
        (Status::Cycle | Status::Budget, _) => status,
        // z₀ is gone: a solution, if its equations hold
        (_, Some(event)) if event.leaving == Variable::Z0 => {
            if event.error <= E_MAX {
                Status::Solved
            } else {
                Status::Inaccurate
            }
        }
        (Status::Solved, _) => Status::Solved,
        // no row could leave, whether or not the ray is a true one
        _ => Status::Ray,
    }
}
