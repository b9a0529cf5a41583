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

use super::query::{Feature, SurfacePoint, nearest_on_triangle};
use super::{NONE, TriMesh};
use crate::aabb::Aabb;
use crate::axis;
use crate::contact::{Raw, features};
use crate::convex::{Convex, Core};
use crate::gjk::Cores;
use crate::heightfield::Heightfield;
use crate::manifold::{self, Local};
use crate::polytope::Polytope;
use crate::rigid::{Rigid, Vec3};
use crate::tree::Stack;

#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    triangle: Polytope,
    found: Vec<u32>,
    axis: axis::Scratch,
    manifold: manifold::Scratch,
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
}

/// Contacts of the round shape a with the surface b, world axes, normals from b into a.
pub(crate) fn contacts(
    a: &Convex<'_>,
    xa: &Rigid,
    b: Ground<'_>,
    xb: &Rigid,
    margin: f64,
    stack: &mut Stack,
    scratch: &mut Scratch,
    out: &mut Vec<Raw>,
) {
    // b's frame
    let x = xb.relative(xa);
    let first = out.len();
    let reach = margin + a.radius;
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
    if matches!(a.core, Core::Point) {
        if !inside {
            ball(a, &x.t, b.mesh, reach, margin, scratch, out);
        }
    } else {
        for i in 0..scratch.found.len() {
            let t = scratch.found[i];
            triangle(a, &x, b, t, margin, scratch, out);
        }
    }
    if inside
        && out.len() == first
        && let Some(s) = b.mesh.nearest(&x.t, f64::INFINITY, stack)
    {
        escape(a, &x, b.mesh, &s, out);
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
    scratch: &mut Scratch,
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
        // metres relative to the radius: with its centre on the surface a ball has the surface's normal
        let n = if distance > 1e-12 * a.radius { d / distance } else { mesh.normals[t as usize] };
        if faces(mesh, feature, &n, 1e-9) {
            scratch.seen.push(feature.number());
            let gap = distance - a.radius;
            if gap <= margin {
                let key = features(0, feature.number());
                out.push(Raw {
                    point: q + n * (0.5 * gap),
                    normal: n,
                    gap,
                    key,
                    patch: crate::polytope::count(out.len()),
                });
            }
        }
    }
}

fn faces(mesh: &TriMesh, feature: Feature, n: &Vec3, slack: f64) -> bool {
    match feature {
        Feature::Face(_) => true,
        Feature::Edge(e) => mesh.edge_faces(e, n, slack),
        Feature::Vertex(v) => mesh.vertex_faces(v, n, slack),
    }
}

fn triangle(
    a: &Convex<'_>,
    x: &Rigid,
    b: Ground<'_>,
    t: u32,
    margin: f64,
    scratch: &mut Scratch,
    out: &mut Vec<Raw>,
) {
    let mesh = b.mesh;
    let corners = mesh.corners(t);
    let mut face = mesh.normals[t as usize];
    // an open surface is met from the side the shape is on
    if !b.solid() && face.dot(&(x.t - corners[0])) < 0.0 {
        face = -face;
    }
    let Scratch { triangle, axis: axis_scratch, manifold: manifold_scratch, points, .. } = scratch;
    triangle.set_triangle(corners, mesh.normals[t as usize]);
    let mesh_to_shape = x.inverse();
    let size = a.core.size()
        + triangle
            .edges
            .iter()
            .map(|e| (triangle.vertices[e.ends[1] as usize] - triangle.vertices[e.ends[0] as usize]).norm())
            .fold(0.0, f64::max);
    let cores = Cores { a: a.core, b: Core::Poly(triangle), x: mesh_to_shape, size };
    let core_margin = margin + a.radius;
    let n = x.inv_dir(&face);
    let front = cores.separation(&n);
    if front > core_margin || (b.solid() && cores.separation(&-n) > a.radius) {
        return;
    }
    points.clear();
    manifold::overlap(&cores, &n, core_margin, manifold_scratch, points);
    let mut push = |l: &Local, n: &Vec3, key: u64| {
        let raw = Raw::between(&(l.a - n * a.radius), &l.b, *n, key, 0);
        if raw.gap <= margin {
            out.push(raw.moved(x));
        }
    };
    // the deepest point of the shape over this face: the face's contact. Otherwise some other triangle's
    let tol = 1e-9 * size;
    if points.iter().any(|l| n.dot(&(l.a - l.b)) <= front + tol) || (front < 0.0 && !points.is_empty()) {
        for l in points.iter() {
            push(l, &n, features(l.feature_a, t | 1 << 31));
        }
        return;
    }
    let Some(best) = axis::search(&cores, None, core_margin, axis_scratch) else { return };
    if best.s > core_margin {
        return;
    }
    let (p, q) = best.witness.unwrap_or_else(|| cores.supports(&best.n));
    let on_mesh = x.point(&q);
    let (_, region) = nearest_on_triangle(&on_mesh, &corners);
    let feature = mesh.feature(t, region);
    let d = x.dir(&best.n);
    // sine: the witness is good to 1e-9 or so; a border has no neighbour to take over
    let open = matches!(feature, Feature::Edge(e) if mesh.edges[e as usize].triangles[1] == NONE);
    if feature != Feature::Face(t) && (open || faces(mesh, feature, &d, 1e-6)) {
        let middle = (p + q) * 0.5;
        let half = best.n * (0.5 * best.s);
        let l = Local { a: middle + half, b: middle - half, feature_a: 0, feature_b: 0 };
        push(&l, &best.n, features(1 << 27, feature.number()));
    }
}

fn escape(a: &Convex<'_>, x: &Rigid, mesh: &TriMesh, s: &SurfacePoint, out: &mut Vec<Raw>) {
    let face = mesh.pseudo_normal(s);
    let n = (s.point - x.t).try_normalize(1e-300).unwrap_or(face);
    let n = if n.dot(&face) < 0.0 { face.normalize() } else { n };
    let low = x.point(&a.core.support(&x.inv_dir(&-n))) - n * a.radius;
    let gap = n.dot(&(low - s.point));
    out.push(Raw {
        point: low - n * (0.5 * gap),
        normal: n,
        gap,
        key: features(1 << 26, s.feature.number()),
        patch: 0,
    });
}
