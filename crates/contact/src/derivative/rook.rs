//! LU of a small dense matrix with rook pivoting, up to its rank.

/// Scaled pivots below this are rounding: rows of unit size, some tens of them in an island.
const RANK: f64 = 1e-11;

/// LU in place of a matrix of `n` rows, with pivots that are the largest of their row and column (rook pivoting); where such a one is
/// rounding, the largest of all. Permutes `rows` and `columns` along; the rank.
pub(super) fn eliminate(m: &mut [f64], n: usize, rows: &mut [usize], columns: &mut [usize]) -> usize {
    for step in 0..n {
        let mut best = rook(m, n, step);
        if best.2 <= RANK {
            for p in step..n {
                for q in step..n {
                    let x = m[p * n + q].abs();
                    if x > best.2 {
                        best = (p, q, x);
                    }
                }
            }
        }
        if best.2 <= RANK {
            return step;
        }
        if best.0 != step {
            rows.swap(step, best.0);
            for q in 0..n {
                m.swap(step * n + q, best.0 * n + q);
            }
        }
        if best.1 != step {
            columns.swap(step, best.1);
            for p in 0..n {
                m.swap(p * n + step, p * n + best.1);
            }
        }
        let (upper, lower) = m.split_at_mut((step + 1) * n);
        let pivot = &upper[step * n..];
        for row in lower.chunks_exact_mut(n) {
            let f = row[step] / pivot[step];
            row[step] = f;
            if f != 0.0 {
                for q in step + 1..n {
                    row[q] -= f * pivot[q];
                }
            }
        }
    }
    n
}

/// An entry from `step` on that no other of its row and column is larger than: row, column, size.
fn rook(m: &[f64], n: usize, step: usize) -> (usize, usize, f64) {
    let mut best = (step, step, m[step * n + step].abs());
    loop {
        let mut next = best;
        for p in step..n {
            let x = m[p * n + best.1].abs();
            if x > next.2 {
                next = (p, best.1, x);
            }
        }
        for (q, x) in m[next.0 * n..(next.0 + 1) * n].iter().enumerate().skip(step) {
            if x.abs() > next.2 {
                next = (next.0, q, x.abs());
            }
        }
        if next == best {
            return best;
        }
        best = next;
    }
}
