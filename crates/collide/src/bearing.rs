//! Which points of a flat patch bear: the others can carry nothing that these do not.
//!
//! Points of one normal between the same two bodies move as a plane does: the gaps at the end of a step are
//! ```text
//!     gap_i + dt (a + b x_i + c y_i) ≥ 0                 (x, y) in the plane, a, b, c of the motion
//! ```
//! three unknowns for all of them, whatever colliders they come from. A point whose gap is no smaller than a mean of
//! others' gaps, with weights that give its place too, is kept open by these: its row is theirs, and so is its force,
//! in force and moment. What is left is the lower hull of (x, y, gap).
//!
//! Kept: the corners of the hull in the plane, and inside it what is deeper than the fan of the corners about the
//! deepest point, deepest first. That is the lower hull where surfaces are flat, and more than it where they bend.

use crate::reduce::convex_hull;
use crate::rigid::{Vec3, tangents};
use crate::tolerances::IN_TRIANGLE;

/// Part of the patch by which a corner sticks out at least: as in the reduction of one pair.
const CORNER: f64 = 1e-6;

/// Part of the patch that counts as no depth: coordinates of a metre have 1e-16, and hulls of files 1e-9.
const LEVEL: f64 = 1e-8;

/// Memory of [`Bearing::keep`].
#[derive(Debug, Clone, Default)]
pub struct Bearing {
    flat: Vec<(f64, f64, u32)>,
    at: Vec<[f64; 3]>, // x, y, gap
    hull: Vec<u32>,
    ring: Vec<u32>,
    order: Vec<u32>,
}

impl Bearing {
    /// Tells which points of a patch bear: `points` are places and gaps, metres, in any order that does not depend on
    /// chance; `keep` has one word for each.
    pub fn keep(&mut self, normal: &Vec3, points: &[(Vec3, f64)], keep: &mut Vec<bool>) {
        keep.clear();
        keep.resize(points.len(), true);
        if points.len() < 4 {
            return;
        }
        let origin = points[0].0;
        let (t1, t2) = tangents(normal);
        self.at.clear();
        self.at.extend(points.iter().map(|(p, gap)| [t1.dot(&(p - origin)), t2.dot(&(p - origin)), *gap]));
        let spread = self.at.iter().fold(0.0_f64, |m, p| m.max(p[0].abs()).max(p[1].abs()));
        self.flat.clear();
        self.flat.extend(self.at.iter().zip(0..).map(|(p, i)| (p[0], p[1], i)));
        convex_hull(&mut self.flat, &mut self.hull, CORNER * spread);
        keep.fill(false);
        self.hull.iter().for_each(|&i| keep[i as usize] = true);
        self.order.clear();
        self.order.extend((0..points.len()).filter(|&i| !keep[i]).map(crate::error::count));
        let at = &self.at;
        self.order.sort_unstable_by(|&i, &j| at[i as usize][2].total_cmp(&at[j as usize][2]).then(i.cmp(&j)));
        self.round();
        let deepest = self.order.first().copied();
        for &i in &self.order {
            keep[i as usize] = !self.borne(i, deepest, LEVEL * spread);
        }
    }

    /// The corners in their order around the patch.
    fn round(&mut self) {
        let Self { at, hull, ring, .. } = self;
        ring.clone_from(hull);
        let count = ring.len().max(1) as f64;
        let centre = [0, 1].map(|k| ring.iter().map(|&i| at[i as usize][k]).sum::<f64>() / count);
        let angle = |i: u32| (at[i as usize][1] - centre[1]).atan2(at[i as usize][0] - centre[0]);
        ring.sort_unstable_by(|&i, &j| angle(i).total_cmp(&angle(j)).then(i.cmp(&j)));
    }

