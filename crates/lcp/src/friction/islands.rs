//! Islands: groups of bodies that no row connects are problems of their own.
//!
//! Two blocks of the mass matrix belong together if some row acts on both; the fixed world has no block and joins
//! nothing. In local form two contacts belong together if W couples them, in either direction. With the groups
//! in the order of their first row and everything inside a group in the problem's order,
//!
//! ```text
//!     W = diag(W₁, W₂, …)        natural = max natural_i,   energy = Σ energy_i,   pivots = Σ pivots_i
//! ```
//!
//! so the answers of the parts, put side by side, are the answer of the whole. An island is solved by a solver of its
//! own that sees nothing of the others: who solves it, and when, cannot change a bit.
//!
//! **Departures from solving the whole.** Each island is scaled by its own largest velocity, so 1e-9 means 1e-9 of
//! its own speeds and a slow group is not lost beside a fast one. A budget is each island's own: sharing it would
//! make one group's answer depend on another's. A row that acts on nothing goes with the first island.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Structured;
use super::layout::{Layout, Members};
use crate::friction::FrictionSolution;
use crate::outcome::{Budget, Outcome};
use crate::problem::{Bounded, Contact, FrictionProblem, GlobalForm, LocalForm, Row};

/// Threads are started where this many scalar rows can be solved beside the largest island. To start and join a
/// thread takes 40 us and a row of a small stack takes 2 to 4 us, so a second core could save twenty times the price of
/// its thread. That is an estimate: on two cores that other work kept busy, 250 to 1100 rows gained nothing.
const PARALLEL_ROWS: usize = 1000;

/// An independent part of a problem, and where it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Island {
    /// The part.
    pub problem: FrictionProblem,
    /// Its contacts, as numbered in the whole.
    pub contacts: Vec<usize>,
    /// Its unilateral rows.
    pub unilateral: Vec<usize>,
    /// Its bounded rows.
    pub bounded: Vec<usize>,
    /// Its equality rows.
    pub equality: Vec<usize>,
}

impl Island {
    pub(super) fn members(&self) -> Members<'_> {
        Members {
            contacts: &self.contacts,
            unilateral: &self.unilateral,
            bounded: &self.bounded,
            equality: &self.equality,
        }
    }

    /// Its scalar rows.
    pub fn rows(&self) -> usize {
        3 * self.contacts.len() + self.unilateral.len() + self.bounded.len() + self.equality.len()
    }
}

