//! Whole numbers without limit, as much of them as an exact dictionary needs: products, differences, divisions
//! that leave nothing, signs.
//!
//! Magnitudes are limbs of 64 bits, least first, without leading zeros. A division that is known to be exact goes from
//! the least limb up [Jebelean 1993]: with d odd, each limb of the quotient is the limb that is left times d⁻¹ mod 2⁶⁴.

use std::cmp::Ordering;

/// A whole number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Whole {
    negative: bool,
    limbs: Vec<u64>,
}

impl Whole {
    pub(crate) fn zero() -> Self {
        Self::default()
    }

    pub(crate) fn one() -> Self {
        Self { negative: false, limbs: vec![1] }
    }

    /// The significand and the exponent of a finite float: x = whole · 2^exponent.
    pub(crate) fn of_float(x: f64) -> (Self, i32) {
        let bits = x.to_bits();
        let field = i32::try_from((bits >> 52) & 0x7ff).unwrap_or(0);
        let fraction = bits & ((1 << 52) - 1);
        let (whole, exponent) =
            if field == 0 { (fraction, -1074) } else { (fraction | (1 << 52), field - 1075) };
        if whole == 0 {
            return (Self::zero(), 0);
        }
        let zeros = whole.trailing_zeros();
        let limbs = vec![whole >> zeros];
        (Self { negative: x < 0.0, limbs }, exponent + i32::try_from(zeros).unwrap_or(0))
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// −1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        match (self.is_zero(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    pub(crate) fn negate(&mut self) {
        self.negative = !self.negative && !self.is_zero();
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::zero();
        }
        let mut limbs = vec![0_u64; self.limbs.len() + other.limbs.len()];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0_u128;
            for (slot, &b) in limbs[i..].iter_mut().zip(&other.limbs) {
                let sum = u128::from(a) * u128::from(b) + u128::from(*slot) + carry;
                *slot = low(sum);
                carry = sum >> 64;
            }
            limbs[i + other.limbs.len()] = low(carry);
        }
        trim(&mut limbs);
        Self { negative: self.negative != other.negative, limbs }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            return Self { negative: self.negative, limbs: add(&self.limbs, &other.limbs) };
        }
        match compare(&self.limbs, &other.limbs) {
            Ordering::Equal => Self::zero(),
            Ordering::Greater => Self { negative: self.negative, limbs: subtract(&self.limbs, &other.limbs) },
            Ordering::Less => Self { negative: other.negative, limbs: subtract(&other.limbs, &self.limbs) },
        }
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        let mut other = other.clone();
        other.negate();
        self.plus(&other)
    }

    /// self · 2^bits.
    pub(crate) fn shifted(&self, bits: usize) -> Self {
        if self.is_zero() {
            return Self::zero();
        }
        let (whole, part) = (bits / 64, bits % 64);
        let mut limbs = vec![0; whole];
        if part == 0 {
            limbs.extend_from_slice(&self.limbs);
        } else {
            let mut carry = 0;
            for &limb in &self.limbs {
                limbs.push((limb << part) | carry);
                carry = limb >> (64 - part);
            }
            limbs.push(carry);
            trim(&mut limbs);
        }
        Self { negative: self.negative, limbs }
    }

    /// self / other, which must leave nothing.
    pub(crate) fn exactly_over(&self, other: &Self) -> Self {
        if self.is_zero() || other.limbs == [1] {
            return Self { negative: self.negative != (other.negative && !self.is_zero()), ..self.clone() };
        }
        let zeros = other.trailing_zeros();
        let mut left = shift_down(&self.limbs, zeros);
        let odd = shift_down(&other.limbs, zeros);
        let inverse = inverse_mod_limb(odd[0]);
        let length = (left.len() + 1).saturating_sub(odd.len());
        let mut limbs = Vec::with_capacity(length);
        for i in 0..length {
            let digit = left[i].wrapping_mul(inverse);
            limbs.push(digit);
            let (mut carry, mut borrow) = (0_u128, false);
            for (k, slot) in left[i..].iter_mut().enumerate() {
                let product = odd.get(k).map_or(0, |&b| u128::from(digit) * u128::from(b)) + carry;
                carry = product >> 64;
                let (difference, under) = slot.overflowing_sub(low(product));
                let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
                *slot = difference;
                borrow = under || under_again;
                if k >= odd.len() && carry == 0 && !borrow {
                    break;
                }
            }
        }
        debug_assert!(left.iter().all(|&l| l == 0), "a division that leaves something");
        trim(&mut limbs);
        Self { negative: self.negative != other.negative, limbs }
    }

    fn trailing_zeros(&self) -> usize {
        let empty = self.limbs.iter().take_while(|&&l| l == 0).count();
        64 * empty + self.limbs.get(empty).map_or(0, |l| l.trailing_zeros() as usize)
    }

    /// The leading 128 bits as a sum of two floats, and the exponent that belongs to them.
    fn leading(&self) -> (f64, f64, i64) {
        let n = self.limbs.len();
        let limb = |k: usize| if k < n { self.limbs[n - 1 - k] } else { 0 };
        let zeros = limb(0).leading_zeros();
        let top = (u128::from(limb(0)) << 64) | u128::from(limb(1));
        let top = if zeros == 0 { top } else { (top << zeros) | u128::from(limb(2) >> (64 - zeros)) };
        // 2^127 ≤ top < 2^128
        let high = (top >> 75) as f64;
        let rest = ((top >> 22) & ((1 << 53) - 1)) as f64;
        let exponent = 64 * i64::try_from(n).unwrap_or(i64::MAX / 64) - i64::from(zeros) - 53;
        (high, rest / 2_f64.powi(53), exponent)
    }

    /// The float nearest to self/other, to half a unit and a hair; infinite beyond the range.
    pub(crate) fn ratio(&self, other: &Self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let ((a, a_low, ea), (b, b_low, eb)) = (self.leading(), other.leading());
        // a/b, then what is left of it
        let first = a / b;
        let rest = (-first).mul_add(b, a) + (a_low - first * b_low);
        let quotient = first + rest / b;
        let size = scale(quotient, ea - eb);
        if self.negative == other.negative { size } else { -size }
    }
}

