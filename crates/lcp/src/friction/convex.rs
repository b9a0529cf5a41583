//! The convex law: a floor that always has one answer, and a law of its own for very large scenes.
//!
//! Coulomb's law without De Saxcé's term is the condition of a minimum. With K the cones, half-lines and intervals of all
//! blocks and an equal small compliance ε of every row, in energy units,
//!
//! ```text
//!     x ∈ K,   u + ε x ∈ K*,   xᵀ(u + ε x) = 0                 u = A g + q,   g = Aᵀ x
//!     ⇔   x = P_K(−u / ε),     g = argmin  ½ |g|² + (ε/2) |P_K(−(A g + q)/ε)|²                       (1)
//!     (1 + Aᵀ (P_K′/ε) A) dg = −(g − Aᵀ x)                     Newton's step, symmetric
//! ```
//!
//! (1) is strictly convex and once differentiable: Newton with an exact search along its step comes to the one minimum from
//! anywhere. The smaller ε, the narrower the valley; far from the minimum ε therefore falls by tens from [`FIRST`] to
//! [`COMPLIANCE`], three to six steps each.
//!
//! What differs from Coulomb's law: a contact that slides with speed |u_t| rises with mu |u_t| (for one step: the gap that
//! it leaves is closed by the next), and what sticks creeps with ε times its impulse, 1e-4 of what the forces of a step would
//! do alone. No energy is made, nothing sinks, and where bodies are jammed it still has an answer.
//!
//! | symbol | code            |                                                       |
//! |--------|-----------------|-------------------------------------------------------|
//! | P_K, P_K′ | [`projected`] | of one block, P_K′ symmetric                         |
//! | g, dg  | `g`, `dg`       | by degree of freedom                                  |
//! | u, A dg | `u`, `du`      | by block                                              |

use super::elimination::Elimination;
use super::iterate::project;
use super::newton::map::Matrix;
use super::operator::{Law, Operator};
use crate::clock::Clock;

/// ε, against the effective masses of the rows: creep of a grasp of 10 N at steps of 1 ms is then 1 µm/s.
pub(crate) const COMPLIANCE: f64 = 1e-4;
/// Where ε starts.
const FIRST: f64 = 0.1;
/// A start that is no further off than this, measured as the next two, needs no larger ε: half the factorisations of a
/// pile of spheres, two thirds of boxes.
const NEAR: f64 = 10.0;
/// How exactly the minimum is found before ε falls, and at the end; |g − Aᵀ x| against g or q, whichever is larger.
const ROUGH: f64 = 0.1;
const FINE: f64 = 1e-10;
/// Factorisations in all: twice what recorded piles took at most.
const MOST: usize = 60;
/// A search along a step ends when its slope is this part of what it was, or after so many looks.
const FLAT: f64 = 1e-2;
const LOOKS: usize = 30;

/// Newton on the convex law, with its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Convex {
    g: Vec<f64>,
    dg: Vec<f64>,
    u: Vec<[f64; 3]>,
    du: Vec<[f64; 3]>,
    d: Vec<Matrix>,
    acts: Vec<bool>,
    shift: Vec<f64>, // by row, taken from u
}

impl Convex {
    /// Impulses x of the convex law, from whatever they are; answers its natural residual.
    pub(crate) fn run(
        &mut self,
        operator: &Operator,
        elimination: &mut Elimination,
        x: &mut [f64],
        clock: &Clock,
    ) -> f64 {
        self.start(operator, x);
        let end = elimination.count + MOST;
        // as far down as the start will do
        let mut eps = COMPLIANCE;
        while eps < FIRST && self.linearise(operator, eps, x) > NEAR {
            eps *= 10.0;
        }
        loop {
            let last = eps <= COMPLIANCE;
            let goal = if last { FINE } else { ROUGH };
            if !self.minimum(operator, elimination, x, (eps, goal, end), clock) {
                self.linearise(operator, COMPLIANCE, x);
                return self.residual(operator, x);
            }
            if last {
                return self.residual(operator, x);
            }
            eps = (0.1 * eps).max(COMPLIANCE);
        }
    }

