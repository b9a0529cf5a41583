//! Watching a solver at work: logging, plots and paper tables are observers, never code inside a loop.

/// A variable of a pivoting method.
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

/// Sees each step of a solve. The default methods see nothing; `()` is the observer that costs nothing.
pub trait Observer {
    /// An exchange was made.
    fn pivot(&mut self, _event: &PivotEvent) {}
    /// A sweep was made. Only called when [`Observer::wants_sweeps`] says so: the sums cost a sweep.
    fn sweep(&mut self, _event: &SweepEvent) {}
    /// Whether sweeps should be measured.
    fn wants_sweeps(&self) -> bool {
        false
    }
    /// Whether [`PivotEvent::error`] should be measured against the original data, which costs a product with
    /// the matrix; it is NaN otherwise, unless the method needs it anyway.
    fn wants_errors(&self) -> bool {
        false
    }
}

impl Observer for () {}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn pivot(&mut self, event: &PivotEvent) {
        (**self).pivot(event);
    }

    fn sweep(&mut self, event: &SweepEvent) {
        (**self).sweep(event);
    }

    fn wants_sweeps(&self) -> bool {
        (**self).wants_sweeps()
    }

    fn wants_errors(&self) -> bool {
        (**self).wants_errors()
    }
}

/// Keeps every exchange.
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

/// Keeps the residual curves of an iterative method, the material of EnzError's Figure 5.
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
