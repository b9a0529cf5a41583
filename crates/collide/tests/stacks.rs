//! Resting stacks: whole faces, exact normals, at every depth from a centimetre to a gap.
//!
//! The points of a face contact must span the overlap of the two faces. The overlap is computed here by
//! clipping polygons in the plane; discs stand in as 96-gons.

use gudgeon_collide::{Polytope, Shape};

use crate::support::{Rng, Vec3, at, contacts, turned};

/// A shape with its half height and the outline of its end face.
struct Block {
    shape: Shape,
    half: f64,
    outline: Vec<(f64, f64)>,
}

fn polygon(sides: usize, radius: f64) -> Vec<(f64, f64)> {
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / sides as f64;
    (0..sides).map(|k| (radius * angle(k).cos(), radius * angle(k).sin())).collect()
}

fn blocks() -> Vec<Block> {
    let mut all: Vec<Block> = [3, 4, 5, 6, 7, 8, 12, 16, 24]
        .iter()
        .map(|&sides| Block {
            shape: Shape::convex(Polytope::prism(sides, 0.5, 0.3).unwrap()),
            half: 0.3,
            outline: polygon(sides, 0.5),
        })
        .collect();
    let corners = vec![(-0.4, -0.3), (0.4, -0.3), (0.4, 0.3), (-0.4, 0.3)];
    all.push(Block { shape: Shape::cuboid(0.4, 0.3, 0.2).unwrap(), half: 0.2, outline: corners });
    all.push(Block { shape: Shape::cylinder(0.25, 0.45).unwrap(), half: 0.25, outline: polygon(96, 0.45) });
    all
}

/// Area of the overlap of two convex outlines, the second turned and moved, by clipping.
fn overlap(a: &[(f64, f64)], b: &[(f64, f64)], yaw: f64, dx: f64, dy: f64) -> f64 {
    let moved =
        |p: &(f64, f64)| (p.0 * yaw.cos() - p.1 * yaw.sin() + dx, p.0 * yaw.sin() + p.1 * yaw.cos() + dy);
    let mut left: Vec<(f64, f64)> = b.iter().map(moved).collect();
    for i in 0..a.len() {
        let (u, v) = (a[i], a[(i + 1) % a.len()]);
        let side = |p: &(f64, f64)| (v.0 - u.0) * (p.1 - u.1) - (v.1 - u.1) * (p.0 - u.0);
        let mut next = Vec::new();
        for k in 0..left.len() {
            let (p, q) = (left[k], left[(k + 1) % left.len()]);
            let (sp, sq) = (side(&p), side(&q));
            if sp >= 0.0 {
                next.push(p);
            }
            if (sp > 0.0 && sq < 0.0) || (sp < 0.0 && sq > 0.0) {
                let t = sp / (sp - sq);
                next.push((p.0 + (q.0 - p.0) * t, p.1 + (q.1 - p.1) * t));
            }
        }
        left = next;
    }
    area(&left)
}

fn area(p: &[(f64, f64)]) -> f64 {
    let cross = |i: usize| p[i].0 * p[(i + 1) % p.len()].1 - p[i].1 * p[(i + 1) % p.len()].0;
    0.5 * (0..p.len()).map(cross).sum::<f64>()
}

/// Area of the hull of some plane points.
fn hull_area(mut p: Vec<(f64, f64)>) -> f64 {
    p.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for pass in 0..2 {
        let start = hull.len();
        for q in &p {
            let left =
                |o: &(f64, f64), a: &(f64, f64)| (a.0 - o.0) * (q.1 - o.1) - (a.1 - o.1) * (q.0 - o.0) > 0.0;
            while hull.len() >= start + 2 && !left(&hull[hull.len() - 2], &hull[hull.len() - 1]) {
                hull.pop();
            }
            hull.push(*q);
        }
        hull.pop();
        if pass == 0 {
            p.reverse();
        }
    }
    area(&hull)
}

fn check(low: &Block, high: &Block, yaw: f64, dx: f64, dy: f64, depth: f64) {
    let what =
        format!("{} on {} yaw {yaw} offset {dx} {dy} depth {depth}", high.shape.name(), low.shape.name());
    let pose = at(dx, dy, low.half + high.half - depth) * turned(Vec3::z(), yaw);
    let found = contacts(&high.shape, &pose, &low.shape, &at(0.0, 0.0, 0.0), 2e-3);
    let truth = overlap(&low.outline, &high.outline, yaw, dx, dy);
    // square metres: overlaps thinner than a depth are edge contacts, and the depth may be the smaller way out
    if truth < 0.05 {
        return;
    }
    assert!(found.len() >= 3, "{what}: {} points", found.len());
    for c in &found {
        // radians and metres: a face normal is a column of a rotation matrix, exact to rounding
        assert!((c.normal - Vec3::z()).norm() < 1e-14, "{what}: {}", c.normal);
        assert!((c.gap + depth).abs() < 1e-14, "{what}: {}", c.gap);
    }
    let spread = hull_area(found.iter().map(|c| (c.point.x, c.point.y)).collect());
    // polygons: every corner of the overlap is a point. Discs: eight rim points hold 0.90 of a disc,
    // and what an arc cuts off beyond the last of them is less than a tenth more
    let round = low.outline.len().max(high.outline.len()) == 96;
    let least = if round { 0.8 } else { 1.0 - 1e-6 };
    assert!(spread > least * truth && spread < (1.0 + 2e-3) * truth, "{what}: {spread} of {truth}");
}

