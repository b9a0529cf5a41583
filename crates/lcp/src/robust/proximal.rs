//! Proximal points, for problems whose own path does not end.

use super::tree::End;
use super::{LADDER, PROXIMAL_RUNGS, Robust, Run, node_limit};
use crate::observer::Observer;

/// ε of the proximal steps, in units of the scaled diagonal, which is one: from a matrix without weak bases to
/// one that differs from M by less than contacts a nanometre apart do. Where there is no solution z grows to 1/ε,
/// far below the 1e15 at which its own size would excuse it.
const PROXIMAL: [f64; 8] = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13];

/// Proximal steps per ε; each takes away what the last left, by the factor ε/(σ + ε) in a direction of
/// stiffness σ.
const PROXIMAL_STEPS: usize = 8;

impl Robust {
    /// Proximal points:  z ← solution of (M + ε I, q − ε z),  with ε going down.
    pub(super) fn approach(&mut self, attempt: u64, run: &mut Run<'_, impl Observer>) -> End {
        let n = self.q.len();
        let mut end = End::Exhausted;
        self.start.clone_from(&self.goal_basis);
        self.refined.clone_from(&self.best_goal);
        'all: for epsilon in PROXIMAL {
            self.epsilon = epsilon;
            for i in 0..self.bounded {
                self.m[i * n + i] = self.diagonal[i] + epsilon;
            }
            let mut before = f64::INFINITY;
            for _ in 0..PROXIMAL_STEPS {
                for i in 0..self.bounded {
                    let z = self.scaling.z(i, self.refined[i]);
                    self.q[i] = self.scaled_q[i] - epsilon * z;
                }
                for (seed, rung) in LADDER[..PROXIMAL_RUNGS].iter().enumerate() {
                    end = self.search(*rung, 64 * attempt + seed as u64, node_limit(n), run);
                    if matches!(end, End::Solved | End::OutOfBudget) || run.meter.is_exhausted() {
                        break 'all;
                    }
                    if end == End::Inaccurate {
                        break;
                    }
                    self.start[..self.bounded].fill(false);
                }
                // a step that gains nothing leaves the rest to a smaller ε
                if end != End::Inaccurate || self.verified > 0.9 * before {
                    break;
                }
                before = self.verified;
            }
        }
        self.epsilon = 0.0;
        for i in 0..n {
            self.m[i * n + i] = self.diagonal[i];
        }
        self.q.clone_from(&self.scaled_q);
        self.start[..self.bounded].fill(false);
        end
    }
}
