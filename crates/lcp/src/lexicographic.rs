//! Lexicographic Lemke with a tie threshold Δ, as defined in [Yamane, §V-A].
//!
//! Of the rows with m′_i < 0 the one that leaves has the lexicographically least
//!
//! ```text
//!     (q′_i, β_i1, … β_in) / (−m′_i),        β = B⁻¹
//! ```
//!
//! B⁻¹ is read off the tableau: its column k is minus the column of the k-th slack where that is not basic,
//! and a unit vector where it is. In the paper's words: a row ties when its quotient is within Δ of the
//! least; the test is repeated column by column, with the same threshold, until one row is left; if several
//! are left in the last test, the least value wins; z₀, once among the tied rows, is chosen at once.
//!
//! | paper       | here                               | shape |
//! |-------------|------------------------------------|-------|
//! | Δ           | [`Lexicographic::delta`]           |       |
//! | tied rows   | `tied`                             | ≤ n   |
//! | column of M̄′| `tableau.inverse_column(k)`        | n     |
//!
//! Departure: step 0 obeys the same order, without which the path need not start lexicographically
//! positive. Of rows with the same least q the last one is lexicographically least, because the rows that
//! follow it are unit vectors; here ties are exact, for a q that is a little larger would leave q′
//! negative.

use crate::lemke::{PIVOT_TOLERANCE, Path, cutoff};
use crate::observer::watched;
use crate::observer::{Observer, Variable};
use crate::outcome::{Budget, Outcome, Solution, Start};
use crate::problem::Lcp;
use crate::tableau::Tableau;
use crate::tolerances;

/// Lexicographic Lemke with the papers' incremental arithmetic.
///
/// ```
/// use gudgeon_lcp::{Lcp, Lexicographic, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut answer = Solution::default();
/// assert!(Solver::from(Lexicographic::with_delta(1e-9)).solve(&lcp, &mut answer).is_solved());
/// assert!((answer.z[0] - 4.0 / 3.0).abs() < 1e-8 && (answer.z[1] - 7.0 / 3.0).abs() < 1e-8);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lexicographic {
    /// Δ: quotients this close are equal, in the raw unit of the driving variable. 1e-8 is the paper's most
    /// careful value above zero: rounding of order 1e-10 passes below it, and honest differences of
    /// impulses and velocities stay above. The paper's best Δ was 1e-4 in one scene and 1e-10 in the next.
    pub delta: f64,
    /// Entries of m′ above minus this part of its largest count as zero, as in [`crate::Lemke`]. With 0 the
    /// quotients of rounding errors take part in the comparison, and redundant contacts are lost more often
    /// than not.
    pub pivot_tolerance: f64,
    path: Path,
    tied: Vec<usize>, // ≤ n
}

impl Default for Lexicographic {
    fn default() -> Self {
        Self::with_delta(tolerances::LEXICOGRAPHIC_DELTA)
    }
}

impl Lexicographic {
    /// The method with another threshold.
    pub fn with_delta(delta: f64) -> Self {
        Self { delta, pivot_tolerance: PIVOT_TOLERANCE, path: Path::default(), tied: Vec::new() }
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
        let Self { delta, pivot_tolerance, path, tied } = self;
        tied.clear();
        tied.reserve(lcp.n());
        let rule =
            |tableau: &Tableau, s: usize| lexicographic_row(tableau, s, *delta, *pivot_tolerance, tied);
        path.follow(lcp, start, budget, solution, observer, (last_most_negative, rule))
    }
}

/// argmin q_i; the last of equals.
fn last_most_negative(q: &[f64]) -> usize {
    (1..q.len()).fold(0, |r, i| if q[i] <= q[r] { i } else { r })
}

/// The lexicographically least row, with ties as wide as Δ.
pub(crate) fn lexicographic_row(
    tableau: &Tableau,
    s: usize,
    delta: f64,
    tolerance: f64,
    tied: &mut Vec<usize>,
) -> Option<usize> {
    let column = tableau.column(s);
    let zero = cutoff(column, tolerance);
    tied.clear();
    tied.extend((0..tableau.n()).filter(|&i| column[i] < zero));
    let mut least = keep_ties(tied, delta, |i| -tableau.q[i] / column[i])?;
    for k in 0..tableau.n() {
        // z₀ among the tied rows ends the path
        if let Some(&row) = tied.iter().find(|&&i| tableau.rows[i] == Variable::Z0) {
            return Some(row);
        }
        if tied.len() == 1 {
            break;
        }
        let beta = tableau.inverse_column(k);
        least = keep_ties(tied, delta, |i| -beta(i) / column[i])?;
    }
    Some(tied.iter().find(|&&i| tableau.rows[i] == Variable::Z0).copied().unwrap_or(least))
}

/// Keeps the rows within Δ of the least value; returns the row that has it, the first of equals.
fn keep_ties(tied: &mut Vec<usize>, delta: f64, value: impl Fn(usize) -> f64) -> Option<usize> {
    let first = *tied.first()?;
    let least = tied.iter().fold(first, |best, &i| if value(i) < value(best) { i } else { best });
    let limit = value(least) + delta;
    // the least row stays even where its value is not finite
    tied.retain(|&i| i == least || value(i) <= limit);
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_equal_rows_is_lexicographically_least_at_the_start() {
        assert_eq!(last_most_negative(&[-1.0, -2.0, -2.0, 0.0]), 2);
    }

    #[test]
    fn ties_are_as_wide_as_delta() {
        let values = [1.0, 1.0 + 1e-9, 2.0];
        let mut tied = vec![0, 1, 2];
        assert_eq!(keep_ties(&mut tied, 1e-8, |i| values[i]), Some(0));
        assert_eq!(tied, [0, 1]);
        assert_eq!(keep_ties(&mut tied, 0.0, |i| -values[i]), Some(1));
        assert_eq!(tied, [1]);
    }
}
