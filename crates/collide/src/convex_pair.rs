//! Two convex shapes, or a convex shape and a plane, to contact points.
//!
//! A ball is a point: its signed distance to the other core is exact and is all there is to know. Two
//! capsules are two segments. Everything else goes through the axis search and the overlap of support
//! patches; a plane needs no search.

use crate::axis;
use crate::circles;
use crate::contact::{Raw, features};
use crate::convex::{Convex, Core, FACE, Patch, PatchKind, SUPPORT};
use crate::faces;
use crate::gjk::{self, Cores};
use crate::manifold::{self, Local};
use crate::polytope::Polytope;
use crate::refine;
use crate::rigid::{Rigid, Vec3, norm2, tangents};
use crate::separation::{Axis, closest_on_segments};
use crate::tolerances::{
    ALONGSIDE, AT_CORE, BELOW_PLANE, FOUND_AGAIN, LEVEL_SLOPE, NO_LENGTH, ON_DISC, SEGMENTS_MEET,
    SEGMENTS_PARALLEL,
};

/// Memory of the convex narrow phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConvexScratch {
    axis: axis::AxisScratch,
    manifold: manifold::ClipScratch,
    points: Vec<Local>,
    patch: Patch,
    few: Vec<u32>,
    /// How near, metres, a pair must be to be asked about, if not as near as the margin; beyond it it need not say anything.
    pub(crate) near: Option<f64>,
    /// A direction that may separate a pair with a large polyhedron, in a's frame: read before, written after.
    pub(crate) hint: Option<Vec3>,
}

/// Contacts with a gap of at most `margin`, in world axes.
pub(crate) fn contacts(
    a: &Convex<'_>,
    xa: &Rigid,
    b: &Convex<'_>,
    xb: &Rigid,
    margin: f64,
    scratch: &mut ConvexScratch,
    out: &mut Vec<Raw>,
) {
    let x = xa.relative(xb);
    let first = out.len();
    match (&a.core, &b.core) {
        (Core::Poly(p), Core::Point) if beyond(p, &x.t, margin + a.radius + b.radius) => {}
        (Core::Point, Core::Poly(p))
            if beyond(p, &x.inv_point(&Vec3::zeros()), margin + a.radius + b.radius) => {}
        (_, Core::Point) => {
            let p = a.core.project(&x.t);
            push_ball(&x.t, p.distance, &-p.normal, a.radius, b.radius, margin, out);
        }
        (Core::Point, _) => {
            let p = b.core.project(&x.inv_point(&Vec3::zeros()));
            let n = x.dir(&p.normal);
            push_ball(&(-n * p.distance), p.distance, &n, a.radius, b.radius, margin, out);
        }
        _ => general(a, b, &x, margin, scratch, out),
    }
    for raw in &mut out[first..] {
        *raw = raw.moved(xa);
    }
}

/// Whether a point is farther than this outside a plane of a large polyhedron.
fn beyond(p: &Polytope, q: &Vec3, distance: f64) -> bool {
    p.index.as_ref().is_some_and(|index| index.outermost(p, q).1 > distance)
}

/// One contact; `on_b` is the point of b's core nearest a's.
fn push_ball(on_b: &Vec3, distance: f64, n: &Vec3, ra: f64, rb: f64, margin: f64, out: &mut Vec<Raw>) {
    let gap = distance - ra - rb;
    if gap <= margin {
        out.push(Raw { point: on_b + n * (rb + 0.5 * gap), normal: *n, gap, key: 0, patch: 0 });
    }
}

