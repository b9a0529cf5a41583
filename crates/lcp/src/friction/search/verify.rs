//! Whether a basis is an answer, from the rows of the problem; and the measures of any iterate.

use super::{Scratch, Search};
use crate::basis::Columns;
use crate::friction::reduced::{Basic, Load};
use crate::friction::system::System;
use crate::friction::verdict::Shape;
use crate::outcome::SOLVED;
use crate::robust::tree::End;
use crate::tolerances;

impl Search {
    /// Whether the present basis, which has no z₀, is an answer.
    pub(super) fn verify(&mut self, system: &System) -> End {
        if !self.basis.factor(system) {
            return End::Inaccurate;
        }
        self.refresh(system);
        let mut natural = self.measure(system);
        for _ in 0..2 {
            if natural <= tolerances::REFINED * SOLVED || natural > tolerances::BEYOND_REFINING {
                break;
            }
            self.basis.solve(system, Load::Vector(&self.trial_w), &mut self.column);
            for &j in self.basis.active() {
                self.q_now[j] += self.column[j];
            }
            let refined = self.measure(system);
            if refined >= natural {
                break;
            }
            natural = refined;
        }
        if self.natural > SOLVED {
            return End::Inaccurate;
        }
        // a crisp answer is right in every row; another is held, row by row, against the row's own numbers
        let holds = is_crisp(self.natural, &self.z) || self.row_relative(system) <= SOLVED;
        if holds && self.judged(system) <= SOLVED {
            End::Solved
        } else {
            // one scale for all rows hid what is wrong: any other answer is worth keeping
            self.natural = f64::INFINITY;
            End::Inaccurate
        }
    }

    /// How far single rows of the answer are off against all that they add up.
    fn row_relative(&mut self, system: &System) -> f64 {
        row_relative(system, &self.q, &self.z, &self.w, &mut self.scratch)
    }

    /// The natural residual of the answer, each row held against its own numbers ([`crate::friction::verdict`]).
    pub(crate) fn judged(&mut self, system: &System) -> f64 {
        let Self { z, scalars, judge, .. } = self;
        system.scalar_impulses(z, scalars);
        judge.natural(system, scalars, Shape::Facets)
    }

    /// λ of contacts without an impulse covers whatever they do, in what was judged last: a basis may leave it out.
    pub(crate) fn complete(&mut self, system: &System) {
        let Self { z, w, judge, .. } = self;
        for i in (0..system.n).filter(|&i| system.mu[i] > 0.0) {
            let (base, u) = (system.theta(i), &judge.u[3 * i..3 * i + 3]);
            let last = base + 1 + system.d;
            if z[base..last].iter().any(|z| *z != 0.0) {
                continue;
            }
            let along =
                system.dirs[i * system.d..(i + 1) * system.d].iter().map(|[c, s]| c * u[1] + s * u[2]);
            z[last] = -along.clone().fold(0.0, f64::min);
            w[base + 1..last].iter_mut().zip(along).for_each(|(w, along)| *w = along + z[last]);
        }
    }

    /// The basic z, cut to their signs, on trial.
    fn cut_signs(&mut self, system: &System) {
        self.trial_z.clear();
        self.trial_z.resize(system.unknowns(), 0.0);
        for &j in self.basis.active() {
            let z = self.q_now[j];
            self.trial_z[j] = if j < system.bounded() { z.max(0.0) } else { z };
        }
    }

    /// Cuts the basic z to their signs and measures them.
    pub(super) fn measure(&mut self, system: &System) -> f64 {
        self.cut_signs(system);
        self.measure_trial(system)
    }

    /// Completes λ of contacts that are not pressed, computes w from the problem, and keeps the best.
    pub(super) fn measure_trial(&mut self, system: &System) -> f64 {
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        if natural < self.natural {
            self.natural = natural;
            self.z.clone_from(&self.trial_z);
            self.w.clone_from(&self.trial_w);
            self.basic.clear();
            self.basic.extend((0..system.unknowns()).map(|j| self.basis.side(j) == Basic::Z));
        }
        natural
    }

