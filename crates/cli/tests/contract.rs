//! What others script against: keys, exit codes, the table.

use serde_json::Value;

use crate::support::{data, example, gudgeon, gudgeon_with_input, into_a_closed_pipe, lines, stderr, stdout};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn sorted<const N: usize>(mut keys: [&str; N]) -> Vec<&str> {
    keys.sort_unstable();
    keys.to_vec()
}

#[test]
fn a_line_of_an_lcp_has_the_keys_of_the_contract() {
    let file = example("lcp-four-legs.json");
    let output = gudgeon(&["solve", "--json", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let line = &lines(&output)[0];
    let expected =
        sorted(["file", "kind", "method", "status", "z", "w", "pivots", "nodes", "seconds", "residual"]);
    assert_eq!(keys(line), expected);
    assert_eq!(keys(&line["residual"]), sorted(["natural", "fischer_burmeister", "energy"]));
    assert_eq!((&line["file"], &line["kind"]), (&Value::from(file), &Value::from("lcp")));
    assert_eq!((&line["method"], &line["status"]), (&Value::from("robust"), &Value::from("solved")));
    assert_eq!((line["z"].as_array().unwrap().len(), line["w"].as_array().unwrap().len()), (4, 4));
    assert!(line["residual"]["natural"].as_f64().unwrap() <= 1e-9);
    assert!(line["seconds"].as_f64().unwrap() >= 0.0);
    assert!(line["pivots"].is_u64() && line["nodes"].is_u64());
}

#[test]
fn keys_come_in_the_order_of_the_contract() {
    let output = gudgeon(&["solve", "--json", &example("lcp-four-legs.json")]);
    let order = ["file", "kind", "method", "status", "z", "w", "pivots", "nodes", "seconds", "residual"];
    let places: Vec<usize> =
        order.iter().map(|key| stdout(&output).find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{}", stdout(&output));
}

#[test]
fn an_mlcp_answers_x_as_z() {
    let output = gudgeon(&["solve", "--json", &example("mlcp-motor.json")]);
    let line = &lines(&output)[0];
    assert_eq!(line["kind"], "mlcp");
    let (z, w) = (line["z"].as_array().unwrap(), line["w"].as_array().unwrap());
    // the motor is at its limit and would go on
    assert_eq!(z[2].as_f64().unwrap(), 1.0);
    assert!(w[2].as_f64().unwrap() < 0.0);
}

#[test]
fn a_line_of_a_friction_problem_has_contacts_in_place_of_z_and_w() {
    let output = gudgeon(&["solve", "--json", &example("friction-block-slides.json")]);
    assert_eq!(output.status.code(), Some(0));
    let line = &lines(&output)[0];
    let expected = sorted([
        "file",
        "kind",
        "method",
        "status",
        "contacts",
        "pivots",
        "nodes",
        "seconds",
        "residual",
        "facet_gap",
    ]);
    assert_eq!(keys(line), expected);
    let contacts = line["contacts"].as_array().unwrap();
    assert_eq!(contacts.len(), 4);
    let mut weight = 0.0;
    for contact in contacts {
        assert_eq!(keys(contact), sorted(["impulse", "velocity", "mode"]));
        assert_eq!(contact["impulse"].as_array().unwrap().len(), 3);
        assert_eq!(contact["velocity"].as_array().unwrap().len(), 3);
        assert!(["open", "stick", "slip"].contains(&contact["mode"].as_str().unwrap()));
        weight += contact["impulse"][0].as_f64().unwrap();
    }
    let gap = &line["facet_gap"];
    assert_eq!(keys(gap), sorted(["natural", "fischer_burmeister", "energy"]));
    assert!(gap["natural"].as_f64().unwrap() >= 0.0);
    // 2 kg that would fall at 0.0981 m/s
    assert!((weight - 2.0 * 0.0981).abs() < 1e-12, "{weight}");
}

#[test]
fn the_trace_is_one_more_key() {
    let output = gudgeon(&["solve", "--json", "--trace", &example("lcp-four-legs.json")]);
    let line = &lines(&output)[0];
    let pivots = line["trace"]["pivots"].as_array().unwrap();
    assert!(!pivots.is_empty());
    assert_eq!(keys(&pivots[0]), sorted(["pivot", "entering", "leaving", "q_min", "error"]));

    let human = gudgeon(&["solve", "--trace", &example("lcp-four-legs.json")]);
    assert!(stdout(&human).contains("entering"), "{}", stdout(&human));
}

#[test]
fn a_ray_comes_with_its_certificate_in_the_trace() {
    let output = gudgeon(&["solve", "--json", "--trace", &example("lcp-ray.json")]);
    assert_eq!(output.status.code(), Some(1));
    let line = &lines(&output)[0];
    assert_eq!(line["status"], "ray");
    assert_eq!(line["trace"]["ray"]["dz"].as_array().unwrap().len(), 2);
}

#[test]
fn exit_codes_are_0_solved_1_not_2_bad_and_bad_wins() {
    let code = |files: &[&str]| {
        let mut args = vec!["solve", "--json"];
        args.extend(files);
        let output = gudgeon(&args);
        (output.status.code().unwrap(), lines(&output).len(), stderr(&output).lines().count())
    };
    let (good, ray, bad) =
        (example("lcp-four-legs.json"), example("lcp-ray.json"), data("bad/null-in-q.json"));
    assert_eq!(code(&[&good]), (0, 1, 0));
    assert_eq!(code(&[&good, &ray]), (1, 2, 0));
    assert_eq!(code(&[&bad, &good, &ray]), (2, 2, 1));
    assert_eq!(code(&[&bad, &bad]), (2, 0, 2));
}

#[test]
fn no_time_is_a_budget_too() {
    let output = gudgeon(&["solve", "--json", "--seconds", "0", &example("lcp-four-legs.json")]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(lines(&output)[0]["status"], "budget");
    let output = gudgeon(&["solve", "--json", "--seconds", "100", &example("lcp-four-legs.json")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for nonsense in ["-1", "nan", "soon"] {
        let output = gudgeon(&["solve", "--seconds", nonsense, &example("lcp-four-legs.json")]);
        assert_eq!(output.status.code(), Some(2), "{nonsense}");
    }
}

#[test]
fn a_budget_of_no_pivots_is_not_solved() {
    let output = gudgeon(&["solve", "--json", "--budget", "0", &example("friction-block-slides.json")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(lines(&output)[0]["status"], "budget");
}

#[test]
fn other_sides_of_the_cone_may_be_asked_for() {
    let table = |facets: &str| {
        let output = gudgeon(&["solve", "--facets", facets, &example("friction-block-slides.json")]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    // four contacts: a normal, d directions and a speed each
    assert!(table("4").contains(" 24  solved"), "{}", table("4"));
    assert!(table("16").contains(" 72  solved"), "{}", table("16"));
}

#[test]
fn every_method_can_be_asked_for_by_name_and_is_reported() {
    for method in gudgeon_lcp::Method::ALL {
        let file = example("lcp-four-legs.json");
        let output = gudgeon(&["solve", "--json", "--budget", "1000", "--method", method.name(), &file]);
        assert!(output.status.code().unwrap() < 2, "{method}: {}", stderr(&output));
        assert_eq!(lines(&output)[0]["method"], method.name());
    }
}

#[test]
fn json_lines_are_named_by_file_and_line() {
    let file = example("three.jsonl");
    let output = gudgeon(&["solve", "--json", &file]);
    let names: Vec<Value> = lines(&output).iter().map(|line| line["file"].clone()).collect();
    assert_eq!(names, [1, 2, 3].map(|k| Value::from(format!("{file}:{k}"))));
}

#[test]
fn the_standard_input_is_json_lines_and_a_bad_line_spoils_no_other() {
    let text = "{\"kind\":\"lcp\",\"M\":[[1]],\"q\":[-1]}\n\n{\"kind\":\"lcp\"}\n{\"kind\":\"lcp\",\"M\":[[1]],\"q\":[2]}\n";
    let output = gudgeon_with_input(&["solve", "--json", "-"], text);
    assert_eq!(output.status.code(), Some(2));
    let names: Vec<Value> = lines(&output).iter().map(|line| line["file"].clone()).collect();
    assert_eq!(names, [Value::from("-:1"), Value::from("-:4")]);
    assert_eq!(stderr(&output), "-:3: q is missing, expected a list of numbers\n");
}

#[test]
fn the_table_has_a_row_for_each_problem_and_a_footer() {
    let output = gudgeon(&[
        "solve",
        &example("lcp-four-legs.json"),
        &example("lcp-ray.json"),
        &data("bad/truncated.json"),
    ]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    for heading in ["file", "kind", "n", "status", "pivots", "time", "natural", "energy/J"] {
        assert!(lines[0].split_whitespace().any(|word| word == heading), "{}", lines[0]);
    }
    assert!(lines[1].contains("solved") && lines[2].contains("ray") && lines[3].ends_with("bad input"));
    // columns are aligned
    let status = lines[0].find("status").unwrap();
    assert!(lines[1][status..].starts_with("solved") && lines[2][status..].starts_with("ray"));
    assert_eq!(lines[4], "3 problems: 1 solved, 1 ray, 1 bad input");
}

#[test]
fn answers_are_the_same_to_the_bit_from_run_to_run() {
    let files = ["friction-all-rows.json", "lcp-random.npz", "friction-block.hdf5"].map(example);
    let run = || {
        let output = gudgeon(&["solve", "--json", &files[0], &files[1], &files[2]]);
        let mut lines = lines(&output);
        for line in &mut lines {
            line["seconds"] = Value::Null;
        }
        lines
    };
    assert_eq!(run(), run());
}

#[test]
fn round_cones_are_solved_and_go_with_the_default_method() {
    let file = example("friction-block-slides.json");
    let output = gudgeon(&["solve", "--json", &file, "--facets", "exact"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let line = &lines(&output)[0];
    assert_eq!(line["status"], "solved");
    assert!(line["residual"]["natural"].as_f64().unwrap() <= 1e-9);

    let output = gudgeon(&["solve", &file, "--facets", "exact", "--method", "lemke"]);
    assert_eq!(output.status.code(), Some(2));
    let expected = "--facets exact works with --method robust, not with --method lemke\n";
    assert_eq!((stdout(&output), stderr(&output)), ("", expected));
}

/// A mass of 1 kg held up at three points, two more than it needs.
const THREE_POINTS: &str = r#"{"kind":"friction","W":[[1,0,0,1,0,0,1,0,0],[0,1,0,0,1,0,0,1,0],[0,0,1,0,0,1,0,0,1],[1,0,0,1,0,0,1,0,0],[0,1,0,0,1,0,0,1,0],[0,0,1,0,0,1,0,0,1],[1,0,0,1,0,0,1,0,0],[0,1,0,0,1,0,0,1,0],[0,0,1,0,0,1,0,0,1]],"q":[-3,0.3,0,-3,0.3,0,-3,0.3,0],"mu":[0.5,0.5,0.5]}"#;

#[test]
fn canonical_forces_are_shared_alike() {
    let output = gudgeon_with_input(&["solve", "--json", "--canonical", "-"], THREE_POINTS);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let line = &lines(&output)[0];
    assert_eq!(line["status"], "solved");
    assert!(line["residual"]["natural"].as_f64().unwrap() <= 1e-9);
    for contact in line["contacts"].as_array().unwrap() {
        for (r, expected) in contact["impulse"].as_array().unwrap().iter().zip([1.0, -0.1, 0.0]) {
            assert!((r.as_f64().unwrap() - expected).abs() < 1e-12, "{contact}");
        }
        assert_eq!(contact["mode"], "stick");
    }
    // every method ends in the same forces, and every example that is solved stays so
    for method in ["lexicographic", "dantzig", "robust"] {
        let args = ["solve", "--json", "--canonical", "--method", method, "-"];
        let other = &lines(&gudgeon_with_input(&args, THREE_POINTS))[0];
        assert_eq!(other["status"], "solved", "{method}");
        let impulse = |line: &Value| line["contacts"][1]["impulse"][0].as_f64().unwrap();
        assert!((impulse(other) - 1.0).abs() < 1e-9, "{method}");
    }
    // round cones have the same ones here: nothing is at its limit
    let args = ["solve", "--json", "--canonical", "--facets", "exact", "-"];
    let round = &lines(&gudgeon_with_input(&args, THREE_POINTS))[0];
    assert_eq!(round["status"], "solved");
    for contact in round["contacts"].as_array().unwrap() {
        for (r, expected) in contact["impulse"].as_array().unwrap().iter().zip([1.0, -0.1, 0.0]) {
            assert!((r.as_f64().unwrap() - expected).abs() < 1e-12, "{contact}");
        }
    }
    for file in ["friction-all-rows.json", "friction-block.hdf5", "friction-block-slides.json"] {
        let output = gudgeon(&["solve", "--canonical", "--facets", "exact", &example(file)]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", stdout(&output));
        let output = gudgeon(&["solve", "--canonical", &example(file)]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", stdout(&output));
    }
}

#[test]
fn forces_without_a_metric_have_no_canonical_form() {
    for (file, kind) in [("lcp-four-legs.json", "lcp"), ("mlcp-motor.json", "mlcp")] {
        let output = gudgeon(&["solve", "--json", "--canonical", &example(file)]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stdout(&output), "");
        let expected = format!("kind is {kind}, expected friction with --canonical\n");
        assert!(stderr(&output).ends_with(&expected), "{}", stderr(&output));
    }
}

#[test]
fn numbers_that_overflow_are_never_called_solved() {
    let text = r#"{"kind":"friction","W":[[1e308,1e308,1e308],[1e308,1e308,1e308],[1e308,1e308,1e308]],"q":[-1e308,1e308,1e308],"mu":[1e308]}"#;
    let output = gudgeon_with_input(&["solve", "--json", "-"], text);
    assert_eq!(output.status.code(), Some(1));
    let line = &lines(&output)[0];
    assert_ne!(line["status"], "solved");
    // what is not a number is null
    assert!(line["residual"]["natural"].as_f64().is_none_or(|natural| natural > 1e-9));
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let file = example("friction-all-rows.json");
    let words: Vec<&str> = ["solve", "--json", "--trace"].into_iter().chain([file.as_str(); 300]).collect();
    let (code, told) = into_a_closed_pipe(&words);
    assert!(code.is_some(), "ended by a signal");
    assert_eq!(told, "");
}

#[test]
fn help_and_version_are_there() {
    let help = gudgeon(&["solve", "--help"]);
    assert_eq!(help.status.code(), Some(0));
    for word in [
        "--method",
        "--facets",
        "--budget",
        "--seconds",
        "--canonical",
        "--trace",
        "--json",
        "Examples",
        "Exit code",
    ] {
        assert!(stdout(&help).contains(word), "{word}");
    }
    assert!(stdout(&gudgeon(&["--version"])).starts_with("gudgeon 0."));
}
