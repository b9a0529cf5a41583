//! Mass properties, rays, distances, filters, reduction: each against an independent computation.

use gudgeon_collide::{Collider, CollisionWorkspace, Geometry, Kind, Reduction, Shape, TriMesh};
use nalgebra::Matrix3;

use crate::support::{
    Pose, Rng, Vec3, all_shapes, at, box_mesh, contacts, convex_shapes, deepest, ring, turned,
};

/// Mass, first and second moments by sampling the inside.
fn sampled(shape: &Shape, count: usize) -> (f64, Vec3, Matrix3<f64>) {
    let bounds = shape.aabb(&Pose::identity());
    let extent = bounds.hi - bounds.lo;
    let mut rng = Rng(6);
    let (mut n, mut first, mut second) = (0.0, Vec3::zeros(), Matrix3::zeros());
    for _ in 0..count {
        let p = bounds.lo + Vec3::new(rng.unit(), rng.unit(), rng.unit()).component_mul(&extent);
        if shape.signed_distance(&Pose::identity(), &p) < 0.0 {
            n += 1.0;
            first += p;
            second += Matrix3::identity() * p.norm_squared() - p * p.transpose();
        }
    }
    let volume = extent.x * extent.y * extent.z;
    let mass = volume * n / count as f64;
    let center = first / n;
    let shift = Matrix3::identity() * center.norm_squared() - center * center.transpose();
    (mass, center, (second / n - shift) * mass)
}

#[test]
fn mass_properties_agree_with_sampling() {
    for shape in convex_shapes() {
        let exact = shape.mass_properties(1.0).unwrap();
        let (mass, center, inertia) = sampled(&shape, 200_000);
        // relative: one part in the square root of the samples, three times
        assert!((exact.mass - mass).abs() < 0.01 * mass, "{}: {} {mass}", shape.name(), exact.mass);
        assert!((exact.center - center).norm() < 0.01, "{}", shape.name());
        assert!(
            (exact.inertia - inertia).norm() < 0.02 * inertia.norm(),
            "{}: {} {inertia}",
            shape.name(),
            exact.inertia
        );
    }
}

#[test]
fn a_mesh_weighs_what_its_shape_weighs() {
    let (mesh, exact) = (box_mesh(0.5, 0.7, 0.4), Shape::cuboid(0.5, 0.7, 0.4).unwrap());
    let (m, e) = (mesh.mass_properties(2.5).unwrap(), exact.mass_properties(2.5).unwrap());
    assert!(
        (m.mass - e.mass).abs() < 1e-14 && (m.inertia - e.inertia).norm() < 1e-14 && m.center.norm() < 1e-15
    );
    // a torus: 2 pi^2 R r^2, and m (R^2 + 3 r^2 / 4) about its axis; inscribed meshes weigh less by O(1/n^2)
    let m = ring(200, 100).mass_properties(1.0).unwrap();
    let volume = 2.0 * std::f64::consts::PI.powi(2) * 0.0625;
    assert!((m.mass / volume - 1.0).abs() < 2e-3, "{}", m.mass / volume);
    assert!((m.inertia[(2, 2)] / m.mass - (1.0 + 0.75 * 0.0625)).abs() < 1e-3);
    assert!(Shape::plane().mass_properties(1.0).is_err() && exact.mass_properties(0.0).is_err());
}

#[test]
fn parts_of_a_compound_add_up() {
    let half = |x: f64| (at(x, 0.0, 0.0), Shape::cuboid(0.25, 0.7, 0.4).unwrap());
    let whole = Shape::cuboid(0.5, 0.7, 0.4).unwrap().mass_properties(3.0).unwrap();
    let sum = Shape::compound(vec![half(-0.25), half(0.25)]).unwrap().mass_properties(3.0).unwrap();
    assert!((sum.mass - whole.mass).abs() < 1e-14 && (sum.inertia - whole.inertia).norm() < 1e-14);
}

