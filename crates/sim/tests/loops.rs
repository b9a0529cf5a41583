//! Closed loops: a walker that does not trip, and dead points that do no harm.

use gudgeon_multibody::{Joint, LinkSpec, LoopKind, LoopSpec};
use gudgeon_sim::{Controller, SceneBuilder, Simulator, StepError};
use gudgeon_spatial::{Inertia, Pose, Vector3};

use crate::{place, run, scene};

/// Lets the strandbeest walk; answers how far it came, m, and how far its loops opened, m.
fn walk(seconds: f64) -> (f64, f64) {
    let mut sim = Simulator::new(&scene("strandbeest", &[])).unwrap();
    let summary = run(&mut sim, seconds);
    let [x, _, z] = place(&sim, "chassis");
    assert_eq!(summary.failed() + summary.fallback(), 0);
    assert!(summary.max_loop_gap() <= 1e-9);
    assert!(z > 0.85, "it has fallen: {z}");
    (x, summary.max_loop_gap())
}

#[test]
fn a_strandbeest_walks() {
    // more than half a turn of the crank: each leg lifts and lands once; at 1.5 s it used to be torn apart
    let (x, gap) = walk(1.6);
    println!("strandbeest: {x:.3} m in 1.6 s, loops open by {gap:.1e} m");
    assert!(x > 0.5, "{x}");
}

#[test]
#[ignore = "a minute: cargo test --release -p gudgeon-sim -- --ignored walks_on"]
fn a_strandbeest_walks_on() {
    let (x, gap) = walk(20.0);
    println!("strandbeest: {x:.3} m in 20 s, loops open by {gap:.1e} m");
    assert!(x > 6.0, "{x}");
}

/// A four-bar in the x-z plane with hinges about y, its links along x at angles `start` (rad, turning down).
fn fourbar(lengths: [f64; 3], ground: f64, start: [f64; 3]) -> SceneBuilder {
    let mut builder = SceneBuilder::new("four bars");
    let bar = |name: &str, parent: &str, x: f64, length: f64| {
        let rod = Inertia::cuboid(length, [0.5 * length, 0.01, 0.01]).translated(Vector3::new(
            0.5 * length,
            0.0,
            0.0,
        ));
        let hinge = Joint::revolute(Vector3::y());
        LinkSpec::new(name, parent, hinge, Pose::from_translation(x, 0.0, 0.0), rod)
    };
    builder.link(bar("crank", "world", 0.0, lengths[0]));
    builder.link(bar("coupler", "crank", lengths[0], lengths[1]));
    builder.link(bar("rocker", "world", ground, lengths[2]));
    let turn = Pose::rotation_about(&Vector3::x(), -std::f64::consts::FRAC_PI_2);
    builder.close(LoopSpec {
        kind: LoopKind::Revolute,
        link_a: "coupler".into(),
        link_b: "rocker".into(),
        frame_a: Pose::new(turn, Vector3::new(lengths[1], 0.0, 0.0)),
        frame_b: Pose::new(turn, Vector3::new(lengths[2], 0.0, 0.0)),
    });
    for (name, angle) in ["crank", "coupler", "rocker"].into_iter().zip(start) {
        builder.position(name, &[angle]);
    }
    builder
}

#[test]
fn a_parallelogram_passes_its_change_points() {
    // crank and rocker side by side, coupler along the ground: all in one line twice a turn, where the loop loses rank
    for speed in [0.3, 7.0, 40.0] {
        let mut builder = fourbar([0.3, 0.8, 0.3], 0.8, [0.4, -0.4, 0.4]);
        builder.gravity(Vector3::zeros());
        builder.controller(Controller::Motor { link: "crank".into(), dof: 0, velocity: speed, effort: 50.0 });
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let mut fastest = 0.0_f64;
        // two turns
        while sim.time() < 12.0 / speed {
            let report = sim.step().unwrap();
            assert!(report.loop_gap <= 1e-9, "{}", report.loop_gap);
            fastest = sim.state().v.iter().fold(fastest, |m, v| m.max(v.abs()));
        }
        println!("parallelogram at {speed} rad/s: fastest joint {fastest:.2} rad/s");
        assert!(fastest < 20.0 * speed, "{fastest}");
    }
}

#[test]
fn a_mechanism_driven_against_its_dead_point_stops_or_is_named() {
    // the crank is too long to turn round: at some angle coupler and rocker are in line, and a motor pushes on
    let mut builder = fourbar([0.5, 0.5, 0.4], 1.2, [0.5, -0.55, 4.0]);
    builder.gravity(Vector3::zeros());
    builder.controller(Controller::Motor { link: "crank".into(), dof: 0, velocity: 5.0, effort: 200.0 });
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    let mut fastest = 0.0_f64;
    for _ in 0..3000 {
        match sim.step() {
            Ok(report) => assert!(report.loop_gap <= 1e-9, "{}", report.loop_gap),
            Err(StepError::OpenLoop { a, b, .. }) => {
                assert_eq!((a.as_str(), b.as_str()), ("coupler", "rocker"));
                return;
            }
            Err(other) => panic!("{other}"),
        }
        fastest = sim.state().v.iter().fold(fastest, |m, v| m.max(v.abs()));
    }
    println!("driven against a dead point: fastest joint {fastest:.1} rad/s");
    assert!(fastest.is_finite() && fastest < 1e3, "{fastest}");
}

#[test]
fn an_undamped_net_gains_no_energy() {
    let mut sim = Simulator::new(&scene("net", &[("damping", 0.0)])).unwrap();
    let start: f64 = sim.energy().iter().sum();
    let mut most = f64::NEG_INFINITY;
    for _ in 0..6 {
        let summary = run(&mut sim, 0.1);
        most = most.max(sim.energy().iter().sum());
        println!("net at {:.1} s: {:.3} J of {start:.3} J", sim.time(), sim.energy().iter().sum::<f64>());
        assert_eq!(summary.failed() + summary.fallback(), 0);
    }
    // a drift before the kick sees a falling body half a step late: ½ dt g times a momentum of 2 kg m/s
    assert!(most <= start + 0.01, "{most} {start}");
    assert!(sim.energy().iter().sum::<f64>() < start - 1.0, "cylinders come to rest in the net");
}
