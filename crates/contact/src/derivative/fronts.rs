//! M̃ + Σ a_i b_iᵀ / c_i on the graph of links, factored without forming M̃: articulated inertias [RBDA §7.3] for trees that
//! rows join to each other and to the world.
//!
//! ```text
//!     K_ij : force on link i per velocity of link j;   K_ii starts as the body, rows add a bᵀ/c between their two links
//!     V_i = V_p + Σ S_k x_k;   for each dof k of i, the last first:
//!         D = S_kᵀ K_ii S_k + extra,    K_ab −= (K_ai S_k) D⁻¹ (S_kᵀ K_ib)        a, b among i and the links that share rows with it
//!     what is left of i joins its parent's:   K_pp += K_ii,   K_pj += K_ij,   K_jp += K_ji
//! ```
//! A chain on the ground has no links that share rows but with the world: O(n). Among many bodies the link with the fewest
//! neighbours goes first, once all its children are gone.
//!
//! Departure from the book: K is not symmetric (friction pushes along what it does not hold), and links that are not parent and
//! child may be joined.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gudgeon_multibody::{Fields, Model};
use gudgeon_spatial::{Force, Matrix6, Motion, Vector6};

/// A link that goes later and shares rows with the one at hand.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Near {
    link: usize,
    row: Matrix6<f64>,    // K_ij
    column: Matrix6<f64>, // K_ji
}

/// The factor; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Fronts {
    order: Vec<usize>,
    rank: Vec<usize>,              // by link: its place in the order
    near: Vec<Vec<Near>>,          // by link
    own: Vec<Matrix6<f64>>,        // by link: K_ii
    d_inv: Vec<f64>,               // by dof
    start: Vec<usize>,             // by dof: the first of its parts
    parts: Vec<[Vector6<f64>; 2]>, // K_ai S and K_iaᵀ S: of the link itself, then of those near
    adjacent: Vec<Vec<usize>>,     // by link, while the order is found
    waiting: Vec<usize>,           // by link: children to go
    ready: BinaryHeap<Reverse<(usize, usize)>>,
    u: Vec<f64>, // by dof
}

/// Adds to a list that has it once.
fn insert(list: &mut Vec<usize>, x: usize) {
    if !list.contains(&x) {
        list.push(x);
    }
}

impl Fronts {
    /// Forgets the rows, for `model`.
    pub(super) fn begin(&mut self, model: &Model) {
        let n = model.n_links();
        self.adjacent.resize_with(n, Vec::new);
        self.near.resize_with(n, Vec::new);
        self.adjacent.iter_mut().for_each(Vec::clear);
        self.near.iter_mut().for_each(Vec::clear);
        self.own.clear();
        self.own.resize(n, Matrix6::zeros());
        self.d_inv.clear();
        self.d_inv.resize(model.n_v(), 0.0);
        self.start.clear();
        self.start.resize(model.n_v(), 0);
        self.u.clear();
        self.u.resize(model.n_v(), 0.0);
    }

