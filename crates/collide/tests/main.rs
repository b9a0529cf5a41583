//! One binary for all integration tests; each module is one promise.

#![expect(clippy::print_stdout, reason = "the figures behind each promise are shown by `-- --nocapture`")]

mod convex; // every convex pair against a brute-force oracle
mod invariance; // swap, rigid motion, determinism, continuity
mod meshes; // meshes and heightfields against the shapes they stand for
mod rings; // interlocked tori, chains, a nut on a bolt
mod stacks; // resting faces: exact normals, all points
mod support; // random numbers, shapes, meshes and oracles
