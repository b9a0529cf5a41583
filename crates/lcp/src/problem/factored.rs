//! Rows already divided by the mass factor: the seam to whoever holds the mass matrix.
//!
//! With 𝓜 = G Gᵀ (a sparse tree, a dense matrix, blocks; the caller knows) each row is a_k = G⁻¹ J_kᵀ, and
//!
//! ```text
//!     W = A Aᵀ + diag(compliance),        q = velocity = J v_free + bias
//! ```
//!
//! Compliance (the inverse of a stiffness, times the inverse square of the time step) is one more entry √c in a
//! place that no other row has: W gains c on the diagonal, and no solver needs to know. In
//! [`FactoredForm::to_global`] these places are degrees of freedom of their own.

use super::forms::{Bounded, Contact, GlobalForm, Row};
use crate::error::{ProblemError, finite};

/// One row a_k = G⁻¹ J_kᵀ.
///
/// ```
/// use gudgeon_lcp::FactoredRow;
///
/// // a row on a mass of 4 kg, G = 2: it falls at 1 m/s, on a spring of compliance 1e-6/kg
/// let row = FactoredRow { index: &[0], value: &[0.5], velocity: -1.0, compliance: 1e-6 };
/// assert_eq!(row.value[0] * row.value[0] + row.compliance, 0.25 + 1e-6); // its entry of W
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FactoredRow<'a> {
    /// The places of the non-zero entries, ascending, each less than the width.
    pub index: &'a [usize],
    /// The entries, one per place, 1/√kg.
    pub value: &'a [f64],
    /// J v_free + bias, m/s.
    pub velocity: f64,
    /// Added to the diagonal of W, 1/kg; zero for a hard row.
    pub compliance: f64,
}

/// Rows of one kind, one after another.
#[derive(Debug, Clone, PartialEq, Default)]
struct RowList {
    end: Vec<usize>, // by row: where its entries end
    index: Vec<usize>,
    value: Vec<f64>,
    velocity: Vec<f64>,
    compliance: Vec<f64>,
    ragged: Option<(usize, usize)>, // lengths of the first row whose places and entries do not match
}

impl RowList {
    fn clear(&mut self) {
        self.end.clear();
        self.index.clear();
        self.value.clear();
        self.velocity.clear();
        self.compliance.clear();
        self.ragged = None;
    }

    fn push(&mut self, row: FactoredRow<'_>) {
        let (places, entries) = (row.index.len(), row.value.len());
        if places != entries && self.ragged.is_none() {
            self.ragged = Some((entries, places));
        }
        let len = places.min(entries);
        self.index.extend_from_slice(&row.index[..len]);
        self.value.extend_from_slice(&row.value[..len]);
        self.end.push(self.index.len());
        self.velocity.push(row.velocity);
        self.compliance.push(row.compliance);
    }

    fn len(&self) -> usize {
        self.end.len()
    }

    #[inline]
    fn row(&self, k: usize) -> FactoredRow<'_> {
        let (start, end) = (if k == 0 { 0 } else { self.end[k - 1] }, self.end[k]);
        FactoredRow {
            index: &self.index[start..end],
            value: &self.value[start..end],
            velocity: self.velocity[k],
            compliance: self.compliance[k],
        }
    }

    fn check(&self, field: &'static str, width: usize) -> Result<(), ProblemError> {
        if let Some((found, expected)) = self.ragged {
            return Err(ProblemError::Length { field, found, expected });
        }
        finite(field, &self.value)?;
        finite("velocity", &self.velocity)?;
        finite("compliance", &self.compliance)?;
        if let Some(index) = self.compliance.iter().position(|&c| c < 0.0) {
            return Err(ProblemError::NegativeCompliance { field, index, value: self.compliance[index] });
        }
        let mut start = 0;
        for (row, &end) in self.end.iter().enumerate() {
            let places = &self.index[start..end];
            if let Some(&last) = places.last()
                && last >= width
            {
                return Err(ProblemError::Index { field, index: end - 1, target: last, limit: width });
            }
            if !places.is_sorted_by(|a, b| a < b) {
                return Err(ProblemError::Order { field, row });
            }
            start = end;
        }
        Ok(())
    }
}

