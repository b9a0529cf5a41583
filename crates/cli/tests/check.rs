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
