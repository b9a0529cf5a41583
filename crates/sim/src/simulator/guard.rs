//! Energy is never made: what a step would add is taken from its motion.
//!
//! No step of this length is exact. The velocity that leads through a bend, the lift that undoes overlap, an impact law that
//! fits one contact and not two, an answer that is off by a rounding: each may leave bodies with more energy than they had.
//! At the end of the step the sum over an *island* (trees that contacts tie together in it) is held against that of its start:
//! ```text
//!     G = T⁺ + V⁺ - T - V > 0   →   v⁺ ← v* + s (v⁺ - v*),    s² = 1 - G / T(v⁺ - v*)
//! ```
//! v* is rest for an island that stands on the world. For one that flies it is the motion of the whole, as if it were frozen,
//! with its linear and angular momentum; it carries no relative motion and is orthogonal to the rest in the metric of M, so
//! momenta stay. s scales relative velocities alone: contacts that stick still stick, what is apart stays apart, loops stay
//! closed. Energy that a step loses is not given back.
//!
//! Where all motion is not enough, the step goes less far (`curb`). What is lifted out of overlap, and what bounces, is paid for beforehand (`afford`). Overlap that bodies were *placed* with, at
//! the start or by [`Simulator::set_state`], is undone whatever it costs.
//!
//! Islands on which something works that is not counted (controllers, pushes, belts, contacts that are springs) are left alone.
//!
//! | symbol | meaning |
//! |---|---|
//! | T, V | energy of motion, of height and of joint springs, J |
//! | G | what the step would make, J |
//! | v* | the part of v⁺ that must stay |

use gudgeon_multibody::{Joint, LinkId, Model, dof_energy, link_energy, velocities};
use gudgeon_spatial::{Force, Motion, Pose, Symmetric3, Vector3};

use super::Simulator;
use super::memory::Layout;
use crate::contact_info::ContactInfo;
use crate::settings::Integrator;
use crate::tape::Brake;

/// Part of the sums that may be their rounding; a few hundred units in the last place.
pub(super) const ROUNDING: f64 = 1e-13;

/// Energies of a group of trees, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Share {
    pub(super) kinetic: f64,
    pub(super) potential: f64,
    /// Sum of the sizes of all terms.
    size: f64,
}

impl Share {
    fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    fn add(&mut self, other: &Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
        self.size += other.size;
    }
}

/// What is known of the energy of a step, by group of trees.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    pub(super) before: Vec<Share>,
    pub(super) after: Vec<Share>,
    /// Something works on the group that is not counted.
    pub(super) active: Vec<bool>,
    /// Nothing but contacts ties the group to the world.
    floating: Vec<bool>,
    /// The group still has overlap that it was placed with.
    pub(crate) placed: Vec<bool>,
    /// The island of each group in the present step: the least group of it.
    pub(super) island: Vec<usize>,
    /// By island: touches the world, or hangs on it.
    grounded: Vec<bool>,
    /// By island: sums of three kinds.
    pub(super) sums: [Vec<f64>; 3],
    /// By island, where the end of a step is looked at: the deepest overlap it may have and the one it has, m, and the share that is undone.
    pub(super) ends: [Vec<f64>; 3],
    pub(super) exempt: Vec<bool>, // by island, scratch
    /// By island: energies at the start of the step and at its end.
    of_island: Vec<[Share; 2]>,
    pub(super) v: Vec<f64>, // by dof, scratch
    /// `after` is where the bodies stand now: what the next step begins with.
    pub(super) stands: bool,
    /// Something that is not counted works on every group: there is nothing to hold.
    idle: bool,
}

