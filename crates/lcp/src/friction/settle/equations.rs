//! The equations of the modes: H of what is still, a step of all impulses, and impulses moved along what the equations leave free.

use super::measure::{CRISP, band};
use super::{SHIFT, Settle};
use crate::friction::iterate::project;
use crate::friction::system::System;
use crate::kernel::axpy;
use crate::outcome::Side;
use crate::problem::ContactMode;
use crate::tolerances;

/// Projections on the cones between two steps. Each costs a tenth of a factorisation, and on the wall 60 of them,
/// where fewer leave contacts that change their modes, save more than they cost.
const RELAX: usize = 60;
/// How much narrower the cones are that impulses are moved to, so that they end inside.
const NARROW: f64 = 0.95;
/// How far a projection goes, of the way to the cone: a little into it comes there sooner. On the wall 1.6 takes two
/// thirds of the instructions of 1.
const BEYOND: f64 = 1.6;

/// Steps that leave shares alone: each squares the error.
const KEPT: usize = 3;

impl Settle {
    /// Moves impulses that left their cones back, among those that stop the same rows: projection in turn on the cones,
    /// a little narrower than they are, and on Bᵀ r = y. True if anything moved.
    pub(super) fn relax(&mut self, system: &System) -> bool {
        let width = system.width();
        let mut moved = false;
        for _ in 0..RELAX {
            self.g.clear();
            self.g.resize(width, 0.0);
            let mut outside = 0.0_f64;
            for i in (0..system.n).filter(|&i| self.modes[i].mode == ContactMode::Stick) {
                let at = 3 * i;
                let mu = if self.round { system.mu[i] } else { system.mu[i] * self.inner };
                let r = [self.r[at], self.r[at + 1], self.r[at + 2]];
                if r[1] * r[1] + r[2] * r[2] <= (mu * r[0]) * (mu * r[0]) && r[0] >= 0.0 {
                    continue;
                }
                let p = project(NARROW * mu, r);
                let p = [0, 1, 2].map(|k| r[k] + BEYOND * (p[k] - r[k]));
                outside = outside.max((p[0] - r[0]).abs()).max((p[1] - r[1]).abs()).max((p[2] - r[2]).abs());
                for k in 0..if system.mu[i] > 0.0 { 3 } else { 1 } {
                    system.impel(at + k, p[k] - r[k], &mut self.g);
                    self.r[at + k] = p[k];
                }
            }
            for k in 0..self.holds.len() {
                let at = 3 * system.n + k;
                let Some(room) = system.room_of(k).filter(|_| self.holds[k] == Side::Free) else { continue };
                let r = self.r[at];
                if r < 0.0 || r > room {
                    self.r[at] = r.clamp(0.0, room);
                    outside = outside.max((self.r[at] - r).abs());
                    system.impel(at, self.r[at] - r, &mut self.g);
                }
            }
            if outside == 0.0 {
                break;
            }
            moved = true;
            self.envelope.solve(&mut self.g);
            for &k in &self.still {
                self.r[k] -= system.velocity(k, &self.g);
            }
        }
        moved
    }

    /// H of the rows that are still, factorised.
    pub(super) fn factor(&mut self, system: &System) -> bool {
        self.still.clear();
        for (i, mode) in self.modes.iter().enumerate() {
            if mode.mode == ContactMode::Stick {
                let rows = if system.mu[i] > 0.0 { 3 } else { 1 };
                self.still.extend(3 * i..3 * i + rows);
            }
        }
        let holds = self.holds.iter().enumerate().filter(|(_, h)| **h == Side::Free);
        self.still.extend(holds.map(|(k, _)| 3 * system.n + k));
        self.shape(system);
        if !self.envelope.open(&self.clock) {
            return false;
        }
        for &k in &self.still {
            self.envelope.add(&system.runs(k));
        }
        self.envelope.factor(SHIFT, &self.clock)
    }

    /// The envelope of H.
    pub(super) fn shape(&mut self, system: &System) {
        self.envelope.clear(system.width());
        for &k in &self.still {
            let mut runs = system.runs(k);
            let Some((lo, values)) = runs.next() else { continue };
            self.envelope.reach(lo, lo, lo + values.len());
            for (at, values) in runs {
                self.envelope.reach(lo, at, at + values.len());
            }
        }
    }

