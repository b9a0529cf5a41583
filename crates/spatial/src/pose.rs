//! Poses (rotation matrix and translation) and unit quaternions in the order w x y z.
//!
//! ```text
//!     X_ac = X_ab X_bc,   p_a = R_ab p_b + t_ab
//!     q̇ = ½ q ∘ (0, ω_body)                                       [RBDA (4.13)]
//! ```

use crate::tolerances::{NO_TURN, SHORT_TURN};
use nalgebra::{Matrix3, Vector3};

/// Where frame b stands in frame a: `p_a = rotation * p_b + translation`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Axes of b as columns, in a.
    pub rotation: Matrix3<f64>,
    /// Origin of b, in a, metres.
    pub translation: Vector3<f64>,
}

impl Pose {
    /// From its parts; `rotation` must be a rotation.
    #[inline]
    pub const fn new(rotation: Matrix3<f64>, translation: Vector3<f64>) -> Self {
        Self { rotation, translation }
    }

    /// Both frames coincide.
    #[inline]
    pub fn identity() -> Self {
        Self::new(Matrix3::identity(), Vector3::zeros())
    }

    /// A pure translation.
    #[inline]
    pub fn from_translation(x: f64, y: f64, z: f64) -> Self {
        Self::new(Matrix3::identity(), Vector3::new(x, y, z))
    }

    /// `X_ac = X_ab X_bc`.
    #[inline]
    pub fn compose(&self, x_bc: &Self) -> Self {
        Self::new(self.rotation * x_bc.rotation, self.rotation * x_bc.translation + self.translation)
    }

    /// `X_ba`.
    #[inline]
    pub fn inverse(&self) -> Self {
        let r_ba = self.rotation.transpose();
        Self::new(r_ba, -(r_ba * self.translation))
    }

    /// The point `p_b` seen in a.
    #[inline]
    pub fn point(&self, p_b: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * p_b + self.translation
    }

    /// The direction `d_b` seen in a.
    #[inline]
    pub fn direction(&self, d_b: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * d_b
    }

    /// Largest entry of RᵀR - 1: how far the rotation is from being one.
    pub fn orthogonality_error(&self) -> f64 {
        (self.rotation.transpose() * self.rotation - Matrix3::identity()).amax()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

/// Rotation by `angle` about the unit vector `axis` (Rodrigues).
#[inline]
pub(crate) fn axis_angle(axis: &Vector3<f64>, angle: f64) -> Matrix3<f64> {
    let (s, c) = angle.sin_cos();
    let t = axis * (1.0 - c);
    Matrix3::new(
        t.x * axis.x + c,
        t.x * axis.y - s * axis.z,
        t.x * axis.z + s * axis.y,
        t.y * axis.x + s * axis.z,
        t.y * axis.y + c,
        t.y * axis.z - s * axis.x,
        t.z * axis.x - s * axis.y,
        t.z * axis.y + s * axis.x,
        t.z * axis.z + c,
    )
}

impl Pose {
    /// Rotation by `angle` radians about the unit vector `axis`.
    #[inline]
    pub fn rotation_about(axis: &Vector3<f64>, angle: f64) -> Matrix3<f64> {
        axis_angle(axis, angle)
    }
}

/// A quaternion w + xi + yj + zk; unit ones are rotations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quaternion {
    /// Real part.
    pub w: f64,
    /// First imaginary part.
    pub x: f64,
    /// Second imaginary part.
    pub y: f64,
    /// Third imaginary part.
    pub z: f64,
}

impl Quaternion {
    /// From w, x, y, z.
    #[inline]
    pub const fn new(w: f64, x: f64, y: f64, z: f64) -> Self {
        Self { w, x, y, z }
    }

    /// No rotation.
    pub const IDENTITY: Self = Self::new(1.0, 0.0, 0.0, 0.0);

    /// Reads the first four numbers of `s` as w x y z.
    #[inline]
    pub fn read(s: &[f64]) -> Self {
        Self::new(s[0], s[1], s[2], s[3])
    }

    /// Writes w x y z into the first four places of `s`.
    #[inline]
    pub fn write(self, s: &mut [f64]) {
        s[..4].copy_from_slice(&[self.w, self.x, self.y, self.z]);
    }

    /// The rotation vector's exponential: rotation by |u| about u.
    #[inline]
    pub fn exp(u: &Vector3<f64>) -> Self {
        let angle2 = u.norm_squared();
        // sin(a/2)/a and cos(a/2); below 1e-8 rad² the series is exact to rounding
        let (w, k) = if angle2 < SHORT_TURN {
            (1.0 - angle2 / 8.0, 0.5 - angle2 / 48.0)
        } else {
            let angle = angle2.sqrt();
            let (s, c) = (0.5 * angle).sin_cos();
            (c, s / angle)
        };
        Self::new(w, k * u.x, k * u.y, k * u.z)
    }

