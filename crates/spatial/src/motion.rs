//! Motions and forces: dual 6-vectors, angular part first [RBDA §2.2-2.9].
//!
//! ```text
//!     v.at(r):  ω′ = ω,           v′ = v + ω × r        same motion seen from a point r away
//!     f.at(r):  n′ = n + f × r,   f′ = f
//!     power  :  f · v = nᵀω + fᵀv                        the only product of the two
//!     m × m₂ = (ω × ω₂, ω × v₂ + v × ω₂)                 rate of a motion carried along by m      [RBDA (2.31)]
//!     m ×* f = (ω × n + v × f, ω × f)                    rate of a force carried along by m       [RBDA (2.32)]
//! ```
//! Departure: the book folds rotation and shift into one 6 × 6 transform X; here they are two operations.

use nalgebra::{Matrix3, Vector3, Vector6};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A spatial velocity, acceleration or joint axis. Its only product with a [`Force`] is power.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Angular part, rad/s (or rad/s², or a direction).
    pub angular: Vector3<f64>,
    /// Linear part at the reference point, m/s.
    pub linear: Vector3<f64>,
}

/// A spatial force (moment and force) or momentum.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Force {
    /// Moment about the reference point, N m.
    pub angular: Vector3<f64>,
    /// Force, N.
    pub linear: Vector3<f64>,
}

macro_rules! six_vector {
    ($name:ident) => {
        impl $name {
            /// From its two halves.
            #[inline]
            pub const fn new(angular: Vector3<f64>, linear: Vector3<f64>) -> Self {
                Self { angular, linear }
            }

            /// The zero vector.
            #[inline]
            pub fn zero() -> Self {
                Self::default()
            }

            /// As six numbers, angular first.
            #[inline]
            pub fn to_vector(self) -> Vector6<f64> {
                let (a, l) = (self.angular, self.linear);
                Vector6::new(a.x, a.y, a.z, l.x, l.y, l.z)
            }

            /// From six numbers, angular first.
            #[inline]
            pub fn from_vector(x: &Vector6<f64>) -> Self {
                Self::new(Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]))
            }

            /// The same vector in the axes that `rotation` maps into.
            #[inline]
            pub fn rotated(self, rotation: &Matrix3<f64>) -> Self {
                Self::new(rotation * self.angular, rotation * self.linear)
            }

            /// Largest of the six magnitudes.
            pub fn amax(self) -> f64 {
                self.angular.amax().max(self.linear.amax())
            }
        }

        impl Add for $name {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self::new(self.angular + other.angular, self.linear + other.linear)
            }
        }
        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self::new(self.angular - other.angular, self.linear - other.linear)
            }
        }
        impl Neg for $name {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self::new(-self.angular, -self.linear)
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            #[inline]
            fn mul(self, scale: f64) -> Self {
                Self::new(self.angular * scale, self.linear * scale)
            }
        }
        impl AddAssign for $name {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                self.angular += other.angular;
                self.linear += other.linear;
            }
        }
        impl SubAssign for $name {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                self.angular -= other.angular;
                self.linear -= other.linear;
            }
        }
    };
}

six_vector!(Motion);
six_vector!(Force);

impl Motion {
    /// The same motion seen from a reference point `r` away from the present one.
    #[inline]
    pub fn at(self, r: &Vector3<f64>) -> Self {
        Self::new(self.angular, self.linear + self.angular.cross(r))
    }

    /// `self × other`: rate of change of `other` when `self` carries it along.
    #[inline]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.angular.cross(&other.angular),
            self.angular.cross(&other.linear) + self.linear.cross(&other.angular),
        )
    }

    /// `self ×* force`: rate of change of `force` when `self` carries it along.
    #[inline]
    pub fn cross_force(self, force: Force) -> Force {
        Force::new(
            self.angular.cross(&force.angular) + self.linear.cross(&force.linear),
            self.angular.cross(&force.linear),
        )
    }

    /// Power of `force` on this motion, both about one point.
    #[inline]
    pub fn dot(self, force: Force) -> f64 {
        self.angular.dot(&force.angular) + self.linear.dot(&force.linear)
    }
}

impl Force {
    /// The same force about a reference point `r` away from the present one.
    #[inline]
    pub fn at(self, r: &Vector3<f64>) -> Self {
        Self::new(self.angular + self.linear.cross(r), self.linear)
    }

    /// Power of this force on `motion`, both about one point.
    #[inline]
    pub fn dot(self, motion: Motion) -> f64 {
        motion.dot(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Motion, Motion, Force, Vector3<f64>) {
        (
            Motion::new(Vector3::new(0.3, -1.2, 0.7), Vector3::new(2.0, 0.4, -0.9)),
            Motion::new(Vector3::new(-0.5, 0.1, 1.1), Vector3::new(0.2, -0.8, 1.3)),
            Force::new(Vector3::new(1.4, 0.6, -0.2), Vector3::new(-0.7, 0.9, 0.5)),
            Vector3::new(0.8, -0.3, 0.6),
        )
    }

    #[test]
    fn power_does_not_depend_on_the_reference_point() {
        let (v, _, f, r) = sample();
        // a handful of products of size 1: 1e-14 W is rounding
        assert!((v.dot(f) - v.at(&r).dot(f.at(&r))).abs() < 1e-14);
    }

    #[test]
    fn the_two_cross_products_are_dual() {
        // (v × m) · f = -m · (v ×* f), the product rule for the constant m · f
        let (v, m, f, _) = sample();
        assert!((v.cross(m).dot(f) + m.dot(v.cross_force(f))).abs() < 1e-14);
    }

    #[test]
    fn the_cross_product_commutes_with_a_shift() {
        let (v, m, f, r) = sample();
        assert!((v.cross(m).at(&r) - v.at(&r).cross(m.at(&r))).amax() < 1e-14);
        assert!((v.cross_force(f).at(&r) - v.at(&r).cross_force(f.at(&r))).amax() < 1e-14);
    }
}
