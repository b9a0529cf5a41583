//! The way in from the middle: an interior-point method for round cones, where no modes are remembered or they mislead.
//!
//! With x the impulses and s the velocities of a contact, both scaled so that the cone |x_t| ≤ x_n is its own dual
//! (normals of a contact by 1/mu), the problem is
//!
//! ```text
//!     s = W x + q + |s_t| e_n        x ∈ L,  s ∈ L,  xᵀs = 0              Coulomb's law after De Saxcé
//! ```
//!
//! Newton follows x∘s = τ e to τ = 0 with Mehrotra's predictor and corrector and the scaling of Nesterov and Todd,
//! P x = P⁻¹ s = λ, D = P². Each step is, with e the direction of the slip and E = Σ e_n eᵀ, the derivative of |s_t|,
//! all that is not convex and not symmetric here,
//!
//! ```text
//!     (W + D + E W) dx = b           b = P c − ρ,  ρ = W x + q + E (W x + q) − s      GMRES on W + D
//!     (1 + Aᵀ D⁻¹ A) g = Aᵀ D⁻¹ b    dx = D⁻¹ (b − A g)                               W = A Aᵀ
//! ```
//!
//! one factorisation of the size of the degrees of freedom, in their envelope, whatever the number of contacts. The
//! path ends in the middle of the set of answers: redundant contacts share, and each contact says clearly whether it
//! sticks, slides or is open. From there [`super::settle`] finishes.
//!
//! Other rows: unilateral ones are a cone of one dimension, bounded ones have two walls (w₁ at the lower, w₂ at the
//! upper bound), equations D = 1e-9, a proximal term.

mod algebra;
mod linear;
mod rows;
mod tell;

use algebra::{Scaling, divide, jordan, room};

use super::envelope::Envelope;
use super::system::System;
use crate::kernel::max_abs;

/// Steps in one solve, on the straight way and on the gentle one. Most take 20; contacts that creep at a millionth of the
/// largest velocity, or are at the very edge of their cones, take twice as many.
const STEPS: [usize; 2] = [40, 110];
/// x∘s and equations at which a gentle start goes on.
const GENTLE: f64 = 1e-3;
/// How near to the wall a step may go, of the way; and where the way was lost once.
const NEAR: [f64; 2] = [0.995, 0.9];
/// x∘s goes no faster to zero than this, where the way was lost once, of what it was.
const SLOWLY: f64 = 0.3;
/// Times that the gentle way goes back to where it was sound last.
const RETURNS: usize = 5;
/// x∘s goes no faster to zero than this part of what the equations are off, on the straight way and on the gentle one.
const KEEP: [f64; 2] = [1e-2, 0.3];
/// x∘s to aim for, of what it is, after a step that led nowhere.
const OUTWARD: f64 = 10.0;
/// Steps that may lead nowhere, one after another.
const STUCK: usize = 5;
/// D of an equation; rows have size one.
const PROXIMAL: f64 = 1e-9;

/// A cone of the problem and the scaled row it starts at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Block {
    /// Three rows.
    Round(usize),
    /// One row with a sign.
    Half(usize),
    /// One row between zero and its room.
    Boxed(usize, f64),
    /// An equation.
    Free(usize),
}

/// The iterate with its scratch memory; vectors are by scalar row unless said otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interior {
    blocks: Vec<Block>,
    scalings: Vec<Scaling>,      // by block
    factor: Vec<f64>,            // 1/mu of the normals of contacts, else 1
    places: Vec<(usize, usize)>, // of the rows of round blocks: runs, first and length
    reach: Vec<(usize, usize)>,  // by block: its first run, its first value
    values: Vec<f64>,            // of the three rows of round blocks over these runs, one after another
    combined: Vec<f64>,
    envelope: Envelope,
    x: Vec<f64>,
    s: Vec<f64>,
    upper: Vec<f64>, // w₂ of boxed rows
    rho: Vec<f64>,
    b: Vec<f64>,
    dx: Vec<f64>,
    ds: Vec<f64>,
    d_upper: Vec<f64>,
    fix: Vec<f64>,
    left: Vec<f64>,
    g: Vec<f64>, // degrees of freedom
    u: Vec<f64>,
    along: Vec<[f64; 2]>, // by contact: the direction of its slip
    krylov: Vec<f64>,
    hessenberg: Vec<f64>, // its triangle, by columns
    rotations: Vec<(f64, f64)>,
    load: Vec<f64>,
    rhs: Vec<f64>,
    whole: Vec<f64>,  // b of the system that corrections are made for
    sum: Vec<f64>,    // dx so far
    speeds: Vec<f64>, // by contact
    stuck: usize,
    share: f64,     // of |s_t| that is in the equations
    part: f64,      // by which it grows
    most: usize,    // steps
    returns: usize, // left
    slow: bool,
    reached: (f64, Vec<f64>, Vec<f64>, Vec<f64>), // share, x, s and w₂ where the way was sound; share 0: nowhere yet
    keep: f64,
    sound: (Vec<f64>, Vec<f64>, Vec<f64>), // x, s and w₂ before the last step
    marks: Vec<[f64; 4]>,                  // by block, when the run began
    steps: usize,
    tau: f64,
}

