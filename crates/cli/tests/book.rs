//! The book, the README and docs/: every file, page and picture that they name is there. mdBook is not needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::files;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn chapters() -> Vec<PathBuf> {
    files(&root().join("book/src"), &["md"])
}

/// All pages that name files of the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages = chapters();
    pages.extend(
        ["docs", "docs/evidence"].into_iter().flat_map(|folder| files(&root().join(folder), &["md"])),
    );
    pages.extend(["README.md", "ARCHITECTURE.md", "NOTATION.md"].map(|name| root().join(name)));
    pages
}

/// What stands between two marks, line by line; blocks of code are left out.
fn quoted(text: &str, open: &str, close: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        }
        if inside || line.starts_with("    ") {
            continue;
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once(open) {
            let Some((word, after)) = after.split_once(close) else { break };
            found.push(word.to_owned());
            rest = after;
        }
    }
    found
}

/// The targets of links and pictures within the repository.
fn links(text: &str) -> Vec<String> {
    let local = |target: &String| !target.contains("://") && !target.starts_with('#') && !target.is_empty();
    let bare = |target: String| target.split('#').next().unwrap_or_default().to_owned();
    quoted(text, "](", ")").into_iter().map(bare).filter(local).collect()
}

#[test]
fn every_chapter_is_in_the_summary_and_every_line_of_it_is_a_chapter() {
    let summary = std::fs::read_to_string(root().join("book/src/SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = links(&summary).into_iter().collect();
    let names = chapters().into_iter().map(|p| p.file_name().unwrap().to_str().unwrap().to_owned());
    let there: BTreeSet<String> = names.filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(listed, there);
}

#[test]
fn links_and_pictures_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let target = page.parent().unwrap().join(&link);
            assert!(target.exists(), "{}: {link}", page.display());
        }
    }
}

/// A newcomer reads both to the end.
#[test]
fn the_front_pages_are_short() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    assert!(read("README.md").lines().count() < 120, "README.md: move what is prose to the book");
    assert!(read("ARCHITECTURE.md").len() <= 10_000, "ARCHITECTURE.md: evidence stands in docs/evidence");
}

#[test]
fn every_picture_of_the_book_is_shown() {
    let text: String = chapters().iter().map(|p| std::fs::read_to_string(p).unwrap()).collect();
    for picture in files(&root().join("book/src/figures"), &["svg", "png"]) {
        let name = picture.file_name().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("figures/{name}")), "{name} is not shown");
    }
}

/// A word in backticks that is a file of the sources: `crates/lcp/src/lemke.rs`, and in the same line then `tableau.rs`.
#[test]
fn files_that_are_named_are_there() {
    let mut named = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for line in text.lines() {
            let mut folder: Option<PathBuf> = None;
            for word in quoted(line, "`", "`") {
                let is_path =
                    word.starts_with("crates/") || word.starts_with("book/") || word.starts_with("docs/");
                let path = if is_path && !word.contains(['*', ' ', '{', '<']) {
                    root().join(&word)
                } else if let (Some(folder), true) = (&folder, is_source(&word)) {
                    folder.join(&word)
                } else {
                    continue;
                };
                assert!(path.exists(), "{}: {word}", page.display());
                named += 1;
                folder = path.parent().map(Path::to_path_buf);
            }
        }
    }
    assert!(named > 50, "only {named} names were found: the search is at fault");
}

fn is_source(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|e| e == "rs") && !word.contains(['*', ' ', '{'])
}

#[test]
fn every_paper_has_a_chapter_with_a_table_from_equation_to_file() {
    for paper in ["yamane", "lloyd", "enzpivot", "tan", "enzerror"] {
        let text = std::fs::read_to_string(root().join(format!("book/src/{paper}.md"))).unwrap();
        let rows = text.lines().filter(|line| line.starts_with('|') && line.contains("`crates/")).count();
        assert!(rows >= 4, "{paper}: {rows} rows name a file");
    }
}

/// What stands in the source of a crate has a line in the evidence: one that looks for a room finds it there.
#[test]
fn every_room_is_named_in_the_evidence() {
    let pages = files(&root().join("docs/evidence"), &["md"]);
    let mut named = BTreeSet::new();
    for page in pages {
        for line in std::fs::read_to_string(&page).unwrap().lines() {
            for word in quoted(line, "`", "`") {
                named.extend(word.split('/').map(|part| part.trim_end_matches(".rs").to_owned()));
            }
        }
    }
    let mut missing = Vec::new();
    let mut sources = vec![root().join("python/src")];
    sources.extend(
        std::fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src")),
    );
    for source in sources {
        for entry in std::fs::read_dir(&source).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            if !["lib", "main", "tolerances"].contains(&name) && !named.contains(name) {
                missing.push(path.display().to_string());
            }
        }
    }
    assert!(missing.is_empty(), "no page of docs/evidence says what these are for: {missing:#?}");
}
