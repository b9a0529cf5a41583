//! The same rows without friction, each asked to open by a given way: what overlaps is driven apart with it.
//!
//! Rows are numbered contacts first, then limits; `rooms` has the room of each in m/s, infinite if it takes no part.

use gudgeon_lcp::{FactoredForm, FactoredRow, FrictionProblem, ProblemError};
use gudgeon_multibody::{MassFactor, Model};

use super::Assembly;

impl Assembly {
    /// The frictionless problem of opening contacts and limits: one unilateral row per finite room, with `give` as the
    /// compliance of a row of size one. `problem` is refilled.
    pub fn opening(
        &self,
        rooms: &[f64],
        give: f64,
        width: usize,
        problem: &mut Option<FrictionProblem>,
    ) -> Result<(), ProblemError> {
        let fill = |form: &mut FactoredForm| {
            form.clear(width);
            for (k, &room) in rooms.iter().enumerate().filter(|(_, room)| room.is_finite()) {
                let row = self.opening_row(k);
                let size: f64 = row.value.iter().map(|x| x * x).sum();
                form.unilateral(FactoredRow { velocity: room, compliance: give * size, ..row });
            }
        };
        if let Some(problem) = problem {
            return problem.refill(fill);
        }
        let mut form = FactoredForm::default();
        fill(&mut form);
        *problem = Some(FrictionProblem::factored(form)?);
        Ok(())
    }

    /// Row `k` of those that may open.
    pub fn opening_row(&self, k: usize) -> FactoredRow<'_> {
        let contacts = self.friction.len();
        if k < contacts { self.contacts.row(3 * k) } else { self.unilateral.row(k - contacts) }
    }

    /// The name of row `k` of those that may open.
    pub fn opening_id(&self, k: usize) -> u64 {
        let contacts = self.friction.len();
        if k < contacts { self.contacts.ids[k] } else { self.unilateral.ids[k - contacts] }
    }

    /// v += M̃⁻¹ Jᵀ λ for impulses of the rows that may open; `all` has them in the order of all rows then.
    pub fn opening_velocity(
        &mut self,
        impulses: &[f64],
        model: &Model,
        factor: &MassFactor,
        all: &mut Vec<f64>,
        v: &mut [f64],
    ) {
        let (contacts, limits) = impulses.split_at(self.friction.len());
        all.clear();
        for &impulse in contacts {
            all.extend([impulse, 0.0, 0.0]);
        }
        all.resize(self.first_limit(), 0.0);
        all.extend_from_slice(limits);
        // limits of strings are not opened
        all.resize(self.n_rows(), 0.0);
        let finite = all.iter().all(|x| x.is_finite());
        if finite {
            self.velocity(model, factor, all, v);
        }
    }
}
