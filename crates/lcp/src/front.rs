//! The front door: any problem, any method, from any start, by one call.
//!
//! ```
//! use gudgeon_lcp::{Budget, Lcp, Method, Options, Solution, Solver, Start};
//!
//! let mut lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
//! let (mut solver, mut answer) = (Solver::new(Method::Robust), Solution::default());
//! let first = solver.run(&lcp, Options::default(), &mut answer)?;
//! println!("{first}"); // solved after 3 pivots (natural 0.0e0, energy 0.0e0 J)
//!
//! // the same matrix with another q: the factors of the last answer are still there
//! lcp.set_q(&[-5.1, -6.0])?;
//! let options = Options { start: Start::Previous, budget: Budget::seconds(0.1), ..Options::default() };
//! assert!(solver.run(&lcp, options, &mut answer)?.is_solved());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | problem             | answer               | starts it may have                       |
//! |---------------------|----------------------|------------------------------------------|
//! | [`Lcp`]             | [`Solution`]         | basis, iterate, previous                 |
//! | [`Mlcp`]            | [`MlcpSolution`]     | sides, basis, iterate, previous          |
//! | [`FrictionProblem`] | [`FrictionSolution`] | previous, row by row: by [`Options::ids`], else by their order |

use crate::clock::Clock;
use crate::friction::{ConeShape, RowIds, solve_islands};
use crate::friction::{FrictionSolution, FrictionTask};
use crate::observer::{IterateEvent, Observer, PivotEvent, SweepEvent};
use crate::outcome::{Budget, MlcpSolution, Outcome, Solution, Start, Status};
use crate::problem::{FrictionProblem, Lcp, Mlcp, Stabilisation};
use crate::solver::{Method, Solver};

/// How a problem is to be solved.
///
/// ```
/// use gudgeon_lcp::{Budget, Options, Start};
///
/// let guess = [0.0, 1.5];
/// let options = Options { start: Start::Iterate(&guess), budget: Budget::seconds(0.01), ..Options::default() };
/// assert!(options.observer.is_none());
/// ```
#[derive(Default)]
pub struct Options<'a> {
    /// Where to start.
    pub start: Start<'a>,
    /// What may be spent.
    pub budget: Budget,
    /// Who watches, if anybody.
    pub observer: Option<&'a mut dyn Observer>,
    /// Of friction problems: the shape of the cones.
    pub cone: ConeShape,
    /// Of friction problems: names of the rows that stay the same while contacts come and go. A solver that is given
    /// ids remembers its answer under them.
    pub ids: RowIds<'a>,
    /// Of friction problems with polygons, cold: the threads that independent parts may use. More than one solves them
    /// apart; the bits of the answer are the same for any number of them.
    pub threads: usize,
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("start", &self.start)
            .field("budget", &self.budget)
            .field("observed", &self.observer.is_some())
            .field("cone", &self.cone)
            .field("threads", &self.threads)
            .finish()
    }
}

/// A start that does not belong to its problem, or a problem too large for its method. Nothing was solved.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Options, Solution, Solver, Start};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let options = Options { start: Start::Basis(&[true]), ..Options::default() };
/// let refused = Solver::new(Method::Lemke).run(&lcp, options, &mut Solution::default()).unwrap_err();
/// assert_eq!(refused.to_string(), "the start has 1 entries, expected 2");
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// A start of another size.
    #[error("the start has {found} entries, expected {expected}")]
    StartLength {
        /// Its length.
        found: usize,
        /// The number of unknowns.
        expected: usize,
    },
    /// A start that is not a number somewhere.
    #[error("start[{index}] is {value}, expected a finite number")]
    StartNotFinite {
        /// Where.
        index: usize,
        /// What it is there.
        value: f64,
    },
    /// A kind of start that such a problem cannot have.
    #[error("a friction problem starts cold or from the previous answer")]
    StartKind,
    /// A sparse problem that the method would have to write out densely.
    #[error("{method} works on dense matrices, and {n} unknowns are too many for one: use robust")]
    TooLarge {
        /// The method.
        method: Method,
        /// The number of unknowns.
        n: usize,
    },
}

impl Start<'_> {
    /// Refuses a start of another size, or one that holds a NaN or an infinity.
    fn check(&self, expected: usize) -> Result<(), Refused> {
        let found = match self {
            Self::Cold | Self::Previous => return Ok(()),
            Self::Basis(basis) => basis.len(),
            Self::Sides(sides) => sides.len(),
            Self::Iterate(x) => x.len(),
        };
        if found != expected {
            return Err(Refused::StartLength { found, expected });
        }
        if let Self::Iterate(x) = self
            && let Some(index) = x.iter().position(|x| !x.is_finite())
        {
            return Err(Refused::StartNotFinite { index, value: x[index] });
        }
        Ok(())
    }
}

/// What a [`Solver`] can be given.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Options, Problem, Refused, Solver};
///
/// /// The answer of any problem, or why it was not tried.
/// fn answer<P: Problem<Answer: Default>>(problem: &P) -> Result<P::Answer, Refused> {
///     let mut answer = P::Answer::default();
///     Solver::new(Method::Robust).run(problem, Options::default(), &mut answer)?;
///     Ok(answer)
/// }
///
/// let lcp = Lcp::from_rows(&[[2.0]], vec![-4.0])?;
/// assert_eq!(answer(&lcp)?.z, [2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Problem {
    /// What it gives back.
    type Answer;
    /// See [`Solver::run`].
    fn solve_by(
        &self,
        solver: &mut Solver,
        options: Options<'_>,
        answer: &mut Self::Answer,
    ) -> Result<Outcome, Refused>;
}

