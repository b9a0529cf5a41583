//! Motions of all links that a vector over the dofs stands for, how they vary with the position, and the way back.
//!
//! ```text
//!     X_i  = X_p + Σ S_k x_k                         x a velocity, or a displacement δ of the position
//!     δX_i = δX_p + Σ (δ_rider(k) × S_k) x_k         the axes go where their riders go
//! ```
//! The transposes carry forces on links to numbers on dofs: S_kᵀ Σ F, tips to base.

use gudgeon_spatial::{Force, Motion, Vector3};

use crate::joint::Rider;
use crate::model::{LinkId, Model};
use crate::workspace::Workspace;

/// The axes of all dofs about one point per tree.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fields {
    /// By link: the point that its spatial vectors are about, world, m.
    pub reference: Vec<Vector3<f64>>,
    /// By link: its origin, world, m.
    pub origin: Vec<Vector3<f64>>,
    /// By dof: its motion axis about the reference point of its link.
    pub s: Vec<Motion>,
    sums: Vec<Force>, // by link, scratch
}

impl Fields {
    /// Reads the axes; wants `kinematics`.
    pub fn read(&mut self, model: &Model, ws: &Workspace) {
        self.reference.clear();
        self.reference.resize(model.n_links(), Vector3::zeros());
        self.origin.clear();
        self.origin.extend(ws.placed.iter().map(|p| p.origin));
        self.s.clear();
        self.s.extend_from_slice(&ws.s);
        for i in 1..model.n_links() {
            let link = &model.links[i];
            self.reference[i] =
                if link.parent == LinkId::WORLD { self.origin[i] } else { self.reference[link.parent.0] };
            let r = self.reference[i] - self.origin[i];
            for dof in link.v_range() {
                self.s[dof] = ws.s[dof].at(&r);
            }
        }
    }

    /// X of all links.
    pub fn spread(&self, model: &Model, x: &[f64], out: &mut Vec<Motion>) {
        out.clear();
        out.resize(model.n_links(), Motion::zero());
        for i in 1..model.n_links() {
            let link = &model.links[i];
            let mut motion = out[link.parent.0];
            for dof in link.v_range() {
                motion += self.s[dof] * x[dof];
            }
            out[i] = motion;
        }
    }

    /// `out` += the transpose of [`Self::spread`] on `forces`, which is left with sums over subtrees.
    pub fn gather(&self, model: &Model, forces: &mut [Force], out: &mut [f64]) {
        for i in (1..model.n_links()).rev() {
            let link = &model.links[i];
            let force = forces[i];
            for dof in link.v_range() {
                out[dof] += self.s[dof].dot(force);
            }
            if link.parent != LinkId::WORLD {
                forces[link.parent.0] += force;
            }
        }
    }

    /// δX of all links for x held and the displacement `moved` of the links.
    pub fn vary(&self, model: &Model, x: &[f64], moved: &[Motion], out: &mut Vec<Motion>) {
        out.clear();
        out.resize(model.n_links(), Motion::zero());
        for i in 1..model.n_links() {
            let link = &model.links[i];
            let mut motion = out[link.parent.0];
            for (k, dof) in link.v_range().enumerate() {
                let rider = if link.joint.rider(k) == Rider::Child { i } else { link.parent.0 };
                motion += moved[rider].cross(self.s[dof]) * x[dof];
            }
            out[i] = motion;
        }
    }

    /// The transpose of [`Self::vary`]: forces on δX to forces on the displacement, added to `on_moved`. `forces` is left
    /// with sums over subtrees.
    pub fn vary_transposed(&self, model: &Model, x: &[f64], forces: &mut [Force], on_moved: &mut [Force]) {
        for i in (1..model.n_links()).rev() {
            let link = &model.links[i];
            let force = forces[i];
            for (k, dof) in link.v_range().enumerate() {
                let rider = if link.joint.rider(k) == Rider::Child { i } else { link.parent.0 };
                on_moved[rider] += self.s[dof].cross_force(force) * x[dof];
            }
            if link.parent != LinkId::WORLD {
                forces[link.parent.0] += force;
            }
        }
    }

    /// The velocity at the world point `p` of link `i` that moves with `x`.
    #[inline]
    pub fn at(&self, i: usize, x: Motion, p: &Vector3<f64>) -> Vector3<f64> {
        x.linear + x.angular.cross(&(p - self.reference[i]))
    }

    /// A moment and a force at the world point `p`, about the reference of link `i`.
    #[inline]
    pub fn about(&self, i: usize, p: &Vector3<f64>, moment: Vector3<f64>, force: Vector3<f64>) -> Force {
        Force::new(moment + (p - self.reference[i]).cross(&force), force)
    }

    /// A force about the origin of link `i`, as the dynamics has it, about its reference.
    #[inline]
    pub fn from_origin(&self, i: usize, force: Force) -> Force {
        self.about(i, &self.origin[i], force.angular, force.linear)
    }

    /// Adds the joint forces of `forces` on links, about their references, to `out`; `forces` stays.
    pub fn gather_copy(&mut self, model: &Model, forces: &[Force], out: &mut [f64]) {
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        sums.extend_from_slice(forces);
        self.gather(model, &mut sums, out);
        self.sums = sums;
    }
}
