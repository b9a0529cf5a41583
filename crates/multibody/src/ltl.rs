//! The factor M = Lᵀ L without fill-in, and its solves on sparse vectors [RBDA §6.5, Tables 6.3-6.5].
//!
//! ```text
//!     for k = n … 1:   L_kk = √M_kk,  L_kj = M_kj / L_kk (j above k),  M_ij -= L_ki L_kj (i, j above k)
//!     G = Lᵀ, so M = G Gᵀ;   G⁻¹ x solves tips to base,   G⁻ᵀ y base to tips
//! ```
//! | book | here                | shape                        |
//! |------|---------------------|------------------------------|
//! | L    | `MassFactor`        | n_v rows, row k: depth k + 1 |
//! | G⁻¹ J ᵀ | `solve_g_lanes`  | support of the row           |
//!
//! Because the rows of a dof and of its ancestors are aligned (see `model`), the update of row i is one axpy on
//! contiguous memory. A Jacobian row touches whole paths to the root, and G⁻¹ keeps it on those paths: that is the
//! sparsity the structured friction solver lives on.
//!
//! Departure: reciprocals of the diagonal are kept beside L, so solves never divide.

use multiversion::multiversion;

use crate::crba::MassMatrix;
use crate::model::Model;

/// M is not positive definite: a dof moves no inertia.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the joint-space inertia is not positive definite at dof {dof}: pivot {pivot}")]
pub struct NotPositiveDefinite {
    /// The dof whose pivot failed.
    pub dof: usize,
    /// The pivot, kg m² or kg.
    pub pivot: f64,
}

/// A pivot below this fraction of its diagonal entry is rounding, not inertia.
const PIVOT_TOLERANCE: f64 = 1e-14;

/// L with M = Lᵀ L.
#[derive(Debug, PartialEq)]
pub struct MassFactor {
    l: Vec<f64>,     // as `MassMatrix::entries`
    d_inv: Vec<f64>, // nv, 1 / L_kk
}

impl Clone for MassFactor {
    fn clone(&self) -> Self {
        Self { l: self.l.clone(), d_inv: self.d_inv.clone() }
    }

    /// Keeps its memory.
    fn clone_from(&mut self, other: &Self) {
        self.l.clone_from(&other.l);
        self.d_inv.clone_from(&other.d_inv);
    }
}

/// Calls `work` with the parts of a row above dof `k` whose dofs follow each other, and where each part begins: a chain
/// is one part, and arithmetic on it is arithmetic on slices.
#[inline]
fn for_runs(model: &Model, k: usize, row: &[f64], mut work: impl FnMut(&[f64], usize)) {
    let (mut end, mut j) = (row.len(), model.dof_parent[k]);
    while end > 0 {
        let run = model.dof_run[j];
        let first = j + 1 - run;
        work(&row[end - run..end], first);
        end -= run;
        j = model.dof_parent[first];
    }
}

/// Four sums side by side, so that the processor need not wait for one.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (wide_a, rest_a) = a.as_chunks::<4>();
    let (wide_b, rest_b) = b.as_chunks::<4>();
    for (x, y) in wide_a.iter().zip(wide_b) {
        for i in 0..4 {
            sums[i] += x[i] * y[i];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// Rows that are solved for side by side: two contacts, and two lanes that make whole vectors of them.
pub(crate) const LANES: usize = 8;

/// Every dof from `i` up loses what the row below it carries.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn take(model: &Model, mut i: usize, row: &[f64], above: &mut [f64]) {
    while i != usize::MAX {
        let d = model.dof_depth[i];
        let l_ki = row[d];
        let target = &mut above[model.row_start[i]..model.row_start[i + 1]];
        for (t, l_kj) in target.iter_mut().zip(&row[..=d]) {
            *t -= l_ki * l_kj;
        }
        i = model.dof_parent[i];
    }
}

/// What one dof loses: a multiple of the row below it.
#[inline]
fn take_one(l_ki: f64, row: &[f64], target: &mut [f64]) {
    target.iter_mut().zip(row).for_each(|(t, l_kj)| *t -= l_ki * l_kj);
}

/// As `take` for two rows, one after the other: the same arithmetic in one pass.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn take_two(model: &Model, mut i: usize, [first, second]: [&[f64]; 2], above: &mut [f64]) {
    while i != usize::MAX {
        let d = model.dof_depth[i];
        let (x, y) = (first[d], second[d]);
        let target = &mut above[model.row_start[i]..model.row_start[i + 1]];
        for ((t, a), b) in target.iter_mut().zip(&first[..=d]).zip(&second[..=d]) {
            *t = (*t - x * a) - y * b;
        }
        i = model.dof_parent[i];
    }
}

