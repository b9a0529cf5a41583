//! The assembly solver: from any start to a state in which every loop is closed.
//!
//! Damped Gauss-Newton (Levenberg-Marquardt) on g(q) with a growing and shrinking damping μ, in the identity metric,
//! ```text
//!     δ = -Jᵀ (J Jᵀ + μ 1)⁻¹ g,     q ⊕ δ accepted if |g| falls,  μ ← μ/4 else 8 μ
//! ```
//! then Newton to the tolerance. A start from which the loops cannot be closed ends in an error that says how far
//! they gape, never in a half-closed mechanism.

use gudgeon_spatial::Motion;
use nalgebra::{DMatrix, DVector};

use crate::constraint::ConstraintRows;
use crate::integrate::integrate;
use crate::kinematics::kinematics;
use crate::model::{Model, State};
use crate::tolerances::{CLOSED, FIRST_DAMPING, LEAST_DAMPING, LEAST_DIAGONAL};
use crate::workspace::Workspace;

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AssemblySettings {
    /// Largest position error of the result, m or rad.
    pub tolerance: f64,
    /// Steps allowed.
    pub max_iterations: usize,
}

impl Default for AssemblySettings {
    fn default() -> Self {
        // 1e-12: rounding at human scale is 1e-15; hopeless starts show well within 500 steps
        Self { tolerance: CLOSED, max_iterations: 500 }
    }
}

/// A successful assembly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assembled {
    /// Steps taken.
    pub iterations: usize,
    /// Largest position error, m or rad.
    pub error: f64,
}

/// Why no closed position was found.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AssemblyError {
    /// The search settled where the loops still gape.
    #[error("constraint row {row} still gapes by {error} after {iterations} steps; try another start")]
    Gaping {
        /// The worst row.
        row: usize,
        /// Its error, m or rad.
        error: f64,
        /// Steps taken.
        iterations: usize,
    },
    /// The loop closed with its axes opposed.
    #[error("loop {index} closed upside down; start nearer to the wanted position")]
    Opposed {
        /// The loop.
        index: usize,
    },
}

/// Moves `state.q` to a position where all loops and couplings hold; on failure `state` holds the nearest found.
pub fn assemble(
    model: &Model,
    state: &mut State,
    settings: &AssemblySettings,
    ws: &mut Workspace,
) -> Result<Assembled, AssemblyError> {
    let mut c = ConstraintRows::default();
    let mut mu = FIRST_DAMPING;
    let mut trial = state.clone();
    evaluate(model, state, ws, &mut c);
    let mut iterations = 0;
    while c.largest() > settings.tolerance && iterations < settings.max_iterations && mu < 1e12 {
        iterations += 1;
        let step = damped_step(model, &c, mu);
        trial.q.copy_from_slice(&state.q);
        integrate(model, &mut trial.q, step.as_slice(), 1.0);
        let before: f64 = c.g.iter().map(|g| g * g).sum();
        evaluate(model, &trial, ws, &mut c);
        let after: f64 = c.g.iter().map(|g| g * g).sum();
        if after < before {
            state.q.copy_from_slice(&trial.q);
            // floor far below the unit diagonal: near the solution this is Newton's method
            mu = (mu * 0.25).max(LEAST_DAMPING);
        } else {
            evaluate(model, state, ws, &mut c);
            mu *= 8.0;
        }
    }
    let error = c.largest();
    if error > settings.tolerance {
        let row = (0..c.g.len()).fold(0, |w, i| if c.g[i].abs() > c.g[w].abs() { i } else { w });
        return Err(AssemblyError::Gaping { row, error, iterations });
    }
    match model.loops.iter().position(|l| !l.is_upright(ws)) {
        Some(index) => Err(AssemblyError::Opposed { index }),
        None => Ok(Assembled { iterations, error }),
    }
}

fn evaluate(model: &Model, state: &State, ws: &mut Workspace, c: &mut ConstraintRows) {
    ws.v.fill(Motion::zero());
    kinematics(model, &state.q, ws);
    c.positions(model, state, ws);
}

fn damped_step(model: &Model, c: &ConstraintRows, mu: f64) -> DVector<f64> {
    let m = c.rows.len();
    let mut j = DMatrix::zeros(m, model.n_v());
    for i in 0..m {
        let (dofs, values) = c.rows.row(i);
        for (&k, &x) in dofs.iter().zip(values) {
            j[(i, k)] = x;
        }
    }
    let mut a = &j * j.transpose();
    let size = (0..m).fold(LEAST_DIAGONAL, |s: f64, i| s.max(a[(i, i)]));
    for i in 0..m {
        a[(i, i)] += mu * size;
    }
    let g = DVector::from_column_slice(&c.g);
    // damped matrices are positive definite up to rounding; LU also survives the last digit
    let lambda = match a.clone().cholesky() {
        Some(factor) => factor.solve(&g),
        None => a.lu().solve(&g).unwrap_or_else(|| DVector::zeros(m)),
    };
    -(j.transpose() * lambda)
}
