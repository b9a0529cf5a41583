//! Scenes of models: placed in one, written as one, put on the ground, started where they are told.

use gudgeon_model::{LoadOptions, load_scene};

use crate::load;

#[test]
fn a_scene_places_several_copies_of_a_model() {
    let robot = |name: &str, x: f64, rest: &str| {
        format!("[[model]]\nfile = \"arm.urdf\"\nname = \"{name}\"\nposition = [{x:?}, 0.0, 0.5]\n{rest}\n")
    };
    let text = format!(
        "[[static]]\nshape = {{ plane = {{}} }}\n{}{}{}",
        robot("one", 0.0, "base = \"fixed\"\njoints = { shoulder = 0.4 }"),
        robot("two", 1.0, "fixed_joints = \"merge\""),
        "[[controller]]\ntype = \"pd\"\njoint = \"two/upper\"\nstiffness = 10.0\ntarget = 0.2\n\
         [[push]]\nbody = \"two/base\"\nforce = [1.0, 0.0, 0.0]\n",
    );
    let directory = crate::data("");
    let path = directory.join(format!("two-arms-{}.toml", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let loaded = load_scene(&path);
    std::fs::remove_file(&path).unwrap();
    let (scene, report) = loaded.unwrap();
    assert_eq!(scene.model.n_v(), 3 + 9);
    let upper = scene.model.link(scene.model.find("one/upper").unwrap());
    assert_eq!(scene.initial.q[upper.q_start], 0.4);
    let base = scene.model.link(scene.model.find("two/base").unwrap());
    assert_eq!(scene.initial.q[base.q_start + 4..base.q_start + 7], [1.0, 0.0, 0.5]);
    assert!(report.frames.iter().any(|f| f.name == "two/flange" && f.link == "two/upper"));
    let mut sim = gudgeon_sim::Simulator::new(&scene).unwrap();
    for _ in 0..100 {
        let _ = sim.step().expect("a step");
    }
    assert!(sim.state().q.iter().all(|q| q.is_finite()));
}

/// Writes a model as a scene beside it, and reads that.
fn converted(model: &str, options: &LoadOptions) -> (String, gudgeon_sim::Scene, gudgeon_sim::Scene) {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = crate::data("").join(format!("made-{}-{number}.toml", std::process::id()));
    let (loaded, report) = load(model, options);
    let text = gudgeon_model::scene_text(&crate::data(model), &path, options, &loaded, &report);
    std::fs::write(&path, &text).expect("writable");
    let again = load_scene(&path);
    std::fs::remove_file(&path).expect("just made");
    (text, loaded, again.unwrap_or_else(|e| panic!("{e}")).0)
}

#[test]
fn a_model_becomes_a_scene_file_that_holds_it() {
    let fixed = LoadOptions { base: gudgeon_model::Base::Fixed, ..Default::default() };
    let (_, _, scene) = converted("arm.urdf", &fixed);
    assert_eq!(scene.model.n_v(), 3);
    // on the ground: half of its base is below its root
    let free = LoadOptions { joints: vec![("shoulder".into(), vec![0.5])], ..Default::default() };
    let (text, _, scene) = converted("arm.urdf", &free);
    assert!(
        text.contains("\"shoulder\" = 0.5") && text.contains("# \"left_finger\" = 0.0  # 0.0 to 0.04"),
        "{text}"
    );
    assert!((scene.initial.q[6] - 0.05).abs() < 2e-6, "{:?}", scene.initial.q);
    let upper = scene.model.link(scene.model.find("arm/upper").unwrap());
    assert_eq!(scene.initial.q[upper.q_start], 0.5);
}

#[test]
fn a_scene_of_an_mjcf_keeps_its_world() {
    let (text, loaded, scene) = converted("walker.xml", &LoadOptions::default());
    assert!(!text.contains("[[static]]"), "it has a floor of its own: {text}");
    assert_eq!(scene.colliders.len(), loaded.colliders.len());
    assert_eq!(scene.model.gravity(), loaded.model.gravity());
    assert_eq!((scene.settings.dt, scene.combine), (loaded.settings.dt, loaded.combine));
    assert_eq!(scene.initial.q, loaded.initial.q);
}

#[test]
fn joints_start_where_they_are_told_and_mimics_follow() {
    let ask = |list: &[(&str, &[f64])]| LoadOptions {
        base: gudgeon_model::Base::Fixed,
        joints: list.iter().map(|(n, v)| ((*n).to_owned(), v.to_vec())).collect(),
        ..Default::default()
    };
    let (scene, _) = load("arm.urdf", &ask(&[("left_finger", &[0.03]), ("upper", &[0.25])]));
    assert_eq!(scene.initial.q, [0.25, 0.03, 0.03]);
    let sim = gudgeon_sim::Simulator::new(&scene).unwrap();
    assert_eq!(sim.state().q, [0.25, 0.03, 0.03], "the start is closed already");
    // in degrees of nobody: the file's own unit is radians once read, counted from its reference
    let (scene, _) = load("walker.xml", &ask(&[("left_hip", &[0.1])]));
    let hip = scene.model.link(scene.model.find("left_leg").unwrap());
    assert_eq!(scene.initial.q[hip.q_start], 0.1);
    for (list, words) in [
        (
            &[("elbow", &[0.0][..])][..],
            "name of a joint is 'elbow', expected one of shoulder, left_finger, right_finger",
        ),
        (&[("shoulder", &[0.0, 1.0])], "position of joint 'shoulder' is '2 numbers', expected 1"),
        (&[("shoulder", &[f64::NAN])], "expected finite numbers"),
    ] {
        let error = gudgeon_model::load_scene_with(&crate::data("arm.urdf"), &ask(list)).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn ground_is_put_under_what_has_none() {
    let (mut scene, _) = load("arm.urdf", &LoadOptions::default());
    let count = scene.colliders.len();
    assert!(gudgeon_model::add_ground(&mut scene));
    assert_eq!(scene.colliders.len(), count + 1);
    assert_eq!(scene.initial.q[6], 0.05, "the base, a box of 0.1 m, stands on it");
    let (mut scene, _) = load("walker.xml", &LoadOptions::default());
    assert!(!gudgeon_model::add_ground(&mut scene), "it has a floor");
}