#[test]
fn a_ray_stops_where_the_signed_distance_is_zero() {
    let mut rng = Rng(14);
    for shape in all_shapes() {
        let mut hits = 0;
        for _ in 0..500 {
            let pose = rng.pose(0.5);
            let origin = rng.direction() * 4.0;
            let aim = rng.direction() * 0.7 - origin;
            let solid = !matches!(shape.kind(), Kind::Plane | Kind::Heightfield(_));
            let Some(hit) = shape.ray(&pose, &origin, &aim, 10.0) else { continue };
            hits += 1;
            let p = origin + aim.normalize() * hit.distance;
            if hit.distance > 0.0 {
                // metres: roots of quadratics with coordinates of 4 m
                assert!(shape.signed_distance(&pose, &p).abs() < 1e-9, "{}", shape.name());
                assert!(
                    hit.normal.dot(&aim) <= 1e-9 && (hit.normal.norm() - 1.0).abs() < 1e-12,
                    "{}",
                    shape.name()
                );
                // nothing before it
                for k in 1..20 {
                    let before = origin + aim.normalize() * (hit.distance * f64::from(k) / 20.0);
                    assert!(!solid || shape.signed_distance(&pose, &before) > -1e-9, "{}", shape.name());
                }
            }
        }
        assert!(hits > 50, "{}: {hits}", shape.name());
    }
}

#[test]
fn the_nearest_collider_is_hit_first() {
    let mut geometry = Geometry::new();
    for k in 0..5 {
        geometry.add(Collider::new(Shape::sphere(0.4).unwrap(), k));
    }
    geometry.add(Collider::fixed(Shape::plane()).at(at(0.0, 0.0, -1.0)));
    let poses: Vec<Pose> = (0..5).map(|k| at(f64::from(k) * 2.0, 0.0, 0.0)).collect();
    let (i, hit) = geometry.ray(&poses, &Vec3::new(-3.0, 0.0, 0.0), &Vec3::x(), 100.0).unwrap();
    assert!(i == 0 && (hit.distance - 2.6).abs() < 1e-12);
    let (i, hit) = geometry.ray(&poses, &Vec3::new(5.0, 0.0, 3.0), &-Vec3::z(), 100.0).unwrap();
    assert!(i == 5 && (hit.distance - 4.0).abs() < 1e-12 && hit.normal == Vec3::z());
    assert!(geometry.ray(&poses, &Vec3::new(5.0, 0.0, 3.0), &Vec3::z(), 100.0).is_none());
}

#[test]
fn distances_are_those_of_the_contacts_and_reach_as_far_as_asked() {
    let mut workspace = CollisionWorkspace::new();
    let mut rng = Rng(15);
    for a in convex_shapes() {
        for b in [Shape::cuboid(0.3, 0.4, 0.5).unwrap(), box_mesh(0.3, 0.4, 0.5)] {
            for _ in 0..20 {
                let (xa, xb) = (rng.pose(0.1), at(3.0, 0.0, 0.0) * rng.pose(0.5));
                let d = workspace.distance(&a, &xa, &b, &xb, 100.0).unwrap();
                assert!(a.signed_distance(&xa, &d.on_a).abs() < 1e-8, "{} {}", a.name(), b.name());
                assert!(b.signed_distance(&xb, &d.on_b).abs() < 1e-8, "{} {}", a.name(), b.name());
                assert!(((d.on_a - d.on_b).norm() - d.distance).abs() < 1e-9);
                assert!(workspace.distance(&a, &xa, &b, &xb, 0.5 * d.distance).is_none());
            }
        }
    }
}

#[test]
fn filters_keep_pairs_apart() {
    let mut geometry = Geometry::new();
    let ball = Shape::sphere(1.0).unwrap();
    for body in [0, 0, 1, 2] {
        geometry.add(Collider::new(ball.clone(), body));
    }
    geometry.add(Collider::fixed(ball.clone()));
    geometry.add(Collider::fixed(Shape::plane()));
    geometry.add(Collider::new(ball, 3).with_groups(2, 4));
    geometry.exclude_bodies(Some(1), Some(0));
    geometry.exclude(3, 4);
    let poses = vec![Pose::identity(); 4];
    let mut workspace = CollisionWorkspace::new();
    let pairs = workspace.candidate_pairs(&geometry, &poses, 0.0).to_vec();
    assert_eq!(pairs, [(0, 3), (0, 4), (0, 5), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5), (3, 5)]);
}

