//! Laws beside Coulomb's: springs, limits, motors, controllers.

use gudgeon_collide::Shape;
use gudgeon_multibody::{Joint, LinkSpec};
use gudgeon_sim::scenes::{Params, builtin};
use gudgeon_sim::{BodySpec, Controller, JointMotion, Material, SceneBuilder, Simulator};
use gudgeon_spatial::{Inertia, Pose, Vector3};
use nalgebra::{Isometry3, UnitQuaternion};

use crate::run;

/// A level arm of 1 kg on a hinge about y, its centre 0.5 m out along x.
fn arm() -> SceneBuilder {
    let mut builder = SceneBuilder::new("arm");
    let rod = Inertia::cuboid(1.0, [0.5, 0.01, 0.01]).translated(Vector3::new(0.5, 0.0, 0.0));
    let hinge = Joint::revolute(Vector3::y());
    builder.link(LinkSpec::new("arm", "world", hinge, Pose::identity(), rod).limits(-1.0, 0.3));
    builder
}

#[test]
fn a_soft_floor_gives_way_by_weight_over_stiffness() {
    let mut builder = SceneBuilder::new("soft");
    let stiffness = 1e4;
    builder.default_material(Material { stiffness: 2.0 * stiffness, damping: 50.0, ..Material::default() });
    builder.ground();
    builder.body(BodySpec::new("ball", Shape::sphere(0.1).unwrap()).mass(2.0).at(0.0, 0.0, 0.1)).unwrap();
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    run(&mut sim, 3.0);
    let sunk = 0.1 - sim.state().q[6];
    println!("soft floor: sunk {sunk:.9} m, theory {:.9} m", 2.0 * 9.81 / stiffness);
    assert!((sunk - 2.0 * 9.81 / stiffness).abs() < 1e-9);
}

#[test]
fn a_patch_gives_way_as_its_surface_does_however_many_points_it_has() {
    let stiffness = 1e4;
    let standing = |name: &str, shape: Shape, height: f64| {
        let mut builder = SceneBuilder::new(name);
        let soft = Material { stiffness: 2.0 * stiffness, damping: 50.0, ..Material::default() };
        builder.default_material(soft);
        builder.ground();
        builder.body(BodySpec::new(name, shape).mass(2.0).at(0.0, 0.0, height)).unwrap();
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        run(&mut sim, 3.0);
        (sim.contacts().len(), height - sim.state().q[6])
    };
    let theory = 2.0 * 9.81 / stiffness;
    for (name, shape, height) in [
        ("ball", Shape::sphere(0.1).unwrap(), 0.1),
        ("box", Shape::cuboid(0.1, 0.1, 0.05).unwrap(), 0.05),
        ("cylinder", Shape::cylinder(0.05, 0.1).unwrap(), 0.05),
        ("cone", Shape::cone(0.05, 0.1).unwrap(), 0.05),
    ] {
        let (points, sunk) = standing(name, shape, height);
        println!("{name}: {points} points, sunk {sunk:.9} m, theory {theory:.9} m");
        assert!((sunk - theory).abs() < 1e-9, "{name}");
    }
}

#[test]
fn a_ball_in_a_groove_of_facets_gives_way_as_one_surface_does() {
    let (stiffness, radius) = (1e5, 0.104_f64);
    let theory = 2.0 * 9.81 / stiffness;
    for cols in [31, 41, 61, 81] {
        let dx = 0.12 / (cols - 1) as f64;
        let height = |k: usize| radius - (radius * radius - (k as f64 * dx - 0.06).powi(2)).sqrt();
        let heights: Vec<f64> = (0..2 * cols).map(|k| height(k % cols)).collect();
        let groove = Shape::heightfield(2, cols, dx, 0.4, &heights).unwrap();
        let mut builder = SceneBuilder::new("groove");
        let soft = Material { stiffness: 2.0 * stiffness, damping: 200.0, ..Material::default() };
        builder.default_material(soft);
        builder.collider("world", groove, Isometry3::identity());
        builder.body(BodySpec::new("ball", Shape::sphere(0.1).unwrap()).mass(2.0).at(0.0, 0.0, 0.1)).unwrap();
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        run(&mut sim, 2.0);
        let sunk = 0.1 - sim.state().q[6];
        println!("{cols} columns: {} points, sunk {sunk:.6} m, theory {theory:.6} m", sim.contacts().len());
        // an eighth softer by its shallow facets, and off by what a chord is from its arc
        assert!((sunk / theory - 1.1).abs() < 0.2, "{cols}: {sunk} {theory}");
    }
}

#[test]
fn a_joint_stops_at_its_limit() {
    let mut sim = Simulator::new(&arm().build().unwrap()).unwrap();
    run(&mut sim, 2.0);
    assert!((sim.state().q[0] - 0.3).abs() < 1e-9, "{}", sim.state().q[0]);
    assert!(sim.state().v[0].abs() < 1e-12);
    // the limit carries the moment of the weight where the arm is, not where it would fall to
    let moment = 9.81 * 0.5 * sim.state().q[0].cos();
    let carried = -sim.joint_forces()[0];
    println!("limit: {carried} N m of {moment} N m");
    assert!((carried / moment - 1.0).abs() < 1e-9, "{carried} {moment}");
}

