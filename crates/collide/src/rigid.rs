//! A rigid motion as a rotation matrix and a translation.
//!
//! Poses enter the crate as `nalgebra::Isometry3`; kernels rotate thousands of vectors, and a matrix
//! does that in 9 products where a quaternion takes 18. The rotation is orthonormal to rounding
//! because it always comes from a unit quaternion or a product of two such matrices.

use nalgebra::{Isometry3, Matrix3, Vector3};

/// A point or direction, three numbers in metres or without unit.
pub(crate) type Vec3 = Vector3<f64>;

/// `x_ab`: coordinates in frame b to coordinates in frame a.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rigid {
    pub r: Matrix3<f64>,
    pub t: Vec3,
}

impl Rigid {
    pub(crate) fn new(pose: &Isometry3<f64>) -> Self {
        Self { r: pose.rotation.to_rotation_matrix().into_inner(), t: pose.translation.vector }
    }

    /// A frame of which only the origin matters.
    pub(crate) fn at(t: Vec3) -> Self {
        Self { r: Matrix3::identity(), t }
    }

    #[inline]
    pub(crate) fn point(&self, p: &Vec3) -> Vec3 {
        self.r * p + self.t
    }

    #[inline]
    pub(crate) fn dir(&self, d: &Vec3) -> Vec3 {
        self.r * d
    }

    #[inline]
    pub(crate) fn inv_point(&self, p: &Vec3) -> Vec3 {
        self.r.tr_mul(&(p - self.t))
    }

    #[inline]
    pub(crate) fn inv_dir(&self, d: &Vec3) -> Vec3 {
        self.r.tr_mul(d)
    }

    /// `self` after `other`: x_ac = x_ab x_bc.
    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self { r: self.r * other.r, t: self.r * other.t + self.t }
    }

    pub(crate) fn inverse(&self) -> Self {
        let r = self.r.transpose();
        Self { r, t: -(r * self.t) }
    }

    /// x_ab from x_wa (`self`) and x_wb: the difference of translations is formed first, so that two
    /// bodies far from the origin lose nothing but the rounding of that difference.
    pub(crate) fn relative(&self, b: &Self) -> Self {
        Self { r: self.r.tr_mul(&b.r), t: self.r.tr_mul(&(b.t - self.t)) }
    }
}

/// Length of (x, y). Lengths here are far from overflow and underflow, which is what `hypot` spends its time on.
#[inline]
pub(crate) fn norm2(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Two unit vectors that complete the unit vector `n` to a right-handed basis, (t1, t2, n) in turn.
/// Continuous in `n` except where |n_z| passes |n_x| or |n_y|: the smallest component is chosen.
pub(crate) fn tangents(n: &Vec3) -> (Vec3, Vec3) {
    let e = if n.x.abs() <= n.y.abs() && n.x.abs() <= n.z.abs() {
        Vec3::x()
    } else if n.y.abs() <= n.z.abs() {
        Vec3::y()
    } else {
        Vec3::z()
    };
    let t1 = (e - n * n.dot(&e)).normalize();
    (t1, n.cross(&t1))
}

/// The lesser of two numbers, neither of which is NaN: one instruction, where `f64::min` is five.
#[inline]
pub(crate) fn lesser(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

/// The greater of two numbers, neither of which is NaN.
#[inline]
pub(crate) fn greater(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}
