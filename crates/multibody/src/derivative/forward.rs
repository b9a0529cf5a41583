//! Accelerations against everything they depend on, loops held or none.
//!
//! ```text
//!     M̃ δq̈ - Eᵀ δμ = δτ - ∂τ/∂q δq - ∂τ/∂v δv + (forces that go along with their links)
//!     E δq̈         = -δ(E q̈ + Ė v)
//! ```
//! with ∂τ of `rnea` at the accelerations themselves. Nothing singular is inverted: redundant loops leave their forces
//! without a say, and the motion is the same for all of them.

use gudgeon_spatial::{Force, Motion, Vector3};

use super::constraint::{LoopDerivative, Moving};
use super::inertia::{InertiaGradient, inertia_gradient};
use super::rnea::DynamicsDerivative;
use crate::aba::{Load, forward_dynamics};
use crate::constraint::{ConstraintRows, RankRevealing};
use crate::crba::{MassMatrix, mass_matrix};
use crate::delassus::Whitened;
use crate::joint::Rider;
use crate::ltl::{MassFactor, NotPositiveDefinite};
use crate::model::{LinkId, Model, State};
use crate::workspace::Workspace;

/// Scratch of the products; any number of derivatives share one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scratch {
    moved: Vec<Motion>,
    dv: Vec<Motion>,
    da: Vec<Motion>,
    forces: Vec<Force>,
    on_v: Vec<Force>,
    on_a: Vec<Force>,
    rows: Vec<f64>,
    mu: Vec<f64>,
    r: Vec<f64>,
    x: Vec<f64>,
}

/// q̈ = FD(q, v, τ, external) at one point, ready for products.
#[derive(Debug, Clone, PartialEq)]
pub struct AccelerationDerivative {
    dynamics: DynamicsDerivative,
    mass: MassMatrix, // nothing locked
    open: MassMatrix, // driven joints locked
    factor: MassFactor,
    constraints: ConstraintRows,
    loops: LoopDerivative,
    whitened: Whitened,
    rank: RankRevealing,
    mu: Vec<f64>,
    external: Vec<Force>, // by link, about the references, loops included
    carried: Vec<Force>,  // by link, of the load: they go along with the origins
    locked: Vec<bool>,    // by dof
    any_locked: bool,
    held: bool,
    v: Vec<f64>,
    a: Vec<f64>,
    ws: Workspace,
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
            v: Vec::new(),
            a: Vec::new(),
            ws: Workspace::new(model),
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

        mass_matrix(model, &self.ws, &mut self.mass);
        for (k, extra) in load.diagonal.iter().enumerate() {
            self.mass.entries[model.row_start[k + 1] - 1] += extra - model.dofs[k].armature;
        }
        if self.any_locked {
            self.open.entries.copy_from_slice(&self.mass.entries);
            self.open.lock(model, |dof| self.locked[dof]);
            self.factor.factor(model, &self.open)?;
        } else {
            self.factor.factor(model, &self.mass)?;
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
        self.dynamics.compute(model, &self.ws, &self.v, &self.a, &gravity, &self.external);
        Ok(())
    }

    /// The accelerations with loops held, and the forces that hold them.
    fn hold(&mut self, model: &Model, state: &State) {
        self.constraints.positions(model, state, &self.ws);
        self.constraints.velocity_terms(model, state, &mut self.ws);
        self.loops.read(model, &self.ws);
        let n = self.constraints.rows.len();
        let mut r: Vec<f64> = (0..n).map(|i| self.constraints.rows.dot(i, &self.a)).collect();
        r.iter_mut().zip(&self.constraints.gamma).for_each(|(r, g)| *r = -(*r + g));
        if self.any_locked {
            self.constraints.rows.zero_dofs(|dof| self.locked[dof]);
        }
        self.whitened.compute(model, &self.factor, &self.constraints.rows);
        self.rank.factor_rows(&self.whitened.rows, model.n_v());
        self.mu.resize(n, 0.0);
        self.rank.solve_basic(&r, &mut self.mu);
        let mut x = vec![0.0; model.n_v()];
        for (i, mu) in self.mu.iter().enumerate() {
            self.constraints.rows.add_to(i, *mu, &mut x);
        }
        self.factor.solve(model, &mut x);
        self.a.iter_mut().zip(&x).for_each(|(a, x)| *a += x);
        if self.any_locked {
            // products of the locked dofs are wanted as well
            self.constraints.positions(model, state, &self.ws);
        }
    }

