//! Dense link Jacobians and their time derivatives [RBDA §8.2-8.3].
//!
//! For the point p of a link, with velocity (ω, ṗ) in world axes,
//! ```text
//!     J_k  = S_k.at(p - o_k)                                         k on the way to the root
//!     J̇_k  = (v_rider × S_k).at(p - o_k)  +  (0; S_k.angular × ṗ)
//! ```
//! The last term is there because p moves with the link: (ω, ṗ) is the classical velocity, not the spatial one.
//! Rows of J alone, sparse, come cheaper from [`crate::Rows`].

use gudgeon_spatial::{Motion, Vector3};
use nalgebra::DMatrix;

use crate::joint::Rider;
use crate::model::{LinkId, Model};
use crate::workspace::Workspace;

/// 6 × n_v, angular rows first: J v is the angular velocity of the link and the velocity of its point now at `p_w`.
/// Wants `kinematics`.
pub fn jacobian(model: &Model, ws: &Workspace, link: LinkId, p_w: &Vector3<f64>) -> DMatrix<f64> {
    let mut j = DMatrix::zeros(6, model.n_v());
    fill(model, link, &mut j, |dof, owner| ws.s[dof].at(&(p_w - ws.placed[owner].origin)));
    j
}

/// The time derivative of [`jacobian`] for the point moving with the link; wants `velocities`.
pub fn jacobian_dot(model: &Model, ws: &Workspace, link: LinkId, p_w: &Vector3<f64>) -> DMatrix<f64> {
    let p_dot = crate::point_velocity(ws, link, p_w);
    let mut j = DMatrix::zeros(6, model.n_v());
    fill(model, link, &mut j, |dof, owner| {
        let l = &model.links[owner];
        let rider = match l.joint.rider(dof - l.v_start) {
            Rider::Child => ws.v[owner],
            Rider::Parent => ws.v[l.parent.0].at(&ws.placed[owner].offset),
        };
        let s = ws.s[dof];
        let spatial = rider.cross(s).at(&(p_w - ws.placed[owner].origin));
        Motion::new(spatial.angular, spatial.linear + s.angular.cross(&p_dot))
    });
    j
}

fn fill(model: &Model, link: LinkId, j: &mut DMatrix<f64>, column: impl Fn(usize, usize) -> Motion) {
    let mut owner = link.0;
    while owner != 0 {
        for dof in model.links[owner].v_range() {
            j.column_mut(dof).copy_from(&column(dof, owner).to_vector());
        }
        owner = model.links[owner].parent.0;
    }
}
