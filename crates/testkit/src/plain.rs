//! Complementarity problems that know nothing of bodies, each built so that a solution exists.
//!
//! Where a solution is *planted*, a complementary pair (z, w) is drawn first and q = w − M z is computed from it. All
//! numbers are then small multiples of powers of two, so M, q and the planted pair are exact in f64: the oracle
//! and the solver see the same problem, and a semi-definite matrix is semi-definite to the bit.
//!
//! | family                  | M                                   | why it has a solution                         |
//! |-------------------------|-------------------------------------|-----------------------------------------------|
//! | [`definite`]            | B Bᵀ + 1                            | P-matrix: exactly one for every q             |
//! | [`semidefinite`]        | B Bᵀ of low rank                    | planted                                       |
//! | [`degenerate`]          | B Bᵀ of low rank                    | planted, with z and w both zero in many rows  |
//! | [`quadratic_program`]   | \[Q −Aᵀ; A 0\], copositive-plus     | planted (a KKT point)                         |
//! | [`strictly_copositive`] | B Bᵀ + a nonnegative matrix         | strictly copositive: some for every q         |
//! | [`dominant`]            | diagonally dominant, unsymmetric    | P-matrix, also after positive scaling         |
//! | [`murty`], [`fathi`]    | triangular ones and twos            | P-matrix                                      |
//! | [`boxed`]               | B Bᵀ + skew, with bounds            | planted at lo, at hi or between               |

use gudgeon_lcp::{Lcp, Mlcp};

use crate::rng::Rng;

/// A square matrix of small exact numbers, column-major.
struct Exact {
    n: usize,
    m: Vec<f64>,
}

impl Exact {
    /// B Bᵀ, B of whole numbers from −2 to 2, n × rank, about half of them zero.
    fn gram(n: usize, rank: usize, rng: &mut Rng) -> Self {
        let b: Vec<f64> =
            (0..n * rank).map(|_| if rng.chance(0.4) { 0.0 } else { rng.whole(-2, 2) }).collect();
        let mut m = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                m[j * n + i] = (0..rank).map(|k| b[k * n + i] * b[k * n + j]).sum();
            }
        }
        Self { n, m }
    }

    fn add(&mut self, i: usize, j: usize, v: f64) {
        self.m[j * self.n + i] += v;
    }

    /// A skew matrix of small whole numbers on top: definiteness stays, symmetry goes.
    fn with_skew(mut self, rng: &mut Rng) -> Self {
        for i in 0..self.n {
            for j in 0..i {
                let v = if rng.chance(0.5) { rng.whole(-2, 2) } else { 0.0 };
                self.add(i, j, v);
                self.add(j, i, -v);
            }
        }
        self
    }

    fn times(&self, z: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| (0..self.n).map(|j| self.m[j * self.n + i] * z[j]).sum()).collect()
    }

    /// The problem with this solution, in units that differ from row to row when asked: z_i by 2^k, w_i by 2^−k.
    fn planted(self, z: &[f64], w: &[f64], units: Spread, rng: &mut Rng) -> Lcp {
        let n = self.n;
        let mut q: Vec<f64> = self.times(z).iter().zip(w).map(|(mz, w)| w - mz).collect();
        let mut m = self.m;
        if units == Spread::Wide {
            // powers of two, up to a thousand either way: exact
            let d: Vec<f64> = (0..n).map(|_| rng.whole(-10, 10).exp2()).collect();
            for j in 0..n {
                q[j] *= d[j];
                for i in 0..n {
                    m[j * n + i] *= d[i] * d[j];
                }
            }
        }
        Lcp::from_column_major(m, q).expect("small finite numbers")
    }
}

/// Whether all rows are in the same unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// They are.
    Even,
    /// Each row in its own, up to a factor of a thousand either way.
    Wide,
}

/// A positive multiple of 1/8.
fn positive(rng: &mut Rng) -> f64 {
    rng.whole(1, 40) / 8.0
}

/// Complementary vectors: z positive, w positive, or with probability `both_zero` neither.
fn complementary(n: usize, both_zero: f64, rng: &mut Rng) -> (Vec<f64>, Vec<f64>) {
    let pairs = (0..n).map(|_| {
        if rng.chance(both_zero) {
            (0.0, 0.0)
        } else if rng.chance(0.5) {
            (positive(rng), 0.0)
        } else {
            (0.0, positive(rng))
        }
    });
    pairs.unzip()
}

