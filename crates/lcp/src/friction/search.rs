//! `robust` on the friction basis: guided search over Lemke's pivots, with growth.
//!
//! The strategy is that of [`crate::robust`]: ties by a generic perturbation, limited discrepancies, a ladder of
//! bands, verified goals. The basis answers through the factored problem ([`super::system`]), so a pivot costs the
//! non-zeros of the rows plus the square of the active block. What is added:
//!
//! * *Growth* [Lloyd, §5.3]. The problem starts frictionless; when a contact's θ first enters, its φ, λ, σ, γ
//!   join, and the covering vector is raised so that q′ stays positive [Lloyd, App. D]. A contact that is never
//!   pressed never costs a pivot. At the end its friction unknowns follow from its velocity.
//! * *Warm starts.* From the basis of the step before, one factorisation and one check are the whole solve if the
//!   basis is still right.
//! * *Equations.* Their unknowns are basic from the start; a row that adds nothing to those before it is left
//!   out, and must hold in the end all the same.

use std::collections::BinaryHeap;

use super::reduced::{Basis, Load, Side};
use super::settle::Settle;
use super::system::{Kind, System};
use crate::basis::Columns;
use crate::observer::{Observer, PivotEvent, Variable};
use crate::outcome::{Budget, SOLVED, Status};
use crate::robust::tree::{Alternative, End, Meter, Node, ROOT, Visited, key, mix, unit_interval};

/// The bands of one search, in scaled units where q and the rows have size one; see [`crate::robust`].
#[derive(Debug, Clone, Copy, PartialEq)]
struct Rung {
    zero: f64,
    pivot: f64,
    random_cover: bool,
    /// The whole problem from the start, instead of growing.
    whole: bool,
}

const LADDER: [Rung; 10] = [
    Rung { zero: 1e-11, pivot: 1e-10, random_cover: false, whole: false },
    Rung { zero: 1e-11, pivot: 1e-10, random_cover: false, whole: true },
    Rung { zero: 1e-9, pivot: 1e-9, random_cover: false, whole: false },
    Rung { zero: 1e-9, pivot: 1e-9, random_cover: false, whole: true },
    Rung { zero: 1e-8, pivot: 1e-6, random_cover: false, whole: true },
    Rung { zero: 1e-12, pivot: 1e-13, random_cover: false, whole: false },
    Rung { zero: 1e-10, pivot: 1e-9, random_cover: true, whole: true },
    Rung { zero: 1e-9, pivot: 1e-8, random_cover: true, whole: false },
    Rung { zero: 1e-6, pivot: 1e-5, random_cover: false, whole: true },
    Rung { zero: 1e-12, pivot: 1e-11, random_cover: true, whole: true },
];
/// q′ and p′ are computed afresh after this many incremental steps.
const REFRESH: usize = 12;
/// Alternatives kept per tie.
const ALTERNATIVES: usize = 6;
/// The cover of the σ rows of a contact that grows, where ν and γ have 1. With 1 the friction of every contact is
/// worked out before z₀ is gone; with much it waits until the normals have settled. Mean pivots of 20 pegs of 96
/// contacts: 543 with 1, 106 with 100 (two of them take 500 and 900), 35 with 1000 and with 3000.
pub(super) const SIGMA_COVER: f64 = 1000.0;

#[derive(Debug, Clone, Copy)]
struct Tie {
    leaving: Variable,
    weak: bool,
    order: f64,
    q: f64,
    d: f64,
}

/// What a solve has spent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) pivots: usize,
    pub(crate) nodes: usize,
}

/// The search with its scratch memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    /// Whether contacts grow; without it the whole problem is there from the start.
    pub(crate) whole: bool,
    basis: Basis,
    /// q of every row, scaled.
    pub(crate) q: Vec<f64>,
    p: Vec<f64>,
    q_now: Vec<f64>,  // by pair, z₀ last
    p_now: Vec<f64>,  // the same
    column: Vec<f64>, // the same
    rows: Vec<usize>, // rows that are present
    ties: Vec<Tie>,
    nodes: Vec<Node>,
    open: BinaryHeap<Alternative>,
    visited: Visited,
    hash: u64,
    start: Vec<bool>,   // unknowns that are basic at the root
    dropped: Vec<bool>, // free unknowns that add nothing
    path: Vec<usize>,
    since_refresh: usize,
    /// The answer: z of every unknown, scaled.
    pub(crate) z: Vec<f64>,
    /// w of every row, scaled.
    pub(crate) w: Vec<f64>,
    /// Which z are basic in the answer.
    pub(crate) basic: Vec<bool>,
    /// The residual of the answer, scaled.
    pub(crate) natural: f64,
    trial_z: Vec<f64>,
    trial_w: Vec<f64>,
    best_energy: f64,
    scratch: Scratch,
}

