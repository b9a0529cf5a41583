//! Bounded rows without bounds are equations: −∞ ≤ x ≤ ∞ leaves nothing but w = 0.
//!
//! Nor are there, at first, bounds that are [`BEYOND`] times what the velocities ask for, on one side or both: impulses are
//! kept as distances from a bound, and a joint that friction of 2e-3 N m s holds against 1e-18 rad/s has no digit of its
//! impulse left in such a distance. If the answer is within the bounds, it is one; else the rows are solved as they are.
//!
//! Such rows are moved to the end of the equations and their answers back to their places. A solve then copies the
//! problem; rows that are known to have no bounds are better given as equations.

use super::layout::{Layout, Members};
use super::warm::RowIds;
use crate::friction::FrictionSolution;
use crate::outcome::Outcome;
use crate::problem::{Bounded, FactoredForm, FactoredRow, FrictionProblem};

/// Bounds this many times the impulses that stop everything, in units of √J, are far: their distance has lost half of the digits.
const BEYOND: f64 = 1e8;

const NONE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The problem without such bounds, and the way back.
pub(super) struct Freed {
    pub(super) problem: FrictionProblem,
    kept: Vec<usize>,
    moved: Vec<usize>,
}

impl Freed {
    /// None if every bounded row has a bound.
    pub(super) fn of(problem: &FrictionProblem) -> Option<Self> {
        let free = (0..problem.n_bounded()).any(|k| problem.bounds(k) == NONE);
        free.then(|| Self::with(problem, |k| problem.bounds(k)))
    }

    /// None if every bound may be reached; in local form there are none.
    pub(super) fn at_first(problem: &FrictionProblem) -> Option<Self> {
        if problem.n_bounded() == 0 {
            return None;
        }
        let divided = problem.as_factored().is_none().then(|| problem.to_factored()).flatten();
        let form = problem.as_factored().or(divided.as_ref())?;
        let size = |row: &FactoredRow<'_>| row.value.iter().map(|v| v * v).sum::<f64>().sqrt();
        let asked = (0..form.n_rows()).map(|k| form.row(k)).fold(0.0, |most: f64, row| {
            let size = size(&row);
            if size > 0.0 { most.max(row.velocity.abs() / size) } else { most }
        });
        let first = 3 * form.n_contacts() + form.n_unilateral();
        let bounds = |k: usize| {
            let ((lo, hi), size) = (form.bounds()[k], size(&form.row(first + k)));
            let far = |bound: f64| bound * size > BEYOND * asked;
            (if far(-lo) { NONE.0 } else { lo }, if far(hi) { NONE.1 } else { hi })
        };
        let changes = asked > 0.0 && (0..problem.n_bounded()).any(|k| bounds(k) != problem.bounds(k));
        changes.then(|| Self::with(problem, bounds))
    }

    /// Whether impulses, in the order of what is left, keep the bounds that were left away.
    pub(super) fn keeps(&self, problem: &FrictionProblem, impulses: &[f64]) -> bool {
        let first = 3 * problem.n_contacts() + problem.n_unilateral();
        let tail = impulses.len() - self.moved.len();
        let inside = |k: usize, (lo, hi): (f64, f64), x: f64| {
            let (least, most) = problem.bounds(k);
            (lo == least || least <= x) && (hi == most || x <= most)
        };
        let mut kept = self.kept.iter().enumerate();
        let mut moved = self.moved.iter().zip(&impulses[tail..]);
        kept.all(|(at, &k)| inside(k, self.problem.bounds(at), impulses[first + at]))
            && moved.all(|(&k, &x)| inside(k, NONE, x))
    }

