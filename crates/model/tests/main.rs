//! Tests of the model files: small models of our own, every error with its line.

mod carried; // cams, ball joints, media, sensors of contacts and distances, cameras
mod contact_machines; // screws, worm, ball screw and bearing, by contact
mod details; // which way around, springs by time, early activations
mod gradients; // the derivative of a step of robots from files
mod hostile; // files that mean harm: size, depth, entities, names, noise
mod machines; // those machines, also for `--example machines`
mod mechanisms; // the machines of scenes/, each beside its theory
mod models; // URDF and MJCF against numbers of their reference readers
mod odd; // parts of the format put together as few do
mod random_urdf; // a thousand random robots against a plain computation
mod reports; // used, approximated, ignored; strict; the doctor
mod robots; // what a robot's file says is what it does
mod scene_files; // TOML scenes: keys, lines, joints, controllers, models
mod switched; // flags, classes of actuators, sites against sites
mod turning; // feet that resist rolling and spinning

use std::path::{Path, PathBuf};

use gudgeon_model::{ImportReport, LoadOptions, ModelFileError, load_scene_with, load_text};
use gudgeon_sim::Scene;

/// A model of our own.
fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn load(name: &str, options: &LoadOptions) -> (Scene, ImportReport) {
    load_scene_with(&data(name), options).unwrap_or_else(|e| panic!("{e}"))
}

fn text(name: &str, text: &str) -> Result<(Scene, ImportReport), ModelFileError> {
    load_text(Path::new(name), text, &LoadOptions::default())
}
