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

use super::envelope::Envelope;
use super::settle::{Hold, Mode};
use super::system::System;
use crate::kernel::{axpy, dot, max_abs};

/// Steps in one solve.
const STEPS: usize = 35;
/// x∘s and equations at which a gentle start goes on.
const GENTLE: f64 = 1e-3;
/// How near to the wall a step may go, of the way.
const NEAR: f64 = 0.995;
/// x∘s goes no faster to zero than this part of what the equations are off, on the straight way and on the gentle one.
const KEEP: [f64; 2] = [1e-2, 0.3];
/// D of an equation; rows have size one.
const PROXIMAL: f64 = 1e-9;

/// Directions of GMRES.
const KRYLOV: usize = 120;
/// The part of the residual it may leave.
const KRYLOV_LEAST: f64 = 1e-10;

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

/// The scaling of a round block: D = η² (2 w wᵀ − J).
#[derive(Debug, Clone, Copy, Default)]
struct Scaling {
    eta: f64,
    w: [f64; 3],
}

impl Scaling {
    fn new(x: &[f64], s: &[f64]) -> Self {
        let (dx, ds) = (det(x).sqrt(), det(s).sqrt());
        let unit = |v: &[f64], d: f64| [v[0] / d, v[1] / d, v[2] / d];
        let (x, s) = (unit(x, dx), unit(s, ds));
        let gamma = (0.5 * (1.0 + x[0] * s[0] + x[1] * s[1] + x[2] * s[2])).sqrt();
        let half = 0.5 / gamma;
        let w1 = [half * (s[1] - x[1]), half * (s[2] - x[2])];
        // on the hyperboloid to the bit
        let w = [(1.0 + w1[0] * w1[0] + w1[1] * w1[1]).sqrt(), w1[0], w1[1]];
        Self { eta: (ds / dx).sqrt(), w }
    }

    /// P v, or P⁻¹ v.
    fn root(&self, v: [f64; 3], inverse: bool) -> [f64; 3] {
        let (eta, sign) = if inverse { (1.0 / self.eta, -1.0) } else { (self.eta, 1.0) };
        let w = [self.w[0], sign * self.w[1], sign * self.w[2]];
        let along = w[1] * v[1] + w[2] * v[2];
        let f = v[0] + along / (1.0 + w[0]);
        [eta * (w[0] * v[0] + along), eta * (v[1] + f * w[1]), eta * (v[2] + f * w[2])]
    }

    /// D v, or D⁻¹ v.
    fn square(&self, v: [f64; 3], inverse: bool) -> [f64; 3] {
        self.root(self.root(v, inverse), inverse)
    }
}

/// x₀² − |x₁|².
fn det(x: &[f64]) -> f64 {
    let size = (x[1] * x[1] + x[2] * x[2]).sqrt();
    ((x[0] - size) * (x[0] + size)).max(f64::MIN_POSITIVE)
}

