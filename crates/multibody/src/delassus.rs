//! The Delassus operator W = J M⁻¹ Jᵀ, and the factor Y = G⁻¹ Jᵀ with W = Yᵀ Y.
//!
//! | way                     | function              | cost for m rows of depth d, n dofs       |
//! |-------------------------|-----------------------|------------------------------------------|
//! | sparse LTL              | [`Whitened`]          | m d² + m² d                              |
//! | unit forces through ABA | [`delassus_by_aba`]   | m n + m² d                               |
//! | IABI by ADA             | [`crate::Iabi::delassus`] | n + handles² + m²                    |
//!
//! The structured friction solver [Lloyd, §5] works with Y itself: its columns live in n_v dimensions however many
//! contacts there are, and each is zero off the paths from the contact's links to the root.

use std::ops::Range;

use crate::ltl::{LANES, MassFactor};
use crate::model::Model;
use crate::rows::Rows;
use crate::workspace::Workspace;
use crate::{apply_inverse, articulate};

/// Rows y_i = G⁻¹ j_i, their supports closed towards the root; keeps its memory.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Whitened {
    /// One row per row of J.
    pub rows: Rows,
    dense: Vec<f64>,          // nv
    lanes: Vec<[f64; LANES]>, // nv, rows side by side
    marked: Vec<bool>,        // nv
    support: Vec<usize>,      // dofs of the row at hand, ascending
}

impl Whitened {
    /// Whitens every row of `j`.
    pub fn compute(&mut self, model: &Model, factor: &MassFactor, j: &Rows) {
        self.rows.clear();
        self.dense.resize(model.n_v(), 0.0);
        self.marked.resize(model.n_v(), false);
        self.lanes.resize(model.n_v(), [0.0; LANES]);
        let mut i = 0;
        while i < j.len() {
            // the rows of the contacts between two links act on the same dofs: side by side
            let dofs = j.row(i).0;
            let end = (i + 1..j.len().min(i + LANES))
                .find(|&k| j.row(k).0 != dofs)
                .unwrap_or(j.len().min(i + LANES));
            if i == 0 || dofs != j.row(i - 1).0 {
                self.find_support(model, dofs);
            }
            // of one path alone: as long as its last dof is deep
            let path = self.support.last().is_some_and(|&k| model.dof_depth[k] + 1 == self.support.len());
            match (end == i + 1, path) {
                (true, true) => self.alone_on_path(model, factor, j.row(i)),
                (true, false) => self.alone(model, factor, j.row(i)),
                (false, true) => self.together_on_path(model, factor, j, i..end),
                (false, false) => self.together(model, factor, j, i..end),
            }
            i = end;
        }
    }

    /// Rows of the same dofs, side by side; their support is found.
    fn together(&mut self, model: &Model, factor: &MassFactor, j: &Rows, range: Range<usize>) {
        for (lane, i) in range.clone().enumerate() {
            let (dofs, values) = j.row(i);
            for (&k, &x) in dofs.iter().zip(values) {
                self.lanes[k][lane] = x;
            }
        }
        factor.solve_g_lanes(model, &self.support, &mut self.lanes);
        for lane in 0..range.len() {
            self.rows.push_on(&self.support, |k| self.lanes[k][lane]);
        }
        for &k in &self.support {
            self.lanes[k] = [0.0; LANES];
        }
    }

    /// The same where the support is a path to the root: places by depth.
    fn together_on_path(&mut self, model: &Model, factor: &MassFactor, j: &Rows, range: Range<usize>) {
        let lanes = &mut self.lanes[..self.support.len()];
        for (lane, i) in range.clone().enumerate() {
            let (dofs, values) = j.row(i);
            for (&k, &x) in dofs.iter().zip(values) {
                lanes[model.dof_depth[k]][lane] = x;
            }
        }
        factor.solve_path_lanes(model, &self.support, lanes);
        for lane in 0..range.len() {
            self.rows.push_values(&self.support, lanes.iter().map(|x| x[lane]));
        }
        lanes.fill([0.0; LANES]);
    }

    /// A row with nothing beside it, a limit or the friction of a joint; its support is found.
    fn alone(&mut self, model: &Model, factor: &MassFactor, (dofs, values): (&[usize], &[f64])) {
        for (&k, &x) in dofs.iter().zip(values) {
            self.dense[k] = x;
        }
        factor.solve_g_one(model, &self.support, &mut self.dense);
        self.rows.push_on(&self.support, |k| self.dense[k]);
        for &k in &self.support {
            self.dense[k] = 0.0;
        }
    }

    /// The same where the support is a path to the root.
    fn alone_on_path(&mut self, model: &Model, factor: &MassFactor, (dofs, values): (&[usize], &[f64])) {
        let dense = &mut self.dense[..self.support.len()];
        for (&k, &x) in dofs.iter().zip(values) {
            dense[model.dof_depth[k]] = x;
        }
        factor.solve_path_one(model, &self.support, dense);
        self.rows.push_values(&self.support, dense.iter().copied());
        dense.fill(0.0);
    }

    /// The dofs of a row and all those above them, ascending.
    fn find_support(&mut self, model: &Model, dofs: &[usize]) {
        self.support.clear();
        if let &[dof] = dofs {
            let mut at = dof;
            while at != usize::MAX {
                self.support.push(at);
                at = model.dof_parent[at];
            }
            self.support.reverse();
            return;
        }
        for &k in dofs.iter().rev() {
            let mut at = k;
            while at != usize::MAX && !self.marked[at] {
                self.marked[at] = true;
                self.support.push(at);
                at = model.dof_parent[at];
            }
        }
        for &k in &self.support {
            self.marked[k] = false;
        }
        self.support.reverse();
        if !self.support.is_sorted() {
            self.support.sort_unstable();
        }
    }

    /// W into `w`, m × m, column-major.
    pub fn delassus(&mut self, w: &mut Vec<f64>) {
        let m = self.rows.len();
        w.clear();
        w.resize(m * m, 0.0);
        for i in 0..m {
            let (dofs, values) = self.rows.row(i);
            for (&k, &x) in dofs.iter().zip(values) {
                self.dense[k] = x;
            }
            for j in 0..=i {
                let x = self.rows.dot(j, &self.dense);
                w[i * m + j] = x;
                w[j * m + i] = x;
            }
            for &k in dofs {
                self.dense[k] = 0.0;
            }
        }
    }
}

/// W by sending each row through the articulated-body algorithm [Yamane §IV-A, after Kokkevis]; m × m,
/// column-major. Wants `kinematics`; overwrites the dynamics scratch of `ws`.
pub fn delassus_by_aba(model: &Model, j: &Rows, ws: &mut Workspace, w: &mut Vec<f64>) {
    let m = j.len();
    w.clear();
    w.resize(m * m, 0.0);
    articulate(model, &[], None, ws);
    let (mut b, mut x) = (vec![0.0; model.n_v()], vec![0.0; model.n_v()]);
    for i in 0..m {
        b.fill(0.0);
        j.add_to(i, 1.0, &mut b);
        apply_inverse(model, &b, &mut x, ws);
        for k in 0..m {
            w[i * m + k] = j.dot(k, &x);
        }
    }
}
