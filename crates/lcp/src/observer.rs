//! Watching a solver at work: logging, plots and paper tables are observers, never code inside a loop.
//!
//! | event            | when                         | from                                              |
//! |------------------|------------------------------|---------------------------------------------------|
//! | [`PivotEvent`]   | an exchange of variables     | pivoting methods                                  |
//! | [`SweepEvent`]   | a sweep over all rows        | `pgs`                                             |
//! | [`IterateEvent`] | an iterate with its errors   | every method, where [`Observer::wants_iterates`]  |
//!
//! An iterate is in the caller's units and within its bounds, whatever form the method works on; its errors come from the original
//! data. Friction problems that are solved on their structure show their answer alone.
//!
//! ```
//! use gudgeon_lcp::{IterateEvent, Lcp, Method, Observer, Options, Solution, Solver};
//!
//! /// Writes down how the error falls.
//! struct Log(Vec<f64>);
//! impl Observer for Log {
//!     fn wants_iterates(&self) -> bool {
//!         true
//!     }
//!     fn iterate(&mut self, event: &IterateEvent<'_>) {
//!         self.0.push(event.residual.natural);
//!     }
//! }
//!
//! let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
//! let mut log = Log(Vec::new());
//! let options = Options { observer: Some(&mut log), ..Options::default() };
//! Solver::new(Method::Lemke).run(&lcp, options, &mut Solution::default())?;
//! assert!(log.0.first() > log.0.last() && log.0.last() <= Some(&1e-15));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::residual::Residual;

/// A variable of a pivoting method.
///
/// ```
/// use gudgeon_lcp::Variable;
///
/// assert_eq!(Variable::W(3).complement(), Variable::Z(3));
/// assert_eq!(Variable::Z0.to_string(), "z_0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// A slack.
    W(usize),
    /// An unknown.
    Z(usize),
    /// The artificial variable of Lemke's method.
    Z0,
}

impl Variable {
    /// The other half of the pair; the artificial variable is its own.
    pub fn complement(self) -> Self {
        match self {
            Self::W(i) => Self::Z(i),
            Self::Z(i) => Self::W(i),
            Self::Z0 => Self::Z0,
        }
    }
}

impl std::fmt::Display for Variable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::W(i) => write!(f, "w{i}"),
            Self::Z(i) => write!(f, "z{i}"),
            Self::Z0 => write!(f, "z_0"),
        }
    }
}

/// One exchange of variables.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Observer, Options, PivotEvent, Solution, Solver};
///
/// /// What entered and what left, in words.
/// struct Words(Vec<String>);
/// impl Observer for Words {
///     fn pivot(&mut self, event: &PivotEvent) {
///         self.0.push(format!("{} for {}", event.entering, event.leaving));
///     }
/// }
///
/// let lcp = Lcp::from_rows(&[[2.0]], vec![-4.0])?;
/// let mut words = Words(Vec::new());
/// let options = Options { observer: Some(&mut words), ..Options::default() };
/// Solver::new(Method::Lemke).run(&lcp, options, &mut Solution::default())?;
/// assert_eq!(words.0, ["z_0 for w0", "z0 for z_0"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PivotEvent {
    /// How many exchanges came before it.
    pub pivot: usize,
    /// The variable that becomes basic.
    pub entering: Variable,
    /// The variable that becomes non-basic.
    pub leaving: Variable,
    /// The least entry of q′ after the exchange.
    pub q_min: f64,
    /// The error of the exchanged system against the original equations, where the method knows it.
    pub error: f64,
}

/// One sweep of an iterative method.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Observer, Options, Solution, Solver, SweepEvent};
///
/// struct Energies(Vec<f64>);
/// impl Observer for Energies {
///     fn wants_sweeps(&self) -> bool {
///         true
///     }
///     fn sweep(&mut self, event: &SweepEvent) {
///         self.0.push(event.energy);
///     }
/// }
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut energies = Energies(Vec::new());
/// let options = Options { observer: Some(&mut energies), ..Options::default() };
/// Solver::new(Method::Pgs).run(&lcp, options, &mut Solution::default())?;
/// assert!(energies.0.len() > 3 && energies.0.is_sorted_by(|a, b| a >= b));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweepEvent {
    /// How many sweeps came before it.
    pub sweep: usize,
    /// Natural residual, summed over rows in raw units [EnzError (10)].
    pub natural: f64,
    /// Fischer-Burmeister, summed over rows in raw units [EnzError (7)].
    pub fischer_burmeister: f64,
    /// Energy error, J [EnzError (21)].
    pub energy: f64,
}

/// An iterate, as the answer that it would be.
///
/// ```
/// use gudgeon_lcp::{IterateEvent, Lcp, Method, Observer, Options, Solution, Solver};
///
/// /// The best iterate so far.
/// struct Best(f64, Vec<f64>);
/// impl Observer for Best {
///     fn wants_iterates(&self) -> bool {
///         true
///     }
///     fn iterate(&mut self, event: &IterateEvent<'_>) {
///         if event.residual.energy < self.0 {
///             *self = Self(event.residual.energy, event.x.to_vec());
///         }
///     }
/// }
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut best = Best(f64::INFINITY, Vec::new());
/// let options = Options { observer: Some(&mut best), ..Options::default() };
/// Solver::new(Method::Robust).run(&lcp, options, &mut Solution::default())?;
/// assert!((best.1[0] - 4.0 / 3.0).abs() < 1e-12 && (best.1[1] - 7.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IterateEvent<'a> {
    /// How many iterates came before it.
    pub index: usize,
    /// z of a standard problem, x of a boxed one, the impulses of a friction problem; within its bounds.
    pub x: &'a [f64],
    /// M z + q or A x + b, from the original data; empty for friction problems.
    pub w: &'a [f64],
    /// The distance to a solution, as an [`crate::Outcome`] would tell it.
    pub residual: Residual,
}

