//! A smooth curve through knots, for cams: a cubic spline with continuous curvature.
//!
//! ```text
//!     y(x) = a y_k + b y_k+1 + h²/6 ((a³ - a) m_k + (b³ - b) m_k+1),   a = (x_k+1 - x)/h, b = 1 - a
//!     h_k-1 m_k-1 + 2 (h_k-1 + h_k) m_k + h_k m_k+1 = 6 ((y_k+1 - y_k)/h_k - (y_k - y_k-1)/h_k-1)
//! ```
//! m are the second derivatives at the knots. A closed curve repeats: its last knot is its first one a period on, plus what it
//! rises in a turn. An open curve is natural (m = 0 at its ends) and goes on straight beyond them.

use nalgebra::{DMatrix, DVector};

/// A curve y(x) with its first two derivatives: a spline through knots, or a polynomial.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    m: Vec<f64>,
    closed: bool,
}

/// Why there is no such curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// Fewer than two knots, three if closed, or more than [`Curve::MOST`].
    #[error("a curve has 2 to {} knots, a closed one at least 4", Curve::MOST)]
    Knots,
    /// Not as many values as knots.
    #[error("a curve has as many values as knots")]
    Values,
    /// Knots that do not ascend, or a number that is not finite.
    #[error("the knots of a curve are finite and ascend")]
    Order,
}

impl Curve {
    /// Knots of a curve: the equations are dense.
    pub const MOST: usize = 2000;

    /// Through (x, y); `closed`: the last knot is the first one a period on.
    pub fn new(x: Vec<f64>, y: Vec<f64>, closed: bool) -> Result<Self, CurveError> {
        let n = x.len();
        if n < if closed { 4 } else { 2 } || n > Self::MOST {
            return Err(CurveError::Knots);
        }
        if y.len() != n {
            return Err(CurveError::Values);
        }
        let ascending = x.windows(2).all(|w| w[0] < w[1]);
        if !ascending || !x.iter().chain(&y).all(|v| v.is_finite()) {
            return Err(CurveError::Order);
        }
        let m = moments(&x, &y, closed);
        Ok(Self { x, y, m, closed })
    }

    /// Σ aₖ xᵏ: no knots, the coefficients in place of the values.
    pub fn polynomial(a: [f64; 5]) -> Self {
        Self { x: Vec::new(), y: a.to_vec(), m: Vec::new(), closed: false }
    }

    /// The knots and the values there, and whether it is closed; none if it is a polynomial.
    pub fn knots(&self) -> Option<(&[f64], &[f64], bool)> {
        (!self.x.is_empty()).then_some((&self.x, &self.y, self.closed))
    }

    /// y‴: of a spline constant between knots, none beyond the ends of an open one.
    pub fn third(&self, x: f64) -> f64 {
        let n = self.x.len();
        if n == 0 {
            let falling = |j: usize| (0..3).map(|i| j as f64 - f64::from(i)).product::<f64>();
            return self.y.iter().enumerate().skip(3).rev().fold(0.0, |y, (j, a)| y * x + a * falling(j));
        }
        let (first, last) = (self.x[0], self.x[n - 1]);
        let mut at = x;
        if self.closed {
            at -= ((x - first) / (last - first)).floor() * (last - first);
        } else if x < first || x > last {
            return 0.0;
        }
        let k = self.x.partition_point(|knot| *knot <= at).clamp(1, n - 1) - 1;
        (self.m[k + 1] - self.m[k]) / (self.x[k + 1] - self.x[k])
    }

