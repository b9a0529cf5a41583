#![forbid(unsafe_code)]
//! URDF, MJCF and scene files to a [`Scene`], with a report of what became of every element.
//!
//! ```no_run
//! let (scene, report) = gudgeon_model::load_scene("robot.urdf".as_ref())?;
//! println!("{} dofs\n{report}", scene.model.n_v());
//! # Ok::<(), gudgeon_model::ModelFileError>(())
//! ```
//! Nothing is dropped without a word: an element or attribute is used, approximated (the report says how), or ignored
//! (the report says why). Files are foreign input: sizes, depths and file names are bounded by [`LoadOptions`].

mod error;
mod files;
mod options;
mod report;
mod scene_file;

use std::path::Path;

use gudgeon_sim::Scene;

pub use error::{ModelFileError, Place};
pub use options::{Base, FixedJoints, Limits, LoadOptions};
pub use report::{BodyFrame, Entry, Fate, Finding, ImportReport, JointInfo, Severity};

/// Reads a scene (`.toml`), a URDF (`.urdf`) or an MJCF (`.xml`) with the default options.
pub fn load_scene(path: &Path) -> Result<(Scene, ImportReport), ModelFileError> {
    load_scene_with(path, &LoadOptions::default())
}

/// Reads a scene (`.toml`), a URDF (`.urdf`) or an MJCF (`.xml`).
pub fn load_scene_with(path: &Path, options: &LoadOptions) -> Result<(Scene, ImportReport), ModelFileError> {
    scene_file::load(path, options)
}
