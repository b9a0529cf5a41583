//! From a contact axis to contact points: the overlap of two support patches seen along the axis.
//!
//! Both patches (face, disc, segment or point) are projected along n; the points reported are the
//! corners of the overlap of the two projections, each lifted back to both bodies. So there is no
//! reference and no incident face: swapping the bodies swaps the roles and nothing else. Corners are
//! of three sorts, and each names the features it comes from:
//! vertices of a inside the patch of b, vertices of b inside the patch of a, and crossings of their borders.
//! A disc adds the points of its rim that bound a thin overlap: the rim point deepest along n, and those
//! farthest across a polygon's edge or towards another disc's centre.
//!
//! The gap at a point is measured along n between the lifted points.

use crate::convex::{CROSSED, EDGE, Patch, PatchKind, RIMS, SUPPORT};
use crate::gjk::Cores;
use crate::rigid::{Vec3, norm2, tangents};
use crate::tolerances::{ALONGSIDE, BEYOND_END, EDGE_ON, NOT_ZERO, ON_DISC, PARALLEL_BORDERS};

/// A point on each core, in the frame of a, with the features they lie on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Local {
    pub a: Vec3,
    pub b: Vec3,
    pub feature_a: u32,
    pub feature_b: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ClipScratch {
    a: Patch,
    b: Patch,
    sides_a: Vec<BorderSide>,
    sides_b: Vec<BorderSide>,
    /// Points of the patches, and of the overlap so far, in the plane across n.
    flat_a: Vec<(f64, f64)>,
    flat_b: Vec<(f64, f64)>,
    found: Vec<(f64, f64)>,
}

/// A straight piece of border seen along n: corner and edge in the plane, and the unit normal into the patch.
#[derive(Debug, Clone, Copy, Default)]
struct BorderSide {
    at: (f64, f64),
    edge: (f64, f64),
    inward: (f64, f64),
}

/// One patch seen along n.
struct View<'a> {
    patch: &'a Patch,
    flat: &'a [(f64, f64)],
    sides: &'a [BorderSide],
    /// In-plane axes of the projection.
    across: (Vec3, Vec3),
    /// In-plane axes of a disc.
    axes: (Vec3, Vec3),
    /// A face seen nearly edge-on has no inside to lift to.
    open: bool,
}

/// Metres relative to the size: points this near a border are on it. Resting poses carry noise of some
/// 1e-12; what slides by a micrometre is not noise.
const ON_BORDER: f64 = 1e-9;

/// How near a corner of a patch takes its name: relative to the size, and in metres, a quarter of the distance at
/// which reduction merges points. Bodies are built flush (bricks of a wall, equal boxes of a stack), and a
/// corner that a micrometre of motion takes across the other's border must not change its name.
const NAMED: (f64, f64) = (1e-4, 2.5e-4);

/// Points of the overlap with a core gap of at most `max_gap`.
pub(crate) fn overlap(
    cores: &Cores<'_>,
    n: &Vec3,
    max_gap: f64,
    scratch: &mut ClipScratch,
    out: &mut Vec<Local>,
) {
    let ClipScratch { a, b, sides_a, sides_b, flat_a, flat_b, found } = scratch;
    cores.a.patch(&-n, a);
    cores.b.patch(&cores.x.inv_dir(n), b);
    for p in &mut b.points {
        *p = cores.x.point(p);
    }
    b.normal = cores.x.dir(&b.normal);
    b.center = cores.x.point(&b.center);
    let across = tangents(n);
    project(a, n, &across, flat_a, sides_a);
    project(b, n, &across, flat_b, sides_b);
    let (va, vb) = (View::new(a, flat_a, sides_a, across, n), View::new(b, flat_b, sides_b, across, n));
    patches(&va, &vb, n, cores.size, max_gap, found, out);
}

/// The points and the straight borders of a patch in the plane across n.
fn project(
    patch: &Patch,
    n: &Vec3,
    across: &(Vec3, Vec3),
    flat: &mut Vec<(f64, f64)>,
    sides: &mut Vec<BorderSide>,
) {
    flat.clear();
    flat.extend(patch.points.iter().map(|p| (p.dot(&across.0), p.dot(&across.1))));
    sides.clear();
    let count = match patch.kind {
        PatchKind::Polygon => patch.points.len(),
        PatchKind::Segment => 1,
        PatchKind::Point | PatchKind::Disc => 0,
    };
    let turn = 1.0_f64.copysign(patch.normal.dot(n));
    for i in 0..count {
        let (at, next) = (flat[i], flat[if i + 1 < flat.len() { i + 1 } else { 0 }]);
        let edge = (next.0 - at.0, next.1 - at.1);
        let scale = turn / norm2(edge.0, edge.1).max(NOT_ZERO);
        sides.push(BorderSide { at, edge, inward: (-edge.1 * scale, edge.0 * scale) });
    }
}

