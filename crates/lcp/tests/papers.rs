//! What the papers and the literature say about their own examples.

use std::collections::BTreeMap;

use gudgeon_lcp::{
    Budget, FrictionLcp, Lcp, Lexicographic, Method, Search, Solver, Stabilisation, Start, Status,
};

use crate::support::{Random, frame, legs, resting_face, solve, solve_from};

/// Ones on the diagonal, twos below it: Murty's matrix. Its transpose has the twos above.
fn murty_matrix(n: usize, upper: bool) -> Vec<f64> {
    let entry = |i: usize, j: usize| match if upper { j.cmp(&i) } else { i.cmp(&j) } {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => 1.0,
        std::cmp::Ordering::Greater => 2.0,
    };
    (0..n * n).map(|k| entry(k % n, k / n)).collect()
}

/// L Lᵀ of such a matrix: Fathi's, symmetric and positive definite.
fn fathi_matrix(n: usize, upper: bool) -> Vec<f64> {
    let l = murty_matrix(n, upper);
    (0..n * n).map(|k| (0..n).map(|c| l[c * n + k % n] * l[c * n + k / n]).sum()).collect()
}

/// −2ⁿ, −(2ⁿ + 2ⁿ⁻¹), …: each less than the one before.
fn falling_powers(n: usize) -> Vec<f64> {
    (0..n).map(|k| -(0..=k).map(|i| 2.0_f64.powi(i32::try_from(n - i).unwrap())).sum::<f64>()).collect()
}

#[test]
fn murtys_example_takes_all_complementary_bases() {
    // [Murty 1978]: principal pivoting meets the twos above the diagonal, Lemke those below
    for n in 2..=12 {
        let principal = Lcp::from_column_major(murty_matrix(n, true), vec![-1.0; n]).unwrap();
        let (outcome, solution) = solve(Method::Murty, &principal);
        assert_eq!((outcome.status, outcome.pivots), (Status::Solved, (1 << n) - 1));
        assert_eq!((solution.z[n - 1], solution.z[0]), (1.0, 0.0));

        let complementary = Lcp::from_column_major(murty_matrix(n, false), falling_powers(n)).unwrap();
        let (lemke, _) = solve(Method::Lemke, &complementary);
        let (lexicographic, _) = solve(Method::Lexicographic, &complementary);
        assert_eq!((lemke.status, lemke.pivots), (Status::Solved, 1 << n));
        assert_eq!((lexicographic.status, lexicographic.pivots), (Status::Solved, 1 << n));
        println!("Murty n = {n}: murty {}, lemke {}", outcome.pivots, lemke.pivots);
    }
}

#[test]
fn fathis_symmetric_example_is_no_easier() {
    // [Fathi 1979]: positive definite and symmetric does not help against the least index, nor against Lemke
    // when the ties of q = −1 are broken by order
    for n in 2..=12 {
        let principal = Lcp::from_column_major(fathi_matrix(n, true), vec![-1.0; n]).unwrap();
        let (murty, _) = solve(Method::Murty, &principal);
        assert_eq!((murty.status, murty.pivots), (Status::Solved, (1 << n) - 1));
        let complementary = Lcp::from_column_major(fathi_matrix(n, false), vec![-1.0; n]).unwrap();
        let (lexicographic, _) = solve(Method::Lexicographic, &complementary);
        assert_eq!((lexicographic.status, lexicographic.pivots), (Status::Solved, 1 << n));
        // the same order without ties, so that the plain rule has no choice
        let falling =
            (0..i32::try_from(n).unwrap()).map(|k| -1.0 - 0.01 * (1.0 - 0.25_f64.powi(k))).collect();
        let untied = Lcp::from_column_major(fathi_matrix(n, false), falling).unwrap();
        let (lemke, _) = solve(Method::Lemke, &untied);
        assert_eq!((lemke.status, lemke.pivots), (Status::Solved, 1 << n));
        let (block, _) = solve(Method::BlockPivot, &principal);
        assert_eq!(block.status, Status::Solved);
        println!(
            "Fathi n = {n}: murty {}, lemke {}, lexicographic {}, block-pivot {}",
            murty.pivots, lemke.pivots, lexicographic.pivots, block.pivots
        );
    }
}

