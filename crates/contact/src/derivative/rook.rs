//! The pivot that is the largest of its row and column.

/// An entry from `step` on that no other of its row and column is larger than: row, column, size.
pub(super) fn rook(m: &[f64], n: usize, step: usize) -> (usize, usize, f64) {
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
