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
//! Lifting is paid beforehand: overlap is undone only as far as what the island loses in the step, or half of its motion, pays
//! for. Overlap that bodies were *placed* with, at the start or by [`Simulator::set_state`], is undone whatever it costs.
//!
//! Islands on which something works that is not counted (controllers, pushes, contacts that are springs) are left alone.
//!
//! | symbol | meaning |
//! |---|---|
//! | T, V | energy of motion, of height and of joint springs, J |
//! | G | what the step would make, J |
//! | v* | the part of v⁺ that must stay |

use gudgeon_multibody::{LinkId, Model, dof_energy, link_energy, velocities};
use gudgeon_spatial::{Force, Motion, Pose, Symmetric3, Vector3};

use super::{ContactInfo, Simulator};
use crate::settings::Integrator;

/// Part of the sums that may be their rounding; a few hundred units in the last place.
const ROUNDING: f64 = 1e-13;

/// Energies of a group of trees, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Share {
    pub(super) kinetic: f64,
    potential: f64,
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
    before: Vec<Share>,
    after: Vec<Share>,
    /// Something works on the group that is not counted.
    active: Vec<bool>,
    /// Nothing but contacts ties the group to the world.
    floating: Vec<bool>,
    /// The group still has overlap that it was placed with.
    pub(crate) placed: Vec<bool>,
    /// The island of each group in the present step: the least group of it.
    island: Vec<usize>,
    /// By island: touches the world, or hangs on it.
    grounded: Vec<bool>,
    /// By island: sums of three kinds.
    sums: [Vec<f64>; 3],
    exempt: Vec<bool>, // by island, scratch
    v: Vec<f64>,       // by dof, scratch
}