fn patches(
    va: &View<'_>,
    vb: &View<'_>,
    n: &Vec3,
    size: f64,
    max_gap: f64,
    found: &mut Vec<(f64, f64)>,
    out: &mut Vec<Local>,
) {
    let first = out.len();
    found.clear();
    let (a, b) = (va.patch, vb.patch);
    let tol = ON_BORDER * size;
    let named = (NAMED.0 * size).min(NAMED.1);
    let near = |p: &(f64, f64), q: &(f64, f64), within: f64| {
        let e = (p.0 - q.0, p.1 - q.1);
        e.0 * e.0 + e.1 * e.1 <= within * within
    };
    let mut push = |mut l: Local, corners: (bool, bool)| {
        if n.dot(&(l.a - l.b)) > max_gap {
            return;
        }
        let flat = (l.a.dot(&va.across.0), l.a.dot(&va.across.1));
        if found.iter().any(|o| near(o, &flat, 100.0 * tol)) {
            return;
        }
        // corners come first and have their names; a crossing may take one that is free, of a before b, and a corner
        // of b that of a
        let own = |l: &Local| (l.feature_a, l.feature_b);
        let (of_a, of_b) = (corners.0, corners.1);
        if !of_a {
            let at_a = va.flat.iter().position(|p| near(p, &flat, named)).map(|k| (a.features[k], b.face));
            let at_b = || vb.flat.iter().position(|p| near(p, &flat, named)).map(|k| (a.face, b.features[k]));
            let name = at_a.or_else(|| if of_b { None } else { at_b() });
            if let Some(name) = name.filter(|n| out[first..].iter().all(|o| own(o) != *n)) {
                (l.feature_a, l.feature_b) = name;
            }
        }
        found.push(flat);
        out.push(l);
    };
    for (p, &f) in a.points.iter().zip(&a.features) {
        if let Some(q) = vb.lift(p, n, tol) {
            push(Local { a: *p, b: q, feature_a: f, feature_b: b.face }, (true, false));
        }
    }
    for (p, &f) in b.points.iter().zip(&b.features) {
        if let Some(q) = va.lift(p, n, tol) {
            push(Local { a: q, b: *p, feature_a: a.face, feature_b: f }, (false, true));
        }
    }
    let mut push = |l: Local| push(l, (false, false));
    crossings(va, vb, &mut push);
    if a.kind == PatchKind::Disc {
        rim_points(va, vb, n, &-n, tol, &mut |p, q, k| {
            push(Local { a: p, b: q, feature_a: k, feature_b: b.face });
        });
        if b.kind == PatchKind::Disc {
            rim_rim(va, vb, n, &mut push);
        } else {
            rim_crossings(va, vb, n, &mut push);
        }
    }
    if b.kind == PatchKind::Disc {
        rim_points(vb, va, n, n, tol, &mut |p, q, k| {
            push(Local { a: q, b: p, feature_a: a.face, feature_b: k });
        });
        if a.kind != PatchKind::Disc {
            let mut swapped =
                |l: Local| push(Local { a: l.b, b: l.a, feature_a: l.feature_b, feature_b: l.feature_a });
            rim_crossings(vb, va, n, &mut swapped);
        }
    }
}

impl<'a> View<'a> {
    fn new(
        patch: &'a Patch,
        flat: &'a [(f64, f64)],
        sides: &'a [BorderSide],
        across: (Vec3, Vec3),
        n: &Vec3,
    ) -> Self {
        let facing = patch.normal.dot(n);
        let axes = if patch.kind == PatchKind::Disc {
            let e1 = (patch.points[0] - patch.center) / patch.radius;
            (e1, patch.normal.cross(&e1))
        } else {
            (Vec3::zeros(), Vec3::zeros())
        };
        let area = matches!(patch.kind, PatchKind::Polygon | PatchKind::Disc);
        Self { patch, flat, sides, across, axes, open: !area || facing.abs() < EDGE_ON }
    }

