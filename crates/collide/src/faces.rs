//! Face normals as contact axes of two convex cores, and what lies over a face.
//!
//! All faces of both, exactly, but for those that a point of the other body shows to be worse. The best one is *attained*, so that nothing else
//! need be looked at, if some point of one body over the other's face has that very signed distance.

use crate::convex::{Core, support_face};
use crate::gjk::Cores;
use crate::manifold;
use crate::polytope::Face;
use crate::rigid::{Rigid, Vec3, norm2};
use crate::separation::{Axis, BETTER};
use crate::tolerances::{OVER_FACE, SAME_DIRECTION};

/// The best face so far, and points of either body that bound what other faces can reach: s(n) ≤ n·(p - q) for any p in A
/// and q in B.
struct Faces<'a> {
    cores: &'a Cores<'a>,
    margin: f64,
    best: Option<Axis>,
    /// The middle and the deepest point: of a in b's frame, of b in a's.
    points: [[Vec3; 2]; 2],
    /// Support points met on the way, in the same frames: a point that ruled out one face rules out its neighbours.
    met: [Met; 2],
    keep: bool,
    done: bool,
}

/// The last points that were of use, the last of all first.
#[derive(Debug, Clone, Copy)]
struct Met {
    points: [Vec3; MET],
    count: usize,
}

/// Points that are kept: more cost more to ask than the support points they save.
const MET: usize = 12;

impl Met {
    const NONE: Self = Self { points: [Vec3::new(0.0, 0.0, 0.0); MET], count: 0 };

    fn add(&mut self, p: Vec3) {
        self.count = (self.count + 1).min(MET);
        self.points[self.count - 1] = p;
        self.points[..self.count].rotate_right(1);
    }

    /// Whether one of the points is less than `floor` outside of a plane.
    fn rule_out(&mut self, m: &Vec3, offset: f64, floor: f64) -> bool {
        let at = self.points[..self.count].iter().position(|q| m.dot(q) - offset < floor);
        if let Some(k) = at {
            self.points[..=k].rotate_right(1);
        }
        at.is_some()
    }
}

/// Up to this many faces or edges a bound on each costs more than it saves.
pub(crate) const FEW: usize = 12;

impl Faces<'_> {
    /// Whether face `i` of a core, with outward normal `m`, cannot beat the best; `other` is which body the points of are asked.
    fn beaten(&mut self, core: &Core<'_>, m: &Vec3, i: u32, other: usize) -> bool {
        let (Some(best), Some(p)) = (self.best, core.polytope().filter(|p| p.faces.len() > FEW)) else {
            return false;
        };
        let offset = p.faces[i as usize].offset;
        self.points[other].iter().any(|q| m.dot(q) - offset < best.s)
            || (p.index.is_some() && self.met[other].rule_out(m, offset, best.s))
    }

    fn consider(&mut self, n: Vec3) {
        let (p, q) = self.cores.supports(&n);
        let s = n.dot(&(p - q));
        if self.keep {
            self.met[0].add(self.cores.x.inv_point(&p));
            self.met[1].add(q);
        }
        if self.best.is_none_or(|b| s > b.s + BETTER * self.cores.size) {
            self.best = Some(Axis { n, s, witness: None });
            self.points[0][1] = self.cores.x.inv_point(&p);
            self.points[1][1] = q;
        }
        self.done = s > self.margin;
    }
}

/// The best face axis of either core; ties go to a.
///
/// Large polyhedra look only at faces that may be as good as `guess`, some direction with its separation: the others, by a
/// bound on their trees, are worse than the greatest separation by more than what counts as a tie, so the answer is that of all
/// faces wherever a face is the answer.
pub(crate) fn best_face(
    cores: &Cores<'_>,
    margin: f64,
    guess: Option<&Axis>,
    few: &mut Vec<u32>,
) -> Option<Axis> {
    if let (Core::Box(ha, _), Core::Box(hb, _)) = (&cores.a, &cores.b) {
        return Some(best_box_face(ha, hb, cores, margin));
    }
    let (of_a, of_b) = (cores.x.inv_point(&middle(&cores.a)), cores.x.point(&middle(&cores.b)));
    let mut points = [[of_a; 2], [of_b; 2]];
    if let Some(g) = guess {
        let (p, q) = g.witness.unwrap_or_else(|| cores.supports(&g.n));
        (points[0][1], points[1][1]) = (cores.x.inv_point(&p), q);
    }
    let floor = guess.map(|g| g.s - 2.0 * BETTER * cores.size);
    let keep = [&cores.a, &cores.b].iter().any(|c| c.polytope().is_some_and(|p| p.index.is_some()));
    let mut faces = Faces { cores, margin, best: None, points, met: [Met::NONE; 2], keep, done: false };
    // a mirror-symmetric other body is deepest on the side of its centre
    let towards = cores.x.t;
    let skip = cores.b.symmetric() && cores.a.symmetric();
    visit_faces(&cores.a, floor, &points[1], few, |m, i| {
        let far_side = skip && m.dot(&towards) < 0.0;
        if !faces.done && !far_side && !faces.beaten(&cores.a, &m, i, 1) {
            faces.consider(-m);
        }
    });
    visit_faces(&cores.b, floor, &points[0], few, |m, i| {
        if !faces.done && !faces.beaten(&cores.b, &m, i, 0) {
            let m = cores.x.dir(&m);
            if !(skip && m.dot(&towards) > 0.0) {
                faces.consider(m);
            }
        }
    });
    faces.best
}

