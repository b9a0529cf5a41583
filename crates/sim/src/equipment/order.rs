//! Coordinates in MuJoCo's order and meaning, so that a state of one can be put into the other.
//!
//! ```text
//!     joint      here                                   there
//!     hinge      q                                      q + reference
//!     ball       w x y z;  ω own axes                   the same
//!     free       w x y z, place;  ω own axes, velocity  place, w x y z;  velocity, ω own axes
//! ```
//! Joints follow each other as in the file.

use gudgeon_multibody::{Joint, Model, State};

use super::{Equipment, Keyframe};

/// Length of four numbers that are no turn; some files write zeros for "as it is".
const NO_TURN: f64 = 1e-10;

/// How far from one the length of a turn may be and stay as it is, to the bit: rounding.
const UNIT: f64 = 1e-15;

/// The six numbers of a free joint's motion, halves exchanged.
fn exchanged(v: &[f64]) -> [f64; 6] {
    [v[3], v[4], v[5], v[0], v[1], v[2]]
}

/// Four numbers made a turn, as MuJoCo makes them one: of length one, and none at all where they are too small to tell.
fn make_turn(q: &mut [f64]) {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm < NO_TURN {
        q.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
    } else if (norm - 1.0).abs() > UNIT {
        for x in q.iter_mut() {
            *x /= norm;
        }
    }
}

impl Equipment {
    /// How many position and velocity numbers the file's joints have, if all of the model's are among them.
    fn counts(&self, model: &Model) -> Option<(usize, usize)> {
        let joints = self.joints.iter().map(|j| model.link(j.link).joint);
        let (nq, nv) = joints.fold((0, 0), |(q, v), j| (q + j.n_q(), v + j.n_v()));
        ((nq, nv) == (model.n_q(), model.n_v())).then_some((nq, nv))
    }

    /// Positions and velocities in MuJoCo's order; none if the model has joints that no file names.
    pub fn to_mujoco(&self, model: &Model, state: &State) -> Option<(Vec<f64>, Vec<f64>)> {
        let (nq, nv) = self.counts(model)?;
        let (mut qpos, mut qvel) = (Vec::with_capacity(nq), Vec::with_capacity(nv));
        for j in &self.joints {
            let link = model.link(j.link);
            let q = &state.q[link.q_range()];
            if link.joint == Joint::Free {
                qpos.extend([q[4], q[5], q[6], q[0], q[1], q[2], q[3]]);
            } else if link.joint.has_quaternion() {
                qpos.extend(q);
            } else {
                qpos.extend(q.iter().map(|x| x + j.reference));
            }
        }
        self.rates_to_mujoco(model, &state.v, &mut qvel);
        Some((qpos, qvel))
    }

    /// Velocities, accelerations or generalised forces in MuJoCo's order.
    pub fn rates_to_mujoco(&self, model: &Model, v: &[f64], out: &mut Vec<f64>) {
        for j in &self.joints {
            let link = model.link(j.link);
            let own = &v[link.v_range()];
            if link.joint == Joint::Free {
                out.extend(exchanged(own));
            } else {
                out.extend(own);
            }
        }
    }

    /// The state of a keyframe; none if it is of another model, as of one of several in a scene. `initial`: where the model starts.
    pub fn keyframe_state(&self, model: &Model, keyframe: &Keyframe, initial: &State) -> Option<State> {
        let rest = State { q: initial.q.clone(), v: vec![0.0; model.n_v()] };
        let (qpos, qvel) = self.to_mujoco(model, &rest)?;
        let given = |list: &Option<Vec<f64>>, other: Vec<f64>| list.clone().unwrap_or(other);
        self.from_mujoco(model, &given(&keyframe.qpos, qpos), &given(&keyframe.qvel, qvel))
    }

    /// The state of positions and velocities in MuJoCo's order; none if their sizes are others.
    pub fn from_mujoco(&self, model: &Model, qpos: &[f64], qvel: &[f64]) -> Option<State> {
        let (nq, nv) = self.counts(model)?;
        if (nq, nv) != (qpos.len(), qvel.len()) {
            return None;
        }
        let mut state = State { q: vec![0.0; nq], v: vec![0.0; nv] };
        let (mut qpos, mut qvel) = (qpos, qvel);
        for j in &self.joints {
            let link = model.link(j.link);
            let (own_q, rest_q) = qpos.split_at(link.joint.n_q());
            let (own_v, rest_v) = qvel.split_at(link.joint.n_v());
            (qpos, qvel) = (rest_q, rest_v);
            let q = &mut state.q[link.q_range()];
            let v = &mut state.v[link.v_range()];
            if link.joint == Joint::Free {
                let o = own_q;
                q.copy_from_slice(&[o[3], o[4], o[5], o[6], o[0], o[1], o[2]]);
                make_turn(&mut q[..4]);
                v.copy_from_slice(&exchanged(own_v));
            } else if link.joint.has_quaternion() {
                q.copy_from_slice(own_q);
                make_turn(q);
                v.copy_from_slice(own_v);
            } else {
                q.iter_mut().zip(own_q).for_each(|(q, x)| *q = x - j.reference);
                v.copy_from_slice(own_v);
            }
        }
        Some(state)
    }
}
