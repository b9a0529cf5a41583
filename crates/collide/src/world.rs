//! From a geometry and poses to all contact points: boxes, pairs, narrow phase, reduction.
//!
//! The answer depends on the poses alone, to the bit. Pairs are sorted by collider index before the narrow phase, so that no
//! tree order shows in the output. What is kept from call to call is a direction for each pair with a large
//! polyhedron, along which it was last found apart: it is tried first, and is believed only where it proves the pair apart
//! again, which then no search could have denied; and boxes drawn a little too large with the pairs of those (`fat`).

mod alone;
mod broad;

use std::ops::Range;

use nalgebra::Isometry3;

use crate::aabb::Aabb;
use crate::contact::{ContactPoint, Raw, mix};
use crate::fat::Fat;
use crate::geometry::Geometry;
use crate::near::Near;
use crate::pair;
use crate::reduce::{self, Reduction};
use crate::rigid::{Rigid, Vec3};
use crate::shape::{Kind, Shape};

pub use alone::Distance;
use broad::region;

/// Reusable memory of collision detection, and how contacts are reduced.
#[derive(Debug, Clone, Default)]
pub struct CollisionWorkspace {
    /// How the contacts of each pair are thinned out.
    pub reduction: Reduction,
    frames: Vec<Rigid>,
    boxes: Vec<Aabb>,
    /// Collider of each tree item.
    bounded: Vec<u32>,
    tight: Vec<Aabb>,
    fat: Fat,
    /// Poses of the colliders in their bodies, of the geometry with this stamp.
    locals: (u64, Vec<Rigid>),
    pairs: Vec<(u32, u32)>,
    /// By pair, in line with `pairs`: how near counts, and the direction that separated it last, if it is kept.
    near: Vec<Near>,
    hints: Vec<Option<Vec3>>,
    /// Pairs and hints of the call before.
    before: (Vec<(u32, u32)>, Vec<Option<Vec3>>),
    /// By collider: how far it may come, metres.
    reach: Vec<f64>,
    raw: Vec<Raw>,
    narrow: pair::PairScratch,
    reduce: reduce::ReduceScratch,
}

/// What a call did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Pairs whose boxes met.
    pub pairs: usize,
    /// Contacts before reduction.
    pub raw: usize,
    /// Colliders left out because their pose is not finite.
    pub not_finite: usize,
}

impl CollisionWorkspace {
    /// No memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every contact with a gap of at most `margin` metres into `out`, sorted by pair, patch, depth.
    ///
    /// `poses` are those of the bodies; a body without a pose is an error of the caller and panics.
    pub fn contacts(
        &mut self,
        geometry: &Geometry,
        poses: &[Isometry3<f64>],
        margin: f64,
        out: &mut Vec<ContactPoint>,
    ) -> Summary {
        out.clear();
        let mut summary = self.broad(geometry, poses, margin);
        summary.raw = self.narrow(geometry, 0..summary.pairs, margin, out);
        summary
    }

    /// First half of [`Self::contacts`]: the pairs whose boxes meet, numbered for [`Self::narrow`].
    pub fn broad(&mut self, geometry: &Geometry, poses: &[Isometry3<f64>], margin: f64) -> Summary {
        self.broad_within(geometry, poses, |_| 0.5 * margin, |_, _, _| Near::within(f64::INFINITY))
    }

    /// As [`Self::broad`], where `reach` says by body (`None` is the world) how far, in metres, it may count: a pair is near if it is
    /// no farther apart than the sum of both, and than `closing` says of the two. Contacts of pairs farther apart may be left out,
    /// whatever the margin. Where one of the two is a mesh, which takes its time, `closing` is told in which box their contacts
    /// lie, and contacts farther apart are not sought.
    pub fn broad_within(
        &mut self,
        geometry: &Geometry,
        poses: &[Isometry3<f64>],
        reach: impl Fn(Option<usize>) -> f64,
        closing: impl Fn(Option<usize>, Option<usize>, Option<&Aabb>) -> Near,
    ) -> Summary {
        self.reach.clear();
        self.reach.extend(geometry.colliders.iter().map(|c| reach(c.body)));
        let not_finite = self.place(geometry, poses);
        self.find_pairs(geometry);
        self.leave_out(geometry, closing);
        self.recall();
        Summary { pairs: self.pairs.len(), raw: 0, not_finite }
    }

