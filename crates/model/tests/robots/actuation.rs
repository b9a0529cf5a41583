//! What drives a robot: servos and their bounds, tendons, muscles, suction, damping that drives.

use gudgeon_model::{LoadOptions, load_text};
use gudgeon_sim::{Controller, Simulator};

use super::{read, run};

const GRIPPER: &str = r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="palm">
    <body name="left"><joint name="l" type="slide" axis="0 1 0" range="0 0.04" damping="5"/><geom size="0.01" mass="0.02"/></body>
    <body name="right"><joint name="r" type="slide" axis="0 -1 0" range="0 0.04" damping="5"/><geom size="0.01" mass="0.02"/></body>
    </body></worldbody>
    <contact><exclude body1="left" body2="right"/></contact>
    <tendon><fixed name="split"><joint joint="l" coef="0.5"/><joint joint="r" coef="0.5"/></fixed></tendon>
    <equality><joint joint1="l" joint2="r"/></equality>
    <actuator><general name="grip" tendon="split" ctrlrange="0 255" forcerange="-100 100" biastype="affine"
      gainprm="0.01568627451" biasprm="0 -100 -10"/></actuator>
    <sensor><tendonpos name="width" tendon="split"/><actuatorfrc name="pull" actuator="grip"/></sensor></mujoco>"#;

#[test]
fn a_gripper_on_a_tendon_takes_the_files_control() {
    let mut sim = Simulator::new(&read(GRIPPER)).expect("sound");
    for (control, width) in [(255.0, 0.04), (127.5, 0.02), (0.0, 0.0), (1e6, 0.04)] {
        assert!(sim.set_actuator("grip", control));
        run(&mut sim, 3.0);
        let q = sim.state().q.clone();
        // m: a hundredth of a millimetre, after some twenty time constants
        assert!(q.iter().all(|x| (x - width).abs() < 1e-5), "{control}: {q:?}");
        sim.sense();
        assert!((sim.sensor("width").expect("named")[0] - width).abs() < 1e-5);
    }
    assert!(!sim.set_actuator("nobody", 1.0));
}

#[test]
fn a_servo_keeps_to_a_range_of_force_that_is_not_symmetric() {
    let xml = r#"<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="slide" axis="1 0 0"/>
        <geom size="0.1" mass="2"/></body></worldbody>
        <actuator><position name="p" joint="j" kp="1000" forcerange="-1 4" gear="2"/></actuator></mujoco>"#;
    for (control, force) in [(10.0, 8.0), (-10.0, -2.0)] {
        let mut sim = Simulator::new(&read(xml)).expect("sound");
        sim.set_actuator("p", control);
        run(&mut sim, 0.02);
        // a bounded force times the gear of 2, on 2 kg
        let expected = force / 2.0 * 0.02;
        assert!((sim.state().v[0] - expected).abs() < 1e-9, "{} not {expected}", sim.state().v[0]);
        assert!((sim.joint_forces()[0] - force).abs() < 1e-9, "{:?}", sim.joint_forces());
        assert!((sim.actuator_readings()[0][2] - force / 2.0).abs() < 1e-9);
    }
}

#[test]
fn joint_forces_show_what_a_servo_holds() {
    // 1 kg at 0.2 m from a hinge, held level by a stiff servo: 0.2 · 9.81 N m
    let xml = r#"<mujoco><worldbody><body><joint name="j" axis="0 1 0"/>
        <geom size="0.01" mass="1" pos="0.2 0 0"/></body></worldbody>
        <actuator><position joint="j" kp="1e4" kv="100"/></actuator></mujoco>"#;
    let mut sim = Simulator::new(&read(xml)).expect("sound");
    run(&mut sim, 1.0);
    let angle = sim.state().q[0];
    let weight = -9.81 * 0.2 * angle.cos();
    assert!((sim.joint_forces()[0] - weight).abs() < 1e-6, "{:?}, expected {weight}", sim.joint_forces());
}

#[test]
fn a_string_over_a_ball_has_the_length_of_tangents_and_arc() {
    let xml = r#"<mujoco><worldbody><geom name="ball" size="1" contype="0" conaffinity="0"/>
        <site name="side" pos="0 0 2"/><site name="a" pos="-2 0 0"/><site name="inner" pos="0 0 0.5"/>
        <body name="m" pos="2 0 0"><joint type="slide" axis="1 0 0"/><geom size="0.1"/><site name="b"/></body></worldbody>
        <tendon><spatial name="over"><site site="a"/><geom geom="ball" sidesite="side"/><site site="b"/></spatial>
        <spatial name="straight"><site site="a"/><site site="b"/></spatial></tendon>
        <sensor><tendonpos name="over" tendon="over"/><tendonpos name="straight" tendon="straight"/>
        <tendonvel name="rate" tendon="over"/></sensor></mujoco>"#;
    let scene = read(xml);
    let mut sim = Simulator::new(&scene).expect("sound");
    sim.sense();
    let expected = 2.0 * 3.0_f64.sqrt() + std::f64::consts::FRAC_PI_3;
    assert!((sim.sensor("over").expect("named")[0] - expected).abs() < 1e-12);
    assert!((sim.sensor("straight").expect("named")[0] - 4.0).abs() < 1e-12);
    // the rate is the derivative of the length
    let length = |x: f64| {
        let mut sim = Simulator::new(&scene).expect("sound");
        let mut state = sim.state().clone();
        (state.q[0], state.v[0]) = (x, 1.0);
        sim.set_state(&state);
        sim.sense();
        (sim.sensor("over").expect("named")[0], sim.sensor("rate").expect("named")[0])
    };
    let h = 1e-6;
    let slope = (length(h).0 - length(-h).0) / (2.0 * h);
    assert!((slope - length(0.0).1).abs() < 1e-9, "{slope} and {}", length(0.0).1);
}

