//! Cams under a change: rows of couplings along a curve, whose slope changes with the cam's own coordinate d.
//!
//! ```text
//!     g = Σ c q − f(q_d),       J x = Σ c x − f′ x_d,       J q̈ + J̇ v = Σ c q̈ − f′ q̈_d − f″ v_d²
//!     δ(J x) = −f″ x_d δq_d                                       at fixed x
//!     δ(Jᵀ μ)_d = −f″ μ δq_d
//!     δ(J q̈ + J̇ v) = −(f″ q̈_d + f‴ v_d²) δq_d − 2 f″ v_d δv_d     at fixed q̈
//! ```
//! A cubic spline has an f‴ that jumps at its knots: there the derivative is that of the side that comes next.

use super::constraint::LoopDerivative;
use crate::model::Model;

/// A row that bends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bend {
    row: usize,
    dof: usize,
    second: f64, // f″
    third: f64,  // f‴
}

impl LoopDerivative {
    /// Reads the curves at positions `q`, for couplings whose rows begin at `first`.
    pub(super) fn read_bends(&mut self, model: &Model, q: &[f64], first: usize) {
        self.bends.clear();
        for (k, coupling) in model.couplings.iter().enumerate() {
            let Some((dof, curve)) = &coupling.curve else { continue };
            let Some(at) = model.dof_coordinate(*dof) else { continue };
            let (second, third) = (curve.at(q[at])[2], curve.third(q[at]));
            self.bends.push(Bend { row: first + k, dof: *dof, second, third });
        }
    }

    /// Adds δ(J x) to rows, x by dof.
    pub fn bend_velocity_jvp(&self, x: &[f64], dq: &[f64], rows: &mut [f64]) {
        for b in &self.bends {
            rows[b.row] -= b.second * x[b.dof] * dq[b.dof];
        }
    }

    /// The transpose: `w` by row, added to `on_q`.
    pub fn bend_velocity_vjp(&self, x: &[f64], w: &[f64], on_q: &mut [f64]) {
        for b in &self.bends {
            on_q[b.dof] -= b.second * x[b.dof] * w[b.row];
        }
    }

    /// Adds δ(Jᵀ μ) to joint forces.
    pub fn bend_force_jvp(&self, mu: &[f64], dq: &[f64], out: &mut [f64]) {
        for b in &self.bends {
            out[b.dof] -= b.second * mu[b.row] * dq[b.dof];
        }
    }

    /// The transpose: joint forces paired with `y`, added to `on_q`.
    pub fn bend_force_vjp(&self, mu: &[f64], y: &[f64], on_q: &mut [f64]) {
        self.bend_force_jvp(mu, y, on_q);
    }

    /// Adds δ(J q̈ + J̇ v) to rows at velocities and accelerations `now`, for changes of position and velocity.
    pub(super) fn bend_acceleration_jvp(
        &self,
        now: (&[f64], &[f64]),
        change: (&[f64], &[f64]),
        rows: &mut [f64],
    ) {
        for b in &self.bends {
            let (v, a) = (now.0[b.dof], now.1[b.dof]);
            let turned = (b.second * a + b.third * v * v) * change.0[b.dof];
            rows[b.row] -= turned + 2.0 * b.second * v * change.1[b.dof];
        }
    }

    /// The transpose: `w` by row, added to the shares of position and velocity.
    pub(super) fn bend_acceleration_vjp(
        &self,
        now: (&[f64], &[f64]),
        w: &[f64],
        on_q: &mut [f64],
        on_v: &mut [f64],
    ) {
        for b in &self.bends {
            let (v, a) = (now.0[b.dof], now.1[b.dof]);
            on_q[b.dof] -= (b.second * a + b.third * v * v) * w[b.row];
            on_v[b.dof] -= 2.0 * b.second * v * w[b.row];
        }
    }
}
