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

mod advice;
mod assembly;
mod cache;
mod convert;
mod doctor;
mod error;
mod facts;
mod files;
mod ground;
mod meshes;
mod mjcf;
mod model_file;
mod options;
mod place;
mod png;
mod report;
mod scene_file;
mod sound;
mod start;
mod states;
mod tolerances;
mod urdf;
mod xml;

use std::path::Path;

use gudgeon_sim::Scene;

pub use cache::Cache;
pub use convert::scene_text;
pub use error::{ModelFileError, Place};
pub use facts::{facts, poses_at};
pub use ground::add_ground;
pub use options::{Base, FixedJoints, Limits, LoadOptions, Seen};
pub use report::{BodyFrame, Consequence, Entry, Fate, Finding, ImportReport, JointInfo, Severity};
pub use states::at_states;

/// Reads a scene (`.toml`), a URDF (`.urdf`) or an MJCF (`.xml`) with the default options.
pub fn load_scene(path: &Path) -> Result<(Scene, ImportReport), ModelFileError> {
    load_scene_with(path, &LoadOptions::default())
}

/// Reads a scene (`.toml`), a URDF (`.urdf`) or an MJCF (`.xml`).
pub fn load_scene_with(path: &Path, options: &LoadOptions) -> Result<(Scene, ImportReport), ModelFileError> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let (scene, report) = match ending.as_str() {
        "toml" => scene_file::load(path, options)?,
        "urdf" | "xml" | "mjcf" => model_file::scene(path, None, options)?,
        other => {
            return Err(ModelFileError::Value {
                at: Place { file: path.to_owned(), line: 0 },
                what: "the file's ending".into(),
                value: other.to_owned(),
                expected: ".toml (scene), .urdf or .xml (MJCF)".into(),
            });
        }
    };
    refuse_losses(&report, options)?;
    Ok((scene, report))
}

/// All that may be written in a scene file, as a page of Markdown.
pub fn scene_keys() -> String {
    scene_file::reference::page()
}

/// The same as a JSON schema, for editors.
pub fn scene_schema() -> String {
    format!("{:#}\n", scene_file::json_schema::schema())
}

/// What a key of a scene file means: `friction` in every table that has it, `joint.friction` in one. An error has the names nearest
/// to it.
pub fn explain_key(key: &str) -> Result<String, Vec<String>> {
    scene_file::reference::explain(key)
}

/// Reads a model from a text as if it stood at `path`, which says the format and where meshes are.
pub fn load_text(
    path: &Path,
    text: &str,
    options: &LoadOptions,
) -> Result<(Scene, ImportReport), ModelFileError> {
    let (scene, report) = model_file::scene(path, Some(text), options)?;
    refuse_losses(&report, options)?;
    Ok((scene, report))
}

fn refuse_losses(report: &ImportReport, options: &LoadOptions) -> Result<(), ModelFileError> {
    let mut ignored = report.ignored();
    match ignored.next() {
        Some(first) if options.strict => Err(ModelFileError::Strict {
            at: first.at.clone(),
            count: 1 + ignored.count(),
            first: format!("{}, {}", first.item, first.fate.why()),
        }),
        _ => Ok(()),
    }
}
