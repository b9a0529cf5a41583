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
