//! What a step costs, model by model: reads a JSON object per line, `{"file", "dt", "steps", "warm", "hulls"}`, loads the model, steps it, and
//! answers with processor time per step, the time of its stages, contacts and solver verdicts.
//!
//! Times are those of this thread on a processor, from the kernel's own account, so that what other programs do does not
//! count; the median, 99th percentile and worst of single steps are by the clock and do, unless `"processor": true` asks for them
//! by that account too, which costs every step a call of the kernel.

use std::io::BufRead;
use std::path::PathBuf;
use std::time::Instant;

use gudgeon_model::{LoadOptions, load_scene_with};
use gudgeon_sim::{Scene, Simulator, StepError};
use serde_json::{Value, json};

#[expect(clippy::print_stdout, reason = "its purpose")]
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let ask: Value = serde_json::from_str(&line).expect("a JSON object on each line");
        println!("{}", answer(&ask));
    }
}

/// Seconds this thread has been on a processor. The kernel brings its account up to date when a thread yields.
fn cpu_seconds() -> f64 {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|w| w.parse::<u64>().ok());
    nanos.unwrap_or(0) as f64 * 1e-9
}

fn answer(ask: &Value) -> Value {
    let file = ask["file"].as_str().unwrap_or_default();
    let search = ask["search"].as_array().into_iter().flatten();
    let search = search.filter_map(|s| s.as_str().map(PathBuf::from)).collect();
    let usual = LoadOptions::default();
    let hulls = ask["hulls"].as_bool().unwrap_or(usual.hulls);
    let options = LoadOptions { outside: true, search, hulls, ..usual };
    let (began, clock) = (cpu_seconds(), Instant::now());
    let scene = match load_scene_with(file.as_ref(), &options) {
        Ok((scene, _)) => scene,
        Err(error) => return json!({"file": file, "error": error.to_string()}),
    };
    let load = json!({"cpu_s": cpu_seconds() - began, "s": clock.elapsed().as_secs_f64()});
    match run(&scene, ask) {
        Ok(mut told) => {
            told["file"] = json!(file);
            told["load"] = load;
            told
        }
        Err(error) => json!({"file": file, "error": error, "load": load}),
    }
}

fn run(scene: &Scene, ask: &Value) -> Result<Value, String> {
    let mut sim = Simulator::new(scene).map_err(|e| e.to_string())?;
    sim.settings.dt = ask["dt"].as_f64().unwrap_or(2e-3);
    let steps = ask["steps"].as_u64().unwrap_or(500);
    let patience = ask["patience"].as_f64().unwrap_or(30.0);
    let failed = |e: StepError| e.to_string();
    for _ in 0..ask["warm"].as_u64().unwrap_or(20) {
        let _ = sim.step().map_err(failed)?;
    }
    let (began, mut done) = (cpu_seconds(), 0_u64);
    let (mut collide, mut solve, mut contacts, mut fallbacks) = (Vec::new(), Vec::new(), 0, 0_u64);
    let mut each = Vec::new();
    let whole = Instant::now();
    let by_account = ask["processor"].as_bool() == Some(true);
    let now = || if by_account { cpu_seconds() } else { whole.elapsed().as_secs_f64() };
    while done < steps && whole.elapsed().as_secs_f64() < patience {
        let before = now();
        let report = sim.step().map_err(failed)?;
        each.push(now() - before);
        collide.push(report.collision_seconds);
        solve.push(report.solver_seconds);
        contacts = contacts.max(report.contacts);
        fallbacks += u64::from(report.solve.is_some_and(|s| s.fallback != gudgeon_sim::Fallback::None));
        done += 1;
    }
    let us = 1e6 * (cpu_seconds() - began) / done.max(1) as f64;
    // what else ran is cut off: a stage's mean over the steps that took no longer than the 98th percentile
    let mean = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.truncate((times.len() * 98).div_ceil(100));
        1e6 * times.iter().sum::<f64>() / times.len().max(1) as f64
    };
    each.sort_by(f64::total_cmp);
    let at = |part: usize| each.get(each.len() * part / 100).or(each.last()).map_or(0.0, |t| 1e6 * t);
    Ok(json!({
        "dofs": sim.model().n_v(), "links": sim.model().n_links(), "colliders": sim.geometry().colliders().len(),
        "steps": done, "us": us, "median_us": at(50), "p99_us": at(99), "worst_us": at(100),
        "collide_us": mean(&mut collide), "solve_us": mean(&mut solve), "contacts": contacts,
        "fallbacks": fallbacks, "hash": format!("{:016x}", sim.state_hash()),
    }))
}
