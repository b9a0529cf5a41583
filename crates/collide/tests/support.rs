//! Random numbers, shapes, meshes and oracles shared by the tests. The oracles know nothing of the crate's
//! algorithms: support functions by definition, separations by search.

use gudgeon_collide::{CollisionWorkspace, ContactPoint, Kind, Polytope, Reduction, Shape};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

pub(crate) type Vec3 = Vector3<f64>;
pub(crate) type Pose = Isometry3<f64>;

/// splitmix64: small, seeded, the same everywhere.
pub(crate) struct Rng(pub u64);

impl Rng {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % n as u64).expect("below n")
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::new(self.range(-1.0, 1.0), self.range(-1.0, 1.0), self.range(-1.0, 1.0));
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> UnitQuaternion<f64> {
        let axis = nalgebra::Unit::new_normalize(self.direction());
        UnitQuaternion::from_axis_angle(&axis, self.range(0.0, std::f64::consts::TAU))
    }

    pub(crate) fn pose(&mut self, reach: f64) -> Pose {
        let t = self.direction() * self.range(0.0, reach);
        Isometry3::from_parts(Translation3::from(t), self.rotation())
    }
}

/// One of each convex kind, of about unit size and with no two lengths alike.
pub(crate) fn convex_shapes() -> Vec<Shape> {
    let mut rng = Rng(7);
    let cloud: Vec<Vec3> =
        (0..20).map(|_| rng.direction().component_mul(&Vec3::new(0.9, 0.7, 0.6))).collect();
    vec![
        Shape::sphere(0.6).unwrap(),
        Shape::capsule(0.5, 0.3).unwrap(),
        Shape::cuboid(0.5, 0.7, 0.4).unwrap(),
        Shape::cylinder(0.45, 0.55).unwrap(),
        Shape::cone(0.6, 0.5).unwrap(),
        Shape::ellipsoid(0.4, 0.6, 0.8).unwrap(),
        Shape::convex(Polytope::prism(7, 0.6, 0.4).unwrap()),
        Shape::convex_hull(&cloud).unwrap(),
    ]
}

/// The greatest d . x over the shape at the origin, by definition.
pub(crate) fn support(shape: &Shape, d: &Vec3) -> f64 {
    let across = d.x.hypot(d.y);
    match shape.kind() {
        Kind::Sphere(r) => r * d.norm(),
        Kind::Capsule { half_height, radius } => half_height * d.z.abs() + radius * d.norm(),
        Kind::Box(h, _) => h.dot(&d.abs()),
        Kind::Cylinder { half_height, radius } => half_height * d.z.abs() + radius * across,
        Kind::Cone { half_height, radius } => (half_height * d.z).max(radius * across - half_height * d.z),
        Kind::Ellipsoid(s) => s.component_mul(d).norm(),
        Kind::Convex(p) => p.polytope().vertices().iter().map(|v| v.dot(d)).fold(f64::NEG_INFINITY, f64::max),
        Kind::Mesh(m) => m.vertices().iter().map(|v| v.dot(d)).fold(f64::NEG_INFINITY, f64::max),
        _ => panic!("not convex"),
    }
}

/// Separation along n, from b into a; the signed distance is its greatest value.
pub(crate) fn separation(a: &Shape, xa: &Pose, b: &Shape, xb: &Pose, n: &Vec3) -> f64 {
    let da = xa.rotation.inverse() * -n;
    let db = xb.rotation.inverse() * n;
    n.dot(&(xa.translation.vector - xb.translation.vector)) - support(a, &da) - support(b, &db)
}

/// Evenly spread directions.
pub(crate) fn fibonacci(count: usize) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..count)
        .map(|i| {
            let z = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * (golden * i as f64).cos(), r * (golden * i as f64).sin(), z)
        })
        .collect()
}

