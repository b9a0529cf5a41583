//! ∂τ/∂q and ∂τ/∂v of inverse dynamics [Carpentier and Mansard 2018, in world axes].
//!
//! ```text
//!     f_i = I_i a_i + v_i ×* I_i v_i,     F_i = Σ_subtree f,     τ_k = S_kᵀ (F_i - F^ext_i)
//!
//!     moved by dof j of link l:   δv_i = S_j × v_i + ψ_j,         ψ_j = w_l × S_j
//!                                 δa_i = S_j × a_i + η_j - v_i × ψ_j,     η_j = α_l × S_j + w_l × ψ_j
//!                                 δF_i = S_j ×* F_i + I^c_i η_j + B^c_i ψ_j
//!     faster by dof j:            δv_i = S_j,   δa_i = ξ_j - v_i × S_j,   ξ_j = (v_rider + w_l) × S_j
//!                                 δF_i = I^c_i ξ_j + B^c_i S_j
//!     B_i x = v_i ×* I_i x - I_i (v_i × x) + x ×* I_i v_i
//! ```
//! w_l, α_l are velocity and acceleration of what dof j leaves behind: the parent, and the axes of joint l that ride on it.
//! An axis k behind j goes along, δS_k = S_j × S_k, which with a force that stays in space leaves
//! ```text
//!     ∂τ_k/∂q_j = (I^c S_k)ᵀ η_j + (B^cᵀ S_k)ᵀ ψ_j - (S_k ×* F^ext)ᵀ S_j      k behind j
//!     ∂τ_k/∂q_j = S_kᵀ (S_j ×* F_l + I^c_l η_j + B^c_l ψ_j)                    k before j
//! ```
//! | paper      | here              | shape |
//! |------------|-------------------|-------|
//! | Y^c, B^c   | `ia`, `b`         | n_b, 6 × 6 |
//! | J_j, ∂v, ∂a | `s`, `psi`, `eta` | n_v, 6 |
//!
//! Departure: joints of several dofs whose axes ride on the parent or on the child, each as `joint` has it; the paper's have
//! constant axes in the child. External forces stay where they are in space; a force that goes along with its link is the
//! caller's to add (`Fields::about`). Products need no matrix: `sweep` runs through the tree in their place.

use gudgeon_spatial::{ArticulatedInertia, Force, Inertia, Motion, Vector3};
use nalgebra::{Matrix6, Vector6};

use super::branches::Branches;
use super::fields::Fields;
use crate::joint::Rider;
use crate::model::{LinkId, Model};
use crate::workspace::Workspace;

/// ∂τ/∂q, ∂τ/∂v, and the fields they were taken at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DynamicsDerivative {
    /// ∂τ/∂q.
    pub q: Branches,
    /// ∂τ/∂v.
    pub v: Branches,
    /// Axes about the reference points.
    pub fields: Fields,
    /// By link: velocity.
    pub velocity: Vec<Motion>,
    /// By link: acceleration less gravity.
    pub acceleration: Vec<Motion>,
    base_v: Vec<Motion>,         // nb, w
    base_a: Vec<Motion>,         // nb, alpha
    body: Vec<Inertia>,          // nb, about the references
    ia: Vec<ArticulatedInertia>, // nb, composite
    b: Vec<Matrix6<f64>>,        // nb, composite
    f: Vec<Force>,               // nb, inertial forces of subtrees
    ext: Vec<Force>,             // nb, external forces of subtrees
    pub(super) rate: Vec<Rate>,  // nv
    pub(super) still: bool,      // nothing moves: B, ψ and ξ are zero, and so is ∂τ/∂v
}

/// What one dof does as a cause and as an effect.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Rate {
    pub(super) psi: Motion,
    pub(super) eta: Motion,
    pub(super) xi: Motion,
    pub(super) moved: Force,  // δF of its subtree per δq
    pub(super) faster: Force, // δF of its subtree per δv
    pub(super) u: Force,      // I^c S
    pub(super) z: Force,      // B^cᵀ S
    pub(super) e: Force,      // -S ×* F^ext
}

