//! The spread impulses as an answer in the caller's units.

use super::Canonical;
use super::pieces::{Meaning, Piece};
use super::rows::{MetricRows, single_bounds};
use crate::friction::FrictionSolution;
use crate::kernel::max_abs;
use crate::outcome::SOLVED;
use crate::problem::{ContactAnswer, ContactMode, FrictionProblem, directions};
use crate::tolerances;

impl Canonical {
    /// The largest velocity of a row that presses and must not move, each against the numbers that make it up; rows
    /// whose own numbers are below 1e-5 of the largest in the problem are held against that, as in the dense measure.
    pub(super) fn row_relative(
        &self,
        rows: &MetricRows,
        r: &[f64],
        u: &[f64],
        pressed: impl Fn(&Piece) -> bool,
    ) -> f64 {
        let mut motion = vec![0.0; rows.dim];
        for (column, f) in rows.column.iter().zip(r) {
            for &(i, v) in column {
                motion[i] += (v * f).abs();
            }
        }
        let least = tolerances::CANONICAL_FLOOR * rows.size.max(max_abs(r));
        let relative = |k: usize| {
            let own = match rows.row.get(k) {
                Some(row) => row.iter().map(|&(i, v)| v.abs() * motion[i]).sum(),
                None => motion[k],
            };
            u[k].abs() / (rows.q[k].abs() + own + least)
        };
        let pressed = self.pieces.list.iter().filter(|p| r[p.row] > 0.0 && pressed(p));
        let still = pressed.flat_map(|p| p.row..p.row + p.still());
        still.fold(0.0, |worst: f64, k| worst.max(relative(k)))
    }

    /// The impulses in the caller's units, within their cones and bounds to the bit, and φ of the lowered form.
    pub(super) fn write(
        &self,
        problem: &FrictionProblem,
        rows: &MetricRows,
        y: &[f64],
        solution: &mut FrictionSolution,
    ) {
        let (n, d) = (problem.n_contacts(), problem.facets());
        let dirs = directions(d);
        let FrictionSolution { impulses, boxed, .. } = solution;
        for piece in &self.pieces.list {
            let (k, y) = (piece.row, &y[piece.first..piece.first + piece.width]);
            if k >= 3 * n {
                let (lo, hi) = single_bounds(problem, k - 3 * n);
                impulses[k] = (y[0] * rows.scale[k]).clamp(lo, hi);
                boxed.x[n * (2 + d) + k - 3 * n] = impulses[k];
                continue;
            }
            let i = k / 3;
            let mu = problem.mu()[i];
            let (s_n, s_t) = (rows.scale[k], rows.scale[k + 1]);
            let (theta, phi) = boxed.x.split_at_mut(n);
            let (theta, phi) = (&mut theta[i], &mut phi[i * d..(i + 1) * d]);
            phi.fill(0.0);
            match piece.meaning {
                Meaning::Single => *theta = (y[0] * s_n).max(0.0),
                Meaning::Slip { facets, inverse } => {
                    let second = if piece.width == 2 { inverse[1] * y[1] } else { 0.0 };
                    phi[facets[0]] = (inverse[0] * y[0] + second).max(0.0);
                    if piece.width == 2 {
                        phi[facets[1]] = (inverse[2] * y[1]).max(0.0);
                    }
                    *theta = phi.iter().sum::<f64>() / mu;
                }
                Meaning::Stick => {
                    *theta = (y[0] * s_n).max(0.0);
                    share(&dirs, [y[1] * s_t, y[2] * s_t], mu * *theta, phi);
                }
                Meaning::Ray | Meaning::Cone { .. } => unreachable!("round cones have no facets"),
            }
            impulses[k] = *theta;
            let part = |c: usize| phi.iter().zip(&dirs).map(|(p, dir)| p * dir[c]).sum::<f64>();
            impulses[k + 1] = part(0);
            impulses[k + 2] = part(1);
        }
    }

