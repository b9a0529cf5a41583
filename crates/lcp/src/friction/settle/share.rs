//! Loads that nothing determines, shared evenly.

use super::rank::{LEAST, factor, substitute};
use crate::kernel::dot;

/// Of all solutions of A x = b the one whose loads share evenly, from any of them:
/// ```text
///     x ← x + N β,     Wᵀ D (r + x) = 0            A N = 0,  Wᵀ A = 0,  D = diag(1 where a load counts)
/// ```
/// the limit of A + ε D about no load at all. Nothing happens where the loads do not decide β.
pub(super) fn share_evenly(a: &mut [f64], load: &[Option<f64>], x: &mut [f64], memory: &mut Shares) {
    let n = x.len();
    let Shares { rows, columns, null, small, beta, order } = memory;
    for list in [&mut *rows, &mut *columns] {
        list.clear();
        list.extend(0..n);
    }
    let rank = factor_complete(a, n, rows, columns);
    let free = n - rank;
    // N and then W, a column after another, in the order of the unknowns
    null.clear();
    null.resize(2 * free * n, 0.0);
    beta.clear();
    beta.resize(n, 0.0);
    for t in 0..free {
        let v = &mut beta[..rank];
        for r in (0..rank).rev() {
            let row = &a[r * n..(r + 1) * n];
            v[r] = -(row[rank + t] + dot(&row[r + 1..rank], &v[r + 1..])) / row[r];
        }
        let own = &mut null[t * n..(t + 1) * n];
        v.iter().zip(&*columns).for_each(|(v, &c)| own[c] = *v);
        own[columns[rank + t]] = 1.0;
        let last = &a[(rank + t) * n..(rank + t) * n + rank];
        for r in (0..rank).rev() {
            let below = (r + 1..rank).map(|k| a[k * n + r] * v[k]).sum::<f64>();
            v[r] = -last[r] - below;
        }
        let own = &mut null[(free + t) * n..(free + t + 1) * n];
        v.iter().zip(&*rows).for_each(|(v, &r)| own[r] = *v);
        own[rows[rank + t]] = 1.0;
    }
    let (right, left) = null.split_at(free * n);
    small.clear();
    beta.clear();
    for w in left.chunks_exact(n) {
        let counted = || w.iter().zip(load).enumerate().filter_map(|(k, (w, load))| Some((k, w, (*load)?)));
        small.extend(right.chunks_exact(n).map(|v| counted().map(|(k, w, _)| w * v[k]).sum::<f64>()));
        beta.push(-counted().map(|(k, w, load)| w * (load + x[k])).sum::<f64>());
    }
    if factor(small, free, order) {
        substitute(small, order, beta);
        for (v, b) in right.chunks_exact(n).zip(&*beta) {
            x.iter_mut().zip(v).for_each(|(x, v)| *x += b * v);
        }
    }
}

/// The memory of [`share_evenly`].
#[derive(Debug, Clone, Default)]
pub(super) struct Shares {
    rows: Vec<usize>,
    columns: Vec<usize>,
    null: Vec<f64>,
    small: Vec<f64>,
    beta: Vec<f64>,
    order: Vec<usize>,
}

impl Shares {
    /// Room for so many unknowns.
    pub(super) fn reserve(&mut self, n: usize) {
        for list in [&mut self.rows, &mut self.columns, &mut self.order] {
            list.clear();
            list.reserve(n);
        }
        for list in [&mut self.null, &mut self.small, &mut self.beta] {
            list.clear();
        }
        self.null.reserve(2 * n * n);
        self.small.reserve(n * n);
        self.beta.reserve(n);
    }
}

/// P A Q = L U in place, the largest entry left as the pivot; answers the rank.
fn factor_complete(a: &mut [f64], n: usize, rows: &mut [usize], columns: &mut [usize]) -> usize {
    for rank in 0..n {
        let (mut p, mut c, mut largest) = (rank, rank, LEAST);
        for r in rank..n {
            for (k, v) in a[r * n + rank..(r + 1) * n].iter().enumerate() {
                if v.abs() > largest {
                    (p, c, largest) = (r, rank + k, v.abs());
                }
            }
        }
        if largest <= LEAST {
            return rank;
        }
        if p != rank {
            rows.swap(rank, p);
            let (upper, lower) = a.split_at_mut(p * n);
            upper[rank * n..(rank + 1) * n].swap_with_slice(&mut lower[..n]);
        }
        if c != rank {
            columns.swap(rank, c);
            a.chunks_exact_mut(n).for_each(|row| row.swap(rank, c));
        }
        let (upper, lower) = a.split_at_mut((rank + 1) * n);
        let pivot_row = &upper[rank * n..];
        for row in lower.chunks_exact_mut(n) {
            let f = row[rank] / pivot_row[rank];
            row[rank] = f;
            if f != 0.0 {
                row[rank + 1..].iter_mut().zip(&pivot_row[rank + 1..]).for_each(|(x, y)| *x -= f * y);
            }
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::super::rank::solve_rank;
    use super::*;

    #[test]
    fn four_corners_of_a_square_share_their_load_evenly() {
        // the middle of the load is off the middle of the square; heights say nothing of the fourth corner
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let row = |k: usize| [1.0, corners[k][0], 0.7 * corners[k][1]];
        let entry = |i: usize, j: usize| (0..3).map(|c| row(i)[c] * row(j)[c]).sum::<f64>();
        let a: Vec<f64> = (0..16).map(|k| entry(k / 4, k % 4)).collect();
        let b: Vec<f64> = (0..4).map(|k| 2.0 + 0.3 * corners[k][0] - 0.4 * corners[k][1]).collect();
        let mut x = b.clone();
        solve_rank(&mut a.clone(), 4, &mut x, &mut vec![]);
        share_evenly(&mut a.clone(), &[Some(0.0); 4], &mut x, &mut Shares::default());
        assert!((x[0] - x[1] - x[2] + x[3]).abs() < 1e-14, "{x:?}");
        for (row, b) in a.chunks_exact(4).zip(&b) {
            assert!((dot(row, &x) - b).abs() < 1e-14);
        }
    }
}
