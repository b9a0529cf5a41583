//! Every number of README.md, python/README.md and the book has a source, and where the source's last result is kept in the
//! repository the two agree: `docs/figures.txt` says which is whose, and how to write it.

use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Pages that a command writes whole; `crates/validate` and `crates/reproduce` hold them against its results.
const WRITTEN: [&str; 3] = ["book/src/validate.md", "book/src/peers.md", "book/src/scoreboard.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// A line of docs/figures.txt.
struct Entry {
    page: String,
    what: What,
    source: String,
}

enum What {
    Words(String),
    Section(String),
    Page,
}

fn ledger() -> Vec<Entry> {
    let mut page = String::new();
    let mut entries = Vec::new();
    for line in read("docs/figures.txt").lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()) {
        let Some(entry) = line.strip_prefix("  ") else {
            line.clone_into(&mut page);
            continue;
        };
        let (what, source) = entry.rsplit_once(" <- ").unwrap_or_else(|| panic!("no source: {line}"));
        let quoted = |s: &str| s.strip_prefix('"').and_then(|s| s.strip_suffix('"')).map(str::to_owned);
        let what = match what.strip_prefix("section ") {
            Some(name) => What::Section(quoted(name).unwrap()),
            None if what == "page" => What::Page,
            None => What::Words(quoted(what).unwrap_or_else(|| panic!("no words: {line}"))),
        };
        entries.push(Entry { page: page.clone(), what, source: source.to_owned() });
    }
    entries
}

/// The pages whose every number must be covered.
fn pages() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("book/src")).unwrap();
    let mut pages: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_some_and(|e| e == "md"))
        .map(|name| format!("book/src/{name}"))
        .filter(|name| !WRITTEN.contains(&name.as_str()))
        .collect();
    pages.extend(["README.md".to_owned(), "python/README.md".to_owned()]);
    pages.sort();
    pages
}

/// The text with spaces where it is code, a link's target, or the number of an equation, a figure or a list's item.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        let fence = line.starts_with("```");
        fenced ^= fence;
        if fence || fenced || line.starts_with("    ") {
            out.extend(
                line.chars().map(|c| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) }),
            );
            continue;
        }
        let mut line = line.to_owned();
        blank_between(&mut line, "`", "`");
        blank_between(&mut line, "](", ")");
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && line[digits..].starts_with(". ") {
            line.replace_range(..digits, &" ".repeat(digits));
        }
        for word in ["Figure ", "Figures ", "Table ", "Algorithms ", "§", "("] {
            blank_after(&mut line, word);
        }
        out.push_str(&line);
    }
    out
}

fn blank_between(line: &mut String, open: &str, close: &str) {
    let mut from = 0;
    while let Some(start) = line[from..].find(open).map(|k| from + k) {
        let Some(end) = line[start + open.len()..].find(close).map(|k| start + open.len() + k) else {
            return;
        };
        line.replace_range(start..end, &" ".repeat(end - start));
        from = end + close.len();
    }
}

/// "Figures 5 and 6", "§5.3", "(14)-(16)": numbers that only name something.
fn blank_after(line: &mut String, word: &str) {
    let mut from = 0;
    while let Some(start) = line[from..].find(word).map(|k| from + k + word.len()) {
        from = start;
        let rest = &line[start..];
        let length = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let whole = word != "(" || (length <= 2 && rest[length..].starts_with(')'));
        if length > 0 && whole {
            line.replace_range(start..start + length, &" ".repeat(length));
            let after = start + length;
            if let Some(next) = line[after..].strip_prefix(" and ") {
                let more = next.bytes().take_while(u8::is_ascii_digit).count();
                line.replace_range(after + 5..after + 5 + more, &" ".repeat(more));
            }
        }
    }
}

/// Where numbers stand: 12, 1,000, 0.5, 1e-12.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let digit = |k: usize| bytes.get(k).is_some_and(u8::is_ascii_digit);
    let mut found = Vec::new();
    let mut k = 0;
    while k < bytes.len() {
        let part_of_a_word =
            k > 0 && (bytes[k - 1].is_ascii_alphanumeric() || matches!(bytes[k - 1], b'.' | b'_'));
        if !digit(k) || part_of_a_word {
            k += 1;
            continue;
        }
        let start = k;
        while digit(k)
            || (matches!(bytes.get(k), Some(b',' | b'.')) && digit(k + 1))
            || (bytes.get(k) == Some(&b'e')
                && (digit(k + 1) || (bytes.get(k + 1) == Some(&b'-') && digit(k + 2))))
            || (bytes.get(k) == Some(&b'-') && bytes[k - 1] == b'e')
        {
            k += 1;
        }
        found.push(start..k);
    }
    found
}

