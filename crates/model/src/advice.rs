//! What a run would stumble on, told beforehand: loops that do not close, controllers without a joint, limits in degrees, margins
//! that are wide for the size.

use std::f64::consts::TAU;

use gudgeon_multibody::{ConstraintSolver, LinkId, Workspace, kinematics};
use gudgeon_sim::{Controller, Scene, dof_turns};

use crate::report::{Finding, ImportReport, Severity};

/// A loop that is open by less, m or rad, is closed: the simulator takes as much.
const CLOSED: f64 = 1e-6;

/// A link that is moved by more than this part of its distance from the others, m, to close loops is worth a word.
const MOVED: f64 = 1e-4;

/// Of the smallest moving shape's largest side; a margin above makes contacts of bodies that are far apart for their size.
const WIDE_MARGIN: f64 = 0.1;

pub(crate) fn examine(scene: &Scene, report: &mut ImportReport) {
    loops(scene, report);
    controllers(scene, report);
    degrees(scene, report);
    margin(scene, report);
}

fn warn(report: &mut ImportReport, subject: String, what: String, fix: &str) {
    report.findings.push(Finding { severity: Severity::Warning, subject, what, fix: fix.to_owned() });
}

fn loops(scene: &Scene, report: &mut ImportReport) {
    let model = &scene.model;
    if model.loops().is_empty() && model.couplings().is_empty() {
        return;
    }
    let mut ws = Workspace::new(model);
    kinematics(model, &scene.initial.q, &mut ws);
    let before: Vec<_> = (0..model.n_links()).map(|k| ws.pose(LinkId(k)).translation).collect();
    let mut state = scene.initial.clone();
    let left = ConstraintSolver::new(model).settle_with(model, &mut state, None, &mut ws);
    let name = |id: LinkId| model.link(id).name.as_str();
    if left.error.is_nan() || left.error > CLOSED {
        let worst = model.loops().iter().max_by(|a, b| a.gap(&ws).total_cmp(&b.gap(&ws)));
        let (subject, what) = worst.map_or_else(
            || ("couplings".to_owned(), format!("cannot all hold: {:.3e} is left", left.error)),
            |l| {
                let what = format!(
                    "cannot be closed: {:.3e} m or rad is left, {:.3e} m here",
                    left.error,
                    l.gap(&ws)
                );
                (format!("loop of '{}' and '{}'", name(l.a), name(l.b)), what)
            },
        );
        warn(report, subject, what, "check lengths and places, or start nearer to where it closes");
        return;
    }
    let moved = |k: usize| (ws.pose(LinkId(k)).translation - before[k]).norm();
    let Some(most) = (1..model.n_links()).max_by(|a, b| moved(*a).total_cmp(&moved(*b))) else { return };
    if moved(most) > MOVED {
        let subject = format!("'{}'", name(LinkId(most)));
        let what = format!("is moved by {:.3e} m to close the loops at the start", moved(most));
        warn(report, subject, what, "give initial positions that close them");
    }
}

fn controllers(scene: &Scene, report: &mut ImportReport) {
    for controller in &scene.controllers {
        let joints: Vec<&str> = match controller {
            Controller::Force { link, .. } | Controller::Motor { link, .. } => vec![link],
            Controller::Pd { motion, .. }
            | Controller::ComputedTorque { motion, .. }
            | Controller::HighGain { motion } => motion.joints().iter().map(String::as_str).collect(),
            Controller::Actuator(_) => Vec::new(),
        };
        for joint in joints {
            let link = scene.model.find(joint).map(|id| scene.model.link(id));
            if link.is_none_or(|l| l.joint.n_v() == 0) {
                let what = match link {
                    None => "there is no such joint".to_owned(),
                    Some(_) => "that joint is fixed".to_owned(),
                };
                warn(
                    report,
                    format!("controller of '{joint}'"),
                    what,
                    "name the child of a joint that moves",
                );
            }
        }
    }
}

fn degrees(scene: &Scene, report: &mut ImportReport) {
    for link in &scene.model.links()[1..] {
        for (k, dof) in link.v_range().enumerate() {
            let limits = &scene.model.dofs()[dof];
            let both = [limits.lower, limits.upper];
            let widest = both.iter().filter(|x| x.is_finite()).fold(0.0_f64, |m, x| m.max(x.abs()));
            // more than a turn, and whole fives as people write degrees
            let round = both.iter().all(|x| !x.is_finite() || (x / 5.0).fract() == 0.0);
            if dof_turns(&link.joint, k) && widest > TAU && round {
                let what = format!("limits of {} to {} rad are {:.1} turns", both[0], both[1], widest / TAU);
                warn(
                    report,
                    format!("joint of '{}'", link.name),
                    what,
                    "if these are degrees, write \"= 90 deg\"",
                );
            }
        }
    }
}

fn margin(scene: &Scene, report: &mut ImportReport) {
    let Some(margin) = scene.settings.margin else { return };
    let sides = scene.colliders.iter().filter(|c| c.link != LinkId::WORLD).map(|c| {
        let aabb = c.shape.aabb(&c.pose);
        (aabb.hi - aabb.lo).max()
    });
    let smallest = sides.filter(|s| s.is_finite() && *s > 0.0).fold(f64::INFINITY, f64::min);
    if margin > WIDE_MARGIN * smallest {
        let what = format!(
            "{margin:.3e} m is wide beside a shape of {smallest:.3e} m: contacts that never close are solved for"
        );
        report.findings.push(Finding {
            severity: Severity::Note,
            subject: "margin".to_owned(),
            what,
            fix: "leave it out: it follows from the sizes".to_owned(),
        });
    }
}
