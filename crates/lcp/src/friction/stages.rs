//! Newton's descent for round cones in motion: how large its proximal term is, from map to map, the line search; bounded in factorisations.

use super::iterate::Iterate;
use super::newton::Newton;
use super::newton::map::Map;
use super::operator::Operator;
use crate::clock::Clock;
use crate::tolerances;

/// What Newton and the stages around it need.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stages {
    pub(crate) newton: Newton,
    dx: Vec<f64>,
    x: Vec<f64>,
    u: Vec<f64>,
    g: Vec<f64>,
}

/// The maps of Newton's method, in their order. On the parts of more than 96 rows of recorded piles of 50 (311 of spheres,
/// 536 of boxes, 514 mixed) ρ = 3, then 10 solves 297, 449 and 474; ρ = 10, then 1 solves 304, 433 at a third more
/// factorisations; 1 then 10, 3 then 1, 3 then 30 are as good but for boxes.
const MAPS: [Map; 2] = [Map::Curnier(3.0), Map::Curnier(10.0)];
/// The least ε, and the largest that a map starts with: W of a block has size one. Impulses are differences of terms of size
/// |F|/ε: with 1e-10 in place of 1e-7 rounding makes every second step near an answer useless, twice as many in all.
const EPS: (f64, f64) = (1e-7, 0.1);
/// ε beyond which a step does not move anything.
const HELD: f64 = 100.0;
/// What ε is multiplied by after a full step, and after a short one.
const LOOSER: f64 = 0.1;
const FIRMER: f64 = 8.0;
/// Below this residual a full step that leaves more than this part of ½|F|² chases what redundant rows contradict each other by,
/// with stress of that over ε: a larger ε ends within it. 3 % more of the parts above are solved, in as many steps.
const NEAR: f64 = 1e-6;
const STALLED: f64 = 0.3;
/// ε falls at once to no less than so many times the part of the blocks whose mode the step changed, above [`NEAR`]: while modes
/// change by the hundred, the linear model of the next step is good for no more. 81 parts of 1,000 bodies take 2.95 in place of 3.54 s, those of 50
/// 3 % fewer factorisations; with 1 to 5 it is the same, with 10 and 20 fewer of 50 bodies are solved.
const CHANGED: f64 = 3.0;
/// The maps are gone round again if the last round made the residual this much smaller.
const WORTH: f64 = 0.9;
/// Steps that may be hardly nearer to an answer, one after another.
const IDLE: usize = 4;
/// A step may lead up as far as the highest of so many iterates: kinks make valleys that it has to leave. With 1 the maps
/// above solve 5 % fewer, with 4 as many.
const BACK: usize = 3;
/// Steps after the first iterate that is an answer, to a better one.
const BETTER: usize = 2;
/// Step lengths that are tried, each half of the one before. Over 3,899 large parts of piles of 50 bodies, each solved with either, 10 solve 13 of the
/// 148 that 6 leave, in as many factorisations; 3 leave 120 more.
const HALVINGS: usize = 10;

impl Stages {
    /// Makes room for a problem.
    pub(crate) fn reset(&mut self, operator: &Operator) {
        for v in [&mut self.dx, &mut self.x, &mut self.u] {
            v.clear();
            v.reserve(operator.q.len());
        }
        self.g.clear();
        self.g.reserve(operator.width);
        self.newton.reset(operator);
    }

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
        let mut highest = [phi; BACK];
        let (mut least, mut idle, mut answers) = (phi, 0, 0);
        for step in 0.. {
            if idle > IDLE || eps > HELD {
                break;
            }
            if self.newton.elimination.count >= end
                || at.natural <= goal
                || answers >= BETTER
                || clock.expired()
                || !self.newton.factor(operator, eps)
            {
                return false;
            }
            self.newton.direction(operator, &mut self.dx);
            highest[step % BACK] = phi;
            let bound = highest.into_iter().fold(0.0, f64::max);
            let Some((t, value)) = self.search(operator, &at.x, bound, tolerances::SHORTEST_STEP, HALVINGS)
            else {
                return true;
            };
            if value >= bound {
                eps *= FIRMER * FIRMER;
                idle += 1;
                self.newton.linearise(operator, &at.x, &at.u);
                continue;
            }
            at.adopt(operator, &mut self.x, &mut self.g, &mut self.u);
            let gain = value / phi;
            phi = value;
            if t == 1.0 && at.natural < NEAR && gain > STALLED {
                eps *= FIRMER * FIRMER;
            } else if t == 1.0 {
                let slow = if at.natural < NEAR { 0.0 } else { (CHANGED * self.newton.changed()).min(1.0) };
                let fall = LOOSER * gain.sqrt().max(LOOSER * LOOSER);
                eps = (eps * fall.max(slow)).max(EPS.0);
            } else if t < 0.5 {
                eps *= FIRMER;
            }
            if phi < 0.5 * least {
                (least, idle) = (phi, 0);
            } else {
                idle += 1;
            }
            answers += usize::from(at.natural <= super::road::ENOUGH);
        }
        true
    }

    /// One full step on the natural map, with the least ε.
    pub(crate) fn polish(&mut self, operator: &Operator, at: &mut Iterate) -> bool {
        self.newton.map = Map::Natural;
        self.newton.linearise(operator, &at.x, &at.u);
        if !self.newton.factor(operator, EPS.0) {
            return false;
        }
        self.newton.direction(operator, &mut self.dx);
        if !self.look(operator, &at.x, 1.0).is_finite() {
            return false;
        }
        at.adopt(operator, &mut self.x, &mut self.g, &mut self.u);
        true
    }

    /// The step length along dx that lowers ½|F|² enough, or the best of those tried, and ½|F|² there; everything is left
    /// as it is after that step.
    fn search(
        &mut self,
        operator: &Operator,
        from: &[f64],
        phi: f64,
        enough: f64,
        tries: usize,
    ) -> Option<(f64, f64)> {
        let (mut t, mut best) = (1.0, (1.0, f64::INFINITY));
        for k in 0..tries {
            let value = self.look(operator, from, t);
            if value < best.1 {
                best = (t, value);
            }
            if value <= (1.0 - enough * t) * phi {
                return Some((t, value));
            }
            if k + 1 < tries {
                t *= 0.5;
            }
        }
        if best.0 != t && best.1.is_finite() {
            self.look(operator, from, best.0);
        }
        Some(best).filter(|b| b.1.is_finite())
    }

    /// ½|F|² after a step of length t, linearised there.
    fn look(&mut self, operator: &Operator, from: &[f64], t: f64) -> f64 {
        self.x.clear();
        self.x.extend(from.iter().zip(&self.dx).map(|(x, d)| x + t * d));
        operator.velocities(&self.x, &mut self.g, &mut self.u);
        self.newton.linearise(operator, &self.x, &self.u)
    }
}
