#![forbid(unsafe_code)]
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "heads of modules name their rooms, which readers of the source can open"
)]
//! Linear complementarity problems, and pivoting solvers that never fail silently.
//!
//! ```text
//!     find z, w   with   w = M z + q,   0 ≤ w ⊥ z ≥ 0                         (LCP)
//! ```
//!
//! The crate knows nothing of bodies: it takes matrices and gives back certified answers. Problems are
//! proof of their own validity ([`Lcp`], [`Mlcp`], [`FrictionProblem`]); a solver is a method together
//! with its scratch memory ([`Solver`], or one of the concrete structs); every answer says how it ended
//! ([`Status`]) and how far it is from a solution ([`Residual`]), measured on the original data.
//!
//! ```
//! use gudgeon_lcp::{Lcp, Method, Solution, Solver, Status};
//!
//! // four legs, three degrees of freedom: M has rank 3 and the forces are not unique
//! let lcp = Lcp::from_rows(
//!     &[[3.0, 1.0, 1.0, -1.0], [1.0, 3.0, -1.0, 1.0], [1.0, -1.0, 3.0, 1.0], [-1.0, 1.0, 1.0, 3.0]],
//!     vec![-1.0; 4],
//! )?;
//! let mut solution = Solution::default();
//! let outcome = Solver::new(Method::Robust).solve(&lcp, &mut solution);
//! assert_eq!(outcome.status, Status::Solved);
//! assert!(outcome.residual.natural <= 1e-9);
//! # Ok::<(), gudgeon_lcp::ProblemError>(())
//! ```
//!
//! The modules follow the road of the data: [`problem`] → [`scale`] → `basis`, `tableau` → one file per method
//! → [`verdict`], [`measure`], [`outcome`]. Each begins with what it does, by which law and from which paper; everything that
//! one needs is at the top of the crate.

pub mod active;
mod basis;
pub mod block_pivot;
pub mod boxed;
mod budget;
pub mod clock;
pub mod convert;
pub mod dantzig;
mod drive;
mod error;
pub mod exact;
pub mod friction;
pub mod front;
mod inverse;
mod kernel;
mod ledger;
pub mod lemke;
pub mod lexicographic;
mod lu;
pub mod measure;
pub mod murty;
mod noise;
pub mod observer;
pub mod outcome;
mod parts;
pub mod pgs;
pub mod problem;
mod residual;
pub mod robust;
mod rows;
pub mod scale;
pub mod search;
pub mod solver;
pub mod sparse;
mod split;
mod sure;
mod tableau;
mod tolerances;
pub mod verdict;
mod visited;

pub use block_pivot::BlockPivot;
pub use budget::{Budget, Interrupt};
pub use clock::Clock;
pub use convert::{FrictionLcp, MlcpLcp};
pub use dantzig::Dantzig;
pub use error::ProblemError;
pub use friction::{
    Canonical, ConeShape, Fell, FrictionSolution, FrictionTask, Island, Lloyd, Reduced, RowIds, Rung, Spread,
    SpreadReport, Stage, StageReport, StageTotal, StageTotals, Structural, Structured, WarmEntry, WarmKind,
    WarmStart, answer_of, canonical, contact_residual, facet_gap, islands, judged_answer, solve_islands,
};
pub use front::{Options, Problem, Refused};
pub use lemke::Lemke;
pub use lexicographic::Lexicographic;
pub use measure::{ErrorSum, Errors, lcp_errors, mlcp_errors};
pub use murty::Murty;
pub use observer::{Curve, IterateEvent, Iterates, Observer, PivotEvent, SweepEvent, Trace, Variable};
pub use outcome::{MlcpSolution, Outcome, Proof, Ray, Residual, SOLVED, Side, Solution, Start, Status};
pub use pgs::Pgs;
pub use problem::{
    Bounded, Contact, ContactAnswer, ContactMode, Entries, FactoredForm, FactoredRow, FrictionProblem,
    GlobalForm, Lcp, LocalForm, Mlcp, Row, Stabilisation,
};
pub use robust::Robust;
pub use scale::Scaling;
pub use search::Search;
pub use solver::{Method, Solver, UnknownMethod};
pub use sparse::SparseMatrix;