/// Disjoint sets by size, paths halved.
#[derive(Debug, Clone, Default)]
pub(super) struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    fn new(n: usize) -> Self {
        Self { parent: (0..n).collect() }
    }

    /// Every element apart, in the same memory.
    pub(super) fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend(0..n);
    }

    pub(super) fn find(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    /// The lesser root stays, so that roots do not depend on the order of joining.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// Numbers sets in the order in which they are first met.
#[derive(Default)]
struct Numbers {
    of_root: Vec<Option<usize>>,
    count: usize,
}

impl Numbers {
    fn number(&mut self, root: usize) -> usize {
        *self.of_root[root].get_or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

/// The independent parts of a problem; empty where there are fewer than two.
pub fn islands(problem: &FrictionProblem) -> Vec<Island> {
    let parts = match (problem.to_global(), problem.as_local()) {
        (Some(global), _) => split_global(problem, &global),
        (_, Some(local)) => split_local(problem, local),
        (None, None) => Vec::new(),
    };
    if parts.len() < 2 { Vec::new() } else { parts }
}

fn contact_rows(contact: &Contact) -> [&Row; 3] {
    [&contact.normal, &contact.tangents[0], &contact.tangents[1]]
}

fn split_global(problem: &FrictionProblem, global: &GlobalForm) -> Vec<Island> {
    let mut block_of = Vec::with_capacity(global.free_velocity.len());
    for (block, (size, _)) in global.mass.iter().enumerate() {
        block_of.extend(std::iter::repeat_n(block, *size));
    }
    let mut sets = Sets::new(global.mass.len());
    let mut connect = |rows: &[&Row]| {
        let mut entries = rows.iter().flat_map(|r| &r.entries).map(|e| block_of[e.0]);
        if let Some(first) = entries.next() {
            entries.for_each(|other| sets.join(first, other));
        }
    };
    global.contacts.iter().for_each(|c| connect(&contact_rows(c)));
    global.unilateral.iter().for_each(|r| connect(&[r]));
    global.bounded.iter().for_each(|b| connect(&[&b.row]));
    global.equality.iter().for_each(|r| connect(&[r]));

    // number the islands by their first row; bodies that no row touches are in none
    let mut numbers = Numbers { of_root: vec![None; global.mass.len()], count: 0 };
    let mut island_of = |rows: &[&Row]| {
        let first = rows.iter().flat_map(|r| &r.entries).next();
        first.map(|e| numbers.number(sets.find(block_of[e.0])))
    };
    let contacts: Vec<_> = global.contacts.iter().map(|c| island_of(&contact_rows(c))).collect();
    let unilateral: Vec<_> = global.unilateral.iter().map(|r| island_of(&[r])).collect();
    let bounded: Vec<_> = global.bounded.iter().map(|b| island_of(&[&b.row])).collect();
    let equality: Vec<_> = global.equality.iter().map(|r| island_of(&[r])).collect();
    let count = numbers.count;
    if count < 2 {
        return Vec::new();
    }

    // each island's bodies, and every degree of freedom's place in its island
    let mut forms = vec![GlobalForm::default(); count];
    let mut place = vec![0; block_of.len()];
    let mut start = 0;
    for (block, (size, mass)) in global.mass.iter().enumerate() {
        if let Some(island) = numbers.of_root[sets.find(block)] {
            let form = &mut forms[island];
            for k in 0..*size {
                place[start + k] = form.free_velocity.len() + k;
            }
            form.mass.push((*size, mass.clone()));
            form.free_velocity.extend_from_slice(&global.free_velocity[start..start + size]);
        }
        start += size;
    }
    let moved = |row: &Row| Row {
        entries: row.entries.iter().map(|&(dof, v)| (place[dof], v)).collect(),
        bias: row.bias,
    };
    for (contact, island) in global.contacts.iter().zip(&contacts) {
        forms[island.unwrap_or(0)].contacts.push(Contact {
            mu: contact.mu,
            normal: moved(&contact.normal),
            tangents: [moved(&contact.tangents[0]), moved(&contact.tangents[1])],
        });
    }
    for (row, island) in global.unilateral.iter().zip(&unilateral) {
        forms[island.unwrap_or(0)].unilateral.push(moved(row));
    }
    for (Bounded { row, lo, hi }, island) in global.bounded.iter().zip(&bounded) {
        forms[island.unwrap_or(0)].bounded.push(Bounded { row: moved(row), lo: *lo, hi: *hi });
    }
    for (row, island) in global.equality.iter().zip(&equality) {
        forms[island.unwrap_or(0)].equality.push(moved(row));
    }
    let members = |of: &[Option<usize>], island: usize| -> Vec<usize> {
        (0..of.len()).filter(|&i| of[i].unwrap_or(0) == island).collect()
    };
    let part = |(island, form): (usize, GlobalForm)| Island {
        problem: FrictionProblem::global(form)
            .and_then(|p| p.with_facets(problem.facets()))
            .expect("a part of a valid problem is valid"),
        contacts: members(&contacts, island),
        unilateral: members(&unilateral, island),
        bounded: members(&bounded, island),
        equality: members(&equality, island),
    };
    forms.into_iter().enumerate().map(part).collect()
}

fn split_local(problem: &FrictionProblem, local: &LocalForm) -> Vec<Island> {
    let (n, rows) = (problem.n_contacts(), local.q().len());
    let mut sets = Sets::new(n);
    for (j, column) in local.w().chunks_exact(rows).enumerate() {
        for i in (0..rows).filter(|&i| column[i] != 0.0) {
            sets.join(i / 3, j / 3);
        }
    }
    let mut numbers = Numbers { of_root: vec![None; n], count: 0 };
    let of: Vec<usize> = (0..n).map(|i| numbers.number(sets.find(i))).collect();
    if numbers.count < 2 {
        return Vec::new();
    }
    let part = |island: usize| {
        let contacts: Vec<usize> = (0..n).filter(|&i| of[i] == island).collect();
        let kept: Vec<usize> = contacts.iter().flat_map(|&i| 3 * i..3 * i + 3).collect();
        let w = kept.iter().flat_map(|&j| kept.iter().map(move |&i| local.w()[j * rows + i])).collect();
        let q = kept.iter().map(|&k| local.q()[k]).collect();
        let mu = contacts.iter().map(|&i| problem.mu()[i]).collect();
        Island {
            problem: FrictionProblem::local_column_major(w, q, mu)
                .and_then(|p| p.with_facets(problem.facets()))
                .expect("a part of a valid problem is valid"),
            contacts,
            unilateral: Vec::new(),
            bounded: Vec::new(),
            equality: Vec::new(),
        }
    };
    (0..numbers.count).map(part).collect()
}

/// Solves a problem island by island on up to `threads` threads, each island from its part of `start` (the basis of
/// an earlier answer to a problem of the same rows) and within a budget of its own.
///
/// The bits of the answer do not depend on `threads`.
pub fn solve_islands(
    problem: &FrictionProblem,
    threads: usize,
    start: Option<&[bool]>,
    budget: Budget,
    solution: &mut FrictionSolution,
) -> Outcome {
    let parts = islands(problem);
    if parts.is_empty() {
        return Structured::default().solve_with(problem, start, budget, solution, &mut ());
    }
    let layout = Layout::new(problem);
    let start = start.filter(|s| s.len() == layout.basis());
    let solve = |island: &Island| {
        let mut answer = FrictionSolution::default();
        let start = start.map(|s| layout.part_of_basis(island.members(), s));
        let outcome =
            Structured::default().solve_with(&island.problem, start.as_deref(), budget, &mut answer, &mut ());
        (outcome, answer)
    };
    let total: usize = parts.iter().map(Island::rows).sum();
    let largest = parts.iter().map(Island::rows).max().unwrap_or(0);
    let threads = if total - largest >= PARALLEL_ROWS { threads.min(parts.len()) } else { 1 };
    let answers =
        if threads > 1 { in_parallel(&parts, threads, solve) } else { parts.iter().map(solve).collect() };
    let mut whole = layout.begin(solution);
    for (island, (outcome, answer)) in parts.iter().zip(&answers) {
        layout.put(island.members(), outcome, answer, &mut whole, solution);
    }
    whole
}

/// Solves the parts on several threads, the largest first; the answers in the order of the parts.
fn in_parallel<T: Send>(parts: &[Island], threads: usize, solve: impl Fn(&Island) -> T + Sync) -> Vec<T> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(parts[i].rows()));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(&i) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((i, solve(&parts[i])));
        }
        done
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|&(i, _)| i);
    all.into_iter().map(|(_, answer)| answer).collect()
}