/// x · 2^e in steps that do not round twice unless the result is subnormal.
fn scale(x: f64, e: i64) -> f64 {
    let clamped = i32::try_from(e.clamp(-3000, 3000)).unwrap_or(0);
    let (half, rest) = (clamped / 3, clamped - 2 * (clamped / 3));
    x * 2_f64.powi(half) * 2_f64.powi(half) * 2_f64.powi(rest)
}

#[expect(clippy::cast_possible_truncation, reason = "the low limb is what is wanted")]
fn low(x: u128) -> u64 {
    x as u64
}

fn trim(limbs: &mut Vec<u64>) {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn add(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut out = Vec::with_capacity(long.len() + 1);
    let mut carry = 0_u128;
    for (k, &limb) in long.iter().enumerate() {
        let sum = u128::from(limb) + short.get(k).map_or(0, |&s| u128::from(s)) + carry;
        out.push(low(sum));
        carry = sum >> 64;
    }
    out.push(low(carry));
    trim(&mut out);
    out
}

/// a − b with a > b.
fn subtract(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    let mut out: Vec<u64> = a
        .iter()
        .enumerate()
        .map(|(k, &limb)| {
            let (difference, under) = limb.overflowing_sub(b.get(k).copied().unwrap_or(0));
            let (difference, again) = difference.overflowing_sub(u64::from(borrow));
            borrow = under || again;
            difference
        })
        .collect();
    trim(&mut out);
    out
}

fn shift_down(limbs: &[u64], bits: usize) -> Vec<u64> {
    let (whole, part) = (bits / 64, bits % 64);
    let kept = &limbs[whole..];
    let next = |k: usize| kept.get(k + 1).copied().unwrap_or(0);
    let mut out: Vec<u64> = kept
        .iter()
        .enumerate()
        .map(|(k, &l)| if part == 0 { l } else { (l >> part) | (next(k) << (64 - part)) })
        .collect();
    trim(&mut out);
    out
}

/// d⁻¹ mod 2⁶⁴ of an odd d, by Newton's iteration: each step doubles the bits that are right.
fn inverse_mod_limb(d: u64) -> u64 {
    (0..5).fold(d.wrapping_mul(3) ^ 2, |x, _| x.wrapping_mul(2_u64.wrapping_sub(d.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64, limbs: usize) -> Whole {
        let mut next = || {
            *state = crate::robust::tree::mix(*state);
            *state
        };
        let mut limbs: Vec<u64> = (0..limbs).map(|_| next()).collect();
        if next() & 1 == 1 && !limbs.is_empty() {
            limbs[0] = 0;
        }
        trim(&mut limbs);
        Whole { negative: next() & 1 == 1 && !limbs.is_empty(), limbs }
    }

    #[test]
    fn products_are_divided_back_and_distribute_over_sums() {
        let mut state = 1;
        for k in 0..2000 {
            let (a, b, c) =
                (random(&mut state, k % 7), random(&mut state, 1 + k % 5), random(&mut state, k % 4));
            if b.is_zero() {
                continue;
            }
            assert_eq!(a.times(&b).exactly_over(&b), a);
            assert_eq!(a.plus(&c).times(&b), a.times(&b).plus(&c.times(&b)));
            assert_eq!(a.plus(&c).minus(&c), a);
            assert_eq!(a.shifted(k % 200), a.times(&Whole::one().shifted(k % 200)));
        }
    }

    #[test]
    fn ratios_are_the_nearest_floats() {
        let mut state = 7;
        for _ in 0..2000 {
            let mut number = || {
                state = crate::robust::tree::mix(state);
                ((state >> 11) as f64 - 4e15) * 2_f64.powi(i32::try_from(state % 200).unwrap() - 100)
            };
            let (x, y) = (number(), number());
            let ((a, ea), (b, eb)) = (Whole::of_float(x), Whole::of_float(y));
            let least = ea.min(eb);
            let up = |w: &Whole, e: i32| w.shifted(usize::try_from(e - least).unwrap());
            let ratio = up(&a, ea).ratio(&up(&b, eb));
            assert_eq!(ratio, x / y);
            // the same with factors that fill many limbs
            let big = random(&mut state, 5).shifted(3).plus(&Whole::one());
            assert_eq!(up(&a, ea).times(&big).ratio(&up(&b, eb).times(&big)), x / y);
        }
    }
}
