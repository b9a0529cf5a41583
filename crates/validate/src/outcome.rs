//! What came of a scene, for people, for scripts and for the book.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::ValidateError;
use crate::reality::{Measured, Tosses};
use crate::row::{Entry, ErrorMeasure, Row};

/// What came of a scene.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What the scene is called.
    pub name: Cow<'static, str>,
    /// What is in it.
    pub about: Cow<'static, str>,
    /// Its lines, or why there are none.
    pub rows: Result<Vec<Row>, ValidateError>,
}

impl Outcome {
    /// Simulates a scene.
    pub fn of(entry: &Entry) -> Self {
        Self { name: entry.name.into(), about: entry.about.into(), rows: (entry.run)() }
    }

    /// Simulates what was measured.
    pub fn measured(set: &Measured, tosses: &Tosses) -> Self {
        Self { name: set.name.into(), about: set.about.into(), rows: (set.run)(tosses) }
    }

    /// How many lines there are, and how many are within their bounds; a scene without lines counts as one that is not.
    pub fn count(&self) -> (usize, usize) {
        self.rows.as_ref().map_or((1, 0), |rows| (rows.len(), rows.iter().filter(|r| r.holds()).count()))
    }

    /// For scripts: one object.
    pub fn json(&self, part: &str) -> Value {
        let rows: Vec<Value> = self.rows.iter().flatten().map(Row::json).collect();
        let error = self.rows.as_ref().err().map(ToString::to_string);
        json!({ "part": part, "scene": self.name, "about": self.about, "rows": rows, "error": error })
    }

    /// What [`Outcome::json`] has written.
    fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let rows = match text("error") {
            Some(error) => Err(ValidateError::Missed(error)),
            None => Ok(value["rows"].as_array()?.iter().map(Row::from_json).collect::<Option<_>>()?),
        };
        Some(Self { name: text("scene")?.into(), about: text("about")?.into(), rows })
    }

    /// For people: a line or two for each figure.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match &self.rows {
            Err(error) => {
                let _ = writeln!(text, "{:<12} BROKEN  {error}", self.name);
            }
            Ok(rows) => {
                for row in rows {
                    let cells = Cells::of(row);
                    let _ = writeln!(
                        text,
                        "{:<12} {:<7} {:>15} {:>15} {:>9} {:>9}  {}",
                        self.name,
                        cells.verdict,
                        cells.truth,
                        cells.ours,
                        cells.error,
                        cells.bound,
                        row.quantity
                    );
                }
            }
        }
        text
    }

    /// For the book: lines of a table in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        match &self.rows {
            Err(error) => {
                let _ = writeln!(text, "| {} | {error} | | | | | **broken** |", self.name);
            }
            Ok(rows) => {
                for row in rows {
                    let c = Cells::of(row);
                    let verdict =
                        if row.holds() { c.verdict.to_owned() } else { format!("**{}**", c.verdict) };
                    let _ = writeln!(
                        text,
                        "| {} | {} | {} | {} | {} | {} ({}) | {verdict} |",
                        self.name, row.quantity, c.truth, c.ours, c.error, c.bound, row.why
                    );
                }
            }
        }
        text
    }
}

/// The numbers of a line as they are printed.
struct Cells {
    truth: String,
    ours: String,
    error: String,
    bound: String,
    verdict: &'static str,
}

impl Cells {
    fn of(row: &Row) -> Self {
        let unit = |text: String| if row.unit.is_empty() { text } else { format!("{text} {}", row.unit) };
        let small = |x: f64| if x == 0.0 { "0".to_owned() } else { format!("{x:.1e}") };
        let verdict = if row.holds() { "ok" } else { "MISSED" };
        let value = |x: f64| match row.kind {
            ErrorMeasure::Decided => format!("{x}"),
            ErrorMeasure::Absolute if row.truth == 0.0 && x.abs() < 0.1 => unit(small(x)),
            _ => unit(digits(x)),
        };
        let small = |x: f64| if x < 0.1 { small(x) } else { digits(x) };
        let error =
            if row.kind == ErrorMeasure::Decided { format!("{}", row.error) } else { small(row.error) };
        let bound = if row.kind == ErrorMeasure::Decided { "0".to_owned() } else { small(row.bound) };
        Self { truth: value(row.truth), ours: value(row.ours), error, bound, verdict }
    }
}

/// Seven digits.
fn digits(x: f64) -> String {
    let magnitude = x.abs();
    if magnitude != 0.0 && !(1e-3..1e7).contains(&magnitude) {
        return format!("{x:.6e}");
    }
    #[expect(clippy::cast_possible_truncation, reason = "-3 to 7")]
    let before = if magnitude == 0.0 { 0 } else { magnitude.log10().floor() as i32 };
    let places = usize::try_from(6 - before).unwrap_or(0);
    format!("{x:.places$}")
}

/// The heading of [`Outcome::text`].
pub const HEADING: &str = "scene        verdict           truth            ours     error     bound  what";

/// The heading of [`Outcome::markdown`].
const MARKDOWN: &str = "| scene | what | truth | ours | error | bound | |\n|---|---|---|---|---|---|---|\n";

/// The page of the book, from what `gudgeon validate --json` prints: a line for each scene.
///
/// # Errors
/// If a line is not what it prints.
pub fn page(lines: &str) -> Result<String, String> {
    let mut page = String::from(PREFACE);
    let (mut part, mut all, mut good, mut scenes) = (String::new(), 0, 0, 0);
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let outcome = Outcome::from_json(&value).ok_or_else(|| format!("not an outcome: {line}"))?;
        let of = value["part"].as_str().unwrap_or_default();
        if of != part {
            let mut title = of.to_owned();
            title[..1].make_ascii_uppercase();
            let _ = write!(page, "\n## {title}\n\n{MARKDOWN}");
            of.clone_into(&mut part);
        }
        let (count, within) = outcome.count();
        (all, good, scenes) = (all + count, good + within, scenes + 1);
        page += &outcome.markdown();
    }
    let _ = writeln!(page, "\n{scenes} scenes: {good} of {all} figures within their bounds.");
    Ok(page)
}

/// What the page begins with.
const PREFACE: &str = "\
# Held against theory and measurements

Made by `gudgeon validate --cases DIR --results docs/validate.jsonl --page book/src/validate.md`; a test fails if the page or its picture and the results part.
Every figure has its truth, ours, the distance between them, and how far apart they may be with the reason for it. What is missed stands in bold;
the command then ends with exit code 1. Without `--cases`, a folder with other people's measurements that are not part of this repository, the last part is left out.

![Every figure's error in parts of its bound](figures/validate.svg)
";
