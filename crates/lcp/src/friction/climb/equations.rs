//! The equations of the modes, block by block, and where a step meets a cone.

use super::Climb;
use crate::friction::iterate::Iterate;
use crate::friction::newton::Newton;
use crate::friction::newton::map::Linear;
use crate::friction::operator::{Law, Operator};
use crate::kernel::max_abs;
use crate::problem::ContactMode;

impl Climb {
    /// The equations of the modes as those of Newton's step.
    pub(super) fn put_equations(&self, operator: &Operator, at: &Iterate, newton: &mut Newton) {
        for (k, block) in operator.blocks.iter().enumerate() {
            let (x, u) = (Operator::of(block, &at.x), Operator::of(block, &at.u));
            let mut of = Linear::default();
            match (self.modes[k], block.law) {
                (ContactMode::Open, _) | (ContactMode::Slip, Law::Boxed(_)) => {
                    (0..3).for_each(|i| of.b[i][i] = 1.0);
                }
                (ContactMode::Slip, Law::Cone(mu)) => {
                    let e = direction(x, u);
                    let limit = mu * x[0];
                    of.f[0] = u[0];
                    of.g[0][0] = 1.0;
                    of.b[1] = [-mu, e[0], e[1]];
                    if limit > 0.0 {
                        let c = (-(e[0] * u[1] + e[1] * u[2]) / limit).max(0.0);
                        of.f[2] = e[0] * u[2] - e[1] * u[1];
                        of.g[2] = [0.0, -e[1], e[0]];
                        of.b[2] = [0.0, -c * e[1], c * e[0]];
                    } else {
                        // without a force yet there is nothing to turn
                        of.b[2] = [0.0, -e[1], e[0]];
                    }
                }
                _ => {
                    of.f = u;
                    (0..3).for_each(|i| of.g[i][i] = 1.0);
                }
            }
            newton.put(k, &of);
        }
    }

    /// What the equations of the modes still lack.
    pub(super) fn unsolved(&self, operator: &Operator, at: &Iterate) -> f64 {
        let mut worst = 0.0_f64;
        for (k, block) in operator.blocks.iter().enumerate() {
            let u = Operator::of(block, &at.u);
            let left = match (self.modes[k], block.law) {
                (ContactMode::Open, _) | (ContactMode::Slip, Law::Boxed(_)) => 0.0,
                (ContactMode::Stick, _) => max_abs(&u),
                (ContactMode::Slip, _) => {
                    let e = direction(Operator::of(block, &at.x), u);
                    u[0].abs().max((e[0] * u[2] - e[1] * u[1]).abs())
                }
            };
            worst = worst.max(left);
        }
        worst
    }
}

/// The direction of friction: of the impulse, or against the motion where there is none yet.
pub(super) fn direction(x: [f64; 3], u: [f64; 3]) -> [f64; 2] {
    let unit = |t: [f64; 2]| {
        let size = t[0].hypot(t[1]);
        (size > 0.0).then(|| [t[0] / size, t[1] / size])
    };
    unit([x[1], x[2]]).or_else(|| unit([-u[1], -u[2]])).unwrap_or([1.0, 0.0])
}

/// Friction at its bound.
pub(super) fn on_circle(mu: f64, x: [f64; 3]) -> [f64; 3] {
    let (normal, size) = (x[0].max(0.0), x[1].hypot(x[2]));
    let f = if size > 0.0 { mu * normal / size } else { 0.0 };
    [normal, f * x[1], f * x[2]]
}

/// The part of a step at which an impulse in its cone leaves it; infinite if it is still there after so many of them.
pub(super) fn leaves(mu: f64, x: [f64; 3], d: [f64; 3], far: f64) -> f64 {
    let form = |x: [f64; 3], y: [f64; 3]| x[1] * y[1] + x[2] * y[2] - mu * mu * x[0] * y[0];
    // |t + s dt|² = mu² (n + s dn)²: a s² + 2 b s + c = 0
    let (a, b, c) = (form(d, d), form(x, d), form(x, x).min(0.0));
    if (a * far + 2.0 * b) * far + c <= 0.0 {
        return f64::INFINITY;
    }
    let slope = b + (b * b - a * c).max(0.0).sqrt();
    if slope > 0.0 { -c / slope } else { 0.0 }
}
