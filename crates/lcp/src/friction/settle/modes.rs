//! Modes: told from an answer, and changed where impulses or velocities leave them.
//!
//! ```text
//!     open → closed      u_n < 0            closed → open     r_n < 0
//!     stick → slip       |r_t| > mu r_n     slip → stick      r_tᵀ u_t > 0, the force would help the motion
//! ```
//! With facets a slip is a vertex or an edge of the polygon, and goes from one to its neighbours.

use super::{Faceted, STILL, Settle};
use crate::friction::system::System;
use crate::kernel::max_abs;
use crate::outcome::Side;
use crate::problem::ContactMode;
use crate::tolerances;

impl Settle {
    /// The modes of an answer: what does not move sticks, even if nothing presses it; what is pressed and moves slides.
    /// The residual says how well the answer tells the two apart.
    pub(crate) fn classify(&mut self, system: &System, z: &[f64], impulses: &[f64], residual: f64) {
        let still = STILL.max(10.0 * residual);
        self.r.clear();
        self.r.extend_from_slice(impulses);
        system.scalar_velocities(&self.r, &mut self.u);
        for i in 0..system.n {
            let (r, u) = (&self.r[3 * i..3 * i + 3], &self.u[3 * i..3 * i + 3]);
            let moves = max_abs(if system.mu[i] > 0.0 { u } else { &u[..1] }) > still;
            self.modes[i] = match (moves, r[0] > 0.0) {
                (false, _) => Faceted::STICK,
                (true, false) => Faceted::OPEN,
                (true, true) if self.round => Faceted::SLIP,
                (true, true) => {
                    let first = system.theta(i) + 1;
                    let mut used = (0..system.d).filter(|j| z[first + j] > 0.0);
                    let a = used.next().unwrap_or(0);
                    let b = used.next().unwrap_or(a);
                    Faceted::slip(a, b)
                }
            };
        }
        for k in 0..self.holds.len() {
            let (r, u) = (self.r[3 * system.n + k], self.u[3 * system.n + k]);
            self.holds[k] = match system.room_of(k) {
                Some(_) if u > still => Side::Lower,
                Some(room) if u < -still && r >= room => Side::Upper,
                _ => Side::Free,
            };
        }
        self.keep_modes();
    }

    /// Keeps the present modes for [`Settle::restore_modes`].
    pub(crate) fn keep_modes(&mut self) {
        self.kept.0.clone_from(&self.modes);
        self.kept.1.clone_from(&self.holds);
    }

    /// Takes modes from elsewhere.
    pub(crate) fn set_modes(&mut self, modes: &(Vec<Faceted>, Vec<Side>)) {
        self.modes.clone_from(&modes.0);
        self.holds.clone_from(&modes.1);
    }

    /// Takes an answer for round cones with the modes it belongs to: those of the natural map.
    pub(crate) fn take(&mut self, system: &System, x: &[f64], u: &[f64]) {
        self.r.clear();
        self.r.extend_from_slice(x);
        self.u.clear();
        self.u.extend_from_slice(u);
        for i in 0..system.n {
            let (x, u, mu) = (&x[3 * i..3 * i + 3], &u[3 * i..3 * i + 3], system.mu[i]);
            self.modes[i] = if mu == 0.0 {
                if x[0] > u[0] { Faceted::STICK } else { Faceted::OPEN }
            } else {
                let slip = (u[1] * u[1] + u[2] * u[2]).sqrt();
                let normal = mu * x[0] - u[0] / mu - slip;
                let size = (x[1] - u[1]).hypot(x[2] - u[2]);
                if normal >= size {
                    Faceted::STICK
                } else if normal + size > 0.0 {
                    Faceted::SLIP
                } else {
                    Faceted::OPEN
                }
            };
        }
        for k in 0..self.holds.len() {
            let y = x[3 * system.n + k] - u[3 * system.n + k];
            self.holds[k] = match system.room_of(k) {
                Some(_) if y <= 0.0 => Side::Lower,
                Some(room) if y >= room => Side::Upper,
                _ => Side::Free,
            };
        }
    }

    /// The modes as they were classified last.
    pub(crate) fn restore_modes(&mut self) {
        self.modes.clone_from(&self.kept.0);
        self.holds.clone_from(&self.kept.1);
    }

