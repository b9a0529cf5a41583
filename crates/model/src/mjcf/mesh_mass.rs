//! Volume, centre and moments of a mesh, by one of the format's three ways to fill its triangles.

use gudgeon_collide::MassProperties;
use gudgeon_spatial::{Matrix3, Vector3};

use crate::meshes::RawMesh;
use crate::tolerances::FLAT;

/// What the triangles of a mesh stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filling {
    /// Every tetrahedron adds, as the format's default has it, which makes sense of triangles that do not agree in direction.
    Legacy,
    /// Tetrahedra with their signs, so that hollows count; then the point does not matter.
    Signed,
    /// The surface alone, of unit mass for its area.
    Shell,
}

/// Mass properties at unit density of the tetrahedra that the triangles span with one point: first their centre of area,
/// which gives the centre of mass, then that centre, which gives volume and moments.
pub(super) fn properties(mesh: &RawMesh, filling: Filling) -> Option<MassProperties> {
    let corners = |t: &[u32; 3]| t.map(|i| mesh.vertices[i as usize]);
    let (mut area, mut middle) = (0.0, Vector3::zeros());
    for t in &mesh.triangles {
        let [a, b, c] = corners(t);
        let twice = (b - a).cross(&(c - a)).norm();
        area += twice;
        middle += (a + b + c) * (twice / 3.0);
    }
    if area <= 0.0 {
        return None;
    }
    if filling == Filling::Shell {
        return Some(shell(mesh, 0.5 * area, middle / area));
    }
    let moments = |from: &Vector3<f64>| {
        let (mut volume6, mut first24, mut second120) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for t in &mesh.triangles {
            let [a, b, c] = corners(t).map(|p| p - from);
            let det = a.dot(&b.cross(&c));
            let det = if filling == Filling::Signed { det } else { det.abs() };
            let sum = a + b + c;
            volume6 += det;
            first24 += sum * det;
            second120 +=
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) * det;
        }
        (volume6, first24, second120)
    };
    let middle = middle / area;
    let (volume6, first24, _) = moments(&middle);
    if volume6.abs() < FLAT {
        return None;
    }
    let center = middle + first24 / (4.0 * volume6);
    let (volume6, _, second120) = moments(&center);
    // triangles that face inwards make everything negative alike
    let sign = volume6.signum();
    let c = second120 * (sign / 120.0);
    Some(MassProperties { mass: volume6.abs() / 6.0, center, inertia: Matrix3::identity() * c.trace() - c })
}

/// A surface of unit mass for its area, about its centre: ∫ x xᵀ dA of a triangle is area/12 (Σ p pᵀ + s sᵀ), s = Σ p.
fn shell(mesh: &RawMesh, area: f64, center: Vector3<f64>) -> MassProperties {
    let mut second = Matrix3::zeros();
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|i| mesh.vertices[i as usize] - center);
        let sum = a + b + c;
        let part = 0.5 * (b - a).cross(&(c - a)).norm() / 12.0;
        second += (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) * part;
    }
    MassProperties { mass: area, center, inertia: Matrix3::identity() * second.trace() - second }
}
