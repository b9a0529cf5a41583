//! A frame as bytes, little-endian.
//!
//! ```text
//!     time f64   hash u64   energy 2 f64 (kinetic, potential)   penetration, loop gap, residual f64
//!     pivots u32   status, fallback u8   u16 zero
//!     bodies u32, 13 f64 each: position, quaternion w x y z, velocity, angular velocity; of the origin, world axes
//!     contacts u32, each: a, b u32, id u64, 11 f64 (point, normal, gap, force on a, coefficient of friction), mode u8
//!     dofs u32, joint force f64 each
//!     sections: tag of four letters, length u32, bytes; those that are empty are left out, those unknown passed over
//! ```
//!
//! | tag    | of each item                                                                            |
//! |--------|-----------------------------------------------------------------------------------------|
//! | `q...` | f64: positions                                                                          |
//! | `v...` | f64: velocities                                                                         |
//! | `slip` | 3 f64 per contact: tangential velocity of a against b                                   |
//! | `sens` | f64: readings                                                                           |
//! | `stag` | stage u8, won u8, u16 zero, runs u32, factorisations u32, u32 zero; before, after, seconds f64 |
//! | `time` | 2 f64: seconds of collision detection and solver                                        |
//! | `reac` | dofs, links, loops u32, u32 zero; f64: motors and limits by dof, 6 per link and per loop, 5 powers |
//! | `acts` | JSON: [[step, act], ..]                                                                 |
//! | `pull` | kind u32, body u32, 9 f64: point, target, force                                         |
//!
//! The first version has no coefficients of friction, the first three no sections.

use serde_json::{Value, json};

use super::{BodyFrame, ContactFrame, Frame, Mode, PullFrame, ReactionFrame, StageFrame, Timings};

const BODY: usize = 13 * 8;
/// Of a contact of the first version, the shortest.
const CONTACT: usize = 4 + 4 + 8 + 80 + 1;
const STAGE: usize = 16 + 3 * 8;
const PULL: usize = 8 + 9 * 8;

fn numbers(out: &mut Vec<u8>, values: &[f64]) {
    for v in values {
        out.extend_from_slice(&v.to_le_bytes());
    }
}

fn count(out: &mut Vec<u8>, n: usize) {
    out.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes());
}

/// A tag, the length of what `fill` writes, and that; nothing if it writes nothing.
fn section(out: &mut Vec<u8>, tag: [u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&tag);
    count(out, 0);
    fill(out);
    let length = out.len() - start - 8;
    if length == 0 {
        out.truncate(start);
    } else {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        out[start + 4..start + 8].copy_from_slice(&length.to_le_bytes());
    }
}

