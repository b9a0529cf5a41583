//! Slopes in closed form, from the two features that touch.
//!
//! The surface point of each body moves with the body, slides along what is straight there, and rolls over what is curved:
//! ```text
//!     δp_a = ξ_a(p_a) + Σ s_a α_a − R_a (δn − θ_a × n)          outward of a is −n
//!     δp_b = ξ_b(p_b) + Σ s_b α_b + R_b (δn − θ_b × n)          outward of b is n
//!     δp_a − δp_b = δgap n + gap δn
//! ```
//! | feature          | slides s             | holds n against     | R, tangent to the surface              |
//! |------------------|----------------------|---------------------|----------------------------------------|
//! | vertex           |                      |                     | 0                                      |
//! | edge, segment    | along it             | itself              | 0                                      |
//! | face             | two, across its normal | (carries n or lets it go) | 0                               |
//! | rim              |                      |                     | ρ/|m_xy| t tᵀ                          |
//! | side of a cylinder, cone | its line     | the axis            | ρ/|m_xy| t tᵀ                          |
//! | ellipsoid        |                      |                     | Hessian of its support function        |
//!
//! plus the radius of a sphere or capsule on the tangent plane. The normal is carried by the face that gave it, or else is
//! the direction of least distance, held by the straight features, or by the two edges that gave it to all points of a patch: as
//! many equations as unknowns in each case.

mod equations;

use nalgebra::Matrix3;

use super::ContactSlopes;
use crate::contact::ContactPoint;
use crate::convex::{Convex, Core};
use crate::polytope::Polytope;
use crate::rigid::{Rigid, Vec3, norm2, tangents};
use crate::shape::{Kind, Shape, convex};
use equations::solve;

/// Metres relative to the size, and sines: what is nearer is on it.
const ON: f64 = 1e-9;

/// Sine: an axis across two edges is square to both to rounding, of directions that are seldom parallel to better than this.
const SQUARE: f64 = 1e-11;
/// Sine of the angle between n and an axis of symmetry below which n is along it, and no side of the rim faces the other body.
const SEEN_ASLANT: f64 = 1e-6;
/// Sine: a feature this square to n, or a rim point this much in its direction, is the one of least distance: the axis search is good
/// to 1e-9 or so. Larger and a fixed point passes for one that rolls; smaller and a rolling one has no slope.
const FACES: f64 = 1e-7;
/// Eighths of a turn: how near one of the eight fixed points of a rim a point is that point.
const EIGHTH: f64 = 1e-8;

/// What of a body touches, world axes.
#[derive(Debug, Clone, Copy)]
struct Feature {
    slides: [Vec3; 2],
    n_slides: usize,
    /// n keeps its angle with this.
    holds: Option<Vec3>,
    r: Matrix3<f64>,
    /// The outward normal, if it is a face, and how far the face reaches, m.
    face: Option<(Vec3, f64)>,
}

impl Feature {
    const fn vertex(r: Matrix3<f64>) -> Self {
        Self { slides: [Vec3::new(0.0, 0.0, 0.0); 2], n_slides: 0, holds: None, r, face: None }
    }

    fn line(e: Vec3, holds: Vec3, r: Matrix3<f64>) -> Self {
        Self { slides: [e, Vec3::zeros()], n_slides: 1, holds: Some(holds), r, face: None }
    }

    fn flat(normal: Vec3, reach: f64) -> Self {
        let (t1, t2) = tangents(&normal);
        let none = Matrix3::zeros();
        Self { slides: [t1, t2], n_slides: 2, holds: None, r: none, face: Some((normal, reach)) }
    }

    /// Of a shape at the world point p, whose outward normal there is m; `None` where it cannot be told.
    fn of(shape: &Shape, x: &Rigid, p: &Vec3, m: &Vec3) -> Option<Self> {
        if matches!(shape.kind, Kind::Plane) {
            return Some(Self::flat(x.r.column(2).into_owned(), f64::INFINITY));
        }
        let (at, out) = (x.inv_point(p), x.inv_dir(m));
        let local = match convex(shape) {
            Some(c) => {
                let mut f = core(&c, &(at - out * c.radius), &out)?;
                f.r += (Matrix3::identity() - out * out.transpose()) * c.radius;
                f
            }
            None => return None,
        };
        Some(local.moved(x))
    }

    fn moved(&self, x: &Rigid) -> Self {
        Self {
            slides: self.slides.map(|s| x.dir(&s)),
            holds: self.holds.map(|h| x.dir(&h)),
            r: x.r * self.r * x.r.transpose(),
            face: self.face.map(|(n, reach)| (x.dir(&n), reach)),
            ..*self
        }
    }
}

