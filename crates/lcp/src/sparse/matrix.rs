//! A square matrix by compressed columns.

use crate::error::ProblemError;

/// A square sparse matrix by compressed columns: rows ascend within a column, nothing is stored twice, every
/// stored number is finite.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Solution, Solver, SparseMatrix};
///
/// // a string over a table: −u″ + load ≥ 0, u ≥ 0, one of them zero everywhere
/// let n = 1000;
/// let entries = (0..n).flat_map(|i| [(i, i, 2.0), (i, (i + 1) % n, if i + 1 < n { -1.0 } else { 0.0 })]);
/// let below = (1..n).map(|i| (i, i - 1, -1.0));
/// let m = SparseMatrix::from_triplets(n, entries.chain(below))?;
/// let q = (0..n).map(|i| if i < n / 2 { -1e-5 } else { 2e-5 }).collect();
/// let mut solution = Solution::default();
/// let outcome = Solver::new(Method::Robust).solve(&Lcp::from_sparse(m, q)?, &mut solution);
/// assert!(outcome.is_solved());
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparseMatrix {
    n: usize,
    start: Vec<usize>, // n + 1: where column j begins
    row: Vec<u32>,     // by entry
    value: Vec<f64>,   // by entry
}

impl SparseMatrix {
    /// From (row, column, value) in any order; what is given twice adds up, and zeros are left out.
    pub fn from_triplets(
        n: usize,
        triplets: impl IntoIterator<Item = (usize, usize, f64)>,
    ) -> Result<Self, ProblemError> {
        let mut list: Vec<(u32, u32, f64)> = Vec::new();
        for (index, (row, col, value)) in triplets.into_iter().enumerate() {
            let target = row.max(col);
            if target >= n {
                return Err(ProblemError::Index { field: "triplets", index, target, limit: n });
            }
            if !value.is_finite() {
                return Err(ProblemError::NonFiniteEntry { field: "triplets", row, col, value });
            }
            list.push((narrow(col)?, narrow(row)?, value));
        }
        // stable, so that sums have the order of the input
        list.sort_by_key(|&(col, row, _)| (col, row));
        let mut matrix = Self { n, start: vec![0; n + 1], row: Vec::new(), value: Vec::new() };
        let mut k = 0;
        while k < list.len() {
            let (col, row, mut value) = list[k];
            k += 1;
            while k < list.len() && (list[k].0, list[k].1) == (col, row) {
                value += list[k].2;
                k += 1;
            }
            if !value.is_finite() {
                let (row, col) = (row as usize, col as usize);
                return Err(ProblemError::NonFiniteEntry { field: "triplets", row, col, value });
            }
            if value != 0.0 {
                matrix.row.push(row);
                matrix.value.push(value);
                matrix.start[col as usize + 1] += 1;
            }
        }
        for j in 0..n {
            matrix.start[j + 1] += matrix.start[j];
        }
        Ok(matrix)
    }

    /// From compressed columns: `start` has n + 1 entries, the rows of column j are `row[start[j]..start[j + 1]]`
    /// and ascend.
    pub fn from_columns(start: Vec<usize>, row: &[usize], value: Vec<f64>) -> Result<Self, ProblemError> {
        let n = start.len().saturating_sub(1);
        length("values", value.len(), row.len())?;
        length("starts", start.last().copied().unwrap_or(0), row.len())?;
        let mut narrow_rows = Vec::with_capacity(row.len());
        for j in 0..n {
            let column = row.get(start[j]..start[j + 1]).filter(|_| start[j] <= start[j + 1]);
            let Some(column) = column else { return Err(ProblemError::Order { field: "starts", row: j }) };
            if column.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(ProblemError::Order { field: "column", row: j });
            }
            for (index, &target) in column.iter().enumerate() {
                if target >= n {
                    return Err(ProblemError::Index {
                        field: "rows",
                        index: start[j] + index,
                        target,
                        limit: n,
                    });
                }
                let value = value[start[j] + index];
                if !value.is_finite() {
                    return Err(ProblemError::NonFiniteEntry { field: "values", row: target, col: j, value });
                }
                narrow_rows.push(narrow(target)?);
            }
        }
        Ok(Self { n, start, row: narrow_rows, value })
    }

    /// The entries of a dense matrix, by columns, that are not zero.
    pub(crate) fn from_dense(n: usize, dense: &[f64]) -> Self {
        let mut matrix = Self { n, start: vec![0], row: Vec::new(), value: Vec::new() };
        for column in dense.chunks_exact(n.max(1)) {
            for (i, &v) in (0_u32..).zip(column) {
                if v != 0.0 {
                    matrix.row.push(i);
                    matrix.value.push(v);
                }
            }
            matrix.start.push(matrix.row.len());
        }
        matrix
    }

    /// The number of rows and columns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// How many entries are stored.
    pub fn stored(&self) -> usize {
        self.value.len()
    }

    /// The stored numbers, column by column.
    pub fn values(&self) -> &[f64] {
        &self.value
    }

    /// Other numbers at the same places: refills in place.
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), ProblemError> {
        length("values", values.len(), self.value.len())?;
        if let Some(index) = values.iter().position(|v| !v.is_finite()) {
            return Err(ProblemError::NonFinite { field: "values", index, value: values[index] });
        }
        self.value.copy_from_slice(values);
        Ok(())
    }

    /// Row and value of what is stored in column j, rows ascending.
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.start[j]..self.start[j + 1];
        self.row[range.clone()].iter().zip(&self.value[range]).map(|(&i, &v)| (i as usize, v))
    }

    /// One entry, 0 where none is stored.
    pub fn entry(&self, row: usize, col: usize) -> f64 {
        let range = self.start[col]..self.start[col + 1];
        let rows = &self.row[range.clone()];
        rows.binary_search_by(|&i| (i as usize).cmp(&row)).map_or(0.0, |k| self.value[range.start + k])
    }

    /// The dense matrix by columns: n² numbers.
    pub fn to_dense(&self) -> Vec<f64> {
        let mut dense = vec![0.0; self.n * self.n];
        for j in 0..self.n {
            self.column(j).for_each(|(i, v)| dense[j * self.n + i] = v);
        }
        dense
    }

    /// The transpose.
    pub fn transposed(&self) -> Self {
        let mut start = vec![0; self.n + 1];
        self.row.iter().for_each(|&i| start[i as usize + 1] += 1);
        (0..self.n).for_each(|i| start[i + 1] += start[i]);
        let (mut row, mut value) = (vec![0; self.row.len()], vec![0.0; self.row.len()]);
        let mut next = start.clone();
        for (j, narrow_j) in (0..self.n).zip(0_u32..) {
            for (i, v) in self.column(j) {
                (row[next[i]], value[next[i]]) = (narrow_j, v);
                next[i] += 1;
            }
        }
        Self { n: self.n, start, row, value }
    }

    /// Whether entries are stored at the same places.
    pub(crate) fn same_pattern(&self, other: &Self) -> bool {
        self.start == other.start && self.row == other.row
    }

    /// w = A x + b with twice the digits inside, as for dense matrices.
    pub fn affine(&self, x: &[f64], b: &[f64], w: &mut Vec<f64>) {
        w.clear();
        w.extend_from_slice(b);
        let mut errors = vec![0.0_f64; self.n];
        for (j, &a) in x.iter().enumerate() {
            if a == 0.0 {
                continue;
            }
            for (i, v) in self.column(j) {
                // the product and its rounding, then the sum and its rounding
                let product = a * v;
                let rounding = two_product_error(a, v, product);
                let (y, e) = (&mut w[i], &mut errors[i]);
                let sum = *y + product;
                let part = sum - *y;
                *e += (*y - (sum - part)) + (product - part) + rounding;
                *y = sum;
            }
        }
        for (y, e) in w.iter_mut().zip(&errors) {
            // an overflowed product has no rounding to speak of
            if e.is_finite() {
                *y += e;
            }
        }
    }

    /// out_i = Σ_j |A_ij| v_j.
    pub(crate) fn absolute(&self, v: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (j, &v) in v.iter().enumerate() {
            if v != 0.0 {
                self.column(j).for_each(|(i, a)| out[i] += a.abs() * v);
            }
        }
    }
}

