//! Problems: holding one is the proof that it is well-formed, so solvers check nothing again.
//!
//! In order of lost structure: [`FrictionProblem`] → [`Mlcp`] → [`Lcp`].

mod answer;
mod cholesky;
pub(crate) mod entries;
mod factored;
mod forms;
mod friction;
mod lcp;
mod lower;
mod matrix;
mod mlcp;

pub use crate::error::ProblemError;
pub(crate) use answer::directions;
pub use answer::{ContactAnswer, ContactMode};
pub use entries::Entries;
pub use factored::{FactoredForm, FactoredRow};
pub use forms::{Bounded, Contact, GlobalForm, LocalForm, Row};
pub use friction::FrictionProblem;
pub use lcp::Lcp;
pub use lower::Stabilisation;
pub(crate) use lower::{Delassus, divide_rows, factored_rows, lower};
pub(crate) use matrix::Matrix;
pub use mlcp::Mlcp;
