//! Whether an exact solution stands beside an answer of a small problem, by bounds that hold in spite of rounding.
//!
//! An answer says of every row that x is at a bound, or that w = 0. That is a linear system  K x = c  for the unknowns that
//! are at no bound of their own, and a list of signs. With R an inverse of K as floats make it and r the residual in twice
//! the precision [Rump 1980]
//!
//! ```text
//!     |x − x*|  ≤  δ + α/(1 − α) max δ,      δ = |R r|,   α = ‖ I − R K ‖∞ < 1
//! ```
//!
//! where columns are in units of x itself, so that the bound is one of digits. R may come from anywhere: a tableau that has
//! it lends it ([`lent`]), and only where that one is too rough is another made. If the bound leaves every x within its bounds and
//! every w of its sign, x* is a solution, and x agrees with it to [`DIGITS`]. What is not sure in this sense is settled
//! in whole numbers ([`crate::exact`]).
//!
//! *What for.* A residual of some roundings is all that floats can ask for, and where terms of 1e15 cancel it is met by
//! answers that belong to another problem: M = [a −a; −a a+1], q = (2a, −2a − 3), a = 1e15, has the one solution (1, 3), and
//! (0, 2) misses its rows by less than half a unit of 2a in the last place.
//!
//! | here       | above                                       | shape |
//! |------------|---------------------------------------------|-------|
//! | `k`        | K in units of x, each row by its largest    | m × m |
//! | `inverse`  | R                                           | m × m |
//! | `residual` | r in the same units                         | m     |
//! | `doubt`    | how far r may be off                        | m     |
//! | `error`    | the right-hand side above                   | m     |

pub(crate) mod lent;

use multiversion::multiversion;

use crate::clock::Clock;
use crate::exact::{CHOICES, Decision, ENUMERABLE, Exact, follow, holds};
use crate::problem::Mlcp;
use crate::rows::BoxedRows;

/// The digits that an answer shares with the exact solution beside it.
const DIGITS: f64 = 1e-9;
/// Room for the rounding of sums of twelve terms in the bounds themselves: 2⁻⁵³ · 12 · 4.
const ROUNDING: f64 = 6e-15;
/// Rounding of w, of its terms: twice the precision, twelve terms.
const TWICE: f64 = 1e-30;
/// A product above this has a remainder that floats can hold: 2⁻¹⁰²² · 2¹⁰⁶, rounded up.
const LEAST_PRODUCT: f64 = 1e-270;

/// Terms of an exact solution that are so many times those of an answer in some row are not what was meant: data that were
/// themselves rounded have such solutions, or none.
const ABSURD: f64 = 1e6;
/// A w that is this part of its terms is their rounding: ninety units, as in [`crate::verdict`].
const ROUNDED: f64 = 1e-14;

/// Partial choices that a look at coupled rows may try: about a millisecond.
const SHORT: usize = 64;

pub(crate) type Square = [[f64; ENUMERABLE]; ENUMERABLE];

/// How a row of an answer stands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stand {
    /// At a bound of its own, or at a bound that is zero with the impulse that it follows.
    Fixed,
    /// Off its bounds: w = 0.
    Free,
    /// x = c |x_f|, to the rounding of the product, and whether that is its lower bound.
    Follows { f: usize, c: f64, lower: bool },
}

/// What becomes of an answer that holds to rounding, and is not sure.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Closer {
    /// It stays: nothing better is known.
    Keep,
    /// An exact solution, rounded.
    Take(Vec<f64>),
    /// There is none; so many partial choices were refuted.
    NoSolution { refuted: usize },
    /// All solutions are beyond the range of floats, and this is none of them.
    Doubt,
}

