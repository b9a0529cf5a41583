//! One binary for all integration tests; each module is one promise.

#![expect(clippy::print_stdout, reason = "the figures behind each promise are shown by `-- --nocapture`")]

mod convex; // every convex pair against a brute-force oracle
mod support; // random numbers, shapes, meshes and oracles
