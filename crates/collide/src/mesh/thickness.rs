//! How thick the overlap inside one contour is, and at which points.
//!
//! Seen along the contour's normal n, the overlap lies between a piece of a's surface below and a piece
//! of b's above. Its thickness is piecewise linear over the overlay of the two triangulations, so its
//! greatest value is attained at a corner of the overlay: a vertex of a under b's surface, a
//! vertex of b over a's, or a crossing of two edges. Those corners, with their thickness, are the
//! contact points. Vertices without a ridge and edges that are no ridge bend nothing outwards and are left out.
//!
//! A contour around several turns of a thread lies over itself when seen along n, and an edge of one turn crosses those of the next:
//! such a corner is no thickness, for the line between its two points leaves both solids on its way. What is deep is therefore asked
//! whether one of the solids holds it all.

use super::TriMesh;
use super::contour::Segment;
use super::moved::Moved;
use super::query::Feature;
use crate::contact::{Raw, features, mix};
use crate::rigid::{Rigid, Vec3, tangents};
use crate::tree::Stack;

/// Relative to the size: how far beside a corner its line is looked at, for the corner's own lies in faces; and how much its ends may
/// rise or fall over that.
const ASIDE: f64 = 1e-6;
/// Relative to the size: corners deeper than this are asked whether a solid holds them. Less than a turn of any thread, and more than
/// bodies that touch overlap.
const DEEP: f64 = 1e-3;
/// Sine: a face that leans less than this to n runs along it, and has no height to measure.
const LOOKS: f64 = 1e-6;
/// Sine: directions that are parallel to rounding.
const PARALLEL: f64 = 1e-12;

/// The pieces of both surfaces around one contour.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    pub triangles_a: Vec<u32>,
    pub triangles_b: Vec<u32>,
    /// Inside the other body.
    pub vertices_a: Vec<u32>,
    pub vertices_b: Vec<u32>,
}

/// The overlap inside one contour: the two solids, the pieces of them around it, its normal and its number.
pub(crate) struct Overlap<'a> {
    pub a: &'a TriMesh,
    pub b: &'a TriMesh,
    pub pieces: &'a Pieces,
    pub n: &'a Vec3,
    pub patch: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ThicknessScratch {
    facets: Sorted<[Vec3; 3]>,
    edges_a: Vec<(Vec3, Vec3, u32)>,
    edges_b: Sorted<(Vec3, Vec3)>,
    seen: Vec<u32>,
}

/// Things with an extent along one axis, sorted by where they begin.
#[derive(Debug, Clone)]
struct Sorted<T> {
    items: Vec<(f64, f64, u32, T)>,
    widest: f64,
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Self { items: Vec::new(), widest: 0.0 }
    }
}

impl<T> Sorted<T> {
    fn clear(&mut self) {
        self.items.clear();
        self.widest = 0.0;
    }

    fn push(&mut self, lo: f64, hi: f64, id: u32, item: T) {
        self.widest = self.widest.max(hi - lo);
        self.items.push((lo, hi, id, item));
    }

    fn sort(&mut self) {
        self.items.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
    }

    /// Items that reach into [lo, hi].
    fn over(&self, lo: f64, hi: f64) -> impl Iterator<Item = &(f64, f64, u32, T)> {
        let first = self.items.partition_point(|i| i.0 < lo - self.widest);
        self.items[first..].iter().take_while(move |i| i.0 <= hi).filter(move |i| i.1 >= lo)
    }
}

/// Frame along n: x and y across, z along.
struct Frame {
    t1: Vec3,
    t2: Vec3,
    n: Vec3,
}

impl Frame {
    fn flat(&self, p: &Vec3) -> Vec3 {
        Vec3::new(self.t1.dot(p), self.t2.dot(p), self.n.dot(p))
    }

    fn lifted(&self, f: &Vec3) -> Vec3 {
        self.t1 * f.x + self.t2 * f.y + self.n * f.z
    }
}

