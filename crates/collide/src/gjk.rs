//! Distance between two convex cores: the Gilbert-Johnson-Keerthi iteration, and the expanding
//! polytope for cores that overlap.
//!
//! Both work on C = A - B, the set of differences a - b, seen through its support points. GJK walks towards
//! the point of C nearest the origin; when the origin is inside, the expanding polytope grows an inner
//! approximation of C until its face nearest the origin is nearly on C's boundary.
//!
//! Departure: curved cores are not asked for the last digits. They return a direction good to about 1e-4, and
//! `axis` refines it on the features it points at; any direction gives a valid lower bound of the
//! signed distance, so a direction that is off costs accuracy, never correctness of sign. Of two polyhedra C is one as well, and
//! both end on one of its faces, edges or corners: `exact_axis`.

use crate::convex::Core;
use crate::rigid::{Rigid, Vec3, tangents};
use crate::separation::Axis;

/// Two cores in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cores<'a> {
    pub a: Core<'a>,
    pub b: Core<'a>,
    /// b's frame to a's.
    pub x: Rigid,
    /// Metres: the unit of tolerances.
    pub size: f64,
}

impl Cores<'_> {
    /// The support points facing each other along n (from b into a).
    #[inline]
    pub(crate) fn supports(&self, n: &Vec3) -> (Vec3, Vec3) {
        let b = self.b.support(&self.x.inv_dir(n));
        (self.a.support(&-n), self.x.point(&b))
    }

    /// Separation along the unit vector n: negative when the projections overlap. Its greatest value over all
    /// n is the signed distance.
    #[inline]
    pub(crate) fn separation(&self, n: &Vec3) -> f64 {
        let (a, b) = self.supports(n);
        n.dot(&(a - b))
    }

    fn difference(&self, n: &Vec3, at: &mut Seats) -> Diff {
        let a = at.0.support(&self.a, &-n);
        let b = self.x.point(&at.1.support(&self.b, &self.x.inv_dir(n)));
        Diff { w: a - b, a, b }
    }
}

/// The last support vertex of a large polyhedron: the next one is near.
#[derive(Debug, Clone, Copy, Default)]
struct Seat(Option<usize>);

/// Of a and of b.
type Seats = (Seat, Seat);

impl Seat {
    fn support(&mut self, core: &Core<'_>, d: &Vec3) -> Vec3 {
        let Core::Poly(p) = core else { return core.support(d) };
        let Some(index) = &p.index else { return core.support(d) };
        let at = self.0.map_or_else(|| index.support_vertex(p, d), |from| index.climb(p, d, from));
        self.0 = Some(at);
        p.vertices[at]
    }
}

/// A point of C with the points of A and B it is the difference of.
#[derive(Debug, Clone, Copy, Default)]
struct Diff {
    w: Vec3,
    a: Vec3,
    b: Vec3,
}

/// Where the walk towards the origin ended.
enum Walk {
    /// At this direction: as far as asked for, or as near as it gets.
    At(Vec3),
    /// At the point of C nearest the origin, on this face of a simplex.
    On([Diff; 4], usize, Vec3),
    /// The origin is inside, or too near to tell.
    In([Diff; 4], usize),
}

/// Steps after which the walk towards the origin hands over what it has.
const STEPS: usize = 48;
/// Points after which the polytope is as fine as it gets: with curved cores it then has facets of some
/// 20 degrees everywhere and much finer ones where it matters.
const EXPANSIONS: usize = 128;
/// Directions handed over from an expanded polytope.
pub(crate) const CANDIDATES: usize = 16;
/// Directions, each with the greatest separation that could be found near it, and how many.
pub(crate) type Rough = ([(Vec3, f64); CANDIDATES], usize);

/// Unit directions near one of which the separation is greatest: one for cores apart, up to
/// `CANDIDATES` for cores that overlap, where several directions may be nearly as good. Cores found apart by
/// more than `margin` are not looked at closer. None at all for cores that overlap if `inside` is not asked for.
pub(crate) fn rough_axes(
    cores: &Cores<'_>,
    start: &Vec3,
    margin: f64,
    inside: bool,
    scratch: &mut Scratch,
) -> Rough {
    let one = |n: Vec3| ([(n, f64::INFINITY); CANDIDATES], 1);
    let mut at = Seats::default();
    match walk(cores, start, margin, false, &mut at) {
        Walk::At(n) => one(n),
        Walk::On(_, _, v) => one(v.normalize()),
        Walk::In(simplex, len) if inside => expand(cores, &simplex[..len], start, &mut at, scratch),
        Walk::In(..) => ([(*start, 0.0); CANDIDATES], 0),
    }
}

