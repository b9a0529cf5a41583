//! Slender blocks: a row of dominoes and a tower of planks.

use std::f64::consts::FRAC_1_SQRT_2;

use gudgeon_collide::Shape;
use gudgeon_multibody::LinkId;
use gudgeon_spatial::Vector3;

use super::params::{BuiltinError, Key, Values};
use super::parts::color;
use crate::scene::{BodySpec, Push, Scene, SceneBuilder};

pub(super) const DOMINOES: &[Key] = &[
    Key::count("count", "how many dominoes", 20.0, [1.0, 1000.0]),
    Key::real("spacing", "from one to the next, m", 0.024, [0.009, 0.04]),
    Key::real("mu", "friction", 0.4, [0.0, 10.0]),
];

/// Dominoes of 48 × 24 × 7.5 mm and 10 g in a row; the first is pushed at its top for a twentieth of a second.
pub(super) fn dominoes(values: &Values) -> Result<Scene, BuiltinError> {
    let (count, half) = (values.count("count"), [0.003_75, 0.012, 0.024]);
    let mut scene = SceneBuilder::new("dominoes");
    scene.friction(values.real("mu")).ground().duration(0.5 + 0.06 * count as f64);
    for k in 0..count {
        let [r, g, b, _] = color::between(color::TEAL, color::SAND, k, count);
        let shape = Shape::cuboid(half[0], half[1], half[2])?;
        let spec = BodySpec::new(&format!("domino{k}"), shape).mass(0.01);
        scene.body(spec.at(k as f64 * values.real("spacing"), 0.0, half[2]).colored(r, g, b))?;
    }
    // tipping wants m g · half thickness / height = 8 mN at the top
    scene.push_with(
        "domino0",
        Push {
            link: LinkId::WORLD,
            force: Vector3::new(0.05, 0.0, 0.0),
            torque: Vector3::zeros(),
            point: Some(Vector3::new(-half[0], 0.0, half[2])),
            from: 0.0,
            until: 0.05,
        },
    );
    Ok(scene.build()?)
}

pub(super) const KAPLA: &[Key] = &[
    Key::count("layers", "layers of planks; 51 make 102 planks", 17.0, [1.0, 500.0]),
    Key::count("planks", "planks in a layer", 2.0, [2.0, 4.0]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
];

/// Flat planks of 15 : 3 : 1 (117 × 23.4 × 7.8 mm, 15 g), each layer across the one below.
pub(super) fn kapla(values: &Values) -> Result<Scene, BuiltinError> {
    let (layers, planks) = (values.count("layers"), values.count("planks"));
    let half = [0.0585, 0.0117, 0.0039];
    let mut scene = SceneBuilder::new("kapla");
    scene.friction(values.real("mu")).ground().duration(5.0);
    for layer in 0..layers {
        let across = layer % 2 == 1;
        for i in 0..planks {
            // the outer planks end flush with the ends of those below
            let offset = (half[0] - half[1]) * (2.0 * i as f64 / (planks - 1) as f64 - 1.0);
            let [r, g, b, _] = color::between(color::SAND, color::OAK, (layer + i) % 3, 3);
            let spec = BodySpec::new(&format!("plank{layer}.{i}"), Shape::cuboid(half[0], half[1], half[2])?)
                .mass(0.015)
                .colored(r, g, b);
            let z = (2.0 * layer as f64 + 1.0) * half[2];
            scene.body(if across {
                spec.at(offset, 0.0, z).turned([FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2])
            } else {
                spec.at(0.0, offset, z)
            })?;
        }
    }
    Ok(scene.build()?)
}
