//! Equations out of the way before the solver sees them: loops and couplings by projection.
//!
//! Every row a = G⁻¹ jᵀ is replaced by its part across the equations' rows E, and the free velocity by the nearest one
//! that obeys them:
//! ```text
//!     a′ = a − Eᵀ (E Eᵀ)⁺ E a,      v_free ← v_free − M̃⁻¹ J_Eᵀ (E Eᵀ)⁺ (J_E v_free)
//! ```
//! What contacts then do to each other, a′·b′, is what they do with the loops held; redundant equations drop out of
//! the rank-revealing factor. The forces of the equations follow from the contacts' at the end.

use gudgeon_multibody::{MassFactor, Model, RankRevealing, Rows, Whitened};

/// The equations of a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    pub(crate) rows: Rows,
    whitened: Whitened,
    rank: RankRevealing,
    t: Vec<f64>,      // by equation
    lambda: Vec<f64>, // by equation
    dense: Vec<f64>,  // nv
    marked: Vec<bool>,
    support: Vec<usize>,
    base: Vec<f64>, // impulses that put the free velocity on the equations
    /// Impulses of the equations over the step, of the answer last held.
    pub(crate) impulses: Vec<f64>,
}

impl Held {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// J_E v, before frozen dofs are taken out of the rows.
    pub(crate) fn measure(&mut self, v: &[f64], velocity: impl Fn(&Rows, usize, &[f64]) -> f64) {
        self.t.clear();
        self.t.extend((0..self.rows.len()).map(|k| -velocity(&self.rows, k, v)));
    }

    /// Factors the equations and puts `v`, as it was measured, on them.
    pub(crate) fn factor(&mut self, model: &Model, factor: &MassFactor, v: &mut [f64]) {
        self.whitened.compute(model, factor, &self.rows);
        self.rank.factor_rows(&self.whitened.rows, model.n_v());
        self.dense.clear();
        self.dense.resize(model.n_v(), 0.0);
        self.marked.clear();
        self.marked.resize(model.n_v(), false);
        self.solve();
        self.base.clone_from(&self.lambda);
        self.impulses.clone_from(&self.base);
        for (k, lambda) in self.lambda.iter().enumerate() {
            self.whitened.rows.add_to(k, *lambda, &mut self.dense);
        }
        factor.solve_gt(model, &mut self.dense);
        for (v, y) in v.iter_mut().zip(&mut self.dense) {
            *v += std::mem::take(y);
        }
    }

    /// λ = (E Eᵀ)⁺ t
    fn solve(&mut self) {
        self.lambda.clear();
        self.lambda.resize(self.t.len(), 0.0);
        self.rank.solve_basic(&self.t, &mut self.lambda);
    }

    /// As `solve`, for callers whose second pass is the refinement.
    fn solve_once(&mut self) {
        self.lambda.clear();
        self.lambda.resize(self.t.len(), 0.0);
        self.rank.solve_once(&self.t, &mut self.lambda);
    }

    /// The parts of `rows` across the equations into `out`.
    pub(crate) fn project(&mut self, rows: &Rows, out: &mut Rows) {
        out.clear();
        for i in 0..rows.len() {
            let (dofs, values) = rows.row(i);
            self.support.clear();
            for (&k, &x) in dofs.iter().zip(values) {
                self.dense[k] = x;
                self.marked[k] = true;
                self.support.push(k);
            }
            // twice: the second pass takes what the rounding of the first left
            for _ in 0..2 {
                self.t.clear();
                self.t.extend((0..self.whitened.rows.len()).map(|k| self.whitened.rows.dot(k, &self.dense)));
                if self.t.iter().all(|&t| t == 0.0) {
                    break;
                }
                self.solve_once();
                for (k, &lambda) in self.lambda.iter().enumerate().filter(|l| *l.1 != 0.0) {
                    for &dof in self.whitened.rows.row(k).0 {
                        if !self.marked[dof] {
                            self.marked[dof] = true;
                            self.support.push(dof);
                        }
                    }
                    self.whitened.rows.add_to(k, -lambda, &mut self.dense);
                }
            }
            self.support.sort_unstable();
            out.push(self.support.iter().map(|&k| (k, std::mem::take(&mut self.dense[k]))));
            for &k in &self.support {
                self.marked[k] = false;
            }
        }
    }

    /// Takes the part along the equations out of y = Σ a λ, and keeps their impulses.
    pub(crate) fn hold(&mut self, y: &mut [f64]) {
        self.impulses.clone_from(&self.base);
        for _ in 0..2 {
            self.t.clear();
            self.t.extend((0..self.whitened.rows.len()).map(|k| self.whitened.rows.dot(k, y)));
            self.solve_once();
            for (k, &lambda) in self.lambda.iter().enumerate() {
                self.whitened.rows.add_to(k, -lambda, y);
                self.impulses[k] -= lambda;
            }
        }
    }
}