#[test]
fn a_motor_holds_its_speed_within_its_effort() {
    for (effort, holds) in [(20.0, true), (2.0, false)] {
        let mut builder = arm();
        builder.controller(Controller::Motor { link: "arm".into(), dof: 0, velocity: -0.5, effort });
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        run(&mut sim, 0.5);
        println!("motor of {effort} N m: {} rad/s", sim.state().v[0]);
        assert_eq!((sim.state().v[0] + 0.5).abs() < 1e-9, holds, "{}", sim.state().v[0]);
    }
}

#[test]
fn springs_towards_a_target_are_stable_at_any_gain_and_bounded_by_their_effort() {
    for (stiffness, effort) in [(50.0, f64::INFINITY), (1e7, f64::INFINITY), (1e7, 30.0)] {
        let mut builder = arm();
        let motion = JointMotion::constant("arm", -0.4);
        builder.controller(Controller::Pd { motion, stiffness, damping: 0.2 * stiffness, effort });
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        sim.settings.dt = 0.01;
        run(&mut sim, 5.0);
        let q = sim.state().q[0];
        // at rest the spring carries the weight
        let residual = stiffness * (-0.4 - q) + 9.81 * 0.5 * q.cos();
        println!("PD {stiffness:e}, effort {effort}: q = {q:.6}, moment left {residual:.1e} N m");
        assert!(residual.abs() < 1e-3, "{residual}");
    }
}

#[test]
fn computed_torque_and_high_gain_follow_a_motion() {
    let knots: Vec<f64> = (0..=20).map(|k| 0.1 * f64::from(k)).collect();
    let values: Vec<Vec<f64>> = knots.iter().map(|t| vec![-0.5 * (1.0 - (3.0 * t).cos()) * 0.6]).collect();
    let motion = JointMotion::new(&["arm"], knots, &values).unwrap();
    let controllers = [
        Controller::ComputedTorque { motion: motion.clone(), stiffness: 400.0, damping: 40.0 },
        Controller::HighGain { motion: motion.clone() },
    ];
    for (controller, goal) in controllers.into_iter().zip([2e-3, 1e-12]) {
        let mut builder = arm();
        builder.controller(controller.clone());
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let mut worst = 0.0_f64;
        for _ in 0..2000 {
            let _ = sim.step().unwrap();
            worst = worst.max((sim.state().q[0] - motion.at(0, sim.time())[0]).abs());
        }
        println!("{controller:.0?}: off by {worst:.1e} rad at most");
        assert!(worst <= goal, "{worst:e}");
    }
}

#[test]
fn an_effort_without_end_is_an_effort_and_nothing_else_notices() {
    // an arm with a motor beside a crate that rests on the ground
    for effort in [50.0, 1e9, 1e12, 1e18, 1e300, f64::INFINITY] {
        let mut builder = arm();
        builder.friction(0.5).ground();
        let crate_ = BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.1).unwrap()).mass(2.0);
        builder.body(crate_.at(3.0, 0.0, 0.1)).unwrap();
        builder.position("arm", &[-0.2]);
        builder.controller(Controller::Motor { link: "arm".into(), dof: 0, velocity: -0.5, effort });
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let summary = run(&mut sim, 0.5);
        let height = crate::place(&sim, "crate")[2];
        println!("effort {effort:e}: {} rad/s, the crate at {height} m", sim.state().v[0]);
        assert_eq!(summary.failed(), 0);
        assert!((sim.state().v[0] + 0.5).abs() < 1e-9, "{effort}: {}", sim.state().v[0]);
        assert!((height - 0.1).abs() < 1e-9, "{effort}: {height}");
    }
    // and a joint friction without end holds
    let mut builder = SceneBuilder::new("rusted");
    let rod = Inertia::cuboid(1.0, [0.5, 0.01, 0.01]).translated(Vector3::new(0.5, 0.0, 0.0));
    let hinge = Joint::revolute(Vector3::y());
    builder.link(LinkSpec::new("arm", "world", hinge, Pose::identity(), rod).friction(1e18));
    let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
    run(&mut sim, 0.5);
    assert!(sim.state().q[0].abs() < 1e-12, "{}", sim.state().q[0]);
}

#[test]
fn a_motor_that_never_reaches_its_speed_is_its_effort_and_nothing_else_notices() {
    // an arm on a crate, turned by 0.01 N m
    let ends: Vec<[f64; 2]> = [1e3, 1e9, 1e15, 1e18]
        .map(|velocity| {
            let mut builder = SceneBuilder::new("mount");
            builder.friction(0.5).ground();
            let base = BodySpec::new("crate", Shape::cuboid(0.1, 0.1, 0.05).unwrap()).mass(1.0);
            builder.body(base.at(0.0, 0.0, 0.05)).unwrap();
            let (rod, hinge) = (Inertia::cuboid(0.3, [0.02, 0.02, 0.1]), Joint::revolute(Vector3::y()));
            let above = Pose::from_translation(0.0, 0.0, 0.5);
            builder.link(LinkSpec::new("arm", "crate", hinge, above, rod));
            builder.controller(Controller::Motor { link: "arm".into(), dof: 0, velocity, effort: 0.01 });
            let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
            let summary = run(&mut sim, 0.3);
            let turn = *sim.state().v.last().unwrap();
            println!("{velocity:e}: the crate at {} m, {turn} rad/s", crate::place(&sim, "crate")[2]);
            assert_eq!(summary.failed(), 0, "{velocity:e}");
            [crate::place(&sim, "crate")[2], turn]
        })
        .to_vec();
    for end in &ends {
        assert!((end[0] - 0.05).abs() < 1e-9 && (end[1] - ends[0][1]).abs() < 1e-9, "{ends:?}");
    }
}

