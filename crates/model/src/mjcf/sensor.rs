//! Sites and bodies as places to measure at, and sensors by the format's names.

use gudgeon_sim::{FrameRef, Sensor, SensorKind, Site, Volume};
use gudgeon_spatial::Pose;

use super::Reader;
use crate::error::ModelFileError;
use crate::tolerances::MUJOCO_ZERO;
use crate::xml::Element;

/// More numbers than any reading has.
const MOST_NUMBERS: f64 = 10_000.0;

impl<'a> Reader<'a> {
    /// Bodies and sites as equipment, once links are known.
    pub(super) fn place_sites(&mut self) {
        for k in 0..self.bodies.len() {
            let b = &self.bodies[k];
            let com = b.x_lb.point(&self.inertia_list[k].com);
            let (name, link, pose) = (b.name.clone(), b.link.clone(), b.x_lb);
            let link = self.link_ref(&link);
            if self.gravcomp[k] != 0.0 && self.inertia_list[k].mass > 0.0 {
                let mass = self.gravcomp[k] * self.inertia_list[k].mass;
                self.assembly.equipment.reliefs.push(gudgeon_sim::Relief { link, mass, at: com });
            }
            self.float(k, link, pose);
            self.assembly.equipment.bodies.push(gudgeon_sim::Body { name, link, pose, com });
        }
        for (name, body, pose, volume) in std::mem::take(&mut self.sites) {
            let (link, x_lb) = (self.bodies[body].link.clone(), self.bodies[body].x_lb);
            let link = self.link_ref(&link);
            self.assembly.equipment.sites.push(Site { name, link, pose: x_lb.compose(&pose), volume });
        }
    }

    /// The box by which a body feels the medium, if there is one.
    fn float(&mut self, body: usize, link: gudgeon_multibody::LinkId, x_lb: Pose) {
        let inertia = self.inertia_list[body];
        let fluid = &mut self.assembly.equipment.fluid;
        if inertia.mass < MUJOCO_ZERO || (fluid.density <= 0.0 && fluid.viscosity <= 0.0) {
            return;
        }
        let mut geoms = self.floats.iter().filter(|f| f.0 == body).peekable();
        if geoms.peek().is_some() {
            fluid.ellipsoids.extend(geoms.map(|(_, pose, semi, coefficients)| {
                gudgeon_sim::Ellipsoid::new(link, x_lb.compose(pose), *semi, *coefficients)
            }));
            return;
        }
        let about = inertia.about_com.to_matrix();
        let own = &self.bodies[body];
        // of a round geom any two axes across would do: the format takes the geom's own
        let (axes, moments) = match own.only.filter(|_| own.inertial.is_none()) {
            Some(axes) => {
                let turned = axes.transpose() * about * axes;
                (axes, [turned[(0, 0)], turned[(1, 1)], turned[(2, 2)]])
            }
            None => super::principal::principal(&about),
        };
        let frame = x_lb.compose(&Pose::new(axes, inertia.com));
        fluid.boxes.push((link, frame, gudgeon_sim::Fluid::box_of(inertia.mass, moments)));
    }

    pub(super) fn site_of(&self, name: &str) -> Option<usize> {
        self.assembly.equipment.sites.iter().position(|s| s.name == name)
    }

    pub(super) fn sensors(&mut self, section: &Element<'a>) -> Result<(), ModelFileError> {
        section.used();
        for e in section.children() {
            let Some(kind) = self.sensor(&e)? else { continue };
            e.used();
            let name = e.get("name").unwrap_or_default().to_owned();
            let cutoff = e.number("cutoff")?.unwrap_or(0.0);
            e.ignore(
                &["noise", "user", "nsample", "interp", "delay", "interval"],
                "readings are exact and of now",
            );
            self.assembly.equipment.sensors.push(Sensor { name, kind, cutoff });
        }
        Ok(())
    }

