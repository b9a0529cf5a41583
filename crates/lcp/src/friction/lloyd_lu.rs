//! The factors of the reduced matrix [Lloyd (31)]: P A = L U with row exchanges, dense, zeros of U skipped.

/// A pivot of the reduced matrix below this is none: its entries have size one, and dependent rows leave 1e-16.
const SINGULAR: f64 = 1e-13;

/// Dense LU with row exchanges, column-major.
#[derive(Debug, Clone, Default)]
pub(super) struct Lu {
    size: usize,
    /// The matrix, then L below the diagonal and U above.
    pub(super) f: Vec<f64>,
    swaps: Vec<usize>,
}

impl Lu {
    /// A zero matrix to be filled.
    pub(super) fn start(&mut self, size: usize) {
        self.size = size;
        self.f.clear();
        self.f.resize(size * size, 0.0);
    }

    pub(super) fn column(&mut self, c: usize) -> &mut [f64] {
        &mut self.f[c * self.size..(c + 1) * self.size]
    }

    /// Factorises what is there; false if it is singular.
    pub(super) fn factor(&mut self) -> bool {
        let k = self.size;
        self.swaps.clear();
        for c in 0..k {
            let column = &self.f[c * k..(c + 1) * k];
            let p = (c + 1..k).fold(c, |p, i| if column[i].abs() > column[p].abs() { i } else { p });
            let pivot = column[p];
            // written so that NaN is singular
            if !(pivot.abs() > SINGULAR && pivot.is_finite()) {
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
            for column in right.chunks_exact_mut(k) {
                let f = column[c];
                if f != 0.0 {
                    crate::kernel::axpy(-f, multipliers, &mut column[c + 1..]);
                }
            }
        }
        true
    }

    /// b becomes the solution.
    pub(super) fn solve(&self, b: &mut [f64]) {
        let k = self.size;
        for (c, &p) in self.swaps.iter().enumerate() {
            b.swap(c, p);
        }
        for c in 0..k {
            let v = b[c];
            if v != 0.0 {
                crate::kernel::axpy(-v, &self.f[c * k + c + 1..(c + 1) * k], &mut b[c + 1..]);
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
    fn a_matrix_with_a_zero_corner_is_solved_and_a_dependent_one_refused() {
        let mut lu = Lu::default();
        lu.start(2);
        lu.column(0).copy_from_slice(&[0.0, 2.0]);
        lu.column(1).copy_from_slice(&[4.0, 1.0]);
        assert!(lu.factor());
        let mut b = [8.0, 4.0];
        lu.solve(&mut b);
        assert_eq!(b, [1.0, 2.0]);
        lu.start(2);
        lu.f.fill(1.0);
        assert!(!lu.factor());
    }
}
