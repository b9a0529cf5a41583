//! Rows that nothing is asked of: told from J v_free alone, before they are divided by the mass factor.

use gudgeon_lcp::{ContactAnswer, ContactMode};

use super::{Assembly, RowList};

impl Assembly {
    /// Whether no impulse at all is the answer for this v_free, to the bit; without equations. The bounds of moments follow from impulses
    /// that are none. Leaves J v_free, and no problem: rows are not divided by the mass factor yet.
    pub fn is_at_peace(&mut self, v_free: &[f64]) -> bool {
        if self.given > 0 {
            return false;
        }
        self.free_velocity(v_free);
        self.measured = true;
        let [contacts, unilateral, bounded, _] = &self.velocity;
        let law = |kind: &RowList, k: usize, velocity: &[f64]| velocity[k] + kind.laws[k].bias;
        let still = |k: usize| {
            let ((lo, hi), u) = (self.bounds[k], law(&self.bounded, k, bounded));
            lo <= 0.0 && hi >= 0.0 && (u == 0.0 || (u > 0.0 && lo == 0.0) || (u < 0.0 && hi == 0.0))
        };
        self.peace = (0..self.friction.len()).all(|i| law(&self.contacts, 3 * i, contacts) >= 0.0)
            && (0..self.unilateral.laws.len()).all(|k| law(&self.unilateral, k, unilateral) >= 0.0)
            && (self.n_contact_rows()..self.bounds.len()).all(still);
        self.peace
    }

    /// The contacts as they are without an impulse, once [`Assembly::is_at_peace`].
    pub fn resting(&self) -> impl Iterator<Item = ContactAnswer> + '_ {
        (0..self.friction.len()).map(|i| {
            let velocity =
                [0, 1, 2].map(|k| self.velocity[0][3 * i + k] + self.contacts.laws[3 * i + k].bias);
            ContactAnswer { impulse: [0.0; 3], velocity, mode: ContactMode::Open }
        })
    }
}
