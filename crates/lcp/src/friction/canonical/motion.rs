//! The motion that the open impulses make, A y, factored; and what it leaves open, the null space of A.
//!
//! ```text
//!     A = R Qᵀ     group by group, then all groups          P = 1 − Q Qᵀ
//! ```
//!
//! Unknowns that act on the same bodies are first reduced to one wrench between them by a small factorisation, so
//! the large one is (six per pair of bodies) × (degrees of freedom).

use std::collections::BTreeMap;

use super::pieces::Piece;
use super::rows::MetricRows;
use super::{KEPT, PAIR_RANK, RANK};
use crate::clock::Clock;
use crate::friction::orthogonal::Orthogonal;
use crate::kernel::max_abs;

/// The unknowns that act on the same coordinates of the motion.
#[derive(Debug, Clone, Default)]
struct Group {
    coords: Vec<usize>,
    unknowns: Vec<usize>,
    effect: Vec<f64>, // by unknown, coords.len() each
    factor: Option<Orthogonal>,
    first: usize, // in the reduced vector
    rows: usize,
}

/// A by groups with its factors, and scratch memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Motion {
    factor: Orthogonal,
    groups: Vec<Group>,
    pub(super) balance: Vec<f64>, // by coordinate of the motion
    reduced: Vec<f64>,
    part: Vec<f64>,
}

impl Motion {
    /// The least of the decisions against the largest.
    pub(super) fn weakest(&self) -> f64 {
        self.factor.weakest()
    }

    /// How many of the unknowns the motion decides.
    pub(super) fn rank(&self) -> usize {
        self.factor.rank()
    }

    /// A by groups, balanced, reduced and factored.
    pub(super) fn build(&mut self, rows: &MetricRows, pieces: &[Piece], clock: &Clock) {
        let mut index: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        self.groups.clear();
        for piece in pieces {
            let columns = &rows.column[piece.row..piece.row + piece.scalars()];
            let mut coords: Vec<usize> = columns.iter().flatten().map(|e| e.0).collect();
            coords.sort_unstable();
            coords.dedup();
            let next = self.groups.len();
            let at = *index.entry(coords).or_insert_with_key(|coords| {
                self.groups.push(Group { coords: coords.clone(), ..Group::default() });
                next
            });
            let group = &mut self.groups[at];
            for t in 0..piece.width {
                group.unknowns.push(piece.first + t);
                let start = group.effect.len();
                group.effect.resize(start + group.coords.len(), 0.0);
                for (c, column) in columns.iter().enumerate() {
                    let f = piece.basis[t][c];
                    if f == 0.0 {
                        continue;
                    }
                    // both are in order
                    let mut place = 0;
                    for &(i, v) in column {
                        while group.coords[place] < i {
                            place += 1;
                        }
                        group.effect[start + place] += f * v;
                    }
                }
            }
        }

        // in the order of their bodies, whatever the order of the contacts: the large matrix has stairs
        self.groups.sort_by(|a, b| a.coords.cmp(&b.coords));

        // every coordinate of the motion counts alike: a heavy body's are small in a light one's units
        self.balance.clear();
        self.balance.resize(rows.dim, 0.0);
        for group in &self.groups {
            for effect in group.effect.chunks_exact(group.coords.len().max(1)) {
                group.coords.iter().zip(effect).for_each(|(&i, v)| self.balance[i] += v * v);
            }
        }
        self.balance.iter_mut().for_each(|b| *b = if *b > 0.0 { 1.0 / b.sqrt() } else { 0.0 });
        let mut first = 0;
        for group in &mut self.groups {
            let (k, c) = (group.unknowns.len(), group.coords.len());
            for effect in group.effect.chunks_exact_mut(c.max(1)) {
                effect.iter_mut().zip(&group.coords).for_each(|(v, &i)| *v *= self.balance[i]);
            }
            group.first = first;
            group.rows = k;
            if k > c {
                let mut factor = Orthogonal::default();
                let a = factor.load(k, c);
                for (u, effect) in group.effect.chunks_exact(c.max(1)).enumerate() {
                    effect.iter().enumerate().for_each(|(j, &v)| a[j * k + u] = v);
                }
                factor.factor(PAIR_RANK, clock);
                group.rows = factor.rank();
                group.factor = Some(factor);
            }
            first += group.rows;
        }
        let m = first;
        let a = self.factor.load(m, rows.dim);
        for group in &self.groups {
            if let Some(factor) = &group.factor {
                for i in 0..group.rows {
                    factor.scatter_row(i, |j, v| a[group.coords[j] * m + group.first + i] = v);
                }
            } else {
                for (u, effect) in group.effect.chunks_exact(group.coords.len().max(1)).enumerate() {
                    for (&i, &v) in group.coords.iter().zip(effect) {
                        a[i * m + group.first + u] = v;
                    }
                }
            }
        }
        self.factor.factor(RANK, clock);
    }

