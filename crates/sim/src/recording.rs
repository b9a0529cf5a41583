//! A run on disk: what there is, then one frame after another.
//!
//! ```text
//!     "GUDREC03"  block: header, JSON           { scene, dt, every, fingerprint, bodies: [{ name, shapes: [..] }], .. }
//!     block: frame                              repeated; a file cut short anywhere keeps its whole frames
//! ```
//! Blocks have a length and a checksum (`block`). A flipped bit is an error with the frame's number; a torn tail is dropped, and
//! said by [`Recording::read_noted`]. A frame, little-endian: time f64, hash u64, energy 2 × f64 (kinetic, potential), penetration f64, loop gap f64,
//! residual f64, pivots u32, status u8, fallback u8, u16 zero; bodies u32, 13 f64 each (position, quaternion
//! w x y z, velocity, angular velocity; of the frame's origin, world axes); contacts u32, each a u32, b u32, id u64,
//! 11 f64 (point, normal, gap, force on a in world axes, coefficient of friction) and mode u8; dofs u32, joint force
//! f64 each. Files that begin with "GUDREC02" have a u32 length in place of each block's head, and no checksums; those that
//! begin with "GUDREC01" neither these nor coefficients, and 10 f64 per contact. Both are still read.

use std::io::{self, Read, Write};

use crate::block::{Block, read_block, write_block};

/// One body in one frame: place and motion of its frame's origin, world axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyFrame {
    /// m.
    pub position: [f64; 3],
    /// w x y z.
    pub orientation: [f64; 4],
    /// m/s.
    pub velocity: [f64; 3],
    /// rad/s.
    pub angular_velocity: [f64; 3],
}

/// What a contact did over a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// No force.
    #[default]
    Open,
    /// Pressed, not moving tangentially.
    Stick,
    /// Pressed and sliding.
    Slip,
}

impl Mode {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stick => "stick",
            Self::Slip => "slip",
        }
    }
}

/// One contact in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactFrame {
    /// Link index of a; 0 is the world.
    pub a: u32,
    /// Link index of b.
    pub b: u32,
    /// Stable name of the contact.
    pub id: u64,
    /// World, m.
    pub point: [f64; 3],
    /// Unit, from b into a.
    pub normal: [f64; 3],
    /// m, negative is overlap.
    pub gap: f64,
    /// On a, world axes, N (impulse over dt).
    pub force: [f64; 3],
    /// Open, stick or slip.
    pub mode: Mode,
    /// Coefficient of friction; recordings of the first version do not tell it.
    pub friction: Option<f64>,
}

/// Everything kept of one step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    /// s.
    pub time: f64,
    /// Hash of the state.
    pub hash: u64,
    /// Kinetic and potential, J.
    pub energy: [f64; 2],
    /// Deepest overlap, m, ≥ 0.
    pub penetration: f64,
    /// Largest loop gap, m.
    pub loop_gap: f64,
    /// Natural residual of the solve, scaled.
    pub residual: f64,
    /// Pivots of the solve.
    pub pivots: u32,
    /// Status of the solve as in [`crate::StepReport`]: 0 solved, 1 ray, 2 cycle, 3 inaccurate, 4 budget, 5 nothing to solve.
    pub status: u8,
    /// Rung of the fallback ladder: 0 none.
    pub fallback: u8,
    /// Every link but the world, in order.
    pub bodies: Vec<BodyFrame>,
    /// The contacts of the step that led here.
    pub contacts: Vec<ContactFrame>,
    /// Joint forces, n_v: of controllers, motors, friction, limits and driven joints.
    pub joint_forces: Vec<f64>,
}

const MAGIC: &[u8; 8] = b"GUDREC03";
/// Without checksums; read, not written.
const SECOND_MAGIC: &[u8; 8] = b"GUDREC02";
/// Without coefficients of friction; read, not written.
const FIRST_MAGIC: &[u8; 8] = b"GUDREC01";
const BODY: usize = 13 * 8;
/// Of a contact of the first version, the shortest.
const CONTACT: usize = 4 + 4 + 8 + 80 + 1;

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

