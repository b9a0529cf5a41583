//! One binary for all integration tests; each module is one promise.

#![expect(clippy::print_stdout, reason = "the figures behind each promise are shown by `-- --nocapture`")]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]
#![expect(clippy::format_push_string, clippy::format_collect, reason = "small files written in passing")]

mod campaign; // the long one: 10,000 poses of every pair
mod convex; // every convex pair against a brute-force oracle
mod flush; // coincident features: shared planes, vertices, crossings at vertices
mod hostile; // degenerate shapes and corrupted files
mod invariance; // swap, rigid motion, determinism, continuity
mod machines; // threads, gears, saddles and tori that nearly touch
mod mating; // those parts, and the oracle that judges them
mod meshes; // meshes and heightfields against the shapes they stand for
mod names; // whole faces of flush bodies, names that last
mod no_alloc; // the second call allocates nothing
mod queries; // mass, rays, distances, filters, reduction
mod rings; // interlocked tori, chains, a nut on a bolt
mod slopes; // derivatives of contacts against differences
mod stacks; // resting faces: exact normals, all points
mod support;
mod sweeps; // balls on swept sections, by the formula // random numbers, shapes, meshes and oracles
