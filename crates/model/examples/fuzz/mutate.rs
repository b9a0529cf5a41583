//! Sound inputs of every kind, and ways to damage them that know what texts and meshes are made of.

use std::fmt::Write;

use gudgeon_testkit::Rng;

use crate::Kind;

/// Inputs beyond this are not kept: they would only grow.
pub(crate) const MOST_BYTES: usize = 20_000;

const ARM: &str = include_str!("../../tests/data/arm.urdf");
const WALKER: &str = include_str!("../../tests/data/walker.xml");
const LOOP: &str = include_str!("../../tests/data/loop.xml");
const BLOCK: &str = include_str!("../../tests/data/meshes/block.obj");
const FOUR_BAR: &str = include_str!("../../../../scenes/four-bar.toml");
const CRATE: &str = include_str!("../../../../scenes/pushed-crate.toml");

const MESHES: &str = r#"<robot name="m"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<visual><geometry><mesh filename="m.dae" scale="1 -1 1"/></geometry></visual><collision><geometry><mesh filename="m.stl"/></geometry></collision></link>
<link name="b"><collision><origin quat_xyzw="0 0 0 1"/><geometry><mesh filename="package://x/m.obj" scale="2"/></geometry></collision></link>
<joint name="j" type="planar"><parent link="a"/><child link="b"/><axis xyz="1 1 0"/><limit lower="1" upper="2"/></joint></robot>"#;

const ASSETS: &str = r#"<mujoco><compiler autolimits="true" eulerseq="zyx" balanceinertia="true" boundmass="0.1"/>
<default><default class="c"><geom type="box" size=".1 .2 .3"/><equality solref="0 1"/></default></default>
<asset><mesh name="m" file="m.msh"/><mesh name="v" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 0 0 0 1 0 0 0 0"/></asset>
<worldbody><geom type="hfield" hfield="h"/><replicate count="3" offset="0 0 1" euler="0 0 30"><body pos="0 0 2"><freejoint/><geom class="c"/></body></replicate>
<body name="a"><joint name="x" type="slide" springdamper=".1 1"/><joint name="y" type="ball"/><geom type="mesh" mesh="m"/><site name="s"/>
<body name="b" pos="1 0 0"><joint name="z" range="-1 1"/><geom type="capsule" mesh="v"/><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/><site name="t"/></body></body></worldbody>
<contact><pair geom1="g" geom2="h"/></contact><tendon><fixed name="t" range="-1 1"><joint joint="x" coef="2"/></fixed></tendon>
<equality><weld body1="a" body2="b" relpose="0 0 0 1 0 0 0"/><connect site1="s" site2="t"/></equality>
<actuator><general joint="z" gainprm="3" biastype="affine" biasprm="0 -3 -1" ctrlrange="-1 1"/><position tendon="t" kp="3" dampratio="1"/></actuator>
<keyframe><key name="k" qpos="0 0 0" ctrl="1 2"/></keyframe></mujoco>"#;

const SCENE: &str = r#"dt = 0.01
facets = 8
[[material]]
name = "ice"
friction = 0.1
[[static]]
shape = { heightfield = { rows = 2, cols = 2, dx = 1.0, dy = 1.0, heights = [0.0, 0.0, 0.1, 0.0] } }
[[body]]
name = "b"
shape = { compound = [{ box = [0.1, 0.2, 0.3] }, { cylinder = [0.1, 0.2], position = [0.0, 0.0, 1.0] }, { hull = { points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] } }] }
mass = 2.0
[[body]]
shape = { mesh = { file = "m.obj", scale = [1.0, 2.0, 3.0] } }
[[model]]
file = "arm.urdf"
base = "free"
[model.joints]
shoulder = 0.5
[[push]]
body = "b"
force = [1.0, 0.0, 0.0]
until = 0.5
"#;

const DAE: &str = r##"<?xml version="1.0"?><COLLADA><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>0 1 2</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"##;

