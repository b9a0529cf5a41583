//! What impulses do: the velocities they lead to, the forces they are at joints, the dofs they act on.
//!
//! Impulses stand in the order contacts, discs, limits, bounded rows; equations have theirs apart.

use gudgeon_multibody::{MassFactor, Model};

use super::{Assembly, RowList};

impl Assembly {
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

    /// Impulses along the tangents of a contact that [`Assembly::push_contact_given`] added, and their bound, N s.
    pub fn given_friction(&self, contact: usize, impulses: &[f64]) -> Option<([f64; 2], f64)> {
        let at = 2 * contact;
        if at + 1 >= self.given {
            return None;
        }
        let first = self.first_limit() + self.unilateral.laws.len() + at;
        Some(([impulses[first], impulses[first + 1]], self.bounds[at].1))
    }

    /// Each row that acts on bodies: its place among the impulses, and where it stands. A disc's own mass is no body.
    pub(crate) fn rows_in_order(&self, mut each: impl FnMut(usize, &RowList, usize)) {
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