    /// Two links share a row.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        if a != b && a != 0 && b != 0 {
            insert(&mut self.adjacent[a], b);
            insert(&mut self.adjacent[b], a);
        }
    }

    /// Finds the order, and room for what fills in.
    pub(super) fn arrange(&mut self, model: &Model) {
        let links = model.links();
        self.waiting.clear();
        self.waiting.resize(links.len(), 0);
        links.iter().skip(1).for_each(|l| self.waiting[l.parent.0] += 1);
        self.rank.clear();
        self.rank.resize(links.len(), usize::MAX);
        self.order.clear();
        self.ready.clear();
        for i in (1..links.len()).filter(|&i| self.waiting[i] == 0) {
            self.ready.push(Reverse((self.adjacent[i].len(), i)));
        }
        while let Some(Reverse((count, i))) = self.ready.pop() {
            if self.rank[i] != usize::MAX || count != self.adjacent[i].len() {
                continue;
            }
            self.rank[i] = self.order.len();
            self.order.push(i);
            let p = links[i].parent.0;
            let others = std::mem::take(&mut self.adjacent[i]);
            for &j in &others {
                let zero = Matrix6::zeros();
                self.near[i].push(Near { link: j, row: zero, column: zero });
                self.adjacent[j].retain(|&x| x != i);
            }
            for (at, &j) in others.iter().enumerate() {
                self.join(j, p);
                others[at + 1..].iter().for_each(|&k| self.join(j, k));
            }
            for &j in &others {
                if self.waiting[j] == 0 {
                    self.ready.push(Reverse((self.adjacent[j].len(), j)));
                }
            }
            self.adjacent[i] = others;
            self.adjacent[i].clear();
            self.waiting[p] -= 1;
            if p != 0 && self.waiting[p] == 0 {
                self.ready.push(Reverse((self.adjacent[p].len(), p)));
            }
        }
    }

    /// K_jk += m.
    pub(super) fn add(&mut self, j: usize, k: usize, m: &Matrix6<f64>) {
        if j == 0 || k == 0 {
            return;
        }
        if j == k {
            self.own[j] += m;
        } else if self.rank[j] < self.rank[k] {
            if let Some(n) = self.near[j].iter_mut().find(|n| n.link == k) {
                n.row += m;
            }
        } else if let Some(n) = self.near[k].iter_mut().find(|n| n.link == j) {
            n.column += m;
        }
    }

    /// Factors; `extra` is given each dof and D without it. False if a pivot is none.
    pub(super) fn factor(
        &mut self,
        model: &Model,
        fields: &Fields,
        mut extra: impl FnMut(usize, f64) -> f64,
    ) -> bool {
        self.parts.clear();
        let order = std::mem::take(&mut self.order);
        let mut good = true;
        for &i in &order {
            let link = &model.links()[i];
            let mut near = std::mem::take(&mut self.near[i]);
            for dof in link.v_range().rev() {
                let d = self.eliminate(i, &mut near, dof, &fields.s[dof].to_vector(), &mut extra);
                good &= d.is_normal();
            }
            let (p, own) = (link.parent.0, self.own[i]);
            self.add(p, p, &own);
            for n in &near {
                self.add(p, n.link, &n.row);
                self.add(n.link, p, &n.column);
            }
            self.near[i] = near;
        }
        self.order = order;
        good
    }

    fn eliminate(
        &mut self,
        i: usize,
        near: &mut [Near],
        dof: usize,
        s: &Vector6<f64>,
        extra: &mut impl FnMut(usize, f64) -> f64,
    ) -> f64 {
        let first = self.parts.len();
        self.start[dof] = first;
        let (column, row) = (self.own[i] * s, self.own[i].tr_mul(s));
        self.parts.push([column, row]);
        self.parts.extend(near.iter().map(|n| [n.column * s, n.row.tr_mul(s)]));
        let bare = s.dot(&column);
        let d = bare + extra(dof, bare);
        let inv = 1.0 / d;
        self.d_inv[dof] = inv;
        self.own[i] -= column * (row * inv).transpose();
        for (x, n) in near.iter_mut().enumerate() {
            let [c, r] = self.parts[first + 1 + x];
            n.row -= column * (r * inv).transpose();
            n.column -= c * (row * inv).transpose();
        }
        for x in 0..near.len() {
            for y in 0..near.len() {
                let (c, r) = (self.parts[first + 1 + x][0], self.parts[first + 1 + y][1]);
                self.add(near[x].link, near[y].link, &(c * (r * -inv).transpose()));
            }
        }
        d
    }

    /// `x` ← the answer to `tau` on dofs and `forces` on links, which are used up; `out` the velocities of links.
    pub(super) fn solve(
        &mut self,
        model: &Model,
        fields: &Fields,
        transposed: bool,
        (tau, forces): (&[f64], &mut [Force]),
        x: &mut [f64],
        out: &mut Vec<Motion>,
    ) {
        let (column, row) = if transposed { (1, 0) } else { (0, 1) };
        for &i in &self.order {
            let link = &model.links()[i];
            for dof in link.v_range().rev() {
                let u = tau[dof] + fields.s[dof].dot(forces[i]);
                self.u[dof] = u;
                let (parts, share) = (&self.parts[self.start[dof]..], -u * self.d_inv[dof]);
                forces[i] += Force::from_vector(&(parts[0][column] * share));
                for (n, part) in self.near[i].iter().zip(&parts[1..]) {
                    forces[n.link] += Force::from_vector(&(part[column] * share));
                }
            }
            let own = forces[i];
            forces[link.parent.0] += own;
        }
        out.clear();
        out.resize(model.n_links(), Motion::zero());
        for &i in self.order.iter().rev() {
            let link = &model.links()[i];
            let mut v = out[link.parent.0];
            for dof in link.v_range() {
                let parts = &self.parts[self.start[dof]..];
                let mut rest = self.u[dof] - parts[0][row].dot(&v.to_vector());
                for (n, part) in self.near[i].iter().zip(&parts[1..]) {
                    rest -= part[row].dot(&out[n.link].to_vector());
                }
                x[dof] = rest * self.d_inv[dof];
                v += fields.s[dof] * x[dof];
            }
            out[i] = v;
        }
    }
}
