//! Forces that hold loops and couplings, and projection back onto them.
//!
//! ```text
//!     [ M  -Jᵀ ] [ q̈ ]   [ τ - C ]
//!     [ J   0  ] [ λ ] = [  -γ   ]      ⇔   W λ = -(J q̈_free + γ),   q̈ = q̈_free + M⁻¹ Jᵀ λ      [RBDA (8.5)]
//! ```
//! W = J M⁻¹ Jᵀ comes from the sparse factor; W may be singular (redundant loops); q̈ is unique all the same,
//! and λ is made the one of least norm when asked for. Positions are held by Newton steps in the metric of M after each time step,
//! δ = -M⁻¹ Jᵀ W⁺ g, velocities by v ← v - M⁻¹ Jᵀ W⁺ J v. Nothing is stabilised with made-up springs.

use crate::aba::{Load, Prescribed, forward_dynamics};
use crate::constraint::{ConstraintRows, RankRevealing};
use crate::crba::{MassMatrix, mass_matrix_with};
use crate::delassus::Whitened;
use crate::integrate::integrate;
use crate::kinematics::{kinematics, velocities};
use crate::ltl::MassFactor;
use crate::model::{Model, State};
use crate::workspace::Workspace;

/// How a projection went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// Newton steps taken.
    pub iterations: usize,
    /// Largest position error left, m or rad; infinite if the state is not finite.
    pub error: f64,
}

/// Scratch and settings for models with loops; keeps its memory.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintSolver {
    /// Position error at which projection stops, m or rad: a thousandfold below the 1e-9 m that loops must hold,
    /// a thousandfold above rounding at human scale.
    pub tolerance: f64,
    /// Newton steps allowed; two are usual.
    pub max_iterations: usize,
    constraints: ConstraintRows,
    mass: MassMatrix,
    factor: MassFactor,
    whitened: Whitened,
    w: Vec<f64>, // m × m
    rank: RankRevealing,
    rhs: Vec<f64>,    // m
    lambda: Vec<f64>, // m
    x: Vec<f64>,      // nv
}

