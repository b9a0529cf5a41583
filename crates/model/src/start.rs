//! Where joints start: what was asked for by name, and what couplings make of it.

use std::collections::BTreeSet;

use gudgeon_multibody::{Joint, LinkId};
use gudgeon_sim::{Controller, Scene};
use gudgeon_spatial::Quaternion;

use crate::assembly::{Assembly, CouplingPart};
use crate::doctor::overlaps;
use crate::error::{ModelFileError, Place};
use crate::report::{Finding, ImportReport, JointInfo, Severity};
use crate::tolerances::NO_DIRECTION;

/// How far outside of its limits a joint may start, rad or m: what is undone within the first step.
const OUTSIDE: f64 = 1e-6;

/// Overlap that no shape drawn too large has, m.
const THROUGH: f64 = 0.01;

/// Part of the overlap that a keyframe may have left to be the better start.
const PARTED: f64 = 0.1;

/// Names of joints that an error lists.
const LISTED: usize = 12;

/// Puts joints where `asked` wants them, by the name of the joint or of the link it moves, in the file's own meaning;
/// joints that are coupled to these follow. `at` is who asks.
pub(crate) fn place(
    assembly: &mut Assembly,
    joints: &[JointInfo],
    asked: &[(String, Vec<f64>)],
    at: &Place,
) -> Result<(), ModelFileError> {
    let mut known = BTreeSet::new();
    for (name, values) in asked {
        let info = joints.iter().find(|j| &j.name == name).or(joints.iter().find(|j| &j.link == name));
        let Some(info) = info else { return Err(unknown(name, joints, at)) };
        let wrong = |value: String, expected: String| ModelFileError::Value {
            at: at.clone(),
            what: format!("position of joint '{name}'"),
            value,
            expected,
        };
        let joint = assembly.links.iter().find(|l| l.name == info.link).map_or(Joint::Fixed, |l| l.joint);
        if values.len() != joint.n_q() {
            let expected = match (joint.n_q(), joint.has_quaternion()) {
                (7, true) => "7: a turn w x y z and a place x y z".to_owned(),
                (_, true) => "4: a turn w x y z".to_owned(),
                (n, false) => n.to_string(),
            };
            return Err(wrong(format!("{} numbers", values.len()), expected));
        }
        if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
            return Err(wrong(bad.to_string(), "finite numbers".into()));
        }
        let mut q: Vec<f64> = values.iter().map(|v| v - info.reference).collect();
        if joint.has_quaternion() {
            let turn = Quaternion::read(&q);
            if turn.norm() < NO_DIRECTION {
                return Err(wrong("0 0 0 0".into(), "a turn w x y z that is not zero".into()));
            }
            turn.normalized().write(&mut q);
        }
        assembly.positions.insert(info.link.clone(), q);
        known.insert(info.link.clone());
    }
    follow(assembly, &mut known);
    Ok(())
}

/// An MJCF file's own start is where its joints read zero, or their `ref`, within their limits or not: a limit that is soft brings them in
/// after some time, one that is hard would have been passed before time began, with fingers on the wrong side of each other.
/// A slide of what stands fixed that starts outside of its limits starts at the nearest of them, unless it carries a loop, which has only
/// the one start; what is coupled to it follows. A robot that floats gives way as its joints come in,
/// and hinges turn in: both keep the file's start.
pub(crate) fn within_limits(
    assembly: &mut Assembly,
    asked: &[(String, Vec<f64>)],
    report: &mut ImportReport,
) {
    let is_asked = |link: &str, joints: &[JointInfo]| {
        let own = |j: &&JointInfo| j.link == link;
        asked.iter().any(|(name, _)| name == link || joints.iter().filter(own).any(|j| &j.name == name))
    };
    let kept: BTreeSet<String> = carriers_of_loops(assembly).into_iter().chain(floating(assembly)).collect();
    let mut known = BTreeSet::new();
    for k in 0..assembly.links.len() {
        let link = &assembly.links[k];
        let ([dof], Joint::Prismatic { .. }) = (&link.dofs[..], link.joint) else { continue };
        let (name, lower, upper) = (link.name.clone(), dof.lower, dof.upper);
        let q = assembly.positions.get(&name).map_or(0.0, |q| q[0]);
        let outside = (lower - q).max(q - upper) > OUTSIDE;
        if !outside || lower > upper || kept.contains(&name) || known.contains(&name) {
            continue;
        }
        if is_asked(&name, &report.joints) {
            continue;
        }
        let start = q.clamp(lower, upper);
        assembly.positions.insert(name.clone(), vec![start]);
        report.findings.push(Finding {
            severity: Severity::Warning,
            subject: format!("joint of '{name}'"),
            what: format!("starts at its limit {start}: the file's start, {q}, is outside of its limits {lower} to {upper}"),
            fix: "start from a keyframe, or give an initial position".into(),
        });
        known.insert(name);
        follow(assembly, &mut known);
    }
}

