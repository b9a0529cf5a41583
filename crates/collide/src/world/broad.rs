//! Broad phase: world frames, boxes, and the pairs of colliders whose boxes meet.

use nalgebra::Isometry3;

use crate::aabb::Aabb;
use crate::geometry::Geometry;
use crate::near::Near;
use crate::rigid::Rigid;
use crate::shape::Kind;

use super::{CollisionWorkspace, has_mesh};

impl CollisionWorkspace {
    /// World frames and boxes of all colliders; returns how many have no finite pose.
    pub(super) fn place(&mut self, geometry: &Geometry, poses: &[Isometry3<f64>]) -> usize {
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

    /// The pairs that may touch and whose boxes meet, sorted.
    pub(super) fn find_pairs(&mut self, geometry: &Geometry) {
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
    pub(super) fn leave_out(
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

    /// Directions of the call before for those pairs that were asked then.
    pub(super) fn recall(&mut self) {
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
}

/// Where the points of contacts of two shapes lie, from their boxes, grown by what they reach in all: each is within that of either.
pub(super) fn region(a: &Aabb, b: &Aabb, both: f64) -> Aabb {
    Aabb { lo: a.lo.sup(&b.lo), hi: a.hi.inf(&b.hi) }.grow(both)
}
