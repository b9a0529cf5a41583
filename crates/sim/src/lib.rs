#![forbid(unsafe_code)]
//! Articulated rigid bodies in hard frictional contact: one time step as a straight road.

mod actuation;
mod block;
mod contact_info;
mod controller;
mod crew;
mod derivative;
mod drive;
mod equipment;
mod error;
mod fingerprint;
mod frame;
mod grow;
mod hash;
mod header;
mod least;
mod names;
mod paper;
mod recording;
mod recover;
mod report;
mod rewind;
mod scene;
pub mod scenes;
mod settings;
mod simulator;
mod snapshot;
mod solve;
mod spring;
mod summary;
mod surface;
mod tape;
mod tolerances;

pub use block::{Block, Checksum, read_block, write_block};
pub use contact_info::ContactInfo;
pub use controller::{Controller, JointMotion};
pub use derivative::{
    Change, Kink, KinkKind, Linearization, LinearizeError, Matrices, Parameters, Piece, Rollout,
    RolloutError, RolloutWorth, Worth, rollouts_vjp,
};
pub use equipment::{
    Actuator, Aim, Bias, Body, Camera, Choice, ContactWatch, Dynamics, Ellipsoid, Equipment, Fluid, FrameRef,
    Gain, Gauge, Keyframe, Muscle, NamedJoint, Passage, Path, Relief, Said, Sensor, SensorKind, Side, Site,
    Swing, Target, Tendon, TendonPath, Term, Tether, Volume, Way, WrapShape,
};
pub use error::SceneError;
pub use fingerprint::Fingerprint;
pub use frame::{BodyFrame, ContactFrame, Frame, Mode, PullFrame, ReactionFrame, StageFrame, Timings};
pub use header::recording_header;
pub use names::{dof_names, reading_names, stage_names};
pub use recording::{Recording, write_end, write_frame, write_header};
pub use report::{Fallback, SolveReport, StepError, StepReport};
pub use rewind::Rewind;
pub use scene::{BodySpec, Placed, Push, Scene, SceneBuilder, inertia_of};
pub use settings::{Facets, FrictionLaw, Integrator, RestitutionLaw, Settings, Sides};
pub use simulator::{Clock, Reactions, Simulator, Work};
pub use snapshot::SnapshotError;
pub use summary::Summary;
pub use surface::{Combine, Grip, Material};
