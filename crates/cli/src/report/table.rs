//! A table for people, one row per problem as it is solved.

use std::fmt::Write;

use gudgeon_lcp::{Ray, Trace};

use super::Tally;
use crate::engine::Answer;
use crate::problem_file;

/// The layout: the first column is as wide as the longest name that is known beforehand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    width: usize,
}

impl Table {
    /// A table for these files.
    pub(crate) fn new(files: &[String]) -> Self {
        // room for a line number in JSON lines
        let length = |file: &String| file.chars().count() + if problem_file::by_lines(file) { 4 } else { 0 };
        Self { width: files.iter().map(length).max().unwrap_or(0).max("file".len()) }
    }

    /// The heading.
    pub(crate) fn heading(self) -> String {
        format!(
            "{:<width$}  {:<8}  {:>6}  {:<10}  {:>7}  {:>9}  {:>9}  {:>9}  {:>9}",
            "file",
            "kind",
            "n",
            "status",
            "pivots",
            "time",
            "natural",
            "energy/J",
            "facet gap",
            width = self.width,
        )
    }

    /// The row of a problem.
    pub(crate) fn row(self, name: &str, kind: &str, answer: &Answer) -> String {
        let outcome = &answer.outcome;
        format!(
            "{name:<width$}  {kind:<8}  {:>6}  {:<10}  {:>7}  {:>9}  {:>9.1e}  {:>9.1e}  {:>9}",
            answer.unknowns,
            outcome.status.name(),
            outcome.pivots,
            time(answer.seconds),
            outcome.residual.natural,
            outcome.residual.energy,
            answer.facet_gap.map_or_else(|| "-".to_owned(), |gap| format!("{:.1e}", gap.natural)),
            width = self.width,
        )
    }

    /// The row of a problem that could not be read.
    pub(crate) fn bad_row(self, name: &str) -> String {
        format!("{name:<width$}  {:<8}  {:>6}  {:<10}", "-", "-", "bad input", width = self.width)
            .trim_end()
            .to_owned()
    }
}

/// The counts at the foot.
pub(crate) fn footer(tally: Tally) -> String {
    let counts = [
        (tally.solved, "solved"),
        (tally.ray, "ray"),
        (tally.cycle, "cycle"),
        (tally.inaccurate, "inaccurate"),
        (tally.budget, "budget"),
        (tally.bad, "bad input"),
    ];
    let total: usize = counts.iter().map(|(count, _)| count).sum();
    let named = counts.iter().enumerate().filter(|(k, (count, _))| *k == 0 || *count > 0);
    let named: Vec<String> = named.map(|(_, (count, name))| format!("{count} {name}")).collect();
    format!("{total} problem{}: {}", if total == 1 { "" } else { "s" }, named.join(", "))
}

/// Three digits and a unit.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// Pivot by pivot or sweep by sweep, indented; ends with a line end unless empty.
pub(crate) fn trace(trace: &Trace, ray: Option<&Ray>) -> String {
    let mut out = String::new();
    let mut put = |line: String| writeln!(out, "    {line}").expect("a String takes all");
    if !trace.pivots.is_empty() {
        put(format!("{:>6}  {:>8}  {:>8}  {:>10}  {:>10}", "pivot", "entering", "leaving", "q_min", "error"));
    }
    for e in &trace.pivots {
        let (entering, leaving) = (e.entering.to_string(), e.leaving.to_string());
        put(format!("{:>6}  {entering:>8}  {leaving:>8}  {:>10.3e}  {:>10.3e}", e.pivot, e.q_min, e.error));
    }
    if !trace.sweeps.is_empty() {
        put(format!("{:>6}  {:>10}  {:>10}  {:>10}", "sweep", "natural", "f-b", "energy/J"));
    }
    for e in &trace.sweeps {
        put(format!(
            "{:>6}  {:>10.3e}  {:>10.3e}  {:>10.3e}",
            e.sweep, e.natural, e.fischer_burmeister, e.energy
        ));
    }
    if let Some(ray) = ray {
        put(format!(
            "ray: z = {:?}, z_0 = {:?}; dz = {:?}, dz_0 = {:?}; proof: {}",
            ray.z,
            ray.z0,
            ray.dz,
            ray.dz0,
            ray.proof.name()
        ));
    }
    out
}
