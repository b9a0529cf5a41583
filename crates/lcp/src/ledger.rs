//! What every classical method keeps beside its arithmetic: the problem as rows with bounds, the best iterate
//! by energy error, the limits of the budget, and the verdict on the answer.
//!
//! A method offers its iterates while it works and hands over its last one when it ends. The verdict is formed
//! on the original data: x is put within its bounds, w = A x + b is recomputed, and an answer above
//! [`SOLVED`] is never called solved. A method that ended in any other way gives back the iterate with
//! the least energy error [EnzError, §5].

use crate::clock::Clock;
use crate::lu::Lu;
use crate::measure::row_error;
use crate::observer::{IterateEvent, Observer};
use crate::outcome::{Budget, MlcpSolution, Outcome, Proof, Ray, Residual, SOLVED, Solution, Status};
use crate::problem::{Lcp, Mlcp};
use crate::rows::BoxedRows;
use crate::scale::Scaling;
use crate::tableau::Tableau;
use crate::tolerances;
use crate::verdict::{Dense, Verdict};

/// A ray whose signs and complementarity are broken by more than this part of its size is none.
/// Tableaus that have not drifted keep it to 1e-12; a drifted one shows 1e-3 and more.
const RAY: f64 = 1e-7;

/// An answer this near lacks its last digits and nothing else: the drift of a tableau is far above it.
const NEARLY: f64 = 1e-4;

/// The best iterate so far, the measures, and the verdict.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    pub(crate) scaling: Scaling,
    /// The iterate under discussion; methods write here.
    pub(crate) x: Vec<f64>,
    pub(crate) w: Vec<f64>,
    best: Vec<f64>,
    best_energy: f64,
    shown: usize,    // iterates that an observer has seen
    trial: Vec<f64>, // n, an iterate within its bounds
    trial_w: Vec<f64>,
    verdict: Verdict,
    lu: Lu,
    spare: Ray,
}

impl Ledger {
    /// Opens the books: measures the problem and enters x = 0 (within its bounds) as the first iterate.
    pub(crate) fn open(&mut self, rows: BoxedRows<'_>, ray: &mut Option<Ray>) {
        if let Some(ray) = ray.take() {
            self.keep_ray(ray);
        }
        // room for a certificate, so that the first ray of a size allocates no more than the first solution
        for v in [&mut self.spare.z, &mut self.spare.dz, &mut self.spare.cover] {
            v.clear();
            v.reserve(rows.n());
        }
        self.scaling.rebuild(rows.a, rows.b);
        self.verdict.reserve(rows.n());
        self.x.clear();
        self.x.resize(rows.n(), 0.0);
        rows.project(&mut self.x);
        rows.slack(&self.x, &mut self.w);
        self.best.clone_from(&self.x);
        self.best_energy = f64::INFINITY;
        self.shown = 0;
        self.offer(rows);
    }

    /// Enters the iterate in `x` and `w`. What lies outside its bounds is put on them, and w follows: an
    /// iterate is ranked as the answer that it would be. The method's own w is good enough for that.
    pub(crate) fn offer(&mut self, rows: BoxedRows<'_>) {
        self.trial.clone_from(&self.x);
        rows.project(&mut self.trial);
        self.trial_w.clone_from(&self.w);
        for (i, (&new, &old)) in self.trial.iter().zip(&self.x).enumerate() {
            if new != old {
                crate::kernel::axpy(new - old, rows.column(i), &mut self.trial_w);
            }
        }
        let energy = self.sums(rows, &self.trial, &self.trial_w).energy;
        if energy < self.best_energy {
            self.best_energy = energy;
            std::mem::swap(&mut self.best, &mut self.trial);
        }
    }

    /// Shows the iterate in `x` as the answer that it would be, to whom it may concern.
    pub(crate) fn show(&mut self, rows: BoxedRows<'_>, observer: &mut impl Observer) {
        if !observer.wants_iterates() {
            return;
        }
        let (mut x, mut w) = (self.x.clone(), Vec::new());
        rows.project(&mut x);
        rows.slack(&x, &mut w);
        let residual = self.residual(rows, &x, &w);
        observer.iterate(&IterateEvent { index: self.shown, x: &x, w: &w, residual });
        self.shown += 1;
    }

