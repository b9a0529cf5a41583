//! Velocities settled on loops under a change (see `ConstraintSolver::settle`).
//!
//! ```text
//!     M(q₀) (v* − v) = J(q*)ᵀ μ,     J(q*) v* = 0
//!     M δ(v* − v) = Jᵀ δμ + δJᵀ μ − δM (v* − v),     J δv* = −δJ v*
//! ```
//! q* is where positions were settled, q₀ where they came from: the step keeps the factor that it made there. Where it made another, q₀
//! is q*.

use gudgeon_contact::ImplicitSolve;
use gudgeon_multibody::{
    ConstraintRows, DynamicsDerivative, LinkId, LoopDerivative, MassFactor, MassMatrix, Model, ModelShares,
    RankRevealing, State, Whitened, Workspace, inertia_gradient, kinematics, mass_matrix,
};
use gudgeon_spatial::{Force, Motion, Vector3};

#[derive(Debug, Clone)]
pub(crate) struct Settled {
    at_start: bool,
    metric: DynamicsDerivative, // of M y at q₀
    held: DynamicsDerivative,   // of Jᵀ μ at q*, forces staying in space
    loops: LoopDerivative,
    rows: ConstraintRows,
    implicit: ImplicitSolve,
    mass: MassMatrix,
    factor: MassFactor,
    rank: RankRevealing,
    whitened: Whitened,
    start: Workspace,
    mu: Vec<f64>,
    y: Vec<f64>, // v* − v
    v: Vec<f64>, // v*
    velocity: Vec<Motion>,
    moved: Vec<Motion>,
    varied: Vec<Motion>,
    forces: Vec<Force>,
    on_varied: Vec<Force>,
    f: Vec<f64>,
    r: Vec<f64>,
    zero: Vec<f64>,
}

impl Settled {
    pub(crate) fn new(model: &Model) -> Self {
        let list = || vec![0.0; model.n_v()];
        Self {
            at_start: false,
            metric: DynamicsDerivative::default(),
            held: DynamicsDerivative::default(),
            loops: LoopDerivative::default(),
            rows: ConstraintRows::default(),
            implicit: ImplicitSolve::default(),
            mass: MassMatrix::new(model),
            factor: MassFactor::new(model),
            rank: RankRevealing::default(),
            whitened: Whitened::default(),
            start: Workspace::new(model),
            mu: Vec::new(),
            y: list(),
            v: list(),
            velocity: Vec::new(),
            moved: Vec::new(),
            varied: Vec::new(),
            forces: Vec::new(),
            on_varied: Vec::new(),
            f: list(),
            r: Vec::new(),
            zero: list(),
        }
    }

    /// From `before` (q₀ and v) to `after` (q*) with velocities `v`; `end` has the kinematics of q*.
    pub(crate) fn build(
        &mut self,
        model: &Model,
        before: &State,
        after: &State,
        v: &[f64],
        end: &Workspace,
        at_start: bool,
    ) -> bool {
        self.at_start = at_start;
        kinematics(model, if at_start { &before.q } else { &after.q }, &mut self.start);
        mass_matrix(model, &self.start, &mut self.mass);
        if self.factor.factor(model, &self.mass).is_err() {
            return false;
        }
        self.v.copy_from_slice(v);
        for k in 0..v.len() {
            self.y[k] = v[k] - before.v[k];
        }
        self.rows.positions(model, after, end);
        self.loops.read(model, &after.q, end);
        let n = self.rows.rows.len();
        self.whitened.compute(model, &self.factor, &self.rows.rows);
        self.rank.factor_rows(&self.whitened.rows, model.n_v());
        self.mass.multiply(model, &self.y, &mut self.f);
        self.factor.solve_g(model, &mut self.f);
        self.r.clear();
        self.r.extend((0..n).map(|k| self.whitened.rows.dot(k, &self.f)));
        self.mu.clear();
        self.mu.resize(n, 0.0);
        self.rank.solve_basic(&self.r, &mut self.mu);
        self.implicit.begin();
        for k in 0..n {
            let (dofs, values) = self.rows.rows.row(k);
            self.implicit.push(dofs.iter().copied().zip(values.iter().copied()), 0.0);
        }
        self.implicit.factor(model, &self.factor);
        let none = Vector3::zeros();
        self.metric.compute(model, &self.start, &self.zero, &self.y, &none, &[]);
        self.held.fields.read(model, end);
        self.held.fields.spread(model, v, &mut self.velocity);
        self.reset_forces(model);
        self.loops.forces(&self.held.fields, &self.mu, &mut self.forces);
        self.held.compute(model, end, &self.zero, &self.zero, &none, &self.forces);
        true
    }

