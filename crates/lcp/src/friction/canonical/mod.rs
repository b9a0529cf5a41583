//! Canonical forces: of all impulses with the same motion, the most evenly spread ones.
//!
//! Redundant contacts leave the impulses open while the motion is unique [EnzPivot, §N-legged frames]; the paper
//! proposes "the most evenly distributed contact impulses". Here that is the least norm in the effective-mass
//! metric among the impulses that give every row the velocity it has and keep what every contact does:
//!
//! ```text
//!     minimise  ½ Σ (r_k / s_k)²      subject to   Σ a_k r_k = Σ a_k r_k(raw)          the same motion
//!                                                  r_i ∈ F_i                           the same modes
//!     s_n² = 1/W_nn,   s_t² = 2/(W_t1t1 + W_t2t2)        one scale for both tangents, whatever their frame
//! ```
//!
//! F_i follows from the velocity u of the contact alone, so that it cannot depend on which of the possible answers
//! the solver found:
//!
//! | velocity                        | F_i                                                                     |
//! |---------------------------------|-------------------------------------------------------------------------|
//! | u_n > 0                         | 0                                                                       |
//! | u_n = 0, u_t ≠ 0 (slip)         | φ_j ≥ 0 on the facet against u_t (two where they tie), mu r_n = Σ φ     |
//! | u_n = 0, u_t = 0 (stick)        | the polygon: e_j·r_t ≤ cos(π/d) mu r_n, e_j the middle of side j        |
//! | unilateral, w > 0 / w = 0       | 0 / r ≥ 0                                                               |
//! | bounded, w ≠ 0 / w = 0          | the bound it is at / between the bounds                                 |
//! | equality                        | free                                                                    |
//!
//! With orthonormal coordinates y of the F_i in the metric, A y = b the motion and g_jᵀ y ≥ h_j the sides, the
//! optimality conditions are y = Aᵀ η + Gᵀ λ. Eliminating η by the projector P on the null space of A leaves
//!
//! ```text
//!     y = y₀ + P Gᵀ λ,     0 ≤ G P Gᵀ λ + (G y₀ − h) ⊥ λ ≥ 0,     y₀ = (1 − P) y(raw)
//! ```
//!
//! a standard problem with a symmetric semi-definite matrix over the few sides that matter: those y₀ violates,
//! then those the next y violates, until none is. `robust` solves it; λ need not be unique, y is. The sides with
//! λ > 0 are then imposed as equations by orthogonalisation. y₀ = A⁺ b is never computed by a division, so contacts
//! that nearly coincide do no harm: the raw y is within all sides, and only its part in the null space moves.
//!
//! An answer with round cones has |r_t| ≤ mu r_n where it sticks and the ray against u_t where it slides; [`round`] finds the
//! least norm there. Frames that slide nearly straight have nearly parallel rays: what the solver leaves in their motion
//! comes into single forces divided by [`SpreadReport::weakest`]; sums and moments are kept all the same.
//!
//! **Cost.** Unknowns that act on the same bodies are first reduced to one wrench between them by a small
//! factorisation, so the large one is (six per pair of bodies) × (degrees of freedom): O(n) in the contacts,
//! O(p f²) in the pairs p and the degrees of freedom f; O(p f) more per side that is imposed. In local form
//! there are no pairs: O(n² rank).
//!
//! **Departures.** The paper gives no construction. Contacts that touch without pressing in the raw answer are
//! part of the spread: their mode by velocity is stick or slip, and reported so if they come to press.

mod answer;
mod motion;
mod pieces;
mod round;
mod rows;
mod sides;

use motion::Motion;
use pieces::{Meaning, Piece, Pieces};
use round::Round;
use rows::{MetricRows, unit};

use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::kernel::{dot, max_abs};
use crate::outcome::{Budget, Residual, SOLVED};
use crate::problem::FrictionProblem;
use crate::robust::Robust;

