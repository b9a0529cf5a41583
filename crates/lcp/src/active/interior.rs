//! The set of a solution, seen from the interior: for problems whose active set moves one row at a time.
//!
//! A membrane that is held on too much of its plate pulls at the rim alone, so an active set that is too large shrinks by
//! one row of the mesh per factorisation. From the interior all rows see their side at once, in a number of steps that
//! hardly knows the mesh [Wright 1997; Mehrotra 1992]:
//!
//! ```text
//!     A x + b = y − v,      (x − l) y = μ,      (u − x) v = μ,      μ → 0
//!     (A + Y/(X − L) + V/(U − X)) Δx = −(A x + b − y + v) + (σμ − c_l)/(x − l) − y − (σμ − c_u)/(u − x) + v
//! ```
//!
//! with y, v > 0 the two parts of w, and c the products of the predictor. A row is free where the predictor takes its y and
//! v away and leaves x, and at a bound where it is the other way round [El-Bakry, Tapia, Zhang 1994]: that compares
//! numbers of one row only. The set is then tried as any other; nothing else of the iterate is kept.
//!
//! | above | here          | shape |
//! |-------|---------------|-------|
//! | y, v  | `y`, `v`      | n     |
//! | x − l, u − x | `below`, `above` | n, infinite where there is no bound |
//! | c     | `cl`, `cu`    | n     |

use crate::outcome::Side;
use crate::tolerances;

use super::View;
use super::base::Base;

/// Steps in all: far more than a problem with a solution takes.
const STEPS: usize = 60;
/// The part of the way to the boundary that a step takes.
const SHORT: f64 = 0.995;
/// A start keeps this part of the largest of its kind from its bounds.
const FLOOR: f64 = 1e-2;
/// What a row that cannot move has on its diagonal, in units of its own.
const FIXED: f64 = 1e20;

/// The iterate, and what a step needs.
#[derive(Debug, Clone, Default)]
pub(super) struct Interior {
    x: Vec<f64>,
    y: Vec<f64>,
    v: Vec<f64>,
    below: Vec<f64>,
    above: Vec<f64>,
    residual: Vec<f64>,
    diagonal: Vec<f64>,
    dx: Vec<f64>,
    dy: Vec<f64>,
    dv: Vec<f64>,
    cl: Vec<f64>,
    cu: Vec<f64>,
    steps: usize,
}

impl Interior {
    /// Room for a problem of this size.
    pub(super) fn reserve(&mut self, n: usize) {
        let Self { x, y, v, below, above, residual, diagonal, dx, dy, dv, cl, cu, .. } = self;
        for v in [x, y, v, below, above, residual, diagonal, dx, dy, dv, cl, cu] {
            v.clear();
            v.reserve(n);
        }
    }

    /// Starts between the bounds, with sizes that the unconstrained solution has; false if there is none.
    pub(super) fn begin(&mut self, base: &mut Base, view: &View<'_>) -> bool {
        let n = view.n();
        self.steps = 0;
        self.diagonal.clear();
        self.diagonal.extend(
            (0..n).map(|i| if is_fixed(view, i) { FIXED } else { tolerances::START_SHIFT } * base.unit(i)),
        );
        if !base.factor_whole(&self.diagonal) {
            return false;
        }
        self.dx.clear();
        self.dx.extend(view.b.iter().map(|b| -b));
        base.solve(&mut self.dx);
        let size = self.dx.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
        let force = view.b.iter().fold(0.0, |s: f64, b| s.max(b.abs()));
        if !(size.is_finite() && size > 0.0 && force > 0.0) {
            return false;
        }
        for v in [&mut self.x, &mut self.y, &mut self.v, &mut self.below, &mut self.above] {
            v.clear();
        }
        for i in 0..n {
            let (lo, hi) = view.bounds(i);
            let floor =
                if (hi - lo).is_finite() { (0.1 * (hi - lo)).min(FLOOR * size) } else { FLOOR * size };
            let mut x = self.dx[i];
            if lo.is_finite() {
                x = lo + (x - lo).max(floor);
            }
            if hi.is_finite() {
                x = hi - (hi - x).max(floor).min(hi - lo - floor.min(0.5 * (hi - lo)));
            }
            self.x.push(if lo == hi { lo } else { x });
            let push = view.b[i].abs().max(FLOOR * force);
            self.y.push(if lo.is_finite() && lo < hi { push } else { 0.0 });
            self.v.push(if hi.is_finite() && lo < hi { push } else { 0.0 });
        }
        self.below.resize(n, 0.0);
        self.above.resize(n, 0.0);
        self.cl.clear();
        self.cl.resize(n, 0.0);
        self.cu.clear();
        self.cu.resize(n, 0.0);
        self.dy.resize(n, 0.0);
        self.dv.resize(n, 0.0);
        true
    }

    /// Some steps; writes the set that the predictor of the last one sees. False when there is nothing more to see.
    pub(super) fn advance(
        &mut self,
        base: &mut Base,
        view: &View<'_>,
        steps: usize,
        sides: &mut [Side],
    ) -> bool {
        for _ in 0..steps {
            if self.steps >= STEPS || !self.step(base, view, sides) {
                return false;
            }
            self.steps += 1;
        }
        true
    }

