//! Lloyd's two methods, `structural` and `reduced`: Lemke's path on the reduced basis [Lloyd, §4, §5, App. D].
//!
//! ```text
//!     w = M z + c z₀ + q                                                                           (17)
//!     s = arg min { −q′_i / m′_i : m′_i < 0 }                                                      (18)
//! ```
//!
//! Step 0 brings z₀ in at the row with the least q_i / c_i; then the complement of what left last is driven until
//! z₀ leaves. q′ and m′ come from [`super::reduced`]. `structural` has the whole problem (8) from the start.
//! `reduced` starts without friction; when a θ is driven for the first time, the φ, λ, σ, γ of its contact join
//! with covers that are raised by
//!
//! ```text
//!     Δc > −min(q′_δ / z₀)                                                                         (59)
//! ```
//!
//! where that leaves a q′_δ negative.
//!
//! | paper        | here                   | shape                                   |
//! |--------------|------------------------|-----------------------------------------|
//! | q′           | `q_now`                | unknowns + 1, by pair; z₀ last          |
//! | m′           | `column`               | the same                                |
//! | y_r, y_s     | `entering`, `leaving`  |                                         |
//! | c            | `system.cover`         | unknowns                                |
//! | B⁻¹          | [`Load::Unit`], solved | a column at a time, at the tied rows     |
//!
//! Ties are broken lexicographically, with a threshold, by the columns of B⁻¹[p I], where p is a fixed vector of random
//! positive numbers, carried beside q: it settles nearly every tie for the price of a second q′, where a column of B⁻¹ alone
//! asks for a solve each. z₀ comes first where it is next to nothing. q′ is
//! carried on by the step that was taken and computed afresh every few pivots. A basis that comes round again is a
//! cycle. The answer is computed from its basis once more, and counts only by its residual in the original
//! problem. A path that ends on a ray, a cycle or a wrong basis is walked again, up to four times, with other thresholds
//! and covers ([`ATTEMPTS`]); what fails then says so by name. `robust` is the method to rely on.
//!
//! Departures. The covering vector is 1 as in the paper except on σ, see [`Lloyd::sigma_cover`]. Δc leaves a margin, so that the new rows do not tie at once. Free rows are basic from the start;
//! one that adds nothing to those before it is left out, and must hold in the end all the same. Only
//! [`crate::Outcome::status`] tells of a ray: the certificate would need the friction rows that never joined.

mod ratio;
mod step;
mod verify;

use super::Structured;
use super::reduced::{Basis, Load};
use super::search::SIGMA_COVER;
use super::system::System;
use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::lexicographic::Lexicographic;
use crate::observer::watched;
use crate::observer::{Observer, Variable};
use crate::outcome::{Budget, Outcome, SOLVED, Solution, Start, Status};
use crate::problem::{FrictionProblem, Lcp};
use crate::tolerances;
use crate::visited::{Visited, key};

/// q′ is computed afresh after this many steps of its own: a step adds a rounding or two of what it moves.
const REFRESH: usize = 10;
/// z₀ leaves if no more than this is left of it after the step, in units of q: the zero of the first rung of
/// [`super::search`]. With a tenth of it some pegs of 128 contacts end on rays that start where z₀ is rounding.
const SPARE: f64 = 1e-11;
/// The part of its cover that a new row keeps at least, see (59): far above the threshold of a tie, and small
/// against the covers, whose differences bend the path.
const MARGIN: f64 = 0.1;

/// What a path is walked with: the threshold of ties in units of [`Lloyd::delta`], and the most that σ rows are covered by.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    delta: f64,
    most_cover: f64,
}

/// The first attempt is the method; the others are for paths that rounding has led to a ray, a cycle or a wrong basis.
const ATTEMPTS: [Attempt; 5] = [
    Attempt { delta: 1.0, most_cover: f64::INFINITY },
    Attempt { delta: 1e2, most_cover: f64::INFINITY },
    Attempt { delta: 1e-2, most_cover: 100.0 },
    Attempt { delta: 1.0, most_cover: 10.0 },
    Attempt { delta: 1e2, most_cover: 1.0 },
];

/// The whole problem from the start [Lloyd, §5.1].
pub type Structural = Lloyd<false>;
/// Frictionless at the start; friction grows with the contacts that press [Lloyd, §5.3].
pub type Reduced = Lloyd<true>;

/// Lexicographic Lemke on the reduced basis, with its scratch memory. Problems without friction structure, and
/// friction problems with Tan's stabilisation, go to [`Lexicographic`].
#[derive(Debug, Clone)]
pub struct Lloyd<const GROWS: bool> {
    /// Quotients this close are equal, in scaled units where rows and q have size one. Of 1e-8, 1e-10 and 1e-12 the
    /// middle one alone solves all of Lloyd's experiments: a wider one takes z₀ out before it is zero, a
    /// narrower one sees differences in rounding.
    pub delta: f64,
    /// c of the σ rows, where those of ν and γ have 1. With much of it friction comes into the path late, when
    /// the normals have found their places; with 1, Lloyd's choice, contacts come and go under friction that is
    /// not yet the real one, and a peg of 32 contacts takes 107 pivots instead of 18.
    pub sigma_cover: f64,
    /// Entries of m′ above minus this part of its largest count as zero.
    pub pivot_tolerance: f64,
    system: System,
    basis: Basis,
    q: Vec<f64>,
    p: Vec<f64>, // unknowns, random in [1, 2]: the first column of the lexicographic test
    q_now: Vec<f64>,
    p_now: Vec<f64>,
    column: Vec<f64>,
    rows: Vec<usize>, // pairs with a sign that are in the problem, in the order of the lexicographic test
    tied: Vec<usize>,
    beta: Vec<f64>,
    visited: Visited,
    since_refresh: usize,
    pivots: usize,
    best_energy: f64,
    trial_z: Vec<f64>,
    trial_w: Vec<f64>,
    answer: Box<Structured>,
    plain: Lexicographic,
}

