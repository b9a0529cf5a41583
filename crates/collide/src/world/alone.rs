//! Two shapes on their own: their contacts, and how far apart they are.

use nalgebra::Isometry3;

use crate::contact::{ContactPoint, Raw, mix};
use crate::near::Near;
use crate::pair;
use crate::reduce;
use crate::rigid::{Rigid, Vec3};
use crate::shape::{Kind, Shape};

use super::CollisionWorkspace;

/// Metres: the size of a shape without end.
const ENDLESS: f64 = 1e9;
/// Of the smaller shape's size: how far beyond the gap of the boxes the nearest points are sought first.
const FIRST: f64 = 0.01;

/// The closest points of two shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// Metres, negative when they overlap.
    pub distance: f64,
    /// Unit, from b into a.
    pub normal: Vec3,
    /// On the surface of a.
    pub on_a: Vec3,
    /// On the surface of b.
    pub on_b: Vec3,
}

impl CollisionWorkspace {
    /// Contacts of two shapes on their own, as colliders 0 and 1.
    pub fn pair_contacts(
        &mut self,
        a: &Shape,
        pose_a: &Isometry3<f64>,
        b: &Shape,
        pose_b: &Isometry3<f64>,
        margin: f64,
        out: &mut Vec<ContactPoint>,
    ) {
        self.raw.clear();
        out.clear();
        self.narrow.expect(Near::within(margin), None);
        let (xa, xb) = (frame(a, pose_a), frame(b, pose_b));
        pair::contacts(a, &xa, b, &xb, margin, &mut self.narrow, &mut self.raw);
        reduce::reduce(&mut self.raw, &self.reduction, &mut self.reduce);
        reduce::name_apart(&mut self.raw, &mut self.reduce);
        let point = |r: &Raw| ContactPoint {
            a: 0,
            b: 1,
            point: r.point,
            normal: r.normal,
            gap: r.gap,
            id: mix(mix(0, 1), r.key),
        };
        out.extend(self.raw.iter().map(point));
    }

    /// The signed distance of two shapes with the closest points, or `None` beyond `max` metres or where the
    /// pair has no contacts at all (two planes). Overlapping shapes report minus their penetration depth.
    ///
    /// Contacts are sought within a margin that doubles until some are found, so near shapes are quick.
    pub fn distance(
        &mut self,
        a: &Shape,
        pose_a: &Isometry3<f64>,
        b: &Shape,
        pose_b: &Isometry3<f64>,
        max: f64,
    ) -> Option<Distance> {
        let (xa, xb) = (Rigid::new(pose_a), Rigid::new(pose_b));
        let (ba, bb) = (a.aabb_at(&xa), b.aabb_at(&xb));
        // boxes apart by d along some axis: the shapes are at least d apart
        let apart = (ba.lo - bb.hi).sup(&(bb.lo - ba.hi)).max().max(0.0);
        let size = ba.half().norm().min(bb.half().norm()).min(ENDLESS);
        let mut margin = (if apart.is_finite() { apart } else { 0.0 } + FIRST * size).min(max);
        loop {
            self.raw.clear();
            self.narrow.expect(Near::within(margin), None);
            pair::contacts(a, &xa, b, &xb, margin, &mut self.narrow, &mut self.raw);
            let nearest = self.raw.iter().min_by(|p, q| p.gap.total_cmp(&q.gap).then(p.key.cmp(&q.key)));
            if let Some(r) = nearest {
                let half = r.normal * (0.5 * r.gap);
                return Some(Distance {
                    distance: r.gap,
                    normal: r.normal,
                    on_a: r.point + half,
                    on_b: r.point - half,
                });
            }
            // not a number, or no room to grow
            if margin >= max || margin.is_nan() {
                return None;
            }
            margin = (2.0 * margin).min(max);
        }
    }
}

/// A ball looks the same from all sides, so its pose is its centre.
fn frame(shape: &Shape, pose: &Isometry3<f64>) -> Rigid {
    if matches!(shape.kind, Kind::Sphere(_)) { Rigid::at(pose.translation.vector) } else { Rigid::new(pose) }
}
