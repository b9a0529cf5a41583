//! Boxed problems as standard ones, and back.
//!
//! Each row of an [`Mlcp`] becomes non-negative unknowns of an [`Lcp`]:
//!
//! ```text
//!     lo ≤ x            x = lo + z              w₊ = w
//!     x ≤ hi            x = hi − z              w₊ = −w
//!     lo ≤ x ≤ hi       x = lo + z              w₊ = w + s ⊥ z,   (hi − lo) − z ⊥ s       [EnzError (3)-(4)]
//!     lo·|x_f| ≤ x ≤ hi·|x_f|,  c, h = (hi ± lo)/2,  s the sign of x_f:
//!                       x = c s x_f + φ₊ − φ₋   w + λ ⊥ φ₊,   −w + λ ⊥ φ₋,   h s x_f − φ₊ − φ₋ ⊥ λ
//!     x = lo = hi       a constant
//!     x free            eliminated: x_e = −A_ee⁻¹ (b_e + A_er x_r)
//! ```
//!
//! Friction rows take the form of a cone with two directions, not that of a box with moving walls: it is
//! copositive, as Lemke's method wants it, and no small impulse is a difference of large bounds.
//!
//! The free block is eliminated with complete pivoting. What is left when it is singular is a redundant row,
//! dropped together with its unknown (which is then zero), or a row that couples only to bounded unknowns,
//! kept as the pair  w ≥ 0 ⊥ x₊,  −w ≥ 0 ⊥ x₋.
//!
//! The sign s of a normal impulse is +1 unless the row may be negative and turned out so; then
//! [`MlcpLcp::flip_signs`] says that the lowering must be done again.

use super::{Lcp, Mlcp, ProblemError};
use crate::outcome::{MlcpSolution, Solution};
use crate::scale::Scaling;

/// A pivot of the free block below this part of its largest entry counts as zero. Rounding leaves about
/// 1e-16 times the growth of a redundant row; honest mechanisms stay above 1e-8.
const RANK: f64 = 1e-11;

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    Lower { z: usize },
    Upper { z: usize },
    Boxed { z: usize, s: usize },
    Friction { plus: usize, minus: usize, cone: usize, normal: usize },
    Fixed,
    Free,
}

/// A boxed problem lowered to a standard one, with the way back.
#[derive(Debug, Clone, Default)]
pub struct MlcpLcp {
    lcp: Lcp,
    scaling: Scaling,
    scaled: Mlcp, // what is lowered: the problem in energy units
    class: Vec<Class>,
    unknowns: usize,
    // x = basis · z + offset in the rows that are not free; basis is n × unknowns, column-major
    offset: Vec<f64>,
    span: Vec<(usize, usize, f64)>, // row of x, unknown, factor
    // the free block, eliminated
    free: Vec<usize>,
    pivot_row: Vec<usize>, // positions in `free`, one per pivot
    pivot_col: Vec<usize>,
    elim: Vec<f64>, // |free| × (free columns, unknowns, constant, inverse), row-major, reduced on the pivots
    split: Vec<(usize, usize, usize)>, // unknown x₊, x₋, column in `free`
    mix: Vec<f64>,  // |split| × |split|, row-major: how leftover equations are combined
    coupled: Vec<(usize, usize, f64)>, // friction row, its free normal, factor
    mixed: Lcp,     // the standard problem with the free unknowns kept, at the end
    signs: Vec<f64>, // by row: the sign of a normal impulse
}

impl MlcpLcp {
    /// Lowers a boxed problem.
    pub fn new(mlcp: &Mlcp) -> Result<Self, ProblemError> {
        let mut lowered = Self::default();
        lowered.rebuild(mlcp)?;
        Ok(lowered)
    }

    /// Lowers another problem into the same memory. Fails only where finite numbers overflow when multiplied.
    pub fn rebuild(&mut self, mlcp: &Mlcp) -> Result<(), ProblemError> {
        self.signs.clear();
        self.signs.resize(mlcp.n(), 1.0);
        self.lower(mlcp)
    }

    /// Lowers with the present signs.
    pub(crate) fn lower(&mut self, mlcp: &Mlcp) -> Result<(), ProblemError> {
        self.scaling.rebuild(mlcp.a(), mlcp.b());
        let mut scaled = std::mem::take(&mut self.scaled);
        mlcp.scale_into(self.scaling.d(), &mut scaled);
        self.classify(&scaled);
        self.eliminate(&scaled);
        let assembled = self.assemble(&scaled);
        self.scaled = scaled;
        assembled
    }

