//! The contact axis of two convex cores: the unit vector n, from b into a, that maximises the separation
//! ```text
//!     s(n) = min_{a in A} n.a - max_{b in B} n.b
//! ```
//! Its greatest value is the signed distance: positive apart, minus the penetration depth otherwise.
//! Every n gives a lower bound, so candidates can be compared and none can do harm.
//!
//! 1. Face normals of both (`faces`), which a point of one body over the other's face certifies. All resting contacts end here.
//! 2. Polyhedra that overlap: edge pairs whose arcs cross on the Gauss map. With step 1 that is every
//!    candidate there is. Edges none of whose directions can beat the best face are left out first (`reach`).
//! 3. A box or segment that overlaps a cylinder or cone: a few circles (`circles`).
//! 4. Otherwise a rough direction (`gjk`) is refined on the features it points at (`refine`).

use crate::circles;
use crate::convex::Core;
use crate::faces::{FEW, attained, middle};
use crate::gjk::{self, Cores};
use crate::manifold;
use crate::refine;
use crate::rigid::{Rigid, Vec3};
use crate::separation::{Axis, BETTER, closest_on_segments};
use crate::tolerances::{ARC_END, NO_LENGTH, PARALLEL_EDGES, WORTH_A_SEARCH};

/// Edge i of a core as end points, direction and the two inward directions.
struct CoreEdge {
    p: Vec3,
    q: Vec3,
    dir: Vec3,
    inward: [Vec3; 2],
}

fn core_edges(core: &Core<'_>, mut visit: impl FnMut(CoreEdge)) {
    if let Core::Segment(h) = *core {
        let e = Vec3::new(0.0, 0.0, h);
        visit(CoreEdge { p: -e, q: e, dir: Vec3::z(), inward: [Vec3::zeros(); 2] });
    } else if let Some(p) = core.polytope() {
        let at = |i: u32| p.vertices[i as usize];
        for e in &p.edges {
            visit(CoreEdge { p: at(e.ends[0]), q: at(e.ends[1]), dir: e.dir, inward: e.inward });
        }
    }
}

pub(crate) fn polyhedral(core: &Core<'_>) -> bool {
    matches!(core, Core::Point | Core::Segment(_) | Core::Box(..) | Core::Poly(_))
}

/// No axis across this edge separates by more than this, given points of the other body.
///
/// The axis is ±m with m on the arc between the outward normals m₀ and m₁ of the edge's two faces. With w from the edge to a
/// point of the other body its separation is at most m·w, and on an arc of angle θ
/// ```text
///     m·w ≤ max(m₀·w, m₁·w)     if that is negative,     that / cos(θ/2)     otherwise
/// ```
fn reach(core: &Core<'_>, edge: &CoreEdge, others: &[Vec3; 2]) -> f64 {
    let [in0, in1] = &edge.inward;
    // a knife's edge, of which a triangle has three, has no arc to speak of but half a circle
    if core.polytope().is_none_or(|p| p.edges.len() <= FEW) || in0.dot(in1) > 0.99 {
        return f64::INFINITY;
    }
    let outward = |own: &Vec3, other: &Vec3| {
        let m = edge.dir.cross(own);
        if m.dot(other) > 0.0 { -m } else { m }
    };
    let (m0, m1) = (outward(in0, in1), outward(in1, in0));
    let half = 0.5 * (m0 + m1).norm(); // cos(θ/2)
    let bound = |other: &Vec3| {
        let w = other - edge.p;
        let most = m0.dot(&w).max(m1.dot(&w));
        if most > 0.0 { most / half } else { most }
    };
    bound(&others[0]).min(bound(&others[1]))
}

