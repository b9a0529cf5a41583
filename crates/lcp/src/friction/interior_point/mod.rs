//! The interior-point method for round cones: from the middle of the cones to an answer, where no modes are known.
//!
//! With impulses x and velocities s of a block scaled so that its cone is its own dual (normals of a contact by mu and
//! 1/mu), Coulomb's law after De Saxcé is
//!
//! ```text
//!     s = W x + q + |s_t| e_n        x ∈ L,  s ∈ L,  xᵀs = 0
//! ```
//!
//! Newton follows x∘s = τ e to τ = 0 with Mehrotra's predictor and corrector and the scaling of Nesterov and Todd,
//! P x = P⁻¹ s = λ, D = P². With e the direction of the slip and E = e_n eᵀ, the derivative of |s_t|, each step is
//!
//! ```text
//!     (D + (1 + E) W) dx = b            b = P c − ρ,   ρ = (1 + E)(W x + q) − s
//! ```
//!
//! one factorisation of [`super::elimination`], and two refinements that take the proximal ε out again. Everything that D
//! multiplies is kept along its axes ([`algebra::Scaling`]): τ² is below the rounding of the rest.
//!
//! | law    | x, s                         | D                          |
//! |--------|------------------------------|----------------------------|
//! | cone   | three rows                   | P²                         |
//! | half   | one row                      | s/x                        |
//! | boxed  | and w₂ at the upper bound    | s/x + w₂/(room − x)        |
//! | free   | s = 0                        | ε alone                    |

mod algebra;
mod point;

use algebra::{Scaling, room};
use point::{Point, along, back, plain, velocity};

use super::elimination::Elimination;
use super::newton::map::Matrix;
use super::operator::{Block, Law, Operator};
use crate::clock::Clock;
use crate::tolerances;

/// The proximal term of the factor; rows have size one.
const EPS: f64 = 1e-8;
/// Refinements of a step.
const REFINE: usize = 2;
/// How near to the wall a step may go, of the way.
const NEAR: f64 = 0.995;
/// x∘s goes no faster to zero than this part of what the equations are off.
const KEEP: f64 = 1e-2;
/// Steps that may lead nowhere, one after another.
const STUCK: usize = 5;
/// x∘s to aim for, of what it is, after a step that led nowhere.
const OUTWARD: f64 = 10.0;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// x∘s and the equations are as small as was asked for.
    Arrived,
    /// Out of steps, or lost.
    Lost,
}

/// The method with its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct InteriorPoint {
    points: Vec<Point>,
    x: Vec<f64>, // by row, in the operator's units
    u: Vec<f64>,
    g: Vec<f64>,
    dg: Vec<f64>,
    matrices: Vec<Matrix>,
    acts: Vec<bool>,
    stuck: usize,
    /// Mean x∘s.
    pub(crate) tau: f64,
    /// Steps taken.
    pub(crate) steps: usize,
}

impl InteriorPoint {
    /// Starts in the middle of the cones.
    pub(crate) fn start(&mut self, operator: &Operator) {
        self.points.clear();
        for block in &operator.blocks {
            let mut point = Point::default();
            match block.law {
                Law::Cone(_) | Law::Half => (point.x[0], point.s[0]) = (1.0, 1.0),
                Law::Boxed(room) => {
                    point.x[0] = 0.5 * room.min(2.0);
                    (point.s[0], point.upper) = (1.0, 1.0);
                }
                Law::Free => {}
            }
            self.points.push(point);
        }
        self.begin(operator);
    }

    fn begin(&mut self, operator: &Operator) {
        self.acts.clear();
        self.acts.extend(operator.blocks.iter().map(|b| b.law != Law::Boxed(0.0)));
        self.matrices.clear();
        self.matrices.resize(operator.blocks.len(), Matrix::default());
        (self.stuck, self.steps, self.tau) = (0, 0, f64::INFINITY);
    }

    /// Steps until x∘s is this small and the equations hold as well, or there were so many.
    pub(crate) fn run(
        &mut self,
        operator: &Operator,
        elimination: &mut Elimination,
        tolerance: f64,
        most: usize,
        clock: &Clock,
    ) -> Progress {
        while self.steps < most && !clock.expired() {
            let (off, unit) = self.measure(operator);
            if self.tau <= tolerance
                && off
                    <= (tolerances::INTERIOR_OFF * tolerance.sqrt()).max(tolerances::INTERIOR_OFF_LEAST)
                        * unit
            {
                return Progress::Arrived;
            }
            if !off.is_finite() || !self.factor(operator, elimination) {
                return Progress::Lost;
            }
            self.steps += 1;
            self.step(operator, elimination);
            if self.stuck > STUCK {
                return Progress::Lost;
            }
        }
        Progress::Lost
    }

