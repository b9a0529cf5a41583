//! Dense quadratic programs as boxed problems, alone and in sweeps, one line of JSON each.
//!
//! ```text
//!     min ½ xᵀQx + cᵀx,   G x ≤ h,   0 ≤ x ≤ 1          A = [Q Gᵀ; −G 0],  b = (c, h),  (x, λ) in [0, 1] × [0, ∞)
//! ```
//!
//! `cargo run --release -p gudgeon-lcp --example quadratic [-- FOLDER]`. The data are read from FOLDER/qp-N-M.csv, which
//! `benches/peers/quadratic/compare.py` writes for all solvers alike: a line for each row of (Q | c), then of (G | h), then
//! fifty lines of other c. Without a folder they are drawn here, by the same rules.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::sync::OnceLock;
use std::time::Instant;

use gudgeon_lcp::{Method, Mlcp, MlcpSolution, Options, Solver, Start};

/// Problems of a sweep.
const SWEEP: usize = 50;

/// Numbers in [−1, 1) that never change.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

type Table = Vec<Vec<f64>>;

fn draw(n: usize, m: usize) -> Table {
    let mut noise = Noise(n as u64);
    let root: Table = (0..n).map(|_| (0..n).map(|_| noise.next()).collect()).collect();
    let c: Vec<f64> = (0..n).map(|_| 10.0 * noise.next()).collect();
    let product = |i: usize, j: usize| {
        root[i].iter().zip(&root[j]).map(|(a, b)| a * b).sum::<f64>() / n as f64
            + if i == j { 0.1 } else { 0.0 }
    };
    let mut table: Table = (0..n).map(|i| (0..n).map(|j| product(i, j)).chain([c[i]]).collect()).collect();
    table.extend((0..m).map(|_| (0..n).map(|_| noise.next()).chain([0.5]).collect()));
    let mut at = c;
    for _ in 0..SWEEP {
        for c in &mut at {
            *c += 0.05 * noise.next();
        }
        table.push(at.clone());
    }
    table
}

fn read(path: &str) -> Option<Table> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().map(|line| line.split(',').map(|v| v.parse().ok()).collect()).collect()
}

/// The boxed problem, and the b of the sweep.
fn problem(table: &Table, n: usize, m: usize) -> Option<(Mlcp, Table)> {
    let size = n + m;
    let mut rows = vec![vec![0.0; size]; size];
    let mut b = vec![0.0; size];
    for i in 0..n {
        rows[i][..n].copy_from_slice(&table[i][..n]);
        b[i] = table[i][n];
    }
    for k in 0..m {
        let g = &table[n + k];
        b[n + k] = g[n];
        for j in 0..n {
            rows[n + k][j] = -g[j];
            rows[j][n + k] = g[j];
        }
    }
    let lo = vec![0.0; size];
    let hi = (0..size).map(|i| if i < n { 1.0 } else { f64::INFINITY }).collect();
    let sweep =
        table[n + m..].iter().map(|c| c.iter().copied().chain(b[n..].iter().copied()).collect()).collect();
    Some((Mlcp::from_rows(&rows, b, lo, hi).ok()?, sweep))
}

/// Processor time of this process where the system tells it, else the clock's.
fn processor_seconds() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

/// The mean time of a call, repeated until the system's ticks do not matter.
fn timed(mut call: impl FnMut()) -> f64 {
    let (begin, from) = (Instant::now(), processor_seconds());
    let mut runs = 0.0;
    while runs == 0.0 || begin.elapsed().as_secs_f64() < 0.7 {
        call();
        runs += 1.0;
    }
    (processor_seconds() - from) / runs
}

/// A whole sweep; the number solved, the largest residual and the pivots.
fn sweep(mlcp: &mut Mlcp, list: &Table, warm: bool) -> (usize, f64, usize) {
    let (mut solver, mut answer) = (Solver::new(Method::Robust), MlcpSolution::default());
    let (mut solved, mut worst, mut pivots) = (0, 0.0_f64, 0);
    for b in list {
        let start = if warm { Start::Previous } else { Start::Cold };
        let told = mlcp.set_b(b).is_ok();
        let Ok(outcome) = solver.run(mlcp, Options { start, ..Options::default() }, &mut answer) else {
            continue;
        };
        solved += usize::from(told && outcome.is_solved());
        worst = worst.max(outcome.residual.natural);
        pivots += outcome.pivots;
    }
    (solved, worst, pivots)
}

fn main() {
    let folder = std::env::args().nth(1);
    for (n, m) in [(200, 40), (400, 80)] {
        let table =
            folder.as_ref().and_then(|f| read(&format!("{f}/qp-{n}-{m}.csv"))).unwrap_or_else(|| draw(n, m));
        let Some((mut mlcp, list)) = problem(&table, n, m) else { continue };
        let (mut answer, mut last) = (MlcpSolution::default(), None);
        let one = timed(|| last = Some(Solver::new(Method::Robust).solve_mlcp(&mlcp, &mut answer)));
        let Some(outcome) = last else { continue };
        let raw = (0..n + m)
            .map(|i| {
                let (x, w) = (answer.x[i], answer.w[i]);
                (x - (x - w).clamp(mlcp.lo()[i], mlcp.hi()[i])).abs()
            })
            .fold(0.0, f64::max);
        let cold = timed(|| _ = sweep(&mut mlcp, &list, false));
        let mut counts = (0, 0.0, 0);
        let warm = timed(|| counts = sweep(&mut mlcp, &list, true));
        println!(
            "{{\"n\":{n},\"m\":{m},\"seconds\":{one:.6},\"status\":\"{}\",\"raw\":{raw:e},\"cold_sweep\":{cold:.6},\
             \"warm_sweep\":{warm:.6},\"ratio\":{:.2},\"solved\":{},\"worst\":{:e},\"pivots\":{}}}",
            outcome.status,
            cold / warm,
            counts.0,
            counts.1,
            counts.2
        );
    }
}
