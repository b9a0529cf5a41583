//! Dantzig's principal step: one row at a time is driven until it is complementary, and all rows admitted
//! before it stay so.
//!
//! ```text
//!     Δx_C = M′_Ci Δ      Δw_N = M′_Ni Δ      Δ of the non-basic half of pair i        [Baraff 1994, §4.2]
//! ```
//!
//! The non-basic half is x_i, and Δw_i = m′_ii Δ. The row stops when w_i = 0 (it joins the clamped set C),
//! when x_i is at a bound (it joins N), or when another row j reaches the end of its side first; then pair
//! j is exchanged on m′_jj and the drive goes on. Where m′_jj = 0, as in saddle points and friction cones,
//! the pairs i and j are exchanged together, and from then on w_i itself is the non-basic half that is
//! driven to zero [Cottle, Pang and Stone, §4.2].
//!
//! | paper          | here                   | shape |
//! |----------------|------------------------|-------|
//! | C, NC          | `side`                 | n     |
//! | M′             | [`Tableau`], without c | n × n |
//! | Δx_C, Δw_N     | `tableau.column(i)`    | n     |

use crate::ledger::{Ledger, Limits};
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::Status;
use crate::rows::BoxedRows;
use crate::tableau::Tableau;
use crate::visited::{Visited, key};

/// A slack this small is zero, in scaled units: a thousandth of what is still called solved.
const ZERO: f64 = 1e-12;

/// A pivot, or an entry of a direction, below this is zero in scaled units; dependent rows leave 1e-16.
const SINGULAR: f64 = 1e-12;

/// Where a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Not admitted yet.
    Waiting,
    /// x at its lower bound, w ≥ 0.
    Lower,
    /// x at its upper bound, w ≤ 0.
    Upper,
    /// Between its bounds with w = 0, basic.
    Clamped,
    /// Without a say: bounds that meet, or a row that depends on others and agrees with them.
    Idle,
}

/// What stops a row that is driven.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stop {
    Slack,
    Bound(Place),
    Other(usize, Place),
}

/// The state of a pass.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drive {
    tableau: Tableau,
    pub(crate) side: Vec<Place>,
    pub(crate) lo: Vec<f64>,
    pub(crate) hi: Vec<f64>,
    visited: Visited,
    pub(crate) pivots: usize,
}

impl Drive {
    pub(crate) fn reserve(&mut self, n: usize) {
        self.visited.reset(n);
        self.pivots = 0;
    }

    /// Forgets all sides; x is where the caller put it.
    pub(crate) fn begin(&mut self, rows: BoxedRows<'_>) {
        self.side.clear();
        self.side.resize(rows.n(), Place::Waiting);
        self.tableau.load_matrix(rows.a, rows.b);
        self.visited.clear();
    }

    /// Makes all free rows clamped that can be, by principal pivots of order one and two, the largest first.
    pub(crate) fn clamp_free(
        &mut self,
        rows: BoxedRows<'_>,
        ledger: &mut Ledger,
        limits: Limits,
        observer: &mut impl Observer,
    ) {
        let n = rows.n();
        while !limits.spent(self.pivots)
            && let Some((i, j)) = self.largest_free(ledger)
        {
            if i == j {
                self.tableau.exchange(i, i);
            } else {
                self.tableau.exchange_pairs(i, j);
                self.side[j] = Place::Clamped;
                self.tell(j, ledger, observer);
            }
            self.side[i] = Place::Clamped;
            self.tell(i, ledger, observer);
        }

        // x of the clamped and w of the other rows follow
        for r in 0..n {
            let given = (0..n).filter(|&s| self.side[s] != Place::Clamped);
            let value = given.fold(self.tableau.q[r], |sum, s| sum + self.tableau.column(s)[r] * ledger.x[s]);
            if self.side[r] == Place::Clamped {
                (ledger.x[r], ledger.w[r]) = (value, 0.0);
            } else {
                ledger.w[r] = value;
            }
        }
    }

