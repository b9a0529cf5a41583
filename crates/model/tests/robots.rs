//! What a robot's file says is what it does: pairs, tendons, sensors, weights that are held, states of another simulator.

use gudgeon_model::{LoadOptions, load_text};
use gudgeon_sim::{Controller, Scene, Simulator};

fn read(xml: &str) -> Scene {
    load_text("robot.xml".as_ref(), xml, &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).0
}

fn run(sim: &mut Simulator, seconds: f64) {
    let steps = (seconds / sim.settings.dt).round();
    let mut done = 0.0;
    while done < steps {
        let report = sim.step().expect("a step");
        assert!(
            report.solve.is_none_or(|s| s.status == gudgeon_lcp::Status::Solved),
            "every solve is solved"
        );
        done += 1.0;
    }
}

#[test]
fn pairs_touch_whatever_the_types_say() {
    let ball = |contact: &str| {
        read(&format!(
            r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" contype="0" conaffinity="0"/>
            <body name="ball" pos="0 0 0.2"><freejoint/><geom name="b" size="0.1" contype="0" conaffinity="0"/></body>
            </worldbody><contact>{contact}</contact></mujoco>"#
        ))
    };
    let end = |scene: &Scene| {
        let mut sim = Simulator::new(scene).expect("sound");
        run(&mut sim, 1.0);
        sim.state().q[6]
    };
    let touching = end(&ball(r#"<pair geom1="floor" geom2="b"/>"#));
    assert!((touching - 0.1).abs() < 1e-5, "rests at its radius, at {touching}");
    assert!(end(&ball("")) < -4.0, "falls where nothing says that they touch");
}

#[test]
fn a_surface_of_higher_priority_decides_and_a_frictionless_one_does_not() {
    // a ball pushed along the floor: the friction of the contact is what the pair says
    let friction = |ball: &str, floor: &str| {
        let mut sim = Simulator::new(&read(&format!(
            r#"<mujoco><worldbody><geom type="plane" size="1 1 1" {floor}/>
            <body pos="0 0 0.1"><freejoint/><geom size="0.1" {ball}/></body></worldbody></mujoco>"#
        )))
        .expect("sound");
        run(&mut sim, 0.01);
        sim.contacts()[0].material.friction
    };
    assert_eq!(friction(r#"friction="0.3""#, r#"friction="0.8""#), 0.8);
    assert_eq!(friction(r#"friction="0.3" priority="1""#, r#"friction="0.8""#), 0.3);
    // the greater number of directions counts, with the greater friction of both
    assert_eq!(friction(r#"friction="0.9" condim="1""#, r#"friction="0.8" condim="3""#), 0.9);
    assert_eq!(friction(r#"condim="1""#, r#"condim="1""#), 0.0);
}

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
fn sensors_at_rest_read_gravity_and_weight() {
    let xml = r#"<mujoco><worldbody><body name="arm" pos="0 0 1" euler="0 90 0"><joint name="j" axis="0 1 0" ref="10" range="-5 5"/>
        <geom type="box" size="0.1 0.1 0.1" mass="3" pos="0 0 0.4"/><site name="s" pos="0 0 0.5"/></body></worldbody>
        <sensor><accelerometer name="a" site="s"/><gyro name="w" site="s"/><force name="f" site="s"/>
        <jointpos name="q" joint="j"/><framepos name="p" objtype="site" objname="s"/><framezaxis name="z" objtype="body" objname="arm"/>
        <subtreecom name="c" body="arm"/><clock name="t"/></sensor></mujoco>"#;
    let mut sim = Simulator::new(&read(xml)).expect("sound");
    sim.sense();
    let near = |sim: &Simulator, name: &str, expected: &[f64]| {
        let found = sim.sensor(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(found.len(), expected.len());
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
            "{name}: {found:?} not {expected:?}"
        );
    };
    // it starts to fall: the site 0.5 m from the hinge accelerates by α 0.5 downwards
    let inertia = 3.0 * (0.4 * 0.4 + (0.04 + 0.04) / 12.0);
    let alpha = 3.0 * 9.81 * 0.4 / inertia;
    // the site's x axis points down, so that the accelerometer's first number is what holds it up
    near(&sim, "a", &[-(9.81 - 0.5 * alpha), 0.0, 0.0]);
    near(&sim, "f", &[-3.0 * (9.81 - 0.4 * alpha), 0.0, 0.0]);
    near(&sim, "w", &[0.0; 3]);
    near(&sim, "q", &[10.0_f64.to_radians()]);
    near(&sim, "p", &[0.5, 0.0, 1.0]);
    near(&sim, "z", &[1.0, 0.0, 0.0]);
    near(&sim, "c", &[0.4, 0.0, 1.0]);
}

#[test]
fn a_weight_that_is_held_does_not_fall() {
    let xml =
        r#"<mujoco><worldbody><body gravcomp="1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#;
    let mut sim = Simulator::new(&read(xml)).expect("sound");
    run(&mut sim, 1.0);
    assert!(sim.state().v.iter().all(|v| v.abs() < 1e-12), "{:?}", sim.state().v);
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
fn a_state_goes_to_mujocos_order_and_back() {
    let xml = r#"<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size="0.1"/>
        <body name="b"><joint type="ball"/><geom size="0.1" pos="0 0 1"/>
        <body name="c"><joint name="h" ref="30"/><geom size="0.1" pos="0 1 0"/></body></body></body></worldbody></mujoco>"#;
    let scene = read(xml);
    let qpos = [1.0, 2.0, 3.0, 0.6, 0.8, 0.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.7];
    let qvel: Vec<f64> = (1..=10).map(f64::from).collect();
    let state = scene.equipment.from_mujoco(&scene.model, &qpos, &qvel).expect("sizes fit");
    assert_eq!(state.q[..7], [0.6, 0.8, 0.0, 0.0, 1.0, 2.0, 3.0]);
    assert_eq!(state.v[..6], [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
    assert!((state.q[11] - (0.7 - 30.0_f64.to_radians())).abs() < 1e-15);
    let (q, v) = scene.equipment.to_mujoco(&scene.model, &state).expect("all joints are named");
    assert!(q.iter().zip(qpos).all(|(a, b)| (a - b).abs() < 1e-15) && v == qvel);
    assert!(scene.equipment.from_mujoco(&scene.model, &qpos[1..], &qvel).is_none());
}

#[test]
fn losses_that_change_the_motion_come_first_and_are_told() {
    let xml = r#"<mujoco><asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/></asset>
        <worldbody><light/><body><joint name="j" damping="-1"/><geom size="0.1"/></body></worldbody>
        <actuator><plugin joint="j"/></actuator></mujoco>"#;
    let (scene, report) = load_text("robot.xml".as_ref(), xml, &LoadOptions::default()).expect("read");
    assert!(matches!(&scene.controllers[0], Controller::Actuator(a) if a.gear == 0.0), "it keeps its place");
    let warnings = report.warnings();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings.iter().any(|w| w.contains("damping") && w.contains("negative")));
    let text = report.to_string();
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} in {text}"));
    assert!(place("negative") < place("asset/texture"), "{text}");
}

#[test]
fn attached_models_keep_their_own_units_classes_and_names() {
    let path = crate::data("attach/two_arms.xml");
    let (scene, _) = gudgeon_model::load_scene(&path).unwrap_or_else(|e| panic!("{e}"));
    let dof = |name: &str| {
        let joint =
            scene.equipment.joints.iter().find(|j| j.name == name).unwrap_or_else(|| panic!("{name}"));
        scene.model.dofs()[scene.model.link(joint.link).v_start]
    };
    assert_eq!(scene.equipment.joints.len(), 3, "what was not asked for stays behind");
    // radians there, degrees here; damping of its own class, not of the class it is put into
    for side in ["l_elbow", "r_elbow"] {
        assert_eq!((dof(side).upper, dof(side).damping), (1.5, 0.3));
    }
    assert_eq!(dof("rail").damping, 7.0);
    let actuators: Vec<&str> = scene
        .controllers
        .iter()
        .filter_map(|c| if let Controller::Actuator(a) = c { Some(a.name.as_str()) } else { None })
        .collect();
    assert_eq!(actuators, ["l_servo", "r_servo"]);
    let mut sim = Simulator::new(&scene).expect("sound");
    let _ = sim.sense();
    let there = |name: &str| sim.sensor(name).expect("a sensor").to_vec();
    // cart 0.5, base 0.1, upper 0.1, tip 0.4
    assert_eq!(there("l_where"), [0.0, 0.0, 1.1]);
    assert_eq!(there("r_where"), [1.0, 0.0, 1.1]);
}

#[test]
fn a_model_that_attaches_itself_ends() {
    let folder = std::env::temp_dir().join(format!("gudgeon-attach-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("own.xml");
    let text = r#"<mujoco><asset><model name="own" file="own.xml"/></asset><worldbody><body name="b"><joint/><geom size="1"/>
        <attach model="own" body="b" prefix="x"/></body></worldbody></mujoco>"#;
    std::fs::write(&file, text).expect("written");
    let limits = gudgeon_model::Limits { includes: 20, ..gudgeon_model::Limits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let error = gudgeon_model::load_scene_with(&file, &options).expect_err("no end");
    assert!(error.to_string().contains("attached models"), "{error}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_placed_body_leads_what_is_welded_to_it() {
    let scene = read(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>
        <body name="hand" mocap="true" pos="0 0 1"><geom size="0.02" contype="0" conaffinity="0"/></body>
        <body name="load" pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody>
        <equality><weld body1="hand" body2="load"/></equality></mujoco>"#,
    );
    let mut sim = Simulator::new(&scene).expect("sound");
    run(&mut sim, 0.1);
    assert!((sim.state().q[6] - 1.0).abs() < 1e-9, "nothing pulls where they agree");
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(sim.place("hand", [0.3, 0.0, 1.2], [half, 0.0, 0.0, half]));
    assert!(!sim.place("load", [0.0; 3], [1.0, 0.0, 0.0, 0.0]), "only what is placed by hand");
    run(&mut sim, 1.0);
    let q = &sim.state().q;
    // a spring of critical damping with a time constant of 0.02 s, after fifty of them
    let off = [q[4] - 0.3, q[5], q[6] - 1.2, q[0].abs() - half, q[3].abs() - half];
    assert!(off.iter().all(|x| x.abs() < 1e-6), "{q:?}");
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

#[test]
fn pictures_are_heightfields() {
    // two lines, the far one white: the field rises with y
    let raw = [0_u8, 255, 255, 0, 0, 0];
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        png.extend(u32::try_from(data.len()).expect("short").to_be_bytes());
        png.extend(kind);
        png.extend(data);
        png.extend([0; 4]);
    };
    chunk(b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 0]);
    // a zlib stream of one stored block
    let mut stored = vec![0x78, 0x01, 1, 6, 0, 0xf9, 0xff];
    stored.extend(raw);
    let (mut a, mut b) = (1_u32, 0_u32);
    for x in raw {
        a = (a + u32::from(x)) % 65521;
        b = (b + a) % 65521;
    }
    stored.extend(((b << 16) | a).to_be_bytes());
    chunk(b"IDAT", &stored);
    chunk(b"IEND", &[]);
    let folder = std::env::temp_dir().join(format!("gudgeon-field-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("hill.png"), &png).expect("written");
    let model = folder.join("hill.xml");
    let xml = r#"<mujoco><asset><hfield name="hill" file="hill.png" size="1 1 0.5 0.1"/></asset>
        <worldbody><geom type="hfield" hfield="hill"/></worldbody></mujoco>"#;
    std::fs::write(&model, xml).expect("written");
    let (scene, _) = gudgeon_model::load_scene(&model).unwrap_or_else(|e| panic!("{e}"));
    std::fs::remove_dir_all(&folder).expect("removed");
    let place = &scene.colliders[0];
    let aabb = place.shape.aabb(&place.pose);
    assert!((aabb.hi.z - 0.5).abs() < 1e-12, "white is high: {}", aabb.hi.z);
    let gudgeon_collide::Kind::Heightfield(field) = place.shape.kind() else { panic!("a field") };
    let far = field.mesh().vertices().iter().filter(|v| v.y > 0.5 && v.z > 0.4).count();
    assert_eq!(far, 2, "the upper line is the far one");
}
