//! Every answer is checked against the original data, never against an earlier answer.

use gudgeon_lcp::{
    Budget, Curve, Lcp, Lemke, Lexicographic, Method, Mlcp, MlcpSolution, Pgs, Residual, Search, Solution,
    Solver, Start, Status, Trace,
};

use crate::support::{CLASSICAL, Random, check, frame, gram, legs, positive_definite, solve, solve_from};

#[test]
fn a_ray_is_reported_when_no_solution_exists() {
    // −z ≥ 1 has no solution with z ≥ 0; neither has the second, where only the sum is bounded
    for (m, q) in [
        (vec![vec![-1.0, 0.0], vec![0.0, 1.0]], vec![-1.0, 1.0]),
        (vec![vec![0.0, 0.0], vec![0.0, 0.0]], vec![-1.0, 2.0]),
        (vec![vec![1.0, -1.0], vec![-1.0, 1.0]], vec![-1.0, -1.0]),
    ] {
        let lcp = Lcp::from_rows(&m, q).unwrap();
        for method in [Method::Lemke, Method::Lexicographic, Method::Search] {
            let (outcome, solution) = solve(method, &lcp);
            assert_eq!(outcome.status, Status::Ray, "{method}");
            let ray = solution.ray.unwrap();
            assert!(ray.violation(&lcp) < 1e-12, "{method}: {}", ray.violation(&lcp));
            assert!(ray.proves_infeasible(&lcp), "{method}");
        }
        for method in [Method::Murty, Method::BlockPivot, Method::Dantzig, Method::Pgs] {
            assert_ne!(solve(method, &lcp).0.status, Status::Solved, "{method}");
        }
    }
}

#[test]
fn rays_hold_in_original_coordinates_from_any_start() {
    let mut random = Random::new(2);
    let mut rays = 0;
    for _ in 0..400 {
        let n = 2 + random.below(5);
        let m: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| random.signed()).collect()).collect();
        let lcp = Lcp::from_rows(&m, (0..n).map(|_| random.signed()).collect()).unwrap();
        let basis: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
        for method in [Method::Lemke, Method::Lexicographic, Method::Search] {
            let (outcome, solution) =
                solve_from(&mut Solver::new(method), &lcp, Start::Basis(&basis), Budget::default());
            if outcome.status == Status::Ray {
                rays += 1;
                let violation = solution.ray.unwrap().violation(&lcp);
                assert!(violation < 1e-9, "{method}: {violation}");
            }
        }
    }
    println!("{rays} rays checked");
    assert!(rays > 50);
}

#[test]
fn a_solution_is_a_start_that_needs_no_pivot() {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let lcp = positive_definite(&mut random, 9);
        for method in [
            Method::Lemke,
            Method::Lexicographic,
            Method::Search,
            Method::Murty,
            Method::BlockPivot,
            Method::Pgs,
        ] {
            let (_, solution) = solve(method, &lcp);
            let start = if method == Method::Pgs {
                Start::Iterate(&solution.z)
            } else {
                Start::Basis(&solution.basis)
            };
            let (again, _) = solve_from(&mut Solver::new(method), &lcp, start, Budget::default());
            assert_eq!((again.status, again.pivots), (Status::Solved, 0), "{method}");
        }
    }
}

#[test]
fn any_regular_basis_leads_to_the_solution() {
    let mut random = Random::new(4);
    for _ in 0..50 {
        let n = 7;
        let lcp = positive_definite(&mut random, n);
        let basis: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
        for method in [Method::Lemke, Method::Lexicographic, Method::Murty, Method::BlockPivot] {
            let (outcome, _) =
                solve_from(&mut Solver::new(method), &lcp, Start::Basis(&basis), Budget::default());
            assert_eq!(outcome.status, Status::Solved, "{method}");
        }
    }
}

