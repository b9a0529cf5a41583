//! Distance between two convex cores: the Gilbert-Johnson-Keerthi iteration, and the expanding
//! polytope for cores that overlap.
//!
//! Both work on C = A - B, the set of differences a - b, seen through its support points. GJK walks towards
//! the point of C nearest the origin; when the origin is inside, the expanding polytope grows an inner
//! approximation of C until its face nearest the origin is nearly on C's boundary.
//!
//! Departure: neither is asked for the last digits. They return a direction good to about 1e-4, and
//! `axis` refines it on the features it points at; any direction gives a valid lower bound of the
//! signed distance, so a direction that is off costs accuracy, never correctness of sign.

use crate::convex::Core;
use crate::rigid::{Rigid, Vec3, tangents};

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

    fn difference(&self, n: &Vec3) -> Vec3 {
        let (a, b) = self.supports(n);
        a - b
    }
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
    let mut simplex: [Vec3; 4] = [Vec3::zeros(); 4];
    let mut len = 1;
    simplex[0] = cores.difference(start);
    let mut v = simplex[0];
    // the best direction met on the way: should it separate, no rounding can make the cores overlap
    let mut best = (0.0, *start);
    for _ in 0..STEPS {
        // metres: below this the direction of v is noise and the cores count as touching
        if v.norm() <= 1e-10 * cores.size {
            break;
        }
        let n = v.normalize();
        let w = cores.difference(&n);
        if n.dot(&w) > best.0 {
            best = (n.dot(&w), n);
        }
        // apart by more than is asked for: nothing else matters
        if best.0 > margin {
            return one(best.1);
        }
        // v is nearest C when no point of C is nearer along it, to 1e-9 of the distance
        if n.dot(&(v - w)) <= 1e-9 * v.norm() || simplex[..len].contains(&w) {
            return one(n);
        }
        simplex[len] = w;
        len += 1;
        let (nearest, keep) = nearest_on_simplex(&simplex[..len]);
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
        return one(v.normalize());
    }
    if best.0 > 0.0 {
        return one(best.1);
    }
    if inside { expand(cores, &simplex[..len], start, scratch) } else { ([(*start, 0.0); CANDIDATES], 0) }
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
    points: Vec<Vec3>,
    faces: Vec<Facet>,
    horizon: Vec<[u32; 2]>,
}

#[derive(Debug, Clone, Copy)]
struct Facet {
    corners: [u32; 3],
    normal: Vec3,
    distance: f64,
}

fn expand(cores: &Cores<'_>, simplex: &[Vec3], start: &Vec3, scratch: &mut Scratch) -> Rough {
    let Scratch { points, faces, horizon } = scratch;
    points.clear();
    faces.clear();
    points.extend_from_slice(simplex);
    if !tetrahedron(cores, points) {
        return ([(*start, f64::INFINITY); CANDIDATES], 1);
    }
    let center = points.iter().sum::<Vec3>() / 4.0;
    let facet = |points: &[Vec3], c: [u32; 3]| {
        let [p, q, r] = c.map(|i| points[i as usize]);
        let normal = (q - p).cross(&(r - p));
        let area = normal.norm();
        let normal = if area > 0.0 { normal / area } else { Vec3::zeros() };
        let distance = if area > 0.0 { normal.dot(&p) } else { f64::INFINITY };
        Facet { corners: c, normal, distance }
    };
    for c in [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] {
        let f = facet(points, c);
        let outward = f.normal.dot(&(points[c[0] as usize] - center)) >= 0.0;
        faces.push(if outward { f } else { facet(points, [c[0], c[2], c[1]]) });
    }
    let mut best = (f64::INFINITY, -start);
    for _ in 0..EXPANSIONS {
        let Some(nearest) = faces.iter().min_by(|a, b| a.distance.total_cmp(&b.distance)).copied() else {
            break;
        };
        if !nearest.distance.is_finite() {
            break;
        }
        let n = -nearest.normal;
        let w = cores.difference(&n);
        let reach = nearest.normal.dot(&w);
        if reach < best.0 {
            best = (reach, nearest.normal);
        }
        // no facet left that could lead much nearer than the best: 1e-6 of the size leaves the refinement 1e-3 to
        // turn, which it can
        if best.0 - nearest.distance <= 1e-6 * cores.size {
            break;
        }
        let new = crate::polytope::count(points.len());
        points.push(w);
        horizon.clear();
        faces.retain(|f| {
            // metres relative to the size: a new corner in the plane of a flat face does not see it
            let visible = f.normal.dot(&(w - points[f.corners[0] as usize])) > 1e-12 * cores.size;
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

/// Completes the points to a tetrahedron with volume; false when the difference set is flat.
fn tetrahedron(cores: &Cores<'_>, points: &mut Vec<Vec3>) -> bool {
    // metres relative to the size: a corner nearer than this to the span of the others adds nothing
    let small = 1e-9 * cores.size;
    for d in [Vec3::x(), Vec3::y(), Vec3::z()] {
        if points.len() >= 2 {
            break;
        }
        for d in [d, -d] {
            let w = cores.difference(&d);
            if points.len() == 1 && (w - points[0]).norm() > small {
                points.push(w);
            }
        }
    }
    if points.len() == 2 {
        let (t1, t2) = tangents(&(points[1] - points[0]).normalize());
        for d in [t1, -t1, t2, -t2] {
            let w = cores.difference(&d);
            if points.len() == 2 && (w - points[0]).cross(&(points[1] - points[0]).normalize()).norm() > small
            {
                points.push(w);
            }
        }
    }
    if points.len() == 3 {
        let n = (points[1] - points[0]).cross(&(points[2] - points[0]));
        let Some(n) = n.try_normalize(0.0) else { return false };
        for d in [n, -n] {
            let w = cores.difference(&d);
            if points.len() == 3 && n.dot(&(w - points[0])).abs() > small {
                points.push(w);
            }
        }
    }
    points.len() == 4
}