    /// What a sensor reads, if it is of a kind that is read.
    fn sensor(&mut self, e: &Element<'a>) -> Result<Option<SensorKind>, ModelFileError> {
        Ok(Some(match e.tag() {
            "accelerometer" | "velocimeter" | "gyro" | "force" | "torque" | "magnetometer" | "touch" => {
                self.site_sensor(e)?
            }
            "rangefinder" if e.peek("site").is_some() => self.site_sensor(e)?,
            "jointpos" | "jointvel" | "jointactuatorfrc" | "jointlimitfrc" | "jointlimitpos"
            | "jointlimitvel" => return self.joint_sensor(e),
            "ballquat" | "ballangvel" => self.ball_sensor(e)?,
            "tendonpos" | "tendonvel" | "tendonactuatorfrc" | "tendonlimitpos" | "tendonlimitvel" => {
                self.tendon_sensor(e)?
            }
            "actuatorpos" | "actuatorvel" | "actuatorfrc" => self.actuator_sensor(e)?,
            "subtreecom" | "subtreelinvel" | "subtreeangmom" => self.subtree_sensor(e)?,
            "clock" => SensorKind::Clock,
            "e_kinetic" => SensorKind::KineticEnergy,
            "e_potential" => SensorKind::PotentialEnergy,
            "contact" => self.contact_sensor(e)?,
            "distance" | "normal" | "fromto" => self.distance_sensor(e)?,
            "insidesite" => {
                let Some(frame) = self.frame_of(e, "objtype", "objname")? else { return Ok(None) };
                let name = e.need("site")?;
                let site = self.site_of(name).ok_or_else(|| e.reference_error("site", "site", name))?;
                SensorKind::Inside(frame, site)
            }
            "user" => {
                e.ignore(&["objtype", "objname", "datatype", "needstage"], "nothing writes it: it reads 0");
                SensorKind::Blank(blank(e)?)
            }
            tag if tag.starts_with("frame") => return self.frame_sensor(e),
            other => {
                e.ignored(format!("sensors of kind {other} are not read"));
                return Ok(None);
            }
        }))
    }

    fn site_sensor(&self, e: &Element<'a>) -> Result<SensorKind, ModelFileError> {
        let name = e.need("site")?;
        let site = self.site_of(name).ok_or_else(|| e.reference_error("site", "site", name))?;
        Ok(match e.tag() {
            "accelerometer" => SensorKind::Accelerometer(site),
            "velocimeter" => SensorKind::Velocimeter(site),
            "gyro" => SensorKind::Gyro(site),
            "force" => SensorKind::Force(site),
            "torque" => SensorKind::Torque(site),
            "magnetometer" => SensorKind::Magnetometer(site),
            "touch" => SensorKind::Touch(site),
            _ => SensorKind::Rangefinder(site),
        })
    }

    fn joint_sensor(&mut self, e: &Element<'a>) -> Result<Option<SensorKind>, ModelFileError> {
        let Some(term) = self.need_term(e, "joint")? else {
            e.ignored("the joint has more than one coordinate");
            return Ok(None);
        };
        Ok(Some(match e.tag() {
            "jointpos" => SensorKind::JointPosition(term),
            "jointvel" => SensorKind::JointVelocity(term),
            "jointlimitfrc" => SensorKind::JointLimitForce(term),
            "jointlimitpos" => SensorKind::JointLimitPosition(term),
            "jointlimitvel" => SensorKind::JointLimitVelocity(term),
            _ => SensorKind::JointActuatorForce(term),
        }))
    }

    fn ball_sensor(&mut self, e: &Element<'a>) -> Result<SensorKind, ModelFileError> {
        let name = e.need("joint")?;
        let joint = self.find_joint(name).ok_or_else(|| e.reference_error("joint", "joint", name))?;
        let link = joint.link.clone();
        let link = self.link_ref(&link);
        Ok(match e.tag() {
            "ballquat" => SensorKind::BallTurn(link),
            _ => SensorKind::BallVelocity(link),
        })
    }

    fn tendon_sensor(&self, e: &Element<'a>) -> Result<SensorKind, ModelFileError> {
        let name = e.need("tendon")?;
        let k = self.assembly.equipment.tendons.iter().position(|t| t.name == name);
        let k = k.ok_or_else(|| e.reference_error("tendon", "tendon", name))?;
        Ok(match e.tag() {
            "tendonpos" => SensorKind::TendonPosition(k),
            "tendonlimitpos" => SensorKind::TendonLimitPosition(k),
            "tendonlimitvel" => SensorKind::TendonLimitVelocity(k),
            "tendonactuatorfrc" => {
                let all = self.assembly.actuators.iter().enumerate();
                let own = all.filter(|(_, a)| a.path == gudgeon_sim::Path::Tendon(k));
                SensorKind::TendonActuatorForce(own.map(|(k, _)| k).collect())
            }
            _ => SensorKind::TendonVelocity(k),
        })
    }

