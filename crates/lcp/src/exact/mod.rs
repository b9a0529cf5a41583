//! Small problems decided exactly: a solution, or a proof that there is none.
//!
//! A boxed problem is a list of choices, one per row, each choice a list of cells, each cell a list of signs of linear
//! forms in x:
//!
//! ```text
//!     lo ≤ x            { x = lo, w ≥ 0 }  or  { x ≥ lo, w = 0 }
//!     lo ≤ x ≤ hi       { x = lo, w ≥ 0 }  or  { lo ≤ x ≤ hi, w = 0 }  or  { x = hi, w ≤ 0 }
//!     lo·|x_f| ≤ x …    the same between lo·s·x_f and hi·s·x_f, for each sign s that x_f may have
//! ```
//!
//! A cell chosen in every row is a complementary cone: finding a point of it is linear programming, whether its block is
//! regular or not. The choices are made one after the other, those first that the present point breaks; a partial
//! choice that no point satisfies ends a branch, and with it all cones that share it. When no branch is left there is
//! no solution. Before all that a standard problem is followed along Lemke's path ([`path`]). All of it in whole numbers ([`dictionary`]): the floats of a problem are dyadic rationals, so neither
//! a solution nor its absence is in doubt. The answer is rounded once, at the end.

mod dictionary;
mod path;
mod whole;

use crate::clock::Clock;
use crate::outcome::{Proof, Residual, SOLVED};
use crate::problem::{Lcp, Mlcp};
use dictionary::{Dictionary, Expired, Sign};
pub(crate) use path::follow;
use whole::Whole;

/// What an exact search found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    /// The solution, rounded to the nearest floats.
    Solution(Vec<f64>),
    /// There is none; so many partial choices were refuted.
    NoSolution { refuted: usize },
    /// There are solutions, and none of those seen holds when it is rounded.
    Beyond,
    /// Neither within the limits.
    Undecided,
}

/// A whole number times a power of two.
#[derive(Debug, Clone)]
struct Dyadic {
    whole: Whole,
    exponent: i32,
}

impl Dyadic {
    fn new(x: f64) -> Self {
        let (whole, exponent) = Whole::of_float(x);
        Self { whole, exponent }
    }

    fn times(&self, other: &Self) -> Self {
        Self { whole: self.whole.times(&other.whole), exponent: self.exponent + other.exponent }
    }

    fn plus(&self, other: &Self) -> Self {
        if self.whole.is_zero() {
            return other.clone();
        }
        if other.whole.is_zero() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        Self { whole: self.at(exponent).plus(&other.at(exponent)), exponent }
    }

    fn minus(&self, other: &Self) -> Self {
        let mut other = other.clone();
        other.whole.negate();
        self.plus(&other)
    }

    /// The whole number of units of 2^exponent, which must not be above its own exponent.
    fn at(&self, exponent: i32) -> Whole {
        self.whole.shifted(usize::try_from(self.exponent - exponent).unwrap_or(0))
    }
}

/// One way to satisfy a row.
type Cell = Vec<(usize, Sign)>;

/// A boxed problem as forms and choices.
struct Cells<'a> {
    mlcp: &'a Mlcp,
    shift: Vec<(f64, bool)>, // x_j = shift ± y_j, the sign flipped where true
    forms: Vec<Vec<Dyadic>>, // beside the coordinates y
    signs: Vec<Sign>,        // by form: what every solution has
    choices: Vec<Vec<Cell>>,
}

impl<'a> Cells<'a> {
    fn new(mlcp: &'a Mlcp) -> Self {
        let n = mlcp.n();
        let mut cells = Self {
            mlcp,
            shift: Vec::with_capacity(n),
            forms: Vec::new(),
            signs: vec![Sign::Any; n],
            choices: Vec::new(),
        };
        for j in 0..n {
            let (lo, hi) = (mlcp.lo()[j], mlcp.hi()[j]);
            let own = mlcp.findex()[j].is_none();
            let shift = match (own && lo.is_finite(), own && hi.is_finite()) {
                (true, _) => (lo, false),
                (false, true) => (hi, true),
                (false, false) => (0.0, false),
            };
            if own && (lo.is_finite() || hi.is_finite()) {
                cells.signs[j] = Sign::NonNegative;
            }
            cells.shift.push(shift);
        }
        for i in 0..n {
            let (row, b) = ((0..n).map(|j| mlcp.entry(i, j)).collect::<Vec<_>>(), mlcp.b()[i]);
            cells.add(&row, b, Sign::Any);
        }
        for i in 0..n {
            cells.choose(i);
        }
        cells
    }

