//! Contact with Coulomb friction, in local, global and factored form.
//!
//! ```text
//!     local    u = W r + q                     r ∈ K(mu) ⊥ ũ,   (n, t1, t2) blocks of three
//!     global   v = v_free + M⁻¹ Jᵀ r,   u = J v + bias          W = J M⁻¹ Jᵀ,  q = J v_free + bias
//!     factored A = J G⁻ᵀ with M = G Gᵀ, held by the caller      W = A Aᵀ + C,  q given
//! ```
//!
//! | here            | Yamane     | Lloyd  | Tan      | unit                        |
//! |-----------------|------------|--------|----------|-----------------------------|
//! | `w`             | Φ̄ (15)     | NᵀN …  | J M⁻¹ Jᵀ | 1/kg                        |
//! | `q`             | φ̄ (16)     | Nᵀk    | Nᵀ M⁻¹ τ*| m/s                         |
//! | impulse r       | f Δt       | θ, φ   | f_n, f_d | N s                         |
//! | `free_velocity` |            | G⁻ᵀ k_x| M⁻¹ τ*   | m/s, rad/s                  |
//!
//! The normal points from b into a; impulses act on a.

use super::cholesky::cholesky;
use super::factored::FactoredForm;
use super::forms::{Bounded, GlobalForm, LocalForm, Row};
use crate::error::{ProblemError, column_major, finite, finite_matrix, length};
use crate::tolerances;

/// Contact with friction at `n` points, the cone cut into `facets` sides.
///
/// Holding one is proof that shapes agree, numbers are finite, mu ≥ 0 and mass blocks are positive definite.
///
/// ```
/// use gudgeon_lcp::{ConeShape, FrictionProblem, FrictionSolution, Method, Options, Solver};
///
/// // one contact of a unit mass: it comes down at 1 m/s and slides at 0.2 m/s, friction 0.5
/// let delassus = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let problem = FrictionProblem::local(&delassus, vec![-1.0, 0.2, 0.0], vec![0.5])?;
/// let mut answer = FrictionSolution::default();
/// let options = Options { cone: ConeShape::Exact, ..Options::default() };
/// assert!(Solver::new(Method::Robust).run(&problem, options, &mut answer)?.is_solved());
/// assert!((answer.impulses[0] - 1.0).abs() < 1e-9 && (answer.impulses[1] + 0.2).abs() < 1e-9); // it sticks
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct FrictionProblem {
    form: Form,
    mu: Vec<f64>,
    facets: usize,
    spare: Option<Box<FactoredForm>>, // memory of the next refill
}

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Local(LocalForm),
    Global(GlobalForm),
    Factored(Box<FactoredForm>),
}

impl PartialEq for FrictionProblem {
    /// The same problem, whatever memory it keeps.
    fn eq(&self, other: &Self) -> bool {
        (&self.form, &self.mu, self.facets) == (&other.form, &other.mu, other.facets)
    }
}

impl FrictionProblem {
    /// The number of sides of the friction cone where none is asked for, as in the papers.
    pub const FACETS: usize = 8;

    /// From the rows of a Delassus matrix.
    pub fn local<R: AsRef<[f64]>>(w: &[R], q: Vec<f64>, mu: Vec<f64>) -> Result<Self, ProblemError> {
        length("W", w.len(), q.len())?;
        Self::local_column_major(column_major("W", w, q.len())?, q, mu)
    }

    /// From a Delassus matrix stored by columns.
    pub fn local_column_major(w: Vec<f64>, q: Vec<f64>, mu: Vec<f64>) -> Result<Self, ProblemError> {
        if mu.is_empty() {
            return Err(ProblemError::Empty { field: "mu" });
        }
        let rows = 3 * mu.len();
        length("q", q.len(), rows)?;
        length("W", w.len(), rows * rows)?;
        finite_matrix("W", rows, &w)?;
        finite("q", &q)?;
        coefficients(&mu)?;
        Ok(Self::with_form(Form::Local(LocalForm { w, q }), mu))
    }

    /// From a mass matrix and rows.
    pub fn global(form: GlobalForm) -> Result<Self, ProblemError> {
        let mu: Vec<f64> = form.contacts.iter().map(|c| c.mu).collect();
        let rows = mu.len() + form.equality.len() + form.unilateral.len() + form.bounded.len();
        if rows == 0 {
            return Err(ProblemError::Empty { field: "contacts" });
        }
        coefficients(&mu)?;
        let dof = check_mass(&form)?;
        length("free_velocity", form.free_velocity.len(), dof)?;
        finite("free_velocity", &form.free_velocity)?;
        for contact in &form.contacts {
            check_row("normal", &contact.normal, dof)?;
            check_row("t1", &contact.tangents[0], dof)?;
            check_row("t2", &contact.tangents[1], dof)?;
        }
        form.equality.iter().try_for_each(|row| check_row("equality", row, dof))?;
        form.unilateral.iter().try_for_each(|row| check_row("unilateral", row, dof))?;
        for (index, Bounded { row, lo, hi }) in form.bounded.iter().enumerate() {
            check_row("box", row, dof)?;
            check_bounds(index, *lo, *hi)?;
        }
        Ok(Self::with_form(Form::Global(form), mu))
    }

