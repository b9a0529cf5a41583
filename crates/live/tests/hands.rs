//! Hands are ordinary forces: known motions come out, and what is changed in place is as a new scene would be.

use std::sync::Arc;

use gudgeon_collide::Shape;
use gudgeon_live::{Act, Session, edited, scene_text};
use gudgeon_sim::{BodySpec, Scene, SceneBuilder, Simulator};
use gudgeon_spatial::Vector3;

use crate::client::wall;

/// A cube of a kilogram in free space.
fn space() -> Scene {
    let mut builder = SceneBuilder::new("space");
    builder.gravity(Vector3::zeros());
    builder.body(BodySpec::new("cube", Shape::cuboid(0.1, 0.1, 0.1).unwrap()).mass(1.0)).unwrap();
    builder.build().unwrap()
}

fn session(scene: &Scene) -> (Session, Simulator) {
    let sim = Simulator::new(scene).unwrap();
    (Session::new(&Arc::new(scene.clone()), &sim), sim)
}

fn steps(session: &mut Session, sim: &mut Simulator, n: usize) {
    for _ in 0..n {
        let _ = session.step(sim).unwrap();
    }
}

#[test]
fn a_push_gives_its_momentum() {
    let (mut session, mut sim) = session(&space());
    let push = Act::Push { body: 1, point: [0.0; 3], force: [3.0, 0.0, -1.0], seconds: 0.1 };
    session.act(&mut sim, &push).unwrap();
    steps(&mut session, &mut sim, 200);
    let v = sim.body(gudgeon_multibody::LinkId(1)).velocity;
    // 3 N for 0.1 s on 1 kg; rounding of two hundred sums
    for (x, exact) in v.into_iter().zip([0.3, 0.0, -0.1]) {
        assert!((x - exact).abs() < 1e-12, "{v:?}");
    }
    assert!(session.pulls().is_empty(), "a push ends");
}

#[test]
fn a_push_off_the_centre_turns() {
    let (mut session, mut sim) = session(&space());
    // along y at x = 0.1 m: torque 0.1 N m for 10 ms about z, on 1/6 m (0.2 m)²
    let push = Act::Push { body: 1, point: [0.1, 0.0, 0.0], force: [0.0, 1.0, 0.0], seconds: 0.01 };
    session.act(&mut sim, &push).unwrap();
    steps(&mut session, &mut sim, 20);
    let spin = sim.body(gudgeon_multibody::LinkId(1)).angular_velocity[2];
    let exact = 0.1 * 0.01 / (0.04 / 6.0);
    // the force keeps its direction while the arm turns by less than a thousandth
    assert!((spin / exact - 1.0).abs() < 1e-3, "{spin} {exact}");
}

#[test]
fn a_pull_brings_the_point_to_the_hand_and_says_its_force() {
    let (mut session, mut sim) = session(&space());
    let grab = Act::Grab { body: 1, point: [0.0; 3], target: [0.5, 0.0, 0.0], gain: 1.0 };
    session.act(&mut sim, &grab).unwrap();
    steps(&mut session, &mut sim, 1);
    // ω² m times half a metre
    assert!((session.pulls()[0].force.x - 50.0).abs() < 1e-9, "{:?}", session.pulls());
    steps(&mut session, &mut sim, 3000);
    let x = sim.body(gudgeon_multibody::LinkId(1)).position[0];
    assert!((x - 0.5).abs() < 1e-6, "{x}");
    session.act(&mut sim, &Act::Release).unwrap();
    steps(&mut session, &mut sim, 1);
    assert!(session.pulls().is_empty());
}

#[test]
fn the_strongest_hand_is_stable_at_every_step() {
    for dt in [1e-4, 1e-3, 1e-2, 0.05] {
        let (mut session, mut sim) = session(&space());
        session.act(&mut sim, &Act::Dt { value: dt }).unwrap();
        let corner = Act::Grab { body: 1, point: [0.1, 0.1, 0.1], target: [0.3, 0.2, 0.5], gain: 1e3 };
        session.act(&mut sim, &corner).unwrap();
        steps(&mut session, &mut sim, 1000);
        let before = sim.energy()[0];
        steps(&mut session, &mut sim, 1000);
        let pull = session.pulls()[0];
        assert!((pull.point - pull.target).norm() < 0.05, "dt {dt}: {pull:?}");
        // it swings about the hand, and gains what is of second order in the angle of a step
        let after = sim.energy()[0];
        assert!(after < 1.1 * before + 1e-3, "dt {dt}: {before} J, {after} J");
    }
}

