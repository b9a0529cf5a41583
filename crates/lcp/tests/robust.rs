//! The default method against problems chosen to break it.

use gudgeon_lcp::{
    Budget, FrictionLcp, Lcp, Method, Mlcp, MlcpSolution, Outcome, Residual, Solution, Solver, Stabilisation,
    Start, Status,
};
use gudgeon_testkit::{Rng, single};

use crate::support::{Random, check, frame, gram, legs, positive_definite, resting_face};

/// Solves cold; every claim is checked, once more without the library's own measure.
fn solve(lcp: &Lcp) -> (Outcome, Solution) {
    let mut solution = Solution::default();
    let outcome = Solver::new(Method::Robust).solve(lcp, &mut solution);
    check(lcp, &outcome, &solution);
    if outcome.status == Status::Solved {
        let worst = worst_row(lcp, &solution.z);
        assert!(worst < 1e-6, "called solved, a row is off by {worst} of its own numbers: {lcp:?}");
    }
    (outcome, solution)
}

/// The largest error of a row, against the sum of the magnitudes that it is made of.
fn worst_row(lcp: &Lcp, z: &[f64]) -> f64 {
    let n = lcp.n();
    (0..n).fold(0.0, |worst: f64, i| {
        let terms = || (0..n).map(|j| lcp.entry(i, j) * z[j]);
        let w = terms().sum::<f64>() + lcp.q()[i];
        let size = terms().map(f64::abs).sum::<f64>() + lcp.q()[i].abs();
        let off = if z[i] == 0.0 { -w } else { w.abs() };
        if off > 0.0 { worst.max(off / size) } else { worst }
    })
}

fn signed(random: &mut Random, count: usize) -> Vec<f64> {
    (0..count).map(|_| random.signed()).collect()
}

fn lcp(m: Vec<f64>, q: Vec<f64>) -> Lcp {
    Lcp::from_column_major(m, q).unwrap()
}

fn skew(random: &mut Random, n: usize) -> Vec<f64> {
    let mut m = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..i {
            m[j * n + i] = random.signed();
            m[i * n + j] = -m[j * n + i];
        }
    }
    m
}

const SIZES: [usize; 7] = [1, 2, 5, 12, 13, 20, 40];

#[test]
fn classes_that_always_have_a_solution_are_always_solved() {
    let mut random = Random::new(40);
    for n in SIZES.into_iter().cycle().take(140) {
        let q = signed(&mut random, n);
        let zero = vec![0.0; n * n];
        let nonnegative = q.iter().map(|q| q.abs()).collect();
        assert_eq!(solve(&lcp(zero, nonnegative)).0.status, Status::Solved);

        let mut positive: Vec<f64> = (0..n * n).map(|_| random.unit()).collect();
        (0..n).for_each(|i| positive[i * n + i] += 0.1);
        assert_eq!(solve(&lcp(positive, q.clone())).0.status, Status::Solved, "strictly copositive");

        // positive definite and unsymmetric
        let m = gram(&mut random, n, n, 0.1);
        let turned = m.iter().zip(skew(&mut random, n)).map(|(m, s)| m + s).collect();
        assert_eq!(solve(&lcp(turned, q.clone())).0.status, Status::Solved, "P-matrix");

        // semi-definite, planted, and nearly singular
        for ridge in [0.0, 1e-40, 1e-17, 1e-14, 1e-10, 1e-6] {
            let m = gram(&mut random, n, n.div_ceil(2), ridge);
            let z: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { random.unit() } else { 0.0 }).collect();
            let w = |i: usize| if i % 3 == 1 && i % 2 == 1 { 0.5 } else { 0.0 };
            let q = (0..n).map(|i| w(i) - (0..n).map(|j| m[j * n + i] * z[j]).sum::<f64>()).collect();
            assert_eq!(solve(&lcp(m, q)).0.status, Status::Solved, "planted, ridge {ridge}");
        }
    }
}

