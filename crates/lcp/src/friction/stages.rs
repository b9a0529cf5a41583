//! The stages for round cones in motion, each bounded in factorisations.

use super::iterate::Iterate;
use super::newton::Newton;
use super::operator::Operator;
use crate::clock::Clock;

/// What Newton and the stages around it need.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stages {
    pub(crate) newton: Newton,
    dx: Vec<f64>,
    left: Vec<[f64; 3]>,
    x: Vec<f64>,
    u: Vec<f64>,
    g: Vec<f64>,
    from: Vec<f64>,
}

/// The proximal term of Newton's step, and its refinements.
const EPS: f64 = 1e-6;
const REFINE: usize = 2;
/// Proximal points that may be no nearer to an answer, one after another.
const IDLE: usize = 4;

impl Stages {
    /// Newton's method with a line search on ½|F|², at most so many steps, and so many that do not halve the residual.
    pub(crate) fn descend(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        steps: usize,
        goal: f64,
        patience: usize,
        clock: &Clock,
    ) {
        let mut since = 0;
        let mut phi = self.newton.linearise(operator, &at.x, &at.u, None);
        let mut mark = at.natural;
        for _ in 0..steps {
            if at.natural <= goal || clock.expired() || !self.newton.factor(operator, EPS) {
                break;
            }
            self.newton.direction(operator, 0.0, REFINE, &mut self.dx, &mut self.left);
            if self.dx.iter().any(|v| !v.is_finite()) {
                break;
            }
            let Some((t, least)) = self.search(operator, &at.x, phi, None, 2e-4, 8) else { break };
            if least >= phi && since >= 1 {
                break;
            }
            for (x, dx) in at.x.iter_mut().zip(&self.dx) {
                *x += t * dx;
            }
            at.measure(operator);
            phi = self.newton.linearise(operator, &at.x, &at.u, None);
            if at.natural < 0.5 * mark {
                since = 0;
            } else {
                since += 1;
            }
            mark = mark.min(at.natural);
            if since >= patience {
                break;
            }
        }
    }

    /// The step length along dx that lowers ½|F|² enough, or the best of those tried.
    fn search(
        &mut self,
        operator: &Operator,
        from: &[f64],
        phi: f64,
        shift: Option<f64>,
        enough: f64,
        tries: usize,
    ) -> Option<(f64, f64)> {
        let (mut t, mut best) = (1.0, None);
        for _ in 0..tries {
            self.x.clear();
            self.x.extend(from.iter().zip(&self.dx).map(|(x, d)| x + t * d));
            operator.velocities(&self.x, &mut self.g, &mut self.u);
            let value =
                self.newton.linearise(operator, &self.x, &self.u, shift.map(|rho| (rho, &self.from[..])));
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

    /// The proximal point method: the problem with W + ρ and q − ρ x_k, solved by Newton; ρ falls while that is quick.
    pub(crate) fn approach(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        rho: f64,
        most: usize,
        ok: f64,
        goal: f64,
        clock: &Clock,
    ) {
        let (mut rho, mut bad) = (rho, 0.0_f64);
        let (mut mark, mut idle) = (at.natural, 0);
        let end = self.newton.elimination.count + most;
        self.from.clone_from(&at.x);
        while self.newton.elimination.count < end && !clock.expired() {
            at.x.clone_from(&self.from);
            operator.velocities(&at.x, &mut at.g, &mut at.u);
            let from = std::mem::take(&mut self.from);
            let mut phi = self.newton.linearise(operator, &at.x, &at.u, Some((rho, &from)));
            self.from = from;
            let first = phi;
            let (mut converged, mut steps) = (false, 0);
            for it in 0..9 {
                steps = it;
                let moved = at.x.iter().zip(&self.from).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                if it > 0 && self.newton.largest() <= (0.03 * rho * moved).max(1e-14) {
                    converged = true;
                    break;
                }
                if !self.newton.factor(operator, rho) {
                    break;
                }
                self.newton.direction(operator, rho, usize::from(rho < 1e-5), &mut self.dx, &mut self.left);
                if self.dx.iter().any(|v| !v.is_finite()) {
                    break;
                }
                let Some((t, _)) = self.search(operator, &at.x, phi, Some(rho), 1e-3, 7) else { break };
                for (x, dx) in at.x.iter_mut().zip(&self.dx) {
                    *x += t * dx;
                }
                at.measure(operator);
                let from = std::mem::take(&mut self.from);
                phi = self.newton.linearise(operator, &at.x, &at.u, Some((rho, &from)));
                self.from = from;
                if at.natural <= goal {
                    return;
                }
                if it >= 4 && phi > 0.25 * first {
                    break;
                }
                if self.newton.elimination.count >= end || clock.expired() {
                    break;
                }
            }
            if converged {
                if at.natural > ok {
                    self.leap(operator, at);
                }
                self.from.clone_from(&at.x);
                if at.best_natural <= ok && at.natural > 0.1 * at.best_natural {
                    return;
                }
                // a valley that the steps only drift along
                idle = if at.natural > 0.5 * mark { idle + 1 } else { 0 };
                mark = mark.min(at.natural);
                if idle > IDLE {
                    return;
                }
                rho = (rho
                    * if steps <= 3 {
                        0.1
                    } else if steps <= 5 {
                        0.3
                    } else {
                        1.0
                    })
                .max(1e-8)
                .max(3.0 * bad);
                bad *= 0.3;
            } else {
                bad = rho;
                rho *= 10.0;
                if rho > 10.0 {
                    return;
                }
            }
        }
    }

    /// The same way further, as long as it is no worse: proximal steps drift along valleys.
    fn leap(&mut self, operator: &Operator, at: &mut Iterate) {
        self.x.clone_from(&at.x);
        let limit = at.natural;
        let (mut s, mut best) = (1.0, 0.0);
        while s <= 4096.0 {
            for k in 0..at.x.len() {
                at.x[k] = self.x[k] + s * (self.x[k] - self.from[k]);
            }
            if at.measure(operator) > limit {
                break;
            }
            best = s;
            s *= 2.0;
        }
        for k in 0..at.x.len() {
            at.x[k] = self.x[k] + best * (self.x[k] - self.from[k]);
        }
        at.measure(operator);
    }
}
