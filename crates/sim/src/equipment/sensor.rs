//! What is measured, by name: one to four numbers each, more of contacts and distances.

use gudgeon_multibody::LinkId;
use gudgeon_spatial::Pose;

use super::path::Term;
use super::watch::{ContactWatch, Gauge, Side};

/// A frame that a sensor looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrameRef {
    /// The frame of a body of the file, by index.
    Body(usize),
    /// The same at its centre of mass, in its principal axes.
    Inertial(usize, Pose),
    /// A site, by index.
    Site(usize),
    /// Fixed to a link: a geom or a camera.
    Fixed(LinkId, Pose),
}

/// What a sensor measures.
#[derive(Debug, Clone)]
pub enum SensorKind {
    /// The coordinate of a hinge or slide.
    JointPosition(Term),
    /// Its rate.
    JointVelocity(Term),
    /// The forces of all actuators on it.
    JointActuatorForce(Term),
    /// The force of its limit.
    JointLimitForce(Term),
    /// How far it is past its limit, negative; 0 within.
    JointLimitPosition(Term),
    /// The rate of that.
    JointLimitVelocity(Term),
    /// w x y z of a ball joint.
    BallTurn(LinkId),
    /// Its angular velocity, own axes.
    BallVelocity(LinkId),
    /// Length of a string.
    TendonPosition(usize),
    /// Its rate.
    TendonVelocity(usize),
    /// How far it is past its limit, negative; 0 within.
    TendonLimitPosition(usize),
    /// The rate of that.
    TendonLimitVelocity(usize),
    /// The forces of all actuators on it: these controllers.
    TendonActuatorForce(Vec<usize>),
    /// Length of an actuator's path, gear included.
    ActuatorPosition(usize),
    /// Its rate.
    ActuatorVelocity(usize),
    /// The force of an actuator.
    ActuatorForce(usize),
    /// Acceleration less gravity at a site, its axes.
    Accelerometer(usize),
    /// Velocity of a site, its axes.
    Velocimeter(usize),
    /// Angular velocity of a site, its axes.
    Gyro(usize),
    /// The magnetic field in a site's axes.
    Magnetometer(usize),
    /// What a site's body passes on to its parent, force, the site's axes: of child on parent.
    Force(usize),
    /// Likewise the torque about the site.
    Torque(usize),
    /// Sum of the normal forces of contacts within a site's volume.
    Touch(usize),
    /// Distance along a site's z to what is next, not counting its own body; −1 if there is nothing.
    Rangefinder(usize),
    /// Position, in another frame if given.
    FramePosition(FrameRef, Option<FrameRef>),
    /// Orientation w x y z, in another frame if given.
    FrameTurn(FrameRef, Option<FrameRef>),
    /// An axis, in another frame if given.
    FrameAxis(FrameRef, usize, Option<FrameRef>),
    /// Velocity, as another frame sees it if given.
    FrameVelocity(FrameRef, Option<FrameRef>),
    /// Angular velocity, as another frame sees it if given.
    FrameAngularVelocity(FrameRef, Option<FrameRef>),
    /// Acceleration, gravity taken off, world axes.
    FrameAcceleration(FrameRef),
    /// Angular acceleration, world axes.
    FrameAngularAcceleration(FrameRef),
    /// Centre of mass of a body of the file and all it carries.
    SubtreeCenter(usize),
    /// Its velocity.
    SubtreeVelocity(usize),
    /// Angular momentum about it.
    SubtreeMomentum(usize),
    /// The time.
    Clock,
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Contacts of the last step.
    Contacts(ContactWatch),
    /// The shortest way between shapes.
    Distance(Gauge),
    /// 1 where a frame is within a site's volume, else 0.
    Inside(FrameRef, usize),
    /// So many numbers that nothing writes: zeros, in the place that the file gives them.
    Blank(usize),
}

/// A sensor.
#[derive(Debug, Clone)]
pub struct Sensor {
    /// What the file calls it; may be empty.
    pub name: String,
    /// What it measures.
    pub kind: SensorKind,
    /// Readings are kept within ±this; 0 is no bound.
    pub cutoff: f64,
}

