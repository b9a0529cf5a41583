//! The boxed, mixed problem.

use crate::noise::Noise;
use crate::sparse::SparseMatrix;

use super::matrix::{DENSE_AT_MOST, Matrix};

use crate::error::{ProblemError, column_major, finite, finite_matrix, length};

/// Find `x` and `w` with  w = A x + b  and, for every row,
///
/// ```text
///     x = lo and w ≥ 0,   or   lo < x < hi and w = 0,   or   x = hi and w ≤ 0        [EnzError (2)-(4)]
/// ```
///
/// Bounds may be infinite: lo = −∞ and hi = +∞ make an equation with a free unknown. A row with a *friction
/// index* f has the bounds lo·|x_f| and hi·|x_f| instead, where row f is a normal impulse (box friction).
#[derive(Debug, Clone, PartialEq)]
pub struct Mlcp {
    a: Matrix, // n × n
    b: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    findex: Vec<Option<usize>>,
    noise: Option<Noise>, // of the data; none where they are exact
}

impl Mlcp {
    /// From the rows of `A`; infinite bounds mean unbounded.
    pub fn from_rows<R: AsRef<[f64]>>(
        a: &[R],
        b: Vec<f64>,
        lo: Vec<f64>,
        hi: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        length("A", a.len(), b.len())?;
        Self::from_column_major(column_major("A", a, b.len())?, b, lo, hi)
    }

    /// From `A` stored by columns.
    pub fn from_column_major(
        a: Vec<f64>,
        b: Vec<f64>,
        lo: Vec<f64>,
        hi: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        length("A", a.len(), b.len() * b.len())?;
        finite_matrix("A", b.len(), &a)?;
        Self::from_matrix(Matrix::Dense(a), b, lo, hi)
    }

    /// From a sparse `A`, which stays sparse: see [`crate::Lcp::from_sparse`].
    pub fn from_sparse(
        a: SparseMatrix,
        b: Vec<f64>,
        lo: Vec<f64>,
        hi: Vec<f64>,
    ) -> Result<Self, ProblemError> {
        length("A", a.n(), b.len())?;
        Self::from_matrix(Matrix::sparse(a), b, lo, hi)
    }

    fn from_matrix(a: Matrix, b: Vec<f64>, lo: Vec<f64>, hi: Vec<f64>) -> Result<Self, ProblemError> {
        let n = b.len();
        if n == 0 {
            return Err(ProblemError::Empty { field: "b" });
        }
        finite("b", &b)?;
        check_bounds(n, &lo, &hi)?;
        Ok(Self { a, b, lo, hi, findex: vec![None; n], noise: None })
    }

    /// Another `b` under the same `A`, in place.
    pub fn set_b(&mut self, b: &[f64]) -> Result<(), ProblemError> {
        length("b", b.len(), self.n())?;
        finite("b", b)?;
        self.b.copy_from_slice(b);
        if self.noise.is_some() {
            self.noise = Some(Noise::new(self.a.dense(), &self.b, |i| self.b[i].abs()));
        }
        Ok(())
    }

    /// Other bounds, in place. Refused where rows have friction indices, whose bounds are factors.
    pub fn set_bounds(&mut self, lo: &[f64], hi: &[f64]) -> Result<(), ProblemError> {
        if let Some(index) = self.findex.iter().position(Option::is_some) {
            return Err(ProblemError::FrictionIndex { index, target: self.findex[index].unwrap_or(index) });
        }
        check_bounds(self.n(), lo, hi)?;
        self.lo.copy_from_slice(lo);
        self.hi.copy_from_slice(hi);
        Ok(())
    }

    /// Refills `A` in place, keeping the memory: `fill` gets it column-major, and may change what it likes. A sparse `A`
    /// becomes dense. On error the matrix is the identity.
    pub fn refill(&mut self, fill: impl FnOnce(&mut [f64])) -> Result<(), ProblemError> {
        let n = self.n();
        if self.a.as_sparse().is_some() {
            self.a = Matrix::Dense(self.a.dense().to_vec());
        }
        let Matrix::Dense(a) = &mut self.a else { unreachable!("made dense above") };
        fill(a);
        let checked = finite_matrix("A", n, a);
        if checked.is_err() {
            a.fill(0.0);
            (0..n).for_each(|i| a[i * n + i] = 1.0);
        }
        if self.noise.is_some() {
            self.noise = Some(Noise::new(a, &self.b, |i| self.b[i].abs()));
        }
        checked
    }

