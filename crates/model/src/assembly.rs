//! A model as the formats agree on it: links in order, shapes, constraints and drives by name, ready for a scene.
//!
//! URDF and MJCF are read into this; a scene takes it under a prefix and at a place.

mod equip;
mod place;
mod weld;

use std::collections::BTreeMap;

use gudgeon_collide::Shape;
use gudgeon_multibody::{Dof, Joint, LoopSpec};
use gudgeon_sim::{Actuator, Combine, Controller, Equipment, Grip, Material};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use nalgebra::Isometry3;

use crate::report::{BodyFrame, JointInfo};

/// A link and its joint.
#[derive(Debug, Clone)]
pub(crate) struct LinkPart {
    pub name: String,
    /// "world" at a root.
    pub parent: String,
    pub joint: Joint,
    pub placement: Pose,
    pub inertia: Inertia,
    pub dofs: Vec<Dof>,
}

/// Σ coefficient · q(link, dof) = offset; the last of the terms may add powers of its coordinate.
#[derive(Debug, Clone)]
pub(crate) struct CouplingPart {
    pub terms: Vec<(String, usize, f64)>,
    /// Factors of q², q³ and q⁴ of the last term's coordinate.
    pub powers: [f64; 3],
    pub offset: f64,
}

/// A shape on a link.
#[derive(Debug, Clone)]
pub(crate) struct ShapePart {
    pub link: String,
    pub name: String,
    pub shape: Shape,
    pub pose: Isometry3<f64>,
    pub material: usize,
    pub group: u32,
    pub mask: u32,
    pub color: Option<[f32; 4]>,
    pub touches: bool,
}

/// A model read from a file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Assembly {
    pub name: String,
    pub gravity: Option<Vector3<f64>>,
    pub dt: Option<f64>,
    pub links: Vec<LinkPart>, // parents first
    pub shapes: Vec<ShapePart>,
    pub materials: Vec<Material>,
    pub combine: Combine,
    pub loops: Vec<LoopSpec>,
    pub couplings: Vec<CouplingPart>,
    pub apart: Vec<(String, String)>,
    /// Shapes by index among the touching ones.
    pub pairs: Vec<(usize, usize, Material)>,
    pub positions: BTreeMap<String, Vec<f64>>,
    pub velocities: BTreeMap<String, Vec<f64>>,
    pub controllers: Vec<Controller>,
    /// By material; empty where the format says nothing of it.
    pub grips: Vec<Grip>,
    /// What the names of `equipment_links` carry, by index.
    pub equipment: Equipment,
    pub actuators: Vec<Actuator>,
    pub equipment_links: Vec<String>,
    pub frames: Vec<BodyFrame>,
    pub joints: Vec<JointInfo>,
}

/// A name in the scene: the world keeps its own.
fn renamed(prefix: &str, name: &str) -> String {
    if name == "world" || prefix.is_empty() { name.to_owned() } else { format!("{prefix}/{name}") }
}
