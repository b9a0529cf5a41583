//! Which method when: every method on a problem of each class, its time and how it ended, as a table.
//!
//! `cargo run --release -p gudgeon-testkit --example which`. Below the table: what a start from the method's own answer costs beside a
//! cold one, and what a budget of seconds costs `robust`.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::time::Instant;

use gudgeon_lcp::{Budget, Lcp, Method, Options, Solution, Solver, SparseMatrix, Start};
use gudgeon_testkit::plain::{self, Spread};
use gudgeon_testkit::rng::Rng;

const METHODS: [Method; 5] = [Method::Robust, Method::BlockPivot, Method::Murty, Method::Lemke, Method::Pgs];
/// What a method may take for one problem, s.
const LIMIT: f64 = 10.0;

fn obstacle(n: usize) -> Option<Lcp> {
    let entries =
        (0..n).flat_map(|i| [(i, i, 2.0)].into_iter().chain((i + 1 < n).then_some((i, i + 1, -1.0))));
    let below = (1..n).map(|i| (i, i - 1, -1.0));
    let m = SparseMatrix::from_triplets(n, entries.chain(below)).ok()?;
    let h = 1.0 / (n as f64 + 1.0);
    let q = (0..n).map(|i| h * h * (1.0 - 3.0 * (9.0 * (i as f64 + 1.0) * h).sin())).collect();
    Lcp::from_column_major(m.to_dense(), q).ok()
}

fn time(lcp: &Lcp, method: Method, budget: Budget) -> (f64, String) {
    let mut answer = Solution::default();
    let (begin, mut best, mut said) = (Instant::now(), f64::INFINITY, String::new());
    // the shortest of several: other work on the machine is not ours
    while said.is_empty() || begin.elapsed().as_secs_f64() < 0.3 {
        let from = Instant::now();
        let mut solver = Solver::new(method);
        let outcome = solver.run(lcp, Options { budget, ..Options::default() }, &mut answer);
        best = best.min(from.elapsed().as_secs_f64());
        said = outcome.map_or_else(|refused| refused.to_string(), |outcome| outcome.status.to_string());
    }
    (best, said)
}

/// The shortest cold solve and the shortest from the method's own final basis, s; none where it does not solve.
fn warm(lcp: &Lcp, method: Method) -> Option<(f64, f64)> {
    let (mut cold, mut again) = (f64::INFINITY, f64::INFINITY);
    let begin = Instant::now();
    while again == f64::INFINITY || begin.elapsed().as_secs_f64() < 0.2 {
        let (mut solver, mut answer) = (Solver::new(method), Solution::default());
        let from = Instant::now();
        let first = solver.solve(lcp, &mut answer);
        cold = cold.min(from.elapsed().as_secs_f64());
        let basis = answer.basis.clone();
        let from = Instant::now();
        let options = Options { start: Start::Basis(&basis), ..Options::default() };
        let second = solver.run(lcp, options, &mut answer).ok()?;
        again = again.min(from.elapsed().as_secs_f64());
        if !first.is_solved() || !second.is_solved() {
            return None;
        }
    }
    Some((cold, again))
}

fn main() {
    let mut rng = Rng::new(4);
    let mut problems = vec![
        ("definite, n = 16".to_owned(), plain::definite(16, Spread::Even, &mut rng)),
        ("definite, n = 200".to_owned(), plain::definite(200, Spread::Even, &mut rng)),
        ("redundant (half rank), n = 100".to_owned(), plain::semidefinite(100, 50, Spread::Even, &mut rng)),
        ("quadratic program, 160 + 40".to_owned(), plain::quadratic_program(160, 40, &mut rng)),
        ("strictly copositive, n = 60".to_owned(), plain::strictly_copositive(60, &mut rng)),
    ];
    problems.extend(obstacle(500).map(|lcp| ("obstacle, n = 500, given dense".to_owned(), lcp)));
    println!("| problem | {} |", METHODS.map(Method::name).join(" | "));
    println!("|---|{}", "---|".repeat(METHODS.len()));
    for (name, lcp) in &problems {
        let cells = METHODS.map(|method| {
            let (seconds, said) = time(lcp, method, Budget::seconds(LIMIT));
            if said == "solved" { format!("{:.2} ms", 1e3 * seconds) } else { said }
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    // breadth-first search runs out of nodes at these sizes; the others must all start warm
    let every: Vec<Method> = Method::ALL.into_iter().filter(|m| *m != Method::Search).collect();
    let names: Vec<&str> = every.iter().map(|m| m.name()).collect();
    println!("\n| from its own basis, part of a cold solve | {} |", names.join(" | "));
    println!("|---|{}", "---|".repeat(every.len()));
    for (name, lcp) in problems.iter().take(2) {
        let part = |method: &Method| {
            warm(lcp, *method).map_or("not solved".to_owned(), |(cold, again)| format!("{:.2}", again / cold))
        };
        println!("| {name} | {} |", every.iter().map(part).collect::<Vec<_>>().join(" | "));
    }
    let ratio = |lcp: &Lcp| {
        let (free, _) = time(lcp, Method::Robust, Budget::default());
        time(lcp, Method::Robust, Budget::seconds(LIMIT)).0 / free
    };
    println!(
        "\na budget of seconds, times the price of none: {:.2} at n = 16, {:.2} at n = 200",
        ratio(&problems[0].1),
        ratio(&problems[1].1)
    );
}
