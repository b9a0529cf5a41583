//! Free bodies, and what a shape weighs.

use gudgeon_collide::Shape;
use gudgeon_spatial::{Inertia, Symmetric3, Vector3};
use nalgebra::Isometry3;

use crate::error::SceneError;

/// A free rigid body: shape, mass, place and motion.
#[derive(Debug, Clone)]
pub struct BodySpec {
    /// Unique name.
    pub name: String,
    /// Its shapes, with poses in the body's frame.
    pub shapes: Vec<(Shape, Isometry3<f64>)>,
    /// kg; from the shapes at 1000 kg/m³ if neither this nor an inertia is given.
    pub mass: Option<f64>,
    /// In the body's frame; from mass and shapes if none.
    pub inertia: Option<Inertia>,
    /// World position of its frame, m.
    pub position: Vector3<f64>,
    /// w x y z.
    pub orientation: [f64; 4],
    /// World axes, m/s, of its frame's origin.
    pub velocity: Vector3<f64>,
    /// World axes, rad/s.
    pub angular_velocity: Vector3<f64>,
    /// Index into the scene's materials.
    pub material: usize,
    /// For pictures.
    pub color: Option<[f32; 4]>,
}

impl BodySpec {
    /// A body of one shape at the origin, at rest.
    pub fn new(name: &str, shape: Shape) -> Self {
        Self {
            name: name.to_owned(),
            shapes: vec![(shape, Isometry3::identity())],
            mass: None,
            inertia: None,
            position: Vector3::zeros(),
            orientation: [1.0, 0.0, 0.0, 0.0],
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            material: 0,
            color: None,
        }
    }

    /// With this mass, kg.
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = Some(mass);
        self
    }

    /// At this place, m.
    pub fn at(mut self, x: f64, y: f64, z: f64) -> Self {
        self.position = Vector3::new(x, y, z);
        self
    }

    /// Turned: w x y z.
    pub fn turned(mut self, orientation: [f64; 4]) -> Self {
        self.orientation = orientation;
        self
    }

    /// Moving at this speed, m/s.
    pub fn moving(mut self, x: f64, y: f64, z: f64) -> Self {
        self.velocity = Vector3::new(x, y, z);
        self
    }

    /// Of this colour.
    pub fn colored(mut self, red: f32, green: f32, blue: f32) -> Self {
        self.color = Some([red, green, blue, 1.0]);
        self
    }

    /// Of this material.
    pub fn of_material(mut self, material: usize) -> Self {
        self.material = material;
        self
    }
}

/// Density of bodies that say nothing of their mass, kg/m³: water.
const DENSITY: f64 = 1000.0;

pub(crate) fn body_inertia(spec: &BodySpec) -> Result<Inertia, SceneError> {
    if let Some(inertia) = spec.inertia {
        return Ok(inertia);
    }
    let mut total = None;
    for (shape, pose) in &spec.shapes {
        let part = shape
            .mass_properties(DENSITY)
            .map_err(|reason| SceneError::Shape { body: spec.name.clone(), reason })?
            .moved(pose);
        total = Some(total.map_or(part, |t: gudgeon_collide::MassProperties| t.joined(&part)));
    }
    let Some(total) = total else {
        return Err(SceneError::Value { what: "mass", of: spec.name.clone(), value: 0.0 });
    };
    let mass = spec.mass.unwrap_or(total.mass);
    if !(mass > 0.0 && mass.is_finite()) {
        return Err(SceneError::Value { what: "mass", of: spec.name.clone(), value: mass });
    }
    Ok(inertia_of(&total, mass))
}

/// An inertia from the mass properties of a shape, scaled to a mass.
pub fn inertia_of(properties: &gudgeon_collide::MassProperties, mass: f64) -> Inertia {
    let i = properties.inertia * (mass / properties.mass);
    Inertia::new(mass, properties.center, Symmetric3::from_matrix(&i))
}