    /// The colliders of a pair that `broad` found.
    pub fn pair(&self, k: usize) -> (usize, usize) {
        (self.pairs[k].0 as usize, self.pairs[k].1 as usize)
    }

    /// Whether one of the two is a mesh, whose depths are those of its triangles and may come and go.
    pub fn is_surface(&self, geometry: &Geometry, k: usize) -> bool {
        let (i, j) = self.pair(k);
        has_mesh(&geometry.colliders[i].shape) || has_mesh(&geometry.colliders[j].shape)
    }

    /// Takes back what another workspace, given these pairs by [`Self::hand_over`], learned about them.
    pub fn learn(&mut self, pairs: Range<usize>, other: &Self) {
        self.before.1[pairs.clone()].copy_from_slice(&other.hints[..pairs.len()]);
    }

    /// Some of the pairs that `broad` found, with the frames they need, to another workspace, which numbers them from
    /// zero: each may then be asked on a thread of its own.
    pub fn hand_over(&self, pairs: Range<usize>, other: &mut Self) {
        other.reduction = self.reduction;
        other.frames.clone_from(&self.frames);
        other.pairs.clear();
        other.pairs.extend_from_slice(&self.pairs[pairs.clone()]);
        other.near.clear();
        other.near.extend_from_slice(&self.near[pairs.clone()]);
        other.hints.clear();
        other.hints.extend_from_slice(&self.hints[pairs]);
    }

    /// Second half of [`Self::contacts`]: the contacts of some pairs, added to `out`; answers how many there were before
    /// reduction.
    pub fn narrow(
        &mut self,
        geometry: &Geometry,
        pairs: Range<usize>,
        margin: f64,
        out: &mut Vec<ContactPoint>,
    ) -> usize {
        let mut found = 0;
        for k in pairs {
            let (i, j) = (self.pairs[k].0 as usize, self.pairs[k].1 as usize);
            let (a, b) = (&geometry.colliders[i], &geometry.colliders[j]);
            self.raw.clear();
            self.narrow.expect(self.near[k], self.hints[k]);
            let surface = has_mesh(&a.shape) || has_mesh(&b.shape);
            let margin = if surface { margin.min(self.near[k].most) } else { margin };
            pair::contacts(
                &a.shape,
                &self.frames[i],
                &b.shape,
                &self.frames[j],
                margin,
                &mut self.narrow,
                &mut self.raw,
            );
            self.hints[k] = self.narrow.hint();
            if let Some(kept) = self.before.1.get_mut(k) {
                *kept = self.hints[k];
            }
            // a pose so large that differences overflow gives no number; it gives no contact either
            self.raw.retain(|r| {
                r.gap.is_finite() && r.point.iter().chain(r.normal.iter()).all(|x| x.is_finite())
            });
            found += self.raw.len();
            reduce::reduce(&mut self.raw, &self.reduction, &mut self.reduce);
            reduce::name_apart(&mut self.raw, &mut self.reduce);
            let name = mix(i as u64, j as u64);
            out.extend(self.raw.iter().map(|r| ContactPoint {
                a: i,
                b: j,
                point: r.point,
                normal: r.normal,
                gap: r.gap,
                id: mix(name, r.key),
            }));
        }
        found
    }

    /// Pairs of colliders whose boxes, grown by half the margin each, meet and which may touch.
    pub fn candidate_pairs(
        &mut self,
        geometry: &Geometry,
        poses: &[Isometry3<f64>],
        margin: f64,
    ) -> &[(u32, u32)] {
        self.broad(geometry, poses, margin);
        &self.pairs
    }

