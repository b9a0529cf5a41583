//! Just enough of the zip format for `.npz`: members by their names, stored or deflated.
//!
//! ```text
//!     archive     local header + data, …, central directory, end of central directory
//!     end         "PK\5\6", at +10 entries, at +16 offset of the directory
//!     directory   "PK\1\2", at +10 method, +16 crc, +20 packed size, +24 size, +28 lengths of name, extra,
//!                 comment, +42 offset of the local header, +46 name
//!     local       "PK\3\4", at +26 lengths of name and extra, then the data
//! ```
//!
//! Sizes come from the central directory: writers of streams leave them out of the local headers.

use super::bytes::Bytes;
use super::error::FileError;

/// The most bytes that all members together may unpack to: a bomb ends here.
const MAX_UNPACKED: usize = 1 << 30;

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    method: u16,
    crc: u32,
    packed: usize,
    size: usize,
    offset: usize,
}

/// An archive in memory.
#[derive(Debug)]
pub(crate) struct Archive<'a> {
    bytes: Bytes<'a>,
    pub(crate) members: Vec<Member>,
    unpacked: usize,
}

impl<'a> Archive<'a> {
    /// Reads the directory.
    pub(crate) fn new(data: &'a [u8]) -> Result<Self, FileError> {
        let bytes = Bytes::new(data);
        Self::directory(bytes)
            .map(|members| Self { bytes, members, unpacked: 0 })
            .ok_or_else(|| FileError::format("", "not a complete .npz (zip) archive"))
    }

    fn directory(bytes: Bytes<'_>) -> Option<Vec<Member>> {
        let end = bytes.rfind(b"PK\x05\x06")?;
        let mut entries = usize::from(bytes.u16(end + 10)?);
        let mut at = bytes.u32(end + 16)? as usize;
        if (entries == 0xffff || at == 0xffff_ffff) && end >= 20 {
            // zip64: a locator in front of the end tells where the long form of the end is
            let long = bytes.tagged(end - 20, b"PK\x06\x07").and_then(|_| bytes.size(end - 12))?;
            bytes.tagged(long, b"PK\x06\x06")?;
            entries = bytes.size(long + 32)?;
            at = bytes.size(long + 48)?;
        }
        let mut members = Vec::new();
        for _ in 0..entries {
            bytes.tagged(at, b"PK\x01\x02")?;
            let [name, extra, comment] = [28, 30, 32].map(|k| bytes.u16(at + k).map(usize::from));
            let (name, extra, comment) = (name?, extra?, comment?);
            let mut member = Member {
                name: String::from_utf8_lossy(bytes.slice(at + 46, name)?).into_owned(),
                method: bytes.u16(at + 10)?,
                crc: bytes.u32(at + 16)?,
                packed: bytes.u32(at + 20)? as usize,
                size: bytes.u32(at + 24)? as usize,
                offset: bytes.u32(at + 42)? as usize,
            };
            long_sizes(Bytes::new(bytes.slice(at + 46 + name, extra)?), &mut member)?;
            members.push(member);
            at += 46 + name + extra + comment;
        }
        Some(members)
    }

    /// The bytes of a member.
    pub(crate) fn unpack(&mut self, member: &Member) -> Result<Vec<u8>, FileError> {
        let broken = |reason: &str| FileError::format(member.name.as_str(), reason);
        self.unpacked = self.unpacked.saturating_add(member.size);
        if self.unpacked > MAX_UNPACKED {
            return Err(broken("the archive unpacks to more than 1 GiB"));
        }
        let packed = self.packed(member).ok_or_else(|| broken("the archive is truncated"))?;
        let data = match member.method {
            0 => packed.to_vec(),
            8 => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, member.size)
                .map_err(|_| broken("the compressed data is broken"))?,
            other => return Err(broken(&format!("compression method {other} is not supported"))),
        };
        if data.len() != member.size || crc32(&data) != member.crc {
            return Err(broken("the data does not match its checksum"));
        }
        Ok(data)
    }

    fn packed(&self, member: &Member) -> Option<&'a [u8]> {
        let at = member.offset;
        self.bytes.tagged(at, b"PK\x03\x04")?;
        let skip = 30 + usize::from(self.bytes.u16(at + 26)?) + usize::from(self.bytes.u16(at + 28)?);
        self.bytes.slice(at.checked_add(skip)?, member.packed)
    }
}

/// Zip64: sizes that do not fit 32 bits are in an extra field, in this order.
fn long_sizes(extra: Bytes<'_>, member: &mut Member) -> Option<()> {
    let long = 0xffff_ffff;
    if member.packed != long && member.size != long && member.offset != long {
        return Some(());
    }
    let mut at = 0;
    loop {
        let (id, length) = (extra.u16(at)?, usize::from(extra.u16(at + 2)?));
        at += 4;
        if id == 1 {
            for field in [&mut member.size, &mut member.packed, &mut member.offset] {
                if *field == long {
                    *field = extra.size(at)?;
                    at += 8;
                }
            }
            return Some(());
        }
        at += length;
    }
}

/// The checksum of zip archives.
fn crc32(data: &[u8]) -> u32 {
    let mut table = [0_u32; 256];
    for (byte, slot) in (0_u32..).zip(&mut table) {
        *slot = (0..8).fold(byte, |crc, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 });
    }
    !data.iter().fold(!0_u32, |crc, &b| table[((crc ^ u32::from(b)) & 0xff) as usize] ^ (crc >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
