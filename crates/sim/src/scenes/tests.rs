//! Every scene as it starts: sizes, masses, contacts, loops; and the humanoid's motions.

use gudgeon_collide::{Collider, CollisionWorkspace, ContactPoint, Geometry};
use gudgeon_multibody::{
    ConstraintRows, LinkId, State, Workspace, center_of_mass, kinematics, loop_gap, velocities,
};
use gudgeon_spatial::{Pose, Quaternion, Vector3};
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion};

use super::dance::{Stance, dancing, squatting};
use super::humanoid::{self, JOINTS};
use super::{BuiltinError, LIST, Params, builtin, keys};
use crate::controller::{Controller, JointMotion};
use crate::scene::Scene;
use crate::simulator::Simulator;

fn scene(name: &str) -> Scene {
    builtin(name, &Params::new()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn placed(scene: &Scene) -> Workspace {
    let mut ws = Workspace::new(&scene.model);
    kinematics(&scene.model, &scene.initial.q, &mut ws);
    ws
}

fn isometry(x: &Pose) -> Isometry3<f64> {
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(x.rotation));
    Isometry3::from_parts(Translation3::from(x.translation), rotation)
}

/// Contacts within a margin at the start.
fn contacts(scene: &Scene, margin: f64) -> Vec<ContactPoint> {
    let ws = placed(scene);
    let mut geometry = Geometry::new();
    let body = |link: LinkId| link.0.checked_sub(1);
    for c in &scene.colliders {
        geometry.add(Collider {
            shape: c.shape.clone(),
            body: body(c.link),
            pose: c.pose,
            group: c.group,
            mask: c.mask,
        });
    }
    for (i, link) in scene.model.links().iter().enumerate().skip(1) {
        // bodies of their own hang on nothing
        if !matches!(link.joint, gudgeon_multibody::Joint::Free) {
            geometry.exclude_bodies(body(LinkId(i)), body(link.parent));
        }
    }
    let poses: Vec<_> = (1..scene.model.n_links()).map(|i| isometry(&ws.pose(LinkId(i)))).collect();
    let mut out = Vec::new();
    CollisionWorkspace::new().contacts(&geometry, &poses, margin, &mut out);
    out
}

#[test]
fn every_scene_of_the_list_builds() {
    for (name, about) in LIST {
        let scene = scene(name);
        assert_eq!(&scene.name, name);
        assert!(!about.is_empty() && scene.duration > 0.0);
        assert!(scene.colliders.iter().chain(&scene.visuals).count() > 0, "{name} has shapes");
        for key in keys(name).unwrap() {
            assert!((key.least..=key.most).contains(&key.default), "{name}: {}", key.name);
        }
    }
}

#[test]
fn unknown_scenes_and_settings_are_answered_with_what_there_is() {
    let error = builtin("stak", &Params::new()).unwrap_err();
    assert!(error.to_string().contains("stack, slope"), "{error}");
    let error = builtin("stack", &Params::new().set("box", 3.0)).unwrap_err();
    assert!(matches!(error, BuiltinError::UnknownKey { .. }), "{error}");
    let error = builtin("peg", &Params::new().set("contacts", 17.0)).unwrap_err();
    assert!(error.to_string().contains("even"), "{error}");
}

#[test]
fn scenes_have_the_freedoms_and_joints_of_the_papers() {
    // name, degrees of freedom, tree joints, loops
    for (name, n_v, joints, loops) in [
        ("squat", 26, 21, 0),
        ("tapdance", 26, 21, 0),
        ("hoist", 1 + 24 * 3, 25, 0),
        ("ring", 3 * (6 + 15), 18, 0),
        ("net", 4 * 16 * 3 + 5 * 6, 4 * 16 + 5, 4),
        ("nlegs", 6, 1, 0),
        ("rod", 6, 1, 0),
        ("wall", 180, 30, 0),
        ("peg", 6, 1, 0),
        ("stack", 60, 10, 0),
        ("slope", 6, 1, 0),
        ("push", 6, 1, 0),
        ("pinch", 8, 3, 0),
        ("rolling", 26 * 6, 26, 0),
        ("fourbar", 3, 3, 1),
        ("strandbeest", 7 + 12 * 6, 2 + 12 * 6, 36),
        ("ragdoll", 27, 22, 0),
        ("dominoes", 120, 20, 0),
        ("kapla", 34 * 6, 34, 0),
        ("pyramid", 55 * 6, 55, 0),
    ] {
        let model = scene(name).model;
        assert_eq!((model.n_v(), model.n_links() - 1, model.loops().len()), (n_v, joints, loops), "{name}");
    }
}

#[test]
fn scenes_at_rest_start_exactly_touching() {
    // rounding of poses of a metre
    let exact = 1e-14;
    for (name, count) in [
        ("squat", 16),
        ("tapdance", 16),
        ("nlegs", 5),
        ("rod", 2),
        ("wall", 184),
        ("peg", 16),
        ("stack", 40),
        ("slope", 4),
        ("push", 16),
        ("pinch", 4),
        ("rolling", 50),
        ("dominoes", 80),
        ("kapla", 8 + 16 * 16),
        ("pyramid", 10 * 4 + 45 * 8),
    ] {
        // inverse kinematics stops at 1e-12
        let tolerance = if matches!(name, "squat" | "tapdance") { 1e-11 } else { exact };
        let scene = scene(name);
        let found = contacts(&scene, 1e-4);
        assert_eq!(found.len(), count, "{name}");
        let worst = found.iter().map(|c| c.gap.abs()).fold(0.0, f64::max);
        assert!(worst < tolerance, "{name}: {worst:e}");
        assert!(scene.initial.v.iter().all(|v| *v == 0.0), "{name}");
    }
}

#[test]
fn nothing_overlaps_at_the_start() {
    for (name, _) in LIST {
        let found = contacts(&scene(name), 1e-3);
        let deepest = found.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        assert!(deepest > -1e-9, "{name}: {deepest:e}");
    }
}

#[test]
fn the_string_of_the_hoist_lies_on_its_rod() {
    // fifteen links, each on a line of two points
    let found = contacts(&scene("hoist"), 1e-4);
    assert_eq!(found.len(), 30);
    assert!(found.iter().all(|c| c.gap.abs() < 1e-14), "{found:?}");
}

#[test]
fn hooked_rings_nearly_touch() {
    let found = contacts(&scene("ring"), 1e-3);
    let pairs: std::collections::BTreeSet<_> = found.iter().map(|c| (c.a, c.b)).collect();
    assert_eq!(pairs.len(), 3, "{pairs:?}");
    // a tenth of a millimetre, and at most what corners and flats differ by
    for (a, b) in pairs {
        let nearest =
            found.iter().filter(|c| (c.a, c.b) == (a, b)).map(|c| c.gap).fold(f64::INFINITY, f64::min);
        assert!((0.0..1e-3).contains(&nearest), "{a}-{b}: {nearest:e}");
    }
}

#[test]
fn loops_start_closed_and_stay_so() {
    for name in ["net", "fourbar", "strandbeest"] {
        let scene = scene(name);
        let mut ws = placed(&scene);
        assert!(loop_gap(&scene.model, &ws) < 1e-9, "{name}");
        velocities(&scene.model, &scene.initial.v, &mut ws);
        let mut rows = ConstraintRows::default();
        rows.positions(&scene.model, &scene.initial, &ws);
        assert!(rows.largest() < 1e-9, "{name}");
        for i in 0..rows.g.len() {
            let (dofs, values) = rows.rows.row(i);
            let rate: f64 = dofs.iter().zip(values).map(|(&k, x)| x * scene.initial.v[k]).sum();
            assert!(rate.abs() < 1e-9, "{name}: row {i} opens at {rate} m/s");
        }
    }
    assert_eq!(scene("fourbar").initial.v[0], 12.0);
}

#[test]
fn the_strings_of_the_net_hang_as_catenaries() {
    // in equilibrium the joint forces of gravity vanish up to those of the loops: sag by the discrete catenary
    let scene = scene("net");
    let ws = placed(&scene);
    let middle = scene.model.find("string0.8").unwrap();
    let sag = -ws.pose(middle).translation.z;
    assert!((0.12..0.16).contains(&sag), "{sag}");
    // the loops were closed before the assembly touched them
    let ends: Vec<f64> =
        (0..4).map(|s| ws.pose(scene.model.find(&format!("string{s}.15")).unwrap()).translation.z).collect();
    assert!((ends[0] - ends[1]).abs() < 1e-12 && (ends[2] - ends[3]).abs() < 1e-12);
}

#[test]
fn masses_are_as_said() {
    for (name, mass) in [
        ("squat", 7.5),
        ("tapdance", 7.5),
        ("push", 10.0),
        ("rod", 1.5),
        ("wall", 30.0),
        ("stack", 109.0),
        ("rolling", 35.0),
        ("pinch", 0.245),
    ] {
        assert!((scene(name).model.mass() - mass).abs() < 1e-12, "{name}");
    }
}

#[test]
fn the_humanoid_is_58_cm_tall_with_20_hinges() {
    let scene = scene("squat");
    let hinges =
        scene.model.links().iter().filter(|l| matches!(l.joint, gudgeon_multibody::Joint::Revolute { .. }));
    assert_eq!(hinges.count(), 20);
    // upright: all joints at zero
    let state = State::neutral(&scene.model);
    let mut ws = Workspace::new(&scene.model);
    kinematics(&scene.model, &state.q, &mut ws);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for c in scene.colliders.iter().filter(|c| c.link != LinkId::WORLD) {
        let aabb = c.shape.aabb(&(isometry(&ws.pose(c.link)) * c.pose));
        (low, high) = (low.min(aabb.lo.z), high.max(aabb.hi.z));
    }
    assert!((high - low - 0.58).abs() < 1e-12, "{}", high - low);
}

fn motion(scene: &Scene) -> &JointMotion {
    let [Controller::HighGain { motion }] = &scene.controllers[..] else { panic!("one prescribed motion") };
    motion
}

/// Puts the joints at their place at a time and the trunk so that the left or right foot is where it belongs.
fn stand(scene: &Scene, t: f64, on: usize, stance: &Stance, ws: &mut Workspace) -> State {
    let model = &scene.model;
    let motion = motion(scene);
    let mut state = State::neutral(model);
    for (j, name) in JOINTS.iter().enumerate() {
        state.q[humanoid::coordinate(model, name)] = motion.at(j, t)[0];
    }
    kinematics(model, &state.q, ws);
    let foot = humanoid::link(model, ["left foot", "right foot"][on]);
    let trunk = stance.feet[on].compose(&ws.pose(foot).inverse());
    let q = humanoid::coordinate(model, "trunk");
    Quaternion::from_matrix(&trunk.rotation).write(&mut state.q[q..]);
    state.q[q + 4..q + 7].copy_from_slice(trunk.translation.as_slice());
    kinematics(model, &state.q, ws);
    state
}

/// Largest departure of the other foot from the plan, m and rad, at and between the knots.
fn departures(scene: &Scene, plan: impl Fn(f64) -> Stance) -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    let mut ws = Workspace::new(&scene.model);
    let mut k = 0;
    loop {
        let t = 0.002 * f64::from(k);
        if t > scene.duration + 1e-12 {
            return worst;
        }
        let stance = plan(t);
        stand(scene, t, 0, &stance, &mut ws);
        let actual = ws.pose(humanoid::link(&scene.model, "right foot"));
        let target = stance.feet[1];
        let turn = (target.rotation.transpose() * actual.rotation - Matrix3::identity()).amax();
        let error = (actual.translation - target.translation).amax().max(turn);
        let at_knot = usize::from(k % 10 != 0);
        worst[at_knot] = worst[at_knot].max(error);
        k += 1;
    }
}

