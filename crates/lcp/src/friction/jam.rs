//! Jams: the least loads inside the cones that stop all contacts, and what moves when none do.
//!
//! The safe theorem: if any loads inside the cones stop all contacts, all may stand. Whether they do is a convex question, and the convex law
//! ([`super::convex`]) answers it: as its ε falls, its loads become the least that stop everything, and what still moves does so by ε times its load. No
//! stage that goes from mode to mode finds that where hundreds of contacts share the load of a few bodies, for each of them may stick, slide or
//! carry nothing.
//!
//! Where something has to slide, De Saxcé's term is small beside it as long as it is slow: μ |u_t| is held for a round, then taken anew,
//! ```text
//!     x_k = lim (ε → 0)  argmin over K of the law with  u_n + μ |u_t(x_{k-1})|  in place of u_n,       u_t(x_0) = 0
//! ```
//! A robot that lies in the floor with 120 contacts creeps by 4e-6 of the speeds: two rounds bring its residual from 2e-6 to 1e-8. From every x_k
//! Newton's method on Coulomb's law itself goes on to what counts as solved.

use super::convex::Convex;
use super::iterate::Iterate;
use super::operator::{Law, Operator};
use super::stages::Stages;
use crate::clock::Clock;

/// ε, which is the creep of what stands against its loads: what Newton's method takes away in a step or two. Velocities are known to 1e-16, loads to that over ε.
const LEAST: f64 = 1e-7;
/// How exactly each minimum is found: ten times what velocities leave of loads.
const SURE: f64 = 1e-8;
/// Factorisations of the first round, and of each that follows: twice what lying robots take.
const FIRST: usize = 80;
const EACH: usize = 30;
/// Rounds with De Saxcé's term: the second leaves a hundredth where it leads anywhere.
const ROUNDS: usize = 4;
/// Steps of Newton's method from the loads of each round.
const STEPS: usize = 14;

/// The search with its memory, by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jam {
    x: Vec<f64>,
    shift: Vec<f64>,
}

impl Jam {
    /// Goes on until an answer to `goal`, to `crisp` where Newton's method can, or until a round leads no further; the best is kept in `at`.
    pub(crate) fn run(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        (stages, convex): (&mut Stages, &mut Convex),
        (goal, crisp): (f64, f64),
        clock: &Clock,
    ) {
        self.x.clone_from(&at.x);
        let limits = (LEAST, SURE, stages.newton.elimination.count + FIRST);
        let mut found = convex.least(operator, &mut stages.newton.elimination, &mut self.x, limits, clock);
        if found {
            // what stands creeps by ε times its load: as much is taken from its velocity, which ends it where all can stand
            self.shift.clear();
            self.shift.extend(self.x.iter().map(|x| LEAST * x));
            let limits = (LEAST, SURE, stages.newton.elimination.count + EACH);
            let elimination = &mut stages.newton.elimination;
            at.x.clone_from(&self.x);
            convex.again(operator, elimination, &mut at.x, &self.shift, limits, clock);
            at.measure(operator);
        }
        let mut before = f64::INFINITY;
        for round in 0..=ROUNDS {
            at.x.clone_from(&self.x);
            let natural = at.measure(operator);
            if !found || natural >= before || at.best_natural <= goal {
                return;
            }
            before = natural;
            self.lift(operator, at);
            stages.descend(operator, at, STEPS, crisp, clock);
            if at.best_natural <= goal || round == ROUNDS || clock.expired() {
                return;
            }
            let limits = (LEAST, SURE, stages.newton.elimination.count + EACH);
            let elimination = &mut stages.newton.elimination;
            found = convex.again(operator, elimination, &mut self.x, &self.shift, limits, clock);
        }
    }

    /// De Saxcé's term at the velocities of `at`, as what is taken from them.
    fn lift(&mut self, operator: &Operator, at: &Iterate) {
        self.shift.clear();
        self.shift.resize(operator.q.len(), 0.0);
        for block in &operator.blocks {
            if let Law::Cone(mu) = block.law {
                let u = Operator::of(block, &at.u);
                self.shift[block.row] = -mu * u[1].hypot(u[2]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
