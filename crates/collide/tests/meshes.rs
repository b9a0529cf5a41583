//! Meshes and heightfields against the exact answers for the shapes they stand for.

use gudgeon_collide::{Kind, Shape};

use crate::support::{Pose, Rng, Vec3, at, box_mesh, contacts, convex_shapes, deepest, hills, turned};

#[test]
fn a_box_mesh_apart_from_a_shape_has_the_gap_and_normal_of_the_box() {
    let (mesh, exact) = (box_mesh(0.5, 0.7, 0.4), Shape::cuboid(0.5, 0.7, 0.4).unwrap());
    for (i, shape) in convex_shapes().iter().enumerate() {
        let mut rng = Rng(40 + i as u64);
        let mut compared = 0;
        for _ in 0..10_000 {
            let (xa, xb) = (rng.pose(0.1), rng.pose(1.9));
            let truth = contacts(shape, &xa, &exact, &xb, 0.2);
            let found = contacts(shape, &xa, &mesh, &xb, 0.2);
            let Some(gap) = truth.iter().map(|c| c.gap).min_by(f64::total_cmp) else {
                assert!(found.is_empty(), "{}: {:?}", shape.name(), found);
                continue;
            };
            // balls are exact at any depth above their radius; the others while their cores are apart
            if gap > 1e-6 {
                compared += 1;
                let c = deepest(&found);
                assert!((c.gap - gap).abs() < 1e-9, "{}: {} against {gap} at {xa} {xb}", shape.name(), c.gap);
                let n = deepest(&truth).normal;
                // radians: the direction between points a micrometre apart, known to 1e-15 m each
                assert!(c.normal.angle(&n) < 1e-6, "{}: {} against {n}", shape.name(), c.normal);
            } else if gap < -1e-6 {
                assert!(
                    !found.is_empty() && deepest(&found).gap < 0.0,
                    "{}: missed {gap} at {xa} {xb}",
                    shape.name()
                );
            }
        }
        println!("{}: {compared} poses compared", shape.name());
        assert!(compared > 100);
    }
}

#[test]
fn a_mesh_with_two_feet_stands_on_a_mesh_with_both() {
    // an upside-down U: two feet of 0.2 x 0.4, 0.6 apart
    let profile: [(f64, f64); 8] = [
        (-0.4, -0.2),
        (-0.2, -0.2),
        (-0.2, 0.0),
        (0.2, 0.0),
        (0.2, -0.2),
        (0.4, -0.2),
        (0.4, 0.2),
        (-0.4, 0.2),
    ];
    let n = 8;
    let mut vertices: Vec<Vec3> = profile.iter().map(|p| Vec3::new(p.0, -0.2, p.1)).collect();
    vertices.extend(profile.iter().map(|p| Vec3::new(p.0, 0.2, p.1)));
    let caps = [[0, 1, 2], [0, 2, 7], [2, 3, 7], [3, 6, 7], [3, 4, 5], [3, 5, 6]];
    let mut triangles: Vec<[u32; 3]> = caps.to_vec();
    triangles.extend(caps.iter().map(|t| [t[0] + n, t[2] + n, t[1] + n]));
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, i + n, j + n], [i, j + n, j]]);
    }
    let (frame, report) = Shape::mesh(&vertices, &triangles).unwrap();
    assert!(report.closed, "{report}");
    let ground = box_mesh(2.0, 2.0, 0.5);
    for depth in [1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 0.0, -1e-5, -1e-3] {
        for yaw in [0.0, 0.3, 1.1] {
            let pose = at(0.1, 0.05, 0.7 - depth) * turned(Vec3::z(), yaw);
            let found = contacts(&frame, &pose, &ground, &at(0.0, 0.0, 0.0), 2e-3);
            let local: Vec<Vec3> = found
                .iter()
                .map(|c| pose.inverse() * nalgebra::Point3::from(c.point))
                .map(|p| p.coords)
                .collect();
            for (sx, sy) in [(0.4, 0.2), (0.2, 0.2), (-0.2, -0.2), (-0.4, 0.2), (0.4, -0.2), (-0.4, -0.2)] {
                let near = local.iter().any(|p| (p.x - sx).abs() < 1e-9 && (p.y - sy).abs() < 1e-9);
                assert!(near, "depth {depth} yaw {yaw}: no contact at corner {sx} {sy}");
            }
            for c in &found {
                // metres and radians: at 1e-9 m of depth the contour's corners are rounded at 1e-16 m
                assert!((c.gap + depth).abs() < 1e-12, "depth {depth} yaw {yaw}: gap {}", c.gap);
                assert!((c.normal - Vec3::z()).norm() < 1e-9, "depth {depth} yaw {yaw}: {}", c.normal);
            }
        }
    }
}

