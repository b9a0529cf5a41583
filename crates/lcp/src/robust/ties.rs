//! Which rows block the driving variable, and in what order they are tried.

use super::{Robust, Rung};
use crate::observer::Variable;
use crate::tolerances;

/// A row that blocks the driving variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tie {
    pub(super) leaving: Variable,
    weak: bool,
    order: f64,
}

impl Robust {
    /// Where z₀ must enter: the least q′ per unit of cover, ties by p′. None if q′ ≥ 0.
    pub(super) fn most_negative(&mut self) -> Option<Variable> {
        let n = self.q.len();
        self.basis.drive(&self.m, Variable::Z0, &mut self.column);
        let mut best: Option<(f64, f64, Variable)> = None;
        let mut offer = |q: f64, p: f64, c: f64, variable: Variable| {
            if q < -tolerances::NOT_NEGATIVE && c > 0.0 {
                let (ratio, order) = (q / c, p / c);
                // a tie to rounding goes to the perturbation
                let better = best.is_none_or(|(r, o, _)| {
                    ratio < r - tolerances::TIED || (ratio <= r + tolerances::TIED && order < o)
                });
                if better {
                    best = Some((ratio, order, variable));
                }
            }
        };
        for i in (0..n).filter(|&i| self.basis.w_is_basic(i)) {
            offer(self.q_now.w[i], self.p_now.w[i], self.column.w[i], Variable::W(i));
        }
        for (c, &j) in self.basis.cols().iter().enumerate().filter(|c| *c.1 < self.bounded) {
            offer(self.q_now.z[c], self.p_now.z[c], self.column.z[c], Variable::Z(j));
        }
        best.map(|(_, _, variable)| variable)
    }

    /// The rows that block the driving variable, best first; z₀ before all.
    pub(super) fn collect_ties(&mut self, bands: Rung) {
        let n = self.q.len();
        self.ties.clear();
        let basic = |i: &usize| self.basis.w_is_basic(*i);
        let size = (0..n)
            .filter(basic)
            .fold(crate::kernel::max_abs(&self.column.z), |s, i| s.max(self.column.w[i].abs()));
        let (least, weak) = (bands.pivot * size, tolerances::WEAK_PIVOT * size);

        // the step to the first row that would become negative
        let mut step = f64::INFINITY;
        let mut offer = |q: f64, d: f64| {
            if d < -least {
                step = step.min(if q <= bands.zero { 0.0 } else { q } / -d);
            }
        };
        for i in (0..n).filter(basic) {
            offer(self.q_now.w[i], self.column.w[i]);
        }
        let blocks = |j: usize| j < self.bounded || j == n;
        for (c, _) in self.basis.cols().iter().enumerate().filter(|c| blocks(*c.1)) {
            offer(self.q_now.z[c], self.column.z[c]);
        }
        if step == f64::INFINITY {
            return;
        }
        let ties = &mut self.ties;
        let mut take = |q: f64, p: f64, d: f64, leaving: Variable| {
            if d < -least && q + step * d <= bands.zero {
                ties.push(Tie { leaving, weak: -d < weak, order: p / -d });
            }
        };
        for i in (0..n).filter(basic) {
            take(self.q_now.w[i], self.p_now.w[i], self.column.w[i], Variable::W(i));
        }
        for (c, &j) in self.basis.cols().iter().enumerate().filter(|c| blocks(*c.1)) {
            let leaving = if j == n { Variable::Z0 } else { Variable::Z(j) };
            take(self.q_now.z[c], self.p_now.z[c], self.column.z[c], leaving);
        }
        self.ties.sort_unstable_by(|a, b| {
            let first = |t: &Tie| t.leaving != Variable::Z0;
            (first(a), a.weak)
                .cmp(&(first(b), b.weak))
                .then(a.order.total_cmp(&b.order))
                .then(a.leaving.cmp(&b.leaving))
        });
    }
}