    /// From rows already divided by the mass factor.
    pub fn factored(form: FactoredForm) -> Result<Self, ProblemError> {
        form.check()?;
        coefficients(form.mu())?;
        let mu = form.mu().to_vec();
        Ok(Self::with_form(Form::Factored(Box::new(form)), mu))
    }

    /// Fills the problem anew in factored form; the closure gets a form of earlier use, to be cleared first. What
    /// is not a problem is refused, and then this one stays as it was. Sizes met before cost no allocation.
    pub fn refill(&mut self, fill: impl FnOnce(&mut FactoredForm)) -> Result<(), ProblemError> {
        let spare = self.spare.get_or_insert_default();
        fill(spare);
        spare.check()?;
        coefficients(spare.mu())?;
        self.mu.clear();
        self.mu.extend_from_slice(spare.mu());
        if let Form::Factored(form) = &mut self.form {
            std::mem::swap(form, spare);
        } else {
            self.form = Form::Factored(std::mem::take(spare));
        }
        Ok(())
    }

    fn with_form(form: Form, mu: Vec<f64>) -> Self {
        Self { form, mu, facets: Self::FACETS, spare: None }
    }

    /// The same problem with another number of cone sides: even, so that directions come in opposite pairs.
    pub fn with_facets(mut self, facets: usize) -> Result<Self, ProblemError> {
        if facets < 4 || !facets.is_multiple_of(2) {
            return Err(ProblemError::Facets { facets });
        }
        self.facets = facets;
        Ok(self)
    }

    /// The number of contact points.
    pub fn n_contacts(&self) -> usize {
        self.mu.len()
    }

    /// The coefficients of friction.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }

    /// The number of sides of each cone.
    pub fn facets(&self) -> usize {
        self.facets
    }

    /// The local form, if that is what it was built from.
    pub fn as_local(&self) -> Option<&LocalForm> {
        match &self.form {
            Form::Local(local) => Some(local),
            Form::Global(_) | Form::Factored(_) => None,
        }
    }

    /// The global form, if that is what it was built from.
    pub fn as_global(&self) -> Option<&GlobalForm> {
        match &self.form {
            Form::Global(global) => Some(global),
            Form::Local(_) | Form::Factored(_) => None,
        }
    }

    /// The factored form, if that is what it was built from.
    pub fn as_factored(&self) -> Option<&FactoredForm> {
        match &self.form {
            Form::Factored(form) => Some(form),
            Form::Local(_) | Form::Global(_) => None,
        }
    }

    /// The global form, or the factored one put into it; none for a problem in local form, which has no mass.
    pub fn to_global(&self) -> Option<std::borrow::Cow<'_, GlobalForm>> {
        match &self.form {
            Form::Global(global) => Some(std::borrow::Cow::Borrowed(global)),
            Form::Factored(form) => Some(std::borrow::Cow::Owned(form.to_global())),
            Form::Local(_) => None,
        }
    }

    /// The factored form, or the global one divided by the Cholesky factors of its mass blocks; none for a
    /// problem in local form.
    pub fn to_factored(&self) -> Option<FactoredForm> {
        match &self.form {
            Form::Factored(form) => Some((**form).clone()),
            Form::Global(_) => Some(super::lower::to_factored(self)),
            Form::Local(_) => None,
        }
    }

    /// The number of rows that may only open.
    pub fn n_unilateral(&self) -> usize {
        match &self.form {
            Form::Local(_) => 0,
            Form::Global(global) => global.unilateral.len(),
            Form::Factored(form) => form.n_unilateral(),
        }
    }

    /// The number of rows with a bounded impulse.
    pub fn n_bounded(&self) -> usize {
        match &self.form {
            Form::Local(_) => 0,
            Form::Global(global) => global.bounded.len(),
            Form::Factored(form) => form.n_bounded(),
        }
    }

    /// The number of rows that must not move.
    pub fn n_equality(&self) -> usize {
        match &self.form {
            Form::Local(_) => 0,
            Form::Global(global) => global.equality.len(),
            Form::Factored(form) => form.n_equality(),
        }
    }

    /// The number of scalar rows: three per contact, one for each of the others.
    pub fn n_rows(&self) -> usize {
        3 * self.n_contacts() + self.n_unilateral() + self.n_bounded() + self.n_equality()
    }

    /// The velocity of a scalar row without impulses, J v_free + bias, m/s.
    pub fn free_velocity(&self, k: usize) -> f64 {
        let (contacts, unilateral, bounded) = (self.n_contacts(), self.n_unilateral(), self.n_bounded());
        let global = match &self.form {
            Form::Local(local) => return local.q[k],
            Form::Factored(form) => return form.row(k).velocity,
            Form::Global(global) => global,
        };
        let rest = k.wrapping_sub(3 * contacts);
        let row = match k % 3 {
            0 if k < 3 * contacts => &global.contacts[k / 3].normal,
            t if k < 3 * contacts => &global.contacts[k / 3].tangents[t - 1],
            _ if rest < unilateral => &global.unilateral[rest],
            _ if rest < unilateral + bounded => &global.bounded[rest - unilateral].row,
            _ => &global.equality[rest - unilateral - bounded],
        };
        row.entries.iter().fold(row.bias, |sum, &(j, v)| sum + v * global.free_velocity[j])
    }

    /// Whether no impulse at all is an answer, to the bit: nothing closes, and nothing that must not move does.
    pub fn is_at_peace(&self) -> bool {
        let (contacts, unilateral) = (3 * self.n_contacts(), self.n_unilateral());
        let (opens, bounded) = (contacts + unilateral, contacts + unilateral + self.n_bounded());
        (0..self.n_rows()).all(|k| {
            let u = self.free_velocity(k);
            if k < contacts {
                k % 3 != 0 || u >= 0.0
            } else if k < opens {
                u >= 0.0
            } else if k < bounded {
                let (lo, hi) = self.bounds(k - opens);
                lo <= 0.0 && hi >= 0.0 && (u == 0.0 || (u > 0.0 && lo == 0.0) || (u < 0.0 && hi == 0.0))
            } else {
                u == 0.0
            }
        })
    }

    /// The bounds of a bounded row, N s.
    pub fn bounds(&self, k: usize) -> (f64, f64) {
        match &self.form {
            Form::Local(_) => unreachable!("the local form has no bounded rows"),
            Form::Global(global) => (global.bounded[k].lo, global.bounded[k].hi),
            Form::Factored(form) => form.bounds()[k],
        }
    }
}

