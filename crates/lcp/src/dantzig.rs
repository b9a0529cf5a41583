//! Dantzig's pivoting for boxed problems, in the manner of Baraff and the Open Dynamics Engine.
//!
//! Rows are admitted one after the other. While row i is driven, all admitted rows stay complementary:
//!
//! ```text
//!     Δx_C = M′_Ci Δx_i      Δw_N = M′_Ni Δx_i      Δw_i = m′_ii Δx_i              [Baraff 1994, §4.2]
//! ```
//!
//! until w_i = 0 (the row joins the clamped set C), x_i is at a bound (it joins N), or another row stops it first and
//! changes sides. M′ is the principal transform of A by C, so each direction is a column and each change of sides
//! one exchange.
//!
//! A row with a friction index gets the bounds of the normal impulse at the moment it is admitted, as in ODE;
//! rows admitted later may change that impulse. Here the coupled truth is asked afterwards: with the sides as
//! found, the bounds are put into the equations (x_i = u_i x_f), the clamped block is solved from the original
//! data, and if that does not satisfy the coupled problem the whole pass is repeated with the bounds of the
//! normals just found, until they agree.
//!
//! | paper          | here                       | shape |
//! |----------------|----------------------------|-------|
//! | C, NC          | `side`                     | n     |
//! | M′             | [`Tableau`], without c     | n × n |
//! | Δx_C, Δw_N     | `tableau.column(i)`        | n     |
//!
//! Departures: x may have bounds on one side of zero; a direction without end, a zero pivot and bounds that never
//! agree are `Inaccurate`; degenerate steps that come back are a `Cycle`. A start is not used: the method builds its
//! own.

use crate::ledger::{Ledger, Limits, Rows, generous_pivots};
use crate::lu::Lu;
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::{Budget, MlcpSolution, Outcome, SOLVED, Solution, Start, Status};
use crate::problem::{Lcp, Mlcp};
use crate::tableau::{Tableau, Visited, key};

/// A slack this small is zero, in scaled units: a thousandth of what is still called solved.
const ZERO: f64 = 1e-12;

/// A pivot, or an entry of a direction, below this part of one is zero in scaled units; dependent rows leave 1e-16.
const SINGULAR: f64 = 1e-12;

/// Where a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Not admitted yet.
    Waiting,
    Lower,
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
    Bound,
    Other(usize, Side),
}

/// Dantzig's pivoting.
#[derive(Debug, Clone)]
pub struct Dantzig {
    /// Passes over the bounds of friction rows before they are said never to agree. The passes are a fixed-point
    /// iteration; where it converges at all, a few settle the sides and the coupled solve does the rest.
    pub passes: usize,
    tableau: Tableau,
    side: Vec<Side>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    clamped: Vec<usize>,
    followers: Vec<(usize, usize, f64)>, // row, its normal, factor
    visited: Visited,
    lu: Lu,
    ledger: Ledger,
}

impl Default for Dantzig {
    fn default() -> Self {
        Self {
            passes: 40,
            tableau: Tableau::default(),
            side: Vec::new(),
            lo: Vec::new(),
            hi: Vec::new(),
            clamped: Vec::new(),
            followers: Vec::new(),
            visited: Visited::default(),
            lu: Lu::default(),
            ledger: Ledger::default(),
        }
    }
}

impl Dantzig {
    /// Solves a standard problem within a budget, watched.
    pub fn solve_with(
        &mut self,
        lcp: &Lcp,
        _start: Start<'_>,
        budget: Budget,
        solution: &mut Solution,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.ledger.open(lcp.into(), &mut solution.ray);
        let (status, pivots) = self.settle(lcp.into(), budget, observer);
        let side = &self.side;
        let basic = |i: usize| side[i] == Side::Clamped;
        self.ledger.close_lcp(lcp, status, (pivots, pivots), solution, basic)
    }

    /// Solves a boxed problem, friction indices included, within a budget, watched.
    pub fn solve_mlcp_with(
        &mut self,
        mlcp: &Mlcp,
        _start: Start<'_>,
        budget: Budget,
        solution: &mut MlcpSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        self.ledger.open(mlcp.into(), &mut solution.ray);
        let (status, pivots) = self.settle(mlcp.into(), budget, observer);
        self.ledger.close_mlcp(mlcp, status, pivots, solution)
    }

