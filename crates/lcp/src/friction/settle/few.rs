//! Few rows: the Delassus matrix itself, swept and then solved.
//!
//! A walking robot has a handful of contacts, and modes that change at every step. For as few rows as that nothing is
//! cheaper than W = A Aᵀ written out: a sweep of Gauss and Seidel over it costs less than a hundredth of a factor of
//! the size of the degrees of freedom, and leads into the cones near the answer; Newton's method on the equations of the
//! modes finishes: a few whole steps from the modes that the sweeps left, and where they lead away, steps that are held
//! inside the cones by a ratio test as pivoting methods are. Without that test two contacts of one foot fight along the
//! line that joins them with a thousand times their weight, and modes go round in circles.
//!
//! ```text
//!     sweep    r_i ← the answer of contact i alone, the others held        open, stick, or slip at the angle θ with
//!              g(θ) = u_tᵀ e⊥ = 0,  r_n = −b_n / (W_nn + mu W_ntᵀ e),  r_t = mu r_n e,  u = b + W_ii r
//!     step     (R W C + ε + c) α = −R u,   r ← r + s C α                   columns, rows and c as in the parent's table;
//!     leap     s = 1, modes those of r − u / W_ii before each step
//!     climb    s ≤ 1 where the first contact meets its cone, or lifts; it takes the mode of the bound
//! ```
//!
//! | symbol | meaning                                              |
//! |--------|------------------------------------------------------|
//! | W      | Delassus matrix of all scalar rows, by rows          |
//! | b      | velocity of a contact if it had no impulse           |
//! | e, e⊥  | direction of a contact's friction, and across it     |
//! | ε      | the parent's shift: what is not determined stays     |
//!
//! The answer is measured on the rows of the problem, not on W.

use super::{Hold, Mode, SHIFT, STILL, Settle, band};
use crate::friction::dense::solve_in_place;
use crate::friction::system::System;
use crate::kernel::{axpy, dot, gram, max_abs};

/// The most scalar rows with which this is the first way, 32 contacts, unless the degrees of freedom are fewer than two
/// thirds of them: W is then singular enough for what the parent does to be cheaper.
const FEW: usize = 96;
/// The most scalar rows with which this is a way at all: a step takes their third power.
const MANY: usize = 1200;
/// Room is made for a multiple of this many rows, so that a contact more does not allocate.
const ROOM: usize = 48;
/// Sweeps before each try, and the steps of Newton's method in it: first the modes as they are remembered, then on from
/// where the last try ended, and once more from the start with a step more for each contact.
const TRIES: [(usize, usize); 5] = [(0, 6), (4, 16), (16, 24), (64, 40), (64, 40)];
/// Steps to the angle of one sliding contact in a sweep; the next sweep goes on from there.
const TURNS: usize = 3;
/// Whole steps in one leap.
const LEAPS: usize = 12;
/// Inside its cone by this part, a swept contact sticks: sweeps put a sliding one on the cone to rounding.
const INSIDE: f64 = 1e-9;

/// W and the scratch memory of its solves.
#[derive(Debug, Clone, Default)]
pub(super) struct Few {
    w: Vec<f64>,       // rows × rows, by rows
    y: Vec<f64>,       // one row of R W; one column of W while it is written out
    columns: Vec<f64>, // the rows of the problem, by degree of freedom
    matrix: Vec<f64>,
    alpha: Vec<f64>,
    unknowns: Vec<Unknown>,
    step: Vec<f64>,   // C α, by row
    met: Vec<bool>,   // contacts, then rows, that met a bound
    start: Vec<f64>,  // impulses as they were remembered
    freed: Vec<bool>, // contacts that were let go last
    refused: Vec<u8>, // how often a contact's change was undone at once
}

/// One column of C with its row of R.
#[derive(Debug, Clone, Copy)]
enum Unknown {
    /// A row that is still.
    Still(usize),
    /// The normal of a sliding contact, its friction going along: the contact and e.
    Pressed(usize, [f64; 2]),
    /// Across a sliding contact: the contact, e and c.
    Across(usize, [f64; 2], f64),
}

