//! The front door: starts that are refused, starts that are the answer, and one call for every kind of problem.

use gudgeon_lcp::{
    Budget, ConeShape, FrictionSolution, Lcp, Method, Mlcp, MlcpSolution, Options, Refused, Side, Solution,
    Solver, Start, Trace,
};

use crate::support::{Random, positive_definite, resting_face};

fn from(start: Start<'_>) -> Options<'_> {
    Options { start, ..Options::default() }
}

#[test]
fn a_start_of_the_wrong_size_or_with_a_nan_is_refused() {
    let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-1.0, -1.0]).unwrap();
    let mut answer = Solution { z: vec![7.0], ..Solution::default() };
    let untouched = answer.clone();
    let mut refused = |start| Solver::new(Method::Robust).run(&lcp, from(start), &mut answer).unwrap_err();
    let short = refused(Start::Basis(&[true]));
    assert_eq!(short.to_string(), "the start has 1 entries, expected 2");
    assert_eq!(refused(Start::Sides(&[Side::Free; 3])), Refused::StartLength { found: 3, expected: 2 });
    let nan = refused(Start::Iterate(&[0.0, f64::NAN]));
    assert_eq!(nan.to_string(), "start[1] is NaN, expected a finite number");
    assert_eq!(answer, untouched);
}

#[test]
fn from_its_own_answer_every_method_answers_without_a_pivot() {
    let mut random = Random::new(31);
    for n in [1, 6, 23, 30, 60] {
        let lcp = positive_definite(&mut random, n);
        for method in Method::ALL {
            if method == Method::Search && n > 10 {
                continue; // breadth-first: it runs out of nodes
            }
            let (mut solver, mut answer) = (Solver::new(method), Solution::default());
            let cold = solver.solve(&lcp, &mut answer);
            assert!(cold.is_solved(), "{method}, n = {n}: {cold}");
            let (z, basis) = (answer.z.clone(), answer.basis.clone());
            let again = solver.run(&lcp, from(Start::Previous), &mut answer).unwrap();
            assert!(again.is_solved() && again.pivots == 0, "{method}, n = {n}: {again}");
            let fresh = Solver::new(method).run(&lcp, from(Start::Basis(&basis)), &mut answer).unwrap();
            assert!(fresh.is_solved() && fresh.pivots == 0, "{method}, n = {n}: {fresh}");
            let off = answer.z.iter().zip(&z).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // sweeps stop at an eighth of 1e-9; the basis is solved to rounding
            assert!(off <= if method == Method::Pgs { 1e-7 } else { 1e-12 }, "{method}, n = {n}: {off:e}");
        }
    }
}

#[test]
fn boxed_and_sparse_answers_are_known_again_without_a_pivot() {
    let mut random = Random::new(32);
    let n = 40;
    let lcp = positive_definite(&mut random, n);
    let mlcp =
        Mlcp::from_column_major(lcp.m().to_vec(), lcp.q().to_vec(), vec![-0.1; n], vec![0.3; n]).unwrap();
    let line = |i: usize| {
        (0..n).filter(move |j| i.abs_diff(*j) < 2).map(move |j| (i, j, if i == j { 2.5 } else { -1.0 }))
    };
    let band = gudgeon_lcp::SparseMatrix::from_triplets(n, (0..n).flat_map(line)).unwrap();
    let sparse = Lcp::from_sparse(band, (0..n).map(|i| (i as f64).sin() - 0.2).collect()).unwrap();
    for method in Method::ALL.into_iter().filter(|m| *m != Method::Search) {
        let (mut solver, mut answer) = (Solver::new(method), MlcpSolution::default());
        assert!(solver.solve_mlcp(&mlcp, &mut answer).is_solved(), "{method}");
        let sides = answer.sides.clone();
        let again = solver.run(&mlcp, from(Start::Previous), &mut answer).unwrap();
        assert!(again.is_solved() && again.pivots == 0, "{method}, boxed: {again}");
        let fresh = Solver::new(method).run(&mlcp, from(Start::Sides(&sides)), &mut answer).unwrap();
        assert!(fresh.is_solved() && fresh.pivots == 0, "{method}, sides: {fresh}");

        let (mut solver, mut answer) = (Solver::new(method), Solution::default());
        assert!(solver.solve(&sparse, &mut answer).is_solved(), "{method}");
        let again = solver.run(&sparse, from(Start::Previous), &mut answer).unwrap();
        assert!(again.is_solved() && again.pivots == 0, "{method}, sparse: {again}");
    }
}

