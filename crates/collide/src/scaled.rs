//! The same shape in another size, about the origin of its frame.

use std::sync::Arc;

use nalgebra::Isometry3;

use crate::error::{ShapeError, positive};
use crate::mesh::Heightfield;
use crate::mesh::TriMesh;
use crate::rigid::Vec3;
use crate::shape::{Kind, Shape};
use crate::sweep::Corner;

impl Shape {
    /// This shape `factor` times as large; a plane stays as it is. Faces, creases and formulas are those of the
    /// original, so that contacts differ in size alone.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        let f = positive("factor", factor)?;
        match self.kind() {
            Kind::Plane => Ok(Self::plane()),
            Kind::Sphere(radius) => Self::sphere(f * radius),
            Kind::Capsule { half_height, radius } => Self::capsule(f * half_height, f * radius),
            Kind::Box(half, _) => Self::cuboid(f * half.x, f * half.y, f * half.z),
            Kind::Cylinder { half_height, radius } => Self::cylinder(f * half_height, f * radius),
            Kind::Cone { half_height, radius } => Self::cone(f * half_height, f * radius),
            Kind::Ellipsoid(semi) => Self::ellipsoid(f * semi.x, f * semi.y, f * semi.z),
            Kind::Convex(solid) => {
                let points: Vec<Vec3> = solid.polytope.vertices.iter().map(|p| p * f).collect();
                Self::convex_hull(&points)
            }
            Kind::Mesh(mesh) => scaled_mesh(mesh, f),
            Kind::Heightfield(field) => {
                let kind = Kind::Heightfield(Arc::new(scaled_field(field, f)?));
                Ok(Self { kind })
            }
            Kind::Compound(parts) => {
                let part =
                    |(pose, shape): &(Isometry3<f64>, Self)| Ok((scaled_pose(pose, f), shape.scaled(f)?));
                Self::compound(parts.iter().map(part).collect::<Result<_, ShapeError>>()?)
            }
        }
    }
}

/// A pose whose place is that of something `factor` times as large.
fn scaled_pose(pose: &Isometry3<f64>, factor: f64) -> Isometry3<f64> {
    let mut out = *pose;
    out.translation.vector *= factor;
    out
}

fn scaled_mesh(mesh: &TriMesh, f: f64) -> Result<Shape, ShapeError> {
    if let Some(swept) = &mesh.swept {
        let mut sweep = swept.source.clone();
        sweep.pitch *= f;
        for Corner { r, z, .. } in &mut sweep.section {
            *r *= f;
            *z *= f;
        }
        return Ok(Shape::sweep(&sweep)?.0);
    }
    let vertices: Vec<Vec3> = mesh.vertices.iter().map(|p| p * f).collect();
    let (mut scaled, _) = TriMesh::new(&vertices, &mesh.triangles)?;
    if scaled.vertices == vertices {
        scaled.smooth.clone_from(&mesh.smooth);
    } else if !mesh.smooth.is_empty() {
        // welded otherwise by a rounding
        scaled = scaled.smooth_where_curved().0;
    }
    Ok(Shape { kind: Kind::Mesh(Arc::new(scaled)) })
}

fn scaled_field(field: &Heightfield, f: f64) -> Result<Heightfield, ShapeError> {
    let (rows, cols) = field.dimensions();
    let (dx, dy) = field.spacing();
    let heights: Vec<f64> = field.heights().iter().map(|h| f * h).collect();
    Heightfield::new(rows, cols, f * dx, f * dy, &heights)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind: mass by the cube, reach by the factor.
    #[test]
    fn mass_goes_with_the_cube_of_the_size() {
        let tetrahedron =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let ball = Shape::sphere(0.3).unwrap();
        let ring: Vec<Corner> = [(1.0, 0.0), (1.2, 0.0), (1.2, 0.3), (1.0, 0.3)]
            .map(|(r, z)| Corner { r, z, bulge: 0.0 })
            .to_vec();
        let sweep = crate::sweep::Sweep { section: ring, pitch: 0.0, turns: 1.0, segments: 48 };
        let shapes = [
            ball.clone(),
            Shape::capsule(0.4, 0.1).unwrap(),
            Shape::cuboid(0.1, 0.2, 0.3).unwrap(),
            Shape::cylinder(0.4, 0.1).unwrap(),
            Shape::cone(0.4, 0.1).unwrap(),
            Shape::ellipsoid(0.1, 0.2, 0.3).unwrap(),
            Shape::convex_hull(&tetrahedron).unwrap(),
            Shape::mesh(&tetrahedron, &faces).unwrap().0,
            Shape::sweep(&sweep).unwrap().0,
            Shape::compound(vec![(Isometry3::translation(0.5, 0.0, 0.0), ball)]).unwrap(),
        ];
        for shape in shapes {
            let twice = shape.scaled(2.0).unwrap();
            let mass = |s: &Shape| s.mass_properties(1.0).unwrap().mass;
            assert!((mass(&twice) / mass(&shape) - 8.0).abs() < 1e-12, "{}", shape.name());
            let reach = |s: &Shape| s.aabb(&Isometry3::identity()).hi;
            assert!((reach(&twice) - reach(&shape) * 2.0).norm() < 1e-12, "{}", shape.name());
            assert!(shape.scaled(0.0).is_err() && shape.scaled(f64::NAN).is_err());
        }
        let field = Shape::heightfield(2, 2, 0.5, 0.5, &[0.0, 0.1, 0.2, 0.3]).unwrap().scaled(3.0).unwrap();
        let Kind::Heightfield(field) = field.kind() else { panic!("a heightfield") };
        assert!((field.surface(0.75, 0.75).unwrap().0 - 0.9).abs() < 1e-12);
    }
}