    /// Passes until the bounds of the friction rows are those of the normals found.
    fn settle(&mut self, rows: Rows<'_>, budget: Budget, observer: &mut impl Observer) -> (Status, usize) {
        let limits = Limits::new(budget, generous_pivots(rows.n()));
        let coupled = (0..rows.n()).any(|i| rows.normal_of(i).is_some());
        let mut pivots = 0;
        for pass in 0..self.passes.max(1) {
            self.begin(rows, pass);
            for phase in 0..3 {
                for i in 0..rows.n() {
                    if self.phase(rows, i) != phase {
                        continue;
                    }
                    if pass == 0 && phase == 2 {
                        // the normals as they are now, as in ODE
                        (self.lo[i], self.hi[i]) = rows.bounds(i, &self.ledger.x);
                    }
                    if let Err(status) = self.admit(rows, i, limits, &mut pivots, observer) {
                        return (status, pivots);
                    }
                }
            }
            self.polish(rows);
            if !coupled || self.ledger.natural(rows, &self.ledger.x, &self.ledger.w) <= SOLVED {
                return (Status::Solved, pivots);
            }
            self.ledger.offer(rows);
        }
        (Status::Inaccurate, pivots)
    }

    /// Free rows come first, friction rows last.
    fn phase(&self, rows: Rows<'_>, i: usize) -> usize {
        if rows.normal_of(i).is_some() {
            2
        } else {
            usize::from(self.lo[i].is_finite() || self.hi[i].is_finite())
        }
    }

    fn begin(&mut self, rows: Rows<'_>, pass: usize) {
        let n = rows.n();
        if pass == 0 {
            self.lo.clear();
            self.hi.clear();
        }
        for i in 0..n {
            let (lo, hi) = rows.bounds(i, &self.ledger.x);
            if pass == 0 {
                self.lo.push(lo);
                self.hi.push(hi);
            } else if rows.normal_of(i).is_some() {
                (self.lo[i], self.hi[i]) = (lo, hi);
            }
        }
        for (i, x) in self.ledger.x.iter_mut().enumerate() {
            *x = if rows.normal_of(i).is_some() { 0.0 } else { 0.0_f64.clamp(self.lo[i], self.hi[i]) };
        }
        rows.slack(&self.ledger.x, &mut self.ledger.w);
        self.side.clear();
        self.side.resize(n, Side::Waiting);
        self.tableau.load_matrix(rows.a, rows.b);
        self.visited.clear();
    }

    /// Drives row i until it is complementary.
    fn admit(
        &mut self,
        rows: Rows<'_>,
        i: usize,
        limits: Limits,
        pivots: &mut usize,
        observer: &mut impl Observer,
    ) -> Result<(), Status> {
        loop {
            if let Some(side) = self.rest(i) {
                self.side[i] = side;
                return Ok(());
            }
            let forward = self.ledger.w[i] < 0.0;
            let Some((length, stop)) = self.first_stop(i, forward) else {
                return Err(Status::Inaccurate);
            };
            if limits.spent(*pivots) {
                return Err(Status::Budget);
            }
            self.advance(i, if forward { length } else { -length });
            if length > 0.0 {
                self.visited.clear();
            } else if !self.visited.insert(self.tableau.basis() ^ key(Variable::Z(i)).rotate_left(1)) {
                return Err(Status::Cycle);
            }
            let changed = match stop {
                Stop::Slack => {
                    self.ledger.w[i] = 0.0;
                    self.exchange(i, Side::Clamped, pivots, observer)
                }
                Stop::Bound => {
                    self.side[i] = if forward { Side::Upper } else { Side::Lower };
                    self.ledger.x[i] = if forward { self.hi[i] } else { self.lo[i] };
                    *pivots += 1;
                    true
                }
                Stop::Other(j, side) => {
                    match side {
                        Side::Lower => self.ledger.x[j] = self.lo[j],
                        Side::Upper => self.ledger.x[j] = self.hi[j],
                        _ => self.ledger.w[j] = 0.0,
                    }
                    self.exchange(j, side, pivots, observer)
                }
            };
            self.ledger.offer(rows);
            if !changed {
                return Err(Status::Inaccurate);
            }
            if !matches!(stop, Stop::Other(..)) {
                return Ok(());
            }
        }
    }

    /// Whether row i needs no driving.
    fn rest(&self, i: usize) -> Option<Side> {
        let w = self.ledger.scaling.w(i, self.ledger.w[i]);
        let (x, lo, hi) = (self.ledger.x[i], self.lo[i], self.hi[i]);
        if lo >= hi {
            Some(Side::Idle)
        } else if x == lo && w >= -ZERO {
            Some(Side::Lower)
        } else if x == hi && w <= ZERO {
            Some(Side::Upper)
        } else if w.abs() <= ZERO && self.is_singular(i) {
            Some(Side::Idle)
        } else {
            None
        }
    }

