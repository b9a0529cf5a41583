//! The order of the house: modules form no knots, files and functions stay short, small numbers have names, versions agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Lines of a file.
const LONG_FILE: usize = 400;
/// Lines of a function that are neither empty nor comments.
const LONG_FUNCTION: usize = 80;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every Rust file below a folder, sorted, with its name from there.
fn rust(folder: &Path) -> Vec<(String, String)> {
    sources(folder, &["rs"])
}

/// Folders of what is built or fetched, and of what a bundler makes.
const NOT_OURS: [&str; 5] = ["target", "node_modules", "dist", ".git", ".venv"];

/// Every file below a folder with one of these endings, sorted, with its name from there.
fn sources(folder: &Path, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&at) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|n| NOT_OURS.iter().all(|f| n != *f)) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|x| e == *x)) {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn crates() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("crates")).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Code alone: no comments, no tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    text.lines().filter(|l| !l.trim_start().starts_with("//")).flat_map(|l| [l, "\n"]).collect()
}

/// The first names after every `crate::`, in braces or alone.
fn names_after_crate(text: &str) -> Vec<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c == '$' || c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.push(word(rest));
            continue;
        };
        // the first word of every part at the outermost level
        let (mut depth, mut start) = (0, true);
        for (k, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                _ if start && (c.is_alphanumeric() || c == '_') => {
                    names.push(word(&list[k..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    names
}

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Which top modules of a crate name which others; a name that the root hands on counts for the module it comes from.
fn graph(files: &[(String, String)]) -> Graph {
    let lib = files.iter().find(|(name, _)| name == "lib.rs").map_or("", |(_, text)| text);
    let lib = code(lib);
    let mut home: BTreeMap<String, String> = BTreeMap::new();
    for statement in lib.split(';') {
        let statement = statement.trim_start_matches(|c: char| c.is_whitespace());
        let visible =
            ["pub use ", "pub(crate) use "].iter().find_map(|v| statement.rsplit_once(v).map(|(_, s)| s));
        let Some((module, names)) = visible.and_then(|s| s.split_once("::")) else { continue };
        for name in names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|n| !n.is_empty()) {
            home.insert(name.to_owned(), module.trim_start_matches("self::").to_owned());
        }
    }
    let top = |name: &str| name.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
    let modules: BTreeSet<String> =
        files.iter().map(|(n, _)| top(n)).filter(|m| m != "lib" && m != "main").collect();
    let mut graph: Graph = modules.iter().map(|m| (m.clone(), BTreeSet::new())).collect();
    for (name, text) in files {
        let from = top(name);
        let Some(edges) = graph.get_mut(&from) else { continue };
        for used in names_after_crate(&code(text)) {
            let to = if modules.contains(&used) { Some(&used) } else { home.get(&used) };
            edges.extend(to.filter(|to| **to != from && modules.contains(*to)).cloned());
        }
    }
    graph
}

fn reached<'a>(graph: &'a Graph, from: &'a str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for next in &graph[at] {
            if seen.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    seen
}

/// Modules that reach each other, knot by knot.
fn knots(graph: &Graph) -> Vec<Vec<String>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|m| (m.as_str(), reached(graph, m))).collect();
    let mut knots: BTreeSet<Vec<String>> = BTreeSet::new();
    for (m, from) in &reach {
        if from.contains(m) {
            knots.insert(from.iter().filter(|n| reach[*n].contains(m)).map(|n| (*n).to_owned()).collect());
        }
    }
    knots.into_iter().collect()
}

#[test]
fn modules_form_no_knots() {
    let mut wrong = String::new();
    let mut edges = 0;
    for name in crates() {
        let graph = graph(&rust(&root().join("crates").join(&name).join("src")));
        edges += graph.values().map(BTreeSet::len).sum::<usize>();
        for knot in knots(&graph) {
            for m in &knot {
                let uses: Vec<&String> = graph[m].iter().filter(|n| knot.contains(n)).collect();
                let _ = writeln!(wrong, "{name}: {m} uses {uses:?}");
            }
        }
    }
    assert!(edges > 300, "only {edges} uses were found: the search is at fault");
    assert!(wrong.is_empty(), "a knot:\n{wrong}");
}