    /// The rotation vector of a unit quaternion, of length at most π.
    pub fn log(self) -> Vector3<f64> {
        let sign = if self.w < 0.0 { -1.0 } else { 1.0 };
        let (w, v) = (sign * self.w, Vector3::new(self.x, self.y, self.z) * sign);
        let s = v.norm();
        let k = if s < NO_TURN { 2.0 / w } else { 2.0 * s.atan2(w) / s };
        v * k
    }

    /// Hamilton's product: first `other`, then `self`.
    #[inline]
    pub fn times(self, o: Self) -> Self {
        Self::new(
            self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
            self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w,
        )
    }

    /// The inverse of a unit quaternion.
    #[inline]
    pub fn conjugate(self) -> Self {
        Self::new(self.w, -self.x, -self.y, -self.z)
    }

    /// Length.
    #[inline]
    pub fn norm(self) -> f64 {
        (self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z).sqrt()
    }

    /// Scaled to unit length.
    #[inline]
    pub fn normalized(self) -> Self {
        let k = 1.0 / self.norm();
        Self::new(self.w * k, self.x * k, self.y * k, self.z * k)
    }

    /// The rotation matrix of a unit quaternion.
    #[inline]
    pub fn to_matrix(self) -> Matrix3<f64> {
        let Self { w, x, y, z } = self;
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, xz, yz) = (x * y, x * z, y * z);
        let (wx, wy, wz) = (w * x, w * y, w * z);
        Matrix3::new(
            1.0 - 2.0 * (yy + zz),
            2.0 * (xy - wz),
            2.0 * (xz + wy),
            2.0 * (xy + wz),
            1.0 - 2.0 * (xx + zz),
            2.0 * (yz - wx),
            2.0 * (xz - wy),
            2.0 * (yz + wx),
            1.0 - 2.0 * (xx + yy),
        )
    }

    /// The quaternion of a rotation matrix (Shepperd: divide by the largest part).
    pub fn from_matrix(m: &Matrix3<f64>) -> Self {
        let t = m.trace();
        let d = [t, m[(0, 0)], m[(1, 1)], m[(2, 2)]];
        let largest = (0..4).fold(0, |best, k| if d[k] > d[best] { k } else { best });
        let s = 2.0 * (1.0 + 2.0 * d[largest] - t).max(0.0).sqrt();
        let (a, b, c) = (m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]);
        let (xy, xz, yz) = (m[(0, 1)] + m[(1, 0)], m[(0, 2)] + m[(2, 0)], m[(1, 2)] + m[(2, 1)]);
        let q = match largest {
            0 => {
                let s = 2.0 * (1.0 + t).sqrt();
                Self::new(0.25 * s, a / s, b / s, c / s)
            }
            1 => Self::new(a / s, 0.25 * s, xy / s, xz / s),
            2 => Self::new(b / s, xy / s, 0.25 * s, yz / s),
            _ => Self::new(c / s, xz / s, yz / s, 0.25 * s),
        };
        q.normalized()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_survives_the_round_trip_through_every_branch() {
        for u in [
            Vector3::new(0.1, 0.2, -0.3),
            Vector3::new(3.0, 0.1, 0.2),
            Vector3::new(0.1, 3.0, 0.2),
            Vector3::new(-0.1, 0.2, 3.0),
            Vector3::new(1e-6, 0.0, 2e-6),
        ] {
            let q = Quaternion::exp(&u);
            // unit numbers, a dozen operations
            assert!((q.log() - u).amax() < 1e-14, "{u:?}");
            let back = Quaternion::from_matrix(&q.to_matrix());
            assert!((back.log() - u).amax() < 1e-13, "{u:?}");
            let angle = u.norm();
            assert!((axis_angle(&(u / angle), angle) - q.to_matrix()).amax() < 1e-14);
        }
    }

    #[test]
    fn a_pose_and_its_inverse_cancel() {
        let x = Pose::new(
            Quaternion::exp(&Vector3::new(0.4, -1.0, 0.3)).to_matrix(),
            Vector3::new(1.0, 2.0, 3.0),
        );
        let e = x.compose(&x.inverse());
        assert!((e.rotation - Matrix3::identity()).amax() < 1e-15 && e.translation.amax() < 1e-15);
    }
}
