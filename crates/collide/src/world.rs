//! From a geometry and poses to all contact points: boxes, pairs, narrow phase, reduction.
//!
//! The answer depends on the poses alone, to the bit. Pairs are sorted by collider index before the narrow phase, so that no
//! tree order shows in the output. What is kept from call to call is a direction for each pair with a large
//! polyhedron, along which it was last found apart: it is tried first, and is believed only where it proves the pair apart
//! again, which then no search could have denied; and boxes drawn a little too large with the pairs of those (`fat`).

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
    narrow: pair::Scratch,
    reduce: reduce::Scratch,
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

    /// Directions of the call before for those pairs that were asked then.
    fn recall(&mut self) {
        let (pairs, hints) = &self.before;
        self.hints.clear();
        let mut at = 0;
        for pair in &self.pairs {
            while at < pairs.len() && pairs[at] < *pair {
                at += 1;
            }
            self.hints.push(if pairs.get(at) == Some(pair) { hints[at] } else { None });
        }
        self.before.0.clone_from(&self.pairs);
        self.before.1.clone_from(&self.hints);
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

    /// World frames and boxes of all colliders; returns how many have no finite pose.
    fn place(&mut self, geometry: &Geometry, poses: &[Isometry3<f64>]) -> usize {
        self.frames.clear();
        self.boxes.clear();
        self.bounded.clear();
        self.tight.clear();
        if self.locals.0 != geometry.stamp || self.locals.1.len() != geometry.colliders.len() {
            self.locals.1.clear();
            self.locals.1.extend(geometry.colliders.iter().map(|c| Rigid::new(&c.pose)));
            self.locals.0 = geometry.stamp;
        }
        let mut not_finite = 0;
        // colliders of one body mostly follow each other
        let mut last: Option<(usize, Rigid)> = None;
        for (i, c) in geometry.colliders.iter().enumerate() {
            let local = self.locals.1[i];
            let frame = c.body.map_or(local, |b| {
                let body = last.filter(|l| l.0 == b).map_or_else(|| Rigid::new(&poses[b]), |l| l.1);
                last = Some((b, body));
                body.mul(&local)
            });
            let aabb = c.shape.loose_aabb_at(&frame).grow(self.reach[i]);
            let finite = aabb.lo.iter().chain(aabb.hi.iter()).all(|x| x.is_finite());
            if finite {
                self.bounded.push(crate::error::count(i));
                self.tight.push(aabb);
            } else if !matches!(c.shape.kind, Kind::Plane)
                || !frame.t.iter().chain(frame.r.iter()).all(|x| x.is_finite())
            {
                not_finite += 1;
            }
            self.frames.push(frame);
            self.boxes.push(aabb);
        }
        not_finite
    }

    fn find_pairs(&mut self, geometry: &Geometry) {
        let Self { fat, tight, bounded, pairs, boxes, frames, reach, .. } = self;
        pairs.clear();
        fat.find(geometry, bounded, tight, pairs);
        // planes are few and meet nearly everything: each is tried against every box
        for (i, _) in
            geometry.colliders.iter().enumerate().filter(|(_, c)| matches!(c.shape.kind, Kind::Plane))
        {
            let n = frames[i].r.column(2).into_owned();
            if !n.iter().chain(frames[i].t.iter()).all(|x| x.is_finite()) {
                continue;
            }
            for &j in bounded.iter() {
                let (center, half) = (boxes[j as usize].center(), boxes[j as usize].half());
                let lowest = n.dot(&(center - frames[i].t)) - n.abs().dot(&half);
                // the box is grown by its own reach already
                if lowest <= reach[i] && geometry.may_touch(i, j as usize) {
                    let i = crate::error::count(i);
                    pairs.push((i.min(j), i.max(j)));
                }
            }
        }
        pairs.sort_unstable();
    }

    /// How near each pair counts; pairs whose boxes are farther apart than that are left out.
    fn leave_out(
        &mut self,
        geometry: &Geometry,
        closing: impl Fn(Option<usize>, Option<usize>, Option<&Aabb>) -> Near,
    ) {
        let Self { pairs, boxes, reach, near, .. } = self;
        near.clear();
        pairs.retain(|&(i, j)| {
            let (i, j) = (i as usize, j as usize);
            let body = |k: usize| geometry.colliders[k].body;
            let (a, b) = (&boxes[i], &boxes[j]);
            let both = reach[i] + reach[j];
            let meshes = [i, j].into_iter().any(|k| has_mesh(&geometry.colliders[k].shape));
            let region = meshes.then(|| region(a, b, both));
            let least = closing(body(i), body(j), region.as_ref());
            // boxes are grown by their own reach already; that of a plane has no end, and is apart by nothing
            let apart = (b.lo - a.hi).sup(&(a.lo - b.hi)).max() + both;
            let kept = both <= least.most || apart.is_nan() || apart <= least.most;
            if kept {
                near.push(least.no_more_than(both));
            }
            kept
        });
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
        let size = ba.half().norm().min(bb.half().norm()).min(1e9);
        let mut margin = (if apart.is_finite() { apart } else { 0.0 } + 0.01 * size).min(max);
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

/// Where the points of contacts of two shapes lie, from their boxes, grown by what they reach in all: each is within that of either.
fn region(a: &Aabb, b: &Aabb, both: f64) -> Aabb {
    Aabb { lo: a.lo.sup(&b.lo), hi: a.hi.inf(&b.hi) }.grow(both)
}

/// Whether a shape is, or has among its parts, a mesh or a heightfield.
fn has_mesh(shape: &Shape) -> bool {
    match &shape.kind {
        Kind::Mesh(_) | Kind::Heightfield(_) => true,
        Kind::Compound(parts) => parts.iter().any(|(_, part)| has_mesh(part)),
        _ => false,
    }
}

/// A ball looks the same from all sides, so its pose is its centre.
fn frame(shape: &Shape, pose: &Isometry3<f64>) -> Rigid {
    if matches!(shape.kind, Kind::Sphere(_)) { Rigid::at(pose.translation.vector) } else { Rigid::new(pose) }
}

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
