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
use crate::tolerances::{CLOSED, NEWTON_SQUARES, VELOCITY_ROUNDING};
use crate::workspace::Workspace;

/// Factors serve again where they made an error this much smaller: two more such steps reach rounding.
const NEAR: f64 = 1e-3;

/// Longest step of Newton's method on a coordinate, rad or m: half a radian stays within the branch one is in.
const LONGEST: f64 = 0.5;

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
    rank: RankRevealing,
    rhs: Vec<f64>,    // m
    lambda: Vec<f64>, // m
    first: Vec<f64>,  // m, forces before refinement
    x: Vec<f64>,      // nv
    solves: usize,    // of the last positions that made factors
    at_start: bool,
}

impl ConstraintSolver {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            tolerance: CLOSED,
            max_iterations: 20,
            constraints: ConstraintRows::default(),
            mass: MassMatrix::new(model),
            factor: MassFactor::new(model),
            whitened: Whitened::default(),
            rank: RankRevealing::default(),
            rhs: Vec::new(),
            lambda: Vec::new(),
            first: Vec::new(),
            x: vec![0.0; model.n_v()],
            solves: 0,
            at_start: false,
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

    /// Whether the last velocities were settled in the metric of where positions began to be, M(q) of [RBDA (8.5)], with the rows of where
    /// they ended: so it is where one factor served for all.
    pub fn in_metric_of_start(&self) -> bool {
        self.at_start
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
        self.constraints.velocity_terms(model, state, ws);
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
        } else {
            self.refine(model, ws);
        }
    }

    /// Takes what rounding has left of J q̈ + γ = 0, with the factors at hand.
    fn refine(&mut self, model: &Model, ws: &mut Workspace) {
        self.rhs.clear();
        for i in 0..self.constraints.rows.len() {
            self.rhs.push(-(self.constraints.rows.dot(i, &ws.qdd) + self.constraints.gamma[i]));
        }
        self.first.clone_from(&self.lambda);
        self.answer(model);
        add(&mut ws.qdd, &self.x);
        add(&mut self.lambda, &self.first);
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
        self.velocities_with(model, state, None, false, ws)
    }

    /// Moves `state.q` onto the loops and couplings by Newton's method in the metric of M.
    pub fn project_positions(&mut self, model: &Model, state: &mut State, ws: &mut Workspace) -> Projection {
        self.positions_with(model, state, None, ws)
    }

    /// `near`: the factors of the last solve belong to a position next to this one.
    fn velocities_with(
        &mut self,
        model: &Model,
        state: &mut State,
        prescribed: Option<&Prescribed>,
        near: bool,
        ws: &mut Workspace,
    ) -> f64 {
        kinematics(model, &state.q, ws);
        self.constraints.positions(model, state, ws);
        if self.constraints.g.is_empty() {
            return 0.0;
        }
        let load = Load { prescribed, ..Load::default() };
        let largest = self.measure_velocities(state);
        self.at_start = near && self.solves == 1;
        if near {
            // what the factors of next door leave is smaller by their distance, and taken in a second pass
            self.solve_near(model, &load);
            add(&mut state.v, &self.x);
            // 1e-13 m/s or rad/s is the rounding of a velocity, whatever was asked
            if self.measure_velocities(state) <= (NEAR * largest).max(VELOCITY_ROUNDING) {
                self.solve_near(model, &load);
                add(&mut state.v, &self.x);
                return largest;
            }
        }
        self.at_start = false;
        self.solve(model, &load, ws);
        add(&mut state.v, &self.x);
        largest
    }

    /// rhs = -J v; answers its largest entry.
    fn measure_velocities(&mut self, state: &State) -> f64 {
        self.rhs.clear();
        self.rhs.extend((0..self.constraints.rows.len()).map(|i| -self.constraints.rows.dot(i, &state.v)));
        self.rhs.iter().fold(0.0, |m, x| m.max(x.abs()))
    }

    fn positions_with(
        &mut self,
        model: &Model,
        state: &mut State,
        prescribed: Option<&Prescribed>,
        ws: &mut Workspace,
    ) -> Projection {
        let load = Load { prescribed, ..Load::default() };
        let mut iterations = 0;
        let mut last = f64::INFINITY;
        self.solves = 0;
        loop {
            kinematics(model, &state.q, ws);
            self.constraints.positions(model, state, ws);
            let error = self.constraints.largest();
            // close to the answer Newton's method squares the error; where it no longer does, rounding is reached
            let stuck = iterations > 1 && error < NEWTON_SQUARES && error > 0.5 * last;
            if error <= self.tolerance || stuck || iterations == self.max_iterations || error.is_infinite() {
                return Projection { iterations, error };
            }
            self.rhs.clear();
            self.rhs.extend(self.constraints.g.iter().map(|g| -g));
            if error <= NEAR * last && last.is_finite() {
                self.solve_near(model, &load);
            } else {
                self.solves += 1;
                self.solve(model, &load, ws);
            }
            // near a dead point a small gap asks for a large motion: go there in bounded steps
            let largest = self.x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            // what is left where no motion is asked for are gaps of rows that say nothing new: a file's own digits leave some 1e-8 m
            if iterations > 0 && error > 0.5 * last && largest <= self.tolerance {
                return Projection { iterations, error };
            }
            last = error;
            let scale = if largest > LONGEST { LONGEST / largest } else { 1.0 };
            integrate(model, &mut state.q, &self.x, scale);
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
        self.rank.factor_rows(&self.whitened.rows, model.n_v());
        self.answer(model);
    }

    /// As [`Self::solve`] with the factors of the last solve, for rows that have hardly changed since.
    fn solve_near(&mut self, model: &Model, load: &Load<'_>) {
        if let Some(prescribed) = load.prescribed {
            self.constraints.rows.zero_dofs(|dof| prescribed.drives(model, dof));
        }
        self.answer(model);
    }

    /// λ and x for the right-hand side at hand, with the factors at hand.
    fn answer(&mut self, model: &Model) {
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

    /// Velocities alone settled again, right after [`Self::settle`] at the same positions, and link velocities refreshed.
    pub fn settle_velocities(&mut self, model: &Model, state: &mut State, ws: &mut Workspace) {
        self.velocities_with(model, state, None, true, ws);
        velocities(model, &state.v, ws);
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
        self.velocities_with(model, state, prescribed, projection.iterations > 0, ws);
        velocities(model, &state.v, ws);
        projection
    }
}

fn add(v: &mut [f64], x: &[f64]) {
    v.iter_mut().zip(x).for_each(|(v, x)| *v += x);
}
