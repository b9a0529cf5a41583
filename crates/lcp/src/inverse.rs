//! An explicit inverse V = A⁻¹ under changes of A by a row, a column, or both.
//!
//! V is indexed by (column of A, row of A). With x = V a for a new column a, y = bᵀV for a new row b, each of the
//! four exchanges of a pivoting method is one rank-one update of k² products:
//!
//! | A                 | pivot           | V                                            |
//! |-------------------|-----------------|----------------------------------------------|
//! | grows             | d − bᵀ V a      | bordered by −x/pivot, −y/pivot, 1/pivot      |
//! | column replaced   | x_p             | rows less x times row p / pivot              |
//! | row replaced      | y_p             | columns less y times column p / pivot        |
//! | shrinks           | V_sp            | less column p times row s / pivot            |
//!
//! A driving column dz = −x is what a pivoting method holds, so dz is the argument. [`Inverse::border`] and
//! [`Inverse::drop_pair`] move whole rows and columns in and out without arithmetic: the inverse of a Schur complement is
//! a block of the inverse, so this is how unknowns are eliminated by hand and brought back.

use crate::kernel::axpy;
use crate::tolerances;

/// The inverse of a k × k block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inverse {
    k: usize,
    stride: usize,
    v: Vec<f64>,    // k × k, row-major, with row stride `stride`
    work: Vec<f64>, // scratch: k × 2k while factorising
    line: Vec<f64>, // scratch, k
}

impl Inverse {
    /// The inverse of nothing.
    pub(crate) fn clear(&mut self) {
        self.k = 0;
    }

    pub(crate) fn size(&self) -> usize {
        self.k
    }

    /// Room for everything up to this size, so that no exchange allocates; the least stride is 16.
    pub(crate) fn reserve_for(&mut self, whole: usize) {
        // the inverse and the scratch change places when the stride grows
        for v in [&mut self.v, &mut self.work] {
            v.reserve((2 * whole * whole).saturating_sub(v.len()));
        }
        self.line.reserve(whole.saturating_sub(self.line.len()));
    }

    #[inline]
    pub(crate) fn row(&self, c: usize) -> &[f64] {
        &self.v[c * self.stride..c * self.stride + self.k]
    }

    #[inline]
    pub(crate) fn at(&self, c: usize, r: usize) -> f64 {
        self.v[c * self.stride + r]
    }

