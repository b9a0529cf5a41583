//! Factors that are cut short, and memory that stays.

use super::*;
use crate::budget::Budget;
use crate::friction::system::System;
use crate::problem::{FactoredForm, FactoredRow, FrictionProblem};

/// A chain of points, each in contact with the next, and so many contacts that move nothing.
fn chain(points: usize, idle: usize) -> Operator {
    let mut form = FactoredForm::default();
    form.clear(3 * points);
    for i in 1..points {
        let index: Vec<usize> = (3 * i - 3..3 * i + 3).collect();
        let value = [0, 1, 2].map(|k| {
            let mut row = [0.0; 6];
            (row[k], row[3 + k]) = (1.0, -1.0);
            row
        });
        let row = |k: usize| FactoredRow { index: &index, value: &value[k], velocity: -1.0, compliance: 0.0 };
        form.contact(0.5, [row(2), row(0), row(1)]);
    }
    let nothing = FactoredRow { index: &[], value: &[], velocity: 0.0, compliance: 0.0 };
    (0..idle).for_each(|_| form.contact(0.5, [nothing; 3]));
    let mut system = System::default();
    system.rebuild(&FrictionProblem::factored(form).expect("rows of points"));
    let mut operator = Operator::default();
    assert!(operator.load(&system));
    operator
}

/// What was cut short anywhere leaves nothing behind that the next factor would take for its own.
#[test]
fn a_factor_out_of_time_is_none_and_the_next_one_is_whole() {
    let operator = chain(40, 0);
    let d = vec![[[2.0, 0.0, 0.1], [0.0, 1.0, 0.0], [0.3, 0.0, 1.0]]; operator.blocks.len()];
    let acts = vec![true; d.len()];
    let solve = |elimination: &mut Elimination| {
        assert!(elimination.factor(&operator, &d, &acts));
        let mut g: Vec<f64> = (0..operator.width).map(|k| (k % 7) as f64 - 3.0).collect();
        elimination.solve(&mut g);
        g
    };
    let mut fresh = Elimination::default();
    fresh.reset(&operator);
    let whole = solve(&mut fresh);
    let mut cut = Elimination { clock: Clock::new(&Budget::seconds(0.0)), ..Elimination::default() };
    cut.reset(&operator);
    assert!(!cut.factor(&operator, &d, &acts));
    cut.clock = Clock::default();
    assert_eq!(solve(&mut cut), whole);
    // and with the pattern there already
    cut.clock = Clock::new(&Budget::seconds(0.0));
    assert!(!cut.factor(&operator, &d, &acts));
    cut.clock = Clock::default();
    assert_eq!(solve(&mut cut), whole);
}

/// A contact on the axis of the only joint that carries it has rows without a number.
#[test]
fn rows_that_move_nothing_change_no_factor() {
    let solve = |operator: &Operator| {
        let d = vec![[[2.0, 0.0, 0.1], [0.0, 1.0, 0.0], [0.3, 0.0, 1.0]]; operator.blocks.len()];
        let acts = vec![true; d.len()];
        let mut elimination = Elimination::default();
        elimination.reset(operator);
        assert!(elimination.factor(operator, &d, &acts));
        let mut g = vec![1.0; operator.width];
        elimination.solve(&mut g);
        g
    };
    assert_eq!(solve(&chain(10, 2)), solve(&chain(10, 0)));
}