impl DynamicsDerivative {
    /// Takes both at velocity `v` and acceleration `a` in the field `gravity`, with `external` forces on the links about
    /// their references (or none), which stay in space; wants `kinematics` in `ws`.
    pub fn compute(
        &mut self,
        model: &Model,
        ws: &Workspace,
        v: &[f64],
        a: &[f64],
        gravity: &Vector3<f64>,
        external: &[Force],
    ) {
        self.prepare(model, ws, v, a, gravity, external);
        self.make_matrices(model);
    }

    /// As [`Self::compute`], in O(n): ready for products by sweeps, `q` and `v` left as they are.
    pub fn prepare(
        &mut self,
        model: &Model,
        ws: &Workspace,
        v: &[f64],
        a: &[f64],
        gravity: &Vector3<f64>,
        external: &[Force],
    ) {
        self.still = v.iter().all(|x| *x == 0.0);
        self.fields.read(model, ws);
        self.base_to_tips(model, ws, v, a, gravity);
        self.ext.clear();
        self.ext.extend_from_slice(external);
        self.ext.resize(model.n_links(), Force::zero());
        self.tips_to_base(model);
        self.rates(model);
    }

    /// Fills `q` and `v`, O(n depth); wants [`Self::prepare`].
    pub fn make_matrices(&mut self, model: &Model) {
        self.q.reset(model);
        self.v.reset(model);
        self.pairs(model);
    }

    fn base_to_tips(&mut self, model: &Model, ws: &Workspace, v: &[f64], a: &[f64], gravity: &Vector3<f64>) {
        let nb = model.n_links();
        for list in [&mut self.velocity, &mut self.acceleration, &mut self.base_v, &mut self.base_a] {
            list.clear();
            list.resize(nb, Motion::zero());
        }
        self.body.clear();
        self.body.resize(nb, Inertia::zero());
        self.ia.clear();
        self.ia.resize(nb, ArticulatedInertia::zero());
        if !self.still {
            self.b.clear();
            self.b.resize(nb, Matrix6::zeros());
        }
        self.f.clear();
        self.f.resize(nb, Force::zero());
        self.acceleration[0] = Motion::new(Vector3::zeros(), -gravity);
        for i in 1..nb {
            let link = &model.links[i];
            let p = link.parent.0;
            let (mut w, mut alpha) = (self.velocity[p], self.acceleration[p]);
            let mut on_child = Motion::zero();
            let mut driven = Motion::zero();
            for (k, dof) in link.v_range().enumerate() {
                let s = self.fields.s[dof];
                if link.joint.rider(k) == Rider::Child {
                    on_child += s * v[dof];
                    driven += s * a[dof];
                } else {
                    alpha += s * a[dof] + self.velocity[p].cross(s) * v[dof];
                    w += s * v[dof];
                }
            }
            let velocity = w + on_child;
            self.base_v[i] = w;
            self.base_a[i] = alpha;
            self.velocity[i] = velocity;
            self.acceleration[i] = alpha + driven + velocity.cross(on_child);
            let own = &ws.body[i];
            let body = Inertia { com: own.com + self.fields.origin[i] - self.fields.reference[i], ..*own };
            self.body[i] = body;
            self.ia[i] = body.to_articulated();
            let h = body.momentum(velocity);
            self.f[i] = body.momentum(self.acceleration[i]) + velocity.cross_force(h);
            if velocity != Motion::zero() {
                self.b[i] = coriolis(&body, velocity, h);
            }
        }
    }

    fn tips_to_base(&mut self, model: &Model) {
        for i in (1..model.n_links()).rev() {
            let p = model.links[i].parent;
            if p != LinkId::WORLD {
                let (ia, f, ext) = (self.ia[i], self.f[i], self.ext[i]);
                self.ia[p.0] += ia;
                if !self.still {
                    let b = self.b[i];
                    self.b[p.0] += b;
                }
                self.f[p.0] += f;
                self.ext[p.0] += ext;
            }
        }
    }