impl Few {
    /// Writes out W.
    fn load(&mut self, system: &System) {
        let (rows, width) = (system.q.len(), system.width());
        let room = rows.next_multiple_of(ROOM);
        for v in [&mut self.w, &mut self.columns, &mut self.matrix] {
            v.clear();
            v.reserve(room * room.max(width));
        }
        for v in [&mut self.alpha, &mut self.start, &mut self.step, &mut self.y] {
            v.clear();
            v.reserve(room);
        }
        self.unknowns.clear();
        self.unknowns.reserve(room);
        for v in [&mut self.met, &mut self.freed] {
            v.clear();
            v.reserve(room);
        }
        self.refused.clear();
        self.refused.reserve(room);
        self.w.resize(rows * rows, 0.0);
        if system.is_factored() {
            // by degrees of freedom, so that W is a sum of outer products of their rows
            self.columns.clear();
            self.columns.resize(width * rows, 0.0);
            for k in 0..rows {
                for (at, values) in system.runs(k) {
                    for (j, v) in values.iter().enumerate() {
                        self.columns[(at + j) * rows + k] = *v;
                    }
                }
            }
            gram(&self.columns, rows, &mut self.w);
            return;
        }
        for k in 0..rows {
            self.y.clear();
            self.y.resize(width, 0.0);
            system.impel(k, 1.0, &mut self.y);
            for j in 0..rows {
                self.w[j * rows + k] = system.velocity(j, &self.y);
            }
        }
    }

    fn row(&self, k: usize, rows: usize) -> &[f64] {
        &self.w[k * rows..(k + 1) * rows]
    }
}

impl Settle {
    /// Whether the problem has so few rows that [`Settle::climb_few`] is the first way, or the second.
    pub(crate) fn is_few(&self, system: &System, first: bool) -> bool {
        let rows = system.q.len();
        let most = if first { FEW.min(3 * system.width() / 2) } else { MANY };
        self.round && rows > 0 && rows <= most
    }

    /// From the modes and impulses at hand to an answer; false, and everything as it was, if none is found.
    pub(crate) fn climb_few(&mut self, system: &System) -> bool {
        self.few.load(system);
        self.few.start.clone_from(&self.r);
        self.keep_modes();
        for (k, (sweeps, steps)) in TRIES.into_iter().enumerate() {
            let last = k + 1 == TRIES.len();
            if last {
                self.r.clone_from(&self.few.start);
                self.restore_modes();
            }
            self.inside(system);
            if sweeps > 0 {
                self.sweep(system, sweeps);
            }
            if sweeps > 0 && self.leap(system) {
                return true;
            }
            let more = if last { system.n } else { 0 };
            if self.climb(system, steps, more) && self.measured(system) <= self.acceptable(band(&self.r)) {
                return true;
            }
        }
        self.r.clone_from(&self.few.start);
        self.restore_modes();
        false
    }

    /// u = W r + q.
    fn few_velocities(&mut self, system: &System) {
        let rows = system.q.len();
        self.u.clear();
        self.u.extend((0..rows).map(|k| system.q[k] + dot(self.few.row(k, rows), &self.r)));
    }

    /// Impulses to their signs and cones; those of open contacts are none.
    fn inside(&mut self, system: &System) {
        if self.r.iter().any(|v| !v.is_finite()) {
            self.r.fill(0.0);
        }
        for i in 0..system.n {
            let at = 3 * i;
            let open = self.modes[i] == Mode::Open;
            let slides = matches!(self.modes[i], Mode::Slip(..));
            let limit = if open { 0.0 } else { system.mu[i] * self.r[at].max(0.0) };
            let size = (self.r[at + 1] * self.r[at + 1] + self.r[at + 2] * self.r[at + 2]).sqrt();
            self.r[at] = if open { 0.0 } else { self.r[at].max(0.0) };
            if size > limit || (slides && size > 0.0) {
                self.r[at + 1] *= limit / size;
                self.r[at + 2] *= limit / size;
            }
        }
        self.clip(system);
    }

