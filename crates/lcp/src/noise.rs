//! How small a velocity of a mechanical problem means anything.
//!
//! The data of a plain [`crate::Mlcp`] are what they are. Those of a friction problem are computed: b = J v + … with
//! velocities that cancel, W = J M⁻¹ Jᵀ with axes that were turned. A row that should be zero (a ball that does not
//! move sideways, a loop that has no room along its pins) is then the rounding of the others, and no answer can be
//! exact in units of it. An entry of W is known to some roundings of |J_i| |J_j| in the metric of M⁻¹, which is
//! √(W_ii W_jj) = 1/(d_i d_j) with the factors of [`Scaling`], and b to some roundings of the velocities around. So
//! w_i is known to 1e-14 of
//!
//! ```text
//!     min( max_j |b_j|,  max_j |b_j| d_j / d_i )  +  Σ_j |x_j| / (d_i d_j)          j over the rows connected with i
//! ```
//!
//! where the second number of the first term is the velocity that the largest energy around would be for the row's
//! own mass, and to 1e-15 of the same over all rows: one that is connected with none is made from the same motion. Units may be changed row by row (and W with them), blocks added, contacts repeated: the noise of a row
//! changes as the row does.

use crate::parts::parts;
use crate::scale::Scaling;

/// The unit of w that 1e-9 of is 1e-14 of the sizes above: ninety roundings.
pub(crate) const PART: f64 = 1e-5;

/// Rows that nothing connects are made from the same motion: nine roundings of it.
pub(crate) const ELSEWHERE: f64 = 0.1;

/// What a mechanical problem knows of its own rounding.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Noise {
    part: Vec<usize>, // n, the connected part of a row
    d: Vec<f64>,      // n
    speed: Vec<f64>,  // n, the first term
}

impl Noise {
    /// The noise of w = A x + b, n × n by columns.
    pub(crate) fn new(a: &[f64], b: &[f64]) -> Self {
        let n = b.len();
        let d = Scaling::new(a, b).d().to_vec();
        let part = parts(n, |i, j| a[j * n + i] != 0.0);
        let (mut speed, mut energy) = (vec![0.0_f64; n], vec![0.0_f64; n]);
        for i in 0..n {
            speed[part[i]] = speed[part[i]].max(b[i].abs());
            energy[part[i]] = energy[part[i]].max(b[i].abs() * d[i]);
        }
        let all = |v: &[f64]| v.iter().copied().fold(0.0, f64::max);
        let (fastest, liveliest) = (all(&speed), all(&energy));
        let around = |i: usize| speed[part[i]].min(energy[part[i]] / d[i]);
        let speed = (0..n).map(|i| around(i) + ELSEWHERE * fastest.min(liveliest / d[i])).collect();
        Self { part, d, speed }
    }

    /// Adds the least unit of each row at x; `sums` is scratch.
    pub(crate) fn add_to(&self, x: &[f64], unit: &mut [f64], sums: &mut Vec<f64>) {
        sums.clear();
        sums.resize(x.len(), 0.0);
        for ((x, d), &part) in x.iter().zip(&self.d).zip(&self.part) {
            sums[part] += x.abs() / d;
        }
        for (i, unit) in unit.iter_mut().enumerate() {
            *unit += PART * (self.speed[i] + sums[self.part[i]] / self.d[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_independent_block_hardly_changes_the_noise_of_the_others() {
        let unit = |a: &[f64], b: &[f64], x: &[f64]| {
            let mut unit = vec![0.0; b.len()];
            Noise::new(a, b).add_to(x, &mut unit, &mut Vec::new());
            unit
        };
        let alone = unit(&[2.0, 1.0, 1.0, 2.0], &[-1.0, 0.0], &[0.5, 0.0]);
        let mut a = vec![0.0; 9];
        (a[0], a[1], a[3], a[4], a[8]) = (2.0, 1.0, 1.0, 2.0, 1e-6);
        let beside = unit(&a, &[-1.0, 0.0, 1.5], &[0.5, 0.0, 7e9]);
        assert!(alone.iter().zip(&beside).all(|(a, b)| *a > 0.0 && *b >= *a && *b <= 1.2 * a), "{beside:?}");
    }
}
