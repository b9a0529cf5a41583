//! The data of friction problems: rows, contacts, and the local and global forms made of them.

/// One row of a constraint Jacobian, as (degree of freedom, value) pairs, and what is added to its velocity.
///
/// ```
/// use gudgeon_lcp::Row;
///
/// // the speed of degree 3 less that of degree 0, opening at 0.1 m/s by itself
/// let row = Row::new(vec![(0, -1.0), (3, 1.0)]).with_bias(0.1);
/// assert_eq!((row.entries.len(), row.bias), (2, 0.1));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    /// The non-zero entries; a degree of freedom named twice counts twice.
    pub entries: Vec<(usize, f64)>,
    /// Added to the row's velocity, m/s.
    pub bias: f64,
}

impl Row {
    /// A row from its entries, with no bias.
    pub fn new(entries: Vec<(usize, f64)>) -> Self {
        Self { entries, bias: 0.0 }
    }

    /// The same row with a bias.
    pub fn with_bias(mut self, bias: f64) -> Self {
        self.bias = bias;
        self
    }
}

/// A contact point in global form.
///
/// ```
/// use gudgeon_lcp::{Contact, Row};
///
/// // a point on the ground: degrees x, y, z, the normal along z
/// let axis = |k: usize| Row::new(vec![(k, 1.0)]);
/// let contact = Contact { mu: 0.5, normal: axis(2), tangents: [axis(0), axis(1)] };
/// assert_eq!(contact.normal.entries, [(2, 1.0)]);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contact {
    /// The coefficient of friction.
    pub mu: f64,
    /// The normal row, with the contact's bias.
    pub normal: Row,
    /// The two tangent rows.
    pub tangents: [Row; 2],
}

/// A row whose impulse is kept between two bounds (a motor, dry friction in a joint).
///
/// ```
/// use gudgeon_lcp::{Bounded, FrictionProblem, FrictionSolution, GlobalForm, Method, Options, Row, Solver};
///
/// // a brake of at most 0.5 N s on a mass of 2 kg that moves at 1 m/s takes 0.25 m/s off
/// let brake = Bounded { row: Row::new(vec![(0, 1.0)]), lo: -0.5, hi: 0.5 };
/// let mass = vec![(1, vec![2.0])];
/// let form = GlobalForm { mass, free_velocity: vec![1.0], bounded: vec![brake], ..GlobalForm::default() };
/// let mut answer = FrictionSolution::default();
/// let problem = FrictionProblem::global(form)?;
/// assert!(Solver::new(Method::Robust).run(&problem, Options::default(), &mut answer)?.is_solved());
/// assert!((answer.impulses[0] + 0.5).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bounded {
    /// The row.
    pub row: Row,
    /// The least impulse, N s; −∞ for none.
    pub lo: f64,
    /// The greatest impulse, N s; +∞ for none.
    pub hi: f64,
}

/// u = W r + q with a dense Delassus matrix, possibly unsymmetric and singular.
///
/// ```
/// use gudgeon_lcp::FrictionProblem;
///
/// let delassus = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let problem = FrictionProblem::local(&delassus, vec![-1.0, 0.2, 0.0], vec![0.5])?;
/// assert_eq!(problem.as_local().expect("made so").q(), [-1.0, 0.2, 0.0]);
/// # Ok::<(), gudgeon_lcp::ProblemError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LocalForm {
    pub(super) w: Vec<f64>, // 3n × 3n, column-major
    pub(super) q: Vec<f64>, // 3n
}

impl LocalForm {
    /// `W`, column-major.
    pub fn w(&self) -> &[f64] {
        &self.w
    }

    /// `q`.
    pub fn q(&self) -> &[f64] {
        &self.q
    }
}

/// A mass matrix with rows on it.
///
/// ```
/// use gudgeon_lcp::{Contact, FrictionProblem, FrictionSolution, GlobalForm, Method, Options, Row, Solver};
///
/// // a point of 2 kg that falls on the ground at 1 m/s: degrees x, y, z
/// let axis = |k: usize| Row::new(vec![(k, 1.0)]);
/// let form = GlobalForm {
///     mass: vec![(1, vec![2.0]); 3],
///     free_velocity: vec![0.0, 0.0, -1.0],
///     contacts: vec![Contact { mu: 0.5, normal: axis(2), tangents: [axis(0), axis(1)] }],
///     ..GlobalForm::default()
/// };
/// let mut answer = FrictionSolution::default();
/// let problem = FrictionProblem::global(form)?;
/// assert!(Solver::new(Method::Robust).run(&problem, Options::default(), &mut answer)?.is_solved());
/// assert!((answer.impulses[0] - 2.0).abs() < 1e-9); // its momentum
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GlobalForm {
    /// The blocks on the diagonal of the mass matrix, each square and column-major, with its size.
    pub mass: Vec<(usize, Vec<f64>)>,
    /// The velocity the system would have without the rows' impulses.
    pub free_velocity: Vec<f64>,
    /// The contact points.
    pub contacts: Vec<Contact>,
    /// Rows that must not move: J v + bias = 0.
    pub equality: Vec<Row>,
    /// Rows that may only open: 0 ≤ J v + bias ⊥ impulse ≥ 0.
    pub unilateral: Vec<Row>,
    /// Rows with a bounded impulse.
    pub bounded: Vec<Bounded>,
}