/// A tetrahedron.
const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(4_u32.to_le_bytes());
    for face in FACES {
        bytes.extend([0; 12]);
        bytes.extend(face.iter().flat_map(|&v| CORNERS[v]).flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text_stl() -> Vec<u8> {
    let mut text = String::from("solid t\n");
    for face in FACES {
        text.push_str("facet normal 0 0 0\nouter loop\n");
        for v in face {
            let [x, y, z] = CORNERS[v];
            let _ = writeln!(text, "vertex {x} {y} {z}");
        }
        text.push_str("endloop\nendfacet\n");
    }
    (text + "endsolid\n").into_bytes()
}

fn msh() -> Vec<u8> {
    let mut bytes: Vec<u8> = [4_u32, 0, 0, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend(CORNERS.iter().flatten().flat_map(|x| x.to_le_bytes()));
    let corner = |v: &usize| u32::try_from(*v).expect("below four").to_le_bytes();
    bytes.extend(FACES.iter().flatten().flat_map(corner));
    bytes
}

/// Sound inputs.
pub(crate) fn seeds(kind: Kind) -> Vec<Vec<u8>> {
    let texts: &[&str] = match kind {
        Kind::Urdf => &[ARM, MESHES],
        Kind::Mjcf => &[WALKER, LOOP, ASSETS],
        Kind::Toml => &[FOUR_BAR, CRATE, SCENE],
        Kind::Obj => {
            &[BLOCK, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1/1/1 3 2\nf 1 2 -1\nf 1 4 3\nf 2 3 4\n"]
        }
        Kind::Dae => &[DAE],
        Kind::Stl => return vec![binary_stl(), text_stl()],
        Kind::Msh => return vec![msh()],
    };
    texts.iter().map(|t| t.as_bytes().to_vec()).collect()
}

/// A robot whose two links touch with a mesh.
pub(crate) fn with_mesh(file: &str) -> String {
    let mesh = format!("<geometry><mesh filename=\"{file}\" scale=\"0.5 0.5 0.5\"/></geometry>");
    let inertial = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
    let link = |name: &str| {
        format!("<link name=\"{name}\">{inertial}<visual>{mesh}</visual><collision>{mesh}</collision></link>")
    };
    let joint = "<joint name=\"j\" type=\"floating\"><parent link=\"a\"/><child link=\"b\"/></joint>";
    format!("<robot name=\"r\">{}{}{joint}</robot>", link("a"), link("b"))
}

const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-320",
    "1e-30",
    "1e-9",
    "1e9",
    "1e20",
    "1e40",
    "1e41",
    "1e308",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "4294967295",
    "-2147483648",
    "18446744073709551616",
    "999999999",
    "1e",
    "0x10",
];

const WORDS: [&str; 40] = [
    "free",
    "hinge",
    "slide",
    "ball",
    "box",
    "capsule",
    "ellipsoid",
    "cylinder",
    "mesh",
    "hfield",
    "plane",
    "sphere",
    "sdf",
    "revolute",
    "continuous",
    "prismatic",
    "fixed",
    "floating",
    "planar",
    "spherical",
    "true",
    "false",
    "auto",
    "a",
    "b",
    "world",
    "m.stl",
    "m.obj",
    "m.dae",
    "m.msh",
    "../m.stl",
    "/etc/passwd",
    "package://a/m.stl",
    "1 0 0 0",
    "0 0 0 0",
    "1 2 3",
    "0 0 0",
    "",
    "exact",
    "affine",
];

const PIECES: [&str; 30] = [
    "<link name=\"b\"/>",
    "<mimic joint=\"j\"/>",
    "<mimic joint=\"right_finger\" multiplier=\"0\"/>",
    "<origin rpy=\"1e9 0 0\"/>",
    "<origin quat_xyzw=\"0 0 0 0\"/>",
    "<limit lower=\"2\" upper=\"1\"/>",
    "<inertial><mass value=\"-1\"/></inertial>",
    "<body><geom size=\"1\"/></body>",
    "<body name=\"a\">",
    "</body>",
    "<freejoint/>",
    "<joint type=\"ball\"/>",
    "<geom type=\"mesh\" mesh=\"m\"/>",
    "<geom fromto=\"0 0 0 0 0 0\" size=\"1\"/>",
    "<frame euler=\"1 2 3\">",
    "<default class=\"c\">",
    "<replicate count=\"1000\">",
    "<include file=\"model.xml\"/>",
    "<compiler angle=\"radian\"/>",
    "<inertial pos=\"0 0 0\" mass=\"0\" diaginertia=\"1 1 9\"/>",
    "<weld body1=\"a\" body2=\"a\"/>",
    "<!-- ",
    " -->",
    "<![CDATA[",
    "]]>",
    "<!DOCTYPE a>",
    "&#0;",
    "&lt;",
    "[[body]]\n",
    "shape = { sphere = 1.0 }\n",
];

/// Where tokens of a text start: tags, values, numbers and lines.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    let mut list: Vec<usize> = (0..bytes.len()).filter(|&k| b"<>\"' \n=[],".contains(&bytes[k])).collect();
    list.push(bytes.len());
    list
}

/// A kept input, or two put together, with one to eight injuries.
pub(crate) fn mutated(kind: Kind, kept: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    // half of them from a sound one, which come first: most that are kept are broken
    let sound = seeds(kind).len();
    let choice = if rng.chance(0.5) { sound } else { kept.len() };
    let mut bytes = kept[rng.below(choice)].clone();
    let most = rng.pick(&[1, 2, 8]);
    for _ in 0..rng.between(1, most) {
        let binary = kind == Kind::Msh || (kind == Kind::Stl && rng.chance(0.5));
        if binary { injure_bytes(&mut bytes, rng) } else { injure_text(&mut bytes, kept, rng) }
    }
    bytes.truncate(4 * MOST_BYTES);
    bytes
}

fn injure_bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    if bytes.is_empty() {
        bytes.push(0);
    }
    let at = rng.below(bytes.len());
    match rng.below(5) {
        0 => bytes[at] ^= 1 << rng.below(8),
        1 => bytes.truncate(at),
        2 => {
            let word = [0, 1, u32::MAX, 0x7fc0_0000, 0x7f80_0000, 0x7f7f_ffff, 1 << 31, 4, 5];
            let word = rng.pick(&word).to_le_bytes();
            let at = at & !3;
            bytes.iter_mut().skip(at).zip(word).for_each(|(b, w)| *b = w);
        }
        3 => {
            let copy = bytes[at..].to_vec();
            bytes.extend(copy);
        }
        _ => bytes.insert(at, u8::try_from(rng.below(256)).expect("a byte")),
    }
}

/// Another value between quotes: the text stays well-formed and the readers get to see it.
/// Answers whether there is one.
fn injure_value(bytes: &mut Vec<u8>, rng: &mut Rng) -> bool {
    let quotes: Vec<usize> = (1..bytes.len()).filter(|&k| bytes[k] == b'"').collect();
    let starts: Vec<usize> = (0..quotes.len()).filter(|&k| bytes[quotes[k] - 1] == b'=').collect();
    if starts.is_empty() {
        return false;
    }
    let inside = |k: usize| quotes[k] + 1..quotes.get(k + 1).copied().unwrap_or(bytes.len());
    let (to, from) = (inside(rng.pick(&starts)), inside(rng.pick(&starts)));
    let value = match rng.below(4) {
        0 => rng.pick(&WORDS).into(),
        1 => bytes[from].to_vec(),
        _ => {
            // one number of several
            let text = String::from_utf8_lossy(&bytes[to.clone()]).into_owned();
            let mut words: Vec<&str> = text.split(' ').collect();
            let k = rng.below(words.len());
            words[k] = rng.pick(&NUMBERS);
            words.join(" ").into_bytes()
        }
    };
    drop(bytes.splice(to, value));
    true
}

fn injure_text(bytes: &mut Vec<u8>, kept: &[Vec<u8>], rng: &mut Rng) {
    if rng.chance(0.6) && injure_value(bytes, rng) {
        return;
    }
    let places = cuts(bytes);
    let a = rng.below(places.len());
    let (at, next) = (places[a], places.get(a + 1).copied().unwrap_or(bytes.len()));
    let inside = (at + 1).min(next);
    // up to a dozen tokens further on
    let far = places[(a + rng.between(1, 12)).min(places.len() - 1)];
    match rng.below(9) {
        0 | 1 => drop(bytes.splice(inside..next, rng.pick(&NUMBERS).bytes())),
        2 => drop(bytes.splice(inside..next, rng.pick(&WORDS).bytes())),
        3 => drop(bytes.splice(at..at, rng.pick(&PIECES).bytes())),
        4 => drop(bytes.splice(at..far, [])),
        5 => {
            let piece = bytes[at..far].to_vec();
            let to = places[rng.below(places.len())];
            drop(bytes.splice(to..to, piece));
        }
        6 => {
            let other = &kept[rng.below(kept.len())];
            let from = cuts(other);
            let b = rng.below(from.len());
            let end = from[(b + rng.between(1, 30)).min(from.len() - 1)];
            drop(bytes.splice(at..at, other[from[b]..end].iter().copied()));
        }
        7 => {
            // one token in place of another
            let from = places[rng.below(places.len())];
            let end = places.iter().copied().find(|p| *p > from).unwrap_or(bytes.len());
            let word = bytes[(from + 1).min(end)..end].to_vec();
            drop(bytes.splice(inside..next, word));
        }
        _ => injure_bytes(bytes, rng),
    }
}