#[test]
fn a_budget_stops_the_exponential_examples_with_their_best_iterate() {
    let n = 30;
    for (method, matrix, q) in [
        (Method::Murty, murty_matrix(n, true), vec![-1.0; n]),
        (Method::Murty, fathi_matrix(n, true), vec![-1.0; n]),
        (Method::Lemke, murty_matrix(n, false), falling_powers(n)),
        (Method::Lexicographic, murty_matrix(n, false), falling_powers(n)),
        (Method::Dantzig, murty_matrix(n, true), vec![-1.0; n]),
    ] {
        let lcp = Lcp::from_column_major(matrix, q).unwrap();
        let mut last = f64::INFINITY;
        for pivots in [0, 10, 100, 1000] {
            let (outcome, _) =
                solve_from(&mut Solver::new(method), &lcp, Start::Cold, Budget::pivots(pivots));
            assert_eq!((outcome.status, outcome.pivots), (Status::Budget, pivots), "{method}");
            assert!(outcome.residual.energy <= last, "{method}: {} after {last}", outcome.residual.energy);
            last = outcome.residual.energy;
            println!("{method}, n = {n}, {pivots} pivots: {last:.3e} J");
        }
    }
    let lcp = Lcp::from_column_major(murty_matrix(n, true), vec![-1.0; n]).unwrap();
    let seconds = Budget { seconds: Some(0.0), ..Budget::default() };
    let (outcome, _) = solve_from(&mut Solver::new(Method::Murty), &lcp, Start::Cold, seconds);
    assert_eq!(outcome.status, Status::Budget);
}

#[test]
fn lemke_stands_a_frame_on_three_legs_in_any_order_and_the_motion_is_the_same() {
    let mut random = Random::new(64);
    let (mut worst_w, mut least_z, mut solves) = (0.0_f64, f64::INFINITY, 0);
    for n in 4..=64 {
        for regular in [true, false] {
            let points = legs(&mut random, n, regular);
            // straight down on a regular frame every order of the legs is a tie of its own
            let load = if regular { [0.0; 2] } else { [0.4 * random.signed(), 0.4 * random.signed()] };
            for method in [Method::Lemke, Method::Lexicographic] {
                let mut order: Vec<usize> = (0..n).collect();
                let mut w_range = vec![[f64::INFINITY, f64::NEG_INFINITY]; n];
                let mut z_range = w_range.clone();
                for _ in 0..100 {
                    random.shuffle(&mut order);
                    let shuffled: Vec<[f64; 2]> = order.iter().map(|&i| points[i]).collect();
                    let (outcome, solution) = solve(method, &frame(&shuffled, load));
                    assert_eq!(outcome.status, Status::Solved, "{method}, n = {n}: {outcome:?}");
                    let loaded = solution.z.iter().filter(|&&z| z > 0.0).count();
                    assert!(loaded <= 3, "{method}, n = {n}: {loaded} legs");
                    for (k, &i) in order.iter().enumerate() {
                        widen(&mut w_range[i], solution.w[k]);
                        widen(&mut z_range[i], solution.z[k]);
                    }
                    solves += 1;
                }
                let spread = |r: &[[f64; 2]]| r.iter().fold(0.0_f64, |m, r| m.max(r[1] - r[0]));
                worst_w = worst_w.max(spread(&w_range));
                if regular {
                    least_z = least_z.min(spread(&z_range));
                }
            }
        }
    }
    println!(
        "{solves} frames: w differs by {worst_w:.1e} m/s at most, z of regular ones by {least_z:.2} N s at least"
    );
    assert!(worst_w <= 1e-10);
    assert!(least_z > 1e-3);
}

fn widen(range: &mut [f64; 2], value: f64) {
    *range = [range[0].min(value), range[1].max(value)];
}

#[test]
fn murty_ends_on_frames_with_a_status_whatever_the_guess() {
    let mut random = Random::new(65);
    let mut table = BTreeMap::new();
    for n in 4..=64 {
        let points = legs(&mut random, n, n % 2 == 0);
        let lcp = frame(&points, [0.4 * random.signed(), 0.4 * random.signed()]);
        for _ in 0..20 {
            let guess: Vec<bool> = (0..n).map(|_| random.below(n) < 3).collect();
            let standing = guess.iter().filter(|&&on| on).count();
            let (outcome, solution) =
                solve_from(&mut Solver::new(Method::Murty), &lcp, Start::Basis(&guess), Budget::default());
            if standing > 3 {
                // more legs than degrees of freedom: the block has no inverse
                assert_eq!(outcome.status, Status::Inaccurate, "{standing} legs of {n}");
            }
            if outcome.status == Status::Solved {
                assert!(solution.z.iter().filter(|&&z| z > 0.0).count() <= 3);
            }
            *table.entry((standing > 3, outcome.status.name())).or_insert(0) += 1;
        }
        let cold = solve(Method::Murty, &lcp).0.status;
        *table.entry((false, cold.name())).or_insert(0) += 1;
    }
    println!("Murty from guesses, (more than three legs, status): {table:?}");
}

