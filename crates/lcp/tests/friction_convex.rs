//! The convex law: closed forms, its conditions from the original data, one motion from any start.

use gudgeon_lcp::{
    Budget, ConeShape, FactoredForm, FactoredRow, FrictionProblem, FrictionSolution, FrictionTask, Outcome,
    RowIds, Status, Structured, WarmStart,
};
use gudgeon_testkit::rng::Rng;
use gudgeon_testkit::scene::Scene;
use gudgeon_testkit::{piles, single, stacks};

/// What sticks yields by this part of its impulse, in energy units.
const COMPLIANCE: f64 = 1e-4;

fn solve(problem: &FrictionProblem, ids: RowIds<'_>, warm: &mut WarmStart) -> (Outcome, FrictionSolution) {
    let mut solution = FrictionSolution::default();
    let (mut solver, budget) = (Structured::default(), Budget::default());
    let outcome = solver.solve_warm(
        FrictionTask { problem, cone: ConeShape::Convex, ids, budget },
        warm,
        &mut solution,
        &mut (),
    );
    (outcome, solution)
}

fn problem(scene: &Scene) -> FrictionProblem {
    FrictionProblem::factored(scene.problem().to_factored().unwrap()).unwrap()
}

/// A point of one kilogram that comes down at 0.1 m/s: it slides out of the cone's dual, whose nearest velocity it takes.
#[test]
fn a_sliding_point_rises_as_fast_as_friction_says() {
    for (mu, speed) in [(0.5, 1.0), (0.2, 3.0), (1.5, 0.4)] {
        let unit = |k: usize, velocity: f64| (vec![k], vec![1.0], velocity);
        let rows = [unit(2, -0.1), unit(0, speed), unit(1, 0.0)];
        let row = |k: usize| FactoredRow {
            index: &rows[k].0,
            value: &rows[k].1,
            velocity: rows[k].2,
            compliance: 0.0,
        };
        let mut form = FactoredForm::default();
        form.clear(3);
        form.contact(mu, [row(0), row(1), row(2)]);
        let problem = FrictionProblem::factored(form).unwrap();
        let (outcome, solution) = solve(&problem, RowIds::default(), &mut WarmStart::default());
        assert_eq!(outcome.status, Status::Solved);
        let slip = (speed - 0.1 * mu) / (1.0 + mu * mu);
        let v = solution.contacts[0].velocity;
        // the compliance of the law, no more
        assert!((v[1] - slip).abs() < 2.0 * COMPLIANCE * speed, "{v:?} {slip}");
        assert!((v[0] - mu * slip).abs() < 2.0 * COMPLIANCE * speed, "{v:?} {slip}");
    }
}

fn scenes() -> Vec<Scene> {
    let mut rng = Rng::new(31);
    let all = [
        stacks::stack(3),
        stacks::tower(3, 16),
        single::frame(6, [0.1, 0.0]),
        single::peg(8),
        piles::pyramid(4, piles::Neighbours::Touching),
    ];
    all.into_iter().flat_map(|s| [s.clone(), s.pushed(0.5, &mut rng)]).collect()
}

/// x in the cone, u in its dual, and no work between them, each from the data as they were given.
#[test]
fn answers_obey_the_convex_law_and_make_no_energy() {
    for scene in scenes() {
        let problem = problem(&scene);
        let (outcome, solution) = solve(&problem, RowIds::default(), &mut WarmStart::default());
        assert_eq!(outcome.status, Status::Solved, "{} {outcome:?}", scene.name);
        let free = problem.to_factored().unwrap();
        let speed = free.rows().fold(0.0, |m: f64, row| m.max(row.velocity.abs()));
        let force = solution.impulses.iter().fold(1e-9, |m: f64, x| m.max(x.abs()));
        for (contact, &mu) in solution.contacts.iter().zip(problem.mu()) {
            let ([n, a, b], [u, v, w]) = (contact.impulse, contact.velocity);
            // rounding of a projection
            assert!(a.hypot(b) <= mu * n + 1e-12 * force, "{}", scene.name);
            // compliance lets a contact give way by 1e-4 of its impulse over its effective mass: masses here are 0.1 to 10 kg
            assert!(u - mu * v.hypot(w) >= -1e-2 * speed, "{} {contact:?}", scene.name);
            assert!((n * u + a * v + b * w).abs() <= 1e-2 * force * speed, "{} {contact:?}", scene.name);
        }
    }
}

/// Strictly convex: impulses that nobody meant, as a start, lead to the same motion.
#[test]
fn the_motion_does_not_depend_on_the_start() {
    let mut rng = Rng::new(8);
    for scene in scenes() {
        let problem = problem(&scene);
        let contacts: Vec<u64> = (0..problem.n_contacts() as u64).collect();
        let ids = RowIds { contacts: &contacts, ..RowIds::default() };
        let mut warm = WarmStart::default();
        let (_, cold) = solve(&problem, ids, &mut warm);
        let mut strange: Vec<_> = warm.entries().to_vec();
        for entry in &mut strange {
            entry.impulse = entry.impulse.map(|x| x + rng.uniform(-1.0, 1.0));
        }
        let (outcome, other) = solve(&problem, ids, &mut WarmStart::from_entries(strange));
        assert_eq!(outcome.status, Status::Solved, "{}", scene.name);
        for (a, b) in cold.contacts.iter().zip(&other.contacts) {
            for k in 0..3 {
                // 1e-9 of the law, over the compliance that its impulses rest on
                assert!((a.velocity[k] - b.velocity[k]).abs() < 1e-7, "{} {a:?} {b:?}", scene.name);
            }
        }
    }
}
