//! Articulated-body inertia in 3 × 3 blocks [RBDA §7.1-7.2].
//!
//! ```text
//!     f = I^A a :   n = A α + B a,   f = Bᵀ α + M a         A, M symmetric
//!     about a point r back (the body sits at +r):
//!         M′ = M,   B′ = B + [r] M,   A′ = A + [r]Bᵀ + ([r]Bᵀ)ᵀ - [r] M [r]
//! ```
//! A shift costs 90 multiplications where the 6 × 6 congruence Xᵀ I X costs 432; symmetry is kept exactly.

use nalgebra::{Matrix3, Matrix6, Vector3};
use std::ops::{AddAssign, Mul};

use crate::{Force, Motion, Symmetric3};

/// The inertia a body shows at one link, with movable joints behind it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ArticulatedInertia {
    /// A: angular acceleration to moment, kg m².
    pub angular: Symmetric3,
    /// B: linear acceleration to moment, kg m.
    pub coupling: Matrix3<f64>,
    /// M: linear acceleration to force, kg.
    pub linear: Symmetric3,
}

impl ArticulatedInertia {
    /// Nothing there.
    #[inline]
    pub fn zero() -> Self {
        Self::default()
    }

    /// The same body about a reference point from which the present one is seen at `r`.
    #[inline]
    pub fn shifted(&self, r: &Vector3<f64>) -> Self {
        let b = &self.coupling;
        let m = self.linear;

        // [r] M, column by column; and p = [r] Bᵀ, whose columns are r × (row of B)
        let (m0, m1, m2) =
            (Vector3::new(m.xx, m.xy, m.xz), Vector3::new(m.xy, m.yy, m.yz), Vector3::new(m.xz, m.yz, m.zz));
        let (k0, k1, k2) = (r.cross(&m0), r.cross(&m1), r.cross(&m2));
        let row = |i: usize| Vector3::new(b[(i, 0)], b[(i, 1)], b[(i, 2)]);
        let (p0, p1, p2) = (r.cross(&row(0)), r.cross(&row(1)), r.cross(&row(2)));

        // -[r] M [r]: entry (i, j) is (r × row i of [r] M) at j
        let h0 = r.cross(&Vector3::new(k0.x, k1.x, k2.x));
        let h1 = r.cross(&Vector3::new(k0.y, k1.y, k2.y));
        let h2z = r.x * k1.z - r.y * k0.z;
        let a = self.angular;
        Self {
            angular: Symmetric3::new(
                a.xx + 2.0 * p0.x + h0.x,
                a.xy + p1.x + p0.y + h0.y,
                a.xz + p2.x + p0.z + h0.z,
                a.yy + 2.0 * p1.y + h1.y,
                a.yz + p2.y + p1.z + h1.z,
                a.zz + 2.0 * p2.z + h2z,
            ),
            coupling: Matrix3::new(
                b[(0, 0)] + k0.x,
                b[(0, 1)] + k1.x,
                b[(0, 2)] + k2.x,
                b[(1, 0)] + k0.y,
                b[(1, 1)] + k1.y,
                b[(1, 2)] + k2.y,
                b[(2, 0)] + k0.z,
                b[(2, 1)] + k1.z,
                b[(2, 2)] + k2.z,
            ),
            linear: m,
        }
    }

    /// Takes away `scale u uᵀ`: what a free joint with force `u` per unit acceleration cannot carry.
    #[inline]
    pub fn subtract_outer(&mut self, u: &Force, scale: f64) {
        self.angular.subtract_outer(&u.angular, scale);
        self.linear.subtract_outer(&u.linear, scale);
        let s = u.angular * scale;
        for j in 0..3 {
            let l = u.linear[j];
            for i in 0..3 {
                self.coupling[(i, j)] -= s[i] * l;
            }
        }
    }

    /// All thirty-six numbers.
    pub fn to_matrix(&self) -> Matrix6<f64> {
        let mut m = Matrix6::zeros();
        m.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.angular.to_matrix());
        m.fixed_view_mut::<3, 3>(0, 3).copy_from(&self.coupling);
        m.fixed_view_mut::<3, 3>(3, 0).copy_from(&self.coupling.transpose());
        m.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.linear.to_matrix());
        m
    }
}

impl Mul<Motion> for ArticulatedInertia {
    type Output = Force;
    #[inline]
    fn mul(self, a: Motion) -> Force {
        Force::new(
            self.angular * &a.angular + self.coupling * a.linear,
            self.coupling.tr_mul(&a.angular) + self.linear * &a.linear,
        )
    }
}

impl AddAssign for ArticulatedInertia {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.angular += other.angular;
        self.coupling += other.coupling;
        self.linear += other.linear;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_answers_as_the_shifted_vectors_do() {
        let mut ia = crate::Inertia::cuboid(2.0, [0.1, 0.2, 0.3])
            .translated(Vector3::new(0.4, -0.5, 0.6))
            .to_articulated();
        ia.subtract_outer(&Force::new(Vector3::new(0.1, 0.2, -0.1), Vector3::new(0.3, -0.2, 0.4)), 0.7);
        let r = Vector3::new(0.7, -0.2, 1.1);
        let a = Motion::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, 0.2, -0.9));

        // seen from a point r back: carry the motion to the body, answer, carry the force back
        let expected = (ia * a.at(&r)).at(&-r);
        assert!((ia.shifted(&r) * a - expected).amax() < 1e-14);
    }
}
