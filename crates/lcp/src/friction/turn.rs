//! Pivots on polygons, and round cones by polygons whose facets turn from one search to the next.

use super::report::Measured;
use super::search::Search;
use super::system::System;
use super::{Rounds, Structured, search};
use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, SOLVED, Status};
use crate::tolerances;

/// Rounds of turning facets before the best answer is taken as it is.
const ROUNDS: usize = 30;
/// The residual at which turning stops, scaled: a hundredth of what counts as solved.
const EXACT: f64 = 1e-11;

impl Structured {
    pub(super) fn solve_facets(
        &mut self,
        system: &mut System,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let (status, spent) = self.search.solve(system, start, budget, observer);
        self.ended = status == Status::Solved;
        self.report(system, solution);
        let residual = self.residual(system);
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: spent.pivots, nodes: spent.nodes.max(spent.pivots), residual }
    }

    /// Solves again and again with turned facets; `system` is left with those of the best answer.
    pub(super) fn solve_round(
        &mut self,
        system: &mut System,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut spent = search::Spent::default();
        let mut status = Status::Inaccurate;
        let clock = Clock::new(&budget);
        let Rounds { basis, best_basis, best_dirs, velocities, impulses } = &mut self.round;
        basis.clear();
        basis.extend_from_slice(start.unwrap_or_default());
        best_basis.clear();
        best_dirs.clear();
        self.cone.reset();
        for _ in 0..ROUNDS {
            let pivots = budget.pivots.map(|p| p.saturating_sub(spent.pivots));
            let left = clock.rest(Budget { pivots, ..budget });
            // a basis of another length is none
            let (round, cost) = self.search.solve(system, Some(&*basis), left, observer);
            spent.pivots += cost.pivots;
            spent.nodes += cost.nodes;
            let before = self.cone.residual();
            if self.cone.take(system, &self.search) < before {
                best_basis.clone_from(&self.search.basic);
                best_dirs.clone_from(&system.dirs);
            }
            status = round;
            if self.cone.residual() <= EXACT || round == Status::Budget {
                break;
            }
            system.scalar_impulses(&self.search.z, impulses);
            system.scalar_velocities(impulses, velocities);
            let turned = turn(system, &self.search, velocities);
            basis.clone_from(&self.search.basic);
            // nothing turns any more and nothing gets better
            if turned < tolerances::NO_TURN {
                break;
            }
        }
        if !best_dirs.is_empty() {
            system.dirs.clone_from(best_dirs);
        }
        solution.basis.clone_from(best_basis);
        self.impulse.clear();
        self.impulse.extend_from_slice(self.cone.answer());
        self.exact_outcome(system, Measured::Coulomb, status, spent, solution)
    }
}

/// Turns the facets of every contact that slides or nearly does; answers the largest turn, rad.
fn turn(system: &mut System, search: &Search, u: &[f64]) -> f64 {
    let d = system.d;
    let mut largest = 0.0_f64;
    for i in 0..system.n {
        let base = system.theta(i);
        if system.mu[i] == 0.0 {
            continue;
        }
        // an open contact turns with its velocity: it may be pressed in the next round
        let mut force = [0.0; 2];
        for j in 0..d {
            let [c, s] = system.dirs[i * d + j];
            force[0] += search.z[base + 1 + j] * c;
            force[1] += search.z[base + 1 + j] * s;
        }
        let limit = system.mu[i] * search.z[base];
        let speed = u[3 * i + 1].hypot(u[3 * i + 2]);
        let target = if speed > tolerances::TURNS_TO {
            [-u[3 * i + 1] / speed, -u[3 * i + 2] / speed]
        } else {
            let size = force[0].hypot(force[1]);
            // inside the polygon for good, wherever its vertices are
            if size <= 0.98 * (std::f64::consts::PI / d as f64).cos() * limit || size == 0.0 {
                continue;
            }
            [force[0] / size, force[1] / size]
        };
        // the facet that does the work keeps its number, so that the basis stays meaningful
        let busiest = (0..d)
            .max_by(|&a, &b| search.z[base + 1 + a].total_cmp(&search.z[base + 1 + b]))
            .expect("a cone has facets");
        let [c, s] = system.dirs[i * d + busiest];
        let (cos, sin) = (c * target[0] + s * target[1], c * target[1] - s * target[0]);
        largest = largest.max(sin.atan2(cos).abs());
        let first = target[1].atan2(target[0]) - std::f64::consts::TAU * busiest as f64 / d as f64;
        for j in 0..d / 2 {
            let angle = first + std::f64::consts::TAU * j as f64 / d as f64;
            system.dirs[i * d + j] = [angle.cos(), angle.sin()];
        }
        // the vertex itself, and opposite pairs, to the bit
        let half = d / 2;
        let exact = if busiest < half { target } else { [-target[0], -target[1]] };
        system.dirs[i * d + busiest % half] = exact;
        for j in 0..half {
            let [c, s] = system.dirs[i * d + j];
            system.dirs[i * d + half + j] = [-c, -s];
        }
    }
    largest
}