const DEPTHS: [f64; 8] = [1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 0.0, -1e-6, -1e-3];

#[test]
fn aligned_yawed_and_offset_stacks_have_whole_faces() {
    let blocks = blocks();
    let mut rng = Rng(3);
    for low in &blocks {
        for high in &blocks {
            for depth in DEPTHS {
                check(low, high, 0.0, 0.0, 0.0, depth);
                for _ in 0..4 {
                    let (yaw, dx, dy) = (rng.range(0.0, 6.3), rng.range(-0.4, 0.4), rng.range(-0.4, 0.4));
                    check(low, high, yaw, 0.0, 0.0, depth);
                    check(low, high, 0.0, dx, dy, depth);
                    check(low, high, yaw, dx, dy, depth);
                }
            }
        }
    }
}

#[test]
fn blocks_stand_on_a_plane_with_their_whole_face() {
    for block in blocks() {
        for depth in DEPTHS {
            let pose = at(0.3, -0.2, block.half - depth) * turned(Vec3::z(), 0.7);
            let found = contacts(&block.shape, &pose, &Shape::plane(), &at(0.0, 0.0, 0.0), 2e-3);
            let spread = hull_area(found.iter().map(|c| (c.point.x, c.point.y)).collect());
            assert!(spread > 0.89 * area(&block.outline), "{} {depth}", block.shape.name());
            assert!(found.iter().all(|c| c.normal == Vec3::z() && (c.gap + depth).abs() < 1e-14));
        }
    }
}

#[test]
fn cylinders_and_capsules_on_their_side_touch_along_a_line() {
    let lying = turned(Vec3::y(), std::f64::consts::FRAC_PI_2);
    let ground = Shape::cuboid(1.0, 1.0, 0.1).unwrap();
    for (shape, half) in [(Shape::cylinder(0.4, 0.2).unwrap(), 0.4), (Shape::capsule(0.4, 0.2).unwrap(), 0.4)]
    {
        for depth in DEPTHS {
            for yaw in [0.0, 0.4, 2.0] {
                let pose = at(0.0, 0.0, 0.3 - depth) * turned(Vec3::z(), yaw) * lying;
                for (other, other_pose) in
                    [(&ground, at(0.0, 0.0, 0.0)), (&Shape::plane(), at(0.0, 0.0, 0.1))]
                {
                    let found = contacts(&shape, &pose, other, &other_pose, 2e-3);
                    assert!(found.len() >= 2, "{} {depth} {yaw}: {}", shape.name(), found.len());
                    let length = (found[0].point - found[1].point).norm();
                    assert!((length - 2.0 * half).abs() < 1e-9, "{} {depth} {yaw}: {length}", shape.name());
                    // metres and radians: the pose's quaternion is rounded, its sines are off by 1e-16
                    assert!(
                        found
                            .iter()
                            .all(|c| (c.gap + depth).abs() < 1e-14 && (c.normal - Vec3::z()).norm() < 1e-14)
                    );
                }
            }
        }
    }
}

#[test]
fn a_face_tilted_by_rounding_keeps_all_its_points() {
    let (low, high) = (Shape::cuboid(0.5, 0.5, 0.5).unwrap(), Shape::cuboid(0.3, 0.4, 0.5).unwrap());
    let mut rng = Rng(9);
    for _ in 0..1000 {
        let tilt = 10.0_f64.powf(rng.range(-12.0, -3.0));
        let pose = at(0.1, 0.05, 1.0 - 1e-5)
            * turned(rng.direction(), tilt)
            * turned(Vec3::z(), rng.range(0.0, 6.0));
        let found = contacts(&high, &pose, &low, &at(0.0, 0.0, 0.0), 2e-3);
        assert!(found.len() >= 4, "tilt {tilt}: {} points", found.len());
        assert!(found.iter().all(|c| c.normal.angle(&Vec3::z()) <= 1.5 * tilt + 1e-7), "tilt {tilt}");
    }
}