/// Faces by their order: all, or those of a large polyhedron that the other body's points let reach a floor.
fn visit_faces(
    core: &Core<'_>,
    floor: Option<f64>,
    others: &[Vec3; 2],
    few: &mut Vec<u32>,
    mut visit: impl FnMut(Vec3, u32),
) {
    match (core.polytope().and_then(|p| Some((p, p.index.as_ref()?))), floor) {
        (Some((p, index)), Some(floor)) => {
            index.faces_beyond(others, floor, few);
            for &i in few.iter() {
                let f = &p.faces[i as usize];
                if others.iter().all(|q| f.normal.dot(q) - f.offset >= floor) {
                    visit(f.normal, i);
                }
            }
        }
        _ => core.face_normals(visit),
    }
}

/// The points that face each other along an axis whose patches do not overlap. Over a flat face the place is that of the other
/// body's support point, if the face is under it: the face's own is any of its corners, and which one is rounding.
pub(crate) fn facing_points(cores: &Cores<'_>, axis: &Axis) -> (Vec3, Vec3) {
    let (p, q) = cores.supports(&axis.n);
    let step = axis.n * axis.s;
    if over_face(&cores.a, &-axis.n, &q, cores.size) {
        return (q + step, q);
    }
    if over_face(&cores.b, &cores.x.inv_dir(&axis.n), &cores.x.inv_point(&p), cores.size) {
        return (p, p - step);
    }
    axis.witness.unwrap_or_else(|| {
        let mut on_face = false;
        cores.a.face_normals(|m, _| on_face |= (m + axis.n).norm_squared() < SAME_DIRECTION);
        if on_face { (q + step, q) } else { (p, p - step) }
    })
}

/// Whether the face of a core with the outward normal `m` lies in line with a point along it.
fn over_face(core: &Core<'_>, m: &Vec3, point: &Vec3, size: f64) -> bool {
    // radians, squared, and metres: rounding of unit vectors, and the tolerance of a border
    const SAME: f64 = 1e-18;
    let tol = OVER_FACE * size;
    match *core {
        Core::Cylinder(_, r) | Core::Cone(_, r) => {
            let flat = matches!(core, Core::Cylinder(..)) || m.z < 0.0;
            flat && m.x * m.x + m.y * m.y < SAME && norm2(point.x, point.y) <= r + tol
        }
        Core::Box(_, p) | Core::Poly(p) => {
            let same = |f: &&Face| (f.normal - m).norm_squared() < SAME;
            let faces =
                if p.index.is_some() { std::slice::from_ref(&p.faces[support_face(p, m)]) } else { &p.faces };
            faces.iter().find(same).is_some_and(|f| {
                let corners = p.corners(f);
                let at = |i: usize| p.vertices[corners[i % corners.len()] as usize];
                (0..corners.len()).all(|i| {
                    let e = at(i + 1) - at(i);
                    e.cross(&(point - at(i))).dot(m) >= -tol * e.norm()
                })
            })
        }
        Core::Point | Core::Segment(_) | Core::Ellipsoid(_) => false,
    }
}

/// Two boxes: their six axes, separations by projected half extents.
fn best_box_face(ha: &Vec3, hb: &Vec3, cores: &Cores<'_>, margin: f64) -> Axis {
    let Rigid { r, t } = &cores.x;
    let size = r.abs();
    let (across_a, across_b) = (size * hb, size.tr_mul(ha));
    let seen_from_b = r.tr_mul(t);
    let mut best = Axis { n: Vec3::zeros(), s: f64::NEG_INFINITY, witness: None };
    for k in 0..6 {
        let (i, of_a) = (k % 3, k < 3);
        let s =
            if of_a { t[i].abs() - ha[i] - across_a[i] } else { seen_from_b[i].abs() - hb[i] - across_b[i] };
        if s <= best.s + BETTER * cores.size {
            continue;
        }
        let n = if of_a {
            Vec3::ith(i, if t[i] > 0.0 { -1.0 } else { 1.0 })
        } else {
            r.column(i) * if seen_from_b[i] < 0.0 { 1.0 } else { -1.0 }
        };
        best = Axis { n, s, witness: None };
        if s > margin {
            break;
        }
    }
    best
}

/// Whether some point p of one body has signed distance `s` to the other: then s is the greatest.
pub(crate) fn attained(cores: &Cores<'_>, axis: &Axis, points: &[manifold::Local]) -> bool {
    let tol = BETTER * cores.size;
    let deep = |l: &&manifold::Local| axis.n.dot(&(l.a - l.b)) <= axis.s + tol;
    let count = points.iter().filter(deep).count();
    if count == 0 {
        return false;
    }
    if axis.s >= 0.0 {
        // the closest points are joined by n itself, so the distance is attained
        return true;
    }
    // a ball of radius -s around p inside the other body: it cannot leave by less
    let (mean_a, mean_b) =
        points.iter().filter(deep).fold((Vec3::zeros(), Vec3::zeros()), |(a, b), l| (a + l.a, b + l.b));
    let inside_b = |p: &Vec3| cores.b.face_distance(&cores.x.inv_point(p)) <= axis.s + tol;
    let inside_a = |p: &Vec3| cores.a.face_distance(p) <= axis.s + tol;
    let scale = 1.0 / count as f64;
    inside_a(&(mean_b * scale))
        || inside_b(&(mean_a * scale))
        || points.iter().filter(deep).any(|l| inside_a(&l.b) || inside_b(&l.a))
}

/// A point within: the mean of the corners; the origin of a curved core.
pub(crate) fn middle(core: &Core<'_>) -> Vec3 {
    core.polytope().map_or_else(Vec3::zeros, |p| p.index.as_ref().map_or_else(|| p.mean(), |i| i.middle))
}
