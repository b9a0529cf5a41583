//! What a path leads to: q′ afresh, the answer from its basis, and the best one so far.

use super::Lloyd;
use crate::friction::reduced::{Basic, Load};
use crate::friction::search::{energy, evaluate, is_crisp};
use crate::friction::system::System;
use crate::outcome::{SOLVED, Status};
use crate::tolerances;

impl<const GROWS: bool> Lloyd<GROWS> {
    /// q′ from the original data.
    pub(super) fn refresh(&mut self, system: &System) {
        let residual = self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
        if self.basis.is_stale(residual) && self.basis.factor(system) {
            self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
        }
        self.basis.solve(system, Load::Vector(&self.p), &mut self.p_now);
        self.since_refresh = 0;
    }

    /// Whether the present basis, which has no z₀, is an answer.
    pub(super) fn verify(&mut self, system: &System) -> Status {
        self.best_energy = f64::INFINITY;
        // from fresh factors, then corrected by what is left in the rows of the problem
        if self.basis.factor(system) {
            self.refresh(system);
        }
        self.measure(system);
        for _ in 0..2 {
            let natural = self.answer.search.natural;
            if is_crisp(natural, &self.answer.search.z) || natural > tolerances::BEYOND_REFINING {
                break;
            }
            self.basis.solve(system, Load::Vector(&self.trial_w), &mut self.column);
            for &j in self.basis.active() {
                self.q_now[j] += self.column[j];
            }
            self.trial(system);
            let refined = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
            if refined >= natural {
                break;
            }
            self.keep(refined);
        }
        if self.answer.search.natural <= SOLVED { Status::Solved } else { Status::Inaccurate }
    }

    /// The basic z, cut to their signs, are the answer; w comes from the problem.
    pub(super) fn measure(&mut self, system: &System) {
        self.trial(system);
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        self.keep(natural);
    }

    /// Under a budget: the iterate (without z₀) of least energy error is the answer so far [EnzError (21)].
    pub(super) fn keep_best(&mut self, system: &System) {
        self.trial(system);
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        let energy = energy(system, &self.trial_z, &self.trial_w);
        if energy < self.best_energy {
            self.best_energy = energy;
            self.keep(natural);
        }
    }

    pub(super) fn trial(&mut self, system: &System) {
        self.trial_z.clear();
        self.trial_z.resize(self.q.len(), 0.0);
        for &j in self.basis.active() {
            let z = self.q_now[j];
            self.trial_z[j] = if j < system.bounded() { z.max(0.0) } else { z };
        }
    }

    pub(super) fn keep(&mut self, natural: f64) {
        let search = &mut self.answer.search;
        search.natural = natural;
        search.q.clone_from(&self.q);
        search.z.clone_from(&self.trial_z);
        search.w.clone_from(&self.trial_w);
        search.basic.clear();
        search.basic.extend((0..self.q.len()).map(|i| self.basis.side(i) == Basic::Z));
    }
}
