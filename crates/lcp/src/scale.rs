//! Energy units: the scaling that makes tolerances mean something.
//!
//! ```text
//!     M̃ = D M D      q̃ = D q / s      z = s D z̃      w = s D⁻¹ w̃
//! ```
//!
//! With d_i = 1/√M_ii an impulse is measured by the square root of the energy it carries, whatever the
//! masses; grams, kilotons and mass ratios of a million look alike. A row with no diagonal (λ and γ of a
//! friction cone) takes the reciprocal of what it couples to. The factors are rounded to powers of two, so
//! scaling costs no accuracy: every scaled number is the original one with another exponent.
//!
//! Complementarity is kept because D and s are positive.

use crate::sparse::SparseMatrix;
use crate::tolerances;

/// Scaled entries above this are levelled.
const LEVEL: f64 = 4.0;

/// Positive factors D and s.
///
/// ```
/// use gudgeon_lcp::Scaling;
///
/// // a gram and a ton: in energy units both have an inverse mass near one
/// let scaling = Scaling::new(&[1e3, 0.0, 0.0, 1e-3], &[1.0, 1.0]);
/// let d = scaling.d();
/// assert!((0.25..=1.0).contains(&(1e3 * d[0] * d[0])) && (0.25..=1.0).contains(&(1e-3 * d[1] * d[1])));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Scaling {
    d: Vec<f64>,
    size: f64,
    largest: Vec<f64>, // scratch, n
}

impl Scaling {
    /// The scaling of an n × n column-major matrix and its vector.
    pub fn new(m: &[f64], q: &[f64]) -> Self {
        let mut scaling = Self::default();
        scaling.rebuild(m, q);
        scaling
    }

    /// The same rules on what is stored.
    pub(crate) fn of_sparse(a: &SparseMatrix, q: &[f64]) -> Self {
        let n = q.len();
        let entries = || (0..n).flat_map(|j| a.column(j).map(move |(i, v)| (i, j, v)));
        let mut d: Vec<f64> = (0..n)
            .map(|i| a.entry(i, i))
            .map(|v| if v > 0.0 { power_of_two(1.0 / v.sqrt()) } else { 0.0 })
            .collect();
        let (mut coupled, mut raw) = (vec![0.0_f64; n], vec![0.0_f64; n]);
        if d.contains(&0.0) {
            for (i, j, v) in entries() {
                coupled[i] = coupled[i].max(d[j] * v.abs());
                coupled[j] = coupled[j].max(d[i] * v.abs());
                raw[i] = raw[i].max(v.abs());
                raw[j] = raw[j].max(v.abs());
            }
            for i in (0..n).filter(|&i| d[i] == 0.0).collect::<Vec<_>>() {
                d[i] = if coupled[i] > 0.0 {
                    power_of_two(1.0 / coupled[i])
                } else if raw[i] > 0.0 {
                    power_of_two(1.0 / raw[i].sqrt())
                } else {
                    1.0
                };
            }
        }
        for _ in 0..8 {
            coupled.fill(0.0);
            for (i, j, v) in entries() {
                let v = (v * d[i]).abs() * d[j];
                coupled[i] = coupled[i].max(v);
                coupled[j] = coupled[j].max(v);
            }
            if coupled.iter().all(|&l| l <= LEVEL) {
                break;
            }
            for (d, &l) in d.iter_mut().zip(&coupled).filter(|(_, l)| **l > LEVEL) {
                *d = power_of_two(*d / l.sqrt());
            }
        }
        let size = q.iter().zip(&d).fold(0.0, |s: f64, (q, d)| s.max((q * d).abs()));
        let size = if size > 0.0 { power_of_two(size) } else { 1.0 };
        Self { d, size, largest: coupled }
    }

