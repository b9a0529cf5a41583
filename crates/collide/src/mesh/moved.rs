//! The vertices of a mesh seen from another frame, moved when first asked for.
//!
//! Also slightly off: where features of two meshes coincide (shared planes, vertices, edges), no cut is in general
//! position, and contours rest on signs of zero. Then both meshes are drawn inwards by a hair and one is shifted by a fraction of it,
//! ```text
//!     p' = X (p - e n) + d,      n the normal at the vertex,   |d| = e / 16
//! ```
//! so that flush surfaces come apart, and what coincides sideways does not any more.

use super::TriMesh;
use crate::rigid::{Rigid, Vec3};

/// Vertices of one mesh in another frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moved {
    points: Vec<Vec3>,
    fresh: Vec<u32>,
    stamp: u32,
    x: Option<Rigid>,
    /// Metres drawn inwards.
    inwards: f64,
}

impl Moved {
    pub(crate) fn start(&mut self, mesh: &TriMesh, x: &Rigid) {
        self.start_inwards(mesh, x, 0.0);
    }

    /// Every vertex drawn inwards along its normal by some metres.
    pub(crate) fn start_inwards(&mut self, mesh: &TriMesh, x: &Rigid, inwards: f64) {
        if self.points.len() < mesh.vertices.len() {
            self.points.resize(mesh.vertices.len(), Vec3::zeros());
            self.fresh.resize(mesh.vertices.len(), 0);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.fresh.fill(0);
            self.stamp = 1;
        }
        self.x = Some(*x);
        self.inwards = inwards;
    }

    pub(crate) fn x(&self) -> &Rigid {
        self.x.as_ref().expect("started before use")
    }

    #[inline]
    pub(crate) fn point(&mut self, mesh: &TriMesh, v: u32) -> Vec3 {
        if self.fresh[v as usize] != self.stamp {
            self.move_one(mesh, v);
        }
        self.points[v as usize]
    }

    fn move_one(&mut self, mesh: &TriMesh, v: u32) {
        self.fresh[v as usize] = self.stamp;
        let mut p = mesh.vertices[v as usize];
        if self.inwards > 0.0 {
            p -= mesh.vertex_normals[v as usize] * self.inwards;
        }
        self.points[v as usize] = self.x().point(&p);
    }

    #[inline]
    pub(crate) fn corners(&mut self, mesh: &TriMesh, t: u32) -> [Vec3; 3] {
        let [i, j, k] = mesh.triangles[t as usize];
        [self.point(mesh, i), self.point(mesh, j), self.point(mesh, k)]
    }
}
