//! Contacts of two meshes: contours where they cut, proximity where they do not, containment when one has
//! swallowed the other.
//!
//! The normal of a contour is that of its area vector (`loops`), the depths and points are those of `thickness`.
//! Where features of the two coincide, no decision about a cut can be trusted: the cuts are found once more with
//! the meshes moved apart by a hair (`moved`), and measured where the meshes are.

use super::contained::contained;
use super::contour::{Contours, TrianglePair, inside_ends};
use super::flood::{Marks, flood};
use super::loops::{self, CutMesh, Loop};
use super::moved::Moved;
use super::thickness::{self, Overlap, Pieces};
use super::{TriMesh, bent, proximity};
use crate::contact::{Raw, features};
use crate::near::Near;
use crate::rigid::{Rigid, Vec3, greater, lesser};
use crate::tolerances::{NO_LENGTH, THINNEST};
use crate::tree::{Stack, Visits};

/// Metres relative to the size: a decision about a cut nearer to zero than this may be rounding, with coordinates ten times the size.
const DOUBT: f64 = 1e-13;
/// Metres relative to the size: how far meshes are drawn inwards where a decision is doubtful, one after the other until none is. A
/// thousand times the doubt, and a tenth of what counts as touching.
const APART: [f64; 3] = [1e-10, 1.7e-10, 2.9e-10];

/// Metres relative to the size: triangles farther apart than this do not meet by being drawn inwards; more than three times the most of it.
const CLOSE: f64 = 1e-9;

/// Memory of the mesh narrow phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshScratch {
    pub(crate) stack: Stack,
    /// How near contacts of the next pair are sought by place, in world axes.
    pub(crate) places: Option<Near>,
    visits: Visits,
    /// Triangles of a and b, and how near contacts of theirs are sought.
    pairs: Vec<(u32, u32, f64)>,
    /// Those that may cut once the meshes are moved apart by a hair.
    close: Vec<(u32, u32)>,
    moved: Moved,
    /// Both meshes moved apart by a hair.
    drawn: [Moved; 2],
    contours: Contours,
    loops: Vec<Option<Loop>>,
    pieces: Pieces,
    thickness: thickness::ThicknessScratch,
    smooth: super::smooth::SmoothScratch,
    near: Vec<Raw>,
    ridges: bent::Ridges,
    /// Whether a contour of this pair left its contacts among the near ones.
    bent: bool,
    /// (vertex, segment) of a and of b, written once per pair.
    inside_a: Vec<(u32, u32)>,
    inside_b: Vec<(u32, u32)>,
    marks_a: Marks,
    marks_b: Marks,
    pub(crate) round: super::round::RoundScratch,
}

/// Contacts with a gap of at most `margin`, in world axes.
pub(crate) fn contacts(
    a: &TriMesh,
    xa: &Rigid,
    b: &TriMesh,
    xb: &Rigid,
    margin: f64,
    scratch: &mut MeshScratch,
    out: &mut Vec<Raw>,
) {
    let x = xa.relative(xb);
    let size = a.size.max(b.size);
    let first = out.len();
    scratch.bent = false;
    let places =
        scratch.places.map_or_else(|| Near::within(margin), |n| n.no_more_than(margin).seen_from(xa));
    let MeshScratch { visits, pairs, close, moved, contours, near, .. } = scratch;
    contours.clear(DOUBT * size);
    near.clear();
    pairs.clear();
    close.clear();
    a.tree.pairs(&b.tree, &x, &places, visits, |s, t, near| pairs.push((s, t, near)));
    moved.start(b, &x);
    // metres: as near as proximity asks, and rounding
    let near_by = |margin: f64| greater(margin, proximity::TOUCHING * size) + DOUBT * size;
    for &(ta, tb, margin) in pairs.iter() {
        let (pa, pb) = (a.corners(ta), moved.corners(b, tb));
        let apart = boxes_apart(&pa, &pb);
        // what is turned away from each other may still cut, what is apart only be near
        let facing = apart <= near_by(margin) && a.tree.faces(ta, &b.tree, tb, &x.r);
        let cutting = apart <= DOUBT * size;
        if apart <= CLOSE * size {
            close.push((ta, tb));
        }
        if !facing && !cutting {
            continue;
        }
        let (na, nb) = (a.normals[ta as usize], x.dir(&b.normals[tb as usize]));
        let (ha, hb) = (heights(&pa, &nb, &pb[0]), heights(&pb, &na, &pa[0]));
        if least(ha) > margin || least(hb) > margin {
            continue;
        }
        let pair = TrianglePair { a, b, ta, tb, pa, pb, na, nb, ha, hb };
        if cutting {
            contours.add(&pair);
        }
        if facing {
            proximity::contacts(&pair, &x, margin, size, near);
        }
    }
    if !places.is_even() {
        // what is sought does not depend on how boxes were halved
        near.retain(|r| r.gap <= places.at_point(&r.point));
    }
    contours.join(a, b);
    for inwards in APART {
        if scratch.contours.doubtful {
            cut_apart(a, b, &x, inwards * size, scratch);
        }
    }
    mark_cuts(a, b, &x, scratch);
    for c in 0..scratch.contours.count {
        if let Some(l) = scratch.loops[c as usize] {
            one_contour(a, b, c, &l, size, scratch, out);
        }
    }
    if scratch.contours.count == 0 && scratch.near.is_empty() {
        contained(a, b, &x, &mut scratch.stack, out);
    }
    once(&mut scratch.near, scratch.bent);
    cluster(&mut scratch.near, scratch.contours.count);
    out.append(&mut scratch.near);
    for raw in &mut out[first..] {
        *raw = raw.moved(xa);
    }
}

