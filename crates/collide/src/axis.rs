//! The contact axis of two convex cores: the unit vector n, from b into a, that maximises the separation
//! ```text
//!     s(n) = min_{a in A} n.a - max_{b in B} n.b
//! ```
//! Its greatest value is the signed distance: positive apart, minus the penetration depth otherwise.
//! Every n gives a lower bound, so candidates can be compared and none can do harm.
//!
//! 1. Face normals of both, exact. The best one is certified without looking further if some point
//!    of one body over the other's face has that very signed distance: then the bound is attained. All
//!    resting contacts end here.
//! 2. Polyhedra that overlap: edge pairs whose arcs cross on the Gauss map. With step 1 that is every
//!    candidate there is.
//! 3. Otherwise a rough direction (`gjk`) is refined on the features it points at. A feature flat in one
//!    direction (an edge, a cylinder's or a cone's side) holds n to n.z = c; with two such constraints n is known in closed
//!    form, with one it turns on a circle (one unknown), with none on the sphere (Newton, two unknowns).

use crate::convex::Core;
use crate::gjk::{self, Cores};
use crate::manifold;
use crate::polytope::Polytope;
use crate::rigid::{Rigid, Vec3, tangents};

/// An axis, its separation, and the closest points where they are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub n: Vec3,
    pub s: f64,
    /// On a and on b; absent for face axes, whose patches overlap at the deepest point.
    pub witness: Option<(Vec3, Vec3)>,
}

/// Metres relative to the size: by this much an edge axis must beat a face axis. Below it the two are
/// the same contact, and a face gives more points.
const BETTER: f64 = 1e-10;

/// The best face axis of either core; ties go to a.
pub(crate) fn best_face(cores: &Cores<'_>, margin: f64) -> Option<Axis> {
    let mut best: Option<Axis> = None;
    let mut consider = |n: Vec3| {
        let s = cores.separation(&n);
        if best.is_none_or(|b| s > b.s + BETTER * cores.size) {
            best = Some(Axis { n, s, witness: None });
        }
        s > margin
    };
    // a mirror-symmetric other body is deepest on the side of its centre
    let towards = cores.x.t;
    let mut done = false;
    let skip = cores.b.symmetric() && cores.a.symmetric();
    cores.a.face_normals(|m, _| {
        let far_side = skip && m.dot(&towards) < 0.0;
        if !done && !far_side {
            done = consider(-m);
        }
    });
    cores.b.face_normals(|m, _| {
        if !done {
            let m = cores.x.dir(&m);
            if !(skip && m.dot(&towards) > 0.0) {
                done = consider(m);
            }
        }
    });
    best
}

/// Whether some point p of one body has signed distance `s` to the other: then s is the greatest.
pub(crate) fn attained(cores: &Cores<'_>, axis: &Axis, points: &[manifold::Local]) -> bool {
    let tol = BETTER * cores.size;
    let deep = |l: &&manifold::Local| axis.n.dot(&(l.a - l.b)) <= axis.s + tol;
    let count = points.iter().filter(deep).count();
    if count == 0 {
        return false;
    }
    if axis.s >= 0.0 {
        // the closest points are joined by n itself, so the distance is attained
        return true;
    }
    // a ball of radius -s around p inside the other body: it cannot leave by less
    let (mean_a, mean_b) =
        points.iter().filter(deep).fold((Vec3::zeros(), Vec3::zeros()), |(a, b), l| (a + l.a, b + l.b));
    let inside_b = |p: &Vec3| cores.b.face_distance(&cores.x.inv_point(p)) <= axis.s + tol;
    let inside_a = |p: &Vec3| cores.a.face_distance(p) <= axis.s + tol;
    let scale = 1.0 / count as f64;
    inside_a(&(mean_b * scale))
        || inside_b(&(mean_a * scale))
        || points.iter().filter(deep).any(|l| inside_a(&l.b) || inside_b(&l.a))
}