/// Symmetric positive definite, q random.
pub fn definite(n: usize, spread: Spread, rng: &mut Rng) -> Lcp {
    let mut m = Exact::gram(n, n, rng);
    (0..n).for_each(|i| m.add(i, i, 1.0));
    // planting random q: z = 0 and w = q, whatever its sign
    let q: Vec<f64> = (0..n).map(|_| rng.whole(-40, 40) / 8.0).collect();
    m.planted(&vec![0.0; n], &q, spread, rng)
}

/// Symmetric positive semi-definite of the given rank, with a planted solution.
pub fn semidefinite(n: usize, rank: usize, spread: Spread, rng: &mut Rng) -> Lcp {
    let m = Exact::gram(n, rank, rng);
    let (z, w) = complementary(n, 0.0, rng);
    m.planted(&z, &w, spread, rng)
}

/// Semi-definite with a planted solution in which most rows have z = w = 0, and some rows come twice.
pub fn degenerate(n: usize, rank: usize, spread: Spread, rng: &mut Rng) -> Lcp {
    let half = n.div_ceil(2);
    let small = Exact::gram(half, rank, rng);
    let (z_half, w_half) = complementary(half, 0.6, rng);
    // row i and row half + i are the same unknown twice; the second carries no load
    let mut m = Exact { n, m: vec![0.0; n * n] };
    for i in 0..n {
        for j in 0..n {
            m.add(i, j, small.m[(j % half) * half + i % half]);
        }
    }
    let z: Vec<f64> = (0..n).map(|i| if i < half { z_half[i] } else { 0.0 }).collect();
    let w: Vec<f64> = (0..n).map(|i| w_half[i % half]).collect();
    m.planted(&z, &w, spread, rng)
}

/// The optimality conditions of min ½xᵀQx + cᵀx, A x ≥ b, x ≥ 0 with Q semi-definite: an unsymmetric,
/// copositive-plus matrix, with a planted KKT point.
pub fn quadratic_program(variables: usize, constraints: usize, rng: &mut Rng) -> Lcp {
    let n = variables + constraints;
    let q = Exact::gram(variables, variables.div_ceil(2), rng);
    let mut m = Exact { n, m: vec![0.0; n * n] };
    for i in 0..variables {
        for j in 0..variables {
            m.add(i, j, q.m[j * variables + i]);
        }
        for k in variables..n {
            let a = if rng.chance(0.5) { rng.whole(-2, 2) } else { 0.0 };
            m.add(k, i, a);
            m.add(i, k, -a);
        }
    }
    let (z, w) = complementary(n, 0.2, rng);
    m.planted(&z, &w, Spread::Even, rng)
}

/// Not semi-definite, yet xᵀM x > 0 for every x ≥ 0 but zero: a Gram matrix and a nonnegative one, q random.
pub fn strictly_copositive(n: usize, rng: &mut Rng) -> Lcp {
    let mut m = Exact::gram(n, n.div_ceil(2), rng);
    for i in 0..n {
        m.add(i, i, 1.0);
        for j in 0..n {
            if i != j && rng.chance(0.3) {
                m.add(i, j, rng.whole(1, 8));
            }
        }
    }
    let q: Vec<f64> = (0..n).map(|_| rng.whole(-40, 40) / 8.0).collect();
    m.planted(&vec![0.0; n], &q, Spread::Even, rng)
}

/// Strictly diagonally dominant and unsymmetric, rows and columns scaled apart: a P-matrix, q random.
pub fn dominant(n: usize, rng: &mut Rng) -> Lcp {
    let mut m = vec![0.0; n * n];
    for i in 0..n {
        let mut sum = 0.0;
        for j in (0..n).filter(|&j| j != i) {
            let v = if rng.chance(0.5) { rng.whole(-4, 4) } else { 0.0 };
            m[j * n + i] = v;
            sum += v.abs();
        }
        m[i * n + i] = sum + 1.0;
    }
    // D₁ M D₂ keeps the signs of all principal minors
    let (d1, d2): (Vec<f64>, Vec<f64>) =
        (0..n).map(|_| (rng.whole(-4, 4).exp2(), rng.whole(-4, 4).exp2())).unzip();
    for j in 0..n {
        for i in 0..n {
            m[j * n + i] *= d1[i] * d2[j];
        }
    }
    let q = d1.iter().map(|d| d * rng.whole(-40, 40) / 8.0).collect();
    Lcp::from_column_major(m, q).expect("small finite numbers")
}

/// Murty's triangular matrix: ones on the diagonal, twos above it, and q = −1.
///
/// Principal pivoting by least index goes through all 2ⁿ bases; the only solution is z = (0, …, 0, 1).
pub fn murty(n: usize) -> Lcp {
    Lcp::from_column_major(triangle(n), vec![-1.0; n]).expect("ones and twos")
}

