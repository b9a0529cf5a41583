//! The answer from remembered modes: one factorisation and one check, without a basis.
//!
//! Given which contacts stick, slide and are open, the impulses follow from linear equations (and a few Newton steps
//! where something slides). With B the rows that must not move (sticking contacts, equations, rows between their
//! bounds), y = Bᵀ r what their impulses do, and H = BᵀB, of the size of the degrees of freedom whatever the number
//! of contacts,
//!
//! ```text
//!     stick   r ← r − B (H + ε)⁻² Bᵀ u_B            the least change of the impulses that stops the rows
//!     slide   S α = −ρ,  S = Rᵀ Π C + diag(c)        Π C = ε (H + ε)⁻¹ C, what the sticking rows leave of a push
//! ```
//!
//! Redundant contacts share: the least change spreads over all of them, so that forces stay inside their cones and
//! do not flicker from step to step, where a basis would give everything to three feet of sixteen and hand it on
//! when their signs tire. ε = 1e-9 of rows of size one makes the step that of the proximal point method: what is not
//! determined stays where it is, what is determined comes nearer by ε/σ² each time, and steps are repeated until the
//! residual, measured on the original rows, says that it is an answer.
//!
//! | mode          | unknowns                    | columns C                  | rows R      | c            |
//! |---------------|-----------------------------|----------------------------|-------------|--------------|
//! | stick         | r_n, r_t1, r_t2             | in B                       | in B        |              |
//! | slip, round   | r_n and the angle of e      | a_n + mu a_e, a_e⊥         | a_n, a_e⊥   | 0, λ/(mu r_n)|
//! | slip, vertex  | r_n                         | a_n + mu a_d               | a_n         | 0            |
//! | slip, edge    | r_n and the share of d_b    | a_n + mu a_da, a_db − a_da | the same    | 0            |
//!
//! A contact that leaves its mode takes another, for a few rounds; if that does not end in an answer, the pivoting
//! search has the word. Departure from the papers: they know only bases.

use super::cone::natural_map;
use super::envelope::Envelope;
use super::system::System;
use crate::kernel::{axpy, dot, max_abs};

/// The shift of H; rows have size one.
const SHIFT: f64 = 1e-9;
/// A residual that is good enough, scaled.
const GOOD: f64 = 1e-12;
/// The residual that will do where steps do not make it better, scaled: half of what counts as solved.
const STALLED: f64 = 0.5 * crate::outcome::SOLVED;
/// Projections on the cones between two steps. Each costs a tenth of a factorisation, and on the wall 60 of them,
/// where fewer leave contacts that change their modes, save more than they cost.
const RELAX: usize = 60;
/// How much narrower the cones are that impulses are moved to, so that they end inside.
const NARROW: f64 = 0.95;
/// How far a projection goes, of the way to the cone: a little into it comes there sooner. On the wall 1.6 takes two
/// thirds of the instructions of 1.
const BEYOND: f64 = 1.6;
/// Steps before the search is asked.
const STEPS: usize = 16;
/// Factorisations before the search is asked.
const FACTORS: usize = 8;
/// Rows of sliding contacts that are solved for densely; more are left to the search.
const SLIDING: usize = 300;

/// What is slower does not move: the accuracy of an answer, where velocities have size one.
const STILL: f64 = 1e-9;

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// No impulse.
    #[default]
    Open,
    /// At rest.
    Stick,
    /// Sliding; with facets, along these two (the same twice for a vertex).
    Slip(u8, u8),
}

/// What another row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Hold {
    /// At its lower bound; zero for a unilateral row.
    #[default]
    Lo,
    /// Between its bounds, at rest.
    Free,
    /// At its upper bound.
    Hi,
}

/// A sliding unknown: what it does to the three impulses of its contact, and the row that tests it.
#[derive(Debug, Clone, Copy)]
struct Slide {
    contact: usize,
    place: usize, // among the sliding contacts
    column: [f64; 3],
    row: [f64; 3],
    compliance: f64,
}

