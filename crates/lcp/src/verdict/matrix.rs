//! The matrix as the verdict asks for it: sums of absolute values, single entries, what moves a row by its unit;
//! dense or sparse, of standard and boxed problems.

use crate::noise::Noise;
use crate::problem::{Lcp, Mlcp};
use crate::scale::Scaling;
use crate::sparse::SparseMatrix;

/// The matrix as the verdict asks for it, whoever holds it and in whatever form.
pub(crate) trait Terms {
    /// out_i = Σ_j |A_ij| v_j for v ≥ 0; where A is a product, of the absolute values of its factors.
    fn absolute(&self, v: &[f64], out: &mut [f64]);
    /// A_jj.
    fn diagonal(&self, j: usize) -> f64;
    /// unit_i += N_i at x, the least units of w: nothing where the data are exact. Memory is lent.
    fn add_least_units(&self, _x: &[f64], _unit: &mut [f64], _scratch: &mut Vec<f64>) {}
}

/// What (5) asks beside the units.
pub(crate) trait Entries: Terms {
    /// max_k |A_kj|/unit_k, over the rows that x_j enters.
    fn effect(&self, j: usize, unit: &[f64]) -> f64;
    /// Whether the data are known to rounding only, so that x near its bound is as good as on it.
    fn is_rounded(&self) -> bool;
    /// A_ij.
    fn entry(&self, i: usize, j: usize) -> f64;
}

/// A dense matrix, n × n by columns, with the noise of its problem where it has some.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dense<'a> {
    pub(crate) a: &'a [f64],
    pub(crate) n: usize,
    pub(crate) noise: Option<&'a Noise>,
}

impl<'a> From<&'a Lcp> for Dense<'a> {
    fn from(lcp: &'a Lcp) -> Self {
        Self { a: lcp.m(), n: lcp.n(), noise: lcp.noise() }
    }
}

impl<'a> From<&'a Mlcp> for Dense<'a> {
    fn from(mlcp: &'a Mlcp) -> Self {
        Self { a: mlcp.a(), n: mlcp.n(), noise: mlcp.noise() }
    }
}

impl Terms for Dense<'_> {
    fn absolute(&self, v: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (column, &v) in self.a.chunks_exact(self.n).zip(v) {
            if v != 0.0 {
                out.iter_mut().zip(column).for_each(|(o, a)| *o += a.abs() * v);
            }
        }
    }

    fn diagonal(&self, j: usize) -> f64 {
        self.a[j * self.n + j]
    }

    fn add_least_units(&self, x: &[f64], unit: &mut [f64], scratch: &mut Vec<f64>) {
        if let Some(noise) = self.noise {
            noise.add_to(x, unit, scratch);
        }
    }
}

impl Entries for Dense<'_> {
    fn effect(&self, j: usize, unit: &[f64]) -> f64 {
        let column = &self.a[j * self.n..(j + 1) * self.n];
        let pairs = column.iter().zip(unit).filter(|(a, _)| **a != 0.0);
        pairs.fold(0.0, |e: f64, (a, unit)| e.max(a.abs() / unit))
    }

    fn is_rounded(&self) -> bool {
        self.noise.is_some()
    }

    fn entry(&self, i: usize, j: usize) -> f64 {
        self.a[j * self.n + i]
    }
}

/// A matrix in either form. Problems with noise are dense ones.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form<'a> {
    Dense(Dense<'a>),
    Sparse(&'a SparseMatrix),
}

impl<'a> From<&'a Lcp> for Form<'a> {
    fn from(lcp: &'a Lcp) -> Self {
        lcp.sparse().map_or_else(|| Self::Dense(lcp.into()), Self::Sparse)
    }
}

impl<'a> From<&'a Mlcp> for Form<'a> {
    fn from(mlcp: &'a Mlcp) -> Self {
        mlcp.sparse().map_or_else(|| Self::Dense(mlcp.into()), Self::Sparse)
    }
}

impl Terms for Form<'_> {
    fn absolute(&self, v: &[f64], out: &mut [f64]) {
        match self {
            Self::Dense(dense) => dense.absolute(v, out),
            Self::Sparse(a) => a.absolute(v, out),
        }
    }

    fn diagonal(&self, j: usize) -> f64 {
        match self {
            Self::Dense(dense) => dense.diagonal(j),
            Self::Sparse(a) => a.entry(j, j),
        }
    }

    fn add_least_units(&self, x: &[f64], unit: &mut [f64], scratch: &mut Vec<f64>) {
        if let Self::Dense(dense) = self {
            dense.add_least_units(x, unit, scratch);
        }
    }
}

impl Entries for Form<'_> {
    fn effect(&self, j: usize, unit: &[f64]) -> f64 {
        match self {
            Self::Dense(dense) => dense.effect(j, unit),
            Self::Sparse(a) => a.column(j).fold(0.0, |e: f64, (i, a)| e.max(a.abs() / unit[i])),
        }
    }

    fn is_rounded(&self) -> bool {
        matches!(self, Self::Dense(dense) if dense.is_rounded())
    }

    fn entry(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Dense(dense) => dense.entry(i, j),
            Self::Sparse(a) => a.entry(i, j),
        }
    }
}

impl Scaling {
    /// The scaling of a matrix in either form.
    pub(crate) fn of(form: Form<'_>, q: &[f64]) -> Self {
        match form {
            Form::Dense(dense) => Self::new(dense.a, q),
            Form::Sparse(a) => Self::of_sparse(a, q),
        }
    }
}
