//! The second solve of a size allocates nothing. A binary of its own, because it counts every allocation.
#![allow(clippy::unwrap_used, reason = "a test that cannot build its problem should fail")]

use gudgeon_lcp::{
    Budget, ConeShape, FactoredForm, FrictionLcp, FrictionProblem, FrictionSolution, FrictionTask, Lcp,
    Method, Mlcp, MlcpSolution, RowIds, Solution, Solver, Stabilisation, Status, Structured, WarmStart,
};
use gudgeon_testkit::alloc::{self, Counting};
use gudgeon_testkit::speed::wiggle;
use gudgeon_testkit::{Rng, mechanisms, single, stacks};

use crate::support::{Random, gram, positive_definite, resting_face};

#[expect(dead_code, reason = "shared with the main test binary")]
mod support;

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many allocations a piece of work makes on this thread.
fn allocations(work: impl FnOnce()) -> u64 {
    alloc::count(work).1.allocations
}

const METHODS: [Method; 7] = [
    Method::Lemke,
    Method::Lexicographic,
    Method::Robust,
    Method::Murty,
    Method::BlockPivot,
    Method::Dantzig,
    Method::Pgs,
];

#[test]
fn the_second_solve_of_a_size_allocates_nothing() {
    for method in METHODS {
        for n in [1, 7, 40] {
            let mut random = Random::new(5);
            let mut solver = Solver::new(method);
            let mut solution = Solution::default();
            let first = solver.solve(&positive_definite(&mut random, n), &mut solution);
            for _ in 0..20 {
                // redundant ones as well: they end in every status
                let rank = 1 + random.below(n);
                let q = (0..n).map(|_| random.signed()).collect();
                let redundant = Lcp::from_column_major(gram(&mut random, n, rank, 0.0), q).unwrap();
                for lcp in [positive_definite(&mut random, n), redundant] {
                    let mut outcome = first;
                    let count = allocations(|| outcome = solver.solve(&lcp, &mut solution));
                    // what no path solves may be looked at in whole numbers, which takes memory
                    let by_path = outcome.status == Status::Solved && outcome.pivots <= 3 * n;
                    assert!(count == 0 || !by_path, "{method}, n = {n}, {outcome:?}: {count}");
                }
            }
        }
    }
}

#[test]
fn the_second_solve_of_a_friction_problem_in_standard_form_allocates_nothing() {
    let mut random = Random::new(7);
    for contacts in [1, 4, 8] {
        let mut solver = Solver::new(Method::Robust);
        let mut solution = Solution::default();
        for round in 0..10 {
            let face = resting_face(&mut random, contacts, 0.3, 8);
            let lowered = FrictionLcp::new(&face, Stabilisation::default()).unwrap();
            let lcp = lowered.lcp().unwrap();
            let mut solved = false;
            let count = allocations(|| solved = solver.solve(lcp, &mut solution).status == Status::Solved);
            assert!(solved && (round == 0 || count == 0), "{contacts} contacts: {count} allocations");
        }
    }
}

/// Warm solves of a scene in factored form, the free velocity a little different every time.
fn warm_steps(name: &str, form: &FactoredForm, cone: ConeShape, nudge: f64) -> usize {
    let mut rng = Rng::new(3);
    let mut push = Vec::new();
    let mut problem = FrictionProblem::factored(form.clone()).unwrap();
    let ids: Vec<u64> = (0..form.n_rows() as u64).collect();
    let ids = RowIds { contacts: &ids, unilateral: &ids, bounded: &ids };
    let (mut solver, mut solution) = (Structured::default(), FrictionSolution::default());
    let mut warm = WarmStart::default();
    let mut pivoted = 0;
    for round in 0..30 {
        let mut outcome = None;
        let count = allocations(|| {
            problem.refill(|to| wiggle(form, nudge, &mut rng, &mut push, to)).unwrap();
            let budget = Budget::default();
            outcome = Some(solver.solve_warm(
                FrictionTask { problem: &problem, cone, ids, budget },
                &mut warm,
                &mut solution,
                &mut (),
            ));
        });
        let outcome = outcome.unwrap();
        assert_eq!(outcome.status, Status::Solved, "{name}");
        // by then both forms of the problem have been filled; the first steps that pivot make room for pivoting
        let first = round < 3 || (outcome.pivots > 0 && pivoted < 2);
        pivoted += usize::from(outcome.pivots > 0);
        assert!(first || count == 0, "{name} {cone:?} {round}: {count} allocations, {outcome:?}");
    }
    pivoted
}