    /// From the motion of impulses x on, nothing taken from velocities.
    fn start(&mut self, operator: &Operator, x: &[f64]) {
        let n = operator.blocks.len();
        self.d.clear();
        self.d.resize(n, Matrix::default());
        self.acts.clear();
        self.acts.resize(n, false);
        self.shift.clear();
        self.shift.resize(operator.q.len(), 0.0);
        operator.motion(x, &mut self.g);
    }

    /// The least loads that stop all, or all but: ε falls by tens from [`FIRST`] to `least`; then `shift` may be set, and [`Self::again`] goes on
    /// from there. False if it was not found within so many factorisations.
    pub(super) fn least(
        &mut self,
        operator: &Operator,
        elimination: &mut Elimination,
        x: &mut [f64],
        (least, goal, end): (f64, f64, usize),
        clock: &Clock,
    ) -> bool {
        self.start(operator, x);
        let mut eps = FIRST;
        while eps > least {
            if !self.minimum(operator, elimination, x, (eps, ROUGH, end), clock) {
                return false;
            }
            eps = (0.1 * eps).max(least);
        }
        self.minimum(operator, elimination, x, (least, goal, end), clock)
    }

    /// The minimum where so much is taken from the velocities of the rows, from the last one on.
    pub(super) fn again(
        &mut self,
        operator: &Operator,
        elimination: &mut Elimination,
        x: &mut [f64],
        shift: &[f64],
        (eps, goal, end): (f64, f64, usize),
        clock: &Clock,
    ) -> bool {
        self.shift.copy_from_slice(shift);
        self.minimum(operator, elimination, x, (eps, goal, end), clock)
    }

    /// The minimum of (1) for one ε, to `goal`; false if factorisations or time are at their end before.
    fn minimum(
        &mut self,
        operator: &Operator,
        elimination: &mut Elimination,
        x: &mut [f64],
        (eps, goal, end): (f64, f64, usize),
        clock: &Clock,
    ) -> bool {
        while self.linearise(operator, eps, x) > goal {
            if elimination.count >= end
                || clock.expired()
                || !elimination.factor(operator, &self.d, &self.acts)
            {
                return false;
            }
            elimination.solve(&mut self.dg);
            let Some(t) = self.search(operator, eps) else { break };
            self.g.iter_mut().zip(&self.dg).for_each(|(g, d)| *g += t * d);
        }
        true
    }

    /// Impulses and slopes at g; dg = −(g − Aᵀ x), whose size is the answer.
    fn linearise(&mut self, operator: &Operator, eps: f64, x: &mut [f64]) -> f64 {
        self.dg.clear();
        self.dg.extend(self.g.iter().map(|g| -g));
        self.u.clear();
        for (at, block) in operator.blocks.iter().enumerate() {
            let (v, q) = (operator.velocity(block, &self.g), Operator::of(block, &operator.q));
            let shift = Operator::of(block, &self.shift);
            let u = [0, 1, 2].map(|k| v[k] + q[k] - shift[k]);
            let (r, slope) = projected(block.law, u.map(|u| -u / eps));
            self.acts[at] = slope[0] != [0.0; 3];
            self.d[at] = slope.map(|row| row.map(|v| v / eps));
            self.u.push(u);
            Operator::put(block, r, x);
            if r != [0.0; 3] {
                operator.impel(block, r, &mut self.dg);
            }
        }
        crate::kernel::max_abs(&self.dg) / crate::kernel::max_abs(&self.g).max(1.0)
    }

