//! The contact normal of two surfaces that stand for smooth ones.
//!
//! A shallow overlap of two tessellated surfaces cuts one or two facets, and facets lean from the surface they stand for
//! by up to half their bend: the area vector of the contour is right for the facets and wrong for the torus.
//! Where both meshes stand for smooth surfaces, the contact of those is where their unit normals oppose each other. With the
//! parts a(x) and b(x) across n of the normals -N_a and N_b, both seen as from b into a,
//! ```text
//!     f(x) = b(x) - a(x) = 0
//! ```
//! are two equations in the two coordinates x across n. Newton's method starts at the contour's centre c; the derivative J of f is
//! the sum of the two surfaces' curvatures. Tubes that cross at 60 degrees have next to none along one direction: there 1e-3 rad of error
//! in f moves the place by centimetres and the normal by a degree. So the normals must be good:
//!
//! - at the vertices they are Max's, exact where a vertex and its neighbours lie on a sphere, and on regular tori;
//! - between them a(x) and b(x) are cubics, fitted by moving least squares to the vertices within some edges of x. The parts across n of
//!   *unit* normals are linear in x on spheres and cylinders however strongly they bend, where slopes and heights are not
//!   even bounded. On a torus of 1,000 triangles f is right to 1e-4.
//!
//! What no curvature tells, the contour does: what is made least is |f|^2 + pull^2 |x - c|^2.
//!
//! Where there is no curvature at all (flat on flat), where the surface has a crease, or where the contour spans so many facets
//! that its area vector knows better, there is no answer.

use nalgebra::{Matrix2, Vector2};

use super::TriMesh;
use super::contour::Segment;
use super::loops::Loop;
use crate::rigid::{Rigid, Vec3, norm2, tangents};
use crate::tolerances::NO_NORMAL;

/// Edges across: up to the first number a contour has too few facets for its area vector to average over, from the
/// second on it has enough.
const WIDTHS: (f64, f64) = (4.0, 6.0);
/// Edges: vertices farther from the place than this do not count. A cubic needs ten, and on a regular mesh gets forty; with 2 edges
/// it is left with too few where edges are long one way and short the other. The more there are, the less the errors of irregular meshes tell.
const REACH: f64 = 3.25;
/// Cosines between n and the normal at a vertex: below the first it does not count, from the second on fully.
const FACING: (f64, f64) = (0.4, 0.8);
/// Weight of the demand that second and third derivatives vanish, with the reach as unit of length: next to nothing, but that a fit with too few
/// vertices is as flat as they allow.
const FLAT: f64 = 1e-6;
/// How much the place is held to the contour's centre, relative to the relative curvature: below a thousandth of it a
/// curvature is an error of the fit.
const PULL: f64 = 1e-3;
/// Unit normals that oppose each other less well than this belong to no smooth contact.
const OPPOSED: f64 = 0.05;
/// Radians: a smooth normal farther than this from the contour's is not the same contact.
const LEAN: f64 = 0.6;

/// Pivot of a fit below which some monomial is not determined, with weights of order one.
const NO_PIVOT: f64 = 1e-12;
/// Radians per edge: less relative curvature is flat on flat, where no place is the contact's own.
const FLAT_ON_FLAT: f64 = 1e-2;
/// Edges, and radians: the search for the place is done. The error after a step is a fraction of it; in another frame or order of
/// bodies the way is the same up to rounding, and so is the end.
const PLACE_FOUND: (f64, f64) = (1e-6, 1e-7);

/// Memory: vertices with their normals, in a's frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct SmoothScratch {
    marks: Marks,
    a: Vec<(Vec3, Vec3)>,
    b: Vec<(Vec3, Vec3)>,
}

/// Vertices that have been visited; stamped, never cleared.
#[derive(Debug, Clone, Default)]
struct Marks {
    seen: Vec<u32>,
    stamp: u32,
    queue: Vec<u32>,
}

/// What a search for vertices starts from: a point, the way it looks, and how far vertices count, metres.
struct Place<'a> {
    p: &'a Vec3,
    n: &'a Vec3,
    reach: f64,
}

