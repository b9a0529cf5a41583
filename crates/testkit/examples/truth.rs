//! Whether `solved` is solved and a `ray` is one: hostile problems against exact rational enumeration.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example truth -- 20000          as many of each small family
//! cargo run --release -p gudgeon-testkit --example truth -- 2000 --method all --seed 7
//! ```
//!
//! | column     | what it counts                                                                              |
//! |------------|---------------------------------------------------------------------------------------------|
//! | wrong      | called solved, and no exact solution is within 1e-6 of every number of it                   |
//! | false ray  | called a ray, and an exact solution exists                                                  |
//! | missed     | an exact solution exists, within the range of floats, and it was not found                  |

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use std::time::Instant;

use gudgeon_lcp::{
    Budget, Lcp, Method, Mlcp, MlcpSolution, Outcome, Residual, Solution, Solver, Start, Status,
};
use gudgeon_testkit::exact::{to_f64, vertex_solutions};
use gudgeon_testkit::{Rng, hostile};

#[derive(Default)]
struct Count {
    total: usize,
    solved: usize,
    ray: usize,
    wrong: usize,
    false_ray: usize,
    missed: usize,
    seconds: f64,
}

impl Count {
    fn print(&self, name: &str) {
        let Self { total, solved, ray, wrong, false_ray, missed, seconds } = self;
        println!(
            "{name:<28} {total:>6} {solved:>7} {ray:>6} {:>7} {wrong:>6} {false_ray:>9} {missed:>7} {:>9.1} us",
            total - solved - ray,
            1e6 * seconds / (*total).max(1) as f64
        );
    }
}

/// Whether some exact solution is near x in every number.
fn is_near(x: &[f64], exact: &[Vec<f64>]) -> bool {
    let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-6 * b.abs();
    exact.iter().any(|e| e.iter().zip(x).all(|(&e, &x)| near(x, e)))
}

fn judge(count: &mut Count, mlcp: &Mlcp, outcome: Outcome, x: &[f64]) -> bool {
    count.total += 1;
    let exact: Vec<Vec<f64>> =
        vertex_solutions(mlcp).iter().map(|x| x.iter().map(to_f64).collect()).collect();
    let finite = |x: &Vec<f64>| {
        let mut w = Vec::new();
        mlcp.slack(x, &mut w);
        x.iter().chain(&w).all(|v| v.is_finite())
    };
    match outcome.status {
        Status::Solved => {
            count.solved += 1;
            let wrong = !is_near(x, &exact);
            count.wrong += usize::from(wrong);
            wrong
        }
        Status::Ray => {
            count.ray += 1;
            count.false_ray += usize::from(!exact.is_empty());
            !exact.is_empty()
        }
        _ => {
            let missed = exact.iter().any(finite);
            count.missed += usize::from(missed);
            missed
        }
    }
}

fn standard(
    name: &str,
    method: Method,
    cases: usize,
    seed: u64,
    make: impl Fn(usize, &mut Rng) -> Lcp,
    list: bool,
) {
    let (mut count, mut solver, mut answer) = (Count::default(), Solver::new(method), Solution::default());
    for index in 0..cases as u64 {
        let mut rng = Rng::indexed(seed, index);
        let n = 1 + rng.below(4);
        let lcp = make(n, &mut rng);
        let began = Instant::now();
        let outcome = solver.solve_with(&lcp, Start::Cold, Budget::default(), &mut answer, &mut ());
        count.seconds += began.elapsed().as_secs_f64();
        if judge(&mut count, &Mlcp::from(&lcp), outcome, &answer.z) && list {
            println!("  {name} {index}: {:?} {:?} -> {:?} {:?}", lcp, outcome.status, answer.z, answer.w);
        }
    }
    count.print(name);
}

fn boxed(method: Method, cases: usize, seed: u64, list: bool) {
    let (mut count, mut solver, mut answer) =
        (Count::default(), Solver::new(method), MlcpSolution::default());
    for index in 0..cases as u64 {
        let mut rng = Rng::indexed(seed, index);
        let n = 1 + rng.below(3);
        let mlcp = hostile::wide_boxed(n, &mut rng);
        let began = Instant::now();
        let outcome = solver.solve_mlcp(&mlcp, &mut answer);
        count.seconds += began.elapsed().as_secs_f64();
        if judge(&mut count, &mlcp, outcome, &answer.x) && list {
            println!("  boxed {index}: {:?} {:?} -> {:?} {:?}", mlcp, outcome.status, answer.x, answer.w);
        }
    }
    count.print("boxed, bounds to 1e300");
}

