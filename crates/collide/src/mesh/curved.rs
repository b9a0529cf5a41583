//! Which parts of a mesh stand for a smooth curved surface, and its normals at the vertices.
//!
//! A mesh may be declared smooth, or be taken for it where it evidently is: a stated guess, counted in the report.

use nalgebra::Matrix3;

use super::{NONE, TriMesh};
use crate::rigid::{Vec3, norm2, tangents};
use crate::tolerances::{BENDS, BENDS_BOTH_WAYS};

/// Radians, 26 degrees: tessellations of 14 sides round and more bend by less, and the facets of polyhedra that are meant
/// to have them mostly by more. Nothing in the triangles tells a faceted gem from a coarse pebble: this is a guess, told in the report, that
/// `Shape::faceted_mesh` does not make.
const CURVED: f64 = 0.45;

impl TriMesh {
    /// Declares the surface smooth wherever it bends by less than `crease` radians across an edge: normals of
    /// shallow contacts between smooth surfaces are then those of the surfaces the facets stand for. Faces that are
    /// meant to be flat, as a prism's, must bend by more than that, or not be declared smooth.
    pub fn smooth(mut self, crease: f64) -> Self {
        let mut normals = self.round_normals();
        for edge in &self.edges {
            let [s, t] = edge.triangles;
            if t == NONE || self.normals[s as usize].dot(&self.normals[t as usize]) < crease.cos() {
                edge.ends.iter().for_each(|&v| normals[v as usize] = Vec3::zeros());
            }
        }
        self.smooth = normals;
        self
    }

    /// Takes the surface to be smooth where it evidently is a tessellation of a curved one, and tells at how many vertices: there
    /// it bends by less than [`CURVED`] radians across every edge, and in two directions. What bends one way only, as a cylinder and
    /// a prism cut lengthwise do alike, stays as it is, as do flat faces, borders and everything sharper.
    pub(crate) fn smooth_where_curved(self) -> (Self, usize) {
        let mut mesh = self.smooth(CURVED);
        // per vertex the sum of |bend| t tᵀ over its edges, t across the edge
        let mut bends = vec![Matrix3::zeros(); mesh.vertices.len()];
        for edge in mesh.edges.iter().filter(|e| e.triangles[1] != NONE) {
            let [m, k] = edge.triangles.map(|t| mesh.normals[t as usize]);
            let [p, q] = edge.ends.map(|v| mesh.vertices[v as usize]);
            let t = (q - p).cross(&(m + k)).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            let bend = t * t.transpose() * m.cross(&k).norm();
            edge.ends.iter().for_each(|&v| bends[v as usize] += bend);
        }
        let mut count = 0;
        for (n, m) in mesh.smooth.iter_mut().zip(&bends) {
            let (t1, t2) = tangents(n);
            let (xx, xy, yy) = (t1.dot(&(m * t1)), t1.dot(&(m * t2)), t2.dot(&(m * t2)));
            let (mean, half) = (0.5 * (xx + yy), norm2(0.5 * (xx - yy), xy));
            // radians: four-byte coordinates bend a flat face by some 1e-5; a fine torus bends along its top by a hundredth of what it does across
            if mean - half > BENDS && mean - half > BENDS_BOTH_WAYS * (mean + half) {
                count += usize::from(*n != Vec3::zeros());
            } else {
                *n = Vec3::zeros();
            }
        }
        if count == 0 {
            mesh.smooth = Vec::new();
        }
        (mesh, count)
    }

    /// Normals at the vertices of the surface that the mesh stands for: over the triangles at a vertex with edges e and f,
    /// ```text
    ///     sum of e x f / (|e|^2 |f|^2)
    /// ```
    /// which is exact if a vertex and its neighbours lie on a sphere, whatever the triangles between them (Max, 1999);
    /// normals weighted by angle are off by 0.7 degrees on a torus of 1,000 triangles, these by nothing.
    fn round_normals(&self) -> Vec<Vec3> {
        let mut sums = vec![Vec3::zeros(); self.vertices.len()];
        for t in &self.triangles {
            for k in 0..3 {
                let at = |i: usize| self.vertices[t[(k + i) % 3] as usize] - self.vertices[t[k] as usize];
                let (e, f) = (at(1), at(2));
                sums[t[k] as usize] += e.cross(&f) / (e.norm_squared() * f.norm_squared());
            }
        }
        sums.iter().map(|n| n.try_normalize(0.0).unwrap_or_else(Vec3::zeros)).collect()
    }

    /// Whether no corner of a triangle lies on a crease.
    pub(crate) fn is_smooth(&self, t: u32) -> bool {
        self.triangles[t as usize].iter().all(|&v| self.smooth[v as usize] != Vec3::zeros())
    }
}
