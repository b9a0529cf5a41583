//! The constraint space of a joint, and small positive definite systems.
//!
//! A joint with axes S (6 × d) transmits f = T λ + Ŝ τ, where
//! ```text
//!     Sᵀ T = 0,   Sᵀ Ŝ = 1,   Tᵀ T = 1
//! ```
//! With S = Q₁ R this is T = Q₂, Ŝ = Q₁ R⁻ᵀ for [Q₁ Q₂] orthogonal. Gram-Schmidt twice is enough: Q₂ is completed
//! from the unit vector that the basis so far explains least.

use gudgeon_spatial::{Motion, Vector6};

/// T and Ŝ of a joint.
pub(super) struct ForceBasis {
    /// Columns of T, the first 6 - d.
    pub(super) constraint: [Vector6<f64>; 6],
    /// Columns of Ŝ, the first d.
    pub(super) active: [Vector6<f64>; 6],
}

impl ForceBasis {
    pub(super) fn new(s: &[Motion]) -> Self {
        let d = s.len();
        let mut q = [Vector6::zeros(); 6];
        let mut r = [[0.0; 6]; 6];
        for k in 0..d {
            let mut x = s[k].to_vector();
            for _ in 0..2 {
                for i in 0..k {
                    let p = q[i].dot(&x);
                    r[i][k] += p;
                    x -= q[i] * p;
                }
            }
            r[k][k] = x.norm();
            q[k] = x / r[k][k];
        }
        for k in d..6 {
            // 1 - Σ q² is the squared length that is left of each unit vector
            let left = |e: usize| 1.0 - q[..k].iter().map(|q| q[e] * q[e]).sum::<f64>();
            let e = (0..6).fold(0, |b, e| if left(e) > left(b) { e } else { b });
            let mut x = Vector6::zeros();
            x[e] = 1.0;
            for _ in 0..2 {
                for i in 0..k {
                    x -= q[i] * q[i].dot(&x);
                }
            }
            q[k] = x.normalize();
        }

        // Ŝ = Q₁ R⁻ᵀ: column by column from R Ŝᵀ = Q₁ᵀ, last first
        let mut active = [Vector6::zeros(); 6];
        for k in (0..d).rev() {
            let mut x = q[k];
            for j in k + 1..d {
                x -= active[j] * r[k][j];
            }
            active[k] = x / r[k][k];
        }
        let mut constraint = [Vector6::zeros(); 6];
        constraint[..6 - d].copy_from_slice(&q[d..]);
        Self { constraint, active }
    }
}

/// The Cholesky factor of a positive definite matrix of size n ≤ 6.
pub(super) struct Small {
    n: usize,
    l: [[f64; 6]; 6],
}

impl Small {
    /// Factors the lower triangle of `a`; `None` if it is not positive definite.
    pub(super) fn new(a: &[[f64; 6]; 6], n: usize) -> Option<Self> {
        let mut l = *a;
        for j in 0..n {
            for k in 0..j {
                let x = l[j][k];
                for i in j..n {
                    l[i][j] -= l[i][k] * x;
                }
            }
            let d = l[j][j];
            if d <= 0.0 || !d.is_finite() {
                return None;
            }
            let inverse = 1.0 / d.sqrt();
            for i in j..n {
                l[i][j] *= inverse;
            }
        }
        Some(Self { n, l })
    }

    /// x ← A⁻¹ x.
    pub(super) fn solve(&self, x: &mut [f64; 6]) {
        for i in 0..self.n {
            for j in 0..i {
                x[i] -= self.l[i][j] * x[j];
            }
            x[i] /= self.l[i][i];
        }
        for i in (0..self.n).rev() {
            for j in i + 1..self.n {
                x[i] -= self.l[j][i] * x[j];
            }
            x[i] /= self.l[i][i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gudgeon_spatial::Vector3;

    #[test]
    fn the_bases_are_dual_to_the_axes() {
        let s = [
            Motion::new(Vector3::new(0.6, 0.0, 0.8), Vector3::zeros()),
            Motion::new(Vector3::new(0.0, 0.6, 0.8), Vector3::new(0.1, 0.0, 0.0)),
        ];
        for d in 0..=2 {
            let basis = ForceBasis::new(&s[..d]);
            for i in 0..d {
                for (j, active) in basis.active[..d].iter().enumerate() {
                    let expected = f64::from(i == j);
                    assert!((s[i].to_vector().dot(active) - expected).abs() < 1e-14);
                }
                for t in &basis.constraint[..6 - d] {
                    assert!(s[i].to_vector().dot(t).abs() < 1e-15);
                }
            }
        }
    }
}
