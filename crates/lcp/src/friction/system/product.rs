//! Products of M̄ with vectors over the unknowns, and its columns and rows in part.

use super::{Form, Kind, Scratch, System};
use crate::basis::Columns;

impl System {
    /// Adds the impulse of one unknown to y.
    #[inline]
    fn push(&self, impulse: &mut [f64], row: usize, f: f64, y: &mut [f64]) {
        match self.form {
            Form::Factored => self.rows.add(row, f, y),
            Form::Delassus => impulse[row] += f,
        }
    }

    /// out += Σ z_c M̄[:, cols_c] over the rows that are present.
    fn product(&self, cols: impl Iterator<Item = (usize, f64)>, all: bool, out: &mut [f64]) {
        let Scratch { y, impulse } = &mut *self.scratch.borrow_mut();
        y.fill(0.0);
        impulse.fill(0.0);
        let unknowns = self.unknowns();
        for (j, f) in cols {
            if f == 0.0 {
                continue;
            }
            match self.kind(j) {
                Kind::Theta(i) => {
                    self.push(impulse, 3 * i, f, y);
                    out[j + 1 + self.d] += self.mu[i] * f;
                }
                Kind::Phi(i, facet) => {
                    let [c, s] = self.dirs[i * self.d + facet];
                    self.push(impulse, 3 * i + 1, c * f, y);
                    self.push(impulse, 3 * i + 2, s * f, y);
                    out[self.theta(i) + 1 + self.d] -= f;
                }
                Kind::Lambda(i) => {
                    let base = self.theta(i) + 1;
                    out[base..base + self.d].iter_mut().for_each(|v| *v += f);
                }
                Kind::Single(k) => {
                    self.push(impulse, 3 * self.n + k, f, y);
                    if (self.unilateral..self.unilateral + self.room.len()).contains(&k) {
                        out[j + 1] -= f;
                    }
                }
                Kind::Cap(_) => out[j - 1] += f,
                Kind::Z0 => {
                    for i in 0..unknowns {
                        out[i] += f * self.cover[i];
                    }
                }
            }
        }
        if self.form == Form::Delassus {
            for (k, &f) in impulse.iter().enumerate() {
                if f != 0.0 {
                    self.columns.add(k, f, y);
                }
            }
        }
        for i in 0..self.n {
            let base = self.theta(i);
            out[base] += self.velocity(3 * i, y);
            if all || (self.grown[i] && self.mu[i] > 0.0) {
                let (u1, u2) = (self.velocity(3 * i + 1, y), self.velocity(3 * i + 2, y));
                let dirs = &self.dirs[i * self.d..(i + 1) * self.d];
                for (v, [c, s]) in out[base + 1..base + 1 + self.d].iter_mut().zip(dirs) {
                    *v += c * u1 + s * u2;
                }
            }
        }
        for k in 0..self.singles() {
            out[self.single(k)] += self.velocity(3 * self.n + k, y);
        }
    }

    /// The friction rows σ, γ of one contact: load + M̄_C z, d + 1 of them.
    pub(crate) fn friction_rows(
        &self,
        i: usize,
        cols: impl Iterator<Item = (usize, f64)>,
        load: &[f64],
        out: &mut [f64],
    ) {
        let Scratch { y, .. } = &mut *self.scratch.borrow_mut();
        y.fill(0.0);
        let base = self.theta(i);
        out.copy_from_slice(&load[base + 1..base + 2 + self.d]);
        for (j, f) in cols.filter(|(_, f)| *f != 0.0) {
            for (k, part) in self.parts(j).into_iter().filter(|p| p.1 != 0.0) {
                self.impel(k, part * f, y);
            }
            for (r, v) in out.iter_mut().enumerate() {
                *v += f * self.structure(base + 1 + r, j);
            }
        }
        let (u1, u2) = (self.velocity(3 * i + 1, y), self.velocity(3 * i + 2, y));
        for (v, [c, s]) in out.iter_mut().zip(&self.dirs[i * self.d..(i + 1) * self.d]) {
            *v += c * u1 + s * u2;
        }
    }

    /// w += M z over all rows, present or not.
    pub(crate) fn velocities(&self, z: &[f64], w: &mut [f64]) {
        self.product(z.iter().copied().enumerate(), true, w);
    }
}

impl Columns for System {
    fn add(&self, cols: &[usize], z: &[f64], out: &mut [f64]) {
        self.product(cols.iter().copied().zip(z.iter().copied()), false, out);
    }

    fn column_at(&self, col: usize, rows: &[usize], out: &mut Vec<f64>) {
        let y = &mut self.scratch.borrow_mut().y;
        y.fill(0.0);
        let parts = self.parts(col);
        for (k, f) in parts.into_iter().filter(|p| p.1 != 0.0) {
            self.impel(k, f, y);
        }
        let acts = parts.iter().any(|p| p.1 != 0.0);
        out.clear();
        out.extend(rows.iter().map(|&i| {
            let mut v = self.structure(i, col);
            if acts {
                for (k, f) in self.parts(i).into_iter().filter(|p| p.1 != 0.0) {
                    v += f * self.velocity(k, y);
                }
            }
            v
        }));
    }

    fn row_at(&self, row: usize, cols: &[usize], out: &mut Vec<f64>) {
        let y = &mut self.scratch.borrow_mut().y;
        y.fill(0.0);
        let parts = self.parts(row);
        for (k, f) in parts.into_iter().filter(|p| p.1 != 0.0) {
            self.rows.add(k, f, y);
        }
        let acts = parts.iter().any(|p| p.1 != 0.0);
        out.clear();
        out.extend(cols.iter().map(|&j| {
            let mut v = self.structure(row, j);
            if acts {
                for (k, f) in self.parts(j).into_iter().filter(|p| p.1 != 0.0) {
                    // in local form y is a combination of rows of W
                    v += f * self.velocity(k, y);
                }
            }
            v
        }));
    }
}