/// Edge i of a core as end points, direction and the two inward directions.
struct CoreEdge {
    p: Vec3,
    q: Vec3,
    dir: Vec3,
    inward: [Vec3; 2],
}

fn core_edges(core: &Core<'_>, mut visit: impl FnMut(CoreEdge)) {
    if let Core::Segment(h) = *core {
        let e = Vec3::new(0.0, 0.0, h);
        visit(CoreEdge { p: -e, q: e, dir: Vec3::z(), inward: [Vec3::zeros(); 2] });
    } else if let Some(p) = core.polytope() {
        let at = |i: u32| p.vertices[i as usize];
        for e in &p.edges {
            visit(CoreEdge { p: at(e.ends[0]), q: at(e.ends[1]), dir: e.dir, inward: e.inward });
        }
    }
}

fn polyhedral(core: &Core<'_>) -> bool {
    matches!(core, Core::Point | Core::Segment(_) | Core::Box(..) | Core::Poly(_))
}

/// The best axis across two edges [Gauss map], if any pair of edges can touch.
fn best_edges(cores: &Cores<'_>, scratch: &mut Vec<[Vec3; 5]>) -> Option<Axis> {
    scratch.clear();
    core_edges(&cores.b, |e| {
        let d = |v: &Vec3| cores.x.dir(v);
        scratch.push([cores.x.point(&e.p), cores.x.point(&e.q), d(&e.dir), d(&e.inward[0]), d(&e.inward[1])]);
    });
    let mut best: Option<(Axis, [Vec3; 4])> = None;
    // sine of the angle between arcs and their ends: rounding of unit vectors, no more
    let slack = 1e-12;
    core_edges(&cores.a, |e| {
        for [p, q, dir, in0, in1] in scratch.iter() {
            let x = e.dir.cross(dir);
            let (a0, a1, b0, b1) = (x.dot(&e.inward[0]), x.dot(&e.inward[1]), x.dot(in0), x.dot(in1));
            for sign in [1.0, -1.0] {
                // -n in the normal cone of a's edge, n in that of b's
                if sign * a0 < -slack || sign * a1 < -slack || sign * b0 > slack || sign * b1 > slack {
                    continue;
                }
                let length = x.norm();
                // parallel edges: their axis is a face's or a vertex's
                if length < 1e-9 {
                    continue;
                }
                let n = x * (sign / length);
                let s = n.dot(&(e.p - p));
                if best.as_ref().is_none_or(|(b, _)| s > b.s) {
                    best = Some((Axis { n, s, witness: None }, [e.p, e.q, *p, *q]));
                }
            }
        }
    });
    best.map(|(axis, [p, q, u, v])| {
        let s = cores.separation(&axis.n);
        Axis { n: axis.n, s, witness: Some(closest_on_segments(&p, &q, &u, &v)) }
    })
}

/// Two boxes: the nine products of axes, separations by projected half extents.
fn best_box_edges(ha: &Vec3, hb: &Vec3, x: &Rigid) -> Option<Vec3> {
    let mut best: Option<(f64, Vec3)> = None;
    for i in 0..3 {
        for j in 0..3 {
            let mut e = Vec3::zeros();
            e[i] = 1.0;
            let f = x.r.column(j).into_owned();
            let c = e.cross(&f);
            let length = c.norm();
            if length < 1e-9 {
                continue;
            }
            let n = if c.dot(&x.t) > 0.0 { -c / length } else { c / length };
            let s = n.dot(&-x.t) - n.abs().dot(ha) - x.r.tr_mul(&n).abs().dot(hb);
            if best.is_none_or(|b| s > b.0) {
                best = Some((s, n));
            }
        }
    }
    best.map(|b| b.1)
}

/// Whether all pairs of edges are tried sooner than a face axis is certified: two boxes have nine.
pub(crate) fn few_edges(cores: &Cores<'_>) -> bool {
    matches!((&cores.a, &cores.b), (Core::Box(..), Core::Box(..)))
}