impl Interior {
    /// Starts in the middle. False for problems in local form. A `gentle` start solves the convex problem first, with
    /// slips that open, and closes them part by part: slower, for problems where the straight way gets stuck.
    pub(crate) fn start(&mut self, system: &System, gentle: bool) -> bool {
        (self.share, self.part, self.keep) = if gentle { (0.0, 0.25, KEEP[1]) } else { (1.0, 1.0, KEEP[0]) };
        self.most = STEPS[usize::from(gentle)];
        (self.returns, self.slow) = (if gentle { RETURNS } else { 0 }, false);
        self.reached.0 = -1.0;
        if !system.is_factored() {
            return false;
        }
        let rows = system.q.len();
        self.factor.clear();
        self.factor.resize(rows, 1.0);
        self.blocks.clear();
        for i in 0..system.n {
            if system.mu[i] > 0.0 {
                self.factor[3 * i] = 1.0 / system.mu[i];
                self.blocks.push(Block::Round(3 * i));
            } else {
                self.blocks.push(Block::Half(3 * i));
            }
        }
        for k in 0..system.singles() {
            let row = 3 * system.n + k;
            match system.room_of(k) {
                None => self.blocks.push(Block::Free(row)),
                Some(f64::INFINITY) => self.blocks.push(Block::Half(row)),
                Some(room) if room > 0.0 => self.blocks.push(Block::Boxed(row, room)),
                Some(_) => {}
            }
        }
        self.along.clear();
        self.along.resize(system.n, [0.0; 2]);
        self.scalings.clear();
        self.scalings.resize(self.blocks.len(), Scaling::default());
        for v in [&mut self.x, &mut self.s, &mut self.upper, &mut self.rho, &mut self.b, &mut self.d_upper] {
            v.clear();
            v.resize(rows, 0.0);
        }
        for v in [&mut self.dx, &mut self.ds, &mut self.left, &mut self.fix] {
            v.clear();
            v.resize(rows, 0.0);
        }
        for &block in &self.blocks {
            match block {
                Block::Round(k) | Block::Half(k) => (self.x[k], self.s[k]) = (1.0, 1.0),
                Block::Boxed(k, room) => {
                    self.x[k] = 0.5 * room.min(2.0);
                    (self.s[k], self.upper[k]) = (1.0, 1.0);
                }
                Block::Free(_) => {}
            }
        }
        self.gather(system);
        (self.steps, self.stuck) = (0, 0);
        self.tau = f64::INFINITY;
        true
    }

    /// Steps until x∘s is this small and the equations hold as well; false if they do not get there. The iterate is
    /// then the last one that was sound.
    pub(crate) fn run(&mut self, system: &System, tolerance: f64) -> bool {
        self.mark();
        while self.steps < self.most {
            let off = self.measure(system);
            // impulses enter with their size
            let unit = max_abs(&self.x).max(1.0);
            if self.reached.0 < self.share && self.tau <= GENTLE && off <= GENTLE * unit {
                self.reached.0 = self.share;
                self.reached.1.clone_from(&self.x);
                self.reached.2.clone_from(&self.s);
                self.reached.3.clone_from(&self.upper);
                if self.share < 1.0 {
                    // the convex problem is solved: a part more of what is not
                    self.share = (self.share + self.part).min(1.0);
                    continue;
                }
            }
            if self.share == 1.0 && self.tau <= tolerance && off <= tolerance.sqrt() * 1e-2 * unit {
                return true;
            }
            if !off.is_finite() || !self.scale_and_factor() {
                self.steps = self.most;
                self.x.clone_from(&self.sound.0);
                self.s.clone_from(&self.sound.1);
                self.upper.clone_from(&self.sound.2);
                return false;
            }
            self.sound.0.clone_from(&self.x);
            self.sound.1.clone_from(&self.s);
            self.sound.2.clone_from(&self.upper);
            self.steps += 1;
            self.step(system);
            if self.stuck > STUCK && !self.go_back() {
                break;
            }
        }
        false
    }