/// Rows already divided by the mass factor: a_k = G⁻¹ J_kᵀ with 𝓜 = G Gᵀ, so W = A Aᵀ + diag(compliance).
///
/// The caller holds the factor (sparse tree, dense, blocks): this is the seam. The four kinds of rows may be pushed
/// in any order; answers list contacts, unilateral, bounded and equality rows, each kind in the order it was pushed.
/// Clearing keeps the memory.
///
/// ```
/// use gudgeon_lcp::{FactoredForm, FactoredRow, FrictionProblem, FrictionSolution, Method, Options, Solver};
///
/// // a point of 4 kg, G = 2 in each direction, that falls at 1 m/s
/// let row = |index, velocity| FactoredRow { index, value: &[0.5], velocity, compliance: 0.0 };
/// let mut form = FactoredForm::default();
/// form.clear(3);
/// form.contact(0.5, [row(&[2], -1.0), row(&[0], 0.0), row(&[1], 0.0)]);
/// let problem = FrictionProblem::factored(form)?;
/// let mut answer = FrictionSolution::default();
/// assert!(Solver::new(Method::Robust).run(&problem, Options::default(), &mut answer)?.is_solved());
/// assert!((answer.impulses[0] - 4.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FactoredForm {
    width: usize,
    mu: Vec<f64>,
    contacts: RowList, // three per contact
    unilateral: RowList,
    bounded: RowList,
    bounds: Vec<(f64, f64)>,
    equality: RowList,
}

impl FactoredForm {
    /// Forgets all rows; those to come have `width` places.
    pub fn clear(&mut self, width: usize) {
        self.width = width;
        self.mu.clear();
        self.bounds.clear();
        for rows in [&mut self.contacts, &mut self.unilateral, &mut self.bounded, &mut self.equality] {
            rows.clear();
        }
    }

    /// Adds a contact point: its coefficient of friction and its rows n, t1, t2.
    pub fn contact(&mut self, mu: f64, rows: [FactoredRow<'_>; 3]) {
        self.mu.push(mu);
        for row in rows {
            self.contacts.push(row);
        }
    }

    /// Adds a row that may only open: 0 ≤ velocity ⊥ impulse ≥ 0.
    pub fn unilateral(&mut self, row: FactoredRow<'_>) {
        self.unilateral.push(row);
    }

    /// Adds a row whose impulse is kept between two bounds, N s; they may be infinite.
    pub fn bounded(&mut self, row: FactoredRow<'_>, lo: f64, hi: f64) {
        self.bounded.push(row);
        self.bounds.push((lo, hi));
    }

    /// Adds a row that must not move.
    pub fn equality(&mut self, row: FactoredRow<'_>) {
        self.equality.push(row);
    }

    /// The number of places of a row: degrees of freedom.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The coefficients of friction, one per contact.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }

    /// The number of contacts.
    pub fn n_contacts(&self) -> usize {
        self.mu.len()
    }

    /// The number of unilateral rows.
    pub fn n_unilateral(&self) -> usize {
        self.unilateral.len()
    }

    /// The number of bounded rows.
    pub fn n_bounded(&self) -> usize {
        self.bounded.len()
    }

    /// The number of equality rows.
    pub fn n_equality(&self) -> usize {
        self.equality.len()
    }

    /// Whether there are no rows at all.
    pub fn is_empty(&self) -> bool {
        self.n_rows() == 0
    }

    /// The number of scalar rows: three per contact, one for each of the others.
    pub fn n_rows(&self) -> usize {
        self.contacts.len() + self.unilateral.len() + self.bounded.len() + self.equality.len()
    }

    /// Scalar row `k`: contacts (n, t1, t2), then unilateral, bounded, equality, as in the answer's impulses.
    #[inline]
    pub fn row(&self, k: usize) -> FactoredRow<'_> {
        let mut k = k;
        for rows in [&self.contacts, &self.unilateral, &self.bounded] {
            if k < rows.len() {
                return rows.row(k);
            }
            k -= rows.len();
        }
        self.equality.row(k)
    }

