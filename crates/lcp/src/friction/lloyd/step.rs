//! A step of the path: one variable for another, and contacts that join with their friction (59).

use super::{Lloyd, MARGIN, REFRESH};
use crate::friction::system::{Kind, System};
use crate::observer::{Observer, PivotEvent, Variable};
use crate::robust::tree::{mix, unit_interval};

impl<const GROWS: bool> Lloyd<GROWS> {
    /// The basis of all w and of the free unknowns.
    pub(super) fn start(&mut self, system: &mut System, seed: u64) {
        let (n, bounded) = (system.unknowns(), system.bounded());
        self.q.clear();
        self.q.resize(n, 0.0);
        system.load(&mut self.q);
        self.p.clear();
        self.p.extend((0..bounded as u64).map(|i| 1.0 + unit_interval(mix(i ^ mix(seed)))));
        self.p.resize(n, 0.0);
        system.cover.fill(1.0);
        system.cover[bounded..].fill(0.0);
        for i in 0..system.n {
            let first = system.theta(i) + 1;
            system.cover[first..first + system.d].fill(self.sigma_cover);
        }
        self.basis.reset(system);
        self.rows.clear();
        self.rows.extend((0..bounded).filter(|&i| system.present(i)));
        (bounded..n).for_each(|j| self.basis.install(j));
        if !self.basis.factor(system) {
            // one by one, leaving out those that add nothing
            (bounded..n).for_each(|j| self.basis.leave_out(j));
            for j in bounded..n {
                self.basis.install(j);
                if !self.basis.factor(system) {
                    self.basis.leave_out(j);
                }
            }
            self.basis.factor(system);
        }
        self.visited.reset(n);
        self.since_refresh = 0;
        self.best_energy = f64::INFINITY;
        self.answer.search.natural = f64::INFINITY;
    }

    /// Exchanges two variables and carries q′ on. False if the new basis is singular.
    pub(super) fn pivot(
        &mut self,
        system: &System,
        entering: Variable,
        leaving: Variable,
        observer: &mut impl Observer,
    ) -> bool {
        let n = self.q.len();
        let pair = |variable: Variable| match variable {
            Variable::W(i) | Variable::Z(i) => i,
            Variable::Z0 => n,
        };
        let (into, out) = (pair(entering), pair(leaving));
        // at step 0 the row is below zero, later never by more than rounding
        let q = if entering == Variable::Z0 { self.q_now[out] } else { self.q_now[out].max(0.0) };
        let p = self.p_now[out];
        for (now, q) in [(&mut self.q_now, q), (&mut self.p_now, p)] {
            let step = q / -self.column[out];
            crate::kernel::axpy(step, &self.column, now);
            now[out] = 0.0;
            now[into] = step;
        }
        let regular = self.basis.exchange(system, entering, leaving, &self.column);
        self.pivots += 1;
        self.since_refresh += 1;
        if regular && (self.since_refresh >= REFRESH || leaving == Variable::Z0) {
            self.refresh(system);
        }
        observer.pivot(&PivotEvent {
            pivot: self.pivots - 1,
            entering,
            leaving,
            q_min: 0.0,
            error: f64::NAN,
        });
        regular
    }

    /// A contact that is pressed for the first time brings its friction along                    (57)-(59).
    pub(super) fn grow(&mut self, system: &mut System, j: usize) {
        let Kind::Theta(i) = system.kind(j) else { return };
        if system.grown[i] || system.mu[i] == 0.0 {
            return;
        }
        system.grown[i] = true;
        let n = self.q.len();
        let joining = j + 1..j + 2 + system.d;

        self.basis.grow(system, i, &self.q, &mut self.q_now);
        self.basis.grow(system, i, &self.p, &mut self.p_now);
        self.basis.cover_changed();
        let z0 = self.q_now[n].max(f64::MIN_POSITIVE);
        let least = self.q_now[joining.clone()].iter().fold(f64::INFINITY, |m, &v| m.min(v));
        let raise = (MARGIN - least / z0).max(0.0);
        for r in joining {
            self.rows.push(r);
            system.cover[r] += raise;
            self.q_now[r] += raise * z0;
            self.p_now[r] += raise * self.p_now[n];
        }
    }
}