/// Modes and impulses, with the scratch memory of the steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settle {
    /// By contact.
    pub(crate) modes: Vec<Mode>,
    /// By row that is not a contact's.
    pub(crate) holds: Vec<Hold>,
    /// Impulses of the scalar rows, scaled.
    pub(crate) r: Vec<f64>,
    u: Vec<f64>,
    round: bool,
    inner: f64, // the circle inside the facets, of the one around them
    envelope: Envelope,
    still: Vec<usize>, // scalar rows of B
    slides: Vec<Slide>,
    sliding: Vec<usize>, // contacts
    columns: Vec<f64>,   // Π a of the three rows of every sliding contact, width each
    coupling: Vec<f64>,  // aᵀ Π a of these rows, by rows
    s: Vec<f64>,
    alpha: Vec<f64>,
    pivots: Vec<usize>,
    g: Vec<f64>,
    best_r: Vec<f64>,
    kept: (Vec<Mode>, Vec<Hold>), // as classified
    reserved: (usize, usize),     // scalar rows and width that there is room for
    /// The residual of the answer, scaled.
    pub(crate) residual: f64,
}

impl Settle {
    /// Makes room for a problem: everything open, no impulses.
    pub(crate) fn reset(&mut self, system: &System, round: bool) {
        self.reserve(system);
        self.round = round;
        self.inner = (std::f64::consts::PI / system.d as f64).cos();
        self.modes.clear();
        self.modes.resize(system.n, Mode::Open);
        self.holds.clear();
        self.holds.resize(system.singles(), Hold::Lo);
        let first_free = system.singles() - system.n_equality();
        self.holds[first_free..].fill(Hold::Free);
        self.r.clear();
        self.r.resize(system.q.len(), 0.0);
    }

    /// Room for whatever modes the rows may take, so that only a larger problem allocates.
    fn reserve(&mut self, system: &System) {
        let (rows, width) = (system.q.len(), system.width());
        if self.reserved == (rows, width) || !system.is_factored() {
            return;
        }
        self.reserved = (rows, width);
        self.still.clear();
        self.still.extend(0..rows);
        self.shape(system);
        let rows_sliding = SLIDING.min(3 * system.n);
        self.slides.clear();
        self.slides.reserve(rows_sliding);
        for v in [&mut self.pivots, &mut self.sliding] {
            v.clear();
            v.reserve(rows_sliding.max(system.n));
        }
        let square = rows_sliding * rows_sliding;
        self.columns.clear();
        self.columns.reserve(rows_sliding * width);
        for (v, room) in
            [(&mut self.alpha, rows_sliding), (&mut self.coupling, square), (&mut self.s, square)]
        {
            v.clear();
            v.reserve(room);
        }
        for v in [&mut self.r, &mut self.u, &mut self.best_r, &mut self.g] {
            v.clear();
            v.reserve(rows.max(width));
        }
    }

