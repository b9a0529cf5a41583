//! A cold solve that ended in no answer, once more with its contacts in other orders.
//!
//! Sweeps, pivots and ratio tests take contacts as they come, and on a problem that is hard (masses of 1e6 to one, a contact
//! twice) it is chance whether they end. A problem that is solved in one order is the same problem in another. Without this 4 of
//! 12,035 changes of units, order and number of contacts lose an answer, with it none (the example `unchanged`
//! of gudgeon-testkit); with as few pivots as in a step, one.

use super::Structured;
use super::layout::{Layout, Members};
use super::task::FrictionTask;
use super::warm::{ConeShape, RowIds, WarmStart};
use crate::clock::Clock;
use crate::friction::FrictionSolution;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Status};
use crate::problem::FrictionProblem;

/// The most scalar rows: beyond, a solve takes too long to be repeated.
const FEW_ROWS: usize = 300;
/// Orders that are tried.
const ORDERS: usize = 8;
/// Multiples of the golden ratio, less their whole parts, are an order like any other.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

impl Structured {
    /// The first answer in another order; if there is none, the outcome and the solution stay.
    pub(super) fn in_other_orders(
        &mut self,
        problem: &FrictionProblem,
        outcome: Outcome,
        budget: Budget,
        solution: &mut FrictionSolution,
        observer: &mut impl Observer,
    ) -> Outcome {
        let failed = matches!(outcome.status, Status::Inaccurate | Status::Cycle);
        let Some(form) = problem.as_global().filter(|_| failed && problem.n_rows() <= FEW_ROWS) else {
            return outcome;
        };
        let clock = Clock::new(&budget);
        let mut order: Vec<usize> = (0..problem.n_contacts()).collect();
        let rest = [problem.n_unilateral(), problem.n_bounded(), problem.n_equality()];
        let [unilateral, bounded, equality] = rest.map(|count| (0..count).collect::<Vec<usize>>());
        for k in 0..ORDERS {
            let place = |i: usize| (((i + 1) * (k + 1)) as f64 * GOLDEN).fract();
            order.sort_by(|&a, &b| place(a).total_cmp(&place(b)));
            let mut form = form.clone();
            form.contacts = order.iter().map(|&i| form.contacts[i].clone()).collect();
            let other = FrictionProblem::global(form).and_then(|p| p.with_facets(problem.facets()));
            let Ok(other) = other else { return outcome };
            let (mut nothing, mut answer) = (WarmStart::default(), FrictionSolution::default());
            let (cone, ids, left) = (ConeShape::Exact, RowIds::default(), clock.rest(budget));
            let again = self.solve_warm(
                FrictionTask { problem: &other, cone, ids, budget: left },
                &mut nothing,
                &mut answer,
                observer,
            );
            if again.status == Status::Solved {
                let layout = Layout::new(problem);
                let mut whole = layout.begin(solution);
                let members = Members {
                    contacts: &order,
                    unilateral: &unilateral,
                    bounded: &bounded,
                    equality: &equality,
                };
                layout.put(members, &again, &answer, &mut whole, solution);
                return whole;
            }
            if clock.expired() {
                break;
            }
        }
        outcome
    }
}
