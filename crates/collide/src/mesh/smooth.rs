//! The contact normal of two surfaces that stand for smooth ones.
//!
//! A shallow overlap of two tessellated surfaces cuts one or two facets, and facets lean from the surface they stand for
//! by up to half their bend: the area vector of the contour is right for the facets and wrong for the torus.
//! Where both meshes are declared smooth, the normals at their vertices are interpolated over the facets, and
//! the contact of the smooth surfaces is where the two normals oppose each other: with the slopes a and b of the outward
//! normals across n, scaled to
//! ```text
//!     -n + a   on a,      n + b   on b,
//! ```
//! two equations a(x) + b(x) = 0 in the two coordinates x across n. Newton's method starts at the contour's
//! centre c; its derivative is the sum of the two surfaces' curvatures, linear in x on every facet. Along a direction in which the
//! curvatures nearly cancel (tubes that cross at 60 degrees) the equations hardly tell the place, and a small error of
//! the normals moves it far; so what is made least is
//! ```text
//!     |a(x) + b(x)|^2 + pull^2 |x - c|^2.
//! ```
//!
//! Where there is no curvature at all (flat on flat), where a vertex lies on a
//! crease, or where the contour spans so many facets that its area vector knows better, there is no answer.

use nalgebra::Matrix3;

use super::{NONE, TriMesh};
use crate::rigid::{Rigid, Vec3, norm2, tangents};
use crate::tree::Stack;

/// Edges across: up to the first number a contour has too few facets for its area vector to average over, from the
/// second on it has enough.
const WIDTHS: (f64, f64) = (2.0, 4.0);
/// How much the place is held to the contour's centre, relative to the greater of the two relative curvatures, for contours up to the first
/// of the widths: below 1 / 200 of it a curvature says less about the place than the centre does. Longer contours have
/// a better centre. Chosen on six seeds of interlocked rings and read on others.
const PULL: f64 = 0.005;
/// Radians: normals that oppose each other less well than this belong to no smooth contact.
const OPPOSED: f64 = 0.05;
/// Radians: a smooth normal farther than this from the contour's is not the same contact.
const LEAN: f64 = 0.6;

impl TriMesh {
    /// Declares the surface smooth wherever it bends by less than `crease` radians across an edge: normals of
    /// shallow contacts between smooth surfaces are then those of the surfaces the facets stand for. Faces that are
    /// meant to be flat, as a prism's, must bend by more than that, or not be declared smooth.
    pub fn smooth(mut self, crease: f64) -> Self {
        let bent = |e: u32| {
            let [s, t] = self.edges[e as usize].triangles;
            t == NONE || self.normals[s as usize].dot(&self.normals[t as usize]) < crease.cos()
        };
        let normal = |v: u32| {
            if self.edges_of(v).iter().any(|&e| bent(e)) {
                return Vec3::zeros();
            }
            self.vertex_normal(v).try_normalize(1e-300).unwrap_or_else(Vec3::zeros)
        };
        self.smooth = (0..crate::polytope::count(self.vertices.len())).map(normal).collect();
        self
    }

    /// The facet in line with p along n that looks along `n` (`side` = 1) or against it (-1), and the point on it.
    fn in_line(&self, p: &Vec3, n: &Vec3, side: f64, reach: f64, stack: &mut Stack) -> Option<(Vec3, u32)> {
        let hit = |d: Vec3, stack: &mut Stack| self.ray(p, &d, reach, stack).map(|(t, k)| (t, p + d * t, k));
        let hits = [hit(*n, stack), hit(-n, stack)];
        let facing = |h: &(f64, Vec3, u32)| self.normals[h.2 as usize].dot(n) * side > 0.0;
        let nearest = hits.into_iter().flatten().filter(facing).min_by(|g, h| g.0.total_cmp(&h.0));
        nearest.map(|(_, q, t)| (q, t))
    }

    /// Interpolated normal and its change per metre along t1 and t2, for motion across n, at a point of a facet.
    fn smooth_normal(&self, (q, t): (Vec3, u32), n: &Vec3, t1: &Vec3, t2: &Vec3) -> Option<[Vec3; 3]> {
        let [i, j, k] = self.triangles[t as usize].map(|v| v as usize);
        let face = self.normals[t as usize];
        let (p, u, v) =
            (self.vertices[i], self.vertices[j] - self.vertices[i], self.vertices[k] - self.vertices[i]);
        let (ni, nj, nk) = (self.smooth[i], self.smooth[j], self.smooth[k]);
        let facing = face.dot(n);
        if ni == Vec3::zeros() || nj == Vec3::zeros() || nk == Vec3::zeros() || facing.abs() < 0.2 {
            return None;
        }
        // barycentric coordinates of a vector in the facet's plane
        let area = face.dot(&u.cross(&v));
        let change = |d: &Vec3| {
            let (y, z) = (face.dot(&d.cross(&v)) / area, face.dot(&u.cross(d)) / area);
            (nj - ni) * y + (nk - ni) * z
        };
        let along = |t: &Vec3| change(&(t - n * (face.dot(t) / facing)));
        Some([ni + change(&(q - p)), along(t1), along(t2)])
    }
}

/// Slope of the normal `w` across n, scaled to one along n, and the derivatives of it.
fn slopes([w, w1, w2]: &[Vec3; 3], n: &Vec3, t1: &Vec3, t2: &Vec3) -> [[f64; 2]; 3] {
    let (x, y, z) = (w.dot(t1), w.dot(t2), w.dot(n));
    let change =
        |d: &Vec3| [(d.dot(t1) * z - x * d.dot(n)) / (z * z), (d.dot(t2) * z - y * d.dot(n)) / (z * z)];
    [[x / z, y / z], change(w1), change(w2)]
}

