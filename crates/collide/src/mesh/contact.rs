//! Contacts of two meshes: contours where they cut, proximity where they do not, containment when one has
//! swallowed the other.
//!
//! For each contour: the normal is minus its area vector over its length,
//! ```text
//!     N = sum over segments of (s - c) x (e - c) / 2,      n = -N / |N|
//! ```
//! and N is the vector area of the part of a inside b, so n is the direction in which moving a shrinks the
//! overlap volume fastest. Depths and points: `thickness`.
//!
//! Stated approximation: a piece wholly inside the other mesh gets one contact, along the way out of its
//! nearest surface point, as deep as the separation of the two meshes' extents along it.

use nalgebra::Matrix3;

use super::contour::{Contours, Moved, TrianglePair, inside_ends};
use super::thickness::{self, Pieces};
use super::{NONE, TriMesh, proximity};
use crate::contact::{Raw, features};
use crate::rigid::{Rigid, Vec3};
use crate::tree::Stack;

/// Memory of the mesh narrow phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    pub(crate) stack: Stack,
    pairs: Vec<(u32, u32)>,
    moved: Moved,
    contours: Contours,
    pieces: Pieces,
    thickness: thickness::Scratch,
    near: Vec<Raw>,
    /// (vertex, segment) of a and of b, written once per pair.
    inside_a: Vec<(u32, u32)>,
    inside_b: Vec<(u32, u32)>,
    marks_a: Marks,
    marks_b: Marks,
    pub(crate) round: super::round::Scratch,
}

/// Which edges are cut and which vertices and triangles have been visited; stamped, never cleared.
#[derive(Debug, Clone, Default)]
struct Marks {
    edges: Vec<u32>,
    vertices: Vec<u32>,
    triangles: Vec<u32>,
    cut: u32,
    visit: u32,
}

impl Marks {
    fn start(&mut self, mesh: &TriMesh) {
        let grow = |v: &mut Vec<u32>, n: usize| v.resize(n.max(v.len()), 0);
        grow(&mut self.edges, mesh.edges.len());
        grow(&mut self.vertices, mesh.vertices.len());
        grow(&mut self.triangles, mesh.triangles.len());
        if self.cut > u32::MAX / 2 || self.visit > u32::MAX / 2 {
            *self = Self {
                edges: vec![0; self.edges.len()],
                vertices: vec![0; self.vertices.len()],
                triangles: vec![0; self.triangles.len()],
                cut: 0,
                visit: 0,
            };
        }
        self.cut += 1;
    }
}

