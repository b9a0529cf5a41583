//! Small dense matrices: a Gram matrix, a product, an elimination.

use multiversion::multiversion;

/// Numbers that are eliminated side by side.
pub(crate) const LANES: usize = 4;

/// W += Σ a aᵀ over columns of n, both triangles.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn gram(columns: &[f64], n: usize, w: &mut [f64]) {
    for column in columns.chunks_exact(n.max(1)) {
        for (i, &a) in column.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            w[i * n..=i * n + i].iter_mut().zip(column).for_each(|(w, b)| *w += a * b);
        }
    }
    for i in 0..n {
        for j in 0..i {
            w[j * n + i] = w[i * n + j];
        }
    }
}

/// y += W x of a symmetric W, column by column.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn act(w: &[f64], x: &[f64], y: &mut [f64]) {
    for (column, &x) in w.chunks_exact(x.len().max(1)).zip(x) {
        y.iter_mut().zip(column).for_each(|(y, w)| *y += w * x);
    }
}

/// A x = b in place, by rows with the largest pivots; false if A is singular to rounding. Rows are `stride` numbers apart, a
/// multiple of [`LANES`]: whole lanes are eliminated, also such of them as nobody reads any more.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
pub(crate) fn eliminate(a: &mut [f64], stride: usize, b: &mut [f64]) -> bool {
    let n = b.len();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * stride + k].abs() > a[pivot * stride + k].abs() {
                pivot = i;
            }
        }
        if a[pivot * stride + k] == 0.0 || !a[pivot * stride + k].is_finite() {
            return false;
        }
        if pivot != k {
            let (upper, lower) = a.split_at_mut(pivot * stride);
            upper[k * stride..(k + 1) * stride].swap_with_slice(&mut lower[..stride]);
            b.swap(k, pivot);
        }
        let (upper, lower) = a.split_at_mut((k + 1) * stride);
        let row = &upper[k * stride..];
        let first = (k + 1) / LANES;
        let (lanes, _) = row.as_chunks::<LANES>();
        let (b_k, b_rest) = (b[k], &mut b[k + 1..]);
        for (other, b) in lower.chunks_exact_mut(stride).zip(b_rest) {
            let factor = other[k] / row[k];
            if factor != 0.0 {
                let (others, _) = other.as_chunks_mut::<LANES>();
                for (x, y) in others[first..].iter_mut().zip(&lanes[first..]) {
                    (0..LANES).for_each(|l| x[l] -= factor * y[l]);
                }
                *b -= factor * b_k;
            }
        }
    }
    for k in (0..n).rev() {
        let row = &a[k * stride..][..n];
        let sum = row[k + 1..].iter().zip(&b[k + 1..]).map(|(a, x)| a * x).sum::<f64>();
        b[k] = (b[k] - sum) / row[k];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::eliminate;

    #[test]
    fn elimination_solves_and_tells_what_has_no_inverse() {
        let mut a = [0.0, 2.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 3.0, 0.0, 4.0, 0.0];
        let mut b = [7.0, 3.0, 15.0];
        assert!(eliminate(&mut a, 4, &mut b));
        for (x, y) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((x - y).abs() < 1e-14, "{b:?}");
        }
        let mut a = [1.0, 2.0, 0.0, 0.0, 2.0, 4.0, 0.0, 0.0];
        assert!(!eliminate(&mut a, 4, &mut [1.0, 1.0]));
    }
}