    /// The impulses as they are now, in the operator's units.
    pub(crate) fn impulses(&mut self, operator: &Operator, out: &mut Vec<f64>) {
        out.clear();
        out.resize(operator.q.len(), 0.0);
        for (block, point) in operator.blocks.iter().zip(&self.points) {
            Operator::put(block, plain(block, point.x), out);
        }
    }

    /// ρ, e and τ; answers the largest |ρ| and the size of the impulses.
    fn measure(&mut self, operator: &Operator) -> (f64, f64) {
        let mut x = std::mem::take(&mut self.x);
        self.impulses(operator, &mut x);
        operator.velocities(&x, &mut self.g, &mut self.u);
        self.x = x;
        let (mut sum, mut count, mut worst, mut unit) = (0.0, 0_u32, 0.0_f64, 1.0_f64);
        for (block, point) in operator.blocks.iter().zip(&mut self.points) {
            let u = plain(block, Operator::of(block, &self.u));
            let Point { x, s, upper, e, rho, .. } = point;
            unit = x.iter().fold(unit, |m, v| m.max(v.abs()));
            match block.law {
                Law::Cone(_) => {
                    let slip = (s[1] * s[1] + s[2] * s[2]).sqrt();
                    *e = if slip > 0.0 { [s[1] / slip, s[2] / slip] } else { [0.0; 2] };
                    *rho = [u[0] + e[0] * u[1] + e[1] * u[2] - s[0], u[1] - s[1], u[2] - s[2]];
                    sum += x[0] * s[0] + x[1] * s[1] + x[2] * s[2];
                    count += 1;
                }
                Law::Half => {
                    rho[0] = u[0] - s[0];
                    sum += x[0] * s[0];
                    count += 1;
                }
                Law::Boxed(0.0) => {}
                Law::Boxed(room) => {
                    rho[0] = u[0] - s[0] + *upper;
                    sum += x[0] * s[0] + (room - x[0]) * *upper;
                    count += 2;
                }
                Law::Free => rho[0] = u[0],
            }
            worst = rho.iter().fold(worst, |m, v| if v.is_nan() { f64::INFINITY } else { m.max(v.abs()) });
        }
        self.tau = if count > 0 { sum / f64::from(count) } else { 0.0 };
        (if self.tau.is_nan() { f64::INFINITY } else { worst }, unit)
    }

    /// D of every block and the factor of the step.
    fn factor(&mut self, operator: &Operator, elimination: &mut Elimination) -> bool {
        for ((block, point), matrix) in operator.blocks.iter().zip(&mut self.points).zip(&mut self.matrices) {
            match block.law {
                Law::Cone(mu) => {
                    point.scaling = Scaling::new(&point.x, &point.s);
                    point.d = point.scaling.squares();
                    let over = point.d.map(|d| 1.0 / (d + EPS));
                    // S⁻¹ Qᵀ (d + ε)⁻¹ Q (1 + E) S⁻¹, column by column
                    for j in 0..3 {
                        let mut unit = [0.0; 3];
                        unit[j] = if j == 0 { 1.0 / mu } else { 1.0 };
                        if j > 0 {
                            unit[0] = point.e[j - 1];
                        }
                        let v = point.scaling.along(unit);
                        let column = point.scaling.back([v[0] * over[0], v[1] * over[1], v[2] * over[2]]);
                        (0..3).for_each(|i| matrix[i][j] = column[i] * if i == 0 { 1.0 / mu } else { 1.0 });
                    }
                    continue;
                }
                Law::Half => point.d[0] = point.s[0] / point.x[0],
                Law::Boxed(0.0) => continue,
                Law::Boxed(room) => point.d[0] = point.s[0] / point.x[0] + point.upper / (room - point.x[0]),
                Law::Free => point.d[0] = 0.0,
            }
            matrix[0][0] = 1.0 / (point.d[0] + EPS);
        }
        elimination.factor(operator, &self.matrices, &self.acts)
    }

