//! Bounded rows without bounds are equations: −∞ ≤ x ≤ ∞ leaves nothing but w = 0.
//!
//! Nor are there, at first, bounds that are [`BEYOND`] times what the velocities of their part ask for, on one side or both: impulses are
//! kept as distances from a bound, and a joint that friction of 2e-3 N m s holds against 1e-18 rad/s has no digit of its impulse
//! left in such a distance. If the answer is within the bounds, it is one; else the rows are solved as they are. Where that ends near an
//! answer, the rows that it leaves between their bounds are tried as equations: a servo of 100 N that holds a finger against 1e-8 m/s
//! lacks seven of its digits.
//!
//! Such rows are moved to the end of the equations and their answers back to their places. A solve then copies the
//! problem; rows that are known to have no bounds are better given as equations.

use super::Structured;
use super::layout::{Layout, Members};
use super::task::FrictionTask;
use super::warm::{ConeShape, RowIds, WarmStart};
use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::observer::Observer;
use crate::outcome::{Outcome, Status};
use crate::problem::{Bounded, FactoredForm, FactoredRow, FrictionProblem};

/// Bounds this many times the impulses that stop everything, in units of √J, are far: the rounding of their distance, 1e-16 of it and
/// some, is a tenth of what a verdict allows of the velocities.
const BEYOND: f64 = 1e5;

/// The scaled residual of an answer that lacks digits, not modes.
const NEARLY: f64 = 1e-6;

const NONE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// The problem without such bounds, and the way back; the memory stays.
#[derive(Debug, Clone, Default)]
pub(super) struct Freed {
    problem: Option<FrictionProblem>,
    kept: Vec<usize>,
    moved: Vec<usize>,
    bounds: Vec<(f64, f64)>, // by bounded row of the whole: those that are left
    all: [Vec<usize>; 3],    // contacts, unilateral rows, equations: each at its own place
    ids: Vec<u64>,           // of the bounded rows that are left
}

impl Freed {
    /// Whether a bounded row has no bounds.
    pub(super) fn has_unbounded(problem: &FrictionProblem) -> bool {
        (0..problem.n_bounded()).any(|k| problem.bounds(k) == NONE)
    }

    /// Without the rows that have no bounds; false if every bounded row has one.
    pub(super) fn unbounded(&mut self, problem: &FrictionProblem) -> bool {
        Self::has_unbounded(problem) && {
            self.bounds.clear();
            self.bounds.extend((0..problem.n_bounded()).map(|k| problem.bounds(k)));
            self.make(problem);
            true
        }
    }

    /// Whether there are bounds that are not reached.
    pub(super) fn has_far(problem: &FrictionProblem) -> bool {
        Self::default().find_far(problem)
    }

    /// Without the bounds that are not reached; false if there are none.
    pub(super) fn far(&mut self, problem: &FrictionProblem) -> bool {
        self.find_far(problem) && {
            self.make(problem);
            true
        }
    }

    /// Without the rows that impulses leave between their bounds; false if there are none, or the problem is not factored.
    pub(super) fn held(&mut self, problem: &FrictionProblem, impulses: &[f64]) -> bool {
        let first = 3 * problem.n_contacts() + problem.n_unilateral();
        self.bounds.clear();
        self.bounds.extend((0..problem.n_bounded()).map(|k| {
            let (lo, hi) = problem.bounds(k);
            let held = impulses.get(first + k).is_some_and(|x| lo < *x && *x < hi);
            if held { NONE } else { (lo, hi) }
        }));
        let any = problem.as_factored().is_some() && self.bounds.contains(&NONE);
        any && {
            self.make(problem);
            true
        }
    }

