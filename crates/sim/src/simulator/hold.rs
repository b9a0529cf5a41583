//! A step without an answer leads nowhere deeper.
//!
//! Balls squeezed between rigid races, or a motor without bound against a stop, leave no velocity that keeps every gap: what the ladder
//! takes then drives bodies into each other, by millimetres a step where 20 um were to be undone. Of such a velocity the nearest is
//! taken, in the metric of the mass matrix, at which no gap closes:
//!
//! ```text
//!     min ½ (v′ − v)ᵀ M̃ (v′ − v)     subject to     n·v′ + max(gap, 0)/dt ≥ 0 at every hard contact and limit,   loops kept
//! ```
//! Rest is such a velocity, so there is always one, and |v′| ≤ |v|: it makes no energy. Motors give way to it, and the step says so.

use gudgeon_lcp::{ProblemError, Status};

use super::Simulator;
use crate::report::{Fallback, SolveReport};

/// Of the smaller body: how much deeper a step without an answer may lead, before it is held.
const DEEPER: f64 = 1e-4;

impl Simulator {
    /// Holds a step whose solve failed, where it would lead deeper into overlap; whether it did.
    pub(super) fn hold(&mut self, dt: f64, report: &SolveReport) -> Result<bool, ProblemError> {
        let answered = match report.fallback {
            Fallback::None => report.status == Status::Solved,
            Fallback::Convex | Fallback::BestIterate => false,
            Fallback::Cold | Fallback::Robust | Fallback::Frictionless => true,
        };
        if answered || !self.bounces.is_empty() {
            return Ok(false);
        }
        let Self { model, factor, assembly, recovery, contacts, settings, layout, .. } = self;
        let reach = &layout.reach;
        recovery.begin();
        let mut deeper = false;
        for (i, c) in contacts.iter().enumerate() {
            if !c.material.stiffness.is_infinite() {
                recovery.room(f64::INFINITY);
                continue;
            }
            let room = assembly.normal_velocity(i, &self.v.next) + c.gap.max(0.0) / dt;
            let sizes = [c.a, c.b].map(|l| reach[l.0]).into_iter().filter(|r| *r > 0.0);
            let size = sizes.fold(f64::INFINITY, f64::min);
            deeper |= -room * dt > settings.overlap_tolerance.max(DEEPER * size);
            recovery.room(room);
        }
        for ((dof, sign), limit) in assembly.limits().zip(&self.limits) {
            recovery.room(sign * self.v.next[dof] + limit.gap.max(0.0) / dt);
        }
        if deeper {
            recovery.solve(assembly, model, factor, settings.limits(), &mut self.v.next)?;
            self.v.moves.copy_from_slice(&self.v.next);
            self.tape.bounded = true;
        }
        self.recovery.begin();
        Ok(deeper)
    }
}
