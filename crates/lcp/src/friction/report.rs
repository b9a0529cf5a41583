//! From scaled numbers to an answer in the caller's units, and its residuals from the original data.

use super::search::{Search, Spent};
use super::system::System;
use super::verdict::Shape;
use super::{Structured, cone};
use crate::friction::FrictionSolution;
use crate::outcome::{Outcome, Residual, SOLVED, Status};
use crate::problem::{ContactAnswer, ContactMode};
use crate::tolerances;

/// Whose law an answer is held against.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measured {
    /// Coulomb's, by the verdict.
    Coulomb,
    /// Another one, which has a residual of its own.
    Other(f64),
}

impl Structured {
    /// Reports the scaled impulses in `impulse` as an answer for round cones.
    pub(super) fn exact_outcome(
        &mut self,
        system: &System,
        natural: Measured,
        status: Status,
        spent: Spent,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        let Self { search, impulse, .. } = self;
        let coulomb = search.judge.natural(system, impulse, Shape::Round);
        let natural = match natural {
            Measured::Coulomb => coulomb,
            Measured::Other(natural) => natural,
        };
        self.report_impulses(system, solution);
        solution.boxed.x.clear();
        solution.boxed.w.clear();
        solution.boxed.ray = None;
        let residual = exact_residual(system, natural, solution);
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: spent.pivots, nodes: spent.nodes.max(spent.pivots), residual }
    }

    /// No impulse at all as an answer, if it is one.
    pub(super) fn at_peace(
        &mut self,
        system: &System,
        basis: &[bool],
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        system.nothing(&mut self.impulse);
        solution.basis.clear();
        solution.basis.extend_from_slice(basis);
        let spent = Spent::default();
        let outcome = self.exact_outcome(system, Measured::Coulomb, Status::Inaccurate, spent, solution);
        self.settle.take(system, &self.impulse, &self.search.judge.u);
        (outcome.status == Status::Solved).then_some(outcome)
    }

    /// What is remembered as an answer, when there is no time for anything better.
    pub(super) fn report_remembered(
        &mut self,
        system: &System,
        basis: &[bool],
        solution: &mut FrictionSolution,
    ) -> Outcome {
        self.impulse.clone_from(&self.remembered);
        if self.impulse.iter().any(|x| !x.is_finite()) {
            system.nothing(&mut self.impulse);
        }
        solution.basis.clear();
        solution.basis.extend_from_slice(basis);
        let spent = Spent::default();
        let outcome = self.exact_outcome(system, Measured::Coulomb, Status::Budget, spent, solution);
        self.settle.take(system, &self.impulse, &self.search.judge.u);
        outcome
    }

    /// The best iterate of the road as an answer.
    pub(super) fn report_road(
        &mut self,
        system: &System,
        basis: &[bool],
        status: Status,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        self.report_iterate(system, basis, Measured::Coulomb, status, solution)
    }

    /// The same, held against a law.
    pub(super) fn report_iterate(
        &mut self,
        system: &System,
        basis: &[bool],
        natural: Measured,
        status: Status,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        let at = &self.road.at;
        self.impulse.clear();
        self.impulse.extend_from_slice(&at.x);
        self.settle.take(system, &at.x, &at.u);
        solution.basis.clear();
        solution.basis.extend_from_slice(basis);
        let spent = Spent { pivots: 0, nodes: self.road.factorisations() };
        self.exact_outcome(system, natural, status, spent, solution)
    }

    /// The residuals of the answer of the search that was reported, in the caller's units but for the natural one.
    pub(super) fn residual(&self, system: &System) -> Residual {
        let Search { z, w, .. } = &self.search;
        let mut residual = Residual { natural: self.natural, ..Residual::default() };
        let bounded = system.bounded();
        for i in 0..z.len() {
            // a pair that is complementary to the bit adds nothing
            if i < bounded && z[i] >= 0.0 && w[i] >= 0.0 && (z[i] == 0.0 || w[i] == 0.0) {
                continue;
            }
            if !system.counts(i) {
                continue;
            }
            let (uz, uw) = system.units(i);
            if i < bounded {
                let row = crate::measure::row_error(z[i] * uz, w[i] * uw, 0.0, f64::INFINITY, uw / uz);
                residual.fischer_burmeister += row.fischer_burmeister;
                residual.energy += row.energy;
            } else {
                residual.fischer_burmeister += (w[i] * uw).abs();
                residual.energy += 0.5 * w[i] * w[i] * uw * uz;
            }
        }
        residual
    }

    /// The answer of the search, judged, in the caller's units; the boxed form in the order of
    /// [`FrictionProblem::to_mlcp`].
    pub(super) fn report(&mut self, system: &System, solution: &mut FrictionSolution) {
        self.natural = self.search.judged(system);
        if self.natural <= SOLVED {
            self.search.complete(system);
        }
        self.impulse.clone_from(&self.search.scalars);
        self.report_impulses(system, solution);
        self.report_boxed(system, solution);
    }

    /// Contacts and impulses from what was judged last.
    fn report_impulses(&mut self, system: &System, solution: &mut FrictionSolution) {
        let Self { search, impulses, velocities, .. } = self;
        impulses.clone_from(&search.judge.x);
        velocities.clone_from(&search.judge.u);
        system.to_units(impulses, velocities);
        solution.impulses.clone_from(impulses);
        report_contacts(system, impulses, velocities, &mut solution.contacts);
    }

    fn report_boxed(&self, system: &System, solution: &mut FrictionSolution) {
        let Self { search, impulses, velocities, .. } = self;
        solution.basis.clone_from(&search.basic);
        let (n, d) = (system.n, system.d);
        let boxed = &mut solution.boxed;
        boxed.ray = None;
        for (out, from, unit) in [(&mut boxed.x, &search.z, 0), (&mut boxed.w, &search.w, 1)] {
            let value =
                |index: usize, units: (f64, f64)| from[index] * if unit == 0 { units.0 } else { units.1 };
            out.clear();
            out.extend((0..n).map(|i| value(system.theta(i), system.units(system.theta(i)))));
            for i in 0..n {
                let first = system.theta(i) + 1;
                let units = system.units(first);
                out.extend((first..first + d).map(|index| value(index, units)));
            }
            out.extend((0..n).map(|i| value(system.theta(i) + 1 + d, system.units(system.theta(i) + 1 + d))));
            let rows = if unit == 0 { impulses } else { velocities };
            out.extend_from_slice(&rows[3 * n..]);
        }
    }
}

