//! The colliders of a scene and which of them may touch.

use std::sync::atomic::{AtomicU64, Ordering};

use nalgebra::Isometry3;

use crate::shape::Shape;

/// A shape fixed to a body, or to the world.
#[derive(Debug, Clone)]
pub struct Collider {
    /// The shape.
    pub shape: Shape,
    /// Index of the body it moves with; `None` for the world, which does not move.
    pub body: Option<usize>,
    /// Pose of the shape in the body's frame.
    pub pose: Isometry3<f64>,
    /// Groups this collider belongs to, one per bit.
    pub group: u32,
    /// Groups it may touch.
    pub mask: u32,
}

impl Collider {
    /// A collider on a body, in group 1, touching every group.
    pub fn new(shape: Shape, body: usize) -> Self {
        Self { shape, body: Some(body), pose: Isometry3::identity(), group: 1, mask: u32::MAX }
    }

    /// A collider fixed in the world.
    pub fn fixed(shape: Shape) -> Self {
        Self { body: None, ..Self::new(shape, 0) }
    }

    /// The same at this pose in its body's frame.
    pub fn at(self, pose: Isometry3<f64>) -> Self {
        Self { pose, ..self }
    }

    /// The same with these groups.
    pub fn with_groups(self, group: u32, mask: u32) -> Self {
        Self { group, mask, ..self }
    }
}

/// Every collider of a scene, in a fixed order, with the pairs that must not touch.
#[derive(Debug, Clone, Default)]
pub struct Geometry {
    pub(crate) colliders: Vec<Collider>,
    /// Sorted pairs of bodies, lower first; `None` is lower than any body.
    bodies_apart: Vec<(Option<usize>, Option<usize>)>,
    /// Sorted pairs of colliders, lower first.
    colliders_apart: Vec<(usize, usize)>,
    /// Another for every change: what is remembered about one geometry is not taken for another's.
    pub(crate) stamp: u64,
    /// Sorted pairs of colliders that touch whatever groups and bodies say, lower first.
    meeting: Vec<(usize, usize)>,
}

impl Geometry {
    /// No colliders.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a collider; its index names it in every contact.
    pub fn add(&mut self, collider: Collider) -> usize {
        self.stamp = next_stamp();
        self.colliders.push(collider);
        self.colliders.len() - 1
    }

    /// All colliders, by index.
    pub fn colliders(&self) -> &[Collider] {
        &self.colliders
    }

    /// No contact between these two bodies: a joint's parent and child, for example. `None` is the world.
    pub fn exclude_bodies(&mut self, a: Option<usize>, b: Option<usize>) {
        self.stamp = next_stamp();
        insert(&mut self.bodies_apart, (a.min(b), a.max(b)));
    }

    /// No contact between these two colliders.
    pub fn exclude(&mut self, a: usize, b: usize) {
        self.stamp = next_stamp();
        insert(&mut self.colliders_apart, (a.min(b), a.max(b)));
    }

    /// These two colliders touch whatever their groups say, and though their bodies are apart.
    pub fn meet(&mut self, a: usize, b: usize) {
        insert(&mut self.meeting, (a.min(b), a.max(b)));
        self.stamp = next_stamp();
    }

    /// Whether two colliders may touch: not on one body, not both fixed, groups agreeing, not excluded; or asked to meet.
    pub fn may_touch(&self, a: usize, b: usize) -> bool {
        let (ca, cb) = (&self.colliders[a], &self.colliders[b]);
        let bodies = (ca.body.min(cb.body), ca.body.max(cb.body));
        if !self.meeting.is_empty() && self.meeting.binary_search(&(a.min(b), a.max(b))).is_ok() {
            return ca.body != cb.body;
        }
        ca.body != cb.body
            && ca.group & cb.mask != 0
            && cb.group & ca.mask != 0
            && self.bodies_apart.binary_search(&bodies).is_err()
            && self.colliders_apart.binary_search(&(a.min(b), a.max(b))).is_err()
    }
}

/// Never the same twice; it shows in no result.
fn next_stamp() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

fn insert<T: Ord>(sorted: &mut Vec<T>, item: T) {
    if let Err(at) = sorted.binary_search(&item) {
        sorted.insert(at, item);
    }
}
