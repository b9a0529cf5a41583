//! A line of the table: truth, ours, how far apart, and how far apart they may be.

use serde_json::{Value, json};

use crate::ValidateError;

/// How the distance between truth and ours is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// |ours - truth| in the unit of the line.
    Absolute,
    /// |ours / truth - 1|.
    Relative,
    /// A limit between two trials, one on either side: the farther one's |trial / truth - 1|.
    Between,
    /// How many of a number of decisions were wrong.
    Decided,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What is measured.
    pub quantity: String,
    /// Of truth and ours; empty for numbers without one.
    pub unit: &'static str,
    /// What theory says.
    pub truth: f64,
    /// What the simulator does.
    pub ours: f64,
    /// How the error is measured.
    pub kind: Kind,
    /// The distance.
    pub error: f64,
    /// What it may be.
    pub bound: f64,
    /// Why the bound is what it is.
    pub why: &'static str,
}

impl Row {
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
        Self { quantity: quantity.into(), unit, truth, ours, kind: Kind::Absolute, error, bound, why }
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
        Self { quantity: quantity.into(), unit, truth, ours, kind: Kind::Relative, error, bound, why }
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
        Self { quantity: quantity.into(), unit, truth, ours, kind: Kind::Between, error, bound, why }
    }

    /// So many of some decisions were right; all must be.
    pub fn decided(quantity: impl Into<String>, right: usize, of: usize, why: &'static str) -> Self {
        let (truth, ours) = (of as f64, right as f64);
        let (quantity, error) = (quantity.into(), truth - ours);
        Self { quantity, unit: "", truth, ours, kind: Kind::Decided, error, bound: 0.0, why }
    }

    /// Whether the error is within its bound; an error that is no number is not.
    pub fn holds(&self) -> bool {
        self.error <= self.bound
    }

    /// For scripts.
    pub fn json(&self) -> Value {
        let kind = match self.kind {
            Kind::Absolute => "absolute",
            Kind::Relative => "relative",
            Kind::Between => "between",
            Kind::Decided => "decided",
        };
        json!({
            "quantity": self.quantity, "unit": self.unit, "truth": self.truth, "ours": self.ours, "kind": kind,
            "error": self.error, "bound": self.bound, "why": self.why, "holds": self.holds(),
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
