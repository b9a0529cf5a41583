//! Any problem written and read again is the same, to the bit.

use gudgeon_cli::problem_file::{self, Problem, write_json};
use gudgeon_lcp::{Bounded, Contact, FrictionProblem, GlobalForm, Lcp, Mlcp, Row};
use proptest::collection::vec;
use proptest::prelude::*;

/// Equal numbers are not enough: zeros have signs. The text tells them apart.
fn assert_comes_back(problem: &Problem) {
    let text = write_json(problem);
    assert!(!text.contains('\n'));
    let mut back = problem_file::read_bytes("x.json", text.as_bytes());
    let back = back.remove(0).unwrap().problem;
    assert_eq!(&back, problem);
    assert_eq!(write_json(&back), text);
}

/// Any finite number at all: subnormal, huge, negative zero.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>().prop_filter("finite", |x| x.is_finite()), Just(0.0), Just(-0.0), -1.0..1.0]
}

fn row(dof: usize) -> impl Strategy<Value = Row> {
    (vec((0..dof, any_number()), 0..4), any_number()).prop_map(|(entries, bias)| Row { entries, bias })
}

fn contact(dof: usize) -> impl Strategy<Value = Contact> {
    (0.0..2.0, row(dof), row(dof), row(dof), any::<bool>()).prop_map(|(mu, normal, t1, t2, still)| {
        let tangents = if still { [t1, t2].map(|row| row.with_bias(0.0)) } else { [t1, t2] };
        Contact { mu, normal, tangents }
    })
}

fn bounded(dof: usize) -> impl Strategy<Value = Bounded> {
    let bounds = prop_oneof![
        Just((f64::NEG_INFINITY, f64::INFINITY)),
        (-2.0..0.0, 0.0..2.0),
        (-2.0..0.0).prop_map(|lo| (lo, f64::INFINITY)),
    ];
    (row(dof), bounds).prop_map(|(row, (lo, hi))| Bounded { row, lo, hi })
}

proptest! {
    #[test]
    fn an_lcp_comes_back((n, m, q) in (1_usize..6).prop_flat_map(|n| (Just(n), vec(any_number(), n * n), vec(any_number(), n)))) {
        prop_assert_eq!(m.len(), n * n);
        assert_comes_back(&Problem::Lcp(Lcp::from_column_major(m, q).unwrap()));
    }

    #[test]
    fn an_mlcp_comes_back(
        a in vec(any_number(), 9),
        b in vec(any_number(), 3),
        lo in vec(prop_oneof![Just(f64::NEG_INFINITY), -5.0..0.0], 3),
        hi in vec(prop_oneof![Just(f64::INFINITY), 0.0..5.0], 3),
        mu in 0.0..1.0_f64,
        boxed in any::<bool>(),
    ) {
        let (mut lo, mut hi) = (lo, hi);
        if boxed {
            (lo[0], lo[2], hi[2]) = (0.0, -mu, mu);
        }
        let mlcp = Mlcp::from_column_major(a, b, lo, hi).unwrap();
        let mlcp = if boxed { mlcp.with_friction_index(vec![None, None, Some(0)]).unwrap() } else { mlcp };
        assert_comes_back(&Problem::Mlcp(mlcp));
    }

    #[test]
    fn a_local_friction_problem_comes_back_dense_or_sparse(
        w in vec(any_number(), 36),
        keep in vec(any::<bool>(), 36),
        thin in any::<bool>(),
        q in vec(any_number(), 6),
        mu in vec(0.0..2.0, 2),
        facets in 2_usize..12,
    ) {
        let w = w.iter().zip(&keep).enumerate().map(|(k, (x, keep))| if *keep && (!thin || k % 5 == 0) { *x } else { 0.0 });
        let friction = FrictionProblem::local_column_major(w.collect(), q, mu).unwrap();
        assert_comes_back(&Problem::Friction(friction.with_facets(2 * facets).unwrap()));
    }

    #[test]
    fn a_global_friction_problem_comes_back(
        diagonal in vec(0.1..10.0, 3),
        free_velocity in vec(any_number(), 3),
        contacts in vec(contact(3), 1..3),
        equality in vec(row(3), 0..2),
        unilateral in vec(row(3), 0..2),
        bounded in vec(bounded(3), 0..3),
    ) {
        let mass = vec![(1, vec![diagonal[0]]), (2, vec![diagonal[1], 0.05, 0.05, diagonal[2]])];
        let form = GlobalForm { mass, free_velocity, contacts, equality, unilateral, bounded };
        assert_comes_back(&Problem::Friction(FrictionProblem::global(form).unwrap()));
    }
}

#[test]
fn every_example_comes_back() {
    for file in crate::support::files(crate::support::example("").as_ref(), &["json", "jsonl", "npz", "hdf5"])
    {
        for item in problem_file::read(file.to_str().unwrap()) {
            assert_comes_back(&item.unwrap().problem);
        }
    }
}
