//! Just enough of HDF5 to read the numbers of an FCLIB file, with no library behind it.
//!
//! Read: superblocks 0 to 3, groups by symbol table or by link messages, data sets that are compact,
//! contiguous or (in one dimension) chunked, plain or through shuffle and deflate, of integers and floats.
//! Not read: groups with hundreds of members in the newest style, the newest chunk indices, other filters;
//! the error says so, and `h5repack` turns such a file into one that is read.
//!
//! The bytes are not trusted: every address is checked, every walk has a bounded number of steps.
//!
//! ```text
//!     superblock → object header of the root → members: name → object header → data set
//! ```

mod data;
mod object;

use std::cell::Cell;

use super::bytes::Bytes;
use super::error::FileError;
use object::Object;

/// The first bytes of every file.
pub(crate) const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// Headers, nodes, entries and kibibytes of chunks that may be looked at in one file: far above any FCLIB
/// file, and soon done.
const MAX_STEPS: usize = 4_000_000;

/// An address that points nowhere.
const NOWHERE: usize = usize::MAX;

/// A file in memory.
#[derive(Debug)]
pub(crate) struct File<'a> {
    bytes: Bytes<'a>,
    base: usize,
    root: usize,
    steps: Cell<usize>,
}

/// What stops a read: `None` for bytes that are not there or make no sense, else the reason.
type Broken = Option<String>;

impl<'a> File<'a> {
    /// Reads the superblock.
    pub(crate) fn new(data: &'a [u8]) -> Result<Self, FileError> {
        let bytes = Bytes::new(data);
        let not = || FileError::format("", "not a complete HDF5 file");
        let start = signature(bytes).ok_or_else(not)?;
        let (base, root) = superblock(bytes, start).ok_or_else(not)?;
        Ok(Self { bytes, base, root, steps: Cell::new(0) })
    }

    /// Whether there is a group or a data set of this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        matches!(self.find(path), Ok(Some(_)))
    }

    /// The numbers of a data set; `None` where there is none of this path.
    pub(crate) fn numbers(&self, path: &str) -> Result<Option<Vec<f64>>, FileError> {
        let read = || match self.find(path)? {
            Some(object) => data::numbers(self, &object).map(Some),
            None => Ok(None),
        };
        read().map_err(|reason| {
            FileError::format(path, reason.unwrap_or_else(|| "the HDF5 file is broken here".to_owned()))
        })
    }

    fn find(&self, path: &str) -> Result<Option<Object<'a>>, Broken> {
        let mut object = Object::read(self, self.root)?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            match object.member(self, name)? {
                Some(address) => object = Object::read(self, address)?,
                None => return Ok(None),
            }
        }
        Ok(Some(object))
    }

    /// Where an address is in the bytes; counts a step.
    fn place(&self, address: usize) -> Result<usize, Broken> {
        self.step(1)?;
        address.checked_add(self.base).filter(|&at| at < self.bytes.len()).ok_or(None)
    }

    /// Counts what is looked at.
    fn step(&self, count: usize) -> Result<(), Broken> {
        self.steps.set(self.steps.get() + count);
        if self.steps.get() > MAX_STEPS {
            return Err(Some("the HDF5 file goes in circles".to_owned()));
        }
        Ok(())
    }
}

/// The superblock is at 0, or behind a block of the user's own at 512, 1024, 2048, …
fn signature(bytes: Bytes<'_>) -> Option<usize> {
    let starts = std::iter::successors(Some(512_usize), |at| at.checked_mul(2));
    std::iter::once(0).chain(starts.take(20)).find(|&at| bytes.tagged(at, SIGNATURE).is_some())
}

/// The base of all addresses, and the address of the root's header.
fn superblock(bytes: Bytes<'_>, start: usize) -> Option<(usize, usize)> {
    let at = |k: usize| start + k;
    let version = bytes.u8(at(8))?;
    // sizes of addresses and lengths; base; the root
    let (sizes, base, root) = match version {
        0 => (13, 24, 64),
        1 => (13, 28, 68),
        2 | 3 => (9, 12, 36),
        _ => return None,
    };
    if bytes.u8(at(sizes))? != 8 || bytes.u8(at(sizes + 1))? != 8 {
        return None;
    }
    Some((bytes.size(at(base))?.max(start), bytes.size(at(root))?))
}
