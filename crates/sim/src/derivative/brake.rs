//! Islands slowed down to the energy they had, under a change (see `simulator/guard`).
//!
//! ```text
//!     v_out = s v,     s² = (E − V⁺)/T⁺,     δs = (δE − δV⁺ − s² δT⁺)/(2 s T⁺)
//! ```
//! for islands that stand on the world: E at the start of the step, V⁺ and T⁺ at its end. Those that fly keep the motion of
//! the whole besides; of them the derivative takes s as it is, and they are named.

use gudgeon_multibody::{Fields, LinkId, MassMatrix, Model, ModelShares, State, Workspace, mass_matrix};
use gudgeon_spatial::{Force, Motion, Vector3};

use crate::tape::Brake;

/// Gradients of energies at a state, by dof.
#[derive(Debug, Clone, Default)]
struct Energy {
    kinetic_q: Vec<f64>,
    kinetic_v: Vec<f64>,
    potential_q: Vec<f64>,
    field: Vec<Motion>,
}

/// The brakes of a step, ready for products.
#[derive(Debug, Clone)]
pub(super) struct Brakes {
    list: Vec<Brake>,
    island: Vec<usize>, // by dof
    start: Energy,
    end: Energy,
    v: Vec<f64>, // before they act
    mass: MassMatrix,
    fields: Fields,
    on_varied: Vec<Force>,
    on_moved: Vec<Force>,
    weight: Vec<Force>,
}

impl Brakes {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            list: Vec::new(),
            island: Vec::new(),
            start: Energy::default(),
            end: Energy::default(),
            v: Vec::new(),
            mass: MassMatrix::new(model),
            fields: Fields::default(),
            on_varied: Vec::new(),
            on_moved: Vec::new(),
            weight: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// From the brakes of a step; `island` by group, `tree` the group of each dof.
    pub(super) fn build(
        &mut self,
        model: &Model,
        brakes: &[Brake],
        island: &[usize],
        tree: &[usize],
        start: (&State, &Workspace),
        end: (&[f64], &[f64], &Workspace),
    ) {
        self.list.clear();
        self.list.extend_from_slice(brakes);
        self.island.clear();
        self.island.extend(tree.iter().map(|&group| island[group]));
        self.v.clear();
        self.v.extend_from_slice(end.1);
        let mut at_start = std::mem::take(&mut self.start);
        self.measure(model, &start.0.q, &start.0.v, start.1, &mut at_start);
        self.start = at_start;
        let mut at_end = std::mem::take(&mut self.end);
        self.measure(model, end.0, end.1, end.2, &mut at_end);
        self.end = at_end;
    }

    fn measure(&mut self, model: &Model, q: &[f64], v: &[f64], ws: &Workspace, out: &mut Energy) {
        let n = model.n_v();
        for list in [&mut out.kinetic_q, &mut out.kinetic_v, &mut out.potential_q] {
            list.clear();
            list.resize(n, 0.0);
        }
        mass_matrix(model, ws, &mut self.mass);
        self.mass.multiply(model, v, &mut out.kinetic_v);
        let f = &mut self.fields;
        f.read(model, ws);
        f.spread(model, v, &mut out.field);
        for list in [&mut self.on_varied, &mut self.on_moved] {
            list.clear();
            list.resize(model.n_links(), Force::zero());
        }
        let zero = Vector3::zeros();
        let weight = &mut self.weight;
        weight.clear();
        weight.resize(model.n_links(), Force::zero());
        for i in 1..model.n_links() {
            let body = ws.inertia(LinkId(i));
            let shift = f.origin[i] - f.reference[i];
            let body = gudgeon_spatial::Inertia { com: body.com + shift, ..*body };
            let x = out.field[i];
            let h = body.momentum(x);
            self.on_varied[i] += h;
            self.on_moved[i] -= x.cross_force(h);
            let center = f.reference[i] + body.com;
            weight[i] = f.about(i, &center, zero, -model.gravity() * body.mass);
        }
        f.vary_transposed(model, v, &mut self.on_varied, &mut self.on_moved);
        f.gather(model, &mut self.on_moved, &mut out.kinetic_q);
        f.gather(model, weight, &mut out.potential_q);
        for (k, dof) in model.dofs().iter().enumerate() {
            if let Some(at) = model.dof_coordinate(k).filter(|_| dof.stiffness != 0.0) {
                out.potential_q[k] += dof.stiffness * (q[at] - dof.rest);
            }
        }
    }

    fn slows(b: &Brake) -> bool {
        !b.floating && b.scale > 0.0 && b.kinetic > 0.0
    }

