//! What a file switches off, and numbers that classes and sites say in odd ways; the numbers are MuJoCo 4.0.0's, where they are not theory's.

use gudgeon_model::{LoadOptions, at_states, facts, load_text};
use gudgeon_sim::{Bias, Controller, Gain, Scene};
use serde_json::{Value, json};

fn read(xml: &str) -> Scene {
    load_text("switched.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).0
}

/// Accelerations at a state.
fn accelerations(xml: &str, state: &Value) -> Vec<f64> {
    let told = at_states(&read(xml), std::slice::from_ref(state)).expect("a state").remove(0);
    told["qacc"].as_array().expect("accelerations").iter().filter_map(Value::as_f64).collect()
}

/// A pendulum of mass m at r with everything that a flag switches off.
fn pendulum(option: &str) -> String {
    format!(
        r#"<mujoco>{option}<worldbody><body pos="0 0 1">
        <joint name="j" axis="0 1 0" stiffness="3" damping="2" frictionloss="1" range="-10 10"/>
        <inertial pos=".5 0 0" mass="2" diaginertia=".1 .1 .1"/></body></worldbody>
        <tendon><fixed name="t" stiffness="5" damping="4" springlength="0" frictionloss="1" range="-1 1"><joint joint="j" coef="1"/></fixed></tendon>
        <actuator><motor joint="j" gear="7" ctrlrange="-1 1"/><motor joint="j" gear="11" group="2"/></actuator></mujoco>"#
    )
}

#[test]
fn what_a_flag_switches_off_does_nothing() {
    let (q, v, controls, weight, inertia) = (0.2_f64, 0.3, [2.0, 0.5], 2.0 * 9.81 * 0.5, 0.1 + 2.0 * 0.25);
    let state = json!({"qpos": [q], "qvel": [v], "ctrl": controls, "act": []});
    // the weight at half a metre, springs and dampers of joint and string, both motors
    let [gravity, spring, damper, first, second] =
        [weight * q.cos(), -(3.0 + 5.0) * q, -(2.0 + 4.0) * v, 7.0 * 1.0, 11.0 * 0.5];
    let all = gravity + spring + damper + first + second;
    for (option, left) in [
        ("", all),
        (r#"<option><flag gravity="disable"/></option>"#, all - gravity),
        (r#"<option><flag spring="disable"/></option>"#, all - spring),
        (r#"<option><flag damper="disable"/></option>"#, all - damper),
        (r#"<option><flag actuation="disable"/></option>"#, all - first - second),
        (r#"<option><flag clampctrl="disable"/></option>"#, all + first),
        (r#"<option actuatorgroupdisable="2"/>"#, all - second),
        (r#"<option actuatorgroupdisable="0 2"/>"#, all - first - second),
        (
            r#"<option><flag spring="disable" damper="disable"/></option><option><flag spring="enable"/></option>"#,
            all - damper,
        ),
    ] {
        let own = accelerations(&pendulum(option), &state)[0];
        assert!((own - left / inertia).abs() < 1e-12, "{option}: {own} in place of {}", left / inertia);
    }
    let open = |option: &str| {
        let scene = read(&pendulum(option));
        let (d, t) = (scene.model.dofs()[0], &scene.equipment.tendons[0]);
        (d.upper.is_infinite(), t.limits[1].is_infinite(), d.friction == 0.0, t.friction == 0.0)
    };
    assert_eq!(open(""), (false, false, false, false));
    assert_eq!(open(r#"<option><flag limit="disable"/></option>"#), (true, true, false, false));
    assert_eq!(open(r#"<option><flag frictionloss="disable"/></option>"#), (false, false, true, true));
    // without constraints there are no limits, whatever their own switch says
    let both = r#"<option><flag constraint="disable"/></option><option><flag limit="enable"/></option>"#;
    assert_eq!(open(both), (true, true, true, true));
    assert_eq!(open(r#"<option><flag constraint="disable"/></option>"#), (true, true, true, true));
}

/// A class keeps what its last actuator says, which began with what was nearest of its own kind or `<general>`.
#[test]
fn the_last_actuator_of_a_class_counts() {
    for (classes, element, gain, bias) in [
        (
            r#"<general gainprm="3"/><motor ctrlrange="-1 1"/>"#,
            r#"<velocity joint="c"/>"#,
            1.0,
            [0.0, 0.0, -1.0],
        ),
        (
            r#"<motor ctrlrange="-1 1"/><general gainprm="3"/>"#,
            r#"<velocity joint="c"/>"#,
            3.0,
            [0.0, 0.0, -3.0],
        ),
        (r#"<position kp="20"/><motor gear="2"/>"#, r#"<position joint="c"/>"#, 1.0, [0.0, -1.0, 0.0]),
        (r#"<motor gear="2"/><position kp="20"/>"#, r#"<position joint="c"/>"#, 20.0, [0.0, -20.0, 0.0]),
        (r#"<general/><velocity kv="7"/><position/>"#, r#"<velocity joint="c"/>"#, 1.0, [0.0, 0.0, -1.0]),
        (
            r#"<general gainprm="3"/><default class="y"><motor gear="3"/></default>"#,
            r#"<position class="y" joint="c"/>"#,
            3.0,
            [0.0, -3.0, 0.0],
        ),
        (
            r#"<general gainprm="3"/><default class="y"><motor gear="3"/></default>"#,
            r#"<general class="y" joint="c"/>"#,
            1.0,
            [0.0; 3],
        ),
        (
            r#"<motor/><velocity kv="7"/><general gainprm="3"/><default class="y"><motor/><position kv="2"/></default>"#,
            r#"<general class="y" joint="c"/>"#,
            3.0,
            [0.0, -3.0, -2.0],
        ),
    ] {
        let scene = read(&format!(
            r#"<mujoco><default>{classes}</default><worldbody><body><joint name="c"/><geom size=".1"/></body></worldbody>
            <actuator>{element}</actuator></mujoco>"#
        ));
        let Controller::Actuator(a) = &scene.controllers[0] else { panic!("no actuator") };
        let expected = if bias == [0.0; 3] { Bias::None } else { Bias::Affine(bias) };
        assert_eq!((a.gain, a.bias), (Gain::Fixed(gain), expected), "{classes} {element}");
    }
}

/// Each side of an actuator between sites is pushed at its own site, and what carries both is not pushed at all.
#[test]
fn a_site_against_another_pushes_each_side_at_its_own() {
    let xml = r#"<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site name="s" pos=".3 0 .1" euler="10 20 30"/></body>
        <body pos="1 0 1"><joint axis="1 0 1"/><geom size=".1" pos="0 .2 0"/><body pos="0 .4 0"><joint axis="0 0 1"/><geom size=".1" pos="0 .2 0"/>
        <site name="t" pos=".1 .2 .3" euler="40 50 60"/></body><site name="u" pos=".1 0 .2"/></body></worldbody>
        <actuator><motor site="t" refsite="s" gear="1 2 3 .1 .2 .3"/><motor site="t" refsite="u" gear="1 0 2 0 0 1"/></actuator></mujoco>"#;
    let state = json!({"qpos": [0.1, 0.2, 0.3], "qvel": [0.4, 0.5, 0.6], "ctrl": [0.7, 0.8], "act": []});
    let peer = [47.036_656_369_728_7, -24.253_529_852_933_5, 52.544_083_164_674_1];
    for (own, peer) in accelerations(xml, &state).iter().zip(peer) {
        assert!((own - peer).abs() < 1e-8, "{own} in place of {peer}");
    }
}

/// The only actuator of a string is kept to what the string bears.
#[test]
fn a_string_bears_so_much_of_its_actuator() {
    let xml = r#"<mujoco><worldbody><body pos="0 0 1"><joint name="j" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
        <tendon><fixed name="F" actuatorfrcrange="-.3 .4"><joint joint="j" coef="2"/></fixed></tendon>
        <actuator><motor tendon="F" gear="3" forcerange="-.2 9"/></actuator></mujoco>"#;
    for (control, peer) in [(0.7, 57.389_908_350_143_4), (-0.7, 37.857_256_243_410_8)] {
        let own = accelerations(xml, &json!({"qpos": [0.1], "qvel": [0.2], "ctrl": [control], "act": []}))[0];
        assert!((own - peer).abs() < 1e-8, "{own} in place of {peer}");
    }
}

/// A mesh is moved and turned to its reference in the file's unit, then scaled.
#[test]
fn a_mesh_is_scaled_last() {
    let xml = r#"<mujoco><asset><mesh name="n" vertex="0 0 0 1 0 0 0 1 0 0 0 1" refpos=".1 .2 .3" refquat="1 .3 .2 .1" scale=".5 .4 -.3"/></asset>
        <worldbody><body name="b"><joint axis="0 1 0"/><geom type="mesh" mesh="n"/></body></worldbody></mujoco>"#;
    let (scene, report) =
        load_text("switched.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let told = facts(&scene, &report)["bodies"][0].clone();
    assert!((told["mass"].as_f64().expect("a number") - 10.0).abs() < 1e-8);
    for (k, peer) in
        [0.082_894_736_842_105, 0.001_052_631_578_947, 0.000_789_473_684_211].into_iter().enumerate()
    {
        let own = told["com"][k].as_f64().expect("a number");
        assert!((own - peer).abs() < 1e-10, "{own} in place of {peer}");
    }
    let own = accelerations(xml, &json!({"qpos": [0.1], "qvel": [0.2], "ctrl": [], "act": []}))[0];
    assert!((own - 38.856_121_359_024).abs() < 1e-8, "{own}");
}
