//! What a page is told in words: what there is to set, once and on changes; how it goes, a few times a second.

use std::sync::Arc;

use gudgeon_multibody::LinkId;
use gudgeon_sim::{Controller, Scene, Simulator, StepReport, dof_names, recording_header};
use serde_json::{Value, json};

use crate::session::Session;
use crate::wire::joint_dofs;

/// A state to go to by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyframe {
    /// What it is called.
    pub name: String,
    /// Positions, n_q.
    pub q: Vec<f64>,
    /// Velocities, n_v.
    pub v: Vec<f64>,
    /// What actuators are told: number among the controllers, and control.
    pub controls: Vec<(usize, f64)>,
}

/// The keyframes of a scene that are of its whole model.
pub(crate) fn keyframes(scene: &Scene) -> Vec<Keyframe> {
    let all = scene.equipment.keyframes.iter().enumerate().filter_map(|(k, key)| {
        let state = scene.equipment.keyframe_state(&scene.model, key, &scene.initial)?;
        let name = if key.name.is_empty() { format!("key {k}") } else { key.name.clone() };
        let actuators = scene.controllers.iter().enumerate();
        let actuators = actuators.filter(|(_, c)| matches!(c, Controller::Actuator(_))).map(|(k, _)| k);
        let controls = actuators.zip(key.control.iter().copied()).collect();
        Some(Keyframe { name, q: state.q, v: state.v, controls })
    });
    all.collect()
}

/// Everything that can be set, and the bodies that were added after the page was made.
pub(crate) fn settings(
    sim: &Simulator,
    session: &Session,
    keyframes: &[Keyframe],
    base: usize,
    passive: bool,
) -> Value {
    let scene = session.scene();
    let g = scene.model.gravity();
    json!({
        "kind": "settings",
        "passive": passive,
        "fixed": session.fixed,
        "version": session.version(),
        "dt": sim.settings.dt,
        "gravity": [g.x, g.y, g.z],
        "friction": scene.materials.first().map_or(0.0, |m| m.friction),
        "bodies": bodies(scene),
        "added": added(scene, base),
        "controls": controls(sim),
        "joints": joints(sim),
        "keyframes": keyframes.iter().map(|k| &k.name).collect::<Vec<_>>(),
        "pinned": session.hands().pinned().collect::<Vec<_>>(),
    })
}

/// Mass and friction of every body, the world first.
fn bodies(scene: &Scene) -> Vec<Value> {
    let friction = |link: usize| {
        let own = scene.colliders.iter().find(|c| c.link == LinkId(link));
        own.map(|c| scene.materials[c.material].friction)
    };
    let links = scene.model.links().iter().enumerate();
    links.map(|(k, l)| json!({"mass": l.inertia.mass, "friction": friction(k)})).collect()
}

/// Bodies from number `base` on, as in the header of a recording.
fn added(scene: &Arc<Scene>, base: usize) -> Value {
    if scene.model.n_links() <= base {
        return json!([]);
    }
    let own =
        |list: &[gudgeon_sim::Placed]| list.iter().filter(|p| p.link.0 >= base).cloned().collect::<Vec<_>>();
    // the others' meshes are known to the page, and long
    let few = Scene { colliders: own(&scene.colliders), visuals: own(&scene.visuals), ..(**scene).clone() };
    let header = recording_header(&few, 1);
    header["bodies"].as_array().map_or(json!([]), |all| json!(all[base..]))
}

fn controls(sim: &Simulator) -> Vec<Value> {
    let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    let all = sim.controllers().iter().map(|controller| match controller {
        Controller::Force { link, dof, force } => {
            json!({"kind": "force", "names": [named(link, *dof)], "values": [force], "effort": effort(sim, link, *dof)})
        }
        Controller::Motor { link, dof, velocity, effort } => {
            json!({"kind": "motor", "names": [named(link, *dof)], "values": [velocity], "effort": finite(*effort)})
        }
        Controller::Actuator(actuator) => {
            let most = actuator.force_range.map_or(Value::Null, |[lo, hi]| finite(lo.abs().max(hi.abs())));
            let range = actuator.control_range.map_or(Value::Null, |r| json!(r.map(finite)));
            json!({"kind": "actuator", "names": [actuator.name], "values": [actuator.control], "effort": most, "range": range})
        }
        Controller::Pd { motion, effort, .. } => {
            json!({"kind": "pd", "names": motion.joints(), "values": targets(motion, sim.time()), "effort": finite(*effort)})
        }
        Controller::ComputedTorque { motion, .. } => {
            json!({"kind": "computed torque", "names": motion.joints(), "values": targets(motion, sim.time())})
        }
        Controller::HighGain { motion } => {
            json!({"kind": "prescribed", "names": motion.joints(), "values": targets(motion, sim.time())})
        }
    });
    all.collect()
}

fn named(link: &str, dof: usize) -> String {
    if dof == 0 { link.to_owned() } else { format!("{link} [{dof}]") }
}

fn targets(motion: &gudgeon_sim::JointMotion, time: f64) -> Vec<f64> {
    (0..motion.joints().len()).map(|j| motion.at(j, time)[0]).collect()
}

fn effort(sim: &Simulator, link: &str, dof: usize) -> Value {
    let id = sim.model().find(link);
    let effort = id.map(|id| sim.model().dofs()[sim.model().link(id).v_start + dof].effort);
    effort.filter(|x| x.is_finite()).map_or(Value::Null, |x| json!(x))
}

/// Joints that a slider can move: name, dof and limits.
fn joints(sim: &Simulator) -> Vec<Value> {
    let model = sim.model();
    let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    let names = dof_names(model, sim.equipment());
    let all = joint_dofs(sim).into_iter().map(|dof| {
        let limits = &model.dofs()[dof];
        let link = model.link(model.dof_link(dof));
        json!({"name": names[dof], "dof": dof, "lower": finite(limits.lower), "upper": finite(limits.upper),
               "turns": link.joint.turns(dof - link.v_start), "effort": finite(limits.effort),
               "force": sim.control[dof]})
    });
    all.collect()
}

/// How it goes.
pub(crate) struct Pulse<'a> {
    pub(crate) running: bool,
    pub(crate) speed: f64,
    pub(crate) report: Option<&'a StepReport>,
    pub(crate) trouble: Option<&'a str>,
    pub(crate) pages: usize,
}

/// A few words about how it goes.
pub(crate) fn pulse(session: &Session, pulse: &Pulse) -> Value {
    let solve = pulse.report.and_then(|r| r.solve);
    let (earliest_step, earliest) = session.earliest();
    json!({
        "kind": "pulse",
        "running": pulse.running,
        "speed": pulse.speed,
        "trouble": pulse.trouble,
        "pages": pulse.pages,
        "earliest": earliest,
        "earliest_step": earliest_step,
        "recording": session.tape.rolling,
        "frames": session.tape.frames(),
        "events": session.tape.events.len(),
        "status": solve.map_or("nothing to solve", |s| s.status.name()),
        "fallback": solve.map_or("none", |s| s.fallback.name()),
        "contacts": pulse.report.map_or(0, |r| r.contacts),
    })
}
