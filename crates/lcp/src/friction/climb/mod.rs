//! Newton's method on the equations of the modes, held inside the cones by a ratio test: the search along a path with kinks.
//!
//! A contact that creeps takes stress of a thousand times its error to stop, and on the way there other contacts change
//! their modes. A step therefore ends where the first contact meets its cone, or lifts; that one takes the mode of the bound,
//! and the next step starts from there. Where a whole step is taken, what pulls or helps its motion is let go.
//!
//! ```text
//!     open    x = 0                          met by a step that lifts
//!     stick   u = 0                          what is left of it: x inside its cone
//!     slip    u_n = 0,  x_t = mu x_n e,      e⊥ᵀ u_t + c e⊥ᵀ dx_t = 0,   c = −eᵀu_t / (mu x_n)
//!             x = room                       one row alone, at its upper bound
//! ```
//!
//! The equations go into the factor of [`super::newton`] block by block: a step is one factorisation of the bodies at hand,
//! whatever the number of contacts.

mod equations;

use equations::{direction, leaves, on_circle};

use super::iterate::Iterate;
use super::newton::Newton;
use super::operator::{Law, Operator};
use crate::clock::Clock;
use crate::kernel::max_abs;
use crate::problem::ContactMode;
use crate::tolerances;

/// Sweeps before each try, and the steps in it: on from where the last one ended, then once more from the start. Whether
/// damped steps or whole ones end in an answer differs from problem to problem.
const TRIES: [(usize, usize, bool); 5] =
    [(0, 6, false), (4, 16, true), (16, 24, true), (64, 40, false), (64, 40, false)];
/// ε of a step, and the largest of a damped one; rows have size one.
const EPS: (f64, f64) = (1e-7, 1e-2);
/// What is slower does not move: the accuracy of an answer, where velocities have size one.
const STILL: f64 = 1e-9;
/// A contact that closes slides if it moves along by this part of the largest velocity.
const MOVES: f64 = 1e-3;
/// Whole steps that may leave more than half of the error, with nothing to let go.
const SLOW: usize = 2;
/// What such a step leaves is what redundant rows contradict each other by: it moves stress alone, by that over ε, and no speed. The next one may then be taken so many
/// times over, up to the first bound, whose contact has to give way. In tries that have [`LONG`] steps to go alone: in all of them 97 in place of 152 of 284 recorded parts are solved.
/// Of 18,700 steps of dominoes 4 are not solved with it, 7 without.
const STRIDE: f64 = 1e6;
const LONG: usize = 40;

/// The search with its memory; by block unless said otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Climb {
    modes: Vec<ContactMode>, // of a row alone slip is its upper bound
    met: Vec<bool>,
    freed: Vec<bool>, // let go last
    refused: Vec<u8>, // how often its change was undone at once
    step: Vec<f64>,   // by row
    start: Vec<f64>,  // by row
    ratio: Vec<f64>,
}

impl Climb {
    /// Climbs from the impulses of `at`; true if that ends in an answer to `goal`, a tenth of it where it can be had. The best
    /// on the way is kept there.
    pub(crate) fn run(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        newton: &mut Newton,
        goal: f64,
        most: usize,
        clock: &Clock,
    ) -> bool {
        self.start.clone_from(&at.x);
        let end = newton.elimination.count + most;
        for (k, (sweeps, steps, damped)) in TRIES.into_iter().enumerate() {
            let last = k + 1 == TRIES.len();
            if last {
                at.x.clone_from(&self.start);
            }
            at.cut(operator);
            at.measure(operator);
            if sweeps > 0 {
                super::sweep::sweep(operator, at, sweeps, clock);
            }
            self.tell(operator, at);
            let steps = if last { steps + operator.blocks.len() } else { steps };
            let steps = steps.min(end.saturating_sub(newton.elimination.count));
            let stride = if steps < LONG { 1.0 } else { STRIDE };
            let done = self.climb(operator, at, newton, (goal, steps), (damped, stride), clock);
            if done || at.best_natural <= goal {
                return true;
            }
            if newton.elimination.count >= end || clock.expired() {
                break;
            }
        }
        false
    }

