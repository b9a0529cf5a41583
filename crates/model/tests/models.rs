//! Small models of our own against the numbers that MuJoCo 4.0 and Pinocchio 4.1 give for the same files.

use gudgeon_model::{Base, FixedJoints, LoadOptions, poses_at};
use gudgeon_multibody::{Joint, LoopKind};
use gudgeon_sim::{Controller, Simulator};
use serde_json::Value;

use crate::{load, text};

fn near(value: &Value, expected: &[f64], what: &str) {
    for (k, x) in expected.iter().enumerate() {
        let got = value[k].as_f64().expect("a number");
        assert!((got - x).abs() < 1e-12, "{what}: {got} is not {x}");
    }
}

fn named<'a>(poses: &'a Value, name: &str) -> &'a Value {
    poses.as_array().expect("a list").iter().find(|p| p["name"] == name).expect("a body of that name")
}

#[test]
fn a_urdf_has_the_kinematics_of_pinocchio() {
    let options = LoadOptions { base: Base::Fixed, ..LoadOptions::default() };
    let (scene, report) = load("arm.urdf", &options);
    assert_eq!((scene.model.n_v(), scene.model.couplings().len()), (3, 1));
    let poses = poses_at(&scene, &report, &[vec![0.3], vec![0.01], vec![0.02]]).unwrap();
    near(
        &named(&poses, "flange")["position"],
        &[0.0, 0.118_208_082_664_535_82, 0.432_134_595_650_242_4],
        "flange",
    );
    near(
        &named(&poses, "right")["position"],
        &[0.02, 0.118_208_082_664_535_82, 0.432_134_595_650_242_4],
        "right",
    );
    let upper = scene.model.find("upper").unwrap();
    let i = scene.model.link(upper).inertia.about_com.to_matrix();
    assert!((i[(0, 1)] - 0.002_926_342_007_236_2).abs() < 1e-15);
    let dof = scene.model.dofs()[scene.model.link(upper).v_start];
    assert_eq!((dof.lower, dof.upper, dof.effort, dof.damping, dof.friction), (-1.0, 1.5, 30.0, 0.3, 0.1));
    assert_eq!(scene.materials[scene.colliders[1].material].friction, 0.7);
}

#[test]
fn fixed_joints_are_kept_or_merged_with_the_same_masses_and_places() {
    let keep = LoadOptions { base: Base::Fixed, ..LoadOptions::default() };
    let (kept, kept_report) = load("arm.urdf", &keep);
    let (merged, merged_report) = load("arm.urdf", &LoadOptions { fixed: FixedJoints::Merge, ..keep });
    assert_eq!((kept.model.n_links(), merged.model.n_links()), (6, 4));
    let q = [vec![0.7], vec![0.02], vec![0.02]];
    let a = poses_at(&kept, &kept_report, &q).unwrap();
    let b = poses_at(&merged, &merged_report, &q).unwrap();
    for pose in a.as_array().unwrap() {
        let other = named(&b, pose["name"].as_str().unwrap());
        for k in 0..3 {
            let gap = pose["position"][k].as_f64().unwrap() - other["position"][k].as_f64().unwrap();
            assert!(gap.abs() < 1e-14, "{}", pose["name"]);
        }
    }
}

#[test]
fn a_massive_root_is_free_unless_it_is_fixed() {
    let (free, _) = load("arm.urdf", &LoadOptions::default());
    assert_eq!(free.model.links()[1].joint, Joint::Free);
    let (fixed, _) = load("arm.urdf", &LoadOptions { base: Base::Fixed, ..LoadOptions::default() });
    assert_eq!(fixed.model.links()[1].joint, Joint::Fixed);
}