/// Impulses, velocities and modes of the contacts, in the caller's units.
pub(super) fn report_contacts(
    system: &System,
    impulses: &[f64],
    velocities: &[f64],
    contacts: &mut Vec<ContactAnswer>,
) {
    // slower than this is at rest
    let still = tolerances::AT_REST * system.size;
    contacts.clear();
    contacts.extend((0..system.n).map(|i| {
        let vector = |v: &[f64]| [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
        let (impulse, velocity) = (vector(impulses), vector(velocities));
        let slip = velocity[1].hypot(velocity[2]) * system.scale[3 * i + 1];
        let mode = if impulse[0] <= 0.0 {
            ContactMode::Open
        } else if slip <= still {
            ContactMode::Stick
        } else {
            ContactMode::Slip
        };
        ContactAnswer { impulse, velocity, mode }
    }));
}

/// The exact residuals: F scaled, |F| summed in raw units, and ½ F² over the effective mass in joules.
pub(super) fn exact_residual(system: &System, natural: f64, solution: &FrictionSolution) -> Residual {
    let mut residual = Residual { natural, ..Residual::default() };
    for (i, contact) in solution.contacts.iter().enumerate() {
        let raw_mu = system.mu[i] * system.scale[3 * i + 1] / system.scale[3 * i];
        let f = cone::natural_map(raw_mu, &contact.impulse, &contact.velocity);
        residual.fischer_burmeister += f.iter().map(|v| v.abs()).sum::<f64>();
        let r = [0, 1, 2].map(|k| contact.impulse[k] / (system.scale[3 * i + k] * system.size));
        let u = [0, 1, 2].map(|k| contact.velocity[k] * system.scale[3 * i + k] / system.size);
        let f = cone::natural_map(system.mu[i], &r, &u);
        residual.energy += 0.5 * f.iter().map(|v| v * v).sum::<f64>() * system.size * system.size;
    }
    residual
}
