//! Scenes that nobody would build: masses over twelve decades, sizes over three, plates, bullets, spins of 1,000 rad/s, steps
//! of 0.1 s and 10 us, millimetres and kilometres, bodies placed in each other. Nothing may end in a number that is none,
//! nothing may be made of energy, and what is not solved must be counted.

use std::fmt::Write;

use gudgeon_collide::Shape;
use gudgeon_lcp::Status;
use gudgeon_sim::{BodySpec, Material, SceneBuilder, Simulator};
use gudgeon_spatial::Vector3;
use gudgeon_testkit::Rng;

use crate::energy::{shape, total, turn};

const KINDS: [&str; 12] = [
    "heap",
    "masses",
    "plates",
    "bullets",
    "spins",
    "overlap",
    "tiny",
    "huge",
    "friction 10",
    "long steps",
    "short steps",
    "sizes",
];

/// Random scene `index`; its kind goes round.
fn wild(index: u64) -> (Simulator, usize) {
    let kind = usize::try_from(index).unwrap() % KINDS.len();
    let mut rng = Rng::indexed(0x0717, index);
    let mut builder = SceneBuilder::new(KINDS[kind]);
    let friction = if KINDS[kind] == "friction 10" { 10.0 } else { [0.1, 0.3, 0.5, 0.8][rng.below(4)] };
    builder.default_material(Material { friction, ..Material::default() });
    builder.ground();
    let (mut size, mut dt, mut apart) = (0.1, 1e-3, 2.3);
    match KINDS[kind] {
        "tiny" => size = 1e-3,
        "huge" => (size, dt) = (1e3, 1e-2),
        "overlap" => apart = 0.5,
        "long steps" => dt = [0.02, 0.05, 0.1][rng.below(3)],
        "short steps" => dt = 1e-5,
        _ => {}
    }
    builder.settings().dt = dt;
    for k in 0..5 + rng.below(14) {
        let own = if KINDS[kind] == "sizes" { size * 10_f64.powf(rng.uniform(-2.0, 1.0)) } else { size };
        let form = if KINDS[kind] == "plates" {
            Shape::cuboid(own * rng.uniform(0.3, 1.0), own * rng.uniform(0.3, 1.0), 0.01 * own).unwrap()
        } else {
            shape(&mut rng, own)
        };
        let decades = if KINDS[kind] == "masses" { 6.0 } else { 0.5 };
        let mass = (own / 0.1).powi(3) * 10_f64.powf(rng.uniform(-decades, decades));
        let (column, row) = ((k % 3) as f64 - 1.0, (k / 3) as f64);
        let at =
            [column + rng.uniform(-0.1, 0.1), rng.uniform(-0.15, 0.15), 0.6 + row].map(|x| x * apart * size);
        let mut body = BodySpec::new(&format!("b{k}"), form).mass(mass);
        // they meet within 0.1 s, at any size
        body = body.at(at[0], at[1], at[2]).turned(turn(&mut rng)).moving(0.0, 0.0, -(90.0 * size).sqrt());
        if KINDS[kind] == "bullets" {
            body = body.moving([30.0, 100.0, 300.0, -1000.0][rng.below(4)], 0.0, -5.0);
        }
        if KINDS[kind] == "spins" {
            let mut w = || rng.uniform(-1000.0, 1000.0);
            body.angular_velocity = Vector3::new(w(), w(), w());
        }
        builder.body(body).unwrap();
    }
    (Simulator::new(&builder.build().unwrap()).unwrap(), kind)
}

/// Of one kind of scene.
#[derive(Debug, Clone, Default)]
struct Count {
    steps: u32,
    solves: u32,
    unsolved: u32,
    deepened: u32,
    worst_rise: f64,
}

fn run(scenes: std::ops::Range<u64>, steps: u32) -> (Vec<Count>, String) {
    let mut table = String::new();
    let mut counts = vec![Count::default(); KINDS.len()];
    for index in scenes {
        let (mut sim, kind) = wild(index);
        let count = &mut counts[kind];
        let start = total(&sim);
        let (mut last, mut placed) = (start, false);
        for step in 0..steps {
            let before: u64 = sim.fallbacks()[1..].iter().sum();
            let report = sim.step().unwrap_or_else(|error| panic!("{}, {index}: {error}", KINDS[kind]));
            let others = sim.fallbacks()[1..].iter().sum::<u64>() - before;
            count.steps += 1;
            count.deepened += u32::from(report.deepened);
            if let Some(solve) = report.solve {
                count.solves += 1;
                let unsolved = solve.status != Status::Solved;
                count.unsolved += u32::from(unsolved);
                assert!(!unsolved || others > 0, "{}, {index}: {solve:?} is not counted", KINDS[kind]);
            }
            let now = total(&sim);
            // bodies that were placed in each other are lifted out of each other
            placed |= step == 0 && report.penetration > 0.0;
            if !placed {
                count.worst_rise = count.worst_rise.max((now - last) / start.abs());
            }
            last = now;
        }
    }
    for (kind, c) in KINDS.iter().zip(&counts) {
        writeln!(
            table,
            "{kind:<12} {:>6} steps, {:>4} of {:>6} not solved, {:>4} led deeper, energy rises by {:.1e} of its start at most",
            c.steps, c.unsolved, c.solves, c.deepened, c.worst_rise
        )
        .unwrap();
        assert!(c.worst_rise <= 1e-9, "{kind}: {c:?}");
    }
    (counts, table)
}

#[test]
fn wild_scenes_end_in_numbers_make_no_energy_and_count_what_is_not_solved() {
    let (counts, table) = run(0..24, 60);
    println!("{table}");
    let (solves, unsolved) = counts.iter().fold((0, 0), |(a, b), c| (a + c.solves, b + c.unsolved));
    assert!(solves > 500 && unsolved <= solves / 50, "{unsolved} of {solves}");
}

/// `cargo test --release -p gudgeon-sim --test main -- --ignored --nocapture two_hundred_and_forty`
#[test]
#[ignore = "takes minutes"]
fn two_hundred_and_forty_wild_scenes() {
    println!("{}", run(24..264, 300).1);
}
