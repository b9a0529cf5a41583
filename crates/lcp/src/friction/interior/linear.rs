//! The linear systems of a step: the convex part by the factors, what is not symmetric by GMRES around it.

use super::{Block, Interior};
use crate::friction::system::System;
use crate::kernel::{axpy, dot};

/// Directions of GMRES.
const KRYLOV: usize = 120;
/// The part of the residual it may leave.
const KRYLOV_LEAST: f64 = 1e-10;

impl Interior {
    /// dx with (W + D + E W) dx = b, where E turns the speed of a slip into normal velocity, E = Σ e_n eᵀ. With t the
    /// change of these speeds,
    ///
    /// ```text
    ///     dx = (W + D)⁻¹ (b − Σ e_n t)        t = eᵀ W dx:  (1 + K) t = k        GMRES, of the size of the contacts
    /// ```
    pub(super) fn solve(&mut self, system: &System) {
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
}

fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}
