//! Interlocked tori, chains of rings, a nut on a bolt: non-convex meshes against exact geometry.
//!
//! Two rings (1, 0.25) hooked into each other and pulled together by p along x have, as smooth tori, depth p
//! and normal x, whatever the twist about x and the spins about their own axes. As meshes of n x m quads
//! with their vertices on the torus they differ by the sagittas
//! ```text
//!     inner circle: 0.75 (1 - cos(pi / n)) towards the hole,    tube: 0.25 (1 - cos(pi / m)) away from it
//! ```
//! of each ring: that is the tessellation bound on depth.

use gudgeon_collide::{Collider, CollisionWorkspace, Geometry, Shape};

use crate::support::{
    Pose, Rng, Vec3, at, contacts, deepest, faceted_ring, irregular_ring, mesh_distance, ring, smooth_ring,
    thread, torus, turned,
};

fn hooked(rng: &mut Rng, p: f64) -> (Pose, Pose, Vec3) {
    let spin = |rng: &mut Rng| turned(Vec3::z(), rng.range(0.0, 6.3));
    let xa = spin(rng);
    let twist = std::f64::consts::FRAC_PI_2 + rng.range(-0.5, 0.5);
    let xb = at(2.0 - 0.5 + p, 0.0, 0.0) * turned(Vec3::x(), twist) * spin(rng);
    let scene = rng.pose(3.0);
    (scene * xa, scene * xb, scene.rotation * Vec3::x())
}

fn sagittas(n: u32, m: u32) -> (f64, f64) {
    let pi = std::f64::consts::PI;
    (0.75 * (1.0 - (pi / f64::from(n)).cos()), 0.25 * (1.0 - (pi / f64::from(m)).cos()))
}

/// Of many poses: least and greatest depth, greatest angle to the true normal in degrees, poses above one degree.
struct Survey {
    least: f64,
    most: f64,
    angle: f64,
    above: usize,
}

fn survey(shape: &Shape, p: f64, seed: u64, poses: usize) -> Survey {
    let mut rng = Rng(seed);
    let mut survey = Survey { least: f64::INFINITY, most: f64::NEG_INFINITY, angle: 0.0, above: 0 };
    for _ in 0..poses {
        let (xa, xb, axis) = hooked(&mut rng, p);
        let found = contacts(shape, &xa, shape, &xb, 0.0);
        let c = deepest(&found);
        let angle = c.normal.angle(&axis).to_degrees();
        survey.least = survey.least.min(-c.gap);
        survey.most = survey.most.max(-c.gap);
        survey.angle = survey.angle.max(angle);
        survey.above += usize::from(angle > 1.0);
    }
    survey
}

/// From a hundredth of the tube's radius, 0.0025 m, on.
const OVERLAPS: [f64; 7] = [0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

#[test]
fn interlocked_rings_have_the_depth_and_normal_of_smooth_tori() {
    for (n, m, poses) in [(32, 16, 900), (100, 50, 300)] {
        let shape = ring(n, m);
        let (inner, tube) = sagittas(n, m);
        for p in OVERLAPS {
            let Survey { least, most, angle, .. } = survey(&shape, p, 301, poses);
            println!(
                "{} triangles, p = {p}: {poses} poses, depth {least:.5} to {most:.5}, normal within {angle:.2} degrees",
                2 * n * m
            );
            // 1e-4 m: the closest approach of two facets is not straight above p's point
            assert!(
                least > p - 2.0 * tube - 1e-4 && most < p + 2.0 * inner + 1e-4,
                "{n} {m} {p} {least} {most}"
            );
            assert!(angle < 1.0, "{n} {m} {p} {angle}");
        }
    }
}

/// Meshes declared smooth though they bend by 30 degrees from facet to facet, and vertices off the regular grid by 2 and 10 % of a
/// side: there the normals at the vertices are no longer exact, which tells where tubes cross at 60 degrees.
#[test]
fn coarse_and_irregular_rings_have_the_normal_of_tori_too() {
    for p in OVERLAPS {
        let coarse = survey(&smooth_ring(24, 12), p, 404, 600);
        let [slightly, more] = [0.02, 0.1]
            .map(|off| [0, 1, 2].map(|k| survey(&irregular_ring(32, 16, off, k), p, 401 + k, 200)));
        let worst = |s: &[Survey]| s.iter().map(|s| s.angle).fold(0.0, f64::max);
        let above: usize = more.iter().map(|s| s.above).sum();
        println!(
            "p = {p}: coarse within {:.2} degrees; 2 % off within {:.2}; 10 % off within {:.2}, {above} of 600 above 1",
            coarse.angle,
            worst(&slightly),
            worst(&more)
        );
        assert!(coarse.angle < 1.0 && worst(&slightly) < 1.0, "{p}");
    }
}

/// Taken for nothing but its triangles, a ring has the normals of its facets until the overlap spans several.
#[test]
fn faceted_rings_have_the_normal_of_tori_from_several_facets_on() {
    for (n, m) in [(32, 16), (100, 50)] {
        let shape = faceted_ring(n, m);
        let (_, tube) = sagittas(n, m);
        for p in OVERLAPS {
            let angle = survey(&shape, p, 5, 300).angle;
            println!("{n} x {m}: p = {p}: normal within {angle:.2} degrees");
            // degrees: a facet leans by up to half a quad
            let limit = if p >= 6.0 * tube { 1.0 } else { 180.0 / f64::from(m) };
            assert!(angle < limit, "{n} {m} {p} {angle}");
        }
    }
}

#[test]
fn what_bends_one_way_or_sharply_is_not_taken_to_be_curved() {
    let curved =
        |vertices: &[Vec3], triangles: &[[u32; 3]]| Shape::mesh(vertices, triangles).unwrap().1.curved;
    for (n, m, whole) in [(32, 16, true), (100, 50, true), (24, 12, false)] {
        let (vertices, triangles) = torus(1.0, 0.25, n, m);
        let expected = if whole { vertices.len() } else { 0 };
        assert_eq!(curved(&vertices, &triangles), expected, "{n} x {m}");
        assert_eq!(Shape::faceted_mesh(&vertices, &triangles).unwrap().1.curved, 0);
    }
    // a tube of 24 sides in four storeys, open at the ends, and the same pressed flat
    let tube = |depth: f64| -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / 24.0;
        let point = |k: u32| {
            let (c, s) = (angle(k % 24).cos(), angle(k % 24).sin());
            Vec3::new(c, depth * s, 0.2 * f64::from(k / 24))
        };
        let quads = (0..4 * 24).map(|k| [k, k / 24 * 24 + (k + 1) % 24]);
        let triangles = quads.flat_map(|[i, j]| [[i, j, j + 24], [i, j + 24, i + 24]]).collect();
        ((0..5 * 24).map(point).collect(), triangles)
    };
    for depth in [1.0, 0.3] {
        let (vertices, triangles) = tube(depth);
        assert_eq!(curved(&vertices, &triangles), 0, "a tube of depth {depth}");
    }
}