/// Sees each step of a solve. The default methods see nothing; `()` is the observer that costs nothing.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Observer, Options, PivotEvent, Solution, Solver};
///
/// #[derive(Default)]
/// struct Count(usize);
/// impl Observer for Count {
///     fn pivot(&mut self, _: &PivotEvent) {
///         self.0 += 1;
///     }
/// }
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut count = Count::default();
/// let options = Options { observer: Some(&mut count), ..Options::default() };
/// let outcome = Solver::new(Method::Robust).run(&lcp, options, &mut Solution::default())?;
/// assert_eq!(outcome.pivots, count.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer {
    /// An exchange was made.
    fn pivot(&mut self, _event: &PivotEvent) {}
    /// A sweep was made. Only called when [`Observer::wants_sweeps`] says so: the sums cost a sweep.
    fn sweep(&mut self, _event: &SweepEvent) {}
    /// An iterate was reached. Only called when [`Observer::wants_iterates`] says so: its errors cost a product with the
    /// matrix in twice the working precision.
    fn iterate(&mut self, _event: &IterateEvent<'_>) {}
    /// Whether iterates should be shown.
    fn wants_iterates(&self) -> bool {
        false
    }
    /// Whether sweeps should be measured.
    fn wants_sweeps(&self) -> bool {
        false
    }
    /// Whether [`PivotEvent::error`] should be measured against the original data, which costs a product with
    /// the matrix; it is NaN otherwise, unless the method needs it anyway.
    fn wants_errors(&self) -> bool {
        false
    }
    /// Whether anybody looks at all: solvers leave all of this out where nobody does.
    fn watches(&self) -> bool {
        true
    }
}

impl Observer for () {
    fn watches(&self) -> bool {
        false
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn pivot(&mut self, event: &PivotEvent) {
        (**self).pivot(event);
    }

    fn sweep(&mut self, event: &SweepEvent) {
        (**self).sweep(event);
    }

    fn iterate(&mut self, event: &IterateEvent<'_>) {
        (**self).iterate(event);
    }

    fn wants_iterates(&self) -> bool {
        (**self).wants_iterates()
    }

    fn wants_sweeps(&self) -> bool {
        (**self).wants_sweeps()
    }

    fn wants_errors(&self) -> bool {
        (**self).wants_errors()
    }

    fn watches(&self) -> bool {
        (**self).watches()
    }
}

/// A solve for the observer behind its trait, or for nobody: a solver is compiled for these two, here and nowhere else. Generic as far
/// as the root of the crate, it was compiled again in every crate that solves.
macro_rules! watched {
    ($observer:ident, |$o:ident| $solve:expr) => {
        if $observer.watches() {
            let mut observer = $observer;
            let $o = &mut observer;
            $solve
        } else {
            let $o = &mut ();
            $solve
        }
    };
}
pub(crate) use watched;

/// Keeps every exchange.
///
/// ```
/// use gudgeon_lcp::{Lcp, Method, Options, Solution, Solver, Trace, Variable};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut trace = Trace::default();
/// let options = Options { observer: Some(&mut trace), ..Options::default() };
/// Solver::new(Method::Lemke).run(&lcp, options, &mut Solution::default())?;
/// assert_eq!(trace.pivots[0].entering, Variable::Z0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// The exchanges in order.
    pub pivots: Vec<PivotEvent>,
    /// The sweeps in order.
    pub sweeps: Vec<SweepEvent>,
}

impl Observer for Trace {
    fn pivot(&mut self, event: &PivotEvent) {
        self.pivots.push(*event);
    }

    fn sweep(&mut self, event: &SweepEvent) {
        self.sweeps.push(*event);
    }

    fn wants_sweeps(&self) -> bool {
        true
    }

    fn wants_errors(&self) -> bool {
        true
    }
}

/// Keeps every iterate with its errors.
///
/// ```
/// use gudgeon_lcp::{Iterates, Lcp, Method, Options, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut iterates = Iterates::default();
/// let options = Options { observer: Some(&mut iterates), ..Options::default() };
/// Solver::new(Method::Pgs).run(&lcp, options, &mut Solution::default())?;
/// assert!(iterates.seen.last().is_some_and(|(_, errors)| errors.natural < 1e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Iterates {
    /// x and its residual, in order.
    pub seen: Vec<(Vec<f64>, Residual)>,
}

impl Observer for Iterates {
    fn iterate(&mut self, event: &IterateEvent<'_>) {
        self.seen.push((event.x.to_vec(), event.residual));
    }

    fn wants_iterates(&self) -> bool {
        true
    }
}

/// Keeps the residual curves of an iterative method, the material of EnzError's Figure 5.
///
/// ```
/// use gudgeon_lcp::{Curve, Lcp, Method, Options, Solution, Solver};
///
/// let lcp = Lcp::from_rows(&[[2.0, 1.0], [1.0, 2.0]], vec![-5.0, -6.0])?;
/// let mut curve = Curve::default();
/// let options = Options { observer: Some(&mut curve), ..Options::default() };
/// Solver::new(Method::Pgs).run(&lcp, options, &mut Solution::default())?;
/// assert!(curve.sweeps[3].energy < curve.sweeps[0].energy);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// One entry per sweep.
    pub sweeps: Vec<SweepEvent>,
}

impl Observer for Curve {
    fn sweep(&mut self, event: &SweepEvent) {
        self.sweeps.push(*event);
    }

    fn wants_sweeps(&self) -> bool {
        true
    }
}
