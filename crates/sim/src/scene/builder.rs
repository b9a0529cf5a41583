//! A scene collected by names, and checked at the end.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkId, LinkSpec, LoopSpec, ModelBuilder, State, Workspace, kinematics};
use gudgeon_spatial::{Pose, Quaternion, Vector3};
use nalgebra::Isometry3;

use super::{BodySpec, Placed, Push, Scene, body_inertia};
use crate::controller::Controller;
use crate::equipment::Equipment;
use crate::error::SceneError;
use crate::settings::Settings;
use crate::surface::{Combine, Grip, Material, check_material};

/// Deviation from 1 of a quaternion's length that is taken for the rounding of whoever wrote it.
const UNIT: f64 = 1e-3;

/// Collects a scene by names.
#[derive(Debug, Clone)]
pub struct SceneBuilder {
    name: String,
    model: ModelBuilder,
    shapes: Vec<(String, Placed, bool)>, // link, shape, whether it touches
    materials: Vec<Material>,
    grips: Vec<Grip>,
    combine: Combine,
    apart: Vec<(String, String)>,
    pairs: Vec<(usize, usize, Material)>,
    meeting: Vec<(usize, usize)>,
    pushes: Vec<(String, Push)>,
    controllers: Vec<Controller>,
    settings: Settings,
    duration: f64,
    positions: Vec<(String, Vec<f64>)>,
    velocities: Vec<(String, Vec<f64>)>,
    moving: Vec<(String, Vector3<f64>, Vector3<f64>)>,
}

