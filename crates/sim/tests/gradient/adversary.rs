//! Scenes made to find what the plain ones do not: many rows, loops that slide, bounds, chains that bounce, few facets.

use std::f64::consts::FRAC_PI_2;

use gudgeon_collide::Shape;
use gudgeon_multibody::{Curve, Joint, LinkSpec, LoopKind, LoopSpec};
use gudgeon_sim::{BodySpec, Controller, Facets, Material, Scene, SceneBuilder, Sides};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use nalgebra::Isometry3;

use super::cases::{along_x, rod, rough};
use super::robots;

/// A crank whose pin slides in a slot of a rocker that rubs a block.
fn quick_return() -> Scene {
    let mut s = SceneBuilder::new("quick return");
    let hinge = Joint::revolute(Vector3::y());
    s.link(LinkSpec::new("crank", "world", hinge, Pose::identity(), rod(0.2, 0.6)).damping(0.02));
    let up = Pose::new(Pose::rotation_about(&Vector3::y(), -FRAC_PI_2), Vector3::new(0.0, 0.0, -0.5));
    s.link(LinkSpec::new("rocker", "world", hinge, up, rod(0.9, 1.0)).friction(0.05));
    // the slot along the rocker, the pin at the end of the crank
    let slot = Pose::new(Pose::rotation_about(&Vector3::y(), FRAC_PI_2), Vector3::zeros());
    s.model().close(LoopSpec {
        kind: LoopKind::Line,
        link_a: "rocker".into(),
        link_b: "crank".into(),
        frame_a: slot,
        frame_b: Pose::from_translation(0.2, 0.0, 0.0),
    });
    // crank level: the pin is at (0.2, 0), the rocker leans to it
    s.position("rocker", &[(0.2_f64).atan2(0.5)]);
    let mut scene = s.build().unwrap();
    scene.initial.v[0] = 0.0;
    scene
}

/// A shaft whose cam presses a follower on the ground, and turns on against it.
fn cam() -> Scene {
    let mut s = SceneBuilder::new("cam");
    s.friction(0.4).ground();
    s.link(LinkSpec::new("shaft", "world", Joint::revolute(Vector3::y()), Pose::identity(), rod(0.1, 0.8)));
    let down = Pose::from_translation(0.3, 0.0, 0.0305);
    let slide = Joint::prismatic(Vector3::new(0.2, 0.0, -1.0).normalize());
    s.link(
        LinkSpec::new("follower", "world", slide, down, Inertia::ball(0.5, 0.03))
            .damping(0.5)
            .spring(80.0, 0.0),
    );
    s.collider("follower", Shape::sphere(0.03).unwrap(), Isometry3::identity());
    let at: Vec<f64> = (0..=12).map(|k| std::f64::consts::TAU * f64::from(k) / 12.0).collect();
    let rise = at.iter().map(|x| 0.01 * x.sin() + 0.002 * (1.0 - (2.0 * x).cos())).collect();
    s.model().cam("follower", "shaft", Curve::new(at, rise, true).unwrap());
    let mut scene = s.build().unwrap();
    scene.initial.v[0] = 3.0;
    scene.initial.v[1] = 0.03;
    scene
}

/// Three links on hinges that fall on their tips, which bounce.
fn bouncing_chain() -> Scene {
    let mut s = SceneBuilder::new("bouncing chain");
    s.default_material(Material { restitution: 0.5, ..rough(0.4) }).ground();
    let mut parent = "world".to_owned();
    for k in 0..3 {
        let name = format!("l{k}");
        let joint = if k == 0 { Joint::Free } else { Joint::revolute(Vector3::y()) };
        let at = Pose::from_translation(if k == 0 { 0.0 } else { 0.25 }, 0.0, 0.0);
        let damping = if k == 0 { 0.0 } else { 0.02 };
        s.link(LinkSpec::new(&name, &parent, joint, at, rod(0.25, 0.4)).damping(damping));
        s.collider(&name, Shape::sphere(0.04).unwrap(), Isometry3::translation(0.25, 0.0, 0.0));
        parent = name;
    }
    s.position("l0", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.043]);
    s.build().unwrap()
}

