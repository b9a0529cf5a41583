//! Sparse problems: the same answers as dense ones, by every road, and large ones at all.

use gudgeon_lcp::{
    Lcp, Method, Mlcp, MlcpSolution, Options, Refused, Residual, Side, Solution, Solver, SparseMatrix, Start,
    Status, lcp_errors,
};
use gudgeon_testkit::rng::Rng;

/// −Δu on a line or a square of `side` inner points, times h².
fn laplacian(side: usize, two: bool) -> SparseMatrix {
    let n = if two { side * side } else { side };
    let mut list = Vec::new();
    for k in 0..n {
        list.push((k, k, if two { 4.0 } else { 2.0 }));
        let mut beside = |to: usize| list.extend([(k, to, -1.0), (to, k, -1.0)]);
        if (k + 1) % side != 0 {
            beside(k + 1);
        }
        if two && k + side < n {
            beside(k + side);
        }
    }
    SparseMatrix::from_triplets(n, list).unwrap()
}

/// A membrane pulled up in places and held down by a plate: z is its distance.
fn obstacle(side: usize, two: bool) -> Lcp {
    let m = laplacian(side, two);
    let h = 1.0 / (side as f64 + 1.0);
    let load = |i: usize| {
        let at = |k: usize| (k as f64 + 1.0) * h;
        if two {
            h * h * (1.0 - 8.0 * (3.0 * at(i % side)).sin() * (4.0 * at(i / side)).cos())
        } else {
            h * h * (1.0 - 3.0 * (9.0 * at(i)).sin())
        }
    };
    let q = (0..m.n()).map(load).collect();
    Lcp::from_sparse(m, q).unwrap()
}

fn dense(lcp: &Lcp) -> Lcp {
    Lcp::from_column_major(lcp.sparse().unwrap().to_dense(), lcp.q().to_vec()).unwrap()
}

#[test]
fn sparse_and_dense_agree_by_every_method() {
    for (side, two) in [(40, false), (7, true)] {
        let sparse = obstacle(side, two);
        let (mut reference, mut answer) = (Solution::default(), Solution::default());
        let first = Solver::new(Method::Lemke).solve(&dense(&sparse), &mut reference);
        assert!(first.is_solved());
        for method in [Method::Robust, Method::Murty, Method::BlockPivot, Method::Pgs, Method::Lemke] {
            let outcome = Solver::new(method).solve(&sparse, &mut answer);
            assert!(outcome.is_solved(), "{method}: {outcome}");
            let off = answer.z.iter().zip(&reference.z).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let size = reference.z.iter().copied().fold(0.0, f64::max);
            // sweeps end at an eighth of 1e-9 of the load, which the inverse of the matrix makes larger
            let digits = if method == Method::Pgs { 1e-6 } else { 1e-12 };
            assert!(off <= digits * size, "{method}: {off:e} of {size:e}");
            assert_eq!(outcome.residual.natural, Residual::of_lcp(&sparse, &answer.z, &answer.w).natural);
        }
    }
}

#[test]
fn a_dense_matrix_that_is_mostly_zero_is_found_to_be_sparse() {
    let sparse = obstacle(60, false);
    let (mut a, mut b) = (Solution::default(), Solution::default());
    let first = Solver::new(Method::Robust).solve(&sparse, &mut a);
    let second = Solver::new(Method::Robust).solve(&dense(&sparse), &mut b);
    // the same work on the same numbers
    assert_eq!((first, a), (second, b));
}

#[test]
fn large_obstacles_are_solved_to_rounding() {
    for (side, two) in [(100_000, false), (120, true)] {
        let lcp = obstacle(side, two);
        let mut answer = Solution::default();
        let outcome = Solver::new(Method::Robust).solve(&lcp, &mut answer);
        println!("{} unknowns: {outcome}", lcp.n());
        assert!(outcome.is_solved(), "{outcome}");
        let touching = answer.z.iter().filter(|&&z| z == 0.0).count();
        assert!(touching > lcp.n() / 20 && touching < lcp.n() / 20 * 19);
        // in raw units, by the other measure: some roundings of the terms that cancel in a row
        let raw = lcp_errors(&lcp, &answer.z, &answer.w);
        let size = answer.z.iter().copied().fold(0.0, f64::max);
        assert!(raw.rows.iter().all(|row| row.natural <= 1e-14 * size));
    }
}