/// The triangular matrix with the q on which Lemke's method, covering vector of ones, takes 2ⁿ pivots:
/// q_i = −(2ⁿ + 2ⁿ⁻¹ + … + 2ⁱ), i = 1 … n.
pub fn murty_complementary(n: usize) -> Lcp {
    let q = (1..=n).map(|i| -(i..=n).map(|k| (k as f64).exp2()).sum::<f64>()).collect();
    Lcp::from_column_major(triangle(n), q).expect("powers of two")
}

/// Fathi's symmetric positive definite matrix, the triangle times its transpose, and q = −1: principal
/// pivoting by least index goes through all 2ⁿ bases here too.
pub fn fathi(n: usize) -> Lcp {
    Lcp::from_column_major(squared_triangle(n), vec![-1.0; n]).expect("small whole numbers")
}

/// Fathi's problem with row and column i in units of 4ⁿ⁻ⁱ, which makes Lemke's method with a covering vector of
/// ones take 2ⁿ pivots.
pub fn fathi_complementary(n: usize) -> Lcp {
    let d: Vec<f64> = (1..=n).map(|i| (2.0 * (n - i) as f64).exp2()).collect();
    let m = squared_triangle(n).iter().enumerate().map(|(k, v)| v * d[k % n] * d[k / n]).collect();
    Lcp::from_column_major(m, d.iter().map(|d| -d).collect()).expect("whole numbers")
}

fn triangle(n: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Less => 2.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 0.0,
    };
    (0..n * n).map(|k| entry(k % n, k / n)).collect()
}

fn squared_triangle(n: usize) -> Vec<f64> {
    let t = triangle(n);
    let entry = |i: usize, j: usize| (0..n).map(|k| t[k * n + i] * t[k * n + j]).sum();
    (0..n * n).map(|k| entry(k % n, k / n)).collect()
}

/// A boxed problem, A semi-definite and possibly unsymmetric, with a planted x at lo (w ≥ 0), at hi (w ≤ 0) or
/// between (w = 0); some bounds infinite, some rows free, some fixed.
pub fn boxed(n: usize, rank: usize, rng: &mut Rng) -> Mlcp {
    let mut a = Exact::gram(n, rank, rng);
    if rng.chance(0.5) {
        a = a.with_skew(rng);
    }
    let (mut lo, mut hi) = (vec![f64::NEG_INFINITY; n], vec![f64::INFINITY; n]);
    let (mut x, mut w) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        x[i] = rng.whole(-16, 16) / 8.0;
        // zero slack at a bound is degenerate, and happens
        let slack = if rng.chance(0.3) { 0.0 } else { positive(rng) };
        match rng.below(6) {
            0 => (lo[i], w[i]) = (x[i], slack),
            1 => (hi[i], w[i]) = (x[i], -slack),
            2 => (lo[i], hi[i], w[i]) = (x[i], x[i] + positive(rng), slack),
            3 => (lo[i], hi[i], w[i]) = (x[i] - positive(rng), x[i], -slack),
            4 => (lo[i], hi[i]) = (x[i] - positive(rng), x[i] + positive(rng)),
            // free, or fixed with any w at all
            _ if rng.chance(0.7) => {}
            _ => (lo[i], hi[i], w[i]) = (x[i], x[i], rng.whole(-8, 8)),
        }
    }
    let b = a.times(&x).iter().zip(&w).map(|(ax, w)| w - ax).collect();
    Mlcp::from_column_major(a.m, b, lo, hi).expect("bounds in order around x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn murtys_and_fathis_problems_are_the_printed_ones() {
        assert_eq!(murty(3).m(), [1.0, 0.0, 0.0, 2.0, 1.0, 0.0, 2.0, 2.0, 1.0]);
        assert_eq!(murty_complementary(3).q(), [-14.0, -12.0, -8.0]);
        assert_eq!(fathi(3).m(), [9.0, 6.0, 2.0, 6.0, 5.0, 2.0, 2.0, 2.0, 1.0]);
        assert_eq!(fathi_complementary(3).q(), [-16.0, -4.0, -1.0]);
    }

    #[test]
    fn a_planted_boxed_problem_has_entries_that_are_exact() {
        let mut rng = Rng::new(11);
        for _ in 0..50 {
            let p = boxed(12, 6, &mut rng);
            // multiples of 1/8 below 2²⁰: sums and products of such are exact
            assert!(p.a().iter().chain(p.b()).all(|v| (v * 8.0).fract() == 0.0 && v.abs() < 1e6));
        }
    }
}
