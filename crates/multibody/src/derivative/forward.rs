//! Accelerations against everything they depend on, loops held or none.
//!
//! ```text
//!     M̃ δq̈ - Eᵀ δμ = δτ - ∂τ/∂q δq - ∂τ/∂v δv + (forces that go along with their links)
//!     E δq̈         = -δ(E q̈ + Ė v)
//! ```
//! with ∂τ of `rnea` at the accelerations themselves. A product takes O(n): sweeps for ∂τ, the articulated inertias of the
//! evaluation itself for M̃⁻¹; with loops held or joints driven M̃ is factored. For many products of a shallow tree the
//! matrices are cheaper ([`AccelerationDerivative::by_matrices`]). Nothing singular is inverted: redundant loops leave their forces
//! without a say, and the motion is the same for all of them.

use gudgeon_spatial::{Force, Motion, Vector3};

use super::constraint::LoopDerivative;
use super::inertia::{InertiaGradient, inertia_gradient};
use super::rnea::DynamicsDerivative;
use super::sweep::Sums;
use crate::aba::{Load, apply_inverse, forward_dynamics};
use crate::constraint::{ConstraintRows, RankRevealing};
use crate::crba::{MassMatrix, mass_matrix};
use crate::delassus::Whitened;
use crate::ltl::{MassFactor, NotPositiveDefinite};
use crate::model::{Model, State};
use crate::workspace::Workspace;

/// AccelerationScratch of the products; any number of derivatives share one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AccelerationScratch {
    pub(super) moved: Vec<Motion>,
    pub(super) dv: Vec<Motion>,
    pub(super) da: Vec<Motion>,
    pub(super) forces: Vec<Force>,
    pub(super) on_v: Vec<Force>,
    pub(super) on_a: Vec<Force>,
    pub(super) rows: Vec<f64>,
    pub(super) mu: Vec<f64>,
    pub(super) r: Vec<f64>,
    pub(super) x: Vec<f64>,
    pub(super) solved: Vec<f64>,
    pub(super) sums: Sums,
}

/// q̈ = FD(q, v, τ, external) at one point, ready for products.
#[derive(Debug, Clone, PartialEq)]
pub struct AccelerationDerivative {
    pub(super) dynamics: DynamicsDerivative,
    pub(super) mass: MassMatrix, // nothing locked
    pub(super) open: MassMatrix, // driven joints locked
    pub(super) factor: MassFactor,
    pub(super) constraints: ConstraintRows,
    pub(super) loops: LoopDerivative,
    pub(super) whitened: Whitened,
    pub(super) rank: RankRevealing,
    pub(super) mu: Vec<f64>,
    pub(super) external: Vec<Force>, // by link, about the references, loops included
    pub(super) carried: Vec<Force>,  // by link, of the load: they go along with the origins
    pub(super) locked: Vec<bool>,    // by dof
    pub(super) any_locked: bool,
    pub(super) held: bool,
    pub(super) dense: bool, // products by matrices
    pub(super) diagonal: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) ws: Workspace,
    pub(super) scratch: [Vec<f64>; 2],
}

/// Changes of what accelerations follow from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InputChange<'a> {
    /// Of the position, n_v.
    pub q: &'a [f64],
    /// Of the velocity, n_v.
    pub v: &'a [f64],
    /// Of the joint forces, n_v.
    pub tau: &'a [f64],
    /// Of the external forces about the links' origins; or empty.
    pub external: &'a [Force],
}

/// What a product with the transpose leaves, each added to.
#[derive(Debug)]
pub struct Shares<'a> {
    /// On the position, n_v.
    pub q: &'a mut [f64],
    /// On the velocity, n_v.
    pub v: &'a mut [f64],
    /// On the joint forces, n_v.
    pub tau: &'a mut [f64],
    /// On the accelerations of driven joints, n_v.
    pub driven: &'a mut [f64],
}

