//! The way back: x and w of the boxed problem from z, refined on the data of the boxed problem.

use super::{Class, MlcpLcp};
use crate::measure::natural_of_mlcp;
use crate::outcome::{MlcpSolution, SOLVED, Solution};
use crate::problem::Mlcp;
use crate::robust::Judge;
use crate::tolerances;
use crate::verdict::Verdict;

impl MlcpLcp {
    /// x and w of the boxed problem from a solution of the standard one; w comes from the original data.
    pub fn recover(&self, mlcp: &Mlcp, solution: &Solution, boxed: &mut MlcpSolution) {
        self.recover_from(mlcp, &solution.z, boxed);
    }

    /// The same from z alone.
    fn recover_from(&self, mlcp: &Mlcp, z_all: &[f64], boxed: &mut MlcpSolution) {
        let z = |u: usize| z_all.get(u).copied().unwrap_or(0.0);
        let (k, nz) = (self.free.len(), self.unknowns - 2 * self.split.len());
        let width = k + nz + 1 + k;
        let x = &mut boxed.x;
        x.clear();
        x.extend_from_slice(&self.offset);
        for &(i, unknown, f) in &self.span {
            x[i] += f * z(unknown);
        }
        for &(plus, minus, c) in &self.split {
            x[self.free[c]] = z(plus) - z(minus);
        }
        let kept = z_all.get(self.unknowns..).unwrap_or(&[]);
        for (t, (&r, &c)) in self.pivot_row.iter().zip(&self.pivot_col).enumerate() {
            // a method that kept the free unknowns knows them
            if let Some(&value) = kept.get(t) {
                x[self.free[c]] = value;
                continue;
            }
            let row = &self.elim[r * width..(r + 1) * width];
            let mut value = -row[k + nz];
            for unknown in 0..nz {
                value -= row[k + unknown] * z(unknown);
            }
            for &(plus, minus, sc) in &self.split {
                value -= row[sc] * (z(plus) - z(minus));
            }
            x[self.free[c]] = value;
        }
        for &(t, normal, f) in &self.coupled {
            x[t] += f * x[normal];
        }

        // back to the caller's units; an impulse at a bound is there to the bit
        let d = self.scaling.d();
        x.iter_mut().zip(d).for_each(|(x, d)| *x *= d);
        for i in 0..mlcp.n() {
            let (lo, hi) = mlcp.bounds_at(i, x);
            x[i] = match self.class[i] {
                Class::Boxed { s, .. }
                    if z(s) > 0.0 && (hi - x[i]).abs() <= tolerances::AT_BOUND * (hi - lo) =>
                {
                    hi
                }
                Class::Friction { cone, .. }
                    if z(cone) > 0.0 && (hi - x[i]).abs() <= tolerances::AT_BOUND * (hi - lo) =>
                {
                    hi
                }
                Class::Friction { cone, .. }
                    if z(cone) > 0.0 && (x[i] - lo).abs() <= tolerances::AT_BOUND * (hi - lo) =>
                {
                    lo
                }
                _ => within(x[i], lo, hi),
            };
        }
        mlcp.slack(x, &mut boxed.w);

        // what is left in the equations moves the free unknowns: one step of refinement
        if !self.free.is_empty() {
            for (&r, &c) in self.pivot_row.iter().zip(&self.pivot_col) {
                let inverse = &self.elim[r * width + k + nz + 1..(r + 1) * width];
                let step: f64 = inverse.iter().zip(&self.free).map(|(v, &i)| v * boxed.w[i] * d[i]).sum();
                boxed.x[self.free[c]] -= step * d[self.free[c]];
            }
            // a free normal that moved moves the bounds of its friction
            for i in (0..mlcp.n()).filter(|&i| mlcp.findex()[i].is_some()) {
                let (lo, hi) = mlcp.bounds_at(i, &boxed.x);
                boxed.x[i] = within(boxed.x[i], lo, hi);
            }
            mlcp.slack(&boxed.x, &mut boxed.w);
        }
    }

