//! Whether the normal of a contact separates the two solids where it is: a check by other means than those that found it.
//!
//! A contact says that its points p_a and p_b lie on the two surfaces, and that n leads from b into a. By signed distances s, which the
//! nearest features and the way they look decide,
//! ```text
//!     of a:   s_a(p_a − e n) − s_a(p_a + e n)  =  2 e        of b:   s_b(p_b + e n) − s_b(p_b − e n)  =  2 e
//! ```
//! where both surfaces are smooth, and not below 0 at edges and corners; with −n in place of n −2 e, and −e where a side is along n. A
//! normal that both solids call inverted is. Debug builds ask this of every contact of two closed meshes, so all tests and campaigns do.

use super::TriMesh;
use crate::contact::Raw;
use crate::rigid::{Rigid, Vec3};
use crate::tree::Stack;

/// Of the smaller mesh: how far from the surface is looked. Well above rounding, and below what machine parts have of features.
const BESIDE: f64 = 1e-5;
/// Of the smaller mesh: overlaps deeper than this have no normal that is sure.
const SHALLOW: f64 = 1e-2;

/// Metres, negative inside.
fn signed(mesh: &TriMesh, p: &Vec3, stack: &mut Stack) -> f64 {
    let Some(s) = mesh.nearest(p, f64::INFINITY, stack) else { return f64::INFINITY };
    let away = p - s.point;
    away.norm() * mesh.normal_at(s.feature).dot(&away).signum()
}

/// Whether both solids say that a contact, world axes, points the wrong way.
pub(crate) fn is_inverted(
    [a, b]: [&TriMesh; 2],
    [xa, xb]: [&Rigid; 2],
    raw: &Raw,
    stack: &mut Stack,
) -> bool {
    let size = a.size.min(b.size);
    if !a.closed || !b.closed || raw.gap < -SHALLOW * size {
        return false;
    }
    let e = BESIDE * size;
    let mut rises = |mesh: &TriMesh, x: &Rigid, p: Vec3, outwards: Vec3| {
        let mut at = |p: Vec3| signed(mesh, &x.inv_point(&p), stack);
        at(p + outwards * e) - at(p - outwards * e)
    };
    let half = raw.normal * (0.5 * raw.gap);
    // metres: between what a right normal may have and what a wrong one has
    let least = -0.5 * e;
    rises(a, xa, raw.point + half, -raw.normal) < least && rises(b, xb, raw.point - half, raw.normal) < least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_turned_round_is_told_on_faces_edges_and_corners() {
        let corner = |i: usize| Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        let vertices: Vec<Vec3> = (0..8).map(corner).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let (cube, report) = TriMesh::new(&vertices, &triangles).expect("a cube");
        assert!(report.closed);
        let mut stack = Stack::default();
        // a above b by a gap, in touch, or a little in it: face on face, edge across edge, corner on face
        for gap in [1e-4, 0.0, -1e-4] {
            for (place, turn) in [
                (Vec3::new(0.3, 0.2, 1.0 + gap), nalgebra::Rotation3::identity()),
                (Vec3::new(0.9, 0.9, 1.0 + gap), nalgebra::Rotation3::from_euler_angles(0.0, 0.0, 0.4)),
                (Vec3::new(0.5, 0.5, 1.0 + gap), nalgebra::Rotation3::from_euler_angles(0.6, -0.5, 0.0)),
            ] {
                let lowest = vertices.iter().map(|v| (turn * v).z).fold(f64::INFINITY, f64::min);
                let xa = Rigid { r: *turn.matrix(), t: place - Vec3::z() * lowest };
                let xb = Rigid::at(Vec3::zeros());
                let mut found = Vec::new();
                super::super::contacts(
                    &cube,
                    &xa,
                    &cube,
                    &xb,
                    1e-3,
                    &mut super::super::MeshScratch::default(),
                    &mut found,
                );
                assert!(!found.is_empty(), "{gap} {place:?}");
                for raw in &found {
                    assert!(!is_inverted([&cube; 2], [&xa, &xb], raw, &mut stack), "{raw:?}");
                    let turned = Raw { normal: -raw.normal, gap: -raw.gap, ..*raw };
                    assert!(is_inverted([&cube; 2], [&xa, &xb], &turned, &mut stack), "{turned:?}");
                }
            }
        }
    }
}
