//! Loops and couplings: constraint rows, the forces that hold them, projection, and a consistent start.

mod assemble;
mod rank;
mod rows;
mod solver;

pub use assemble::{Assembled, AssemblyError, AssemblySettings, assemble};
pub use rank::RankRevealing;
pub use rows::{ConstraintRows, loop_gap};
pub use solver::{ConstraintSolver, Projection};
