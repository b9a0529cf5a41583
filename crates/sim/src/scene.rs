//! What is simulated: bodies and joints, their shapes and materials, what pushes and drives them.
//!
//! A [`SceneBuilder`] collects it by name; a [`Scene`] is the checked result and never changes.

mod body;
mod builder;
mod complete;

use gudgeon_collide::Shape;
use gudgeon_multibody::{LinkId, Model, State};
use gudgeon_spatial::Vector3;
use nalgebra::Isometry3;

use crate::controller::Controller;
use crate::equipment::Equipment;
use crate::settings::Settings;
use crate::surface::{Combine, Grip, Material};

pub(crate) use body::body_inertia;
pub use body::{BodySpec, inertia_of};
pub use builder::SceneBuilder;

/// A shape on a link.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The link it moves with; [`LinkId::WORLD`] does not move.
    pub link: LinkId,
    /// The shape.
    pub shape: Shape,
    /// Its pose in the link's frame.
    pub pose: Isometry3<f64>,
    /// Index into [`Scene::materials`].
    pub material: usize,
    /// Groups it belongs to, one per bit.
    pub group: u32,
    /// Groups it may touch.
    pub mask: u32,
    /// Red, green, blue, opacity for pictures; chosen by the viewer if none.
    pub color: Option<[f32; 4]>,
    /// What its file calls it; may be empty.
    pub name: String,
    /// How its surface runs over it, m/s, in the link's axes: a belt. Friction takes what lies on it along.
    pub surface_velocity: Vector3<f64>,
}

/// A force on a body over a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// The link.
    pub link: LinkId,
    /// World axes, N.
    pub force: Vector3<f64>,
    /// World axes, N m.
    pub torque: Vector3<f64>,
    /// Where the force acts, in the link's frame; the centre of mass if none.
    pub point: Option<Vector3<f64>>,
    /// From this time, s.
    pub from: f64,
    /// Until this time, s.
    pub until: f64,
}

/// A scene, checked.
#[derive(Debug, Clone)]
pub struct Scene {
    /// What it is called.
    pub name: String,
    /// Links, joints, loops.
    pub model: Model,
    /// Where it starts.
    pub initial: State,
    /// Shapes that touch.
    pub colliders: Vec<Placed>,
    /// Shapes that are only seen.
    pub visuals: Vec<Placed>,
    /// Surfaces; 0 is the default.
    pub materials: Vec<Material>,
    /// By material, for those that say so; others have the default.
    pub grips: Vec<Grip>,
    /// How pairs of surfaces combine.
    pub combine: Combine,
    /// Pairs of links that never touch, besides a joint's two ends.
    pub apart: Vec<(LinkId, LinkId)>,
    /// Friction of particular pairs of colliders in place of the combined one: (collider, collider, material).
    pub pairs: Vec<(usize, usize, Material)>,
    /// Pairs of colliders that touch whatever their groups and links say.
    pub meeting: Vec<(usize, usize)>,
    /// Forces over time.
    pub pushes: Vec<Push>,
    /// What drives the joints, in order; later ones add to earlier ones.
    pub controllers: Vec<Controller>,
    /// Sites, tendons, sensors.
    pub equipment: Equipment,
    /// Steps and solver.
    pub settings: Settings,
    /// How long it runs where nothing else is said, s.
    pub duration: f64,
}