#[test]
fn a_knot_is_found_and_a_chain_is_none() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        file("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::{Bee, Buzz};\n"),
        file("a.rs", "use crate::Buzz;\n"),
        file("b.rs", "use crate::{c::Sea, d};\n"),
        file(
            "c/mod.rs",
            "// crate::a is only spoken of\nfn f() { crate::b::g() }\n#[cfg(test)]\nmod tests { use crate::a::A; }\n",
        ),
    ];
    assert_eq!(knots(&graph(&files)), [["b", "c"]]);
}

#[test]
fn no_file_is_long() {
    let mut wrong = String::new();
    let mut seen = 0;
    for folder in ["crates", "python", "benches"] {
        for (name, text) in sources(&root().join(folder), &["rs", "py", "pyi", "js", "css", "sh"]) {
            seen += 1;
            let lines = text.lines().count();
            if lines > LONG_FILE {
                let _ = writeln!(wrong, "{folder}/{name}: {lines} lines, at most {LONG_FILE}");
            }
        }
    }
    assert!(seen > 500, "only {seen} files were found: the search is at fault");
    assert!(wrong.is_empty(), "{wrong}");
}

/// (name, lines) of the functions of a formatted file.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(at) = words.iter().position(|w| *w == "fn") else { continue };
        let before = ["pub", "const", "unsafe", "extern"];
        if !words[..at].iter().all(|w| before.iter().any(|b| w.starts_with(b))) || line.ends_with([';', '}'])
        {
            continue;
        }
        let end = format!("{indent}}}");
        let counts = |l: &&&str| !l.trim().is_empty() && !l.trim_start().starts_with("//");
        let length = lines[i..].iter().position(|l| *l == end).unwrap_or(0);
        let name = words.get(at + 1).unwrap_or(&"").split(['(', '<']).next().unwrap().to_owned();
        found.push((name, lines[i..=i + length].iter().filter(counts).count()));
    }
    found
}

#[test]
fn no_function_is_long() {
    let mut wrong = String::new();
    let mut seen = 0;
    for folder in ["crates", "python/src"] {
        for (file, text) in rust(&root().join(folder)) {
            for (name, lines) in functions(&text) {
                seen += 1;
                if lines > LONG_FUNCTION {
                    let _ =
                        writeln!(wrong, "{folder}/{file}: {name}, {lines} lines, at most {LONG_FUNCTION}");
                }
            }
        }
    }
    assert!(seen > 5000, "only {seen} functions were found: the search is at fault");
    assert!(wrong.is_empty(), "too long:\n{wrong}");
}

/// Crates whose small numbers have names.
const NAMED: [&str; 7] = ["spatial", "multibody", "collide", "contact", "lcp", "sim", "model"];
/// What has small numbers that are no tolerances: sizes of built-in scenes, defaults that a user may set, units, what MuJoCo's files mean
/// where they say nothing, and a table of an ellipsoid's.
const SIZES: [&str; 5] = [
    "sim/src/scenes/",
    "sim/src/settings.rs",
    "scene_file/formula.rs",
    "src/mjcf/",
    "equipment/ellipsoid.rs",
];

/// Lines with a number below a hundredth that is in no constant.
fn bare_numbers(text: &str) -> Vec<&str> {
    let small = |line: &str| {
        let line = line.split("//").next().unwrap();
        line.split(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c))).any(|word| {
            let word = word.trim_start_matches('-');
            word.starts_with(|c: char| c.is_ascii_digit())
                && word.parse::<f64>().is_ok_and(|v| v > 0.0 && v < 0.01)
        })
    };
    let mut found = Vec::new();
    let mut within = false;
    for line in text.lines().filter(|l| !l.trim_start().starts_with("#[")) {
        let head = line.trim_start();
        within |= ["const ", "pub const ", "pub(crate) const ", "pub(super) const ", "static "]
            .iter()
            .any(|w| head.starts_with(w))
            && !head.contains("fn ");
        if !within && small(line) {
            found.push(line);
        }
        within &= !line.ends_with(';');
    }
    found
}

#[test]
fn small_numbers_have_names() {
    let mut wrong = String::new();
    for name in NAMED {
        assert!(
            root().join("crates").join(name).join("src/tolerances.rs").exists(),
            "{name} has no file of tolerances"
        );
        for (file, text) in rust(&root().join("crates").join(name).join("src")) {
            let path = format!("{name}/src/{file}");
            if file.ends_with("tests.rs") || SIZES.iter().any(|s| path.contains(s)) {
                continue;
            }
            for line in bare_numbers(&code(&text)) {
                let _ = writeln!(wrong, "{path}: {}", line.trim());
            }
        }
    }
    assert!(wrong.is_empty(), "numbers without a name, unit and reason:\n{wrong}");
}

