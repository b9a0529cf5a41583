//! The rows of a problem as blocks over nodes: what the stages for round cones work on.
//!
//! A *block* is what one law binds together: the three rows of a contact with friction, or a row of its own. A *node* is
//! a run of neighbouring degrees of freedom, [`super::nodes`]: a free body is one of six, a tree mostly one. With A_b the rows of block b over its nodes,
//!
//! ```text
//!     g = Σ A_bᵀ x_b          what impulses do, one velocity for all
//!     u_b = A_b g + q_b       the velocities of a block
//! ```
//!
//! Both cost the non-zeros. Vectors over rows are numbered as in [`System`]: three for each contact, then the others; rows
//! of a contact without friction that are no block's stay zero.

use super::system::System;

/// The most that an error counts: a mass ratio of 1e16.
const HEAVIEST: f64 = 1e8;

/// The set of impulses of a block, and so its law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Law {
    /// |x_t| ≤ mu x_n, three rows: Coulomb's law.
    Cone(f64),
    /// x ≥ 0, one row.
    Half,
    /// 0 ≤ x ≤ room, one row.
    Boxed(f64),
    /// Any x: an equation.
    Free,
}

/// One law and where its rows are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    pub(crate) law: Law,
    pub(crate) row: usize,
    parts: (usize, usize), // of `Operator::parts`
}

impl Block {
    /// Its number of rows.
    #[inline]
    pub(crate) fn rows(&self) -> usize {
        if matches!(self.law, Law::Cone(_)) { 3 } else { 1 }
    }
}

/// A run of degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Node {
    pub(crate) first: usize,
    pub(crate) size: usize,
}

/// What a block has on one node: rows × size values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Part {
    pub(crate) node: usize,
    pub(crate) dof: usize,
    pub(crate) size: usize,
    at: usize,
}

/// The blocks, their nodes and values; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Operator {
    pub(crate) blocks: Vec<Block>,
    pub(crate) nodes: Vec<Node>,
    parts: Vec<Part>,
    values: Vec<f64>,
    /// W of each block alone.
    pub(crate) own: Vec<[[f64; 3]; 3]>,
    /// What an error of each block counts.
    pub(crate) weight: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) width: usize,
    pub(super) node_of: Vec<usize>, // by degree of freedom
    pub(super) cut: Vec<bool>,      // by degree of freedom: a node begins here
    renamed: Vec<usize>,            // by node of the problem that this one was taken from
}

impl Operator {
    /// The blocks of a factored system. False for a problem in local form, which has no nodes.
    pub(crate) fn load(&mut self, system: &System) -> bool {
        if !system.is_factored() {
            return false;
        }
        self.width = system.width();
        self.q.clone_from(&system.q);
        self.find_nodes(system);
        self.blocks.clear();
        self.parts.clear();
        self.values.clear();
        self.own.clear();
        for (i, &mu) in system.mu.iter().enumerate() {
            self.push(system, if mu > 0.0 { Law::Cone(mu) } else { Law::Half }, 3 * i);
        }
        for k in 0..system.singles() {
            let law = match system.room_of(k) {
                None => Law::Free,
                Some(f64::INFINITY) => Law::Half,
                Some(room) => Law::Boxed(room),
            };
            self.push(system, law, 3 * system.n + k);
        }
        self.weigh(system);
        true
    }

    /// An error of a contact counts as a part of the largest speed, where that is more than its part of the largest energy:
    /// in units of √J alone the slip of a gram between two tons is nothing. Other rows have units of their own, and count one.
    fn weigh(&mut self, system: &System) {
        let speed = (0..3 * system.n).fold(0.0_f64, |m, k| m.max(system.q[k].abs() / system.scale[k]));
        self.weight.clear();
        self.weight.resize(self.blocks.len(), 1.0);
        if speed > 0.0 {
            for (i, weight) in self.weight[..system.n].iter_mut().enumerate() {
                *weight = (1.0 / (speed * system.scale[3 * i])).clamp(1.0, HEAVIEST);
            }
        }
    }

