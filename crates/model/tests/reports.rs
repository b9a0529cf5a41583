//! Nothing is dropped without a word.

use gudgeon_model::{Base, Fate, LoadOptions, ModelFileError, Severity, load_scene_with};

use crate::{data, load, text};

fn fate<'a>(report: &'a gudgeon_model::ImportReport, item: &str) -> Vec<&'a Fate> {
    report.entries.iter().filter(|e| e.item == item).map(|e| &e.fate).collect()
}

#[test]
fn every_attribute_of_a_file_is_in_the_report_once() {
    for name in ["arm.urdf", "walker.xml", "loop.xml"] {
        let (_, report) = load(name, &LoadOptions::default());
        let text = std::fs::read_to_string(data(name)).unwrap();
        let attributes = text.matches("=\"").count() - usize::from(text.starts_with("<?xml"));
        let own = report.entries.iter().filter(|e| e.at.file == data(name) && e.item.contains('@')).count();
        assert_eq!(own, attributes, "{name}");
        assert!(
            !report.entries.iter().any(|e| e.fate == Fate::Ignored("not known to this reader".into())),
            "{report}"
        );
    }
}

#[test]
fn losses_say_why() {
    let (_, report) = load("arm.urdf", &LoadOptions::default());
    assert!(matches!(fate(&report, "joint/limit@velocity")[0], Fate::Ignored(why) if why.contains("speeds")));
    assert!(matches!(fate(&report, "robot/transmission")[0], Fate::Ignored(_)));
    assert!(
        matches!(fate(&report, "transmission/type")[0], Fate::Ignored(why) if why.contains("controllers"))
    );
    assert_eq!(fate(&report, "joint/mimic"), [&Fate::Used]);
    let (_, report) = load("walker.xml", &LoadOptions::default());
    assert_eq!(fate(&report, "actuator/muscle"), [&Fate::Used]);
    assert!(
        matches!(fate(&report, "default/joint@solimplimit")[0], Fate::Ignored(why) if why.contains("hard"))
    );
    assert!(report.to_string().contains("ignored"));
    let json = report.to_json();
    assert_eq!(json["used"], report.counts().0);
}

#[test]
fn a_speed_that_a_keyframe_asks_for_is_taken_over() {
    let model = |control: &str| {
        format!(
            r#"<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody>
            <actuator><velocity joint="j" kv="2"/></actuator>
            <keyframe><key name="k" ctrl="{control}"/></keyframe></mujoco>"#
        )
    };
    let options = LoadOptions { keyframe: Some("k".into()), ..LoadOptions::default() };
    for (control, speed) in [("0", 0.0), ("1.5", 1.5)] {
        let (scene, report) = gudgeon_model::load_text("m.xml".as_ref(), &model(control), &options).unwrap();
        assert_eq!(fate(&report, "keyframe/key@ctrl")[0], &Fate::Used, "{report}");
        let gudgeon_sim::Controller::Actuator(a) = &scene.controllers[0] else { panic!("an actuator") };
        assert_eq!(a.control, speed);
    }
}

#[test]
fn strict_reading_refuses_losses() {
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    let error = load_scene_with(&data("arm.urdf"), &strict).unwrap_err();
    assert!(matches!(&error, ModelFileError::Strict { count, .. } if *count > 3), "{error}");
    let clean = r#"<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
        ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"#;
    assert!(gudgeon_model::load_text("clean.urdf".as_ref(), clean, &strict).is_ok());
}

