//! A run as it happened: what hands did at which step, and the frames between.
//!
//! ```text
//!     header.live = { edits: [act, ..] }       before the start
//!     frame.acts  = [[step, act], ..]          done before that step was taken, since the frame before
//!     frame.pulls                              forces of hands in the step that led to the frame
//! ```
//! The start, the edits and the acts determine the run: [`crate::replay`] takes them and compares the hash of the state at
//! every frame that was kept. The pulls are there to be seen; nothing follows from them.

use std::io;
use std::path::Path;

use gudgeon_sim::{Frame, PullFrame, Recording, Scene, Simulator, StepReport, Timings};

use crate::act::Act;
use crate::hands::{Pull, PullKind};
use crate::reel::{Reel, header};

/// Frames a second of simulated time.
const FPS: f64 = 60.0;

/// What happened since the start.
#[derive(Debug, Clone, Default)]
pub struct Tape {
    /// Edits of the scene before the start.
    pub edits: Vec<Act>,
    /// Step before which it was done, and what.
    pub events: Vec<(u64, Act)>,
    /// Whether frames are kept.
    pub rolling: bool,
    /// Why the frames could not be written.
    pub trouble: Option<String>,
    reel: Reel,
    index: Vec<(f64, usize)>, // by frame: its time, and how many events it and those before it have
}

/// How long a tape was at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    events: usize,
    frames: usize,
}

impl Tape {
    /// Keeps frames in a file from now on, as they come; what was kept so far is left out.
    pub fn write_to(&mut self, path: &Path, scene: &Scene) -> io::Result<()> {
        self.reel = Reel::create(path, &header(scene, &self.edits))?;
        self.index.clear();
        Ok(())
    }

    /// Where it ends now.
    pub fn mark(&self) -> Mark {
        Mark { events: self.events.len(), frames: self.index.len() }
    }

    /// Back to a mark; the events after it.
    pub fn cut(&mut self, mark: Mark) -> Vec<(u64, Act)> {
        if mark.frames < self.index.len() {
            self.index.truncate(mark.frames);
            let cut = self.reel.truncate(mark.frames);
            self.note(cut);
        }
        self.events.split_off(mark.events.min(self.events.len()))
    }

    /// Keeps the present moment, if it is time to.
    pub fn keep(&mut self, sim: &mut Simulator, report: Option<&StepReport>, pulls: &[Pull], scene: &Scene) {
        let due = self.index.last().is_none_or(|(time, _)| {
            let dt = sim.settings.dt;
            // half a step: times are sums of steps
            sim.time() - time >= 1.0 / FPS - 0.5 * dt || sim.time() < *time
        });
        if !self.rolling || !due || self.reel.is_full() {
            return;
        }
        let mut frame = Frame { timings: Some(Timings::default()), ..Frame::default() };
        sim.frame(report, &mut frame);
        let taped = self.index.last().map_or(0, |(_, n)| *n).min(self.events.len());
        frame.acts = self.events[taped..].iter().map(|(step, act)| (*step, act.write())).collect();
        frame.pulls = pulls.iter().map(pull_frame).collect();
        self.index.push((frame.time, self.events.len()));
        let edits = &self.edits;
        let kept = self.reel.push(frame, || header(scene, edits));
        self.note(kept);
    }

    /// A disk that is full ends the recording, not the run.
    fn note(&mut self, done: io::Result<()>) {
        if let Err(error) = done {
            self.rolling = false;
            self.trouble = Some(format!("the recording could not be written: {error}"));
        }
    }

    /// Frames kept.
    pub fn frames(&self) -> usize {
        self.reel.len()
    }

    /// Forgets the frames: the run begins again. Edits among the events stay.
    pub fn restart(&mut self, scene: &Scene) {
        let events = std::mem::take(&mut self.events);
        self.edits.extend(events.into_iter().map(|(_, act)| act).filter(Act::is_edit));
        self.index.clear();
        let edits = &self.edits;
        let cleared = self.reel.clear(|| header(scene, edits));
        self.note(cleared);
    }

    /// As a recording that replays.
    pub fn recording(&self, scene: &Scene) -> io::Result<Recording> {
        self.reel.recording(header(scene, &self.edits))
    }
}

fn pull_frame(p: &Pull) -> PullFrame {
    let kind = match p.kind {
        PullKind::Grab => 0,
        PullKind::Push => 1,
        PullKind::Pin => 2,
    };
    let body = u32::try_from(p.body).unwrap_or(u32::MAX);
    PullFrame { kind, body, point: p.point.into(), target: p.target.into(), force: p.force.into() }
}