    fn reset_forces(&mut self, model: &Model) {
        for list in [&mut self.forces, &mut self.on_varied] {
            list.clear();
            list.resize(model.n_links(), Force::zero());
        }
    }

    /// `dv` ← δv* from δv, for changes of q₀ and q*.
    pub(crate) fn jvp(&mut self, model: &Model, dq_start: &[f64], dq: &[f64], dv: &mut [f64]) {
        self.reset_forces(model);
        let fields = &self.held.fields;
        fields.spread(model, dq, &mut self.moved);
        fields.vary(model, &self.v, &self.moved, &mut self.varied);
        self.loops.velocity_jvp(fields, &self.velocity, &self.varied, &self.moved, &mut self.r);
        self.loops.bend_velocity_jvp(&self.v, dq, &mut self.r);
        self.r.iter_mut().for_each(|x| *x = -*x);
        self.loops.force_jvp(fields, &self.mu, &self.moved, &mut self.forces);
        self.f.fill(0.0);
        fields.gather(model, &mut self.forces, &mut self.f);
        self.loops.bend_force_jvp(&self.mu, dq, &mut self.f);
        self.held.q.multiply_add(model, -1.0, dq, &mut self.f);
        self.metric.q.multiply_add(model, -1.0, if self.at_start { dq_start } else { dq }, &mut self.f);
        self.implicit.jvp(model, &self.factor, &mut self.f, &mut self.r, dv);
    }

    /// The transpose: `w` on δv* becomes the share of δv; those of the positions are added to `on_start` and `on_q`.
    pub(crate) fn vjp(&mut self, model: &Model, w: &mut [f64], on_start: &mut [f64], on_q: &mut [f64]) {
        self.reset_forces(model);
        self.f.fill(0.0);
        self.r.clear();
        self.r.resize(self.implicit.len(), 0.0);
        self.implicit.vjp(model, &self.factor, w, &mut self.f, &mut self.r);
        let metric_q = if self.at_start { on_start } else { &mut *on_q };
        self.metric.q.multiply_transposed_add(model, -1.0, &self.f, metric_q);
        self.held.q.multiply_transposed_add(model, -1.0, &self.f, on_q);
        self.r.iter_mut().for_each(|x| *x = -*x);
        let fields = &self.held.fields;
        fields.spread(model, &self.f, &mut self.moved);
        self.loops.velocity_vjp(fields, &self.velocity, &self.r, &mut self.on_varied, &mut self.forces);
        self.loops.force_vjp(fields, &self.mu, &self.moved, &mut self.forces);
        fields.vary_transposed(model, &self.v, &mut self.on_varied, &mut self.forces);
        fields.gather(model, &mut self.forces, on_q);
        self.loops.bend_velocity_vjp(&self.v, &self.r, on_q);
        self.loops.bend_force_vjp(&self.mu, &self.f, on_q);
    }

    /// Adds the shares of inertias after [`Self::vjp`].
    pub(crate) fn parameter_shares(&mut self, model: &Model, to: &mut ModelShares) {
        let fields = &self.metric.fields;
        fields.spread(model, &self.f, &mut self.moved);
        for i in 1..model.n_links() {
            let here = |m: Motion| m.at(&(fields.origin[i] - fields.reference[i]));
            let link = LinkId(i);
            let (x, a) = (here(self.moved[i]), here(self.metric.acceleration[i]));
            let rotation = self.start.pose(link).rotation;
            let gradient = inertia_gradient(&rotation, &model.link(link).inertia, x, Motion::zero(), a);
            to.inertia[i].add(-1.0, &gradient);
        }
        for k in 0..model.n_v() {
            to.armature[k] -= self.f[k] * self.y[k];
        }
    }
}
