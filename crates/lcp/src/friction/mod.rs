//! The structured solver: contact with friction, solved on its own structure.
//!
//! The road: [`system`] (the problem as a factored, scaled operator) → the stages of [`road`], in an order that the kind of
//! problem decides: [`settle`] (remembered or guessed modes; its `few` for few rows), Newton, repair, the interior-point
//! method, the last three on one [`operator`] and one [`iterate`] → with facets, or if that fails and rows are few,
//! [`search`] (guided pivots with growth), [`mod@cone`] making the cones round
//! → [`report`] (the answer in the caller's units, by the leave of [`verdict`]). Around it: [`mod@gap`] (how far
//! polygons are from round cones), [`mod@islands`] (independent parts, solved apart) and [`mod@canonical`] (of all
//! impulses with the same motion, the most evenly spread ones).
//! [`lloyd`] walks Lloyd's own two methods. Both it and [`search`] stand on [`reduced`], his reduced basis.

mod canonical;
mod cone;
mod convex;
mod dense;
mod elimination;
mod envelope;
mod freed;
mod gap;
mod interior_point;
mod islands;
mod iterate;
mod layout;
mod lloyd;
mod newton;
mod operator;
mod orthogonal;
mod parts;
mod reduced;
mod repair;
mod report;
mod road;
mod search;
mod settle;
mod stages;
mod sweep;
mod system;
mod verdict;
mod warm;

pub use canonical::{Canonical, Spread, SpreadReport, canonical};
pub use gap::{contact_residual, facet_gap};
pub use islands::{Island, islands, solve_islands};
pub use lloyd::{Lloyd, Reduced, Structural};
pub use road::{Stage, StageReport, StageTotal, StageTotals};
pub use warm::{ConeShape, RowIds, WarmEntry, WarmKind, WarmStart};

use cone::Cone;
use freed::Freed;
use layout::Layout;
use parts::Parts;
use report::Measured;
use search::Search;
use settle::Settle;
use system::System;

use std::time::Instant;

use crate::clock::Clock;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, SOLVED, Status};
use crate::problem::{ContactMode, FrictionProblem};
use crate::solver::FrictionSolution;

/// Rounds of turning facets before the best answer is taken as it is.
const ROUNDS: usize = 30;
/// The residual at which turning stops, scaled: a hundredth of what counts as solved.
const EXACT: f64 = 1e-11;

/// A scaled residual of an iterate that is nearly an answer.
const NEARLY: f64 = 1e-4;
/// A residual in one scale for all rows from which on an iterate is shown to the verdict, which holds every row against its own.
const SHOWN: f64 = 1e-6;
/// Answers that are shown to the verdict, each a step better than the one before: Newton's method near an answer gains half
/// of the digits a step.
const POLISH: usize = 4;
/// Pivots after the other stages for round cones, besides one for each row, unless the caller says how many: from an iterate that is
/// nearly an answer, and the factor from one that is not.
const PIVOTS: usize = 100;
const PIVOTS_FROM_AFAR: usize = 10;
/// Scalar rows up to which pivots, milliseconds each beyond, are tried after the other stages.
const FEW_ROWS: usize = 150;
/// The most scalar rows over bodies whose Delassus matrix is worth writing out: its factor takes their third power. In
/// local form it is there already, and the stages that want bodies are not.
const MANY_ROWS: usize = 300;

