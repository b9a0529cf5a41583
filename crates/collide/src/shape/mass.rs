//! Mass, centre of mass and inertia of a solid of uniform density.
//!
//! Primitives by formula; polyhedra and closed meshes by the divergence theorem: each triangle and
//! the origin span a signed tetrahedron whose moments are polynomials of its corners, and the signed
//! sum over a closed surface is the solid's. Corners are taken relative to the mean vertex so that
//! a mesh modelled far from its origin does not cancel.

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::{Kind, Shape};
use crate::error::{ShapeError, positive};
use crate::rigid::Vec3;

/// Mass, centre of mass and rotational inertia in the shape's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Kilograms.
    pub mass: f64,
    /// Metres, in the shape's frame.
    pub center: Vector3<f64>,
    /// kg m^2, about the centre of mass, in the axes of the shape's frame.
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    fn diagonal(mass: f64, center: Vec3, x: f64, y: f64, z: f64) -> Self {
        Self { mass, center, inertia: Matrix3::from_diagonal(&Vec3::new(x, y, z)) }
    }

    /// The same body seen from a frame in which its own frame has this pose.
    pub fn moved(&self, pose: &Isometry3<f64>) -> Self {
        let r = pose.rotation.to_rotation_matrix().into_inner();
        Self {
            mass: self.mass,
            center: r * self.center + pose.translation.vector,
            inertia: r * self.inertia * r.transpose(),
        }
    }

    /// Two bodies as one: inertias about the common centre by the parallel-axis theorem.
    pub fn joined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        let center = (self.center * self.mass + other.center * other.mass) / mass;
        let shifted = |m: &Self| m.inertia + parallel(m.mass, &(m.center - center));
        Self { mass, center, inertia: shifted(self) + shifted(other) }
    }
}

/// m (|d|^2 1 - d d^T)
fn parallel(mass: f64, d: &Vec3) -> Matrix3<f64> {
    (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * mass
}

impl Shape {
    /// Mass properties at a density in kg/m^3. A compound adds its parts up, overlaps counted twice.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        let rho = positive("density", density)?;
        let pi = std::f64::consts::PI;
        let zero = Vec3::zeros();
        Ok(match &self.kind {
            Kind::Sphere(r) => {
                let m = rho * 4.0 / 3.0 * pi * r.powi(3);
                let i = 0.4 * m * r * r;
                MassProperties::diagonal(m, zero, i, i, i)
            }
            Kind::Ellipsoid(s) => {
                let m = rho * 4.0 / 3.0 * pi * s.x * s.y * s.z;
                let q = s.component_mul(s) * (m / 5.0);
                MassProperties::diagonal(m, zero, q.y + q.z, q.x + q.z, q.x + q.y)
            }
            Kind::Box(h, _) => {
                let m = rho * 8.0 * h.x * h.y * h.z;
                let q = h.component_mul(h) * (m / 3.0);
                MassProperties::diagonal(m, zero, q.y + q.z, q.x + q.z, q.x + q.y)
            }
            Kind::Cylinder { half_height: h, radius: r } => cylinder(rho, *h, *r),
            Kind::Capsule { half_height: h, radius: r } => {
                let side = cylinder(rho, *h, *r);
                let m = rho * 4.0 / 3.0 * pi * r.powi(3);
                // two half balls, each with its centroid 3r/8 beyond the end of the segment
                let axial = 0.4 * m * r * r;
                let across = axial + m * (h * h + 0.75 * h * r);
                let i = side.inertia;
                MassProperties::diagonal(
                    side.mass + m,
                    zero,
                    i[(0, 0)] + across,
                    i[(1, 1)] + across,
                    i[(2, 2)] + axial,
                )
            }
            Kind::Cone { half_height: h, radius: r } => {
                let m = rho * pi * r * r * 2.0 * h / 3.0;
                let across = 3.0 / 20.0 * m * (r * r + h * h);
                MassProperties::diagonal(m, Vec3::new(0.0, 0.0, -0.5 * h), across, across, 0.3 * m * r * r)
            }
            Kind::Convex(solid) => of_surface(&solid.polytope.vertices, &solid.polytope.triangles(), rho),
            Kind::Mesh(mesh) => {
                if !mesh.closed {
                    return Err(ShapeError::Open { boundary: mesh.boundary, crowded: mesh.crowded });
                }
                of_surface(&mesh.vertices, &mesh.triangles, rho)
            }
            Kind::Compound(parts) => {
                let mut sum: Option<MassProperties> = None;
                for (pose, shape) in parts.iter() {
                    let part = shape.mass_properties(rho)?.moved(pose);
                    sum = Some(sum.map_or(part, |s| s.joined(&part)));
                }
                sum.expect("a compound has at least one part")
            }
            Kind::Plane | Kind::Heightfield(_) => return Err(ShapeError::NoVolume { shape: self.name() }),
        })
    }
}

fn cylinder(rho: f64, h: f64, r: f64) -> MassProperties {
    let m = rho * std::f64::consts::PI * r * r * 2.0 * h;
    let across = m * (r * r / 4.0 + h * h / 3.0);
    MassProperties::diagonal(m, Vec3::zeros(), across, across, 0.5 * m * r * r)
}

/// The solid inside a closed, outward-oriented triangle surface.
pub(crate) fn of_surface(vertices: &[Vec3], triangles: &[[u32; 3]], rho: f64) -> MassProperties {
    let origin = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
    let mut volume6 = 0.0;
    let mut first24 = Vec3::zeros();
    let mut second120 = Matrix3::zeros();
    for t in triangles {
        let [a, b, c] = t.map(|i| vertices[i as usize] - origin);
        // six times the signed volume of the tetrahedron (0, a, b, c)
        let det = a.dot(&b.cross(&c));
        let s = a + b + c;
        volume6 += det;
        first24 += s * det;
        second120 += (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose()) * det;
    }
    let mass = rho * volume6 / 6.0;
    let center = first24 / (4.0 * volume6);
    // integral of x x^T over the solid, then about the centre, then tr(C) 1 - C
    let c = second120 * (rho / 120.0) - center * center.transpose() * mass;
    MassProperties { mass, center: center + origin, inertia: Matrix3::identity() * c.trace() - c }
}
