//! What lies beside what on a mesh: edges with their triangles, ridges, normals at vertices, and where each triangle looks.

use super::{MeshEdge, NONE, Owns};
use crate::error::count;
use crate::look::Cone;
use crate::rigid::Vec3;
use crate::tolerances::{NO_LENGTH, RIDGE};

/// A triangle at an edge.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EdgeSide {
    high: u32,
    pub(super) triangle: u32,
    /// Whether it runs from the edge's low end to its high one.
    pub(super) forward: bool,
}

/// Triangles at each edge, by its ends: those with low end v are `entries[first[v]..first[v + 1]]`, sorted by the high end and then in
/// the order of triangles.
pub(super) struct Sides {
    first: Vec<u32>,
    entries: Vec<EdgeSide>,
}

impl Sides {
    /// Of triangles between `vertices` points, each of three different ones.
    pub(super) fn of(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let sides = |c: &[u32; 3]| [(c[0], c[1]), (c[1], c[2]), (c[2], c[0])];
        let mut first = vec![0_u32; vertices + 1];
        for (u, v) in triangles.iter().flat_map(sides) {
            first[u.min(v) as usize + 1] += 1;
        }
        for v in 0..vertices {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut entries = vec![EdgeSide::default(); 3 * triangles.len()];
        for (t, c) in triangles.iter().enumerate() {
            for (u, v) in sides(c) {
                let slot = &mut next[u.min(v) as usize];
                entries[*slot as usize] = EdgeSide { high: u.max(v), triangle: count(t), forward: u < v };
                *slot += 1;
            }
        }
        for v in 0..vertices {
            entries[first[v] as usize..first[v + 1] as usize].sort_by_key(|side| side.high);
        }
        Self { first, entries }
    }

    /// Every edge with its triangles, by its ends.
    pub(super) fn edges(&self) -> impl Iterator<Item = ([u32; 2], &[EdgeSide])> {
        (0..self.first.len() - 1).flat_map(move |v| {
            let own = &self.entries[self.first[v] as usize..self.first[v + 1] as usize];
            own.chunk_by(|a, b| a.high == b.high).map(move |sides| ([count(v), sides[0].high], sides))
        })
    }
}

/// For each triangle a cone around its normal and the normal cones of the corners and edges it owns, which the normals of
/// the triangles around them span. A border can be pushed from the side, so there it is every direction.
pub(super) fn looks(
    triangles: &[[u32; 3]],
    normals: &[Vec3],
    edges: &[MeshEdge],
    triangle_edges: &[[u32; 3]],
    owns: &[Owns],
    crowded: usize,
) -> Vec<Cone> {
    if crowded > 0 {
        return vec![Cone::ALL; triangles.len()];
    }
    let vertices = triangles.iter().flatten().max().map_or(0, |&v| v as usize + 1);
    let mut at: Vec<Option<Cone>> = vec![None; vertices];
    let join = |c: Option<Cone>, d: Cone| Some(c.map_or(d, |c| c.join(&d)));
    for (t, n) in triangles.iter().zip(normals) {
        for &v in t {
            at[v as usize] = join(at[v as usize], Cone::of(*n));
        }
    }
    for e in edges.iter().filter(|e| e.triangles[1] == NONE) {
        for v in e.ends {
            at[v as usize] = Some(Cone::ALL);
        }
    }
    let across = |e: u32| {
        let [s, t] = edges[e as usize].triangles;
        if t == NONE { Cone::ALL } else { Cone::of(normals[s as usize]).join(&Cone::of(normals[t as usize])) }
    };
    let whole = |t: usize| {
        let corners = (0..3).filter(|&k| owns[t].corners[k]).filter_map(|k| at[triangles[t][k] as usize]);
        let borders = (0..3).filter(|&k| owns[t].edges[k]).map(|k| across(triangle_edges[t][k]));
        corners.chain(borders).fold(Cone::of(normals[t]), |c, d| c.join(&d))
    };
    (0..triangles.len()).map(whole).collect()
}

pub(super) fn vertex_normals(vertices: &[Vec3], triangles: &[[u32; 3]], normals: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); vertices.len()];
    for (t, n) in triangles.iter().zip(normals) {
        for k in 0..3 {
            let to = |i: usize| vertices[t[(k + i) % 3] as usize] - vertices[t[k] as usize];
            sums[t[k] as usize] += n * to(1).angle(&to(2));
        }
    }
    sums.iter().map(|n| n.try_normalize(NO_LENGTH).unwrap_or_else(Vec3::zeros)).collect()
}

pub(super) fn edges_of(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    normals: &[Vec3],
    sides: &Sides,
) -> (Vec<MeshEdge>, Vec<[u32; 3]>) {
    let mut edges = Vec::new();
    let mut triangle_edges = vec![[NONE; 3]; triangles.len()];
    for (ends, list) in sides.edges() {
        // more than two triangles at an edge: pair them off, so that none is forgotten
        for pair in list.chunks(2) {
            let id = count(edges.len());
            let mut tris = [NONE; 2];
            for (slot, side) in tris.iter_mut().zip(pair) {
                *slot = side.triangle;
                let t = side.triangle as usize;
                let k = (0..3).find(|&k| {
                    let (u, v) = (triangles[t][k], triangles[t][(k + 1) % 3]);
                    [u.min(v), u.max(v)] == ends
                });
                triangle_edges[t][k.expect("the triangle has this edge")] = id;
            }
            let ridge = tris[1] == NONE || is_ridge(vertices, triangles, normals, tris, ends);
            edges.push(MeshEdge { ends, triangles: tris, ridge });
        }
    }
    (edges, triangle_edges)
}

/// Convex by more than 1e-6 rad: flatter than that, a face of a metre bends by a micrometre.
fn is_ridge(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    normals: &[Vec3],
    tris: [u32; 2],
    ends: [u32; 2],
) -> bool {
    let [s, t] = tris.map(|t| t as usize);
    let p = vertices[ends[0] as usize];
    let third = triangles[t].iter().find(|i| !ends.contains(i)).expect("a triangle has a third corner");
    let other = vertices[*third as usize] - p;
    let along = (vertices[ends[1] as usize] - p).normalize();
    let across = (other - along * along.dot(&other)).norm();
    normals[s].dot(&other) < -RIDGE * across
}
