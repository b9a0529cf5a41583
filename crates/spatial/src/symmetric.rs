//! Symmetric 3 × 3 blocks, six numbers each: the diagonal blocks of every inertia.
//!
//! Articulated-body inertias stay symmetric by construction because the other three numbers are never stored.

use nalgebra::{Matrix3, Vector3};
use std::ops::{Add, AddAssign, Mul, Sub};

/// A symmetric 3 × 3 matrix.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Symmetric3 {
    /// Entry (0, 0).
    pub xx: f64,
    /// Entry (0, 1).
    pub xy: f64,
    /// Entry (0, 2).
    pub xz: f64,
    /// Entry (1, 1).
    pub yy: f64,
    /// Entry (1, 2).
    pub yz: f64,
    /// Entry (2, 2).
    pub zz: f64,
}

impl Symmetric3 {
    /// From its upper triangle, row by row.
    #[inline]
    pub const fn new(xx: f64, xy: f64, xz: f64, yy: f64, yz: f64, zz: f64) -> Self {
        Self { xx, xy, xz, yy, yz, zz }
    }

    /// `d` on the diagonal.
    #[inline]
    pub const fn diagonal(x: f64, y: f64, z: f64) -> Self {
        Self::new(x, 0.0, 0.0, y, 0.0, z)
    }

    /// `scale` times the identity.
    #[inline]
    pub const fn scalar(scale: f64) -> Self {
        Self::diagonal(scale, scale, scale)
    }

    /// The symmetric part of `m`.
    #[inline]
    pub fn from_matrix(m: &Matrix3<f64>) -> Self {
        Self::new(
            m[(0, 0)],
            0.5 * (m[(0, 1)] + m[(1, 0)]),
            0.5 * (m[(0, 2)] + m[(2, 0)]),
            m[(1, 1)],
            0.5 * (m[(1, 2)] + m[(2, 1)]),
            m[(2, 2)],
        )
    }

    /// All nine numbers.
    #[inline]
    pub fn to_matrix(self) -> Matrix3<f64> {
        let Self { xx, xy, xz, yy, yz, zz } = self;
        Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    /// `a aᵀ`.
    #[inline]
    pub fn outer(a: &Vector3<f64>) -> Self {
        Self::new(a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z)
    }

    /// `-[c]² = cᵀc 1 - c cᵀ`: the second moment of a unit mass at `c`.
    #[inline]
    pub fn steiner(c: &Vector3<f64>) -> Self {
        let (x2, y2, z2) = (c.x * c.x, c.y * c.y, c.z * c.z);
        Self::new(y2 + z2, -c.x * c.y, -c.x * c.z, x2 + z2, -c.y * c.z, x2 + y2)
    }

    /// `R self Rᵀ`: the same tensor in rotated axes.
    #[inline]
    pub fn rotated(self, r: &Matrix3<f64>) -> Self {
        let h = r * self.to_matrix();
        let entry =
            |i: usize, j: usize| h[(i, 0)] * r[(j, 0)] + h[(i, 1)] * r[(j, 1)] + h[(i, 2)] * r[(j, 2)];
        Self::new(entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2))
    }

    /// Takes away `scale a aᵀ`.
    #[inline]
    pub fn subtract_outer(&mut self, a: &Vector3<f64>, scale: f64) {
        let s = a * scale;
        self.xx -= s.x * a.x;
        self.xy -= s.x * a.y;
        self.xz -= s.x * a.z;
        self.yy -= s.y * a.y;
        self.yz -= s.y * a.z;
        self.zz -= s.z * a.z;
    }

    /// Sum of the diagonal.
    #[inline]
    pub fn trace(self) -> f64 {
        self.xx + self.yy + self.zz
    }
}

impl Mul<&Vector3<f64>> for Symmetric3 {
    type Output = Vector3<f64>;
    #[inline]
    fn mul(self, v: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}

impl Mul<f64> for Symmetric3 {
    type Output = Self;
    #[inline]
    fn mul(self, s: f64) -> Self {
        Self::new(self.xx * s, self.xy * s, self.xz * s, self.yy * s, self.yz * s, self.zz * s)
    }
}

impl Add for Symmetric3 {
    type Output = Self;
    #[inline]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sub for Symmetric3 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}

impl AddAssign for Symmetric3 {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        self.xx += o.xx;
        self.xy += o.xy;
        self.xz += o.xz;
        self.yy += o.yy;
        self.yz += o.yz;
        self.zz += o.zz;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_numbers_behave_as_the_nine() {
        let s = Symmetric3::new(2.0, 0.3, -0.4, 1.5, 0.2, 3.0);
        let c = Vector3::new(0.5, -1.0, 2.0);
        let r = crate::Quaternion::new(0.5, 0.5, -0.5, 0.5).to_matrix();
        // entries of size 5, three products deep
        assert!((s * &c - s.to_matrix() * c).amax() < 1e-14);
        assert!((s.rotated(&r).to_matrix() - r * s.to_matrix() * r.transpose()).amax() < 1e-14);
        let k = crate::skew(&c);
        assert!((Symmetric3::steiner(&c).to_matrix() + k * k).amax() < 1e-14);
    }
}