/// Pushes the overlay's corners with their thickness as contacts in a's frame.
pub(crate) fn contacts(
    overlap: &Overlap<'_>,
    moved: &mut Moved,
    scratch: &mut ThicknessScratch,
    stack: &mut Stack,
    out: &mut Vec<Raw>,
) {
    let &Overlap { a, b, pieces, n, patch } = overlap;
    let (t1, t2) = tangents(n);
    let frame = Frame { t1, t2, n: *n };
    let x = *moved.x();
    let facets = &mut scratch.facets;
    // a vertex deep inside may belong to several contours: the side of a they push on tells them apart
    let side = n.abs().imax();
    let facing = 2 * side as u64 + u64::from(n[side] > 0.0);
    let mut push = |p: Vec3, q: Vec3, out_of: Vec3, fa: u32, fb: u32| {
        if is_held(a, b, &x, [&p, &q], n, &out_of, stack) {
            out.push(Raw::between(&p, &q, *n, mix(features(fa, fb), facing), patch));
        }
    };

    // vertices of a under b's surface, which looks along n there
    upper(facets, b, moved, &pieces.triangles_b, &frame);
    for &v in pieces.vertices_a.iter().filter(|&&v| a.sharp[v as usize]) {
        let p = a.vertices[v as usize];
        let f = frame.flat(&p);
        if let Some(depth) = nearest_above(facets, &f, 1.0) {
            push(p, p + n * depth, a.normal_at(Feature::Vertex(v)), v, SURFACE);
        }
    }

    // vertices of b over a's surface, which looks against n
    lower(facets, a, &pieces.triangles_a, &frame);
    for &v in pieces.vertices_b.iter().filter(|&&v| b.sharp[v as usize]) {
        let p = moved.point(b, v);
        if let Some(depth) = nearest_above(facets, &frame.flat(&p), -1.0) {
            push(p - n * depth, p, x.dir(&b.normal_at(Feature::Vertex(v))), SURFACE, v);
        }
    }

    crossings(a, b, moved, pieces, &frame, scratch, push);
}

/// Crossings of ridges, a's below b's as seen along n.
fn crossings(
    a: &TriMesh,
    b: &TriMesh,
    moved: &mut Moved,
    pieces: &Pieces,
    frame: &Frame,
    scratch: &mut ThicknessScratch,
    mut push: impl FnMut(Vec3, Vec3, Vec3, u32, u32),
) {
    let ThicknessScratch { edges_a, edges_b, seen, .. } = scratch;
    let x = *moved.x();
    let n = &frame.n;
    edges_a.clear();
    ridges(a, &pieces.triangles_a, seen, |e| {
        let ends = a.edges[e as usize].ends.map(|v| a.vertices[v as usize]);
        if a.edges[e as usize]
            .triangles
            .iter()
            .any(|&t| t != super::NONE && a.normals[t as usize].dot(n) < -LOOKS)
        {
            edges_a.push((frame.flat(&ends[0]), frame.flat(&ends[1]), e));
        }
    });
    edges_b.clear();
    ridges(b, &pieces.triangles_b, seen, |e| {
        let faces = |t: u32| t != super::NONE && x.dir(&b.normals[t as usize]).dot(n) > LOOKS;
        if b.edges[e as usize].triangles.iter().any(|&t| faces(t)) {
            let [p, q] = b.edges[e as usize].ends.map(|v| frame.flat(&moved.point(b, v)));
            edges_b.push(p.x.min(q.x), p.x.max(q.x), e, (p, q));
        }
    });
    edges_b.sort();
    for (p, q, e) in edges_a.iter() {
        let (lo, hi) = (p.x.min(q.x), p.x.max(q.x));
        for (_, _, f, other) in edges_b.over(lo, hi) {
            if let Some((on_a, on_b)) = crossing((p, q), other)
                && on_b.z > on_a.z
            {
                let out_of = a.normal_at(Feature::Edge(*e)) + x.dir(&b.normal_at(Feature::Edge(*f)));
                push(frame.lifted(&on_a), frame.lifted(&on_b), out_of, EDGES | *e, EDGES | *f);
            }
        }
    }
}

