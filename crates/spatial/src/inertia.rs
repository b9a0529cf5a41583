//! Rigid-body inertia: mass, centre of mass, rotational inertia about the centre [RBDA §2.13].
//!
//! ```text
//!     I v = ( I_o ω + m c × v,   m v - m c × ω ),     I_o = I_c + m (cᵀc 1 - c cᵀ)      [RBDA (2.63)]
//! ```
//! A body is physical when m ≥ 0, I_c is positive semidefinite and no principal moment exceeds the sum of the
//! other two (the moments are integrals of y² + z², z² + x², x² + y² over the mass).

use nalgebra::{Matrix3, Vector3};

use crate::tolerances::MOMENT_SLACK;
use crate::{ArticulatedInertia, Force, Motion, Pose, Symmetric3, skew};

/// The inertia of a rigid body, in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Inertia {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass, m.
    pub com: Vector3<f64>,
    /// Rotational inertia about the centre of mass, kg m².
    pub about_com: Symmetric3,
}

/// Why an inertia belongs to no body.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum InertiaError {
    /// Some number is NaN or infinite.
    NonFinite,
    /// The mass is negative.
    NegativeMass {
        /// kg
        mass: f64,
    },
    /// There is rotational inertia without mass.
    InertiaWithoutMass,
    /// A principal moment is negative.
    NegativeMoment {
        /// kg m²
        moment: f64,
    },
    /// The largest principal moment exceeds the sum of the other two.
    Triangle {
        /// Sorted, kg m².
        moments: [f64; 3],
    },
}

impl std::fmt::Display for InertiaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NonFinite => write!(f, "a mass property is not finite"),
            Self::NegativeMass { mass } => write!(f, "mass is {mass} kg"),
            Self::InertiaWithoutMass => write!(f, "rotational inertia without mass"),
            Self::NegativeMoment { moment } => write!(f, "principal moment {moment} kg m² is negative"),
            Self::Triangle { moments: [a, b, c] } => {
                write!(f, "principal moments {a}, {b}, {c} kg m² break the triangle inequality")
            }
        }
    }
}

impl std::error::Error for InertiaError {}

impl Inertia {
    /// From mass, centre and rotational inertia about the centre.
    #[inline]
    pub const fn new(mass: f64, com: Vector3<f64>, about_com: Symmetric3) -> Self {
        Self { mass, com, about_com }
    }

    /// No body at all.
    pub fn zero() -> Self {
        Self::default()
    }

    /// A homogeneous box with the given half extents, centred.
    pub fn cuboid(mass: f64, half: [f64; 3]) -> Self {
        let [x, y, z] = half.map(|h| h * h * mass / 3.0);
        Self::new(mass, Vector3::zeros(), Symmetric3::diagonal(y + z, x + z, x + y))
    }

    /// A homogeneous ball, centred.
    pub fn ball(mass: f64, radius: f64) -> Self {
        Self::new(mass, Vector3::zeros(), Symmetric3::scalar(0.4 * mass * radius * radius))
    }

    /// The same body with its centre moved by `t`.
    pub fn translated(self, t: Vector3<f64>) -> Self {
        Self { com: self.com + t, ..self }
    }

    /// The inertia given in frame b, seen in frame a.
    pub fn transformed(self, x_ab: &Pose) -> Self {
        Self::new(self.mass, x_ab.point(&self.com), self.about_com.rotated(&x_ab.rotation))
    }

    /// Rotational inertia about the origin.
    #[inline]
    pub fn about_origin(self) -> Symmetric3 {
        self.about_com + Symmetric3::steiner(&self.com) * self.mass
    }

    /// Momentum of this body at velocity `v`, about the origin.
    #[inline]
    pub fn momentum(&self, v: Motion) -> Force {
        let linear = (v.linear + v.angular.cross(&self.com)) * self.mass;
        Force::new(self.about_com * &v.angular + self.com.cross(&linear), linear)
    }

    /// In the block form that joints leave behind.
    #[inline]
    pub fn to_articulated(self) -> ArticulatedInertia {
        ArticulatedInertia {
            angular: self.about_origin(),
            coupling: skew(&(self.com * self.mass)),
            linear: Symmetric3::scalar(self.mass),
        }
    }

    /// Two bodies welded together.
    pub fn merged(self, other: Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return Self::new(0.0, self.com, self.about_com + other.about_com);
        }
        let com = (self.com * self.mass + other.com * other.mass) / mass;
        let part = |b: &Self| b.about_com + Symmetric3::steiner(&(b.com - com)) * b.mass;
        Self::new(mass, com, part(&self) + part(&other))
    }

    /// Checks that some body has this inertia.
    pub fn check(&self) -> Result<(), InertiaError> {
        let m: Matrix3<f64> = self.about_com.to_matrix();
        if !(self.mass.is_finite() && self.com.iter().chain(m.iter()).all(|x| x.is_finite())) {
            return Err(InertiaError::NonFinite);
        }
        if self.mass < 0.0 {
            return Err(InertiaError::NegativeMass { mass: self.mass });
        }
        if self.mass == 0.0 && m.amax() > 0.0 {
            return Err(InertiaError::InertiaWithoutMass);
        }
        let mut moments: [f64; 3] = m.symmetric_eigenvalues().into();
        moments.sort_by(f64::total_cmp);

        // files carry five or six digits, and flat plates sit exactly on the bound: 1e-3 of the largest moment
        let slack = MOMENT_SLACK * moments[2].abs();
        if moments[0] < -slack {
            return Err(InertiaError::NegativeMoment { moment: moments[0] });
        }
        if moments[2] > moments[0] + moments[1] + slack {
            return Err(InertiaError::Triangle { moments });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_agrees_with_the_block_form() {
        let body = Inertia::cuboid(2.0, [0.1, 0.2, 0.3]).translated(Vector3::new(0.4, -0.5, 0.6));
        let v = Motion::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(-0.3, 0.2, 0.1));
        // numbers of size 5
        assert!((body.momentum(v) - body.to_articulated() * v).amax() < 1e-14);
    }

    #[test]
    fn impossible_bodies_are_named() {
        let plate = Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(1.0, 1.0, 2.0));
        assert_eq!(plate.check(), Ok(()));
        let bad = Inertia::new(1.0, Vector3::zeros(), Symmetric3::diagonal(1.0, 1.0, 3.0));
        assert!(matches!(bad.check(), Err(InertiaError::Triangle { .. })));
        assert!(matches!(Inertia::ball(-1.0, 1.0).check(), Err(InertiaError::NegativeMass { .. })));
        assert_eq!(Inertia::ball(f64::NAN, 1.0).check(), Err(InertiaError::NonFinite));
        let ghost = Inertia::new(0.0, Vector3::zeros(), Symmetric3::scalar(1.0));
        assert_eq!(ghost.check(), Err(InertiaError::InertiaWithoutMass));
    }

    #[test]
    fn welding_two_halves_gives_the_whole() {
        let half = Inertia::cuboid(1.0, [0.5, 0.2, 0.3]);
        let x = Vector3::new(0.5, 0.0, 0.0);
        let whole = half.translated(x).merged(half.translated(-x));
        let expected = Inertia::cuboid(2.0, [1.0, 0.2, 0.3]);
        assert!((whole.about_com.to_matrix() - expected.about_com.to_matrix()).amax() < 1e-15);
    }
}
