//! The whole Jacobian of a step, row by row of its transpose.

use super::linear::Linearization;
use super::products::Worth;

/// A, B of δ(q⁺, v⁺) = A δ(q, v) + B δu, row-major; positions in the tangent space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrices {
    /// 2 n_v × 2 n_v.
    pub a: Vec<f64>,
    /// 2 n_v × n_v: joint forces.
    pub b: Vec<f64>,
    worth: Worth,
    unit: [Vec<f64>; 2],
}

impl Linearization {
    /// Fills `out`; keeps its memory. `also` is given every row with what it is worth in parameters and external forces.
    pub fn matrices(&mut self, out: &mut Matrices, mut also: impl FnMut(usize, &Worth)) {
        let n = self.n_v();
        out.a.resize(4 * n * n, 0.0);
        out.b.resize(2 * n * n, 0.0);
        for unit in &mut out.unit {
            unit.clear();
            unit.resize(n, 0.0);
        }
        for k in 0..2 * n {
            out.unit[k / n][k % n] = 1.0;
            self.vjp(&out.unit[0], &out.unit[1], &mut out.worth);
            out.unit[k / n][k % n] = 0.0;
            out.a[2 * n * k..][..n].copy_from_slice(&out.worth.q);
            out.a[2 * n * k + n..][..n].copy_from_slice(&out.worth.v);
            out.b[n * k..][..n].copy_from_slice(&out.worth.control);
            also(k, &out.worth);
        }
    }
}
