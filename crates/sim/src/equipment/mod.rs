//! What a robot carries besides links and joints: sites, tendons, sensors, and what holds its weight.
//!
//! Everything names links by [`LinkId`], dofs by link and number within its joint, and other equipment by index.

mod actuator;
mod camera;
mod ellipsoid;
mod fluid;
mod order;
mod path;
mod sense;
mod sensor;
mod swing;
mod tendon;
mod tether;
mod watch;
mod wrap;

use gudgeon_multibody::{LinkId, Model, Rows, Workspace};
use gudgeon_spatial::{Force, Pose, Vector3};

pub(crate) use actuator::Pull;
pub use actuator::{Actuator, Bias, Dynamics, Gain, Muscle};
pub use camera::{Aim, Camera};
pub use ellipsoid::Ellipsoid;
pub use fluid::Fluid;
pub(crate) use path::Along;
pub use path::{Path, Term};
pub(crate) use sense::{Moment, Senses};
pub use sensor::{FrameRef, Sensor, SensorKind};
pub use swing::Swing;
pub use tendon::{Passage, Tendon, TendonPath};
pub use tether::Tether;
pub use watch::{Choice, ContactWatch, Gauge, Said, Side, Target, Way};
pub use wrap::WrapShape;

/// A named frame on a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// What the file calls it; may be empty.
    pub name: String,
    /// The link it moves with.
    pub link: LinkId,
    /// In the link's frame.
    pub pose: Pose,
    /// The volume in which a touch sensor feels.
    pub volume: Volume,
}

/// The volume of a site, about its frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Volume {
    /// A ball of this radius, m.
    Ball(f64),
    /// Radius and half length along z, m.
    Capsule(f64, f64),
    /// Radius and half length along z, m.
    Cylinder(f64, f64),
    /// Half sizes, m.
    Box([f64; 3]),
    /// Semi-axes, m.
    Ellipsoid([f64; 3]),
}

impl Volume {
    /// Whether a point of the site's frame is inside.
    pub fn contains(&self, p: &Vector3<f64>) -> bool {
        match *self {
            Self::Ball(r) => p.norm() <= r,
            Self::Capsule(r, h) => {
                let z = p.z.clamp(-h, h);
                (p - Vector3::new(0.0, 0.0, z)).norm() <= r
            }
            Self::Cylinder(r, h) => p.z.abs() <= h && p.x.hypot(p.y) <= r,
            Self::Box(half) => p.iter().zip(half).all(|(x, h)| x.abs() <= h),
            Self::Ellipsoid(semi) => p.iter().zip(semi).map(|(x, s)| (x / s).powi(2)).sum::<f64>() <= 1.0,
        }
    }
}

/// A mass whose weight is held: gravity on it is taken back in part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relief {
    /// The link.
    pub link: LinkId,
    /// The mass times the share that is held, kg.
    pub mass: f64,
    /// Where it is, in the link's frame.
    pub at: Vector3<f64>,
}

/// A frame of a body of the file, where it differs from the link's own.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// What the file calls it.
    pub name: String,
    /// The link that carries it.
    pub link: LinkId,
    /// In the link's frame.
    pub pose: Pose,
    /// Centre of mass, in the link's frame.
    pub com: Vector3<f64>,
}

/// A joint by the file's name, in the file's order.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedJoint {
    /// What the file calls it.
    pub name: String,
    /// The link it moves.
    pub link: LinkId,
    /// The file's value at q = 0, of hinges and slides.
    pub reference: f64,
}

/// A state that a file gives a name, in MuJoCo's order ([`Equipment::from_mujoco`]).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Keyframe {
    /// What the file calls it; may be empty.
    pub name: String,
    /// Positions; where the model starts if none.
    pub qpos: Option<Vec<f64>>,
    /// Velocities; at rest if none.
    pub qvel: Option<Vec<f64>>,
    /// Of the actuators, in order.
    pub control: Vec<f64>,
}

/// What a robot carries besides links and joints.
#[derive(Debug, Clone, Default)]
pub struct Equipment {
    /// The file's joints in its own order of coordinates.
    pub joints: Vec<NamedJoint>,
    /// Frames of the file's bodies.
    pub bodies: Vec<Body>,
    /// Named frames.
    pub sites: Vec<Site>,
    /// Strings along joints or through space.
    pub tendons: Vec<Tendon>,
    /// What is measured.
    pub sensors: Vec<Sensor>,
    /// Weights that are held.
    pub reliefs: Vec<Relief>,
    /// The sum of all actuators' forces on a dof is kept within these: link, dof, N m or N.
    pub effort: Vec<(LinkId, usize, [f64; 2])>,
    /// Dofs on which weights that are held count to the actuators, within `effort`.
    pub lifted: Vec<(LinkId, usize)>,
    /// Forces that grow with the rate of a dof, negative damping: link, dof, N m s or N s/m.
    pub thrust: Vec<(LinkId, usize, f64)>,
    /// Springs and limits of ball joints.
    pub swings: Vec<Swing>,
    /// Where pictures are taken from.
    pub cameras: Vec<Camera>,
    /// Bodies that stand where they are put ([`Simulator::place`](crate::Simulator::place)).
    pub placed: Vec<(String, LinkId)>,
    /// Bodies that follow others softly.
    pub tethers: Vec<Tether>,
    /// What the bodies move through.
    pub fluid: Fluid,
    /// A field that a magnetometer feels, world axes.
    pub magnetic: [f64; 3],
    /// States by name.
    pub keyframes: Vec<Keyframe>,
}

