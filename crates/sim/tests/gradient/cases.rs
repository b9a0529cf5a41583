//! Scenes in which derivatives are held against differences; each begins where something touches within the run.

use std::f64::consts::FRAC_PI_2;

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{
    Actuator, Bias, BodySpec, Controller, Dynamics, Facets, Gain, Integrator, JointMotion, Material, Path,
    Relief, Scene, SceneBuilder, Sides, Term,
};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use nalgebra::Isometry3;

fn named(name: &str, settings: &[(&str, f64)]) -> Scene {
    let params = settings.iter().fold(Params::new(), |p, (key, value)| p.set(key, *value));
    let mut scene = builtin(name, &params).unwrap();
    scene.settings.integrator = Integrator::Euler;
    scene
}

pub(super) fn rod(length: f64, mass: f64) -> Inertia {
    Inertia::cuboid(mass, [0.5 * length, 0.02, 0.02]).translated(Vector3::new(0.5 * length, 0.0, 0.0))
}

pub(super) fn along_x(length: f64, radius: f64) -> (Shape, Isometry3<f64>) {
    let pose = Isometry3::new(Vector3::new(0.5 * length, 0.0, 0.0), Vector3::new(0.0, FRAC_PI_2, 0.0));
    (Shape::capsule(0.5 * length, radius).unwrap(), pose)
}

fn ball_joint_arm() -> Scene {
    let mut s = SceneBuilder::new("pendulum");
    s.link(LinkSpec::new("upper", "world", Joint::Spherical, Pose::identity(), rod(0.5, 1.0)));
    let at = Pose::from_translation(0.5, 0.0, 0.0);
    s.link(LinkSpec::new("lower", "upper", Joint::revolute(Vector3::y()), at, rod(0.4, 0.7)).damping(0.05));
    s.build().unwrap()
}

fn cart_pole() -> Scene {
    let mut s = SceneBuilder::new("cart-pole with a wall");
    let cart = Inertia::cuboid(1.0, [0.1, 0.05, 0.05]);
    s.link(
        LinkSpec::new("cart", "world", Joint::prismatic(Vector3::x()), Pose::identity(), cart).damping(0.1),
    );
    let up = Pose::new(Pose::rotation_about(&Vector3::y(), -FRAC_PI_2), Vector3::zeros());
    s.link(LinkSpec::new("pole", "cart", Joint::revolute(Vector3::y()), up, rod(0.6, 0.3)));
    let (shape, pose) = along_x(0.6, 0.02);
    s.collider("pole", shape, pose);
    let wall = Shape::cuboid(0.05, 0.5, 1.0).unwrap();
    s.collider("world", wall, Isometry3::translation(0.45, 0.0, 0.0));
    // 3 mm from the wall
    s.position("pole", &[0.68]);
    s.build().unwrap()
}

fn hopper() -> Scene {
    let mut s = SceneBuilder::new("hopper");
    s.ground();
    s.link(LinkSpec::new("body", "world", Joint::Planar, up_in_xz(), Inertia::cuboid(3.0, [0.1, 0.1, 0.1])));
    let down = Pose::new(Pose::rotation_about(&Vector3::z(), -FRAC_PI_2), Vector3::zeros());
    let hinge = Joint::revolute(Vector3::z());
    s.link(LinkSpec::new("thigh", "body", hinge, down, rod(0.3, 0.6)).damping(0.2));
    let knee = Pose::from_translation(0.3, 0.0, 0.0);
    s.link(LinkSpec::new("shin", "thigh", hinge, knee, rod(0.3, 0.4)).damping(0.2));
    s.collider("shin", Shape::sphere(0.03).unwrap(), Isometry3::translation(0.3, 0.0, 0.0));
    s.position("body", &[0.0, 0.6, 0.0]);
    s.build().unwrap()
}

/// The joint frame whose x and y are the world's x and z.
fn up_in_xz() -> Pose {
    Pose::new(Pose::rotation_about(&Vector3::x(), FRAC_PI_2), Vector3::zeros())
}

fn body(name: &str, shape: Shape, z: f64, material: Material) -> Scene {
    let mut s = SceneBuilder::new(name);
    s.default_material(material).ground();
    s.body(BodySpec::new("body", shape).mass(1.3).at(0.0, 0.0, z)).unwrap();
    s.build().unwrap()
}

