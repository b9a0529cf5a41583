//! A warm solve island by island, in memory that stays.
//!
//! As [`super::islands`], on rows that are divided by the mass factor already: two degrees of freedom belong together if
//! a row acts on both, and rows that act on the same set are a problem of their own, scaled by its own largest
//! velocity. The parts are solved one after another in the order of their first row. A problem that is one part is
//! solved as it stands; where all rows start at the same degree of freedom, the root of a tree, that is told at once.

use super::islands::Sets;
use super::layout::Members;
use super::warm::RowIds;
use crate::problem::{FactoredForm, FactoredRow, FrictionProblem};

/// The part of a degree of freedom that no row acts on.
const NONE: usize = usize::MAX;

/// Which rows go where, and the problem of the part at hand.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    sets: Sets,
    part: Vec<usize>,  // by root of a set
    place: Vec<usize>, // by degree of freedom: its place in its part
    widths: Vec<usize>,
    of: Vec<usize>,               // by row: contacts, unilateral, bounded, equality
    sorted: [Vec<usize>; 4],      // rows of each kind, part after part
    start: [Vec<usize>; 4],       // by part: where its rows begin there
    members: [(usize, usize); 4], // of the part at hand: where they are in `sorted`
    ids: [Vec<u64>; 3],
    index: [Vec<usize>; 3], // of the rows at hand
    problem: Option<FrictionProblem>,
}

impl Parts {
    /// The number of parts; one as well if there is nothing to tell them by.
    pub(super) fn split(&mut self, problem: &FrictionProblem) -> usize {
        let Some(form) = problem.as_factored() else { return 1 };
        let first = |k: usize| form.row(k).index.first().copied();
        if (1..form.n_rows()).all(|k| first(k) == first(0)) {
            return 1;
        }
        self.sets.reset(form.width());
        for k in 0..form.n_rows() {
            let index = form.row(k).index;
            // the three rows of a contact mostly act on the same
            if k > 0 && form.row(k - 1).index == index {
                continue;
            }
            for pair in index.windows(2) {
                self.sets.join(pair[0], pair[1]);
            }
        }
        // rows of a contact that act on nothing in common are still one contact
        let n = form.n_contacts();
        for i in 0..n {
            if let (Some(a), Some(b), Some(c)) = (first(3 * i), first(3 * i + 1), first(3 * i + 2)) {
                self.sets.join(a, b);
                self.sets.join(a, c);
            }
        }
        self.part.clear();
        self.part.resize(form.width(), NONE);
        self.of.clear();
        let mut count = 0;
        let contacts = (0..n).map(|i| (3 * i..3 * i + 3).find_map(first));
        let rest = (3 * n..form.n_rows()).map(first);
        for dof in contacts.chain(rest) {
            // a row that acts on nothing goes with the first part
            let part = dof.map_or(0, |dof| {
                let part = &mut self.part[self.sets.find(dof)];
                if *part == NONE {
                    *part = count;
                    count += 1;
                }
                *part
            });
            self.of.push(part);
        }
        self.widths.clear();
        self.widths.resize(count, 0);
        self.place.clear();
        for dof in 0..form.width() {
            let part = self.part[self.sets.find(dof)];
            self.place.push(if part == NONE { NONE } else { self.widths[part] });
            if part != NONE {
                self.widths[part] += 1;
            }
        }
        if count > 1 {
            self.sort(form, count);
        }
        count.max(1)
    }

    /// Rows of each kind part after part, each in its order.
    fn sort(&mut self, form: &FactoredForm, count: usize) {
        let counts = [form.n_contacts(), form.n_unilateral(), form.n_bounded(), form.n_equality()];
        let mut first = 0;
        for ((sorted, start), rows) in self.sorted.iter_mut().zip(&mut self.start).zip(counts) {
            let of = &self.of[first..first + rows];
            first += rows;
            start.clear();
            start.resize(count + 1, 0);
            for &part in of {
                start[part + 1] += 1;
            }
            for part in 0..count {
                start[part + 1] += start[part];
            }
            sorted.clear();
            sorted.resize(rows, 0);
            for (k, &part) in of.iter().enumerate() {
                sorted[start[part]] = k;
                start[part] += 1;
            }
            // each stands where the next one begins now
            start.rotate_right(1);
            start[0] = 0;
        }
    }

