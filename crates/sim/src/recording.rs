//! A run on disk: what there is, then one frame after another.
//!
//! ```text
//!     "GUDREC05"  block: header, JSON           { scene, dt, every, fingerprint, bodies: [{ name, shapes: [..] }], .. }
//!     block: frame                              repeated; a file cut short anywhere keeps its whole frames
//!     block: "end"                              once the run is over
//! ```
//! Blocks have a length and a checksum (`block`). A flipped bit is an error with the frame's number; a torn tail is dropped, and that and
//! a missing end are said by [`Recording::read_noted`]: the run was killed, still goes on, or the file was cut between two frames. What a
//! frame has is told in `frame/bytes.rs`. Files that begin with "GUDREC04" have no end; those that begin with "GUDREC03" have frames
//! without sections: no coordinates, sensors, stages or slip. Those that begin with "GUDREC02" have a u32 length in place of
//! each block's head, and no checksums; those that begin with "GUDREC01" neither these nor coefficients of friction. All are
//! still read.

use std::io::{self, Read, Write};

use crate::block::{Block, read_block, write_block};
use crate::frame::Frame;

const MAGIC: &[u8; 8] = b"GUDREC05";
/// Without an end; read, not written.
const FOURTH_MAGIC: &[u8; 8] = b"GUDREC04";
/// Frames without sections; read, not written.
const THIRD_MAGIC: &[u8; 8] = b"GUDREC03";
/// Without checksums; read, not written.
const SECOND_MAGIC: &[u8; 8] = b"GUDREC02";
/// Without coefficients of friction; read, not written.
const FIRST_MAGIC: &[u8; 8] = b"GUDREC01";

/// Writes the beginning of a recording.
pub fn write_header(out: &mut impl Write, header: &serde_json::Value) -> io::Result<()> {
    let text = header.to_string();
    out.write_all(MAGIC)?;
    write_block(out, text.as_bytes())
}

/// Appends a frame; `buffer` is scratch.
pub fn write_frame(out: &mut impl Write, frame: &Frame, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    frame.encode(buffer);
    write_block(out, buffer)
}

/// What stands in the last block; no frame is as short.
const LAST: &[u8] = b"end";

/// Says that the run is over.
pub fn write_end(out: &mut impl Write) -> io::Result<()> {
    write_block(out, LAST)
}

/// A recording in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// What there is; see [`crate::recording_header`].
    pub header: serde_json::Value,
    /// In order of time.
    pub frames: Vec<Frame>,
}

impl Recording {
    /// Reads a recording; frames after a cut are left out, for a run that was killed is still a run.
    pub fn read(input: &mut impl Read) -> io::Result<Self> {
        Ok(Self::read_noted(input)?.0)
    }