pub(super) fn rough(friction: f64) -> Material {
    Material { friction, ..Material::default() }
}

fn faceted(mut scene: Scene, name: &str, facets: Facets) -> Scene {
    scene.name = name.into();
    scene.settings.facets = facets;
    scene
}

fn two_balls() -> Scene {
    let mut s = SceneBuilder::new("two balls");
    s.gravity(Vector3::zeros()).default_material(Material { friction: 0.2, restitution: 0.9, ..rough(0.2) });
    for (name, x, v) in [("left", -0.12, 1.0), ("right", 0.1, -0.5)] {
        let ball = BodySpec::new(name, Shape::sphere(0.1).unwrap()).mass(1.0).at(x, 0.01 * x, 0.0);
        s.body(ball.moving(v, 0.0, 0.0)).unwrap();
    }
    s.build().unwrap()
}

fn limits_and_friction() -> Scene {
    let mut s = SceneBuilder::new("limits and dry friction");
    let hinge = Joint::revolute(Vector3::y());
    let first =
        LinkSpec::new("a", "world", hinge, Pose::identity(), rod(0.4, 1.0)).limits(-0.5, 0.6).friction(0.3);
    s.link(first);
    let at = Pose::from_translation(0.4, 0.0, 0.0);
    s.link(LinkSpec::new("b", "a", hinge, at, rod(0.4, 0.5)).limits(-0.4, 0.4).spring(3.0, 0.1));
    s.build().unwrap()
}

fn driven_arm() -> Scene {
    let mut s = SceneBuilder::new("arm on springs against a table");
    s.ground();
    let hinge = Joint::revolute(Vector3::y());
    let stand = Pose::from_translation(0.0, 0.0, 0.35);
    s.link(LinkSpec::new("a", "world", hinge, stand, rod(0.4, 1.0)).armature(0.01));
    let at = Pose::from_translation(0.4, 0.0, 0.0);
    s.link(LinkSpec::new("b", "a", hinge, at, rod(0.4, 0.5)));
    let (shape, pose) = along_x(0.4, 0.03);
    s.collider("b", shape, pose);
    s.position("a", &[0.3]).position("b", &[0.226]);
    for (joint, q, effort) in [("a", 0.4, 1e3), ("b", 0.6, 3.0)] {
        let motion = JointMotion::constant(joint, q);
        s.controller(Controller::Pd { motion, stiffness: 60.0, damping: 3.0, effort });
    }
    s.build().unwrap()
}

/// An actuator of a hinge: its gain, bias b₀ + b₁ l + b₂ l̇, and control.
fn actuator(scene: &Scene, link: &str, gear: f64, gain: f64, bias: [f64; 3], control: f64) -> Controller {
    let term = Term { link: scene.model.find(link).unwrap(), dof: 0, coefficient: 1.0, reference: 0.1 };
    Controller::Actuator(Box::new(Actuator {
        name: link.into(),
        path: Path::Joint(term),
        gear,
        gain: Gain::Fixed(gain),
        bias: Bias::Affine(bias),
        dynamics: Dynamics::None,
        control_range: None,
        force_range: None,
        activation_range: None,
        damping_ratio: None,
        early: false,
        control,
        activation: 0.0,
    }))
}

/// A motor, a position, a velocity, and one that drives instead of holding, on an arm that reaches the ground; a weight is held.
fn actuated_arm() -> Scene {
    let mut s = SceneBuilder::new("actuated arm");
    s.ground();
    let (hinge, mut parent) = (Joint::revolute(Vector3::y()), "world");
    for (k, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let at = Pose::from_translation(if k == 0 { 0.0 } else { 0.25 }, 0.0, if k == 0 { 0.3 } else { 0.0 });
        s.link(LinkSpec::new(name, parent, hinge, at, rod(0.25, 0.6)).armature(0.01).spring(2.0, 0.1));
        parent = name;
    }
    let (shape, pose) = along_x(0.25, 0.03);
    s.collider("d", shape, pose);
    s.position("a", &[0.3]).position("b", &[0.4]);
    let mut scene = s.build().unwrap();
    let all = [
        actuator(&scene, "a", 2.0, 1.5, [0.0; 3], 0.4),
        actuator(&scene, "b", 1.5, 40.0, [0.0, -40.0, -2.0], 0.3),
        actuator(&scene, "c", 0.7, 3.0, [0.1, 0.0, -3.0], -0.4),
        actuator(&scene, "d", 1.0, 0.5, [0.1, 0.8, 0.05], 0.2),
    ];
    scene.controllers.extend(all);
    if let Controller::Actuator(a) = &mut scene.controllers[1] {
        // near enough to be a row of its own
        a.force_range = Some([-6.0, 6.0]);
    }
    let at = Vector3::new(0.1, 0.0, 0.02);
    scene.equipment.reliefs.push(Relief { link: scene.model.find("c").unwrap(), mass: 0.4, at });
    scene
}

