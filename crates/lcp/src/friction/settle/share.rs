//! Small dense systems of any rank, factorised once: an answer where rows depend on each other, and loads that nothing determines shared evenly.
//!
//! ```text
//!     P A Q = L U                                  the largest entry left is the pivot, so that the rank is seen for what it is
//!     x ← x + N β,     Wᵀ D (r + x) = 0            A N = 0,  Wᵀ A = 0,  D = diag(1 where a load counts)
//! ```
//! The second is the limit of A + ε D about no load at all, of all solutions of A x = b the one whose loads share evenly. Neither factors nor null
//! spaces know the right side: they serve every step until the slips turn.

use multiversion::multiversion;

#[cfg(test)]
use super::rank::LEAST;
use super::rank::{factor, substitute};
use crate::kernel::dot;

/// Numbers that are taken at a time.
pub(super) const LANES: usize = 4;

/// What a matrix was factorised to, beside its factors.
#[derive(Debug, Clone, Default)]
pub(super) struct Shares {
    rank: usize,
    stride: usize,
    lower: Vec<f64>, // L, n × n
    rows: Vec<usize>,
    columns: Vec<usize>,
    most: Vec<f64>, // by row: the largest entry left
    null: Vec<f64>, // N and then W, a column after another, in the order of the unknowns
    small: Vec<f64>,
    order: Vec<usize>,
    decides: bool, // `small` holds factors of Wᵀ D N
    y: Vec<f64>,
}

impl Shares {
    /// Room for so many unknowns.
    pub(super) fn reserve(&mut self, n: usize) {
        for list in [&mut self.rows, &mut self.columns, &mut self.order] {
            list.clear();
            list.reserve(n);
        }
        for (list, room) in [
            (&mut self.null, 2 * n * n),
            (&mut self.small, n * n),
            (&mut self.lower, n * n),
            (&mut self.most, n),
            (&mut self.y, n),
        ] {
            list.clear();
            list.reserve(room);
        }
    }

    /// P A Q = L U in place, by rows of `stride`, a multiple of [`LANES`], zero beyond their end; L has a unit diagonal. Nothing is known of null
    /// spaces yet. Pivots below `least` are rounding.
    pub(super) fn factor(&mut self, a: &mut [f64], n: usize, stride: usize, least: f64) {
        for list in [&mut self.rows, &mut self.columns] {
            list.clear();
            list.extend(0..n);
        }
        self.most.clear();
        self.most.resize(n, 0.0);
        self.lower.clear();
        self.lower.resize(n * n, 0.0);
        (self.decides, self.stride) = (false, stride);
        let Self { lower, rows, columns, most, .. } = self;
        self.rank = factor_complete(a, (stride, least), lower, rows, columns, most);
    }

    /// Whether something is not determined.
    pub(super) fn is_deficient(&self) -> bool {
        self.rank < self.rows.len()
    }

    /// Whether loads decide all that the last [`Shares::find_freedom`] found.
    pub(super) fn decides(&self) -> bool {
        self.decides
    }

    /// x with A x = b by the factors of A, in place of b; what is not determined is zero.
    pub(super) fn solve(&mut self, a: &[f64], b: &mut [f64]) {
        let (n, rank) = (b.len(), self.rank);
        let y = &mut self.y;
        y.clear();
        for r in 0..rank {
            let before = dot(&self.lower[r * n..r * n + r], y);
            y.push(b[self.rows[r]] - before);
        }
        for r in (0..rank).rev() {
            let row = &a[r * self.stride..r * self.stride + rank];
            let (upper, lower) = y.split_at_mut(r + 1);
            upper[r] = (upper[r] - dot(&row[r + 1..], lower)) / row[r];
        }
        b.fill(0.0);
        y.iter().zip(&self.columns).for_each(|(y, &c)| b[c] = *y);
    }

    /// N, W and what they make of the loads that count.
    pub(super) fn find_freedom(&mut self, a: &[f64], counts: impl Fn(usize) -> bool) {
        let Self { rank, stride, lower, rows, columns, null, small, order, y: v, .. } = self;
        let (n, rank, stride) = (rows.len(), *rank, *stride);
        let free = n - rank;
        null.clear();
        null.resize(2 * free * n, 0.0);
        v.clear();
        v.resize(rank, 0.0);
        for t in 0..free {
            for r in (0..rank).rev() {
                let row = &a[r * stride..r * stride + n];
                v[r] = -(row[rank + t] + dot(&row[r + 1..rank], &v[r + 1..])) / row[r];
            }
            let own = &mut null[t * n..(t + 1) * n];
            v.iter().zip(&*columns).for_each(|(v, &c)| own[c] = *v);
            own[columns[rank + t]] = 1.0;
            let last = &lower[(rank + t) * n..(rank + t) * n + rank];
            for r in (0..rank).rev() {
                let below = (r + 1..rank).map(|k| lower[k * n + r] * v[k]).sum::<f64>();
                v[r] = -last[r] - below;
            }
            let own = &mut null[(free + t) * n..(free + t + 1) * n];
            v.iter().zip(&*rows).for_each(|(v, &r)| own[r] = *v);
            own[rows[rank + t]] = 1.0;
        }
        let (right, left) = null.split_at_mut(free * n);
        // loads that do not count are no concern of W
        left.iter_mut().enumerate().filter(|(k, _)| !counts(k % n)).for_each(|(_, w)| *w = 0.0);
        small.clear();
        for w in left.chunks_exact(n) {
            small.extend(right.chunks_exact(n).map(|v| dot(w, v)));
        }
        self.decides = factor(small, free, order);
    }