    /// Sweeps over contacts and rows, each solved alone, and the modes that come of it.
    fn sweep(&mut self, system: &System, sweeps: usize) {
        let (n, rows) = (system.n, system.q.len());
        for _ in 0..sweeps {
            let mut moved = 0.0_f64;
            for i in 0..n {
                let at = 3 * i;
                let mu = system.mu[i];
                let before = [self.r[at], self.r[at + 1], self.r[at + 2]];
                let size = if mu > 0.0 { 3 } else { 1 };
                let mut block = [[0.0; 3]; 3];
                let mut b = [0.0; 3];
                for k in 0..size {
                    let row = self.few.row(at + k, rows);
                    block[k].copy_from_slice(&row[at..at + 3]);
                    b[k] = system.q[at + k] + dot(row, &self.r) - dot(&block[k], &before);
                }
                let after = alone(&block, b, mu, before);
                for k in 0..3 {
                    moved = moved.max((after[k] - before[k]).abs());
                    self.r[at + k] = after[k];
                }
            }
            for k in 0..self.holds.len() {
                let at = 3 * n + k;
                let row = self.few.row(at, rows);
                let free = self.r[at] - (system.q[at] + dot(row, &self.r)) / row[at].max(SHIFT);
                let next = system.room_of(k).map_or(free, |room| free.clamp(0.0, room));
                moved = moved.max((next - self.r[at]).abs());
                self.r[at] = next;
            }
            if moved <= band(&self.r) {
                break;
            }
        }
        self.modes_of_impulses(system);
    }

    /// The modes that impulses inside their cones belong to.
    fn modes_of_impulses(&mut self, system: &System) {
        let n = system.n;
        for i in 0..n {
            let at = 3 * i;
            let friction = (self.r[at + 1] * self.r[at + 1] + self.r[at + 2] * self.r[at + 2]).sqrt();
            self.modes[i] = if self.r[at] <= 0.0 {
                Mode::Open
            } else if friction <= (1.0 - INSIDE) * system.mu[i] * self.r[at] || system.mu[i] == 0.0 {
                Mode::Stick
            } else {
                Mode::Slip(0, 0)
            };
        }
        for k in 0..self.holds.len() {
            let r = self.r[3 * n + k];
            self.holds[k] = match system.room_of(k) {
                Some(_) if r <= 0.0 => Hold::Lo,
                Some(room) if r >= room => Hold::Hi,
                _ => Hold::Free,
            };
        }
    }

    /// Newton's method with whole steps, each from the modes that the present impulses and velocities belong to. True if it
    /// ends in an answer; else everything is as it was.
    fn leap(&mut self, system: &System) -> bool {
        self.best_r.clone_from(&self.r);
        self.few_velocities(system);
        let mut errors = [f64::INFINITY; 3];
        for _ in 0..LEAPS {
            self.read_modes(system);
            if !self.few_direction(system) {
                break;
            }
            axpy(1.0, &self.few.step, &mut self.r);
            if self.r.iter().any(|v| !v.is_finite()) {
                break;
            }
            self.put_on_circles(system);
            self.few_velocities(system);
            let (error, band) = (self.error(system), band(&self.r));
            if error <= 0.1 * band || (error <= self.acceptable(band) && error > 0.5 * errors[2]) {
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
                self.modes[i] = Mode::Open;
                self.r[at..at + 3].fill(0.0);
            } else if mu == 0.0 || size <= mu * normal {
                self.modes[i] = Mode::Stick;
            } else {
                self.modes[i] = Mode::Slip(0, 0);
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
                (Hold::Lo, 0.0)
            } else if free >= room {
                (Hold::Hi, room)
            } else {
                (Hold::Free, self.r[at])
            };
        }
        self.few_velocities(system);
    }

