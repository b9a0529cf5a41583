//! Numbers over time as small integers: quantised, predicted, and written with few bytes.
//!
//! A value becomes an integer multiple of a step; the integer is predicted from the two before it (a straight line),
//! and what remains is written as a zigzag varint. A body at rest costs a zero byte a frame, which deflate removes.

/// The largest integer written: its second differences stay exact in the player's doubles.
const LARGEST: f64 = (1_u64 << 48) as f64;

/// The nearest multiple of `step`; what is not finite is clamped, for a picture of a run gone wrong is still wanted.
pub(crate) fn quantise(value: f64, step: f64) -> i64 {
    let multiple = (value / step).round();
    if multiple.is_nan() { 0 } else { bounded(multiple) }
}

#[expect(clippy::cast_possible_truncation, reason = "clamped to 48 bits")]
fn bounded(value: f64) -> i64 {
    value.clamp(-LARGEST, LARGEST) as i64
}

/// Steps of [`companded`] per factor of e: 1/2000 is 0.05 % of the value.
pub(crate) const PER_E: f64 = 2000.0;

/// Equal relative precision from impacts to weights: asinh(value / small) in steps of 1/[`PER_E`].
pub(crate) fn companded(value: f64, small: f64) -> i64 {
    quantise((value / small).asinh(), 1.0 / PER_E)
}

/// A signed integer in groups of seven bits, the smallest first, the sign in the lowest bit.
pub(crate) fn varint(out: &mut Vec<u8>, value: i64) {
    let mut rest = (value.wrapping_shl(1) ^ (value >> 63)).cast_unsigned();
    while rest >= 0x80 {
        out.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    out.push((rest & 0x7f) as u8);
}

/// A whole curve.
pub(crate) fn curve(out: &mut Vec<u8>, values: impl Iterator<Item = i64>) {
    let (mut before, mut last) = (0, 0);
    for (k, value) in values.enumerate() {
        // the first is itself, the second a difference, then differences of differences
        let predicted = if k < 2 { last } else { 2 * last - before };
        varint(out, value - predicted);
        (before, last) = (last, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in the player.
    fn decode(bytes: &[u8]) -> Vec<i64> {
        let (mut out, mut shift, mut rest) = (Vec::new(), 0, 0_u64);
        for byte in bytes {
            rest |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                out.push((rest >> 1).cast_signed() ^ -(rest & 1).cast_signed());
                (shift, rest) = (0, 0);
            }
        }
        out
    }

    #[test]
    fn a_varint_comes_back_as_it_went() {
        let values = [0, 1, -1, 63, -64, 64, 1 << 20, -(1 << 50), i64::MAX, i64::MIN];
        let mut bytes = Vec::new();
        for v in values {
            varint(&mut bytes, v);
        }
        assert_eq!(decode(&bytes), values);
    }

    #[test]
    fn a_straight_line_costs_a_byte_a_frame() {
        let mut bytes = Vec::new();
        curve(&mut bytes, (0..1000).map(|k| 1_000_000 + 37 * k));
        assert!(bytes.len() < 1010, "{}", bytes.len());
        let second = decode(&bytes);
        assert!(second[2..].iter().all(|d| *d == 0));
    }

    #[test]
    fn what_is_not_finite_is_bounded() {
        assert_eq!(quantise(f64::NAN, 1e-6), 0);
        assert_eq!(quantise(f64::INFINITY, 1e-6), 1 << 48);
        assert_eq!(quantise(-1e300, 1e-6), -(1 << 48));
    }

    #[test]
    fn companding_keeps_the_relative_precision() {
        for value in [1e-3, 1.0, 9.81, 1e5, -1e7] {
            let back = 1e-2 * (companded(value, 1e-2) as f64 / PER_E).sinh();
            assert!((back - value).abs() <= 3e-4 * value.abs().max(1e-2), "{value} {back}");
        }
    }
}
