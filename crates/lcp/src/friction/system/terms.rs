//! Sums of absolute values over the scalar rows, and which rows belong together: what a verdict asks of the operator.

use super::{Form, Scratch, System};
use crate::friction::islands::Sets;

impl System {
    /// out_k = Σ_j |W_kj| v_j for v ≥ 0, of the absolute values of the factors where W is a product.
    pub(crate) fn absolute(&self, v: &[f64], out: &mut [f64]) {
        let Scratch { y, .. } = &mut *self.scratch.borrow_mut();
        y.fill(0.0);
        let from = if self.form == Form::Factored { &self.rows } else { &self.columns };
        for (k, &f) in v.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            for &(at, from_value, to) in from.runs_of(k) {
                let value = &from.value[from_value..to];
                let y = &mut y[at..at + value.len()];
                // a free body is a run of six
                if let (Ok(value), Ok(y)) = (<&[f64; 6]>::try_from(value), <&mut [f64; 6]>::try_from(&mut *y))
                {
                    for i in 0..6 {
                        y[i] += f * value[i].abs();
                    }
                } else {
                    y.iter_mut().zip(value).for_each(|(y, v)| *y += f * v.abs());
                }
            }
        }
        if self.form == Form::Delassus {
            out.copy_from_slice(y);
            return;
        }
        for (k, out) in out.iter_mut().enumerate() {
            *out = 0.0;
            for &(at, from_value, to) in self.rows.runs_of(k) {
                let value = &self.rows.value[from_value..to];
                let y = &y[at..at + value.len()];
                *out += if let (Ok(v), Ok(y)) = (<&[f64; 6]>::try_from(value), <&[f64; 6]>::try_from(y)) {
                    (0..6).map(|i| v[i].abs() * y[i]).sum::<f64>()
                } else {
                    value.iter().zip(y).map(|(v, y)| v.abs() * y).sum::<f64>()
                };
            }
        }
    }

    /// out_k = Σ |v_j| over the rows j that move row k: those with W_kj ≠ 0, or at the place of row k, a degree of freedom,
    /// that the most is acted on.
    pub(crate) fn beside(&self, v: &[f64], out: &mut [f64]) {
        let Scratch { y, .. } = &mut *self.scratch.borrow_mut();
        y.fill(0.0);
        let from = if self.form == Form::Factored { &self.rows } else { &self.columns };
        for (k, &f) in v.iter().enumerate().filter(|(_, f)| **f != 0.0) {
            for &(at, from_value, to) in from.runs_of(k) {
                y[at..at + to - from_value].iter_mut().for_each(|y| *y += f.abs());
            }
        }
        if self.form == Form::Delassus {
            out.copy_from_slice(y);
            return;
        }
        for (k, out) in out.iter_mut().enumerate() {
            let places = self.rows.runs_of(k).iter().flat_map(|&(at, from, to)| &y[at..at + to - from]);
            *out = places.copied().fold(0.0, f64::max);
        }
    }

    /// W_kk.
    pub(crate) fn diagonal(&self, k: usize) -> f64 {
        match self.form {
            Form::Factored => self.runs(k).flat_map(|(_, values)| values).map(|v| v * v).sum(),
            Form::Delassus => {
                let run = self.runs(k).find(|(at, values)| (*at..at + values.len()).contains(&k));
                run.map_or(0.0, |(at, values)| values[k - at])
            }
        }
    }

    /// The connected part of every scalar row, as the number of one of its rows; `sets` is scratch. The rows of a
    /// contact belong together.
    pub(crate) fn connected(&self, sets: &mut Sets, part: &mut Vec<usize>) {
        let rows = self.q.len();
        // rows first, then degrees of freedom
        let places = if self.form == Form::Factored { self.width() } else { 0 };
        sets.reset(rows + places);
        for k in 0..rows {
            if k < 3 * self.n && k % 3 > 0 {
                let normal = k - k % 3;
                sets.join(k, normal);
                // the three rows of a contact mostly act on the same
                let places = |k: usize| self.runs(k).map(|(at, values)| (at, values.len()));
                if self.form == Form::Factored && places(k).eq(places(normal)) {
                    continue;
                }
            }
            for (at, values) in self.runs(k) {
                let first = if self.form == Form::Factored { rows + at } else { at };
                (first..first + values.len()).for_each(|other| sets.join(k, other));
            }
        }
        part.clear();
        part.extend((0..rows).map(|k| sets.find(k)));
    }

    /// Impulses on the scalar rows, counted from zero, and their velocities u = W x + q; both scaled. What the lower
    /// bounds are does not enter u.
    pub(crate) fn plain(&self, r: &[f64], x: &mut Vec<f64>, u: &mut Vec<f64>) {
        x.clear();
        x.extend_from_slice(r);
        x[3 * self.n..].iter_mut().zip(&self.shift).for_each(|(x, s)| *x += s);
        self.scalar_product(x, u);
        u.iter_mut().zip(&self.bare).for_each(|(u, q)| *u += q);
    }

    /// No impulse at all, counted from the lower bounds.
    pub(crate) fn nothing(&self, r: &mut Vec<f64>) {
        r.clear();
        r.resize(3 * self.n, 0.0);
        r.extend(self.shift.iter().map(|s| -s));
    }

    /// The velocity that a row asks impulses for: none where a contact or a limit opens, and what its bounds allow where it is a motor.
    pub(crate) fn asks(&self, k: usize) -> f64 {
        let (q, contacts) = (self.bare[k], 3 * self.n);
        let normal =
            k < contacts && k.is_multiple_of(3) || (contacts..contacts + self.unilateral).contains(&k);
        if normal {
            return (-q).max(0.0);
        }
        let Some(&room) = (k >= contacts).then(|| self.room.get(k - contacts - self.unilateral)).flatten()
        else {
            return q.abs();
        };
        let lo = self.shift[k - contacts];
        q.abs().min(self.diagonal(k) * lo.abs().max((lo + room).abs()))
    }

    /// q of the scalar rows, scaled, with all impulses zero.
    pub(crate) fn bare(&self) -> &[f64] {
        &self.bare
    }
}
