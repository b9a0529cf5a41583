//! The structured solver: contact with friction, solved on its own structure.
//!
//! The road: [`system`] (the problem as a factored, scaled operator) → [`search`] (guided pivots with growth) →
//! the answer in the caller's units; [`mod@cone`] makes the cones round. Around it: [`mod@islands`] (independent parts,
//! solved apart) and [`mod@canonical`] (of all impulses with the same motion, the most evenly spread ones).
//! [`lloyd`] walks Lloyd's own two methods on [`lloyd_basis`], his reduced basis.

mod canonical;
mod cone;
mod dense;
mod islands;
mod lloyd;
mod lloyd_basis;
mod lloyd_lu;
mod orthogonal;
mod search;
mod system;
mod warm;

pub use canonical::{Canonical, Spread, SpreadReport, canonical};
pub use islands::{Island, islands, solve_islands};
pub use lloyd::{Lloyd, Reduced, Structural};
pub use warm::{ConeShape, RowIds, WarmEntry, WarmKind, WarmStart};

use cone::Cone;
use search::Search;
use system::System;

use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Residual, SOLVED, Status};
use crate::problem::{ContactAnswer, ContactMode, FrictionProblem};
use crate::solver::FrictionSolution;

/// Rounds of turning facets before the best answer is taken as it is.
const ROUNDS: usize = 30;
/// The residual at which turning stops, scaled: a hundredth of what counts as solved.
const EXACT: f64 = 1e-11;

/// `robust` on the friction basis, with its scratch memory.
#[derive(Debug, Clone, Default)]
pub struct Structured {
    search: Search,
    cone: Cone,
    impulse: Vec<f64>, // of the scalar rows, scaled
    wide: bool,        // whether the last problem spans many scales
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
        self.solve_facets(&mut system, start, budget, solution, observer)
    }

    fn solve_facets(
        &mut self,
        system: &mut System,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let (status, spent) = self.search.solve(system, start, budget, observer);
        self.wide = system.is_wide();
        self.report(system, solution);
        let residual = self.residual(system);
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: spent.pivots, nodes: spent.nodes.max(spent.pivots), residual }
    }

    /// Whether the last problem spans so many scales that one residual for all of it may hide a light body.
    pub(crate) fn was_wide(&self) -> bool {
        self.wide
    }

    /// Solves with exact Coulomb cones. The natural residual of the outcome is that of F = r − P_K(r − u′), in
    /// scaled units; the facets of the problem only guide the search.
    pub fn solve_exact(
        &mut self,
        problem: &FrictionProblem,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut system = System::new(problem);
        self.solve_round(&mut system, start, budget, solution, observer)
    }

    /// Solves again and again with turned facets; `system` is left with those of the best answer.
    fn solve_round(
        &mut self,
        system: &mut System,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut spent = search::Spent::default();
        let mut status = Status::Inaccurate;
        let mut basis: Option<Vec<bool>> = start.map(<[bool]>::to_vec);
        let mut velocities = Vec::new();
        let mut impulses = Vec::new();
        let mut best_basis = Vec::new();
        let mut best_dirs = Vec::new();
        self.cone.reset();
        for _ in 0..ROUNDS {
            let left = Budget { pivots: budget.pivots.map(|p| p.saturating_sub(spent.pivots)), ..budget };
            let (round, cost) = self.search.solve(system, basis.as_deref(), left, observer);
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
            system.scalar_impulses(&self.search.z, &mut impulses);
            system.scalar_velocities(&impulses, &mut velocities);
            let turned = Cone::turn(system, &self.search, &velocities);
            basis = Some(self.search.basic.clone());
            // nothing turns any more and nothing gets better
            if turned < 1e-15 {
                break;
            }
        }
        if !best_dirs.is_empty() {
            system.dirs = best_dirs;
        }
        self.impulse.clear();
        self.impulse.extend_from_slice(self.cone.answer());
        self.report_impulses(system, solution);
        solution.boxed.x.clear();
        solution.boxed.w.clear();
        solution.boxed.ray = None;
        solution.basis = best_basis;
        let residual = self.exact_residual(system, solution);
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: spent.pivots, nodes: spent.nodes.max(spent.pivots), residual }
    }

    /// Solves from what is remembered of the rows by their ids, and remembers the answer.
    pub fn solve_warm(
        &mut self,
        problem: &FrictionProblem,
        cone: ConeShape,
        ids: RowIds<'_>,
        warm: &mut WarmStart,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut system = System::new(problem);
        let mut start = Vec::new();
        recall(&mut system, cone, ids, warm, &mut start);
        let outcome = match cone {
            ConeShape::Facets => self.solve_facets(&mut system, Some(&start), budget, solution, observer),
            ConeShape::Exact => self.solve_round(&mut system, Some(&start), budget, solution, observer),
        };
        remember(&system, ids, solution, warm);
        outcome
    }

    /// The exact residuals: F scaled, |F| summed in raw units, and ½ F² over the effective mass in joules.
    fn exact_residual(&self, system: &System, solution: &FrictionSolution) -> Residual {
        let mut residual = Residual { natural: self.cone.residual(), ..Residual::default() };
        for (i, contact) in solution.contacts.iter().enumerate() {
            let raw_mu = system.mu[i] * system.scale[3 * i + 1] / system.scale[3 * i];
            let f = cone::natural_map(raw_mu, &contact.impulse, &contact.velocity);
            residual.fischer_burmeister += f.iter().map(|v| v.abs()).sum::<f64>();
            let scaled = |k: usize, v: f64| v / (system.scale[3 * i + k] * system.size);
            let r: Vec<f64> = (0..3).map(|k| scaled(k, contact.impulse[k])).collect();
            let u: Vec<f64> =
                (0..3).map(|k| contact.velocity[k] * system.scale[3 * i + k] / system.size).collect();
            let f = cone::natural_map(system.mu[i], &r, &u);
            residual.energy += 0.5 * f.iter().map(|v| v * v).sum::<f64>() * system.size * system.size;
        }
        residual
    }

    fn residual(&self, system: &System) -> Residual {
        let Search { z, w, natural, .. } = &self.search;
        let mut residual = Residual { natural: *natural, ..Residual::default() };
        let bounded = system.bounded();
        for i in (0..z.len()).filter(|&i| system.counts(i)) {
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
        system.scalar_impulses(&self.search.z, &mut self.impulse);
        self.report_impulses(system, solution);
        self.report_boxed(system, solution);
    }

    /// Contacts and impulses from scaled impulses.
    fn report_impulses(&mut self, system: &System, solution: &mut FrictionSolution) {
        let Self { impulse, impulses, velocities, .. } = self;
        system.answer(impulse, impulses, velocities);
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
    }

    fn report_boxed(&self, system: &System, solution: &mut FrictionSolution) {
        let Self { search, impulses, velocities, .. } = self;
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
            let rows = if unit == 0 { impulses } else { velocities };
            out.extend_from_slice(&rows[3 * n..]);
        }
    }
}

