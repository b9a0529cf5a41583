//! TOML scenes: what they mean, and the line of whatever is wrong with them.

mod documents; // formulas, parameters, repeats, includes
mod models; // models in scenes, and scenes of models

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
fn cones_are_named_as_on_the_command_line() {
    use gudgeon_sim::{Facets, Sides};
    for (text, facets) in [
        ("\"exact\"", Facets::Exact),
        ("12", Facets::Polygon(Sides::new(12).unwrap())),
        ("\"box\"", Facets::Box),
        ("\"last-box\"", Facets::LastBox),
    ] {
        let scene = read(&format!("cone-{}", text.trim_matches('"')), &format!("facets = {text}")).unwrap();
        assert_eq!(scene.settings.facets, facets);
    }
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
        ("law = \"elastic\"", 1, "exact or convex"),
        ("facets = 8\nlaw = \"convex\"", 2, "round cones"),
        ("\nintegrator = \"verlet\"", 2, "euler, rk4 or carried"),
        ("[[body]]\nshape = { sphere = 1.0 }\nmaterial = \"ice\"\n", 1, "no such material"),
        ("[[body]]\nshape = { sphere = 1.0 }\norientation = [1.0, 1.0, 0.0, 0.0]\n", 1, "length 1"),
        ("[[body]]\nmass = 1.0\n", 1, "a shape, or mass and inertia"),
        ("[[joint]]\ntype = \"revolute\"\nchild = \"arm\"\n", 1, "no such body"),
        ("[[static]]\nshape = { mesh = \"../../etc/passwd\" }\n", 1, "outside"),
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
fn turns_are_written_in_three_ways() {
    let turn = |text: &str| {
        let scene = read("turns", &format!("[[body]]\nshape = {{ sphere = 1 }}\norientation = {text}\n"));
        scene.map(|s| s.initial.q[..4].to_vec()).map_err(|e| e.to_string())
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let same = |found: Vec<f64>, expected: [f64; 4]| {
        let dot: f64 = found.iter().zip(expected).map(|(a, b)| a * b).sum();
        assert!((dot.abs() - 1.0).abs() < 1e-15, "{found:?} {expected:?}");
    };
    same(turn("{ axis = [0, 0, 2], degrees = 90 }").unwrap(), [half, 0.0, 0.0, half]);
    same(turn("{ axis = [0, 0, 2], radians = \"= pi / 2\" }").unwrap(), [half, 0.0, 0.0, half]);
    same(turn("{ euler = [0, 0, 90] }").unwrap(), [half, 0.0, 0.0, half]);
    // about x, then about the new z, which is the old -y
    same(turn("{ euler = [90, 90, 0], order = \"xzy\" }").unwrap(), [0.5, 0.5, -0.5, 0.5]);
    same(turn("{ euler = [90, 90, 0], order = \"XZY\" }").unwrap(), [0.5, 0.5, 0.5, 0.5]);
    for wrong in [
        "{ axis = [0, 0, 0], degrees = 1 }",
        "{ axis = [0, 0, 1] }",
        "{ euler = [0, 0, 1], order = \"xYz\" }",
        "{ euler = [0, 0, 1], order = \"abc\" }",
    ] {
        assert!(turn(wrong).unwrap_err().contains("orientation is"), "{wrong}");
    }
}

fn steps(sim: &mut gudgeon_sim::Simulator, n: usize) {
    for _ in 0..n {
        let _ = sim.step().expect("a step");
    }
}

#[test]
fn gears_racks_and_cams_tie_joints() {
    let wheel = |name: &str, parent: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n[[joint]]\ntype = \"revolute\"\nchild = \"{name}\"\nparent = \"{parent}\"\n"
        )
    };
    // sun, carrier with a planet, ring: ring still, the carrier turns at z_s / (z_s + z_r) of the sun
    let text = ["gravity = [0, 0, 0]\n".to_owned(), wheel("sun", "world"), wheel("arm", "world"), wheel("planet", "arm"), "[[gear]]\na = \"sun\"\nb = \"planet\"\nteeth = [20, 10]\ncarrier = \"arm\"\n[[coupling]]\nterms = [{ joint = \"planet\", coefficient = 10 }, { joint = \"arm\", coefficient = 40 }]\n[[controller]]\ntype = \"motor\"\njoint = \"sun\"\nvelocity = 3\n".to_owned()].concat();
    let scene = read("planetary", &text).unwrap();
    let mut sim = gudgeon_sim::Simulator::new(&scene).unwrap();
    steps(&mut sim, 10);
    let v = &sim.state().v;
    assert!((v[0] - 3.0).abs() < 1e-9 && (v[1] - 3.0 * 20.0 / 60.0).abs() < 1e-9, "{v:?}");

    let slide = "[[body]]\nname = \"bar\"\nmass = 1\ninertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n[[joint]]\ntype = \"prismatic\"\nchild = \"bar\"\naxis = [1, 0, 0]\n";
    let rack = format!(
        "gravity = [0, 0, 0]\n{}{slide}[[rack]]\npinion = \"sun\"\nrack = \"bar\"\nradius = 0.05\n[[push]]\nbody = \"bar\"\nforce = [1, 0, 0]\n",
        wheel("sun", "world")
    );
    let scene = read("rack", &rack).unwrap();
    let mut sim = gudgeon_sim::Simulator::new(&scene).unwrap();
    steps(&mut sim, 100);
    // F = (m + J / r²) a
    let a = sim.state().v[1] / 0.1;
    assert!((a - 1.0 / (1.0 + 1.0 / 0.0025)).abs() < 1e-9, "{a}");

    // harmonic lift: 32 knots of 10 mm (1 - cos)
    let lifts: Vec<String> = (0..32)
        .map(|k| format!("{}", 0.01 * (1.0 - (std::f64::consts::TAU * f64::from(k) / 32.0).cos())))
        .collect();
    let angles: Vec<String> =
        (0..32).map(|k| format!("{}", std::f64::consts::TAU * f64::from(k) / 32.0)).collect();
    let cam = format!(
        "gravity = [0, 0, 0]\ndt = 1e-4\n{}{slide}[[cam]]\nshaft = \"sun\"\nfollower = \"bar\"\nangles = [{}]\nlifts = [{}]\n[[controller]]\ntype = \"motor\"\njoint = \"sun\"\nvelocity = 10\n",
        wheel("sun", "world"),
        angles.join(","),
        lifts.join(",")
    );
    let scene = read("cam", &cam).unwrap();
    let mut sim = gudgeon_sim::Simulator::new(&scene).unwrap();
    steps(&mut sim, 3000);
    let (q, r) = (sim.state().q.clone(), sim.reactions());
    assert!((q[1] - 0.01 * (1.0 - q[0].cos())).abs() < 1e-6, "{q:?}");
    // the coupling carries m ÿ = 0.01 ω² cos θ, at the start of the step
    let expected = 0.01 * 100.0 * (q[0] - 1e-3).cos();
    assert!((r.couplings[0] - expected).abs() < 5e-3, "{} {expected}", r.couplings[0]);
}

