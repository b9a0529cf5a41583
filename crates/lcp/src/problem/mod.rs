//! Problems: holding one is the proof that it is well-formed, so solvers check nothing again.
//!
//! In order of lost structure: [`FrictionProblem`] → [`Mlcp`] → [`Lcp`].

mod convert;
pub(crate) mod entries;
mod error;
mod factored;
mod friction;
mod lcp;
mod lower;
mod matrix;
mod mlcp;

pub(crate) use convert::BoxedJudge;
pub use convert::MlcpLcp;
pub use entries::Entries;
pub use error::ProblemError;
pub use factored::{FactoredForm, FactoredRow};
pub use friction::{Bounded, Contact, FrictionProblem, GlobalForm, LocalForm, Row};
pub use lcp::Lcp;
pub use lower::{ContactAnswer, ContactMode, FrictionLcp, Stabilisation};
pub(crate) use lower::{directions, divide_rows, factored_rows};
pub(crate) use matrix::Matrix;
pub use mlcp::Mlcp;
