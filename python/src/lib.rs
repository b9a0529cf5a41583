//! The compiled half of the Python package `gudgeon`.
//!
//! ```text
//!     arrays      NumPy in and out: shapes and types checked by name, views of memory that Rust owns
//!     solve       complementarity problems
//!     model       what is simulated;   shipped: with the files that it names
//!     alone       simulators that Python's threads may share
//!     simulation  one copy of it in motion;   contacts, dynamics: what can be asked of it;   snapshot, recorder: kept
//!     batch, rollout  many copies on threads;   parameters, varied: with numbers of their own;   drive: what a control is
//!     linearization  derivatives of steps;   gradient: of rollouts
//!     memory      room for what is asked, or MemoryError;   panics: faults as exceptions;   watch: Ctrl-C
//!     picture     a small rasteriser;   command: `gudgeon` as it is typed
//! ```
//! The other half, `package/gudgeon`, is Python: results with names, environments, Ray.
#![expect(unsafe_code, reason = "NumPy arrays over memory that Rust owns")]

mod alone;
mod arrays;
mod batch;
mod changes;
mod command;
mod contacts;
mod drive;
mod dynamics;
mod gradient;
mod linearization;
mod live;
mod memory;
mod model;
mod panics;
mod parameters;
mod picture;
mod reading;
mod recorder;
mod rollout;
mod shipped;
mod simulation;
mod snapshot;
mod solve;
mod threads;
mod varied;
mod watch;

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

create_exception!(gudgeon, ProblemError, PyValueError, "Data that is no complementarity problem.");
create_exception!(gudgeon, ModelError, PyValueError, "A model or scene that cannot be read or built.");
create_exception!(gudgeon, SnapshotError, PyValueError, "A snapshot that is damaged or of another model.");
create_exception!(
    gudgeon,
    GradientError,
    PyRuntimeError,
    "A step that has no derivative: not solved to its law, or a part without one."
);
create_exception!(
    gudgeon,
    StepError,
    PyRuntimeError,
    "A step that could not be done: the state is not finite."
);

create_exception!(
    gudgeon,
    InternalError,
    PyRuntimeError,
    "A fault of the package itself; what it was working on may be half done."
);

#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::gradient::Runs;
    #[pymodule_export]
    use super::linearization::Linearization;
    #[pymodule_export]
    use super::model::{Model, scenes};
    #[pymodule_export]
    use super::rollout::rollout;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::solve::{methods, solve_friction, solve_lcp, solve_mlcp};
    #[pymodule_export]
    use super::{GradientError, InternalError, ModelError, ProblemError, SnapshotError, StepError};
}
