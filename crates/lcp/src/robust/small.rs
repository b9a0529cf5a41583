//! Lemke's path of a small problem on a tableau that stays in the nearest cache, tried before everything else.
//!
//! Up to [`MOST`] unknowns a pivot of the whole tableau costs less than the bookkeeping of a basis that is solved from the original
//! matrix. The dictionary is the textbook's, with the generic vector p of [`super::search`] carried beside q:
//!
//! ```text
//!     y_B = T y_N + q′,    p′                    rows: basic variables; columns: non-basic ones, then q′, p′
//!     T_rc the pivot:      row r ← −row r / T_rc,  T_rc ← 1 / T_rc,  row i ← row i + T_ic row r
//! ```
//!
//! A tableau erodes; so what it ends on is a claim, no more. z is measured on the original data, refined by what the
//! tableau knows of the inverse of the active block (∂z/∂w in its own columns), and kept only where the residual is a
//! rounding ([`KEPT`]). Anything else, rays among them, follows the path in whole numbers where it is small enough, and is left to the
//! search else: it begins as if nothing had been tried.
//!
//! | here        | above                                            | shape            |
//! |-------------|--------------------------------------------------|------------------|
//! | `rows`      | T, q′, p′ in scaled units                        | n × (n + 3)      |
//! | `basic`     | the variable of each row                         | n                |
//! | `column_of` | where a non-basic variable stands                | 2n + 1           |
//! | `steps`     | what entered and what left, with the least q′    | pivots           |

use multiversion::multiversion;

use super::tree::{mix, unit_interval};
use super::verify::JUDGED;
use super::{LADDER, Robust};
use crate::measure::residual_of;
use crate::observer::{IterateEvent, Observer, PivotEvent, Variable};
use crate::outcome::{Budget, Outcome, SOLVED, Solution, Status};
use crate::problem::Lcp;
use crate::sure::Square;
use crate::tolerances;
use crate::verdict::{CANCELLED, Dense};

/// The most unknowns: beyond, the tableau costs more than the columns that a path asks for.
pub(super) const MOST: usize = 16;
/// n columns, z₀, q′ and p′, in whole groups of four.
const WIDTH: usize = MOST + 4;
/// Pivots of a path before it is left to the search: nearly all take fewer than n.
const PIVOTS: usize = 4 * MOST;
/// A residual below this needs no refinement: a few roundings of a row.
const EXACT: f64 = 1e-15;
/// One below this needs no second one, as in [`super::verify`].
const CRISP: f64 = 1e-13;
/// A residual above this is the search's to mend. Rows without a q of their own are held against 1e-5 of their terms, whose
/// rounding is 1e-11 of that.
const KEPT: f64 = 1e-10;
/// A pivot below this part of the largest entry of its column is taken only where nothing else blocks.
const WEAK: f64 = 1e-5;

/// Whether a tableau is tried first. Data known to rounding only have units of their own.
pub(super) fn fits(lcp: &Lcp) -> bool {
    lcp.n() <= MOST && lcp.noise().is_none() && lcp.sparse().is_none()
}

/// Whether a budget counts steps.
pub(super) fn is_counted(budget: &Budget) -> bool {
    budget.pivots.is_some() || budget.nodes.is_some()
}

/// Codes of variables: z_j is j, w_j is MOST + j, z₀ is the last.
const ARTIFICIAL: usize = 2 * MOST;

fn variable(code: usize) -> Variable {
    match code {
        j if j < MOST => Variable::Z(j),
        j if j < 2 * MOST => Variable::W(j - MOST),
        _ => Variable::Z0,
    }
}

fn complement(code: usize) -> usize {
    if code < MOST { code + MOST } else { code - MOST }
}

/// One exchange.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    entering: usize,
    leaving: usize,
    least: f64,
}

/// The tableau and the path taken on it.
#[derive(Debug, Clone)]
pub(super) struct Small {
    rows: [[f64; WIDTH]; MOST],
    basic: [usize; MOST],
    column_of: [usize; 2 * MOST + 1],
    steps: [Step; PIVOTS],
    pivots: usize,
    p: [f64; MOST],
}

