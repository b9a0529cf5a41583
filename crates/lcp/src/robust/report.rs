//! The answer in the caller's units.

use super::{Robust, Run};
use crate::measure::residual_in;
use crate::outcome::{Outcome, Residual, Solution, Status, certified};

impl Robust {
    /// The answer in the caller's units, measured on the caller's data.
    pub(super) fn report<O>(&mut self, status: Status, run: Run<'_, O>, solution: &mut Solution) -> Outcome {
        let Run { lcp, meter, ray, .. } = run;
        let n = lcp.n();
        match status {
            Status::Budget if self.best_z.len() == n && self.best_energy < f64::INFINITY => {
                solution.z.clone_from(&self.best_z);
            }
            _ if self.candidate < f64::INFINITY => solution.z.clone_from(&self.best_goal),
            _ => {
                solution.z.clear();
                solution.z.resize(n, 0.0);
            }
        }
        solution.basis.clear();
        if self.candidate < f64::INFINITY {
            solution.basis.extend_from_slice(&self.goal_basis);
        } else {
            solution.basis.extend(solution.z.iter().map(|&z| z > 0.0));
        }
        lcp.slack(&solution.z, &mut solution.w);
        let mut residual: Residual =
            residual_in(lcp, &self.scaling, &mut self.verdict, &solution.z, &solution.w);
        if self.bounded < n {
            self.z.clone_from(&solution.z);
            self.w.clone_from(&solution.w);
            residual.natural = self.natural(lcp);
        }
        let status = certified(status, residual);
        solution.ray = ray;
        if status != Status::Ray
            && let Some(ray) = solution.ray.take()
        {
            self.spare_ray = ray;
            self.has_path_ray = true;
        }
        Outcome { status, pivots: meter.pivots, nodes: meter.nodes.max(meter.pivots), residual }
    }
}