/// The axis of greatest separation of two polyhedral cores, to rounding, with the closest points; some direction that separates by
/// more than `margin` if one is met. Not the greatest, and told so, where the expanding polytope has more faces near the origin
/// than it is grown to, or rounding keeps it from closing. `None` of flat ones.
pub(crate) fn exact_axis(
    cores: &Cores<'_>,
    start: &Vec3,
    margin: f64,
    scratch: &mut Scratch,
) -> Option<(Axis, bool)> {
    let axis = |n: Vec3, witness| Some((Axis { n, s: cores.separation(&n), witness }, true));
    let mut at = Seats::default();
    match walk(cores, start, margin, true, &mut at) {
        Walk::At(n) => axis(n, None),
        Walk::On(simplex, len, v) => {
            // a face's normal is its own, however near the origin it lies
            let face = if len == 3 { normal(&simplex) } else { None };
            let n = face.map_or_else(|| v.normalize(), |n| if n.dot(&v) < 0.0 { -n } else { n });
            axis(n, Some(carried(&simplex[..len], &v)))
        }
        Walk::In(simplex, len) => {
            let Scratch { points, faces, horizon } = scratch;
            points.clear();
            points.extend_from_slice(&simplex[..len]);
            let (best, nearest) = grow(cores, start, &mut at, points, faces, horizon, EXACT)?;
            let Some(nearest) = nearest else {
                let n = -best.1;
                return Some((Axis { n, s: cores.separation(&n), witness: None }, false));
            };
            let corners = nearest.corners.map(|i| points[i as usize]);
            axis(-nearest.normal, Some(carried(&corners, &(nearest.normal * nearest.distance))))
        }
    }
}

fn normal(s: &[Diff]) -> Option<Vec3> {
    (s[1].w - s[0].w).cross(&(s[2].w - s[0].w)).try_normalize(f64::MIN_POSITIVE)
}

/// The points of A and B that a point of a simplex is the difference of.
fn carried(s: &[Diff], v: &Vec3) -> (Vec3, Vec3) {
    let part = |i: usize, j: usize| {
        let d = s[j].w - s[i].w;
        (d.dot(&(v - s[i].w)) / d.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    let shares = match s.len() {
        1 => [1.0, 0.0, 0.0],
        2 => [1.0 - part(0, 1), part(0, 1), 0.0],
        _ => {
            let n = (s[1].w - s[0].w).cross(&(s[2].w - s[0].w));
            let area = |i: usize, j: usize| n.dot(&(s[i].w - v).cross(&(s[j].w - v)));
            let whole = n.norm_squared().max(f64::MIN_POSITIVE);
            [area(1, 2) / whole, area(2, 0) / whole, area(0, 1) / whole]
        }
    };
    let sum = |f: &dyn Fn(&Diff) -> Vec3| s.iter().zip(shares).map(|(d, share)| f(d) * share).sum::<Vec3>();
    (sum(&|d| d.a), sum(&|d| d.b))
}

fn walk(cores: &Cores<'_>, start: &Vec3, margin: f64, exact: bool, at: &mut Seats) -> Walk {
    let mut simplex = [Diff::default(); 4];
    let mut len = 1;
    simplex[0] = cores.difference(start, at);
    let mut v = simplex[0].w;
    // the best direction met on the way: should it separate, no rounding can make the cores overlap
    let mut best = (0.0, *start);
    for _ in 0..STEPS {
        // metres: below this the direction of v is noise and the cores count as touching
        if v.norm() <= 1e-10 * cores.size {
            break;
        }
        let n = v.normalize();
        let next = cores.difference(&n, at);
        let w = next.w;
        if n.dot(&w) > best.0 {
            best = (n.dot(&w), n);
        }
        // apart by more than is asked for: nothing else matters
        if best.0 > margin {
            return Walk::At(best.1);
        }
        // v is nearest C when no point of C is nearer along it, to 1e-9 of the distance, or to rounding
        let near = if exact { 1e-15 * cores.size } else { 1e-9 * v.norm() };
        if n.dot(&(v - w)) <= near || simplex[..len].iter().any(|d| d.w == w) {
            return if exact { Walk::On(simplex, len, v) } else { Walk::At(n) };
        }
        simplex[len] = next;
        len += 1;
        let (nearest, keep) = nearest_on_simplex(&simplex.map(|d| d.w)[..len]);
        let mut kept = 0;
        for i in 0..len {
            if keep & (1 << i) != 0 {
                simplex[kept] = simplex[i];
                kept += 1;
            }
        }
        len = kept;
        v = nearest;
        if len == 4 {
            break;
        }
    }
    if len < 4 && v.norm() > 1e-10 * cores.size {
        return Walk::On(simplex, len, v);
    }
    if best.0 > 0.0 {
        return Walk::At(best.1);
    }
    Walk::In(simplex, len)
}

/// The point of the simplex nearest the origin, and which corners carry it.
fn nearest_on_simplex(s: &[Vec3]) -> (Vec3, u8) {
    match s.len() {
        1 => (s[0], 1),
        2 => nearest_on_segment(s, 0, 1),
        3 => nearest_on_triangle(s, 0, 1, 2),
        _ => {
            let mut best: Option<(Vec3, u8)> = None;
            for (i, j, k, l) in [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 3, 1), (1, 2, 3, 0)] {
                let n = (s[j] - s[i]).cross(&(s[k] - s[i]));
                let (origin, opposite) = (-n.dot(&s[i]), n.dot(&(s[l] - s[i])));
                // the origin on the far side of this face from the fourth corner, or a flat tetrahedron
                let flat = opposite.abs() <= 1e-10 * n.norm() * (s[l] - s[i]).norm();
                if origin * opposite <= 0.0 || flat {
                    let c = nearest_on_triangle(s, i, j, k);
                    if best.is_none_or(|b| c.0.norm_squared() < b.0.norm_squared()) {
                        best = Some(c);
                    }
                }
            }
            best.unwrap_or((Vec3::zeros(), 0b1111))
        }
    }
}

fn nearest_on_segment(s: &[Vec3], i: usize, j: usize) -> (Vec3, u8) {
    let d = s[j] - s[i];
    let t = -s[i].dot(&d);
    let l = d.norm_squared();
    if t <= 0.0 {
        (s[i], 1 << i)
    } else if t >= l {
        (s[j], 1 << j)
    } else {
        (s[i] + d * (t / l), 1 << i | 1 << j)
    }
}

fn nearest_on_triangle(s: &[Vec3], i: usize, j: usize, k: usize) -> (Vec3, u8) {
    let n = (s[j] - s[i]).cross(&(s[k] - s[i]));
    let inside = |p: usize, q: usize| n.dot(&(s[q] - s[p]).cross(&-s[p])) >= 0.0;
    if n.norm_squared() > 0.0 && inside(i, j) && inside(j, k) && inside(k, i) {
        return (n * (n.dot(&s[i]) / n.norm_squared()), 1 << i | 1 << j | 1 << k);
    }
    let edges = [nearest_on_segment(s, i, j), nearest_on_segment(s, j, k), nearest_on_segment(s, k, i)];
    edges.into_iter().min_by(|a, b| a.0.norm_squared().total_cmp(&b.0.norm_squared())).expect("three edges")
}

/// Memory of the expanding polytope.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    points: Vec<Diff>,
    faces: Vec<Facet>,
    horizon: Vec<[u32; 2]>,
}

