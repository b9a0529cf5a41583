//! Lloyd's three experiments [Lloyd, §5.4], carried on to 128 contacts and 20 blocks.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example lloyd
//! cargo run --release -p gudgeon-testkit --example lloyd -- --csv > lloyd.csv
//! ```
//!
//! Cones have eight sides, mu lies between 0.2 and 0.3, and every scene is pushed by 20 random wrenches. A time is
//! the mean over the wrenches of the least of several solves: other work on the machine only ever adds. What is
//! timed is the solve alone, from the problem to the certified answer. `standard` is the dense `robust` on the
//! standard problem (8), whose matrix is given to it for nothing; of our dense methods it is the quickest that
//! solves them all. Lloyd's own is "a standard, efficient implementation" of Lemke: the active block factored and updated,
//! O(n²) per pivot [Lloyd, §4], as here. Its ratio of 87 at 32 contacts is not reached against it; a tableau, which moves the
//! whole of M in each pivot, is slower than that and fails on some; after the pegs a table
//! sets the reduced method at 32 contacts against both, with the forming of M and without. A solve that is not certified counts as a failure, and its time stays in the mean.

#![expect(clippy::print_stdout, reason = "its tables are its purpose")]

use std::process::ExitCode;
use std::time::Instant;

use gudgeon_lcp::{
    FrictionLcp, FrictionProblem, FrictionSolution, Lcp, Method, Outcome, Reduced, Solution, Solver,
    Stabilisation, Status, Structural, Structured,
};
use gudgeon_testkit::single::{Situation, peg};
use gudgeon_testkit::stacks::{LLOYD_STACKS, tower};
use gudgeon_testkit::{Rng, Scene};

const USAGE: &str = "\
usage: lloyd [--csv] [--experiment peg|single|stack] [--wrenches N] [--repeats N] [--standard N] [--contacts N]
             [--method NAME] [--dense NAME]
  --csv          one line per scene and method instead of tables
  --experiment   one of the three alone
  --wrenches N   random wrenches per scene (20)
  --repeats N    solves of one problem, of which the quickest counts (9)
  --standard N   the most contacts that the dense method is asked to solve (32)
  --contacts N   leave out scenes of more contacts
  --method NAME  one method alone: standard, structural, reduced or robust
  --dense NAME   the dense method that is called standard (robust)";

const METHODS: [&str; 4] = ["standard", "structural", "reduced", "robust"];

struct Settings {
    csv: bool,
    experiment: Option<String>,
    wrenches: usize,
    repeats: usize,
    standard: usize,
    contacts: usize,
    method: Option<String>,
    dense: Method,
}

impl Settings {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Self {
            csv: false,
            experiment: None,
            wrenches: 20,
            repeats: 9,
            standard: 32,
            contacts: usize::MAX,
            method: None,
            dense: Method::Robust,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("{word}: {text} is no number"));
            match word.as_str() {
                "--csv" => settings.csv = true,
                "--experiment" => settings.experiment = Some(value()?),
                "--wrenches" => settings.wrenches = number(value()?)?,
                "--repeats" => settings.repeats = number(value()?)?,
                "--standard" => settings.standard = number(value()?)?,
                "--contacts" => settings.contacts = number(value()?)?,
                "--method" => settings.method = Some(value()?),
                "--dense" => settings.dense = value()?.parse().map_err(|e| format!("{e}"))?,
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(settings)
    }
}

/// The four methods with their memory.
#[derive(Default)]
struct Methods {
    standard: Option<Solver>,
    structural: Structural,
    reduced: Reduced,
    robust: Structured,
    plain: Solution,
    friction: FrictionSolution,
}

impl Methods {
    fn solve(
        &mut self,
        method: &str,
        dense: Method,
        problem: &FrictionProblem,
        lcp: Option<&Lcp>,
    ) -> Outcome {
        match method {
            "structural" => self.structural.solve_friction(problem, &mut self.friction),
            "reduced" => self.reduced.solve_friction(problem, &mut self.friction),
            "robust" => self.robust.solve(problem, &mut self.friction),
            _ => {
                let solver = self.standard.get_or_insert_with(|| Solver::new(dense));
                solver.solve(lcp.expect("the standard problem was built"), &mut self.plain)
            }
        }
    }
}

/// One scene and method.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    seconds: f64,
    pivots: f64,
    failures: usize,
}

