//! Time steps: semi-implicit Euler, midpoint, carried momentum, and fourth-order Runge-Kutta.
//!
//! ```text
//!     Euler    : v⁺ = v + dt a(q, v),                       q⁺ = q ⊕ dt v⁺
//!     midpoint : v⁺ = v + dt a(q ⊕ ½dt v_m, v_m),           q⁺ = q ⊕ dt v_m,   v_m = ½ (v + v⁺), by iteration
//!     carried  : see `carried` and `geometric`,             q⁺ = q ⊕ dt v
//!     RK4      : the classical scheme on (q̇, v̇) = (N(q) v, a), quaternions brought back to unit length
//! ```
//! The first three treat joint damping and springs implicitly (`passive`), RK4 at its stages. If the model has loops or
//! couplings, a comes from the constraint solver and the state is settled back onto them after every step.

use gudgeon_spatial::{Force, Symmetric3};

use crate::aba::{Load, forward_dynamics};
use crate::carried::{Carried, carried_velocity};
use crate::constraint::{ConstraintSolver, Projection};
use crate::geometric::geometric_inertia;
use crate::integrate::{integrate, normalize, position_rate};
use crate::model::{Model, State};
use crate::passive::{add_passive_forces, implicit_passive};
use crate::workspace::Workspace;

/// How to step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// First order, cheapest; velocity-dependent terms explicit.
    SemiImplicit,
    /// Second order; `iterations` evaluations, 2 is the explicit midpoint rule.
    Midpoint {
        /// Evaluations of the dynamics.
        iterations: usize,
    },
    /// First order, dissipative; for taut strings and high speeds at long steps.
    Carried,
    /// Fourth order, four evaluations.
    Rk4,
}

/// Scratch of the time steps; sized once, then allocates nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Stepper {
    /// The tree's scratch, at the end of a step of a model with loops left at the new state.
    pub ws: Workspace,
    pub(crate) solver: ConstraintSolver,
    pub(crate) has_constraints: bool,
    carried: Carried,
    pub(crate) mid: State,
    pub(crate) tau: Vec<f64>,      // nv
    pub(crate) diagonal: Vec<f64>, // nv
    v_next: Vec<f64>,              // nv
    pub(crate) dq: [Vec<f64>; 4],  // nq, slopes of RK4
    pub(crate) dv: [Vec<f64>; 4],  // nv, slopes of RK4
    pub(crate) rate: Vec<f64>,     // nq
    added: Vec<Symmetric3>,        // nb
    pub(crate) driving: Vec<f64>,  // nv, forces found in a driven step
}