impl<const GROWS: bool> Default for Lloyd<GROWS> {
    fn default() -> Self {
        Self::with_delta(tolerances::LLOYD_DELTA)
    }
}

impl<const GROWS: bool> Lloyd<GROWS> {
    /// The method with another threshold of ties.
    pub fn with_delta(delta: f64) -> Self {
        Self {
            delta,
            sigma_cover: SIGMA_COVER,
            pivot_tolerance: crate::lemke::PIVOT_TOLERANCE,
            system: System::default(),
            basis: Basis::default(),
            q: Vec::new(),
            p: Vec::new(),
            q_now: Vec::new(),
            p_now: Vec::new(),
            column: Vec::new(),
            rows: Vec::new(),
            tied: Vec::new(),
            beta: Vec::new(),
            visited: Visited::default(),
            since_refresh: 0,
            pivots: 0,
            best_energy: f64::INFINITY,
            trial_z: Vec::new(),
            trial_w: Vec::new(),
            answer: Box::default(),
            plain: Lexicographic::default(),
        }
    }

    /// The size of the largest reduced system of the last friction problem, without z₀: never more than the
    /// degrees of freedom, and one while w_r is a γ, whose row is no product.
    pub fn reduced_size(&self) -> usize {
        self.basis.largest
    }

    /// A standard problem has no friction structure: `lexicographic`.
    pub fn solve_with(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_with_by(lcp, start, budget, solution, o))
    }

    fn solve_with_by(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.plain.solve_with(lcp, start, budget, solution, observer)
    }

    /// Solves a friction problem with its polyhedral cones.
    pub fn solve_friction(&mut self, problem: &FrictionProblem, solution: &mut FrictionSolution) -> Outcome {
        self.solve_friction_with(problem, Budget::default(), solution, &mut ())
    }

    /// The same within a budget, watched.
    pub fn solve_friction_with(
        &mut self,
        problem: &FrictionProblem,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_friction_with_by(problem, budget, solution, o))
    }

    fn solve_friction_with_by(
        &mut self,
        problem: &FrictionProblem,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut system = std::mem::take(&mut self.system);
        system.rebuild(problem);
        let status = self.attempts(&mut system, budget, observer);
        if self.answer.search.natural == f64::INFINITY {
            self.measure(&system);
        }
        self.answer.report(&system, solution);
        let residual = self.answer.residual(&system);
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        self.system = system;
        Outcome { status, pivots: self.pivots, nodes: self.pivots, residual }
    }

    /// Lemke's path; where rounding leads it astray, again with other thresholds and another generic column.
    fn attempts(&mut self, system: &mut System, budget: Budget, observer: &mut impl Observer) -> Status {
        let (delta, sigma_cover) = (self.delta, self.sigma_cover);
        let clock = Clock::new(&budget);
        self.pivots = 0;
        let mut status = Status::Cycle;
        for (seed, attempt) in ATTEMPTS.into_iter().enumerate() {
            self.delta = delta * attempt.delta;
            self.sigma_cover = sigma_cover.min(attempt.most_cover);
            system.grown.fill(!GROWS);
            status = self.walk(system, seed as u64, budget, &clock, observer);
            if matches!(status, Status::Solved | Status::Budget) {
                break;
            }
        }
        (self.delta, self.sigma_cover) = (delta, sigma_cover);
        status
    }

    /// One path.
    fn walk(
        &mut self,
        system: &mut System,
        seed: u64,
        budget: Budget,
        clock: &Clock,
        observer: &mut impl Observer,
    ) -> Status {
        self.start(system, seed);
        // a path of Lemke's has a few pivots per unknown; one that has fifty goes nowhere
        let own = 50 * system.unknowns() + 1000;
        let limit = budget.pivots.unwrap_or(usize::MAX).min(budget.nodes.unwrap_or(usize::MAX));
        let own = self.pivots + own;

        // step 0: z₀ enters at the worst row, unless there is none
        self.refresh(system);
        let Some(worst) = self.worst(system) else { return self.verify(system) };
        self.column.clear();
        self.column.extend_from_slice(&system.cover);
        self.column.push(0.0);
        let mut hash = 0;
        let mut entering = Variable::Z0;
        let mut leaving = Variable::W(worst);
        loop {
            if budget != Budget::default() {
                self.keep_best(system);
                if self.pivots >= limit || clock.expired() {
                    return Status::Budget;
                }
            }
            if self.pivots >= own {
                return Status::Cycle;
            }
            if !self.pivot(system, entering, leaving, observer) {
                return Status::Inaccurate;
            }
            if leaving == Variable::Z0 {
                return self.verify(system);
            }
            hash ^= key(entering) ^ key(leaving);
            if !self.visited.insert(hash) {
                return Status::Cycle;
            }

            // step 1: drive the complement of what left
            entering = leaving.complement();
            if let Variable::Z(j) = entering {
                self.grow(system, j);
            }
            let load = match entering {
                Variable::Z(j) => Load::Column(j),
                Variable::W(i) => Load::Unit(i, -1.0),
                Variable::Z0 => unreachable!("z₀ ends the path when it leaves"),
            };
            let residual = self.basis.solve(system, load, &mut self.column);
            if self.basis.is_stale(residual) {
                if !self.basis.factor(system) {
                    return Status::Inaccurate;
                }
                self.refresh(system);
                self.basis.solve(system, load, &mut self.column);
            }

            // step 2: the row that blocks
            match self.blocking(system) {
                Some(variable) => leaving = variable,
                None => return Status::Ray,
            }
        }
    }
}
