//! The exact oracle against textbook problems, against enumeration of all bases, and on planted solutions.

use gudgeon_lcp::{FrictionLcp, Lcp, Residual, Solution, Stabilisation};
use gudgeon_testkit::exact::{
    Answer, Verdict, is_backward_exact, is_solution_exact, lemke, rational, solution_bases, to_f64,
};
use gudgeon_testkit::plain::{self, Spread};
use gudgeon_testkit::{Rng, single};

fn solved(lcp: &Lcp) -> (Vec<f64>, Vec<bool>, usize) {
    match lemke(lcp) {
        Answer::Solved { z, basis, pivots } => (z.iter().map(to_f64).collect(), basis, pivots),
        Answer::Ray { .. } => panic!("a ray where a solution exists"),
    }
}

#[test]
fn textbook_problems_have_their_textbook_answers() {
    // Cottle, Pang and Stone: 2 1; 1 2 with q = (−5, −6)
    let (z, _, _) = solved(&Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0]).unwrap());
    assert!((z[0] - 4.0 / 3.0).abs() < 1e-15 && (z[1] - 7.0 / 3.0).abs() < 1e-15);
    // q ≥ 0 is its own answer, without a pivot
    let (z, basis, pivots) = solved(&Lcp::from_rows(&[[0.0, -1.0], [1.0, 0.0]], vec![0.0, 3.0]).unwrap());
    assert_eq!((z, basis, pivots), (vec![0.0; 2], vec![false; 2], 0));
    // no z ≥ 0 makes −z − 1 ≥ 0
    assert!(matches!(lemke(&Lcp::from_rows(&[[-1.0]], vec![-1.0]).unwrap()), Answer::Ray { .. }));
}

#[test]
fn thirds_are_exact() {
    let lcp = Lcp::from_rows(&[[3.0]], vec![-1.0]).unwrap();
    let Answer::Solved { z, .. } = lemke(&lcp) else { panic!("3 z = 1 has a solution") };
    assert_eq!(z[0], rational(1.0) / rational(3.0));
    assert_eq!(is_solution_exact(&lcp, &[true]), Verdict::Solution(z));
    assert_eq!(is_solution_exact(&lcp, &[false]), Verdict::Negative { row: 0 });
    let singular = Lcp::from_rows(&[[1.0, 1.0], [1.0, 1.0]], vec![-1.0; 2]).unwrap();
    assert_eq!(is_solution_exact(&singular, &[true, true]), Verdict::Singular);
}

#[test]
fn lemke_and_enumeration_agree_on_semidefinite_problems() {
    // for a semi-definite matrix a ray means that there is no solution, and the end of a path is a regular basis
    let mut rng = Rng::new(2024);
    let (mut some, mut none) = (0, 0);
    for trial in 0..120 {
        let n = rng.between(1, 7);
        let b: Vec<f64> = (0..n * n).map(|_| rng.whole(-2, 2)).collect();
        let rank = rng.between(1, n);
        let entry = |i: usize, j: usize| (0..rank).map(|k| b[k * n + i] * b[k * n + j]).sum::<f64>();
        let rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let lcp = Lcp::from_rows(&rows, (0..n).map(|_| rng.whole(-3, 2)).collect()).unwrap();
        let bases = solution_bases(&lcp);
        match lemke(&lcp) {
            Answer::Solved { basis, .. } => {
                assert!(bases.contains(&basis), "trial {trial}");
                some += 1;
            }
            Answer::Ray { .. } => {
                assert!(bases.is_empty(), "trial {trial}");
                none += 1;
            }
        }
    }
    assert!(some > 20 && none > 20, "{some} with and {none} without a solution");
}

#[test]
fn lemke_finds_the_only_solution_of_p_matrices() {
    let mut rng = Rng::new(7);
    for _ in 0..20 {
        let lcp = plain::dominant(rng.between(2, 8), &mut rng);
        let (_, basis, _) = solved(&lcp);
        // degenerate answers have several bases, all of the same z
        assert!(solution_bases(&lcp).contains(&basis));
    }
}

