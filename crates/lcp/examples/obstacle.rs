//! Obstacle problems by `robust` on sparse matrices, one line of JSON each: size, time, residual.
//!
//! `cargo run --release -p gudgeon-lcp --example obstacle [-- REPEATS]`; peers stand beside it by
//! `benches/peers/obstacle/compare.py`, which builds the same problems.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::sync::OnceLock;
use std::time::Instant;

use gudgeon_lcp::{Lcp, Method, Solution, Solver, SparseMatrix};

/// −Δu times h² on `side` inner points of a line or side² of a square, with the load of the comparison.
fn problem(side: usize, two: bool) -> Option<Lcp> {
    let n = if two { side * side } else { side };
    let h = 1.0 / (side as f64 + 1.0);
    let mut list = Vec::new();
    for k in 0..n {
        list.push((k, k, if two { 4.0 } else { 2.0 }));
        if (k + 1) % side != 0 {
            list.extend([(k, k + 1, -1.0), (k + 1, k, -1.0)]);
        }
        if two && k + side < n {
            list.extend([(k, k + side, -1.0), (k + side, k, -1.0)]);
        }
    }
    let at = |k: usize| (k as f64 + 1.0) * h;
    let load = |k: usize| {
        if two {
            h * h * (1.0 - 8.0 * (3.0 * at(k % side)).sin() * (4.0 * at(k / side)).cos())
        } else {
            h * h * (1.0 - 3.0 * (9.0 * at(k)).sin())
        }
    };
    Lcp::from_sparse(SparseMatrix::from_triplets(n, list).ok()?, (0..n).map(load).collect()).ok()
}

/// Processor time of this process where the system tells it, else the clock's: other work on the machine is not ours.
fn processor_seconds() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

fn main() {
    let repeats: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(2);
    // n = 500, 2,000 and 100,000: in the plane the nearest squares
    for (side, two) in [(500, false), (2_000, false), (100_000, false), (22, true), (45, true), (316, true)] {
        let Some(lcp) = problem(side, two) else { continue };
        let mut answer = Solution::default();
        let (mut runs, mut last) = (0, None);
        let (begin, from) = (Instant::now(), processor_seconds());
        // the system counts in ticks: short runs are repeated until they add up
        while runs < repeats || begin.elapsed().as_secs_f64() < 0.5 {
            // a new solver each time: its order of elimination and its memory are part of the price
            last = Some(Solver::new(Method::Robust).solve(&lcp, &mut answer));
            runs += 1;
        }
        let seconds = (processor_seconds() - from) / runs as f64;
        let Some(outcome) = last else { continue };
        let raw = answer.z.iter().zip(&answer.w).map(|(z, w)| z.min(*w).abs()).fold(0.0, f64::max);
        println!(
            "{{\"dimension\":{},\"n\":{},\"seconds\":{seconds:.6},\"status\":\"{}\",\"natural\":{:e},\"raw\":{raw:e}}}",
            1 + usize::from(two),
            lcp.n(),
            outcome.status,
            outcome.residual.natural
        );
    }
}
