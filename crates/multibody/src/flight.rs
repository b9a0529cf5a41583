//! The velocity at the end of a step if nothing touches, for steps that land by Euler and fly by the midpoint.
//!
//! | part of the model                          | by                                                                 |
//! |--------------------------------------------|--------------------------------------------------------------------|
//! | a rigid body of its own, unsprung          | `top` for its rotation, a parabola for its centre of mass: exact energy and momentum |
//! | a tree in flight                           | the explicit midpoint rule, two evaluations of the dynamics        |
//! | the same where it turns by more than some hundredths of a radian | the midpoint rule, iterated until it settles    |
//! | the same where that does not contract      | momentum carried along (`carried`): stable at any length, dissipative |
//! | a tree that was pushed in the step before  | one evaluation at q ⊕ ½dt v_m, v_m = v + ½ Δ, Δ the last step's change of velocity |
//!
//! What pushed a tree in the step before mostly does so again, so Δ and not its free fall tells where the middle of the step
//! is. At rest Δ = 0: the forces that hold the tree are then those at q, to rounding. |Δ| is bounded by a quarter of |v|, dof
//! by dof: a change as large as the velocity itself is an impact, and tells nothing of the step to come.

use gudgeon_spatial::{Force, Inertia, Pose, Quaternion, Vector3};

use crate::aba::Load;
use crate::integrate::integrate;
use crate::joint::Joint;
use crate::model::{LinkId, Model, State};
use crate::passive::implicit_passive;
use crate::step::{Stepper, accelerate};
use crate::top::top_step;

/// The part of a velocity that the change of the last step may be to count as smooth.
const SMOOTH: f64 = 0.25;

/// Evaluations of the dynamics in flight: two, and more while the middle of the step still moves by [`SETTLED`] of the
/// fastest dof, as it does where something turns by more than some hundredths of a radian a step. Where a round does not
/// halve what the one before left, as on a light link pulled taut between heavy ones, there is no middle to be found.
const ROUNDS: usize = 8;
/// See [`ROUNDS`].
const SETTLED: f64 = 1e-3;

/// Trees that are one rigid body: a free root with everything welded to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FreeBodies {
    bodies: Vec<FreeBody>,
    alone: Vec<bool>, // by dof: belongs to one of them
}

#[derive(Debug, Clone, PartialEq)]
struct FreeBody {
    root: usize,
    welded: Vec<(usize, Pose)>, // links fixed to the root, with their poses in its frame
}

impl FreeBodies {
    /// Those of `model` that no loop or coupling ties.
    pub fn new(model: &Model) -> Self {
        // by link: the free root it is welded to
        let mut root: Vec<Option<usize>> = vec![None; model.n_links()];
        let mut bodies: Vec<FreeBody> = Vec::new();
        for (k, link) in model.links.iter().enumerate().skip(1) {
            match link.joint {
                Joint::Free if link.parent == LinkId::WORLD => {
                    root[k] = Some(k);
                    bodies.push(FreeBody { root: k, welded: Vec::new() });
                }
                Joint::Fixed => {
                    root[k] = root[link.parent.0];
                    if let Some(body) = bodies.iter_mut().find(|b| Some(b.root) == root[k]) {
                        let base = body
                            .welded
                            .iter()
                            .find(|w| w.0 == link.parent.0)
                            .map_or(Pose::identity(), |w| w.1);
                        body.welded.push((k, base.compose(&link.placement)));
                    }
                }
                _ => {}
            }
        }
        let mut jointed = vec![false; model.n_links()];
        for (k, link) in model.links.iter().enumerate().skip(1) {
            if root[k].is_none() {
                // what hangs on a body makes a tree of it
                jointed[root[link.parent.0].unwrap_or(0)] = true;
            }
        }
        let tied = model
            .loops
            .iter()
            .flat_map(|l| [l.a, l.b])
            .chain(model.couplings.iter().flat_map(|c| c.terms.iter().map(|t| model.dof_link(t.0))));
        tied.for_each(|link| jointed[root[link.0].unwrap_or(0)] = true);
        bodies.retain(|b| !jointed[b.root]);
        let mut alone = vec![false; model.n_v()];
        for body in &bodies {
            alone[model.links[body.root].v_range()].fill(true);
        }
        Self { bodies, alone }
    }

    /// By dof: whether it belongs to a rigid body of its own.
    pub fn alone(&self) -> &[bool] {
        &self.alone
    }

