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
mod quick;
mod rank;
mod run;
mod share;
mod slide;

use few::Few;
use measure::band;
use quick::Quick;
use slide::Sliding;

use super::envelope::Envelope;
use super::system::System;
use crate::clock::Clock;
use crate::kernel::max_abs;
use crate::outcome::Side;
use crate::problem::ContactMode;

/// The shift of H; rows have size one.
const SHIFT: f64 = 1e-9;
/// The residual that will do where steps do not make it better, scaled: a little less than what counts as solved.
const STALLED: f64 = 0.9 * crate::outcome::SOLVED;
/// Scalar rows from which on remembered modes are nearly right or not worth many factorisations: Newton on the natural maps finds
/// other ones at a tenth of the price.
const LARGE: usize = 200;
/// Scalar rows from which on sliding contacts of trees are counted (those of free bodies from [`LARGE`] on), how many are too many to follow their modes, and the speed along its surface, of the largest in the problem,
/// with which a contact that is not remembered is taken to slide.
const LARGE_TREES: usize = 96;
const SLIDES: usize = 8;
const MOVING: f64 = 0.02;
/// Entries of an envelope that room is made for before it is needed, 8 MB: a large pile in motion, which would fill it, has other stages.
const ROOM: usize = 1_000_000;
/// What is slower does not move: the accuracy of an answer, where velocities have size one.
const STILL: f64 = 1e-9;

/// What a contact does; with facets, a sliding one does it along these two (the same twice for a vertex).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Faceted {
    pub(crate) mode: ContactMode,
    pub(crate) along: (u8, u8),
}

impl Faceted {
    pub(crate) const OPEN: Self = Self { mode: ContactMode::Open, along: (0, 0) };
    pub(crate) const STICK: Self = Self { mode: ContactMode::Stick, along: (0, 0) };
    /// On the circle.
    pub(crate) const SLIP: Self = Self { mode: ContactMode::Slip, along: (0, 0) };

    /// Sliding along the edge between two facets, or along one given twice.
    pub(crate) fn slip(a: usize, b: usize) -> Self {
        let narrow = |j: usize| u8::try_from(j).unwrap_or(0);
        Self { mode: ContactMode::Slip, along: (narrow(a), narrow(b)) }
    }
}

/// Modes and impulses, with the scratch memory of the steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settle {
    /// By contact.
    pub(crate) modes: Vec<Faceted>,
    /// By row that is not a contact's.
    pub(crate) holds: Vec<Side>,
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
    quick: Quick, // rows written out, where some slide and all are few
    g: Vec<f64>,
    left: Vec<f64>, // of what the slides push, by the sticking rows
    best_r: Vec<f64>,
    kept: (Vec<Faceted>, Vec<Side>), // as classified
    reserved: (usize, usize),        // scalar rows and width that there is room for
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
        self.quick.clear();
        self.inner = (std::f64::consts::PI / system.d as f64).cos();
        self.modes.clear();
        self.modes.resize(system.n, Faceted::OPEN);
        self.holds.clear();
        self.holds.resize(system.singles(), Side::Lower);
        let first_free = system.singles() - system.n_equality();
        self.holds[first_free..].fill(Side::Free);
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
        self.quick.reserve();
        for v in [&mut self.r, &mut self.u, &mut self.best_r, &mut self.g, &mut self.left] {
            v.clear();
            v.reserve(rows.max(width));
        }
    }

    /// Whether so many contacts of a large problem slide, by what is remembered or about to be, that their modes are not
    /// worth a try: a sliding contact costs a solve here, and their modes change from step to step.
    pub(crate) fn is_in_motion(&self, system: &System, free: bool) -> bool {
        let most = if free { LARGE } else { LARGE_TREES };
        system.q.len() > most && system.is_factored() && self.slides(system) > SLIDES
    }

    /// How many contacts slide, by what is remembered or about to be.
    pub(crate) fn slides(&self, system: &System) -> usize {
        let slides = |i: &usize| match self.modes[*i].mode {
            ContactMode::Slip => true,
            ContactMode::Stick => self.r[3 * i] == 0.0 && max_abs(&system.q[3 * i + 1..3 * i + 3]) > MOVING,
            ContactMode::Open => false,
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
            if system.mu[i] == 0.0 || self.modes[i].mode == ContactMode::Open {
                continue;
            }
            let (fa, fb, [a, b]) = system.facets_of(i, [r[1], r[2]]);
            z[base + 1 + a] = fa;
            z[base + 1 + b] = fb;
            if let Faceted { mode: ContactMode::Slip, along: (a, _) } = self.modes[i] {
                let [c, s] = system.dirs[i * system.d + usize::from(a)];
                z[base + 1 + system.d] = -(c * self.u[3 * i + 1] + s * self.u[3 * i + 2]);
            }
        }
        for (row, index) in system.single_rows() {
            z[index] = self.r[row];
            if self.holds[row - 3 * system.n] == Side::Upper {
                z[index + 1] = -self.u[row];
            }
        }
    }
}
