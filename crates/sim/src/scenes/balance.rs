//! Bodies on many feet or balls: the n-legged frame of [EnzPivot, Fig. 1], the pushed frame, the box on balls.

use std::f64::consts::TAU;

use gudgeon_collide::Shape;
use gudgeon_spatial::{Inertia, Symmetric3, Vector3};
use nalgebra::Isometry3;

use super::params::{BuiltinError, Key, Values};
use super::parts::{along, at, color};
use crate::scene::{BodySpec, Scene, SceneBuilder};
use crate::surface::{Combine, Material};

/// Feet in order around a circle; `irregular` moves each within its own sector, from 0 (not) to 1.
fn feet(count: usize, radius: f64, irregular: f64) -> Vec<[f64; 2]> {
    (0..count)
        .map(|k| {
            // multiples of square roots spread evenly and never repeat
            let draw = |root: f64| ((k + 1) as f64 * root.sqrt()).fract() - 0.5;
            let angle = TAU * (k as f64 + 0.8 * irregular * draw(2.0)) / count as f64;
            let reach = radius * (1.0 + 0.8 * irregular * draw(3.0));
            [reach * angle.cos(), reach * angle.sin()]
        })
        .collect()
}

/// A plate `height` above the ground on balls of radius `foot` under it: one body, one compound of feet.
fn frame(
    scene: &mut SceneBuilder,
    feet: &[[f64; 2]],
    mass: f64,
    height: f64,
    com: Vector3<f64>,
) -> Result<(), BuiltinError> {
    let (foot, plate) = (0.02, 0.5);
    let parts: Vec<(Isometry3<f64>, Shape)> = feet
        .iter()
        .map(|&[x, y]| Ok((at(x, y, foot - height), Shape::sphere(foot)?)))
        .collect::<Result<_, gudgeon_collide::ShapeError>>()?;
    let [r, g, b, _] = color::SLATE;
    let mut spec = BodySpec::new("frame", Shape::compound(parts)?).at(0.0, 0.0, height).colored(r, g, b);
    // a disc of that radius and 4 cm
    let (across, about) = (mass * (3.0 * plate * plate + 0.04 * 0.04) / 12.0, 0.5 * mass * plate * plate);
    spec.inertia = Some(Inertia::new(mass, com, Symmetric3::diagonal(across, across, about)));
    scene.body(spec)?;
    scene.visual("frame", Shape::cylinder(0.02, 0.2)?, Isometry3::identity()).color = Some(color::TEAL);
    for &[x, y] in feet {
        let (hub, end) = (Vector3::new(0.3 * x, 0.3 * y, 0.0), Vector3::new(x, y, foot - height));
        let leg = Shape::capsule(0.5 * (end - hub).norm(), 0.008)?;
        scene.visual("frame", leg, along(hub, end)).color = Some(color::STEEL);
    }
    Ok(())
}

pub(super) const NLEGS: &[Key] = &[
    Key::count("legs", "how many legs", 5.0, [3.0, 64.0]),
    Key::real("irregular", "how far the feet stray from a regular polygon", 0.5, [0.0, 1.0]),
    Key::real("shift", "of the centre of mass along x, m", 0.1, [-0.3, 0.3]),
    Key::real("mu", "friction", 0.0, [0.0, 10.0]),
];

/// A frame of 1 kg on n legs without friction [EnzPivot, Fig. 1-2]: redundant for n > 3.
pub(super) fn nlegs(values: &Values) -> Result<Scene, BuiltinError> {
    let mut scene = SceneBuilder::new("nlegs");
    scene.friction(values.real("mu")).ground().duration(1.0);
    let feet = feet(values.count("legs"), 0.5, values.real("irregular"));
    frame(&mut scene, &feet, 1.0, 0.3, Vector3::new(values.real("shift"), 0.0, 0.0))?;
    Ok(scene.build()?)
}