#[test]
fn a_body_fixed_in_space_stays_there() {
    let mut scene = space();
    scene.model = scene.model.with_gravity(Vector3::new(0.0, 0.0, -9.81));
    let (mut session, mut sim) = session(&scene);
    session.act(&mut sim, &Act::Pin { body: 1, on: true }).unwrap();
    let push = Act::Push { body: 1, point: [0.1, 0.1, 0.0], force: [20.0, 0.0, 0.0], seconds: 0.2 };
    session.act(&mut sim, &push).unwrap();
    steps(&mut session, &mut sim, 1000);
    let b = sim.body(gudgeon_multibody::LinkId(1));
    // m g / k with k = 0.1 m / dt²: a tenth of a millimetre
    assert!(b.position.iter().all(|x| x.abs() < 1.2e-4), "{b:?}");
    assert!((b.orientation[0].abs() - 1.0).abs() < 1e-6, "{b:?}");
    session.act(&mut sim, &Act::Pin { body: 1, on: false }).unwrap();
    steps(&mut session, &mut sim, 100);
    assert!(sim.body(gudgeon_multibody::LinkId(1)).position[2] < -0.01, "it falls");
}

#[test]
fn the_world_cannot_be_pulled() {
    let (mut session, mut sim) = session(&wall());
    for body in [0, 31, usize::MAX] {
        let grab = Act::Grab { body, point: [0.0; 3], target: [0.0; 3], gain: 1.0 };
        let error = session.act(&mut sim, &grab).unwrap_err().to_string();
        assert!(error.contains("a number from 1 to 30"), "{error}");
    }
    assert!(session.tape.events.is_empty(), "what failed is not on the tape");
}

#[test]
fn what_is_changed_in_place_is_as_in_a_new_simulator() {
    let scene = wall();
    let (mut session, mut sim) = session(&scene);
    let mut changed = scene;
    for act in [
        Act::Friction { value: 0.2, body: None },
        Act::Friction { value: 0.9, body: Some(4) },
        Act::Gravity { value: [1.0, 0.5, -8.0] },
        Act::Mass { body: 7, value: 3.5 },
        Act::Dt { value: 2e-3 },
    ] {
        session.act(&mut sim, &act).unwrap();
        changed = edited(&changed, &act).unwrap();
    }
    let mut fresh = Simulator::new(&changed).unwrap();
    for _ in 0..20 {
        let _ = session.step(&mut sim).unwrap();
        let _ = fresh.step().unwrap();
        assert_eq!(sim.state_hash(), fresh.state_hash());
    }
}

#[test]
fn a_body_more_leaves_the_others_as_they_were() {
    let scene = wall();
    let (mut session, mut sim) = session(&scene);
    let mut alone = Simulator::new(&scene).unwrap();
    for _ in 0..5 {
        let _ = session.step(&mut sim).unwrap();
        let _ = alone.step().unwrap();
    }
    // far from the wall, so that nothing of it is felt
    session.act(&mut sim, &Act::Add { ball: true, size: 0.1, at: [50.0, 0.0, 2.0] }).unwrap();
    for _ in 0..20 {
        let _ = session.step(&mut sim).unwrap();
        let _ = alone.step().unwrap();
        assert_eq!(sim.state().q[..alone.state().q.len()], alone.state().q);
        assert_eq!(sim.state().v[..alone.state().v.len()], alone.state().v);
    }
    let ball = sim.body(gudgeon_multibody::LinkId(31));
    assert!(ball.position[2] < 2.0 && sim.model().find("ball 1").is_some());
}

