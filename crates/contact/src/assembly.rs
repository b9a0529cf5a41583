//! The rows of one step, from their pushing to the velocities they lead to.
//!
//! Order of use: [`Assembly::begin`], any number of pushes, [`Assembly::problem`], a solver, [`Assembly::velocity`].

mod moment;
mod peace;

use gudgeon_lcp::{FactoredForm, FactoredRow, FrictionProblem, ProblemError, RowIds};
use gudgeon_multibody::{LinkId, MassFactor, Model, Rows, Whitened, Workspace};
use gudgeon_spatial::{Force, Vector3};

use crate::agree::Agreement;
use crate::held::Held;
use crate::law::Law;

use moment::Moments;
pub use moment::Resistance;

/// A contact point between two links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The link the impulse acts on.
    pub a: LinkId,
    /// The other one.
    pub b: LinkId,
    /// World, m.
    pub point: Vector3<f64>,
    /// Unit, from b into a.
    pub normal: Vector3<f64>,
    /// Stable name.
    pub id: u64,
    /// Coefficient of friction.
    pub friction: f64,
}

/// Two unit vectors that make a right-handed frame with `n`; the same for the same `n`, to the bit.
pub fn tangents(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    // Duff et al. 2017: no square root, no branch but the sign
    let sign = if n.z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [
        Vector3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x),
        Vector3::new(b, sign + n.y * n.y * a, -n.y),
    ]
}

/// The shape of the set of friction forces at a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    /// A circle of radius μ f_n, or a polygon in it.
    #[default]
    Round,
    /// |f_t1| ≤ μ f_n and |f_t2| ≤ μ f_n, each on its own [EnzError §II]: along the diagonal it holds √2 too much.
    ///
    /// A square is a four-sided polygon whose corners lie √2 μ f_n out along the diagonals, so it is given to the solver
    /// with the tangents turned by 45° and that coefficient.
    Box,
}

impl Section {
    /// The tangents of the rows of a contact with normal `n`; those of [`tangents`], turned for a box.
    pub fn tangents(self, n: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let [t1, t2] = tangents(n);
        match self {
            Self::Round => [t1, t2],
            Self::Box => {
                [(t1 + t2) * std::f64::consts::FRAC_1_SQRT_2, (t2 - t1) * std::f64::consts::FRAC_1_SQRT_2]
            }
        }
    }

    /// The coefficient along the tangents of the rows.
    fn coefficient(self, mu: f64) -> f64 {
        match self {
            Self::Round => mu,
            Self::Box => std::f64::consts::SQRT_2 * mu,
        }
    }
}

/// A list of rows of one kind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kind {
    pub(crate) rows: Rows,
    answering: Rows, // without the dofs that follow a given motion
    pub(crate) laws: Vec<Law>,
    pub(crate) ids: Vec<u64>,
    whitened: Whitened,
    across: Rows, // whitened rows without their part along the equations; empty if there are none
    is_held: bool,
}

impl Kind {
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
    pub(crate) contacts: Kind, // three rows each; ids one each, then one for each disc
    pub(crate) friction: Vec<f64>,
    pub(crate) moments: Moments,
    pub(crate) unilateral: Kind,
    pub(crate) bounded: Kind,
    pub(crate) bounds: Vec<(f64, f64)>,
    pub(crate) given: usize, // bounded rows that are friction of a given size: the first ones, two per contact
    equality: Held,
    problem: Option<FrictionProblem>,
    pub(crate) velocity: [Vec<f64>; 4], // J v_free of contacts, limits, bounded rows and rolling
    y: Vec<f64>,                        // nv
    pub(crate) agreement: Agreement,
    peace: bool, // no impulse is the answer, and no problem was made
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

    /// Adds the three rows of a contact; wants `kinematics` in `ws`.
    pub fn push_contact(&mut self, model: &Model, ws: &Workspace, touch: &Touch, law: Law) {
        let [t1, t2] = self.section.tangents(&touch.normal);
        let directions = [touch.normal, t1, t2];
        self.contacts.rows.push_contact(model, ws, touch.b, touch.a, &touch.point, &directions);
        self.contacts.laws.extend([law, Law::default(), Law::default()]);
        self.contacts.ids.push(touch.id);
        self.friction.push(self.section.coefficient(touch.friction));
    }