impl Frame {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
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
        self.encode_sections(out);
    }

    fn encode_sections(&self, out: &mut Vec<u8>) {
        section(out, *b"q...", |o| numbers(o, &self.q));
        section(out, *b"v...", |o| numbers(o, &self.v));
        section(out, *b"slip", |o| {
            if self.contacts.iter().any(|c| c.slip.is_some()) {
                self.contacts.iter().for_each(|c| numbers(o, &c.slip.unwrap_or([f64::NAN; 3])));
            }
        });
        section(out, *b"sens", |o| numbers(o, &self.sensors));
        section(out, *b"stag", |o| {
            for s in &self.stages {
                o.extend_from_slice(&[s.stage, u8::from(s.won), 0, 0]);
                for n in [s.runs, s.factorisations, 0] {
                    o.extend_from_slice(&n.to_le_bytes());
                }
                numbers(o, &[s.before, s.after, s.seconds]);
            }
        });
        section(out, *b"time", |o| {
            self.timings.iter().for_each(|t| numbers(o, &[t.collision, t.solver]));
        });
        section(out, *b"reac", |o| {
            if let Some(r) = &self.reactions {
                r.encode(o);
            }
        });
        section(out, *b"acts", |o| {
            if !self.acts.is_empty() {
                let list: Vec<Value> = self.acts.iter().map(|(step, act)| json!([step, act])).collect();
                o.extend_from_slice(Value::Array(list).to_string().as_bytes());
            }
        });
        section(out, *b"pull", |o| {
            for p in &self.pulls {
                for n in [p.kind, p.body] {
                    o.extend_from_slice(&n.to_le_bytes());
                }
                for x in [p.point, p.target, p.force] {
                    numbers(o, &x);
                }
            }
        });
    }

    /// Back from bytes of this version of the format; none if they are not what [`Frame::encode`] writes.
    pub(crate) fn decode(bytes: &[u8], version: u8) -> Option<Self> {
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
                friction: if version > 1 { Some(at.number()?).filter(|mu| mu.is_finite()) } else { None },
                mode: Mode::from_byte(at.array::<1>()?[0])?,
                slip: None,
            });
        }
        for _ in 0..at.count(8)? {
            frame.joint_forces.push(at.number()?);
        }
        while version > 3 && !at.0.is_empty() {
            let tag: [u8; 4] = at.array()?;
            let length = at.count(1)?;
            let (bytes, rest) = at.0.split_at_checked(length)?;
            at.0 = rest;
            frame.decode_section(tag, &mut Cursor(bytes))?;
        }
        Some(frame)
    }

    fn decode_section(&mut self, tag: [u8; 4], at: &mut Cursor) -> Option<()> {
        match &tag {
            b"q..." => self.q = at.rest()?,
            b"v..." => self.v = at.rest()?,
            b"sens" => self.sensors = at.rest()?,
            b"slip" => {
                for c in &mut self.contacts {
                    c.slip = Some(at.vector()?).filter(|v: &[f64; 3]| v.iter().all(|x| x.is_finite()));
                }
            }
            b"stag" => {
                while at.0.len() >= STAGE {
                    let [stage, won, _, _] = at.array()?;
                    let (runs, factorisations, _) = (at.u32()?, at.u32()?, at.u32()?);
                    let [before, after, seconds] = at.vector()?;
                    let won = won != 0;
                    self.stages.push(StageFrame { stage, won, runs, factorisations, before, after, seconds });
                }
            }
            b"time" => {
                let [collision, solver] = at.vector()?;
                self.timings = Some(Timings { collision, solver });
            }
            b"reac" => self.reactions = Some(ReactionFrame::decode(at)?),
            b"acts" => {
                let list: Vec<(u64, Value)> = serde_json::from_slice(at.0).ok()?;
                (self.acts, at.0) = (list, &[]);
            }
            b"pull" => {
                while at.0.len() >= PULL {
                    let (kind, body) = (at.u32()?, at.u32()?);
                    let [point, target, force] = [at.vector()?, at.vector()?, at.vector()?];
                    self.pulls.push(PullFrame { kind, body, point, target, force });
                }
            }
            // of a version to come
            _ => return Some(()),
        }
        at.0.is_empty().then_some(())
    }
}

impl ReactionFrame {
    fn encode(&self, out: &mut Vec<u8>) {
        for n in [self.motors.len(), self.joints.len(), self.loops.len(), 0] {
            count(out, n);
        }
        numbers(out, &self.motors);
        numbers(out, &self.limits);
        self.joints.iter().chain(&self.loops).for_each(|wrench| numbers(out, wrench));
        numbers(out, &self.power);
    }

    fn decode(at: &mut Cursor) -> Option<Self> {
        let [dofs, links, loops] = [at.count(16)?, at.count(48)?, at.count(48)?];
        at.u32()?;
        let mut list = |n: usize| (0..n).map(|_| at.number()).collect::<Option<Vec<f64>>>();
        let (motors, limits) = (list(dofs)?, list(dofs)?);
        let mut wrenches = |n: usize| (0..n).map(|_| at.vector()).collect::<Option<Vec<[f64; 6]>>>();
        let (joints, loops) = (wrenches(links)?, wrenches(loops)?);
        Some(Self { motors, limits, joints, loops, power: at.vector()? })
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

    /// All that is left, as numbers.
    fn rest(&mut self) -> Option<Vec<f64>> {
        let mut out = Vec::with_capacity(self.0.len() / 8);
        while !self.0.is_empty() {
            out.push(self.number()?);
        }
        Some(out)
    }

    /// A count of items of this many bytes, which must be there.
    fn count(&mut self, size: usize) -> Option<usize> {
        let n = self.u32()? as usize;
        (n.checked_mul(size)? <= self.0.len()).then_some(n)
    }
}