    /// As [`Recording::read`], with a sentence on everything that is not as it should be: a torn tail, a version without
    /// checksums.
    pub fn read_noted(input: &mut impl Read) -> io::Result<(Self, Vec<String>)> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes)?;
        if let Some(rest) = bytes.strip_prefix(MAGIC) {
            return Self::read_blocks(rest, 5);
        }
        if let Some(rest) = bytes.strip_prefix(FOURTH_MAGIC) {
            return Self::read_blocks(rest, 4);
        }
        if let Some(rest) = bytes.strip_prefix(THIRD_MAGIC) {
            return Self::read_blocks(rest, 3);
        }
        let (version, rest) = match (bytes.strip_prefix(SECOND_MAGIC), bytes.strip_prefix(FIRST_MAGIC)) {
            (Some(rest), _) => (2, rest),
            (None, Some(rest)) => (1, rest),
            _ => {
                return Err(bad("not a recording (it does not begin with GUDREC01 to GUDREC05)".into()));
            }
        };
        let (head, mut rest) =
            chunk(rest).ok_or_else(|| bad("the header of the recording is cut short".into()))?;
        let header = serde_json::from_slice(head)?;
        let mut notes = vec![format!("a recording of version {version}, which has no checksums")];
        let mut frames = Vec::new();
        while let Some((frame, after)) = chunk(rest) {
            let frame = Frame::decode(frame, version);
            frames.push(
                frame
                    .ok_or_else(|| bad(format!("frame {} of the recording is damaged", frames.len() + 1)))?,
            );
            rest = after;
        }
        notes.extend(torn(rest));
        Ok((Self { header, frames }, notes))
    }

    fn read_blocks(mut rest: &[u8], version: u8) -> io::Result<(Self, Vec<String>)> {
        let header = match read_block(rest) {
            Block::Whole(head, after) => {
                rest = after;
                serde_json::from_slice(head)?
            }
            Block::End | Block::Torn => return Err(bad("the header of the recording is cut short".into())),
            Block::Damaged => return Err(bad("the header of the recording is damaged".into())),
        };
        let (mut frames, mut ended) = (Vec::new(), version < 5);
        loop {
            let damaged = || bad(format!("frame {} of the recording is damaged", frames.len() + 1));
            match read_block(rest) {
                Block::Whole(LAST, after) if version == 5 => {
                    (rest, ended) = (after, true);
                    break;
                }
                Block::Whole(frame, after) => {
                    let frame = Frame::decode(frame, version).ok_or_else(damaged)?;
                    frames.push(frame);
                    rest = after;
                }
                Block::Damaged => return Err(damaged()),
                Block::End | Block::Torn => break,
            }
        }
        let no_end =
            "the recording has no end: the run was killed or still goes on, or the file was cut short";
        let notes = torn(rest).into_iter().chain((!ended).then(|| no_end.to_owned())).collect();
        Ok((Self { header, frames }, notes))
    }

    /// Writes it whole.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_header(out, &self.header)?;
        let mut buffer = Vec::new();
        self.frames.iter().try_for_each(|f| write_frame(out, f, &mut buffer))?;
        write_end(out)
    }
}