    fn actuator_sensor(&self, e: &Element<'a>) -> Result<SensorKind, ModelFileError> {
        let name = e.need("actuator")?;
        let k = self.assembly.actuators.iter().position(|a| a.name == name);
        let k = k.ok_or_else(|| e.reference_error("actuator", "actuator", name))?;
        Ok(match e.tag() {
            "actuatorpos" => SensorKind::ActuatorPosition(k),
            "actuatorvel" => SensorKind::ActuatorVelocity(k),
            _ => SensorKind::ActuatorForce(k),
        })
    }

    fn subtree_sensor(&self, e: &Element<'a>) -> Result<SensorKind, ModelFileError> {
        let name = e.need("body")?;
        let k = *self.body_index.get(name).ok_or_else(|| e.reference_error("body", "body", name))?;
        Ok(match e.tag() {
            "subtreecom" => SensorKind::SubtreeCenter(k),
            "subtreelinvel" => SensorKind::SubtreeVelocity(k),
            _ => SensorKind::SubtreeMomentum(k),
        })
    }

    fn frame_sensor(&mut self, e: &Element<'a>) -> Result<Option<SensorKind>, ModelFileError> {
        let Some(of) = self.frame_of(e, "objtype", "objname")? else { return Ok(None) };
        let from = if e.peek("refname").is_some() { self.frame_of(e, "reftype", "refname")? } else { None };
        Ok(Some(match e.tag() {
            "framepos" => SensorKind::FramePosition(of, from),
            "framequat" => SensorKind::FrameTurn(of, from),
            "framexaxis" => SensorKind::FrameAxis(of, 0, from),
            "frameyaxis" => SensorKind::FrameAxis(of, 1, from),
            "framezaxis" => SensorKind::FrameAxis(of, 2, from),
            "framelinvel" => SensorKind::FrameVelocity(of, from),
            "frameangvel" => SensorKind::FrameAngularVelocity(of, from),
            "framelinacc" => SensorKind::FrameAcceleration(of),
            "frameangacc" => SensorKind::FrameAngularAcceleration(of),
            other => {
                e.ignored(format!("sensors of kind {other} are not read"));
                return Ok(None);
            }
        }))
    }

    fn frame_of(
        &mut self,
        e: &Element<'a>,
        kind: &str,
        key: &str,
    ) -> Result<Option<FrameRef>, ModelFileError> {
        let (kind, name) = (e.need(kind)?, e.need(key)?);
        let unknown = |what: &'static str| e.reference_error(key, what, name);
        Ok(Some(match kind {
            "site" => FrameRef::Site(self.site_of(name).ok_or_else(|| unknown("site"))?),
            "xbody" => FrameRef::Body(*self.body_index.get(name).ok_or_else(|| unknown("body"))?),
            "body" => {
                let k = *self.body_index.get(name).ok_or_else(|| unknown("body"))?;
                FrameRef::Inertial(k, Pose::new(self.inertial_axes(k), gudgeon_spatial::Vector3::zeros()))
            }
            "geom" => {
                let part = self.assembly.shapes.iter().find(|s| s.name == name);
                let part = part.ok_or_else(|| unknown("geom"))?;
                let (link, at) = (part.link.clone(), part.pose);
                let turn = at.rotation.to_rotation_matrix();
                let pose = Pose::new(*turn.matrix(), at.translation.vector);
                FrameRef::Fixed(self.link_ref(&link), pose)
            }
            "camera" => {
                let (body, pose) = *self.cameras.get(name).ok_or_else(|| unknown("camera"))?;
                let (link, x) = (self.bodies[body].link.clone(), self.bodies[body].x_lb.compose(&pose));
                FrameRef::Fixed(self.link_ref(&link), x)
            }
            other => {
                e.ignored(format!("frames of kind {other} are not known to this reader"));
                return Ok(None);
            }
        }))
    }

    pub(super) fn volume(kind: &str, size: [f64; 3]) -> Volume {
        match kind {
            "capsule" => Volume::Capsule(size[0], size[1]),
            "cylinder" => Volume::Cylinder(size[0], size[1]),
            "box" => Volume::Box(size),
            "ellipsoid" => Volume::Ellipsoid(size),
            _ => Volume::Ball(size[0]),
        }
    }
}

/// How many numbers a sensor of the user's own has.
fn blank(e: &Element<'_>) -> Result<usize, ModelFileError> {
    let width = e.number("dim")?.unwrap_or(1.0);
    if !(0.0..=MOST_NUMBERS).contains(&width) || width.fract() != 0.0 {
        return Err(e.value_error("dim", width, "how many numbers"));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    Ok(width as usize)
}
