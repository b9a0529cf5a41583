#![forbid(unsafe_code)]
//! Articulated rigid bodies in hard frictional contact: one time step as a straight road.

mod controller;
mod header;
mod recording;
mod scene;
pub mod scenes;
mod settings;

pub use controller::{Controller, JointMotion};
pub use header::recording_header;
pub use recording::{BodyFrame, ContactFrame, Frame, Mode, Recording, write_frame, write_header};
pub use scene::{BodySpec, Combine, Material, Placed, Push, Scene, SceneBuilder, SceneError, inertia_of};
pub use settings::{Facets, Integrator, RestitutionLaw, Settings};
