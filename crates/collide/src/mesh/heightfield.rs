//! Heightfields: a grid of heights over the x-y plane, solid below.
//!
//! The surface is two triangles per cell, split along the diagonal from the low corner to the high one, and is
//! kept as an open mesh, so that meshes meet it like any mesh; what makes it solid is `below`.

use super::TriMesh;
use crate::error::{ShapeError, count, positive};
use crate::rigid::Vec3;

/// A grid of heights, centred over the origin.
#[derive(Debug, Clone)]
pub struct Heightfield {
    rows: usize,
    cols: usize,
    dx: f64,
    dy: f64,
    heights: Vec<f64>,
    pub(crate) mesh: TriMesh,
}

impl Heightfield {
    pub(crate) fn new(
        rows: usize,
        cols: usize,
        dx: f64,
        dy: f64,
        heights: &[f64],
    ) -> Result<Self, ShapeError> {
        let (dx, dy) = (positive("dx", dx)?, positive("dy", dy)?);
        if rows < 2 || cols < 2 || rows.checked_mul(cols) != Some(heights.len()) {
            return Err(ShapeError::Grid { rows, cols, len: heights.len() });
        }
        let (x0, y0) = (-0.5 * dx * (cols - 1) as f64, -0.5 * dy * (rows - 1) as f64);
        let vertices: Vec<Vec3> = heights
            .iter()
            .enumerate()
            .map(|(i, &z)| Vec3::new(x0 + dx * (i % cols) as f64, y0 + dy * (i / cols) as f64, z))
            .collect();
        let mut triangles = Vec::with_capacity(2 * (rows - 1) * (cols - 1));
        for r in 0..rows - 1 {
            for c in 0..cols - 1 {
                let i = count(r * cols + c);
                let (right, up) = (1, count(cols));
                triangles.push([i, i + right, i + right + up]);
                triangles.push([i, i + right + up, i + up]);
            }
        }
        let (mesh, _) = TriMesh::new(&vertices, &triangles)?;
        Ok(Self { rows, cols, dx, dy, heights: heights.to_vec(), mesh })
    }

    /// The surface as triangles.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// Samples along y and along x.
    pub fn dimensions(&self) -> (usize, usize) {
        (self.rows, self.cols)
    }

    /// How far samples are apart along x and along y, m.
    pub fn spacing(&self) -> (f64, f64) {
        (self.dx, self.dy)
    }

    /// The samples, row by row.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// Height of the surface and its unit normal over a point of the x-y plane, if the grid reaches there.
    pub fn surface(&self, x: f64, y: f64) -> Option<(f64, Vec3)> {
        let u = x / self.dx + 0.5 * (self.cols - 1) as f64;
        let v = y / self.dy + 0.5 * (self.rows - 1) as f64;
        let inside = |t: f64, n: usize| t >= 0.0 && t <= (n - 1) as f64;
        if !inside(u, self.cols) || !inside(v, self.rows) {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be within the grid"
        )]
        let (c, r) = ((u as usize).min(self.cols - 2), (v as usize).min(self.rows - 2));
        let (s, t) = (u - c as f64, v - r as f64);
        let h = |i: usize, j: usize| self.heights[(r + j) * self.cols + c + i];
        // the lower triangle of the cell has t <= s
        let (gx, gy) = if t <= s {
            (h(1, 0) - h(0, 0), h(1, 1) - h(1, 0))
        } else {
            (h(1, 1) - h(0, 1), h(0, 1) - h(0, 0))
        };
        let normal = Vec3::new(-gx / self.dx, -gy / self.dy, 1.0).normalize();
        Some((h(0, 0) + gx * s + gy * t, normal))
    }

    pub(crate) fn below(&self, p: &Vec3) -> bool {
        self.surface(p.x, p.y).is_some_and(|(z, _)| p.z < z)
    }
}
