//! How long after its limit a solve or a step ends: every problem of some files, and steps of piles, stopped after 1 to 100 ms.
//!
//! ```text
//! cargo run --release -p gudgeon-cli --example overrun -- FILES...
//! cargo run --release -p gudgeon-cli --example overrun -- --least 50 FILES...       name what is over by 50 ms
//! cargo run --release -p gudgeon-cli --example overrun -- --pile 1000 0.7           a pile of boxes, from 0.7 s on
//! ```
//!
//! A flag is raised after so many milliseconds, as Ctrl-C raises it; a deadline is looked at in the same places. The overrun is the
//! processor time that the thread of the solve takes from then on (`schedstat` of Linux), so that what else the machine does
//! has no part in it; it is told too long by up to one tick of the scheduler, 4 ms. Columns are the median and the worst over all solves
//! that the flag ended, by cone. A whole step counts with `--pile`: collision, assembly, bounces and recovery too.

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use gudgeon_cli::problem_file::{self, Problem};
use gudgeon_lcp::{
    Budget, FrictionSolution, Interrupt, Method, MlcpSolution, Outcome, Solution, Solver, Stabilisation,
    Start, Status,
};
use gudgeon_sim::Simulator;
use gudgeon_sim::scenes::{Params, builtin};

/// After what the flag is raised, s.
const LIMITS: [f64; 4] = [0.001, 0.003, 0.01, 0.1];
/// Steps of a pile that are stopped at each limit.
const STEPS: usize = 25;

static STOP: AtomicBool = AtomicBool::new(false);

/// Processor time of a thread, s.
fn spent(schedstat: &Path) -> f64 {
    let text = std::fs::read_to_string(schedstat).unwrap_or_default();
    text.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(f64::NAN) * 1e-9
}

/// What `work` answers, and the processor time, ms, that it took after the flag was raised; none if it ended before.
fn stopped<T: Send>(after: f64, work: impl FnOnce() -> T + Send) -> (T, Option<f64>) {
    STOP.store(false, Ordering::Relaxed);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let me = std::fs::read_link("/proc/thread-self").unwrap_or_default();
            let schedstat = PathBuf::from("/proc").join(me).join("schedstat");
            let _ = send.send((schedstat.clone(), Instant::now()));
            let answer = work();
            let raised = STOP.load(Ordering::Relaxed);
            // brings the account of this thread up to date
            std::thread::yield_now();
            (answer, raised, spent(&schedstat))
        });
        let Ok((schedstat, began)) = receive.recv() else { std::process::abort() };
        std::thread::sleep(Duration::from_secs_f64(after).saturating_sub(began.elapsed()));
        let at = spent(&schedstat);
        STOP.store(true, Ordering::Relaxed);
        let (answer, raised, end) = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (answer, raised.then_some(1e3 * (end - at)).filter(|ms| ms.is_finite()))
    })
}

fn solve(problem: &Problem, round: bool) -> Option<Outcome> {
    let mut solver = Solver::new(Method::Robust);
    let budget = Budget { interrupt: Some(Interrupt::new(&STOP)), ..Budget::default() };
    match problem {
        Problem::Lcp(lcp) if !round => {
            Some(solver.solve_with(lcp, Start::Cold, budget, &mut Solution::default(), &mut ()))
        }
        Problem::Mlcp(mlcp) if !round => {
            Some(solver.solve_mlcp_with(mlcp, budget, &mut MlcpSolution::default(), &mut ()))
        }
        Problem::Friction(p) => {
            let mut answer = FrictionSolution::default();
            Some(if round {
                solver.solve_friction_exact(p, budget, &mut answer, &mut ())
            } else {
                solver.solve_friction_with(p, Stabilisation::default(), budget, &mut answer, &mut ())
            })
        }
        _ => None,
    }
}

/// Overruns, ms, and where the worst was.
#[derive(Default, Clone)]
struct Cell(Vec<f64>, f64, String);

impl Cell {
    fn add(&mut self, over: f64, name: impl Into<String>) {
        self.0.push(over);
        if over >= self.1 {
            (self.1, self.2) = (over, name.into());
        }
    }

    fn print(mut self, limit: f64, what: &str) {
        self.0.sort_unstable_by(f64::total_cmp);
        let median = self.0.get(self.0.len() / 2).copied().unwrap_or(0.0);
        println!("{limit:>7}  {what:<9} {:>6} {median:>10.2} {:>10.2}  {}", self.0.len(), self.1, self.2);
    }
}

/// Takes what follows a word, and so many words after it, out of the list.
fn taken(words: &mut Vec<String>, key: &str, count: usize) -> Option<Vec<f64>> {
    let at = words.iter().position(|w| w == key)?;
    let end = (at + 1 + count).min(words.len());
    words.drain(at..end).skip(1).map(|w| w.parse().ok()).collect()
}

fn files(words: &[String], least: f64) {
    let mut table = vec![Cell::default(); 2 * LIMITS.len()];
    for named in words.iter().flat_map(|file| problem_file::read(file)).flatten() {
        for (k, &limit) in LIMITS.iter().enumerate() {
            for (at, round) in [false, true].into_iter().enumerate() {
                let (outcome, over) = stopped(limit, || solve(&named.problem, round));
                let cut = outcome.is_some_and(|o| o.status == Status::Budget);
                let Some(over) = over.filter(|_| cut) else { continue };
                table[2 * k + at].add(over, named.name.clone());
                if over >= least {
                    let cones = if round { ", round" } else { "" };
                    println!("  {} {limit} s{cones}: {over:.1} ms over", named.name);
                }
            }
        }
    }
    for (k, cell) in table.into_iter().enumerate() {
        cell.print(LIMITS[k / 2], ["polygons", "round"][k % 2]);
    }
}

/// Steps of a pile of boxes, each tried from the same moment for every limit.
fn pile(bodies: f64, from: f64) -> Result<(), Box<dyn std::error::Error>> {
    let params = Params::parse(&[format!("bodies={bodies}"), "kind=1".to_owned()])?;
    let mut sim = Simulator::new(&builtin("pile", &params)?)?;
    sim.settings.seconds = Some(0.02);
    while sim.time() < from {
        let _ = sim.step()?;
    }
    sim.settings.seconds = None;
    sim.settings.interrupt = Some(Interrupt::new(&STOP));
    let mut table = vec![Cell::default(); LIMITS.len()];
    for _ in 0..STEPS {
        let moment = sim.snapshot();
        for (cell, &limit) in table.iter_mut().zip(&LIMITS) {
            let (step, over) = stopped(limit, || sim.step());
            let _ = step?;
            if let Some(over) = over {
                cell.add(over, format!("step {}", sim.steps()));
            }
            sim.restore(&moment)?;
        }
        STOP.store(false, Ordering::Relaxed);
        sim.settings.seconds = Some(0.02);
        let _ = sim.step()?;
        sim.settings.seconds = None;
    }
    println!("{bodies} bodies from {from} s on, {} contacts at the end", sim.contacts().len());
    for (cell, limit) in table.into_iter().zip(LIMITS) {
        cell.print(limit, "step");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let least = taken(&mut words, "--least", 1).and_then(|v| v.first().copied()).unwrap_or(f64::INFINITY);
    let piles = taken(&mut words, "--pile", 2);
    println!("limit s  what       ended  median ms   worst ms  where");
    match piles.as_deref() {
        Some(&[bodies, from]) => pile(bodies, from)?,
        _ => files(&words, least),
    }
    Ok(())
}