    /// Other numbers at the places of a sparse `A`.
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), ProblemError> {
        let stored = self.a.as_sparse_mut().ok_or(ProblemError::Empty { field: "sparse A" })?;
        stored.set_values(values)
    }

    /// `A` where it was given sparse.
    pub fn sparse(&self) -> Option<&SparseMatrix> {
        self.a.as_sparse()
    }

    /// Whether `A` is sparse and so large that it is never written out.
    pub(crate) fn is_sparse_only(&self) -> bool {
        self.n() > DENSE_AT_MOST && self.a.as_sparse().is_some()
    }

    /// `A` in its form.
    pub(crate) fn matrix(&self) -> &Matrix {
        &self.a
    }

    /// Makes rows depend on their normals: where `findex[i]` is some f, the bounds are lo·|x_f| and hi·|x_f|.
    ///
    /// Half a cone may be given: an infinite lo beside a finite hi means −hi, and the other way round. A row
    /// that is unbounded on both sides stays so.
    pub fn with_friction_index(mut self, mut findex: Vec<Option<usize>>) -> Result<Self, ProblemError> {
        let n = self.n();
        length("findex", findex.len(), n)?;
        for index in 0..n {
            let Some(target) = findex[index] else { continue };
            if target >= n {
                return Err(ProblemError::Index { field: "findex", index, target, limit: n });
            }
            let (lo, hi) = (&mut self.lo[index], &mut self.hi[index]);
            match (lo.is_finite(), hi.is_finite()) {
                (false, true) => *lo = -*hi,
                (true, false) => *hi = -*lo,
                _ => {}
            }
            if !lo.is_finite() {
                findex[index] = None;
                continue;
            }
            // written so that a NaN is refused as well
            let cone = *lo <= 0.0 && *hi >= 0.0;
            if !cone || findex[target].is_some() || target == index {
                return Err(ProblemError::FrictionIndex { index, target });
            }
        }
        self.findex = findex;
        Ok(self)
    }

    /// The same problem with other bounds; none if they are not in order.
    pub(crate) fn with_bounds(&self, lo: Vec<f64>, hi: Vec<f64>) -> Option<Self> {
        let valid = |i: usize| lo[i] <= hi[i] && lo[i] < f64::INFINITY && hi[i] > f64::NEG_INFINITY;
        (0..self.n()).all(valid).then(|| Self { lo, hi, ..self.clone() })
    }

    /// The same problem as one of mechanics, whose data were computed and are known to rounding only: a row that is
    /// the rounding of the others is then held against those (the chapter on `robust` in the book). Problems lowered
    /// from a [`crate::FrictionProblem`] are such; any other is taken at its word.
    pub fn with_noise(mut self) -> Self {
        self.noise = Some(Noise::new(self.a.dense(), &self.b, |i| self.b[i].abs()));
        self
    }

    /// As [`Mlcp::with_noise`], where all motion is in the rows: contacts with their tangents, whether they have friction or not. Then
    /// contacts that open ask for nothing, and rows with bounds for no more than these allow.
    pub(crate) fn with_noise_asked(mut self) -> Self {
        let (a, n) = (self.a.dense(), self.n());
        let asks = |i: usize| match (self.lo[i], self.hi[i]) {
            (0.0, f64::INFINITY) => (-self.b[i]).max(0.0),
            (lo, hi) if lo < hi => self.b[i].abs().min(a[i * n + i].abs() * lo.abs().max(hi.abs())),
            _ => self.b[i].abs(),
        };
        self.noise = Some(Noise::new(a, &self.b, asks));
        self
    }

    /// What is known of the rounding of the data.
    pub(crate) fn noise(&self) -> Option<&Noise> {
        self.noise.as_ref()
    }

    /// The number of unknowns.
    pub fn n(&self) -> usize {
        self.b.len()
    }

    /// `A`, column-major; a sparse one is written out at the first call, n² numbers.
    pub fn a(&self) -> &[f64] {
        self.a.dense()
    }

    /// One column of `A`.
    pub fn column(&self, j: usize) -> &[f64] {
        &self.a()[j * self.n()..(j + 1) * self.n()]
    }

    /// One entry of `A`.
    pub fn entry(&self, row: usize, col: usize) -> f64 {
        self.a.entry(self.n(), row, col)
    }

    /// `b`.
    pub fn b(&self) -> &[f64] {
        &self.b
    }

    /// The lower bounds as given: factors of x_f in rows with a friction index.
    pub fn lo(&self) -> &[f64] {
        &self.lo
    }

    /// The upper bounds as given.
    pub fn hi(&self) -> &[f64] {
        &self.hi
    }

    /// The friction indices.
    pub fn findex(&self) -> &[Option<usize>] {
        &self.findex
    }

    /// The bounds of row `i` in force at the iterate `x`.
    pub fn bounds_at(&self, i: usize, x: &[f64]) -> (f64, f64) {
        match self.findex[i] {
            None => (self.lo[i], self.hi[i]),
            Some(f) => {
                let normal = x[f].abs();
                (self.lo[i] * normal, self.hi[i] * normal)
            }
        }
    }

    /// w = A x + b, with twice the digits inside and one rounding at the end.
    pub fn slack(&self, x: &[f64], w: &mut Vec<f64>) {
        self.a.affine(x, &self.b, w);
    }

    /// Fills `scaled` with this problem in the unknowns x̃ = D⁻¹ x: Ã = D A D, b̃ = D b.
    pub(crate) fn scale_into(&self, d: &[f64], scaled: &mut Self) {
        let n = self.n();
        let into = scaled.a.zeroed(n);
        for (j, to) in into.chunks_exact_mut(n).enumerate() {
            to.iter_mut().zip(self.column(j)).zip(d).for_each(|((to, v), di)| *to = v * di * d[j]);
        }
        scaled.b.clear();
        scaled.b.extend(self.b.iter().zip(d).map(|(v, d)| v * d));
        let factor = |i: usize| self.findex[i].map_or(1.0, |f| d[f]) / d[i];
        scaled.lo.clear();
        scaled.lo.extend((0..n).map(|i| self.lo[i] * factor(i)));
        scaled.hi.clear();
        scaled.hi.extend((0..n).map(|i| self.hi[i] * factor(i)));
        scaled.findex.clone_from(&self.findex);
        scaled.noise.clone_from(&self.noise);
    }
}

