//! TOML scenes: what they mean, and the line of whatever is wrong with them.

use std::path::PathBuf;

use gudgeon_model::{ModelFileError, load_scene};
use gudgeon_multibody::LinkId;

fn shipped(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}

/// Writes a scene beside nothing else and reads it.
fn read(name: &str, text: &str) -> Result<gudgeon_sim::Scene, ModelFileError> {
    let directory = std::env::temp_dir().join(format!("gudgeon-scene-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a place for files");
    let path = directory.join("scene.toml");
    std::fs::write(&path, text).expect("a file");
    let result = load_scene(&path).map(|(scene, _)| scene);
    std::fs::remove_dir_all(&directory).expect("to be removed");
    result
}

#[test]
fn the_smallest_scene_means_what_it_says() {
    let (scene, report) = load_scene(&shipped("pushed-crate.toml")).unwrap();
    assert_eq!(scene.name, "pushed-crate");
    assert_eq!((scene.model.n_v(), scene.colliders.len(), scene.pushes.len()), (6, 2, 2));
    assert_eq!(scene.initial.q, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05]);
    assert_eq!(scene.colliders[0].link, LinkId::WORLD);
    let crate_ = &scene.model.links()[1];
    // a box of half extents 0.1, 0.1, 0.05 and 1 kg
    assert!((crate_.inertia.about_com.to_matrix()[(2, 2)] - 0.02 / 3.0).abs() < 1e-15);
    assert_eq!(report.counts().2, 0);
}

#[test]
fn mechanisms_loops_and_controllers_are_read() {
    let (scene, _) = load_scene(&shipped("four-bar.toml")).unwrap();
    assert_eq!((scene.model.n_v(), scene.model.loops().len(), scene.controllers.len()), (3, 1, 1));
    let (scene, _) = load_scene(&shipped("dumbbells.toml")).unwrap();
    assert_eq!(scene.model.n_v(), 13);
    assert_eq!(scene.initial.q[14], 0.3);
    assert_eq!(scene.colliders[1].name, "ramp");
    assert_eq!(scene.materials[scene.colliders[1].material].friction, 0.02);
}

#[test]
fn every_mistake_is_told_with_its_line() {
    let cases: &[(&str, usize, &str)] = &[
        ("gravty = [0.0, 0.0, -9.81]", 1, "unknown field `gravty`"),
        ("\n\n[[body]]\nname = \"a\"\nshape = { sphere = -1.0 }\n", 3, "radius is -1"),
        ("\n[[body]]\nshape = { sphere = 1.0, box = [1.0, 1.0, 1.0] }\n", 2, "exactly one of"),
        ("[[body]]\nshape = { ball = 1.0 }\n", 2, "unknown field `ball`"),
        ("method = \"guess\"", 1, "guess"),
        ("facets = 5", 1, "even number"),
        ("\nintegrator = \"verlet\"", 2, "euler, rk4 or carried"),
        ("[[body]]\nshape = { sphere = 1.0 }\nmaterial = \"ice\"\n", 1, "no such material"),
        ("[[body]]\nshape = { sphere = 1.0 }\norientation = [1.0, 1.0, 0.0, 0.0]\n", 1, "length 1"),
        ("[[body]]\nmass = 1.0\n", 1, "a shape, or mass and inertia"),
        ("[[joint]]\ntype = \"revolute\"\nchild = \"arm\"\n", 1, "no such body"),
        ("[[static]]\nshape = { mesh = \"../../etc/passwd.stl\" }\n", 1, "outside"),
        ("[[static]]\nshape = { mesh = \"none.stl\" }\n", 1, "not found"),
        (
            "[[body]]\nname = \"a\"\nshape = { sphere = 1.0 }\n[[body]]\nname = \"a\"\nshape = { sphere = 1.0 }\n",
            4,
            "already",
        ),
        ("[[push]]\nbody = \"ghost\"\nforce = [1.0, 0.0, 0.0]\n", 0, "no such body"),
        ("dt = 0.0", 0, "dt"),
        ("dt = [", 1, ""),
    ];
    for (k, (text, line, words)) in cases.iter().enumerate() {
        let error = read(&format!("mistake{k}"), text).expect_err(text).to_string();
        let place = if *line > 0 { format!("scene.toml:{line}: ") } else { "scene.toml: ".to_owned() };
        assert!(error.contains(&place) && error.contains(words), "{text}\ngave: {error}");
    }
}

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
        let _ = sim.step().unwrap();
    }
    assert!(sim.state().q.iter().all(|q| q.is_finite()));
}

#[test]
fn a_model_becomes_a_scene_file_that_holds_it() {
    let options = gudgeon_model::LoadOptions { base: gudgeon_model::Base::Fixed, ..Default::default() };
    let scene = crate::data("").join(format!("made-{}.toml", std::process::id()));
    std::fs::write(&scene, gudgeon_model::scene_text(&crate::data("arm.urdf"), &scene, &options)).unwrap();
    let loaded = load_scene(&scene);
    std::fs::remove_file(&scene).unwrap();
    assert_eq!(loaded.unwrap().0.model.n_v(), 3);
}
