//! Lemke's algorithm as outlined in [Yamane, §II-A], ties to the least row.
//!
//! An artificial variable z₀ with a covering vector c = (1 … 1)ᵀ gives the easy feasible basis
//!
//! ```text
//!     w = M̄ (z, z₀)ᵀ + q,     M̄ = (M c)                                                 [Yamane (8)]
//! ```
//!
//! - step 0: q ≥ 0 is a solution; otherwise z₀ enters at r = argmin q_i/c_i, and z_r drives;
//! - step 1: m′ is the column of the driving variable; m′ ≥ 0 ends on a ray; otherwise
//!   s = argmin { −q′_i/m′_i : m′_i < 0 };
//! - step 2: exchange; when z₀ leaves, q′ is the solution; otherwise the complement of what left drives.
//!
//! | paper    | here                          | shape |
//! |----------|-------------------------------|-------|
//! | M̄′, q′   | [`Tableau`]                   |       |
//! | m′       | `tableau.column(driving)`     | n     |
//! | y_r, y_s | entering, leaving             |       |
//!
//! The failures are those of [Yamane, §V-A]: *no solution* (`Ray`, with the ray, which has to hold on the
//! original data), *cycle* (`Cycle`, the set of basic variables was seen before), *error* (`Inaccurate`).
//! The arithmetic is incremental, as in the paper, so redundant contacts make it fail; `robust` is the
//! method for those.
//!
//! Departures: m′_i < 0 means below −1e-10 of the largest, see [`Lemke::pivot_tolerance`]; an error is a
//! natural residual above 1e-9 in scaled units, where the paper has e_max = 1e-3 in raw ones; any
//! complementary basis may be the start, see `tableau`; iterates are ranked by energy error with z₀
//! dropped, and the best is the answer when the path does not end in a solution.

use crate::ledger::{Ledger, Limits, generous_pivots};
use crate::observer::watched;
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::{Budget, Outcome, Ray, Solution, Start, Status};
use crate::problem::Lcp;
use crate::tableau::{Singular, Tableau};
use crate::visited::Visited;

/// See [`Lemke::pivot_tolerance`].
pub(crate) const PIVOT_TOLERANCE: f64 = 1e-10;

/// Lemke's algorithm with the papers' incremental arithmetic.
///
/// ```
/// use gudgeon_lcp::{Lcp, Lemke, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(Lemke::with_pivot_tolerance(1e-12)).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lemke {
    /// Entries of m′ above minus this part of its largest count as zero, without unit.
    ///
    /// The paper's m′ < 0 is meant for exact numbers. The frames of EnzPivot with up to 64 legs have rank 3
    /// and leave entries of up to 1e-12 whose sign means nothing; pivoting on them loads a fourth leg.
    /// 1e-10 keeps clear of that; 0 takes every negative number at its word.
    pub pivot_tolerance: f64,
    path: Path,
}

impl Default for Lemke {
    fn default() -> Self {
        Self::with_pivot_tolerance(PIVOT_TOLERANCE)
    }
}

impl Lemke {
    /// The method with another pivot tolerance.
    pub fn with_pivot_tolerance(pivot_tolerance: f64) -> Self {
        Self { pivot_tolerance, path: Path::default() }
    }

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
        let tolerance = self.pivot_tolerance;
        let rule = |tableau: &Tableau, s: usize| least_ratio(tableau, s, tolerance);
        self.path.follow(lcp, start, budget, solution, observer, (most_negative, rule))
    }
}

/// argmin q′_i; the first of equals.
fn most_negative(q: &[f64]) -> usize {
    (1..q.len()).fold(0, |r, i| if q[i] < q[r] { i } else { r })
}

/// argmin { −q′_i/m′_i : m′_i < 0 }; the first of equals.
fn least_ratio(tableau: &Tableau, s: usize, tolerance: f64) -> Option<usize> {
    let column = tableau.column(s);
    let zero = cutoff(column, tolerance);
    let mut best: Option<(f64, usize)> = None;
    for (i, (&m, &q)) in column.iter().zip(&tableau.q).enumerate() {
        if m < zero {
            let ratio = -q / m;
            if best.is_none_or(|(least, _)| ratio < least) {
                best = Some((ratio, i));
            }
        }
    }
    best.map(|(_, row)| row)
}

