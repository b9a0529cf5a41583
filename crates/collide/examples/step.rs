//! What a time step asks of collision detection: `cargo run --release -p gudgeon-collide --example step [scene [margin]]`.
//!
//! Each scene is called again and again with poses that jitter by a micrometre, as a simulator at rest would; the figure
//! is the least mean of many rounds, in microseconds per call. A scene's name runs that one alone, a fixed
//! number of times, which is what callgrind wants.
#![expect(clippy::print_stdout, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "the sizes are written here")]

use std::hint::black_box;
use std::time::Instant;

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry, Shape};
use nalgebra::{Isometry3, Vector3};

type Vec3 = Vector3<f64>;
type Pose = Isometry3<f64>;

/// Metres: contacts apart by up to this are reported.
const MARGIN: f64 = 1e-3;
/// Metres: how deep resting bodies are.
const SUNK: f64 = 1e-6;
/// Poses per scene, each a little off the others.
const VARIANTS: usize = 16;

struct Scene {
    name: &'static str,
    geometry: Geometry,
    poses: Vec<Pose>,
    /// Microseconds on an idle machine.
    target: f64,
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Isometry3::translation(x, y, z)
}

fn lying_along_x() -> Pose {
    Isometry3::rotation(Vec3::y() * std::f64::consts::FRAC_PI_2)
}

fn on_ground() -> Geometry {
    let mut geometry = Geometry::new();
    geometry.add(Collider::fixed(Shape::plane()));
    geometry
}

/// Five courses of six bricks in running bond, 2 mm between neighbours of a course.
fn wall() -> Scene {
    let mut geometry = on_ground();
    let mut poses = Vec::new();
    let brick = Shape::cuboid(0.1, 0.05, 0.03).unwrap();
    for course in 0..5 {
        for k in 0..6 {
            geometry.add(Collider::new(brick.clone(), poses.len()));
            let shift = if course % 2 == 0 { 0.0 } else { 0.101 };
            let z = 0.03 + 0.06 * f64::from(course) - SUNK * f64::from(course + 1);
            poses.push(at(0.202 * f64::from(k) + shift, 0.0, z));
        }
    }
    Scene { name: "wall", geometry, poses, target: 150.0 }
}

/// Ten boxes on each other, each turned a little further.
fn stack() -> Scene {
    let mut geometry = on_ground();
    let mut poses = Vec::new();
    let shape = Shape::cuboid(0.1, 0.1, 0.1).unwrap();
    for k in 0..10 {
        geometry.add(Collider::new(shape.clone(), k));
        let z = 0.1 + 0.2 * k as f64 - SUNK * (k + 1) as f64;
        poses.push(at(0.0, 0.0, z) * Isometry3::rotation(Vec3::z() * (0.03 * k as f64)));
    }
    Scene { name: "stack", geometry, poses, target: 30.0 }
}

/// A rigid frame standing on sixteen balls.
fn frame() -> Scene {
    let mut geometry = on_ground();
    let foot = Shape::sphere(0.02).unwrap();
    let angle = |k: i32| std::f64::consts::TAU * f64::from(k) / 16.0;
    let feet = (0..16).map(|k| (at(0.3 * angle(k).cos(), 0.3 * angle(k).sin(), -0.08), foot.clone()));
    geometry.add(Collider::new(Shape::compound(feet.collect()).unwrap(), 0));
    Scene { name: "frame", geometry, poses: vec![at(0.0, 0.0, 0.1 - SUNK)], target: 8.0 }
}

/// Twenty-one boxes and capsules standing on two feet, neighbours excluded.
fn humanoid() -> Scene {
    let mut geometry = on_ground();
    let mut poses: Vec<Pose> = Vec::new();
    let capsule = |h: f64, r: f64| Shape::capsule(h, r).unwrap();
    let cuboid = |x: f64, y: f64, z: f64| Shape::cuboid(x, y, z).unwrap();
    let mut add = |shape: Shape, parent: Option<usize>, pose: Pose| {
        let body = poses.len();
        geometry.add(Collider::new(shape, body));
        if let Some(p) = parent {
            geometry.exclude_bodies(Some(p), Some(body));
        }
        poses.push(pose);
        body
    };
    let pelvis = add(cuboid(0.1, 0.15, 0.06), None, at(0.0, 0.0, 0.95));
    let waist = add(capsule(0.04, 0.09), Some(pelvis), at(0.0, 0.0, 1.08));
    let chest = add(cuboid(0.1, 0.16, 0.12), Some(waist), at(0.0, 0.0, 1.25));
    let neck = add(capsule(0.03, 0.04), Some(chest), at(0.0, 0.0, 1.42));
    add(capsule(0.04, 0.09), Some(neck), at(0.0, 0.0, 1.55));
    for side in [-1.0, 1.0] {
        let shoulder = add(capsule(0.02, 0.05), Some(chest), at(0.0, 0.22 * side, 1.32));
        let upper = add(capsule(0.12, 0.04), Some(shoulder), at(0.0, 0.26 * side, 1.14));
        let lower = add(capsule(0.11, 0.035), Some(upper), at(0.0, 0.26 * side, 0.9));
        add(cuboid(0.03, 0.02, 0.06), Some(lower), at(0.0, 0.26 * side, 0.7));
        let thigh = add(capsule(0.16, 0.06), Some(pelvis), at(0.0, 0.1 * side, 0.7));
        let shin = add(capsule(0.16, 0.05), Some(thigh), at(0.0, 0.1 * side, 0.3));
        let foot = add(cuboid(0.1, 0.045, 0.03), Some(shin), at(0.03, 0.1 * side, 0.03 - SUNK));
        add(cuboid(0.03, 0.045, 0.02), Some(foot), at(0.17, 0.1 * side, 0.02 - SUNK));
    }
    assert_eq!(poses.len(), 21);
    Scene { name: "humanoid", geometry, poses, target: 10.0 }
}