    /// `da` ← δq̈ for changes of position, velocity, joint forces and `external` forces (about the links' origins, or
    /// none); on entry `da` holds the changes of driven accelerations.
    pub fn jvp(
        &mut self,
        model: &Model,
        dq: &[f64],
        dv: &[f64],
        dtau: &[f64],
        external: &[Force],
        da: &mut [f64],
        sc: &mut Scratch,
    ) {
        let d = &self.dynamics;
        sc.r.clear();
        sc.r.extend_from_slice(dtau);
        d.q.multiply_add(model, -1.0, dq, &mut sc.r);
        d.v.multiply_add(model, -1.0, dv, &mut sc.r);
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
        self.factor.solve(model, &mut sc.r);
        for k in 0..da.len() {
            if !self.locked[k] {
                da[k] = sc.r[k];
            }
        }
        if self.held {
            self.hold_jvp(model, dv, da, sc);
        }
    }

    fn hold_jvp(&mut self, model: &Model, dv: &[f64], da: &mut [f64], sc: &mut Scratch) {
        self.changes(model, dv, sc);
        let d = &self.dynamics;
        let (now, change) = (Moving { v: &d.velocity, a: &d.acceleration }, Moving { v: &sc.dv, a: &sc.da });
        self.loops.acceleration_jvp(&d.fields, now, change, &sc.moved, &mut sc.rows);
        for (i, row) in sc.rows.iter_mut().enumerate() {
            *row = -(*row + self.constraints.rows.dot(i, da));
        }
        sc.mu.clear();
        sc.mu.resize(sc.rows.len(), 0.0);
        self.rank.solve_basic(&sc.rows, &mut sc.mu);
        sc.r.fill(0.0);
        for (i, mu) in sc.mu.iter().enumerate() {
            self.constraints.rows.add_to(i, *mu, &mut sc.r);
        }
        self.unlock(&mut sc.r);
        self.factor.solve(model, &mut sc.r);
        da.iter_mut().zip(&sc.r).for_each(|(a, x)| *a += x);
    }

    fn unlock(&self, x: &mut [f64]) {
        if self.any_locked {
            for (x, locked) in x.iter_mut().zip(&self.locked) {
                if *locked {
                    *x = 0.0;
                }
            }
        }
    }

    /// δv and δa of the links for the displacement in `sc.moved` and `dv`, q̈ held.
    fn changes(&self, model: &Model, dv: &[f64], sc: &mut Scratch) {
        let (f, d) = (&self.dynamics.fields, &self.dynamics);
        for list in [&mut sc.dv, &mut sc.da] {
            list.clear();
            list.resize(model.n_links(), Motion::zero());
        }
        for i in 1..model.n_links() {
            let link = &model.links[i];
            let p = link.parent.0;
            let mut v = sc.dv[p];
            for (k, dof) in link.v_range().enumerate() {
                let rider = if link.joint.rider(k) == Rider::Child { i } else { p };
                v += f.s[dof] * dv[dof] + sc.moved[rider].cross(f.s[dof]) * self.v[dof];
            }
            sc.dv[i] = v;
            let mut a = sc.da[p];
            for (k, dof) in link.v_range().enumerate() {
                let rider = if link.joint.rider(k) == Rider::Child { i } else { p };
                let ds = sc.moved[rider].cross(f.s[dof]);
                let v_r = d.velocity[rider];
                a += ds * self.a[dof]
                    + (sc.dv[rider].cross(f.s[dof]) + v_r.cross(ds)) * self.v[dof]
                    + v_r.cross(f.s[dof]) * dv[dof];
            }
            sc.da[i] = a;
        }
    }

