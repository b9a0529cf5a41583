//! A stage set up from the answer of its solve: rows of what is held, impulses of loops, factors.

use gudgeon_collide::ContactSlopes;
use gudgeon_contact::{Cone, ContactLinear, Held, Rank, Sliding};
use gudgeon_multibody::{LinkId, Model};
use gudgeon_spatial::{Force, Vector3};

use super::{Stage, Standing};
use crate::derivative::paths::Paths;
use crate::derivative::rows::JointRows;
use crate::tolerances::ROW_SCALES;

/// Stress of its own, of the largest impulse, with which an answer is still taken for the even one: an answer is good to 1e-9.
const UNEVEN: f64 = 1e-7;

/// From so many rows on they are solved on the graph of links: below, dense blocks are as fast and tell how many rows are redundant.
const MANY: usize = 48;
/// From so many rows of one island on those that share a load while they slide are solved there as well: dense blocks of them take longer than
/// the step.
const CROWD: usize = 150;

/// The tangents of a contact.
fn frame(h: &Held) -> [Vector3<f64>; 2] {
    match h.cone {
        Cone::Round => gudgeon_contact::tangents(&h.normal),
        Cone::Polygon(_, section) => section.tangents(&h.normal),
    }
}

/// The first of those that `k` is joined to.
fn root(of: &[usize], mut k: usize) -> usize {
    while of[k] != k {
        k = of[k];
    }
    k
}

