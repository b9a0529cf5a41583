//! A problem without friction indices as an active set sees it: a matrix in its form, b and bounds.

use crate::noise::Noise;
use crate::outcome::{Side, Start};
use crate::problem::{Lcp, Matrix, Mlcp};

/// The problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) matrix: &'a Matrix,
    pub(crate) b: &'a [f64],
    pub(crate) noise: Option<&'a Noise>,
    boxed: Option<&'a Mlcp>,
}

impl<'a> From<&'a Lcp> for View<'a> {
    fn from(lcp: &'a Lcp) -> Self {
        Self { matrix: lcp.matrix(), b: lcp.q(), noise: lcp.noise(), boxed: None }
    }
}

impl<'a> View<'a> {
    /// None where rows have friction indices.
    pub(crate) fn of_mlcp(mlcp: &'a Mlcp) -> Option<Self> {
        let plain = mlcp.findex().iter().all(Option::is_none);
        plain.then(|| Self { matrix: mlcp.matrix(), b: mlcp.b(), noise: mlcp.noise(), boxed: Some(mlcp) })
    }

    pub(crate) fn n(&self) -> usize {
        self.b.len()
    }

    pub(crate) fn bounds(&self, i: usize) -> (f64, f64) {
        self.boxed.map_or((0.0, f64::INFINITY), |mlcp| (mlcp.lo()[i], mlcp.hi()[i]))
    }

    /// Where the rows are at the start: on the bound that is nearer to zero, or as they are told.
    pub(crate) fn sides(&self, start: Start<'_>, sides: &mut Vec<Side>) {
        sides.clear();
        sides.extend((0..self.n()).map(|i| {
            let (lo, hi) = self.bounds(i);
            let cold = match (lo.is_finite(), hi.is_finite()) {
                (false, false) => Side::Free,
                (true, false) => Side::Lower,
                (true, true) if lo.abs() <= hi.abs() => Side::Lower,
                _ => Side::Upper,
            };
            let told = match start {
                Start::Basis(basis) if basis.get(i) == Some(&true) => Side::Free,
                Start::Cold | Start::Previous | Start::Basis(_) => cold,
                Start::Sides(told) => told.get(i).copied().unwrap_or(cold),
                Start::Iterate(x) => match x.get(i) {
                    Some(&x) if x <= lo => Side::Lower,
                    Some(&x) if x >= hi => Side::Upper,
                    Some(_) => Side::Free,
                    None => cold,
                },
            };
            match told {
                _ if lo == hi => Side::Lower,
                Side::Lower if !lo.is_finite() => cold,
                Side::Upper if !hi.is_finite() => cold,
                told => told,
            }
        }));
    }
}
