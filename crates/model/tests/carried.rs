//! What robots carry that few files have: cams, ball joints with springs and limits, ellipsoids in a medium, sensors of contacts and
//! distances, cameras. Numbers of another engine are those of MuJoCo 4.0 on the same file.

use gudgeon_model::{LoadOptions, at_states, load_text};
use gudgeon_sim::{Scene, Simulator};
use serde_json::json;

fn read(xml: &str) -> Scene {
    load_text("robot.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).0
}

fn run(sim: &mut Simulator, steps: usize) {
    for _ in 0..steps {
        let report = sim.step().expect("a step");
        assert!(report.solve.is_none_or(|s| s.status == gudgeon_lcp::Status::Solved), "solved");
    }
}

fn close(a: &[f64], b: &[f64], within: f64) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= within, "{a:?} is not {b:?}");
    }
}

#[test]
fn a_cam_follows_its_polynomial() {
    let c = [0.1, 0.5, 0.3, -0.2, 0.05];
    let scene = read(
        r#"<mujoco><option timestep="0.001"/><worldbody>
        <body name="a"><joint name="x" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02"
          contype="0" conaffinity="0"/></body>
        <body name="b" pos="0 1 0"><joint name="y" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"
          contype="0" conaffinity="0"/></body></worldbody>
        <equality><joint joint1="y" joint2="x" polycoef="0.1 0.5 0.3 -0.2 0.05"/></equality></mujoco>"#,
    );
    let mut sim = Simulator::new(&scene).expect("sound");
    let before = sim.energy().iter().sum::<f64>();
    let (mut widest, mut off) = (0.0_f64, 0.0_f64);
    for _ in 0..600 {
        run(&mut sim, 1);
        let (x, y) = (sim.state().q[0], sim.state().q[1]);
        let wanted = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
        off = off.max((y - wanted).abs());
        // its rate too: y' = p'(x) x'
        let slope = c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * 4.0 * c[4]));
        off = off.max((sim.state().v[1] - slope * sim.state().v[0]).abs() * 1e-3);
        widest = widest.max(x.abs());
    }
    assert!(widest > 1.0, "it falls by {widest} rad");
    assert!(off < 1e-9, "off the curve by {off} rad");
    let lost = (sim.energy().iter().sum::<f64>() - before).abs();
    assert!(lost < 1e-3, "a cam takes no energy, {lost} J");
}

