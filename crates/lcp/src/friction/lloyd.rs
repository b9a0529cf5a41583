//! Lloyd's two methods, `structural` and `reduced`: Lemke's path on the reduced basis [Lloyd, §4, §5, App. D].
//!
//! ```text
//!     w = M z + c z₀ + q                                                                           (17)
//!     s = arg min { −q′_i / m′_i : m′_i < 0 }                                                      (18)
//! ```
//!
//! Step 0 brings z₀ in at the row with the least q_i / c_i; then the complement of what left last is driven until
//! z₀ leaves. q′ and m′ come from [`super::lloyd_basis`]. `structural` has the whole problem (8) from the start.
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
//! Ties are broken lexicographically, with a threshold, as in [`crate::Lexicographic`]; z₀ comes first where it is next to nothing. q′ is
//! carried on by the step that was taken and computed afresh every few pivots. A basis that comes round again is a
//! cycle. The answer is computed from its basis once more, and counts only by its residual in the original
//! problem. Nothing is tried twice: these are the published methods, for what they are worth; `robust` is the
//! method to rely on.
//!
//! Departures. The covering vector is 1 as in the paper except on σ, see [`Lloyd::sigma_cover`]. Δc leaves a margin, so that the new rows do not tie at once. Free rows are basic from the start;
//! one that adds nothing to those before it is left out, and must hold in the end all the same. Only
//! [`crate::Outcome::status`] tells of a ray: the certificate would need the friction rows that never joined.

use std::time::Instant;

use super::Structured;
use super::lloyd_basis::{Basis, Load, Side};
use super::search::{energy, evaluate};
use super::system::{Kind, System};
use crate::lexicographic::Lexicographic;
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::{Budget, Outcome, Residual, SOLVED, Solution, Start, Status};
use crate::problem::{FrictionProblem, Lcp, Stabilisation};
use crate::solver::FrictionSolution;
use crate::visited::{Visited, key};

/// q′ is computed afresh after this many steps of its own: a step adds a rounding or two of what it moves.
const REFRESH: usize = 10;
/// z₀ leaves in a tie if the rows lose no more than this by it, a tenth of what counts as solved. With a
/// hundredth of it, pegs of a hundred contacts end on rays that start where z₀ is rounding.
const SPARE: f64 = 1e-10;
/// The part of its cover that a new row keeps at least, see (59): far above the threshold of a tie, and small
/// against the covers, whose differences bend the path.
const MARGIN: f64 = 0.1;

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
    /// not yet the real one, and a peg of 32 contacts takes 106 pivots instead of 19. Above 1000 the last stretch
    /// of z₀ is lost in rounding.
    pub sigma_cover: f64,
    /// Entries of m′ above minus this part of its largest count as zero.
    pub pivot_tolerance: f64,
    basis: Basis,
    q: Vec<f64>,
    q_now: Vec<f64>,
    column: Vec<f64>,
    rows: Vec<usize>, // pairs with a sign that are in the problem, in the order of the lexicographic test
    tied: Vec<usize>,
    beta: Vec<f64>,
    friction: Vec<f64>, // d + 1, the rows that join
    visited: Visited,
    since_refresh: usize,
    pivots: usize,
    best_energy: f64,
    trial_z: Vec<f64>,
    trial_w: Vec<f64>,
    answer: Structured,
    plain: Lexicographic,
}

impl<const GROWS: bool> Default for Lloyd<GROWS> {
    fn default() -> Self {
        Self::with_delta(1e-10)
    }
}

impl<const GROWS: bool> Lloyd<GROWS> {
    /// The method with another threshold of ties.
    pub fn with_delta(delta: f64) -> Self {
        Self {
            delta,
            sigma_cover: 100.0,
            pivot_tolerance: crate::lemke::PIVOT_TOLERANCE,
            basis: Basis::default(),
            q: Vec::new(),
            q_now: Vec::new(),
            column: Vec::new(),
            rows: Vec::new(),
            tied: Vec::new(),
            beta: Vec::new(),
            friction: Vec::new(),
            visited: Visited::default(),
            since_refresh: 0,
            pivots: 0,
            best_energy: f64::INFINITY,
            trial_z: Vec::new(),
            trial_w: Vec::new(),
            answer: Structured::default(),
            plain: Lexicographic::default(),
        }
    }

