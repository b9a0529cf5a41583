//! The nodes of [`Operator`]: runs of neighbouring degrees of freedom that are eliminated together.
//!
//! A run that every row has whole or not at all is one: the six of a free body. The links of a tree are as many runs as links
//! have contacts, and the rows of a link have all of its ancestors too: their factor is full, and one matrix of a tree costs less
//! than a block for every pair of links. There nodes of less than six are joined, and rows have zeros for what they do not move.

use super::operator::{Node, Operator};
use super::system::System;

/// The most degrees of freedom of joined nodes. Beyond it zeros cost more than blocks: a tree of a hundred has branches.
const LARGEST: usize = 96;

/// The degrees of freedom of a node that needs no company: kernels know this size when they are compiled.
const SIX: usize = 6;

impl Operator {
    /// Whether some node is acted on by every block, as the trunk of a tree is: nothing can be solved with the rest held.
    pub(super) fn is_one(&self) -> bool {
        let of = |block| self.parts(block).iter().map(|part| part.node);
        let Some((first, rest)) = self.blocks.split_first() else { return true };
        of(first).any(|node| rest.iter().all(|block| of(block).any(|other| other == node)))
    }

    /// Nodes begin and end where the runs of rows do, but for those that would be full of blocks anyway.
    pub(super) fn find_nodes(&mut self, system: &System) {
        self.cut.clear();
        self.cut.resize(self.width + 1, false);
        self.cut[0] = true;
        for k in 0..system.q.len() {
            for (at, values) in system.runs(k) {
                self.cut[at] = true;
                self.cut[at + values.len()] = true;
            }
        }
        if !system.is_loose() {
            self.join_nested(system);
        }
        self.nodes.clear();
        self.node_of.clear();
        for dof in 0..self.width {
            if self.cut[dof] {
                self.nodes.push(Node { first: dof, size: 0 });
            }
            let last = self.nodes.len() - 1;
            self.nodes[last].size += 1;
            self.node_of.push(last);
        }
    }

    /// Joins a node to the one before it where whatever acts on it acts on that one too, as the links of a tree are
    /// joined to their ancestors: the factor of these is full, and one matrix is cheaper than many of three by three.
    fn join_nested(&mut self, system: &System) {
        // by degree of freedom, at cuts: one that every row which acts from here on acts on too, the last before
        let before = &mut self.node_of;
        before.clear();
        before.resize(self.width + 1, usize::MAX);
        for k in 0..system.q.len() {
            let mut last = None;
            for (at, values) in system.runs(k) {
                for dof in (at..at + values.len()).filter(|&dof| self.cut[dof]) {
                    // counted from one: zero is a row that begins here
                    let from = if dof > at { dof } else { last.map_or(0, |last: usize| last + 1) };
                    before[dof] = before[dof].min(from);
                }
                last = Some(at + values.len() - 1);
            }
        }
        let mut first = 0;
        for dof in 1..self.width {
            if !self.cut[dof] {
                continue;
            }
            let end = (dof + 1..=self.width).find(|&end| end == self.width || self.cut[end]).unwrap_or(dof);
            let nested = before[dof] > first && before[dof] != usize::MAX;
            let small = dof - first < SIX || end - dof < SIX;
            if nested && small && end - first <= LARGEST {
                self.cut[dof] = false;
            } else {
                first = dof;
            }
        }
    }
}
