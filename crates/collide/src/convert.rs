//! The only file that names parry's vector types.
//!
//! parry speaks glam; the rest of the crate speaks nalgebra. What is taken from parry: the convex
//! hull and the approximate convex decomposition. Its contact manifolds stand beside ours in the
//! bench (`benches/collide.rs`), not here.

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};

use crate::error::ShapeError;
use crate::rigid::Vec3;

fn to_parry(p: &Vec3) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn from_parry(p: &Vector) -> Vec3 {
    Vec3::new(p.x, p.y, p.z)
}

pub(crate) type Surface = (Vec<Vec3>, Vec<[u32; 3]>);

pub(crate) fn convex_hull(points: &[Vec3]) -> Result<Surface, ShapeError> {
    let points: Vec<_> = points.iter().map(to_parry).collect();
    match try_convex_hull(&points) {
        Ok((vertices, triangles)) => Ok((vertices.iter().map(from_parry).collect(), triangles)),
        Err(_) => Err(ShapeError::Hull { points: points.len(), reason: "degenerate points" }),
    }
}

/// Convex parts of a surface, as point clouds to be hulled.
pub(crate) fn convex_parts(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    resolution: u32,
    concavity: f64,
) -> Vec<Vec<Vec3>> {
    let points: Vec<_> = vertices.iter().map(to_parry).collect();
    let parameters = VHACDParameters { resolution, concavity, ..Default::default() };
    let parts = VHACD::decompose(&parameters, &points, triangles, true);
    parts
        .compute_exact_convex_hulls(&points, triangles)
        .iter()
        .map(|(hull, _)| hull.iter().map(from_parry).collect())
        .collect()
}