/// The axis when no face axis is certified. `face` is the best of those.
pub(crate) fn search(
    cores: &Cores<'_>,
    face: Option<Axis>,
    margin: f64,
    scratch: &mut Scratch,
) -> Option<Axis> {
    let better = |best: Option<Axis>, other: Option<Axis>| match (best, other) {
        (Some(b), Some(o)) if o.s > b.s + BETTER * cores.size => Some(o),
        // as good: the face's exact normal, and the closest points the other knows
        (Some(b), Some(o)) if o.s >= b.s - BETTER * cores.size => {
            Some(Axis { witness: b.witness.or(o.witness), ..b })
        }
        (b, o) => b.or(o),
    };
    let mut best = face;
    if polyhedral(&cores.a) && polyhedral(&cores.b) {
        let edge = match (&cores.a, &cores.b) {
            (Core::Box(ha, _), Core::Box(hb, _)) => best_box_edges(ha, hb, &cores.x).map(|n| {
                let (p, q) = (box_edge(&cores.a, &-n), box_edge(&cores.b, &cores.x.inv_dir(&n)));
                let (u, v) = (cores.x.point(&q.0), cores.x.point(&q.1));
                Axis { n, s: cores.separation(&n), witness: Some(closest_on_segments(&p.0, &p.1, &u, &v)) }
            }),
            _ => best_edges(cores, &mut scratch.edges),
        };
        best = better(best, edge);
        if best.is_some_and(|b| b.s <= 0.0 || b.s > margin) {
            return best;
        }
        // apart across a face or two edges: attained if the patches overlap at the deepest point
        if let Some(b) = best {
            scratch.points.clear();
            manifold::overlap(cores, &b.n, margin, &mut scratch.manifold, &mut scratch.points);
            if attained(cores, &b, &scratch.points) {
                return best;
            }
        }
    }
    let start = best.map_or_else(|| cores.x.t.try_normalize(1e-300).map_or(Vec3::z(), |t| -t), |b| b.n);
    let (rough, count) = gjk::rough_axes(cores, &start, &mut scratch.expanding);
    for (n, most) in &rough[..count] {
        // a facet of the polytope within C cannot lead to a separation above minus its distance
        if best.is_none_or(|b| b.s < *most) {
            best = better(best, Some(refine(cores, n, scratch)));
        }
    }
    best
}

/// The edge of a box supporting the direction `d`, which is perpendicular to it up to rounding.
fn box_edge(core: &Core<'_>, d: &Vec3) -> (Vec3, Vec3) {
    let Core::Box(h, _) = core else { unreachable!("called for boxes") };
    let k = d.abs().imin();
    let mut p = core.support(d);
    p[k] = -h[k];
    let mut q = p;
    q[k] = h[k];
    (p, q)
}

/// Memory of the search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    edges: Vec<[Vec3; 5]>,
    expanding: gjk::Scratch,
    flats_a: Vec<Flat>,
    flats_b: Vec<Flat>,
    manifold: manifold::Scratch,
    points: Vec<manifold::Local>,
}

/// A feature that is a straight segment: n.z = c on it.
#[derive(Debug, Clone, Copy)]
struct Flat {
    z: Vec3,
    c: f64,
    kind: FlatKind,
}

#[derive(Debug, Clone, Copy)]
enum FlatKind {
    Edge(Vec3, Vec3),
    /// The side line of a cylinder or cone, placed by n.
    Side,
}