    /// Steps until the impulses are an answer for round cones, or for the facets as far as modes can tell; false if
    /// they do not become one. The answer is in `r` and `modes`.
    pub(crate) fn run(&mut self, system: &System) -> bool {
        if !system.is_factored() {
            return false;
        }
        let (mut last, mut best) = (f64::INFINITY, f64::INFINITY);
        let (mut factors, mut fresh, mut slowly) = (0, true, 0);
        for step in 0..STEPS {
            system.scalar_velocities(&self.r, &mut self.u);
            let mut error = self.error(system);
            let band = band(&self.r);
            if step > 0 && error > band && self.relax(system) {
                system.scalar_velocities(&self.r, &mut self.u);
                error = self.error(system);
            }
            if step > 0 && error < best {
                best = error;
                self.best_r.clone_from(&self.r);
            }
            // what Newton has still to do must not be taken for a contact that leaves its mode
            let changed =
                step > 0 && error > band && self.change_modes(system, band.max(10.0 * self.unsolved()));
            // crisp, or as good as it gets, or equations that have no solution
            let slow = step > 1 && !changed && error > 0.25 * last;
            slowly = if slow { slowly + 1 } else { 0 };
            let stalled = slowly > 1 && error <= self.acceptable(band);
            let enough = error <= 0.1 * band || (slow && last <= band) || stalled || slowly > 2;
            if (step > 0 && !changed && enough) || step + 1 == STEPS {
                break;
            }
            last = error;
            if changed {
                best = f64::INFINITY;
                fresh = true;
                system.scalar_velocities(&self.r, &mut self.u);
            }
            if fresh {
                factors += 1;
                if factors > FACTORS || !self.factor(system) || !self.project_sliding(system) {
                    return false;
                }
                fresh = false;
            }
            self.list_slides(system);
            if std::env::var("GDBG2").is_ok() {
                let count = |f: fn(&Mode) -> bool| self.modes.iter().filter(|m| f(m)).count();
                eprintln!("   settle step {step} error {error:e} unsolved {:e} changed {changed} stick {} slip {} holds {} wide {}", self.unsolved(), count(|m| *m == Mode::Stick), count(|m| matches!(m, Mode::Slip(..))), self.holds.iter().filter(|h| **h == Hold::Free).count(), system.is_wide());
            }
            if !self.step(system) {
                return false;
            }
        }
        if best > self.acceptable(band(&self.best_r)) {
            return false;
        }
        std::mem::swap(&mut self.r, &mut self.best_r);
        self.clip(system);
        system.scalar_velocities(&self.r, &mut self.u);
        self.residual = self.error(system);
        // one scaling for all may hide a light body behind a heavy one, unless there is nothing to hide; facets are held
        // against each row's own numbers
        let crisp = 1e-14 * max_abs(&self.r).max(1.0);
        self.residual <= if system.is_wide() && !self.round { crisp } else { self.acceptable(band(&self.r)) }
    }

    /// What is an answer once steps no longer make it better: redundant rows may contradict each other by the rounding
    /// of the geometry they come from, and then no impulses stop them all.
    fn acceptable(&self, band: f64) -> f64 {
        if self.round { band.max(STALLED) } else { band }
    }

    /// The residual of the impulses in `r`, cut to their signs.
    pub(crate) fn measured(&mut self, system: &System) -> f64 {
        self.clip(system);
        system.scalar_velocities(&self.r, &mut self.u);
        self.residual = self.error(system);
        if self.r.iter().all(|v| v.is_finite()) { self.residual } else { f64::INFINITY }
    }

    /// Moves impulses that left their cones back, among those that stop the same rows: projection in turn on the cones,
    /// a little narrower than they are, and on Bᵀ r = y. True if anything moved.
    fn relax(&mut self, system: &System) -> bool {
        let width = system.width();
        let mut moved = false;
        for _ in 0..RELAX {
            self.g.clear();
            self.g.resize(width, 0.0);
            let mut outside = 0.0_f64;
            for i in (0..system.n).filter(|&i| self.modes[i] == Mode::Stick) {
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
                let Some(room) = system.room_of(k).filter(|_| self.holds[k] == Hold::Free) else { continue };
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
                (false, _) => Mode::Stick,
                (true, false) => Mode::Open,
                (true, true) if self.round => Mode::Slip(0, 0),
                (true, true) => {
                    let first = system.theta(i) + 1;
                    let mut used = (0..system.d).filter(|j| z[first + j] > 0.0);
                    let a = used.next().unwrap_or(0);
                    let b = used.next().unwrap_or(a);
                    Mode::Slip(u8::try_from(a).unwrap_or(0), u8::try_from(b).unwrap_or(0))
                }
            };
        }
        for k in 0..self.holds.len() {
            let (r, u) = (self.r[3 * system.n + k], self.u[3 * system.n + k]);
            self.holds[k] = match system.room_of(k) {
                Some(_) if u > still => Hold::Lo,
                Some(room) if u < -still && r >= room => Hold::Hi,
                _ => Hold::Free,
            };
        }
        self.keep_modes();
    }

    /// Keeps the present modes for [`Settle::restore_modes`].
    pub(crate) fn keep_modes(&mut self) {
        self.kept.0.clone_from(&self.modes);
        self.kept.1.clone_from(&self.holds);
    }

