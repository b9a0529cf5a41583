//! Problems of at most sixteen unknowns: the tableau that is tried first says what the search would have said.

use gudgeon_lcp::{Budget, Lcp, Method, Options, Outcome, Robust, Solution, Solver, Start, Status, Trace};
use gudgeon_testkit::Rng;
use gudgeon_testkit::plain::{self, Spread};

use crate::support::check;

/// By the search alone: a start from a basis, were it that of a cold one, leaves the tableau out.
fn searched(lcp: &Lcp) -> (Outcome, Solution) {
    let mut answer = Solution::default();
    let slacks = vec![false; lcp.n()];
    let start = Start::Basis(&slacks);
    let outcome = Robust::default().solve_with(lcp, start, Budget::default(), &mut answer, &mut ());
    (outcome, answer)
}

fn solved(lcp: &Lcp) -> (Outcome, Solution) {
    let mut answer = Solution::default();
    let outcome = Solver::new(Method::Robust).solve(lcp, &mut answer);
    check(lcp, &outcome, &answer);
    (outcome, answer)
}

fn problems(rng: &mut Rng) -> impl Iterator<Item = (&'static str, Lcp)> + '_ {
    (0..400).flat_map(move |k| {
        let n = 1 + k % 16;
        [
            ("definite", plain::definite(n, Spread::Even, rng)),
            ("semidefinite", plain::semidefinite(n.max(2), n.div_ceil(2), Spread::Even, rng)),
            ("copositive", plain::strictly_copositive(n, rng)),
            ("program", plain::quadratic_program(1 + n / 2, n.div_ceil(3), rng)),
        ]
    })
}

#[test]
fn the_tableau_says_what_the_search_says() {
    let mut rng = Rng::new(2210);
    let mut answer = Solution::default();
    let mut solver = Solver::new(Method::Robust);
    for (number, (name, lcp)) in problems(&mut rng).enumerate() {
        let outcome = solver.solve(&lcp, &mut answer);
        let (other, expected) = searched(&lcp);
        assert!(outcome.is_solved() && other.is_solved(), "{name} {number}: {outcome}, {other}");
        // one answer: the motion, and for definite matrices the impulses too
        if name == "definite" {
            let size = expected.z.iter().fold(1.0_f64, |s, z| s.max(z.abs()));
            let off = answer.z.iter().zip(&expected.z).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off <= 1e-9 * size, "{name} {number}: {off:e}");
        }
    }
}

#[test]
fn the_observer_sees_every_pivot_of_the_tableau_once() {
    let mut rng = Rng::new(7);
    for n in [1, 5, 16] {
        let lcp = plain::definite(n, Spread::Even, &mut rng);
        let mut trace = Trace::default();
        let options = Options { observer: Some(&mut trace), ..Options::default() };
        let mut answer = Solution::default();
        let outcome = Solver::new(Method::Robust).run(&lcp, options, &mut answer).unwrap();
        assert_eq!(outcome.pivots, trace.pivots.len());
        let basic = answer.basis.iter().filter(|b| **b).count();
        assert!(answer.z.iter().filter(|z| **z > 0.0).count() <= basic && basic <= outcome.pivots.max(1));
    }
}

#[test]
fn without_the_look_in_whole_numbers_answers_are_solved_to_rounding() {
    // two rows that say the same: what each carries is open, and no float says that their sum is exact
    let third = 1.0 / 3.0;
    let lcp = Lcp::from_rows(&[[third, third], [third, third]], vec![-1.0, -1.0]).unwrap();
    for robust in [Robust::default(), Robust::to_rounding()] {
        let mut answer = Solution::default();
        let outcome = Solver::from(robust).solve(&lcp, &mut answer);
        assert!(
            outcome.is_solved() && (answer.z[0] + answer.z[1] - 3.0).abs() < 1e-12,
            "{outcome} {answer:?}"
        );
    }
}

/// A budget that is enough is free: the same steps, the same bits.
#[test]
fn a_budget_that_is_enough_changes_nothing_of_a_small_problem() {
    let mut solver = Solver::new(Method::Robust);
    for n in [2_usize, 5, 9, 16] {
        let m: Vec<f64> = (0..n * n).map(|k| if k % (n + 1) == 0 { 2.0 } else { -1.0 / n as f64 }).collect();
        let q = (0..n).map(|i| 0.3 - (i % 3) as f64).collect();
        let lcp = Lcp::from_column_major(m, q).unwrap();
        let (free, expected) = solved(&lcp);
        assert!(free.is_solved() && free.pivots > 0);
        let budgets = [
            Budget::pivots(free.pivots),
            Budget { nodes: Some(free.pivots + 1), ..Budget::default() },
            Budget::seconds(10.0),
        ];
        for budget in budgets {
            let mut solution = Solution::default();
            let outcome = solver.solve_with(&lcp, Start::Cold, budget, &mut solution, &mut ());
            assert_eq!((outcome, &solution.z), (free, &expected.z), "{budget:?}");
        }
        let mut solution = Solution::default();
        let none = solver.solve_with(&lcp, Start::Cold, Budget::pivots(0), &mut solution, &mut ());
        assert_eq!((none.status, none.pivots), (Status::Budget, 0));
    }
}

/// A sticking contact whose facets have the rounding of their cosines, with velocities of 1e-17 beside 0.2: what no band of zeros parts.
#[test]
fn velocities_of_rounding_are_data_where_rows_have_nothing_else() {
    let sides = 8;
    let direction = |j: usize| (std::f64::consts::TAU * j as f64 / sides as f64).sin_cos();
    let n = sides + 2;
    let mut m = vec![0.0; n * n];
    let mut q = vec![0.0; n];
    (m[0], q[0]) = (1.0, -1.0);
    for i in 0..sides {
        let (s, c) = direction(i);
        for j in 0..sides {
            let (t, d) = direction(j);
            m[(1 + j) * n + 1 + i] = 2.0 * (c * d + s * t);
        }
        q[1 + i] = -0.2 * s;
        m[(1 + i) * n + n - 1] = -1.0;
        m[(n - 1) * n + 1 + i] = 1.0;
    }
    m[n - 1] = 0.2;
    let (outcome, solution) = solved(&Lcp::from_column_major(m, q).unwrap());
    assert_eq!(outcome.status, Status::Solved);
    assert!((solution.z[0] - 1.0).abs() < 1e-12);
    let friction: f64 = (0..sides).map(|j| direction(j).0 * solution.z[1 + j]).sum();
    assert!((friction - 0.1).abs() < 1e-12, "{friction}");
}
