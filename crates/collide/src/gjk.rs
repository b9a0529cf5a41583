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

mod expand;
mod walk;

use crate::convex::Core;
use crate::rigid::{Rigid, Vec3};
use crate::separation::Axis;
use crate::tolerances::NOT_ZERO;

pub(crate) use expand::ExpandScratch;
use expand::{EXACT, expand, grow};
use walk::{Walk, walk};

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
    scratch: &mut ExpandScratch,
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
    scratch: &mut ExpandScratch,
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
            scratch.begin(&simplex[..len]);
            let (best, nearest) = grow(cores, start, &mut at, scratch, EXACT)?;
            let Some(nearest) = nearest else {
                let n = -best.1;
                return Some((Axis { n, s: cores.separation(&n), witness: None }, false));
            };
            let corners = scratch.corners(&nearest);
            axis(-nearest.normal, Some(carried(&corners, &(nearest.normal * nearest.distance))))
        }
    }
}

/// The unit normal of a triangle; none of a flat one.
fn normal(s: &[Diff]) -> Option<Vec3> {
    (s[1].w - s[0].w).cross(&(s[2].w - s[0].w)).try_normalize(NOT_ZERO)
}

/// The points of A and B that a point of a simplex is the difference of.
fn carried(s: &[Diff], v: &Vec3) -> (Vec3, Vec3) {
    let part = |i: usize, j: usize| {
        let d = s[j].w - s[i].w;
        (d.dot(&(v - s[i].w)) / d.norm_squared().max(NOT_ZERO)).clamp(0.0, 1.0)
    };
    let shares = match s.len() {
        1 => [1.0, 0.0, 0.0],
        2 => [1.0 - part(0, 1), part(0, 1), 0.0],
        _ => {
            let n = (s[1].w - s[0].w).cross(&(s[2].w - s[0].w));
            let area = |i: usize, j: usize| n.dot(&(s[i].w - v).cross(&(s[j].w - v)));
            let whole = n.norm_squared().max(NOT_ZERO);
            [area(1, 2) / whole, area(2, 0) / whole, area(0, 1) / whole]
        }
    };
    let sum = |f: &dyn Fn(&Diff) -> Vec3| s.iter().zip(shares).map(|(d, share)| f(d) * share).sum::<Vec3>();
    (sum(&|d| d.a), sum(&|d| d.b))
}
