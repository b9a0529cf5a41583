//! Resting bodies built flush: whole faces, and names that survive a micrometre of motion.

use std::collections::BTreeMap;

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry, Reduction, Shape};

use crate::support::{Pose, Rng, Vec3, all_shapes, at, turned};

/// Half extents of a brick, and what a mortar joint takes, in metres.
const BRICK: (f64, f64, f64) = (0.1, 0.05, 0.03);
const JOINT: f64 = 0.002;

/// Five courses of six bricks in running bond on a plane, each resting on two, sunk by 1e-6 m.
pub(crate) fn wall() -> (Geometry, Vec<Pose>) {
    let mut geometry = Geometry::new();
    geometry.add(Collider::fixed(Shape::plane()));
    let mut poses = Vec::new();
    let brick = Shape::cuboid(BRICK.0, BRICK.1, BRICK.2).unwrap();
    for course in 0..5 {
        for k in 0..6 {
            geometry.add(Collider::new(brick.clone(), poses.len()));
            let pitch = 2.0 * BRICK.0 + JOINT;
            let shift = if course % 2 == 0 { 0.0 } else { 0.5 * pitch };
            let z = BRICK.2 * (1.0 + 2.0 * f64::from(course)) - 1e-6 * f64::from(course + 1);
            poses.push(at(pitch * f64::from(k) + shift, 0.0, z));
        }
    }
    (geometry, poses)
}

/// A tower of equal shapes on a plane, exactly above each other.
fn tower(shape: &Shape, half: f64) -> (Geometry, Vec<Pose>) {
    let mut geometry = Geometry::new();
    geometry.add(Collider::fixed(Shape::plane()));
    let mut poses = Vec::new();
    for k in 0..6 {
        geometry.add(Collider::new(shape.clone(), k));
        poses.push(at(0.0, 0.0, half * (1.0 + 2.0 * k as f64) - 1e-6 * (k + 1) as f64));
    }
    (geometry, poses)
}

fn named(points: &[ContactPoint]) -> BTreeMap<(usize, usize, u64), Vec3> {
    points.iter().map(|c| ((c.a, c.b, c.id), c.point)).collect()
}

#[test]
fn every_brick_of_a_wall_rests_on_two_with_whole_faces() {
    let (geometry, poses) = wall();
    let mut found = Vec::new();
    CollisionWorkspace::new().contacts(&geometry, &poses, 1e-3, &mut found);
    // 6 on the ground, 11 pairs of bricks between each two of five courses
    assert_eq!(found.len(), 4 * (6 + 4 * 11));
    let mut pairs: BTreeMap<(usize, usize), Vec<&ContactPoint>> = BTreeMap::new();
    for c in &found {
        assert!(c.normal == -Vec3::z(), "{}", c.normal);
        // metres: heights of 0.3 m are rounded to 6e-17
        assert!((c.gap + 1e-6).abs() < 1e-15, "{}", c.gap);
        pairs.entry((c.a, c.b)).or_default().push(c);
    }
    for ((a, _), points) in &pairs {
        let extent = |k: usize| {
            let x = points.iter().map(|c| c.point[k]);
            x.clone().fold(f64::NEG_INFINITY, f64::max) - x.fold(f64::INFINITY, f64::min)
        };
        let half_bond = BRICK.0 - 0.5 * JOINT;
        let along = if *a == 0 { 2.0 * BRICK.0 } else { half_bond };
        assert!((extent(0) - along).abs() < 1e-12 && (extent(1) - 2.0 * BRICK.1).abs() < 1e-12);
    }
    assert_eq!(named(&found).len(), found.len());
}

#[test]
fn a_micrometre_of_motion_changes_no_name_in_a_wall_or_a_tower() {
    let cube = tower(&Shape::cuboid(0.1, 0.1, 0.1).unwrap(), 0.1);
    let prism = tower(&Shape::convex(gudgeon_collide::Polytope::prism(6, 0.1, 0.1).unwrap()), 0.1);
    for (what, (geometry, poses)) in [("wall", wall()), ("cubes", cube), ("prisms", prism)] {
        let mut workspace = CollisionWorkspace::new();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        workspace.contacts(&geometry, &poses, 1e-3, &mut before);
        let before = named(&before);
        let mut rng = Rng(4);
        for _ in 0..500 {
            let step = 1e-6;
            let mut nudge = || {
                let turn = turned(rng.direction(), rng.range(0.0, step));
                at(rng.range(-step, step), rng.range(-step, step), rng.range(-step, step)) * turn
            };
            let moved: Vec<Pose> = poses.iter().map(|x| x * nudge()).collect();
            workspace.contacts(&geometry, &moved, 1e-3, &mut after);
            let after = named(&after);
            assert_eq!(before.len(), after.len(), "{what}");
            for (name, p) in &before {
                let q = after.get(name).unwrap_or_else(|| panic!("{what}: {name:?} at {p} is gone"));
                // metres: two bodies moved by 1e-6 m along each axis and turned by 1e-6 rad
                assert!((p - q).norm() < 1e-5, "{what}: {name:?} went from {p} to {q}");
            }
        }
    }
}

#[test]
fn no_two_contacts_of_a_pair_share_a_name() {
    let shapes = all_shapes();
    let mut contacts = 0;
    for reduction in [Reduction::default(), Reduction::NONE] {
        let mut workspace = CollisionWorkspace::new();
        workspace.reduction = reduction;
        let mut out = Vec::new();
        for (i, a) in shapes.iter().enumerate() {
            for (j, b) in shapes.iter().enumerate() {
                let mut rng = Rng((53 * i + j) as u64);
                for _ in 0..40 {
                    workspace.pair_contacts(a, &rng.pose(0.3), b, &rng.pose(1.2), 0.05, &mut out);
                    let mut ids: Vec<u64> = out.iter().map(|c| c.id).collect();
                    ids.sort_unstable();
                    assert!(ids.windows(2).all(|w| w[0] != w[1]), "{} and {}", a.name(), b.name());
                    contacts += ids.len();
                }
            }
        }
    }
    println!("{contacts} contacts, each with a name of its own in its pair");
}
