//! Contours that no one direction fits: a nut on its thread, a race around a race.
//!
//! Two surfaces that run along each other cut in long contours, around a helix or along a groove. The area vector of such a contour is
//! a mean over normals that differ, and thickness along it meets the next turn of the thread. The solids themselves tell: from a point
//! of a inside b, the line along n must leave b where the thickness ends and not before, and where an overlap is thin the surfaces it
//! ends on look along n. A contour is *bent* if its deepest contact, of thickness h along n, leaves a solid
//! ```text
//!     before h / 2 and within `THIN` of the contour's extent, or
//!     with h within the same and many facets cut, both solids through faces that look away from n by more than `LEANS` + `THICKER` h / (the contour's extent).
//! ```
//! Then every vertex inside the other solid is as deep as its nearest point of that solid's surface, and every pair of ridges that have
//! passed each other as deep as they have: each along its own normal. Should none of these be found, the contour keeps what it had.
//!
//! An overlap thinner than rounding tells may have no depth at all that a solid holds (`thickness`), as of flanks that fit each other. The
//! contour's own segments then touch, without depth.

use super::contact::within_reach;
use super::contour::Segment;
use super::loops::Loop;
use super::query::Feature;
use super::thickness::Pieces;
use super::{TriMesh, proximity};
use crate::contact::{Raw, features};
use crate::rigid::{Rigid, Vec3, lesser};
use crate::tolerances::{CANCELLED, EQUALLY_DEEP, NO_LENGTH, PARALLEL_RIDGES};
use crate::tree::Stack;

/// Relative to the contour's extent: how deep an overlap is at most that counts as thin. Deep ones have corners, and no one way out.
const THIN: f64 = 0.04;
/// Radians: how far the faces of a thin overlap may look away from its normal.
const LEANS: f64 = 0.1;
/// Radians: and by how much more where it is as thick as wide.
const THICKER: f64 = 5.0;
/// Segments: a contour of fewer is a lens on a few facets, whose normal is a mean over them by intention.
pub(crate) const LONG: usize = 30;
/// A ridge that has passed another by h is at least this share of h inside the other solid: what a right angle has and half of it.
const INSIDE: f64 = 0.35;

/// Whether one of the deepest contacts of a contour has a depth that the solids do not have, or a normal that neither surface has.
pub(crate) fn is_bent(
    a: &TriMesh,
    b: &TriMesh,
    x: &Rigid,
    l: &Loop,
    segments: usize,
    found: &[Raw],
    stack: &mut Stack,
) -> bool {
    let deepest = found.iter().map(|c| c.gap).fold(0.0, lesser);
    // metres: a line that begins on a surface leaves it first
    let touching = 10.0 * proximity::TOUCHING * a.size.max(b.size);
    if !(a.closed && b.closed) || -deepest <= 10.0 * touching {
        return false;
    }
    let back = x.inverse();
    let extent = l.spread.trace().sqrt();
    // equally deep ones are asked alike, whichever comes first
    let mut equal = found.iter().filter(|c| c.gap <= deepest * (1.0 - EQUALLY_DEEP));
    equal.any(|c| {
        let (n, h) = (c.normal, -c.gap);
        let (on_a, on_b) = (c.point - n * (0.5 * h), c.point + n * (0.5 * h));
        let of_b = b.ray(&back.point(&(on_a + n * touching)), &back.dir(&n), 2.0 * h, stack);
        let of_a = a.ray(&(on_b - n * touching), &-n, 2.0 * h, stack);
        // a line within a face meets it where it begins, and tells nothing
        let early = touching..lesser(0.5 * h, THIN * extent);
        if [of_b, of_a].iter().flatten().any(|(s, _)| early.contains(s)) {
            return true;
        }
        // a line along an edge may miss both its faces: then the other solid tells alone
        if of_b.is_none() && of_a.is_none() {
            return false;
        }
        let leans = LEANS + THICKER * h / extent;
        let away = |look: &Vec3| look.dot(&n) < leans.cos();
        let long = segments >= LONG && h < THIN * extent && l.curved.is_none();
        long && of_b.is_none_or(|(_, t)| away(&x.dir(&b.normals[t as usize])))
            && of_a.is_none_or(|(_, t)| away(&-a.normals[t as usize]))
    })
}

/// Vertices and ridges of the pieces that are inside the other solid, each with its own depth, in a's frame.
pub(crate) fn contacts(
    a: &TriMesh,
    b: &TriMesh,
    x: &Rigid,
    pieces: &Pieces,
    ridges: &mut Ridges,
    stack: &mut Stack,
    out: &mut Vec<Raw>,
) {
    let back = x.inverse();
    for &v in pieces.vertices_a.iter().filter(|&&v| a.sharp[v as usize]) {
        let p = a.vertices[v as usize];
        if let Some((q, n, feature)) = way_out(b, &back.point(&p), stack) {
            let (q, n) = (x.point(&q), x.dir(&n));
            if a.looks_along(Feature::Vertex(v), &-n) {
                out.push(Raw::between(&p, &q, n, features(v, feature.number()), 0));
            }
        }
    }
    for &v in pieces.vertices_b.iter().filter(|&&v| b.sharp[v as usize]) {
        let p = x.point(&b.vertices[v as usize]);
        if let Some((q, n, feature)) = way_out(a, &p, stack)
            && b.looks_along(Feature::Vertex(v), &x.inv_dir(&-n))
        {
            out.push(Raw::between(&q, &p, -n, features(feature.number(), v), 0));
        }
    }
    ridges.gather(a, b, x, pieces);
    ridges.passed(a, b, x, stack, out);
}

