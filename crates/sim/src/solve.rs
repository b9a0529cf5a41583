//! The solve of a step and the ladder of what to do when it fails.
//!
//! ```text
//!     robust          warm → best iterate, if it is nearly an answer → cold → pyramid of 16 sides → no friction → best iterate
//!     other methods   as asked → robust, cold → no friction → best iterate
//! ```
//! An iterate that is off by a ten-thousandth of the velocities is a hundred times nearer to Coulomb's law than a pyramid
//! of 16 sides, and is there at once.
//!
//! Every rung is counted; none is taken in silence.

use gudgeon_contact::Assembly;
use gudgeon_lcp::{
    Budget, Canonical, ConeShape, FrictionProblem, FrictionSolution, Method, Outcome, ProblemError, Status,
    Structured, WarmStart,
};

use crate::paper::PaperMethod;
use crate::report::{Fallback, SolveReport};
use crate::settings::{Facets, Settings};

/// Sides of a cone for methods that know no round ones.
const SIDES: usize = 8;

/// The scaled residual of a best iterate that is taken before anything coarser is tried.
const NEARLY: f64 = 1e-4;

/// The solvers of a simulation with their memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ladder {
    structured: Structured,
    paper: Option<PaperMethod>,
    canonical: Canonical,
    /// What each row did in the step before.
    pub(crate) warm: WarmStart,
    pub(crate) solution: FrictionSolution,
    best: FrictionSolution,
}

impl Ladder {
    /// Solves the rows of `assembly`; the answer is in `solution`.
    pub(crate) fn solve(
        &mut self,
        assembly: &mut Assembly,
        width: usize,
        settings: &Settings,
    ) -> Result<SolveReport, ProblemError> {
        let (cone, sides) = match settings.facets {
            Facets::Exact => (ConeShape::Exact, SIDES),
            Facets::Polygon(sides) => (ConeShape::Facets, sides),
            Facets::Box => (ConeShape::Facets, 4),
        };
        assembly.problem(width, sides)?;
        if !settings.warm_start {
            self.warm.clear();
        }
        let budget = Budget { pivots: settings.budget, ..Budget::default() };
        let problem = assembly.last_problem().expect("just made");
        let asked = settings.method;
        let first = if asked == Method::Robust {
            self.structured.solve_warm(
                problem,
                cone,
                assembly.ids(),
                &mut self.warm,
                budget,
                &mut self.solution,
                &mut (),
            )
        } else {
            let paper =
                self.paper.get_or_insert_with(|| PaperMethod::new(asked, settings.lexicographic_delta));
            paper.solve(problem, budget, &mut self.solution)
        };
        let mut report = SolveReport {
            status: first.status,
            fallback: Fallback::None,
            pivots: first.pivots,
            nodes: first.nodes,
            residual: first.residual,
        };
        // out of budget the best iterate is what was asked for
        if first.status != Status::Solved && !(first.status == Status::Budget && settings.budget.is_some()) {
            let near =
                first.residual.natural <= NEARLY && self.solution.impulses.iter().all(|x| x.is_finite());
            if near && asked == Method::Robust && cone == ConeShape::Exact {
                report.fallback = Fallback::BestIterate;
            } else {
                self.climb(assembly, cone, width, settings, first, &mut report)?;
            }
        }
        if settings.canonical_forces && report.status == Status::Solved {
            let problem = assembly.last_problem().expect("just made");
            // impulses that could not be spread stay what they were: still an answer
            let _ = self.canonical.spread(problem, &mut self.solution);
        }
        Ok(report)
    }

    fn climb(
        &mut self,
        assembly: &mut Assembly,
        cone: ConeShape,
        width: usize,
        settings: &Settings,
        first: Outcome,
        report: &mut SolveReport,
    ) -> Result<(), ProblemError> {
        let mut least = first.residual.natural;
        self.best.clone_from(&self.solution);
        let rungs: &[Fallback] = match (settings.method, cone) {
            (Method::Robust, ConeShape::Exact) => {
                &[Fallback::Cold, Fallback::Polygon, Fallback::Frictionless]
            }
            (Method::Robust, ConeShape::Facets) => &[Fallback::Cold, Fallback::Frictionless],
            _ => &[Fallback::Robust, Fallback::Frictionless],
        };
        for &rung in rungs {
            let frictionless: Option<FrictionProblem> =
                if rung == Fallback::Frictionless { Some(assembly.frictionless(width)?) } else { None };
            if rung == Fallback::Polygon {
                assembly.problem(width, 16)?;
            }
            let problem = frictionless.as_ref().or(assembly.last_problem()).expect("made before");
            let shape = if rung == Fallback::Cold { cone } else { ConeShape::Facets };
            self.warm.clear();
            let outcome = self.structured.solve_warm(
                problem,
                shape,
                assembly.ids(),
                &mut self.warm,
                Budget::default(),
                &mut self.solution,
                &mut (),
            );
            report.pivots += outcome.pivots;
            report.nodes += outcome.nodes;
            if outcome.status == Status::Solved {
                report.fallback = rung;
                report.residual = outcome.residual;
                return Ok(());
            }
            if rung != Fallback::Frictionless && outcome.residual.natural < least {
                least = outcome.residual.natural;
                report.residual = outcome.residual;
                self.best.clone_from(&self.solution);
            }
        }
        report.fallback = Fallback::BestIterate;
        self.solution.clone_from(&self.best);
        if self.solution.impulses.iter().any(|x| !x.is_finite()) {
            self.solution.impulses.fill(0.0);
        }
        Ok(())
    }
}
