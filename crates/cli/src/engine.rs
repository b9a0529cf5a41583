//! A problem and the settings of a run to an answer.

use std::time::Instant;

use gudgeon_lcp::{
    Budget, ContactAnswer, FrictionProblem, FrictionSolution, Method, MlcpSolution, Observer, Outcome, Ray,
    Residual, Solution, Solver, Spread, Stabilisation, StageReport, Start, Status, Trace, canonical,
    facet_gap,
};

use crate::args::{Facets, SolveArgs};
use crate::problem_file::{FileError, Problem};

/// The most unknowns that the dense solvers are asked to take on: a matrix of this size takes 800 MB.
const MAX_UNKNOWNS: usize = 10_000;

/// An option that asks for a solver that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// Exact cones with a method that only knows polygons.
    #[error("--facets exact works with --method robust, not with --method {0}")]
    ExactMethod(Method),
}

/// How to solve: what was typed, after it was found to be possible.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Settings {
    /// The method.
    pub method: Method,
    /// Sides of the friction cone, in place of the file's own.
    pub sides: Option<usize>,
    /// Whether friction cones are round.
    pub exact: bool,
    /// What a solve may spend.
    pub budget: Budget,
    /// Whether the impulses are to be the canonical ones: friction problems alone have a mechanical metric.
    pub canonical: bool,
    /// Whether to keep every pivot and sweep.
    pub trace: bool,
}

impl Settings {
    /// Decides whether this build can do what was asked. The one place that knows.
    pub fn new(args: &SolveArgs) -> Result<Self, Unsupported> {
        let sides = match args.facets {
            None | Some(Facets::Exact) => None,
            Some(Facets::Sides(sides)) => Some(sides),
        };
        let exact = args.facets == Some(Facets::Exact);
        if exact && args.method != Method::Robust {
            return Err(Unsupported::ExactMethod(args.method));
        }
        let budget = Budget { pivots: args.budget, seconds: args.seconds, ..Budget::default() };
        let (method, canonical, trace) = (args.method, args.canonical, args.trace);
        Ok(Self { method, sides, exact, budget, canonical, trace })
    }
}

/// The answer to a problem, whatever its kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The number of unknowns that the method saw.
    pub unknowns: usize,
    /// How it ended.
    pub outcome: Outcome,
    /// The solve alone, s.
    pub seconds: f64,
    /// The numbers.
    pub values: Values,
    /// The certificate of a ray.
    pub ray: Option<Ray>,
    /// The residual with round cones, of a friction problem.
    pub facet_gap: Option<Residual>,
    /// Every pivot and sweep, if asked for.
    pub trace: Option<Trace>,
    /// What the stages did, of a friction problem with round cones.
    pub stages: Vec<StageReport>,
}

/// The numbers of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// The unknowns and their slacks: z and w of an LCP, x and w of a boxed problem.
    Vectors {
        /// The unknowns.
        z: Vec<f64>,
        /// Their slacks.
        w: Vec<f64>,
    },
    /// The contacts of a friction problem.
    Contacts(Vec<ContactAnswer>),
}

/// A solver with the settings of a run; its memory serves one problem after the other.
#[derive(Debug, Clone)]
pub struct Solving {
    settings: Settings,
    solver: Solver,
}