pub(super) const PUSH: &[Key] = &[
    Key::count("feet", "how many feet", 16.0, [3.0, 256.0]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
    Key::real("limit", "the push in units of mu m g", 1.05, [0.0, 10.0]),
    Key::real("azimuth", "where to, degrees", 0.0, [-360.0, 360.0]),
];

/// A frame of 10 kg on 16 balls on a circle of 0.5 m, pushed at its centre of mass from 0.5 s on.
///
/// At 1.05 mu m g and mu = 0.5 it slides 490.75 mm by 2.5 s in steps of 1 ms (490.5 mm in the limit of none), at
/// whatever azimuth.
pub(super) fn push(values: &Values) -> Result<Scene, BuiltinError> {
    let (mass, mu) = (10.0, values.real("mu"));
    let mut scene = SceneBuilder::new("push");
    scene.friction(mu).ground().duration(2.5);
    frame(&mut scene, &feet(values.count("feet"), 0.5, 0.0), mass, 0.1, Vector3::zeros())?;
    let azimuth = values.angle("azimuth");
    let force = values.real("limit") * mu * mass * 9.81;
    let towards = Vector3::new(azimuth.cos(), azimuth.sin(), 0.0);
    scene.push("frame", towards * force, 0.5, f64::INFINITY);
    Ok(scene.build()?)
}

pub(super) const ROLLING: &[Key] = &[
    Key::real("force", "on the box, N", 150.0, [0.0, 1e4]),
    Key::real("azimuth", "where to, degrees", 0.0, [-360.0, 360.0]),
    Key::real("mu_box", "friction of balls and box", 0.4, [0.0, 10.0]),
    Key::real("mu_ground", "friction of balls and ground", 0.8, [0.0, 10.0]),
    Key::real("stiffness", "of the underside of the box at a ball, N/m", 1e7, [1e3, 1e12]),
];

/// A box of 10 kg and 20 m on 25 balls of 1 kg and 1 m, pushed at its centre of mass.
///
/// While the box slides on the balls it gains (F − mu_box M g)/M and each ball mu_box M g/(25 · 0.7 m); while
/// everything rolls the box gains F/(M + 25 · 0.35 m) and the balls half of that. Both want every ball to carry its
/// share, which a hard box on more than three hard balls does not say: its underside gives by half a micrometre.
pub(super) fn rolling(values: &Values) -> Result<Scene, BuiltinError> {
    let (radius, pitch) = (0.5, 2.0);
    let mut scene = SceneBuilder::new("rolling");
    scene.combine(Combine::Min).friction(values.real("mu_ground")).ground().duration(1.0);
    // damped by about the critical value of the box on its 25 springs
    let stiffness = values.real("stiffness");
    let damping = 0.2 * (10.0 * stiffness / 25.0).sqrt();
    let friction = values.real("mu_box");
    let lid = scene.material(Material { friction, stiffness, damping, ..Material::default() });
    for k in 0..25_u8 {
        let (i, j) = (f64::from(k / 5) - 2.0, f64::from(k % 5) - 2.0);
        let [r, g, b, _] = if k % 2 == 0 { color::BRASS } else { color::CLAY };
        let spec = BodySpec::new(&format!("ball{k}"), Shape::sphere(radius)?).mass(1.0);
        scene.body(spec.at(pitch * i, pitch * j, radius).colored(r, g, b))?;
    }
    let [r, g, b, _] = color::SKY;
    let spec = BodySpec::new("box", Shape::cuboid(10.0, 10.0, 0.5)?).mass(10.0).of_material(lid);
    scene.body(spec.at(0.0, 0.0, 2.0 * radius + 0.5).colored(r, g, b))?;
    let azimuth = values.angle("azimuth");
    let towards = Vector3::new(azimuth.cos(), azimuth.sin(), 0.0);
    scene.push("box", towards * values.real("force"), 0.0, f64::INFINITY);
    Ok(scene.build()?)
}
