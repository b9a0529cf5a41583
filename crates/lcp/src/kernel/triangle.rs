//! Triangles kept by rows from their first entry: an envelope, its Cholesky factor, and solves with it.

use std::ops::Range;

use multiversion::multiversion;

use super::add_four;
use crate::clock::Clock;

/// The lower triangle of a matrix by its envelope: by row its first column, where its entries start, and the entries;
/// the diagonal holds its inverse.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle<'a> {
    pub(crate) first: &'a [usize],
    pub(crate) start: &'a [usize],
    pub(crate) l: &'a [f64],
}

impl Triangle<'_> {
    #[inline(always)]
    fn row(&self, i: usize) -> (usize, &[f64]) {
        let (first, start) = (self.first[i], self.start[i]);
        (first, &self.l[start..=start + i - first])
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn solve_rows_wide(triangle: Triangle<'_>, x: &mut [f64], m: usize, f: f64) {
    let n = triangle.first.len();
    for i in 0..n {
        let (first, l) = triangle.row(i);
        let (above, rest) = x.split_at_mut(i * m);
        let row = &mut rest[..m];
        let (l, diagonal) = (&l[..i - first], l[i - first]);
        let above = &above[first * m..];
        let (fours, fours_above) = (l.chunks_exact(4), above.chunks_exact(4 * m));
        let (ones, ones_above) = (fours.remainder(), fours_above.remainder());
        for (a, x) in fours.zip(fours_above) {
            let a = [-a[0], -a[1], -a[2], -a[3]];
            add_four(a, [&x[..m], &x[m..2 * m], &x[2 * m..3 * m], &x[3 * m..]], row);
        }
        for (a, x) in ones.iter().zip(ones_above.chunks_exact(m)) {
            row.iter_mut().zip(x).for_each(|(y, x)| *y -= a * x);
        }
        for y in row.iter_mut() {
            *y *= diagonal;
        }
    }
    // rows from below in fours: those above are then changed by four at once
    let mut end = n;
    while end > 0 {
        let begin = end.saturating_sub(4);
        for i in (begin..end).rev() {
            let (first, l) = triangle.row(i);
            let (above, rest) = x.split_at_mut(i * m);
            let row = &mut rest[..m];
            for y in row.iter_mut() {
                *y *= l[i - first];
            }
            for j in first.max(begin)..i {
                let a = l[j - first];
                above[j * m..(j + 1) * m].iter_mut().zip(&*row).for_each(|(y, x)| *y -= a * x);
            }
        }
        let rows = [0, 1, 2, 3].map(|k| triangle.row((begin + k).min(end - 1)));
        let least = rows.iter().fold(begin, |least, r| least.min(r.0));
        let (above, below) = x.split_at_mut(begin * m);
        for j in least..begin {
            let target = &mut above[j * m..(j + 1) * m];
            let mut a = [0.0; 4];
            for k in 0..end - begin {
                let (first, l) = rows[k];
                if j >= first {
                    a[k] = -l[j - first];
                }
            }
            if a == [0.0; 4] {
                continue;
            }
            let own = |k: usize| {
                let k = k.min(end - begin - 1);
                &below[k * m..(k + 1) * m]
            };
            add_four(a, [own(0), own(1), own(2), own(3)], target);
        }
        end = begin;
    }
    for v in x.iter_mut() {
        *v *= f;
    }
}

/// X ← f (L Lᵀ)⁻¹ X for an X by rows of m.
pub(crate) fn solve_rows(triangle: Triangle<'_>, x: &mut [f64], m: usize, f: f64) {
    if m > 0 {
        solve_rows_wide(triangle, x, m, f);
    }
}

/// xᵀy inside a function that is compiled for several instruction sets.
#[inline(always)]
fn dot_here(x: &[f64], y: &[f64]) -> f64 {
    let (xc, yc) = (x.chunks_exact(4), y.chunks_exact(4));
    let tail: f64 = xc.remainder().iter().zip(yc.remainder()).map(|(a, b)| a * b).sum();
    let mut sum = [0.0; 4];
    for (a, b) in xc.zip(yc) {
        for k in 0..4 {
            sum[k] += a[k] * b[k];
        }
    }
    ((sum[0] + sum[2]) + (sum[1] + sum[3])) + tail
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn cholesky_wide(first: &[usize], start: &[usize], l: &mut [f64], rows: Range<usize>, shift: f64) -> bool {
    for i in rows {
        let (fi, si) = (first[i], start[i]);
        let (done, row) = l.split_at_mut(si);
        let row = &mut row[..=i - fi];
        for j in fi..i {
            let (fj, sj) = (first[j], start[j]);
            let other = &done[sj..=sj + j - fj];
            let from = fi.max(fj);
            let (before, rest) = row.split_at_mut(j - fi);
            let sum = if from < j { dot_here(&before[from - fi..], &other[from - fj..j - fj]) } else { 0.0 };
            rest[0] = (rest[0] - sum) * other[j - fj];
        }
        let (before, diagonal) = row.split_at_mut(i - fi);
        let pivot = diagonal[0] + shift - dot_here(before, before);
        // written so that NaN fails too
        let positive = pivot > 0.0;
        if !positive {
            return false;
        }
        diagonal[0] = 1.0 / pivot.sqrt();
    }
    true
}

/// Multiplications of a factorisation between two looks at the clock: a millisecond or so.
const STRETCH: usize = 4_000_000;

/// Cholesky in the envelope of [`Triangle`], in place, with `shift` on the diagonal; false if a pivot is not positive, or time
/// is up.
pub(crate) fn cholesky(first: &[usize], start: &[usize], l: &mut [f64], shift: f64, clock: &Clock) -> bool {
    let (mut from, mut work) = (0, 0);
    for (i, &column) in first.iter().enumerate() {
        work += (i + 1 - column) * (i + 1 - column);
        if work > STRETCH || i + 1 == first.len() {
            if !cholesky_wide(first, start, l, from..i + 1, shift) {
                return false;
            }
            if work > STRETCH && clock.expired() {
                return false;
            }
            (from, work) = (i + 1, 0);
        }
    }
    true
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn solve_one_wide(triangle: Triangle<'_>, x: &mut [f64]) {
    let n = triangle.first.len();
    for i in 0..n {
        let (first, l) = triangle.row(i);
        let sum = if first < i { dot_here(&l[..i - first], &x[first..i]) } else { 0.0 };
        x[i] = (x[i] - sum) * l[i - first];
    }
    for i in (0..n).rev() {
        let (first, l) = triangle.row(i);
        let v = x[i] * l[i - first];
        x[i] = v;
        if v != 0.0 {
            x[first..i].iter_mut().zip(&l[..i - first]).for_each(|(x, l)| *x -= v * l);
        }
    }
}

/// x ← (L Lᵀ)⁻¹ x
pub(crate) fn solve_one(triangle: Triangle<'_>, x: &mut [f64]) {
    solve_one_wide(triangle, x);
}