/// A file whose own start has two robots through each other, deeper than any shape is drawn too large, and whose first keyframe has not,
/// starts there: two arms that no hard contact can part are nobody's start. One that is folded into itself unfolds, and is left.
pub(crate) fn out_of_overlap(scene: &mut Scene, report: &mut ImportReport) {
    let Some(keyframe) = scene.equipment.keyframes.first().cloned() else { return };
    let root = |scene: &Scene, mut id: LinkId| {
        while id != LinkId::WORLD && scene.model.link(id).parent != LinkId::WORLD {
            id = scene.model.link(id).parent;
        }
        id
    };
    let deepest = |scene: &Scene| {
        let apart = |(a, b): &(LinkId, LinkId)| {
            let roots = [root(scene, *a), root(scene, *b)];
            roots[0] != roots[1] && roots.iter().all(|r| *r != LinkId::WORLD)
        };
        overlaps(scene).into_iter().filter(|(pair, _)| apart(pair)).fold(0.0, |m: f64, (_, o)| m.max(o.depth))
    };
    let depth = deepest(scene);
    if depth <= THROUGH {
        return;
    }
    let state = scene.equipment.keyframe_state(&scene.model, &keyframe, &scene.initial);
    let Some(state) = state else { return };
    let own = std::mem::replace(&mut scene.initial, state);
    if deepest(scene) > PARTED * depth {
        scene.initial = own;
        return;
    }
    let actuators = scene.controllers.iter_mut().filter_map(|c| match c {
        Controller::Actuator(a) => Some(a),
        _ => None,
    });
    for (k, actuator) in actuators.enumerate() {
        actuator.control = keyframe.control.get(k).copied().unwrap_or(0.0);
    }
    report.findings.push(Finding {
        severity: Severity::Warning,
        subject: "the start".into(),
        what: format!(
            "is the keyframe '{}': robots are {depth:.2e} m deep in each other at the file's own",
            keyframe.name
        ),
        fix: "choose a keyframe by name".into(),
    });
}

/// Links that hang on a free joint.
fn floating(assembly: &Assembly) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for link in &assembly.links {
        // parents first
        if link.joint == Joint::Free || names.contains(&link.parent) {
            names.insert(link.name.clone());
        }
    }
    names
}

/// Links that a loop hangs on, on either side.
fn carriers_of_loops(assembly: &Assembly) -> BTreeSet<String> {
    let mut carriers = BTreeSet::new();
    for ends in &assembly.loops {
        for end in [&ends.link_a, &ends.link_b] {
            let mut at = end.as_str();
            while let Some(link) = assembly.links.iter().find(|l| l.name == at) {
                carriers.insert(link.name.clone());
                at = &link.parent;
            }
        }
    }
    carriers
}

/// Couplings with one joint that is not known yet give it: Σ cᵢ qᵢ + powers of the last = offset.
fn follow(assembly: &mut Assembly, known: &mut BTreeSet<String>) {
    loop {
        let mut found = None;
        for CouplingPart { terms, powers, offset } in &assembly.couplings {
            let mut open = terms.iter().filter(|t| !known.contains(&t.0));
            let (Some((link, _, c)), None) = (open.next(), open.next()) else { continue };
            if terms.len() > 1 && *c != 0.0 {
                let bent = terms.last().filter(|_| *powers != [0.0; 3]);
                if bent.is_some_and(|t| t.0 == *link) {
                    continue; // its value may not be the only one: the closing of loops finds it
                }
                let rest: f64 = terms
                    .iter()
                    .filter(|t| t.0 != *link)
                    .map(|t| t.2 * assembly.positions.get(&t.0).map_or(0.0, |q| q[t.1]))
                    .sum();
                let x = bent.map_or(0.0, |t| assembly.positions.get(&t.0).map_or(0.0, |q| q[t.1]));
                let bend = x * x * (powers[0] + x * (powers[1] + x * powers[2]));
                found = Some((link.clone(), (offset - rest - bend) / c));
                break;
            }
        }
        let Some((link, q)) = found else { return };
        assembly.positions.insert(link.clone(), vec![q]);
        known.insert(link);
    }
}

fn unknown(name: &str, joints: &[JointInfo], at: &Place) -> ModelFileError {
    let mut names: Vec<&str> = joints.iter().map(|j| j.name.as_str()).take(LISTED).collect();
    if joints.len() > LISTED {
        names.push("...");
    }
    ModelFileError::Value {
        at: at.clone(),
        what: "name of a joint".into(),
        value: name.to_owned(),
        expected: format!("one of {}", names.join(", ")),
    }
}