    /// The three measures, summed over the rows; natural in raw units.
    pub(crate) fn sums(&self, rows: BoxedRows<'_>, x: &[f64], w: &[f64]) -> crate::measure::ErrorSum {
        let mut sum = crate::measure::ErrorSum::default();
        for i in 0..rows.n() {
            let (lo, hi) = rows.bounds(i, x);
            let diagonal = rows.diagonal(i);
            let mass = if diagonal > 0.0 { diagonal } else { self.scaling.inverse_mass(i) };
            let row = row_error(x[i], w[i], lo, hi, mass);
            sum.natural += row.natural;
            sum.fischer_burmeister += row.fischer_burmeister;
            sum.energy += row.energy;
        }
        sum
    }

    /// The natural residual that decides; anything not finite is infinitely bad.
    pub(crate) fn natural(&mut self, rows: BoxedRows<'_>, x: &[f64], w: &[f64]) -> f64 {
        let dense = Dense { a: rows.a, n: rows.n(), noise: rows.noise };
        self.verdict.natural(&dense, rows.b, x, w, |i| rows.bounds(i, x))
    }

    /// The same of the iterate in `x` and `w`.
    pub(crate) fn natural_here(&mut self, rows: BoxedRows<'_>) -> f64 {
        let dense = Dense { a: rows.a, n: rows.n(), noise: rows.noise };
        let (x, w) = (&self.x, &self.w);
        self.verdict.natural(&dense, rows.b, x, w, |i| rows.bounds(i, x))
    }

    fn residual(&mut self, rows: BoxedRows<'_>, x: &[f64], w: &[f64]) -> Residual {
        let sums = self.sums(rows, x, w);
        let number = |v: f64| if v.is_nan() { f64::INFINITY } else { v };
        Residual {
            natural: self.natural(rows, x, w),
            fischer_burmeister: number(sums.fischer_burmeister),
            energy: number(sums.energy),
        }
    }

    /// The verdict, written to the caller's vectors: on the iterate in `x` where the method says solved,
    /// otherwise on the best.
    pub(crate) fn close(
        &mut self,
        rows: BoxedRows<'_>,
        status: Status,
        x: &mut Vec<f64>,
        w: &mut Vec<f64>,
    ) -> (Status, Residual) {
        x.clone_from(if status == Status::Solved { &self.x } else { &self.best });
        rows.project(x);
        rows.slack(x, w);
        let last = self.residual(rows, x, w);
        if status == Status::Solved && last.natural <= SOLVED {
            return (Status::Solved, last);
        }
        if status == Status::Solved && last.natural <= NEARLY {
            self.polish(rows, x);
            rows.slack(x, w);
            let polished = self.residual(rows, x, w);
            if polished.natural <= SOLVED {
                return (Status::Solved, polished);
            }
        }

        // not solved: the least energy error of all that was seen
        self.x.clone_from(&self.best);
        rows.project(&mut self.x);
        rows.slack(&self.x, &mut self.w);
        let (trial, trial_w) = (std::mem::take(&mut self.x), std::mem::take(&mut self.w));
        let best = self.residual(rows, &trial, &trial_w);
        (self.x, self.w) = (trial, trial_w);
        let status = if status == Status::Solved { Status::Inaccurate } else { status };
        if last.natural < f64::INFINITY && last.energy <= best.energy {
            return (status, last);
        }
        if self.w.iter().all(|w| w.is_finite()) {
            x.clone_from(&self.x);
            w.clone_from(&self.w);
            return (status, best);
        }

        // finite numbers whose products are not: zero is at least a number
        x.fill(0.0);
        rows.project(x);
        rows.slack(x, w);
        (status, self.residual(rows, x, w))
    }

    /// Solves for the rows off their bounds from the original data: what an iterate that is right but for its last
    /// digits lacks in rows whose terms cancel.
    fn polish(&mut self, rows: BoxedRows<'_>, x: &mut [f64]) {
        let n = rows.n();
        let inside = |i: &usize| {
            let (lo, hi) = rows.bounds(*i, x);
            x[*i] > lo && x[*i] < hi
        };
        let free: Vec<usize> = (0..n).filter(inside).collect();
        // redundant rows share their impulses as they are: a proximal step moves them no farther than it must
        let scaling = &self.scaling;
        let shifted = |shift: f64| {
            move |i: usize, j: usize| {
                rows.a[j * n + i] + if i == j { shift * scaling.inverse_mass(i) } else { 0.0 }
            }
        };
        let regular = self.lu.factor(&free, shifted(0.0), scaling)
            || self.lu.factor(&free, shifted(tolerances::SHIFTED_FREE), scaling);
        if regular {
            for _pass in 0..4 {
                self.lu.correct(&free, rows, &self.scaling, x);
            }
            rows.project(x);
        }
    }

