//! `solved` is solved and a `ray` is a proof, in any units: hostile problems against exact rational enumeration, and
//! what must not change the verdict. The whole campaign: `cargo run --release -p gudgeon-testkit --example truth`.

use std::sync::atomic::{AtomicBool, Ordering};

use gudgeon_lcp::{
    Bounded, Budget, ConeShape, Contact, FactoredForm, FactoredRow, FrictionProblem, FrictionSolution,
    GlobalForm, Interrupt, Lcp, Method, Mlcp, MlcpSolution, Outcome, Proof, Residual, Row, RowIds, SOLVED,
    Solution, Solver, Stabilisation, Start, Status, Structured, WarmStart, contact_residual,
};
use gudgeon_testkit::campaign::{Campaign, Problem};
use gudgeon_testkit::change::{Change, beside, rearranged};
use gudgeon_testkit::exact::{is_backward_exact, is_near_solution, to_f64, vertex_solutions};
use gudgeon_testkit::plain::{self, Spread};
use gudgeon_testkit::{Rng, attack, hostile, single, stacks};

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

/// The same for contact with friction, polygons and round cones.
#[test]
fn a_solved_contact_problem_stays_solved_in_other_units_order_blocks_and_bounds() {
    let (mut counts, mut solver) = ([0; 5], Solver::new(Method::Robust));
    let mut answer = FrictionSolution::default();
    let scenes: Vec<FrictionProblem> = Campaign::new(23)
        .filter_map(|case| match case.problem {
            Problem::Friction(p) if p.n_contacts() <= 16 && p.as_global().is_some() => Some(p),
            _ => None,
        })
        .take(81)
        .collect();
    for (index, pair) in scenes.windows(2).enumerate() {
        let round = index % 2 == 1;
        let mut solve = |p: &FrictionProblem, answer: &mut FrictionSolution| {
            if round {
                solver.solve_friction_exact(p, Budget::default(), answer, &mut ())
            } else {
                solver.solve_friction(p, answer)
            }
        };
        let mut rng = Rng::indexed(24, index as u64);
        let (form, other) = (pair[0].as_global().unwrap(), pair[1].as_global().unwrap());
        assert_eq!(solve(&pair[0], &mut answer).status, Status::Solved, "{index}");
        let first = 3 * form.contacts.len() + form.unilateral.len();
        let bounded = answer.impulses[first..first + form.bounded.len()].to_vec();
        for (k, change) in Change::ALL.into_iter().enumerate() {
            let Some(changed) = change.of_friction(form, &bounded, other, &mut rng) else { continue };
            let changed = FrictionProblem::global(changed).and_then(|p| p.with_facets(pair[0].facets()));
            let outcome = solve(&changed.unwrap(), &mut answer);
            assert_eq!(
                outcome.status,
                Status::Solved,
                "{}, {index}, round {round}: {outcome:?}",
                change.name()
            );
            counts[k] += 1;
        }
    }
    println!("units, block, bounds, order, twice: {counts:?}");
}

/// Point masses that rest, one contact each, pushed sideways by a part of what friction holds: dt g = 0.1 m/s.
fn resting(masses: &[f64], mu: f64, push: f64) -> GlobalForm {
    let row = |dof: usize| Row { entries: vec![(dof, 1.0)], bias: 0.0 };
    GlobalForm {
        mass: masses.iter().map(|&m| (3, vec![m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, m])).collect(),
        free_velocity: masses.iter().flat_map(|_| [push * mu * 0.1, 0.0, -0.1]).collect(),
        contacts: (0..masses.len())
            .map(|i| Contact { mu, normal: row(3 * i + 2), tangents: [row(3 * i), row(3 * i + 1)] })
            .collect(),
        ..GlobalForm::default()
    }
}

#[test]
fn a_light_body_beside_a_heavy_one_is_held_against_its_own_weight() {
    for cone in [ConeShape::Facets, ConeShape::Exact] {
        for push in [0.5, 2.0] {
            let masses = [1e8, 1e-8];
            let form = resting(&masses, 0.5, push);
            let mut impulses: Vec<f64> =
                masses.iter().flat_map(|m| [0.1 * m, -0.05 * m * push.min(1.0), 0.0]).collect();
            let problem = FrictionProblem::global(form.clone()).unwrap();
            assert!(contact_residual(&problem, &impulses, cone) <= 1e-15, "{cone:?} {push}");
            for (k, part) in [(3, 1e-6), (4, 1e-6), (3, -1e-6), (4, -1e-6)] {
                let right = impulses[k];
                impulses[k] *= 1.0 + part;
                let natural = contact_residual(&problem, &impulses, cone);
                assert!(natural > 100.0 * SOLVED, "{cone:?} {push} {k}: {natural:e}");
                impulses[k] = right;
            }

            // a motor that nothing asks for, of any strength, is no excuse
            let mut form = form;
            let row = Row { entries: vec![(5, 1.0)], bias: 0.0 };
            form.bounded = vec![Bounded { row, lo: -1e18, hi: 1e18 }];
            let problem = FrictionProblem::global(form).unwrap();
            impulses.push(0.0);
            assert!(contact_residual(&problem, &impulses, cone) <= 1e-15, "{cone:?} {push}");
            impulses[3] *= 1.0 + 1e-6;
            assert!(contact_residual(&problem, &impulses, cone) > 100.0 * SOLVED, "{cone:?} {push}");
        }
    }
}