/// Looks at a small problem in whole numbers: first at the bounds where x is, then everywhere.
pub(crate) fn look_closer(mlcp: &Mlcp, x: &[f64], clock: Clock) -> Closer {
    let exact = Exact::new(mlcp);
    if let Some(point) = exact.beside(x, clock) {
        return Closer::Take(point);
    }
    let rows = BoxedRows::from(mlcp);
    if let Some(point) = follow(mlcp, &clock).filter(|point| !grows(rows, point, x) && holds(mlcp, point)) {
        return Closer::Take(point);
    }
    // rows that follow others have six cells each: there the answer was measured, and a short look has to do
    let coupled = mlcp.findex().iter().any(Option::is_some);
    match exact.decide(if coupled { SHORT } else { CHOICES }, clock) {
        Decision::Solution(point) => {
            if is_rounding(rows, x) && grows(rows, &point, x) {
                Closer::Keep
            } else {
                Closer::Take(point)
            }
        }
        Decision::NoSolution { refuted } if !is_rounding(rows, x) => Closer::NoSolution { refuted },
        Decision::Beyond if !is_rounding(rows, x) => Closer::Doubt,
        _ => Closer::Keep,
    }
}

/// Whether the terms of an exact solution are absurd beside those of x.
fn grows(rows: BoxedRows<'_>, point: &[f64], x: &[f64]) -> bool {
    (0..rows.n()).any(|i| row_size(rows, point, i) > ABSURD * row_size(rows, x, i))
}

/// Whether x misses no row by more than the rounding of its terms.
fn is_rounding(rows: BoxedRows<'_>, x: &[f64]) -> bool {
    let mut w = Vec::new();
    rows.slack(x, &mut w);
    (0..rows.n()).all(|i| {
        let (lo, hi) = rows.bounds(i, x);
        let allowed = (w[i] > 0.0 && x[i] == lo) || (w[i] < 0.0 && x[i] == hi);
        allowed || w[i].abs() <= ROUNDED * row_size(rows, x, i)
    })
}

/// Whether an exact solution with the supports of x lies within [`DIGITS`] of it. False where that is not sure, and for
/// problems of more than [`ENUMERABLE`] rows; w = A x + b in twice the precision.
pub(crate) fn is_sure(rows: BoxedRows<'_>, x: &[f64], w: &[f64]) -> bool {
    let n = rows.n();
    if n > ENUMERABLE {
        return false;
    }
    let mut stands = [Stand::Fixed; ENUMERABLE];
    let (mut unknowns, mut m) = ([0; ENUMERABLE], 0);
    for i in 0..n {
        stands[i] = stand(rows, x, i);
        if stands[i] != Stand::Fixed {
            if x[i] == 0.0 {
                return false;
            }
            unknowns[m] = i;
            m += 1;
        }
    }
    let unknowns = &unknowns[..m];
    // what each row adds up
    let mut sum = [0.0; ENUMERABLE];
    for (s, b) in sum.iter_mut().zip(rows.b) {
        *s = b.abs();
    }
    for j in (0..n).filter(|&j| x[j] != 0.0) {
        sum.iter_mut().zip(rows.column(j)).for_each(|(s, a)| *s += (a * x[j]).abs());
    }
    if is_exact(rows, x, w, &stands, &sum) {
        return true;
    }
    let Some(error) = errors(rows, x, w, &stands, unknowns, &sum) else { return false };
    // how far the error of the unknowns may move each row, and where the unknowns stand
    let (mut moved, mut reach) = ([0.0; ENUMERABLE], [0.0; ENUMERABLE]);
    for (&j, e) in unknowns.iter().zip(&error) {
        moved.iter_mut().zip(rows.column(j)).for_each(|(m, a)| *m += (a * x[j]).abs() * e);
        reach[j] = e * x[j].abs();
    }
    (0..n).all(|i| {
        let (lo, hi) = rows.bounds(i, x);
        if stands[i] == Stand::Free {
            // rounding may move the bounds of a row that follows another
            let reach = reach[i] * if rows.normal_of(i).is_some() { 2.0 } else { 1.0 };
            return x[i] - lo > reach && hi - x[i] > reach;
        }
        if lo == hi {
            return true;
        }
        let at_lower = match stands[i] {
            Stand::Follows { lower, .. } => lower,
            _ => x[i] == lo,
        };
        let sure = w[i].abs() > 2.0 * moved[i] + TWICE * sum[i] && (w[i] > 0.0) == at_lower;
        // products may vanish below the range of floats, and are no zeros then
        let nothing = |j: usize| x[j] == 0.0 || rows.column(j)[i] == 0.0;
        sure || (rows.b[i] == 0.0 && (0..n).all(nothing))
    })
}

