//! Speed of collision detection: `cargo bench -p gudgeon-collide`.
//!
//! Method. Every figure is the least of several rounds over the same poses in one process; parry's manifolds
//! are computed beside ours, round by round, on fresh manifolds (kept ones depend on history), on the
//! pairs where its answers are right, neither side reducing its points. The machine may be busy, so read the ratios, not the microseconds.
#![expect(clippy::print_stdout, clippy::format_push_string, reason = "a bench prints")]
#![expect(clippy::unwrap_used, reason = "the sizes are written here")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use gudgeon_collide::{Collider, CollisionWorkspace, Geometry, Kind, Reduction, Shape};
use nalgebra::{Isometry3, Vector3};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::{Ball, Capsule, Cuboid, Cylinder, HalfSpace, Shape as ParryShape};

type Vec3 = Vector3<f64>;

const MARGIN: f64 = 1e-3;

fn main() {
    if std::env::args().any(|a| a == "--test") {
        return;
    }
    // `-- rings` times the rings alone, `-- rings 1024` those of so many triangles, each pose once, for callgrind
    if std::env::args().any(|a| a == "rings") {
        return rings();
    }
    // `-- broad` runs the broad phase alone, `-- broad 8000` one size of it, for callgrind
    if std::env::args().any(|a| a == "broad") {
        return broad_phase();
    }
    pairs();
    rings();
    broad_phase();
    whole_scene();
}

/// The least time of `rounds` runs, in seconds per item.
fn least(rounds: usize, items: usize, mut run: impl FnMut()) -> f64 {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..rounds).map(|_| once(&mut run)).fold(f64::INFINITY, f64::min) / items as f64
}

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    fn vector(&mut self, r: f64) -> Vec3 {
        Vec3::new(self.range(-r, r), self.range(-r, r), self.range(-r, r))
    }
}

/// A pair, each as ours and parry's (whose capsules and cylinders run along y), and the height at which b rests on a.
struct Case {
    name: &'static str,
    a: Shape,
    b: Shape,
    pa: Box<dyn ParryShape>,
    pb: Box<dyn ParryShape>,
    /// Our frame of a shape to parry's: a quarter turn for shapes along z.
    turn: (bool, bool),
    rest: f64,
}

fn cases() -> Vec<Case> {
    let cuboid = || {
        (
            Shape::cuboid(0.5, 0.4, 0.3).unwrap(),
            Box::new(Cuboid::new(Vector::new(0.5, 0.4, 0.3))) as Box<dyn ParryShape>,
        )
    };
    let ball = || (Shape::sphere(0.4).unwrap(), Box::new(Ball::new(0.4)) as Box<dyn ParryShape>);
    let capsule =
        || (Shape::capsule(0.3, 0.2).unwrap(), Box::new(Capsule::new_y(0.3, 0.2)) as Box<dyn ParryShape>);
    let cylinder =
        || (Shape::cylinder(0.3, 0.35).unwrap(), Box::new(Cylinder::new(0.3, 0.35)) as Box<dyn ParryShape>);
    let plane =
        || (Shape::plane(), Box::new(HalfSpace::new(Vector::new(0.0, 0.0, 1.0))) as Box<dyn ParryShape>);
    let mut all = Vec::new();
    let mut add = |name, (a, pa), (b, pb), turn, rest| all.push(Case { name, a, b, pa, pb, turn, rest });
    add("plane, ball", plane(), ball(), (false, false), 0.4);
    add("plane, capsule", plane(), capsule(), (false, true), 0.5);
    add("plane, box", plane(), cuboid(), (false, false), 0.3);
    add("plane, cylinder", plane(), cylinder(), (false, true), 0.3);
    add("ball, ball", ball(), ball(), (false, false), 0.8);
    add("box, ball", cuboid(), ball(), (false, false), 0.7);
    add("capsule, capsule", capsule(), capsule(), (true, true), 1.0);
    add("box, capsule", cuboid(), capsule(), (false, true), 0.8);
    add("box, box", cuboid(), cuboid(), (false, false), 0.6);
    add("box, cylinder", cuboid(), cylinder(), (false, true), 0.6);
    all
}

