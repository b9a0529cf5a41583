//! The second call of the same size allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use gudgeon_collide::{Collider, CollisionWorkspace, Geometry};

use crate::support::{Pose, Rng, all_shapes, ring};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[expect(unsafe_code, reason = "an allocator that counts is an allocator")]
// SAFETY: every call is handed to the system's allocator unchanged; counting touches a thread-local cell only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        unsafe { System.dealloc(p, layout) }
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        unsafe { System.realloc(p, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_second_call_of_the_same_poses_allocates_nothing() {
    let mut shapes = all_shapes();
    // two that are taken for curved surfaces
    shapes.extend([ring(32, 16), ring(32, 16)]);
    let mut geometry = Geometry::new();
    for (i, s) in shapes.iter().enumerate() {
        geometry.add(Collider::new(s.clone(), i));
    }
    let mut rng = Rng(2);
    let mut workspace = CollisionWorkspace::new();
    let mut found = Vec::new();
    for _ in 0..10 {
        let poses: Vec<Pose> = shapes.iter().map(|_| rng.pose(1.0)).collect();
        workspace.contacts(&geometry, &poses, 0.01, &mut found);
        let before = COUNT.with(Cell::get);
        workspace.contacts(&geometry, &poses, 0.01, &mut found);
        assert_eq!(COUNT.with(Cell::get) - before, 0);
    }
}

#[test]
fn a_warm_wall_of_bricks_allocates_nothing_as_it_trembles() {
    let (geometry, poses) = crate::names::wall();
    let mut rng = Rng(6);
    let mut workspace = CollisionWorkspace::new();
    let mut found = Vec::new();
    let mut before = 0;
    for step in 0..200 {
        let moved: Vec<Pose> =
            poses.iter().map(|x| x * Pose::new(rng.direction() * 1e-6, rng.direction() * 1e-6)).collect();
        if step >= 20 {
            before = COUNT.with(Cell::get);
        }
        workspace.contacts(&geometry, &moved, 1e-3, &mut found);
        assert!(step < 20 || COUNT.with(Cell::get) == before, "step {step}");
    }
}
