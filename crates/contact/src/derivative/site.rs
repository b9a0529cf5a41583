//! Where a contact is, and how that changes with the links and shapes that meet there.

use gudgeon_collide::ContactSlopes;
use gudgeon_multibody::Fields;
use gudgeon_spatial::{Force, Motion, Vector3, Vector6};

use super::contact::Held;

/// Where a contact is, and how that changes.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The links.
    pub links: (usize, usize),
    /// World, m.
    pub point: Vector3<f64>,
    /// Unit, from b into a.
    pub normal: Vector3<f64>,
    /// Change per twist of a against b.
    pub slopes: &'a ContactSlopes,
}

impl<'a> Site<'a> {
    pub(super) fn of(h: &Held, slopes: &'a ContactSlopes) -> Self {
        Self { links: (h.a, h.b), point: h.point, normal: h.normal, slopes }
    }

    /// δp, δn, δgap for the displacement `moved` of links, and twists of the shapes alone about the contact point.
    pub fn jvp(
        &self,
        fields: &Fields,
        moved: &[Motion],
        shapes: Option<&[Vector6<f64>; 2]>,
    ) -> (Vector3<f64>, Vector3<f64>, f64) {
        let p = &self.point;
        let twist = |i: usize| Motion::new(moved[i].angular, fields.at(i, moved[i], p)).to_vector();
        let (mut a, mut b) = (twist(self.links.0), twist(self.links.1));
        if let Some([on_a, on_b]) = shapes {
            a += on_a;
            b += on_b;
        }
        let rho = a - b;
        let b = Motion::from_vector(&b);
        let dp = b.linear + self.slopes.point * rho;
        let dn = b.angular.cross(&self.normal) + self.slopes.normal * rho;
        (dp, dn, self.slopes.gap.dot(&rho))
    }

    /// The transpose of [`Self::jvp`]: forces on the displacement of links, added to; and those on the shapes alone, about
    /// the contact point.
    pub fn vjp(
        &self,
        fields: &Fields,
        on_dp: &Vector3<f64>,
        on_dn: &Vector3<f64>,
        on_gap: f64,
        on_moved: &mut [Force],
    ) -> (Vector6<f64>, Vector6<f64>) {
        let s = self.slopes;
        let rho = s.point.tr_mul(on_dp) + s.normal.tr_mul(on_dn) + s.gap * on_gap;
        let carried = Force::new(self.normal.cross(on_dn), *on_dp).to_vector();
        let on_b = carried - rho;
        for (i, x) in [(self.links.0, &rho), (self.links.1, &on_b)] {
            let force = Force::from_vector(x);
            on_moved[i] += fields.about(i, &self.point, force.angular, force.linear);
        }
        (rho, on_b)
    }
}
