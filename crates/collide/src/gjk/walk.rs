//! The Gilbert-Johnson-Keerthi walk: from support point to support point towards the point of C nearest the origin.
//!
//! A simplex of at most four points of C is kept. Each step adds the support point along the direction to the origin and leaves
//! the corners that carry the new nearest point; four corners that carry it enclose the origin.

use crate::rigid::Vec3;

use super::{Cores, Diff, Seats};

/// Where the walk towards the origin ended.
pub(super) enum Walk {
    /// At this direction: as far as asked for, or as near as it gets.
    At(Vec3),
    /// At the point of C nearest the origin, on this face of a simplex.
    On([Diff; 4], usize, Vec3),
    /// The origin is inside, or too near to tell.
    In([Diff; 4], usize),
}

/// Steps after which the walk towards the origin hands over what it has.
const STEPS: usize = 48;
/// Of the size: an origin nearer than this to C has a direction that is noise, and the cores count as touching.
const TOUCHING: f64 = 1e-10;
/// Of the distance: what may be left to gain where the direction is refined afterwards.
const NEARLY: f64 = 1e-9;
/// Of the size: what rounding leaves, where the simplex is the answer.
const EXACTLY: f64 = 1e-15;
/// Height of a tetrahedron, of the length of its edge: below this it has no inside.
const FLAT: f64 = 1e-10;

/// From the support point along `start`; ends early at a direction that separates by more than `margin`. `exact` ends on a simplex
/// of the nearest point, not at a direction near it.
pub(super) fn walk(cores: &Cores<'_>, start: &Vec3, margin: f64, exact: bool, at: &mut Seats) -> Walk {
    let mut simplex = [Diff::default(); 4];
    let mut len = 1;
    simplex[0] = cores.difference(start, at);
    let mut v = simplex[0].w;
    // the best direction met on the way: should it separate, no rounding can make the cores overlap
    let mut best = (0.0, *start);
    for _ in 0..STEPS {
        if v.norm() <= TOUCHING * cores.size {
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
        // v is nearest C when no point of C is nearer along it
        let near = if exact { EXACTLY * cores.size } else { NEARLY * v.norm() };
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
    if len < 4 && v.norm() > TOUCHING * cores.size {
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
                let flat = opposite.abs() <= FLAT * n.norm() * (s[l] - s[i]).norm();
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
