//! Sensors read: the equations behind the names.
//!
//! ```text
//!     accelerometer    Rᵀ (p̈ − g) at the site             gyro  Rᵀ ω             velocimeter  Rᵀ ṗ
//!     force, torque    what the parent does to the site's body, at the site, in its axes: by Newton and Euler from the tips
//!     frames           of p, R, ṗ, ω seen from a frame (p₀, R₀, ṗ₀, ω₀):  R₀ᵀ (p − p₀),  R₀ᵀ R,
//!                      R₀ᵀ (ṗ − ṗ₀ − ω₀ × (p − p₀)),  R₀ᵀ (ω − ω₀)
//!     limits           how far past, negative, and its rate where it is: 0 within
//!     subtree          c = Σ m c_i / Σ m,  ċ,  L = Σ (c_i − c) × m ċ_i + I_i ω_i
//! ```
//! Accelerations are those of the last step, or those of the present forces where there was none.

use gudgeon_collide::{CollisionWorkspace, Shape};
use gudgeon_multibody::{LinkId, Model, State, Workspace, rnea};
use gudgeon_spatial::{Force, Motion, Pose, Quaternion, Vector3};
use nalgebra::Isometry3;

use super::path::Along;
use super::sensor::{FrameRef, SensorKind};
use super::{Equipment, Term};
use crate::contact_info::ContactInfo;

/// What is known when sensors are read.
pub(crate) struct Moment<'a> {
    pub(crate) equipment: &'a Equipment,
    pub(crate) model: &'a Model,
    pub(crate) state: &'a State,
    /// With kinematics and velocities.
    pub(crate) ws: &'a Workspace,
    pub(crate) qdd: &'a [f64],
    /// Outer forces on links: the caller's and contacts', world axes about their origins; or empty.
    pub(crate) external: &'a [Force],
    pub(crate) contacts: &'a [ContactInfo],
    /// By controller: length, rate, force.
    pub(crate) actuators: &'a [[f64; 3]],
    /// By dof: of all actuators, and of limits.
    pub(crate) actuator_forces: &'a [f64],
    pub(crate) limit_forces: &'a [f64],
    pub(crate) energy: [f64; 2],
    pub(crate) time: f64,
    /// What rays meet: link, shape, its pose there.
    pub(crate) seen: &'a [(LinkId, Shape, Isometry3<f64>)],
}

/// The readings, and the memory they need.
#[derive(Debug, Clone, Default)]
pub(crate) struct Senses {
    /// Of all sensors, one after another.
    pub(crate) values: Vec<f64>,
    dynamics: Option<Workspace>,
    along: Along,
    query: CollisionWorkspace,
}

impl Senses {
    /// Reads every sensor.
    pub(crate) fn read(&mut self, at: &Moment<'_>) {
        self.values.clear();
        let mut dynamics = self.dynamics.take().unwrap_or_else(|| Workspace::new(at.model));
        rnea(at.model, at.state, at.qdd, at.external, &mut dynamics);
        let mut values = std::mem::take(&mut self.values);
        for sensor in &at.equipment.sensors {
            let from = values.len();
            self.one(&sensor.kind, at, &dynamics, &mut values);
            if sensor.cutoff > 0.0 && sensor.kind.is_real() {
                let lowest = if sensor.kind.is_positive() { f64::NEG_INFINITY } else { -sensor.cutoff };
                values[from..].iter_mut().for_each(|x| *x = x.clamp(lowest, sensor.cutoff));
            }
        }
        self.values = values;
        self.dynamics = Some(dynamics);
    }

