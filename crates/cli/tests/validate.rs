//! `gudgeon validate`: the table, the JSON, the exit codes.

use std::process::{Command, Output};

use serde_json::Value;

fn validate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gudgeon")).arg("validate").args(arguments).output().unwrap()
}

#[test]
fn a_scene_has_truth_ours_error_bound_and_verdict() {
    let output = validate(&["backspin", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stdout).unwrap();
    let scene: Value = serde_json::from_str(told.trim()).unwrap();
    assert_eq!((scene["part"].as_str(), scene["scene"].as_str()), (Some("theory"), Some("backspin")));
    assert!(scene["error"].is_null());
    let rows = scene["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let number = |key: &str| row[key].as_f64().unwrap();
        assert!((number("ours") - number("truth")).abs() <= number("bound"), "{row}");
        assert_eq!(row["holds"], true);
        assert!(row["why"].as_str().is_some_and(|w| !w.is_empty()) && row["unit"] == "m/s");
    }
    let told = String::from_utf8(validate(&["backspin"]).stdout).unwrap();
    assert!(told.contains("1 scenes: 2 of 2 figures within their bounds"), "{told}");
}

#[test]
fn an_unknown_scene_is_answered_with_the_known_ones() {
    let output = validate(&["arch-28"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("there is no scene 'arch-28'") && told.contains("arch-27"), "{told}");
    let listed = String::from_utf8(validate(&["--list"]).stdout).unwrap();
    assert!(listed.lines().count() >= 25, "{listed}");
}

#[test]
fn a_page_that_cannot_be_written_is_told() {
    let output = validate(&["screw", "--page", "/nowhere/page.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("/nowhere/page.md"));
}

/// A line of results is replaced by its scene's new one, and the page is made of all of them.
#[test]
fn results_of_named_scenes_take_the_place_of_the_old_ones() {
    let folder = std::env::temp_dir().join(format!("gudgeon-validate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (results, page) = (folder.join("results.jsonl"), folder.join("page.md"));
    let kept = r#"{"part":"theory","scene":"wedge","about":"x","rows":[],"error":null}"#;
    let stale = r#"{"part":"theory","scene":"screw","about":"x","rows":[],"error":"stale"}"#;
    std::fs::write(&results, format!("{stale}\n{kept}\n")).unwrap();
    let files = ["--results", results.to_str().unwrap(), "--page", page.to_str().unwrap()];
    assert_eq!(validate(&[&["screw"][..], &files].concat()).status.code(), Some(0));
    let text = std::fs::read_to_string(&results).unwrap();
    assert!(!text.contains("stale") && text.contains("wedge") && text.lines().count() == 2, "{text}");
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.contains("| screw | load that turns a screw | 25.00000 N |"), "{page}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// As README and the head of the file say.
#[test]
fn the_arch_of_the_readme_stands_at_its_thickness_and_falls_at_a_little_less() {
    let energy = |thickness: &str| {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/arch.toml");
        let set = format!("thickness={thickness}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_gudgeon"));
        let output = command.args(["sim", file, "--set", &set, "--json"]).output().unwrap();
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let at = |when: &str| summary["energy"][when].as_f64().unwrap();
        (at("start"), at("end"))
    };
    let (first, last) = energy("0.106722");
    // all of it is height: a stone that sank by a nanometre would show
    assert!((first - last).abs() < 1e-9 * first, "{first} J, then {last} J");
    let (first, last) = energy("0.106720");
    assert!(last < 0.9 * first, "{first} J, then {last} J");
    let readme = include_str!("../../../README.md");
    assert!(["0.106722", "0.106720", "0.1067209"].iter().all(|number| readme.contains(number)));
}
