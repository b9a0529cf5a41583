//! Where a search starts: the basis at its root, rows that add nothing, the covering vector, q′ and p′ afresh.

use super::{Scratch, Search};
use crate::basis::Columns;
use crate::friction::reduced::{Basic, Load};
use crate::friction::system::System;
use crate::observer::Variable;
use crate::robust::tree::{key, mix, unit_interval};
use crate::tolerances;

impl Search {
    pub(super) fn perturb(&mut self, system: &System, seed: u64) {
        self.p.clear();
        self.p.extend((0..system.bounded() as u64).map(|i| 1.0 + unit_interval(mix(i ^ mix(seed)))));
        self.p.resize(system.unknowns(), 0.0);
    }

    pub(super) fn install_root(&mut self, system: &System) -> bool {
        self.basis.reset(system);
        self.hash = 0;
        for i in 0..self.start.len() {
            if self.dropped[i] {
                self.basis.leave_out(i);
            } else if self.start[i] {
                self.basis.install(i);
                self.hash ^= key(Variable::Z(i)) ^ key(Variable::W(i));
            }
        }
        self.basis.factor(system)
    }

    /// Leaves out equations that add nothing to the others: Cholesky with the largest diagonal first.
    pub(super) fn drop_redundant(&mut self, system: &System) {
        let first = system.bounded();
        let k = system.unknowns() - first;
        if k == 0 {
            return;
        }
        let Scratch { a, column, free, left } = &mut self.scratch;
        free.clear();
        free.extend(first..first + k);
        a.clear(); // column-major
        for &j in &*free {
            system.column_at(j, free, column);
            a.extend_from_slice(column);
        }
        left.clear();
        left.extend(0..k);
        while let Some((at, &p)) =
            left.iter().enumerate().max_by(|x, y| a[x.1 * k + x.1].total_cmp(&a[y.1 * k + y.1]))
        {
            // rows have unit size: what is left of one after the others is the sine of its angle, squared;
            // below a microradian it says nothing that rounding does not
            let pivot = a[p * k + p];
            if pivot <= tolerances::NEW_ROW {
                break;
            }
            left.swap_remove(at);
            for &c in &*left {
                let f = a[c * k + p] / pivot;
                for &r in &*left {
                    a[c * k + r] -= f * a[p * k + r];
                }
            }
        }
        for &p in &*left {
            self.dropped[free[p]] = true;
        }
    }

    /// The covering vector that is `ones` (or random) in the pivoted system: c = B d′.
    pub(super) fn cover(&mut self, system: &mut System, random: Option<u64>) {
        // the rows of a contact share theirs [Lloyd, App. B]
        let per = system.d + 2;
        let entry = |i: usize| match random {
            None => 1.0,
            Some(seed) => {
                let group = if i < system.n * per { i / per } else { i };
                0.5 + 1.5 * unit_interval(mix(group as u64 ^ mix(seed ^ 0xc0ff_ee00)))
            }
        };
        let Scratch { a: shares, column: cover, free: bounded, .. } = &mut self.scratch;
        cover.clear();
        cover
            .extend((0..system.unknowns()).map(|i| {
                if self.basis.side(i) != Basic::Z && i < system.bounded() { entry(i) } else { 0.0 }
            }));
        bounded.clear();
        bounded.extend(self.basis.active().iter().copied().filter(|&j| j < system.bounded()));
        shares.clear();
        shares.extend(bounded.iter().map(|&j| -entry(j)));
        system.add(bounded, shares, cover);
        std::mem::swap(cover, &mut system.cover);
        self.basis.cover_changed();
    }

    /// The column of a driving variable; answers what is left of the solve.
    pub(super) fn drive(&mut self, system: &System, entering: Variable) -> f64 {
        let load = match entering {
            Variable::Z(j) => Load::Column(j),
            Variable::W(i) => Load::Unit(i, -1.0),
            Variable::Z0 => Load::Vector(&system.cover),
        };
        self.basis.solve(system, load, &mut self.column)
    }

    pub(super) fn refresh(&mut self, system: &System) {
        let residual = self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
        if self.basis.is_stale(residual) && self.basis.factor(system) {
            self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
        }
        self.basis.solve(system, Load::Vector(&self.p), &mut self.p_now);
        self.since_refresh = 0;
    }
}
