//! The same bits, whatever happened before.

use gudgeon_collide::Shape;
use gudgeon_sim::{BodySpec, Scene, SceneBuilder, Simulator, SnapshotError};

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
