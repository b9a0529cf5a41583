//! Slopes by central differences of the narrow phase, for contacts without a closed form.

use nalgebra::{Matrix3x6, Rotation3, Vector6};

use super::{ContactSlopes, SlopeSource, SlopeWorkspace};
use crate::contact::{ContactPoint, Raw};
use crate::pair;
use crate::rigid::{Rigid, Vec3};
use crate::shape::Shape;

/// Radians, and metres relative to the size: the cube of it is rounding, and so is rounding over it times a thousand.
const STEP: f64 = 3e-6;

/// Of the size: how much farther than the contact its moved self is looked for. More than it moves, by far; larger only costs time.
const FARTHER: f64 = 1e-3;

/// The contact that is asked after, and the shapes it is between.
struct Asked<'a> {
    a: &'a Shape,
    xa: &'a Rigid,
    b: &'a Shape,
    xb: &'a Rigid,
    contact: &'a ContactPoint,
    /// Metres.
    size: f64,
}

impl SlopeWorkspace {
    pub(super) fn differences(
        &mut self,
        a: &Shape,
        xa: &Rigid,
        b: &Shape,
        xb: &Rigid,
        contact: &ContactPoint,
    ) -> Option<ContactSlopes> {
        let extent = |s: &Shape, x: &Rigid| {
            let half = s.aabb_at(x).half().norm();
            if half.is_finite() { half } else { f64::INFINITY }
        };
        let size = extent(a, xa).min(extent(b, xb)).min(1e9);
        let asked = Asked { a, xa, b, xb, contact, size };
        let mut slopes = ContactSlopes {
            point: Matrix3x6::zeros(),
            normal: Matrix3x6::zeros(),
            gap: Vector6::zeros(),
            source: SlopeSource::Differences,
        };
        for k in 0..6 {
            let step = if k < 3 { STEP } else { STEP * size };
            let low = self.moved(&asked, k, -step)?;
            let high = self.moved(&asked, k, step)?;
            let scale = 0.5 / step;
            slopes.point.set_column(k, &((high.point - low.point) * scale));
            slopes.normal.set_column(k, &((high.normal - low.normal) * scale));
            slopes.gap[k] = (high.gap - low.gap) * scale;
        }
        Some(slopes)
    }

    /// The contact with a moved along one of its six ways about the contact point.
    fn moved(&mut self, asked: &Asked<'_>, way: usize, step: f64) -> Option<Raw> {
        let Asked { a, xa, b, xb, contact, size } = *asked;
        let mut axis = Vec3::zeros();
        axis[way % 3] = step;
        let p = contact.point;
        let x = if way < 3 {
            let r = Rotation3::new(axis).into_inner();
            Rigid { r: r * xa.r, t: p + r * (xa.t - p) }
        } else {
            Rigid { r: xa.r, t: xa.t + axis }
        };
        self.raw.clear();
        // metres: the contact itself may be as far as it is, and a little farther
        let margin = contact.gap.max(0.0) + FARTHER * size;
        pair::contacts(a, &x, b, xb, margin, &mut self.narrow, &mut self.raw);
        // the one that is nearest in place, direction and depth
        let off = |r: &Raw| {
            (r.point - p).norm_squared()
                + (r.normal - contact.normal).norm_squared() * size * size
                + (r.gap - contact.gap).powi(2)
        };
        let best = self.raw.iter().min_by(|r, s| off(r).total_cmp(&off(s)))?;
        // squared metres: a feature that moved a hundred steps for one is another feature
        (off(best) <= (300.0 * STEP * size).powi(2)).then_some(*best)
    }
}