#[test]
fn a_force_that_is_no_number_is_told_whichever_dof_it_is_on() {
    let scene = builtin("stack", &Params::new().set("boxes", 1.0)).unwrap();
    for dof in 0..6 {
        let mut sim = Simulator::new(&scene).unwrap();
        sim.control[dof] = f64::NAN;
        let error = sim.step().unwrap_err().to_string();
        assert!(error.contains("box0") && error.contains("not finite"), "{dof}: {error}");
    }
}

#[test]
fn a_patch_of_many_colliders_bears_on_its_corners() {
    // a plate falls, slides and stops: with twenty-five tiles flush with its face it does the same
    let plate = |tiles: i32| {
        let mut builder = SceneBuilder::new("plate");
        builder.ground();
        let half = [0.1, 0.1, 0.02];
        builder
            .body(
                BodySpec::new("plate", Shape::cuboid(half[0], half[1], half[2]).unwrap())
                    .mass(1.0)
                    .at(0.0, 0.0, half[2] + 1e-4)
                    .moving(0.5, 0.2, 0.0),
            )
            .unwrap();
        for k in 0..tiles * tiles {
            let side = half[0] / f64::from(tiles);
            let at = |k: i32| side * f64::from(2 * k + 1) - half[0];
            let pose = nalgebra::Isometry3::translation(at(k % tiles), at(k / tiles), 0.0);
            builder.collider("plate", Shape::cuboid(side, side, half[2]).unwrap(), pose);
        }
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let (mut most, mut path) = (0, Vec::new());
        for _ in 0..150 {
            let report = sim.step().unwrap();
            assert!(report.solve.is_none_or(|s| s.status == gudgeon_lcp::Status::Solved));
            most = most.max(report.contacts);
            path.push(sim.state().q.clone());
        }
        (most, path)
    };
    let (one, many) = (plate(0), plate(5));
    let off = one.1.iter().flatten().zip(many.1.iter().flatten()).map(|(a, b)| (a - b).abs());
    let off = off.fold(0.0, f64::max);
    println!("{} and {} points, {off:.1e} apart in 150 steps", one.0, many.0);
    assert!(many.0 <= 8 && off < 1e-9, "{} points, {off:e} apart", many.0);
}

/// Midway between plate and floor the corners of a tilted plate have heights of half their gaps, and lying down draws them apart by 1e-7 m/s.
#[test]
fn a_plate_that_lies_down_within_a_step_sticks_at_all_corners() {
    let tilt = UnitQuaternion::from_euler_angles(2e-4, -1e-4, 0.3);
    let turn = [tilt.w, tilt.i, tilt.j, tilt.k];
    let plate = || BodySpec::new("plate", Shape::cuboid(0.2, 0.1, 0.01).unwrap()).mass(2.0);
    let feet = || {
        let foot = |x: f64, y: f64| (Isometry3::translation(x, y, -0.01), Shape::sphere(0.01).unwrap());
        let all = [(0.2, 0.1), (-0.2, 0.1), (0.2, -0.1), (-0.2, -0.1)].map(|(x, y)| foot(x, y));
        BodySpec::new("plate", Shape::compound(all.to_vec()).unwrap()).mass(2.0)
    };
    for (name, body, height, table) in [
        ("box on the ground", plate(), 0.01005, false),
        ("four balls on the ground", feet(), 0.02005, false),
        ("box on a box", plate(), 0.06005, true),
    ] {
        let mut builder = SceneBuilder::new(name);
        builder.settings().dt = 2e-3;
        if table {
            builder.collider("world", Shape::cuboid(1.0, 1.0, 0.05).unwrap(), Isometry3::identity());
        } else {
            builder.ground();
        }
        builder.body(body.at(0.0, 0.0, height).turned(turn).moving(0.0, 0.0, -0.2)).unwrap();
        let mut sim = Simulator::new(&builder.build().unwrap()).unwrap();
        let report = sim.step().unwrap();
        let slip = sim.contacts().iter().fold(0.0_f64, |m, c| m.max(c.slip.norm()));
        let n = sim.contacts().len();
        println!("{name}: {n} corners, slip {slip:.1e} m/s, {:?}", report.solve.map(|s| s.status));
        assert_eq!(n, 4, "{name}");
        // of 0.2 m/s: rounding, where midway it is 1e-8 and more
        assert!(slip < 1e-13, "{name}: {slip:e}");
    }
}