fn to_parry(x: &Isometry3<f64>, turn: bool) -> Pose {
    let quarter = Isometry3::rotation(Vec3::x() * -std::f64::consts::FRAC_PI_2);
    let x = if turn { x * quarter } else { *x };
    // parry's y axis must be our z axis: turn by +90 degrees about x
    let x = if turn {
        x * quarter.inverse() * Isometry3::rotation(Vec3::x() * std::f64::consts::FRAC_PI_2)
    } else {
        x
    };
    let (t, r) = (x.translation.vector, x.rotation.scaled_axis());
    Pose::new(Vector::new(t.x, t.y, t.z), Vector::new(r.x, r.y, r.z))
}

fn pairs() {
    println!("pair               resting: ours us   parry   ratio     random near: ours us   parry   ratio");
    for case in cases() {
        let mut random = Random(1);
        let resting: Vec<_> = (0..200)
            .map(|_| {
                let depth = 10.0_f64.powf(random.range(-8.0, -3.0));
                let t = Vec3::new(random.range(-0.1, 0.1), random.range(-0.1, 0.1), case.rest - depth);
                Isometry3::new(t, Vec3::z() * random.range(0.0, 6.0))
            })
            .collect();
        let near: Vec<_> = (0..400)
            .map(|_| Isometry3::new(random.vector(0.6) + Vec3::z() * 0.3, random.vector(3.0)))
            .collect();
        let mut line = format!("{:<18}", case.name);
        for poses in [&resting, &near] {
            let (ours, theirs) = time_pair(&case, poses);
            line += &format!("{:>16.3} {:>9.3} {:>7.2}    ", ours * 1e6, theirs * 1e6, ours / theirs);
        }
        println!("{line}");
    }
}

fn time_pair(case: &Case, poses: &[Isometry3<f64>]) -> (f64, f64) {
    let mut workspace = CollisionWorkspace::new();
    workspace.reduction = Reduction::NONE;
    let mut found = Vec::new();
    let mut our_round = || {
        for x in poses {
            workspace.pair_contacts(&case.a, &Isometry3::identity(), &case.b, x, MARGIN, &mut found);
            black_box(&found);
        }
    };
    let base = to_parry(&Isometry3::identity(), case.turn.0);
    let placed: Vec<Pose> = poses.iter().map(|x| to_parry(x, case.turn.1)).collect();
    let dispatcher = DefaultQueryDispatcher;
    let their_round = || {
        for x in &placed {
            // both start from two world poses
            let x = base.inverse() * *x;
            let mut manifold: ContactManifold<(), ()> = ContactManifold::new();
            let done = dispatcher.contact_manifold_convex_convex(
                &x,
                &*case.pa,
                &*case.pb,
                None,
                None,
                MARGIN,
                &mut manifold,
            );
            black_box((done.is_ok(), &manifold));
        }
    };
    // turn by turn, so that what else runs on the machine slows both
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..100 {
        ours = ours.min(least(1, poses.len(), &mut our_round));
        theirs = theirs.min(least(1, poses.len(), their_round));
    }
    (ours, theirs)
}

