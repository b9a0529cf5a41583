//! The least norm within round cones: Newton on the dual.
//!
//! With Q the orthonormal directions that the motion decides ([`super::motion`]) and β = Qᵀ y(raw), the least-norm y is
//! the projection of a vector of that space on the product F of all cones, rays and intervals:
//!
//! ```text
//!     y = P_F(Q ζ),      Qᵀ P_F(Q ζ) = β                                                              (1)
//!     θ(ζ) = βᵀζ − vᵀP_F(v) + ½ |P_F(v)|²,   v = Q ζ          concave,  ∇θ = β − Qᵀ P_F(v)            (2)
//!     J = Qᵀ P_F′(v) Q = 1 − Σ Qᵀ w wᵀ Q                       over the contacts that F holds back     (3)
//! ```
//!
//! In energy units the projection on a cone |y_t| ≤ mu y_n is that of plain space, and so is its derivative:
//!
//! | v                      | P_F(v)                          | 1 − P_F′ = Σ w wᵀ                                    |
//! |------------------------|---------------------------------|------------------------------------------------------|
//! | inside                 | v                               | 0                                                    |
//! | inside the polar cone  | 0                               | 1                                                    |
//! | between                | (gᵀv) g,  g ∝ (1, mu e)         | h hᵀ + (1 − mu p_n/\|v_t\|) e⊥e⊥ᵀ,  h ∝ (mu, −e)     |
//! | beyond a bound         | the bound                       | 1                                                    |
//!
//! Any ζ gives a y that satisfies all optimality conditions but A y = b; Newton's method with a step length from (2)
//! closes that gap, quadratically at the end. The matrix has the size of the motion's rank, never that of the contacts.
//!
//! ζ need not exist where F leaves the motion no room at all (every cone at its limit, and touching the affine space
//! A y = b without crossing it): Newton then runs out of rounds, and the raw impulses stay.

use super::motion::Motion;
use super::pieces::{Meaning, Piece};
use super::{KEPT, SpreadReport};
use crate::clock::Clock;
use crate::kernel::{Triangle, axpy, cholesky, dot, max_abs, solve_one};
use crate::tolerances;

/// Newton's steps: most answers take three to ten; those on the brink of having no ζ gain a factor of two each.
const STEPS: usize = 200;
/// (1) is solved when it holds to this, against the largest unknown: a few roundings of sums of products.
const ENOUGH: f64 = 2e-15;
/// Where ζ is much longer than y its rounding keeps (1) from being solved so well: from here on y itself is corrected, in
/// at most so many steps.
const NEAR: f64 = 1e-9;
const POLISH: usize = 10;
/// The part of the ascent that a step must keep of what the slope promises: the usual one.
const ASCENT: f64 = 1e-4;
/// The least shift of J, beginning with 1e-2, whose largest eigenvalue is one: above its rounding, so that a direction in which all
/// contacts are held back does not stop Newton.
const SHIFT: f64 = 1e-14;

/// What the shift is multiplied by after a whole step and after a part of one; ζ may be a million times as long as y
/// where a direction is nearly held back altogether, and steps grow as shifts fall.
const BOLDER: f64 = 0.1;
const SHYER: f64 = 4.0;

/// Newton's memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Round {
    zeta: Vec<f64>,
    trial: Vec<f64>,
    gap: Vec<f64>,   // rank: β − Qᵀ y
    step: Vec<f64>,  // rank
    v: Vec<f64>,     // unknowns
    y: Vec<f64>,     // unknowns
    unit: Vec<f64>,  // unknowns
    j: Vec<f64>,     // rank × rank, the lower triangle by rows
    whole: Vec<f64>, // the same before it is factorised
    shift: f64,
    first: Vec<usize>,
    start: Vec<usize>,
    held: Vec<f64>,               // rank: Qᵀ w
    cache: Vec<Option<Vec<f64>>>, // by unknown: its row of Q
    /// When to give up.
    pub(super) clock: Clock,
}

