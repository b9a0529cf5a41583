//! The rows of a problem in the effective-mass metric, and the residual of an answer in it.
//!
//! ```text
//!     r_k / s_k   the impulse of a row          s_k u_k   its velocity, both in √kg m/s
//!     s_n² = 1/W_nn,   s_t² = 2/(W_t1t1 + W_t2t2)
//! ```

use crate::friction::FrictionSolution;
use crate::friction::cone::natural_map;
use crate::kernel::max_abs;
use crate::measure::row_error;
use crate::outcome::Residual;
use crate::problem::{FrictionProblem, directions, factored_rows};
use crate::tolerances;

/// The rows of a problem in the metric.
#[derive(Debug, Clone, Default)]
pub(super) struct MetricRows {
    pub(super) column: Vec<Vec<(usize, f64)>>, // by row k: what r_k / s_k does to the motion
    pub(super) row: Vec<Vec<(usize, f64)>>, // by row k: its scaled velocity from the motion; empty where motion = velocity
    pub(super) q: Vec<f64>,                 // scaled: s_k q_k
    pub(super) scale: Vec<f64>,             // s_k
    pub(super) dim: usize,                  // of the motion: degrees of freedom, or scalar rows in local form
    pub(super) size: f64,                   // the largest q
}

impl MetricRows {
    pub(super) fn new(problem: &FrictionProblem) -> Self {
        let n = problem.n_contacts();
        let (mut column, mut q, dim, local) = if let Some(local) = problem.as_local() {
            let dim = local.q().len();
            let column = (0..dim).map(|j| (0..dim).map(|i| (i, local.w()[j * dim + i])).collect());
            (column.collect::<Vec<Vec<_>>>(), local.q().to_vec(), dim, true)
        } else {
            let rows = factored_rows(problem);
            (rows.rows, rows.q, rows.dof, false)
        };
        let mut inverse_mass: Vec<f64> = if local {
            let diagonal = |k: usize| column[k][k].1;
            let largest = |k: usize| column[k].iter().fold(0.0, |m: f64, e| m.max(e.1.abs()));
            // a row without a diagonal takes its largest entry, as the solver does
            (0..dim).map(|k| if diagonal(k) > 0.0 { diagonal(k) } else { largest(k) }).collect()
        } else {
            column.iter().map(|c| c.iter().map(|e| e.1 * e.1).sum()).collect()
        };
        for i in 0..n {
            let mean = 0.5 * (inverse_mass[3 * i + 1] + inverse_mass[3 * i + 2]);
            inverse_mass[3 * i + 1] = mean;
            inverse_mass[3 * i + 2] = mean;
        }
        let scale: Vec<f64> =
            inverse_mass.iter().map(|&w| if w > 0.0 { 1.0 / w.sqrt() } else { 1.0 }).collect();
        for (k, c) in column.iter_mut().enumerate() {
            for e in c.iter_mut() {
                e.1 *= scale[k] * if local { scale[e.0] } else { 1.0 };
            }
        }
        q.iter_mut().zip(&scale).for_each(|(q, s)| *q *= s);
        let largest = max_abs(&q);
        let size = if largest > 0.0 { largest } else { 1.0 };
        let row = if local { Vec::new() } else { column.clone() };
        Self { column, row, q, scale, dim, size }
    }

    /// The scaled velocities of all rows under scaled impulses.
    pub(super) fn velocities(&self, r: &[f64], motion: &mut Vec<f64>, u: &mut Vec<f64>) {
        motion.clear();
        motion.resize(self.dim, 0.0);
        for (k, &f) in r.iter().enumerate().filter(|r| *r.1 != 0.0) {
            self.column[k].iter().for_each(|&(i, v)| motion[i] += v * f);
        }
        u.clear();
        if self.row.is_empty() {
            u.extend(self.q.iter().zip(&*motion).map(|(q, v)| q + v));
        } else {
            let along = |k: usize| self.row[k].iter().map(|&(i, v)| v * motion[i]).sum::<f64>();
            u.extend((0..self.q.len()).map(|k| self.q[k] + along(k)));
        }
    }
}

impl MetricRows {
    /// The residuals of an answer from its impulses and the scaled velocities; one without a lowered form has round
    /// cones.
    pub(super) fn residual(
        &self,
        problem: &FrictionProblem,
        solution: &FrictionSolution,
        u: &[f64],
    ) -> Residual {
        if solution.boxed.x.is_empty() {
            round_residual(problem, self, &solution.impulses, u)
        } else {
            facet_residual(problem, self, &solution.boxed.x, u)
        }
    }
}

/// What counts as one, as in the solvers: q, or a millionth of the impulses if they are larger than that.
pub(super) fn unit(rows: &MetricRows, r: &[f64]) -> f64 {
    (tolerances::IMPULSE_UNIT * max_abs(r) / rows.size).max(1.0)
}