/// Where two edges cross as seen along z, on each of them.
#[inline]
fn crossing((p, q): (&Vec3, &Vec3), (u, v): &(Vec3, Vec3)) -> Option<(Vec3, Vec3)> {
    if u.y.min(v.y) > p.y.max(q.y) || u.y.max(v.y) < p.y.min(q.y) {
        return None;
    }
    let (d, g, r) = (q - p, v - u, u - p);
    let det = d.x * g.y - d.y * g.x;
    if det.abs() <= PARALLEL * (d.x.hypot(d.y) * g.x.hypot(g.y)) {
        return None;
    }
    let (s, t) = ((r.x * g.y - r.y * g.x) / det, (r.x * d.y - r.y * d.x) / det);
    if !(0.0..=1.0).contains(&s) || !(0.0..=1.0).contains(&t) {
        return None;
    }
    Some((p + d * s, u + g * t))
}

/// The same where a contour has no corner of the overlay inside: rims that enter the other solid through a wall that n runs along. The
/// overlap is thickest where the contour climbs the wall, between its points there and the other's surface.
pub(crate) fn at_walls<'s>(
    overlap: &Overlap<'_>,
    moved: &mut Moved,
    cut: &(impl Iterator<Item = &'s Segment> + Clone),
    scratch: &mut ThicknessScratch,
    stack: &mut Stack,
    out: &mut Vec<Raw>,
) {
    let &Overlap { a, b, pieces, n, patch } = overlap;
    let (t1, t2) = tangents(n);
    let frame = Frame { t1, t2, n: *n };
    let x = *moved.x();
    let facets = &mut scratch.facets;
    let first = out.len();
    let mut measure = |facets: &Sorted<[Vec3; 3]>, side: f64| {
        for (p, key) in cut.clone().map(|s| (s.ends[0], s.keys[0])) {
            let Some(depth) = nearest_above(facets, &frame.flat(&p), side) else { continue };
            let other = p + n * (side * depth);
            let ends = if side > 0.0 { [&p, &other] } else { [&other, &p] };
            if is_held(a, b, &x, ends, n, n, stack) {
                out.push(Raw::between(ends[0], ends[1], *n, mix(key, u64::from(side > 0.0)), patch));
            }
        }
    };
    upper(facets, b, moved, &pieces.triangles_b, &frame);
    measure(facets, 1.0);
    lower(facets, a, &pieces.triangles_a, &frame);
    measure(facets, -1.0);
    // rounding where the contour lies on the surface itself
    let thin = DEEP * ASIDE * a.size.max(b.size);
    let mut at = first;
    while at < out.len() {
        if -out[at].gap <= thin {
            out.swap_remove(at);
        } else {
            at += 1;
        }
    }
}

/// Triangles of b that look along n.
fn upper(facets: &mut Sorted<[Vec3; 3]>, b: &TriMesh, moved: &mut Moved, triangles: &[u32], frame: &Frame) {
    let x = *moved.x();
    facets.clear();
    for &t in triangles {
        if x.dir(&b.normals[t as usize]).dot(&frame.n) > LOOKS {
            add_facet(facets, moved.corners(b, t).map(|p| frame.flat(&p)), t);
        }
    }
    facets.sort();
}

/// Triangles of a that look against n.
fn lower(facets: &mut Sorted<[Vec3; 3]>, a: &TriMesh, triangles: &[u32], frame: &Frame) {
    facets.clear();
    for &t in triangles {
        if a.normals[t as usize].dot(&frame.n) < -LOOKS {
            add_facet(facets, a.corners(t).map(|p| frame.flat(&p)), t);
        }
    }
    facets.sort();
}

