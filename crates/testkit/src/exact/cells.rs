//! All solutions of a small boxed problem that lie at a vertex, in rationals, by trying every choice of supports.
//!
//! A solution has in each row x at lo, x at hi or w = 0; where any exists at all, one exists whose free numbers (x off its
//! bounds, w at a bound) belong to independent columns. So every row tries: x = lo or hi with w free, x = lo or hi with
//! w = 0, x free with w = 0; and the n equations  w − A x = b  are solved for what is free, singular blocks included. A row
//! without any bound also tries x = 0 with w = 0, where its column depends on others.
//!
//! Where solutions fill faces an answer need not be a vertex: [`is_near_solution`] asks for the exact solution with the
//! answer's own supports that agrees with it in as many numbers as are not determined by the others.

use gudgeon_lcp::Mlcp;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::number::rational;

/// How a row is tried.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Lower,
    Upper,
    LowerSlack,
    UpperSlack,
    Inside,
    Idle,
}

/// x of every vertex solution: n up to about 5. Rows with friction indices are not known here.
pub fn vertex_solutions(mlcp: &Mlcp) -> Vec<Vec<BigRational>> {
    let n = mlcp.n();
    assert!(n <= 8 && mlcp.findex().iter().all(Option::is_none), "small boxed problems alone");
    let a: Vec<Vec<BigRational>> =
        (0..n).map(|i| (0..n).map(|j| rational(mlcp.entry(i, j))).collect()).collect();
    let b: Vec<BigRational> = mlcp.b().iter().map(|&b| rational(b)).collect();
    let sides: Vec<Vec<Side>> = (0..n)
        .map(|i| {
            let mut sides = vec![Side::Inside];
            if mlcp.lo()[i].is_finite() {
                sides.extend([Side::LowerSlack, Side::Lower]);
            }
            if mlcp.hi()[i].is_finite() {
                sides.extend([Side::UpperSlack, Side::Upper]);
            }
            if sides.len() == 1 {
                sides.push(Side::Idle);
            }
            sides
        })
        .collect();
    let mut found: Vec<Vec<BigRational>> = Vec::new();
    let mut choice = vec![0; n];
    loop {
        let picked: Vec<Side> = choice.iter().zip(&sides).map(|(&c, s)| s[c]).collect();
        if let Some(x) = solve(mlcp, &a, &b, &picked)
            && !found.contains(&x)
        {
            found.push(x);
        }
        let Some(next) = (0..n).find(|&i| choice[i] + 1 < sides[i].len()) else { return found };
        choice[..next].fill(0);
        choice[next] += 1;
    }
}

/// x of one choice, if its free numbers are determined and all signs are right.
fn solve(mlcp: &Mlcp, a: &[Vec<BigRational>], b: &[BigRational], sides: &[Side]) -> Option<Vec<BigRational>> {
    let n = b.len();
    let bound = |i: usize| match sides[i] {
        Side::Lower | Side::LowerSlack => rational(mlcp.lo()[i]),
        Side::Upper | Side::UpperSlack => rational(mlcp.hi()[i]),
        Side::Inside | Side::Idle => BigRational::zero(),
    };
    let fixed: Vec<BigRational> = (0..n).map(bound).collect();
    // columns of what is free, and the right-hand side of  A x − w = −b
    let free: Vec<(bool, usize)> = (0..n)
        .filter_map(|i| match sides[i] {
            Side::Inside => Some((true, i)),
            Side::LowerSlack | Side::UpperSlack => Some((false, i)),
            _ => None,
        })
        .collect();
    let minus_one = -rational(1.0);
    let mut rows: Vec<Vec<BigRational>> = (0..n)
        .map(|i| {
            let column = |&(is_x, j): &(bool, usize)| match (is_x, i == j) {
                (true, _) => a[i][j].clone(),
                (false, true) => minus_one.clone(),
                (false, false) => BigRational::zero(),
            };
            let mut row: Vec<BigRational> = free.iter().map(column).collect();
            let ax = (0..n).filter(|&j| !fixed[j].is_zero()).map(|j| &a[i][j] * &fixed[j]);
            row.push(ax.fold(-b[i].clone(), |sum, v| sum - v));
            row
        })
        .collect();
    let values = eliminate(&mut rows, free.len())?;
    let mut x = fixed;
    for (&(is_x, i), value) in free.iter().zip(values) {
        if is_x {
            x[i] = value;
            let (lo, hi) = (mlcp.lo()[i], mlcp.hi()[i]);
            if (lo.is_finite() && x[i] < rational(lo)) || (hi.is_finite() && x[i] > rational(hi)) {
                return None;
            }
        } else {
            let wrong = if sides[i] == Side::LowerSlack { value.is_negative() } else { value.is_positive() };
            let pinned = mlcp.lo()[i] == mlcp.hi()[i];
            if wrong && !pinned {
                return None;
            }
        }
    }
    Some(x)
}

