//! The same bits, whatever happened before.

use std::sync::atomic::AtomicBool;

use gudgeon_collide::Shape;
use gudgeon_lcp::Interrupt;
use gudgeon_sim::{BodySpec, Scene, SceneBuilder, Settings, Simulator, SnapshotError};

use crate::{run, scene};

#[test]
fn two_runs_end_in_the_same_state() {
    // only the field has pairs enough for a second and a third thread
    for name in ["field", "wall", "ragdoll", "push", "tapdance"] {
        let hashes = [1, 2, 3].map(|threads| {
            let built = if name == "field" { field() } else { scene(name, &[]) };
            let mut sim = Simulator::new(&built).unwrap();
            sim.settings.threads = threads;
            run(&mut sim, 0.1);
            sim.state_hash()
        });
        println!("{name}: {:016x} with one thread, {:016x} with two", hashes[0], hashes[1]);
        assert_eq!(hashes, [hashes[0]; 3], "{name}");
    }
}

#[test]
fn limits_that_nothing_reaches_change_no_bit() {
    // the tap dance has a step at 0.62 s that pivots end
    static QUIET: AtomicBool = AtomicBool::new(false);
    let run = |limit: &dyn Fn(&mut Settings)| {
        let mut sim = Simulator::new(&scene("tapdance", &[])).unwrap();
        limit(&mut sim.settings);
        run(&mut sim, 0.65);
        sim.state_hash()
    };
    let plain = run(&|_| {});
    assert_eq!(plain, run(&|settings| settings.interrupt = Some(Interrupt::new(&QUIET))), "an interrupt");
    assert_eq!(plain, run(&|settings| settings.seconds = Some(1e6)), "a time limit");
}

/// A field of 144 balls on the ground, each rolling its own way: as many pairs and as many islands.
fn field() -> Scene {
    let mut builder = SceneBuilder::new("field");
    builder.ground();
    for k in 0..144_u32 {
        let (x, y, way) = (0.2 * f64::from(k % 12), 0.2 * f64::from(k / 12), 0.1 * f64::from(k));
        let ball = BodySpec::new(&format!("ball{k}"), Shape::sphere(0.05).unwrap()).mass(1.0).at(x, y, 0.05);
        builder.body(ball.moving(0.3 * way.cos(), 0.3 * way.sin(), 0.0)).unwrap();
    }
    builder.settings().dt = 0.01;
    builder.build().unwrap()
}

#[test]
fn a_restored_run_goes_on_to_the_bit() {
    for name in ["stack", "tapdance", "hoist", "net", "pinch", "strandbeest"] {
        let built = scene(name, &[]);
        let mut sim = Simulator::new(&built).unwrap();
        run(&mut sim, 0.05);
        let snapshot = sim.snapshot();
        run(&mut sim, 0.05);
        let mut other = Simulator::new(&built).unwrap();
        other.restore(&snapshot).unwrap();
        run(&mut other, 0.05);
        assert_eq!(sim.state_hash(), other.state_hash(), "{name}");
        assert_eq!(sim.snapshot(), other.snapshot(), "{name}");
    }
}

/// A box makes its triangles when it first meets a mesh, and a scene shares its boxes with its simulators: it is the same scene before and after.
#[test]
fn a_scene_is_the_same_once_its_boxes_have_met_a_mesh() {
    let corner = |x: f64, y: f64| nalgebra::Vector3::new(x, y, 0.0);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let (floor, _) = Shape::mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let mut builder = SceneBuilder::new("box on a mesh");
    let _ = builder.collider("world", floor, nalgebra::Isometry3::identity());
    let crate_ = BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.1).unwrap()).mass(1.0).at(0.0, 0.0, 0.1);
    builder.body(crate_).unwrap();
    let built = builder.build().unwrap();
    let early = Simulator::new(&built).unwrap();
    let mut sim = Simulator::new(&built).unwrap();
    run(&mut sim, 0.02);
    assert!(!sim.contacts().is_empty());
    let mut late = Simulator::new(&built).unwrap();
    assert_eq!(late.restore(&sim.snapshot()), Ok(()));
    assert_eq!(late.restore(&early.snapshot()), Ok(()));
}

#[test]
fn a_snapshot_of_another_scene_is_refused() {
    let sim = Simulator::new(&scene("wall", &[])).unwrap();
    let mut other = Simulator::new(&scene("push", &[])).unwrap();
    let error = other.restore(&sim.snapshot()).unwrap_err();
    assert!(matches!(error, SnapshotError::Mismatch { .. }), "{error}");
    let whole = other.snapshot();
    for cut in [0, 7, 20, whole.len() - 1] {
        assert_eq!(other.restore(&whole[..cut]), Err(SnapshotError::Damaged), "cut at {cut}");
    }
}

#[test]
fn a_snapshot_of_other_settings_is_refused_by_name() {
    let mut sim = Simulator::new(&scene("stack", &[])).unwrap();
    run(&mut sim, 0.01);
    let snapshot = sim.snapshot();
    let named = |other: &mut Simulator| match other.restore(&snapshot) {
        Err(SnapshotError::Other { parts }) => parts,
        other => panic!("{other:?}"),
    };
    let mut other = Simulator::new(&scene("stack", &[("ratio", 7.0)])).unwrap();
    assert!(named(&mut other).contains("links and joints"));
    let mut other = Simulator::new(&scene("stack", &[])).unwrap();
    other.settings.dt = 0.5;
    assert_eq!(named(&mut other), "step length");
    other.settings = sim.settings.clone();
    other.settings.threads = 3;
    assert_eq!(other.restore(&snapshot), Ok(()));
    let mut old = snapshot;
    old[7] = b'2';
    assert_eq!(other.restore(&old), Err(SnapshotError::Version { found: '2' }));
}

#[test]
fn two_thousand_flips_and_cuts_of_snapshots_are_refused() {
    let mut sim = Simulator::new(&scene("ragdoll", &[])).unwrap();
    run(&mut sim, 0.05);
    let whole = sim.snapshot();
    let mut rng = gudgeon_testkit::rng::Rng::new(14);
    for k in 0..2_000 {
        let mut bytes = whole.clone();
        if k % 4 == 0 {
            bytes.truncate(rng.below(whole.len()));
        } else {
            bytes[rng.below(whole.len())] ^= 1 << rng.below(8);
        }
        assert!(sim.restore(&bytes).is_err(), "{k}");
    }
    assert_eq!(sim.restore(&whole), Ok(()));
}

#[test]
fn settings_changed_between_steps_take_effect() {
    use gudgeon_lcp::Method;
    let build = || {
        let mut sim = Simulator::new(&scene("squat", &[])).unwrap();
        sim.settings.method = Method::Lemke;
        sim
    };
    let (mut kept, mut changed) = (build(), build());
    let failed = |sim: &mut Simulator| {
        u32::from(sim.step().unwrap().solve.unwrap().status != gudgeon_lcp::Status::Solved)
    };
    let before: u32 = (0..10).map(|_| failed(&mut kept) + failed(&mut changed)).sum();
    changed.settings.method = Method::Robust;
    let (old, new) = (0..10)
        .map(|_| (failed(&mut kept), failed(&mut changed)))
        .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    println!("failed solves: {before} before, then {old} by lemke and {new} by another method");
    assert_ne!(old, new, "the method of the first step was kept");
}