    /// The largest principal pivot among the free rows that wait.
    fn largest_free(&self, ledger: &Ledger) -> Option<(usize, usize)> {
        let n = self.side.len();
        let free = |&i: &usize| {
            self.side[i] == Place::Waiting && self.lo[i] == f64::NEG_INFINITY && self.hi[i] == f64::INFINITY
        };
        let (mut largest, mut place) = (SINGULAR, None);
        for i in (0..n).filter(free) {
            for j in (i..n).filter(free) {
                let size = self.scaled_entry(ledger, i, j).min(self.scaled_entry(ledger, j, i));
                // a pair is worth its trouble only where it is much larger
                if size > if i == j { largest } else { 8.0 * largest } {
                    (largest, place) = (size, Some((i, j)));
                }
            }
        }
        place
    }

    /// Drives row i until it is complementary.
    pub(crate) fn admit(
        &mut self,
        rows: BoxedRows<'_>,
        i: usize,
        ledger: &mut Ledger,
        limits: Limits,
        observer: &mut impl Observer,
    ) -> Result<(), Status> {
        if let Some(side) = self.rest(i, ledger) {
            self.side[i] = side;
            return Ok(());
        }
        let forward = ledger.w[i] < 0.0;
        loop {
            let Some((length, stop)) = self.first_stop(i, forward, ledger) else {
                return Err(Status::Inaccurate);
            };
            if limits.spent(self.pivots) {
                return Err(Status::Budget);
            }
            self.advance(i, if forward { length } else { -length }, ledger);
            if length > 0.0 {
                self.visited.clear();
            } else if !self.visited.insert(self.tableau.basis() ^ key(Variable::Z(i)).rotate_left(1)) {
                return Err(Status::Cycle);
            }
            let done = self.change_side(i, stop, ledger, observer)?;
            ledger.offer(rows);
            ledger.show(rows, observer);
            if done {
                return Ok(());
            }
        }
    }

    /// Whether row i needs no driving.
    fn rest(&self, i: usize, ledger: &Ledger) -> Option<Place> {
        let w = ledger.scaling.w(i, ledger.w[i]);
        let (x, lo, hi) = (ledger.x[i], self.lo[i], self.hi[i]);
        if lo >= hi {
            Some(Place::Idle)
        } else if x == lo && w >= -ZERO {
            Some(Place::Lower)
        } else if x == hi && w <= ZERO {
            Some(Place::Upper)
        } else if w.abs() <= ZERO && self.is_singular(ledger, i) {
            Some(Place::Idle)
        } else {
            None
        }
    }

    /// How far the non-basic half of pair i can go before something stops it; the row itself wins ties, then
    /// the least index.
    fn first_stop(&self, i: usize, forward: bool, ledger: &Ledger) -> Option<(f64, Stop)> {
        let sign = if forward { 1.0 } else { -1.0 };
        let column = self.tableau.column(i);
        let (x, w) = (&ledger.x, &ledger.w);
        let mut best = (f64::INFINITY, Stop::Slack);
        let mut consider = |length: f64, stop: Stop| {
            if length < best.0 {
                best = (length.max(0.0), stop);
            }
        };

        // the row itself: w_i and x_i, one of them as the non-basic half
        let slack_driven = self.tableau.cols[i] == Variable::W(i);
        let sensitive = !self.is_singular(ledger, i);
        if slack_driven {
            consider(w[i].abs(), Stop::Slack);
        } else if sensitive && column[i] > 0.0 {
            consider((w[i] / column[i]).abs(), Stop::Slack);
        }
        let dx = if slack_driven { sign * column[i] } else { sign };
        if !slack_driven || sensitive {
            if dx > 0.0 {
                consider((self.hi[i] - x[i]) / dx, Stop::Bound(Place::Upper));
            } else if dx < 0.0 {
                consider((self.lo[i] - x[i]) / dx, Stop::Bound(Place::Lower));
            }
        }

        // the rows admitted before it
        for j in (0..column.len()).filter(|&j| j != i) {
            let d = sign * column[j];
            if self.scaled_entry(ledger, j, i) <= SINGULAR {
                continue;
            }
            match self.side[j] {
                Place::Clamped if d < 0.0 => consider((self.lo[j] - x[j]) / d, Stop::Other(j, Place::Lower)),
                Place::Clamped => consider((self.hi[j] - x[j]) / d, Stop::Other(j, Place::Upper)),
                Place::Lower if d < 0.0 => consider(-w[j].max(0.0) / d, Stop::Other(j, Place::Clamped)),
                Place::Upper if d > 0.0 => consider(-w[j].min(0.0) / d, Stop::Other(j, Place::Clamped)),
                _ => {}
            }
        }
        best.0.is_finite().then_some(best)
    }