/// The greatest separation a climb finds from the best two of some directions, to about 1e-6. Every
/// direction is a lower bound, so this never exceeds the truth.
pub(crate) fn climb(a: &Shape, xa: &Pose, b: &Shape, xb: &Pose, directions: &[Vec3]) -> f64 {
    let mut first = (f64::NEG_INFINITY, Vec3::z());
    let mut second = first;
    for n in directions {
        let s = separation(a, xa, b, xb, n);
        if s > first.0 {
            (first, second) = ((s, *n), first);
        } else if s > second.0 {
            second = (s, *n);
        }
    }
    let mut best = f64::NEG_INFINITY;
    for (mut s, mut n) in [first, second] {
        let mut step = 0.2;
        for _ in 0..40 {
            let e = if n.x.abs() < 0.6 { Vec3::x() } else { Vec3::y() };
            let t1 = n.cross(&e).normalize();
            let t2 = n.cross(&t1);
            let before = s;
            for t in [t1, -t1, t2, -t2, t1 + t2, t1 - t2, t2 - t1, -t1 - t2] {
                let m = (n + t * step).normalize();
                let found = separation(a, xa, b, xb, &m);
                if found > s {
                    (s, n) = (found, m);
                }
            }
            if s < before + 0.02 * step {
                step *= 0.4;
            }
        }
        best = best.max(s);
    }
    best
}

/// Contacts of a pair without reduction.
pub(crate) fn contacts(a: &Shape, xa: &Pose, b: &Shape, xb: &Pose, margin: f64) -> Vec<ContactPoint> {
    let mut workspace = CollisionWorkspace::new();
    workspace.reduction = Reduction::NONE;
    let mut out = Vec::new();
    workspace.pair_contacts(a, xa, b, xb, margin, &mut out);
    out
}

pub(crate) fn deepest(points: &[ContactPoint]) -> &ContactPoint {
    points.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).expect("at least one contact")
}

