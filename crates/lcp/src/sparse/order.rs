//! An elimination order with little fill, by approximate minimum degree on a quotient graph.
//!
//! Eliminating an unknown p joins its neighbours to a clique, which is kept as an *element* and never written out:
//!
//! ```text
//!     L_p = (A_p ∪ ⋃_{e ∈ E_p} L_e) \ p                                      the neighbours of p, now an element
//!     d_i ≤ min( d_i + |L_p \ i|,  |A_i| + |L_p \ i| + Σ_{e ∈ E_i \ p} |L_e \ L_p| )         [Amestoy, Davis, Duff 1996]
//! ```
//!
//! Unknowns with the same neighbours are merged and go together; elements inside L_p are absorbed. A matrix that is
//! banded as it stands keeps its own order.
//!
//! | paper | here                    |
//! |-------|-------------------------|
//! | A_i   | `near[i]`               |
//! | E_i   | `elements[i]`           |
//! | L_e   | `members[e]`            |
//! | |i|   | `weight[i]`, 0 once gone |

use super::SparseMatrix;

/// A band this wide is eliminated as it stands: its fill is at most so many numbers a row.
const NARROW: usize = 8;

/// An order for the pattern of A + Aᵀ: the unknowns in the order of elimination.
pub(crate) fn elimination_order(a: &SparseMatrix, transposed: &SparseMatrix) -> Vec<u32> {
    let n = a.n();
    let band = (0..n).flat_map(|j| a.column(j).map(move |(i, _)| i.abs_diff(j))).max().unwrap_or(0);
    if band <= NARROW {
        return (0_u32..).take(n).collect();
    }
    let mut graph = Graph::new(a, transposed);
    let mut order = Vec::with_capacity(n);
    while order.len() < n {
        graph.eliminate(&mut order);
    }
    order
}

const NONE: u32 = u32::MAX;

struct Graph {
    near: Vec<Vec<u32>>,
    elements: Vec<Vec<u32>>,
    members: Vec<Vec<u32>>,
    merged: Vec<Vec<u32>>, // unknowns that go with this one, itself first
    weight: Vec<usize>,
    alive: Vec<bool>, // elements
    left: Vec<usize>, // |L_e \ L_p|, valid where seen
    seen: Vec<u32>,   // by element: the pivot it was last seen at
    mark: Vec<u32>,   // by unknown: the pivot whose L_p holds it
    degree: Vec<usize>,
    head: Vec<u32>, // lists of unknowns by degree
    next: Vec<u32>,
    prev: Vec<u32>,
    least: usize,
    remaining: usize,
    stamp: u32,
}

impl Graph {
    fn new(a: &SparseMatrix, transposed: &SparseMatrix) -> Self {
        let n = a.n();
        let mut near: Vec<Vec<u32>> = Vec::with_capacity(n);
        for j in 0..n {
            let both = a.column(j).chain(transposed.column(j)).map(|(i, _)| i).filter(|&i| i != j);
            let mut list: Vec<u32> = both.filter_map(|i| u32::try_from(i).ok()).collect();
            list.sort_unstable();
            list.dedup();
            near.push(list);
        }
        let degree: Vec<usize> = near.iter().map(Vec::len).collect();
        let mut graph = Self {
            near,
            elements: vec![Vec::new(); n],
            members: vec![Vec::new(); n],
            merged: vec![Vec::new(); n],
            weight: vec![1; n],
            alive: vec![false; n],
            left: vec![0; n],
            seen: vec![NONE; n],
            mark: vec![NONE; n],
            degree,
            head: vec![NONE; n + 1],
            next: vec![NONE; n],
            prev: vec![NONE; n],
            least: 0,
            remaining: n,
            stamp: 0,
        };
        for i in (0..n).rev() {
            graph.link(i);
        }
        graph
    }

    fn link(&mut self, i: usize) {
        let d = self.degree[i];
        let (first, own) = (self.head[d], narrow(i));
        self.next[i] = first;
        self.prev[i] = NONE;
        if first != NONE {
            self.prev[first as usize] = own;
        }
        self.head[d] = own;
        self.least = self.least.min(d);
    }

    fn unlink(&mut self, i: usize) {
        let (next, prev) = (self.next[i], self.prev[i]);
        if next != NONE {
            self.prev[next as usize] = prev;
        }
        if prev == NONE {
            self.head[self.degree[i]] = next;
        } else {
            self.next[prev as usize] = next;
        }
    }

    /// Eliminates the unknown of least degree and all that go with it.
    fn eliminate(&mut self, order: &mut Vec<u32>) {
        while self.head[self.least] == NONE {
            self.least += 1;
        }
        let p = self.head[self.least] as usize;
        self.unlink(p);
        self.stamp += 1;
        let mut list = self.neighbours(p);
        self.remaining -= self.weight[p];
        self.weight[p] = 0;
        self.put(p, order);

        self.measure_elements(&list);
        let size: usize = list.iter().map(|&i| self.weight[i as usize]).sum();
        let mut hashes: Vec<(u64, u32)> = Vec::with_capacity(list.len());
        for &i in &list {
            let outside = self.update(i as usize, p);
            let i = i as usize;
            self.unlink(i);
            if outside == 0 {
                // nothing but this element: it may go at once
                self.remaining -= self.weight[i];
                self.weight[i] = 0;
                self.put(i, order);
                continue;
            }
            let here = size - self.weight[i];
            let bound = (self.degree[i] + here)
                .min(outside + here)
                .min(self.remaining - self.weight[i].min(self.remaining));
            self.degree[i] = bound;
            hashes.push((self.hash(i), narrow(i)));
        }
        self.merge(&mut hashes);
        list.retain(|&i| self.weight[i as usize] > 0);
        for &i in &list {
            self.link(i as usize);
        }
        self.alive[p] = !list.is_empty();
        self.members[p] = list;
    }