    /// The bounds that may be reached; false if all of them may. In local form there are none.
    fn find_far(&mut self, problem: &FrictionProblem) -> bool {
        if problem.n_bounded() == 0 {
            return false;
        }
        let divided = problem.as_factored().is_none().then(|| problem.to_factored()).flatten();
        let Some(form) = problem.as_factored().or(divided.as_ref()) else { return false };
        let size = |row: &FactoredRow<'_>| row.value.iter().map(|v| v * v).sum::<f64>().sqrt();
        let asked = (0..form.n_rows()).map(|k| form.row(k)).fold(0.0, |most: f64, row| {
            let size = size(&row);
            if size > 0.0 { most.max(row.velocity.abs() / size) } else { most }
        });
        let first = 3 * form.n_contacts() + form.n_unilateral();
        self.bounds.clear();
        self.bounds.extend((0..problem.n_bounded()).map(|k| {
            let ((lo, hi), size) = (problem.bounds(k), size(&form.row(first + k)));
            let far = |bound: f64| bound * size > BEYOND * asked;
            (if far(-lo) { NONE.0 } else { lo }, if far(hi) { NONE.1 } else { hi })
        }));
        asked > 0.0 && (0..problem.n_bounded()).any(|k| self.bounds[k] != problem.bounds(k))
    }

    /// The problem without them.
    pub(super) fn problem(&self) -> &FrictionProblem {
        self.problem.as_ref().expect("made before")
    }

    /// Whether impulses, in the order of what is left, keep the bounds that were left away.
    pub(super) fn keeps(&self, problem: &FrictionProblem, impulses: &[f64]) -> bool {
        let first = 3 * problem.n_contacts() + problem.n_unilateral();
        let tail = impulses.len() - self.moved.len();
        let inside = |k: usize, x: f64| {
            let ((lo, hi), (least, most)) = (self.bounds[k], problem.bounds(k));
            (lo == least || least <= x) && (hi == most || x <= most)
        };
        let mut kept = self.kept.iter().zip(&impulses[first..]);
        let mut moved = self.moved.iter().zip(&impulses[tail..]);
        kept.all(|(&k, &x)| inside(k, x)) && moved.all(|(&k, &x)| inside(k, x))
    }

    /// Makes the problem with the bounds that are left; rows that have none are equations.
    fn make(&mut self, problem: &FrictionProblem) {
        self.kept.clear();
        self.moved.clear();
        for (k, bounds) in self.bounds.iter().enumerate() {
            if *bounds == NONE { self.moved.push(k) } else { self.kept.push(k) }
        }
        let (kept, moved, bounds) = (&self.kept, &self.moved, &self.bounds);
        let changed = if let Some(form) = problem.as_factored() {
            let mut own = self.problem.take();
            let filled = if let Some(own) = &mut own {
                own.refill(|out| move_rows(form, kept, moved, bounds, out))
            } else {
                let mut out = FactoredForm::default();
                move_rows(form, kept, moved, bounds, &mut out);
                FrictionProblem::factored(out).map(|new| own = Some(new))
            };
            filled.map(|()| own.expect("filled"))
        } else {
            // in local form there are no such rows
            let mut global = problem.as_global().cloned().unwrap_or_default();
            let rows = std::mem::take(&mut global.bounded);
            global.equality.extend(moved.iter().map(|&k| rows[k].row.clone()));
            global.bounded.extend(kept.iter().map(|&k| {
                let (lo, hi) = bounds[k];
                Bounded { row: rows[k].row.clone(), lo, hi }
            }));
            FrictionProblem::global(global)
        };
        let facets = problem.facets();
        let changed = changed.and_then(|p| if p.facets() == facets { Ok(p) } else { p.with_facets(facets) });
        self.problem = Some(changed.expect("the same rows are as valid as before"));
    }