    /// The modes as they were classified last.
    pub(crate) fn restore_modes(&mut self) {
        self.modes.clone_from(&self.kept.0);
        self.holds.clone_from(&self.kept.1);
    }

    /// The unknowns of the faceted problem: θ, φ and λ of every contact, the other rows, caps.
    pub(crate) fn unknowns(&self, system: &System, z: &mut Vec<f64>) {
        z.clear();
        z.resize(system.unknowns(), 0.0);
        for i in 0..system.n {
            let (base, r) = (system.theta(i), &self.r[3 * i..3 * i + 3]);
            z[base] = r[0];
            if system.mu[i] == 0.0 || self.modes[i] == Mode::Open {
                continue;
            }
            let (fa, fb, [a, b]) = system.facets_of(i, [r[1], r[2]]);
            z[base + 1 + a] = fa;
            z[base + 1 + b] = fb;
            if let Mode::Slip(a, _) = self.modes[i] {
                let [c, s] = system.dirs[i * system.d + usize::from(a)];
                z[base + 1 + system.d] = -(c * self.u[3 * i + 1] + s * self.u[3 * i + 2]);
            }
        }
        for (row, index) in system.single_rows() {
            z[index] = self.r[row];
            if self.holds[row - 3 * system.n] == Hold::Hi {
                z[index + 1] = -self.u[row];
            }
        }
    }

    /// Impulses that are negative by rounding are none.
    fn clip(&mut self, system: &System) {
        for i in 0..system.n {
            if self.r[3 * i] <= 0.0 {
                self.r[3 * i..3 * i + 3].fill(0.0);
            }
        }
        for (k, row) in self.r[3 * system.n..].iter_mut().enumerate() {
            if let Some(room) = system.room_of(k) {
                *row = row.clamp(0.0, room);
            }
        }
    }

    /// How far the impulses are from an answer.
    fn error(&self, system: &System) -> f64 {
        let mut worst = system.single_residual(&self.r, &self.u);
        for i in 0..system.n {
            let (r, u) = (&self.r[3 * i..3 * i + 3], &self.u[3 * i..3 * i + 3]);
            let error = if self.round && self.modes[i] == Mode::Open && u[0] >= 0.0 {
                0.0
            } else if self.round {
                max_abs(&natural_map(system.mu[i], r, u))
            } else {
                self.facet_error(system, i, r, u)
            };
            worst = worst.max(error);
            if error.is_nan() {
                return f64::INFINITY;
            }
        }
        let unit = (1e-6 * max_abs(&self.r)).max(1.0);
        if worst.is_nan() { f64::INFINITY } else { worst / unit }
    }

    fn facet_error(&self, system: &System, i: usize, r: &[f64], u: &[f64]) -> f64 {
        match self.modes[i] {
            Mode::Open => (-u[0]).max(0.0),
            Mode::Stick if system.mu[i] == 0.0 => u[0].abs().max(-r[0]),
            Mode::Stick => {
                let (a, b, _) = system.facets_of(i, [r[1], r[2]]);
                max_abs(u).max(-r[0]).max(a + b - system.mu[i] * r[0])
            }
            Mode::Slip(a, b) => {
                // the facets that are not in use must not oppose the slip better
                let along = |j: usize| -> f64 {
                    let [c, s] = system.dirs[i * system.d + j];
                    c * u[1] + s * u[2]
                };
                let (a, b) = (along(usize::from(a)), along(usize::from(b)));
                let least = (0..system.d).fold(0.0, |m: f64, j| m.min(along(j)));
                // on the edge between the two, and nowhere else
                let (fa, fb, _) = system.facets_of(i, [r[1], r[2]]);
                let off = (fa + fb - system.mu[i] * r[0]).abs();
                u[0].abs().max(-r[0]).max(a.max(b) - least).max(off)
            }
        }
    }

    /// How far the equations of the present modes are from being solved: what Newton still has to do.
    fn unsolved(&self) -> f64 {
        let still = self.still.iter().fold(0.0, |m: f64, &k| m.max(self.u[k].abs()));
        self.slides.iter().fold(still, |m, s| {
            let u = &self.u[3 * s.contact..3 * s.contact + 3];
            m.max((s.row[0] * u[0] + s.row[1] * u[1] + s.row[2] * u[2]).abs())
        })
    }

