//! Block principal pivoting of Júdice and Pires, for standard and boxed problems.
//!
//! The rows are split into those at a bound and a free set F; x_F and w follow from one factorisation:
//!
//! ```text
//!     x_i = l_i or u_i  (i ∉ F),      A_FF x_F = −(b + A x_bound)_F,      w = A x + b
//!     H = { i ∈ F : x_i < l_i or x_i > u_i } ∪ { at l_i : w_i < 0 } ∪ { at u_i : w_i > 0 }
//! ```
//!
//! All of H changes sides at once while |H| keeps falling; after p blocks without progress only the least
//! index of H changes sides (Murty's rule, which cannot cycle where the principal minors are positive)
//! until |H| has fallen below its least [Júdice and Pires 1994, §2].
//!
//! | paper      | here                 | shape |
//! |------------|----------------------|-------|
//! | F          | `free`               | ≤ n   |
//! | H          | `infeasible`         | ≤ n   |
//! | p          | [`BlockPivot::patience`] |   |
//! | N, least |H| | `least`            |       |
//!
//! Departures: a block that turns out singular, as redundant contacts make it, is taken back and the least
//! index tried alone; if that is singular too, the method ends `Inaccurate`. In the single steps a
//! partition that comes back is a `Cycle`. Signs are judged in scaled units.

use crate::ledger::{Ledger, Limits, generous_pivots};
use crate::lu::Lu;
use crate::observer::watched;
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::starts_basic;
use crate::outcome::{Budget, MlcpSolution, Outcome, Side, Solution, Start, Status};
use crate::problem::{Lcp, Mlcp};
use crate::rows::BoxedRows;
use crate::visited::{Visited, key};

/// Below minus this, in scaled units, a row is infeasible: a hundredth of what is still called solved.
const NEGATIVE: f64 = 1e-11;

/// Block principal pivoting.
///
/// ```
/// use gudgeon_lcp::{Lcp, BlockPivot, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(BlockPivot::default()).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BlockPivot {
    /// p: blocks without progress before single steps begin. Ten is the authors' advice.
    pub patience: usize,
    side: Vec<Side>,
    before: Vec<Side>,
    free: Vec<usize>,
    infeasible: Vec<(usize, Side)>, // the row and where it should go
    lu: Lu,
    visited: Visited,
    ledger: Ledger,
}

impl Default for BlockPivot {
    fn default() -> Self {
        Self {
            patience: 10,
            side: Vec::new(),
            before: Vec::new(),
            free: Vec::new(),
            infeasible: Vec::new(),
            lu: Lu::default(),
            visited: Visited::default(),
            ledger: Ledger::default(),
        }
    }
}

