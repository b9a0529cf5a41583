#![forbid(unsafe_code)]
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
//! The modules follow the road of the data: `problem` → `scale` → `basis`, `tableau` → one file per method
//! → `measure`, `outcome`.

mod active;
mod basis;
mod block_pivot;
mod boxed;
mod clock;
mod dantzig;
mod drive;
mod exact;
mod friction;
mod front;
mod inverse;
mod kernel;
mod ledger;
mod lemke;
mod lexicographic;
mod lu;
mod measure;
mod murty;
mod noise;
mod observer;
mod outcome;
mod parts;
mod pgs;
mod problem;
mod robust;
mod scale;
mod search;
mod solver;
mod sparse;
mod sure;
mod tableau;
mod verdict;
mod visited;

pub use block_pivot::BlockPivot;
pub use clock::{Clock, Interrupt};
pub use dantzig::Dantzig;
pub use friction::{
    Canonical, ConeShape, Island, Lloyd, Reduced, RowIds, Spread, SpreadReport, Stage, StageReport,
    StageTotal, StageTotals, Structural, Structured, WarmEntry, WarmKind, WarmStart, canonical,
    contact_residual, facet_gap, islands, solve_islands,
};
pub use front::{Options, Problem, Refused};
pub use lemke::Lemke;
pub use lexicographic::Lexicographic;
pub use measure::{ErrorSum, Errors, lcp_errors, mlcp_errors};
pub use murty::Murty;
pub use observer::{Curve, Observer, PivotEvent, SweepEvent, Trace, Variable};
pub use outcome::{
    Budget, MlcpSolution, Outcome, Proof, Ray, Residual, SOLVED, Side, Solution, Start, Status,
};
pub use pgs::Pgs;
pub use problem::{
    Bounded, Contact, ContactAnswer, ContactMode, FactoredForm, FactoredRow, FrictionLcp, FrictionProblem,
    GlobalForm, Lcp, LocalForm, Mlcp, MlcpLcp, ProblemError, Row, Stabilisation,
};
pub use robust::Robust;
pub use scale::Scaling;
pub use search::Search;
pub use solver::{FrictionSolution, Method, Solver, UnknownMethod};
pub use sparse::SparseMatrix;
