//! The linear system behind every stage, of the size of the degrees of freedom: H = 1 + Σ A_bᵀ D_b A_b.
//!
//! A stage that linearises the laws of its blocks as dx_b = c_b − D_b A_b dg, with D_b of 3 × 3 (not symmetric where
//! De Saxcé's term or a turning slip is in it), has g = Aᵀ x to solve for,
//!
//! ```text
//!     (1 + Aᵀ D A) dg = Aᵀ c
//! ```
//!
//! whatever the number of contacts. H is factorised as L U by blocks of nodes, in the order of [`order`], with pivoting
//! inside a node only: its symmetric part is 1 plus something that is mostly positive. The pattern is that of the blocks
//! that act (D ≠ 0), and is kept as long as it holds all of those. Order, assembly and factor of a thousand bodies take tenths of a
//! second: each of them looks at the clock on its way, and a factor that is not ready in time is none.
//!
//! | symbol | code    | shape                                                      |
//! |--------|---------|------------------------------------------------------------|
//! | H_kk⁻¹ | `pivot` | size_k × size_k                                            |
//! | L_sk   | `lower` | size_s × size_k, already times H_kk⁻¹                       |
//! | U_ks   | `upper` | size_k × size_s                                            |

mod kernel;
mod order;

use std::cmp::Ordering;

use order::Order;

use super::operator::{Node, Operator};
use crate::clock::Clock;
use kernel::{invert, subtract_product, times};

/// Blocks that are assembled, and multiplications of a factorisation, between two looks at the clock: less than a millisecond.
const BLOCKS: usize = 256;
const STRETCH: usize = 1_000_000;

/// Where a product of two parts of a block is added.
#[derive(Debug, Clone, Copy)]
enum Target {
    Diagonal(usize),
    Lower(usize),
    Upper(usize),
}

/// The factor of H and its pattern; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elimination {
    order: Order,
    sizes: Vec<usize>,    // by place
    diagonal: Vec<usize>, // by place: where its block starts
    edge: Vec<usize>,     // by entry of `later`: where its lower and its upper block start
    targets: Vec<Target>, // by block inside and pair of its parts
    pivot: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    scratch: Vec<f64>,
    swaps: Vec<usize>,
    y: Vec<f64>,
    offset: Vec<usize>, // by place: where it is in y
    nodes: Vec<Node>,   // of the pattern
    inside: Vec<bool>,  // by block: in the pattern
    room: [usize; 2],   // nodes and blocks that there is memory for
    /// When to give up.
    pub(crate) clock: Clock,
    /// Factorisations so far.
    pub(crate) count: usize,
    /// Multiplications of the last factorisation.
    pub(crate) work: usize,
}

impl Elimination {
    /// Forgets the pattern of the last problem. A larger one than any before makes room for all of its blocks: a step that has
    /// its answer already factorises nothing, and the next one must not have to ask for memory.
    pub(crate) fn reset(&mut self, operator: &Operator) {
        let size = [operator.nodes.len(), operator.blocks.len()];
        self.inside.clear();
        if size[0] > self.room[0] || size[1] > self.room[1] {
            let room = [0, 1].map(|k| self.room[k].max(size[k] + size[k] / 4));
            self.inside.resize(size[1], true);
            if self.find_pattern(operator, &[]) {
                self.room = room;
            }
            self.y.reserve(operator.width);
            let largest = operator.nodes.iter().map(|node| node.size).max().unwrap_or(0);
            self.scratch.clear();
            self.scratch.reserve(largest * largest.max(3));
            self.swaps.clear();
            self.swaps.reserve(largest);
            self.inside.clear();
        }
        self.inside.resize(operator.blocks.len(), false);
        self.nodes.clear();
        self.count = 0;
    }

    /// Factorises H for these D; blocks whose D is zero do not act. False if it is singular, or time is up.
    pub(crate) fn factor(&mut self, operator: &Operator, d: &[[[f64; 3]; 3]], acts: &[bool]) -> bool {
        let is_new = self.nodes.is_empty() || acts.iter().zip(&self.inside).any(|(a, i)| *a && !*i);
        self.count += 1;
        if is_new && !self.find_pattern(operator, acts) || !self.assemble(operator, d, acts) {
            // half a pattern, or its memory half written, is none
            self.nodes.clear();
            return false;
        }
        self.decompose()
    }

