//! Problems: holding one is the proof that it is well-formed, so solvers check nothing again.
//!
//! In order of lost structure: [`FrictionProblem`] → [`Mlcp`] → [`Lcp`].

pub(crate) mod entries;
mod factored;
mod friction;
mod lcp;
mod lower;
mod matrix;
mod mlcp;

pub use crate::error::ProblemError;
pub use entries::Entries;
pub use factored::{FactoredForm, FactoredRow};
pub use friction::{Bounded, Contact, FrictionProblem, GlobalForm, LocalForm, Row};
pub use lcp::Lcp;
pub use lower::{ContactAnswer, ContactMode, Stabilisation};
pub(crate) use lower::{Delassus, directions, divide_rows, factored_rows, lower};
pub(crate) use matrix::Matrix;
pub use mlcp::Mlcp;