    fn one(&mut self, kind: &SensorKind, at: &Moment<'_>, dynamics: &Workspace, out: &mut Vec<f64>) {
        let site = |k: usize| (at.equipment.site_pose(k, at.ws), at.equipment.sites[k].link);
        let motion = |k: usize| {
            let (x, link) = site(k);
            let v = at.ws.velocity(link).at(&(x.translation - at.ws.pose(link).translation));
            (x, v)
        };
        let back = |x: &Pose, v: &Vector3<f64>| x.rotation.transpose() * v;
        let one = |out: &mut Vec<f64>, x: f64| out.push(x);
        let three = |out: &mut Vec<f64>, v: Vector3<f64>| out.extend(v.iter());
        match kind {
            SensorKind::JointPosition(t) => one(out, coordinate(at, t) + t.reference),
            SensorKind::JointVelocity(t) => one(out, at.state.v[dof(at, t)]),
            SensorKind::JointActuatorForce(t) => one(out, at.actuator_forces[dof(at, t)]),
            SensorKind::JointLimitForce(t) => one(out, at.limit_forces[dof(at, t)]),
            SensorKind::JointLimitPosition(t) | SensorKind::JointLimitVelocity(t) => {
                let (q, k) = (coordinate(at, t), dof(at, t));
                let bounds = &at.model.dofs()[k];
                let far = past([bounds.lower, bounds.upper], q, at.state.v[k]);
                one(out, far[usize::from(matches!(kind, SensorKind::JointLimitVelocity(_)))]);
            }
            SensorKind::BallTurn(link) => {
                let q = Quaternion::read(&at.state.q[at.model.link(*link).q_range()]).normalized();
                out.extend([q.w, q.x, q.y, q.z]);
            }
            SensorKind::BallVelocity(link) => out.extend(&at.state.v[at.model.link(*link).v_range()]),
            SensorKind::TendonPosition(k) | SensorKind::TendonVelocity(k) => {
                self.along.tendon(*k, 1.0, at.equipment, at.model, &at.state.q, at.ws);
                let length = matches!(kind, SensorKind::TendonPosition(_));
                one(out, if length { self.along.length } else { self.along.velocity(&at.state.v) });
            }
            SensorKind::TendonLimitPosition(k) | SensorKind::TendonLimitVelocity(k) => {
                self.along.tendon(*k, 1.0, at.equipment, at.model, &at.state.q, at.ws);
                let rate = self.along.velocity(&at.state.v);
                let far = past(at.equipment.tendons[*k].limits, self.along.length, rate);
                one(out, far[usize::from(matches!(kind, SensorKind::TendonLimitVelocity(_)))]);
            }
            SensorKind::TendonActuatorForce(all) => one(out, all.iter().map(|&k| at.actuators[k][2]).sum()),
            SensorKind::Inside(frame, k) => {
                let (p, x) = (placed(at, frame).1.translation, site(*k).0);
                let within = at.equipment.sites[*k].volume.contains(&back(&x, &(p - x.translation)));
                one(out, f64::from(u8::from(within)));
            }
            SensorKind::Blank(numbers) => out.extend(std::iter::repeat_n(0.0, *numbers)),
            SensorKind::ActuatorPosition(k) => one(out, at.actuators[*k][0]),
            SensorKind::ActuatorVelocity(k) => one(out, at.actuators[*k][1]),
            SensorKind::ActuatorForce(k) => one(out, at.actuators[*k][2]),
            SensorKind::Accelerometer(k) => {
                let (x, link) = site(*k);
                let a = point_acceleration(at, dynamics, link, &x.translation) - at.model.gravity();
                three(out, back(&x, &a));
            }
            SensorKind::Velocimeter(k) => {
                let (x, v) = motion(*k);
                three(out, back(&x, &v.linear));
            }
            SensorKind::Gyro(k) => {
                let (x, v) = motion(*k);
                three(out, back(&x, &v.angular));
            }
            SensorKind::Magnetometer(k) => three(out, back(&site(*k).0, &at.equipment.magnetic.into())),
            SensorKind::Force(k) | SensorKind::Torque(k) => {
                let (x, link) = site(*k);
                let f = dynamics.joint_force(link).at(&(x.translation - at.ws.pose(link).translation));
                let force = matches!(kind, SensorKind::Force(_));
                three(out, back(&x, if force { &f.linear } else { &f.angular }));
            }
            SensorKind::Touch(k) => one(out, touch(at, *k)),
            SensorKind::Rangefinder(k) => one(out, range(at, *k)),
            SensorKind::Clock => one(out, at.time),
            SensorKind::KineticEnergy => one(out, at.energy[0]),
            SensorKind::PotentialEnergy => one(out, at.energy[1] + self.stretched(at)),
            SensorKind::SubtreeCenter(b) => three(out, subtree(at, *b).center),
            SensorKind::SubtreeVelocity(b) => three(out, subtree(at, *b).velocity),
            SensorKind::SubtreeMomentum(b) => three(out, subtree(at, *b).momentum),
            SensorKind::Contacts(watch) => watch.read(at, out),
            SensorKind::Distance(gauge) => gauge.read(at, &mut self.query, out),
            _ => frame(kind, at, dynamics, out),
        }
    }