fn general(
    a: &Convex<'_>,
    b: &Convex<'_>,
    x: &Rigid,
    margin: f64,
    scratch: &mut ConvexScratch,
    out: &mut Vec<Raw>,
) {
    let cores = Cores { a: a.core, b: b.core, x: *x, size: a.core.size() + b.core.size() };
    let core_margin = margin + a.radius + b.radius;
    let large = |c: &Core<'_>| c.polytope().is_some_and(|p| p.index.is_some());
    let (mut guess, mut known) = (None, None);
    if large(&a.core) || large(&b.core) {
        let near = scratch.near.map_or(margin, |n| n.min(margin));
        let found = look(&cores, near + a.radius + b.radius, scratch);
        scratch.hint = None;
        match found {
            Look::Apart(n) => {
                scratch.hint = Some(n);
                return;
            }
            Look::Best(axis) => (guess, known) = (Some(axis), Some(axis)),
            Look::Near(axis) => guess = Some(axis),
            Look::Nothing => {}
        }
    }
    let ConvexScratch { axis: axis_scratch, manifold: manifold_scratch, points, few, .. } = scratch;
    points.clear();
    let best = if let (Core::Segment(h), Core::Segment(k)) = (a.core, b.core) {
        Some(segments(h, k, x))
    } else if let Some(apart) = beside_segment(&cores) {
        Some(apart)
    } else {
        let face = faces::best_face(&cores, core_margin, guess.as_ref(), few);
        if face.is_some_and(|f| f.s > core_margin) {
            return;
        }
        if let Some(f) = face.filter(|_| !axis::few_edges(&cores)) {
            manifold::overlap(&cores, &f.n, core_margin, manifold_scratch, points);
            if faces::attained(&cores, &f, points) {
                return emit(a, b, &f, points, margin, out);
            }
        }
        axis::search(&cores, face, known, guess, core_margin, axis_scratch)
    };
    let Some(best) = best else { return };
    if best.s > core_margin {
        return;
    }
    points.clear();
    if let (Core::Segment(_), Core::Segment(_), Some((p, q))) = (a.core, b.core, best.witness)
        && x.r.column(2).xy().norm_squared() > ALONGSIDE
    {
        // crossing segments touch in one point; nearly parallel ones, like the faces below, along a line
        points.push(Local { a: p, b: q, feature_a: SUPPORT + 9, feature_b: SUPPORT + 9 });
        return emit(a, b, &best, points, margin, out);
    }
    // metres: the point that attains s, found again by the overlap of patches, is off by rounding only
    let tol = FOUND_AGAIN * cores.size;
    manifold::overlap(&cores, &best.n, core_margin, manifold_scratch, points);
    // nothing can be deeper than the axis says; a point that is comes from a patch seen nearly edge-on
    points.retain(|l| best.n.dot(&(l.a - l.b)) >= best.s - tol);
    let found = points.iter().any(|l| best.n.dot(&(l.a - l.b)) <= best.s + 0.01 * tol);
    if !found {
        let (p, q) = faces::facing_points(&cores, &best);
        // the two points may be offset across n by the tolerance of the search; their middle is kept
        let middle = (p + q) * 0.5;
        let half = best.n * (0.5 * best.s);
        points.push(Local {
            a: middle + half,
            b: middle - half,
            feature_a: SUPPORT + 9,
            feature_b: SUPPORT + 9,
        });
    }
    emit(a, b, &best, points, margin, out);
}

/// Relative to the size: a direction must separate by so much more than is asked for to end the matter, so that no search, from
/// wherever it starts, could have come to another end.
const SURELY: f64 = 1e-9;

/// What a first look at a pair with a large polyhedron tells.
enum Look {
    /// Surely farther apart than asked for, along this.
    Apart(Vec3),
    /// The best of all directions.
    Best(Axis),
    /// Some direction, to measure others by.
    Near(Axis),
    Nothing,
}

/// A first look at a pair with a large polyhedron: a direction that surely separates the cores by more than `near`, if one is
/// found, the last one that did or by GJK; else the best, or a good one.
fn look(cores: &Cores<'_>, near: f64, scratch: &mut ConvexScratch) -> Look {
    let enough = near + SURELY * cores.size;
    if let Some(n) = scratch.hint.filter(|n| cores.separation(n) > enough) {
        return Look::Apart(n);
    }
    // from here on nothing of the past is used: the answer belongs to the poses
    let between = cores.x.point(&faces::middle(&cores.b)) - faces::middle(&cores.a);
    let start = between.try_normalize(NO_LENGTH).map_or(Vec3::z(), |t| -t);
    let memory = &mut scratch.axis.expanding;
    if axis::polyhedral(&cores.a) && axis::polyhedral(&cores.b) {
        return match gjk::exact_axis(cores, &start, enough, memory) {
            Some((axis, _)) if axis.s > enough => Look::Apart(axis.n),
            Some((axis, true)) => Look::Best(axis),
            Some((axis, false)) => Look::Near(axis),
            None => Look::Nothing,
        };
    }
    let (rough, count) = gjk::rough_axes(cores, &start, enough, !circles::serve(cores), memory);
    let separated = |(n, _): &(Vec3, f64)| (*n, cores.separation(n));
    let best = rough[..count].iter().map(separated).max_by(|x, y| x.1.total_cmp(&y.1));
    match best {
        Some((n, s)) if s > enough => Look::Apart(n),
        Some((n, s)) => Look::Near(Axis { n, s, witness: None }),
        None => Look::Nothing,
    }
}