#[test]
fn an_mjcf_has_the_masses_and_kinematics_of_mujoco() {
    let (scene, report) = load("walker.xml", &LoadOptions::default());
    assert_eq!(
        (scene.model.n_q(), scene.model.n_v(), report.joints.len(), report.frames.len()),
        (15, 13, 6, 5)
    );
    assert!((scene.model.mass() - 15.251_167_339_059_538).abs() < 1e-12);
    assert_eq!(scene.settings.dt, 0.002);
    assert_eq!(scene.model.gravity().z, -9.8);
    let torso = &report.frames[0];
    let i = torso.inertia.about_com.to_matrix();
    assert!((torso.inertia.com.z - 0.242_749_216_238_535_6).abs() < 1e-12);
    assert!(
        (i[(0, 0)] - 1.149_715_147_606_582_8).abs() < 1e-12
            && (i[(1, 2)] + 0.165_915_423_231_190_43).abs() < 1e-12
    );
    let root = vec![0.5, 0.5, 0.5, 0.5, 0.1, 0.2, 1.5];
    let q = [root, vec![0.1], vec![0.2], vec![0.3], vec![0.4], vec![0.8, 0.0, 0.6, 0.0]];
    let poses = poses_at(&scene, &report, &q).unwrap();
    let foot = named(&poses, "right_foot");
    near(
        &foot["position"],
        &[-0.594_783_360_842_554_3, 0.244_319_920_286_300_1, 1.453_130_436_769_229_3],
        "foot",
    );
    near(
        &foot["rotation"][0],
        &[0.399_110_916_339_665_9, 0.099_833_416_646_828_27, 0.911_451_460_791_595],
        "foot",
    );
    let foot = named(&poses, "left_foot");
    near(&foot["position"], &[-0.564_477_447_301_298_2, 0.375_238_254_038_892_66, 1.6], "left foot");
    near(&foot["rotation"][0], &[-0.775_181_418_396_347_7, 0.0, 0.631_738_686_937_112_3], "left foot");
}

#[test]
fn defaults_equalities_and_actuators_arrive() {
    let (scene, _) = load("walker.xml", &LoadOptions::default());
    let dof = |link: &str| scene.model.dofs()[scene.model.link(scene.model.find(link).unwrap()).v_start];
    // limits count from the reference of 5 degrees
    assert!((dof("right_leg").lower + 35.0_f64.to_radians()).abs() < 1e-15);
    assert_eq!(
        (dof("right_foot").stiffness, dof("right_foot").damping, dof("right_foot").armature),
        (3.0, 0.5, 0.01)
    );
    assert!((dof("right_foot").rest - 10.0_f64.to_radians()).abs() < 1e-15);
    assert_eq!(scene.model.couplings().len(), 2);
    assert_eq!(scene.controllers.len(), 3);
    let Controller::Actuator(servo) = &scene.controllers[1] else { panic!("an actuator") };
    assert_eq!(servo.gain, gudgeon_sim::Gain::Fixed(20.0));
    assert_eq!(servo.bias, gudgeon_sim::Bias::Affine([0.0, -20.0, -1.0]));
    assert_eq!(servo.force_range, Some([-5.0, 5.0]));
    // floor meets legs, legs do not meet each other
    let floor = scene.colliders.iter().find(|c| c.name == "floor").unwrap();
    let thigh = scene.colliders.iter().find(|c| c.name == "right_thigh").unwrap();
    assert!(floor.group & thigh.mask != 0 && thigh.group & floor.mask != 0 && thigh.group & thigh.mask == 0);
}

#[test]
fn bodies_on_the_two_sides_of_several_joints_do_not_touch() {
    let (scene, _) = load("walker.xml", &LoadOptions::default());
    let pair = |a: &str, b: &str| {
        let (a, b) = (scene.model.find(a).unwrap(), scene.model.find(b).unwrap());
        scene.apart.contains(&(a, b)) || scene.apart.contains(&(b, a))
    };
    assert!(pair("torso", "right_leg") && pair("torso", "right_foot") && !pair("torso", "left_foot"));
}

#[test]
fn a_keyframe_that_is_asked_for_has_to_be_there_and_to_fit() {
    let ask = |name: &str| LoadOptions { keyframe: Some(name.into()), ..LoadOptions::default() };
    let error = gudgeon_model::load_scene_with(&crate::data("walker.xml"), &ask("down")).unwrap_err();
    assert!(error.to_string().contains("names 'down', and there is no such keyframe"), "{error}");
    let error = gudgeon_model::load_scene_with(&crate::data("arm.urdf"), &ask("up")).unwrap_err();
    assert!(error.to_string().contains("in a URDF, names 'up'"), "{error}");
    let error = gudgeon_model::load_scene(std::path::Path::new("nowhere.urdf")).unwrap_err();
    assert_eq!(error.to_string().matches("nowhere.urdf").count(), 1, "{error}");
    let xml = r#"<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody><keyframe><key name="k" qpos="1 2"/></keyframe></mujoco>"#;
    let error = gudgeon_model::load_text(std::path::Path::new("k.xml"), xml, &ask("k")).unwrap_err();
    assert!(error.to_string().contains("qpos of key 'k' is '2 numbers', expected 1 numbers"), "{error}");
}