    /// Energy of the springs of strings and ball joints, J.
    fn stretched(&mut self, at: &Moment<'_>) -> f64 {
        let mut sum = 0.0;
        for (k, t) in at.equipment.tendons.iter().enumerate().filter(|(_, t)| t.stiffness > 0.0) {
            self.along.tendon(k, 1.0, at.equipment, at.model, &at.state.q, at.ws);
            let past = (self.along.length - t.rest[1]).max(0.0) - (t.rest[0] - self.along.length).max(0.0);
            sum += 0.5 * t.stiffness * past * past;
        }
        let swings = at.equipment.swings.iter();
        sum + swings.map(|s| 0.5 * s.stiffness * s.turn(at.model, &at.state.q).0.norm_squared()).sum::<f64>()
    }
}

/// How far `x` is past the bounds, negative, and the rate of that.
fn past([lo, hi]: [f64; 2], x: f64, rate: f64) -> [f64; 2] {
    if x < lo {
        [x - lo, rate]
    } else if x > hi {
        [hi - x, -rate]
    } else {
        [0.0, 0.0]
    }
}

fn dof(at: &Moment<'_>, t: &Term) -> usize {
    at.model.link(t.link).v_start + t.dof
}

fn coordinate(at: &Moment<'_>, t: &Term) -> f64 {
    at.state.q[at.model.link(t.link).q_start + t.dof]
}

/// p̈ of a point of a link; `dynamics` went through inverse dynamics.
fn point_acceleration(at: &Moment<'_>, dynamics: &Workspace, link: LinkId, p: &Vector3<f64>) -> Vector3<f64> {
    let r = p - at.ws.pose(link).translation;
    let v = at.ws.velocity(link).at(&r);
    dynamics.acceleration(at.model, link).at(&r).linear + v.angular.cross(&v.linear)
}

fn placed(at: &Moment<'_>, f: &FrameRef) -> (LinkId, Pose) {
    let (link, local) = match f {
        FrameRef::Body(b) => (at.equipment.bodies[*b].link, at.equipment.bodies[*b].pose),
        FrameRef::Inertial(b, turn) => {
            let body = &at.equipment.bodies[*b];
            let rotation = body.pose.rotation * turn.rotation;
            (body.link, Pose::new(rotation, body.com))
        }
        FrameRef::Site(s) => (at.equipment.sites[*s].link, at.equipment.sites[*s].pose),
        FrameRef::Fixed(link, pose) => (*link, *pose),
    };
    (link, at.ws.pose(link).compose(&local))
}

fn frame(kind: &SensorKind, at: &Moment<'_>, dynamics: &Workspace, out: &mut Vec<f64>) {
    let velocity = |link: LinkId, x: &Pose| -> Motion {
        at.ws.velocity(link).at(&(x.translation - at.ws.pose(link).translation))
    };
    let base = |f: &Option<FrameRef>| f.as_ref().map(|f| placed(at, f));
    match kind {
        SensorKind::FramePosition(f, from) => {
            let p = placed(at, f).1.translation;
            let p = base(from).map_or(p, |(_, x)| x.rotation.transpose() * (p - x.translation));
            out.extend(p.iter());
        }
        SensorKind::FrameTurn(f, from) => {
            let r = placed(at, f).1.rotation;
            let r = base(from).map_or(r, |(_, x)| x.rotation.transpose() * r);
            let q = Quaternion::from_matrix(&r);
            out.extend([q.w, q.x, q.y, q.z]);
        }
        SensorKind::FrameAxis(f, k, from) => {
            let axis: Vector3<f64> = placed(at, f).1.rotation.column(*k).into();
            let axis = base(from).map_or(axis, |(_, x)| x.rotation.transpose() * axis);
            out.extend(axis.iter());
        }
        SensorKind::FrameVelocity(f, from) => {
            let (link, x) = placed(at, f);
            let mut v = velocity(link, &x).linear;
            if let Some((other, y)) = base(from) {
                let w = velocity(other, &y);
                v -= w.linear + w.angular.cross(&(x.translation - y.translation));
                v = y.rotation.transpose() * v;
            }
            out.extend(v.iter());
        }
        SensorKind::FrameAngularVelocity(f, from) => {
            let (link, x) = placed(at, f);
            let mut w = velocity(link, &x).angular;
            if let Some((other, y)) = base(from) {
                w = y.rotation.transpose() * (w - velocity(other, &y).angular);
            }
            out.extend(w.iter());
        }
        SensorKind::FrameAcceleration(f) => {
            let (link, x) = placed(at, f);
            let a = point_acceleration(at, dynamics, link, &x.translation) - at.model.gravity();
            out.extend(a.iter());
        }
        SensorKind::FrameAngularAcceleration(f) => {
            let a = dynamics.acceleration(at.model, placed(at, f).0).angular;
            out.extend(a.iter());
        }
        _ => {}
    }
}

