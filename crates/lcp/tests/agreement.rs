//! All methods give the same motion.

use gudgeon_lcp::{Method, Status};

use crate::support::{CLASSICAL, Random, positive_definite, solve};

#[test]
fn all_methods_agree_on_positive_definite_problems() {
    let mut random = Random::new(1);
    for n in [1, 2, 3, 5, 8, 13, 21] {
        for _ in 0..20 {
            let lcp = positive_definite(&mut random, n);
            let (_, reference) = solve(Method::Murty, &lcp);
            for method in CLASSICAL {
                // the printed search spreads in breadth and is lost beyond small problems
                if method == Method::Search && n > 8 {
                    continue;
                }
                let (outcome, solution) = solve(method, &lcp);
                assert_eq!(outcome.status, Status::Solved, "{method}, n = {n}: {outcome:?}");
                for (a, b) in solution.z.iter().zip(&reference.z) {
                    assert!((a - b).abs() < 1e-6, "{method}: {a} against {b}");
                }
            }
        }
    }
}