    /// Of all solutions the one whose loads share evenly, from any of them; `load` is what each unknown has to begin with. Nothing happens
    /// where the loads do not decide.
    pub(super) fn share(&mut self, load: impl Fn(usize) -> f64, x: &mut [f64]) {
        let n = x.len();
        if !self.decides {
            return;
        }
        let (right, left) = self.null.split_at(self.null.len() / 2);
        let beta = &mut self.y;
        beta.clear();
        for w in left.chunks_exact(n) {
            beta.push(-w.iter().enumerate().map(|(k, w)| w * (load(k) + x[k])).sum::<f64>());
        }
        substitute(&self.small, &self.order, beta);
        for (v, b) in right.chunks_exact(n).zip(&*beta) {
            x.iter_mut().zip(v).for_each(|(x, v)| *x += b * v);
        }
    }
}

/// The largest of as many numbers as are taken at a time.
#[inline]
fn largest_of(row: &[f64]) -> f64 {
    let mut most = [0.0_f64; LANES];
    for four in row.as_chunks::<LANES>().0 {
        for (most, v) in most.iter_mut().zip(four) {
            *most = if v.abs() > *most { v.abs() } else { *most };
        }
    }
    most.iter().fold(0.0, |m, v| if *v > m { *v } else { m })
}

/// The largest entry left as the pivot, the first of equals by rows; answers the rank. What is eliminated is zero in `a`, so that rows are whole numbers
/// of lanes. `most` is scratch, by row.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn factor_complete(
    a: &mut [f64],
    (stride, least): (usize, f64),
    lower: &mut [f64],
    rows: &mut [usize],
    columns: &mut [usize],
    most: &mut [f64],
) -> usize {
    let n = rows.len();
    for (most, row) in most.iter_mut().zip(a.chunks_exact(stride)) {
        *most = largest_of(row);
    }
    for rank in 0..n {
        let (mut p, mut largest) = (rank, least);
        for (r, &own) in most.iter().enumerate().skip(rank) {
            if own > largest {
                (p, largest) = (r, own);
            }
        }
        if largest <= least {
            return rank;
        }
        let at = p * stride;
        let c = rank + a[at + rank..at + n].iter().position(|v| v.abs() == largest).unwrap_or(0);
        if p != rank {
            rows.swap(rank, p);
            most.swap(rank, p);
            let (upper, under) = a.split_at_mut(at);
            upper[rank * stride..(rank + 1) * stride].swap_with_slice(&mut under[..stride]);
            let (upper, under) = lower.split_at_mut(p * n);
            upper[rank * n..rank * n + rank].swap_with_slice(&mut under[..rank]);
        }
        if c != rank {
            columns.swap(rank, c);
            a.chunks_exact_mut(stride).for_each(|row| row.swap(rank, c));
        }
        let (upper, under) = a.split_at_mut((rank + 1) * stride);
        let from = rank - rank % LANES;
        let pivot = &upper[rank * stride..];
        let inverse = 1.0 / pivot[rank];
        let above = &pivot[from..stride];
        for (k, row) in under.chunks_exact_mut(stride).enumerate() {
            let f = row[rank] * inverse;
            lower[(rank + 1 + k) * n + rank] = f;
            let rest = &mut row[from..];
            // by lanes: what is shorter than a few of them is not made wide by itself
            for (x, y) in rest.as_chunks_mut::<LANES>().0.iter_mut().zip(above.as_chunks::<LANES>().0) {
                for (x, y) in x.iter_mut().zip(y) {
                    *x -= f * y;
                }
            }
            rest[rank - from] = 0.0;
            most[rank + 1 + k] = largest_of(rest);
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_corners_of_a_square_share_their_load_evenly() {
        // the middle of the load is off the middle of the square; heights say nothing of the fourth corner
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let row = |k: usize| [1.0, corners[k][0], 0.7 * corners[k][1]];
        let entry = |i: usize, j: usize| (0..3).map(|c| row(i)[c] * row(j)[c]).sum::<f64>();
        let a: Vec<f64> = (0..16).map(|k| entry(k / 4, k % 4)).collect();
        let b: Vec<f64> = (0..4).map(|k| 2.0 + 0.3 * corners[k][0] - 0.4 * corners[k][1]).collect();
        let (mut x, mut lu, mut shares) = (b.clone(), a.clone(), Shares::default());
        shares.factor(&mut lu, 4, 4, LEAST);
        assert!(shares.is_deficient());
        shares.solve(&lu, &mut x);
        assert_eq!(x.iter().filter(|x| **x == 0.0).count(), 1);
        shares.find_freedom(&lu, |_| true);
        shares.share(|_| 0.0, &mut x);
        assert!((x[0] - x[1] - x[2] + x[3]).abs() < 1e-14, "{x:?}");
        for (row, b) in a.chunks_exact(4).zip(&b) {
            assert!((dot(row, &x) - b).abs() < 1e-14);
        }
    }

    #[test]
    fn what_is_determined_is_solved() {
        let a = [1.0, 1.0, 2.0, 2.0, -2.0, 1.0, 3.0, 3.0, 4.5];
        let x = [0.3, -2.0, 5.0];
        let mut b: Vec<f64> = a.chunks_exact(3).map(|row| dot(row, &x)).collect();
        let mut lu: Vec<f64> = a.chunks_exact(3).flat_map(|row| [row[0], row[1], row[2], 0.0]).collect();
        let mut shares = Shares::default();
        shares.factor(&mut lu, 3, 4, LEAST);
        assert!(!shares.is_deficient());
        shares.solve(&lu, &mut b);
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-13), "{b:?}");
        // no unknowns, and no numbers
        shares.factor(&mut [], 0, 4, LEAST);
        shares.solve(&[], &mut []);
        shares.factor(&mut [f64::NAN, 0.0, 0.0, 0.0], 1, 4, LEAST);
        assert!(shares.is_deficient());
    }
}