#[test]
fn methods_without_sparse_arithmetic_refuse_what_is_too_large() {
    let lcp = obstacle(5_000, false);
    let mut answer = Solution::default();
    let mut lemke = Solver::new(Method::Lemke);
    let refused = lemke.run(&lcp, Options::default(), &mut answer).unwrap_err();
    assert_eq!(refused, Refused::TooLarge { method: Method::Lemke, n: 5_000 });
    let outcome = lemke.solve(&lcp, &mut answer);
    assert_eq!((outcome.status, answer.z.len()), (Status::Inaccurate, 5_000));
}

/// A random monotone boxed problem of a sparse matrix that is not symmetric: B Bᵀ + S − Sᵀ, of less than full rank.
fn monotone(rng: &mut Rng, n: usize) -> Mlcp {
    let mut dense = vec![0.0; n * n];
    for _ in 0..=(n / 2) {
        let picks: Vec<(usize, f64)> = (0..3).map(|_| (rng.below(n), rng.uniform(-1.0, 1.0))).collect();
        for &(i, a) in &picks {
            for &(j, b) in &picks {
                dense[j * n + i] += a * b;
            }
        }
        let (i, j, v) = (rng.below(n), rng.below(n), rng.uniform(-1.0, 1.0));
        dense[j * n + i] += v;
        dense[i * n + j] -= v;
    }
    let entries = (0..n * n).map(|k| (k % n, k / n, dense[k]));
    let a = SparseMatrix::from_triplets(n, entries).unwrap();
    // planted: b = w − A x
    let (mut lo, mut hi, mut x, mut w) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        lo[i] = rng.uniform(-1.0, 0.0);
        hi[i] = if rng.below(3) == 0 { f64::INFINITY } else { rng.uniform(0.0, 1.0) };
        match rng.below(3) {
            0 => (x[i], w[i]) = (lo[i], rng.uniform(0.0, 1.0)),
            1 if hi[i].is_finite() => (x[i], w[i]) = (hi[i], rng.uniform(-1.0, 0.0)),
            _ => x[i] = lo[i] + 0.3,
        }
    }
    let mut b = Vec::new();
    a.affine(&x, &vec![0.0; n], &mut b);
    b.iter_mut().zip(&w).for_each(|(b, w)| *b = w - *b);
    for i in 0..n {
        if x[i] > hi[i] {
            hi[i] = x[i];
        }
    }
    Mlcp::from_sparse(a, b, lo, hi).unwrap()
}

#[test]
fn monotone_boxed_problems_are_solved_and_their_sides_are_a_start() {
    let mut rng = Rng::new(22);
    let (mut solved, mut at_once, total) = (0, 0, 200);
    for round in 0..total {
        let mlcp = monotone(&mut rng, 5 + round % 60);
        let (mut solver, mut answer) = (Solver::new(Method::Robust), MlcpSolution::default());
        let outcome = solver.solve_mlcp(&mlcp, &mut answer);
        if !outcome.is_solved() {
            println!("{round}: {outcome}");
            continue;
        }
        solved += 1;
        assert!(Residual::of_mlcp(&mlcp, &answer.x, &answer.w).natural <= 1e-9);
        assert!(answer.sides.iter().zip(&answer.x).enumerate().all(|(i, (side, x))| match side {
            Side::Lower => *x == mlcp.lo()[i],
            Side::Upper => *x == mlcp.hi()[i],
            Side::Free => true,
        }));
        let sides = answer.sides.clone();
        let options = Options { start: Start::Sides(&sides), ..Options::default() };
        let again = Solver::new(Method::Robust).run(&mlcp, options, &mut answer).unwrap();
        assert!(again.is_solved());
        at_once += usize::from(again.pivots == 0);
    }
    println!("{solved} of {total} solved, {at_once} again without a pivot");
    assert_eq!(solved, total);
    assert!(at_once * 10 >= total * 9, "{at_once}");
}
