//! What must not change: exchanging the bodies, moving the scene, asking twice, moving a little.

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry, Shape};

use crate::support::{Pose, Rng, Vec3, all_shapes, at, contacts, convex_shapes, ring, turned};

/// Contacts paired up by place; panics when one has no partner.
fn matched(
    a: &[ContactPoint],
    b: &[ContactPoint],
    moved: impl Fn(&ContactPoint) -> (Vec3, Vec3),
    tol: f64,
    what: &str,
) {
    assert_eq!(a.len(), b.len(), "{what}: {a:?} {b:?}");
    for p in a {
        let (point, normal) = moved(p);
        let close = |q: &&ContactPoint| {
            (q.point - point).norm() < tol && (q.normal - normal).norm() < tol && (q.gap - p.gap).abs() < tol
        };
        assert!(b.iter().any(|q| close(&q)), "{what}: no partner of {p:?} in {b:?}");
    }
}

fn deepest_gap(points: &[ContactPoint]) -> f64 {
    points.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min)
}

/// Whole contact sets of all pairs at random poses, deep ones included: exchanged, and seen from another frame.
#[test]
fn exchanging_the_bodies_or_moving_the_scene_changes_no_contact() {
    let shapes = all_shapes();
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate().skip(i) {
            let mut rng = Rng((37 * i + j) as u64);
            for k in 0..100 {
                let (xa, xb, scene) = (rng.pose(0.2), rng.pose(1.6), rng.pose(10.0));
                let what = format!("{} and {}, pose {k}", a.name(), b.name());
                let here = contacts(a, &xa, b, &xb, 0.05);
                let back = contacts(b, &xb, a, &xa, 0.05);
                // metres and radians, with coordinates of 10 m
                matched(&here, &back, |c| (c.point, -c.normal), 1e-10, &what);
                let there = contacts(a, &(scene * xa), b, &(scene * xb), 0.05);
                let moved = |c: &ContactPoint| {
                    (scene.rotation * c.point + scene.translation.vector, scene.rotation * c.normal)
                };
                matched(&here, &there, moved, 1e-10, &what);
            }
        }
    }
}

/// Rings that are taken for curved surfaces, whose normals come from an iteration: exchanged, seen from another frame, and nudged.
#[test]
fn contacts_of_curved_meshes_do_not_depend_on_the_frame_and_follow_a_small_motion() {
    let ring = ring(32, 16);
    let mut rng = Rng(91);
    let (mut shallow, mut steepest, mut turned_most) = (0, 0.0_f64, 0.0_f64);
    for k in 0..2_000 {
        // hooked or anywhere, overlapping by up to a centimetre or by any depth
        let (xa, xb) = if k % 2 == 0 {
            let spin = |rng: &mut Rng| turned(Vec3::z(), rng.range(0.0, 6.3));
            let across = turned(Vec3::x(), std::f64::consts::FRAC_PI_2 + rng.range(-0.5, 0.5));
            (spin(&mut rng), at(1.5 + rng.range(0.0, 0.01), 0.0, 0.0) * across * spin(&mut rng))
        } else {
            (rng.pose(0.2), rng.pose(2.0))
        };
        let (scene, what) = (rng.pose(10.0), format!("pose {k}"));
        let here = contacts(&ring, &xa, &ring, &xb, 1e-3);
        let back = contacts(&ring, &xb, &ring, &xa, 1e-3);
        // metres and radians, with coordinates of 10 m
        matched(&here, &back, |c| (c.point, -c.normal), 1e-10, &what);
        let there = contacts(&ring, &(scene * xa), &ring, &(scene * xb), 1e-3);
        let moved = |c: &ContactPoint| {
            (scene.rotation * c.point + scene.translation.vector, scene.rotation * c.normal)
        };
        matched(&here, &there, moved, 1e-10, &what);
        let step = 1e-7;
        let shift = at(rng.range(-step, step), rng.range(-step, step), rng.range(-step, step));
        let nudged = contacts(&ring, &(shift * turned(rng.direction(), step) * xa), &ring, &xb, 1e-3);
        if deepest_gap(&here) < 1e-3 - 1e-6 && deepest_gap(&here) > -0.03 {
            shallow += 1;
            let change = (deepest_gap(&here) - deepest_gap(&nudged)).abs() / step;
            assert!(change < 4.0, "{what}: {change}");
            steepest = steepest.max(change);
            // of contacts that keep their name
            for p in here.iter().filter(|p| p.gap < 0.0) {
                if let Some(q) = nudged.iter().find(|q| q.id == p.id && q.gap < 0.0) {
                    turned_most = turned_most.max((p.normal - q.normal).norm());
                }
            }
        }
    }
    println!(
        "{shallow} shallow poses: gaps follow by {steepest:.2} times the motion, normals turn by {turned_most:.1e} rad"
    );
}