    /// A form Σ a_j x_j + b; its number.
    fn add(&mut self, a: &[f64], b: f64, sign: Sign) -> usize {
        let mut form = Vec::with_capacity(a.len() + 1);
        let mut constant = Dyadic::new(b);
        for (&a, &(shift, flipped)) in a.iter().zip(&self.shift) {
            let a = Dyadic::new(a);
            constant = constant.plus(&a.times(&Dyadic::new(shift)));
            form.push(if flipped { Dyadic::new(0.0).minus(&a) } else { a });
        }
        form.push(constant);
        self.forms.push(form);
        self.signs.push(sign);
        self.signs.len() - 1
    }

    /// The cells of row i.
    fn choose(&mut self, i: usize) {
        use Sign::{NonNegative, NonPositive, Zero};
        let n = self.mlcp.n();
        let (lo, hi) = (self.mlcp.lo()[i], self.mlcp.hi()[i]);
        let (x, w) = (i, n + i);
        let unit = |terms: &[(usize, f64)]| {
            let mut a = vec![0.0; n];
            for &(j, v) in terms {
                a[j] += v;
            }
            a
        };
        if let Some(f) = self.mlcp.findex()[i] {
            let (f_lo, f_hi) = (self.mlcp.lo()[f], self.mlcp.hi()[f]);
            let normal = self.add(&unit(&[(f, 1.0)]), 0.0, Sign::Any);
            let mut cells = Vec::new();
            for (s, possible, sign) in [(1.0, f_hi > 0.0, NonNegative), (-1.0, f_lo < 0.0, NonPositive)] {
                if !possible && f_lo != f_hi {
                    continue;
                }
                let below = self.add(&unit(&[(i, 1.0), (f, -lo * s)]), 0.0, Sign::Any);
                let above = self.add(&unit(&[(i, -1.0), (f, hi * s)]), 0.0, Sign::Any);
                let side = |rest: &[(usize, Sign)]| [&[(normal, sign)], rest].concat();
                cells.push(side(&[(below, Zero), (w, NonNegative), (above, NonNegative)]));
                cells.push(side(&[(w, Zero), (below, NonNegative), (above, NonNegative)]));
                cells.push(side(&[(above, Zero), (w, NonPositive), (below, NonNegative)]));
            }
            self.choices.push(cells);
            return;
        }
        match (lo.is_finite(), hi.is_finite()) {
            (false, false) => self.signs[w] = Zero,
            (true, false) => {
                self.signs[w] = NonNegative;
                self.choices.push(vec![vec![(w, Zero)], vec![(x, Zero)]]);
            }
            (false, true) => {
                self.signs[w] = NonPositive;
                self.choices.push(vec![vec![(w, Zero)], vec![(x, Zero)]]);
            }
            (true, true) => {
                let above = self.add(&unit(&[(i, -1.0)]), hi, NonNegative);
                self.choices.push(vec![
                    vec![(w, Zero)],
                    vec![(x, Zero), (w, NonNegative)],
                    vec![(above, Zero), (w, NonPositive)],
                ]);
            }
        }
    }