impl Guard {
    pub(super) fn new(model: &Model, tree: &[usize]) -> Self {
        let n = model.n_v();
        let mut floating = vec![true; n];
        for dof in (0..n).filter(|&dof| model.dof_parent(dof).is_none()) {
            let link = model.link(model.dof_link(dof));
            floating[tree[dof]] &= link.parent == LinkId::WORLD && link.joint == Joint::Free;
        }
        // a loop to the world, or through links welded to it
        for l in model.loops() {
            for (one, other) in [(l.a, l.b), (l.b, l.a)] {
                let dof = super::trees::moving_dof(model, one);
                if let (Some(dof), None) = (dof, super::trees::moving_dof(model, other)) {
                    floating[tree[dof]] = false;
                }
            }
        }
        Self {
            before: vec![Share::default(); n],
            after: vec![Share::default(); n],
            active: vec![false; n],
            floating,
            placed: vec![true; n],
            island: (0..n).collect(),
            grounded: vec![false; n],
            sums: std::array::from_fn(|_| vec![0.0; n]),
            ends: std::array::from_fn(|_| vec![0.0; n]),
            exempt: vec![false; n],
            of_island: vec![[Share::default(); 2]; n],
            v: vec![0.0; n],
            stands: false,
            idle: false,
        }
    }

    /// The island that a group belongs to.
    fn find(&mut self, mut group: usize) -> usize {
        while self.island[group] != group {
            self.island[group] = self.island[self.island[group]];
            group = self.island[group];
        }
        group
    }

    /// Whether an island stands higher than all energy that it had, by more than `part` of the sums.
    pub(super) fn owes(&self, at: usize, part: f64) -> bool {
        let [before, after] = &self.of_island[at];
        !self.exempt[at] && after.potential - before.total() > part * after.size.max(before.size)
    }

    fn join(&mut self, a: Option<usize>, b: Option<usize>) {
        match (a, b) {
            (Some(a), Some(b)) => {
                let (a, b) = (self.find(a), self.find(b));
                let (from, to) = (a.max(b), a.min(b));
                self.island[from] = to;
                self.grounded[to] |= self.grounded[from];
            }
            (Some(a), None) | (None, Some(a)) => {
                let a = self.find(a);
                self.grounded[a] = true;
            }
            (None, None) => {}
        }
    }
}

impl Simulator {
    /// Whether energy is watched: the paper's Runge-Kutta and `carried` steps are left as they are, and a motion that is
    /// given does work.
    pub(super) fn watched(&self) -> bool {
        self.settings.energy_guard
            && self.settings.integrator == Integrator::Euler
            && self.drive.prescribed.is_none()
    }

    /// Energies at the start of the step, and who is worked upon; wants what is asked for in the step.
    pub(super) fn watch(&mut self) {
        if !self.watched() {
            return;
        }
        let Guard { active, .. } = &mut self.guard;
        active.fill(false);
        for (dof, _) in self.drive.tau.iter().enumerate().filter(|t| *t.1 != 0.0) {
            active[self.layout.tree[dof]] = true;
        }
        let moved = self.drive.motors.iter().map(|m| m.dof).chain(self.drive.springs.iter().map(|s| s.dof));
        moved.for_each(|dof| active[self.layout.tree[dof]] = true);
        let rows = self.drive.actuation.springs.iter().chain(&self.drive.actuation.tethers);
        let pulled = rows.flat_map(|s| &s.row).map(|entry| entry.0);
        let held = self.drive.held.iter().map(|s| s.dof);
        pulled.chain(held).for_each(|dof| active[self.layout.tree[dof]] = true);
        for &(link, _) in &self.drive.actuation.adhesion {
            if let Some(group) = self.layout.groups[link] {
                active[group] = true;
            }
        }
        for (k, _) in self.drive.external.iter().enumerate().filter(|f| *f.1 != Force::zero()) {
            if let Some(group) = self.layout.groups[k] {
                active[group] = true;
            }
        }
        self.guard.idle = self.layout.tree.iter().all(|&group| self.guard.active[group]);
        if self.guard.idle {
            return;
        }
        if self.guard.stands {
            let Guard { before, after, .. } = &mut self.guard;
            std::mem::swap(before, after);
        } else {
            let mut before = std::mem::take(&mut self.guard.before);
            self.measure(&mut before);
            self.guard.before = before;
        }
    }

    /// Energies by group, where `ws` stands.
    pub(super) fn measure(&self, out: &mut [Share]) {
        out.fill(Share::default());
        for k in 1..self.model.n_links() {
            let Some(group) = self.layout.groups[k] else { continue };
            let e = link_energy(&self.model, &self.ws, LinkId(k));
            let (kinetic, potential) = (e.kinetic, e.potential);
            out[group].add(&Share { kinetic, potential, size: kinetic + potential.abs() });
        }
        for (dof, &group) in self.layout.tree.iter().enumerate() {
            let e = dof_energy(&self.model, &self.state, dof);
            let (kinetic, potential) = (e.kinetic, e.elastic);
            out[group].add(&Share { kinetic, potential, size: kinetic + potential });
        }
    }

