//! Local repair: the worst contact with the bodies around it is a problem of its own, the rest frozen.
//!
//! A pile that is nearly solved is mostly wrong in a few places. The blocks that act only on a small set of nodes, around the
//! worst one, are solved as a problem whose q holds the impulses of everything else; then a few steps of Newton's over the
//! whole take up what moved. It does not help where the error is spread over hundreds of contacts.

use super::climb::Climb;
use super::elimination::Purse;
use super::interior_point::{InteriorPoint, Progress};
use super::iterate::Iterate;
use super::newton::map::natural;
use super::operator::{Law, Operator};
use super::stages::Stages;
use crate::clock::Clock;
use crate::tolerances;

/// Places that are repaired in a round.
const PLACES: usize = 6;
/// Factorisations of the polish after each round.
const POLISH: usize = 12;
/// And of Newton's method on a small problem.
const SMALL_STEPS: usize = 30;
/// And of a climb on it.
const SMALL_KINKS: usize = 120;
/// A place is worth it if its error is this part of the worst.
const WORTH: f64 = 0.05;
/// Impulses below this do not connect bodies; q has size one.
const CLOSED: f64 = 1e-7;

/// The small problem and its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Repair {
    part: Operator,
    small: Iterate,
    stages: Stages,
    interior: InteriorPoint,
    errors: Vec<f64>,
    seen: Vec<bool>,
    inside: Vec<bool>, // by node
    members: Vec<usize>,
    x: Vec<f64>,
    g: Vec<f64>,
    climb: Climb,
}

impl Repair {
    /// Repairs and polishes while it gets better.
    pub(crate) fn run(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        stages: &mut Stages,
        rounds: usize,
        clock: &Clock,
    ) {
        self.stages.newton.elimination.clock = *clock;
        for round in 0..rounds {
            let before = at.best_natural;
            self.measure(operator, at);
            self.seen.clear();
            self.seen.resize(operator.blocks.len(), false);
            for _ in 0..PLACES {
                let worst = (0..self.errors.len())
                    .filter(|&b| !self.seen[b])
                    .max_by(|&a, &b| self.errors[a].total_cmp(&self.errors[b]));
                let Some(worst) = worst.filter(|&b| self.errors[b] >= WORTH * before) else { break };
                self.gather(operator, at, worst, 1 + round % 3);
                self.solve(operator, at, &mut stages.newton.elimination.purse, clock);
                if clock.expired() {
                    return;
                }
            }
            at.measure(operator);
            stages.descend(operator, at, POLISH, 0.1 * super::road::ENOUGH, clock);
            at.return_to_best(operator);
            if at.best_natural <= super::road::ENOUGH
                || (round > 2 && at.best_natural > 0.9 * before)
                || stages.newton.elimination.purse.is_empty()
                || clock.expired()
            {
                return;
            }
        }
    }

    fn measure(&mut self, operator: &Operator, at: &Iterate) {
        self.errors.clear();
        for (block, weight) in operator.blocks.iter().zip(&operator.weight) {
            let error = natural(block.law, Operator::of(block, &at.x), Operator::of(block, &at.u));
            self.errors.push(weight * error);
        }
    }

    /// The blocks that act on nothing but the nodes around one block, as many rings of them.
    fn gather(&mut self, operator: &Operator, at: &Iterate, worst: usize, rings: usize) {
        self.inside.clear();
        self.inside.resize(operator.nodes.len(), false);
        operator.parts(&operator.blocks[worst]).iter().for_each(|p| self.inside[p.node] = true);
        for _ in 0..rings {
            self.members.clear();
            for block in operator.blocks.iter().filter(|b| at.x[b.row] > CLOSED || b.law == Law::Free) {
                let parts = operator.parts(block);
                if parts.iter().any(|p| self.inside[p.node]) {
                    self.members.extend(parts.iter().map(|p| p.node));
                }
            }
            self.members.iter().for_each(|&node| self.inside[node] = true);
        }
        self.members.clear();
        for (k, block) in operator.blocks.iter().enumerate() {
            if operator.parts(block).iter().all(|p| self.inside[p.node]) {
                self.members.push(k);
                self.seen[k] = true;
            }
        }
        self.seen[worst] = true;
    }

    /// Solves the problem of the members, and puts its answer back.
    fn solve(&mut self, operator: &Operator, at: &mut Iterate, purse: &mut Purse, clock: &Clock) {
        let Self { part, small, stages, interior, members, x, g, climb, .. } = self;
        // what everything else does
        x.clone_from(&at.x);
        for &k in &*members {
            Operator::put(&operator.blocks[k], [0.0; 3], x);
        }
        operator.motion(x, g);
        part.take(operator, members, g);
        let scale = part.q.iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        if scale == 0.0 {
            return;
        }
        x.clear();
        for &k in &*members {
            let block = &operator.blocks[k];
            x.extend_from_slice(&Operator::of(block, &at.x)[..block.rows()]);
        }
        small.start(part, x);
        stages.newton.reset(part);
        stages.newton.elimination.purse = purse.part();
        let enough = 0.1 * super::road::ENOUGH;
        stages.descend(part, small, SMALL_STEPS, tolerances::REPAIRED, clock);
        if small.best_natural > enough {
            small.return_to_best(part);
            climb.run(part, small, &mut stages.newton, enough, SMALL_KINKS, clock);
        }
        if small.best_natural > enough {
            interior.start(part);
            for stop in tolerances::REPAIR_MILESTONES {
                let progress = interior.run(part, &mut stages.newton.elimination, stop, 40, clock);
                interior.impulses(part, &mut small.x);
                small.measure(part);
                stages.descend(part, small, 8, tolerances::REPAIRED, clock);
                if small.best_natural <= enough || progress == Progress::Lost {
                    break;
                }
            }
        }
        purse.charge(&stages.newton.elimination.purse);
        small.return_to_best(part);
        let mut row = 0;
        for &k in &*members {
            let block = &operator.blocks[k];
            let mut of = [0.0; 3];
            of[..block.rows()].copy_from_slice(&small.x[row..row + block.rows()]);
            Operator::put(block, of, &mut at.x);
            row += block.rows();
        }
    }
}