/// The feature of a core at the point c, where m is outward; local axes.
fn core(shape: &Convex<'_>, c: &Vec3, m: &Vec3) -> Option<Feature> {
    let none = Matrix3::zeros();
    let tol = ON * (shape.core.size() + shape.radius);
    match shape.core {
        Core::Point => Some(Feature::vertex(none)),
        Core::Segment(h) => {
            if (c.z.abs() - h).abs() <= tol {
                return Some(Feature::vertex(none));
            }
            Some(Feature::line(Vec3::z(), Vec3::z(), none))
        }
        Core::Box(_, p) | Core::Poly(p) => polytope(p, c, m, tol),
        Core::Cylinder(h, r) => round(c, m, [-h, h], [r, r], tol),
        Core::Cone(h, r) => round(c, m, [-h, h], [r, 0.0], tol),
        Core::Ellipsoid(s) => {
            let s2 = s.component_mul(s);
            let l = s.component_mul(m).norm();
            let v = s2.component_mul(m);
            let hessian = Matrix3::from_diagonal(&s2) / l - v * v.transpose() / l.powi(3);
            Some(Feature::vertex(hessian))
        }
    }
}

fn polytope(p: &Polytope, c: &Vec3, m: &Vec3, tol: f64) -> Option<Feature> {
    let none = Matrix3::zeros();
    if p.vertices.iter().any(|v| (v - c).norm() <= tol) {
        return Some(Feature::vertex(none));
    }
    for e in &p.edges {
        let (u, v) = (p.vertices[e.ends[0] as usize], p.vertices[e.ends[1] as usize]);
        let along = (c - u).dot(&e.dir);
        if along > 0.0 && along < (v - u).norm() && (c - u - e.dir * along).norm() <= tol {
            return Some(Feature::line(e.dir, e.dir, none));
        }
    }
    // of the faces through the point, the one that faces the other body most
    let on = p.faces.iter().filter(|f| (f.normal.dot(c) - f.offset).abs() <= tol);
    let face = on.max_by(|f, g| f.normal.dot(m).total_cmp(&g.normal.dot(m)))?;
    let corners = p.corners(face);
    let middle = corners.iter().map(|&i| p.vertices[i as usize]).sum::<Vec3>() / corners.len() as f64;
    let reach = corners.iter().map(|&i| (p.vertices[i as usize] - middle).norm()).fold(0.0, f64::max);
    Some(Feature::flat(face.normal, reach))
}

/// A solid of revolution with straight sides: bottom and top heights and radii.
fn round(c: &Vec3, m: &Vec3, z: [f64; 2], radius: [f64; 2], tol: f64) -> Option<Feature> {
    let rho = norm2(c.x, c.y);
    let across = norm2(m.x, m.y);
    let curved = |rho: f64| {
        let t = Vec3::new(-m.y / across, m.x / across, 0.0);
        t * t.transpose() * (rho / across)
    };
    for (z, r) in z.into_iter().zip(radius) {
        if (c.z - z).abs() > tol {
            continue;
        }
        if r == 0.0 && rho <= tol {
            return Some(Feature::vertex(Matrix3::zeros()));
        }
        if (rho - r).abs() <= tol {
            // the rim point that faces the other body rolls; one of the eight fixed ones does not
            let facing = across > SEEN_ASLANT && (c.x * m.y - c.y * m.x).abs() <= FACES * rho * across;
            if facing && c.x * m.x + c.y * m.y > 0.0 {
                return Some(Feature::vertex(curved(r)));
            }
            let eighth = 4.0 * c.y.atan2(c.x) / std::f64::consts::PI;
            return ((eighth - eighth.round()).abs() < EIGHTH).then(|| Feature::vertex(Matrix3::zeros()));
        }
        if rho < r {
            return Some(Feature::flat(Vec3::new(0.0, 0.0, z.signum()), r));
        }
    }
    if across < SEEN_ASLANT {
        return None;
    }
    // on the side: its line runs from rim to rim, or to the apex
    let u = Vec3::new(m.x / across, m.y / across, 0.0);
    let line = (u * (radius[1] - radius[0]) + Vec3::z() * (z[1] - z[0])).normalize();
    Some(Feature::line(line, Vec3::z(), curved(rho)))
}

/// Which body the normal goes along with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Carrier {
    A,
    B,
    /// Neither: it is the direction of least distance, held by the features that touch.
    Distance,
    /// Neither: it is square to an edge of a and one of b, which touch elsewhere.
    Edges(Vec3, Vec3),
}

fn carrier(a: &Feature, b: &Feature, shapes: (&Shape, &Rigid, &Shape, &Rigid), n: &Vec3) -> Carrier {
    if matches!(shapes.0.kind, Kind::Plane) {
        return Carrier::A;
    }
    if matches!(shapes.2.kind, Kind::Plane) {
        return Carrier::B;
    }
    let reach = |shape: &Shape, x: &Rigid, own: &Feature, m: &Vec3| {
        let own = own.face.filter(|(f, _)| (f - m).norm() < ON).map(|f| f.1);
        own.or_else(|| face_along(shape, x, m))
    };
    match (reach(shapes.0, shapes.1, a, &-n), reach(shapes.2, shapes.3, b, n)) {
        (None, None) => Carrier::Distance,
        (of_a, of_b) if leads(of_a, of_b) => Carrier::A,
        _ => Carrier::B,
    }
}

