//! The standard problem.

use crate::noise::Noise;
use crate::sparse::SparseMatrix;

use super::matrix::{DENSE_AT_MOST, Matrix};

use crate::error::{ProblemError, column_major, finite, finite_matrix, length};

/// Find `z` and `w` with  w = M z + q,  0 ≤ w,  0 ≤ z,  wᵀz = 0.
///
/// Holding an `Lcp` is proof that `M` is square, matches `q`, is not empty and is finite; solvers rely on
/// that and check nothing again. `M` is stored by columns, because a pivoting solver walks columns.
///
/// ```
/// use gudgeon_lcp::Lcp;
///
/// let mut lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut w = Vec::new();
/// lcp.slack(&[1.0, 1.0], &mut w);
/// assert_eq!(w, [-2.0, -3.0]);
/// lcp.set_q(&[1.0, 1.0])?; // the matrix stays, and with it the factors of a solver
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lcp {
    m: Matrix,            // n × n
    q: Vec<f64>,          // n
    noise: Option<Noise>, // of the data; none where they are exact
}

impl Lcp {
    /// From the rows of `M`.
    pub fn from_rows<R: AsRef<[f64]>>(m: &[R], q: Vec<f64>) -> Result<Self, ProblemError> {
        length("M", m.len(), q.len())?;
        Self::from_column_major(column_major("M", m, q.len())?, q)
    }

    /// From `M` stored by columns.
    pub fn from_column_major(m: Vec<f64>, q: Vec<f64>) -> Result<Self, ProblemError> {
        let n = q.len();
        if n == 0 {
            return Err(ProblemError::Empty { field: "q" });
        }
        length("M", m.len(), n * n)?;
        finite_matrix("M", n, &m)?;
        finite("q", &q)?;
        Ok(Self { m: Matrix::Dense(m), q, noise: None })
    }

    /// From a sparse `M`, which stays sparse: `robust`, `murty`, `block-pivot` and `pgs` work on it as it is. The other
    /// methods write it out, up to 4,000 unknowns; larger problems they refuse.
    pub fn from_sparse(m: SparseMatrix, q: Vec<f64>) -> Result<Self, ProblemError> {
        if q.is_empty() {
            return Err(ProblemError::Empty { field: "q" });
        }
        length("M", m.n(), q.len())?;
        finite("q", &q)?;
        Ok(Self { m: Matrix::sparse(m), q, noise: None })
    }

    /// Another `q` under the same `M`.
    pub fn set_q(&mut self, q: &[f64]) -> Result<(), ProblemError> {
        length("q", q.len(), self.n())?;
        finite("q", q)?;
        self.q.copy_from_slice(q);
        if self.noise.is_some() {
            self.add_noise();
        }
        Ok(())
    }

