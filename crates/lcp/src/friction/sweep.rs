//! Sweeps of Gauss and Seidel: one block after another alone, the others held.
//!
//! ```text
//!     u = b + W x,   W the block's own part          open, stick, or slip at the angle θ of e with
//!     g(θ) = u_tᵀ e⊥ = 0,  x_n = −b_n / (W_nn + mu W_ntᵀ e),  x_t = mu x_n e
//! ```

use super::iterate::Iterate;
use super::newton::map::{Matrix, apply, inverse};
use super::operator::{Law, Operator};
use crate::clock::Clock;
use crate::tolerances;

/// Moves W of a block from singular; rows have size one.
const SHIFT: f64 = 1e-12;
/// Steps to the angle of a sliding contact.
const TURNS: usize = 10;
/// Directions that are looked at where the steps do not end in an answer.
const AROUND: usize = 24;

/// Sweeps of Gauss and Seidel over the blocks, forth and back.
pub(crate) fn sweep(operator: &Operator, at: &mut Iterate, sweeps: usize, clock: &Clock) {
    for sweep in 0..sweeps {
        if clock.expired() {
            break;
        }
        for k in 0..operator.blocks.len() {
            let k = if sweep % 2 == 0 { k } else { operator.blocks.len() - 1 - k };
            let block = &operator.blocks[k];
            let x = Operator::of(block, &at.x);
            let mut b = operator.velocity(block, &at.g);
            let q = Operator::of(block, &operator.q);
            let w = &operator.own[k];
            (0..3).for_each(|i| b[i] += q[i]);
            if matches!(block.law, Law::Cone(_) | Law::Half) && b[0] >= 0.0 && x[0] == 0.0 {
                continue;
            }
            for i in 0..3 {
                b[i] -= w[i][0] * x[0] + w[i][1] * x[1] + w[i][2] * x[2];
            }
            let new = alone(block.law, w, b, x);
            let change = [new[0] - x[0], new[1] - x[1], new[2] - x[2]];
            if change != [0.0; 3] {
                operator.impel(block, change, &mut at.g);
                Operator::put(block, new, &mut at.x);
            }
        }
    }
    at.measure(operator);
}

/// The impulses of one block, from earlier ones.
pub(crate) fn alone(law: Law, w: &Matrix, b: [f64; 3], before: [f64; 3]) -> [f64; 3] {
    let single = || -b[0] / w[0][0].max(SHIFT);
    match law {
        Law::Cone(mu) => cone(mu, w, b, before),
        Law::Half => [single().max(0.0), 0.0, 0.0],
        Law::Boxed(room) => [single().clamp(0.0, room), 0.0, 0.0],
        Law::Free => [single(), 0.0, 0.0],
    }
}

fn cone(mu: f64, w: &Matrix, b: [f64; 3], before: [f64; 3]) -> [f64; 3] {
    if b[0] >= 0.0 {
        return [0.0; 3];
    }
    let mut moved = *w;
    (0..3).for_each(|i| moved[i][i] += SHIFT);
    let stick = apply(&inverse(&moved), b).map(|v| -v);
    let friction = (stick[1] * stick[1] + stick[2] * stick[2]).sqrt();
    if stick[0] >= 0.0 && friction <= mu * stick[0] {
        return stick;
    }
    let from =
        if before[1] != 0.0 || before[2] != 0.0 { [before[1], before[2]] } else { [stick[1], stick[2]] };
    let mut angle = from[1].atan2(from[0]);
    for _ in 0..TURNS {
        let slide = Slide::at(mu, w, b, angle);
        if slide.normal < 0.0 || slide.slope == 0.0 {
            break;
        }
        let step = (-slide.across / slide.slope).clamp(-0.6, 0.6);
        angle += step;
        if step.abs() < tolerances::SLIDE_ANGLE {
            break;
        }
    }
    let slide = Slide::at(mu, w, b, angle);
    if slide.is_answer() {
        return slide.impulse(mu);
    }
    look_around(mu, w, b).unwrap_or_else(|| slide.impulse(mu))
}

/// A direction between two neighbours where the cross product changes its sign, halved down.
fn look_around(mu: f64, w: &Matrix, b: [f64; 3]) -> Option<[f64; 3]> {
    let step = std::f64::consts::TAU / AROUND as f64;
    let mut last = Slide::at(mu, w, b, 0.0);
    for k in 1..=AROUND {
        let next = Slide::at(mu, w, b, step * k as f64);
        let valid = last.normal >= 0.0 && next.normal >= 0.0;
        if valid && last.across * next.across <= 0.0 && (last.against > 0.0 || next.against > 0.0) {
            let (mut low, mut high) = (last, next);
            for _ in 0..50 {
                let middle = Slide::at(mu, w, b, 0.5 * (low.angle + high.angle));
                if middle.across * low.across <= 0.0 { high = middle } else { low = middle }
            }
            if high.normal >= 0.0 && high.against >= 0.0 {
                return Some(high.impulse(mu));
            }
        }
        last = next;
    }
    None
}

/// A contact that slides, with its friction at an angle.
#[derive(Debug, Clone, Copy)]
struct Slide {
    angle: f64,
    normal: f64,  // x_n; negative if friction would press on without end
    across: f64,  // u_t across the friction: zero in an answer
    against: f64, // u_t against it: not negative
    slope: f64,   // of `across`
}

impl Slide {
    fn at(mu: f64, w: &Matrix, b: [f64; 3], angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        let give = w[0][0] + mu * (w[0][1] * c + w[0][2] * s);
        if give <= tolerances::JAMMED {
            return Self { angle, normal: -1.0, across: 0.0, against: 0.0, slope: 0.0 };
        }
        let normal = -b[0] / give;
        let u = [1, 2].map(|k| b[k] + normal * (w[k][0] + mu * (w[k][1] * c + w[k][2] * s)));
        // how x_n and u_t turn with the angle
        let more = -normal * mu * (w[0][2] * c - w[0][1] * s) / give;
        let du = [1, 2].map(|k| {
            more * (w[k][0] + mu * (w[k][1] * c + w[k][2] * s)) + normal * mu * (w[k][2] * c - w[k][1] * s)
        });
        let against = -(u[0] * c + u[1] * s);
        Self { angle, normal, across: u[1] * c - u[0] * s, against, slope: du[1] * c - du[0] * s + against }
    }

    fn is_answer(&self) -> bool {
        self.normal >= 0.0
            && self.against >= 0.0
            && self.across.abs() <= tolerances::SLIDE_ACROSS * (1.0 + self.against)
    }

    fn impulse(&self, mu: f64) -> [f64; 3] {
        let normal = self.normal.max(0.0);
        [normal, mu * normal * self.angle.cos(), mu * normal * self.angle.sin()]
    }
}
