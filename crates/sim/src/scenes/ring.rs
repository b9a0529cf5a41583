//! Wires with ring-shaped ends, hooked into each other [Yamane §V-C].

use std::f64::consts::{FRAC_PI_2, TAU};

use gudgeon_collide::Shape;
use gudgeon_multibody::Joint;
use gudgeon_spatial::{Pose, Vector3};

use super::params::{BuiltinError, Key, Values};
use super::parts::{Part, at, color, turned};
use crate::scene::{Scene, SceneBuilder};

pub(super) const KEYS: &[Key] = &[
    Key::count("wires", "how many wires hang from each other", 3.0, [1.0, 50.0]),
    Key::real("push", "on the lowest ring, N", 0.6, [-10.0, 10.0]),
    Key::real("mu", "friction", 0.3, [0.0, 10.0]),
];

/// Of a ring: from its centre to the middle of its tube, and of the tube, m.
const BIG: f64 = 0.03;
const SMALL: f64 = 0.006;

/// Sides of the ring and of its tube.
const AROUND: u32 = 24;
const TUBE: u32 = 12;

/// Wires of five spherical joints: a ring, four rods, a ring [Yamane §V-C]. The uppermost hangs in a fixed ring, the
/// others each in the one above; the lowest ring is pushed for 0.2 s.
pub(super) fn ring(values: &Values) -> Result<Scene, BuiltinError> {
    let wires = values.count("wires");
    let rod = 0.04;
    let mut scene = SceneBuilder::new("ring");
    scene.friction(values.real("mu")).duration(4.0);
    let torus = torus()?;

    // the fixed ring stands in the plane x-z; hooked rings are a quarter turn apart about the vertical
    let upright = turned(FRAC_PI_2, 0.0, 0.0);
    scene.collider("world", torus.clone(), upright).color = Some(color::SLATE);
    // centres are a tenth of a millimetre less than twice the clear radius apart: the wires drop into each other
    let hook = 2.0 * (BIG - SMALL) * (0.5 * TAU / f64::from(AROUND)).cos() - 1e-4;
    let mut z = -hook;
    for wire in 0..wires {
        let quarter = FRAC_PI_2 * (wire + 1) as f64;
        let shade = color::between(color::BRASS, color::CLAY, wire, wires);
        // a ring hangs by its rim: rods reach from rim to rim
        let name = |k: usize| format!("wire{wire}.{k}");
        Part {
            name: &name(0),
            parent: "world",
            joint: Joint::Free,
            placement: Pose::identity(),
            mass: 0.02,
            shape: torus.clone(),
            pose: turned(0.0, 0.0, quarter) * upright,
            color: shade,
        }
        .add(&mut scene, |link| link)?;
        scene.position(&name(0), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, z]);
        for k in 1..5 {
            let drop = if k == 1 { BIG + SMALL } else { rod };
            Part {
                name: &name(k),
                parent: &name(k - 1),
                joint: Joint::Spherical,
                placement: Pose::from_translation(0.0, 0.0, -drop),
                mass: 0.01,
                shape: Shape::capsule(0.5 * rod - 0.004, 0.004)?,
                pose: at(0.0, 0.0, -0.5 * rod),
                color: color::STEEL,
            }
            .add(&mut scene, |link| link)?;
        }
        // the lower ring stands across the upper one
        Part {
            name: &name(5),
            parent: &name(4),
            joint: Joint::Spherical,
            placement: Pose::from_translation(0.0, 0.0, -rod),
            mass: 0.02,
            shape: torus.clone(),
            pose: at(0.0, 0.0, -(BIG + SMALL)) * turned(0.0, 0.0, quarter) * upright,
            color: shade,
        }
        .add(&mut scene, |link| link)?;
        z -= 2.0 * (BIG + SMALL) + 4.0 * rod + hook;
    }
    let lowest = format!("wire{}.5", wires - 1);
    scene.push(&lowest, Vector3::new(1.0, 0.4, 0.0) * values.real("push"), 0.0, 0.2);
    Ok(scene.build()?)
}

/// A ring about z with its corners on the torus.
fn torus() -> Result<Shape, BuiltinError> {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..AROUND {
        for j in 0..TUBE {
            // turned by a third of a side: neither corners nor flats meet exactly where rings cross
            let angle = |k: u32, n: u32| TAU * (f64::from(k) + 1.0 / 3.0) / f64::from(n);
            let (u, v) = (angle(i, AROUND), angle(j, TUBE));
            let reach = BIG + SMALL * v.cos();
            vertices.push(Vector3::new(reach * u.cos(), reach * u.sin(), SMALL * v.sin()));
            let corner = |i: u32, j: u32| (i % AROUND) * TUBE + j % TUBE;
            let (a, b) = (corner(i, j), corner(i + 1, j));
            let (c, d) = (corner(i + 1, j + 1), corner(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(Shape::mesh(&vertices, &triangles)?.0)
}
