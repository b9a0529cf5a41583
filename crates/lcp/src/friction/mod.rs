//! The structured solver: contact with friction, solved on its own structure.
//!
//! The road: [`system`] (the problem as a factored, scaled operator) → the stages of [`road`], in an order that the kind of
//! problem decides: [`settle`] (remembered or guessed modes; its `few` for few rows), Newton, repair, the interior-point
//! method, the last three on one [`operator`] and one [`iterate`] → with facets, or if that fails and rows are few,
//! [`search`] (guided pivots with growth), [`mod@cone`] and [`turn`] making the cones round; [`walk`] goes along it
//! → [`report`] (the answer in the caller's units, by the leave of [`verdict`]). Around it: [`mod@gap`] (how far
//! polygons are from round cones), [`mod@islands`] (independent parts, solved apart) and [`mod@canonical`] (of all
//! impulses with the same motion, the most evenly spread ones).
//! [`lloyd`] walks Lloyd's own two methods. Both it and [`search`] stand on [`reduced`], his reduced basis.

mod again;
mod canonical;
mod climb;
mod cone;
mod convex;
mod dense;
mod elimination;
mod envelope;
mod fall;
mod freed;
mod gap;
mod interior_point;
mod islands;
mod iterate;
mod jam;
mod layout;
mod lloyd;
mod newton;
mod nodes;
mod operator;
mod orthogonal;
mod parts;
mod pivots;
mod reduced;
mod repair;
mod report;
mod road;
mod search;
mod settle;
mod solution;
mod stage;
mod stages;
mod sweep;
mod system;
mod task;
mod turn;
mod verdict;
mod walk;
mod warm;

pub use canonical::{Canonical, Spread, SpreadReport, canonical};
pub use fall::{Fell, Rung};
pub use gap::{answer_of, contact_residual, facet_gap, judged_answer};
pub use islands::{Island, islands, solve_islands};
pub use lloyd::{Lloyd, Reduced, Structural};
pub use solution::FrictionSolution;
pub use stage::{Stage, StageReport, StageTotal, StageTotals};
pub use task::FrictionTask;
pub use warm::{ConeShape, RowIds, WarmEntry, WarmKind, WarmStart};

use cone::Cone;
use freed::Freed;
use layout::Layout;
use parts::Parts;
use search::Search;
use settle::Settle;
use system::System;

use std::time::Instant;

use crate::clock::Clock;
use crate::observer::Observer;
use crate::observer::watched;
use crate::outcome::{Budget, Outcome, SOLVED, Side, Status};
use crate::problem::FrictionProblem;

