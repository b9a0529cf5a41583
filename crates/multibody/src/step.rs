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
mod schemes;
mod welded;

use gudgeon_spatial::{Force, Symmetric3};

use crate::carried::Carried;
use crate::constraint::{ConstraintSolver, Projection};
use crate::crba::{MassMatrix, mass_matrix_with};
use crate::free_body::FreeBodies;
use crate::integrate::integrate;
use crate::load::StepLoad;
use crate::model::{Model, State};
use crate::workspace::Workspace;

use flight::Settling;
pub use flight::{Flight, Trees};
pub(crate) use schemes::accelerate;
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
///     Joint, LinkId, LinkSpec, Loops, MassFactor, MassMatrix, ModelBuilder, Rows, Scheme, State, StepLoad, Stepper, Whitened,
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
/// let free = stepper.free_velocity(&model, &state, &StepLoad { tau: &[0.0; 6], external: &[], dt }, scheme, Loops::Open);
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
        self.free_velocity(model, state, &StepLoad { tau, external, dt }, scheme, Loops::Held);
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
        load: &StepLoad<'_>,
        scheme: Scheme,
        loops: Loops,
    ) -> FreeVelocity<'_> {
        let held = self.has_constraints && loops == Loops::Held;
        match scheme {
            Scheme::SemiImplicit => self.euler(model, state, load, held),
            Scheme::Midpoint { iterations } => {
                self.midpoint(model, state, load, iterations, held);
            }
            Scheme::Carried => self.carry(model, state, load),
            Scheme::Rk4 => self.rk4(model, state, load, held),
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
}
