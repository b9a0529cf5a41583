//! Floats as whole numbers and as rationals, without error.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

/// A finite float, exactly.
pub fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("problems hold finite numbers")
}

/// The float nearest to a rational, or an infinity beyond the range.
pub fn to_f64(x: &BigRational) -> f64 {
    x.to_f64().unwrap_or(f64::NAN)
}

/// x = whole · 2^exponent, the whole number odd; zero has no exponent.
fn decode(x: f64) -> Option<(i64, i32)> {
    let bits = x.to_bits();
    let field = i32::try_from((bits >> 52) & 0x7ff).expect("eleven bits");
    let fraction = i64::try_from(bits & ((1 << 52) - 1)).expect("52 bits");
    let (whole, exponent) = if field == 0 { (fraction, -1074) } else { (fraction | (1 << 52), field - 1075) };
    if whole == 0 {
        return None;
    }
    let zeros = whole.trailing_zeros();
    let whole = (whole >> zeros) * if x < 0.0 { -1 } else { 1 };
    Some((whole, exponent + i32::try_from(zeros).expect("at most 52")))
}

/// The least exponent among some numbers; zero if they are all zero.
pub(super) fn least_exponent(values: impl Iterator<Item = f64>) -> i32 {
    values.filter_map(decode).map(|(_, e)| e).min().unwrap_or(0)
}

/// x · 2^−exponent, which must be whole.
pub(super) fn shifted(x: f64, exponent: i32) -> BigInt {
    decode(x).map_or_else(BigInt::zero, |(whole, e)| {
        let up = u32::try_from(e - exponent).expect("the exponent is the least of its row");
        BigInt::from(whole) << up
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_whole_numbers_and_come_back() {
        for x in [1.0, -0.1, 3e-300, 5e-324, 1e300, 0.375, -6.0] {
            let e = least_exponent(std::iter::once(x));
            let unit = BigRational::from(BigInt::from(1) << e.unsigned_abs());
            let whole = BigRational::from(shifted(x, e));
            let back = if e >= 0 { whole * unit } else { whole / unit };
            assert_eq!(back, rational(x));
        }
        assert_eq!(shifted(6.0, 0), BigInt::from(6));
        assert_eq!(least_exponent([6.0, 0.0, 0.25].into_iter()), -2);
    }
}