/// Constants below a hundredth without a comment above them or above the run of constants that they stand in.
fn unexplained(text: &str) -> Vec<&str> {
    let small = |word: &str| word.parse::<f64>().is_ok_and(|v| v > 0.0 && v < 0.01);
    let (mut found, mut told) = (Vec::new(), false);
    for line in text.lines() {
        let head = line.trim_start();
        let constant = head.split("fn ").next().is_some_and(|h| h.contains("const ") && h.contains('='));
        let value = head.rsplit('=').next().unwrap_or_default();
        if constant && !told && !line.contains("//") && value.split(['[', ']', ',', ';', ' ']).any(small) {
            found.push(line);
        }
        told = head.starts_with("//") || head.starts_with("#[") && told || constant && told;
    }
    found
}

#[test]
fn small_constants_say_what_they_are() {
    let text = "/// Metres: a hair.\nconst A: f64 = 1e-6;\nconst B: f64 = 1e-7;\n\nconst C: f64 = 1e-8;\nconst D: f64 = 2.0;";
    assert_eq!(unexplained(text), ["const C: f64 = 1e-8;"]);
    let mut wrong = String::new();
    for name in NAMED {
        for (file, text) in rust(&root().join("crates").join(name).join("src")) {
            let path = format!("{name}/src/{file}");
            if file.ends_with("tests.rs") || SIZES.iter().any(|s| path.contains(s)) {
                continue;
            }
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            for line in unexplained(text) {
                let _ = writeln!(wrong, "{path}: {}", line.trim());
            }
        }
    }
    assert!(wrong.is_empty(), "constants without unit and reason:\n{wrong}");
}

#[test]
fn a_bare_number_is_found_and_a_named_one_is_none() {
    let text = "const A: f64 = 1e-9;\nconst B: [f64; 2] = [\n    1e-3,\n    0.5,\n];\nlet c = x < 1e-12;\nlet d = 0.5 * -0.005;";
    assert_eq!(bare_numbers(text), ["let c = x < 1e-12;", "let d = 0.5 * -0.005;"]);
}

/// The workspace's version is the one of every dependency on a crate of ours, and of the Python package.
#[test]
fn there_is_one_version() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let workspace = read("Cargo.toml");
    let version =
        |line: &str| line.split("version = \"").nth(1).and_then(|r| r.split('"').next()).map(str::to_owned);
    let of = |text: &str, section: &str| {
        let body = text.split(section).nth(1).unwrap();
        body.lines().find(|l| l.starts_with("version")).and_then(version)
    };
    let ours = of(&workspace, "[workspace.package]");
    assert!(ours.is_some());
    assert_eq!(of(&read("python/Cargo.toml"), "[package]"), ours, "python/Cargo.toml");
    let manifest = read("python/pyproject.toml");
    let body = manifest.split("[project]").nth(1).unwrap();
    assert!(
        body.lines().any(|l| l == "dynamic = [\"version\"]"),
        "pyproject.toml takes its version from Cargo.toml"
    );
    let manifests = crates().into_iter().map(|name| format!("crates/{name}/Cargo.toml"));
    for path in manifests.chain(["Cargo.toml".to_owned()]) {
        for line in read(&path).lines().filter(|l| l.starts_with("gudgeon-") && l.contains("version = ")) {
            assert_eq!(version(line), ours, "{path}: {line}");
        }
    }
}

/// Who draws shapes knows them by the words of a recording's header, which no compiler sees.
#[test]
fn every_kind_of_shape_is_drawn_by_all_who_draw() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let header = read("crates/sim/src/header.rs");
    let kinds: BTreeSet<&str> =
        header.split("\"kind\": \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(kinds.len() >= 8, "only {kinds:?} were found: the search is at fault");
    for path in [
        "crates/replay/player/src/bodies.js",
        "crates/replay/src/mcap/messages.rs",
        "crates/replay/src/shown.rs",
        "python/src/picture.rs",
    ] {
        let text = read(path);
        let missing: Vec<&&str> = kinds.iter().filter(|k| !text.contains(&format!("\"{k}\""))).collect();
        assert!(missing.is_empty(), "{path} does not draw {missing:?}");
    }
}