#[test]
fn a_keyframe_is_where_the_scene_starts_if_it_is_asked_for() {
    let options = LoadOptions { keyframe: Some("up".into()), ..LoadOptions::default() };
    let (scene, _) = load("walker.xml", &options);
    assert_eq!(scene.initial.q[6], 2.0);
    let (scene, _) = load("walker.xml", &LoadOptions::default());
    assert_eq!(scene.initial.q[6], 1.2);
}

#[test]
fn a_loop_by_equality_stays_closed() {
    let (scene, _) = load("loop.xml", &LoadOptions::default());
    assert_eq!(scene.model.loops()[0].kind, LoopKind::Point);
    let mut sim = Simulator::new(&scene).unwrap();
    for _ in 0..200 {
        let report = sim.step().unwrap();
        assert!(report.loop_gap <= 1e-9, "{}", report.loop_gap);
    }
    assert!(sim.state().q.iter().all(|q| q.is_finite()));
}

#[test]
fn copies_frames_and_inline_meshes_are_expanded() {
    let xml = r#"<mujoco><asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
        <replicate count="12" offset="0 0 0.5" sep="_"><frame euler="0 0 90"><body name="link" pos="1 0 0">
        <joint axis="0 1 0"/><geom type="mesh" mesh="tetra"/></body></frame></replicate></worldbody></mujoco>"#;
    let (scene, _) = text("copies.xml", xml).unwrap();
    assert_eq!(scene.model.n_v(), 12);
    let last = scene.model.link(scene.model.find("link_11").unwrap());
    assert!((last.placement.translation - nalgebra::Vector3::new(0.0, 1.0, 5.5)).norm() < 1e-12);
    // a corner of a cube: a sixth of it
    assert!((last.inertia.mass - 1000.0 / 6.0).abs() < 1e-9);
}