    /// Computes the inverse afresh by Gauss-Jordan with row exchanges; `fill` writes column c of A. False if a
    /// pivot vanishes.
    pub(crate) fn factor(
        &mut self,
        k: usize,
        limit: usize,
        mut fill: impl FnMut(usize, &mut Vec<f64>),
    ) -> bool {
        self.reserve(k, limit);
        self.k = k;
        let width = 2 * k;
        self.work.clear();
        self.work.resize(k * width, 0.0);
        let mut line = std::mem::take(&mut self.line);
        for c in 0..k {
            fill(c, &mut line);
            for (r, &v) in line.iter().enumerate() {
                self.work[r * width + c] = v;
            }
        }
        self.line = line;
        for r in 0..k {
            self.work[r * width + k + r] = 1.0;
        }
        for c in 0..k {
            let (mut best, mut at) = (0.0, c);
            for r in c..k {
                let v = self.work[r * width + c].abs();
                if v > best {
                    (best, at) = (v, r);
                }
            }
            // nothing above the rounding of a matrix of ones; NaN is nothing
            if best < tolerances::VANISHED {
                return false;
            }
            if at != c {
                let (upper, lower) = self.work.split_at_mut(at * width);
                upper[c * width..(c + 1) * width].swap_with_slice(&mut lower[..width]);
            }
            // columns before c are done; the right half is filled as far as rows were exchanged
            let scale = 1.0 / self.work[c * width + c];
            for v in &mut self.work[c * width + c..(c + 1) * width] {
                *v *= scale;
            }
            let (before, rest) = self.work.split_at_mut(c * width);
            let (pivot_row, after) = rest.split_at_mut(width);
            for row in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
                let f = row[c];
                if f != 0.0 {
                    axpy(-f, &pivot_row[c..], &mut row[c..]);
                }
            }
        }
        for c in 0..k {
            let from = &self.work[c * width + k..(c + 1) * width];
            self.v[c * self.stride..c * self.stride + k].copy_from_slice(from);
        }
        true
    }

    /// Room for a k × k inverse, of at most `limit`.
    fn reserve(&mut self, k: usize, limit: usize) {
        if k > self.stride {
            let stride = (2 * k).max(16).min(limit.max(16));
            let old = std::mem::take(&mut self.work);
            let mut grown = old;
            grown.clear();
            grown.resize(stride * stride, 0.0);
            let kept = self.stride.min(self.v.len().checked_div(self.stride).unwrap_or(0));
            for r in 0..kept {
                grown[r * stride..r * stride + self.stride]
                    .copy_from_slice(&self.v[r * self.stride..(r + 1) * self.stride]);
            }
            self.work = std::mem::replace(&mut self.v, grown);
            self.stride = stride;
        } else if self.v.len() < self.stride * self.stride {
            self.v.resize(self.stride * self.stride, 0.0);
        }
    }

    /// y = bᵀ V
    pub(crate) fn left(&self, b: &[f64], y: &mut Vec<f64>) {
        y.clear();
        y.resize(self.k, 0.0);
        for (c, &b) in b.iter().enumerate() {
            if b != 0.0 {
                axpy(b, self.row(c), y);
            }
        }
    }

    /// A gains a column and a row, both last.
    pub(crate) fn grow(&mut self, dz: &[f64], y: &[f64], pivot: f64, limit: usize) {
        let k = self.k;
        self.reserve(k + 1, limit);
        let stride = self.stride;
        for (c, &dz) in dz.iter().enumerate() {
            let row = &mut self.v[c * stride..=c * stride + k];
            axpy(-dz / pivot, y, &mut row[..k]);
            row[k] = dz / pivot;
        }
        let row = &mut self.v[k * stride..=k * stride + k];
        for (v, &y) in row.iter_mut().zip(y) {
            *v = -y / pivot;
        }
        row[k] = 1.0 / pivot;
        self.k += 1;
    }

    /// Column p of A is replaced.
    pub(crate) fn replace_col(&mut self, p: usize, dz: &[f64]) {
        let (k, stride) = (self.k, self.stride);
        let pivot = -dz[p];
        self.line.clear();
        self.line.extend(self.v[p * stride..p * stride + k].iter().map(|v| v / pivot));
        for (c, &dz) in dz.iter().enumerate() {
            let row = &mut self.v[c * stride..c * stride + k];
            if c == p {
                row.copy_from_slice(&self.line);
            } else if dz != 0.0 {
                axpy(dz, &self.line, row);
            }
        }
    }

    /// Row p of A is replaced.
    pub(crate) fn replace_row(&mut self, p: usize, y: &[f64]) {
        let (k, stride) = (self.k, self.stride);
        let pivot = y[p];
        for c in 0..k {
            let row = &mut self.v[c * stride..c * stride + k];
            let f = row[p] / pivot;
            if f != 0.0 {
                axpy(-f, y, row);
            }
            row[p] = f;
        }
    }

    /// A loses column s and row p; the last ones take their places.
    pub(crate) fn shrink(&mut self, s: usize, p: usize) {
        let (k, stride) = (self.k, self.stride);
        let pivot = self.at(s, p);
        self.line.clear();
        self.line.extend_from_slice(&self.v[s * stride..s * stride + k]);
        for c in (0..k).filter(|&c| c != s) {
            let row = &mut self.v[c * stride..c * stride + k];
            let f = row[p] / pivot;
            if f != 0.0 {
                axpy(-f, &self.line, row);
            }
            row[p] = row[k - 1];
        }
        if s != k - 1 {
            self.v.copy_within((k - 1) * stride..(k - 1) * stride + k - 1, s * stride);
        }
        self.k -= 1;
    }

    /// Column s and row p of A are eliminated by hand from now on: V loses row s and column p, and nothing else
    /// changes. The last ones take their places.
    pub(crate) fn drop_pair(&mut self, s: usize, p: usize) {
        let (k, stride) = (self.k, self.stride);
        if s != k - 1 {
            self.v.copy_within((k - 1) * stride..(k - 1) * stride + k, s * stride);
        }
        for c in 0..k - 1 {
            self.v[c * stride + p] = self.v[c * stride + k - 1];
        }
        self.k -= 1;
    }

    /// The way back: V gains a row (k entries), a column (k entries) and their corner, last.
    pub(crate) fn border(&mut self, row: &[f64], column: &[f64], corner: f64, limit: usize) {
        let k = self.k;
        self.reserve(k + 1, limit);
        let stride = self.stride;
        for (c, &v) in column.iter().enumerate() {
            self.v[c * stride + k] = v;
        }
        self.v[k * stride..k * stride + k].copy_from_slice(row);
        self.v[k * stride + k] = corner;
        self.k += 1;
    }
}