    fn rates(&mut self, model: &Model) {
        self.rate.clear();
        for i in 1..model.n_links() {
            let link = &model.links[i];
            let (w, alpha) = (self.base_v[i], self.base_a[i]);
            for (k, dof) in link.v_range().enumerate() {
                let s = self.fields.s[dof];
                if self.still {
                    let eta = alpha.cross(s);
                    let moved = s.cross_force(self.f[i]) + self.ia[i] * eta;
                    let (u, e) = (self.ia[i] * s, -s.cross_force(self.ext[i]));
                    self.rate.push(Rate { eta, moved, u, e, ..Rate::default() });
                    continue;
                }
                let b = &self.b[i];
                let rider = if link.joint.rider(k) == Rider::Child {
                    self.velocity[i]
                } else {
                    self.velocity[link.parent.0]
                };
                let psi = w.cross(s);
                let eta = alpha.cross(s) + w.cross(psi);
                let xi = (rider + w).cross(s);
                let times = |x: Motion| Force::from_vector(&(b * x.to_vector()));
                self.rate.push(Rate {
                    psi,
                    eta,
                    xi,
                    moved: s.cross_force(self.f[i]) + self.ia[i] * eta + times(psi),
                    faster: self.ia[i] * xi + times(s),
                    u: self.ia[i] * s,
                    z: Force::from_vector(&(b.tr_mul(&s.to_vector()))),
                    e: -s.cross_force(self.ext[i]),
                });
            }
        }
    }

    fn pairs(&mut self, model: &Model) {
        for k in 0..model.n_v() {
            let (start, link_k) = (model.row_start[k], model.dof_link[k]);
            let mut j = k;
            for depth in (0..=model.dof_depth[k]).rev() {
                let at = start + depth;
                let same = model.dof_link[j] == link_k;
                if self.still {
                    self.q.lower[at] = self.pair_at_rest(model, k, j, true, same);
                    self.q.upper[at] = self.pair_at_rest(model, j, k, false, same);
                } else {
                    (self.q.lower[at], self.v.lower[at]) = self.pair(model, k, j, true, same);
                    (self.q.upper[at], self.v.upper[at]) = self.pair(model, j, k, false, same);
                }
                j = model.dof_parent[j];
            }
        }
    }

    /// Whether k is carried by j; `behind`: k is behind j, or both are of one joint.
    #[inline]
    fn is_carried(model: &Model, k: usize, behind: bool, same: bool) -> bool {
        if same {
            let link = &model.links[model.dof_link[k]];
            link.joint.rider(k - link.v_start) == Rider::Child
        } else {
            behind
        }
    }

    /// ∂τ_k/∂q_j where nothing moves.
    #[inline]
    fn pair_at_rest(&self, model: &Model, k: usize, j: usize, behind: bool, same: bool) -> f64 {
        let (effect, cause) = (&self.rate[k], &self.rate[j]);
        if Self::is_carried(model, k, behind, same) {
            cause.eta.dot(effect.u) + self.fields.s[j].dot(effect.e)
        } else {
            self.fields.s[k].dot(cause.moved)
        }
    }

    /// ∂τ_k/∂q_j and ∂τ_k/∂v_j.
    #[inline]
    fn pair(&self, model: &Model, k: usize, j: usize, behind: bool, same: bool) -> (f64, f64) {
        let carried = Self::is_carried(model, k, behind, same);
        let (effect, cause, s_k, s_j) = (&self.rate[k], &self.rate[j], self.fields.s[k], self.fields.s[j]);
        if carried {
            let by_q = cause.eta.dot(effect.u) + cause.psi.dot(effect.z) + s_j.dot(effect.e);
            (by_q, cause.xi.dot(effect.u) + s_j.dot(effect.z))
        } else {
            (s_k.dot(cause.moved), s_k.dot(cause.faster))
        }
    }
}

/// B of one body.
fn coriolis(body: &Inertia, v: Motion, h: Force) -> Matrix6<f64> {
    let mut b = Matrix6::zeros();
    for k in 0..6 {
        let x = Motion::from_vector(&Vector6::ith(k, 1.0));
        let column = v.cross_force(body.momentum(x)) - body.momentum(v.cross(x)) + x.cross_force(h);
        b.set_column(k, &column.to_vector());
    }
    b
}