impl Round {
    /// The least-norm y in F with the motion of `raw`, which has it and lies in F; `b` is that motion.
    pub(super) fn minimise(
        &mut self,
        motion: &mut Motion,
        pieces: &[Piece],
        b: &[f64],
        mut raw: Vec<f64>,
        report: &mut SpreadReport,
    ) -> Option<Vec<f64>> {
        motion.restore(b, &mut raw);
        let mut beta = Vec::new();
        motion.decided(&raw, &mut beta);
        let (rank, unknowns) = (beta.len(), raw.len());
        for v in [&mut self.v, &mut self.y, &mut self.unit] {
            v.clear();
            v.resize(unknowns, 0.0);
        }
        self.cache.clear();
        self.cache.resize(unknowns, None);
        self.first.clear();
        self.first.resize(rank, 0);
        self.start.clear();
        self.start.extend((0..=rank).map(|i| i * (i + 1) / 2));

        self.shift = tolerances::FIRST_SHIFT;
        self.zeta.clone_from(&beta);
        let mut height = self.look(motion, pieces, &beta, false);
        let size = max_abs(&raw).max(f64::MIN_POSITIVE);
        let mut best = (f64::INFINITY, Vec::new(), 0);
        for round in 0..STEPS {
            let off = max_abs(&self.gap) / size;
            if off < best.0 {
                best = (off, self.zeta.clone(), round);
            }
            // at the level of rounding a few steps without gain are the end
            let idle = round - best.2;
            let tired = (best.0 <= KEPT && idle >= 3) || (best.0 <= NEAR && idle >= 10);
            if off <= ENOUGH || tired || off.is_nan() {
                break;
            }
            report.rounds += 1;
            if !self.newton(motion, pieces, &beta) {
                break;
            }
            height = self.climb(motion, pieces, &beta, height)?;
        }
        if best.0 > NEAR {
            return None;
        }
        self.zeta = best.1;
        self.look(motion, pieces, &beta, false);
        report.active = pieces.iter().filter(|p| Held::of(p, &self.v).count > 0).count();
        let left = if best.0 > KEPT { self.polish(motion, pieces, &beta) / size } else { best.0 };
        (left <= KEPT).then(|| std::mem::take(&mut self.y))
    }

    /// Newton's steps in y itself, within what F leaves: they have no part in the rounding of a long ζ.
    /// Answers the gap that is left.
    fn polish(&mut self, motion: &mut Motion, pieces: &[Piece], beta: &[f64]) -> f64 {
        let mut off = max_abs(&self.gap);
        self.shift = SHIFT;
        for _ in 0..POLISH {
            if !self.newton(motion, pieces, beta) {
                break;
            }
            motion.compose(&self.step, &mut self.unit);
            self.trial.clone_from(&self.y);
            for piece in pieces {
                let at = piece.first..piece.first + piece.width;
                let held = Held::of(piece, &self.v);
                for w in &held.w[..held.count] {
                    let along: f64 = w.iter().zip(&self.unit[at.clone()]).map(|(w, d)| w * d).sum();
                    self.unit[at.clone()].iter_mut().zip(w).for_each(|(d, w)| *d -= along * w);
                }
                axpy(1.0, &self.unit[at.clone()], &mut self.trial[at]);
            }
            self.unit.fill(0.0);
            motion.decided(&self.trial, &mut self.gap);
            self.gap.iter_mut().zip(beta).for_each(|(g, b)| *g = b - *g);
            let left = max_abs(&self.gap);
            // written so that NaN ends it too
            let better = left < off;
            if !better {
                break;
            }
            off = left;
            std::mem::swap(&mut self.y, &mut self.trial);
        }
        off
    }

    /// v, y, the gap and θ at `zeta` or at `trial`.
    fn look(&mut self, motion: &mut Motion, pieces: &[Piece], beta: &[f64], trial: bool) -> f64 {
        let zeta = if trial { &self.trial } else { &self.zeta };
        motion.compose(zeta, &mut self.v);
        for piece in pieces {
            piece.project(&self.v, &mut self.y);
        }
        motion.decided(&self.y, &mut self.gap);
        self.gap.iter_mut().zip(beta).for_each(|(g, b)| *g = b - *g);
        dot(beta, zeta) - dot(&self.v, &self.y) + 0.5 * dot(&self.y, &self.y)
    }

    /// The step J⁻¹ gap; false if there is none.
    fn newton(&mut self, motion: &mut Motion, pieces: &[Piece], beta: &[f64]) -> bool {
        let rank = beta.len();
        self.j.clear();
        self.j.resize(self.start[rank], 0.0);
        (0..rank).for_each(|i| self.j[self.start[i] + i] = 1.0);
        for piece in pieces {
            if self.clock.expired() {
                return false;
            }
            let held = Held::of(piece, &self.v);
            for w in &held.w[..held.count] {
                self.held.clear();
                self.held.resize(rank, 0.0);
                for (t, &f) in w.iter().enumerate().take(piece.width) {
                    if f != 0.0 {
                        let at = piece.first + t;
                        if self.cache[at].is_none() {
                            self.unit[at] = 1.0;
                            let mut row = Vec::new();
                            motion.decided(&self.unit, &mut row);
                            self.unit[at] = 0.0;
                            self.cache[at] = Some(row);
                        }
                        axpy(f, self.cache[at].as_ref().expect("just made"), &mut self.held);
                    }
                }
                for i in 0..rank {
                    if self.held[i] != 0.0 {
                        let row = &mut self.j[self.start[i]..self.start[i + 1]];
                        axpy(-self.held[i], &self.held[..=i], row);
                    }
                }
            }
        }

        self.whole.clone_from(&self.j);
        while !cholesky(&self.first, &self.start, &mut self.j, self.shift, &self.clock) {
            self.shift *= 100.0;
            if self.shift > 1.0 || self.clock.expired() {
                return false;
            }
            self.j.copy_from_slice(&self.whole);
        }
        self.step.clone_from(&self.gap);
        solve_one(Triangle { first: &self.first, start: &self.start, l: &self.j }, &mut self.step);
        true
    }

