//! The cone |x_t| ≤ x_n of three dimensions: its product, its border, and the scaling of Nesterov and Todd.
//!
//! ```text
//!     x∘y = (xᵀy, x₀ y_t + y₀ x_t)        det x = x₀² − |x_t|²        P x = P⁻¹ s,  D = P² = η² (2 w wᵀ − J)
//! ```

use std::f64::consts::FRAC_1_SQRT_2;

/// The scaling of a round block by its axes: D = Σ p² v vᵀ over v = (1, ŵ)/√2, (1, −ŵ)/√2 and (0, ŵ⊥).
///
/// A sliding contact has p² of τ/x₀² and s₀²/τ. A vector that D is applied to must therefore be kept along these axes:
/// along those of the contact the rounding of its large part, times the large p², hides the small part once τ² is
/// below the rounding.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scaling {
    across: [f64; 2], // ŵ
    p: [f64; 3],
}

impl Scaling {
    pub(crate) fn new(x: &[f64], s: &[f64]) -> Self {
        let (dx, ds) = (det(x).sqrt(), det(s).sqrt());
        let unit = |v: &[f64], d: f64| [v[0] / d, v[1] / d, v[2] / d];
        let (x, s) = (unit(x, dx), unit(s, ds));
        let gamma = (0.5 * (1.0 + x[0] * s[0] + x[1] * s[1] + x[2] * s[2])).sqrt();
        let half = 0.5 / gamma;
        let w = [half * (s[1] - x[1]), half * (s[2] - x[2])];
        let size = (w[0] * w[0] + w[1] * w[1]).sqrt();
        let across = if size > 0.0 { [w[0] / size, w[1] / size] } else { [1.0, 0.0] };
        // on the hyperboloid, w₀ + |w| and its inverse are the axes
        let long = (1.0 + size * size).sqrt() + size;
        let eta = (ds / dx).sqrt();
        Self { across, p: [eta * long, eta / long, eta] }
    }

    /// v along the axes.
    pub(crate) fn along(&self, v: [f64; 3]) -> [f64; 3] {
        let [c, s] = self.across;
        let t = c * v[1] + s * v[2];
        [FRAC_1_SQRT_2 * (v[0] + t), FRAC_1_SQRT_2 * (v[0] - t), c * v[2] - s * v[1]]
    }

    /// Back from the axes.
    pub(crate) fn back(&self, v: [f64; 3]) -> [f64; 3] {
        let [c, s] = self.across;
        let t = FRAC_1_SQRT_2 * (v[0] - v[1]);
        [FRAC_1_SQRT_2 * (v[0] + v[1]), c * t - s * v[2], s * t + c * v[2]]
    }

    /// P v or P⁻¹ v, both along the axes.
    pub(crate) fn stretch(&self, v: [f64; 3], inverse: bool) -> [f64; 3] {
        [0, 1, 2].map(|k| if inverse { v[k] / self.p[k] } else { v[k] * self.p[k] })
    }

    /// The diagonal of D along the axes.
    pub(crate) fn squares(&self) -> [f64; 3] {
        self.p.map(|p| p * p)
    }

    /// P v or P⁻¹ v.
    pub(crate) fn root(&self, v: [f64; 3], inverse: bool) -> [f64; 3] {
        self.back(self.stretch(self.along(v), inverse))
    }
}

/// x₀² − |x₁|².
pub(crate) fn det(x: &[f64]) -> f64 {
    let size = (x[1] * x[1] + x[2] * x[2]).sqrt();
    ((x[0] - size) * (x[0] + size)).max(f64::MIN_POSITIVE)
}

/// How far x may go along d before it leaves the cone.
pub(crate) fn room(x: &[f64], d: &[f64]) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = det(x);
    let disc = b * b - a * c;
    if disc < 0.0 || (a >= 0.0 && b >= 0.0) {
        return f64::INFINITY;
    }
    // the first positive root of c + 2 b t + a t²
    let t = c / (disc.sqrt() - b);
    if t > 0.0 { t } else { f64::INFINITY }
}

/// x∘y of the cone.
pub(crate) fn jordan(x: [f64; 3], y: [f64; 3]) -> [f64; 3] {
    [x[0] * y[0] + x[1] * y[1] + x[2] * y[2], x[0] * y[1] + y[0] * x[1], x[0] * y[2] + y[0] * x[2]]
}

/// y with x∘y = v.
pub(crate) fn divide(x: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    let y0 = (x[0] * v[0] - x[1] * v[1] - x[2] * v[2]) / det(&x);
    [y0, (v[1] - y0 * x[1]) / x[0], (v[2] - y0 * x[2]) / x[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13)
    }

    #[test]
    fn the_scaling_takes_impulse_and_velocity_to_the_same_point() {
        let (x, s) = ([2.0, 0.5, -1.5], [0.7, 0.3, 0.6]);
        let scaling = Scaling::new(&x, &s);
        assert!(near(scaling.root(x, false), scaling.root(s, true)));
        let (d, v) = (scaling.squares(), scaling.along(x));
        assert!(near(scaling.back([0, 1, 2].map(|k| d[k] * v[k])), s));
    }

    #[test]
    fn products_of_the_cone_can_be_undone_and_steps_end_on_its_border() {
        let (x, y) = ([2.0, 0.5, -1.5], [-0.4, 0.3, 0.6]);
        assert!(near(divide(x, jordan(x, y)), y));
        let t = room(&x, &y);
        let end = [0, 1, 2].map(|k| x[k] + t * y[k]);
        assert!((end[0] - end[1].hypot(end[2])).abs() < 1e-13, "{end:?}");
        assert_eq!(room(&x, &[1.0, 0.2, 0.2]), f64::INFINITY);
    }
}
