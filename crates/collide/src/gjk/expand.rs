//! The expanding polytope: how deep cores overlap, from within.
//!
//! A polytope on support points of C, with the origin inside, grows at its facet nearest the origin: the support point along the
//! facet's normal takes the place of every facet it sees. When the point lies on the facet, that is C's boundary.

use crate::rigid::{Vec3, tangents};

use super::{CANDIDATES, Cores, Diff, Rough, Seats};

/// Points after which the polytope is as fine as it gets: with curved cores it then has facets of some
/// 20 degrees everywhere and much finer ones where it matters.
const EXPANSIONS: usize = 128;
/// Memory of the expanding polytope.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExpandScratch {
    points: Vec<Diff>,
    faces: Vec<Facet>,
    horizon: Vec<[u32; 2]>,
}

impl ExpandScratch {
    /// Starts anew from some points of C.
    pub(super) fn begin(&mut self, points: &[Diff]) {
        self.points.clear();
        self.points.extend_from_slice(points);
    }

    /// The corners of a facet.
    pub(super) fn corners(&self, facet: &Facet) -> [Diff; 3] {
        facet.corners.map(|i| self.points[i as usize])
    }
}

/// A triangle of the polytope's surface, corners counter-clockwise from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    corners: [u32; 3],
    /// Unit, outward.
    pub(super) normal: Vec3,
    /// Of its plane from the origin, metres; infinite for a facet without area.
    pub(super) distance: f64,
}

/// How long a polytope is grown: points, and how near its nearest face must be to C, relative to the size.
pub(super) type Growth = (usize, f64);
/// Rough: 1e-6 leaves the refinement 1e-3 to turn, which it can.
const ROUGH: Growth = (EXPANSIONS, 1e-6);
/// To rounding; a polyhedron has as many faces as it has, but few of them near the origin.
pub(super) const EXACT: Growth = (4 * EXPANSIONS, 1e-13);

/// Cosine between two directions handed over: nearer than some two degrees the refinement finds one from the other.
const APART: f64 = 0.9995;
/// Of the size: a new corner this near the plane of a flat face does not see it.
const IN_PLANE: f64 = 1e-12;
/// Of the size: a corner this near the span of the others adds nothing to a tetrahedron.
const IN_SPAN: f64 = 1e-9;

/// Directions near one of which overlapping cores are the least deep, the best one first.
pub(super) fn expand(
    cores: &Cores<'_>,
    simplex: &[Diff],
    start: &Vec3,
    at: &mut Seats,
    scratch: &mut ExpandScratch,
) -> Rough {
    scratch.begin(simplex);
    let Some((best, _)) = grow(cores, start, at, scratch, ROUGH) else {
        return ([(*start, f64::INFINITY); CANDIDATES], 1);
    };
    // facets that might still have beaten the best direction, nearest first, well apart from each other
    let mut directions = [(-best.1, f64::INFINITY); CANDIDATES];
    let mut count = 1;
    let faces = &mut scratch.faces;
    faces.retain(|f| f.distance < best.0);
    faces.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.corners.cmp(&b.corners)));
    for f in faces.iter() {
        if count < CANDIDATES && directions[..count].iter().all(|d| d.0.dot(&-f.normal) < APART) {
            directions[count] = (-f.normal, -f.distance);
            count += 1;
        }
    }
    (directions, count)
}

/// Grows a polytope within C from some points of it: the least reach of C found along a facet's normal, with the normal, and, if
/// the end was reached, the facet nearest the origin. None when C is flat.
pub(super) fn grow(
    cores: &Cores<'_>,
    start: &Vec3,
    at: &mut Seats,
    scratch: &mut ExpandScratch,
    (most, near): Growth,
) -> Option<((f64, Vec3), Option<Facet>)> {
    let ExpandScratch { points, faces, horizon } = scratch;
    faces.clear();
    if !tetrahedron(cores, at, points) {
        return None;
    }
    let center = points.iter().map(|d| d.w).sum::<Vec3>() / 4.0;
    let facet = |points: &[Diff], c: [u32; 3]| {
        let [p, q, r] = c.map(|i| points[i as usize].w);
        let normal = (q - p).cross(&(r - p));
        let area = normal.norm();
        let normal = if area > 0.0 { normal / area } else { Vec3::zeros() };
        let distance = if area > 0.0 { normal.dot(&p) } else { f64::INFINITY };
        Facet { corners: c, normal, distance }
    };
    for c in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
        let f = facet(points, c);
        let outward = f.normal.dot(&(points[c[0] as usize].w - center)) >= 0.0;
        faces.push(if outward { f } else { facet(points, [c[0], c[2], c[1]]) });
    }
    let mut best = (f64::INFINITY, -start);
    for _ in 0..most {
        let Some(nearest) = faces.iter().min_by(|a, b| a.distance.total_cmp(&b.distance)).copied() else {
            break;
        };
        if !nearest.distance.is_finite() {
            break;
        }
        let n = -nearest.normal;
        let next = cores.difference(&n, at);
        let w = next.w;
        let reach = nearest.normal.dot(&w);
        if reach < best.0 {
            best = (reach, nearest.normal);
        }
        // no facet left that could lead much nearer than the best
        if best.0 - nearest.distance <= near * cores.size {
            return Some((best, Some(nearest)));
        }
        let new = crate::error::count(points.len());
        points.push(next);
        horizon.clear();
        faces.retain(|f| {
            let visible = f.normal.dot(&(w - points[f.corners[0] as usize].w)) > IN_PLANE * cores.size;
            if visible {
                let [p, q, r] = f.corners;
                for e in [[p, q], [q, r], [r, p]] {
                    if let Some(twin) = horizon.iter().position(|h| *h == [e[1], e[0]]) {
                        horizon.swap_remove(twin);
                    } else {
                        horizon.push(e);
                    }
                }
            }
            !visible
        });
        for e in horizon.iter() {
            faces.push(facet(points, [e[0], e[1], new]));
        }
        // Euler: a closed surface on v points has 2 v - 4 triangles; more means rounding has torn it
        if horizon.len() < 3 || faces.len() > 2 * points.len() {
            break;
        }
    }
    Some((best, None))
}

/// Completes the points to a tetrahedron with volume; false when the difference set is flat.
fn tetrahedron(cores: &Cores<'_>, at: &mut Seats, points: &mut Vec<Diff>) -> bool {
    let small = IN_SPAN * cores.size;
    for d in [Vec3::x(), Vec3::y(), Vec3::z()] {
        if points.len() >= 2 {
            break;
        }
        for d in [d, -d] {
            let w = cores.difference(&d, at);
            if points.len() == 1 && (w.w - points[0].w).norm() > small {
                points.push(w);
            }
        }
    }
    if points.len() == 2 {
        let (t1, t2) = tangents(&(points[1].w - points[0].w).normalize());
        for d in [t1, -t1, t2, -t2] {
            let w = cores.difference(&d, at);
            let along = (points[1].w - points[0].w).normalize();
            if points.len() == 2 && (w.w - points[0].w).cross(&along).norm() > small {
                points.push(w);
            }
        }
    }
    if points.len() == 3 {
        let n = (points[1].w - points[0].w).cross(&(points[2].w - points[0].w));
        let Some(n) = n.try_normalize(0.0) else { return false };
        for d in [n, -n] {
            let w = cores.difference(&d, at);
            if points.len() == 3 && n.dot(&(w.w - points[0].w)).abs() > small {
                points.push(w);
            }
        }
    }
    points.len() == 4
}
