//! Same input, same bits: from run to run, from a fresh solver or a used one.

use gudgeon_lcp::{FrictionLcp, Lcp, Method, Solution, Solver, Stabilisation};

use crate::support::{Random, frame, legs, positive_definite, resting_face};

/// The bits of an answer, mixed.
fn bits(solution: &Solution) -> u64 {
    let values = solution.z.iter().chain(&solution.w);
    values.fold(0, |hash, v| (hash.rotate_left(5) ^ v.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[test]
fn a_used_solver_gives_the_same_bits_as_a_fresh_one() {
    let mut random = Random::new(20);
    let problems: Vec<_> = (0..30)
        .map(|k| match k % 3 {
            0 => frame(&legs(&mut random, 4 + k, false), [0.1, 0.1]),
            1 => positive_definite(&mut random, 1 + k),
            _ => positive_definite(&mut random, 6),
        })
        .collect();
    for method in Method::ALL {
        let (mut used, mut kept) = (Solver::new(method), Solution::default());
        for lcp in problems.iter().filter(|p| method != Method::Search || p.n() <= 8) {
            let first = used.solve(lcp, &mut kept);
            let hash = bits(&kept);
            let again = used.solve(lcp, &mut kept);
            assert_eq!((hash, first), (bits(&kept), again), "{method}");
            let mut fresh = Solution::default();
            let outcome = Solver::new(method).solve(lcp, &mut fresh);
            assert_eq!((hash, first), (bits(&fresh), outcome), "{method}");
            let mut copy = used.clone();
            assert_eq!(copy.solve(lcp, &mut fresh), outcome, "{method}");
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let lcp = positive_definite(&mut Random::new(21), 30);
    for method in Method::ALL.into_iter().filter(|&m| m != Method::Search) {
        let solve = || {
            let mut solution = Solution::default();
            let _ = Solver::new(method).solve(&lcp, &mut solution);
            bits(&solution)
        };
        let here = solve();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(solve)).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), here, "{method}");
            }
        });
    }
}

#[test]
fn a_stubborn_problem_leaves_no_trace_in_the_next_answer() {
    let mut random = Random::new(22);
    let mut used = Solver::new(Method::Robust);
    let (mut kept, mut fresh) = (Solution::default(), Solution::default());
    for round in 0..40 {
        // no solution, large or small: every rung of the ladder is climbed, and the memory is full
        let n = 3 + 7 * (round % 5);
        let m = (0..n * n).map(|_| random.signed()).collect();
        let q = (0..n).map(|_| random.signed() - 0.5).collect();
        let stubborn = Lcp::from_column_major(m, q).unwrap();
        let face = resting_face(&mut random, 1 + round % 6, 0.3, 6);
        let lowered = FrictionLcp::new(&face, Stabilisation::default()).unwrap();
        for lcp in [&stubborn, lowered.lcp().unwrap()] {
            let first = used.solve(lcp, &mut kept);
            let outcome = Solver::new(Method::Robust).solve(lcp, &mut fresh);
            assert_eq!((bits(&kept), &kept.ray, first), (bits(&fresh), &fresh.ray, outcome));
        }
    }
}
