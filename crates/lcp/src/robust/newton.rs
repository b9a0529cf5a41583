//! Newton's method on the Fischer-Burmeister function, from many random starts.
//!
//! ```text
//!     φ_i = z_i + w_i − √(z_i² + w_i²),   Ψ = ½ |φ|²          zero where z ≥ 0, w ≥ 0, z w = 0      [Fischer 1992]
//!     (D_a + D_b M) d = −φ,   D_a = 1 − z/√…,  D_b = 1 − w/√…
//!     z ← z + t d,   Ψ(z + t d) ≤ max of the last eight Ψ + 1e-4 t ∇Ψᵀ d                 [De Luca, Facchinei, Kanzow 1996]
//! ```
//!
//! Matrices of no class (Gaussian ones, with a solution planted) have about one solution among 2ⁿ cones, and a path of
//! Lemke's ends on a ray before it nearly always. A descent that may climb again, started anywhere, comes by it
//! some tens of times more often: on n = 40 about once in 1,200 steps, each of them one factorisation. The search is
//! bounded by [`WORK`]; numbers are in energy units, so that one size of start serves all problems.
//!
//! | here        | above            | shape |
//! |-------------|------------------|-------|
//! | `z`, `w`    | the iterate      | n     |
//! | `phi`       | φ                | n     |
//! | `step`      | d                | n     |
//! | `recent`    | the last Ψ       | 8     |

use super::tree::{mix, unit_interval};
use crate::clock::Clock;
use crate::kernel::dot;
use crate::lu::Lu;
use crate::tolerances;

/// Steps from all starts together, which half of n = 20 needs a hundredth of and most of n = 40 a half, ...
const ALL_STEPS: usize = 20_000;
/// ... and multiplications of their factorisations: some tenths of a second.
const WORK: usize = 500_000_000;
/// Steps from one start: those that arrive have done so after 140 in the median, 190 in the worst tenth (n = 40).
const STEPS: usize = 250;
/// Ψ may rise above its last value, not above this many before.
const MEMORY: usize = 8;
/// |φ| of an iterate whose signs tell the basis.
const ARRIVED: f64 = 1e-8;
/// The shortest step: below it the start is given up.
const SHORTEST: f64 = 1e-6;

/// M by columns and q, scaled; and the iterate.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    z: Vec<f64>,
    w: Vec<f64>,
    phi: Vec<f64>,
    step: Vec<f64>,
    trial: [Vec<f64>; 3],
    recent: Vec<f64>,
    lu: Lu,
}

impl Newton {
    /// Runs from one start after another; each basis found is offered to `is_solution`, which ends it.
    pub(super) fn search(
        &mut self,
        m: &[f64],
        q: &[f64],
        clock: Clock,
        mut is_solution: impl FnMut(&[bool]) -> bool,
    ) -> bool {
        let n = q.len();
        let cost = (n * n * n / 3).max(WORK / ALL_STEPS);
        let (mut work, mut attempt) = (0, 0_u64);
        while work < WORK {
            self.start(m, q, attempt);
            attempt += 1;
            for _ in 0..STEPS {
                if clock.expired() || work >= WORK {
                    return false;
                }
                if self.phi.iter().all(|p| p.abs() < ARRIVED) {
                    let basis: Vec<bool> = self.z.iter().zip(&self.w).map(|(z, w)| z > w).collect();
                    if is_solution(&basis) {
                        return true;
                    }
                    break;
                }
                work += cost;
                if !self.advance(m, q) {
                    break;
                }
            }
        }
        false
    }

    /// A start of the size of the data.
    fn start(&mut self, m: &[f64], q: &[f64], attempt: u64) {
        let seed = mix(attempt ^ 0x6e65_7774_6f6e);
        self.z.clear();
        // a sum of three is near enough to a Gaussian
        let uniform = |k: u64| 2.0 * unit_interval(mix(seed ^ k)) - 1.0;
        self.z.extend((0..q.len() as u64).map(|i| (0..3).map(|k| uniform(3 * i + k)).sum::<f64>()));
        let psi = merit(m, q, &self.z, &mut self.w, &mut self.phi);
        self.recent.clear();
        self.recent.push(psi);
    }

    /// One damped step; false where there is none.
    fn advance(&mut self, m: &[f64], q: &[f64]) -> bool {
        let n = q.len();
        let Self { z, w, phi, step, trial: [next, next_w, next_phi], recent, lu } = self;
        // the kink takes the element of the diagonal direction
        let kink = 1.0 - std::f64::consts::FRAC_1_SQRT_2;
        let part = |v: f64, s: f64| if s > tolerances::KINK { 1.0 - v / s } else { kink };
        let root: Vec<f64> = z.iter().zip(w.iter()).map(|(z, w)| z.hypot(*w)).collect();
        let a: Vec<f64> = z.iter().zip(&root).map(|(z, s)| part(*z, *s)).collect();
        let b: Vec<f64> = w.iter().zip(&root).map(|(w, s)| part(*w, *s)).collect();
        let entry = |e: usize| b[e % n] * m[e] + if e % n == e / n { a[e % n] } else { 0.0 };
        // ∇Ψ = (D_a + D_b M)ᵀ φ
        let weighted: Vec<f64> = b.iter().zip(phi.iter()).map(|(b, p)| b * p).collect();
        let gradient: Vec<f64> =
            (0..n).map(|j| a[j] * phi[j] + dot(&m[j * n..(j + 1) * n], &weighted)).collect();
        let newton = lu.factor_matrix(n, (0..n * n).map(entry));
        if newton {
            lu.apply(phi.iter().map(|p| -p), step);
        }
        let mut slope = if newton { dot(step, &gradient) } else { 0.0 };
        if slope > -tolerances::DESCENT * dot(step, step) || !slope.is_finite() || !newton {
            step.clear();
            step.extend(gradient.iter().map(|g| -g));
            slope = -dot(&gradient, &gradient);
        }
        let ceiling = recent[recent.len().saturating_sub(MEMORY)..].iter().fold(0.0, |m: f64, v| m.max(*v));
        let mut t = 1.0;
        while t > SHORTEST {
            next.clear();
            next.extend(z.iter().zip(step.iter()).map(|(z, d)| z + t * d));
            let psi = merit(m, q, next, next_w, next_phi);
            if psi <= ceiling + tolerances::ARMIJO * t * slope {
                std::mem::swap(z, next);
                std::mem::swap(w, next_w);
                std::mem::swap(phi, next_phi);
                recent.push(psi);
                return true;
            }
            t *= 0.5;
        }
        false
    }
}

/// w and φ at z, and Ψ.
fn merit(m: &[f64], q: &[f64], z: &[f64], w: &mut Vec<f64>, phi: &mut Vec<f64>) -> f64 {
    w.clear();
    w.extend_from_slice(q);
    for (column, &z) in m.chunks_exact(q.len()).zip(z) {
        crate::kernel::axpy(z, column, w);
    }
    phi.clear();
    phi.extend(z.iter().zip(w.iter()).map(|(z, w)| z + w - z.hypot(*w)));
    0.5 * dot(phi, phi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_beside_a_ray_is_found() {
        // M = [0 1; −1 0] turned: w1 = z2 − 1, w2 = 2 − z1, by z = (2, 1)
        let (m, q) = ([0.0, -1.0, 1.0, 0.0], [-1.0, 2.0]);
        let mut found = None;
        let take = |basis: &[bool]| {
            found = Some(basis.to_vec());
            true
        };
        assert!(Newton::default().search(&m, &q, Clock::default(), take));
        assert_eq!(found, Some(vec![true, true]));
    }
}