/// Scaled velocities up to this are zero: a tenth of what a certified answer may be off by, so that the canonical one
/// is certified as well, and a thousand times what the solver usually leaves.
const STILL: f64 = 0.1 * SOLVED;
/// Two facets oppose a slip alike where they differ by this part of [`STILL`]: symmetry gives such ties, and leaves the
/// rounding of a few sums.
const TIE: f64 = 1e-2;
/// The canonical answer must be this good in the metric's own scales: the solver's are powers of two, and the two
/// measures differ by a factor of less than four.
const CERTIFIED: f64 = 0.25 * SOLVED;
/// No velocity may change by more than this, against the largest of the problem.
const MOTION: f64 = 1e-12;
/// Without unit, against the largest column of A, all of which are of size one: rounding leaves 1e-15 to 1e-14 of a
/// dependent column, and what is dropped changes the motion by no more than this.
const RANK: f64 = 1e-13;
/// The same for the wrench of one pair of bodies; what is wrongly kept here meets [`RANK`] later.
const PAIR_RANK: f64 = 1e-15;
/// The motion is kept when its coordinates are right to this, against the largest of them: ten times the rounding of
/// their sums, a tenth of what is promised.
const KEPT: f64 = 1e-13;
/// A side is violated from here on, against the largest unknown: what rounding does to y₀ is below.
const VIOLATED: f64 = 1e-13;
/// A side whose normal has less than this left in the null space is decided by the motion alone.
const DECIDED: f64 = 1e-8;
/// More rounds than a contact has sides mean that the sides are not the trouble.
const ROUNDS: usize = 64;

/// How the search for canonical forces ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// The impulses are the canonical ones.
    Canonical,
    /// The answer was not a certified one, and stays as it was.
    NotSolved,
    /// No spread could be certified; the answer stays as it was.
    Inaccurate,
}

/// What canonical forces cost and how good they are.
#[must_use = "impulses that could not be spread are left as they were"]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpreadReport {
    /// How it ended.
    pub spread: Spread,
    /// The norm of the raw impulses in the effective-mass metric, N s / √kg.
    pub norm_before: f64,
    /// The norm of the impulses in the solution now.
    pub norm_after: f64,
    /// The largest change of a row's velocity, against the largest of the problem; both in √kg m/s.
    pub motion: f64,
    /// Of the solution as it is now, from the original data.
    pub residual: Residual,
    /// Impulses that the modes leave open.
    pub unknowns: usize,
    /// How many of them the motion decides.
    pub rank: usize,
    /// How much of the weakest of these decisions is left, where one is the most: rounding of the motion comes into the
    /// impulses divided by this.
    pub weakest: f64,
    /// Sides of cones and bounds that are imposed.
    pub active: usize,
    /// Standard problems solved on the way.
    pub rounds: usize,
}

impl SpreadReport {
    /// Of an answer that is not looked at yet, with impulses of this norm.
    fn of(norm: f64) -> Self {
        Self {
            spread: Spread::NotSolved,
            norm_before: norm,
            norm_after: norm,
            motion: 0.0,
            residual: Residual { natural: f64::INFINITY, ..Residual::default() },
            unknowns: 0,
            rank: 0,
            weakest: 1.0,
            active: 0,
            rounds: 0,
        }
    }
}

/// Canonical forces, with the memory of the large factorisation.
#[derive(Debug, Clone, Default)]
pub struct Canonical {
    pieces: Pieces,
    motion: Motion,
    robust: Robust,
    round: Round,
    budget: Budget,
    clock: Clock,
}

/// Replaces the impulses of a certified answer by the canonical ones.
pub fn canonical(problem: &FrictionProblem, solution: &mut FrictionSolution) -> SpreadReport {
    Canonical::default().spread(problem, solution)
}

impl Canonical {
    /// Replaces the impulses of a certified answer by the canonical ones; any other answer is left alone.
    ///
    /// The velocities are computed afresh from the problem. The basis for the next warm start stays.
    pub fn spread(&mut self, problem: &FrictionProblem, solution: &mut FrictionSolution) -> SpreadReport {
        self.spread_within(problem, Budget::default(), solution)
    }

