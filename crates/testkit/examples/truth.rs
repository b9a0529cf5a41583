//! Whether `solved` is solved and a `ray` is one: hostile problems against exact rational enumeration.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example truth -- 20000          as many of each small family
//! cargo run --release -p gudgeon-testkit --example truth -- 2000 --method all --seed 7
//! cargo run --release -p gudgeon-testkit --example truth -- 2000 --only attack --list     one family, wrong ones shown
//! ```
//!
//! | column     | what it counts                                                                              |
//! |------------|---------------------------------------------------------------------------------------------|
//! | rounded    | called solved, exact for data that differ by 1e-14 of every entry, far from exact for these |
//! | wrong      | called solved, and neither so nor is an exact solution within 1e-6 of every number of it    |
//! | false ray  | called a ray, and an exact solution exists                                                  |
//! | missed     | an exact solution exists that is one when rounded to floats, and it was not found           |

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use std::time::Instant;

use gudgeon_lcp::{
    Budget, Lcp, Method, Mlcp, MlcpSolution, Outcome, Residual, SOLVED, Solution, Solver, Start, Status,
};
use gudgeon_testkit::exact::{is_backward_exact, is_near_solution, to_f64, vertex_solutions};
use gudgeon_testkit::{Rng, attack, hostile};

#[derive(Default)]
struct Count {
    total: usize,
    solved: usize,
    ray: usize,
    rounded: usize,
    wrong: usize,
    false_ray: usize,
    missed: usize,
    seconds: f64,
}

