//! A raised flag and a past deadline end every method with its best iterate.

use std::sync::atomic::{AtomicBool, Ordering};

use gudgeon_lcp::{
    Budget, Canonical, FactoredForm, FactoredRow, FrictionLcp, FrictionProblem, FrictionSolution, Interrupt,
    Method, MlcpSolution, ProblemError, Solution, Solver, Spread, Stabilisation, Start, Status,
};
use gudgeon_testkit::plain;
use gudgeon_testkit::{Rng, single, stacks};

#[test]
fn a_raised_flag_and_a_past_deadline_end_every_method_with_its_best_iterate() {
    static FLAG: AtomicBool = AtomicBool::new(true);
    FLAG.store(true, Ordering::Relaxed);
    let stopped = Budget { interrupt: Some(Interrupt::new(&FLAG)), ..Budget::default() };
    let lcp = plain::definite(30, plain::Spread::Even, &mut Rng::new(3));
    let boxed = plain::boxed(30, 20, &mut Rng::new(4));
    for budget in [stopped, Budget::seconds(0.0)] {
        for method in Method::ALL {
            let mut solution = Solution::default();
            let outcome = Solver::new(method).solve_with(&lcp, Start::Cold, budget, &mut solution, &mut ());
            assert_eq!(outcome.status, Status::Budget, "{method}");
            assert!(outcome.pivots <= 1 && solution.z.len() == 30, "{method}: {outcome:?}");
            let mut solution = MlcpSolution::default();
            let outcome = Solver::new(method).solve_mlcp_with(&boxed, budget, &mut solution, &mut ());
            assert!(outcome.status == Status::Budget && outcome.pivots <= 1, "{method}: {outcome:?}");
            assert_eq!(solution.x.len(), 30);
        }
    }
}

/// The measured overrun over whole collections: `cargo run --release -p gudgeon-cli --example overrun -- FILES...`
#[test]
fn a_raised_flag_and_a_past_deadline_end_contact_problems_too() {
    static FLAG: AtomicBool = AtomicBool::new(true);
    let stopped = Budget { interrupt: Some(Interrupt::new(&FLAG)), ..Budget::default() };
    let mut rng = Rng::new(5);
    let wall = stacks::brick_wall(4).pushed(2.0, &mut rng);
    let peg = single::peg(16).with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng);
    for problem in [wall.problem(), peg.problem()] {
        for budget in [stopped, Budget::seconds(0.0)] {
            let mut answer = FrictionSolution::default();
            let mut solver = Solver::new(Method::Robust);
            let round = solver.solve_friction_exact(&problem, budget, &mut answer, &mut ());
            assert!(round.status == Status::Budget && round.pivots <= 1, "round: {round:?}");
            assert_eq!(answer.contacts.len(), problem.n_contacts());
            let plain = Stabilisation::default();
            let facets = solver.solve_friction_with(&problem, plain, budget, &mut answer, &mut ());
            assert!(facets.status == Status::Budget && facets.pivots <= 1, "polygons: {facets:?}");
            assert_eq!(answer.contacts.len(), problem.n_contacts());
            for method in Method::ALL {
                let mut solver = Solver::new(method);
                let outcome = solver.solve_friction_with(&problem, plain, budget, &mut answer, &mut ());
                assert!(outcome.status == Status::Budget && outcome.pivots <= 1, "{method}: {outcome:?}");
                assert_eq!(answer.contacts.len(), problem.n_contacts(), "{method}");
            }
        }
    }
}

/// Canonical forces of an answer, out of time: the answer stays as it was.
#[test]
fn canonical_forces_that_have_no_time_leave_the_answer_alone() {
    let problem = stacks::brick_wall(4).problem();
    let mut answer = FrictionSolution::default();
    let outcome =
        Solver::new(Method::Robust).solve_friction_exact(&problem, Budget::default(), &mut answer, &mut ());
    assert_eq!(outcome.status, Status::Solved);
    let mut canonical = Canonical::default();
    let mut cut = answer.clone();
    let report = canonical.spread_within(&problem, Budget::seconds(0.0), &mut cut);
    assert_eq!((report.spread, &cut), (Spread::Inaccurate, &answer));
    assert_eq!(canonical.spread(&problem, &mut cut).spread, Spread::Canonical);
}

/// Contacts whose dense matrix would fill the memory are refused by the methods that want one, not asked for.
#[test]
fn a_problem_too_large_for_a_dense_matrix_is_refused_by_those_who_want_one() {
    let mut form = FactoredForm::default();
    form.clear(6000);
    for i in 0..2000 {
        let (index, value) =
            ([3 * i, 3 * i + 1, 3 * i + 2], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        let row = |k: usize, velocity: f64| FactoredRow {
            index: &index,
            value: &value[k],
            velocity,
            compliance: 0.0,
        };
        form.contact(0.5, [row(2, -1.0), row(0, 0.1), row(1, 0.0)]);
    }
    let problem = FrictionProblem::factored(form).unwrap().with_facets(8).unwrap();
    let lowered = FrictionLcp::new(&problem, Stabilisation::default());
    assert!(matches!(lowered, Err(ProblemError::TooLarge { found: 20_000, .. })));
    let (mut answer, whole) = (FrictionSolution::default(), Budget::default());
    for method in [Method::Lemke, Method::Pgs, Method::Dantzig] {
        let plain = Stabilisation::default();
        let outcome = Solver::new(method).solve_friction_with(&problem, plain, whole, &mut answer, &mut ());
        assert_eq!(outcome.status, Status::Inaccurate, "{method}");
    }
    let outcome = Solver::new(Method::Robust).solve_friction_exact(&problem, whole, &mut answer, &mut ());
    assert_eq!(outcome.status, Status::Solved);
}