fn run(settings: &Settings, scene: &Scene, method: &str, methods: &mut Methods) -> Cell {
    let mut rng = Rng::new(1);
    let mut cell = Cell::default();
    for _ in 0..settings.wrenches {
        let pushed = scene.clone().with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng);
        let problem = pushed.problem();
        let lcp = (method == "standard").then(|| pushed.lcp());
        let mut least = f64::INFINITY;
        let begin = Instant::now();
        for _ in 0..settings.repeats.max(1) {
            let start = Instant::now();
            let outcome = methods.solve(method, settings.dense, &problem, lcp.as_ref());
            if least == f64::INFINITY {
                cell.pivots += outcome.pivots as f64;
                cell.failures += usize::from(outcome.status != Status::Solved);
            }
            least = least.min(start.elapsed().as_secs_f64());
            // long solves need no repeats
            if begin.elapsed().as_secs_f64() > 0.1 {
                break;
            }
        }
        cell.seconds += least;
    }
    cell.seconds /= settings.wrenches as f64;
    cell.pivots /= settings.wrenches as f64;
    cell
}

/// What `standard` may mean, at 32 contacts: which dense method, and whether the forming of M counts.
fn meanings(settings: &Settings) {
    let scene = peg(32);
    let mut methods = Methods::default();
    let reduced = run(settings, &scene, "reduced", &mut methods).seconds;
    println!("\nstandard at 32 contacts, in two meanings; reduced takes {:.1} us", 1e6 * reduced);
    for (dense, name) in [(Method::Robust, "inverse of the active block"), (Method::Lexicographic, "tableau")]
    {
        let settings = Settings { dense, csv: false, experiment: None, method: None, ..*settings };
        let mut methods = Methods::default();
        let cell = run(&settings, &scene, "standard", &mut methods);
        let formed = cell.seconds + forming(&settings, &scene);
        println!(
            "  {name:<28} {:>9.1} us = {:>5.1} times reduced; with M formed {:>9.1} us = {:>5.1} times; {} failures",
            1e6 * cell.seconds,
            cell.seconds / reduced,
            1e6 * formed,
            formed / reduced,
            cell.failures
        );
    }
}

/// The mean time to form the standard problem, s.
fn forming(settings: &Settings, scene: &Scene) -> f64 {
    let mut rng = Rng::new(1);
    let total: f64 = (0..settings.wrenches)
        .map(|_| {
            let problem = scene.clone().with_mu_between(0.2, 0.3, &mut rng).pushed(2.0, &mut rng).problem();
            (0..settings.repeats.max(1)).fold(f64::INFINITY, |least, _| {
                let start = Instant::now();
                let lcp = FrictionLcp::new(&problem, Stabilisation::default());
                let seconds = start.elapsed().as_secs_f64();
                assert!(lcp.is_ok());
                least.min(seconds)
            })
        })
        .sum();
    total / settings.wrenches as f64
}

/// The slope of log t over log n by least squares.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0.ln()), mean(&|p| p.1.ln()));
    let cross: f64 = points.iter().map(|p| (p.0.ln() - x) * (p.1.ln() - y)).sum();
    let square: f64 = points.iter().map(|p| (p.0.ln() - x).powi(2)).sum();
    cross / square
}

fn experiment(settings: &Settings, name: &str, scenes: &[Scene], fit_from: usize) {
    if settings.experiment.as_ref().is_some_and(|e| e != name) {
        return;
    }
    if !settings.csv {
        println!("\n{name}");
        println!(
            "{:<18} {:>4} {:>4}  {:>44}   {:>27}   {:>20}   {:>7}",
            "scene", "m", "n", "mean time, us", "pivots", "standard / it", "robust"
        );
        println!(
            "{:<18} {:>4} {:>4}  {:>11}{:>11}{:>11}{:>11}   {:>6}{:>7}{:>7}{:>7}   {:>10}{:>10}   {:>7}",
            "",
            "",
            "",
            "standard",
            "struct.",
            "reduced",
            "robust",
            "stand.",
            "struct.",
            "reduced",
            "robust",
            "struct.",
            "reduced",
            "/reduced"
        );
    }
    let mut methods = Methods::default();
    let mut points: [Vec<(f64, f64)>; 4] = Default::default();
    let mut failures = [0; 4];
    for scene in scenes.iter().filter(|s| s.n_contacts() <= settings.contacts) {
        let n = scene.n_contacts();
        let cells: Vec<Option<Cell>> = METHODS
            .iter()
            .map(|&method| {
                let wanted = settings.method.as_ref().is_none_or(|m| m == method);
                let small = method != "standard" || n <= settings.standard;
                (wanted && small).then(|| run(settings, scene, method, &mut methods))
            })
            .collect();
        for (k, cell) in cells.iter().enumerate() {
            if let Some(cell) = cell {
                failures[k] += cell.failures;
                if n >= fit_from {
                    points[k].push((n as f64, cell.seconds));
                }
                if settings.csv {
                    let Cell { seconds, pivots, failures } = cell;
                    let bodies = scene.bodies.len();
                    println!(
                        "{name},{},{bodies},{n},{},{:.3},{pivots:.2},{failures}",
                        scene.name,
                        METHODS[k],
                        1e6 * seconds
                    );
                }
            }
        }
        if !settings.csv {
            row(scene, &cells);
        }
    }
    if !settings.csv {
        let slopes: Vec<String> = points
            .iter()
            .zip(METHODS)
            .filter(|(p, _)| p.len() > 1)
            .map(|(p, method)| format!("{method} {:.2}", exponent(p)))
            .collect();
        println!("exponent in n, from {fit_from} contacts on: {}", slopes.join(", "));
        let counts: Vec<String> =
            failures.iter().zip(METHODS).map(|(count, method)| format!("{method} {count}")).collect();
        println!("failures: {}", counts.join(", "));
    }
}

