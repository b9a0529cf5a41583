//! A small dense solve: Gauss with row exchanges, four columns at a time.

use crate::tolerances;

/// x with A x = b, in place of b; A (k × k, row-major) becomes its factors, with `swaps` its exchanges. False if a pivot vanishes
/// beside the largest entry of A: 1e-15 of it is rounding.
pub(crate) fn solve_in_place(a: &mut [f64], k: usize, b: &mut [f64], swaps: &mut Vec<usize>) -> bool {
    let least = tolerances::VANISHED * crate::kernel::max_abs(a);
    if !crate::kernel::eliminate(a, k, b, least, swaps) {
        return false;
    }
    substitute(a, k, b);
    true
}

/// The same for another b, by the factors of A.
pub(crate) fn solve_again(a: &[f64], k: usize, b: &mut [f64], swaps: &[usize]) {
    crate::kernel::eliminate_again(a, k, b, swaps);
    substitute(a, k, b);
}

fn substitute(a: &[f64], k: usize, b: &mut [f64]) {
    for c in (0..k).rev() {
        let row = &a[c * k..(c + 1) * k];
        let sum = crate::kernel::dot(&row[c + 1..], &b[c + 1..]);
        b[c] = (b[c] - sum) / row[c];
    }
}

#[cfg(test)]
mod tests {
    use super::{solve_again, solve_in_place};

    #[test]
    fn a_system_that_needs_row_exchanges_is_solved() {
        let a = [0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 3.0, 1.0, 2.0];
        let x = [1.0, -2.0, 3.0];
        let mut b: Vec<f64> = (0..3).map(|r| (0..3).map(|c| a[3 * r + c] * x[c]).sum()).collect();
        let swaps = &mut Vec::new();
        assert!(solve_in_place(&mut a.clone(), 3, &mut b, swaps));
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-14));
        for k in [1, 4, 5, 7, 12, 31] {
            // well away from singular, largest entries off the diagonal
            let a: Vec<f64> = (0..k * k)
                .map(|at| (at as f64 * 0.7391).sin() + if (at / k + 1) % k == at % k { 4.0 } else { 0.0 })
                .collect();
            let x: Vec<f64> = (0..k).map(|c| (c as f64).cos()).collect();
            let right: Vec<f64> = (0..k).map(|r| (0..k).map(|c| a[k * r + c] * x[c]).sum()).collect();
            let (mut factor, mut b) = (a.clone(), right.clone());
            assert!(solve_in_place(&mut factor, k, &mut b, swaps));
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-12), "{k}");
            let mut b: Vec<f64> = right.iter().map(|v| -2.0 * v).collect();
            solve_again(&factor, k, &mut b, swaps);
            assert!(b.iter().zip(&x).all(|(b, x)| (b + 2.0 * x).abs() < 1e-12), "{k} again");
        }
        assert!(!solve_in_place(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [1.0, 1.0], swaps));
    }
}
