//! Threads, gears, saddles and tori that nearly touch, judged by sampled signed distances.
//!
//! `cargo run --release -p gudgeon-collide --example mating -- [POSES [FIRST]]`, 10,000 poses unless told; prints a line per pair and the
//! first findings, and ends with 1 if there is any.

#[path = "../tests/mating/mod.rs"]
mod mating;

use mating::{Asked, Tally, judge, pairs};

#[expect(clippy::print_stdout, reason = "its purpose")]
fn main() {
    let number = |k: usize| std::env::args().nth(k).and_then(|s| s.parse::<u64>().ok());
    let (poses, first) = (number(1).unwrap_or(10_000), number(2).unwrap_or(0));
    let pairs = pairs();
    let each = poses.div_ceil(pairs.len() as u64);
    let mut all = Tally::default();
    println!(
        "{:<28}{:>7}{:>10}{:>10}{:>12}{:>8}{:>7}{:>10}",
        "pair", "poses", "contacts", "inverted", "false depth", "missed", "steep", "worst m"
    );
    let line = |name: &str, t: &Tally| {
        println!(
            "{name:<28}{:>7}{:>10}{:>10}{:>12}{:>8}{:>7}{:>10.1e}",
            t.poses, t.contacts, t.inverted, t.false_depth, t.missed, t.steep, t.worst
        );
    };
    for pair in &pairs {
        let (mut asked, mut tally, mut told) = (Asked::default(), Tally::default(), 0);
        for index in first..first + each {
            tally.add(&judge(pair, index, &mut asked, |finding| {
                told += 1;
                if told <= 5 {
                    println!("  {finding}");
                }
            }));
        }
        line(pair.name, &tally);
        all.add(&tally);
    }
    line("all", &all);
    std::process::exit(i32::from(all.bad() > 0));
}
