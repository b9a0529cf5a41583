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

use super::heightfield::Heightfield;
use super::query::{Feature, nearest_on_triangle};
use super::{NONE, TriMesh};
use crate::aabb::Aabb;
use crate::axis;
use crate::contact::{Raw, features, mix};
use crate::convex::{Convex, Core};
use crate::faces;
use crate::gjk::Cores;
use crate::manifold::{self, Local};
use crate::polytope::Polytope;
use crate::rigid::{Rigid, Vec3};
use crate::separation::Axis;
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
        let face = self.mesh.normal_at(s.feature).try_normalize(1e-300)?;
        let n = (s.point - p).try_normalize(1e-300).filter(|n| n.dot(&face) > 0.0).unwrap_or(face);
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
    stack: &mut Stack,
    scratch: &mut Scratch,
    out: &mut Vec<Raw>,
) {
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
        for i in 0..scratch.found.len() {
            let t = scratch.found[i];
            triangle(a, &x, b, t, margin, stack, scratch, &mut last_resort, out);
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
                    patch: crate::error::count(out.len()),
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

/// Whether contact off the face's normal is possible there at all.
fn stands_out(mesh: &TriMesh, feature: Feature) -> bool {
    match feature {
        Feature::Face(_) => false,
        Feature::Edge(e) => mesh.edges[e as usize].ridge,
        Feature::Vertex(v) => mesh.sharp[v as usize],
    }
}

/// The region of a triangle (as `nearest_on_triangle` numbers them) a point on it belongs to, corners and
/// edges taken `tol` metres wide.
fn region_near(q: &Vec3, c: &[Vec3; 3], tol: f64) -> u8 {
    for (k, region) in [(0, 4), (1, 5), (2, 6)] {
        if (q - c[k]).norm() <= tol {
            return region;
        }
    }
    for (k, region) in [(0, 1), (1, 2), (2, 3)] {
        let e = (c[(k + 1) % 3] - c[k]).normalize();
        if (q - c[k]).cross(&e).norm() <= tol {
            return region;
        }
    }
    0
}

fn triangle(
    a: &Convex<'_>,
    x: &Rigid,
    b: Ground<'_>,
    t: u32,
    margin: f64,
    stack: &mut Stack,
    scratch: &mut Scratch,
    last_resort: &mut Option<(f64, u32)>,
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
    let face_axis = Axis { n, s: front, witness: None };
    manifold::overlap(&cores, &n, core_margin, manifold_scratch, points);
    let mut axis = face_axis;
    if !faces::attained(&cores, &face_axis, points) {
        let best = faces::best_face(&cores, core_margin, None, &mut Vec::new());
        let Some(best) = axis::search(&cores, best, None, None, core_margin, axis_scratch) else { return };
        if best.s > core_margin {
            return;
        }
        if best.s <= 0.0
            && (points.is_empty() || best.n.dot(&n) < 0.0)
            && last_resort.is_none_or(|l| front > l.0)
        {
            *last_resort = Some((front, t));
        }
        let (p, q) = faces::facing_points(&cores, &best);
        let feature = mesh.feature(t, region_near(&x.point(&q), &corners, 1e-7 * size));
        let border = matches!(feature, Feature::Edge(e) if mesh.edges[e as usize].triangles[1] == NONE);
        // sine: the axis is good to 1e-9 or so; a border has no neighbour to take over
        let outwards = best.n.dot(&n) > -1e-9 || !b.solid();
        if outwards && (border || stands_out(mesh, feature) && faces(mesh, feature, &x.dir(&best.n), 1e-6)) {
            // over an edge or a corner, and the surface falls away from it on all sides
            axis = best;
            points.clear();
            let tol = 1e-9 * size;
            manifold::overlap(&cores, &best.n, core_margin, manifold_scratch, points);
            points.retain(|l| best.n.dot(&(l.a - l.b)) >= best.s - tol);
            if !points.iter().any(|l| best.n.dot(&(l.a - l.b)) <= best.s + 0.01 * tol) {
                let (middle, half) = ((p + q) * 0.5, best.n * (0.5 * best.s));
                points.push(Local {
                    a: middle + half,
                    b: middle - half,
                    feature_a: 1 << 27,
                    feature_b: feature.number(),
                });
            }
        } else if best.s <= 0.0 && best.n.dot(&n) < -0.5 && b.solid() {
            // sunk behind the triangle: some other one's, or the last resort
            return;
        }
        // otherwise what lies over the triangle is held by its face: the shape's own way past a lone
        // triangle leads into its neighbour. Apart from it, what lies behind its plane counts if it is in
        // the solid: a rim may dip under a triangle that the shape does not touch
        let whole = a.radius - axis.s;
        points.retain(|l| {
            let depth = -axis.n.dot(&(l.a - l.b));
            if depth <= 1e-9 * size - best.s.max(0.0) {
                return true;
            }
            let p = x.point(&l.a);
            (best.s <= 0.0 || b.solid() && b.reaches(&p, 1e-9 * size, stack))
                && !leaves_sooner(a, x, b, &p, depth, whole, 1e-9 * size, stack)
        });
    }
    for l in points.iter() {
        let key = mix(features(l.feature_a, l.feature_b), u64::from(t));
        let mut raw = Raw::between(&(l.a - axis.n * a.radius), &l.b, axis.n, key, 0);
        // never deeper than the axis: a point taken to be on a border may lie beyond it
        raw.gap = raw.gap.max(axis.s - a.radius);
        if raw.gap <= margin {
            out.push(raw.moved(x));
        }
    }
}

/// Whether the surface nearest the point p, `depth` below a face, is left by the whole shape sooner than that face:
/// then it holds the shape there, and the face, on the far side of the solid, does not. `whole` is how deep the shape
/// lies below the face.
fn leaves_sooner(
    a: &Convex<'_>,
    x: &Rigid,
    b: Ground<'_>,
    p: &Vec3,
    depth: f64,
    whole: f64,
    tol: f64,
    stack: &mut Stack,
) -> bool {
    if !b.mesh.closed {
        return false;
    }
    let Some(s) = b.mesh.nearest(p, 0.5 * depth, stack) else { return false };
    // a corner of an overlap often lies on an edge of the mesh: all triangles as near as the nearest are asked
    let near = s.distance_squared.sqrt() + tol;
    let mut sooner = false;
    b.mesh.tree.query(&Aabb::around(*p, Vec3::repeat(near)), stack, |t| {
        let (q, _) = nearest_on_triangle(p, &b.mesh.corners(t));
        let m = b.mesh.normals[t as usize];
        let low = x.point(&a.core.support(&x.inv_dir(&-m))) - m * a.radius;
        sooner |= (q - p).norm() <= near && m.dot(&(q - low)) < 0.5 * whole;
    });
    sooner
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
