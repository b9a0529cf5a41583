//! Piles in motion: who solves them, in how many factorisations and how much time. Prints a row per kind of body.
//!
//! ```text
//! cargo run --release -p gudgeon-sim --example piles [-- BODIES [SEEDS [SECONDS [KEY=VALUE ...]]]]
//! ```
//! Every kind of `pile` is run from so many seeds for so long at 2 ms. Counts of steps and factorisations are the same on any
//! machine; piles are chaotic, so that shares of a per cent differ from one build to the next, and seeds even them out.

#![allow(clippy::unwrap_used, reason = "a scene that cannot be built should stop the table")]
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::time::Instant;

use gudgeon_lcp::{StageTotals, Status};
use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{Fallback, Simulator};

const KINDS: [(&str, f64); 4] = [("spheres", 0.0), ("boxes", 1.0), ("mixed", 2.0), ("capsules", 3.0)];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |k: usize, default: f64| args.get(k).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (bodies, seconds) = (number(1, 50.0), number(3, 2.0));
    let seeds: u32 = args.get(2).and_then(|a| a.parse().ok()).unwrap_or(1);
    println!(
        "kind      steps  solved %  convex  factor/step    mean us   worst ms  stages: wins/runs, factorisations per run"
    );
    for (name, kind) in KINDS {
        let (mut steps, mut solves, mut solved, mut convex) = (0_u64, 0_u64, 0_u64, 0_u64);
        let (mut worst, mut whole, mut stages) = (0.0_f64, 0.0, StageTotals::default());
        for seed in 1..=seeds {
            let params = Params::new().set("bodies", bodies).set("kind", kind).set("seed", f64::from(seed));
            let params = args
                .iter()
                .skip(4)
                .filter_map(|a| a.split_once('='))
                .fold(params, |p, (key, value)| p.set(key, value.parse().unwrap()));
            let mut sim = Simulator::new(&builtin("pile", &params).unwrap()).unwrap();
            while sim.time() < seconds - 0.5 * sim.settings.dt {
                let began = Instant::now();
                let report = sim.step().unwrap();
                let took = began.elapsed().as_secs_f64();
                steps += 1;
                whole += took;
                worst = worst.max(took);
                if let Some(solve) = &report.solve {
                    solves += 1;
                    solved += u64::from(solve.status == Status::Solved && solve.fallback == Fallback::None);
                    convex += u64::from(solve.fallback == Fallback::Convex);
                    stages.merge(&solve.stages);
                }
            }
        }
        print!(
            "{name:<8} {steps:>6} {:>9.2} {convex:>7} {:>12.1} {:>10.0} {:>10.1} ",
            100.0 * solved as f64 / solves.max(1) as f64,
            stages.factorisations() as f64 / steps as f64,
            1e6 * whole / steps as f64,
            1e3 * worst
        );
        for (stage, t) in stages.iter() {
            let each = f64::from(t.factorisations) / f64::from(t.runs);
            print!(" {} {}/{}, {each:.1};", stage.name(), t.wins, t.runs);
        }
        println!();
    }
}
