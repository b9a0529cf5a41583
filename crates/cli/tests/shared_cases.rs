//! Collected problems of other projects: `GUDGEON_CASES` names a folder with `lcp/*.json` and `fclib/*.npz`.
//!
//! Every answer is measured again here, by plain loops over the file's own numbers.

use std::path::{Path, PathBuf};

use gudgeon_cli::problem_file::{self, Problem};
use gudgeon_cli::{Answer, Settings, Solving, Values};
use gudgeon_lcp::{
    Budget, ContactAnswer, FrictionLcp, Method, Scaling, Solution, Solver, Stabilisation, Status,
};
use serde_json::Value;

use crate::support::files;

/// A natural residual above this is not solved.
const SOLVED: f64 = 1e-9;

/// The greatest standard problem that the dense default method must solve.
const DENSE: usize = 1300;

/// A folder of the collection, where there is one.
fn folder(name: &str) -> Option<PathBuf> {
    std::env::var_os("GUDGEON_CASES").map(|cases| Path::new(&cases).join(name))
}

const SKIPPED: &str = "skipped: GUDGEON_CASES is not set";

struct Case {
    name: String,
    json: Value,
    problem: Problem,
}

impl Case {
    fn read(path: &Path) -> Self {
        let json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let mut problems = problem_file::read(path.to_str().unwrap());
        assert_eq!(problems.len(), 1);
        let problem = problems.remove(0).unwrap().problem;
        Self { name: path.file_stem().unwrap().to_string_lossy().into_owned(), json, problem }
    }

    fn expect(&self) -> &str {
        self.json["expect"].as_str().unwrap_or("unknown")
    }

    fn numbers(&self, key: &str, null: f64) -> Vec<f64> {
        self.json[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap_or(null)).collect()
    }

    fn matrix(&self, key: &str) -> Vec<Vec<f64>> {
        let row = |row: &Value| row.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
        self.json[key].as_array().unwrap().iter().map(row).collect()
    }

    /// The natural residual in scaled units, from the numbers of the file.
    fn residual(&self, z: &[f64]) -> f64 {
        let boxed = self.json["kind"] == "mlcp";
        let (m, q) = if boxed { ("A", "b") } else { ("M", "q") };
        let (m, q) = (self.matrix(m), self.numbers(q, f64::NAN));
        let n = q.len();
        let columns: Vec<f64> = (0..n * n).map(|k| m[k % n][k / n]).collect();
        let units = Scaling::new(&columns, &q);
        let (lo, hi, sizes) =
            if boxed { self.bounds(z) } else { (vec![0.0; n], vec![f64::INFINITY; n], vec![0.0; n]) };

        let mut size = units.size();
        for i in 0..n {
            size = size.max(sizes[i] / units.d()[i]);
        }
        let mut worst = 0.0;
        for i in 0..n {
            let w = (0..n).fold(q[i], |w, j| w + m[i][j] * z[j]);
            let (w, d) = (w * units.d()[i] / size, units.d()[i] * size);
            // the distance to the nearest of: x = lo with w ≥ 0, w = 0, x = hi with w ≤ 0
            let row = ((z[i] - lo[i]) / d).min(w.max(0.0)).abs();
            let row = row.max(((hi[i] - z[i]) / d).min((-w).max(0.0)).abs());
            worst = if row.is_nan() { f64::INFINITY } else { f64::max(worst, row) };
        }
        worst
    }

    /// Bounds in force at x, and the sizes of those that are plain numbers.
    fn bounds(&self, x: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (mut lo, mut hi) = (self.numbers("lo", f64::NEG_INFINITY), self.numbers("hi", f64::INFINITY));
        let mut sizes = vec![0.0; x.len()];
        let finite = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
        for i in 0..x.len() {
            let normal = self.json["findex"].get(i).and_then(Value::as_i64).filter(|&f| f >= 0);
            if let Some(normal) = normal {
                // one bound of a friction row stands for both
                let (l, h) = (lo[i].max(-hi[i]), hi[i].min(-lo[i]));
                let force = x[usize::try_from(normal).unwrap()].abs();
                (lo[i], hi[i]) = if l.is_finite() { (l * force, h * force) } else { (l, h) };
            } else {
                sizes[i] = finite(lo[i]).max(finite(hi[i]));
            }
        }
        (lo, hi, sizes)
    }

    /// Whether an answer keeps the promise that solved means solved.
    fn check_solved(&self, method: Method, answer: &Answer) {
        let Values::Vectors { z, .. } = &answer.values else { panic!("{}: no vectors", self.name) };
        if answer.outcome.status == Status::Solved {
            let residual = self.residual(z);
            assert!(residual <= SOLVED, "{}: {method} says solved, residual {residual:.1e}", self.name);
        }
    }
}

#[derive(Default)]
struct Count {
    solved: usize,
    ray: usize,
    cycle: usize,
    inaccurate: usize,
    budget: usize,
    seconds: f64,
}

