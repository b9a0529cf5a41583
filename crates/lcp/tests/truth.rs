//! `solved` is solved and a `ray` is a proof, in any units: hostile problems against exact rational enumeration, and
//! what must not change the verdict. The whole campaign: `cargo run --release -p gudgeon-testkit --example truth`.

use gudgeon_lcp::{
    Budget, Lcp, Method, Mlcp, MlcpSolution, Outcome, Proof, Residual, Solution, Solver, Start, Status,
};
use gudgeon_testkit::change::{Change, beside, rearranged};
use gudgeon_testkit::exact::{is_backward_exact, is_near_solution, to_f64, vertex_solutions};
use gudgeon_testkit::plain::{self, Spread};
use gudgeon_testkit::{Rng, attack, hostile};

const NONE: f64 = f64::INFINITY;

fn robust(lcp: &Lcp) -> (Outcome, Solution) {
    let mut solution = Solution::default();
    (Solver::new(Method::Robust).solve(lcp, &mut solution), solution)
}

pub(crate) fn robust_boxed(mlcp: &Mlcp) -> (Outcome, MlcpSolution) {
    let mut solution = MlcpSolution::default();
    (Solver::new(Method::Robust).solve_mlcp(mlcp, &mut solution), solution)
}

fn exact(mlcp: &Mlcp) -> Vec<Vec<f64>> {
    vertex_solutions(mlcp).iter().map(|x| x.iter().map(to_f64).collect()).collect()
}

/// Every number within 1e-6 of that of some exact solution.
fn is_near(x: &[f64], exact: &[Vec<f64>]) -> bool {
    let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-6 * b.abs();
    exact.iter().any(|e| e.iter().zip(x).all(|(&e, &x)| near(x, e)))
}

/// What the exact enumeration says of an answer: nothing, or why it is wrong.
pub(crate) fn wrong(mlcp: &Mlcp, status: Status, x: &[f64]) -> Option<&'static str> {
    let exact = exact(mlcp);
    match status {
        Status::Solved if !is_near(x, &exact) => Some("solved, and no solution is near"),
        Status::Ray if !exact.is_empty() => Some("a ray, and a solution exists"),
        _ => None,
    }
}

#[test]
fn every_size_at_once_is_solved_or_refuted_as_exact_enumeration_says() {
    type Make = fn(usize, &mut Rng) -> Lcp;
    let families: [(&str, Make, bool); 4] = [
        ("any sign", hostile::wide, false),
        ("definite", hostile::wide_definite, true),
        ("copositive", hostile::wide_copositive, true),
        ("whole numbers", hostile::integers, false),
    ];
    for (name, make, always) in families {
        let mut counts = [0; 3];
        for index in 0..250 {
            let mut rng = Rng::indexed(11, index);
            let lcp = make(1 + rng.below(4), &mut rng);
            let (outcome, solution) = robust(&lcp);
            let mlcp = Mlcp::from(&lcp);
            assert_eq!(
                wrong(&mlcp, outcome.status, &solution.z),
                None,
                "{name} {index}: {lcp:?} {solution:?}"
            );
            assert!(!always || outcome.status == Status::Solved, "{name} {index}: {lcp:?} {outcome:?}");
            let place = [Status::Solved, Status::Ray].iter().position(|&s| s == outcome.status).unwrap_or(2);
            counts[place] += 1;
        }
        println!("{name}: {} solved, {} rays, {} neither", counts[0], counts[1], counts[2]);
        assert_eq!(counts[2], 0, "{name}");
    }
}

#[test]
fn bounds_up_to_1e300_excuse_nothing() {
    let mut counts = [0; 3];
    for index in 0..250 {
        let mut rng = Rng::indexed(12, index);
        let mlcp = hostile::wide_boxed(1 + rng.below(3), &mut rng);
        let (outcome, solution) = robust_boxed(&mlcp);
        assert_eq!(wrong(&mlcp, outcome.status, &solution.x), None, "{index}: {mlcp:?} {solution:?}");
        let place = [Status::Solved, Status::Ray].iter().position(|&s| s == outcome.status).unwrap_or(2);
        counts[place] += 1;
    }
    println!("boxed: {} solved, {} rays, {} neither", counts[0], counts[1], counts[2]);
}

