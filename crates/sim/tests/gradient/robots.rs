//! Larger scenes of the gradients' campaign and timing: a humanoid on eight points, boxes on a corner each, chains.

#![allow(dead_code, reason = "the example times what the tests do not run")]

use std::f64::consts::FRAC_PI_2;

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::{BodySpec, Controller, JointMotion, Scene, SceneBuilder};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use nalgebra::Isometry3;

fn rod(length: f64, mass: f64) -> Inertia {
    Inertia::cuboid(mass, [0.5 * length, 0.04, 0.04]).translated(Vector3::new(0.5 * length, 0.0, 0.0))
}

/// A trunk, two arms and two legs on 21 hinges with springs; each foot stands on four balls.
pub(crate) fn humanoid() -> Scene {
    let mut s = SceneBuilder::new("humanoid");
    s.friction(0.9).ground();
    let trunk = Inertia::cuboid(25.0, [0.1, 0.15, 0.25]);
    s.link(LinkSpec::new("trunk", "world", Joint::Free, Pose::identity(), trunk));
    s.collider("trunk", Shape::cuboid(0.1, 0.15, 0.25).unwrap(), Isometry3::identity());
    let (thigh, shin, foot) = (0.4, 0.4, 0.05);
    s.position("trunk", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25 + thigh + shin + foot]);
    let down = Pose::rotation_about(&Vector3::y(), FRAC_PI_2);
    let hinge =
        |s: &mut SceneBuilder, name: &str, parent: &str, axis: Vector3<f64>, at: Pose, inertia, gain| {
            s.link(
                LinkSpec::new(name, parent, Joint::revolute(axis), at, inertia).damping(0.5).armature(0.01),
            );
            let motion = JointMotion::constant(name, 0.0);
            s.controller(Controller::Pd { motion, stiffness: gain, damping: 0.05 * gain, effort: 300.0 });
        };
    let small = || Inertia::ball(0.3, 0.04);
    for (side, y) in [("left", 0.1), ("right", -0.1)] {
        let name = |part: &str| format!("{side} {part}");
        let hip = Pose::new(down, Vector3::new(0.0, y, -0.25));
        hinge(&mut s, &name("hip x"), "trunk", Vector3::z(), hip, small(), 400.0);
        hinge(&mut s, &name("hip z"), &name("hip x"), Vector3::x(), Pose::identity(), small(), 400.0);
        hinge(&mut s, &name("thigh"), &name("hip z"), Vector3::y(), Pose::identity(), rod(thigh, 6.0), 600.0);
        let knee = Pose::from_translation(thigh, 0.0, 0.0);
        hinge(&mut s, &name("shin"), &name("thigh"), Vector3::y(), knee, rod(shin, 3.5), 600.0);
        let ankle = Pose::from_translation(shin, 0.0, 0.0);
        hinge(&mut s, &name("ankle"), &name("shin"), Vector3::z(), ankle, small(), 400.0);
        let sole = Inertia::cuboid(0.8, [0.03, 0.05, 0.1]);
        hinge(&mut s, &name("foot"), &name("ankle"), Vector3::y(), Pose::identity(), sole, 400.0);
        for (x, z) in [(0.12, 0.04), (0.12, -0.04), (-0.06, 0.04), (-0.06, -0.04)] {
            // the foot's frame hangs down: its x axis is the world's down, its z axis forward
            let at = Isometry3::translation(foot - 0.02, z, -x);
            s.collider(&name("foot"), Shape::sphere(0.02).unwrap(), at);
        }
    }
    for (side, y) in [("left", 0.2), ("right", -0.2)] {
        let name = |part: &str| format!("{side} {part}");
        let shoulder = Pose::new(down, Vector3::new(0.0, y, 0.2));
        hinge(&mut s, &name("shoulder"), "trunk", Vector3::z(), shoulder, small(), 80.0);
        hinge(&mut s, &name("arm"), &name("shoulder"), Vector3::y(), Pose::identity(), rod(0.3, 2.0), 80.0);
        let elbow = Pose::from_translation(0.3, 0.0, 0.0);
        hinge(&mut s, &name("elbow"), &name("arm"), Vector3::y(), elbow, rod(0.25, 1.2), 80.0);
        hinge(
            &mut s,
            &name("wrist"),
            &name("elbow"),
            Vector3::x(),
            Pose::from_translation(0.25, 0.0, 0.0),
            small(),
            20.0,
        );
    }
    let neck = Pose::from_translation(0.0, 0.0, 0.3);
    hinge(&mut s, "head", "trunk", Vector3::y(), neck, Inertia::ball(4.0, 0.1), 80.0);
    let mut scene = s.build().unwrap();
    scene.settings.dt = 1e-3;
    scene
}

