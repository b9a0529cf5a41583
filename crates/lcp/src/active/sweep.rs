//! Projected Gauss-Seidel on a sparse matrix: a sweep costs as much as a product.
//!
//! ```text
//!     x_i ← clamp( x_i − ω w_i/a_ii, l_i, u_i ),        w ← w + A_:i Δx_i        for i = 1 … n
//! ```
//!
//! The laws are those of [`crate::Pgs`] on dense matrices; a row without a positive diagonal is left where it is.

use super::View;
use crate::ledger::Limits;
use crate::observer::{IterateEvent, Observer, SweepEvent};
use crate::outcome::{Residual, SOLVED, Start, Status};
use crate::sparse::SparseMatrix;

/// Sweeps when the caller sets no limit.
const SWEEPS: usize = 10_000;
/// The verdict is asked for, and w computed anew, after this many sweeps.
const CHECK: usize = 16;
/// Sweeps stop here: see [`crate::Pgs`].
const CONVERGED: f64 = SOLVED / 8.0;

/// Sweeps on x until the verdict of `natural` holds; how it ended, and after how many.
pub(crate) fn sweeps(
    a: &SparseMatrix,
    view: &View<'_>,
    omega: f64,
    (start, budget): (Start<'_>, crate::outcome::Budget),
    (x, w): (&mut Vec<f64>, &mut Vec<f64>),
    mut natural: impl FnMut(&[f64], &[f64]) -> f64,
    observer: &mut impl Observer,
) -> (Status, usize) {
    let n = view.n();
    let limits = Limits::new(budget, SWEEPS);
    let diagonal: Vec<f64> = (0..n).map(|i| a.entry(i, i)).collect();
    x.clear();
    x.resize(n, 0.0);
    if let Start::Iterate(guess) = start {
        x.iter_mut().zip(guess).for_each(|(x, g)| *x = *g);
    }
    for (i, x) in x.iter_mut().enumerate() {
        let (lo, hi) = view.bounds(i);
        *x = x.clamp(lo, hi);
    }
    let mut sweeps = 0;
    loop {
        if sweeps % CHECK == 0 {
            a.affine(x, view.b, w);
            if natural(x, w) <= CONVERGED {
                return (Status::Solved, sweeps);
            }
        }
        if limits.spent(sweeps) {
            return (Status::Budget, sweeps);
        }
        for i in (0..n).filter(|&i| diagonal[i] > 0.0) {
            let (lo, hi) = view.bounds(i);
            let new = (x[i] - omega * w[i] / diagonal[i]).max(lo).min(hi);
            let change = new - x[i];
            if change != 0.0 {
                x[i] = new;
                a.column(i).for_each(|(r, v)| w[r] += v * change);
            }
        }
        if !w.iter().all(|w| w.is_finite()) {
            return (Status::Inaccurate, sweeps + 1);
        }
        if observer.wants_sweeps() {
            observer.sweep(&measured(sweeps, view, &diagonal, x, w));
        }
        if observer.wants_iterates() {
            let mut fresh = Vec::new();
            a.affine(x, view.b, &mut fresh);
            let SweepEvent { fischer_burmeister, energy, .. } = measured(sweeps, view, &diagonal, x, &fresh);
            let residual = Residual { natural: natural(x, &fresh), fischer_burmeister, energy };
            observer.iterate(&IterateEvent { index: sweeps, x, w: &fresh, residual });
        }
        sweeps += 1;
    }
}

fn measured(sweep: usize, view: &View<'_>, diagonal: &[f64], x: &[f64], w: &[f64]) -> SweepEvent {
    let mut event = SweepEvent { sweep, natural: 0.0, fischer_burmeister: 0.0, energy: 0.0 };
    for i in 0..view.n() {
        let (lo, hi) = view.bounds(i);
        let mass = if diagonal[i] > 0.0 { diagonal[i] } else { 1.0 };
        let row = crate::measure::row_error(x[i], w[i], lo, hi, mass);
        event.natural += row.natural;
        event.fischer_burmeister += row.fischer_burmeister;
        event.energy += row.energy;
    }
    event
}
