//! Rows in the order of their ids: a solve without memory does not know in which order contacts were found.

use super::layout::Members;
use super::warm::RowIds;
use crate::friction::FrictionSolution;
use crate::problem::{FactoredForm, FrictionProblem};

/// A problem with its rows in order, and its answer; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Ordered {
    members: [Vec<usize>; 4], // contacts, unilateral, bounded, equality
    ids: [Vec<u64>; 3],
    problem: Option<FrictionProblem>,
    pub(super) answer: FrictionSolution,
}

impl Ordered {
    /// Takes a problem; false if its rows have no ids, or are in their order already.
    pub(super) fn enter(&mut self, problem: &FrictionProblem, ids: RowIds<'_>) -> bool {
        let Some(form) = problem.as_factored() else { return false };
        let counts = [form.n_contacts(), form.n_unilateral(), form.n_bounded()];
        let all = [ids.contacts, ids.unilateral, ids.bounded];
        if all.iter().zip(counts).any(|(ids, count)| ids.len() < count)
            || all.iter().zip(counts).all(|(ids, count)| ids[..count].is_sorted())
        {
            return false;
        }
        for (k, (given, count)) in all.into_iter().zip(counts).enumerate() {
            let (members, own) = (&mut self.members[k], &mut self.ids[k]);
            members.clear();
            members.extend(0..count);
            members.sort_unstable_by_key(|&at| (given[at], at));
            own.clear();
            own.extend(members.iter().map(|&at| given[at]));
        }
        self.members[3].clear();
        self.members[3].extend(0..form.n_equality());
        let mut own = self.problem.take();
        let filled = if let Some(own) = &mut own {
            own.refill(|out| self.fill(form, out))
        } else {
            let mut out = FactoredForm::default();
            self.fill(form, &mut out);
            FrictionProblem::factored(out).map(|new| own = Some(new))
        };
        filled.expect("the rows of a valid problem are valid in any order");
        let (own, facets) = (own.expect("filled"), problem.facets());
        let own = if own.facets() == facets { Ok(own) } else { own.with_facets(facets) };
        self.problem = Some(own.expect("as many facets as before"));
        true
    }

    fn fill(&self, form: &FactoredForm, out: &mut FactoredForm) {
        let [contacts, unilateral, bounded, equality] = &self.members;
        out.clear(form.width());
        for &i in contacts {
            out.contact(form.mu()[i], [0, 1, 2].map(|k| form.row(3 * i + k)));
        }
        let mut at = 3 * form.n_contacts();
        for k in unilateral {
            out.unilateral(form.row(at + k));
        }
        at += form.n_unilateral();
        for &k in bounded {
            let (lo, hi) = form.bounds()[k];
            out.bounded(form.row(at + k), lo, hi);
        }
        at += form.n_bounded();
        for k in equality {
            out.equality(form.row(at + k));
        }
    }

    /// The problem entered last, with the ids of its rows.
    pub(super) fn problem(&self) -> (&FrictionProblem, RowIds<'_>) {
        let [contacts, unilateral, bounded] = &self.ids;
        (self.problem.as_ref().expect("entered before"), RowIds { contacts, unilateral, bounded })
    }

    /// Its rows, as numbered in the one that was given.
    pub(super) fn members(&self) -> Members<'_> {
        let [contacts, unilateral, bounded, equality] = &self.members;
        Members { contacts, unilateral, bounded, equality }
    }
}