fn motors() -> Scene {
    let mut s = SceneBuilder::new("wheel on a motor");
    s.ground();
    s.link(LinkSpec::new("car", "world", Joint::Planar, up_in_xz(), Inertia::cuboid(2.0, [0.2, 0.1, 0.1])));
    s.position("car", &[0.0, 0.1, 0.0]);
    for (name, x) in [("front", 0.15), ("back", -0.15)] {
        let at = Pose::from_translation(x, 0.0, 0.0);
        s.link(LinkSpec::new(name, "car", Joint::revolute(Vector3::z()), at, Inertia::ball(0.3, 0.1)));
        s.collider(name, Shape::sphere(0.1).unwrap(), Isometry3::identity());
        let (link, dof) = (name.to_owned(), 0);
        s.controller(Controller::Motor { link, dof, velocity: -3.0, effort: 0.4 });
    }
    s.build().unwrap()
}

fn gears() -> Scene {
    let mut s = SceneBuilder::new("gears");
    let hinge = Joint::revolute(Vector3::y());
    s.link(LinkSpec::new("a", "world", hinge, Pose::identity(), rod(0.4, 1.0)));
    s.link(LinkSpec::new("b", "world", hinge, Pose::from_translation(1.0, 0.0, 0.0), rod(0.3, 0.5)));
    s.link(LinkSpec::new("c", "b", hinge, Pose::from_translation(0.3, 0.0, 0.0), rod(0.3, 0.5)));
    s.model().mimic("b", "a", -2.0, 0.0);
    s.build().unwrap()
}

fn quadruped() -> Scene {
    let mut s = SceneBuilder::new("quadruped");
    s.friction(0.8).ground();
    let trunk = Inertia::cuboid(8.0, [0.25, 0.12, 0.06]);
    s.link(LinkSpec::new("trunk", "world", Joint::Free, Pose::identity(), trunk));
    s.collider("trunk", Shape::cuboid(0.25, 0.12, 0.06).unwrap(), Isometry3::identity());
    s.position("trunk", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.412]);
    let down = Pose::rotation_about(&Vector3::y(), FRAC_PI_2);
    for (k, (x, y)) in [(0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15)].into_iter().enumerate() {
        let (hip, knee) = (format!("hip{k}"), format!("knee{k}"));
        let hinge = Joint::revolute(Vector3::y());
        let at = Pose::new(down, Vector3::new(x, y, 0.0));
        s.link(LinkSpec::new(&hip, "trunk", hinge, at, rod(0.22, 0.5)).damping(0.05));
        let at = Pose::from_translation(0.22, 0.0, 0.0);
        s.link(LinkSpec::new(&knee, &hip, hinge, at, rod(0.2, 0.25)).damping(0.05));
        s.collider(&knee, Shape::sphere(0.025).unwrap(), Isometry3::translation(0.2, 0.0, 0.0));
        for (joint, q) in [(&hip, 0.4), (&knee, -0.8)] {
            let motion = JointMotion::constant(joint, q);
            s.controller(Controller::Pd { motion, stiffness: 80.0, damping: 2.0, effort: 40.0 });
            s.position(joint, &[q]);
        }
    }
    s.build().unwrap()
}

fn hull() -> Shape {
    let points: Vec<Vector3<f64>> = (0..12)
        .map(|k| {
            let k = f64::from(k);
            Vector3::new((k * 1.7).sin(), (k * 2.9).cos(), (k * 0.8 + 1.0).sin()) * 0.12
        })
        .collect();
    Shape::convex_hull(&points).unwrap()
}