impl Guard {
    pub(super) fn new(model: &Model, tree: &[usize]) -> Self {
        let n = model.n_v();
        let mut floating = vec![true; n];
        for link in &model.links()[1..] {
            let hangs = link.parent == LinkId::WORLD && link.joint.n_v() < 6;
            for dof in link.v_range() {
                floating[tree[dof]] &= !hangs;
            }
        }
        // a loop to the world, or through links welded to it
        for l in model.loops() {
            for (one, other) in [(l.a, l.b), (l.b, l.a)] {
                let dof = super::moving_dof(model, one);
                if let (Some(dof), None) = (dof, super::moving_dof(model, other)) {
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
            exempt: vec![false; n],
            v: vec![0.0; n],
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
    fn watched(&self) -> bool {
        self.settings.energy_guard
            && self.settings.integrator == Integrator::Euler
            && self.drive.prescribed.is_none()
    }

    /// Energies at the start of the step, and who is worked upon; wants what is asked for in the step.
    pub(super) fn watch(&mut self) {
        if !self.watched() {
            return;
        }
        let mut before = std::mem::take(&mut self.guard.before);
        self.measure(&mut before);
        let Guard { active, .. } = &mut self.guard;
        active.fill(false);
        for (dof, _) in self.drive.tau.iter().enumerate().filter(|t| *t.1 != 0.0) {
            active[self.tree[dof]] = true;
        }
        let moved = self.drive.motors.iter().map(|m| m.dof).chain(self.drive.springs.iter().map(|s| s.dof));
        moved.for_each(|dof| active[self.tree[dof]] = true);
        for (k, _) in self.drive.external.iter().enumerate().filter(|f| *f.1 != Force::zero()) {
            if let Some(group) = self.groups[k] {
                active[group] = true;
            }
        }
        self.guard.before = before;
    }

    /// Energies by group, where `ws` stands.
    fn measure(&self, out: &mut [Share]) {
        out.fill(Share::default());
        for k in 1..self.model.n_links() {
            let Some(group) = self.groups[k] else { continue };
            let e = link_energy(&self.model, &self.ws, LinkId(k));
            let (kinetic, potential) = (e.kinetic, e.potential);
            out[group].add(&Share { kinetic, potential, size: kinetic + potential.abs() });
        }
        for (dof, &group) in self.tree.iter().enumerate() {
            let e = dof_energy(&self.model, &self.state, dof);
            let (kinetic, potential) = (e.kinetic, e.elastic);
            out[group].add(&Share { kinetic, potential, size: kinetic + potential });
        }
    }

    /// Trees that contacts tie together in this step: those that push, by `pushes`, and those that overlap.
    pub(super) fn find_islands(&mut self, pushes: impl Fn(usize, &ContactInfo) -> bool) {
        let tolerance = self.settings.overlap_tolerance;
        let Self { guard, contacts, groups, recovery, .. } = self;
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

    /// Groups that have got rid of the overlap they were placed with.
    pub(super) fn forget_placed(&mut self) {
        if !self.guard.placed.contains(&true) {
            return;
        }
        let tolerance = self.settings.overlap_tolerance;
        let Self { guard, contacts, groups, tree, limits, .. } = self;
        let deep = &mut guard.sums[0]; // by group, for a moment
        deep.fill(0.0);
        for c in contacts.iter().filter(|c| -c.gap > tolerance) {
            [c.a, c.b].iter().filter_map(|l| groups[l.0]).for_each(|group| deep[group] = 1.0);
        }
        for l in limits.iter().filter(|l| -l.gap > tolerance) {
            deep[tree[l.dof]] = 1.0;
        }
        guard.placed.iter_mut().zip(deep).for_each(|(placed, deep)| *placed &= *deep > 0.0);
    }

    /// The share of the recovery `moved` that each island can pay for, by group into `share`; `ws` holds the velocities of
    /// `moved`.
    pub(super) fn afford(&mut self, dt: f64, share: &mut [f64]) {
        if !self.watched() {
            return;
        }
        let [mut lift, mut purse, mut kinetic] = std::mem::take(&mut self.guard.sums);
        self.find_islands(|_, c| c.force != Vector3::zeros());
        self.climb(dt, &mut lift);
        if lift.iter().any(|&l| l > 0.0) {
            self.fill_purse(dt, &mut purse, &mut kinetic);
            let Guard { island, placed, active, exempt, .. } = &mut self.guard;
            exempt.fill(false);
            for (group, &at) in island.iter().enumerate() {
                exempt[at] |= placed[group] || active[group];
            }
            for (group, &at) in island.iter().enumerate().filter(|(_, at)| !exempt[**at] && lift[**at] > 0.0)
            {
                let whole = purse[at].max(0.0);
                // a bounce is a flight, and flies as high as its motion takes it
                let flight = !self.bounces.is_empty();
                let most = if flight { whole } else { (whole - kinetic[at]).max(0.5 * whole) };
                if lift[at] > most {
                    share[group] = share[group].min(most / lift[at]);
                }
            }
        }
        self.guard.sums = [lift, purse, kinetic];
    }

    /// What height costs over `dt` at the velocities in `ws`, J by island.
    fn climb(&self, dt: f64, out: &mut [f64]) {
        out.fill(0.0);
        let gravity = self.model.gravity();
        for k in 1..self.model.n_links() {
            let Some(group) = self.groups[k] else { continue };
            let (v, body) = (self.ws.velocity(LinkId(k)), self.ws.inertia(LinkId(k)));
            let rise = -gravity.dot(&(v.linear + v.angular.cross(&body.com)));
            out[self.guard.island[group]] += dt * body.mass * rise;
        }
    }

    /// By island: the energy of motion at the start and what height gives without the recovery, and the energy of motion at
    /// the end.
    fn fill_purse(&mut self, dt: f64, purse: &mut [f64], kinetic: &mut [f64]) {
        let mut v = std::mem::take(&mut self.guard.v);
        for (out, (all, moved)) in v.iter_mut().zip(self.v_move.iter().zip(&self.moved)) {
            *out = all - moved;
        }
        velocities(&self.model, &v, &mut self.ws);
        self.climb(dt, purse);
        purse.iter_mut().for_each(|p| *p = -*p);
        for (group, before) in self.guard.before.iter().enumerate() {
            purse[self.guard.island[group]] += before.kinetic;
        }
        self.mass.multiply(&self.model, &self.v_next, &mut v);
        kinetic.fill(0.0);
        for (dof, &group) in self.tree.iter().enumerate() {
            kinetic[self.guard.island[group]] += 0.5 * self.v_next[dof] * v[dof];
        }
        self.guard.v = v;
    }

    /// The largest share s of the restitution, by island, with which the impact does not make energy:
    /// ```text
    ///     v(s) = v₀ + s d,    T(v(s)) ≤ T(v_free),    s ∈ [0, 1]
    /// ```
    /// v₀ is the velocity of the solve without restitution, d what restitution adds. T(v₀) ≤ T(v_free), for contacts then
    /// only stop, so s = 0 will always do; s = 1 is the law itself, and is what comes out wherever the law is consistent.
    /// `stopped` is v₀; d is `v_next` less it. By dof into `share`.
    pub(super) fn share_of_bounce(&mut self, stopped: &[f64], share: &mut Vec<f64>) {
        share.clear();
        share.resize(stopped.len(), 1.0);
        if !self.settings.energy_guard {
            return;
        }
        let [mut square, mut linear, mut constant] = std::mem::take(&mut self.guard.sums);
        [&mut square, &mut linear, &mut constant].into_iter().for_each(|sum| sum.fill(0.0));
        let mut momentum = std::mem::take(&mut self.guard.v);
        let at = |dof: usize| self.guard.island[self.tree[dof]];
        self.mass.multiply(&self.model, &self.v_free, &mut momentum);
        for (dof, (v, p)) in self.v_free.iter().zip(&momentum).enumerate() {
            constant[at(dof)] -= 0.5 * v * p;
        }
        self.mass.multiply(&self.model, stopped, &mut momentum);
        for (dof, (v, p)) in stopped.iter().zip(&momentum).enumerate() {
            constant[at(dof)] += 0.5 * v * p;
            linear[at(dof)] += (self.v_next[dof] - v) * p;
        }
        // n_v, written again by whoever needs it next
        self.moved.iter_mut().zip(self.v_next.iter().zip(stopped)).for_each(|(d, (v, v0))| *d = v - v0);
        self.mass.multiply(&self.model, &self.moved, &mut momentum);
        for (dof, (d, p)) in self.moved.iter().zip(&momentum).enumerate() {
            square[at(dof)] += 0.5 * d * p;
        }
        for (dof, s) in share.iter_mut().enumerate() {
            let k = at(dof);
            *s = largest_share(square[k], linear[k], constant[k]);
        }
        self.guard.v = momentum;
        self.guard.sums = [square, linear, constant];
    }

    /// Takes what the step made from the motion of the island that made it; wants `ws` at the end of the step.
    pub(super) fn hold_energy(&mut self) {
        if !self.watched() {
            return;
        }
        let mut after = std::mem::take(&mut self.guard.after);
        self.measure(&mut after);
        let pairs = after.iter().zip(&self.guard.before);
        let made = pairs.filter(|(a, b)| a.total() - b.total() > ROUNDING * a.size.max(b.size)).count();
        self.guard.after = after;
        if made == 0 {
            return;
        }
        self.find_islands(|_, c| c.force != Vector3::zeros());
        let mut changed = false;
        for at in 0..self.guard.island.len() {
            if self.guard.island[at] == at {
                changed |= self.brake(at);
            }
        }
        if changed {
            velocities(&self.model, &self.state.v, &mut self.ws);
        }
    }

    /// Slows an island down by what it made.
    fn brake(&mut self, at: usize) -> bool {
        let members = |group: usize| self.guard.island[group] == at;
        let (mut before, mut after) = (Share::default(), Share::default());
        for group in (0..self.guard.island.len()).filter(|&g| members(g)) {
            if self.guard.active[group] || self.guard.placed[group] {
                return false;
            }
            before.add(&self.guard.before[group]);
            after.add(&self.guard.after[group]);
        }
        let soft = |c: &ContactInfo| {
            !c.material.stiffness.is_infinite()
                && [c.a, c.b].iter().any(|l| self.groups[l.0].is_some_and(members))
        };
        let made = after.total() - before.total();
        // NaN is told elsewhere
        if !(made > ROUNDING * after.size.max(before.size)) || self.contacts.iter().any(soft) {
            return false;
        }
        let whole = if self.guard.grounded[at] { None } else { self.frozen(at) };
        let (keep, spin, inner, turning) = match whole {
            None => (Motion::zero(), Motion::zero(), after.kinetic, 0.0),
            Some(w) => (w.flight, w.spin, after.kinetic - w.flight_energy - w.spin_energy, w.spin_energy),
        };
        let s = (1.0 - made / inner).max(0.0).sqrt();
        let s = if s.is_finite() { s } else { 0.0 };
        // what the inner motion cannot pay, the turning of the whole does
        let rest = made - inner.max(0.0);
        let turn = if rest > 0.0 && turning > 0.0 { (1.0 - rest / turning).max(0.0).sqrt() } else { 1.0 };
        // what no motion of the parts can pay, that of the whole must
        let owed = rest - turning;
        let flying = whole.map_or(0.0, |w| w.flight_energy);
        let fly = if owed > 0.0 && flying > 0.0 { (1.0 - owed / flying).max(0.0).sqrt() } else { 1.0 };
        let about = whole.map_or_else(Vector3::zeros, |w| w.center);
        for k in 1..self.model.n_links() {
            let link = self.model.link(LinkId(k));
            let (v_range, joint, placement) = (link.v_range(), link.joint, link.placement);
            if v_range.is_empty() || self.guard.island[self.tree[v_range.start]] != at {
                continue;
            }
            let v = &mut self.state.v[v_range];
            let (mut lock, mut end) = ([0.0; 6], [0.0; 6]);
            if joint.n_v() == 6 && whole.is_some() {
                let pose = self.ws.pose(LinkId(k));
                lock = in_joint(&pose, &placement, &about, &keep, &spin);
                end = in_joint(&pose, &placement, &about, &(keep * fly), &(spin * turn));
            }
            for ((v, lock), end) in v.iter_mut().zip(lock).zip(end) {
                *v = end + s * (*v - lock);
            }
        }
        true
    }

    /// The motion of an island as if it were frozen, with its momenta.
    fn frozen(&self, at: usize) -> Option<Whole> {
        let member = |k: usize| self.groups[k].is_some_and(|g| self.guard.island[g] == at);
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

/// The largest s in [0, 1] with a s² + b s + c ≤ 0; c ≤ 0 but for rounding.
fn largest_share(a: f64, b: f64, c: f64) -> f64 {
    if a + b + c <= 0.0 || a <= 0.0 {
        return 1.0;
    }
    let root = (b * b - 4.0 * a * c.min(0.0)).sqrt();
    // the greater root, without the difference of near numbers
    let s = if b > 0.0 { -2.0 * c.min(0.0) / (b + root) } else { (root - b) / (2.0 * a) };
    s.clamp(0.0, 1.0)
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
