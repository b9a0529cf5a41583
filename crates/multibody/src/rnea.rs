//! Inverse dynamics by the recursive Newton-Euler algorithm [RBDA §5.3, Table 5.1].
//!
//! ```text
//!     a_i = a_p.at(r_i) + c_i + S q̈            a_0 = -g
//!     f_i = I_i a_i + v_i ×* I_i v_i - f_ext + Σ_children f_c.at(-r_c)
//!     τ_k = S_kᵀ f_i + armature_k q̈_k
//! ```

use gudgeon_spatial::{Force, Motion, Vector3};

use crate::kinematics::{position_step, velocity_step};
use crate::model::{Model, State};
use crate::workspace::Workspace;

/// The joint forces that give accelerations `qdd`; also the link accelerations and the forces through joints.
///
/// `external` holds one force per link (world axes about the link's origin), or nothing. Answer in `ws.tau()`.
pub fn rnea(model: &Model, state: &State, qdd: &[f64], external: &[Force], ws: &mut Workspace) {
    ws.v[0] = Motion::zero();
    ws.a[0] = Motion::new(Vector3::zeros(), -model.gravity);
    for i in 1..model.links.len() {
        let link = &model.links[i];
        position_step(link, i, &state.q, ws);
        velocity_step(link, i, &state.v, ws);

        let mut a = ws.a[link.parent.0].at(&ws.placed[i].offset) + ws.c[i];
        for dof in link.v_range() {
            a += ws.s[dof] * qdd[dof];
        }
        ws.a[i] = a;
        let body = &ws.body[i];
        ws.f[i] = body.momentum(a) + ws.v[i].cross_force(body.momentum(ws.v[i]));
        if let Some(f) = external.get(i) {
            ws.f[i] -= *f;
        }
    }

    // tips to base: what each joint must carry
    for i in (1..model.links.len()).rev() {
        let link = &model.links[i];
        let f = ws.f[i];
        for dof in link.v_range() {
            ws.tau[dof] = ws.s[dof].dot(f) + model.dofs[dof].armature * qdd[dof];
        }
        ws.f[link.parent.0] += f.at(&-ws.placed[i].offset);
    }
    ws.f[0] = Force::zero();
}

/// The bias force C(q, v): what the joints must do for zero acceleration, external forces included.
pub fn bias(model: &Model, state: &State, external: &[Force], ws: &mut Workspace) {
    let qdd = std::mem::take(&mut ws.u);
    let mut zero = qdd;
    zero.fill(0.0);
    rnea(model, state, &zero, external, ws);
    ws.u = zero;
}