impl SceneBuilder {
    /// An empty scene with the default material.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            model: ModelBuilder::new(),
            shapes: Vec::new(),
            materials: vec![Material::default()],
            grips: Vec::new(),
            combine: Combine::default(),
            apart: Vec::new(),
            pairs: Vec::new(),
            meeting: Vec::new(),
            pushes: Vec::new(),
            controllers: Vec::new(),
            settings: Settings::default(),
            duration: 5.0,
            positions: Vec::new(),
            velocities: Vec::new(),
            moving: Vec::new(),
        }
    }

    /// The links and joints, for everything a [`ModelBuilder`] can say.
    pub fn model(&mut self) -> &mut ModelBuilder {
        &mut self.model
    }

    /// Steps and solver.
    pub fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// How long it runs where nothing else is said, s.
    pub fn duration(&mut self, seconds: f64) -> &mut Self {
        self.duration = seconds;
        self
    }

    /// Sets the acceleration of free fall, m/s².
    pub fn gravity(&mut self, gravity: Vector3<f64>) -> &mut Self {
        self.model.gravity(gravity);
        self
    }

    /// Changes the default material.
    pub fn default_material(&mut self, material: Material) -> &mut Self {
        self.materials[0] = material;
        self
    }

    /// Sets friction of the default material.
    pub fn friction(&mut self, friction: f64) -> &mut Self {
        self.materials[0].friction = friction;
        self
    }

    /// Adds a material; its index names it.
    pub fn material(&mut self, material: Material) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    /// Says more of a material.
    pub fn grip(&mut self, material: usize, grip: Grip) -> &mut Self {
        if self.grips.len() <= material {
            self.grips.resize(material + 1, Grip::default());
        }
        self.grips[material] = grip;
        self
    }

    /// The materials so far; 0 is the default.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// How many shapes that touch there are so far.
    pub fn n_colliders(&self) -> usize {
        self.shapes.iter().filter(|(_, _, touches)| *touches).count()
    }

    /// How pairs of surfaces combine.
    pub fn combine(&mut self, combine: Combine) -> &mut Self {
        self.combine = combine;
        self
    }

    /// Adds a link with its joint; shapes follow by [`SceneBuilder::collider`].
    pub fn link(&mut self, spec: LinkSpec) -> &mut Self {
        self.model.link(spec);
        self
    }

    /// Adds a loop joint.
    pub fn close(&mut self, spec: LoopSpec) -> &mut Self {
        self.model.close(spec);
        self
    }

    /// Adds a shape that touches, of the default material, to the link of that name ("world" does not move).
    pub fn collider(&mut self, link: &str, shape: Shape, pose: Isometry3<f64>) -> &mut Placed {
        self.place(link, shape, pose, true)
    }

    /// Adds a shape that is only seen.
    pub fn visual(&mut self, link: &str, shape: Shape, pose: Isometry3<f64>) -> &mut Placed {
        self.place(link, shape, pose, false)
    }

    fn place(&mut self, link: &str, shape: Shape, pose: Isometry3<f64>, touches: bool) -> &mut Placed {
        let (material, group, mask) = (0, 1, u32::MAX);
        let (color, name) = (None, String::new());
        let surface_velocity = Vector3::zeros();
        let placed =
            Placed { link: LinkId::WORLD, shape, pose, material, group, mask, color, name, surface_velocity };
        self.shapes.push((link.to_owned(), placed, touches));
        let (_, placed, _) = self.shapes.last_mut().expect("just pushed");
        placed
    }

    /// Adds the ground: the half-space below z = 0.
    pub fn ground(&mut self) -> &mut Self {
        self.collider("world", Shape::plane(), Isometry3::identity());
        self
    }

    /// Adds a free rigid body.
    pub fn body(&mut self, spec: BodySpec) -> Result<&mut Self, SceneError> {
        let inertia = body_inertia(&spec)?;
        let [w, x, y, z] = spec.orientation;
        let q = Quaternion { w, x, y, z };
        let value = |what, value| SceneError::Value { what, of: spec.name.clone(), value };
        if (q.norm() - 1.0).abs() > UNIT || q.norm().is_nan() {
            return Err(value("length of the orientation quaternion", q.norm()));
        }
        if let Some(&bad) = spec.position.iter().find(|p| !p.is_finite()) {
            return Err(value("position", bad));
        }
        let q = q.normalized();
        self.model.link(LinkSpec::new(&spec.name, "world", Joint::Free, Pose::identity(), inertia));
        let p = spec.position;
        self.positions.push((spec.name.clone(), vec![q.w, q.x, q.y, q.z, p.x, p.y, p.z]));
        self.moving.push((spec.name.clone(), spec.velocity, spec.angular_velocity));
        for (shape, pose) in spec.shapes {
            let placed = self.collider(&spec.name, shape, pose);
            placed.material = spec.material;
            placed.color = spec.color;
        }
        Ok(self)
    }

    /// Sets the coordinates of a joint at the start.
    pub fn position(&mut self, link: &str, q: &[f64]) -> &mut Self {
        self.positions.push((link.to_owned(), q.to_vec()));
        self
    }

    /// Sets the rates of a joint at the start.
    pub fn velocity(&mut self, link: &str, v: &[f64]) -> &mut Self {
        self.velocities.push((link.to_owned(), v.to_vec()));
        self
    }

    /// Two links that never touch.
    pub fn apart(&mut self, a: &str, b: &str) -> &mut Self {
        self.apart.push((a.to_owned(), b.to_owned()));
        self
    }

    /// The surface between two colliders, by their order of adding among the colliders.
    pub fn pair(&mut self, a: usize, b: usize, material: Material) -> &mut Self {
        self.pairs.push((a.min(b), a.max(b), material));
        self
    }

    /// Two colliders that touch whatever their groups and links say, by their order of adding.
    pub fn meet(&mut self, a: usize, b: usize) -> &mut Self {
        self.meeting.push((a.min(b), a.max(b)));
        self
    }

    /// A force at the centre of mass of a body, world axes, over a time.
    pub fn push(&mut self, link: &str, force: Vector3<f64>, from: f64, until: f64) -> &mut Self {
        let push = Push { link: LinkId::WORLD, force, torque: Vector3::zeros(), point: None, from, until };
        self.push_with(link, push)
    }

    /// A force, a torque and where they act; `push.link` is filled in.
    pub fn push_with(&mut self, link: &str, push: Push) -> &mut Self {
        self.pushes.push((link.to_owned(), push));
        self
    }

    /// Adds a controller; build it with the link names of the finished model, see [`Controller`].
    pub fn controller(&mut self, controller: Controller) -> &mut Self {
        self.controllers.push(controller);
        self
    }

    /// Checks everything.
    pub fn build(&self) -> Result<Scene, SceneError> {
        let model = self.model.build()?;
        let find = |what: &'static str, name: &str| {
            model.find(name).ok_or_else(|| SceneError::UnknownLink { what, link: name.to_owned() })
        };
        let mut scene = Scene {
            name: self.name.clone(),
            initial: State::neutral(&model),
            colliders: Vec::new(),
            visuals: Vec::new(),
            materials: self.materials.clone(),
            grips: self.grips.clone(),
            combine: self.combine,
            apart: Vec::new(),
            pairs: self.pairs.clone(),
            meeting: self.meeting.clone(),
            equipment: Equipment::default(),
            pushes: Vec::new(),
            controllers: self.controllers.clone(),
            settings: self.settings.clone(),
            duration: self.duration,
            model: model.clone(),
        };
        for (name, placed, touches) in &self.shapes {
            let link = find("a shape", name)?;
            let list = if *touches { &mut scene.colliders } else { &mut scene.visuals };
            list.push(Placed { link, ..placed.clone() });
        }
        for (a, b) in &self.apart {
            scene.apart.push((find("a pair", a)?, find("a pair", b)?));
        }
        for (name, push) in &self.pushes {
            scene.pushes.push(Push { link: find("a push", name)?, ..*push });
        }
        self.place_joints(&mut scene)?;
        for material in &scene.materials {
            check_material(material)?;
        }
        let dt = scene.settings.dt;
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(SceneError::Value { what: "dt", of: scene.name.clone(), value: dt });
        }
        Ok(scene)
    }

    fn place_joints(&self, scene: &mut Scene) -> Result<(), SceneError> {
        let model = &scene.model;
        let wrong = |what, name: &str, value: f64| SceneError::Value { what, of: name.to_owned(), value };
        for (what, list) in [("initial position", &self.positions), ("initial velocity", &self.velocities)] {
            for (name, values) in list {
                let id =
                    model.find(name).ok_or_else(|| SceneError::UnknownLink { what, link: name.clone() })?;
                let is_q = what == "initial position";
                let range = if is_q { model.link(id).q_range() } else { model.link(id).v_range() };
                if range.len() != values.len() {
                    return Err(wrong("number of coordinates", name, values.len() as f64));
                }
                if let Some(&bad) = values.iter().find(|v| !v.is_finite()) {
                    return Err(wrong(what, name, bad));
                }
                let target = if is_q { &mut scene.initial.q } else { &mut scene.initial.v };
                target[range].copy_from_slice(values);
            }
        }
        // velocities of free bodies are given in world axes, kept in the body's
        let mut ws = Workspace::new(model);
        kinematics(model, &scene.initial.q, &mut ws);
        for (name, linear, angular) in &self.moving {
            let id = model.find(name).expect("bodies are links");
            let w = ws.pose(id).rotation.transpose() * angular;
            let v = &mut scene.initial.v[model.link(id).v_range()];
            v.copy_from_slice(&[w.x, w.y, w.z, linear.x, linear.y, linear.z]);
            if let Some(&bad) = v.iter().find(|v| !v.is_finite()) {
                return Err(wrong("initial velocity", name, bad));
            }
        }
        Ok(())
    }
}
