//! Why a scene gave no figure at all.

use gudgeon_collide::ShapeError;
use gudgeon_sim::scenes::BuiltinError;
use gudgeon_sim::{SceneError, StepError};

/// Why a scene gave no figure at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ValidateError {
    /// A shape cannot be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The scene cannot be built.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Nor a built-in one.
    #[error(transparent)]
    Builtin(#[from] BuiltinError),
    /// A step broke down.
    #[error(transparent)]
    Step(#[from] StepError),
    /// What was waited for did not happen.
    #[error("{0}")]
    Missed(String),
}