/// The residuals of an answer from x of the lowered form and the scaled velocities of the rows.
fn facet_residual(problem: &FrictionProblem, rows: &MetricRows, x: &[f64], u: &[f64]) -> Residual {
    let (n, d) = (problem.n_contacts(), problem.facets());
    let dirs = directions(d);
    let mut out = Residual::default();
    let mut largest = 0.0_f64;
    let mut add = |x: f64, w: f64, lo: f64, hi: f64, s: f64| {
        // scaled: one is the size of q
        let (z, v) = (1.0 / (s * rows.size), s / rows.size);
        let row = row_error(x * z, w * v, lo * z, hi * z, 1.0);
        let broken = row.natural.is_nan();
        out.natural = if broken { f64::INFINITY } else { out.natural.max(row.natural) };
        let row = row_error(x, w, lo, hi, 1.0 / (s * s));
        out.fischer_burmeister += row.fischer_burmeister;
        out.energy += row.energy;
        largest = largest.max((x * z).abs());
    };
    for i in 0..n {
        let (k, mu) = (3 * i, problem.mu()[i]);
        let (s_n, s_t) = (rows.scale[k], rows.scale[k + 1]);
        add(x[i], u[k] / s_n, 0.0, f64::INFINITY, s_n);
        if mu == 0.0 {
            continue;
        }
        let phi = &x[n + i * d..n + (i + 1) * d];
        let lambda = x[n + n * d + i];
        for (j, dir) in dirs.iter().enumerate() {
            let sigma = (dir[0] * u[k + 1] + dir[1] * u[k + 2]) / s_t + lambda;
            add(phi[j], sigma, 0.0, f64::INFINITY, s_t);
        }
        add(lambda, mu * x[i] - phi.iter().sum::<f64>(), 0.0, f64::INFINITY, 1.0 / s_t);
    }
    for at in 0..problem.n_rows() - 3 * n {
        let (lo, hi) = single_bounds(problem, at);
        let k = 3 * n + at;
        add(x[n * (2 + d) + at], u[k] / rows.scale[k], lo, hi, rows.scale[k]);
    }
    out.natural /= (tolerances::IMPULSE_UNIT * largest).max(1.0);
    out
}

/// The same with round cones, for which F = r − P_K(r − u′) must vanish: F in the metric, |F| in the caller's units,
/// and ½ F² in the metric, J.
fn round_residual(problem: &FrictionProblem, rows: &MetricRows, impulses: &[f64], u: &[f64]) -> Residual {
    let n = problem.n_contacts();
    let mut out = Residual::default();
    let mut worst = 0.0_f64;
    let mut largest = 0.0_f64;
    let mut take = |f: f64| worst = if f.is_nan() { f64::INFINITY } else { worst.max(f.abs()) };
    for (i, &mu) in problem.mu().iter().enumerate() {
        let k = 3 * i;
        let scales = [rows.scale[k], rows.scale[k + 1], rows.scale[k + 2]];
        let raw = [0, 1, 2].map(|c| impulses[k + c]);
        let velocity = [0, 1, 2].map(|c| u[k + c] / scales[c]);
        out.fischer_burmeister += natural_map(mu, &raw, &velocity).iter().map(|f| f.abs()).sum::<f64>();
        let r = [0, 1, 2].map(|c| raw[c] / (scales[c] * rows.size));
        let v = [0, 1, 2].map(|c| u[k + c] / rows.size);
        let f = natural_map(mu * scales[0] / scales[1], &r, &v);
        out.energy += 0.5 * f.iter().map(|f| f * f).sum::<f64>() * rows.size * rows.size;
        f.into_iter().for_each(&mut take);
        largest = largest.max(max_abs(&r));
    }
    for at in 0..problem.n_rows() - 3 * n {
        let (k, s) = (3 * n + at, rows.scale[3 * n + at]);
        let (lo, hi) = single_bounds(problem, at);
        let z = 1.0 / (s * rows.size);
        take(row_error(impulses[k] * z, u[k] / rows.size, lo * z, hi * z, 1.0).natural);
        let row = row_error(impulses[k], u[k] / s, lo, hi, 1.0 / (s * s));
        out.fischer_burmeister += row.fischer_burmeister;
        out.energy += row.energy;
        largest = largest.max((impulses[k] * z).abs());
    }
    out.natural = worst / (tolerances::IMPULSE_UNIT * largest).max(1.0);
    out
}

/// The bounds of a row that is no contact's, counted from the first such row.
pub(super) fn single_bounds(problem: &FrictionProblem, at: usize) -> (f64, f64) {
    let first = problem.n_unilateral();
    if at < first {
        (0.0, f64::INFINITY)
    } else if at < first + problem.n_bounded() {
        problem.bounds(at - first)
    } else {
        (f64::NEG_INFINITY, f64::INFINITY)
    }
}