#[test]
fn problems_of_every_distribution_are_solved_or_refuted_as_exact_enumeration_says() {
    let (mut counts, mut rounded) = ([0; 3], 0);
    for index in 0..600 {
        let mut rng = Rng::indexed(18, index);
        let n = 1 + rng.below(4);
        let p = if index % 3 == 0 {
            attack::boxed(n.min(3), &mut rng)
        } else {
            Mlcp::from(&attack::standard(n, &mut rng))
        };
        let (outcome, solution) = robust_boxed(&p);
        let place = [Status::Solved, Status::Ray].iter().position(|&s| s == outcome.status).unwrap_or(2);
        counts[place] += 1;
        if outcome.status == Status::Solved && is_near_solution(&p, &solution.x, 1e-6) {
            continue;
        }
        if let Some(why) = wrong(&p, outcome.status, &solution.x) {
            // data that were rounded may have their solution taken away by it
            assert!(is_backward_exact(&p, &solution.x, 1e-14), "{index}, {why}: {p:?} {solution:?}");
            rounded += 1;
        }
    }
    println!(
        "{} solved, {rounded} of them to rounding, {} rays, {} neither",
        counts[0], counts[1], counts[2]
    );
    assert!(rounded < 30 && counts[2] < 30);
}

#[test]
fn terms_that_cancel_do_not_make_another_problem_of_it() {
    for a in [1e6, 1e12, 713_876_550_659_556.0, 1e15] {
        let lcp = Lcp::from_rows(&[[a, -a], [-a, a + 1.0]], vec![2.0 * a, -2.0 * a - 3.0]).unwrap();
        let (outcome, solution) = robust(&lcp);
        let near = (solution.z[0] - 1.0).abs() <= 1e-9 && (solution.z[1] - 3.0).abs() <= 3e-9;
        assert!(outcome.status == Status::Solved && near, "{a:e}: {solution:?}");
    }
}

#[test]
fn no_method_calls_hostile_problems_solved_that_are_not() {
    for method in Method::ALL {
        let (mut solver, mut solved) = (Solver::new(method), 0);
        for index in 0..60 {
            let mut rng = Rng::indexed(13, index);
            let n = 1 + rng.below(3);
            let lcp = if index % 2 == 0 {
                hostile::wide(n, &mut rng)
            } else {
                hostile::wide_copositive(n, &mut rng)
            };
            let mut solution = Solution::default();
            let outcome = solver.solve_with(&lcp, Start::Cold, Budget::pivots(300), &mut solution, &mut ());
            let verdict = wrong(&Mlcp::from(&lcp), outcome.status, &solution.z);
            assert_eq!(verdict, None, "{method} {index}: {lcp:?} {solution:?}");
            solved += usize::from(outcome.status == Status::Solved);
        }
        println!("{method}: {solved} of 60 solved");
    }
}

#[test]
fn games_two_body_stacks_and_friction_that_pulls_are_all_solved() {
    for index in 0..60 {
        let mut rng = Rng::indexed(14, index);
        let (rows, columns, whole) = (1 + rng.below(39), 1 + rng.below(39), rng.chance(0.5));
        let game = hostile::game(rows, columns, whole, &mut rng);
        assert_eq!(robust(&game).0.status, Status::Solved, "game {index}, {rows} x {columns}");
    }
    for index in 0..400 {
        let mut rng = Rng::indexed(15, index);
        let stack = hostile::two_bodies(&mut rng);
        let (outcome, solution) = robust(&stack);
        assert_eq!(outcome.status, Status::Solved, "{stack:?}");
        assert_eq!(wrong(&Mlcp::from(&stack), outcome.status, &solution.z), None, "{stack:?} {solution:?}");
    }
    for index in 0..60 {
        let mut rng = Rng::indexed(16, index);
        let mlcp = hostile::pulling_friction(2 + rng.below(4), &mut rng);
        let (outcome, solution) = robust_boxed(&mlcp);
        assert_eq!(outcome.status, Status::Solved, "pulling friction {index}");
        for i in 0..mlcp.n() {
            let (lo, hi) = mlcp.bounds_at(i, &solution.x);
            let (x, w) = (solution.x[i], solution.w[i]);
            assert!(x >= lo - 1e-12 && x <= hi + 1e-12);
            assert!(w.abs() < 1e-9 || (w > 0.0 && x - lo < 1e-12) || (w < 0.0 && hi - x < 1e-12));
        }
    }
}

