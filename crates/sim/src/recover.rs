//! Overlap undone by positions alone.
//!
//! ```text
//!     min ½ rᵀ M̃ r     subject to     n·(v + r) + gap/dt ≥ 0 at every contact and limit,   loops kept
//! ```
//! r is added to what positions follow, not to the velocity: the bodies move apart and keep their momentum. It is the
//! frictionless contact problem once more, on the same rows, group by group ([`groups`]); a group without overlap is left as it is. Few
//! rows are opened from nothing ([`crate::least`]), which costs less than a factor and says it where they contradict each
//! other; many from what was opened in the step before.

mod groups;

use gudgeon_contact::Assembly;
use gudgeon_lcp::{
    Budget, ConeShape, FrictionSolution, FrictionTask, ProblemError, RowIds, Status, Structured, WarmStart,
};
use gudgeon_multibody::{MassFactor, Model};

use crate::least::{FEW, GIVE, Least, Opened};
use groups::Groups;

/// Scratch of the recovery. Rows are numbered contacts first, then limits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recovery {
    structured: Structured,
    least: Least,
    groups: Groups,
    pub(crate) warm: WarmStart,
    solution: FrictionSolution,
    rooms: Vec<f64>,  // by row: how much room it has, m/s
    asked: Vec<f64>,  // the same of the rows of groups with many, others infinite
    opened: Vec<f64>, // by row: its impulse
    few: Vec<f64>,    // impulses of one group
    problem: Option<gudgeon_lcp::FrictionProblem>,
    impulses: Vec<f64>,
    ids: Vec<u64>,
    /// How the last solve ended, if the present step had one.
    pub(crate) status: Option<Status>,
    /// Whether its motion is so far beside the overlap that its end has to be looked at.
    pub(crate) doubted: bool,
}

impl Recovery {
    pub(crate) fn begin(&mut self) {
        self.impulses.clear();
        self.rooms.clear();
        self.status = None;
        self.doubted = false;
    }

    /// Whether a contact was opened in the present step.
    pub(crate) fn opened(&self, contact: usize) -> bool {
        self.impulses.get(3 * contact).is_some_and(|x| *x != 0.0)
    }

    /// Room of the next row, contacts first, then limits: m/s or rad/s; infinite if it takes no part.
    pub(crate) fn room(&mut self, room: f64) {
        self.rooms.push(room);
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
        if self.rooms.iter().all(|&r| r >= 0.0) {
            return Ok(());
        }
        self.open(assembly, model.n_v(), None, limits)?;
        assembly.opening_velocity(&self.opened, model, factor, &mut self.impulses, v);
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
        self.open(assembly, model.n_v(), Some(compliance), limits)?;
        self.status = Some(Status::Ray);
        assembly.opening_velocity(&self.opened, model, factor, &mut self.impulses, v);
        Ok(())
    }

    /// The impulses that open all groups, hard or with a compliance; those with many rows together.
    fn open(
        &mut self,
        assembly: &Assembly,
        width: usize,
        giving: Option<f64>,
        limits: Budget,
    ) -> Result<(), ProblemError> {
        self.groups.find(assembly, &self.rooms, width);
        self.opened.clear();
        self.opened.resize(self.rooms.len(), 0.0);
        self.asked.clear();
        self.asked.resize(self.rooms.len(), f64::INFINITY);
        // nothing opens a row that nothing moves
        let stuck = (0..self.rooms.len()).any(|k| self.rooms[k] < 0.0 && self.groups.is_alone(k));
        let (mut contradicted, mut many) = (stuck, false);
        for group in 0..self.groups.len() {
            if self.groups.rows(group).iter().all(|&k| self.rooms[k] >= 0.0) {
                continue;
            }
            let opened = self.open_few(assembly, group, giving);
            contradicted |= opened == Opened::Nearly;
            if opened == Opened::No {
                many = true;
                self.groups.rows(group).iter().for_each(|&k| self.asked[k] = self.rooms[k]);
            }
        }
        self.status = Some(if contradicted { Status::Ray } else { Status::Solved });
        if !many {
            self.warm.clear();
            return Ok(());
        }
        let solved = self.open_many(assembly, width, giving.unwrap_or(0.0), limits)?;
        if !solved && giving.is_none() {
            // rows that contradict each other, or nearly: with a compliance they do not
            self.open_many(assembly, width, GIVE, limits)?;
            self.status = Some(Status::Ray);
        }
        let asked = (0..self.asked.len()).filter(|&k| self.asked[k].is_finite());
        for (k, impulse) in asked.zip(&self.solution.impulses) {
            self.opened[k] = *impulse;
        }
        Ok(())
    }

    /// A group of few rows by the dual method, hard or with a compliance; [`Opened::No`] if they are many, or steps ran out.
    fn open_few(&mut self, assembly: &Assembly, group: usize, giving: Option<f64>) -> Opened {
        let Self { groups, least, rooms, opened, few, .. } = self;
        let rows = groups.rows(group);
        if rows.len() > FEW {
            return Opened::No;
        }
        least.begin(groups.width(group));
        for &k in rows {
            let row = assembly.opening_row(k);
            least.push(row.index.iter().map(|&dof| groups.place(dof)), row.value, rooms[k]);
        }
        let how = least.solve(giving, few);
        if how != Opened::No {
            rows.iter().zip(&*few).for_each(|(&k, &impulse)| opened[k] = impulse);
        }
        how
    }

    /// The groups of many rows by the solver of contacts; `give` is the compliance of a row of size one. Whether they are open.
    fn open_many(
        &mut self,
        assembly: &Assembly,
        width: usize,
        give: f64,
        limits: Budget,
    ) -> Result<bool, ProblemError> {
        assembly.opening(&self.asked, give, width, &mut self.problem)?;
        let Some(problem) = &self.problem else { return Ok(true) };
        self.ids.clear();
        let asked = (0..self.asked.len()).filter(|&k| self.asked[k].is_finite());
        self.ids.extend(asked.map(|k| assembly.opening_id(k)));
        let ids = RowIds { contacts: &[], unilateral: &self.ids, bounded: &[] };
        // no row has friction: any cones do, and those of the road with Newton's method cost least
        let task = FrictionTask { problem, cone: ConeShape::Exact, ids, budget: limits };
        // an answer that is not quite one still opens most of the gaps; what is left is undone in the next step
        let outcome = self.structured.solve_warm(task, &mut self.warm, &mut self.solution, &mut ());
        if outcome.status != Status::Solved {
            self.status = Some(outcome.status);
        }
        Ok(outcome.status == Status::Solved)
    }
}
