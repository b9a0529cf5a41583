//! Rows of the next order: what a change does to v', by which loads that nothing determines are shared evenly (`Stage::make_even`).
//!
//! v' is a velocity as v is, and what rows measure of it changes with positions as theirs of v does: by the same slopes, without bias.

use gudgeon_contact::LinkChange;
use gudgeon_multibody::Model;
use gudgeon_spatial::Force;

use super::{Changes, Stage};
use crate::derivative::paths::Paths;

impl Stage {
    /// Right-hand sides −δB v', for a change `dq` of the position that `sc.moved` is the field of; none where loads are not even.
    pub(super) fn stress_jvp(&mut self, model: &Model, dq: &[f64], change: Changes<'_>) {
        let rows = self.n_rows();
        let sc = &mut self.sc;
        sc.stress.clear();
        if !self.even {
            return;
        }
        sc.stress.resize(rows, 0.0);
        let fields = &self.dynamics.fields;
        fields.vary(model, &self.v_stress, &sc.moved, &mut sc.varied);
        let links = LinkChange { moved: &sc.moved, varied: &sc.varied };
        for (place, c) in &self.contacts {
            c.stress_jvp(fields, &self.stress, &links, change.shapes.get(*place), &mut sc.stress);
        }
        for (k, row) in self.path_rows.iter().filter(|row| row.holds).enumerate() {
            let turned = change.paths.turned(row.path, dq, &self.v_stress);
            sc.stress[self.first_path_row + k] = -row.sign * turned;
        }
        if self.n_loop_rows > 0 {
            self.loops.velocity_jvp(fields, &self.stress, &sc.varied, &sc.moved, &mut sc.loop_rows);
            self.loops.bend_velocity_jvp(&self.v_stress, dq, &mut sc.loop_rows);
            for (to, x) in sc.stress[self.first_loop_row..].iter_mut().zip(&sc.loop_rows) {
                *to = -x;
            }
        }
    }

    /// The transpose: shares `sc.stress` of the rows to forces on the displacement of links, to `on_q`, and to the shapes.
    pub(super) fn stress_vjp(&mut self, model: &Model, paths: &Paths, on_q: &mut [f64]) {
        let sc = &mut self.sc;
        sc.on_shapes.clear();
        if sc.stress.is_empty() {
            return;
        }
        let fields = &self.dynamics.fields;
        for (_, c) in &self.contacts {
            let (to, varied) = (&mut sc.forces, &mut sc.on_varied);
            sc.on_shapes.push(c.stress_vjp(fields, &self.stress, &sc.stress, to, varied));
        }
        for (k, row) in self.path_rows.iter().filter(|row| row.holds).enumerate() {
            let share = -sc.stress[self.first_path_row + k];
            paths.share_turned(row.path, row.sign * share, &self.v_stress, on_q);
        }
        if self.n_loop_rows > 0 {
            sc.loop_rows.clear();
            sc.loop_rows.extend(sc.stress[self.first_loop_row..].iter().map(|x| -x));
            let (to, varied) = (&mut sc.forces, &mut sc.on_varied);
            self.loops.velocity_vjp(fields, &self.stress, &sc.loop_rows, varied, to);
            self.loops.bend_velocity_vjp(&self.v_stress, &sc.loop_rows, on_q);
        }
        fields.vary_transposed(model, &self.v_stress, &mut sc.on_varied, &mut sc.forces);
        sc.on_varied.fill(Force::zero());
    }
}
