//! Friction coefficients for the cones, as far as a recording tells them.
//!
//! A recording has forces and modes, not coefficients. A contact that slips shows its coefficient as |f_t|/f_n
//! (with a pyramid of d sides, at least cos(π/d) of it), so a pair of bodies is given the largest ratio it was seen
//! slipping with. A pair that never slipped gets the header's `friction` if there is one, else the largest of the
//! others; if nothing slipped there is no cone to draw.

use std::collections::BTreeMap;

use gudgeon_sim::{ContactFrame, Mode, Recording};

/// A slipping contact's ratio counts only above this part of the largest force: below, it is rounding.
const FAINT: f64 = 1e-6;

pub(crate) struct Friction {
    pub(crate) pairs: BTreeMap<(u32, u32), f64>,
    pub(crate) otherwise: Option<f64>,
}

impl Friction {
    pub(crate) fn of(recording: &Recording) -> Self {
        let contacts = || recording.frames.iter().flat_map(|f| &f.contacts);
        let faint = FAINT * contacts().map(|c| split(c).0).filter(|f| f.is_finite()).fold(0.0, f64::max);
        let mut pairs = BTreeMap::new();
        for c in contacts().filter(|c| c.mode == Mode::Slip) {
            let (along, across) = split(c);
            if along > faint && across.is_finite() {
                let mu: &mut f64 = pairs.entry((c.a.min(c.b), c.a.max(c.b))).or_insert(0.0);
                *mu = mu.max(across / along);
            }
        }
        let said = recording.header["friction"].as_f64();
        let otherwise = said.or_else(|| pairs.values().copied().reduce(f64::max));
        Self { pairs, otherwise }
    }
}

/// The force along the normal and across it.
fn split(c: &ContactFrame) -> (f64, f64) {
    let along: f64 = c.normal.iter().zip(&c.force).map(|(n, f)| n * f).sum();
    let square: f64 = c.normal.iter().zip(&c.force).map(|(n, f)| (f - along * n).powi(2)).sum();
    (along, square.sqrt())
}
