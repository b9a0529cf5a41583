//! Dense kernels on the blocks of two nodes, all by rows; the sizes of free bodies, 6 × 6 under blocks of 3 rows, are
//! known when they are compiled.

use multiversion::multiversion;

/// The degrees of freedom of a free body.
const SIX: usize = 6;

/// C −= A B for blocks m × k, k × n; `[m, k, n]`.
#[inline]
pub(super) fn subtract_product(c: &mut [f64], a: &[f64], b: &[f64], shape: [usize; 3]) {
    // told one by one: three at once are compared in a wide register, which waits for them to be stored
    if shape[0] == SIX && shape[1] == SIX && shape[2] == SIX {
        subtract_six(
            c.try_into().expect("six by six"),
            a.try_into().expect("six by six"),
            b.try_into().expect("six by six"),
        );
    } else {
        subtract_any(c, a, b, shape);
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn subtract_six(c: &mut [f64; 36], a: &[f64; 36], b: &[f64; 36]) {
    for i in 0..6 {
        let mut row = [0.0; 6];
        row.copy_from_slice(&c[6 * i..6 * i + 6]);
        for k in 0..6 {
            let f = a[6 * i + k];
            for j in 0..6 {
                row[j] -= f * b[6 * k + j];
            }
        }
        c[6 * i..6 * i + 6].copy_from_slice(&row);
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn subtract_any(c: &mut [f64], a: &[f64], b: &[f64], [m, k, n]: [usize; 3]) {
    for i in 0..m {
        let row = &mut c[i * n..(i + 1) * n];
        for (&f, b) in a[i * k..(i + 1) * k].iter().zip(b.chunks_exact(n)) {
            row.iter_mut().zip(b).for_each(|(c, b)| *c -= f * b);
        }
    }
}

/// C += Aᵀ D B for A of rows × m, D of 3 × 3 (its first rows) and B of rows × n.
#[inline]
pub(super) fn add_congruent(
    c: &mut [f64],
    a: &[f64],
    d: &[[f64; 3]; 3],
    b: &[f64],
    [rows, m, n]: [usize; 3],
    scratch: &mut Vec<f64>,
) {
    if rows == 3 && m == SIX && n == SIX {
        congruent_six(
            c.try_into().expect("six by six"),
            a.try_into().expect("three by six"),
            d,
            b.try_into().expect("three by six"),
        );
        return;
    }
    scratch.clear();
    scratch.resize(rows * n, 0.0);
    for (i, t) in scratch.chunks_exact_mut(n).enumerate() {
        for (b, &f) in b.chunks_exact(n).zip(&d[i]) {
            t.iter_mut().zip(b).for_each(|(t, b)| *t += f * b);
        }
    }
    if rows == 3 {
        congruent_any(c, a, scratch, m, n);
    } else {
        for (i, t) in scratch.chunks_exact(n).enumerate() {
            for (c, &f) in c.chunks_exact_mut(n).zip(&a[i * m..]).filter(|(_, f)| **f != 0.0) {
                c.iter_mut().zip(t).for_each(|(c, t)| *c += f * t);
            }
        }
    }
}

/// C += Aᵀ T for A of 3 × m, T of 3 × n; a node of a tree has columns that no row of the block moves.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn congruent_any(c: &mut [f64], a: &[f64], t: &[f64], m: usize, n: usize) {
    let (t0, rest) = t.split_at(n);
    let (t1, t2) = rest.split_at(n);
    for (i, c) in c.chunks_exact_mut(n).enumerate() {
        let (x, y, z) = (a[i], a[m + i], a[2 * m + i]);
        if x == 0.0 && y == 0.0 && z == 0.0 {
            continue;
        }
        for (((c, t0), t1), t2) in c.iter_mut().zip(t0).zip(t1).zip(t2) {
            *c += x * t0 + y * t1 + z * t2;
        }
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn congruent_six(c: &mut [f64; 36], a: &[f64; 18], d: &[[f64; 3]; 3], b: &[f64; 18]) {
    let mut t = [[0.0; 6]; 3];
    for i in 0..3 {
        for j in 0..6 {
            t[i][j] = d[i][0] * b[j] + d[i][1] * b[6 + j] + d[i][2] * b[12 + j];
        }
    }
    for i in 0..6 {
        for j in 0..6 {
            c[6 * i + j] += a[i] * t[0][j] + a[6 + i] * t[1][j] + a[12 + i] * t[2][j];
        }
    }
}

/// A ← A B for A of m × n and B of n × n.
#[inline]
pub(super) fn times(a: &mut [f64], b: &[f64], m: usize, n: usize, scratch: &mut Vec<f64>) {
    if (m, n) == (SIX, SIX) {
        times_six(a.try_into().expect("six by six"), b.try_into().expect("six by six"));
        return;
    }
    scratch.clear();
    scratch.extend_from_slice(a);
    a.fill(0.0);
    for i in 0..m {
        let row = &mut a[i * n..(i + 1) * n];
        for (&f, b) in scratch[i * n..(i + 1) * n].iter().zip(b.chunks_exact(n)) {
            row.iter_mut().zip(b).for_each(|(a, b)| *a += f * b);
        }
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn times_six(a: &mut [f64; 36], b: &[f64; 36]) {
    for i in 0..6 {
        let mut row = [0.0; 6];
        for k in 0..6 {
            let f = a[6 * i + k];
            for j in 0..6 {
                row[j] += f * b[6 * k + j];
            }
        }
        a[6 * i..6 * i + 6].copy_from_slice(&row);
    }
}

/// y −= A x for an A by rows.
#[inline]
pub(super) fn subtract_times_vector(y: &mut [f64], a: &[f64], x: &[f64]) {
    if let (Ok(y), Ok(a), Ok(x)) =
        (<&mut [f64; 6]>::try_from(&mut *y), <&[f64; 36]>::try_from(a), <&[f64; 6]>::try_from(x))
    {
        for (i, y) in y.iter_mut().enumerate() {
            let a = &a[6 * i..6 * i + 6];
            *y -= ((a[0] * x[0] + a[3] * x[3]) + (a[1] * x[1] + a[4] * x[4])) + (a[2] * x[2] + a[5] * x[5]);
        }
        return;
    }
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y -= row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}

/// A pivot on the diagonal of a node is taken where it is not less than this part of what is below it.
const FIRM: f64 = 0.1;

/// A ← A⁻¹ of n × n by Gauss and Jordan with the largest pivot of each column; false if there is none. Six by six is tried
/// along the diagonal first: its symmetric part is 1 plus something that is mostly positive.
#[inline]
pub(super) fn invert(a: &mut [f64], n: usize, swaps: &mut Vec<usize>) -> bool {
    <&mut [f64; 36]>::try_from(&mut *a).is_ok_and(invert_six) || invert_any(a, n, swaps)
}

/// False, and A as it was, if a pivot is not [`FIRM`].
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn invert_six(a: &mut [f64; 36]) -> bool {
    let mut m = *a;
    let done = exchange::<0>(&mut m)
        && exchange::<1>(&mut m)
        && exchange::<2>(&mut m)
        && exchange::<3>(&mut m)
        && exchange::<4>(&mut m)
        && exchange::<5>(&mut m);
    if done {
        *a = m;
    }
    done
}

/// Exchanges unknown K for its row, in place. K is known when this is compiled: the matrix stays in registers.
#[inline]
fn exchange<const K: usize>(m: &mut [f64; 36]) -> bool {
    let pivot = m[7 * K];
    let mut below = f64::MIN_POSITIVE;
    for i in K + 1..6 {
        below = below.max(m[6 * i + K].abs());
    }
    if !pivot.is_finite() || pivot.abs() < FIRM * below {
        return false;
    }
    let over = 1.0 / pivot;
    let mut row = [over; 6];
    for j in (0..6).filter(|&j| j != K) {
        row[j] = m[6 * K + j] * over;
    }
    for i in (0..6).filter(|&i| i != K) {
        let f = m[6 * i + K];
        for j in (0..6).filter(|&j| j != K) {
            m[6 * i + j] -= f * row[j];
        }
        m[6 * i + K] = -f * over;
    }
    m[6 * K..6 * K + 6].copy_from_slice(&row);
    true
}

/// Every unknown is exchanged for its row in place, so that the inverse takes the room of the matrix; rows that were swapped are columns
/// of the inverse. `swaps` keeps which.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn invert_any(a: &mut [f64], n: usize, swaps: &mut Vec<usize>) -> bool {
    swaps.clear();
    for k in 0..n {
        let mut largest = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[largest * n + k].abs() {
                largest = i;
            }
        }
        swaps.push(largest);
        if largest != k {
            let (above, below) = a.split_at_mut(largest * n);
            above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
        }
        let (above, rest) = a.split_at_mut(k * n);
        let (own, below) = rest.split_at_mut(n);
        let pivot = own[k];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        let over = 1.0 / pivot;
        for v in &mut *own {
            *v *= over;
        }
        own[k] = over;
        for row in above.chunks_exact_mut(n).chain(below.chunks_exact_mut(n)) {
            let f = row[k];
            if f != 0.0 {
                row[k] = 0.0;
                row.iter_mut().zip(&*own).for_each(|(v, own)| *v -= f * own);
            }
        }
    }
    for k in (0..n).rev().filter(|&k| swaps[k] != k) {
        a.chunks_exact_mut(n).for_each(|row| row.swap(k, swaps[k]));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(n: usize, seed: u32) -> Vec<f64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        };
        (0..n).map(|_| next()).collect()
    }

    /// The inverse of any size, and C += Aᵀ D B of any size with columns of zeros, by plain sums.
    #[test]
    fn any_size_is_inverted_and_multiplied() {
        let (mut scratch, mut swaps) = (Vec::new(), Vec::new());
        for n in [1, 2, 5, 13, 31] {
            let m = draw(n * n, 7);
            let mut inverse = m.clone();
            assert!(invert(&mut inverse, n, &mut swaps));
            for i in 0..n {
                for j in 0..n {
                    let sum: f64 = (0..n).map(|k| m[i * n + k] * inverse[k * n + j]).sum();
                    assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-9, "{n}: {i} {j} {sum}");
                }
            }
            assert!(!invert(&mut vec![0.0; n * n], n, &mut swaps));
            let d = [[1.0, 0.2, -0.3], [0.1, 0.7, 0.0], [0.4, -0.2, 0.9]];
            for rows in [1, 3] {
                let (mut a, b) = (draw(rows * n, 8), draw(rows * (n + 2), 9));
                (0..rows).for_each(|k| a[k * n + n / 2] = 0.0);
                let mut c = vec![0.5; n * (n + 2)];
                add_congruent(&mut c, &a, &d, &b, [rows, n, n + 2], &mut scratch);
                for i in 0..n {
                    for j in 0..n + 2 {
                        let term = |k: usize, l: usize| a[k * n + i] * d[k][l] * b[l * (n + 2) + j];
                        let sum: f64 = (0..rows * rows).map(|t| term(t / rows, t % rows)).sum();
                        assert!((c[i * (n + 2) + j] - 0.5 - sum).abs() < 1e-12);
                    }
                }
            }
        }
    }

    /// What is written out for free bodies is what the loops do.
    #[test]
    fn kernels_of_six_are_those_of_any_size() {
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11);
        let (a, b) = (draw(36, 1), draw(36, 2));
        let (mut six, mut any) = (draw(36, 3), draw(36, 3));
        subtract_product(&mut six, &a, &b, [6, 6, 6]);
        subtract_any(&mut any, &a, &b, [6, 6, 6]);
        assert!(near(&six, &any));
        let (mut six, mut any, mut scratch, mut swaps) = (a.clone(), a.clone(), Vec::new(), Vec::new());
        assert!(invert(&mut six, 6, &mut swaps) && invert_any(&mut any, 6, &mut swaps));
        assert!(near(&six, &any));
        times(&mut six, &a, 6, 6, &mut scratch);
        let one: Vec<f64> = (0..36).map(|k| f64::from(u8::from(k % 7 == 0))).collect();
        assert!(near(&six, &one));
        let d = [[1.0, 0.2, -0.3], [0.1, 0.7, 0.0], [0.4, -0.2, 0.9]];
        let mut six = vec![0.0; 36];
        add_congruent(&mut six, &a[..18], &d, &b[..18], [3, 6, 6], &mut scratch);
        for i in 0..6 {
            for j in 0..6 {
                let terms = (0..9).map(|t| a[6 * (t / 3) + i] * d[t / 3][t % 3] * b[6 * (t % 3) + j]);
                assert!((six[6 * i + j] - terms.sum::<f64>()).abs() < 1e-12);
            }
        }
    }
}