    /// `v_out` in place; `dq`, `dv` at the start, `q_out` at the end.
    pub(super) fn jvp(&self, dq: &[f64], dv: &[f64], q_out: &[f64], v_out: &mut [f64]) {
        for b in self.list.iter().filter(|b| Self::slows(b)) {
            let s2 = b.scale * b.scale;
            let mut ds = 0.0;
            for k in (0..v_out.len()).filter(|&k| self.island[k] == b.island) {
                let (e, f) = (&self.start, &self.end);
                ds += (e.kinetic_q[k] + e.potential_q[k]) * dq[k] + e.kinetic_v[k] * dv[k];
                ds -= f.potential_q[k] * q_out[k];
                ds -= s2 * (f.kinetic_q[k] * q_out[k] + f.kinetic_v[k] * v_out[k]);
            }
            ds /= 2.0 * b.scale * b.kinetic;
            for k in (0..v_out.len()).filter(|&k| self.island[k] == b.island) {
                v_out[k] = b.scale * v_out[k] + ds * self.v[k];
            }
        }
    }

    /// The transpose: `on_v_out` in place, `on_q_out` added to; shares of the start to `on_q` and `on_v`.
    pub(super) fn vjp(
        &self,
        on_q_out: &mut [f64],
        on_v_out: &mut [f64],
        on_q: &mut [f64],
        on_v: &mut [f64],
        mut parameters: impl FnMut(f64, &Brake),
    ) {
        for b in self.list.iter().filter(|b| Self::slows(b)) {
            let s2 = b.scale * b.scale;
            let members = |k: &usize| self.island[*k] == b.island;
            let share: f64 = (0..on_v.len()).filter(members).map(|k| on_v_out[k] * self.v[k]).sum();
            let share = share / (2.0 * b.scale * b.kinetic);
            for k in (0..on_v.len()).filter(members) {
                let (e, f) = (&self.start, &self.end);
                on_q[k] += share * (e.kinetic_q[k] + e.potential_q[k]);
                on_v[k] += share * e.kinetic_v[k];
                on_q_out[k] -= share * (f.potential_q[k] + s2 * f.kinetic_q[k]);
                on_v_out[k] = b.scale * on_v_out[k] - share * s2 * f.kinetic_v[k];
            }
            parameters(share, b);
        }
    }

    /// Shares of inertias, gravity, springs and armature in the energies of one island.
    pub(super) fn parameter_shares(
        &self,
        model: &Model,
        share: f64,
        b: &Brake,
        start: (&State, &Workspace),
        end: (&[f64], &Workspace),
        to: &mut ModelShares,
    ) {
        let s2 = b.scale * b.scale;
        let states = [(&self.start, start.1, 1.0, 1.0), (&self.end, end.1, -s2, -1.0)];
        for (e, ws, kinetic, potential) in states {
            for i in 1..model.n_links() {
                let link = model.link(LinkId(i));
                if dof_above(model, i).is_none_or(|dof| self.island[dof] != b.island) {
                    continue;
                }
                let x = e.field[i].at(&from_root(ws, model, i));
                let pose = ws.pose(LinkId(i));
                let here = x.rotated(&pose.rotation.transpose());
                let own = &link.inertia;
                let half = gudgeon_multibody::inertia_bilinear(own.mass, &own.com, here, here);
                to.inertia[i].add(0.5 * share * kinetic, &half);
                let g = model.gravity();
                let center = pose.point(&own.com);
                to.inertia[i].mass -= share * potential * g.dot(&center);
                to.inertia[i].com -= pose.rotation.tr_mul(&g) * (share * potential * own.mass);
                to.gravity -= center * (share * potential * own.mass);
            }
        }
        for (k, dof) in model.dofs().iter().enumerate().filter(|(k, _)| self.island[*k] == b.island) {
            let v = [start.0.v[k], self.v[k]];
            to.armature[k] += 0.5 * share * (v[0] * v[0] - s2 * v[1] * v[1]);
            if let Some(at) = model.dof_coordinate(k) {
                let x = [start.0.q[at] - dof.rest, end.0[at] - dof.rest];
                to.stiffness[k] += 0.5 * share * (x[0] * x[0] - x[1] * x[1]);
                to.rest[k] -= share * dof.stiffness * (x[0] - x[1]);
            }
        }
    }
}

/// From the reference of a link to its origin.
fn from_root(ws: &Workspace, model: &Model, i: usize) -> Vector3<f64> {
    let mut root = i;
    while model.link(LinkId(root)).parent != LinkId::WORLD {
        root = model.link(LinkId(root)).parent.0;
    }
    ws.pose(LinkId(i)).translation - ws.pose(LinkId(root)).translation
}

/// The first dof of the nearest joint above that moves the link.
fn dof_above(model: &Model, mut i: usize) -> Option<usize> {
    while i != 0 && model.link(LinkId(i)).joint.n_v() == 0 {
        i = model.link(LinkId(i)).parent.0;
    }
    (i != 0).then(|| model.link(LinkId(i)).v_start)
}