impl Default for Mlcp {
    /// The trivial problem 0 ≤ x ⊥ x ≥ 0.
    fn default() -> Self {
        Self {
            a: Matrix::Dense(vec![1.0]),
            b: vec![0.0],
            lo: vec![0.0],
            hi: vec![f64::INFINITY],
            findex: vec![None],
            noise: None,
        }
    }
}

fn check_bounds(n: usize, lo: &[f64], hi: &[f64]) -> Result<(), ProblemError> {
    length("lo", lo.len(), n)?;
    length("hi", hi.len(), n)?;
    for i in 0..n {
        // written so that a NaN on either side is refused as well
        let valid = lo[i] <= hi[i] && lo[i] < f64::INFINITY && hi[i] > f64::NEG_INFINITY;
        if !valid {
            return Err(ProblemError::Bounds { index: i, lo: lo[i], hi: hi[i] });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossed_and_nan_bounds_are_refused() {
        let build = |lo: f64, hi: f64| Mlcp::from_rows(&[[1.0]], vec![0.0], vec![lo], vec![hi]);
        assert!(build(1.0, 0.0).is_err());
        assert!(build(f64::NAN, 0.0).is_err());
        assert!(build(0.0, f64::NAN).is_err());
        assert!(build(f64::INFINITY, f64::INFINITY).is_err());
        assert!(build(f64::NEG_INFINITY, f64::INFINITY).is_ok());
        assert!(build(0.0, 0.0).is_ok());
    }

    #[test]
    fn a_friction_index_must_name_a_normal() {
        let build = |findex| {
            Mlcp::from_rows(
                &[[1.0, 0.0], [0.0, 1.0]],
                vec![0.0; 2],
                vec![0.0, -0.5],
                vec![f64::INFINITY, 0.5],
            )
            .unwrap()
            .with_friction_index(findex)
        };
        assert!(build(vec![None, Some(0)]).is_ok());
        assert!(build(vec![None, Some(7)]).is_err());
        assert!(build(vec![None, Some(1)]).is_err());
        assert!(build(vec![Some(1), Some(0)]).is_err());
    }
}