    /// The problem with other bounds; rows that have none are equations.
    fn with(problem: &FrictionProblem, bounds: impl Fn(usize) -> (f64, f64)) -> Self {
        let (moved, kept): (Vec<usize>, Vec<usize>) =
            (0..problem.n_bounded()).partition(|&k| bounds(k) == NONE);
        let changed = if let Some(form) = problem.as_factored() {
            FrictionProblem::factored(move_rows(form, &kept, &moved, bounds))
        } else {
            // in local form there are no such rows
            let mut global = problem.as_global().cloned().unwrap_or_default();
            let rows = std::mem::take(&mut global.bounded);
            global.equality.extend(moved.iter().map(|&k| rows[k].row.clone()));
            global.bounded.extend(kept.iter().map(|&k| {
                let (lo, hi) = bounds(k);
                Bounded { row: rows[k].row.clone(), lo, hi }
            }));
            FrictionProblem::global(global)
        };
        let problem = changed.and_then(|p| p.with_facets(problem.facets()));
        Self { problem: problem.expect("the same rows are as valid as before"), kept, moved }
    }

    /// The ids of the bounded rows that are left.
    pub(super) fn ids(&self, ids: RowIds<'_>) -> Vec<u64> {
        self.kept.iter().map_while(|&k| ids.bounded.get(k).copied()).collect()
    }

    /// Impulses of the whole in the order of what is left.
    pub(super) fn impulses(&self, whole: &FrictionProblem, impulses: &[f64]) -> Vec<f64> {
        let first = 3 * whole.n_contacts() + whole.n_unilateral();
        let bounded = |k: &usize| impulses.get(first + k).copied();
        let mut out: Vec<f64> = impulses.iter().copied().take(first).collect();
        out.extend(self.kept.iter().filter_map(bounded));
        out.extend(impulses.iter().skip(first + whole.n_bounded()));
        out.extend(self.moved.iter().filter_map(bounded));
        out
    }

    /// The answer in the order of the whole.
    pub(super) fn restore(
        &self,
        whole: &FrictionProblem,
        outcome: Outcome,
        answer: &FrictionSolution,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        let layout = Layout::new(whole);
        let all = |n: usize| (0..n).collect::<Vec<_>>();
        let (contacts, unilateral) = (all(whole.n_contacts()), all(whole.n_unilateral()));
        // the rows that were moved follow the equations in the answer, and stand among the bounded ones in the whole
        let before = all(whole.n_equality());
        let part =
            Members { contacts: &contacts, unilateral: &unilateral, bounded: &self.kept, equality: &before };
        let mut total = layout.begin(solution);
        layout.put(part, &outcome, answer, &mut total, solution);
        let moved = Members { bounded: &self.moved, ..Members::default() };
        let tail = |v: &[f64], out: &mut [f64], places: &mut dyn Iterator<Item = usize>| {
            let from = v.len() - self.moved.len();
            places.zip(&v[from..]).for_each(|(k, &x)| out[k] = x);
        };
        tail(&answer.impulses, &mut solution.impulses, &mut layout.impulses(moved));
        if !answer.boxed.x.is_empty() {
            tail(&answer.boxed.x, &mut solution.boxed.x, &mut layout.boxed(moved));
            tail(&answer.boxed.w, &mut solution.boxed.w, &mut layout.boxed(moved));
        }
        // z is basic, its cap is not
        layout.bases(moved).step_by(2).for_each(|k| solution.basis[k] = true);
        total
    }
}

fn move_rows(
    form: &FactoredForm,
    kept: &[usize],
    moved: &[usize],
    bounds: impl Fn(usize) -> (f64, f64),
) -> FactoredForm {
    let mut out = FactoredForm::default();
    out.clear(form.width());
    for (i, &mu) in form.mu().iter().enumerate() {
        out.contact(mu, [0, 1, 2].map(|k| form.row(3 * i + k)));
    }
    let first = 3 * form.n_contacts();
    let bounded = first + form.n_unilateral();
    (first..bounded).for_each(|k| out.unilateral(form.row(k)));
    for &k in kept {
        let (lo, hi) = bounds(k);
        out.bounded(form.row(bounded + k), lo, hi);
    }
    let equality = bounded + form.n_bounded();
    (equality..form.n_rows()).for_each(|k| out.equality(form.row(k)));
    for &k in moved {
        out.equality(form.row(bounded + k));
    }
    out
}