/// Whether the boxes of two segments are within a distance of each other.
pub(super) fn within_reach([p, q]: [&Vec3; 2], [u, v]: [&Vec3; 2], reach: f64) -> bool {
    (0..3).all(|k| {
        let (lo, hi) = (lesser(p[k], q[k]), greater(p[k], q[k]));
        let (from, to) = (lesser(u[k], v[k]), greater(u[k], v[k]));
        from - hi <= reach && lo - to <= reach
    })
}

/// By how much the boxes of two triangles are apart along some axis; negative where they meet.
fn boxes_apart(a: &[Vec3; 3], b: &[Vec3; 3]) -> f64 {
    let along = |k: usize| {
        let (lo, hi) = (least([a[0][k], a[1][k], a[2][k]]), greatest([a[0][k], a[1][k], a[2][k]]));
        let (from, to) = (least([b[0][k], b[1][k], b[2][k]]), greatest([b[0][k], b[1][k], b[2][k]]));
        greater(from - hi, lo - to)
    };
    greatest([along(0), along(1), along(2)])
}

/// Of a triangle's corners over the plane through a point. Written out: a map over the array is a call.
#[inline]
fn heights(p: &[Vec3; 3], n: &Vec3, from: &Vec3) -> [f64; 3] {
    [n.dot(&(p[0] - from)), n.dot(&(p[1] - from)), n.dot(&(p[2] - from))]
}

fn least([x, y, z]: [f64; 3]) -> f64 {
    lesser(lesser(x, y), z)
}

fn greatest([x, y, z]: [f64; 3]) -> f64 {
    greater(greater(x, y), z)
}

/// Each near contact once: a vertex near an edge is found from both triangles of the edge. Of what is found from both sides, as in `bent`, the deeper.
fn once(near: &mut Vec<Raw>, bent: bool) {
    near.sort_unstable_by_key(|r| r.key);
    if bent {
        near.sort_unstable_by(|p, q| p.key.cmp(&q.key).then(p.gap.total_cmp(&q.gap)));
    }
    near.dedup_by_key(|r| r.key);
}

/// Groups near contacts by direction: each patch holds normals within 10 degrees of its first.
fn cluster(near: &mut [Raw], mut next: u32) {
    const WITHIN: f64 = 0.985;
    for i in 0..near.len() {
        let same = (0..i).find(|&j| near[j].normal.dot(&near[i].normal) > WITHIN);
        near[i].patch = same.map_or(next, |j| near[j].patch);
        if same.is_none() {
            next += 1;
        }
    }
}

/// Finds the cuts once more, both meshes drawn inwards by a hair.
fn cut_apart(a: &TriMesh, b: &TriMesh, x: &Rigid, inwards: f64, scratch: &mut MeshScratch) {
    let MeshScratch { close, drawn: [drawn_a, drawn_b], contours, .. } = scratch;
    // in no special direction
    let shift = Vec3::new(0.48, 0.62, 0.33).normalize() * (inwards / 16.0);
    drawn_a.start_inwards(a, &Rigid::at(Vec3::zeros()), inwards);
    drawn_b.start_inwards(b, &Rigid { r: x.r, t: x.t + shift }, inwards);
    // metres: only what rounding leaves open is still doubtful
    contours.clear(0.01 * DOUBT * a.size.max(b.size));
    for &(ta, tb) in close.iter() {
        let (pa, pb) = (drawn_a.corners(a, ta), drawn_b.corners(b, tb));
        let normal = |p: &[Vec3; 3]| (p[1] - p[0]).cross(&(p[2] - p[0])).try_normalize(NO_LENGTH);
        let (Some(na), Some(nb)) = (normal(&pa), normal(&pb)) else { continue };
        let (ha, hb) = (heights(&pa, &nb, &pb[0]), heights(&pb, &na, &pa[0]));
        contours.add(&TrianglePair { a, b, ta, tb, pa, pb, na, nb, ha, hb });
    }
    contours.join(a, b);
}

