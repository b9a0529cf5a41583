//! Single steps: which row leaves, growth, the exchange, and the way back to another alternative.

use super::{ALTERNATIVES, REFRESH, Rung, SIGMA_COVER, Search, Tie};
use crate::friction::reduced::Basic;
use crate::friction::system::{Kind, System};
use crate::observer::{Observer, PivotEvent, Variable};
use crate::robust::tree::{Alternative, Meter, Node, ROOT, key};
use crate::tolerances;

/// An exchange: of which variables, from which node, and how many times the path has left its first choice by then.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    pub(super) parent: usize,
    pub(super) entering: Variable,
    pub(super) leaving: Variable,
    pub(super) departures: usize,
}

impl Search {
    pub(super) fn most_negative(&self, system: &System) -> Option<Variable> {
        let mut best: Option<(f64, f64, Variable)> = None;
        let mut offer = |i: usize, variable: Variable| {
            let (q, p, c) = (self.q_now[i], self.p_now[i], self.column[i]);
            if q < -tolerances::NOT_NEGATIVE && c > 0.0 {
                let (ratio, order) = (q / c, p / c);
                let better = best.is_none_or(|(r, o, _)| {
                    ratio < r - tolerances::TIED || (ratio <= r + tolerances::TIED && order < o)
                });
                if better {
                    best = Some((ratio, order, variable));
                }
            }
        };
        for &i in self.rows.iter().filter(|&&i| self.basis.w_is_basic(i)) {
            offer(i, Variable::W(i));
        }
        for &j in self.basis.active().iter().filter(|&&j| j < system.bounded()) {
            offer(j, Variable::Z(j));
        }
        best.map(|(_, _, variable)| variable)
    }

    pub(super) fn collect_ties(&mut self, system: &System, bands: Rung) {
        let (n, bounded) = (system.unknowns(), system.bounded());
        self.ties.clear();
        let mut size = if self.basis.has_z0() { self.column[n].abs() } else { 0.0 };
        for &j in self.basis.active() {
            size = size.max(self.column[j].abs());
        }
        for &i in &self.rows {
            if self.basis.w_is_basic(i) {
                size = size.max(self.column[i].abs());
            }
        }
        let (least, weak) = (bands.pivot * size, tolerances::WEAK_PIVOT * size);

        // the step to the first row that would become negative
        let mut step = f64::INFINITY;
        let ties = &mut self.ties;
        let (q_now, p_now, column) = (&self.q_now, &self.p_now, &self.column);
        let mut offer = |i: usize, leaving: Variable| {
            let (q, d) = (q_now[i], column[i]);
            if d < -least {
                let room = if q <= bands.zero { 0.0 } else { q };
                let ratio = room / -d;
                if ratio < step {
                    step = ratio;
                }
                if q + step * d <= bands.zero {
                    ties.push(Tie { leaving, weak: -d < weak, order: p_now[i] / -d, q, d });
                }
            }
        };
        if self.basis.has_z0() {
            offer(n, Variable::Z0);
        }
        for &j in self.basis.active().iter().filter(|&&j| j < bounded) {
            offer(j, Variable::Z(j));
        }
        for &i in &self.rows {
            if self.basis.w_is_basic(i) {
                offer(i, Variable::W(i));
            }
        }
        self.ties.retain(|t| t.q + step * t.d <= bands.zero);
        self.ties.sort_unstable_by(|a, b| {
            let first = |t: &Tie| t.leaving != Variable::Z0;
            (first(a), a.weak)
                .cmp(&(first(b), b.weak))
                .then(a.order.total_cmp(&b.order))
                .then(a.leaving.cmp(&b.leaving))
        });
    }

    /// A contact that is about to be pressed brings its friction into the problem.
    pub(super) fn grow(&mut self, system: &mut System, j: usize) {
        let Kind::Theta(i) = system.kind(j) else { return };
        if system.grown[i] || system.mu[i] == 0.0 {
            return;
        }
        system.grown[i] = true;
        let first = j + 1;
        self.rows.extend(first..=first + system.d);
        system.cover[first..first + system.d].fill(SIGMA_COVER);
        system.cover[first + system.d] = 1.0;
        self.basis.cover_changed();
        for (now, load) in [(&mut self.q_now, &self.q), (&mut self.p_now, &self.p)] {
            self.basis.grow(system, i, load, now);
        }
        self.lift(system, i);
    }

