//! Steps in which rows are near but none is asked to push: told before anything is divided by the mass factor.
//!
//! With the free velocity v every contact and limit keeps its distance, and what rubs does not move:
//! ```text
//!     n·v + bias ≥ 0  at contacts and limits,     J v + bias = 0  at rows with bounds on both sides of zero
//! ```
//! Then no impulse at all is the answer, to the bit, and neither inertia nor factor nor solver has anything to add: a joint within reach of
//! its stop, a hand above a table cost their rows and a product each. The next solve starts from nothing, as for what has just come near.
//!
//! Not asked where somebody reads the rows themselves (derivatives, the papers' methods), where loops or given motions hold dofs, where
//! overlap is to be undone, or where something sticks by itself.

use gudgeon_lcp::{Residual, StageTotals, Status};
use gudgeon_spatial::Vector3;

use super::Simulator;
use crate::frame::Mode;
use crate::report::{Fallback, SolveReport};

impl Simulator {
    /// Whether the free velocity asks nothing of the rows that were pushed.
    pub(super) fn find_peace(&mut self, dt: f64) -> bool {
        let tolerance = self.settings.overlap_tolerance;
        let deep = self.penetration > tolerance || self.limits.iter().any(|l| -l.gap > tolerance);
        if deep || self.tape.on || !self.may_wait() || self.has_loops() || self.drive.prescribed.is_some() {
            return false;
        }
        if !self.assembly.is_at_peace(&self.v.free) {
            return false;
        }
        // a gap that counts as none may still be met from afar
        let meets = |(i, c): (usize, &crate::ContactInfo)| {
            let bounces = c.material.restitution != 0.0 && c.material.stiffness.is_infinite();
            bounces && self.assembly.normal_velocity(i, &self.v.free) + c.gap.max(0.0) / dt < 0.0
        };
        !self.contacts.iter().enumerate().any(meets)
    }

    /// The answer of a step at peace: nothing pushes, positions and velocities are those of the flight.
    pub(super) fn rest(&mut self) -> SolveReport {
        // as a sum with no impulses would have it: zero has one sign
        self.v.next.iter_mut().for_each(|v| *v += 0.0);
        self.v.moves.copy_from_slice(&self.v.next);
        self.ladder.rest(&self.assembly);
        let section = self.settings.facets.section();
        for (c, answer) in self.contacts.iter_mut().zip(&self.ladder.solution.contacts) {
            let [t1, t2] = section.tangents(&c.normal);
            (c.force, c.moment, c.mode) = (Vector3::zeros(), Vector3::zeros(), Mode::Open);
            c.slip = t1 * answer.velocity[1] + t2 * answer.velocity[2];
        }
        self.fallbacks[Fallback::None as usize] += 1;
        SolveReport {
            status: Status::Solved,
            fallback: Fallback::None,
            pivots: 0,
            nodes: 0,
            residual: Residual::default(),
            stages: StageTotals::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{Params, builtin};

    /// What falls with limits and floor near: steps at peace are those of the whole road to the bit, and what touches first, from nothing
    /// where the other remembers, does so within what two solves may part by.
    #[test]
    fn steps_at_peace_are_those_of_the_solver() {
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        let mut peace = 0;
        for name in ["ragdoll", "tapdance", "pinch"] {
            let scene = builtin(name, &Params::new()).unwrap();
            let mut short = Simulator::new(&scene).unwrap();
            let mut whole = Simulator::new(&scene).unwrap();
            whole.tape.on = true;
            for step in 0..300 {
                let one = short.step().unwrap();
                let other = whole.step().unwrap();
                assert!(!whole.at_peace);
                if short.at_peace {
                    peace += 1;
                    assert_eq!((one.contacts, one.active), (other.contacts, 0), "{name}, step {step}");
                    assert!(short.last_problem().is_none());
                }
                let off = apart(&short.state.q, &whole.state.q).max(apart(&short.state.v, &whole.state.v));
                if other.active > 0 {
                    // m, rad and their rates: a solve is good to 1e-9 of the velocities
                    assert!(off < 1e-7, "{name}, step {step}: {off:.1e}");
                    break;
                }
                assert_eq!(off, 0.0, "{name}, step {step}");
            }
        }
        assert!(peace > 0);
    }
}
