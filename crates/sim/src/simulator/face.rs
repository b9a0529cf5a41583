//! Points of a flat patch lie on the face whose normal they share.
//!
//! Collision detection puts a contact midway between two surfaces. A face that is tilted by φ over another, gaps g_i apart, then has its points
//! at heights of g_i / 2, and rows there contradict each other when the gaps close within the step: a plate that turns by φ to lie
//! flat draws its corners apart by ½ φ² of its width, so no motion lets all of them stick and meet.
//! ```text
//!     n·v_i = -g_i / dt       t·v_i = 0        ⇒        ω = φ / dt,        t·(ω × n) (g_i - g_j) / 2 ≠ 0
//! ```
//! For feet set down at 2 ms that is 1e-9 to 1e-7 m/s: more than the accuracy of an answer, so that all but a few corners must slip, and too little to
//! tell which, where normal forces are shared freely. On the face itself, p_i = m_i ± n g_i / 2, all heights are one height, and corners that
//! meet it stick as one. Rounds have no face: their contacts lie on the surface of what they touch.
//!
//! Two faces that lie on each other are level both, and rounding would say which is the face. There it is the one that leads when the least turn
//! parts them, so that the points go where they would go then.
//!
//! | symbol | meaning |
//! |---|---|
//! | n, g | normal, from b into a; gap, m |
//! | m, p | midway between the surfaces; where the rows of the contact act |
//! | rise | (p - m)·n / g: ½ on a, -½ on b, 0 midway |

use gudgeon_collide::{ContactPoint, Geometry, Kind, Shape};
use nalgebra::Isometry3;

/// Of two surfaces one is the face where its points are this much more level than those of the other.
const LEVEL: f64 = 1e-3;
/// What heights are rounded by, of the coordinates of the points: some bits of their sums.
const ROUNDED: f64 = 1e-15;

/// How flat a shape may be where it is touched.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Flat {
    Round,
    Faced,
    Plane,
}

/// The rise of the first points of `points`, and how many have it: those of one pair and one normal.
pub(super) fn rise(geometry: &Geometry, poses: &[Isometry3<f64>], points: &[ContactPoint]) -> (f64, usize) {
    let Some(first) = points.first() else { return (0.0, 0) };
    let of_one = |p: &&ContactPoint| (p.a, p.b) == (first.a, first.b) && p.normal == first.normal;
    let n = points.iter().take_while(of_one).count();
    let [a, b] = [first.a, first.b].map(|k| flat(&geometry.colliders()[k].shape));
    if a != b && (a == Flat::Plane || b == Flat::Plane || a == Flat::Round || b == Flat::Round) {
        return (if a > b { 0.5 } else { -0.5 }, n);
    }
    let spread = |side: f64| {
        let height = |p: &ContactPoint| p.normal.dot(&p.point) + side * p.gap;
        let (lo, hi) = points[..n]
            .iter()
            .map(height)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), h| (lo.min(h), hi.max(h)));
        hi - lo
    };
    let [on_a, on_b] = [0.5, -0.5].map(spread);
    let far = points[..n].iter().fold(0.0_f64, |m, p| m.max(p.point.amax()));
    let rise = if n > 1 && on_a.max(on_b) <= ROUNDED / LEVEL * far {
        geometry.leading_face(poses, first).map_or(0.0, |k| if k == first.a { 0.5 } else { -0.5 })
    } else if on_b < LEVEL * on_a {
        -0.5
    } else if on_a < LEVEL * on_b {
        0.5
    } else {
        0.0
    };
    (rise, n)
}

fn flat(shape: &Shape) -> Flat {
    match shape.kind() {
        Kind::Plane => Flat::Plane,
        Kind::Sphere(_) | Kind::Capsule { .. } | Kind::Ellipsoid(_) => Flat::Round,
        Kind::Box(..)
        | Kind::Cylinder { .. }
        | Kind::Cone { .. }
        | Kind::Convex(_)
        | Kind::Mesh(_)
        | Kind::Heightfield(_)
        | Kind::Compound(_) => Flat::Faced,
    }
}
