//! How near two bodies count, by place.
//!
//! Two bodies that turn past each other move fast in one place and hardly in another: wheels that mesh stand still at their pitch point. A
//! contact at p is sought up to
//! ```text
//!     near(p) = min(most, max(least, fall + |at + turn × p|))
//! ```
//! with `at + turn × p` twice the way of one body as seen from the other in a step, and `fall` what no velocity shows yet. On the way down two box
//! trees the bound over a box stands for it, asked anew only as long as a smaller box may say less than half a tenth below.

use crate::aabb::Aabb;
use crate::rigid::{Rigid, Vec3};

/// Rounding of what is compared with a gap.
const ROUNDING: f64 = 1e-9;
/// A box whose bound is lower than its parent's by no more than this part need not be halved for it: work, not contacts, depends on it.
const WORTH: f64 = 0.1;
/// How often a box is halved to show that nothing outruns what was sought; then it is taken for outrun.
const HALVINGS: u32 = 12;

/// How near contacts of two bodies are sought, metres; see the head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// Nowhere farther than this.
    pub most: f64,
    /// Everywhere as far as this.
    pub least: f64,
    /// Added to the way.
    pub fall: f64,
    /// The way at the origin of the world.
    pub at: Vec3,
    /// Radians: how it turns with the place.
    pub turn: Vec3,
}

/// The same everywhere, if nothing else was said: no distance at all.
impl Default for Near {
    fn default() -> Self {
        Self::within(0.0)
    }
}

/// What is sought in a box and below: how near, and whether smaller boxes need not be asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    pub near: f64,
    pub settled: bool,
}

impl Near {
    /// The same everywhere.
    pub fn within(distance: f64) -> Self {
        Self { most: distance, least: distance, fall: 0.0, at: Vec3::zeros(), turn: Vec3::zeros() }
    }

    /// No farther than this anywhere.
    #[must_use]
    pub fn no_more_than(self, distance: f64) -> Self {
        Self { most: self.most.min(distance), ..self }
    }

    /// Whether the place does not matter, or is not known.
    pub(crate) fn is_even(&self) -> bool {
        let known = self.at.iter().chain(self.turn.iter()).all(|x| x.is_finite());
        self.least >= self.most || self.turn == Vec3::zeros() || !known
    }

    /// From the axes of the world to those of a frame.
    pub(crate) fn seen_from(&self, x: &Rigid) -> Self {
        Self { at: x.inv_dir(&(self.at + self.turn.cross(&x.t))), turn: x.inv_dir(&self.turn), ..*self }
    }

    fn by_way(&self, way: f64) -> f64 {
        self.most.min(self.least.max(self.fall + way) * (1.0 + ROUNDING))
    }

    /// How near contacts at p are sought.
    pub(crate) fn at_point(&self, p: &Vec3) -> f64 {
        self.by_way((self.at + self.turn.cross(p)).norm())
    }

    /// Before anything is known of the place.
    pub(crate) fn anywhere(&self) -> Bound {
        Bound { near: self.most, settled: self.is_even() }
    }

    /// For contacts of what lies within a ball, where `before` holds around it: their points may be half of that outside.
    pub(crate) fn around(&self, centre: &Vec3, radius: f64, before: Bound) -> Bound {
        let middle = (self.at + self.turn.cross(centre)).norm();
        let aside = self.turn.norm() * (radius + 0.5 * before.near);
        let near = before.near.min(self.by_way(middle + aside));
        Bound { near, settled: self.by_way(middle - aside) >= (1.0 - WORTH) * near }
    }

    /// Whether contacts were sought as far as points of a box move past each other, when they move by `at + turn × p`, or as far
    /// as `whole` anyhow.
    pub fn covers(&self, at: &Vec3, turn: &Vec3, region: &Aabb, whole: f64) -> bool {
        self.least >= whole || self.covers_box(at, turn, region, whole, HALVINGS)
    }

