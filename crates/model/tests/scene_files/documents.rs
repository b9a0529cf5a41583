//! What stands in a scene file before it means anything: formulas, parameters, repeats, files included, numbers from outside.

use gudgeon_model::{LoadOptions, load_scene};

use super::read;

#[test]
fn formulas_parameters_and_repeats_are_worked_out() {
    let text = "\
[parameters]
r = 0.1
d = \"= 2 * r\"
n = 3

[[body]]
repeat = \"= n\"
name = \"ball{i}\"
shape = { sphere = \"= r\" }
mass = \"= d * 10\"
position = [\"= i * d\", \"= sin(90 deg)\", 1]
";
    let scene = read("formulas", text).unwrap();
    assert_eq!(scene.model.n_links(), 4);
    for (i, link) in scene.model.links()[1..].iter().enumerate() {
        assert_eq!(link.name, format!("ball{i}"));
        assert_eq!(link.inertia.mass, 2.0);
        let q = &scene.initial.q[link.q_range()];
        assert!((q[4] - 0.2 * i as f64).abs() < 1e-15 && q[5] == 1.0);
    }
    for (name, text, line, said) in [
        ("cycle", "[parameters]\na = \"= b\"\nb = \"= a\"\n", 2, "made of itself"),
        ("name", "dt = \"= nothing\"\n", 1, "nothing is called 'nothing'"),
        ("count", "[[body]]\nname = \"a\"\nrepeat = 1.5\n", 3, "whole number"),
        ("many", "[[body]]\nrepeat = 1000000000\n", 1, "more than the limit"),
        ("brace", "[[body]]\nname = \"a{i\"\nrepeat = 2\n", 2, "'}' is missing"),
    ] {
        let error = read(&format!("wrong-{name}"), text).unwrap_err().to_string();
        assert!(error.contains(said) && error.contains(&format!("scene.toml:{line}:")), "{error}");
    }
}

#[test]
fn numbers_are_set_from_outside_and_files_included() {
    let directory = std::env::temp_dir().join(format!("gudgeon-include-{}", std::process::id()));
    std::fs::create_dir_all(directory.join("parts")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).unwrap();
    write(
        "parts/ball.toml",
        "dt = 0.002\n[parameters]\nr = 0.1\n[[body]]\nname = \"ball\"\nshape = { mesh = \"m.obj\" }\nmass = \"= r\"\n",
    );
    write("parts/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write(
        "scene.toml",
        "include = \"parts/ball.toml\"\ndt = 0.004\n[[body]]\nname = \"box\"\nshape = { box = [1, 1, 1] }\n",
    );
    write("self.toml", "include = [\"self.toml\"]\n");
    write("broken.toml", "include = \"parts/broken.toml\"\n");
    write("parts/broken.toml", "\n\nfoo = 1\n");
    let path = directory.join("scene.toml");
    let with = |set: &[(&str, &str)]| {
        let set = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        gudgeon_model::load_scene_with(&path, &LoadOptions { set, ..LoadOptions::default() })
    };
    let (scene, _) = with(&[]).unwrap();
    let mass = |scene: &gudgeon_sim::Scene, name: &str| {
        scene.model.link(scene.model.find(name).unwrap()).inertia.mass
    };
    assert_eq!((scene.settings.dt, mass(&scene, "ball")), (0.004, 0.1));
    let (scene, _) =
        with(&[("r", "0.5"), ("dt", "=1/1000"), ("body.box.mass", "3"), ("body.0.position", "[1, 2, 3]")])
            .unwrap();
    assert_eq!((scene.settings.dt, mass(&scene, "ball"), mass(&scene, "box")), (0.001, 0.5, 3.0));
    assert_eq!(scene.initial.q[4..7], [1.0, 2.0, 3.0]);
    for (key, said) in [
        ("body.cone.mass", "none is called 'cone'"),
        ("nonsense", "a parameter of the file (r)"),
        ("a.b", "nothing is called 'a'"),
    ] {
        let error = with(&[(key, "1")]).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let error = load_scene(&directory.join("self.toml")).unwrap_err().to_string();
    assert!(error.contains("does not include this one"), "{error}");
    let error = load_scene(&directory.join("broken.toml")).unwrap_err().to_string();
    assert!(error.contains("parts/broken.toml:3:"), "{error}");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn parts_of_a_compound_repeat() {
    let ring = "[[body]]\nname = \"cage\"\n[[body.shape.compound]]\nrepeat = 6\nsphere = 0.01\nposition = [\"= 0.1 * cos(i * tau / 6)\", \"= 0.1 * sin(i * tau / 6)\", 0]\n";
    let scene = read("cage", ring).unwrap();
    assert_eq!(scene.colliders.len(), 6);
    let far = |c: &gudgeon_sim::Placed| (c.pose.translation.vector.norm() - 0.1).abs() < 1e-12;
    assert!(scene.colliders.iter().all(far));
}
