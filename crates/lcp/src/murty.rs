//! Murty's principal pivoting by least index [EnzPivot, §The Algorithm Steps].
//!
//! Every basis is complementary; z′, w′ of a basis are read from q′, and while some are negative the pair with
//! the least index changes sides:
//!
//! ```text
//!     r = min { i : q′_i < 0 },        exchange w_r and z_r on the pivot m′_rr                [Murty 1974]
//! ```
//!
//! "Pivot then check": nothing is verified before the exchange, so m′_rr may be zero where M is only
//! semi-definite. That is `Inaccurate` here, not an exception. Where all principal minors of M are
//! positive, no basis comes back and the method ends with the unique solution, after as many as 2ⁿ − 1
//! exchanges.
//!
//! | paper        | here                        | shape |
//! |--------------|-----------------------------|-------|
//! | M′, q′       | [`Tableau`], without c      | n × n |
//! | m′_rr        | `tableau.column(r)[r]`      |       |
//!
//! Departures: negative means below −1e-11 in scaled units; a basis that comes back is a `Cycle`; the last
//! basis is solved again from the original data, so the answer has no drift.

use crate::ledger::{Ledger, Limits, generous_pivots};
use crate::lu::Lu;
use crate::observer::watched;
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::{Budget, Outcome, Solution, Start, Status};
use crate::problem::Lcp;
use crate::tableau::{Singular, Tableau};
use crate::visited::Visited;

/// Below minus this, in scaled units, an entry of q′ is negative: a hundredth of what is still called
/// solved, and far above the rounding of a well-conditioned block.
const NEGATIVE: f64 = 1e-11;

/// A principal pivot below this part of the row's effective inverse mass is zero. Dependent contacts
/// leave 1e-16; the stiffest honest ones seen leave 1e-8.
const SINGULAR: f64 = 1e-12;

/// Principal pivoting by least index.
///
/// ```
/// use gudgeon_lcp::{Lcp, Murty, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(Murty::default()).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Murty {
    tableau: Tableau,
    visited: Visited,
    ledger: Ledger,
    lu: Lu,
    active: Vec<usize>,
}

impl Murty {
    /// Solves from a start, within a budget, watched.
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
        self.visited.reset(lcp.n());
        self.lu.reserve(lcp.n());
        self.active.clear();
        self.active.reserve(lcp.n());
        self.tableau.load_matrix(lcp.m(), lcp.q());
        let (status, pivots) = match self.tableau.bring_in(start) {
            Ok(()) => self.walk(lcp, budget, observer),
            Err(Singular) => (Status::Inaccurate, 0),
        };
        if status == Status::Solved {
            self.polish(lcp);
        }
        let tableau = &self.tableau;
        self.ledger.close_lcp(lcp, status, (pivots, pivots), solution, |i| tableau.is_basic(i))
    }

    fn walk(&mut self, lcp: &Lcp, budget: Budget, observer: &mut impl Observer) -> (Status, usize) {
        let limits = Limits::new(budget, generous_pivots(lcp.n()));
        let mut pivots = 0;
        loop {
            self.tableau.iterate(&mut self.ledger.x, &mut self.ledger.w);
            self.ledger.offer(lcp.into());
            self.ledger.show(lcp.into(), observer);
            if !self.tableau.is_finite() {
                return (Status::Inaccurate, pivots);
            }

            // feasible and complementary is solved
            let Some(r) = (0..lcp.n()).find(|&i| self.scaled(i) < -NEGATIVE) else {
                return (Status::Solved, pivots);
            };
            if !self.visited.insert(self.tableau.basis()) {
                return (Status::Cycle, pivots);
            }
            if limits.spent(pivots) {
                return (Status::Budget, pivots);
            }

            // pivot, then check
            if self.is_singular(r) {
                return (Status::Inaccurate, pivots);
            }
            let entering = self.tableau.cols[r];
            let leaving = self.tableau.exchange(r, r);
            observer.pivot(&PivotEvent {
                pivot: pivots,
                entering,
                leaving,
                q_min: self.tableau.q_min(),
                error: f64::NAN,
            });
            pivots += 1;
        }
    }

    /// q′_i in scaled units.
    fn scaled(&self, i: usize) -> f64 {
        match self.tableau.rows[i] {
            Variable::W(_) => self.ledger.scaling.w(i, self.tableau.q[i]),
            _ => self.ledger.scaling.z(i, self.tableau.q[i]),
        }
    }

    /// m′_rr is a mass or an inverse mass; either is compared with the row's own.
    fn is_singular(&self, r: usize) -> bool {
        let pivot = self.tableau.column(r)[r].abs();
        let inverse_mass = self.ledger.scaling.inverse_mass(r);
        let ratio = match self.tableau.rows[r] {
            Variable::W(_) => pivot / inverse_mass,
            _ => pivot * inverse_mass,
        };
        ratio.is_nan() || ratio <= SINGULAR
    }

    /// Solves the last basis from the original data, where its block allows.
    fn polish(&mut self, lcp: &Lcp) {
        self.active.clear();
        self.active.extend((0..lcp.n()).filter(|&i| self.tableau.rows[i] == Variable::Z(i)));
        let scaling = &self.ledger.scaling;
        if self.lu.factor(&self.active, |i, j| lcp.entry(i, j), scaling) {
            self.ledger.x.fill(0.0);
            self.lu.solve(&self.active, lcp.into(), scaling, &mut self.ledger.x);
        }
    }
}