#[test]
fn units_from_1e_150_to_1e150_change_nothing() {
    let mut random = Random::new(41);
    for unit in [1e-150, 1e-100, 1e-30, 1e30, 1e100, 1e150] {
        for n in SIZES {
            let (m, q) = (gram(&mut random, n, n, 0.1), signed(&mut random, n));
            let scaled: Vec<f64> = m.iter().map(|m| m * unit).collect();
            let q_scaled = q.iter().map(|q| q * unit).collect();
            // each row in a unit of its own: D M D, D q
            let d: Vec<f64> = (0..n).map(|_| unit.powf(0.5 * random.signed())).collect();
            let rows = (0..n * n).map(|k| m[k] * d[k % n] * d[k / n]).collect();
            let q_rows = q.iter().zip(&d).map(|(q, d)| q * d).collect();
            for problem in [lcp(scaled.clone(), q), lcp(scaled, q_scaled), lcp(rows, q_rows)] {
                assert_eq!(solve(&problem).0.status, Status::Solved, "unit {unit}, n = {n}");
            }
        }
    }
}

#[test]
fn problems_of_no_class_are_never_called_solved_when_they_are_not() {
    let mut random = Random::new(42);
    let mut counts = [0; 2];
    for n in SIZES.into_iter().cycle().take(70) {
        let q = signed(&mut random, n);
        let any = signed(&mut random, n * n);
        for m in [vec![0.0; n * n], skew(&mut random, n), gram(&mut random, n, n.div_ceil(3), 0.0), any] {
            let (outcome, _) = solve(&lcp(m, q.clone()));
            counts[usize::from(outcome.status == Status::Solved)] += 1;
        }
    }
    println!("{} unsolved, {} solved", counts[0], counts[1]);
    assert!(counts[0] > 50 && counts[1] > 50);
}

#[test]
fn rows_of_noise_do_not_excuse_the_others() {
    // a row of 1e-30 beside rows of one: its impulse is 1e30, and the whole problem looks small against it
    let tiny = lcp(vec![1.0, 0.0, 0.0, 1e-30], vec![-1.0, -1.0]);
    let (outcome, solution) = solve(&tiny);
    assert!(outcome.status != Status::Solved || (solution.z[0] - 1.0).abs() < 1e-9);

    let mut random = Random::new(43);
    let mut solved = 0;
    for noise in [1e-6, 1e-10, 1e-14, 1e-17, 1e-24, 1e-30, 1e-40] {
        for n in SIZES.into_iter().skip(1).cycle().take(30) {
            let (mut m, half) = (gram(&mut random, n, n, 0.1), n.div_ceil(2));
            for j in 0..n {
                for i in (0..n).filter(|&i| i < half || j < half) {
                    m[j * n + i] = noise * random.signed();
                }
            }
            let q = signed(&mut random, n);
            let _ = solve(&lcp(m.clone(), q.clone()));
            // with a diagonal above the rest the row is an honest, heavy body
            (0..half).for_each(|i| m[i * n + i] = noise * n as f64);
            let (outcome, _) = solve(&lcp(m, q));
            if noise >= 1e-24 {
                assert_eq!(outcome.status, Status::Solved, "noise {noise}, n = {n}");
                solved += 1;
            }
        }
    }
    assert_eq!(solved, 150);
}

#[test]
fn a_problem_without_a_solution_is_given_up_after_bounded_work() {
    let mut random = Random::new(44);
    for n in [100, 200, 300] {
        let negative = (0..n * n).map(|_| -random.unit()).collect();
        let matrices = [
            signed(&mut random, n * n),
            skew(&mut random, n),
            gram(&mut random, n, n / 2, 0.0),
            gram(&mut random, n, 10, 0.0),
            negative,
        ];
        for (kind, m) in matrices.into_iter().enumerate() {
            let q = (0..n).map(|_| random.signed() - 0.5).collect();
            let (outcome, _) = solve(&lcp(m, q));
            let (pivots, nodes) = (outcome.pivots, outcome.nodes);
            println!("n = {n}, kind {kind}: {} after {pivots} pivots, {nodes} nodes", outcome.status.name());
            assert!(pivots <= 40_000, "n = {n}, kind {kind}: {outcome:?}");
        }
    }
}

