#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]
//! A live simulation from outside: hands, the way back, recordings, the wire, and strangers.

mod client;
mod hands;
mod history;
mod mutants;
mod pages;
