//! The same where an inverse is at hand, for standard problems: no other is made, and nothing is scaled.
//!
//! ```text
//!     E = I − R M_FF,     α = max_r Σ_c |E_rc| x_c / x_r,     δ = |R w_F| / x     rows and columns of the z that are not zero
//! ```
//!
//! A row whose z is zero wants w > 0 beyond what the error of the others moves it. What is not sure so may still be by way of
//! [`super::is_sure`].

use multiversion::multiversion;

use super::{DIGITS, ROUNDING, Square, TWICE};
use crate::exact::ENUMERABLE;

/// An answer: M by columns, q, z and w = M z + q in twice the precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer<'a> {
    pub(crate) m: &'a [f64],
    pub(crate) q: &'a [f64],
    pub(crate) z: &'a [f64],
    pub(crate) w: &'a [f64],
}

/// Whether an exact solution stands beside an answer, by R = M_FF⁻¹, which `lend` writes for the unknowns that it is told, if it has it.
pub(crate) fn is_sure(answer: Answer<'_>, lend: impl FnOnce(&[usize], &mut Square) -> bool) -> bool {
    let Answer { m, q, z, w } = answer;
    let n = q.len();
    if n > ENUMERABLE {
        return false;
    }
    let (mut unknowns, mut count) = ([0; ENUMERABLE], 0);
    for (j, _) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
        unknowns[count] = j;
        count += 1;
    }
    let unknowns = &unknowns[..count];
    let mut inverse = [[0.0; ENUMERABLE]; ENUMERABLE];
    lend(unknowns, &mut inverse) && holds(m, q, z, w, unknowns, &inverse)
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn holds(m: &[f64], q: &[f64], z: &[f64], w: &[f64], unknowns: &[usize], inverse: &Square) -> bool {
    let (n, count) = (q.len(), unknowns.len());
    // what each row adds up, and the block of the unknowns with columns in their units
    let (mut sum, mut block) = ([0.0_f64; ENUMERABLE], [[0.0_f64; ENUMERABLE]; ENUMERABLE]);
    sum.iter_mut().zip(q).for_each(|(s, q)| *s = q.abs());
    for (c, &j) in unknowns.iter().enumerate() {
        let (column, z) = (&m[j * n..(j + 1) * n], z[j]);
        sum.iter_mut().zip(column).for_each(|(s, a)| *s += (a * z).abs());
        block.iter_mut().zip(unknowns).for_each(|(row, &i)| row[c] = column[i] * z);
    }
    // of the rows of the unknowns alone
    let (mut own_w, mut own_sum) = ([0.0_f64; ENUMERABLE], [0.0_f64; ENUMERABLE]);
    for ((own_w, own_sum), &i) in own_w.iter_mut().zip(&mut own_sum).zip(unknowns) {
        (*own_w, *own_sum) = (w[i], sum[i]);
    }
    let groups = count.div_ceil(4);
    let (mut most, mut alpha) = (0.0_f64, 0.0_f64);
    for (r, (&own, inverse)) in unknowns.iter().zip(inverse).enumerate() {
        let inverse = &inverse[..count];
        let (mut signed, mut rounded, mut size) = (0.0_f64, 0.0_f64, 0.0_f64);
        for ((f, w), sum) in inverse.iter().zip(&own_w).zip(&own_sum) {
            signed += f * w;
            rounded += (f * w).abs();
            size += f.abs() * sum;
        }
        let mut off = ROUNDING * size;
        for g in 0..groups {
            let mut row = [0.0_f64; 4];
            for (f, block) in inverse.iter().zip(&block) {
                for (s, v) in row.iter_mut().zip(&block.as_chunks::<4>().0[g]) {
                    *s += f * v;
                }
            }
            if r / 4 == g {
                row[r % 4] -= z[own];
            }
            off += (row[0].abs() + row[1].abs()) + (row[2].abs() + row[3].abs());
        }
        let unit = 1.0 / z[own];
        let (delta, off) = ((signed.abs() + ROUNDING * rounded + TWICE * size) * unit, off * unit);
        // written so that NaN is not sure
        if !(delta <= DIGITS && off <= 0.5) {
            return false;
        }
        (most, alpha) = (most.max(delta), alpha.max(off));
    }
    let error = most / (1.0 - alpha);
    // products that vanish below the least number are within it
    let opens = |i: usize| w[i] > (2.0 * error + TWICE) * sum[i] + f64::MIN_POSITIVE;
    error <= DIGITS && (0..n).all(|i| z[i] > 0.0 || (z[i] == 0.0 && opens(i)))
}
