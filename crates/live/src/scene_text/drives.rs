//! What ties and moves bodies, as keys of scene files: loops, couplings, cams, pushes, controllers.

use std::fmt::Write;

use gudgeon_multibody::{Coupling, LinkId, LoopKind};
use gudgeon_sim::{Actuator, Bias, Controller, Dynamics, Gain, JointMotion, Path, Scene, Simulator};
use gudgeon_spatial::{Pose, Quaternion};

use super::{list, number, quoted};

/// Ties, pushes and controllers as they are now.
pub(super) fn drives(text: &mut String, scene: &Scene, sim: &Simulator, lost: &mut Vec<String>) {
    ties(text, scene, lost);
    pushes(text, scene, sim.time());
    for controller in sim.controllers() {
        match written(controller, scene, sim.time()) {
            Some(table) => {
                let _ = write!(text, "\n[[controller]]\n{table}");
            }
            None => lost.push(name_of(controller)),
        }
    }
}

fn name(scene: &Scene, link: LinkId) -> String {
    quoted(&scene.model.link(link).name)
}

fn ties(text: &mut String, scene: &Scene, lost: &mut Vec<String>) {
    for (a, b) in &scene.apart {
        let _ = write!(text, "\n[[apart]]\na = {}\nb = {}\n", name(scene, *a), name(scene, *b));
    }
    for tie in scene.model.loops() {
        let kind = match tie.kind {
            LoopKind::Point => "point",
            LoopKind::Revolute => "revolute",
            LoopKind::Weld => "weld",
            LoopKind::Line => "line",
            LoopKind::Cylindrical => "cylindrical",
            LoopKind::Prismatic => "prismatic",
            LoopKind::Plane => "plane",
        };
        let (a, b) = (name(scene, tie.a), name(scene, tie.b));
        let _ = write!(text, "\n[[loop]]\ntype = \"{kind}\"\na = {a}\nb = {b}\n");
        frame(text, "a", &tie.frame_a);
        frame(text, "b", &tie.frame_b);
    }
    for coupling in scene.model.couplings() {
        if !tied(text, scene, coupling) {
            lost.push("a coupling along a curve".to_owned());
        }
    }
}

fn frame(text: &mut String, end: &str, at: &Pose) {
    let q = Quaternion::from_matrix(&at.rotation);
    let _ = write!(
        text,
        "position_{end} = {}\norientation_{end} = {}\n",
        list(at.translation.iter()),
        list([q.w, q.x, q.y, q.z].iter())
    );
}

/// A coupling, or a cam if it has a curve through knots; false if a file has no word for it.
fn tied(text: &mut String, scene: &Scene, coupling: &Coupling) -> bool {
    let place = |dof: usize| {
        let id = scene.model.dof_link(dof);
        (name(scene, id), dof - scene.model.link(id).v_start)
    };
    let Some((shaft, curve)) = &coupling.curve else {
        let terms = coupling.terms.iter().map(|(dof, c)| {
            let (joint, dof) = place(*dof);
            format!("{{ joint = {joint}, dof = {dof}, coefficient = {c:?} }}")
        });
        let terms: Vec<String> = terms.collect();
        let offset = coupling.offset;
        let _ = write!(text, "\n[[coupling]]\nterms = [{}]\noffset = {offset:?}\n", terms.join(", "));
        return true;
    };
    // q of the follower is the curve at q of the shaft, and nothing else takes part
    let mut others = coupling.terms.iter().filter(|(dof, c)| dof != shaft || *c != 0.0);
    let (Some((follower, 1.0)), None) = (others.next(), others.next()) else { return false };
    let (Some((x, y, closed)), (follower, 0), (shaft, 0)) = (curve.knots(), place(*follower), place(*shaft))
    else {
        return false;
    };
    // a file's cam repeats its first lift after a turn
    let turn = x[x.len() - 1] - x[0];
    let round = (turn - std::f64::consts::TAU).abs() < 1e-9 && y[0] == y[y.len() - 1];
    if coupling.offset != 0.0 || (closed && !round) {
        return false;
    }
    let _ = write!(
        text,
        "\n[[cam]]\nfollower = {follower}\nshaft = {shaft}\nangles = {}\nlifts = {}\nclosed = {closed}\n",
        list(x.iter()),
        list(y.iter())
    );
    true
}

