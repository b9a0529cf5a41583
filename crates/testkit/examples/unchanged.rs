//! What must not change a verdict, and does not: problems that are solved, changed, and solved again.
//!
//! ```text
//! cargo run --release -p gudgeon-testkit --example unchanged -- 3000            as many of each kind
//! cargo run --release -p gudgeon-testkit --example unchanged -- 3000 --seed 7 --list --only round
//! ```
//!
//! Each cell is "no longer solved / solved before and changed". The changes are those of [`gudgeon_testkit::change`].

#![expect(clippy::print_stdout, reason = "its table is its purpose")]

use gudgeon_lcp::{
    Budget, FrictionProblem, FrictionSolution, GlobalForm, Method, Mlcp, MlcpSolution, Outcome, Solver,
    Status,
};
use gudgeon_testkit::campaign::{Campaign, Problem};
use gudgeon_testkit::change::Change;
use gudgeon_testkit::plain::{self, Spread};
use gudgeon_testkit::{Rng, attack, hostile};

/// Counts per change.
#[derive(Default)]
struct Counts([(usize, usize); 5]);

impl Counts {
    fn add(&mut self, change: usize, lost: bool) {
        self.0[change].0 += usize::from(lost);
        self.0[change].1 += 1;
    }

    fn print(&self, name: &str, total: usize) {
        let cells = self.0.map(|(lost, all)| format!("{lost}/{all}"));
        print_row(name, &total.to_string(), &cells);
    }
}

fn print_row(name: &str, total: &str, cells: &[String; 5]) {
    let [a, b, c, d, e] = cells;
    println!("{name:<20} {total:>7} {a:>12}{b:>12}{c:>12}{d:>12}{e:>12}");
}

/// A boxed problem of one of many kinds.
fn boxed(standard: bool, rng: &mut Rng) -> Mlcp {
    let n = 2 + rng.below(9);
    match (standard, rng.below(6)) {
        (true, 0) => Mlcp::from(&hostile::wide(1 + rng.below(4), rng)),
        (true, 1) => Mlcp::from(&hostile::wide_definite(n, rng)),
        (true, 2) => Mlcp::from(&plain::semidefinite(n, n.div_ceil(2), Spread::Wide, rng)),
        (true, 3) => Mlcp::from(&plain::degenerate(n, n.div_ceil(2), Spread::Even, rng)),
        (true, 4) => Mlcp::from(&plain::quadratic_program(n, 2, rng)),
        (true, _) => Mlcp::from(&hostile::integers(1 + rng.below(4), rng)),
        (false, 0) => hostile::pulling_friction(1 + rng.below(2), rng),
        (false, 1 | 2) => hostile::wide_boxed(1 + rng.below(3), rng),
        (false, 3) => attack::boxed(1 + rng.below(3), rng),
        (false, _) => plain::boxed(n, n.div_ceil(2), rng),
    }
}

fn boxed_table(name: &str, standard: bool, cases: u64, seed: u64, list: bool) {
    let (mut counts, mut solver) = (Counts::default(), Solver::new(Method::Robust));
    let (mut answer, mut again) = (MlcpSolution::default(), MlcpSolution::default());
    let mut total = 0;
    for index in 0..cases {
        let mut rng = Rng::indexed(seed, index);
        let p = boxed(standard, &mut rng);
        let other = boxed(standard, &mut rng);
        if solver.solve_mlcp(&p, &mut answer).status != Status::Solved {
            continue;
        }
        total += 1;
        for (k, change) in Change::ALL.into_iter().enumerate() {
            if change == Change::Block && solver.solve_mlcp(&other, &mut again).status != Status::Solved {
                continue;
            }
            let Some(changed) = change.of_boxed(&p, &answer.x, &other, &mut rng) else { continue };
            let outcome = solver.solve_mlcp(&changed, &mut again);
            let lost = outcome.status != Status::Solved;
            counts.add(k, lost);
            if lost && list {
                println!("  {name} {index}, {}: {outcome:?} {p:?}", change.name());
            }
        }
    }
    counts.print(name, total);
}

/// The scene of a campaign's case, if it has friction and a mass.
fn scene(seed: u64, index: u64) -> Option<(GlobalForm, usize, String)> {
    let case = Campaign::new(seed).case(index);
    match case.problem {
        Problem::Friction(p) if p.n_contacts() <= 40 => Some((p.as_global()?.clone(), p.facets(), case.name)),
        _ => None,
    }
}

fn friction_table(name: &str, round: bool, cases: u64, seed: u64, list: bool) {
    let mut counts = Counts::default();
    let (mut solver, mut answer) = (Solver::new(Method::Robust), FrictionSolution::default());
    let mut solve = |form: &GlobalForm, facets: usize, answer: &mut FrictionSolution| -> Option<Outcome> {
        let problem = FrictionProblem::global(form.clone()).and_then(|p| p.with_facets(facets)).ok()?;
        Some(if round {
            solver.solve_friction_exact(&problem, Budget::default(), answer, &mut ())
        } else {
            solver.solve_friction(&problem, answer)
        })
    };
    let (mut total, mut index) = (0, 0);
    while total < cases {
        index += 1;
        let Some((form, facets, case)) = scene(seed, index) else { continue };
        let solved = |o: Option<Outcome>| o.is_some_and(|o| o.status == Status::Solved);
        if !solved(solve(&form, facets, &mut answer)) {
            continue;
        }
        total += 1;
        let mut rng = Rng::indexed(seed ^ 0x5eed, index);
        let first = 3 * form.contacts.len() + form.unilateral.len();
        let bounded = answer.impulses[first..first + form.bounded.len()].to_vec();
        let other = (index + 1..).find_map(|k| scene(seed, k)).expect("a campaign has no end");
        for (k, change) in Change::ALL.into_iter().enumerate() {
            if change == Change::Block && !solved(solve(&other.0, facets, &mut answer)) {
                continue;
            }
            let Some(changed) = change.of_friction(&form, &bounded, &other.0, &mut rng) else { continue };
            let outcome = solve(&changed, facets, &mut answer);
            let lost = !solved(outcome);
            counts.add(k, lost);
            if lost && list {
                println!("  {name} {case}, {}: {outcome:?}", change.name());
            }
        }
    }
    counts.print(name, usize::try_from(total).unwrap_or(usize::MAX));
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| words.iter().position(|w| w == name).and_then(|i| words.get(i + 1));
    let cases = words.first().and_then(|w| w.parse().ok()).unwrap_or(1000);
    let seed = after("--seed").and_then(|w| w.parse().ok()).unwrap_or(1);
    let list = words.iter().any(|w| w == "--list");
    let wants = |name: &str| after("--only").is_none_or(|only| name.contains(only.as_str()));
    print_row("", "solved", &Change::ALL.map(|c| c.name().to_owned()));
    for (name, standard) in [("standard", true), ("boxed", false)] {
        if wants(name) {
            boxed_table(name, standard, cases, seed, list);
        }
    }
    for (name, round) in [("friction, polygons", false), ("friction, round", true)] {
        if wants(name) {
            friction_table(name, round, cases, seed, list);
        }
    }
}
