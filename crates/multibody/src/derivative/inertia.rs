//! Joint forces against the inertia of a link.
//!
//! Inverse dynamics is linear in each body's momentum map I, so a pairing of it with any motion x is
//! ```text
//!     xᵀ (I a + v ×* I v) = xᵀ I a - (v × x)ᵀ I v
//!     xᵀ I a = x_ωᵀ I_c a_ω + m x_c·a_c,      x_c = x_v + x_ω × c,   a_c = a_v + a_ω × c
//! ```
//! and its gradient against mass, centre and rotational inertia is read off.

use gudgeon_spatial::{Matrix3, Motion, Vector3};

/// Against mass, centre of mass (link axes) and rotational inertia about it (link axes; xx xy xz yy yz zz, each number
/// once, so that an off-diagonal one stands for both of its places).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InertiaGradient {
    /// Per kg.
    pub mass: f64,
    /// Per m.
    pub com: Vector3<f64>,
    /// Per kg m².
    pub about_com: [f64; 6],
}

impl InertiaGradient {
    /// Adds `scale` times another.
    pub fn add(&mut self, scale: f64, other: &Self) {
        self.mass += scale * other.mass;
        self.com += other.com * scale;
        self.about_com.iter_mut().zip(other.about_com).for_each(|(x, y)| *x += scale * y);
    }

    /// The change for a change of the parameters.
    pub fn dot(&self, other: &Self) -> f64 {
        let moments: f64 = self.about_com.iter().zip(other.about_com).map(|(x, y)| x * y).sum();
        self.mass * other.mass + self.com.dot(&other.com) + moments
    }
}

/// Gradient of xᵀ I a; `x` and `a` in link axes about the link's origin.
pub fn inertia_bilinear(mass: f64, com: &Vector3<f64>, x: Motion, a: Motion) -> InertiaGradient {
    let (x_c, a_c) = (x.at(com).linear, a.at(com).linear);
    let (p, q) = (x.angular, a.angular);
    InertiaGradient {
        mass: x_c.dot(&a_c),
        com: (a_c.cross(&p) + x_c.cross(&q)) * mass,
        about_com: [
            p.x * q.x,
            p.x * q.y + p.y * q.x,
            p.x * q.z + p.z * q.x,
            p.y * q.y,
            p.y * q.z + p.z * q.y,
            p.z * q.z,
        ],
    }
}

/// Gradient of xᵀ (I a + v ×* I v); everything in world axes about the origin of a link with this rotation and inertia.
pub fn inertia_gradient(
    rotation: &Matrix3<f64>,
    inertia: &gudgeon_spatial::Inertia,
    x: Motion,
    v: Motion,
    a: Motion,
) -> InertiaGradient {
    let turn = rotation.transpose();
    let (x, v, a) = (x.rotated(&turn), v.rotated(&turn), a.rotated(&turn));
    let mut gradient = inertia_bilinear(inertia.mass, &inertia.com, x, a);
    gradient.add(-1.0, &inertia_bilinear(inertia.mass, &inertia.com, v.cross(x), v));
    gradient
}
