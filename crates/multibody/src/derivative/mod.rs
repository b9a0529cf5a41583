//! Derivatives of the tree algorithms, each in the symbols of the stage it belongs to.
//!
//! A position varies in the tangent space, q ⊕ δq, so that δq has n_v numbers and a dof's own axis is what its number
//! moves: all links behind dof j are displaced by S_j δq_j. Velocities are varied as the numbers they are.
//!
//! | stage             | derivative                                  | here        |
//! |-------------------|---------------------------------------------|-------------|
//! | `kinematics`      | displacement and velocity fields of links   | [`Fields`]  |
//! | `rnea`, `crba`    | ∂τ/∂q, ∂τ/∂v by branches, products by sweeps; ∂τ/∂inertia | [`DynamicsDerivative`] |
//! | `aba`             | M δq̈ = δτ - ∂τ/∂q δq - ∂τ/∂v δv              | [`AccelerationDerivative`] |
//! | `constraint`      | the same with loops held                    | [`AccelerationDerivative`] |
//! | `integrate`       | q ⊕ dt v against q and v                    | [`integrate_jvp`], [`integrate_vjp`] |
//!
//! Spatial quantities here are in world axes about one fixed point per tree, the origin of its first link: recursions
//! lose their shifts, and what is far from the world's origin keeps its digits.

mod bends;
mod branches;
mod constraint;
mod fields;
mod flight;
mod forward;
mod free_body;
mod held;
mod inertia;
mod integrate;
mod rnea;
mod shares;
mod sweep;

pub use branches::Branches;
pub use constraint::LoopDerivative;
pub use fields::Fields;
pub use flight::{DriftShares, FlightDerivative, FlightShares, Road};
pub use forward::{AccelerationDerivative, AccelerationScratch, InputChange, Shares};
pub use inertia::{InertiaGradient, inertia_bilinear, inertia_gradient};
pub use integrate::{from_tangent, integrate_jvp, integrate_vjp, to_tangent};
pub use rnea::DynamicsDerivative;
pub use shares::ModelShares;
pub use sweep::Sums;
