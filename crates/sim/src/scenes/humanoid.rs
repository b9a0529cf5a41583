//! A miniature humanoid of our own design: 20 hinges, 0.58 m, 7.5 kg, after the size of the robot in [Yamane §V-A].
//!
//! | limb   | hinges, from the trunk outwards                                       |
//! |--------|-----------------------------------------------------------------------|
//! | leg ×2 | hip yaw z, hip roll x, hip pitch y, knee y, ankle pitch y, ankle roll x |
//! | arm ×2 | shoulder pitch y, shoulder roll x, elbow yaw z, elbow pitch y         |
//!
//! x is ahead, y to the left, z up; at zero it stands upright with its arms down. Every servo between two hinges of
//! a joint is a link with mass. The soles are octagons: 16 corners on the ground, as many contacts as [Yamane, Table I].

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkId, Model};
use gudgeon_spatial::{Pose, Vector3};
use nalgebra::Isometry3;

use super::params::BuiltinError;
use super::parts::{Color, Part, at, color};
use crate::scene::SceneBuilder;

/// Height of the ankle above the sole, m.
pub(super) const ANKLE: f64 = 0.04;
/// Knee above ankle, and hip above knee, m.
pub(super) const SHANK: f64 = 0.115;
pub(super) const THIGH: f64 = 0.115;
/// Half the distance of the hips, m.
pub(super) const HIP: f64 = 0.05;
/// Shoulders above the hips and out from the middle, m.
const SHOULDER: [f64; 2] = [0.165, 0.095];
/// Top of the head above the hips, m: with legs of 0.27 m the robot is 0.58 m tall.
const CROWN: f64 = 0.31;

/// The middle of the sole in the frame of the foot, m.
pub(super) const SOLE: [f64; 3] = [0.015, 0.0, -ANKLE];

/// Hinges in the order of the motion's columns.
pub(super) const JOINTS: [&str; 20] = [
    "left hip yaw",
    "left hip roll",
    "left thigh",
    "left shank",
    "left ankle",
    "left foot",
    "right hip yaw",
    "right hip roll",
    "right thigh",
    "right shank",
    "right ankle",
    "right foot",
    "left shoulder",
    "left upper arm",
    "left elbow",
    "left forearm",
    "right shoulder",
    "right upper arm",
    "right elbow",
    "right forearm",
];

/// A hinge, its link's mass and box: what the tables below list.
struct Limb {
    name: &'static str,
    axis: Vector3<f64>,
    from_parent: [f64; 3],
    mass: f64,
    half: [f64; 3],
    center: [f64; 3],
    color: Color,
}

/// Groups of colliders: what each touches besides the ground, which is in group 1.
///
/// Legs touch each other, forearms touch legs, trunk and each other. Neighbours overlap by design and do not touch: the
/// links of one leg, servos, upper arms and trunk.
mod group {
    /// Trunk: touched by forearms only.
    pub(super) const TRUNK: (u32, u32) = (2, 1 | 8);
    /// Thighs, shanks and feet.
    pub(super) const LEG: (u32, u32) = (4, 1 | 4 | 8);
    pub(super) const FOREARM: (u32, u32) = (8, 1 | 2 | 4 | 8);
    /// Servos and upper arms: touched by nothing but the ground.
    pub(super) const OTHER: (u32, u32) = (16, 1);
}

/// The robot, which touches the ground and, where limbs may meet, itself.
pub(super) fn add(scene: &mut SceneBuilder) -> Result<(), BuiltinError> {
    let trunk = Shape::cuboid(0.04, 0.06, 0.09)?;
    place(
        Part {
            name: "trunk",
            parent: "world",
            joint: Joint::Free,
            placement: Pose::identity(),
            mass: 2.5,
            shape: trunk,
            pose: at(0.0, 0.0, 0.105),
            color: color::IVORY,
        },
        group::TRUNK,
        scene,
    )?;
    for (shape, pose, paint) in [
        (Shape::cuboid(0.035, 0.035, 0.045)?, at(0.005, 0.0, CROWN - 0.045), color::IVORY),
        (Shape::cuboid(0.03, 0.065, 0.02)?, at(0.0, 0.0, 0.01), color::SLATE),
    ] {
        let placed = scene.collider("trunk", shape, pose);
        placed.color = Some(paint);
        (placed.group, placed.mask) = group::TRUNK;
    }
    let visor = scene.visual("trunk", Shape::cuboid(0.004, 0.028, 0.01)?, at(0.039, 0.0, CROWN - 0.04));
    visor.color = Some(color::TEAL);
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        chain(scene, side, &leg(sign))?;
        foot(scene, side)?;
        chain(scene, side, &arm(sign))?;
    }
    Ok(())
}

