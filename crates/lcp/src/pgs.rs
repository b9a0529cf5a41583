//! Projected Gauss-Seidel on the boxed problem [EnzError, §5].
//!
//! Row after row, each with the newest values of the others:
//!
//! ```text
//!     x_i ← clamp(x_i − ω w_i / a_ii,  l_i, u_i),        w = A x + b
//! ```
//!
//! The bounds of a row with a friction index are those of the newest normal impulse. For symmetric positive
//! definite A and 0 < ω < 2 the energy falls with every row; with mass ratios and long chains it falls slowly.
//!
//! | paper    | here                | shape |
//! |----------|---------------------|-------|
//! | x, w     | `ledger.x`, `.w`    | n     |
//! | a_ii     | `step`, inverted    | n     |
//! | l, u     | `rows.bounds(i, x)` |       |
//!
//! Departures: a row without a positive diagonal, where the formula would divide by zero, takes the inverse
//! effective mass of the energy scaling; the sweeps stop at an eighth of the residual that is called solved; out
//! of sweeps the iterate of least energy error is the answer.

use crate::ledger::{Ledger, Limits};
use crate::observer::watched;
use crate::observer::{Observer, SweepEvent};
use crate::outcome::{Budget, MlcpSolution, Outcome, SOLVED, Solution, Start, Status};
use crate::problem::{Lcp, Mlcp};
use crate::rows::BoxedRows;

/// Sweeps when the caller sets no limit: a second of work at a hundred contacts, far more than a game takes.
const SWEEPS: usize = 10_000;

/// w is updated from row to row and computed anew after this many sweeps, before rounding adds up to 1e-14
/// of it.
const REFRESH: usize = 32;

/// Sweeps stop here: an eighth of what is solved, so that other units, a few powers of two away, say the same.
const CONVERGED: f64 = SOLVED / 8.0;

/// Projected Gauss-Seidel.
///
/// ```
/// use gudgeon_lcp::{Lcp, Pgs, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(Pgs::with_relaxation(1.2)).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pgs {
    /// ω, without unit: 1 is plain Gauss-Seidel, above 1 over-relaxes, below 1 damps. Anything outside (0, 2)
    /// diverges.
    pub relaxation: f64,
    ledger: Ledger,
    step: Vec<f64>, // n, ω/a_ii
}

impl Default for Pgs {
    fn default() -> Self {
        Self::with_relaxation(1.0)
    }
}

impl Pgs {
    /// The method with another ω.
    pub fn with_relaxation(relaxation: f64) -> Self {
        Self { relaxation, ledger: Ledger::default(), step: Vec::new() }
    }

    /// Solves a standard problem from a start, within a budget of sweeps, watched.
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
        if lcp.is_sparse_only() {
            return crate::ledger::refused(lcp, solution);
        }
        self.ledger.open(lcp.into(), &mut solution.ray);
        let (status, sweeps) = self.sweep_on(lcp.into(), start, budget, observer);
        let mut outcome = self.ledger.close_lcp(lcp, status, (sweeps, sweeps), solution, |_| false);
        for (basic, &z) in solution.basis.iter_mut().zip(&solution.z) {
            *basic = z > 0.0;
        }
        outcome.nodes = sweeps;
        outcome
    }

    /// Solves a boxed problem from a start, within a budget of sweeps, watched.
    pub fn solve_mlcp_with(
        &mut self,
        mlcp: &Mlcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_mlcp_with_by(mlcp, start, budget, solution, o))
    }

    fn solve_mlcp_with_by(
        &mut self,
        mlcp: &Mlcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.ledger.open(mlcp.into(), &mut solution.ray);
        let (status, sweeps) = self.sweep_on(mlcp.into(), start, budget, observer);
        self.ledger.close_mlcp(mlcp, status, sweeps, solution)
    }

    fn sweep_on(
        &mut self,
        rows: BoxedRows<'_>,
        start: Start<'_>,
        budget: Budget,
        observer: &mut impl Observer,
    ) -> (Status, usize) {
        let limits = Limits::new(budget, SWEEPS);
        self.prepare(rows, start);
        self.ledger.show(rows, observer);
        let mut sweeps = 0;
        loop {
            if self.ledger.natural_here(rows) <= CONVERGED {
                // said on an updated w; asked again on a fresh one
                self.refresh(rows);
                if self.ledger.natural_here(rows) <= CONVERGED {
                    return (Status::Solved, sweeps);
                }
            }
            if limits.spent(sweeps) {
                return (Status::Budget, sweeps);
            }
            self.sweep(rows);
            if !self.ledger.w.iter().all(|w| w.is_finite()) {
                return (Status::Inaccurate, sweeps + 1);
            }
            self.ledger.offer(rows);
            self.ledger.show(rows, observer);
            if observer.wants_sweeps() {
                let sum = self.ledger.sums(rows, &self.ledger.x, &self.ledger.w);
                observer.sweep(&SweepEvent {
                    sweep: sweeps,
                    natural: sum.natural,
                    fischer_burmeister: sum.fischer_burmeister,
                    energy: sum.energy,
                });
            }
            sweeps += 1;
            if sweeps % REFRESH == 0 {
                self.refresh(rows);
            }
        }
    }

    /// The starting iterate and the step of each row.
    fn prepare(&mut self, rows: BoxedRows<'_>, start: Start<'_>) {
        if let Start::Iterate(guess) = start {
            for (x, &guess) in self.ledger.x.iter_mut().zip(guess) {
                *x = guess;
            }
            rows.project(&mut self.ledger.x);
            self.refresh(rows);
            self.ledger.offer(rows);
        }
        self.step.clear();
        for i in 0..rows.n() {
            let diagonal = rows.diagonal(i);
            let a = if diagonal > 0.0 { diagonal } else { self.ledger.scaling.inverse_mass(i) };
            self.step.push(self.relaxation / a);
        }
    }

    fn refresh(&mut self, rows: BoxedRows<'_>) {
        let mut w = std::mem::take(&mut self.ledger.w);
        rows.slack(&self.ledger.x, &mut w);
        self.ledger.w = w;
    }

    fn sweep(&mut self, rows: BoxedRows<'_>) {
        let (x, w) = (&mut self.ledger.x, &mut self.ledger.w);
        for i in 0..rows.n() {
            let (lo, hi) = rows.bounds(i, x);
            // not clamp, which panics on bounds that a diverging normal impulse has made NaN
            let new = (x[i] - self.step[i] * w[i]).max(lo).min(hi);
            let change = new - x[i];
            if change != 0.0 {
                x[i] = new;
                crate::kernel::axpy(change, rows.column(i), w);
            }
        }
    }
}
