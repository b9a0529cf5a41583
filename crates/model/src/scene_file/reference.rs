//! The page of all keys of a scene file, made from the tables that read it.

use std::fmt::Write;

use super::schema::{
    ApartTable, BodyTable, CamTable, ControllerTable, CouplingTable, EulerTable, FileTable, GearTable,
    HeightfieldTable, JointTable, Key, LoopTable, MaterialTable, MimicTable, ModelTable, PointsTable,
    PushTable, RackTable, SceneTable, ShapeTable, StaticTable, SweepTable, TermTable, ToothedTable,
    TrianglesTable, TurnTable,
};

/// (heading, what it is, keys), in the order of the page.
const TABLES: [(&str, &str, &[Key]); 25] = [
    ("Top of the file", "", SceneTable::KEYS),
    ("`[[material]]`", "What is not said is as at the top of the file.", MaterialTable::KEYS),
    ("`[[static]]`", "A shape of the world.", StaticTable::KEYS),
    ("`[[body]]`", "", BodyTable::KEYS),
    ("`shape = { .. }`", "Exactly one kind, and where it stands in the body.", ShapeTable::KEYS),
    ("A turn: `{ axis = .., degrees = .. }`", "In place of a quaternion `[w, x, y, z]`.", TurnTable::KEYS),
    ("A turn: `{ euler = .. }`", "Likewise.", EulerTable::KEYS),
    ("`mesh` and `hull`: a file", "", FileTable::KEYS),
    ("`mesh`: triangles", "", TrianglesTable::KEYS),
    ("`hull`: points", "", PointsTable::KEYS),
    ("`sweep`", "", SweepTable::KEYS),
    ("`gear`, a shape", "", ToothedTable::KEYS),
    ("`heightfield`", "", HeightfieldTable::KEYS),
    ("`[[joint]]`", "Makes a body hang on another; its frame is then the joint's frame.", JointTable::KEYS),
    ("`mimic`", "", MimicTable::KEYS),
    ("`[[loop]]`", "", LoopTable::KEYS),
    ("`[[coupling]]`", "", CouplingTable::KEYS),
    ("A term of a coupling", "", TermTable::KEYS),
    ("`[[gear]]`", "", GearTable::KEYS),
    ("`[[rack]]`", "", RackTable::KEYS),
    ("`[[cam]]`", "", CamTable::KEYS),
    ("`[[model]]`", "", ModelTable::KEYS),
    ("`[[apart]]`", "", ApartTable::KEYS),
    ("`[[push]]`", "", PushTable::KEYS),
    ("`[[controller]]`", "", ControllerTable::KEYS),
];

const HEAD: &str = "\
# Scene files: all keys

Made from the reader's own tables: `cargo run -p gudgeon-model --example scene_keys > docs/scene-file.md`. Examples are in
[scenes/](../scenes), one mechanism each, with its theory in the head.

A key that is not listed is an error with its line. Lengths are m, angles rad unless a key says degrees. Before the keys are read:

- `include = \"file.toml\"`, or several in brackets: what the files say goes before; lists of tables are put after each other, and
  keys of the including file win. Names of files are relative to the file they stand in.
- `[parameters]`: names and numbers. A string that begins with `=` is a formula, anywhere in the file: `mass = \"= 2 * m\"`,
  `position = [\"= r * cos(30 deg)\", 0, 0]`. Operations `+ - * / ^`, functions sin cos tan asin acos atan atan2 sqrt abs exp ln floor ceil
  round sign min max hypot mod rad, constants pi and tau, units deg rpm mm cm um ms g kN MPa GPa right after a number or as factors.
- `repeat = n` in any list of tables writes a table n times, with i = 0, 1, .. in its formulas and `{i}`, `{i + 1}` in its names.
- `--set name=3` on the command line sets a parameter, `--set body.crank.mass=2` a key by its path: tables of a list by name, child,
  joint or number.
";

/// The page.
pub(crate) fn page() -> String {
    let mut text = HEAD.to_owned();
    for (heading, about, keys) in TABLES {
        let _ = write!(text, "\n## {heading}\n\n");
        if !about.is_empty() {
            let _ = write!(text, "{about}\n\n");
        }
        text.push_str("| key | value | meaning |\n|---|---|---|\n");
        for key in keys {
            let _ = writeln!(text, "| `{}` | {} | {} |", name(key), kind(key.kind), meaning(key));
        }
    }
    text
}

/// What stands between the quotes of a note.
fn quoted(key: &Key, starts: &str) -> Option<&'static str> {
    let note = key.notes.iter().find(|n| n.trim_start().starts_with(starts))?;
    let note = note.find(if starts == "serde" { "rename" } else { "doc" }).map(|k| &note[k..])?;
    let (_, rest) = note.split_once('"')?;
    rest.split_once('"').map(|(inside, _)| inside.trim())
}

fn name(key: &Key) -> &'static str {
    quoted(key, "serde").unwrap_or(key.name)
}

/// The first line of what is written above the key.
fn meaning(key: &Key) -> &'static str {
    quoted(key, "doc").unwrap_or("")
}

/// Rust's types in words.
fn kind(ty: &str) -> &'static str {
    let ty: String = ty.chars().filter(|c| !c.is_whitespace()).collect();
    let mut inner = ty.as_str();
    for wrap in ["Option<", "Spanned<", "Option<"] {
        inner = inner.strip_prefix(wrap).and_then(|t| t.strip_suffix('>')).unwrap_or(inner);
    }
    match inner {
        "f64" => "number",
        "[f64;2]" => "two numbers",
        "[f64;3]" => "three numbers",
        "[[f64;3];3]" => "three rows of three",
        "Vec<f64>" | "Vec<f32>" => "numbers",
        "Vec<Vec<f64>>" => "lists of numbers",
        "Vec<[f64;3]>" => "lists of three numbers",
        "Vec<[u32;3]>" => "lists of three whole numbers",
        "usize" | "u32" => "whole number",
        "bool" => "true or false",
        "String" => "text",
        "Vec<String>" => "texts",
        "OrientationValue" => "turn",
        "NumberOrList" => "number, or several",
        "Vec<NumberOrList>" => "numbers, or lists of them",
        "ScaleValue" => "number, or three",
        "RoundTable" => "`[half_height, radius]`",
        "FacetsValue" => "number or text",
        "ShapeTable" => "shape",
        "Vec<ShapeTable>" => "shapes",
        "MeshValue" | "HullValue" => "file name or table",
        _ => "table",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_name_and_most_a_meaning() {
        for (heading, _, keys) in TABLES {
            for key in keys {
                let known = !meaning(key).is_empty() || heading == "`[[material]]`";
                assert!(known, "{heading}: {} says nothing", key.name);
            }
        }
        assert!(page().contains("| `static` | table | Shapes of the world. |"));
    }
}
