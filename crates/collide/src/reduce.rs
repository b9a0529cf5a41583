//! Fewer contact points, the same contact [Yamane, §IV-C].
//!
//! The cost of a contact problem grows with its points, so those that add nothing go: points within
//! a small distance of another, and points inside the contact area. Points that separate stay: a force elsewhere may
//! close them, and without them a body sinks [Yamane, §IV-C].
//!
//! Per patch (one face contact, one contour, one direction of near contacts): the deepest of each
//! cluster, then the convex hull in the tangent plane and the deepest point of all; a cap, if set, keeps
//! the deepest and then whichever point is farthest from those kept. With `wrench` the points are those
//! extreme in wrench space instead, over all patches of the pair: for 72 directions d in the space of
//! (force, torque) the point with the greatest d . (n, (p - c) x n / length).
//!
//! Departures: the merging distance is the paper's 1e-3 m, but never more than a tenth of the patch, or a
//! millimetre-sized part would stand on one point. Hull corners flatter than 1e-6 of the patch are not
//! corners, so that rounding does not make points come and go along a straight border.

use crate::contact::Raw;
use crate::rigid::{Vec3, norm2, tangents};
use crate::tolerances::{AS_DEEP, DEEPER, MERGE, MORE_EXTREME, NOT_ZERO, STRAIGHT_BORDER};

/// How contacts of a pair are thinned out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reduction {
    /// Metres; points nearer than this to a deeper one of their patch are dropped. [Yamane, §V]: 1e-3.
    pub merge: f64,
    /// Whether points inside the hull of their patch are dropped.
    pub hull: bool,
    /// Most points kept per patch.
    pub cap: usize,
    /// Whether the extreme points in wrench space are taken instead of the hull of each patch.
    pub wrench: bool,
}

impl Default for Reduction {
    fn default() -> Self {
        Self { merge: MERGE, hull: true, cap: 8, wrench: false }
    }
}

impl Reduction {
    /// Every point the narrow phase finds.
    pub const NONE: Self = Self { merge: 0.0, hull: false, cap: usize::MAX, wrench: false };
}

/// Memory of the reduction.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReduceScratch {
    patch: Vec<Raw>,
    flat: Vec<(f64, f64, u32)>,
    hull: Vec<u32>,
    keep: Vec<bool>,
    kept: Vec<Raw>,
    names: Vec<u64>,
    far: Vec<f64>,
}

/// Reduces the contacts of one pair in place; the order is by patch, then by depth, then by key.
pub(crate) fn reduce(points: &mut Vec<Raw>, settings: &Reduction, scratch: &mut ReduceScratch) {
    if points.len() <= 1 {
        return;
    }
    points
        .sort_unstable_by(|p, q| p.patch.cmp(&q.patch).then(p.gap.total_cmp(&q.gap)).then(p.key.cmp(&q.key)));
    if *settings == Reduction::NONE {
        return;
    }
    scratch.kept.clear();
    let mut from = 0;
    while from < points.len() {
        let to = from + points[from..].iter().take_while(|p| p.patch == points[from].patch).count();
        one_patch(&points[from..to], settings, scratch);
        from = to;
    }
    points.clear();
    points.extend_from_slice(&scratch.kept);
    if settings.wrench {
        wrench_extremes(points, scratch);
    }
}

/// Makes the keys of one pair's contacts differ from each other, in place. Keys are made of features and nearly always
/// differ; where two are equal (a vertex in two contours of a mesh), later points take the next free number of
/// a sequence that does not repeat.
pub(crate) fn name_apart(points: &mut [Raw], scratch: &mut ReduceScratch) {
    // few points, and nearly always no two alike: a look at all pairs is quicker than a sorted list
    if points.len() <= 16 && (1..points.len()).all(|i| points[..i].iter().all(|p| p.key != points[i].key)) {
        return;
    }
    let taken = &mut scratch.names;
    taken.clear();
    for p in points {
        loop {
            match taken.binary_search(&p.key) {
                Ok(_) => p.key = p.key.wrapping_add(0x9e37_79b9_7f4a_7c15),
                Err(at) => {
                    taken.insert(at, p.key);
                    break;
                }
            }
        }
    }
}

fn one_patch(points: &[Raw], settings: &Reduction, scratch: &mut ReduceScratch) {
    let ReduceScratch { patch, flat, hull, keep, kept, far, .. } = scratch;
    patch.clear();
    let n = points[0].normal;
    let spread = points.iter().map(|p| (p.point - points[0].point).norm()).fold(0.0, f64::max);
    let delta = settings.merge.min(0.1 * spread);
    for p in points {
        let near = |q: &&mut Raw| (q.point - p.point).norm_squared() < delta * delta;
        match patch.iter_mut().find(near) {
            // which of two is the deeper may be rounding; the name must not be, and corners have the lower keys
            Some(q) if p.key < q.key => {
                // metres: as deep to rounding, so the corner itself stays
                let place = if p.gap <= q.gap + AS_DEEP * delta { p } else { &*q };
                *q = Raw { key: p.key, ..*place };
            }
            Some(_) => {}
            None => patch.push(*p),
        }
    }
    keep.clear();
    keep.resize(patch.len(), !settings.hull || settings.wrench || patch.len() <= 4);
    // of four points at most one is inside, and finding it costs as much as solving for it
    if settings.hull && !settings.wrench && patch.len() > 4 {
        let (t1, t2) = tangents(&n);
        flat.clear();
        flat.extend(patch.iter().zip(0..).map(|(p, i)| (t1.dot(&p.point), t2.dot(&p.point), i)));
        convex_hull(flat, hull, STRAIGHT_BORDER * spread);
        for &i in hull.iter() {
            keep[i as usize] = true;
        }
        // metres: deepest by rounding alone, a point on a straight border adds nothing to the corners
        keep[0] |= hull.iter().all(|&i| patch[i as usize].gap > patch[0].gap + DEEPER * spread);
    }
    let mut count = keep.iter().filter(|k| **k).count();
    if count > settings.cap && !settings.wrench {
        farthest_first(patch, keep, settings.cap.max(1), hull, far);
        count = keep.iter().filter(|k| **k).count();
    }
    debug_assert!(count > 0, "the deepest point is always kept");
    kept.extend(patch.iter().zip(keep.iter()).filter(|(_, k)| **k).map(|(p, _)| *p));
}

