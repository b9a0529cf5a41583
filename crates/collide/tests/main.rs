//! One binary for all integration tests; each module is one promise.

mod convex; // every convex pair against a brute-force oracle
mod support; // random numbers, shapes, meshes and oracles
