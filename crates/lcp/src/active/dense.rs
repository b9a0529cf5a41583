//! P A = L U of a principal block of a dense matrix, four columns at a time.

/// A pivot below this part of the largest entry of the block makes it singular.
const SINGULAR: f64 = 1e-14;
/// Columns that are eliminated together.
const PANEL: usize = 4;

/// The factors of one block.
#[derive(Debug, Clone, Default)]
pub(super) struct DenseLu {
    k: usize,
    f: Vec<f64>, // k × k, column-major: L below the diagonal, U above
    swaps: Vec<usize>,
}

impl DenseLu {
    /// Room for a block of this size.
    pub(super) fn reserve(&mut self, n: usize) {
        self.f.clear();
        self.f.reserve(n * n);
        self.swaps.clear();
        self.swaps.reserve(n);
    }

    /// Factorises the block of the rows and columns in `set`; false if it is singular.
    pub(super) fn factor(&mut self, m: &[f64], n: usize, set: &[u32], shift: impl Fn(usize) -> f64) -> bool {
        let k = set.len();
        self.k = k;
        self.f.clear();
        for (c, &j) in set.iter().enumerate() {
            let column = &m[j as usize * n..(j as usize + 1) * n];
            self.f.extend(set.iter().map(|&i| column[i as usize]));
            self.f[c * k + c] += shift(j as usize);
        }
        self.swaps.clear();
        let largest = crate::kernel::max_abs(&self.f);
        let mut c = 0;
        while c < k {
            let end = (c + PANEL).min(k);
            if !self.panel(c, end, SINGULAR * largest) {
                return false;
            }
            self.update_right(c, end);
            c = end;
        }
        true
    }

    /// Eliminates columns c..end within themselves, with the swaps on all columns.
    fn panel(&mut self, first: usize, end: usize, zero: f64) -> bool {
        let k = self.k;
        for c in first..end {
            let column = &self.f[c * k..(c + 1) * k];
            let p = (c + 1..k).fold(c, |p, i| if column[i].abs() > column[p].abs() { i } else { p });
            let pivot = column[p];
            // written so that NaN is singular
            if !(pivot.abs() > zero && pivot.is_finite()) {
                return false;
            }
            self.swaps.push(p);
            if p != c {
                (0..k).for_each(|j| self.f.swap(j * k + c, j * k + p));
            }
            let (left, right) = self.f.split_at_mut((c + 1) * k);
            let multipliers = &mut left[c * k + c + 1..];
            for v in multipliers.iter_mut() {
                *v /= pivot;
            }
            for column in right.chunks_exact_mut(k).take(end - c - 1) {
                let f = column[c];
                crate::kernel::axpy(-f, multipliers, &mut column[c + 1..]);
            }
        }
        true
    }

    /// Takes the eliminated columns out of all that stand right of them.
    fn update_right(&mut self, first: usize, end: usize) {
        let k = self.k;
        let (left, right) = self.f.split_at_mut(end * k);
        for column in right.chunks_exact_mut(k) {
            for c in first..end {
                let f = column[c];
                for r in c + 1..end {
                    column[r] -= f * left[c * k + r];
                }
            }
            let (head, tail) = column.split_at_mut(end);
            if end - first == PANEL {
                let at = |c: usize| &left[(first + c) * k + end..(first + c + 1) * k];
                let f = [-head[first], -head[first + 1], -head[first + 2], -head[first + 3]];
                crate::kernel::axpy_four(f, [at(0), at(1), at(2), at(3)], tail);
            } else {
                for c in first..end {
                    crate::kernel::axpy(-head[c], &left[c * k + end..(c + 1) * k], tail);
                }
            }
        }
    }

    /// Solves in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        let k = self.k;
        for (c, &p) in self.swaps.iter().enumerate() {
            b.swap(c, p);
        }
        for c in 0..k {
            let (head, tail) = b.split_at_mut(c + 1);
            if head[c] != 0.0 {
                crate::kernel::axpy(-head[c], &self.f[c * k + c + 1..(c + 1) * k], tail);
            }
        }
        for c in (0..k).rev() {
            let v = b[c] / self.f[c * k + c];
            b[c] = v;
            if v != 0.0 {
                crate::kernel::axpy(-v, &self.f[c * k..c * k + c], &mut b[..c]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_all_sizes_are_solved() {
        let mut state = 3_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for k in 1..40 {
            let n = k + 3;
            let m: Vec<f64> = (0..n * n).map(|_| next()).collect();
            let set: Vec<u32> = (2_u32..).take(k).collect();
            let mut lu = DenseLu::default();
            assert!(lu.factor(&m, n, &set, |_| 0.0));
            let x: Vec<f64> = (0..k).map(|_| next()).collect();
            let mut b: Vec<f64> =
                (0..k).map(|i| (0..k).map(|j| m[(j + 2) * n + i + 2] * x[j]).sum()).collect();
            lu.solve(&mut b);
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-10), "{k}");
        }
        assert!(!DenseLu::default().factor(&[1.0; 16], 4, &[0, 2], |_| 0.0));
    }
}