    /// All scalar rows, in that order.
    pub fn rows(&self) -> impl Iterator<Item = FactoredRow<'_>> {
        let kinds = [&self.contacts, &self.unilateral, &self.bounded, &self.equality];
        kinds.into_iter().flat_map(|rows| (0..rows.len()).map(|k| rows.row(k)))
    }

    /// Whether no row has a compliance.
    pub(crate) fn is_hard(&self) -> bool {
        let kinds = [&self.contacts, &self.unilateral, &self.bounded, &self.equality];
        kinds.iter().all(|rows| rows.compliance.iter().all(|&c| c <= 0.0))
    }

    /// The bounds of the bounded rows, N s.
    pub fn bounds(&self) -> &[(f64, f64)] {
        &self.bounds
    }

    /// The same problem in global form: the mass matrix is the identity, with one more degree of freedom for
    /// every compliant row.
    pub fn to_global(&self) -> GlobalForm {
        let mut dof = self.width;
        let mut row = |from: FactoredRow<'_>| {
            let mut entries: Vec<(usize, f64)> =
                from.index.iter().copied().zip(from.value.iter().copied()).collect();
            if from.compliance > 0.0 {
                entries.push((dof, from.compliance.sqrt()));
                dof += 1;
            }
            Row { entries, bias: from.velocity }
        };
        let mut contacts = Vec::with_capacity(self.mu.len());
        for (i, &mu) in self.mu.iter().enumerate() {
            let [normal, t1, t2] = [0, 1, 2].map(|k| row(self.contacts.row(3 * i + k)));
            contacts.push(Contact { mu, normal, tangents: [t1, t2] });
        }
        let mut all = |rows: &RowList| -> Vec<Row> { (0..rows.len()).map(|k| row(rows.row(k))).collect() };
        let (unilateral, bounded, equality) =
            (all(&self.unilateral), all(&self.bounded), all(&self.equality));
        let bounded =
            bounded.into_iter().zip(&self.bounds).map(|(row, &(lo, hi))| Bounded { row, lo, hi }).collect();
        GlobalForm {
            mass: vec![(1, vec![1.0]); dof],
            free_velocity: vec![0.0; dof],
            contacts,
            equality,
            unilateral,
            bounded,
        }
    }

    /// Whether this is a problem at all; coefficients of friction are checked with the problem.
    pub(super) fn check(&self) -> Result<(), ProblemError> {
        if self.is_empty() {
            return Err(ProblemError::Empty { field: "contacts" });
        }
        self.contacts.check("contacts", self.width)?;
        self.unilateral.check("unilateral", self.width)?;
        self.bounded.check("box", self.width)?;
        self.equality.check("equality", self.width)?;
        for (index, &(lo, hi)) in self.bounds.iter().enumerate() {
            super::friction::check_bounds(index, lo, hi)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::FrictionProblem;

    fn row<'a>(index: &'a [usize], value: &'a [f64]) -> FactoredRow<'a> {
        FactoredRow { index, value, velocity: -1.0, compliance: 0.0 }
    }

    #[test]
    fn what_is_not_a_row_is_refused_and_the_problem_stays_as_it_was() {
        let mut form = FactoredForm::default();
        form.clear(3);
        form.unilateral(row(&[0, 2], &[1.0, 2.0]));
        let mut problem = FrictionProblem::factored(form).unwrap();
        let before = problem.clone();
        let bad: [FactoredRow<'_>; 6] = [
            row(&[0, 3], &[1.0, 2.0]),
            row(&[2, 0], &[1.0, 2.0]),
            row(&[1, 1], &[1.0, 2.0]),
            row(&[0, 1], &[1.0]),
            row(&[0], &[f64::NAN]),
            FactoredRow { compliance: -1.0, ..row(&[0], &[1.0]) },
        ];
        for row in bad {
            let refused = problem.refill(|form| {
                form.clear(3);
                form.equality(row);
            });
            assert!(refused.is_err(), "{row:?}");
            assert_eq!(problem, before);
        }
        assert!(problem.refill(|form| form.clear(3)).is_err());
        let bounds = problem.refill(|form| {
            form.clear(1);
            form.bounded(row(&[0], &[1.0]), 1.0, 0.0);
        });
        assert_eq!(bounds, Err(ProblemError::Bounds { index: 0, lo: 1.0, hi: 0.0 }));
    }

    #[test]
    fn kinds_may_come_in_any_order_and_compliance_is_a_place_of_its_own() {
        let mut form = FactoredForm::default();
        form.clear(2);
        form.equality(FactoredRow { compliance: 0.25, ..row(&[1], &[3.0]) });
        let normal = row(&[0], &[1.0]);
        form.contact(0.5, [normal, row(&[1], &[1.0]), row(&[], &[])]);
        form.bounded(normal, -1.0, f64::INFINITY);
        form.unilateral(FactoredRow { compliance: 4.0, ..normal });
        let places: Vec<usize> = form.rows().map(|r| r.index.len()).collect();
        assert_eq!(places, [1, 1, 0, 1, 1, 1]);
        assert_eq!(form.row(3).compliance, 4.0);
        assert_eq!(form.row(5).compliance, 0.25);
        let global = form.to_global();
        assert_eq!(global.mass.len(), 4);
        assert_eq!(global.unilateral[0].entries, [(0, 1.0), (2, 2.0)]);
        assert_eq!(global.equality[0].entries, [(1, 3.0), (3, 0.5)]);
        assert!(FrictionProblem::global(global).is_ok());
    }
}