    /// Contacts and rows that left their mode by more than the band take another. True if any did.
    pub(super) fn change_modes(&mut self, system: &System, band: f64) -> bool {
        let mut changed = false;
        for i in 0..system.n {
            changed |= self.change_contact(system, i, band);
        }
        for k in 0..self.holds.len() {
            changed |= self.change_row(system, k, band);
        }
        changed
    }

    /// As [`Settle::change_modes`], for the one that left its mode furthest.
    pub(super) fn change_worst(&mut self, system: &System, band: f64) -> bool {
        let (mut worst, mut most) = (None, band);
        for at in 0..system.n + self.holds.len() {
            let off =
                at.checked_sub(system.n).map_or_else(|| self.off(system, at), |k| self.row_off(system, k));
            if off > most {
                (worst, most) = (Some(at), off);
            }
        }
        match worst {
            None => false,
            Some(at) if at < system.n => self.change_contact(system, at, band),
            Some(at) => self.change_row(system, at - system.n, band),
        }
    }

    /// How far a contact is from its mode.
    fn off(&self, system: &System, i: usize) -> f64 {
        let (r, u) = (&self.r[3 * i..3 * i + 3], &self.u[3 * i..3 * i + 3]);
        let size = (r[1] * r[1] + r[2] * r[2]).sqrt();
        match self.modes[i].mode {
            ContactMode::Open => -u[0],
            ContactMode::Stick if system.mu[i] == 0.0 => -r[0],
            ContactMode::Stick => (-r[0]).max(size - system.mu[i] * r[0].max(0.0)),
            ContactMode::Slip if size > 0.0 => (-r[0]).max((r[1] * u[1] + r[2] * u[2]) / size),
            ContactMode::Slip => -r[0],
        }
    }

    /// How far another row is from what it does.
    fn row_off(&self, system: &System, k: usize) -> f64 {
        let (r, u) = (self.r[3 * system.n + k], self.u[3 * system.n + k]);
        match (self.holds[k], system.room_of(k)) {
            (Side::Lower, Some(_)) => -u,
            (Side::Upper, Some(_)) => u,
            (Side::Free, Some(room)) => (-r).max(r - room),
            (_, None) => 0.0,
        }
    }

    fn change_contact(&mut self, system: &System, i: usize, band: f64) -> bool {
        let at = 3 * i;
        let next = if self.modes[i].mode == ContactMode::Open {
            if self.u[at] < -band { self.closing(system, i) } else { Faceted::OPEN }
        } else if self.r[at] < -band {
            Faceted::OPEN
        } else if system.mu[i] == 0.0 {
            Faceted::STICK
        } else if self.round {
            self.next_round(system, i, band)
        } else {
            self.next_facets(system, i, band)
        };
        let changed = next != self.modes[i];
        self.modes[i] = next;
        if changed && next == Faceted::OPEN {
            self.r[at..at + 3].fill(0.0);
        }
        changed
    }

    fn change_row(&mut self, system: &System, k: usize, band: f64) -> bool {
        let at = 3 * system.n + k;
        let Some(room) = system.room_of(k) else { return false };
        let next = match self.holds[k] {
            Side::Lower if self.u[at] < -band && room > 0.0 => Side::Free,
            Side::Upper if self.u[at] > band && room > 0.0 => Side::Free,
            Side::Free if self.r[at] < -band => Side::Lower,
            Side::Free if self.r[at] > room + band => Side::Upper,
            hold => hold,
        };
        let changed = next != self.holds[k];
        self.holds[k] = next;
        match next {
            Side::Lower if changed => self.r[at] = 0.0,
            Side::Upper if changed => self.r[at] = room,
            _ => {}
        }
        changed
    }

    /// Opens the pressed contact that moves away fastest, if any does: dependent rows that contradict each other, by the
    /// rounding of the geometry they come from, cannot all be at rest, and the one that is pushed away carries nothing.
    pub(super) fn release(&mut self, system: &System, band: f64) -> bool {
        let pressed =
            (0..system.n).filter(|&i| self.modes[i].mode != ContactMode::Open && self.r[3 * i] > 0.0);
        let fastest = pressed.max_by(|&a, &b| self.u[3 * a].total_cmp(&self.u[3 * b]));
        let Some(i) = fastest.filter(|&i| self.u[3 * i] > band) else { return false };
        self.modes[i] = Faceted::OPEN;
        self.r[3 * i..3 * i + 3].fill(0.0);
        true
    }