/// Flat features of a core near the support in the outward direction d, in local coordinates.
fn flats(core: &Core<'_>, d: &Vec3, out: &mut Vec<Flat>) {
    // sine of the angle within which the rough direction may miss a feature
    const NEAR: f64 = 0.05;
    out.clear();
    match *core {
        Core::Point | Core::Ellipsoid(_) => {}
        Core::Segment(h) => {
            let e = Vec3::new(0.0, 0.0, h);
            if d.z.abs() < NEAR {
                out.push(Flat { z: Vec3::z(), c: 0.0, kind: FlatKind::Edge(-e, e) });
            }
        }
        Core::Cylinder(..) => {
            if d.z.abs() < NEAR {
                out.push(Flat { z: Vec3::z(), c: 0.0, kind: FlatKind::Side });
            }
        }
        Core::Cone(h, r) => {
            let c = r / r.hypot(2.0 * h);
            if (d.z - c).abs() < NEAR {
                out.push(Flat { z: Vec3::z(), c, kind: FlatKind::Side });
            }
        }
        Core::Box(_, p) | Core::Poly(p) => poly_flats(p, d, NEAR, out),
    }
}

fn poly_flats(p: &Polytope, d: &Vec3, near: f64, out: &mut Vec<Flat>) {
    let top = p.vertices[crate::convex::support_vertex(p, d)].dot(d);
    for e in &p.edges {
        let (u, v) = (p.vertices[e.ends[0] as usize], p.vertices[e.ends[1] as usize]);
        let short = top - u.dot(d).min(v.dot(d));
        if e.dir.dot(d).abs() < near && short <= 2.0 * near * (u - v).norm() && out.len() < 8 {
            out.push(Flat { z: e.dir, c: 0.0, kind: FlatKind::Edge(u, v) });
        }
    }
}

impl Flat {
    /// The segment itself for the outward direction d, local.
    fn segment(&self, core: &Core<'_>, d: &Vec3) -> (Vec3, Vec3) {
        match (self.kind, core) {
            (FlatKind::Edge(p, q), _) => (p, q),
            (FlatKind::Side, Core::Cylinder(h, r)) => {
                let l = d.x.hypot(d.y);
                let u = Vec3::new(d.x / l * r, d.y / l * r, 0.0);
                (u - Vec3::z() * *h, u + Vec3::z() * *h)
            }
            (FlatKind::Side, Core::Cone(h, r)) => {
                let l = d.x.hypot(d.y);
                (Vec3::new(d.x / l * r, d.y / l * r, -h), Vec3::new(0.0, 0.0, *h))
            }
            (FlatKind::Side, _) => unreachable!("only cylinders and cones have sides"),
        }
    }
}

/// The best axis near `rough`.
fn refine(cores: &Cores<'_>, rough: &Vec3, scratch: &mut Scratch) -> Axis {
    let Scratch { flats_a, flats_b, .. } = scratch;
    flats(&cores.a, &-rough, flats_a);
    // a's outward direction is -n, so n.z = -c there
    for f in flats_a.iter_mut() {
        f.c = -f.c;
    }
    flats(&cores.b, &cores.x.inv_dir(rough), flats_b);
    for f in flats_b.iter_mut() {
        f.z = cores.x.dir(&f.z);
    }
    let mut best: Option<(f64, Vec3, Option<Flat>, Option<Flat>)> = None;
    let mut consider = |n: Option<Vec3>, fa: Option<&Flat>, fb: Option<&Flat>| {
        let Some(n) = n else { return };
        let s = cores.separation(&n);
        // fewer constraints are tried first; more must win clearly or they only restate rounding
        if best.is_none_or(|b| s > b.0 + 1e-14 * cores.size) {
            best = Some((s, n, fa.copied(), fb.copied()));
        }
    };
    consider(newton(cores, rough), None, None);
    for fa in flats_a.iter() {
        consider(on_circle(cores, fa, rough), Some(fa), None);
    }
    for fb in flats_b.iter() {
        consider(on_circle(cores, fb, rough), None, Some(fb));
        for fa in flats_a.iter() {
            for n in two_circles(fa, fb) {
                if n.is_some_and(|n| n.dot(rough) > 0.9) {
                    consider(n, Some(fa), Some(fb));
                }
            }
        }
    }
    // the rough direction itself, should none of the refinements have held
    let s = cores.separation(rough);
    let (s, n, fa, fb) = best.filter(|b| b.0 >= s - 1e-12 * cores.size).unwrap_or((s, *rough, None, None));
    let (a, b) = cores.supports(&n);
    // a segment square to n supports it as a whole, whether or not it was asked to
    let square = |f: &&Flat| (n.dot(&f.z) - f.c).abs() < 1e-9;
    let top = |f: &&Flat, core: &Core<'_>, d: &Vec3| {
        let (p, q) = f.segment(core, d);
        p.dot(d).min(q.dot(d)) >= core.support(d).dot(d) - 1e-9 * cores.size
    };
    let db = cores.x.inv_dir(&n);
    let fa = fa.or_else(|| flats_a.iter().find(|f| square(f) && top(f, &cores.a, &-n)).copied());
    let fb = fb.or_else(|| flats_b.iter().find(|f| square(f) && top(f, &cores.b, &db)).copied());
    let (p, q) = fa.map_or((a, a), |f| f.segment(&cores.a, &-n));
    let (u, v) = fb.map_or((b, b), |f| {
        let (u, v) = f.segment(&cores.b, &cores.x.inv_dir(&n));
        (cores.x.point(&u), cores.x.point(&v))
    });
    Axis { n, s, witness: Some(closest_on_segments(&p, &q, &u, &v)) }
}

