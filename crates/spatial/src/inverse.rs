//! Inverse inertia Φ: how a link answers a force, v̇ = Φ f [Yamane (9)].
//!
//! Φ_ij maps a force about the origin of link j to the acceleration about the origin of link i, both in world
//! axes. Moving either origin multiplies by a shift from the left or the right, three cross products per block.

use nalgebra::{Matrix6, Vector3};

use crate::{Force, Inertia, Motion};

/// A linear map from forces to motions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InverseInertia(pub Matrix6<f64>);

impl InverseInertia {
    /// A body that no force moves.
    pub fn zero() -> Self {
        Self::default()
    }

    /// The inverse of a rigid body's inertia; `None` if the body has no mass or no rotational inertia.
    ///
    /// Closed form, from the inverse of I_c alone: with c the centre of mass,
    /// `α = I_c⁻¹ (n - c × f)`, `a = f / m + c × …` moved back to the origin.
    pub fn of_body(body: &Inertia) -> Option<Self> {
        if body.mass <= 0.0 {
            return None;
        }
        let j = body.about_com.to_matrix().try_inverse()?;
        let c = crate::skew(&body.com);

        // a_o = a_c - α × (c) seen from the origin: linear = f/m + [c] α, since v_o = v_c - ω × c = v_c + [c] ω
        let mut phi = Matrix6::zeros();
        let jc = j * c;
        phi.fixed_view_mut::<3, 3>(0, 0).copy_from(&j);
        phi.fixed_view_mut::<3, 3>(0, 3).copy_from(&-jc);
        phi.fixed_view_mut::<3, 3>(3, 0).copy_from(&(c * j));
        let mut d = -(c * jc);
        for k in 0..3 {
            d[(k, k)] += 1.0 / body.mass;
        }
        phi.fixed_view_mut::<3, 3>(3, 3).copy_from(&d);
        Some(Self(phi))
    }

    /// The acceleration reported `r` away from the present point.
    pub fn motion_at(&self, r: &Vector3<f64>) -> Self {
        // v′ = v + ω × r = v - [r] ω, row block by row block
        let mut m = self.0;
        for k in 0..6 {
            let w = Vector3::new(m[(0, k)], m[(1, k)], m[(2, k)]);
            let d = w.cross(r);
            m[(3, k)] += d.x;
            m[(4, k)] += d.y;
            m[(5, k)] += d.z;
        }
        Self(m)
    }

    /// The force applied `r` away from the present point.
    pub fn force_at(&self, r: &Vector3<f64>) -> Self {
        // f about the far point, moved to the near one: n = n′ + r × f, so columns f gain Φ_n [r]
        let mut m = self.0;
        for k in 0..6 {
            let w = Vector3::new(m[(k, 0)], m[(k, 1)], m[(k, 2)]);
            let d = w.cross(r);
            m[(k, 3)] += d.x;
            m[(k, 4)] += d.y;
            m[(k, 5)] += d.z;
        }
        Self(m)
    }

    /// The acceleration that `force` causes.
    pub fn apply(&self, force: Force) -> Motion {
        Motion::from_vector(&(self.0 * force.to_vector()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symmetric3;

    #[test]
    fn the_closed_form_inverts_the_inertia_and_shifts_with_it() {
        let body = Inertia::new(
            2.0,
            Vector3::new(0.4, -0.5, 0.6),
            Symmetric3::new(0.5, 0.02, -0.03, 0.4, 0.01, 0.6),
        );
        let phi = InverseInertia::of_body(&body).unwrap();
        let e = phi.0 * body.to_articulated().to_matrix();
        // condition number about 10
        assert!((e - Matrix6::identity()).amax() < 1e-14);

        let r = Vector3::new(0.3, 0.8, -0.2);
        let f = Force::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(-1.0, 0.5, 0.2));
        assert!((phi.motion_at(&r).apply(f) - phi.apply(f).at(&r)).amax() < 1e-13);
        assert!((phi.force_at(&r).apply(f) - phi.apply(f.at(&-r))).amax() < 1e-13);
    }

    #[test]
    fn a_massless_body_has_no_inverse() {
        assert!(InverseInertia::of_body(&Inertia::zero()).is_none());
        assert!(
            InverseInertia::of_body(&Inertia::new(1.0, Vector3::zeros(), Symmetric3::default())).is_none()
        );
    }
}
