//! Small dense systems: factors where the matrix is regular, an answer of least rank where it is not. Row-major.

use multiversion::multiversion;

use crate::kernel::dot;

/// Entries are of size one; what is left of a dependent row is the error of Π C.
pub(super) const LEAST: f64 = 1e-8;
/// Pivots chosen by column alone say less about the rank: so much more is wanted of them.
const CLEAR: f64 = 1e-6;

/// P A = L U in place, L with a unit diagonal; `swaps` says with which row each one was exchanged. False, with A
/// spoilt, if a pivot is too small to be trusted.
pub(super) fn factor(a: &mut [f64], n: usize, swaps: &mut Vec<usize>) -> bool {
    swaps.clear();
    swaps.resize(n, 0);
    factor_wide(a, n, swaps)
}

/// Four columns at a time: the rows below are then changed by four at once.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn factor_wide(a: &mut [f64], n: usize, swaps: &mut [usize]) -> bool {
    for from in (0..n).step_by(4) {
        let to = (from + 4).min(n);
        for c in from..to {
            let (mut p, mut largest) = (c, 0.0);
            for r in c..n {
                let v = a[r * n + c].abs();
                if v > largest {
                    (p, largest) = (r, v);
                }
            }
            // written so that NaN fails too
            let clear = largest > CLEAR;
            if !clear {
                return false;
            }
            swaps[c] = p;
            let (upper, lower) = a.split_at_mut((c + 1) * n);
            let pivot_row = &mut upper[c * n..];
            if p != c {
                pivot_row.swap_with_slice(&mut lower[(p - c - 1) * n..(p - c) * n]);
            }
            let inverse = 1.0 / pivot_row[c];
            for row in lower.chunks_exact_mut(n) {
                let f = row[c] * inverse;
                row[c] = f;
                for k in c + 1..to {
                    row[k] -= f * pivot_row[k];
                }
            }
        }
        // the rest of the rows of the panel, then of those below
        for c in from..to {
            for r in c + 1..to {
                let (upper, lower) = a.split_at_mut(r * n);
                let f = lower[c];
                let above = &upper[c * n + to..(c + 1) * n];
                lower[to..n].iter_mut().zip(above).for_each(|(x, y)| *x -= f * y);
            }
        }
        if to - from == 4 {
            let (upper, lower) = a.split_at_mut(to * n);
            let panel = &upper[from * n..];
            let (x0, x1) = (&panel[to..n], &panel[n + to..2 * n]);
            let (x2, x3) = (&panel[2 * n + to..3 * n], &panel[3 * n + to..4 * n]);
            let width = n - to;
            let (x0, x1, x2, x3) = (&x0[..width], &x1[..width], &x2[..width], &x3[..width]);
            for row in lower.chunks_exact_mut(n) {
                let (left, right) = row.split_at_mut(to);
                let f = &left[from..];
                let (f0, f1, f2, f3) = (f[0], f[1], f[2], f[3]);
                let right = &mut right[..width];
                for k in 0..width {
                    right[k] -= (f0 * x0[k] + f1 * x1[k]) + (f2 * x2[k] + f3 * x3[k]);
                }
            }
        }
    }
    true
}

/// x with A x = b by the factors of A; x takes the place of b.
pub(super) fn substitute(a: &[f64], swaps: &[usize], b: &mut [f64]) {
    let n = b.len();
    for (k, &p) in swaps.iter().enumerate() {
        b.swap(k, p);
    }
    for r in 1..n {
        let (before, rest) = b.split_at_mut(r);
        rest[0] -= dot(&a[r * n..r * n + r], before);
    }
    for r in (0..n).rev() {
        let row = &a[r * n..(r + 1) * n];
        b[r] = (b[r] - dot(&row[r + 1..], &b[r + 1..])) / row[r];
    }
}

/// x with A x = b where A has the rank for it; unknowns that are not determined are zero. Row-major; A and b are
/// overwritten, x takes the place of b. The largest entry left is the pivot, so that what is left of dependent rows
/// stands at the end and is seen for what it is.
pub(super) fn solve_rank(a: &mut [f64], n: usize, b: &mut [f64], order: &mut Vec<usize>) {
    order.clear();
    order.extend(0..n);
    solve_rank_wide(a, n, b, order);
}

