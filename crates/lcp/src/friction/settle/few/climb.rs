//! Newton's method held inside the cones by a ratio test.

use super::unit;
use crate::friction::settle::{Faceted, SHIFT, STILL, Settle, band};
use crate::friction::system::System;
use crate::kernel::{axpy, max_abs};
use crate::outcome::Side;
use crate::problem::ContactMode;
use crate::tolerances;

impl Settle {
    /// Newton's method on the equations of the modes, from impulses inside their cones, with their velocities, and never out of them: a step ends
    /// where the first contact or row meets its bound, and that one takes the mode of the bound. Where a whole step is
    /// taken, what pulls or helps its motion is let go. True if it ends in an answer.
    pub(super) fn climb(&mut self, system: &System, steps: usize, more: usize, damped: bool) -> bool {
        self.few.freed.clear();
        self.few.freed.resize(system.n, false);
        self.few.refused.clear();
        self.few.refused.resize(system.n, 0);
        let (mut least, mut slowly) = (f64::INFINITY, 0);
        // with many more rows than degrees of freedom W is singular, and what a factor leaves undetermined adds up
        let repeats = !damped && self.is_few(system, true);
        for step in 0..steps + more {
            let shift = if damped { self.damping(system) } else { SHIFT };
            if self.clock.expired() || !self.few_direction(system, shift) {
                return false;
            }
            let blocked = self.few_advance(system);
            if self.r.iter().any(|v| !v.is_finite()) {
                return false;
            }
            self.few_velocities(system);
            let crisp = blocked || !repeats || self.few_repeat(system) || step + 1 == steps + more;
            let (error, band) = (self.error(system), band(&self.r));
            self.residual = error;
            if error <= 0.1 * band && crisp {
                return true;
            }
            if blocked {
                continue;
            }
            // what Newton has still to do must not be taken for a contact that leaves its mode
            if self.let_go(system, band.max(self.few_unsolved()), step > steps / 2) {
                (least, slowly) = (f64::INFINITY, 0);
            } else if self.few.refused.iter().any(|&times| times > 0) && error > self.acceptable(band) {
                return false;
            } else {
                slowly += usize::from(error > 0.5 * least);
                least = least.min(error);
                if slowly > 2 {
                    return error <= self.acceptable(band);
                }
            }
        }
        false
    }

    /// The part of the step at which a contact, or a row after them, meets its bound.
    fn few_room(&self, system: &System, at: usize) -> f64 {
        let (n, step) = (system.n, &self.few.step);
        if let Some(k) = at.checked_sub(n) {
            let (r, d) = (self.r[3 * n + k], step[3 * n + k]);
            return match system.room_of(k) {
                Some(_) if self.holds[k] != Side::Free => f64::INFINITY,
                Some(_) if d < 0.0 => r.max(0.0) / -d,
                Some(room) if d > 0.0 => (room - r).max(0.0) / d,
                _ => f64::INFINITY,
            };
        }
        let (r, d) = (&self.r[3 * at..3 * at + 3], &step[3 * at..3 * at + 3]);
        let lifts = if d[0] < 0.0 { r[0].max(0.0) / -d[0] } else { f64::INFINITY };
        match self.modes[at].mode {
            ContactMode::Open => f64::INFINITY,
            ContactMode::Stick if system.mu[at] > 0.0 => lifts.min(leaves(system.mu[at], r, d)),
            _ => lifts,
        }
    }

    /// The part of the step that no bound forbids.
    pub(super) fn few_part(&self, system: &System) -> f64 {
        (0..system.n + self.holds.len()).map(|at| self.few_room(system, at)).fold(1.0, f64::min)
    }