#[test]
fn feet_stay_where_they_are_put_in_the_squat() {
    let scene = scene("squat");
    let [at_knots, between] = departures(&scene, |t| squatting(0.07, t));
    assert!(at_knots < 1e-10, "{at_knots:e}");
    assert!(between < 1e-5, "{between:e}");
}

#[test]
fn feet_go_where_they_should_in_the_dance() {
    let scene = scene("tapdance");
    let [at_knots, between] = departures(&scene, |t| dancing(0.025, t));
    assert!(at_knots < 1e-10, "{at_knots:e}");
    assert!(between < 1e-4, "{between:e}");
}

#[test]
fn the_dancer_can_stand_on_one_foot() {
    // the zero-moment point: centre of mass minus height times acceleration over free fall, inside the sole
    let scene = scene("tapdance");
    let mut ws = Workspace::new(&scene.model);
    let center = |t: f64, ws: &mut Workspace| -> Vector3<f64> {
        stand(&scene, t, usize::from(dancing(0.025, t).center[1] < 0.0), &dancing(0.025, t), ws);
        center_of_mass(&scene.model, ws)
    };
    let h = 1e-3;
    for k in 1..1000 {
        let t = 0.01 * f64::from(k) - 0.005;
        let one_foot = [(0.8, 2.4), (3.2, 4.8), (5.6, 7.2), (8.0, 9.2)]
            .iter()
            .any(|(a, b)| t > a + 0.01 && t < b - 0.01);
        let (c, before, after) = (center(t, &mut ws), center(t - h, &mut ws), center(t + h, &mut ws));
        let a = (after - c * 2.0 + before) / (h * h);
        let y = c.y - c.z * a.y / (9.81 + a.z);
        if one_foot {
            // the soles reach from 2 to 8 cm
            assert!((0.025..0.075).contains(&y.abs()), "{t}: {y}");
        } else {
            assert!(y.abs() < 0.075, "{t}: {y}");
        }
    }
}

