//! A ramp of friction: the answer with a fifth of every coefficient, from nothing, and from there to the whole in equal strides.
//!
//! Cold, with little friction, a pile is nearly always solved, and with much of it often not: sweeps, Newton's method and the interior point all begin with loads that
//! friction has not yet turned. On the ramp each stride begins with the loads of the one before. The path of the answers folds back, here as elsewhere:
//! where a stride finds none, the next one begins with its best iterate all the same, beyond the fold.

use super::iterate::Iterate;
use super::operator::{Law, Operator};
use super::repair::Repair;
use super::road::ENOUGH;
use super::stages::Stages;
use crate::clock::Clock;

/// Strides. Of the seven of 53 recorded piles of 100 to 400 contacts that the stages before leave, five solve two; strides that are halved where they fail, and grow
/// where they do not, solve one or two for a quarter more.
const STRIDES: usize = 5;
/// Factorisations of Newton's method in a stride.
const NEWTON: usize = 48;
/// Sweeps before the first.
const SWEEPS: usize = 20;

/// Memory of the stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ramp {
    laws: Vec<Law>,
    kept: Vec<f64>,
}

impl Ramp {
    /// Goes up the ramp; what was the best before stays so unless the last stride ends with a better one.
    pub(crate) fn run(
        &mut self,
        operator: &mut Operator,
        at: &mut Iterate,
        stages: &mut Stages,
        repair: &mut Repair,
        clock: &Clock,
    ) {
        let natural = at.best_natural;
        self.kept.clone_from(&at.best);
        self.laws.clear();
        self.laws.extend(operator.blocks.iter().map(|block| block.law));
        at.x.fill(0.0);
        for stride in 1..=STRIDES {
            for (block, law) in operator.blocks.iter_mut().zip(&self.laws) {
                block.law = match *law {
                    Law::Cone(mu) if stride < STRIDES => Law::Cone(mu * stride as f64 / STRIDES as f64),
                    law => law,
                };
            }
            at.cut(operator);
            at.best_natural = f64::INFINITY;
            at.measure(operator);
            if stride == 1 {
                super::sweep::sweep(operator, at, SWEEPS, clock);
            }
            stages.descend(operator, at, NEWTON, super::road::CRISP, clock);
            at.return_to_best(operator);
            if at.best_natural > ENOUGH && !clock.expired() {
                repair.run(operator, at, stages, clock);
                at.return_to_best(operator);
            }
        }
        if natural < at.best_natural {
            at.best.clone_from(&self.kept);
            at.best_natural = natural;
        }
    }
}
