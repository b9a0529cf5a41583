//! What a solve may cost, and the flag that ends it.

use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that somebody else may raise, or a question that somebody else may answer: a signal handler, another thread. Lives as
/// long as the program, so that a [`Budget`] stays plain data.
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
pub struct Interrupt(Source);

#[derive(Debug, Clone, Copy)]
enum Source {
    Flag(&'static AtomicBool),
    Asked(fn() -> bool),
}

impl Interrupt {
    /// Watches this flag.
    pub const fn new(flag: &'static AtomicBool) -> Self {
        Self(Source::Flag(flag))
    }

    /// Asks this function, on the thread of the solve, wherever the solve looks at its limits: for hosts that tell of signals only
    /// when they are asked. It is called every few microseconds and should answer from memory most of the time; once it
    /// has said yes it must go on saying so until the solve has ended.
    ///
    /// ```
    /// use gudgeon_lcp::{Budget, Clock, Interrupt};
    ///
    /// let budget = Budget { interrupt: Some(Interrupt::asking(|| true)), ..Budget::default() };
    /// assert!(Clock::new(&budget).expired());
    /// ```
    pub const fn asking(question: fn() -> bool) -> Self {
        Self(Source::Asked(question))
    }

    /// Whether the flag is up, or the answer yes.
    #[inline]
    pub fn is_raised(self) -> bool {
        match self.0 {
            Source::Flag(flag) => flag.load(Ordering::Relaxed),
            Source::Asked(question) => question(),
        }
    }
}

impl PartialEq for Interrupt {
    /// The same flag or question, not the same state.
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Source::Flag(a), Source::Flag(b)) => std::ptr::eq(a, b),
            (Source::Asked(a), Source::Asked(b)) => std::ptr::fn_addr_eq(a, b),
            _ => false,
        }
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