impl Solving {
    /// Nothing solved yet, with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { settings, solver: Solver::new(settings.method) }
    }

    /// Solves a problem. Fails only where the settings and the problem do not go together.
    pub fn solve(&mut self, problem: &Problem) -> Result<Answer, FileError> {
        let canonical = self.settings.canonical;
        if canonical && !matches!(problem, Problem::Friction(_)) {
            return Err(FileError::field("kind", problem.kind(), "friction with --canonical"));
        }
        match problem {
            Problem::Friction(friction) => {
                let other;
                let friction = match self.settings.sides {
                    Some(sides) if sides != friction.facets() => {
                        other = friction.clone().with_facets(sides)?;
                        &other
                    }
                    _ => friction,
                };
                let unknowns = unknowns(friction);
                // round cones are solved on their own rows, which the file's bound holds for
                if unknowns > MAX_UNKNOWNS && !self.settings.exact {
                    let found = format!("{} with {} contacts", friction.facets(), friction.n_contacts());
                    let expected = format!("at most {MAX_UNKNOWNS} unknowns, not {unknowns}");
                    return Err(FileError::field("facets", found, expected));
                }
                let exact = self.settings.exact;
                let mut found = None;
                let answer = self.timed(unknowns, |solver, budget, observer| {
                    let mut solution = FrictionSolution::default();
                    if exact {
                        let mut outcome =
                            solver.solve_friction_exact(friction, budget, &mut solution, observer);
                        if canonical && outcome.status == Status::Solved {
                            outcome = spread(friction, outcome, &mut solution);
                        }
                        found = Some(solution);
                        return (outcome, Values::Contacts(Vec::new()), None);
                    }
                    let none = Stabilisation::default();
                    let mut outcome =
                        solver.solve_friction_with(friction, none, budget, &mut solution, observer);
                    if canonical && outcome.status == Status::Solved {
                        outcome = spread(friction, outcome, &mut solution);
                    }
                    let ray = solution.boxed.ray.take();
                    found = Some(solution);
                    (outcome, Values::Contacts(Vec::new()), ray)
                });
                // measured after the clock has stopped
                let solution = found.unwrap_or_default();
                let facet_gap = Some(facet_gap(friction, &solution));
                let stages = self.solver.stages().to_vec();
                Ok(Answer { facet_gap, stages, values: Values::Contacts(solution.contacts), ..answer })
            }
            Problem::Mlcp(mlcp) => Ok(self.timed(mlcp.n(), |solver, budget, observer| {
                let mut solution = MlcpSolution::default();
                let outcome = solver.solve_mlcp_with(mlcp, budget, &mut solution, observer);
                (outcome, Values::Vectors { z: solution.x, w: solution.w }, solution.ray)
            })),
            Problem::Lcp(lcp) => Ok(self.timed(lcp.n(), |solver, budget, observer| {
                let mut solution = Solution::default();
                let outcome = solver.solve_with(lcp, Start::Cold, budget, &mut solution, observer);
                (outcome, Values::Vectors { z: solution.z, w: solution.w }, solution.ray)
            })),
        }
    }

    /// Runs a solve against the clock.
    fn timed(
        &mut self,
        unknowns: usize,
        solve: impl FnOnce(&mut Solver, Budget, &mut dyn Observer) -> (Outcome, Values, Option<Ray>),
    ) -> Answer {
        let mut trace = self.settings.trace.then(Trace::default);
        let start = Instant::now();
        let mut nobody = ();
        let observer: &mut dyn Observer = match &mut trace {
            Some(trace) => trace,
            None => &mut nobody,
        };
        let (outcome, values, ray) = solve(&mut self.solver, self.settings.budget, observer);
        let seconds = start.elapsed().as_secs_f64();
        Answer { unknowns, outcome, seconds, values, ray, facet_gap: None, trace, stages: Vec::new() }
    }
}

/// Makes the impulses of a solved problem the canonical ones. Where that fails the raw ones stay, and the answer is
/// called inaccurate: it is not what was asked for.
fn spread(problem: &FrictionProblem, outcome: Outcome, solution: &mut FrictionSolution) -> Outcome {
    let report = canonical(problem, solution);
    match report.spread {
        Spread::Canonical => Outcome { residual: report.residual, ..outcome },
        Spread::NotSolved | Spread::Inaccurate => Outcome { status: Status::Inaccurate, ..outcome },
    }
}

/// The unknowns of the boxed problem that a friction problem is lowered to.
fn unknowns(friction: &FrictionProblem) -> usize {
    let rows = friction.n_equality() + friction.n_unilateral() + friction.n_bounded();
    friction.n_contacts().saturating_mul(friction.facets() + 2).saturating_add(rows)
}
