//! Models that put parts of the format together as few do; the numbers are MuJoCo 4.0.0's, where they are not theory's.

use gudgeon_lcp::Status;
use gudgeon_model::{LoadOptions, at_states, facts, load_text};
use gudgeon_sim::{Bias, Controller, Dynamics, Gain, Scene, Simulator};
use serde_json::{Value, json};

fn read(xml: &str) -> Scene {
    load_text("odd.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).0
}

/// Mass and moments of the body of this name.
fn weight(xml: &str, name: &str) -> (f64, [f64; 3]) {
    let (scene, report) =
        load_text("odd.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let told = facts(&scene, &report);
    let body = told["bodies"].as_array().and_then(|all| all.iter().find(|b| b["name"] == name).cloned());
    let body = body.unwrap_or_else(|| panic!("{name}"));
    let moment = |k: usize| body["inertia"][k][k].as_f64().expect("a number");
    (body["mass"].as_f64().expect("a number"), [0, 1, 2].map(moment))
}

#[test]
fn classes_leave_numbers_behind_for_those_that_say_none() {
    let scene = read(
        r#"<mujoco><default>
        <position kp="10" ctrlrange="-1 1"/><motor gear="2" forcerange="-3 3"/>
        <default class="a"><general biasprm="0 -2 -1" gainprm="5"/>
          <default class="b"><velocity kv="4"/></default></default>
        <default class="c"><general dyntype="filter" dynprm=".1" gaintype="fixed" gainprm="2"/></default></default>
        <worldbody><body><joint name="x"/><geom size=".1"/></body></worldbody><actuator>
        <motor joint="x" class="a"/><position joint="x" class="a"/><general joint="x" class="b"/>
        <position joint="x" class="c" kp="3"/><general joint="x" class="c"/><general joint="x"/>
        <velocity joint="x" class="c" kv="2"/><position joint="x" class="a" kv="2"/></actuator></mujoco>"#,
    );
    let expected = [
        (1.0, Bias::None, Dynamics::None),
        (5.0, Bias::Affine([0.0, -5.0, -1.0]), Dynamics::None),
        (4.0, Bias::Affine([0.0, 0.0, -4.0]), Dynamics::None),
        (3.0, Bias::Affine([0.0, -3.0, 0.0]), Dynamics::None),
        (2.0, Bias::None, Dynamics::Filter(0.1)),
        (1.0, Bias::None, Dynamics::None),
        (2.0, Bias::Affine([0.0, 0.0, -2.0]), Dynamics::None),
        (5.0, Bias::Affine([0.0, -5.0, -2.0]), Dynamics::None),
    ];
    assert_eq!(scene.controllers.len(), expected.len());
    for (k, (controller, (gain, bias, dynamics))) in scene.controllers.iter().zip(expected).enumerate() {
        let Controller::Actuator(a) = controller else { panic!("{k} is no actuator") };
        assert_eq!((a.gain, a.bias, a.dynamics), (Gain::Fixed(gain), bias, dynamics), "actuator {k}");
        assert_eq!((a.control_range, a.force_range), (Some([-1.0, 1.0]), Some([-3.0, 3.0])), "actuator {k}");
    }
}

#[test]
fn what_is_attached_within_copies_comes_along_with_each() {
    let path = crate::data("attach/copies.xml");
    let (scene, _) = gudgeon_model::load_scene(&path).unwrap_or_else(|e| panic!("{e}"));
    let name = |c: &Controller| if let Controller::Actuator(a) = c { a.name.clone() } else { String::new() };
    let actuators: Vec<String> = scene.controllers.iter().map(name).collect();
    assert_eq!(actuators, ["Q_p0", "Q_t0", "Q_p1", "Q_t1"]);
    let sensors: Vec<&str> = scene.equipment.sensors.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(sensors, ["Q_ee0", "Q_ee1"]);
    assert_eq!(scene.equipment.tendons.len(), 2);
    // the second copy stands a metre aside: what is said of it is its own
    let mut sim = Simulator::new(&scene).expect("sound");
    sim.sense();
    let at = |name: &str| sim.sensor(name).expect("named")[1];
    assert!((at("Q_ee1") - at("Q_ee0") - 1.0).abs() < 1e-12);
}

#[test]
fn skins_fields_and_fitted_shapes_weigh_what_they_should() {
    let free = |inner: &str| {
        format!(
            r#"<mujoco><asset><hfield name="f" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 1 0 1 2 1 0 1 0"/>
        <mesh name="m" vertex="0 0 0  .2 0 0  0 .3 0  0 0 .4"/></asset>
        <worldbody><body name="b"><freejoint/>{inner}</body></worldbody></mujoco>"#
        )
    };
    let tau = std::f64::consts::TAU;
    let (mass, [x, _, z]) =
        weight(&free(r#"<geom type="cylinder" size=".03 .1" shellinertia="true"/>"#), "b");
    let (tube, disc) = (1000.0 * tau * 0.03 * 0.2, 1000.0 * tau * 0.03 * 0.03 / 2.0);
    assert!((mass - tube - 2.0 * disc).abs() < 1e-9, "{mass}");
    assert!((z - (tube + disc) * 0.0009).abs() < 1e-9, "{z}");
    let across = tube * (0.0009 / 2.0 + 0.01 / 3.0) + 2.0 * disc * (0.0009 / 4.0 + 0.01);
    assert!((x - across).abs() < 1e-9, "{x} not {across}");
    // a field weighs as a box of half its greatest height and all of its base
    let (mass, [x, _, z]) =
        weight(&free(r#"<geom type="hfield" hfield="f" contype="0" conaffinity="0"/>"#), "b");
    assert!((mass - 800.0).abs() < 1e-9 && (z - 800.0 * 2.0 / 3.0).abs() < 1e-9, "{mass} {z}");
    assert!((x - 800.0 * 1.01 / 3.0).abs() < 1e-9, "{x}");
    // a box that is fitted to a mesh, and its like half as large again
    let fitted = |more: &str| weight(&free(&format!(r#"<geom type="box" mesh="m" {more}/>"#)), "b").0;
    let ratio = fitted(r#"fitscale="1.5""#) / fitted("");
    assert!((ratio - 1.5_f64.powi(3)).abs() < 1e-9, "{ratio}");
}

#[test]
fn sensors_of_limits_places_and_strings() {
    let scene = read(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><site name="zone" type="box" size=".5 .1 .1"/>
        <body name="b"><joint name="j" type="slide" axis="1 0 0" range="0 1" limited="true"/><geom size=".1" mass="2"/></body></worldbody>
        <tendon><fixed name="t" stiffness="3"><joint joint="j" coef="2"/></fixed></tendon>
        <actuator><motor name="m" tendon="t"/><motor name="n" joint="j"/></actuator>
        <sensor><jointlimitpos joint="j"/><jointlimitvel joint="j"/><tendonactuatorfrc tendon="t"/>
        <insidesite objtype="body" objname="b" site="zone"/><user dim="2"/><e_potential/></sensor></mujoco>"#,
    );
    let asked = [(-0.2, 0.3), (1.25, 0.3), (0.4, 0.3)]
        .map(|(q, v)| json!({"qpos": [q], "qvel": [v], "ctrl": [1.5, 7.0], "act": []}));
    let told = at_states(&scene, &asked).expect("a state");
    let sensors = |k: usize| -> Vec<f64> {
        told[k]["sensors"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let spring = |q: f64| 0.5 * 3.0 * 4.0 * q * q;
    for (k, expected) in [
        [-0.2, 0.3, 1.5, 1.0, 0.0, 0.0, spring(-0.2)],
        [-0.25, -0.3, 1.5, 0.0, 0.0, 0.0, spring(1.25)],
        [0.0, 0.0, 1.5, 1.0, 0.0, 0.0, spring(0.4)],
    ]
    .iter()
    .enumerate()
    {
        let found = sensors(k);
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} not {expected:?}");
    }
}

#[test]
fn all_actuators_of_a_joint_keep_to_its_range_together() {
    // a pull of 5, and two servos that pull back: 5 − 3 q − 2 v, within −1 and 4
    let scene = read(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body>
        <joint name="j" type="slide" axis="1 0 0" actuatorfrcrange="-1 4" actuatorfrclimited="true"/><geom size=".1" mass="2"/></body></worldbody>
        <actuator><motor joint="j"/><position joint="j" kp="3"/><velocity joint="j" kv="2"/></actuator></mujoco>"#,
    );
    for (q, v) in [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.2, -0.4), (3.0, 2.0), (-5.0, 0.0), (1.0, -4.0)] {
        let asked = [json!({"qpos": [q], "qvel": [v], "ctrl": [5.0, 0.0, 0.0], "act": []})];
        let told = at_states(&scene, &asked).expect("a state");
        let found = told[0]["qacc"][0].as_f64().expect("a number");
        let expected = (5.0_f64 - 3.0 * q - 2.0 * v).clamp(-1.0, 4.0) / 2.0;
        assert!((found - expected).abs() < 1e-12, "at {q}, {v}: {found} not {expected}");
    }
}

#[test]
fn a_turntable_on_its_table_is_not_asked_for_forces_that_do_nothing() {
    // a disc on a pin, flush with the plane below: nothing moves along the normal, and what presses there is not known
    let mut sim = Simulator::new(&read(
        r#"<mujoco><worldbody><frame euler="31 17 0" pos=".3 .2 .7"><geom type="plane" size="1 1 .1"/>
        <body pos="0 0 .05"><joint name="j" axis="0 0 1"/><geom type="box" size=".3 .2 .05" pos=".1 .05 0"/></body>
        </frame></worldbody></mujoco>"#,
    ))
    .expect("sound");
    let mut state = sim.state().clone();
    state.v[0] = 2.0;
    sim.set_state(&state);
    for _ in 0..500 {
        let report = sim.step().expect("a step");
        assert!(report.solve.is_none_or(|s| s.status == Status::Solved), "{:?}", report.solve);
    }
    assert!(sim.state().v[0].is_finite());
}

#[test]
fn a_free_body_that_asks_for_it_is_told_by_its_inertia() {
    let xml = |align: &str| {
        read(&format!(
            r#"<mujoco><worldbody><body name="b" pos="1 2 3" euler="10 20 30"><freejoint align="{align}"/>
            <geom type="box" size=".1 .2 .3" pos=".5 0 0" euler="0 40 0"/><geom size=".1" mass=".01" pos="0 .3 0"/><site name="s" pos=".1 .1 .1"/></body></worldbody>
            <sensor><framepos name="s" objtype="site" objname="s"/><framepos name="c" objtype="body" objname="b"/></sensor></mujoco>"#
        ))
    };
    let [mut plain, mut moved] = ["false", "true"].map(|a| Simulator::new(&xml(a)).expect("sound"));
    for sim in [&mut plain, &mut moved] {
        sim.sense();
    }
    // nothing moves but the frame
    for name in ["s", "c"] {
        let (a, b) = (plain.sensor(name).expect("named"), moved.sensor(name).expect("named"));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{name}: {a:?} and {b:?}");
    }
    // which is at the centre of mass now
    let place: Vec<f64> = moved.state().q[4..7].to_vec();
    let center = moved.sensor("c").expect("named");
    assert!(place.iter().zip(center).all(|(a, b)| (a - b).abs() < 1e-12), "{place:?} not {center:?}");
    assert!(plain.state().q[4..7] == [1.0, 2.0, 3.0]);
}

/// What MuJoCo 4.0.0 fuses, and that nothing moves otherwise for it: a shelf, a box with a site, a ball that is held up.
#[test]
fn static_bodies_are_fused_unless_something_names_them() {
    let text = |fuse: &str, sensor: &str| {
        format!(
            r#"<mujoco><compiler fusestatic="{fuse}"/><worldbody>
        <body name="base" pos="0 0 .5"><geom name="shelf" type="box" size=".2 .2 .02"/></body>
        <body name="hand" mocap="true"><geom size=".01" pos="0 0 3"/></body>
        <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/>
          <body name="b" pos=".3 0 0" euler="0 20 10"><geom type="box" size=".1 .05 .05"/><site name="s" pos="0 0 .1"/>
            <body name="c" pos=".2 0 0"><joint name="j" axis="0 1 0"/><geom type="capsule" size=".05 .1"/>
              <body name="d" pos="0 0 .2" gravcomp=".5"><geom size=".05"/></body></body></body></body></worldbody>
        <actuator><motor joint="j"/></actuator><sensor><framepos objtype="site" objname="s"/><accelerometer site="s"/>
        {sensor}</sensor></mujoco>"#
        )
    };
    let at_start =
        json!({"qpos": [0, 0, 1, 1, 0, 0, 0, 0], "qvel": [0, 0, 0, 0, 0, 0, 0], "ctrl": [0.3], "act": []});
    let peer = [
        -9.608_926_299_563e-2,
        -2.886_805_798_22e-3,
        -1.000_200_132_138_27e1,
        7.640_405_280_588_07e-1,
        -2.324_019_548_900_9,
        -8.265_627_906_48e-2,
        6.785_205_287_974_38,
        3.342_020_143_325_67e-1,
        0.0,
        1.093_969_262_078_59,
        -5.057_243_324_600_9e-1,
        -1.471_243_153_896e-2,
        4.418_725_178_130_12e-1,
    ];
    for (fuse, sensor, links) in [
        ("false", "", ["base", "hand", "a", "b", "c", "d"].as_slice()),
        ("true", "", &["hand", "a", "c", "d"]),
        ("true", r#"<framepos objtype="body" objname="b"/>"#, &["hand", "a", "b", "c", "d"]),
        ("true", r#"<force site="s"/>"#, &["hand", "a", "b", "c", "d"]),
    ] {
        let (scene, report) = load_text("odd.xml".as_ref(), &text(fuse, sensor), &LoadOptions::default())
            .unwrap_or_else(|e| panic!("{e}"));
        let told = facts(&scene, &report);
        let names: Vec<&str> = scene.model.links().iter().skip(1).map(|l| l.name.as_str()).collect();
        assert_eq!(names, links, "{fuse} {sensor}");
        let a = told["bodies"].as_array().into_iter().flatten().find(|body| body["name"] == "a");
        let mass = a.and_then(|body| body["mass"].as_f64()).expect("a has a mass");
        let alone = links.contains(&"b");
        assert!(
            (mass - if alone { 4.188_790_204_786_4 } else { 6.188_790_204_786_4 }).abs() < 1e-12,
            "{mass}"
        );
        let told = at_states(&scene, std::slice::from_ref(&at_start)).expect("a state").remove(0);
        let own = ["qacc", "sensors"].map(|key| told[key].as_array().cloned().unwrap_or_default()).concat();
        for (value, peer) in own.iter().filter_map(Value::as_f64).zip(peer) {
            assert!((value - peer).abs() < 1e-8, "{value} in place of {peer}: {fuse} {sensor}");
        }
    }
}
