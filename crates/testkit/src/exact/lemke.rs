//! Lemke's method with lexicographic ties on an integer tableau.

use std::cmp::Ordering;

use gudgeon_lcp::Lcp;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::basis::is_solution;
use super::number::{least_exponent, shifted};

/// How the exact method ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A solution, checked.
    Solved {
        /// The unknowns.
        z: Vec<BigRational>,
        /// Which of them are basic.
        basis: Vec<bool>,
        /// Exchanges of variables, the first one included.
        pivots: usize,
    },
    /// The path ends on a ray. For copositive-plus and P₀ ∩ Q₀ matrices that means there is no solution.
    Ray {
        /// Exchanges until then.
        pivots: usize,
    },
}

/// Integer tableau over the common denominator `det` > 0. Columns: w (n), z (n), z₀, right-hand side.
struct Tableau {
    n: usize,
    rows: Vec<Vec<BigInt>>,
    det: BigInt,
    basic: Vec<usize>, // the column that is basic in each row
}

impl Tableau {
    /// Row i of the problem times 2^−e_i, whole; the units of w change with it, z keeps its own.
    fn new(lcp: &Lcp) -> Self {
        let n = lcp.n();
        let mut rows = Vec::with_capacity(n);
        for i in 0..n {
            // the one of the covering vector is in the row too
            let entries = (0..n).map(|j| lcp.entry(i, j)).chain([lcp.q()[i], 1.0]);
            let e = least_exponent(entries);
            let mut row = vec![BigInt::zero(); 2 * n + 2];
            row[i] = BigInt::one();
            for j in 0..n {
                row[n + j] = -shifted(lcp.entry(i, j), e);
            }
            row[2 * n] = -shifted(1.0, e);
            row[2 * n + 1] = shifted(lcp.q()[i], e);
            rows.push(row);
        }
        Self { n, rows, det: BigInt::one(), basic: (0..n).collect() }
    }

    /// Makes column `s` basic in row `r`.
    fn pivot(&mut self, r: usize, s: usize) {
        let pivot_row = std::mem::take(&mut self.rows[r]);
        let pivot = pivot_row[s].clone();
        for row in self.rows.iter_mut().filter(|row| !row.is_empty()) {
            let factor = row[s].clone();
            for (t, p) in row.iter_mut().zip(&pivot_row) {
                let product = &*t * &pivot - &factor * p;
                *t = product / &self.det;
            }
        }
        self.rows[r] = pivot_row;
        self.det = pivot;
        self.basic[r] = s;
        if self.det.sign() == Sign::Minus {
            self.det = -&self.det;
            self.rows.iter_mut().flatten().for_each(|t| *t = -&*t);
        }
    }

    /// Compares rows `a` and `b`, each divided by its own positive entry in column `s`, right-hand side first and
    /// then along B⁻¹.
    fn compare(&self, a: usize, b: usize, s: usize) -> Ordering {
        let (ra, rb) = (&self.rows[a], &self.rows[b]);
        let columns = std::iter::once(2 * self.n + 1).chain(0..self.n);
        columns
            .map(|c| (&ra[c] * &rb[s]).cmp(&(&rb[c] * &ra[s])))
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    }

    /// The row that blocks column `s` first; z₀ as soon as it is among the blocking ones.
    fn blocking(&self, s: usize) -> Option<usize> {
        let candidates: Vec<usize> = (0..self.n).filter(|&i| self.rows[i][s].is_positive()).collect();
        let best = candidates.iter().copied().min_by(|&a, &b| self.compare(a, b, s))?;
        let rhs = 2 * self.n + 1;
        let ties =
            |i: usize| &self.rows[i][rhs] * &self.rows[best][s] == &self.rows[best][rhs] * &self.rows[i][s];
        let artificial = candidates.iter().copied().find(|&i| self.basic[i] == 2 * self.n && ties(i));
        Some(artificial.unwrap_or(best))
    }
}

/// Solves a problem exactly, or follows it to a ray. Meant for n up to about 30.
pub fn lemke(lcp: &Lcp) -> Answer {
    let n = lcp.n();
    let mut tableau = Tableau::new(lcp);
    let (z0, rhs) = (2 * n, 2 * n + 1);

    // z₀ enters where q is least (rows a and b have units of their own, which their covering entries show);
    // among equal ones the last is least along B⁻¹ = 1
    let least = |&a: &usize, &b: &usize| {
        let (ra, rb) = (&tableau.rows[a], &tableau.rows[b]);
        (&rb[rhs] * &ra[z0]).cmp(&(&ra[rhs] * &rb[z0])).then(b.cmp(&a))
    };
    let worst = (0..n).min_by(least);
    let worst = worst.expect("a problem has at least one row");
    if !tableau.rows[worst][rhs].is_negative() {
        return checked(lcp, vec![BigRational::zero(); n], vec![false; n], 0);
    }
    let mut pivots = 1;
    let mut leaving = tableau.basic[worst];
    tableau.pivot(worst, z0);
    while leaving != z0 {
        // the complement of what left comes in
        let entering = if leaving < n { leaving + n } else { leaving - n };
        let Some(row) = tableau.blocking(entering) else { return Answer::Ray { pivots } };
        leaving = tableau.basic[row];
        tableau.pivot(row, entering);
        pivots += 1;
    }

    let mut z = vec![BigRational::zero(); n];
    let mut basis = vec![false; n];
    for (row, &column) in tableau.rows.iter().zip(&tableau.basic) {
        if (n..2 * n).contains(&column) {
            z[column - n] = BigRational::new(row[rhs].clone(), tableau.det.clone());
            basis[column - n] = true;
        }
    }
    checked(lcp, z, basis, pivots)
}

fn checked(lcp: &Lcp, z: Vec<BigRational>, basis: Vec<bool>, pivots: usize) -> Answer {
    assert!(is_solution(lcp, &z), "exact arithmetic gave an answer that is none");
    Answer::Solved { z, basis, pivots }
}
