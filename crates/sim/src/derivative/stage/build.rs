//! A stage set up from the answer of its solve: rows of what is held, impulses of loops, factors.

use gudgeon_collide::ContactSlopes;
use gudgeon_contact::{ContactLinear, Held, Sliding};
use gudgeon_multibody::{LinkId, Model};
use gudgeon_spatial::{Force, Vector3};

use super::{Stage, Standing};
use crate::derivative::paths::Paths;
use crate::derivative::rows::JointRows;

/// The compliance of rows that share evenly, where rows have size one: what it changes is of its order, what rounding
/// changes of 1e-16 over it. Weak rows multiply both by up to a hundred.
const EVEN: f64 = 1e-9;
/// Stress of its own, of the largest impulse, with which an answer is still taken for the even one: an answer is good to 1e-9.
const UNEVEN: f64 = 1e-7;

/// The largest power of two that is not larger: the scale of a row in the solver.
fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.clamp(1e-90, 1e90).to_bits() & 0x7ff0_0000_0000_0000)
}

impl Stage {
    /// Sets the stage up: `held` contacts with their slopes and places in the step, and the rows of `joints`.
    pub(crate) fn build<'c>(
        &mut self,
        model: &Model,
        at: Standing<'_>,
        v_in: &[f64],
        v_out: &[f64],
        held: impl Iterator<Item = (usize, Held, &'c ContactSlopes)>,
        joints: &JointRows,
        paths: &Paths,
    ) -> bool {
        self.active = true;
        self.v_out.copy_from_slice(v_out);
        for k in 0..v_in.len() {
            self.y[k] = v_out[k] - v_in[k];
        }
        if let Some((mass, factor)) = at.made {
            self.mass.clone_from(mass);
            self.factor.clone_from(factor);
        } else if !self.find_inertia(model, at) {
            return false;
        }
        self.dynamics.fields.read(model, at.ws);
        self.dynamics.fields.spread(model, v_out, &mut self.velocity);
        self.push_rows(model, at, held, joints, paths);
        self.find_loop_impulses(model, &joints.impulses);
        self.implicit.factor(model, &self.factor);
        self.make_even(model);

        // the impulses stay in space while the tree moves under them
        let sc = &mut self.sc;
        sc.external.clear();
        sc.external.resize(model.n_links(), Force::zero());
        let fields = std::mem::take(&mut self.dynamics.fields);
        for (_, c) in &self.contacts {
            let h = &c.held;
            sc.external[h.a] += fields.about(h.a, &h.point, Vector3::zeros(), h.impulse);
            sc.external[h.b] -= fields.about(h.b, &h.point, Vector3::zeros(), h.impulse);
        }
        if self.n_loop_rows > 0 {
            self.loops.forces(&fields, &self.mu, &mut sc.external);
        }
        self.dynamics.fields = fields;
        sc.dense.clear();
        sc.dense.resize(model.n_v(), 0.0);
        self.dynamics.compute(model, at.ws, &sc.dense, &self.y, &Vector3::zeros(), &sc.external);
        true
    }

    fn find_inertia(&mut self, model: &Model, at: Standing<'_>) -> bool {
        gudgeon_multibody::mass_matrix(model, at.ws, &mut self.mass);
        if !at.diagonal.is_empty() {
            self.sc.dense.clear();
            self.sc.dense.extend(at.diagonal.iter().zip(model.dofs()).map(|(d, dof)| d - dof.armature));
            self.mass.add_diagonal(model, &self.sc.dense);
        }
        self.mass.lock(model, |dof| at.locked.get(dof).copied().unwrap_or(false));
        self.factor.factor(model, &self.mass).is_ok()
    }

    /// Where contacts slide that say nothing new, how they share their load decides the motion. The solver's steps from no
    /// impulses at all, with every row held, are those of rows with one small compliance each in its own scale, and so is
    /// the answer, in the limit: of all shares the one without stress of its own,
    /// ```text
    ///     B v + ε D λ = 0,   ε → 0          D⁻¹ the scales of the rows, powers of two, squared
    /// ```
    /// If the answer is that one, the derivative is taken with such an ε: with S + ε D, about v + ε v', B v' = −D λ. If it is not
    /// (rows came and went on the way to it), the rows stay as they are, and the place is named a kink.
    fn make_even(&mut self, model: &Model) {
        self.redundant = self.implicit.deficient();
        self.even = false;
        let slides = |c: &ContactLinear| c.held.sliding != Sliding::Not;
        if self.redundant == 0 || !self.contacts.iter().any(|(_, c)| slides(c)) {
            return;
        }
        let Self { contacts, implicit, factor, sc, soft, .. } = self;
        soft.clear();
        sc.r.clear();
        sc.r.resize(implicit.len(), 0.0);
        let mut most = 0.0_f64;
        for (_, c) in contacts.iter() {
            let h = &c.held;
            let across = c.across().iter().flatten().take(if slides(c) { 0 } else { 2 });
            // one scale for both tangents
            let tangents = (1..c.n_rows()).map(|k| implicit.mobility(c.first + k)).fold(0.0, f64::max);
            for (k, e) in std::iter::once(&h.normal).chain(across).enumerate() {
                let row = c.first + k;
                let mobility = if k == 0 { implicit.mobility(row) } else { tangents };
                let load = e.dot(&h.impulse);
                let scale = power_of_two(1.0 / mobility.sqrt());
                soft.push((row, EVEN / (scale * scale)));
                sc.r[row] = -load / (scale * scale);
                most = most.max(load.abs());
            }
        }
        implicit.soften(soft.iter().copied());
        sc.f.clear();
        sc.f.resize(model.n_v(), 0.0);
        sc.dense.clear();
        sc.dense.resize(model.n_v(), 0.0);
        implicit.jvp(model, factor, &mut sc.f, &mut sc.r, &mut sc.dense);
        // what is left of D λ after the shift: of the order of ε if it is in the span of the rows
        let left = soft.iter().fold(0.0_f64, |m, (row, _)| m.max(EVEN * sc.r[*row].abs()));
        self.even = left <= UNEVEN * most && implicit.deficient() == 0;
        if !self.even {
            implicit.soften(soft.iter().map(|(row, c)| (*row, -c)));
            return;
        }
        self.v_out.iter_mut().zip(&sc.dense).for_each(|(v, s)| *v += EVEN * s);
        let fields = &self.dynamics.fields;
        fields.spread(model, &self.v_out, &mut self.velocity);
        for (_, c) in &mut *contacts {
            c.meet(fields, &self.velocity);
        }
    }

