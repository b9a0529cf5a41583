//! `gudgeon bench`: the project's own table of speed, with a yardstick of the machine in the same run.
//!
//! Method: each scene is simulated past its start, then timed step by step; every solve is checked by the simulator
//! itself, and a failed one counts as failed here. The yardstick is a dense LU factorisation of size 200 by the plain
//! textbook loop, taken before, between and after the scenes, the least of all kept: on the machine where the marks of
//! other engines were taken, a tuned library needs 0.28 ms for it.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use gudgeon_sim::{Simulator, Summary};

use crate::model_args::ModelArgs;

/// The arguments of `gudgeon bench`.
#[derive(Debug, Clone, Default, Args)]
#[command(
    after_help = "Examples:\n  gudgeon bench              every line of the table\n  gudgeon bench wall stack   two of them\n  gudgeon bench --json       for scripts"
)]
pub struct BenchArgs {
    /// Lines of the table; all if none is named.
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// One JSON object per line.
    #[arg(long)]
    pub json: bool,
}

/// A line of the table: a scene, how long to warm it up and to time it, and what others need per step.
struct Line {
    name: &'static str,
    scene: &'static str,
    set: &'static [&'static str],
    dt: f64,
    /// Simulated seconds before the clock starts: until the interesting part.
    warm: f64,
    steps: usize,
    /// CPU µs per step seen with other engines.
    others: &'static str,
}

const LINES: &[Line] = &[
    Line {
        name: "wall",
        scene: "wall",
        set: &[],
        dt: 0.01,
        warm: 0.2,
        steps: 300,
        others: "Rapier stiff 1152, Bullet Dantzig 24059, DART 29291",
    },
    Line {
        name: "stack",
        scene: "stack",
        set: &["boxes=10", "ratio=100"],
        dt: 1e-3,
        warm: 0.05,
        steps: 1000,
        others: "Rapier stiff 248, Bullet 267, DART 361",
    },
    Line {
        name: "push",
        scene: "push",
        set: &[],
        dt: 1e-3,
        warm: 0.6,
        steps: 1500,
        others: "DART 82, Bullet 87",
    },
    Line {
        name: "ragdoll",
        scene: "ragdoll",
        set: &[],
        dt: 1e-3,
        warm: 0.0,
        steps: 2000,
        others: "MuJoCo 25, DART 68",
    },
    Line {
        name: "hoist",
        scene: "hoist",
        set: &[],
        dt: 1e-3,
        warm: 0.1,
        steps: 1000,
        others: "MuJoCo 39, DART 108",
    },
    Line { name: "squat", scene: "squat", set: &[], dt: 1e-3, warm: 0.05, steps: 900, others: "" },
    Line { name: "tapdance", scene: "tapdance", set: &[], dt: 1e-3, warm: 0.05, steps: 900, others: "" },
    Line { name: "fourbar", scene: "fourbar", set: &[], dt: 1e-3, warm: 0.05, steps: 2000, others: "" },
    Line { name: "dominoes", scene: "dominoes", set: &[], dt: 1e-3, warm: 0.05, steps: 1600, others: "" },
    Line { name: "kapla", scene: "kapla", set: &[], dt: 1e-3, warm: 0.05, steps: 500, others: "" },
    Line { name: "pinch", scene: "pinch", set: &[], dt: 1e-3, warm: 0.05, steps: 1000, others: "" },
];

/// Runs the command; answers the exit code.
pub(crate) fn run(args: &BenchArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    if let Some(unknown) = args.names.iter().find(|n| !LINES.iter().any(|l| l.name == **n)) {
        let known: Vec<_> = LINES.iter().map(|l| l.name).collect();
        let _ = writeln!(err, "error: there is no line '{unknown}'; there are {}", known.join(", "));
        return 2;
    }
    // a closed pipe has read what it wanted
    table(args, out)
        .map_or_else(|e| u8::from(e.kind() != io::ErrorKind::BrokenPipe), |failed| u8::from(failed > 0))
}

fn table(args: &BenchArgs, out: &mut impl Write) -> io::Result<u64> {
    let mut yardstick = lu_200();
    if !args.json {
        writeln!(
            out,
            "{:10} {:>6} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8} {:>7} {:>6}  others, us/step",
            "scene",
            "dofs",
            "median us",
            "mean us",
            "99 % us",
            "worst us",
            "solver",
            "collis.",
            "contacts",
            "pivots",
            "failed"
        )?;
    }
    let mut all_failed = 0;
    for line in LINES.iter().filter(|l| args.names.is_empty() || args.names.iter().any(|n| n == l.name)) {
        let set: Vec<String> = line.set.iter().map(|s| (*s).to_owned()).collect();
        let scene =
            crate::sim::scene_of(line.scene, &set, &ModelArgs::default(), false).map_err(io::Error::other)?;
        let mut sim = Simulator::new(&scene).map_err(io::Error::other)?;
        sim.settings.dt = line.dt;
        while sim.time() < line.warm {
            let _ = sim.step().map_err(io::Error::other)?;
        }
        let mut summary = Summary::new(&sim);
        for _ in 0..line.steps {
            let began = Instant::now();
            let report = sim.step().map_err(io::Error::other)?;
            summary.add(&report, began.elapsed().as_secs_f64());
        }
        yardstick = yardstick.min(lu_200());
        let [median, p99, worst] = summary.percentiles();
        let [mean, collision, solver] = summary.mean_micros();
        let [contacts, _, pivots] = summary.means();
        let failed = summary.failed() + summary.fallback();
        all_failed += failed;
        if args.json {
            let mut json = summary.to_json(line.name, &sim);
            json["lu_200_ms"] = (1e3 * yardstick).into();
            json["solver_us"] = solver.into();
            json["collision_us"] = collision.into();
            json["others"] = line.others.into();
            writeln!(out, "{json}")?;
        } else {
            writeln!(
                out,
                "{:10} {:>6} {median:>9.1} {mean:>9.1} {p99:>9.1} {worst:>9.1} {:>6.0} % {:>6.0} % {contacts:>8.1} {pivots:>7.2} {failed:>6}  {}",
                line.name,
                sim.model().n_v(),
                100.0 * solver / mean,
                100.0 * collision / mean,
                line.others
            )?;
        }
        out.flush()?;
    }
    if !args.json {
        writeln!(
            out,
            "yardstick: dense LU of 200 x 200, plain loops, {:.3} ms (a tuned library: 0.28 ms where the others were timed)",
            1e3 * yardstick
        )?;
    }
    out.flush()?;
    Ok(all_failed)
}

/// Seconds for the LU factorisation of a dense matrix of size 200 with partial pivoting: the least of nine.
fn lu_200() -> f64 {
    const N: usize = 200;
    let matrix: Vec<f64> = (0..N * N).map(|k| ((k * k + 7 * k) as f64 * 0.618).sin()).collect();
    let mut a = matrix.clone();
    let mut least = f64::INFINITY;
    for _ in 0..9 {
        a.copy_from_slice(&matrix);
        let began = Instant::now();
        for k in 0..N {
            let p = (k..N).fold(k, |p, i| if a[i * N + k].abs() > a[p * N + k].abs() { i } else { p });
            for j in 0..N {
                a.swap(k * N + j, p * N + j);
            }
            let (above, below) = a.split_at_mut((k + 1) * N);
            let row = &above[k * N..];
            for rest in below.chunks_exact_mut(N) {
                let f = rest[k] / row[k];
                rest[k] = f;
                rest[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(x, r)| *x -= f * r);
            }
        }
        black_box(&a);
        least = least.min(began.elapsed().as_secs_f64());
    }
    least
}
