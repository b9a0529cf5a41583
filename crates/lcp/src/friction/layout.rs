//! Where the rows and unknowns of a part are in the vectors of the whole.
//!
//! | vector     | order                                                             |
//! |------------|-------------------------------------------------------------------|
//! | impulses   | three per contact, unilateral, bounded, equality                  |
//! | boxed form | θ of all contacts, φ, λ, then the other rows                      |
//! | basis      | θ, φ, λ contact by contact, unilateral, two per bounded, equality |

use crate::friction::FrictionSolution;
use crate::outcome::{Outcome, Residual, Status};
use crate::problem::{ContactAnswer, ContactMode, FrictionProblem};

/// The rows of a part, as numbered in the whole.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Members<'a> {
    pub(super) contacts: &'a [usize],
    pub(super) unilateral: &'a [usize],
    pub(super) bounded: &'a [usize],
    pub(super) equality: &'a [usize],
}

/// Where things are in the vectors of a problem.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) n: usize,
    d: usize,
    unilateral: usize,
    bounded: usize,
    equality: usize,
}

impl Layout {
    pub(super) fn new(problem: &FrictionProblem) -> Self {
        Self {
            n: problem.n_contacts(),
            d: problem.facets(),
            unilateral: problem.n_unilateral(),
            bounded: problem.n_bounded(),
            equality: problem.n_equality(),
        }
    }

    pub(super) fn rest(&self) -> usize {
        self.unilateral + self.bounded + self.equality
    }

    pub(super) fn basis(&self) -> usize {
        self.n * (self.d + 2) + self.rest() + self.bounded
    }

    /// The rows of a part that are not contacts, counted from the first such row of the whole.
    pub(super) fn singles<'a>(&self, part: Members<'a>) -> impl Iterator<Item = usize> + use<'a> {
        let (first, last) = (self.unilateral, self.unilateral + self.bounded);
        let bounded = part.bounded.iter().map(move |k| first + k);
        let equality = part.equality.iter().map(move |k| last + k);
        part.unilateral.iter().copied().chain(bounded).chain(equality)
    }

    /// Where the scalar rows of a part are in the whole.
    pub(super) fn impulses<'a>(&self, part: Members<'a>) -> impl Iterator<Item = usize> + use<'a> {
        let n = self.n;
        let contacts = part.contacts.iter().flat_map(|&i| 3 * i..3 * i + 3);
        contacts.chain(self.singles(part).map(move |k| 3 * n + k))
    }

    /// Where the unknowns of its lowered form are: θ, φ, λ, then the rest.
    pub(super) fn boxed<'a>(&self, part: Members<'a>) -> impl Iterator<Item = usize> + use<'a> {
        let (n, d) = (self.n, self.d);
        let phi = part.contacts.iter().flat_map(move |&i| n + i * d..n + (i + 1) * d);
        let lambda = part.contacts.iter().map(move |&i| n + n * d + i);
        let rest = self.singles(part).map(move |k| n * (d + 2) + k);
        part.contacts.iter().copied().chain(phi).chain(lambda).chain(rest)
    }

    /// Where its basis is: θ, φ, λ contact by contact, then two per bounded row.
    pub(super) fn bases<'a>(&self, part: Members<'a>) -> impl Iterator<Item = usize> + use<'a> {
        let per = self.d + 2;
        let contacts = part.contacts.iter().flat_map(move |&i| i * per..(i + 1) * per);
        let first = self.n * per;
        let unilateral = part.unilateral.iter().map(move |k| first + k);
        let boxes = first + self.unilateral;
        let bounded = part.bounded.iter().flat_map(move |k| boxes + 2 * k..boxes + 2 * k + 2);
        let free = boxes + 2 * self.bounded;
        let equality = part.equality.iter().map(move |k| free + k);
        contacts.chain(unilateral).chain(bounded).chain(equality)
    }

    pub(super) fn part_of_basis(&self, part: Members<'_>, basis: &[bool]) -> Vec<bool> {
        self.bases(part).map(|k| basis[k]).collect()
    }

    /// An answer of the whole that has nothing in it yet, and its outcome.
    pub(super) fn begin(&self, solution: &mut FrictionSolution) -> Outcome {
        let nothing = ContactAnswer { impulse: [0.0; 3], velocity: [0.0; 3], mode: ContactMode::Open };
        solution.contacts.clear();
        solution.contacts.resize(self.n, nothing);
        solution.impulses.clear();
        solution.impulses.resize(3 * self.n + self.rest(), 0.0);
        solution.boxed.x.clear();
        solution.boxed.w.clear();
        solution.boxed.ray = None;
        solution.basis.clear();
        solution.basis.resize(self.basis(), false);
        Outcome { status: Status::Solved, pivots: 0, nodes: 0, residual: Residual::default() }
    }

    /// Puts the answer of a part where it belongs.
    pub(super) fn put(
        &self,
        part: Members<'_>,
        outcome: &Outcome,
        answer: &FrictionSolution,
        whole: &mut Outcome,
        solution: &mut FrictionSolution,
    ) {
        for (&i, contact) in part.contacts.iter().zip(&answer.contacts) {
            solution.contacts[i] = *contact;
        }
        self.impulses(part).zip(&answer.impulses).for_each(|(k, &v)| solution.impulses[k] = v);
        self.bases(part).zip(&answer.basis).for_each(|(k, &v)| solution.basis[k] = v);
        // round cones have no lowered form
        let unknowns = self.n * (self.d + 2) + self.rest();
        for (out, from) in
            [(&mut solution.boxed.x, &answer.boxed.x), (&mut solution.boxed.w, &answer.boxed.w)]
        {
            if !from.is_empty() {
                out.resize(unknowns, 0.0);
                self.boxed(part).zip(from).for_each(|(k, &v)| out[k] = v);
            }
        }
        // the first part that is not solved gives the status
        if whole.status == Status::Solved {
            whole.status = outcome.status;
        }
        whole.pivots += outcome.pivots;
        whole.nodes += outcome.nodes;
        let residual = &mut whole.residual;
        residual.natural = residual.natural.max(outcome.residual.natural);
        residual.fischer_burmeister += outcome.residual.fischer_burmeister;
        residual.energy += outcome.residual.energy;
    }
}
