//! May everything hold? The least loads inside the cones that stop all contacts, if there are any.
//!
//! The safe theorem of limit analysis: bodies at rest whose contacts can carry what acts on them stay. With y the motion that
//! stops every row, A y = −q (contacts with a gap that it would leave open are no part of it), the loads are those of the convex problem
//!
//! ```text
//!     minimise ½ |r|²   subject to   Aᵀ r = y,  r ∈ K              its dual, in the degrees of freedom, is smooth:
//!     minimise φ(w) = ½ |P_K(A w)|² − yᵀ w,     r = P_K(A w),     ∇φ = Aᵀ r − y,     ∇²φ = Aᵀ P′ A
//! ```
//!
//! solved by Newton's method; where no loads do, φ has no least value and w grows. For intervals ½|P z|² is zᵀ P z − ½|P z|².

use super::elimination::Elimination;
use super::iterate::{Iterate, project};
use super::newton::map::Matrix;
use super::operator::{Block, Law, Operator};
use crate::clock::Clock;
use crate::kernel::{axpy, dot, max_abs};

/// The shift of AᵀA, which has no full rank; rows have size one.
const SHIFT: f64 = 1e-9;
/// What is slower is still: a tenth of what counts as solved.
const STILL: f64 = 1e-10;
/// ∇φ at which loads are right, of y.
const EXACT: f64 = 1e-13;
/// Rounds in which contacts that would open are left out of those that are stopped, and steps of each to a motion without shift.
const ROUNDS: usize = 8;
const REFINED: usize = 3;
/// Part of the largest such opening from which on a contact is left out.
const FURTHEST: f64 = 0.5;
/// Steps: where loads exist, 3 to 12 lead there.
const STEPS: usize = 20;
/// Steps that leave more than this part of ∇φ, and how many of them mean that no loads exist.
const HARDLY: f64 = 0.8;
const IDLE: usize = 6;
/// The least and the largest shift of ∇²φ.
const DAMPING: (f64, f64) = (1e-10, 1e-3);
/// Loads of more than this, where velocities have size one, hold nothing: they are a way out of the cones.
const LARGEST: f64 = 1e4;

/// Scratch memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hold {
    d: Vec<Matrix>,
    held: Vec<bool>,
    y: Vec<f64>,
    w: Vec<f64>,
    next: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
}

impl Hold {
    /// The loads in the iterate, if there are any; else the iterate is as it was.
    pub(crate) fn run(
        &mut self,
        operator: &Operator,
        elimination: &mut Elimination,
        at: &mut Iterate,
        clock: &Clock,
    ) -> bool {
        if !self.stop(operator, elimination) {
            return false;
        }
        let goal = EXACT * max_abs(&self.y).max(1.0);
        let mut value = self.look(operator, false);
        let (mut last, mut idle) = (f64::INFINITY, 0);
        for _ in 0..STEPS {
            let error = max_abs(&self.gradient);
            idle += usize::from(error > HARDLY * last);
            last = error;
            if error <= goal {
                self.put(operator, at);
                return true;
            }
            let shift = error.clamp(DAMPING.0, DAMPING.1);
            self.scale(shift);
            if idle > IDLE || clock.expired() || !elimination.factor(operator, &self.d, &self.held) {
                return false;
            }
            self.step.clear();
            self.step.extend(self.gradient.iter().map(|v| -v / shift));
            elimination.solve(&mut self.step);
            let slope = dot(&self.gradient, &self.step);
            let mut length = 1.0;
            loop {
                self.next.clone_from(&self.w);
                axpy(length, &self.step, &mut self.next);
                let there = self.look(operator, true);
                if there <= value + 1e-4 * length * slope || length < 1e-3 {
                    value = there;
                    break;
                }
                length *= 0.5;
            }
            std::mem::swap(&mut self.w, &mut self.next);
            // written so that NaN ends it too
            let within = max_abs(&self.w) < LARGEST;
            if !within {
                return false;
            }
        }
        false
    }

