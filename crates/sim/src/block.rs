//! Blocks of a file: each with its length and a checksum, so that what was not written whole, or has changed since, is told.
//!
//! ```text
//!     u32 length   u32 CRC-32 of the length and the bytes   bytes
//! ```
//! Little-endian; the CRC is the one of Ethernet and zip (polynomial 0x04c11db7, reflected). It tells every single flipped bit
//! and every burst of up to 32; of other damage one in four thousand million passes.

use std::io::{self, Write};

/// Of each byte with none to seven zeros behind it: eight bytes are taken in at once.
const TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0_u32; 256]; 8];
    let (mut n, mut number) = (0, 0_u32);
    while n < 256 {
        let (mut c, mut bit) = (number, 0);
        while bit < 8 {
            c = if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 };
            bit += 1;
        }
        tables[0][n] = c;
        (n, number) = (n + 1, number + 1);
    }
    let mut k = 1;
    while k < 8 {
        n = 0;
        while n < 256 {
            let c = tables[k - 1][n];
            tables[k][n] = tables[0][(c & 0xff) as usize] ^ (c >> 8);
            n += 1;
        }
        k += 1;
    }
    tables
};

/// A running CRC-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checksum(u32);

impl Default for Checksum {
    fn default() -> Self {
        Self(!0)
    }
}

impl Checksum {
    /// Takes in more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        for [a, b, c, d, tail @ ..] in eights {
            let head = (self.0 ^ u32::from_le_bytes([*a, *b, *c, *d])).to_le_bytes();
            let both = head.iter().chain(tail).zip(TABLES.iter().rev());
            self.0 = both.fold(0, |sum, (byte, table)| sum ^ table[usize::from(*byte)]);
        }
        for byte in rest {
            let low = self.0.to_le_bytes()[0];
            self.0 = TABLES[0][usize::from(low ^ byte)] ^ (self.0 >> 8);
        }
    }

    /// The sum of all bytes so far.
    pub fn value(self) -> u32 {
        !self.0
    }

    /// Of some bytes.
    pub fn of(bytes: &[u8]) -> u32 {
        let mut sum = Self::default();
        sum.add(bytes);
        sum.value()
    }
}

/// Writes bytes as a block.
pub fn write_block(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?.to_le_bytes();
    let mut sum = Checksum::default();
    sum.add(&length);
    sum.add(bytes);
    out.write_all(&length)?;
    out.write_all(&sum.value().to_le_bytes())?;
    out.write_all(bytes)
}

/// What stands at the front of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block<'a> {
    /// A block, and what follows it.
    Whole(&'a [u8], &'a [u8]),
    /// Nothing more.
    End,
    /// The beginning of a block whose end was not written, or zeros where a file system had not written yet.
    Torn,
    /// A block that does not fit its checksum.
    Damaged,
}

/// The first block of `bytes`.
pub fn read_block(bytes: &[u8]) -> Block<'_> {
    if bytes.is_empty() {
        return Block::End;
    }
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return Block::Torn };
    let Some((sum, rest)) = rest.split_first_chunk::<4>() else { return Block::Torn };
    let Some((body, rest)) = rest.split_at_checked(u32::from_le_bytes(*length) as usize) else {
        return Block::Torn;
    };
    let mut found = Checksum::default();
    found.add(length);
    found.add(body);
    if found.value() == u32::from_le_bytes(*sum) {
        Block::Whole(body, rest)
    } else if bytes.iter().all(|b| *b == 0) {
        Block::Torn
    } else {
        Block::Damaged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_one_of_zip() {
        assert_eq!(Checksum::of(b"123456789"), 0xcbf4_3926);
        assert_eq!(Checksum::of(b""), 0);
    }

    #[test]
    fn every_flipped_bit_and_every_cut_of_a_block_is_told() {
        let mut file = Vec::new();
        write_block(&mut file, b"a block of some length").unwrap();
        write_block(&mut file, b"and one behind it").unwrap();
        let Block::Whole(first, rest) = read_block(&file) else { panic!("not whole") };
        assert_eq!(
            (first, read_block(rest)),
            (&b"a block of some length"[..], Block::Whole(b"and one behind it", &[]))
        );
        for bit in 0..8 * (8 + first.len()) {
            let mut bad = file.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(matches!(read_block(&bad), Block::Torn | Block::Damaged), "bit {bit}");
        }
        for length in 1..8 + first.len() {
            assert_eq!(read_block(&file[..length]), Block::Torn, "{length}");
        }
        assert_eq!(read_block(&[0; 64]), Block::Torn);
        assert_eq!(read_block(&[]), Block::End);
    }
}
