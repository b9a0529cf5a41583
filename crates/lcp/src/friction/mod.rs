//! The structured solver: contact with friction, solved on its own structure.
//!
//! The road: [`system`] (the problem as a factored, scaled operator) → [`settle`] (the answer from remembered or guessed
//! modes; with round cones and few rows its `few` first, with more rows after it) → if that fails and cones are round
//! [`interior`] (from the middle of the cones to modes, and to settle again) → if that fails [`search`] (guided pivots
//! with growth), [`mod@cone`] making the cones round → [`report`] (the answer in the caller's units). Around it: [`mod@gap`] (how far
//! polygons are from round cones), [`mod@islands`] (independent parts, solved apart) and [`mod@canonical`] (of all
//! impulses with the same motion, the most evenly spread ones).
//! [`lloyd`] walks Lloyd's own two methods. Both it and [`search`] stand on [`reduced`], his reduced basis.

mod canonical;
mod cone;
mod dense;
mod envelope;
mod freed;
mod gap;
mod interior;
mod islands;
mod layout;
mod lloyd;
mod orthogonal;
mod parts;
mod reduced;
mod report;
mod search;
mod settle;
mod system;
mod warm;

pub use canonical::{Canonical, Spread, SpreadReport, canonical};
pub use gap::facet_gap;
pub use islands::{Island, islands, solve_islands};
pub use lloyd::{Lloyd, Reduced, Structural};
pub use warm::{ConeShape, RowIds, WarmEntry, WarmKind, WarmStart};

use cone::Cone;
use freed::Freed;
use interior::Interior;
use layout::Layout;
use parts::Parts;
use search::Search;
use settle::Settle;
use system::System;

use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, SOLVED, Status};
use crate::problem::FrictionProblem;
use crate::solver::FrictionSolution;

/// Rounds of turning facets before the best answer is taken as it is.
const ROUNDS: usize = 30;
/// The residual at which turning stops, scaled: a hundredth of what counts as solved.
const EXACT: f64 = 1e-11;

/// Where the interior-point method stops to see whether modes can finish, x∘s in scaled units.
const INSIDE: [f64; 4] = [1e-6, 1e-9, 1e-11, 1e-13];

/// A scaled residual of an iterate that is nearly an answer. Pivoting then has so many pivots, and one more per row, to
/// do better, unless the caller gave another budget; in a warm solve of more than so many rows, where pivots take
/// milliseconds, it is not tried at all.
const NEARLY: f64 = 1e-4;
const PIVOTS: usize = 100;
const FEW_ROWS: usize = 150;

/// `robust` on the friction basis, with its scratch memory.
#[derive(Debug, Clone, Default)]
pub struct Structured {
    system: System,
    search: Search,
    cone: Cone,
    settle: Settle,
    interior: Interior,
    round: Rounds,
    start: Vec<bool>,  // recalled basis
    impulse: Vec<f64>, // of the scalar rows, scaled
    wide: bool,        // whether the last problem spans many scales
    middle: Middle,
    parts: Parts,
    part: FrictionSolution, // of the part at hand
    next: WarmStart,
    impulses: Vec<f64>,
    velocities: Vec<f64>,
}

/// The best that the interior-point method had in a solve.
#[derive(Debug, Clone, Default)]
struct Middle {
    natural: f64, // scaled residual; infinite if there is nothing
    impulse: Vec<f64>,
    modes: Vec<settle::Mode>,
    holds: Vec<settle::Hold>,
}

