//! Ray casts and point distances, for sensors and tools.
//!
//! Smooth shapes by the roots of their quadratics, polyhedra by clipping the ray against face planes,
//! meshes by their tree. A ray that starts inside a solid hits it at distance 0 with the normal against
//! the ray; a mesh is hit from either side.

use nalgebra::Isometry3;

use crate::convex::Core;
use crate::geometry::Geometry;
use crate::mesh::TriMesh;
use crate::rigid::{Rigid, Vec3};
use crate::shape::{Kind, Shape, convex};
use crate::tolerances::{ALONG_CONE, NO_LENGTH};
use crate::tree::Stack;

/// Where a ray meets a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Metres along the (normalised) direction.
    pub distance: f64,
    /// Unit, out of the surface that was hit, world axes.
    pub normal: Vec3,
}

impl Shape {
    /// The first point of the shape on the ray from `origin` along `direction`, within `max` metres.
    pub fn ray(&self, pose: &Isometry3<f64>, origin: &Vec3, direction: &Vec3, max: f64) -> Option<RayHit> {
        let d = direction.try_normalize(NO_LENGTH)?;
        self.ray_at(&Rigid::new(pose), origin, &d, max)
    }

    fn ray_at(&self, x: &Rigid, origin: &Vec3, direction: &Vec3, max: f64) -> Option<RayHit> {
        let (o, d) = (x.inv_point(origin), x.inv_dir(direction));
        let hit = match &self.kind {
            Kind::Plane => half_space(&o, &d, &Vec3::z(), 0.0),
            Kind::Mesh(m) => mesh_ray(m, &o, &d, max),
            Kind::Heightfield(h) => mesh_ray(&h.mesh, &o, &d, max),
            Kind::Compound(parts) => {
                let hits = parts.iter().filter_map(|(pose, s)| s.ray_at(&Rigid::new(pose), &o, &d, max));
                hits.min_by(|a, b| a.distance.total_cmp(&b.distance)).map(|h| (h.distance, h.normal))
            }
            Kind::Sphere(_)
            | Kind::Capsule { .. }
            | Kind::Cylinder { .. }
            | Kind::Cone { .. }
            | Kind::Ellipsoid(_)
            | Kind::Box(..)
            | Kind::Convex(_) => {
                let c = convex(self)?;
                if c.core.project(&o).distance <= c.radius {
                    Some((0.0, -d))
                } else {
                    core_ray(&c.core, c.radius, &o, &d)
                }
            }
        };
        hit.filter(|h| h.0 <= max).map(|(distance, n)| RayHit { distance, normal: x.dir(&n) })
    }

    /// Signed distance from a point to the shape's surface, negative inside a solid; open meshes are
    /// never negative.
    pub fn signed_distance(&self, pose: &Isometry3<f64>, point: &Vec3) -> f64 {
        self.signed_distance_at(&Rigid::new(pose), point)
    }

    fn signed_distance_at(&self, x: &Rigid, point: &Vec3) -> f64 {
        let p = x.inv_point(point);
        let to_mesh = |m: &TriMesh, inside: bool| {
            let d = m
                .nearest(&p, f64::INFINITY, &mut Stack::new())
                .map_or(f64::INFINITY, |s| s.distance_squared.sqrt());
            if inside { -d } else { d }
        };
        match &self.kind {
            Kind::Plane => p.z,
            Kind::Mesh(m) => to_mesh(m, m.inside(&p, &mut Stack::new())),
            Kind::Heightfield(h) => to_mesh(&h.mesh, h.below(&p)),
            Kind::Compound(parts) => parts
                .iter()
                .map(|(pose, s)| s.signed_distance_at(&Rigid::new(pose), &p))
                .fold(f64::INFINITY, f64::min),
            Kind::Sphere(_)
            | Kind::Capsule { .. }
            | Kind::Cylinder { .. }
            | Kind::Cone { .. }
            | Kind::Ellipsoid(_)
            | Kind::Box(..)
            | Kind::Convex(_) => {
                convex(self).map_or(f64::INFINITY, |c| c.core.project(&p).distance - c.radius)
            }
        }
    }
}

impl Geometry {
    /// The first collider a ray meets: its index and the hit. Ties go to the lower index.
    pub fn ray(
        &self,
        poses: &[Isometry3<f64>],
        origin: &Vec3,
        direction: &Vec3,
        max: f64,
    ) -> Option<(usize, RayHit)> {
        let d = direction.try_normalize(NO_LENGTH)?;
        let inv = d.map(|x| 1.0 / x);
        let mut best: Option<(usize, RayHit)> = None;
        for (i, c) in self.colliders().iter().enumerate() {
            let local = Rigid::new(&c.pose);
            let x = c.body.map_or(local, |b| Rigid::new(&poses[b]).mul(&local));
            let reach = best.map_or(max, |b| b.1.distance);
            if !matches!(c.shape.kind, Kind::Plane) && c.shape.aabb_at(&x).ray(origin, &inv, reach).is_none()
            {
                continue;
            }
            if let Some(hit) = c.shape.ray_at(&x, origin, &d, reach)
                && best.is_none_or(|b| hit.distance < b.1.distance)
            {
                best = Some((i, hit));
            }
        }
        best
    }
}

type Hit = Option<(f64, Vec3)>;