    /// An error of a block counts by the units in which the verdict holds its rows, where that is more.
    pub(crate) fn weigh_by(&mut self, units: &[f64]) {
        for (block, weight) in self.blocks.iter().zip(&mut self.weight) {
            let least = units[block.row..block.row + block.rows()].iter().copied().fold(1.0, f64::min);
            *weight = weight.max(1.0 / least).min(HEAVIEST);
        }
    }

    fn push(&mut self, system: &System, law: Law, row: usize) {
        let first = self.parts.len();
        let rows = if matches!(law, Law::Cone(_)) { 3 } else { 1 };
        for k in 0..rows {
            for (at, values) in system.runs(row + k) {
                let mut from = 0;
                while from < values.len() {
                    let node = self.node_of[at + from];
                    let Node { first: begin, size } = self.nodes[node];
                    let part = self.part(first, node, rows);
                    let inside = at + from - begin;
                    let count = (size - inside).min(values.len() - from);
                    let start = self.parts[part].at + k * size + inside;
                    self.values[start..start + count].copy_from_slice(&values[from..from + count]);
                    from += count;
                }
            }
        }
        let block = Block { law, row, parts: (first, self.parts.len()) };
        self.blocks.push(block);
        let mut own = [[0.0; 3]; 3];
        for part in &self.parts[first..] {
            for (i, own) in own.iter_mut().enumerate().take(rows) {
                for (j, w) in own.iter_mut().enumerate().take(rows) {
                    *w += self
                        .row_of(part, i)
                        .iter()
                        .zip(self.row_of(part, j))
                        .map(|(a, b)| a * b)
                        .sum::<f64>();
                }
            }
        }
        self.own.push(own);
    }

    /// The place of a node among the parts from `first` on, made if it is new.
    fn part(&mut self, first: usize, node: usize, rows: usize) -> usize {
        if let Some(at) = self.parts[first..].iter().position(|p| p.node == node) {
            return first + at;
        }
        let Node { first: dof, size } = self.nodes[node];
        self.parts.push(Part { node, dof, size, at: self.values.len() });
        self.values.resize(self.values.len() + rows * size, 0.0);
        self.parts.len() - 1
    }

    /// The problem of some blocks of another one, rows and nodes numbered anew, with the motion g of everything else in its
    /// q. Nodes that none of them acts on are left away: a factor costs what is there.
    pub(crate) fn take(&mut self, from: &Self, members: &[usize], g: &[f64]) {
        self.take_nodes(from, members);
        self.blocks.clear();
        self.parts.clear();
        self.values.clear();
        self.own.clear();
        self.q.clear();
        self.weight.clear();
        for &k in members {
            self.weight.push(from.weight[k]);
            let block = &from.blocks[k];
            let (rows, first) = (block.rows(), self.parts.len());
            for part in from.parts(block) {
                let node = self.renamed[part.node];
                self.parts.push(Part { at: self.values.len(), node, dof: self.nodes[node].first, ..*part });
                self.values.extend_from_slice(from.rows_of(part, rows));
            }
            let (u, q) = (from.velocity(block, g), Self::of(block, &from.q));
            self.blocks.push(Block { law: block.law, row: self.q.len(), parts: (first, self.parts.len()) });
            self.q.extend((0..rows).map(|i| u[i] + q[i]));
            self.own.push(from.own[k]);
        }
    }

    /// The nodes that these blocks of another problem act on, in their order.
    fn take_nodes(&mut self, from: &Self, members: &[usize]) {
        self.renamed.clear();
        self.renamed.resize(from.nodes.len(), usize::MAX);
        for &k in members {
            from.parts(&from.blocks[k]).iter().for_each(|part| self.renamed[part.node] = 0);
        }
        self.nodes.clear();
        self.width = 0;
        for (node, renamed) in from.nodes.iter().zip(&mut self.renamed).filter(|(_, r)| **r == 0) {
            *renamed = self.nodes.len();
            self.nodes.push(Node { first: self.width, size: node.size });
            self.width += node.size;
        }
    }