    /// One step of refinement on x itself. Where x = lo·x_f + z is a small difference of large numbers, z has
    /// not the digits that x needs; the residual of x has. `correct` answers the change of z that takes
    /// away a residual in the rows of the standard problem.
    fn refine(
        &self,
        mlcp: &Mlcp,
        z: &mut [f64],
        boxed: &mut MlcpSolution,
        correct: &mut dyn FnMut(&[f64], &mut Vec<f64>),
    ) {
        let d = self.scaling.d();
        let mut rows = vec![0.0; z.len()];
        for i in 0..mlcp.n() {
            let (w, x) = (boxed.w[i] * d[i], boxed.x[i] / d[i]);
            let (lo, hi) = mlcp.bounds_at(i, &boxed.x);
            match self.class[i] {
                Class::Lower { z } => rows[z] = w,
                Class::Upper { z } => rows[z] = -w,
                Class::Boxed { z: u, s } => {
                    rows[u] = w + z[s];
                    rows[s] = if boxed.x[i] == lo { (hi - lo) / d[i] } else { hi / d[i] - x };
                }
                Class::Friction { plus, minus, cone, .. } => {
                    rows[plus] = w + z[cone];
                    rows[minus] = -w + z[cone];
                    // a cone that is not full has no row to correct; a full one is kept full by the bounds
                    rows[cone] = 0.0;
                }
                Class::Fixed | Class::Free => {}
            }
        }
        for (t, &r) in self.pivot_row.iter().enumerate() {
            if let Some(row) = rows.get_mut(self.unknowns + t) {
                *row = boxed.w[self.free[r]] * d[self.free[r]];
            }
        }
        let mut dz = Vec::new();
        correct(&rows, &mut dz);
        let mut dx = vec![0.0; mlcp.n()];
        for &(i, unknown, f) in &self.span {
            dx[i] += f * dz[unknown];
        }
        for (t, &c) in self.pivot_col.iter().enumerate() {
            dx[self.free[c]] += dz.get(self.unknowns + t).copied().unwrap_or(0.0);
        }
        for &(t, normal, f) in &self.coupled {
            dx[t] += f * dx[normal];
        }
        z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
        boxed.x.iter_mut().zip(dx.iter().zip(d)).for_each(|(x, (dx, d))| *x += dx * d);
        // normals first: the bounds of friction follow them
        for friction in [false, true] {
            for i in (0..mlcp.n()).filter(|&i| mlcp.findex()[i].is_some() == friction) {
                let (lo, hi) = mlcp.bounds_at(i, &boxed.x);
                let upper = matches!(self.class[i], Class::Boxed { s, .. } if z[s] > 0.0);
                boxed.x[i] = if upper { hi } else { within(boxed.x[i], lo, hi) };
            }
        }
        mlcp.slack(&boxed.x, &mut boxed.w);
    }
}

/// x cut to its bounds; bounds that follow an impulse are numbers only if that is one.
fn within(x: f64, lo: f64, hi: f64) -> f64 {
    if lo <= hi { x.clamp(lo, hi) } else { x }
}

/// Decides on a z of the standard problem by the x that it means, and keeps the best.
pub(crate) struct BoxedJudge<'a> {
    mlcp: &'a Mlcp,
    lowered: &'a MlcpLcp,
    best: &'a mut MlcpSolution,
    natural: f64,
    trial: MlcpSolution,
    z: Vec<f64>,
    verdict: Verdict,
}

impl<'a> BoxedJudge<'a> {
    /// Nothing seen yet; the best will be kept in `best`.
    pub(crate) fn new(mlcp: &'a Mlcp, lowered: &'a MlcpLcp, best: &'a mut MlcpSolution) -> Self {
        Self {
            mlcp,
            lowered,
            best,
            natural: f64::INFINITY,
            trial: MlcpSolution::default(),
            z: Vec::new(),
            verdict: Verdict::default(),
        }
    }

    /// Makes sure that `best` is an answer: that of z, unless a better one was seen.
    pub(crate) fn settle(&mut self, z: &[f64]) {
        self.lowered.recover_from(self.mlcp, z, &mut self.trial);
        self.keep_better();
        if self.natural == f64::INFINITY {
            std::mem::swap(self.best, &mut self.trial);
        }
    }

    fn keep_better(&mut self) -> f64 {
        let natural = natural_of_mlcp(self.mlcp, &self.trial.x, &self.trial.w, &mut self.verdict);
        if natural < self.natural {
            self.natural = natural;
            self.best.x.clone_from(&self.trial.x);
            self.best.w.clone_from(&self.trial.w);
        }
        natural
    }
}

impl Judge for BoxedJudge<'_> {
    fn natural(&mut self, z: &[f64], correct: &mut dyn FnMut(&[f64], &mut Vec<f64>)) -> Option<f64> {
        self.z.clear();
        self.z.extend_from_slice(z);
        self.lowered.recover_from(self.mlcp, z, &mut self.trial);
        let mut natural = self.keep_better();
        // one step repairs what recovery rounds off, a second what the first leaves
        for _ in 0..2 {
            if natural <= SOLVED {
                break;
            }
            self.lowered.refine(self.mlcp, &mut self.z, &mut self.trial, correct);
            natural = natural.min(self.keep_better());
        }
        Some(natural)
    }
}