#[test]
fn classes_with_solutions_in_any_units_are_solved() {
    for index in 0..40 {
        let mut rng = Rng::indexed(17, index);
        for lcp in [
            hostile::scaled_dominant(5 + rng.below(30), &mut rng),
            hostile::copositive(5 + rng.below(30), &mut rng),
            hostile::planted(2 + rng.below(10), &mut rng),
        ] {
            let (outcome, _) = robust(&lcp);
            assert_eq!(outcome.status, Status::Solved, "{index}, n = {}", lcp.n());
        }
    }
}

/// A problem of one of many kinds, solved or not.
fn any_problem(rng: &mut Rng) -> Mlcp {
    let n = 2 + rng.below(9);
    match rng.below(8) {
        0 => Mlcp::from(&hostile::wide(1 + rng.below(4), rng)),
        1 => Mlcp::from(&hostile::wide_definite(n, rng)),
        2 => Mlcp::from(&plain::semidefinite(n, n.div_ceil(2), Spread::Wide, rng)),
        3 => Mlcp::from(&plain::degenerate(n, n.div_ceil(2), Spread::Even, rng)),
        4 => Mlcp::from(&plain::quadratic_program(n, 2, rng)),
        5 => hostile::pulling_friction(1 + rng.below(2), rng),
        6 => hostile::wide_boxed(1 + rng.below(3), rng),
        _ => plain::boxed(n, n.div_ceil(2), rng),
    }
}

fn natural(p: &Mlcp, x: &[f64]) -> f64 {
    let mut w = Vec::new();
    p.slack(x, &mut w);
    Residual::of_mlcp(p, x, &w).natural
}

/// The verdict itself on a fixed answer, right or spoilt, in changed problems: the same number to the bit, or the same
/// side of 1e-9.
#[test]
fn the_verdict_on_an_answer_knows_no_units_order_blocks_or_idle_bounds() {
    let (mut solved, mut spoilt_count) = (0, 0);
    for index in 0..1500 {
        let mut rng = Rng::indexed(21, index);
        let p = any_problem(&mut rng);
        let n = p.n();
        let (_, solution) = robust_boxed(&p);
        let mut x = solution.x;
        if rng.chance(0.5) {
            let (i, size) = (rng.below(n), rng.log_uniform(1e-14, 1.0));
            x[i] *= 1.0 + size;
            spoilt_count += 1;
        }
        let before = natural(&p, &x);
        solved += usize::from(before <= 1e-9);

        // (a) units of rows and columns, (d) order; powers of two round nothing but bounds of friction
        let mut order: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut order);
        let mut unit = || rng.whole(-30, 30).exp2();
        let (r, c): (Vec<f64>, Vec<f64>) = (0..n).map(|_| (unit(), unit())).unzip();
        if let Some(other) = rearranged(&p, &order, &r, &c) {
            let moved: Vec<f64> = (0..n).map(|i| x[order[i]] / c[i]).collect();
            let after = natural(&other, &moved);
            let same = (after - before).abs() <= 1e-9 * before || (before <= 1e-9) == (after <= 1e-9);
            assert!(same, "{index}: {before:e} became {after:e} in other units");
        }

        // (b) an independent block, solved: nothing changes to the bit
        let small = Mlcp::from(&plain::definite(3, Spread::Wide, &mut rng));
        let (_, other) = robust_boxed(&small);
        let joined = beside(&p, &small);
        let after = natural(&joined, &[&x[..], &other.x].concat());
        assert!(
            after == before || (before <= 1e-9 && after <= 1e-9),
            "{index}: {before:e}, {after:e} beside"
        );

        // (c) bounds that nothing is at
        if let Some(wider) = Change::Bounds.of_boxed(&p, &x, &p, &mut rng) {
            let after = natural(&wider, &x);
            assert!(after == before || before > 1e-9, "{index}: {before:e}, {after:e} with wider bounds");
        }
    }
    println!("{solved} of 1500 answers hold, {spoilt_count} were spoilt on purpose");
    assert!(solved > 500 && spoilt_count > 500);
}

