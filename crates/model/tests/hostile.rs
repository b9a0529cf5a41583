//! Files that mean harm end in a clear error or in a model, soon, and never in a crash.

use std::path::Path;

use gudgeon_model::{LoadOptions, ModelFileError, load_text};
use proptest::prelude::*;

use crate::{data, text};

fn refused(name: &str, xml: &str, words: &str) {
    let error = text(name, xml).expect_err(words);
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn entities_do_not_expand() {
    let mut bomb = String::from("<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY a0 \"lol\">");
    for k in 1..20 {
        let inner = format!("&a{};", k - 1).repeat(10);
        bomb.extend(["<!ENTITY a", &k.to_string(), " \"", &inner, "\">"]);
    }
    bomb.push_str("]><robot name=\"&a19;\"/>");
    refused("bomb.urdf", &bomb, "DTD");
    refused("bomb.xml", &bomb.replace("robot", "mujoco"), "DTD");
}

#[test]
fn nesting_and_size_are_bounded() {
    let deep = format!("<mujoco><worldbody>{}", "<body>".repeat(1_000_000));
    refused("deep.xml", &deep, "nested elements");
    refused("deep.urdf", &format!("<robot>{}", "<a>".repeat(1_000_000)), "nested elements");
    // at the limit it is still read, on the small stack of a test
    let level = "<body><joint/><geom size=\".1\"/>";
    let legal =
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", level.repeat(2000), "</body>".repeat(2000));
    assert_eq!(text("legal.xml", &legal).unwrap().0.model.n_v(), 2000);
    // unread elements may nest as deep as the limit
    let deep = format!(
        "<robot name=\"r\"><link name=\"a\"/>{}{}</robot>",
        "<a>".repeat(19_000),
        "</a>".repeat(19_000)
    );
    assert_eq!(text("unread.urdf", &deep).unwrap().0.model.n_v(), 0);
    let small = LoadOptions::default();
    let limits = gudgeon_model::Limits { elements: 100, ..small.limits };
    let wide = format!("<robot>{}</robot>", "<a/>".repeat(1000));
    let error = load_text(Path::new("wide.urdf"), &wide, &LoadOptions { limits, ..small }).unwrap_err();
    assert!(matches!(error, ModelFileError::Limit { what: "elements", .. }), "{error}");
}

#[test]
fn copies_of_copies_are_bounded() {
    let mut xml = String::from("<mujoco><worldbody>");
    for _ in 0..10 {
        xml.push_str("<replicate count=\"1000\">");
    }
    xml.push_str("<body><joint/><geom size=\".1\"/></body>");
    xml.push_str(&"</replicate>".repeat(10));
    xml.push_str("</worldbody></mujoco>");
    refused("copies.xml", &xml, "copies");
}

#[test]
fn files_cannot_lead_out_of_the_model() {
    let mesh = |file: &str| {
        format!(
            r#"<robot name="r"><link name="a"><collision><geometry><mesh filename="{file}"/></geometry></collision></link></robot>"#
        )
    };
    let here = data("escape.urdf");
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    let error = load_text(&here, &mesh("../../src/secret.stl"), &strict).unwrap_err();
    assert!(matches!(error, ModelFileError::Escape { .. }), "{error}");
    // a mesh beside the model may be named, and is not there
    let error = load_text(&here, &mesh("../../src/secret.stl"), &LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("not found"), "{error}");
    for file in ["/etc/passwd", "file:///etc/passwd", "meshes/../../../Cargo.toml"] {
        let error = load_text(&here, &mesh(file), &LoadOptions::default()).unwrap_err();
        assert!(matches!(error, ModelFileError::Escape { .. }), "{file}: {error}");
    }
    let error = load_text(&here, &mesh("package://../../etc/passwd"), &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, ModelFileError::Read { .. } | ModelFileError::Escape { .. }), "{error}");
    let error = load_text(&here, &mesh("nothing.stl"), &LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("escape.urdf:1: file 'nothing.stl' not found"), "{error}");
    assert!(load_text(&here, &mesh("meshes/block.obj"), &LoadOptions::default()).is_ok());
    let include = r#"<mujoco><include file="../../Cargo.toml"/></mujoco>"#;
    let error = load_text(&data("escape.xml"), include, &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, ModelFileError::Escape { .. }), "{error}");
}