fn row(scene: &Scene, cells: &[Option<Cell>]) {
    let number = |value: Option<f64>, width: usize, digits: usize| match value {
        Some(v) => format!("{v:>width$.digits$}"),
        None => format!("{:>width$}", "-"),
    };
    let time = |k: usize| cells[k].map(|c: Cell| 1e6 * c.seconds);
    let pivots = |k: usize| cells[k].map(|c: Cell| c.pivots);
    let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
    let times: String = (0..4).map(|k| number(time(k), 11, 1)).collect();
    let counts: String = (0..4).map(|k| number(pivots(k), 7, 1)).collect();
    println!(
        "{:<18} {:>4} {:>4}  {times}  {counts}   {}{}   {}",
        scene.name,
        scene.bodies.len(),
        scene.n_contacts(),
        number(ratio(time(0), time(1)), 10, 1),
        number(ratio(time(0), time(2)), 10, 1),
        number(ratio(time(3), time(2)), 7, 2),
    );
}

/// The time of a plain LU of 200 × 200 with row exchanges: what this machine can do today, s.
fn yardstick() -> f64 {
    let n = 200;
    let mut rng = Rng::new(7);
    let matrix: Vec<f64> = (0..n * n).map(|_| rng.uniform(-1.0, 1.0)).collect();
    (0..20).fold(f64::INFINITY, |least, _| {
        let mut a = matrix.clone();
        let start = Instant::now();
        for c in 0..n {
            let p = (c..n).fold(c, |p, i| if a[c * n + i].abs() > a[c * n + p].abs() { i } else { p });
            for j in 0..n {
                a.swap(j * n + c, j * n + p);
            }
            let (left, right) = a.split_at_mut((c + 1) * n);
            let column = &mut left[c * n..];
            let pivot = column[c];
            column[c + 1..].iter_mut().for_each(|v| *v /= pivot);
            for other in right.chunks_exact_mut(n) {
                let f = other[c];
                for (v, l) in other[c + 1..].iter_mut().zip(&column[c + 1..]) {
                    *v -= f * l;
                }
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        assert!(a[n * n - 1].is_finite());
        least.min(seconds)
    })
}

fn main() -> ExitCode {
    let settings = match Settings::parse(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(message) => {
            println!("{message}");
            return ExitCode::FAILURE;
        }
    };
    if settings.csv {
        println!("experiment,scene,bodies,contacts,method,mean_us,pivots,failures");
    } else {
        println!("LU of 200 x 200, plain: {:.3} ms", 1e3 * yardstick());
    }
    let pegs: Vec<Scene> = [8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128].map(peg).to_vec();
    experiment(&settings, "peg", &pegs, 8);
    if !settings.csv && settings.method.is_none() && settings.experiment.as_ref().is_none_or(|e| e == "peg") {
        meanings(&settings);
    }
    let situations: Vec<Scene> = Situation::ALL.iter().map(|s| s.scene()).collect();
    experiment(&settings, "single", &situations, 8);
    let more = [(8, 48), (12, 72), (16, 96), (20, 128)];
    let stacks: Vec<Scene> = LLOYD_STACKS.iter().chain(&more).map(|&(m, n)| tower(m, n)).collect();
    experiment(&settings, "stack", &stacks, 4);
    ExitCode::SUCCESS
}
