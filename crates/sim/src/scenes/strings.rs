//! Strings of rods on spherical joints: one pulled over a rod, and four that make a net [Yamane §V-C].

use std::f64::consts::{FRAC_PI_2, PI};

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec, LoopKind, LoopSpec};
use gudgeon_spatial::{Inertia, Matrix3, Pose, Vector3};
use nalgebra::Isometry3;

use super::params::{BuiltinError, Key, Values};
use super::parts::{Part, at, close, color, turned, wxyz};
use crate::controller::Controller;
use crate::scene::{BodySpec, Scene, SceneBuilder};
use crate::settings::Integrator;

pub(super) const HOIST: &[Key] = &[
    Key::real("load", "mass of the weight, kg", 0.5, [1e-3, 1e3]),
    Key::real("speed", "of the winch, m/s", 0.012, [-0.01, 0.1]),
    Key::real("damping", "of the joints, N m s/rad", 0.0, [0.0, 1.0]),
    Key::real("mu", "friction", 0.2, [0.0, 10.0]),
    Key::count("hinges", "1: joints turn about the axis of the rod alone", 0.0, [0.0, 1.0]),
];

/// Links of the hoist's string: a winch and 24 spherical joints are 25.
const HOIST_LINKS: usize = 25;

/// Joints by which the string turns from straight up to straight down; one link more lies on the rod.
const WRAP: usize = 14;

/// A string of 25 joints over a fixed rod: a winch pulls its left end down and lifts the weight that hangs from its
/// right end [Yamane §V-C].
///
/// The links are flat boxes and start as a polygon around the rod, each touching it in its middle, so that a link
/// has a line of contact of two points.
pub(super) fn hoist(values: &Values) -> Result<Scene, BuiltinError> {
    let (length, width, thick) = (0.04, 0.012, 0.005); // width and thickness are half sides
    let turn = PI / WRAP as f64;
    // a polygon with these sides and turns goes around a circle of this radius
    let apothem = 0.5 * length / (0.5 * turn).tan();
    let mut scene = SceneBuilder::new("hoist");
    scene.friction(values.real("mu")).duration(10.0).settings().integrator = Integrator::Carried;
    let rod = Shape::cylinder(0.1, apothem - thick)?;
    scene.collider("world", rod, turned(FRAC_PI_2, 0.0, 0.0)).color = Some(color::WALNUT);

    // so many links hang on each side; the first one starts at the winch, below on the left
    let hanging = (HOIST_LINKS - WRAP - 1) / 2;
    let foot = Vector3::new(-apothem, 0.0, -length * (hanging as f64 + 0.5));
    let hinges = values.count("hinges") == 1;
    let bent = if hinges { Joint::revolute(Vector3::y()) } else { Joint::Spherical };
    let damped = |link: LinkSpec| link.damping(values.real("damping"));
    for k in 0..HOIST_LINKS {
        let (name, parent) = (format!("link{k}"), format!("link{}", k.max(1) - 1));
        let last = k + 1 == HOIST_LINKS;
        let part = Part {
            name: &name,
            parent: if k == 0 { "world" } else { &parent },
            joint: if k == 0 { Joint::prismatic(-Vector3::z()) } else { bent },
            placement: if k == 0 {
                Pose::new(Matrix3::identity(), foot)
            } else {
                Pose::from_translation(0.0, 0.0, length)
            },
            mass: 0.02,
            // a little shorter than the way from joint to joint, as links are
            shape: Shape::cuboid(thick, width, 0.48 * length)?,
            pose: at(0.0, 0.0, 0.5 * length),
            color: color::between(color::SAND, color::CLAY, k % 2, 2),
        };
        if last {
            load(&mut scene, part, length, values.real("load"), damped)?;
        } else {
            part.add(&mut scene, damped)?;
        }
        if (hanging..hanging + WRAP).contains(&(k.wrapping_sub(1))) {
            let quaternion = [(0.5 * turn).cos(), 0.0, (0.5 * turn).sin(), 0.0];
            if hinges {
                scene.position(&name, &[turn]);
            } else {
                scene.position(&name, &quaternion);
            }
        }
    }
    // strong enough for any load: a hundred times the string and the weight
    let effort = 981.0 * (values.real("load") + 0.02 * HOIST_LINKS as f64);
    let velocity = values.real("speed");
    scene.controller(Controller::Motor { link: "link0".into(), dof: 0, velocity, effort });
    Ok(scene.build()?)
}

/// The last link, with a weight in the shape of a drop at its end.
fn load(
    scene: &mut SceneBuilder,
    part: Part,
    length: f64,
    mass: f64,
    change: impl FnOnce(LinkSpec) -> LinkSpec,
) -> Result<(), BuiltinError> {
    let (radius, z) = (0.03, length + 0.03);
    let weight = Inertia::ball(mass, radius).translated(Vector3::new(0.0, 0.0, z));
    let inertia = part.inertia()?.merged(weight);
    scene.link(change(LinkSpec::new(part.name, part.parent, part.joint, part.placement, inertia)));
    scene.collider(part.name, part.shape, part.pose).color = Some(part.color);
    scene.collider(part.name, Shape::sphere(radius)?, at(0.0, 0.0, z)).color = Some(color::SLATE);
    Ok(())
}