impl Default for Small {
    fn default() -> Self {
        Self {
            rows: [[0.0; WIDTH]; MOST],
            basic: [0; MOST],
            column_of: [0; 2 * MOST + 1],
            steps: [Step::default(); PIVOTS],
            pivots: 0,
            // the numbers of the first search
            p: std::array::from_fn(|i| 1.0 + unit_interval(mix(i as u64 ^ mix(0)))),
        }
    }
}

impl Small {
    /// The tableau of the scaled problem, with a covering vector of ones.
    fn fill(&mut self, lcp: &Lcp, d: &[f64], size: f64) {
        let n = d.len();
        let m = lcp.m();
        for i in 0..n {
            let row = &mut self.rows[i];
            for j in 0..n {
                row[j] = m[j * n + i] * d[i] * d[j];
            }
            row[n..].fill(0.0);
            (row[n], row[n + 1], row[n + 2]) = (1.0, lcp.q()[i] * d[i] / size, self.p[i]);
            self.basic[i] = MOST + i;
            self.column_of[i] = i;
        }
        self.column_of[2 * MOST] = n;
        self.pivots = 0;
    }

    /// Follows the path from q′ with some negative entry for at most so many exchanges; whether it ended without z₀.
    fn walk(&mut self, n: usize, most: usize) -> bool {
        walk(self, n, most)
    }

    /// z −= (∂z/∂w) w over the rows whose w is not basic, scaled; z stays in its column.
    fn correct(&mut self, n: usize, w: impl Fn(usize) -> f64) {
        let (mut off, mut is_basic) = ([0.0; WIDTH], [false; 2 * MOST + 1]);
        self.basic[..n].iter().for_each(|&code| is_basic[code] = true);
        for i in (0..n).filter(|&i| !is_basic[MOST + i]) {
            off[self.column_of[MOST + i]] = w(i);
        }
        for r in (0..n).filter(|&r| self.basic[r] < MOST) {
            let row = &mut self.rows[r];
            let change: f64 = row[..=n].iter().zip(&off).map(|(t, w)| t * w).sum();
            row[n + 1] -= change;
        }
    }
}

/// The ratio test and the exchanges, compiled for wide registers.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn walk(small: &mut Small, n: usize, most: usize) -> bool {
    let bands = LADDER[0];
    let (cover, q, p) = (n, n + 1, n + 2);
    let width = (n + 3).next_multiple_of(4);
    let Small { rows, basic, column_of, steps, pivots, .. } = small;
    let rows = &mut rows[..n];

    // z₀ enters at the worst row, ties to rounding by p
    let mut r = 0;
    for i in 1..n {
        let (a, b) = (&rows[i], &rows[r]);
        if a[q] < b[q] - tolerances::TIED || (a[q] <= b[q] + tolerances::TIED && a[p] < b[p]) {
            r = i;
        }
    }
    let (mut entering, mut c) = (ARTIFICIAL, cover);
    loop {
        if *pivots == most {
            return false;
        }
        // the exchange
        let leaving = basic[r];
        let inverse = 1.0 / rows[r][c];
        let mut row = rows[r];
        for v in &mut row[..width] {
            *v *= -inverse;
        }
        row[c] = inverse;
        let mut least = f64::INFINITY;
        for (i, other) in rows.iter_mut().enumerate() {
            if i == r {
                *other = row;
            } else {
                let f = std::mem::replace(&mut other[c], 0.0);
                for (a, b) in other[..width].as_chunks_mut::<4>().0.iter_mut().zip(row.as_chunks::<4>().0) {
                    for k in 0..4 {
                        a[k] += f * b[k];
                    }
                }
            }
            least = least.min(other[q]);
        }
        basic[r] = entering;
        column_of[leaving] = c;
        steps[*pivots] = Step { entering, leaving, least };
        *pivots += 1;
        if leaving == ARTIFICIAL {
            return true;
        }
        // what blocks the complement of what left
        entering = complement(leaving);
        c = column_of[entering];
        let size = rows.iter().fold(0.0_f64, |s, row| s.max(row[c].abs()));
        let (none, weak) = (bands.pivot * size, WEAK * size);
        let mut step = f64::INFINITY;
        for row in rows.iter().filter(|row| row[c] < -none) {
            let least = if row[q] <= bands.zero { 0.0 } else { row[q] };
            step = step.min(least / -row[c]);
        }
        let mut best: Option<(bool, f64, usize)> = None;
        for (i, row) in rows.iter().enumerate().filter(|(_, row)| row[c] < -none) {
            if row[q] + step * row[c] > bands.zero {
                continue;
            }
            if basic[i] == ARTIFICIAL {
                best = Some((false, f64::NEG_INFINITY, i));
                break;
            }
            let (is_weak, order) = (-row[c] < weak, row[p] / -row[c]);
            if best.is_none_or(|(w, o, _)| (is_weak, order) < (w, o)) {
                best = Some((is_weak, order, i));
            }
        }
        let Some((_, _, row)) = best else { return false };
        r = row;
    }
}

