//! The first half of a step by each scheme: the velocity at its end if nothing touches.

use gudgeon_spatial::Force;

use super::Stepper;
use crate::aba::{Load, forward_dynamics};
use crate::carried::{fly, land};
use crate::constraint::ConstraintSolver;
use crate::geometric::geometric_inertia;
use crate::integrate::{integrate, normalize, position_rate};
use crate::kinematics::kinematics;
use crate::load::StepLoad;
use crate::model::{Model, State};
use crate::passive::{add_passive_forces, implicit_passive};
use crate::workspace::Workspace;

impl Stepper {
    pub(super) fn euler(
        &mut self,
        model: &Model,
        state: &State,
        &StepLoad { tau, external, dt }: &StepLoad<'_>,
        held: bool,
    ) {
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        accelerate(model, state, &load, held, &mut self.solver, &mut self.ws);
        for k in 0..model.n_v() {
            self.v_free[k] = state.v[k] + dt * self.ws.qdd[k];
        }
        self.mid.q.copy_from_slice(&state.q);
    }

    pub(super) fn midpoint(
        &mut self,
        model: &Model,
        state: &State,
        &StepLoad { tau, external, dt }: &StepLoad<'_>,
        iterations: usize,
        held: bool,
    ) {
        // passive forces are taken at the end of the step from the start of it
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        self.mid.v.copy_from_slice(&state.v);
        for _ in 0..iterations.max(1) {
            self.mid.q.copy_from_slice(&state.q);
            integrate(model, &mut self.mid.q, &self.mid.v, 0.5 * dt);
            accelerate(model, &self.mid, &load, held, &mut self.solver, &mut self.ws);
            for k in 0..model.n_v() {
                self.v_free[k] = state.v[k] + dt * self.ws.qdd[k];
                self.mid.v[k] = 0.5 * (state.v[k] + self.v_free[k]);
            }
        }
    }

    pub(crate) fn carry(
        &mut self,
        model: &Model,
        state: &State,
        &StepLoad { tau, external, dt }: &StepLoad<'_>,
    ) {
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        fly(model, state, dt, &mut self.carried, &mut self.ws);
        let whole: &[Force] = if self.expected.is_empty() {
            external
        } else {
            self.loaded.clone_from(&self.expected);
            self.loaded.iter_mut().zip(external).for_each(|(f, e)| *f += *e);
            &self.loaded
        };
        // n_v, free until the answer is written
        let tau_whole = &mut self.driving;
        tau_whole.copy_from_slice(&self.tau);
        tau_whole.iter_mut().zip(&self.expected_tau).for_each(|(t, e)| *t += e);
        let expected = Load { tau: tau_whole, external: whole, ..load };
        land(model, state, &expected, dt, &mut self.carried, &mut self.ws, &mut self.v_free);

        // now the forces through the joints are known, and with them what is stiff
        geometric_inertia(model, dt, dt, &self.ws, &mut self.added);
        let load = Load { added: &self.added, ..load };
        land(model, state, &load, dt, &mut self.carried, &mut self.ws, &mut self.v_free);
    }

    /// The velocity at `q` with the momenta that the links have at `from`, into `v`: what to do with velocities when
    /// positions alone are put right. The same numbers at another place would be another motion, with another energy; this
    /// one has no more energy than the old one (see `carried`).
    pub fn transport(&mut self, model: &Model, from: &State, q: &[f64], v: &mut [f64]) {
        fly(model, from, 0.0, &mut self.carried, &mut self.ws);
        kinematics(model, q, &mut self.ws);
        self.tau.fill(0.0);
        let load = Load { tau: &self.tau, ..Load::default() };
        land(model, from, &load, 0.0, &mut self.carried, &mut self.ws, v);
    }

    pub(super) fn rk4(
        &mut self,
        model: &Model,
        state: &State,
        &StepLoad { tau, external, dt }: &StepLoad<'_>,
        held: bool,
    ) {
        self.mid.q.copy_from_slice(&state.q);
        self.mid.v.copy_from_slice(&state.v);
        for stage in 0..4 {
            self.tau.copy_from_slice(tau);
            add_passive_forces(model, &self.mid, &mut self.tau);
            let load = Load { tau: &self.tau, external, ..Load::default() };
            accelerate(model, &self.mid, &load, held, &mut self.solver, &mut self.ws);
            self.keep_slopes(model, stage);
            if stage < 3 {
                self.go_to_stage(model, state, stage, dt);
            }
        }
        for k in 0..model.n_v() {
            self.v_free[k] = state.v[k] + slope(&self.dv, k, dt);
            self.diagonal[k] = model.dofs[k].armature;
        }

        // contacts act where the step began
        self.mid.q.copy_from_slice(&state.q);
        kinematics(model, &state.q, &mut self.ws);
    }

    /// Stores q̇ and v̇ at the present stage of RK4.
    pub(crate) fn keep_slopes(&mut self, model: &Model, stage: usize) {
        position_rate(model, &self.mid.q, &self.mid.v, &mut self.rate);
        self.dq[stage].copy_from_slice(&self.rate);
        self.dv[stage].copy_from_slice(&self.ws.qdd);
    }

    /// The state at which stage `stage` + 1 of RK4 is evaluated.
    pub(crate) fn go_to_stage(&mut self, model: &Model, state: &State, stage: usize, dt: f64) {
        let c = if stage == 2 { dt } else { 0.5 * dt };
        for k in 0..model.n_q() {
            self.mid.q[k] = state.q[k] + c * self.dq[stage][k];
        }
        normalize(model, &mut self.mid.q);
        for k in 0..model.n_v() {
            self.mid.v[k] = state.v[k] + c * self.dv[stage][k];
        }
    }

    /// The four slopes of RK4 together.
    pub(crate) fn combine(&mut self, model: &Model, state: &mut State, dt: f64) {
        for k in 0..model.n_q() {
            state.q[k] += slope(&self.dq, k, dt);
        }
        for k in 0..model.n_v() {
            state.v[k] += slope(&self.dv, k, dt);
        }
        normalize(model, &mut state.q);
    }
}

fn slope(d: &[Vec<f64>; 4], k: usize, dt: f64) -> f64 {
    dt / 6.0 * (d[0][k] + 2.0 * (d[1][k] + d[2][k]) + d[3][k])
}

/// Accelerations into `ws`, with loops held or without.
pub(crate) fn accelerate(
    model: &Model,
    state: &State,
    load: &Load<'_>,
    held: bool,
    solver: &mut ConstraintSolver,
    ws: &mut Workspace,
) {
    if held {
        solver.forward_dynamics(model, state, load, ws);
    } else {
        forward_dynamics(model, state, load, ws);
    }
}
