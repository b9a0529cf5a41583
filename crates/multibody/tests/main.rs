//! One binary for all integration tests of the crate.

mod support; // seeded numbers, random trees, named mechanisms

mod ada; // DCA and ADA against ABA, handles, depth, threads
mod agreement; // ABA = CRBA + RNEA, inverses and factors, on generated trees
mod builder; // what a model must be, and how it says so
mod derivatives; // Jacobians, their rates and energies against finite differences
mod gradients; // derivatives of accelerations and steps against differences, products against transposes
mod growth; // linear time to ten thousand links
mod loops; // closed loops against the dense KKT system, redundant ones included; assembly
mod no_alloc;
mod physics; // momentum, energy, order, mechanisms that run for a minute, strings // steps allocate nothing
mod prescribed; // joints that follow a given motion
mod robustness; // units, distances, mass ratios, small services, repeatability