#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn solve_g_lanes(factor: &MassFactor, model: &Model, support: &[usize], x: &mut [[f64; LANES]]) {
    for &k in support.iter().rev() {
        let y = x[k].map(|x| x * factor.d_inv[k]);
        x[k] = y;
        // the runs of `for_runs`, written out: a closure would not be compiled for the wider instructions
        let row = &factor.l[model.row_start[k]..model.row_start[k + 1] - 1];
        let (mut end, mut j) = (row.len(), model.dof_parent[k]);
        while end > 0 {
            let run = model.dof_run[j];
            let first = j + 1 - run;
            // two dofs at a time: over single ones the compiler gathers lanes of four dofs instead of taking whole vectors
            let (pairs, odd) = x[first..=j].as_chunks_mut::<2>();
            let (l_pairs, l_odd) = row[end - run..end].as_chunks::<2>();
            for (x, l) in pairs.iter_mut().zip(l_pairs) {
                for half in 0..2 {
                    for lane in 0..LANES {
                        x[half][lane] -= l[half] * y[lane];
                    }
                }
            }
            for (x, l) in odd.iter_mut().zip(l_odd) {
                for lane in 0..LANES {
                    x[lane] -= l * y[lane];
                }
            }
            end -= run;
            j = model.dof_parent[first];
        }
    }
}

/// As `solve_g_lanes` for one vector, the same arithmetic: runs of dofs side by side instead of rows.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn solve_g_one(factor: &MassFactor, model: &Model, support: &[usize], x: &mut [f64]) {
    for &k in support.iter().rev() {
        let y = x[k] * factor.d_inv[k];
        x[k] = y;
        let row = &factor.l[model.row_start[k]..model.row_start[k + 1] - 1];
        let (mut end, mut j) = (row.len(), model.dof_parent[k]);
        while end > 0 {
            let run = model.dof_run[j];
            let first = j + 1 - run;
            for (x, l) in x[first..=j].iter_mut().zip(&row[end - run..end]) {
                *x -= l * y;
            }
            end -= run;
            j = model.dof_parent[first];
        }
    }
}

/// As `solve_g_lanes` on the dofs of one path from the root, `x` by depth: rows of L lie side by side with it.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn solve_path_lanes(factor: &MassFactor, model: &Model, path: &[usize], x: &mut [[f64; LANES]]) {
    for (depth, &k) in path.iter().enumerate().rev() {
        let (above, own) = x.split_at_mut(depth);
        let y = own[0].map(|x| x * factor.d_inv[k]);
        own[0] = y;
        let row = &factor.l[model.row_start[k]..][..depth];
        // two dofs at a time: over single ones the compiler gathers lanes of four dofs instead of taking whole vectors
        let (pairs, odd) = above.as_chunks_mut::<2>();
        let (l_pairs, l_odd) = row.as_chunks::<2>();
        for (x, l) in pairs.iter_mut().zip(l_pairs) {
            for half in 0..2 {
                for lane in 0..LANES {
                    x[half][lane] -= l[half] * y[lane];
                }
            }
        }
        for (x, l) in odd.iter_mut().zip(l_odd) {
            for lane in 0..LANES {
                x[lane] -= l * y[lane];
            }
        }
    }
}

/// As `solve_path_lanes` for one vector.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn solve_path_one(factor: &MassFactor, model: &Model, path: &[usize], x: &mut [f64]) {
    for (depth, &k) in path.iter().enumerate().rev() {
        let (above, own) = x.split_at_mut(depth);
        let y = own[0] * factor.d_inv[k];
        own[0] = y;
        let row = &factor.l[model.row_start[k]..][..depth];
        above.iter_mut().zip(row).for_each(|(x, l)| *x -= l * y);
    }
}

impl MassFactor {
    /// Room for the factor of `model`.
    pub fn new(model: &Model) -> Self {
        Self { l: vec![0.0; model.n_entries()], d_inv: vec![0.0; model.n_v()] }
    }

