//! What joints and loops carry: one set of numbers in the file, the summary, the recording and the charts of its page.

use std::collections::BTreeMap;

use gudgeon_sim::Recording;
use serde_json::Value;

use crate::support::{gudgeon, stderr, stdout};

fn number(x: &Value) -> f64 {
    x.as_f64().expect("a number")
}

#[test]
fn forces_of_joints_and_loops_and_the_balance_of_energy_are_the_same_everywhere() {
    let path = |name: &str| format!("{}/joints-{name}", env!("CARGO_TARGET_TMPDIR"));
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/slider-crank.toml");
    let (csv, gud, page) = (path("j.csv"), path("r.gud"), path("r.html"));
    let args = ["sim", scene, "--duration", "0.05", "--every", "5", "--json"];
    let ran = gudgeon(&[&args[..], &["--joints", &csv, "--record", &gud, "--html", &page]].concat());
    assert!(ran.status.success(), "{}", stderr(&ran));
    let json: Value = serde_json::from_str(stdout(&ran)).unwrap();
    assert!(!json["joints"].as_array().unwrap().is_empty() && !json["loops"].as_array().unwrap().is_empty());

    // the file: the last line of each name, and the sum of works
    let text = std::fs::read_to_string(&csv).unwrap();
    let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    assert_eq!(columns[..5], ["time", "kind", "name", "position", "velocity"]);
    let (mut last, mut works) = (BTreeMap::new(), BTreeMap::new());
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), columns.len(), "{line}");
        if cells[1] == "work" {
            *works.entry(cells[2].to_owned()).or_insert(0.0) += cells[3].parse::<f64>().unwrap();
        }
        last.insert(
            (cells[1].to_owned(), cells[2].to_owned()),
            cells.iter().map(|c| (*c).to_owned()).collect(),
        );
    }
    let last: BTreeMap<(String, String), Vec<String>> = last;
    let wrench_of = |kind: &str, name: &str| -> Vec<f64> {
        let cells = &last[&(kind.to_owned(), name.to_owned())];
        cells[9..].iter().map(|c| c.parse().unwrap()).collect()
    };
    for joint in json["joints"].as_array().unwrap() {
        let name = joint["joint"].as_str().unwrap();
        let told: Vec<f64> = joint["wrench"].as_array().unwrap().iter().map(number).collect();
        assert_eq!(told, wrench_of("joint", name), "{name}");
    }
    for l in json["loops"].as_array().unwrap() {
        let name = format!("{} - {}", l["a"].as_str().unwrap(), l["b"].as_str().unwrap());
        let told: Vec<f64> = l["wrench"].as_array().unwrap().iter().map(number).collect();
        assert!(told.iter().any(|x| x.abs() > 1e-6), "a loop that carries nothing: {name}");
        assert_eq!(told, wrench_of("loop", &name));
    }
    for (name, sum) in &works {
        let told = number(&json["work"][name.as_str()]);
        assert!((sum - told).abs() <= 1e-12 * (1.0 + told.abs()), "{name}: {sum} {told}");
    }
    // what was gained is what was done, but for the error of the step
    let (gained, left) = (number(&json["work"]["gained"]), number(&json["work"]["unexplained"]));
    assert!(left.abs() < 0.02 * gained.abs().max(number(&json["work"]["motors"]).abs()), "{gained} {left}");

    // the recording, read again
    let recording = Recording::read(&mut std::fs::File::open(&gud).unwrap()).unwrap();
    let r = recording.frames.last().unwrap().reactions.as_ref().expect("kept because it was asked for");
    let first = &json["loops"][0]["wrench"];
    for (k, x) in r.loops[0].iter().enumerate() {
        assert_eq!(*x, number(&first[k]));
    }
    let html = std::fs::read_to_string(&page).unwrap();
    for chart in ["power of motors", ": joint force x", "\"loop ", ": motor"] {
        assert!(html.contains(chart), "no chart of {chart}");
    }
}

#[test]
fn a_recording_has_no_reactions_unless_they_are_asked_for() {
    let gud = concat!(env!("CARGO_TARGET_TMPDIR"), "/joints-none.gud");
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/slider-crank.toml");
    assert!(gudgeon(&["sim", scene, "--duration", "0.01", "--record", gud]).status.success());
    let recording = Recording::read(&mut std::fs::File::open(gud).unwrap()).unwrap();
    assert!(recording.frames.iter().all(|f| f.reactions.is_none()));
}
