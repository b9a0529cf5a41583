//! Whether a complementary basis, or a vector, solves a problem: decided exactly.

use gudgeon_lcp::Lcp;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::number::{least_exponent, rational, shifted};

/// What a complementary basis turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// z ≥ 0 and w ≥ 0: a solution, and this is its z.
    Solution(Vec<BigRational>),
    /// The block of M that belongs to the basis is singular.
    Singular,
    /// Regular, but this row has a negative z or w.
    Negative {
        /// The first such row.
        row: usize,
    },
}

/// Whether z solves the problem: z ≥ 0, w = M z + q ≥ 0, and in each row one of them zero.
pub(super) fn is_solution(lcp: &Lcp, z: &[BigRational]) -> bool {
    first_violation(lcp, z).is_none()
}

fn first_violation(lcp: &Lcp, z: &[BigRational]) -> Option<usize> {
    (0..lcp.n()).find(|&i| {
        let w = slack(lcp, z, i);
        z[i].is_negative() || w.is_negative() || (z[i].is_positive() && w.is_positive())
    })
}

fn slack(lcp: &Lcp, z: &[BigRational], row: usize) -> BigRational {
    (0..lcp.n())
        .filter(|&j| !z[j].is_zero())
        .fold(rational(lcp.q()[row]), |sum, j| sum + rational(lcp.entry(row, j)) * &z[j])
}

/// Solves M_αα z_α = −q_α in rationals, α where `basis` is true, and checks all signs.
pub fn is_solution_exact(lcp: &Lcp, basis: &[bool]) -> Verdict {
    let alpha: Vec<usize> = (0..lcp.n()).filter(|&i| basis[i]).collect();
    let Some(z_alpha) = solve(lcp, &alpha) else { return Verdict::Singular };
    let mut z = vec![BigRational::zero(); lcp.n()];
    for (&i, value) in alpha.iter().zip(z_alpha) {
        z[i] = value;
    }
    match first_violation(lcp, &z) {
        None => Verdict::Solution(z),
        Some(row) => Verdict::Negative { row },
    }
}

/// Fraction-free Gauss-Jordan elimination (Bareiss); `None` where the block is singular.
fn solve(lcp: &Lcp, alpha: &[usize]) -> Option<Vec<BigRational>> {
    let k = alpha.len();
    let mut t: Vec<Vec<BigInt>> = alpha
        .iter()
        .map(|&i| {
            let row: Vec<f64> = alpha.iter().map(|&j| lcp.entry(i, j)).chain([-lcp.q()[i]]).collect();
            let e = least_exponent(row.iter().copied());
            row.into_iter().map(|v| shifted(v, e)).collect()
        })
        .collect();
    let mut det = BigInt::one();
    for c in 0..k {
        let r = (c..k).find(|&r| !t[r][c].is_zero())?;
        t.swap(c, r);
        let pivot_row = std::mem::take(&mut t[c]);
        let pivot = pivot_row[c].clone();
        for row in t.iter_mut().filter(|row| !row.is_empty()) {
            let factor = row[c].clone();
            for (v, p) in row.iter_mut().zip(&pivot_row) {
                *v = (&*v * &pivot - &factor * p) / &det;
            }
        }
        t[c] = pivot_row;
        det = pivot;
    }
    Some(t.into_iter().map(|row| BigRational::new(row[k].clone(), det.clone())).collect())
}

/// Every complementary basis that is regular and solves the problem, by trying all 2ⁿ: n up to about 12.
pub fn solution_bases(lcp: &Lcp) -> Vec<Vec<bool>> {
    let n = lcp.n();
    assert!(n <= 16, "2^{n} bases are too many to try");
    (0..1_u32 << n)
        .map(|set| (0..n).map(|i| set >> i & 1 == 1).collect::<Vec<bool>>())
        .filter(|basis| matches!(is_solution_exact(lcp, basis), Verdict::Solution(_)))
        .collect()
}