#[test]
fn the_depth_of_interlocked_rings_grows_with_their_overlap() {
    for (n, m, poses) in [(32, 16, 300), (100, 50, 100)] {
        for shape in [ring(n, m), faceted_ring(n, m)] {
            for seed in 0..poses {
                let mut last = f64::NEG_INFINITY;
                for k in 0..20 {
                    let (xa, xb, _) = hooked(&mut Rng(seed), 1e-3 * 1.3_f64.powi(k));
                    let depth = -deepest(&contacts(&shape, &xa, &shape, &xb, 0.01)).gap;
                    assert!(depth > last, "{n} x {m}, pose {seed} step {k}: {depth} after {last}");
                    last = depth;
                }
            }
            println!(
                "{n} x {m}: {poses} poses in 20 steps of overlap from 0.001 to 0.15: depth grows at each"
            );
        }
    }
}

#[test]
fn rings_apart_within_the_margin_have_the_exact_distance_of_their_facets() {
    let shape = ring(32, 16);
    let mut rng = Rng(11);
    for _ in 0..100 {
        let p = -rng.range(0.01, 0.05);
        let (xa, xb, _) = hooked(&mut rng, p);
        let c = *deepest(&contacts(&shape, &xa, &shape, &xb, 0.08));
        let truth = mesh_distance(&shape, &xa, &shape, &xb, 0.08);
        // metres: rounding of coordinates of a few metres
        assert!((c.gap - truth).abs() < 1e-12, "{p}: {} against {truth}", c.gap);
    }
}

#[test]
fn a_chain_of_ten_rings_has_nine_contacts_and_no_others() {
    let shape = ring(48, 24);
    let mut geometry = Geometry::new();
    let mut poses = Vec::new();
    let p = 0.01;
    for k in 0..10 {
        geometry.add(Collider::new(shape.clone(), k));
        let turn = turned(Vec3::x(), if k % 2 == 0 { 0.0 } else { std::f64::consts::FRAC_PI_2 });
        poses.push(at((1.5 + p) * k as f64, 0.0, 0.0) * turn);
    }
    let mut found = Vec::new();
    CollisionWorkspace::new().contacts(&geometry, &poses, 1e-3, &mut found);
    for k in 0..9 {
        let link: Vec<_> = found.iter().filter(|c| (c.a, c.b) == (k, k + 1)).copied().collect();
        let c = deepest(&link);
        assert!(c.normal.angle(&Vec3::x()).to_degrees() < 1.0, "link {k}: {}", c.normal);
        let (inner, tube) = sagittas(48, 24);
        assert!(-c.gap > p - 2.0 * tube && -c.gap < p + 2.0 * inner, "link {k}: {}", c.gap);
    }
    assert!(found.iter().all(|c| c.b == c.a + 1));
}

#[test]
fn a_nut_turns_freely_on_its_bolt_and_jams_when_pushed() {
    let pitch = 0.2;
    let (bolt, nut) = thread(pitch, 0.01);
    for k in 0..24 {
        let angle = 0.37 * f64::from(k);
        let on_thread = at(0.0, 0.0, pitch * angle / std::f64::consts::TAU) * turned(Vec3::z(), angle);
        // clearance 0.01: nothing penetrates, and within a margin of 0.02 the flanks are seen
        assert!(
            contacts(&nut, &on_thread, &bolt, &Pose::identity(), 0.0).iter().all(|c| c.gap >= 0.0),
            "angle {angle}"
        );
        let near = contacts(&nut, &on_thread, &bolt, &Pose::identity(), 0.02);
        assert!(near.iter().any(|c| c.gap < 0.015), "angle {angle}: {}", near.len());
        // pushed up by a third of the pitch the flanks meet, and push back down
        let pushed = at(0.0, 0.0, pitch / 3.0) * on_thread;
        let jammed = contacts(&nut, &pushed, &bolt, &Pose::identity(), 0.0);
        assert!(deepest(&jammed).gap < -1e-3, "angle {angle}");
        let finite = jammed.iter().all(|c| c.gap.is_finite() && (c.normal.norm() - 1.0).abs() < 1e-12);
        assert!(finite, "angle {angle}");
    }
}