    fn corner(&self, i: usize) -> Vec3 {
        self.patch.points[i % self.patch.points.len()]
    }

    fn piece_feature(&self, i: usize) -> u32 {
        // by its ends, not by its place in the loop
        let f = &self.patch.features;
        let (u, v) = (f[i], f[(i + 1) % f.len()]);
        EDGE + (u.min(v) & 0xfff) * 4096 + (u.max(v) & 0xfff)
    }

    fn rim(&self, angle: f64) -> Vec3 {
        let (s, c) = angle.sin_cos();
        self.patch.center + (self.axes.0 * c + self.axes.1 * s) * self.patch.radius
    }

    /// Angle of the rim point farthest along `d`, if `d` has a part in the disc's plane.
    fn angle(&self, d: &Vec3) -> Option<f64> {
        let (c, s) = (self.axes.0.dot(d), self.axes.1.dot(d));
        (norm2(c, s) > ON_DISC * d.norm()).then(|| s.atan2(c))
    }

    /// The point of the patch in line with p along n, if the line meets it.
    fn lift(&self, p: &Vec3, n: &Vec3, tol: f64) -> Option<Vec3> {
        if self.open {
            return None;
        }
        let base = self.patch.points[0];
        let q = p + n * (self.patch.normal.dot(&(base - p)) / self.patch.normal.dot(n));
        let inside = if self.patch.kind == PatchKind::Disc {
            (q - self.patch.center).norm() <= self.patch.radius + tol
        } else {
            let (x, y) = (p.dot(&self.across.0), p.dot(&self.across.1));
            self.sides.iter().all(|s| s.inward.0 * (x - s.at.0) + s.inward.1 * (y - s.at.1) >= -tol)
        };
        inside.then_some(q)
    }
}

/// Crossings of straight borders, and the ends of parallel ones.
fn crossings(va: &View<'_>, vb: &View<'_>, push: &mut impl FnMut(Local)) {
    let segments = va.patch.kind == PatchKind::Segment && vb.patch.kind == PatchKind::Segment;
    for (i, side) in va.sides.iter().enumerate() {
        let ((px, py), (ex, ey)) = (side.at, side.edge);
        let (p, e) = (va.corner(i), va.corner(i + 1) - va.corner(i));
        for (j, other) in vb.sides.iter().enumerate() {
            let ((qx, qy), (fx, fy)) = (other.at, other.edge);
            let det = ex * fy - ey * fx;
            let lengths2 = (ex * ex + ey * ey) * (fx * fx + fy * fy);
            let (dx, dy) = (qx - px, qy - py);
            // parallel to 1e-7 rad: the crossing, if any, is ill-placed and the ends serve instead
            if det * det > PARALLEL_BORDERS * lengths2 {
                // s and t times det, so that most pairs need no division
                let (s, t) = ((dx * fy - dy * fx) * det, (dx * ey - dy * ex) * det);
                let det2 = det * det;
                if s >= 0.0 && s <= det2 && t >= 0.0 && t <= det2 {
                    let (s, t) = (s / det2, t / det2);
                    let (feature_a, feature_b) = (va.piece_feature(i), vb.piece_feature(j));
                    let (q, f) = (vb.corner(j), vb.corner(j + 1) - vb.corner(j));
                    push(Local { a: p + e * s, b: q + f * t, feature_a, feature_b });
                }
            }
            // two nearly parallel segments touch along a line: its ends, lateral offset ignored
            if segments && det * det < ALONGSIDE * lengths2 {
                let (q, f) = (vb.corner(j), vb.corner(j + 1) - vb.corner(j));
                let along = |o: &Vec3, d: &Vec3, x: &Vec3| d.dot(&(x - o)) / d.norm_squared();
                let range = -BEYOND_END..=1.0 + BEYOND_END;
                for k in 0..2 {
                    let x = va.corner(k);
                    let t = along(&q, &f, &x);
                    if range.contains(&t) {
                        push(Local {
                            a: x,
                            b: q + f * t,
                            feature_a: va.patch.features[k],
                            feature_b: vb.piece_feature(0),
                        });
                    }
                }
                for k in 0..2 {
                    let x = vb.corner(k);
                    let s = along(&p, &e, &x);
                    if range.contains(&s) {
                        push(Local {
                            a: p + e * s,
                            b: x,
                            feature_a: va.piece_feature(0),
                            feature_b: vb.patch.features[k],
                        });
                    }
                }
            }
        }
    }
}

