//! The answer from remembered modes: one factorisation and one check, without a basis.
//!
//! Given which contacts stick, slide and are open, the impulses follow from linear equations (and a few Newton steps
//! where something slides). With B the rows that must not move (sticking contacts, equations, rows between their
//! bounds), y = Bᵀ r what their impulses do, and H = BᵀB, of the size of the degrees of freedom whatever the number
//! of contacts,
//!
//! ```text
//!     stick   r ← r − B (H + ε)⁻² Bᵀ u_B            the least change of the impulses that stops the rows
//!     slide   S α = −ρ,  S = Rᵀ Π² C + diag(c)       Π C = ε (H + ε)⁻¹ C, what the sticking rows leave of a push
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

mod equations;
mod few;
mod measure;
mod modes;
mod rank;
mod share;
mod slide;

use few::Few;
use slide::Sliding;

use super::envelope::Envelope;
use super::system::System;
use crate::clock::Clock;
use crate::kernel::max_abs;

/// The shift of H; rows have size one.
const SHIFT: f64 = 1e-9;
/// A residual that is good enough, scaled.
const GOOD: f64 = 1e-12;
/// The residual of remembered impulses that no step makes smaller, of q, which has size one: some roundings.
const REPEATED: f64 = 1e-15;
/// The residual that will do where steps do not make it better, scaled: a little less than what counts as solved.
const STALLED: f64 = 0.9 * crate::outcome::SOLVED;
/// Steps before the search is asked.
const STEPS: usize = 32;
/// Factorisations before the search is asked.
const FACTORS: usize = 12;
/// Scalar rows from which on remembered modes are nearly right or not worth more factorisations than these: Newton on the
/// natural maps finds other ones at a tenth of the price.
const LARGE: usize = 200;
const FACTORS_LARGE: usize = 2;
/// Scalar rows from which on sliding contacts of trees are counted (those of free bodies from [`LARGE`] on), how many are too many to follow their modes, and the speed along its surface, of the largest in the problem,
/// with which a contact that is not remembered is taken to slide.
const LARGE_TREES: usize = 96;
const SLIDES: usize = 8;
const MOVING: f64 = 0.02;
/// Steps and factorisations of a careful run.
const CAREFUL: (usize, usize) = (150, 40);
/// Entries of an envelope that room is made for before it is needed, 8 MB: a large pile in motion, which would fill it, has other stages.
const ROOM: usize = 1_000_000;
/// Contacts that are let go because the equations cannot hold them, in one run.
const RELEASES: usize = 6;
/// A step that left less than this part of the error before it used directions that will do once more.
const CHORD: f64 = 1e-4;

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

/// Modes and impulses, with the scratch memory of the steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settle {
    /// By contact.
    pub(crate) modes: Vec<Mode>,
    /// By row that is not a contact's.
    pub(crate) holds: Vec<Hold>,
    /// Impulses of the scalar rows, scaled.
    pub(crate) r: Vec<f64>,
    /// When to give up.
    pub(crate) clock: Clock,
    u: Vec<f64>,
    round: bool,
    inner: f64, // the circle inside the facets, of the one around them
    envelope: Envelope,
    still: Vec<usize>, // scalar rows of B
    sliding: Sliding,
    few: Few,
    g: Vec<f64>,
    left: Vec<f64>, // of what the slides push, by the sticking rows
    best_r: Vec<f64>,
    kept: (Vec<Mode>, Vec<Hold>), // as classified
    reserved: (usize, usize),     // scalar rows and width that there is room for
    /// The residual of the answer, scaled.
    pub(crate) residual: f64,
    factors: usize, // in the last run
}
impl Settle {
    /// Makes room for a problem: everything open, no impulses.
    pub(crate) fn reset(&mut self, system: &System, round: bool) {
        self.reserve(system);
        self.clock = Clock::default();
        self.round = round;
        self.still.clear();
        self.sliding.clear();
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
        if (rows <= self.reserved.0 && width <= self.reserved.1) || !system.is_factored() {
            return;
        }
        self.reserved = (rows.max(self.reserved.0), width.max(self.reserved.1));
        self.still.clear();
        self.still.extend(0..rows);
        self.shape(system);
        if self.envelope.entries() <= ROOM {
            self.envelope.open(&Clock::default());
        }
        self.sliding.reserve(system.n, width);
        for v in [&mut self.r, &mut self.u, &mut self.best_r, &mut self.g, &mut self.left] {
            v.clear();
            v.reserve(rows.max(width));
        }
    }