/// Memory of passes that are done before the next begins.
#[derive(Debug, Clone, Default)]
struct Scratch {
    a: Vec<f64>,
    column: Vec<f64>,
    free: Vec<usize>,
    left: Vec<usize>,
}

impl Search {
    /// Solves the scaled problem; the answer is in `z`, `w`, `basic`, `natural`.
    pub(crate) fn solve(
        &mut self,
        system: &mut System,
        start: Option<&[bool]>,
        budget: Budget,
        observer: &mut impl Observer,
    ) -> (Status, Spent) {
        let mut meter = Meter::new(system.unknowns(), budget);
        let n = system.unknowns();
        self.q.clear();
        self.q.resize(n, 0.0);
        system.load(&mut self.q);
        self.natural = f64::INFINITY;
        self.best_energy = f64::INFINITY;
        self.choose_start(system, start);
        let status = self.climb(system, &mut meter, observer);
        if self.natural == f64::INFINITY {
            // nothing was ever measured: no impulses at all
            self.trial_z.clear();
            self.trial_z.resize(n, 0.0);
            self.measure_trial(system);
        }
        (status, Spent { pivots: meter.pivots, nodes: meter.nodes })
    }

    /// Takes impulses found elsewhere as the answer if they are one; the basis is what it was.
    pub(crate) fn adopt(&mut self, system: &mut System, settle: &Settle, basis: &[bool]) -> bool {
        self.q.clear();
        self.q.resize(system.unknowns(), 0.0);
        system.load(&mut self.q);
        settle.unknowns(system, &mut self.z);
        for i in 0..system.n {
            system.grown[i] = settle.r[3 * i] > 0.0;
        }
        self.natural = evaluate(system, &self.q, &mut self.z, &mut self.w);
        self.basic.clear();
        self.basic.extend_from_slice(basis);
        self.natural <= 1e-3 * SOLVED
    }

    fn choose_start(&mut self, system: &mut System, start: Option<&[bool]>) {
        let n = system.unknowns();
        self.dropped.clear();
        self.dropped.resize(n, false);
        self.start.clear();
        match start {
            Some(start) if start.len() == n => self.start.extend_from_slice(start),
            _ => self.start.resize(n, false),
        }
        self.start[system.bounded()..].fill(true);
        self.drop_redundant(system);
        for i in 0..system.n {
            let base = system.theta(i);
            system.grown[i] = self.whole || self.start[base];
            if !system.grown[i] {
                self.start[base..base + system.d + 2].fill(false);
            }
        }
        self.list_rows(system);
    }

    fn cold(&mut self, system: &mut System, whole: bool) {
        self.start[..system.bounded()].fill(false);
        system.grown.fill(whole);
        self.list_rows(system);
    }

    fn list_rows(&mut self, system: &System) {
        self.rows.clear();
        self.rows.extend((0..system.unknowns()).filter(|&i| system.present(i) && !self.dropped[i]));
    }

    fn climb(&mut self, system: &mut System, meter: &mut Meter, observer: &mut impl Observer) -> Status {
        let n = system.unknowns();
        let mut status = Status::Cycle;
        for (round, factor) in [(0, 1), (1, 8)] {
            for (step, rung) in LADDER.iter().enumerate() {
                let mut limit = factor * (2 * n + 200);
                let mut bands = *rung;
                if round + step > 0 {
                    self.cold(system, rung.whole || self.whole);
                }
                for _ in 0..4 {
                    let seed = (round * 64 + step) as u64;
                    match self.search(system, bands, seed, limit, meter, observer) {
                        End::Solved => return Status::Solved,
                        End::OutOfBudget => return Status::Budget,
                        End::OutOfNodes => {
                            status = Status::Inaccurate;
                            break;
                        }
                        End::Exhausted => break,
                        End::Inaccurate => {
                            status = Status::Inaccurate;
                            bands.zero = (bands.zero * 1e-2).max(1e-14);
                            limit = limit.min(n + 100);
                        }
                    }
                }
            }
        }
        status
    }

