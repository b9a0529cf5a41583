//! A planar linkage on fixed pivots.

use gudgeon_collide::Shape;
use gudgeon_multibody::Joint;
use gudgeon_spatial::{Pose, Vector3};

use super::params::{BuiltinError, Key, Values};
use super::parts::{Color, Part, at, close, color, pin, turned};
use crate::scene::{Scene, SceneBuilder};

/// A bar along x from its hinge about y; `at_parent` is (x, z), `side` where it lies in y. Bars are only seen: they
/// pass beside each other.
pub(super) struct Bar<'a> {
    pub(super) name: &'a str,
    pub(super) parent: &'a str,
    pub(super) at_parent: [f64; 2],
    pub(super) length: f64,
    pub(super) mass: f64,
    pub(super) side: f64,
    pub(super) color: Color,
}

impl Bar<'_> {
    pub(super) fn part(&self) -> Result<Part<'_>, BuiltinError> {
        Ok(Part {
            name: self.name,
            parent: self.parent,
            joint: Joint::revolute(Vector3::y()),
            placement: Pose::from_translation(self.at_parent[0], 0.0, self.at_parent[1]),
            mass: self.mass,
            shape: Shape::capsule(0.5 * self.length, 0.012)?,
            pose: at(0.5 * self.length, self.side, 0.0) * turned(0.0, std::f64::consts::FRAC_PI_2, 0.0),
            color: self.color,
        })
    }
}

pub(super) const FOURBAR: &[Key] = &[Key::real("speed", "of the crank, rad/s", 12.0, [-100.0, 100.0])];

/// A crank-rocker (Grashof: 0.3 + 1.0 < 0.8 + 0.6) spun up and left alone: its energy stays.
pub(super) fn fourbar(values: &Values) -> Result<Scene, BuiltinError> {
    let mut scene = SceneBuilder::new("fourbar");
    scene.duration(60.0);
    let bars = [
        ("crank", "world", [0.0, 0.0], 0.3, 0.0, color::BRICK, -0.8),
        ("coupler", "crank", [0.3, 0.0], 0.8, 0.03, color::BRASS, 0.2),
        ("rocker", "world", [1.0, 0.0], 0.6, 0.0, color::TEAL, -1.6),
    ];
    for (name, parent, at_parent, length, side, color, start) in bars {
        let bar = Bar { name, parent, at_parent, length, mass: length, side, color };
        bar.part()?.add_ghost(&mut scene, |link| link)?;
        scene.position(name, &[start]);
    }
    scene.close(pin("coupler", [0.8, 0.0], "rocker", [0.6, 0.0]));
    for x in [0.0, 1.0] {
        scene.visual("world", Shape::sphere(0.03)?, at(x, 0.0, 0.0)).color = Some(color::SLATE);
    }
    scene.velocity("crank", &[values.real("speed")]);
    let mut scene = scene.build()?;
    close(&mut scene, 1)?;
    Ok(scene)
}
