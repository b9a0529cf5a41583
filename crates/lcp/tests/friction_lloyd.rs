//! Lloyd's two methods: the same motion as every other method, on systems no larger than the degrees of freedom.

use gudgeon_lcp::{
    Budget, FrictionProblem, FrictionSolution, Lcp, Method, Outcome, Reduced, Residual, SOLVED, Solver,
    Stabilisation, Status, Structural, Structured,
};
use gudgeon_testkit::single::{Situation, face, frame, peg};
use gudgeon_testkit::stacks::{brick_wall, random_stack, tower};
use gudgeon_testkit::{Rng, Scene, mechanisms, piles};

/// Scenes of every kind, pushed at random; `worse` repeats their contacts.
fn scenes(worse: bool) -> Vec<Scene> {
    let mut rng = Rng::new(3);
    let mut plain: Vec<Scene> = Situation::ALL.iter().map(|s| s.scene()).collect();
    plain.extend([8, 12, 20, 32].map(peg));
    plain.extend([3, 7, 12].map(face));
    plain.push(frame(6, [0.1, 0.0]));
    plain.extend([(1, 8), (2, 12), (3, 16), (5, 32)].map(|(blocks, contacts)| tower(blocks, contacts)));
    plain.extend((0..4).map(|_| random_stack(3, &mut rng)));
    plain.extend([brick_wall(2), brick_wall(4)]);
    plain.extend([piles::pyramid(2, piles::Neighbours::Touching), piles::column(4), piles::arch(3)]);
    let mut all = Vec::new();
    for scene in plain {
        for _ in 0..3 {
            let pushed = scene.clone().with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng);
            all.push(if worse { pushed.with_duplicates() } else { pushed });
        }
    }
    all
}

fn degrees_of_freedom(problem: &FrictionProblem) -> usize {
    problem.as_global().map_or(usize::MAX, |g| g.free_velocity.len())
}

/// An answer says the truth about itself: checked on the standard problem, built without any structure.
fn check(problem: &FrictionProblem, outcome: &Outcome, solution: &FrictionSolution) {
    let mlcp = problem.to_mlcp(Stabilisation::default()).unwrap();
    let mut w = Vec::new();
    mlcp.slack(&solution.boxed.x, &mut w);
    let residual = Residual::of_mlcp(&mlcp, &solution.boxed.x, &w);
    if outcome.status == Status::Solved {
        assert!(residual.natural <= SOLVED, "{outcome:?} with {residual:?}");
    }
    assert!(solution.boxed.x.iter().chain(&solution.impulses).all(|x| x.is_finite()));
}

/// The velocities of all contacts, and the largest of them without impulses.
fn motion(problem: &FrictionProblem, solution: &FrictionSolution) -> (Vec<f64>, f64) {
    let velocities: Vec<f64> = solution.contacts.iter().flat_map(|c| c.velocity).collect();
    let mlcp = problem.to_mlcp(Stabilisation::default()).unwrap();
    (velocities, mlcp.b().iter().fold(f64::MIN_POSITIVE, |m, b| m.max(b.abs())))
}

/// An answer that says solved, with its residual from the standard problem.
struct Answer {
    name: &'static str,
    natural: f64,
    x: Vec<f64>,
    w: Vec<f64>,
    solution: FrictionSolution,
}

impl Answer {
    fn new(name: &'static str, problem: &FrictionProblem, solution: &FrictionSolution) -> Self {
        let mlcp = problem.to_mlcp(Stabilisation::default()).unwrap();
        let (x, mut w) = (solution.boxed.x.clone(), Vec::new());
        mlcp.slack(&x, &mut w);
        let natural = Residual::of_mlcp(&mlcp, &x, &w).natural;
        Self { name, natural, x, w, solution: solution.clone() }
    }

    fn velocities(&self) -> Vec<f64> {
        self.solution.contacts.iter().flat_map(|c| c.velocity).collect()
    }
}

