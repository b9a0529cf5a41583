//! One solve of a step under a change: v_out from v_in by impulses whose modes stay.
//!
//! ```text
//!     M̃ (v_out − v_in) = Jᵀ λ + Eᵀ μ,       what is held stays held
//! ```
//! A step has up to three: contacts, what bounces, and overlap undone (impulses along normals alone, on what positions
//! follow). After it, loops settle velocities by one more without contacts.

mod build;
mod solve;
mod stress;

use gudgeon_contact::{Adjoint, ContactChange, ContactLinear, GraphSolve, ImplicitSolve, LinkChange};
use gudgeon_multibody::{
    ConstraintRows, DynamicsDerivative, LinkId, LoopDerivative, MassFactor, MassMatrix, Model, ModelShares,
    RankRevealing, Rows, State, Sums, Whitened, Workspace,
};
use gudgeon_spatial::{Force, Motion, Vector3, Vector6};

use super::paths::Paths;

/// A row of one dof that is held: a limit, a motor within its bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DofRow {
    pub(crate) dof: usize,
    pub(crate) sign: f64,
    /// δbias over δq of its dof, 1/s.
    pub(crate) slope: f64,
    pub(crate) compliance: f64,
    /// Which row of the step it is: limits, then bounded rows.
    pub(crate) of: usize,
    /// C λ, rad/s or m/s.
    pub(crate) pull: f64,
}

/// A row along a path that is held, or that pushes with what it may.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PathRow {
    pub(crate) path: usize,
    pub(crate) sign: f64,
    /// δbias over δl, 1/s.
    pub(crate) slope: f64,
    pub(crate) compliance: f64,
    /// Which row of the step it is.
    pub(crate) of: usize,
    pub(crate) impulse: f64,
    pub(crate) holds: bool,
}

/// A solve at its answer, ready for products.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each a choice of its own")]
pub(crate) struct Stage {
    pub(crate) contacts: Vec<(usize, ContactLinear)>, // by index in the step
    pub(crate) dof_rows: Vec<DofRow>,
    path_rows: Vec<PathRow>,
    first_dof_row: usize,
    first_path_row: usize,
    first_loop_row: usize,
    n_loop_rows: usize,
    implicit: ImplicitSolve,
    graph: GraphSolve,
    by_graph: bool,           // rows are solved on the graph of links
    islands: [Vec<usize>; 2], // by link: that it belongs to, and rows of it; scratch
    dynamics: DynamicsDerivative,
    loops: LoopDerivative,
    mu: Vec<f64>,
    velocity: Vec<Motion>, // field of v_out
    v_out: Vec<f64>,
    y: Vec<f64>,         // v_out − v_in
    v_stress: Vec<f64>,  // v' of loads that are shared evenly
    stress: Vec<Motion>, // field of v'
    mass: MassMatrix,
    factor: MassFactor,
    constraints: ConstraintRows,
    rank: RankRevealing,
    whitened: Whitened,
    rows: Rows,
    soft: Vec<(usize, f64)>, // rows and what they were softened by
    sc: StageScratch,
    redundant: usize, // rows that said nothing new
    dense: bool,      // ∂τ/∂q as a matrix
    /// Its solve shares loads evenly.
    pub(crate) shared: bool,
    /// Contacts that say nothing new share evenly.
    pub(crate) even: bool,
    pub(crate) active: bool,
}

#[derive(Debug, Clone, Default)]
struct StageScratch {
    moved: Vec<Motion>,
    varied: Vec<Motion>,
    forces: Vec<Force>,
    on_varied: Vec<Force>,
    r: Vec<f64>,
    stress: Vec<f64>, // right-hand sides of the next order, or their shares
    on_shapes: Vec<[Vector6<f64>; 2]>,
    f: Vec<f64>,
    loop_rows: Vec<f64>,
    external: Vec<Force>,
    dense: Vec<f64>,
    sums: Sums,
}

