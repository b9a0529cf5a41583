//! Little-endian numbers out of untrusted bytes: every access may fail, none can panic.

/// A view of the bytes of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes<'a> {
    data: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data }
    }

    pub(crate) fn len(self) -> usize {
        self.data.len()
    }

    pub(crate) fn slice(self, at: usize, length: usize) -> Option<&'a [u8]> {
        self.data.get(at..at.checked_add(length)?)
    }

    fn array<const N: usize>(self, at: usize) -> Option<[u8; N]> {
        self.slice(at, N)?.try_into().ok()
    }

    pub(crate) fn u8(self, at: usize) -> Option<u8> {
        self.data.get(at).copied()
    }

    pub(crate) fn u16(self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(self, at: usize) -> Option<u64> {
        self.array(at).map(u64::from_le_bytes)
    }

    /// A 64-bit size or offset.
    pub(crate) fn size(self, at: usize) -> Option<usize> {
        self.u64(at)?.try_into().ok()
    }

    /// The place, if the tag is there.
    pub(crate) fn tagged(self, at: usize, tag: &[u8]) -> Option<usize> {
        (self.slice(at, tag.len())? == tag).then_some(at)
    }

    /// The last place where the tag is.
    pub(crate) fn rfind(self, tag: &[u8]) -> Option<usize> {
        self.data.windows(tag.len()).rposition(|window| window == tag)
    }
}

/// How numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberType {
    pub(crate) class: NumberClass,
    /// Bytes per number.
    pub(crate) size: usize,
    pub(crate) big_endian: bool,
}

/// What the bits of a number mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberClass {
    Float,
    Signed,
    Unsigned,
}

impl NumberType {
    /// Whether numbers of this type can be decoded.
    pub(crate) fn is_known(self) -> bool {
        match self.class {
            NumberClass::Float => matches!(self.size, 4 | 8),
            NumberClass::Signed | NumberClass::Unsigned => matches!(self.size, 1 | 2 | 4 | 8),
        }
    }

    /// Decodes numbers; integers beyond 2⁵³ are rounded.
    pub(crate) fn decode(self, data: &[u8]) -> Vec<f64> {
        data.chunks_exact(self.size.max(1)).map(|chunk| self.one(chunk)).collect()
    }

    fn one(self, chunk: &[u8]) -> f64 {
        let mut bytes = [0_u8; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        if self.big_endian {
            bytes[..chunk.len()].reverse();
        }
        let bits = u64::from_le_bytes(bytes);
        #[expect(clippy::cast_possible_truncation, reason = "the other half is zero")]
        match self.class {
            NumberClass::Float if self.size == 4 => f64::from(f32::from_bits(bits as u32)),
            NumberClass::Float => f64::from_bits(bits),
            NumberClass::Unsigned => bits as f64,
            NumberClass::Signed => {
                // move the sign bit to the top and back
                let unused = 64 - 8 * self.size as u32;
                ((bits << unused).cast_signed() >> unused) as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_type_are_decoded() {
        let decode = |class, size, big_endian, data: &[u8]| {
            let t = NumberType { class, size, big_endian };
            assert!(t.is_known());
            t.decode(data)
        };
        assert_eq!(decode(NumberClass::Signed, 2, false, &[0xfe, 0xff, 1, 0]), [-2.0, 1.0]);
        assert_eq!(decode(NumberClass::Signed, 4, true, &[0xff, 0xff, 0xff, 0xfd]), [-3.0]);
        assert_eq!(decode(NumberClass::Unsigned, 1, false, &[200]), [200.0]);
        assert_eq!(decode(NumberClass::Signed, 8, false, &(-9_i64).to_le_bytes()), [-9.0]);
        assert_eq!(decode(NumberClass::Float, 4, true, &1.5_f32.to_be_bytes()), [1.5]);
        assert_eq!(decode(NumberClass::Float, 8, false, &(-0.1_f64).to_le_bytes()), [-0.1]);
    }
}
