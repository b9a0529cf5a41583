//! Why a file holds no problem: one line, with the field at fault.

use gudgeon_lcp::ProblemError;

/// What is wrong with a file. The name of the file is the caller's to add: see [`super::NamedError`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read at all.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What the system says.
        reason: String,
    },
    /// The file is larger than any problem that could be solved.
    #[error("is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// The text is not JSON.
    #[error("{place}{}{reason}", if place.is_empty() { "" } else { ": " })]
    Syntax {
        /// The field that was being read, as `contacts[2].normal`; empty at the top.
        place: String,
        /// What the parser says, with line and column.
        reason: String,
    },
    /// An archive or a binary format is broken.
    #[error("{place}{}{reason}", if place.is_empty() { "" } else { ": " })]
    Format {
        /// The array or data set; empty where the container itself is at fault.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A field does not hold what it should.
    #[error("{field} is {found}, expected {expected}")]
    Field {
        /// The field, as `q[3]`.
        field: String,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// The fields are each in order but do not make a problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl FileError {
    /// A field error.
    pub(crate) fn field(
        field: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self::Field { field: field.into(), found: found.into(), expected: expected.into() }
    }

    /// A field that is not there.
    pub(crate) fn missing(field: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::field(field, "missing", expected)
    }

    /// A broken container.
    pub(crate) fn format(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Format { place: place.into(), reason: reason.into() }
    }

    /// The same error, of a field inside another.
    pub(crate) fn within(mut self, outer: &str) -> Self {
        if let Self::Field { field, .. } | Self::Format { place: field, .. } = &mut self {
            let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
            *field = format!("{outer}{dot}{field}");
        }
        self
    }
}

/// An error with the name of the file, or `FILE:LINE` in JSON lines.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name}: {error}")]
pub struct NamedError {
    /// The file.
    pub name: String,
    /// What is wrong with it.
    pub error: FileError,
}
