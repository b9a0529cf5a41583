//! Accelerations with loops held, and their products: what `forward` adds where there are loops.
//!
//! ```text
//!     E M̃⁻¹ Eᵀ δμ = -δ(E q̈ + Ė v) - E δq̈,     δq̈ += M̃⁻¹ Eᵀ δμ
//! ```

use gudgeon_spatial::{Force, Motion};

use super::constraint::Moving;
use super::forward::{AccelerationDerivative, AccelerationScratch};
use crate::joint::Rider;
use crate::model::{LinkId, Model, State};

impl AccelerationDerivative {
    /// The accelerations with loops held, and the forces that hold them.
    pub(super) fn hold(&mut self, model: &Model, state: &State) {
        self.constraints.positions(model, state, &self.ws);
        self.constraints.velocity_terms(model, state, &mut self.ws);
        self.loops.read(model, &state.q, &self.ws);
        let n = self.constraints.rows.len();
        let [r, x] = &mut self.scratch;
        r.clear();
        r.extend((0..n).map(|i| -(self.constraints.rows.dot(i, &self.a) + self.constraints.gamma[i])));
        if self.any_locked {
            self.constraints.rows.zero_dofs(|dof| self.locked[dof]);
        }
        self.whitened.compute(model, &self.factor, &self.constraints.rows);
        self.rank.factor_rows(&self.whitened.rows, model.n_v());
        self.mu.resize(n, 0.0);
        self.rank.solve_basic(r, &mut self.mu);
        x.clear();
        x.resize(model.n_v(), 0.0);
        for (i, mu) in self.mu.iter().enumerate() {
            self.constraints.rows.add_to(i, *mu, x);
        }
        self.factor.solve(model, x);
        self.a.iter_mut().zip(x.iter()).for_each(|(a, x)| *a += x);
        if self.any_locked {
            // products of the locked dofs are wanted as well
            self.constraints.positions(model, state, &self.ws);
        }
    }

    pub(super) fn hold_jvp(
        &mut self,
        model: &Model,
        (dq, dv): (&[f64], &[f64]),
        da: &mut [f64],
        sc: &mut AccelerationScratch,
    ) {
        self.changes(model, dv, sc);
        let d = &self.dynamics;
        let (now, change) = (Moving { v: &d.velocity, a: &d.acceleration }, Moving { v: &sc.dv, a: &sc.da });
        self.loops.acceleration_jvp(&d.fields, now, change, &sc.moved, &mut sc.rows);
        self.loops.bend_acceleration_jvp((&self.v, &self.a), (dq, dv), &mut sc.rows);
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

    /// δv and δa of the links for the displacement in `sc.moved` and `dv`, q̈ held.
    fn changes(&self, model: &Model, dv: &[f64], sc: &mut AccelerationScratch) {
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
    fn changes_transposed(&self, model: &Model, on_v: &mut [f64], sc: &mut AccelerationScratch) {
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

    pub(super) fn hold_vjp(
        &mut self,
        model: &Model,
        (on_q, on_v): (&mut [f64], &mut [f64]),
        sc: &mut AccelerationScratch,
    ) {
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
        self.loops.bend_acceleration_vjp((&self.v, &self.a), &sc.mu, on_q, on_v);
        self.changes_transposed(model, on_v, sc);
    }
}
