//! What came of a scene, for people, for scripts and for the book.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::ValidateError;
use crate::reality::{Measured, Tosses};
use crate::row::{Entry, Kind, Row};

/// What came of a scene.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What the scene is called.
    pub name: &'static str,
    /// What is in it.
    pub about: &'static str,
    /// Its lines, or why there are none.
    pub rows: Result<Vec<Row>, ValidateError>,
}

impl Outcome {
    /// Simulates a scene.
    pub fn of(entry: &Entry) -> Self {
        Self { name: entry.name, about: entry.about, rows: (entry.run)() }
    }

    /// Simulates what was measured.
    pub fn measured(set: &Measured, tosses: &Tosses) -> Self {
        Self { name: set.name, about: set.about, rows: (set.run)(tosses) }
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
            Kind::Decided => format!("{x}"),
            Kind::Absolute if row.truth == 0.0 && x.abs() < 0.1 => unit(small(x)),
            _ => unit(digits(x)),
        };
        let small = |x: f64| if x < 0.1 { small(x) } else { digits(x) };
        let error = if row.kind == Kind::Decided { format!("{}", row.error) } else { small(row.error) };
        let bound = if row.kind == Kind::Decided { "0".to_owned() } else { small(row.bound) };
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
pub const MARKDOWN: &str =
    "| scene | what | truth | ours | error | bound | |\n|---|---|---|---|---|---|---|\n";
