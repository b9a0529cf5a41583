//! The parts of a surface inside contours: triangles that are cut, and all that vertices inside can reach without
//! crossing a cut edge.

use super::contour::{Contours, Crossing, root};
use super::{NONE, TriMesh};

/// Which edges are cut and which vertices and triangles have been visited; stamped, never cleared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    edges: Vec<u32>,
    vertices: Vec<u32>,
    triangles: Vec<u32>,
    cut: u32,
    visit: u32,
    /// The first contour of each connected piece, written by `unite`.
    pieces: Vec<u32>,
}

impl Marks {
    /// Forgets, and marks the edges that are cut.
    pub(crate) fn start(&mut self, mesh: &TriMesh, crossings: &[Crossing]) {
        let grow = |v: &mut Vec<u32>, n: usize| v.resize(n.max(v.len()), 0);
        grow(&mut self.edges, mesh.edges.len());
        grow(&mut self.vertices, mesh.vertices.len());
        grow(&mut self.triangles, mesh.triangles.len());
        if self.cut > u32::MAX / 2 || self.visit > u32::MAX / 2 {
            *self = Self {
                edges: vec![0; self.edges.len()],
                vertices: vec![0; self.vertices.len()],
                triangles: vec![0; self.triangles.len()],
                ..Self::default()
            };
        }
        self.cut += 1;
        for k in crossings {
            self.edges[k.edge as usize] = self.cut;
        }
    }
}

/// The part of a surface inside a contour: triangles it cuts, and all that vertices inside can reach
/// without crossing a cut edge.
pub(crate) fn flood(
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

/// Contours of the same overlap, by the pieces of one surface inside it: joined by vertices that reach each other, and by an edge
/// that enters through one and leaves through the other.
pub(crate) fn unite(
    mesh: &TriMesh,
    contours: &Contours,
    crossings: &[Crossing],
    inside: &[(u32, u32)],
    marks: &mut Marks,
    vertices: &mut Vec<u32>,
    parent: &mut [u32],
) {
    let contour = |segment: u32| contours.contour[segment as usize];
    let mut join = |i: u32, j: u32| {
        let (i, j) = (root(parent, i), root(parent, j));
        parent[i.max(j) as usize] = i.min(j);
    };
    for w in crossings.windows(2) {
        if w[0].edge == w[1].edge && w[0].entering && !w[1].entering {
            join(contour(w[0].segment), contour(w[1].segment));
        }
    }
    // one stamp per connected piece, its first contour kept in line with it
    let first = marks.visit + 1;
    marks.pieces.clear();
    for &(seed, segment) in inside {
        let stamp = marks.vertices[seed as usize];
        if stamp >= first {
            join(marks.pieces[(stamp - first) as usize], contour(segment));
            continue;
        }
        marks.visit += 1;
        marks.pieces.push(contour(segment));
        marks.vertices[seed as usize] = marks.visit;
        vertices.clear();
        vertices.push(seed);
        while let Some(v) = vertices.pop() {
            for &e in mesh.edges_of(v) {
                let [i, j] = mesh.edges[e as usize].ends;
                let other = if i == v { j } else { i } as usize;
                if marks.edges[e as usize] != marks.cut && marks.vertices[other] < first {
                    marks.vertices[other] = marks.visit;
                    vertices.push(i + j - v);
                }
            }
        }
    }
}