/// The best axis across two edges [Gauss map], if any pair of edges can touch and be as good as the best face.
/// `least` is the best direction known, a face's or another.
fn best_edges(cores: &Cores<'_>, least: Option<Axis>, scratch: &mut Vec<[Vec3; 5]>) -> Option<Axis> {
    let floor = least.map_or(f64::NEG_INFINITY, |f| f.s - 4.0 * BETTER * cores.size);
    let (deep_a, deep_b) = least.map_or((Vec3::zeros(), cores.x.t), |f| cores.supports(&f.n));
    let of_a = [middle(&cores.a), deep_a].map(|p| cores.x.inv_point(&p));
    let of_b = [cores.x.point(&middle(&cores.b)), deep_b];
    scratch.clear();
    core_edges(&cores.b, |e| {
        if reach(&cores.b, &e, &of_a) < floor {
            return;
        }
        let d = |v: &Vec3| cores.x.dir(v);
        scratch.push([cores.x.point(&e.p), cores.x.point(&e.q), d(&e.dir), d(&e.inward[0]), d(&e.inward[1])]);
    });
    let mut best: Option<(Axis, [Vec3; 4])> = None;
    // sine of the angle between arcs and their ends: rounding of unit vectors, no more
    let slack = ARC_END;
    core_edges(&cores.a, |e| {
        if reach(&cores.a, &e, &of_b) < floor {
            return;
        }
        for [p, q, dir, in0, in1] in scratch.iter() {
            let x = e.dir.cross(dir);
            let (a0, a1, b0, b1) = (x.dot(&e.inward[0]), x.dot(&e.inward[1]), x.dot(in0), x.dot(in1));
            for sign in [1.0, -1.0] {
                // -n in the normal cone of a's edge, n in that of b's
                if sign * a0 < -slack || sign * a1 < -slack || sign * b0 > slack || sign * b1 > slack {
                    continue;
                }
                let length = x.norm();
                // parallel edges: their axis is a face's or a vertex's
                if length < PARALLEL_EDGES {
                    continue;
                }
                let n = x * (sign / length);
                let s = n.dot(&(e.p - p));
                if best.as_ref().is_none_or(|(b, _)| s > b.s) {
                    best = Some((Axis { n, s, witness: None }, [e.p, e.q, *p, *q]));
                }
            }
        }
    });
    best.map(|(axis, [p, q, u, v])| {
        let s = cores.separation(&axis.n);
        Axis { n: axis.n, s, witness: Some(closest_on_segments(&p, &q, &u, &v)) }
    })
}

/// Two boxes: the nine products of axes, separations by projected half extents.
fn best_box_edges(ha: &Vec3, hb: &Vec3, x: &Rigid) -> Option<Vec3> {
    let mut best: Option<(f64, Vec3)> = None;
    for i in 0..3 {
        for j in 0..3 {
            let mut e = Vec3::zeros();
            e[i] = 1.0;
            let f = x.r.column(j).into_owned();
            let c = e.cross(&f);
            let length = c.norm();
            if length < PARALLEL_EDGES {
                continue;
            }
            let n = if c.dot(&x.t) > 0.0 { -c / length } else { c / length };
            let s = n.dot(&-x.t) - n.abs().dot(ha) - x.r.tr_mul(&n).abs().dot(hb);
            if best.is_none_or(|b| s > b.0) {
                best = Some((s, n));
            }
        }
    }
    best.map(|b| b.1)
}

/// Whether all pairs of edges are tried sooner than a face axis is certified: two boxes have nine.
pub(crate) fn few_edges(cores: &Cores<'_>) -> bool {
    matches!((&cores.a, &cores.b), (Core::Box(..), Core::Box(..)))
}

