//! Problems of at most sixteen unknowns: the tableau that is tried first says what the search would have said.

use gudgeon_lcp::{Budget, Lcp, Method, Options, Outcome, Robust, Solution, Solver, Start, Trace};
use gudgeon_testkit::Rng;
use gudgeon_testkit::plain::{self, Spread};

/// By the search alone: a budget of pivots, however large, leaves the tableau out.
fn searched(lcp: &Lcp) -> (Outcome, Solution) {
    let mut answer = Solution::default();
    let budget = Budget::pivots(usize::MAX);
    let outcome = Solver::new(Method::Robust).solve_with(lcp, Start::Cold, budget, &mut answer, &mut ());
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