    /// The same problem with the free unknowns kept instead of eliminated, for a method that can hold them in
    /// its basis, and how many they are; they come last, and their rows are equations. Elimination leaves
    /// rounding where joints block a direction, and that is then hard to tell from a weak constraint.
    pub(crate) fn mixed(&mut self) -> Result<Option<(&Lcp, usize)>, ProblemError> {
        if self.pivot_row.is_empty() {
            return Ok(None);
        }
        let scaled = std::mem::take(&mut self.scaled);
        let mut lcp = std::mem::take(&mut self.mixed);
        let size = self.unknowns + self.pivot_row.len();
        let filled = lcp.rebuild(size, |m, q| self.fill(&scaled, true, size, m, q));
        self.scaled = scaled;
        self.mixed = lcp;
        filled.map(|()| Some((&self.mixed, self.pivot_row.len())))
    }

    /// Takes the signs of the normal impulses from a solution; true if any changed.
    pub(crate) fn flip_signs(&mut self, mlcp: &Mlcp, x: &[f64]) -> bool {
        let mut changed = false;
        for normal in mlcp.findex().iter().flatten() {
            if x[*normal] * self.signs[*normal] < 0.0 {
                self.signs[*normal] = -self.signs[*normal];
                changed = true;
            }
        }
        changed
    }

    /// The standard problem; `None` when every unknown is free or fixed, so nothing is left to decide.
    pub fn lcp(&self) -> Option<&Lcp> {
        (self.unknowns > 0).then_some(&self.lcp)
    }

    fn classify(&mut self, mlcp: &Mlcp) {
        let n = mlcp.n();
        let mut next = 0;
        let mut take = || {
            next += 1;
            next - 1
        };
        self.class.clear();
        self.free.clear();
        for i in 0..n {
            let (lo, hi) = (mlcp.lo()[i], mlcp.hi()[i]);
            self.class.push(match mlcp.findex()[i] {
                _ if lo == hi => Class::Fixed,
                Some(normal) => Class::Friction { plus: take(), minus: take(), cone: take(), normal },
                None if lo.is_finite() && hi.is_finite() => Class::Boxed { z: take(), s: take() },
                None if lo.is_finite() => Class::Lower { z: take() },
                None if hi.is_finite() => Class::Upper { z: take() },
                None => {
                    self.free.push(i);
                    Class::Free
                }
            });
        }
        self.unknowns = next;

        // x = span · z + offset
        self.offset.clear();
        self.offset.resize(n, 0.0);
        self.span.clear();
        self.coupled.clear();
        for i in 0..n {
            let lo = mlcp.lo()[i];
            match self.class[i] {
                Class::Lower { z } | Class::Boxed { z, .. } => {
                    self.offset[i] = lo;
                    self.span.push((i, z, 1.0));
                }
                Class::Upper { z } => {
                    self.offset[i] = mlcp.hi()[i];
                    self.span.push((i, z, -1.0));
                }
                Class::Friction { plus, minus, normal, .. } => {
                    self.span.push((i, plus, 1.0));
                    self.span.push((i, minus, -1.0));
                    let factor = 0.5 * (lo + mlcp.hi()[i]) * self.signs[normal];
                    if factor == 0.0 {
                        continue;
                    }
                    match self.class[normal] {
                        Class::Lower { z } | Class::Boxed { z, .. } => {
                            self.offset[i] = factor * mlcp.lo()[normal];
                            self.span.push((i, z, factor));
                        }
                        Class::Upper { z } => {
                            self.offset[i] = factor * mlcp.hi()[normal];
                            self.span.push((i, z, -factor));
                        }
                        Class::Fixed => self.offset[i] = factor * mlcp.lo()[normal],
                        Class::Free => self.coupled.push((i, normal, factor)),
                        Class::Friction { .. } => unreachable!("a normal is never a friction row"),
                    }
                }
                Class::Fixed => self.offset[i] = if mlcp.findex()[i].is_some() { 0.0 } else { lo },
                Class::Free => {}
            }
        }
    }