    /// How far x_i can go before something stops it; the row itself wins ties, then the least index.
    fn first_stop(&self, i: usize, forward: bool) -> Option<(f64, Stop)> {
        let sign = if forward { 1.0 } else { -1.0 };
        let column = self.tableau.column(i);
        let (x, w) = (&self.ledger.x, &self.ledger.w);
        let mut best = (f64::INFINITY, Stop::Bound);
        let mut consider = |length: f64, stop: Stop| {
            if length < best.0 {
                best = (length.max(0.0), stop);
            }
        };
        if column[i] > 0.0 && !self.is_singular(i) {
            consider((w[i] / column[i]).abs(), Stop::Slack);
        }
        consider(if forward { self.hi[i] - x[i] } else { x[i] - self.lo[i] }, Stop::Bound);
        for j in (0..column.len()).filter(|&j| j != i) {
            let d = sign * column[j];
            if d == 0.0 || self.scaled_entry(j, i, column[j]) <= SINGULAR {
                continue;
            }
            match self.side[j] {
                Side::Clamped if d < 0.0 => consider((self.lo[j] - x[j]) / d, Stop::Other(j, Side::Lower)),
                Side::Clamped => consider((self.hi[j] - x[j]) / d, Stop::Other(j, Side::Upper)),
                Side::Lower if d < 0.0 => consider(-w[j].max(0.0) / d, Stop::Other(j, Side::Clamped)),
                Side::Upper if d > 0.0 => consider(-w[j].min(0.0) / d, Stop::Other(j, Side::Clamped)),
                _ => {}
            }
        }
        best.0.is_finite().then_some(best)
    }

    /// |m′_ji| in scaled units.
    fn scaled_entry(&self, j: usize, i: usize, entry: f64) -> f64 {
        let d = self.ledger.scaling.d();
        match self.tableau.rows[j] {
            Variable::W(_) => (entry * d[j] * d[i]).abs(),
            _ => (entry * d[i] / d[j]).abs(),
        }
    }

    /// Whether the pivot m′_jj is zero, as a mass or an inverse mass in scaled units.
    fn is_singular(&self, j: usize) -> bool {
        let pivot = self.tableau.column(j)[j].abs();
        let inverse_mass = self.ledger.scaling.inverse_mass(j);
        let ratio = match self.tableau.rows[j] {
            Variable::W(_) => pivot / inverse_mass,
            _ => pivot * inverse_mass,
        };
        ratio.is_nan() || ratio <= SINGULAR
    }

    fn advance(&mut self, i: usize, change: f64) {
        self.ledger.x[i] += change;
        for (j, &d) in self.tableau.column(i).iter().enumerate() {
            if self.side[j] == Side::Clamped {
                self.ledger.x[j] += change * d;
            } else {
                self.ledger.w[j] += change * d;
            }
        }
    }

    /// Moves row j to a side; false if its pivot is zero.
    fn exchange(&mut self, j: usize, side: Side, pivots: &mut usize, observer: &mut impl Observer) -> bool {
        if self.is_singular(j) {
            return false;
        }
        let entering = self.tableau.cols[j];
        let leaving = self.tableau.exchange(j, j);
        self.side[j] = side;
        let q_min = self.ledger.x.iter().chain(&self.ledger.w).copied().fold(f64::INFINITY, f64::min);
        observer.pivot(&PivotEvent { pivot: *pivots, entering, leaving, q_min, error: f64::NAN });
        *pivots += 1;
        true
    }

    /// Solves for the clamped rows from the original data; friction rows at a bound follow their normals.
    fn polish(&mut self, rows: Rows<'_>) {
        let n = rows.n();
        self.clamped.clear();
        self.clamped.extend((0..n).filter(|&i| self.side[i] == Side::Clamped));
        self.followers.clear();
        for i in 0..n {
            if let Some(normal) = rows.normal_of(i) {
                // the factor on the normal, from the bounds at an impulse of one
                let (lo, hi) = rows.bounds_per_normal(i);
                match self.side[i] {
                    Side::Lower => self.followers.push((i, normal, lo)),
                    Side::Upper => self.followers.push((i, normal, hi)),
                    _ => {}
                }
            }
        }
        let followers = &self.followers;
        let entry = |i: usize, j: usize| {
            let follow = followers.iter().filter(|f| f.1 == j).map(|f| f.2 * rows.a[f.0 * n + i]);
            rows.a[j * n + i] + follow.sum::<f64>()
        };
        let (scaling, x) = (&self.ledger.scaling, &mut self.ledger.x);
        if self.lu.factor(&self.clamped, entry, scaling) {
            for _pass in 0..3 {
                self.lu.correct(&self.clamped, rows, scaling, x);
                for &(i, normal, f) in followers {
                    x[i] = f * x[normal];
                }
            }
        }
        rows.project(x);
        rows.slack(x, &mut self.ledger.w);
    }
}
