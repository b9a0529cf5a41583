//! A recorded live run done again, compared to the bit at every frame that was kept.

use std::sync::Arc;

use gudgeon_sim::{Recording, Scene, Simulator, StepError};
use serde_json::Value;

use crate::act::Act;
use crate::edit::edited;
use crate::fields::{Fields, WireError};
use crate::session::Session;

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
    // recordings of the third version have all of them in the header
    for pair in list(live, "events") {
        let step = pair[0].as_u64().ok_or_else(|| WireError::field("events", pair, "a step and an act"))?;
        events.push((step, read(&pair[1])?));
    }
    for (step, act) in recording.frames.iter().flat_map(|f| &f.acts) {
        events.push((*step, read(act)?));
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
