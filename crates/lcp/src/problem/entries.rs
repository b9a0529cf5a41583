//! Matrices and vectors of other crates, in and out: faer, nalgebra and ndarray, each behind a feature of its name.
//!
//! In, anything that has entries makes a problem by copying them once; out, a problem's dense matrix is seen without a copy.
//!
#![cfg_attr(feature = "nalgebra", doc = "```")]
#![cfg_attr(not(feature = "nalgebra"), doc = "```ignore")]
//! use gudgeon_lcp::{Lcp, Method, Solution, Solver};
//! use nalgebra::{DVectorView, dmatrix, dvector};
//!
//! let lcp = Lcp::from_entries(&dmatrix![2.0, 1.0; 1.0, 2.0], &dvector![-5.0, -6.0])?;
//! let mut answer = Solution::default();
//! assert!(Solver::new(Method::Robust).solve(&lcp, &mut answer).is_solved());
//! let w = lcp.m_nalgebra() * DVectorView::from_slice(&answer.z, 2) + dvector![-5.0, -6.0];
//! assert!(w.norm() < 1e-12);
//! # Ok::<(), gudgeon_lcp::ProblemError>(())
//! ```

use super::{Lcp, Mlcp, ProblemError};

/// A matrix that can be asked for its entries; a vector has one column.
///
/// ```
/// use gudgeon_lcp::{Entries, Lcp};
///
/// /// The matrix of second differences, nowhere written down.
/// struct Line(usize);
/// impl Entries for Line {
///     fn shape(&self) -> (usize, usize) {
///         (self.0, self.0)
///     }
///     fn entry(&self, row: usize, column: usize) -> f64 {
///         match row.abs_diff(column) {
///             0 => 2.0,
///             1 => -1.0,
///             _ => 0.0,
///         }
///     }
/// }
///
/// let lcp = Lcp::from_entries(&Line(3), &vec![-1.0; 3])?;
/// assert_eq!(lcp.m()[..3], [2.0, -1.0, 0.0]);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
pub trait Entries {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize);
    /// One entry.
    fn entry(&self, row: usize, column: usize) -> f64;
}

/// A vector has one column.
impl Entries for [f64] {
    fn shape(&self) -> (usize, usize) {
        (self.len(), 1)
    }

    fn entry(&self, row: usize, _: usize) -> f64 {
        self[row]
    }
}

impl Entries for Vec<f64> {
    fn shape(&self) -> (usize, usize) {
        (self.len(), 1)
    }

    fn entry(&self, row: usize, _: usize) -> f64 {
        self[row]
    }
}

/// The entries of a vector: one column, or one row.
fn vector(field: &'static str, v: &(impl Entries + ?Sized)) -> Result<Vec<f64>, ProblemError> {
    match v.shape() {
        (n, 1) => Ok((0..n).map(|i| v.entry(i, 0)).collect()),
        (1, n) => Ok((0..n).map(|j| v.entry(0, j)).collect()),
        (_, found) => Err(ProblemError::Length { field, found, expected: 1 }),
    }
}

/// The entries of a square matrix, column by column.
fn square(field: &'static str, m: &(impl Entries + ?Sized)) -> Result<Vec<f64>, ProblemError> {
    let (rows, columns) = m.shape();
    if rows != columns {
        return Err(ProblemError::Length { field, found: columns, expected: rows });
    }
    Ok((0..columns).flat_map(|j| (0..rows).map(move |i| m.entry(i, j))).collect())
}

impl Lcp {
    /// From a matrix and a vector of another crate.
    pub fn from_entries(
        m: &(impl Entries + ?Sized),
        q: &(impl Entries + ?Sized),
    ) -> Result<Self, ProblemError> {
        Self::from_column_major(square("M", m)?, vector("q", q)?)
    }
}

impl Mlcp {
    /// From a matrix and vectors of another crate.
    pub fn from_entries(
        a: &(impl Entries + ?Sized),
        b: &(impl Entries + ?Sized),
        lo: &(impl Entries + ?Sized),
        hi: &(impl Entries + ?Sized),
    ) -> Result<Self, ProblemError> {
        Self::from_column_major(square("A", a)?, vector("b", b)?, vector("lo", lo)?, vector("hi", hi)?)
    }
}

#[cfg(feature = "nalgebra")]
mod with_nalgebra {
    use nalgebra::{DMatrixView, Dim, Matrix, RawStorage};

