//! Frames that are kept: in memory, or on the disk as they come, so that a run that is killed is still a run.
//!
//! A file is the recording itself: header, then frame after frame, written at once and whole. To go back is to cut it; when
//! bodies come, its header is written anew.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use gudgeon_sim::{Frame, Recording, Scene, recording_header, write_end, write_frame, write_header};
use serde_json::{Value, json};

use crate::act::Act;

/// Frames are kept in memory up to about this many bytes, that a forgotten window does not fill it.
const MOST: usize = 1 << 30;

/// The header of a recording that replays.
pub(crate) fn header(scene: &Scene, edits: &[Act]) -> Value {
    let mut header = recording_header(scene, 1);
    header["live"] = json!({"edits": edits.iter().map(Act::write).collect::<Vec<_>>()});
    header
}

/// Where frames go.
#[derive(Debug)]
pub(crate) enum Reel {
    Memory { frames: Vec<Frame>, bytes: usize },
    Disk(Disk),
}

/// A recording that is being written.
#[derive(Debug)]
pub(crate) struct Disk {
    file: File,
    path: PathBuf,
    bodies: usize,  // in its header
    begin: u64,     // of its first frame, bytes
    ends: Vec<u64>, // of its frames
    buffer: Vec<u8>,
}

impl Default for Reel {
    fn default() -> Self {
        Self::Memory { frames: Vec::new(), bytes: 0 }
    }
}

impl Clone for Reel {
    /// A copy of what is in memory; a file has one writer, and its copy keeps nothing.
    fn clone(&self) -> Self {
        match self {
            Self::Memory { frames, bytes } => Self::Memory { frames: frames.clone(), bytes: *bytes },
            Self::Disk(_) => Self::default(),
        }
    }
}

impl Reel {
    /// A new file.
    pub(crate) fn create(path: &Path, header: &Value) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
        let mut disk =
            Disk { file, path: path.to_owned(), bodies: 0, begin: 0, ends: Vec::new(), buffer: Vec::new() };
        disk.begin_with(header)?;
        Ok(Self::Disk(disk))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Memory { frames, .. } => frames.len(),
            Self::Disk(disk) => disk.ends.len(),
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        matches!(self, Self::Memory { bytes, .. } if *bytes > MOST)
    }

    /// One frame more; `header` is asked for if bodies came since the file began.
    pub(crate) fn push(&mut self, frame: Frame, header: impl FnOnce() -> Value) -> io::Result<()> {
        match self {
            Self::Memory { frames, bytes } => {
                *bytes += size(&frame);
                frames.push(frame);
                Ok(())
            }
            Self::Disk(disk) => {
                if frame.bodies.len() + 1 > disk.bodies {
                    disk.rewrite(&header())?;
                }
                disk.append(&frame)
            }
        }
    }

    /// Keeps the first `n`.
    pub(crate) fn truncate(&mut self, n: usize) -> io::Result<()> {
        match self {
            Self::Memory { frames, bytes } => {
                frames.truncate(n);
                *bytes = frames.iter().map(size).sum();
                Ok(())
            }
            Self::Disk(disk) => disk.truncate(n),
        }
    }

    /// Begins again, with this header.
    pub(crate) fn clear(&mut self, header: impl FnOnce() -> Value) -> io::Result<()> {
        match self {
            Self::Memory { .. } => *self = Self::default(),
            Self::Disk(disk) => {
                disk.ends.clear();
                disk.begin_with(&header())?;
            }
        }
        Ok(())
    }

    /// The whole.
    pub(crate) fn recording(&self, header: Value) -> io::Result<Recording> {
        match self {
            Self::Memory { frames, .. } => Ok(Recording { header, frames: frames.clone() }),
            Self::Disk(disk) => Recording::read(&mut File::open(&disk.path)?),
        }
    }
}

impl Disk {
    fn begin_with(&mut self, header: &Value) -> io::Result<()> {
        self.buffer.clear();
        write_header(&mut self.buffer, header)?;
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&self.buffer)?;
        self.begin = self.buffer.len() as u64;
        self.bodies = header["bodies"].as_array().map_or(0, Vec::len);
        Ok(())
    }

    fn append(&mut self, frame: &Frame) -> io::Result<()> {
        // one write, so that what is on the disk is whole or torn at its end
        let (mut bytes, mut scratch) = (Vec::new(), std::mem::take(&mut self.buffer));
        write_frame(&mut bytes, frame, &mut scratch)?;
        self.buffer = scratch;
        self.file.write_all(&bytes)?;
        self.ends.push(self.ends.last().unwrap_or(&self.begin) + bytes.len() as u64);
        Ok(())
    }

    fn truncate(&mut self, n: usize) -> io::Result<()> {
        self.ends.truncate(n);
        let end = *self.ends.last().unwrap_or(&self.begin);
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end)).map(|_| ())
    }

    fn rewrite(&mut self, header: &Value) -> io::Result<()> {
        let old = Recording::read(&mut File::open(&self.path)?)?;
        self.ends.clear();
        self.begin_with(header)?;
        old.frames.iter().try_for_each(|f| self.append(f))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // what cannot be written is not there, and whoever reads is told so
        let _ = write_end(&mut self.file);
    }
}

/// In memory, bytes.
fn size(frame: &Frame) -> usize {
    size_of_val(frame.bodies.as_slice())
        + size_of_val(frame.contacts.as_slice())
        + size_of_val(frame.stages.as_slice())
        + 8 * (frame.joint_forces.len() + frame.q.len() + frame.v.len() + frame.sensors.len())
}