    /// dx of the b at hand.
    fn solve(&mut self, operator: &Operator, elimination: &mut Elimination) {
        for point in &mut self.points {
            point.dx = [0.0; 3];
        }
        for round in 0..=REFINE {
            // what is left of b; the first time, all of it
            let left = |point: &Point, block: &Block, dg: &[f64]| -> [f64; 3] {
                if round == 0 {
                    return point.b;
                }
                let v = along(block, point, velocity(operator, block, point, dg));
                [0, 1, 2].map(|k| point.b[k] - v[k] - point.d[k] * point.dx[k])
            };
            if round > 0 {
                self.dg.clear();
                self.dg.resize(operator.width, 0.0);
                for (block, point) in operator.blocks.iter().zip(&self.points) {
                    operator.impel(block, plain(block, back(block, point, point.dx)), &mut self.dg);
                }
            }
            self.g.clear();
            self.g.resize(operator.width, 0.0);
            for (block, point) in operator.blocks.iter().zip(&mut self.points) {
                if block.law == Law::Boxed(0.0) {
                    continue;
                }
                let left = left(point, block, &self.dg);
                let c = [0, 1, 2].map(|k| left[k] / (point.d[k] + EPS));
                // ds is free until the velocities follow: it keeps what is left
                point.ds = left;
                operator.impel(block, plain(block, back(block, point, c)), &mut self.g);
            }
            elimination.solve(&mut self.g);
            for (block, point) in operator.blocks.iter().zip(&mut self.points) {
                if block.law == Law::Boxed(0.0) {
                    continue;
                }
                let v = along(block, point, velocity(operator, block, point, &self.g));
                for k in 0..block.rows() {
                    point.dx[k] += (point.ds[k] - v[k]) / (point.d[k] + EPS);
                }
            }
        }
    }

    /// Predictor and corrector.
    fn step(&mut self, operator: &Operator, elimination: &mut Elimination) {
        let largest = self.points.iter().flat_map(|p| p.rho).fold(0.0_f64, |m, v| m.max(v.abs()));
        for (block, point) in operator.blocks.iter().zip(&mut self.points) {
            let to = [0, 1, 2].map(|k| -point.s[k] - point.rho[k]);
            point.b = match block.law {
                Law::Cone(_) => point.scaling.along(to),
                Law::Half => [to[0], 0.0, 0.0],
                Law::Boxed(_) => [to[0] + point.upper, 0.0, 0.0],
                Law::Free => [-point.rho[0], 0.0, 0.0],
            };
        }
        self.solve(operator, elimination);
        for (block, point) in operator.blocks.iter().zip(&mut self.points) {
            point.follow(block, None);
        }
        let affine = self.longest(operator).min(1.0);
        let (sigma, second) = if self.stuck > 0 {
            (OUTWARD, 0.0)
        } else {
            ((1.0 - affine).powi(3).max(tolerances::LEAST_CENTRING), 1.0)
        };
        let tau = (sigma * self.tau).max(self.tau.min(KEEP * largest));
        for (block, point) in operator.blocks.iter().zip(&mut self.points) {
            point.centre(block, tau, second);
        }
        self.solve(operator, elimination);
        for (block, point) in operator.blocks.iter().zip(&mut self.points) {
            point.follow(block, Some(()));
        }
        let t = (NEAR * self.longest(operator)).min(1.0);
        self.stuck = if t < 0.1 { self.stuck + 1 } else { 0 };
        for (block, point) in operator.blocks.iter().zip(&mut self.points) {
            let (dx, ds) = (back(block, point, point.dx), back(block, point, point.ds));
            for k in 0..block.rows() {
                point.x[k] += t * dx[k];
                point.s[k] += t * ds[k];
            }
            point.upper += t * point.d_upper;
        }
    }

    /// The longest step inside the cones.
    fn longest(&self, operator: &Operator) -> f64 {
        let wall = |x: f64, d: f64| if d < 0.0 { -x / d } else { f64::INFINITY };
        operator.blocks.iter().zip(&self.points).fold(f64::INFINITY, |least, (block, p)| match block.law {
            Law::Cone(_) => {
                least.min(room(&p.x, &p.scaling.back(p.dx))).min(room(&p.s, &p.scaling.back(p.ds)))
            }
            Law::Half => least.min(wall(p.x[0], p.dx[0])).min(wall(p.s[0], p.ds[0])),
            Law::Boxed(0.0) | Law::Free => least,
            Law::Boxed(room) => least
                .min(wall(p.x[0], p.dx[0]))
                .min(wall(room - p.x[0], -p.dx[0]))
                .min(wall(p.s[0], p.ds[0]))
                .min(wall(p.upper, p.d_upper)),
        })
    }
}
