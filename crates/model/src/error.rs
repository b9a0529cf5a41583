//! Why a model or scene file could not be read: always which file, and the line where there is one.

use std::path::PathBuf;

use gudgeon_sim::SceneError;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1; 0 is the file as a whole.
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 { write!(f, ":{}", self.line) } else { Ok(()) }
    }
}

/// Why a model or scene file could not be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// The file is not there, or may not be read.
    #[error("{at}: {reason}")]
    Read {
        /// Where it is named, or the file itself.
        at: Place,
        /// What the system said.
        reason: String,
    },
    /// Not well-formed, or a key that does not belong there.
    #[error("{at}: {reason}")]
    Syntax {
        /// Where.
        at: Place,
        /// What the parser said.
        reason: String,
    },
    /// An attribute or key that must be there is not.
    #[error("{at}: {element} has no {attribute}")]
    Missing {
        /// Where.
        at: Place,
        /// The element or table.
        element: String,
        /// What it lacks.
        attribute: String,
    },
    /// A value that cannot be.
    #[error("{at}: {what} is '{value}', expected {expected}")]
    Value {
        /// Where.
        at: Place,
        /// Element and attribute, or key.
        what: String,
        /// As written.
        value: String,
        /// What would do.
        expected: String,
    },
    /// A name that nothing has.
    #[error("{at}: {what} names '{name}', and there is no such {kind}")]
    Reference {
        /// Where.
        at: Place,
        /// Who names it.
        what: String,
        /// What it should be.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A name given twice.
    #[error("{at}: {kind} '{name}' is already there")]
    Duplicate {
        /// Where.
        at: Place,
        /// Of what.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// Beyond a limit that bounds memory and time.
    #[error("{at}: {count} {what}, more than the limit of {limit}")]
    Limit {
        /// Where.
        at: Place,
        /// Of what.
        what: &'static str,
        /// How many there are, or at least are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A file outside of the model's own directory and the search path.
    #[error(
        "{at}: '{path}' leads outside of the model's directory; name the other directory in the search path, or allow outside files"
    )]
    Escape {
        /// Where it is named.
        at: Place,
        /// As written.
        path: String,
    },
    /// The joints or bodies do not make a mechanism.
    #[error("{at}: {reason}")]
    Structure {
        /// Where.
        at: Place,
        /// What is wrong.
        reason: String,
    },
    /// The file was read, but what it says is no scene.
    #[error("{at}: {reason}")]
    Scene {
        /// The file.
        at: Place,
        /// What is wrong.
        reason: SceneError,
    },
    /// Something was ignored and the reading is strict.
    #[error("{at}: {count} elements or attributes ignored, the first: {first}")]
    Strict {
        /// The first of them.
        at: Place,
        /// How many.
        count: usize,
        /// Which.
        first: String,
    },
}