impl Count {
    fn print(&self, name: &str) {
        let Self { total, solved, ray, rounded, wrong, false_ray, missed, seconds } = self;
        println!(
            "{name:<28} {total:>6} {solved:>7} {ray:>6} {:>7} {rounded:>7} {wrong:>6} {false_ray:>9} {missed:>7} {:>9.1} us",
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
    if outcome.status == Status::Solved && is_near_solution(mlcp, x, 1e-6) {
        count.solved += 1;
        return false;
    }
    let exact: Vec<Vec<f64>> =
        vertex_solutions(mlcp).iter().map(|x| x.iter().map(to_f64).collect()).collect();
    let holds = |x: &Vec<f64>| {
        let mut w = Vec::new();
        mlcp.slack(x, &mut w);
        Residual::of_mlcp(mlcp, x, &w).natural <= SOLVED
    };
    match outcome.status {
        Status::Solved => {
            count.solved += 1;
            let far = !is_near(x, &exact);
            let wrong = far && !is_backward_exact(mlcp, x, 1e-14);
            count.rounded += usize::from(far && !wrong);
            count.wrong += usize::from(wrong);
            wrong
        }
        Status::Ray => {
            count.ray += 1;
            count.false_ray += usize::from(!exact.is_empty());
            !exact.is_empty()
        }
        _ => {
            let missed = exact.iter().any(holds);
            count.missed += usize::from(missed);
            missed
        }
    }
}

/// Who solves what, and what is shown.
struct Table {
    method: Method,
    seed: u64,
    list: bool,
    only: Option<String>,
}

impl Table {
    fn wants(&self, name: &str) -> bool {
        self.only.as_deref().is_none_or(|only| name.contains(only))
    }

    /// Standard problems of at most four unknowns.
    fn standard(&self, name: &str, cases: usize, make: impl Fn(usize, &mut Rng) -> Lcp) {
        if !self.wants(name) {
            return;
        }
        let (mut count, mut solver) = (Count::default(), Solver::new(self.method));
        let mut answer = Solution::default();
        for index in 0..cases as u64 {
            let mut rng = Rng::indexed(self.seed, index);
            let n = 1 + rng.below(4);
            let lcp = make(n, &mut rng);
            let began = Instant::now();
            let outcome = solver.solve_with(&lcp, Start::Cold, Budget::default(), &mut answer, &mut ());
            count.seconds += began.elapsed().as_secs_f64();
            if judge(&mut count, &Mlcp::from(&lcp), outcome, &answer.z) && self.list {
                println!("  {name} {index}: {lcp:?} {:?} -> {:?} {:?}", outcome.status, answer.z, answer.w);
            }
        }
        count.print(name);
    }

    fn boxed(&self, name: &str, cases: usize, make: impl Fn(&mut Rng) -> Mlcp) {
        if !self.wants(name) {
            return;
        }
        let (mut count, mut solver) = (Count::default(), Solver::new(self.method));
        let mut answer = MlcpSolution::default();
        for index in 0..cases as u64 {
            let mlcp = make(&mut Rng::indexed(self.seed, index));
            let began = Instant::now();
            let outcome = solver.solve_mlcp(&mlcp, &mut answer);
            count.seconds += began.elapsed().as_secs_f64();
            if judge(&mut count, &mlcp, outcome, &answer.x) && self.list {
                println!("  {name} {index}: {mlcp:?} {:?} -> {:?} {:?}", outcome.status, answer.x, answer.w);
            }
        }
        count.print(name);
    }

    /// Families too large to enumerate, all of them with a solution: how many are found.
    fn found<P>(
        &self,
        name: &str,
        cases: usize,
        make: impl Fn(&mut Rng) -> P,
        mut solve: impl FnMut(&P) -> (Outcome, f64),
    ) {
        if !self.wants(name) {
            return;
        }
        let mut count = Count::default();
        for index in 0..cases as u64 {
            let problem = make(&mut Rng::indexed(self.seed, index));
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

    /// Small ones, against exact enumeration.
    fn small(&self, cases: usize) {
        self.standard("wide, any sign", cases, hostile::wide);
        self.standard("wide, definite", cases, hostile::wide_definite);
        self.standard("wide, copositive", cases, hostile::wide_copositive);
        self.standard("small whole numbers", cases.min(5000), hostile::integers);
        self.standard("attack", cases, attack::standard);
        self.boxed("boxed, bounds to 1e300", cases, |rng| hostile::wide_boxed(1 + rng.below(3), rng));
        self.boxed("boxed, n = 4", cases / 4, |rng| hostile::wide_boxed(4, rng));
        self.boxed("boxed attack", cases, |rng| attack::boxed(1 + rng.below(4), rng));
        self.standard("two bodies", cases.min(2000), |_, rng| hostile::two_bodies(rng));
    }

    /// Large ones that all have a solution.
    fn large(&self, some: usize) {
        let mut solver = Solver::new(self.method);
        let mut lcp = |lcp: &Lcp| {
            let mut answer = Solution::default();
            let outcome = solver.solve(lcp, &mut answer);
            let mut w = Vec::new();
            lcp.slack(&answer.z, &mut w);
            (outcome, Residual::of_lcp(lcp, &answer.z, &w).natural)
        };
        let game = |whole: bool| {
            move |rng: &mut Rng| {
                let (rows, columns) = (1 + rng.below(39), 1 + rng.below(39));
                hostile::game(rows, columns, whole, rng)
            }
        };
        self.found("games, n to 78", some, game(false), &mut lcp);
        self.found("games of whole costs", some, game(true), &mut lcp);
        let hundred = some.min(100);
        for n in [8, 12, 20, 40] {
            self.found(&format!("planted, n = {n}"), hundred, |rng| hostile::planted(n, rng), &mut lcp);
        }
        for n in [10, 30] {
            self.found(&format!("copositive, n = {n}"), hundred, |rng| hostile::copositive(n, rng), &mut lcp);
        }
        for n in [5, 20, 50] {
            let make = |rng: &mut Rng| hostile::scaled_dominant(n, rng);
            self.found(&format!("scaled P-matrix, n = {n}"), hundred, make, &mut lcp);
        }
        let mut solver = Solver::new(self.method);
        for contacts in [2, 3, 5] {
            let mut solve = |mlcp: &Mlcp| {
                let mut answer = MlcpSolution::default();
                let outcome = solver.solve_mlcp(mlcp, &mut answer);
                (outcome, Residual::of_mlcp(mlcp, &answer.x, &answer.w).natural)
            };
            let make = |rng: &mut Rng| hostile::pulling_friction(contacts, rng);
            self.found(&format!("pulling friction, {contacts} contacts"), some, make, &mut solve);
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| words.iter().position(|w| w == name).and_then(|i| words.get(i + 1));
    let cases = words.first().and_then(|w| w.parse().ok()).unwrap_or(2000);
    let seed = after("--seed").and_then(|w| w.parse().ok()).unwrap_or(1);
    let methods: Vec<Method> = match after("--method").map(String::as_str) {
        Some("all") => Method::ALL.to_vec(),
        Some(name) => name.parse().into_iter().collect(),
        None => vec![Method::default()],
    };
    for method in methods {
        println!("{method}, seed {seed}");
        println!("{:<28}  total  solved    ray   other rounded  wrong false ray  missed      time", "");
        let list = words.iter().any(|w| w == "--list");
        let table = Table { method, seed, list, only: after("--only").cloned() };
        table.small(cases);
        if method == Method::default() {
            table.large(cases.min(200));
        }
    }
}
