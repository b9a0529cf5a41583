//! The matrix of a problem, as it was given: dense or sparse.

use std::sync::OnceLock;

use crate::sparse::SparseMatrix;

/// The largest sparse problem that is also written out densely where a method asks for it: 128 MB.
pub(crate) const DENSE_AT_MOST: usize = 4_000;

/// A square matrix in one of two forms. A sparse one is written out densely when somebody asks, once.
#[derive(Debug, Clone)]
pub(crate) enum Matrix {
    Dense(Vec<f64>), // n × n, column-major
    Sparse { by_columns: SparseMatrix, written_out: OnceLock<Vec<f64>> },
}

impl Matrix {
    pub(crate) fn sparse(by_columns: SparseMatrix) -> Self {
        Self::Sparse { by_columns, written_out: OnceLock::new() }
    }

    /// Column-major; written out at the first call where the matrix is sparse.
    pub(crate) fn dense(&self) -> &[f64] {
        match self {
            Self::Dense(m) => m,
            Self::Sparse { by_columns, written_out } => written_out.get_or_init(|| by_columns.to_dense()),
        }
    }

    pub(crate) fn as_sparse(&self) -> Option<&SparseMatrix> {
        match self {
            Self::Dense(_) => None,
            Self::Sparse { by_columns, .. } => Some(by_columns),
        }
    }

    /// The sparse form, to be changed; what was written out is forgotten.
    pub(crate) fn as_sparse_mut(&mut self) -> Option<&mut SparseMatrix> {
        match self {
            Self::Dense(_) => None,
            Self::Sparse { by_columns, written_out } => {
                written_out.take();
                Some(by_columns)
            }
        }
    }

    /// The dense form as memory to fill: n² zeros.
    pub(crate) fn zeroed(&mut self, n: usize) -> &mut Vec<f64> {
        if let Self::Sparse { .. } = self {
            *self = Self::Dense(Vec::new());
        }
        match self {
            Self::Dense(m) => {
                m.clear();
                m.resize(n * n, 0.0);
                m
            }
            Self::Sparse { .. } => unreachable!("made dense above"),
        }
    }

    pub(crate) fn entry(&self, n: usize, row: usize, col: usize) -> f64 {
        match self {
            Self::Dense(m) => m[col * n + row],
            Self::Sparse { by_columns, .. } => by_columns.entry(row, col),
        }
    }

    /// w = A x + b, with twice the digits inside and one rounding at the end.
    pub(crate) fn affine(&self, x: &[f64], b: &[f64], w: &mut Vec<f64>) {
        match self {
            Self::Dense(m) => crate::kernel::affine(m, x, b, w),
            Self::Sparse { by_columns, .. } => by_columns.affine(x, b, w),
        }
    }
}

impl PartialEq for Matrix {
    /// The same numbers, in whatever form.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sparse { by_columns: a, .. }, Self::Sparse { by_columns: b, .. }) => a == b,
            _ => self.dense() == other.dense(),
        }
    }
}
