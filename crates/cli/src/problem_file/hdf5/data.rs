//! The numbers of a data set.

use super::super::bytes::{Bytes, NumberClass, NumberType};
use super::object::Object;
use super::{Broken, File, NOWHERE};

/// The most bytes of one data set: 1 GiB.
const MAX_BYTES: usize = 1 << 30;

/// Deflate packs at most 1032 bytes into one: a data set much larger than that cannot come out of its file.
const MAX_RATIO: usize = 1100;

/// Reads a data set.
pub(super) fn numbers(file: &File<'_>, object: &Object<'_>) -> Result<Vec<f64>, Broken> {
    let (Some(space), Some(kind), Some(layout)) = (object.dataspace(), object.datatype(), object.layout())
    else {
        return Err(Some("not a data set".to_owned()));
    };
    let shape = shape(space).ok_or(None)?;
    let kind = number_type(kind).ok_or_else(|| Some("not a data set of integers or floats".to_owned()))?;
    let count = shape.iter().try_fold(1_usize, |n, &d| n.checked_mul(d));
    let limit = MAX_BYTES.min(file.bytes.len().saturating_mul(MAX_RATIO));
    let size = count.and_then(|n| n.checked_mul(kind.size)).filter(|&size| size <= limit);
    let size = size.ok_or_else(|| Some("the data set is too large".to_owned()))?;
    let data = Dataset { file, object, shape, element: kind.size, size }.bytes(layout)?;
    Ok(kind.decode(&data))
}

fn shape(space: Bytes<'_>) -> Option<Vec<usize>> {
    let rank = usize::from(space.u8(1)?);
    let start = match space.u8(0)? {
        1 => 8,
        2 => 4,
        _ => return None,
    };
    (0..rank).map(|k| space.size(start + 8 * k)).collect()
}

fn number_type(kind: Bytes<'_>) -> Option<NumberType> {
    let flags = kind.u8(1)?;
    let class = match kind.u8(0)? & 0x0f {
        0 if flags & 0x08 != 0 => NumberClass::Signed,
        0 => NumberClass::Unsigned,
        1 => NumberClass::Float,
        _ => return None,
    };
    let size = kind.u32(4)? as usize;
    Some(NumberType { class, size, big_endian: flags & 1 != 0 }).filter(|t| t.is_known())
}

struct Dataset<'f, 'a> {
    file: &'f File<'a>,
    object: &'f Object<'a>,
    shape: Vec<usize>,
    element: usize, // bytes
    size: usize,    // bytes
}

impl Dataset<'_, '_> {
    fn bytes(&self, layout: Bytes<'_>) -> Result<Vec<u8>, Broken> {
        let version = layout.u8(0).ok_or(None)?;
        match (version, layout.u8(1).ok_or(None)?) {
            (3 | 4, 0) => layout.slice(4, self.size).map(<[u8]>::to_vec).ok_or(None),
            (3 | 4, 1) => match layout.size(2).ok_or(None)? {
                // never written: all zero
                NOWHERE => Ok(vec![0; self.size]),
                address => {
                    let at = self.file.place(address)?;
                    self.file.bytes.slice(at, self.size).map(<[u8]>::to_vec).ok_or(None)
                }
            },
            (3, 2) if self.shape.len() == 1 => {
                let mut data = vec![0; self.size];
                let filters = self.object.filters().map_or(Some(Vec::new()), filters).ok_or(None)?;
                let chunk = layout.u32(11).ok_or(None)? as usize * self.element;
                match layout.size(3).ok_or(None)? {
                    NOWHERE => {}
                    root => self.chunks(root, chunk, &filters, &mut data, 0)?,
                }
                Ok(data)
            }
            _ => Err(Some("this layout of a data set is not supported; try h5repack".to_owned())),
        }
    }

