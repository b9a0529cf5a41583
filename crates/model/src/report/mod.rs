//! The import report: what became of every element and attribute, and what a doctor says of the result.

mod consequence; // what a loss means for the motion

pub use self::consequence::Consequence;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::error::Place;

/// What became of an element or attribute.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Obeyed as the format defines it.
    Used,
    /// Obeyed in a way that differs: how.
    Approximated(String),
    /// Has no effect: why.
    Ignored(String),
}

impl Fate {
    fn word(&self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::Approximated(_) => "approximated",
            Self::Ignored(_) => "ignored",
        }
    }

    pub(crate) fn why(&self) -> &str {
        match self {
            Self::Used => "",
            Self::Approximated(why) | Self::Ignored(why) => why,
        }
    }
}

/// One element or attribute and its fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands.
    pub at: Place,
    /// `element` or `element@attribute`, with the parent's name where the element means nothing without it.
    pub item: String,
    /// What became of it.
    pub fate: Fate,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Likely not what was meant.
    Warning,
}

/// Something the doctor found in the masses, inertias, limits or shapes.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// The link, joint or pair.
    pub subject: String,
    /// What is odd, with numbers.
    pub what: String,
    /// What to do about it.
    pub fix: String,
}

/// What became of every element and attribute of the files read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportReport {
    /// In the order of the files and lines.
    pub entries: Vec<Entry>,
    /// What a doctor says of the result.
    pub findings: Vec<Finding>,
    /// Frames of the file's bodies by name: link of the scene and pose in it, where they differ from the link's own.
    pub frames: Vec<BodyFrame>,
    /// The file's joints in its own order of coordinates.
    pub joints: Vec<JointInfo>,
}

/// Where a body of the file is found in the scene.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyFrame {
    /// The file's name of the body.
    pub name: String,
    /// The link that carries it.
    pub link: String,
    /// The body's frame in the link's frame.
    pub pose: gudgeon_spatial::Pose,
    /// The body's own inertia in its own frame, before anything was merged.
    pub inertia: gudgeon_spatial::Inertia,
}

/// A joint of the file, and the link whose joint it became.
#[derive(Debug, Clone, PartialEq)]
pub struct JointInfo {
    /// The file's name of the joint.
    pub name: String,
    /// The link of the scene that it moves.
    pub link: String,
    /// revolute, prismatic, spherical, free, planar.
    pub kind: &'static str,
    /// The file's value at the scene's zero: q_file = q_scene + reference.
    pub reference: f64,
}

impl ImportReport {
    /// Adds a line.
    pub fn add(&mut self, at: Place, item: impl Into<String>, fate: Fate) {
        self.entries.push(Entry { at, item: item.into(), fate });
    }

    /// Entries of neither kind of loss, approximated, ignored.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |word| self.entries.iter().filter(|e| e.fate.word() == word).count();
        (count("used"), count("approximated"), count("ignored"))
    }

    /// Everything ignored.
    pub fn ignored(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|e| matches!(e.fate, Fate::Ignored(_)))
    }

    /// Takes over another file's report.
    pub fn append(&mut self, other: Self) {
        self.entries.extend(other.entries);
        self.findings.extend(other.findings);
        self.frames.extend(other.frames);
        self.joints.extend(other.joints);
    }

    /// Same item and same fate on one line, with the places; what changes the motion first.
    fn groups(&self) -> BTreeMap<(Consequence, &'static str, &str, &str), Vec<&Place>> {
        let mut groups: BTreeMap<_, Vec<&Place>> = BTreeMap::new();
        for e in &self.entries {
            let key = (e.consequence(), e.fate.word(), e.item.as_str(), e.fate.why());
            groups.entry(key).or_default().push(&e.at);
        }
        groups
    }

    /// `{"used","approximated","ignored","items":[{"item","fate","why","changes","count","places":[..]}],"findings":[..]}`.
    pub fn to_json(&self) -> Value {
        let (used, approximated, ignored) = self.counts();
        let items: Vec<Value> = self
            .groups()
            .iter()
            .map(|((consequence, fate, item, why), places)| {
                let lines: Vec<String> = places.iter().map(ToString::to_string).collect();
                let changes = consequence.word();
                json!({"item": item, "fate": fate, "why": why, "changes": changes, "count": places.len(), "places": lines})
            })
            .collect();
        let findings: Vec<Value> = self
            .findings
            .iter()
            .map(|f| {
                let severity = if f.severity == Severity::Warning { "warning" } else { "note" };
                json!({"severity": severity, "subject": f.subject, "what": f.what, "fix": f.fix})
            })
            .collect();
        json!({
            "used": used, "approximated": approximated, "ignored": ignored,
            "items": items, "findings": findings,
        })
    }
}

impl std::fmt::Display for ImportReport {
    /// Warnings, then losses in full, those that change the motion first; what is used as a list of names.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (used, approximated, ignored) = self.counts();
        writeln!(f, "{used} used, {approximated} approximated, {ignored} ignored")?;
        let groups = self.groups();
        for finding in self.findings.iter().filter(|f| f.severity == Severity::Warning) {
            writeln!(f, "  warning      {}: {}; {}", finding.subject, finding.what, finding.fix)?;
        }
        for changes in [Consequence::Motion, Consequence::Softness, Consequence::Nothing] {
            let mut head = Some(changes.head());
            for ((consequence, fate, item, why), places) in &groups {
                if *consequence == changes && *fate != "used" {
                    if let Some(head) = head.take() {
                        writeln!(f, "{head}")?;
                    }
                    let more = if places.len() > 1 {
                        format!(" and {} more", places.len() - 1)
                    } else {
                        String::new()
                    };
                    writeln!(f, "  {fate:12} {item}: {why} ({}{more})", places[0])?;
                }
            }
        }
        let names: Vec<String> = groups
            .iter()
            .filter(|((_, fate, ..), _)| *fate == "used")
            .map(|((_, _, item, _), places)| format!("{item} ({})", places.len()))
            .collect();
        if !names.is_empty() {
            writeln!(f, "  used         {}", names.join(", "))?;
        }
        for finding in self.findings.iter().filter(|f| f.severity == Severity::Note) {
            writeln!(f, "  note         {}: {}; {}", finding.subject, finding.what, finding.fix)?;
        }
        Ok(())
    }
}
