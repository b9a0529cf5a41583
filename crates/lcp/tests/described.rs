//! Every type that the crate offers at its top has an example in its documentation.

use std::fs;
use std::path::{Path, PathBuf};

/// Types of `friction/`, whose examples are still to be written: the list may only shrink.
const WITHOUT: [&str; 15] = [
    "Canonical",
    "ConeShape",
    "Island",
    "Lloyd",
    "RowIds",
    "Spread",
    "SpreadReport",
    "Stage",
    "StageReport",
    "StageTotal",
    "StageTotals",
    "Structured",
    "WarmEntry",
    "WarmKind",
    "WarmStart",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_public_type_has_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let top = fs::read_to_string(root.join("lib.rs")).unwrap();
    let offered: String = top.split("pub use ").skip(1).filter_map(|part| part.split(';').next()).collect();
    let is_offered = |name: &str| offered.split(|c: char| !c.is_alphanumeric()).any(|word| word == name);
    let mut files = Vec::new();
    sources(&root, &mut files);
    let (mut bare, mut seen) = (Vec::new(), 0);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let mut example = false;
        for line in text.lines() {
            if line.starts_with("///") {
                example |= line.contains("```");
                continue;
            }
            let declared =
                ["pub struct ", "pub enum ", "pub trait "].iter().find_map(|kind| line.strip_prefix(kind));
            if let Some(rest) = declared {
                let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
                seen += usize::from(is_offered(&name));
                if is_offered(&name) && !example {
                    bare.push(name);
                }
            }
            // attributes stand between a comment and what it is about
            if !line.starts_with("#[") && !line.starts_with(")]") && !line.starts_with("    ") {
                example = false;
            }
        }
    }
    bare.sort_unstable();
    assert!(seen >= 60, "{seen} types found");
    assert_eq!(bare, WITHOUT, "types without an example");
}