    /// As [`Canonical::spread`], within the time of a budget: out of it the answer stays as it was.
    pub fn spread_within(
        &mut self,
        problem: &FrictionProblem,
        budget: Budget,
        solution: &mut FrictionSolution,
    ) -> SpreadReport {
        self.budget = Budget { pivots: None, nodes: None, ..budget };
        self.clock = Clock::new(&budget);
        self.round.clock = self.clock;
        let rows = MetricRows::new(problem);
        let (mut motion, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let raw: Vec<f64> = solution.impulses.iter().zip(&rows.scale).map(|(r, s)| r / s).collect();
        let mut report = SpreadReport::of(dot(&raw, &raw).sqrt());
        let unknowns =
            problem.n_contacts() * (2 + problem.facets()) + rows.q.len() - 3 * problem.n_contacts();
        // an answer with round cones has no lowered form
        let round = solution.boxed.x.is_empty();
        if raw.len() != rows.q.len() || (!round && solution.boxed.x.len() != unknowns) {
            return report;
        }
        rows.velocities(&raw, &mut motion, &mut before);
        report.residual = rows.residual(problem, solution, &before);
        if report.residual.natural.is_nan() || report.residual.natural > SOLVED / CERTIFIED * SOLVED {
            return report;
        }
        report.spread = Spread::Inaccurate;
        let band = STILL * unit(&rows, &raw) * rows.size;
        if round {
            self.pieces.list_round(problem, &rows, &raw, &before, band);
        } else {
            self.pieces.list_facets(problem, &rows, solution, &raw, &before, band);
        }
        self.motion.build(&rows, &self.pieces.list, &self.clock);
        if self.clock.expired() {
            return report;
        }
        report.unknowns = self.pieces.list.iter().map(|p| p.width).sum();
        report.rank = self.motion.rank();
        report.weakest = self.motion.weakest();

        let y = self.open(&rows, &raw, report.unknowns, &mut motion);
        let least = if round {
            let Self { pieces, motion: open, round, .. } = self;
            round.minimise(open, &pieces.list, &motion, y, &mut report)
        } else {
            self.minimise(&motion, y, &mut report)
        };
        let Some(y) = least else { return report };

        let mut spread = solution.clone();
        if round {
            self.write_round(problem, &rows, &y, &mut spread);
        } else {
            self.write(problem, &rows, &y, &mut spread);
        }
        let r: Vec<f64> = spread.impulses.iter().zip(&rows.scale).map(|(r, s)| r / s).collect();
        rows.velocities(&r, &mut motion, &mut after);
        rows.report_contacts(problem.n_contacts(), &after, &mut spread);
        if !round {
            let stuck = self.pieces.list.iter().filter(|p| p.meaning == Meaning::Stick).map(|p| p.row / 3);
            rows.report_boxed(problem, &after, stuck, &mut spread);
        }
        let checked = rows.residual(problem, &spread, &after);
        let change = before.iter().zip(&after).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        let speed = rows.size.max(max_abs(&before));
        // impulses far larger than the velocities they leave cannot be written down to MOTION of these
        let rounding = 64.0 * f64::EPSILON * max_abs(&raw);
        // what begins to press within a round cone is judged in the scale of the problem alone
        let pressed = |piece: &Piece| raw[piece.row] > 0.0 || (!round && r[piece.row] > 0.0);
        let own = [(&raw, &before), (&r, &after)].map(|(r, u)| self.row_relative(&rows, r, u, pressed));
        // no worse than before, but for the rounding of the same residual
        let no_worse = |now: f64, then: f64| now <= (1.001 * then).max(CERTIFIED);
        let good = no_worse(checked.natural, report.residual.natural) && no_worse(own[1], own[0]);
        if good && change <= MOTION * speed + rounding {
            report.spread = Spread::Canonical;
            report.motion = change / speed;
            report.norm_after = dot(&r, &r).sqrt();
            report.residual = checked;
            *solution = spread;
        }
        report
    }

    /// b, what the raw impulses of the open rows do to the motion, and y, the same impulses in the coordinates.
    fn open(&self, rows: &MetricRows, raw: &[f64], unknowns: usize, motion: &mut [f64]) -> Vec<f64> {
        motion.fill(0.0);
        let mut y = vec![0.0; unknowns];
        for piece in &self.pieces.list {
            let r = &raw[piece.row..piece.row + piece.scalars()];
            for (k, f) in r.iter().enumerate() {
                let f = f - piece.offset[k];
                rows.column[piece.row + k].iter().for_each(|&(i, v)| motion[i] += v * f);
            }
            for t in 0..piece.width {
                y[piece.first + t] = r.iter().zip(&piece.basis[t]).map(|(r, b)| r * b).sum();
            }
        }
        motion.iter_mut().zip(&self.motion.balance).for_each(|(b, f)| *b *= f);
        y
    }
}
