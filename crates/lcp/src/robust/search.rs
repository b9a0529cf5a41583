//! One search: Lemke's path with limited discrepancies from one root.

use super::tree::{Alternative, End, Node, ROOT, key, mix, unit_interval};
use super::{ALTERNATIVES, REFRESH, Robust, Run, Rung};
use crate::basis::Values;
use crate::observer::{Observer, PivotEvent, Variable};

impl Robust {
    /// Lemke's path with limited discrepancies from one root.
    pub(super) fn search(
        &mut self,
        bands: Rung,
        seed: u64,
        limit: usize,
        run: &mut Run<'_, impl Observer>,
    ) -> End {
        if !self.set_out(bands, seed) {
            return End::Exhausted;
        }

        // step 0: a basis with q′ ≥ 0 is an answer already; else z₀ enters at the worst row
        let Some(worst) = self.most_negative() else { return self.verify(run) };
        if run.meter.spent() {
            self.keep_best();
            return End::OutOfBudget;
        }
        self.basis.drive(&self.m, Variable::Z0, &mut self.column);
        let mut parent = self.pivot(ROOT, Variable::Z0, worst, 0, run);
        let mut entering = worst.complement();
        let budget = run.meter.nodes + limit;
        loop {
            // step 1: drive the complement of what left last
            if let Some(end) = self.means_end(budget, run) {
                return end;
            }
            if !self.drive_afresh(entering) {
                if !self.backtrack(&mut parent, &mut entering, run) {
                    return End::Exhausted;
                }
                continue;
            }
            self.collect_ties(bands);

            // step 2: exchange with the first tied row that leads somewhere new
            let Some(first) = self.first_new(entering) else {
                if self.ties.is_empty() && run.ray.is_none() && self.epsilon == 0.0 {
                    self.record_ray(entering, run);
                }
                if !self.backtrack(&mut parent, &mut entering, run) {
                    return End::Exhausted;
                }
                continue;
            };
            let leaving = self.ties[first].leaving;
            if leaving != Variable::Z0 {
                self.leave_alternatives(first, parent, entering);
            }
            let departures = self.departures(parent);
            if self.exchange_is_refused(entering, leaving) {
                continue;
            }
            parent = self.pivot(parent, entering, leaving, departures, run);
            if leaving == Variable::Z0 {
                return self.arrive(run);
            }
            entering = leaving.complement();
        }
    }

    /// Forgets the last search and stands at the root, covered; false if it has no basis.
    fn set_out(&mut self, bands: Rung, seed: u64) -> bool {
        self.nodes.clear();
        self.open.clear();
        self.visited.clear();
        self.perturb(seed);
        if !self.install_root() {
            self.start[..self.bounded].fill(false);
            if !self.install_root() {
                return false;
            }
        }
        self.cover(bands.random_cover.then_some(seed));
        self.refresh();
        true
    }

    /// Counts a node and its price; an end if there is no means for it.
    fn means_end(&mut self, budget: usize, run: &mut Run<'_, impl Observer>) -> Option<End> {
        if run.meter.ranks() {
            self.keep_best();
        }
        if run.meter.spent() {
            self.keep_best();
            return Some(End::OutOfBudget);
        }
        if run.meter.nodes >= budget || run.meter.is_exhausted() {
            return Some(End::OutOfNodes);
        }
        run.meter.nodes += 1;
        // the column, the exchange, and every few steps q′ and p′
        let (n, k) = (self.q.len(), self.basis.cols().len());
        run.meter.charge(4 * k * (n + k) + 64 * n);
        None
    }

    /// The column of what enters, on fresh factors if the kept ones have lost it; false if there are none.
    fn drive_afresh(&mut self, entering: Variable) -> bool {
        let residual = self.basis.drive(&self.m, entering, &mut self.column);
        if !self.basis.is_stale(residual) {
            return true;
        }
        if !self.basis.factor(&self.m) {
            return false;
        }
        self.refresh();
        self.basis.drive(&self.m, entering, &mut self.column);
        true
    }

    /// The first tied row that ends the path, or leads to a basis not seen yet.
    fn first_new(&self, entering: Variable) -> Option<usize> {
        self.ties.iter().position(|t| {
            t.leaving == Variable::Z0 || !self.visited.contains(&(self.hash ^ key(entering) ^ key(t.leaving)))
        })
    }

    /// z₀ is gone: the answer, or the basis to start from with other bands.
    fn arrive(&mut self, run: &mut Run<'_, impl Observer>) -> End {
        let n = self.q.len();
        let end = self.verify(run);
        if end == End::Solved || n == 0 {
            return end;
        }
        self.start.clear();
        self.start.extend((0..n).map(|j| self.basis.z_is_basic(j)));
        End::Inaccurate
    }

    /// A vector of generic positive numbers.
    fn perturb(&mut self, seed: u64) {
        self.p.clear();
        self.p.extend((0..self.bounded as u64).map(|i| 1.0 + unit_interval(mix(i ^ mix(seed)))));
        self.p.resize(self.q.len(), 0.0);
    }

    /// Puts the starting basis in place; false if its block is singular.
    pub(super) fn install_root(&mut self) -> bool {
        self.basis.reset(self.q.len());
        self.hash = 0;
        for i in 0..self.start.len() {
            if self.start[i] {
                self.basis.install(Variable::Z(i), Variable::W(i));
                self.hash ^= key(Variable::Z(i)) ^ key(Variable::W(i));
            }
        }
        self.basis.factor(&self.m)
    }