impl ConstraintSolver {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            tolerance: 1e-12,
            max_iterations: 20,
            constraints: ConstraintRows::default(),
            mass: MassMatrix::new(model),
            factor: MassFactor::new(model),
            whitened: Whitened::default(),
            w: Vec::new(),
            rank: RankRevealing::default(),
            rhs: Vec::new(),
            lambda: Vec::new(),
            x: vec![0.0; model.n_v()],
        }
    }

    /// Constraint forces of the last solve, of least norm if loops are redundant: N at points, N m at axes,
    /// generalised at couplings.
    pub fn forces(&mut self) -> &[f64] {
        if self.lambda.iter().any(|x| *x != 0.0) {
            self.rank.make_least_norm(&mut self.lambda);
        }
        &self.lambda
    }

    /// The rows of the last solve.
    pub fn constraints(&self) -> &ConstraintRows {
        &self.constraints
    }

    /// Number of independent rows in the last solve.
    pub fn rank(&self) -> usize {
        self.rank.rank()
    }

    /// Accelerations with loops and couplings held; answer in `ws.qdd()`, forces in [`Self::forces`].
    ///
    /// Prescribed joints keep their given motion; their forces in `ws.tau()` are those of the tree alone plus the
    /// loops' share.
    pub fn forward_dynamics(&mut self, model: &Model, state: &State, load: &Load<'_>, ws: &mut Workspace) {
        forward_dynamics(model, state, load, ws);
        if model.loops.is_empty() && model.couplings.is_empty() {
            self.lambda.clear();
            return;
        }
        self.constraints.positions(model, state, ws);
        self.constraints.velocity_terms(model, ws);
        let qdd = std::mem::take(&mut ws.qdd);
        self.rhs.clear();
        for i in 0..self.constraints.rows.len() {
            let free = self.constraints.rows.dot(i, &qdd);
            self.rhs.push(-(free + self.constraints.gamma[i]));
        }
        ws.qdd = qdd;
        self.solve(model, load, ws);

        // q̈ += M⁻¹ Jᵀ λ; driven dofs do not answer but feel the force
        for (k, x) in self.x.iter().enumerate() {
            ws.qdd[k] += x;
        }
        if let Some(prescribed) = load.prescribed {
            self.driving_forces(model, state, load, prescribed, ws);
        }
    }

    /// With every acceleration known, inverse dynamics names what the driven joints exert.
    fn driving_forces(
        &mut self,
        model: &Model,
        state: &State,
        load: &Load<'_>,
        prescribed: &Prescribed,
        ws: &mut Workspace,
    ) {
        let qdd = std::mem::take(&mut ws.qdd);
        crate::rnea(model, state, &qdd, load.external, ws);
        ws.qdd = qdd;

        // full rows again: those of the solve had the driven dofs struck out
        kinematics(model, &state.q, ws);
        self.constraints.positions(model, state, ws);
        for (i, lambda) in self.lambda.iter().enumerate() {
            self.constraints.rows.add_to(i, -lambda, &mut ws.tau);
        }
        for dof in 0..model.n_v() {
            if !prescribed.drives(model, dof) {
                ws.tau[dof] = load.tau[dof];
            }
        }
    }

    /// Removes from `state.v` whatever breaks a loop or coupling; answers the largest row velocity found.
    pub fn project_velocities(&mut self, model: &Model, state: &mut State, ws: &mut Workspace) -> f64 {
        self.velocities_with(model, state, None, ws)
    }

    /// Moves `state.q` onto the loops and couplings by Newton's method in the metric of M.
    pub fn project_positions(&mut self, model: &Model, state: &mut State, ws: &mut Workspace) -> Projection {
        self.positions_with(model, state, None, ws)
    }

    fn velocities_with(
        &mut self,
        model: &Model,
        state: &mut State,
        prescribed: Option<&Prescribed>,
        ws: &mut Workspace,
    ) -> f64 {
        kinematics(model, &state.q, ws);
        self.constraints.positions(model, state, ws);
        self.rhs.clear();
        let mut largest: f64 = 0.0;
        for i in 0..self.constraints.rows.len() {
            let rate = self.constraints.rows.dot(i, &state.v);
            largest = largest.max(rate.abs());
            self.rhs.push(-rate);
        }
        if !self.rhs.is_empty() {
            self.solve(model, &Load { prescribed, ..Load::default() }, ws);
            for (v, x) in state.v.iter_mut().zip(&self.x) {
                *v += x;
            }
        }
        largest
    }

    fn positions_with(
        &mut self,
        model: &Model,
        state: &mut State,
        prescribed: Option<&Prescribed>,
        ws: &mut Workspace,
    ) -> Projection {
        let mut iterations = 0;
        let mut last = f64::INFINITY;
        loop {
            kinematics(model, &state.q, ws);
            self.constraints.positions(model, state, ws);
            let error = self.constraints.largest();
            // close to the answer Newton's method squares the error; where it no longer does, rounding is reached
            let stuck = iterations > 1 && error < 1e-9 && error > 0.5 * last;
            if error <= self.tolerance || stuck || iterations == self.max_iterations || error.is_infinite() {
                return Projection { iterations, error };
            }
            last = error;
            self.rhs.clear();
            self.rhs.extend(self.constraints.g.iter().map(|g| -g));
            self.solve(model, &Load { prescribed, ..Load::default() }, ws);
            integrate(model, &mut state.q, &self.x, 1.0);
            iterations += 1;
        }
    }

    /// λ = W⁺ rhs and x = M⁻¹ Jᵀ λ for the rows at hand.
    fn solve(&mut self, model: &Model, load: &Load<'_>, ws: &Workspace) {
        mass_matrix_with(model, ws, load.added, &mut self.mass);
        if !load.diagonal.is_empty() {
            for (k, x) in self.x.iter_mut().enumerate() {
                *x = load.diagonal[k] - model.dofs[k].armature;
            }
            self.mass.add_diagonal(model, &self.x);
        }
        if let Some(prescribed) = load.prescribed {
            self.mass.lock(model, |dof| prescribed.drives(model, dof));
            self.constraints.rows.zero_dofs(|dof| prescribed.drives(model, dof));
        }
        if self.factor.factor(model, &self.mass).is_err() {
            // only a state that is not finite gets here, for the builder refuses models without inertia: let it show
            self.lambda.clear();
            self.lambda.resize(self.rhs.len(), f64::NAN);
            self.x.fill(f64::NAN);
            return;
        }
        self.whitened.compute(model, &self.factor, &self.constraints.rows);
        self.whitened.delassus(&mut self.w);
        // rows are exact to 1e-16 of the largest, so W to 1e-32 of its largest entry; gaps of 1e-12 m between links of
        // one body make rows of 1e-12: 1e-22 keeps clear of both and of mass ratios up to 1e18
        let m = self.rhs.len();
        let largest = (0..m).fold(0.0, |d: f64, i| d.max(self.w[i * m + i]));
        self.rank.factor(&self.w, m, |_| 1e-22 * largest);
        self.lambda.clear();
        self.lambda.resize(self.rhs.len(), 0.0);
        self.rank.solve_basic(&self.rhs, &mut self.lambda);
        self.x.fill(0.0);
        for (i, lambda) in self.lambda.iter().enumerate() {
            self.constraints.rows.add_to(i, *lambda, &mut self.x);
        }
        self.factor.solve(model, &mut self.x);
    }

    /// Positions and velocities settled on the constraints, and link velocities refreshed.
    pub fn settle(&mut self, model: &Model, state: &mut State, ws: &mut Workspace) -> Projection {
        self.settle_with(model, state, None, ws)
    }

    /// As [`Self::settle`], with prescribed joints left where they are.
    pub fn settle_with(
        &mut self,
        model: &Model,
        state: &mut State,
        prescribed: Option<&Prescribed>,
        ws: &mut Workspace,
    ) -> Projection {
        let projection = self.positions_with(model, state, prescribed, ws);
        self.velocities_with(model, state, prescribed, ws);
        velocities(model, &state.v, ws);
        projection
    }
}
