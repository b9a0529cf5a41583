//! Cholesky's factor of a small dense block, by columns.

/// Lower Cholesky factor in place (column-major, lower triangle); the failing pivot otherwise.
pub(crate) fn cholesky(a: &mut [f64], n: usize) -> Result<(), (usize, f64)> {
    for j in 0..n {
        let pivot = a[j * n + j];
        // written so that NaN fails too
        if !(pivot > 0.0 && pivot.is_finite()) {
            return Err((j, pivot));
        }
        let l = pivot.sqrt();
        for i in j..n {
            a[j * n + i] /= l;
        }
        for k in j + 1..n {
            let f = a[j * n + k];
            for i in k..n {
                a[k * n + i] -= f * a[j * n + i];
            }
        }
    }
    Ok(())
}

/// x ← L⁻¹ x
pub(crate) fn cholesky_half(l: &[f64], n: usize, x: &mut [f64]) {
    for j in 0..n {
        x[j] /= l[j * n + j];
        for i in j + 1..n {
            x[i] -= l[j * n + i] * x[j];
        }
    }
}

/// x ← L⁻ᵀ L⁻¹ x
pub(crate) fn cholesky_solve(l: &[f64], n: usize, x: &mut [f64]) {
    cholesky_half(l, n, x);
    for j in (0..n).rev() {
        for i in j + 1..n {
            x[j] -= l[j * n + i] * x[i];
        }
        x[j] /= l[j * n + j];
    }
}