    /// The pattern of the blocks that act and of those inside; false if time was up before.
    fn find_pattern(&mut self, operator: &Operator, acts: &[bool]) -> bool {
        self.nodes.clone_from(&operator.nodes);
        for (inside, acts) in self.inside.iter_mut().zip(acts) {
            *inside |= acts;
        }
        self.order.clear(self.nodes.len());
        for (block, _) in operator.blocks.iter().zip(&self.inside).filter(|(_, inside)| **inside) {
            let parts = operator.parts(block);
            for (k, a) in parts.iter().enumerate() {
                parts[..k].iter().for_each(|b| self.order.join(a.node, b.node));
            }
        }
        if !self.order.run(&self.nodes, &self.clock) {
            return false;
        }
        let (mut end, mut at) = (0, 0);
        self.sizes.clear();
        self.diagonal.clear();
        self.offset.clear();
        for &node in &self.order.sequence {
            let size = self.nodes[node].size;
            self.sizes.push(size);
            self.diagonal.push(end);
            self.offset.push(at);
            end += size * size;
            at += size;
        }
        if !self.clock.zeros(&mut self.pivot, end) {
            return false;
        }
        self.edge.clear();
        let mut end = 0;
        for place in 0..self.sizes.len() {
            for &s in &self.order.later[self.order.start[place]..self.order.start[place + 1]] {
                self.edge.push(end);
                end += self.sizes[place] * self.sizes[s];
            }
        }
        if !self.clock.zeros(&mut self.lower, end) || !self.clock.zeros(&mut self.upper, end) {
            return false;
        }
        self.find_targets(operator);
        true
    }

    /// Where the products of the parts of every block inside go, part by part: found once for a pattern.
    fn find_targets(&mut self, operator: &Operator) {
        self.targets.clear();
        for (block, _) in operator.blocks.iter().zip(&self.inside).filter(|(_, inside)| **inside) {
            let parts = operator.parts(block);
            for a in parts {
                let from = self.order.place[a.node];
                for b in parts {
                    let to = self.order.place[b.node];
                    let early = from.min(to);
                    let start = self.order.start[early];
                    let later = &self.order.later[start..self.order.start[early + 1]];
                    let edge = |late: usize| {
                        let at = later.binary_search(&late).expect("the pattern holds its own blocks");
                        self.edge[start + at]
                    };
                    self.targets.push(match from.cmp(&to) {
                        Ordering::Equal => Target::Diagonal(self.diagonal[to]),
                        Ordering::Greater => Target::Lower(edge(from)),
                        Ordering::Less => Target::Upper(edge(to)),
                    });
                }
            }
        }
    }

    fn assemble(&mut self, operator: &Operator, d: &[[[f64; 3]; 3]], acts: &[bool]) -> bool {
        let Self { pivot, lower, upper, targets, inside, scratch, clock, .. } = self;
        for v in [&mut *pivot, lower, upper] {
            let count = v.len();
            if !clock.zeros(v, count) {
                return false;
            }
        }
        for (&at, &size) in self.diagonal.iter().zip(&self.sizes) {
            (0..size).for_each(|i| pivot[at + i * size + i] = 1.0);
        }
        let mut next = 0;
        for (k, block) in operator.blocks.iter().enumerate().filter(|(k, _)| inside[*k]) {
            let (rows, parts) = (block.rows(), operator.parts(block));
            let own = &targets[next..next + parts.len() * parts.len()];
            next += own.len();
            if k % BLOCKS == 0 && clock.expired() {
                return false;
            }
            if !acts[k] {
                continue;
            }
            // rows that nothing moves have no parts
            for (a, own) in parts.iter().zip(own.chunks_exact(parts.len().max(1))) {
                for (b, target) in parts.iter().zip(own) {
                    let (matrix, at) = match *target {
                        Target::Diagonal(at) => (&mut *pivot, at),
                        Target::Lower(at) => (&mut *lower, at),
                        Target::Upper(at) => (&mut *upper, at),
                    };
                    kernel::add_congruent(
                        &mut matrix[at..at + a.size * b.size],
                        operator.rows_of(a, rows),
                        &d[k],
                        operator.rows_of(b, rows),
                        [rows, a.size, b.size],
                        scratch,
                    );
                }
            }
        }
        true
    }

