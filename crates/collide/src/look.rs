//! Cones of directions: where a part of a surface looks, and whether two parts look at each other.

use nalgebra::Matrix3;

use crate::rigid::Vec3;
use crate::tolerances::CANCELLED;

/// Directions within an angle of an axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cone {
    axis: Vec3,
    /// Radians; pi or more holds every direction.
    half: f64,
}

impl Cone {
    pub(crate) const ALL: Self = Self { axis: Vec3::new(0.0, 0.0, 1.0), half: std::f64::consts::PI };

    /// Just one unit direction.
    pub(crate) fn of(axis: Vec3) -> Self {
        Self { axis, half: 0.0 }
    }

    /// A cone around both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        let Some(axis) = (self.axis + other.axis).try_normalize(CANCELLED) else { return Self::ALL };
        let reach = |c: &Self| c.half + axis.angle(&c.axis);
        Self { axis, half: reach(self).max(reach(other)) }
    }
}

/// A cone made ready for the question whether it faces another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    axis: Vec3,
    half: f64,
    cos: f64,
    sin: f64,
}

impl Look {
    /// The cone, wider by some radians.
    pub(crate) fn new(cone: &Cone, wider: f64) -> Self {
        let half = cone.half + wider;
        Self { axis: cone.axis, half, cos: half.cos(), sin: half.sin() }
    }

    /// Whether some direction of this one and some of the other, turned by r, are opposed.
    pub(crate) fn faces(&self, other: &Self, r: &Matrix3<f64>) -> bool {
        // the cosine of the sum of the two angles
        self.half + other.half >= std::f64::consts::PI
            || -self.axis.dot(&(r * other.axis)) >= self.cos * other.cos - self.sin * other.sin
    }
}