/// The middles of a contour's segments as contacts without depth, each along the normals of the two triangles that cut each other there,
/// where those look at each other.
pub(crate) fn along<'s>(
    a: &TriMesh,
    b: &TriMesh,
    x: &Rigid,
    cut: impl Iterator<Item = &'s Segment>,
    out: &mut Vec<Raw>,
) {
    for s in cut {
        let (na, nb) = (a.normals[s.triangle_a as usize], x.dir(&b.normals[s.triangle_b as usize]));
        // sine: as far as a feature may be turned away
        if na.dot(&nb) < -(1.0 - proximity::SLACK)
            && let Some(normal) = (nb - na).try_normalize(CANCELLED)
        {
            let point = (s.ends[0] + s.ends[1]) * 0.5;
            let key = features(1 << 29 | s.triangle_a, 1 << 29 | s.triangle_b);
            out.push(Raw { point, normal, gap: 0.0, key, patch: 0 });
        }
    }
}

/// The nearest point of a solid's surface to a point inside, with the direction out there.
fn way_out(mesh: &TriMesh, p: &Vec3, stack: &mut Stack) -> Option<(Vec3, Vec3, Feature)> {
    let s = mesh.nearest(p, f64::INFINITY, stack)?;
    let normal = mesh.normal_at(s.feature).try_normalize(NO_LENGTH)?;
    let d = s.point - p;
    if d.dot(&normal) < 0.0 {
        return None;
    }
    let touching = proximity::TOUCHING * mesh.size;
    let n = if d.norm() > touching { d.normalize() } else { normal };
    Some((s.point, n, s.feature))
}

/// A ridge with its ends, in a's frame.
type Ridge = (Vec3, Vec3, u32);

/// The ridges of both pieces; those of b sorted by where they begin along x.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ridges {
    seen: Vec<u32>,
    of_a: Vec<Ridge>,
    of_b: Vec<Ridge>,
    longest: f64,
}

impl Ridges {
    fn gather(&mut self, a: &TriMesh, b: &TriMesh, x: &Rigid, pieces: &Pieces) {
        let Self { seen, of_a, of_b, longest } = self;
        of_a.clear();
        of_b.clear();
        super::thickness::ridges(a, &pieces.triangles_a, seen, |e| {
            let [p, q] = a.edges[e as usize].ends.map(|v| a.vertices[v as usize]);
            of_a.push((p, q, e));
        });
        super::thickness::ridges(b, &pieces.triangles_b, seen, |e| {
            let [p, q] = b.edges[e as usize].ends.map(|v| x.point(&b.vertices[v as usize]));
            of_b.push((p, q, e));
        });
        of_b.sort_unstable_by(|p, q| p.0.x.min(p.1.x).total_cmp(&q.0.x.min(q.1.x)).then(p.2.cmp(&q.2)));
        *longest = of_b.iter().map(|(p, q, _)| (q.x - p.x).abs()).fold(0.0, f64::max);
    }

    /// Pairs of ridges that have passed each other.
    fn passed(&self, a: &TriMesh, b: &TriMesh, x: &Rigid, stack: &mut Stack, out: &mut Vec<Raw>) {
        let back = x.inverse();
        for (p, q, e) in &self.of_a {
            // metres: no deeper than half a ridge is long, or it is another turn of the thread
            let own = (q - p).norm();
            let reach = 0.5 * own;
            let (lo, hi) = (p.x.min(q.x) - reach, p.x.max(q.x) + reach);
            let first = self.of_b.partition_point(|r| r.0.x.min(r.1.x) < lo - self.longest);
            let near = self.of_b[first..].iter().take_while(|r| r.0.x.min(r.1.x) <= hi);
            for (u, v, f) in near.filter(|r| within_reach([p, q], [&r.0, &r.1], reach)) {
                let Some((on_a, on_b, n)) = crossing(p, q, u, v) else { continue };
                let outward = |n: &Vec3| {
                    a.looks_along(Feature::Edge(*e), &-n) && b.looks_along(Feature::Edge(*f), &x.inv_dir(n))
                };
                let Some(n) = [n, -n].into_iter().find(outward) else { continue };
                let depth = n.dot(&(on_b - on_a));
                let cones =
                    |slack: f64| a.edge_faces(*e, &-n, slack) && b.edge_faces(*f, &x.inv_dir(&n), slack);
                if depth <= 0.0 || depth > 0.5 * own.min((v - u).norm()) || !cones(proximity::SLACK) {
                    continue;
                }
                let within = |mesh: &TriMesh, p: &Vec3, stack: &mut Stack| {
                    way_out(mesh, p, stack).is_some_and(|(q, ..)| (q - p).norm() >= INSIDE * depth)
                };
                if within(b, &back.point(&on_a), stack) && within(a, &on_b, stack) {
                    out.push(Raw::between(&on_a, &on_b, n, features(1 << 30 | e, 1 << 30 | f), 0));
                }
            }
        }
    }
}

/// The points of two segments on their common perpendicular, and its direction.
fn crossing(p: &Vec3, q: &Vec3, u: &Vec3, v: &Vec3) -> Option<(Vec3, Vec3, Vec3)> {
    let (d, g, r) = (q - p, v - u, u - p);
    let cross = d.cross(&g);
    let c2 = cross.norm_squared();
    // sine of 1e-4: nearly parallel ridges meet at their ends, which the vertices report
    if c2 <= PARALLEL_RIDGES * d.norm_squared() * g.norm_squared() {
        return None;
    }
    let (s, t) = (r.cross(&g).dot(&cross) / c2, r.cross(&d).dot(&cross) / c2);
    let inside = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    inside.then(|| (p + d * s, u + g * t, cross / c2.sqrt()))
}
