//! From triangle soup to a mesh: weld, drop, turn, close.

use std::collections::{HashMap, HashSet};

use super::links::{Sides, edges_of, looks, vertex_normals};
use super::{MeshReport, NONE, Owns, TriMesh};
use crate::aabb::Aabb;
use crate::error::count;
use crate::error::{ShapeError, finite};
use crate::rigid::Vec3;
use crate::tolerances::{NOT_ZERO, SLIVER};
use crate::tree::Tree;

/// Most triangles of a mesh: bounds memory (some 300 bytes each) and time for hostile files.
const MAX_TRIANGLES: usize = 4_000_000;

/// Welding distance relative to the size. Formats with four-byte numbers repeat a corner bit for bit;
/// this only catches f64 sources that disagree in the last digits.
const WELD: f64 = 1e-10;

impl TriMesh {
    /// Builds a mesh; see [`crate::Shape::mesh`].
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(Self, MeshReport), ShapeError> {
        let limit = MAX_TRIANGLES;
        for (what, count) in [("triangles", triangles.len()), ("vertices", vertices.len())] {
            if count > limit {
                return Err(ShapeError::TooMany { what, count, limit });
            }
        }
        for (i, p) in vertices.iter().enumerate() {
            finite(i, p)?;
        }
        for (face, t) in triangles.iter().enumerate() {
            if let Some(&v) = t.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(ShapeError::Index { face, vertex: v as usize, vertices: vertices.len() });
            }
        }
        let mut report = MeshReport {
            vertices: (vertices.len(), 0),
            triangles: (triangles.len(), 0),
            ..Default::default()
        };
        let (points, mut kept) = weld(vertices, triangles, &mut report);
        if kept.is_empty() {
            return Err(ShapeError::Empty { triangles: triangles.len() });
        }
        let sides = Sides::of(points.len(), &kept);
        let piece = orient(&points, &mut kept, &sides, &mut report);
        report.vertices.1 = points.len();
        report.triangles.1 = kept.len();
        report.closed = report.boundary == 0 && report.crowded == 0 && !report.one_sided;
        if report.closed {
            face_outwards(&points, &mut kept, &piece, &mut report);
        }
        Ok((Self::assemble(points, kept, &piece, &sides, &report), report))
    }

    /// `sides` may be of the same triangles before they were turned.
    fn assemble(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        piece: &[usize],
        sides: &Sides,
        report: &MeshReport,
    ) -> Self {
        let corners = |t: &[u32; 3]| t.map(|i| vertices[i as usize]);
        let normals: Vec<Vec3> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = corners(t);
                (b - a).cross(&(c - a)).normalize()
            })
            .collect();
        let vertex_normals = vertex_normals(&vertices, &triangles, &normals);
        let (edges, triangle_edges) = edges_of(&vertices, &triangles, &normals, sides);
        let mut vertex_first = vec![0; vertices.len() + 1];
        for e in &edges {
            e.ends.iter().for_each(|&v| vertex_first[v as usize + 1] += 1);
        }
        for v in 0..vertices.len() {
            vertex_first[v + 1] += vertex_first[v];
        }
        let mut fill = vertex_first.clone();
        let mut vertex_edges = vec![0; 2 * edges.len()];
        let mut sharp = vec![false; vertices.len()];
        for (e, edge) in edges.iter().enumerate() {
            for &v in &edge.ends {
                vertex_edges[fill[v as usize] as usize] = count(e);
                fill[v as usize] += 1;
                sharp[v as usize] |= edge.ridge;
            }
        }
        let owns: Vec<Owns> = (0..triangles.len())
            .map(|t| {
                let owned = |e: u32| edges[e as usize].triangles[0] == count(t);
                let first = |v: u32| vertex_edges[vertex_first[v as usize] as usize];
                let corner = |k: usize| sharp[triangles[t][k] as usize] && owned(first(triangles[t][k]));
                let edge = |k: usize| {
                    let e = triangle_edges[t][k];
                    edges[e as usize].ridge && owned(e)
                };
                Owns { corners: [0, 1, 2].map(corner), edges: [0, 1, 2].map(edge) }
            })
            .collect();
        let boxes: Vec<Aabb> = triangles.iter().map(|t| Aabb::of(&corners(t))).collect();
        let cones = looks(&triangles, &normals, &edges, &triangle_edges, &owns, report.crowded);
        let tree = Tree::with_cones(&boxes, &cones, super::proximity::TURNED);
        let mut pieces = Vec::new();
        for (t, &p) in piece.iter().enumerate() {
            if p == pieces.len() {
                pieces.push(triangles[t][0]);
            }
        }
        let size = tree.root().half().norm();
        let (closed, boundary, crowded) = (report.closed, report.boundary, report.crowded);
        Self {
            vertices,
            triangles,
            normals,
            vertex_normals,
            edges,
            triangle_edges,
            vertex_first,
            vertex_edges,
            sharp,
            owns,
            smooth: Vec::new(),
            pieces,
            closed,
            boundary,
            crowded,
            size,
            tree,
            swept: None,
        }
    }
}

