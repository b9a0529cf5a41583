//! Axis-aligned boxes: the currency of the trees.

use crate::rigid::{Rigid, Vec3};

/// The points p with `lo <= p <= hi`, component by component. Empty when `lo > hi`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Least corner.
    pub lo: Vec3,
    /// Greatest corner.
    pub hi: Vec3,
}

impl Aabb {
    /// Contains nothing; the neutral element of [`Aabb::join`].
    pub const EMPTY: Self = Self {
        lo: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        hi: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The smallest box around some points.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self { lo: b.lo.inf(p), hi: b.hi.sup(p) })
    }

    /// The box with centre `c` and half extents `h`.
    pub fn around(c: Vec3, h: Vec3) -> Self {
        Self { lo: c - h, hi: c + h }
    }

    /// The smallest box around both.
    #[inline]
    pub fn join(&self, other: &Self) -> Self {
        Self { lo: self.lo.inf(&other.lo), hi: self.hi.sup(&other.hi) }
    }

    /// Grown by `m` on every side.
    #[inline]
    pub fn grow(&self, m: f64) -> Self {
        let m = Vec3::repeat(m);
        Self { lo: self.lo - m, hi: self.hi + m }
    }

    /// Whether the closed boxes share a point.
    #[inline]
    pub fn meets(&self, o: &Self) -> bool {
        self.lo.x <= o.hi.x
            && o.lo.x <= self.hi.x
            && self.lo.y <= o.hi.y
            && o.lo.y <= self.hi.y
            && self.lo.z <= o.hi.z
            && o.lo.z <= self.hi.z
    }

    /// Whether another box is within this one.
    #[inline]
    pub(crate) fn holds(&self, o: &Self) -> bool {
        (0..3).all(|k| self.lo[k] <= o.lo[k] && o.hi[k] <= self.hi[k])
    }

    /// Centre.
    #[inline]
    pub fn center(&self) -> Vec3 {
        (self.lo + self.hi) * 0.5
    }

    /// Half extents.
    #[inline]
    pub fn half(&self) -> Vec3 {
        (self.hi - self.lo) * 0.5
    }

    /// Squared distance from a point, 0 inside.
    #[inline]
    pub(crate) fn distance_squared(&self, p: &Vec3) -> f64 {
        let d = (self.lo - p).sup(&(p - self.hi)).sup(&Vec3::zeros());
        d.norm_squared()
    }

    /// The axis-aligned box around this box moved by `x`.
    pub(crate) fn moved(&self, x: &Rigid) -> Self {
        Self::around(x.point(&self.center()), x.r.abs() * self.half())
    }

    /// Where the ray `o + t d`, given 1/d, enters: the least t >= 0 within [0, max], if any.
    #[inline]
    pub(crate) fn ray(&self, o: &Vec3, inv: &Vec3, max: f64) -> Option<f64> {
        let (mut t0, mut t1) = (0.0_f64, max);
        for k in 0..3 {
            let (a, b) = ((self.lo[k] - o[k]) * inv[k], (self.hi[k] - o[k]) * inv[k]);
            // a NaN (0 * inf: the origin on a slab the ray runs along) leaves the interval as it is
            t0 = t0.max(a.min(b));
            t1 = t1.min(a.max(b));
        }
        (t0 <= t1).then_some(t0)
    }
}
