//! The scoreboard of the papers as a page of the book, made from the last results alone (`docs/reproduce.jsonl`).
//!
//! A line of results is an item's JSON without its curves: what must hold, what the papers saw, and why something differs.

use std::fmt::Write;

use serde_json::{Value, json};

/// What no run prints: kept beside the rest, without figures.
const REMARKS: &str = "\
- **Yamane's search as printed** is kept for study only: it does not end in reasonable time on our squat.
- **Modes of failure** are not those of the paper: our Lemke says *no solution* where theirs also cycled or ended wrong. With every negative pivot taken, all modes appear.
- **What cannot be compared:** the paper's humanoid, its force plate, its reference motions, all absolute times.
- **Very long strings and high speeds** at long steps need `--integrator carried`, which takes energy out.
";

/// The line of an item in the results.
pub(crate) fn line(item: &Value) -> String {
    let keys =
        ["item", "paper", "place", "title", "settings", "checks", "observations", "tables", "differences"];
    let kept: serde_json::Map<String, Value> =
        keys.iter().map(|key| ((*key).to_owned(), item[*key].clone())).collect();
    json!(kept).to_string()
}

/// The page of results, one item a line.
///
/// # Errors
/// Says which line is not JSON.
pub fn papers_page(results: &str) -> Result<String, String> {
    let items = results
        .lines()
        .enumerate()
        .map(|(k, line)| serde_json::from_str(line).map_err(|e| format!("line {}: {e}", k + 1)))
        .collect::<Result<Vec<Value>, String>>()?;
    let mut page = String::from(
        "# The scoreboard of the papers

Made by `gudgeon reproduce --results docs/reproduce.jsonl --page book/src/scoreboard.md`, a full run, the paper's figure beside ours; a test fails if the page and the results part. Times and growth
vary a little from run to run. The engine beside other engines has [a page of its own](peers.md).

## What must hold of this project

",
    );
    let rows = |kind: &str, flag: &str, wanted: bool| -> Vec<[String; 4]> {
        let mut rows = Vec::new();
        for item in &items {
            for entry in list(&item[kind]).filter(|e| (e[flag] == true) == wanted) {
                let place = format!("{}, {}", text(&item["paper"]), text(&item["place"]));
                rows.push([place, text(&entry["what"]), text(&entry["paper"]), text(&entry["ours"])]);
            }
        }
        rows
    };
    let held = rows("checks", "holds", true);
    table(&mut page, &held);
    page.push_str("\n## What the papers saw of other methods, and is so here\n\n");
    table(&mut page, &rows("observations", "same", true));
    page.push_str("\n## Losses\n\n");
    let broken = rows("checks", "holds", false);
    let total = held.len() + broken.len();
    let _ = writeln!(page, "Of {total} statements that must hold, {} do not:\n", broken.len());
    if !broken.is_empty() {
        table(&mut page, &broken);
        page.push('\n');
    }
    page.push_str("What is seen otherwise here than in the papers:\n\n");
    for item in &items {
        let place = format!("{}, {}", text(&item["paper"]), text(&item["place"]));
        for seen in list(&item["observations"]).filter(|seen| seen["same"] != true) {
            let [what, paper, ours, why] = ["what", "paper", "ours", "why"].map(|key| text(&seen[key]));
            let _ = writeln!(page, "- **{place}: {what}.** Paper: {paper}; here: {ours}. {}.", capital(&why));
        }
        for why in list(&item["differences"]) {
            let _ = writeln!(page, "- **{place}.** {}", text(why));
        }
    }
    page.push_str(REMARKS);
    for item in items.iter().filter(|item| item["item"] == "yamane-rk4") {
        for t in list(&item["tables"]) {
            let _ = writeln!(page, "\n## {}\n", text(&item["title"]));
            let cells = |row: &Value| list(row).map(text).collect::<Vec<_>>().join(" | ");
            let header = cells(&t["header"]);
            let _ = writeln!(page, "| {header} |\n|{}", "---|".repeat(list(&t["header"]).count()));
            for row in list(&t["rows"]) {
                let _ = writeln!(page, "| {} |", cells(row));
            }
        }
    }
    Ok(page)
}

fn table(page: &mut String, rows: &[[String; 4]]) {
    page.push_str("| where | what | paper | here |\n|---|---|---|---|\n");
    for row in rows {
        let _ = writeln!(page, "| {} |", row.join(" | "));
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// In a cell a bar is no end of it.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().replace('|', "\\|")
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command: `gudgeon reproduce --results docs/reproduce.jsonl --page book/src/scoreboard.md`.
    #[test]
    fn the_page_of_the_papers_is_that_of_the_last_results() {
        let file = |name: &str| {
            std::fs::read_to_string(format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
        };
        let results = file("docs/reproduce.jsonl");
        assert!(
            papers_page(&results).unwrap() == file("book/src/scoreboard.md"),
            "book/src/scoreboard.md is not of docs/reproduce.jsonl"
        );
        let names: Vec<Value> =
            results.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["item"].clone()).collect();
        let all: Vec<Value> = crate::items::ITEMS.iter().map(|i| i.name.into()).collect();
        assert_eq!(names, all, "a part of the items alone");
    }

    #[test]
    fn a_page_says_what_does_not_hold() {
        assert!(papers_page("{").is_err());
        let item = json!({"item": "a", "paper": "P", "place": "Table I", "title": "t",
            "checks": [{"what": "w", "paper": "1", "ours": "2|3", "holds": false}],
            "observations": [{"what": "x", "paper": "1", "ours": "2", "same": false, "why": "because"}]});
        let page = papers_page(&line(&item)).unwrap();
        assert!(page.contains("Of 1 statements that must hold, 1 do not"), "{page}");
        assert!(page.contains("| P, Table I | w | 1 | 2\\|3 |") && page.contains("Because."), "{page}");
    }
}