    /// Raises the cover of a contact's friction rows until their q′ is positive            [Lloyd (59)].
    pub(super) fn lift(&mut self, system: &mut System, i: usize) {
        let n = system.unknowns();
        if !self.basis.has_z0() {
            return;
        }
        let first = system.theta(i) + 1;
        let rows = first..=first + system.d;
        let least = rows.clone().fold(f64::INFINITY, |m, r| m.min(self.q_now[r]));
        // a margin of a tenth of the cover keeps the new rows out of the next ties
        let z0 = self.q_now[n].max(tolerances::LEAST_COVER);
        let margin = 0.1 * z0;
        if least < margin {
            let raise = (margin - least) / z0;
            for r in rows {
                system.cover[r] += raise;
                self.q_now[r] += raise * self.q_now[n];
                self.p_now[r] += raise * self.p_now[n];
            }
            self.basis.cover_changed();
        }
    }

    pub(super) fn departures(&self, parent: usize) -> usize {
        if parent == ROOT { 0 } else { self.nodes[parent].departures }
    }

    pub(super) fn leave_alternatives(&mut self, first: usize, parent: usize, entering: Variable) {
        let departures = self.departures(parent);
        let depth = if parent == ROOT { 0 } else { self.nodes[parent].depth };
        for (rank, tie) in self.ties.iter().enumerate().skip(first + 1).take(ALTERNATIVES) {
            self.open.push(Alternative {
                departures: departures + (rank - first),
                depth,
                parent,
                rank,
                entering,
                leaving: tie.leaving,
            });
        }
    }

    pub(super) fn pivot(
        &mut self,
        system: &System,
        branch: Branch,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> Option<usize> {
        let Branch { parent, entering, leaving, departures } = branch;
        let n = system.unknowns();
        let pair = |variable: Variable| match variable {
            Variable::W(i) | Variable::Z(i) => i,
            Variable::Z0 => n,
        };
        let (into, out) = (pair(entering), pair(leaving));
        for now in [&mut self.q_now, &mut self.p_now] {
            let step = now[out] / -self.column[out];
            crate::kernel::axpy(step, &self.column, now);
            now[out] = 0.0;
            now[into] = step;
        }
        let regular = self.basis.exchange(system, entering, leaving, &self.column);
        self.hash ^= key(entering) ^ key(leaving);
        self.visited.insert(self.hash);
        meter.pivots += 1;
        self.since_refresh += 1;
        if regular && self.since_refresh >= REFRESH {
            self.refresh(system);
        }
        let depth = if parent == ROOT { 0 } else { self.nodes[parent].depth + 1 };
        self.nodes.push(Node { parent, entering, leaving, depth, departures });
        observer.pivot(&PivotEvent {
            pivot: meter.pivots - 1,
            entering,
            leaving,
            q_min: 0.0,
            error: f64::NAN,
        });
        regular.then_some(self.nodes.len() - 1)
    }

    pub(super) fn backtrack(
        &mut self,
        system: &mut System,
        parent: &mut usize,
        entering: &mut Variable,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> bool {
        while let Some(alternative) = self.open.pop() {
            if !self.restore(system, alternative.parent) {
                continue;
            }
            if self.visited.contains(&(self.hash ^ key(alternative.entering) ^ key(alternative.leaving))) {
                continue;
            }
            self.drive(system, alternative.entering);
            let Alternative { parent: at, entering: enters, leaving, departures, .. } = alternative;
            let branch = Branch { parent: at, entering: enters, leaving, departures };
            let Some(node) = self.pivot(system, branch, meter, observer) else {
                continue;
            };
            *parent = node;
            *entering = leaving.complement();
            return true;
        }
        false
    }

    pub(super) fn restore(&mut self, system: &mut System, node: usize) -> bool {
        self.path.clear();
        let mut at = node;
        while at != ROOT {
            self.path.push(at);
            at = self.nodes[at].parent;
        }
        self.install_root(system);
        for &at in self.path.iter().rev() {
            let Node { entering, leaving, .. } = self.nodes[at];
            self.basis.swap(entering, leaving);
            self.hash ^= key(entering) ^ key(leaving);
        }
        if !self.basis.factor(system) {
            return false;
        }
        self.refresh(system);
        // contacts that grew later need cover here as well
        for i in 0..system.n {
            if system.grown[i] && self.basis.side(system.theta(i)) != Basic::Z {
                self.lift_if_free(system, i);
            }
        }
        true
    }

    /// [`Search::lift`] for a contact none of whose friction rows is non-basic.
    pub(super) fn lift_if_free(&mut self, system: &mut System, i: usize) {
        let first = system.theta(i) + 1;
        if (first..=first + system.d).all(|r| self.basis.w_is_basic(r)) {
            let least = (first..=first + system.d).fold(f64::INFINITY, |m, r| m.min(self.q_now[r]));
            if least < 0.0 {
                self.lift(system, i);
            }
        }
    }
}
