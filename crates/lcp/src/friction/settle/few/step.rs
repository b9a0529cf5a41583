//! One step of Newton's method on the equations of the modes, and whole steps one after another.

use super::{Few, unit};
use crate::friction::dense::{solve_again, solve_in_place};
use crate::friction::settle::{Faceted, SHIFT, Settle, band};
use crate::friction::system::System;
use crate::kernel::axpy;
use crate::outcome::Side;
use crate::problem::ContactMode;

/// Whole steps in one leap.
const LEAPS: usize = 12;
/// The largest shift of a damped step; rows have size one.
const DAMPED: f64 = 1e-2;

/// Steps by one factor after the step that it was made for.
const REPEATS: usize = 8;
/// The part of what the equations lack that such a step may leave: with more a factor of its own is cheaper.
const WORTH: f64 = 0.1;
/// The part of the band at which nothing is left to do: rounding, as whole steps of Newton's method end in. What slides slowly turns
/// with the last digits of its velocity, and would depend on the order of contacts.
const NOTHING: f64 = 1e-6;
/// A step that leaves this part of what was lacking met rounding.
const ROUNDED: f64 = 0.5;

/// One column of C with its row of R.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unknown {
    /// A row that is still.
    Still(usize),
    /// The normal of a sliding contact, its friction going along: the contact and e.
    Pressed(usize, [f64; 2]),
    /// Across a sliding contact: the contact, e and c.
    Across(usize, [f64; 2], f64),
}

impl Settle {
    /// Newton's method with whole steps, each from the modes that the present impulses and velocities belong to. True if it
    /// ends in an answer; else everything is as it was.
    pub(super) fn leap(&mut self, system: &System) -> bool {
        self.best_r.clone_from(&self.r);
        self.few_velocities(system);
        let mut errors = [f64::INFINITY; 3];
        for _ in 0..LEAPS {
            self.read_modes(system);
            if self.clock.expired() || !self.few_direction(system, self.damping(system)) {
                break;
            }
            axpy(1.0, &self.few.step, &mut self.r);
            if self.r.iter().any(|v| !v.is_finite()) {
                break;
            }
            self.put_on_circles(system);
            self.few_velocities(system);
            let (error, band) = (self.error(system), band(&self.r));
            if error <= 0.1 * band || (error <= band && error > 0.5 * errors[2]) {
                if self.measured(system) <= self.acceptable(band) {
                    return true;
                }
                break;
            }
            if error > errors[0] {
                break;
            }
            errors = [errors[1], errors[2], error];
        }
        std::mem::swap(&mut self.r, &mut self.best_r);
        self.modes_of_impulses(system);
        false
    }

    /// The modes that impulses and velocities belong to: those of the projection of r − u / W_ii on the cone.
    fn read_modes(&mut self, system: &System) {
        let rows = system.q.len();
        for i in 0..system.n {
            let (at, mu) = (3 * i, system.mu[i]);
            let give = |k: usize| self.few.w[k * rows + k].max(SHIFT);
            let normal = self.r[at] - self.u[at] / give(at);
            let each = give(at + 1).max(give(at + 2));
            let t = [1, 2].map(|k| self.r[at + k] - self.u[at + k] / each);
            let size = (t[0] * t[0] + t[1] * t[1]).sqrt();
            if normal <= 0.0 {
                self.modes[i] = Faceted::OPEN;
                self.r[at..at + 3].fill(0.0);
            } else if mu == 0.0 || size <= mu * normal {
                self.modes[i] = Faceted::STICK;
            } else {
                self.modes[i] = Faceted::SLIP;
                let limit = mu * self.r[at].max(0.0);
                self.r[at + 1] = limit * t[0] / size;
                self.r[at + 2] = limit * t[1] / size;
            }
        }
        for k in 0..self.holds.len() {
            let at = 3 * system.n + k;
            let Some(room) = system.room_of(k) else { continue };
            let free = self.r[at] - self.u[at] / self.few.w[at * rows + at].max(SHIFT);
            (self.holds[k], self.r[at]) = if free <= 0.0 {
                (Side::Lower, 0.0)
            } else if free >= room {
                (Side::Upper, room)
            } else {
                (Side::Free, self.r[at])
            };
        }
        self.few_velocities(system);
    }

    /// What the equations of the modes still lack.
    pub(super) fn few_unsolved(&self) -> f64 {
        let left = self.few.unknowns.iter().map(|unknown| self.few_lacks(*unknown).abs());
        left.fold(0.0, f64::max)
    }

    /// The shift of a step that may lead far: as large as the error, as Levenberg and Marquardt have it, so that what is
    /// hardly determined moves little while modes are still wrong, and the last steps are those of Newton.
    pub(super) fn damping(&self, system: &System) -> f64 {
        self.error(system).clamp(SHIFT, DAMPED)
    }