fn nearer(a: Hit, b: Hit) -> Hit {
    match (a, b) {
        (Some(p), Some(q)) => Some(if q.0 < p.0 { q } else { p }),
        (p, q) => p.or(q),
    }
}

fn half_space(o: &Vec3, d: &Vec3, n: &Vec3, offset: f64) -> Hit {
    let (height, speed) = (n.dot(o) - offset, n.dot(d));
    if height <= 0.0 {
        return Some((0.0, -d));
    }
    (speed < 0.0).then(|| (-height / speed, *n))
}

fn mesh_ray(m: &TriMesh, o: &Vec3, d: &Vec3, max: f64) -> Hit {
    m.ray(o, d, max, &mut Stack::new()).map(|(t, i)| {
        let n = m.normals[i as usize];
        (t, if n.dot(d) > 0.0 { -n } else { n })
    })
}

/// The least root t >= 0 of a t^2 + 2 b t + c, for a ray from outside (c > 0).
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let disc = b * b - a * c;
    if disc < 0.0 || a == 0.0 {
        return None;
    }
    // the stable form: no difference of near-equal numbers
    let q = -(b + disc.sqrt().copysign(b));
    let (t0, t1) = (q / a, if q == 0.0 { 0.0 } else { c / q });
    [t0.min(t1), t0.max(t1)].into_iter().find(|t| *t >= 0.0)
}

fn ball_ray(c: &Vec3, r: f64, o: &Vec3, d: &Vec3) -> Hit {
    let m = o - c;
    first_root(1.0, m.dot(d), m.norm_squared() - r * r).map(|t| (t, (m + d * t) / r))
}

/// The side of a round tube between -h and h.
fn tube_ray(h: f64, r: f64, o: &Vec3, d: &Vec3) -> Hit {
    let t = first_root(d.x * d.x + d.y * d.y, o.x * d.x + o.y * d.y, o.x * o.x + o.y * o.y - r * r)?;
    let p = o + d * t;
    (p.z.abs() <= h).then(|| (t, Vec3::new(p.x / r, p.y / r, 0.0)))
}

fn disc_ray(z: f64, r: f64, o: &Vec3, d: &Vec3) -> Hit {
    let t = (z - o.z) / d.z;
    let p = o + d * t;
    (t >= 0.0 && p.x.hypot(p.y) <= r).then(|| (t, Vec3::z() * -d.z.signum()))
}

/// A ray from outside.
fn core_ray(core: &Core<'_>, radius: f64, o: &Vec3, d: &Vec3) -> Hit {
    match *core {
        Core::Point => ball_ray(&Vec3::zeros(), radius, o, d),
        Core::Segment(h) => {
            let e = Vec3::z() * h;
            nearer(tube_ray(h, radius, o, d), nearer(ball_ray(&-e, radius, o, d), ball_ray(&e, radius, o, d)))
        }
        Core::Cylinder(h, r) => {
            nearer(tube_ray(h, r, o, d), nearer(disc_ray(-h, r, o, d), disc_ray(h, r, o, d)))
        }
        Core::Cone(h, r) => nearer(disc_ray(-h, r, o, d), cone_side_ray(h, r, o, d)),
        Core::Ellipsoid(s) => {
            let (p, v) = (o.component_div(s), d.component_div(s));
            let t = first_root(v.norm_squared(), p.dot(&v), p.norm_squared() - 1.0)?;
            Some((t, (o + d * t).component_div(s).component_div(s).normalize()))
        }
        Core::Box(_, p) | Core::Poly(p) => {
            let (mut enter, mut leave, mut normal) = (0.0, f64::INFINITY, -d);
            for f in &p.faces {
                let (height, speed) = (f.normal.dot(o) - f.offset, f.normal.dot(d));
                if speed < 0.0 {
                    if -height / speed > enter {
                        (enter, normal) = (-height / speed, f.normal);
                    }
                } else if speed > 0.0 {
                    leave = f64::min(leave, -height / speed);
                } else if height > 0.0 {
                    return None;
                }
            }
            (enter <= leave).then_some((enter, normal))
        }
    }
}

/// x^2 + y^2 = k^2 (h - z)^2 below the apex, k = r / 2h.
fn cone_side_ray(h: f64, r: f64, o: &Vec3, d: &Vec3) -> Hit {
    let k = r / (2.0 * h);
    let w = h - o.z;
    let a = d.x * d.x + d.y * d.y - k * k * d.z * d.z;
    let b = o.x * d.x + o.y * d.y + k * k * w * d.z;
    let c = o.x * o.x + o.y * o.y - k * k * w * w;
    let roots = if a.abs() < ALONG_CONE {
        [-c / (2.0 * b), f64::NAN]
    } else {
        let root = (b * b - a * c).max(-0.0).sqrt();
        if b * b - a * c < 0.0 {
            return None;
        }
        [(-b - root) / a, (-b + root) / a]
    };
    let on_side = |t: f64| t >= 0.0 && (o.z + d.z * t).abs() <= h;
    let t = roots.into_iter().filter(|t| on_side(*t)).fold(f64::INFINITY, f64::min);
    let p = o + d * t;
    t.is_finite()
        .then(|| (t, Vec3::new(p.x, p.y, k * k * (h - p.z)).try_normalize(NO_LENGTH).unwrap_or_else(Vec3::z)))
}
