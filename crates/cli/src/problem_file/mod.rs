//! Problem files: JSON, JSON lines, `.npz` and FCLIB `.hdf5` to a [`Problem`], and a problem back to JSON.
//!
//! The road: bytes → format (by the first bytes, then by the name) → a tree of values → a problem.

mod blocks;
mod bodies;
mod bytes;
mod error;
mod fclib;
mod global;
mod hdf5;
mod json;
mod npy;
mod npz;
mod schema;
mod sparse;
mod tosses;
mod value;
mod write;
mod zip;

use std::io::Read;
use std::path::Path;

use gudgeon_lcp::{FrictionProblem, Lcp, Mlcp};

pub use error::{FileError, NamedError};
pub(crate) use tosses::read_tosses;
pub use write::write_json;

/// A file larger than this is not read: 1 GiB.
const MAX_BYTES: u64 = 1 << 30;

/// A problem of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// w = M z + q.
    Lcp(Lcp),
    /// w = A x + b with bounds.
    Mlcp(Mlcp),
    /// Contact with friction.
    Friction(FrictionProblem),
}

impl Problem {
    /// The `kind` of problem files: `lcp`, `mlcp`, `friction`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Lcp(_) => "lcp",
            Self::Mlcp(_) => "mlcp",
            Self::Friction(_) => "friction",
        }
    }
}

/// A problem with the name of its file, or `FILE:LINE` in JSON lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The problem.
    pub problem: Problem,
}

/// Reads all problems of a file; `-` is the standard input. There is at least one entry.
pub fn read(file: &str) -> Vec<Result<Named, NamedError>> {
    let bytes = if file == "-" { all_of(std::io::stdin().lock()) } else { open(Path::new(file)) };
    match bytes {
        Ok(bytes) => read_bytes(file, &bytes),
        Err(error) => vec![Err(NamedError { name: file.to_owned(), error })],
    }
}

/// Reads all problems of a file that is in memory; `name` says which format to expect where the bytes do not.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Vec<Result<Named, NamedError>> {
    match Format::of(name, bytes) {
        Format::Json => read_json(name, bytes),
        Format::Hdf5 => vec![single(name, fclib::read(bytes).map(Problem::Friction))],
        Format::Npz => vec![single(name, npz::read(bytes).and_then(|value| schema::problem(&value)))],
    }
}

enum Format {
    Hdf5,
    Json,
    Npz,
}

impl Format {
    /// By the first bytes, else by the name, else JSON.
    fn of(name: &str, bytes: &[u8]) -> Self {
        if bytes.starts_with(hdf5::SIGNATURE) {
            Self::Hdf5
        } else if bytes.starts_with(b"PK") || has_extension(name, &["npz"]) {
            Self::Npz
        } else if has_extension(name, &["hdf5", "h5"]) {
            Self::Hdf5
        } else {
            Self::Json
        }
    }
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or_default();
    extensions.iter().any(|e| extension.eq_ignore_ascii_case(e))
}

/// Whether a name promises one problem per line.
pub(crate) fn by_lines(name: &str) -> bool {
    name == "-" || has_extension(name, &["jsonl", "ndjson"])
}

fn single(name: &str, problem: Result<Problem, FileError>) -> Result<Named, NamedError> {
    match problem {
        Ok(problem) => Ok(Named { name: name.to_owned(), problem }),
        Err(error) => Err(NamedError { name: name.to_owned(), error }),
    }
}

/// One object, or one object per line.
fn read_json(name: &str, bytes: &[u8]) -> Vec<Result<Named, NamedError>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes); // a byte order mark
    let by_lines = by_lines(name);
    let lines = || {
        let lines = bytes.split(|&b| b == b'\n').enumerate().map(|(i, line)| (i + 1, line.trim_ascii()));
        lines.filter(|(_, line)| !line.is_empty())
    };
    let line_by_line = || {
        let read = |line| json::parse(line).and_then(|value| schema::problem(&value));
        lines().map(|(i, line)| single(&format!("{name}:{i}"), read(line))).collect()
    };
    match json::parse(bytes) {
        // the whole is one object, on one line or on many
        Ok(_) if by_lines && lines().nth(1).is_none() => line_by_line(),
        Ok(value) => vec![single(name, schema::problem(&value))],
        Err(error) => {
            let mut probes = lines().take(if by_lines { usize::MAX } else { 1 });
            let several = lines().nth(1).is_some();
            if several && probes.any(|(_, line)| json::parse(line).is_ok()) {
                line_by_line()
            } else {
                vec![single(name, Err(error))]
            }
        }
    }
}

fn open(path: &Path) -> Result<Vec<u8>, FileError> {
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(FileError::Unreadable { reason: "it is a directory".to_owned() });
    }
    all_of(std::fs::File::open(path).map_err(unreadable)?)
}

fn all_of(reader: impl Read) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(FileError::TooLarge { limit: MAX_BYTES });
    }
    Ok(bytes)
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err asks for")]
fn unreadable(error: std::io::Error) -> FileError {
    // without the number that the system adds in brackets
    let reason = error.to_string();
    let reason = reason.split(" (os error").next().unwrap_or_default().to_owned();
    FileError::Unreadable { reason }
}
