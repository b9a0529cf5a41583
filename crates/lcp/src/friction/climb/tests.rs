//! Climbs from nothing, and out of what contradicts itself.

use super::*;
use crate::friction::newton::Newton;
use crate::friction::system::System;
use crate::outcome::Budget;
use crate::problem::{FactoredForm, FactoredRow, FrictionProblem};

/// A body of unit inertia on points below it, each with how much faster it closes than the others.
fn body_on(points: &[([f64; 2], f64)], push: [f64; 3]) -> Operator {
    let mut form = FactoredForm::default();
    form.clear(6);
    let index: Vec<usize> = (0..6).collect();
    for &([x, y], faster) in points {
        let z = -0.3;
        let rows = [[y, -x, 0.0, 0.0, 0.0, 1.0], [0.0, z, -y, 1.0, 0.0, 0.0], [-z, 0.0, x, 0.0, 1.0, 0.0]];
        let v = [0.0, 0.0, push[2], push[0], push[1], -1.0];
        let row = |k: usize| FactoredRow {
            index: &index,
            value: &rows[k],
            velocity: rows[k].iter().zip(&v).map(|(a, b)| a * b).sum::<f64>()
                - if k == 0 { faster } else { 0.0 },
            compliance: 0.0,
        };
        form.contact(0.5, [row(0), row(1), row(2)]);
    }
    let problem = FrictionProblem::factored(form).expect("rows of one body");
    let (mut system, mut operator) = (System::default(), Operator::default());
    system.rebuild(&problem);
    assert!(operator.load(&system));
    operator
}

const CORNERS: [([f64; 2], f64); 4] =
    [([0.5, 0.4], 0.0), ([0.5, -0.4], 0.0), ([-0.5, 0.4], 0.0), ([-0.5, -0.4], 0.0)];

/// The best residual of a climb from these impulses.
fn climb(operator: &Operator, from: &[f64], goal: f64) -> f64 {
    let (mut at, mut newton, mut climb) = (Iterate::default(), Newton::default(), Climb::default());
    at.start(operator, from);
    newton.reset(operator);
    let clock = Clock::new(&Budget::default());
    let done = climb.run(operator, &mut at, &mut newton, goal, 120, &clock);
    assert_eq!(done, at.best_natural <= goal, "{}", at.best_natural);
    at.best_natural
}

/// A body that lands on four corners, pushed along and turned: from nothing to an answer, whatever the push, sticking, sliding or
/// tipping.
#[test]
fn a_body_on_four_corners_is_climbed_from_nothing() {
    for push in [[0.1, 0.0, 0.0], [2.0, 0.3, 0.0], [0.4, -0.2, 3.0], [0.0, 6.0, 0.5]] {
        let left = climb(&body_on(&CORNERS, push), &[0.0; 12], 1e-10);
        assert!(left <= 1e-10, "{push:?} {left}");
    }
}

/// A fifth point in the middle closes by a billionth faster than the corners around it, which share the load at first: it has to take
/// the whole of it. Steps with ε move a hundredth of the load each.
#[test]
fn a_contradiction_of_a_billionth_moves_all_of_the_load() {
    let mut points = CORNERS.to_vec();
    points.push(([0.0, 0.0], 1e-9));
    let operator = body_on(&points, [0.0; 3]);
    let shared: Vec<f64> = (0..15).map(|k| if k % 3 == 0 { 0.2 } else { 0.0 }).collect();
    let left = climb(&operator, &shared, 1e-12);
    assert!(left <= 1e-12, "{left}");
}