/// What the solver says of changed problems. Thousands of every kind: `cargo run --release -p gudgeon-testkit --example
/// unchanged -- 3000`.
#[test]
fn a_solved_problem_stays_solved_in_other_units_order_blocks_and_bounds() {
    let mut counts = [0; 5];
    for index in 0..400 {
        let mut rng = Rng::indexed(22, index);
        let (p, other) = (any_problem(&mut rng), any_problem(&mut rng));
        let (outcome, solution) = robust_boxed(&p);
        if outcome.status != Status::Solved {
            continue;
        }
        let beside = robust_boxed(&other).0.status == Status::Solved;
        for (k, change) in Change::ALL.into_iter().enumerate() {
            let applies = change != Change::Block || beside;
            if let Some(changed) = change.of_boxed(&p, &solution.x, &other, &mut rng).filter(|_| applies) {
                let status = robust_boxed(&changed).0.status;
                assert_eq!(status, Status::Solved, "{}, {index}: {p:?} {changed:?}", change.name());
                counts[k] += 1;
            }
        }
    }
    println!("units, block, bounds, order, twice: {counts:?}");
    assert!(counts.iter().all(|&c| c > 50), "{counts:?}");
}

#[test]
fn an_impulse_of_1e11_does_not_excuse_another_row() {
    let lcp = Lcp::from_rows(&[[200.0, 1e-12], [2e10, 1e-11]], vec![-2.0, -1.0]).unwrap();
    let (outcome, solution) = robust(&lcp);
    assert_eq!(outcome.status, Status::Solved);
    assert!((solution.z[0] - 0.01).abs() < 1e-12 && solution.z[1] == 0.0, "{solution:?}");
    let mut w = Vec::new();
    let nonsense = [0.0, 1e11];
    lcp.slack(&nonsense, &mut w);
    assert!(Residual::of_lcp(&lcp, &nonsense, &w).natural > 0.1);

    let three = [[0.002, 1e-6, 1e8], [1e5, 1500.0, 1e-4], [1e7, 1e-8, 2e8]];
    let (outcome, solution) = robust(&Lcp::from_rows(&three, vec![-1e-7, -1e6, -0.001]).unwrap());
    assert_eq!(outcome.status, Status::Solved);
    let lcp = Lcp::from_rows(&three, vec![-1e-7, -1e6, -0.001]).unwrap();
    assert_eq!(wrong(&Mlcp::from(&lcp), outcome.status, &solution.z), None);
}

