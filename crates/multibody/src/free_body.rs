//! Trees that are one rigid body, in flight: the rotation by `top`, the centre of mass on a parabola.
//!
//! ```text
//!     v_c = v_o + R (Ω × c),      v_c⁺ = v_c + dt (g + f/m),      v_o⁺ = v_c⁺ - R⁺ (Ω⁺ × c)
//!     p_o⁺ = p_o + ½dt (v_c + v_c⁺) + (R - R⁺) c
//! ```
//! p_o, v_o: the origin, joint axes; c: the centre of mass, body axes. Energy and momentum are kept to rounding, wherever the
//! origin is.

use gudgeon_spatial::{Force, Inertia, Pose, Quaternion, Vector3};

use crate::joint::Joint;
use crate::load::StepLoad;
use crate::model::{Link, LinkId, Model, State};
use crate::top::top_step;

/// Trees that are one rigid body: a free root with everything welded to it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FreeBodies {
    pub(crate) bodies: Vec<FreeBody>,
    alone: Vec<bool>, // by dof: belongs to one of them
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FreeBody {
    pub(crate) root: usize,
    pub(crate) welded: Vec<(usize, Pose)>, // links fixed to the root, with their poses in its frame
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
    pub(crate) fn fly(&self, model: &Model, state: &State, load: &StepLoad<'_>, v_next: &mut [f64]) {
        for body in &self.bodies {
            let link = &model.links[body.root];
            if !unsprung(model, link.v_start) {
                continue;
            }
            let inertia = body.inertia(model);
            let (q, v) = (&state.q[link.q_range()], &state.v[link.v_range()]);
            let (w, v_o) = (Vector3::from_column_slice(&v[..3]), Vector3::from_column_slice(&v[3..]));
            let to_joint = link.placement.rotation.transpose();
            let (moment, force) = body.load(&inertia, link, state, load);
            let dt = load.dt;
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
    pub(crate) fn inertia(&self, model: &Model) -> Inertia {
        let own = model.links[self.root].inertia;
        self.welded.iter().fold(own, |sum, (k, pose)| sum.merged(model.links[*k].inertia.transformed(pose)))
    }

    /// The moment about the centre of mass in body axes, N m, and the force in joint axes, N, of joint and external forces
    /// at the middle of the step.
    fn load(
        &self,
        inertia: &Inertia,
        link: &Link,
        state: &State,
        &StepLoad { tau, external, dt }: &StepLoad<'_>,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let (tau, placement) = (&tau[link.v_range()], &link.placement);
        let pushed = |k: usize| external.get(k).is_some_and(|f| *f != Force::zero());
        let pushed = pushed(self.root) || self.welded.iter().any(|(k, _)| pushed(*k));
        if !pushed && tau.iter().all(|t| *t == 0.0) {
            return (Vector3::zeros(), Vector3::zeros());
        }
        let w = Vector3::from_column_slice(&state.v[link.v_range()][..3]);
        let middle =
            Quaternion::read(&state.q[link.q_range()]).times(Quaternion::exp(&(w * (0.5 * dt)))).to_matrix();
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
pub(crate) fn unsprung(model: &Model, first: usize) -> bool {
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
