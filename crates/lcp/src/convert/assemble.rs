//! The matrix and vector of the standard problem, column by column.

use super::{Class, MlcpLcp};
use crate::problem::{Mlcp, ProblemError};
use crate::tolerances;

impl MlcpLcp {
    pub(super) fn assemble(&mut self, mlcp: &Mlcp) -> Result<(), ProblemError> {
        let unknowns = self.unknowns;
        self.mix.clear();
        if unknowns == 0 {
            return Ok(());
        }
        let mut lcp = std::mem::take(&mut self.lcp);
        let mut mix = std::mem::take(&mut self.mix);
        let filled = lcp.rebuild(unknowns, |m, q| {
            self.fill(mlcp, false, unknowns, m, q);
            self.pair_splits(m, &mut mix);
            self.combine_splits(&mix, m, q);
            if !self.free.is_empty() {
                // what elimination should have cancelled: entries are of size one, so this is rounding, and a
                // row of nothing else must not be scaled up to look like a constraint
                m.iter_mut().filter(|v| v.abs() < tolerances::CANCELLED_ENTRY).for_each(|v| *v = 0.0);
            }
        });
        if let Some(noise) = mlcp.noise().filter(|_| filled.is_ok()) {
            lcp.add_noise_asked(&self.asked_around(noise));
        }
        self.lcp = lcp;
        self.mix = mix;
        filled
    }

    /// The matrix and vector of the standard problem, column by column: x as an affine function of the
    /// unknowns, then w. With `mixed` the free unknowns are columns of their own, else they follow.
    pub(super) fn fill(&self, mlcp: &Mlcp, mixed: bool, size: usize, m: &mut [f64], q: &mut [f64]) {
        let (n, k) = (mlcp.n(), self.free.len());
        let nz = self.unknowns - 2 * self.split.len();
        let width = k + nz + 1 + k;
        let pivots = || self.pivot_row.iter().zip(&self.pivot_col);
        let mut x_of = vec![0.0; n];
        let mut w_of = vec![0.0; n];
        for unknown in 0..=size {
            let constant = unknown == size;
            x_of.fill(0.0);
            if constant {
                x_of.copy_from_slice(&self.offset);
            } else {
                self.span.iter().filter(|s| s.1 == unknown).for_each(|s| x_of[s.0] += s.2);
            }
            if mixed && (self.unknowns..size).contains(&unknown) {
                x_of[self.free[self.pivot_col[unknown - self.unknowns]]] = 1.0;
            }
            if !mixed && (constant || unknown < nz) {
                let column = if constant { k + nz } else { k + unknown };
                pivots().for_each(|(&r, &c)| x_of[self.free[c]] = -self.elim[r * width + column]);
            }
            for &(plus, minus, c) in &self.split {
                let sign = f64::from(u8::from(unknown == plus)) - f64::from(u8::from(unknown == minus));
                if sign != 0.0 {
                    x_of[self.free[c]] += sign;
                    if !mixed {
                        pivots().for_each(|(&r, &pc)| x_of[self.free[pc]] -= sign * self.elim[r * width + c]);
                    }
                }
            }
            for &(t, normal, f) in &self.coupled {
                x_of[t] += f * x_of[normal];
            }
            w_of.fill(0.0);
            if constant {
                w_of.copy_from_slice(mlcp.b());
            }
            for (j, &v) in x_of.iter().enumerate() {
                if v != 0.0 {
                    crate::kernel::axpy(v, mlcp.column(j), &mut w_of);
                }
            }
            let target: &mut [f64] = if constant { q } else { &mut m[unknown * size..(unknown + 1) * size] };
            self.fill_rows(mlcp, unknown, constant, &x_of, &w_of, target);
            if mixed {
                for (t, &r) in self.pivot_row.iter().enumerate() {
                    target[self.unknowns + t] = w_of[self.free[r]];
                }
            }
        }
        if mixed {
            self.combine_splits(&self.mix, m, q);
        }
    }

    /// Chooses among equivalent forms of the leftover equations V z + g = 0 the one nearest to −Uᵀ, where U is
    /// how their free unknowns act on the bounded rows. Equations may be combined at will; with V = −Uᵀ the
    /// pair is skew and a passive system stays positive semi-definite, with +Uᵀ Lemke's path ends on a ray.
    fn pair_splits(&self, m: &[f64], mix: &mut Vec<f64>) {
        let (size, k) = (self.unknowns, self.split.len());
        if k == 0 {
            return;
        }
        let plus = |r: usize| self.split[r].0;
        let mut gram = vec![0.0; k * k]; // V Vᵀ
        let mut target = vec![0.0; k * k]; // −Uᵀ Vᵀ
        for r in 0..k {
            for c in 0..k {
                for j in 0..size - 2 * k {
                    let v_c = m[j * size + plus(c)];
                    gram[r * k + c] += m[j * size + plus(r)] * v_c;
                    target[r * k + c] -= m[plus(r) * size + j] * v_c;
                }
            }
        }
        // T gram = target, row by row; gram is symmetric
        if let Some(solved) = solve_rows(&gram, &target, k) {
            *mix = solved;
        }
    }