fn box_on_box() -> Scene {
    let mut s = SceneBuilder::new("box on a box's edge");
    s.ground();
    s.body(BodySpec::new("low", Shape::cuboid(0.2, 0.2, 0.1).unwrap()).mass(2.0).at(0.0, 0.0, 0.1)).unwrap();
    let high = BodySpec::new("high", Shape::cuboid(0.1, 0.15, 0.05).unwrap()).mass(0.7);
    s.body(high.at(0.17, 0.05, 0.27).turned(unit([0.92, 0.2, 0.3, 0.1]))).unwrap();
    s.build().unwrap()
}

fn capsules() -> Scene {
    let mut s = SceneBuilder::new("capsules on each other");
    s.ground();
    for (k, (z, turn)) in [(0.05, [0.7, 0.0, 0.7, 0.0]), (0.16, [0.7, 0.7, 0.1, 0.0])].into_iter().enumerate()
    {
        let shape = Shape::capsule(0.15, 0.05).unwrap();
        s.body(BodySpec::new(&format!("c{k}"), shape).mass(0.5).at(0.02, 0.01, z).turned(unit(turn)))
            .unwrap();
    }
    s.build().unwrap()
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

/// Name and scene of every case.
pub(crate) fn all() -> Vec<(&'static str, Scene)> {
    let mut all = plain();
    all.extend(super::adversary::all());
    all
}

fn plain() -> Vec<(&'static str, Scene)> {
    let soft = Material { stiffness: 2e4, damping: 30.0, ..rough(0.4) };
    let bouncy = Material { restitution: 0.6, ..rough(0.3) };
    let block = || Shape::cuboid(0.1, 0.12, 0.05).unwrap();
    vec![
        ("pendulum", ball_joint_arm()),
        ("cart-pole", cart_pole()),
        ("hopper", hopper()),
        ("sliding box", body("sliding box", block(), 0.05, rough(0.3))),
        ("rolling ball", body("rolling ball", Shape::sphere(0.1).unwrap(), 0.1, rough(0.4))),
        ("soft box", body("soft box", block(), 0.0495, soft)),
        ("bouncing ball", body("bouncing ball", Shape::sphere(0.1).unwrap(), 0.102, bouncy)),
        ("bouncing box", body("bouncing box", block(), 0.055, bouncy)),
        ("frictionless box", body("frictionless box", block(), 0.05, rough(0.0))),
        (
            "box, 8 sides",
            faceted(body("box", block(), 0.05, rough(0.3)), "8 sides", Facets::Polygon(Sides::EIGHT)),
        ),
        ("box, square cone", faceted(body("box", block(), 0.05, rough(0.3)), "square", Facets::Box)),
        ("capsule", body("capsule", Shape::capsule(0.15, 0.05).unwrap(), 0.12, rough(0.5))),
        ("cylinder", body("cylinder", Shape::cylinder(0.1, 0.08).unwrap(), 0.1, rough(0.5))),
        ("cone", body("cone", Shape::cone(0.1, 0.08).unwrap(), 0.1, rough(0.5))),
        ("ellipsoid", body("ellipsoid", Shape::ellipsoid(0.1, 0.15, 0.07).unwrap(), 0.07, rough(0.5))),
        ("hull", body("hull", hull(), 0.115, rough(0.5))),
        ("two balls", two_balls()),
        ("box on a box", box_on_box()),
        ("capsules", capsules()),
        ("limits", limits_and_friction()),
        ("arm", driven_arm()),
        ("actuated arm", actuated_arm()),
        ("motors", motors()),
        ("gears", gears()),
        ("quadruped", quadruped()),
        ("pushed frame", named("push", &[])),
        ("pinch", named("pinch", &[])),
        ("stack", named("stack", &[("boxes", 3.0)])),
        ("slope", named("slope", &[("limit", 1.2)])),
        ("hoist", named("hoist", &[])),
        ("four-bar", named("fourbar", &[])),
        ("strandbeest", named("strandbeest", &[])),
        ("ragdoll", named("ragdoll", &[])),
        ("dominoes", named("dominoes", &[])),
        ("rolling table", named("rolling", &[])),
    ]
}