    /// y, and w of the least loads without cones; false if no motion stops all rows.
    fn stop(&mut self, operator: &Operator, elimination: &mut Elimination) -> bool {
        self.held.clear();
        self.held.resize(operator.blocks.len(), true);
        let one = 1.0 / SHIFT;
        self.d.clear();
        self.d.resize(operator.blocks.len(), [[one, 0.0, 0.0], [0.0, one, 0.0], [0.0, 0.0, one]]);
        for v in [&mut self.y, &mut self.w] {
            v.clear();
            v.resize(operator.width, 0.0);
        }
        for _ in 0..ROUNDS {
            self.y.fill(0.0);
            if !elimination.factor(operator, &self.d, &self.held) {
                return false;
            }
            for _ in 0..REFINED {
                self.step.clear();
                self.step.resize(operator.width, 0.0);
                for block in held(operator, &self.held) {
                    let u = velocity(operator, block, &self.y);
                    operator.impel(block, u.map(|v| -v / SHIFT), &mut self.step);
                }
                elimination.solve(&mut self.step);
                axpy(1.0, &self.step, &mut self.y);
            }
            let (mut left, mut opens) = (0.0_f64, 0.0_f64);
            for block in held(operator, &self.held) {
                let u = velocity(operator, block, &self.y);
                left = u[..block.rows()].iter().fold(left, |m, v| m.max(v.abs()));
                if may_open(block) {
                    opens = opens.max(u[0]);
                }
            }
            if left <= STILL {
                self.w.iter_mut().zip(&self.y).for_each(|(w, y)| *w = y / SHIFT);
                elimination.solve(&mut self.w);
                return true;
            }
            if opens <= STILL {
                return false;
            }
            // those that open most: where rows contradict each other the others may be made to by them
            for (block, held) in operator.blocks.iter().zip(&mut self.held) {
                let leaves = may_open(block) && velocity(operator, block, &self.y)[0] > FURTHEST * opens;
                *held &= !leaves;
            }
        }
        false
    }

    /// φ at w, or at the next one; its gradient and P′ are kept.
    fn look(&mut self, operator: &Operator, next: bool) -> f64 {
        let w = if next { &self.next } else { &self.w };
        let mut value = -dot(&self.y, w);
        self.gradient.clear();
        self.gradient.extend(self.y.iter().map(|v| -v));
        for (at, block) in operator.blocks.iter().enumerate().filter(|(at, _)| self.held[*at]) {
            let z = operator.velocity(block, w);
            let (p, d) = nearest(block.law, z);
            self.d[at] = d;
            value += dot(&z, &p) - 0.5 * dot(&p, &p);
            operator.impel(block, p, &mut self.gradient);
        }
        value
    }

    fn scale(&mut self, shift: f64) {
        for d in self.d.iter_mut().flatten().flatten() {
            *d /= shift;
        }
    }

    fn put(&self, operator: &Operator, at: &mut Iterate) {
        at.x.fill(0.0);
        for block in held(operator, &self.held) {
            Operator::put(block, nearest(block.law, operator.velocity(block, &self.w)).0, &mut at.x);
        }
        at.best_natural = f64::INFINITY;
        at.measure(operator);
    }
}

fn may_open(block: &Block) -> bool {
    matches!(block.law, Law::Cone(_) | Law::Half)
}

fn held<'a>(operator: &'a Operator, held: &'a [bool]) -> impl Iterator<Item = &'a Block> {
    operator.blocks.iter().zip(held).filter(|(_, held)| **held).map(|(block, _)| block)
}

/// q + A y of a block.
fn velocity(operator: &Operator, block: &Block, y: &[f64]) -> [f64; 3] {
    let (mut u, q) = (operator.velocity(block, y), Operator::of(block, &operator.q));
    (0..block.rows()).for_each(|k| u[k] += q[k]);
    u
}

/// P z and its derivative.
fn nearest(law: Law, z: [f64; 3]) -> ([f64; 3], Matrix) {
    let mut d = Matrix::default();
    let mu = match law {
        Law::Cone(mu) => mu,
        Law::Half | Law::Boxed(_) | Law::Free => {
            let room = if let Law::Boxed(room) = law { room } else { f64::INFINITY };
            let inside = law == Law::Free || (z[0] > 0.0 && z[0] < room);
            d[0][0] = if inside { 1.0 } else { 0.0 };
            return ([if inside { z[0] } else { z[0].clamp(0.0, room) }, 0.0, 0.0], d);
        }
    };
    let p = project(mu, z);
    if p == z {
        (0..3).for_each(|k| d[k][k] = 1.0);
        return (p, d);
    }
    if p[0] <= 0.0 {
        return (p, d);
    }
    let size = z[1].hypot(z[2]);
    let axis = [1.0, mu * z[1] / size, mu * z[2] / size];
    let across = [0.0, -z[2] / size, z[1] / size];
    let turn = mu * p[0] / size;
    for i in 0..3 {
        for j in 0..3 {
            d[i][j] = axis[i] * axis[j] / (1.0 + mu * mu) + turn * across[i] * across[j];
        }
    }
    (p, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_bends_as_its_differences_say() {
        let (law, h) = (Law::Cone(0.4), 1e-6);
        for z in [[1.0, 0.1, 0.2], [0.5, 0.7, -0.9], [-1.0, 0.2, 0.1], [-0.1, 0.6, 0.5]] {
            let (_, d) = nearest(law, z);
            for j in 0..3 {
                let moved = |s: f64| {
                    let mut z = z;
                    z[j] += s * h;
                    nearest(law, z).0
                };
                let (a, b) = (moved(1.0), moved(-1.0));
                (0..3).for_each(|i| assert!(((a[i] - b[i]) / (2.0 * h) - d[i][j]).abs() < 1e-8, "{z:?}"));
            }
        }
    }
}
