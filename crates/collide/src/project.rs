//! Signed distance from a point to a convex core, exactly.
//!
//! Boxes, cylinders and cones in closed form, by symmetry a problem in one octant or in the (rho, z)
//! half-plane; polyhedra by their faces; ellipsoids by the root of Eberly's secular equation
//! ```text
//!     sum_i ( e_i y_i / (t + e_i^2) )^2 = 1
//! ```
//! which is monotone for t > -min e^2, so a bracketed search cannot fail; the closest point is
//! x_i = e_i^2 y_i / (t + e_i^2).

use crate::convex::Core;
use crate::polytope::Polytope;
use crate::rigid::{Vec3, norm2, tangents};
use crate::tolerances::{ELLIPSOID_POLE, NOT_ZERO};

/// The nearest point of a core's surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    /// Negative inside.
    pub distance: f64,
    /// Unit, outward at the nearest point: the gradient of the signed distance.
    pub normal: Vec3,
}

impl Core<'_> {
    pub(crate) fn project(&self, p: &Vec3) -> Projection {
        match *self {
            Core::Point => radial(p, &Vec3::zeros()),
            Core::Segment(h) => radial(p, &Vec3::new(0.0, 0.0, p.z.clamp(-h, h))),
            Core::Box(h, _) => cuboid(h, p),
            Core::Poly(poly) => polytope(poly, p),
            Core::Cylinder(h, r) => {
                // the rectangle [0, r] x [-h, h] in (rho, z)
                let (rho, u) = polar(p);
                let q = cuboid(&Vec3::new(r, h, f64::INFINITY), &Vec3::new(rho, p.z, 0.0));
                profile(q.distance, q.normal.x, q.normal.y, &u)
            }
            Core::Cone(h, r) => cone(h, r, p),
            Core::Ellipsoid(s) => ellipsoid(s, p),
        }
    }

    /// A lower bound of depth that is exact inside: the greatest signed distance to a face plane, side
    /// cylinder or cone. Positive outside. Ellipsoids, points and segments have no faces: +inf.
    pub(crate) fn face_distance(&self, p: &Vec3) -> f64 {
        match *self {
            Core::Point | Core::Segment(_) | Core::Ellipsoid(_) => f64::INFINITY,
            Core::Box(h, _) => (p.abs() - h).max(),
            Core::Poly(poly) => {
                if let Some(index) = &poly.index {
                    return index.outermost(poly, p).1;
                }
                poly.faces.iter().map(|f| f.normal.dot(p) - f.offset).fold(f64::NEG_INFINITY, f64::max)
            }
            Core::Cylinder(h, r) => (p.z.abs() - h).max(norm2(p.x, p.y) - r),
            Core::Cone(h, r) => {
                let l = norm2(r, 2.0 * h);
                (-p.z - h).max((norm2(p.x, p.y) * 2.0 * h + (p.z - h) * r) / l)
            }
        }
    }
}

fn polar(p: &Vec3) -> (f64, Vec3) {
    let rho = norm2(p.x, p.y);
    (rho, if rho > 0.0 { Vec3::new(p.x / rho, p.y / rho, 0.0) } else { Vec3::x() })
}

fn profile(distance: f64, radial: f64, axial: f64, u: &Vec3) -> Projection {
    Projection { distance, normal: u * radial + Vec3::z() * axial }
}

fn radial(p: &Vec3, q: &Vec3) -> Projection {
    let d = p - q;
    let distance = d.norm();
    let normal = if distance > 0.0 { d / distance } else { tangents(&Vec3::z()).0 };
    Projection { distance, normal }
}

fn cuboid(h: &Vec3, p: &Vec3) -> Projection {
    let over = p.abs() - h;
    if over.max() <= 0.0 {
        let k = over.imax();
        let mut normal = Vec3::zeros();
        normal[k] = 1.0_f64.copysign(p[k]);
        return Projection { distance: over[k], normal };
    }
    let q = Vec3::new(p.x.clamp(-h.x, h.x), p.y.clamp(-h.y, h.y), p.z.clamp(-h.z, h.z));
    radial(p, &q)
}

