//! Rows go in: contacts, limits, bounded rows, equations; and what of them may still be changed.

use gudgeon_multibody::{Model, Workspace};
use gudgeon_spatial::{Force, Vector3};

use super::{Assembly, Touch};
use crate::law::Law;

impl Assembly {
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
}