    /// The signs of the one cell per row that x speaks for: the bound that it is at, or w = 0.
    fn signs_at(&self, x: &[f64]) -> Vec<Sign> {
        let n = self.mlcp.n();
        let place = |j: usize| {
            let y = Dyadic::new(x[j]).minus(&Dyadic::new(self.shift[j].0));
            if self.shift[j].1 { Dyadic::new(0.0).minus(&y) } else { y }
        };
        let y: Vec<Dyadic> = (0..n).map(place).collect();
        let sign = |form: usize| {
            if form < n {
                return y[form].whole.sign();
            }
            let (a, constant) = self.forms[form - n].split_at(n);
            a.iter().zip(&y).fold(constant[0].clone(), |sum, (a, y)| sum.plus(&a.times(y))).whole.sign()
        };
        let is_slack = |form: usize| (n..2 * n).contains(&form);
        let mut signs = self.signs.clone();
        for cells in &self.choices {
            let fits = |cell: &&Cell| {
                cell.iter().filter(|(form, _)| !is_slack(*form)).all(|&(f, s)| s.allows(sign(f)))
            };
            let at_bound =
                |cell: &&Cell| cell.iter().any(|&(form, s)| s == Sign::Zero && !is_slack(form)) && fits(cell);
            let Some(cell) = cells.iter().find(at_bound).or_else(|| cells.iter().find(fits)) else {
                continue;
            };
            for &(form, s) in cell {
                signs[form] = signs[form].and(s);
            }
        }
        signs
    }

    /// The forms in whole numbers, each row by its own power of two.
    fn dictionary(&self) -> Dictionary {
        let whole = |form: &Vec<Dyadic>| {
            let nonzero = form.iter().filter(|v| !v.whole.is_zero());
            let least = nonzero.map(|v| v.exponent).min().unwrap_or(0);
            form.iter().map(|v| if v.whole.is_zero() { Whole::zero() } else { v.at(least) }).collect()
        };
        Dictionary::new(self.mlcp.n(), self.forms.iter().map(whole).collect())
    }

    /// x at the present point.
    fn point(&self, dictionary: &Dictionary) -> Vec<f64> {
        let coordinate = |(j, &(shift, flipped)): (usize, &(f64, bool))| {
            let Some((numerator, det)) = dictionary.value(j) else { return shift };
            let (whole, exponent) = Whole::of_float(shift);
            let mut y = numerator.clone();
            if flipped {
                y.negate();
            }
            let up = usize::try_from(exponent).unwrap_or(0);
            let down = usize::try_from(-exponent).unwrap_or(0);
            y.shifted(down).plus(&whole.shifted(up).times(det)).ratio(&det.shifted(down))
        };
        self.shift.iter().enumerate().map(coordinate).collect()
    }
}

/// A depth-first search over choices.
struct Search<'a> {
    cells: &'a Cells<'a>,
    clock: Clock,
    left: usize, // partial choices that may still be tried
    refuted: usize,
    holds: &'a dyn Fn(&[f64]) -> bool,
    beyond: bool, // a solution was seen that does not hold when it is rounded
}

impl Search<'_> {
    /// A solution with these signs; bit c of `made` says that choice c was made.
    fn descend(
        &mut self,
        mut at: Dictionary,
        signs: &[Sign],
        made: u64,
    ) -> Result<Option<Vec<f64>>, Expired> {
        if self.left == 0 {
            return Err(Expired);
        }
        self.left -= 1;
        if !at.reach(signs, &self.clock)? {
            self.refuted += 1;
            return Ok(None);
        }
        let is_met = |cell: &Cell| cell.iter().all(|&(form, sign)| sign.allows(at.sign(form)));
        let mut next = self.cells.choices.iter().position(|cells| !cells.iter().any(is_met));
        if next.is_none() {
            let point = self.cells.point(&at);
            if (self.holds)(&point) {
                return Ok(Some(point));
            }
            // bounds of 1e300 have solutions whose terms are beyond all floats: perhaps another is not
            self.beyond = true;
            next = (0..self.cells.choices.len()).find(|c| made >> c & 1 == 0);
        }
        let Some(next) = next else { return Ok(None) };
        for cell in &self.cells.choices[next] {
            let mut narrowed = signs.to_vec();
            for &(form, sign) in cell {
                narrowed[form] = narrowed[form].and(sign);
            }
            if let Some(point) = self.descend(at.clone(), &narrowed, made | 1 << next)? {
                return Ok(Some(point));
            }
        }
        self.refuted += 1;
        Ok(None)
    }
}

