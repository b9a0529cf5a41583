//! Square matrices over the dofs with entries only between a dof and those above it, both ways.
//!
//! ```text
//!     lower(k, j) = D_kj,   upper(k, j) = D_jk      for j = k and every j on the way from k to the root
//! ```
//! The layout is that of [`crate::MassMatrix`], twice: a derivative of joint forces is not symmetric.

use crate::model::Model;

/// A matrix that the branches of a tree allow.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Branches {
    pub(crate) lower: Vec<f64>, // row k at row_start[k], column j at dof_depth[j]
    pub(crate) upper: Vec<f64>, // transposed likewise
}

impl Branches {
    /// All zero, for `model`; keeps its memory.
    pub fn reset(&mut self, model: &Model) {
        for part in [&mut self.lower, &mut self.upper] {
            part.clear();
            part.resize(model.n_entries(), 0.0);
        }
    }

    /// y += scale · D x.
    pub fn multiply_add(&self, model: &Model, scale: f64, x: &[f64], y: &mut [f64]) {
        apply(model, &self.lower, &self.upper, scale, x, y);
    }

    /// y += scale · Dᵀ x.
    pub fn multiply_transposed_add(&self, model: &Model, scale: f64, x: &[f64], y: &mut [f64]) {
        apply(model, &self.upper, &self.lower, scale, x, y);
    }
}

fn apply(model: &Model, lower: &[f64], upper: &[f64], scale: f64, x: &[f64], y: &mut [f64]) {
    for k in 0..model.n_v() {
        let start = model.row_start[k];
        let x_k = scale * x[k];
        let mut sum = lower[start + model.dof_depth[k]] * x_k;
        let mut j = model.dof_parent[k];
        for depth in (0..model.dof_depth[k]).rev() {
            sum += lower[start + depth] * scale * x[j];
            y[j] += upper[start + depth] * x_k;
            j = model.dof_parent[j];
        }
        y[k] += sum;
    }
}