    fn decompose(&mut self) -> bool {
        let Self { order, sizes, diagonal, edge, pivot, lower, upper, scratch, swaps, work, clock, .. } =
            self;
        *work = 0;
        let mut look = STRETCH;
        for k in 0..sizes.len() {
            let n = sizes[k];
            if !invert(&mut pivot[diagonal[k]..diagonal[k] + n * n], n, swaps) {
                return false;
            }
            let (from, to) = (order.start[k], order.start[k + 1]);
            // L = A_sk H_kk⁻¹
            for p in from..to {
                let (s, at) = (sizes[order.later[p]], edge[p]);
                times(&mut lower[at..at + s * n], &pivot[diagonal[k]..diagonal[k] + n * n], s, n, scratch);
                *work += s * n * n;
            }
            for p in from..to {
                if *work > look {
                    look = *work + STRETCH;
                    if clock.expired() {
                        return false;
                    }
                }
                let s = order.later[p];
                let size = sizes[s];
                let l = edge[p];
                let at = diagonal[s];
                subtract_product(
                    &mut pivot[at..at + size * size],
                    &lower[l..l + size * n],
                    &upper[l..l + n * size],
                    [size, n, size],
                );
                *work += size * n * size;
                // the neighbours of k after s are neighbours of s: walk both lists
                let mut t = order.start[s];
                for r in p + 1..to {
                    while order.later[t] != order.later[r] {
                        t += 1;
                    }
                    let other = sizes[order.later[r]];
                    let (rs, rk) = (edge[t], edge[r]);
                    let (before, after) = lower.split_at_mut(rs);
                    debug_assert!(rk < rs, "blocks are stored in the order of elimination");
                    subtract_product(
                        &mut after[..other * size],
                        &before[rk..rk + other * n],
                        &upper[l..l + n * size],
                        [other, n, size],
                    );
                    let (before, after) = upper.split_at_mut(rs);
                    subtract_product(
                        &mut after[..size * other],
                        &lower[l..l + size * n],
                        &before[rk..rk + n * other],
                        [size, n, other],
                    );
                    *work += 2 * size * n * other;
                }
            }
        }
        true
    }

    /// g ← H⁻¹ g.
    pub(crate) fn solve(&mut self, g: &mut [f64]) {
        let Self { order, sizes, diagonal, edge, pivot, lower, upper, y, offset, nodes, scratch, .. } = self;
        y.clear();
        for &node in &order.sequence {
            let Node { first, size } = nodes[node];
            y.extend_from_slice(&g[first..first + size]);
        }
        for k in 0..sizes.len() {
            let n = sizes[k];
            let (done, rest) = y.split_at_mut(offset[k] + n);
            let own = &done[offset[k]..];
            for p in order.start[k]..order.start[k + 1] {
                let s = order.later[p];
                let at = offset[s] - offset[k] - n;
                let l = &lower[edge[p]..edge[p] + sizes[s] * n];
                kernel::subtract_times_vector(&mut rest[at..at + sizes[s]], l, own);
            }
        }
        for k in (0..sizes.len()).rev() {
            let n = sizes[k];
            let (done, rest) = y.split_at_mut(offset[k] + n);
            let own = &mut done[offset[k]..];
            for p in order.start[k]..order.start[k + 1] {
                let s = order.later[p];
                let at = offset[s] - offset[k] - n;
                let u = &upper[edge[p]..edge[p] + n * sizes[s]];
                kernel::subtract_times_vector(own, u, &rest[at..at + sizes[s]]);
            }
            scratch.clear();
            scratch.extend(own.iter().map(|v| -v));
            own.fill(0.0);
            kernel::subtract_times_vector(own, &pivot[diagonal[k]..diagonal[k] + n * n], scratch);
        }
        for (place, &node) in order.sequence.iter().enumerate() {
            let Node { first, size } = nodes[node];
            g[first..first + size].copy_from_slice(&y[offset[place]..offset[place] + size]);
        }
    }
}

#[cfg(test)]
mod tests;