    /// Whether a triangle of corners, or of two corners and the deepest point, is under point `i` or as deep.
    fn borne(&self, i: u32, deepest: Option<u32>, level: f64) -> bool {
        let p = self.at[i as usize];
        let n = self.ring.len();
        if n < 3 {
            return false;
        }
        let under = |a: u32, b: u32, c: u32| {
            let [a, b, c] = [a, b, c].map(|k| self.at[k as usize]);
            beneath(&p, &a, &b, &c).is_some_and(|gap| gap <= p[2] + level)
        };
        let corners = (1..n - 1).any(|k| under(self.ring[0], self.ring[k], self.ring[k + 1]));
        let fan = |d: u32| (0..n).any(|k| under(d, self.ring[k], self.ring[(k + 1) % n]));
        corners || deepest.filter(|&d| d != i).is_some_and(fan)
    }
}

/// The gap of a triangle's plane at a point in it, or none beside it.
fn beneath(p: &[f64; 3], a: &[f64; 3], b: &[f64; 3], c: &[f64; 3]) -> Option<f64> {
    let cross = |o: &[f64; 3], a: &[f64; 3], b: &[f64; 3]| {
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    let area = cross(a, b, c);
    let parts = [cross(p, b, c) / area, cross(a, p, c) / area, cross(a, b, p) / area];
    // rounding of the border between two triangles
    let inside = parts.iter().all(|w| *w >= -IN_TRIANGLE);
    inside.then(|| parts[0] * a[2] + parts[1] * b[2] + parts[2] * c[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(points: &[(Vec3, f64)]) -> Vec<usize> {
        let mut keep = Vec::new();
        Bearing::default().keep(&Vec3::z(), points, &mut keep);
        (0..points.len()).filter(|&i| keep[i]).collect()
    }

    fn grid(n: u32, gap: impl Fn(f64, f64) -> f64) -> Vec<(Vec3, f64)> {
        let place = |k: u32| f64::from(k) / f64::from(n - 1) - 0.5;
        (0..n * n)
            .map(|k| {
                let (x, y) = (place(k % n), place(k / n));
                (Vec3::new(x, y, 0.0), gap(x, y))
            })
            .collect()
    }

    #[test]
    fn of_a_flat_grid_four_corners_bear() {
        assert_eq!(kept(&grid(9, |_, _| -1e-4)), [0, 8, 72, 80]);
        // tilted: gaps are those of a plane
        assert_eq!(kept(&grid(9, |x, y| 1e-3 + 1e-3 * x - 2e-4 * y)), [0, 8, 72, 80]);
    }

    #[test]
    fn a_point_deeper_than_its_corners_stays() {
        let mut points = grid(5, |_, _| 1e-4);
        points[12].1 = 0.0;
        assert_eq!(kept(&points), [0, 4, 12, 20, 24]);
        // and every motion that keeps those open keeps all open, on a saddle
        let mut points = grid(7, |x, y| 1e-3 * (x * x - y * y) + 1e-4 * (37.0 * x + 11.0 * y).sin());
        points.rotate_left(13);
        let stay = kept(&points);
        assert!(stay.len() < points.len());
        for k in 0..400 {
            let k = f64::from(k);
            let (b, c) = (1e-3 * (1.3 * k).sin(), 1e-3 * (2.7 * k).cos());
            let open = |(p, gap): &(Vec3, f64)| gap + b * p.x + c * p.y;
            let least =
                |all: &mut dyn Iterator<Item = usize>| all.map(|i| open(&points[i])).fold(f64::MAX, f64::min);
            let (all, some) = (least(&mut (0..points.len())), least(&mut stay.iter().copied()));
            assert!(some - all <= LEVEL, "{some:e} is not {all:e}");
        }
    }

    #[test]
    fn a_line_and_few_points_stay_what_they_are() {
        let line: Vec<_> = (0..12).map(|k| (Vec3::new(f64::from(k), 0.0, 0.0), 0.0)).collect();
        assert_eq!(kept(&line).len(), 12);
        assert_eq!(kept(&line[..3]).len(), 3);
    }
}
