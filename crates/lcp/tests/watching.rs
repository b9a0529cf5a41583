//! What an observer sees: iterates in the caller's units with their true errors, from every method.

use gudgeon_lcp::{
    ConeShape, FrictionSolution, Iterates, Lcp, Method, Mlcp, MlcpSolution, Options, Residual, SOLVED,
    Solution, Solver, SparseMatrix,
};

use crate::support::{Random, positive_definite, resting_face};

fn watched(iterates: &mut Iterates) -> Options<'_> {
    Options { observer: Some(iterates), ..Options::default() }
}

fn same(a: &Residual, b: &Residual) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-9 * x.abs().max(y.abs()) + 1e-300;
    near(a.natural, b.natural) && near(a.energy, b.energy)
}

#[test]
fn iterates_of_every_method_come_with_the_errors_that_the_caller_would_find() {
    let mut random = Random::new(8);
    for n in [5, 30] {
        let lcp = positive_definite(&mut random, n);
        for method in Method::ALL {
            if method == Method::Search && n > 10 {
                continue; // breadth-first: it runs out of nodes
            }
            let (mut seen, mut answer) = (Iterates::default(), Solution::default());
            let outcome = Solver::new(method).run(&lcp, watched(&mut seen), &mut answer).unwrap();
            assert!(outcome.is_solved() && seen.seen.len() > 1, "{method}: {} iterates", seen.seen.len());
            for (z, told) in &seen.seen {
                assert!(z.iter().all(|z| *z >= 0.0), "{method}");
                let mut w = Vec::new();
                lcp.slack(z, &mut w);
                let true_one = Residual::of_lcp(&lcp, z, &w);
                assert!(same(told, &true_one), "{method}: {told} for {true_one}");
            }
            let (first, last) = (seen.seen[0].1, seen.seen[seen.seen.len() - 1].1);
            assert!(last.natural <= 1e3 * SOLVED && first.natural > 1e-3, "{method}: {first}, {last}");
        }
    }
}

#[test]
fn watching_changes_nothing() {
    let mut random = Random::new(9);
    for n in [8, 30] {
        let lcp = positive_definite(&mut random, n);
        for method in Method::ALL.into_iter().filter(|m| *m != Method::Search) {
            let (mut seen, mut watched_answer, mut answer) =
                (Iterates::default(), Solution::default(), Solution::default());
            let with = Solver::new(method).run(&lcp, watched(&mut seen), &mut watched_answer).unwrap();
            let without = Solver::new(method).solve(&lcp, &mut answer);
            assert_eq!((with, watched_answer), (without, answer), "{method}, n = {n}");
        }
    }
}

#[test]
fn iterates_of_boxed_problems_are_within_their_bounds_whatever_form_a_method_works_on() {
    let mut random = Random::new(10);
    let n = 8;
    let lcp = positive_definite(&mut random, n);
    let (mut lo, mut hi) = (vec![-0.1; n], vec![0.3; n]);
    (lo[2], hi[2]) = (f64::NEG_INFINITY, f64::INFINITY);
    let mlcp = Mlcp::from_column_major(lcp.m().to_vec(), lcp.q().to_vec(), lo, hi).unwrap();
    for method in Method::ALL {
        let (mut seen, mut answer) = (Iterates::default(), MlcpSolution::default());
        let outcome = Solver::new(method).run(&mlcp, watched(&mut seen), &mut answer).unwrap();
        assert!(outcome.is_solved() && !seen.seen.is_empty(), "{method}: {outcome}");
        for (x, told) in &seen.seen {
            let mut w = Vec::new();
            mlcp.slack(x, &mut w);
            assert_eq!(x.len(), n);
            assert!(same(told, &Residual::of_mlcp(&mlcp, x, &w)), "{method}: {told}");
        }
    }
}

#[test]
fn sparse_sweeps_and_friction_are_seen_too() {
    let n = 40;
    let entries = (0..n).flat_map(|i| {
        let beside = |j: usize| (i, j, -1.0);
        [(i, i, 2.5)]
            .into_iter()
            .chain((i > 0).then(|| beside(i - 1)))
            .chain((i + 1 < n).then(|| beside(i + 1)))
    });
    let m = SparseMatrix::from_triplets(n, entries).unwrap();
    let lcp = Lcp::from_sparse(m, (0..n).map(|i| (i as f64).sin() - 0.2).collect()).unwrap();
    let (mut seen, mut answer) = (Iterates::default(), Solution::default());
    let outcome = Solver::new(Method::Pgs).run(&lcp, watched(&mut seen), &mut answer).unwrap();
    assert!(outcome.is_solved() && seen.seen.len() == outcome.pivots);
    assert!(seen.seen.windows(4).all(|w| w[3].1.energy < w[0].1.energy), "energy falls");

    let face = resting_face(&mut Random::new(3), 4, 0.5, 8);
    for (method, cone) in [
        (Method::Robust, ConeShape::Exact),
        (Method::Robust, ConeShape::Facets),
        (Method::Lemke, ConeShape::Facets),
    ] {
        let (mut seen, mut answer) = (Iterates::default(), FrictionSolution::default());
        let options = Options { cone, ..watched(&mut seen) };
        let outcome = Solver::new(method).run(&face, options, &mut answer).unwrap();
        let (x, told) = seen.seen.last().expect("at least the answer");
        assert_eq!(x.len(), answer.impulses.len(), "{method}");
        if outcome.is_solved() {
            assert!(told.natural <= 1e3 * SOLVED, "{method}: {told}");
        }
    }
}
