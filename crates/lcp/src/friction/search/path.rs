//! One search: Lemke's path with limited discrepancies from one root.

use super::step::Branch;
use super::{Rung, Search};
use crate::friction::reduced::Basic;
use crate::friction::system::System;
use crate::observer::{Observer, Variable};
use crate::robust::tree::{End, Meter, ROOT, key};

impl Search {
    /// Lemke's path with limited discrepancies, `limit` nodes at most.
    pub(super) fn search(
        &mut self,
        system: &mut System,
        bands: Rung,
        seed: u64,
        limit: usize,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> End {
        if !self.set_out(system, bands, seed) {
            return End::Exhausted;
        }

        // step 0: a basis with q′ ≥ 0 is an answer already; else z₀ enters at the worst row
        self.drive(system, Variable::Z0);
        let Some(worst) = self.most_negative(system) else { return self.verify(system) };
        if meter.spent() {
            return End::OutOfBudget;
        }
        let first = Branch { parent: ROOT, entering: Variable::Z0, leaving: worst, departures: 0 };
        let Some(mut parent) = self.pivot(system, first, meter, observer) else {
            return End::Exhausted;
        };
        let mut entering = worst.complement();
        let budget = meter.nodes + limit;
        loop {
            // step 1: drive the complement of what left last
            if let Some(end) = self.means_end(system, budget, meter) {
                return end;
            }
            if let Variable::Z(j) = entering {
                self.grow(system, j);
            }
            if !self.drive_afresh(system, entering) {
                if !self.backtrack(system, &mut parent, &mut entering, meter, observer) {
                    return End::Exhausted;
                }
                continue;
            }
            self.collect_ties(system, bands);

            // step 2: exchange with the first tied row that leads somewhere new
            let Some(first) = self.first_new(entering) else {
                if !self.backtrack(system, &mut parent, &mut entering, meter, observer) {
                    return End::Exhausted;
                }
                continue;
            };
            let leaving = self.ties[first].leaving;
            if leaving != Variable::Z0 {
                self.leave_alternatives(first, parent, entering);
            }
            let branch = Branch { parent, entering, leaving, departures: self.departures(parent) };
            let Some(node) = self.pivot(system, branch, meter, observer) else {
                if !self.backtrack(system, &mut parent, &mut entering, meter, observer) {
                    return End::Exhausted;
                }
                continue;
            };
            parent = node;
            if leaving == Variable::Z0 {
                return self.arrive(system);
            }
            entering = leaving.complement();
        }
    }

    /// Forgets the last search and stands at the root, covered; false if it has no basis.
    fn set_out(&mut self, system: &mut System, bands: Rung, seed: u64) -> bool {
        self.nodes.clear();
        self.open.clear();
        self.visited.clear();
        self.perturb(system, seed);
        if !self.install_root(system) {
            self.cold(system, bands.whole || self.whole);
            if !self.install_root(system) {
                return false;
            }
        }
        self.cover(system, bands.random_cover.then_some(seed));
        self.refresh(system);
        true
    }

    /// Counts a node; an end if there is no means for it.
    fn means_end(&mut self, system: &System, budget: usize, meter: &mut Meter) -> Option<End> {
        if meter.bounded {
            self.keep_best(system);
        }
        if meter.spent() {
            return Some(End::OutOfBudget);
        }
        if meter.nodes >= budget {
            return Some(End::OutOfNodes);
        }
        meter.nodes += 1;
        None
    }

    /// The column of what enters, on fresh factors if the kept ones have lost it; false if there are none.
    fn drive_afresh(&mut self, system: &System, entering: Variable) -> bool {
        let residual = self.drive(system, entering);
        if !self.basis.is_stale(residual) {
            return true;
        }
        if !self.basis.factor(system) {
            return false;
        }
        self.refresh(system);
        self.drive(system, entering);
        true
    }

    /// The first tied row that ends the path, or leads to a basis not seen yet.
    fn first_new(&self, entering: Variable) -> Option<usize> {
        self.ties.iter().position(|t| {
            t.leaving == Variable::Z0 || !self.visited.contains(&(self.hash ^ key(entering) ^ key(t.leaving)))
        })
    }

    /// z₀ is gone: the answer, or the basis to start from with other bands.
    fn arrive(&mut self, system: &System) -> End {
        let end = self.verify(system);
        if end != End::Solved {
            let n = system.unknowns();
            self.start.clear();
            self.start.extend((0..n).map(|j| self.basis.side(j) == Basic::Z));
        }
        end
    }
}
