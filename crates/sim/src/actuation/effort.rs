//! What all actuators of a joint may do together.
//!
//! ```text
//!     f = clamp(f_known + Σ f_springs)          f_known at the start of the step, springs at its end
//! ```

use super::{Actuation, NO_BOUND, RowSpring};
use crate::spring::Spring;

impl Actuation {
    /// What all actuators together may do to each dof: the last spring on it has what the others leave. Those of strings, and of other springs on the
    /// same dof, count with their force at the start of the step; forces known now are cut by what no spring makes good.
    pub(super) fn bound_efforts(&mut self, v: &[f64], tau: &mut [f64], springs: &mut [Spring]) {
        for dof in 0..self.tau.len() {
            // what holds weights acts already: here is what the others may add to it
            let held = self.lift[dof];
            if let Some([lo, hi]) = self.effort.get(dof).filter(|e| **e != NO_BOUND) {
                let strings = self.springs.iter().filter(|s| s.controller.is_some());
                let along = |s: &RowSpring| s.row.iter().find(|r| r.0 == dof).map_or(0.0, |r| r.1);
                let mut known =
                    self.tau[dof] + held + strings.map(|s| along(s) * s.force(v, 0.0)).sum::<f64>();
                let mut own = springs.iter_mut().filter(|s| s.dof == dof).rev();
                let last = own.next();
                known += own.map(|s| s.force(v[dof], 0.0)).sum::<f64>();
                let (least, most) = last.map_or((0.0, 0.0), |s| {
                    let (least, most) = (s.lo, s.hi);
                    s.lo = least.max(lo - known).min(most);
                    s.hi = most.min(hi - known).max(least);
                    (least, most)
                });
                // where no force of the last one brings the sum within the bounds
                self.tau[dof] += (lo - known - most).max(0.0) - (known + least - hi).max(0.0);
            }
            tau[dof] += self.tau[dof];
            self.tau[dof] += held;
        }
    }
}
