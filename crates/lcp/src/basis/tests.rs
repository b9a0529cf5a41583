//! Exchanges against fresh inverses.

use super::*;

/// A matrix of no special kind, n × (n + 1).
fn matrix(n: usize) -> Vec<f64> {
    let mut state = 12345_u64;
    (0..n * (n + 1))
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        })
        .collect()
}

#[test]
fn updates_agree_with_a_fresh_inverse_through_all_four_kinds() {
    let n = 9;
    let m = matrix(n);
    let q: Vec<f64> = (0..n).map(|i| 1.0 - 0.3 * i as f64).collect();
    let (mut updated, mut fresh) = (Basis::default(), Basis::default());
    updated.reset(n);
    fresh.reset(n);
    let exchanges = [
        (Variable::Z0, Variable::W(3)),
        (Variable::Z(3), Variable::W(1)),
        (Variable::Z(1), Variable::W(7)),
        (Variable::Z(7), Variable::Z(3)),
        (Variable::W(3), Variable::W(5)),
        (Variable::Z(5), Variable::W(0)),
        (Variable::W(7), Variable::Z(1)),
        (Variable::Z(2), Variable::Z0),
    ];
    let mut column = Values::default();
    let (mut a, mut b) = (Values::default(), Values::default());
    for (entering, leaving) in exchanges {
        updated.drive(&m, entering, &mut column);
        assert!(updated.check_exchange(&m, entering, leaving, &column));
        updated.exchange(&m, entering, leaving, &column);
        fresh.install(entering, leaving);
        assert!(fresh.factor(&m));
        updated.solve(&m, &q, &mut a);
        fresh.solve(&m, &q, &mut b);
        for i in (0..n).filter(|&i| updated.w_is_basic(i)) {
            assert!((a.w[i] - b.w[i]).abs() < 1e-11, "{entering} {leaving}");
        }
        assert_eq!(updated.cols(), fresh.cols());
        for (x, y) in a.z.iter().zip(&b.z) {
            assert!((x - y).abs() < 1e-11, "{entering} {leaving}: {x} {y}");
        }
    }
}
