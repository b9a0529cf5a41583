//! A method together with its scratch memory: which form of a problem goes to whom.

mod engine;
mod friction;
mod method;
mod translated;

use crate::active::{ActiveSet, Effort, View};
use crate::clock::Clock;
use crate::convert::{BoxedJudge, MlcpLcp};
use crate::friction::{Structured, WarmStart};
use crate::ledger::{overflowed, refused};
use crate::observer::Observer;
use crate::observer::watched;
use crate::outcome::{Budget, MlcpSolution, Outcome, Residual, Side, Solution, Start, Status, certified};
use crate::problem::{Lcp, Mlcp};

use engine::Engine;
pub use method::{Method, UnknownMethod};
use translated::Translated;

/// From this size on, `robust` tries an active set before it follows a path.
const ACTIVE_FROM: usize = 24;

/// Up to this size a path costs about as much as the blocks that may not end.
const PATH_MOST: usize = 300;

/// A method with its scratch memory. A start other than [`Start::Previous`] sees nothing of earlier answers: drop the
/// solver, clone it or make a new one, and the next answer is the same.
///
/// ```
/// use gudgeon_lcp::{Lcp, Lexicographic, Method, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0]], vec![-4.0])?;
/// let mut answer = Solution::default();
/// for mut solver in [Solver::new(Method::Robust), Solver::from(Lexicographic::with_delta(1e-8))] {
///     assert!(solver.solve(&lcp, &mut answer).is_solved());
///     assert_eq!(answer.z, [2.0]);
/// }
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Solver {
    engine: Engine,
    lowered: MlcpLcp,
    standard: Solution,
    pub(crate) structured: Box<Structured>,
    pub(crate) memory: WarmStart, // of friction problems
    active: Box<ActiveSet>,
}

impl Solver {
    /// A solver of this method with its default settings. For others, make the method's own struct and use
    /// `Solver::from`.
    pub fn new(method: Method) -> Self {
        Self::with_engine(Engine::new(method))
    }

    fn with_engine(engine: Engine) -> Self {
        Self {
            engine,
            lowered: MlcpLcp::default(),
            standard: Solution::default(),
            structured: Box::default(),
            memory: WarmStart::default(),
            active: Box::default(),
        }
    }

    /// Which method this is.
    pub fn method(&self) -> Method {
        self.engine.method()
    }

    /// Solves a standard problem from scratch.
    pub fn solve(&mut self, lcp: &Lcp, solution: &mut Solution) -> Outcome {
        self.solve_with(lcp, Start::Cold, Budget::default(), solution, &mut ())
    }