impl Count {
    fn add(&mut self, answer: &Answer) {
        self.seconds += answer.seconds;
        *match answer.outcome.status {
            Status::Solved => &mut self.solved,
            Status::Ray => &mut self.ray,
            Status::Cycle => &mut self.cycle,
            Status::Inaccurate => &mut self.inaccurate,
            Status::Budget => &mut self.budget,
        } += 1;
    }
}

#[test]
fn shared_cases_are_solved_or_refuted_by_the_default_method() {
    let Some(folder) = folder("lcp") else { return println!("{SKIPPED}") };
    let mut engine = Solving::new(Settings::default());
    let mut missed = Vec::new();
    let mut count = Count::default();
    for case in files(&folder, &["json"]).iter().map(|path| Case::read(path)) {
        let answer = engine.solve(&case.problem).unwrap();
        case.check_solved(Method::default(), &answer);
        count.add(&answer);
        let status = answer.outcome.status;
        let good = match (case.expect(), &case.problem) {
            ("solution", _) => status == Status::Solved && answer.outcome.residual.natural <= SOLVED,
            ("no_solution" | "lemke_ray", Problem::Lcp(lcp)) => {
                let ray = answer.ray.as_ref().filter(|_| status == Status::Ray);
                ray.is_some_and(|ray| ray.violation(lcp) <= SOLVED)
            }
            _ => true,
        };
        if !good {
            missed.push(format!("{} (expected {}): {}", case.name, case.expect(), status.name()));
        }
    }
    println!("default method: {} solved, {} rays, {:.2} ms", count.solved, count.ray, 1e3 * count.seconds);
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn no_method_ever_says_solved_of_a_shared_case_that_is_not() {
    let Some(folder) = folder("lcp") else { return println!("{SKIPPED}") };
    let cases: Vec<Case> = files(&folder, &["json"]).iter().map(|path| Case::read(path)).collect();
    println!("{} problems", cases.len());
    println!("{:<14} solved    ray  cycle  inacc. budget        time", "method");
    for method in Method::ALL {
        let mut engine =
            Solving::new(Settings { method, budget: Budget::pivots(20_000), ..Settings::default() });
        let mut count = Count::default();
        for case in &cases {
            let answer = engine.solve(&case.problem).unwrap();
            case.check_solved(method, &answer);
            count.add(&answer);
        }
        let Count { solved, ray, cycle, inaccurate, budget, seconds } = count;
        println!(
            "{:<14} {solved:>6} {ray:>6} {cycle:>6} {inaccurate:>6} {budget:>6} {:>8.1} ms",
            method.name(),
            1e3 * seconds
        );
    }
}

/// How far contacts are from the laws of the eight-sided cone: the largest wrong power over the largest power
/// there could be, and likewise for impulses and velocities.
fn friction_error(w: &[f64], q: &[f64], mu: &[f64], contacts: &[ContactAnswer]) -> f64 {
    let n = q.len();
    let r: Vec<f64> = contacts.iter().flat_map(|c| c.impulse).collect();
    let u: Vec<f64> = (0..n).map(|i| (0..n).fold(q[i], |u, j| u + w[j * n + i] * r[j])).collect();
    let size = |v: &[f64]| v.iter().fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
    // velocities of the terms, not of their sum
    let (force, speed) = (size(&r), size(q).max(size(&u)));
    let direction = |j: u32| (std::f64::consts::TAU * f64::from(j) / 8.0).sin_cos();
    let mut worst = 0.0_f64;
    for (i, &mu) in mu.iter().enumerate() {
        let (rn, r1, r2) = (r[3 * i], r[3 * i + 1], r[3 * i + 2]);
        let (un, u1, u2) = (u[3 * i], u[3 * i + 1], u[3 * i + 2]);
        let fastest = (0..8).map(direction).fold(0.0, |s: f64, (sin, cos)| s.max(cos * u1 + sin * u2));
        // the pyramid's faces lie between its edges
        let outside = (0..8).map(|j| {
            let (sin, cos) = (std::f64::consts::TAU * (f64::from(j) + 0.5) / 8.0).sin_cos();
            cos * r1 + sin * r2 - mu * rn * (std::f64::consts::PI / 8.0).cos()
        });
        worst = worst.max(-rn / force).max(-un / speed).max((rn * un).abs() / (force * speed));
        worst = outside.fold(worst, |s, x| s.max(x / force));
        worst = worst.max((r1 * u1 + r2 * u2 + mu * rn * fastest).abs() / (force * speed));
    }
    worst
}

#[test]
fn shared_friction_cases_are_solved_as_eight_sided_problems() {
    let Some(folder) = folder("fclib") else { return println!("{SKIPPED}") };
    let mut engine = Solving::new(Settings::default());
    let mut missed = Vec::new();
    let (mut total, mut solved) = (0, 0);
    for path in files(&folder, &["npz"]) {
        let named = problem_file::read(path.to_str().unwrap()).remove(0).unwrap();
        let Problem::Friction(friction) = &named.problem else { panic!("{}", named.name) };
        let answer = engine.solve(&named.problem).unwrap();
        let Values::Contacts(contacts) = &answer.values else { panic!("{}", named.name) };
        let local = friction.as_local().unwrap();
        let error = friction_error(local.w(), local.q(), friction.mu(), contacts);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (status, natural) = (answer.outcome.status, answer.outcome.residual.natural);
        println!(
            "{name:<40} n {:>5}  {:<10} {:>6} pivots {:>10.2} ms  natural {natural:.1e}  laws {error:.1e}",
            answer.unknowns,
            status.name(),
            answer.outcome.pivots,
            1e3 * answer.seconds,
        );
        total += 1;
        if status == Status::Solved {
            solved += 1;
            assert!(natural <= SOLVED, "{name}: solved with residual {natural:.1e}");
            assert!(error <= 1e-7, "{name}: solved, but breaks the laws of friction by {error:.1e}");
            assert!(answer.seconds <= 10.0 || cfg!(debug_assertions), "{name}: {:.1} s", answer.seconds);
        } else {
            missed.push(format!("{name}: {}", status.name()));
        }
    }
    println!("{solved} of {total} solved");
    assert!(missed.is_empty(), "{} of {total} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn shared_friction_cases_are_solved_by_the_dense_method_as_well() {
    let Some(folder) = folder("fclib") else { return println!("{SKIPPED}") };
    let mut solver = Solver::new(Method::Robust);
    let mut solution = Solution::default();
    let (mut total, mut solved, mut slowest) = (0, 0, 0.0_f64);
    for path in files(&folder, &["npz"]) {
        let named = problem_file::read(path.to_str().unwrap()).remove(0).unwrap();
        let Problem::Friction(friction) = &named.problem else { panic!("{}", named.name) };
        if 10 * friction.n_contacts() > DENSE {
            continue;
        }
        let lowered = FrictionLcp::new(friction, Stabilisation::default()).unwrap();
        let start = std::time::Instant::now();
        let outcome = solver.solve(lowered.lcp().unwrap(), &mut solution);
        slowest = slowest.max(start.elapsed().as_secs_f64());
        total += 1;
        solved += usize::from(outcome.status == Status::Solved);
        assert_eq!(outcome.status, Status::Solved, "{}: {outcome:?}", named.name);
    }
    println!("{solved} of {total} solved densely, the slowest in {slowest:.2} s");
}

/// |F| / |q| with F = r − P_K(r − u′), u′ = u + (mu |u_t|, 0, 0), as the literature has it.
fn coulomb_error(w: &[f64], q: &[f64], mu: &[f64], contacts: &[ContactAnswer]) -> f64 {
    let n = q.len();
    let r: Vec<f64> = contacts.iter().flat_map(|c| c.impulse).collect();
    let u: Vec<f64> = (0..n).map(|i| (0..n).fold(q[i], |u, j| u + w[j * n + i] * r[j])).collect();
    let mut sum = 0.0;
    for (i, &mu) in mu.iter().enumerate() {
        let (r, u) = (&r[3 * i..3 * i + 3], &u[3 * i..3 * i + 3]);
        let p = [r[0] - u[0] - mu * u[1].hypot(u[2]), r[1] - u[1], r[2] - u[2]];
        let size = p[1].hypot(p[2]);
        let projected = if size <= mu * p[0] {
            p
        } else if mu * size <= -p[0] {
            [0.0; 3]
        } else {
            let normal = (p[0] + mu * size) / (1.0 + mu * mu);
            [normal, mu * normal / size * p[1], mu * normal / size * p[2]]
        };
        sum += (0..3).map(|k| (r[k] - projected[k]).powi(2)).sum::<f64>();
    }
    (sum / q.iter().map(|q| q * q).sum::<f64>()).sqrt()
}

#[test]
fn shared_friction_cases_obey_the_round_cone() {
    let Some(folder) = folder("fclib") else { return println!("{SKIPPED}") };
    let mut engine = Solving::new(Settings { exact: true, ..Settings::default() });
    let (mut total, mut good) = (0, 0);
    for path in files(&folder, &["npz"]) {
        let named = problem_file::read(path.to_str().unwrap()).remove(0).unwrap();
        let Problem::Friction(friction) = &named.problem else { panic!("{}", named.name) };
        let answer = engine.solve(&named.problem).unwrap();
        let Values::Contacts(contacts) = &answer.values else { panic!("{}", named.name) };
        let local = friction.as_local().unwrap();
        let error = coulomb_error(local.w(), local.q(), friction.mu(), contacts);
        let status = answer.outcome.status;
        total += 1;
        good += usize::from(error <= 1e-8);
        println!("{:<60} {:<10} F/q {error:.1e}", named.name, status.name());
        assert!(status != Status::Solved || error <= 1e-6, "{}: solved, but F/q is {error:.1e}", named.name);
    }
    println!("{good} of {total} to 1e-8");
    // the best mark known is 46 of 50
    assert!(good >= 46, "{good} of {total}");
}