    /// Steps from the best impulses that leave the shares of loads alone: sharing turns the slips, which converges from step to
    /// step by a part only, and stops short of rounding.
    pub(super) fn keep_shares(&mut self, system: &System, best: &mut f64) {
        if *best <= CRISP * band(&self.best_r) || !self.sliding.stop_sharing() {
            return;
        }
        for _ in 0..KEPT {
            self.r.clone_from(&self.best_r);
            self.quick.velocities(system, &self.r, &mut self.u);
            self.sliding.list(system, &self.modes, self.round, &self.r, &self.u, false);
            if !self.step(system) {
                return;
            }
            self.quick.velocities(system, &self.r, &mut self.u);
            let error = self.error(system);
            if error.is_nan() || error > 0.5 * *best {
                return;
            }
            *best = error;
            self.best_r.clone_from(&self.r);
        }
    }

    /// One step of all impulses; false if they stop being numbers.
    pub(super) fn step(&mut self, system: &System) -> bool {
        let width = system.width();

        // w = (H + ε)⁻¹ Bᵀ u: what the sticking rows take away by themselves
        self.g.clear();
        self.g.resize(width, 0.0);
        if !self.still.is_empty() {
            for &k in &self.still {
                system.impel(k, self.u[k], &mut self.g);
            }
            self.envelope.solve(&mut self.g);
        }
        let slides = !self.sliding.unknowns.is_empty();
        if slides {
            let taken = (!self.still.is_empty()).then_some(self.g.as_slice());
            self.sliding.solve(system, &self.r, &self.u, taken);
        }
        if !self.still.is_empty() {
            if slides {
                // the sticking rows answer to what the slides push: C α less what is left of it
                self.left.clear();
                self.left.resize(width, 0.0);
                self.sliding.push(system, &mut self.left);
                axpy(1.0, &self.left, &mut self.g);
                for _ in 0..2 {
                    self.envelope.solve(&mut self.left);
                    self.left.iter_mut().for_each(|v| *v *= SHIFT);
                }
                axpy(-1.0, &self.left, &mut self.g);
            }
            self.envelope.solve(&mut self.g);
            for &k in &self.still {
                self.r[k] -= system.velocity(k, &self.g);
            }
        }
        self.sliding.add_to(&mut self.r);
        if self.round {
            self.put_on_circles(system);
        }
        self.r.iter().all(|v| v.is_finite())
    }

    /// A force that was turned has left the circle by the second order: put it back.
    pub(super) fn put_on_circles(&mut self, system: &System) {
        for i in (0..system.n).filter(|&i| self.modes[i].mode == ContactMode::Slip) {
            let at = 3 * i;
            let size = self.r[at + 1].hypot(self.r[at + 2]);
            if size > 0.0 {
                let f = system.mu[i] * self.r[at].max(0.0) / size;
                self.r[at + 1] *= f;
                self.r[at + 2] *= f;
            }
        }
    }

    /// Friction that is remembered with another coefficient, put on the edge of its polygon: steps keep it as far off as it was.
    pub(crate) fn put_on_edge(&mut self, system: &System, i: usize) {
        let at = 3 * i;
        let (a, b, _) = system.facets_of(i, [self.r[at + 1], self.r[at + 2]]);
        let (size, most) = (a + b, system.mu[i] * self.r[at].max(0.0));
        // what is on it keeps its bits
        if size > 0.0 && (size - most).abs() > tolerances::ON_EDGE * most {
            self.r[at + 1] *= most / size;
            self.r[at + 2] *= most / size;
        }
    }

    /// Spreads the impulses of what is still over all of it, as evenly as cones allow: from the vertex that pivoting
    /// finds to the inside of the set of answers.
    pub(crate) fn spread(&mut self, system: &System) -> bool {
        if !system.is_factored() || !self.factor(system) {
            return false;
        }
        self.g.clear();
        self.g.resize(system.width(), 0.0);
        for &k in &self.still {
            system.impel(k, self.r[k], &mut self.g);
        }
        self.envelope.solve(&mut self.g);
        for &k in &self.still {
            self.r[k] = system.velocity(k, &self.g);
        }
        self.relax(system);
        true
    }
}
