//! The contact axis of a box or a segment that overlaps a cylinder or a cone, by branch and bound on a few circles.
//!
//! The difference C of the two bodies is bounded by flat faces, by sheets swept by a straight edge or side line along
//! a curve, and by the creases between them. The way out of a convex body never leads through a crease, so
//! the axis is a face's normal, or lies on a circle n.z = c across an edge direction or a side line, or where two
//! such circles cross. There are at most four circles. On each, the separation is the lower envelope
//! ```text
//!     s(n) = min over p in C of n.p
//! ```
//! and a support point p found at one place bounds s everywhere: an arc is left as soon as the bounds of its two
//! ends cross below the best value known. What is left is smooth and gets a root of ds/dphi. On a circle where the
//! separation hardly changes (bodies on one axis) no arc is ever left: such a search is broken off, and the circle looked at evenly.
//!
//! Valid for overlapping cores only: apart, the axis may join a vertex to a rim.

use crate::convex::Core;
use crate::gjk::Cores;
use crate::refine::{self, falling_root};
use crate::rigid::{Rigid, Vec3, norm2, tangents};
use crate::tolerances::{LEVEL_SLOPE, WORTH_A_SEARCH};

/// Whether every axis of overlap lies on the circles.
pub(crate) fn serve(cores: &Cores<'_>) -> bool {
    let straight = |c: &Core<'_>| matches!(c, Core::Box(..) | Core::Segment(_));
    let round = |c: &Core<'_>| matches!(c, Core::Cylinder(..) | Core::Cone(..));
    straight(&cores.a) && round(&cores.b) || round(&cores.a) && straight(&cores.b)
}

/// All n with n.z = c.
#[derive(Debug, Clone, Copy)]
struct Circle {
    z: Vec3,
    c: f64,
}

/// A place on a circle, its separation, and the bound n.p = across . at + along that its support point gives.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: (f64, f64),
    n: Vec3,
    s: f64,
    across: (f64, f64),
    along: f64,
}

impl Place {
    fn bound(&self, at: (f64, f64)) -> f64 {
        self.across.0 * at.0 + self.across.1 * at.1 + self.along
    }

    /// ds/dphi, counter-clockwise.
    fn slope(&self) -> f64 {
        self.across.1 * self.at.0 - self.across.0 * self.at.1
    }
}

/// The greatest separation on the circles above `floor`, if there is one.
pub(crate) fn highest(cores: &Cores<'_>, floor: f64) -> Option<(f64, Vec3)> {
    let mut best = (floor, None);
    let whole = Rigid::at(Vec3::zeros());
    let (circles_a, edges_a) = circles(&cores.a, &whole, -1.0);
    let (circles_b, edges_b) = circles(&cores.b, &cores.x, 1.0);
    // crossings first: they are often the answer, and a good bound leaves less to search
    for f in &circles_a[..edges_a] {
        for g in &circles_b[..edges_b] {
            for n in refine::crossings(&f.z, f.c, &g.z, g.c).into_iter().flatten() {
                let s = cores.separation(&n);
                if s > best.0 {
                    best = (s, Some(n));
                }
            }
        }
    }
    for circle in circles_a[..edges_a].iter().chain(&circles_b[..edges_b]) {
        let mut search = Search { cores, circle: *circle, frame: tangents(&circle.z), left: MOST };
        search.run(&mut best, 24);
        if search.left == 0 {
            search.left = u32::MAX;
            search.run(&mut best, 5);
        }
    }
    best.1.map(|n| (best.0, n))
}

/// The circles of a core, seen through `x`; `side` is the sign of the core's outward direction along n.
fn circles(core: &Core<'_>, x: &Rigid, side: f64) -> ([Circle; 3], usize) {
    let circle = |k: usize, c: f64| Circle { z: x.r.column(k).into_owned(), c };
    match *core {
        Core::Box(..) => ([circle(0, 0.0), circle(1, 0.0), circle(2, 0.0)], 3),
        Core::Cone(h, r) => ([circle(2, side * r / norm2(r, 2.0 * h)); 3], 1),
        Core::Point | Core::Segment(_) | Core::Poly(_) | Core::Cylinder(..) | Core::Ellipsoid(_) => {
            ([circle(2, 0.0); 3], 1)
        }
    }
}

/// Places looked at on a circle before its separation is taken to be flat; others need about 50.
const MOST: u32 = 1000;

struct Search<'a> {
    cores: &'a Cores<'a>,
    circle: Circle,
    frame: (Vec3, Vec3),
    /// Places that may still be looked at.
    left: u32,
}

