//! Every built-in scene for a while, without a failed solve and without a fallback.

use gudgeon_sim::{Simulator, scenes as builtin};

use crate::{run, scene};

#[test]
fn no_built_in_scene_fails_a_solve() {
    for (name, _) in builtin::LIST {
        let mut sim = Simulator::new(&scene(name, &[])).unwrap();
        let seconds = match *name {
            "squat" => 1.0,
            "net" | "kapla" | "pyramid" | "strandbeest" | "dominoes" => 0.05,
            "ring" => 0.1,
            _ => 0.3,
        };
        let summary = run(&mut sim, seconds);
        println!(
            "{name}: {} steps, {} failed, {} fallbacks, overlap {:.1e} m, loops {:.1e} m",
            summary.steps(),
            summary.failed(),
            summary.fallback(),
            summary.max_penetration(),
            summary.max_loop_gap()
        );
        assert_eq!((summary.failed(), summary.fallback()), (0, 0), "{name}");
        assert!(sim.state().v.iter().all(|v| v.abs() < 1e3), "{name} has run away");
    }
}

/// `cargo test --release -p gudgeon-sim --test main -- --ignored --nocapture dominoes`
#[test]
#[ignore = "takes ten seconds or more"]
fn all_dominoes_fall_and_every_step_is_solved() {
    let built = scene("dominoes", &[]);
    let mut sim = Simulator::new(&built).unwrap();
    let mut worst = 0.0_f64;
    let mut summary = gudgeon_sim::Summary::new(&sim);
    while sim.time() < built.duration - 0.5 * sim.settings.dt {
        let began = std::time::Instant::now();
        let report = sim.step().unwrap();
        worst = worst.max(began.elapsed().as_secs_f64());
        summary.add(&report, 0.0);
    }
    println!(
        "dominoes: {} failed, {} fallbacks of {} steps, the longest {:.0} ms",
        summary.failed(),
        summary.fallback(),
        summary.steps(),
        1e3 * worst
    );
    assert_eq!((summary.failed(), summary.fallback()), (0, 0));
}