impl Equipment {
    /// The same on other links: each link becomes part of another, with its frame there.
    pub fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        self.joints.iter_mut().for_each(|j| j.link = to(j.link).0);
        for body in &mut self.bodies {
            let (link, x) = to(body.link);
            (body.link, body.pose, body.com) = (link, x.compose(&body.pose), x.point(&body.com));
        }
        for site in &mut self.sites {
            let (link, x) = to(site.link);
            (site.link, site.pose) = (link, x.compose(&site.pose));
        }
        for tendon in &mut self.tendons {
            tendon.remap(to);
        }
        for sensor in &mut self.sensors {
            sensor.kind.remap(to);
        }
        for relief in &mut self.reliefs {
            let (link, x) = to(relief.link);
            (relief.link, relief.at) = (link, x.point(&relief.at));
        }
        self.fluid.remap(to);
        for effort in &mut self.effort {
            effort.0 = to(effort.0).0;
        }
        self.lifted.iter_mut().for_each(|l| l.0 = to(l.0).0);
        self.thrust.iter_mut().for_each(|t| t.0 = to(t.0).0);
        self.swings.iter_mut().for_each(|s| s.link = to(s.link).0);
        self.cameras.iter_mut().for_each(|c| c.remap(to));
        self.placed.iter_mut().for_each(|p| p.1 = to(p.1).0);
        for tether in &mut self.tethers {
            let ((link, x), (lead, y)) = (to(tether.link), to(tether.lead));
            (tether.link, tether.at) = (link, x.compose(&tether.at));
            (tether.lead, tether.target) = (lead, y.compose(&tether.target));
        }
    }

    /// The same by other names.
    pub fn rename(&mut self, label: &dyn Fn(&str) -> String) {
        self.joints.iter_mut().for_each(|j| j.name = label(&j.name));
        self.bodies.iter_mut().for_each(|b| b.name = label(&b.name));
        self.sites.iter_mut().for_each(|s| s.name = label(&s.name));
        self.tendons.iter_mut().for_each(|t| t.name = label(&t.name));
        self.sensors.iter_mut().for_each(|s| s.name = label(&s.name));
        self.cameras.iter_mut().for_each(|c| c.name = label(&c.name));
        self.placed.iter_mut().for_each(|p| p.0 = label(&p.0));
    }

    /// Takes over another's, behind its own; its actuators are behind `controllers` others.
    pub fn append(&mut self, mut other: Self, controllers: usize) {
        let (sites, tendons, bodies) = (self.sites.len(), self.tendons.len(), self.bodies.len());
        for tendon in &mut other.tendons {
            tendon.shift(sites);
        }
        for sensor in &mut other.sensors {
            sensor.kind.shift(sites, tendons, bodies, controllers);
        }
        self.joints.append(&mut other.joints);
        self.bodies.append(&mut other.bodies);
        self.sites.append(&mut other.sites);
        self.tendons.append(&mut other.tendons);
        self.sensors.append(&mut other.sensors);
        self.reliefs.append(&mut other.reliefs);
        self.effort.append(&mut other.effort);
        self.lifted.append(&mut other.lifted);
        self.thrust.append(&mut other.thrust);
        for camera in &mut other.cameras {
            if let Aim::At(body) = &mut camera.aim {
                *body += bodies;
            }
        }
        self.swings.append(&mut other.swings);
        self.cameras.append(&mut other.cameras);
        self.placed.append(&mut other.placed);
        self.tethers.append(&mut other.tethers);
        self.fluid.append(other.fluid);
        self.keyframes.append(&mut other.keyframes);
        if other.magnetic != [0.0; 3] {
            self.magnetic = other.magnetic;
        }
    }

    /// Adds what holds weights to the forces on links, one per link in world axes about its origin.
    pub(crate) fn relieve(&self, model: &Model, ws: &Workspace, external: &mut Vec<Force>) {
        if self.reliefs.is_empty() {
            return;
        }
        external.resize(model.n_links(), Force::zero());
        for relief in &self.reliefs {
            let force = model.gravity() * -relief.mass;
            let arm = ws.pose(relief.link).direction(&relief.at);
            external[relief.link.0] += Force::new(arm.cross(&force), force);
        }
    }

    /// What holds weights on the dofs where it counts to the actuators; untouched if there are none.
    pub(crate) fn lift(&self, model: &Model, ws: &Workspace, out: &mut [f64]) {
        if self.lifted.is_empty() || self.reliefs.is_empty() {
            return;
        }
        let (mut rows, mut all) = (Rows::default(), vec![0.0; model.n_v()]);
        for relief in &self.reliefs {
            let force = model.gravity() * -relief.mass;
            let arm = ws.pose(relief.link).direction(&relief.at);
            rows.clear();
            rows.push_force(model, ws, relief.link, Force::new(arm.cross(&force), force));
            rows.add_to(0, 1.0, &mut all);
        }
        for &(link, dof) in &self.lifted {
            let k = model.link(link).v_start + dof;
            out[k] = all[k];
        }
    }

    /// The frame of a site in the world.
    pub fn site_pose(&self, site: usize, ws: &Workspace) -> Pose {
        let s = &self.sites[site];
        ws.pose(s.link).compose(&s.pose)
    }
}
