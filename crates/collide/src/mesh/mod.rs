//! Triangle meshes: built once, with the neighbourhoods and the tree that contact needs.
//!
//! Construction welds, drops what has no area, turns triangles to agree with their neighbours, and
//! checks closedness; a [`MeshReport`] says what was found and done. A closed mesh is a solid, also a
//! non-convex one with holes and cavities; an open one is a surface that is touched but encloses
//! nothing.
//!
//! Edges are told apart by the bend of the surface across them: only *ridges* (convex) and, around
//! them, vertices with a ridge can be extreme points of contact; edges inside a flat face and valleys
//! cannot, and are skipped.

mod bent;
mod build;
mod contact;
mod contained;
mod contour;
mod curved;
mod flood;
mod heightfield;
#[cfg(debug_assertions)]
mod judged;
mod links;
mod load;
mod loops;
mod moved;
mod proximity;
mod query;
mod quiet;
mod round;
mod smooth;
mod swept;
mod thickness;

pub(crate) use contact::{MeshScratch, contacts, over_plane};
pub use heightfield::Heightfield;
#[cfg(debug_assertions)]
pub(crate) use judged::is_inverted;
pub use load::{MeshFormat, load_mesh, read_mesh};
use query::Feature;
pub(crate) use round::{Ground, contacts as round_contacts};
pub(crate) use swept::correct;

use crate::aabb::Aabb;
use crate::polytope::Polytope;
use crate::rigid::Vec3;
use crate::sweep::Swept;
use crate::tree::Tree;

/// An edge with its triangles; `NONE` for a missing second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MeshEdge {
    /// Lower index first.
    pub ends: [u32; 2],
    pub triangles: [u32; 2],
    /// Whether the surface is convex across the edge (or has a border there).
    pub ridge: bool,
}

pub(crate) const NONE: u32 = u32::MAX;

/// Which of a triangle's corners and edges are its business alone: each sharp vertex and each ridge belongs to one
/// triangle, so that no pair of features is tried from all triangles around.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owns {
    corners: [bool; 3],
    edges: [bool; 3],
}

/// A welded, oriented triangle mesh.
#[derive(Debug, Clone)]
pub struct TriMesh {
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Unit, outward for a closed mesh.
    pub(crate) normals: Vec<Vec3>,
    /// Those of the triangles at a vertex, weighted by angle: unit, or zero where they cancel.
    pub(crate) vertex_normals: Vec<Vec3>,
    pub(crate) edges: Vec<MeshEdge>,
    /// Edge k of a triangle joins its corners k and k + 1.
    pub(crate) triangle_edges: Vec<[u32; 3]>,
    /// Vertex v meets edges `vertex_edges[vertex_first[v]..vertex_first[v + 1]]`.
    pub(crate) vertex_first: Vec<u32>,
    pub(crate) vertex_edges: Vec<u32>,
    /// Whether a ridge ends at the vertex.
    pub(crate) sharp: Vec<bool>,
    pub(crate) owns: Vec<Owns>,
    /// Normals of the smooth surface at the vertices, zero on creases; empty where it stands for none.
    pub(crate) smooth: Vec<Vec3>,
    /// A vertex of each connected piece.
    pub(crate) pieces: Vec<u32>,
    pub(crate) closed: bool,
    pub(crate) boundary: usize,
    pub(crate) crowded: usize,
    pub(crate) size: f64,
    pub(crate) tree: Tree,
    /// The formula that the triangles are chords of.
    pub(crate) swept: Option<Box<Swept>>,
}

/// What construction found in the input and did about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MeshReport {
    /// Vertices given and kept after welding.
    pub vertices: (usize, usize),
    /// Triangles given and kept.
    pub triangles: (usize, usize),
    /// Dropped: without area, or with a corner named twice.
    pub degenerate: usize,
    /// Dropped: the same three corners as another triangle.
    pub duplicate: usize,
    /// Turned to agree with their neighbours or to face outwards.
    pub flipped: usize,
    /// Edges with one triangle.
    pub boundary: usize,
    /// Edges with more than two triangles.
    pub crowded: usize,
    /// Connected pieces.
    pub pieces: usize,
    /// Vertices taken to lie on a smooth curved surface, see [`crate::Shape::mesh`].
    pub curved: usize,
    /// Whether no consistent orientation exists (a Moebius band).
    pub one_sided: bool,
    /// Whether the mesh encloses a volume.
    pub closed: bool,
}

