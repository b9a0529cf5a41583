//! The page of all keys of a scene file and what one key means, made from the tables that read it.

use std::fmt::Write;

use super::schema::{
    ApartTable, BodyTable, CamTable, ControllerTable, CouplingTable, EulerTable, FileTable, GearTable,
    HeightfieldTable, JointTable, Key, LoopTable, MaterialTable, MimicTable, ModelTable, PointsTable,
    PushTable, RackTable, SceneTable, ShapeTable, StaticTable, SweepTable, TermTable, ToothedTable,
    TrianglesTable, TurnTable,
};

/// A table of a scene file: how a page names it, how its type is called, its keys.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) heading: &'static str,
    about: &'static str,
    /// Of the reader, as keys that hold it name it.
    pub(super) rust: &'static str,
    pub(super) keys: &'static [Key],
}

macro_rules! parts {
    ($($table:ident, $heading:literal, $about:literal;)*) => {
        /// In the order of the page.
        pub(super) const PARTS: &[Part] = &[$(
            Part { heading: $heading, about: $about, rust: stringify!($table), keys: $table::KEYS }
        ),*];
    };
}

parts! {
    SceneTable, "Top of the file", "";
    MaterialTable, "`[[material]]`", "What is not said is as at the top of the file.";
    StaticTable, "`[[static]]`", "A shape of the world.";
    BodyTable, "`[[body]]`", "";
    ShapeTable, "`shape = { .. }`", "Exactly one kind, and where it stands in the body.";
    TurnTable, "A turn: `{ axis = .., degrees = .. }`", "In place of a quaternion `[w, x, y, z]`.";
    EulerTable, "A turn: `{ euler = .. }`", "Likewise.";
    FileTable, "`mesh` and `hull`: a file", "";
    TrianglesTable, "`mesh`: triangles", "";
    PointsTable, "`hull`: points", "";
    SweepTable, "`sweep`", "";
    ToothedTable, "`gear`, a shape", "";
    HeightfieldTable, "`heightfield`", "";
    JointTable, "`[[joint]]`", "Makes a body hang on another; its frame is then the joint's frame.";
    MimicTable, "`mimic`", "";
    LoopTable, "`[[loop]]`", "";
    CouplingTable, "`[[coupling]]`", "";
    TermTable, "A term of a coupling", "";
    GearTable, "`[[gear]]`", "";
    RackTable, "`[[rack]]`", "";
    CamTable, "`[[cam]]`", "";
    ModelTable, "`[[model]]`", "";
    ApartTable, "`[[apart]]`", "";
    PushTable, "`[[push]]`", "";
    ControllerTable, "`[[controller]]`", "";
}

const HEAD: &str = "\
# Scene files: all keys

Made from the reader's own tables: `cargo run -p gudgeon-model --example scene_keys > docs/scene-file.md`. Examples are in
[scenes/](../scenes), one mechanism each, with its theory in the head. `gudgeon sim --explain friction`, or `--explain joint.friction`, prints
what a key means. [scene.schema.json](scene.schema.json) is for editors (`-- --schema` of the same example): with Even Better TOML or Taplo,
`#:schema PATH/scene.schema.json` in the first line of a file completes and checks its keys.

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
    for Part { heading, about, keys, .. } in PARTS {
        let _ = write!(text, "\n## {heading}\n\n");
        if !about.is_empty() {
            let _ = write!(text, "{about}\n\n");
        }
        text.push_str("| key | value | meaning |\n|---|---|---|\n");
        for key in *keys {
            let _ = writeln!(text, "| `{}` | {} | {} |", name(key), kind(key.kind), meaning(key));
        }
    }
    text
}

/// What a key means in every table that has it, a line each: `KEY`, or `TABLE.KEY` as in `--set`; the names nearest to it if there
/// is none.
pub(crate) fn explain(wanted: &str) -> Result<String, Vec<String>> {
    let (table, key) = wanted.rsplit_once('.').map_or((None, wanted), |(t, k)| (Some(t), k));
    let mut text = String::new();
    for part in PARTS {
        if table.is_some_and(|t| !part.is(t)) {
            continue;
        }
        for k in part.keys.iter().filter(|k| name(k) == key) {
            let place = part.heading.replace('`', "");
            let _ = writeln!(
                text,
                "{place}: {key}, {}: {}",
                kind(k.kind).replace('`', ""),
                meaning(k).replace('`', "")
            );
        }
    }
    if !text.is_empty() {
        return Ok(text);
    }
    let mut near: Vec<(usize, &str)> =
        PARTS.iter().flat_map(|p| p.keys).map(|k| (distance(name(k), key), name(k))).collect();
    near.sort_unstable();
    near.dedup();
    Err(near.iter().take(3).map(|(_, n)| (*n).to_owned()).collect())
}

impl Part {
    /// Whether it is called so: `body`, `[[body]]` or `top`.
    fn is(&self, table: &str) -> bool {
        let bare = |text: &str| text.trim_matches(|c| "`[]".contains(c)).to_ascii_lowercase();
        let heading = self.heading.split_once(" =").map_or(self.heading, |(first, _)| first);
        bare(heading) == bare(table)
            || bare(heading).split(|c: char| !c.is_alphanumeric()).any(|w| w == bare(table))
    }
}

/// Letters to change, add or take away between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// What stands between the quotes of a note.
fn quoted(key: &Key, starts: &str) -> Option<&'static str> {
    let note = key.notes.iter().find(|n| n.trim_start().starts_with(starts))?;
    let note = note.find(if starts == "serde" { "rename" } else { "doc" }).map(|k| &note[k..])?;
    let (_, rest) = note.split_once('"')?;
    rest.split_once('"').map(|(inside, _)| inside.trim())
}

pub(super) fn name(key: &Key) -> &'static str {
    quoted(key, "serde").unwrap_or(key.name)
}

/// The first line of what is written above the key.
pub(super) fn meaning(key: &Key) -> &'static str {
    quoted(key, "doc").unwrap_or("")
}

/// A key's type without what only says that it may be missing, or where it stands.
pub(super) fn bare(ty: &str) -> String {
    let mut ty: String = ty.chars().filter(|c| !c.is_whitespace()).collect();
    for wrap in ["Option<", "Spanned<", "Option<"] {
        if let Some(inner) = ty.strip_prefix(wrap).and_then(|t| t.strip_suffix('>')) {
            ty = inner.to_owned();
        }
    }
    ty
}

/// Rust's types in words.
fn kind(ty: &str) -> &'static str {
    match bare(ty).as_str() {
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
        for Part { heading, keys, .. } in PARTS {
            for key in *keys {
                let known = !meaning(key).is_empty() || *heading == "`[[material]]`";
                assert!(known, "{heading}: {} says nothing", key.name);
            }
        }
        assert!(page().contains("| `static` | table | Shapes of the world. |"));
    }

    #[test]
    fn a_key_is_explained_in_every_table_that_has_it_or_in_one() {
        let all = explain("mass").unwrap();
        assert_eq!(all, "[[body]]: mass, number: kg; from the shape at density unless given.\n");
        assert!(explain("friction").unwrap().lines().count() >= 5);
        assert_eq!(
            explain("joint.friction").unwrap(),
            "[[joint]]: friction, number: Dry friction, N m or N.\n"
        );
        assert_eq!(explain("static").unwrap(), "Top of the file: static, table: Shapes of the world.\n");
        assert!(explain("frictoin").unwrap_err().contains(&"friction".to_owned()));
    }
}