/// The normal of the smooth contact near a contour with the normal n, in a's frame. `spread` is the mean of
/// d dᵀ over the contour, d from its centre: the longer the contour, the more facets its area vector averages over, and
/// the worse the place of the contact is determined along it.
pub(crate) fn normal(
    a: &TriMesh,
    b: &TriMesh,
    x: &Rigid,
    center: &Vec3,
    n: &Vec3,
    spread: &Matrix3<f64>,
    stack: &mut Stack,
) -> Option<Vec3> {
    if a.smooth.is_empty() || b.smooth.is_empty() {
        return None;
    }
    let on_a = a.nearest(center, f64::INFINITY, stack)?;
    let on_b = b.nearest(&x.inv_point(center), f64::INFINITY, stack)?;
    let edge = a.edge_length(on_a.triangle).min(b.edge_length(on_b.triangle));
    let (t1, t2) = tangents(n);
    let (xx, xy, yy) = (t1.dot(&(spread * t1)), t1.dot(&(spread * t2)), t2.dot(&(spread * t2)));
    // an ellipse with the semi-axis r has the spread r^2 / 2 along it
    let longest = 0.5 * (xx + yy) + norm2(0.5 * (xx - yy), xy);
    let width = 2.0 * (2.0 * longest).sqrt() / edge;
    let weight = ((WIDTHS.1 - width) / (WIDTHS.1 - WIDTHS.0)).clamp(0.0, 1.0);
    if weight == 0.0 {
        return None;
    }
    let pull = PULL * (width / WIDTHS.0).max(1.0);
    // seen along a normal that leans, the two surfaces are shifted against each other: once more along the better one
    let (mut at, mut smooth) = (*center, *n);
    for _ in 0..4 {
        let last = smooth;
        (at, smooth) = opposed(a, b, x, &at, (center, pull), &last, edge, stack)?;
        if (smooth - last).norm() < 1e-4 {
            break;
        }
    }
    if smooth.dot(n) < LEAN.cos() {
        return None;
    }
    Some((smooth * weight + n * (1.0 - weight)).normalize())
}

/// From `at`, the place where the normals oppose each other, seen along n, and the normal there; `center` is where the
/// contour says it is.
fn opposed(
    a: &TriMesh,
    b: &TriMesh,
    x: &Rigid,
    at: &Vec3,
    (center, ratio): (&Vec3, f64),
    n: &Vec3,
    edge: f64,
    stack: &mut Stack,
) -> Option<(Vec3, Vec3)> {
    let (t1, t2) = tangents(n);
    let [bn, b1, b2] = [n, &t1, &t2].map(|v| x.inv_dir(v));
    let mut at = *at;
    let mut best: Option<(f64, f64, Vec3, Vec3)> = None;
    let mut step = Vec3::zeros();
    let mut pull = 0.0;
    for _ in 0..24 {
        let on_a = a.in_line(&at, n, -1.0, 3.0 * edge, stack)?;
        let on_b = b.in_line(&x.inv_point(&at), &bn, 1.0, 3.0 * edge, stack)?;
        let ga = slopes(&a.smooth_normal(on_a, n, &t1, &t2)?, n, &t1, &t2);
        let gb = slopes(&b.smooth_normal(on_b, &bn, &b1, &b2)?, &bn, &b1, &b2);
        // both are slopes of the direction from b into a, so they are to be equal
        let f = [gb[0][0] - ga[0][0], gb[0][1] - ga[0][1]];
        let away = [t1.dot(&(at - center)), t2.dot(&(at - center))];
        let j = |r: usize, c: usize| gb[1 + c][r] - ga[1 + c][r];
        if best.is_none() {
            // the greater relative curvature, once: the pull must not change on the way
            pull = ratio * (norm2(j(0, 0), j(1, 0)).max(norm2(j(0, 1), j(1, 1))));
        }
        let cost = f[0] * f[0] + f[1] * f[1] + pull * pull * (away[0] * away[0] + away[1] * away[1]);
        if let Some((least, _, from, _)) = best
            && cost >= least
        {
            // the derivative jumps from facet to facet: half the step
            step *= 0.5;
            at = from + step;
            continue;
        }
        let mean = [0.5 * (ga[0][0] + gb[0][0]), 0.5 * (ga[0][1] + gb[0][1])];
        best = Some((cost, norm2(f[0], f[1]), at, (n + t1 * mean[0] + t2 * mean[1]).normalize()));
        // least squares of f + J d and pull (away + d)
        let p2 = pull * pull;
        let g =
            [j(0, 0) * f[0] + j(1, 0) * f[1] + p2 * away[0], j(0, 1) * f[0] + j(1, 1) * f[1] + p2 * away[1]];
        let (xx, xy, yy) = (
            j(0, 0) * j(0, 0) + j(1, 0) * j(1, 0) + p2,
            j(0, 0) * j(0, 1) + j(1, 0) * j(1, 1),
            j(0, 1) * j(0, 1) + j(1, 1) * j(1, 1) + p2,
        );
        let det = xx * yy - xy * xy;
        // radians per edge: flat on flat
        if xx.max(yy) * edge * edge < 1e-4 {
            return None;
        }
        let d = [(xy * g[1] - yy * g[0]) / det, (xy * g[0] - xx * g[1]) / det];
        let length = norm2(d[0], d[1]);
        // edges: rounding
        if length < 1e-9 * edge {
            break;
        }
        let scale = if length > edge { edge / length } else { 1.0 };
        step = (t1 * d[0] + t2 * d[1]) * scale;
        at += step;
    }
    best.filter(|b| b.1 < OPPOSED).map(|(_, _, at, n)| (at, n))
}