/// Whether x is an exact solution itself, as small numbers with few digits often are: every w is of its sign beyond doubt, or zero
/// without a rounding on the way.
fn is_exact(
    rows: BoxedRows<'_>,
    x: &[f64],
    w: &[f64],
    stands: &[Stand; ENUMERABLE],
    sum: &[f64; ENUMERABLE],
) -> bool {
    (0..rows.n()).all(|i| {
        let (lo, hi) = rows.bounds(i, x);
        let sure = match stands[i] {
            Stand::Fixed if lo == hi => true,
            Stand::Fixed => w[i].abs() > TWICE * sum[i] && (w[i] > 0.0) == (x[i] == lo),
            Stand::Free if rows.normal_of(i).is_none() => false,
            // bounds that follow another are products, and rounded
            _ => return false,
        };
        sure || (w[i] == 0.0 && adds_up_to_zero(rows, x, i))
    })
}

/// Whether b_i + Σ a_ij x_j is zero, no product and no sum of it being rounded. False where that is not seen at once.
fn adds_up_to_zero(rows: BoxedRows<'_>, x: &[f64], i: usize) -> bool {
    let mut total = rows.b[i];
    for (j, &x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let a = rows.column(j)[i];
        if a == 0.0 {
            continue;
        }
        let product = a * x;
        let sum = total + product;
        let part = sum - total;
        // products below the normal numbers lose digits that no remainder tells
        let whole = product.abs() > LEAST_PRODUCT && a.mul_add(x, -product) == 0.0;
        if !whole || (total - (sum - part)) != 0.0 || (product - part) != 0.0 {
            return false;
        }
        total = sum;
    }
    total == 0.0
}

fn stand(rows: BoxedRows<'_>, x: &[f64], i: usize) -> Stand {
    let (lo, hi) = rows.bounds(i, x);
    let Some(f) = rows.normal_of(i).filter(|_| lo != hi) else {
        return if x[i] == lo || x[i] == hi { Stand::Fixed } else { Stand::Free };
    };
    let is_at = |bound: f64| (x[i] - bound).abs() <= 4.0 * f64::EPSILON * bound.abs();
    let (lower, upper) = rows.bounds_per_normal(i);
    match (is_at(lo), is_at(hi)) {
        (true, _) => Stand::Follows { f, c: lower, lower: true },
        (_, true) => Stand::Follows { f, c: upper, lower: false },
        _ => Stand::Free,
    }
}

/// The bound on the error of each unknown, in units of itself; none where it is not small.
fn errors(
    rows: BoxedRows<'_>,
    x: &[f64],
    w: &[f64],
    stands: &[Stand; ENUMERABLE],
    unknowns: &[usize],
    sum: &[f64; ENUMERABLE],
) -> Option<[f64; ENUMERABLE]> {
    let m = unknowns.len();
    let (mut k, mut residual) = ([[0.0; ENUMERABLE]; ENUMERABLE], [0.0; ENUMERABLE]);
    let mut doubt = [0.0; ENUMERABLE];
    for (r, &i) in unknowns.iter().enumerate() {
        let mut size = 0.0_f64;
        for (c, &j) in unknowns.iter().enumerate() {
            let v = match stands[i] {
                Stand::Follows { .. } if j == i => x[i].abs(),
                Stand::Follows { f, c, .. } if j == f => -c * x[f],
                Stand::Follows { .. } => 0.0,
                _ => rows.column(j)[i] * x[j].abs(),
            };
            size = size.max(v.abs());
            k[r][c] = v;
        }
        (residual[r], doubt[r]) = match stands[i] {
            // the rounding of a product, and what x is off it
            Stand::Follows { f, c, .. } => {
                (0.0, (x[i] - c * x[f].abs()).abs() + 2.0 * f64::EPSILON * x[i].abs())
            }
            _ => (w[i], TWICE * sum[i]),
        };
        if !(f64::MIN_POSITIVE..f64::MAX).contains(&size) {
            return None;
        }
        k[r][..m].iter_mut().for_each(|v| *v /= size);
        residual[r] /= size;
        doubt[r] /= size;
    }
    let mut inverse = [[0.0; ENUMERABLE]; ENUMERABLE];
    invert(&k, &mut inverse, m).then(|| bound(&k, &inverse, &residual, &doubt, m))?
}