    /// |m′_ji| in scaled units, zero where it is not a number.
    fn scaled_entry(&self, ledger: &Ledger, j: usize, i: usize) -> f64 {
        let d = ledger.scaling.d();
        let row = if let Variable::W(_) = self.tableau.rows[j] { d[j] } else { 1.0 / d[j] };
        let col = if let Variable::Z(_) = self.tableau.cols[i] { d[i] } else { 1.0 / d[i] };
        (self.tableau.column(i)[j] * row * col).abs().max(0.0)
    }

    fn is_singular(&self, ledger: &Ledger, j: usize) -> bool {
        self.scaled_entry(ledger, j, j) <= SINGULAR
    }

    fn advance(&mut self, i: usize, change: f64, ledger: &mut Ledger) {
        let mut shift = |variable: Variable, change: f64| match variable {
            Variable::Z(j) => ledger.x[j] += change,
            Variable::W(j) => ledger.w[j] += change,
            Variable::Z0 => {}
        };
        shift(self.tableau.cols[i], change);
        for (&variable, &d) in self.tableau.rows.iter().zip(self.tableau.column(i)) {
            shift(variable, change * d);
        }
    }

    /// Puts what stopped the drive of row i on its side; true if that was row i itself.
    fn change_side(
        &mut self,
        i: usize,
        stop: Stop,
        ledger: &mut Ledger,
        observer: &mut impl Observer,
    ) -> Result<bool, Status> {
        let (row, side) = match stop {
            Stop::Slack => (i, Place::Clamped),
            Stop::Bound(side) => (i, side),
            Stop::Other(j, side) => (j, side),
        };
        // exactly there
        match side {
            Place::Lower => ledger.x[row] = self.lo[row],
            Place::Upper => ledger.x[row] = self.hi[row],
            _ => ledger.w[row] = 0.0,
        }
        let basic = self.tableau.rows[row] == Variable::Z(row);
        if basic == (side == Place::Clamped) {
            // the pair is already the right way round
            self.pivots += 1;
        } else if !self.is_singular(ledger, row) {
            self.tableau.exchange(row, row);
            self.tell(row, ledger, observer);
        } else if row != i && self.scaled_entry(ledger, i, row) > SINGULAR {
            self.tableau.exchange_pairs(i, row);
            self.tell(row, ledger, observer);
            self.tell(i, ledger, observer);
        } else {
            return Err(Status::Inaccurate);
        }
        self.side[row] = side;
        Ok(row == i)
    }

    fn tell(&mut self, j: usize, ledger: &Ledger, observer: &mut impl Observer) {
        let (entering, leaving) = (self.tableau.rows[j], self.tableau.cols[j]);
        let q_min = ledger.x.iter().chain(&ledger.w).copied().fold(f64::INFINITY, f64::min);
        observer.pivot(&PivotEvent { pivot: self.pivots, entering, leaving, q_min, error: f64::NAN });
        self.pivots += 1;
    }
}
