//! Small numbers of rotations and inertias.

/// Of the largest principal moment: by how much moments may break the triangle inequality. Files carry five or six digits, and flat plates
/// sit exactly on the bound. Larger and impossible bodies pass; smaller and plates from files are refused.
pub(crate) const MOMENT_SLACK: f64 = 1e-3;
/// Squared radians below which the series of the exponential is exact to rounding. Larger and it is not; nought and it is 0/0.
pub(crate) const SHORT_TURN: f64 = 1e-8;
/// Length of a quaternion's vector part below which the angle is twice it, to rounding.
pub(crate) const NO_TURN: f64 = 1e-10;