fn weld(vertices: &[Vec3], triangles: &[[u32; 3]], report: &mut MeshReport) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let bounds = Aabb::of(vertices);
    let cell = (bounds.half().max() * WELD).max(NOT_ZERO);
    // a NaN cannot occur here, and the cast saturates, so any finite input has a cell
    #[expect(clippy::cast_possible_truncation, reason = "|x| / cell is at most 2 / WELD")]
    let key = |p: &Vec3| ((p - bounds.lo) / cell).map(|x| x.round() as i64);
    // asked by key alone, never walked through
    let mut cells: HashMap<[i64; 3], u32> = HashMap::with_capacity(vertices.len());
    let mut points = Vec::new();
    let mut new_index = vec![NONE; vertices.len()];
    let mut seen = HashSet::with_capacity(triangles.len());
    let mut kept = Vec::new();
    for t in triangles {
        let t = t.map(|v| {
            let slot = &mut new_index[v as usize];
            if *slot == NONE {
                let p = vertices[v as usize];
                let k: [i64; 3] = key(&p).into();
                *slot = *cells.entry(k).or_insert_with(|| {
                    points.push(p);
                    count(points.len() - 1)
                });
            }
            *slot
        });
        let [a, b, c] = t.map(|i| points[i as usize]);
        let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
        // aspect ratio 1e12: below it the normal is rounding
        if (b - a).cross(&(c - a)).norm() <= SLIVER * longest || longest == 0.0 {
            report.degenerate += 1;
            continue;
        }
        let mut sorted = t;
        sorted.sort_unstable();
        if !seen.insert(sorted) {
            report.duplicate += 1;
            continue;
        }
        kept.push(t);
    }
    (points, kept)
}

/// Turns triangles to agree across edges; returns the connected piece of each.
fn orient(_: &[Vec3], triangles: &mut [[u32; 3]], sides: &Sides, report: &mut MeshReport) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); triangles.len()];
    for (_, list) in sides.edges() {
        match list {
            [_] => report.boundary += 1,
            [one, other] => {
                let (s, t, clash) =
                    (one.triangle as usize, other.triangle as usize, one.forward == other.forward);
                neighbours[s].push((t, clash));
                neighbours[t].push((s, clash));
            }
            _ => report.crowded += 1,
        }
    }
    let mut piece = vec![usize::MAX; triangles.len()];
    let mut turned = vec![false; triangles.len()];
    let mut queue = Vec::new();
    for seed in 0..triangles.len() {
        if piece[seed] != usize::MAX {
            continue;
        }
        piece[seed] = report.pieces;
        queue.push(seed);
        while let Some(t) = queue.pop() {
            for &(other, clash) in &neighbours[t] {
                let wanted = turned[t] ^ clash;
                if piece[other] == usize::MAX {
                    piece[other] = report.pieces;
                    turned[other] = wanted;
                    queue.push(other);
                } else if turned[other] != wanted {
                    report.one_sided = true;
                }
            }
        }
        report.pieces += 1;
    }
    for (t, _) in turned.iter().enumerate().filter(|(_, turn)| **turn) {
        triangles[t].swap(1, 2);
        report.flipped += 1;
    }
    piece
}

/// Turns inside-out pieces, unless they are cavities: an inverted piece inside an odd number of others stays.
fn face_outwards(points: &[Vec3], triangles: &mut [[u32; 3]], piece: &[usize], report: &mut MeshReport) {
    let mut volume = vec![0.0; report.pieces];
    let origin = points[0];
    for (t, &p) in triangles.iter().zip(piece) {
        let [a, b, c] = t.map(|i| points[i as usize] - origin);
        volume[p] += a.dot(&b.cross(&c));
    }
    for (p, _) in volume.iter().enumerate().filter(|(_, v)| **v < 0.0) {
        let at = piece.iter().position(|&q| q == p).expect("every piece has a triangle");
        let probe = points[triangles[at][0] as usize];
        // solid angle of all other pieces seen from the probe, in turns, whichever way they face
        let mut turns = vec![0.0; report.pieces];
        for (t, &q) in triangles.iter().zip(piece).filter(|(_, q)| **q != p) {
            turns[q] += super::query::solid_angle(&t.map(|i| points[i as usize] - probe));
        }
        let around = turns.iter().filter(|w| w.abs() > 2.0 * std::f64::consts::PI).count();
        if around % 2 == 0 {
            for (t, _) in triangles.iter_mut().zip(piece).filter(|(_, q)| **q == p) {
                t.swap(1, 2);
                report.flipped += 1;
            }
        }
    }
}
