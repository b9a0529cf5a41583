//! The rows of one step, from their pushing to the velocities they lead to.
//!
//! Order of use: [`Assembly::begin`], any number of pushes (`push`, with a `touch` for every contact and the `moment`s of its
//! patch), [`Assembly::whiten`], [`Assembly::problem`], a solver, [`Assembly::velocity`] (`impulses`). Rows at `peace` need no
//! solver; `opening` asks for the same rows without friction.

mod impulses;
mod moment;
mod opening;
mod peace;
mod push;
mod touch;

use gudgeon_lcp::{FactoredForm, FactoredRow, FrictionProblem, ProblemError, RowIds};
use gudgeon_multibody::{MassFactor, Model, Rows, Whitened};

use crate::agree::Agreement;
use crate::held::Held;
use crate::law::Law;
use crate::tolerances::{DOUBTFUL, IMMOVABLE, MOTION_ROUNDING, VELOCITY_ROUNDING};

use moment::Moments;
pub use moment::Resistance;
pub use touch::{Section, Touch, tangents};

/// A list of rows of one kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowList {
    pub(crate) rows: Rows,
    answering: Rows, // without the dofs that follow a given motion
    pub(crate) laws: Vec<Law>,
    pub(crate) ids: Vec<u64>,
    whitened: Whitened,
    across: Rows, // whitened rows without their part along the equations; empty if there are none
    is_held: bool,
}

impl RowList {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.laws.clear();
        self.ids.clear();
    }

    /// Row `k` as the solver wants it, given J v_free.
    pub(crate) fn factored(&self, k: usize, velocity: &[f64]) -> FactoredRow<'_> {
        let Law { bias, compliance } = self.laws[k];
        FactoredRow { velocity: velocity[k] + bias, compliance, ..self.row(k) }
    }

    /// Row `k` on its own.
    pub(crate) fn row(&self, k: usize) -> FactoredRow<'_> {
        let rows = if self.is_held { &self.across } else { &self.whitened.rows };
        let (index, value) = rows.row(k);
        FactoredRow { index, value, velocity: 0.0, compliance: 0.0 }
    }
}

/// The rows of one step and the problem they make; keeps its memory.
#[derive(Debug, Clone, Default)]
pub struct Assembly {
    section: Section,
    pub(crate) contacts: RowList, // three rows each; ids one each, then one for each disc
    pub(crate) friction: Vec<f64>,
    pub(crate) moments: Moments,
    pub(crate) unilateral: RowList,
    pub(crate) bounded: RowList,
    pub(crate) bounds: Vec<(f64, f64)>,
    pub(crate) given: usize, // bounded rows that are friction of a given size: the first ones, two per contact
    equality: Held,
    problem: Option<FrictionProblem>,
    pub(crate) velocity: [Vec<f64>; 4], // J v_free of contacts, limits, bounded rows and rolling
    y: Vec<f64>,                        // nv
    pub(crate) agreement: Agreement,
    peace: bool,    // no impulse is the answer, and no problem was made
    measured: bool, // `velocity` is that of the rows as they are
}

impl Assembly {
    /// Forgets the rows of the last step; contacts pushed from now on have friction of the given section.
    pub fn begin(&mut self, section: Section) {
        self.section = section;
        for kind in [&mut self.contacts, &mut self.unilateral, &mut self.bounded] {
            kind.clear();
        }
        self.equality.rows.clear();
        self.friction.clear();
        self.moments.clear();
        self.bounds.clear();
        self.given = 0;
        self.peace = false;
        self.measured = false;
    }

    pub(crate) fn section(&self) -> Section {
        self.section
    }

    /// Bounded rows of contacts: those of joints come behind them.
    fn n_contact_rows(&self) -> usize {
        self.given + self.moments.n_spins()
    }

    /// The place of the first limit among the impulses.
    pub fn first_limit(&self) -> usize {
        3 * (self.friction.len() + self.moments.n_discs())
    }

    /// Number of bounded rows.
    pub fn n_bounded(&self) -> usize {
        self.bounds.len()
    }

