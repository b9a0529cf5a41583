//! What an item found: figures beside the paper's, checks, tables, pictures; as JSON, from which the page is made.

use serde_json::{Value, json};

/// A statement about this project that must hold.
#[derive(Debug, Clone)]
pub(super) struct Check {
    pub(super) what: String,
    pub(super) paper: String,
    pub(super) ours: String,
    pub(super) holds: bool,
}

/// What a paper saw of methods that are not its own proposal. That it is not so here is no fault of ours, and is said.
#[derive(Debug, Clone)]
pub(super) struct Observation {
    pub(super) what: String,
    pub(super) paper: String,
    pub(super) ours: String,
    pub(super) same: bool,
    /// Why, where it is not the same.
    pub(super) why: String,
}

/// A table of text.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(caption: &str, header: &[&str]) -> Self {
        let header = header.iter().map(|&h| h.to_owned()).collect();
        Self { caption: caption.to_owned(), header, rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

/// What an item found.
#[derive(Debug, Clone, Default)]
pub(super) struct Report {
    pub(super) checks: Vec<Check>,
    pub(super) observations: Vec<Observation>,
    pub(super) tables: Vec<Table>,
    /// Caption and SVG.
    pub(super) pictures: Vec<(String, String)>,
    /// What is the same as in the paper.
    pub(super) exact: Vec<String>,
    /// What is alike, not equal.
    pub(super) in_kind: Vec<String>,
    /// Why it differs.
    pub(super) differences: Vec<String>,
    /// Every number, for other programs.
    pub(super) data: Value,
}

impl Report {
    pub(super) fn check(&mut self, what: &str, paper: &str, ours: impl Into<String>, holds: bool) {
        let (what, paper, ours) = (what.to_owned(), paper.to_owned(), ours.into());
        self.checks.push(Check { what, paper, ours, holds });
    }

    /// A statement that says nothing below a certain size: left out there.
    pub(super) fn check_if(&mut self, large: bool, what: &str, paper: &str, ours: String, holds: bool) {
        if large {
            self.check(what, paper, ours, holds);
        }
    }

    /// What the paper saw of another method, and what we see; `why` is said where they differ.
    pub(super) fn observe(
        &mut self,
        what: &str,
        paper: &str,
        ours: impl Into<String>,
        same: bool,
        why: &str,
    ) {
        let (what, paper, ours, why) = (what.to_owned(), paper.to_owned(), ours.into(), why.to_owned());
        self.observations.push(Observation { what, paper, ours, same, why });
    }

    pub(super) fn exact(&mut self, text: impl Into<String>) {
        self.exact.push(text.into());
    }

    pub(super) fn in_kind(&mut self, text: impl Into<String>) {
        self.in_kind.push(text.into());
    }

    pub(super) fn differs(&mut self, text: impl Into<String>) {
        self.differences.push(text.into());
    }

    /// The names of the files of the pictures of an item.
    pub(super) fn files(item: &str, pictures: usize) -> Vec<String> {
        let name = |k: usize| if k == 0 { format!("{item}.svg") } else { format!("{item}-{}.svg", k + 1) };
        (0..pictures).map(name).collect()
    }

    /// The JSON of an item.
    pub(super) fn to_json(&self, item: &super::Item, settings: &Value, seconds: f64) -> Value {
        let checks = self
            .checks
            .iter()
            .map(|c| json!({"what": c.what, "paper": c.paper, "ours": c.ours, "holds": c.holds}));
        let observations = self.observations.iter().map(|o| {
            json!({"what": o.what, "paper": o.paper, "ours": o.ours, "same": o.same,
                   "why": if o.same { "" } else { o.why.as_str() }})
        });
        let tables =
            self.tables.iter().map(|t| json!({"caption": t.caption, "header": t.header, "rows": t.rows}));
        let files = Self::files(item.name, self.pictures.len());
        let pictures = self
            .pictures
            .iter()
            .zip(&files)
            .map(|((caption, _), file)| json!({"file": file, "caption": caption}));
        json!({
            "item": item.name,
            "paper": item.paper,
            "place": item.place,
            "title": item.title,
            "settings": settings,
            "checks": checks.collect::<Vec<_>>(),
            "observations": observations.collect::<Vec<_>>(),
            "tables": tables.collect::<Vec<_>>(),
            "pictures": pictures.collect::<Vec<_>>(),
            "exact": self.exact,
            "in_kind": self.in_kind,
            "differences": self.differences,
            "data": self.data,
            "wall_seconds": seconds,
        })
    }
}
