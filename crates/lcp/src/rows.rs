//! Standard and boxed problems seen alike: dense rows with bounds.

use crate::noise::Noise;
use crate::problem::{Lcp, Mlcp};

/// A problem as rows with bounds: [`Lcp`] and [`Mlcp`] seen alike.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxedRows<'a> {
    pub(crate) a: &'a [f64], // n × n, column-major
    pub(crate) b: &'a [f64],
    boxed: Option<&'a Mlcp>,
    pub(crate) noise: Option<&'a Noise>,
}

impl<'a> From<&'a Lcp> for BoxedRows<'a> {
    fn from(lcp: &'a Lcp) -> Self {
        Self { a: lcp.m(), b: lcp.q(), boxed: None, noise: lcp.noise() }
    }
}

impl<'a> From<&'a Mlcp> for BoxedRows<'a> {
    fn from(mlcp: &'a Mlcp) -> Self {
        Self { a: mlcp.a(), b: mlcp.b(), boxed: Some(mlcp), noise: mlcp.noise() }
    }
}

impl<'a> BoxedRows<'a> {
    pub(crate) fn n(self) -> usize {
        self.b.len()
    }

    pub(crate) fn column(self, j: usize) -> &'a [f64] {
        &self.a[j * self.n()..(j + 1) * self.n()]
    }

    pub(crate) fn diagonal(self, i: usize) -> f64 {
        self.a[i * self.n() + i]
    }

    /// The bounds in force at x.
    pub(crate) fn bounds(self, i: usize, x: &[f64]) -> (f64, f64) {
        self.boxed.map_or((0.0, f64::INFINITY), |mlcp| mlcp.bounds_at(i, x))
    }

    /// The row whose impulse scales the bounds of row i.
    pub(crate) fn normal_of(self, i: usize) -> Option<usize> {
        self.boxed.and_then(|mlcp| mlcp.findex()[i])
    }

    /// The factors of the normal impulse in the bounds of a row that has one.
    pub(crate) fn bounds_per_normal(self, i: usize) -> (f64, f64) {
        self.boxed.map_or((0.0, f64::INFINITY), |mlcp| (mlcp.lo()[i], mlcp.hi()[i]))
    }

    /// w = A x + b.
    pub(crate) fn slack(self, x: &[f64], w: &mut Vec<f64>) {
        crate::kernel::affine(self.a, x, self.b, w);
    }

    /// Puts x within its bounds, normals before the rows they bound; what is not a number becomes zero.
    pub(crate) fn project(self, x: &mut [f64]) {
        for coupled in [false, true] {
            for i in 0..self.n() {
                if self.normal_of(i).is_some() == coupled {
                    let (lo, hi) = self.bounds(i, x);
                    let value = if x[i].is_finite() { x[i] } else { 0.0 };
                    // plus zero turns −0 into 0
                    x[i] = value.clamp(lo, hi) + 0.0;
                }
            }
        }
    }
}