    /// Velocities of all of them after `dt` of flight, into their places of `v_next`.
    fn fly(
        &self,
        model: &Model,
        state: &State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        v_next: &mut [f64],
    ) {
        for body in &self.bodies {
            let link = &model.links[body.root];
            if !unsprung(model, link.v_start) {
                continue;
            }
            let inertia = body.inertia(model);
            let (q, v) = (&state.q[link.q_range()], &state.v[link.v_range()]);
            let (w, v_o) = (Vector3::from_column_slice(&v[..3]), Vector3::from_column_slice(&v[3..]));
            let to_joint = link.placement.rotation.transpose();
            let (moment, force) =
                body.load(&inertia, q, &w, &tau[link.v_range()], external, &link.placement, dt);
            let w_next = top_step(&inertia.about_com, &w, &moment, dt);
            let fall = (to_joint * model.gravity + force / inertia.mass) * dt;
            let mut v_next_o = v_o + fall;
            if inertia.com != Vector3::zeros() {
                // the centre flies, the origin turns about it
                let (r, r_next) = turned(q, &w, &w_next, dt);
                v_next_o += r * w.cross(&inertia.com) - r_next * w_next.cross(&inertia.com);
            }
            let out = &mut v_next[link.v_range()];
            out[..3].copy_from_slice(w_next.as_slice());
            out[3..].copy_from_slice(v_next_o.as_slice());
        }
    }

    /// What positions follow in flight, where that is not the mean of the velocities: bodies whose origin is not their
    /// centre of mass, `flying` by the number of their first dof.
    pub fn drift(
        &self,
        model: &Model,
        state: &State,
        v_next: &[f64],
        dt: f64,
        flying: impl Fn(usize) -> bool,
        v_move: &mut [f64],
    ) {
        for body in &self.bodies {
            let link = &model.links[body.root];
            let com = body.inertia(model).com;
            if com == Vector3::zeros() || !flying(link.v_start) || !unsprung(model, link.v_start) {
                continue;
            }
            let (q, v, end) = (&state.q[link.q_range()], &state.v[link.v_range()], &v_next[link.v_range()]);
            let [w, v_o] = [0, 3].map(|k| Vector3::from_column_slice(&v[k..k + 3]));
            let [w_next, v_next_o] = [0, 3].map(|k| Vector3::from_column_slice(&end[k..k + 3]));
            let (r, r_next) = turned(q, &w, &w_next, dt);
            let mean = (v_o + v_next_o + r * w.cross(&com) + r_next * w_next.cross(&com)) * 0.5;
            let origin = mean + (r * com - r_next * com) / dt;
            v_move[link.v_start + 3..link.v_start + 6].copy_from_slice(origin.as_slice());
        }
    }
}

impl FreeBody {
    fn inertia(&self, model: &Model) -> Inertia {
        let own = model.links[self.root].inertia;
        self.welded.iter().fold(own, |sum, (k, pose)| sum.merged(model.links[*k].inertia.transformed(pose)))
    }

    /// The moment about the centre of mass in body axes, N m, and the force in joint axes, N, of joint and external forces
    /// at the middle of the step.
    fn load(
        &self,
        inertia: &Inertia,
        q: &[f64],
        w: &Vector3<f64>,
        tau: &[f64],
        external: &[Force],
        placement: &Pose,
        dt: f64,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let pushed = |k: usize| external.get(k).is_some_and(|f| *f != Force::zero());
        let pushed = pushed(self.root) || self.welded.iter().any(|(k, _)| pushed(*k));
        if !pushed && tau.iter().all(|t| *t == 0.0) {
            return (Vector3::zeros(), Vector3::zeros());
        }
        let middle = Quaternion::read(q).times(Quaternion::exp(&(w * (0.5 * dt)))).to_matrix();
        let mut force = Vector3::from_column_slice(&tau[3..]);
        let mut moment = Vector3::from_column_slice(&tau[..3]);
        if pushed {
            let here = [(self.root, Pose::identity())];
            for (k, pose) in here.iter().chain(&self.welded) {
                let f = external[*k];
                // world to joint to body
                let linear = placement.rotation.transpose() * f.linear;
                let angular = placement.rotation.transpose() * f.angular;
                force += linear;
                moment +=
                    middle.transpose() * angular + pose.translation.cross(&(middle.transpose() * linear));
            }
        }
        moment -= inertia.com.cross(&(middle.transpose() * force));
        (moment, force)
    }
}

/// No armature or damping: else the dynamics of trees has it.
fn unsprung(model: &Model, first: usize) -> bool {
    model.dofs[first..first + 6].iter().all(|d| d.armature == 0.0 && d.damping == 0.0)
}

/// The rotation at the start of a step and at its end.
fn turned(
    q: &[f64],
    w: &Vector3<f64>,
    w_next: &Vector3<f64>,
    dt: f64,
) -> (gudgeon_spatial::Matrix3<f64>, gudgeon_spatial::Matrix3<f64>) {
    let start = Quaternion::read(q);
    let turn = Quaternion::exp(&((w + w_next) * (0.5 * dt)));
    (start.to_matrix(), start.times(turn).normalized().to_matrix())
}

/// What [`Stepper::flight`] found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight<'a> {
    /// Velocity at the end of the step if nothing touches, n_v.
    pub v: &'a [f64],
    /// Diagonal in place of the armature, n_v.
    pub diagonal: &'a [f64],
    /// By dof: whether momentum was carried; positions then follow the velocity at the start of the step.
    pub carried: &'a [bool],
}

