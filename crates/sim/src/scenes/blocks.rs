//! Blocks on blocks: a stack with its heavy box on top, and the brick wall of [EnzError, Fig. 4].

use gudgeon_collide::Shape;

use super::params::{BuiltinError, Key, Values};
use super::parts::color;
use crate::scene::{BodySpec, Scene, SceneBuilder};

pub(super) const STACK: &[Key] = &[
    Key::count("boxes", "how many boxes", 10.0, [1.0, 1000.0]),
    Key::real("ratio", "mass of the top box in masses of the others", 100.0, [1e-9, 1e9]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
];

/// Cubes of 20 cm and 1 kg exactly above each other, the top one `ratio` times as heavy.
pub(super) fn stack(values: &Values) -> Result<Scene, BuiltinError> {
    let (boxes, half) = (values.count("boxes"), 0.1);
    let mut scene = SceneBuilder::new("stack");
    scene.friction(values.real("mu")).ground().duration(10.0);
    for k in 0..boxes {
        let mass = if k + 1 == boxes { values.real("ratio") } else { 1.0 };
        let [r, g, b, _] =
            if k + 1 == boxes { color::BRICK } else { color::between(color::SLATE, color::IVORY, k, boxes) };
        let spec = BodySpec::new(&format!("box{k}"), Shape::cuboid(half, half, half)?).mass(mass);
        scene.body(spec.at(0.0, 0.0, (2.0 * k as f64 + 1.0) * half).colored(r, g, b))?;
    }
    Ok(scene.build()?)
}

pub(super) const WALL: &[Key] = &[
    Key::count("rows", "rows of bricks", 12.0, [1.0, 100.0]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
];

/// Rows of alternately two and three bricks with small gaps between neighbours: twelve rows are 30 bricks and
/// 184 contacts [EnzError, Fig. 4].
///
/// The bricks of three are 3 mm apart, those of two 8 mm: with equal gaps the centres of the outer bricks lie half
/// a gap outside the bricks that carry them, and the top row, which nothing holds down, tips off.
pub(super) fn wall(values: &Values) -> Result<Scene, BuiltinError> {
    let half = [0.1, 0.05, 0.05];
    let mut scene = SceneBuilder::new("wall");
    scene.friction(values.real("mu")).ground().duration(5.0);
    scene.settings().dt = 0.01;
    for row in 0..values.count("rows") {
        let width = 2 + row % 2;
        let gap = if width == 2 { 8e-3 } else { 3e-3 };
        for i in 0..width {
            let x = (2.0 * half[0] + gap) * (i as f64 - 0.5 * (width - 1) as f64);
            let z = (2.0 * row as f64 + 1.0) * half[2];
            let [r, g, b, _] = color::between(color::BRICK, color::CLAY, (2 * row + 3 * i) % 5, 5);
            let brick = Shape::cuboid(half[0], half[1], half[2])?;
            let spec = BodySpec::new(&format!("brick{row}.{i}"), brick).mass(1.0);
            scene.body(spec.at(x, 0.0, z).colored(r, g, b))?;
        }
    }
    Ok(scene.build()?)
}

pub(super) const PYRAMID: &[Key] =
    &[Key::count("rows", "rows of boxes", 10.0, [1.0, 200.0]), Key::real("mu", "friction", 0.5, [0.0, 10.0])];

/// Boxes in rows that grow shorter by one, each on two halves of those below with eight contacts: n rows are n (n + 1)/2
/// boxes and about 4 n² contacts.
pub(super) fn pyramid(values: &Values) -> Result<Scene, BuiltinError> {
    let (rows, half, gap) = (values.count("rows"), [0.1, 0.05, 0.05], 0.01);
    let mut scene = SceneBuilder::new("pyramid");
    scene.friction(values.real("mu")).ground().duration(0.1);
    scene.settings().dt = 0.002;
    for row in 0..rows {
        let width = rows - row;
        for i in 0..width {
            let x = (2.0 * half[0] + gap) * (i as f64 - 0.5 * (width - 1) as f64);
            let z = (2.0 * row as f64 + 1.0) * half[2];
            let [r, g, b, _] = color::between(color::BRICK, color::CLAY, (2 * row + 3 * i) % 5, 5);
            let shape = Shape::cuboid(half[0], half[1], half[2])?;
            let spec = BodySpec::new(&format!("box{row}.{i}"), shape).mass(1.0);
            scene.body(spec.at(x, 0.0, z).colored(r, g, b))?;
        }
    }
    Ok(scene.build()?)
}