    /// Contacts and rows that left their mode by more than the band take another. True if any did.
    fn change_modes(&mut self, system: &System, band: f64) -> bool {
        let mut changed = false;
        for i in 0..system.n {
            let at = 3 * i;
            let next = if self.modes[i] == Mode::Open {
                if self.u[at] < -band { self.closing(system, i) } else { Mode::Open }
            } else if self.r[at] < -band {
                Mode::Open
            } else if system.mu[i] == 0.0 {
                Mode::Stick
            } else if self.round {
                self.next_round(system, i, band)
            } else {
                self.next_facets(system, i, band)
            };
            if next != self.modes[i] {
                changed = true;
                self.modes[i] = next;
                if next == Mode::Open {
                    self.r[at..at + 3].fill(0.0);
                }
            }
        }
        for k in 0..self.holds.len() {
            let at = 3 * system.n + k;
            let Some(room) = system.room_of(k) else { continue };
            let next = match self.holds[k] {
                Hold::Lo if self.u[at] < -band && room > 0.0 => Hold::Free,
                Hold::Hi if self.u[at] > band && room > 0.0 => Hold::Free,
                Hold::Free if self.r[at] < -band => Hold::Lo,
                Hold::Free if self.r[at] > room + band => Hold::Hi,
                hold => hold,
            };
            if next != self.holds[k] {
                changed = true;
                self.holds[k] = next;
                match next {
                    Hold::Lo => self.r[at] = 0.0,
                    Hold::Hi => self.r[at] = room,
                    Hold::Free => {}
                }
            }
        }
        changed
    }

    /// The mode of a contact that closes: it slides if it moves along.
    fn closing(&self, system: &System, i: usize) -> Mode {
        let t = [self.u[3 * i + 1], self.u[3 * i + 2]];
        // a thousandth of the largest velocity
        if system.mu[i] == 0.0 || t[0] * t[0] + t[1] * t[1] < 1e-6 {
            return Mode::Stick;
        }
        if self.round {
            return Mode::Slip(0, 0);
        }
        let (_, _, [a, _]) = system.facets_of(i, [-t[0], -t[1]]);
        vertex(a)
    }

    fn next_round(&mut self, system: &System, i: usize, band: f64) -> Mode {
        let at = 3 * i;
        let limit = system.mu[i] * self.r[at].max(0.0);
        let [t1, t2] = [self.r[at + 1], self.r[at + 2]];
        let size = (t1 * t1 + t2 * t2).sqrt();
        match self.modes[i] {
            Mode::Stick if size > limit + band && limit > 0.0 => {
                self.r[at + 1] *= limit / size;
                self.r[at + 2] *= limit / size;
                Mode::Slip(0, 0)
            }
            Mode::Slip(..) if size > 0.0 => {
                let along = (t1 * self.u[at + 1] + t2 * self.u[at + 2]) / size;
                if along > band.max(STILL) { Mode::Stick } else { self.modes[i] }
            }
            mode => mode,
        }
    }