fn cone(h: f64, r: f64, p: &Vec3) -> Projection {
    let (rho, u) = polar(p);
    let l = norm2(r, 2.0 * h);
    let (normal_rho, normal_z) = (2.0 * h / l, r / l);
    let side = rho * normal_rho + (p.z - h) * normal_z;
    let base = -p.z - h;
    if side <= 0.0 && base <= 0.0 {
        return if side >= base {
            profile(side, normal_rho, normal_z, &u)
        } else {
            profile(base, 0.0, -1.0, &u)
        };
    }
    // outside: the nearer of the base disc and the side segment from (0, h) to (r, -h)
    let along = ((rho * r - (p.z - h) * 2.0 * h) / (l * l)).clamp(0.0, 1.0);
    let side_point = (along * r, h - along * 2.0 * h);
    let base_point = (rho.min(r), -h);
    let d = |q: (f64, f64)| norm2(rho - q.0, p.z - q.1);
    let q = if d(base_point) <= d(side_point) { base_point } else { side_point };
    let distance = d(q);
    if distance > 0.0 {
        profile(distance, (rho - q.0) / distance, (p.z - q.1) / distance, &u)
    } else {
        profile(0.0, normal_rho, normal_z, &u)
    }
}

/// The nearest point of a convex polygon with unit normal `n`, and whether it is inside.
fn polygon_point(poly: &Polytope, corners: &[u32], n: &Vec3, p: &Vec3) -> (Vec3, bool) {
    let at = |i: usize| poly.vertices[corners[i % corners.len()] as usize];
    let foot = p - n * n.dot(&(p - at(0)));
    let mut best = (foot, f64::INFINITY);
    let mut inside = true;
    for i in 0..corners.len() {
        let (a, e) = (at(i), at(i + 1) - at(i));
        if e.cross(&(foot - a)).dot(n) >= 0.0 {
            continue;
        }
        inside = false;
        let q = a + e * ((p - a).dot(&e) / e.norm_squared()).clamp(0.0, 1.0);
        let d = (p - q).norm_squared();
        if d < best.1 {
            best = (q, d);
        }
    }
    (best.0, inside)
}

fn polytope(poly: &Polytope, p: &Vec3) -> Projection {
    let (mut deepest, mut face) = (f64::NEG_INFINITY, 0);
    let mut nearest = (f64::INFINITY, Vec3::zeros(), 0);
    for (i, f) in poly.faces.iter().enumerate() {
        let d = f.normal.dot(p) - f.offset;
        if d > deepest {
            (deepest, face) = (d, i);
        }
        if d > 0.0 && d < nearest.0 {
            let (q, inside) = polygon_point(poly, poly.corners(f), &f.normal, p);
            if inside {
                return Projection { distance: d, normal: f.normal };
            }
            let distance = (p - q).norm();
            if distance < nearest.0 {
                nearest = (distance, q, i);
            }
        }
    }
    if deepest <= 0.0 {
        return Projection { distance: deepest, normal: poly.faces[face].normal };
    }
    radial(p, &nearest.1)
}

fn ellipsoid(s: &Vec3, p: &Vec3) -> Projection {
    let y = p.abs();
    let e2 = s.component_mul(s);
    let k = s.imin();
    let value = |t: f64| (0..3).map(|i| (s[i] * y[i] / (t + e2[i])).powi(2)).sum::<f64>() - 1.0;
    // t lies between -e_min^2 + e_min y_min (that term alone is 1) and the bound with every y_i in one
    let mut lo = -e2[k] + s[k] * y[k];
    let mut hi = -e2[k] + s.component_mul(&y).norm();
    let mut x;
    if y[k] == 0.0 && value(lo.max(-e2[k] * (1.0 - ELLIPSOID_POLE))) < 0.0 {
        // inside, on the plane of symmetry across the least axis: the nearest point leaves that plane
        x = Vec3::from_fn(|i, _| if i == k { 0.0 } else { e2[i] * y[i] / (e2[i] - e2[k]).max(NOT_ZERO) });
        for i in 0..3 {
            if i != k && e2[i] - e2[k] <= ELLIPSOID_POLE * e2[i] {
                x[i] = y[i];
            }
        }
        let rest = 1.0 - (0..3).filter(|&i| i != k).map(|i| x[i] * x[i] / e2[i]).sum::<f64>();
        x[k] = s[k] * rest.max(0.0).sqrt();
    } else {
        for _ in 0..200 {
            let mid = 0.5 * (lo + hi);
            if mid <= lo || mid >= hi {
                break;
            }
            if value(mid) > 0.0 { lo = mid } else { hi = mid }
        }
        let t = 0.5 * (lo + hi);
        x = Vec3::from_fn(|i, _| e2[i] * y[i] / (t + e2[i]));
    }
    let x = Vec3::from_fn(|i, _| x[i].copysign(p[i]));
    // the surface normal at x: exact even when p is on the surface
    let normal = x.component_div(&e2).normalize();
    let distance = (p - x).dot(&normal);
    Projection { distance, normal }
}