#[test]
fn a_warm_step_of_a_factored_problem_allocates_nothing() {
    let mut sliding = single::frame(8, [0.05, 0.0]).with_mu(0.3);
    sliding.bodies[0].velocity = [0.4, 0.15, 0.0];
    let scenes = [
        stacks::stack(4),
        stacks::brick_wall(4),
        sliding,
        mechanisms::driven_four_bar(1.0, 0.5),
        mechanisms::door(),
    ];
    for scene in &scenes {
        let form = scene.problem().to_factored().unwrap();
        for cone in [ConeShape::Facets, ConeShape::Exact] {
            let pivoted = warm_steps(&scene.name, &form, cone, 1e-6);
            println!("{} {cone:?}: {pivoted} of 30 steps pivoted", scene.name);
            assert!(pivoted <= 3, "{} {cone:?}: {pivoted} of 30 steps pivoted", scene.name);
        }
    }
}

#[test]
fn pivoting_from_a_start_allocates_nothing_either() {
    let problem = stacks::stack(3).problem();
    let problem = FrictionProblem::factored(problem.to_factored().unwrap()).unwrap();
    let (mut solver, mut solution) = (Structured::default(), FrictionSolution::default());
    for round in 0..4 {
        let budget = Budget::default();
        let mut pivots = 0;
        let facets = allocations(|| {
            pivots = solver.solve_with(&problem, None, budget, &mut solution, &mut ()).pivots;
        });
        let start = solution.basis.clone();
        let warm = allocations(|| {
            let _ = solver.solve_with(&problem, Some(&start), budget, &mut solution, &mut ());
        });
        let exact = allocations(|| {
            let _ = solver.solve_exact(&problem, None, budget, &mut solution, &mut ());
        });
        assert!(pivots > 0);
        assert!(round == 0 || facets + warm + exact == 0, "{facets}, {warm}, {exact} allocations");
    }
}

#[test]
fn the_second_boxed_solve_allocates_nothing_where_bounds_are_native() {
    for method in [Method::BlockPivot, Method::Dantzig, Method::Pgs] {
        let n = 12;
        let mut random = Random::new(6);
        let mut solver = Solver::new(method);
        let mut solution = MlcpSolution::default();
        for round in 0..10 {
            let b = (0..n).map(|_| 3.0 * random.signed()).collect();
            let a = gram(&mut random, n, n, 0.1);
            let mlcp = Mlcp::from_column_major(a, b, vec![-1.0; n], vec![1.0; n]).unwrap();
            let mut solved = false;
            let count = allocations(|| {
                solved = solver.solve_mlcp(&mlcp, &mut solution).status == Status::Solved;
            });
            assert!(solved && (round == 0 || count == 0), "{method}: {count} allocations");
        }
    }
}

#[test]
fn a_search_allocates_little_more_than_its_queue() {
    let mut random = Random::new(5);
    let lcp = positive_definite(&mut random, 8);
    let (mut solver, mut solution) = (Solver::new(Method::Search), Solution::default());
    let mut nodes = 0;
    let first = allocations(|| nodes = solver.solve(&lcp, &mut solution).nodes);
    let second = allocations(|| nodes = solver.solve(&lcp, &mut solution).nodes);
    println!("search, {nodes} nodes: {first} allocations, then {second}");
    assert!(second <= 1 + nodes as u64);
}