/// `robust` on the friction basis, with its scratch memory.
#[derive(Debug, Clone, Default)]
pub struct Structured {
    system: System,
    search: Search,
    cone: Cone,
    settle: Settle,
    remembered: Vec<f64>, // impulses to start from, scaled
    guessed: (Vec<settle::Faceted>, Vec<Side>),
    stages: Vec<StageReport>,
    round: Rounds,
    start: Vec<bool>,  // recalled basis
    cold: Vec<bool>,   // the basis of all slacks
    impulse: Vec<f64>, // of the scalar rows, scaled
    natural: f64,      // of the answer of the search, as judged
    wide: bool,        // whether the last problem spans many scales
    ended: bool,       // whether the last search ended on its answer
    road: road::Road,
    parts: Parts,
    fall: fall::Fall,
    part: FrictionSolution,               // of the part at hand
    freed: Freed,                         // the same without bounds that are not reached
    answer: FrictionSolution,             // of that
    unbounded: (Freed, FrictionSolution), // the whole without rows that have none
    other: FrictionSolution,              // an answer on trial
    next: WarmStart,
    nothing: WarmStart, // that a cold solve remembers
    patient: bool,      // whether a cold solve may take as many pivots as it wants
    impulses: Vec<f64>,
    velocities: Vec<f64>,
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
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_with_by(problem, start, budget, solution, o))
    }

    fn solve_with_by(
        &mut self,
        problem: &FrictionProblem,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut freed = Freed::default();
        if freed.unbounded(problem) {
            let mut answer = FrictionSolution::default();
            let outcome = self.solve_with(freed.problem(), None, budget, &mut answer, observer);
            return freed.restore(problem, outcome, &answer, solution);
        }
        self.begin_log();
        let mut system = self.load(problem);
        let outcome = if problem.is_at_peace() && self.search.rest(&system) <= SOLVED {
            self.ended = true;
            self.report(&system, solution);
            let residual = self.residual(&system);
            Outcome { status: Status::Solved, pivots: 0, nodes: 0, residual }
        } else {
            self.solve_facets(&mut system, start, budget, solution, observer)
        };
        self.system = system;
        outcome
    }

    /// Whether the last problem spans so many scales that an answer is better measured twice.
    pub(crate) fn was_wide(&self) -> bool {
        self.wide
    }

    /// Whether the last search ended on its answer; one that ran out of branches may still have passed the verdict.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Solves with exact Coulomb cones, from the basis of an earlier answer or, part by part, from none. The natural residual of
    /// the outcome is that of F = r − P_K(r − u′), in scaled units; the facets of the problem only guide the search.
    pub fn solve_exact(
        &mut self,
        problem: &FrictionProblem,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_exact_by(problem, start, budget, solution, o))
    }

    fn solve_exact_by(
        &mut self,
        problem: &FrictionProblem,
        start: Option<&[bool]>,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let is_freed = || Freed::has_unbounded(problem) || Freed::has_far(problem);
        let Some(start) = start.filter(|start| start.contains(&true) && !is_freed()) else {
            let apart = if problem.as_factored().is_none() { islands(problem) } else { Vec::new() };
            if !apart.is_empty() {
                return self.solve_apart(problem, &apart, budget, solution, observer);
            }
            let clock = Clock::new(&budget);
            let (mut nothing, ids) = (std::mem::take(&mut self.nothing), RowIds::default());
            nothing.clear();
            self.patient = true;
            let outcome = self.solve_warm(
                FrictionTask { problem, cone: ConeShape::Exact, ids, budget },
                &mut nothing,
                solution,
                observer,
            );
            let outcome = self.in_other_orders(problem, outcome, clock.rest(budget), solution, observer);
            self.patient = false;
            self.nothing = nothing;
            return outcome;
        };
        self.begin_log();
        let mut basis = std::mem::take(&mut self.start);
        let mut system = self.load(problem);
        basis.clear();
        basis.extend_from_slice(start);
        basis.resize(system.unknowns(), false);
        self.settle.reset(&system, true);
        warm::guess(&system, &mut self.settle);
        self.patient = true;
        let outcome = self.walk(&mut system, ConeShape::Exact, &basis, budget, solution, observer);
        self.patient = false;
        self.start = basis;
        self.system = system;
        outcome
    }

    /// Islands one after another, each with as many pivots, all within one time.
    fn solve_apart(
        &mut self,
        problem: &FrictionProblem,
        islands: &[Island],
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let layout = Layout::new(problem);
        let mut whole = layout.begin(solution);
        let (clock, mut log) = (Clock::new(&budget), Vec::new());
        let mut answer = FrictionSolution::default();
        for island in islands {
            let left = clock.rest(budget);
            let outcome = self.solve_exact(&island.problem, None, left, &mut answer, observer);
            layout.put(island.members(), &outcome, &answer, &mut whole, solution);
            log.append(&mut self.stages);
        }
        self.stages = log;
        // what nothing moves in an island is the rounding of what moves elsewhere
        if whole.status != Status::Solved && !clock.expired() {
            let natural = contact_residual(problem, &solution.impulses, ConeShape::Exact);
            if natural <= SOLVED {
                whole.status = Status::Solved;
                whole.residual.natural = natural;
            }
        }
        whole
    }

    /// The problem as an operator, in the memory of the last one.
    fn load(&mut self, problem: &FrictionProblem) -> System {
        let mut system = std::mem::take(&mut self.system);
        system.rebuild(problem);
        self.wide = system.is_wide();
        system
    }

    /// Solves from what is remembered of the rows by their ids, and remembers the answer. Independent parts of a factored
    /// problem are solved one after another, each with as many pivots, all within one time.
    pub fn solve_warm(
        &mut self,
        task: FrictionTask<'_>,
        warm: &mut WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_warm_by(task, warm, solution, o))
    }

    fn solve_warm_by(
        &mut self,
        task: FrictionTask<'_>,
        warm: &mut WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let FrictionTask { problem, ids, budget, .. } = task;
        if Freed::has_unbounded(problem) {
            return self.solve_bounded(task, warm, solution, observer);
        }
        self.begin_log();
        self.next.clear();
        let count = self.parts.split(problem);
        let outcome = if count == 1 {
            self.solve_part(task, warm, solution, observer)
        } else {
            let (mut parts, mut answer) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.part));
            let layout = Layout::new(problem);
            let mut whole = layout.begin(solution);
            let clock = Clock::new(&budget);
            for part in 0..count {
                parts.enter(problem, ids, part);
                let (own, own_ids) = parts.problem();
                let task = FrictionTask { problem: own, ids: own_ids, budget: clock.rest(budget), ..task };
                let outcome = self.solve_part(task, warm, &mut answer, observer);
                layout.put(parts.members(), &outcome, &answer, &mut whole, solution);
            }
            (self.parts, self.part) = (parts, answer);
            whole
        };
        self.next.sort();
        std::mem::swap(warm, &mut self.next);
        outcome
    }

    /// Solves the rows as they are.
    fn solve_one(
        &mut self,
        task: FrictionTask<'_>,
        warm: &WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let FrictionTask { problem, cone, ids, budget } = task;
        let mut system = self.load(problem);
        let mut start = std::mem::take(&mut self.start);
        let round = cone != ConeShape::Facets;
        self.settle.reset(&system, round);
        warm::recall(&mut system, ids, warm, &mut self.settle, &mut start, round);
        let rests = cone == ConeShape::Exact && problem.is_at_peace();
        let outcome = match rests.then(|| self.at_peace(&system, &start, solution)).flatten() {
            Some(outcome) => outcome,
            None => self.walk(&mut system, cone, &start, budget, solution, observer),
        };
        warm::remember(&system, ids, solution, &self.settle, &mut self.next);
        self.start = start;
        self.system = system;
        outcome
    }

    /// Forgets what the stages of the last solve did.
    fn begin_log(&mut self) {
        self.stages.clear();
    }

    fn log(
        &mut self,
        stage: Stage,
        began: Instant,
        factorisations: usize,
        before: f64,
        after: f64,
        won: bool,
    ) {
        let seconds = began.elapsed().as_secs_f64();
        self.stages.push(StageReport { stage, seconds, factorisations, before, after, won });
    }

    /// What the stages of the last solve did, in order; of all its parts.
    pub fn stages(&self) -> &[StageReport] {
        &self.stages
    }

    /// The same by stage.
    pub fn totals(&self) -> StageTotals {
        let mut totals = StageTotals::default();
        self.stages.iter().for_each(|stage| totals.add(stage));
        totals
    }
}