/// Where a stage stands: the position, and the inertia with its diagonal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing<'a> {
    pub(crate) state: &'a State,
    pub(crate) ws: &'a Workspace,
    /// Diagonal in place of the armature; or empty.
    pub(crate) diagonal: &'a [f64],
    /// Whether loops are part of the solve.
    pub(crate) loops: bool,
    /// By dof: follows a given motion.
    pub(crate) locked: &'a [bool],
    /// Inertia and its factor, where they are there already.
    pub(crate) made: Option<(&'a MassMatrix, &'a MassFactor)>,
    /// Whether the solve shares loads evenly where nothing determines them.
    pub(crate) shared: bool,
    /// What rows along paths are rows of.
    pub(crate) paths: &'a Paths,
}

/// Changes of a stage besides those of position and velocity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Changes<'a> {
    /// By contact of the step.
    pub(crate) contacts: &'a [ContactChange],
    /// Twists of shapes alone, by contact of the step: about the contact point; or empty.
    pub(crate) shapes: &'a [[Vector6<f64>; 2]],
    /// Bias by row of a dof, in the numbering of the step; or empty.
    pub(crate) dof_bias: &'a [f64],
    /// Generalised impulses of rows at their bounds, n_v; or empty.
    pub(crate) impulses: &'a [f64],
    /// What rows along paths are rows of.
    pub(crate) paths: &'a Paths,
}