#[test]
fn a_chain_of_a_thousand_links_loads() {
    let mut xml = String::from("<mujoco><worldbody>");
    for _ in 0..1000 {
        xml.push_str(r#"<body pos="0.1 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>"#);
    }
    xml.push_str(&"</body>".repeat(1000));
    xml.push_str("</worldbody></mujoco>");
    let (scene, report) = text("chain.xml", &xml).unwrap();
    assert_eq!((scene.model.n_v(), report.frames.len()), (1000, 1000));
}

/// One body on a hinge with an inertia of 0.25 kg m² about it, and what drives it.
fn driven(actuators: &str, options: &LoadOptions) -> gudgeon_sim::Scene {
    let xml = format!(
        r#"<mujoco><worldbody><body name="a"><joint name="j" axis="0 0 1"/>
        <inertial pos="0 0 0" mass="1" diaginertia="0.25 0.25 0.25"/></body></worldbody>
        <actuator>{actuators}</actuator><keyframe><key name="k" qpos="0" ctrl="5"/></keyframe></mujoco>"#
    );
    gudgeon_model::load_text(std::path::Path::new("driven.xml"), &xml, options).expect("sound").0
}

#[test]
fn gear_and_ranges_of_control_and_force_hold() {
    let key = LoadOptions { keyframe: Some("k".into()), ..LoadOptions::default() };
    // the torque on the hinge with the keyframe's control of 5: acceleration times 0.25 kg m²
    let torque = |text: &str| {
        let mut sim = gudgeon_sim::Simulator::new(&driven(text, &key)).expect("sound");
        let asked = 0.25 * sim.accelerations()[0];
        let before = sim.state().v[0];
        let _ = sim.step().expect("a step");
        let given = 0.25 * (sim.state().v[0] - before) / sim.settings.dt;
        assert!((asked - given).abs() < 1e-9 * asked.abs().max(1.0), "{text}: {asked} and {given}");
        asked
    };
    let near = |text: &str, expected: f64| {
        let found = torque(text);
        assert!((found - expected).abs() < 1e-12, "{text}: {found}, expected {expected}");
    };
    near(r#"<motor joint="j" gear="2" ctrlrange="-1 1"/>"#, 2.0);
    near(r#"<motor joint="j" gear="-2" ctrlrange="-1 1"/>"#, -2.0);
    near(r#"<motor joint="j" gear="2" ctrlrange="-1 1" ctrllimited="false"/>"#, 10.0);
    // a force of 4 is kept to 1, then geared
    near(r#"<motor joint="j" gear="2" ctrlrange="-3 4" forcerange="-1 1"/>"#, 2.0);
    near(r#"<motor joint="j" gear="2" ctrlrange="-3 4" forcerange="-9 3"/>"#, 6.0);
    near(r#"<motor joint="j" gear="2" ctrlrange="-3 -1" forcerange="-0.5 9"/>"#, -1.0);
    near(r#"<motor joint="j" ctrlrange="-1 1"/><motor joint="j"/>"#, 1.0);
    near(r#"<general joint="j" gainprm="3" biastype="affine" biasprm="7"/>"#, 22.0);
}

#[test]
fn a_damping_ratio_is_that_of_the_reference() {
    for (ratio, expected) in [(1.0, 2.0), (0.5, 1.0)] {
        // 2 √(4 · 0.25) at a ratio of one; the gear cancels out of it
        for gear in [1.0, 3.0] {
            let kp = 4.0 / (gear * gear);
            let text = format!(r#"<position joint="j" kp="{kp}" dampratio="{ratio}" gear="{gear}"/>"#);
            let scene = driven(&text, &LoadOptions::default());
            let gudgeon_sim::Controller::Actuator(a) = &scene.controllers[0] else { panic!("an actuator") };
            let gudgeon_sim::Bias::Affine([_, k, d]) = a.bias else { panic!("a spring") };
            let (stiffness, damping) = (-k * gear * gear, -d * gear * gear);
            assert!(
                (stiffness - 4.0).abs() < 1e-12 && (damping - expected).abs() < 1e-9,
                "{stiffness} {damping}"
            );
        }
    }
}

#[test]
fn an_mjcf_can_be_read_without_its_meshes() {
    let without = LoadOptions { meshes: false, ..LoadOptions::default() };
    let (scene, report) = load("walker.xml", &without);
    assert_eq!(scene.model.n_v(), load("walker.xml", &LoadOptions::default()).0.model.n_v());
    assert!(report.ignored().any(|e| e.item == "body/geom" && e.at.line > 0));
    assert!(report.ignored().any(|e| e.item == "asset/mesh"));
}

#[test]
fn a_heightfield_is_read_from_its_file() {
    let directory = std::env::temp_dir().join(format!("gudgeon-hfield-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let heights = [0.0_f32, 0.0, 0.0, 2.0, 4.0, 2.0]; // two rows, the near one first
    let mut bytes: Vec<u8> = [2_i32, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend(heights.iter().flat_map(|h| h.to_le_bytes()));
    std::fs::write(directory.join("hill.bin"), &bytes).unwrap();
    std::fs::write(directory.join("short.bin"), &bytes[..20]).unwrap();
    let read = |asset: &str| {
        let xml = format!(
            r#"<mujoco><asset><hfield name="h" {asset} size="1 2 0.5 0.1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"#
        );
        gudgeon_model::load_text(&directory.join("field.xml"), &xml, &LoadOptions::default())
    };
    let from_file = read(r#"file="hill.bin""#);
    let inline = read(r#"nrow="2" ncol="3" elevation="2 4 2 0 0 0""#); // from far to near
    let short = read(r#"file="short.bin""#);
    std::fs::remove_dir_all(&directory).unwrap();
    let bounds = |loaded: Result<(gudgeon_sim::Scene, _), _>| {
        let scene = loaded.unwrap_or_else(|e: gudgeon_model::ModelFileError| panic!("{e}")).0;
        let gudgeon_collide::Kind::Heightfield(field) = scene.colliders[0].shape.kind().clone() else {
            panic!("a field")
        };
        field
    };
    assert_eq!(format!("{:?}", bounds(from_file)), format!("{:?}", bounds(inline)));
    assert!(short.unwrap_err().to_string().contains("2 x 3 samples do not make its 20 bytes"));
    let huge = text(
        "huge.xml",
        r#"<mujoco><asset><hfield name="h" nrow="10000" ncol="10000" size="1 1 1 1"/></asset></mujoco>"#,
    );
    assert!(huge.unwrap_err().to_string().contains("samples of a heightfield"));
}