/// Memory of the rounds of turning facets.
#[derive(Debug, Clone, Default)]
struct Rounds {
    basis: Vec<bool>,
    best_basis: Vec<bool>,
    best_dirs: Vec<[f64; 2]>,
    velocities: Vec<f64>,
    impulses: Vec<f64>,
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
        if let Some(freed) = Freed::of(problem) {
            let mut answer = FrictionSolution::default();
            let outcome = self.solve_with(&freed.problem, None, budget, &mut answer, observer);
            return freed.restore(problem, outcome, &answer, solution);
        }
        let mut system = self.load(problem);
        let outcome = self.solve_facets(&mut system, start, budget, solution, observer);
        self.system = system;
        outcome
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
        if let Some(freed) = Freed::of(problem) {
            let mut answer = FrictionSolution::default();
            let outcome = self.solve_exact(&freed.problem, None, budget, &mut answer, observer);
            return freed.restore(problem, outcome, &answer, solution);
        }
        let mut system = self.load(problem);
        self.settle.reset(&system, true);
        warm::guess(&system, &mut self.settle);
        let mut basis = std::mem::take(&mut self.start);
        basis.clear();
        basis.extend_from_slice(start.unwrap_or_default());
        basis.resize(system.unknowns(), false);
        let cone = ConeShape::Exact;
        let outcome = self
            .settled(&mut system, cone, &basis, search::Spent::default(), solution)
            .or_else(|| {
                self.settle.reset(&system, true);
                warm::guess(&system, &mut self.settle);
                self.climbed(&mut system, &basis, solution)
            })
            .or_else(|| self.inward(&mut system, cone, &basis, false, solution))
            .or_else(|| self.inward(&mut system, cone, &basis, true, solution))
            .unwrap_or_else(|| self.pivoted_or_best(&mut system, cone, &basis, budget, solution, observer));
        self.start = basis;
        self.system = system;
        outcome
    }

    /// The problem as an operator, in the memory of the last one.
    fn load(&mut self, problem: &FrictionProblem) -> System {
        let mut system = std::mem::take(&mut self.system);
        system.rebuild(problem);
        self.wide = system.is_wide();
        system
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
        let Rounds { basis, best_basis, best_dirs, velocities, impulses } = &mut self.round;
        basis.clear();
        basis.extend_from_slice(start.unwrap_or_default());
        best_basis.clear();
        best_dirs.clear();
        self.cone.reset();
        for _ in 0..ROUNDS {
            let left = Budget { pivots: budget.pivots.map(|p| p.saturating_sub(spent.pivots)), ..budget };
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
            let turned = Cone::turn(system, &self.search, velocities);
            basis.clone_from(&self.search.basic);
            // nothing turns any more and nothing gets better
            if turned < 1e-15 {
                break;
            }
        }
        if !best_dirs.is_empty() {
            system.dirs.clone_from(best_dirs);
        }
        solution.basis.clone_from(best_basis);
        self.impulse.clear();
        self.impulse.extend_from_slice(self.cone.answer());
        self.exact_outcome(system, self.cone.residual(), status, spent, solution)
    }

    /// Solves from what is remembered of the rows by their ids, and remembers the answer. Independent parts of a factored
    /// problem are solved one after another, each within a budget of its own.
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
        if let Some(freed) = Freed::of(problem) {
            let mut answer = FrictionSolution::default();
            let bounded = freed.ids(ids);
            let ids = RowIds { bounded: &bounded, ..ids };
            let outcome = self.solve_warm(&freed.problem, cone, ids, warm, budget, &mut answer, observer);
            return freed.restore(problem, outcome, &answer, solution);
        }
        self.next.clear();
        let count = self.parts.split(problem);
        let outcome = if count == 1 {
            self.solve_whole(problem, cone, ids, warm, budget, solution, observer)
        } else {
            let (mut parts, mut answer) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.part));
            let layout = Layout::new(problem);
            let (mut whole, mut wide) = (layout.begin(solution), false);
            for part in 0..count {
                parts.enter(problem, ids, part);
                let (own, own_ids) = parts.problem();
                let outcome = self.solve_whole(own, cone, own_ids, warm, budget, &mut answer, observer);
                layout.put(parts.members(), &outcome, &answer, &mut whole, solution);
                wide |= self.wide;
            }
            (self.parts, self.part, self.wide) = (parts, answer, wide);
            whole
        };
        self.next.sort();
        std::mem::swap(warm, &mut self.next);
        outcome
    }

    /// Solves a problem that is one part; what it should remember is added to `next`.
    fn solve_whole(
        &mut self,
        problem: &FrictionProblem,
        cone: ConeShape,
        ids: RowIds<'_>,
        warm: &WarmStart,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut system = self.load(problem);
        let mut start = std::mem::take(&mut self.start);
        let round = cone == ConeShape::Exact;
        self.settle.reset(&system, round);
        warm::recall(&mut system, ids, warm, &mut self.settle, &mut start, round);
        let few = self.settle.is_few(&system, true);
        let first = if few {
            self.climbed(&mut system, &start, solution)
        } else {
            self.settled(&mut system, cone, &start, search::Spent::default(), solution)
        };
        let outcome = first
            .or_else(|| {
                // the other way, from the same memory
                self.settle.reset(&system, round);
                warm::recall(&mut system, ids, warm, &mut self.settle, &mut start, round);
                if few {
                    self.settled(&mut system, cone, &start, search::Spent::default(), solution)
                } else {
                    self.climbed(&mut system, &start, solution)
                }
            })
            .or_else(|| self.inward(&mut system, cone, &start, false, solution))
            .or_else(|| self.inward(&mut system, cone, &start, true, solution))
            .unwrap_or_else(|| {
                let near = cone == ConeShape::Exact && self.middle.natural < NEARLY;
                if near && budget == Budget::default() && system.q.len() > FEW_ROWS {
                    let spent = search::Spent { pivots: 0, nodes: self.interior.steps() };
                    return self.report_middle(&system, &start, spent, Status::Inaccurate, solution);
                }
                self.pivoted_or_best(&mut system, cone, &start, budget, solution, observer)
            });
        warm::remember(&system, ids, solution, &self.settle, &mut self.next);
        self.start = start;
        self.system = system;
        outcome
    }

    /// The answer that sweeps and steps inside the round cones lead to, if rows are few enough and they do.
    fn climbed(
        &mut self,
        system: &mut System,
        basis: &[bool],
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        if !self.settle.is_few(system, false) || !self.settle.climb_few(system) {
            return None;
        }
        self.accept(system, ConeShape::Exact, basis, search::Spent::default(), solution)
    }

    /// The answer that the modes in `settle` lead to, if they do.
    fn settled(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        basis: &[bool],
        spent: search::Spent,
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        if !self.settle.run(system, false) {
            return None;
        }
        self.accept(system, cone, basis, spent, solution)
    }

    /// What `settle` found, as an answer, if it is one.
    fn accept(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        basis: &[bool],
        spent: search::Spent,
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        let spent = search::Spent { nodes: spent.nodes + 1, ..spent };
        match cone {
            ConeShape::Facets => {
                if !self.search.adopt(system, &self.settle, basis) {
                    return None;
                }
                self.report(system, solution);
                let residual = self.residual(system);
                Some(Outcome { status: Status::Solved, pivots: spent.pivots, nodes: spent.nodes, residual })
            }
            ConeShape::Exact => {
                self.impulse.clear();
                self.impulse.extend_from_slice(&self.settle.r);
                solution.basis.clear();
                solution.basis.extend_from_slice(basis);
                let natural = self.settle.residual;
                let outcome = self.exact_outcome(system, natural, Status::Solved, spent, solution);
                // large impulses may pass there with a residual that does not pass here
                (outcome.status == Status::Solved).then_some(outcome)
            }
        }
    }

    /// The answer that the interior-point method leads to, if it does.
    fn inward(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        basis: &[bool],
        gentle: bool,
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        if !gentle {
            self.middle.natural = f64::INFINITY;
        }
        if cone != ConeShape::Exact || !self.interior.start(system, gentle) {
            return None;
        }
        for (stage, tolerance) in INSIDE.into_iter().enumerate() {
            let arrived = self.interior.run(system, tolerance);
            let spent = search::Spent { pivots: 0, nodes: self.interior.steps() };
            let last = !arrived || stage + 1 == INSIDE.len();
            for trend in [false, true] {
                // sizes tell first; then what they tend to, and at the end both
                if (stage == 0 && trend) || (stage > 0 && !trend && !last) {
                    continue;
                }
                self.tell(system, trend);
                if let Some(outcome) = self.settled(system, cone, basis, spent, solution) {
                    return Some(outcome);
                }
            }
            if last {
                break;
            }
        }
        let spent = search::Spent { pivots: 0, nodes: self.interior.steps() };
        if self.middle.natural > SOLVED {
            // nearly there: one mode at a time
            self.tell(system, false);
            if self.settle.run(system, true)
                && let Some(outcome) = self.accept(system, cone, basis, spent, solution)
            {
                return Some(outcome);
            }
            return None;
        }
        // where modes are not clear the impulses themselves may do
        Some(self.report_middle(system, basis, spent, Status::Solved, solution))
    }

    /// Impulses and modes as the interior-point method has them now; the best of them are kept.
    fn tell(&mut self, system: &System, trend: bool) {
        let Settle { r, modes, holds, .. } = &mut self.settle;
        self.interior.tell(system, trend, r, modes, holds);
        let natural = self.settle.measured(system);
        if natural < self.middle.natural {
            self.middle.natural = natural;
            self.middle.impulse.clone_from(&self.settle.r);
            self.middle.modes.clone_from(&self.settle.modes);
            self.middle.holds.clone_from(&self.settle.holds);
        }
    }

    /// The best impulses that the interior-point method had, reported.
    fn report_middle(
        &mut self,
        system: &System,
        basis: &[bool],
        spent: search::Spent,
        status: Status,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        self.impulse.clone_from(&self.middle.impulse);
        self.settle.modes.clone_from(&self.middle.modes);
        self.settle.holds.clone_from(&self.middle.holds);
        solution.basis.clear();
        solution.basis.extend_from_slice(basis);
        self.exact_outcome(system, self.middle.natural, status, spent, solution)
    }

    /// The answer by pivoting; then, if it can be had, one with the same motion inside the cones, which the next
    /// step can start from.
    fn pivoted(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        start: &[bool],
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let outcome = match cone {
            ConeShape::Facets => self.solve_facets(system, Some(start), budget, solution, observer),
            ConeShape::Exact => {
                // an answer that is nearly one is there already: no search without an end
                let near = budget == Budget::default() && self.middle.natural < NEARLY;
                let most = near.then_some(PIVOTS + system.q.len());
                let budget = Budget { pivots: budget.pivots.or(most), ..budget };
                self.solve_round(system, Some(start), budget, solution, observer)
            }
        };
        // an answer that is not good enough may still know what sticks
        self.settle.classify(system, &self.search.z, &self.impulse, outcome.residual.natural);
        if outcome.status == Status::Budget || !self.settle.spread(system) {
            self.settle.restore_modes();
            return outcome;
        }
        let mut basis = std::mem::take(&mut self.round.basis);
        basis.clone_from(&solution.basis);
        let spent = search::Spent { pivots: outcome.pivots, nodes: outcome.nodes };
        let spread = self.settled(system, cone, &basis, spent, solution);
        self.round.basis = basis;
        if spread.is_none() {
            self.settle.restore_modes();
        }
        spread.unwrap_or(outcome)
    }

    /// [`Structured::pivoted`], or what the interior-point method had if that is better.
    fn pivoted_or_best(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        start: &[bool],
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let outcome = self.pivoted(system, cone, start, budget, solution, observer);
        if outcome.status == Status::Solved || self.middle.natural >= outcome.residual.natural {
            return outcome;
        }
        let spent = search::Spent { pivots: outcome.pivots, nodes: outcome.nodes };
        self.report_middle(system, start, spent, outcome.status, solution)
    }
}