impl TriMesh {
    /// Smooth vertices within reach of a place that can be reached from some triangles over others that look its way, with their
    /// normals times `side`, moved by `x`.
    fn around(
        &self,
        from: impl Iterator<Item = u32>,
        &Place { p, n, reach }: &Place<'_>,
        x: &Rigid,
        side: f64,
        marks: &mut Marks,
        out: &mut Vec<(Vec3, Vec3)>,
    ) {
        let Marks { seen, stamp, queue } = marks;
        if seen.len() < self.vertices.len() {
            seen.resize(self.vertices.len(), 0);
        }
        *stamp = stamp.wrapping_add(1);
        if *stamp == 0 {
            seen.fill(0);
            *stamp = 1;
        }
        out.clear();
        queue.clear();
        queue.extend(from.flat_map(|t| self.triangles[t as usize]));
        while let Some(v) = queue.pop() {
            if std::mem::replace(&mut seen[v as usize], *stamp) == *stamp {
                continue;
            }
            let (q, m) = (self.vertices[v as usize], self.smooth[v as usize]);
            // cosine: half of what counts at the place itself, for n turns on the way
            if (q - p).norm_squared() < reach * reach && m.dot(n) * side > 0.5 * FACING.0 {
                out.push((x.point(&q), x.dir(&m) * side));
                for &e in self.edges_of(v) {
                    let [i, j] = self.edges[e as usize].ends;
                    queue.push(if i == v { j } else { i });
                }
            }
        }
    }
}

/// A frame along n at a place: coordinates x and y across.
struct View {
    at: Vec3,
    t1: Vec3,
    t2: Vec3,
    n: Vec3,
}

/// Part across n of the unit normals of a surface in line with a place, its derivative (rows: components, columns:
/// coordinates), and the height of the surface over the place.
struct Slope {
    value: Vector2<f64>,
    derivative: Matrix2<f64>,
    height: f64,
}

/// Monomials of a cubic, those that are asked for last; and with them the three functions that are fitted.
const TERMS: usize = 10;
const COLUMNS: usize = TERMS + 3;

impl View {
    /// The cubics through the normals of some vertices, at the place itself.
    fn fit(&self, vertices: &[(Vec3, Vec3)], reach: f64) -> Option<Slope> {
        // the normal equations, with their right hand sides beside them
        let mut m = [[0.0; COLUMNS]; TERMS];
        for (p, normal) in vertices {
            let d = (p - self.at) / reach;
            let (x, y, z) = (self.t1.dot(&d), self.t2.dot(&d), self.n.dot(&d));
            let rest = 1.0 - x * x - y * y;
            let facing = (normal.dot(&self.n) - FACING.0) / (FACING.1 - FACING.0);
            if rest <= 0.0 || facing <= 0.0 || z.abs() >= 1.0 {
                continue;
            }
            let weight = (rest * facing.min(1.0)).powi(2);
            let (xx, xy, yy) = (x * x, x * y, y * y);
            let (u, v) = (self.t1.dot(normal), self.t2.dot(normal));
            let row = [xx * x, xx * y, xy * y, yy * y, xx, xy, yy, x, y, 1.0, u, v, z];
            // the upper half is all that elimination reads
            for i in 0..TERMS {
                let term = weight * row[i];
                for j in i..COLUMNS {
                    m[i][j] += term * row[j];
                }
            }
        }
        // the sum of squares of derivatives, the same in every frame across n
        for (i, share) in [1.0, 1.0 / 3.0, 1.0 / 3.0, 1.0, 1.0, 0.5, 1.0].iter().enumerate() {
            m[i][i] += FLAT * share;
        }
        // elimination down to the last three unknowns: no pivoting, the matrix is positive definite
        for k in 0..TERMS {
            let pivot = m[k];
            if pivot[k] <= NO_PIVOT {
                return None;
            }
            for i in k + 1..TERMS {
                let factor = pivot[i] / pivot[k];
                for j in i..COLUMNS {
                    m[i][j] -= factor * pivot[j];
                }
            }
        }
        let c = [0, 1, 2].map(|f| {
            let rhs = |i: usize| m[i][TERMS + f];
            let one = rhs(9) / m[9][9];
            let y = (rhs(8) - m[8][9] * one) / m[8][8];
            let x = (rhs(7) - m[7][8] * y - m[7][9] * one) / m[7][7];
            [one, x, y]
        });
        Some(Slope {
            value: Vector2::new(c[0][0], c[1][0]),
            derivative: Matrix2::new(c[0][1], c[0][2], c[1][1], c[1][2]) / reach,
            height: c[2][0] * reach,
        })
    }
}

