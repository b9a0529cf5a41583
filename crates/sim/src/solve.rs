//! The solve of a step and the ladder of what to do when it fails.
//!
//! ```text
//!     round cones     warm → cold, where rows are few → best iterate or the convex law, part by part (`Structured::solve_falling`)
//!     facets          warm → cold → no friction → best iterate
//!     other methods   as asked → robust, cold → no friction → best iterate
//! ```
//! Every rung is counted; none is taken in silence.

use gudgeon_contact::Assembly;
use gudgeon_lcp::{
    Budget, Canonical, ConeShape, FrictionProblem, FrictionSolution, FrictionTask, Method, Outcome,
    ProblemError, Rung, StageReport, StageTotals, Status, Structured, WarmKind, WarmStart,
};

use crate::paper::PaperMethod;
use crate::report::{Fallback, SolveReport};
use crate::settings::{Facets, FrictionLaw, Settings};

/// Sides of a cone for methods that know no round ones.
const SIDES: usize = 8;

/// The solvers of a simulation with their memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ladder {
    structured: Structured,
    paper: Option<PaperMethod>,
    canonical: Canonical,
    /// What each row did in the step before.
    pub(crate) warm: WarmStart,
    pub(crate) solution: FrictionSolution,
    /// Contacts that slip at the start of the step.
    pub(crate) slips: Vec<u64>,
    best: FrictionSolution,
}

impl Ladder {
    /// What the stages of the last solve did.
    pub(crate) fn stages(&self) -> &[StageReport] {
        self.structured.stages()
    }

    /// Whether loads are shared evenly in the last answer where nothing determines them.
    pub(crate) fn shares_evenly(&self) -> bool {
        self.structured.is_even()
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
            Facets::Exact | Facets::LastBox if settings.law == FrictionLaw::Convex => {
                (ConeShape::Convex, SIDES)
            }
            Facets::Exact | Facets::LastBox => (ConeShape::Exact, SIDES),
            Facets::Polygon(sides) => (ConeShape::Facets, sides.get()),
            Facets::Box => (ConeShape::Facets, 4),
        };
        assembly.problem(width, sides)?;
        if !settings.warm_start {
            self.warm.clear();
        }
        if cone == ConeShape::Exact {
            self.warm.expect_slip(&self.slips, sides);
        }
        let budget = settings.limits();
        let problem = assembly.last_problem().expect("just made");
        let asked = settings.method;
        let falls = asked == Method::Robust && cone == ConeShape::Exact;
        let first = if falls {
            let (ids, warm) = (assembly.ids(), &mut self.warm);
            self.structured.solve_falling(problem, ids, warm, budget, &mut self.solution, &mut ())
        } else if asked == Method::Robust {
            self.structured.solve_warm(
                FrictionTask { problem, cone, ids: assembly.ids(), budget },
                &mut self.warm,
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
        let fell = self.structured.fell();
        if falls && fell.rung != Rung::Asked {
            (report.status, report.fallback) = (fell.first, fell.rung.into());
        }
        // out of budget the best iterate is what was asked for
        if !falls
            && first.status != Status::Solved
            && !(first.status == Status::Budget && settings.is_limited())
        {
            self.climb(assembly, cone, width, settings, first, &mut report)?;
        }
        if settings.canonical_forces && report.status == Status::Solved {
            let problem = assembly.last_problem().expect("just made");
            // impulses that could not be spread stay what they were: still an answer
            let _ = self.canonical.spread_within(problem, budget, &mut self.solution);
        }
        Ok(report)
    }

    /// No impulse at all, as the answer to rows at peace; the next solve starts from nothing.
    pub(crate) fn rest(&mut self, assembly: &Assembly) {
        self.warm.clear();
        let FrictionSolution { contacts, impulses, basis, .. } = &mut self.solution;
        basis.clear();
        contacts.clear();
        contacts.extend(assembly.resting());
        impulses.clear();
        impulses.resize(assembly.n_rows(), 0.0);
    }

    /// Whether a contact is remembered.
    pub(crate) fn knows(&self, contact: u64) -> bool {
        self.warm.recall(WarmKind::Contact, contact).is_some()
    }

    /// Lets the next solve start from nothing.
    pub(crate) fn forget(&mut self) {
        self.warm.clear();
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
            // round cones have fallen already
            (Method::Robust, ConeShape::Exact | ConeShape::Convex) => &[],
            (Method::Robust, ConeShape::Facets) => &[Fallback::Cold, Fallback::Frictionless],
            _ => &[Fallback::Robust, Fallback::Frictionless],
        };
        for &rung in rungs {
            let frictionless: Option<FrictionProblem> =
                if rung == Fallback::Frictionless { Some(assembly.frictionless(width)?) } else { None };
            let problem = frictionless.as_ref().or(assembly.last_problem()).expect("made before");
            let shape = if rung == Fallback::Cold { cone } else { ConeShape::Facets };
            self.warm.clear();
            let outcome = self.structured.solve_warm(
                FrictionTask {
                    problem,
                    cone: shape,
                    ids: assembly.ids(),
                    budget: Budget { pivots: None, ..settings.limits() },
                },
                &mut self.warm,
                &mut self.solution,
                &mut (),
            );
            report.stages.merge(&self.structured.totals());
            report.pivots += outcome.pivots;
            report.nodes += outcome.nodes;
            if outcome.status == Status::Solved {
                report.fallback = rung;
                report.residual = outcome.residual;
                return Ok(());
            }
            let finite = self.solution.impulses.iter().all(|x| x.is_finite());
            if rung != Fallback::Frictionless && finite && outcome.residual.natural < least {
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