#[test]
fn the_exponential_examples_end_with_an_answer() {
    // lower triangles of twos [Murty], and their symmetric product [Fathi]; both P-matrices, q = −e or −2^(n−i)
    for n in [1, 4, 10, 20, 30] {
        let lower = |i: usize, j: usize| match i.cmp(&j) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => 2.0,
        };
        let matrix = |entry: &dyn Fn(usize, usize) -> f64| -> Vec<f64> {
            (0..n * n).map(|k| entry(k % n, k / n)).collect()
        };
        let murty = matrix(&lower);
        let fathi = matrix(&|i, j| (0..n).map(|k| lower(i, k) * lower(j, k)).sum());
        let powers: Vec<f64> = (0..n).map(|i| -(2_f64.powi(i32::try_from(n - i).unwrap()))).collect();
        for m in [murty, fathi] {
            for q in [vec![-1.0; n], powers.clone(), powers.iter().rev().copied().collect()] {
                let (outcome, _) = solve(&lcp(m.clone(), q));
                assert_eq!(outcome.status, Status::Solved, "n = {n}");
            }
        }
    }
}

/// A finite number of any size, the awkward ones often.
fn any_number(random: &mut Random) -> f64 {
    match random.below(10) {
        0..=2 => 0.0,
        3 => 1.0,
        4 => -1.0,
        5 => 1e300 * random.signed(),
        6 => 1e-310 * random.signed(),
        7 => f64::MAX,
        _ => random.signed() * 10_f64.powi(i32::try_from(random.below(600)).unwrap() - 300),
    }
}

#[test]
fn no_finite_standard_problem_makes_it_panic_or_answer_nan() {
    let mut random = Random::new(45);
    let mut solver = Solver::new(Method::Robust);
    let mut solution = Solution::default();
    for case in 0..3000 {
        let n = 1 + random.below(5);
        let wild = case % 3 != 0;
        let mut number = || if wild { any_number(&mut random) } else { random.below(5) as f64 - 2.0 };
        let m = (0..n * n).map(|_| number()).collect();
        let q = (0..n).map(|_| number()).collect();
        let problem = lcp(m, q);
        let basis: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
        for start in [Start::Cold, Start::Basis(&basis)] {
            let outcome = solver.solve_with(&problem, start, Budget::default(), &mut solution, &mut ());
            assert!(solution.z.iter().all(|z| z.is_finite() && *z >= 0.0), "{problem:?} {solution:?}");
            assert!(solution.w.iter().all(|w| w.is_finite()), "{problem:?} {solution:?}");
            assert!(!outcome.residual.natural.is_nan(), "{problem:?}");
        }
    }
}

#[test]
fn boxed_problems_of_every_kind_of_row_are_answered_within_their_bounds() {
    let mut random = Random::new(46);
    let mut solver = Solver::new(Method::Robust);
    let mut solution = MlcpSolution::default();
    let (mut planted, mut wild) = (0, 0);
    for case in 0..2000 {
        let n = 1 + random.below(8);
        // free blocks are singular in two cases of three
        let rank = 1 + random.below(n);
        let a = match case % 3 {
            0 => gram(&mut random, n, n, 0.1),
            1 => gram(&mut random, n, rank, 0.0),
            _ => {
                wild += 1;
                (0..n * n).map(|_| random.below(3) as f64 - 1.0).collect()
            }
        };
        let (mut lo, mut hi) = (vec![0.0; n], vec![f64::INFINITY; n]);
        let mut findex = vec![None; n];
        for i in 0..n {
            (lo[i], hi[i]) = match random.below(6) {
                0 => (f64::NEG_INFINITY, f64::INFINITY),
                1 => (0.5, 0.5),
                2 => (-1.0, 1.0),
                3 => (f64::NEG_INFINITY, 1.0),
                4 if i > 0 && findex[i - 1].is_none() => {
                    findex[i] = Some(i - 1);
                    (-0.5, 0.5)
                }
                _ => (0.0, f64::INFINITY),
            };
        }
        // b = −A x for an x within its bounds: w = 0 solves it
        let mut x: Vec<f64> = (0..n).map(|i| random.unit().clamp(lo[i], hi[i])).collect();
        (0..n).filter(|&i| findex[i].is_some()).for_each(|i| x[i] = 0.4 * x[i - 1]);
        let b: Vec<f64> = if case % 3 == 2 {
            signed(&mut random, n)
        } else {
            (0..n).map(|i| -(0..n).map(|j| a[j * n + i] * x[j]).sum::<f64>()).collect()
        };
        let mlcp = Mlcp::from_column_major(a, b, lo, hi).unwrap().with_friction_index(findex).unwrap();
        let outcome = solver.solve_mlcp(&mlcp, &mut solution);
        let mut w = Vec::new();
        mlcp.slack(&solution.x, &mut w);
        assert_eq!(w, solution.w);
        for i in 0..n {
            let (lo, hi) = mlcp.bounds_at(i, &solution.x);
            assert!((lo..=hi).contains(&solution.x[i]), "{mlcp:?} {solution:?}");
        }
        let natural = Residual::of_mlcp(&mlcp, &solution.x, &w).natural;
        assert_eq!(natural <= 1e-9, outcome.status == Status::Solved, "{mlcp:?} {outcome:?}");
        // friction on a normal that may pull is in no class that a path is sure to solve
        let presses = |i: usize| mlcp.findex()[i].is_none_or(|f| mlcp.lo()[f] >= 0.0);
        if case % 3 < 2 && (0..n).all(presses) {
            assert_eq!(outcome.status, Status::Solved, "{case}: {mlcp:?} {outcome:?}");
            planted += 1;
        }
    }
    assert!(planted > 900 && wild > 600, "{planted} {wild}");
}

