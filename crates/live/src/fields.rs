//! Fields of a message from outside: each there, of its kind, finite and within bounds, or a sentence that says why not.

use std::ops::RangeInclusive;

use serde_json::Value;

/// What is wrong with a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// Not JSON.
    #[error("the message is not JSON: {0}")]
    Json(String),
    /// A field is missing or out of bounds.
    #[error("'{field}' is {found}, expected {expected}")]
    Field {
        /// Which.
        field: &'static str,
        /// What it is, cut short.
        found: String,
        /// What it may be.
        expected: String,
    },
    /// An order that nobody knows.
    #[error("'{0}' is not an order")]
    Unknown(String),
    /// It names something that is not in this scene, or cannot be done to it.
    #[error("{0}")]
    Scene(String),
}

impl WireError {
    pub(crate) fn field(
        field: &'static str,
        found: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Field { field, found: short(&found.to_string()), expected: expected.into() }
    }
}

/// Long values are not sent back whole.
fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// The fields of a message.
pub(crate) struct Fields<'a>(pub(crate) &'a Value);

impl<'a> Fields<'a> {
    fn get(&self, field: &'static str) -> &'a Value {
        &self.0[field]
    }

    pub(crate) fn text(&self, field: &'static str) -> Result<&'a str, WireError> {
        let value = self.get(field);
        value.as_str().ok_or_else(|| WireError::field(field, value, "a word"))
    }

    pub(crate) fn flag(&self, field: &'static str) -> Result<bool, WireError> {
        let value = self.get(field);
        value.as_bool().ok_or_else(|| WireError::field(field, value, "true or false"))
    }

    pub(crate) fn index(&self, field: &'static str) -> Result<usize, WireError> {
        let value = self.get(field);
        let index = value.as_u64().and_then(|x| usize::try_from(x).ok());
        index.ok_or_else(|| WireError::field(field, value, "a whole number, not negative"))
    }

    pub(crate) fn maybe_index(&self, field: &'static str) -> Result<Option<usize>, WireError> {
        if self.get(field).is_null() { Ok(None) } else { self.index(field).map(Some) }
    }

    pub(crate) fn number(&self, field: &'static str, within: RangeInclusive<f64>) -> Result<f64, WireError> {
        let value = self.get(field);
        let number = value.as_f64().filter(|x| within.contains(x));
        number.ok_or_else(|| {
            WireError::field(field, value, format!("a number from {} to {}", within.start(), within.end()))
        })
    }

    pub(crate) fn number_or(
        &self,
        field: &'static str,
        or: f64,
        within: RangeInclusive<f64>,
    ) -> Result<f64, WireError> {
        if self.get(field).is_null() { Ok(or) } else { self.number(field, within) }
    }

    /// At most `longest` numbers of at most this size.
    pub(crate) fn list(
        &self,
        field: &'static str,
        largest: f64,
        longest: usize,
    ) -> Result<Vec<f64>, WireError> {
        let value = self.get(field);
        let wrong =
            || WireError::field(field, value, format!("at most {longest} numbers of at most {largest}"));
        let list = value.as_array().filter(|l| l.len() <= longest).ok_or_else(wrong)?;
        list.iter().map(|x| x.as_f64().filter(|x| x.abs() <= largest).ok_or_else(wrong)).collect()
    }

    pub(crate) fn vector(&self, field: &'static str, largest: f64) -> Result<[f64; 3], WireError> {
        let list = self.list(field, largest, 3)?;
        list.try_into()
            .map_err(|l: Vec<f64>| WireError::field(field, format!("{} numbers", l.len()), "three numbers"))
    }
}
