//! Capsules, cylinders, cones, ellipsoids and balls against a mesh, triangle by triangle, exactly.
//!
//! A ball touches a surface where the direction from the nearest point to its centre lies in the normal
//! cone of the feature it is on. The others meet each triangle first along the triangle's own normal:
//! what lies over the triangle makes contact with its face. Only when nothing does is the general axis
//! between shape and triangle looked for, and it counts if it lies in the cone of the edge or corner it
//! touches: the cone test is what removes ghost contacts at inner edges.
//!
//! Stated approximation: with its centre inside a solid and no face contact, a shape gets one contact, the way
//! out of the surface point nearest its centre.

mod triangle;

use super::TriMesh;
use super::heightfield::Heightfield;
use super::query::{Feature, nearest_on_triangle};
use crate::aabb::Aabb;
use crate::axis;
use crate::contact::{Raw, features};
use crate::convex::{Convex, Core};
use crate::manifold::{self, Local};
use crate::polytope::Polytope;
use crate::rigid::{Rigid, Vec3};
use crate::tolerances::NO_LENGTH;
use crate::tree::Stack;
use triangle::Round;

/// Sine: directions are good to this.
const AXIS: f64 = 1e-9;
/// Of the radius: with its centre this near the surface a ball has the surface's normal.
const AT_SURFACE: f64 = 1e-12;

#[derive(Debug, Clone, Default)]
pub(crate) struct RoundScratch {
    triangle: Polytope,
    found: Vec<u32>,
    axis: axis::AxisScratch,
    manifold: manifold::ClipScratch,
    points: Vec<Local>,
    seen: Vec<u32>,
}

/// A surface to be touched from outside, and how to tell inside from outside.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub mesh: &'a TriMesh,
    pub field: Option<&'a Heightfield>,
}

impl Ground<'_> {
    fn solid(&self) -> bool {
        self.mesh.closed || self.field.is_some()
    }

    fn inside(&self, p: &Vec3, stack: &mut Stack) -> bool {
        self.field.map_or_else(|| self.mesh.inside(p, stack), |f| f.below(p))
    }

    /// Whether a point is inside or within `tol` of the surface.
    fn reaches(&self, p: &Vec3, tol: f64, stack: &mut Stack) -> bool {
        self.inside(p, stack) || self.mesh.nearest(p, tol, stack).is_some()
    }

    /// From a point inside: the surface point to leave by and the unit direction. A heightfield is left
    /// upwards, not through the side it does not have.
    fn way_out(&self, p: &Vec3, stack: &mut Stack) -> Option<(Vec3, Vec3)> {
        if let Some((z, n)) = self.field.and_then(|f| f.surface(p.x, p.y)) {
            return Some((Vec3::new(p.x, p.y, z), n));
        }
        let s = self.mesh.nearest(p, f64::INFINITY, stack)?;
        let face = self.mesh.normal_at(s.feature).try_normalize(NO_LENGTH)?;
        let n = (s.point - p).try_normalize(NO_LENGTH).filter(|n| n.dot(&face) > 0.0).unwrap_or(face);
        Some((s.point, n))
    }
}

/// Contacts of the round shape a with the surface b, world axes, normals from b into a.
pub(crate) fn contacts(
    a: &Convex<'_>,
    xa: &Rigid,
    b: Ground<'_>,
    xb: &Rigid,
    margin: f64,
    memory: &mut super::contact::MeshScratch,
    out: &mut Vec<Raw>,
) {
    let super::contact::MeshScratch { stack, round: scratch, .. } = memory;
    // b's frame
    let x = xb.relative(xa);
    let first = out.len();
    let reach = margin + a.radius;
    if let (Core::Point, Some(swept)) = (a.core, b.mesh.swept.as_deref())
        && super::swept::ball(swept, &x.t, a.radius, margin, out)
    {
        out[first..].iter_mut().for_each(|raw| *raw = raw.moved(xb));
        return;
    }
    let extent = Vec3::from_fn(|k, _| {
        let mut e = Vec3::zeros();
        e[k] = 1.0;
        let e = x.inv_dir(&e);
        a.core.support(&e).dot(&e).max(a.core.support(&-e).dot(&-e))
    });
    let around = Aabb::around(x.t, extent + Vec3::repeat(reach));
    scratch.found.clear();
    let found = &mut scratch.found;
    b.mesh.tree.query(&around, stack, |t| found.push(t));
    found.sort_unstable();
    let inside = b.solid() && b.inside(&x.t, stack);
    let mut last_resort = None;
    if matches!(a.core, Core::Point) {
        if !inside {
            ball(a, &x.t, b.mesh, reach, margin, scratch, out);
        }
    } else {
        let shape = Round { a, x: &x, b, margin };
        for i in 0..scratch.found.len() {
            let t = scratch.found[i];
            shape.on_triangle(t, stack, scratch, &mut last_resort, out);
        }
    }
    // sunk in so far that no face holds it: out by the way nearest its centre, or by the face nearest to passing
    if out[first..].iter().all(|r| r.gap >= 0.0) {
        if inside && let Some((at, n)) = b.way_out(&x.t, stack) {
            out.truncate(first);
            escape(a, &x, &at, &n, out);
        } else if let Some((_, t)) = last_resort {
            out.truncate(first);
            escape(a, &x, &b.mesh.corners(t)[0], &b.mesh.normals[t as usize], out);
        }
    }
    for raw in &mut out[first..] {
        *raw = raw.moved(xb);
    }
}

fn ball(
    a: &Convex<'_>,
    c: &Vec3,
    mesh: &TriMesh,
    reach: f64,
    margin: f64,
    scratch: &mut RoundScratch,
    out: &mut Vec<Raw>,
) {
    scratch.seen.clear();
    for &t in &scratch.found {
        let (q, region) = nearest_on_triangle(c, &mesh.corners(t));
        let d = c - q;
        let distance = d.norm();
        let feature = mesh.feature(t, region);
        if distance > reach || scratch.seen.contains(&feature.number()) {
            continue;
        }
        let n = if distance > AT_SURFACE * a.radius { d / distance } else { mesh.normals[t as usize] };
        if in_cone(mesh, feature, &n, AXIS) {
            scratch.seen.push(feature.number());
            let gap = distance - a.radius;
            if gap <= margin {
                let key = features(0, feature.number());
                out.push(Raw {
                    point: q + n * (0.5 * gap),
                    normal: n,
                    gap,
                    key,
                    patch: crate::error::count(out.len()),
                });
            }
        }
    }
}

/// Whether a direction lies in the normal cone of a feature.
fn in_cone(mesh: &TriMesh, feature: Feature, n: &Vec3, slack: f64) -> bool {
    match feature {
        Feature::Face(_) => true,
        Feature::Edge(e) => mesh.edge_faces(e, n, slack),
        Feature::Vertex(v) => mesh.vertex_faces(v, n, slack),
    }
}

fn escape(a: &Convex<'_>, x: &Rigid, at: &Vec3, n: &Vec3, out: &mut Vec<Raw>) {
    let low = x.point(&a.core.support(&x.inv_dir(&-n))) - n * a.radius;
    let gap = n.dot(&(low - at));
    out.push(Raw {
        point: low - n * (0.5 * gap),
        normal: *n,
        gap,
        key: features(1 << 26, 1 << 26),
        patch: 0,
    });
}