impl BlockPivot {
    /// Solves a standard problem from a start, within a budget, watched.
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
        let (status, pivots) = self.partition(lcp.into(), start, budget, observer);
        let side = &self.side;
        self.ledger.close_lcp(lcp, status, (pivots, pivots), solution, |i| side[i] == Side::Free)
    }

    /// Solves a boxed problem without friction indices, within a budget, watched. Free rows should have a
    /// regular block of their own, and a friction row would have the bounds of x = 0: [`crate::Solver`]
    /// lowers problems with either first.
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
        let (status, pivots) = self.partition(mlcp.into(), start, budget, observer);
        self.ledger.close_mlcp(mlcp, status, pivots, solution)
    }

    fn partition(
        &mut self,
        rows: BoxedRows<'_>,
        start: Start<'_>,
        budget: Budget,
        observer: &mut impl Observer,
    ) -> (Status, usize) {
        let limits = Limits::new(budget, generous_pivots(rows.n()));
        self.reserve(rows.n());
        self.set_sides(rows, start);
        if !self.solve_free(rows) {
            return (Status::Inaccurate, 0);
        }
        self.ledger.show(rows, observer);
        let (mut least, mut patience, mut pivots) = (usize::MAX, self.patience, 0);
        loop {
            self.list_infeasible(rows);
            let count = self.infeasible.len();
            if count == 0 {
                return (Status::Solved, pivots);
            }
            if limits.spent(pivots) {
                return (Status::Budget, pivots);
            }

            // all of H while it shrinks or patience lasts; then one by one
            let single = if count < least {
                least = count;
                patience = self.patience;
                false
            } else if patience > 0 {
                patience -= 1;
                false
            } else {
                true
            };
            if !single {
                self.visited.clear();
            } else if !self.visited.insert(self.hash()) {
                return (Status::Cycle, pivots);
            }
            if single {
                self.infeasible.truncate(1);
            }
            self.before.clone_from(&self.side);
            self.change_sides();
            if !self.solve_free(rows) {
                // redundant rows went in together: take them back and try the first alone
                self.side.clone_from(&self.before);
                self.infeasible.truncate(1);
                patience = 0;
                self.change_sides();
                if single || !self.solve_free(rows) {
                    return (Status::Inaccurate, pivots);
                }
            }
            let q_min = self.ledger.x.iter().chain(&self.ledger.w).copied().fold(f64::INFINITY, f64::min);
            for &(i, to) in &self.infeasible {
                let (entering, leaving) = match to {
                    Side::Free => (Variable::Z(i), Variable::W(i)),
                    _ => (Variable::W(i), Variable::Z(i)),
                };
                observer.pivot(&PivotEvent { pivot: pivots, entering, leaving, q_min, error: f64::NAN });
                pivots += 1;
            }
            self.ledger.show(rows, observer);
        }
    }

    /// Room for the largest blocks of this size.
    fn reserve(&mut self, n: usize) {
        self.visited.reset(n);
        self.lu.reserve(n);
        self.free.clear();
        self.free.reserve(n);
        self.infeasible.clear();
        self.infeasible.reserve(n);
        self.before.clear();
        self.before.reserve(n);
    }

    fn set_sides(&mut self, rows: BoxedRows<'_>, start: Start<'_>) {
        self.side.clear();
        for i in 0..rows.n() {
            let (lo, hi) = rows.bounds(i, &self.ledger.x);
            self.side.push(if starts_basic(start, i) && lo < hi {
                Side::Free
            } else if lo.is_finite() && lo.abs() <= hi.abs() {
                Side::Lower
            } else if hi.is_finite() {
                Side::Upper
            } else {
                Side::Free
            });
        }
    }

    fn change_sides(&mut self) {
        for &(i, to) in &self.infeasible {
            self.side[i] = to;
        }
    }

    /// x and w of the partition, from the original data; false if A_FF is singular.
    fn solve_free(&mut self, rows: BoxedRows<'_>) -> bool {
        let n = rows.n();
        self.free.clear();
        self.free.extend((0..n).filter(|&i| self.side[i] == Side::Free));
        if !self.lu.factor(&self.free, |i, j| rows.a[j * n + i], &self.ledger.scaling) {
            return false;
        }
        for i in 0..n {
            let (lo, hi) = rows.bounds(i, &self.ledger.x);
            match self.side[i] {
                Side::Lower => self.ledger.x[i] = lo,
                Side::Upper => self.ledger.x[i] = hi,
                Side::Free => {}
            }
        }
        self.lu.solve(&self.free, rows, &self.ledger.scaling, &mut self.ledger.x);
        let mut w = std::mem::take(&mut self.ledger.w);
        rows.slack(&self.ledger.x, &mut w);
        self.ledger.w = w;
        // what the free rows have left is rounding
        self.free.iter().for_each(|&i| self.ledger.w[i] = 0.0);
        let finite = self.ledger.x.iter().chain(&self.ledger.w).all(|v| v.is_finite());
        if finite {
            self.ledger.offer(rows);
        }
        finite
    }

    fn list_infeasible(&mut self, rows: BoxedRows<'_>) {
        let (x, w, scaling) = (&self.ledger.x, &self.ledger.w, &self.ledger.scaling);
        self.infeasible.clear();
        for i in 0..rows.n() {
            let (lo, hi) = rows.bounds(i, x);
            let w = scaling.w(i, w[i]);
            let to = match self.side[i] {
                Side::Free if scaling.z(i, x[i] - lo) < -NEGATIVE => Side::Lower,
                Side::Free if scaling.z(i, hi - x[i]) < -NEGATIVE => Side::Upper,
                Side::Lower if w < -NEGATIVE && lo < hi => Side::Free,
                Side::Upper if w > NEGATIVE && lo < hi => Side::Free,
                _ => continue,
            };
            self.infeasible.push((i, to));
        }
    }

    fn hash(&self) -> u128 {
        self.side.iter().enumerate().fold(0, |set, (i, side)| match side {
            Side::Lower => set,
            Side::Upper => set ^ key(Variable::W(i)),
            Side::Free => set ^ key(Variable::Z(i)),
        })
    }
}
