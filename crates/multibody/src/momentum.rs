//! Centre of mass, momentum and energy of the whole model; sums over links in world axes.
//!
//! ```text
//!     E = ½ Σ v_iᵀ I_i v_i + ½ Σ armature_k v_k²  -  Σ m_i gᵀ c_i  +  ½ Σ stiffness_k (q_k - rest_k)²
//! ```

use gudgeon_spatial::{Force, Vector3};

use crate::model::{LinkId, Model, State};
use crate::workspace::Workspace;

/// Kinetic, potential and elastic energy, joules.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Of motion, armature included.
    pub kinetic: f64,
    /// Of height; zero with all centres of mass at the world's origin.
    pub potential: f64,
    /// Of springs.
    pub elastic: f64,
}

impl Energy {
    /// The sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// World position of the centre of mass; wants `kinematics`. The origin if nothing has mass.
pub fn center_of_mass(model: &Model, ws: &Workspace) -> Vector3<f64> {
    let mut first = Vector3::zeros();
    for i in 1..model.links.len() {
        first += (ws.placed[i].origin + ws.body[i].com) * ws.body[i].mass;
    }
    let mass = model.mass();
    if mass > 0.0 { first / mass } else { first }
}

/// Momentum of all links about the world point `about`, N s and N m s; wants `velocities`.
pub fn momentum(model: &Model, about: &Vector3<f64>, ws: &Workspace) -> Force {
    let mut total = Force::zero();
    for i in 1..model.links.len() {
        total += ws.body[i].momentum(ws.v[i]).at(&(about - ws.placed[i].origin));
    }
    total
}

/// Energy of the model; wants `velocities` of the same state.
pub fn energy(model: &Model, state: &State, ws: &Workspace) -> Energy {
    let mut e = Energy::default();
    for i in 1..model.links.len() {
        let own = link_energy(model, ws, LinkId(i));
        e.kinetic += own.kinetic;
        e.potential += own.potential;
    }
    for k in 0..model.n_v() {
        let own = dof_energy(model, state, k);
        e.kinetic += own.kinetic;
        e.elastic += own.elastic;
    }
    e
}

/// Energy of one link, of motion and height; wants `velocities`.
#[inline]
pub fn link_energy(model: &Model, ws: &Workspace, link: LinkId) -> Energy {
    let (body, v) = (&ws.body[link.0], ws.v[link.0]);
    Energy {
        kinetic: 0.5 * v.dot(body.momentum(v)),
        potential: -body.mass * model.gravity.dot(&(ws.placed[link.0].origin + body.com)),
        elastic: 0.0,
    }
}

/// Energy of one degree of freedom's armature and spring.
#[inline]
pub fn dof_energy(model: &Model, state: &State, dof: usize) -> Energy {
    let d = &model.dofs[dof];
    let mut e = Energy { kinetic: 0.5 * d.armature * state.v[dof] * state.v[dof], ..Energy::default() };
    if d.stiffness != 0.0 {
        let coordinate =
            model.dof_coordinate(dof).expect("the builder allows springs on plain coordinates only");
        e.elastic = 0.5 * d.stiffness * (state.q[coordinate] - d.rest).powi(2);
    }
    e
}
