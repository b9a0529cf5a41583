//! Checkpoints: a snapshot with what its run had written by then.
//!
//! ```text
//!     "GUDCKPT1"  block: for the trace, the contacts and the recording each u8 kept, u64 length, u32 checksum
//!                 the snapshot, to the end ("GUDSNAP6" ..)
//! ```
//! A checkpoint is written beside its place, synced and moved there, after the files it speaks of are synced: a kill or a
//! power cut leaves the old one or the new one, and a file that is at least as long as it says. On resuming, files are read up
//! to that length and held against their checksums, then cut there; what a file has beyond it is written again.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use gudgeon_sim::{Block, Checksum, Simulator, read_block, write_block};

use super::{SimArgs, Stop, bad};

const MAGIC: &[u8; 8] = b"GUDCKPT1";
const ENTRY: usize = 1 + 8 + 4;

/// What a run has written to one of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Written {
    pub(crate) length: u64,
    pub(crate) sum: Checksum,
}

/// The files of a run in the order of a checkpoint: trace, contacts, recording.
pub(crate) type Files = [Option<Written>; 3];

/// Writes a checkpoint; `files` must be synced.
pub(crate) fn keep(path: &Path, sim: &Simulator, files: &Files) -> Result<(), Stop> {
    let mut entries = Vec::new();
    for file in files {
        let w = file.unwrap_or_default();
        entries.push(u8::from(file.is_some()));
        entries.extend_from_slice(&w.length.to_le_bytes());
        entries.extend_from_slice(&w.sum.value().to_le_bytes());
    }
    let mut bytes = MAGIC.to_vec();
    // the whole name: runs that write x.1 and x.2 side by side must not meet in one file
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    let beside = path.with_file_name(name);
    let write = |bytes: &mut Vec<u8>| -> std::io::Result<()> {
        write_block(bytes, &entries)?;
        bytes.extend_from_slice(&sim.snapshot());
        // a device or a pipe is written as it is: a new name would put a file in its place
        if path.exists() && !path.is_file() {
            return std::fs::write(path, bytes);
        }
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)?;
        // the name as well; some file systems cannot, and have done what they can
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|f| f.sync_all());
        Ok(())
    };
    write(&mut bytes).map_err(|e| bad(format!("{}: {e}", path.display())))
}

/// Goes on from the checkpoint, if there is one and it is asked for: what there is of each file, none for files that its
/// run did not write.
pub(crate) fn resume(args: &SimArgs, sim: &mut Simulator) -> Result<Option<Files>, Stop> {
    let Some(path) = args.checkpoint.as_ref().filter(|p| args.resume && p.exists()) else { return Ok(None) };
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|e| bad(format!("{name}: {e}")))?;
    let body = bytes.strip_prefix(MAGIC).ok_or_else(|| {
        bad(format!(
            "{name}: not a checkpoint of this version (it does not begin with GUDCKPT1); it was left as it is"
        ))
    })?;
    let (entries, snapshot) = match read_block(body) {
        Block::Whole(entries, snapshot) if entries.len() == 3 * ENTRY => (entries, snapshot),
        _ => return Err(bad(format!("{name}: the checkpoint is damaged or cut short"))),
    };
    sim.restore(snapshot).map_err(|e| bad(format!("{name}: {e}")))?;
    let mut files = [None; 3];
    let asked = [&args.trace, &args.contacts, &args.record];
    for ((out, file), entry) in files.iter_mut().zip(asked).zip(entries.chunks_exact(ENTRY)) {
        if let Some(file) = file.as_ref().filter(|_| entry[0] == 1) {
            *out = Some(check(file, &entry[1..])?);
        }
    }
    // only now that all is well is anything touched
    for (file, written) in asked.iter().zip(&files) {
        if let (Some(file), Some(written)) = (file, written) {
            let cut = OpenOptions::new().write(true).open(file).and_then(|f| f.set_len(written.length));
            cut.map_err(|e| bad(format!("{}: {e}", file.display())))?;
        }
    }
    Ok(Some(files))
}

/// What a file must hold, and does.
fn check(path: &PathBuf, entry: &[u8]) -> Result<Written, Stop> {
    let name = path.display();
    let mut numbers = [0; 12];
    numbers.copy_from_slice(entry);
    let length = u64::from_le_bytes(numbers[..8].try_into().unwrap_or_default());
    let expected = u32::from_le_bytes(numbers[8..].try_into().unwrap_or_default());
    let failed = |e: std::io::Error| bad(format!("{name}: {e}"));
    let file = File::open(path).map_err(failed)?;
    let there = file.metadata().map_err(failed)?.len();
    if there < length {
        return Err(bad(format!("{name}: {there} bytes long, and the checkpoint was taken with {length}")));
    }
    let (mut sum, mut input, mut buffer) = (Checksum::default(), file.take(length), vec![0; 1 << 16]);
    loop {
        let n = input.read(&mut buffer).map_err(failed)?;
        if n == 0 {
            break;
        }
        sum.add(&buffer[..n]);
    }
    if sum.value() != expected {
        return Err(bad(format!("{name}: not what the run had written when the checkpoint was taken")));
    }
    Ok(Written { length, sum })
}