    use super::{Entries, Lcp, Mlcp};

    impl<R: Dim, C: Dim, S: RawStorage<f64, R, C>> Entries for Matrix<f64, R, C, S> {
        fn shape(&self) -> (usize, usize) {
            self.shape()
        }

        fn entry(&self, row: usize, column: usize) -> f64 {
            self[(row, column)]
        }
    }

    impl Lcp {
        /// M of a dense problem, without a copy.
        pub fn m_nalgebra(&self) -> DMatrixView<'_, f64> {
            DMatrixView::from_slice(self.m(), self.n(), self.n())
        }
    }

    impl Mlcp {
        /// A of a dense problem, without a copy.
        pub fn a_nalgebra(&self) -> DMatrixView<'_, f64> {
            DMatrixView::from_slice(self.a(), self.n(), self.n())
        }
    }
}

#[cfg(feature = "ndarray")]
mod with_ndarray {
    use ndarray::{ArrayBase, ArrayView2, Data, Ix1, Ix2, ShapeBuilder};

    use super::{Entries, Lcp, Mlcp};

    impl<S: Data<Elem = f64>> Entries for ArrayBase<S, Ix2> {
        fn shape(&self) -> (usize, usize) {
            self.dim()
        }

        fn entry(&self, row: usize, column: usize) -> f64 {
            self[(row, column)]
        }
    }

    impl<S: Data<Elem = f64>> Entries for ArrayBase<S, Ix1> {
        fn shape(&self) -> (usize, usize) {
            (self.dim(), 1)
        }

        fn entry(&self, row: usize, _: usize) -> f64 {
            self[row]
        }
    }

    fn view(m: &[f64], n: usize) -> ArrayView2<'_, f64> {
        ArrayView2::from_shape((n, n).f(), m).expect("n × n numbers by columns")
    }

    impl Lcp {
        /// M of a dense problem, without a copy.
        pub fn m_ndarray(&self) -> ArrayView2<'_, f64> {
            view(self.m(), self.n())
        }
    }

    impl Mlcp {
        /// A of a dense problem, without a copy.
        pub fn a_ndarray(&self) -> ArrayView2<'_, f64> {
            view(self.a(), self.n())
        }
    }
}

#[cfg(feature = "faer")]
mod with_faer {
    use faer::sparse::SparseColMatRef;
    use faer::{Col, ColRef, Mat, MatRef};

    use super::{Entries, Lcp, Mlcp, ProblemError};
    use crate::sparse::SparseMatrix;

    impl Entries for MatRef<'_, f64> {
        fn shape(&self) -> (usize, usize) {
            (self.nrows(), self.ncols())
        }

        fn entry(&self, row: usize, column: usize) -> f64 {
            self[(row, column)]
        }
    }

    impl Entries for Mat<f64> {
        fn shape(&self) -> (usize, usize) {
            (self.nrows(), self.ncols())
        }

        fn entry(&self, row: usize, column: usize) -> f64 {
            self[(row, column)]
        }
    }

    impl Entries for ColRef<'_, f64> {
        fn shape(&self) -> (usize, usize) {
            (self.nrows(), 1)
        }

        fn entry(&self, row: usize, _: usize) -> f64 {
            self[row]
        }
    }

    impl Entries for Col<f64> {
        fn shape(&self) -> (usize, usize) {
            (self.nrows(), 1)
        }

        fn entry(&self, row: usize, _: usize) -> f64 {
            self[row]
        }
    }

    impl SparseMatrix {
        /// From compressed columns of faer.
        pub fn from_faer(m: SparseColMatRef<'_, usize, f64>) -> Result<Self, ProblemError> {
            let (rows, columns) = (m.nrows(), m.ncols());
            if rows != columns {
                return Err(ProblemError::Length { field: "M", found: columns, expected: rows });
            }
            Self::from_triplets(rows, m.triplet_iter().map(|t| (t.row, t.col, *t.val)))
        }
    }

    impl Lcp {
        /// M of a dense problem, without a copy.
        pub fn m_faer(&self) -> MatRef<'_, f64> {
            MatRef::from_column_major_slice(self.m(), self.n(), self.n())
        }
    }

    impl Mlcp {
        /// A of a dense problem, without a copy.
        pub fn a_faer(&self) -> MatRef<'_, f64> {
            MatRef::from_column_major_slice(self.a(), self.n(), self.n())
        }
    }
}
