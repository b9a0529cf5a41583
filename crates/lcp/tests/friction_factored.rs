//! The factored form is the same problem, for every method; and warm starts by id on it.

use gudgeon_lcp::{
    Budget, ConeShape, ContactMode, FactoredForm, FactoredRow, FrictionProblem, FrictionSolution,
    FrictionTask, Method, Outcome, RowIds, Solver, Spread, Stabilisation, Status, Structured, WarmStart,
    canonical, islands, solve_islands,
};
use gudgeon_testkit::rng::Rng;
use gudgeon_testkit::scene::Scene;
use gudgeon_testkit::{mechanisms, single, stacks};

fn factored(problem: &FrictionProblem) -> FrictionProblem {
    FrictionProblem::factored(problem.to_factored().unwrap()).unwrap()
}

fn scenes() -> Vec<Scene> {
    let mut rng = Rng::new(5);
    let scenes = [
        stacks::stack(2),
        stacks::tower(3, 16),
        single::frame(6, [0.1, 0.0]),
        single::block_in_corner(),
        single::peg(8),
    ];
    scenes.into_iter().map(|s| s.pushed(0.5, &mut rng)).collect()
}

/// The largest difference of two motions, relative to the largest speed.
fn apart(a: &FrictionSolution, b: &FrictionSolution) -> f64 {
    let pairs = a.contacts.iter().zip(&b.contacts).flat_map(|(a, b)| a.velocity.into_iter().zip(b.velocity));
    let (difference, size) =
        pairs.fold((0.0_f64, 1e-3_f64), |(d, s), (a, b)| (d.max((a - b).abs()), s.max(a.abs())));
    difference / size
}

/// The same rows with compliance on some of them, and the free velocity moved by a little.
fn altered(from: &FactoredForm, compliance: f64, nudge: f64, rng: &mut Rng) -> FactoredForm {
    let mut to = FactoredForm::default();
    refill(&mut to, from, compliance, nudge, rng);
    to
}

fn refill(to: &mut FactoredForm, from: &FactoredForm, compliance: f64, nudge: f64, rng: &mut Rng) {
    to.clear(from.width());
    let push: Vec<f64> = (0..from.width()).map(|_| nudge * rng.uniform(-1.0, 1.0)).collect();
    let row = |k: usize| {
        let row = from.row(k);
        let moved: f64 = row.index.iter().zip(row.value).map(|(&i, v)| v * push[i]).sum();
        let compliance = if k.is_multiple_of(3) { compliance } else { 0.0 };
        FactoredRow { velocity: row.velocity + moved, compliance, ..row }
    };
    for (i, &mu) in from.mu().iter().enumerate() {
        to.contact(mu, [row(3 * i), row(3 * i + 1), row(3 * i + 2)]);
    }
    let first = 3 * from.n_contacts();
    for k in 0..from.n_unilateral() {
        to.unilateral(row(first + k));
    }
    for (k, &(lo, hi)) in from.bounds().iter().enumerate() {
        to.bounded(row(first + from.n_unilateral() + k), lo, hi);
    }
    for k in first + from.n_unilateral() + from.n_bounded()..from.n_rows() {
        to.equality(row(k));
    }
}

#[test]
fn every_method_takes_rows_that_the_caller_has_divided() {
    for scene in scenes() {
        let global = scene.problem();
        let problem = factored(&global);
        let mut reference = FrictionSolution::default();
        let outcome = Solver::new(Method::Robust).solve_friction(&global, &mut reference);
        assert_eq!(outcome.status, Status::Solved, "{}", scene.name);
        for method in [Method::Robust, Method::Structural, Method::Reduced] {
            let mut solution = FrictionSolution::default();
            let outcome = Solver::new(method).solve_friction(&problem, &mut solution);
            assert_eq!(outcome.status, Status::Solved, "{} {method}", scene.name);
            assert!(apart(&reference, &solution) < 1e-8, "{} {method}", scene.name);
        }
        let none = Stabilisation::default();
        // the lowered forms are those of the global form, to rounding
        let (a, b) = (global.to_mlcp(none).unwrap(), problem.to_mlcp(none).unwrap());
        assert!(a.a().iter().zip(b.a()).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0)));
        assert!(problem.to_mlcp_with_velocity().unwrap().is_ok());
        let mut exact = [FrictionSolution::default(), FrictionSolution::default()];
        for (problem, solution) in [&global, &problem].into_iter().zip(&mut exact) {
            let outcome =
                Structured::default().solve_exact(problem, None, Budget::default(), solution, &mut ());
            assert_eq!(outcome.status, Status::Solved, "{} exact", scene.name);
        }
        assert!(apart(&exact[0], &exact[1]) < 1e-8, "{} exact", scene.name);
        let mut spread = reference.clone();
        assert_eq!(canonical(&problem, &mut spread).spread, Spread::Canonical, "{}", scene.name);
    }
}