/// Normal forces of contacts of the site's link within its volume, N.
fn touch(at: &Moment<'_>, site: usize) -> f64 {
    let s = &at.equipment.sites[site];
    let x = at.equipment.site_pose(site, at.ws);
    at.contacts
        .iter()
        .filter(|c| c.a == s.link || c.b == s.link)
        .filter(|c| s.volume.contains(&(x.rotation.transpose() * (c.point - x.translation))))
        .map(|c| c.force.dot(&c.normal))
        .sum()
}

/// The same as the collision's own kind of pose.
pub(super) fn isometry_of(pose: &Pose) -> Isometry3<f64> {
    let q = Quaternion::from_matrix(&pose.rotation);
    let turn = nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(q.w, q.x, q.y, q.z));
    Isometry3::from_parts(pose.translation.into(), turn)
}

/// Distance along z to the next shape of another link, m; −1 if there is none.
fn range(at: &Moment<'_>, site: usize) -> f64 {
    let own = at.equipment.sites[site].link;
    let x = at.equipment.site_pose(site, at.ws);
    let direction = x.direction(&Vector3::z());
    let mut nearest = f64::INFINITY;
    for (link, shape, local) in at.seen.iter().filter(|s| s.0 != own) {
        let pose = isometry_of(&at.ws.pose(*link)) * local;
        // farther than any scene
        if let Some(hit) = shape.ray(&pose, &x.translation, &direction, 1e6) {
            nearest = nearest.min(hit.distance);
        }
    }
    if nearest.is_finite() { nearest } else { -1.0 }
}

struct Subtree {
    center: Vector3<f64>,
    velocity: Vector3<f64>,
    momentum: Vector3<f64>,
}

/// Centre of mass, its velocity and the angular momentum about it, of a body and all it carries.
fn subtree(at: &Moment<'_>, body: usize) -> Subtree {
    let root = at.equipment.bodies[body].link;
    let mut within = vec![false; at.model.n_links()];
    let (mut mass, mut first, mut linear) = (0.0, Vector3::zeros(), Vector3::zeros());
    let mut parts = Vec::new();
    for (k, link) in at.model.links().iter().enumerate() {
        within[k] = k == root.0 || (k > 0 && within[link.parent.0]);
        if !within[k] || k == 0 {
            continue;
        }
        let (x, v) = (at.ws.pose(LinkId(k)), at.ws.velocity(LinkId(k)));
        let i = &link.inertia;
        let arm = x.direction(&i.com);
        let (c, speed) = (x.translation + arm, v.at(&arm));
        mass += i.mass;
        first += c * i.mass;
        linear += speed.linear * i.mass;
        let about = x.rotation * i.about_com.to_matrix() * x.rotation.transpose();
        parts.push((c, speed.linear, i.mass, about * speed.angular));
    }
    if mass <= 0.0 {
        let center = at.ws.pose(root).translation;
        return Subtree { center, velocity: Vector3::zeros(), momentum: Vector3::zeros() };
    }
    let (center, velocity) = (first / mass, linear / mass);
    let momentum = parts.iter().map(|(c, v, m, spin)| (c - center).cross(&(v - velocity)) * *m + spin).sum();
    Subtree { center, velocity, momentum }
}
