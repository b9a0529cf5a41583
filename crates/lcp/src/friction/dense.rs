//! A small dense solve: Gauss with row exchanges, four columns at a time.

/// x with A x = b, in place of b; A (k × k, row-major) is overwritten. False if a pivot vanishes beside the
/// largest entry of A: 1e-15 of it is rounding.
pub(crate) fn solve_in_place(a: &mut [f64], k: usize, b: &mut [f64]) -> bool {
    let least = 1e-15 * crate::kernel::max_abs(a);
    if !crate::kernel::eliminate(a, k, b, least) {
        return false;
    }
    for c in (0..k).rev() {
        let row = &a[c * k..(c + 1) * k];
        let sum = crate::kernel::dot(&row[c + 1..], &b[c + 1..]);
        b[c] = (b[c] - sum) / row[c];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::solve_in_place;

    #[test]
    fn a_system_that_needs_row_exchanges_is_solved() {
        let a = [0.0, 2.0, 1.0, 1.0, 0.0, 0.0, 3.0, 1.0, 2.0];
        let x = [1.0, -2.0, 3.0];
        let mut b: Vec<f64> = (0..3).map(|r| (0..3).map(|c| a[3 * r + c] * x[c]).sum()).collect();
        assert!(solve_in_place(&mut a.clone(), 3, &mut b));
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-14));
        for k in [1, 4, 5, 7, 12, 31] {
            // well away from singular, largest entries off the diagonal
            let a: Vec<f64> = (0..k * k)
                .map(|at| (at as f64 * 0.7391).sin() + if (at / k + 1) % k == at % k { 4.0 } else { 0.0 })
                .collect();
            let x: Vec<f64> = (0..k).map(|c| (c as f64).cos()).collect();
            let mut b: Vec<f64> = (0..k).map(|r| (0..k).map(|c| a[k * r + c] * x[c]).sum()).collect();
            assert!(solve_in_place(&mut a.clone(), k, &mut b));
            assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-12), "{k}");
        }
        assert!(!solve_in_place(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [1.0, 1.0]));
    }
}
