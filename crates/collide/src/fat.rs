//! Pairs from step to step: boxes drawn a little too large, and the pairs whose large boxes meet.
//!
//! As long as every box is within its large one, the pairs whose own boxes meet are among those: no tree is built and
//! none is walked. What comes out is what a tree over the boxes would give, whatever happened before; when a box has
//! left its large one, all are drawn anew.

use crate::aabb::Aabb;
use crate::geometry::Geometry;
use crate::tree::{Stack, Tree};

/// How much larger, in parts of a box's greatest half extent: a limb of 10 cm at 1 m/s and 2 ms leaves its box after 12 steps,
/// and few pairs more meet.
const ROOM: f64 = 0.25;
/// Boxes up to which every pair is looked at: a tree over so few costs more to build.
const FEW: usize = 40;

/// The large boxes and their pairs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fat {
    /// Which geometry they belong to, and which of its colliders.
    stamp: u64,
    colliders: Vec<u32>,
    boxes: Vec<Aabb>,
    /// Where they are few, the pairs that may touch, likewise: those are the same wherever the boxes are.
    allowed: Vec<(u32, u32)>,
    /// Places in `boxes`, the lower first, sorted.
    pairs: Vec<(u32, u32)>,
    tree: Tree,
    stack: Stack,
}

impl Fat {
    /// The pairs of colliders whose boxes meet and which may touch, in order, added to `out`. `colliders` are ascending, with a
    /// finite box each.
    pub(crate) fn find(
        &mut self,
        geometry: &Geometry,
        colliders: &[u32],
        boxes: &[Aabb],
        out: &mut Vec<(u32, u32)>,
    ) {
        let within = |(fat, own): (&Aabb, &Aabb)| fat.holds(own);
        let known = self.stamp == geometry.stamp && self.colliders == colliders;
        if !known {
            self.meet(geometry, colliders);
        }
        if !(known && self.boxes.iter().zip(boxes).all(within)) {
            self.renew(geometry, boxes);
        }
        let meeting = self.pairs.iter().filter(|(p, q)| boxes[*p as usize].meets(&boxes[*q as usize]));
        out.extend(meeting.map(|&(p, q)| (colliders[p as usize], colliders[q as usize])));
    }

    /// Other colliders than before.
    fn meet(&mut self, geometry: &Geometry, colliders: &[u32]) {
        self.stamp = geometry.stamp;
        self.colliders.clear();
        self.colliders.extend_from_slice(colliders);
        self.allowed.clear();
        if colliders.len() <= FEW {
            let count = crate::error::count(colliders.len());
            let all = (0..count).flat_map(|p| (p + 1..count).map(move |q| (p, q)));
            self.allowed.extend(all.filter(|&(p, q)| may_touch(geometry, colliders, p, q)));
        }
    }

    fn renew(&mut self, geometry: &Geometry, boxes: &[Aabb]) {
        self.boxes.clear();
        self.boxes.extend(boxes.iter().map(|b| b.grow(ROOM * b.half().max())));
        let Self { colliders, boxes, allowed, pairs, tree, stack, .. } = self;
        pairs.clear();
        let meet = |p: u32, q: u32| boxes[p as usize].meets(&boxes[q as usize]);
        if boxes.len() <= FEW {
            pairs.extend(allowed.iter().filter(|(p, q)| meet(*p, *q)));
            return;
        }
        tree.rebuild(boxes);
        tree.self_pairs(stack, |p, q| {
            let (p, q) = (p.min(q), p.max(q));
            if meet(p, q) && may_touch(geometry, colliders, p, q) {
                pairs.push((p, q));
            }
        });
        pairs.sort_unstable();
    }
}

fn may_touch(geometry: &Geometry, colliders: &[u32], p: u32, q: u32) -> bool {
    geometry.may_touch(colliders[p as usize] as usize, colliders[q as usize] as usize)
}