pub(super) const NET: &[Key] = &[
    Key::count("cylinders", "how many fall", 5.0, [0.0, 50.0]),
    Key::real("mass", "of a cylinder, kg", 0.2, [1e-3, 1e3]),
    Key::real("damping", "of the joints, N m s/rad", 1e-4, [0.0, 1.0]),
    Key::real("mu", "friction", 0.5, [0.0, 10.0]),
];

/// Links of each string of the net, as many as its joints.
const NET_LINKS: usize = 16;

/// Two strings along x and two along y over them, both ends of each held; cylinders fall onto them
/// [Yamane §V-C]. The strings start as the catenaries in which they would hang alone.
pub(super) fn net(values: &Values) -> Result<Scene, BuiltinError> {
    let (length, radius, span, spacing) = (0.054, 0.006, 0.8, 0.16);
    let mut scene = SceneBuilder::new("net");
    scene.friction(values.real("mu")).duration(2.0).settings().integrator = Integrator::Carried;
    let slopes = catenary(NET_LINKS, length, span);
    for s in 0..4_usize {
        let side = spacing * (s % 2) as f64 - 0.5 * spacing;
        // those along y lie 2 mm above those along x, measured upright, where they cross
        let (turn, lift) = if s < 2 { (0.0, 0.0) } else { (FRAC_PI_2, 2.0 * radius + 2e-3) };
        let hang = turned(0.0, 0.0, turn) * at(-0.5 * span, side, lift);
        for k in 0..NET_LINKS {
            let (name, parent) = (format!("string{s}.{k}"), format!("string{s}.{}", k.max(1) - 1));
            let placement = if k == 0 { pose(&hang) } else { Pose::from_translation(length, 0.0, 0.0) };
            Part {
                name: &name,
                parent: if k == 0 { "world" } else { &parent },
                joint: Joint::Spherical,
                placement,
                mass: 0.02,
                // the caps of neighbours meet at the joint
                shape: Shape::capsule(0.5 * length, radius)?,
                pose: at(0.5 * length, 0.0, 0.0) * turned(0.0, FRAC_PI_2, 0.0),
                color: if s < 2 { color::SAND } else { color::MOSS },
            }
            .add(&mut scene, |link| link.damping(values.real("damping")))?;
            // a positive slope goes up: a turn about −y
            let bend = slopes[k] - if k == 0 { 0.0 } else { slopes[k - 1] };
            scene.position(&name, &[(0.5 * bend).cos(), 0.0, -(0.5 * bend).sin(), 0.0]);
        }
        scene.close(LoopSpec {
            kind: LoopKind::Point,
            link_a: "world".into(),
            link_b: format!("string{s}.{}", NET_LINKS - 1),
            frame_a: pose(&(hang * at(span, 0.0, 0.0))),
            frame_b: Pose::from_translation(length, 0.0, 0.0),
        });
    }
    cylinders(&mut scene, values)?;
    let mut scene = scene.build()?;
    close(&mut scene, 0)?;
    Ok(scene)
}

/// Cylinders along y, above each other and side by side, that come to lie across the strings along x.
fn cylinders(scene: &mut SceneBuilder, values: &Values) -> Result<(), BuiltinError> {
    let count = values.count("cylinders");
    for k in 0..count {
        // 0, 2, 4, 1, 3, ..: neighbours do not fall at once; no two are quite parallel
        let x = 0.06 * ((2 * k) % 5) as f64 - 0.12;
        let askew = 0.05 * ((3 * k) % 5) as f64 - 0.1;
        let lying = turned(0.0, 0.0, askew) * turned(FRAC_PI_2, 0.0, 0.0);
        let [r, g, b, _] = color::between(color::SLATE, color::SKY, k, count);
        let spec = BodySpec::new(&format!("cylinder{k}"), Shape::cylinder(0.15, 0.025)?);
        let spec = spec.mass(values.real("mass")).at(x, 0.0, 0.03 + 0.06 * k as f64);
        scene.body(spec.turned(wxyz(&lying.rotation)).colored(r, g, b))?;
    }
    Ok(())
}

fn pose(x: &Isometry3<f64>) -> Pose {
    Pose::new(x.rotation.to_rotation_matrix().into_inner(), x.translation.vector)
}

/// Slopes of the rods of a string that hangs still between two points at one height.
///
/// With horizontal tension H the vertical tension grows by a rod's weight w from rod to rod, and a rod points along
/// the tension in its middle: tan θ_k = (k − (n − 1)/2) w/H. The span Σ L cos θ_k falls as w/H grows.
fn catenary(n: usize, length: f64, span: f64) -> Vec<f64> {
    let slopes = |weight: f64| -> Vec<f64> {
        (0..n).map(|k| ((k as f64 - 0.5 * (n - 1) as f64) * weight).atan()).collect()
    };
    let reach = |weight: f64| slopes(weight).iter().map(|s| length * s.cos()).sum::<f64>();
    let (mut low, mut high) = (0.0, 1e3);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if reach(middle) > span { low = middle } else { high = middle }
    }
    slopes(0.5 * (low + high))
}