    /// Gauss-Jordan with complete pivoting on the free block, carrying the columns of z and the constant.
    fn eliminate(&mut self, mlcp: &Mlcp) {
        let (n, k, nz) = (mlcp.n(), self.free.len(), self.unknowns);
        let width = k + nz + 1 + k;
        self.pivot_row.clear();
        self.pivot_col.clear();
        self.split.clear();
        self.elim.clear();
        self.elim.resize(k * width, 0.0);
        for (r, &i) in self.free.iter().enumerate() {
            let row = &mut self.elim[r * width..(r + 1) * width];
            for (c, &j) in self.free.iter().enumerate() {
                row[c] = mlcp.entry(i, j);
                for &(t, _, f) in self.coupled.iter().filter(|c| c.1 == j) {
                    row[c] += f * mlcp.entry(i, t);
                }
            }
            for &(j, z, f) in &self.span {
                row[k + z] += f * mlcp.entry(i, j);
            }
            row[k + nz] = mlcp.b()[i];
            for j in 0..n {
                row[k + nz] += mlcp.entry(i, j) * self.offset[j];
            }
            row[k + nz + 1 + r] = 1.0;
        }
        let scale = self.elim.chunks(width).fold(0.0, |m: f64, row| m.max(crate::kernel::max_abs(&row[..k])));
        let mut row_done = vec![false; k];
        let mut col_done = vec![false; k];
        for _ in 0..k {
            let mut best = (0.0, 0, 0);
            for r in (0..k).filter(|&r| !row_done[r]) {
                for c in (0..k).filter(|&c| !col_done[c]) {
                    let v = self.elim[r * width + c].abs();
                    if v > best.0 {
                        best = (v, r, c);
                    }
                }
            }
            let (size, r, c) = best;
            if size <= RANK * scale {
                break;
            }
            (row_done[r], col_done[c]) = (true, true);
            self.pivot_row.push(r);
            self.pivot_col.push(c);
            let pivot = self.elim[r * width + c];
            self.elim[r * width..(r + 1) * width].iter_mut().for_each(|v| *v /= pivot);
            let row = self.elim[r * width..(r + 1) * width].to_vec();
            for other in (0..k).filter(|&o| o != r) {
                let f = self.elim[other * width + c];
                if f != 0.0 {
                    crate::kernel::axpy(-f, &row, &mut self.elim[other * width..(other + 1) * width]);
                }
            }
        }

        // leftover rows that still speak of bounded unknowns become pairs of inequalities
        let left_cols: Vec<usize> = (0..k).filter(|&c| !col_done[c]).collect();
        for (r, c) in (0..k).filter(|&r| !row_done[r]).zip(left_cols) {
            let row = &self.elim[r * width..(r + 1) * width];
            let size = crate::kernel::max_abs(&row[k..k + nz]);
            // a redundant row repeats what the others say, up to the rounding of the elimination
            let inconsistent = row[k + nz].abs() > 1e-9 * self.scaling.size();
            if size > 1e-9 || inconsistent {
                self.split.push((self.unknowns, self.unknowns + 1, c));
                self.unknowns += 2;
            }
        }
    }

    fn assemble(&mut self, mlcp: &Mlcp) -> Result<(), ProblemError> {
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
                m.iter_mut().filter(|v| v.abs() < 1e-13).for_each(|v| *v = 0.0);
            }
        });
        self.lcp = lcp;
        self.mix = mix;
        filled
    }

    /// The matrix and vector of the standard problem, column by column: x as an affine function of the
    /// unknowns, then w. With `mixed` the free unknowns are columns of their own, else they follow.
    fn fill(&self, mlcp: &Mlcp, mixed: bool, size: usize, m: &mut [f64], q: &mut [f64]) {
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

    /// x and w of the boxed problem from a solution of the standard one; w comes from the original data.
    pub fn recover(&self, mlcp: &Mlcp, solution: &Solution, boxed: &mut MlcpSolution) {
        let z = |u: usize| solution.z.get(u).copied().unwrap_or(0.0);
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
        let kept = solution.z.get(self.unknowns..).unwrap_or(&[]);
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
            // bounds that follow x are numbers only if x is
            x[i] = match self.class[i] {
                Class::Boxed { s, .. } if z(s) > 0.0 && (hi - x[i]).abs() <= 1e-9 * (hi - lo) => hi,
                Class::Friction { cone, .. } if z(cone) > 0.0 && (hi - x[i]).abs() <= 1e-9 * (hi - lo) => hi,
                Class::Friction { cone, .. } if z(cone) > 0.0 && (x[i] - lo).abs() <= 1e-9 * (hi - lo) => lo,
                _ if lo <= hi => x[i].clamp(lo, hi),
                _ => x[i],
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
            mlcp.slack(&boxed.x, &mut boxed.w);
        }
    }
}

impl MlcpLcp {
    /// One step of refinement on x itself. Where x = lo·x_f + z is a small difference of large numbers, z has
    /// not the digits that x needs; the residual of x has. `correct` answers the change of z that takes
    /// away a residual in the rows of the standard problem.
    pub(crate) fn refine(
        &self,
        mlcp: &Mlcp,
        z: &mut [f64],
        boxed: &mut MlcpSolution,
        correct: impl FnOnce(&[f64], &mut Vec<f64>),
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
        for i in 0..mlcp.n() {
            let (lo, hi) = mlcp.bounds_at(i, &boxed.x);
            let upper = matches!(self.class[i], Class::Boxed { s, .. } if z[s] > 0.0);
            boxed.x[i] = if upper { hi } else { boxed.x[i].clamp(lo, hi) };
        }
        mlcp.slack(&boxed.x, &mut boxed.w);
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
        if pivot.is_nan() || pivot.abs() <= 1e-9 * scale {
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

impl From<&Lcp> for Mlcp {
    /// A standard problem is a boxed one with lo = 0 and hi = ∞.
    fn from(lcp: &Lcp) -> Self {
        let n = lcp.n();
        Mlcp::from_column_major(lcp.m().to_vec(), lcp.q().to_vec(), vec![0.0; n], vec![f64::INFINITY; n])
            .expect("an Lcp is finite and square")
    }
}