impl Stage {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            contacts: Vec::new(),
            dof_rows: Vec::new(),
            path_rows: Vec::new(),
            first_dof_row: 0,
            first_path_row: 0,
            first_loop_row: 0,
            n_loop_rows: 0,
            implicit: ImplicitSolve::default(),
            graph: GraphSolve::default(),
            by_graph: false,
            islands: [Vec::new(), Vec::new()],
            dynamics: DynamicsDerivative::default(),
            loops: LoopDerivative::default(),
            mu: Vec::new(),
            velocity: Vec::new(),
            v_out: vec![0.0; model.n_v()],
            y: vec![0.0; model.n_v()],
            v_stress: Vec::new(),
            stress: Vec::new(),
            mass: MassMatrix::new(model),
            factor: MassFactor::new(model),
            constraints: ConstraintRows::default(),
            rank: RankRevealing::default(),
            whitened: Whitened::default(),
            rows: Rows::new(),
            soft: Vec::new(),
            sc: StageScratch::default(),
            redundant: 0,
            dense: false,
            shared: false,
            even: false,
            active: false,
        }
    }

    /// Inertia and its factor.
    pub(crate) fn inertia(&self) -> (&MassMatrix, &MassFactor) {
        (&self.mass, &self.factor)
    }

    /// Rows that said nothing new.
    pub(crate) fn deficient(&self) -> usize {
        self.redundant
    }

    /// δλ of the rows of a contact in the last product: the first one's is the normal's.
    pub(crate) fn impulse_change(&self, place: usize) -> Option<[f64; 3]> {
        let (_, c) = self.contacts.iter().find(|(i, _)| *i == place)?;
        Some(std::array::from_fn(|k| if k < c.n_rows() { self.sc.r[c.first + k] } else { 0.0 }))
    }

    /// δλ of a contact in the last product as a vector, and whether it slides.
    pub(crate) fn impulse_share(&self, place: usize) -> Option<(Vector3<f64>, bool)> {
        let (_, c) = self.contacts.iter().find(|(i, _)| *i == place)?;
        let d = self.impulse_change(place)?;
        let axes = std::iter::once(&c.held.normal).chain(c.across().iter().flatten());
        let sum = axes.zip(d).map(|(e, x)| e * x).sum();
        Some((sum, c.held.sliding != gudgeon_contact::Sliding::Not))
    }

    /// Whether contacts that push say less than they are, on dense blocks, and may contradict each other.
    pub(crate) fn may_contradict(&self) -> bool {
        self.active && !self.by_graph && self.redundant > 0 && self.over_held()
    }

    /// Change of a sticking contact's friction along a unit vector, and of the radius of its cone.
    pub(crate) fn friction_change(&self, place: usize, along: &Vector3<f64>) -> Option<(f64, f64)> {
        let (_, c) = self.contacts.iter().find(|(i, _)| *i == place)?;
        let d = self.impulse_change(place)?;
        let friction = c.across().iter().flatten().zip(&d[1..]).map(|(e, x)| e.dot(along) * x).sum();
        Some((friction, c.held.mu * d[0]))
    }

    /// Whether contacts that say nothing new may contradict the others, or share friction in other ways.
    pub(crate) fn over_held(&self) -> bool {
        use gudgeon_contact::Sliding;
        !self.even
            && self.contacts.iter().any(|(_, c)| c.held.stiffness > 0.0 || c.held.sliding != Sliding::Not)
    }

    /// `dv` ← δv_out from δv_in, for a change `dq` of the position.
    pub(crate) fn jvp(&mut self, model: &Model, dq: &[f64], change: Changes<'_>, dv: &mut [f64]) {
        let rows = self.n_rows();
        let sc = &mut self.sc;
        let fields = &self.dynamics.fields;
        fields.spread(model, dq, &mut sc.moved);
        fields.vary(model, &self.v_out, &sc.moved, &mut sc.varied);
        sc.forces.clear();
        sc.forces.resize(model.n_links(), Force::zero());
        sc.r.clear();
        sc.r.resize(rows, 0.0);
        for (place, c) in &self.contacts {
            let none = ContactChange::default();
            let own = change.contacts.get(*place).unwrap_or(&none);
            let shapes = change.shapes.get(*place);
            let links = LinkChange { moved: &sc.moved, varied: &sc.varied };
            c.jvp(fields, &links, shapes, own, &mut sc.r, &mut sc.forces);
        }
        for (k, row) in self.dof_rows.iter().enumerate() {
            let bias = change.dof_bias.get(row.of).copied().unwrap_or(0.0);
            sc.r[self.first_dof_row + k] = -(row.slope * dq[row.dof] + bias);
        }
        if self.n_loop_rows > 0 {
            self.loops.velocity_jvp(fields, &self.velocity, &sc.varied, &sc.moved, &mut sc.loop_rows);
            self.loops.bend_velocity_jvp(&self.v_out, dq, &mut sc.loop_rows);
            for (k, x) in sc.loop_rows.iter().enumerate() {
                sc.r[self.first_loop_row + k] = -x;
            }
            self.loops.force_jvp(fields, &self.mu, &sc.moved, &mut sc.forces);
        }
        sc.f.clear();
        sc.f.resize(model.n_v(), 0.0);
        sc.f.iter_mut().zip(change.impulses).for_each(|(f, x)| *f += x);
        let mut at = self.first_path_row;
        for row in &self.path_rows {
            let (paths, path) = (change.paths, row.path);
            paths.add_turned(path, row.sign * row.impulse, dq, |dof, x| sc.f[dof] += x);
            if row.holds {
                let bias = change.dof_bias.get(row.of).copied().unwrap_or(0.0);
                let turned = paths.turned(path, dq, &self.v_out);
                let longer = row.slope * paths.lengthening(path, dq);
                sc.r[at] = -(row.sign * (turned + longer) + bias);
                at += 1;
            }
        }
        fields.gather(model, &mut sc.forces, &mut sc.f);
        if self.n_loop_rows > 0 {
            self.loops.bend_force_jvp(&self.mu, dq, &mut sc.f);
        }
        self.stress_jvp(model, dq, change);
        let sc = &mut self.sc;
        if self.dense {
            self.dynamics.q.multiply_add(model, -1.0, dq, &mut sc.f);
        } else {
            self.dynamics.sweep(model, -1.0, (dq, &[]), &mut sc.sums, &mut sc.f);
        }
        self.solve_jvp(model, dv);
    }

    /// The transpose: `w` on δv_out becomes the share of δv_in; that of the position is added to `on_q`. `contact` is given
    /// each contact's place and adjoint, `dof_row` each dof row's bias share. Answers the pairing of generalised impulses.
    pub(crate) fn vjp(
        &mut self,
        model: &Model,
        paths: &Paths,
        w: &mut [f64],
        on_q: &mut [f64],
        mut contact: impl FnMut(usize, &ContactLinear, &Adjoint),
        mut dof_row: impl FnMut(&DofRow, f64),
    ) -> &[f64] {
        let rows = self.n_rows();
        let sc = &mut self.sc;
        let fields = &self.dynamics.fields;
        sc.f.clear();
        sc.f.resize(model.n_v(), 0.0);
        sc.r.clear();
        sc.r.resize(rows, 0.0);
        sc.stress.clear();
        if self.by_graph {
            self.graph.vjp(model, fields, w, &mut sc.f, &mut sc.r);
        } else {
            sc.stress.resize(if self.even { rows } else { 0 }, 0.0);
            let shares = (&mut sc.r[..], &mut sc.stress[..]);
            self.implicit.vjp_under(model, &self.factor, w, &mut sc.f, shares);
        }
        if self.dense {
            self.dynamics.q.multiply_transposed_add(model, -1.0, &sc.f, on_q);
        } else {
            self.dynamics.sweep_transposed(model, -1.0, &sc.f, &mut sc.sums, (on_q, &mut []));
        }
        fields.spread(model, &sc.f, &mut sc.moved);
        for list in [&mut sc.forces, &mut sc.on_varied] {
            list.clear();
            list.resize(model.n_links(), Force::zero());
        }
        self.stress_vjp(model, paths, on_q);
        let sc = &mut self.sc;
        let fields = &self.dynamics.fields;
        for (k, (place, c)) in self.contacts.iter().enumerate() {
            // nothing of the bias' share falls on the gap besides the law's own
            let mut adjoint = c.vjp(fields, &sc.moved, &sc.r, &mut sc.forces, &mut sc.on_varied, |_| 0.0);
            if let Some([a, b]) = sc.on_shapes.get(k) {
                adjoint.on_a += a;
                adjoint.on_b += b;
            }
            contact(*place, c, &adjoint);
        }
        for (k, row) in self.dof_rows.iter().enumerate() {
            let share = -sc.r[self.first_dof_row + k];
            on_q[row.dof] += row.slope * share;
            dof_row(row, share);
        }
        let mut at = self.first_path_row;
        for row in &self.path_rows {
            paths.share_turned(row.path, row.sign * row.impulse, &sc.f, on_q);
            if row.holds {
                let share = -sc.r[at];
                paths.share_turned(row.path, row.sign * share, &self.v_out, on_q);
                paths.share_lengthening(row.path, row.sign * row.slope * share, on_q);
                let (compliance, pull) = (row.compliance, row.compliance * row.impulse);
                let of = row.of;
                dof_row(&DofRow { dof: 0, sign: 1.0, slope: 0.0, compliance, of, pull }, share);
                at += 1;
            }
        }
        if self.n_loop_rows > 0 {
            sc.loop_rows.clear();
            sc.loop_rows.extend(sc.r[self.first_loop_row..].iter().map(|x| -x));
            let rows = &sc.loop_rows;
            self.loops.velocity_vjp(fields, &self.velocity, rows, &mut sc.on_varied, &mut sc.forces);
            self.loops.force_vjp(fields, &self.mu, &sc.moved, &mut sc.forces);
            self.loops.bend_velocity_vjp(&self.v_out, rows, on_q);
            self.loops.bend_force_vjp(&self.mu, &sc.f, on_q);
        }
        fields.vary_transposed(model, &self.v_out, &mut sc.on_varied, &mut sc.forces);
        fields.gather(model, &mut sc.forces, on_q);
        &sc.f
    }

    /// Adds the shares of the model's parameters after [`Self::vjp`], where the diagonal holds armature, dt D and dt² K.
    pub(crate) fn parameter_shares(
        &self,
        model: &Model,
        ws: &Workspace,
        dt: f64,
        passive: bool,
        to: &mut ModelShares,
    ) {
        let fields = &self.dynamics.fields;
        for i in 1..model.n_links() {
            let here = |m: Motion| m.at(&(fields.origin[i] - fields.reference[i]));
            let link = LinkId(i);
            let x = here(self.sc.moved[i]);
            let a = here(self.dynamics.acceleration[i]);
            let inertia = &model.link(link).inertia;
            let gradient =
                gudgeon_multibody::inertia_gradient(&ws.pose(link).rotation, inertia, x, Motion::zero(), a);
            to.inertia[i].add(-1.0, &gradient);
        }
        for k in 0..model.n_v() {
            let share = self.sc.f[k] * self.y[k];
            to.armature[k] -= share;
            if passive {
                to.damping[k] -= dt * share;
                to.stiffness[k] -= dt * dt * share;
            }
        }
    }
}