#[test]
fn the_scene_file_goes_on_from_here() {
    let folder = std::env::temp_dir().join(format!("gudgeon-live-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["wall", "ragdoll", "slope"] {
        let scene = gudgeon_sim::scenes::builtin(name, &gudgeon_sim::scenes::Params::new()).unwrap();
        let (mut session, mut sim) = session(&scene);
        session.act(&mut sim, &Act::Friction { value: 0.35, body: None }).unwrap();
        session.act(&mut sim, &Act::Add { ball: false, size: 0.05, at: [0.0, 0.0, 3.0] }).unwrap();
        steps(&mut session, &mut sim, 20);
        let text = scene_text(session.scene(), &sim);
        let path = folder.join(format!("{name}.toml"));
        std::fs::write(&path, &text).unwrap();
        let read = gudgeon_model::load_scene(&path);
        let (read, _) = read.unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        let again = Simulator::new(&read).unwrap();
        assert_eq!(read.model.n_links(), sim.model().n_links());
        for k in 1..read.model.n_links() {
            let (a, b) =
                (sim.model().link(gudgeon_multibody::LinkId(k)), sim.body(gudgeon_multibody::LinkId(k)));
            let other = again.body(again.model().find(&a.name).unwrap());
            for (x, y) in
                b.position.iter().chain(&b.velocity).zip(other.position.iter().chain(&other.velocity))
            {
                // turns go through matrices and back
                assert!((x - y).abs() < 1e-9, "{name}: {}", a.name);
            }
        }
        assert!(read.materials.iter().skip(1).all(|m| m.friction == 0.35), "{name}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A heightfield is in the file, heights to the bit.
#[test]
fn the_scene_file_has_the_hills() {
    let heights: Vec<f64> = (0..12).map(|k| 0.1 * f64::from(k * k % 5)).collect();
    let mut builder = gudgeon_sim::SceneBuilder::new("hills");
    let hills = gudgeon_collide::Shape::heightfield(3, 4, 0.5, 0.7, &heights).unwrap();
    let _ = builder.collider("world", hills, nalgebra::Isometry3::identity());
    let ball = gudgeon_collide::Shape::sphere(0.1).unwrap();
    builder.body(gudgeon_sim::BodySpec::new("ball", ball).mass(1.0).at(0.0, 0.0, 1.0)).unwrap();
    let (session, sim) = session(&builder.build().unwrap());
    let text = scene_text(session.scene(), &sim);
    assert!(!text.contains("not in this file"), "{text}");
    let path = std::env::temp_dir().join(format!("gudgeon-live-hills-{}.toml", std::process::id()));
    std::fs::write(&path, &text).unwrap();
    let (read, _) = gudgeon_model::load_scene(&path).unwrap_or_else(|e| panic!("{e}\n{text}"));
    std::fs::remove_file(&path).unwrap();
    let found = read.colliders.iter().find_map(|c| match c.shape.kind() {
        gudgeon_collide::Kind::Heightfield(field) => Some(field),
        _ => None,
    });
    let found = found.expect("the hills");
    assert_eq!((found.dimensions(), found.spacing(), found.heights()), ((3, 4), (0.5, 0.7), &heights[..]));
}

/// The file goes on as the run does: loops, couplings, motors, motions, pushes and actuators of joints are in it, and their times count
/// from the moment it was written.
#[test]
fn the_scene_file_moves_on_as_the_run_does() {
    let folder = std::env::temp_dir().join(format!("gudgeon-live-on-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let robot = folder.join("arm.xml");
    std::fs::write(
        &robot,
        r#"<mujoco><option timestep="0.002"/><worldbody><body name="upper" pos="0 0 1">
        <joint name="shoulder" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="1"/>
        <body name="lower" pos="0 0 -0.3"><joint name="elbow" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="1"/></body></body></worldbody>
        <actuator><position joint="shoulder" kp="40" kv="2" gear="2"/><motor joint="elbow" gear="3" ctrlrange="-1 1"/></actuator></mujoco>"#,
    )
    .unwrap();
    let builtin =
        |name: &str| gudgeon_sim::scenes::builtin(name, &gudgeon_sim::scenes::Params::new()).unwrap();
    let arm = gudgeon_model::load_scene(&robot).unwrap().0;
    for (name, scene) in [
        ("strandbeest", builtin("strandbeest")),
        ("squat", builtin("squat")),
        ("push", builtin("push")),
        ("arm", arm),
    ] {
        let (mut session, mut sim) = session(&scene);
        if name == "arm" {
            session.act(&mut sim, &Act::Control { index: 0, values: vec![0.7] }).unwrap();
            session.act(&mut sim, &Act::Control { index: 1, values: vec![0.4] }).unwrap();
        }
        steps(&mut session, &mut sim, 30);
        let text = scene_text(session.scene(), &sim);
        let path = folder.join(format!("{name}.toml"));
        std::fs::write(&path, &text).unwrap();
        let (read, _) = gudgeon_model::load_scene(&path).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        let mut again = Simulator::new(&read).unwrap();
        for _ in 0..40 {
            let _ = sim.step().unwrap();
            let _ = again.step().unwrap();
        }
        let mut farthest = 0.0_f64;
        for k in 1..read.model.n_links() {
            let id = gudgeon_multibody::LinkId(k);
            let other = again.body(again.model().find(&sim.model().link(id).name).unwrap());
            for (x, y) in sim.body(id).position.iter().zip(&other.position) {
                farthest = farthest.max((x - y).abs());
            }
        }
        assert!(farthest < 1e-8, "{name}: {farthest}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
