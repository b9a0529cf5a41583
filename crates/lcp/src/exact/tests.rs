use super::*;

fn boxed(a: &[[f64; 2]; 2], b: [f64; 2], lo: [f64; 2], hi: [f64; 2]) -> Mlcp {
    Mlcp::from_rows(a, b.to_vec(), lo.to_vec(), hi.to_vec()).unwrap()
}

const NONE: f64 = f64::INFINITY;

fn decided(mlcp: &Mlcp) -> Decision {
    decide(mlcp, 1 << 14, Clock::default())
}

#[test]
fn a_regular_problem_has_its_one_solution() {
    let p = boxed(&[[2.0, 1.0], [1.0, 2.0]], [-1.0, -3.0], [-1e18; 2], [1e18; 2]);
    assert_eq!(decided(&p), Decision::Solution(vec![-1.0 / 3.0, 5.0 / 3.0]));
    let p = boxed(&[[2.0, 1.0], [1.0, 2.0]], [-1.0, -3.0], [-1e18; 2], [1.0; 2]);
    assert_eq!(decided(&p), Decision::Solution(vec![0.0, 1.0]));
    let p = boxed(&[[2.0, 1.0], [1.0, 2.0]], [-1.0, -3.0], [0.25, -NONE], [NONE, 1.0]);
    assert_eq!(decided(&p), Decision::Solution(vec![0.25, 1.0]));
}

#[test]
fn a_singular_cone_holds_a_solution() {
    let m = [[0.0, 1.0, 0.0], [0.0, 0.0, 4.0], [-3.0, 0.0, 0.0]];
    let p = Mlcp::from_rows(&m, vec![1.0, -4.0, 0.0], vec![0.0; 3], vec![NONE; 3]).unwrap();
    assert_eq!(decided(&p), Decision::Solution(vec![0.0, 0.0, 1.0]));
}

#[test]
fn what_has_no_solution_is_refuted() {
    let p = Mlcp::from_rows(&[[-1.0]], vec![-1.0], vec![0.0], vec![NONE]).unwrap();
    assert_eq!(decided(&p), Decision::NoSolution { refuted: 1 });
    // feasible, yet no complementary pair: w1 = z1 − z2 + 1e-20 … has none either way
    let p = boxed(&[[0.0, -1.0], [1.0, 0.0]], [0.5, -1.0], [0.0; 2], [NONE; 2]);
    assert!(matches!(decided(&p), Decision::Solution(_) | Decision::NoSolution { .. }));
    assert!(proves_infeasible(&[-1.0], &[-1.0], &[1.0]));
    assert!(!proves_infeasible(&[1e-300], &[-1.0], &[1.0]));
    assert!(!proves_infeasible(&[0.0], &[-1.0], &[-1.0]));
}

#[test]
fn friction_on_a_normal_of_either_sign_is_decided() {
    // x0 free with x0 = ∓1, friction within |x0|/2 against w1 = x1 ∓ 2
    for sign in [1.0, -1.0] {
        let p = boxed(&[[1.0, 0.0], [0.0, 1.0]], [sign, -2.0], [-NONE, -0.5], [NONE, 0.5])
            .with_friction_index(vec![None, Some(0)])
            .unwrap();
        assert_eq!(decided(&p), Decision::Solution(vec![-sign, 0.5]));
    }
}

#[test]
fn an_interrupted_search_decides_nothing() {
    let p = boxed(&[[2.0, 1.0], [1.0, 2.0]], [-1.0, -3.0], [0.0; 2], [NONE; 2]);
    let clock = Clock::new(&crate::Budget::seconds(0.0));
    assert_eq!(decide(&p, 100, clock), Decision::Undecided);
    assert_eq!(decide(&p, 0, Clock::default()), Decision::Undecided);
}

#[test]
fn a_solution_behind_several_choices_is_found() {
    let m = [[0.0, 2.0, 1.0], [0.0, 0.0, -1.0], [-1.0, 1.0, -2.0]];
    let p = Mlcp::from_rows(&m, vec![-2.0, 2.0, 2.0], vec![0.0; 3], vec![NONE; 3]).unwrap();
    assert_eq!(decided(&p), Decision::Solution(vec![0.0, 2.0, 2.0]));
}