#[test]
fn shapes_rest_on_a_flat_heightfield_and_a_flat_mesh_as_on_a_plane() {
    let flat = Shape::heightfield(9, 9, 0.5, 0.5, &[0.0; 81]).unwrap();
    let Kind::Heightfield(field) = flat.kind() else { panic!("a heightfield") };
    assert_eq!(field.dimensions(), (9, 9));
    let slab = box_mesh(2.0, 2.0, 0.3);
    let mut rng = Rng(77);
    for shape in convex_shapes() {
        for _ in 0..300 {
            let turn = rng.rotation();
            let height = rng.range(-0.05, 0.02);
            let lowest = -crate::support::support(&shape, &(turn.inverse() * -Vec3::z()));
            let pose = at(rng.range(-0.5, 0.5), rng.range(-0.5, 0.5), height - lowest)
                * Pose::from_parts(nalgebra::Translation3::identity(), turn);
            for (ground, x) in [(&flat, at(0.0, 0.0, 0.0)), (&slab, at(0.0, 0.0, -0.3))] {
                let found = contacts(&shape, &pose, ground, &x, 0.03);
                let c = deepest(&found);
                assert!(
                    (c.gap - height).abs() < 1e-9,
                    "{} on {}: {} for {height}",
                    shape.name(),
                    ground.name(),
                    c.gap
                );
                assert!(
                    (c.normal - Vec3::z()).norm() < 1e-6,
                    "{} on {}: {}",
                    shape.name(),
                    ground.name(),
                    c.normal
                );
            }
        }
    }
}

#[test]
fn nothing_hides_below_a_heightfield() {
    let ground = hills();
    let mut rng = Rng(78);
    for shape in convex_shapes().iter().chain([&box_mesh(0.3, 0.3, 0.3)]) {
        for _ in 0..200 {
            let pose = at(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), -rng.range(0.2, 3.0)) * rng.pose(0.0);
            let found = contacts(shape, &pose, &ground, &at(0.0, 0.0, 0.0), 1e-3);
            assert!(
                !found.is_empty() && deepest(&found).gap < 0.0 && deepest(&found).normal.z > 0.3,
                "{}",
                shape.name()
            );
        }
    }
}

#[test]
fn a_mesh_swallowed_by_another_is_pushed_out() {
    let (big, small) = (box_mesh(1.0, 1.0, 1.0), box_mesh(0.1, 0.1, 0.1));
    let found = contacts(&small, &at(0.7, 0.1, 0.0), &big, &at(0.0, 0.0, 0.0), 1e-3);
    let c = deepest(&found);
    assert!((c.normal - Vec3::x()).norm() < 1e-12 && (c.gap + 0.4).abs() < 1e-12, "{} {}", c.normal, c.gap);
    let sphere = Shape::sphere(0.1).unwrap();
    let c = *deepest(&contacts(&sphere, &at(0.7, 0.1, 0.0), &big, &at(0.0, 0.0, 0.0), 1e-3));
    assert!((c.normal - Vec3::x()).norm() < 1e-12 && (c.gap + 0.4).abs() < 1e-12, "{} {}", c.normal, c.gap);
}