    /// The mode of a contact that closes: it slides if it moves along.
    pub(super) fn closing(&self, system: &System, i: usize) -> Faceted {
        let t = [self.u[3 * i + 1], self.u[3 * i + 2]];
        // a thousandth of the largest velocity
        if system.mu[i] == 0.0 || t[0] * t[0] + t[1] * t[1] < tolerances::CLOSES_STICKING {
            return Faceted::STICK;
        }
        if self.round {
            return Faceted::SLIP;
        }
        let (_, _, [a, _]) = system.facets_of(i, [-t[0], -t[1]]);
        Faceted::slip(a, a)
    }

    fn next_round(&mut self, system: &System, i: usize, band: f64) -> Faceted {
        let at = 3 * i;
        let limit = system.mu[i] * self.r[at].max(0.0);
        let [t1, t2] = [self.r[at + 1], self.r[at + 2]];
        let size = (t1 * t1 + t2 * t2).sqrt();
        match self.modes[i].mode {
            ContactMode::Stick if size > limit + band && limit > 0.0 => {
                self.r[at + 1] *= limit / size;
                self.r[at + 2] *= limit / size;
                Faceted::SLIP
            }
            ContactMode::Slip if size > 0.0 => {
                let along = (t1 * self.u[at + 1] + t2 * self.u[at + 2]) / size;
                if along > band.max(STILL) { Faceted::STICK } else { self.modes[i] }
            }
            ContactMode::Open | ContactMode::Stick | ContactMode::Slip => self.modes[i],
        }
    }

    /// From sticking to a vertex, from there to an edge or back, from an edge to one of its ends.
    fn next_facets(&mut self, system: &System, i: usize, band: f64) -> Faceted {
        let at = 3 * i;
        let [t1, t2] = [self.r[at + 1], self.r[at + 2]];
        let limit = system.mu[i] * self.r[at].max(0.0);
        let along = |j: usize| {
            let [c, s] = system.dirs[i * system.d + j];
            c * self.u[at + 1] + s * self.u[at + 2]
        };
        let held = self.modes[i];
        match held.mode {
            ContactMode::Stick => {
                let (fa, fb, [a, _]) = system.facets_of(i, [t1, t2]);
                if fa + fb <= limit + band || limit == 0.0 {
                    return Faceted::STICK;
                }
                let [c, s] = system.dirs[i * system.d + a];
                (self.r[at + 1], self.r[at + 2]) = (limit * c, limit * s);
                Faceted::slip(a, a)
            }
            ContactMode::Slip if held.along.0 == held.along.1 => {
                let a = usize::from(held.along.0);
                let d = system.d;
                let best =
                    [(a + 1) % d, (a + d - 1) % d].into_iter().min_by(|&x, &y| along(x).total_cmp(&along(y)));
                let best = best.unwrap_or(a);
                if along(a) > band.max(STILL) {
                    Faceted::STICK
                } else if along(best) < along(a) - band {
                    Faceted::slip(a, best)
                } else {
                    held
                }
            }
            ContactMode::Slip => {
                let (a, b) = (usize::from(held.along.0), usize::from(held.along.1));
                let share = |j: usize, k: usize| {
                    let ([c, s], [c2, s2]) = (system.dirs[i * system.d + j], system.dirs[i * system.d + k]);
                    (t1 * s2 - t2 * c2) / (c * s2 - s * c2)
                };
                let (fa, fb) = (share(a, b), share(b, a));
                let end = if fb < -band { a } else { b };
                if fa.min(fb) < -band {
                    let [c, s] = system.dirs[i * system.d + end];
                    (self.r[at + 1], self.r[at + 2]) = (limit * c, limit * s);
                    Faceted::slip(end, end)
                } else {
                    held
                }
            }
            ContactMode::Open => held,
        }
    }
}