/// Bounds that leave something between them.
pub(super) fn check_bounds(index: usize, lo: f64, hi: f64) -> Result<(), ProblemError> {
    let valid = lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY;
    if valid { Ok(()) } else { Err(ProblemError::Bounds { index, lo, hi }) }
}

fn coefficients(mu: &[f64]) -> Result<(), ProblemError> {
    finite("mu", mu)?;
    match mu.iter().position(|&m| m < 0.0) {
        Some(index) => Err(ProblemError::NegativeFriction { index, value: mu[index] }),
        None => Ok(()),
    }
}

fn check_row(field: &'static str, row: &Row, dof: usize) -> Result<(), ProblemError> {
    for (index, &(target, value)) in row.entries.iter().enumerate() {
        if target >= dof {
            return Err(ProblemError::Index { field, index, target, limit: dof });
        }
        if !value.is_finite() {
            return Err(ProblemError::NonFinite { field, index, value });
        }
    }
    finite("bias", &[row.bias])
}

/// Checks shapes and positive definiteness of the blocks; answers the number of degrees of freedom.
fn check_mass(form: &GlobalForm) -> Result<usize, ProblemError> {
    let mut dof = 0;
    for (block, (size, m)) in form.mass.iter().enumerate() {
        length("mass", m.len(), size * size)?;
        finite_matrix("mass", *size, m)?;
        let scale = crate::kernel::max_abs(m);
        for i in 0..*size {
            for j in 0..i {
                // symmetric to the rounding of whoever computed it
                if (m[i * size + j] - m[j * size + i]).abs() > tolerances::SYMMETRIC * scale {
                    return Err(ProblemError::Mass {
                        block,
                        pivot: i,
                        value: m[i * size + j] - m[j * size + i],
                    });
                }
            }
        }
        let mut factor = m.clone();
        cholesky(&mut factor, *size).map_err(|(pivot, value)| ProblemError::Mass { block, pivot, value })?;
        dof += size;
    }
    if dof == 0 {
        return Err(ProblemError::Empty { field: "mass" });
    }
    Ok(dof)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_indefinite_mass_is_refused_by_block_and_pivot() {
        let form = GlobalForm {
            mass: vec![(1, vec![1.0]), (2, vec![1.0, 2.0, 2.0, 1.0])],
            free_velocity: vec![0.0; 3],
            unilateral: vec![Row::new(vec![(0, 1.0)])],
            ..GlobalForm::default()
        };
        let error = FrictionProblem::global(form).unwrap_err();
        assert_eq!(error.to_string(), "mass block 1 is not symmetric positive definite (pivot 1 is -3)");
    }

    #[test]
    fn friction_data_is_checked() {
        let w = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(FrictionProblem::local(&w, vec![0.0; 3], vec![-0.1]).is_err());
        assert!(FrictionProblem::local(&w, vec![0.0; 3], vec![0.1, 0.2]).is_err());
        assert!(FrictionProblem::local(&w, vec![0.0; 3], vec![]).is_err());
        let ok = FrictionProblem::local(&w, vec![0.0; 3], vec![0.1]).unwrap();
        assert!(ok.clone().with_facets(5).is_err());
        assert!(ok.with_facets(6).is_ok());
    }
}