/// Shows that two answers with different motions are two solutions, and not one found badly; answers why not.
///
/// For solutions (z, w) and (z', w') of one problem, with differences Δ,
/// ```text
///     |Δv|² + Σ mu Δθ Δλ = Δzᵀ M Δz = Δzᵀ Δw = −(zᵀw' + z'ᵀw) ≤ 0
/// ```
/// where |Δv|² is twice the kinetic energy of the difference. So motions differ only through the coupling of normal
/// impulses and slip, −Σ mu Δθ Δλ, the one part of M that is not monotone. Either a row that holds in one answer is open in
/// the other, or everything between the two is a solution. An error of ε in the rows of one solution could bring |Δv|² to ε |Δz| at most.
fn two_motions(problem: &FrictionProblem, a: &Answer, b: &Answer) -> Result<(), String> {
    let n = problem.n_contacts();
    let d = problem.facets();
    let kinetic: f64 = (a.solution.contacts.iter().zip(&b.solution.contacts))
        .flat_map(|(a, b)| (0..3).map(|k| (a.impulse[k] - b.impulse[k]) * (a.velocity[k] - b.velocity[k])))
        .sum();
    let coupling: f64 = (0..n)
        .map(|i| {
            let lambda = n + n * d + i;
            -problem.mu()[i] * (a.x[i] - b.x[i]) * (a.x[lambda] - b.x[lambda])
        })
        .sum();
    let crossed: f64 = (a.x.iter().zip(&b.w)).chain(b.x.iter().zip(&a.w)).map(|(x, w)| x * w).sum();
    let size = |v: &[f64]| v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let steps: f64 = a.x.iter().zip(&b.x).map(|(a, b)| (a - b).abs()).sum();
    let noise = 1e-12 * size(&a.w).max(size(&b.w)) * steps;
    if kinetic <= 100.0 * noise {
        return Err(format!("|dv|^2 = {kinetic:.1e} is within the noise {noise:.1e}"));
    }
    if (kinetic + crossed - coupling).abs() > 1e-6 * coupling + 10.0 * noise {
        return Err(format!("{kinetic:e} + {crossed:e} is not {coupling:e}"));
    }
    let (large, fast) = (1e-6 * size(&a.x).max(size(&b.x)), 1e-6 * size(&a.w).max(size(&b.w)));
    let changes =
        (0..a.x.len()).any(|i| (a.x[i] > large && b.w[i] > fast) || (b.x[i] > large && a.w[i] > fast));
    if changes {
        return Ok(());
    }
    // the same rows hold: then everything between the two is a solution as well
    let mlcp = problem.to_mlcp(Stabilisation::default()).unwrap();
    let middle: Vec<f64> = a.x.iter().zip(&b.x).map(|(a, b)| 0.5 * (a + b)).collect();
    let mut w = Vec::new();
    mlcp.slack(&middle, &mut w);
    let natural = Residual::of_mlcp(&mlcp, &middle, &w).natural;
    if natural <= SOLVED {
        Ok(())
    } else {
        Err(format!("the same rows hold, but their middle is off by {natural:.1e}"))
    }
}

#[test]
fn structural_reduced_robust_and_dense_lexicographic_move_alike() {
    let (mut total, mut compared, mut lexicographic, mut pairs) = (0, 0, 0, 0);
    let (mut failed, mut different) = (Vec::new(), Vec::new());
    for scene in scenes(false).into_iter().chain(scenes(true)) {
        let problem = scene.problem();
        let mut answers: Vec<Answer> = Vec::new();
        let mut solution = FrictionSolution::default();
        let mut structural = Structural::default();
        let mut reduced = Reduced::default();
        let mut take = |name: &'static str, outcome: Outcome, solution: &FrictionSolution| {
            check(&problem, &outcome, solution);
            if outcome.status == Status::Solved {
                answers.push(Answer::new(name, &problem, solution));
            } else {
                failed.push(format!("{name} on {}: {}", scene.name, outcome.status.name()));
            }
        };
        let outcome = structural.solve_friction(&problem, &mut solution);
        take("structural", outcome, &solution);
        let outcome = reduced.solve_friction(&problem, &mut solution);
        take("reduced", outcome, &solution);
        let outcome = Structured::default().solve(&problem, &mut solution);
        take("robust", outcome, &solution);
        let outcome = Solver::new(Method::Lexicographic).solve_friction(&problem, &mut solution);
        if outcome.status == Status::Solved {
            lexicographic += 1;
            take("lexicographic", outcome, &solution);
        }
        let dof = degrees_of_freedom(&problem);
        assert!(structural.reduced_size().max(reduced.reduced_size()) <= dof + 1, "{}", scene.name);
        total += 1;
        compared += usize::from(answers.len() > 1);
        let (_, size) = motion(&problem, &answers[0].solution);
        for (k, a) in answers.iter().enumerate() {
            assert!(a.natural <= SOLVED, "{} on {}: {:e}", a.name, scene.name, a.natural);
            for b in &answers[..k] {
                pairs += 1;
                let worst = a
                    .velocities()
                    .iter()
                    .zip(b.velocities())
                    .fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
                    / size;
                if worst <= 1e-8 {
                    continue;
                }
                if let Err(why) = two_motions(&problem, a, b) {
                    panic!(
                        "{} and {} on {} differ by {worst:.1e} and are not two solutions: {why} ({:.1e}, {:.1e})",
                        a.name, b.name, scene.name, a.natural, b.natural
                    );
                }
                different.push(format!("{}: {} and {} by {worst:.1e}", scene.name, a.name, b.name));
            }
        }
    }
    println!("{compared} of {total} problems, {pairs} pairs, {} with two motions", different.len());
    println!("dense lexicographic solved {lexicographic}, {} failures on the reduced basis", failed.len());
    different.iter().chain(&failed).for_each(|line| println!("  {line}"));
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn loops_limits_and_motors_are_rows_of_the_same_system() {
    let mut rng = Rng::new(9);
    for scene in [
        mechanisms::four_bar(),
        mechanisms::driven_four_bar(1.0, 0.5),
        mechanisms::chain(4),
        mechanisms::door(),
    ] {
        for _ in 0..10 {
            let problem = scene.clone().pushed(2.0, &mut rng).problem();
            let mut solution = FrictionSolution::default();
            let robust = Solver::new(Method::Robust).solve_friction(&problem, &mut solution);
            let reference = solution.impulses.clone();
            assert_eq!(robust.status, Status::Solved);
            for method in [Method::Structural, Method::Reduced] {
                let outcome = Solver::new(method).solve_friction(&problem, &mut solution);
                assert_eq!(outcome.status, Status::Solved, "{method} on {}: {outcome:?}", scene.name);
                assert_eq!(solution.impulses.len(), reference.len());
                check(&problem, &outcome, &solution);
            }
        }
    }
}

