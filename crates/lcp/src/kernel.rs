//! The inner loops that all dense arithmetic comes down to, compiled for several instruction sets
//! and chosen at run time. The sums run in a fixed order for a given machine word width only inside one
//! binary and one machine: bits repeat from run to run.

#![expect(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the instruction set of its caller"
)]

mod triangle;

use multiversion::multiversion;

pub(crate) use triangle::{Triangle, cholesky, solve_one, solve_rows};

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

/// y += Σ a_k x_k over four vectors.
#[inline(always)]
fn add_four(a: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    let n = y.len();
    let [x0, x1, x2, x3] = x.map(|x| &x[..n]);
    for k in 0..n {
        y[k] += (a[0] * x0[k] + a[1] * x1[k]) + (a[2] * x2[k] + a[3] * x3[k]);
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn axpy_four_wide(a: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    add_four(a, x, y);
}

/// y += Σ a_k x_k over four vectors of the length of y.
pub(crate) fn axpy_four(a: [f64; 4], x: [&[f64]; 4], y: &mut [f64]) {
    if y.len() < 16 { add_four(a, x, y) } else { axpy_four_wide(a, x, y) }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn gram_wide(x: &[f64], m: usize, out: &mut [f64]) {
    let blocks = x.chunks_exact(4 * m);
    let rest = blocks.remainder();
    for block in blocks {
        let (x0, x1, x2, x3) = (&block[..m], &block[m..2 * m], &block[2 * m..3 * m], &block[3 * m..]);
        for r in 0..m {
            let a = [x0[r], x1[r], x2[r], x3[r]];
            if a != [0.0; 4] {
                add_four(a, [&x0[r..], &x1[r..], &x2[r..], &x3[r..]], &mut out[r * m + r..(r + 1) * m]);
            }
        }
    }
    for row in rest.chunks_exact(m) {
        for r in 0..m {
            let a = row[r];
            if a != 0.0 {
                out[r * m + r..(r + 1) * m].iter_mut().zip(&row[r..]).for_each(|(y, x)| *y += a * x);
            }
        }
    }
    for r in 0..m {
        for c in 0..r {
            out[r * m + c] = out[c * m + r];
        }
    }
}

/// out += Xᵀ X, both triangles, for an X by rows of m; `out` starts at zero.
pub(crate) fn gram(x: &[f64], m: usize, out: &mut [f64]) {
    if m > 0 {
        gram_wide(x, m, out);
    }
}

/// Columns that are eliminated at once.
const PANEL: usize = 4;

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn eliminate_wide(a: &mut [f64], k: usize, b: &mut [f64], least: f64, swaps: &mut Vec<usize>) -> bool {
    let mut from = 0;
    swaps.clear();
    while from < k {
        let to = (from + PANEL).min(k);
        for c in from..to {
            // this column, up to date, and its largest entry
            let (mut best, mut at) = (0.0, c);
            for r in from..k {
                let mut v = a[r * k + c];
                for p in from..c.min(r) {
                    v -= a[r * k + p] * a[p * k + c];
                }
                a[r * k + c] = v;
                if r >= c && v.abs() > best {
                    (best, at) = (v.abs(), r);
                }
            }
            if best.is_nan() || best <= least {
                return false;
            }
            swaps.push(at);
            if at != c {
                let (upper, lower) = a.split_at_mut(at * k);
                upper[c * k + from..(c + 1) * k].swap_with_slice(&mut lower[from..k]);
                b.swap(c, at);
            }
            let inverse = 1.0 / a[c * k + c];
            for r in c + 1..k {
                a[r * k + c] *= inverse;
            }
        }
        // the rows of the panel, then all below them
        let (upper, lower) = a.split_at_mut(to * k);
        for r in from + 1..to {
            let (above, row) = upper.split_at_mut(r * k);
            for p in from..r {
                let f = row[p];
                row[to..k].iter_mut().zip(&above[p * k + to..]).for_each(|(y, x)| *y -= f * x);
                b[r] -= f * b[p];
            }
        }
        if to == from + PANEL {
            let x: [&[f64]; PANEL] = std::array::from_fn(|p| &upper[(from + p) * k + to..(from + p + 1) * k]);
            // a mechanism couples neighbours: the ends of rows are often zero
            let end = x
                .map(|x| x.iter().rposition(|v| *v != 0.0).map_or(0, |p| p + 1))
                .into_iter()
                .fold(0, usize::max);
            let x = x.map(|x| &x[..end]);
            for (row, b_r) in lower.chunks_exact_mut(k).zip(to..) {
                let f: [f64; PANEL] = std::array::from_fn(|p| -row[from + p]);
                if f != [0.0; PANEL] {
                    add_four(f, x, &mut row[to..to + end]);
                    b[b_r] +=
                        (f[0] * b[from] + f[1] * b[from + 1]) + (f[2] * b[from + 2] + f[3] * b[from + 3]);
                }
            }
        }
        from = to;
    }
    true
}

/// Gauss with row exchanges on A (k × k, by rows) and b: A becomes its factors, b what is left to substitute back, `swaps` the rows
/// that were exchanged, each while its panel was. False if a pivot is no larger than `least`.
pub(crate) fn eliminate(a: &mut [f64], k: usize, b: &mut [f64], least: f64, swaps: &mut Vec<usize>) -> bool {
    eliminate_wide(a, k, b, least, swaps)
}

/// What [`eliminate`] does to b, for another b, by the factors that it left.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn eliminate_again(a: &[f64], k: usize, b: &mut [f64], swaps: &[usize]) {
    let mut from = 0;
    while from < k {
        let to = (from + PANEL).min(k);
        for c in from..to {
            b.swap(c, swaps[c]);
        }
        for r in from + 1..to {
            for p in from..r {
                b[r] -= a[r * k + p] * b[p];
            }
        }
        for r in to..k {
            let l = &a[r * k + from..r * k + to];
            b[r] -= (l[0] * b[from] + l[1] * b[from + 1]) + (l[2] * b[from + 2] + l[3] * b[from + 3]);
        }
        from = to;
    }
}
