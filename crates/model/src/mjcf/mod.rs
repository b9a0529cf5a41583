//! MJCF (to come).
use std::path::Path;

use crate::assembly::Assembly;
use crate::error::{ModelFileError, Place};
use crate::options::LoadOptions;
use crate::report::ImportReport;

pub(crate) fn load(path: &Path, _text: Option<&str>, _options: &LoadOptions) -> Result<(Assembly, ImportReport), ModelFileError> {
    Err(ModelFileError::Structure { at: Place { file: path.to_owned(), line: 0 }, reason: "MJCF is not read yet".into() })
}