    fn combine_splits(&self, mix: &[f64], m: &mut [f64], q: &mut [f64]) {
        let (size, k) = (q.len(), self.split.len());
        if mix.is_empty() {
            return;
        }
        let mut combined = vec![0.0; k];
        for column in m.chunks_exact_mut(size).chain(std::iter::once(q)) {
            for r in 0..k {
                combined[r] = (0..k).map(|c| mix[r * k + c] * column[self.split[c].0]).sum();
            }
            for (&v, &(plus, minus, _)) in combined.iter().zip(&self.split) {
                column[plus] = v;
                column[minus] = -v;
            }
        }
    }

    /// One column of the standard problem from the change of x and w along it.
    fn fill_rows(
        &self,
        mlcp: &Mlcp,
        unknown: usize,
        constant: bool,
        x: &[f64],
        w: &[f64],
        target: &mut [f64],
    ) {
        let unit = |s: usize| f64::from(u8::from(unknown == s));
        for i in 0..mlcp.n() {
            match self.class[i] {
                Class::Lower { z } => target[z] = w[i],
                Class::Upper { z } => target[z] = -w[i],
                Class::Boxed { z, s } => {
                    target[z] = w[i] + unit(s);
                    target[s] = if constant { mlcp.hi()[i] - mlcp.lo()[i] } else { -unit(z) };
                }
                Class::Friction { plus, minus, cone, normal } => {
                    let half = 0.5 * (mlcp.hi()[i] - mlcp.lo()[i]) * self.signs[normal];
                    target[plus] = w[i] + unit(cone);
                    target[minus] = -w[i] + unit(cone);
                    target[cone] = half * x[normal] - unit(plus) - unit(minus);
                }
                Class::Fixed | Class::Free => {}
            }
        }
        // rows left over from the free block, by the columns they were paired with
        let left: Vec<usize> = (0..self.free.len()).filter(|r| !self.pivot_row.contains(r)).collect();
        let cols: Vec<usize> = (0..self.free.len()).filter(|c| !self.pivot_col.contains(c)).collect();
        for &(plus, minus, c) in &self.split {
            let place = cols.iter().position(|&l| l == c).expect("a split column is a leftover column");
            let i = self.free[left[place]];
            target[plus] = w[i];
            target[minus] = -w[i];
        }
    }
}

/// X with X G = B, for a symmetric k × k G (row-major); `None` if G or X is singular to 1e-9.
fn solve_rows(g: &[f64], b: &[f64], k: usize) -> Option<Vec<f64>> {
    // eliminate [G | Bᵀ]: G Xᵀ = Bᵀ
    let width = 2 * k;
    let mut a = vec![0.0; k * width];
    for r in 0..k {
        for c in 0..k {
            a[r * width + c] = g[r * k + c];
            a[r * width + k + c] = b[c * k + r];
        }
    }
    gauss_jordan(&mut a, k, width)?;
    let x: Vec<f64> = (0..k * k).map(|i| a[(i % k) * width + k + i / k]).collect();
    let mut check = vec![0.0; k * width];
    for r in 0..k {
        check[r * width..r * width + k].copy_from_slice(&x[r * k..(r + 1) * k]);
    }
    gauss_jordan(&mut check, k, width)?;
    Some(x)
}

/// Reduces the left k columns to the identity; `None` where a pivot is below 1e-9 of the largest entry.
fn gauss_jordan(a: &mut [f64], k: usize, width: usize) -> Option<()> {
    let scale = a.chunks(width).fold(0.0, |m: f64, row| m.max(crate::kernel::max_abs(&row[..k])));
    for c in 0..k {
        let at = (c..k).max_by(|&r, &s| a[r * width + c].abs().total_cmp(&a[s * width + c].abs()))?;
        let pivot = a[at * width + c];
        if pivot.is_nan() || pivot.abs() <= tolerances::REPETITION * scale {
            return None;
        }
        for j in 0..width {
            a.swap(at * width + j, c * width + j);
            a[c * width + j] /= pivot;
        }
        let row = a[c * width..(c + 1) * width].to_vec();
        for r in (0..k).filter(|&r| r != c) {
            let f = a[r * width + c];
            crate::kernel::axpy(-f, &row, &mut a[r * width..(r + 1) * width]);
        }
    }
    Some(())
}