#[test]
fn an_independent_row_of_another_size_is_solved_in_its_own_units() {
    let far = Lcp::from_rows(&[[1e-300, 0.0], [0.0, 1.0]], vec![-1e-10, -3.0]).unwrap();
    let near = [[1.0, -0.999_999_999_999, 0.0], [-0.999_999_999_999, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let near = Lcp::from_rows(&near, vec![-1.0, -1.0, -0.0002]).unwrap();
    for method in Method::ALL {
        for (lcp, i, z) in [(&far, 1, 3.0), (&near, 2, 0.0002)] {
            let mut solution = Solution::default();
            let outcome = Solver::new(method).solve(lcp, &mut solution);
            assert!(
                outcome.status != Status::Solved || (solution.z[i] - z).abs() <= 1e-9 * z,
                "{method} {solution:?}"
            );
            assert!(method != Method::Robust || outcome.status == Status::Solved);
        }
    }
}

#[test]
fn a_problem_without_a_solution_is_refuted_whatever_its_sizes() {
    let m = [
        [1e-6, 0.0, -1e6, -1e-6, 1e-3, 0.0],
        [1e3, -10.0, 1.0, -1.0, 1e5, -1.0],
        [0.0, 0.0, -1e5, -1e6, -0.1, 0.0],
        [0.1, 0.0, -0.01, 1e-4, 1e5, 0.1],
        [0.0, 0.0, -1e4, 1e5, 0.0, -100.0],
        [0.0, 0.0, 0.0, -1e3, 0.1, 0.0],
    ];
    let lcp = Lcp::from_rows(&m, vec![-1e-6, -1e-5, 0.0, -1e6, -50.0, 0.0]).unwrap();
    let (outcome, solution) = robust(&lcp);
    assert_eq!(outcome.status, Status::Ray);
    assert!(solution.ray.is_some_and(|ray| ray.proof != Proof::None));
}

#[test]
fn a_ray_is_a_proof_and_nothing_else_is_called_one() {
    // strictly copositive: z = (2e4, 0) solves it
    let lcp = Lcp::from_rows(&[[1e-6, 1e-7], [1e7, 1e-4]], vec![-0.02, -1e-8]).unwrap();
    let (outcome, solution) = robust(&lcp);
    assert_eq!(outcome.status, Status::Solved);
    assert!((solution.z[0] - 2e4).abs() < 1e-9 && solution.z[1] == 0.0);
    // a gram of a body of a ton on a milligram
    let lcp = Lcp::from_rows(&[[1e6, -1e6], [-1e6, 1_000_000.000_001]], vec![-0.0196, 0.0]).unwrap();
    let (outcome, solution) = robust(&lcp);
    assert_eq!(
        (outcome.status, wrong(&Mlcp::from(&lcp), outcome.status, &solution.z)),
        (Status::Solved, None)
    );
    // a solution in a cone whose block is singular
    let lcp =
        Lcp::from_rows(&[[0.0, 1.0, 0.0], [0.0, 0.0, 4.0], [-3.0, 0.0, 0.0]], vec![2.0, -4.0, 0.0]).unwrap();
    let (outcome, solution) = robust(&lcp);
    assert_eq!((outcome.status, solution.z), (Status::Solved, vec![0.0, 0.0, 1.0]));
    // infeasible, and the certificate holds without rounding
    let lcp = Lcp::from_rows(&[[3.0, -1.0], [0.0, -2.0]], vec![-1.0, -2.0]).unwrap();
    let (outcome, solution) = robust(&lcp);
    assert_eq!(outcome.status, Status::Ray);
    assert_ne!(solution.ray.unwrap().proof, Proof::None);
}

#[test]
fn bounds_that_mean_no_limit_change_nothing() {
    for limit in [1e6, 1e12, 1e15, 1e18, 1e20, 1e100, 1e300, NONE] {
        let mlcp =
            Mlcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-1.0, -6.0], vec![-limit; 2], vec![limit; 2])
                .unwrap();
        for method in Method::ALL {
            let mut solution = MlcpSolution::default();
            let outcome = Solver::new(method).solve_mlcp(&mlcp, &mut solution);
            let near = (solution.x[0] + 4.0 / 3.0).abs() < 1e-9 && (solution.x[1] - 11.0 / 3.0).abs() < 1e-9;
            assert!(outcome.status != Status::Solved || near, "{method}, {limit:e}: {solution:?}");
            assert!(method != Method::Robust || outcome.status == Status::Solved, "{limit:e}: {outcome:?}");
        }
    }
}