#[test]
fn the_page_of_all_keys_and_the_schema_are_up_to_date() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let written = |name: &str| std::fs::read_to_string(docs.join(name)).unwrap();
    let (keys, schema) = (gudgeon_model::scene_keys(), gudgeon_model::scene_schema());
    assert!(
        written("scene-file.md") == keys,
        "cargo run -p gudgeon-model --example scene_keys > docs/scene-file.md"
    );
    assert!(written("scene.schema.json") == schema, "the same with -- --schema > docs/scene.schema.json");
}

#[test]
fn what_a_run_would_stumble_on_is_found() {
    let bar = |name: &str, more: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\nshape = {{ box = [0.5, 0.01, 0.01], position = [0.5, 0, 0] }}\nmask = 0\n[[joint]]\ntype = \"revolute\"\nchild = \"{name}\"\naxis = [0, 1, 0]\n{more}"
        )
    };
    let findings = |name: &str, text: &str| {
        let directory = std::env::temp_dir().join(format!("gudgeon-advice-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("scene.toml");
        std::fs::write(&path, text).unwrap();
        let (_, report) = load_scene(&path).unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        report
            .findings
            .iter()
            .map(|f| format!("{} {}: {}", f.subject, f.what, f.fix))
            .collect::<Vec<_>>()
            .join("\n")
    };
    // a bar of 1 m to a point 3 m away
    let far = format!(
        "{}[[loop]]\ntype = \"point\"\na = \"world\"\nposition_a = [3, 0, 0]\nb = \"bar\"\nposition_b = [1, 0, 0]\n",
        bar("bar", "")
    );
    let told = findings("loop", &far);
    assert!(told.contains("loop of 'world' and 'bar' cannot be closed") && told.contains("2.0"), "{told}");
    // one that closes a tenth of a radian on
    let near = format!(
        "{}[[loop]]\ntype = \"line\"\na = \"world\"\nposition_a = [0, 0, -0.1]\naxis_a = [1, 0, 0]\nb = \"bar\"\nposition_b = [1, 0, 0]\n[[body]]\nname = \"end\"\nmass = 1\nshape = {{ sphere = 0.1 }}\n[[joint]]\ntype = \"fixed\"\nparent = \"bar\"\nchild = \"end\"\nposition = [1, 0, 0]\n",
        bar("bar", "")
    );
    let told = findings("moved", &near);
    assert!(told.contains("'end' is moved by 1.0"), "{told}");
    // without the end nothing but the bar turns
    let alone = near.split("[[body]]\nname = \"end\"").next().unwrap();
    let told = findings("turned", alone);
    assert!(told.contains("'bar' is turned by 1.0"), "{told}");
    // two that cannot be closed are two findings
    let two = far.replace(
        "[[loop]]",
        "[[loop]]\ntype = \"point\"\na = \"world\"\nposition_a = [0, 0, 5]\nb = \"bar\"\n[[loop]]",
    );
    let told = findings("loops", &two);
    assert_eq!(told.matches("cannot be closed").count(), 2, "{told}");
    let told = findings("start", &bar("bar", "initial = 45\n"));
    assert!(told.contains("starts at 45 rad") && told.contains("90 deg"), "{told}");
    let told = findings("degrees", &bar("bar", "limits = [-90, 90]\n"));
    assert!(told.contains("14.3 turns") && told.contains("90 deg"), "{told}");
    let told = findings(
        "controller",
        &format!("{}[[controller]]\ntype = \"motor\"\njoint = \"bat\"\nvelocity = 1\n", bar("bar", "")),
    );
    assert!(told.contains("controller of 'bat'"), "{told}");
    let squeezed = "margin = 0.5\n[[static]]\nshape = { plane = {} }\n[[body]]\nname = \"ball\"\nshape = { sphere = 0.1 }\nposition = [0, 0, 0.09]\n";
    let told = findings("squeezed", squeezed);
    assert!(told.contains("stiffness") && told.contains("margin"), "{told}");
    // and nothing of what is well
    assert_eq!(findings("well", &bar("bar", "limits = [-1.5, 1.5]\n")), "");
}

#[test]
fn sections_are_carried_round_and_gears_cut() {
    let scene = |shape: &str| {
        let body = "[[body]]\nname = \"part\"\ndensity = 7800\n";
        read("parts", &format!("[parameters]\np = 0.004\n{body}shape = {shape}\n"))
    };
    let thread = "{ sweep = { section = [[0.01, -0.001], [0.012, -0.001], [0.012, 0.001], [0.01, 0.001]], pitch = \"= p\", turns = 3 } }";
    let track = "{ sweep = { section = [[0.01, -0.004], [0.02, -0.004], [0.02, -0.002, -0.3], [0.02, 0.002], [0.02, 0.004], [0.01, 0.004]] } }";
    for good in [
        thread,
        track,
        "{ torus = [0.05, 0.01] }",
        "{ gear = { module = 0.002, teeth = 20, width = 0.01, helix = 15 } }",
    ] {
        let scene = scene(good).unwrap_or_else(|e| panic!("{good}: {e}"));
        assert!(scene.model.mass() > 1e-3, "{good}");
    }
    for (bad, why) in [
        ("{ torus = [0.01, 0.02] }", "between"),
        (
            "{ sweep = { section = [[0.01, 0], [0.02, 0], [0.02, 0.01]], pitch = 0.002, turns = 2 } }",
            "taller than the pitch",
        ),
        ("{ sweep = { section = [[0.01, 0, 0, 1], [0.02, 0], [0.02, 0.01]] } }", "bulge"),
        ("{ gear = { module = 0.002, teeth = 3, width = 0.01 } }", "teeth"),
        ("{ gear = { module = 0.002, teeth = 20, width = 0.01 }, sphere = 1 }", "2 kinds"),
    ] {
        let error = scene(bad).expect_err(bad).to_string();
        assert!(error.contains(why) && error.contains("scene.toml:"), "{bad}: {error}");
    }
}
