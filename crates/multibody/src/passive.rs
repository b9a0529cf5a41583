//! Joint damping and springs, explicit and implicit; limits, motors and joint friction as what a solver needs.
//!
//! Backward Euler on the passive forces, everything else as it is:
//! ```text
//!     M Δv = dt (τ - C) - dt D (v + Δv) - dt K (q + dt (v + Δv) - rest)
//!     (M + dt D + dt² K) Δv = dt (τ - C - D v - K (q + dt v - rest))
//! ```
//! D and K are diagonal, so they join the armature on the diagonal of M and every O(n) algorithm stays O(n). Any
//! stiffness and damping is stable at any step length.

use crate::model::{Model, State};

/// Adds damping and spring forces at `state` to `tau`.
pub fn add_passive_forces(model: &Model, state: &State, tau: &mut [f64]) {
    for (k, dof) in model.dofs.iter().enumerate() {
        tau[k] -= dof.damping * state.v[k];
        if dof.stiffness != 0.0 {
            tau[k] -= dof.stiffness * (coordinate(model, state, k) - dof.rest);
        }
    }
}

/// Adds the explicit part of implicit damping and springs to `tau` and writes the whole diagonal (armature + dt D +
/// dt² K): give both to [`crate::forward_dynamics`] in a [`crate::Load`].
pub fn implicit_passive(model: &Model, state: &State, dt: f64, tau: &mut [f64], diagonal: &mut [f64]) {
    for (k, dof) in model.dofs.iter().enumerate() {
        tau[k] -= dof.damping * state.v[k];
        diagonal[k] = dof.armature + dt * dof.damping;
        if dof.stiffness != 0.0 {
            tau[k] -= dof.stiffness * (coordinate(model, state, k) + dt * state.v[k] - dof.rest);
            diagonal[k] += dt * dt * dof.stiffness;
        }
    }
}

fn coordinate(model: &Model, state: &State, dof: usize) -> f64 {
    state.q[model.dof_coordinate(dof).expect("the builder allows springs on plain coordinates only")]
}

/// A joint near its limit: sign · v ≥ 0 must hold when gap = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitRow {
    /// The dof; its row is `sign` there and zero elsewhere.
    pub dof: usize,
    /// +1 at the lower limit, -1 at the upper.
    pub sign: f64,
    /// Distance to the limit, rad or m; negative beyond it.
    pub gap: f64,
}

/// The limits nearer than `margin` (rad or m), in order of dofs.
pub fn limit_rows(model: &Model, state: &State, margin: f64, out: &mut Vec<LimitRow>) {
    out.clear();
    for (dof, d) in model.dofs.iter().enumerate() {
        if d.lower == f64::NEG_INFINITY && d.upper == f64::INFINITY {
            continue;
        }
        let q = coordinate(model, state, dof);
        for (sign, gap) in [(1.0, q - d.lower), (-1.0, d.upper - q)] {
            if gap < margin {
                out.push(LimitRow { dof, sign, gap });
            }
        }
    }
}

/// Dofs with Coulomb friction and the impulse it can give in `dt`: box rows |λ| ≤ friction · dt.
pub fn friction_rows(model: &Model, dt: f64) -> impl Iterator<Item = (usize, f64)> + '_ {
    model.dofs.iter().enumerate().filter(|(_, d)| d.friction > 0.0).map(move |(k, d)| (k, d.friction * dt))
}

/// A motor that drives a dof to a target velocity with bounded force: a box row of the contact problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotorRow {
    /// The dof.
    pub dof: usize,
    /// Wanted velocity, rad/s or m/s.
    pub target: f64,
    /// Greatest impulse in a step, N m s or N s.
    pub impulse: f64,
}

/// A motor on `dof` bounded by the dof's effort.
pub fn motor_row(model: &Model, dof: usize, target: f64, dt: f64) -> MotorRow {
    MotorRow { dof, target, impulse: model.dofs[dof].effort * dt }
}