    /// The same with round cones, which have no φ.
    pub(super) fn write_round(
        &self,
        problem: &FrictionProblem,
        rows: &MetricRows,
        y: &[f64],
        solution: &mut FrictionSolution,
    ) {
        let n = problem.n_contacts();
        let impulses = &mut solution.impulses;
        for piece in &self.pieces.list {
            let (k, y) = (piece.row, &y[piece.first..piece.first + piece.width]);
            if k >= 3 * n {
                let (lo, hi) = single_bounds(problem, k - 3 * n);
                impulses[k] = (y[0] * rows.scale[k]).clamp(lo, hi);
                continue;
            }
            let r: [f64; 3] = std::array::from_fn(|c| {
                let along: f64 = y.iter().zip(&piece.basis).map(|(y, b)| y * b[c]).sum();
                (along + piece.offset[c]) * rows.scale[k + c]
            });
            impulses[k] = r[0].max(0.0);
            let (limit, size) = (problem.mu()[k / 3] * impulses[k], r[1].hypot(r[2]));
            // rounding only; a ray is as near to its cone as it was
            let beyond = size > limit && piece.meaning != Meaning::Ray;
            let f = if beyond { limit / size } else { 1.0 };
            (impulses[k + 1], impulses[k + 2]) = (f * r[1], f * r[2]);
        }
    }
}

/// r_t as φ ≥ 0 on the two neighbouring directions; Σ φ at most `limit`, which rounding may exceed.
fn share(dirs: &[[f64; 2]], r: [f64; 2], limit: f64, phi: &mut [f64]) {
    let d = dirs.len();
    for j in 0..d {
        let (a, b) = (dirs[j], dirs[(j + 1) % d]);
        let whole = a[0] * b[1] - a[1] * b[0];
        let first = (r[0] * b[1] - r[1] * b[0]) / whole;
        let second = (a[0] * r[1] - a[1] * r[0]) / whole;
        if first > 0.0 && second >= 0.0 {
            let sum = first + second;
            let f = if sum > limit { limit / sum } else { 1.0 };
            phi[j] = f * first;
            phi[(j + 1) % d] = f * second;
            return;
        }
    }
}

impl MetricRows {
    /// The contacts of the answer in the caller's units, from scaled velocities.
    pub(super) fn report_contacts(&self, n: usize, u: &[f64], solution: &mut FrictionSolution) {
        let FrictionSolution { impulses, contacts, .. } = solution;
        // slower than this is at rest: 1e-9 of the largest speed in the problem, as in the solvers
        let still = SOLVED * self.size;
        contacts.clear();
        contacts.extend((0..n).map(|i| {
            let k = 3 * i;
            let impulse = [impulses[k], impulses[k + 1], impulses[k + 2]];
            let mode = if impulse[0] <= 0.0 {
                ContactMode::Open
            } else if u[k + 1].hypot(u[k + 2]) <= still {
                ContactMode::Stick
            } else {
                ContactMode::Slip
            };
            let velocity = [0, 1, 2].map(|c| u[k + c] / self.scale[k + c]);
            ContactAnswer { impulse, velocity, mode }
        }));
    }

    /// What follows from velocities and impulses in the lowered form.
    pub(super) fn report_boxed(
        &self,
        problem: &FrictionProblem,
        u: &[f64],
        stuck: impl Iterator<Item = usize>,
        solution: &mut FrictionSolution,
    ) {
        let mut stuck = stuck.peekable();
        let (n, d) = (problem.n_contacts(), problem.facets());
        let dirs = directions(d);
        let velocity = |k: usize| u[k] / self.scale[k];
        let FrictionSolution { contacts, boxed, .. } = solution;
        for i in 0..n {
            let (k, impulse) = (3 * i, contacts[i].impulse);
            // λ follows from the velocity; nothing where the contact holds, or has no friction to decide about
            let least =
                dirs.iter().map(|dir| dir[0] * u[k + 1] + dir[1] * u[k + 2]).fold(f64::INFINITY, f64::min);
            let holds = stuck.next_if_eq(&i).is_some() && impulse[0] > 0.0;
            let none = holds || problem.mu()[i] == 0.0;
            let lambda = if none { 0.0 } else { (-least).max(0.0) / self.scale[k + 1] };
            boxed.x[n + n * d + i] = lambda;
            let phi = &boxed.x[n + i * d..n + (i + 1) * d];
            let gamma = problem.mu()[i] * impulse[0] - phi.iter().sum::<f64>();
            boxed.w[i] = velocity(k);
            for (j, dir) in dirs.iter().enumerate() {
                boxed.w[n + i * d + j] = dir[0] * velocity(k + 1) + dir[1] * velocity(k + 2) + lambda;
            }
            boxed.w[n + n * d + i] = gamma;
        }
        for k in 3 * n..u.len() {
            boxed.w[n * (2 + d) + k - 3 * n] = velocity(k);
        }
    }
}
