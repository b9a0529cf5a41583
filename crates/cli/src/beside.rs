//! `gudgeon check --mujoco`: a model beside MuJoCo's reading of the same file, where Python finds MuJoCo.
//!
//! A short program for `python3` loads the file, puts it into random states (fixed by a seed: joints within their limits, any
//! turns, rates, controls and activations) and prints what MuJoCo says of it with contacts and constraints off; the same states are
//! asked of ours, and every quantity is compared. Differences are relative to the largest number of the same kind, or to
//! 1 where all are smaller.
//!
//! | quantity | of each | unit |
//! |---|---|---|
//! | mass, centre, inertia | body, in its frame | kg, m, kg m² |
//! | axis, anchor | hinge and slide, in the world | 1, m |
//! | force | actuator: gain, bias and ranges at a control | N, N m |
//! | sensor | sensor but touch, range and contact | its own |
//! | acceleration | dof | m/s², rad/s² |

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use gudgeon_model::{ImportReport, at_states, facts};
use gudgeon_sim::Scene;
use serde_json::{Value, json};

/// States that are compared.
const STATES: usize = 5;

/// What equal means, by quantity: our reading of a file against theirs; sensors and accelerations by other formulas.
const LIMITS: [(&str, f64); 8] = [
    ("mass", 1e-6),
    ("centre of mass", 1e-6),
    ("inertia", 1e-6),
    ("joint axis", 1e-6),
    ("joint anchor", 1e-6),
    ("actuator force", 1e-6),
    ("sensor", 1e-6),
    ("acceleration", 1e-8),
];

const PEER: &str = r#"
import json, sys
import mujoco, numpy as np
m = mujoco.MjModel.from_xml_path(sys.argv[1])
d, rng = mujoco.MjData(m), np.random.default_rng(1)
m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
T, S, name = mujoco.mjtJoint, mujoco.mjtSensor, lambda kind, k: mujoco.mj_id2name(m, kind, k) or ""
def inertia(k):
    r = np.zeros(9); mujoco.mju_quat2Mat(r, m.body_iquat[k]); r = r.reshape(3, 3)
    return (r @ np.diag(m.body_inertia[k]) @ r.T).tolist()
def draw():
    mujoco.mj_resetData(m, d)
    for j in range(m.njnt):
        a, v, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], T(m.jnt_type[j])
        if kind in (T.mjJNT_HINGE, T.mjJNT_SLIDE):
            lo, hi = m.jnt_range[j] if m.jnt_limited[j] else (-0.5, 0.5)
            d.qpos[a], d.qvel[v] = lo + (hi - lo) * rng.random(), rng.normal()
        else:
            wide, turn = (7 if kind == T.mjJNT_FREE else 4), rng.normal(size=4)
            d.qpos[a + wide - 4 : a + wide] = turn / np.linalg.norm(turn)
            d.qvel[v : v + wide - 1] = rng.normal(size=wide - 1)
    for k in range(m.nu):
        lo, hi = m.actuator_ctrlrange[k] if m.actuator_ctrllimited[k] else (-1.0, 1.0)
        d.ctrl[k] = lo + (hi - lo) * (1.2 * rng.random() - 0.1)
    d.act[:] = rng.random(m.na)
states = []
for _ in range(int(sys.argv[2])):
    draw()
    s = {k: getattr(d, k).tolist() for k in ("qpos", "qvel", "ctrl", "act")}
    mujoco.mj_forward(m, d)
    s["qacc"], s["sensors"], s["force"] = d.qacc.tolist(), d.sensordata.tolist(), d.actuator_force.tolist()
    s["axes"] = [d.xaxis[j].tolist() + d.xanchor[j].tolist() for j in range(m.njnt)]
    states.append(s)
