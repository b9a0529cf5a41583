//! A raised flag and a past deadline end every method with its best iterate.

use std::sync::atomic::{AtomicBool, Ordering};

use gudgeon_lcp::{
    Budget, FrictionSolution, Interrupt, Method, MlcpSolution, Solution, Solver, Stabilisation, Start, Status,
};
use gudgeon_testkit::plain::{self, Spread};
use gudgeon_testkit::{Rng, single, stacks};

#[test]
fn a_raised_flag_and_a_past_deadline_end_every_method_with_its_best_iterate() {
    static FLAG: AtomicBool = AtomicBool::new(true);
    FLAG.store(true, Ordering::Relaxed);
    let stopped = Budget { interrupt: Some(Interrupt::new(&FLAG)), ..Budget::default() };
    let lcp = plain::definite(30, Spread::Even, &mut Rng::new(3));
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
        }
    }
}
