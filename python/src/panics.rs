//! A fault of the program is an exception that Python's programs can catch, like any other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::PyErr;

/// What `work` answers; a panic in it becomes `gudgeon.InternalError`. What `work` had under its hands may be half done: a
/// simulation is then to be reset or restored.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, PyErr> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        crate::InternalError::new_err(format!("a fault of gudgeon itself, please report it: {text}"))
    })
}
