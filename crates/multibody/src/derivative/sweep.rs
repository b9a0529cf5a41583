//! Products of ∂τ/∂q and ∂τ/∂v in O(n), without the matrices of `rnea`.
//!
//! Every entry is a product of what the cause does and what the effect feels, so sums over causes run along the tree:
//! ```text
//!     ∂τ_k δ = u_kᵀ Σ (η_j δq_j + ξ_j δv_j) + z_kᵀ Σ (ψ_j δq_j + S_j δv_j) + e_kᵀ Σ S_j δq_j      j before k: base to tips
//!            + S_kᵀ Σ (moved_j δq_j + faster_j δv_j)                                              j behind k: tips to base
//! ```
//! and in the transpose sums over effects the other way. Within a joint an axis that rides on the child is carried by all of
//! its joint's, one that rides on the parent by none.

use gudgeon_spatial::{Force, Motion};

use super::rnea::DynamicsDerivative;
use crate::joint::Rider;
use crate::model::Model;

/// Sums along the tree, by link; any number of derivatives share one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sums {
    motions: Vec<[Motion; 3]>,
    forces: Vec<[Force; 3]>,
}

impl Sums {
    fn reset(&mut self, links: usize) {
        self.motions.clear();
        self.motions.resize(links, [Motion::zero(); 3]);
        self.forces.clear();
        self.forces.resize(links, [Force::zero(); 3]);
    }
}

impl DynamicsDerivative {
    /// `out` += scale (∂τ/∂q dq + ∂τ/∂v dv); `dv` may be empty.
    pub fn sweep(
        &self,
        model: &Model,
        scale: f64,
        (dq, dv): (&[f64], &[f64]),
        sums: &mut Sums,
        out: &mut [f64],
    ) {
        sums.reset(model.n_links());
        let moving = !self.still;
        let (s, no) = (&self.fields.s, self.still || dv.is_empty());
        let faster = |j: usize| if no { 0.0 } else { dv[j] };
        for (i, link) in model.links.iter().enumerate().skip(1) {
            let before = sums.motions[link.parent.0];
            let mut all = before;
            for j in link.v_range() {
                let r = &self.rate[j];
                all[0] += r.eta * dq[j];
                all[2] += s[j] * dq[j];
                if moving {
                    all[0] += r.xi * faster(j);
                    all[1] += r.psi * dq[j] + s[j] * faster(j);
                }
            }
            sums.motions[i] = all;
            for (at, k) in link.v_range().enumerate() {
                let r = &self.rate[k];
                let [h, g, m] = if link.joint.rider(at) == Rider::Child { &all } else { &before };
                let coriolis = if moving { g.dot(r.z) } else { 0.0 };
                out[k] += scale * (h.dot(r.u) + coriolis + m.dot(r.e));
            }
        }
        for (i, link) in model.links.iter().enumerate().skip(1).rev() {
            let behind = sums.forces[i][0];
            let mut all = behind;
            for j in link.v_range() {
                let r = &self.rate[j];
                all += r.moved * dq[j];
                if moving {
                    all += r.faster * faster(j);
                }
            }
            for (at, k) in link.v_range().enumerate() {
                let force = if link.joint.rider(at) == Rider::Child { behind } else { all };
                out[k] += scale * s[k].dot(force);
            }
            sums.forces[link.parent.0][0] += all;
        }
    }

    /// The transpose: `on_q` += scale ∂τ/∂qᵀ y, `on_v` likewise, which may be empty.
    pub fn sweep_transposed(
        &self,
        model: &Model,
        scale: f64,
        y: &[f64],
        sums: &mut Sums,
        (on_q, on_v): (&mut [f64], &mut [f64]),
    ) {
        sums.reset(model.n_links());
        let s = &self.fields.s;
        let moving = !self.still;
        let wanted = moving && !on_v.is_empty();
        for (i, link) in model.links.iter().enumerate().skip(1).rev() {
            let mut carried = sums.forces[i];
            let mut rest = [Force::zero(); 3];
            for (at, k) in link.v_range().enumerate() {
                let r = &self.rate[k];
                let to = if link.joint.rider(at) == Rider::Child { &mut carried } else { &mut rest };
                let x = scale * y[k];
                to[0] += r.u * x;
                to[2] += r.e * x;
                if moving {
                    to[1] += r.z * x;
                }
            }
            let [u, z, e] = carried;
            for j in link.v_range() {
                let r = &self.rate[j];
                on_q[j] += r.eta.dot(u) + s[j].dot(e);
                if moving {
                    on_q[j] += r.psi.dot(z);
                }
                if wanted {
                    on_v[j] += r.xi.dot(u) + s[j].dot(z);
                }
            }
            let above = &mut sums.forces[link.parent.0];
            for part in 0..3 {
                above[part] += carried[part] + rest[part];
            }
        }
        for (i, link) in model.links.iter().enumerate().skip(1) {
            let mut before = sums.motions[link.parent.0][0];
            let mut rest = Motion::zero();
            for (at, k) in link.v_range().enumerate() {
                let to = if link.joint.rider(at) == Rider::Child { &mut rest } else { &mut before };
                *to += s[k] * (scale * y[k]);
            }
            for j in link.v_range() {
                let r = &self.rate[j];
                on_q[j] += before.dot(r.moved);
                if wanted {
                    on_v[j] += before.dot(r.faster);
                }
            }
            sums.motions[i][0] = before + rest;
        }
    }
}
