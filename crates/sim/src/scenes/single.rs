//! One body and what holds it: slope, peg, pinch, and the rod of [EnzError, Fig. 3].

use std::f64::consts::TAU;

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkId};
use gudgeon_spatial::{Inertia, Pose, Symmetric3, Vector3};
use nalgebra::{Isometry3, UnitQuaternion};

use super::params::{BuiltinError, Key, Values};
use super::parts::{Part, at, color, turned, wxyz};
use crate::controller::Controller;
use crate::scene::{BodySpec, Push, Scene, SceneBuilder};

pub(super) const SLOPE: &[Key] = &[
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
    Key::real("limit", "tangent of the slope in units of mu", 0.99, [0.0, 10.0]),
    Key::real("azimuth", "where downhill is in the axes of the box, degrees", 0.0, [-360.0, 360.0]),
];

/// A flat box of 1 kg on a slope of tan θ = limit · mu, falling towards the azimuth.
///
/// Below 1 it stays; above, it slides with g (sin θ − mu cos θ).
pub(super) fn slope(values: &Values) -> Result<Scene, BuiltinError> {
    let (mu, azimuth) = (values.real("mu"), values.angle("azimuth"));
    let theta = (values.real("limit") * mu).atan();
    // about the horizontal axis to the left of downhill
    let turn = Isometry3::rotation(Vector3::new(-azimuth.sin(), azimuth.cos(), 0.0) * theta);
    let half = [0.1, 0.1, 0.05];
    let mut scene = SceneBuilder::new("slope");
    scene.friction(mu).duration(10.0);
    scene.collider("world", Shape::plane(), turn);
    let p = turn.rotation * Vector3::new(0.0, 0.0, half[2]);
    let [r, g, b, _] = color::TEAL;
    let spec = BodySpec::new("box", Shape::cuboid(half[0], half[1], half[2])?).mass(1.0);
    scene.body(spec.at(p.x, p.y, p.z).turned(wxyz(&turn.rotation)).colored(r, g, b))?;
    Ok(scene.build()?)
}

pub(super) const ROD: &[Key] = &[
    Key::real("torque", "about x, N m", 10.0, [-100.0, 100.0]),
    Key::real("mu", "friction", 0.0, [0.0, 10.0]),
];

/// A rod of 1.5 m and 1.5 kg along y that lies on its two ends, under a moment about x [EnzError (22)].
pub(super) fn rod(values: &Values) -> Result<Scene, BuiltinError> {
    let (length, mass, radius) = (1.5, 1.5, 0.005);
    let mut scene = SceneBuilder::new("rod");
    scene.friction(values.real("mu")).ground().duration(0.5);
    scene.settings().dt = 0.01;
    let across = mass * length * length / 12.0;
    let [r, g, b, _] = color::BRASS;
    let mut spec = BodySpec::new("rod", Shape::sphere(radius)?).at(0.0, 0.0, radius).colored(r, g, b);
    spec.shapes = vec![
        (Shape::sphere(radius)?, at(0.0, -0.5 * length, 0.0)),
        (Shape::sphere(radius)?, at(0.0, 0.5 * length, 0.0)),
    ];
    // I_y of a rod as thin as its ends are round
    let along = 0.5 * mass * radius * radius;
    spec.inertia = Some(Inertia::new(mass, Vector3::zeros(), Symmetric3::diagonal(across, along, across)));
    scene.body(spec)?;
    let bar = Shape::cylinder(0.5 * length, 0.6 * radius)?;
    scene.visual("rod", bar, turned(TAU / 4.0, 0.0, 0.0)).color = Some(color::STEEL);
    scene.push_with(
        "rod",
        Push {
            link: LinkId::WORLD,
            force: Vector3::zeros(),
            torque: Vector3::new(values.real("torque"), 0.0, 0.0),
            point: None,
            from: 0.0,
            until: f64::INFINITY,
        },
    );
    Ok(scene.build()?)
}

pub(super) const PEG: &[Key] = &[
    Key::count("contacts", "points around the two rims of the hole, an even number", 16.0, [6.0, 512.0]),
    Key::real("mu", "friction", 0.3, [0.0, 10.0]),
    Key::real("force", "largest push, N", 10.0, [0.0, 1000.0]),
];