/// The part of a text that an entry speaks of.
fn spans(text: &str, what: &What) -> Vec<Range<usize>> {
    match what {
        What::Words(words) => text.match_indices(words.as_str()).map(|(k, w)| k..k + w.len()).collect(),
        What::Page => std::iter::once(0..text.len()).collect(),
        What::Section(name) => {
            let level = |line: &str| line.bytes().take_while(|b| *b == b'#').count();
            let (mut at, mut start, mut depth) = (0, None, 0);
            for line in text.split_inclusive('\n') {
                let l = level(line);
                if let Some(start) = start.filter(|_| l > 0 && l <= depth) {
                    return std::iter::once(start..at).collect();
                }
                if l > 0 && line[l..].trim() == name {
                    (start, depth) = (Some(at), l);
                }
                at += line.len();
            }
            start.map(|s| s..text.len()).into_iter().collect()
        }
    }
}

#[test]
fn every_number_has_a_source() {
    let ledger = ledger();
    let mut missing = String::new();
    for page in pages() {
        let text = read(&page);
        let entries = ledger.iter().filter(|e| e.page == page);
        let covered: Vec<Range<usize>> = entries.flat_map(|e| spans(&text, &e.what)).collect();
        for number in numbers(&prose(&text)) {
            if !covered.iter().any(|c| c.start <= number.start && number.end <= c.end) {
                let line = text[..number.start].matches('\n').count() + 1;
                let _ = writeln!(missing, "{page}:{line}: {}", &text[number]);
            }
        }
    }
    assert!(
        missing.is_empty(),
        "numbers without a source; docs/figures.txt says how to name one:\n{missing}"
    );
}

#[test]
fn what_pages_say_is_what_was_found() {
    let ledger = ledger();
    for entry in &ledger {
        let text = read(&entry.page);
        let here = spans(&text, &entry.what);
        let words = match &entry.what {
            What::Words(words) | What::Section(words) => words.as_str(),
            What::Page => "",
        };
        assert!(!here.is_empty(), "{} no longer says: {words}", entry.page);
        let (kind, rest) = entry.source.split_once(' ').unwrap_or((&entry.source, ""));
        let good = match kind {
            "given" => Ok(()),
            "validate" => validated(rest),
            "campaign" => campaign(rest, words),
            "kept" | "asserted" => texts(rest),
            "found" => found(rest, &alone(&text, &here, entry, &ledger)),
            _ => Err("no such kind of source".to_owned()),
        };
        assert!(good.is_ok(), "{}: {words}: {}: {good:?}", entry.page, entry.source);
    }
}

