//! The structured solver: contact with friction, solved on its own structure.
//!
//! The road: [`system`] (the problem as a factored, scaled operator) → [`search`] (guided pivots with growth) →
//! the answer in the caller's units. Around it: [`mod@islands`] (independent parts, solved apart) and [`mod@canonical`] (of all
//! impulses with the same motion, the most evenly spread ones).

mod canonical;
mod islands;
mod orthogonal;
mod search;
mod system;

pub use canonical::{Canonical, Spread, SpreadReport, canonical};
pub use islands::{Island, islands, solve_islands};
use search::Search;
use system::System;

use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Residual, SOLVED, Status};
use crate::problem::{ContactAnswer, ContactMode, FrictionProblem};
use crate::solver::FrictionSolution;

/// `robust` on the friction basis, with its scratch memory.
#[derive(Debug, Clone, Default)]
pub struct Structured {
    search: Search,
    impulses: Vec<f64>,
    velocities: Vec<f64>,
}

impl Structured {
    /// Solves a friction problem with its polyhedral cones.
    pub fn solve(&mut self, problem: &FrictionProblem, solution: &mut FrictionSolution) -> Outcome {
        self.solve_with(problem, None, Budget::default(), solution, &mut ())
    }

    /// Solves from the basis of an earlier answer, within a budget, watched.
    pub fn solve_with(
        &mut self,
        problem: &FrictionProblem,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut system = System::new(problem);
        let (status, spent) = self.search.solve(&mut system, start, budget, observer);
        self.report(&system, solution);
        let residual = self.residual(&system);
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: spent.pivots, nodes: spent.nodes.max(spent.pivots), residual }
    }

    fn residual(&self, system: &System) -> Residual {
        let Search { z, w, natural, .. } = &self.search;
        let mut residual = Residual { natural: *natural, ..Residual::default() };
        let bounded = system.bounded();
        for i in 0..z.len() {
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

    /// The answer in the caller's units; the boxed form in the order of [`FrictionProblem::to_mlcp`].
    fn report(&mut self, system: &System, solution: &mut FrictionSolution) {
        let Self { search, impulses, velocities } = self;
        system.answer(&search.z, impulses, velocities);
        solution.impulses.clone_from(impulses);
        // slower than this is at rest: 1e-9 of the largest speed in the problem, the accuracy of an answer
        let still = 1e-9 * system.size;
        solution.contacts.clear();
        solution.contacts.extend((0..system.n).map(|i| {
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
        solution.basis.clone_from(&search.basic);

        let (n, d) = (system.n, system.d);
        let boxed = &mut solution.boxed;
        boxed.ray = None;
        for (out, from, unit) in [(&mut boxed.x, &search.z, 0), (&mut boxed.w, &search.w, 1)] {
            let value = |index: usize| {
                let units = system.units(index);
                from[index] * if unit == 0 { units.0 } else { units.1 }
            };
            out.clear();
            out.extend((0..n).map(|i| value(system.theta(i))));
            out.extend((0..n * d).map(|k| value(system.theta(k / d) + 1 + k % d)));
            out.extend((0..n).map(|i| value(system.theta(i) + 1 + d)));
            let rows = if unit == 0 { &*impulses } else { &*velocities };
            out.extend_from_slice(&rows[3 * n..]);
        }
    }
}