fn leg(sign: f64) -> [Limb; 5] {
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    let limb = |name, axis, from_parent, mass, half, center, color| Limb {
        name,
        axis,
        from_parent,
        mass,
        half,
        center,
        color,
    };
    let servo = [0.018, 0.018, 0.018];
    [
        limb("hip yaw", z, [0.0, sign * HIP, 0.0], 0.15, servo, [0.0; 3], color::SLATE),
        limb("hip roll", x, [0.0; 3], 0.2, servo, [0.0; 3], color::SLATE),
        limb("thigh", y, [0.0; 3], 0.5, [0.025, 0.022, 0.045], [0.0, 0.0, -0.5 * THIGH], color::SKY),
        limb(
            "shank",
            y,
            [0.0, 0.0, -THIGH],
            0.45,
            [0.022, 0.02, 0.045],
            [0.0, 0.0, -0.5 * SHANK],
            color::SKY,
        ),
        limb("ankle", y, [0.0, 0.0, -SHANK], 0.15, [0.015, 0.018, 0.015], [0.0; 3], color::SLATE),
    ]
}

fn arm(sign: f64) -> [Limb; 4] {
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    let shoulder = [0.0, sign * SHOULDER[1], SHOULDER[0]];
    let limb = |name, axis, from_parent, mass, half, center, color| Limb {
        name,
        axis,
        from_parent,
        mass,
        half,
        center,
        color,
    };
    let (upper, fore) = ([0.016, 0.016, 0.04], [0.014, 0.014, 0.045]);
    [
        limb("shoulder", y, shoulder, 0.1, [0.018, 0.014, 0.018], [0.0; 3], color::SLATE),
        limb("upper arm", x, [0.0; 3], 0.2, upper, [0.0, 0.0, -0.045], color::SKY),
        limb("elbow", z, [0.0, 0.0, -0.09], 0.15, [0.015; 3], [0.0; 3], color::SLATE),
        limb("forearm", y, [0.0; 3], 0.3, fore, [0.0, 0.0, -0.05], color::CLAY),
    ]
}

/// Limbs each on the one before, the first on the trunk.
fn chain(scene: &mut SceneBuilder, side: &str, limbs: &[Limb]) -> Result<(), BuiltinError> {
    let mut parent = "trunk".to_owned();
    for limb in limbs {
        let name = format!("{side} {}", limb.name);
        let [x, y, z] = limb.from_parent;
        let part = Part {
            name: &name,
            parent: &parent,
            joint: Joint::revolute(limb.axis),
            placement: Pose::from_translation(x, y, z),
            mass: limb.mass,
            shape: Shape::cuboid(limb.half[0], limb.half[1], limb.half[2])?,
            pose: at(limb.center[0], limb.center[1], limb.center[2]),
            color: limb.color,
        };
        let group = match limb.name {
            "thigh" | "shank" => group::LEG,
            "forearm" => group::FOREARM,
            _ => group::OTHER,
        };
        place(part, group, scene)?;
        parent = name;
    }
    Ok(())
}

/// A foot with an octagonal sole, rolling about x on the ankle.
fn foot(scene: &mut SceneBuilder, side: &str) -> Result<(), BuiltinError> {
    let (half, cut, bottom, top) = ([0.055, 0.03], 0.012, -ANKLE, -ANKLE + 0.02);
    let mut corners = Vec::new();
    for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        for (x, y) in [(half[0] - cut, half[1]), (half[0], half[1] - cut)] {
            corners.push(Vector3::new(SOLE[0] + sx * x, sy * y, bottom));
            corners.push(Vector3::new(SOLE[0] + 0.9 * sx * x, 0.9 * sy * y, top));
        }
    }
    let (name, parent) = (format!("{side} foot"), format!("{side} ankle"));
    place(
        Part {
            name: &name,
            parent: &parent,
            joint: Joint::revolute(Vector3::x()),
            placement: Pose::identity(),
            mass: 0.3,
            shape: Shape::convex_hull(&corners)?,
            pose: Isometry3::identity(),
            color: color::PLUM,
        },
        group::LEG,
        scene,
    )?;
    // the ankle lies between: not neighbours to the builder, but to the eye
    for other in ["thigh", "shank"] {
        scene.apart(&name, &format!("{side} {other}"));
    }
    Ok(())
}

fn place(part: Part, group: (u32, u32), scene: &mut SceneBuilder) -> Result<(), BuiltinError> {
    let placed = part.add(scene, |link| link)?;
    (placed.group, placed.mask) = group;
    Ok(())
}

/// The link of that name, which [`add`] made.
pub(super) fn link(model: &Model, name: &str) -> LinkId {
    model.find(name).expect("the humanoid has its links")
}

/// The coordinate of a hinge; the trunk's seven come first or wherever the model puts them.
pub(super) fn coordinate(model: &Model, name: &str) -> usize {
    model.link(link(model, name)).q_start
}
