//! The methods as one closed set.

use super::{Method, Solver};
use crate::block_pivot::BlockPivot;
use crate::dantzig::Dantzig;
use crate::friction::{Reduced, Structural};
use crate::lemke::Lemke;
use crate::lexicographic::Lexicographic;
use crate::murty::Murty;
use crate::observer::Observer;
use crate::outcome::{Budget, Outcome, Solution, Start};
use crate::pgs::Pgs;
use crate::problem::Lcp;
use crate::robust::Robust;
use crate::search::Search;

/// One variant per method, generated with everything that is the same for all of them.
macro_rules! engines {
    ($($method:ident),*) => {
        #[derive(Debug, Clone)]
        pub(super) enum Engine {
            $($method(Box<$method>)),*
        }

        impl Engine {
            pub(super) fn new(method: Method) -> Self {
                match method {
                    $(Method::$method => Self::$method(Box::default())),*
                }
            }

            pub(super) fn method(&self) -> Method {
                match self {
                    $(Self::$method(_) => Method::$method),*
                }
            }

            pub(super) fn solve_with(
                &mut self,
                lcp: &Lcp,
                start: Start<'_>,
                budget: Budget,
                solution: &mut Solution,
                observer: &mut impl Observer,
            ) -> Outcome {
                match self {
                    $(Self::$method(engine) => engine.solve_with(lcp, start, budget, solution, observer)),*
                }
            }
        }

        $(
            impl From<$method> for Solver {
                /// A solver with these settings.
                fn from(engine: $method) -> Self {
                    Self::with_engine(Engine::$method(Box::new(engine)))
                }
            }
        )*
    };
}

engines!(Lemke, Lexicographic, Search, Robust, Structural, Reduced, Murty, BlockPivot, Dantzig, Pgs);