    /// Where the slope of (1) along dg vanishes, within [0, 1]; none if dg does not lead down.
    fn search(&mut self, operator: &Operator, eps: f64) -> Option<f64> {
        self.du.clear();
        self.du.extend(operator.blocks.iter().map(|block| operator.velocity(block, &self.dg)));
        let along: f64 = self.g.iter().zip(&self.dg).map(|(g, d)| g * d).sum();
        let square: f64 = self.dg.iter().map(|d| d * d).sum();
        let slope = |t: f64| {
            let (mut first, mut second) = (along + t * square, square);
            for ((block, u), du) in operator.blocks.iter().zip(&self.u).zip(&self.du) {
                let (r, bend) = projected(block.law, [0, 1, 2].map(|k| -(u[k] + t * du[k]) / eps));
                for i in 0..3 {
                    first -= r[i] * du[i];
                    second += (0..3).map(|j| bend[i][j] * du[i] * du[j]).sum::<f64>() / eps;
                }
            }
            (first, second)
        };
        let start = slope(0.0).0;
        if start >= 0.0 || start.is_nan() {
            return None;
        }
        let (mut low, mut high, mut t) = (0.0, 1.0, 1.0);
        let mut at = slope(t);
        for _ in 0..LOOKS {
            if at.0 <= -FLAT * start && (t == 1.0 || at.0 >= FLAT * start) {
                break;
            }
            if at.0 > 0.0 {
                high = t;
            } else {
                low = t;
            }
            let next = t - at.0 / at.1;
            t = if next > low && next < high { next } else { 0.5 * (low + high) };
            at = slope(t);
        }
        Some(t)
    }

    /// The natural residual x − P_K(x − (u + ε x)) with the velocities of x itself.
    fn residual(&mut self, operator: &Operator, x: &[f64]) -> f64 {
        operator.motion(x, &mut self.g);
        let mut worst = 0.0_f64;
        for block in &operator.blocks {
            let (v, q, r) =
                (operator.velocity(block, &self.g), Operator::of(block, &operator.q), Operator::of(block, x));
            let (p, _) = projected(block.law, [0, 1, 2].map(|k| r[k] - (v[k] + q[k] + COMPLIANCE * r[k])));
            for k in 0..block.rows() {
                let error = (r[k] - p[k]).abs();
                if error.is_nan() {
                    return f64::INFINITY;
                }
                worst = worst.max(error);
            }
        }
        worst
    }
}

/// P_K(y) of a block and its derivative.
fn projected(law: Law, y: [f64; 3]) -> ([f64; 3], Matrix) {
    let mut slope = Matrix::default();
    let (r, one) = match law {
        Law::Cone(mu) => return cone(mu, y),
        Law::Free => (y[0], true),
        Law::Half => (y[0].max(0.0), y[0] > 0.0),
        Law::Boxed(room) => (y[0].clamp(0.0, room), y[0] > 0.0 && y[0] < room),
    };
    slope[0][0] = f64::from(u8::from(one));
    ([r, 0.0, 0.0], slope)
}

fn cone(mu: f64, y: [f64; 3]) -> ([f64; 3], Matrix) {
    let p = project(mu, y);
    let mut slope = Matrix::default();
    if p == [0.0; 3] {
        return (p, slope);
    }
    if p == y {
        (0..3).for_each(|i| slope[i][i] = 1.0);
        return (p, slope);
    }
    // between: along the ray (1, mu e) of the cone, and across it by the quotient of the two circles
    let size = (y[1] * y[1] + y[2] * y[2]).sqrt();
    let ray = [1.0, mu * y[1] / size, mu * y[2] / size];
    let (k, turn) = (1.0 / (1.0 + mu * mu), mu * p[0] / size);
    let across = [0.0, -y[2] / size, y[1] / size];
    for i in 0..3 {
        for j in 0..3 {
            slope[i][j] = k * ray[i] * ray[j] + turn * across[i] * across[j];
        }
    }
    (p, slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slope of a projection is that of differences, symmetric, and has no direction outside of [0, 1].
    #[test]
    fn slopes_of_projections_are_those_of_differences() {
        for y in [[1.0, 0.1, -0.2], [0.3, 0.5, -0.7], [-0.4, 0.9, 0.3], [-1.0, 0.1, 0.2]] {
            let law = Law::Cone(0.6);
            let (_, slope) = projected(law, y);
            let h = 1e-6;
            for j in 0..3 {
                let moved = |s: f64| {
                    let mut y = y;
                    y[j] += s * h;
                    projected(law, y).0
                };
                let (a, b) = (moved(1.0), moved(-1.0));
                for i in 0..3 {
                    assert!(((a[i] - b[i]) / (2.0 * h) - slope[i][j]).abs() < 1e-9, "{y:?} {i} {j}");
                    assert_eq!(slope[i][j], slope[j][i]);
                }
            }
        }
    }
}