/// w = M z + q into `w`, which holds q, in twice the precision as [`crate::kernel`] does it, and what [`crate::verdict`] makes of it with R = |q|,
/// to the same bits and in one pass over the columns; infinite where it has more to ask.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn weigh(m: &[f64], q: &[f64], z: &[f64], w: &mut [f64]) -> f64 {
    let n = w.len();
    let (mut errors, mut sums) = ([0.0_f64; MOST], [0.0_f64; MOST]);
    for (column, &z) in m.chunks_exact(n).zip(z) {
        if z == 0.0 {
            continue;
        }
        for (((w, e), s), &a) in w.iter_mut().zip(&mut errors).zip(&mut sums).zip(column) {
            let product = z * a;
            let rounding = z.mul_add(a, -product);
            let sum = *w + product;
            let part = sum - *w;
            *e += (*w - (sum - part)) + (product - part) + rounding;
            *w = sum;
            *s += product.abs();
        }
    }
    let mut worst = 0.0_f64;
    for (((w, e), s), (q, z)) in w.iter_mut().zip(&errors).zip(&sums).zip(q.iter().zip(z)) {
        // an overflowed product has no rounding to speak of
        if e.is_finite() {
            *w += e;
        }
        let unit = q.abs() + CANCELLED * (s + q.abs());
        // written so that NaN has more to ask
        if !((f64::MIN_POSITIVE..f64::INFINITY).contains(&unit) && w.is_finite()) {
            worst = f64::INFINITY;
        } else if *w <= 0.0 || *z > 0.0 {
            worst = worst.max(w.abs() / unit);
        }
    }
    worst
}

impl Robust {
    /// A small problem on the tableau; none where that is not the end of it.
    pub(super) fn solve_small(
        &mut self,
        lcp: &Lcp,
        budget: &Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let n = lcp.n();
        if self.p.capacity() < n {
            // room for the search, should one follow later: the second solve of a size allocates nothing
            self.scale(lcp);
            self.p.reserve(n);
            self.start.reserve(n);
        }
        self.scaling.rebuild(lcp.m(), lcp.q());
        let (d, size) = (self.scaling.d(), self.scaling.size());
        let small = &mut *self.small;
        small.fill(lcp, d, size);
        // as in the search: what is above rounding needs no z₀
        let is_feasible = (0..n).all(|i| small.rows[i][n + 1] >= -tolerances::NOT_NEGATIVE);
        let most = [budget.pivots, budget.nodes].into_iter().flatten().fold(PIVOTS, usize::min);
        if !is_feasible && !small.walk(n, most) {
            return None;
        }
        let Solution { z, w, .. } = solution;
        let mut natural = self.measure_small(lcp, z, w);
        for enough in [EXACT, CRISP] {
            if natural <= enough || natural > JUDGED {
                break;
            }
            let scaling = &self.scaling;
            self.small.correct(n, |i| scaling.w(i, w[i]));
            let refined = self.measure_small(lcp, z, w);
            let stays = refined > 0.5 * natural;
            natural = refined;
            if stays {
                break;
            }
        }
        if natural > KEPT || natural.is_nan() {
            return None;
        }
        solution.basis.clear();
        solution.basis.resize(n, false);
        let small = &*self.small;
        for &code in small.basic[..n].iter().filter(|code| **code < MOST) {
            solution.basis[code] = true;
        }
        let pivots = small.pivots;
        self.tell_small(lcp, observer);
        if let Some(ray) = solution.ray.take() {
            self.spare_ray = ray;
        }
        self.has_path_ray = false;
        let residual = residual_of(lcp, &self.scaling, natural, &solution.z, &solution.w);
        Some(Outcome { status: Status::Solved, pivots, nodes: pivots, residual })
    }