/// The inverse as floats make it, by rows. False where a pivot is zero.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn invert(k: &Square, inverse: &mut Square, m: usize) -> bool {
    let mut k = *k;
    *inverse = [[0.0; ENUMERABLE]; ENUMERABLE];
    (0..m).for_each(|i| inverse[i][i] = 1.0);
    for c in 0..m {
        let largest = (c..m).max_by(|&a, &b| k[a][c].abs().total_cmp(&k[b][c].abs()));
        let Some(p) = largest.filter(|&p| k[p][c] != 0.0) else { return false };
        k.swap(c, p);
        inverse.swap(c, p);
        let pivot = k[c][c];
        k[c].iter_mut().chain(&mut inverse[c]).for_each(|v| *v /= pivot);
        let (row, own) = (k[c], inverse[c]);
        for i in (0..m).filter(|&i| i != c) {
            let factor = k[i][c];
            if factor != 0.0 {
                (0..ENUMERABLE).for_each(|j| k[i][j] -= factor * row[j]);
                (0..ENUMERABLE).for_each(|j| inverse[i][j] -= factor * own[j]);
            }
        }
    }
    true
}

/// The bound above from K, R and r; none where it is not small. No entry of K is above one, so that the rounding of a product with a
/// row of R is below that of its sum of sizes. All loops run over whole groups of four, whose ends are zero.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn bound(
    k: &Square,
    inverse: &Square,
    residual: &[f64; ENUMERABLE],
    doubt: &[f64; ENUMERABLE],
    m: usize,
) -> Option<[f64; ENUMERABLE]> {
    let groups = m.div_ceil(4);
    let (mut delta, mut alpha) = ([0.0_f64; ENUMERABLE], 0.0_f64);
    for r in 0..m {
        let own = &inverse[r][..m];
        let (mut signed, mut rounded, mut size) = (0.0_f64, 0.0_f64, 0.0_f64);
        for ((f, r), d) in own.iter().zip(residual).zip(doubt) {
            signed += f * r;
            rounded += f.abs() * (d + ROUNDING * r.abs());
            size += f.abs();
        }
        delta[r] = signed.abs() + rounded;
        let mut off = ROUNDING * m as f64 * size;
        for g in 0..groups {
            let mut sum = [0.0_f64; 4];
            if r / 4 == g {
                sum[r % 4] = -1.0;
            }
            for (f, k) in own.iter().zip(k) {
                for (s, v) in sum.iter_mut().zip(&k.as_chunks::<4>().0[g]) {
                    *s += f * v;
                }
            }
            off += (sum[0].abs() + sum[1].abs()) + (sum[2].abs() + sum[3].abs());
        }
        // written so that NaN is the largest
        alpha = if off <= alpha { alpha } else { off };
    }
    let most = delta.iter().fold(0.0_f64, |s, v| s.max(*v));
    let rest = alpha / (1.0 - alpha) * most;
    // written so that NaN is not sure
    let small = alpha < 0.5 && delta[..m].iter().all(|d| d + rest <= DIGITS);
    small.then(|| delta.map(|d| d + rest))
}

/// |b_i| + Σ_j |A_ij x_j|.
fn row_size(rows: BoxedRows<'_>, x: &[f64], i: usize) -> f64 {
    rows.b[i].abs() + (0..rows.n()).map(|j| (rows.column(j)[i] * x[j]).abs()).sum::<f64>()
}

#[cfg(test)]
mod tests;