    fn push_rows<'c>(
        &mut self,
        model: &Model,
        at: Standing<'_>,
        held: impl Iterator<Item = (usize, Held, &'c ContactSlopes)>,
        joints: &JointRows,
        paths: &Paths,
    ) {
        self.contacts.clear();
        self.implicit.begin();
        self.rows.clear();
        for (place, h, slopes) in held {
            let [t1, t2] = match h.cone {
                gudgeon_contact::Cone::Round => gudgeon_contact::tangents(&h.normal),
                gudgeon_contact::Cone::Polygon(_, section) => section.tangents(&h.normal),
            };
            let first = self.rows.len();
            let directions = [h.normal, t1, t2];
            self.rows.push_contact(model, at.ws, LinkId(h.b), LinkId(h.a), &h.point, &directions);
            let frame = [t1, t2];
            let fields = &self.dynamics.fields;
            let linear = ContactLinear::push(
                h,
                *slopes,
                fields,
                &self.velocity,
                &self.rows,
                first,
                &frame,
                &mut self.implicit,
            );
            self.contacts.push((place, linear));
        }
        self.first_dof_row = self.implicit.len();
        self.dof_rows.clear();
        self.dof_rows.extend_from_slice(&joints.dofs);
        for row in &joints.dofs {
            self.implicit.push([(row.dof, row.sign)], row.compliance);
        }
        self.first_path_row = self.implicit.len();
        self.path_rows.clear();
        self.path_rows.extend_from_slice(&joints.paths);
        for row in joints.paths.iter().filter(|r| r.holds) {
            let entries = paths.row(row.path).iter().map(|&(dof, j)| (dof, row.sign * j));
            self.implicit.push(entries, row.compliance);
        }
        self.first_loop_row = self.implicit.len();
        self.n_loop_rows = 0;
        if at.loops {
            self.constraints.positions(model, at.state, at.ws);
            self.loops.read(model, at.ws);
            self.n_loop_rows = self.constraints.rows.len();
            for k in 0..self.n_loop_rows {
                let (dofs, values) = self.constraints.rows.row(k);
                self.implicit.push(dofs.iter().copied().zip(values.iter().copied()), 0.0);
            }
        }
    }

    /// μ from what the other impulses leave unexplained.
    fn find_loop_impulses(&mut self, model: &Model, joint_impulses: &[f64]) {
        self.mu.clear();
        if self.n_loop_rows == 0 {
            return;
        }
        let sc = &mut self.sc;
        sc.f.clear();
        sc.f.resize(model.n_v(), 0.0);
        self.mass.multiply(model, &self.y, &mut sc.f);
        sc.f.iter_mut().zip(joint_impulses).for_each(|(f, j)| *f -= j);
        let mut at = 0;
        for (_, c) in &self.contacts {
            let h = &c.held;
            let [t1, t2] = match h.cone {
                gudgeon_contact::Cone::Round => gudgeon_contact::tangents(&h.normal),
                gudgeon_contact::Cone::Polygon(_, section) => section.tangents(&h.normal),
            };
            for e in [h.normal, t1, t2] {
                self.rows.add_to(at, -e.dot(&h.impulse), &mut sc.f);
                at += 1;
            }
        }
        self.factor.solve_g(model, &mut sc.f);
        self.whitened.compute(model, &self.factor, &self.constraints.rows);
        self.rank.factor_rows(&self.whitened.rows, model.n_v());
        sc.loop_rows.clear();
        sc.loop_rows.extend((0..self.n_loop_rows).map(|k| self.whitened.rows.dot(k, &sc.f)));
        self.mu.resize(self.n_loop_rows, 0.0);
        self.rank.solve_basic(&sc.loop_rows, &mut self.mu);
    }
}