    /// Newton's method on the equations of the modes, from impulses inside their cones and never out of them: a step ends
    /// where the first contact or row meets its bound, and that one takes the mode of the bound. Where a whole step is
    /// taken, what pulls or helps its motion is let go. True if it ends in an answer.
    fn climb(&mut self, system: &System, steps: usize, more: usize) -> bool {
        self.few_velocities(system);
        self.few.freed.clear();
        self.few.freed.resize(system.n, false);
        self.few.refused.clear();
        self.few.refused.resize(system.n, 0);
        let (mut least, mut slowly) = (f64::INFINITY, 0);
        for step in 0..steps + more {
            if !self.few_direction(system) {
                return false;
            }
            let blocked = self.few_advance(system);
            if self.r.iter().any(|v| !v.is_finite()) {
                return false;
            }
            self.few_velocities(system);
            let (error, band) = (self.error(system), band(&self.r));
            if error <= 0.1 * band {
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

    /// What the equations of the modes still lack.
    fn few_unsolved(&self) -> f64 {
        let left = self.few.unknowns.iter().map(|unknown| match *unknown {
            Unknown::Still(at) => self.u[at].abs(),
            Unknown::Pressed(i, _) => self.u[3 * i].abs(),
            Unknown::Across(i, ..) => {
                let [c, s] = unit([self.r[3 * i + 1], self.r[3 * i + 2]]).unwrap_or_default();
                (c * self.u[3 * i + 2] - s * self.u[3 * i + 1]).abs()
            }
        });
        left.fold(0.0, f64::max)
    }

    /// The whole step C α of the present modes, by row.
    fn few_direction(&mut self, system: &System) -> bool {
        self.few_unknowns(system);
        let rows = system.q.len();
        let Few { w, y, matrix, alpha, unknowns, step, .. } = &mut self.few;
        let size = unknowns.len();
        step.clear();
        step.resize(rows, 0.0);
        if size == 0 {
            return true;
        }
        matrix.clear();
        matrix.resize(size * size, 0.0);
        alpha.clear();
        let line = |at: usize| &w[at * rows..(at + 1) * rows];
        for (j, (unknown, out)) in unknowns.iter().zip(matrix.chunks_exact_mut(size)).enumerate() {
            // a row of R W, W read by rows: in local form it may be unsymmetric
            let (row, velocity) = match *unknown {
                Unknown::Still(at) => (line(at), self.u[at]),
                Unknown::Pressed(i, _) => (line(3 * i), self.u[3 * i]),
                Unknown::Across(i, [c, s], turn) => {
                    y.clear();
                    y.extend(line(3 * i + 2).iter().zip(line(3 * i + 1)).map(|(t2, t1)| c * t2 - s * t1));
                    out[j] = turn;
                    (&y[..], c * self.u[3 * i + 2] - s * self.u[3 * i + 1])
                }
            };
            for (v, unknown) in out.iter_mut().zip(&*unknowns) {
                *v += match *unknown {
                    Unknown::Still(at) => row[at],
                    Unknown::Pressed(i, [c, s]) => {
                        row[3 * i] + system.mu[i] * (c * row[3 * i + 1] + s * row[3 * i + 2])
                    }
                    Unknown::Across(i, [c, s], _) => c * row[3 * i + 2] - s * row[3 * i + 1],
                };
            }
            out[j] += SHIFT;
            // a contact that hardly presses hardly turns: its equation is large, and would make others seem singular
            let size = out[j].abs().max(1.0);
            if size > 1.0 {
                out.iter_mut().for_each(|v| *v /= size);
            }
            alpha.push(-velocity / size);
        }
        if !solve_in_place(matrix, size, alpha) {
            return false;
        }
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
        true
    }

    /// Takes as much of the step as no bound forbids; what met its bound takes its mode. True if anything did.
    fn few_advance(&mut self, system: &System) -> bool {
        let n = system.n;
        let step = &self.few.step;
        let contact = |i: usize| -> f64 {
            let (r, d) = (&self.r[3 * i..3 * i + 3], &step[3 * i..3 * i + 3]);
            let lifts = if d[0] < 0.0 { r[0].max(0.0) / -d[0] } else { f64::INFINITY };
            match self.modes[i] {
                Mode::Open => f64::INFINITY,
                Mode::Stick if system.mu[i] > 0.0 => lifts.min(leaves(system.mu[i], r, d)),
                _ => lifts,
            }
        };
        let single = |k: usize| -> f64 {
            let (r, d) = (self.r[3 * n + k], step[3 * n + k]);
            match system.room_of(k) {
                Some(_) if self.holds[k] != Hold::Free => f64::INFINITY,
                Some(_) if d < 0.0 => r.max(0.0) / -d,
                Some(room) if d > 0.0 => (room - r).max(0.0) / d,
                _ => f64::INFINITY,
            }
        };
        let part = (0..n).map(contact).chain((0..self.holds.len()).map(single)).fold(1.0, f64::min);
        // met at the same time, but for rounding
        let last = part * (1.0 + 1e-9) + 1e-15;
        let mut blocked = false;
        // decided before anything moves
        self.few.met.clear();
        if part < 1.0 {
            self.few.met.extend((0..n).map(|i| contact(i) <= last));
            self.few.met.extend((0..self.holds.len()).map(|k| single(k) <= last));
        }
        for i in 0..n {
            // let go, and back at its bound before anything moved
            if part > 1e-12 && part < 1.0 {
                self.few.refused[i] = 0;
            } else if part < 1.0 && self.few.freed[i] && self.few.met[i] {
                self.few.refused[i] += 1;
            }
            self.few.freed[i] = false;
        }
        axpy(part, &self.few.step, &mut self.r);
        self.put_on_circles(system);
        let nothing = 1e-14 * max_abs(&self.r).max(1.0);
        for at in (0..self.few.met.len()).filter(|&at| self.few.met[at]) {
            blocked = true;
            if let Some(k) = at.checked_sub(n) {
                let up = self.few.step[3 * n + k] > 0.0;
                let room = system.room_of(k).unwrap_or(f64::INFINITY);
                (self.holds[k], self.r[3 * n + k]) = if up { (Hold::Hi, room) } else { (Hold::Lo, 0.0) };
            } else if self.r[3 * at] <= nothing && self.few.step[3 * at] <= 0.0 {
                self.modes[at] = Mode::Open;
                self.r[3 * at..3 * at + 3].fill(0.0);
            } else {
                self.modes[at] = Mode::Slip(0, 0);
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
                    (Hold::Lo, Some(room)) if room > 0.0 => -u,
                    (Hold::Hi, Some(room)) if room > 0.0 => u,
                    _ => 0.0,
                };
            }
            let (r, u) = (&self.r[3 * at..3 * at + 3], &self.u[3 * at..3 * at + 3]);
            match self.modes[at] {
                Mode::Open if self.few.refused[at] < 2 => -u[0],
                Mode::Slip(..) if self.few.refused[at] == 0 => {
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
                Some(k) => self.holds[k] = Hold::Free,
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
        self.modes[i] = match self.modes[i] {
            Mode::Open if !refused => self.closing(system, i),
            Mode::Open if self.closing(system, i) == Mode::Stick && system.mu[i] > 0.0 => Mode::Slip(0, 0),
            _ => Mode::Stick,
        };
    }

    /// The unknowns of the present modes.
    fn few_unknowns(&mut self, system: &System) {
        let unknowns = &mut self.few.unknowns;
        unknowns.clear();
        for i in 0..system.n {
            let at = 3 * i;
            match self.modes[i] {
                Mode::Open => {}
                Mode::Stick => {
                    let size = if system.mu[i] > 0.0 { 3 } else { 1 };
                    unknowns.extend((at..at + size).map(Unknown::Still));
                }
                Mode::Slip(..) => {
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
        let held = self.holds.iter().enumerate().filter(|(_, h)| **h == Hold::Free);
        unknowns.extend(held.map(|(k, _)| Unknown::Still(3 * system.n + k)));
    }
}

fn unit(t: [f64; 2]) -> Option<[f64; 2]> {
    let size = (t[0] * t[0] + t[1] * t[1]).sqrt();
    (size > 0.0).then(|| [t[0] / size, t[1] / size])
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

/// The impulse of one contact with u = b + W r, from an earlier one.
fn alone(w: &[[f64; 3]; 3], b: [f64; 3], mu: f64, before: [f64; 3]) -> [f64; 3] {
    if b[0] >= 0.0 {
        return [0.0; 3];
    }
    if mu == 0.0 {
        return [-b[0] / w[0][0].max(SHIFT), 0.0, 0.0];
    }
    let stick = still(w, b);
    let friction = [stick[1], stick[2]];
    if stick[0] > 0.0 && dot(&friction, &friction) <= (mu * stick[0]) * (mu * stick[0]) {
        return stick;
    }
    let slides =
        before[0] > 0.0 && dot(&before[1..], &before[1..]) >= 0.99 * (mu * before[0]) * (mu * before[0]);
    let first = if slides { [before[1], before[2]] } else { [-b[1], -b[2]] };
    let mut e = unit(first).unwrap_or([1.0, 0.0]);
    let mut r = [0.0; 3];
    for turn in 0..=TURNS {
        let across = [-e[1], e[0]];
        // a surface that friction would press on without end is taken without that help
        let give = (w[0][0] + mu * (w[0][1] * e[0] + w[0][2] * e[1])).max(0.05 * w[0][0]).max(SHIFT);
        r = [-b[0] / give, -b[0] / give * mu * e[0], -b[0] / give * mu * e[1]];
        if turn == TURNS {
            break;
        }
        let u = [1, 2].map(|k| b[k] + dot(&w[k], &r));
        let more = -r[0] * mu * (w[0][1] * across[0] + w[0][2] * across[1]) / give; // ∂r_n/∂θ
        let change = [0, 1].map(|k| mu * (more * e[k] + r[0] * across[k]));
        let du = [1, 2].map(|k| w[k][0] * more + w[k][1] * change[0] + w[k][2] * change[1]);
        let g = u[0] * across[0] + u[1] * across[1];
        let slope = du[0] * across[0] + du[1] * across[1] - (u[0] * e[0] + u[1] * e[1]);
        // downhill, or against the motion where the slope misleads
        let angle = if slope > 0.0 { (-g / slope).clamp(-1.0, 1.0) } else { (-g).signum() };
        let (sin, cos) = angle.sin_cos();
        e = [e[0] * cos - e[1] * sin, e[1] * cos + e[0] * sin];
    }
    r
}

/// r with b + W r = 0, W moved a little from singular.
fn still(w: &[[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    let mut a = [0.0; 9];
    for i in 0..3 {
        a[3 * i..3 * i + 3].copy_from_slice(&w[i]);
        a[4 * i] += SHIFT;
    }
    let cross = |i: usize, j: usize| {
        let (x, y) = (&a[3 * i..3 * i + 3], &a[3 * j..3 * j + 3]);
        [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    };
    let (c0, c1, c2) = (cross(1, 2), cross(2, 0), cross(0, 1));
    let det = dot(&a[..3], &c0);
    [0, 1, 2].map(|k| -(c0[k] * b[0] + c1[k] * b[1] + c2[k] * b[2]) / det)
}

#[cfg(test)]
mod tests {
    use super::{SHIFT, alone, still};
    use crate::friction::cone::natural_map;
    use crate::kernel::max_abs;

    #[test]
    fn one_contact_alone_is_solved_in_each_of_its_modes() {
        let w = [[1.0, 0.2, -0.1], [0.2, 0.9, 0.3], [-0.1, 0.3, 1.1]];
        for (b, mu, slides) in [
            ([0.1, 3.0, 1.0], 0.5, false),
            ([-1.0, 0.05, -0.02], 0.5, false),
            ([-1.0, 0.8, 0.4], 0.5, true),
            ([-1.0, -0.3, 2.0], 0.8, true),
            ([-1.0, -0.3, 2.0], 0.0, false),
        ] {
            let mut r = [0.0; 3];
            for _ in 0..5 {
                r = alone(&w, b, mu, r);
            }
            let mut u: Vec<f64> =
                (0..3).map(|k| b[k] + (0..3).map(|j| w[k][j] * r[j]).sum::<f64>()).collect();
            if mu == 0.0 {
                u.truncate(1);
                assert!(u[0].abs() < 1e-12 && r[0] > 0.0);
            } else {
                // the shift leaves itself times an impulse of about one
                assert!(max_abs(&natural_map(mu, &r, &u)) < 2.0 * SHIFT, "{b:?}: {r:?} {u:?}");
                let friction = r[1].hypot(r[2]);
                assert_eq!(slides, r[0] > 0.0 && friction > 0.999 * mu * r[0]);
            }
        }
        let r = still(&w, [0.3, -0.2, 0.7]);
        assert!(
            (0..3).all(
                |k| (w[k][0] * r[0] + w[k][1] * r[1] + w[k][2] * r[2] + [0.3, -0.2, 0.7][k]).abs() < 1e-8
            )
        );
    }
}