/// The normal of the smooth contact near a contour, in a's frame. The longer the contour, the more facets its area vector averages over, and
/// the worse the place of the contact is determined along it.
pub(crate) fn normal<'s>(
    a: &TriMesh,
    b: &TriMesh,
    x: &Rigid,
    contour: &Loop,
    cut: impl Iterator<Item = &'s Segment> + Clone,
    scratch: &mut SmoothScratch,
) -> Option<Vec3> {
    let Loop { center, normal: n, spread, .. } = contour;
    let edges = contour.curved?;
    let edge = edges[0].min(edges[1]);
    let (t1, t2) = tangents(n);
    let (xx, xy, yy) = (t1.dot(&(spread * t1)), t1.dot(&(spread * t2)), t2.dot(&(spread * t2)));
    // an ellipse with the semi-axis r has the spread r^2 / 2 along it
    let longest = 0.5 * (xx + yy) + norm2(0.5 * (xx - yy), xy);
    let width = 2.0 * (2.0 * longest).sqrt() / edge;
    let weight = ((WIDTHS.1 - width) / (WIDTHS.1 - WIDTHS.0)).clamp(0.0, 1.0);
    if weight == 0.0 {
        return None;
    }
    // the place may wander by some edges before vertices are missing
    let SmoothScratch { marks, a: near_a, b: near_b } = scratch;
    let [reach_a, reach_b] = edges.map(|e| REACH * e + ROOM * edge);
    let whole = Rigid::at(Vec3::zeros());
    let in_a = Place { p: center, n, reach: reach_a };
    a.around(cut.clone().map(|s| s.triangle_a), &in_a, &whole, -1.0, marks, near_a);
    let in_b = Place { p: &x.inv_point(center), n: &x.inv_dir(n), reach: reach_b };
    b.around(cut.map(|s| s.triangle_b), &in_b, x, 1.0, marks, near_b);
    let smooth = opposed(near_a, near_b, edges, center, n)?;
    if smooth.dot(n) < LEAN.cos() {
        return None;
    }
    Some((smooth * weight + n * (1.0 - weight)).normalize())
}

/// Edges the place may wander from the contour's centre.
const ROOM: f64 = 2.0;

/// The normal where the normals oppose each other, sought from the contour's centre.
fn opposed(
    near_a: &[(Vec3, Vec3)],
    near_b: &[(Vec3, Vec3)],
    edges: [f64; 2],
    center: &Vec3,
    n: &Vec3,
) -> Option<Vec3> {
    let edge = edges[0].min(edges[1]);
    let (mut at, mut n) = (*center, *n);
    let mut pull = None;
    for _ in 0..32 {
        let (t1, t2) = tangents(&n);
        let view = View { at, t1, t2, n };
        let (a, b) = (view.fit(near_a, REACH * edges[0])?, view.fit(near_b, REACH * edges[1])?);
        let f = b.value - a.value;
        // with the place n turns by the mean of both curvatures, and what is in line along n moves the farther the higher it is
        let turn = (a.derivative + b.derivative) * 0.5;
        let lift = b.derivative * b.height - a.derivative * a.height;
        let j = b.derivative - a.derivative + lift * turn;
        // the relative curvature, once: the pull must not change on the way
        let curvature = j.norm();
        if curvature * edge < FLAT_ON_FLAT {
            return None;
        }
        let p2 = (*pull.get_or_insert(PULL * curvature)).powi(2);
        // least squares of f + J d and pull (away + d)
        let away = Vector2::new(t1.dot(&(at - center)), t2.dot(&(at - center)));
        let d = (j.tr_mul(&j) + Matrix2::identity() * p2).try_inverse()? * -(j.tr_mul(&f) + away * p2);
        let length = d.norm();
        let d = if length > edge { d * (edge / length) } else { d };
        // the mean of both normals at the new place
        let mean = (a.value + b.value) * 0.5 + turn * d;
        let up = (1.0 - mean.norm_squared()).max(0.0).sqrt();
        let next = (n * up + t1 * mean.x + t2 * mean.y).try_normalize(NO_NORMAL)?;
        at += t1 * d.x + t2 * d.y;
        if (at - center).norm() > ROOM * edge {
            return None;
        }
        let turned = (next - n).norm();
        n = next;
        if length < PLACE_FOUND.0 * edge && turned < PLACE_FOUND.1 {
            return (f.norm() < OPPOSED).then_some(n);
        }
    }
    None
}