    /// The modes that impulses and velocities belong to; what is open has no impulse.
    fn tell(&mut self, operator: &Operator, at: &mut Iterate) {
        self.modes.clear();
        for block in &operator.blocks {
            let (x, u) = (Operator::of(block, &at.x), Operator::of(block, &at.u));
            let mode = match block.law {
                Law::Cone(mu) => {
                    let slip = u[1].hypot(u[2]);
                    let normal = mu * x[0] - u[0] / mu - slip;
                    let size = (x[1] - u[1]).hypot(x[2] - u[2]);
                    if normal >= size {
                        ContactMode::Stick
                    } else if normal + size > 0.0 {
                        ContactMode::Slip
                    } else {
                        ContactMode::Open
                    }
                }
                Law::Half | Law::Boxed(_) if x[0] - u[0] <= 0.0 => ContactMode::Open,
                Law::Boxed(room) if x[0] - u[0] >= room => ContactMode::Slip,
                Law::Half | Law::Boxed(_) | Law::Free => ContactMode::Stick,
            };
            self.modes.push(mode);
            let x = match (mode, block.law) {
                (ContactMode::Open, _) => [0.0; 3],
                (ContactMode::Slip, Law::Boxed(room)) => [room, 0.0, 0.0],
                (ContactMode::Slip, Law::Cone(mu)) => on_circle(mu, x),
                _ => x,
            };
            Operator::put(block, x, &mut at.x);
        }
        at.measure(operator);
    }

    fn climb(
        &mut self,
        operator: &Operator,
        at: &mut Iterate,
        newton: &mut Newton,
        (goal, steps): (f64, usize),
        (damped, stride): (bool, f64),
        clock: &Clock,
    ) -> bool {
        let n = operator.blocks.len();
        self.freed.clear();
        self.freed.resize(n, false);
        self.refused.clear();
        self.refused.resize(n, 0);
        let (mut least, mut slowly, mut far) = (f64::INFINITY, 0, 1.0);
        for step in 0..steps {
            let eps = if damped { at.natural.clamp(EPS.0, EPS.1) } else { EPS.0 };
            self.put_equations(operator, at, newton);
            if clock.expired() || !newton.factor(operator, eps) {
                return false;
            }
            newton.direction(operator, &mut self.step);
            let blocked = self.advance(operator, at, far);
            far = 1.0;
            if !at.measure(operator).is_finite() {
                return false;
            }
            if at.natural <= 0.1 * goal {
                return true;
            }
            if blocked {
                continue;
            }
            // what Newton has still to do must not be taken for a contact that leaves its mode
            let band = self.unsolved(operator, at).max(0.1 * goal);
            if self.let_go(operator, at, band, step > steps / 2) {
                (least, slowly) = (f64::INFINITY, 0);
            } else if self.refused.iter().any(|&times| times > 0) {
                return false;
            } else {
                if at.natural > 0.5 * least {
                    slowly += 1;
                    far = stride;
                }
                least = least.min(at.natural);
                if slowly > SLOW {
                    return false;
                }
            }
        }
        false
    }