/// Boxes apart from each other, each on one corner.
pub(crate) fn boxes(count: u32) -> Scene {
    let mut s = SceneBuilder::new("boxes");
    s.ground();
    for k in 0..count {
        let half = 0.1;
        // the diagonal stands upright
        let (axis, angle) = ([1.0 / 2.0_f64.sqrt(), -1.0 / 2.0_f64.sqrt()], (1.0 / 3.0_f64.sqrt()).acos());
        let (sin, cos) = (0.5 * angle).sin_cos();
        let turn = [cos, axis[0] * sin, axis[1] * sin, 0.0];
        let body = BodySpec::new(&format!("b{k}"), Shape::cuboid(half, half, half).unwrap()).mass(1.0);
        s.body(body.at(0.6 * f64::from(k), 0.0, half * 3.0_f64.sqrt()).turned(turn)).unwrap();
    }
    let mut scene = s.build().unwrap();
    scene.settings.dt = 1e-3;
    scene
}

/// A chain of links on hinges, lying on balls: one contact for every second link.
pub(crate) fn chain(links: u32) -> Scene {
    let mut s = SceneBuilder::new("chain");
    s.ground();
    let mut parent = "world".to_owned();
    for k in 0..links {
        let name = format!("l{k}");
        let joint = if k == 0 {
            Joint::Free
        } else {
            Joint::revolute(if k % 2 == 0 { Vector3::y() } else { Vector3::z() })
        };
        let at = Pose::from_translation(if k == 0 { 0.0 } else { 0.2 }, 0.0, 0.0);
        s.link(LinkSpec::new(&name, &parent, joint, at, rod(0.2, 0.5)).damping(if k == 0 {
            0.0
        } else {
            0.05
        }));
        if k % 2 == 0 {
            s.collider(&name, Shape::sphere(0.05).unwrap(), Isometry3::translation(0.1, 0.0, 0.0));
        }
        parent = name;
    }
    s.position("l0", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05]);
    let mut scene = s.build().unwrap();
    scene.settings.dt = 1e-3;
    scene
}

/// The chain on its way along the ground: every contact slides.
pub(crate) fn dragged(links: u32) -> Scene {
    let mut scene = chain(links);
    scene.initial.v[3] = 1.0;
    scene
}

/// One long body in segments on hinges, each on two feet: contacts grow with the links.
pub(crate) fn centipede(segments: u32) -> Scene {
    let mut s = SceneBuilder::new("centipede");
    s.friction(0.8).ground();
    let mut parent = "world".to_owned();
    for k in 0..segments {
        let name = format!("s{k}");
        let joint = if k == 0 { Joint::Free } else { Joint::revolute(Vector3::z()) };
        let at = Pose::from_translation(if k == 0 { 0.0 } else { 0.2 }, 0.0, 0.0);
        let damping = if k == 0 { 0.0 } else { 0.05 };
        s.link(LinkSpec::new(&name, &parent, joint, at, rod(0.2, 0.5)).damping(damping));
        for (side, y) in [("l", 0.1), ("r", -0.1)] {
            let leg = format!("{name}{side}");
            let at = Pose::new(Pose::rotation_about(&Vector3::y(), FRAC_PI_2), Vector3::new(0.1, y, 0.0));
            let slide = Joint::prismatic(Vector3::x());
            s.link(LinkSpec::new(&leg, &name, slide, at, rod(0.1, 0.1)).spring(2e3, 0.0).damping(20.0));
            s.collider(&leg, Shape::sphere(0.02).unwrap(), Isometry3::translation(0.1, 0.0, 0.0));
        }
        parent = name;
    }
    s.position("s0", &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.12]);
    let mut scene = s.build().unwrap();
    scene.settings.dt = 1e-3;
    scene
}