#[test]
fn a_singular_start_is_inaccurate_and_a_short_one_is_padded() {
    let lcp = frame(&legs(&mut Random::new(0), 5, true), [0.1, 0.2]);
    for method in [Method::Lemke, Method::Lexicographic, Method::Search, Method::Murty, Method::BlockPivot] {
        let all = [true; 5];
        let (outcome, _) = solve_from(&mut Solver::new(method), &lcp, Start::Basis(&all), Budget::default());
        assert_eq!(outcome.status, Status::Inaccurate, "{method}");
        let (outcome, _) =
            solve_from(&mut Solver::new(method), &lcp, Start::Basis(&[true]), Budget::default());
        assert_eq!(outcome.status, Status::Solved, "{method}");
        let nan = [f64::NAN; 7];
        let (outcome, _) =
            solve_from(&mut Solver::new(method), &lcp, Start::Iterate(&nan), Budget::default());
        assert_eq!(outcome.status, Status::Solved, "{method}");
    }
}

#[test]
fn settings_travel_with_the_solver() {
    let lcp = frame(&legs(&mut Random::new(1), 6, false), [0.1, -0.3]);
    let solvers: [(fn() -> Solver, Method); 4] = [
        (|| Solver::from(Lemke::with_pivot_tolerance(1e-9)), Method::Lemke),
        (|| Solver::from(Lexicographic::with_delta(1e-6)), Method::Lexicographic),
        (|| Solver::from(Search::with_thresholds(1e-9, 1e-6)), Method::Search),
        (|| Solver::from(Pgs::with_relaxation(1.3)), Method::Pgs),
    ];
    for (solver, method) in solvers {
        let mut solver = solver();
        assert_eq!(solver.method(), method);
        assert_eq!(
            solve_from(&mut solver, &lcp, Start::Cold, Budget::default()).0.status,
            Status::Solved,
            "{method}"
        );
    }
    for method in Method::ALL {
        assert_eq!(method.name().parse(), Ok(method));
        assert_eq!(Solver::new(method).method(), method);
    }
}

#[test]
fn a_trace_follows_the_path_and_its_errors_are_small() {
    let lcp = positive_definite(&mut Random::new(8), 10);
    for method in [Method::Lemke, Method::Lexicographic, Method::Search] {
        let (mut trace, mut solution) = (Trace::default(), Solution::default());
        let outcome =
            Solver::new(method).solve_with(&lcp, Start::Cold, Budget::default(), &mut solution, &mut trace);
        check(&lcp, &outcome, &solution);
        assert_eq!(trace.pivots.len(), outcome.nodes);
        assert_eq!(trace.pivots.last().unwrap().leaving, gudgeon_lcp::Variable::Z0);
        // the first node of a search is the dummy of step 0, whose error is not asked
        let measured = trace.pivots.iter().filter(|p| !p.error.is_nan());
        assert!(measured.clone().count() + 1 >= outcome.nodes);
        assert!(measured.clone().all(|p| p.error < 1e-12));
    }
}

#[test]
fn sweeps_lower_the_energy_error_and_a_budget_keeps_the_best() {
    // rows in units of their own are solved in fewer than 40 sweeps here: half as many are too few
    let lcp = positive_definite(&mut Random::new(9), 20);
    let (mut curve, mut solution) = (Curve::default(), Solution::default());
    let outcome =
        Solver::new(Method::Pgs).solve_with(&lcp, Start::Cold, Budget::pivots(20), &mut solution, &mut curve);
    check(&lcp, &outcome, &solution);
    assert_eq!((outcome.status, outcome.pivots, curve.sweeps.len()), (Status::Budget, 20, 20));
    let least = curve.sweeps.iter().map(|s| s.energy).fold(f64::INFINITY, f64::min);
    assert!((outcome.residual.energy / least - 1.0).abs() < 1e-6);
    let (first, last) = (curve.sweeps[0], curve.sweeps[19]);
    println!("20 sweeps: {:.1e} J to {:.1e} J", first.energy, last.energy);
    assert!(last.energy < 1e-2 * first.energy);
    assert!(last.natural < first.natural && last.fischer_burmeister < first.fischer_burmeister);
}