    /// Trees that contacts tie together in this step: those that push, by `pushes`, and those that overlap.
    pub(super) fn find_islands(&mut self, pushes: impl Fn(usize, &ContactInfo) -> bool) {
        let tolerance = self.settings.overlap_tolerance;
        let Self { guard, contacts, layout: Layout { groups, .. }, recovery, .. } = self;
        for (k, island) in guard.island.iter_mut().enumerate() {
            *island = k;
        }
        for (grounded, floating) in guard.grounded.iter_mut().zip(&guard.floating) {
            *grounded = !floating;
        }
        for (i, c) in contacts.iter().enumerate() {
            if -c.gap > tolerance || recovery.opened(i) || pushes(i, c) {
                guard.join(groups[c.a.0], groups[c.b.0]);
            }
        }
        for k in 0..guard.island.len() {
            guard.island[k] = guard.find(k);
        }
    }

    /// Takes what the step made from the motion of the island that made it; wants `ws` at the end of the step.
    pub(super) fn hold_energy(&mut self, dt: f64) {
        if !self.watched() || self.guard.idle {
            return;
        }
        let mut after = std::mem::take(&mut self.guard.after);
        self.measure(&mut after);
        let pairs = after.iter().zip(&self.guard.before);
        let made = pairs.filter(|(a, b)| a.total() - b.total() > ROUNDING * a.size.max(b.size)).count();
        self.guard.after = after;
        self.guard.stands = made == 0;
        if made == 0 {
            return;
        }
        self.find_islands(|_, c| c.force != Vector3::zeros());
        self.tape.keep_unbraked(&self.state.v);
        self.sum_islands();
        self.curb(dt);
        let mut changed = false;
        for at in 0..self.guard.island.len() {
            let [before, after] = self.guard.of_island[at];
            let made = after.total() - before.total();
            // NaN is told elsewhere
            if !self.guard.exempt[at] && made > ROUNDING * after.size.max(before.size) {
                self.brake(at, made, after.kinetic);
                changed = true;
            }
        }
        if changed {
            velocities(&self.model, &self.state.v, &mut self.ws);
        }
    }

    /// Energies by island where the step ends now.
    pub(super) fn sum_ends(&mut self) {
        let mut after = std::mem::take(&mut self.guard.after);
        self.measure(&mut after);
        let Guard { island, of_island, .. } = &mut self.guard;
        for pair in of_island.iter_mut() {
            pair[1] = Share::default();
        }
        for (after, &at) in after.iter().zip(island.iter()) {
            of_island[at][1].add(after);
        }
        self.guard.after = after;
    }

    /// Energies by island, and which islands are left alone: something works on them that is not counted. One pass over the
    /// groups, whatever the number of islands.
    fn sum_islands(&mut self) {
        let Guard { before, after, active, placed, island, exempt, of_island, .. } = &mut self.guard;
        exempt.fill(false);
        of_island.fill([Share::default(); 2]);
        for (group, &at) in island.iter().enumerate() {
            exempt[at] |= active[group] || placed[group];
            of_island[at][0].add(&before[group]);
            of_island[at][1].add(&after[group]);
        }
        for c in &self.contacts {
            let soft = !c.material.stiffness.is_infinite();
            if soft || self.runs(c) {
                for group in [c.a, c.b].into_iter().filter_map(|l| self.layout.groups[l.0]) {
                    let at = self.guard.island[group];
                    self.guard.exempt[at] = true;
                }
            }
        }
    }