    /// The verdict on a standard problem. `basis` says which z are basic.
    pub(crate) fn close_lcp(
        &mut self,
        lcp: &Lcp,
        status: Status,
        (pivots, nodes): (usize, usize),
        solution: &mut Solution,
        basis: impl Fn(usize) -> bool,
    ) -> Outcome {
        let (status, residual) = self.close(lcp.into(), status, &mut solution.z, &mut solution.w);
        solution.basis.clear();
        let z = &solution.z;
        let solved = status == Status::Solved;
        solution.basis.extend((0..lcp.n()).map(|i| if solved { basis(i) } else { z[i] > 0.0 }));
        Outcome { status, pivots, nodes, residual }
    }

    /// The verdict on a boxed problem.
    pub(crate) fn close_mlcp(
        &mut self,
        mlcp: &Mlcp,
        status: Status,
        pivots: usize,
        solution: &mut MlcpSolution,
    ) -> Outcome {
        let (status, residual) = self.close(mlcp.into(), status, &mut solution.x, &mut solution.w);
        Outcome { status, pivots, nodes: pivots, residual }
    }

    /// Keeps the memory of a ray.
    pub(crate) fn keep_ray(&mut self, ray: Ray) {
        self.spare = ray;
    }

    /// The ray along column s of a tableau, if the original data bear it out.
    pub(crate) fn path_ray(&mut self, lcp: &Lcp, tableau: &Tableau, s: usize) -> Option<Ray> {
        let mut ray = std::mem::take(&mut self.spare);
        tableau.ray(s, &mut ray, &mut self.w);
        let violation = ray.violation_in(lcp, &mut self.x, &mut self.w);
        // written so that NaN is no certificate
        if violation <= RAY && ray.dz0.is_finite() && ray.z0.is_finite() {
            return Some(ray);
        }
        self.spare = ray;
        None
    }

    /// How a path ended that ended on a ray, if on any: without a solution only where that is proved.
    pub(crate) fn ended_on(&mut self, lcp: &Lcp, ray: &mut Option<Ray>, clock: Clock) -> Status {
        let Some(mut found) = ray.take() else { return Status::Inaccurate };
        found.proof = crate::exact::proof_of_none(lcp, &found.dz, clock);
        if found.proof == Proof::None {
            self.keep_ray(found);
            return Status::Inaccurate;
        }
        *ray = Some(found);
        Status::Ray
    }
}

/// The limits of a budget, with the method's own where the caller set none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) pivots: usize,
    pub(crate) clock: Clock,
}

impl Limits {
    pub(crate) fn new(budget: Budget, pivots: usize) -> Self {
        Self { pivots: budget.pivots.unwrap_or(pivots), clock: Clock::new(&budget) }
    }

    /// Whether the next pivot is one too many.
    pub(crate) fn spent(self, pivots: usize) -> bool {
        pivots >= self.pivots || self.clock.expired()
    }
}

/// The exchanges that a pivoting method may make when the caller sets no limit: an honest path takes about
/// n, a method that comes back to a basis stops by itself, and a few seconds of work are enough for the
/// rest.
pub(crate) fn generous_pivots(n: usize) -> usize {
    (50 * n).max((4_000_000_000 / (n * n)).min(200_000))
}

/// A sparse problem too large for a dense matrix, given to a method that needs one: zero, called inaccurate.
pub(crate) fn refused(lcp: &Lcp, solution: &mut Solution) -> Outcome {
    *solution = Solution { z: vec![0.0; lcp.n()], w: lcp.q().to_vec(), ..Solution::default() };
    solution.basis.resize(lcp.n(), false);
    let residual = Residual { natural: f64::INFINITY, ..Residual::default() };
    Outcome { status: Status::Inaccurate, pivots: 0, nodes: 0, residual }
}

/// Finite numbers whose products are not: the clamped zero, called inaccurate.
pub(crate) fn overflowed(mlcp: &Mlcp, solution: &mut MlcpSolution) -> Outcome {
    solution.x.clear();
    solution.x.extend((0..mlcp.n()).map(|i| 0.0_f64.clamp(mlcp.lo()[i], mlcp.hi()[i])));
    mlcp.slack(&solution.x, &mut solution.w);
    solution.ray = None;
    let residual = Residual { natural: f64::INFINITY, ..Residual::default() };
    Outcome { status: Status::Inaccurate, pivots: 0, nodes: 0, residual }
}