/// The rounding of a product, by Dekker's splitting: a fused multiplication is a call where the target is not said
/// to have one.
#[inline]
fn two_product_error(a: f64, b: f64, product: f64) -> f64 {
    const SPLIT: f64 = 134_217_729.0; // 2²⁷ + 1
    let halves = |x: f64| {
        let c = SPLIT * x;
        let high = c - (c - x);
        (high, x - high)
    };
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    ((ah * bh - product) + ah * bl + al * bh) + al * bl
}

pub(super) fn length(field: &'static str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected { Ok(()) } else { Err(ProblemError::Length { field, found, expected }) }
}

fn narrow(index: usize) -> Result<u32, ProblemError> {
    u32::try_from(index).map_err(|_| ProblemError::Index {
        field: "rows",
        index: 0,
        target: index,
        limit: u32::MAX as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triplets_add_up_in_any_order() {
        let m =
            SparseMatrix::from_triplets(3, [(2, 1, 4.0), (0, 0, 1.0), (2, 1, -1.0), (1, 2, 0.0)]).unwrap();
        assert_eq!(m.to_dense(), [1.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0]);
        assert_eq!((m.stored(), m.entry(2, 1), m.entry(1, 1)), (2, 3.0, 0.0));
        assert_eq!(m.transposed().entry(1, 2), 3.0);
        assert_eq!(m, SparseMatrix::from_dense(3, &m.to_dense()));
        assert_eq!(m, SparseMatrix::from_columns(vec![0, 1, 2, 2], &[0, 2], vec![1.0, 3.0]).unwrap());
    }

    #[test]
    fn bad_places_and_numbers_are_named() {
        let text = |r: Result<SparseMatrix, ProblemError>| r.unwrap_err().to_string();
        let out = SparseMatrix::from_triplets(2, [(0, 2, 1.0)]);
        assert_eq!(text(out), "triplets[0] refers to 2, expected less than 2");
        let nan = SparseMatrix::from_triplets(2, [(1, 0, f64::NAN)]);
        assert_eq!(text(nan), "triplets[1][0] is NaN, expected a finite number");
        let order = SparseMatrix::from_columns(vec![0, 2, 2], &[1, 0], vec![1.0, 1.0]);
        assert_eq!(text(order), "the places of column row 0 do not ascend");
        let back = SparseMatrix::from_columns(vec![0, 2, 1], &[0], vec![1.0]);
        assert!(back.is_err());
    }

    #[test]
    fn a_product_keeps_what_cancels() {
        let m = SparseMatrix::from_triplets(2, [(0, 0, 1e16), (0, 1, 1.0), (1, 1, 1.0)]).unwrap();
        let mut w = Vec::new();
        m.affine(&[1.0, 0.5], &[-1e16, 0.0], &mut w);
        assert_eq!(w, [0.5, 0.5]);
        let (a, b) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON);
        assert_eq!(two_product_error(a, b, a * b), a.mul_add(b, -(a * b)));
    }
}
