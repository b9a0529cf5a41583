#![forbid(unsafe_code)]
//! The 6-D vocabulary of rigid-body dynamics, angular part first.
//!
//! | type                  | what it is                                   | eats → gives    |
//! |-----------------------|----------------------------------------------|-----------------|
//! | [`Motion`]            | velocity, acceleration, joint axis           |                 |
//! | [`Force`]             | wrench, momentum                             | Motion → power  |
//! | [`Pose`]              | where a frame stands in another              | point → point   |
//! | [`Inertia`]           | a rigid body                                 | Motion → Force  |
//! | [`ArticulatedInertia`]| a body with joints behind it                 | Motion → Force  |
//! | [`InverseInertia`]    | how a link answers a force (Φ)               | Force → Motion  |
//! | [`Symmetric3`]        | a symmetric 3 × 3 block                      |                 |
//!
//! Two rules keep the algebra honest. A spatial vector is always written in *some* axes about *some* reference
//! point; variables say which (`v_w` in world axes, `p_wb` the origin of b in w). Changing the axes is a
//! rotation ([`Motion::rotated`]), changing the point is a shift ([`Motion::at`]): they are separate operations
//! because the dynamics, which keeps world axes everywhere, only ever pays for the second.

mod articulated;
mod inertia;
mod inverse;
mod motion;
mod pose;
mod symmetric;
mod tolerances;

pub use articulated::ArticulatedInertia;
pub use inertia::{Inertia, InertiaError};
pub use inverse::InverseInertia;
pub use motion::{Force, Motion};
pub use pose::{Pose, Quaternion};
pub use symmetric::Symmetric3;

pub use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// The matrix of the cross product: `skew(a) * b = a × b`.
#[inline]
pub fn skew(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}
