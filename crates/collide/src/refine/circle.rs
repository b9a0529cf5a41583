//! The best direction on a circle of directions square to a straight feature.

use super::Flat;
use crate::gjk::Cores;
use crate::rigid::Vec3;
use crate::tolerances::{AT_KINK, LEVEL_SLOPE, NO_PART};

/// Kinks of a circle that are looked at before false position: each lies between the two faces on either side of the best one known.
const KINKS: usize = 4;

/// Tangent of the angle to either side of the rough direction at which a bracket begins: it widens until it holds the maximum, so a
/// larger or smaller one costs evaluations, not answers.
const FIRST_LOOK: f64 = 1e-3;

/// The best n with n.z = c, near `rough`: where ds/dphi falls through zero on that circle, bracketed, at a kink by its two sides and else by false
/// position. The angle is kept as its tangent, so that a step costs a square root and no sine. None where it would separate by no more than `least`.
pub(super) fn on_circle(cores: &Cores<'_>, f: &Flat, rough: &Vec3, least: f64) -> Option<Vec3> {
    let u = (rough - f.z * f.z.dot(rough)).try_normalize(NO_PART)?;
    let v = f.z.cross(&u);
    let radius = (1.0 - f.c * f.c).max(0.0).sqrt();
    let at = |tan: f64| f.z * f.c + (u + v * tan) * (radius / (1.0 + tan * tan).sqrt());
    let look = |tan: f64| {
        let (a, b) = cores.supports(&at(tan));
        let w = a - b;
        CircleEnd { tan, w, slope: w.dot(&(v - u * tan)) }
    };
    // ds/dphi falls through zero at a maximum
    let mut reach = FIRST_LOOK;
    let (mut lo, mut hi) = (look(-reach), look(reach));
    while lo.slope <= 0.0 || hi.slope >= 0.0 {
        reach *= 4.0;
        if reach > 0.3 {
            return None;
        }
        (lo, hi) = (look(-reach), look(reach));
    }
    for _ in 0..KINKS {
        let Some((tan, most)) = CircleEnd::crossing(&lo, &hi, &u, &v).filter(|_| f.c == 0.0) else { break };
        if most <= least {
            return None;
        }
        let mid = look(tan);
        if at(tan).dot(&mid.w) >= most - AT_KINK * cores.size {
            return Some(at(tan));
        }
        let side = if mid.slope > 0.0 { &mut lo } else { &mut hi };
        *side = mid;
    }
    let slope = |tan: f64| look(tan).slope;
    Some(at(falling_root(slope, lo.tan, lo.slope, hi.tan, hi.slope, LEVEL_SLOPE * cores.size)))
}

/// A direction of a circle, the difference of supports there, and the slope of the separation along the circle.
struct CircleEnd {
    tan: f64,
    w: Vec3,
    slope: f64,
}

impl CircleEnd {
    /// No direction n separates by more than n.w with any difference w of two points: where the bounds of both sides cross, one rising up to
    /// there and the other falling from there, and the separation that none between them exceeds. It is met where a kink is all there is.
    fn crossing(lo: &Self, hi: &Self, u: &Vec3, v: &Vec3) -> Option<(f64, f64)> {
        let [rising, falling] = [lo, hi].map(|side| [side.w.dot(u), side.w.dot(v)]);
        let tan = (rising[0] - falling[0]) / (falling[1] - rising[1]);
        let climbs = rising[1] - rising[0] * tan >= 0.0 && falling[1] - falling[0] * tan <= 0.0;
        let [rising, falling] = [rising, falling].map(|w| w[0] + w[1] * tan);
        let most = rising.max(falling) / (1.0 + tan * tan).sqrt();
        (lo.tan < tan && tan < hi.tan && climbs).then_some((tan, most))
    }
}

/// Where a function that is positive at `lo` and negative at `hi` vanishes. False position, halving the weight of
/// an end that stays (Illinois): superlinear and bracketed. Stops at a value below `zero`.
pub(crate) fn falling_root(
    f: impl Fn(f64) -> f64,
    mut lo: f64,
    mut f_lo: f64,
    mut hi: f64,
    mut f_hi: f64,
    zero: f64,
) -> f64 {
    // of the unit interval or radians: a step this short is either the last or a false one, and a look beyond it tells
    const STEP: f64 = 1e-13;
    let (mut kept, mut last) = (0, f64::INFINITY);
    for _ in 0..60 {
        let mut mid = ((lo * f_hi - hi * f_lo) / (f_hi - f_lo)).clamp(lo, hi);
        let mut f_mid = f(mid);
        if f_mid.abs() <= zero || hi - lo < 2.0 * STEP {
            return mid;
        }
        if (mid - last).abs() < STEP {
            let beyond = (mid + (4.0 * STEP).copysign(f_mid)).clamp(lo, hi);
            let f_beyond = f(beyond);
            if (f_beyond > 0.0) != (f_mid > 0.0) {
                return mid;
            }
            (mid, f_mid) = (beyond, f_beyond);
        }
        last = mid;
        if f_mid > 0.0 {
            (lo, f_lo) = (mid, f_mid);
            f_hi *= if kept > 0 { 0.5 } else { 1.0 };
            kept = 1;
        } else {
            (hi, f_hi) = (mid, f_mid);
            f_lo *= if kept < 0 { 0.5 } else { 1.0 };
            kept = -1;
        }
    }
    0.5 * (lo + hi)
}
