//! Models in numbers, many at once: reads a JSON object per line, `{"file", "base", "search", "meshes", "q": [[[..], ..], ..]}`,
//! and answers each with a line of facts, poses at every q and the time of loading.

use std::io::BufRead;
use std::path::PathBuf;
use std::time::Instant;

use gudgeon_model::{Base, LoadOptions, facts, load_scene_with, poses_at};
use serde_json::{Value, json};

#[expect(clippy::print_stdout, reason = "its purpose")]
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let ask: Value = serde_json::from_str(&line).expect("a JSON object on each line");
        println!("{}", answer(&ask));
    }
}

fn answer(ask: &Value) -> Value {
    let file = ask["file"].as_str().unwrap_or_default();
    let base = match ask["base"].as_str() {
        Some("fixed") => Base::Fixed,
        Some("free") => Base::Free,
        _ => Base::Auto,
    };
    let search = ask["search"].as_array().into_iter().flatten().filter_map(|s| s.as_str().map(PathBuf::from)).collect();
    let meshes = ask["meshes"].as_bool().unwrap_or(true);
    let options = LoadOptions { base, search, meshes, outside: true, ..LoadOptions::default() };
    let start = Instant::now();
    let loaded = load_scene_with(file.as_ref(), &options);
    let seconds = start.elapsed().as_secs_f64();
    let (scene, report) = match loaded {
        Ok(loaded) => loaded,
        Err(error) => return json!({"file": file, "error": error.to_string(), "seconds": seconds}),
    };
    let poses: Vec<Value> = ask["q"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|q| {
            let q: Vec<Vec<f64>> = serde_json::from_value(q.clone()).unwrap_or_default();
            poses_at(&scene, &report, &q).unwrap_or_else(Value::String)
        })
        .collect();
    let mut answer = facts(&scene, &report);
    answer["file"] = json!(file);
    answer["seconds"] = json!(seconds);
    answer["poses"] = json!(poses);
    let (used, approximated, ignored) = report.counts();
    answer["report"] = json!({"used": used, "approximated": approximated, "ignored": ignored});
    answer["findings"] = report.to_json()["findings"].clone();
    answer
}