#[test]
fn contact_answers_called_solved_pass_the_verdict_again_warm_and_cold() {
    let (mut structured, mut answer) = (Structured::default(), FrictionSolution::default());
    let mut solved = 0;
    for case in Campaign::new(31).take(600) {
        let Problem::Friction(problem) = case.problem else { continue };
        if problem.n_contacts() > 24 {
            continue;
        }
        let ids: Vec<u64> = (0..problem.n_contacts() as u64).collect();
        let ids = RowIds { contacts: &ids, ..RowIds::default() };
        let mut warm = WarmStart::default();
        for round in 0..2 {
            let outcome = structured.solve_warm(
                &problem,
                ConeShape::Exact,
                ids,
                &mut warm,
                Budget::default(),
                &mut answer,
                &mut (),
            );
            if outcome.status == Status::Solved {
                let natural = contact_residual(&problem, &answer.impulses, ConeShape::Exact);
                // the impulses were divided by their scales and multiplied again: a rounding each
                assert!(natural <= 1.01 * SOLVED, "{}, round {round}: {natural:e}", case.name);
                solved += 1;
            }
        }
    }
    println!("{solved} answers of round cones held against the verdict again");
    assert!(solved > 200, "{solved}");
}

#[test]
fn joint_friction_at_rest_is_solved_to_the_rounding_of_its_bounds() {
    // seven joints with friction of 2e-3 N m s that move by what rounding leaves
    let mut form = FactoredForm::default();
    form.clear(7);
    for dof in 0..7_usize {
        let (index, value) = ([dof, (dof + 1) % 7], [1.0 + 0.1 * dof as f64, 0.3]);
        let (index, value) = if index[1] > index[0] { (index, value) } else { ([0, 6], [0.3, 1.6]) };
        let velocity = 1e-18 * (dof as f64 - 3.3);
        form.bounded(FactoredRow { index: &index, value: &value, velocity, compliance: 0.0 }, -2e-3, 2e-3);
    }
    let problem = FrictionProblem::factored(form).unwrap();
    let mut answer = FrictionSolution::default();
    let outcome = Structured::default().solve_exact(&problem, None, Budget::default(), &mut answer, &mut ());
    assert_eq!(outcome.status, Status::Solved, "{outcome:?}");
}

#[test]
fn no_stress_however_large_excuses_a_velocity() {
    // a mass between two walls, which may press it against each other as much as they like
    let row = |sign: f64, dof: usize| Row { entries: vec![(dof, sign)], bias: 0.0 };
    let wall = |sign: f64| Contact { mu: 0.5, normal: row(sign, 0), tangents: [row(1.0, 1), row(1.0, 2)] };
    let form = GlobalForm {
        mass: vec![(3, vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])],
        free_velocity: vec![0.0, 0.1, 0.0],
        contacts: vec![wall(1.0), wall(-1.0)],
        ..GlobalForm::default()
    };
    let problem = FrictionProblem::global(form).unwrap();
    let held = |stress: f64, lost: f64| [stress, -0.05, 0.0, stress * (1.0 + lost), -0.05, 0.0];
    assert!(contact_residual(&problem, &held(1.0, 0.0), ConeShape::Exact) <= SOLVED);
    // off by 5e13 m/s, which is a rounding of 1e30 N s
    assert!(contact_residual(&problem, &held(1e30, 1e-16 * 2.3), ConeShape::Exact) > SOLVED);
}

#[test]
fn what_friction_held_is_forgotten_where_there_is_none_any_more() {
    let (mut structured, mut answer) = (Structured::default(), FrictionSolution::default());
    let mut warm = WarmStart::default();
    let ids = RowIds { contacts: &[4, 9], ..RowIds::default() };
    for mu in [0.5, 0.0] {
        let problem = FrictionProblem::global(resting(&[2.0, 3.0], mu, 0.5)).unwrap();
        let mut solve = |answer: &mut FrictionSolution| {
            structured.solve_warm(
                &problem,
                ConeShape::Exact,
                ids,
                &mut warm,
                Budget::default(),
                answer,
                &mut (),
            )
        };
        assert_eq!(solve(&mut answer).status, Status::Solved);
        let held = answer.contacts.iter().map(|c| c.impulse[1].abs()).fold(0.0, f64::max);
        assert_eq!(held > 0.0, mu > 0.0, "{answer:?}");
        if mu == 0.0 {
            // an impulse that no law allows is counted by what it does to others
            let mut wrong = answer.impulses.clone();
            wrong[1] = 0.1;
            let rolled = FrictionProblem::global(coupled(&[2.0, 3.0])).unwrap();
            assert!(contact_residual(&rolled, &wrong, ConeShape::Exact) > SOLVED);
        }
    }
}

/// Those of [`resting`] without friction, the first one's sideways row lifting it as well.
fn coupled(masses: &[f64]) -> GlobalForm {
    let mut form = resting(masses, 0.0, 0.0);
    form.contacts[0].tangents[0] = Row { entries: vec![(0, 1.0), (2, 0.5)], bias: 0.0 };
    form
}

#[test]
fn much_friction_does_not_multiply_the_last_bits_of_rest() {
    for mu in [0.0, 1e-6, 1e6, 1e12] {
        let problem = FrictionProblem::global(resting(&[2.0], mu, 0.5)).unwrap();
        let held = [0.2, if mu > 0.0 { -0.1 * mu } else { 0.0 }, 0.0];
        assert!(contact_residual(&problem, &held, ConeShape::Exact) <= SOLVED, "{mu}");
        let mut answer = FrictionSolution::default();
        let solver = &mut Solver::new(Method::Robust);
        let outcome = solver.solve_friction_exact(&problem, Budget::default(), &mut answer, &mut ());
        assert_eq!(outcome.status, Status::Solved, "{mu}: {outcome:?}");
    }
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
