//! `solved` is solved for contact with friction: nothing excuses a row but its own numbers, warm or cold, with polygons and round
//! cones.

use gudgeon_lcp::{
    Bounded, Budget, ConeShape, Contact, FactoredForm, FactoredRow, FrictionProblem, FrictionSolution,
    FrictionTask, GlobalForm, Method, Row, RowIds, SOLVED, Solver, Status, Structured, WarmStart,
    contact_residual,
};
use gudgeon_testkit::Rng;
use gudgeon_testkit::campaign::{Campaign, Problem};
use gudgeon_testkit::change::Change;

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
                FrictionTask { problem: &problem, cone: ConeShape::Exact, ids, budget: Budget::default() },
                &mut warm,
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
fn a_servo_far_from_its_bounds_holds_fingers_at_their_limit_to_rounding() {
    // 0.2 N s on two fingers at their limits that creep at 1e-8 m/s, beside an arm that moves: the distance of the servo's impulse
    // from its lower bound has lost seven digits, and the arm must not hide it
    let mut rng = Rng::new(16);
    let (mut structured, mut warm, mut answer) =
        (Structured::default(), WarmStart::default(), FrictionSolution::default());
    for step in 0..200 {
        let creep = rng.uniform(-1e-8, 1e-8);
        let apart = rng.uniform(0.0, 1e-9);
        let mut form = FactoredForm::default();
        form.clear(3);
        let row = |index, value, velocity, compliance| FactoredRow { index, value, velocity, compliance };
        form.unilateral(row(&[0], &[-4.1], -creep, 0.0));
        form.unilateral(row(&[0, 1], &[-4.1, 1e-9], -creep - apart, 0.0));
        form.bounded(row(&[0], &[4.1], creep + 3e-9, 45.0), -0.2, 0.2);
        form.bounded(row(&[2], &[1.7], rng.uniform(0.0, 0.3), 0.0), -0.5, 0.5);
        let problem = FrictionProblem::factored(form).unwrap();
        let ids = RowIds { unilateral: &[1, 2], bounded: &[3, 4], ..RowIds::default() };
        let budget = Budget::default();
        let cone = ConeShape::Exact;
        let outcome = structured.solve_warm(
            FrictionTask { problem: &problem, cone, ids, budget },
            &mut warm,
            &mut answer,
            &mut (),
        );
        assert_eq!(outcome.status, Status::Solved, "step {step}: {outcome:?}");
        let [first, second, servo, _] = answer.impulses[..] else { panic!("four rows") };
        let left = 4.1 * 4.1 * (servo - first - second) + 45.0 * servo + creep + 3e-9;
        // of velocities of 1e-8 m/s, in a problem that is solved to 1e-9 of them
        assert!(left.abs() <= 2e-17, "step {step}: {left:e}");
    }
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
                FrictionTask { problem: &problem, cone: ConeShape::Exact, ids, budget: Budget::default() },
                &mut warm,
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

/// A motor of 1e300 against a joint that is held: no contact beside them is excused by it.
#[test]
fn motors_without_a_limit_excuse_no_contact_beside_them() {
    let row = |dof: usize, bias: f64| Row { entries: vec![(dof, 1.0)], bias };
    for limit in [1e12, 1e18, 1e300] {
        let form = GlobalForm {
            mass: vec![(
                4,
                vec![1.0, 0.0, 0.0, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.1, 0.0, 0.0, 1.0],
            )],
            free_velocity: vec![0.0, 0.0, -0.1, 0.0],
            contacts: vec![Contact { mu: 0.5, normal: row(2, 0.0), tangents: [row(0, 0.0), row(1, 0.0)] }],
            equality: vec![row(3, 0.0)],
            bounded: vec![Bounded { row: row(3, -1.6), lo: -1.0, hi: limit }],
            ..GlobalForm::default()
        };
        let problem = FrictionProblem::global(form).unwrap();
        let (mut solver, mut answer) = (Solver::new(Method::Robust), FrictionSolution::default());
        for round in [false, true] {
            let outcome = if round {
                solver.solve_friction_exact(&problem, Budget::default(), &mut answer, &mut ())
            } else {
                solver.solve_friction(&problem, &mut answer)
            };
            let [fall, ..] = answer.contacts[0].velocity;
            println!("{limit:e}, round {round}: {:?}, {fall:e} m/s", outcome.status);
            assert!(outcome.status != Status::Solved || fall.abs() <= 1e-8, "{limit:e}: {fall} m/s");
        }
    }
}

/// A problem with every mass and every velocity multiplied; bounds with both.
fn in_units(form: &GlobalForm, mass: f64, speed: f64) -> GlobalForm {
    let mut form = form.clone();
    form.mass.iter_mut().flat_map(|(_, m)| m).for_each(|m| *m *= mass);
    form.free_velocity.iter_mut().for_each(|v| *v *= speed);
    for contact in &mut form.contacts {
        contact.normal.bias *= speed;
        contact.tangents.iter_mut().for_each(|row| row.bias *= speed);
    }
    let others = form.unilateral.iter_mut().chain(form.bounded.iter_mut().map(|b| &mut b.row));
    others.chain(&mut form.equality).for_each(|row| row.bias *= speed);
    for bounded in &mut form.bounded {
        bounded.lo *= mass * speed;
        bounded.hi *= mass * speed;
    }
    form
}

/// Masses of 1e277 and velocities of 1e-180 are numbers like any other: the same answer, to the last bits. Where scales stopped at
/// 1e90, masses of 1e290 had every impulse called solved.
#[test]
fn units_at_the_ends_of_the_range_change_no_answer() {
    let mut counts = [0; 2];
    let scenes = Campaign::new(71).filter_map(|case| match case.problem {
        Problem::Friction(p) if p.n_contacts() <= 12 && p.as_global().is_some() => Some(p),
        _ => None,
    });
    let power = |exponent: i32| 2_f64.powi(exponent);
    for problem in scenes.take(40) {
        let form = problem.as_global().unwrap();
        for round in [false, true] {
            let solve = |form: GlobalForm| {
                let problem =
                    FrictionProblem::global(form).and_then(|p| p.with_facets(problem.facets())).unwrap();
                let (mut solver, mut answer) = (Solver::new(Method::Robust), FrictionSolution::default());
                let outcome = if round {
                    solver.solve_friction_exact(&problem, Budget::default(), &mut answer, &mut ())
                } else {
                    solver.solve_friction(&problem, &mut answer)
                };
                assert_eq!(outcome.status, Status::Solved, "round {round}: {outcome:?}");
                answer.impulses
            };
            let own = solve(form.clone());
            let largest = own.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (mass, speed) in [(920, 0), (-920, 0), (0, -600), (0, 480), (600, -500), (-600, 480)] {
                let (mass, speed) = (power(mass), power(speed));
                let other = solve(in_units(form, mass, speed));
                for (x, y) in own.iter().zip(&other) {
                    assert!((x - y / mass / speed).abs() <= 1e-12 * largest, "{x} and {y:e}, round {round}");
                }
                counts[usize::from(round)] += 1;
            }
        }
    }
    println!("polygons, round: {counts:?}");
}

#[test]
fn what_is_far_away_or_out_of_reach_excuses_no_contact_beside_it() {
    let row = |dof: usize, bias: f64| Row { entries: vec![(dof, 1.0)], bias };
    for far in [1.0, 1e6, 1e12, 1e15, 1e18, 1e100, 1e300] {
        // one body with a second contact, or a limit, that is far from closing, or a motor that never reaches its speed
        let rests = resting(&[1.0], 0.5, 0.5);
        let mut contact = rests.clone();
        contact.contacts.push(Contact { mu: 0.5, normal: row(2, far), tangents: [row(0, 0.0), row(1, 0.0)] });
        let mut limit = rests.clone();
        limit.unilateral = vec![row(2, far)];
        let mut motor = rests.clone();
        motor.bounded = vec![Bounded { row: row(0, -far), lo: -1e-3, hi: 1e-3 }];
        for (what, form, idle) in [("contact", contact, 0.0), ("limit", limit, 0.0), ("motor", motor, 1e-3)] {
            let problem = FrictionProblem::global(form).unwrap();
            let (mut answer, mut solver) = (FrictionSolution::default(), Solver::new(Method::Robust));
            for round in [false, true] {
                let outcome = if round {
                    solver.solve_friction_exact(&problem, Budget::default(), &mut answer, &mut ())
                } else {
                    solver.solve_friction(&problem, &mut answer)
                };
                let x = &answer.impulses;
                println!("{what} {far:e}, round {round}: {:?} {x:?}", outcome.status);
                assert_eq!(outcome.status, Status::Solved, "{what} {far:e}, round {round}");
                assert!((x[0] - 0.1).abs() <= 1e-9, "{what} {far:e}, round {round}: {x:?}");
                assert!((x[3] - idle).abs() <= 1e-12, "{what} {far:e}, round {round}: {x:?}");
            }
            let none = vec![0.0; problem.n_rows()];
            for cone in [ConeShape::Facets, ConeShape::Exact] {
                assert!(contact_residual(&problem, &none, cone) > 1e-3, "{what} {far:e}");
            }
        }
    }
}