#[test]
fn a_ball_joint_has_a_spring_and_a_limit() {
    let arm = |joint: &str| {
        let mut sim = Simulator::new(&read(&format!(
            r#"<mujoco><option timestep="0.002"/><worldbody><body name="arm"><joint type="ball" damping="2" {joint}/>
            <inertial mass="1.5" pos="0.4 0 0" diaginertia="0.01 0.01 0.01"/></body></worldbody></mujoco>"#
        )))
        .expect("sound");
        run(&mut sim, 4000);
        let [w, x, y, z] = sim.body(sim.model().find("arm").expect("is there")).orientation;
        assert!(x.abs() < 1e-9 && z.abs() < 1e-9, "it stays in its plane");
        2.0 * y.atan2(w)
    };
    // k θ = m g l cos θ
    let turn = arm(r#"stiffness="9""#);
    let off = 9.0 * turn - 1.5 * 9.81 * 0.4 * turn.cos();
    assert!(off.abs() < 1e-6, "rests where spring and weight agree, {off} N m at {turn} rad");
    let turn = arm(r#"range="0 25""#);
    assert!((turn - 25.0_f64.to_radians()).abs() < 1e-6, "rests at its limit, {turn} rad");
}

#[test]
fn ellipsoids_in_a_medium_feel_what_another_engine_says() {
    let scene = read(
        r#"<mujoco><option density="1.2" viscosity="0.3" wind="1 -2 0.5" gravity="0 0 0"/><worldbody>
        <body pos="0 0 1"><freejoint/><geom type="ellipsoid" size="0.1 0.03 0.2" mass="0.5" pos="0.05 0 0.02" euler="20 30 40"
          fluidshape="ellipsoid" fluidcoef="0.6 0.3 1.2 0.9 0.8"/>
        <geom type="capsule" size="0.03 0.1" mass="0.2" pos="-0.1 0 0" fluidshape="ellipsoid"/></body></worldbody></mujoco>"#,
    );
    let asked =
        json!({"qpos": [0, 0, 1, 1, 0, 0, 0], "qvel": [0.3, -1.1, 0.7, 2, -3, 1.5], "ctrl": [], "act": []});
    let answer = at_states(&scene, &[asked]).expect("readable");
    let own: Vec<f64> = serde_json::from_value(answer[0]["qacc"].clone()).expect("numbers");
    let theirs = [
        1.078_044_934_399_415,
        -1.337_227_003_710_506,
        -0.120_294_369_370_186,
        -14.379_758_572_431_912,
        5.971_861_324_665_49,
        -3.761_368_031_716_775,
    ];
    close(&own, &theirs, 1e-9);
}

#[test]
fn a_thin_plate_in_the_wind_is_lifted_as_another_engine_says() {
    let scene = read(
        r#"<mujoco><option density="1.225" viscosity="1.8e-5" wind="0 0 1" gravity="0 0 0"/><worldbody>
        <body pos="0 0 1"><freejoint/><geom type="box" size=".025 .01 0.0001" pos=".025 0 0" euler="20 0 0" mass="1e-4"
          fluidshape="ellipsoid"/></body></worldbody></mujoco>"#,
    );
    let asked = json!({"qpos": [0, 0, 1, 0.8, -0.36, 0.48, 0.0], "qvel": [0.1, -0.2, 0.3, 1, -2, 0.5], "ctrl": [], "act": []});
    let answer = at_states(&scene, &[asked]).expect("readable");
    let own: Vec<f64> = serde_json::from_value(answer[0]["qacc"].clone()).expect("numbers");
    let theirs = [
        -0.684_176_615_655_382_5,
        0.298_543_522_601_136_9,
        1.609_629_611_372_135_1,
        126.516_022_935_722_87,
        -81.300_498_589_650_66,
        -29.297_172_398_016_3,
    ];
    // to 1e-8 of the largest
    close(&own, &theirs, 1e-8 * 126.5);
}

#[test]
fn strings_with_a_mass_move_as_another_engine_says() {
    let scene = read(
        r#"<mujoco><worldbody><site name="s0" pos="0 0 1"/>
        <body pos="0 0 0.6"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0.1" size="0.03"/>
        <site name="s1" pos="0.2 0 0.05"/>
        <body pos="0.4 0 0.1"><joint name="b" axis="0 1 0.3"/><geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.03"/>
        <site name="s2" pos="0.2 0.05 0"/></body></body></worldbody>
        <tendon><spatial armature="3"><site site="s0"/><site site="s1"/><site site="s2"/></spatial>
        <fixed armature="0.4"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon></mujoco>"#,
    );
    let asked = json!({"qpos": [0.3, -0.5], "qvel": [2, -3], "ctrl": [], "act": []});
    let answer = at_states(&scene, &[asked]).expect("readable");
    let own: Vec<f64> = serde_json::from_value(answer[0]["qacc"].clone()).expect("numbers");
    close(&own, &[15.692_049_082_486_124, 7.636_711_096_186_784], 1e-8);
    // a step is the same motion
    let mut sim = Simulator::new(&scene).expect("sound");
    sim.settings.dt = 1e-6;
    sim.set_state(&scene.equipment.from_mujoco(sim.model(), &[0.3, -0.5], &[2.0, -3.0]).expect("fits"));
    run(&mut sim, 1);
    let change: Vec<f64> = sim.state().v.iter().zip([2.0, -3.0]).map(|(v, from)| (v - from) / 1e-6).collect();
    close(&change, &own, 1e-3);
}

#[test]
fn distances_of_shapes_are_read() {
    let scene = read(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
        <geom name="post" type="capsule" size="0.05 0.2" pos="0.4 0.1 0.3"/>
        <body name="b" pos="0 0 0.6"><freejoint/><geom name="ball" size="0.1"/></body></worldbody>
        <sensor><distance geom1="ball" geom2="post" cutoff="2"/><normal geom1="ball" geom2="post" cutoff="2"/>
        <fromto geom1="ball" geom2="post" cutoff="2"/><distance geom1="ball" geom2="post" cutoff="0.1"/>
        <normal geom1="ball" geom2="post" cutoff="0.1"/><distance body1="b" geom2="floor" cutoff="1"/></sensor></mujoco>"#,
    );
    let mut sim = Simulator::new(&scene).expect("sound");
    let theirs = [
        0.274_264_068_711_929,
        0.942_809_041_582_063,
        0.235_702_260_395_516,
        -0.235_702_260_395_516,
        0.094_280_904_158_206,
        0.023_570_226_039_552,
        0.576_429_773_960_448,
        0.352_859_547_920_897,
        0.088_214_886_980_224,
        0.511_785_113_019_776,
        0.1,
        0.0,
        0.0,
        0.0,
        0.5,
    ];
    close(sim.sense(), &theirs, 1e-9);
}

#[test]
fn contacts_are_told_of_between_geoms_bodies_and_trees() {
    let scene = read(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
        <body name="b" pos="0 0 0.1"><freejoint/><geom name="ball" size="0.1" mass="2"/>
          <body name="top" pos="0 0 0.3"><geom name="knob" size="0.02" mass="0.5"/></body></body></worldbody>
        <sensor><contact name="on" geom1="floor" body2="b" num="2" data="normal found force"/>
        <contact name="net" subtree1="b" reduce="netforce" data="found force"/>
        <contact name="none" geom1="knob" geom2="floor"/></sensor></mujoco>"#,
    );
    let mut sim = Simulator::new(&scene).expect("sound");
    run(&mut sim, 50);
    let weight = 2.5 * 9.81;
    let read = sim.sense().to_vec();
    let mut expected = vec![1.0, weight, 0.0, 0.0, 0.0, 0.0, 1.0];
    expected.extend([0.0; 7]);
    // in world axes: on what it stands
    expected.extend([1.0, 0.0, 0.0, -weight, 0.0]);
    close(&read, &expected, 1e-6);
    assert_eq!(sim.sensor("none"), Some(&[0.0][..]));
}

#[test]
fn cameras_stand_where_the_file_has_them() {
    let scene = read(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>
        <body name="a" pos="1 2 3" euler="10 20 30"><freejoint/><geom size="0.1"/>
        <camera name="fix" pos="1 0 0.5" xyaxes="0 1 0 0 0 1" fovy="60"/>
        <camera name="track" mode="track" pos="1 0 0.5" xyaxes="0 1 0 0 0 1"/>
        <camera name="aim" mode="targetbody" target="t" pos="1 0 0.5"/></body>
        <body name="t" pos="0 5 0.2"><geom size="0.1"/></body></worldbody></mujoco>"#,
    );
    let mut sim = Simulator::new(&scene).expect("sound");
    let qpos = [1.5, 2.5, 3.5, 0.5, 0.5, 0.5, 0.5];
    sim.set_state(&scene.equipment.from_mujoco(sim.model(), &qpos, &[0.0; 6]).expect("fits"));
    let frame = |name: &str| {
        let camera = scene.equipment.camera(name).expect("is there");
        camera.frame(&scene.equipment, sim.workspace())
    };
    let at = |name: &str| frame(name).translation.as_slice().to_vec();
    let turn = |name: &str| frame(name).rotation.transpose().as_slice().to_vec(); // row by row
    close(&at("fix"), &[2.0, 3.5, 3.5], 1e-12);
    close(&turn("fix"), &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0], 1e-12);
    close(&at("track"), &[2.484_807_75, 2.962_250_19, 3.757_834_16], 1e-8);
    close(&turn("track")[..3], &[-0.469_846_31, 0.342_020_14, 0.813_797_68], 1e-8);
    close(&at("aim"), &[2.0, 3.5, 3.5], 1e-12);
    close(&turn("aim")[..3], &[0.6, -0.637_673_72, 0.483_086_15], 1e-8);
    assert_eq!(scene.equipment.camera("fix").map(|c| c.fov), Some(60.0));
}

#[test]
fn stray_commas_and_points_in_numbers_are_forgiven_and_told() {
    let text = r#"<robot name="r"><link name="a"><inertial><mass value="1"/><origin xyz="0.07, 0, -0.69"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0."/></inertial></link>
        <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        <limit effort="1" velocity="1" lower="-1.57." upper="1.57"/></joint></robot>"#;
    let (scene, report) =
        load_text("robot.urdf".as_ref(), text, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scene.model.dofs().last().map(|d| d.lower), Some(-1.57));
    let told = report.to_string();
    assert!(told.contains("stray"), "{told}");
    let worse = text.replace("-1.57.", "-1.5.7");
    assert!(load_text("robot.urdf".as_ref(), &worse, &LoadOptions::default()).is_err());
}

#[test]
fn a_general_actuator_is_what_a_shortcut_of_its_class_says() {
    let force = |actuator: &str| {
        let scene = read(&format!(
            r#"<mujoco><default><default class="m"><muscle ctrlrange="0 1" lmax="1.5"/></default>
            <default class="p"><position kp="30"/></default></default>
            <worldbody><body><joint name="j" axis="0 1 0" range="-1 1"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody>
            <actuator>{actuator}</actuator></mujoco>"#
        ));
        let asked = json!({"qpos": [0.4], "qvel": [0.2], "ctrl": [0.7], "act": [0.6]});
        let answer = at_states(&scene, &[asked]).expect("readable");
        answer[0]["qacc"][0].as_f64().expect("a number")
    };
    let given = r#"joint="j" lengthrange="-2 2""#;
    assert_eq!(
        force(&format!(r#"<general class="m" {given} gainprm="0.7 1.1 50" biasprm="0.7 1.1 50"/>"#)),
        force(&format!(r#"<muscle class="m" {given} range="0.7 1.1" force="50"/>"#)),
    );
    assert_eq!(force(r#"<general class="p" joint="j"/>"#), force(r#"<position class="p" joint="j"/>"#));
}

#[test]
fn what_an_equality_holds_at_its_limit_stays_there() {
    let mut sim = Simulator::new(&read(
        r#"<mujoco><worldbody><body name="a"><joint name="x" axis="0 1 0" range="0 40"/><geom size="0.05" pos="0.2 0 0"/>
        <body name="b" pos="0.3 0 0"><joint name="y" axis="0 1 0"/><geom size="0.05" pos="0.2 0 0"/></body></body>
        <body name="c" pos="0 1 0"><joint name="z" axis="0 1 0" range="0 40" frictionloss="0.1"/><geom size="0.05" pos="0.2 0 0"/></body>
        </worldbody>
        <tendon><fixed name="t" range="0 1" stiffness="3" frictionloss="0.2"><joint joint="x" coef="1"/><joint joint="y" coef="1.5"/></fixed></tendon>
        <equality><tendon tendon1="t"/><joint joint1="z"/></equality></mujoco>"#,
    ))
    .expect("sound");
    run(&mut sim, 200);
    let q = &sim.state().q;
    assert!(q[0] > 0.1, "it falls, to {} rad", q[0]);
    assert!((q[0] + 1.5 * q[1]).abs() < 1e-9, "{q:?}");
    assert!(q[2].abs() < 1e-9, "{q:?}");
}