#[test]
fn a_mass_on_a_string_stops_at_its_length() {
    let xml = r#"<mujoco><worldbody><site name="top" pos="0 0 2"/><body pos="0 0 1.5"><freejoint/><geom size="0.05"/><site name="m"/></body>
        </worldbody><tendon><spatial range="0 1"><site site="top"/><site site="m"/></spatial></tendon></mujoco>"#;
    let mut sim = Simulator::new(&read(xml)).expect("sound");
    run(&mut sim, 2.0);
    let height = sim.state().q[6];
    // m: it hangs a metre below
    assert!((height - 1.0).abs() < 1e-3, "at {height}");
}

#[test]
fn suction_holds_what_its_pull_can_carry() {
    let height = |pull: f64| {
        let mut sim = Simulator::new(&read(&format!(
            r#"<mujoco><worldbody><geom type="box" size="1 1 0.1" pos="0 0 1.1"/>
            <body name="cup" pos="0 0 0.95"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="1"/></body></worldbody>
            <actuator><adhesion name="suck" body="cup" gain="{pull}" ctrlrange="0 1"/></actuator></mujoco>"#
        )))
        .expect("sound");
        sim.set_actuator("suck", 1.0);
        run(&mut sim, 0.5);
        sim.state().q[6]
    };
    assert!((height(20.0) - 0.95).abs() < 1e-6, "held by twice its weight");
    assert!(height(5.0) < 0.0, "falls at half its weight");
}

#[test]
fn a_muscle_pulls_with_its_peak_force_at_its_resting_length() {
    let m = gudgeon_sim::Muscle {
        range: [0.75, 1.05],
        force: 100.0,
        scale: 200.0,
        lmin: 0.5,
        lmax: 1.6,
        vmax: 1.5,
        fpmax: 1.3,
        fvmax: 1.2,
        lengths: [0.0, 0.3],
        acc0: 1.0,
    };
    // the resting length of 1 m is where the path is 0.25 m
    assert!((m.gain(0.25, 0.0) + 100.0).abs() < 1e-12 && m.bias(0.25) == 0.0);
    assert!(m.gain(0.25, -1.5).abs() < 1e-12, "no force at the greatest speed of shortening");
    assert!((m.gain(0.25, 10.0) + 120.0).abs() < 1e-12, "more when it is stretched fast");
    assert!((m.bias(0.25 + 0.3) + 65.0).abs() < 1e-9, "half of the passive force half way to the upper end");
}

#[test]
fn negative_damping_drives_and_is_told() {
    let xml = r#"<mujoco><option gravity="0 0 0" timestep="0.001"/><worldbody><body><joint name="hip" damping="-0.2" axis="0 0 1"/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 0.5"/></body></worldbody></mujoco>"#;
    let (scene, report) =
        load_text("robot.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.findings.iter().any(|f| f.subject.contains("hip") && f.what.contains("negative")));
    let mut sim = Simulator::new(&scene).expect("sound");
    let mut state = sim.state().clone();
    state.v[0] = 1.0;
    sim.set_state(&state);
    assert!((sim.accelerations()[0] - 0.2 / 0.5).abs() < 1e-14);
    run(&mut sim, 1.0);
    // explicit Euler of v' = 0.4 v
    assert!((sim.state().v[0] - (1.0_f64 + 4e-4).powi(1000)).abs() < 1e-9, "{}", sim.state().v[0]);
}

#[test]
fn weights_that_count_to_the_actuators_share_their_bound() {
    // 1 kg at 1 m, level: 9.81 N m hold it; the bound leaves 0.19 for the motor, which asks for 5
    let scene = |counts: bool| {
        read(&format!(
            r#"<mujoco><worldbody><body gravcomp="1"><joint name="j" axis="0 -1 0" actuatorfrcrange="-10 10" actuatorgravcomp="{counts}"/>
            <inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody>
            <actuator><motor joint="j"/></actuator></mujoco>"#
        ))
    };
    for (counts, torque) in [(true, 10.0 - 9.81), (false, 5.0)] {
        let mut sim = Simulator::new(&scene(counts)).expect("sound");
        if let Some(Controller::Actuator(a)) = sim.controller_mut(0) {
            a.control = 5.0;
        }
        assert!((sim.accelerations()[0] - torque / 2.0).abs() < 1e-12, "{counts}");
    }
}
