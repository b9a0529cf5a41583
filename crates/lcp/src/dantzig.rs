//! Dantzig's pivoting for boxed problems, in the manner of Baraff and the Open Dynamics Engine.
//!
//! Free rows are clamped together; then rows are admitted one after the other, see `drive`.
//!
//! A row with a friction index gets the bounds of the normal impulse at the moment it is admitted, as in ODE;
//! rows admitted later may change that impulse. Here the coupled truth is asked afterwards: with the sides as
//! found, the bounds are put into the equations,
//!
//! ```text
//!     x_i = u_i x_f  (or l_i x_f)  on a bound,       (A_CC + A_Ci u_i [f ∈ C]) x_C = −b_C − …
//! ```
//!
//! the clamped block is solved from the original data, and if that does not satisfy the coupled problem the
//! whole pass is repeated with the bounds of the normals just found, until they agree.
//!
//! | here        | meaning                                         | shape |
//! |-------------|-------------------------------------------------|-------|
//! | `drive`     | sides, bounds in force, M′                      | n × n |
//! | `clamped`   | C                                               | ≤ n   |
//! | `followers` | rows at a bound that moves with a normal, (i, f, u_i) | ≤ n |
//!
//! Departures: x may have bounds on one side of zero; a direction without end, a pivot that stays zero and
//! bounds that never agree are `Inaccurate`; degenerate steps that come back are a `Cycle`. A start is not
//! used: the method builds its own.

use crate::drive::{Drive, Place};
use crate::ledger::{Ledger, Limits, generous_pivots};
use crate::lu::Lu;
use crate::observer::Observer;
use crate::observer::watched;
use crate::outcome::{Budget, MlcpSolution, Outcome, SOLVED, Solution, Start, Status};
use crate::problem::{Lcp, Mlcp};
use crate::rows::BoxedRows;

/// Dantzig's pivoting.
///
/// ```
/// use gudgeon_lcp::{Lcp, Dantzig, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(Dantzig::default()).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Dantzig {
    /// Passes over the bounds of friction rows before they are said never to agree. The passes are a
    /// fixed-point iteration; where it converges at all, a few settle the sides and the coupled solve does
    /// the rest.
    pub passes: usize,
    drive: Drive,
    clamped: Vec<usize>,
    followers: Vec<(usize, usize, f64)>, // row, its normal, factor
    lu: Lu,
    ledger: Ledger,
}

impl Default for Dantzig {
    fn default() -> Self {
        Self {
            passes: 40,
            drive: Drive::default(),
            clamped: Vec::new(),
            followers: Vec::new(),
            lu: Lu::default(),
            ledger: Ledger::default(),
        }
    }
}