/// Marks the cut edges of both meshes, finds the ends that are inside, and measures the contours.
fn mark_cuts(a: &TriMesh, b: &TriMesh, x: &Rigid, scratch: &mut MeshScratch) {
    let MeshScratch { contours, marks_a, marks_b, inside_a, inside_b, loops, pieces, .. } = scratch;
    loops.clear();
    if contours.count == 0 {
        return;
    }
    marks_a.start(a, &contours.crossings_a);
    marks_b.start(b, &contours.crossings_b);
    inside_ends(a, &mut contours.crossings_a, inside_a);
    inside_ends(b, &mut contours.crossings_b, inside_b);
    let sides = [
        CutMesh { mesh: a, inside: inside_a, marks: marks_a },
        CutMesh { mesh: b, inside: inside_b, marks: marks_b },
    ];
    loops::all(sides, x, contours, &mut pieces.vertices_a, loops);
}

fn one_contour(
    a: &TriMesh,
    b: &TriMesh,
    c: u32,
    l: &Loop,
    size: f64,
    scratch: &mut MeshScratch,
    out: &mut Vec<Raw>,
) {
    let MeshScratch { contours, pieces, moved, thickness, smooth, stack, .. } = scratch;
    let (marks_a, marks_b, inside_a, inside_b) =
        (&mut scratch.marks_a, &mut scratch.marks_b, &scratch.inside_a, &scratch.inside_b);
    let x = *moved.x();
    let own = |k: u32| contours.contour[k as usize] == c;
    let cut = || contours.segments.iter().zip(&contours.contour).filter(|(_, k)| **k == c).map(|(s, _)| s);
    let n = super::smooth::normal(a, b, &x, l, cut(), smooth).unwrap_or(l.normal);

    pieces.triangles_a.clear();
    pieces.triangles_b.clear();
    let inside = inside_a.iter().filter(|(_, s)| own(*s)).map(|(v, _)| *v);
    flood(a, marks_a, cut().map(|s| s.triangle_a), inside, &mut pieces.triangles_a, &mut pieces.vertices_a);
    let inside = inside_b.iter().filter(|(_, s)| own(*s)).map(|(v, _)| *v);
    flood(b, marks_b, cut().map(|s| s.triangle_b), inside, &mut pieces.triangles_b, &mut pieces.vertices_b);
    let before = out.len();
    let overlap = Overlap { a, b, pieces, n: &n, patch: c };
    thickness::contacts(&overlap, moved, thickness, stack, out);
    // the middle of a long contour may be nowhere near it
    if out.len() == before && cut().count() >= bent::LONG {
        let already = scratch.near.len();
        bent::along(a, b, &x, cut(), &mut scratch.near);
        if scratch.near.len() > already {
            scratch.bent = true;
            out.truncate(before);
            return;
        }
    }
    if bent::is_bent(a, b, &x, l, cut().count(), &out[before..], &mut scratch.stack) {
        let near = scratch.near.len();
        bent::contacts(a, b, &x, pieces, &mut scratch.ridges, &mut scratch.stack, &mut scratch.near);
        if scratch.near.len() > near {
            scratch.bent = true;
            out.truncate(before);
            return;
        }
    }
    if out.len() == before {
        let MeshScratch { moved, thickness, stack, .. } = scratch;
        thickness::at_walls(&overlap, moved, &cut(), thickness, stack, out);
    }
    if out.len() == before {
        // so thin that no corner of the overlay is inside: the contour itself is the contact
        let key = features(1 << 29, c);
        out.push(Raw { point: l.center, normal: n, gap: 0.0_f64.min(-THINNEST * size), key, patch: c });
    }
}

/// A mesh over the plane b: z <= 0 in the frame xb.
pub(crate) fn over_plane(a: &TriMesh, xa: &Rigid, xb: &Rigid, margin: f64, out: &mut Vec<Raw>) {
    let n = xb.r.column(2).into_owned();
    let up = xa.inv_dir(&n);
    let height = n.dot(&(xa.t - xb.t));
    for (i, v) in a.vertices.iter().enumerate().filter(|(i, _)| a.sharp[*i]) {
        let gap = height + up.dot(v);
        if gap <= margin {
            let point = xa.point(v) - n * (0.5 * gap);
            out.push(Raw { point, normal: n, gap, key: features(crate::error::count(i), 1 << 31), patch: 0 });
        }
    }
}