    fn covers_box(&self, at: &Vec3, turn: &Vec3, region: &Aabb, whole: f64, halvings: u32) -> bool {
        let moved = farthest(at, turn, region);
        let (centre, half) = (region.center(), region.half());
        let lowest = if self.is_even() {
            self.most
        } else {
            self.by_way((self.at + self.turn.cross(&centre)).norm() - self.turn.norm() * half.norm())
        };
        if moved <= lowest || lowest >= whole {
            return true;
        }
        // half of |at + turn × p| is the way that was foreseen; the greater of least - s and s + fall is nowhere below their mean
        let other = farthest(&(at - 0.5 * self.at), &(turn - 0.5 * self.turn), region);
        if moved <= self.most && other <= 0.5 * (self.least + self.fall) {
            return true;
        }
        let there = (at + turn.cross(&centre)).norm();
        // also what is not a number
        let outrun = there.is_nan() || there > self.at_point(&centre).max(lowest);
        if halvings == 0 || outrun || self.is_even() {
            return false;
        }
        let k = half.imax();
        let (mut low, mut high) = (*region, *region);
        low.hi[k] = centre[k];
        high.lo[k] = centre[k];
        [low, high].iter().all(|part| self.covers_box(at, turn, part, whole, halvings - 1))
    }
}

/// The greatest length of `at + turn × p` in a box: it is convex in p, so at a corner.
fn farthest(at: &Vec3, turn: &Vec3, region: &Aabb) -> f64 {
    let corner = |k: u32| {
        let p = Vec3::from_fn(|i, _| if k >> i & 1 == 1 { region.hi[i] } else { region.lo[i] });
        (at + turn.cross(&p)).norm_squared()
    };
    let most = (0..8).map(corner).fold(0.0_f64, |m, d| if d <= m { m } else { d });
    if most.is_nan() { f64::INFINITY } else { most.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wheels() -> (Near, Aabb) {
        // a pitch point at x = 0.04: as seen from one wheel the other turns about it
        let turn = Vec3::new(0.0, 0.0, 0.02);
        let near = Near { most: 1e-3, least: 1e-4, fall: 0.0, at: -turn.cross(&(Vec3::x() * 0.04)), turn };
        (near, Aabb { lo: Vec3::new(0.035, -0.04, 0.0), hi: Vec3::new(0.045, 0.04, 0.01) })
    }

    #[test]
    fn a_bound_over_a_box_holds_in_it() {
        let (near, region) = wheels();
        let (centre, half) = (region.center(), region.half());
        let whole = near.around(&centre, half.norm(), near.anywhere());
        let part = Aabb { lo: Vec3::new(0.038, -0.002, 0.0), hi: Vec3::new(0.042, 0.002, 0.01) };
        let small = near.around(&part.center(), part.half().norm(), whole);
        assert!(small.near < 0.5 * whole.near, "{small:?} {whole:?}");
        for k in 0..8 {
            let p = Vec3::from_fn(|i, _| if k >> i & 1 == 1 { part.hi[i] } else { part.lo[i] });
            assert!(near.at_point(&p) <= small.near);
        }
    }

    #[test]
    fn the_foreseen_way_is_covered_and_a_jump_is_not() {
        let (near, region) = wheels();
        let (at, turn) = (0.5 * near.at, 0.5 * near.turn);
        assert!(near.covers(&at, &turn, &region, 1e-3));
        assert!(
            near.covers(&(1.2 * at), &(1.2 * turn), &region, 1e-3),
            "twice as fast is sought, a fifth faster is shown"
        );
        assert!(near.covers(&(-at), &(-turn), &region, 1e-3), "and the other way round");
        assert!(!near.covers(&(at + Vec3::y() * 3e-4), &turn, &region, 1e-3));
        assert!(near.covers(&(at + Vec3::y() * 3e-4), &turn, &region, 1e-4), "the whole margin was sought");
        assert!(!near.covers(&Vec3::repeat(f64::NAN), &turn, &region, 1e-3));
        assert!(Near::within(1e-3).covers(&(Vec3::x() * 9e-4), &Vec3::zeros(), &region, 1.0));
        assert!(!Near::within(1e-3).covers(&(Vec3::x() * 2e-3), &Vec3::zeros(), &region, 1.0));
    }
}