#[test]
fn the_broad_phase_finds_every_pair_of_boxes_that_meets() {
    let mut rng = Rng(16);
    let mut geometry = Geometry::new();
    let mut poses = Vec::new();
    for k in 0..300 {
        geometry.add(Collider::new(Shape::cuboid(rng.range(0.1, 0.6), 0.3, 0.2).unwrap(), k));
        poses.push(at(rng.range(0.0, 5.0), rng.range(0.0, 5.0), rng.range(0.0, 5.0)) * rng.pose(0.0));
    }
    let mut workspace = CollisionWorkspace::new();
    let found = workspace.candidate_pairs(&geometry, &poses, 0.1).to_vec();
    let boxes: Vec<_> =
        geometry.colliders().iter().zip(&poses).map(|(c, x)| c.shape.aabb(x).grow(0.05)).collect();
    let mut truth = Vec::new();
    for i in 0..300_u32 {
        for j in i + 1..300 {
            if boxes[i as usize].meets(&boxes[j as usize]) {
                truth.push((i, j));
            }
        }
    }
    assert_eq!(found, truth);
}

#[test]
fn reduction_keeps_the_hull_and_the_deepest_and_drops_the_rest() {
    // a fine mesh standing on another: hundreds of raw points, four corners after reduction
    let heights = vec![0.0; 41 * 41];
    let ground = Shape::heightfield(41, 41, 0.1, 0.1, &heights).unwrap();
    let capsule_free = Shape::cylinder(0.3, 0.4).unwrap();
    let block = box_mesh(0.5, 0.4, 0.3);
    let mut workspace = CollisionWorkspace::new();
    let mut found = Vec::new();
    for (shape, most) in [(&block, 8), (&capsule_free, 8)] {
        let pose = at(0.03, 0.02, 0.3 - 1e-4) * turned(Vec3::z(), 0.3);
        let raw = contacts(shape, &pose, &ground, &Pose::identity(), 1e-3);
        workspace.reduction = Reduction::default();
        workspace.pair_contacts(shape, &pose, &ground, &Pose::identity(), 1e-3, &mut found);
        assert!(
            found.len() >= 4 && found.len() <= most && raw.len() >= found.len(),
            "{} {}",
            raw.len(),
            found.len()
        );
        assert!((deepest(&found).gap - deepest(&raw).gap).abs() < 1e-15);
        for d in [Vec3::x(), Vec3::y(), -Vec3::x(), -Vec3::y()] {
            let reach = |list: &[gudgeon_collide::ContactPoint]| {
                list.iter().map(|c| c.point.dot(&d)).fold(f64::MIN, f64::max)
            };
            // metres: the merging distance, and for the disc the arc between two kept rim points
            let slack = if matches!(shape.kind(), Kind::Mesh(_)) { 2e-3 } else { 0.05 };
            assert!(reach(&found) > reach(&raw) - slack, "{} {}", reach(&found), reach(&raw));
        }
        workspace.reduction = Reduction { wrench: true, ..Reduction::default() };
        workspace.pair_contacts(shape, &pose, &ground, &Pose::identity(), 1e-3, &mut found);
        assert!(found.len() >= 4 && found.len() <= raw.len());
    }
    // a part of a millimetre keeps its corners
    let tiny = Shape::cuboid(5e-4, 5e-4, 5e-4).unwrap();
    workspace.reduction = Reduction::default();
    workspace.pair_contacts(&tiny, &at(0.0, 0.0, 5e-4), &Shape::plane(), &Pose::identity(), 1e-5, &mut found);
    assert_eq!(found.len(), 4);
}

#[test]
fn a_decomposed_ring_says_how_good_it_is() {
    let shape = ring(24, 12);
    let Kind::Mesh(mesh) = shape.kind() else { panic!("a mesh") };
    let mesh: &TriMesh = mesh;
    let (parts, report) = Shape::decompose(mesh, 32, 0.01).unwrap();
    assert!(matches!(parts.kind(), Kind::Compound(_)));
    assert!(report.parts >= 4 && report.volume_ratio > 0.9 && report.volume_ratio < 1.5, "{report:?}");
}