#[test]
fn a_file_that_includes_itself_ends() {
    let xml = r#"<mujoco><include file="again.xml"/></mujoco>"#;
    let directory = std::env::temp_dir().join(format!("gudgeon-include-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("again.xml"), xml).unwrap();
    let error = gudgeon_model::load_scene(&directory.join("again.xml")).unwrap_err();
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(matches!(error, ModelFileError::Limit { what: "included files", .. }), "{error}");
}

#[test]
fn numbers_and_names_are_checked_with_their_line() {
    let urdf = |inner: &str| format!("<robot name=\"r\">\n<link name=\"a\"/>\n{inner}\n</robot>");
    refused(
        "n.urdf",
        &urdf("<link name=\"b\"><inertial><mass value=\"1e999\"/></inertial></link>"),
        "n.urdf:3: value of mass is '1e999'",
    );
    refused(
        "n.urdf",
        &urdf("<link name=\"b\"><inertial><mass value=\"NaN\"/></inertial></link>"),
        "finite numbers",
    );
    refused("n.urdf", &urdf("<link/>"), "n.urdf:3: link has no name");
    refused("n.urdf", &urdf("<link name=\"a\"/>"), "n.urdf:3: link 'a' is already there");
    refused(
        "n.urdf",
        &urdf("<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"z\"/></joint>"),
        "no such link",
    );
    refused("n.urdf", &urdf("<link name=\"b\"/>"), "2 roots");
    refused(
        "n.urdf",
        &urdf(
            "<link name=\"b\"/><joint name=\"j\" type=\"slip\"><parent link=\"a\"/><child link=\"b\"/></joint>",
        ),
        "'slip'",
    );
    refused("n.urdf", "<robot", "n.urdf:1");
    refused("n.urdf", "", "n.urdf");
    refused(
        "n.xml",
        "<mujoco>\n<worldbody>\n<geom size=\"1 2 x\"/></worldbody></mujoco>",
        "n.xml:3: size of geom is 'x'",
    );
    refused(
        "n.xml",
        "<mujoco><worldbody><body><geom class=\"none\" size=\"1\"/></body></worldbody></mujoco>",
        "default class",
    );
    refused(
        "n.xml",
        "<mujoco><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>",
        "no such mesh",
    );
    refused(
        "n.xml",
        "<mujoco><equality><connect body1=\"a\" anchor=\"0 0 0\"/></equality></mujoco>",
        "no such body",
    );
}

/// Elements of both formats.
const TAGS: &[&str] = &[
    "robot",
    "link",
    "joint",
    "inertial",
    "mass",
    "inertia",
    "origin",
    "collision",
    "visual",
    "geometry",
    "box",
    "mesh",
    "parent",
    "child",
    "axis",
    "limit",
    "mimic",
    "mujoco",
    "worldbody",
    "body",
    "geom",
    "freejoint",
    "default",
    "compiler",
    "option",
    "asset",
    "equality",
    "connect",
    "weld",
    "tendon",
    "fixed",
    "actuator",
    "motor",
    "position",
    "general",
    "contact",
    "exclude",
    "pair",
    "frame",
    "replicate",
    "keyframe",
    "key",
    "site",
    "hfield",
];

/// Attributes of both formats.
const KEYS: &[&str] = &[
    "name",
    "type",
    "xyz",
    "rpy",
    "value",
    "ixx",
    "iyy",
    "izz",
    "size",
    "radius",
    "length",
    "filename",
    "link",
    "joint",
    "lower",
    "upper",
    "pos",
    "quat",
    "euler",
    "axisangle",
    "zaxis",
    "xyaxes",
    "fromto",
    "mass",
    "density",
    "class",
    "childclass",
    "range",
    "limited",
    "ref",
    "mesh",
    "vertex",
    "face",
    "anchor",
    "body1",
    "body2",
    "joint1",
    "polycoef",
    "count",
    "offset",
    "gear",
    "kp",
    "gainprm",
    "biastype",
    "qpos",
    "friction",
    "condim",
    "contype",
    "fullinertia",
    "diaginertia",
    "scale",
    "nrow",
    "ncol",
    "elevation",
];

/// What attributes may be expected to hold, and what not.
const VALUES: &[&str] = &[
    "a",
    "b",
    "0",
    "1",
    "-1",
    "1 2 3",
    "0 0 0",
    "1 0 0 0",
    "0 0 0 0",
    "1e38 1e38 1e38",
    "1e-300",
    "nan",
    "inf",
    "1 2",
    "free",
    "hinge",
    "slide",
    "ball",
    "box",
    "capsule",
    "mesh",
    "revolute",
    "fixed",
    "prismatic",
    "floating",
    "true",
    "false",
    "0 0 0 0 0 1",
    "0 0 0 1 0 0 0 1 0 0 0 1",
    "../../x.stl",
    "package://a/b.stl",
    "999999999",
    "0.5 0.5 0.5",
    "affine",
    "main",
    "1 1 1 0 0 0",
];

fn element(tag: &str, attributes: &[(&str, String)], inner: &str) -> String {
    let mut seen = std::collections::BTreeSet::new();
    let list: Vec<String> =
        attributes.iter().filter(|(k, _)| seen.insert(*k)).map(|(k, v)| format!(" {k}=\"{v}\"")).collect();
    format!("<{tag}{}>{inner}</{tag}>", list.concat())
}

/// Bits of both formats, put together at random: mostly sense, some nonsense.
fn scrap() -> impl Strategy<Value = String> {
    let (tag, key) = (prop::sample::select(TAGS), prop::sample::select(KEYS));
    let value = prop_oneof![prop::sample::select(VALUES).prop_map(str::to_owned), "[ -~&&[^<&\"]]{0,12}"];
    let leaf = (tag, prop::collection::vec((key, value), 0..5));
    leaf.clone().prop_map(|(tag, list)| element(tag, &list, "")).prop_recursive(6, 60, 6, move |inner| {
        (leaf.clone(), prop::collection::vec(inner, 0..6))
            .prop_map(|((tag, list), parts)| element(tag, &list, &parts.concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn scraps_of_the_formats_end_in_a_model_or_an_error(inner in scrap()) {
        let _ = text("scrap.urdf", &format!("<robot name=\"r\"><link name=\"a\"/>{inner}</robot>"));
        let _ = text("scrap.xml", &format!("<mujoco><worldbody><body name=\"a\"><joint name=\"b\"/><geom size=\".1\"/>{inner}</body></worldbody>{inner}</mujoco>"));
    }

    #[test]
    fn damaged_models_end_in_a_model_or_an_error(at in 0_usize..4000, cut in 0_usize..40, put in "[ -~]{0,6}", which in 0_usize..2) {
        let name = ["arm.urdf", "walker.xml"][which];
        let mut bytes = std::fs::read(data(name)).unwrap();
        let at = at % bytes.len();
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, put.bytes());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _ = load_text(&data(name), &text, &LoadOptions::default());
    }

    #[test]
    fn noise_is_refused(noise in "\\PC{0,200}") {
        let _ = text("noise.urdf", &noise);
        let _ = text("noise.xml", &noise);
    }
}
