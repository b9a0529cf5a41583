//! What lies beside what on a mesh: edges with their triangles, ridges, normals at vertices, and where each triangle looks.

use std::collections::BTreeMap;

use super::{MeshEdge, NONE, Owns};
use crate::look::Cone;
use crate::polytope::count;
use crate::rigid::Vec3;

/// Triangles at each edge, keyed by the sorted ends; +1 when the triangle runs from low to high.
pub(super) type Sides = BTreeMap<[u32; 2], Vec<(usize, bool)>>;

pub(super) fn sides_of(triangles: &[[u32; 3]]) -> Sides {
    let mut sides: Sides = BTreeMap::new();
    for (t, c) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (u, v) = (c[k], c[(k + 1) % 3]);
            sides.entry([u.min(v), u.max(v)]).or_default().push((t, u < v));
        }
    }
    sides
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
    sums.iter().map(|n| n.try_normalize(1e-300).unwrap_or_else(Vec3::zeros)).collect()
}

pub(super) fn edges_of(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    normals: &[Vec3],
) -> (Vec<MeshEdge>, Vec<[u32; 3]>) {
    let sides = sides_of(triangles);
    let mut edges = Vec::new();
    let mut triangle_edges = vec![[NONE; 3]; triangles.len()];
    for (ends, list) in &sides {
        // more than two triangles at an edge: pair them off, so that none is forgotten
        for pair in list.chunks(2) {
            let id = count(edges.len());
            let mut tris = [NONE; 2];
            for (slot, &(t, _)) in tris.iter_mut().zip(pair) {
                *slot = count(t);
                let k = (0..3).find(|&k| {
                    let (u, v) = (triangles[t][k], triangles[t][(k + 1) % 3]);
                    [u.min(v), u.max(v)] == *ends
                });
                triangle_edges[t][k.expect("the triangle has this edge")] = id;
            }
            let ridge = tris[1] == NONE || is_ridge(vertices, triangles, normals, tris, *ends);
            edges.push(MeshEdge { ends: *ends, triangles: tris, ridge });
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
    normals[s].dot(&other) < -1e-6 * across
}