    /// y, y′ and y″.
    pub fn at(&self, x: f64) -> [f64; 3] {
        let n = self.x.len();
        if n == 0 {
            let horner = |k: i32| {
                // the k-th derivative's coefficients are those times j!/(j - k)!
                let falling = |j: usize| (0..k).map(|i| j as f64 - f64::from(i)).product::<f64>();
                let from = self.y.len().min(usize::try_from(k).unwrap_or(0));
                self.y.iter().enumerate().skip(from).rev().fold(0.0, |y, (j, a)| y * x + a * falling(j))
            };
            return [horner(0), horner(1), horner(2)];
        }
        let (first, last) = (self.x[0], self.x[n - 1]);
        let (mut at, mut rise) = (x, 0.0);
        if self.closed {
            let turns = ((x - first) / (last - first)).floor();
            at -= turns * (last - first);
            rise = turns * (self.y[n - 1] - self.y[0]);
        } else if x < first || x > last {
            let end = if x < first { first } else { last };
            let [y, slope, _] = self.at(end);
            return [y + slope * (x - end), slope, 0.0];
        }
        let k = self.x.partition_point(|knot| *knot <= at).clamp(1, n - 1) - 1;
        let h = self.x[k + 1] - self.x[k];
        let (a, b) = ((self.x[k + 1] - at) / h, (at - self.x[k]) / h);
        let (m0, m1) = (self.m[k], self.m[k + 1]);
        let y =
            a * self.y[k] + b * self.y[k + 1] + h * h / 6.0 * ((a * a * a - a) * m0 + (b * b * b - b) * m1);
        let slope =
            (self.y[k + 1] - self.y[k]) / h + h / 6.0 * ((3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0);
        [y + rise, slope, a * m0 + b * m1]
    }
}

fn moments(x: &[f64], y: &[f64], closed: bool) -> Vec<f64> {
    let n = x.len();
    let h = |k: usize| x[k + 1] - x[k];
    let slope = |k: usize| (y[k + 1] - y[k]) / h(k);
    // unknowns of a closed curve are those of all knots but the last, which is the first
    let unknowns = if closed { n - 1 } else { n };
    let mut a = DMatrix::identity(unknowns, unknowns);
    let mut r = DVector::zeros(unknowns);
    for k in 0..unknowns {
        let inner = k > 0 && k + 1 < n;
        if !closed && !inner {
            continue;
        }
        let (before, next) = if k == 0 { (n - 2, 1) } else { (k - 1, (k + 1) % unknowns) };
        a[(k, k)] = 2.0 * (h(before) + h(k));
        a[(k, before)] += h(before);
        a[(k, next)] += h(k);
        r[k] = 6.0 * (slope(k) - slope(before));
    }
    let mut m: Vec<f64> =
        a.lu().solve(&r).map_or_else(|| vec![0.0; unknowns], |m| m.iter().copied().collect());
    if closed {
        m.push(m[0]);
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_curve_follows_a_sine_with_two_derivatives_and_winds_on() {
        let n = 64;
        let x: Vec<f64> = (0..=n).map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(n)).collect();
        let curve = Curve::new(x.clone(), x.iter().map(|x| x.sin() + 0.1 * x).collect(), true).unwrap();
        for x in [-7.0, -0.3, 0.0, 1.0, 5.0, 20.0] {
            let [y, slope, bend] = curve.at(x);
            assert!((y - x.sin() - 0.1 * x).abs() < 1e-6, "{x}: {y}");
            assert!((slope - x.cos() - 0.1).abs() < 1e-4 && (bend + x.sin()).abs() < 2e-3);
            // its own derivatives, by differences
            let d = 1e-6;
            assert!(((curve.at(x + d)[0] - curve.at(x - d)[0]) / (2.0 * d) - slope).abs() < 1e-8);
            let third = (curve.at(x + d)[2] - curve.at(x - d)[2]) / (2.0 * d);
            assert!(
                (third - curve.third(x)).abs() < 1e-6
                    || (curve.third(x + d) - curve.third(x - d)).abs() > 1e-6
            );
        }
    }

    #[test]
    fn an_open_curve_goes_on_straight_and_bad_knots_are_refused() {
        let curve = Curve::new(vec![0.0, 1.0], vec![1.0, 3.0], false).unwrap();
        assert!((curve.at(0.5)[0] - 2.0).abs() < 1e-15 && (curve.at(4.0)[0] - 9.0).abs() < 1e-14);
        assert_eq!(Curve::new(vec![0.0, 0.0], vec![1.0, 3.0], false), Err(CurveError::Order));
        assert_eq!(Curve::new(vec![0.0], vec![1.0], false), Err(CurveError::Knots));
        assert_eq!(Curve::new(vec![0.0, 1.0], vec![1.0], false), Err(CurveError::Values));
    }
}
