//! Same state, same motion: does a step know more than the state? Prints a table over the built-in scenes.
//!
//! ```text
//! cargo run --release -p gudgeon-sim --example same_state [-- STATES [SCENE [tell]]]
//! ```
//! A running simulation is looked at in many of its states. A fresh simulator with the same coordinates, velocities and
//! time, and nothing remembered, takes the same step; so does one from a snapshot. `fresh` counts the states where the
//! velocities after the step are more than 1e-9 of the largest speed (or of what gravity does in a step) apart, `worst` how
//! far they are; `placed` counts those where bodies are put there by hand as well, so that what overlaps is lifted apart
//! whatever it costs; `restored` counts bits.

#![allow(clippy::unwrap_used, reason = "a scene that cannot be built should stop the table")]
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{Scene, Simulator};

/// Apart from here on, against the largest speed of the state.
const SAME: f64 = 1e-9;

/// Scenes and how they differ from their defaults.
const SCENES: [(&str, &[(&str, f64)]); 22] = [
    ("squat", &[]),
    ("tapdance", &[]),
    ("hoist", &[]),
    ("ring", &[]),
    ("net", &[]),
    ("nlegs", &[]),
    ("wall", &[]),
    ("peg", &[]),
    ("stack", &[]),
    ("stack", &[("boxes", 8.0)]),
    ("slope", &[]),
    ("slope", &[("limit", 1.2)]),
    ("push", &[]),
    ("pinch", &[]),
    ("rolling", &[]),
    ("strandbeest", &[]),
    ("ragdoll", &[]),
    ("dominoes", &[]),
    ("kapla", &[]),
    ("pile", &[("bodies", 20.0), ("kind", 0.0)]),
    ("pile", &[("bodies", 20.0), ("kind", 1.0)]),
    ("pile", &[("bodies", 20.0), ("kind", 2.0)]),
];

fn speeds(sim: &Simulator) -> Vec<f64> {
    sim.state().v.clone()
}

/// Against the largest speed, or what gravity does in a step where all is still.
fn apart(a: &[f64], b: &[f64], scale: f64) -> f64 {
    let size = a.iter().fold(scale, |m: f64, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
}

/// What the two answers were, and who gave them.
fn tell(step: u64, distance: f64, both: [&Simulator; 2]) {
    let [a, b] = both.map(|sim| sim.contacts().iter().map(|c| (c.id, c.mode)).collect::<Vec<_>>());
    let other = a.iter().zip(&b).filter(|(x, y)| x != y).count();
    let sliding = a.iter().filter(|c| c.1 == gudgeon_sim::Mode::Slip).count();
    println!("  step {step}: {distance:.1e}, {} contacts, {sliding} slide, {other} in another mode", a.len());
    for sim in both {
        for s in sim.stages() {
            print!("    {} {}{:.0e}", s.stage.name(), if s.won { "won " } else { "" }, s.after);
        }
        println!();
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let states: u64 = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(100);
    println!("scene                          states   fresh   worst  placed  restored  fallbacks");
    let (mut all, mut off) = (0, 0);
    for (name, values) in SCENES {
        if args.get(2).is_some_and(|only| only != name && only != "all") {
            continue;
        }
        let params = values.iter().fold(Params::new(), |p, (key, value)| p.set(key, *value));
        let scene: Scene = builtin(name, &params).unwrap();
        let mut sim = Simulator::new(&scene).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few thousand steps")]
        let total = (scene.duration / scene.settings.dt).round() as u64;
        let every = (total / states).max(1);
        let (mut seen, mut fresh, mut worst, mut by_hand, mut torn, mut saved) = (0, 0, 0.0_f64, 0, 0, 0);
        for k in 0..total {
            let look = k % every == every / 2;
            let before = look.then(|| (sim.snapshot(), sim.state().clone()));
            let Ok(report) = sim.step() else { break };
            let Some((snapshot, state)) = before else { continue };
            seen += 1;
            let start = |by_hand: bool| {
                let mut other = Simulator::new(&scene).unwrap();
                other.restore(&snapshot).unwrap();
                if by_hand {
                    other.set_state(&state);
                }
                other.forget();
                other
            };
            let mut other = start(true);
            let scale = 9.81 * scene.settings.dt;
            let lifted = other.step().is_err() || apart(&speeds(&sim), &speeds(&other), scale) > SAME;
            by_hand += u64::from(lifted);
            let mut other = start(false);
            let Ok(again) = other.step() else { continue };
            let rung = |r: &gudgeon_sim::StepReport| {
                r.solve.is_some_and(|s| s.fallback != gudgeon_sim::Fallback::None)
            };
            saved += u64::from(rung(&report) || rung(&again));
            let distance = apart(&speeds(&sim), &speeds(&other), scale);
            worst = worst.max(distance);
            if distance > SAME {
                fresh += 1;
                if args.get(3).is_some() {
                    tell(k, distance, [&sim, &other]);
                }
            }
            let mut other = Simulator::new(&scene).unwrap();
            other.restore(&snapshot).unwrap();
            let _ = other.step();
            torn += u64::from(other.state_hash() != sim.state_hash());
        }
        let label = values.iter().fold(name.to_owned(), |l, (key, value)| format!("{l} {key}={value}"));
        println!("{label:30}{seen:7}{fresh:8}{worst:9.1e}{by_hand:8}{torn:10}{saved:10}");
        (all, off) = (all + seen, off + fresh);
    }
    println!("{off} of {all} states depend on the past");
}
