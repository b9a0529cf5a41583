//! Time steps: semi-implicit Euler, midpoint, carried momentum, and fourth-order Runge-Kutta.
//!
//! ```text
//!     Euler    : v⁺ = v + dt a(q, v),                       q⁺ = q ⊕ dt v⁺
//!     midpoint : v⁺ = v + dt a(q ⊕ ½dt v_m, v_m),           q⁺ = q ⊕ dt v_m,   v_m = ½ (v + v⁺), by iteration
//!     carried  : see `carried` and `geometric`,             q⁺ = q ⊕ dt v
//!     RK4      : the classical scheme on (q̇, v̇) = (N(q) v, a), quaternions brought back to unit length
//! ```
//! The first three treat joint damping and springs implicitly (`passive`), RK4 at its stages.
//!
//! A step comes in two halves so that a contact solver fits between them. [`Stepper::free_velocity`] answers with the
//! velocity v at the end of the step if nothing touches, and with where (q) and with what inertia contacts act on it:
//! ```text
//!     v⁺ = v + M̃(q)⁻¹ J(q)ᵀ λ,     M̃ = M + diagonal - armature + Σ J_iᵀ added_i J_i
//! ```
//! [`Stepper::finish`] takes v⁺ and moves the positions as the scheme has it. [`Stepper::step`] is the two with nothing
//! between. Which to use: midpoint, unless a taut string must cross a step longer than its own time.

pub(crate) mod flight;
mod welded;

use gudgeon_spatial::{Force, Symmetric3};

use crate::aba::{Load, forward_dynamics};
use crate::carried::{Carried, fly, land};
use crate::constraint::{ConstraintSolver, Projection};
use crate::crba::{MassMatrix, mass_matrix_with};
use crate::free_body::FreeBodies;
use crate::geometric::geometric_inertia;
use crate::integrate::{integrate, normalize, position_rate};
use crate::kinematics::kinematics;
use crate::model::{Model, State};
use crate::passive::{add_passive_forces, implicit_passive};
use crate::workspace::Workspace;

use flight::Settling;
pub use flight::{Flight, Trees};
use welded::Welded;

/// How to step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// First order, cheapest; velocity-dependent terms explicit, so fast mechanisms gain energy.
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

/// Who holds the loops and couplings of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// The dynamics: their forces are part of the accelerations.
    Held,
    /// The caller: the tree moves as if they were open, and their rows join the caller's own problem.
    Open,
}

/// Where a contact solver starts: v⁺ = v + M̃(q)⁻¹ J(q)ᵀ λ.
///
/// One contact, without friction, of a falling ball with the ground:
/// ```
/// use gudgeon_multibody::{
///     Joint, LinkId, LinkSpec, Loops, MassFactor, MassMatrix, ModelBuilder, Rows, Scheme, State, Stepper, Whitened,
/// };
/// use gudgeon_spatial::{Inertia, Pose, Vector3};
///
/// let mut builder = ModelBuilder::new();
/// builder.link(LinkSpec::new("ball", "world", Joint::Free, Pose::identity(), Inertia::ball(2.0, 0.1)));
/// let model = builder.build()?;
/// let mut state = State::neutral(&model);
/// let (dt, scheme) = (1e-3, Scheme::Midpoint { iterations: 2 });
/// let (mut stepper, mut rows) = (Stepper::new(&model), Rows::new());
/// let (mut mass, mut factor) = (MassMatrix::new(&model), MassFactor::new(&model));
/// let (mut whitened, mut w) = (Whitened::default(), Vec::new());
///
/// // the velocity if nothing touched, the row of the contact, W = J M⁻¹ Jᵀ
/// let free = stepper.free_velocity(&model, &state, &[0.0; 6], &[], dt, scheme, Loops::Open);
/// free.mass_matrix(&model, &mut mass);
/// factor.factor(&model, &mass)?;
/// rows.push_point(&model, free.ws, LinkId(1), &Vector3::new(0.0, 0.0, -0.1), &Vector3::z());
/// whitened.compute(&model, &factor, &rows);
/// whitened.delassus(&mut w);
/// let approach = rows.dot(0, free.v);
///
/// // the impulse that stops it, as a velocity, and the rest of the step
/// let impulse = -approach / w[0];
/// let mut v_next = free.v.to_vec();
/// let mut change = vec![0.0; 6];
/// rows.add_to(0, impulse, &mut change);
/// factor.solve(&model, &mut change);
/// v_next.iter_mut().zip(&change).for_each(|(v, x)| *v += x);
/// stepper.finish(&model, &mut state, &v_next, dt, scheme);
/// assert!((impulse - 2.0 * 9.81 * dt).abs() < 1e-12, "it carries the weight");
/// assert!(state.v.iter().all(|v| v.abs() < 1e-12), "and stays");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeVelocity<'a> {
    /// Velocity at the end of the step if nothing touches, n_v.
    pub v: &'a [f64],
    /// Position at which rows and inertia belong to it, n_q.
    pub q: &'a [f64],
    /// Diagonal in place of the armature, n_v.
    pub diagonal: &'a [f64],
    /// Inertia added to links, n_links, or empty.
    pub added: &'a [Symmetric3],
    /// Kinematics at `q`: build the rows of contacts from it.
    pub ws: &'a Workspace,
}