#[test]
fn ties_to_the_least_row_cycle_where_the_lexicographic_rule_does_not() {
    // [Kostreva 1979]: a P-matrix, so the solution exists and is unique; the ties of q = −1 are Lemke's undoing
    let m = [[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]];
    let lcp = Lcp::from_rows(&m, vec![-1.0; 3]).unwrap();
    assert_eq!(solve(Method::Lemke, &lcp).0.status, Status::Cycle);
    for method in [Method::Lexicographic, Method::Search, Method::Murty, Method::BlockPivot] {
        let (outcome, solution) = solve(method, &lcp);
        assert_eq!(outcome.status, Status::Solved, "{method}");
        assert!(solution.z.iter().all(|z| (z - 1.0 / 3.0).abs() < 1e-15), "{method}: {:?}", solution.z);
    }
}

#[test]
fn the_two_step_start_leaves_fewer_pivots() {
    // [Yamane, §IV-C]: frictionless first; then the active normals are basic from the start
    let mut random = Random::new(66);
    let mut sums: BTreeMap<Method, [usize; 4]> = BTreeMap::new();
    for _ in 0..40 {
        let contacts = 3 + random.below(3);
        let problem = resting_face(&mut random, contacts, 0.5, 4);
        let lowered = FrictionLcp::new(&problem, Stabilisation::default()).unwrap();
        let lcp = lowered.lcp().unwrap();
        let normals: Vec<Vec<f64>> =
            (0..contacts).map(|i| (0..contacts).map(|j| lcp.entry(i, j)).collect()).collect();
        let frictionless = Lcp::from_rows(&normals, lcp.q()[..contacts].to_vec()).unwrap();
        let (first, normal) = solve(Method::Lexicographic, &frictionless);
        assert_eq!(first.status, Status::Solved);
        let mut guess = normal.basis;
        guess.resize(lcp.n(), false);
        for method in [Method::Lemke, Method::Lexicographic, Method::Search] {
            let mut solver = if method == Method::Search {
                Solver::from(Search::with_thresholds(1e-8, 1e-3))
            } else {
                Solver::new(method)
            };
            let (cold, _) = solve_from(&mut solver, lcp, Start::Cold, Budget::default());
            let (warm, _) = solve_from(&mut solver, lcp, Start::Basis(&guess), Budget::default());
            let sum = sums.entry(method).or_default();
            sum[0] += cold.pivots;
            sum[1] += warm.pivots;
            sum[2] += usize::from(cold.status == Status::Solved);
            sum[3] += usize::from(warm.status == Status::Solved);
        }
    }
    println!("pivots cold, pivots from two steps, solved cold, solved from two steps: {sums:?}");
    for sum in sums.values() {
        assert!(sum[1] < sum[0]);
    }
}

#[test]
fn the_table_of_failure_modes_has_the_shape_of_the_papers() {
    // [Yamane, Table I] on faces with 4 to 12 redundant contacts and 8-sided cones
    println!("{:18} {:>7} {:>7} {:>7} {:>7} {:>7}", "", "solved", "ray", "cycle", "error", "budget");
    let mut contenders = vec![("lemke".to_owned(), Solver::new(Method::Lemke))];
    for delta in [0.0, 1e-8, 1e-6, 1e-4] {
        contenders.push((format!("delta {delta:e}"), Solver::from(Lexicographic::with_delta(delta))));
    }
    let mut solved = Vec::new();
    for (name, solver) in &mut contenders {
        let mut random = Random::new(67);
        let mut counts = [0; 5];
        for _ in 0..200 {
            let contacts = 4 + random.below(9);
            let problem = resting_face(&mut random, contacts, 0.5, 8);
            let lowered = FrictionLcp::new(&problem, Stabilisation::default()).unwrap();
            let (outcome, _) = solve_from(solver, lowered.lcp().unwrap(), Start::Cold, Budget::default());
            counts[match outcome.status {
                Status::Solved => 0,
                Status::Ray => 1,
                Status::Cycle => 2,
                Status::Inaccurate => 3,
                Status::Budget => 4,
            }] += 1;
        }
        println!("{name:18} {:7} {:7} {:7} {:7} {:7}", counts[0], counts[1], counts[2], counts[3], counts[4]);
        solved.push(counts[0]);
    }
    // too narrow a threshold loses most, a good one next to none, too wide a one loses some again
    assert!(solved[0] < 100 && solved[1] < 100 && solved[2] > 190 && solved[4] < solved[2]);
}
