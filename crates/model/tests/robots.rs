//! What a robot's file says is what it does: pairs, sensors, weights that are held, attached models, states of another simulator.

mod actuation; // servos, tendons, muscles, suction

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
