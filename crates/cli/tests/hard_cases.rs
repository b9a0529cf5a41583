//! Collected attacks: `GUDGEON_CASES` names a folder with `hard/NN-*`, where each was found. Tests of our own for every
//! one of them are listed in docs/evidence/testkit.md; here the files themselves are tried by the binary.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{files, gudgeon, lines, stderr, stdout};

const SKIPPED: &str = "skipped: GUDGEON_CASES is not set, or has no folder hard";

fn hard(number: &str) -> Option<PathBuf> {
    let cases = std::env::var_os("GUDGEON_CASES")?;
    let folders = std::fs::read_dir(Path::new(&cases).join("hard")).ok()?;
    let mut folders = folders.map(|entry| entry.unwrap().path());
    folders.find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(number)))
}

/// Status and unknowns of the problems in a file.
fn solved(file: &Path, more: &[&str]) -> (String, Vec<f64>) {
    let mut args = vec!["solve", "--json", file.to_str().unwrap()];
    args.extend_from_slice(more);
    let answer = lines(&gudgeon(&args)).remove(0);
    let of = |key: &str| answer[key].as_array().map(|v| v.iter().map(|x| x.as_f64().unwrap()).collect());
    (answer["status"].as_str().unwrap().to_owned(), of("z").or_else(|| of("x")).unwrap_or_default())
}

/// The summary of a run, its exit code, and what it told on the standard error.
fn run(file: &Path, more: &[&str]) -> (Value, Option<i32>, String) {
    let mut args = vec!["sim", file.to_str().unwrap(), "--json"];
    args.extend_from_slice(more);
    let output = gudgeon(&args);
    let summary = serde_json::from_str(stdout(&output)).unwrap_or(Value::Null);
    (summary, output.status.code(), stderr(&output).to_owned())
}

fn is_near(x: &[f64], truth: &[f64]) -> bool {
    x.len() == truth.len() && x.iter().zip(truth).all(|(x, t)| (x - t).abs() <= 1e-9 * t.abs().max(1e-12))
}

#[test]
fn collected_problems_that_were_called_solved_or_a_ray_have_their_answers() {
    let Some(wrong) = hard("01-") else {
        println!("{SKIPPED}");
        return;
    };
    // [[1e6, -1e6], [-1e6, c]] z = (0.00981, 0): the rows add up to (c - 1e6) z2 = 0.00981, and that difference is exact
    let below = 0.00981 / (1_000_000.000_001 - 1e6);
    let stack = [below + 0.00981 / 1e6, below];
    let truths: [(&str, &str, &[f64]); 12] = [
        ("01-", "problem", &[0.01, 0.0]),
        // z1 = 0; z2 and z3 by elimination on paper
        ("01-", "b-three", &[0.0, 1000.0, 9.9e-12]),
        ("01-", "c-diagonal", &[1e290, 1.0]),
        ("02-", "problem", &[1e4, 0.0]),
        ("02-", "pd-stack", &stack),
        ("03-", "b12", &[-1.0 / 3.0, 5.0 / 3.0]),
        ("03-", "b15", &[-1.0 / 3.0, 5.0 / 3.0]),
        ("03-", "b18", &[-1.0 / 3.0, 5.0 / 3.0]),
        ("03-", "b20", &[-1.0 / 3.0, 5.0 / 3.0]),
        ("07-", "p", &[0.0, 0.0, 1.0]),
        ("01-", "d-decoupled", &[]),
        ("04-", "p", &[]),
    ];
    for (folder, name, truth) in truths {
        let (status, x) = solved(&hard(folder).unwrap().join(format!("{name}.json")), &[]);
        println!("{folder}{name}: {status} {x:?}");
        assert_eq!(status, "solved", "{folder}{name}");
        assert!(truth.is_empty() || is_near(&x, truth), "{folder}{name}: {x:?}, not {truth:?}");
    }
    assert_eq!(solved(&wrong.join("e-no-solution-exists.json"), &[]).0, "ray");
    // methods that cannot solve these say so
    for (method, name) in [("block-pivot", "c-diagonal"), ("search", "d-decoupled")] {
        let (status, _) = solved(&wrong.join(format!("{name}.json")), &["--method", method]);
        assert_ne!(status, "solved", "{method} on {name}");
    }
}

#[test]
fn collected_scenes_do_what_their_mechanics_say() {
    if hard("03-").is_none() {
        println!("{SKIPPED}");
        return;
    }
    // motors without a limit turn, and crates stay on the floor
    for name in ["motor", "mount", "floor"] {
        let (summary, code, _) = run(&hard("03-").unwrap().join(format!("{name}.toml")), &[]);
        assert_eq!(code, Some(0), "{name}");
        assert!(summary["max_penetration"].as_f64().unwrap() < 1e-9, "{name}");
        // the arm turns: some millijoules
        let gain = summary["energy"]["end"].as_f64().unwrap() - summary["energy"]["start"].as_f64().unwrap();
        assert!(gain > 1e-4, "{name}: {gain} J");
    }
    // free flight keeps its energy
    for (name, more) in
        [("slow", ["--dt", "0.01", "--duration", "5"]), ("fast", ["--dt", "0.001", "--duration", "0.3"])]
    {
        let (summary, code, _) = run(&hard("05-").unwrap().join(format!("{name}.toml")), &more);
        let [start, end] = ["start", "end"].map(|k| summary["energy"][k].as_f64().unwrap());
        assert_eq!(code, Some(0), "{name}");
        assert!((end - start).abs() <= 1e-9 * start, "{name}: {start} to {end} J");
    }
    // hundreds of contacts in a step of 0.1 s end
    let slow = hard("08-").unwrap();
    assert_eq!(solved(&slow.join("p396.json"), &["--facets", "exact"]).0, "solved");
    let (summary, ..) = run(&slow.join("pile-dt0.1.toml"), &["--duration", "0.6"]);
    assert_eq!(summary["steps"], 6);
    // a reader that panics is an error of one line
    let broken = hard("12-").unwrap();
    for name in ["m-ok.dae", "m-cyc.dae"] {
        let (_, code, told) = run(&broken.join(format!("{name}.toml")), &["--duration", "0.05"]);
        assert_eq!(code, Some(2), "{name}");
        assert!(told.lines().count() <= 2 && !told.contains("panicked"), "{name}: {told}");
    }
    // random scenes: numbers to the end, and overlap that grows is in the exit code
    for file in files(&hard("14-").unwrap(), &["toml"]) {
        let (summary, code, told) = run(&file, &["--duration", "0.2"]);
        let end = summary["energy"]["end"].as_f64();
        println!("{}: exit {code:?}, {end:?} J, {} m", file.display(), summary["max_penetration"]);
        assert!(code.is_some_and(|c| c < 2), "{}: {told}", file.display());
        assert!(end.is_some_and(f64::is_finite), "{}", file.display());
    }
    assert_eq!(run(&hard("14-").unwrap().join("267.toml"), &[]).1, Some(1), "overlap that grows is told");
}
