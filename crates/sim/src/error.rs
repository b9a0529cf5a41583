//! Why a scene could not be built.

use gudgeon_collide::ShapeError;
use gudgeon_multibody::ModelError;

/// Why a scene could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The links do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A shape cannot be.
    #[error("shape of '{body}': {reason}")]
    Shape {
        /// Whose shape.
        body: String,
        /// What is wrong.
        reason: ShapeError,
    },
    /// A name that no link has.
    #[error("{what} names '{link}', and there is no such body or link")]
    UnknownLink {
        /// Who names it.
        what: &'static str,
        /// The name.
        link: String,
    },
    /// A number out of its range.
    #[error("{what} of '{of}' is {value}")]
    Value {
        /// What it is.
        what: &'static str,
        /// Whose.
        of: String,
        /// The number.
        value: f64,
    },
    /// Loops that cannot be closed.
    #[error("loops cannot be closed from the initial position: {0}")]
    Assembly(String),
}
