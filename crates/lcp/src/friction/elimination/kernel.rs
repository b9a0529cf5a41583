//! Dense kernels on the blocks of two nodes, all by rows; the 6 × 6 of free bodies unrolled.

use multiversion::multiversion;

/// C −= A B for blocks m × k, k × n; `[m, k, n]`.
#[inline]
pub(super) fn subtract_product(c: &mut [f64], a: &[f64], b: &[f64], shape: [usize; 3]) {
    if shape == [6, 6, 6] {
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

/// C += Aᵀ T for A of rows × m and T of rows × n.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(super) fn add_transposed_product(a: &[f64], t: &[f64], m: usize, n: usize, c: &mut [f64]) {
    for (a, t) in a.chunks_exact(m).zip(t.chunks_exact(n)) {
        for (&f, c) in a.iter().zip(c.chunks_exact_mut(n)) {
            c.iter_mut().zip(t).for_each(|(c, t)| *c += f * t);
        }
    }
}

/// A ← A B for A of m × n and B of n × n.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(super) fn times(a: &mut [f64], b: &[f64], m: usize, n: usize, scratch: &mut Vec<f64>) {
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

/// y −= A x for an A by rows.
pub(super) fn subtract_times_vector(y: &mut [f64], a: &[f64], x: &[f64]) {
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y -= row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}

/// y += A x.
pub(super) fn add_times_vector(y: &mut [f64], a: &[f64], x: &[f64]) {
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y += row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    }
}

/// A ← A⁻¹ of n × n by Gauss and Jordan with the largest pivot of each column; false if there is none.
pub(super) fn invert(a: &mut [f64], n: usize, scratch: &mut Vec<f64>) -> bool {
    scratch.clear();
    scratch.resize(n * n, 0.0);
    (0..n).for_each(|i| scratch[i * n + i] = 1.0);
    let inverse = &mut scratch[..];
    for k in 0..n {
        let largest = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        if largest != k {
            for j in 0..n {
                a.swap(k * n + j, largest * n + j);
                inverse.swap(k * n + j, largest * n + j);
            }
        }
        let pivot = a[k * n + k];
        if pivot == 0.0 || !pivot.is_finite() {
            return false;
        }
        let f = 1.0 / pivot;
        for j in 0..n {
            a[k * n + j] *= f;
            inverse[k * n + j] *= f;
        }
        for i in (0..n).filter(|&i| i != k) {
            let f = a[i * n + k];
            if f == 0.0 {
                continue;
            }
            for j in 0..n {
                a[i * n + j] -= f * a[k * n + j];
                inverse[i * n + j] -= f * inverse[k * n + j];
            }
        }
    }
    a.copy_from_slice(inverse);
    true
}