/// A round peg of 1 kg in a hole of flat walls; each wall touches it along a line, a point on each rim
/// [Lloyd, Fig. 4]. No gravity; every 50 ms another force and torque on it, as if at random.
pub(super) fn peg(values: &Values) -> Result<Scene, BuiltinError> {
    let (radius, depth, thick) = (0.05, 0.2, 0.02);
    let contacts = values.count("contacts");
    let walls = contacts / 2;
    if contacts % 2 == 1 {
        let (value, expected) = (contacts as f64, "an even number: one point on each rim".to_owned());
        return Err(BuiltinError::Range { scene: "peg".into(), key: "contacts", value, expected });
    }
    let mut scene = SceneBuilder::new("peg");
    scene.friction(values.real("mu")).gravity(Vector3::zeros()).duration(1.0);
    let half_width = radius * (TAU / (2.0 * walls as f64)).tan();
    for k in 0..walls {
        let turn = turned(0.0, 0.0, TAU * k as f64 / walls as f64);
        let wall = Shape::cuboid(0.5 * thick, half_width, 0.5 * depth)?;
        let placed = scene.collider("world", wall, turn * at(radius + 0.5 * thick, 0.0, 0.0));
        placed.color = Some(color::between(color::SLATE, color::STEEL, k % 2, 2));
    }
    let [r, g, b, _] = color::BRASS;
    scene.body(BodySpec::new("peg", Shape::cylinder(depth, radius)?).mass(1.0).colored(r, g, b))?;
    for k in 0..20_u32 {
        // multiples of square roots spread evenly and never repeat
        let draw = |root: f64| 2.0 * (f64::from(k + 1) * root.sqrt()).fract() - 1.0;
        let force = values.real("force");
        let from = 0.05 * f64::from(k);
        scene.push_with(
            "peg",
            Push {
                link: LinkId::WORLD,
                force: Vector3::new(draw(2.0), draw(3.0), draw(5.0)) * force,
                torque: Vector3::new(draw(7.0), draw(11.0), draw(13.0)) * (force * radius),
                point: None,
                from,
                until: from + 0.05,
            },
        );
    }
    Ok(scene.build()?)
}

pub(super) const PINCH: &[Key] = &[
    Key::real("force", "of each pad, N", 2.0, [0.0, 1e4]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
    Key::real("mass", "of the capsule, kg", 0.045, [1e-6, 1e3]),
    Key::real("tilt", "of the capsule's axis from level, degrees", 90.0, [-90.0, 90.0]),
];

/// A capsule of 45 g held between two pads that slide along x and are pressed together.
///
/// Upright, its weight has no moment about the normal of the pads. Tilted, the law of Coulomb alone does not say
/// whether it holds: the pressure may as well be all at one end, where it swings freely.
pub(super) fn pinch(values: &Values) -> Result<Scene, BuiltinError> {
    let (radius, half_height, height) = (0.01, 0.04, 0.2);
    let mut scene = SceneBuilder::new("pinch");
    scene.friction(values.real("mu")).duration(10.0);
    for (name, side) in [("left pad", -1.0), ("right pad", 1.0)] {
        Part {
            name,
            parent: "world",
            joint: Joint::prismatic(Vector3::x()),
            placement: Pose::from_translation(side * 2.0 * radius, 0.0, height),
            mass: 0.1,
            shape: Shape::cuboid(radius, 0.03, 0.03)?,
            pose: Isometry3::identity(),
            color: color::SLATE,
        }
        // equal forces leave the pair free to drift along x; damping settles that and does nothing at rest
        .add(&mut scene, |link| link.damping(10.0))?;
        let force = -side * values.real("force");
        scene.controller(Controller::Force { link: name.into(), dof: 0, force });
    }
    let axis = Vector3::new(0.0, values.angle("tilt").cos(), values.angle("tilt").sin());
    let turn = UnitQuaternion::rotation_between(&Vector3::z(), &axis).unwrap_or_default();
    let [r, g, b, _] = color::CLAY;
    let spec = BodySpec::new("capsule", Shape::capsule(half_height, radius)?).mass(values.real("mass"));
    scene.body(spec.at(0.0, 0.0, height).turned(wxyz(&turn)).colored(r, g, b))?;
    Ok(scene.build()?)
}