/// `SCENE / FIGURE / at most X` or `SCENE / FIGURE / is X to Y`, in the last results of `gudgeon validate`.
fn validated(source: &str) -> Result<(), String> {
    let parts: Vec<&str> = source.split('/').map(str::trim).collect();
    let [scene, figure, claim] = parts[..] else { return Err("three parts".into()) };
    let number = |s: &str| s.parse::<f64>().map_err(|e| e.to_string());
    let results: Vec<Value> =
        read("docs/validate.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let found = results.iter().find(|r| r["scene"] == scene).ok_or("no such scene")?;
    let rows = found["rows"].as_array().ok_or("no rows")?;
    let mut held = 0;
    for row in rows.iter().filter(|r| r["quantity"].as_str().is_some_and(|q| q.starts_with(figure))) {
        let (ours, error) = (row["ours"].as_f64().unwrap(), row["error"].as_f64().unwrap());
        let good = if let Some(bound) = claim.strip_prefix("at most ") {
            error <= number(bound)?
        } else {
            let (value, within) =
                claim.strip_prefix("is ").and_then(|c| c.split_once(" to ")).ok_or("no claim")?;
            (ours - number(value)?).abs() <= number(within)?
        };
        if !good {
            return Err(row.to_string());
        }
        held += 1;
    }
    if held > 0 { Ok(()) } else { Err("no such figure".into()) }
}

/// The share that a method solved, from the table of docs/campaign.md.
fn campaign(method: &str, words: &str) -> Result<(), String> {
    let text = read("docs/campaign.md");
    let row = |name: &str| -> Option<Vec<&str>> {
        let line = text.lines().find(|l| l.starts_with(name))?;
        Some(line.trim_matches('|').split('|').map(str::trim).collect())
    };
    let (names, solved, total) = (row("| | `robust`"), row("| **success**"), row("| total"));
    let (names, solved, total) =
        names.zip(solved).zip(total).map(|((a, b), c)| (a, b, c)).ok_or("no table")?;
    let k = names.iter().position(|n| n.trim_matches('`') == method).ok_or("no such method")?;
    let count = |s: &str| s.parse::<f64>().map_err(|e| e.to_string());
    let share = 100.0 * count(solved[k])? / count(total[k])?;
    let told = words.split(" %").next().and_then(|w| w.split(' ').next_back()).ok_or("no share")?;
    // a tenth of a percent, rounded either way
    if (count(told)? - share).abs() <= 0.05 + 1e-9 { Ok(()) } else { Err(format!("it is {share} %")) }
}

/// `FILE "text" "text"`: the file has them all.
fn texts(source: &str) -> Result<(), String> {
    let (file, quoted) = source.split_once(' ').ok_or("no text")?;
    let quoted = quoted.trim().strip_prefix('"').and_then(|q| q.strip_suffix('"')).ok_or("no text")?;
    let text = read(file);
    quoted
        .split("\" \"")
        .find(|part| !text.contains(part))
        .map_or(Ok(()), |part| Err(format!("not there: {part}")))
}

/// The numbers of an entry's words that no entry with fewer words covers.
fn alone<'a>(text: &'a str, here: &[Range<usize>], entry: &Entry, ledger: &[Entry]) -> Vec<&'a str> {
    let size = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).max().unwrap_or(0);
    let others = ledger.iter().filter(|e| e.page == entry.page).map(|e| spans(text, &e.what));
    let narrower: Vec<Range<usize>> = others.filter(|o| size(o) < size(here)).flatten().collect();
    let within = |ranges: &[Range<usize>], n: &Range<usize>| {
        ranges.iter().any(|r| r.start <= n.start && n.end <= r.end)
    };
    let numbers = numbers(&prose(text)).into_iter().filter(|n| within(here, n) && !within(&narrower, n));
    numbers.map(|n| &text[n]).collect()
}

/// `FILE` or `FILE "text" "text"`: the lines with one of the texts, or all, have every number, to as many digits as it is given.
fn found(source: &str, numbers_: &[&str]) -> Result<(), String> {
    let (file, quoted) = source.split_once(' ').unwrap_or((source, ""));
    let texts: Vec<&str> = quoted.trim().trim_matches('"').split("\" \"").collect();
    let (mut lines, mut values) = (0, Vec::new());
    for line in read(file).lines().filter(|l| texts.iter().any(|t| l.contains(t))) {
        lines += 1;
        values.extend(numbers(line).into_iter().filter_map(|n| value(&line[n])));
    }
    if lines == 0 || numbers_.is_empty() {
        return Err("no such line, or no number that asks for one".into());
    }
    let there = |number: &&&str| {
        let digits =
            number.split_once('.').map_or(0, |(_, d)| d.bytes().take_while(u8::is_ascii_digit).count());
        let power = number.split_once('e').map_or(0, |(_, p)| p.parse::<i32>().unwrap_or(0));
        let half = 0.500_001 * 10f64.powi(power - i32::try_from(digits).unwrap_or(0));
        value(number).is_some_and(|wanted| values.iter().any(|x| (x - wanted).abs() <= half))
    };
    numbers_.iter().find(|n| !there(n)).map_or(Ok(()), |n| Err(format!("not there: {n}")))
}

fn value(number: &str) -> Option<f64> {
    number.replace(',', "").parse().ok()
}

#[test]
fn numbers_are_seen_where_they_are() {
    let text = "1. A wall of 30 bricks [x](y2.md), `n = 3`, Figures 5 and 6, §5.3, (14)-(16): 1,000 of n^1.03, 2e-15 m.\n    code 9\n";
    let seen: Vec<&str> = numbers(&prose(text)).into_iter().map(|r| &text[r]).collect();
    assert_eq!(seen, ["30", "1,000", "1.03", "2e-15"]);
    assert_eq!(prose(text).len(), text.len());
    let page = "# a\n## b\nx 1\n### c\ny\n## d\nz\n";
    let found = spans(page, &What::Section("b".into()));
    assert_eq!((found.len(), found[0].clone()), (1, 4..page.find("## d").unwrap()));
}