/// Whether an exact solution lies within `part` of every number of x (zeros and bounds themselves), and has the supports
/// that x has: rows off their bounds have w = 0, the others w of the sign that their bound asks for.
pub fn is_near_solution(mlcp: &Mlcp, x: &[f64], part: f64) -> bool {
    let n = mlcp.n();
    assert!(mlcp.findex().iter().all(Option::is_none), "boxed problems alone");
    if !x.iter().all(|x| x.is_finite()) {
        return false;
    }
    let free: Vec<usize> = (0..n).filter(|&i| mlcp.lo()[i] < x[i] && x[i] < mlcp.hi()[i]).collect();
    let mut exact: Vec<BigRational> = x.iter().map(|&x| rational(x)).collect();
    let slack = |exact: &[BigRational], i: usize| {
        let terms = (0..n).map(|j| rational(mlcp.entry(i, j)) * &exact[j]);
        terms.fold(rational(mlcp.b()[i]), |sum, v| sum + v)
    };
    // corrections d with A_ff d = −w_f: columns that others determine stay as they are
    let mut rows: Vec<Vec<BigRational>> = free
        .iter()
        .map(|&i| free.iter().map(|&j| rational(mlcp.entry(i, j))).chain([-slack(&exact, i)]).collect())
        .collect();
    let Some(change) = correction(&mut rows, free.len()) else { return false };
    for (&i, d) in free.iter().zip(change) {
        // no float is nearer than one unit of the denormals
        if d.abs() > rational(part) * rational(x[i].abs()) + rational(5e-324) {
            return false;
        }
        exact[i] += d;
    }
    (0..n).all(|i| {
        let (lo, hi) = (mlcp.lo()[i], mlcp.hi()[i]);
        if free.contains(&i) {
            let above = !lo.is_finite() || exact[i] >= rational(lo);
            return above && (!hi.is_finite() || exact[i] <= rational(hi));
        }
        let w = slack(&exact, i);
        let allowed = if w.is_positive() { lo } else { hi };
        w.is_zero() || x[i] == allowed
    })
}

/// Whether x misses no row by more than `part` of the sum of its terms' sizes: it is then exact for data that differ by no
/// more. Products below the range of floats may be off by a unit of it.
pub fn is_backward_exact(mlcp: &Mlcp, x: &[f64], part: f64) -> bool {
    let n = mlcp.n();
    x.iter().all(|x| x.is_finite())
        && (0..n).all(|i| {
            let used = (0..n).filter(|&j| x[j] != 0.0 && mlcp.entry(i, j) != 0.0);
            let terms: Vec<BigRational> = used.map(|j| rational(mlcp.entry(i, j)) * rational(x[j])).collect();
            let b = rational(mlcp.b()[i]);
            let w = terms.iter().fold(b.clone(), |sum, v| sum + v);
            let size = terms.iter().fold(b.abs(), |sum, v| sum + v.abs());
            let (lo, hi) = (mlcp.lo()[i], mlcp.hi()[i]);
            let inside = lo <= x[i] && x[i] <= hi;
            let allowed = (w.is_positive() && x[i] == lo) || (w.is_negative() && x[i] == hi);
            inside && (allowed || w.abs() <= rational(part) * size + rational(5e-324))
        })
}

/// Some solution of a square system, right-hand side last, zero in the columns that others determine; none where it
/// contradicts itself.
fn correction(rows: &mut [Vec<BigRational>], k: usize) -> Option<Vec<BigRational>> {
    let mut pivots = Vec::with_capacity(k);
    for c in 0..k {
        let done = pivots.len();
        let Some(r) = (done..rows.len()).find(|&r| !rows[r][c].is_zero()) else { continue };
        rows.swap(done, r);
        clear(rows, done, c);
        pivots.push(c);
    }
    if !rows[pivots.len()..].iter().all(|row| row[k].is_zero()) {
        return None;
    }
    let mut solution = vec![BigRational::zero(); k];
    for (row, &c) in rows.iter().zip(&pivots) {
        solution[c] = &row[k] / &row[c];
    }
    Some(solution)
}

/// Takes column c from every row but the pivot row r.
fn clear(rows: &mut [Vec<BigRational>], r: usize, c: usize) {
    let pivot_row = rows[r].clone();
    for (i, row) in rows.iter_mut().enumerate() {
        if i == r || row[c].is_zero() {
            continue;
        }
        let factor = &row[c] / &pivot_row[c];
        for (v, p) in row.iter_mut().zip(&pivot_row).skip(c) {
            if !p.is_zero() {
                *v -= &factor * p;
            }
        }
    }
}

/// The one solution of an overdetermined system of independent columns, right-hand side last.
fn eliminate(rows: &mut [Vec<BigRational>], k: usize) -> Option<Vec<BigRational>> {
    for c in 0..k {
        let r = (c..rows.len()).find(|&r| !rows[r][c].is_zero())?;
        rows.swap(c, r);
        clear(rows, c, c);
    }
    rows[k..].iter().all(|row| row[k].is_zero()).then(|| (0..k).map(|c| &rows[c][k] / &rows[c][c]).collect())
}