#[test]
fn a_sweep_from_the_previous_answer_is_the_cold_one_with_fewer_pivots() {
    let mut random = Random::new(5);
    let n = 60;
    let lcp = positive_definite(&mut random, n);
    let mut mlcp =
        Mlcp::from_column_major(lcp.m().to_vec(), lcp.q().to_vec(), vec![-0.1; n], vec![0.3; n]).unwrap();
    let (mut warm, mut cold) = (Solver::new(Method::Robust), Solver::new(Method::Robust));
    let (mut a, mut b) = (MlcpSolution::default(), MlcpSolution::default());
    let (mut pivots, mut q) = ((0, 0), lcp.q().to_vec());
    for _ in 0..20 {
        for q in &mut q {
            *q += 0.02 * random.signed();
        }
        mlcp.set_b(&q).unwrap();
        let first = warm.run(&mlcp, from(Start::Previous), &mut a).unwrap();
        let second = cold.run(&mlcp, Options::default(), &mut b).unwrap();
        assert!(first.is_solved() && second.is_solved());
        assert!(a.x.iter().zip(&b.x).all(|(a, b)| (a - b).abs() < 1e-12));
        pivots = (pivots.0 + first.pivots, pivots.1 + second.pivots);
    }
    println!("pivots of a sweep of 20, warm and cold: {pivots:?}");
    assert!(pivots.0 * 5 <= pivots.1);
    // other bounds in place; crossed ones are refused and change nothing
    assert!(mlcp.set_bounds(&vec![1.0; n], &vec![0.0; n]).is_err());
    mlcp.set_bounds(&vec![-1.0; n], &vec![1.0; n]).unwrap();
    assert!(warm.run(&mlcp, from(Start::Previous), &mut a).unwrap().is_solved());
}

#[test]
fn a_budget_of_seconds_changes_no_bit() {
    let mut random = Random::new(8);
    for n in [3, 12, 40] {
        let lcp = positive_definite(&mut random, n);
        for method in [Method::Robust, Method::Lemke, Method::BlockPivot, Method::Pgs] {
            let (mut free, mut timed) = (Solution::default(), Solution::default());
            let first = Solver::new(method).run(&lcp, Options::default(), &mut free).unwrap();
            let options = Options { budget: Budget::seconds(1e6), ..Options::default() };
            let second = Solver::new(method).run(&lcp, options, &mut timed).unwrap();
            assert_eq!((first, free), (second, timed), "{method}");
        }
    }
}

#[test]
fn friction_goes_through_the_same_door_and_remembers() {
    let face = resting_face(&mut Random::new(3), 4, 0.4, 8);
    for cone in [ConeShape::Facets, ConeShape::Exact] {
        let (mut solver, mut answer) = (Solver::new(Method::Robust), FrictionSolution::default());
        let cold = solver.run(&face, Options { cone, ..Options::default() }, &mut answer).unwrap();
        let first = answer.impulses.iter().map(|v| v.abs()).sum::<f64>();
        assert!(cold.is_solved());
        for _ in 0..2 {
            let options = Options { cone, start: Start::Previous, ..Options::default() };
            let warm = solver.run(&face, options, &mut answer).unwrap();
            assert!(warm.is_solved() && first > 0.0);
        }
        let start = Start::Basis(&[]);
        let options = Options { cone, start, ..Options::default() };
        assert_eq!(solver.run(&face, options, &mut answer).unwrap_err(), Refused::StartKind);
    }
}

#[test]
fn outcomes_print_as_a_sentence_and_observers_are_objects() {
    let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0]).unwrap();
    let mut trace = Trace::default();
    let options = Options { observer: Some(&mut trace), ..Options::default() };
    let outcome = Solver::new(Method::Lemke).run(&lcp, options, &mut Solution::default()).unwrap();
    assert_eq!(trace.pivots.len(), outcome.pivots);
    assert!(outcome.to_string().starts_with(&format!("solved after {} pivots (natural ", outcome.pivots)));
    assert_eq!(outcome.status.to_string(), "solved");
}
