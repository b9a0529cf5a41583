//! Centre of mass, momentum and energy of the whole model; sums over links in world axes.
//!
//! ```text
//!     E = ½ Σ v_iᵀ I_i v_i + ½ Σ armature_k v_k²  -  Σ m_i gᵀ c_i  +  ½ Σ stiffness_k (q_k - rest_k)²
//! ```

use gudgeon_spatial::{Force, Vector3};

use crate::model::{Model, State};
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
        let body = &ws.body[i];
        e.kinetic += 0.5 * ws.v[i].dot(body.momentum(ws.v[i]));
        e.potential -= body.mass * model.gravity.dot(&(ws.placed[i].origin + body.com));
    }
    for (k, dof) in model.dofs.iter().enumerate() {
        e.kinetic += 0.5 * dof.armature * state.v[k] * state.v[k];
        if dof.stiffness != 0.0 {
            let coordinate =
                model.dof_coordinate(k).expect("the builder allows springs on plain coordinates only");
            e.elastic += 0.5 * dof.stiffness * (state.q[coordinate] - dof.rest).powi(2);
        }
    }
    e
}
