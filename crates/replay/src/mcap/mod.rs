//! A recording as an MCAP log with Foxglove's messages, for tools that read those (Foxglove, Lichtblick, PlotJuggler).
//!
//! | topic       | schema                     | when                                                       |
//! |-------------|----------------------------|------------------------------------------------------------|
//! | `/tf`       | `foxglove.FrameTransforms` | every frame kept: the pose of every body in `world`        |
//! | `/bodies`   | `foxglove.SceneUpdate`     | once: the shapes, each in the frame of its body            |
//! | `/contacts` | `foxglove.SceneUpdate`     | every frame kept: points and force arrows, coloured by mode |
//! | `/stats`    | `gudgeon.Stats`            | every frame of the recording, none left out                |
//!
//! Messages and schemas are JSON. Simulated time is the log's time, from zero.

mod container;
mod messages;
mod schemas;

use gudgeon_sim::Recording;

use crate::pack::stride;
use container::Log;
use messages::Scene;

/// The bytes of the log; at most about `fps` poses a second are kept, as in the player.
pub fn mcap(recording: &Recording, fps: f64) -> Vec<u8> {
    let mut log = Log::new("gudgeon");
    let tf = log.channel("/tf", "foxglove.FrameTransforms", &schemas::frame_transforms());
    let bodies = log.channel("/bodies", "foxglove.SceneUpdate", &schemas::scene_update());
    let contacts = log.channel("/contacts", "foxglove.SceneUpdate", &schemas::scene_update());
    let stats = log.channel("/stats", "gudgeon.Stats", &schemas::stats());

    let scene = Scene::of(recording);
    let stride = stride(&recording.frames, fps);
    if let Some(first) = recording.frames.first() {
        log.message(bodies, first.time, &scene.bodies(first.time));
    }
    for (k, frame) in recording.frames.iter().enumerate() {
        if k % stride == 0 || k + 1 == recording.frames.len() {
            log.message(tf, frame.time, &scene.transforms(frame));
            log.message(contacts, frame.time, &scene.contacts(frame));
        }
        log.message(stats, frame.time, &messages::stats(frame));
    }
    log.finish()
}