    /// Solves a standard problem from a start, within a budget, watched.
    pub fn solve_with(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_with_by(lcp, start, budget, solution, o))
    }

    fn solve_with_by(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let is_sparse = lcp.sparse().is_some();
        if let Some(outcome) = self.sweep_sparse(&View::from(lcp), start, budget, observer) {
            self.active.write_lcp(solution);
            return outcome;
        }
        let path_first = start == Start::Cold && self.follows_a_path(lcp);
        let effort = self.effort(lcp.n(), is_sparse, lcp.noise().is_none(), &budget, start);
        // full matrices: what the active set cannot settle at once the path does
        let effort = effort.map(|effort| Effort { interior: is_sparse && effort.interior, ..effort });
        let effort = effort.filter(|_| !path_first);
        let tried = effort.map(|effort| self.active.solve_lcp(lcp, start, effort, solution, observer));
        if let Some(outcome) = tried
            && (outcome.is_solved() || lcp.is_sparse_only())
        {
            return outcome;
        }
        if lcp.is_sparse_only() {
            return refused(lcp, solution);
        }
        let outcome = if start == Start::Previous {
            let basis: Vec<bool> = self.active.sides.iter().map(|&side| side == Side::Free).collect();
            let start = if basis.len() == lcp.n() { Start::Basis(&basis) } else { Start::Cold };
            self.engine.solve_with(lcp, start, budget, solution, observer)
        } else {
            self.engine.solve_with(lcp, start, budget, solution, observer)
        };
        let side = |&basic: &bool| if basic { Side::Free } else { Side::Lower };
        self.active.sides.clear();
        self.active.sides.extend(solution.basis.iter().map(side));
        outcome
    }

    /// Whether `robust` follows a path at once: blocks of a full matrix that is not symmetric (a quadratic program in standard
    /// form, a copositive problem) come and go without end as often as not, and the path is as quick as theirs.
    fn follows_a_path(&self, lcp: &Lcp) -> bool {
        let n = lcp.n();
        let in_question = (ACTIVE_FROM..=PATH_MOST).contains(&n);
        if !matches!(self.engine, Engine::Robust(_)) || lcp.sparse().is_some() || !in_question {
            return false;
        }
        let m = lcp.m();
        let symmetric = || (0..n).all(|j| (0..j).all(|i| m[j * n + i] == m[i * n + j]));
        let full = || 4 * m.iter().filter(|v| **v != 0.0).count() > n * n;
        full() && !symmetric()
    }

    /// Whether an active set is asked before the method itself, and how hard it may try.
    fn effort(
        &self,
        n: usize,
        is_sparse: bool,
        exact: bool,
        budget: &Budget,
        start: Start<'_>,
    ) -> Option<Effort> {
        match &self.engine {
            Engine::Robust(_) if is_sparse => Some(Effort::whole(budget, n)),
            Engine::BlockPivot(block) if is_sparse => {
                Some(Effort { patience: block.patience, proximal: false, ..Effort::whole(budget, n) })
            }
            Engine::Murty(_) if is_sparse => {
                Some(Effort { patience: 0, proximal: false, ..Effort::whole(budget, n) })
            }
            Engine::Robust(_)
                if n >= ACTIVE_FROM && exact && budget.pivots.is_none() && budget.nodes.is_none() =>
            {
                Some(Effort::quick(budget, n))
            }
            // from its own last basis every method answers by one factorisation
            _ if start != Start::Cold => Some(Effort::none(budget)),
            _ => None,
        }
    }

    /// Whether answers that are not sure stay as they are.
    pub(crate) fn stops_at_rounding(&self) -> bool {
        matches!(&self.engine, Engine::Robust(robust) if robust.to_rounding)
    }

    /// Gauss-Seidel on a sparse problem, if that is the method and it is one.
    fn sweep_sparse(
        &mut self,
        view: &View<'_>,
        start: Start<'_>,
        budget: Budget,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let Engine::Pgs(pgs) = &self.engine else { return None };
        self.active.sweep(view, pgs.relaxation, start, budget, observer)
    }

    /// Solves a boxed problem.
    pub fn solve_mlcp(&mut self, mlcp: &Mlcp, solution: &mut MlcpSolution) -> Outcome {
        self.solve_mlcp_with(mlcp, Budget::default(), solution, &mut ())
    }

    /// Solves a boxed problem within a budget, watched. Methods that know no bounds get the standard form.
    pub fn solve_mlcp_with(
        &mut self,
        mlcp: &Mlcp,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.solve_mlcp_from(mlcp, Start::Cold, budget, solution, observer)
    }

    /// The same from a start.
    pub fn solve_mlcp_from(
        &mut self,
        mlcp: &Mlcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_mlcp_from_by(mlcp, start, budget, solution, o))
    }

    fn solve_mlcp_from_by(
        &mut self,
        mlcp: &Mlcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let is_sparse = mlcp.sparse().is_some();
        if let Some(view) = View::of_mlcp(mlcp)
            && let Some(outcome) = self.sweep_sparse(&view, start, budget, observer)
        {
            self.active.write_mlcp(solution);
            return outcome;
        }
        let effort = self.effort(mlcp.n(), is_sparse, mlcp.noise().is_none(), &budget, start);
        let tried = effort.and_then(|effort| self.active.solve_mlcp(mlcp, start, effort, solution, observer));
        if let Some(outcome) = tried
            && (outcome.is_solved() || mlcp.is_sparse_only())
        {
            return outcome;
        }
        if mlcp.is_sparse_only() {
            return overflowed(mlcp, solution);
        }
        let last = (start == Start::Previous).then(|| self.active.sides.clone());
        let start = match &last {
            Some(sides) if sides.len() == mlcp.n() => Start::Sides(sides),
            Some(_) => Start::Cold,
            None => start,
        };
        let outcome = self.solve_boxed_by(mlcp, start, budget, solution, observer);
        solution.sides.clear();
        solution.sides.extend((0..mlcp.n()).map(|i| {
            let (lo, hi) = mlcp.bounds_at(i, &solution.x);
            if solution.x[i] <= lo {
                Side::Lower
            } else if solution.x[i] >= hi {
                Side::Upper
            } else {
                Side::Free
            }
        }));
        self.active.sides.clone_from(&solution.sides);
        outcome
    }

    fn solve_boxed_by(
        &mut self,
        mlcp: &Mlcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        match &mut self.engine {
            Engine::Dantzig(dantzig) => {
                return dantzig.solve_mlcp_with(mlcp, start, budget, solution, observer);
            }
            Engine::Pgs(pgs) => return pgs.solve_mlcp_with(mlcp, start, budget, solution, observer),
            Engine::BlockPivot(block) if is_plain_box(mlcp) => {
                return block.solve_mlcp_with(mlcp, start, budget, solution, observer);
            }
            Engine::Robust(_) => return self.solve_boxed(mlcp, budget, solution, observer),
            _ => {}
        }
        self.solve_lowered_form(mlcp, budget, solution, observer)
    }

    /// By way of the standard form.
    pub(crate) fn solve_lowered_form(
        &mut self,
        mlcp: &Mlcp,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut lowered = std::mem::take(&mut self.lowered);
        let mut standard = std::mem::take(&mut self.standard);
        let outcome = self.solve_lowered(mlcp, &mut lowered, &mut standard, budget, solution, observer);
        self.lowered = lowered;
        self.standard = standard;
        outcome
    }

    fn solve_lowered(
        &mut self,
        mlcp: &Mlcp,
        lowered: &mut MlcpLcp,
        standard: &mut Solution,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let clock = Clock::new(&budget);
        if lowered.rebuild(mlcp).is_err() {
            return overflowed(mlcp, solution);
        }
        let mut outcome =
            Outcome { status: Status::Solved, pivots: 0, nodes: 0, residual: Residual::default() };
        let mut shown = 0;
        // friction on normals that may pull needs their signs: each round corrects those that were wrong
        for _ in 0..8 {
            let budget = clock.rest(budget);
            if let Engine::Robust(robust) = &mut self.engine
                && lowered.keep_free().is_ok()
                && let Some((lcp, free)) = lowered.mixed()
            {
                let mut judge = BoxedJudge::new(mlcp, lowered, solution);
                let round = if observer.wants_iterates() {
                    let mut watch = Translated::boxed(mlcp, lowered, shown, observer);
                    let round =
                        robust.solve_mixed(lcp, free, Start::Cold, budget, standard, &mut judge, &mut watch);
                    shown = watch.shown;
                    round
                } else {
                    robust.solve_mixed(lcp, free, Start::Cold, budget, standard, &mut judge, observer)
                };
                if round.status == Status::Budget {
                    // the best by energy, not by residual
                    lowered.recover(mlcp, standard, solution);
                } else {
                    judge.settle(&standard.z);
                }
                outcome.status = round.status;
                outcome.pivots += round.pivots;
                outcome.nodes += round.nodes;
            } else {
                if let Some(lcp) = lowered.lcp() {
                    let round = if observer.wants_iterates() {
                        let mut watch = Translated::boxed(mlcp, lowered, shown, observer);
                        let round = self.solve_with(lcp, Start::Cold, budget, standard, &mut watch);
                        shown = watch.shown;
                        round
                    } else {
                        self.solve_with(lcp, Start::Cold, budget, standard, observer)
                    };
                    outcome.status = round.status;
                    outcome.pivots += round.pivots;
                    outcome.nodes += round.nodes;
                } else {
                    standard.z.clear();
                    standard.ray = None;
                }
                lowered.recover(mlcp, standard, solution);
            }
            let over = outcome.status == Status::Budget;
            if over || !lowered.flip_signs(mlcp, &solution.x) || lowered.lower(mlcp).is_err() {
                break;
            }
        }
        if !solution.x.iter().all(|x| x.is_finite()) {
            return Outcome { pivots: outcome.pivots, nodes: outcome.nodes, ..overflowed(mlcp, solution) };
        }
        outcome.residual = Residual::of_mlcp(mlcp, &solution.x, &solution.w);
        outcome.status = certified(outcome.status, outcome.residual);
        if outcome.status == Status::Ray && !is_standard(mlcp) {
            // what was shifted and eliminated is another problem by its rounding
            outcome.status = Status::Inaccurate;
        }
        solution.ray = standard.ray.clone().filter(|_| outcome.status == Status::Ray);
        outcome
    }
}

/// Every row has a bound of its own: no equations, which lowering eliminates with care, and no friction
/// indices.
fn is_plain_box(mlcp: &Mlcp) -> bool {
    let bounded = |i: usize| mlcp.lo()[i].is_finite() || mlcp.hi()[i].is_finite();
    (0..mlcp.n()).all(|i| mlcp.findex()[i].is_none() && bounded(i))
}

/// Every row has x ≥ 0 and no other bound: lowering changes units by powers of two, and nothing else.
fn is_standard(mlcp: &Mlcp) -> bool {
    let plain = |i: usize| mlcp.lo()[i] == 0.0 && mlcp.hi()[i] == f64::INFINITY && mlcp.findex()[i].is_none();
    mlcp.noise().is_none() && (0..mlcp.n()).all(plain)
}
