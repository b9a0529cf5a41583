//! A direction and how far two cores are apart along it: what the searches for the best one hand to each other.

use crate::rigid::Vec3;
use crate::tolerances::PARALLEL_LINES;

/// An axis, its separation, and the closest points where they are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub n: Vec3,
    pub s: f64,
    /// On a and on b; absent for face axes, whose patches overlap at the deepest point.
    pub witness: Option<(Vec3, Vec3)>,
}

/// Metres relative to the size: by this much an edge axis must beat a face axis. Below it the two are
/// the same contact, and a face gives more points.
pub(crate) const BETTER: f64 = 1e-10;

/// The closest points of segments p q and u v; a segment may be a point.
pub(crate) fn closest_on_segments(p: &Vec3, q: &Vec3, u: &Vec3, v: &Vec3) -> (Vec3, Vec3) {
    let (d, e, r) = (q - p, v - u, p - u);
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(&e));
    let (dr, er) = (d.dot(&r), e.dot(&r));
    let clamp = |x: f64| x.clamp(0.0, 1.0);
    let det = dd * ee - de * de;
    let mut s =
        if det > PARALLEL_LINES * dd * ee && det > 0.0 { clamp((de * er - dr * ee) / det) } else { 0.5 };
    if dd == 0.0 {
        s = 0.0;
    }
    let t = if ee > 0.0 { clamp((de * s + er) / ee) } else { 0.0 };
    // t was clamped: s follows
    if dd > 0.0 {
        s = clamp((de * t - dr) / dd);
    }
    (p + d * s, u + e * t)
}