    /// Takes as much of the step as no bound forbids; what met its bound takes its mode. True if anything did.
    fn few_advance(&mut self, system: &System) -> bool {
        let n = system.n;
        let part = self.few_part(system);
        // met at the same time, but for rounding
        let last = part * (1.0 + tolerances::AT_ONCE) + tolerances::AT_ONCE_LEAST;
        let mut blocked = false;
        // decided before anything moves
        self.few.met.clear();
        if part < 1.0 {
            for at in 0..n + self.holds.len() {
                let met = self.few_room(system, at) <= last;
                self.few.met.push(met);
            }
        }
        for i in 0..n {
            // let go, and back at its bound before anything moved
            if part > tolerances::MOVED && part < 1.0 {
                self.few.refused[i] = 0;
            } else if part < 1.0 && self.few.freed[i] && self.few.met[i] {
                self.few.refused[i] += 1;
            }
            self.few.freed[i] = false;
        }
        axpy(part, &self.few.step, &mut self.r);
        self.put_on_circles(system);
        let nothing = tolerances::NOTHING * max_abs(&self.r).max(1.0);
        for at in (0..self.few.met.len()).filter(|&at| self.few.met[at]) {
            blocked = true;
            if let Some(k) = at.checked_sub(n) {
                let up = self.few.step[3 * n + k] > 0.0;
                let room = system.room_of(k).unwrap_or(f64::INFINITY);
                (self.holds[k], self.r[3 * n + k]) =
                    if up { (Side::Upper, room) } else { (Side::Lower, 0.0) };
            } else if self.r[3 * at] <= nothing && self.few.step[3 * at] <= 0.0 {
                self.modes[at] = Faceted::OPEN;
                self.r[3 * at..3 * at + 3].fill(0.0);
            } else {
                self.modes[at] = Faceted::SLIP;
            }
        }
        blocked
    }

    /// Contacts and rows that pull, or whose friction helps the motion, by more than the band: they change, all or the
    /// worst alone. True if any does.
    fn let_go(&mut self, system: &System, band: f64, one: bool) -> bool {
        let n = system.n;
        let wrong = |at: usize| -> f64 {
            if let Some(k) = at.checked_sub(n) {
                let u = self.u[3 * n + k];
                return match (self.holds[k], system.room_of(k)) {
                    (Side::Lower, Some(room)) if room > 0.0 => -u,
                    (Side::Upper, Some(room)) if room > 0.0 => u,
                    _ => 0.0,
                };
            }
            let (r, u) = (&self.r[3 * at..3 * at + 3], &self.u[3 * at..3 * at + 3]);
            match self.modes[at].mode {
                ContactMode::Open if self.few.refused[at] < 2 => -u[0],
                ContactMode::Slip if self.few.refused[at] == 0 => {
                    let along = unit([r[1], r[2]]).map_or(0.0, |e| e[0] * u[1] + e[1] * u[2]);
                    if along > STILL { along } else { 0.0 }
                }
                _ => 0.0,
            }
        };
        let all = n + self.holds.len();
        let worst = (0..all).map(wrong).fold(0.0, f64::max);
        if worst <= band {
            return false;
        }
        let least = if one { worst } else { band };
        self.few.met.clear();
        self.few.met.extend((0..all).map(|at| wrong(at) > band && wrong(at) >= least));
        for at in 0..all {
            if !self.few.met[at] {
                continue;
            }
            match at.checked_sub(n) {
                Some(k) => self.holds[k] = Side::Free,
                None => self.let_contact_go(system, at),
            }
            if one {
                break;
            }
        }
        true
    }

    /// Another mode for a contact that pulls or helps its motion; a third one if that was refused.
    fn let_contact_go(&mut self, system: &System, i: usize) {
        let refused = self.few.refused[i] > 0;
        self.few.freed[i] = true;
        self.modes[i] = match self.modes[i].mode {
            ContactMode::Open if !refused => self.closing(system, i),
            ContactMode::Open if self.closing(system, i) == Faceted::STICK && system.mu[i] > 0.0 => {
                Faceted::SLIP
            }
            _ => Faceted::STICK,
        };
    }
}

/// The part of a step at which an impulse in its cone leaves it; infinite if it stays.
fn leaves(mu: f64, r: &[f64], d: &[f64]) -> f64 {
    let form = |x: &[f64], y: &[f64]| x[1] * y[1] + x[2] * y[2] - mu * mu * x[0] * y[0];
    // |t + s dt|² = mu² (n + s dn)²: a s² + 2 b s + c = 0
    let (a, b, c) = (form(d, d), form(r, d), form(r, r).min(0.0));
    if a + 2.0 * b + c <= 0.0 {
        return f64::INFINITY;
    }
    let slope = b + (b * b - a * c).max(0.0).sqrt();
    if slope > 0.0 { -c / slope } else { 0.0 }
}