    fn put(&mut self, i: usize, order: &mut Vec<u32>) {
        order.push(narrow(i));
        order.append(&mut self.merged[i]);
    }

    /// L_p, marked; the elements of p are absorbed.
    fn neighbours(&mut self, p: usize) -> Vec<u32> {
        self.mark[p] = self.stamp;
        let mut list = Vec::new();
        let mut lists = vec![std::mem::take(&mut self.near[p])];
        for e in std::mem::take(&mut self.elements[p]) {
            if std::mem::replace(&mut self.alive[e as usize], false) {
                lists.push(std::mem::take(&mut self.members[e as usize]));
            }
        }
        for i in lists.into_iter().flatten() {
            let at = i as usize;
            if self.weight[at] > 0 && self.mark[at] != self.stamp {
                self.mark[at] = self.stamp;
                list.push(i);
            }
        }
        list
    }

    /// |L_e \ L_p| of every element beside L_p.
    fn measure_elements(&mut self, list: &[u32]) {
        for &i in list {
            for k in 0..self.elements[i as usize].len() {
                let e = self.elements[i as usize][k] as usize;
                if !self.alive[e] {
                    continue;
                }
                if self.seen[e] != self.stamp {
                    self.seen[e] = self.stamp;
                    self.left[e] = self.members[e].iter().map(|&v| self.weight[v as usize]).sum();
                }
                self.left[e] -= self.weight[i as usize];
            }
        }
    }

    /// Cleans the lists of an unknown beside p; answers what it has outside of L_p.
    fn update(&mut self, i: usize, p: usize) -> usize {
        let mut outside = 0;
        let mut elements = std::mem::take(&mut self.elements[i]);
        elements.retain(|&e| {
            let e = e as usize;
            if self.alive[e] && self.left[e] == 0 {
                self.alive[e] = false;
                self.members[e] = Vec::new();
            }
            if self.alive[e] {
                outside += self.left[e];
            }
            self.alive[e]
        });
        elements.push(narrow(p));
        self.elements[i] = elements;
        let mut near = std::mem::take(&mut self.near[i]);
        near.retain(|&v| {
            let v = v as usize;
            let keep = self.weight[v] > 0 && self.mark[v] != self.stamp;
            if keep {
                outside += self.weight[v];
            }
            keep
        });
        self.near[i] = near;
        outside
    }

    fn hash(&self, i: usize) -> u64 {
        let of = |list: &[u32]| list.iter().fold(0_u64, |s, &v| s.wrapping_add(spread(v)));
        of(&self.near[i]).wrapping_add(of(&self.elements[i]).rotate_left(17))
    }

    /// Merges unknowns of L_p that have the same neighbours.
    fn merge(&mut self, hashes: &mut [(u64, u32)]) {
        hashes.sort_unstable();
        let mut first = 0;
        for k in 1..hashes.len() {
            if hashes[k].0 != hashes[first].0 {
                first = k;
                continue;
            }
            let (i, j) = (hashes[first].1 as usize, hashes[k].1 as usize);
            if !same(&self.near[i], &self.near[j]) || !same(&self.elements[i], &self.elements[j]) {
                continue;
            }
            self.degree[i] = self.degree[i].saturating_sub(self.weight[j]);
            self.weight[i] += std::mem::take(&mut self.weight[j]);
            let tail = std::mem::take(&mut self.merged[j]);
            self.merged[i].push(narrow(j));
            self.merged[i].extend(tail);
            self.near[j] = Vec::new();
            self.elements[j] = Vec::new();
        }
    }
}

fn same(a: &[u32], b: &[u32]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort_unstable();
    b.sort_unstable();
    a == b
}

fn spread(v: u32) -> u64 {
    let x = (u64::from(v) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ (x >> 29)
}

#[expect(clippy::cast_possible_truncation, reason = "a sparse matrix has fewer than 2³² rows")]
fn narrow(i: usize) -> u32 {
    i as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The five-point grid of a square.
    fn grid(side: usize) -> SparseMatrix {
        let mut list = Vec::new();
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            let k = i * side + j;
            list.push((k, k, 4.0));
            for (to, inside) in [(k + 1, j + 1 < side), (k + side, i + 1 < side)] {
                if inside {
                    list.extend([(k, to, -1.0), (to, k, -1.0)]);
                }
            }
        }
        SparseMatrix::from_triplets(side * side, list).unwrap()
    }

    #[test]
    fn every_unknown_goes_once_and_a_grid_fills_little() {
        let a = grid(60);
        let order = elimination_order(&a, &a);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().zip(0..).all(|(&a, b)| a == b) && sorted.len() == 3600);
        let mut ldl = crate::sparse::ldl::Ldl::default();
        let set: Vec<u32> = order;
        assert!(ldl.factor(&a, &set, |_| 0.0));
        // the band order has 60 numbers a row, nested dissection about 16
        let fill = ldl.stored() as f64 / 3600.0;
        println!("fill of a 60 x 60 grid: {fill:.1} numbers a row");
        assert!(fill < 20.0, "{fill}");
    }

    #[test]
    fn a_star_is_eliminated_from_its_points() {
        let n = 50;
        let star = (1..n).flat_map(|i| [(0, i, 1.0), (i, 0, 1.0), (i, i, 2.0)]);
        let a = SparseMatrix::from_triplets(n, star).unwrap();
        let order = elimination_order(&a, &a);
        assert!(order.iter().position(|&i| i == 0).unwrap() >= n - 2);
    }
}