#[test]
fn every_scene_takes_its_first_steps() {
    for (name, _) in LIST {
        let scene = scene(name);
        let mut sim = Simulator::new(&scene).unwrap_or_else(|e| panic!("{name}: {e}"));
        for _ in 0..5 {
            let report = sim.step().unwrap_or_else(|e| panic!("{name}: {e}"));
            // overlap up to a micrometre is left alone, and the path of a step may add some to it
            assert!(report.penetration < 5e-6, "{name}: {report:?}");
            assert!(report.loop_gap < 1e-9, "{name}: {report:?}");
        }
    }
}

#[test]
fn the_pushed_frame_slides_as_far_whatever_the_azimuth() {
    for azimuth in [0.0, 30.0, 45.0] {
        let scene = builtin("push", &Params::new().set("azimuth", azimuth)).unwrap();
        let mut sim = Simulator::new(&scene).unwrap();
        for _ in 0..2500 {
            let _ = sim.step().unwrap();
        }
        let [x, y, _] = sim.body(scene.model.find("frame").unwrap()).position;
        // 2000 steps of 1 ms at 0.05 mu g, positions following the velocity at the end of a step
        assert!((x.hypot(y) - 0.490_745_25).abs() < 1e-9, "{azimuth}: {x} {y}");
    }
}

#[test]
fn a_box_rolls_on_its_balls_as_theory_says() {
    // rolling: F/(M + 25 · 0.35 m); sliding: (F − mu M g)/M
    for (force, gain) in [(20.0, 20.0 / 18.75), (150.0, 15.0 - 0.4 * 9.81)] {
        let scene = builtin("rolling", &Params::new().set("force", force)).unwrap();
        let mut sim = Simulator::new(&scene).unwrap();
        for _ in 0..50 {
            let _ = sim.step().unwrap();
        }
        let [x, y, _] = sim.body(scene.model.find("box").unwrap()).velocity;
        // the underside settles within the first steps
        assert!((x / (0.05 * gain) - 1.0).abs() < 1e-3 && y.abs() < 1e-9, "{force}: {x} {y}");
    }
}
