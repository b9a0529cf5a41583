//! Loops and couplings: constraint rows, the forces that hold them, projection, and a consistent start.

mod assemble;
mod curve;
mod rank;
mod rows;
mod solver;

pub use assemble::{Assembled, AssemblyError, AssemblySettings, assemble};
pub use curve::{Curve, CurveError};
pub use rank::RankRevealing;
pub use rows::{ConstraintRows, Coupling, Loop, LoopKind, LoopSpec, loop_gap};
pub use solver::{ConstraintSolver, Projection};