/// Families too large to enumerate, all of them with a solution: how many are found.
fn found<P>(
    name: &str,
    cases: usize,
    seed: u64,
    make: impl Fn(&mut Rng) -> P,
    mut solve: impl FnMut(&P) -> (Outcome, f64),
) {
    let mut count = Count::default();
    for index in 0..cases as u64 {
        let problem = make(&mut Rng::indexed(seed, index));
        let began = Instant::now();
        let (outcome, natural) = solve(&problem);
        count.seconds += began.elapsed().as_secs_f64();
        count.total += 1;
        count.solved += usize::from(outcome.status == Status::Solved);
        count.wrong += usize::from(outcome.status == Status::Solved && natural > 1e-9);
        count.ray += usize::from(outcome.status == Status::Ray);
        count.false_ray += usize::from(outcome.status == Status::Ray);
        count.missed += usize::from(outcome.status != Status::Solved && outcome.status != Status::Ray);
    }
    count.print(name);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| words.iter().position(|w| w == name).and_then(|i| words.get(i + 1));
    let cases = words.first().and_then(|w| w.parse().ok()).unwrap_or(2000);
    let seed = after("--seed").and_then(|w| w.parse().ok()).unwrap_or(1);
    let list = words.iter().any(|w| w == "--list");
    let methods: Vec<Method> = match after("--method").map(String::as_str) {
        Some("all") => Method::ALL.to_vec(),
        Some(name) => name.parse().into_iter().collect(),
        None => vec![Method::default()],
    };
    for method in methods {
        println!("{method}, seed {seed}");
        println!("{:<28}  total  solved    ray   other  wrong false ray  missed      time", "");
        standard("wide, any sign", method, cases, seed, hostile::wide, list);
        standard("wide, definite", method, cases, seed, hostile::wide_definite, list);
        standard("wide, copositive", method, cases, seed, hostile::wide_copositive, list);
        standard("small whole numbers", method, cases.min(5000), seed, hostile::integers, list);
        boxed(method, cases, seed, list);
        standard("two bodies", method, cases.min(2000), seed, |_, rng| hostile::two_bodies(rng), list);
        if method != Method::default() {
            continue;
        }
        let mut solver = Solver::new(method);
        let mut lcp = |lcp: &Lcp| {
            let mut answer = Solution::default();
            let outcome = solver.solve(lcp, &mut answer);
            let mut w = Vec::new();
            lcp.slack(&answer.z, &mut w);
            (outcome, Residual::of_lcp(lcp, &answer.z, &w).natural)
        };
        let some = cases.min(200);
        let game = |whole: bool| {
            move |rng: &mut Rng| {
                let (rows, columns) = (1 + rng.below(39), 1 + rng.below(39));
                hostile::game(rows, columns, whole, rng)
            }
        };
        found("games, n to 78", some, seed, game(false), &mut lcp);
        found("games of whole costs", some, seed, game(true), &mut lcp);
        for n in [8, 12, 20, 40] {
            found(
                &format!("planted, n = {n}"),
                some.min(100),
                seed,
                |rng| hostile::planted(n, rng),
                &mut lcp,
            );
        }
        for n in [10, 30] {
            found(
                &format!("copositive, n = {n}"),
                some.min(100),
                seed,
                |rng| hostile::copositive(n, rng),
                &mut lcp,
            );
        }
        for n in [5, 20, 50] {
            let make = |rng: &mut Rng| hostile::scaled_dominant(n, rng);
            found(&format!("scaled P-matrix, n = {n}"), some.min(100), seed, make, &mut lcp);
        }
        let mut solver = Solver::new(method);
        for contacts in [2, 3, 5] {
            let mut solve = |mlcp: &Mlcp| {
                let mut answer = MlcpSolution::default();
                let outcome = solver.solve_mlcp(mlcp, &mut answer);
                (outcome, Residual::of_mlcp(mlcp, &answer.x, &answer.w).natural)
            };
            let make = |rng: &mut Rng| hostile::pulling_friction(contacts, rng);
            found(&format!("pulling friction, {contacts} contacts"), some, seed, make, &mut solve);
        }
    }
}