/// Whether one of two solids holds all of the line from p, on a, along n to q, on b; `out_of` leads out of what meets there.
fn is_held(
    a: &TriMesh,
    b: &TriMesh,
    x: &Rigid,
    [p, q]: [&Vec3; 2],
    n: &Vec3,
    out_of: &Vec3,
    stack: &mut Stack,
) -> bool {
    let (depth, size) = (n.dot(&(q - p)), a.size.max(b.size));
    if depth <= DEEP * size || !(a.closed && b.closed) {
        return true;
    }
    // metres: at a slope of four its ends are still left out
    let ends = 4.0 * ASIDE * size;
    let back = x.inverse();
    // the first surface of a solid on the way is where it is left, at the line's end or beyond
    let holds = |mesh: &TriMesh, from: &Vec3, along: &Vec3, stack: &mut Stack| {
        let hit = mesh.ray(from, along, 2.0 * depth, stack);
        hit.is_some_and(|(s, t)| s >= depth - 2.0 * ends && mesh.normals[t as usize].dot(along) > 0.0)
    };
    let mut held = |aside: Vec3| {
        let aside = aside * (ASIDE * size);
        holds(b, &back.point(&(p + aside + n * ends)), &back.dir(n), stack)
            || holds(a, &(q + aside - n * ends), &-n, stack)
    };
    if held((n * n.dot(out_of) - out_of).try_normalize(PARALLEL).unwrap_or_else(Vec3::zeros)) {
        return true;
    }
    // where what meets looks along n, as at the middle of two saddles, the line itself runs through ridges: all around it, in no
    // special direction of either mesh, and the same ones whichever mesh comes first
    let mut around = |odd: Vec3| {
        let t1 = n.cross(&odd).normalize();
        let t2 = n.cross(&t1);
        [t1, -t1, t2, -t2].into_iter().any(&mut held)
    };
    let odd = |along: &Vec3| if along.dot(&ODD[0]).abs() < 0.8 { ODD[0] } else { ODD[1] };
    around(odd(n)) || around(x.dir(&odd(&back.dir(n))))
}

/// Two directions that meshes seldom have edges along, at right angles to each other.
const ODD: [Vec3; 2] = [Vec3::new(0.48, 0.64, 0.6), Vec3::new(0.8, -0.6, 0.0)];

/// Feature number of "the other surface", whichever triangle it is: an id must survive sliding.
const SURFACE: u32 = 1 << 31;
const EDGES: u32 = 1 << 30;

fn add_facet(facets: &mut Sorted<[Vec3; 3]>, c: [Vec3; 3], t: u32) {
    let lo = c[0].x.min(c[1].x).min(c[2].x);
    let hi = c[0].x.max(c[1].x).max(c[2].x);
    facets.push(lo, hi, t, c);
}

/// Height of the nearest facet above (`side` = 1) or below (-1) the point, positive; ties by any triangle
/// give the same height.
fn nearest_above(facets: &Sorted<[Vec3; 3]>, p: &Vec3, side: f64) -> Option<f64> {
    let mut best: Option<f64> = None;
    for (_, _, _, [a, b, c]) in facets.over(p.x, p.x) {
        let cross = |u: &Vec3, v: &Vec3| (u.x - p.x) * (v.y - p.y) - (u.y - p.y) * (v.x - p.x);
        let (wa, wb, wc) = (cross(b, c), cross(c, a), cross(a, b));
        if (wa < 0.0 || wb < 0.0 || wc < 0.0) && (wa > 0.0 || wb > 0.0 || wc > 0.0) {
            continue;
        }
        let sum = wa + wb + wc;
        if sum == 0.0 {
            continue;
        }
        let height = side * ((wa * a.z + wb * b.z + wc * c.z) / sum - p.z);
        if height > 0.0 && best.is_none_or(|h| height < h) {
            best = Some(height);
        }
    }
    best
}

/// Every ridge of some triangles once, in order of the triangles.
pub(super) fn ridges(mesh: &TriMesh, triangles: &[u32], seen: &mut Vec<u32>, mut visit: impl FnMut(u32)) {
    seen.clear();
    for &t in triangles {
        seen.extend(mesh.triangle_edges[t as usize].iter().filter(|&&e| mesh.edges[e as usize].ridge));
    }
    seen.sort_unstable();
    seen.dedup();
    for &e in seen.iter() {
        visit(e);
    }
}
