//! One binary for all integration tests of the crate.

mod support; // seeded numbers, random trees, named mechanisms

mod agreement; // ABA = CRBA + RNEA, inverses and factors, on generated trees
mod builder; // what a model must be, and how it says so
mod derivatives; // Jacobians, their rates and energies against finite differences
