//! Rest: what should not move does not, with redundant contacts, mass ratios and squeezes.

use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::{Params, builtin};

use crate::ValidateError;
use crate::row::Row;
use crate::run::{G, farthest, run};

/// A built-in scene for so long at 10 ms: how far anything went.
fn still(
    name: &str,
    set: &[(&str, f64)],
    dt: f64,
    settle: f64,
    seconds: f64,
) -> Result<(Simulator, f64), ValidateError> {
    let params = set.iter().fold(Params::new(), |p, (key, value)| p.set(key, *value));
    let mut sim = Simulator::new(&builtin(name, &params)?)?;
    sim.settings.dt = dt;
    run(&mut sim, settle)?;
    let first = sim.clone();
    run(&mut sim, seconds)?;
    let moved = farthest(&first, &sim);
    Ok((sim, moved))
}

const ROUNDING: &str = "rest is rest: rounding over the run";

pub(super) fn wall() -> Result<Vec<Row>, ValidateError> {
    let (_, moved) = still("wall", &[], 1e-2, 0.0, 5.0)?;
    Ok(vec![Row::absolute(
        "wall of 30 bricks: farthest brick moved in 5 s",
        "m",
        0.0,
        moved,
        1e-12,
        ROUNDING,
    )])
}

pub(super) fn stacks() -> Result<Vec<Row>, ValidateError> {
    let mut rows = Vec::new();
    for (boxes, ratio, bound) in [(10.0, 100.0, 2e-14), (2.0, 1e6, 1e-11)] {
        let (sim, moved) = still("stack", &[("boxes", boxes), ("ratio", ratio)], 1e-2, 0.0, 10.0)?;
        let what = format!("stack of {boxes}, {ratio}:1: moved in 10 s");
        rows.push(Row::absolute(what, "m", 0.0, moved, bound, ROUNDING));
        let ground: f64 =
            sim.contacts().iter().filter(|c| c.a.0 == 0 || c.b.0 == 0).map(|c| c.force.z.abs()).sum();
        let what = format!("stack of {boxes}, {ratio}:1: force on the ground");
        rows.push(Row::relative(what, "N", sim.model().mass() * G, ground, 1e-12, "equilibrium: rounding"));
    }
    Ok(rows)
}

pub(super) fn grasp() -> Result<Vec<Row>, ValidateError> {
    let (_, moved) = still("pinch", &[], 1e-3, 1.0, 5.0)?;
    Ok(vec![Row::absolute("capsule between two pads: creep in 5 s", "m", 0.0, moved, 1e-12, ROUNDING)])
}

pub(super) fn pushed_frame() -> Result<Vec<Row>, ValidateError> {
    // ½ a t² with a = 0.05 μ g over 2 s, and half a step of it: the sum of 2,000 steps
    let (mu, dt, steps) = (0.5, 1e-3, 2000.0);
    let truth = 0.05 * mu * G * dt * dt * steps * (steps + 1.0) / 2.0;
    let mut rows = Vec::new();
    for azimuth in [0.0, 30.0, 45.0] {
        let (_, moved) = still("push", &[("azimuth", azimuth)], dt, 0.0, 2.5)?;
        let what = format!("frame of 16 feet pushed at 1.05 of its limit, {azimuth} degrees: slid");
        rows.push(Row::relative(
            what,
            "m",
            truth,
            moved,
            1e-8,
            "the difference of two forces twenty times as large",
        ));
    }
    Ok(rows)
}
