//! How long after its limit a solve ends: every problem of some files, under limits of 1 to 100 ms.
//!
//! ```text
//! cargo run --release -p gudgeon-cli --example overrun -- FILES...
//! cargo run --release -p gudgeon-cli --example overrun -- --least 50 FILES...       name what is over by 50 ms
//! ```
//!
//! The overrun is the shortest of three tries, so that another process does not count; columns are the median and the
//! worst over all solves that a limit ended, by kind of problem and cone.

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use std::time::Instant;

use gudgeon_cli::problem_file::{self, Problem};
use gudgeon_lcp::{
    Budget, FrictionSolution, Method, MlcpSolution, Outcome, Solution, Solver, Stabilisation, Start, Status,
};

/// The limits, s.
const LIMITS: [f64; 4] = [0.001, 0.003, 0.01, 0.1];

fn solve(problem: &Problem, round: bool, budget: Budget) -> Option<Outcome> {
    let mut solver = Solver::new(Method::Robust);
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

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut least = f64::INFINITY;
    if let Some(at) = words.iter().position(|w| w == "--least") {
        least = words.get(at + 1).and_then(|w| w.parse().ok()).unwrap_or(least);
        words.drain(at..(at + 2).min(words.len()));
    }
    // by limit and cone: overruns in ms, and where the worst was
    let mut table: Vec<(Vec<f64>, f64, String)> = vec![Default::default(); 2 * LIMITS.len()];
    for item in words.iter().flat_map(|file| problem_file::read(file)) {
        let Ok(named) = item else { continue };
        for (k, &limit) in LIMITS.iter().enumerate() {
            for round in [false, true] {
                let mut over = f64::INFINITY;
                for _ in 0..3 {
                    let began = Instant::now();
                    let Some(outcome) = solve(&named.problem, round, Budget::seconds(limit)) else { break };
                    if outcome.status != Status::Budget {
                        over = f64::INFINITY;
                        break;
                    }
                    over = over.min(1e3 * (began.elapsed().as_secs_f64() - limit));
                }
                if over == f64::INFINITY {
                    continue;
                }
                let cell = &mut table[2 * k + usize::from(round)];
                cell.0.push(over);
                if over >= cell.1 {
                    (cell.1, cell.2) = (over, named.name.clone());
                }
                if over >= least {
                    println!(
                        "  {} {limit} s{}: {over:.1} ms over",
                        named.name,
                        if round { ", round" } else { "" }
                    );
                }
            }
        }
    }
    println!("limit s  cones      ended  median ms   worst ms  where");
    for (k, &limit) in LIMITS.iter().enumerate() {
        for (round, cones) in ["polygons", "round"].into_iter().enumerate() {
            let (over, worst, name) = &mut table[2 * k + round];
            over.sort_unstable_by(f64::total_cmp);
            let median = over.get(over.len() / 2).copied().unwrap_or(0.0);
            println!("{limit:>7}  {cones:<9} {:>6} {median:>10.2} {worst:>10.2}  {name}", over.len());
        }
    }
}
