//! The order in which nodes are eliminated: minimum degree.
//!
//! At each step the node that touches the fewest degrees of freedom goes, and those it touches touch each other from then
//! on. The graph is one row of bits for each node: a pile of a thousand bodies is a megabit, and the union of two
//! neighbourhoods a few words. Ties go to the node with the smaller number, so that the order is a function of the graph.
//! The next node comes from a heap that keeps outdated degrees until they turn up: n log n, where a look at every node that is
//! left takes a thousand bodies whose rows have gaps, six thousand nodes of one degree of freedom, a quarter of a second.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::clock::Clock;
use crate::friction::operator::Node;

/// The graph, the order found, and the fill that it makes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Order {
    /// Nodes in the order of their elimination.
    pub(crate) sequence: Vec<usize>,
    /// By node: its place in that order.
    pub(crate) place: Vec<usize>,
    /// By place: where its later neighbours start in `later`; one more at the end.
    pub(crate) start: Vec<usize>,
    /// Places of the neighbours that are eliminated later, ascending for each.
    pub(crate) later: Vec<usize>,
    bits: Vec<u64>,
    words: usize,
    degree: Vec<usize>, // degrees of freedom of the neighbours that are left
    next: BinaryHeap<Reverse<(usize, usize)>>, // degree and node, outdated ones too
    row: Vec<u64>,
}

impl Order {
    /// A graph of nodes without edges.
    pub(crate) fn clear(&mut self, nodes: usize) {
        self.words = nodes.div_ceil(64);
        self.bits.clear();
        self.bits.resize(nodes * self.words, 0);
    }

    /// Two nodes touch each other.
    #[inline]
    pub(crate) fn join(&mut self, a: usize, b: usize) {
        if a != b {
            self.bits[a * self.words + b / 64] |= 1 << (b % 64);
            self.bits[b * self.words + a / 64] |= 1 << (a % 64);
        }
    }

    /// Finds the order; false if time was up before.
    pub(crate) fn run(&mut self, nodes: &[Node], clock: &Clock) -> bool {
        let (n, words) = (nodes.len(), self.words);
        self.sequence.clear();
        self.start.clear();
        self.start.push(0);
        self.later.clear();
        self.place.clear();
        self.place.resize(n, 0);
        self.degree.clear();
        for node in 0..n {
            let degree = sum(&self.bits[node * words..(node + 1) * words], nodes);
            self.degree.push(degree);
        }
        self.next.clear();
        self.next.extend(self.degree.iter().enumerate().map(|(node, &degree)| Reverse((degree, node))));
        let mut step = 0;
        while let Some(Reverse((degree, node))) = self.next.pop() {
            if self.degree[node] != degree {
                continue;
            }
            if clock.expired() {
                return false;
            }
            self.degree[node] = usize::MAX;
            self.place[node] = step;
            self.sequence.push(node);
            self.row.clear();
            self.row.extend_from_slice(&self.bits[node * words..(node + 1) * words]);
            let from = self.later.len();
            self.later.extend(ones(&self.row));
            for at in from..self.later.len() {
                let other = self.later[at];
                let row = &mut self.bits[other * words..(other + 1) * words];
                row.iter_mut().zip(&self.row).for_each(|(a, b)| *a |= b);
                row[node / 64] &= !(1 << (node % 64));
                row[other / 64] &= !(1 << (other % 64));
                let degree = sum(row, nodes);
                if degree != self.degree[other] {
                    self.degree[other] = degree;
                    self.next.push(Reverse((degree, other)));
                }
            }
            self.start.push(self.later.len());
            step += 1;
        }
        for step in 0..n {
            let later = &mut self.later[self.start[step]..self.start[step + 1]];
            for node in &mut *later {
                *node = self.place[*node];
            }
            later.sort_unstable();
        }
        true
    }
}

fn sum(row: &[u64], nodes: &[Node]) -> usize {
    ones(row).map(|node| nodes[node].size).sum()
}

/// The places of the bits that are set.
fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(word, &bits)| {
        std::iter::successors((bits != 0).then_some(bits), |bits| {
            let rest = bits & (bits - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |bits| 64 * word + bits.trailing_zeros() as usize)
    })
}
