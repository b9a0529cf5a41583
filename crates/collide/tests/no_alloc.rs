//! The second call of the same size allocates nothing.

use gudgeon_collide::{Collider, CollisionWorkspace, Geometry};
use gudgeon_testkit::alloc::{self, Counting};

use crate::support::{Pose, Rng, all_shapes, ring};

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
        let (_, counts) = alloc::count(|| workspace.contacts(&geometry, &poses, 0.01, &mut found));
        assert_eq!(counts.allocations, 0);
    }
}

#[test]
fn a_warm_wall_of_bricks_allocates_nothing_as_it_trembles() {
    let (geometry, poses) = crate::names::wall();
    let mut rng = Rng(6);
    let mut workspace = CollisionWorkspace::new();
    let mut found = Vec::new();
    for step in 0..200 {
        let moved: Vec<Pose> =
            poses.iter().map(|x| x * Pose::new(rng.direction() * 1e-6, rng.direction() * 1e-6)).collect();
        let (_, counts) = alloc::count(|| workspace.contacts(&geometry, &moved, 1e-3, &mut found));
        assert!(step < 20 || counts.allocations == 0, "step {step}: {counts:?}");
    }
}
