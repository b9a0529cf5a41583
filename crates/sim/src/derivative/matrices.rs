//! The whole Jacobian of a step, row by row of its transpose.
//!
//! ```text
//!     v⁺ = V(q, v, u),     q⁺ = E(q, v, v⁺, v_m)          v_m: what positions follow
//! ```
//! Rows of V are products with the transpose; those of q⁺ are sums of a few of them, for E acts on each joint alone. Bodies
//! that nothing connects have no entries in common, so one product serves a row of each of their parts at once: there are
//! as many products as the largest part has degrees of freedom.

use gudgeon_multibody::Model;

use super::linear::Linearization;
use super::products::{ProductScratch, Worth};

/// A, B of δ(q⁺, v⁺) = A δ(q, v) + B δu, row-major; positions in the tangent space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrices {
    /// 2 n_v × 2 n_v.
    pub a: Vec<f64>,
    /// 2 n_v × n_v: joint forces.
    pub b: Vec<f64>,
    worth: Worth,
    unit: [Vec<f64>; 2],
    moves: [Vec<f64>; 2], // rows of v_m where they are not those of v⁺: n × 2n, n × n
}

/// Degrees of freedom that one another's motion may depend on.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    up: Vec<usize>, // by link, union and find
    dofs: Vec<usize>,
    starts: Vec<usize>, // by part, and one more
    of: Vec<usize>,     // by dof
}

impl Parts {
    fn root(&self, mut k: usize) -> usize {
        while self.up[k] != k {
            k = self.up[k];
        }
        k
    }

    fn join(&mut self, a: usize, b: usize) {
        // the world moves with nobody
        if a != 0 && b != 0 {
            let (a, b) = (self.root(a), self.root(b));
            self.up[a.max(b)] = a.min(b);
        }
    }

    /// Lists the degrees of freedom of every part.
    fn sort(&mut self, model: &Model) {
        let mut dofs = std::mem::take(&mut self.dofs);
        dofs.clear();
        dofs.extend(0..model.n_v());
        dofs.sort_unstable_by_key(|&dof| (self.root(model.dof_link(dof).0), dof));
        self.starts.clear();
        self.of.clear();
        self.of.resize(dofs.len(), 0);
        let mut last = usize::MAX;
        for (at, &dof) in dofs.iter().enumerate() {
            let own = self.root(model.dof_link(dof).0);
            if own != last {
                self.starts.push(at);
                last = own;
            }
            self.of[dof] = self.starts.len() - 1;
        }
        self.starts.push(dofs.len());
        self.dofs = dofs;
    }

    fn part(&self, k: usize) -> &[usize] {
        &self.dofs[self.starts[k]..self.starts[k + 1]]
    }

    fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

/// Dofs above a dof, in the mean: with more, sweeps are cheaper than matrices by branches, whose rows are as long.
const DEEP: usize = 48;

impl Linearization {
    /// Fills `out`; keeps its memory.
    pub fn matrices(&mut self, out: &mut Matrices) {
        let n = self.n_v();
        out.a.clear();
        out.a.resize(4 * n * n, 0.0);
        out.b.clear();
        out.b.resize(2 * n * n, 0.0);
        self.find_parts();
        self.parameters_wanted = false;
        if self.passive.n_entries() < DEEP * n {
            self.by_matrices(true);
        }
        let parts = std::mem::take(&mut self.parts);
        let mut sc = std::mem::take(&mut self.sc);
        if self.has_loops || self.braked {
            self.whole_rows(&mut sc, &parts, out);
        } else {
            self.rows_by_joint(&mut sc, &parts, out);
        }
        self.sc = sc;
        self.parts = parts;
        self.parameters_wanted = true;
        self.by_matrices(false);
    }

    /// Products by matrices over the branches of the tree, for many of them, or by sweeps again.
    fn by_matrices(&mut self, dense: bool) {
        let model = &self.passive;
        self.flight.by_matrices(model, dense);
        for stage in [&mut self.base, &mut self.contact, &mut self.bounce, &mut self.recovery] {
            stage.by_matrices(model, dense);
        }
    }

    /// Gives every row of the transpose with what it is worth in parameters and external forces.
    pub fn rows(&mut self, worth: &mut Worth, mut row: impl FnMut(usize, &Worth)) {
        let n = self.n_v();
        let mut unit = [vec![0.0; n], vec![0.0; n]];
        for k in 0..2 * n {
            unit[k / n][k % n] = 1.0;
            self.vjp(&unit[0], &unit[1], worth);
            unit[k / n][k % n] = 0.0;
            row(k, worth);
        }
    }

    /// Links that are joined, touch, or share a row move together.
    fn find_parts(&mut self) {
        let mut parts = std::mem::take(&mut self.parts);
        let model = &self.model;
        parts.up.clear();
        parts.up.extend(0..model.n_links());
        for (i, link) in model.links().iter().enumerate().skip(1) {
            parts.join(i, link.parent.0);
        }
        for s in &self.sites {
            parts.join(s.links.0, s.links.1);
        }
        for l in model.loops() {
            parts.join(l.a.0, l.b.0);
        }
        for c in model.couplings() {
            let links = c.terms.iter().map(|t| model.dof_link(t.0).0);
            links.clone().zip(links.skip(1)).for_each(|(a, b)| parts.join(a, b));
        }
        for path in 0..self.paths.len() {
            let links = self.paths.row(path).iter().map(|&(dof, _)| model.dof_link(dof).0);
            links.clone().zip(links.skip(1)).for_each(|(a, b)| parts.join(a, b));
        }
        if self.braked {
            // islands of the energy guard may be larger
            (2..model.n_links()).for_each(|k| parts.join(1, k));
        }
        parts.sort(model);
        self.parts = parts;
    }

