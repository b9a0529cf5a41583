//! `robust` on the friction basis: guided search over Lemke's pivots, with growth.
//!
//! The strategy is that of [`crate::robust`]: ties by a generic perturbation, limited discrepancies, a ladder of
//! bands, verified goals. The basis answers through the factored problem ([`crate::friction::system`]), so a pivot costs the
//! non-zeros of the rows plus the square of the active block. What is added:
//!
//! * *Growth* [Lloyd, §5.3]. The problem starts frictionless; when a contact's θ first enters, its φ, λ, σ, γ
//!   join, and the covering vector is raised so that q′ stays positive [Lloyd, App. D]. A contact that is never
//!   pressed never costs a pivot. At the end its friction unknowns follow from its velocity.
//! * *Warm starts.* From the basis of the step before, one factorisation and one check are the whole solve if the
//!   basis is still right.
//! * *Equations.* Their unknowns are basic from the start; a row that adds nothing to those before it is left
//!   out, and must hold in the end all the same.

mod path;
mod root;
mod step;
mod verify;

pub(crate) use verify::{energy, evaluate, is_crisp};

use std::collections::BinaryHeap;

use crate::friction::reduced::Basis;
use crate::friction::settle::Settle;
use crate::friction::system::System;
use crate::friction::verdict::Judge;
use crate::observer::{Observer, Variable};
use crate::outcome::{Budget, SOLVED, Status};
use crate::robust::tree::{Alternative, End, Meter, Node, Visited};
use crate::tolerances;

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
    /// Impulses of the answer that was judged last, by scalar row.
    pub(crate) scalars: Vec<f64>,
    /// The verdict on answers, from the search or not.
    pub(crate) judge: Judge,
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
            if self.measure_trial(system) == f64::INFINITY {
                // not even that can be measured: still an answer of this problem, not of the last one
                self.z.clone_from(&self.trial_z);
                self.w.clone_from(&self.trial_w);
                self.basic.clear();
                self.basic.resize(n, false);
            }
        }
        (status, Spent { pivots: meter.pivots, nodes: meter.nodes })
    }

    /// Takes no impulses at all as the answer: rows that count from a lower bound are as far above it as zero is. Its residual.
    pub(crate) fn rest(&mut self, system: &System) -> f64 {
        let n = system.unknowns();
        self.q.clear();
        self.q.resize(n, 0.0);
        system.load(&mut self.q);
        self.z.clear();
        self.z.resize(n, 0.0);
        for (row, index) in system.single_rows() {
            self.z[index] = system.scaled_impulse(row, 0.0);
        }
        self.natural = evaluate(system, &self.q, &mut self.z, &mut self.w);
        self.basic.clear();
        self.basic.resize(n, false);
        self.judged(system)
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
        self.natural <= tolerances::TO_SPARE * SOLVED
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
                            bands.zero = (bands.zero * tolerances::NARROWER).max(tolerances::NARROWEST);
                            limit = limit.min(n + 100);
                        }
                    }
                }
            }
        }
        status
    }
}
