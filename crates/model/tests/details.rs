//! Small print of MJCF: which way a string goes around, springs by time constant, activations that count early.

use gudgeon_model::{LoadOptions, load_text};
use gudgeon_sim::{Controller, Scene, Simulator};

fn read(xml: &str) -> Scene {
    load_text("robot.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).0
}

/// The length of a string from (−2, h) to (2, h) past a cylinder of radius 1 about z, with a side site.
fn length(h: f64, side: &str) -> f64 {
    let mut sim = Simulator::new(&read(&format!(
        r#"<mujoco><worldbody><geom name="rod" type="cylinder" size="1 1" contype="0" conaffinity="0"/>
        <site name="side" pos="{side} 0"/><site name="a" pos="-2 {h} 0"/>
        <body pos="2 {h} 0"><joint type="slide" axis="1 0 0"/><geom size="0.1"/><site name="b"/></body></worldbody>
        <tendon><spatial name="s"><site site="a"/><geom geom="rod" sidesite="side"/><site site="b"/></spatial></tendon>
        <sensor><tendonpos name="l" tendon="s"/></sensor></mujoco>"#
    )))
    .expect("sound");
    sim.sense();
    sim.sensor("l").expect("named")[0]
}

#[test]
fn a_side_site_counts_where_it_lies_opposite() {
    use std::f64::consts::PI;
    let way = |h: f64, below: f64| {
        let far = 2.0_f64.hypot(h);
        2.0 * (far * far - 1.0).sqrt() + PI + below * 2.0 * (h / 2.0).atan() - 2.0 * (1.0 / far).acos()
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} and {b}");
    // the straight line is blocked: over the top, or below where the site is straight below
    near(length(0.5, "0 2"), way(0.5, -1.0));
    near(length(0.5, "2 -0.3"), way(0.5, -1.0));
    near(length(0.5, "0 -2"), way(0.5, 1.0));
    // it is free: straight, or below
    near(length(1.5, "0 2"), 4.0);
    near(length(1.5, "3 -1"), 4.0);
    near(length(1.5, "0 -2"), way(1.5, 1.0));
}

#[test]
fn a_spring_by_its_time_constant_knows_what_its_joint_moves() {
    // two slides on one line, 1 and 2 kg: a force between them moves 2/3 kg
    let scene = read(
        r#"<mujoco><worldbody><body><joint type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/>
        <body><joint type="slide" axis="1 0 0" springdamper="0.1 0.5"/><geom size="0.1" mass="2"/></body></body>
        </worldbody></mujoco>"#,
    );
    let dof = &scene.model.dofs()[1];
    assert!((dof.stiffness - 2.0 / 3.0 / (0.01 * 0.25)).abs() < 1e-9, "{}", dof.stiffness);
    assert!((dof.damping - 2.0 * 2.0 / 3.0 / 0.1).abs() < 1e-9, "{}", dof.damping);
}

#[test]
fn an_early_activation_counts_in_the_accelerations_of_a_moment() {
    let push = |early: bool| {
        let mut sim = Simulator::new(&read(&format!(
            r#"<mujoco><option timestep="0.002" gravity="0 0 0"/><worldbody><body><joint name="j" type="slide" axis="1 0 0"/>
            <geom size="0.1" mass="1"/></body></worldbody><actuator><general joint="j" dyntype="filter" dynprm="0.1"
            gainprm="5" actearly="{early}"/></actuator></mujoco>"#
        )))
        .expect("sound");
        match sim.controller_mut(0) {
            Some(Controller::Actuator(a)) => a.control = 1.0,
            _ => panic!("an actuator"),
        }
        sim.accelerations()[0]
    };
    assert_eq!(push(false), 0.0);
    assert!((push(true) - 5.0 * 0.002 / 0.1).abs() < 1e-12);
}

#[test]
fn a_keyframe_of_an_attached_model_moves_what_is_attached() {
    let folder = std::env::temp_dir().join(format!("gudgeon-keys-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let leg = r#"<mujoco><worldbody><body name="leg"><joint name="hip" axis="0 1 0"/><joint name="knee" type="slide" axis="0 0 1"/>
        <geom size="0.1"/></body></worldbody><actuator><motor name="push" joint="hip"/></actuator>
        <keyframe><key name="bent" qpos="0.4 -0.1" qvel="1 2" ctrl="3"/></keyframe></mujoco>"#;
    let both = r#"<mujoco><asset><model name="leg" file="leg.xml"/></asset><worldbody>
        <body name="trunk" pos="0 0 2"><freejoint/><geom size="0.2"/><attach model="leg" prefix="a_"/>
        <attach model="leg" prefix="b_"/></body></worldbody></mujoco>"#;
    std::fs::write(folder.join("leg.xml"), leg).expect("writable");
    std::fs::write(folder.join("both.xml"), both).expect("writable");
    let load = |keyframe: &str| {
        let options = LoadOptions { keyframe: Some(keyframe.into()), ..LoadOptions::default() };
        gudgeon_model::load_scene_with(&folder.join("both.xml"), &options).map(|(scene, _)| scene)
    };
    let scene = load("b_bent").unwrap_or_else(|e| panic!("{e}"));
    let (qpos, qvel) = scene.equipment.to_mujoco(&scene.model, &scene.initial).expect("a model of MJCF");
    assert_eq!(qpos, [0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4, -0.1]);
    assert_eq!(qvel[6..], [0.0, 0.0, 1.0, 2.0]);
    let control = |k: usize| match &scene.controllers[k] {
        Controller::Actuator(a) => a.control,
        other => panic!("{other:?}"),
    };
    assert_eq!([control(0), control(1)], [0.0, 3.0]);
    let names: Vec<&str> = scene.equipment.keyframes.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(names, ["a_bent", "b_bent"]);
    assert_eq!(scene.equipment.keyframes[1].qpos.as_deref(), Some(&qpos[..]));
    assert!(load("bent").is_err());
    std::fs::remove_dir_all(&folder).expect("ours");
}

#[test]
fn a_joint_starts_within_its_limits_and_what_is_coupled_to_it_follows() {
    let xml = |equality: &str| {
        format!(
            r#"<mujoco><worldbody><body name="l"><joint name="l" type="slide" axis="0 1 0" range="0.021 0.057" limited="true"/>
            <geom size="0.01"/></body><body name="r"><joint name="r" type="slide" axis="0 1 0" range="-1 1" limited="true"/>
            <geom size="0.01" contype="0" conaffinity="0"/></body></worldbody>{equality}
            <keyframe><key name="wide" qpos="0.05 -0.05"/></keyframe></mujoco>"#
        )
    };
    let coupled = r#"<equality><joint joint1="l" joint2="r" polycoef="0 -1 0 0 0"/></equality>"#;
    assert_eq!(read(&xml("")).initial.q, [0.021, 0.0]);
    let follows = read(&xml(coupled));
    assert_eq!(follows.initial.q, [0.021, -0.021]);
    let mut sim = Simulator::new(&follows).expect("sound");
    let _ = sim.step().expect("a step");
    assert!((sim.state().q[0] - 0.021).abs() < 1e-12);
    // where the file is told where to start, it starts there
    let options = LoadOptions { joints: vec![("l".into(), vec![0.0])], ..LoadOptions::default() };
    let (told, _) = load_text("robot.xml".as_ref(), &xml(""), &options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(told.initial.q, [0.0, 0.0]);
}

#[test]
fn robots_through_each_other_start_from_the_first_keyframe() {
    let xml = |size: f64| {
        format!(
            r#"<mujoco><worldbody><body><joint type="slide" axis="1 0 0"/><geom size="{size}"/></body>
            <body pos="0.05 0 0"><joint name="j" type="slide" axis="1 0 0"/><geom size="{size}"/></body></worldbody>
            <actuator><position joint="j" kp="1"/></actuator>
            <keyframe><key qpos="-0.2 0.3" ctrl="0.3"/></keyframe></mujoco>"#
        )
    };
    // two balls of 0.1 m, 0.15 m deep in each other
    let scene = read(&xml(0.1));
    assert_eq!(scene.initial.q, [-0.2, 0.3]);
    let Controller::Actuator(actuator) = &scene.controllers[0] else { panic!("an actuator") };
    assert_eq!(actuator.control, 0.3);
    // by 4 mm: shapes are drawn so
    assert_eq!(read(&xml(0.027)).initial.q, [0.0, 0.0]);
}