    /// Walks a tree of chunks and copies each to its place.
    fn chunks(
        &self,
        node: usize,
        chunk: usize,
        filters: &[Filter],
        data: &mut [u8],
        depth: usize,
    ) -> Result<(), Broken> {
        let bytes = self.file.bytes;
        let at = self.file.place(node)?;
        if bytes.tagged(at, b"TREE").is_none() || bytes.u8(at + 4) != Some(1) || depth > 64 {
            return Err(None);
        }
        let level = bytes.u8(at + 5).ok_or(None)?;
        let count = usize::from(bytes.u16(at + 6).ok_or(None)?);
        // a key: packed size, mask of filters left out, one offset per dimension and one for the element
        for key in (0..count).map(|k| at + 24 + k * (24 + 8)) {
            let child = bytes.size(key + 24).ok_or(None)?;
            if level > 0 {
                self.chunks(child, chunk, filters, data, depth + 1)?;
                continue;
            }
            let packed = bytes.u32(key).ok_or(None)? as usize;
            let mask = bytes.u32(key + 4).ok_or(None)?;
            let start = bytes.size(key + 8).and_then(|k| k.checked_mul(self.element)).ok_or(None)?;
            let place = self.file.place(child)?;
            self.file.step(chunk / 1024)?;
            let packed = bytes.slice(place, packed).ok_or(None)?;
            let unpacked = unfilter(packed, filters, mask, self.element, chunk)?;
            if unpacked.len() < chunk || start >= data.len() {
                return Err(None);
            }
            let length = chunk.min(data.len() - start);
            data[start..start + length].copy_from_slice(&unpacked[..length]);
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Deflate,
    Shuffle,
    Checksum,
    Unknown(u16),
}

fn filters(pipeline: Bytes<'_>) -> Option<Vec<Filter>> {
    let (version, count) = (pipeline.u8(0)?, pipeline.u8(1)?);
    let mut at = if version == 1 { 8 } else { 2 };
    let mut filters = Vec::new();
    for _ in 0..count {
        let id = pipeline.u16(at)?;
        let named = version == 1 || id >= 256;
        let name = if named { usize::from(pipeline.u16(at + 2)?) } else { 0 };
        at += if named { 4 } else { 2 };
        let values = usize::from(pipeline.u16(at + 2)?);
        // the old style pads the name to eight bytes and the values to an even number
        let (name, values) = if version == 1 {
            (name.next_multiple_of(8), values.next_multiple_of(2))
        } else {
            (name, values)
        };
        at += 4 + name + 4 * values;
        filters.push(match id {
            1 => Filter::Deflate,
            2 => Filter::Shuffle,
            3 => Filter::Checksum,
            other => Filter::Unknown(other),
        });
    }
    Some(filters)
}

/// Undoes the filters, last first, except those in `mask`.
fn unfilter(
    data: &[u8],
    filters: &[Filter],
    mask: u32,
    element: usize,
    chunk: usize,
) -> Result<Vec<u8>, Broken> {
    let mut data = data.to_vec();
    // a checksum may still follow the data
    let limit = chunk.saturating_add(64).min(MAX_BYTES);
    for (k, filter) in filters.iter().enumerate().rev() {
        if mask.checked_shr(u32::try_from(k).unwrap_or(u32::MAX)).unwrap_or(0) & 1 == 1 {
            continue;
        }
        data = match filter {
            Filter::Deflate => {
                miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&data, limit).map_err(|_| None)?
            }
            Filter::Shuffle => unshuffle(&data, element),
            Filter::Checksum => data[..data.len().saturating_sub(4)].to_vec(),
            Filter::Unknown(id) => {
                return Err(Some(format!("filter {id} of a data set is not supported; try h5repack")));
            }
        };
    }
    Ok(data)
}

/// First bytes of all elements, then second bytes, … back to elements.
fn unshuffle(data: &[u8], element: usize) -> Vec<u8> {
    let count = data.len() / element.max(1);
    let mut out = data.to_vec();
    for i in 0..count {
        for k in 0..element {
            out[i * element + k] = data[k * count + i];
        }
    }
    out
}
