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

/// Steps of the dominoes that may take the best iterate, of 1,700: builds so far had 1 to 8. The goal is none.
const UNSOLVED: u64 = 8;

#[test]
fn nearly_every_step_of_the_dominoes_is_solved() {
    let built = scene("dominoes", &[]);
    let mut sim = Simulator::new(&built).unwrap();
    let mut summary = gudgeon_sim::Summary::new(&sim);
    while sim.time() < built.duration - 0.5 * sim.settings.dt {
        let report = sim.step().unwrap();
        summary.add(&report, 0.0);
    }
    let (failed, fallback, steps) = (summary.failed(), summary.fallback(), summary.steps());
    println!("dominoes: {failed} failed, {fallback} fallbacks of {steps} steps");
    assert!(failed <= UNSOLVED && fallback <= UNSOLVED);
}