impl FreeVelocity<'_> {
    /// M̃(q), with everything that belongs on it.
    pub fn mass_matrix(&self, model: &Model, mass: &mut MassMatrix) {
        mass_matrix_with(model, self.ws, self.added, mass);
        for (k, dof) in model.dofs.iter().enumerate() {
            mass.entries[model.row_start[k + 1] - 1] += self.diagonal[k] - dof.armature;
        }
    }
}

/// Scratch of the time steps; sized once, then allocates nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Stepper {
    /// The tree's scratch; after `free_velocity` at the position it names.
    pub ws: Workspace,
    pub(crate) solver: ConstraintSolver,
    pub(crate) has_constraints: bool,
    carried: Carried,
    pub(crate) mid: State,
    pub(crate) tau: Vec<f64>,      // nv
    pub(crate) diagonal: Vec<f64>, // nv
    pub(crate) v_free: Vec<f64>,   // nv
    pub(crate) free: FreeBodies,
    pub(crate) settling: Settling,
    welded: Option<Box<Welded>>,  // what flies, where fixed joints carry links
    welds: bool,                  // whether it does in this flight
    pub(crate) dq: [Vec<f64>; 4], // nq, slopes of RK4
    pub(crate) dv: [Vec<f64>; 4], // nv, slopes of RK4
    pub(crate) rate: Vec<f64>,    // nq
    added: Vec<Symmetric3>,       // nb
    pub(crate) driving: Vec<f64>, // nv, forces found in a driven step
    expected: Vec<Force>,         // nb or empty
    expected_tau: Vec<f64>,       // nv or empty
    loaded: Vec<Force>,           // nb, scratch of carry
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
            free: FreeBodies::new(model),
            settling: Settling::default(),
            welded: Welded::new(model).map(Box::new),
            welds: false,
            mid: State::neutral(model),
            tau: vec![0.0; n_v],
            diagonal: vec![0.0; n_v],
            v_free: vec![0.0; n_v],
            dq: std::array::from_fn(|_| vec![0.0; n_q]),
            dv: std::array::from_fn(|_| vec![0.0; n_v]),
            rate: vec![0.0; n_q],
            added: vec![Symmetric3::default(); model.n_links()],
            driving: vec![0.0; n_v],
            expected: Vec::new(),
            expected_tau: Vec::new(),
            loaded: Vec::new(),
        }
    }

    /// Forces that contacts and motors are expected to add in the next step (one per link, world axes about its origin,
    /// or empty; and per dof, or empty): those of the step before. [`Scheme::Carried`] takes the tension of strings from
    /// them; a string that lies on a rod would else be taken for one that falls freely, slack, and its stiffness missed.
    pub fn expect(&mut self, external: &[Force], tau: &[f64]) {
        self.expected.clear();
        self.expected.extend_from_slice(external);
        self.expected_tau.clear();
        self.expected_tau.extend_from_slice(tau);
    }

    /// The constraint solver, for its forces and settings.
    pub fn solver(&mut self) -> &mut ConstraintSolver {
        &mut self.solver
    }

    /// Advances `state` by `dt` under constant joint forces `tau` and `external` forces (one per link, world axes about
    /// its origin, or empty). Answers how well loops were closed again.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        scheme: Scheme,
    ) -> Projection {
        self.free_velocity(model, state, tau, external, dt, scheme, Loops::Held);
        let v_next = std::mem::take(&mut self.v_free);
        let projection = self.finish(model, state, &v_next, dt, scheme);
        self.v_free = v_next;
        projection
    }

    /// First half of a step: the velocity at its end if nothing touches.
    pub fn free_velocity(
        &mut self,
        model: &Model,
        state: &State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        scheme: Scheme,
        loops: Loops,
    ) -> FreeVelocity<'_> {
        let held = self.has_constraints && loops == Loops::Held;
        match scheme {
            Scheme::SemiImplicit => self.euler(model, state, tau, external, dt, held),
            Scheme::Midpoint { iterations } => {
                self.midpoint(model, state, tau, external, dt, iterations, held);
            }
            Scheme::Carried => self.carry(model, state, tau, external, dt),
            Scheme::Rk4 => self.rk4(model, state, tau, external, dt, held),
        }
        FreeVelocity {
            v: &self.v_free,
            q: if scheme == Scheme::Carried { self.carried.q() } else { &self.mid.q },
            diagonal: &self.diagonal,
            added: if scheme == Scheme::Carried { &self.added } else { &[] },
            ws: &self.ws,
        }
    }

    /// Second half of a step: positions follow from the velocity `v_next` that came out, and loops are settled.
    pub fn finish(
        &mut self,
        model: &Model,
        state: &mut State,
        v_next: &[f64],
        dt: f64,
        scheme: Scheme,
    ) -> Projection {
        match scheme {
            Scheme::SemiImplicit => integrate(model, &mut state.q, v_next, dt),
            Scheme::Midpoint { .. } => {
                for k in 0..model.n_v() {
                    self.mid.v[k] = 0.5 * (state.v[k] + v_next[k]);
                }
                integrate(model, &mut state.q, &self.mid.v, dt);
            }
            Scheme::Carried => state.q.copy_from_slice(self.carried.q()),
            Scheme::Rk4 => {
                // the free motion by the four slopes, then what contacts added, over the step
                self.combine(model, state, dt);
                for k in 0..model.n_v() {
                    self.mid.v[k] = v_next[k] - state.v[k];
                }
                integrate(model, &mut state.q, &self.mid.v, dt);
            }
        }
        state.v.copy_from_slice(v_next);
        if self.has_constraints {
            return self.solver.settle(model, state, &mut self.ws);
        }
        Projection { iterations: 0, error: 0.0 }
    }

    fn euler(&mut self, model: &Model, state: &State, tau: &[f64], external: &[Force], dt: f64, held: bool) {
        self.tau.copy_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        accelerate(model, state, &load, held, &mut self.solver, &mut self.ws);
        for k in 0..model.n_v() {
            self.v_free[k] = state.v[k] + dt * self.ws.qdd[k];
        }
        self.mid.q.copy_from_slice(&state.q);
    }

    fn midpoint(
        &mut self,
        model: &Model,
        state: &State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
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

    pub(crate) fn carry(&mut self, model: &Model, state: &State, tau: &[f64], external: &[Force], dt: f64) {
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

    fn rk4(&mut self, model: &Model, state: &State, tau: &[f64], external: &[Force], dt: f64, held: bool) {
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