/// Second derivative of the support function at the direction d (any length 1), local axes.
fn hessian(core: &Core<'_>, d: &Vec3) -> nalgebra::Matrix3<f64> {
    let round = |r: f64| {
        let l = d.x.hypot(d.y);
        if l < 1e-12 {
            return nalgebra::Matrix3::zeros();
        }
        let t = Vec3::new(-d.y / l, d.x / l, 0.0);
        t * t.transpose() * (r / l)
    };
    match *core {
        Core::Cylinder(_, r) => round(r),
        Core::Cone(_, r) if core.support(d).z < 0.0 => round(r),
        Core::Ellipsoid(s) => {
            let s2 = s.component_mul(s);
            let h = s.component_mul(d).norm();
            let v = s2.component_mul(d);
            nalgebra::Matrix3::from_diagonal(&s2) / h - v * v.transpose() / h.powi(3)
        }
        _ => nalgebra::Matrix3::zeros(),
    }
}

/// Newton's method on the sphere for w(n) parallel to n, where w is the difference of supports:
/// (P H P - s) delta = -P w, with H the Hessian of s and P the projection across n.
fn newton(cores: &Cores<'_>, rough: &Vec3) -> Option<Vec3> {
    let mut n = *rough;
    for _ in 0..30 {
        let (a, b) = cores.supports(&n);
        let w = a - b;
        let s = n.dot(&w);
        let db = cores.x.inv_dir(&n);
        let hb = cores.x.r * hessian(&cores.b, &db) * cores.x.r.transpose();
        let h = -(hessian(&cores.a, &-n) + hb);
        let (t1, t2) = tangents(&n);
        let (g1, g2) = (t1.dot(&w), t2.dot(&w));
        let (h11, h12, h22) = (t1.dot(&(h * t1)) - s, t1.dot(&(h * t2)), t2.dot(&(h * t2)) - s);
        let det = h11 * h22 - h12 * h12;
        if det.abs() <= 1e-30 {
            return None;
        }
        let (d1, d2) = ((-g1 * h22 + g2 * h12) / det, (g1 * h12 - g2 * h11) / det);
        let length = d1.hypot(d2);
        let mut scale = if length > 0.2 { 0.2 / length } else { 1.0 };
        // a full step may overshoot where the curvature changes: halve it until it climbs
        let mut next = None;
        for _ in 0..8 {
            let turned = (n + (t1 * d1 + t2 * d2) * scale).try_normalize(1e-300)?;
            // metres: near the top the gain is below rounding, and the step is right all the same
            if cores.separation(&turned) >= s - 1e-14 * cores.size {
                next = Some(turned);
                break;
            }
            scale *= 0.5;
        }
        // no step climbs: a kink, which the constrained searches find
        let Some(next) = next else { break };
        n = next;
        // radians: the error after a step of Newton's is its square
        if length < 1e-10 {
            break;
        }
    }
    Some(n)
}