    /// Where the gentle way is lost: back to where it was sound last, and on with smaller parts, or slower. False if it
    /// has been nowhere yet, or was lost too often.
    fn go_back(&mut self) -> bool {
        let (share, x, s, upper) = &self.reached;
        if self.returns == 0 || *share < 0.0 {
            return false;
        }
        self.returns -= 1;
        self.stuck = 0;
        self.x.clone_from(x);
        self.s.clone_from(s);
        self.upper.clone_from(upper);
        if *share < 1.0 {
            self.part *= 0.5;
            self.share = (share + self.part).min(1.0);
        } else if self.slow {
            return false;
        } else {
            self.slow = true;
        }
        true
    }

    /// ρ and τ; answers the largest |ρ|.
    fn measure(&mut self, system: &System) -> f64 {
        self.left.clear();
        self.left.extend(self.x.iter().zip(&self.factor).map(|(x, f)| x * f));
        system.scalar_velocities(&self.left, &mut self.u);
        let (mut sum, mut count, mut worst) = (0.0, 0_u32, 0.0_f64);
        for &block in &self.blocks {
            match block {
                Block::Round(k) => {
                    let s = &self.s[k..k + 3];
                    let slip = (s[1] * s[1] + s[2] * s[2]).sqrt();
                    let share = if slip > 0.0 { self.share / slip } else { 0.0 };
                    let e = [share * s[1], share * s[2]];
                    self.along[k / 3] = e;
                    self.rho[k] =
                        self.u[k] * self.factor[k] + e[0] * self.u[k + 1] + e[1] * self.u[k + 2] - s[0];
                    self.rho[k + 1] = self.u[k + 1] - s[1];
                    self.rho[k + 2] = self.u[k + 2] - s[2];
                    worst = worst.max(max_abs(&self.rho[k..k + 3]));
                    let x = &self.x[k..k + 3];
                    sum += x[0] * s[0] + x[1] * s[1] + x[2] * s[2];
                    count += 1;
                }
                Block::Half(k) => {
                    self.rho[k] = self.u[k] - self.s[k];
                    worst = worst.max(self.rho[k].abs());
                    sum += self.x[k] * self.s[k];
                    count += 1;
                }
                Block::Boxed(k, room) => {
                    self.rho[k] = self.u[k] - self.s[k] + self.upper[k];
                    worst = worst.max(self.rho[k].abs());
                    sum += self.x[k] * self.s[k] + (room - self.x[k]) * self.upper[k];
                    count += 2;
                }
                Block::Free(k) => {
                    self.rho[k] = self.u[k];
                    worst = worst.max(self.rho[k].abs());
                }
            }
        }
        self.tau = if count > 0 { sum / f64::from(count) } else { 0.0 };
        if worst.is_nan() || self.tau.is_nan() { f64::INFINITY } else { worst }
    }

    /// D of a block of one row.
    fn diagonal(&self, block: Block) -> f64 {
        match block {
            Block::Half(k) => self.s[k] / self.x[k],
            Block::Boxed(k, room) => self.s[k] / self.x[k] + self.upper[k] / (room - self.x[k]),
            Block::Free(_) | Block::Round(_) => PROXIMAL,
        }
    }

