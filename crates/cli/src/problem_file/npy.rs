//! One array of a `.npz` file.
//!
//! ```text
//!     "\x93NUMPY", version (2 bytes), length of the header (2 or 4 bytes), header, data
//!     header   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }
//! ```

use super::bytes::{Bytes, NumberClass, NumberType};
use super::error::FileError;
use super::value::{Array, Value};

/// Reads an array of numbers, or a text (for `kind`).
pub(crate) fn read(data: &[u8]) -> Result<Value, FileError> {
    let broken = |reason: &str| FileError::format("", reason);
    let (header, data) = split(data).ok_or_else(|| broken("not a .npy array"))?;
    let descr = quoted(header, "descr").ok_or_else(|| broken("the array has no simple type"))?;
    let shape = shape(header).ok_or_else(|| broken("the array has no shape"))?;
    let fortran = after(header, "fortran_order").is_some_and(|text| text.starts_with("True"));
    let count = shape.iter().try_fold(1_usize, |n, &d| n.checked_mul(d));
    let count = count.ok_or_else(|| broken("the shape of the array is too large"))?;

    if let Some(text) = text(descr, data) {
        return Ok(Value::Text(text));
    }
    let number = number_type(descr).ok_or_else(|| {
        FileError::field("", format!("an array of type '{}'", short(descr)), "an array of real numbers")
    })?;
    if count.checked_mul(number.size) != Some(data.len()) {
        let found = format!("{} bytes of data", data.len());
        return Err(FileError::field("", found, format!("{count} numbers of {} bytes", number.size)));
    }
    let mut data = number.decode(data);
    if fortran && shape.len() == 2 {
        data = transposed(&data, shape[0], shape[1]);
    }
    Ok(Value::Array(Array { shape, data }))
}

fn split(data: &[u8]) -> Option<(&str, &[u8])> {
    let bytes = Bytes::new(data);
    bytes.tagged(0, b"\x93NUMPY")?;
    let (start, length) = match bytes.u8(6)? {
        1 => (10, usize::from(bytes.u16(8)?)),
        _ => (12, bytes.u32(8)? as usize),
    };
    let header = std::str::from_utf8(bytes.slice(start, length)?).ok()?;
    Some((header, data.get(start + length..)?))
}

/// What follows `'name':` in the header.
fn after<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    let at = header.find(&format!("'{name}'"))?;
    Some(header[at + name.len() + 2..].trim_start().strip_prefix(':')?.trim_start())
}

fn quoted<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    after(header, name)?.strip_prefix('\'')?.split('\'').next()
}

fn shape(header: &str) -> Option<Vec<usize>> {
    let list = after(header, "shape")?.strip_prefix('(')?.split(')').next()?;
    let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
    items.map(|item| item.parse().ok()).collect()
}

fn short(descr: &str) -> String {
    descr.chars().take(16).filter(|c| !c.is_control()).collect()
}

/// `<f8` and its kin; a boolean counts as a number.
fn number_type(descr: &str) -> Option<NumberType> {
    let mut chars = descr.chars();
    let (order, class) = (chars.next()?, chars.next()?);
    let class = match class {
        'f' => NumberClass::Float,
        'i' => NumberClass::Signed,
        'u' | 'b' => NumberClass::Unsigned,
        _ => return None,
    };
    let size = chars.as_str().parse().ok()?;
    Some(NumberType { class, size, big_endian: order == '>' }).filter(|t| t.is_known())
}

/// A text: `<U3` is UTF-32, `|S3` bytes.
fn text(descr: &str, data: &[u8]) -> Option<String> {
    let text: String = match descr.as_bytes() {
        [order, b'U', ..] => {
            let code = |c: &[u8]| {
                let c = c.try_into().ok()?;
                char::from_u32(if *order == b'>' { u32::from_be_bytes(c) } else { u32::from_le_bytes(c) })
            };
            data.chunks_exact(4).map(code).collect::<Option<_>>()?
        }
        [_, b'S', ..] => data.iter().map(|&b| char::from(b)).collect(),
        _ => return None,
    };
    Some(text.trim_end_matches('\0').to_owned())
}

/// By columns to by rows.
fn transposed(data: &[f64], rows: usize, cols: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(data.len());
    for i in 0..rows {
        out.extend((0..cols).map(|j| data[j * rows + i]));
    }
    out
}