/// Below this an entry of m′ is negative.
pub(crate) fn cutoff(column: &[f64], tolerance: f64) -> f64 {
    if tolerance > 0.0 { -tolerance * crate::kernel::max_abs(column) } else { 0.0 }
}

/// The almost complementary path: everything but the choice of rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Path {
    tableau: Tableau,
    visited: Visited,
    ledger: Ledger,
    error: Vec<f64>,
}

impl Path {
    /// Follows the path. Of its two rules the first chooses the row at which z₀ enters, the second the row that leaves.
    pub(crate) fn follow(
        &mut self,
        lcp: &Lcp,
        start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
        (first, rule): (impl Fn(&[f64]) -> usize, impl FnMut(&Tableau, usize) -> Option<usize>),
    ) -> Outcome {
        if lcp.is_sparse_only() {
            return crate::ledger::refused(lcp, solution);
        }
        self.ledger.open(lcp.into(), &mut solution.ray);
        self.visited.reset(lcp.n());
        let (status, pivots) = match self.tableau.load(lcp, start) {
            Ok(()) => self.walk(lcp, budget, &mut solution.ray, observer, first, rule),
            Err(Singular) => (Status::Inaccurate, 0),
        };
        let tableau = &self.tableau;
        self.ledger.close_lcp(lcp, status, (pivots, pivots), solution, |i| tableau.is_basic(i))
    }

    fn walk(
        &mut self,
        lcp: &Lcp,
        budget: Budget,
        ray: &mut Option<Ray>,
        observer: &mut impl Observer,
        first: impl Fn(&[f64]) -> usize,
        mut rule: impl FnMut(&Tableau, usize) -> Option<usize>,
    ) -> (Status, usize) {
        let n = lcp.n();
        let limits = Limits::new(budget, generous_pivots(n));

        // step 0: q ≥ 0 is already a solution; otherwise z₀ enters where it must be largest
        self.offer(lcp);
        self.ledger.show(lcp.into(), observer);
        if self.tableau.q_min() >= 0.0 {
            return (Status::Solved, 0);
        }
        if limits.spent(0) {
            return (Status::Budget, 0);
        }
        let row = first(&self.tableau.q);
        self.visited.insert(self.tableau.basis());
        let mut leaving = self.pivot(lcp, row, n, 0, observer);

        let mut pivots = 1;
        loop {
            // step 2: when z₀ leaves, q′ gives the solution
            if leaving == Variable::Z0 {
                return (Status::Solved, pivots);
            }
            if !self.tableau.is_finite() {
                return (Status::Inaccurate, pivots);
            }
            if !self.visited.insert(self.tableau.basis()) {
                return (Status::Cycle, pivots);
            }
            if limits.spent(pivots) {
                return (Status::Budget, pivots);
            }

            // step 1: the complement drives; the rule picks the row
            let driving = self.tableau.column_of(leaving.complement()).expect("the complement is not basic");
            let Some(row) = rule(&self.tableau, driving) else {
                *ray = self.ledger.path_ray(lcp, &self.tableau, driving);
                return (self.ledger.ended_on(lcp, ray, limits.clock), pivots);
            };
            leaving = self.pivot(lcp, row, driving, pivots, observer);
            pivots += 1;
        }
    }

    fn pivot(
        &mut self,
        lcp: &Lcp,
        r: usize,
        s: usize,
        pivot: usize,
        observer: &mut impl Observer,
    ) -> Variable {
        let entering = self.tableau.cols[s];
        let leaving = self.tableau.exchange(r, s);
        let error = if observer.wants_errors() { self.error(lcp) } else { f64::NAN };
        observer.pivot(&PivotEvent { pivot, entering, leaving, q_min: self.tableau.q_min(), error });
        self.offer(lcp);
        self.ledger.show(lcp.into(), observer);
        leaving
    }

    /// |w − M z − c z₀ − q| of the exchanged system, from the original data.
    fn error(&mut self, lcp: &Lcp) -> f64 {
        let (z, w) = (&mut self.ledger.x, &mut self.ledger.w);
        let z0 = self.tableau.scatter(&self.tableau.q, z, w);
        self.tableau.mismatch(lcp, lcp.q(), z, w, z0, &mut self.error);
        crate::kernel::dot(&self.error, &self.error).sqrt()
    }

    fn offer(&mut self, lcp: &Lcp) {
        self.tableau.iterate(&mut self.ledger.x, &mut self.ledger.w);
        self.ledger.offer(lcp.into());
    }
}
