//! The data of friction problems: rows, contacts, and the local and global forms made of them.

/// One row of a constraint Jacobian, as (degree of freedom, value) pairs, and what is added to its velocity.
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