/// Rim points that bound thin overlaps: deepest along `facing`, and farthest across each border.
fn rim_points(
    disc: &View<'_>,
    other: &View<'_>,
    n: &Vec3,
    facing: &Vec3,
    tol: f64,
    push: &mut impl FnMut(Vec3, Vec3, u32),
) {
    let mut at = |d: &Vec3, feature: u32| {
        if let Some(angle) = disc.angle(d) {
            let p = disc.rim(angle);
            if let Some(q) = other.lift(&p, n, tol) {
                push(p, q, feature);
            }
        }
    };
    at(facing, SUPPORT + 2);
    match other.patch.kind {
        PatchKind::Polygon => {
            for i in 0..other.patch.points.len() {
                let e = other.corner(i + 1) - other.corner(i);
                at(&other.patch.normal.cross(&e), SUPPORT + 3 + other.patch.features[i]);
            }
        }
        PatchKind::Disc => at(&(other.patch.center - disc.patch.center), SUPPORT + 3),
        PatchKind::Point | PatchKind::Segment => {}
    }
}

/// Where a disc's rim crosses straight borders, seen along n: a plane through the border and n cuts the
/// rim's circle where k + A cos + B sin = 0.
fn rim_crossings(disc: &View<'_>, other: &View<'_>, n: &Vec3, push: &mut impl FnMut(Local)) {
    for j in 0..other.sides.len() {
        let (q, f) = (other.corner(j), other.corner(j + 1) - other.corner(j));
        let m = f.cross(n);
        let (ca, cb) = (m.dot(&disc.axes.0) * disc.patch.radius, m.dot(&disc.axes.1) * disc.patch.radius);
        let k = m.dot(&(disc.patch.center - q));
        let amplitude = norm2(ca, cb);
        if amplitude <= k.abs() || amplitude == 0.0 {
            continue;
        }
        let (mid, half) = (cb.atan2(ca), (-k / amplitude).acos());
        for (side, angle) in [(0, mid - half), (1, mid + half)] {
            let p = disc.rim(angle);
            let flat = f - n * n.dot(&f);
            let t = flat.dot(&(p - q)) / flat.norm_squared();
            if (0.0..=1.0).contains(&t) {
                let feature_a = CROSSED + side;
                push(Local { a: p, b: q + f * t, feature_a, feature_b: other.piece_feature(j) });
            }
        }
    }
}

/// Steps round a rim between which at most one crossing is looked for.
const SAMPLES: usize = 32;

/// Where two rims cross, seen along n: sign changes of "inside the other disc" along one rim, bisected.
fn rim_rim(va: &View<'_>, vb: &View<'_>, n: &Vec3, push: &mut impl FnMut(Local)) {
    if va.open || vb.open {
        return;
    }
    let lifted = |angle: f64| {
        let p = va.rim(angle);
        p + n * (vb.patch.normal.dot(&(vb.patch.center - p)) / vb.patch.normal.dot(n))
    };
    let outside = |angle: f64| (lifted(angle) - vb.patch.center).norm_squared() - vb.patch.radius.powi(2);
    // start where a looks towards b's centre: the lens is symmetric about it
    let Some(start) = va.angle(&(vb.patch.center - va.patch.center)) else { return };
    let mut found = 0;
    let step = std::f64::consts::TAU / SAMPLES as f64;
    let (mut a0, mut f0) = (start, outside(start));
    for k in 1..=SAMPLES {
        let (a1, f1) = (start + step * k as f64, outside(start + step * k as f64));
        if (f0 > 0.0) != (f1 > 0.0) {
            let (mut lo, mut hi) = (a0, a1);
            for _ in 0..50 {
                let mid = 0.5 * (lo + hi);
                if (outside(mid) > 0.0) == (f0 > 0.0) { lo = mid } else { hi = mid }
            }
            // two tilted discs may cross four times: numbered round the rim, from where it faces the other
            push(Local { a: va.rim(lo), b: lifted(lo), feature_a: RIMS + found, feature_b: RIMS });
            found += 1;
        }
        (a0, f0) = (a1, f1);
    }
}
