//! q ⊕ dt v against q and v, in tangent vectors.
//!
//! ```text
//!     quat ∘ exp(δ) ∘ exp(u) = quat ∘ exp(u) ∘ exp(exp(-u) δ)          against q: turned back by u
//!     exp(u + δu) = exp(u) ∘ exp(Jr(u) δu)                             against v: the right Jacobian of rotations
//!     Jr(u) = 1 - (1 - cos θ)/θ² [u]× + (θ - sin θ)/θ³ [u]×²,          θ = |u|
//! ```
//! All other coordinates are plain sums.

use gudgeon_spatial::{Matrix3, Quaternion, Vector3, skew};

use crate::joint::Joint;
use crate::model::Model;
use crate::tolerances::SHORT_TURN;

/// Jr(u).
pub(super) fn right_jacobian(u: &Vector3<f64>) -> Matrix3<f64> {
    let t2 = u.norm_squared();
    // below 1e-4 rad² the series, whose next terms are 1e-12 of the first
    let (a, b) = if t2 < SHORT_TURN {
        (0.5 - t2 / 24.0 + t2 * t2 / 720.0, 1.0 / 6.0 - t2 / 120.0 + t2 * t2 / 5040.0)
    } else {
        let t = t2.sqrt();
        ((1.0 - t.cos()) / t2, (t - t.sin()) / (t2 * t))
    };
    let k = skew(u);
    Matrix3::identity() - k * a + k * k * b
}

fn is_turning(joint: &Joint) -> bool {
    joint.has_quaternion()
}

/// `dq` ← the change of q ⊕ dt v for a change `dq` of q and `dv` of v.
pub fn integrate_jvp(model: &Model, v: &[f64], dt: f64, dq: &mut [f64], dv: &[f64]) {
    for link in &model.links {
        let at = link.v_start;
        if is_turning(&link.joint) {
            let u = Vector3::new(v[at], v[at + 1], v[at + 2]) * dt;
            let back = Quaternion::exp(&u).to_matrix();
            let turned = back.tr_mul(&Vector3::new(dq[at], dq[at + 1], dq[at + 2]))
                + right_jacobian(&u) * Vector3::new(dv[at], dv[at + 1], dv[at + 2]) * dt;
            dq[at..at + 3].copy_from_slice(turned.as_slice());
            for k in at + 3..at + link.joint.n_v() {
                dq[k] += dt * dv[k];
            }
        } else {
            for k in link.v_range() {
                dq[k] += dt * dv[k];
            }
        }
    }
}

/// The transpose of [`integrate_jvp`]: `dq` ← what it is worth before, `dv` += likewise.
pub fn integrate_vjp(model: &Model, v: &[f64], dt: f64, dq: &mut [f64], dv: &mut [f64]) {
    for link in &model.links {
        let at = link.v_start;
        if is_turning(&link.joint) {
            let u = Vector3::new(v[at], v[at + 1], v[at + 2]) * dt;
            let w = Vector3::new(dq[at], dq[at + 1], dq[at + 2]);
            let on_v = right_jacobian(&u).tr_mul(&w) * dt;
            let on_q = Quaternion::exp(&u).to_matrix() * w;
            for k in 0..3 {
                dv[at + k] += on_v[k];
            }
            dq[at..at + 3].copy_from_slice(on_q.as_slice());
            for k in at + 3..at + link.joint.n_v() {
                dv[k] += dt * dq[k];
            }
        } else {
            for k in link.v_range() {
                dv[k] += dt * dq[k];
            }
        }
    }
}

/// What numbers worth `on_q` per unit of each position coordinate (n_q) are worth in the tangent space, into `out` (n_v).
pub fn to_tangent(model: &Model, q: &[f64], on_q: &[f64], out: &mut [f64]) {
    for link in &model.links {
        let (at, to) = (link.q_start, link.v_start);
        if is_turning(&link.joint) {
            let own = Quaternion::read(&q[at..]);
            for k in 0..3 {
                let rate = half_turn(own, k);
                out[to + k] = (0..4).map(|i| rate[i] * on_q[at + i]).sum();
            }
            for k in 3..link.joint.n_v() {
                out[to + k] = on_q[at + k + 1];
            }
        } else {
            out[link.v_range()].copy_from_slice(&on_q[link.q_range()]);
        }
    }
}

/// The way back, into `out` (n_q): of all numbers with that worth along the manifold the least, which says nothing about
/// the length of a quaternion.
pub fn from_tangent(model: &Model, q: &[f64], on: &[f64], out: &mut [f64]) {
    for link in &model.links {
        let (at, from) = (link.q_start, link.v_start);
        if is_turning(&link.joint) {
            let own = Quaternion::read(&q[at..]);
            out[at..at + 4].fill(0.0);
            for k in 0..3 {
                let rate = half_turn(own, k);
                // the four numbers have the length one half
                for i in 0..4 {
                    out[at + i] += 4.0 * rate[i] * on[from + k];
                }
            }
            for k in 3..link.joint.n_v() {
                out[at + k + 1] = on[from + k];
            }
        } else {
            out[link.q_range()].copy_from_slice(&on[link.v_range()]);
        }
    }
}

/// ½ q ∘ e_k.
fn half_turn(q: Quaternion, k: usize) -> [f64; 4] {
    let mut e = [0.0; 3];
    e[k] = 0.5;
    let r = q.times(Quaternion::new(0.0, e[0], e[1], e[2]));
    [r.w, r.x, r.y, r.z]
}