    /// Factors `mass`. A dof that follows its parent takes it along: both have the same dofs above.
    pub fn factor(&mut self, model: &Model, mass: &MassMatrix) -> Result<(), NotPositiveDefinite> {
        self.l.copy_from_slice(&mass.entries);
        let mut k = model.n_v();
        while k > 0 {
            k -= 1;
            self.finish_row(model, mass, k)?;
            let (start, depth, parent) = (model.row_start[k], model.dof_depth[k], model.dof_parent[k]);
            if parent == usize::MAX {
                continue;
            }
            let (above, row) = self.l.split_at_mut(start);
            if parent + 1 != k {
                take(model, parent, &row[..depth], above);
                continue;
            }
            take_one(row[depth - 1], &row[..depth], &mut above[model.row_start[parent]..]);
            self.finish_row(model, mass, parent)?;
            let (above, rows) = self.l.split_at_mut(model.row_start[parent]);
            let (second, first) = rows.split_at(start - model.row_start[parent]);
            take_two(model, model.dof_parent[parent], [&first[..depth - 1], &second[..depth - 1]], above);
            k = parent;
        }
        Ok(())
    }

    /// The row of a dof that nothing below will change any more.
    fn finish_row(&mut self, model: &Model, mass: &MassMatrix, k: usize) -> Result<(), NotPositiveDefinite> {
        let last = model.row_start[k] + model.dof_depth[k];
        let pivot = self.l[last];
        if !(pivot > PIVOT_TOLERANCE * mass.entries[last] && pivot.is_finite()) {
            return Err(NotPositiveDefinite { dof: k, pivot });
        }
        let root = pivot.sqrt();
        self.d_inv[k] = 1.0 / root;
        self.l[last] = root;
        for x in &mut self.l[model.row_start[k]..last] {
            *x *= self.d_inv[k];
        }
        Ok(())
    }

    /// x ← G⁻¹ x = L⁻ᵀ x, dense.
    pub fn solve_g(&self, model: &Model, x: &mut [f64]) {
        for k in (0..model.n_v()).rev() {
            self.push_up(model, k, x);
        }
    }

    /// x ← G⁻¹ x, several x side by side, when they are zero off the dofs in `support`, which must contain with each dof
    /// all those above it, in ascending order (as every Jacobian row does).
    pub(crate) fn solve_g_lanes(&self, model: &Model, support: &[usize], x: &mut [[f64; LANES]]) {
        solve_g_lanes(self, model, support, x);
    }

    /// As [`Self::solve_g_lanes`] for one x.
    pub(crate) fn solve_g_one(&self, model: &Model, support: &[usize], x: &mut [f64]) {
        solve_g_one(self, model, support, x);
    }

    /// As [`Self::solve_g_lanes`] where the support is the path of one dof to the root, `x` in its order.
    pub(crate) fn solve_path_lanes(&self, model: &Model, path: &[usize], x: &mut [[f64; LANES]]) {
        solve_path_lanes(self, model, path, x);
    }

    /// As [`Self::solve_path_lanes`] for one x.
    pub(crate) fn solve_path_one(&self, model: &Model, path: &[usize], x: &mut [f64]) {
        solve_path_one(self, model, path, x);
    }

    #[inline]
    fn push_up(&self, model: &Model, k: usize, x: &mut [f64]) {
        let y = x[k] * self.d_inv[k];
        x[k] = y;
        if y == 0.0 {
            return;
        }
        let row = &self.l[model.row_start[k]..model.row_start[k + 1] - 1];
        for_runs(model, k, row, |front, at| {
            x[at..at + front.len()].iter_mut().zip(front).for_each(|(x, l_kj)| *x -= l_kj * y);
        });
    }

    /// x ← G⁻ᵀ x = L⁻¹ x, dense.
    pub fn solve_gt(&self, model: &Model, x: &mut [f64]) {
        for k in 0..model.n_v() {
            let row = &self.l[model.row_start[k]..model.row_start[k + 1] - 1];
            let mut sum = x[k];
            for_runs(model, k, row, |front, at| sum -= dot(front, &x[at..at + front.len()]));
            x[k] = sum * self.d_inv[k];
        }
    }

    /// x ← M⁻¹ x.
    pub fn solve(&self, model: &Model, x: &mut [f64]) {
        self.solve_g(model, x);
        self.solve_gt(model, x);
    }

    /// y = Gᵀ x = L x: |y|² is twice the kinetic energy of x.
    pub fn multiply_gt(&self, model: &Model, x: &[f64], y: &mut [f64]) {
        for k in 0..model.n_v() {
            let row = &self.l[model.row_start[k]..model.row_start[k + 1]];
            let mut sum = 0.0;
            let mut j = k;
            for l_kj in row.iter().rev() {
                sum += l_kj * x[j];
                j = model.dof_parent[j];
            }
            y[k] = sum;
        }
    }
}
