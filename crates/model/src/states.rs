//! A scene at given states: accelerations, sensors, actuators and axes, for comparing with another engine.

use gudgeon_sim::{Controller, Dynamics, Scene, Simulator};
use serde_json::{Value, json};

/// For each `{"qpos", "qvel", "ctrl", "act"}` in MuJoCo's order: `{"qacc", "sensors", "actuators", "axes"}`, or `{"error"}`.
///
/// Accelerations are those where nothing touches, no limit is reached and no loop is held; actuators give length, rate and
/// force each; axes are those of the file's joints in the world, in its order, a point on each, and zeros for balls
/// and free joints.
pub fn at_states(scene: &Scene, asked: &[Value]) -> Result<Vec<Value>, String> {
    let mut sim = Simulator::new(scene).map_err(|e| e.to_string())?;
    let mut answers = Vec::new();
    for ask in asked {
        let list = |key: &str| -> Vec<f64> {
            ask[key].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
        };
        let Some(state) = scene.equipment.from_mujoco(&scene.model, &list("qpos"), &list("qvel")) else {
            answers.push(json!({"error": "the sizes of qpos and qvel are others"}));
            continue;
        };
        sim.set_state(&state);
        let (controls, mut states) = (list("ctrl"), list("act").into_iter());
        let mut k = 0;
        for index in 0..sim.controllers().len() {
            if let Some(Controller::Actuator(a)) = sim.controller_mut(index) {
                a.control = controls.get(k).copied().unwrap_or(0.0);
                if a.dynamics != Dynamics::None {
                    a.activation = states.next().unwrap_or(0.0);
                }
                k += 1;
            }
        }
        let mut qacc = Vec::new();
        let own = sim.accelerations().to_vec();
        scene.equipment.rates_to_mujoco(&scene.model, &own, &mut qacc);
        let readings = sim.actuator_readings().to_vec();
        let sensors = sim.sense().to_vec();
        answers.push(
            json!({"qacc": qacc, "sensors": sensors, "actuators": readings, "axes": axes(scene, &sim)}),
        );
    }
    Ok(answers)
}

/// Axis and a point on it of every joint of the file.
fn axes(scene: &Scene, sim: &Simulator) -> Vec<[f64; 6]> {
    let joint = |link: gudgeon_multibody::LinkId| {
        let l = scene.model.link(link);
        if l.joint.n_v() != 1 {
            return [0.0; 6];
        }
        let s = sim.workspace().axis(l.v_start);
        let turns = s.angular.norm() > 0.5;
        let (axis, p) = (if turns { s.angular } else { s.linear }, sim.workspace().pose(link).translation);
        [axis.x, axis.y, axis.z, p.x, p.y, p.z]
    };
    scene.equipment.joints.iter().map(|j| joint(j.link)).collect()
}
