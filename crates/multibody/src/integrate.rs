//! Integration on the configuration manifold, and the rate of positions.
//!
//! ```text
//!     q ⊕ v dt : plain sums, and quat ∘ exp(ω dt) for rotations          stays on the manifold
//!     q̇ = N(q) v                                                          what Runge-Kutta integrates
//! ```

use crate::model::Model;

/// q ← q ⊕ v dt.
pub fn integrate(model: &Model, q: &mut [f64], v: &[f64], dt: f64) {
    for link in &model.links {
        link.joint.integrate(&mut q[link.q_range()], &v[link.v_range()], dt);
    }
}

/// The v with to = from ⊕ v.
pub fn difference(model: &Model, from: &[f64], to: &[f64], v: &mut [f64]) {
    for link in &model.links {
        let q = link.q_range();
        link.joint.difference(&from[q.clone()], &to[q], &mut v[link.v_range()]);
    }
}

/// q̇ = N(q) v.
pub fn position_rate(model: &Model, q: &[f64], v: &[f64], q_dot: &mut [f64]) {
    for link in &model.links {
        let range = link.q_range();
        link.joint.rate(&q[range.clone()], &v[link.v_range()], &mut q_dot[range]);
    }
}

/// Brings quaternions back to unit length.
pub fn normalize(model: &Model, q: &mut [f64]) {
    use gudgeon_spatial::Quaternion;
    for link in &model.links {
        if link.joint.has_quaternion() {
            let part = &mut q[link.q_range()];
            Quaternion::read(part).normalized().write(part);
        }
    }
}
