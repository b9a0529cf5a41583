//! What a solve may cost, and the flag that ends it.

use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that somebody else may raise: a signal handler, another thread. Lives as long as the program, so that
/// a [`Budget`] stays plain data.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use gudgeon_lcp::{Budget, Interrupt, Lcp, Method, Options, Solution, Solver, Status};
///
/// static STOP: AtomicBool = AtomicBool::new(false);
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let budget = Budget { interrupt: Some(Interrupt::new(&STOP)), ..Budget::default() };
/// STOP.store(true, Ordering::Relaxed); // a handler of Ctrl-C would do this
/// let options = Options { budget, ..Options::default() };
/// let outcome = Solver::new(Method::Robust).run(&lcp, options, &mut Solution::default())?;
/// assert_eq!(outcome.status, Status::Budget);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Interrupt(&'static AtomicBool);

impl Interrupt {
    /// Watches this flag.
    pub const fn new(flag: &'static AtomicBool) -> Self {
        Self(flag)
    }

    /// Whether the flag is up.
    #[inline]
    pub fn is_raised(self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Interrupt {
    /// The same flag, not the same state.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

/// What a solve may spend; `None` is the method's own generous limit. Seconds cost determinism: use them
/// where a deadline matters more.
///
/// ```
/// use gudgeon_lcp::{Budget, Lcp, Method, Options, Solution, Solver, Status};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let options = Options { budget: Budget::pivots(1), ..Options::default() };
/// let outcome = Solver::new(Method::Lemke).run(&lcp, options, &mut Solution::default())?;
/// assert_eq!(outcome.status, Status::Budget);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Budget {
    /// Exchanges (sweeps for `pgs`).
    pub pivots: Option<usize>,
    /// Nodes of a search.
    pub nodes: Option<usize>,
    /// Wall time, s.
    pub seconds: Option<f64>,
    /// A flag that ends the solve when it is raised.
    pub interrupt: Option<Interrupt>,
}

impl Budget {
    /// A budget of pivots alone.
    pub fn pivots(pivots: usize) -> Self {
        Self { pivots: Some(pivots), ..Self::default() }
    }

    /// A budget of time alone.
    pub fn seconds(seconds: f64) -> Self {
        Self { seconds: Some(seconds), ..Self::default() }
    }
}
