//! A model in numbers, for comparing with other readers of the same file.

use gudgeon_multibody::{LinkId, State, Workspace, kinematics};
use gudgeon_sim::{Controller, Scene};
use serde_json::{Value, json};

use crate::report::ImportReport;

/// `{"name","mass","dof","n_q","links","bodies":[{"name","link","mass","com","inertia"}],"joints":[{"name","link","kind",
/// "reference"}],"loops","couplings","colliders","visuals","controllers","actuators","sensors","sites"}`; inertia about the centre of mass, in the body's frame.
pub fn facts(scene: &Scene, report: &ImportReport) -> Value {
    let bodies: Vec<Value> = report
        .frames
        .iter()
        .map(|f| {
            let (i, c) = (f.inertia.about_com.to_matrix(), f.inertia.com);
            let rows: Vec<Vec<f64>> = (0..3).map(|r| (0..3).map(|k| i[(r, k)]).collect()).collect();
            json!({"name": f.name, "link": f.link, "mass": f.inertia.mass, "com": [c.x, c.y, c.z], "inertia": rows})
        })
        .collect();
    let joints: Vec<Value> = report
        .joints
        .iter()
        .map(|j| json!({"name": j.name, "link": j.link, "kind": j.kind, "reference": j.reference}))
        .collect();
    let actuators: Vec<&str> = scene
        .controllers
        .iter()
        .filter_map(|c| if let Controller::Actuator(a) = c { Some(a.name.as_str()) } else { None })
        .collect();
    let sensors: Vec<Value> =
        scene.equipment.sensors.iter().map(|s| json!({"name": s.name, "width": s.kind.width()})).collect();
    json!({
        "name": scene.name,
        "mass": scene.model.mass(),
        "dof": scene.model.n_v(),
        "n_q": scene.model.n_q(),
        "links": scene.model.n_links() - 1,
        "bodies": bodies,
        "joints": joints,
        "loops": scene.model.loops().len(),
        "couplings": scene.model.couplings().len(),
        "colliders": scene.colliders.len(),
        "visuals": scene.visuals.len(),
        "controllers": scene.controllers.len(),
        "actuators": actuators,
        "sensors": sensors,
        "sites": scene.equipment.sites.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
    })
}

/// `[{"name","position","rotation"}]` of every body of the file, rotation row by row.
///
/// `q` holds the coordinates of each joint of the report in turn: a number in the file's own meaning, w x y z for a
/// ball, w x y z and position for a free joint; joints beyond the list stay where the scene starts.
pub fn poses_at(scene: &Scene, report: &ImportReport, q: &[Vec<f64>]) -> Result<Value, String> {
    let mut state = State { q: scene.initial.q.clone(), v: Vec::new() };
    for (joint, values) in report.joints.iter().zip(q) {
        let id = scene.model.find(&joint.link).ok_or_else(|| format!("no link '{}'", joint.link))?;
        let range = scene.model.link(id).q_range();
        if range.len() != values.len() {
            return Err(format!(
                "joint '{}' has {} coordinates, not {}",
                joint.name,
                range.len(),
                values.len()
            ));
        }
        for (target, value) in state.q[range].iter_mut().zip(values) {
            *target = value - joint.reference;
        }
    }
    let mut ws = Workspace::new(&scene.model);
    kinematics(&scene.model, &state.q, &mut ws);
    let mut list = Vec::new();
    for f in &report.frames {
        let id = if f.link == "world" { Some(LinkId::WORLD) } else { scene.model.find(&f.link) };
        let id = id.ok_or_else(|| format!("no link '{}'", f.link))?;
        let x = ws.pose(id).compose(&f.pose);
        let rows: Vec<Vec<f64>> = (0..3).map(|r| (0..3).map(|k| x.rotation[(r, k)]).collect()).collect();
        let p = x.translation;
        list.push(json!({"name": f.name, "position": [p.x, p.y, p.z], "rotation": rows}));
    }
    Ok(Value::Array(list))
}