left_out = (S.mjSENS_TOUCH, S.mjSENS_RANGEFINDER, getattr(S, "mjSENS_CONTACT", -1))
print(json.dumps({"version": mujoco.__version__, "states": states,
    "bodies": [{"name": name(1, k), "mass": m.body_mass[k], "com": m.body_ipos[k].tolist(), "inertia": inertia(k)} for k in range(1, m.nbody)],
    "joints": [{"name": name(3, j), "plain": bool(m.jnt_type[j] >= 2), "hinge": bool(m.jnt_type[j] == 3)} for j in range(m.njnt)],
    "actuators": [name(mujoco.mjtObj.mjOBJ_ACTUATOR, k) for k in range(m.nu)],
    "sensors": [{"name": name(mujoco.mjtObj.mjOBJ_SENSOR, k), "from": int(m.sensor_adr[k]), "width": int(m.sensor_dim[k]),
        "turn": bool(S(m.sensor_type[k]) in (S.mjSENS_FRAMEQUAT, S.mjSENS_BALLQUAT)), "left_out": bool(S(m.sensor_type[k]) in left_out)} for k in range(m.nsensor)]}))
"#;

/// The largest difference of one quantity.
#[derive(Debug, Clone, Default)]
struct Worst {
    count: usize,
    off: f64,
    whose: String,
}

impl Worst {
    /// Two lists of numbers of one thing.
    fn see(&mut self, whose: &str, ours: &[f64], theirs: &[f64]) {
        self.count += 1;
        let size = theirs.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let off = if ours.len() == theirs.len() {
            ours.iter().zip(theirs).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs() / size))
        } else {
            f64::INFINITY
        };
        // a number that is none is as far off as can be
        let off = if off.is_nan() { f64::INFINITY } else { off };
        if off > self.off || self.whose.is_empty() {
            self.off = off;
            whose.clone_into(&mut self.whose);
        }
    }
}

/// What the comparison came to: lines for people, JSON for scripts, and whether all is equal.
#[derive(Debug)]
pub(crate) struct Comparison {
    version: String,
    rows: Vec<(&'static str, f64, Worst)>,
    missing: Vec<String>,
}

impl Comparison {
    pub(crate) fn is_equal(&self) -> bool {
        self.missing.is_empty() && self.rows.iter().all(|(_, limit, w)| w.off <= *limit)
    }

    pub(crate) fn to_json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|(what, limit, w)| {
                // JSON has no infinity
                let off = if w.off.is_finite() { json!(w.off) } else { Value::Null };
                json!({"quantity": what, "count": w.count, "off": off, "limit": limit, "whose": w.whose})
            })
            .collect();
        json!({"version": self.version, "equal": self.is_equal(), "rows": rows, "missing": self.missing})
    }
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "beside MuJoCo {}, {STATES} random states, contacts and constraints off:", self.version)?;
        writeln!(f, "  quantity        compared  largest difference  equal  whose")?;
        for (what, limit, w) in self.rows.iter().filter(|r| r.2.count > 0) {
            let equal = if w.off <= *limit { "yes" } else { "NO" };
            writeln!(f, "  {what:<15} {:>8}  {:>18.1e}  {equal:<5}  {}", w.count, w.off, w.whose)?;
        }
        for name in &self.missing {
            writeln!(f, "  not here: {name}")?;
        }
        Ok(())
    }
}

