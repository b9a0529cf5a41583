//! A matrix by its columns and rows, as a basis asks for it.

use crate::kernel::axpy;

/// The matrix M̄ as a basis sees it: by columns, by parts of a column and of a row. Dense storage is one, the
/// factored friction problem another.
pub(crate) trait Columns {
    /// out += Σ z_c M̄[:, cols_c]
    fn add(&self, cols: &[usize], z: &[f64], out: &mut [f64]);
    /// out = M̄[rows, col]
    fn column_at(&self, col: usize, rows: &[usize], out: &mut Vec<f64>);
    /// out = M̄[row, cols]
    fn row_at(&self, row: usize, cols: &[usize], out: &mut Vec<f64>);
}

/// n × (n + 1), column-major: n is found from the length.
impl Columns for Vec<f64> {
    fn add(&self, cols: &[usize], z: &[f64], out: &mut [f64]) {
        let n = out.len();
        for (&j, &z) in cols.iter().zip(z) {
            if z != 0.0 {
                axpy(z, &self[j * n..(j + 1) * n], out);
            }
        }
    }

    fn column_at(&self, col: usize, rows: &[usize], out: &mut Vec<f64>) {
        let n = self.len().isqrt();
        let column = &self[col * n..(col + 1) * n];
        out.clear();
        out.extend(rows.iter().map(|&i| column[i]));
    }

    fn row_at(&self, row: usize, cols: &[usize], out: &mut Vec<f64>) {
        let n = self.len().isqrt();
        out.clear();
        out.extend(cols.iter().map(|&j| self[j * n + row]));
    }
}
