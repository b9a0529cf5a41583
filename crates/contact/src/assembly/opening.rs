//! The same rows without friction, each asked to open by a given way: what overlaps is driven apart with it.

use gudgeon_lcp::{FactoredForm, FactoredRow, FrictionProblem, ProblemError};
use gudgeon_multibody::{MassFactor, Model};

use super::Assembly;

impl Assembly {
    /// The frictionless problem of opening contacts and limits: one unilateral row per finite `room` (m/s), with `give` as the
    /// compliance of a row of size one. `problem` is refilled.
    pub fn opening(
        &self,
        contacts: &[f64],
        limits: &[f64],
        give: f64,
        width: usize,
        problem: &mut Option<FrictionProblem>,
    ) -> Result<(), ProblemError> {
        let fill = |form: &mut FactoredForm| {
            form.clear(width);
            self.each_opening(contacts, limits, |row| {
                let size: f64 = row.value.iter().map(|x| x * x).sum();
                form.unilateral(FactoredRow { compliance: row.compliance + give * size, ..row });
            });
        };
        if let Some(problem) = problem {
            return problem.refill(fill);
        }
        let mut form = FactoredForm::default();
        fill(&mut form);
        *problem = Some(FrictionProblem::factored(form)?);
        Ok(())
    }

    /// The rows of [`Assembly::opening`], in order.
    pub fn each_opening(&self, contacts: &[f64], limits: &[f64], mut each: impl FnMut(FactoredRow<'_>)) {
        for (i, &room) in contacts.iter().enumerate().filter(|r| r.1.is_finite()) {
            each(FactoredRow { velocity: room, ..self.contacts.row(3 * i) });
        }
        for (k, &room) in limits.iter().enumerate() {
            each(FactoredRow { velocity: room, ..self.unilateral.row(k) });
        }
    }

    /// v += M̃⁻¹ Jᵀ λ for an answer to [`Assembly::opening`]; `all` is scratch.
    pub fn opening_velocity(
        &mut self,
        contacts: &[f64],
        impulses: &[f64],
        model: &Model,
        factor: &MassFactor,
        all: &mut Vec<f64>,
        v: &mut [f64],
    ) {
        all.clear();
        all.resize(3 * self.friction.len(), 0.0);
        let mut answers = impulses.iter().copied();
        for (i, _) in contacts.iter().enumerate().filter(|r| r.1.is_finite()) {
            all[3 * i] = answers.next().unwrap_or(0.0);
        }
        all.resize(self.first_limit(), 0.0);
        all.extend(answers);
        // limits of strings are not opened
        all.resize(self.n_rows(), 0.0);
        let finite = all.iter().all(|x| x.is_finite());
        if finite {
            self.velocity(model, factor, all, v);
        }
    }
}