    /// Takes as much of the step as no bound forbids, or so many of it up to the first bound; what met its bound takes its mode. True if anything did.
    fn advance(&mut self, operator: &Operator, at: &mut Iterate, far: f64) -> bool {
        self.ratio.clear();
        for (block, mode) in operator.blocks.iter().zip(&self.modes) {
            let (x, d) = (Operator::of(block, &at.x), Operator::of(block, &self.step));
            let lifts = if d[0] < 0.0 { x[0].max(0.0) / -d[0] } else { f64::INFINITY };
            self.ratio.push(match (mode, block.law) {
                (ContactMode::Open, _) | (ContactMode::Slip, Law::Boxed(_)) | (_, Law::Free) => f64::INFINITY,
                (ContactMode::Stick, Law::Cone(mu)) => lifts.min(leaves(mu, x, d, far)),
                (ContactMode::Stick, Law::Boxed(room)) if d[0] > 0.0 => (room - x[0]).max(0.0) / d[0],
                _ => lifts,
            });
        }
        let first = self.ratio.iter().copied().fold(f64::INFINITY, f64::min);
        let blocked = first < far;
        let part = if blocked { first } else { 1.0 };
        // met at the same time, but for rounding
        let last = part * (1.0 + tolerances::AT_ONCE) + tolerances::AT_ONCE_LEAST;
        self.met.clear();
        self.met.extend(self.ratio.iter().map(|&r| blocked && r <= last));
        for k in 0..self.met.len() {
            // let go, and back at its bound before anything moved
            if part > tolerances::MOVED && blocked {
                self.refused[k] = 0;
            } else if self.freed[k] && self.met[k] {
                self.refused[k] += 1;
            }
            self.freed[k] = false;
        }
        let nothing = tolerances::NOTHING * max_abs(&at.x).max(1.0);
        for (k, block) in operator.blocks.iter().enumerate() {
            let (mut x, d) = (Operator::of(block, &at.x), Operator::of(block, &self.step));
            (0..3).for_each(|i| x[i] += part * d[i]);
            if self.met[k] {
                self.modes[k] = match block.law {
                    Law::Boxed(_) if d[0] > 0.0 => ContactMode::Slip,
                    Law::Cone(_) if x[0] > nothing || d[0] > 0.0 => ContactMode::Slip,
                    _ => ContactMode::Open,
                };
            }
            let x = match (self.modes[k], block.law) {
                (ContactMode::Open, _) => [0.0; 3],
                (ContactMode::Slip, Law::Boxed(room)) => [room, 0.0, 0.0],
                (ContactMode::Slip, Law::Cone(mu)) => on_circle(mu, x),
                _ => x,
            };
            Operator::put(block, x, &mut at.x);
        }
        blocked
    }

    /// Blocks that pull, or whose friction helps the motion, by more than the band: they change, all or the worst alone.
    /// True if any does.
    fn let_go(&mut self, operator: &Operator, at: &Iterate, band: f64, one: bool) -> bool {
        self.ratio.clear();
        for (k, block) in operator.blocks.iter().enumerate() {
            let (x, u) = (Operator::of(block, &at.x), Operator::of(block, &at.u));
            self.ratio.push(match (self.modes[k], block.law) {
                (_, Law::Boxed(0.0)) => 0.0,
                (ContactMode::Open, _) if self.refused[k] < 2 => -u[0],
                (ContactMode::Slip, Law::Boxed(_)) => u[0],
                (ContactMode::Slip, _) if self.refused[k] == 0 && x[0] > 0.0 => {
                    let e = direction(x, u);
                    let along = e[0] * u[1] + e[1] * u[2];
                    if along > STILL { along } else { 0.0 }
                }
                _ => 0.0,
            });
        }
        let worst = self.ratio.iter().copied().fold(0.0, f64::max);
        if worst <= band {
            return false;
        }
        let least = if one { worst } else { band };
        for (k, block) in operator.blocks.iter().enumerate() {
            if self.ratio[k] <= band || self.ratio[k] < least {
                continue;
            }
            let u = Operator::of(block, &at.u);
            let slides = matches!(block.law, Law::Cone(_)) && u[1].hypot(u[2]) > MOVES;
            let refused = self.refused[k] > 0;
            self.freed[k] = true;
            self.modes[k] = match (self.modes[k], block.law) {
                (ContactMode::Open, Law::Cone(_)) if slides != refused => ContactMode::Slip,
                _ => ContactMode::Stick,
            };
            if one {
                break;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
