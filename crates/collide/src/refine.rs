//! A rough contact axis made exact on the features it points at.
//!
//! The separation s(n) is smooth where both support points move smoothly with n, and has a kink where a
//! support feature is flat in one direction: an edge, the side line of a cylinder or a cone. On such a
//! feature n is held to n.z = c (z the edge or the axis; c = 0 but for cones). So the greatest separation is
//! either at a smooth maximum (Newton on the sphere, two unknowns), on one such circle (one unknown, a
//! bracketed root), or where two circles cross (closed form). All are tried near the rough direction, and
//! the best wins: each is a lower bound, so a wrong guess loses.

mod circle;

use nalgebra::Matrix3;

use crate::convex::{Core, support_vertex};
use crate::gjk::Cores;
use crate::polytope::{Edge, Polytope};
use crate::rigid::{Vec3, norm2, tangents};
use crate::separation::{Axis, closest_on_segments};
use crate::tolerances::{
    ALONG_AXIS, AT_TOP, MAY_WIN, NO_LENGTH, NO_WORSE, PARALLEL_CIRCLES, SQUARE_TO_AXIS, UPHILL, WINS,
};
use circle::on_circle;

pub(crate) use circle::falling_root;

/// Radians: after a step of Newton's as short as this the error is its square, below rounding.
const STEP_DONE: f64 = 1e-10;
/// Of a Hessian in metres, its determinant below which it is nought, and Newton's method has no step to offer.
const NO_CURVATURE: f64 = 1e-30;

/// Memory of the refinement.
#[derive(Debug, Clone, Default)]
pub(crate) struct RefineScratch {
    flats_a: Vec<Flat>,
    flats_b: Vec<Flat>,
    /// Edges of a large polyhedron that may be near the support.
    few: Vec<u32>,
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
fn flats(core: &Core<'_>, d: &Vec3, few: &mut Vec<u32>, out: &mut Vec<Flat>) {
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
            let c = r / norm2(r, 2.0 * h);
            if (d.z - c).abs() < NEAR {
                out.push(Flat { z: Vec3::z(), c, kind: FlatKind::Side });
            }
        }
        Core::Box(_, p) | Core::Poly(p) => poly_flats(p, d, NEAR, few, out),
    }
}

fn poly_flats(p: &Polytope, d: &Vec3, near: f64, few: &mut Vec<u32>, out: &mut Vec<Flat>) {
    let top = p.vertices[support_vertex(p, d)].dot(d);
    let mut flat = |e: &Edge| {
        let (u, v) = (p.vertices[e.ends[0] as usize], p.vertices[e.ends[1] as usize]);
        let short = top - u.dot(d).min(v.dot(d));
        if e.dir.dot(d).abs() < near && short <= 2.0 * near * (u - v).norm() && out.len() < 8 {
            out.push(Flat { z: e.dir, c: 0.0, kind: FlatKind::Edge(u, v) });
        }
    };
    if let Some(index) = &p.index {
        // of many fine edges those that lie highest
        index.edges_near_top(d, top, 2.0 * near, few);
        let short = |e: u32| {
            let ends = p.edges[e as usize].ends.map(|i| p.vertices[i as usize].dot(d));
            top - ends[0].min(ends[1])
        };
        few.sort_unstable_by(|&e, &f| short(e).total_cmp(&short(f)).then(e.cmp(&f)));
        for &e in few.iter() {
            flat(&p.edges[e as usize]);
        }
    } else {
        p.edges.iter().for_each(flat);
    }
}

impl Flat {
    /// The segment itself for the outward direction d, local.
    fn segment(&self, core: &Core<'_>, d: &Vec3) -> (Vec3, Vec3) {
        match (self.kind, core) {
            (FlatKind::Edge(p, q), _) => (p, q),
            (FlatKind::Side, Core::Cylinder(h, r)) => {
                let l = norm2(d.x, d.y);
                let u = Vec3::new(d.x / l * r, d.y / l * r, 0.0);
                (u - Vec3::z() * *h, u + Vec3::z() * *h)
            }
            (FlatKind::Side, Core::Cone(h, r)) => {
                let l = norm2(d.x, d.y);
                (Vec3::new(d.x / l * r, d.y / l * r, -h), Vec3::new(0.0, 0.0, *h))
            }
            (FlatKind::Side, _) => unreachable!("only cylinders and cones have sides"),
        }
    }
}

