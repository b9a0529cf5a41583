//! A line of the table: truth, ours, how far apart, and how far apart they may be.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::ValidateError;

/// How the distance between truth and ours is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorMeasure {
    /// |ours - truth| in the unit of the line.
    Absolute,
    /// |ours / truth - 1|.
    Relative,
    /// A limit between two trials, one on either side: the farther one's |trial / truth - 1|.
    Between,
    /// How many of a number of decisions were wrong.
    Decided,
}

/// How scripts call them.
const KINDS: [(ErrorMeasure, &str); 4] = [
    (ErrorMeasure::Absolute, "absolute"),
    (ErrorMeasure::Relative, "relative"),
    (ErrorMeasure::Between, "between"),
    (ErrorMeasure::Decided, "decided"),
];

/// A line of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What is measured.
    pub quantity: String,
    /// Of truth and ours; empty for numbers without one.
    pub unit: Cow<'static, str>,
    /// What theory says.
    pub truth: f64,
    /// What the simulator does.
    pub ours: f64,
    /// How the error is measured.
    pub kind: ErrorMeasure,
    /// The distance.
    pub error: f64,
    /// What it may be.
    pub bound: f64,
    /// Why the bound is what it is.
    pub why: Cow<'static, str>,
}

impl Row {
    fn new(
        quantity: String,
        unit: &'static str,
        numbers: [f64; 4],
        kind: ErrorMeasure,
        why: &'static str,
    ) -> Self {
        let [truth, ours, error, bound] = numbers;
        let (unit, why) = (Cow::Borrowed(unit), Cow::Borrowed(why));
        Self { quantity, unit, truth, ours, kind, error, bound, why }
    }

    /// A number with a unit that may be zero.
    pub fn absolute(
        quantity: impl Into<String>,
        unit: &'static str,
        truth: f64,
        ours: f64,
        bound: f64,
        why: &'static str,
    ) -> Self {
        let error = (ours - truth).abs();
        Self::new(quantity.into(), unit, [truth, ours, error, bound], ErrorMeasure::Absolute, why)
    }

    /// A number that is not zero, in parts of itself.
    pub fn relative(
        quantity: impl Into<String>,
        unit: &'static str,
        truth: f64,
        ours: f64,
        bound: f64,
        why: &'static str,
    ) -> Self {
        let error = (ours / truth - 1.0).abs();
        Self::new(quantity.into(), unit, [truth, ours, error, bound], ErrorMeasure::Relative, why)
    }

    /// A limit that lies between two trials; ours is their middle.
    pub fn between(
        quantity: impl Into<String>,
        unit: &'static str,
        truth: f64,
        trials: [f64; 2],
        bound: f64,
        why: &'static str,
    ) -> Self {
        let error = trials.iter().map(|t| (t / truth - 1.0).abs()).fold(0.0, f64::max);
        // a trial at 1 + 1e-5 is a rounding farther than 1e-5
        let error = if error <= bound * (1.0 + 1e-9) { error.min(bound) } else { error };
        let ours = 0.5 * (trials[0] + trials[1]);
        Self::new(quantity.into(), unit, [truth, ours, error, bound], ErrorMeasure::Between, why)
    }

    /// So many of some decisions were right; all must be.
    pub fn decided(quantity: impl Into<String>, right: usize, of: usize, why: &'static str) -> Self {
        let (truth, ours) = (of as f64, right as f64);
        Self::new(quantity.into(), "", [truth, ours, truth - ours, 0.0], ErrorMeasure::Decided, why)
    }

    /// Whether the error is within its bound; an error that is no number is not.
    pub fn holds(&self) -> bool {
        self.error <= self.bound
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        let kind = KINDS.iter().find(|(kind, _)| *kind == self.kind).map(|(_, name)| name);
        json!({
            "quantity": self.quantity, "unit": self.unit, "truth": self.truth, "ours": self.ours, "kind": kind,
            "error": self.error, "bound": self.bound, "why": self.why, "holds": self.holds(),
        })
    }

    /// What [`Row::json`] has written; a number that JSON does not have is none.
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let number = |key: &str| value[key].as_f64().unwrap_or(f64::NAN);
        let named = text("kind")?;
        Some(Self {
            quantity: text("quantity")?,
            unit: text("unit")?.into(),
            truth: number("truth"),
            ours: number("ours"),
            kind: KINDS.iter().find(|(_, name)| *name == named)?.0,
            error: number("error"),
            bound: number("bound"),
            why: text("why")?.into(),
        })
    }
}

/// A scene of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What it is called, on the command line too.
    pub name: &'static str,
    /// What is in it, and where the truth comes from.
    pub about: &'static str,
    /// Whether it takes a second at most, so that the ordinary tests run it.
    pub quick: bool,
    /// Simulates it.
    pub run: fn() -> Result<Vec<Row>, ValidateError>,
}
