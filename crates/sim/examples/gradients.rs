//! Derivatives of steps against differences, on many random states of many scenes; and what they cost beside the step.
//!
//! ```text
//!     cargo run --release -p gudgeon-sim --example gradients -- [states per scene, or from..to] [met] [words] [trace] [only these scenes]
//!     cargo run --release -p gudgeon-sim --example gradients -- time [scene]
//! ```
#![allow(clippy::unwrap_used, clippy::print_stdout, dead_code, reason = "a campaign, shared with the tests")]

#[path = "../tests/gradient/adversary.rs"]
mod adversary;
#[path = "../tests/gradient/campaign.rs"]
mod campaign;
#[path = "../tests/gradient/cases.rs"]
mod cases;
#[path = "../tests/gradient/check.rs"]
mod check;
#[path = "../tests/gradient/differences.rs"]
mod differences;
#[path = "../tests/gradient/direction.rs"]
mod direction;
#[path = "../tests/gradient/robots.rs"]
mod robots;

use std::time::Instant;

use gudgeon_sim::{Change, Linearization, Matrices, Scene, Simulator, Worth};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "time") {
        return times(args.get(1).map(String::as_str));
    }
    // 60, or from 20 to 21: 20..21
    let number = |a: &str| a.parse::<u64>().ok();
    let states = args.first().and_then(|a| match a.split_once("..") {
        Some((from, to)) => Some(number(from)?..number(to)?),
        None => Some(0..number(a)?),
    });
    let states = states.unwrap_or(0..60);
    let origin = if args.iter().any(|a| a == "met") { check::Origin::Met } else { check::Origin::Random };
    let named = |name: &str| args.iter().any(|a| a == name);
    let words = u8::from(named("words")) + 2 * u8::from(named("trace"));
    let mut scenes = cases::all();
    if scenes.iter().any(|(name, _)| named(name)) {
        scenes.retain(|(name, _)| named(name));
    }
    campaign::run(scenes, states, origin, words);
}

/// Medians in one run: the step, the step with its derivative, one product with the transpose, the whole Jacobian.
fn times(only: Option<&str>) {
    let find = |name: &str| cases::all().into_iter().find(|(n, _)| *n == name).unwrap().1;
    for (name, scene, warm) in [
        ("quadruped", find("quadruped"), 800),
        ("humanoid", robots::humanoid(), 400),
        ("ragdoll", find("ragdoll"), 1200),
        ("32 boxes", robots::boxes(32), 20),
        ("stack", find("stack"), 400),
    ] {
        if only.is_none_or(|o| o == name) {
            time(name, &scene, warm);
        }
    }
    if only.is_some() {
        return;
    }
    println!("growth: twice the bodies, twice the links");
    grow("boxes", robots::boxes, &[8, 16, 32, 64, 128, 256]);
    grow("links dragged", robots::dragged, &[8, 16, 32, 64, 128, 256]);
    grow("links at rest", robots::chain, &[8, 16, 32, 64, 128, 256]);
    grow("feet", robots::centipede, &[8, 16, 32, 64, 128, 256]);
}

/// Times at each size, and the power that the last four sizes grow with.
fn grow(what: &str, make: fn(u32) -> Scene, sizes: &[u32]) {
    let found: Vec<_> = sizes.iter().map(|&n| time(&format!("{n} {what}"), &make(n), 20)).collect();
    let (first, last) = (found.len() - 4, found.len() - 1);
    let power = |k: usize| (found[last][k] / found[first][k]).log2() / 3.0;
    println!(
        "  {what}, {} to {}: set up n^{:.2}, vjp alone n^{:.2}, jvp alone n^{:.2}, both set up n^{:.2}, A and B whole n^{:.2}, step n^{:.2}",
        sizes[first],
        sizes[last],
        power(3),
        power(4),
        power(5),
        power(1),
        power(2),
        power(0)
    );
}

/// Step, derivative and one product with the transpose, derivative and whole Jacobian; the set-up, a product with the transpose and
/// one without alone; us.
fn time(name: &str, scene: &Scene, warm: usize) -> [f64; 6] {
    let mut sim = Simulator::new(scene).unwrap();
    for _ in 0..warm {
        let _ = sim.step().unwrap();
    }
    let mut linear = Linearization::new(&sim);
    let (mut worth, mut matrices) = (Worth::default(), Matrices::default());
    let ones = vec![1.0; scene.model.n_v()];
    let mut took: [Vec<f64>; 6] = Default::default();
    let (mut q, mut v) = (ones.clone(), ones.clone());
    // large ones take long enough to be told in fewer
    let large = ones.len() > 100;
    for _ in 0..if large { 15 } else { 200 } {
        // steps of many contacts differ: the same one twice, with its derivative and without; else in turns, both warm
        let mut twin = large.then(|| sim.clone());
        let began = Instant::now();
        let _ = twin.as_mut().unwrap_or(&mut sim).step().unwrap();
        let step = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let Ok(report) = sim.step_linearized(&mut linear) else { continue };
        let both = began.elapsed().as_secs_f64();
        took[0].push(step);
        // once more alone: beside a long step a difference of clocks says nothing
        let began = Instant::now();
        sim.linearize_again(&report, &mut linear).unwrap();
        let again = began.elapsed().as_secs_f64();
        took[5].push(again);
        took[1].push(if large { again } else { both - step });
        let began = Instant::now();
        linear.vjp(&ones, &ones, &mut worth);
        took[2].push(began.elapsed().as_secs_f64());
        let began = Instant::now();
        linear.matrices(&mut matrices);
        took[3].push(began.elapsed().as_secs_f64());
        let began = Instant::now();
        linear.jvp(&Change { q: &ones, v: &ones, ..Change::default() }, &mut q, &mut v);
        took[4].push(began.elapsed().as_secs_f64());
    }
    let median = took.map(|mut t| {
        t.sort_by(f64::total_cmp);
        t.get(t.len() / 2).copied().unwrap_or(f64::NAN) * 1e6
    });
    let [step, setup, vjp, whole, jvp, again] = median;
    let pushing = sim.contacts().iter().filter(|c| c.force.norm() > 0.0).count();
    println!(
        "{name:>10}, {} dofs, {pushing} contacts: step {step:.0} us; derivative set up {setup:.0}, one vjp {vjp:.1}, whole Jacobian {whole:.0}: vjp {:.2} steps, Jacobian {:.2} steps",
        scene.model.n_v(),
        (setup + vjp) / step,
        (setup + whole) / step,
    );
    [step, setup + vjp, setup + whole, again, vjp, jvp]
}