#[test]
fn every_plain_family_has_a_solution() {
    let mut rng = Rng::new(99);
    for _ in 0..8 {
        let n = rng.between(1, 12);
        let rank = rng.between(1, n);
        for spread in [Spread::Even, Spread::Wide] {
            solved(&plain::definite(n, spread, &mut rng));
            solved(&plain::semidefinite(n, rank, spread, &mut rng));
            solved(&plain::degenerate(n, rank, spread, &mut rng));
        }
        solved(&plain::quadratic_program(n, rank, &mut rng));
        solved(&plain::strictly_copositive(n, &mut rng));
        solved(&plain::dominant(n, &mut rng));
    }
}

#[test]
fn the_exponential_examples_take_exponentially_many_pivots() {
    // principal pivoting by least index, decided exactly
    let least_index = |lcp: &Lcp| {
        let (mut basis, mut exchanges) = (vec![false; lcp.n()], 0);
        loop {
            match is_solution_exact(lcp, &basis) {
                Verdict::Solution(_) => return exchanges,
                Verdict::Negative { row } => basis[row] = !basis[row],
                Verdict::Singular => panic!("a P-matrix has no singular block"),
            }
            exchanges += 1;
        }
    };
    for n in 1..=6 {
        let (z, _, _) = solved(&plain::murty(n));
        assert_eq!(z[n - 1], 1.0);
        assert!(z[..n - 1].iter().all(|&z| z == 0.0));
        assert_eq!(least_index(&plain::murty(n)), (1 << n) - 1);
        assert_eq!(least_index(&plain::fathi(n)), (1 << n) - 1);
        assert_eq!(solved(&plain::murty_complementary(n)).2, 1 << n);
        assert_eq!(solved(&plain::fathi_complementary(n)).2, 1 << n);
    }
}

#[test]
fn boxed_problems_have_a_solution_in_standard_form() {
    let mut rng = Rng::new(4);
    for _ in 0..30 {
        let n = rng.between(1, 8);
        let mlcp = plain::boxed(n, rng.between(1, n), &mut rng);
        let lowered = gudgeon_lcp::MlcpLcp::new(&mlcp).unwrap();
        let Some(lcp) = lowered.lcp() else { continue };
        let mut solution = gudgeon_lcp::Solution { z: solved(lcp).0, ..Default::default() };
        lcp.slack(&solution.z, &mut solution.w);
        let mut boxed = gudgeon_lcp::MlcpSolution::default();
        lowered.recover(&mlcp, &solution, &mut boxed);
        // z to f64 and the elimination of free rows are some roundings of the terms of a row: 2⁻⁵³ of them each, ...
        assert!(is_backward_exact(&mlcp, &boxed.x, 3e-15), "{mlcp:?} {boxed:?}");
        // ... which where all terms cancel is ten times 1.1e-16 in units of 1e-5
        let residual = Residual::of_mlcp(&mlcp, &boxed.x, &boxed.w);
        assert!(residual.natural < 1e-10, "{residual:?}");
    }
}

#[test]
fn frames_of_exact_data_load_at_most_three_legs() {
    // feet and inertia of powers of two: W is exact, and its rank is three to the bit
    let mut scene = single::frame_on(&[[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [0.25, 0.0]]);
    scene.bodies[0].inertia = [[0.25, 0.0, 0.0], [0.0, 0.25, 0.0], [0.0, 0.0, 0.5]];
    scene.bodies[0].position = [0.0, 0.0, 0.25];
    scene.gravity = [0.0, 0.0, -8.0];
    scene.h = 0.125;
    let lowered = FrictionLcp::new(&scene.frictionless(), Stabilisation::default()).unwrap();
    let (z, _, _) = solved(lowered.lcp().unwrap());
    // [EnzPivot, p. 2]
    assert!((1..=3).contains(&z.iter().filter(|&&z| z > 0.0).count()));
    // the legs together carry the weight of one kilogram for one step, N s; z itself is in energy units
    let mut boxed = gudgeon_lcp::MlcpSolution::default();
    lowered.recover(&Solution { z, ..Solution::default() }, &mut boxed);
    assert!((boxed.x.iter().sum::<f64>() - 1.0).abs() < 1e-15);
    // with friction, four-sided cones: five contacts of six unknowns
    let lcp = scene.with_mu(0.5).with_facets(4).lcp();
    assert_eq!(lcp.n(), 30);
    solved(&lcp);
}