impl SensorKind {
    /// How many numbers it gives.
    pub fn width(&self) -> usize {
        match self {
            Self::BallTurn(_) | Self::FrameTurn(..) => 4,
            Self::JointPosition(_)
            | Self::JointVelocity(_)
            | Self::JointActuatorForce(_)
            | Self::JointLimitForce(_)
            | Self::JointLimitPosition(_)
            | Self::JointLimitVelocity(_)
            | Self::TendonPosition(_)
            | Self::TendonVelocity(_)
            | Self::TendonLimitPosition(_)
            | Self::TendonLimitVelocity(_)
            | Self::TendonActuatorForce(_)
            | Self::Inside(..)
            | Self::ActuatorPosition(_)
            | Self::ActuatorVelocity(_)
            | Self::ActuatorForce(_)
            | Self::Touch(_)
            | Self::Rangefinder(_)
            | Self::Clock
            | Self::KineticEnergy
            | Self::PotentialEnergy => 1,
            Self::Contacts(watch) => watch.width(),
            Self::Blank(numbers) => *numbers,
            Self::Distance(gauge) => gauge.width(),
            Self::BallVelocity(_)
            | Self::Accelerometer(_)
            | Self::Velocimeter(_)
            | Self::Gyro(_)
            | Self::Magnetometer(_)
            | Self::Force(_)
            | Self::Torque(_)
            | Self::FramePosition(..)
            | Self::FrameAxis(..)
            | Self::FrameVelocity(..)
            | Self::FrameAngularVelocity(..)
            | Self::FrameAcceleration(_)
            | Self::FrameAngularAcceleration(_)
            | Self::SubtreeCenter(_)
            | Self::SubtreeVelocity(_)
            | Self::SubtreeMomentum(_) => 3,
        }
    }

    /// Whether it is never negative, so that the cutoff bounds it from above alone.
    pub fn is_positive(&self) -> bool {
        matches!(self, Self::Touch(_) | Self::Rangefinder(_))
    }

    /// Whether a cutoff has a meaning for it.
    pub fn is_real(&self) -> bool {
        match self {
            Self::BallTurn(_)
            | Self::FrameTurn(..)
            | Self::FrameAxis(..)
            | Self::Contacts(_)
            | Self::Inside(..)
            | Self::Blank(_) => false,
            Self::Distance(gauge) => gauge.says == super::Way::Length,
            _ => true,
        }
    }

    fn terms(&mut self) -> Option<&mut Term> {
        match self {
            Self::JointPosition(t)
            | Self::JointVelocity(t)
            | Self::JointActuatorForce(t)
            | Self::JointLimitForce(t)
            | Self::JointLimitPosition(t)
            | Self::JointLimitVelocity(t) => Some(t),
            _ => None,
        }
    }

    fn frames(&mut self) -> Vec<&mut FrameRef> {
        match self {
            Self::FramePosition(a, b)
            | Self::FrameTurn(a, b)
            | Self::FrameAxis(a, _, b)
            | Self::FrameVelocity(a, b)
            | Self::FrameAngularVelocity(a, b) => std::iter::once(a).chain(b.as_mut()).collect(),
            Self::FrameAcceleration(a) | Self::FrameAngularAcceleration(a) | Self::Inside(a, _) => vec![a],
            _ => Vec::new(),
        }
    }

    pub(super) fn remap(&mut self, to: &dyn Fn(LinkId) -> (LinkId, Pose)) {
        if let Some(term) = self.terms() {
            term.link = to(term.link).0;
        }
        if let Self::BallTurn(link) | Self::BallVelocity(link) = self {
            *link = to(*link).0;
        }
        if let Self::Distance(gauge) = self {
            gauge.remap(to);
        }
        for frame in self.frames() {
            if let FrameRef::Fixed(link, pose) = frame {
                let (new, x) = to(*link);
                (*link, *pose) = (new, x.compose(pose));
            }
        }
    }

    pub(super) fn shift(&mut self, sites: usize, tendons: usize, bodies: usize, controllers: usize) {
        match self {
            Self::ActuatorPosition(a) | Self::ActuatorVelocity(a) | Self::ActuatorForce(a) => {
                *a += controllers;
            }
            Self::Accelerometer(s)
            | Self::Velocimeter(s)
            | Self::Gyro(s)
            | Self::Magnetometer(s)
            | Self::Force(s)
            | Self::Torque(s)
            | Self::Touch(s)
            | Self::Rangefinder(s)
            | Self::Inside(_, s) => *s += sites,
            Self::Contacts(watch) => {
                for side in &mut watch.sides {
                    if let Side::Within(s) = side {
                        *s += sites;
                    }
                }
            }
            Self::TendonPosition(t)
            | Self::TendonVelocity(t)
            | Self::TendonLimitPosition(t)
            | Self::TendonLimitVelocity(t) => *t += tendons,
            Self::TendonActuatorForce(all) => all.iter_mut().for_each(|a| *a += controllers),
            Self::SubtreeCenter(b) | Self::SubtreeVelocity(b) | Self::SubtreeMomentum(b) => *b += bodies,
            _ => {}
        }
        for frame in self.frames() {
            match frame {
                FrameRef::Site(s) => *s += sites,
                FrameRef::Body(b) | FrameRef::Inertial(b, _) => *b += bodies,
                FrameRef::Fixed(..) => {}
            }
        }
    }
}