/// Asks `python` (a program's name or path) for MuJoCo's numbers and compares.
pub(crate) fn compare(
    python: &str,
    path: &Path,
    scene: &Scene,
    report: &ImportReport,
) -> Result<Comparison, String> {
    let theirs = ask(python, path)?;
    let asked = theirs["states"].as_array().cloned().unwrap_or_default();
    let ours = at_states(scene, &asked)?;
    let mut rows: Vec<(&'static str, f64, Worst)> =
        LIMITS.iter().map(|&(what, limit)| (what, limit, Worst::default())).collect();
    let mut missing = Vec::new();
    bodies(&theirs, &facts(scene, report), &mut rows, &mut missing);
    for (state, own) in asked.iter().zip(&ours) {
        if let Some(error) = own["error"].as_str() {
            return Err(error.to_owned());
        }
        joints(&theirs, state, own, &mut rows);
        for (k, name) in list(&theirs["actuators"]).iter().enumerate() {
            let force = own["actuators"].as_array().and_then(|a| a.get(k)).map(|a| a[2].clone());
            let force = force.and_then(|f| f.as_f64()).unwrap_or(f64::NAN);
            rows[5].2.see(&text(name), &[force], &numbers(&state["force"])[k..=k]);
        }
        sensors(&theirs, state, own, scene, &mut rows[6].2, &mut missing);
        rows[7].2.see("all dofs", &numbers(&own["qacc"]), &numbers(&state["qacc"]));
    }
    missing.sort();
    missing.dedup();
    Ok(Comparison { version: text(&theirs["version"]), rows, missing })
}

fn ask(python: &str, path: &Path) -> Result<Value, String> {
    let mut child = Command::new(python)
        .args(["-", &path.to_string_lossy(), &STATES.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{python}: {e}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(PEER.as_bytes()).map_err(|e| format!("{python}: {e}"))?;
    }
    let answer = child.wait_with_output().map_err(|e| format!("{python}: {e}"))?;
    if !answer.status.success() {
        let words = String::from_utf8_lossy(&answer.stderr);
        let last = words.lines().last().unwrap_or("it ended without a word");
        return Err(format!("MuJoCo by {python}: {last}"));
    }
    serde_json::from_slice(&answer.stdout).map_err(|e| format!("{python}: {e}"))
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(all) => all.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().unwrap_or(f64::NAN)],
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn bodies(theirs: &Value, ours: &Value, rows: &mut [(&'static str, f64, Worst)], missing: &mut Vec<String>) {
    for (k, body) in list(&theirs["bodies"]).iter().enumerate() {
        let name = text(&body["name"]);
        // bodies without a name are known by their number
        let own = ours["bodies"].as_array().and_then(|all| {
            let named = |b: &&Value| b["name"].as_str() == Some(&name);
            if name.is_empty() { all.get(k) } else { all.iter().find(named) }
        });
        let Some(own) = own else {
            missing.push(format!("body '{name}'"));
            continue;
        };
        rows[0].2.see(&name, &numbers(&own["mass"]), &numbers(&body["mass"]));
        // a body without mass has no centre
        if body["mass"].as_f64().is_some_and(|m| m > 0.0) {
            rows[1].2.see(&name, &numbers(&own["com"]), &numbers(&body["com"]));
            rows[2].2.see(&name, &numbers(&own["inertia"]), &numbers(&body["inertia"]));
        }
    }
}

fn joints(theirs: &Value, state: &Value, own: &Value, rows: &mut [(&'static str, f64, Worst)]) {
    for (k, joint) in list(&theirs["joints"]).iter().enumerate() {
        if joint["plain"] != json!(true) {
            continue;
        }
        let (name, a, b) = (text(&joint["name"]), numbers(&own["axes"][k]), numbers(&state["axes"][k]));
        let (Some(a), Some(b)) = (a.get(..6), b.get(..6)) else {
            rows[3].2.see(&name, &[f64::NAN], &[0.0]);
            continue;
        };
        rows[3].2.see(&name, &a[..3], &b[..3]);
        if joint["hinge"] == json!(true) {
            // any point of the axis will do: what matters is how far it is from theirs across the axis
            let along: f64 = (0..3).map(|i| (a[3 + i] - b[3 + i]) * b[i]).sum();
            let across: Vec<f64> = (0..3).map(|i| a[3 + i] - along * b[i]).collect();
            rows[4].2.see(&name, &across, &b[3..]);
        }
    }
}

fn sensors(
    theirs: &Value,
    state: &Value,
    own: &Value,
    scene: &Scene,
    worst: &mut Worst,
    missing: &mut Vec<String>,
) {
    let (all, values) = (numbers(&state["sensors"]), numbers(&own["sensors"]));
    let mut taken = vec![false; scene.equipment.sensors.len()];
    for sensor in list(&theirs["sensors"]) {
        let name = text(&sensor["name"]);
        let mut from = 0;
        let mut found = None;
        for (k, s) in scene.equipment.sensors.iter().enumerate() {
            if s.name == name && !taken[k] && found.is_none() {
                (taken[k], found) = (true, Some((from, s.kind.width())));
            }
            from += s.kind.width();
        }
        let Some((from, width)) = found else {
            missing.push(format!("sensor '{name}'"));
            continue;
        };
        if sensor["left_out"] == json!(true) {
            continue;
        }
        let index = |key: &str| sensor[key].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let theirs = all.get(index("from")..index("from") + index("width")).unwrap_or_default();
        let mut mine = values.get(from..from + width).unwrap_or_default().to_vec();
        // a turn has two quaternions
        if sensor["turn"] == json!(true) && mine.iter().zip(theirs).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
            for x in &mut mine {
                *x = -*x;
            }
        }
        worst.see(&name, &mine, theirs);
    }
}