    /// Predictor and corrector.
    fn step(&mut self, system: &System) {
        // straight for the border; b, dx and ds of round blocks are along the axes of their scalings
        for (at, &block) in self.blocks.iter().enumerate() {
            match block {
                Block::Round(k) => {
                    let b = [0, 1, 2].map(|part| -self.s[k + part] - self.rho[k + part]);
                    self.b[k..k + 3].copy_from_slice(&self.scalings[at].along(b));
                }
                Block::Half(k) => self.b[k] = -self.s[k] - self.rho[k],
                Block::Boxed(k, _) => self.b[k] = -self.s[k] + self.upper[k] - self.rho[k],
                Block::Free(k) => self.b[k] = -self.rho[k],
            }
        }
        self.solve(system);
        for at in 0..self.blocks.len() {
            let block = self.blocks[at];
            if let Block::Boxed(k, room) = block {
                self.ds[k] = -self.s[k] - self.s[k] / self.x[k] * self.dx[k];
                self.d_upper[k] = -self.upper[k] + self.upper[k] / (room - self.x[k]) * self.dx[k];
            } else {
                self.answer_velocity(at);
            }
        }
        let affine = self.longest().min(1.0);
        let sigma = (1.0 - affine).powi(3).max(1e-8);
        // after a step that led nowhere: back towards the middle, further away from the walls, and nothing else
        let (sigma, second_order) = match (self.stuck > 0, self.slow) {
            (true, _) => (OUTWARD, 0.0),
            (_, true) => (sigma.max(SLOWLY), 0.0),
            _ => (sigma, 1.0),
        };
        let tau = (sigma * self.tau).max(self.tau.min(self.keep * max_abs(&self.rho)));

        // back to the middle, with the second order of the predictor
        for (at, &block) in self.blocks.iter().enumerate() {
            match block {
                Block::Round(k) => {
                    let scaling = self.scalings[at];
                    let of = |v: &[f64]| [v[k], v[k + 1], v[k + 2]];
                    let lambda = scaling.root(of(&self.x), false);
                    let change = |v: &[f64], inverse| scaling.back(scaling.stretch(of(v), inverse));
                    let (p, q) = (change(&self.dx, false), change(&self.ds, true));
                    let mut c = jordan(lambda, lambda);
                    let second = jordan(p, q);
                    for (c, second) in c.iter_mut().zip(second) {
                        *c = -*c - second_order * second;
                    }
                    c[0] += tau;
                    let c = scaling.stretch(scaling.along(divide(lambda, c)), false);
                    let rho = scaling.along(of(&self.rho));
                    for part in 0..3 {
                        self.b[k + part] = c[part] - rho[part];
                    }
                }
                Block::Half(k) => {
                    let second = second_order * self.dx[k] * self.ds[k];
                    self.b[k] = (tau - second) / self.x[k] - self.s[k] - self.rho[k];
                }
                Block::Boxed(k, room) => {
                    // kept for the velocities below
                    self.ds[k] = tau - self.x[k] * self.s[k] - second_order * self.dx[k] * self.ds[k];
                    self.d_upper[k] = tau - (room - self.x[k]) * self.upper[k]
                        + second_order * self.dx[k] * self.d_upper[k];
                    self.b[k] = self.ds[k] / self.x[k] - self.d_upper[k] / (room - self.x[k]) - self.rho[k];
                }
                Block::Free(k) => self.b[k] = -self.rho[k],
            }
        }
        self.solve(system);
        for at in 0..self.blocks.len() {
            let block = self.blocks[at];
            if let Block::Boxed(k, room) = block {
                self.ds[k] = (self.ds[k] - self.s[k] * self.dx[k]) / self.x[k];
                self.d_upper[k] = (self.d_upper[k] + self.upper[k] * self.dx[k]) / (room - self.x[k]);
            } else {
                self.answer_velocity(at);
            }
        }
        let t = (NEAR[usize::from(self.slow)] * self.longest()).min(1.0);
        self.stuck = if t < 0.1 { self.stuck + 1 } else { 0 };
        for (at, &block) in self.blocks.iter().enumerate() {
            let (k, size) = match block {
                Block::Round(k) => (k, 3),
                Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => (k, 1),
            };
            let (dx, ds) = (self.change(at, &self.dx), self.change(at, &self.ds));
            for part in 0..size {
                self.x[k + part] += t * dx[part];
                self.s[k + part] += t * ds[part];
            }
            if size == 1 {
                self.upper[k] += t * self.d_upper[k];
            }
        }
    }

    /// What a block changes by, along its rows; of blocks of one row, the first.
    fn change(&self, at: usize, v: &[f64]) -> [f64; 3] {
        match self.blocks[at] {
            Block::Round(k) => self.scalings[at].back([v[k], v[k + 1], v[k + 2]]),
            Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => [v[k], 0.0, 0.0],
        }
    }

    /// ds = P c − D dx, P c = b + ρ.
    fn answer_velocity(&mut self, at: usize) {
        match self.blocks[at] {
            Block::Round(k) => {
                let scaling = self.scalings[at];
                let d = scaling.square([self.dx[k], self.dx[k + 1], self.dx[k + 2]], false);
                let rho = scaling.along([self.rho[k], self.rho[k + 1], self.rho[k + 2]]);
                for part in 0..3 {
                    self.ds[k + part] = self.b[k + part] + rho[part] - d[part];
                }
            }
            Block::Half(k) => {
                self.ds[k] = self.b[k] + self.rho[k] - self.s[k] / self.x[k] * self.dx[k];
            }
            Block::Boxed(..) | Block::Free(_) => {}
        }
    }

    /// The longest step along (dx, ds) inside the cones.
    fn longest(&self) -> f64 {
        let wall = |x: f64, d: f64| if d < 0.0 { -x / d } else { f64::INFINITY };
        self.blocks.iter().enumerate().fold(f64::INFINITY, |least, (at, &block)| match block {
            Block::Round(k) => {
                let range = k..k + 3;
                least
                    .min(room(&self.x[range.clone()], &self.change(at, &self.dx)))
                    .min(room(&self.s[range], &self.change(at, &self.ds)))
            }
            Block::Half(k) => least.min(wall(self.x[k], self.dx[k])).min(wall(self.s[k], self.ds[k])),
            Block::Boxed(k, room) => least
                .min(wall(self.x[k], self.dx[k]))
                .min(wall(room - self.x[k], -self.dx[k]))
                .min(wall(self.s[k], self.ds[k]))
                .min(wall(self.upper[k], self.d_upper[k])),
            Block::Free(_) => least,
        })
    }

    /// Steps taken so far.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }
}
