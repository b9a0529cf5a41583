//! Friction coefficients for the cones, as far as a recording tells them.
//!
//! A contact of a present recording says its coefficient. Those of the first version have forces and modes only; there a
//! contact that slips shows its coefficient as |f_t|/f_n (with a pyramid of d sides, at least cos(π/d) of it), so a pair
//! of bodies is given the largest ratio it was seen slipping with. A pair that never slipped gets the header's `friction`
//! if there is one, else the largest of the others; if nothing slipped there is no cone to draw.

use std::collections::BTreeMap;

use gudgeon_sim::{ContactFrame, Mode, Recording};

/// A slipping contact's ratio counts only above this part of the largest force: below, it is rounding.
const FAINT: f64 = 1e-6;

pub(crate) struct Friction {
    pairs: BTreeMap<(u32, u32), f64>,
    otherwise: Option<f64>,
}

impl Friction {
    pub(crate) fn of(recording: &Recording) -> Self {
        let contacts = || recording.frames.iter().flat_map(|f| &f.contacts);
        let faint = FAINT * contacts().map(|c| split(c).0).filter(|f| f.is_finite()).fold(0.0, f64::max);
        let mut pairs = BTreeMap::new();
        for c in contacts().filter(|c| c.friction.is_none() && c.mode == Mode::Slip) {
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

    /// The coefficient of a contact, if anything tells it.
    pub(crate) fn at(&self, c: &ContactFrame) -> Option<f64> {
        let seen = || self.pairs.get(&(c.a.min(c.b), c.a.max(c.b))).copied();
        c.friction.or_else(seen).or(self.otherwise)
    }
}

/// The force along the normal and across it.
fn split(c: &ContactFrame) -> (f64, f64) {
    let along: f64 = c.normal.iter().zip(&c.force).map(|(n, f)| n * f).sum();
    let square: f64 = c.normal.iter().zip(&c.force).map(|(n, f)| (f - along * n).powi(2)).sum();
    (along, square.sqrt())
}

#[cfg(test)]
mod tests {
    use gudgeon_sim::Frame;
    use serde_json::json;

    use super::*;

    fn slipping(a: u32, friction: Option<f64>) -> ContactFrame {
        let (normal, force) = ([0.0, 0.0, 1.0], [3.0, 0.0, 10.0]);
        ContactFrame { a, normal, force, mode: Mode::Slip, friction, ..ContactFrame::default() }
    }

    #[test]
    fn what_a_contact_says_goes_before_what_is_seen() {
        let still = ContactFrame { a: 3, mode: Mode::Stick, ..slipping(3, None) };
        let contacts = vec![slipping(1, Some(0.7)), slipping(2, None), still];
        let recording = Recording { header: json!({}), frames: vec![Frame { contacts, ..Frame::default() }] };
        let friction = Friction::of(&recording);
        let told: Vec<Option<f64>> = recording.frames[0].contacts.iter().map(|c| friction.at(c)).collect();
        assert_eq!(told, [Some(0.7), Some(0.3), Some(0.3)]);
    }
}