/// The axis when no face axis is certified. `face` is the best of those. Of polyhedra with too many pairs of edges to try the best
/// of all directions is `known` already, or some direction is, by `guess`, which pairs that are worse than it are left out for.
pub(crate) fn search(
    cores: &Cores<'_>,
    face: Option<Axis>,
    known: Option<Axis>,
    guess: Option<Axis>,
    margin: f64,
    scratch: &mut AxisScratch,
) -> Option<Axis> {
    let better = |best: Option<Axis>, other: Option<Axis>| match (best, other) {
        (Some(b), Some(o)) if o.s > b.s + BETTER * cores.size => Some(o),
        // as good: the face's exact normal, and the closest points the other knows
        (Some(b), Some(o)) if o.s >= b.s - BETTER * cores.size => {
            Some(Axis { witness: b.witness.or(o.witness), ..b })
        }
        (b, o) => b.or(o),
    };
    let mut best = face;
    if known.is_some() {
        return better(best, known);
    }
    if polyhedral(&cores.a) && polyhedral(&cores.b) {
        let edge = if let (Core::Box(ha, _), Core::Box(hb, _)) = (&cores.a, &cores.b) {
            best_box_edges(ha, hb, &cores.x).map(|n| {
                let (p, q) = (box_edge(&cores.a, &-n), box_edge(&cores.b, &cores.x.inv_dir(&n)));
                let (u, v) = (cores.x.point(&q.0), cores.x.point(&q.1));
                Axis { n, s: cores.separation(&n), witness: Some(closest_on_segments(&p.0, &p.1, &u, &v)) }
            })
        } else {
            let least = guess.filter(|g| face.is_none_or(|f| g.s > f.s)).or(face);
            best_edges(cores, least, &mut scratch.edges)
        };
        best = better(best, edge);
        if best.is_some_and(|b| b.s <= 0.0 || b.s > margin) {
            return best;
        }
        // apart across a face or two edges: attained if the patches overlap at the deepest point
        if let Some(b) = best {
            scratch.points.clear();
            manifold::overlap(cores, &b.n, margin, &mut scratch.manifold, &mut scratch.points);
            if attained(cores, &b, &scratch.points) {
                return best;
            }
        }
    }
    let on_circles = circles::serve(cores);
    if on_circles {
        let floor = best.map_or(f64::NEG_INFINITY, |b| b.s + BETTER * cores.size);
        // the best of a bounded search is good to 1e-13 in depth, so to 1e-7 in direction: refined like any other
        let found = circles::highest(cores, floor).filter(|f| f.0 <= 0.0);
        best = better(best, found.map(|(_, n)| refine::refine(cores, &n, &mut scratch.refine)));
        // the cores do overlap if both hold the middle between the closest points
        let meet = |(p, q): (Vec3, Vec3)| {
            let m = (p + q) * 0.5;
            cores.a.face_distance(&m) <= 0.0 && cores.b.face_distance(&cores.x.inv_point(&m)) <= 0.0
        };
        if best.is_some_and(|b| b.s <= 0.0 && b.witness.is_some_and(meet)) {
            return best;
        }
    }
    let start = best.map_or_else(|| cores.x.t.try_normalize(NO_LENGTH).map_or(Vec3::z(), |t| -t), |b| b.n);
    let (rough, count) = gjk::rough_axes(cores, &start, margin, !on_circles, &mut scratch.expanding);
    if count == 0 {
        return best;
    }
    let apart = cores.separation(&rough[0].0);
    if apart > margin {
        return Some(Axis { n: rough[0].0, s: apart, witness: None });
    }
    for (n, most) in &rough[..count] {
        // a facet of the polytope within C cannot lead to a separation above minus its distance
        if best.is_none_or(|b| b.s < *most) {
            let mut found = refine::refine(cores, n, &mut scratch.refine);
            // a better direction may point at other features: once more from there, while it gains
            for _ in 0..4 {
                let next = refine::refine(cores, &found.n, &mut scratch.refine);
                if next.s <= found.s + WORTH_A_SEARCH * cores.size {
                    break;
                }
                found = next;
            }
            best = better(best, Some(found));
        }
    }
    best
}

/// The edge of a box supporting the direction `d`, which is perpendicular to it up to rounding.
fn box_edge(core: &Core<'_>, d: &Vec3) -> (Vec3, Vec3) {
    let Core::Box(h, _) = core else { unreachable!("called for boxes") };
    let k = d.abs().imin();
    let mut p = core.support(d);
    p[k] = -h[k];
    let mut q = p;
    q[k] = h[k];
    (p, q)
}

/// Memory of the search.
#[derive(Debug, Clone, Default)]
pub(crate) struct AxisScratch {
    edges: Vec<[Vec3; 5]>,
    pub(crate) expanding: gjk::ExpandScratch,
    refine: refine::RefineScratch,
    manifold: manifold::ClipScratch,
    points: Vec<manifold::Local>,
}
