#![forbid(unsafe_code)]
//! Articulated-body dynamics.
