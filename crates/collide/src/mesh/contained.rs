//! One mesh swallowed by another, so that they do not cut at all.
//!
//! Stated approximation: a piece wholly inside the other mesh gets one contact, along the way out of its
//! nearest surface point, as deep as the separation of the two meshes' extents along it.

use super::TriMesh;
use crate::contact::{Raw, features};
use crate::rigid::{Rigid, Vec3};
use crate::tolerances::{NO_LENGTH, ON_SURFACE};
use crate::tree::Stack;

/// A piece of one mesh inside the other, without any contour.
pub(super) fn contained(a: &TriMesh, b: &TriMesh, x: &Rigid, stack: &mut Stack, out: &mut Vec<Raw>) {
    let back = x.inverse();
    let into_b = swallowed(a, &back, b, stack);
    let into_a = swallowed(b, x, a, stack);
    let n = if let Some(p) = into_b {
        let Some(s) = b.nearest(&p, f64::INFINITY, stack) else { return };
        x.dir(&b.normal_at(s.feature))
    } else if let Some(p) = into_a {
        let Some(s) = a.nearest(&p, f64::INFINITY, stack) else { return };
        -a.normal_at(s.feature)
    } else {
        return;
    };
    let Some(n) = n.try_normalize(NO_LENGTH) else { return };
    let low =
        a.vertices.iter().copied().min_by(|p, q| n.dot(p).total_cmp(&n.dot(q))).expect("a mesh has vertices");
    let high = b
        .vertices
        .iter()
        .map(|p| x.point(p))
        .max_by(|p, q| n.dot(p).total_cmp(&n.dot(q)))
        .expect("a mesh has vertices");
    let gap = n.dot(&(low - high));
    let key = features(1 << 28, 1 << 28);
    out.push(Raw { point: low - n * (0.5 * gap), normal: n, gap, key, patch: 0 });
}

/// A point of some piece of a mesh, moved by x, that is inside the other.
fn swallowed(mesh: &TriMesh, x: &Rigid, other: &TriMesh, stack: &mut Stack) -> Option<Vec3> {
    // metres: a point on the surface tells nothing
    let touching = ON_SURFACE * mesh.size.max(other.size);
    let moved = |v: u32| x.point(&mesh.vertices[v as usize]);
    let mut undecided = false;
    for p in mesh.pieces.iter().map(|&v| moved(v)) {
        if other.closed && other.nearest(&p, touching, stack).is_some() {
            undecided = true;
        } else if other.inside(&p, stack) {
            return Some(p);
        }
    }
    // then any vertex does, for what touches without being cut is on one side
    let all = 0..if undecided { crate::error::count(mesh.vertices.len()) } else { 0 };
    all.map(moved).find(|p| other.nearest(p, touching, stack).is_none() && other.inside(p, stack))
}
