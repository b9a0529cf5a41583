//! The command `gudgeon`, as the package installs it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the words of a command line, the program's name first, on the streams of the process; returns the exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    crate::panics::caught(|| py.detach(|| gudgeon_cli::typed(words)))
}