#[test]
fn islands_of_the_factored_form_are_found() {
    let mut scene = stacks::stack(1);
    let other = stacks::stack(1);
    scene.bodies.extend(other.bodies);
    scene.touches.extend(other.touches.into_iter().map(|mut t| {
        t.a += 1;
        t
    }));
    let problem = factored(&scene.problem());
    assert_eq!(islands(&problem).len(), 2);
    let mut solution = FrictionSolution::default();
    let outcome = solve_islands(&problem, 1, None, Budget::default(), &mut solution);
    assert_eq!((outcome.status, solution.contacts.len()), (Status::Solved, 8));
}

#[test]
fn compliance_is_what_it_adds_to_the_diagonal() {
    let mut rng = Rng::new(8);
    for scene in scenes() {
        let form = altered(&scene.problem().to_factored().unwrap(), 0.25, 0.0, &mut rng);
        let rows = form.n_rows();
        let mut w = vec![0.0; rows * rows];
        for (j, a) in form.rows().enumerate() {
            for (i, b) in form.rows().enumerate() {
                let mut dense = vec![0.0; form.width()];
                a.index.iter().zip(a.value).for_each(|(&k, &v)| dense[k] = v);
                w[j * rows + i] = b.index.iter().zip(b.value).map(|(&k, &v)| v * dense[k]).sum();
            }
            w[j * rows + j] += a.compliance;
        }
        let q = form.rows().map(|r| r.velocity).collect();
        let local = FrictionProblem::local_column_major(w, q, form.mu().to_vec()).unwrap();
        let problem = FrictionProblem::factored(form).unwrap();
        let (mut a, mut b) = (FrictionSolution::default(), FrictionSolution::default());
        for (problem, solution) in [(&local, &mut a), (&problem, &mut b)] {
            let outcome = Structured::default().solve(problem, solution);
            assert_eq!(outcome.status, Status::Solved, "{}", scene.name);
        }
        assert!(apart(&a, &b) < 1e-8, "{}: {}", scene.name, apart(&a, &b));
    }
}

/// Ten steps with slightly other velocities, from memory; the outcomes and the last answer.
fn steps(scene: &Scene, cone: ConeShape, warm: &mut WarmStart) -> (Vec<Outcome>, FrictionSolution) {
    let form = scene.problem().to_factored().unwrap();
    let mut rng = Rng::new(77);
    let mut problem = FrictionProblem::factored(form.clone()).unwrap();
    let contacts: Vec<u64> = (0..form.n_contacts() as u64).map(|i| 1000 - i).collect();
    let singles: Vec<u64> = (0..100).collect();
    let ids = RowIds { contacts: &contacts, unilateral: &singles, bounded: &singles };
    let mut solver = Structured::default();
    let mut solution = FrictionSolution::default();
    let mut outcomes = Vec::new();
    for _ in 0..10 {
        problem.refill(|to| refill(to, &form, 0.0, 1e-6, &mut rng)).unwrap();
        let budget = Budget::default();
        outcomes.push(solver.solve_warm(
            FrictionTask { problem: &problem, cone, ids, budget },
            warm,
            &mut solution,
            &mut (),
        ));
    }
    (outcomes, solution)
}

#[test]
fn warm_steps_are_solved_repeat_to_the_bit_and_survive_a_snapshot() {
    let mut all = scenes();
    all.extend([mechanisms::driven_four_bar(1.0, 0.5), mechanisms::chain(4), mechanisms::door()]);
    for scene in all {
        for cone in [ConeShape::Facets, ConeShape::Exact] {
            let mut warm = WarmStart::default();
            let (outcomes, solution) = steps(&scene, cone, &mut warm);
            assert!(outcomes.iter().all(|o| o.status == Status::Solved), "{} {outcomes:?}", scene.name);
            let mut again = WarmStart::default();
            assert_eq!(steps(&scene, cone, &mut again), (outcomes, solution), "{}", scene.name);
            assert_eq!(warm, again);
            let mut copy = WarmStart::from_entries(warm.entries().iter().copied());
            assert_eq!(steps(&scene, cone, &mut warm), steps(&scene, cone, &mut copy), "{}", scene.name);
            assert_eq!(warm, copy);
        }
    }
}

