//! A run as it happened: what hands did at which step, and the frames between; and the same run done again.
//!
//! ```text
//!     header.live = { edits:  [act, ..]                       before the start
//!                     events: [[step, act], ..]               done before that step was taken
//!                     pulls:  [[frame, kind, body, point, target, force], ..] }
//! ```
//! The start, the edits and the events determine the run: [`replay`] takes them and compares the hash of the state at
//! every frame that was kept. The pulls are there to be seen; nothing follows from them.

use std::sync::Arc;

use gudgeon_sim::{Frame, Recording, Scene, Simulator, StepError, StepReport, recording_header};
use serde_json::{Value, json};

use crate::act::Act;
use crate::edit::edited;
use crate::fields::{Fields, WireError};
use crate::hands::{Pull, PullKind};
use crate::session::Session;

/// Frames a second of simulated time.
const FPS: f64 = 60.0;
/// Frames are kept up to about this many bytes, that a forgotten window does not fill the memory.
const MOST: usize = 1 << 30;

/// What happened since the start.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    /// Edits of the scene before the start.
    pub edits: Vec<Act>,
    /// Step before which it was done, and what.
    pub events: Vec<(u64, Act)>,
    /// Whether frames are kept.
    pub rolling: bool,
    frames: Vec<Frame>,
    pulls: Vec<(usize, Pull)>, // by frame
    bytes: usize,
}

/// How long a tape was at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    events: usize,
    frames: usize,
    pulls: usize,
}

impl Tape {
    /// Where it ends now.
    pub fn mark(&self) -> Mark {
        Mark { events: self.events.len(), frames: self.frames.len(), pulls: self.pulls.len() }
    }

    /// Back to a mark; the events after it.
    pub fn cut(&mut self, mark: Mark) -> Vec<(u64, Act)> {
        self.frames.truncate(mark.frames);
        self.pulls.truncate(mark.pulls);
        self.bytes = self.frames.iter().map(size).sum();
        self.events.split_off(mark.events.min(self.events.len()))
    }

    /// Keeps the present moment, if it is time to.
    pub fn keep(&mut self, sim: &Simulator, report: Option<&StepReport>, pulls: &[Pull]) {
        let due = self.frames.last().is_none_or(|f| {
            let dt = sim.settings.dt;
            // half a step: times are sums of steps
            sim.time() - f.time >= 1.0 / FPS - 0.5 * dt || sim.time() < f.time
        });
        if !self.rolling || !due || self.bytes > MOST {
            return;
        }
        let mut frame = Frame::default();
        sim.frame(report, &mut frame);
        self.bytes += size(&frame);
        self.pulls.extend(pulls.iter().map(|p| (self.frames.len(), *p)));
        self.frames.push(frame);
    }

    /// Frames kept.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Forgets the frames; what was done stays known.
    pub fn clear_frames(&mut self) {
        self.frames.clear();
        self.pulls.clear();
        self.bytes = 0;
    }

    /// As a recording that replays.
    pub fn recording(&self, scene: &Scene) -> Recording {
        let mut header = recording_header(scene, 1);
        let [edits, events] = [
            self.edits.iter().map(Act::write).collect::<Vec<_>>(),
            self.events.iter().map(|(step, act)| json!([step, act.write()])).collect(),
        ];
        let pull = |(frame, p): &(usize, Pull)| {
            let list = |v: &gudgeon_spatial::Vector3<f64>| [v.x, v.y, v.z];
            json!([frame, kind_name(p.kind), p.body, list(&p.point), list(&p.target), list(&p.force)])
        };
        let pulls: Vec<Value> = self.pulls.iter().map(pull).collect();
        header["live"] = json!({"edits": edits, "events": events, "pulls": pulls});
        Recording { header, frames: self.frames.clone() }
    }
}

fn size(frame: &Frame) -> usize {
    size_of_val(frame.bodies.as_slice())
        + size_of_val(frame.contacts.as_slice())
        + 8 * frame.joint_forces.len()
}

fn kind_name(kind: PullKind) -> &'static str {
    match kind {
        PullKind::Grab => "grab",
        PullKind::Push => "push",
        PullKind::Pin => "pin",
    }
}

/// Why a recording cannot be done again, or came out otherwise.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It has no header of a live run.
    #[error("not a recording of a live run: its header has no 'live'")]
    NotLive,
    /// The tape cannot be read.
    #[error("the tape of the recording: {0}")]
    Tape(#[from] WireError),
    /// The scene cannot be started.
    #[error("{0}")]
    Scene(String),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The hashes differ.
    #[error("the state at t = {time} s is not the recorded one (frame {frame})")]
    Differs {
        /// The frame.
        frame: usize,
        /// s.
        time: f64,
    },
    /// The times of the frames were not met.
    #[error("the run passed t = {time} s without meeting frame {frame}")]
    Missed {
        /// The frame.
        frame: usize,
        /// s.
        time: f64,
    },
}

/// What a replay did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    /// Steps taken.
    pub steps: u64,
    /// Frames whose hash was compared.
    pub frames: usize,
    /// Things hands did.
    pub events: usize,
}

/// Does a recorded live run again from its scene, and compares every frame to the bit.
pub fn replay(scene: &Scene, recording: &Recording) -> Result<Replayed, ReplayError> {
    let live = &recording.header["live"];
    if !live.is_object() {
        return Err(ReplayError::NotLive);
    }
    let mut start = scene.clone();
    for act in list(live, "edits") {
        start = edited(&start, &read(act)?)?;
    }
    let mut events = Vec::new();
    for pair in list(live, "events") {
        let step = pair[0].as_u64().ok_or_else(|| WireError::field("events", pair, "a step and an act"))?;
        events.push((step, read(&pair[1])?));
    }
    let mut sim = Simulator::new(&start).map_err(|e| ReplayError::Scene(e.to_string()))?;
    let mut session = Session::new(&Arc::new(start), &sim);
    let mut due = events.iter().peekable();
    for (k, frame) in recording.frames.iter().enumerate() {
        while sim.time() < frame.time {
            while let Some((_, act)) = due.next_if(|(step, _)| *step <= sim.steps()) {
                session.act(&mut sim, act)?;
            }
            let _ = session.step(&mut sim)?;
        }
        if sim.time() > frame.time {
            return Err(ReplayError::Missed { frame: k, time: sim.time() });
        }
        if sim.state_hash() != frame.hash {
            return Err(ReplayError::Differs { frame: k, time: frame.time });
        }
    }
    Ok(Replayed { steps: sim.steps(), frames: recording.frames.len(), events: events.len() })
}

fn list<'a>(live: &'a Value, key: &str) -> &'a [Value] {
    live[key].as_array().map_or(&[], Vec::as_slice)
}

fn read(value: &Value) -> Result<Act, WireError> {
    Act::read(value)?.ok_or_else(|| WireError::Unknown(Fields(value).text("do").unwrap_or("?").to_owned()))
}
