//! The matrix that is known, and the factors of one principal block of it.
//!
//! The matrix is found to be what it is: sparse if most of it is zero, symmetric if it is. A symmetric sparse block is
//! factorised as L D Lᵀ while it is definite, any other as L U. A solver that meets the same matrix again, number by
//! number, keeps its order and its factors.

use crate::outcome::Side;
use crate::problem::Matrix;
use crate::sparse::SparseMatrix;
use crate::sparse::ldl::Ldl;
use crate::sparse::lu::SparseLu;
use crate::sparse::order::elimination_order;
use crate::verdict::{Dense, Form, Terms};

use super::View;
use super::border::MOST;
use super::dense::DenseLu;

/// Below this size a dense matrix stays dense.
const SMALL: usize = 48;
/// A dense matrix with at most this part of it not zero is taken as a sparse one.
const FULL: f64 = 0.15;

/// The matrix in the form that is worked on.
#[derive(Debug, Clone, Default)]
enum Known {
    #[default]
    Nothing,
    Dense(Vec<f64>),
    Sparse {
        given_dense: Option<Vec<f64>>, // what it was found in
        a: SparseMatrix,
        symmetric: bool,
        order: Vec<u32>,
    },
}

/// Which factors are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Factors {
    #[default]
    None,
    Dense,
    Ldl,
    Lu,
}

/// The matrix, and the factors of the block of `set`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Base {
    known: Known,
    is_new: bool,
    factors: Factors,
    dense: DenseLu,
    ldl: Ldl,
    lu: SparseLu,
    indefinite: bool, // a symmetric block had no L D Lᵀ: not tried again
    set: Vec<u32>,
    place: Vec<u32>, // n: place in the set, or NONE
    diagonal: Vec<f64>,
    unit: Vec<f64>, // n: D of the proximal shift
    epsilon: f64,
    whole: Vec<f64>, // added to the diagonal, where the whole is factorised
    rhs: Vec<f64>,
}

pub(super) const NONE: u32 = u32::MAX;

impl Base {
    pub(super) fn forget(&mut self) {
        self.forget_factors();
        self.indefinite = false;
    }

    pub(super) fn forget_factors(&mut self) {
        self.factors = Factors::None;
        self.set.clear();
        self.place.fill(NONE);
    }

    /// Room for the largest dense block.
    pub(super) fn reserve(&mut self, n: usize) {
        self.dense.reserve(n);
        self.set.clear();
        self.set.reserve(n);
        for v in [&mut self.whole, &mut self.rhs] {
            v.clear();
            v.reserve(n);
        }
    }

    /// Whether the matrix is sparse, however it was given.
    pub(super) fn is_sparse(&self) -> bool {
        matches!(self.known, Known::Sparse { .. })
    }

    /// Whether the last matrix was another.
    pub(super) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Takes the matrix in; keeps everything if it is the one that is known.
    pub(super) fn know(&mut self, view: &View<'_>) {
        self.is_new = match (&self.known, view.matrix) {
            (Known::Dense(known) | Known::Sparse { given_dense: Some(known), .. }, Matrix::Dense(m)) => {
                known != m
            }
            (Known::Sparse { given_dense: None, a, .. }, Matrix::Sparse { by_columns, .. }) => {
                a != by_columns
            }
            _ => true,
        };
        if !self.is_new {
            return;
        }
        self.forget_factors();
        let n = view.n();
        self.known = match view.matrix {
            Matrix::Sparse { by_columns, .. } => self.sparse(by_columns.clone(), None),
            Matrix::Dense(m) => {
                let stored = m.iter().filter(|v| **v != 0.0).count();
                if n >= SMALL && stored as f64 <= FULL * (n * n) as f64 {
                    self.sparse(SparseMatrix::from_dense(n, m), Some(m.clone()))
                } else {
                    let mut known = if let Known::Dense(known) = std::mem::take(&mut self.known) {
                        known
                    } else {
                        Vec::new()
                    };
                    known.clone_from(m);
                    Known::Dense(known)
                }
            }
        };
        self.place.clear();
        self.place.resize(n, NONE);
        self.indefinite = false;
        self.epsilon = 0.0;
        let mut diagonal = std::mem::take(&mut self.diagonal);
        diagonal.clear();
        diagonal.extend((0..n).map(|i| self.entry(i)));
        self.diagonal = diagonal;
        let largest = self.diagonal.iter().fold(0.0, |l: f64, d| l.max(d.abs()));
        // a row without a diagonal of its own takes the largest
        let unit = |d: &f64| if d.abs() > 0.0 { d.abs() } else { largest.max(f64::MIN_POSITIVE) };
        self.unit.clear();
        self.unit.extend(self.diagonal.iter().map(unit));
    }