    /// Two products a degree of freedom: loops and the energy guard mix everything.
    fn whole_rows(&mut self, sc: &mut ProductScratch, parts: &Parts, out: &mut Matrices) {
        let n = self.n_v();
        for unit in &mut out.unit {
            unit.clear();
            unit.resize(n, 0.0);
        }
        for which in 0..2 {
            for pass in 0.. {
                let mut any = false;
                for k in 0..parts.len() {
                    if let Some(&dof) = parts.part(k).get(pass) {
                        out.unit[which][dof] = 1.0;
                        any = true;
                    }
                }
                if !any {
                    break;
                }
                self.begin_vjp(sc, &mut out.worth);
                out.worth.q.copy_from_slice(&out.unit[0]);
                sc.on_next.copy_from_slice(&out.unit[1]);
                self.end_vjp(sc, &mut out.worth);
                self.middle_vjp(sc, &mut out.worth);
                out.unit[which].fill(0.0);
                let Matrices { a, b, worth, .. } = out;
                scatter(parts, pass, n, which * n, worth, a, b);
            }
        }
    }

    /// One product a degree of freedom, or two where overlap is undone or something bounces.
    fn rows_by_joint(&mut self, sc: &mut ProductScratch, parts: &Parts, out: &mut Matrices) {
        let n = self.n_v();
        let apart = self.recovery.active || self.bounce.active;
        let Matrices { a, b, worth, moves, .. } = out;
        if apart {
            for (list, size) in moves.iter_mut().zip([2 * n * n, n * n]) {
                list.clear();
                list.resize(size, 0.0);
            }
        }
        for pass in 0..(0..parts.len()).map(|k| parts.part(k).len()).max().unwrap_or(0) {
            for positions in [false, true] {
                if positions && !apart {
                    continue;
                }
                self.begin_vjp(sc, worth);
                let on = if positions { &mut sc.on_move } else { &mut sc.on_next };
                for k in 0..parts.len() {
                    if let Some(&dof) = parts.part(k).get(pass) {
                        on[dof] = 1.0;
                    }
                }
                self.middle_vjp(sc, worth);
                if positions {
                    let [ma, mb] = moves;
                    scatter(parts, pass, n, 0, worth, ma, mb);
                } else {
                    scatter(parts, pass, n, n, worth, a, b);
                }
            }
        }
        // joints have up to six degrees of freedom, and their positions follow their own velocities alone
        for pass in 0..6 {
            self.begin_vjp(sc, worth);
            let own = |l: &gudgeon_multibody::Link| (l.joint.n_v() > pass).then_some(l.v_start + pass);
            let mut any = false;
            for dof in self.model.links().iter().skip(1).filter_map(own) {
                worth.q[dof] = 1.0;
                any = true;
            }
            if !any {
                break;
            }
            self.end_vjp(sc, worth);
            for link in self.model.links().iter().skip(1) {
                if let Some(dof) = own(link) {
                    let part = parts.part(parts.of[dof]);
                    position_row(n, dof, link.v_range(), part, apart, sc, [a, b], worth, moves);
                }
            }
        }
    }
}

/// A row of q⁺ from those of v⁺ and of what positions follow, of the dofs of the same joint.
#[expect(clippy::too_many_arguments, reason = "where a row is, and what it is made of")]
fn position_row(
    n: usize,
    dof: usize,
    joint: std::ops::Range<usize>,
    part: &[usize],
    apart: bool,
    sc: &ProductScratch,
    [a, b]: [&mut [f64]; 2],
    worth: &Worth,
    moves: &[Vec<f64>; 2],
) {
    let (above, below) = a.split_at_mut(2 * n * n);
    let row = &mut above[2 * n * dof..][..2 * n];
    let (b_above, b_below) = b.split_at_mut(n * n);
    let b_row = &mut b_above[n * dof..][..n];
    for k in joint {
        row[k] += worth.q[k];
        row[n + k] += worth.v[k];
        let sources: [(f64, &[f64], &[f64]); 2] = if apart {
            [(sc.on_next[k], below, b_below), (sc.on_move[k], &moves[0], &moves[1])]
        } else {
            [(sc.on_next[k] + sc.on_move[k], below, b_below), (0.0, &[], &[])]
        };
        for (share, from, b_from) in sources.into_iter().filter(|s| s.0 != 0.0) {
            for &j in part {
                row[j] += share * from[2 * n * k + j];
                row[n + j] += share * from[2 * n * k + n + j];
                b_row[j] += share * b_from[n * k + j];
            }
        }
    }
}

/// Rows of one pass, a part each, into rows `first` + dof.
fn scatter(parts: &Parts, pass: usize, n: usize, first: usize, worth: &Worth, a: &mut [f64], b: &mut [f64]) {
    for k in 0..parts.len() {
        let part = parts.part(k);
        let Some(&dof) = part.get(pass) else { continue };
        let row = &mut a[2 * n * (first + dof)..][..2 * n];
        let b_row = &mut b[n * (first + dof)..][..n];
        for &j in part {
            row[j] = worth.q[j];
            row[n + j] = worth.v[j];
            b_row[j] = worth.control[j];
        }
    }
}