    /// The ids of the rows that are left.
    pub(super) fn ids<'a>(&'a mut self, ids: RowIds<'a>) -> RowIds<'a> {
        self.ids.clear();
        self.ids.extend(self.kept.iter().map_while(|&k| ids.bounded.get(k).copied()));
        RowIds { bounded: &self.ids, ..ids }
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
        &mut self,
        whole: &FrictionProblem,
        outcome: Outcome,
        answer: &FrictionSolution,
        solution: &mut FrictionSolution,
    ) -> Outcome {
        let layout = Layout::new(whole);
        let counts = [whole.n_contacts(), whole.n_unilateral(), whole.n_equality()];
        for (all, count) in self.all.iter_mut().zip(counts) {
            all.clear();
            all.extend(0..count);
        }
        let [contacts, unilateral, before] = &self.all;
        // the rows that were moved follow the equations in the answer, and stand among the bounded ones in the whole
        let part = Members { contacts, unilateral, bounded: &self.kept, equality: before };
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
    bounds: &[(f64, f64)],
    out: &mut FactoredForm,
) {
    out.clear(form.width());
    for (i, &mu) in form.mu().iter().enumerate() {
        out.contact(mu, [0, 1, 2].map(|k| form.row(3 * i + k)));
    }
    let first = 3 * form.n_contacts();
    let bounded = first + form.n_unilateral();
    (first..bounded).for_each(|k| out.unilateral(form.row(k)));
    for &k in kept {
        let (lo, hi) = bounds[k];
        out.bounded(form.row(bounded + k), lo, hi);
    }
    let equality = bounded + form.n_bounded();
    (equality..form.n_rows()).for_each(|k| out.equality(form.row(k)));
    for &k in moved {
        out.equality(form.row(bounded + k));
    }
}

impl Structured {
    /// Solves a problem that is one part; what it should remember is added to `next`. Rows that are far from their bounds are
    /// equations at first; so are, where an answer is nearly one, those that it leaves between their bounds.
    pub(super) fn solve_whole(
        &mut self,
        task: FrictionTask<'_>,
        warm: &WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let FrictionTask { problem, budget, .. } = task;
        let mut freed = std::mem::take(&mut self.freed);
        let clock = Clock::new(&budget);
        if freed.far(problem) {
            let outcome = self.solve_freed(&mut freed, task, warm, solution, observer);
            if let Some(outcome) = outcome {
                self.freed = freed;
                return outcome;
            }
        }
        let known = self.next.len();
        let mut outcome = self.solve_one(task.within(clock.rest(budget)), warm, solution, observer);
        let near = outcome.status == Status::Inaccurate && outcome.residual.natural <= NEARLY;
        if near && task.cone == ConeShape::Exact && freed.held(problem, &solution.impulses) {
            let (remembered, left) = (self.next.split_off(known), task.within(clock.rest(budget)));
            match self.solve_freed(&mut freed, left, warm, solution, observer) {
                Some(again) => outcome = again,
                None => self.next.extend(&remembered),
            }
        }
        self.freed = freed;
        outcome
    }

    /// Solves with some bounded rows as equations; none, and nothing remembered, if that leads out of their bounds.
    fn solve_freed(
        &mut self,
        freed: &mut Freed,
        task: FrictionTask<'_>,
        warm: &WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Option<Outcome> {
        let (mut answer, known) = (std::mem::take(&mut self.answer), self.next.len());
        let own = freed.problem.take().expect("made before");
        let outcome = self.solve_one(
            FrictionTask { problem: &own, ids: freed.ids(task.ids), ..task },
            warm,
            &mut answer,
            observer,
        );
        freed.problem = Some(own);
        let holds = outcome.status == Status::Solved && freed.keeps(task.problem, &answer.impulses);
        let restored = holds.then(|| freed.restore(task.problem, outcome, &answer, solution));
        self.answer = answer;
        if !holds {
            self.next.truncate(known);
        }
        restored
    }

    /// Solves without the bounded rows that have no bounds, which are equations.
    pub(super) fn solve_bounded(
        &mut self,
        task: FrictionTask<'_>,
        warm: &mut WarmStart,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let (mut freed, mut answer) = std::mem::take(&mut self.unbounded);
        freed.unbounded(task.problem);
        let own = freed.problem.take().expect("just made");
        let outcome = self.solve_warm(
            FrictionTask { problem: &own, ids: freed.ids(task.ids), ..task },
            warm,
            &mut answer,
            observer,
        );
        freed.problem = Some(own);
        let outcome = freed.restore(task.problem, outcome, &answer, solution);
        self.unbounded = (freed, answer);
        outcome
    }
}