/// A torus around z, `n` segments round the ring and `m` round the tube: 2 n m triangles.
pub(crate) fn torus(big: f64, small: f64, n: u32, m: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let tau = std::f64::consts::TAU;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..m {
            let (u, v) = (tau * f64::from(i) / f64::from(n), tau * f64::from(j) / f64::from(m));
            let rho = big + small * v.cos();
            vertices.push(Vec3::new(rho * u.cos(), rho * u.sin(), small * v.sin()));
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

pub(crate) fn ring(n: u32, m: u32) -> Shape {
    let (vertices, triangles) = torus(1.0, 0.25, n, m);
    let (shape, report) = Shape::mesh(&vertices, &triangles).unwrap();
    assert!(report.closed && report.flipped == 0, "{report}");
    shape
}

/// The same ring as nothing but its triangles.
pub(crate) fn faceted_ring(n: u32, m: u32) -> Shape {
    let (vertices, triangles) = torus(1.0, 0.25, n, m);
    Shape::faceted_mesh(&vertices, &triangles).unwrap().0
}

/// A ring declared smooth whose vertices lie anywhere within `off` of a side of where the regular one has them, on the torus.
pub(crate) fn irregular_ring(n: u32, m: u32, off: f64, seed: u64) -> Shape {
    let mut rng = Rng(seed);
    let tau = std::f64::consts::TAU;
    let (_, triangles) = torus(1.0, 0.25, n, m);
    let moved = |k: u32| {
        let (i, j) = (k / m, k % m);
        let (u, v) = (f64::from(i) + rng.range(-off, off), f64::from(j) + rng.range(-off, off));
        let (u, v) = (tau * u / f64::from(n), tau * v / f64::from(m));
        let rho = 1.0 + 0.25 * v.cos();
        Vec3::new(rho * u.cos(), rho * u.sin(), 0.25 * v.sin())
    };
    let vertices: Vec<Vec3> = (0..n * m).map(moved).collect();
    Shape::smooth_mesh(&vertices, &triangles, 0.9).unwrap().0
}

/// The same ring declared smooth.
pub(crate) fn smooth_ring(n: u32, m: u32) -> Shape {
    let (vertices, triangles) = torus(1.0, 0.25, n, m);
    Shape::smooth_mesh(&vertices, &triangles, 0.6).unwrap().0
}

/// A box as a mesh of twelve triangles.
pub(crate) fn box_mesh(x: f64, y: f64, z: f64) -> Shape {
    let corner = |i: u32| {
        let s = |bit: u32, h: f64| if i & bit == 0 { -h } else { h };
        Vec3::new(s(1, x), s(2, y), s(4, z))
    };
    let vertices: Vec<Vec3> = (0..8).map(corner).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles: Vec<[u32; 3]> =
        quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    Shape::mesh(&vertices, &triangles).unwrap().0
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Isometry3::translation(x, y, z)
}

pub(crate) fn turned(axis: Vec3, angle: f64) -> Pose {
    Isometry3::rotation(axis * angle)
}

/// A bolt with a triangular thread around z and a nut that fits it with the given radial clearance.
pub(crate) fn thread(pitch: f64, clearance: f64) -> (Shape, Shape) {
    const ROUND: u32 = 48;
    let tau = std::f64::consts::TAU;
    let radius = |angle: f64, z: f64| {
        let phase = (z / pitch - angle / tau).rem_euclid(1.0);
        0.4 + 0.2 * (0.5 - (phase - 0.5).abs())
    };
    // rows of points from bottom to top at the given radii, each row closed
    let wall = |rows: u32, half: f64, r: &dyn Fn(f64, f64) -> f64| -> Vec<Vec3> {
        let point = |i: u32, k: u32| {
            let (angle, z) =
                (tau * f64::from(k) / f64::from(ROUND), half * (2.0 * f64::from(i) / f64::from(rows) - 1.0));
            Vec3::new(r(angle, z) * angle.cos(), r(angle, z) * angle.sin(), z)
        };
        (0..=rows).flat_map(|i| (0..ROUND).map(move |k| (i, k))).map(|(i, k)| point(i, k)).collect()
    };
    let quads = |rows: u32, base: u32, out: bool, triangles: &mut Vec<[u32; 3]>| {
        for i in 0..rows {
            for k in 0..ROUND {
                let at = |i: u32, k: u32| base + i * ROUND + k % ROUND;
                let (a, b, c, d) = (at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k));
                triangles.extend(if out { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
    };
    let (rows, half) = (60, 0.6);
    let mut vertices = wall(rows, half, &radius);
    let mut triangles = Vec::new();
    quads(rows, 0, true, &mut triangles);
    let (low, high) = (u32::try_from(vertices.len()).unwrap(), u32::try_from(vertices.len()).unwrap() + 1);
    vertices.extend([Vec3::new(0.0, 0.0, -half), Vec3::new(0.0, 0.0, half)]);
    for k in 0..ROUND {
        let (next, top) = ((k + 1) % ROUND, rows * ROUND);
        triangles.extend([[low, next, k], [high, top + k, top + next]]);
    }
    let (bolt, report) = Shape::mesh(&vertices, &triangles).unwrap();
    assert!(report.closed, "{report}");

    let (rows, half) = (20, 0.2);
    let mut vertices = wall(rows, half, &|angle, z| radius(angle, z) + clearance);
    let outer = u32::try_from(vertices.len()).unwrap();
    vertices.extend(wall(1, half, &|_, _| 0.9));
    let mut triangles = Vec::new();
    quads(rows, 0, false, &mut triangles);
    quads(1, outer, true, &mut triangles);
    for k in 0..ROUND {
        let next = (k + 1) % ROUND;
        let (bottom, top) = (outer, outer + ROUND);
        triangles.extend([[k, next, bottom + next], [k, bottom + next, bottom + k]]);
        let inner = rows * ROUND;
        triangles.extend([[inner + k, top + next, inner + next], [inner + k, top + k, top + next]]);
    }
    let (nut, report) = Shape::mesh(&vertices, &triangles).unwrap();
    assert!(report.closed, "{report}");
    (bolt, nut)
}

/// Distance of two meshes that do not cut each other, by trying every corner against every triangle and every
/// edge against every edge, among triangles whose boxes come within `within`.
pub(crate) fn mesh_distance(a: &Shape, xa: &Pose, b: &Shape, xb: &Pose, within: f64) -> f64 {
    let world = |s: &Shape, x: &Pose| -> Vec<[Vec3; 3]> {
        let Kind::Mesh(m) = s.kind() else { panic!("a mesh") };
        let corner = |i: u32| x.rotation * m.vertices()[i as usize] + x.translation.vector;
        m.triangles().iter().map(|t| t.map(corner)).collect()
    };
    let (ta, tb) = (world(a, xa), world(b, xb));
    let bounds = |t: &[Vec3; 3]| (t[0].inf(&t[1]).inf(&t[2]), t[0].sup(&t[1]).sup(&t[2]));
    let mut best = f64::INFINITY;
    for s in &ta {
        let (lo, hi) = bounds(s);
        for t in &tb {
            let (lo_t, hi_t) = bounds(t);
            if (lo - hi_t).max() > within || (lo_t - hi).max() > within {
                continue;
            }
            for k in 0..3 {
                best = best.min(to_triangle(&s[k], t)).min(to_triangle(&t[k], s));
                for m in 0..3 {
                    best = best.min(segment_distance(&s[k], &s[(k + 1) % 3], &t[m], &t[(m + 1) % 3]));
                }
            }
        }
    }
    best
}

fn segment_point(p: &Vec3, u: &Vec3, v: &Vec3) -> f64 {
    let d = v - u;
    (p - u - d * ((p - u).dot(&d) / d.norm_squared()).clamp(0.0, 1.0)).norm()
}

fn to_triangle(p: &Vec3, t: &[Vec3; 3]) -> f64 {
    let n = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
    let inside = (0..3).all(|k| n.dot(&(t[(k + 1) % 3] - t[k]).cross(&(p - t[k]))) >= 0.0);
    let borders = (0..3).map(|k| segment_point(p, &t[k], &t[(k + 1) % 3])).fold(f64::INFINITY, f64::min);
    if inside { n.dot(&(p - t[0])).abs() } else { borders }
}

fn segment_distance(p: &Vec3, q: &Vec3, u: &Vec3, v: &Vec3) -> f64 {
    let ends = segment_point(p, u, v)
        .min(segment_point(q, u, v))
        .min(segment_point(u, p, q))
        .min(segment_point(v, p, q));
    let (d, e, r) = (q - p, v - u, u - p);
    let c = d.cross(&e);
    let c2 = c.norm_squared();
    if c2 < 1e-18 {
        return ends;
    }
    let (s, t) = (r.cross(&e).dot(&c) / c2, r.cross(&d).dot(&c) / c2);
    let crossing = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if crossing { ends.min(r.dot(&c).abs() / c2.sqrt()) } else { ends }
}

/// A gently rolling heightfield of 13 x 17 samples.
pub(crate) fn hills() -> Shape {
    let heights: Vec<f64> = (0..13 * 17)
        .map(|i| 0.1 * (0.9 * f64::from(i % 17)).sin() + 0.08 * (1.3 * f64::from(i / 17)).cos())
        .collect();
    Shape::heightfield(13, 17, 0.3, 0.35, &heights).unwrap()
}

/// One of every kind of shape that can move, and the fixed ones.
pub(crate) fn all_shapes() -> Vec<Shape> {
    let mut all = convex_shapes();
    all.push(ring(24, 12));
    all.push(box_mesh(0.5, 0.4, 0.3));
    let parts = vec![
        (at(0.4, 0.0, 0.0), Shape::sphere(0.3).unwrap()),
        (at(-0.3, 0.1, 0.0) * turned(Vec3::x(), 0.4), Shape::cuboid(0.3, 0.2, 0.4).unwrap()),
    ];
    all.push(Shape::compound(parts).unwrap());
    all.push(Shape::plane());
    all.push(hills());
    all
}
