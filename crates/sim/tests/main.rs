//! The simulator, measured from poses and not from its own word.
#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene should fail")]

mod accuracy; // slopes, pushes, stacks, walls, bounces: against theory
mod contact; // laws of contact: compliance, limits, motors, controllers
mod delassus; // the contact matrix by inverse articulated-body inertias
mod determinism; // same bits: two runs, threads, snapshots
mod energy; // energy is never made
mod fallback; // what happens when a solve fails
mod friction; // box friction
mod gradient; // derivatives of steps against differences
mod loops; // a walker, dead points
mod methods; // the papers' methods and integrators over whole scenes
mod moments; // torsion, rolling, belts, two numbers of friction: against theory
mod no_alloc; // a warm step allocates nothing
mod overlap; // bad starts
mod same_state; // a step knows the state and nothing else
mod scenes; // every built-in scene, without a failed solve
mod wild; // scenes that nobody would build

use gudgeon_sim::{Scene, Simulator, Summary, scenes as builtin};

/// A built-in scene with some of its numbers set.
fn scene(name: &str, settings: &[(&str, f64)]) -> Scene {
    let params = settings.iter().fold(builtin::Params::new(), |p, (key, value)| p.set(key, *value));
    builtin::builtin(name, &params).unwrap()
}

/// Runs a simulator for so many seconds.
fn run(sim: &mut Simulator, seconds: f64) -> Summary {
    let mut summary = Summary::new(sim);
    let end = sim.time() + seconds - 0.5 * sim.settings.dt;
    while sim.time() < end {
        let report = sim.step().unwrap();
        summary.add(&report, 0.0);
    }
    summary
}

/// World position of a link's origin.
fn place(sim: &Simulator, link: &str) -> [f64; 3] {
    sim.body(sim.model().find(link).unwrap()).position
}

/// Distance between two places.
fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// Farthest that any body moved between two moments.
fn farthest(before: &Simulator, after: &Simulator) -> f64 {
    let links = before.model().links();
    links[1..].iter().map(|l| apart(place(before, &l.name), place(after, &l.name))).fold(0.0, f64::max)
}