#[test]
fn more_pivots_never_make_the_best_iterate_worse() {
    let mut random = Random::new(47);
    let mut problems: Vec<Lcp> =
        (4..16).map(|n| frame(&legs(&mut random, n, n % 2 == 0), [0.1, 0.1])).collect();
    problems.extend((1..30).map(|n| positive_definite(&mut random, n)));
    problems.extend((2..8).map(|contacts| {
        let face = resting_face(&mut random, contacts, 0.3, 4);
        let lowered = FrictionLcp::new(&face, Stabilisation::default()).unwrap();
        lowered.lcp().unwrap().clone()
    }));
    let mut solver = Solver::new(Method::Robust);
    let mut solution = Solution::default();
    for problem in &problems {
        let mut last = f64::INFINITY;
        for pivots in 0.. {
            let budget = Budget::pivots(pivots);
            let outcome = solver.solve_with(problem, Start::Cold, budget, &mut solution, &mut ());
            check(problem, &outcome, &solution);
            assert!(outcome.pivots <= pivots);
            if outcome.status == Status::Solved {
                break;
            }
            assert_eq!(outcome.status, Status::Budget);
            assert!(outcome.residual.energy <= last, "{pivots}: {} after {last}", outcome.residual.energy);
            last = outcome.residual.energy;
        }
    }
}

/// A factor on E and μ [Tan, §5] has the same solutions, λ in other units. Contacts that carry nothing carried rounding, the
/// row of whose cone was violated as a whole: right answers were refused, and others searched for, some in vain.
#[test]
fn rounding_at_contacts_that_carry_nothing_does_not_hide_an_answer() {
    let mut rng = Rng::new(3);
    for scene in [single::peg(16), single::peg(24), single::ball_in_rim(8), single::block_in_corner()] {
        for _ in 0..6 {
            let problem = scene.clone().with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng).problem();
            let raw = |cone_scale| {
                let mlcp = problem.to_mlcp(Stabilisation { diagonal: 0.0, cone_scale }).unwrap();
                lcp(mlcp.a().to_vec(), mlcp.b().to_vec())
            };
            let plain = raw(1.0);
            let (outcome, rigid) = solve(&plain);
            assert_eq!(outcome.status, Status::Solved, "{}", scene.name);
            let rows = plain.n() - problem.n_contacts();
            let free = plain.q().iter().fold(0.0, |m: f64, q| m.max(q.abs()));
            for scale in [1.1e-3, 1e-2] {
                let (outcome, scaled) = solve(&raw(scale));
                assert_eq!(outcome.status, Status::Solved, "{}, {scale}: {outcome}", scene.name);
                let change = |i: usize| {
                    (0..rows).map(|j| plain.entry(i, j) * (scaled.z[j] - rigid.z[j])).sum::<f64>().abs()
                };
                let moved = (0..rows).map(change).fold(0.0, f64::max) / free;
                assert!(moved < 1e-9, "{}, {scale}: another motion, {moved:e} of the free one", scene.name);
            }
        }
    }
}