    /// The pairs of the last `broad` with a mesh in them: their bodies, how far apart contacts were sought, and the box where
    /// they would be.
    pub fn surface_pairs<'a>(
        &'a self,
        geometry: &'a Geometry,
    ) -> impl Iterator<Item = ([Option<usize>; 2], Near, Aabb)> + 'a {
        self.pairs.iter().zip(&self.near).filter_map(|(&(i, j), &near)| {
            let (i, j) = (i as usize, j as usize);
            let (a, b) = (&geometry.colliders[i], &geometry.colliders[j]);
            (has_mesh(&a.shape) || has_mesh(&b.shape)).then(|| {
                let both = self.reach[i] + self.reach[j];
                ([a.body, b.body], near, region(&self.boxes[i], &self.boxes[j], both))
            })
        })
    }
}

/// Whether a shape is, or has among its parts, a mesh or a heightfield.
fn has_mesh(shape: &Shape) -> bool {
    match &shape.kind {
        Kind::Mesh(_) | Kind::Heightfield(_) => true,
        Kind::Compound(parts) => parts.iter().any(|(_, part)| has_mesh(part)),
        Kind::Plane
        | Kind::Sphere(_)
        | Kind::Capsule { .. }
        | Kind::Cylinder { .. }
        | Kind::Cone { .. }
        | Kind::Ellipsoid(_)
        | Kind::Box(..)
        | Kind::Convex(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Collider;

    /// A workspace that has seen other poses, other margins and another geometry answers as a new one does.
    #[test]
    fn what_is_remembered_changes_no_pair_and_no_contact() {
        let scene = |n: usize, size: f64| {
            let mut geometry = Geometry::new();
            geometry.add(Collider::fixed(Shape::plane()));
            for k in 0..n {
                let shape = match k % 3 {
                    0 => Shape::cuboid(size, 0.7 * size, 0.4 * size),
                    1 => Shape::capsule(size, 0.3 * size),
                    _ => Shape::sphere(size),
                };
                geometry.add(Collider::new(shape.unwrap(), k));
            }
            geometry.exclude_bodies(Some(0), Some(1));
            geometry
        };
        let geometries = [scene(40, 0.12), scene(40, 0.2)];
        let mut used = CollisionWorkspace::new();
        let (mut found, mut pairs) = (0, 0);
        for step in 0..300 {
            let t = f64::from(step);
            let poses: Vec<Isometry3<f64>> = (0..40)
                .map(|k| {
                    let k = f64::from(k);
                    // slow and fast bodies, and now and then a jump
                    let speed = 1e-3 * (1.0 + 30.0 * (k * 0.7).sin().max(0.0).powi(8));
                    let place = nalgebra::Vector3::new(
                        (1.3 * k + speed * t).sin(),
                        (2.1 * k + 0.7 * speed * t).cos(),
                        0.3 + 0.3 * (0.9 * k + f64::from(step / 90) + speed * t).sin(),
                    );
                    Isometry3::new(place, nalgebra::Vector3::new(k + speed * t, 2.0 * k, speed * t))
                })
                .collect();
            let geometry = &geometries[usize::from(step % 70 > 60)];
            let margin = if step % 11 == 0 { 0.05 } else { 0.01 };
            let (mut a, mut b) = (Vec::new(), Vec::new());
            let mut new = CollisionWorkspace::new();
            assert_eq!(
                used.contacts(geometry, &poses, margin, &mut a),
                new.contacts(geometry, &poses, margin, &mut b)
            );
            assert_eq!(a, b, "step {step}");
            assert_eq!(used.pairs, new.pairs);
            found += a.len();
            pairs += used.pairs.len();
        }
        assert!(found > 1000 && pairs > 10_000, "{found} contacts, {pairs} pairs");
    }
}