    /// Adds a contact whose friction is bounded by a given impulse along each of its tangents, N s: the normal as a contact
    /// without friction, the tangents as bounded rows [EnzError §II]. Either all contacts are pushed so, before any other
    /// bounded row, or none.
    pub fn push_contact_given(&mut self, model: &Model, ws: &Workspace, touch: &Touch, law: Law, most: f64) {
        self.push_contact(model, ws, &Touch { friction: 0.0, ..*touch }, law);
        for (k, direction) in (0_u64..).zip(self.section.tangents(&touch.normal)) {
            let force = Force::new(Vector3::zeros(), direction);
            self.bounded.rows.push_between(model, ws, touch.b, touch.a, &touch.point, force);
            self.bounded.laws.push(Law::default());
            // far from the names of joints, which are small
            self.bounded.ids.push(!(touch.id.rotate_left(1) ^ k));
            self.bounds.push((-most, most));
        }
        self.given += 2;
    }

    /// Impulses along the tangents of a contact that [`Assembly::push_contact_given`] added, and their bound, N s.
    pub fn given_friction(&self, contact: usize, impulses: &[f64]) -> Option<([f64; 2], f64)> {
        let at = 2 * contact;
        if at + 1 >= self.given {
            return None;
        }
        let first = self.first_limit() + self.unilateral.laws.len() + at;
        Some(([impulses[first], impulses[first + 1]], self.bounds[at].1))
    }

    /// Changes the law of a contact's normal; the rows stay.
    pub fn set_law(&mut self, contact: usize, law: Law) {
        self.contacts.laws[3 * contact] = law;
    }

    /// Changes the coefficient of friction of a contact.
    pub fn set_friction(&mut self, contact: usize, friction: f64) {
        self.friction[contact] = self.section.coefficient(friction);
    }

    /// Lets the surfaces of a contact move by themselves, a's against b's, world axes, m/s: friction wants their sum with
    /// the bodies' motion to be none.
    pub fn set_surface_velocity(&mut self, contact: usize, normal: &Vector3<f64>, velocity: &Vector3<f64>) {
        for (k, t) in self.section.tangents(normal).iter().enumerate() {
            self.contacts.laws[3 * contact + 1 + k].bias = t.dot(velocity);
        }
    }

    /// Adds a row on one dof that may only open: a joint at its limit.
    pub fn push_limit(&mut self, dof: usize, sign: f64, id: u64, law: Law) {
        self.unilateral.rows.push([(dof, sign)]);
        self.unilateral.laws.push(law);
        self.unilateral.ids.push(id);
    }

    /// Adds a row on one dof with a bounded impulse: a motor, dry friction.
    pub fn push_bounded(&mut self, dof: usize, id: u64, law: Law, lo: f64, hi: f64) {
        self.bounded.rows.push([(dof, 1.0)]);
        self.bounded.laws.push(law);
        self.bounded.ids.push(id);
        self.bounds.push((lo, hi));
    }

    /// Leaves out the bounds of joints' rows that are wider than `most` allows for a row's bias, N s; the rows and what their
    /// bounds were go to `out`.
    pub fn widen(&mut self, most: impl Fn(f64) -> f64, out: &mut Vec<(usize, f64)>) {
        for k in self.n_contact_rows()..self.bounds.len() {
            let hi = self.bounds[k].1;
            if hi.is_finite() && hi > most(self.bounded.laws[k].bias) {
                out.push((k, hi));
                self.bounds[k] = (f64::NEG_INFINITY, f64::INFINITY);
            }
        }
    }

    /// Changes the bounds of the `k`th bounded row.
    pub fn set_bounds(&mut self, k: usize, lo: f64, hi: f64) {
        self.bounds[k] = (lo, hi);
    }

    /// Number of bounded rows.
    pub fn n_bounded(&self) -> usize {
        self.bounds.len()
    }