    /// out ← out − A y
    fn subtract(&self, y: &[f64], out: &mut [f64]) {
        for group in &self.groups {
            let c = group.coords.len().max(1);
            for (&u, effect) in group.unknowns.iter().zip(group.effect.chunks_exact(c)) {
                group.coords.iter().zip(effect).for_each(|(&i, v)| out[i] -= v * y[u]);
            }
        }
    }

    /// y ← y + A⁺ (b − A y), where that is more than rounding: A⁺ makes rounding as large as A is near to losing
    /// rank, and contacts 1e-10 m apart are very near.
    pub(super) fn restore(&mut self, b: &[f64], y: &mut [f64]) {
        let mut left = b.to_vec();
        self.subtract(y, &mut left);
        if max_abs(&left) > KEPT * max_abs(b) {
            self.factor.solve(&left, &mut self.reduced);
            self.factor.apply(&mut self.reduced);
            self.expand(1.0, y);
        }
    }

    /// y ← P y: what is left of y in the null space of A.
    pub(super) fn project(&mut self, y: &mut [f64]) {
        self.turn(y);
        self.reduced[self.factor.rank()..].fill(0.0);
        self.factor.apply(&mut self.reduced);
        self.expand(-1.0, y);
    }

    /// out ← Qᵀ y: what the motion decides of y.
    pub(super) fn decided(&mut self, y: &[f64], out: &mut Vec<f64>) {
        self.turn(y);
        out.clear();
        out.extend_from_slice(&self.reduced[..self.factor.rank()]);
    }

    /// y ← Q z
    pub(super) fn compose(&mut self, z: &[f64], y: &mut [f64]) {
        self.reduced.clear();
        self.reduced.extend_from_slice(z);
        self.reduced.resize(self.width(), 0.0);
        self.factor.apply(&mut self.reduced);
        y.fill(0.0);
        self.expand(1.0, y);
    }

    fn width(&self) -> usize {
        self.groups.last().map_or(0, |g| g.first + g.rows)
    }

    /// y in the coordinates of the factors, those that the motion decides first.
    fn turn(&mut self, y: &[f64]) {
        let total = self.width();
        self.reduced.clear();
        self.reduced.resize(total, 0.0);
        for group in &self.groups {
            self.part.clear();
            self.part.extend(group.unknowns.iter().map(|&u| y[u]));
            if self.part.iter().all(|&v| v == 0.0) {
                continue;
            }
            if let Some(factor) = &group.factor {
                factor.apply_transposed(&mut self.part);
            }
            self.reduced[group.first..group.first + group.rows].copy_from_slice(&self.part[..group.rows]);
        }
        self.factor.apply_transposed(&mut self.reduced);
    }

    /// y ← y + f (the reduced vector in the unknowns)
    fn expand(&mut self, f: f64, y: &mut [f64]) {
        for group in &self.groups {
            self.part.clear();
            self.part.extend_from_slice(&self.reduced[group.first..group.first + group.rows]);
            self.part.resize(group.unknowns.len(), 0.0);
            if let Some(factor) = &group.factor {
                factor.apply(&mut self.part);
            }
            group.unknowns.iter().zip(&self.part).for_each(|(&u, v)| y[u] += f * v);
        }
    }
}
