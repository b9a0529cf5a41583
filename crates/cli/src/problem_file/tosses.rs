//! Measured tosses, `.npz`: `rows` (samples × 13) and `start` (one more than there are tosses).

use std::path::Path;

use gudgeon_validate::reality::Tosses;

use super::error::FileError;
use super::value::{Array, Value};
use super::zip::Archive;
use super::{npy, open};

/// Reads them.
pub(crate) fn read_tosses(path: &Path) -> Result<Tosses, FileError> {
    let bytes = open(path)?;
    let mut archive = Archive::new(&bytes)?;
    let rows = array(&mut archive, "rows")?;
    let start = array(&mut archive, "start")?;
    if rows.shape.get(1) != Some(&13) {
        let found = format!("an array of shape {:?}", rows.shape);
        return Err(FileError::field("rows", found, "samples of 13 numbers"));
    }
    let start = start.data.iter().map(|&s| whole(s, rows.shape[0])).collect::<Result<_, _>>()?;
    Tosses::new(&rows.data, start).map_err(|e| FileError::format("", e.to_string()))
}

fn array(archive: &mut Archive<'_>, name: &str) -> Result<Array, FileError> {
    let member = archive.members.iter().find(|m| m.name.strip_suffix(".npy") == Some(name)).cloned();
    let member = member.ok_or_else(|| FileError::missing(name, "an array of numbers"))?;
    match npy::read(&archive.unpack(&member)?).map_err(|error| error.within(name))? {
        Value::Array(array) => Ok(array),
        other => Err(FileError::field(name, other.describe(), "an array of numbers")),
    }
}

fn whole(x: f64, most: usize) -> Result<usize, FileError> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to `most`"
    )]
    if x >= 0.0 && x <= most as f64 && x.fract() == 0.0 {
        return Ok(x as usize);
    }
    Err(FileError::field("start", format!("{x:?}"), format!("a whole number up to {most}")))
}