    /// The whole step C α of the present modes, by row; `shift` is ε.
    pub(super) fn few_direction(&mut self, system: &System, shift: f64) -> bool {
        self.few_unknowns(system);
        let rows = system.q.len();
        let Few { w, y, matrix, alpha, unknowns, scale, swaps, step, .. } = &mut self.few;
        let size = unknowns.len();
        if size == 0 {
            step.clear();
            step.resize(rows, 0.0);
            return true;
        }
        if matrix.len() < size * size {
            matrix.resize(size * size, 0.0);
        }
        let matrix = &mut matrix[..size * size];
        alpha.clear();
        scale.clear();
        let line = |at: usize| &w[at * rows..(at + 1) * rows];
        for (j, (unknown, out)) in unknowns.iter().zip(matrix.chunks_exact_mut(size)).enumerate() {
            // a row of R W, W read by rows: in local form it may be unsymmetric
            let (row, velocity, turn) = match *unknown {
                Unknown::Still(at) => (line(at), self.u[at], 0.0),
                Unknown::Pressed(i, _) => (line(3 * i), self.u[3 * i], 0.0),
                Unknown::Across(i, [c, s], turn) => {
                    y.clear();
                    y.extend(line(3 * i + 2).iter().zip(line(3 * i + 1)).map(|(t2, t1)| c * t2 - s * t1));
                    (&y[..], c * self.u[3 * i + 2] - s * self.u[3 * i + 1], turn)
                }
            };
            for (v, unknown) in out.iter_mut().zip(&*unknowns) {
                *v = match *unknown {
                    Unknown::Still(at) => row[at],
                    Unknown::Pressed(i, [c, s]) => {
                        row[3 * i] + system.mu[i] * (c * row[3 * i + 1] + s * row[3 * i + 2])
                    }
                    Unknown::Across(i, [c, s], _) => c * row[3 * i + 2] - s * row[3 * i + 1],
                };
            }
            out[j] = (out[j] + turn) + shift;
            // a contact that hardly presses hardly turns: its equation is large, and would make others seem singular
            let size = out[j].abs().max(1.0);
            if size > 1.0 {
                for v in &mut *out {
                    *v /= size;
                }
            }
            alpha.push(-velocity / size);
            scale.push(size);
        }
        if !solve_in_place(matrix, size, alpha, swaps) {
            return false;
        }
        self.few_step(system);
        true
    }

    /// What the equation of an unknown lacks.
    fn few_lacks(&self, unknown: Unknown) -> f64 {
        match unknown {
            Unknown::Still(at) => self.u[at],
            Unknown::Pressed(i, _) => self.u[3 * i],
            Unknown::Across(i, ..) => {
                let [c, s] = unit([self.r[3 * i + 1], self.r[3 * i + 2]]).unwrap_or_default();
                c * self.u[3 * i + 2] - s * self.u[3 * i + 1]
            }
        }
    }

    /// Steps by the factor of the last one while each takes most of what the equations of these modes lack: what turns them,
    /// the directions of sliding, changes little from step to step, and a factor costs as much as a dozen products.
    /// True if nothing but rounding is left.
    pub(super) fn few_repeat(&mut self, system: &System) -> bool {
        let mut left = self.few_unsolved();
        for _ in 0..REPEATS {
            if left <= NOTHING * band(&self.r) {
                return true;
            }
            let size = self.few.unknowns.len();
            for j in 0..size {
                self.few.alpha[j] = -self.few_lacks(self.few.unknowns[j]) / self.few.scale[j];
            }
            let Few { matrix, alpha, swaps, .. } = &mut self.few;
            solve_again(&matrix[..size * size], size, alpha, swaps);
            self.few_step(system);
            if self.few_part(system) < 1.0 {
                return false;
            }
            self.best_r.clone_from(&self.r);
            axpy(1.0, &self.few.step, &mut self.r);
            self.put_on_circles(system);
            self.few_velocities(system);
            let now = self.few_unsolved();
            // also where it is none
            let gained = now <= WORTH * left;
            if !gained {
                if now.is_nan() || now >= left {
                    std::mem::swap(&mut self.r, &mut self.best_r);
                    self.few_velocities(system);
                }
                return left <= band(&self.r) && now > ROUNDED * left;
            }
            left = now;
        }
        false
    }

    /// C α, by row.
    fn few_step(&mut self, system: &System) {
        let Few { unknowns, alpha, step, .. } = &mut self.few;
        step.clear();
        step.resize(system.q.len(), 0.0);
        for (unknown, &a) in unknowns.iter().zip(&*alpha) {
            match *unknown {
                Unknown::Still(at) => step[at] += a,
                Unknown::Pressed(i, [c, s]) => {
                    let friction = system.mu[i] * a;
                    step[3 * i] += a;
                    step[3 * i + 1] += c * friction;
                    step[3 * i + 2] += s * friction;
                }
                Unknown::Across(i, [c, s], _) => {
                    step[3 * i + 1] -= s * a;
                    step[3 * i + 2] += c * a;
                }
            }
        }
    }

    /// The unknowns of the present modes.
    fn few_unknowns(&mut self, system: &System) {
        let unknowns = &mut self.few.unknowns;
        unknowns.clear();
        for i in 0..system.n {
            let at = 3 * i;
            match self.modes[i].mode {
                ContactMode::Open => {}
                ContactMode::Stick => {
                    let size = if system.mu[i] > 0.0 { 3 } else { 1 };
                    unknowns.extend((at..at + size).map(Unknown::Still));
                }
                ContactMode::Slip => {
                    let (t, v) = ([self.r[at + 1], self.r[at + 2]], [self.u[at + 1], self.u[at + 2]]);
                    // a contact that has just closed is pushed against its motion
                    let e = unit(t).or_else(|| unit([-v[0], -v[1]])).unwrap_or([1.0, 0.0]);
                    let against = -(e[0] * v[0] + e[1] * v[1]);
                    let limit = system.mu[i] * self.r[at];
                    unknowns.push(Unknown::Pressed(i, e));
                    // without a force yet there is nothing to turn
                    if limit > 0.0 {
                        unknowns.push(Unknown::Across(i, e, (against / limit).max(0.0)));
                    }
                }
            }
        }
        let held = self.holds.iter().enumerate().filter(|(_, h)| **h == Side::Free);
        unknowns.extend(held.map(|(k, _)| Unknown::Still(3 * system.n + k)));
    }
}