/// What was known before a flight, all by dof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Past<'a> {
    /// The group of trees, by the number of one of its dofs; loops and couplings tie trees together.
    pub group: &'a [usize],
    /// Contacts or other rows pushed its tree in the step before.
    pub pushed: &'a [bool],
    /// What that step added to the velocity.
    pub change: &'a [f64],
}

/// How far the middle of a step still moves, by group of trees.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Settling {
    off: Vec<f64>,
    last: Vec<f64>,
    size: Vec<f64>,
    state: Vec<Middle>,
    carried: Vec<bool>, // by dof
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Middle {
    Moving,
    Settled,
    Lost,
}

impl Settling {
    fn begin(&mut self, n: usize) {
        for list in [&mut self.off, &mut self.last, &mut self.size] {
            list.clear();
            list.resize(n, f64::INFINITY);
        }
        self.state.clear();
        self.state.resize(n, Middle::Settled);
        self.carried.clear();
        self.carried.resize(n, false);
    }

    /// Judges every group after a round; answers whether some still moves.
    fn judge(&mut self, round: usize) -> bool {
        let mut moving = false;
        for k in 0..self.state.len() {
            if self.state[k] != Middle::Moving {
                continue;
            }
            // the first two rounds are the explicit rule; from then on each must halve what is left
            if round > 1 {
                if self.off[k] <= SETTLED * self.size[k] {
                    self.state[k] = Middle::Settled;
                } else if !(self.off[k] <= 0.5 * self.last[k]) {
                    self.state[k] = Middle::Lost;
                }
            }
            moving |= self.state[k] == Middle::Moving;
            self.last[k] = self.off[k];
        }
        moving
    }
}

impl Stepper {
    /// The trees that are one rigid body.
    pub fn free_bodies(&self) -> &FreeBodies {
        &self.free
    }

    /// The velocity after `dt` if nothing touches, loops held; contacts act at q.
    pub fn flight(
        &mut self,
        model: &Model,
        state: &State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        past: Past<'_>,
    ) -> Flight<'_> {
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        let alone = |k: usize| self.free.alone[k] && unsprung(model, model.links[model.dof_link[k]].v_start);
        self.settling.begin(model.n_v());
        let (mut trees, mut flying) = (false, false);
        for k in (0..model.n_v()).filter(|&k| !alone(k)) {
            trees = true;
            if !past.pushed[k] {
                flying = true;
                self.settling.state[past.group[k]] = Middle::Moving;
            }
        }
        if trees {
            self.middle(model, state, external, dt, past, if flying { ROUNDS } else { 1 });
            if self.settling.state.contains(&Middle::Lost) {
                self.carry_lost(model, state, tau, external, dt, past);
            }
        }
        self.free.fly(model, state, tau, external, dt, &mut self.v_free);
        Flight { v: &self.v_free, diagonal: &self.diagonal, carried: &self.settling.carried }
    }

    /// The midpoint rule by iteration.
    fn middle(
        &mut self,
        model: &Model,
        state: &State,
        external: &[Force],
        dt: f64,
        past: Past<'_>,
        rounds: usize,
    ) {
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        for (k, m) in self.mid.v.iter_mut().enumerate() {
            let bound = SMOOTH * state.v[k].abs();
            *m = state.v[k] + if past.pushed[k] { 0.5 * past.change[k].clamp(-bound, bound) } else { 0.0 };
        }
        for round in 0..rounds {
            if round > 0 {
                let settling = &mut self.settling;
                settling.off.fill(0.0);
                settling.size.fill(0.0);
                for k in 0..model.n_v() {
                    let group = past.group[k];
                    if settling.state[group] != Middle::Moving {
                        continue;
                    }
                    let mean = 0.5 * (state.v[k] + self.v_free[k]);
                    let off = (mean - self.mid.v[k]).abs();
                    // NaN is as far off as can be
                    settling.off[group] = if off.is_nan() { off } else { settling.off[group].max(off) };
                    settling.size[group] = settling.size[group].max(mean.abs());
                    self.mid.v[k] = mean;
                }
                if !settling.judge(round) {
                    break;
                }
            }
            self.mid.q.copy_from_slice(&state.q);
            integrate(model, &mut self.mid.q, &self.mid.v, 0.5 * dt);
            accelerate(model, &self.mid, &load, self.has_constraints, &mut self.solver, &mut self.ws);
            for k in 0..model.n_v() {
                self.v_free[k] = state.v[k] + dt * self.ws.qdd[k];
            }
        }
    }

    /// Groups whose middle was not found: their momentum is carried.
    fn carry_lost(
        &mut self,
        model: &Model,
        state: &State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        past: Past<'_>,
    ) {
        self.dv[0].copy_from_slice(&self.v_free);
        self.carry(model, state, tau, external, dt);
        for k in 0..model.n_v() {
            self.settling.carried[k] = self.settling.state[past.group[k]] == Middle::Lost;
            if !self.settling.carried[k] {
                self.v_free[k] = self.dv[0][k];
            }
        }
    }
}
