//! What `solved` certifies: an error of every row against the row's own numbers.
//!
//! For x within its bounds and w = A x + b, recomputed in twice the precision, every row has a unit
//!
//! ```text
//!     S_i = |b_i| + Σ_j |A_ij x_j|                      what the row adds up                              (1)
//!     R_i = |b_i| + Σ_j |A_ij| min(|x_j|, R_j/|A_jj|)   what reaches it from the data, R_i ≤ S_i          (2)
//!     ω_i = R_i + 1e-5 S_i + N_i                        the unit of w_i                                   (3)
//!     ξ_j = min_k ω_k/|A_kj|                            the unit of x_j: what moves some row by its unit  (4)
//! ```
//!
//! and the residual is the natural one [EnzError (8)-(9)] in these units, the largest row:
//!
//! ```text
//!     max_i max( |min((x_i − l_i)/ξ_i, w₊_i/ω_i)|, |min((u_i − x_i)/ξ_i, w₋_i/ω_i)| )                     (5)
//! ```
//!
//! An answer with (5) at most 1e-9 solves exactly a problem whose A differs from the given one by at most 1e-14 of
//! every entry, some ninety roundings, and whose b_i differ by at most 1e-9 of what reaches their rows: a
//! componentwise backward error [Oettli and Prager 1964].
//!
//! *Why not S alone.* S_i with 1e-9 would be Oettli and Prager's measure for all data alike. Where columns cancel,
//! M = [1 −1+δ; −1+δ 1], q = −1, z of size 1e10 makes S = 1e10 and excuses w = −½: the answer may be off by its
//! own size. R is what b alone accounts for: (2) begins at |b_i| and lets each unknown carry no more than its own row
//! asks of it. With S at the level of rounding such a z is excused only where double precision cannot tell better.
//!
//! *Data that are themselves rounded* have a least unit N ([`crate::noise`]): friction problems alone, whose cones have a
//! verdict of their own on the same units ([`crate::friction`]). For all others
//! ξ serves only to compare x with a bound that is itself a rounded product, lo·|x_f|; an x between its bounds with
//! a w that is not zero is an error however narrow the bounds.
//!
//! *Why not one unit for all rows.* One row's size would excuse another's error: an impulse of 1e11 in one contact, a
//! bound of 1e18 on a motor. (1)-(4) hold no maximum over rows. Scaling rows and columns by powers of two scales
//! ω and ξ with w and x; permutations permute them; an independent block and an inactive bound do not occur in
//! them; a contact given twice, with the impulse shared out, adds up to the same sums.
//!
//! | here       | above                                        | shape |
//! |------------|----------------------------------------------|-------|
//! | `sum`      | S                                            | n     |
//! | `reach`    | R                                            | n     |
//! | `unit`     | ω                                            | n     |
//! | `absolute` | v ↦ Σ_j |A_ij| v_j, from whoever holds A     |       |
//!
//! Departures: (2) is iterated from R = |b|, and only where R = |b| does not do already and R = S would: a row takes
//! as many rounds as it is contacts away from the data that move it.

mod matrix;

use crate::outcome::SOLVED;

pub(crate) use matrix::{Dense, Entries, Form, Terms};

/// Rounds of (2): a stack of so many bodies passes its weight from the ground to its top.
const ROUNDS: usize = 64;

/// The part of S that counts beside R, so that 1e-9 of it is 1e-14 of S: ninety roundings of the terms that cancel.
pub(crate) const CANCELLED: f64 = 1e-5;

/// A gap this part of x is the rounding of a bound.
const ON_BOUND: f64 = 1e-14;

/// Below this a row's unit is so near to the least number, 2^-1074, that what its products lose there counts.
const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// What lifts numbers from there: 2^1000.
const LIFT: f64 = f64::from_bits((1000 + 1023) << 52);

/// Scratch memory of the verdict.
#[derive(Debug, Clone, Default)]
pub(crate) struct Verdict {
    size: Vec<f64>, // |x|, then min(|x|, R/|A_jj|)
    sum: Vec<f64>,
    reach: Vec<f64>,
    next: Vec<f64>,
    unit: Vec<f64>,
}

impl Verdict {
    /// Room for a problem of size n.
    pub(crate) fn reserve(&mut self, n: usize) {
        for v in [&mut self.size, &mut self.sum, &mut self.reach, &mut self.next, &mut self.unit] {
            v.clear();
            v.reserve(n);
        }
    }

    /// The residual (5) of x and w = A x + b; `bounds` are those in force at x. Infinite where something is not
    /// a number.
    pub(crate) fn natural(
        &mut self,
        terms: &impl Entries,
        b: &[f64],
        x: &[f64],
        w: &[f64],
        bounds: impl Fn(usize) -> (f64, f64),
    ) -> f64 {
        if !x.iter().chain(w).all(|v| v.is_finite()) {
            return f64::INFINITY;
        }
        self.judge(terms, b, x, |unit| worst(terms, unit, b, x, w, &bounds))
    }

    /// What `worst` makes of the units of w at a finite x. It is asked first with R = |b|, then, if that does not do,
    /// with R = S, and with R of (2) only where the one does not do and the other would.
    pub(crate) fn judge(
        &mut self,
        terms: &impl Terms,
        b: &[f64],
        x: &[f64],
        mut worst: impl FnMut(&[f64]) -> f64,
    ) -> f64 {
        let n = b.len();
        self.size.clear();
        self.size.extend(x.iter().map(|x| x.abs()));
        self.sum.clear();
        self.sum.resize(n, 0.0);
        terms.absolute(&self.size, &mut self.sum);
        for (s, b) in self.sum.iter_mut().zip(b) {
            *s += b.abs();
        }
        self.reach.clear();
        self.reach.extend(b.iter().map(|b| b.abs()));
        self.add_up(terms, x);
        let least = worst(&self.unit);
        if least <= SOLVED {
            return least;
        }
        // what not even S excuses needs no R
        std::mem::swap(&mut self.reach, &mut self.sum);
        self.sum.clone_from(&self.reach);
        self.add_up(terms, x);
        let most = worst(&self.unit);
        if most > SOLVED {
            return most;
        }
        self.spread(terms, b, x);
        self.add_up(terms, x);
        worst(&self.unit)
    }