/// Random impulses with box friction: normals and two tangents each.
fn box_friction(random: &mut Random, contacts: usize, mu: f64) -> Mlcp {
    let n = 3 * contacts;
    let rank = n.min(6 + contacts);
    let a = gram(random, n, rank, 0.05);
    let b = (0..n).map(|i| if i % 3 == 0 { -random.unit() } else { random.signed() }).collect();
    let lo = (0..n).map(|i| if i % 3 == 0 { 0.0 } else { -mu }).collect();
    let hi = (0..n).map(|i| if i % 3 == 0 { f64::INFINITY } else { mu }).collect();
    let findex = (0..n).map(|i| (i % 3 != 0).then_some(i - i % 3)).collect();
    Mlcp::from_column_major(a, b, lo, hi).unwrap().with_friction_index(findex).unwrap()
}

#[test]
fn box_friction_is_coupled_in_truth_or_not_called_solved() {
    let mut random = Random::new(10);
    let mut solved = [0; 8];
    for _ in 0..100 {
        let contacts = 1 + random.below(5);
        let mlcp = box_friction(&mut random, contacts, 0.4);
        for (k, method) in CLASSICAL.into_iter().enumerate() {
            if method == Method::Search && contacts > 2 {
                continue;
            }
            let mut solution = MlcpSolution::default();
            let outcome = Solver::new(method).solve_mlcp(&mlcp, &mut solution);
            let residual = Residual::of_mlcp(&mlcp, &solution.x, &solution.w);
            assert_eq!(residual.natural, outcome.residual.natural, "{method}");
            if outcome.status == Status::Solved {
                assert!(residual.natural <= 1e-9);
                solved[k] += 1;
            }
        }
    }
    let table: Vec<String> = CLASSICAL.iter().zip(solved).map(|(m, s)| format!("{m} {s}")).collect();
    println!("box friction, of 100 (search: fewer tried): {}", table.join(", "));
    assert!(solved[5] >= 95 && solved[6] >= 95);
}

#[test]
fn boxed_problems_are_solved_alike_with_bounds_and_without() {
    let mut random = Random::new(11);
    for _ in 0..60 {
        let n = 1 + random.below(10);
        let a = gram(&mut random, n, n, 0.2);
        let b: Vec<f64> = (0..n).map(|_| 3.0 * random.signed()).collect();
        let (mut lo, mut hi) = (vec![0.0; n], vec![0.0; n]);
        for i in 0..n {
            let centre = random.signed();
            let [below, above] = [random.unit(), random.unit()];
            (lo[i], hi[i]) = match random.below(5) {
                0 => (f64::NEG_INFINITY, f64::INFINITY),
                1 => (f64::NEG_INFINITY, centre),
                2 => (centre, f64::INFINITY),
                3 => (centre, centre),
                _ => (centre - below, centre + above),
            };
        }
        let mlcp = Mlcp::from_column_major(a, b, lo, hi).unwrap();
        let mut reference: Option<Vec<f64>> = None;
        for method in [
            Method::Lexicographic,
            Method::Lemke,
            Method::Murty,
            Method::BlockPivot,
            Method::Dantzig,
            Method::Pgs,
        ] {
            let mut solution = MlcpSolution::default();
            let outcome = Solver::new(method).solve_mlcp(&mlcp, &mut solution);
            assert_eq!(outcome.status, Status::Solved, "{method}: {outcome:?} {mlcp:?}");
            let reference = reference.get_or_insert_with(|| solution.x.clone());
            for (x, r) in solution.x.iter().zip(reference) {
                assert!((x - *r).abs() < 1e-6, "{method}: {x} against {r}");
            }
        }
    }
}
