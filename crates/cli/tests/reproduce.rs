//! `gudgeon reproduce`: every item at its least size, the shape of its JSON, and that nothing is done twice.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // left from a run before
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

fn reproduce(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gudgeon"))
        .arg("reproduce")
        .args(arguments)
        .arg("--out")
        .arg(dir)
        .output()
        .unwrap()
}

fn json(dir: &Path, item: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join(format!("{item}.json"))).unwrap()).unwrap()
}

const ITEMS: [&str; 15] = [
    "yamane-table1",
    "yamane-table2",
    "yamane-table3",
    "yamane-rk4",
    "yamane-figure2",
    "lloyd-figure5",
    "lloyd-figure6",
    "lloyd-figure7",
    "lloyd-figure8",
    "lloyd-figure10",
    "enzpivot-frames",
    "enzerror-rod",
    "enzerror-isolines",
    "enzerror-figure5",
    "tan-stabilisation",
];

#[test]
fn every_item_runs_at_its_least_size_and_is_not_run_twice() {
    let dir = folder("reproduce-all");
    let output = reproduce(&dir, &["--tiny"]);
    // a statement about sizes may fail at these; nothing may break
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(dir.join("index.html")).unwrap();
    for item in ITEMS {
        let json = json(&dir, item);
        assert_eq!(json["item"], item);
        for key in ["paper", "place", "title"] {
            assert!(json[key].as_str().is_some_and(|t| !t.is_empty()), "{item}: {key}");
        }
        for key in ["checks", "observations", "tables", "pictures", "exact", "in_kind", "differences"] {
            assert!(json[key].is_array(), "{item}: {key}");
        }
        assert!(json["settings"]["edition"].is_u64() && json["data"].is_object(), "{item}");
        assert!(json["wall_seconds"].as_f64().is_some_and(|s| s >= 0.0), "{item}");
        for check in json["checks"].as_array().unwrap() {
            assert!(check["holds"].is_boolean() && check["ours"].is_string(), "{item}: {check}");
        }
        for seen in json["observations"].as_array().unwrap() {
            let told = seen["why"].as_str().is_some_and(|why| !why.is_empty());
            assert_eq!(seen["same"] == false, told, "{item}: a difference has a reason: {seen}");
        }
        for table in json["tables"].as_array().unwrap() {
            let width = table["header"].as_array().unwrap().len();
            for row in table["rows"].as_array().unwrap() {
                assert_eq!(row.as_array().unwrap().len(), width, "{item}: {row}");
            }
        }
        let pictures = json["pictures"].as_array().unwrap();
        assert!(!pictures.is_empty(), "{item} has no picture");
        for picture in pictures {
            let file = picture["file"].as_str().unwrap();
            let svg = std::fs::read_to_string(dir.join(file)).unwrap();
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{file}");
            assert!(page.contains(file), "{file} is not on the page");
        }
        assert!(page.contains(&format!("id=\"{item}\"")), "{item} is not on the page");
    }

    // the same settings again: nothing to do
    let before = std::fs::metadata(dir.join("lloyd-figure5.json")).unwrap().modified().unwrap();
    let output = reproduce(&dir, &["--tiny"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("15 of 15 items are there already"), "{told}");
    assert_eq!(std::fs::metadata(dir.join("lloyd-figure5.json")).unwrap().modified().unwrap(), before);
}

#[test]
fn an_item_is_run_again_when_asked_when_its_settings_differ_and_when_a_file_is_missing() {
    let dir = folder("reproduce-again");
    assert_eq!(reproduce(&dir, &["--tiny", "enzerror-isolines"]).status.code(), Some(0));
    let made = |arguments: &[&str]| {
        let output = reproduce(&dir, arguments);
        String::from_utf8_lossy(&output.stderr).contains("[1/1] enzerror-isolines in")
    };
    assert!(!made(&["--tiny", "enzerror-isolines"]));
    assert!(made(&["--tiny", "--force", "enzerror-isolines"]));
    assert!(made(&["--quick", "enzerror-isolines"]), "another size is another run");
    std::fs::remove_file(dir.join("enzerror-isolines.svg")).unwrap();
    assert!(made(&["--quick", "enzerror-isolines"]));
    std::fs::write(dir.join("enzerror-isolines.json"), "{ cut short").unwrap();
    assert!(made(&["--quick", "enzerror-isolines"]));
}

#[test]
fn the_figures_that_must_be_exact_are() {
    let dir = folder("reproduce-exact");
    let output = reproduce(&dir, &["--tiny", "enzerror-rod", "enzerror-isolines", "enzpivot"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(!told.contains("BROKEN"), "{told}");
    let rod = json(&dir, "enzerror-rod");
    assert!((rod["data"]["dumbbell"][0].as_f64().unwrap() - -0.1019).abs() < 5e-5);
}

#[test]
fn robust_never_fails_in_the_papers_scenes() {
    let dir = folder("reproduce-robust");
    reproduce(&dir, &["--tiny", "yamane"]);
    for item in ["yamane-table1", "yamane-table2"] {
        assert_eq!(json(&dir, item)["data"]["robust"]["solves"]["failure"], 0, "{item}");
    }
    for run in json(&dir, "yamane-table3")["data"]["runs"].as_array().unwrap() {
        assert_eq!(run["figures"]["solves"]["failure"], 0, "{run}");
        assert!(run["figures"]["broke"].is_null(), "{run}");
    }
}

#[test]
fn an_unknown_item_is_answered_with_the_known_ones() {
    let dir = folder("reproduce-unknown");
    let output = reproduce(&dir, &["yamane-table9"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("there is no item 'yamane-table9'") && told.contains("tan-stabilisation"),
        "{told}"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_gudgeon")).args(["reproduce", "--list"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), ITEMS.len());
}