#[test]
fn a_matrix_that_is_not_symmetric_runs_through_the_same_lines() {
    let mut rng = Rng::new(4);
    let mut solution = FrictionSolution::default();
    for scene in [peg(12), tower(2, 12), face(6)] {
        for _ in 0..5 {
            let scene = scene.clone().with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng);
            let problem = scene.unsymmetric_problem(0.3, &mut rng);
            for method in [Method::Structural, Method::Reduced] {
                let outcome = Solver::new(method).solve_friction(&problem, &mut solution);
                check(&problem, &outcome, &solution);
                assert_eq!(outcome.status, Status::Solved, "{method} on {}: {outcome:?}", scene.name);
            }
        }
    }
}

#[test]
fn the_published_cover_solves_lloyds_situations_too() {
    let mut rng = Rng::new(5);
    let mut solution = FrictionSolution::default();
    let mut pivots = [0; 2];
    for situation in Situation::ALL {
        let problem = situation.scene().with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng).problem();
        for (k, sigma_cover) in [1.0, 100.0].into_iter().enumerate() {
            let mut reduced = Reduced::default();
            reduced.sigma_cover = sigma_cover;
            let outcome = reduced.solve_friction(&problem, &mut solution);
            assert_eq!(outcome.status, Status::Solved, "{}: {outcome:?}", situation.name());
            pivots[k] += outcome.pivots;
        }
    }
    assert!(pivots[1] < pivots[0], "{pivots:?}");
}

#[test]
fn a_contact_without_friction_slides_at_the_speed_it_has() {
    let mut rng = Rng::new(7);
    let mut solution = FrictionSolution::default();
    for situation in Situation::ALL {
        // convex, so that the motion is unique
        let problem = situation.scene().with_mu(0.0).pushed(2.0, &mut rng).problem();
        let robust = Structured::default().solve(&problem, &mut solution);
        assert_eq!(robust.status, Status::Solved);
        let (reference, size) = motion(&problem, &solution);
        for method in [Method::Structural, Method::Reduced] {
            let outcome = Solver::new(method).solve_friction(&problem, &mut solution);
            assert_eq!(outcome.status, Status::Solved);
            check(&problem, &outcome, &solution);
            for (a, b) in motion(&problem, &solution).0.iter().zip(&reference) {
                assert!((a - b).abs() <= 1e-8 * size, "{method} on {}: {a} and {b}", situation.name());
            }
        }
    }
}

#[test]
fn out_of_budget_leaves_the_best_iterate_so_far() {
    let mut rng = Rng::new(6);
    let problem = tower(3, 20).with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng).problem();
    let mut solution = FrictionSolution::default();
    for method in [Method::Structural, Method::Reduced] {
        let mut energies = Vec::new();
        for pivots in [0, 5, 20, 1000] {
            let outcome = Solver::new(method).solve_friction_with(
                &problem,
                Stabilisation::default(),
                Budget::pivots(pivots),
                &mut solution,
                &mut (),
            );
            check(&problem, &outcome, &solution);
            let expected = if pivots == 1000 { Status::Solved } else { Status::Budget };
            assert_eq!(outcome.status, expected, "{method}");
            assert!(outcome.pivots <= pivots);
            energies.push(outcome.residual.energy);
        }
        // more pivots never leave a worse answer
        assert!(energies.windows(2).all(|e| e[1] <= e[0]), "{method}: {energies:?}");
    }
}

#[test]
fn a_problem_without_structure_is_solved_as_by_lexicographic() {
    let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0]).unwrap();
    let (_, reference) = crate::support::solve(Method::Lexicographic, &lcp);
    for method in [Method::Structural, Method::Reduced] {
        assert_eq!(method.name().parse(), Ok(method));
        assert_eq!(crate::support::solve(method, &lcp).1, reference);
    }
}

#[test]
fn a_solver_used_again_gives_the_same_bits() {
    let mut rng = Rng::new(8);
    let problems: Vec<FrictionProblem> =
        (0..5).map(|_| peg(16).with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng).problem()).collect();
    let mut used = Reduced::default();
    for problem in &problems {
        let (mut a, mut b) = (FrictionSolution::default(), FrictionSolution::default());
        let first = used.solve_friction(problem, &mut a);
        let second = Reduced::default().solve_friction(problem, &mut b);
        assert_eq!((first, a), (second, b));
    }
}