    /// Other numbers at the places of a sparse `M`.
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), ProblemError> {
        let stored = self.m.as_sparse_mut().ok_or(ProblemError::Empty { field: "sparse M" })?;
        stored.set_values(values)
    }

    /// `M` where it was given sparse.
    pub fn sparse(&self) -> Option<&SparseMatrix> {
        self.m.as_sparse()
    }

    /// Whether `M` is sparse and so large that it is never written out.
    pub(crate) fn is_sparse_only(&self) -> bool {
        self.n() > DENSE_AT_MOST && self.m.as_sparse().is_some()
    }

    /// `M` in its form.
    pub(crate) fn matrix(&self) -> &Matrix {
        &self.m
    }

    /// Refills in place, keeping the allocations: one `Lcp` serves a whole simulation.
    ///
    /// `fill` gets `M` (column-major, zeroed) and `q` (zeroed) of the new size. On error the problem is
    /// left as the trivial one of size one, never half-filled.
    pub fn rebuild(
        &mut self,
        n: usize,
        fill: impl FnOnce(&mut [f64], &mut [f64]),
    ) -> Result<(), ProblemError> {
        self.noise = None;
        let m = self.m.zeroed(n);
        self.q.clear();
        self.q.resize(n, 0.0);
        fill(m, &mut self.q);
        let checked = if n == 0 {
            Err(ProblemError::Empty { field: "q" })
        } else {
            finite_matrix("M", n, m).and_then(|()| finite("q", &self.q))
        };
        if checked.is_err() {
            m.clear();
            m.push(1.0);
            self.q.clear();
            self.q.push(0.0);
        }
        checked
    }

    /// The same problem as one of mechanics, whose data were computed and are known to rounding only: see
    /// [`crate::Mlcp::with_noise`].
    pub fn with_noise(mut self) -> Self {
        self.add_noise();
        self
    }

    /// The same in place.
    pub(crate) fn add_noise(&mut self) {
        self.noise = Some(Noise::new(self.m.dense(), &self.q, |i| self.q[i].abs()));
    }

    /// As [`Lcp::add_noise`], of a problem that was lowered from one in which this much is asked around each row.
    pub(crate) fn add_noise_asked(&mut self, around: &[f64]) {
        let asks = |i: usize| around.get(i).map_or(self.q[i].abs(), |around| around.max(-self.q[i]));
        self.noise = Some(Noise::new(self.m.dense(), &self.q, asks));
    }

    /// What is known of the rounding of the data.
    pub(crate) fn noise(&self) -> Option<&Noise> {
        self.noise.as_ref()
    }

    /// The number of unknowns.
    pub fn n(&self) -> usize {
        self.q.len()
    }

    /// `M`, column-major; a sparse one is written out at the first call, n² numbers.
    pub fn m(&self) -> &[f64] {
        self.m.dense()
    }

    /// One column of `M`.
    pub fn column(&self, j: usize) -> &[f64] {
        &self.m()[j * self.n()..(j + 1) * self.n()]
    }

    /// One entry of `M`.
    pub fn entry(&self, row: usize, col: usize) -> f64 {
        self.m.entry(self.n(), row, col)
    }

    /// `q`.
    pub fn q(&self) -> &[f64] {
        &self.q
    }

    /// w = M z + q, with twice the digits inside and one rounding at the end.
    pub fn slack(&self, z: &[f64], w: &mut Vec<f64>) {
        self.m.affine(z, &self.q, w);
    }
}

impl Default for Lcp {
    /// The trivial problem 0 ≤ z ⊥ z ≥ 0, a place to [`Lcp::rebuild`] in.
    fn default() -> Self {
        Self { m: Matrix::Dense(vec![1.0]), q: vec![0.0], noise: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_input_is_named() {
        let nan = Lcp::from_rows(&[[1.0, f64::NAN], [0.0, 1.0]], vec![0.0; 2]).unwrap_err();
        assert_eq!(nan.to_string(), "M[0][1] is NaN, expected a finite number");
        let ragged = Lcp::from_rows(&[vec![1.0, 2.0], vec![1.0]], vec![0.0; 2]).unwrap_err();
        assert_eq!(ragged.to_string(), "M row 1 has length 1, expected 2");
        let shape = Lcp::from_rows(&[[1.0, 2.0]], vec![0.0; 2]).unwrap_err();
        assert_eq!(shape.to_string(), "M has length 1, expected 2");
        let empty = Lcp::from_rows(&[] as &[[f64; 0]], vec![]).unwrap_err();
        assert_eq!(empty.to_string(), "q is empty");
        assert!(Lcp::from_rows(&[[1.0]], vec![f64::INFINITY]).is_err());
    }

    #[test]
    fn a_failed_rebuild_leaves_a_valid_problem() {
        let mut lcp = Lcp::default();
        assert!(lcp.rebuild(3, |m, _| m[4] = f64::NAN).is_err());
        assert_eq!(lcp, Lcp::default());
        assert!(lcp.rebuild(2, |m, q| (m[0], q[1]) = (1.0, -1.0)).is_ok());
        assert_eq!(lcp.n(), 2);
    }
}
