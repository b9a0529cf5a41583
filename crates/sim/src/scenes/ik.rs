//! Inverse kinematics by damped least squares, for reference motions.
//!
//! Goals are rows of e(q) = 0 with e = target − actual; a step solves
//! ```text
//!     δ = Jᵀ (J Jᵀ + λ² 1)⁻¹ e,     q ← q ⊕ δ
//! ```
//! over the degrees of freedom that are not locked. λ is far below the singular values of a bent leg, so that near the
//! answer this is Newton's method.

use gudgeon_multibody::{LinkId, Model, State, Workspace, center_of_mass, integrate, jacobian, kinematics};
use gudgeon_spatial::{Pose, Quaternion, Vector3};
use nalgebra::{DMatrix, DVector};

/// What the pose of a link, or the centre of mass, should be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    /// A link's frame, all six rows.
    Pose(LinkId, Pose),
    /// A link's orientation and height.
    Level(LinkId, Pose),
    /// The centre of mass above this point of the ground.
    Center([f64; 2]),
}

/// Damping against singular positions, in m and rad: a thousandth of what a leg's length gives.
const LAMBDA: f64 = 1e-5;

/// Residual at which a position is good, m or rad: rounding leaves 1e-15.
const TOLERANCE: f64 = 1e-12;

/// Moves `state.q` to the goals without touching the degrees of freedom in `locked`; returns the largest error left.
pub(super) fn reach(model: &Model, state: &mut State, goals: &[Goal], locked: &[bool]) -> f64 {
    let mut ws = Workspace::new(model);
    let mut worst = f64::INFINITY;
    for _ in 0..100 {
        kinematics(model, &state.q, &mut ws);
        let (mut j, e) = rows(model, &ws, goals);
        worst = e.amax();
        if worst < TOLERANCE {
            break;
        }
        for (k, _) in locked.iter().enumerate().filter(|(_, locked)| **locked) {
            j.column_mut(k).fill(0.0);
        }
        let mut a = &j * j.transpose();
        for i in 0..a.nrows() {
            a[(i, i)] += LAMBDA * LAMBDA;
        }
        let Some(factor) = a.cholesky() else { break };
        let step = j.transpose() * factor.solve(&e);
        integrate(model, &mut state.q, step.as_slice(), 1.0);
    }
    worst
}

/// J and e of all goals at the position of `ws`.
fn rows(model: &Model, ws: &Workspace, goals: &[Goal]) -> (DMatrix<f64>, DVector<f64>) {
    let n = goals.iter().map(Goal::n_rows).sum();
    let mut j = DMatrix::zeros(n, model.n_v());
    let mut e = DVector::zeros(n);
    let mut at = 0;
    for goal in goals {
        let taken: &[usize] = match goal {
            Goal::Pose(..) => &[0, 1, 2, 3, 4, 5],
            Goal::Level(..) => &[0, 1, 2, 5],
            Goal::Center(_) => &[3, 4],
        };
        let (full, error) = match goal {
            Goal::Pose(link, target) | Goal::Level(link, target) => {
                let actual = ws.pose(*link);
                let turn = Quaternion::from_matrix(&(target.rotation * actual.rotation.transpose())).log();
                let shift = target.translation - actual.translation;
                (jacobian(model, ws, *link, &actual.translation), [turn, shift])
            }
            Goal::Center([x, y]) => {
                let shift = Vector3::new(*x, *y, 0.0) - center_of_mass(model, ws);
                (center_jacobian(model, ws), [Vector3::zeros(), shift])
            }
        };
        for &row in taken {
            j.row_mut(at).copy_from(&full.row(row));
            e[at] = error[row / 3][row % 3];
            at += 1;
        }
    }
    (j, e)
}

impl Goal {
    fn n_rows(&self) -> usize {
        match self {
            Self::Pose(..) => 6,
            Self::Level(..) => 4,
            Self::Center(_) => 2,
        }
    }
}

/// 6 × n_v: the lower half is the velocity of the centre of mass, the mean of those of the links by mass.
fn center_jacobian(model: &Model, ws: &Workspace) -> DMatrix<f64> {
    let mut total = DMatrix::zeros(6, model.n_v());
    for (i, link) in model.links().iter().enumerate().skip(1) {
        let center = ws.pose(LinkId(i)).point(&link.inertia.com);
        total += jacobian(model, ws, LinkId(i), &center) * (link.inertia.mass / model.mass());
    }
    total
}
