//! One set: its equations solved and refined, what it leaves, and which rows are on the wrong side.

use super::{ActiveSet, View};
use crate::observer::Variable;
use crate::outcome::Side;
use crate::visited::key;

/// A sign counts above this part of what its row adds up.
const SIGN: f64 = 1e-13;
/// Corrections of (1): the first solves, the second refines, more are for bordered factors.
const CORRECTIONS: usize = 5;
/// A row of F is solved when w is this part of what it adds up; refinement stops there.
const REFINED: f64 = 1e-15;
/// What refinement must reach for a set to count as solved: above it the factors are no good.
const USABLE: f64 = 1e-9;
impl ActiveSet {
    pub(super) fn change_sides(&mut self) {
        for &(i, to) in &self.wrong {
            self.sides[i] = to;
        }
    }

    pub(super) fn place_on_bounds(&mut self, view: &View<'_>) {
        for i in 0..view.n() {
            let (lo, hi) = view.bounds(i);
            match self.sides[i] {
                Side::Lower => self.x[i] = lo,
                Side::Upper => self.x[i] = hi,
                Side::Free => {}
            }
        }
    }

    /// (1), refined; false if the block is singular.
    pub(super) fn solve_set(&mut self, view: &View<'_>, b: &[f64]) -> bool {
        self.sets += 1;
        self.place_on_bounds(view);
        let fits = self.border.fit(&mut self.base, view, &self.sides) || self.base.factor(&self.sides);
        if fits && self.correct(view, b) <= USABLE {
            return true;
        }
        // bordered factors may have lost their digits: once more with factors of this very set
        if !fits || self.border.is_empty() {
            self.evaluate(view, b);
            return false;
        }
        self.border.clear();
        for (x, side) in self.x.iter_mut().zip(&self.sides) {
            if *side == Side::Free {
                *x = 0.0;
            }
        }
        let solved = self.base.factor(&self.sides) && self.correct(view, b) <= USABLE;
        if !solved {
            self.evaluate(view, b);
        }
        solved
    }

    /// w and its terms at an x that was not solved for.
    pub(super) fn evaluate(&mut self, view: &View<'_>, b: &[f64]) {
        for x in &mut self.x {
            *x = if x.is_finite() { *x } else { 0.0 };
        }
        self.slack(view, b);
        self.add_up(view, b);
    }

    /// Corrects x_F until its rows hold; answers by what part of themselves they do not.
    pub(super) fn correct(&mut self, view: &View<'_>, b: &[f64]) -> f64 {
        let n = view.n();
        let mut last = f64::INFINITY;
        self.slack(view, b);
        for _ in 0..CORRECTIONS {
            self.residual.clear();
            self.residual.extend((0..n).map(|i| if self.sides[i] == Side::Free { -self.w[i] } else { 0.0 }));
            self.border.solve(&mut self.base, view, &mut self.residual);
            for i in (0..n).filter(|&i| self.sides[i] == Side::Free) {
                self.x[i] += self.residual[i];
            }
            self.slack(view, b);
            self.add_up(view, b);
            let part = |i: usize| if self.w[i] == 0.0 { 0.0 } else { self.w[i].abs() / self.sum[i] };
            let worst = (0..n)
                .filter(|&i| self.sides[i] == Side::Free)
                .fold(0.0, |worst: f64, i| if part(i).is_nan() { f64::INFINITY } else { worst.max(part(i)) });
            let done = worst <= REFINED || worst > 0.5 * last;
            last = worst.min(last);
            if done {
                break;
            }
        }
        last
    }

    /// w = (A + εD) x + b.
    pub(super) fn slack(&mut self, view: &View<'_>, b: &[f64]) {
        self.base.affine(view, &self.x, b, &mut self.w);
        if self.epsilon > 0.0 {
            for i in 0..self.x.len() {
                self.w[i] += self.base.shift_of(i) * self.x[i];
            }
        }
    }

    /// |b| + |A| |x|.
    pub(super) fn add_up(&mut self, view: &View<'_>, b: &[f64]) {
        self.size.clear();
        self.size.extend(self.x.iter().map(|x| x.abs()));
        self.sum.clear();
        self.sum.resize(b.len(), 0.0);
        self.base.absolute(view, &self.size, &mut self.sum);
        self.sum.iter_mut().zip(b).for_each(|(s, b)| *s += b.abs());
    }

    pub(super) fn list_wrong(&mut self, view: &View<'_>) {
        self.wrong.clear();
        for i in 0..view.n() {
            let (lo, hi) = view.bounds(i);
            let (x, w) = (self.x[i], self.w[i]);
            let zero_w = SIGN * self.sum[i];
            let diagonal = self.base.diagonal(i).abs();
            let zero_x = if diagonal > 0.0 { zero_w / diagonal } else { SIGN * x.abs() };
            let to = match self.sides[i] {
                Side::Free if x < lo - zero_x => Side::Lower,
                Side::Free if x > hi + zero_x => Side::Upper,
                Side::Lower if w < -zero_w && lo < hi => Side::Free,
                Side::Upper if w > zero_w && lo < hi => Side::Free,
                _ => continue,
            };
            self.wrong.push((i, to));
        }
    }

    /// The verdict on x within its bounds, with a w of its own.
    pub(crate) fn natural(&mut self, view: &View<'_>) -> f64 {
        for (i, x) in self.x.iter_mut().enumerate() {
            let (lo, hi) = view.bounds(i);
            // plus zero turns −0 into 0
            *x = if x.is_finite() { *x } else { 0.0 }.clamp(lo, hi) + 0.0;
        }
        self.base.affine(view, &self.x, view.b, &mut self.w);
        let terms = self.base.terms(view);
        self.verdict.natural(&terms, view.b, &self.x, &self.w, |i| view.bounds(i))
    }

    pub(super) fn hash(&self) -> u128 {
        self.sides.iter().enumerate().fold(0, |set, (i, side)| match side {
            Side::Lower => set,
            Side::Upper => set ^ key(Variable::W(i)),
            Side::Free => set ^ key(Variable::Z(i)),
        })
    }
}
