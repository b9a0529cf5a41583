//! The constraint space of a joint, and small positive definite systems.
//!
//! A joint with axes S (6 × d) transmits f = T λ + Ŝ τ, where
//! ```text
//!     Sᵀ T = 0,   Sᵀ Ŝ = 1,   Tᵀ T = 1
//! ```
//! With S = Q₁ R this is T = Q₂, Ŝ = Q₁ R⁻ᵀ for [Q₁ Q₂] orthogonal: d Householder reflections.

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
        let mut columns = [Vector6::zeros(); 6];
        let mut normals = [Vector6::zeros(); 6];
        let mut r = [[0.0; 6]; 6];
        for k in 0..d {
            columns[k] = s[k].to_vector();
        }
        for k in 0..d {
            // the reflection that takes what is left of column k to the k-th axis
            let mut u = columns[k];
            u.rows_mut(0, k).fill(0.0);
            let length = u.norm();
            u[k] += if u[k] < 0.0 { -length } else { length };
            normals[k] = u * (std::f64::consts::SQRT_2 / u.norm());
            for j in k..d {
                columns[j] -= normals[k] * normals[k].dot(&columns[j]);
                r[k][j] = columns[j][k];
            }
        }
        let mut q = [Vector6::zeros(); 6];
        for j in 0..6 {
            q[j][j] = 1.0;
            for k in (0..d).rev() {
                let p = normals[k].dot(&q[j]);
                q[j] -= normals[k] * p;
            }
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

/// The Cholesky factor A = L Lᵀ of a positive definite matrix of size n ≤ 6.
pub(super) struct Small {
    n: usize,
    l: [[f64; 6]; 6], // below the diagonal
    d: [f64; 6],      // 1 / L_ii
}

impl Small {
    /// Factors the lower triangle of `a`; `None` if it is not positive definite.
    pub(super) fn new(a: &[[f64; 6]; 6], n: usize) -> Option<Self> {
        let mut factor = Self { n, l: *a, d: [0.0; 6] };
        let l = &mut factor.l;
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
            factor.d[j] = 1.0 / d.sqrt();
            for i in j + 1..n {
                l[i][j] *= factor.d[j];
            }
        }
        Some(factor)
    }

    /// Rows z with Σ z_i z_iᵀ = K A⁻¹ Kᵀ for the columns `k` of K: z = L⁻¹ Kᵀ.
    pub(super) fn halve(&self, k: &[Vector6<f64>; 6]) -> [Vector6<f64>; 6] {
        let mut z = *k;
        for i in 0..self.n {
            for j in 0..i {
                let previous = z[j];
                z[i] -= previous * self.l[i][j];
            }
            z[i] *= self.d[i];
        }
        z
    }

    /// L⁻ᵀ z, so that `back(halve(k))` is A⁻¹ Kᵀ by rows.
    pub(super) fn back(&self, z: &[Vector6<f64>; 6]) -> [Vector6<f64>; 6] {
        let mut x = *z;
        for i in (0..self.n).rev() {
            for j in i + 1..self.n {
                let next = x[j];
                x[i] -= next * self.l[j][i];
            }
            x[i] *= self.d[i];
        }
        x
    }

    /// L⁻¹ x.
    pub(super) fn halve_vector(&self, x: &[f64; 6]) -> [f64; 6] {
        let mut y = *x;
        for i in 0..self.n {
            for j in 0..i {
                y[i] -= self.l[i][j] * y[j];
            }
            y[i] *= self.d[i];
        }
        y
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
