//! Which variable leaves: the ratio test (18), ties by columns of B⁻¹[p I].

use super::{Lloyd, SPARE};
use crate::friction::reduced::{Basic, Basis, Load};
use crate::friction::system::System;
use crate::observer::Variable;

impl<const GROWS: bool> Lloyd<GROWS> {
    /// arg min q_i / c_i, the last of equals: its later columns of B⁻¹ are smaller; none if q ≥ 0.
    pub(super) fn worst(&self, system: &System) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for &i in &self.rows {
            let ratio = self.q_now[i] / system.cover[i];
            if ratio < 0.0 && best.is_none_or(|(least, _)| ratio <= least) {
                best = Some((ratio, i));
            }
        }
        best.map(|(_, i)| i)
    }

    /// The basic variable of a pair.
    pub(super) fn variable(&self, i: usize) -> Variable {
        if i == self.q.len() {
            Variable::Z0
        } else if self.basis.side(i) == Basic::Z {
            Variable::Z(i)
        } else {
            Variable::W(i)
        }
    }

    /// The row of (18); ties as wide as Δ are broken by columns of B⁻¹.
    pub(super) fn blocking(&mut self, system: &System) -> Option<Variable> {
        let n = self.q.len();
        let basic = |basis: &Basis, i: usize| matches!(basis.side(i), Basic::W | Basic::Z);
        // z₀ counts by what it does to the rows
        let cover = self.sigma_cover.max(1.0);
        let mut size = cover * self.column[n].abs();
        for &i in &self.rows {
            if basic(&self.basis, i) {
                size = size.max(self.column[i].abs());
            }
        }
        let zero = -self.pivot_tolerance * size;
        let ratio = |q: &[f64], m: &[f64], i: usize| q[i].max(0.0) / -m[i];
        let mut least = f64::INFINITY;
        self.tied.clear();
        for &i in &self.rows {
            if self.column[i] < zero && basic(&self.basis, i) {
                let r = ratio(&self.q_now, &self.column, i);
                if r <= least + self.delta {
                    least = least.min(r);
                    self.tied.push(i);
                }
            }
        }
        // z₀ goes first if next to nothing is left of it after the step
        if cover * self.column[n] < zero {
            let own = ratio(&self.q_now, &self.column, n);
            let rest = self.q_now[n] + least * self.column[n];
            if own <= least || rest <= SPARE {
                return Some(Variable::Z0);
            }
        }
        let limit = least + self.delta;
        self.tied.retain(|&i| ratio(&self.q_now, &self.column, i) <= limit);
        let mut chosen = *self.tied.first()?;
        if self.tied.len() > 1 {
            // the first column of the lexicographic test is a generic one
            self.beta.clear();
            self.beta.extend(self.tied.iter().map(|&i| self.p_now[i] / -self.column[i]));
            chosen = self.keep_least(chosen);
        }
        for at in 0..self.rows.len() {
            if self.tied.len() == 1 {
                break;
            }
            let k = self.rows[at];
            if self.basis.side(k) == Basic::W {
                // a unit vector: one row is positive, the others are not
                let Some(own) = self.tied.iter().position(|&i| i == k) else { continue };
                if 1.0 / -self.column[k] > self.delta {
                    self.tied.remove(own);
                    chosen = self.tied[0];
                }
                continue;
            }
            self.basis.solve_at(system, Load::Unit(k, 1.0), &self.tied, &mut self.beta);
            for (beta, &i) in self.beta.iter_mut().zip(&self.tied) {
                *beta /= -self.column[i];
            }
            chosen = self.keep_least(chosen);
        }
        if self.tied.len() == 1 {
            chosen = self.tied[0];
        }
        Some(self.variable(chosen))
    }

    /// Leaves of the tied rows those with the least quotient in `beta`, as wide as Δ; answers the least of all.
    pub(super) fn keep_least(&mut self, otherwise: usize) -> usize {
        let least = self.beta.iter().fold(f64::INFINITY, |m, &b| m.min(b));
        let first = self.beta.iter().zip(&self.tied).find(|(b, _)| **b == least);
        let chosen = first.map_or(otherwise, |(_, &i)| i);
        let (limit, beta, mut place) = (least + self.delta, &self.beta, 0);
        self.tied.retain(|&i| {
            place += 1;
            i == chosen || beta[place - 1] <= limit
        });
        chosen
    }
}