/// A chain of twenty-five capsules hung over a fixed cylinder and, lower down, past a fixed capsule.
fn chain() -> Scene {
    let mut geometry = Geometry::new();
    let across = Isometry3::rotation(Vec3::x() * std::f64::consts::FRAC_PI_2);
    geometry.add(Collider::fixed(Shape::cylinder(0.3, 0.2).unwrap()).at(across));
    geometry.add(Collider::fixed(Shape::capsule(0.3, 0.2).unwrap()).at(at(0.0, 0.0, -0.45) * across));
    let (half, radius) = (0.02, 0.015);
    let link = Shape::capsule(half, radius).unwrap();
    let mut poses = Vec::new();
    // seven links on each side of the top lie on the cylinder, the others hang straight down
    let around = 0.2 + radius - SUNK;
    let step = 2.0 * (2.0 * half / (2.0 * around)).asin() * 1.05;
    for k in 0..25 {
        geometry.add(Collider::new(link.clone(), k));
        if k > 0 {
            geometry.exclude_bodies(Some(k - 1), Some(k));
        }
        let angle = step * (k as f64 - 12.0);
        let quarter = std::f64::consts::FRAC_PI_2;
        poses.push(if angle.abs() <= quarter {
            Isometry3::rotation(Vec3::y() * angle) * at(0.0, 0.0, around) * lying_along_x()
        } else {
            let down = (angle.abs() - quarter) / step * 2.0 * half * 1.05;
            at(around * angle.signum(), 0.0, -down)
        });
    }
    Scene { name: "chain", geometry, poses, target: 20.0 }
}

/// Seven rings of 576 triangles, tube 6 mm, each hooked into the one before by a tenth of a millimetre.
fn rings() -> Scene {
    let tau = std::f64::consts::TAU;
    let (big, small, n, m) = (0.03, 0.006, 24_u32, 12_u32);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..n {
        for j in 0..m {
            let (u, v) =
                (tau * (f64::from(i) + 0.33) / f64::from(n), tau * (f64::from(j) + 0.33) / f64::from(m));
            let reach = big + small * v.cos();
            vertices.push(Vec3::new(reach * u.cos(), reach * u.sin(), small * v.sin()));
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let ring = Shape::mesh(&vertices, &triangles).unwrap().0;
    let mut geometry = Geometry::new();
    let mut poses = Vec::new();
    for k in 0..7 {
        geometry.add(Collider::new(ring.clone(), k));
        let turn = Isometry3::rotation(Vec3::x() * (0.25 * tau * k as f64));
        poses.push(at((2.0 * (big - small) + 1e-4) * k as f64, 0.0, 0.0) * turn);
    }
    Scene { name: "rings", geometry, poses, target: 300.0 }
}

/// The same poses, each moved by about a micrometre.
fn jittered(poses: &[Pose], seed: u64) -> Vec<Pose> {
    let mut state = seed.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(3_037_000_493);
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1e-6 * ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
    };
    let mut vector = || Vec3::new(next(), next(), next());
    poses.iter().map(|x| Isometry3::new(vector(), vector() * 0.1) * x).collect()
}

fn main() {
    let only = std::env::args().nth(1);
    // metres: a simulator takes more while bodies are fast
    let margin = std::env::args().nth(2).map_or(MARGIN, |m| m.parse().unwrap());
    for scene in [wall(), stack(), frame(), humanoid(), chain(), rings()] {
        if only.as_deref().is_some_and(|name| name != scene.name) {
            continue;
        }
        let variants: Vec<Vec<Pose>> = (0..VARIANTS as u64).map(|k| jittered(&scene.poses, k)).collect();
        let mut workspace = CollisionWorkspace::new();
        let mut out: Vec<ContactPoint> = Vec::new();
        let mut pairs = 0;
        let mut round = || {
            let start = Instant::now();
            for poses in &variants {
                pairs = workspace.contacts(&scene.geometry, poses, margin, &mut out).pairs;
                black_box(&out);
            }
            start.elapsed().as_secs_f64() / variants.len() as f64
        };
        let rounds = if only.is_some() { 5 } else { 1000 };
        let least = (0..rounds).map(|_| round()).fold(f64::INFINITY, f64::min) * 1e6;
        println!(
            "{:<9} {:>3} colliders {pairs:>3} pairs {:>3} contacts {least:>8.2} us per call, target {}",
            scene.name,
            scene.geometry.colliders().len(),
            out.len(),
            scene.target
        );
    }
}
