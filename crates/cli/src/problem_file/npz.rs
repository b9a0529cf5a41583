//! `.npz`: the same keys as JSON, each an array. The kind may be left out where the keys tell it.

use super::error::FileError;
use super::npy;
use super::value::Value;
use super::zip::Archive;

/// The keys that are read; everything else in the archive is left packed.
const KEYS: [&str; 19] = [
    "kind", "M", "q", "A", "b", "lo", "hi", "findex", "W", "W_i", "W_j", "W_x", "mu", "facets", "mass",
    "body_a", "body_b", "Ja", "Jb",
];

/// Reads the archive into the tree that JSON is read into.
pub(crate) fn read(data: &[u8]) -> Result<Value, FileError> {
    let mut archive = Archive::new(data)?;
    let mut fields: Vec<(String, Value)> = Vec::new();
    for member in archive.members.clone() {
        let key = member.name.strip_suffix(".npy").unwrap_or(&member.name);
        if !KEYS.contains(&key) {
            continue;
        }
        if fields.iter().any(|(name, _)| name == key) {
            return Err(FileError::format(key, "given twice"));
        }
        let value = npy::read(&archive.unpack(&member)?).map_err(|error| error.within(key))?;
        fields.push((key.to_owned(), value));
    }
    fold_sparse(&mut fields);
    // a problem given by its bodies may have its Delassus matrix beside it
    if fields.iter().any(|(name, _)| name == "Ja") {
        fields.retain(|(name, _)| name != "W");
    }
    if !fields.iter().any(|(name, _)| name == "kind") {
        fields.push(("kind".to_owned(), Value::Text(kind(&fields)?.to_owned())));
    }
    Ok(Value::Object(fields))
}

/// The kind that these keys make.
fn kind(fields: &[(String, Value)]) -> Result<&'static str, FileError> {
    let kinds = [("M", "lcp"), ("A", "mlcp"), ("W", "friction"), ("Ja", "friction")];
    let found = kinds.iter().find(|(key, _)| fields.iter().any(|(name, _)| name == key));
    found
        .map(|(_, kind)| *kind)
        .ok_or_else(|| FileError::missing("kind", "it, or an array M, A, W (or W_i, W_j, W_x) or Ja"))
}

/// `W_i`, `W_j`, `W_x` become the object that JSON has.
fn fold_sparse(fields: &mut Vec<(String, Value)>) {
    let mut entries = Vec::new();
    fields.retain_mut(|(name, value)| match name.strip_prefix("W_") {
        Some(part) => {
            entries.push((part.to_owned(), std::mem::replace(value, Value::Null)));
            false
        }
        None => true,
    });
    if !entries.is_empty() && !fields.iter().any(|(name, _)| name == "W") {
        fields.push(("W".to_owned(), Value::Object(entries)));
    }
}