    /// What a block has on its nodes.
    #[inline]
    pub(crate) fn parts(&self, block: &Block) -> &[Part] {
        &self.parts[block.parts.0..block.parts.1]
    }

    /// Row `k` of a block on one of its nodes.
    #[inline]
    pub(crate) fn row_of(&self, part: &Part, k: usize) -> &[f64] {
        &self.values[part.at + k * part.size..part.at + (k + 1) * part.size]
    }

    /// All rows of a block on one of its nodes, one after another.
    #[inline]
    pub(crate) fn rows_of(&self, part: &Part, rows: usize) -> &[f64] {
        &self.values[part.at..part.at + rows * part.size]
    }

    /// g += A_bᵀ x.
    #[inline]
    pub(crate) fn impel(&self, block: &Block, x: [f64; 3], g: &mut [f64]) {
        let rows = block.rows();
        for part in self.parts(block) {
            let values = self.rows_of(part, rows);
            let g = &mut g[part.dof..part.dof + part.size];
            if let (3, Ok(v), Ok(g)) =
                (rows, <&[f64; 18]>::try_from(values), <&mut [f64; 6]>::try_from(&mut *g))
            {
                for j in 0..6 {
                    g[j] += v[j] * x[0] + v[6 + j] * x[1] + v[12 + j] * x[2];
                }
                continue;
            }
            for (row, &x) in values.chunks_exact(part.size).zip(&x) {
                g.iter_mut().zip(row).for_each(|(g, v)| *g += v * x);
            }
        }
    }

    /// A_b g.
    #[inline]
    pub(crate) fn velocity(&self, block: &Block, g: &[f64]) -> [f64; 3] {
        let rows = block.rows();
        let mut u = [0.0; 3];
        for part in self.parts(block) {
            let values = self.rows_of(part, rows);
            let g = &g[part.dof..part.dof + part.size];
            if let (3, Ok(v), Ok(g)) = (rows, <&[f64; 18]>::try_from(values), <&[f64; 6]>::try_from(g)) {
                for (k, u) in u.iter_mut().enumerate() {
                    let v = &v[6 * k..6 * k + 6];
                    *u += ((v[0] * g[0] + v[3] * g[3]) + (v[1] * g[1] + v[4] * g[4]))
                        + (v[2] * g[2] + v[5] * g[5]);
                }
                continue;
            }
            for (u, row) in u.iter_mut().zip(values.chunks_exact(part.size)) {
                *u += row.iter().zip(g).map(|(v, g)| v * g).sum::<f64>();
            }
        }
        u
    }

    /// The rows of a block, of a vector over all rows.
    #[inline]
    pub(crate) fn of(block: &Block, v: &[f64]) -> [f64; 3] {
        if block.rows() == 3 {
            [v[block.row], v[block.row + 1], v[block.row + 2]]
        } else {
            [v[block.row], 0.0, 0.0]
        }
    }

    /// Writes the rows of a block.
    #[inline]
    pub(crate) fn put(block: &Block, from: [f64; 3], v: &mut [f64]) {
        // one by one: a copy of a length that is known when it runs is a call
        if block.rows() == 3 {
            [v[block.row], v[block.row + 1], v[block.row + 2]] = from;
        } else {
            v[block.row] = from[0];
        }
    }

    /// g = Aᵀ x over all blocks.
    pub(crate) fn motion(&self, x: &[f64], g: &mut Vec<f64>) {
        g.clear();
        g.resize(self.width, 0.0);
        for block in &self.blocks {
            let of = Self::of(block, x);
            if of != [0.0; 3] {
                self.impel(block, of, g);
            }
        }
    }

    /// u = W x + q over all rows, and g on the way.
    pub(crate) fn velocities(&self, x: &[f64], g: &mut Vec<f64>, u: &mut Vec<f64>) {
        self.motion(x, g);
        u.clear();
        u.resize(self.q.len(), 0.0);
        for block in &self.blocks {
            let mut of = self.velocity(block, g);
            let q = Self::of(block, &self.q);
            (0..3).for_each(|k| of[k] += q[k]);
            Self::put(block, of, u);
        }
    }
}
