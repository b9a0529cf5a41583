//! Many copies of a model on threads: reads a JSON object per line, `{"file", "dt", "copies", "threads", "steps", "speed"}`, steps every copy
//! from its own start, and answers with processor time and time by the clock per step of a copy.
//!
//! Copies start at the model's own state with joint rates v_k = speed sin(12.9898 (copy n_v + k)), rad/s, the six of a free root left at rest. A copy is
//! taken through all its steps by one thread before the next is begun, as `rollout` in Python does it: what it works on stays in the cache.

use std::io::BufRead;
use std::sync::Mutex;
use std::time::Instant;

use gudgeon_model::{LoadOptions, load_scene_with};
use gudgeon_sim::Simulator;
use serde_json::{Value, json};

#[expect(clippy::print_stdout, reason = "its purpose")]
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let ask: Value = serde_json::from_str(&line).expect("a JSON object on each line");
        println!("{}", answer(&ask).unwrap_or_else(|error| json!({"error": error})));
    }
}

/// Seconds this thread has been on a processor. The kernel brings its account up to date when a thread yields.
fn cpu_seconds() -> f64 {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|w| w.parse::<u64>().ok());
    nanos.unwrap_or(0) as f64 * 1e-9
}

/// What the copies of one thread came to.
#[derive(Default)]
struct Tally {
    cpu: f64,
    contacts: usize,
    fallbacks: usize,
    failed: usize,
}

fn answer(ask: &Value) -> Result<Value, String> {
    let count = |name: &str, usual: u64| usize::try_from(ask[name].as_u64().unwrap_or(usual)).unwrap_or(1);
    let (copies, threads, steps) = (count("copies", 1024), count("threads", 2), count("steps", 200));
    let speed = ask["speed"].as_f64().unwrap_or(1.0);
    let options = LoadOptions { outside: true, ..LoadOptions::default() };
    let file = ask["file"].as_str().unwrap_or_default();
    let (scene, _) = load_scene_with(file.as_ref(), &options).map_err(|e| e.to_string())?;
    let mut plain = Simulator::new(&scene).map_err(|e| e.to_string())?;
    plain.settings.dt = ask["dt"].as_f64().unwrap_or(2e-3);
    let dofs = plain.model().n_v();
    // copied by one thread at a time
    let (next, tallies) = (Mutex::new((0, plain)), Mutex::new(Vec::new()));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut tally = Tally::default();
                let start = cpu_seconds();
                loop {
                    let (copy, sim) = {
                        let mut next = next.lock().expect("nobody panics with it");
                        if next.0 == copies {
                            break;
                        }
                        next.0 += 1;
                        (next.0 - 1, next.1.clone())
                    };
                    run(sim, copy, steps, speed, &mut tally);
                }
                tally.cpu = cpu_seconds() - start;
                tallies.lock().expect("nobody panics with it").push(tally);
            });
        }
    });
    let seconds = began.elapsed().as_secs_f64();
    let tallies = tallies.into_inner().expect("nobody panics with it");
    let per = 1e6 / (copies * steps).max(1) as f64;
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    Ok(json!({
        "file": file, "copies": copies, "threads": threads, "steps": steps, "dofs": dofs,
        "us": per * tallies.iter().map(|t| t.cpu).sum::<f64>(), "clock_us": per * seconds,
        "contacts": sum(|t| t.contacts) as f64 / (copies * steps).max(1) as f64,
        "fallbacks": sum(|t| t.fallbacks), "failed": sum(|t| t.failed),
    }))
}

fn run(mut sim: Simulator, copy: usize, steps: usize, speed: f64, tally: &mut Tally) {
    let mut state = sim.state().clone();
    let nv = state.v.len();
    for (k, v) in state.v.iter_mut().enumerate().skip(6) {
        *v = speed * (12.9898 * (copy * nv + k) as f64).sin();
    }
    sim.set_state(&state);
    for _ in 0..steps {
        let Ok(report) = sim.step() else {
            tally.failed += 1;
            return;
        };
        tally.contacts += report.contacts;
        tally.fallbacks +=
            usize::from(report.solve.is_some_and(|s| s.fallback != gudgeon_sim::Fallback::None));
    }
}
