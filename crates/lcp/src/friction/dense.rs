//! A small dense solve: Gauss with row exchanges, skipping what is zero.

use crate::kernel::axpy;

/// x with A x = b, in place of b; A (k × k, row-major) is overwritten. False if a pivot vanishes beside the
/// largest entry of A: 1e-15 of it is rounding.
pub(crate) fn solve_in_place(a: &mut [f64], k: usize, b: &mut [f64]) -> bool {
    let scale = crate::kernel::max_abs(a);
    for c in 0..k {
        let (mut best, mut at) = (0.0, c);
        for r in c..k {
            let v = a[r * k + c].abs();
            if v > best {
                (best, at) = (v, r);
            }
        }
        if best.is_nan() || best <= 1e-15 * scale {
            return false;
        }
        if at != c {
            let (upper, lower) = a.split_at_mut(at * k);
            upper[c * k + c..(c + 1) * k].swap_with_slice(&mut lower[c..k]);
            b.swap(c, at);
        }
        let (upper, lower) = a.split_at_mut((c + 1) * k);
        let pivot_row = &upper[c * k + c..];
        let pivot = pivot_row[0];
        // a mechanism couples neighbours: most of a row is zero
        let end = pivot_row.iter().rposition(|v| *v != 0.0).map_or(1, |p| p + 1);
        for (r, row) in lower.chunks_exact_mut(k).enumerate() {
            let f = row[c] / pivot;
            if f != 0.0 {
                axpy(-f, &pivot_row[1..end], &mut row[c + 1..c + end]);
                b[c + 1 + r] -= f * b[c];
            }
        }
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
        assert!(!solve_in_place(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [1.0, 1.0]));
    }
}