    /// From sticking to a vertex, from there to an edge or back, from an edge to one of its ends.
    fn next_facets(&mut self, system: &System, i: usize, band: f64) -> Mode {
        let at = 3 * i;
        let [t1, t2] = [self.r[at + 1], self.r[at + 2]];
        let limit = system.mu[i] * self.r[at].max(0.0);
        let along = |j: usize| {
            let [c, s] = system.dirs[i * system.d + j];
            c * self.u[at + 1] + s * self.u[at + 2]
        };
        match self.modes[i] {
            Mode::Stick => {
                let (fa, fb, [a, _]) = system.facets_of(i, [t1, t2]);
                if fa + fb <= limit + band || limit == 0.0 {
                    return Mode::Stick;
                }
                let [c, s] = system.dirs[i * system.d + a];
                (self.r[at + 1], self.r[at + 2]) = (limit * c, limit * s);
                vertex(a)
            }
            Mode::Slip(a, b) if a == b => {
                let a = usize::from(a);
                let d = system.d;
                let best =
                    [(a + 1) % d, (a + d - 1) % d].into_iter().min_by(|&x, &y| along(x).total_cmp(&along(y)));
                let best = best.unwrap_or(a);
                if along(a) > band.max(STILL) {
                    Mode::Stick
                } else if along(best) < along(a) - band {
                    let narrow = |j: usize| u8::try_from(j).unwrap_or(0);
                    Mode::Slip(narrow(a), narrow(best))
                } else {
                    self.modes[i]
                }
            }
            Mode::Slip(a, b) => {
                let (a, b) = (usize::from(a), usize::from(b));
                let share = |j: usize, k: usize| {
                    let ([c, s], [c2, s2]) = (system.dirs[i * system.d + j], system.dirs[i * system.d + k]);
                    (t1 * s2 - t2 * c2) / (c * s2 - s * c2)
                };
                let (fa, fb) = (share(a, b), share(b, a));
                let end = if fb < -band { a } else { b };
                if fa.min(fb) < -band {
                    let [c, s] = system.dirs[i * system.d + end];
                    (self.r[at + 1], self.r[at + 2]) = (limit * c, limit * s);
                    vertex(end)
                } else {
                    self.modes[i]
                }
            }
            mode @ Mode::Open => mode,
        }
    }

    /// H of the rows that are still, factorised.
    fn factor(&mut self, system: &System) -> bool {
        self.still.clear();
        for (i, mode) in self.modes.iter().enumerate() {
            if *mode == Mode::Stick {
                let rows = if system.mu[i] > 0.0 { 3 } else { 1 };
                self.still.extend(3 * i..3 * i + rows);
            }
        }
        let holds = self.holds.iter().enumerate().filter(|(_, h)| **h == Hold::Free);
        self.still.extend(holds.map(|(k, _)| 3 * system.n + k));
        self.shape(system);
        for &k in &self.still {
            self.envelope.add(&system.runs(k));
        }
        self.envelope.factor(SHIFT)
    }

    /// The envelope of H, its entries zero.
    fn shape(&mut self, system: &System) {
        self.envelope.clear(system.width());
        for &k in &self.still {
            let mut runs = system.runs(k);
            let Some((lo, values)) = runs.next() else { continue };
            self.envelope.reach(lo, lo, lo + values.len());
            for (at, values) in runs {
                self.envelope.reach(lo, at, at + values.len());
            }
        }
        self.envelope.open();
    }

    /// What the rows of the sliding contacts do once the sticking ones have answered: Π a, and aᵀ Π a. False if there
    /// are too many of them.
    fn project_sliding(&mut self, system: &System) -> bool {
        let width = system.width();
        self.sliding.clear();
        self.sliding.extend((0..system.n).filter(|&i| matches!(self.modes[i], Mode::Slip(..))));
        let m = 3 * self.sliding.len();
        if m > SLIDING {
            return false;
        }
        self.columns.clear();
        self.columns.resize(m * width, 0.0);
        self.coupling.clear();
        self.coupling.resize(m * m, 0.0);
        for c in 0..m {
            let column = &mut self.columns[c * width..(c + 1) * width];
            system.impel(3 * self.sliding[c / 3] + c % 3, 1.0, column);
            if !self.still.is_empty() {
                // twice: what the first leaves of the sticking directions is rounding, a millionth, and would pass
                // for freedom
                for _ in 0..2 {
                    self.envelope.solve(column);
                    for v in column.iter_mut() {
                        *v *= SHIFT;
                    }
                }
            }
            // Π is symmetric
            for r in 0..=c {
                let v = system.velocity(3 * self.sliding[r / 3] + r % 3, column);
                self.coupling[r * m + c] = v;
                self.coupling[c * m + r] = v;
            }
        }
        true
    }