/// Every pair of shapes, nudged by 1e-7 m and rad: how the deepest gap follows.
#[test]
fn contacts_follow_a_small_motion_by_as_little() {
    let shapes = all_shapes();
    let (mut deep, mut jumps, mut steepest) = (0, 0, 0.0_f64);
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate().skip(i) {
            let mut rng = Rng((43 * i + j) as u64);
            for _ in 0..150 {
                let (xa, xb) = (rng.pose(0.2), rng.pose(1.6));
                let here = contacts(a, &xa, b, &xb, 0.05);
                let step = 1e-7;
                let shift = at(rng.range(-step, step), rng.range(-step, step), rng.range(-step, step));
                let nudged = shift * turned(rng.direction(), step) * xa;
                // metres: at the margin itself contacts may come and go
                if here.is_empty() || deepest_gap(&here) > 0.05 - 1e-6 {
                    continue;
                }
                let there = contacts(a, &nudged, b, &xb, 0.05);
                let what = format!("{} and {} at {xa} {xb}", a.name(), b.name());
                assert!(!there.is_empty(), "{what}");
                let change = (deepest_gap(&here) - deepest_gap(&there)).abs();
                if deepest_gap(&here) > -0.03 {
                    // a signed distance moves as far as the fastest point does: 1e-7 (sqrt 3 + 2 m of lever)
                    assert!(change < 4.0 * step, "{what}: {change}");
                } else if change < 1e-5 {
                    // centimetres deep in a mesh the direction itself turns with the contour
                    deep += 1;
                    steepest = steepest.max(change / step);
                } else {
                    jumps += 1;
                }
            }
        }
    }
    println!("{deep} deep poses change by at most {steepest:.0} times the motion, {jumps} others jump");
    assert!(jumps * 1000 <= deep, "{jumps} of {deep}");
}

#[test]
fn the_depth_of_every_convex_pair_is_symmetric_and_moves_with_the_scene() {
    let shapes = convex_shapes();
    let mut worst = 0.0_f64;
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate().skip(i) {
            let mut rng = Rng((41 * i + j) as u64);
            for _ in 0..2_000 {
                let (xa, xb, scene) = (rng.pose(0.2), rng.pose(1.6), rng.pose(10.0));
                let here = contacts(a, &xa, b, &xb, 0.05);
                let back = contacts(b, &xb, a, &xa, 0.05);
                let there = contacts(a, &(scene * xa), b, &(scene * xb), 0.05);
                assert!(here.is_empty() == back.is_empty() && here.is_empty() == there.is_empty());
                if here.is_empty() {
                    continue;
                }
                let off = (deepest_gap(&here) - deepest_gap(&back))
                    .abs()
                    .max((deepest_gap(&here) - deepest_gap(&there)).abs());
                worst = worst.max(off);
                // metres, with coordinates of 10 m
                assert!(off < 1e-10, "{} and {}: {off} at {xa:?} {xb:?}", a.name(), b.name());
            }
        }
    }
    println!("depth under exchange and rigid motion: off by {worst:.1e} m at most");
}

#[test]
fn the_same_poses_give_the_same_bits_whatever_came_before() {
    let shapes = all_shapes();
    let mut geometry = Geometry::new();
    for (i, s) in shapes.iter().enumerate() {
        geometry.add(Collider::new(s.clone(), i));
    }
    let mut rng = Rng(8);
    let mut used = CollisionWorkspace::new();
    for _ in 0..20 {
        let poses: Vec<Pose> = shapes.iter().map(|_| rng.pose(1.0)).collect();
        let (mut first, mut second, mut fresh) = (Vec::new(), Vec::new(), Vec::new());
        used.contacts(&geometry, &poses, 0.01, &mut first);
        let other: Vec<Pose> = shapes.iter().map(|_| rng.pose(1.0)).collect();
        used.contacts(&geometry, &other, 0.01, &mut second);
        used.contacts(&geometry, &poses, 0.01, &mut second);
        CollisionWorkspace::new().contacts(&geometry, &poses, 0.01, &mut fresh);
        assert!(!first.is_empty() && first == second && first == fresh);
        let mut ids: Vec<(usize, usize, u64)> = first.iter().map(|c| (c.a, c.b, c.id)).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|w| w[0] != w[1]), "two contacts of one pair share a name");
    }
}

#[test]
fn a_resting_contact_moves_as_little_as_the_body_and_keeps_its_name() {
    let ground = Shape::cuboid(2.0, 2.0, 0.5).unwrap();
    let blocks = [
        Shape::cuboid(0.3, 0.2, 0.4).unwrap(),
        Shape::convex(gudgeon_collide::Polytope::prism(7, 0.4, 0.4).unwrap()),
        Shape::cylinder(0.4, 0.3).unwrap(),
    ];
    let mut rng = Rng(12);
    for block in &blocks {
        for _ in 0..300 {
            let pose = at(0.2, 0.1, 0.9 - 1e-5)
                * turned(Vec3::z(), rng.range(0.0, 6.0))
                * turned(rng.direction(), 1e-7);
            let step = 2e-7;
            let nudge = at(rng.range(-step, step), rng.range(-step, step), rng.range(-step, step))
                * turned(rng.direction(), step);
            let before = contacts(block, &pose, &ground, &at(0.0, 0.0, 0.0), 1e-3);
            let after = contacts(block, &(nudge * pose), &ground, &at(0.0, 0.0, 0.0), 1e-3);
            let kept = before.iter().filter(|p| {
                // metres and radians: steps of 2e-7 seen from a metre away
                after.iter().any(|q| {
                    q.id == p.id && (q.point - p.point).norm() < 2e-6 && (q.normal - p.normal).norm() < 2e-6
                })
            });
            // all but the rim point deepest by rounding, which a disc may gain, move or lose
            assert!(kept.count() + 1 >= before.len(), "{}: {before:?} {after:?}", block.name());
            assert!(before.len() >= 4 && after.len() >= 4);
        }
    }
}