    /// Finds symmetry and an order, which a matrix of the same pattern keeps.
    fn sparse(&self, a: SparseMatrix, given_dense: Option<Vec<f64>>) -> Known {
        let transposed = a.transposed();
        let symmetric = a == transposed;
        let order = match &self.known {
            Known::Sparse { a: last, order, .. } if last.same_pattern(&a) => order.clone(),
            _ => elimination_order(&a, &transposed),
        };
        Known::Sparse { given_dense, a, symmetric, order }
    }

    fn entry(&self, i: usize) -> f64 {
        match &self.known {
            Known::Nothing => 0.0,
            Known::Dense(m) => m[i * m.len().isqrt() + i],
            Known::Sparse { a, .. } => a.entry(i, i),
        }
    }

    pub(super) fn diagonal(&self, i: usize) -> f64 {
        self.diagonal[i]
    }

    /// The unit of a row's diagonal.
    pub(super) fn unit(&self, i: usize) -> f64 {
        self.unit[i]
    }

    /// The inverse effective mass of a row: its diagonal, or the unit that stands in for it.
    pub(super) fn mass(&self, i: usize) -> f64 {
        if self.diagonal[i] > 0.0 { self.diagonal[i] } else { self.unit[i] }
    }

    /// Adds ε D to the diagonal from now on.
    pub(super) fn shift(&mut self, epsilon: f64) {
        self.epsilon = epsilon;
    }

    /// ε D_i.
    pub(super) fn shift_of(&self, i: usize) -> f64 {
        self.epsilon * self.unit[i]
    }

    pub(super) fn set(&self) -> &[u32] {
        &self.set
    }

    /// The place of a row in the set, if it is in.
    pub(super) fn place(&self, i: usize) -> Option<usize> {
        let place = self.place[i];
        (place != NONE).then_some(place as usize)
    }

    /// Whether there are factors.
    pub(super) fn is_factored(&self) -> bool {
        self.factors != Factors::None
    }