    /// The same in place.
    pub fn rebuild(&mut self, m: &[f64], q: &[f64]) {
        let n = q.len();
        self.d.clear();
        self.d.extend((0..n).map(|i| {
            let diagonal = m[i * n + i];
            if diagonal > 0.0 { inverse_root(diagonal) } else { 0.0 }
        }));

        // rows without a diagonal answer to what they couple to; `largest` keeps what was found
        let Self { d, largest, .. } = self;
        largest.clear();
        largest.resize(n, 0.0);
        if d.contains(&0.0) {
            let coupling = |d: &[f64], i: usize| {
                (0..n).fold(0.0, |s: f64, j| s.max(d[j] * m[j * n + i].abs().max(m[i * n + j].abs())))
            };
            for i in (0..n).filter(|&i| d[i] == 0.0) {
                largest[i] = coupling(d, i);
            }
            for i in 0..n {
                if d[i] == 0.0 && largest[i] > 0.0 {
                    d[i] = power_of_two(1.0 / largest[i]);
                } else if d[i] == 0.0 {
                    let raw = (0..n).fold(0.0, |s: f64, j| s.max(m[j * n + i].abs()).max(m[i * n + j].abs()));
                    d[i] = if raw > 0.0 { power_of_two(1.0 / raw.sqrt()) } else { 1.0 };
                }
            }
        }

        // a matrix that is not positive semi-definite may still have entries far above one: level them. Within a factor of four,
        // powers of two have done what they can
        let over = |j: usize| {
            let column = m[j * n..(j + 1) * n].iter().zip(&*d);
            column.fold(false, |over, (v, di)| over | ((v * di).abs() * d[j] > LEVEL))
        };
        let rounds = if (0..n).any(over) { 8 } else { 0 };
        for _ in 0..rounds {
            largest.fill(0.0);
            for j in 0..n {
                let mut column = 0.0_f64;
                for ((&v, &di), l) in m[j * n..(j + 1) * n].iter().zip(&*d).zip(&mut *largest) {
                    let v = (v * di).abs() * d[j];
                    *l = l.max(v);
                    column = column.max(v);
                }
                largest[j] = largest[j].max(column);
            }
            if largest.iter().all(|&l| l <= LEVEL) {
                break;
            }
            for (d, &l) in d.iter_mut().zip(&*largest) {
                if l > LEVEL {
                    *d = power_of_two(*d / l.sqrt());
                }
            }
        }

        let size = q.iter().zip(&self.d).fold(0.0, |s: f64, (q, d)| s.max((q * d).abs()));
        self.size = if size > 0.0 { power_of_two(size) } else { 1.0 };
    }

    /// D.
    pub fn d(&self) -> &[f64] {
        &self.d
    }

    /// s, the size of the scaled q.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// z̃ of one z.
    #[inline]
    pub fn z(&self, i: usize, z: f64) -> f64 {
        z / (self.size * self.d[i])
    }

    /// w̃ of one w.
    #[inline]
    pub fn w(&self, i: usize, w: f64) -> f64 {
        w * self.d[i] / self.size
    }

    /// z of one z̃.
    #[inline]
    pub fn unscale_z(&self, i: usize, z: f64) -> f64 {
        z * (self.size * self.d[i])
    }

    /// The effective inverse mass of row i: 1/d², which is M_ii (to a factor of two) where there is one.
    pub fn inverse_mass(&self, i: usize) -> f64 {
        1.0 / (self.d[i] * self.d[i])
    }
}

/// The power of two nearest below 1/√x for x > 0. With x = m 2^e, 1 ≤ m < 2, it is 2^(−⌊e/2⌋ − 1), and twice that for even e and
/// m = 1; no root and no division.
fn inverse_root(x: f64) -> f64 {
    // e + 1023, as a number holds it
    let (exponent, mantissa) = (x.to_bits() >> 52, x.to_bits() & 0x000f_ffff_ffff_ffff);
    // near the ends of the range, and where the root rounds to one
    if !(523..1523).contains(&exponent) || mantissa == 1 {
        return power_of_two(1.0 / x.sqrt());
    }
    let is_below = mantissa != 0 || exponent.is_multiple_of(2);
    power_of_two(f64::from_bits((1535 - exponent.div_ceil(2) - u64::from(is_below)) << 52))
}

/// The power of two nearest below a positive number, kept away from the ends of the exponent range so that products of two
/// factors stay finite and normal. No nearer to one than that: masses of 1e290 whose factors stopped at 1e90 were in units of 1e55,
/// in which any velocity is rounding.
fn power_of_two(x: f64) -> f64 {
    let x = x.clamp(tolerances::SCALES[0], tolerances::SCALES[1]);
    f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_exact_powers_of_two() {
        for x in [1.0, 3.7, 1e-12, 5e300, 0.3] {
            let p = power_of_two(x);
            assert_eq!(p.to_bits() & 0x000f_ffff_ffff_ffff, 0);
        }
    }

    #[test]
    fn the_inverse_root_by_its_bits_is_the_one_by_arithmetic() {
        let mut x = 1e-320_f64;
        while x < 1e308 {
            for x in [
                x,
                2.0 * x,
                f64::from_bits(x.to_bits() & !0 << 52),
                f64::from_bits((x.to_bits() & !0 << 52) + 1),
            ] {
                if x > 0.0 && x.is_finite() {
                    assert_eq!(inverse_root(x), power_of_two(1.0 / x.sqrt()), "{x:e}");
                }
            }
            x *= 1.37;
        }
    }

    #[test]
    fn a_friction_block_comes_out_near_one_in_any_unit() {
        for unit in [1e-6, 1.0, 1e6, 1e9] {
            // theta, phi, lambda of one contact of mass `unit`
            let m = [1.0 / unit, 0.0, 0.3, 0.0, 2.0 / unit, -1.0, 0.0, 1.0, 0.0];
            let s = Scaling::new(&m, &[-1.0, 0.1, 0.0]);
            for (k, &v) in m.iter().enumerate() {
                let scaled = (v * s.d()[k % 3] * s.d()[k / 3]).abs();
                assert!(v == 0.0 || (0.05..=4.0).contains(&scaled), "{unit} {k} {scaled}");
            }
        }
    }
}
