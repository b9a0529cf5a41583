//! Heightfields: given inline, as the format's binary file or as a picture, rows from near to far in y.
//!
//! ```text
//!     file    nrow ncol (i32), nrow · ncol heights (f32), little-endian
//! ```
//! Heights are scaled to 0..1 and then to the field's own height.

use std::path::Path;

use gudgeon_collide::Shape;

use super::Reader;
use super::asset::file_stem;
use crate::error::ModelFileError;
use crate::xml::Element;

/// Samples of a field, all together: what a file may make us hold, some hundred megabytes.
const MOST_SAMPLES: usize = 1_000_000;

/// Rows, columns, heights.
type Samples = (usize, usize, Vec<f64>);

impl<'a> Reader<'a> {
    pub(super) fn heightfield(&mut self, e: &Element<'a>) -> Result<(), ModelFileError> {
        e.used();
        let file = e.get("file");
        let name = e.get("name").map_or_else(|| file.map(file_stem).unwrap_or_default(), str::to_owned);
        let [x, y, top, base] = e.vector::<4>("size")?.ok_or_else(|| e.missing("size"))?;
        let read = match file {
            Some(file) if self.options.meshes => {
                let path = self.asset_path(file, e)?;
                let picture = file.to_ascii_lowercase().ends_with(".png");
                let samples = if picture { from_picture(&path) } else { binary(&path) };
                Some(samples.map_err(|reason| ModelFileError::Read {
                    at: e.place(),
                    reason: format!("{}: {reason}", path.display()),
                })?)
            }
            Some(_) => {
                e.approximate("file", "reading meshes is turned off: the field is flat");
                None
            }
            None => None,
        };
        let (rows, cols, heights) = match read {
            Some(samples) => samples,
            None => inline(e, file.is_some())?,
        };
        let (lo, hi) = heights.iter().fold((f64::MAX, f64::MIN), |(a, b), h| (a.min(*h), b.max(*h)));
        let span = if hi > lo { hi - lo } else { 1.0 };
        let field: Vec<f64> = heights.iter().map(|h| (h - lo) / span * top).collect();
        let (dx, dy) = (2.0 * x / (cols.max(2) - 1) as f64, 2.0 * y / (rows.max(2) - 1) as f64);
        let shape = Shape::heightfield(rows, cols, dx, dy, &field)
            .map_err(|reason| e.structure_error(format!("{}: {reason}", e.described())))?;
        // the format's own rule: half of its greatest height at half of that, on its base
        self.fields.insert(name, (shape, [x, y, 0.25 * top + 0.5 * base]));
        Ok(())
    }
}

/// What the element itself says; rows of `elevation` go from far to near. Zero where it says nothing.
fn inline(e: &Element, flat: bool) -> Result<Samples, ModelFileError> {
    let count = |key: &str| -> Result<usize, ModelFileError> {
        let n = e.number(key)?.unwrap_or(0.0);
        if !(0.0..=MOST_SAMPLES as f64).contains(&n) || n.fract() != 0.0 {
            return Err(e.value_error(key, n, "a number of samples"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        Ok(n as usize)
    };
    let (mut rows, mut cols) = (count("nrow")?, count("ncol")?);
    let listed = e.numbers("elevation")?.unwrap_or_default();
    if flat {
        (rows, cols) = (rows.max(2), cols.max(2));
    }
    if rows * cols > MOST_SAMPLES {
        let at = e.place();
        return Err(ModelFileError::Limit {
            at,
            what: "samples of a heightfield",
            count: rows * cols,
            limit: MOST_SAMPLES,
        });
    }
    if flat || listed.is_empty() {
        return Ok((rows, cols, vec![0.0; rows * cols]));
    }
    if rows * cols != listed.len() {
        let expected = format!("{rows} x {cols} of them");
        return Err(e.value_error("elevation", format!("{} numbers", listed.len()), &expected));
    }
    Ok((rows, cols, listed.chunks_exact(cols).rev().flatten().copied().collect()))
}

/// A picture: its upper line is the far one, white is high.
fn from_picture(path: &Path) -> Result<Samples, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let (cols, rows, pixels) = crate::png::first_channel(&bytes)?;
    if rows * cols > MOST_SAMPLES {
        return Err(format!("{rows} x {cols} pixels, at most {MOST_SAMPLES}"));
    }
    let heights = pixels.chunks_exact(cols).rev().flatten().map(|p| f64::from(*p)).collect();
    Ok((rows, cols, heights))
}

/// The format's own file.
fn binary(path: &Path) -> Result<Samples, String> {
    let size = std::fs::metadata(path).map_err(|e| e.to_string())?.len();
    if size > 8 + 4 * MOST_SAMPLES as u64 {
        return Err(format!("{size} bytes, more than {MOST_SAMPLES} samples"));
    }
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let mut words = bytes.chunks_exact(4).map(|w| [w[0], w[1], w[2], w[3]]);
    let mut count = || words.next().and_then(|w| usize::try_from(i32::from_le_bytes(w)).ok());
    let (Some(rows), Some(cols)) = (count(), count()) else { return Err("cut short".into()) };
    let heights: Vec<f64> = words.map(|w| f64::from(f32::from_le_bytes(w))).collect();
    if rows.checked_mul(cols) != Some(heights.len()) {
        return Err(format!("{rows} x {cols} samples do not make its {} bytes", bytes.len()));
    }
    if heights.iter().any(|h| !h.is_finite()) {
        return Err("a height that is not finite".into());
    }
    Ok((rows, cols, heights))
}
