//! How the unknowns are numbered, and what each of them is.

use super::{Kind, System};

impl System {
    /// Rows that must not move.
    pub(crate) fn n_equality(&self) -> usize {
        self.free
    }

    /// Rows that may only open.
    pub(crate) fn n_unilateral(&self) -> usize {
        self.unilateral
    }

    /// Rows with a bounded impulse.
    pub(crate) fn n_bounded(&self) -> usize {
        self.room.len()
    }

    /// Rows that are not contacts.
    pub(crate) fn singles(&self) -> usize {
        self.unilateral + self.room.len() + self.free
    }

    /// Whether the rows' scales differ by more than 256, a mass ratio of 65,536.
    pub(crate) fn is_wide(&self) -> bool {
        let (least, most) =
            self.scale.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), &s| (l.min(s), m.max(s)));
        most > 256.0 * least
    }

    /// The number of unknowns; also the index of z₀.
    pub(crate) fn unknowns(&self) -> usize {
        self.n * (self.d + 2) + self.unilateral + 2 * self.room.len() + self.free
    }

    /// The number of unknowns with a sign; free ones come after.
    pub(crate) fn bounded(&self) -> usize {
        self.unknowns() - self.free
    }

    /// What an unknown is.
    #[inline]
    pub(crate) fn kind(&self, index: usize) -> Kind {
        let per = self.d + 2;
        if index < self.n * per {
            let (i, k) = (index / per, index % per);
            return match k {
                0 => Kind::Theta(i),
                k if k <= self.d => Kind::Phi(i, k - 1),
                _ => Kind::Lambda(i),
            };
        }
        let rest = index - self.n * per;
        let boxes = 2 * self.room.len();
        if rest < self.unilateral {
            Kind::Single(rest)
        } else if rest < self.unilateral + boxes {
            let k = (rest - self.unilateral) / 2;
            if (rest - self.unilateral).is_multiple_of(2) {
                Kind::Single(self.unilateral + k)
            } else {
                Kind::Cap(k)
            }
        } else if index < self.unknowns() {
            Kind::Single(rest - self.room.len())
        } else {
            Kind::Z0
        }
    }

    /// The first unknown of a contact.
    #[inline]
    pub(crate) fn theta(&self, i: usize) -> usize {
        i * (self.d + 2)
    }

    /// The unknown of a row that is not a contact's.
    pub(crate) fn single(&self, k: usize) -> usize {
        let base = self.n * (self.d + 2);
        if k < self.unilateral {
            base + k
        } else if k < self.unilateral + self.room.len() {
            base + self.unilateral + 2 * (k - self.unilateral)
        } else {
            base + self.room.len() + k
        }
    }

    /// Whether a row is in the problem: the friction of a contact that has not grown is not.
    #[inline]
    pub(crate) fn present(&self, index: usize) -> bool {
        match self.kind(index) {
            Kind::Phi(i, _) | Kind::Lambda(i) => self.grown[i] && self.mu[i] > 0.0,
            Kind::Cap(k) => self.room[k] < f64::INFINITY,
            Kind::Theta(_) | Kind::Single(_) | Kind::Z0 => true,
        }
    }

    /// Whether a row is part of the problem at all: without friction there is no cone.
    pub(crate) fn counts(&self, index: usize) -> bool {
        match self.kind(index) {
            Kind::Phi(i, _) | Kind::Lambda(i) => self.mu[i] > 0.0,
            Kind::Theta(_) | Kind::Single(_) | Kind::Cap(_) | Kind::Z0 => true,
        }
    }

    /// The rows that are not contacts': scalar row and unknown.
    pub(crate) fn single_rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.singles()).map(|k| (3 * self.n + k, self.single(k)))
    }

    /// Whether a bounded row is held at its upper bound by its cap.
    pub(crate) fn at_cap(&self, index: usize, basic: &[bool]) -> bool {
        match self.kind(index) {
            Kind::Single(k) if (self.unilateral..self.unilateral + self.room.len()).contains(&k) => {
                basic[index + 1]
            }
            _ => false,
        }
    }
}