    /// Steps until the impulses are an answer for round cones, or for the facets as far as modes can tell; false if
    /// they do not become one. The answer is in `r` and `modes`.
    ///
    /// A `careful` run changes one mode at a time, the one that is violated most: slower, from iterates that are nearly an
    /// answer, where many changes at once would lead away from it.
    pub(crate) fn run(&mut self, system: &System, careful: bool) -> bool {
        let (most_steps, mut most_factors) = if careful { CAREFUL } else { (STEPS, FACTORS) };
        if self.round && system.q.len() > LARGE {
            most_factors = FACTORS_LARGE;
        }
        if !system.is_factored() {
            return false;
        }
        // rows that contradict each other by little: steps that are held inside the cones tell which of them gives way
        if careful && self.is_few(system, false) && self.climb_few(system) {
            return true;
        }
        self.factors = 0;
        let (mut last, mut best) = (f64::INFINITY, f64::INFINITY);
        let (mut fresh, mut slowly, mut released) = (true, 0, 0);
        for step in 0..most_steps {
            if self.clock.expired() {
                return false;
            }
            system.scalar_velocities(&self.r, &mut self.u);
            let mut error = self.error(system);
            if step == 0 && self.round && !careful && self.is_repeated(error) {
                self.residual = error;
                return true;
            }
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
            let mut changed = false;
            if step > 0 && error > band {
                let unclear = band.max(10.0 * self.unsolved());
                changed = if careful {
                    self.change_worst(system, unclear.max(0.3 * STALLED))
                } else {
                    self.change_modes(system, unclear)
                };
            }
            // crisp, or as good as it gets, or equations that have no solution
            let slow = step > 1 && !changed && error > 0.25 * last;
            slowly = if slow { slowly + 1 } else { 0 };
            if slowly > 1 && error > self.acceptable(band) && released < RELEASES {
                // equations that contradict each other: what they cannot hold goes
                released += 1;
                changed = self.release(system, band);
                slowly = if changed { 0 } else { slowly };
            }
            let stalled = slowly > 1 && error <= self.acceptable(band);
            let enough = error <= 0.1 * band || (slow && last <= band) || stalled || slowly > 2;
            if (step > 0 && !changed && enough) || step + 1 == most_steps {
                break;
            }
            let before = std::mem::replace(&mut last, error);
            if changed {
                best = f64::INFINITY;
                fresh = true;
                system.scalar_velocities(&self.r, &mut self.u);
            }
            if fresh {
                self.factors += 1;
                if self.factors > most_factors || !self.factor(system) {
                    return false;
                }
                let still = (!self.still.is_empty()).then_some(&self.envelope);
                if !self.sliding.project(system, &self.modes, still) {
                    return false;
                }
            }
            // the slips have turned: new directions, unless the old ones lead there as well
            if fresh || error > CHORD * before {
                self.sliding.list(system, &self.modes, self.round, &self.r, &self.u);
            }
            fresh = false;
            if !self.step(system) {
                return false;
            }
        }
        self.keep_shares(system, &mut best);
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

    /// Whether impulses of this error are an answer as good as a step would make it: what rests repeats to rounding. Large impulses
    /// are no excuse: beside a body of a million masses the light one would be let go by their rounding, step after step.
    fn is_repeated(&self, error: f64) -> bool {
        error * (1e-6 * max_abs(&self.r)).max(1.0) <= REPEATED
    }

    /// One more step from an answer in its modes; false if they have no factor or it leads nowhere.
    pub(crate) fn refine(&mut self, system: &System) -> bool {
        if !system.is_factored() || !self.factor(system) {
            return false;
        }
        let still = (!self.still.is_empty()).then_some(&self.envelope);
        if !self.sliding.project(system, &self.modes, still) {
            return false;
        }
        system.scalar_velocities(&self.r, &mut self.u);
        self.sliding.list(system, &self.modes, self.round, &self.r, &self.u);
        if !self.step(system) {
            return false;
        }
        self.measured(system).is_finite()
    }

    /// What is an answer once steps no longer make it better: redundant rows may contradict each other by the rounding
    /// of the geometry they come from, and then no impulses stop them all.
    fn acceptable(&self, band: f64) -> f64 {
        if self.round { band.max(STALLED) } else { band }
    }

    /// Whether so many contacts of a large problem slide, by what is remembered or about to be, that their modes are not
    /// worth a try: a sliding contact costs a solve here, and their modes change from step to step.
    pub(crate) fn is_in_motion(&self, system: &System, free: bool) -> bool {
        let most = if free { LARGE } else { LARGE_TREES };
        system.q.len() > most && system.is_factored() && self.slides(system) > SLIDES
    }

    /// How many contacts slide, by what is remembered or about to be.
    pub(crate) fn slides(&self, system: &System) -> usize {
        let slides = |i: &usize| match self.modes[*i] {
            Mode::Slip(..) => true,
            Mode::Stick => self.r[3 * i] == 0.0 && max_abs(&system.q[3 * i + 1..3 * i + 3]) > MOVING,
            Mode::Open => false,
        };
        (0..system.n).filter(slides).count()
    }

    /// Factorisations of the last run.
    pub(crate) fn factorisations(&self) -> usize {
        self.factors
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
}
/// What is within rounding of an answer: impulses enter with their size.
fn band(r: &[f64]) -> f64 {
    GOOD.max(1e-14 * max_abs(r))
}
