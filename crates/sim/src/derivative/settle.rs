//! Positions settled on loops under a change (see `ConstraintSolver::settle`).
//!
//! ```text
//!     q* = q ⊕ δ,   M(q) δ = J(q)ᵀ κ,   g(q*) = 0
//!     M δδ = Jᵀ δκ + δJᵀ κ − δM δ,     J(q*) δq* = 0,    δq* = turned back δq + Jr(δ) δδ
//! ```

use gudgeon_contact::ImplicitSolve;
use gudgeon_multibody::{
    ConstraintRows, DynamicsDerivative, LinkId, LoopDerivative, MassFactor, MassMatrix, Model, ModelShares,
    RankRevealing, State, Whitened, Workspace, difference, inertia_gradient, integrate_jvp, integrate_vjp,
    kinematics, mass_matrix,
};
use gudgeon_spatial::{Force, Motion, Vector3};

#[derive(Debug, Clone)]
pub(crate) struct Settle {
    delta: Vec<f64>,
    kappa: Vec<f64>,
    here: ConstraintRows,
    there: ConstraintRows,
    loops: LoopDerivative,
    dynamics: DynamicsDerivative,
    implicit: ImplicitSolve,
    mass: MassMatrix,
    factor: MassFactor,
    rank: RankRevealing,
    whitened: Whitened,
    ws: Workspace,
    moved: Vec<Motion>,
    forces: Vec<Force>,
    x: [Vec<f64>; 3],
    r: Vec<f64>,
}

impl Settle {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            delta: vec![0.0; model.n_v()],
            kappa: Vec::new(),
            here: ConstraintRows::default(),
            there: ConstraintRows::default(),
            loops: LoopDerivative::default(),
            dynamics: DynamicsDerivative::default(),
            implicit: ImplicitSolve::default(),
            mass: MassMatrix::new(model),
            factor: MassFactor::new(model),
            rank: RankRevealing::default(),
            whitened: Whitened::default(),
            ws: Workspace::new(model),
            moved: Vec::new(),
            forces: Vec::new(),
            x: std::array::from_fn(|_| vec![0.0; model.n_v()]),
            r: Vec::new(),
        }
    }

    pub(crate) fn build(&mut self, model: &Model, before: &State, after: &State) -> bool {
        difference(model, &before.q, &after.q, &mut self.delta);
        kinematics(model, &after.q, &mut self.ws);
        self.there.positions(model, after, &self.ws);
        kinematics(model, &before.q, &mut self.ws);
        self.here.positions(model, before, &self.ws);
        self.loops.read(model, &before.q, &self.ws);
        mass_matrix(model, &self.ws, &mut self.mass);
        if self.factor.factor(model, &self.mass).is_err() {
            return false;
        }
        let n = self.here.rows.len();
        self.whitened.compute(model, &self.factor, &self.here.rows);
        self.rank.factor_rows(&self.whitened.rows, model.n_v());
        let [f, on, _] = &mut self.x;
        self.mass.multiply(model, &self.delta, f);
        self.factor.solve_g(model, f);
        self.r.clear();
        self.r.extend((0..n).map(|k| self.whitened.rows.dot(k, f)));
        self.kappa.clear();
        self.kappa.resize(n, 0.0);
        self.rank.solve_basic(&self.r, &mut self.kappa);

        self.implicit.begin();
        for k in 0..n {
            // what the change of δ does to the row at the end
            f.fill(0.0);
            on.fill(0.0);
            self.there.rows.add_to(k, 1.0, f);
            integrate_vjp(model, &self.delta, 1.0, f, on);
            let held = self.there.rows.row(k).0.iter().map(|&dof| (dof, on[dof]));
            let (dofs, values) = self.here.rows.row(k);
            self.implicit.push_oblique(held, dofs.iter().copied().zip(values.iter().copied()), 0.0);
        }
        self.implicit.factor(model, &self.factor);
        self.dynamics.fields.read(model, &self.ws);
        self.forces.clear();
        self.forces.resize(model.n_links(), Force::zero());
        self.loops.forces(&self.dynamics.fields, &self.kappa, &mut self.forces);
        f.fill(0.0);
        self.dynamics.compute(model, &self.ws, f, &self.delta, &Vector3::zeros(), &self.forces);
        true
    }

    /// `dq` ← δq*.
    pub(crate) fn jvp(&mut self, model: &Model, dq: &mut [f64]) {
        let [f, t, dd] = &mut self.x;
        let fields = &self.dynamics.fields;
        fields.spread(model, dq, &mut self.moved);
        self.forces.fill(Force::zero());
        self.loops.force_jvp(fields, &self.kappa, &self.moved, &mut self.forces);
        f.fill(0.0);
        fields.gather(model, &mut self.forces, f);
        self.loops.bend_force_jvp(&self.kappa, dq, f);
        self.dynamics.q.multiply_add(model, -1.0, dq, f);
        t.copy_from_slice(dq);
        dd.fill(0.0);
        integrate_jvp(model, &self.delta, 1.0, t, dd);
        self.r.clear();
        self.r.extend((0..self.there.rows.len()).map(|k| -self.there.rows.dot(k, t)));
        self.implicit.jvp(model, &self.factor, f, &mut self.r, dd);
        integrate_jvp(model, &self.delta, 1.0, dq, dd);
    }

    /// The transpose, `w` in place.
    pub(crate) fn vjp(&mut self, model: &Model, w: &mut [f64]) {
        let [f, on, t] = &mut self.x;
        on.fill(0.0);
        integrate_vjp(model, &self.delta, 1.0, w, on);
        self.r.clear();
        self.r.resize(self.there.rows.len(), 0.0);
        self.implicit.vjp(model, &self.factor, on, f, &mut self.r);
        t.fill(0.0);
        for (k, r) in self.r.iter().enumerate() {
            self.there.rows.add_to(k, -r, t);
        }
        on.fill(0.0);
        integrate_vjp(model, &self.delta, 1.0, t, on);
        w.iter_mut().zip(t.iter()).for_each(|(w, t)| *w += t);
        self.dynamics.q.multiply_transposed_add(model, -1.0, f, w);
        let fields = &self.dynamics.fields;
        fields.spread(model, f, &mut self.moved);
        self.forces.fill(Force::zero());
        self.loops.force_vjp(fields, &self.kappa, &self.moved, &mut self.forces);
        fields.gather(model, &mut self.forces, w);
        self.loops.bend_force_vjp(&self.kappa, f, w);
    }

    /// Adds the shares of inertias after [`Self::vjp`].
    pub(crate) fn parameter_shares(&self, model: &Model, to: &mut ModelShares) {
        let fields = &self.dynamics.fields;
        for i in 1..model.n_links() {
            let here = |m: Motion| m.at(&(fields.origin[i] - fields.reference[i]));
            let link = LinkId(i);
            let (x, a) = (here(self.moved[i]), here(self.dynamics.acceleration[i]));
            let rotation = self.ws.pose(link).rotation;
            let inertia = &model.link(link).inertia;
            let gradient = inertia_gradient(&rotation, inertia, x, Motion::zero(), a);
            to.inertia[i].add(-1.0, &gradient);
        }
        for k in 0..model.n_v() {
            to.armature[k] -= self.x[0][k] * self.delta[k];
        }
    }
}