    /// Slows an island down by what it made, with the kinetic energy it has.
    fn brake(&mut self, at: usize, made: f64, kinetic: f64) {
        let whole = if self.guard.grounded[at] { None } else { self.frozen(at) };
        let (keep, spin, inner, turning) = match whole {
            None => (Motion::zero(), Motion::zero(), kinetic, 0.0),
            Some(w) => (w.flight, w.spin, kinetic - w.flight_energy - w.spin_energy, w.spin_energy),
        };
        // an inner motion that is but rounding pays nothing
        let s = if inner > 0.0 { (1.0 - made / inner).max(0.0).sqrt() } else { 1.0 };
        // what the inner motion cannot pay, the turning of the whole does
        let rest = made - inner.max(0.0);
        let turn = if rest > 0.0 && turning > 0.0 { (1.0 - rest / turning).max(0.0).sqrt() } else { 1.0 };
        // what no motion of the parts can pay, that of the whole must
        let owed = rest - turning;
        let flying = whole.map_or(0.0, |w| w.flight_energy);
        let fly = if owed > 0.0 && flying > 0.0 { (1.0 - owed / flying).max(0.0).sqrt() } else { 1.0 };
        let about = whole.map_or_else(Vector3::zeros, |w| w.center);
        let brake = Brake { island: at, scale: s, kinetic, floating: whole.is_some() };
        self.tape.keep_brake(brake, &self.guard.island);
        for k in 1..self.model.n_links() {
            let link = self.model.link(LinkId(k));
            let (v_range, joint, placement) = (link.v_range(), link.joint, link.placement);
            if v_range.is_empty() || self.guard.island[self.layout.tree[v_range.start]] != at {
                continue;
            }
            let v = &mut self.state.v[v_range];
            let (mut lock, mut end) = ([0.0; 6], [0.0; 6]);
            if joint == Joint::Free && whole.is_some() {
                let pose = self.ws.pose(LinkId(k));
                lock = in_joint(&pose, &placement, &about, &keep, &spin);
                end = in_joint(&pose, &placement, &about, &(keep * fly), &(spin * turn));
            }
            for ((v, lock), end) in v.iter_mut().zip(lock).zip(end) {
                *v = end + s * (*v - lock);
            }
        }
    }

    /// The motion of an island as if it were frozen, with its momenta.
    fn frozen(&self, at: usize) -> Option<Whole> {
        let member = |k: usize| self.layout.groups[k].is_some_and(|g| self.guard.island[g] == at);
        let (mut mass, mut first) = (0.0, Vector3::zeros());
        for k in (1..self.model.n_links()).filter(|&k| member(k)) {
            let body = self.ws.inertia(LinkId(k));
            mass += body.mass;
            first += (self.ws.pose(LinkId(k)).translation + body.com) * body.mass;
        }
        let center = first / mass;
        let (mut inertia, mut h) = (Symmetric3::default(), Force::zero());
        for k in (1..self.model.n_links()).filter(|&k| member(k)) {
            let (body, origin) = (self.ws.inertia(LinkId(k)), self.ws.pose(LinkId(k)).translation);
            inertia =
                inertia + body.about_com + Symmetric3::steiner(&(origin + body.com - center)) * body.mass;
            h += body.momentum(self.ws.velocity(LinkId(k))).at(&(center - origin));
        }
        let turn = inertia.to_matrix().lu().solve(&h.angular)?;
        let flight = h.linear / mass;
        let finite = turn.iter().chain(flight.iter()).all(|x| x.is_finite());
        finite.then(|| Whole {
            center,
            flight: Motion::new(Vector3::zeros(), flight),
            spin: Motion::new(turn, Vector3::zeros()),
            flight_energy: 0.5 * h.linear.dot(&flight),
            spin_energy: 0.5 * h.angular.dot(&turn),
        })
    }
}

/// The motion of an island as one body.
#[derive(Debug, Clone, Copy)]
struct Whole {
    center: Vector3<f64>,
    flight: Motion,
    spin: Motion,
    flight_energy: f64,
    spin_energy: f64,
}

/// A rigid motion about `center`, world axes, in the six coordinates of a free joint.
fn in_joint(
    pose: &Pose,
    placement: &Pose,
    center: &Vector3<f64>,
    flight: &Motion,
    spin: &Motion,
) -> [f64; 6] {
    let w = pose.rotation.transpose() * spin.angular;
    let arm = pose.translation - center;
    let v = placement.rotation.transpose() * (flight.linear + spin.angular.cross(&arm));
    [w.x, w.y, w.z, v.x, v.y, v.z]
}
