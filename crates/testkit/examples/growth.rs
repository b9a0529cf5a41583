//! How the time of the default method grows with the size of the problem, for families that differ in nothing else.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example growth
//! ```
//!
//! Each size is solved under several random pushes; a problem's time is the shortest of several solves by a solver
//! that is kept (processor time, where the system tells it), a row's the median over the pushes. The exponent is the slope of a line through log time over log n,
//! by least squares, over all sizes and over the upper half. Printed as a Markdown table.

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use std::time::Instant;

use gudgeon_lcp::{Lcp, Method, Solution, Solver, Status};
use gudgeon_testkit::single::peg;
use gudgeon_testkit::stacks::stack;
use gudgeon_testkit::{Rng, Scene};

/// Pushes per size; odd, so that the median is one of them.
const PUSHES: usize = 15;
/// Solves per problem: at least, and until this much time is used up, s.
const SOLVES: usize = 3;
const SECONDS: f64 = 0.01;

/// What one size came to.
struct Row {
    contacts: usize,
    n: usize,
    solved: usize,
    pivots: usize,
    seconds: f64,
}

fn main() {
    let pegs: [usize; 9] = [8, 12, 16, 24, 32, 48, 64, 96, 128];
    family("peg, 6 degrees of freedom, 8-sided cones", &pegs, peg);
    // four contacts to a block, six degrees of freedom each
    let blocks: [usize; 7] = [2, 3, 4, 8, 12, 16, 24];
    family("stack of blocks, 4 contacts to a block, 8-sided cones", &blocks, stack);
}

fn family(title: &str, sizes: &[usize], scene: impl Fn(usize) -> Scene) {
    let mut solver = Solver::new(Method::Robust);
    let rows: Vec<Row> = sizes.iter().map(|&size| row(&mut solver, size, &scene)).collect();
    println!("{title}\n");
    println!("| contacts | n | solved | pivots | pivots / n | time | time / pivot |");
    println!("|---|---|---|---|---|---|---|");
    for r in &rows {
        println!(
            "| {} | {} | {}/{PUSHES} | {} | {:.2} | {} | {} |",
            r.contacts,
            r.n,
            r.solved,
            r.pivots,
            r.pivots as f64 / r.n as f64,
            duration(r.seconds),
            duration(r.seconds / r.pivots.max(1) as f64),
        );
    }
    let upper = &rows[rows.len() / 2..];
    println!(
        "\ntime ~ n^{:.2} over all sizes, n^{:.2} from n = {} on; pivots ~ n^{:.2}\n",
        slope(&rows, |r| r.seconds),
        slope(upper, |r| r.seconds),
        upper[0].n,
        slope(&rows, |r| r.pivots as f64),
    );
}

fn row(solver: &mut Solver, size: usize, scene: &impl Fn(usize) -> Scene) -> Row {
    let mut rng = Rng::new(1);
    let mut times = Vec::new();
    let mut pivots = Vec::new();
    let (mut solved, mut contacts, mut n) = (0, 0, 0);
    for _ in 0..PUSHES {
        let scene = scene(size).with_mu_between(0.2, 0.5, &mut rng).pushed(2.0, &mut rng);
        let lcp = scene.lcp();
        (contacts, n) = (scene.n_contacts(), lcp.n());
        let (status, count, seconds) = solve(solver, &lcp);
        solved += usize::from(status == Status::Solved);
        pivots.push(count);
        times.push(seconds);
    }
    pivots.sort_unstable();
    times.sort_unstable_by(f64::total_cmp);
    Row { contacts, n, solved, pivots: pivots[PUSHES / 2], seconds: times[PUSHES / 2] }
}

/// Status, pivots, and the shortest time.
fn solve(solver: &mut Solver, lcp: &Lcp) -> (Status, usize, f64) {
    let mut solution = Solution::default();
    let begin = Instant::now();
    let mut shortest = f64::INFINITY;
    let mut count = 0;
    loop {
        let (cpu, start) = (busy(), Instant::now());
        let outcome = solver.solve(lcp, &mut solution);
        let wall = start.elapsed().as_secs_f64();
        shortest = shortest.min(wall).min(cpu.and_then(|c| Some(busy()? - c)).unwrap_or(wall));
        count += 1;
        if count >= SOLVES && begin.elapsed().as_secs_f64() >= SECONDS {
            return (outcome.status, outcome.pivots, shortest);
        }
    }
}

/// Seconds that this thread has had the processor: others may have it in between. None where the system does not say.
fn busy() -> Option<f64> {
    std::thread::yield_now(); // brings the system's count up to date
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// The slope of log y over log n, by least squares.
fn slope(rows: &[Row], y: impl Fn(&Row) -> f64) -> f64 {
    let points: Vec<(f64, f64)> =
        rows.iter().filter(|r| y(r) > 0.0).map(|r| ((r.n as f64).ln(), y(r).ln())).collect();
    let count = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let cross: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let square: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    cross / square
}

fn duration(seconds: f64) -> String {
    if seconds >= 1e-3 { format!("{:.3} ms", seconds * 1e3) } else { format!("{:.3} us", seconds * 1e6) }
}