/// As a curved surface, which is what such a mesh is taken for, or as nothing but its facets.
fn torus(n: u32, m: u32, curved: bool) -> Shape {
    let tau = std::f64::consts::TAU;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..n {
        for j in 0..m {
            let (u, v) = (tau * f64::from(i) / f64::from(n), tau * f64::from(j) / f64::from(m));
            let rho = 1.0 + 0.25 * v.cos();
            vertices.push(Vec3::new(rho * u.cos(), rho * u.sin(), 0.25 * v.sin()));
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let made =
        if curved { Shape::mesh(&vertices, &triangles) } else { Shape::faceted_mesh(&vertices, &triangles) };
    made.expect("a torus is a sound mesh").0
}

fn rings() {
    let asked: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    println!("\nhooked rings (1, 0.25), least of 30 rounds over 20 spins, ms per pair");
    for (n, m, curved) in [(32, 16, true), (32, 16, false), (100, 50, true), (100, 50, false)] {
        let ring = torus(n, m, curved);
        let Kind::Mesh(mesh) = ring.kind() else { unreachable!("made as a mesh") };
        if !asked.is_empty() && !asked.contains(&mesh.triangles().len()) {
            continue;
        }
        let rounds = if asked.is_empty() { 30 } else { 1 };
        print!("{:>6} triangles, {}:", mesh.triangles().len(), if curved { "curved " } else { "faceted" });
        for p in [-0.02, 0.0, 0.01, 0.05, 0.2] {
            let mut workspace = CollisionWorkspace::new();
            let mut found = Vec::new();
            let mut random = Random(3);
            let poses: Vec<_> = (0..20)
                .map(|_| {
                    let quarter = Isometry3::rotation(Vec3::x() * std::f64::consts::FRAC_PI_2);
                    Isometry3::translation(1.5 + p, 0.0, 0.0)
                        * quarter
                        * Isometry3::rotation(Vec3::z() * random.range(0.0, 6.0))
                })
                .collect();
            let t = least(rounds, poses.len(), || {
                for x in &poses {
                    workspace.pair_contacts(&ring, &Isometry3::identity(), &ring, x, MARGIN, &mut found);
                    black_box(&found);
                }
            });
            print!("   p {p:>5}: {:.3}", t * 1e3);
        }
        println!();
    }
}

/// n boxes filling a cube so that each meets a few others.
fn crowd(n: usize) -> (Geometry, Vec<Isometry3<f64>>) {
    let mut geometry = Geometry::new();
    let mut random = Random(9);
    let side = (n as f64).cbrt() * 0.9;
    let shape = Arc::new(Shape::cuboid(0.3, 0.4, 0.35).expect("positive sizes"));
    let poses = (0..n)
        .map(|i| {
            geometry.add(Collider::new((*shape).clone(), i));
            Isometry3::new(random.vector(0.5 * side), random.vector(3.0))
        })
        .collect();
    (geometry, poses)
}

fn broad_phase() {
    println!("\nbroad phase: boxes at constant density; time over n log2 n should not grow");
    let mut fit = Fit::default();
    let mut model = Fit::default();
    let asked: Vec<usize> = std::env::args().filter_map(|a| a.parse().ok()).collect();
    for n in [125, 250, 500, 1000, 2000, 4000, 8000] {
        if !asked.is_empty() && !asked.contains(&n) {
            continue;
        }
        let (geometry, poses) = crowd(n);
        let mut workspace = CollisionWorkspace::new();
        let mut pairs = 0;
        let t = least(20, 1, || pairs = workspace.candidate_pairs(&geometry, &poses, MARGIN).len());
        let n_log_n = n as f64 * (n as f64).log2();
        fit.add((n as f64).ln(), t.ln());
        model.add((n as f64).ln(), n_log_n.ln());
        println!(
            "{n:>6} bodies {:>9.1} us  {pairs:>6} pairs  {:>6.2} ns per n log2 n",
            t * 1e6,
            t * 1e9 / n_log_n
        );
    }
    println!(
        "fitted: time grows as n^{:.3}; n log2 n over the same sizes as n^{:.3}",
        fit.slope(),
        model.slope()
    );
}

/// A straight line by least squares.
#[derive(Default)]
struct Fit {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    xy: f64,
}

impl Fit {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
    }

    fn slope(&self) -> f64 {
        (self.n * self.xy - self.x * self.y) / (self.n * self.xx - self.x * self.x)
    }
}

fn whole_scene() {
    let (geometry, poses) = crowd(1000);
    let mut workspace = CollisionWorkspace::new();
    let mut found = Vec::new();
    let t = least(20, 1, || {
        workspace.contacts(&geometry, &poses, MARGIN, &mut found);
    });
    println!("\n1000 overlapping boxes, contacts and all: {:.2} ms, {} contacts", t * 1e3, found.len());
}