    /// Number of contacts.
    pub fn n_contacts(&self) -> usize {
        self.friction.len()
    }

    /// Rows that may push besides the equations: without any there is nothing to solve.
    pub fn n_unknown(&self) -> usize {
        self.friction.len() + self.unilateral.laws.len() + self.bounds.len()
    }

    /// Dof of each limit row, and of each bounded row, in order.
    pub fn limits(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.unilateral.laws.len()).map(|k| first(&self.unilateral.rows, k))
    }

    /// Dof of each bounded row of a joint, in order.
    pub fn bounded(&self) -> impl Iterator<Item = usize> + '_ {
        (self.n_contact_rows()..self.bounds.len()).map(|k| first(&self.bounded.rows, k).0)
    }

    /// The normal row of a contact times `v`, m/s.
    pub fn normal_velocity(&self, contact: usize, v: &[f64]) -> f64 {
        row_velocity(&self.contacts.rows, 3 * contact, v)
    }

    /// The rows divided by the mass factor, and J v_free of all of them. `frozen` dofs follow a given motion: they
    /// have velocity but do not answer. Equations are held from here on: `v_free` is put on them, the other rows are
    /// left with what crosses them.
    pub fn whiten(
        &mut self,
        model: &Model,
        factor: &MassFactor,
        v_free: &mut [f64],
        frozen: Option<&dyn Fn(usize) -> bool>,
    ) {
        let equality = &mut self.equality;
        let held = !equality.is_empty();
        if held {
            equality.measure(v_free, row_velocity);
            if let Some(frozen) = frozen {
                equality.rows.zero_dofs(frozen);
            }
            equality.factor(model, factor, v_free);
        }
        // as it was measured to tell whether rows are at peace, unless equations have changed it since
        if held || !std::mem::take(&mut self.measured) {
            self.free_velocity(v_free);
        }
        let Self { contacts, unilateral, bounded, equality, moments, .. } = self;
        for kind in [contacts, unilateral, bounded, &mut moments.rolling] {
            if let Some(frozen) = frozen {
                kind.answering.copy_from(&kind.rows);
                kind.answering.zero_dofs(frozen);
                kind.whitened.compute(model, factor, &kind.answering);
            } else {
                kind.whitened.compute(model, factor, &kind.rows);
            }
            kind.is_held = held;
            if held {
                equality.project(&kind.whitened.rows, &mut kind.across);
            }
        }
        if frozen.is_none() {
            self.still(model, factor, v_free);
        }
    }

    /// Velocities of rows that are no more than the rounding of the motion that they are made from are none: a robot that falls while its dry joints
    /// hold leaves 1e-18 rad/s there, which no unit of the problem tells from a motion.
    fn still(&mut self, model: &Model, factor: &MassFactor, v_free: &[f64]) {
        let fastest = v_free.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let slow = |v: f64| v != 0.0 && v.abs() < DOUBTFUL * fastest;
        if !self.velocity.iter().flatten().any(|v| slow(*v)) {
            return;
        }
        self.y.resize(model.n_v(), 0.0);
        factor.multiply_gt(model, v_free, &mut self.y);
        let Self { contacts, unilateral, bounded, moments, velocity, y, .. } = self;
        for (kind, velocity) in [&*contacts, unilateral, bounded, &moments.rolling].iter().zip(velocity) {
            for (k, v) in velocity.iter_mut().enumerate().filter(|(_, v)| slow(**v)) {
                let row = kind.row(k);
                let terms = row.index.iter().zip(row.value);
                let motion = terms.map(|(&dof, a)| (a * y[dof]).abs()).sum::<f64>();
                if v.abs() <= MOTION_ROUNDING * motion {
                    *v = 0.0;
                }
            }
        }
    }

    /// J v_free of all rows, for another v_free than [`Assembly::whiten`] had.
    pub fn free_velocity(&mut self, v_free: &[f64]) {
        let kinds = [&self.contacts, &self.unilateral, &self.bounded, &self.moments.rolling];
        for (out, kind) in self.velocity.iter_mut().zip(kinds) {
            out.clear();
            out.extend((0..kind.rows.len()).map(|k| row_velocity(&kind.rows, k, v_free)));
        }
    }

    /// Scalar rows besides the equations.
    pub fn n_rows(&self) -> usize {
        self.first_limit() + self.unilateral.laws.len() + self.bounds.len()
    }

    /// The friction problem of the rows pushed, with the given sides per cone and friction factor (0: none).
    pub fn problem(&mut self, width: usize, facets: usize) -> Result<&FrictionProblem, ProblemError> {
        let mut problem = self.problem.take();
        let filled = if let Some(problem) = &mut problem {
            problem.refill(|form| self.fill(form, width, 1.0))
        } else {
            let mut form = FactoredForm::default();
            self.fill(&mut form, width, 1.0);
            FrictionProblem::factored(form).map(|new| problem = Some(new))
        };
        filled?;
        let problem = problem.expect("filled");
        let problem = if problem.facets() == facets { problem } else { problem.with_facets(facets)? };
        Ok(self.problem.insert(problem))
    }

    /// The problem again, with the sides it had; four if there was none.
    pub fn problem_again(&mut self, width: usize) -> Result<&FrictionProblem, ProblemError> {
        let facets = self.problem.as_ref().map_or(4, FrictionProblem::facets);
        self.problem(width, facets)
    }

    /// The same problem without friction.
    pub fn frictionless(&self, width: usize) -> Result<FrictionProblem, ProblemError> {
        let mut form = FactoredForm::default();
        self.fill(&mut form, width, 0.0);
        FrictionProblem::factored(form)
    }

    fn fill(&self, form: &mut FactoredForm, width: usize, friction: f64) {
        form.clear(width + self.moments.n_discs());
        for (i, mu) in self.friction.iter().enumerate() {
            let rows = [0, 1, 2].map(|k| self.contacts.factored(3 * i + k, &self.velocity[0]));
            let [normal, first, second] = rows;
            let presses = normal.compliance > 0.0
                || size(&normal) > IMMOVABLE * IMMOVABLE * size(&first).max(size(&second));
            if presses {
                form.contact(mu * friction, rows);
            } else {
                // nothing moves along the normal: no impulse there does anything, and none is known that friction could follow
                let still = FactoredRow { index: &[], value: &[], velocity: 0.0, compliance: 0.0 };
                form.contact(0.0, [still, first, second]);
            }
        }
        self.moments.fill(form, width, &self.velocity[3], friction);
        for k in 0..self.unilateral.laws.len() {
            form.unilateral(self.unilateral.factored(k, &self.velocity[1]));
        }
        for (k, &(lo, hi)) in self.bounds.iter().enumerate() {
            form.bounded(self.bounded.factored(k, &self.velocity[2]), lo, hi);
        }
    }

    /// The problem last made; none if the rows were at peace.
    pub fn last_problem(&self) -> Option<&FrictionProblem> {
        self.problem.as_ref().filter(|_| !self.peace)
    }

    /// The names of the rows, for warm starts.
    pub fn ids(&self) -> RowIds<'_> {
        RowIds { contacts: &self.contacts.ids, unilateral: &self.unilateral.ids, bounded: &self.bounded.ids }
    }
}

fn size(row: &FactoredRow<'_>) -> f64 {
    row.value.iter().map(|a| a * a).sum()
}

fn first(rows: &Rows, k: usize) -> (usize, f64) {
    let (dofs, values) = rows.row(k);
    (dofs[0], values[0])
}

/// J v. A sum that is nothing but the rounding of its own terms is zero: opposite contacts would else each be given
/// a side of a gap that does not exist.
fn row_velocity(rows: &Rows, k: usize, v: &[f64]) -> f64 {
    let (dofs, values) = rows.row(k);
    let (mut sum, mut size) = (0.0, 0.0_f64);
    for (&dof, j) in dofs.iter().zip(values) {
        let term = j * v[dof];
        sum += term;
        size += term.abs();
    }
    if sum.abs() <= VELOCITY_ROUNDING * size { 0.0 } else { sum }
}