impl std::fmt::Display for MeshReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if self.closed { "closed" } else { "open" };
        write!(
            f,
            "{kind} mesh of {} triangles, {} vertices in {} pieces",
            self.triangles.1, self.vertices.1, self.pieces
        )?;
        let notes = [
            (self.vertices.0 - self.vertices.1, "vertices welded or unused"),
            (self.degenerate, "triangles without area dropped"),
            (self.duplicate, "duplicate triangles dropped"),
            (self.flipped, "triangles turned round"),
            (self.boundary, "open edges"),
            (self.crowded, "edges with more than two triangles"),
            (self.curved, "vertices taken to lie on a smooth surface"),
            (usize::from(self.one_sided), "surface has one side only"),
        ];
        for (n, what) in notes.iter().filter(|(n, _)| *n > 0) {
            write!(f, "; {n} {what}")?;
        }
        Ok(())
    }
}

impl TriMesh {
    /// Vertices after welding.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// What the mesh was swept of, if it was.
    pub fn sweep(&self) -> Option<&crate::Sweep> {
        self.swept.as_ref().map(|s| &s.source)
    }

    /// Whether the mesh encloses a volume.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The box around the surface, also where it bulges out of its triangles.
    pub(crate) fn bounds(&self) -> Aabb {
        self.tree.root().grow(self.swept.as_ref().map_or(0.0, |s| s.swell))
    }

    pub(crate) fn corners(&self, t: u32) -> [Vec3; 3] {
        self.triangles[t as usize].map(|i| self.vertices[i as usize])
    }

    /// Mean length of a triangle's edges.
    pub(crate) fn edge_length(&self, t: u32) -> f64 {
        let [p, q, r] = self.corners(t);
        ((p - q).norm() + (q - r).norm() + (r - p).norm()) / 3.0
    }

    pub(crate) fn edges_of(&self, v: u32) -> &[u32] {
        &self.vertex_edges[self.vertex_first[v as usize] as usize..self.vertex_first[v as usize + 1] as usize]
    }

    /// Whether the surface at vertex v stays below the plane through v across the unit vector d, up to the
    /// sine `slack`: d is in the normal cone of v.
    pub(crate) fn vertex_faces(&self, v: u32, d: &Vec3, slack: f64) -> bool {
        let p = self.vertices[v as usize];
        self.edges_of(v).iter().all(|&e| {
            let [i, j] = self.edges[e as usize].ends;
            let other = self.vertices[if i == v { j } else { i } as usize] - p;
            d.dot(&other) <= slack * other.norm()
        })
    }

    /// Whether d is in the normal cone of edge e: the third corners of its triangles lie below.
    pub(crate) fn edge_faces(&self, e: u32, d: &Vec3, slack: f64) -> bool {
        let edge = &self.edges[e as usize];
        let p = self.vertices[edge.ends[0] as usize];
        edge.triangles.iter().filter(|&&t| t != NONE).all(|&t| {
            let third = self.triangles[t as usize].iter().find(|i| !edge.ends.contains(i));
            third.is_none_or(|&i| {
                let other = self.vertices[i as usize] - p;
                d.dot(&other) <= slack * other.norm()
            })
        })
    }

    /// The greatest sine by which the surface at a feature rises above the plane across the unit vector d: at most 0 where d is
    /// in the feature's normal cone.
    pub(crate) fn leans(&self, feature: Feature, d: &Vec3) -> f64 {
        let rise = |p: u32, q: u32| {
            let other = self.vertices[q as usize] - self.vertices[p as usize];
            d.dot(&other) / other.norm()
        };
        match feature {
            Feature::Face(t) => d.cross(&self.normals[t as usize]).norm(),
            Feature::Edge(e) => {
                let edge = &self.edges[e as usize];
                let thirds = edge.triangles.iter().filter(|&&t| t != NONE).filter_map(|&t| {
                    self.triangles[t as usize].iter().find(|i| !edge.ends.contains(i)).copied()
                });
                // along the edge itself the surface goes both ways
                let along = rise(edge.ends[0], edge.ends[1]).abs();
                thirds.map(|i| rise(edge.ends[0], i)).fold(along, f64::max)
            }
            Feature::Vertex(v) => {
                let ends = self.edges_of(v).iter().map(|&e| self.edges[e as usize].ends);
                ends.map(|[i, j]| rise(v, if i == v { j } else { i })).fold(-1.0, f64::max)
            }
        }
    }

    /// Every triangle at a feature; at a vertex each is met twice.
    pub(crate) fn faces_at(&self, feature: Feature, mut visit: impl FnMut(u32)) {
        let mut at = |e: u32| {
            self.edges[e as usize].triangles.iter().filter(|&&t| t != NONE).for_each(|&t| visit(t));
        };
        match feature {
            Feature::Face(t) => visit(t),
            Feature::Edge(e) => at(e),
            Feature::Vertex(v) => self.edges_of(v).iter().for_each(|&e| at(e)),
        }
    }

    pub(crate) fn of_polytope(p: &Polytope) -> Self {
        // a polytope's faces close up by construction, so this cannot fail for its own triangles
        let (mesh, _) = Self::new(&p.vertices, &p.triangles()).expect("a polytope is a sound mesh");
        mesh
    }
}