/// Pushes that are not over, their times from now on.
fn pushes(text: &mut String, scene: &Scene, now: f64) {
    for push in scene.pushes.iter().filter(|p| p.until > now) {
        let _ = write!(
            text,
            "\n[[push]]\nbody = {}\nforce = {}\ntorque = {}\nfrom = {}\nuntil = {}\n",
            name(scene, push.link),
            list(push.force.iter()),
            list(push.torque.iter()),
            number(push.from - now),
            number(push.until - now)
        );
        if let Some(point) = &push.point {
            let _ = writeln!(text, "point = {}", list(point.iter()));
        }
    }
}

/// The keys of a controller; none if a file has no word for it.
fn written(controller: &Controller, scene: &Scene, now: f64) -> Option<String> {
    Some(match controller {
        Controller::Force { link, dof, force } => force_keys(&quoted(link), *dof, *force),
        Controller::Motor { link, dof, velocity, effort } => format!(
            "type = \"motor\"\njoint = {}\ndof = {dof}\nvelocity = {velocity:?}\neffort = {}\n",
            quoted(link),
            number(*effort)
        ),
        Controller::Pd { motion, stiffness, damping, effort } => format!(
            "type = \"pd\"\nstiffness = {stiffness:?}\ndamping = {damping:?}\neffort = {}\n{}",
            number(*effort),
            motion_keys(motion, now)
        ),
        Controller::ComputedTorque { motion, stiffness, damping } => format!(
            "type = \"computed-torque\"\nstiffness = {stiffness:?}\ndamping = {damping:?}\n{}",
            motion_keys(motion, now)
        ),
        Controller::HighGain { motion } => format!("type = \"high-gain\"\n{}", motion_keys(motion, now)),
        Controller::Actuator(actuator) => drive(actuator, scene)?,
    })
}

fn name_of(controller: &Controller) -> String {
    match controller {
        Controller::Actuator(actuator) => format!("the actuator {}", quoted(&actuator.name)),
        _ => "a controller".to_owned(),
    }
}

fn force_keys(joint: &str, dof: usize, force: f64) -> String {
    format!("type = \"force\"\njoint = {joint}\ndof = {dof}\nforce = {force:?}\n")
}

fn motion_keys(motion: &JointMotion, now: f64) -> String {
    let joints: Vec<String> = motion.joints().iter().map(|j| quoted(j)).collect();
    let times: Vec<f64> = motion.knots().map(|(t, _)| t - now).collect();
    let values: Vec<String> = motion.knots().map(|(_, row)| list(row.iter())).collect();
    format!(
        "joints = [{}]\ntimes = {}\nvalues = [{}]\n",
        joints.join(", "),
        list(times.iter()),
        values.join(", ")
    )
}

/// An actuator of one joint as a force, or as a spring towards where its control has it:
/// τ = G (g u + b₀ + b₁ G (q + r) + b₂ G q̇) = k (q* − q) − d q̇ with k = −b₁ G², d = −b₂ G².
fn drive(actuator: &Actuator, scene: &Scene) -> Option<String> {
    let (Path::Joint(term), Gain::Fixed(gain), Dynamics::None) =
        (&actuator.path, actuator.gain, actuator.dynamics)
    else {
        return None;
    };
    let (joint, over) = (name(scene, term.link), actuator.gear * term.coefficient);
    let push = gain * actuator.clamped();
    let [lo, hi] = actuator.force_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    match actuator.bias {
        Bias::None => Some(force_keys(&joint, term.dof, over * push.clamp(lo, hi))),
        Bias::Affine([b0, b1, b2]) if b1 < 0.0 && b2 <= 0.0 && -lo == hi && term.dof == 0 => {
            let (stiffness, damping) = (-b1 * over * over, -b2 * over * over);
            let target = over * (push + b0 + b1 * over * term.reference) / stiffness;
            let effort = number(hi * over.abs());
            Some(format!(
                "type = \"pd\"\njoint = {joint}\nstiffness = {stiffness:?}\ndamping = {damping:?}\neffort = {effort}\ntarget = {target:?}\n"
            ))
        }
        _ => None,
    }
}