impl AccelerationDerivative {
    /// Room for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            dynamics: DynamicsDerivative::default(),
            mass: MassMatrix::new(model),
            open: MassMatrix::new(model),
            factor: MassFactor::new(model),
            constraints: ConstraintRows::default(),
            loops: LoopDerivative::default(),
            whitened: Whitened::default(),
            rank: RankRevealing::default(),
            mu: Vec::new(),
            external: Vec::new(),
            carried: Vec::new(),
            locked: Vec::new(),
            any_locked: false,
            held: false,
            dense: false,
            diagonal: Vec::new(),
            v: Vec::new(),
            a: Vec::new(),
            ws: Workspace::new(model),
            scratch: Default::default(),
        }
    }

    /// The accelerations it was taken at.
    pub fn acceleration(&self) -> &[f64] {
        &self.a
    }

    /// Evaluates the accelerations at `state` under `load`, loops `held` or not, and their derivative.
    pub fn compute(
        &mut self,
        model: &Model,
        state: &State,
        load: &Load<'_>,
        held: bool,
    ) -> Result<(), NotPositiveDefinite> {
        forward_dynamics(model, state, load, &mut self.ws);
        self.a.clear();
        self.a.extend_from_slice(self.ws.qdd());
        self.v.clear();
        self.v.extend_from_slice(&state.v);
        self.locked.clear();
        self.locked.extend((0..model.n_v()).map(|dof| load.prescribed.is_some_and(|p| p.drives(model, dof))));
        self.any_locked = self.locked.iter().any(|l| *l);
        self.held = held && !(model.loops.is_empty() && model.couplings.is_empty());

        self.diagonal.clear();
        self.diagonal.extend_from_slice(load.diagonal);
        self.dense = false;
        if self.is_factored() {
            self.find_factor(model)?;
        } else if let Some(dof) =
            (0..model.n_v()).find(|&k| !self.ws.d_inv[k].is_normal() || self.ws.d_inv[k] < 0.0)
        {
            return Err(NotPositiveDefinite { dof, pivot: 1.0 / self.ws.d_inv[dof] });
        }
        self.mu.clear();
        if self.held {
            self.hold(model, state);
        }
        self.dynamics.fields.read(model, &self.ws);
        let fields = &self.dynamics.fields;
        self.carried.clear();
        self.carried.extend_from_slice(load.external);
        self.external.clear();
        self.external.extend(load.external.iter().enumerate().map(|(i, f)| fields.from_origin(i, *f)));
        self.external.resize(model.n_links(), Force::zero());
        if self.held {
            self.loops.forces(fields, &self.mu, &mut self.external);
        }
        let gravity = model.gravity;
        self.dynamics.prepare(model, &self.ws, &self.v, &self.a, &gravity, &self.external);
        Ok(())
    }

    /// M̃ and its factor, driven joints locked.
    fn find_factor(&mut self, model: &Model) -> Result<(), NotPositiveDefinite> {
        mass_matrix(model, &self.ws, &mut self.mass);
        for (k, extra) in self.diagonal.iter().enumerate() {
            self.mass.entries[model.row_start[k + 1] - 1] += extra - model.dofs[k].armature;
        }
        if self.any_locked {
            self.open.entries.copy_from_slice(&self.mass.entries);
            self.open.lock(model, |dof| self.locked[dof]);
            self.factor.factor(model, &self.open)?;
        } else {
            self.factor.factor(model, &self.mass)?;
        }
        Ok(())
    }

    /// Products by matrices, which are made, or by sweeps again.
    pub fn by_matrices(&mut self, model: &Model, dense: bool) {
        self.dense = dense && (self.is_factored() || self.find_factor(model).is_ok());
        if self.dense {
            self.dynamics.make_matrices(model);
        }
    }

    fn is_factored(&self) -> bool {
        self.held || self.any_locked
    }

    /// r ← M̃⁻¹ r.
    fn solve(&mut self, model: &Model, sc: &mut AccelerationScratch) {
        if self.is_factored() || self.dense {
            self.factor.solve(model, &mut sc.r);
        } else {
            sc.solved.resize(sc.r.len(), 0.0);
            apply_inverse(model, &sc.r, &mut sc.solved, &mut self.ws);
            std::mem::swap(&mut sc.r, &mut sc.solved);
        }
    }

    /// r −= ∂τ/∂q dq + ∂τ/∂v dv.
    fn subtract_forces(&self, model: &Model, dq: &[f64], dv: &[f64], sc: &mut AccelerationScratch) {
        let d = &self.dynamics;
        if self.dense {
            d.q.multiply_add(model, -1.0, dq, &mut sc.r);
            d.v.multiply_add(model, -1.0, dv, &mut sc.r);
        } else {
            d.sweep(model, -1.0, (dq, dv), &mut sc.sums, &mut sc.r);
        }
    }

    /// `da` ← δq̈; on entry `da` holds the changes of driven accelerations.
    pub fn jvp(
        &mut self,
        model: &Model,
        change: &InputChange<'_>,
        da: &mut [f64],
        sc: &mut AccelerationScratch,
    ) {
        let InputChange { q: dq, v: dv, tau: dtau, external } = *change;
        sc.r.clear();
        sc.r.extend_from_slice(dtau);
        self.subtract_forces(model, dq, dv, sc);
        let d = &self.dynamics;
        if self.held || !self.carried.is_empty() || !external.is_empty() {
            d.fields.spread(model, dq, &mut sc.moved);
            sc.forces.clear();
            sc.forces.resize(model.n_links(), Force::zero());
            for (i, f) in self.carried.iter().enumerate().skip(1) {
                let shift = d.fields.at(i, sc.moved[i], &d.fields.origin[i]);
                sc.forces[i].angular += shift.cross(&f.linear);
            }
            for (i, f) in external.iter().enumerate().skip(1) {
                sc.forces[i] += d.fields.from_origin(i, *f);
            }
            if self.held {
                self.loops.force_jvp(&d.fields, &self.mu, &sc.moved, &mut sc.forces);
            }
            d.fields.gather(model, &mut sc.forces, &mut sc.r);
            if self.held {
                self.loops.bend_force_jvp(&self.mu, dq, &mut sc.r);
            }
        }
        if self.any_locked {
            sc.x.clear();
            sc.x.extend((0..da.len()).map(|k| if self.locked[k] { da[k] } else { 0.0 }));
            sc.mu.clear();
            sc.mu.resize(da.len(), 0.0);
            self.mass.multiply(model, &sc.x, &mut sc.mu);
            for k in 0..da.len() {
                sc.r[k] = if self.locked[k] { 0.0 } else { sc.r[k] - sc.mu[k] };
            }
        }
        self.solve(model, sc);
        for k in 0..da.len() {
            if !self.locked[k] {
                da[k] = sc.r[k];
            }
        }
        if self.held {
            self.hold_jvp(model, (dq, dv), da, sc);
        }
    }

    pub(super) fn unlock(&self, x: &mut [f64]) {
        if self.any_locked {
            for (x, locked) in x.iter_mut().zip(&self.locked) {
                if *locked {
                    *x = 0.0;
                }
            }
        }
    }

    /// The transpose of [`Self::jvp`] on `w`: shares are added to. Leaves M̃⁻¹-weighted `w`, what the joint forces are
    /// paired with, in the answer: parameters and external forces read it.
    pub fn vjp<'s>(
        &mut self,
        model: &Model,
        w: &[f64],
        to: &mut Shares<'_>,
        sc: &'s mut AccelerationScratch,
    ) -> &'s [f64] {
        let n = model.n_links();
        sc.forces.clear();
        sc.forces.resize(n, Force::zero());
        sc.x.clear();
        sc.x.extend_from_slice(w);
        if self.held {
            self.hold_vjp(model, (to.q, to.v), sc);
        }
        // on the accelerations that the forces alone would give
        sc.r.clear();
        sc.r.extend_from_slice(&sc.x);
        self.unlock(&mut sc.r);
        self.solve(model, sc);
        self.unlock(&mut sc.r);
        if self.any_locked {
            sc.mu.clear();
            sc.mu.resize(w.len(), 0.0);
            self.mass.multiply(model, &sc.r, &mut sc.mu);
            for k in 0..w.len() {
                if self.locked[k] {
                    to.driven[k] += sc.x[k] - sc.mu[k];
                }
            }
        }
        let d = &self.dynamics;
        to.tau.iter_mut().zip(&sc.r).for_each(|(t, r)| *t += r);
        if self.dense {
            d.q.multiply_transposed_add(model, -1.0, &sc.r, to.q);
            d.v.multiply_transposed_add(model, -1.0, &sc.r, to.v);
        } else {
            d.sweep_transposed(model, -1.0, &sc.r, &mut sc.sums, (to.q, to.v));
        }
        if self.held || !self.carried.is_empty() {
            d.fields.spread(model, &sc.r, &mut sc.moved);
            for (i, f) in self.carried.iter().enumerate().skip(1) {
                let share = f.linear.cross(&sc.moved[i].angular);
                sc.forces[i] += d.fields.about(i, &d.fields.origin[i], Vector3::zeros(), share);
            }
            if self.held {
                self.loops.force_vjp(&d.fields, &self.mu, &sc.moved, &mut sc.forces);
                self.loops.bend_force_vjp(&self.mu, &sc.r, to.q);
            }
            d.fields.gather(model, &mut sc.forces, to.q);
        }
        &sc.r
    }

    /// The motion of each link that joint forces paired with `y` stand for, about the references.
    pub fn spread(&self, model: &Model, y: &[f64], out: &mut Vec<Motion>) {
        self.dynamics.fields.spread(model, y, out);
    }

    /// The pairing field of link `i` about its origin, where external forces act.
    pub fn at_origin(&self, i: usize, x: Motion) -> Motion {
        let f = &self.dynamics.fields;
        x.at(&(f.origin[i] - f.reference[i]))
    }

    /// Adds -yᵀ ∂τ/∂(inertia of link i), where `x` is the field of y at link i.
    pub fn inertia_share(&self, model: &Model, i: usize, x: Motion, out: &mut InertiaGradient) {
        let d = &self.dynamics;
        let here = |m: Motion| self.at_origin(i, m);
        let rotation = self.ws.placed[i].rotation;
        let inertia = &model.links[i].inertia;
        let gradient =
            inertia_gradient(&rotation, inertia, here(x), here(d.velocity[i]), here(d.acceleration[i]));
        out.add(-1.0, &gradient);
    }

    /// Link rotations at the point it was taken at.
    pub fn rotation(&self, i: usize) -> gudgeon_spatial::Matrix3<f64> {
        self.ws.placed[i].rotation
    }
}
