#![forbid(unsafe_code)]
//! Contact points and dynamics to a friction problem, and impulses back.