impl Stepper {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let (n_q, n_v) = (model.n_q(), model.n_v());
        Self {
            ws: Workspace::new(model),
            solver: ConstraintSolver::new(model),
            has_constraints: !(model.loops.is_empty() && model.couplings.is_empty()),
            carried: Carried::new(model),
            mid: State::neutral(model),
            tau: vec![0.0; n_v],
            diagonal: vec![0.0; n_v],
            v_next: vec![0.0; n_v],
            dq: std::array::from_fn(|_| vec![0.0; n_q]),
            dv: std::array::from_fn(|_| vec![0.0; n_v]),
            rate: vec![0.0; n_q],
            driving: vec![0.0; n_v],
            added: vec![Symmetric3::default(); model.n_links()],
        }
    }

    /// The constraint solver, for its forces and settings.
    pub fn solver(&mut self) -> &mut ConstraintSolver {
        &mut self.solver
    }

    /// Advances `state` by `dt` under constant joint forces `tau` and `external` forces (one per link or empty).
    /// Answers how well loops were closed again.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        scheme: Scheme,
    ) -> Projection {
        match scheme {
            Scheme::SemiImplicit => self.semi_implicit(model, state, tau, external, dt),
            Scheme::Midpoint { iterations } => self.midpoint(model, state, tau, external, dt, iterations),
            Scheme::Carried => self.carried_step(model, state, tau, external, dt),
            Scheme::Rk4 => self.rk4(model, state, tau, external, dt),
        }
        if self.has_constraints {
            return self.solver.settle(model, state, &mut self.ws);
        }
        Projection { iterations: 0, error: 0.0 }
    }

    fn semi_implicit(&mut self, model: &Model, state: &mut State, tau: &[f64], external: &[Force], dt: f64) {
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        accelerate(model, state, &load, self.has_constraints, &mut self.solver, &mut self.ws);
        for (v, a) in state.v.iter_mut().zip(self.ws.qdd()) {
            *v += dt * a;
        }
        integrate(model, &mut state.q, &state.v, dt);
    }

    fn midpoint(
        &mut self,
        model: &Model,
        state: &mut State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        iterations: usize,
    ) {
        self.mid.v.copy_from_slice(&state.v);
        for _ in 0..iterations.max(1) {
            self.mid.q.copy_from_slice(&state.q);
            integrate(model, &mut self.mid.q, &self.mid.v, 0.5 * dt);

            // passive forces are taken at the end of the step from the start of it
            self.tau.copy_from_slice(tau);
            implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
            let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
            accelerate(model, &self.mid, &load, self.has_constraints, &mut self.solver, &mut self.ws);
            for k in 0..model.n_v() {
                self.v_next[k] = state.v[k] + dt * self.ws.qdd[k];
                self.mid.v[k] = 0.5 * (state.v[k] + self.v_next[k]);
            }
        }
        integrate(model, &mut state.q, &self.mid.v, dt);
        state.v.copy_from_slice(&self.v_next);
    }

    fn carried_step(&mut self, model: &Model, state: &mut State, tau: &[f64], external: &[Force], dt: f64) {
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        carried_velocity(model, state, &load, dt, &mut self.carried, &mut self.ws, &mut self.v_next);

        // now the forces through the joints are known, and with them what is stiff
        geometric_inertia(model, dt, dt, &self.ws, &mut self.added);
        let load = Load { added: &self.added, ..load };
        carried_velocity(model, state, &load, dt, &mut self.carried, &mut self.ws, &mut self.v_next);
        state.q.copy_from_slice(self.carried.q());
        state.v.copy_from_slice(&self.v_next);
    }

    fn rk4(&mut self, model: &Model, state: &mut State, tau: &[f64], external: &[Force], dt: f64) {
        self.mid.q.copy_from_slice(&state.q);
        self.mid.v.copy_from_slice(&state.v);
        for stage in 0..4 {
            self.tau.copy_from_slice(tau);
            add_passive_forces(model, &self.mid, &mut self.tau);
            let load = Load { tau: &self.tau, external, ..Load::default() };
            accelerate(model, &self.mid, &load, self.has_constraints, &mut self.solver, &mut self.ws);
            position_rate(model, &self.mid.q, &self.mid.v, &mut self.rate);
            self.dq[stage].copy_from_slice(&self.rate);
            self.dv[stage].copy_from_slice(&self.ws.qdd);
            if stage < 3 {
                self.go_to_stage(model, state, stage, dt);
            }
        }
        self.combine(model, state, dt);
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
        let sum = |d: &[Vec<f64>; 4], k: usize| dt / 6.0 * (d[0][k] + 2.0 * (d[1][k] + d[2][k]) + d[3][k]);
        for k in 0..model.n_q() {
            state.q[k] += sum(&self.dq, k);
        }
        for k in 0..model.n_v() {
            state.v[k] += sum(&self.dv, k);
        }
        normalize(model, &mut state.q);
    }
}

pub(crate) fn accelerate(
    model: &Model,
    state: &State,
    load: &Load<'_>,
    has_constraints: bool,
    solver: &mut ConstraintSolver,
    ws: &mut Workspace,
) {
    if has_constraints {
        solver.forward_dynamics(model, state, load, ws);
    } else {
        forward_dynamics(model, state, load, ws);
    }
}