    /// The sliding unknowns at the present impulses.
    fn list_slides(&mut self, system: &System) {
        self.slides.clear();
        for (place, &i) in self.sliding.iter().enumerate() {
            let Mode::Slip(a, b) = self.modes[i] else { continue };
            let at = 3 * i;
            let mu = system.mu[i];
            let normal = [1.0, 0.0, 0.0];
            let mut push = |column: [f64; 3], row: [f64; 3], compliance: f64| {
                self.slides.push(Slide { contact: i, place, column, row, compliance });
            };
            let [t1, t2] = [self.r[at + 1], self.r[at + 2]];
            if !self.round {
                let [c, s] = system.dirs[i * system.d + usize::from(a)];
                push([1.0, mu * c, mu * s], normal, 0.0);
                if a != b {
                    let [c2, s2] = system.dirs[i * system.d + usize::from(b)];
                    let edge = [0.0, c2 - c, s2 - s];
                    push(edge, edge, 0.0);
                }
                continue;
            }
            let size = (t1 * t1 + t2 * t2).sqrt();
            let [u1, u2] = [self.u[at + 1], self.u[at + 2]];
            if size == 0.0 {
                // no direction yet: against the slip
                let speed = (u1 * u1 + u2 * u2).sqrt().max(f64::MIN_POSITIVE);
                push([1.0, -mu * u1 / speed, -mu * u2 / speed], normal, 0.0);
                continue;
            }
            let e = [t1 / size, t2 / size];
            let speed = -(e[0] * u1 + e[1] * u2);
            push([1.0, mu * e[0], mu * e[1]], normal, 0.0);
            let across = [0.0, -e[1], e[0]];
            push(across, across, (speed / size).max(0.0));
        }
    }

    /// One step of all impulses; false if they stop being numbers.
    fn step(&mut self, system: &System) -> bool {
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
        if !self.slides.is_empty() {
            self.slide(system);
        }
        if !self.still.is_empty() {
            for (slide, &f) in self.slides.iter().zip(&self.alpha).filter(|(_, f)| **f != 0.0) {
                // the sticking rows answer to what the slides push: C α less what is left of it
                for part in (0..3).filter(|&p| slide.column[p] != 0.0) {
                    let (f, c) = (f * slide.column[part], 3 * slide.place + part);
                    system.impel(3 * slide.contact + part, f, &mut self.g);
                    axpy(-f, &self.columns[c * width..(c + 1) * width], &mut self.g);
                }
            }
            self.envelope.solve(&mut self.g);
            for &k in &self.still {
                self.r[k] -= system.velocity(k, &self.g);
            }
        }
        for (slide, &f) in self.slides.iter().zip(&self.alpha) {
            for part in 0..3 {
                self.r[3 * slide.contact + part] += f * slide.column[part];
            }
        }
        if self.round {
            self.put_on_circles(system);
        }
        self.r.iter().all(|v| v.is_finite())
    }

    /// Solves for the sliding unknowns; `g` holds w.
    fn slide(&mut self, system: &System) {
        let (all, m) = (3 * self.sliding.len(), self.slides.len());
        self.s.clear();
        self.alpha.clear();
        for slide in &self.slides {
            let at = 3 * slide.contact;
            let mut rho = 0.0;
            for part in (0..3).filter(|&p| slide.row[p] != 0.0) {
                rho += slide.row[part] * (self.u[at + part] - system.velocity(at + part, &self.g));
            }
            self.alpha.push(-rho);
        }
        for (r, row) in self.slides.iter().enumerate() {
            for (c, column) in self.slides.iter().enumerate() {
                let mut sum = if r == c { row.compliance } else { 0.0 };
                for p in (0..3).filter(|&p| row.row[p] != 0.0) {
                    let at = (3 * row.place + p) * all + 3 * column.place;
                    let w = &self.coupling[at..at + 3];
                    let v = w[0] * column.column[0] + w[1] * column.column[1] + w[2] * column.column[2];
                    sum += row.row[p] * v;
                }
                self.s.push(sum);
            }
        }
        solve_rank(&mut self.s, m, &mut self.alpha, &mut self.pivots);
    }