    /// The transpose of `changes`: forces on δv and δa in `sc` to shares of v, and to forces on the displacement, added to
    /// `sc.forces`.
    fn changes_transposed(&self, model: &Model, on_v: &mut [f64], sc: &mut Scratch) {
        let (f, d) = (&self.dynamics.fields, &self.dynamics);
        for i in (1..model.n_links()).rev() {
            let link = &model.links[i];
            let p = link.parent.0;
            let g = sc.on_a[i];
            for (k, dof) in link.v_range().enumerate() {
                let rider = if link.joint.rider(k) == Rider::Child { i } else { p };
                let (s, v_r) = (f.s[dof], d.velocity[rider]);
                let on_ds = g * self.a[dof] - v_r.cross_force(g) * self.v[dof];
                sc.forces[rider] += s.cross_force(on_ds);
                sc.on_v[rider] += s.cross_force(g) * self.v[dof];
                on_v[dof] += v_r.cross(s).dot(g);
            }
            let h = sc.on_v[i];
            for (k, dof) in link.v_range().enumerate() {
                let rider = if link.joint.rider(k) == Rider::Child { i } else { p };
                sc.forces[rider] += f.s[dof].cross_force(h) * self.v[dof];
                on_v[dof] += f.s[dof].dot(h);
            }
            if link.parent != LinkId::WORLD {
                sc.on_a[p] += g;
                sc.on_v[p] += h;
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
        sc: &'s mut Scratch,
    ) -> &'s [f64] {
        let n = model.n_links();
        sc.forces.clear();
        sc.forces.resize(n, Force::zero());
        sc.x.clear();
        sc.x.extend_from_slice(w);
        if self.held {
            self.hold_vjp(model, to.v, sc);
        }
        // on the accelerations that the forces alone would give
        sc.r.clear();
        sc.r.extend_from_slice(&sc.x);
        self.unlock(&mut sc.r);
        self.factor.solve(model, &mut sc.r);
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
        d.q.multiply_transposed_add(model, -1.0, &sc.r, to.q);
        d.v.multiply_transposed_add(model, -1.0, &sc.r, to.v);
        if self.held || !self.carried.is_empty() {
            d.fields.spread(model, &sc.r, &mut sc.moved);
            for (i, f) in self.carried.iter().enumerate().skip(1) {
                let share = f.linear.cross(&sc.moved[i].angular);
                sc.forces[i] += d.fields.about(i, &d.fields.origin[i], Vector3::zeros(), share);
            }
            if self.held {
                self.loops.force_vjp(&d.fields, &self.mu, &sc.moved, &mut sc.forces);
            }
            d.fields.gather(model, &mut sc.forces, to.q);
        }
        &sc.r
    }

    fn hold_vjp(&mut self, model: &Model, on_v: &mut [f64], sc: &mut Scratch) {
        sc.r.clear();
        sc.r.extend_from_slice(&sc.x);
        self.unlock(&mut sc.r);
        self.factor.solve(model, &mut sc.r);
        self.unlock(&mut sc.r);
        sc.rows.clear();
        sc.rows.extend((0..self.constraints.rows.len()).map(|i| self.constraints.rows.dot(i, &sc.r)));
        sc.mu.clear();
        sc.mu.resize(sc.rows.len(), 0.0);
        self.rank.solve_basic(&sc.rows, &mut sc.mu);
        sc.mu.iter_mut().for_each(|m| *m = -*m);
        for (i, mu) in sc.mu.iter().enumerate() {
            self.constraints.rows.add_to(i, *mu, &mut sc.x);
        }
        for list in [&mut sc.on_v, &mut sc.on_a] {
            list.clear();
            list.resize(model.n_links(), Force::zero());
        }
        let d = &self.dynamics;
        let now = Moving { v: &d.velocity, a: &d.acceleration };
        self.loops.acceleration_vjp(&d.fields, now, &sc.mu, &mut sc.on_v, &mut sc.on_a, &mut sc.forces);
        self.changes_transposed(model, on_v, sc);
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
