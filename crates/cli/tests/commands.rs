//! Commands that documents name: the command line knows every flag, cargo every package, example and test, and scripts are there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Markdown of the whole repository, without what is built or fetched.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && !["target", "node_modules", ".git"].contains(&name) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") && name != "CHANGELOG.md" {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Lines of blocks of code, and what stands between backticks; comments and what follows a pipe go.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced || line.starts_with("    ") {
            let line = line.trim().trim_start_matches("$ ");
            // what is explained beside a command stands three spaces away
            let command = line.split("   ").next().unwrap_or_default();
            found.extend(
                command.split(&['|', ';', '#'][..]).flat_map(|part| part.split("&&")).map(str::to_owned),
            );
        } else {
            found.extend(
                line.split('`')
                    .skip(1)
                    .step_by(2)
                    .flat_map(|part| part.split(&['|', ';'][..]))
                    .map(str::to_owned),
            );
        }
    }
    let bare = |c: String| c.trim().trim_end_matches([',', '.']).to_owned();
    found.into_iter().map(bare).filter(|c| c.contains(' ')).collect()
}

fn help(command: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_gudgeon")).args([command, "--help"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_flag_of_gudgeon_that_a_document_names_exists() {
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut seen = 0;
    for page in documents() {
        for command in commands(&std::fs::read_to_string(&page).unwrap()) {
            let Some(rest) = command.strip_prefix("gudgeon ") else { continue };
            let mut words = rest.split_whitespace();
            let Some(name) = words.next().filter(|w| w.chars().all(|c| c.is_ascii_lowercase())) else {
                continue;
            };
            let text = helps.entry(name.to_owned()).or_insert_with(|| help(name));
            assert!(!text.is_empty(), "{}: there is no command {name}", page.display());
            for flag in words.filter(|w| w.starts_with("--") && w.len() > 2) {
                let flag = flag.split('=').next().unwrap().trim_end_matches([',', '.', ')', ']', ':']);
                assert!(text.contains(flag), "{}: `{command}`: {name} has no {flag}", page.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "only {seen} flags were found: the search is at fault");
}

/// All Rust text of a folder.
fn sources(folder: &Path) -> String {
    let Ok(entries) = std::fs::read_dir(folder) else { return String::new() };
    let mut text = String::new();
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(path.file_name().unwrap().to_str().unwrap());
            text.push_str(&sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            text.push_str(path.file_stem().unwrap().to_str().unwrap());
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
    text
}

#[test]
fn every_package_example_and_test_that_a_document_names_exists() {
    let mut seen = 0;
    for page in documents() {
        for command in commands(&std::fs::read_to_string(&page).unwrap()) {
            let words: Vec<&str> = command.split_whitespace().collect();
            let Some(at) = words.iter().position(|w| *w == "cargo") else { continue };
            let words = &words[at..];
            let after =
                |flag: &str| words.iter().position(|w| *w == flag).and_then(|k| words.get(k + 1)).copied();
            let Some(package) = after("-p").and_then(|p| p.strip_prefix("gudgeon-")) else { continue };
            let folder = root().join("crates").join(package);
            assert!(folder.is_dir(), "{}: `{command}`: no package gudgeon-{package}", page.display());
            seen += 1;
            if let Some(example) = after("--example") {
                let there = folder.join(format!("examples/{example}.rs")).exists()
                    || folder.join("examples").join(example).is_dir();
                assert!(there, "{}: `{command}`: no example {example}", page.display());
            } else if words.get(1) == Some(&"test") {
                let plain = |w: &&&str| {
                    w.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c))
                };
                let own = format!("gudgeon-{package}");
                let values = ["cargo", "test", "main", own.as_str()];
                let text = sources(&folder);
                for name in words.iter().filter(plain).filter(|w| !values.contains(*w)) {
                    let last = name.rsplit("::").next().unwrap();
                    assert!(text.contains(last), "{}: `{command}`: no test {name}", page.display());
                }
            }
        }
    }
    assert!(seen > 20, "only {seen} commands were found: the search is at fault");
}

#[test]
fn every_script_that_a_document_runs_is_there() {
    let mut seen = 0;
    for page in documents() {
        for command in commands(&std::fs::read_to_string(&page).unwrap()) {
            let first = command
                .split_whitespace()
                .find(|w| !w.contains('=') && *w != "python3" && *w != "python")
                .unwrap_or("");
            let ours =
                ["benches/", "python/", "crates/", "./test"].iter().any(|start| first.starts_with(start));
            if ours && !first.contains(['*', '{', '<']) {
                assert!(root().join(first).exists(), "{}: `{command}`", page.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "only {seen} scripts were found: the search is at fault");
}

/// Times and residuals are of the machine; files, sizes, statuses, pivots and what facets leave are not.
#[test]
fn the_table_that_the_book_shows_is_what_solve_prints() {
    let page = std::fs::read_to_string(root().join("book/src/files.md")).unwrap();
    let shown: Vec<&str> = page.lines().filter(|l| l.starts_with("problems/")).collect();
    let files: Vec<&str> = shown.iter().filter_map(|l| l.split_whitespace().next()).collect();
    let run = Command::new(env!("CARGO_BIN_EXE_gudgeon"))
        .current_dir(root())
        .arg("solve")
        .args(&files)
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    let stays = |line: &str| -> Vec<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        [0, 1, 2, 3, 4, 9].iter().map(|&k| words[k].to_owned()).collect()
    };
    let there: Vec<Vec<String>> = printed.lines().filter(|l| l.starts_with("problems/")).map(stays).collect();
    assert_eq!(there, shown.into_iter().map(stays).collect::<Vec<_>>());
    assert!(files.len() > 3, "{files:?}");
}

/// Every Rust file below a folder.
fn texts(folder: &Path, into: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Whether a file declares a name: an item, a field, a variant, or what it hands on.
fn declares(text: &str, name: &str) -> bool {
    const ITEMS: [&str; 9] =
        ["fn", "const", "static", "type", "struct", "enum", "trait", "mod", "macro_rules!"];
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let line = &text[text[..at].rfind('\n').map_or(0, |k| k + 1)..at];
        let after = text[at + name.len()..].trim_start_matches(' ');
        let whole = !line.ends_with(part) && !text[at + name.len()..].starts_with(part);
        let item = line.split_whitespace().next_back().is_some_and(|word| ITEMS.contains(&word));
        let alone = line.trim().is_empty()
            || line.trim_start().starts_with("pub") && line.split_whitespace().count() == 1;
        whole
            && (item || line.contains("use ") || alone && after.starts_with([':', ',', '(', '=', '{', '\n']))
    })
}

/// `Type::member`, `module::function` and `Trait::method` of pages: a file that has the first, as a type, a block of methods or
/// its own name, declares the second.
#[test]
fn members_that_documents_name_are_there() {
    let mut files = Vec::new();
    texts(&root().join("crates"), &mut files);
    let is_word = |w: &str| !w.is_empty() && w.chars().all(|c| c.is_alphanumeric() || c == '_');
    let home = |path: &Path, text: &str, first: &str| {
        path.components().any(|c| Path::new(c.as_os_str()).file_stem().is_some_and(|s| s == first))
            || ["struct ", "enum ", "trait ", "impl ", "> ", "for ", "mod "]
                .iter()
                .any(|before| text.contains(&format!("{before}{first}")))
    };
    let (mut seen, mut wrong) = (0, String::new());
    for page in documents() {
        let text = std::fs::read_to_string(&page).unwrap();
        for quoted in text.lines().flat_map(|l| l.split('`').skip(1).step_by(2)) {
            let Some((first, second)) = quoted.trim_end_matches("()").rsplit_once("::") else { continue };
            let first = first.rsplit("::").next().unwrap();
            if !is_word(first) || !is_word(second) {
                continue;
            }
            seen += 1;
            let first = first.strip_prefix("gudgeon_").unwrap_or(first);
            if !files.iter().any(|(path, text)| home(path, text, first) && declares(text, second)) {
                let _ = writeln!(wrong, "{}: `{quoted}`", page.display());
            }
        }
    }
    assert!(seen > 100, "only {seen} members were found: the search is at fault");
    assert!(wrong.is_empty(), "not there:\n{wrong}");
}

#[test]
fn a_member_that_went_is_missed() {
    let text = "pub struct Worth {\n    pub first: f64,\n}\nimpl Worth {\n    pub const fn sum(self) {}\n}\n// the last\nlet x = other.last;\n";
    assert!(["first", "sum", "Worth"].into_iter().all(|name| declares(text, name)));
    assert!(!declares(text, "last") && !declares(text, "fir"));
}

/// The first column of NOTATION.md is code: each of its words stands in some source.
#[test]
fn the_code_of_the_notation_is_there() {
    let mut files = Vec::new();
    texts(&root().join("crates"), &mut files);
    let split = |text: &str| {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words
            .filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let sources = files.iter().filter(|(path, _)| path.components().any(|c| c.as_os_str() == "src"));
    let words: BTreeSet<String> = sources.flat_map(|(_, text)| split(text)).collect();
    let page = std::fs::read_to_string(root().join("NOTATION.md")).unwrap();
    let first = |line: &str| line.strip_prefix('|').and_then(|l| l.split('|').next()).map(str::to_owned);
    let code: Vec<String> = page
        .lines()
        .filter_map(first)
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).flat_map(split).collect::<Vec<_>>())
        .collect();
    let wrong: Vec<&String> = code.iter().filter(|w| !words.contains(*w)).collect();
    assert!(code.len() > 150, "only {} words were found: the search is at fault", code.len());
    assert!(wrong.is_empty(), "no source has {wrong:?}");
}