/// Corners of the hull of plane points, by index; a corner must stick out by more than `flat` metres.
pub(crate) fn convex_hull(points: &mut [(f64, f64, u32)], hull: &mut Vec<u32>, flat: f64) {
    points.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.cmp(&q.2)));
    hull.clear();
    // lower chain left to right, then upper chain right to left; `hull` holds positions in `points` meanwhile
    let n = points.len();
    for pass in 0..2 {
        let start = hull.len();
        for k in 0..n {
            let i = if pass == 0 { k } else { n - 1 - k };
            while hull.len() >= start + 2 {
                let (o, a) = (hull[hull.len() - 2] as usize, hull[hull.len() - 1] as usize);
                if turn_left(&points[o], &points[a], &points[i], 0.0) {
                    break;
                }
                hull.pop();
            }
            hull.push(crate::error::count(i));
        }
        // the next chain begins where this one ends
        hull.pop();
    }
    // flat corners go once the hull is closed: in an open chain one that is itself dropped later would hide another
    let mut k = 0;
    while k < hull.len() && hull.len() > 3 {
        let at = |k: usize| &points[hull[k % hull.len()] as usize];
        if turn_left(at(k + hull.len() - 1), at(k), at(k + 1), flat) {
            k += 1;
        } else {
            hull.remove(k);
        }
    }
    for i in hull.iter_mut() {
        *i = points[*i as usize].2;
    }
    hull.sort_unstable();
}

fn turn_left(o: &(f64, f64, u32), a: &(f64, f64, u32), b: &(f64, f64, u32), flat: f64) -> bool {
    let length = norm2(b.0 - o.0, b.1 - o.1);
    (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0) > flat * length
}

/// Of those kept, at most `cap`: the deepest, then always the one farthest from the chosen.
fn farthest_first(points: &[Raw], keep: &mut [bool], cap: usize, order: &mut Vec<u32>, far: &mut Vec<f64>) {
    // candidates, and how far each is from the nearest chosen one, squared
    order.clear();
    order.extend((0..points.len()).filter(|&i| keep[i]).map(crate::error::count));
    far.clear();
    far.resize(order.len(), f64::INFINITY);
    keep.fill(false);
    // points are sorted by depth, so the first candidate is the deepest
    let mut last = order.first().map_or(0, |&i| i as usize);
    keep[last] = true;
    for _ in 1..cap {
        let mut best: Option<(f64, usize)> = None;
        for (&i, distance) in order.iter().zip(far.iter_mut()) {
            let i = i as usize;
            *distance = distance.min((points[i].point - points[last].point).norm_squared());
            // of equals the first
            if !keep[i] && best.is_none_or(|(most, _)| distance.total_cmp(&most).is_gt()) {
                best = Some((*distance, i));
            }
        }
        let Some((_, i)) = best else { break };
        keep[i] = true;
        last = i;
    }
}

/// Keeps the points extreme in wrench space along a fixed set of directions, and the deepest.
fn wrench_extremes(points: &mut Vec<Raw>, scratch: &mut ReduceScratch) {
    let center = points.iter().map(|p| p.point).sum::<Vec3>() / points.len() as f64;
    let length = points.iter().map(|p| (p.point - center).norm()).fold(NOT_ZERO, f64::max);
    let wrench = |p: &Raw| {
        let torque = (p.point - center).cross(&p.normal) / length;
        [p.normal.x, p.normal.y, p.normal.z, torque.x, torque.y, torque.z]
    };
    scratch.keep.clear();
    scratch.keep.resize(points.len(), false);
    let deepest = (0..points.len()).min_by(|&i, &j| points[i].gap.total_cmp(&points[j].gap)).unwrap_or(0);
    scratch.keep[deepest] = true;
    let mut extreme = |d: [f64; 6]| {
        let value = |p: &Raw| wrench(p).iter().zip(&d).map(|(x, y)| x * y).sum::<f64>();
        let mut best = (0, f64::NEG_INFINITY);
        for (i, p) in points.iter().enumerate() {
            let v = value(p);
            if v > best.1 + MORE_EXTREME {
                best = (i, v);
            }
        }
        scratch.keep[best.0] = true;
    };
    for i in 0..6 {
        for si in [1.0, -1.0] {
            let mut d = [0.0; 6];
            d[i] = si;
            extreme(d);
            for j in i + 1..6 {
                for sj in [1.0, -1.0] {
                    let mut e = d;
                    e[j] = sj;
                    extreme(e);
                }
            }
        }
    }
    let mut i = 0;
    points.retain(|_| {
        i += 1;
        scratch.keep[i - 1]
    });
}