/// The largest power of two that is not larger: the scale of a row in the solver.
fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.clamp(ROW_SCALES[0], ROW_SCALES[1]).to_bits() & 0x7ff0_0000_0000_0000)
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
    ) -> bool {
        self.active = true;
        self.shared = at.shared;
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
        self.read_contacts(held, joints);
        self.by_graph = self.factor_graph(model, at);
        if !self.by_graph {
            self.push_rows(model, at, at.paths);
            self.find_loop_impulses(model, &joints.impulses);
            self.implicit.factor(model, &self.factor);
            self.make_even(model);
        }

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
        self.dynamics.prepare(model, at.ws, &sc.dense, &self.y, &Vector3::zeros(), &sc.external);
        self.dense = false;
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
    /// If the answer is that one, so is the derivative: what is redundant decides by the next order, v + ε v' with B v' = −D λ, so that
    /// Wᵀ (δB v' + B δv' + D δλ) = 0 with Wᵀ B = 0 (`gudgeon-contact`, shares). If it is not (rows came and went on the way to it, or
    /// it was led up to from what is remembered, by stages that change loads as little as they can), the change is the least one by the same
    /// compliances, that of a step which remembers its answer, and the place is named a kink.
    fn make_even(&mut self, model: &Model) {
        self.redundant = self.implicit.deficient();
        self.even = false;
        let slides = |c: &ContactLinear| c.held.sliding != Sliding::Not;
        if self.redundant == 0 || !self.contacts.iter().any(|(_, c)| slides(c)) {
            return;
        }
        let Self { contacts, implicit, factor, sc, soft, v_stress, .. } = self;
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
                soft.push((row, 1.0 / (scale * scale)));
                sc.r[row] = -load / (scale * scale);
                most = most.max(load.abs());
            }
        }
        // joints and loops push along what they hold: any share of theirs is the same motion
        soft.extend((self.first_dof_row..implicit.len()).map(|row| (row, implicit.mobility(row))));
        if !implicit.share(soft) || !self.shared {
            return;
        }
        let left = implicit.off_even(&sc.r);
        if left.is_nan() || left > UNEVEN * most {
            return;
        }
        self.even = true;
        for list in [&mut sc.f, &mut *v_stress] {
            list.clear();
            list.resize(model.n_v(), 0.0);
        }
        implicit.jvp(model, factor, &mut sc.f, &mut sc.r, v_stress);
        implicit.follow_even();
        self.dynamics.fields.spread(model, &self.v_stress, &mut self.stress);
    }

    /// Contacts and rows of joints, numbered in the order of their rows.
    fn read_contacts<'c>(
        &mut self,
        held: impl Iterator<Item = (usize, Held, &'c ContactSlopes)>,
        joints: &JointRows,
    ) {
        self.contacts.clear();
        let mut first = 0;
        for (place, h, slopes) in held {
            let fields = &self.dynamics.fields;
            let linear = ContactLinear::new(h, *slopes, fields, &self.velocity, first, &frame(&h));
            first += linear.n_rows();
            self.contacts.push((place, linear));
        }
        self.first_dof_row = first;
        self.dof_rows.clear();
        self.dof_rows.extend_from_slice(&joints.dofs);
        self.first_path_row = first + self.dof_rows.len();
        self.path_rows.clear();
        self.path_rows.extend_from_slice(&joints.paths);
        self.first_loop_row = self.first_path_row + joints.paths.iter().filter(|r| r.holds).count();
        self.n_loop_rows = 0;
    }

    /// Many rows of one island on the graph of links, where each is between two of them or of one dof; false if they are for the
    /// dense solve: few, or such that the way they share a load decides the motion.
    fn factor_graph(&mut self, model: &Model, at: Standing<'_>) -> bool {
        let rows = self.first_path_row;
        if rows < MANY || self.first_loop_row > rows || at.loops || at.locked.contains(&true) {
            return false;
        }
        let largest = self.largest_island(model);
        if largest < MANY {
            return false;
        }
        let (graph, fields) = (&mut self.graph, &self.dynamics.fields);
        graph.begin();
        for (_, c) in &self.contacts {
            let h = &c.held;
            for (held, pushing, compliance) in c.directions() {
                let both = [held, pushing.unwrap_or(held)];
                graph.push_between(fields, [h.a, h.b], &h.point, both, compliance);
            }
        }
        for row in &self.dof_rows {
            graph.push_dof(row.dof, row.sign, row.compliance);
        }
        let rank = graph.factor(model, at.ws, fields, at.diagonal);
        self.even = false;
        self.redundant = usize::from(rank == Rank::Redundant);
        let slides = self.contacts.iter().any(|(_, c)| c.held.sliding != Sliding::Not);
        rank == Rank::Full || rank == Rank::Redundant && (!slides || largest >= CROWD)
    }

    /// Rows of the largest island: of trees that rows join.
    fn largest_island(&mut self, model: &Model) -> usize {
        let Self { contacts, dof_rows, islands: [of, count], .. } = self;
        of.clear();
        of.extend(0..model.n_links());
        for (i, link) in model.links().iter().enumerate().skip(1) {
            // parents come first; the world joins nothing
            of[i] = if link.parent == LinkId::WORLD { i } else { of[link.parent.0] };
        }
        for (_, c) in contacts.iter().filter(|(_, c)| c.held.a != 0 && c.held.b != 0) {
            let (a, b) = (root(of, c.held.a), root(of, c.held.b));
            of[a.max(b)] = a.min(b);
        }
        count.clear();
        count.resize(model.n_links(), 0);
        for (_, c) in contacts.iter() {
            count[root(of, c.held.a.max(c.held.b))] += c.n_rows();
        }
        for row in dof_rows.iter() {
            count[root(of, model.dof_link(row.dof).0)] += 1;
        }
        count.iter().copied().max().unwrap_or(0)
    }

    /// Rows over dofs.
    fn push_rows(&mut self, model: &Model, at: Standing<'_>, paths: &Paths) {
        self.implicit.begin();
        self.rows.clear();
        for (_, c) in &self.contacts {
            let (h, frame) = (&c.held, frame(&c.held));
            let first = self.rows.len();
            let directions = [h.normal, frame[0], frame[1]];
            self.rows.push_contact(model, at.ws, LinkId(h.b), LinkId(h.a), &h.point, &directions);
            c.push(&self.rows, first, &frame, &mut self.implicit);
        }
        for row in &self.dof_rows {
            self.implicit.push([(row.dof, row.sign)], row.compliance);
        }
        for row in self.path_rows.iter().filter(|r| r.holds) {
            let entries = paths.row(row.path).iter().map(|&(dof, j)| (dof, row.sign * j));
            self.implicit.push(entries, row.compliance);
        }
        if at.loops {
            self.constraints.positions(model, at.state, at.ws);
            self.loops.read(model, &at.state.q, at.ws);
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
            let [t1, t2] = frame(h);
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