#[derive(Debug, Clone, Copy)]
struct Facet {
    corners: [u32; 3],
    normal: Vec3,
    distance: f64,
}

/// How long a polytope is grown: points, and how near its nearest face must be to C, relative to the size.
type Growth = (usize, f64);
/// Rough: 1e-6 leaves the refinement 1e-3 to turn, which it can.
const ROUGH: Growth = (EXPANSIONS, 1e-6);
/// To rounding; a polyhedron has as many faces as it has, but few of them near the origin.
const EXACT: Growth = (4 * EXPANSIONS, 1e-13);

fn expand(cores: &Cores<'_>, simplex: &[Diff], start: &Vec3, at: &mut Seats, scratch: &mut Scratch) -> Rough {
    let Scratch { points, faces, horizon } = scratch;
    points.clear();
    points.extend_from_slice(simplex);
    let Some((best, _)) = grow(cores, start, at, points, faces, horizon, ROUGH) else {
        return ([(*start, f64::INFINITY); CANDIDATES], 1);
    };
    // facets that might still have beaten the best direction, nearest first, well apart from each other
    let mut directions = [(-best.1, f64::INFINITY); CANDIDATES];
    let mut count = 1;
    faces.retain(|f| f.distance < best.0);
    faces.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.corners.cmp(&b.corners)));
    for f in faces.iter() {
        if count < CANDIDATES && directions[..count].iter().all(|d| d.0.dot(&-f.normal) < 0.9995) {
            directions[count] = (-f.normal, -f.distance);
            count += 1;
        }
    }
    (directions, count)
}

/// Grows a polytope within C from some points of it: the least reach of C found along a facet's normal, with the normal, and, if
/// the end was reached, the facet nearest the origin. None when C is flat.
fn grow(
    cores: &Cores<'_>,
    start: &Vec3,
    at: &mut Seats,
    points: &mut Vec<Diff>,
    faces: &mut Vec<Facet>,
    horizon: &mut Vec<[u32; 2]>,
    (most, near): Growth,
) -> Option<((f64, Vec3), Option<Facet>)> {
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
            // metres relative to the size: a new corner in the plane of a flat face does not see it
            let visible = f.normal.dot(&(w - points[f.corners[0] as usize].w)) > 1e-12 * cores.size;
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
    // metres relative to the size: a corner nearer than this to the span of the others adds nothing
    let small = 1e-9 * cores.size;
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
