//! What a run would stumble on, told beforehand: loops that do not close, controllers without a joint, limits in degrees, margins
//! that are wide for the size.

use std::f64::consts::{SQRT_2, TAU};

use gudgeon_multibody::{ConstraintSolver, LinkId, Workspace, kinematics};
use gudgeon_sim::{Controller, Scene};

use crate::report::{Finding, ImportReport, Severity};

/// A loop that is open by less, m or rad, is closed: the simulator takes as much.
const CLOSED: f64 = 1e-6;

/// Of the size of the machine, or rad: a link that is moved or turned by more to close loops is worth a word. Lengths are written to four digits
/// and more.
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
    let before: Vec<_> = (0..model.n_links()).map(|k| ws.pose(LinkId(k))).collect();
    let mut state = scene.initial.clone();
    let left = ConstraintSolver::new(model).settle_with(model, &mut state, None, &mut ws);
    let name = |id: LinkId| model.link(id).name.as_str();
    let fix = "check lengths and places, or start nearer to where it closes";
    if left.error.is_nan() || left.error > CLOSED {
        // as far as they can be closed all at once, the widest first
        let mut open: Vec<_> = model.loops().iter().map(|l| (l.gap(&ws), l)).collect();
        open.retain(|(gap, _)| gap.is_nan() || *gap > CLOSED);
        open.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (gap, l) in &open {
            let what = format!("cannot be closed: {:.3e} m or rad is left, {gap:.3e} m here", left.error);
            warn(report, format!("loop of '{}' and '{}'", name(l.a), name(l.b)), what, fix);
        }
        if open.is_empty() {
            let (subject, at) = match model.loops() {
                [] => ("couplings", "cannot all hold"),
                _ => ("loops and couplings", "cannot all hold, or turns of a loop do not agree"),
            };
            warn(report, subject.to_owned(), format!("{at}: {:.3e} is left", left.error), fix);
        }
        return;
    }
    let moved = |k: usize| (ws.pose(LinkId(k)).translation - before[k].translation).norm();
    let turned = |k: usize| (ws.pose(LinkId(k)).rotation - before[k].rotation).norm() / SQRT_2;
    let most = |by: &dyn Fn(usize) -> f64| (1..model.n_links()).max_by(|a, b| by(*a).total_cmp(&by(*b)));
    let (Some(farthest), Some(widest)) = (most(&moved), most(&turned)) else { return };
    let from = ws.pose(LinkId(farthest)).translation;
    let size =
        (1..model.n_links()).map(|k| (ws.pose(LinkId(k)).translation - from).norm()).fold(0.0, f64::max);
    let told = if moved(farthest) > (MOVED * size).max(CLOSED) {
        Some((farthest, format!("is moved by {:.3e} m", moved(farthest))))
    } else {
        (turned(widest) > MOVED).then(|| (widest, format!("is turned by {:.3e} rad", turned(widest))))
    };
    if let Some((k, what)) = told {
        let subject = format!("'{}'", name(LinkId(k)));
        let what = format!("{what} to close the loops at the start");
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

/// Whether an angle is more than a turn, and a whole or half number as people write degrees.
fn like_degrees(x: f64) -> bool {
    x.is_finite() && x.abs() > TAU && (2.0 * x).fract() == 0.0
}

fn degrees(scene: &Scene, report: &mut ImportReport) {
    let fix = "if these are degrees, write \"= 90 deg\"";
    for link in &scene.model.links()[1..] {
        for (_, dof) in link.v_range().enumerate().filter(|(k, _)| link.joint.turns(*k)) {
            let limits = &scene.model.dofs()[dof];
            let both = [limits.lower, limits.upper];
            let subject = format!("joint of '{}'", link.name);
            let as_degrees = |x: &f64| !x.is_finite() || *x == 0.0 || like_degrees(*x);
            let widest = both.iter().filter(|x| x.is_finite()).fold(0.0_f64, |m, x| m.max(x.abs()));
            if widest > TAU && both.iter().all(as_degrees) {
                let what = format!("limits of {} to {} rad are {:.1} turns", both[0], both[1], widest / TAU);
                warn(report, subject, what, fix);
            } else if let Some(q) = scene.model.dof_coordinate(dof).map(|c| scene.initial.q[c])
                && like_degrees(q)
            {
                warn(report, subject, format!("starts at {q} rad, {:.1} turns", q.abs() / TAU), fix);
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