/// A problem in whole numbers.
pub(crate) struct Exact<'a> {
    cells: Cells<'a>,
    origin: Dictionary,
}

impl<'a> Exact<'a> {
    pub(crate) fn new(mlcp: &'a Mlcp) -> Self {
        let cells = Cells::new(mlcp);
        let origin = cells.dictionary();
        Self { cells, origin }
    }

    /// The exact solution at the bounds where x is, rounded, if there is one.
    pub(crate) fn beside(&self, x: &[f64], clock: Clock) -> Option<Vec<f64>> {
        let holds = |_: &[f64]| true;
        let cells = &self.cells;
        let mut search = Search { cells, clock, left: 1, refuted: 0, holds: &holds, beyond: false };
        search.descend(self.origin.clone(), &cells.signs_at(x), 0).ok().flatten()
    }

    /// Decides the problem, within so many partial choices and the clock. A solution is one that still is when it is rounded.
    pub(crate) fn decide(self, limit: usize, clock: Clock) -> Decision {
        let Self { cells, origin } = self;
        let holds = |x: &[f64]| holds(cells.mlcp, x);
        let mut search =
            Search { cells: &cells, clock, left: limit, refuted: 0, holds: &holds, beyond: false };
        match search.descend(origin, &cells.signs, 0) {
            Ok(Some(point)) => Decision::Solution(point),
            Ok(None) if search.beyond => Decision::Beyond,
            Ok(None) => Decision::NoSolution { refuted: search.refuted },
            Err(Expired) => Decision::Undecided,
        }
    }
}

/// Whether a rounded point still is a solution.
pub(crate) fn holds(mlcp: &Mlcp, x: &[f64]) -> bool {
    let mut w = Vec::new();
    mlcp.slack(x, &mut w);
    Residual::of_mlcp(mlcp, x, &w).natural <= SOLVED
}

/// Decides a problem from nothing.
pub(crate) fn decide(mlcp: &Mlcp, limit: usize, clock: Clock) -> Decision {
    Exact::new(mlcp).decide(limit, clock)
}

/// The most rows of a problem whose cones are all looked at: 2¹² at worst, a hundred as a rule.
pub(crate) const ENUMERABLE: usize = 12;
/// Partial choices that a search may try: all of twelve rows with two cells each, twice over.
pub(crate) const CHOICES: usize = 1 << 14;

/// A proof that a standard problem has no solution, where there is one to be had: y as a certificate, or all cones
/// of a small problem.
pub(crate) fn proof_of_none(lcp: &Lcp, y: &[f64], clock: Clock) -> Proof {
    if proves_infeasible(lcp.m(), lcp.q(), y) {
        return Proof::Infeasible;
    }
    if lcp.n() > ENUMERABLE {
        return Proof::None;
    }
    match decide(&Mlcp::from(lcp), CHOICES, clock) {
        Decision::NoSolution { refuted } => Proof::Exhausted { refuted },
        _ => Proof::None,
    }
}

/// Whether y shows that no z ≥ 0 has M z + q ≥ 0: y ≥ 0, Mᵀ y ≤ 0, qᵀ y < 0, without rounding. M by columns.
pub(crate) fn proves_infeasible(m: &[f64], q: &[f64], y: &[f64]) -> bool {
    let n = q.len();
    if y.len() != n || !y.iter().all(|y| y.is_finite() && *y >= 0.0) {
        return false;
    }
    let sum = |v: &[f64]| {
        let terms = v.iter().zip(y).filter(|(v, y)| **v != 0.0 && **y != 0.0);
        terms.fold(Dyadic::new(0.0), |sum, (&v, &y)| sum.plus(&Dyadic::new(v).times(&Dyadic::new(y))))
    };
    sum(q).whole.sign() < 0 && (0..n).all(|j| sum(&m[j * n..(j + 1) * n]).whole.sign() <= 0)
}

#[cfg(test)]
mod tests;
