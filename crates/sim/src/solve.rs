//! The solve of a step and the ladder of what to do when it fails.
//!
//! ```text
//!     robust          warm → cold → pyramid of 16 sides → no friction → best iterate
//!     other methods   as asked → robust, cold → no friction → best iterate
//! ```
//! A pyramid and a step without friction are answers to other laws. Each is held against Coulomb's by the same residual as
//! the best iterate of the solves before it. An iterate that is off by a ten-thousandth of the velocities is a hundred
//! times nearer than a pyramid of 16 sides, and is taken in its place; one that is further off is not, as where bodies are
//! jammed and no answer exists it may keep the jam for ever, which a step without friction ends. Where it is that near and
//! rows are many it is taken at once: a cold solve would take as long again, and the pivots of a pyramid seconds.
//!
//! Every rung is counted; none is taken in silence.

use gudgeon_contact::Assembly;
use gudgeon_lcp::{
    Budget, Canonical, ConeShape, FrictionProblem, FrictionSolution, Method, Outcome, ProblemError,
    StageReport, StageTotals, Status, Structured, WarmStart, facet_gap,
};

use crate::paper::PaperMethod;
use crate::report::{Fallback, SolveReport};
use crate::settings::{Facets, Settings};

/// Sides of a cone for methods that know no round ones.
const SIDES: usize = 8;

/// The scaled residual of a best iterate that may be taken before an answer to another law; without a look at anything else
/// if rows are more than [`FEW_ROWS`].
const NEARLY: f64 = 1e-4;
/// Scalar rows up to which every rung takes milliseconds.
const FEW_ROWS: usize = 150;
/// An answer to another law is safe, it adds no energy: an iterate must be nearer to Coulomb's by this factor.
const NEARER: f64 = 0.1;

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
    /// What the stages of the last solve did.
    pub(crate) fn stages(&self) -> &[StageReport] {
        self.structured.stages()
    }

    /// Solves the rows of `assembly`; the answer is in `solution`.
    pub(crate) fn solve(
        &mut self,
        assembly: &mut Assembly,
        width: usize,
        settings: &Settings,
    ) -> Result<SolveReport, ProblemError> {
        let (cone, sides) = match settings.facets {
            // bounded rows in place of cones: either shape does, and this one is the faster road
            Facets::Exact | Facets::LastBox => (ConeShape::Exact, SIDES),
            Facets::Polygon(sides) => (ConeShape::Facets, sides.get()),
            Facets::Box => (ConeShape::Facets, 4),
        };
        assembly.problem(width, sides)?;
        if !settings.warm_start {
            self.warm.clear();
        }
        let budget = settings.limits();
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
            // what was asked for now, not in the first step
            let paper = match &mut self.paper {
                Some(paper) if paper.is(asked, settings.lexicographic_delta) => paper,
                other => other.insert(PaperMethod::new(asked, settings.lexicographic_delta)),
            };
            paper.solve(problem, budget, &mut self.solution)
        };
        let mut report = SolveReport {
            status: first.status,
            fallback: Fallback::None,
            pivots: first.pivots,
            nodes: first.nodes,
            residual: first.residual,
            stages: StageTotals::default(),
        };
        if asked == Method::Robust {
            report.stages.merge(&self.structured.totals());
        }
        // out of budget the best iterate is what was asked for
        if first.status != Status::Solved && !(first.status == Status::Budget && settings.is_limited()) {
            self.climb(assembly, cone, width, settings, first, &mut report)?;
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
        let mut least = f64::INFINITY;
        if self.solution.impulses.iter().all(|x| x.is_finite()) {
            least = first.residual.natural;
        }
        self.best.clone_from(&self.solution);
        let rungs: &[Fallback] = match (settings.method, cone) {
            (Method::Robust, ConeShape::Exact) => {
                &[Fallback::Cold, Fallback::Polygon, Fallback::Frictionless]
            }
            (Method::Robust, ConeShape::Facets) => &[Fallback::Cold, Fallback::Frictionless],
            _ => &[Fallback::Robust, Fallback::Frictionless],
        };
        for &rung in rungs {
            // where rows are many, pivots take seconds: the best iterate, unless it is far off
            let many = assembly.last_problem().map_or(0, FrictionProblem::n_rows) > FEW_ROWS;
            if many
                && settings.method == Method::Robust
                && cone == ConeShape::Exact
                && rung != Fallback::Frictionless
            {
                continue;
            }
            let coarser = matches!(rung, Fallback::Polygon | Fallback::Frictionless);
            let rows = assembly.last_problem().map_or(0, FrictionProblem::n_rows);
            if settings.method == Method::Robust
                && cone == ConeShape::Exact
                && least <= NEARLY
                && rows > FEW_ROWS
            {
                break;
            }
            let frictionless: Option<FrictionProblem> =
                if rung == Fallback::Frictionless { Some(assembly.frictionless(width)?) } else { None };
            if rung == Fallback::Polygon {
                assembly.problem(width, 16)?;
            }
            let law = assembly.last_problem().expect("made before");
            let problem = frictionless.as_ref().unwrap_or(law);
            let shape = if rung == Fallback::Cold || many { cone } else { ConeShape::Facets };
            self.warm.clear();
            let outcome = self.structured.solve_warm(
                problem,
                shape,
                assembly.ids(),
                &mut self.warm,
                Budget { pivots: None, ..settings.limits() },
                &mut self.solution,
                &mut (),
            );
            report.stages.merge(&self.structured.totals());
            report.pivots += outcome.pivots;
            report.nodes += outcome.nodes;
            if outcome.status == Status::Solved {
                // how far the answer to another law is from the round one
                let off = if coarser && cone == ConeShape::Exact {
                    facet_gap(law, &self.solution).natural
                } else {
                    0.0
                };
                if least <= NEARLY && least < NEARER * off {
                    break;
                }
                report.fallback = rung;
                report.residual = outcome.residual;
                return Ok(());
            }
            let finite = self.solution.impulses.iter().all(|x| x.is_finite());
            if !coarser && finite && outcome.residual.natural < least {
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