    /// Makes the problem of one part.
    pub(super) fn enter(&mut self, problem: &FrictionProblem, ids: RowIds<'_>, part: usize) {
        let Some(form) = problem.as_factored() else { return };
        self.members = [0, 1, 2, 3].map(|kind: usize| (self.start[kind][part], self.start[kind][part + 1]));
        for (kind, all) in [ids.contacts, ids.unilateral, ids.bounded].into_iter().enumerate() {
            let (from, to) = self.members[kind];
            let own = &mut self.ids[kind];
            own.clear();
            // rows beyond the end of a list have no id, and are the last of their part as well
            own.extend(self.sorted[kind][from..to].iter().map_while(|&k| all.get(k)));
        }
        let mut own = self.problem.take();
        let filled = if let Some(own) = &mut own {
            own.refill(|out| self.fill(form, part, out))
        } else {
            let mut out = FactoredForm::default();
            self.fill(form, part, &mut out);
            FrictionProblem::factored(out).map(|new| own = Some(new))
        };
        filled.expect("a part of a valid problem is valid");
        let own = own.expect("filled");
        let facets = problem.facets();
        let own = if own.facets() == facets { Ok(own) } else { own.with_facets(facets) };
        self.problem = Some(own.expect("as many facets as the whole"));
    }

    fn fill(&mut self, form: &FactoredForm, part: usize, out: &mut FactoredForm) {
        let Self { sorted, members, index, place, .. } = self;
        let [contacts, unilateral, bounded, equality] = slices(sorted, members);
        out.clear(self.widths[part]);
        for &i in contacts {
            let [a, b, c] = &mut *index;
            let rows = [(0, a), (1, b), (2, c)];
            let rows = rows.map(|(k, index)| relocate(form.row(3 * i + k), place, index));
            out.contact(form.mu()[i], rows);
        }
        let mut at = 3 * form.n_contacts();
        for &k in unilateral {
            out.unilateral(relocate(form.row(at + k), place, &mut index[0]));
        }
        at += form.n_unilateral();
        for &k in bounded {
            let (lo, hi) = form.bounds()[k];
            out.bounded(relocate(form.row(at + k), place, &mut index[0]), lo, hi);
        }
        at += form.n_bounded();
        for &k in equality {
            out.equality(relocate(form.row(at + k), place, &mut index[0]));
        }
    }

    /// The problem of the part entered last, with the ids of its rows.
    pub(super) fn problem(&self) -> (&FrictionProblem, RowIds<'_>) {
        let [contacts, unilateral, bounded] = &self.ids;
        let problem = self.problem.as_ref().expect("entered before");
        (problem, RowIds { contacts, unilateral, bounded })
    }

    /// Its rows, as numbered in the whole.
    pub(super) fn members(&self) -> Members<'_> {
        let [contacts, unilateral, bounded, equality] = slices(&self.sorted, &self.members);
        Members { contacts, unilateral, bounded, equality }
    }
}

/// The rows of one part, by kind.
fn slices<'a>(sorted: &'a [Vec<usize>; 4], members: &[(usize, usize); 4]) -> [&'a [usize]; 4] {
    [0, 1, 2, 3].map(|kind: usize| &sorted[kind][members[kind].0..members[kind].1])
}

fn relocate<'a>(row: FactoredRow<'a>, place: &[usize], index: &'a mut Vec<usize>) -> FactoredRow<'a> {
    index.clear();
    index.extend(row.index.iter().map(|&dof| place[dof]));
    FactoredRow { index, ..row }
}