/// The unknowns that were basic, and for round cones the facets as they were turned.
fn recall(system: &mut System, cone: ConeShape, ids: RowIds<'_>, warm: &WarmStart, start: &mut Vec<bool>) {
    start.clear();
    start.resize(system.unknowns(), false);
    let per = system.d + 2;
    for (i, &id) in ids.contacts.iter().take(system.n).enumerate() {
        let Some(entry) = warm.recall(WarmKind::Contact, id) else { continue };
        if entry.facets as usize == system.d && per <= 64 {
            let base = system.theta(i);
            (0..per).for_each(|k| start[base + k] = entry.basis >> k & 1 == 1);
            if cone == ConeShape::Exact {
                system.turn_facets(i, entry.angle);
            }
        }
    }
    let (first_bounded, end) = (system.n_unilateral(), system.n_unilateral() + system.n_bounded());
    for (k, &id) in ids.unilateral.iter().take(first_bounded).enumerate() {
        if let Some(entry) = warm.recall(WarmKind::Unilateral, id) {
            start[system.single(k)] = entry.basis & 1 == 1;
        }
    }
    for (k, &id) in (first_bounded..end).zip(ids.bounded) {
        if let Some(entry) = warm.recall(WarmKind::Bounded, id) {
            let at = system.single(k);
            start[at] = entry.basis & 1 == 1;
            start[at + 1] = entry.basis >> 1 & 1 == 1;
        }
    }
}

/// The answer's basis, facets and impulses, by id.
fn remember(system: &System, ids: RowIds<'_>, solution: &FrictionSolution, warm: &mut WarmStart) {
    warm.clear();
    let (basis, n, per) = (&solution.basis, system.n, system.d + 2);
    if basis.len() != system.unknowns() {
        return;
    }
    let bits =
        |from: usize, count: usize| (0..count).fold(0, |bits, k| bits | u64::from(basis[from + k]) << k);
    let facets = u32::try_from(system.d).unwrap_or(u32::MAX);
    for (i, &id) in ids.contacts.iter().take(n).enumerate().filter(|_| per <= 64) {
        let [c, s] = system.dirs[i * system.d];
        let impulse = solution.contacts[i].impulse;
        let basis = bits(system.theta(i), per);
        warm.remember(WarmEntry { kind: WarmKind::Contact, id, basis, facets, angle: s.atan2(c), impulse });
    }
    let mut single = |kind: WarmKind, id: u64, k: usize, count: usize| {
        let impulse = [solution.impulses[3 * n + k], 0.0, 0.0];
        let basis = bits(system.single(k), count);
        warm.remember(WarmEntry { kind, id, basis, facets, angle: 0.0, impulse });
    };
    let first_bounded = system.n_unilateral();
    for (k, &id) in (0..first_bounded).zip(ids.unilateral) {
        single(WarmKind::Unilateral, id, k, 1);
    }
    for (k, &id) in (first_bounded..first_bounded + system.n_bounded()).zip(ids.bounded) {
        single(WarmKind::Bounded, id, k, 2);
    }
    warm.sort();
}
