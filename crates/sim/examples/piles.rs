//! Piles in motion: who solves them, in how many factorisations and how much time. Prints a row per kind of body.
//!
//! ```text
//! cargo run --release -p gudgeon-sim --example piles [-- BODIES [SEEDS [SECONDS [KEY=VALUE ...]]]]
//! ```
//! Every kind of `pile` is run from so many seeds for so long at 2 ms; keys are those of the scene (`mu=1`, `ratio=1e4`), and
//! `patience`, the seconds after which a run is ended (120). Counts of steps and factorisations are the same on any machine; piles
//! are chaotic, so that shares of a per cent differ from one build to the next, and seeds even them out.
//!
//! | column      | meaning                                                                              |
//! |-------------|--------------------------------------------------------------------------------------|
//! | solved %    | of the steps with contacts, to 1e-9 by the verdict row by row                         |
//! | convex      | steps that the convex law answered                                                    |
//! | residual    | the largest of the steps that are neither solved nor answered by the convex law       |
//! | factor      | factorisations per step, without those of the small problems of `repair`; in brackets the most in one step |
//! | mean        | processor time of a step, where the system tells it: what runs beside does not count   |
//! | worst       | the slowest step by the clock; `ok` if it took at most 20 ms and 50 medians            |

#![allow(clippy::unwrap_used, reason = "a scene that cannot be built should stop the table")]
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::time::Instant;

use gudgeon_lcp::{StageTotals, Status};
use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{Fallback, Simulator, StepReport};

const KINDS: [(&str, f64); 4] = [("spheres", 0.0), ("boxes", 1.0), ("mixed", 2.0), ("capsules", 3.0)];

/// What was counted over the steps of one kind.
#[derive(Default)]
struct Row {
    seconds: Vec<f64>,
    processor: f64,
    solves: u64,
    solved: u64,
    convex: u64,
    residual: f64,
    most: u64,
    stages: StageTotals,
}

impl Row {
    fn add(&mut self, report: &StepReport, took: f64) {
        self.seconds.push(took);
        let Some(solve) = &report.solve else { return };
        let done = solve.status == Status::Solved && solve.fallback == Fallback::None;
        self.solves += 1;
        self.solved += u64::from(done);
        if solve.fallback == Fallback::Convex {
            self.convex += 1;
        } else if !done {
            self.residual = self.residual.max(solve.residual.natural);
        }
        self.most = self.most.max(solve.stages.factorisations());
        self.stages.merge(&solve.stages);
    }

    fn print(mut self, name: &str) {
        self.seconds.sort_by(f64::total_cmp);
        let steps = self.seconds.len();
        let (Some(worst), median) = (self.seconds.last(), self.seconds[steps / 2]) else { return };
        let bound = if *worst <= 0.02 + 50.0 * median { "ok" } else { "no" };
        print!(
            "{name:<8} {steps:>6} {:>9.2} {:>7} {:>9.1e} {:>7.1} ({:>4}) {:>9.0} {:>9.0} {:>8.1} {bound} ",
            100.0 * self.solved as f64 / self.solves.max(1) as f64,
            self.convex,
            self.residual,
            self.stages.factorisations() as f64 / steps as f64,
            self.most,
            1e6 * self.processor / steps as f64,
            1e6 * median,
            1e3 * worst
        );
        let whole = self.seconds.iter().sum::<f64>();
        for (stage, t) in self.stages.iter() {
            let each = f64::from(t.factorisations) / f64::from(t.runs);
            let share = 100.0 * t.seconds / whole;
            print!(" {} {}/{}, {each:.1}, {share:.0} %;", stage.name(), t.wins, t.runs);
        }
        println!();
    }
}

/// Processor time of this thread, s, where the system tells.
fn processor_time() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse::<f64>().ok().map(|ns| 1e-9 * ns)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |k: usize, default: f64| args.get(k).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (bodies, seconds) = (number(1, 50.0), number(3, 2.0));
    let seeds: u32 = args.get(2).and_then(|a| a.parse().ok()).unwrap_or(1);
    let keys: Vec<(&str, f64)> = args
        .iter()
        .skip(4)
        .filter_map(|a| a.split_once('='))
        .map(|(key, value)| (key, value.parse().unwrap()))
        .collect();
    let patience = keys.iter().find(|(key, _)| *key == "patience").map_or(120.0, |(_, value)| *value);
    println!(
        "kind      steps  solved %  convex  residual  factor (most)   mean us    median worst ms    stages: wins/runs, factorisations per run, share of the time"
    );
    for (name, kind) in KINDS {
        let mut row = Row::default();
        for seed in 1..=seeds {
            let params = Params::new().set("bodies", bodies).set("kind", kind).set("seed", f64::from(seed));
            let params = keys
                .iter()
                .filter(|(key, _)| *key != "patience")
                .fold(params, |p, (key, value)| p.set(key, *value));
            let mut sim = Simulator::new(&builtin("pile", &params).unwrap()).unwrap();
            let (start, before) = (Instant::now(), processor_time());
            while sim.time() < seconds - 0.5 * sim.settings.dt && start.elapsed().as_secs_f64() < patience {
                let began = Instant::now();
                let report = sim.step().unwrap();
                row.add(&report, began.elapsed().as_secs_f64());
            }
            let wall = start.elapsed().as_secs_f64();
            row.processor += before.zip(processor_time()).map_or(wall, |(before, now)| now - before);
        }
        row.print(name);
    }
}