    /// A force that was turned has left the circle by the second order: put it back.
    fn put_on_circles(&mut self, system: &System) {
        for i in (0..system.n).filter(|&i| matches!(self.modes[i], Mode::Slip(..))) {
            let at = 3 * i;
            let size = self.r[at + 1].hypot(self.r[at + 2]);
            if size > 0.0 {
                let f = system.mu[i] * self.r[at].max(0.0) / size;
                self.r[at + 1] *= f;
                self.r[at + 2] *= f;
            }
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

/// Sliding along one facet.
fn vertex(j: usize) -> Mode {
    let j = u8::try_from(j).unwrap_or(0);
    Mode::Slip(j, j)
}

/// What is within rounding of an answer: impulses enter with their size.
fn band(r: &[f64]) -> f64 {
    GOOD.max(1e-14 * max_abs(r))
}

/// The nearest point of the cone |t| ≤ mu n.
fn project(mu: f64, r: [f64; 3]) -> [f64; 3] {
    let size = (r[1] * r[1] + r[2] * r[2]).sqrt();
    if size <= mu * r[0] {
        r
    } else if mu * size <= -r[0] {
        [0.0; 3]
    } else {
        let normal = (r[0] + mu * size) / (1.0 + mu * mu);
        let f = mu * normal / size;
        [normal, f * r[1], f * r[2]]
    }
}

/// x with A x = b where A has the rank for it; unknowns that are not determined are zero. Row-major; A and b are
/// overwritten, x takes the place of b. The largest entry left is the pivot, so that what is left of dependent rows
/// stands at the end and is seen for what it is.
fn solve_rank(a: &mut [f64], n: usize, b: &mut [f64], order: &mut Vec<usize>) {
    // entries are of size one; what is left of a dependent row is the error of Π C
    const LEAST: f64 = 1e-8;
    order.clear();
    order.extend(0..n);
    let mut rank = 0;
    while rank < n {
        let (mut p, mut c, mut largest) = (rank, rank, 0.0);
        for r in rank..n {
            for (k, v) in a[r * n + rank..(r + 1) * n].iter().enumerate() {
                if v.abs() > largest {
                    (p, c, largest) = (r, rank + k, v.abs());
                }
            }
        }
        if largest <= LEAST {
            break;
        }
        if p != rank {
            let (upper, lower) = a.split_at_mut(p * n);
            upper[rank * n..(rank + 1) * n].swap_with_slice(&mut lower[..n]);
            b.swap(rank, p);
        }
        if c != rank {
            a.chunks_exact_mut(n).for_each(|row| row.swap(rank, c));
            order.swap(rank, c);
        }
        let (upper, lower) = a.split_at_mut((rank + 1) * n);
        let pivot_row = &upper[rank * n..];
        for (k, row) in lower.chunks_exact_mut(n).enumerate() {
            let f = row[rank] / pivot_row[rank];
            if f != 0.0 {
                axpy(-f, &pivot_row[rank..], &mut row[rank..]);
                b[rank + 1 + k] -= f * b[rank];
            }
        }
        rank += 1;
    }
    b[rank..].fill(0.0);
    for r in (0..rank).rev() {
        let row = &a[r * n..(r + 1) * n];
        b[r] = (b[r] - dot(&row[r + 1..rank], &b[r + 1..rank])) / row[r];
    }
    // back to the order of the unknowns
    for k in 0..n {
        while order[k] != k {
            let to = order[k];
            b.swap(k, to);
            order.swap(k, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknowns_that_nothing_determines_stay_zero() {
        let a = [1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 3.0, 3.0, 3.0];
        let (mut b, mut pivots) = (vec![5.0, 4.0, 9.0], vec![]);
        solve_rank(&mut { a }, 3, &mut b, &mut pivots);
        let left = (0..3).map(|r| (0..3).map(|c| a[3 * r + c] * b[c]).sum::<f64>());
        assert!(left.zip([5.0, 4.0, 9.0]).all(|(l, r)| (l - r).abs() < 1e-13), "{b:?}");
        assert_eq!(b.iter().filter(|x| **x == 0.0).count(), 1);
        let mut none = vec![1.0; 2];
        solve_rank(&mut [0.0; 4], 2, &mut none, &mut pivots);
        assert_eq!(none, [0.0, 0.0]);
    }
}
