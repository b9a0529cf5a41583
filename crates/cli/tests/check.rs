//! `gudgeon check` and `gudgeon sim` on model files, as a user types them.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::gudgeon;

fn model(name: &str) -> String {
    format!("{}/../model/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A directory of this test's own.
fn place(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("gudgeon-check-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn a_report_says_what_is_lost_and_strict_refuses_it() {
    let plain = gudgeon(&["check", &model("arm.urdf")]);
    let text = words(&plain.stdout);
    assert_eq!(plain.status.code(), Some(0), "{}", words(&plain.stderr));
    assert!(text.starts_with("arm: 5 links"), "{text}");
    assert!(text.contains("ignored      robot/transmission"), "{text}");
    let strict = gudgeon(&["check", &model("arm.urdf"), "--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(words(&strict.stderr).contains("elements or attributes ignored"), "{}", words(&strict.stderr));
    assert_eq!(words(&strict.stdout), text, "the report is printed all the same");
}

#[test]
fn json_holds_the_report_and_the_model_in_numbers() {
    let out = gudgeon(&["check", &model("walker.xml"), "--json", "--strict"]);
    assert_eq!(out.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert!(json["report"]["ignored"].as_u64().unwrap() > 0);
    assert_eq!(json["facts"]["dof"], 13);
}

#[test]
fn what_cannot_be_read_is_named_with_its_line() {
    let folder = place("bad");
    let file = folder.join("bad.urdf");
    std::fs::write(&file, "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"a\"/>\n</robot>").unwrap();
    let name = file.to_string_lossy().into_owned();
    for command in [&["check", &name][..], &["sim", &name]] {
        let out = gudgeon(command);
        assert_eq!(out.status.code(), Some(2));
        assert!(
            words(&out.stderr).contains("bad.urdf:3: link 'a' is already there"),
            "{}",
            words(&out.stderr)
        );
    }
    let missing = gudgeon(&["check", "nowhere.urdf"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(words(&missing.stderr).contains("nowhere.urdf"), "{}", words(&missing.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn joints_are_set_by_name_on_the_command_line() {
    let arm = model("arm.urdf");
    let out = gudgeon(&["check", &arm, "--joint", "elbow=1"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        words(&out.stderr).contains("expected one of root, shoulder, left_finger"),
        "{}",
        words(&out.stderr)
    );
    let out = gudgeon(&["check", &arm, "--joint", "shoulder"]);
    assert_eq!(out.status.code(), Some(2));
    let run = |joint: &str| {
        let options = ["--base", "fixed", "--ground", "--duration", "0.002", "--json", "--joint", joint];
        let out = gudgeon(&[&["sim", &arm][..], &options].concat());
        assert_eq!(out.status.code(), Some(0), "{}", words(&out.stderr));
        let json: Value = serde_json::from_slice(&out.stdout).unwrap();
        json["energy"]["start"].as_f64().unwrap()
    };
    assert!(run("shoulder=-0.5") < run("shoulder=0") - 0.1, "a bent arm is lower");
}

#[test]
fn options_for_models_do_not_pass_in_silence_on_built_in_scenes() {
    let out = gudgeon(&["sim", "stack", "--ground"]);
    assert_eq!(out.status.code(), Some(2));
    let out = gudgeon(&["sim", &model("walker.xml"), "--ground"]);
    assert_eq!(out.status.code(), Some(2), "it has a floor of its own");
}

#[test]
fn a_model_becomes_a_scene_that_runs() {
    let folder = place("scene");
    for name in ["arm.urdf", "walker.xml"] {
        let scene = folder.join("made.toml").to_string_lossy().into_owned();
        let out = gudgeon(&["check", &model(name), "--to-scene", &scene]);
        assert_eq!(out.status.code(), Some(0), "{}", words(&out.stderr));
        let out = gudgeon(&["sim", &scene, "--duration", "0.01"]);
        assert_eq!(out.status.code(), Some(0), "{name}: {}", words(&out.stderr));
    }
    let again = folder.join("again.toml").to_string_lossy().into_owned();
    let made = folder.join("made.toml").to_string_lossy().into_owned();
    let out = gudgeon(&["check", &made, "--to-scene", &again]);
    assert_eq!(out.status.code(), Some(2));
    assert!(words(&out.stderr).contains("is a scene already"), "{}", words(&out.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A pendulum, and what another engine would say of it at one state, by hand: I = 0.02 + m l², q̈ = -m g l sin θ / I + u / I.
#[cfg(unix)]
#[test]
fn a_model_beside_another_reading_is_equal_or_named() {
    use std::os::unix::fs::PermissionsExt;

    let folder = place("beside");
    let file = folder.join("pendulum.xml");
    let text = r#"<mujoco><option gravity="0 0 -10"/><worldbody><body name="bob" pos="0 0 1"><joint name="pin" axis="0 1 0"/>
        <inertial pos="0 0 -0.5" mass="2" diaginertia="0.02 0.02 0.02"/></body></worldbody>
        <actuator><motor name="drive" joint="pin" gear="3"/></actuator>
        <sensor><jointpos name="angle" joint="pin"/></sensor></mujoco>"#;
    std::fs::write(&file, text).unwrap();
    let peer = |mass: f64| {
        let theta: f64 = 0.3;
        // a turn about y by theta brings the bob to -x: gravity pulls it back
        let qacc = (-2.0 * 10.0 * 0.5 * theta.sin() + 3.0 * 0.5) / (0.02 + 2.0 * 0.25);
        let said = serde_json::json!({"version": "0",
            "bodies": [{"name": "bob", "mass": mass, "com": [0.0, 0.0, -0.5],
                "inertia": [[0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]]}],
            "joints": [{"name": "pin", "plain": true, "hinge": true}], "actuators": ["drive"],
            "sensors": [{"name": "angle", "from": 0, "width": 1, "turn": false, "left_out": false}],
            "states": [{"qpos": [theta], "qvel": [0.0], "ctrl": [0.5], "act": [], "qacc": [qacc], "sensors": [theta],
                "force": [0.5], "axes": [[0.0, 1.0, 0.0, 0.0, 0.0, 1.0]]}]});
        let program = folder.join(format!("peer{mass}"));
        std::fs::write(&program, format!("#!/bin/sh\ncat > /dev/null\ncat <<'EOF'\n{said}\nEOF\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        gudgeon(&["check", file.to_str().unwrap(), &format!("--mujoco={}", program.display())])
    };
    let equal = peer(2.0);
    assert_eq!(equal.status.code(), Some(0), "{}{}", words(&equal.stdout), words(&equal.stderr));
    assert!(words(&equal.stdout).contains("acceleration"), "{}", words(&equal.stdout));
    let other = peer(2.5);
    assert_eq!(other.status.code(), Some(1), "{}", words(&other.stdout));
    let row = words(&other.stdout).lines().find(|l| l.trim_start().starts_with("mass")).map(str::to_owned);
    assert!(row.is_some_and(|r| r.contains("NO") && r.contains("bob")), "{}", words(&other.stdout));
    let none = gudgeon(&["check", file.to_str().unwrap(), "--mujoco=/no/such/python"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(words(&none.stderr).contains("/no/such/python"), "{}", words(&none.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}
