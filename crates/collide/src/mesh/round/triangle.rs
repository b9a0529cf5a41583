//! A capsule, cylinder, cone or ellipsoid against one triangle: along its normal, or over an edge or a corner that stands out.

use super::{AXIS, Ground, RoundScratch, in_cone};
use crate::aabb::Aabb;
use crate::axis;
use crate::contact::{Raw, features, mix};
use crate::convex::{Convex, Core};
use crate::faces;
use crate::gjk::Cores;
use crate::manifold::{self, Local};
use crate::mesh::query::{Feature, nearest_on_triangle};
use crate::mesh::{NONE, TriMesh};
use crate::rigid::{Rigid, Vec3};
use crate::separation::Axis;
use crate::tree::Stack;

/// Of the size: how far from it a point still counts as on it.
const ON: f64 = 1e-9;
/// Of the size: how wide edges and corners of a triangle are taken, for a point that an axis search found.
const WIDE: f64 = 1e-7;
/// Sine: how far out of the cone of an edge or a corner an axis may lie and still count.
const CONE: f64 = 1e-6;

/// A round shape and the surface it may touch.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub a: &'a Convex<'a>,
    /// a's frame to b's.
    pub x: &'a Rigid,
    pub b: Ground<'a>,
    /// Between surfaces, metres.
    pub margin: f64,
}

/// A shape over one triangle.
struct Over<'a> {
    round: Round<'a>,
    t: u32,
    corners: [Vec3; 3],
    cores: Cores<'a>,
    /// Between cores, metres.
    margin: f64,
    /// Along the triangle's normal, a's frame.
    face: Axis,
}

impl Round<'_> {
    /// Contacts of a with triangle `t` of b into `out`, b's frame. `last_resort` is the triangle nearest to being passed, and by how much.
    pub(super) fn on_triangle(
        &self,
        t: u32,
        stack: &mut Stack,
        scratch: &mut RoundScratch,
        last_resort: &mut Option<(f64, u32)>,
        out: &mut Vec<Raw>,
    ) {
        let Self { a, x, b, margin } = *self;
        let mesh = b.mesh;
        let corners = mesh.corners(t);
        let mut face = mesh.normals[t as usize];
        // an open surface is met from the side the shape is on
        if !b.solid() && face.dot(&(x.t - corners[0])) < 0.0 {
            face = -face;
        }
        let RoundScratch { triangle, axis: axis_scratch, manifold: manifold_scratch, points, .. } = scratch;
        triangle.set_triangle(corners, mesh.normals[t as usize]);
        let mesh_to_shape = x.inverse();
        let size = a.core.size()
            + triangle
                .edges
                .iter()
                .map(|e| {
                    (triangle.vertices[e.ends[1] as usize] - triangle.vertices[e.ends[0] as usize]).norm()
                })
                .fold(0.0, f64::max);
        let cores = Cores { a: a.core, b: Core::Poly(triangle), x: mesh_to_shape, size };
        let core_margin = margin + a.radius;
        let n = x.inv_dir(&face);
        let front = cores.separation(&n);
        if front > core_margin || (b.solid() && cores.separation(&-n) > a.radius) {
            return;
        }
        points.clear();
        let face = Axis { n, s: front, witness: None };
        manifold::overlap(&cores, &n, core_margin, manifold_scratch, points);
        let mut axis = face;
        if !faces::attained(&cores, &face, points) {
            let over = Over { round: *self, t, corners, cores, margin: core_margin, face };
            let best = faces::best_face(&cores, core_margin, None, &mut Vec::new());
            let Some(best) = axis::search(&cores, best, None, None, core_margin, axis_scratch) else {
                return;
            };
            let Some(found) = over.beside(&best, last_resort, manifold_scratch, points) else { return };
            axis = found;
            over.keep_held(&best, &axis, points, stack);
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
    fn leaves_sooner(&self, p: &Vec3, depth: f64, whole: f64, tol: f64, stack: &mut Stack) -> bool {
        let Self { a, x, b, .. } = *self;
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
}

impl Over<'_> {
    /// The axis of contact where the face is not what the shape touches first: `best`, between the two, over an edge or a corner
    /// that stands out, with `points` found anew; else the face's. None if there is no contact here.
    fn beside(
        &self,
        best: &Axis,
        last_resort: &mut Option<(f64, u32)>,
        scratch: &mut manifold::ClipScratch,
        points: &mut Vec<Local>,
    ) -> Option<Axis> {
        let Self { round: Round { x, b, .. }, cores, face: Axis { n, s: front, .. }, .. } = self;
        let mesh = b.mesh;
        if best.s > self.margin {
            return None;
        }
        if best.s <= 0.0
            && (points.is_empty() || best.n.dot(n) < 0.0)
            && last_resort.is_none_or(|l| *front > l.0)
        {
            *last_resort = Some((*front, self.t));
        }
        let ends = faces::facing_points(cores, best);
        let feature = mesh.feature(self.t, region_near(&x.point(&ends.1), &self.corners, WIDE * cores.size));
        let border = matches!(feature, Feature::Edge(e) if mesh.edges[e as usize].triangles[1] == NONE);
        // a border has no neighbour to take over
        let outwards = best.n.dot(n) > -AXIS || !b.solid();
        if outwards && (border || stands_out(mesh, feature) && in_cone(mesh, feature, &x.dir(&best.n), CONE))
        {
            // over an edge or a corner, and the surface falls away from it on all sides
            self.touch_along(best, ends, feature, scratch, points);
            return Some(*best);
        }
        if best.s <= 0.0 && best.n.dot(n) < -0.5 && b.solid() {
            // sunk behind the triangle: some other one's, or the last resort
            return None;
        }
        Some(self.face)
    }

    /// The points along an axis over an edge or a corner; `ends` are the nearest ones.
    fn touch_along(
        &self,
        best: &Axis,
        (p, q): (Vec3, Vec3),
        feature: Feature,
        scratch: &mut manifold::ClipScratch,
        points: &mut Vec<Local>,
    ) {
        points.clear();
        let tol = ON * self.cores.size;
        manifold::overlap(&self.cores, &best.n, self.margin, scratch, points);
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
    }

    /// What lies over the triangle is held by its face: the shape's own way past a lone triangle leads into its neighbour. Apart
    /// from it, what lies behind its plane counts if it is in the solid: a rim may dip under a triangle that the shape does not
    /// touch.
    fn keep_held(&self, best: &Axis, axis: &Axis, points: &mut Vec<Local>, stack: &mut Stack) {
        let Round { a, x, b, .. } = self.round;
        let tol = ON * self.cores.size;
        let whole = a.radius - axis.s;
        points.retain(|l| {
            let depth = -axis.n.dot(&(l.a - l.b));
            if depth <= tol - best.s.max(0.0) {
                return true;
            }
            let p = x.point(&l.a);
            (best.s <= 0.0 || b.solid() && b.reaches(&p, tol, stack))
                && !self.round.leaves_sooner(&p, depth, whole, tol, stack)
        });
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