    fn search(
        &mut self,
        system: &mut System,
        bands: Rung,
        seed: u64,
        limit: usize,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> End {
        self.nodes.clear();
        self.open.clear();
        self.visited.clear();
        self.perturb(system, seed);
        if !self.install_root(system) {
            self.cold(system, bands.whole || self.whole);
            if !self.install_root(system) {
                return End::Exhausted;
            }
        }
        self.cover(system, bands.random_cover.then_some(seed));
        self.refresh(system);

        // step 0: a basis with q′ ≥ 0 is an answer already; else z₀ enters at the worst row
        self.drive(system, Variable::Z0);
        let Some(worst) = self.most_negative(system) else { return self.verify(system) };
        if meter.spent() {
            return End::OutOfBudget;
        }
        let Some(mut parent) = self.pivot(system, ROOT, Variable::Z0, worst, 0, meter, observer) else {
            return End::Exhausted;
        };
        let mut entering = worst.complement();
        let budget = meter.nodes + limit;
        loop {
            // step 1: drive the complement of what left last
            if meter.bounded {
                self.keep_best(system);
            }
            if meter.spent() {
                return End::OutOfBudget;
            }
            if meter.nodes >= budget {
                return End::OutOfNodes;
            }
            meter.nodes += 1;
            if let Variable::Z(j) = entering {
                self.grow(system, j);
            }
            let residual = self.drive(system, entering);
            if self.basis.is_stale(residual) {
                if self.basis.factor(system) {
                    self.refresh(system);
                    self.drive(system, entering);
                } else if self.backtrack(system, &mut parent, &mut entering, meter, observer) {
                    continue;
                } else {
                    return End::Exhausted;
                }
            }
            self.collect_ties(system, bands);

            // step 2: exchange with the first tied row that leads somewhere new
            let choice = self.ties.iter().position(|t| {
                t.leaving == Variable::Z0
                    || !self.visited.contains(&(self.hash ^ key(entering) ^ key(t.leaving)))
            });
            let Some(first) = choice else {
                if !self.backtrack(system, &mut parent, &mut entering, meter, observer) {
                    return End::Exhausted;
                }
                continue;
            };
            let leaving = self.ties[first].leaving;
            if leaving != Variable::Z0 {
                self.leave_alternatives(first, parent, entering);
            }
            let departures = self.departures(parent);
            let Some(node) = self.pivot(system, parent, entering, leaving, departures, meter, observer)
            else {
                if !self.backtrack(system, &mut parent, &mut entering, meter, observer) {
                    return End::Exhausted;
                }
                continue;
            };
            parent = node;
            if leaving == Variable::Z0 {
                let end = self.verify(system);
                if end != End::Solved {
                    let n = system.unknowns();
                    self.start.clear();
                    self.start.extend((0..n).map(|j| self.basis.side(j) == Side::Z));
                }
                return end;
            }
            entering = leaving.complement();
        }
    }

    fn perturb(&mut self, system: &System, seed: u64) {
        self.p.clear();
        self.p.extend((0..system.bounded() as u64).map(|i| 1.0 + unit_interval(mix(i ^ mix(seed)))));
        self.p.resize(system.unknowns(), 0.0);
    }

    fn install_root(&mut self, system: &System) -> bool {
        self.basis.reset(system);
        self.hash = 0;
        for i in 0..self.start.len() {
            if self.dropped[i] {
                self.basis.leave_out(i);
            } else if self.start[i] {
                self.basis.install(i);
                self.hash ^= key(Variable::Z(i)) ^ key(Variable::W(i));
            }
        }
        self.basis.factor(system)
    }

    /// Leaves out equations that add nothing to the others: Cholesky with the largest diagonal first.
    fn drop_redundant(&mut self, system: &System) {
        let first = system.bounded();
        let k = system.unknowns() - first;
        if k == 0 {
            return;
        }
        let Scratch { a, column, free, left } = &mut self.scratch;
        free.clear();
        free.extend(first..first + k);
        a.clear(); // column-major
        for &j in &*free {
            system.column_at(j, free, column);
            a.extend_from_slice(column);
        }
        left.clear();
        left.extend(0..k);
        while let Some((at, &p)) =
            left.iter().enumerate().max_by(|x, y| a[x.1 * k + x.1].total_cmp(&a[y.1 * k + y.1]))
        {
            // rows have unit size: what is left of one after the others is the sine of its angle, squared;
            // below a microradian it says nothing that rounding does not
            let pivot = a[p * k + p];
            if pivot <= 1e-12 {
                break;
            }
            left.swap_remove(at);
            for &c in &*left {
                let f = a[c * k + p] / pivot;
                for &r in &*left {
                    a[c * k + r] -= f * a[p * k + r];
                }
            }
        }
        for &p in &*left {
            self.dropped[free[p]] = true;
        }
    }

    /// The covering vector that is `ones` (or random) in the pivoted system: c = B d′.
    fn cover(&mut self, system: &mut System, random: Option<u64>) {
        // the rows of a contact share theirs [Lloyd, App. B]
        let per = system.d + 2;
        let entry = |i: usize| match random {
            None => 1.0,
            Some(seed) => {
                let group = if i < system.n * per { i / per } else { i };
                0.5 + 1.5 * unit_interval(mix(group as u64 ^ mix(seed ^ 0xc0ff_ee00)))
            }
        };
        let Scratch { a: shares, column: cover, free: bounded, .. } = &mut self.scratch;
        cover.clear();
        cover.extend(
            (0..system.unknowns())
                .map(|i| if self.basis.side(i) != Side::Z && i < system.bounded() { entry(i) } else { 0.0 }),
        );
        bounded.clear();
        bounded.extend(self.basis.active().iter().copied().filter(|&j| j < system.bounded()));
        shares.clear();
        shares.extend(bounded.iter().map(|&j| -entry(j)));
        system.add(bounded, shares, cover);
        std::mem::swap(cover, &mut system.cover);
        self.basis.cover_changed();
    }

    /// The column of a driving variable; answers what is left of the solve.
    fn drive(&mut self, system: &System, entering: Variable) -> f64 {
        let load = match entering {
            Variable::Z(j) => Load::Column(j),
            Variable::W(i) => Load::Unit(i, -1.0),
            Variable::Z0 => Load::Vector(&system.cover),
        };
        self.basis.solve(system, load, &mut self.column)
    }

    fn refresh(&mut self, system: &System) {
        let residual = self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
        if self.basis.is_stale(residual) && self.basis.factor(system) {
            self.basis.solve(system, Load::Vector(&self.q), &mut self.q_now);
        }
        self.basis.solve(system, Load::Vector(&self.p), &mut self.p_now);
        self.since_refresh = 0;
    }

    fn most_negative(&self, system: &System) -> Option<Variable> {
        let mut best: Option<(f64, f64, Variable)> = None;
        let mut offer = |i: usize, variable: Variable| {
            let (q, p, c) = (self.q_now[i], self.p_now[i], self.column[i]);
            if q < -1e-15 && c > 0.0 {
                let (ratio, order) = (q / c, p / c);
                let better =
                    best.is_none_or(|(r, o, _)| ratio < r - 1e-14 || (ratio <= r + 1e-14 && order < o));
                if better {
                    best = Some((ratio, order, variable));
                }
            }
        };
        for &i in self.rows.iter().filter(|&&i| self.basis.w_is_basic(i)) {
            offer(i, Variable::W(i));
        }
        for &j in self.basis.active().iter().filter(|&&j| j < system.bounded()) {
            offer(j, Variable::Z(j));
        }
        best.map(|(_, _, variable)| variable)
    }

    fn collect_ties(&mut self, system: &System, bands: Rung) {
        let (n, bounded) = (system.unknowns(), system.bounded());
        self.ties.clear();
        let mut size = if self.basis.has_z0() { self.column[n].abs() } else { 0.0 };
        for &j in self.basis.active() {
            size = size.max(self.column[j].abs());
        }
        for &i in &self.rows {
            if self.basis.w_is_basic(i) {
                size = size.max(self.column[i].abs());
            }
        }
        let (least, weak) = (bands.pivot * size, 1e-5 * size);

        // the step to the first row that would become negative
        let mut step = f64::INFINITY;
        let ties = &mut self.ties;
        let (q_now, p_now, column) = (&self.q_now, &self.p_now, &self.column);
        let mut offer = |i: usize, leaving: Variable| {
            let (q, d) = (q_now[i], column[i]);
            if d < -least {
                let room = if q <= bands.zero { 0.0 } else { q };
                let ratio = room / -d;
                if ratio < step {
                    step = ratio;
                }
                if q + step * d <= bands.zero {
                    ties.push(Tie { leaving, weak: -d < weak, order: p_now[i] / -d, q, d });
                }
            }
        };
        if self.basis.has_z0() {
            offer(n, Variable::Z0);
        }
        for &j in self.basis.active().iter().filter(|&&j| j < bounded) {
            offer(j, Variable::Z(j));
        }
        for &i in &self.rows {
            if self.basis.w_is_basic(i) {
                offer(i, Variable::W(i));
            }
        }
        self.ties.retain(|t| t.q + step * t.d <= bands.zero);
        self.ties.sort_unstable_by(|a, b| {
            let first = |t: &Tie| t.leaving != Variable::Z0;
            (first(a), a.weak)
                .cmp(&(first(b), b.weak))
                .then(a.order.total_cmp(&b.order))
                .then(a.leaving.cmp(&b.leaving))
        });
    }

    /// A contact that is about to be pressed brings its friction into the problem.
    fn grow(&mut self, system: &mut System, j: usize) {
        let Kind::Theta(i) = system.kind(j) else { return };
        if system.grown[i] || system.mu[i] == 0.0 {
            return;
        }
        system.grown[i] = true;
        let first = j + 1;
        self.rows.extend(first..=first + system.d);
        system.cover[first..first + system.d].fill(SIGMA_COVER);
        system.cover[first + system.d] = 1.0;
        self.basis.cover_changed();
        for (now, load) in [(&mut self.q_now, &self.q), (&mut self.p_now, &self.p)] {
            self.basis.grow(system, i, load, now);
        }
        self.lift(system, i);
    }

    /// Raises the cover of a contact's friction rows until their q′ is positive            [Lloyd (59)].
    fn lift(&mut self, system: &mut System, i: usize) {
        let n = system.unknowns();
        if !self.basis.has_z0() {
            return;
        }
        let first = system.theta(i) + 1;
        let rows = first..=first + system.d;
        let least = rows.clone().fold(f64::INFINITY, |m, r| m.min(self.q_now[r]));
        // a margin of a tenth of the cover keeps the new rows out of the next ties
        let z0 = self.q_now[n].max(1e-12);
        let margin = 0.1 * z0;
        if least < margin {
            let raise = (margin - least) / z0;
            for r in rows {
                system.cover[r] += raise;
                self.q_now[r] += raise * self.q_now[n];
                self.p_now[r] += raise * self.p_now[n];
            }
            self.basis.cover_changed();
        }
    }

    fn departures(&self, parent: usize) -> usize {
        if parent == ROOT { 0 } else { self.nodes[parent].departures }
    }

    fn leave_alternatives(&mut self, first: usize, parent: usize, entering: Variable) {
        let departures = self.departures(parent);
        let depth = if parent == ROOT { 0 } else { self.nodes[parent].depth };
        for (rank, tie) in self.ties.iter().enumerate().skip(first + 1).take(ALTERNATIVES) {
            self.open.push(Alternative {
                departures: departures + (rank - first),
                depth,
                parent,
                rank,
                entering,
                leaving: tie.leaving,
            });
        }
    }

    fn pivot(
        &mut self,
        system: &System,
        parent: usize,
        entering: Variable,
        leaving: Variable,
        departures: usize,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> Option<usize> {
        let n = system.unknowns();
        let pair = |variable: Variable| match variable {
            Variable::W(i) | Variable::Z(i) => i,
            Variable::Z0 => n,
        };
        let (into, out) = (pair(entering), pair(leaving));
        for now in [&mut self.q_now, &mut self.p_now] {
            let step = now[out] / -self.column[out];
            crate::kernel::axpy(step, &self.column, now);
            now[out] = 0.0;
            now[into] = step;
        }
        let regular = self.basis.exchange(system, entering, leaving, &self.column);
        self.hash ^= key(entering) ^ key(leaving);
        self.visited.insert(self.hash);
        meter.pivots += 1;
        self.since_refresh += 1;
        if regular && self.since_refresh >= REFRESH {
            self.refresh(system);
        }
        let depth = if parent == ROOT { 0 } else { self.nodes[parent].depth + 1 };
        self.nodes.push(Node { parent, entering, leaving, depth, departures });
        observer.pivot(&PivotEvent {
            pivot: meter.pivots - 1,
            entering,
            leaving,
            q_min: 0.0,
            error: f64::NAN,
        });
        regular.then_some(self.nodes.len() - 1)
    }

    fn backtrack(
        &mut self,
        system: &mut System,
        parent: &mut usize,
        entering: &mut Variable,
        meter: &mut Meter,
        observer: &mut impl Observer,
    ) -> bool {
        while let Some(alternative) = self.open.pop() {
            if !self.restore(system, alternative.parent) {
                continue;
            }
            if self.visited.contains(&(self.hash ^ key(alternative.entering) ^ key(alternative.leaving))) {
                continue;
            }
            self.drive(system, alternative.entering);
            let Alternative { parent: at, entering: enters, leaving, departures, .. } = alternative;
            let Some(node) = self.pivot(system, at, enters, leaving, departures, meter, observer) else {
                continue;
            };
            *parent = node;
            *entering = leaving.complement();
            return true;
        }
        false
    }

    fn restore(&mut self, system: &mut System, node: usize) -> bool {
        self.path.clear();
        let mut at = node;
        while at != ROOT {
            self.path.push(at);
            at = self.nodes[at].parent;
        }
        self.install_root(system);
        for &at in self.path.iter().rev() {
            let Node { entering, leaving, .. } = self.nodes[at];
            self.basis.swap(entering, leaving);
            self.hash ^= key(entering) ^ key(leaving);
        }
        if !self.basis.factor(system) {
            return false;
        }
        self.refresh(system);
        // contacts that grew later need cover here as well
        for i in 0..system.n {
            if system.grown[i] && self.basis.side(system.theta(i)) != Side::Z {
                self.lift_if_free(system, i);
            }
        }
        true
    }

    /// [`Search::lift`] for a contact none of whose friction rows is non-basic.
    fn lift_if_free(&mut self, system: &mut System, i: usize) {
        let first = system.theta(i) + 1;
        if (first..=first + system.d).all(|r| self.basis.w_is_basic(r)) {
            let least = (first..=first + system.d).fold(f64::INFINITY, |m, r| m.min(self.q_now[r]));
            if least < 0.0 {
                self.lift(system, i);
            }
        }
    }

    /// Whether the present basis, which has no z₀, is an answer.
    fn verify(&mut self, system: &System) -> End {
        if !self.basis.factor(system) {
            return End::Inaccurate;
        }
        self.refresh(system);
        let mut natural = self.measure(system);
        for _ in 0..2 {
            if natural <= 1e-2 * SOLVED || natural > 1e-5 {
                break;
            }
            self.basis.solve(system, Load::Vector(&self.trial_w), &mut self.column);
            for &j in self.basis.active() {
                self.q_now[j] += self.column[j];
            }
            let refined = self.measure(system);
            if refined >= natural {
                break;
            }
            natural = refined;
        }
        if self.natural > SOLVED {
            return End::Inaccurate;
        }
        // a crisp answer is right in every row; another is held, row by row, against the row's own numbers
        if is_crisp(self.natural, &self.z) || self.row_relative(system) <= SOLVED {
            End::Solved
        } else {
            self.natural = f64::INFINITY;
            End::Inaccurate
        }
    }

    /// How far single rows of the answer are off against their own numbers.
    pub(crate) fn row_relative(&mut self, system: &System) -> f64 {
        row_relative(system, &self.q, &self.z, &self.w, &mut self.scratch)
    }

    /// Cuts the basic z to their signs and measures them.
    fn measure(&mut self, system: &System) -> f64 {
        let n = system.unknowns();
        self.trial_z.clear();
        self.trial_z.resize(n, 0.0);
        for &j in self.basis.active() {
            let z = self.q_now[j];
            self.trial_z[j] = if j < system.bounded() { z.max(0.0) } else { z };
        }
        self.measure_trial(system)
    }

    /// Completes λ of contacts that are not pressed, computes w from the problem, and keeps the best.
    fn measure_trial(&mut self, system: &System) -> f64 {
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        if natural < self.natural {
            self.natural = natural;
            self.z.clone_from(&self.trial_z);
            self.w.clone_from(&self.trial_w);
            self.basic.clear();
            self.basic.extend((0..system.unknowns()).map(|j| self.basis.side(j) == Side::Z));
        }
        natural
    }

    /// Under a budget: the iterate (without z₀) of least energy error is the answer so far [EnzError (21)].
    fn keep_best(&mut self, system: &System) {
        let n = system.unknowns();
        self.trial_z.clear();
        self.trial_z.resize(n, 0.0);
        for &j in self.basis.active() {
            let z = self.q_now[j];
            self.trial_z[j] = if j < system.bounded() { z.max(0.0) } else { z };
        }
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        let energy = energy(system, &self.trial_z, &self.trial_w);
        if energy < self.best_energy {
            self.best_energy = energy;
            self.natural = natural;
            self.z.clone_from(&self.trial_z);
            self.w.clone_from(&self.trial_w);
            self.basic.clear();
            self.basic.extend((0..n).map(|j| self.basis.side(j) == Side::Z));
        }
    }
}

/// w of every row, with the friction unknowns of contacts outside the problem completed; the natural residual.
pub(crate) fn evaluate(system: &System, q: &[f64], z: &mut [f64], w: &mut Vec<f64>) -> f64 {
    let n = system.unknowns();
    w.clear();
    w.extend_from_slice(q);
    system.velocities(z, w);
    for i in 0..system.n {
        let base = system.theta(i);
        let rows = base + 1..base + 1 + system.d;
        if system.mu[i] == 0.0 {
            // without friction there is no cone to speak of
            continue;
        }
        if !system.grown[i] {
            // not pressed: λ covers whatever the contact does
            let least = rows.clone().fold(0.0, |m: f64, r| m.min(w[r]));
            z[base + 1 + system.d] = -least;
            w[rows].iter_mut().for_each(|v| *v -= least);
        }
    }
    let largest = crate::kernel::max_abs(&z[..n]);
    let unit = (1e-6 * largest).max(1.0);
    let bounded = system.bounded();
    let worst = (0..n).filter(|&i| system.counts(i)).fold(0.0_f64, |worst, i| {
        let row = if i < bounded { z[i].min(w[i]) } else { w[i] };
        if row.is_nan() { f64::INFINITY } else { worst.max(row.abs()) }
    });
    if largest.is_finite() { worst / unit } else { f64::INFINITY }
}

/// Whether a residual is the rounding of the answer itself.
pub(crate) fn is_crisp(natural: f64, z: &[f64]) -> bool {
    natural <= 1e-14 * crate::kernel::max_abs(z).max(1.0)
}

/// How far single rows are off against |q_i| + Σ |M_ij z_j|, as [`crate::measure`] has it: one scaling for the
/// whole problem may hide a light body behind a heavy one.
fn row_relative(system: &System, q: &[f64], z: &[f64], w: &[f64], scratch: &mut Scratch) -> f64 {
    let n = system.unknowns();
    let Scratch { a: size, column, free: rows, .. } = scratch;
    rows.clear();
    rows.extend(0..n);
    size.clear();
    size.extend(q.iter().map(|q| q.abs()));
    for (j, &zj) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
        system.column_at(j, rows, column);
        size.iter_mut().zip(&*column).for_each(|(s, v)| *s += (v * zj).abs());
    }
    let floor = 1e-5 * crate::kernel::max_abs(z).max(1.0);
    (0..n).filter(|&i| system.counts(i)).fold(0.0, |worst, i| {
        let fine = i < system.bounded() && z[i] <= SOLVED && w[i] >= 0.0;
        if fine { worst } else { f64::max(worst, w[i].abs() / (size[i] + floor)) }
    })
}

/// The energy error of an iterate, in units of the squared size: every row has an inverse mass of about one.
pub(crate) fn energy(system: &System, z: &[f64], w: &[f64]) -> f64 {
    let bounded = system.bounded();
    let row = |i: usize| {
        if i < bounded {
            crate::measure::row_error(z[i], w[i], 0.0, f64::INFINITY, 1.0).energy
        } else {
            0.5 * w[i] * w[i]
        }
    };
    (0..z.len()).filter(|&i| system.counts(i)).map(row).sum()
}
