//! The rows of a stage solved: as dense blocks, or on the graph of links where they are many.

use gudgeon_contact::Held;
use gudgeon_multibody::{LinkId, Model, Workspace};

use super::Stage;

impl Stage {
    /// Products of ∂τ/∂q by its matrix, which is made, or by sweeps again.
    pub(crate) fn by_matrices(&mut self, model: &Model, dense: bool) {
        self.dense = dense && self.active;
        if self.dense {
            self.dynamics.make_matrices(model);
        }
    }

    /// Spreads δλ of the last product as evenly as the motion allows; rounds on the graph begin from none, and leave it so.
    pub(crate) fn spread_impulse_changes(&mut self) {
        if !self.by_graph {
            self.implicit.make_least_norm(&mut self.sc.r);
        }
    }

    pub(super) fn n_rows(&self) -> usize {
        if self.by_graph { self.graph.len() } else { self.implicit.len() }
    }

    /// `dv` ← δv_out from δv_in in it, generalised impulses `sc.f` and right-hand sides `sc.r`, which become δλ.
    pub(super) fn solve_jvp(&mut self, model: &Model, dv: &mut [f64]) {
        let sc = &mut self.sc;
        if self.by_graph {
            self.graph.jvp(model, &self.dynamics.fields, &sc.f, &mut sc.r, dv);
        } else {
            self.implicit.jvp_under(model, &self.factor, &mut sc.f, (&mut sc.r, &mut sc.stress), dv);
        }
    }

    /// Writes the normal row of a contact as a sum of the rows that are held, its shares as impulse changes of the last product; answers what
    /// is left of it, of its size, in the metric of the mass matrix.
    pub(crate) fn express(&mut self, model: &Model, ws: &Workspace, h: &Held) -> f64 {
        self.rows.clear();
        self.rows.push_contact(model, ws, LinkId(h.b), LinkId(h.a), &h.point, &[h.normal; 3]);
        let sc = &mut self.sc;
        for list in [&mut sc.f, &mut sc.dense] {
            list.clear();
            list.resize(model.n_v(), 0.0);
        }
        self.rows.add_to(0, 1.0, &mut sc.f);
        self.factor.solve_g(model, &mut sc.f);
        let size: f64 = sc.f.iter().map(|x| x * x).sum();
        sc.f.fill(0.0);
        self.rows.add_to(0, -1.0, &mut sc.f);
        let mut dense = std::mem::take(&mut sc.dense);
        let rows = self.n_rows();
        self.sc.r.clear();
        self.sc.r.resize(rows, 0.0);
        self.sc.stress.clear();
        self.solve_jvp(model, &mut dense);
        let left = (-self.rows.dot(0, &dense) / size).abs();
        self.sc.dense = dense;
        left
    }

    /// Largest δλ of the last product.
    pub(crate) fn largest_impulse_change(&self) -> f64 {
        self.sc.r.iter().fold(0.0, |m, x| m.max(x.abs()))
    }
}