/// Whether a face of a, not one of b, is what the normal goes along with; each with how far it reaches. Of two faces on each other the wider one,
/// for the other cannot reach as deep when tilted.
fn leads(of_a: Option<f64>, of_b: Option<f64>) -> bool {
    of_a.is_some_and(|a| of_b.is_none_or(|b| b <= a * (1.0 + ON)))
}

/// Whether the normal of a contact goes along with a face of a (true), with one of b, or with none.
pub(super) fn led_by_a(a: &Shape, xa: &Rigid, b: &Shape, xb: &Rigid, n: &Vec3) -> Option<bool> {
    let reach = |shape: &Shape, x: &Rigid, m: &Vec3| match shape.kind {
        Kind::Plane => Some(f64::INFINITY),
        _ => face_along(shape, x, m),
    };
    let (of_a, of_b) = (reach(a, xa, &-n), reach(b, xb, n));
    (of_a.is_some() || of_b.is_some()).then(|| leads(of_a, of_b))
}

/// How far the face of a shape with outward normal m reaches, if it has one.
fn face_along(shape: &Shape, x: &Rigid, m: &Vec3) -> Option<f64> {
    let m = x.inv_dir(m);
    let c = convex(shape)?;
    match c.core {
        Core::Box(_, p) | Core::Poly(p) => {
            let face = p.faces.iter().find(|f| (f.normal - m).norm() < ON)?;
            let corners = p.corners(face);
            let middle = corners.iter().map(|&i| p.vertices[i as usize]).sum::<Vec3>() / corners.len() as f64;
            Some(corners.iter().map(|&i| (p.vertices[i as usize] - middle).norm()).fold(0.0, f64::max))
        }
        Core::Cylinder(_, r) => (norm2(m.x, m.y) < ON).then_some(r),
        Core::Cone(_, r) => (norm2(m.x, m.y) < ON && m.z < 0.0).then_some(r),
        Core::Point | Core::Segment(_) | Core::Ellipsoid(_) => None,
    }
}

pub(super) fn slopes(
    a: &Shape,
    xa: &Rigid,
    b: &Shape,
    xb: &Rigid,
    c: &ContactPoint,
) -> Option<ContactSlopes> {
    let n = c.normal;
    let half = n * (0.5 * c.gap);
    let (p_a, p_b) = (c.point + half, c.point - half);
    let of = |shape: &Shape, x: &Rigid, p: &Vec3, m: &Vec3| match (&shape.kind, Feature::of(shape, x, p, m)) {
        (_, Some(f)) => Some(f),
        // over a plane a mesh stands on its vertices
        (Kind::Mesh(mesh), None) => {
            let at = x.inv_point(p);
            let near = mesh.vertices.iter().any(|v| (v - at).norm() <= ON * mesh.size);
            let plane = matches!(a.kind, Kind::Plane) || matches!(b.kind, Kind::Plane);
            (near && plane).then(|| Feature::vertex(Matrix3::zeros()))
        }
        _ => None,
    };
    let (f_a, f_b) = (of(a, xa, &p_a, &-n)?, of(b, xb, &p_b, &n)?);
    let mut carried = carrier(&f_a, &f_b, (a, xa, b, xb), &n);
    let fixed = usize::from(f_a.holds.is_some()) + usize::from(f_b.holds.is_some());
    let sliding = f_a.n_slides + f_b.n_slides;
    if carried == Carrier::Distance && (sliding != fixed || !across(&f_a, &n) || !across(&f_b, &n)) {
        // a further point under a normal that other features gave: its own do not hold it
        carried = Carrier::Edges(edge_across(a, xa, &n)?, edge_across(b, xb, &n)?);
    }
    if carried != Carrier::Distance && sliding != 2 {
        return None;
    }
    solve(&f_a, &f_b, carried, c, &p_a)
}

/// The direction of the edges of a polytope that are square to n, if there is one and not more.
fn edge_across(shape: &Shape, x: &Rigid, n: &Vec3) -> Option<Vec3> {
    let n = x.inv_dir(n);
    let (Core::Box(_, p) | Core::Poly(p)) = convex(shape)?.core else { return None };
    let mut found: Option<Vec3> = None;
    // sines: two edges as near to square to n span a face that it is the normal of
    for e in p.edges.iter().filter(|e| e.dir.dot(&n).abs() < SQUARE) {
        if found.is_some_and(|f| f.cross(&e.dir).norm() > SQUARE) {
            return None;
        }
        found = Some(e.dir);
    }
    found.map(|e| x.dir(&e))
}

/// Whether a feature lies square to n, as those that give the least distance do.
fn across(f: &Feature, n: &Vec3) -> bool {
    // sine: the axis search is good to 1e-9 or so
    f.slides[..f.n_slides].iter().all(|s| s.dot(n).abs() < FACES)
}