/// The best of the directions tried: how far it separates, and the flats it is held to.
struct Best<'a> {
    cores: &'a Cores<'a>,
    rough: f64,
    found: Option<(f64, Vec3, Option<Flat>, Option<Flat>)>,
}

impl Best<'_> {
    fn consider(&mut self, n: Option<Vec3>, fa: Option<&Flat>, fb: Option<&Flat>) {
        let Some(n) = n else { return };
        let s = self.cores.separation(&n);
        // fewer constraints are tried first; more must win clearly or they only restate rounding
        if self.found.is_none_or(|b| s > b.0 + WINS * self.cores.size) {
            self.found = Some((s, n, fa.copied(), fb.copied()));
        }
    }

    /// What is worse than this is not taken for the rough direction.
    fn floor(&self) -> f64 {
        self.rough - NO_WORSE * self.cores.size
    }

    /// What separates by no more than this is not considered.
    fn least(&self) -> f64 {
        let beaten = |b: f64| b + MAY_WIN * self.cores.size;
        self.found.map_or(f64::NEG_INFINITY, |b| beaten(b.0)).max(self.floor() - WINS * self.cores.size)
    }
}

/// The best axis near `rough`.
pub(crate) fn refine(cores: &Cores<'_>, rough: &Vec3, scratch: &mut RefineScratch) -> Axis {
    let RefineScratch { flats_a, flats_b, few } = scratch;
    flats(&cores.a, &-rough, few, flats_a);
    // a's outward direction is -n, so n.z = -c there
    for f in flats_a.iter_mut() {
        f.c = -f.c;
    }
    flats(&cores.b, &cores.x.inv_dir(rough), few, flats_b);
    for f in flats_b.iter_mut() {
        f.z = cores.x.dir(&f.z);
    }
    // the rough direction itself, should none of the refinements hold
    let mut best = Best { cores, rough: cores.separation(rough), found: None };
    let smooth = newton(cores, rough);
    best.consider(smooth.filter(|s| s.1).map(|s| s.0), None, None);
    let (p, q) = cores.supports(rough);
    let beside_a = off_cap(&cores.a, &-rough, &q).map(|d| -d);
    let beside_b =
        off_cap(&cores.b, &cores.x.inv_dir(rough), &cores.x.inv_point(&p)).map(|d| cores.x.dir(&d));
    for n in [beside_a, beside_b].into_iter().flatten() {
        best.consider(newton(cores, &n).filter(|s| s.1).map(|s| s.0), None, None);
    }
    for fa in flats_a.iter() {
        best.consider(on_circle(cores, fa, rough, best.least()), Some(fa), None);
    }
    for fb in flats_b.iter() {
        best.consider(on_circle(cores, fb, rough, best.least()), None, Some(fb));
        for fa in flats_a.iter() {
            for n in crossings(&fa.z, fa.c, &fb.z, fb.c) {
                if n.is_some_and(|n| n.dot(rough) > 0.9) {
                    best.consider(n, Some(fa), Some(fb));
                }
            }
        }
    }
    // stopped at a kink: as good as a constrained answer to 1e-14 of the size, that is 1e-7 radians off, so it comes last
    best.consider(smooth.map(|s| s.0), None, None);
    let held = best.found.filter(|b| b.0 >= best.floor());
    let (s, n, fa, fb) = held.unwrap_or((best.rough, *rough, None, None));
    let (a, b) = cores.supports(&n);
    // a segment square to n supports it as a whole, whether or not it was asked to
    let square = |f: &&Flat| (n.dot(&f.z) - f.c).abs() < SQUARE_TO_AXIS;
    let top = |f: &&Flat, core: &Core<'_>, d: &Vec3| {
        let (p, q) = f.segment(core, d);
        p.dot(d).min(q.dot(d)) >= core.support(d).dot(d) - AT_TOP * cores.size
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
fn hessian(core: &Core<'_>, d: &Vec3) -> Matrix3<f64> {
    let round = |r: f64| {
        let l = norm2(d.x, d.y);
        if l < ALONG_AXIS {
            return Matrix3::zeros();
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
            Matrix3::from_diagonal(&s2) / h - v * v.transpose() / h.powi(3)
        }
        Core::Point | Core::Segment(_) | Core::Box(..) | Core::Poly(_) | Core::Cone(..) => Matrix3::zeros(),
    }
}

/// Newton's step -H^-1 g with the eigenvalues of the symmetric H = (h11, h12, h22) taken negative: it leads uphill also where the
/// separation curves upwards, as it may between overlapping bodies off their axis. Nothing where H vanishes.
fn uphill((h11, h12, h22): (f64, f64, f64), (g1, g2): (f64, f64)) -> Option<(f64, f64)> {
    let det = h11 * h22 - h12 * h12;
    if det.abs() <= NO_CURVATURE {
        return None;
    }
    if det > 0.0 && h11 < 0.0 {
        return Some(((-g1 * h22 + g2 * h12) / det, (g1 * h12 - g2 * h11) / det));
    }
    // |H| = (H^2 + sqrt(det H^2) I) / tr |H| for two by two matrices
    let root = det.abs();
    let (s11, s12, s22) = (h11 * h11 + h12 * h12 + root, h12 * (h11 + h22), h12 * h12 + h22 * h22 + root);
    let trace = (s11 + s22).sqrt();
    let (a11, a12, a22) = (s11 / trace, s12 / trace, s22 / trace);
    let det = a11 * a22 - a12 * a12;
    Some(((g1 * a22 - g2 * a12) / det, (g2 * a11 - g1 * a12) / det))
}

/// Radians from the direction d to the nearest normal of a flat cap with a rim; infinite where there is none.
fn rim_away(core: &Core<'_>, d: &Vec3) -> f64 {
    match core {
        Core::Cylinder(..) | Core::Cone(..) => norm2(d.x, d.y).max(ALONG_AXIS),
        Core::Point | Core::Segment(_) | Core::Box(..) | Core::Poly(_) | Core::Ellipsoid(_) => f64::INFINITY,
    }
}

/// Beside the normal of a flat cap, the direction to leave it in: with the part d of the direction across the cap's axis and the point q of the other
/// body, the separation is d.q - r |d| and terms of second order, so the way up, if there is one, leads along q. Both local.
fn off_cap(core: &Core<'_>, d: &Vec3, q: &Vec3) -> Option<Vec3> {
    // sines: as near as a rough direction may miss the cap's normal, and a step off it
    const NEAR: f64 = 0.05;
    const STEP: f64 = 1e-4;
    let capped = matches!(core, Core::Cylinder(..)) || matches!(core, Core::Cone(..)) && d.z < 0.0;
    let length = norm2(q.x, q.y);
    (capped && norm2(d.x, d.y) < NEAR && length > 0.0)
        .then(|| Vec3::new(q.x / length * STEP, q.y / length * STEP, d.z.signum()).normalize())
}

/// Newton's method on the sphere for w(n) parallel to n, where w is the difference of supports:
/// (P H P - s) delta = -P w, with H the Hessian of s and P the projection across n. Says whether it converged.
fn newton(cores: &Cores<'_>, rough: &Vec3) -> Option<(Vec3, bool)> {
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
        let (d1, d2) = uphill((h11, h12, h22), (g1, g2))?;
        let length = norm2(d1, d2);
        // radians: near the normal of a cap the point on its rim runs round with n, and no model holds for farther than the rim is away
        let most = rim_away(&cores.a, &-n).min(rim_away(&cores.b, &db)).min(0.2);
        let mut scale = if length > most { most / length } else { 1.0 };
        // a full step may overshoot where the curvature changes: halve it until it climbs
        let mut next = None;
        for _ in 0..8 {
            let turned = (n + (t1 * d1 + t2 * d2) * scale).try_normalize(NO_LENGTH)?;
            // metres: near the top the gain is below rounding, and the step is right all the same
            if cores.separation(&turned) >= s - UPHILL * cores.size {
                next = Some(turned);
                break;
            }
            scale *= 0.5;
        }
        // no step climbs: a kink, which the constrained searches find
        let Some(next) = next else { break };
        n = next;
        // radians: the error after a step of Newton's is its square
        if length < STEP_DONE {
            return Some((n, true));
        }
    }
    Some((n, false))
}

/// Both unit vectors with n.z1 = c1 and n.z2 = c2.
pub(crate) fn crossings(z1: &Vec3, c1: f64, z2: &Vec3, c2: f64) -> [Option<Vec3>; 2] {
    let across = z1.cross(z2);
    let (k, sin2) = (z1.dot(z2), across.norm_squared());
    if sin2 < PARALLEL_CIRCLES {
        return [None, None];
    }
    let base = (z1 * (c1 - c2 * k) + z2 * (c2 - c1 * k)) / sin2;
    let rest = 1.0 - base.norm_squared();
    if rest < 0.0 {
        return [None, None];
    }
    let up = across * (rest / sin2).sqrt();
    [Some((base + up).normalize()), Some((base - up).normalize())]
}
