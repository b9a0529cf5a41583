//! The linear systems of a step: the convex part by the factors, what is not symmetric by GMRES around it.
//!
//! Round blocks are kept along the axes of their scalings, where D is diagonal ([`super::algebra::Scaling`]). Near the
//! end D⁻¹ of what sticks is 1/τ, and the factors lose as many digits: corrections from the residual of the whole system
//! bring them back.

use super::{Block, Interior};
use crate::friction::system::System;
use crate::kernel::{axpy, dot, max_abs};

/// Directions of GMRES.
const KRYLOV: usize = 120;
/// The part of the residual it may leave.
const KRYLOV_LEAST: f64 = 1e-10;
/// Corrections of a solve, while each leaves less than [`CORRECTED`] of the residual before it.
const CORRECTIONS: usize = 4;
const CORRECTED: f64 = 0.1;
/// The residual that needs no correction, of τ: what it does to the equations is far below what the step leaves in them.
const ENOUGH: f64 = 1e-3;

impl Interior {
    /// dx with (W + D + E W) dx = b, where E turns the speed of a slip into normal velocity, E = Σ e_n eᵀ.
    pub(super) fn solve(&mut self, system: &System) {
        self.whole.clone_from(&self.b);
        self.sum.clear();
        self.sum.resize(self.b.len(), 0.0);
        let mut last = f64::INFINITY;
        for _ in 0..=CORRECTIONS {
            self.solve_once(system);
            axpy(1.0, &self.dx, &mut self.sum);
            let left = self.residual(system);
            // written so that NaN ends it too
            let better = left < CORRECTED * last;
            if !better || left <= ENOUGH * self.tau {
                break;
            }
            last = left;
            self.b.clone_from(&self.left);
        }
        self.dx.clone_from(&self.sum);
        self.b.clone_from(&self.whole);
    }

    /// `left` ← b − (W + D + E W) dx of the whole; answers its largest entry.
    fn residual(&mut self, system: &System) -> f64 {
        self.fix.clone_from(&self.sum);
        self.impel(system);
        self.left.fill(0.0);
        for at in 0..self.blocks.len() {
            let (k, size) = self.rows_of(at);
            let mut v = self.velocity(system, at);
            if let Block::Round(k) = self.blocks[at] {
                let [c, s] = self.along[k / 3];
                v[0] += c * v[1] + s * v[2];
                v = self.scalings[at].along(v);
            }
            let d = self.times_d(at, &self.sum);
            for part in 0..size {
                self.left[k + part] = self.whole[k + part] - v[part] - d[part];
            }
        }
        max_abs(&self.left)
    }

    /// One solve. With t the change of the slips' speeds,
    ///
    /// ```text
    ///     dx = (W + D)⁻¹ (b − Σ e_n t)        t = eᵀ W dx:  (1 + K) t = k        GMRES, of the size of the contacts
    /// ```
    fn solve_once(&mut self, system: &System) {
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
                self.press(i, self.krylov[count * n + i]);
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
        for k in 0..count {
            for i in 0..n {
                self.press(i, -self.load[k] * self.krylov[k * n + i]);
            }
        }
        self.convex(system);
        self.b.clone_from(&self.rhs);
    }

    /// Adds a normal velocity of a contact to `b`.
    fn press(&mut self, i: usize, v: f64) {
        if let Block::Round(k) = self.blocks[i] {
            let v = self.scalings[i].along([v, 0.0, 0.0]);
            for part in 0..3 {
                self.b[k + part] += v[part];
            }
        }
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
            self.fix.clone_from(&self.left);
            for at in 0..self.blocks.len() {
                let v = self.velocity_along(system, at);
                let (k, size) = self.rows_of(at);
                for part in 0..size {
                    self.fix[k + part] -= v[part];
                }
            }
            self.divide_by_d();
            for (dx, fix) in self.dx.iter_mut().zip(&self.fix) {
                *dx += fix;
            }
            if round == 0 {
                self.fix.clone_from(&self.dx);
                self.impel(system);
                for at in 0..self.blocks.len() {
                    let (v, d) = (self.velocity_along(system, at), self.times_d(at, &self.dx));
                    let (k, size) = self.rows_of(at);
                    for part in 0..size {
                        self.left[k + part] = self.b[k + part] - v[part] - d[part];
                    }
                }
            }
        }
    }

    fn rows_of(&self, at: usize) -> (usize, usize) {
        match self.blocks[at] {
            Block::Round(k) => (k, 3),
            Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => (k, 1),
        }
    }

    /// A g of a block; of blocks of one row, the first.
    fn velocity(&self, system: &System, at: usize) -> [f64; 3] {
        let (k, size) = self.rows_of(at);
        let row =
            |part| if part < size { self.factor[k + part] * system.velocity(k + part, &self.g) } else { 0.0 };
        [0, 1, 2].map(row)
    }

    /// A g of a block along its axes.
    fn velocity_along(&self, system: &System, at: usize) -> [f64; 3] {
        let v = self.velocity(system, at);
        if matches!(self.blocks[at], Block::Round(_)) { self.scalings[at].along(v) } else { v }
    }

    /// D v of a block.
    fn times_d(&self, at: usize, v: &[f64]) -> [f64; 3] {
        let block = self.blocks[at];
        match block {
            Block::Round(k) => self.scalings[at].square([v[k], v[k + 1], v[k + 2]], false),
            Block::Half(k) | Block::Boxed(k, _) | Block::Free(k) => [self.diagonal(block) * v[k], 0.0, 0.0],
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
        for at in 0..self.blocks.len() {
            let (k, size) = self.rows_of(at);
            let f = self.change(at, &self.fix);
            for part in (0..size).filter(|&p| f[p] != 0.0) {
                system.impel(k + part, f[part] * self.factor[k + part], &mut self.g);
            }
        }
    }
}

fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}
