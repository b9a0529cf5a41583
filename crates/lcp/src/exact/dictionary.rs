//! An exact dictionary: linear forms as functions of others, and whether they can have given signs.
//!
//! ```text
//!     f_r = ( Σ_c t_rc f_c + t_r ) / det             r basic, c non-basic, all of them whole numbers
//!     t_ij ← (t_ij t_rs − t_is t_rj) / det,  det ← t_rs      on exchanging r and s       [Bareiss 1968, Edmonds]
//! ```
//!
//! Every division leaves nothing. Signs that are asked of forms (≥ 0, ≤ 0, = 0) are reached by the criss-cross method
//! with least indices [Terlaky 1985]: the first basic form of the wrong sign leaves, the first non-basic one that
//! can mend it enters. No basis comes twice; where nothing can mend a form, its row is a proof that the signs are
//! impossible. Only signs of whole numbers are looked at. A column whose form must be zero is never asked for again and is no
//! longer brought up to date: a guess of all bounds is one elimination of the unknowns that are at none.

use super::whole::{Divider, Whole};
use crate::clock::Clock;

/// What is asked of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Any,
    NonNegative,
    NonPositive,
    Zero,
}

impl Sign {
    /// Both at once.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Any, sign) | (sign, Self::Any) => sign,
            (a, b) if a == b => a,
            _ => Self::Zero,
        }
    }

    /// Whether a number of this sign will do.
    pub(crate) fn allows(self, sign: i32) -> bool {
        match self {
            Self::Any => true,
            Self::NonNegative => sign >= 0,
            Self::NonPositive => sign <= 0,
            Self::Zero => sign == 0,
        }
    }
}

/// Forms 0 … n − 1 are the coordinates, the others follow.
#[derive(Debug, Clone)]
pub(crate) struct Dictionary {
    n: usize,
    t: Vec<Whole>,    // rows × (n + 1), by rows, the constant last
    rows: Vec<usize>, // the form of each row
    cols: Vec<usize>, // n: the form of each column
    det: Whole,       // positive
    divider: Divider,
}

/// The clock ran out before the question was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expired;

impl Dictionary {
    /// Forms beside the coordinates, each n + 1 whole numbers, the constant last.
    pub(crate) fn new(n: usize, forms: Vec<Vec<Whole>>) -> Self {
        let rows = (n..n + forms.len()).collect();
        let t = forms.into_iter().flatten().collect();
        Self { n, t, rows, cols: (0..n).collect(), det: Whole::one(), divider: Divider::default() }
    }

    /// The entry of a row and a column; the constant is the column after the last.
    pub(super) fn at(&self, r: usize, c: usize) -> &Whole {
        &self.t[r * (self.n + 1) + c]
    }

    /// The sign of a form at the present point, where all non-basic forms are zero.
    pub(crate) fn sign(&self, form: usize) -> i32 {
        self.row_of(form).map_or(0, |r| self.at(r, self.n).sign())
    }

    /// A form at the present point, as a fraction.
    pub(crate) fn value(&self, form: usize) -> Option<(&Whole, &Whole)> {
        self.row_of(form).map(|r| (self.at(r, self.n), &self.det))
    }

    pub(super) fn form_of_row(&self, r: usize) -> usize {
        self.rows[r]
    }

    pub(super) fn column_of(&self, form: usize) -> Option<usize> {
        self.cols.iter().position(|&f| f == form)
    }

    pub(super) fn row_of(&self, form: usize) -> Option<usize> {
        self.rows.iter().position(|&f| f == form)
    }

    /// Goes to a point where every form has the sign that is asked of it; false if there is none. Columns of forms that are
    /// held at zero enter nowhere and are left as they are: from here on these forms stay at zero.
    pub(crate) fn reach(&mut self, signs: &[Sign], clock: &Clock) -> Result<bool, Expired> {
        loop {
            let wrong = (0..self.rows.len())
                .filter(|&r| !signs[self.rows[r]].allows(self.at(r, self.n).sign()))
                .min_by_key(|&r| self.rows[r]);
            let Some(r) = wrong else { return Ok(true) };
            if clock.expired() {
                return Err(Expired);
            }
            let up = self.at(r, self.n).sign() < 0;
            let mends = |c: &usize| {
                let rises = self.at(r, *c).sign();
                let helps = if up { rises } else { -rises };
                helps != 0
                    && match signs[self.cols[*c]] {
                        Sign::Any => true,
                        Sign::NonNegative => helps > 0,
                        Sign::NonPositive => helps < 0,
                        Sign::Zero => false,
                    }
            };
            // a form of any sign never leaves again
            let key = |c: &usize| (signs[self.cols[*c]] != Sign::Any, self.cols[*c]);
            let Some(s) = (0..self.n).filter(mends).min_by_key(key) else { return Ok(false) };
            self.exchange(r, s, signs);
        }
    }

    /// Exchanges the forms of a row and a column.
    pub(super) fn exchange(&mut self, r: usize, s: usize, signs: &[Sign]) {
        let width = self.n + 1;
        self.divider.set(&self.det);
        let (before, rest) = self.t.split_at_mut(r * width);
        let (own, after) = rest.split_at_mut(width);
        let cols = &self.cols;
        let is_live = |c: usize| c != s && cols.get(c).is_none_or(|&f| signs[f] != Sign::Zero);
        for row in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = std::mem::take(&mut row[s]);
            for (c, v) in row.iter_mut().enumerate().filter(|(c, _)| is_live(*c)) {
                self.divider.cross(v, &own[s], &factor, &own[c]);
            }
            row[s] = factor;
        }
        own.iter_mut().for_each(Whole::negate);
        std::mem::swap(&mut own[s], &mut self.det);
        self.det.negate();
        if self.det.sign() < 0 {
            self.det.negate();
            self.t.iter_mut().for_each(Whole::negate);
        }
        std::mem::swap(&mut self.rows[r], &mut self.cols[s]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(x: i32) -> Whole {
        Whole::of_float(f64::from(x)).0.shifted(usize::try_from(Whole::of_float(f64::from(x)).1).unwrap())
    }

    #[test]
    fn signs_are_reached_or_refuted() {
        // x + y − 2 ≥ 0, 1 − x ≥ 0, 3 − 2 y ≥ 0 with x, y ≥ 0; then 1 − 2 y ≥ 0 instead
        let forms = |last: [i32; 3]| [[1, 1, -2], [-1, 0, 1], last].map(|f| f.map(whole).to_vec()).to_vec();
        let signs = [Sign::NonNegative; 5];
        let clock = Clock::default();
        let mut good = Dictionary::new(2, forms([0, -2, 3]));
        assert_eq!(good.reach(&signs, &clock), Ok(true));
        assert!((0..5).all(|f| good.sign(f) >= 0));
        let mut bad = Dictionary::new(2, forms([0, -2, 1]));
        assert_eq!(bad.reach(&signs, &clock), Ok(false));
    }
}