fn numbers(out: &mut Vec<u8>, values: &[f64]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

fn count(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
}

impl Frame {
    fn encode(&self, out: &mut Vec<u8>) {
        numbers(out, &[self.time]);
        out.extend_from_slice(&self.hash.to_le_bytes());
        numbers(out, &self.energy);
        numbers(out, &[self.penetration, self.loop_gap, self.residual]);
        out.extend_from_slice(&self.pivots.to_le_bytes());
        out.extend_from_slice(&[self.status, self.fallback, 0, 0]);
        count(out, self.bodies.len());
        for b in &self.bodies {
            numbers(out, &b.position);
            numbers(out, &b.orientation);
            numbers(out, &b.velocity);
            numbers(out, &b.angular_velocity);
        }
        count(out, self.contacts.len());
        for c in &self.contacts {
            out.extend_from_slice(&c.a.to_le_bytes());
            out.extend_from_slice(&c.b.to_le_bytes());
            out.extend_from_slice(&c.id.to_le_bytes());
            numbers(out, &c.point);
            numbers(out, &c.normal);
            numbers(out, &[c.gap]);
            numbers(out, &c.force);
            numbers(out, &[c.friction.unwrap_or(f64::NAN)]);
            out.push(c.mode as u8);
        }
        count(out, self.joint_forces.len());
        numbers(out, &self.joint_forces);
    }

    fn decode(bytes: &[u8], has_friction: bool) -> Option<Self> {
        let mut at = Cursor(bytes);
        let mut frame = Self { time: at.number()?, hash: at.u64()?, ..Self::default() };
        frame.energy = at.vector()?;
        [frame.penetration, frame.loop_gap, frame.residual] = at.vector()?;
        frame.pivots = at.u32()?;
        [frame.status, frame.fallback, _, _] = at.array()?;
        for _ in 0..at.count(BODY)? {
            frame.bodies.push(BodyFrame {
                position: at.vector()?,
                orientation: at.vector()?,
                velocity: at.vector()?,
                angular_velocity: at.vector()?,
            });
        }
        for _ in 0..at.count(CONTACT)? {
            frame.contacts.push(ContactFrame {
                a: at.u32()?,
                b: at.u32()?,
                id: at.u64()?,
                point: at.vector()?,
                normal: at.vector()?,
                gap: at.number()?,
                force: at.vector()?,
                friction: if has_friction { Some(at.number()?).filter(|mu| mu.is_finite()) } else { None },
                mode: match at.array::<1>()?[0] {
                    0 => Mode::Open,
                    1 => Mode::Stick,
                    2 => Mode::Slip,
                    _ => return None,
                },
            });
        }
        for _ in 0..at.count(8)? {
            frame.joint_forces.push(at.number()?);
        }
        Some(frame)
    }
}

/// Reads little-endian numbers off the front of a slice.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.array()?))
    }

    fn number(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.array()?))
    }

    fn vector<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut out = [0.0; N];
        for x in &mut out {
            *x = self.number()?;
        }
        Some(out)
    }

    /// A count of items of this many bytes, which must be there.
    fn count(&mut self, size: usize) -> Option<usize> {
        let n = self.u32()? as usize;
        (n.checked_mul(size)? <= self.0.len()).then_some(n)
    }
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
            return Self::read_blocks(rest);
        }
        let (version, rest) = match (bytes.strip_prefix(SECOND_MAGIC), bytes.strip_prefix(FIRST_MAGIC)) {
            (Some(rest), _) => (2, rest),
            (None, Some(rest)) => (1, rest),
            _ => {
                return Err(bad(
                    "not a recording (it does not begin with GUDREC01, GUDREC02 or GUDREC03)".into()
                ));
            }
        };
        let (head, mut rest) =
            chunk(rest).ok_or_else(|| bad("the header of the recording is cut short".into()))?;
        let header = serde_json::from_slice(head)?;
        let mut notes = vec![format!("a recording of version {version}, which has no checksums")];
        let mut frames = Vec::new();
        while let Some((frame, after)) = chunk(rest) {
            let frame = Frame::decode(frame, version == 2);
            frames.push(
                frame
                    .ok_or_else(|| bad(format!("frame {} of the recording is damaged", frames.len() + 1)))?,
            );
            rest = after;
        }
        notes.extend(torn(rest));
        Ok((Self { header, frames }, notes))
    }

    fn read_blocks(mut rest: &[u8]) -> io::Result<(Self, Vec<String>)> {
        let header = match read_block(rest) {
            Block::Whole(head, after) => {
                rest = after;
                serde_json::from_slice(head)?
            }
            Block::End | Block::Torn => return Err(bad("the header of the recording is cut short".into())),
            Block::Damaged => return Err(bad("the header of the recording is damaged".into())),
        };
        let mut frames = Vec::new();
        loop {
            let damaged = || bad(format!("frame {} of the recording is damaged", frames.len() + 1));
            match read_block(rest) {
                Block::Whole(frame, after) => {
                    let frame = Frame::decode(frame, true).ok_or_else(damaged)?;
                    frames.push(frame);
                    rest = after;
                }
                Block::Damaged => return Err(damaged()),
                Block::End | Block::Torn => break,
            }
        }
        Ok((Self { header, frames }, torn(rest).into_iter().collect()))
    }

    /// Writes it whole.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write_header(out, &self.header)?;
        let mut buffer = Vec::new();
        self.frames.iter().try_for_each(|f| write_frame(out, f, &mut buffer))
    }
}

fn bad(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// What to say of bytes behind the last whole frame.
fn torn(rest: &[u8]) -> Option<String> {
    let n = rest.len();
    (n > 0).then(|| format!("the recording ends in the middle of a frame; the last {n} bytes are left out"))
}

/// A length and as many bytes, if they are there.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let second = Frame { time: 1.0, ..frame.clone() };
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
        bytes.truncate(bytes.len() - 1);
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
                // a cut between two frames leaves a recording
                let mut again = Vec::new();
                read.write(&mut again).unwrap();
                assert!(!notes.is_empty() || again.len() == length, "cut at {length}");
            }
        }
    }

    #[test]
    fn other_files_are_refused() {
        let error = Recording::read(&mut &b"PK\x03\x04........"[..]).unwrap_err();
        assert!(error.to_string().contains("not a recording"), "{error}");
    }
}
