//! What the numbers of a run are called: dofs, readings of sensors, stages of the solver.

use gudgeon_lcp::Stage;
use gudgeon_multibody::Model;

use crate::equipment::{Equipment, SensorKind};

/// Names of all dofs, n_v: the file's joint if it has one, else the link that the joint moves; a joint of several says which.
pub fn dof_names(model: &Model, equipment: &Equipment) -> Vec<String> {
    let mut names = Vec::with_capacity(model.n_v());
    for (id, link) in model.links().iter().enumerate() {
        let named = equipment.joints.iter().find(|j| j.link.0 == id && !j.name.is_empty());
        let name = named.map_or(link.name.as_str(), |j| j.name.as_str());
        for k in 0..link.joint.n_v() {
            names.push(match (link.joint.n_v(), link.joint.has_quaternion()) {
                (1, _) => name.to_owned(),
                (_, true) => format!("{name}.{}", ["wx", "wy", "wz", "vx", "vy", "vz"][k]),
                (_, false) => format!("{name}.{k}"),
            });
        }
    }
    names
}

/// Names and units of all readings, one after another: a sensor of several numbers says which.
pub fn reading_names(equipment: &Equipment) -> Vec<(String, &'static str)> {
    let mut names = Vec::new();
    for (index, sensor) in equipment.sensors.iter().enumerate() {
        let name = if sensor.name.is_empty() { format!("sensor {index}") } else { sensor.name.clone() };
        let unit = unit(&sensor.kind);
        let wide = sensor.kind.width();
        if !matches!(wide, 1 | 3 | 4) {
            names.extend((0..wide).map(|k| (format!("{name}.{k}"), unit)));
            continue;
        }
        let parts: &[&str] = match wide {
            1 => &[""],
            4 => &[".w", ".x", ".y", ".z"],
            _ => &[".x", ".y", ".z"],
        };
        names.extend(parts.iter().map(|part| (format!("{name}{part}"), unit)));
    }
    names
}

fn unit(kind: &SensorKind) -> &'static str {
    use SensorKind as K;
    match kind {
        K::TendonPosition(_) | K::Rangefinder(_) | K::FramePosition(..) | K::SubtreeCenter(_) => "m",
        K::TendonVelocity(_) | K::Velocimeter(_) | K::FrameVelocity(..) | K::SubtreeVelocity(_) => "m/s",
        K::BallVelocity(_) | K::Gyro(_) | K::FrameAngularVelocity(..) => "rad/s",
        K::Accelerometer(_) | K::FrameAcceleration(_) => "m/s²",
        K::FrameAngularAcceleration(_) => "rad/s²",
        K::Force(_) | K::Touch(_) => "N",
        K::Torque(_) => "N m",
        K::SubtreeMomentum(_) => "kg m²/s",
        K::Clock => "s",
        K::KineticEnergy | K::PotentialEnergy => "J",
        // of turns or slides, by the joint or gear; or of none
        K::JointPosition(_)
        | K::JointVelocity(_)
        | K::JointActuatorForce(_)
        | K::JointLimitForce(_)
        | K::JointLimitPosition(_)
        | K::JointLimitVelocity(_)
        | K::TendonLimitPosition(_)
        | K::TendonLimitVelocity(_)
        | K::TendonActuatorForce(_)
        | K::Inside(..)
        | K::Blank(_)
        | K::ActuatorPosition(_)
        | K::ActuatorVelocity(_)
        | K::ActuatorForce(_)
        | K::Magnetometer(_)
        | K::BallTurn(_)
        | K::FrameTurn(..)
        | K::FrameAxis(..)
        | K::Contacts(_) => "",
        K::Distance(gauge) => {
            if gauge.says == crate::equipment::Way::Direction {
                ""
            } else {
                "m"
            }
        }
    }
}

/// Names of the solver's stages, by number.
pub fn stage_names() -> Vec<&'static str> {
    Stage::ALL.iter().map(|s| s.name()).collect()
}
