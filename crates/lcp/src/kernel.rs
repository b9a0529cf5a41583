//! The three inner loops that all pivoting arithmetic comes down to, compiled for several instruction sets
//! and chosen at run time. The sums run in a fixed order for a given machine word width only inside one
//! binary and one machine: bits repeat from run to run.

use multiversion::multiversion;

/// y += a x
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn axpy_wide(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// y += a x. Short vectors skip the dispatch, which costs as much as they do.
#[inline]
pub(crate) fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    if x.len() < 16 {
        for (y, &x) in y.iter_mut().zip(x) {
            *y += a * x;
        }
    } else {
        axpy_wide(a, x, y);
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn dot_wide(x: &[f64], y: &[f64]) -> f64 {
    // eight running sums: the compiler may not reorder a single one
    let mut sum = [0.0; 8];
    let (xc, yc) = (x.chunks_exact(8), y.chunks_exact(8));
    let tail: f64 = xc.remainder().iter().zip(yc.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in xc.zip(yc) {
        for k in 0..8 {
            sum[k] += a[k] * b[k];
        }
    }
    ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7])) + tail
}

/// xᵀy
#[inline]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    if x.len() < 16 { x.iter().zip(y).map(|(a, b)| a * b).sum() } else { dot_wide(x, y) }
}

/// The largest magnitude in a vector; 0 for an empty one.
#[inline]
pub(crate) fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, v| f64::max(m, v.abs()))
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn affine_wide(m: &[f64], x: &[f64], w: &mut [f64]) {
    // blocks of rows keep the running sums and their errors in the first-level cache
    const BLOCK: usize = 64;
    let n = w.len();
    for (block, sums) in w.chunks_mut(BLOCK).enumerate() {
        let start = block * BLOCK;
        let mut errors = [0.0_f64; BLOCK];
        for (j, &a) in x.iter().enumerate() {
            if a == 0.0 {
                continue;
            }
            let column = &m[j * n + start..j * n + start + sums.len()];
            for ((y, e), &v) in sums.iter_mut().zip(&mut errors).zip(column) {
                // the product and its rounding, then the sum and its rounding
                let product = a * v;
                let rounding = a.mul_add(v, -product);
                let sum = *y + product;
                let part = sum - *y;
                *e += (*y - (sum - part)) + (product - part) + rounding;
                *y = sum;
            }
        }
        for (y, e) in sums.iter_mut().zip(&errors) {
            // an overflowed product has no rounding to speak of
            if e.is_finite() {
                *y += e;
            }
        }
    }
}

/// w = M x + b for a column-major M, with twice the digits inside and one rounding at the end: a residual is a
/// small difference of large numbers.
pub(crate) fn affine(m: &[f64], x: &[f64], b: &[f64], w: &mut Vec<f64>) {
    w.clear();
    w.extend_from_slice(b);
    affine_wide(m, x, w);
}
