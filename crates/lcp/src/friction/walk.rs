//! The walk along the road: stage after stage of [`super::road`] until one ends with an answer that the verdict agrees to; then
//! pivots, where rows are few or cones have facets.

use std::time::Instant;

use super::pivots::Left;
use super::report::Measured;
use super::road;
use super::stage::Stage;
use super::system::System;
use super::{ConeShape, Structured, search};
use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, SOLVED, Status};
use crate::problem::ContactMode;

/// A residual in one scale for all rows from which on an iterate is shown to the verdict, which holds every row against its own.
const SHOWN: f64 = 1e-6;
/// Answers that are shown to the verdict, each a step better than the one before: Newton's method near an answer gains half
/// of the digits a step.
const POLISH: usize = 4;
/// Scalar rows up to which pivots are tried after the other stages: each touches the square of the rows, and over the built-in
/// scenes, the campaign and the collected cases none wins with round cones beyond 85.
const FEW_ROWS: usize = 100;
/// The most scalar rows over bodies whose Delassus matrix is worth writing out: its factor takes their third power. In
/// local form it is there already, and the stages that want bodies are not.
const MANY_ROWS: usize = 300;

impl Structured {
    /// Walks the road from the modes and impulses in `settle`, until a stage ends with an answer.
    pub(super) fn walk(
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
        let free = round && system.is_loose();
        let loose = free && (few || !at_rest);
        let (mut started, mut best) = (false, f64::INFINITY);
        let kind = road::Kind { cone, few, loose: free, at_rest, warm, width: system.width() };
        let way = road::stages(kind);
        for &stage in way {
            let skipped = match stage {
                Stage::FewRows => system.is_factored() && system.q.len() > MANY_ROWS,
                Stage::Modes => round && self.settle.is_in_motion(system, free),
                Stage::Newton => !(warm || loose && few),
                Stage::Sweep => warm,
                // on one tree the surroundings of a contact are the whole, which the stages before have tried
                Stage::Repair => !loose && started && self.road.operator.is_one(),
                _ => false,
            };
            if skipped || clock.expired() {
                continue;
            }
            let by_modes = matches!(stage, Stage::Modes | Stage::FewRows);
            if !by_modes && !started {
                started = self.road.start(system, &self.remembered, way, &clock);
                // in local form there are no bodies to factorise
                if !started {
                    continue;
                }
            }
            let done = if by_modes {
                self.by_modes(stage, system, cone, basis, started, solution)
            } else {
                self.by_iterates(stage, system, basis, &clock, &mut best, solution)
            };
            if let Some(outcome) = done {
                return outcome;
            }
        }
        if best.is_finite() && (system.q.len() > FEW_ROWS || clock.expired()) {
            let status = if clock.expired() { Status::Budget } else { Status::Inaccurate };
            return self.report_road(system, basis, status, solution);
        }
        if round && clock.expired() {
            return self.report_remembered(system, basis, solution);
        }
        self.by_pivots(system, cone, basis, Left { budget, clock: &clock, best }, solution, observer)
    }

    /// A stage that looks for modes, from those that are remembered or guessed; after other stages `few rows` goes on from the best iterate.
    fn by_modes(
        &mut self,
        stage: Stage,
        system: &mut System,
        cone: ConeShape,
        basis: &[bool],
        after_others: bool,
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        let began = Instant::now();
        if stage == Stage::FewRows && after_others {
            self.settle.take(system, &self.road.at.x, &self.road.at.u);
        } else {
            self.settle.r.clone_from(&self.remembered);
            self.settle.set_modes(&self.guessed);
        }
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

    /// A stage that goes on from the iterate of the one before; `best` is the residual of the best.
    fn by_iterates(
        &mut self,
        stage: Stage,
        system: &System,
        basis: &[bool],
        clock: &Clock,
        best: &mut f64,
        solution: &mut FrictionSolution,
    ) -> Option<Outcome> {
        let (began, before, count) = (Instant::now(), *best, self.road.factorisations());
        let outcome = loop {
            self.road.run(stage, clock);
            *best = self.road.at.best_natural / self.road.at.unit();
            let outcome = if self.road.is_done() {
                self.arrive(system, basis, clock, solution)
            } else {
                self.shown(system, basis, *best, solution)
            };
            // what is done in one scale for all rows lacks digits in another: on from there, in those of the verdict
            let again = outcome.is_none() && self.road.is_done();
            if !again || !self.road.weigh_by(self.search.judge.units()) {
                break outcome;
            }
        };
        let count = self.road.factorisations() - count;
        self.log(stage, began, count, before, *best, outcome.is_some());
        outcome
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
        if !self.road.start(system, &self.settle.r, &[], clock) {
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
    pub(super) fn settled(
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
}
