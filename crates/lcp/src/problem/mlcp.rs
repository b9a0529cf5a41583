//! The boxed, mixed problem.

use crate::noise::Noise;

use super::error::{ProblemError, column_major, finite, finite_matrix, length};

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
    a: Vec<f64>, // n × n, column-major
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
        let n = b.len();
        if n == 0 {
            return Err(ProblemError::Empty { field: "b" });
        }
        length("A", a.len(), n * n)?;
        finite_matrix("A", n, &a)?;
        finite("b", &b)?;
        length("lo", lo.len(), n)?;
        length("hi", hi.len(), n)?;
        for i in 0..n {
            // written so that a NaN on either side is refused as well
            let valid = lo[i] <= hi[i] && lo[i] < f64::INFINITY && hi[i] > f64::NEG_INFINITY;
            if !valid {
                return Err(ProblemError::Bounds { index: i, lo: lo[i], hi: hi[i] });
            }
        }
        Ok(Self { a, b, lo, hi, findex: vec![None; n], noise: None })
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
        self.noise = Some(Noise::new(&self.a, &self.b));
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

    /// `A`, column-major.
    pub fn a(&self) -> &[f64] {
        &self.a
    }

    /// One column of `A`.
    pub fn column(&self, j: usize) -> &[f64] {
        &self.a[j * self.n()..(j + 1) * self.n()]
    }

    /// One entry of `A`.
    pub fn entry(&self, row: usize, col: usize) -> f64 {
        self.a[col * self.n() + row]
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
        crate::kernel::affine(&self.a, x, &self.b, w);
    }

    /// Fills `scaled` with this problem in the unknowns x̃ = D⁻¹ x: Ã = D A D, b̃ = D b.
    pub(super) fn scale_into(&self, d: &[f64], scaled: &mut Self) {
        let n = self.n();
        scaled.a.clear();
        for j in 0..n {
            scaled.a.extend(self.column(j).iter().zip(d).map(|(v, di)| v * di * d[j]));
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
            a: vec![1.0],
            b: vec![0.0],
            lo: vec![0.0],
            hi: vec![f64::INFINITY],
            findex: vec![None],
            noise: None,
        }
    }
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