/// The largest magnitude of some numbers, of eight at a time.
#[inline]
fn largest_of(row: &[f64]) -> f64 {
    let mut most = [0.0_f64; 8];
    let chunks = row.chunks_exact(8);
    let tail = chunks.remainder().iter().fold(0.0_f64, |m, v| if v.abs() > m { v.abs() } else { m });
    for chunk in chunks {
        for k in 0..8 {
            most[k] = if chunk[k].abs() > most[k] { chunk[k].abs() } else { most[k] };
        }
    }
    most.iter().fold(tail, |m, v| if *v > m { *v } else { m })
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn solve_rank_wide(a: &mut [f64], n: usize, b: &mut [f64], order: &mut [usize]) {
    let mut rank = 0;
    while rank < n {
        // the first of the largest, row by row
        let (mut p, mut largest) = (rank, 0.0);
        for r in rank..n {
            let own = largest_of(&a[r * n + rank..(r + 1) * n]);
            if own > largest {
                (p, largest) = (r, own);
            }
        }
        if largest <= LEAST {
            break;
        }
        let c = rank + a[p * n + rank..(p + 1) * n].iter().position(|v| v.abs() == largest).unwrap_or(0);
        if p != rank {
            let (upper, lower) = a.split_at_mut(p * n);
            upper[rank * n..(rank + 1) * n].swap_with_slice(&mut lower[..n]);
            b.swap(rank, p);
        }
        if c != rank {
            a.chunks_exact_mut(n).for_each(|row| row.swap(rank, c));
            order.swap(rank, c);
        }
        let (upper, lower) = a.split_at_mut((rank + 1) * n);
        let pivot_row = &upper[rank * n..];
        for (k, row) in lower.chunks_exact_mut(n).enumerate() {
            let f = row[rank] / pivot_row[rank];
            if f != 0.0 {
                row[rank..].iter_mut().zip(&pivot_row[rank..]).for_each(|(x, y)| *x += -f * y);
                b[rank + 1 + k] -= f * b[rank];
            }
        }
        rank += 1;
    }
    b[rank..].fill(0.0);
    for r in (0..rank).rev() {
        let row = &a[r * n..(r + 1) * n];
        b[r] = (b[r] - dot(&row[r + 1..rank], &b[r + 1..rank])) / row[r];
    }
    // back to the order of the unknowns
    for k in 0..n {
        while order[k] != k {
            let to = order[k];
            b.swap(k, to);
            order.swap(k, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknowns_that_nothing_determines_stay_zero() {
        let a = [1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 3.0, 3.0, 3.0];
        let (mut b, mut pivots) = (vec![5.0, 4.0, 9.0], vec![]);
        solve_rank(&mut { a }, 3, &mut b, &mut pivots);
        let left = (0..3).map(|r| (0..3).map(|c| a[3 * r + c] * b[c]).sum::<f64>());
        assert!(left.zip([5.0, 4.0, 9.0]).all(|(l, r)| (l - r).abs() < 1e-13), "{b:?}");
        assert_eq!(b.iter().filter(|x| **x == 0.0).count(), 1);
        let mut none = vec![1.0; 2];
        solve_rank(&mut [0.0; 4], 2, &mut none, &mut pivots);
        assert_eq!(none, [0.0, 0.0]);
    }

    #[test]
    fn factors_solve_what_the_rank_revealing_way_solves() {
        for n in [1, 3, 4, 7, 12, 21] {
            // deterministic, unsymmetric, and in need of exchanges
            let entry = |i: usize, j: usize| {
                let spread = ((7 * i + 3 * j * j + 5) % 11) as f64 / 11.0 - 0.5;
                spread / n as f64 + f64::from(i == n - 1 - j)
            };
            let a: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
            let x: Vec<f64> = (0..n).map(|k| 1.0 - 0.3 * k as f64).collect();
            let b: Vec<f64> = a.chunks_exact(n).map(|row| dot(row, &x)).collect();
            let (mut lu, mut swaps, mut first) = (a.clone(), vec![], b.clone());
            assert!(factor(&mut lu, n, &mut swaps));
            substitute(&lu, &swaps, &mut first);
            let (mut second, mut order) = (b, vec![]);
            solve_rank(&mut a.clone(), n, &mut second, &mut order);
            for k in 0..n {
                assert!(
                    (first[k] - x[k]).abs() < 1e-11 && (second[k] - x[k]).abs() < 1e-11,
                    "{n}: {first:?}"
                );
            }
        }
    }

    #[test]
    fn a_matrix_without_full_rank_has_no_factors() {
        let mut a = [1.0, 2.0, 2.0, 4.0];
        assert!(!factor(&mut a, 2, &mut vec![]));
        assert!(!factor(&mut [f64::NAN], 1, &mut vec![]));
    }
}
