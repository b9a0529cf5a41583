#![forbid(unsafe_code)]
//! Linear complementarity problems and solvers that never fail silently.