    /// How many solves a factorisation costs.
    pub(super) fn worth(&self) -> usize {
        let (ldl, lu) = (&self.ldl, &self.lu);
        let ratio = match self.factors {
            Factors::None => 0.0,
            Factors::Dense => self.set.len() as f64 / 4.0,
            Factors::Ldl => ldl.work() / (4.0 * (ldl.stored() + self.set.len()).max(1) as f64),
            Factors::Lu => lu.work() / (4.0 * (lu.stored() + self.set.len()).max(1) as f64),
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 64, and positive"
        )]
        let solves = ratio.clamp(0.0, MOST as f64) as usize;
        solves
    }

    /// Factorises the whole matrix with this added to its diagonal; false if it is singular.
    pub(super) fn factor_whole(&mut self, diagonal: &[f64]) -> bool {
        let n = diagonal.len();
        self.whole.extend_from_slice(diagonal);
        let factored = self.factor_set(n, |_| true);
        self.whole.clear();
        factored
    }

    /// Factorises the block of the free rows; false if it is singular.
    pub(super) fn factor(&mut self, sides: &[Side]) -> bool {
        self.factor_set(sides.len(), |i| sides[i] == Side::Free)
    }

    fn factor_set(&mut self, n: usize, is_in: impl Fn(usize) -> bool) -> bool {
        self.factors = Factors::None;
        self.place.fill(NONE);
        self.set.clear();
        let free = |i: &u32| is_in(*i as usize);
        match &self.known {
            Known::Sparse { order, .. } => self.set.extend(order.iter().filter(|i| free(i))),
            _ => self.set.extend((0_u32..).take(n).filter(free)),
        }
        self.set.iter().zip(0_u32..).for_each(|(&i, k)| self.place[i as usize] = k);
        let (epsilon, unit, whole) = (self.epsilon, &self.unit, &self.whole);
        let shift = |i: usize| if whole.is_empty() { epsilon * unit[i] } else { whole[i] };
        match &self.known {
            Known::Nothing => return false,
            Known::Dense(m) => {
                if self.dense.factor(m, n, &self.set, shift) {
                    self.factors = Factors::Dense;
                }
            }
            Known::Sparse { a, symmetric, .. } => {
                if *symmetric && !self.indefinite {
                    if self.ldl.factor(a, &self.set, shift) {
                        self.factors = Factors::Ldl;
                        return true;
                    }
                    self.indefinite = true;
                }
                if self.lu.factor(a, &self.set, shift) {
                    self.factors = Factors::Lu;
                }
            }
        }
        self.is_factored()
    }

    /// Solves with the block in place: `v` by rows of the problem in, unknowns of the set out, 0 elsewhere.
    pub(super) fn solve(&mut self, v: &mut [f64]) {
        self.rhs.clear();
        self.rhs.extend(self.set.iter().map(|&i| v[i as usize]));
        match self.factors {
            Factors::None => {}
            Factors::Dense => self.dense.solve(&mut self.rhs),
            Factors::Ldl => self.ldl.solve(&mut self.rhs),
            Factors::Lu => self.lu.solve(&mut self.rhs),
        }
        v.fill(0.0);
        self.set.iter().zip(&self.rhs).for_each(|(&i, &x)| v[i as usize] = x);
    }

    /// Column j of the matrix, its shift among it.
    pub(super) fn column(&self, j: usize, out: &mut [f64]) {
        match &self.known {
            Known::Nothing => {}
            Known::Dense(m) => out.copy_from_slice(&m[j * out.len()..(j + 1) * out.len()]),
            Known::Sparse { a, .. } => {
                out.fill(0.0);
                a.column(j).for_each(|(i, v)| out[i] = v);
            }
        }
        out[j] += self.shift_of(j);
    }

    /// out = (A + εD) x, in working precision.
    pub(super) fn product(&self, x: &[f64], out: &mut [f64]) {
        let n = out.len();
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.shift_of(i) * x[i];
        }
        for (j, &v) in x.iter().enumerate().filter(|(_, v)| **v != 0.0) {
            match &self.known {
                Known::Nothing => {}
                Known::Dense(m) => crate::kernel::axpy(v, &m[j * n..(j + 1) * n], out),
                Known::Sparse { a, .. } => a.column(j).for_each(|(i, a)| out[i] += a * v),
            }
        }
    }

    /// w = A x + b in twice the precision, from the matrix of the problem.
    pub(super) fn affine(&self, view: &View<'_>, x: &[f64], b: &[f64], w: &mut Vec<f64>) {
        match &self.known {
            Known::Sparse { a, .. } => a.affine(x, b, w),
            _ => view.matrix.affine(x, b, w),
        }
    }

    /// out = |A| v.
    pub(super) fn absolute(&self, view: &View<'_>, v: &[f64], out: &mut [f64]) {
        self.terms(view).absolute(v, out);
    }

    /// The matrix as the verdict asks for it.
    pub(super) fn terms<'a>(&'a self, view: &View<'a>) -> Form<'a> {
        match (&self.known, view.matrix) {
            (Known::Sparse { a, .. }, _) => Form::Sparse(a),
            (_, matrix) => Form::Dense(Dense { a: matrix.dense(), n: view.n(), noise: view.noise }),
        }
    }
}