    /// The size of the largest reduced system of the last friction problem, without z₀: never more than the
    /// degrees of freedom.
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
        observer: &mut impl Observer,
    ) -> Outcome {
        let mut system = System::new(problem);
        system.grown.fill(!GROWS);
        let status = self.walk(&mut system, budget, observer);
        if self.answer.search.natural == f64::INFINITY {
            self.measure(&system);
        }
        self.answer.report(&system, solution);
        let mut residual = self.answer.residual(&system);
        // a crisp answer is right in every row; another is held against the standard problem, row by row
        let crisp = 1e-14 * crate::kernel::max_abs(&self.answer.search.z).max(1.0);
        if residual.natural > crisp && residual.natural <= SOLVED {
            let strict = problem.to_mlcp(Stabilisation::default()).map_or(f64::INFINITY, |mlcp| {
                mlcp.slack(&solution.boxed.x, &mut self.trial_w);
                Residual::of_mlcp(&mlcp, &solution.boxed.x, &self.trial_w).natural
            });
            residual.natural = residual.natural.max(strict);
        }
        let status = match status {
            _ if residual.natural <= SOLVED => Status::Solved,
            Status::Solved => Status::Inaccurate,
            status => status,
        };
        Outcome { status, pivots: self.pivots, nodes: self.pivots, residual }
    }

    /// Lemke's path.
    fn walk(&mut self, system: &mut System, budget: Budget, observer: &mut impl Observer) -> Status {
        self.start(system);
        let deadline = budget.seconds.filter(|s| s.is_finite()).map(|s| {
            // a million seconds is for ever
            Instant::now() + std::time::Duration::from_secs_f64(s.clamp(0.0, 1e6))
        });
        // a path of Lemke's has a few pivots per unknown; one that has fifty goes nowhere
        let own = 50 * system.unknowns() + 1000;
        let limit = budget.pivots.unwrap_or(own).min(budget.nodes.unwrap_or(own));

        // step 0: z₀ enters at the worst row, unless there is none
        self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
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
                if self.pivots >= limit || deadline.is_some_and(|d| Instant::now() >= d) {
                    return Status::Budget;
                }
            } else if self.pivots >= limit {
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
            self.basis.solve(system, load, &mut self.column);

            // step 2: the row that blocks
            match self.blocking(system) {
                Some(variable) => leaving = variable,
                None => return Status::Ray,
            }
        }
    }

    /// The basis of all w and of the free unknowns.
    fn start(&mut self, system: &mut System) {
        let (n, bounded) = (system.unknowns(), system.bounded());
        self.q.clear();
        self.q.resize(n, 0.0);
        system.load(&mut self.q);
        system.cover.fill(1.0);
        system.cover[bounded..].fill(0.0);
        for i in 0..system.n {
            let first = system.theta(i) + 1;
            system.cover[first..first + system.d].fill(self.sigma_cover);
        }
        self.basis.reset(system);
        self.rows.clear();
        self.rows.extend((0..bounded).filter(|&i| system.present(i)));
        (bounded..n).for_each(|j| self.basis.install(j));
        if !self.basis.factor(system) {
            // one by one, leaving out those that add nothing
            (bounded..n).for_each(|j| self.basis.leave_out(j));
            for j in bounded..n {
                self.basis.install(j);
                if !self.basis.factor(system) {
                    self.basis.leave_out(j);
                }
            }
            self.basis.factor(system);
        }
        self.visited.reset(n);
        self.pivots = 0;
        self.since_refresh = 0;
        self.best_energy = f64::INFINITY;
        self.answer.search.natural = f64::INFINITY;
    }

    /// arg min q_i / c_i, the last of equals: its later columns of B⁻¹ are smaller; none if q ≥ 0.
    fn worst(&self, system: &System) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for &i in &self.rows {
            let ratio = self.q_now[i] / system.cover[i];
            if ratio < 0.0 && best.is_none_or(|(least, _)| ratio <= least) {
                best = Some((ratio, i));
            }
        }
        best.map(|(_, i)| i)
    }

    /// The basic variable of a pair.
    fn variable(&self, i: usize) -> Variable {
        if i == self.q.len() {
            Variable::Z0
        } else if self.basis.side(i) == Side::Z {
            Variable::Z(i)
        } else {
            Variable::W(i)
        }
    }

    /// The row of (18); ties as wide as Δ are broken by columns of B⁻¹.
    fn blocking(&mut self, system: &System) -> Option<Variable> {
        let n = self.q.len();
        let basic = |basis: &Basis, i: usize| matches!(basis.side(i), Side::W | Side::Z);
        // z₀ counts by what it does to the rows
        let cover = self.sigma_cover.max(1.0);
        let mut size = cover * self.column[n].abs();
        for &i in &self.rows {
            if basic(&self.basis, i) {
                size = size.max(self.column[i].abs());
            }
        }
        let zero = -self.pivot_tolerance * size;
        let ratio = |q: &[f64], m: &[f64], i: usize| q[i].max(0.0) / -m[i];
        let mut least = f64::INFINITY;
        self.tied.clear();
        for &i in std::iter::once(&n).chain(&self.rows) {
            let m = if i == n { cover * self.column[n] } else { self.column[i] };
            if m < zero && (i == n || basic(&self.basis, i)) {
                let r = ratio(&self.q_now, &self.column, i);
                if r <= least + self.delta {
                    least = least.min(r);
                    self.tied.push(i);
                }
            }
        }
        let limit = least + self.delta;
        self.tied.retain(|&i| ratio(&self.q_now, &self.column, i) <= limit);
        if self.tied.first() == Some(&n) {
            // what the rows lose with the rest of z₀ after the least step
            let rest = (self.q_now[n] + least * self.column[n]) * cover;
            if rest <= SPARE {
                return Some(Variable::Z0);
            }
            self.tied.remove(0);
        }
        let mut chosen = *self.tied.first()?;
        for at in 0..self.rows.len() {
            if self.tied.len() == 1 {
                break;
            }
            let k = self.rows[at];
            if self.basis.side(k) == Side::W {
                // a unit vector: one row is positive, the others are not
                let Some(own) = self.tied.iter().position(|&i| i == k) else { continue };
                if 1.0 / -self.column[k] > self.delta {
                    self.tied.remove(own);
                    chosen = self.tied[0];
                }
                continue;
            }
            self.basis.solve_at(system, Load::Unit(k, 1.0), &self.tied, &mut self.beta);
            for (beta, &i) in self.beta.iter_mut().zip(&self.tied) {
                *beta /= -self.column[i];
            }
            let least = self.beta.iter().fold(f64::INFINITY, |m, &b| m.min(b));
            chosen = self.beta.iter().zip(&self.tied).find(|(b, _)| **b == least).map_or(chosen, |(_, &i)| i);
            let limit = least + self.delta;
            let mut place = 0;
            let beta = &self.beta;
            self.tied.retain(|&i| {
                place += 1;
                i == chosen || beta[place - 1] <= limit
            });
        }
        if self.tied.len() == 1 {
            chosen = self.tied[0];
        }
        Some(self.variable(chosen))
    }

    /// Exchanges two variables and carries q′ on. False if the new basis is singular.
    fn pivot(
        &mut self,
        system: &System,
        entering: Variable,
        leaving: Variable,
        observer: &mut impl Observer,
    ) -> bool {
        let n = self.q.len();
        let pair = |variable: Variable| match variable {
            Variable::W(i) | Variable::Z(i) => i,
            Variable::Z0 => n,
        };
        let (into, out) = (pair(entering), pair(leaving));
        // at step 0 the row is below zero, later never by more than rounding
        let q = if entering == Variable::Z0 { self.q_now[out] } else { self.q_now[out].max(0.0) };
        let step = q / -self.column[out];
        crate::kernel::axpy(step, &self.column, &mut self.q_now);
        self.q_now[out] = 0.0;
        self.q_now[into] = step;
        self.basis.exchange(entering, leaving);
        let regular = self.basis.factor(system);
        self.pivots += 1;
        self.since_refresh += 1;
        if regular && (self.since_refresh >= REFRESH || leaving == Variable::Z0) {
            self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
            self.since_refresh = 0;
        }
        observer.pivot(&PivotEvent {
            pivot: self.pivots - 1,
            entering,
            leaving,
            q_min: 0.0,
            error: f64::NAN,
        });
        regular
    }

    /// A contact that is pressed for the first time brings its friction along                    (57)-(59).
    fn grow(&mut self, system: &mut System, j: usize) {
        let Kind::Theta(i) = system.kind(j) else { return };
        if system.grown[i] || system.mu[i] == 0.0 {
            return;
        }
        system.grown[i] = true;
        let n = self.q.len();
        let joining = j + 1..j + 2 + system.d;

        // q′_δ = q_δ + M_δ q′_α
        let mut cols = std::mem::take(&mut self.tied);
        let mut z = std::mem::take(&mut self.beta);
        cols.clear();
        z.clear();
        cols.extend_from_slice(self.basis.active());
        cols.push(n);
        z.extend(cols.iter().map(|&k| self.q_now[k]));
        self.friction.clear();
        self.friction.resize(system.d + 1, 0.0);
        system.friction_rows(i, &cols, &z, &self.q, &mut self.friction);
        (self.tied, self.beta) = (cols, z);

        let z0 = self.q_now[n].max(f64::MIN_POSITIVE);
        let least = self.friction.iter().fold(f64::INFINITY, |m, &v| m.min(v));
        let raise = (MARGIN - least / z0).max(0.0);
        for (r, v) in joining.zip(&self.friction) {
            self.basis.join(r);
            self.rows.push(r);
            system.cover[r] += raise;
            self.q_now[r] = v + raise * z0;
        }
    }

    /// Whether the present basis, which has no z₀, is an answer.
    fn verify(&mut self, system: &System) -> Status {
        self.best_energy = f64::INFINITY;
        self.measure(system);
        if self.answer.search.natural <= SOLVED { Status::Solved } else { Status::Inaccurate }
    }

    /// The basic z, cut to their signs, are the answer; w comes from the problem.
    fn measure(&mut self, system: &System) {
        self.trial(system);
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        self.keep(natural);
    }

    /// Under a budget: the iterate (without z₀) of least energy error is the answer so far [EnzError (21)].
    fn keep_best(&mut self, system: &System) {
        self.trial(system);
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        let energy = energy(system, &self.trial_z, &self.trial_w);
        if energy < self.best_energy {
            self.best_energy = energy;
            self.keep(natural);
        }
    }

    fn trial(&mut self, system: &System) {
        self.trial_z.clear();
        self.trial_z.resize(self.q.len(), 0.0);
        for &j in self.basis.active() {
            let z = self.q_now[j];
            self.trial_z[j] = if j < system.bounded() { z.max(0.0) } else { z };
        }
    }

    fn keep(&mut self, natural: f64) {
        let search = &mut self.answer.search;
        search.natural = natural;
        search.z.clone_from(&self.trial_z);
        search.w.clone_from(&self.trial_w);
        search.basic.clear();
        search.basic.extend((0..self.q.len()).map(|i| self.basis.side(i) == Side::Z));
    }
}