#[test]
fn contacts_may_come_and_go_and_change_places() {
    let scene = stacks::stack(3);
    let form = scene.problem().to_factored().unwrap();
    let mut solver = Structured::default();
    let mut solution = FrictionSolution::default();
    let mut warm = WarmStart::default();
    let mut rng = Rng::new(3);
    let mut problem = FrictionProblem::factored(form.clone()).unwrap();
    for _ in 0..20 {
        let mut chosen: Vec<u64> = (0..12).filter(|_| rng.chance(0.8)).collect();
        if rng.chance(0.5) {
            chosen.reverse();
        }
        if chosen.is_empty() {
            continue;
        }
        let filled = problem.refill(|to| {
            to.clear(form.width());
            for &id in &chosen {
                let i = usize::try_from(id).unwrap();
                to.contact(form.mu()[i], [form.row(3 * i), form.row(3 * i + 1), form.row(3 * i + 2)]);
            }
        });
        filled.unwrap();
        let ids = RowIds { contacts: &chosen, ..RowIds::default() };
        for cone in [ConeShape::Facets, ConeShape::Exact] {
            let budget = Budget::default();
            let outcome = solver.solve_warm(
                FrictionTask { problem: &problem, cone, ids, budget },
                &mut warm,
                &mut solution,
                &mut (),
            );
            assert_eq!(outcome.status, Status::Solved, "{chosen:?} {cone:?}");
            assert_eq!(warm.entries().len(), chosen.len());
        }
    }
}

/// A box on the ground with a motor that nothing bounds: −∞ ≤ x ≤ ∞ is an equation, in every way of solving.
#[test]
fn a_bounded_row_without_bounds_is_an_equation() {
    let weight = [0.0, 0.0, -0.0981];
    let unit = |k: usize, velocity: f64| (vec![k], vec![1.0], velocity);
    let rows = [unit(2, weight[2]), unit(0, 0.0), unit(1, 0.0), unit(0, -0.25), unit(1, 0.0)];
    let row =
        |k: usize| FactoredRow { index: &rows[k].0, value: &rows[k].1, velocity: rows[k].2, compliance: 0.0 };
    let mut form = FactoredForm::default();
    form.clear(3);
    form.contact(0.5, [row(0), row(1), row(2)]);
    form.bounded(row(4), -1e-3, 1e-3);
    form.bounded(row(3), f64::NEG_INFINITY, f64::INFINITY);
    let problem = FrictionProblem::factored(form).unwrap();
    let (mut solver, mut solution) = (Structured::default(), FrictionSolution::default());
    let check = |solution: &FrictionSolution, outcome: Outcome| {
        assert_eq!(outcome.status, Status::Solved);
        let [n, t1, _, side, motor] = solution.impulses[..] else { panic!("{:?}", solution.impulses) };
        // the motor wants to go at 0.25 along t1, friction holds against it
        assert!((n - 0.0981).abs() < 1e-12 && (t1 + 0.5 * n).abs() < 1e-9, "{:?}", solution.impulses);
        assert!((motor + t1 - 0.25).abs() < 1e-9 && side.abs() < 1e-9, "{:?}", solution.impulses);
        assert!((solution.contacts[0].velocity[1] - 0.25).abs() < 1e-9, "{:?}", solution.contacts);
    };
    let outcome = solver.solve(&problem, &mut solution);
    check(&solution, outcome);
    let outcome = solver.solve_exact(&problem, None, Budget::default(), &mut solution, &mut ());
    check(&solution, outcome);
    let mut warm = WarmStart::default();
    let ids = RowIds { contacts: &[1], unilateral: &[], bounded: &[2, 3] };
    for cone in [ConeShape::Exact, ConeShape::Facets] {
        for _ in 0..2 {
            let outcome = solver.solve_warm(
                FrictionTask { problem: &problem, cone, ids, budget: Budget::default() },
                &mut warm,
                &mut solution,
                &mut (),
            );
            check(&solution, outcome);
        }
    }
}

