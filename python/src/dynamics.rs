//! Quantities of dynamics at a state: inertia, bias, Jacobians, and what contacts feel.

use gudgeon_multibody::{
    LinkId, MassMatrix, Model, State, Workspace, aba, bias, crba, jacobian, kinematics, rnea, velocities,
};
use gudgeon_sim::Simulator;
use gudgeon_spatial::Vector3;

/// Scratch memory for the questions of a caller, apart from the simulator's own.
#[derive(Debug, Clone)]
pub(crate) struct Dynamics {
    ws: Workspace,
    mass: MassMatrix,
}

impl Dynamics {
    pub(crate) fn new(model: &Model) -> Self {
        Self { ws: Workspace::new(model), mass: MassMatrix::new(model) }
    }

    /// n_v × n_v, armatures included.
    pub(crate) fn mass_matrix(&mut self, model: &Model, state: &State) -> Vec<f64> {
        crba(model, &state.q, &mut self.ws, &mut self.mass);
        self.mass.to_dense(model).as_slice().to_vec()
    }

    /// Joint forces for zero acceleration, n_v.
    pub(crate) fn bias(&mut self, model: &Model, state: &State) -> Vec<f64> {
        bias(model, state, &[], &mut self.ws);
        self.ws.tau().to_vec()
    }

    /// Joint forces for accelerations, n_v.
    pub(crate) fn inverse(&mut self, model: &Model, state: &State, qdd: &[f64]) -> Vec<f64> {
        rnea(model, state, qdd, &[], &mut self.ws);
        self.ws.tau().to_vec()
    }

    /// Accelerations under joint forces, without contacts and loops, n_v.
    pub(crate) fn forward(&mut self, model: &Model, state: &State, tau: &[f64]) -> Vec<f64> {
        aba(model, state, tau, &[], &mut self.ws);
        self.ws.qdd().to_vec()
    }

    /// 6 × n_v by rows, angular part first, of the point of a link that is now at `point` (its origin if none).
    pub(crate) fn jacobian(
        &mut self,
        model: &Model,
        state: &State,
        link: LinkId,
        point: Option<Vector3<f64>>,
    ) -> Vec<f64> {
        kinematics(model, &state.q, &mut self.ws);
        velocities(model, &state.v, &mut self.ws);
        let point = point.unwrap_or_else(|| self.ws.pose(link).translation);
        let j = jacobian(model, &self.ws, link, &point);
        j.transpose().as_slice().to_vec()
    }
}

/// W = J M⁻¹ Jᵀ of the contacts of the last step and its size; rows in (n, t1, t2) of each contact.
pub(crate) fn delassus(sim: &Simulator) -> Option<(Vec<f64>, usize)> {
    let form = sim.last_problem()?.as_factored()?;
    let n = 3 * form.n_contacts();
    let mut w = vec![0.0; n * n];
    let mut dense = vec![0.0; form.width()];
    for i in 0..n {
        let row = form.row(i);
        row.index.iter().zip(row.value).for_each(|(&k, &x)| dense[k] = x);
        for j in 0..=i {
            let other = form.row(j);
            let x: f64 = other.index.iter().zip(other.value).map(|(&k, &x)| x * dense[k]).sum();
            let x = if i == j { x + row.compliance } else { x };
            w[i * n + j] = x;
            w[j * n + i] = x;
        }
        row.index.iter().for_each(|&k| dense[k] = 0.0);
    }
    Some((w, n))
}

/// What contacts do to each link (or only those between two links): 6 numbers, torque about the origin of the link
/// first, world axes.
pub(crate) fn wrenches(sim: &Simulator, pair: Option<(LinkId, LinkId)>) -> Vec<f64> {
    let mut out = vec![0.0; 6 * sim.model().n_links()];
    for c in sim.contacts() {
        if pair.is_some_and(|(a, b)| (c.a, c.b) != (a, b) && (c.a, c.b) != (b, a)) {
            continue;
        }
        for (link, force) in [(c.a, c.force), (c.b, -c.force)] {
            let arm = c.point - sim.workspace().pose(link).translation;
            let torque = arm.cross(&force);
            let at = &mut out[6 * link.0..6 * link.0 + 6];
            at.iter_mut().zip(torque.iter().chain(force.iter())).for_each(|(x, y)| *x += y);
        }
    }
    out
}
