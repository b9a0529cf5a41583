//! Steps in which chosen joints follow a given motion exactly [Yamane §V-A, "high-gain feedback mode"].
//!
//! The caller's `motion(t, state, prescribed)` writes q and v of the driven joints at `t` seconds into the step, and
//! their accelerations into `prescribed.qdd`; the rest moves by forward dynamics under those accelerations,
//! ```text
//!     Euler : motion(0), a(q, v), v⁺ = v + dt a, q⁺ = q ⊕ dt v⁺, motion(dt)
//!     RK4   : motion at 0, ½dt, ½dt, dt before each stage, and once more on the result
//! ```
//! so driven coordinates never drift, whatever the step. The forces that the driven joints needed at the start of the
//! step are in [`Stepper::driving_forces`]. Loops are settled by the driven joints' say: only the rest gives way.

use crate::aba::{Load, Prescribed};
use crate::integrate::integrate;
use crate::load::StepLoad;
use crate::model::{Model, State};
use crate::passive::{add_passive_forces, implicit_passive};
use crate::step::{Scheme, Stepper, accelerate};

impl Stepper {
    /// Advances `state` by `dt` with the joints of `prescribed.driven` following `motion`.
    ///
    /// [`Scheme::Rk4`] takes four evaluations; every other scheme steps as [`Scheme::SemiImplicit`].
    pub fn step_driven(
        &mut self,
        model: &Model,
        state: &mut State,
        load: &StepLoad<'_>,
        scheme: Scheme,
        prescribed: &mut Prescribed,
        mut motion: impl FnMut(f64, &mut State, &mut Prescribed),
    ) {
        let StepLoad { tau, external, dt } = *load;
        motion(0.0, state, prescribed);
        if scheme == Scheme::Rk4 {
            self.driven_rk4(model, state, load, prescribed, &mut motion);
        } else {
            self.tau.copy_from_slice(tau);
            implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
            let load = Load {
                tau: &self.tau,
                external,
                diagonal: &self.diagonal,
                prescribed: Some(prescribed),
                ..Load::default()
            };
            accelerate(model, state, &load, self.has_constraints, &mut self.solver, &mut self.ws);
            self.driving.copy_from_slice(self.ws.tau());
            for (v, a) in state.v.iter_mut().zip(self.ws.qdd()) {
                *v += dt * a;
            }
            integrate(model, &mut state.q, &state.v, dt);
        }
        motion(dt, state, prescribed);
        if self.has_constraints {
            self.solver.settle_with(model, state, Some(prescribed), &mut self.ws);
        }
    }

    /// Joint forces at the start of the last driven step: found at driven joints, given elsewhere.
    pub fn driving_forces(&self) -> &[f64] {
        &self.driving
    }

    fn driven_rk4(
        &mut self,
        model: &Model,
        state: &mut State,
        &StepLoad { tau, external, dt }: &StepLoad<'_>,
        prescribed: &mut Prescribed,
        motion: &mut impl FnMut(f64, &mut State, &mut Prescribed),
    ) {
        self.mid.q.copy_from_slice(&state.q);
        self.mid.v.copy_from_slice(&state.v);
        for stage in 0..4 {
            let offset = [0.0, 0.5 * dt, 0.5 * dt, dt][stage];
            motion(offset, &mut self.mid, prescribed);
            self.tau.copy_from_slice(tau);
            add_passive_forces(model, &self.mid, &mut self.tau);
            let load = Load { tau: &self.tau, external, prescribed: Some(prescribed), ..Load::default() };
            accelerate(model, &self.mid, &load, self.has_constraints, &mut self.solver, &mut self.ws);
            if stage == 0 {
                self.driving.copy_from_slice(self.ws.tau());
            }
            self.keep_slopes(model, stage);
            if stage < 3 {
                self.go_to_stage(model, state, stage, dt);
            }
        }
        self.combine(model, state, dt);
    }
}