/// Contacts with a gap of at most `margin`, in world axes.
pub(crate) fn contacts(
    a: &TriMesh,
    xa: &Rigid,
    b: &TriMesh,
    xb: &Rigid,
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Raw>,
) {
    let x = xa.relative(xb);
    let size = a.size.max(b.size);
    let first = out.len();
    let Scratch { stack, pairs, moved, contours, near, .. } = scratch;
    moved.start(b, &x);
    contours.clear();
    near.clear();
    pairs.clear();
    a.tree.pairs(&b.tree, &x, margin, stack, |s, t| pairs.push((s, t)));
    for &(ta, tb) in pairs.iter() {
        let (pa, pb) = (a.corners(ta), moved.corners(b, tb));
        let (na, nb) = (a.normals[ta as usize], x.dir(&b.normals[tb as usize]));
        let ha = pa.map(|p| nb.dot(&(p - pb[0])));
        let hb = pb.map(|p| na.dot(&(p - pa[0])));
        let outside = |h: &[f64; 3]| h[0].min(h[1]).min(h[2]) > margin;
        if outside(&ha) || outside(&hb) {
            continue;
        }
        let pair = TrianglePair { a, b, ta, tb, pa, pb, na, nb, ha, hb };
        contours.add(&pair);
        proximity::contacts(&pair, &x, margin, size, near);
    }
    contours.join();
    mark_cuts(a, b, scratch);
    for c in 0..scratch.contours.count {
        one_contour(a, b, c, size, scratch, out);
    }
    if scratch.contours.count == 0 && scratch.near.is_empty() {
        contained(a, b, &x, &mut scratch.stack, out);
    }
    // a vertex near an edge is found from both triangles of the edge
    let near = &mut scratch.near;
    near.sort_unstable_by_key(|r| r.key);
    near.dedup_by_key(|r| r.key);
    cluster(near, scratch.contours.count);
    out.append(near);
    for raw in &mut out[first..] {
        *raw = raw.moved(xa);
    }
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

/// Marks the cut edges of both meshes and finds the ends that are inside.
fn mark_cuts(a: &TriMesh, b: &TriMesh, scratch: &mut Scratch) {
    let Scratch { contours, marks_a, marks_b, inside_a, inside_b, .. } = scratch;
    if contours.count == 0 {
        return;
    }
    marks_a.start(a);
    marks_b.start(b);
    for k in &contours.crossings_a {
        marks_a.edges[k.edge as usize] = marks_a.cut;
    }
    for k in &contours.crossings_b {
        marks_b.edges[k.edge as usize] = marks_b.cut;
    }
    inside_ends(a, &mut contours.crossings_a, inside_a);
    inside_ends(b, &mut contours.crossings_b, inside_b);
}

fn one_contour(a: &TriMesh, b: &TriMesh, c: u32, size: f64, scratch: &mut Scratch, out: &mut Vec<Raw>) {
    let Scratch { stack, contours, pieces, moved, thickness, marks_a, marks_b, inside_a, inside_b, .. } =
        scratch;
    let (mut sum, mut count, mut along) = (Vec3::zeros(), 0.0, Vec3::zeros());
    let x = *moved.x();
    for (s, _) in contours.segments.iter().zip(&contours.contour).filter(|(_, k)| **k == c) {
        sum += s.ends[0] + s.ends[1];
        count += 2.0;
        let length = (s.ends[1] - s.ends[0]).norm();
        along += (x.dir(&b.normals[s.triangle_b as usize]) - a.normals[s.triangle_a as usize]) * length;
    }
    let center = sum / count;
    let mut area = Vec3::zeros();
    let mut perimeter = 0.0;
    let mut spread = Matrix3::zeros();
    for (s, _) in contours.segments.iter().zip(&contours.contour).filter(|(_, k)| **k == c) {
        area += (s.ends[0] - center).cross(&(s.ends[1] - center)) * 0.5;
        let length = (s.ends[1] - s.ends[0]).norm();
        perimeter += length;
        let d = (s.ends[0] + s.ends[1]) * 0.5 - center;
        spread += d * d.transpose() * length;
    }
    // a contour thinner than 1e-9 of its length (two edges just crossing) has no area to speak of: the
    // mean direction of the surfaces along it takes over
    let n = if area.norm() > 1e-9 * perimeter * perimeter {
        -area.normalize()
    } else {
        along.try_normalize(1e-300).unwrap_or_else(Vec3::z)
    };
    let n = super::smooth::normal(a, b, &x, &center, &n, &(spread / perimeter), stack).unwrap_or(n);

    pieces.triangles_a.clear();
    pieces.triangles_b.clear();
    let own = |k: u32| contours.contour[k as usize] == c;
    let cut = || contours.segments.iter().zip(&contours.contour).filter(|(_, k)| **k == c).map(|(s, _)| s);
    let inside = inside_a.iter().filter(|(_, s)| own(*s)).map(|(v, _)| *v);
    flood(a, marks_a, cut().map(|s| s.triangle_a), inside, &mut pieces.triangles_a, &mut pieces.vertices_a);
    let inside = inside_b.iter().filter(|(_, s)| own(*s)).map(|(v, _)| *v);
    flood(b, marks_b, cut().map(|s| s.triangle_b), inside, &mut pieces.triangles_b, &mut pieces.vertices_b);
    let before = out.len();
    thickness::contacts(a, b, moved, pieces, &n, c, thickness, out);
    if out.len() == before {
        // so thin that no corner of the overlay is inside: the contour itself is the contact
        let key = features(1 << 29, c);
        out.push(Raw { point: center, normal: n, gap: 0.0_f64.min(-1e-16 * size), key, patch: c });
    }
}

/// The part of a surface inside a contour: triangles it cuts, and all that vertices inside can reach
/// without crossing a cut edge.
fn flood(
    mesh: &TriMesh,
    marks: &mut Marks,
    cut: impl Iterator<Item = u32>,
    inside: impl Iterator<Item = u32>,
    triangles: &mut Vec<u32>,
    vertices: &mut Vec<u32>,
) {
    marks.visit += 1;
    let visit = marks.visit;
    vertices.clear();
    for t in cut {
        if std::mem::replace(&mut marks.triangles[t as usize], visit) != visit {
            triangles.push(t);
        }
    }
    for v in inside {
        if std::mem::replace(&mut marks.vertices[v as usize], visit) != visit {
            vertices.push(v);
        }
    }
    let mut next = 0;
    while next < vertices.len() {
        let v = vertices[next];
        next += 1;
        for &e in mesh.edges_of(v) {
            let edge = &mesh.edges[e as usize];
            for &t in edge.triangles.iter().filter(|&&t| t != NONE) {
                if std::mem::replace(&mut marks.triangles[t as usize], visit) != visit {
                    triangles.push(t);
                }
            }
            let other = if edge.ends[0] == v { edge.ends[1] } else { edge.ends[0] };
            if marks.edges[e as usize] != marks.cut
                && std::mem::replace(&mut marks.vertices[other as usize], visit) != visit
            {
                vertices.push(other);
            }
        }
    }
}

/// A piece of one mesh inside the other, without any contour.
fn contained(a: &TriMesh, b: &TriMesh, x: &Rigid, stack: &mut Stack, out: &mut Vec<Raw>) {
    let back = x.inverse();
    let into_b = a.pieces.iter().map(|&v| back.point(&a.vertices[v as usize])).find(|p| b.inside(p, stack));
    let into_a = b.pieces.iter().map(|&v| x.point(&b.vertices[v as usize])).find(|p| a.inside(p, stack));
    let n = if let Some(p) = into_b {
        let Some(s) = b.nearest(&p, f64::INFINITY, stack) else { return };
        x.dir(&b.pseudo_normal(&s))
    } else if let Some(p) = into_a {
        let Some(s) = a.nearest(&p, f64::INFINITY, stack) else { return };
        -a.pseudo_normal(&s)
    } else {
        return;
    };
    let Some(n) = n.try_normalize(1e-300) else { return };
    let low =
        a.vertices.iter().copied().min_by(|p, q| n.dot(p).total_cmp(&n.dot(q))).expect("a mesh has vertices");
    let high = b
        .vertices
        .iter()
        .map(|p| x.point(p))
        .max_by(|p, q| n.dot(p).total_cmp(&n.dot(q)))
        .expect("a mesh has vertices");
    let gap = n.dot(&(low - high));
    let key = features(1 << 28, 1 << 28);
    out.push(Raw { point: low - n * (0.5 * gap), normal: n, gap, key, patch: 0 });
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
            out.push(Raw {
                point,
                normal: n,
                gap,
                key: features(crate::polytope::count(i), 1 << 31),
                patch: 0,
            });
        }
    }
}