    /// (2) until it settles: rounds that add less than a tenth add no more than as much again.
    fn spread(&mut self, terms: &impl Terms, b: &[f64], x: &[f64]) {
        self.reach.clear();
        self.reach.extend(b.iter().map(|b| b.abs()));
        self.next.clear();
        self.next.resize(b.len(), 0.0);
        for _ in 0..ROUNDS {
            for (j, size) in self.size.iter_mut().enumerate() {
                let diagonal = terms.diagonal(j).abs();
                // a row without a diagonal asks nothing of its own unknown
                *size = if diagonal > 0.0 { x[j].abs().min(self.reach[j] / diagonal) } else { 0.0 };
            }
            terms.absolute(&self.size, &mut self.next);
            let mut settled = true;
            for (i, next) in self.next.iter_mut().enumerate() {
                *next = (*next + b[i].abs()).min(self.sum[i]).max(self.reach[i]);
                settled &= *next <= 1.1 * self.reach[i];
            }
            std::mem::swap(&mut self.reach, &mut self.next);
            if settled {
                break;
            }
        }
    }

    /// (3).
    fn add_up(&mut self, terms: &impl Terms, x: &[f64]) {
        self.unit.clear();
        self.unit.extend(self.reach.iter().zip(&self.sum).map(|(r, s)| r + CANCELLED * s));
        terms.add_least_units(x, &mut self.unit, &mut self.next);
        if self.unit.contains(&0.0) {
            self.pass_over_nothing(terms, x);
        }
    }

    /// A row that adds up nothing but zeros has a unit of zero, as one has whose products all underflow; the first is exact, and
    /// needs no look at its entries.
    fn pass_over_nothing(&mut self, terms: &impl Terms, x: &[f64]) {
        self.size.clear();
        self.size.extend(x.iter().map(|x| f64::from(*x != 0.0)));
        self.next.clear();
        self.next.resize(self.unit.len(), 0.0);
        terms.absolute(&self.size, &mut self.next);
        for (unit, touched) in self.unit.iter_mut().zip(&self.next).filter(|(unit, _)| **unit == 0.0) {
            if *touched == 0.0 {
                *unit = UNDERFLOW;
            }
        }
    }
}

/// (4)-(5).
fn worst(
    terms: &impl Entries,
    unit: &[f64],
    b: &[f64],
    x: &[f64],
    w: &[f64],
    bounds: &impl Fn(usize) -> (f64, f64),
) -> f64 {
    let mut worst = 0.0;
    for i in 0..x.len() {
        let (lo, hi) = bounds(i);
        let (below, above) = (x[i] - lo, hi - x[i]);
        // how far x is from where w wants it, or from its bounds if it is outside
        let (gap, w) = if below < 0.0 || above < 0.0 {
            (below.min(above).abs(), f64::INFINITY)
        } else if w[i] > 0.0 {
            (below, w[i])
        } else {
            (above, -w[i])
        };
        if unit[i] < UNDERFLOW {
            worst = nan_max(worst, underflown(terms, i, b[i], x, (below, above)));
            continue;
        }
        if gap == 0.0 || w == 0.0 {
            continue;
        }
        // terms that overflow say nothing about their sum
        let by_slack = if unit[i].is_finite() { w / unit[i] } else { f64::INFINITY };
        // exact data ask for x on its very bound, but for the rounding of bounds that follow another impulse
        let counts = terms.is_rounded() || gap <= ON_BOUND * x[i].abs();
        let by_gap = if by_slack > worst && gap.is_finite() && counts {
            gap * terms.effect(i, unit)
        } else {
            f64::INFINITY
        };
        worst = nan_max(worst, by_slack.min(by_gap));
    }
    worst
}

/// The error of row i among the least numbers there are, whose products round to nothing, so that a slack of zero says
/// nothing either: as (5), with R = |b_i|, of the row times a power of two that lifts all of it from there.
fn underflown(terms: &impl Entries, i: usize, b: f64, x: &[f64], (below, above): (f64, f64)) -> f64 {
    let b = b * LIFT;
    let (mut slack, mut rest, mut sum) = (b, 0.0, b.abs());
    for (j, &x) in x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let a = terms.entry(i, j) * LIFT;
        let product = a * x;
        if a != 0.0 && product.abs() < f64::MIN_POSITIVE {
            // lost all the same: nobody can tell
            return f64::INFINITY;
        }
        let next = slack + product;
        let part = next - slack;
        rest += (slack - (next - part)) + (product - part) + a.mul_add(x, -product);
        slack = next;
        sum += product.abs();
    }
    slack += rest;
    let error = match (below > 0.0, above > 0.0) {
        _ if below < 0.0 || above < 0.0 => f64::INFINITY,
        (false, false) => 0.0,
        (false, true) => (-slack).max(0.0),
        (true, false) => slack.max(0.0),
        (true, true) => slack.abs(),
    };
    if error == 0.0 { 0.0 } else { error / (b.abs() + CANCELLED * sum) }
}

/// The larger of two, where a NaN is the largest of all: a broken answer must never look good.
pub(crate) fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}
