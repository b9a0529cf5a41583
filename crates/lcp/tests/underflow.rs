//! Numbers so small that their products are none: what is lost there excuses nothing.

use gudgeon_lcp::{Lcp, Method, Mlcp, Solution, Solver, SparseMatrix, Status};

use crate::truth::{robust_boxed, wrong};

/// Products among the least numbers there are round to zero: such a slack proves nothing.
#[test]
fn numbers_that_underflow_excuse_nothing() {
    let (none, far) = (f64::NEG_INFINITY, 1e300);
    let three = Mlcp::from_column_major(
        vec![
            2.08e-322,
            -1.417_677e-318,
            3.415e-320,
            3.2884e-319,
            -2.77e-322,
            -2.176e-320,
            -7.95e-322,
            -4e-323,
            6.76e-321,
        ],
        vec![2e-323, -2.5e-323, 2.871e-319],
        vec![none; 3],
        vec![far, 0.0, 1.65e-321],
    )
    .unwrap();
    // 1e-320 x − 1e-330 has a root at 1e-10, which floats cannot tell from its neighbours
    let one = Mlcp::from_column_major(vec![1e-320], vec![0.0], vec![1e-10], vec![1.0]).unwrap();
    let tiny = |k: i32| 2.0_f64.powi(k);
    for (index, p) in [three, one].into_iter().enumerate() {
        let (outcome, solution) = robust_boxed(&p);
        assert_eq!(wrong(&p, outcome.status, &solution.x), None, "{index}: {outcome:?} {solution:?}");
    }
    // the same problem at any size is the same problem: exact where its products are
    for k in [0, -500, -1000, -1060] {
        let p = Mlcp::from_column_major(
            vec![2.0 * tiny(k), tiny(k), tiny(k), 2.0 * tiny(k)],
            vec![-tiny(k); 2],
            vec![0.0; 2],
            vec![far; 2],
        )
        .unwrap();
        let (outcome, solution) = robust_boxed(&p);
        assert_eq!(wrong(&p, outcome.status, &solution.x), None, "{k}: {outcome:?} {solution:?}");
        assert!(k < -1000 || outcome.status == Status::Solved, "{k}: {outcome:?}");
    }
    // and a row of nothing is solved by anything
    let p = Mlcp::from_column_major(vec![0.0], vec![0.0], vec![-1.0], vec![1.0]).unwrap();
    assert_eq!(robust_boxed(&p).0.status, Status::Solved);
}

/// Rows of a large sparse problem that nothing touches have a unit of zero and are exact; they are told by one pass over the
/// entries, not by a look at all of them for each.
#[test]
fn rows_that_add_up_nothing_are_solved() {
    let n = 50_000;
    let m = SparseMatrix::from_triplets(n, (0..n).map(|k| (k, k, 2.0))).unwrap();
    let q = (0..n).map(|k| if k % 2 == 0 { -1.0 } else { 0.0 }).collect();
    let mut solution = Solution::default();
    let outcome = Solver::new(Method::Robust).solve(&Lcp::from_sparse(m, q).unwrap(), &mut solution);
    assert_eq!(outcome.status, Status::Solved);
    assert!(solution.z.iter().enumerate().all(|(k, z)| *z == if k % 2 == 0 { 0.5 } else { 0.0 }));
}