    fn step(&mut self, base: &mut Base, view: &View<'_>, sides: &mut [Side]) -> bool {
        let n = view.n();
        for i in 0..n {
            let (lo, hi) = view.bounds(i);
            self.below[i] = self.x[i] - lo;
            self.above[i] = hi - self.x[i];
            let pull = self.y[i] / self.below[i] + self.v[i] / self.above[i];
            self.diagonal[i] = if lo == hi { FIXED * base.unit(i) } else { pull };
        }
        base.product(&self.x, &mut self.dx);
        self.residual.clear();
        self.residual.extend((0..n).map(|i| self.dx[i] + view.b[i] - self.y[i] + self.v[i]));
        if !base.factor_whole(&self.diagonal) {
            return false;
        }
        let gap = self.gap();
        // the predictor
        self.cl.fill(0.0);
        self.cu.fill(0.0);
        self.direction(base, view, 0.0);
        self.look(view, sides);
        let length = self.length();
        let ahead = self.gap_after(length);
        let centering = (ahead / gap).powi(3).clamp(0.0, 1.0);
        for i in 0..n {
            self.cl[i] = self.dx[i] * self.dy[i];
            self.cu[i] = -self.dx[i] * self.dv[i];
        }
        self.direction(base, view, centering * gap);
        let length = (SHORT * self.length()).min(1.0);
        for i in 0..n {
            self.x[i] += length * self.dx[i];
            self.y[i] += length * self.dy[i];
            self.v[i] += length * self.dv[i];
        }
        let inside = (0..n).all(|i| {
            let (lo, hi) = view.bounds(i);
            lo == hi || (self.x[i] > lo && self.x[i] < hi)
        });
        inside && length > tolerances::NO_STEP && self.x.iter().all(|x| x.is_finite())
    }

    /// Δx, Δy, Δv towards the products `target`.
    fn direction(&mut self, base: &mut Base, view: &View<'_>, target: f64) {
        let n = view.n();
        for i in 0..n {
            let lower = if self.y[i] > 0.0 { (target - self.cl[i]) / self.below[i] - self.y[i] } else { 0.0 };
            let upper = if self.v[i] > 0.0 { (target - self.cu[i]) / self.above[i] - self.v[i] } else { 0.0 };
            (self.dy[i], self.dv[i]) = (lower, upper);
            self.dx[i] = if is_fixed(view, i) { 0.0 } else { lower - upper - self.residual[i] };
        }
        base.solve(&mut self.dx);
        for i in 0..n {
            if self.y[i] > 0.0 {
                self.dy[i] -= self.y[i] / self.below[i] * self.dx[i];
            }
            if self.v[i] > 0.0 {
                self.dv[i] += self.v[i] / self.above[i] * self.dx[i];
            }
        }
    }

    /// The mean product of a bound's two halves.
    fn gap(&self) -> f64 {
        self.gap_after(0.0)
    }

    fn gap_after(&self, length: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for i in 0..self.x.len() {
            if self.y[i] > 0.0 {
                sum += (self.below[i] + length * self.dx[i]) * (self.y[i] + length * self.dy[i]);
                count += 1;
            }
            if self.v[i] > 0.0 {
                sum += (self.above[i] - length * self.dx[i]) * (self.v[i] + length * self.dv[i]);
                count += 1;
            }
        }
        sum / f64::from(count.max(1))
    }

    /// How far the direction goes before something reaches zero, at most 1.
    fn length(&self) -> f64 {
        let mut length = 1.0_f64;
        let mut limit = |value: f64, change: f64| {
            if change < 0.0 {
                length = length.min(-value / change);
            }
        };
        for i in 0..self.x.len() {
            if self.y[i] > 0.0 {
                limit(self.below[i], self.dx[i]);
                limit(self.y[i], self.dy[i]);
            }
            if self.v[i] > 0.0 {
                limit(self.above[i], -self.dx[i]);
                limit(self.v[i], self.dv[i]);
            }
        }
        length
    }

    /// The side of every row, by what the predictor would take away of x − l and y, u − x and v.
    fn look(&self, view: &View<'_>, sides: &mut [Side]) {
        for (i, side) in sides.iter_mut().enumerate() {
            let at_lower = self.y[i] > 0.0 && self.dx[i] / self.below[i] < self.dy[i] / self.y[i];
            let at_upper = self.v[i] > 0.0 && -self.dx[i] / self.above[i] < self.dv[i] / self.v[i];
            *side = match (at_lower, at_upper) {
                _ if is_fixed(view, i) => Side::Lower,
                (true, true) if self.below[i] > self.above[i] => Side::Upper,
                (true, _) => Side::Lower,
                (false, true) => Side::Upper,
                (false, false) => Side::Free,
            };
        }
    }
}

fn is_fixed(view: &View<'_>, i: usize) -> bool {
    let (lo, hi) = view.bounds(i);
    lo == hi
}