    /// The covering vector that is `ones` (or random) in the pivoted system: c = B d′.
    fn cover(&mut self, random: Option<u64>) {
        let n = self.q.len();
        let entry = |i: usize| match random {
            None => 1.0,
            Some(seed) => 0.5 + 1.5 * unit_interval(mix((i as u64) ^ mix(seed ^ 0xc0ff_ee00))),
        };
        let (matrix, cover) = self.m.split_at_mut(n * n);
        for (i, c) in cover.iter_mut().enumerate() {
            *c = if self.start[i] { 0.0 } else { entry(i) };
        }
        for j in (0..self.bounded).filter(|&j| self.start[j]) {
            crate::kernel::axpy(-entry(j), &matrix[j * n..(j + 1) * n], cover);
        }
    }

    /// q′ and p′ from the original data.
    pub(super) fn refresh(&mut self) {
        let residual = self.basis.solve(&self.m, &self.q, &mut self.q_now);
        if self.basis.is_stale(residual) && self.basis.factor(&self.m) {
            self.basis.solve(&self.m, &self.q, &mut self.q_now);
        }
        self.basis.solve(&self.m, &self.p, &mut self.p_now);
        self.since_refresh = 0;
    }

    fn departures(&self, parent: usize) -> usize {
        if parent == ROOT { 0 } else { self.nodes[parent].departures }
    }

    fn leave_alternatives(&mut self, first: usize, parent: usize, entering: Variable) {
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

    /// Tries the exchange on the inverse; where the two roads to the pivot disagree, V is computed afresh and
    /// the step is taken again. True if the step must be repeated.
    fn exchange_is_refused(&mut self, entering: Variable, leaving: Variable) -> bool {
        if self.basis.check_exchange(&self.m, entering, leaving, &self.column) {
            return false;
        }
        if self.basis.factor(&self.m) {
            self.refresh();
            return true;
        }
        false
    }

    /// Exchanges, carries q′ and p′ along, and remembers the node.
    fn pivot(
        &mut self,
        parent: usize,
        entering: Variable,
        leaving: Variable,
        departures: usize,
        run: &mut Run<'_, impl Observer>,
    ) -> usize {
        let n = self.q.len();
        let place = match leaving {
            Variable::W(_) => None,
            Variable::Z(j) => Some(self.basis.position(j)),
            Variable::Z0 => Some(self.basis.position(n)),
        };
        for now in [&mut self.q_now, &mut self.p_now] {
            let row = |v: &Values| match (leaving, place) {
                (Variable::W(i), _) => v.w[i],
                (_, Some(c)) => v.z[c],
                (_, None) => unreachable!("only slacks have no position"),
            };
            let step = row(now) / -row(&self.column);
            crate::kernel::axpy(step, &self.column.w, &mut now.w);
            crate::kernel::axpy(step, &self.column.z, &mut now.z);
            match (entering, place) {
                (Variable::W(i), None) => now.w[i] = step,
                (Variable::W(i), Some(c)) => {
                    now.w[i] = step;
                    now.z.swap_remove(c);
                }
                (_, None) => now.z.push(step),
                (_, Some(c)) => now.z[c] = step,
            }
        }
        self.basis.exchange(&self.m, entering, leaving, &self.column);
        self.hash ^= key(entering) ^ key(leaving);
        self.visited.insert(self.hash);
        run.meter.pivots += 1;
        self.since_refresh += 1;
        if self.since_refresh >= REFRESH {
            self.refresh();
        }
        let depth = if parent == ROOT { 0 } else { self.nodes[parent].depth + 1 };
        self.nodes.push(Node { parent, entering, leaving, depth, departures });
        run.observer.pivot(&PivotEvent {
            pivot: run.meter.pivots - 1,
            entering,
            leaving,
            q_min: self.least(),
            error: 0.0,
        });
        if run.observer.wants_iterates() {
            self.show(run);
        }
        self.nodes.len() - 1
    }

    pub(super) fn least(&self) -> f64 {
        let n = self.q.len();
        let w = (0..n).filter(|&i| self.basis.w_is_basic(i)).map(|i| self.q_now.w[i]);
        let cols = self.basis.cols().iter().zip(&self.q_now.z);
        let z = cols.filter(|(j, _)| **j < self.bounded || **j == n).map(|(_, &z)| z);
        w.chain(z).fold(f64::INFINITY, f64::min)
    }

    /// Goes to the best exchange that was left aside, and makes it. False if there is none.
    fn backtrack(
        &mut self,
        parent: &mut usize,
        entering: &mut Variable,
        run: &mut Run<'_, impl Observer>,
    ) -> bool {
        while let Some(alternative) = self.open.pop() {
            if run.meter.is_exhausted() || run.meter.clock.expired() {
                return false;
            }
            let k = self.basis.cols().len();
            run.meter.charge(4 * k * k * k + 64 * self.q.len());
            if !self.restore(alternative.parent) {
                continue;
            }
            if self.visited.contains(&(self.hash ^ key(alternative.entering) ^ key(alternative.leaving))) {
                continue;
            }
            self.basis.drive(&self.m, alternative.entering, &mut self.column);
            *parent = self.pivot(
                alternative.parent,
                alternative.entering,
                alternative.leaving,
                alternative.departures,
                run,
            );
            *entering = alternative.leaving.complement();
            return true;
        }
        false
    }

    /// Rebuilds the basis of a node from the root.
    fn restore(&mut self, node: usize) -> bool {
        self.path.clear();
        let mut at = node;
        while at != ROOT {
            self.path.push(at);
            at = self.nodes[at].parent;
        }
        self.install_root();
        for &at in self.path.iter().rev() {
            let Node { entering, leaving, .. } = self.nodes[at];
            self.basis.install(entering, leaving);
            self.hash ^= key(entering) ^ key(leaving);
        }
        if !self.basis.factor(&self.m) {
            return false;
        }
        self.refresh();
        true
    }
}
