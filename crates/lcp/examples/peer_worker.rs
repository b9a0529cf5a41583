//! Our side of the comparison in `benches/peers/lcp`: answers requests on the standard input, one per line.
//!
//! A request is `FILE ROUND_SECONDS MAX_CALLS`; the file holds n, M by columns and q as little-endian 64-bit words.
//! The problem is solved over and over until the time or the calls are used up, each call against the clock, and
//! the answer is one line of JSON. With the argument `fresh` each call gets a new solver, whose memory it must
//! first ask for; without, the solver is kept from call to call, as in a simulation. With `rounding` answers are not looked at in whole
//! numbers. With the name of a method that one solves, whatever the default is.
#![expect(clippy::print_stdout, reason = "a program that answers on its standard output")]

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, Write as _};
use std::time::Instant;

use gudgeon_lcp::{Lcp, Method, Outcome, Robust, Solution, Solver, Status};

fn main() -> Result<(), Box<dyn Error>> {
    let word = std::env::args().nth(1).unwrap_or_default();
    let fresh = word == "fresh";
    println!("{{\"version\":\"{}\",\"floor\":{:e}}}", env!("CARGO_PKG_VERSION"), clock_cost());
    std::io::stdout().flush()?;
    let mut solver = match word.as_str() {
        "rounding" => Solver::from(Robust::to_rounding()),
        "" | "fresh" => Solver::new(Method::Robust),
        method => Solver::new(method.parse()?),
    };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let mut next = || words.next().ok_or("a request is FILE ROUND_SECONDS MAX_CALLS");
        let lcp = read(next()?)?;
        let (round, calls): (f64, usize) = (next()?.parse()?, next()?.parse()?);
        println!("{}", answer(&mut solver, fresh, &lcp, round, calls)?);
        std::io::stdout().flush()?;
    }
    Ok(())
}

/// Seconds that reading the clock adds to a call.
fn clock_cost() -> f64 {
    (0..1000).map(|_| Instant::now().elapsed().as_secs_f64()).fold(f64::INFINITY, f64::min)
}

/// Reads n, M and q.
fn read(file: &str) -> Result<Lcp, Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let (words, _) = bytes.as_chunks::<8>();
    let (n, numbers) = words.split_first().ok_or("an empty file")?;
    let n = usize::try_from(u64::from_le_bytes(*n))?;
    let mut numbers: Vec<f64> = numbers.iter().map(|w| f64::from_le_bytes(*w)).collect();
    if numbers.len() != n * n + n {
        return Err(format!("{file}: n = {n} needs {} numbers, not {}", n * n + n, numbers.len()).into());
    }
    let q = numbers.split_off(n * n);
    Ok(Lcp::from_column_major(numbers, q)?)
}

/// Seconds that this thread has had the processor: others may have it in between. None where the system does not say.
fn busy() -> Option<f64> {
    std::thread::yield_now(); // brings the system's count up to date
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

fn answer(
    solver: &mut Solver,
    fresh: bool,
    lcp: &Lcp,
    round: f64,
    calls: usize,
) -> Result<String, std::fmt::Error> {
    let mut solution = Solution::default();
    let mut seconds = Vec::new();
    let begin = Instant::now();
    let mut outcome: Option<Outcome> = None;
    while seconds.len() < calls.max(1) && (outcome.is_none() || begin.elapsed().as_secs_f64() < round) {
        if fresh {
            solution = Solution::default();
        }
        // the processor's clock is dear to read: short calls do without
        let busy = if seconds.last().is_none_or(|&s| s > 2e-4) { busy() } else { None };
        let start = Instant::now();
        if fresh {
            *solver = Solver::new(Method::Robust);
        }
        outcome = Some(solver.solve(lcp, &mut solution));
        let wall = start.elapsed().as_secs_f64();
        seconds.push(busy.and_then(|b| Some(wall.min(crate::busy()? - b))).unwrap_or(wall));
    }
    seconds.sort_unstable_by(f64::total_cmp);
    let mut json = String::new();
    if let Some(outcome) = outcome {
        write!(
            json,
            "{{\"claims\":{},\"status\":\"{}\",\"pivots\":{},\"seconds\":{:e},\"median\":{:e},\"calls\":{},\"z\":{:?}}}",
            outcome.status == Status::Solved,
            outcome.status.name(),
            outcome.pivots,
            seconds[0],
            seconds[seconds.len() / 2],
            seconds.len(),
            solution.z,
        )?;
    }
    Ok(json)
}
