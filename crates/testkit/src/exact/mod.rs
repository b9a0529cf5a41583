//! An independent oracle: Lemke's method with lexicographic ties, in exact arithmetic.
//!
//! Every f64 is a whole number times a power of two, so a problem of floats is a problem of rationals without any
//! error. Nothing is shared with the solvers but the definition of the problem: this is a full tableau
//!
//! ```text
//!     I w − M z − 1 z₀ = q
//! ```
//!
//! held as whole numbers over one common denominator, the determinant of the basis (Edmonds' integer pivoting,
//! which makes every division exact and needs no greatest common divisors):
//!
//! ```text
//!     t_ij ← (t_ij t_rs − t_is t_rj) / det,   det ← t_rs        for every row i but the pivot row r
//! ```
//!
//! The columns of w are B⁻¹, which breaks ties lexicographically: no cycle, no tolerance. Each answer is checked
//! against the original problem in rationals before it is returned.
//!
//! Numbers grow to about n times 53 bits and more where exponents differ: n = 30 takes about a second.

mod basis;
mod cells;
mod lemke;
mod number;

pub use basis::{Verdict, is_solution_exact, solution_bases};
pub use cells::{is_backward_exact, is_near_solution, vertex_solutions};
pub use lemke::{Answer, lemke};
pub use number::{rational, to_f64};