#[test]
fn the_doctor_finds_what_is_odd_and_proposes_a_fix() {
    let body = |inertia: &str| {
        format!(
            r#"<robot name="r"><link name="world"/><link name="a"><inertial><mass value="1"/>{inertia}</inertial>
        <collision><geometry><sphere radius="1"/></geometry></collision></link>
        <joint name="j" type="revolute"><parent link="world"/><child link="a"/><axis xyz="0 0 1"/>
        <limit lower="0.5" upper="0.5" effort="0" velocity="1"/></joint>
        <link name="b"/><joint name="k" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"#
        )
    };
    let (scene, report) =
        text("odd.urdf", &body(r#"<inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/>"#)).unwrap();
    let find = |words: &str| {
        report.findings.iter().find(|f| f.what.contains(words)).unwrap_or_else(|| panic!("{report}"))
    };
    assert_eq!(find("raised to").severity, Severity::Warning);
    assert!(find("raised to").fix.contains("ixx 1.5"));
    find("moves no inertia");
    assert!(find("zero is outside of its limits").what.starts_with("starts at 0.5"));
    assert_eq!(scene.initial.q[0], 0.5);
    find("cannot move");
    assert!(scene.model.dofs()[1].armature > 0.0);
    assert!(matches!(fate(&report, "link/inertial")[0], Fate::Approximated(_)));
}

#[test]
fn links_of_a_urdf_that_overlap_are_set_apart_and_said_to_be() {
    let link = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
        </inertial><collision><geometry><sphere radius="0.2"/></geometry></collision></link>"#
        )
    };
    let joint = |name: &str, parent: &str, child: &str| {
        format!(
            r#"<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/><origin xyz="0.15 0 0"/></joint>"#
        )
    };
    let xml = format!(
        r#"<robot name="r">{}{}{}{}{}</robot>"#,
        link("a"),
        link("b"),
        link("c"),
        joint("ab", "a", "b"),
        joint("bc", "b", "c")
    );
    let (scene, report) = gudgeon_model::load_text(
        "overlap.urdf".as_ref(),
        &xml,
        &LoadOptions { base: Base::Fixed, ..LoadOptions::default() },
    )
    .unwrap();
    let pair = (scene.model.find("a").unwrap(), scene.model.find("c").unwrap());
    assert!(scene.apart.contains(&pair) || scene.apart.contains(&(pair.1, pair.0)));
    assert!(report.findings.iter().any(|f| f.what.contains("set apart")), "{report}");
}

/// A scene file of this text.
fn read(
    name: &str,
    text: &str,
    options: &LoadOptions,
) -> Result<(gudgeon_sim::Scene, gudgeon_model::ImportReport), ModelFileError> {
    let path = std::env::temp_dir().join(format!("gudgeon-{name}-{}.toml", std::process::id()));
    std::fs::write(&path, text).expect("a file in the temporary folder");
    let read = load_scene_with(&path, options);
    std::fs::remove_file(&path).expect("it was written");
    read
}

#[test]
fn overlaps_are_told_by_name_and_by_what_the_surfaces_are() {
    let scene = |stiffness: &str| {
        format!(
            r#"{stiffness}
[[static]]
name = "bench"
shape = {{ box = [3.5, 2, 0.5] }}
position = [0, 0, -0.5]
[[body]]
repeat = 5
name = "ball{{i}}"
mass = 1
shape = {{ sphere = 0.1 }}
position = ["= i", 0, "= 0.0999 - 1e-5 * i"]
"#
        )
    };
    let told = |stiffness: &str, severity: Severity| -> Vec<String> {
        let (_, report) = read("press", &scene(stiffness), &LoadOptions::default()).unwrap();
        let some = report.findings.iter().filter(|f| f.severity == severity);
        some.map(|f| format!("{}: {}; {}", f.subject, f.what, f.fix)).collect()
    };
    let rigid = told("", Severity::Warning);
    assert_eq!(rigid.len(), 4, "one ball stands beside the bench: {rigid:?}");
    assert!(rigid[0].starts_with("'bench' and 'ball3': overlap by 1.300e-4 m"), "{rigid:?}");
    assert!(rigid[0].contains("stiffness") && rigid[3].starts_with("and 1 more: "), "{rigid:?}");
    let springs = told("stiffness = 1e6", Severity::Note);
    assert!(springs.iter().any(|f| f.contains("springs of 5.0e5 N/m push with 65.000 N")), "{springs:?}");
    assert!(told("stiffness = 1e6", Severity::Warning).is_empty());
}

#[test]
fn what_was_meant_is_said() {
    let scene =
        "[parameters]\ncrank = 1\n[[body]]\nname = \"a\"\nmas = \"= crank\"\nshape = { sphere = 0.1 }\n";
    let error = read("typo", scene, &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("did you mean `mass`?"), "{error}");
    let set = vec![("crnk".to_owned(), "2".to_owned())];
    let options = LoadOptions { set, ..LoadOptions::default() };
    let scene = scene.replace("mas =", "mass =");
    let error = read("typo", &scene, &options).unwrap_err().to_string();
    assert!(error.contains("a parameter of the file (crank)") && error.contains("`crank`?"), "{error}");
}