fn bad(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// What to say of bytes behind the last whole frame.
fn torn(rest: &[u8]) -> Option<String> {
    let n = rest.len();
    (n > 0)
        .then(|| format!("the recording is torn, or goes on behind its end; the last {n} bytes are left out"))
}

/// A length and as many bytes, if they are there.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{BodyFrame, ContactFrame, Mode, PullFrame, StageFrame, Timings};
    use serde_json::json;

    fn sample() -> Recording {
        let frame = Frame {
            time: 0.5,
            hash: 7,
            energy: [1.0, -2.0],
            bodies: vec![BodyFrame { orientation: [1.0, 0.0, 0.0, 0.0], ..BodyFrame::default() }; 3],
            contacts: vec![
                ContactFrame {
                    a: 1,
                    gap: -0.25,
                    mode: Mode::Slip,
                    friction: Some(0.3),
                    ..ContactFrame::default()
                },
                ContactFrame::default(), // of unknown friction
            ],
            joint_forces: vec![0.1, 0.2],
            ..Frame::default()
        };
        let mut second = Frame { time: 1.0, ..frame.clone() };
        second.contacts[0].slip = Some([0.0, 0.5, -0.25]);
        (second.q, second.v, second.sensors) = (vec![1.0, 2.0], vec![3.0], vec![4.0, 5.0, 6.0]);
        let stage = StageFrame { stage: 2, won: true, runs: 3, factorisations: 4, ..StageFrame::default() };
        second.stages = vec![stage, StageFrame { before: f64::INFINITY, after: 1e-12, ..stage }];
        second.timings = Some(Timings { collision: 1e-3, solver: 2e-3 });
        second.acts = vec![(7, json!({"do": "release"}))];
        second.pulls = vec![PullFrame { kind: 2, body: 1, force: [0.0, 0.0, 9.0], ..PullFrame::default() }];
        Recording { header: serde_json::json!({"scene": "sample"}), frames: vec![frame, second] }
    }

    #[test]
    fn a_recording_comes_back_as_it_went() {
        let mut bytes = Vec::new();
        sample().write(&mut bytes).unwrap();
        assert_eq!(Recording::read(&mut bytes.as_slice()).unwrap(), sample());
    }

    #[test]
    fn a_recording_cut_short_keeps_its_whole_frames() {
        let mut bytes = Vec::new();
        sample().write(&mut bytes).unwrap();
        bytes.truncate(bytes.len() - 8 - LAST.len() - 1);
        assert_eq!(Recording::read(&mut bytes.as_slice()).unwrap().frames, sample().frames[..1]);
    }

    #[test]
    fn a_recording_of_the_first_version_is_read_without_friction() {
        // the same frame, with the eight bytes of the coefficient left out of its one contact
        let mut recording = sample();
        recording.frames.truncate(1);
        recording.frames[0].contacts.truncate(1);
        let mut bytes = Vec::new();
        recording.write(&mut bytes).unwrap();
        bytes.truncate(bytes.len() - 8 - LAST.len());
        bytes[..8].copy_from_slice(b"GUDREC01");
        let coefficient = 0.3_f64.to_le_bytes();
        let at = bytes.windows(8).position(|w| w == coefficient).unwrap();
        bytes.drain(at..at + 8);
        let header = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        // neither block has a checksum
        bytes.drain(16 + header + 4..16 + header + 8);
        bytes.drain(12..16);
        let length = &mut bytes[12 + header..][..4];
        let shorter = u32::from_le_bytes((&*length).try_into().unwrap()) - 8;
        length.copy_from_slice(&shorter.to_le_bytes());
        let (read, notes) = Recording::read_noted(&mut bytes.as_slice()).unwrap();
        recording.frames[0].contacts[0].friction = None;
        assert_eq!(read, recording);
        assert!(notes[0].contains("version 1"), "{notes:?}");
    }

    #[test]
    fn sections_that_nobody_knows_are_passed_over_and_short_ones_told() {
        let mut bytes = Vec::new();
        sample().frames[1].encode(&mut bytes);
        let whole = Frame::decode(&bytes, 4);
        assert_eq!(whole, Some(sample().frames[1].clone()));
        bytes.extend_from_slice(b"new!\x03\0\0\0abc");
        assert_eq!(Frame::decode(&bytes, 4), whole);
        // a reader of the third version stops before the sections
        let third = Frame::decode(&bytes, 3).unwrap();
        assert!(third.q.is_empty() && third.stages.is_empty() && third.joint_forces == [0.1, 0.2]);
        for damaged in [&b"sens\x03\0\0\0abc"[..], b"stag\x01\0\0\0a", b"acts\x02\0\0\0[1", b"q...\xff\0\0\0"]
        {
            let longer = [&bytes[..], damaged].concat();
            assert_eq!(Frame::decode(&longer, 4), None, "{damaged:?}");
        }
    }

    #[test]
    fn every_flipped_bit_of_a_recording_is_told() {
        let mut bytes = Vec::new();
        sample().write(&mut bytes).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            match Recording::read_noted(&mut bad.as_slice()) {
                Ok((_, notes)) => assert!(!notes.is_empty(), "bit {bit} unnoticed"),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        for length in 0..bytes.len() {
            if let Ok((read, notes)) = Recording::read_noted(&mut &bytes[..length]) {
                let whole = read.frames.len();
                assert_eq!(read.frames, sample().frames[..whole]);
                assert!(!notes.is_empty(), "cut at {length}");
            }
        }
    }

    #[test]
    fn a_recording_of_the_fourth_version_has_no_end() {
        let mut bytes = Vec::new();
        sample().write(&mut bytes).unwrap();
        bytes.truncate(bytes.len() - 8 - LAST.len());
        bytes[..8].copy_from_slice(b"GUDREC04");
        assert_eq!(Recording::read_noted(&mut bytes.as_slice()).unwrap(), (sample(), Vec::new()));
    }

    #[test]
    fn other_files_are_refused() {
        let error = Recording::read(&mut &b"PK\x03\x04........"[..]).unwrap_err();
        assert!(error.to_string().contains("not a recording"), "{error}");
    }
}
