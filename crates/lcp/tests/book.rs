//! The claims of the book's chapter on Lemke's method, number by number.

use gudgeon_lcp::{Lcp, Method, Proof, Solution, Solver, Status, Trace, Variable};
use gudgeon_testkit::exact::{self, Answer};
use gudgeon_testkit::plain;
use gudgeon_testkit::rng::Rng;

fn two(m: [[f64; 2]; 2], q: [f64; 2]) -> Lcp {
    Lcp::from_rows(&m, q.to_vec()).unwrap()
}

#[test]
fn the_path_of_the_page_is_the_path_of_the_method() {
    let lcp = two([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]);
    let (mut trace, mut answer) = (Trace::default(), Solution::default());
    let options = gudgeon_lcp::Options { observer: Some(&mut trace), ..gudgeon_lcp::Options::default() };
    let outcome = Solver::new(Method::Lemke).run(&lcp, options, &mut answer).unwrap();
    let pivots: Vec<_> = trace.pivots.iter().map(|p| (p.entering, p.leaving)).collect();
    let (w, z) = (Variable::W, Variable::Z);
    assert_eq!(pivots, [(Variable::Z0, w(1)), (z(1), w(0)), (z(0), Variable::Z0)]);
    // the least of the tables after each pivot: 1 of (1, 6), 1 of (1, 4), 4/3
    let least: Vec<f64> = trace.pivots.iter().map(|p| p.q_min).collect();
    assert!(least.iter().zip([1.0, 1.0, 4.0 / 3.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{least:?}");
    assert!(outcome.is_solved() && (answer.z[0] - 4.0 / 3.0).abs() < 1e-15);
    assert!((answer.z[1] - 7.0 / 3.0).abs() < 1e-15);
}

#[test]
fn copositive_and_feasible_is_not_enough() {
    let lcp = two([[0.0, 1.0], [1.0, 0.0]], [-1.0, -2.0]);
    // (2, 1) is a solution with w = 0
    let mut w = Vec::new();
    lcp.slack(&[2.0, 1.0], &mut w);
    assert_eq!(w, [0.0, 0.0]);
    // in rationals the path ends on a ray, in floats it does and is not taken for a proof
    assert!(matches!(exact::lemke(&lcp), Answer::Ray { .. }));
    let mut answer = Solution::default();
    let lemke = Solver::new(Method::Lemke).solve(&lcp, &mut answer);
    assert_eq!((lemke.status, answer.ray), (Status::Inaccurate, None));
    let mut answer = Solution::default();
    assert!(Solver::new(Method::Robust).solve(&lcp, &mut answer).is_solved());
    assert_eq!(answer.z, [2.0, 1.0]);
    // the condition for copositive matrices fails at z = (1, 0): M z = (0, 1), zᵀMz = 0, qᵀz = −1
    let z = [1.0, 0.0];
    lcp.slack(&z, &mut w);
    assert!(w.iter().zip(lcp.q()).all(|(w, q)| w - q >= 0.0) && lcp.q()[0] * z[0] < 0.0);
}

#[test]
fn copositive_plus_and_feasible_ends_in_a_solution() {
    let mut rng = Rng::new(9);
    for round in 0..300 {
        let (n, m) = (1 + round % 5, round % 4);
        // both have a planted solution, so the inequalities can be met; arithmetic is exact
        for lcp in [
            plain::quadratic_program(n, m, &mut rng),
            plain::strictly_copositive(n + m, &mut rng),
            plain::murty(n + m),
        ] {
            assert!(!matches!(exact::lemke(&lcp), Answer::Ray { .. }), "{lcp:?}");
        }
    }
}

#[test]
fn a_ray_of_a_semidefinite_matrix_is_a_proof() {
    // w1 = z1 − z2 − 1, w2 = −z1 + z2 − 1: their sum is −2 whatever z is
    let lcp = two([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]);
    assert!(matches!(exact::lemke(&lcp), Answer::Ray { .. }));
    for method in [Method::Lemke, Method::Lexicographic, Method::Robust] {
        let mut answer = Solution::default();
        let outcome = Solver::new(method).solve(&lcp, &mut answer);
        assert_eq!(outcome.status, Status::Ray, "{method}");
        assert_ne!(answer.ray.unwrap().proof, Proof::None, "{method}");
    }
}

#[test]
fn cones_cover_the_plane_once_or_not_at_all() {
    let count = |m, q| exact::solution_bases(&two(m, q)).len();
    let (covered, hole) = ([[2.0, 1.0], [1.0, 2.0]], [[1.0, -2.0], [-2.0, 1.0]]);
    for k in 0..64 {
        // directions off all edges
        let angle = 0.098_174_770_4 * f64::from(k) + 0.03;
        let q = [angle.cos(), angle.sin()];
        assert_eq!(count(covered, q), 1, "{q:?}");
    }
    assert_eq!(count(hole, [-1.5, -1.5]), 0);
    assert!(count(hole, [1.0, 1.0]) > 1);
}
