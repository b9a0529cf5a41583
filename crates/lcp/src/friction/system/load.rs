//! From a problem to the scaled operator: rows from any of the three forms, bounds, energy units.

use super::{Form, System};
use crate::noise::Asked;
use crate::problem::{FactoredForm, FactoredRow, FrictionProblem, directions};

/// A lower bound this many times as far from zero as the upper one costs four bits of every impulse that is counted from it.
const DISTANT: f64 = 16.0;

/// The scales of rows: their squares are masses, which have all the range that numbers have. In units that stop short of it, velocities
/// of any size are rounding.
const SCALES: (f64, f64) = (1e-150, 1e150);
/// The sizes of q.
const SIZES: (f64, f64) = (1e-290, 1e290);

/// The nearest power of two within a range, by exponent.
fn power_of_two(x: f64, (least, most): (f64, f64)) -> f64 {
    f64::from_bits(x.clamp(least, most).to_bits() & 0x7ff0_0000_0000_0000)
}

/// |v|² in four sums side by side.
fn square(v: &[f64]) -> f64 {
    let (fours, rest) = v.as_chunks::<4>();
    let mut sum = [0.0; 4];
    for four in fours {
        for (sum, v) in sum.iter_mut().zip(four) {
            *sum += v * v;
        }
    }
    let rest: f64 = rest.iter().map(|v| v * v).sum();
    (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest
}

/// No velocity is more than this many times the size of the others: what is open may be far away.
const OPEN: f64 = 1e4;

fn refill(v: &mut Vec<f64>, n: usize, value: f64) {
    v.clear();
    v.resize(n, value);
}

impl System {
    /// The operator of a problem, scaled, in the memory of the last one.
    pub(crate) fn rebuild(&mut self, problem: &FrictionProblem) {
        let (n, d) = (problem.n_contacts(), problem.facets());
        if self.facets.len() != d {
            self.facets = directions(d);
        }
        (self.n, self.d) = (n, d);
        self.dirs.clear();
        for _ in 0..n {
            self.dirs.extend_from_slice(&self.facets);
        }
        self.mu.clear();
        self.mu.extend_from_slice(problem.mu());
        self.grown.clear();
        self.grown.resize(n, true);
        self.rows.clear();
        self.columns.clear();
        self.q.clear();
        self.scale.clear();
        if let Some(local) = problem.as_local() {
            self.load_local(local.w(), local.q());
        } else if let Some(form) = problem.as_factored() {
            self.load_factored(form);
        } else {
            self.load_global(problem);
        }
        self.load_bounds(problem);
        self.finish_scaling();
        let unknowns = self.unknowns();
        refill(&mut self.cover, unknowns, 1.0);
    }

    fn load_local(&mut self, w: &[f64], q: &[f64]) {
        let rows = q.len();
        for j in 0..rows {
            for i in 0..rows {
                if w[j * rows + i] != 0.0 {
                    self.columns.push(i, w[j * rows + i]);
                }
            }
            self.columns.close();
        }
        for i in 0..rows {
            for j in 0..rows {
                if w[j * rows + i] != 0.0 {
                    self.rows.push(j, w[j * rows + i]);
                }
            }
            self.rows.close();
        }
        let diagonal = (0..rows).map(|i| w[i * rows + i]);
        self.scale.extend(diagonal.map(|v| if v > 0.0 { 1.0 / v.sqrt() } else { 0.0 }));
        // a row without a diagonal is scaled by its largest entry
        for i in 0..rows {
            if self.scale[i] == 0.0 {
                let largest = crate::kernel::max_abs(&w[i * rows..(i + 1) * rows]);
                self.scale[i] = if largest > 0.0 { 1.0 / largest.sqrt() } else { 1.0 };
            }
        }
        self.q.extend_from_slice(q);
        self.form = Form::Delassus;
        let scratch = self.scratch.get_mut();
        refill(&mut scratch.y, rows, 0.0);
        refill(&mut scratch.impulse, rows, 0.0);
    }

    fn load_global(&mut self, problem: &FrictionProblem) {
        let global = problem.as_global().expect("the other two forms are loaded elsewhere");
        let (rows, q) = (&mut self.rows, &mut self.q);
        let dof = crate::problem::divide_rows(global, |entries, velocity| {
            for &(dof, v) in entries {
                rows.push(dof, v);
            }
            rows.close();
            q.push(velocity);
        });
        self.finish_factored(dof);
    }

    /// Compliance takes a place of its own, before the first degree of freedom of its row: there it widens no
    /// envelope.
    fn load_factored(&mut self, form: &FactoredForm) {
        let width = form.width();
        if form.is_hard() {
            let mut before: &[usize] = &[];
            for row in form.rows() {
                // the three rows of a contact act on the same places
                if !before.is_empty() && row.index == before {
                    self.rows.push_beside(row.value);
                } else {
                    self.rows.push_row(row.index, row.value);
                }
                before = row.index;
                self.q.push(row.velocity);
            }
            return self.finish_factored(width);
        }
        self.private.clear();
        self.private.resize(width + 1, 0);
        let first = |row: &FactoredRow<'_>| row.index.first().copied().unwrap_or(width);
        let mut soft = 0;
        for row in form.rows().filter(|r| r.compliance > 0.0) {
            self.private[first(&row)] += 1;
            soft += 1;
        }
        // by degree of freedom: the private places before it, to be handed out from the last
        let mut sum = 0;
        for count in &mut self.private {
            sum += *count;
            *count = sum;
        }
        // `private` serves as the shift of a degree of freedom; `factors` counts what was handed out
        refill(&mut self.factors, width + 1, 0.0);
        for row in form.rows() {
            if row.compliance > 0.0 {
                let at = first(&row);
                self.factors[at] += 1.0;
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
                let place = at + self.private[at] - self.factors[at] as usize;
                self.rows.push(place, row.compliance.sqrt());
            }
            for (&i, &v) in row.index.iter().zip(row.value) {
                self.rows.push(i + self.private[i], v);
            }
            self.rows.close();
            self.q.push(row.velocity);
        }
        self.finish_factored(width + soft);
    }

    /// The largest velocity that asks for an impulse. A limit that opens asks for none: a joint that is 0.03 rad from its stop, 15 rad/s in
    /// steps of 2 ms, would hide feet that creep at 1e-8 m/s from everything that is measured in this one scale.
    fn asked(&self) -> f64 {
        let limits = 3 * self.n..3 * self.n + self.unilateral;
        let asks = |(k, q): (usize, &f64)| if limits.contains(&k) && *q > 0.0 { 0.0 } else { q.abs() };
        let asked = self.q.iter().enumerate().map(asks).fold(0.0, f64::max);
        asked.max(crate::kernel::max_abs(&self.q) / OPEN)
    }

    /// Velocities of more than [`crate::noise::FAR`] times what all rows ask for become that: in the scale of a contact that is a light
    /// year away, or of a motor that never gets there, every other would be rounding. What the answer is held against stays
    /// as it is.
    fn bring_near(&mut self) {
        self.bare.clone_from(&self.q);
        let mut asked = Asked::default();
        self.bare.iter().enumerate().for_each(|(k, q)| asked.add(self.asks(k), *q));
        let most = asked.size();
        if most > 0.0 && crate::kernel::max_abs(&self.q) > most {
            self.q.iter_mut().for_each(|q| *q = q.clamp(-most, most));
        }
    }

    fn finish_factored(&mut self, width: usize) {
        for k in 0..self.q.len() {
            let norm = square(&self.rows.value[self.rows.values(k)]);
            self.scale.push(if norm > 0.0 { 1.0 / norm.sqrt() } else { 1.0 });
        }
        self.form = Form::Factored;
        let scratch = self.scratch.get_mut();
        refill(&mut scratch.y, width, 0.0);
        scratch.impulse.clear();
    }

    fn load_bounds(&mut self, problem: &FrictionProblem) {
        self.unilateral = problem.n_unilateral();
        self.free = problem.n_equality();
        refill(&mut self.shift, self.unilateral, 0.0);
        refill(&mut self.turn, self.unilateral, 1.0);
        self.room.clear();
        for k in 0..problem.n_bounded() {
            let ((mut lo, mut hi), mut turn) = (problem.bounds(k), 1.0);
            // impulses are distances from the first bound: one far from zero leaves them no digits
            if -lo > DISTANT * hi.abs() {
                (lo, hi, turn) = (-hi, -lo, -1.0);
            }
            self.room.push(hi - lo);
            self.shift.push(lo);
            self.turn.push(turn);
        }
        self.shift.resize(self.shift.len() + self.free, 0.0);
        self.turn.resize(self.shift.len(), 1.0);
    }

    /// Rounds the scales, applies them to rows, q, mu and bounds.
    fn finish_scaling(&mut self) {
        for i in 0..self.n {
            // one scale for both tangents
            let t = self.scale[3 * i + 1].min(self.scale[3 * i + 2]);
            self.scale[3 * i + 1] = t;
            self.scale[3 * i + 2] = t;
        }
        self.scale.iter_mut().for_each(|s| *s = power_of_two(*s, SCALES));
        let signed = |k: usize, s: &Self| s.scale[k] * if k < 3 * s.n { 1.0 } else { s.turn[k - 3 * s.n] };
        let mut factors = std::mem::take(&mut self.factors);
        factors.clear();
        factors.extend((0..self.scale.len()).map(|k| signed(k, self)));
        match self.form {
            Form::Factored => self.rows.scale_each(&factors),
            Form::Delassus => {
                self.columns.scale(|k, i| factors[k] * factors[i]);
                self.rows.scale(|k, i| factors[k] * factors[i]);
            }
        }
        for (q, f) in self.q.iter_mut().zip(&factors) {
            *q *= f;
        }
        self.factors = factors;
        for (k, s) in self.shift.iter_mut().enumerate() {
            *s /= self.scale[3 * self.n + k];
        }
        for (k, r) in self.room.iter_mut().enumerate() {
            *r /= self.scale[3 * self.n + self.unilateral + k];
        }
        for i in 0..self.n {
            self.mu[i] *= self.scale[3 * i] / self.scale[3 * i + 1];
        }
        self.bring_near();
        let largest = self.asked();
        self.size = if largest > 0.0 { power_of_two(largest, SIZES) } else { 1.0 };
        let inverse = 1.0 / self.size;
        self.q.iter_mut().for_each(|q| *q *= inverse);
        self.shift.iter_mut().for_each(|s| *s *= inverse);
        self.room.iter_mut().for_each(|r| *r *= inverse);
        self.bare.iter_mut().for_each(|q| *q = (*q * inverse).clamp(-f64::MAX, f64::MAX));

        // impulses at the lower bounds move everything
        if self.shift.iter().any(|&s| s != 0.0) {
            let mut y = std::mem::take(&mut self.scratch.get_mut().y);
            if self.form == Form::Factored {
                y.fill(0.0);
                for (k, &s) in self.shift.iter().enumerate() {
                    self.rows.add(3 * self.n + k, s, &mut y);
                }
                for k in 0..self.q.len() {
                    self.q[k] += self.rows.dot(k, &y);
                }
            }
            self.scratch.get_mut().y = y;
        }
    }
}
