//! The iterate of one block and its step.

use super::algebra::{Scaling, divide, jordan};
use crate::friction::operator::{Block, Law, Operator};

/// The iterate of one block, and its step; cones along the axes of their scalings where said so.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Point {
    pub(super) x: [f64; 3],
    pub(super) s: [f64; 3],
    pub(super) upper: f64,  // w₂ of a boxed row
    pub(super) e: [f64; 2], // direction of the slip
    pub(super) rho: [f64; 3],
    pub(super) scaling: Scaling,
    pub(super) d: [f64; 3],  // of one row the first alone
    pub(super) b: [f64; 3],  // along the axes
    pub(super) dx: [f64; 3], // along the axes
    pub(super) ds: [f64; 3], // along the axes
    pub(super) d_upper: f64,
}

impl Point {
    /// The velocities that follow dx: of the predictor, or of the corrector, whose b holds what is aimed for.
    pub(super) fn follow(&mut self, block: &Block, corrector: Option<()>) {
        match (block.law, corrector) {
            (Law::Cone(_), _) => {
                let rho = self.scaling.along(self.rho);
                self.ds = [0, 1, 2].map(|k| self.b[k] + rho[k] - self.d[k] * self.dx[k]);
            }
            (Law::Half, _) => self.ds[0] = self.b[0] + self.rho[0] - self.d[0] * self.dx[0],
            (Law::Boxed(room), None) => {
                self.ds[0] = -self.s[0] - self.s[0] / self.x[0] * self.dx[0];
                self.d_upper = -self.upper + self.upper / (room - self.x[0]) * self.dx[0];
            }
            (Law::Boxed(room), Some(())) => {
                // b's other entries keep the aims of the two walls
                self.ds[0] = (self.b[1] - self.s[0] * self.dx[0]) / self.x[0];
                self.d_upper = (self.b[2] + self.upper * self.dx[0]) / (room - self.x[0]);
            }
            (Law::Free, _) => self.ds[0] = 0.0,
        }
    }

    /// b of the corrector: back to the middle, with the second order of the predictor.
    pub(super) fn centre(&mut self, block: &Block, tau: f64, second: f64) {
        match block.law {
            Law::Cone(_) => {
                let scaling = self.scaling;
                let lambda = scaling.root(self.x, false);
                let p = scaling.back(scaling.stretch(self.dx, false));
                let q = scaling.back(scaling.stretch(self.ds, true));
                let (square, product) = (jordan(lambda, lambda), jordan(p, q));
                let mut c = [0, 1, 2].map(|k| -square[k] - second * product[k]);
                c[0] += tau;
                let c = scaling.stretch(scaling.along(divide(lambda, c)), false);
                let rho = scaling.along(self.rho);
                self.b = [0, 1, 2].map(|k| c[k] - rho[k]);
            }
            Law::Half => {
                self.b[0] = (tau - second * self.dx[0] * self.ds[0]) / self.x[0] - self.s[0] - self.rho[0];
            }
            Law::Boxed(0.0) => {}
            Law::Boxed(room) => {
                let low = tau - self.x[0] * self.s[0] - second * self.dx[0] * self.ds[0];
                let high = tau - (room - self.x[0]) * self.upper + second * self.dx[0] * self.d_upper;
                self.b = [low / self.x[0] - high / (room - self.x[0]) - self.rho[0], low, high];
            }
            Law::Free => self.b[0] = -self.rho[0],
        }
    }
}

/// A vector of a block between its own scaling and the operator's: both ways it is division by mu of the normal.
pub(super) fn plain(block: &Block, v: [f64; 3]) -> [f64; 3] {
    if let Law::Cone(mu) = block.law { [v[0] / mu, v[1], v[2]] } else { v }
}

/// (1 + E) A g of a block in its own scaling.
pub(super) fn velocity(operator: &Operator, block: &Block, point: &Point, g: &[f64]) -> [f64; 3] {
    let v = plain(block, operator.velocity(block, g));
    if matches!(block.law, Law::Cone(_)) {
        [v[0] + point.e[0] * v[1] + point.e[1] * v[2], v[1], v[2]]
    } else {
        v
    }
}

pub(super) fn along(block: &Block, point: &Point, v: [f64; 3]) -> [f64; 3] {
    if matches!(block.law, Law::Cone(_)) { point.scaling.along(v) } else { v }
}

pub(super) fn back(block: &Block, point: &Point, v: [f64; 3]) -> [f64; 3] {
    if matches!(block.law, Law::Cone(_)) { point.scaling.back(v) } else { v }
}
