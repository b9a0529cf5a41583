//! Overlap undone by positions alone.
//!
//! ```text
//!     min ½ rᵀ M̃ r     subject to     n·(v + r) + gap/dt ≥ 0 at every contact and limit,   loops kept
//! ```
//! r is added to what positions follow, not to the velocity: the bodies move apart and keep their momentum. It is the
//! frictionless contact problem once more, on the same rows. Few rows are opened from nothing ([`crate::least`]), which costs
//! less than a factor and says it where they contradict each other; many from what was opened in the step before.

use gudgeon_contact::Assembly;
use gudgeon_lcp::{
    Budget, ConeShape, FrictionSolution, FrictionTask, ProblemError, RowIds, Status, Structured, WarmStart,
};
use gudgeon_multibody::{MassFactor, Model};

use crate::least::{FEW, GIVE, Least, Opened};

/// Scratch of the recovery.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recovery {
    structured: Structured,
    least: Least,
    pub(crate) warm: WarmStart,
    solution: FrictionSolution,
    contacts: Vec<f64>, // how much room each has, m/s
    limits: Vec<f64>,
    problem: Option<gudgeon_lcp::FrictionProblem>,
    impulses: Vec<f64>,
    ids: Vec<u64>,
    /// How the last solve ended, if the present step had one.
    pub(crate) status: Option<Status>,
}

impl Recovery {
    pub(crate) fn begin(&mut self) {
        self.impulses.clear();
        self.contacts.clear();
        self.limits.clear();
        self.impulses.clear();
        self.status = None;
    }

    /// Whether a contact was opened in the present step.
    pub(crate) fn opened(&self, contact: usize) -> bool {
        self.impulses.get(3 * contact).is_some_and(|x| *x != 0.0)
    }

    /// Room of the next contact, m/s; infinite if it takes no part.
    pub(crate) fn contact(&mut self, room: f64) {
        self.contacts.push(room);
    }

    /// Room of the next limit, rad/s or m/s.
    pub(crate) fn limit(&mut self, room: f64) {
        self.limits.push(room);
    }

    /// Of the last solve: three per contact, then limits.
    pub(crate) fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// Adds the least motion that opens everything to `v`.
    pub(crate) fn solve(
        &mut self,
        assembly: &mut Assembly,
        model: &Model,
        factor: &MassFactor,
        limits: Budget,
        v: &mut [f64],
    ) -> Result<(), ProblemError> {
        if self.contacts.iter().chain(&self.limits).all(|&r| r >= 0.0) {
            return Ok(());
        }
        if !self.solve_few(assembly, model.n_v(), None) {
            self.solve_many(assembly, model.n_v(), 0.0, limits)?;
            // rows that contradict each other, or nearly: with a compliance they do not
            if self.status != Some(Status::Solved) {
                self.solve_many(assembly, model.n_v(), GIVE, limits)?;
                self.status = Some(Status::Ray);
            }
        }
        self.add_to(assembly, model, factor, v);
        Ok(())
    }

    /// As [`Self::solve`], with a compliance of rows of size one that bounds what is asked for where they nearly contradict each other.
    pub(crate) fn solve_giving(
        &mut self,
        compliance: f64,
        assembly: &mut Assembly,
        (model, factor): (&Model, &MassFactor),
        limits: Budget,
        v: &mut [f64],
    ) -> Result<(), ProblemError> {
        if !self.solve_few(assembly, model.n_v(), Some(compliance)) {
            self.solve_many(assembly, model.n_v(), compliance, limits)?;
        }
        self.status = Some(Status::Ray);
        self.add_to(assembly, model, factor, v);
        Ok(())
    }

    /// Adds what the impulses of the last solve do to `v`.
    fn add_to(&mut self, assembly: &mut Assembly, model: &Model, factor: &MassFactor, v: &mut [f64]) {
        assembly.opening_velocity(
            &self.contacts,
            &self.solution.impulses,
            model,
            factor,
            &mut self.impulses,
            v,
        );
    }

    /// Few rows by the dual method, hard or with a compliance; false if they are many, or steps ran out.
    fn solve_few(&mut self, assembly: &Assembly, width: usize, giving: Option<f64>) -> bool {
        let taking_part = self.contacts.iter().filter(|r| r.is_finite()).count();
        if taking_part + self.limits.len() > FEW {
            return false;
        }
        let least = &mut self.least;
        least.begin(width);
        assembly.each_opening(&self.contacts, &self.limits, |row| {
            least.push(row.index, row.value, row.velocity);
        });
        let opened = least.solve(giving, &mut self.solution.impulses);
        self.status = match opened {
            Opened::All => Some(Status::Solved),
            Opened::Nearly => Some(Status::Ray),
            Opened::No => return false,
        };
        self.warm.clear();
        true
    }

    /// Many rows by the solver of contacts; `give` is the compliance of a row of size one.
    fn solve_many(
        &mut self,
        assembly: &Assembly,
        width: usize,
        give: f64,
        limits: Budget,
    ) -> Result<(), ProblemError> {
        assembly.opening(&self.contacts, &self.limits, give, width, &mut self.problem)?;
        let Some(problem) = &self.problem else { return Ok(()) };
        let all = assembly.ids();
        self.ids.clear();
        let taking_part = self.contacts.iter().zip(all.contacts).filter(|(room, _)| room.is_finite());
        self.ids.extend(taking_part.map(|(_, &id)| id));
        self.ids.extend_from_slice(all.unilateral);
        let ids = RowIds { contacts: &[], unilateral: &self.ids, bounded: &[] };
        // no row has friction: any cones do, and those of the road with Newton's method cost least
        let task = FrictionTask { problem, cone: ConeShape::Exact, ids, budget: limits };
        // an answer that is not quite one still opens most of the gaps; what is left is undone in the next step
        let outcome = self.structured.solve_warm(task, &mut self.warm, &mut self.solution, &mut ());
        self.status = Some(outcome.status);
        Ok(())
    }
}