impl Search<'_> {
    fn place(&self, at: (f64, f64)) -> Place {
        let radius = (1.0 - self.circle.c * self.circle.c).max(0.0).sqrt();
        let n = self.circle.z * self.circle.c + (self.frame.0 * at.0 + self.frame.1 * at.1) * radius;
        let (a, b) = self.cores.supports(&n);
        let p = a - b;
        let across = (self.frame.0.dot(&p) * radius, self.frame.1.dot(&p) * radius);
        Place { at, n, s: n.dot(&p), across, along: self.circle.z.dot(&p) * self.circle.c }
    }

    fn run(&mut self, best: &mut (f64, Option<Vec3>), depth: u32) {
        // bodies that are their own mirror images are deepest on the side of their centres: half a circle will do
        let towards = (-self.frame.0.dot(&self.cores.x.t), -self.frame.1.dot(&self.cores.x.t));
        let length = norm2(towards.0, towards.1);
        let (x, y) = if length > 0.0 { (towards.0 / length, towards.1 / length) } else { (1.0, 0.0) };
        let half = self.cores.a.symmetric() && self.cores.b.symmetric();
        let arcs = if half { 4 } else { 8 };
        // counter-clockwise from -90 degrees, by 45 degrees
        let turn = std::f64::consts::FRAC_1_SQRT_2;
        let mut at = (y, -x);
        let mut last = self.place(at);
        best_of(best, &last);
        for _ in 0..arcs {
            at = ((at.0 - at.1) * turn, (at.0 + at.1) * turn);
            let next = self.place(at);
            best_of(best, &next);
            self.arc(&last, &next, best, depth);
            last = next;
        }
    }

    /// Looks between two places, counter-clockwise.
    fn arc(&mut self, lo: &Place, hi: &Place, best: &mut (f64, Option<Vec3>), depth: u32) {
        // metres: what is gained above the best must be more than rounding
        let worth = WORTH_A_SEARCH * self.cores.size;
        let Some(at) = summit(lo, hi) else { return };
        let bound = lo.bound(at).min(hi.bound(at));
        if bound <= best.0 + worth || depth == 0 || self.left == 0 {
            return;
        }
        self.left -= 1;
        // sine: on an arc this short with a maximum in it there is no other, or none that is higher by much
        if lo.at.0 * hi.at.1 - lo.at.1 * hi.at.0 < 0.1 && lo.slope() > 0.0 && hi.slope() < 0.0 {
            let direction = |tan: f64| {
                let l = (1.0 + tan * tan).sqrt();
                ((at.0 - at.1 * tan) / l, (at.1 + at.0 * tan) / l)
            };
            let tangent = |p: &Place| (at.0 * p.at.1 - at.1 * p.at.0) / (at.0 * p.at.0 + at.1 * p.at.1);
            let slope = |tan: f64| self.place(direction(tan)).slope();
            let zero = LEVEL_SLOPE * self.cores.size;
            let root = falling_root(slope, tangent(lo), lo.slope(), tangent(hi), hi.slope(), zero);
            return best_of(best, &self.place(direction(root)));
        }
        let mid = self.place(at);
        best_of(best, &mid);
        self.arc(lo, &mid, best, depth - 1);
        self.arc(&mid, hi, best, depth - 1);
    }
}

fn best_of(best: &mut (f64, Option<Vec3>), p: &Place) {
    if p.s > best.0 {
        *best = (p.s, Some(p.n));
    }
}

/// Where the lesser of two places' bounds is greatest, strictly between them: at the top of one of the two waves, or
/// where they cross. Elsewhere it is greatest at the places themselves.
fn summit(lo: &Place, hi: &Place) -> Option<(f64, f64)> {
    let between =
        |at: &(f64, f64)| lo.at.0 * at.1 - lo.at.1 * at.0 > 0.0 && at.0 * hi.at.1 - at.1 * hi.at.0 > 0.0;
    for (p, other) in [(lo, hi), (hi, lo)] {
        let length = norm2(p.across.0, p.across.1);
        let top = (p.across.0 / length, p.across.1 / length);
        if length > 0.0 && between(&top) && p.bound(top) <= other.bound(top) {
            return Some(top);
        }
    }
    let (x, y) = (lo.across.0 - hi.across.0, lo.across.1 - hi.across.1);
    let length = norm2(x, y);
    if length == 0.0 {
        return None;
    }
    let (x, y, k) = (x / length, y / length, (hi.along - lo.along) / length);
    let up = (1.0 - k * k).max(0.0).sqrt();
    [(x * k - y * up, y * k + x * up), (x * k + y * up, y * k - x * up)].into_iter().find(between)
}