/// How far x may go along d before it leaves the cone.
fn room(x: &[f64], d: &[f64]) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = det(x);
    let disc = b * b - a * c;
    if disc < 0.0 || (a >= 0.0 && b >= 0.0) {
        return f64::INFINITY;
    }
    // the first positive root of c + 2 b t + a t²
    let t = c / (disc.sqrt() - b);
    if t > 0.0 { t } else { f64::INFINITY }
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
    speeds: Vec<f64>, // by contact
    stuck: usize,
    share: f64, // of |s_t| that is in the equations
    part: f64,  // by which it grows
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

    /// The rows of round blocks over the places any of the three has.
    fn gather(&mut self, system: &System) {
        self.places.clear();
        self.reach.clear();
        self.values.clear();
        self.envelope.clear(system.width());
        for &block in &self.blocks {
            let first = self.places.len();
            self.reach.push((first, self.values.len()));
            match block {
                Block::Round(k) => {
                    for row in k..k + 3 {
                        self.places.extend(system.runs(row).map(|(at, v)| (at, v.len())));
                    }
                    let own = &mut self.places[first..];
                    own.sort_unstable();
                    // runs that touch or overlap are one
                    let mut kept = 0;
                    for at in 1..own.len() {
                        let (start, len) = own[at];
                        let (before, length) = own[kept];
                        if start <= before + length {
                            own[kept].1 = length.max(start + len - before);
                        } else {
                            kept += 1;
                            own[kept] = own[at];
                        }
                    }
                    let count = if own.is_empty() { 0 } else { kept + 1 };
                    self.places.truncate(first + count);
                    let own = &self.places[first..];
                    let total: usize = own.iter().map(|p| p.1).sum();
                    for row in k..k + 3 {
                        let base = self.values.len();
                        self.values.resize(base + total, 0.0);
                        for (at, values) in system.runs(row) {
                            let mut offset = base;
                            for &(start, len) in own {
                                if (start..start + len).contains(&at) {
                                    offset += at - start;
                                    break;
                                }
                                offset += len;
                            }
                            for (out, v) in self.values[offset..].iter_mut().zip(values) {
                                *out = v * self.factor[row];
                            }
                        }
                    }
                }
                Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => {
                    self.places.extend(system.runs(k).map(|(at, v)| (at, v.len())));
                    let own = &self.places[first..];
                    let total: usize = own.iter().map(|p| p.1).sum();
                    let base = self.values.len();
                    self.values.resize(base + total, 0.0);
                    let mut offset = base;
                    for (_, values) in system.runs(k) {
                        self.values[offset..offset + values.len()].copy_from_slice(values);
                        offset += values.len();
                    }
                }
            }
            let own = &self.places[first..];
            if let Some(&(lo, _)) = own.first() {
                for &(at, len) in own {
                    self.envelope.reach(lo, at, at + len);
                }
            }
        }
        self.reach.push((self.places.len(), self.values.len()));
    }

    /// Steps until x∘s is this small and the equations hold as well; false if they do not get there. The iterate is
    /// then the last one that was sound.
    pub(crate) fn run(&mut self, system: &System, tolerance: f64) -> bool {
        self.mark();
        while self.steps < STEPS {
            let off = self.measure(system);
            // impulses enter with their size
            let unit = max_abs(&self.x).max(1.0);
            if self.share < 1.0 && self.tau <= GENTLE && off <= GENTLE * unit {
                // the convex problem is solved: a part more of what is not
                self.share = (self.share + self.part).min(1.0);
                continue;
            }
            if self.share == 1.0 && self.tau <= tolerance && off <= tolerance.sqrt() * 1e-2 * unit {
                return true;
            }
            if !off.is_finite() || !self.scale_and_factor() {
                self.steps = STEPS;
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
            if self.stuck > 3 {
                break;
            }
        }
        false
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

    /// D of every block, and 1 + Aᵀ D⁻¹ A factorised.
    fn scale_and_factor(&mut self) -> bool {
        self.envelope.open();
        for (at, &block) in self.blocks.iter().enumerate() {
            let ((first, from), (last, to)) = (self.reach[at], self.reach[at + 1]);
            let own = &self.places[first..last];
            let values = &self.values[from..to];
            match block {
                Block::Round(k) => {
                    let scaling = Scaling::new(&self.x[k..k + 3], &self.s[k..k + 3]);
                    self.scalings[at] = scaling;
                    let len = values.len() / 3;
                    for row in 0..3 {
                        let mut unit = [0.0; 3];
                        unit[row] = 1.0;
                        let p = scaling.root(unit, true);
                        self.combined.clear();
                        let parts = (&values[..len], &values[len..2 * len], &values[2 * len..]);
                        self.combined.extend(
                            (0..len).map(|c| p[0] * parts.0[c] + p[1] * parts.1[c] + p[2] * parts.2[c]),
                        );
                        add(&mut self.envelope, own, &self.combined);
                    }
                }
                Block::Half(_) | Block::Boxed(..) | Block::Free(_) => {
                    let f = 1.0 / self.diagonal(block).sqrt();
                    self.combined.clear();
                    self.combined.extend(values.iter().map(|v| f * v));
                    add(&mut self.envelope, own, &self.combined);
                }
            }
        }
        self.envelope.factor(1.0)
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
        // straight for the border
        for &block in &self.blocks {
            match block {
                Block::Round(k) => {
                    for k in k..k + 3 {
                        self.b[k] = -self.s[k] - self.rho[k];
                    }
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
                self.answer_velocity(block);
            }
        }
        let affine = self.longest().min(1.0);
        let sigma = (1.0 - affine).powi(3).max(1e-8);
        let tau = (sigma * self.tau).max(self.tau.min(self.keep * max_abs(&self.rho)));

        // back to the middle, with the second order of the predictor
        for (at, &block) in self.blocks.iter().enumerate() {
            match block {
                Block::Round(k) => {
                    let scaling = self.scalings[at];
                    let of = |v: &[f64]| [v[k], v[k + 1], v[k + 2]];
                    let lambda = scaling.root(of(&self.x), false);
                    let (p, q) = (scaling.root(of(&self.dx), false), scaling.root(of(&self.ds), true));
                    let mut c = jordan(lambda, lambda);
                    let second = jordan(p, q);
                    for (c, second) in c.iter_mut().zip(second) {
                        *c = -*c - second;
                    }
                    c[0] += tau;
                    let c = scaling.root(divide(lambda, c), false);
                    for part in 0..3 {
                        self.b[k + part] = c[part] - self.rho[k + part];
                    }
                }
                Block::Half(k) => {
                    self.b[k] = (tau - self.dx[k] * self.ds[k]) / self.x[k] - self.s[k] - self.rho[k];
                }
                Block::Boxed(k, room) => {
                    // kept for the velocities below
                    self.ds[k] = tau - self.x[k] * self.s[k] - self.dx[k] * self.ds[k];
                    self.d_upper[k] = tau - (room - self.x[k]) * self.upper[k] + self.dx[k] * self.d_upper[k];
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
                self.answer_velocity(block);
            }
        }
        let t = (NEAR * self.longest()).min(1.0);
        self.stuck = if t < 0.1 { self.stuck + 1 } else { 0 };
        for &block in &self.blocks {
            let rows = match block {
                Block::Round(k) => k..k + 3,
                Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => k..k + 1,
            };
            for k in rows {
                self.x[k] += t * self.dx[k];
                self.s[k] += t * self.ds[k];
                self.upper[k] += t * self.d_upper[k];
            }
        }
    }

    /// ds = P c − D dx, P c = b + ρ.
    fn answer_velocity(&mut self, block: Block) {
        match block {
            Block::Round(k) => {
                let scaling = self.scalings[k / 3];
                let d = scaling.square([self.dx[k], self.dx[k + 1], self.dx[k + 2]], false);
                for part in 0..3 {
                    self.ds[k + part] = self.b[k + part] + self.rho[k + part] - d[part];
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
        self.blocks.iter().fold(f64::INFINITY, |least, &block| match block {
            Block::Round(k) => {
                let range = k..k + 3;
                least
                    .min(room(&self.x[range.clone()], &self.dx[range.clone()]))
                    .min(room(&self.s[range.clone()], &self.ds[range]))
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

    /// dx with (W + D + E W) dx = b, where E turns the speed of a slip into normal velocity, E = Σ e_n eᵀ. With t the
    /// change of these speeds,
    ///
    /// ```text
    ///     dx = (W + D)⁻¹ (b − Σ e_n t)        t = eᵀ W dx:  (1 + K) t = k        GMRES, of the size of the contacts
    /// ```
    fn solve(&mut self, system: &System) {
        let n = system.n;
        self.convex(system);
        self.slip_speeds(system);
        let size = norm(&self.speeds);
        if size == 0.0 || !size.is_finite() {
            return;
        }
        // the right-hand side is kept: velocities are answered from it
        self.rhs.clone_from(&self.b);
        let least = (KRYLOV_LEAST * size).max(KRYLOV_LEAST * f64::EPSILON);
        self.krylov.clear();
        self.krylov.extend(self.speeds.iter().map(|v| v / size));
        self.hessenberg.clear();
        self.rotations.clear();
        self.load.clear();
        self.load.push(size);
        let mut count = 0;
        while count < KRYLOV {
            // (1 + K) v
            self.b.fill(0.0);
            for i in 0..n {
                self.b[3 * i] = self.krylov[count * n + i];
            }
            self.convex(system);
            self.slip_speeds(system);
            let (basis, next) = (&self.krylov, &mut self.speeds);
            for (next, v) in next.iter_mut().zip(&basis[count * n..]) {
                *next += v;
            }
            let column = self.hessenberg.len();
            for v in basis.chunks_exact(n) {
                let h = dot(v, next);
                self.hessenberg.push(h);
                axpy(-h, v, next);
            }
            let rest = norm(next);
            for (k, &(c, s)) in self.rotations.iter().enumerate() {
                let (a, b) = (self.hessenberg[column + k], self.hessenberg[column + k + 1]);
                self.hessenberg[column + k] = c * a + s * b;
                self.hessenberg[column + k + 1] = c * b - s * a;
            }
            let last = self.hessenberg[column + count];
            let length = last.hypot(rest);
            if length == 0.0 {
                break;
            }
            let (c, s) = (last / length, rest / length);
            self.rotations.push((c, s));
            self.hessenberg[column + count] = length;
            let load = self.load[count];
            self.load[count] = c * load;
            self.load.push(-s * load);
            count += 1;
            if (s * load).abs() <= least {
                break;
            }
            self.krylov.extend(self.speeds.iter().map(|v| v / rest));
        }
        // back substitution in the packed triangle, then the combination
        for k in (0..count).rev() {
            let column = k * (k + 1) / 2;
            let y = self.load[k] / self.hessenberg[column + k];
            self.load[k] = y;
            for r in 0..k {
                self.load[r] -= y * self.hessenberg[column + r];
            }
        }
        self.b.clone_from(&self.rhs);
        for (v, &y) in self.krylov.chunks_exact(n).zip(&self.load[..count]) {
            for i in 0..n {
                self.b[3 * i] -= y * v[i];
            }
        }
        self.convex(system);
        self.b.clone_from(&self.rhs);
    }

    /// eᵀ W dx of every contact.
    fn slip_speeds(&mut self, system: &System) {
        self.fix.clone_from(&self.dx);
        self.impel(system);
        self.speeds.clear();
        for (i, &[c, s]) in self.along.iter().enumerate() {
            let slides = c != 0.0 || s != 0.0;
            self.speeds.push(if slides {
                c * system.velocity(3 * i + 1, &self.g) + s * system.velocity(3 * i + 2, &self.g)
            } else {
                0.0
            });
        }
    }

    /// dx with (W + D) dx = b, refined once.
    fn convex(&mut self, system: &System) {
        self.left.clone_from(&self.b);
        self.dx.fill(0.0);
        for round in 0..2 {
            // g = (1 + Aᵀ D⁻¹ A)⁻¹ Aᵀ D⁻¹ b
            self.fix.clone_from(&self.left);
            self.divide_by_d();
            self.impel(system);
            self.envelope.solve(&mut self.g);

            // D⁻¹ (b − A g)
            for k in 0..self.fix.len() {
                self.fix[k] = self.left[k] - self.factor[k] * system.velocity(k, &self.g);
            }
            self.divide_by_d();
            for (dx, fix) in self.dx.iter_mut().zip(&self.fix) {
                *dx += fix;
            }
            if round == 0 {
                self.fix.clone_from(&self.dx);
                self.impel(system);
                for k in 0..self.fix.len() {
                    self.left[k] = self.b[k] - self.factor[k] * system.velocity(k, &self.g);
                }
                for (at, &block) in self.blocks.iter().enumerate() {
                    match block {
                        Block::Round(k) => {
                            let v = [self.dx[k], self.dx[k + 1], self.dx[k + 2]];
                            let v = self.scalings[at].square(v, false);
                            for part in 0..3 {
                                self.left[k + part] -= v[part];
                            }
                        }
                        Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => {
                            self.left[k] -= self.diagonal(block) * self.dx[k];
                        }
                    }
                }
            }
        }
    }

    /// `fix` ← D⁻¹ `fix`; rows of no block are zero.
    fn divide_by_d(&mut self) {
        let mut next = 0;
        for (at, &block) in self.blocks.iter().enumerate() {
            let (from, to) = match block {
                Block::Round(k) => (k, k + 3),
                Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => (k, k + 1),
            };
            self.fix[next..from].fill(0.0);
            next = to;
            if let Block::Round(k) = block {
                let v = self.scalings[at].square([self.fix[k], self.fix[k + 1], self.fix[k + 2]], true);
                self.fix[k..k + 3].copy_from_slice(&v);
            } else {
                self.fix[from] /= self.diagonal(block);
            }
        }
        self.fix[next..].fill(0.0);
    }

    /// g = Aᵀ `fix`.
    fn impel(&mut self, system: &System) {
        self.g.clear();
        self.g.resize(system.width(), 0.0);
        for (k, &f) in self.fix.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            system.impel(k, f * self.factor[k], &mut self.g);
        }
    }

    /// What is compared with its complement to tell modes: for a round block the eigenvalues of x (large, small) and of
    /// s (small, large); else x, its room, s and w₂.
    fn signs(&self, block: Block) -> [f64; 4] {
        match block {
            Block::Round(k) => {
                let ends = |v: &[f64]| {
                    let size = (v[k + 1] * v[k + 1] + v[k + 2] * v[k + 2]).sqrt();
                    (v[k] - size, v[k] + size)
                };
                let ((x_least, x_most), (s_least, s_most)) = (ends(&self.x), ends(&self.s));
                [x_most, x_least, s_least, s_most]
            }
            Block::Half(k) | Block::Free(k) => [self.x[k], 1.0, self.s[k], 0.0],
            Block::Boxed(k, room) => [self.x[k], room - self.x[k], self.s[k], self.upper[k]],
        }
    }

    fn mark(&mut self) {
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.extend(self.blocks.iter().map(|&block| self.signs(block)));
        self.marks = marks;
    }

    /// The impulses, scaled, and what each row does: of two complements the larger one counts, or, by `trend`, the one
    /// that shrank less since [`Interior::run`] was called. On the way to an answer one of them tends to zero and the
    /// other stays (the indicators of Tapia), however small it is.
    pub(crate) fn tell(
        &self,
        system: &System,
        trend: bool,
        r: &mut Vec<f64>,
        modes: &mut [Mode],
        holds: &mut [Hold],
    ) {
        r.clear();
        r.extend(self.x.iter().zip(&self.factor).map(|(x, f)| x * f));
        for (at, &block) in self.blocks.iter().enumerate() {
            let mut now = self.signs(block);
            if trend {
                for (now, mark) in now.iter_mut().zip(self.marks[at]) {
                    *now /= mark.max(f64::MIN_POSITIVE);
                }
            }
            let [x, x_other, s, s_other] = now;
            match block {
                Block::Round(k) => {
                    modes[k / 3] = match (x > s, x_other > s_other) {
                        (true, true) => Mode::Stick,
                        (true, false) => Mode::Slip(0, 0),
                        (false, _) => Mode::Open,
                    };
                    if modes[k / 3] == Mode::Open {
                        r[k..k + 3].fill(0.0);
                    }
                }
                Block::Half(k) => {
                    let pressed = x > s;
                    if k < 3 * system.n {
                        modes[k / 3] = if pressed { Mode::Stick } else { Mode::Open };
                    } else {
                        holds[k - 3 * system.n] = if pressed { Hold::Free } else { Hold::Lo };
                    }
                    if !pressed {
                        r[k] = 0.0;
                    }
                }
                Block::Boxed(k, room) => {
                    let (hold, value) = if s > x {
                        (Hold::Lo, 0.0)
                    } else if s_other > x_other {
                        (Hold::Hi, room)
                    } else {
                        (Hold::Free, self.x[k])
                    };
                    holds[k - 3 * system.n] = hold;
                    r[k] = value;
                }
                Block::Free(k) => holds[k - 3 * system.n] = Hold::Free,
            }
        }
    }

    /// Steps taken so far.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }
}

fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}

fn add(envelope: &mut Envelope, places: &[(usize, usize)], values: &[f64]) {
    let runs = places.iter().scan(0, |at, &(place, len)| {
        let from = *at;
        *at += len;
        Some((place, &values[from..from + len]))
    });
    envelope.add(&runs);
}

/// x∘y of the cone.
fn jordan(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [x[0] * y[0] + x[1] * y[1] + x[2] * y[2], x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]]
}

/// y with x∘y = v.
fn divide(x: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    let y0 = (x[0] * v[0] - x[1] * v[1] - x[2] * v[2]) / det(&x);
    [y0, (v[1] - y0 * x[1]) / x[0], (v[2] - y0 * x[2]) / x[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13)
    }

    #[test]
    fn the_scaling_takes_impulse_and_velocity_to_the_same_point() {
        let (x, s) = ([2.0, 0.5, -1.5], [0.7, 0.3, 0.6]);
        let scaling = Scaling::new(&x, &s);
        assert!(near(scaling.root(x, false), scaling.root(s, true)));
        assert!(near(scaling.square(x, false), s));
        assert!(near(scaling.square(s, true), x));
    }

    #[test]
    fn products_of_the_cone_can_be_undone_and_steps_end_on_its_border() {
        let (x, y) = ([2.0, 0.5, -1.5], [-0.4, 0.3, 0.6]);
        assert!(near(divide(x, jordan(x, y)), y));
        let t = room(&x, &y);
        let end = [0, 1, 2].map(|k| x[k] + t * y[k]);
        assert!((end[0] - end[1].hypot(end[2])).abs() < 1e-13, "{end:?}");
        assert_eq!(room(&x, &[1.0, 0.2, 0.2]), f64::INFINITY);
    }
}