impl Solver {
    /// Solves any problem as the options say.
    pub fn run<P: Problem>(
        &mut self,
        problem: &P,
        options: Options<'_>,
        answer: &mut P::Answer,
    ) -> Result<Outcome, Refused> {
        problem.solve_by(self, options, answer)
    }
}

impl Problem for Lcp {
    type Answer = Solution;

    fn solve_by(
        &self,
        solver: &mut Solver,
        options: Options<'_>,
        answer: &mut Solution,
    ) -> Result<Outcome, Refused> {
        options.start.check(self.n())?;
        if self.is_sparse_only() && !solver.method().is_sparse() {
            return Err(Refused::TooLarge { method: solver.method(), n: self.n() });
        }
        Ok(match options.observer {
            Some(mut observer) => {
                solver.solve_with(self, options.start, options.budget, answer, &mut observer)
            }
            None => solver.solve_with(self, options.start, options.budget, answer, &mut ()),
        })
    }
}

impl Problem for Mlcp {
    type Answer = MlcpSolution;

    fn solve_by(
        &self,
        solver: &mut Solver,
        options: Options<'_>,
        answer: &mut MlcpSolution,
    ) -> Result<Outcome, Refused> {
        options.start.check(self.n())?;
        let coupled = self.findex().iter().any(Option::is_some);
        if self.is_sparse_only() && (coupled || !solver.method().is_sparse()) {
            return Err(Refused::TooLarge { method: solver.method(), n: self.n() });
        }
        Ok(match options.observer {
            Some(mut observer) => {
                solver.solve_mlcp_from(self, options.start, options.budget, answer, &mut observer)
            }
            None => solver.solve_mlcp_from(self, options.start, options.budget, answer, &mut ()),
        })
    }
}

impl Problem for FrictionProblem {
    type Answer = FrictionSolution;

    fn solve_by(
        &self,
        solver: &mut Solver,
        options: Options<'_>,
        answer: &mut FrictionSolution,
    ) -> Result<Outcome, Refused> {
        let warm = match options.start {
            Start::Cold => false,
            Start::Previous => true,
            _ => return Err(Refused::StartKind),
        };
        let Options { budget, cone, ids, threads, observer, .. } = options;
        let how = FrictionRun { warm, cone, ids, threads, budget };
        Ok(match observer {
            Some(observer) => {
                let mut watch = Counted { inner: &mut &mut *observer, seen: 0 };
                let outcome = solver.run_friction(self, how, answer, &mut watch);
                if watch.seen == 0 && observer.wants_iterates() {
                    // solved on its structure: the answer is the iterate
                    let (x, residual) = (&answer.impulses, outcome.residual);
                    observer.iterate(&IterateEvent { index: 0, x, w: &[], residual });
                }
                outcome
            }
            None => solver.run_friction(self, how, answer, &mut ()),
        })
    }
}

/// Lets everything through and counts the iterates.
struct Counted<'a, O> {
    inner: &'a mut O,
    seen: usize,
}

impl<O: Observer> Observer for Counted<'_, O> {
    fn pivot(&mut self, event: &PivotEvent) {
        self.inner.pivot(event);
    }

    fn sweep(&mut self, event: &SweepEvent) {
        self.inner.sweep(event);
    }

    fn iterate(&mut self, event: &IterateEvent<'_>) {
        self.seen += 1;
        self.inner.iterate(event);
    }

    fn wants_iterates(&self) -> bool {
        self.inner.wants_iterates()
    }

    fn wants_sweeps(&self) -> bool {
        self.inner.wants_sweeps()
    }

    fn wants_errors(&self) -> bool {
        self.inner.wants_errors()
    }

    fn watches(&self) -> bool {
        self.inner.watches()
    }
}

/// The options of a friction problem.
#[derive(Debug, Clone, Copy)]
struct FrictionRun<'a> {
    warm: bool,
    cone: ConeShape,
    ids: RowIds<'a>,
    threads: usize,
    budget: Budget,
}

impl Solver {
    fn run_friction(
        &mut self,
        problem: &FrictionProblem,
        how: FrictionRun<'_>,
        answer: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let FrictionRun { warm, cone, ids, threads, budget } = how;
        let clock = Clock::new(&budget);
        if !warm {
            self.memory.clear();
        }
        let named = ids != RowIds::default();
        let convex = cone == ConeShape::Convex;
        if convex || (self.method() == Method::Robust && (warm || named)) {
            let most = problem.n_contacts().max(problem.n_unilateral()).max(problem.n_bounded());
            let order: Vec<u64> = (0_u64..).take(most).collect();
            let by_order = RowIds { contacts: &order, unilateral: &order, bounded: &order };
            let ids = if named { ids } else { by_order };
            let Self { structured, memory, .. } = self;
            let outcome =
                structured.solve_warm(FrictionTask { problem, cone, ids, budget }, memory, answer, observer);
            if outcome.is_solved() || outcome.status == Status::Budget || convex {
                return outcome;
            }
        }
        let left = clock.rest(budget);
        match cone {
            // the convex law was answered above
            ConeShape::Exact | ConeShape::Convex => {
                self.solve_friction_exact(problem, left, answer, observer)
            }
            ConeShape::Facets if threads > 1 && self.method() == Method::Robust => {
                solve_islands(problem, threads, None, left, answer)
            }
            ConeShape::Facets => {
                self.solve_friction_with(problem, Stabilisation::default(), left, answer, observer)
            }
        }
    }
}