fn emit(a: &Convex<'_>, b: &Convex<'_>, axis: &Axis, points: &[Local], margin: f64, out: &mut Vec<Raw>) {
    let n = axis.n;
    for l in points {
        let (p, q) = (l.a - n * a.radius, l.b + n * b.radius);
        let mut raw = Raw::between(&p, &q, n, features(l.feature_a, l.feature_b), 0);
        // a point taken to be on a border may lie beyond it by the tolerance: never deeper than the axis
        raw.gap = raw.gap.max(axis.s - a.radius - b.radius);
        if raw.gap <= margin {
            out.push(raw);
        }
    }
}

/// Two segments along their z axes, the second moved by x.
fn segments(h: f64, k: f64, x: &Rigid) -> Axis {
    let (e, f) = (Vec3::new(0.0, 0.0, h), x.r.column(2) * k);
    let (u, v) = (x.t - f, x.t + f);
    let (p, q) = closest_on_segments(&-e, &e, &u, &v);
    let d = p - q;
    let s = d.norm();
    // metres relative to the lengths: below it the direction of d is rounding
    let n = if s > SEGMENTS_MEET * (h + k) {
        d / s
    } else {
        e.cross(&f).try_normalize(SEGMENTS_PARALLEL * h * k).unwrap_or_else(|| tangents(&Vec3::z()).0)
    };
    Axis { n, s: n.dot(&d), witness: Some((p, q)) }
}

/// A segment outside a cylinder or a cone: the signed distance of a point is convex and, outside, smooth, so its
/// least value along the segment is the distance. `None` for other pairs, and where the cores meet.
fn beside_segment(cores: &Cores<'_>) -> Option<Axis> {
    let round = |c: &Core<'_>| matches!(c, Core::Cylinder(..) | Core::Cone(..));
    let x = &cores.x;
    // the segment in the other core's frame
    let (other, middle, half) = match (&cores.a, &cores.b) {
        (Core::Segment(h), b) if round(b) => {
            (b, x.inv_point(&Vec3::zeros()), x.inv_dir(&Vec3::new(0.0, 0.0, *h)))
        }
        (a, Core::Segment(h)) if round(a) => (a, x.t, x.r.column(2) * *h),
        _ => return None,
    };
    // the side of the segment that the distance falls towards
    let fall = |t: f64| -other.project(&(middle + half * t)).normal.dot(&half);
    let (start, end) = (fall(-1.0), fall(1.0));
    let t = if start <= 0.0 {
        -1.0
    } else if end >= 0.0 {
        1.0
    } else {
        refine::falling_root(fall, -1.0, start, 1.0, end, LEVEL_SLOPE * cores.size)
    };
    let p = middle + half * t;
    let found = other.project(&p);
    // metres relative to the size: nearer than this the direction is rounding, and inside it is not the way out
    if found.distance <= AT_CORE * cores.size {
        return None;
    }
    let on_other = p - found.normal * found.distance;
    let s = found.distance;
    Some(if matches!(cores.a, Core::Segment(_)) {
        Axis { n: x.dir(&found.normal), s, witness: Some((x.point(&p), x.point(&on_other))) }
    } else {
        Axis { n: -found.normal, s, witness: Some((on_other, p)) }
    })
}

/// A convex shape a over the plane b: z <= 0 in the frame xb.
pub(crate) fn over_plane(
    a: &Convex<'_>,
    xa: &Rigid,
    xb: &Rigid,
    margin: f64,
    scratch: &mut ConvexScratch,
    out: &mut Vec<Raw>,
) {
    let n = xb.r.column(2).into_owned();
    let d = -xa.inv_dir(&n);
    let height = n.dot(&(xa.t - xb.t));
    let mut push = |p: &Vec3, feature: u32| {
        let gap = height - d.dot(p) - a.radius;
        if gap <= margin {
            let point = xa.point(p) - n * (a.radius + 0.5 * gap);
            out.push(Raw { point, normal: n, gap, key: features(feature, FACE), patch: 0 });
        }
    };
    if let Some(p) = a.core.polytope() {
        if let Some(index) = &p.index {
            // metres: what lies below the margin's plane, with room for rounding
            let floor = height - a.radius - margin;
            index.vertices_beyond(&d, floor - BELOW_PLANE * (floor.abs() + index.size), &mut scratch.few);
            scratch.few.iter().for_each(|&i| push(&p.vertices[i as usize], i));
        } else {
            p.vertices.iter().zip(0..).for_each(|(v, i)| push(v, i));
        }
        return;
    }
    let patch = &mut scratch.patch;
    a.core.patch(&d, patch);
    patch.points.iter().zip(&patch.features).for_each(|(p, &f)| push(p, f));
    // the deepest point of a rim, unless the disc lies so flat that its direction is rounding
    if patch.kind == PatchKind::Disc && norm2(d.x, d.y) > ON_DISC {
        push(&a.core.support(&d), SUPPORT + 2);
    }
}
