//! The shortest way of a string around a ball or a cylinder between two points outside of it.
//!
//! Both are a circle in a plane: the ball's in the plane of its centre and the two points, the cylinder's in the plane across
//! its axis, with the height growing evenly along the way. Around the circle of radius r the way leaves from the points on two
//! tangents,
//! ```text
//!     t = (r² p ± r √(p² − r²) p⊥)/p²
//! ```
//! one pair on each side. The shorter is taken, and only if the straight line is blocked. A side site changes that where it lies opposite, its
//! mirror image in the centre between the two points: then the longer way is taken if the line is blocked, and the shorter if it is not (MuJoCo 4;
//! before, the way whose touching points were nearer to the site). If the site lies inside, the string runs inside of the circle and touches it in one point, where it is
//! reflected like light:
//! ```text
//!     asin(A z) + asin(B z) − 2 asin z + G = 0,    A = r/|p₀|, B = r/|p₁|, G the angle between p₀ and p₁
//! ```

use std::f64::consts::TAU;

use crate::tolerances::WRAP_END;
use gudgeon_spatial::{Pose, Vector3};
use nalgebra::Vector2;

/// A round body of a string's path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WrapShape {
    /// Radius, m.
    Sphere(f64),
    /// Radius, m; along z without end.
    Cylinder(f64),
}

type Flat = Vector2<f64>;

/// What is smaller is nothing, m and m².
const TINY: f64 = 1e-15;

/// Where the string touches first and last, and the length of the arc between; none if it goes straight.
pub(super) fn around(
    shape: WrapShape,
    x: &Pose,
    from: &Vector3<f64>,
    to: &Vector3<f64>,
    side: Option<&Vector3<f64>>,
) -> Option<(Vector3<f64>, Vector3<f64>, f64)> {
    let local = |p: &Vector3<f64>| x.rotation.transpose() * (p - x.translation);
    let (p, q) = (local(from), local(to));
    if p.norm() < TINY || q.norm() < TINY {
        return None;
    }
    let (radius, axes) = match shape {
        WrapShape::Sphere(radius) => (radius, plane_of(&p, &q)),
        WrapShape::Cylinder(radius) => (radius, [Vector3::x(), Vector3::y()]),
    };
    let flat = |v: &Vector3<f64>| Flat::new(v.dot(&axes[0]), v.dot(&axes[1]));
    let (a, b) = (flat(&p), flat(&q));
    let side = side.map(local);
    let (first, last, mut arc) = match side {
        Some(s) if s.norm() < radius => {
            let at = inside(&a, &b, radius)?;
            (at, at, 0.0)
        }
        _ => outside(&a, &b, radius, side.map(|s| flat(&s)))?,
    };
    let raise = |f: &Flat| axes[0] * f.x + axes[1] * f.y;
    let (mut first3, mut last3) = (raise(&first), raise(&last));
    if let WrapShape::Cylinder(_) = shape {
        let (before, after) = ((a - first).norm(), (b - last).norm());
        let whole = before + arc + after;
        let climb = q.z - p.z;
        first3.z = p.z + climb * before / whole;
        last3.z = p.z + climb * (before + arc) / whole;
        arc = arc.hypot(last3.z - first3.z);
    }
    Some((x.point(&first3), x.point(&last3), arc))
}

/// Two unit vectors that span the plane of the origin and two points, the first along `p`.
fn plane_of(p: &Vector3<f64>, q: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let first = p.normalize();
    let mut normal = p.cross(q);
    if normal.norm() < TINY {
        // on one line with the centre: any plane through it
        let k = first.iamin();
        normal = first.cross(&Vector3::ith(k, 1.0));
    }
    [first, normal.normalize().cross(&first)]
}

/// Touching points and arc around a circle about the origin.
fn outside(a: &Flat, b: &Flat, r: f64, side: Option<Flat>) -> Option<(Flat, Flat, f64)> {
    let (a2, b2, r2) = (a.norm_squared(), b.norm_squared(), r * r);
    let d = b - a;
    if a2 < r2 || b2 < r2 || r < TINY || d.norm_squared() < TINY {
        return None;
    }
    // the point of the straight line nearest to the centre
    let near = a + d * (-d.dot(a) / d.norm_squared()).clamp(0.0, 1.0);
    let blocked = near.norm_squared() <= r2;
    let opposed = side.is_some_and(|s| between(a, b, &-s));
    if !blocked && !opposed {
        return None;
    }
    let (root_a, root_b) = ((a2 - r2).sqrt(), (b2 - r2).sqrt());
    let tangent =
        |p: &Flat, p2: f64, root: f64, sign: f64| (p * r2 + Flat::new(p.y, -p.x) * (sign * r * root)) / p2;
    let [one, other] = [1.0, -1.0].map(|sign| {
        let (s, t) = (tangent(a, a2, root_a, sign), tangent(b, b2, root_b, -sign));
        let angle = (s.dot(&t) / (s.norm() * t.norm())).clamp(-1.0, 1.0).acos();
        // around the far side
        let angle = if turned(&s, &t) * sign > 0.0 { TAU - angle } else { angle };
        (s, t, r * angle)
    });
    // the straight pieces are as long on either way
    let shorter = one.2 <= other.2;
    Some(if shorter == (blocked && opposed) { other } else { one })
}

/// a × b.
fn turned(a: &Flat, b: &Flat) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Whether a direction lies between those of two points, on the side where they are less than half a turn apart.
fn between(a: &Flat, b: &Flat, direction: &Flat) -> bool {
    let turn = turned(a, b);
    turned(a, direction) * turn > 0.0 && turned(direction, b) * turn > 0.0
}

/// The point of a circle about the origin from which two points outside are seen under equal angles.
fn inside(a: &Flat, b: &Flat, r: f64) -> Option<Flat> {
    let (la, lb, d) = (a.norm(), b.norm(), b - a);
    if la <= r || lb <= r || r < TINY {
        return None;
    }
    let dd = d.norm_squared();
    if dd > TINY {
        let share = -d.dot(a) / dd;
        if share > 0.0 && share < 1.0 && (a + d * share).norm() <= r {
            return None;
        }
    }
    let middle = (a + b).try_normalize(TINY).map(|m| m * r);
    let cosine = (la * la + lb * lb - dd) / (2.0 * la * lb);
    if cosine < -1.0 + TINY {
        return None;
    }
    if cosine > 1.0 - TINY {
        return middle;
    }
    let (ra, rb, g) = (r / la, r / lb, cosine.acos());
    let f = |z: f64| (ra * z).asin() + (rb * z).asin() - 2.0 * z.asin() + g;
    // the function falls from g > 0 at 0; between 0 and 1 it changes sign once, or the middle will do
    let (mut lo, mut hi) = (0.0, 1.0 - WRAP_END);
    if f(hi) > 0.0 {
        return middle;
    }
    for _ in 0..60 {
        let half = 0.5 * (lo + hi);
        if f(half) > 0.0 { lo = half } else { hi = half }
    }
    let z = 0.5 * (lo + hi);
    let (from, ratio) = if a.x * b.y - a.y * b.x > 0.0 { (a / la, ra) } else { (b / lb, rb) };
    let turn = z.asin() - (ratio * z).asin();
    let (s, c) = turn.sin_cos();
    Some(Flat::new(c * from.x - s * from.y, s * from.x + c * from.y) * r)
}
