use super::*;
use crate::problem::{Lcp, Mlcp};

fn sure(mlcp: &Mlcp, x: &[f64]) -> bool {
    let mut w = Vec::new();
    mlcp.slack(x, &mut w);
    is_sure(BoxedRows::from(mlcp), x, &w)
}

#[test]
fn an_answer_that_rounding_excuses_is_not_sure() {
    let a = 713_876_550_659_556.0;
    let lcp = Lcp::from_rows(&[[a, -a], [-a, a + 1.0]], vec![2.0 * a, -2.0 * a - 3.0]).unwrap();
    let mlcp = Mlcp::from(&lcp);
    assert!(!sure(&mlcp, &[0.0, 2.000_000_000_000_001_3]));
    let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0]).unwrap();
    assert!(sure(&Mlcp::from(&lcp), &[4.0 / 3.0, 7.0 / 3.0]));
    assert!(!sure(&Mlcp::from(&lcp), &[4.0 / 3.0 + 1e-8, 7.0 / 3.0]));
    assert!(!sure(&Mlcp::from(&lcp), &[0.0, 3.0]));
}

#[test]
fn an_answer_without_a_rounding_is_its_own_proof() {
    // both rows of w are zero, and the second unknown too: no inverse tells signs of zeros
    let exact = Lcp::from_rows(&[[2.0, 1.0], [1.0, 0.5]], vec![-4.0, -2.0]).unwrap();
    assert!(sure(&Mlcp::from(&exact), &[2.0, 0.0]));
    let rounded = Lcp::from_rows(&[[3.0, 1.0], [1.0, 1.0]], vec![-1.0, -1.0 / 3.0]).unwrap();
    assert!(!sure(&Mlcp::from(&rounded), &[1.0 / 3.0, 0.0]));
    // products that vanish tell nothing
    let least = f64::from_bits(1);
    let vanished = Lcp::from_rows(&[[1e-300, 0.0], [0.0, 1.0]], vec![0.0, 1.0]).unwrap();
    assert!(!sure(&Mlcp::from(&vanished), &[least, 0.0]));
}

#[test]
fn an_inverse_lent_is_believed_as_far_as_it_goes() {
    let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0]).unwrap();
    let by = |lent: [[f64; 2]; 2], z: [f64; 2]| {
        let mut w = Vec::new();
        lcp.slack(&z, &mut w);
        lent::is_sure(lent::Answer { m: lcp.m(), q: lcp.q(), z: &z, w: &w }, |unknowns, inverse| {
            (0..2).for_each(|i| inverse[i][..2].copy_from_slice(&lent[i]));
            unknowns == [0, 1]
        })
    };
    let inverse = [[2.0 / 3.0, -1.0 / 3.0], [-1.0 / 3.0, 2.0 / 3.0]];
    let z = [4.0 / 3.0, 7.0 / 3.0];
    assert!(by(inverse, z));
    assert!(by([[0.6, -0.3], [-0.3, 0.6]], z), "roughly an inverse");
    assert!(!by(inverse, [4.0 / 3.0 + 1e-8, 7.0 / 3.0]));
    for broken in [[[f64::NAN; 2]; 2], [[0.0; 2]; 2], [[f64::INFINITY; 2]; 2]] {
        assert!(!by(broken, z), "{broken:?}");
    }
    // the second row is zero beside nothing, or negative
    let row = |q: f64, w: f64| {
        let answer = lent::Answer { m: &[2.0, 1.0, 1.0, 2.0], q: &[-4.0, q], z: &[2.0, 0.0], w: &[0.0, w] };
        lent::is_sure(answer, |unknowns, inverse| {
            inverse[0][0] = 0.5;
            unknowns == [0]
        })
    };
    assert!(row(-1.0, 1.0) && !row(-2.0, 0.0) && !row(-3.0, -1.0) && !row(-2.0, 1e-31));
}

#[test]
fn an_accurate_answer_of_a_steep_problem_is_sure() {
    // a condition of 4e8: the residual of the rounded answer speaks of digits that the answer has not lost
    let e = 1e-8;
    let lcp = Lcp::from_rows(&[[1.0, 1.0 - e], [1.0 - e, 1.0]], vec![-1.0, -1.0 + e]).unwrap();
    let x = [0.0, 0.0];
    assert!(!sure(&Mlcp::from(&lcp), &x));
    let lcp = Lcp::from_rows(&[[1.0, 1.0 - e], [1.0 - e, 1.0]], vec![-0.3, -0.3]).unwrap();
    let third = 0.3 / (2.0 - e);
    assert!(sure(&Mlcp::from(&lcp), &[third, third]));
    assert!(!sure(&Mlcp::from(&lcp), &[third * (1.0 + 1e-7), third * (1.0 - 1e-7)]));
}

#[test]
fn rows_that_follow_another_are_part_of_the_system() {
    // a normal of 2, friction at its bound of ½ · 2 against a push of 3
    let p = Mlcp::from_rows(
        &[[1.0, 0.0], [0.0, 1.0]],
        vec![-2.0, -3.0],
        vec![0.0, -0.5],
        vec![f64::INFINITY, 0.5],
    );
    let p = p.unwrap().with_friction_index(vec![None, Some(0)]).unwrap();
    assert!(sure(&p, &[2.0, 1.0]));
    assert!(!sure(&p, &[2.0, -1.0]));
    assert!(!sure(&p, &[2.1, 1.05]));
}
