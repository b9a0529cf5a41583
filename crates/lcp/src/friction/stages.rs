//! The stages for round cones in motion, each bounded in factorisations.

use super::iterate::Iterate;
use super::newton::Newton;
use super::newton::map::Map;
use super::operator::Operator;
use crate::clock::Clock;

/// What Newton and the stages around it need.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stages {
    pub(crate) newton: Newton,
    dx: Vec<f64>,
    x: Vec<f64>,
    u: Vec<f64>,
    g: Vec<f64>,
}

/// The maps of Newton's method, in their order. On recorded piles ρ = 10 alone solves 281 of 367 problems of spheres and
/// 389 of 794 of boxes, ρ = 1 alone 204 and 256, one after the other 296 and 409.
const MAPS: [Map; 2] = [Map::Curnier(10.0), Map::Curnier(1.0)];
/// The least and the largest ε that a map starts with: W of a block has size one.
const EPS: (f64, f64) = (1e-9, 0.1);
/// ε beyond which a step does not move anything.
const HELD: f64 = 100.0;
/// What ε is multiplied by after a full step, and after a short one.
const LOOSER: f64 = 0.1;
const FIRMER: f64 = 8.0;
/// The maps are gone round again if the last round made the residual this much smaller.
const WORTH: f64 = 0.9;
/// Steps that may be hardly nearer to an answer, one after another.
const IDLE: usize = 4;

impl Stages {
    /// Newton's method with an ε that adapts, from map to map of [`MAPS`] where one of them has a valley, within so many
    /// factorisations.
    pub(crate) fn descend(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        most: usize,
        goal: f64,
        clock: &Clock,
    ) {
        let end = self.newton.elimination.count + most;
        let mut before = f64::INFINITY;
        while at.best_natural < WORTH * before {
            before = at.best_natural;
            for map in MAPS {
                self.newton.map = map;
                if !self.follow(operator, at, end, goal, clock) {
                    self.newton.map = Map::Natural;
                    return;
                }
            }
        }
        self.newton.map = Map::Natural;
    }

    /// One map until it is idle: then true, if there is more to do and to spend.
    ///
    /// The step solves (B + G (W + ε)) dx = −F: a proximal point about the iterate, Levenberg's and Marquardt's ε. With one
    /// that is too small the redundant rows, which contradict each other away from an answer, make steps a thousand times
    /// the impulses; with ε of the order of the residual they are of its order, and convergence stays superlinear.
    fn follow(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        end: usize,
        goal: f64,
        clock: &Clock,
    ) -> bool {
        let mut phi = self.newton.linearise(operator, &at.x, &at.u);
        let mut eps = at.natural.clamp(EPS.0, EPS.1);
        let mut idle = 0;
        while idle <= IDLE && eps <= HELD {
            if self.newton.elimination.count >= end
                || at.natural <= goal
                || clock.expired()
                || !self.newton.factor(operator, eps)
            {
                return false;
            }
            self.newton.direction(operator, &mut self.dx);
            let Some((t, least)) = self.search(operator, &at.x, phi, 2e-4, 6) else { return true };
            if least >= phi {
                eps *= FIRMER * FIRMER;
                idle += 1;
                self.newton.linearise(operator, &at.x, &at.u);
                continue;
            }
            for (x, dx) in at.x.iter_mut().zip(&self.dx) {
                *x += t * dx;
            }
            at.measure(operator);
            let gain = self.newton.linearise(operator, &at.x, &at.u) / phi;
            phi *= gain;
            if t == 1.0 {
                eps = (eps * LOOSER * gain.sqrt().max(LOOSER * LOOSER)).max(EPS.0 * LOOSER);
            } else if t < 0.5 {
                eps *= FIRMER;
            }
            idle = if gain > 0.5 { idle + 1 } else { 0 };
        }
        true
    }

    /// The step length along dx that lowers ½|F|² enough, or the best of those tried.
    fn search(
        &mut self,
        operator: &Operator,
        from: &[f64],
        phi: f64,
        enough: f64,
        tries: usize,
    ) -> Option<(f64, f64)> {
        let (mut t, mut best) = (1.0, None);
        for _ in 0..tries {
            self.x.clear();
            self.x.extend(from.iter().zip(&self.dx).map(|(x, d)| x + t * d));
            operator.velocities(&self.x, &mut self.g, &mut self.u);
            let value = self.newton.linearise(operator, &self.x, &self.u);
            if best.is_none_or(|(_, b)| value < b) {
                best = Some((t, value));
            }
            if value <= (1.0 - enough * t) * phi {
                break;
            }
            t *= 0.5;
        }
        best.filter(|b| b.1.is_finite())
    }
}