    /// Adds a row over several dofs, ascending, that may only open: a string at its limit.
    pub fn push_limit_row(&mut self, row: &[(usize, f64)], id: u64, law: Law) {
        self.unilateral.rows.push(row.iter().copied());
        self.unilateral.laws.push(law);
        self.unilateral.ids.push(id);
    }

    /// Adds a row over several dofs, ascending, with a bounded impulse: a string that is pulled, or rubs.
    pub fn push_bounded_row(&mut self, row: &[(usize, f64)], id: u64, law: Law, lo: f64, hi: f64) {
        self.bounded.rows.push(row.iter().copied());
        self.bounded.laws.push(law);
        self.bounded.ids.push(id);
        self.bounds.push((lo, hi));
    }

    /// Adds an equation: a loop or a coupling.
    pub fn push_equality(&mut self, dofs: &[usize], values: &[f64]) {
        self.equality.rows.push(dofs.iter().copied().zip(values.iter().copied()));
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
        self.free_velocity(v_free);
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
            form.contact(mu * friction, rows);
        }
        self.moments.fill(form, width, &self.velocity[3], friction);
        for k in 0..self.unilateral.laws.len() {
            form.unilateral(self.unilateral.factored(k, &self.velocity[1]));
        }
        for (k, &(lo, hi)) in self.bounds.iter().enumerate() {
            form.bounded(self.bounded.factored(k, &self.velocity[2]), lo, hi);
        }
    }

    /// The frictionless problem of opening contacts and limits: one unilateral row per finite `room` (m/s), with `give` as the
    /// compliance of a row of size one. `problem` is refilled.
    pub fn opening(
        &self,
        contacts: &[f64],
        limits: &[f64],
        give: f64,
        width: usize,
        problem: &mut Option<FrictionProblem>,
    ) -> Result<(), ProblemError> {
        let fill = |form: &mut FactoredForm| {
            form.clear(width);
            self.each_opening(contacts, limits, |row| {
                let size: f64 = row.value.iter().map(|x| x * x).sum();
                form.unilateral(FactoredRow { compliance: row.compliance + give * size, ..row });
            });
        };
        if let Some(problem) = problem {
            return problem.refill(fill);
        }
        let mut form = FactoredForm::default();
        fill(&mut form);
        *problem = Some(FrictionProblem::factored(form)?);
        Ok(())
    }

    /// The rows of [`Assembly::opening`], in order.
    pub fn each_opening(&self, contacts: &[f64], limits: &[f64], mut each: impl FnMut(FactoredRow<'_>)) {
        for (i, &room) in contacts.iter().enumerate().filter(|r| r.1.is_finite()) {
            each(FactoredRow { velocity: room, ..self.contacts.row(3 * i) });
        }
        for (k, &room) in limits.iter().enumerate() {
            each(FactoredRow { velocity: room, ..self.unilateral.row(k) });
        }
    }

    /// v += M̃⁻¹ Jᵀ λ for an answer to [`Assembly::opening`]; `all` is scratch.
    pub fn opening_velocity(
        &mut self,
        contacts: &[f64],
        impulses: &[f64],
        model: &Model,
        factor: &MassFactor,
        all: &mut Vec<f64>,
        v: &mut [f64],
    ) {
        all.clear();
        all.resize(3 * self.friction.len(), 0.0);
        let mut answers = impulses.iter().copied();
        for (i, _) in contacts.iter().enumerate().filter(|r| r.1.is_finite()) {
            all[3 * i] = answers.next().unwrap_or(0.0);
        }
        all.resize(self.first_limit(), 0.0);
        all.extend(answers);
        // limits of strings are not opened
        all.resize(self.n_rows(), 0.0);
        let finite = all.iter().all(|x| x.is_finite());
        if finite {
            self.velocity(model, factor, all, v);
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

    /// v += M̃⁻¹ Jᵀ λ with the equations held, λ in the order contacts, unilateral, bounded.
    pub fn velocity(&mut self, model: &Model, factor: &MassFactor, impulses: &[f64], v: &mut [f64]) {
        self.y.clear();
        self.y.resize(model.n_v(), 0.0);
        let mut y = std::mem::take(&mut self.y);
        self.rows_in_order(|at, kind, k| {
            if impulses[at] != 0.0 {
                kind.whitened.rows.add_to(k, impulses[at], &mut y);
            }
        });
        self.y = y;
        if !self.equality.is_empty() {
            self.equality.hold(&mut self.y);
        }
        factor.solve_gt(model, &mut self.y);
        v.iter_mut().zip(&self.y).for_each(|(v, y)| *v += y);
    }

    /// v += M̃⁻¹ Jᵀ λ with the equations held, for impulses of the contacts alone, three each.
    pub fn velocity_of_contacts(
        &mut self,
        model: &Model,
        factor: &MassFactor,
        impulses: &[f64],
        v: &mut [f64],
    ) {
        let mut all = impulses.to_vec();
        all.resize(self.n_rows(), 0.0);
        self.velocity(model, factor, &all, v);
    }

    /// Jᵀ λ: the impulses as generalised ones, of limits and bounded rows of joints.
    pub fn joint_impulses(&self, impulses: &[f64], out: &mut [f64]) {
        let mut at = self.first_limit();
        for (kind, from) in [(&self.unilateral, 0), (&self.bounded, self.n_contact_rows())] {
            for k in from..kind.rows.len() {
                kind.rows.add_to(k, impulses[at + k], out);
            }
            at += kind.rows.len();
        }
    }

    /// Impulses of dry friction of joints, by dof.
    pub fn joint_friction(&self, impulses: &[f64], mut each: impl FnMut(usize, f64)) {
        let first = self.first_limit() + self.unilateral.rows.len();
        for k in self.n_contact_rows()..self.bounded.rows.len() {
            let (dofs, values) = self.bounded.rows.row(k);
            // rows of one dof are numbered by it, fourfold: friction is the first
            if let ([dof], [value], Some(impulse)) = (dofs, values, impulses.get(first + k))
                && self.bounded.ids[k] == 4 * *dof as u64
            {
                each(*dof, value * impulse);
            }
        }
    }

    /// Jᵀ λ of the equations.
    pub fn held_joint_impulses(&self, out: &mut [f64]) {
        for (k, impulse) in self.held_impulses().iter().enumerate() {
            self.equality.rows.add_to(k, *impulse, out);
        }
    }

    /// Impulses of the equations over the step, in the order they were pushed.
    pub fn held_impulses(&self) -> &[f64] {
        let n = self.equality.rows.len().min(self.equality.impulses.len());
        &self.equality.impulses[..n]
    }

    /// Each row that acts on bodies: its place among the impulses, and where it stands. A disc's own mass is no body.
    pub(crate) fn rows_in_order(&self, mut each: impl FnMut(usize, &Kind, usize)) {
        for k in 0..self.contacts.rows.len() {
            each(k, &self.contacts, k);
        }
        let first = 3 * self.friction.len();
        for k in 0..self.moments.rolling.rows.len() {
            each(first + 3 * (k / 2) + 1 + k % 2, &self.moments.rolling, k);
        }
        let mut at = self.first_limit();
        for kind in [&self.unilateral, &self.bounded] {
            for k in 0..kind.rows.len() {
                each(at, kind, k);
                at += 1;
            }
        }
    }

    /// Each row by its place among the impulses, with the dofs it acts on.
    pub fn by_row(&self, mut each: impl FnMut(usize, &[usize])) {
        self.rows_in_order(|at, kind, k| each(at, kind.rows.row(k).0));
    }

    /// A dof that a contact acts on.
    pub fn first_dof(&self, contact: usize) -> Option<usize> {
        self.contacts.rows.row(3 * contact).0.first().copied()
    }

    /// Marks the dofs that contacts and other rows with an impulse act on.
    pub fn pushed(&self, impulses: &[f64], marked: &mut [bool]) {
        self.rows_in_order(|at, kind, k| {
            if impulses[at] != 0.0 {
                kind.whitened.rows.row(k).0.iter().for_each(|&dof| marked[dof] = true);
            }
        });
    }
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
    if sum.abs() <= 4.0 * f64::EPSILON * size { 0.0 } else { sum }
}