impl Dantzig {
    /// Solves a standard problem within a budget, watched.
    pub fn solve_with(
        &mut self,
        lcp: &Lcp,
        _start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_with_by(lcp, budget, solution, o))
    }

    fn solve_with_by(
        &mut self,
        lcp: &Lcp,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        if lcp.is_sparse_only() {
            return crate::ledger::refused(lcp, solution);
        }
        self.ledger.open(lcp.into(), &mut solution.ray);
        let status = self.settle(lcp.into(), budget, observer);
        let (side, pivots) = (&self.drive.side, self.drive.pivots);
        let basic = |i: usize| side[i] == Place::Clamped;
        self.ledger.close_lcp(lcp, status, (pivots, pivots), solution, basic)
    }

    /// Solves a boxed problem, friction indices included, within a budget, watched.
    pub fn solve_mlcp_with(
        &mut self,
        mlcp: &Mlcp,
        _start: Start<'_>,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut dyn Observer,
    ) -> Outcome {
        watched!(observer, |o| self.solve_mlcp_with_by(mlcp, budget, solution, o))
    }

    fn solve_mlcp_with_by(
        &mut self,
        mlcp: &Mlcp,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.ledger.open(mlcp.into(), &mut solution.ray);
        let status = self.settle(mlcp.into(), budget, observer);
        self.ledger.close_mlcp(mlcp, status, self.drive.pivots, solution)
    }

    /// Passes until the bounds of the friction rows are those of the normals found.
    fn settle(&mut self, rows: BoxedRows<'_>, budget: Budget, observer: &mut impl Observer) -> Status {
        let limits = Limits::new(budget, generous_pivots(rows.n()));
        self.reserve(rows.n());
        let coupled = (0..rows.n()).any(|i| rows.normal_of(i).is_some());
        for pass in 0..self.passes.max(1) {
            self.set_bounds(rows);
            if let Err(status) = self.pass(rows, pass, limits, observer) {
                return status;
            }
            self.polish(rows);
            self.ledger.show(rows, observer);
            if !coupled || self.ledger.natural_here(rows) <= SOLVED {
                return Status::Solved;
            }
            self.ledger.offer(rows);
        }
        Status::Inaccurate
    }

    /// Room for the largest blocks of this size.
    fn reserve(&mut self, n: usize) {
        self.drive.reserve(n);
        self.lu.reserve(n);
        self.clamped.clear();
        self.clamped.reserve(n);
        self.followers.clear();
        self.followers.reserve(n);
    }

    /// The bounds in force at the last iterate, and x = 0 within those that do not depend on a normal.
    fn set_bounds(&mut self, rows: BoxedRows<'_>) {
        let (drive, x) = (&mut self.drive, &mut self.ledger.x);
        drive.lo.clear();
        drive.hi.clear();
        for i in 0..rows.n() {
            let (lo, hi) = rows.bounds(i, x);
            drive.lo.push(lo);
            drive.hi.push(hi);
        }
        for i in 0..rows.n() {
            let dependent = rows.normal_of(i).is_some();
            x[i] = if dependent { 0.0 } else { 0.0_f64.clamp(drive.lo[i], drive.hi[i]) };
        }
        rows.slack(x, &mut self.ledger.w);
    }

    /// Free rows together, the others by index, friction rows last.
    fn pass(
        &mut self,
        rows: BoxedRows<'_>,
        pass: usize,
        limits: Limits,
        observer: &mut impl Observer,
    ) -> Result<(), Status> {
        self.drive.begin(rows);
        self.drive.clamp_free(rows, &mut self.ledger, limits, observer);
        for dependent in [false, true] {
            for i in 0..rows.n() {
                if self.drive.side[i] == Place::Clamped || rows.normal_of(i).is_some() != dependent {
                    continue;
                }
                if pass == 0 && dependent {
                    // the normals as they are now, as in ODE
                    (self.drive.lo[i], self.drive.hi[i]) = rows.bounds(i, &self.ledger.x);
                }
                self.drive.admit(rows, i, &mut self.ledger, limits, observer)?;
            }
        }
        Ok(())
    }

    /// Solves for the clamped rows from the original data; friction rows at a bound follow their normals.
    fn polish(&mut self, rows: BoxedRows<'_>) {
        let n = rows.n();
        self.clamped.clear();
        self.clamped.extend((0..n).filter(|&i| self.drive.side[i] == Place::Clamped));
        self.followers.clear();
        for i in 0..n {
            if let Some(normal) = rows.normal_of(i) {
                // the bounds are those of |x_f|
                let (lo, hi) = rows.bounds_per_normal(i);
                let sign = if self.ledger.x[normal] < 0.0 { -1.0 } else { 1.0 };
                match self.drive.side[i] {
                    Place::Lower => self.followers.push((i, normal, sign * lo)),
                    Place::Upper => self.followers.push((i, normal, sign * hi)),
                    _ => {}
                }
            }
        }
        let followers = &self.followers;
        let entry = |i: usize, j: usize| {
            let follow = followers.iter().filter(|f| f.1 == j).map(|f| f.2 * rows.a[f.0 * n + i]);
            rows.a[j * n + i] + follow.sum::<f64>()
        };
        let (scaling, x) = (&self.ledger.scaling, &mut self.ledger.x);
        if self.lu.factor(&self.clamped, entry, scaling) {
            for _pass in 0..3 {
                self.lu.correct(&self.clamped, rows, scaling, x);
                for &(i, normal, f) in followers {
                    x[i] = f * x[normal];
                }
            }
        }
        rows.project(x);
        rows.slack(x, &mut self.ledger.w);
    }
}
