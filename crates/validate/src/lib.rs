#![forbid(unsafe_code)]
//! Scenes whose answer is known, and how far the simulator is from it: what `gudgeon validate` prints.
//!
//! | part | truth |
//! |---|---|
//! | [`theory`] | a formula, an elliptic integral, or a limit by linear programming |
//! | [`consistency`] | the same scene seen otherwise |
//! | [`reality`] | what other people measured |

pub mod consistency;
mod error;
mod linear_program;
mod outcome;
mod picture;
pub mod reality;
mod row;
mod run;
pub mod theory;

pub use error::ValidateError;
pub use linear_program::{LinearProgram, Optimum};
pub use outcome::{HEADING, Outcome, page};
pub use picture::picture;
pub use row::{Entry, ErrorMeasure, Row};