/// A motor that is too weak against a limit, one at its bound in the air, one that holds.
fn weak_motors() -> Scene {
    let mut s = SceneBuilder::new("weak motors");
    let hinge = Joint::revolute(Vector3::y());
    let mut parent = "world".to_owned();
    for (name, limit, effort) in [("a", 0.05, 20.0), ("b", 2.0, 0.3), ("c", 0.02, 30.0)] {
        let at = Pose::from_translation(if parent == "world" { 0.0 } else { 0.3 }, 0.0, 0.0);
        s.link(LinkSpec::new(name, &parent, hinge, at, rod(0.3, 0.6)).limits(-limit, limit).armature(0.01));
        s.controller(Controller::Motor { link: name.into(), dof: 0, velocity: -1.0, effort });
        parent = name.into();
    }
    s.build().unwrap()
}

/// A tripod of soft feet with a square cone.
fn soft_tripod() -> Scene {
    let mut s = SceneBuilder::new("soft tripod");
    s.default_material(Material { stiffness: 3e4, damping: 40.0, ..rough(0.3) }).ground();
    s.link(LinkSpec::new(
        "top",
        "world",
        Joint::Free,
        Pose::identity(),
        Inertia::cuboid(2.0, [0.1, 0.1, 0.05]),
    ));
    s.position("top", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3298]);
    for k in 0..3 {
        let (sin, cos) = (f64::from(k) * 2.1).sin_cos();
        let turn = Pose::rotation_about(&Vector3::new(-sin, cos, 0.0), FRAC_PI_2);
        let name = format!("leg{k}");
        let at = Pose::new(turn, Vector3::new(0.12 * cos, 0.12 * sin, 0.0));
        let leg = LinkSpec::new(&name, "top", Joint::prismatic(Vector3::x()), at, rod(0.3, 0.3));
        s.link(leg.spring(400.0, 0.0).damping(3.0));
        s.collider(&name, Shape::sphere(0.03).unwrap(), Isometry3::translation(0.3, 0.0, 0.0));
    }
    let mut scene = s.build().unwrap();
    scene.settings.facets = Facets::Polygon(Sides::new(4).unwrap());
    scene
}

/// A wall of bricks, three high: more rows than a dense block is for.
fn bricks() -> Scene {
    let mut s = SceneBuilder::new("bricks");
    s.friction(0.6).ground();
    for row in 0..3_u32 {
        for k in 0..3 - row {
            let (x, z) = (0.21 * f64::from(k) + 0.105 * f64::from(row), 0.05 + 0.1 * f64::from(row));
            let brick = BodySpec::new(&format!("b{row}{k}"), Shape::cuboid(0.1, 0.08, 0.05).unwrap());
            s.body(brick.mass(1.0).at(x, 0.0, z)).unwrap();
        }
    }
    s.build().unwrap()
}

/// A rope of links lying on the ground, dragged at its head.
fn rope() -> Scene {
    let mut s = SceneBuilder::new("rope");
    s.friction(0.4).ground();
    let mut parent = "world".to_owned();
    for k in 0..24 {
        let name = format!("r{k}");
        let at = Pose::from_translation(if k == 0 { 0.0 } else { 0.12 }, 0.0, 0.0);
        let joint = if k == 0 { Joint::Free } else { Joint::Spherical };
        let (damping, (shape, pose)) = (if k == 0 { 0.0 } else { 1e-3 }, along_x(0.08, 0.02));
        s.link(LinkSpec::new(&name, &parent, joint, at, rod(0.1, 0.05)).damping(damping));
        if k % 2 == 0 {
            s.collider(&name, Shape::sphere(0.02).unwrap(), Isometry3::translation(0.05, 0.0, 0.0));
        } else {
            s.collider(&name, shape, pose);
        }
        parent = name;
    }
    s.position("r0", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.02]);
    let mut scene = s.build().unwrap();
    scene.initial.v[3] = -1.0;
    scene
}

/// Name and scene of every case.
pub(crate) fn all() -> Vec<(&'static str, Scene)> {
    vec![
        ("humanoid", robots::humanoid()),
        ("chain", robots::chain(48)),
        ("rope", rope()),
        ("bricks", bricks()),
        ("quick return", quick_return()),
        ("cam", cam()),
        ("bouncing chain", bouncing_chain()),
        ("weak motors", weak_motors()),
        ("soft tripod", soft_tripod()),
    ]
}
