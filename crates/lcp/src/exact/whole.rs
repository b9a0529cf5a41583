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
        let mut limbs = Vec::with_capacity(self.limbs.len() + other.limbs.len());
        product(&mut limbs, &self.limbs, &other.limbs);
        Self { negative: self.negative != other.negative, limbs }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let (mut large, small) = match compare(&self.limbs, &other.limbs) {
            Ordering::Less => (other.clone(), self),
            _ => (self.clone(), other),
        };
        if self.negative == other.negative {
            add_to(&mut large.limbs, &small.limbs);
        } else {
            subtract_from(&mut large.limbs, &small.limbs);
        }
        large.negative &= !large.is_zero();
        large
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

/// A divisor d > 0 made ready for many divisions that leave nothing, with room for what is divided.
#[derive(Debug, Clone, Default)]
pub(crate) struct Divider {
    zeros: usize,  // d = 2^zeros · odd
    odd: Vec<u64>, // without leading zeros
    inverse: u64,  // of its least limb
    left: Vec<u64>,
    right: Vec<u64>,
}

impl Divider {
    /// Makes d ready.
    pub(crate) fn set(&mut self, d: &Whole) {
        self.zeros = d.trailing_zeros();
        self.odd.clear();
        self.odd.extend_from_slice(&d.limbs);
        shift_down(&mut self.odd, self.zeros);
        self.inverse = inverse_mod_limb(self.odd[0]);
    }

    /// v ← (v a − b c) / d, which must leave nothing.
    pub(crate) fn cross(&mut self, v: &mut Whole, a: &Whole, b: &Whole, c: &Whole) {
        let (first, second) = (v.negative != a.negative, b.negative != c.negative);
        product(&mut self.left, &v.limbs, &a.limbs);
        product(&mut self.right, &b.limbs, &c.limbs);
        v.negative = first;
        if first != second || self.right.is_empty() {
            add_to(&mut self.left, &self.right);
        } else if compare(&self.left, &self.right) == Ordering::Less {
            std::mem::swap(&mut self.left, &mut self.right);
            subtract_from(&mut self.left, &self.right);
            v.negative = !first;
        } else {
            subtract_from(&mut self.left, &self.right);
        }
        self.divide(&mut v.limbs);
        v.negative &= !v.is_zero();
    }

    /// out ← left / d.
    fn divide(&mut self, out: &mut Vec<u64>) {
        out.clear();
        if self.left.is_empty() {
            return;
        }
        let Self { zeros, odd, inverse, left, .. } = self;
        shift_down(left, *zeros);
        let whole = cfg!(debug_assertions).then(|| left.clone());
        let length = (left.len() + 1).saturating_sub(odd.len());
        // what is above the quotient's limbs does not reach them
        for i in 0..length {
            let digit = left[i].wrapping_mul(*inverse);
            out.push(digit);
            let (mut carry, mut k) = (0_u128, i);
            for (slot, &b) in left[i..length].iter_mut().zip(&*odd) {
                let product = u128::from(digit) * u128::from(b) + carry;
                let (difference, under) = slot.overflowing_sub(low(product));
                *slot = difference;
                carry = (product >> 64) + u128::from(under);
                k += 1;
            }
            let mut rest = low(carry);
            while rest != 0 && k < length {
                let (difference, under) = left[k].overflowing_sub(rest);
                left[k] = difference;
                rest = u64::from(under);
                k += 1;
            }
        }
        trim(out);
        if let Some(whole) = whole {
            product(&mut self.right, out, odd);
            debug_assert!(self.right == whole, "a division that leaves something");
        }
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

/// out ← a b.
fn product(out: &mut Vec<u64>, a: &[u64], b: &[u64]) {
    out.clear();
    if a.is_empty() || b.is_empty() {
        return;
    }
    out.resize(a.len() + b.len(), 0);
    for (i, &a) in a.iter().enumerate() {
        let mut carry = 0_u128;
        for (slot, &b) in out[i..].iter_mut().zip(b) {
            let sum = u128::from(a) * u128::from(b) + u128::from(*slot) + carry;
            *slot = low(sum);
            carry = sum >> 64;
        }
        out[i + b.len()] = low(carry);
    }
    trim(out);
}

/// a ← a + b.
fn add_to(a: &mut Vec<u64>, b: &[u64]) {
    a.resize(a.len().max(b.len()), 0);
    let mut carry = false;
    for (k, slot) in a.iter_mut().enumerate() {
        if k >= b.len() && !carry {
            return;
        }
        let (sum, over) = slot.overflowing_add(b.get(k).copied().unwrap_or(0));
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        *slot = sum;
        carry = over || again;
    }
    if carry {
        a.push(1);
    }
}

/// a ← a − b with a ≥ b.
fn subtract_from(a: &mut Vec<u64>, b: &[u64]) {
    let mut borrow = false;
    for (k, slot) in a.iter_mut().enumerate() {
        if k >= b.len() && !borrow {
            break;
        }
        let (difference, under) = slot.overflowing_sub(b.get(k).copied().unwrap_or(0));
        let (difference, again) = difference.overflowing_sub(u64::from(borrow));
        *slot = difference;
        borrow = under || again;
    }
    trim(a);
}

/// a ← a / 2^bits, whole limbs and bits that are zero.
fn shift_down(a: &mut Vec<u64>, bits: usize) {
    let (whole, part) = (bits / 64, bits % 64);
    a.drain(..whole.min(a.len()));
    if part > 0 {
        for k in 0..a.len() {
            let next = a.get(k + 1).copied().unwrap_or(0);
            a[k] = (a[k] >> part) | (next << (64 - part));
        }
        trim(a);
    }
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
        let (mut state, mut divider) = (1, Divider::default());
        for k in 0..2000 {
            let (a, b, c) =
                (random(&mut state, k % 7), random(&mut state, 1 + k % 5), random(&mut state, k % 4));
            if b.is_zero() {
                continue;
            }
            assert_eq!(a.plus(&c).times(&b), a.times(&b).plus(&c.times(&b)));
            // (a b · c − (a c − c) · b) / |b| = ±c, and with one factor of each nothing
            let (mut d, mut minus_c) = (b.clone(), c.clone());
            minus_c.negate();
            if b.sign() < 0 {
                d.negate();
            }
            divider.set(&d);
            let mut v = a.times(&b);
            divider.cross(&mut v, &c, &a.times(&c).plus(&minus_c), &b);
            let mut wanted = c.clone();
            if b.sign() < 0 {
                wanted.negate();
            }
            assert_eq!(v, wanted);
            let mut nothing = a.times(&b);
            divider.cross(&mut nothing, &c, &a.times(&c), &b);
            assert_eq!(nothing, Whole::zero());
            let mut alone = Whole::zero();
            divider.cross(&mut alone, &a, &c, &b);
            wanted.negate();
            assert_eq!(alone, wanted);
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