/// The best n with n.z = c, near `rough`: the root of ds/dphi on that circle, bracketed and bisected
/// with secant steps.
fn on_circle(cores: &Cores<'_>, f: &Flat, rough: &Vec3) -> Option<Vec3> {
    let u = (rough - f.z * f.z.dot(rough)).try_normalize(1e-12)?;
    let v = f.z.cross(&u);
    let radius = (1.0 - f.c * f.c).max(0.0).sqrt();
    let at = |phi: f64| f.z * f.c + (u * phi.cos() + v * phi.sin()) * radius;
    let slope = |phi: f64| {
        let (a, b) = cores.supports(&at(phi));
        (a - b).dot(&(v * phi.cos() - u * phi.sin()))
    };
    // ds/dphi falls through zero at a maximum
    let mut reach = 1e-3;
    while slope(-reach) <= 0.0 || slope(reach) >= 0.0 {
        reach *= 4.0;
        if reach > 0.3 {
            return None;
        }
    }
    let (mut lo, mut hi) = (-reach, reach);
    let (mut f_lo, mut f_hi) = (slope(lo), slope(hi));
    // false position, halving the weight of an end that stays (Illinois): superlinear and bracketed
    let mut kept = 0;
    for _ in 0..60 {
        let mid = ((lo * f_hi - hi * f_lo) / (f_hi - f_lo)).clamp(lo, hi);
        let f_mid = slope(mid);
        if f_mid.abs() <= 1e-16 * cores.size || hi - lo < 1e-15 {
            (lo, hi) = (mid, mid);
            break;
        }
        if f_mid > 0.0 {
            (lo, f_lo) = (mid, f_mid);
            f_hi *= if kept > 0 { 0.5 } else { 1.0 };
            kept = 1;
        } else {
            (hi, f_hi) = (mid, f_mid);
            f_lo *= if kept < 0 { 0.5 } else { 1.0 };
            kept = -1;
        }
    }
    Some(at(0.5 * (lo + hi)))
}

/// Both unit vectors with n.z1 = c1 and n.z2 = c2.
fn two_circles(f: &Flat, g: &Flat) -> [Option<Vec3>; 2] {
    let across = f.z.cross(&g.z);
    let (k, sin2) = (f.z.dot(&g.z), across.norm_squared());
    if sin2 < 1e-18 {
        return [None, None];
    }
    let base = (f.z * (f.c - g.c * k) + g.z * (g.c - f.c * k)) / sin2;
    let rest = 1.0 - base.norm_squared();
    if rest < 0.0 {
        return [None, None];
    }
    let up = across * (rest / sin2).sqrt();
    [Some((base + up).normalize()), Some((base - up).normalize())]
}

/// The closest points of segments p q and u v; a segment may be a point.
pub(crate) fn closest_on_segments(p: &Vec3, q: &Vec3, u: &Vec3, v: &Vec3) -> (Vec3, Vec3) {
    let (d, e, r) = (q - p, v - u, p - u);
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(&e));
    let (dr, er) = (d.dot(&r), e.dot(&r));
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let det = dd * ee - de * de;
    let mut s = if det > 1e-20 * dd * ee && det > 0.0 { clamp((de * er - dr * ee) / det) } else { 0.5 };
    if dd == 0.0 {
        s = 0.0;
    }
    let t = if ee > 0.0 { clamp((de * s + er) / ee) } else { 0.0 };
    // t was clamped: s follows
    if dd > 0.0 {
        s = clamp((de * t - dr) / dd);
    }
    (p + d * s, u + e * t)
}
