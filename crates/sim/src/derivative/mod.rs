//! The derivative of a step, exact where it exists, named where it does not.
//!
//! ```text
//!     δ(q⁺, v⁺) = A δ(q, v) + B δu + C δθ          positions in the tangent space: n_v numbers, quaternions or not
//! ```
//! A step is a chain of stages, and each has its derivative beside it: accelerations, loops and integration in
//! `gudgeon-multibody`, contact geometry in `gudgeon-collide`, the solve on its certified modes in `gudgeon-contact`. Here they
//! are composed, in the order of the step, and run through forwards (`jvp`) or backwards (`vjp`).
//!
//! Within its modes a step is smooth, and the derivative is that of the step as it was taken, to rounding. Where modes
//! are about to change it is the derivative on the side of the certified modes, and [`Linearization::kinks`] says where.

mod brake;
mod closing;
mod commands;
mod cut;
mod directional;
mod exchange;
mod forces;
mod held;
mod kink;
mod linear;
mod matrices;
mod parameters;
mod paths;
mod piece;
mod products;
mod rebound;
mod rollout;
mod rows;
mod settle;
mod settled;
mod sites;
mod solves;
mod stage;
mod support;
mod transpose;
mod undone;

pub use kink::{Kink, KinkKind};
pub use linear::Linearization;
pub use matrices::Matrices;
pub use parameters::Parameters;
pub use piece::Piece;
pub use products::{Change, Worth};
pub use rollout::{Rollout, RolloutError, RolloutWorth, rollouts_vjp};
pub use support::LinearizeError;

use crate::report::StepReport;
use crate::simulator::Simulator;

impl Simulator {
    /// Advances by one step and fills `into` with its derivative.
    pub fn step_linearized(&mut self, into: &mut Linearization) -> Result<StepReport, LinearizeError> {
        self.tape.on = true;
        let stepped = self.step();
        self.tape.on = false;
        let report = stepped?;
        into.fill(self, &report)?;
        Ok(report)
    }

    /// Fills `into` once more after [`Self::step_linearized`]: what that costs beside the step can be told by a clock.
    #[doc(hidden)]
    pub fn linearize_again(
        &self,
        report: &StepReport,
        into: &mut Linearization,
    ) -> Result<(), LinearizeError> {
        into.fill(self, report)
    }

    /// The derivative of the step that would come next; the simulator stays where it is.
    pub fn linearize(&self) -> Result<Linearization, LinearizeError> {
        let mut ahead = self.clone();
        let mut linear = Linearization::new(self);
        let _ = ahead.step_linearized(&mut linear)?;
        Ok(linear)
    }
}
