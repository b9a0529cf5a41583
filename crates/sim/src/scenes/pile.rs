//! A pile in motion: bodies dropped into a bin.

use gudgeon_collide::Shape;
use nalgebra::Isometry3;

use super::params::{BuiltinError, Key, Values};
use super::parts::color;
use crate::scene::{BodySpec, Scene, SceneBuilder};
use crate::tolerances::NO_DRAW;

pub(super) const KEYS: &[Key] = &[
    Key::count("bodies", "how many bodies", 50.0, [1.0, 5000.0]),
    Key::count(
        "kind",
        "0 spheres, 1 boxes, 2 spheres, boxes and capsules in turn, 3 capsules",
        2.0,
        [0.0, 3.0],
    ),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
    Key::real("ratio", "mass of the heaviest body in masses of the lightest", 1.0, [1.0, 1e9]),
    Key::count("seed", "of positions and orientations", 1.0, [0.0, 1e9]),
];

/// Half the size of a body, m.
const SIZE: f64 = 0.05;
/// Distance of neighbours in the layers that fall, m.
const SPACING: f64 = 0.18;

/// Layers of bodies, turned at random and moved a little, above an open bin as wide as a layer, four times as high as wide. Masses are spread evenly
/// by their logarithm from 1 kg to `ratio` kg.
pub(super) fn pile(values: &Values) -> Result<Scene, BuiltinError> {
    let (bodies, kind) = (values.count("bodies"), values.count("kind"));
    let side = (1_usize..20).find(|k| 4 * k * k * k >= bodies).unwrap_or(20);
    let mut draw = Draw(values.count("seed") as u64);
    let mut scene = SceneBuilder::new("pile");
    scene.friction(values.real("mu")).ground().duration(2.0);
    scene.settings().dt = 0.002;
    let (wide, tall, thick) = (0.5 * SPACING * side as f64 + 0.01, 0.5 * SPACING * (2 * side) as f64, 0.05);
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let half = |along: f64| if along == 0.0 { wide + 2.0 * thick } else { thick };
        let wall = Shape::cuboid(half(x), half(y), tall)?;
        let out = wide + thick;
        scene.collider("world", wall, Isometry3::translation(out * x, out * y, tall));
    }
    for k in 0..bodies {
        let shape = match if kind == 2 { k % 3 } else { kind } {
            0 => Shape::sphere(SIZE)?,
            1 => Shape::cuboid(SIZE, 0.8 * SIZE, 0.6 * SIZE)?,
            _ => Shape::capsule(0.6 * SIZE, 0.5 * SIZE)?,
        };
        let place = |i: usize| SPACING * ((i % side) as f64 - 0.5 * (side - 1) as f64);
        let [x, y, z] = [0.0; 3].map(|_: f64| 0.015 * draw.signed());
        let (x, y) = (x + place(k), y + place(k / side));
        let z = z + 0.1 + SPACING * (k / (side * side)) as f64;
        let turn = [0.0; 4].map(|_: f64| draw.signed());
        let size = turn.iter().map(|v| v * v).sum::<f64>().sqrt().max(NO_DRAW);
        let turn = turn.map(|v| v / size);
        let mass = values.real("ratio").powf(draw.signed().midpoint(1.0));
        let [r, g, b, _] = color::between(color::SLATE, color::IVORY, k % 7, 7);
        let spec = BodySpec::new(&format!("body{k}"), shape).mass(mass);
        scene.body(spec.at(x, y, z).turned(turn).colored(r, g, b))?;
    }
    Ok(scene.build()?)
}

/// Numbers that never change: splitmix64.
struct Draw(u64);

impl Draw {
    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 * (2.0 / (1_u64 << 53) as f64) - 1.0
    }
}