/// `robust` on the friction basis, with its scratch memory.
#[derive(Debug, Clone, Default)]
pub struct Structured {
    system: System,
    search: Search,
    cone: Cone,
    settle: Settle,
    remembered: Vec<f64>, // impulses to start from, scaled
    guessed: (Vec<settle::Mode>, Vec<settle::Hold>),
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
    part: FrictionSolution, // of the part at hand
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
        observer: &mut impl Observer,
    ) -> Outcome {
        if let Some(freed) = Freed::of(problem) {
            let mut answer = FrictionSolution::default();
            let outcome = self.solve_with(&freed.problem, None, budget, &mut answer, observer);
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

    fn solve_facets(
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
        observer: &mut impl Observer,
    ) -> Outcome {
        let is_freed = || Freed::of(problem).or_else(|| Freed::at_first(problem)).is_some();
        let Some(start) = start.filter(|start| start.contains(&true) && !is_freed()) else {
            let apart = if problem.as_factored().is_none() { islands(problem) } else { Vec::new() };
            if !apart.is_empty() {
                return self.solve_apart(problem, &apart, budget, solution, observer);
            }
            let (mut nothing, ids) = (std::mem::take(&mut self.nothing), RowIds::default());
            nothing.clear();
            self.patient = true;
            let outcome =
                self.solve_warm(problem, ConeShape::Exact, ids, &mut nothing, budget, solution, observer);
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
        whole
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
        self.exact_outcome(system, Measured::Coulomb, status, spent, solution)
    }

    /// Solves from what is remembered of the rows by their ids, and remembers the answer. Independent parts of a factored
    /// problem are solved one after another, each with as many pivots, all within one time.
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
        if let Some(freed) = Freed::at_first(problem) {
            let mut answer = FrictionSolution::default();
            let bounded = freed.ids(ids);
            let ids = RowIds { bounded: &bounded, ..ids };
            let outcome = self.solve_warm(&freed.problem, cone, ids, warm, budget, &mut answer, observer);
            if outcome.status == Status::Solved && freed.keeps(problem, &answer) {
                return freed.restore(problem, outcome, &answer, solution);
            }
        }
        self.begin_log();
        self.next.clear();
        let count = self.parts.split(problem);
        let outcome = if count == 1 {
            self.solve_whole(problem, cone, ids, warm, budget, solution, observer)
        } else {
            let (mut parts, mut answer) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.part));
            let layout = Layout::new(problem);
            let mut whole = layout.begin(solution);
            let clock = Clock::new(&budget);
            for part in 0..count {
                parts.enter(problem, ids, part);
                let (own, own_ids) = parts.problem();
                let left = clock.rest(budget);
                let outcome = self.solve_whole(own, cone, own_ids, warm, left, &mut answer, observer);
                layout.put(parts.members(), &outcome, &answer, &mut whole, solution);
            }
            (self.parts, self.part) = (parts, answer);
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
        let round = cone != ConeShape::Facets;
        self.settle.reset(&system, round);
        warm::recall(&mut system, ids, warm, &mut self.settle, &mut start, round);
        let outcome = self.walk(&mut system, cone, &start, budget, solution, observer);
        warm::remember(&system, ids, solution, &self.settle, &mut self.next);
        self.start = start;
        self.system = system;
        outcome
    }

    /// Walks the road from the modes and impulses in `settle`, until a stage ends with an answer.
    fn walk(
        &mut self,
        system: &mut System,
        cone: ConeShape,
        basis: &[bool],
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let clock = Clock::new(&budget);
        self.settle.clock = clock;
        if cone == ConeShape::Convex {
            return self.convex(system, basis, &clock, solution);
        }
        let round = cone != ConeShape::Facets;
        self.remembered.clone_from(&self.settle.r);
        self.guessed.0.clone_from(&self.settle.modes);
        self.guessed.1.clone_from(&self.settle.holds);
        let few = self.settle.is_few(system, true);
        let warm = self.remembered.iter().any(|v| *v != 0.0);
        // contacts that rest and are not many have modes that cost little, and answers to rounding
        let at_rest = system.n > 0 && system.q.len() <= MANY_ROWS && self.settle.slides(system) == 0;
        let early = few || !at_rest;
        let loose = round && early && system.is_loose();
        let (mut started, mut best) = (false, f64::INFINITY);
        for &stage in road::stages(round, few, loose) {
            let skipped = match stage {
                Stage::FewRows => system.is_factored() && system.q.len() > MANY_ROWS,
                Stage::Modes => round && self.settle.is_in_motion(system),
                Stage::Newton => !(warm || loose && few),
                Stage::Sweep => warm,
                _ => false,
            };
            if skipped || clock.expired() {
                continue;
            }
            if !matches!(stage, Stage::Modes | Stage::FewRows) && !started {
                started = self.road.start(system, &self.remembered);
                if !started {
                    break;
                }
            }
            let (began, before) = (Instant::now(), best);
            let done = match stage {
                Stage::Modes | Stage::FewRows => {
                    self.settle.r.clone_from(&self.remembered);
                    self.settle.set_modes(&self.guessed);
                    let outcome = if stage == Stage::Modes {
                        self.settled(system, cone, basis, search::Spent::default(), solution)
                    } else {
                        self.climbed(system, basis, solution)
                    };
                    let after = outcome.map_or(f64::INFINITY, |o| o.residual.natural);
                    let count = self.settle.factorisations();
                    self.log(stage, began, count, f64::INFINITY, after, outcome.is_some());
                    outcome
                }
                _ => {
                    let count = self.road.factorisations();
                    self.road.run(stage, &clock);
                    best = self.road.at.best_natural / self.road.at.unit();
                    let outcome = if self.road.is_done() {
                        self.arrive(system, basis, &clock, solution)
                    } else {
                        self.shown(system, basis, best, solution)
                    };
                    self.log(
                        stage,
                        began,
                        self.road.factorisations() - count,
                        before,
                        best,
                        outcome.is_some(),
                    );
                    outcome
                }
            };
            if let Some(outcome) = done {
                return outcome;
            }
        }
        if best.is_finite() && (system.q.len() > FEW_ROWS || clock.expired()) {
            let status = if clock.expired() { Status::Budget } else { Status::Inaccurate };
            return self.report_road(system, basis, status, solution);
        }
        let (began, before) = (Instant::now(), best);
        // facets have no other road, and the caller's word goes before ours
        let bounded = round && budget.pivots.is_none() && (best < NEARLY || !self.patient);
        let ours = bounded.then(|| pivots_of(system, best));
        let limits = |clock: &Clock| clock.rest(Budget { pivots: budget.pivots.or(ours), ..budget });
        let mut outcome = self.pivoted(system, cone, basis, limits(&clock), solution, observer);
        if ours.is_some() && outcome.status != Status::Solved && basis.contains(&true) && !clock.expired() {
            // the remembered basis may be a bad one to start from
            let (spent, mut cold) = (outcome.pivots, std::mem::take(&mut self.cold));
            cold.clear();
            cold.resize(basis.len(), false);
            outcome = self.pivoted(system, cone, &cold, limits(&clock), solution, observer);
            outcome.pivots += spent;
            self.cold = cold;
        }
        if outcome.status == Status::Budget && ours.is_some() && !clock.expired() {
            // the pivots were bounded here, not by the caller
            outcome.status = Status::Inaccurate;
        }
        let won = outcome.status == Status::Solved || outcome.residual.natural <= best;
        self.log(Stage::Pivots, began, 0, before, outcome.residual.natural, won);
        if won { outcome } else { self.report_road(system, basis, outcome.status, solution) }
    }

    /// The answer of the convex law; its residual is that of its own law. In local form there is none.
    fn convex(
        &mut self,
        system: &System,
        basis: &[bool],
        clock: &Clock,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        let began = Instant::now();
        if !self.road.start(system, &self.settle.r) {
            let spent = search::Spent::default();
            self.impulse.clear();
            self.impulse.resize(system.q.len(), 0.0);
            let none = Measured::Other(f64::INFINITY);
            return self.exact_outcome(system, none, Status::Inaccurate, spent, solution);
        }
        let natural = self.road.floor(clock);
        let status = if clock.expired() { Status::Budget } else { Status::Inaccurate };
        let outcome = self.report_iterate(system, basis, Measured::Other(natural), status, solution);
        // what creeps inside its cone sticks
        for (i, contact) in
            solution.contacts.iter_mut().enumerate().filter(|(_, c)| c.mode == ContactMode::Slip)
        {
            let raw_mu = system.mu[i] * system.scale[3 * i + 1] / system.scale[3 * i];
            let [n, a, b] = contact.impulse;
            if a.hypot(b) < (1.0 - SOLVED) * raw_mu * n {
                contact.mode = ContactMode::Stick;
            }
        }
        let won = outcome.status == Status::Solved;
        self.log(Stage::Convex, began, self.road.factorisations(), f64::INFINITY, natural, won);
        outcome
    }

    /// An iterate that is nearly done in one scale for all rows, as an answer, if it is one row by row.
    fn shown(
        &mut self,
        system: &System,
        basis: &[bool],
        best: f64,
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        let outcome =
            (best <= SHOWN).then(|| self.report_road(system, basis, Status::Inaccurate, solution))?;
        (outcome.status == Status::Solved).then_some(outcome)
    }

    /// What the road calls done, as an answer, if the verdict agrees: one scale for all rows hides a light body behind a
    /// heavy one, and a few plain steps of Newton's method bring it as near as the others.
    fn arrive(
        &mut self,
        system: &System,
        basis: &[bool],
        clock: &Clock,
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        for _ in 0..POLISH {
            let outcome = self.report_road(system, basis, Status::Inaccurate, solution);
            if outcome.status == Status::Solved {
                return Some(outcome);
            }
            if clock.expired() || !self.road.polish() {
                break;
            }
        }
        self.road.back();
        None
    }

    /// The best iterate of the road as an answer.
    fn report_road(
        &mut self,
        system: &System,
        basis: &[bool],
        status: Status,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        self.report_iterate(system, basis, Measured::Coulomb, status, solution)
    }

    fn report_iterate(
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
        let spent = search::Spent { pivots: 0, nodes: self.road.factorisations() };
        self.exact_outcome(system, natural, status, spent, solution)
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
                (residual.natural <= SOLVED).then_some(Outcome {
                    status: Status::Solved,
                    pivots: spent.pivots,
                    nodes: spent.nodes,
                    residual,
                })
            }
            ConeShape::Exact | ConeShape::Convex => {
                self.impulse.clear();
                self.impulse.extend_from_slice(&self.settle.r);
                solution.basis.clear();
                solution.basis.extend_from_slice(basis);
                // modes are right or wrong in one scale for all rows; what that hides takes a few steps more
                for _ in 0..POLISH {
                    let outcome =
                        self.exact_outcome(system, Measured::Coulomb, Status::Solved, spent, solution);
                    if outcome.status == Status::Solved {
                        return Some(outcome);
                    }
                    if !self.settle.refine(system) {
                        break;
                    }
                    self.impulse.clone_from(&self.settle.r);
                }
                None
            }
        }
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
            ConeShape::Exact | ConeShape::Convex => {
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
}

/// The pivots that a problem is worth from an iterate with this residual.
fn pivots_of(system: &System, best: f64) -> usize {
    let few = PIVOTS + system.q.len();
    if best < NEARLY { few } else { PIVOTS_FROM_AFAR * few }
}