    /// Under a budget: the iterate (without z₀) of least energy error is the answer so far [EnzError (21)].
    pub(super) fn keep_best(&mut self, system: &System) {
        self.cut_signs(system);
        let natural = evaluate(system, &self.q, &mut self.trial_z, &mut self.trial_w);
        let energy = energy(system, &self.trial_z, &self.trial_w);
        if energy < self.best_energy {
            self.best_energy = energy;
            self.natural = natural;
            self.z.clone_from(&self.trial_z);
            self.w.clone_from(&self.trial_w);
            self.basic.clear();
            self.basic.extend((0..system.unknowns()).map(|j| self.basis.side(j) == Basic::Z));
        }
    }
}

/// w of every row, with the friction unknowns of contacts outside the problem completed; the natural residual.
pub(crate) fn evaluate(system: &System, q: &[f64], z: &mut [f64], w: &mut Vec<f64>) -> f64 {
    let n = system.unknowns();
    w.clear();
    w.extend_from_slice(q);
    system.velocities(z, w);
    for i in 0..system.n {
        let base = system.theta(i);
        let rows = base + 1..base + 1 + system.d;
        if system.mu[i] == 0.0 {
            // without friction there is no cone to speak of
            continue;
        }
        if !system.grown[i] {
            // not pressed: λ covers whatever the contact does
            let least = rows.clone().fold(0.0, |m: f64, r| m.min(w[r]));
            z[base + 1 + system.d] = -least;
            w[rows].iter_mut().for_each(|v| *v -= least);
        }
    }
    let largest = crate::kernel::max_abs(&z[..n]);
    let unit = (tolerances::IMPULSE_UNIT * largest).max(1.0);
    let bounded = system.bounded();
    let worst = (0..n).filter(|&i| system.counts(i)).fold(0.0_f64, |worst, i| {
        let row = if i < bounded { z[i].min(w[i]) } else { w[i] };
        if row.is_nan() { f64::INFINITY } else { worst.max(row.abs()) }
    });
    if largest.is_finite() { worst / unit } else { f64::INFINITY }
}

/// Whether a residual is the rounding of the answer itself.
pub(crate) fn is_crisp(natural: f64, z: &[f64]) -> bool {
    natural <= tolerances::CRISP * crate::kernel::max_abs(z).max(1.0)
}

/// How far single rows are off against |q_i| + Σ |M_ij z_j|, as [`crate::measure`] has it: one scaling for the
/// whole problem may hide a light body behind a heavy one.
fn row_relative(system: &System, q: &[f64], z: &[f64], w: &[f64], scratch: &mut Scratch) -> f64 {
    let n = system.unknowns();
    let Scratch { a: size, column, free: rows, .. } = scratch;
    rows.clear();
    rows.extend(0..n);
    size.clear();
    size.extend(q.iter().map(|q| q.abs()));
    for (j, &zj) in z.iter().enumerate().filter(|(_, z)| **z != 0.0) {
        system.column_at(j, rows, column);
        size.iter_mut().zip(&*column).for_each(|(s, v)| *s += (v * zj).abs());
    }
    let floor = tolerances::ROW_FLOOR * crate::kernel::max_abs(z).max(1.0);
    (0..n).filter(|&i| system.counts(i)).fold(0.0, |worst, i| {
        let fine = i < system.bounded() && z[i] <= SOLVED && w[i] >= 0.0;
        if fine { worst } else { f64::max(worst, w[i].abs() / (size[i] + floor)) }
    })
}

/// The energy error of an iterate, in units of the squared size: every row has an inverse mass of about one.
pub(crate) fn energy(system: &System, z: &[f64], w: &[f64]) -> f64 {
    let bounded = system.bounded();
    let row = |i: usize| {
        if i < bounded {
            crate::measure::row_error(z[i], w[i], 0.0, f64::INFINITY, 1.0).energy
        } else {
            0.5 * w[i] * w[i]
        }
    };
    (0..z.len()).filter(|&i| system.counts(i)).map(row).sum()
}
