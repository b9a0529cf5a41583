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
