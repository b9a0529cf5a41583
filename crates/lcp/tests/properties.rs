//! No panic, no NaN, no false claim, whatever finite input.

use gudgeon_lcp::{Budget, Lcp, Mlcp, MlcpSolution, Residual, Solution, Solver, Start, Status};

use crate::support::{CLASSICAL, Random};

/// A finite number of any size, the awkward ones often.
fn any_number(random: &mut Random) -> f64 {
    match random.below(12) {
        0..=2 => 0.0,
        3 => 1.0,
        4 => -1.0,
        5 => 1e300 * random.signed(),
        6 => 1e-310 * random.signed(),
        7 => f64::MAX,
        8 => f64::MIN_POSITIVE,
        9 => random.signed() * 10_f64.powi(i32::try_from(random.below(600)).unwrap() - 300),
        _ => random.signed(),
    }
}

fn small_budget() -> Budget {
    Budget { pivots: Some(300), nodes: Some(100), ..Budget::default() }
}

#[test]
fn no_method_panics_or_answers_nan_on_any_finite_standard_problem() {
    let mut random = Random::new(30);
    let mut solvers = CLASSICAL.map(Solver::new);
    let mut solution = Solution::default();
    for case in 0..6000 {
        let n = 1 + random.below(6);
        let wild = case % 3 != 0;
        let mut number = || if wild { any_number(&mut random) } else { random.below(5) as f64 - 2.0 };
        let m: Vec<f64> = (0..n * n).map(|_| number()).collect();
        let q: Vec<f64> = (0..n).map(|_| number()).collect();
        let lcp = Lcp::from_column_major(m, q).unwrap();
        let basis: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
        let iterate: Vec<f64> = (0..n).map(|_| any_number(&mut random)).collect();
        for solver in &mut solvers {
            for start in [Start::Cold, Start::Basis(&basis), Start::Iterate(&iterate)] {
                let outcome = solver.solve_with(&lcp, start, small_budget(), &mut solution, &mut ());
                let method = solver.method();
                assert!(
                    solution.z.iter().all(|z| z.is_finite() && *z >= 0.0),
                    "{method} {lcp:?} {solution:?}"
                );
                assert!(solution.w.iter().all(|w| w.is_finite()), "{method} {lcp:?} {solution:?}");
                let residual = outcome.residual;
                assert!(!residual.natural.is_nan() && !residual.energy.is_nan(), "{method} {lcp:?}");
                assert!(!residual.fischer_burmeister.is_nan(), "{method} {lcp:?}");
                if outcome.status == Status::Solved {
                    let again = Residual::of_lcp(&lcp, &solution.z, &solution.w);
                    assert!(again.natural <= 1e-9, "{method} {lcp:?} {again:?}");
                }
                if let Some(ray) = &solution.ray {
                    assert_eq!(outcome.status, Status::Ray);
                    let numbers = ray.z.iter().chain(&ray.dz).chain([&ray.z0, &ray.dz0]);
                    assert!(numbers.clone().all(|v| v.is_finite()), "{method} {ray:?}");
                }
            }
        }
    }
}

#[test]
fn no_method_panics_on_any_finite_boxed_problem() {
    let mut random = Random::new(31);
    let mut solvers = CLASSICAL.map(Solver::new);
    let mut solution = MlcpSolution::default();
    for _ in 0..2000 {
        let n = 1 + random.below(5);
        let a: Vec<f64> = (0..n * n).map(|_| any_number(&mut random)).collect();
        let b: Vec<f64> = (0..n).map(|_| any_number(&mut random)).collect();
        let (mut lo, mut hi, mut findex) = (vec![0.0; n], vec![f64::INFINITY; n], vec![None; n]);
        for i in 0..n {
            let [x, y] = [any_number(&mut random), any_number(&mut random)];
            match random.below(5) {
                0 => {}
                1 => (lo[i], hi[i]) = (x.min(y), x.max(y)),
                2 => (lo[i], hi[i]) = (f64::NEG_INFINITY, x),
                3 => (lo[i], hi[i]) = (f64::NEG_INFINITY, f64::INFINITY),
                _ => {
                    (lo[i], hi[i]) = (-x.abs(), x.abs());
                    findex[i] = (0..i).find(|&f| findex[f].is_none() && lo[f] >= 0.0);
                }
            }
        }
        let mlcp = Mlcp::from_column_major(a, b, lo, hi).unwrap().with_friction_index(findex).unwrap();
        for solver in &mut solvers {
            let outcome = solver.solve_mlcp_with(&mlcp, small_budget(), &mut solution, &mut ());
            assert!(solution.x.iter().all(|x| !x.is_nan()), "{} {mlcp:?} {solution:?}", solver.method());
            assert!(!outcome.residual.natural.is_nan());
            if outcome.status == Status::Solved {
                assert!(outcome.residual.natural <= 1e-9);
            }
        }
    }
}
