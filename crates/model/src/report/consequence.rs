//! What a loss means for the motion: the order in which a report tells, and what is said aloud.

use super::{Entry, Fate, ImportReport, Severity};

/// What the loss of an element or attribute changes, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Consequence {
    /// The model moves otherwise than its author meant.
    Motion,
    /// What is soft there is hard here.
    Softness,
    /// Pictures, names, notes, settings of another solver.
    Nothing,
}

impl Consequence {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Softness => "softness",
            Self::Nothing => "nothing",
        }
    }

    pub(super) fn head(self) -> &'static str {
        match self {
            Self::Motion => "what changes the motion:",
            Self::Softness => "what is soft there and hard here:",
            Self::Nothing => "what changes nothing:",
        }
    }
}

/// Words of reasons that say that a loss does not change the motion.
const HARMLESS: [&str; 29] = [
    "picture",
    "note for the user",
    "notes for the user",
    "the viewer has its own",
    "the solver has its own",
    "the simulator has its own",
    "does not change",
    "memory is taken as needed",
    "no element takes this default",
    "the file's ending says it",
    "hulls have all their corners",
    "shapes are named by their element",
    "the joint is not limited",
    "switched off by",
    "dissolve in what they hold",
    "not active",
    "are not shown",
    "cannot be shown",
    "choose a keyframe by name",
    "every body and shape is kept",
    "frames of free bodies stay",
    "readings are exact",
    "one state, or none",
    "only muscles need it",
    "joints are driven directly",
    "neither body moves",
    "nothing sleeps",
    "convex hull touches in its place",
    "as asked for",
];

impl Entry {
    /// What this loss changes; nothing if it is none.
    pub fn consequence(&self) -> Consequence {
        let why = self.fate.why();
        if self.fate == Fate::Used || HARMLESS.iter().any(|words| why.contains(words)) {
            Consequence::Nothing
        } else if why.contains("is hard") || why.contains("are hard") || why.contains("are exact") {
            Consequence::Softness
        } else {
            Consequence::Motion
        }
    }
}

impl ImportReport {
    /// What makes the model move otherwise than its file says: one line for each kind of loss, and the doctor's warnings.
    pub fn warnings(&self) -> Vec<String> {
        let mut lines: Vec<(String, usize)> = Vec::new();
        let whole: std::collections::BTreeSet<(&str, usize, &str)> = self
            .entries
            .iter()
            .filter(|e| matches!(e.fate, Fate::Ignored(_)) && !e.item.contains('@'))
            .map(|e| (e.item.as_str(), e.at.line, e.fate.why()))
            .collect();
        // attributes of an element that is lost as a whole need no line of their own
        let within = |e: &Entry| {
            let Some((element, _)) = e.item.split_once('@') else { return false };
            whole.contains(&(element, e.at.line, e.fate.why()))
        };
        for e in self.entries.iter().filter(|e| e.consequence() == Consequence::Motion && !within(e)) {
            let fate = if matches!(e.fate, Fate::Ignored(_)) { "ignored" } else { "approximated" };
            let line = format!("{} is {fate}: {}", e.item, e.fate.why());
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, count)) => *count += 1,
                None => lines.push((line, 1)),
            }
        }
        let told =
            lines.into_iter().map(|(line, n)| if n > 1 { format!("{line} ({n} times)") } else { line });
        let found = self.findings.iter().filter(|f| f.severity == Severity::Warning);
        told.chain(found.map(|f| format!("{}: {}", f.subject, f.what))).collect()
    }
}