    /// Pivots of the last path on the tableau.
    pub(super) fn small_pivots(&self) -> usize {
        self.small.pivots
    }

    /// ∂z_j/∂w_i of the unknowns given, in the caller's units, if they are the active set that the tableau ended on.
    pub(super) fn lend_inverse(&self, unknowns: &[usize], inverse: &mut Square) -> bool {
        let Small { rows, basic, column_of, .. } = &*self.small;
        let (n, d) = (self.scaling.d().len(), self.scaling.d());
        let (mut place, mut at) = ([usize::MAX; MOST], [(0, 0.0); MOST]);
        for (k, (at, &i)) in at.iter_mut().zip(unknowns).enumerate() {
            place[i] = k;
            *at = (column_of[MOST + i], d[i]);
        }
        let (at, mut held) = (&at[..unknowns.len()], 0);
        for (row, &j) in rows.iter().zip(&basic[..n]).filter(|(_, code)| **code < MOST) {
            let Some(own) = inverse.get_mut(place[j]) else { return false };
            let unit = d[j];
            own.iter_mut().zip(at).for_each(|(v, &(c, d))| *v = row[c] * (unit * d));
            held += 1;
        }
        held == unknowns.len()
    }

    /// Tells the path that was taken; for who wants iterates it is gone once more.
    pub(super) fn tell_small(&mut self, lcp: &Lcp, observer: &mut impl Observer) {
        let (n, steps) = (lcp.n(), self.small.steps);
        for (pivot, step) in steps[..self.small.pivots].iter().enumerate() {
            let (entering, leaving) = (variable(step.entering), variable(step.leaving));
            observer.pivot(&PivotEvent { pivot, entering, leaving, q_min: step.least, error: f64::NAN });
            if observer.wants_iterates() {
                self.small.fill(lcp, self.scaling.d(), self.scaling.size());
                self.small.walk(n, pivot + 1);
                let (mut z, mut w) = (std::mem::take(&mut self.z), std::mem::take(&mut self.w));
                let natural = self.measure_small(lcp, &mut z, &mut w);
                let residual = residual_of(lcp, &self.scaling, natural, &z, &w);
                observer.iterate(&IterateEvent { index: pivot, x: &z, w: &w, residual });
                (self.z, self.w) = (z, w);
            }
        }
    }

    /// z and w in the caller's units, and their residual.
    fn measure_small(&mut self, lcp: &Lcp, z: &mut Vec<f64>, w: &mut Vec<f64>) -> f64 {
        let n = lcp.n();
        z.clear();
        z.resize(n, 0.0);
        for (row, &code) in self.small.rows.iter().zip(&self.small.basic[..n]) {
            let j = code;
            if j < MOST {
                z[j] = self.scaling.unscale_z(j, row[n + 1].max(0.0));
            }
        }
        w.clear();
        w.extend_from_slice(lcp.q());
        let natural = weigh(lcp.m(), lcp.q(), z, w);
        if natural <= SOLVED {
            return natural;
        }
        self.verdict.natural(&Dense::from(lcp), lcp.q(), z, w, |_| (0.0, f64::INFINITY))
    }
}
