//! Frames of a simulation, kept for the player.

use gudgeon_sim::{Frame, Recording, Scene, Simulator, StepReport, recording_header};

/// Keeps every so many steps.
pub(crate) struct Recorder {
    pub(crate) every: u64,
    pub(crate) recording: Recording,
}

impl Recorder {
    /// With the present moment as its first frame.
    pub(crate) fn new(scene: &Scene, every: u64, sim: &mut Simulator, report: Option<&StepReport>) -> Self {
        let header = recording_header(scene, usize::try_from(every).unwrap_or(usize::MAX));
        let mut recorder = Self { every, recording: Recording { header, frames: Vec::new() } };
        recorder.keep(sim, report);
        recorder
    }

    pub(crate) fn keep(&mut self, sim: &mut Simulator, report: Option<&StepReport>) {
        let mut frame = Frame::default();
        sim.frame(report, &mut frame);
        self.recording.frames.push(frame);
    }
}
