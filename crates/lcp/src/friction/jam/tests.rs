//! Bodies that many contacts hold.

use super::*;
use crate::friction::system::System;
use crate::outcome::Budget;
use crate::problem::{FactoredForm, FactoredRow, FrictionProblem};

/// Friction on the walls of a groove.
const MU: f64 = 0.5;
/// What counts as solved; loads are known to a little less.
const GOAL: f64 = 1e-9;

/// A body of unit inertia that falls into a groove whose walls lean by an angle from level, on so many contacts of each wall.
fn groove(angle: f64, each: usize, along: f64) -> Operator {
    let mut form = FactoredForm::default();
    form.clear(6);
    let index: Vec<usize> = (0..6).collect();
    for side in [-1.0, 1.0] {
        let normal = [0.0, -side * angle.sin(), angle.cos()];
        let axes = [normal, [1.0, 0.0, 0.0], [0.0, side * angle.cos(), angle.sin()]];
        for k in 0..each {
            // in rows of four along the groove, at uneven heights
            let (x, d) = (
                0.1 * ((k / 4) as f64 - 0.5 * (each / 4 - 1) as f64),
                0.1 + 0.05 * (k % 4) as f64 + 0.01 * (7 * k % 5) as f64,
            );
            let p = [x, side * d * angle.cos(), d * angle.sin() - 0.3];
            let rows = axes.map(|a| {
                let turn = [p[1] * a[2] - p[2] * a[1], p[2] * a[0] - p[0] * a[2], p[0] * a[1] - p[1] * a[0]];
                [turn[0], turn[1], turn[2], a[0], a[1], a[2]]
            });
            let v = [0.02, 0.0, 0.01, along, 0.03, -1.0];
            let row = |k: usize| FactoredRow {
                index: &index,
                value: &rows[k],
                velocity: rows[k].iter().zip(&v).map(|(a, b)| a * b).sum::<f64>(),
                compliance: 0.0,
            };
            form.contact(MU, [row(0), row(1), row(2)]);
        }
    }
    let problem = FrictionProblem::factored(form).expect("rows of one body");
    let (mut system, mut operator) = (System::default(), Operator::default());
    system.rebuild(&problem);
    assert!(operator.load(&system));
    operator
}

/// From nothing; the best residual, and the factorisations it took.
fn jam(operator: &Operator) -> (Iterate, usize) {
    let (mut at, mut stages) = (Iterate::default(), Stages::default());
    at.start(operator, &vec![0.0; operator.q.len()]);
    stages.reset(operator);
    let clock = Clock::new(&Budget::default());
    let tools = (&mut stages, &mut Convex::default());
    Jam::default().run(operator, &mut at, tools, (GOAL, 1e-12), &clock);
    at.return_to_best(operator);
    (at, stages.newton.elimination.count)
}

/// Loads of 120 contacts stop a body that falls into a groove, all of them, within a few factorisations of six unknowns.
#[test]
fn the_least_loads_that_stop_all_are_found() {
    for (angle, each) in [(0.3, 8), (0.7, 20), (1.2, 60)] {
        let operator = groove(angle, each, 0.05);
        let (at, count) = jam(&operator);
        assert!(at.best_natural <= GOAL, "{angle} {}", at.best_natural);
        let moves = at.u.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
        assert!(moves <= 10.0 * GOAL, "{angle}: {moves}");
        assert!(count <= FIRST, "{angle}: {count}");
    }
}

/// Where the push along the groove is more than friction holds it slides, and loads are those of Coulomb's law, not of the convex one.
#[test]
fn what_friction_does_not_hold_slides() {
    let operator = groove(0.4, 12, 3.0);
    let (at, _) = jam(&operator);
    assert!(at.best_natural <= GOAL, "{}", at.best_natural);
    let slides = |k: usize| at.u[3 * k + 1].hypot(at.u[3 * k + 2]);
    assert!((0..24).any(|k| slides(k) > 0.1), "it slides");
    assert!((0..24).all(|k| at.x[3 * k] == 0.0 || at.u[3 * k].abs() < 1e-9), "what bears does not rise");
}