    /// Goes along the step as far as θ rises; answers θ there, or none if it does not rise.
    fn climb(&mut self, motion: &mut Motion, pieces: &[Piece], beta: &[f64], height: f64) -> Option<f64> {
        let slope = dot(&self.gap, &self.step);
        // θ is a difference of these, and right to their rounding
        let slack = 8.0 * f64::EPSILON * (dot(beta, &self.zeta).abs() + dot(&self.y, &self.y));
        let mut length = 1.0;
        for _ in 0..60 {
            self.trial.clone_from(&self.zeta);
            axpy(length, &self.step, &mut self.trial);
            let there = self.look(motion, pieces, beta, true);
            if there >= height + ASCENT * length * slope - slack {
                std::mem::swap(&mut self.zeta, &mut self.trial);
                // a whole step may be bolder next time
                let change = if length == 1.0 { BOLDER } else { SHYER };
                self.shift = (change * self.shift).clamp(SHIFT, 1.0);
                return Some(there);
            }
            length *= 0.5;
        }
        None
    }
}

/// What F takes from small changes of v: the vectors w of one piece.
#[derive(Debug, Clone, Copy)]
struct Held {
    w: [[f64; 3]; 3],
    count: usize,
}

impl Held {
    fn of(piece: &Piece, v: &[f64]) -> Self {
        let nothing = Self { w: [[0.0; 3]; 3], count: 0 };
        let v = &v[piece.first..piece.first + piece.width];
        let Meaning::Cone { mu } = piece.meaning else {
            let [lo, hi] = piece.range;
            let w = [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]];
            return if v[0] < lo || v[0] > hi { Self { w, count: 1 } } else { nothing };
        };
        let size = v[1].hypot(v[2]);
        if size <= mu * v[0] {
            nothing
        } else if mu * size <= -v[0] {
            Self { w: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], count: 3 }
        } else {
            let (e, length) = ([v[1] / size, v[2] / size], 1.0_f64.hypot(mu));
            let normal = (v[0] + mu * size) / (1.0 + mu * mu);
            let turn = (1.0 - mu * normal / size).max(0.0).sqrt();
            let h = [mu / length, -e[0] / length, -e[1] / length];
            Self { w: [h, [0.0, -turn * e[1], turn * e[0]], [0.0; 3]], count: 2 }
        }
    }
}

impl Piece {
    /// Its part of y = P_F(v).
    fn project(&self, v: &[f64], y: &mut [f64]) {
        let at = self.first..self.first + self.width;
        let (v, y) = (&v[at.clone()], &mut y[at]);
        let Meaning::Cone { mu } = self.meaning else {
            let [lo, hi] = self.range;
            y[0] = v[0].clamp(lo, hi);
            return;
        };
        let size = v[1].hypot(v[2]);
        if size <= mu * v[0] {
            y.copy_from_slice(v);
        } else if mu * size <= -v[0] {
            y.fill(0.0);
        } else {
            let normal = (v[0] + mu * size) / (1.0 + mu * mu);
            let f = mu * normal / size;
            (y[0], y[1], y[2]) = (normal, f * v[1], f * v[2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivative_of_the_projection_is_that_of_differences() {
        let cone = Piece::cone(0, 0, 0.7);
        for v in [[1.0, 0.2, 0.1], [0.3, 0.9, -0.4], [-0.2, 0.5, 0.6], [-2.0, 0.4, 0.3]] {
            let held = Held::of(&cone, &v);
            for c in 0..3 {
                let mut at = [[0.0; 3]; 2];
                for (side, y) in [1e-6, -1e-6].into_iter().zip(&mut at) {
                    let mut moved = v;
                    moved[c] += side;
                    cone.project(&moved, y);
                }
                for r in 0..3 {
                    let difference = (at[0][r] - at[1][r]) / 2e-6;
                    let taken: f64 = held.w[..held.count].iter().map(|w| w[r] * w[c]).sum();
                    let own = f64::from(u8::from(r == c)) - taken;
                    assert!((difference - own).abs() < 1e-8, "{v:?} {r} {c}: {difference} {own}");
                }
            }
        }
    }
}