/// Bodies that no row connects are solved apart, with the answers where they belong.
#[test]
fn a_warm_solve_of_several_parts_gives_each_row_its_own_answer() {
    // three point masses; contacts on the second and the first, a bounded row on the third, limits on all of them
    let unit = |k: usize, value: f64, velocity: f64| (vec![k], vec![value], velocity);
    let mut rows = vec![];
    for (body, scale) in [(1, 2.0), (0, 1.0)] {
        rows.push(unit(3 * body + 2, scale, -0.1 * scale));
        rows.push(unit(3 * body, scale, 0.3 * scale));
        rows.push(unit(3 * body + 1, scale, 0.0));
    }
    rows.push(unit(6, 1.0, -0.5));
    rows.push(unit(7, 1.0, -0.2));
    let row =
        |k: usize| FactoredRow { index: &rows[k].0, value: &rows[k].1, velocity: rows[k].2, compliance: 0.0 };
    let mut form = FactoredForm::default();
    form.clear(9);
    form.contact(0.5, [row(0), row(1), row(2)]);
    form.contact(0.5, [row(3), row(4), row(5)]);
    form.unilateral(row(6));
    form.bounded(row(7), -0.1, 0.1);
    let problem = FrictionProblem::factored(form).unwrap();
    let ids = RowIds { contacts: &[5, 6], unilateral: &[7], bounded: &[8] };
    let (mut solver, mut solution) = (Structured::default(), FrictionSolution::default());
    for cone in [ConeShape::Exact, ConeShape::Facets] {
        let mut warm = WarmStart::default();
        for _ in 0..3 {
            let outcome = solver.solve_warm(
                FrictionTask { problem: &problem, cone, ids, budget: Budget::default() },
                &mut warm,
                &mut solution,
                &mut (),
            );
            assert_eq!(outcome.status, Status::Solved);
            let want = [0.05, -0.025, 0.0, 0.1, -0.05, 0.0, 0.5, 0.1];
            for (x, want) in solution.impulses.iter().zip(want) {
                assert!((x - want).abs() < 1e-12, "{cone:?} {:?}", solution.impulses);
            }
            assert_eq!(warm.entries().len(), 4);
            assert_eq!(solution.contacts[1].mode, ContactMode::Slip);
        }
    }
}

/// The velocities of contacts, by id, of a frame that slides: contacts in this order, from this memory.
fn slid(form: &FactoredForm, order: &[u64], warm: &mut WarmStart) -> Vec<[f64; 3]> {
    let mut own = FactoredForm::default();
    own.clear(form.width());
    for &id in order {
        let i = usize::try_from(id).unwrap();
        own.contact(form.mu()[i], [0, 1, 2].map(|k| form.row(3 * i + k)));
    }
    let problem = FrictionProblem::factored(own).unwrap();
    let (cone, budget) = (ConeShape::Exact, Budget::default());
    let ids = RowIds { contacts: order, ..RowIds::default() };
    let mut solution = FrictionSolution::default();
    let task = FrictionTask { problem: &problem, cone, ids, budget };
    let outcome = Structured::default().solve_warm(task, warm, &mut solution, &mut ());
    assert_eq!(outcome.status, Status::Solved);
    let mut velocities = vec![[0.0; 3]; order.len()];
    let answers = order.iter().zip(&solution.contacts);
    answers.for_each(|(&id, c)| velocities[usize::try_from(id).unwrap()] = c.velocity);
    velocities
}

/// How a load is split decides how a frame turns as it slides, and the law does not say how. Memory must not.
#[test]
fn what_is_remembered_does_not_choose_how_a_frame_slides() {
    let mut rng = Rng::new(11);
    for legs in [5, 6, 8, 12, 16] {
        for _ in 0..6 {
            let mut scene = single::irregular_frame(legs, [0.05, 0.02], &mut rng).with_mu(0.3);
            scene.bodies[0].velocity = [rng.uniform(-0.5, 0.5), 0.3, 0.0];
            let form = scene.problem().to_factored().unwrap();
            let mut order: Vec<u64> = (0..form.n_contacts() as u64).collect();
            let fresh = slid(&form, &order, &mut WarmStart::default());
            let mut warm = WarmStart::default();
            let _ = slid(&altered(&form, 0.0, 0.2, &mut rng), &order, &mut warm);
            let remembering = slid(&form, &order, &mut warm);
            order.reverse();
            let turned = slid(&form, &order, &mut WarmStart::default());
            let size = fresh.iter().flatten().fold(0.0_f64, |m, v| m.max(v.abs()));
            for other in [remembering, turned] {
                let pairs = fresh.iter().flatten().zip(other.iter().flatten());
                let apart = pairs.fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                assert!(apart <= 1e-9 * size, "{legs} legs: {apart:e} of {size}");
            }
        }
    }
}
