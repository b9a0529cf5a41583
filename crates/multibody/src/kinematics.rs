//! Forward kinematics: poses, motion axes, velocities and velocity-product accelerations [RBDA §4.4-4.5].
//!
//! ```text
//!     R_wi = R_wp R_pj R_jc(q),   p_wi = p_wp + R_wp t_pj + R_wj t_jc(q)
//!     v_i  = v_p.at(r_i) + S v                                             [RBDA (5.14), world axes]
//!     c_i  = v_i × Σ_child S_k v_k + v_p × Σ_parent S_k v_k                (see `joint`)
//! ```
//! `position_step` and `velocity_step` are the bodies of these loops; ABA and RNEA run them fused into their own
//! first pass, so each is written once.

use gudgeon_spatial::{Inertia, Motion, Pose, Vector3};

use crate::joint::{Joint, Rider};
use crate::model::{Link, LinkId, Model};
use crate::workspace::{Placed, Workspace};

/// Poses, motion axes and world-axes inertias of all links.
pub fn kinematics(model: &Model, q: &[f64], ws: &mut Workspace) {
    for i in 1..model.links.len() {
        position_step(&model.links[i], i, q, ws);
    }
}

/// Velocities of all links and their velocity-product accelerations; wants `kinematics`.
pub fn velocities(model: &Model, v: &[f64], ws: &mut Workspace) {
    ws.v[0] = Motion::zero();
    for i in 1..model.links.len() {
        velocity_step(&model.links[i], i, v, ws);
    }
}

#[inline]
pub(crate) fn position_step(link: &Link, i: usize, q: &[f64], ws: &mut Workspace) {
    let parent = &ws.placed[link.parent.0];
    let r_wj = parent.rotation * link.placement.rotation;
    let mut offset = parent.rotation * link.placement.translation;
    let parent_origin = parent.origin;

    // the joint turns and slides the child in its frame
    let rotation = match &link.joint {
        Joint::Revolute { axis } => r_wj * Pose::rotation_about(axis, q[link.q_start]),
        Joint::Fixed => r_wj,
        joint => {
            let x_jc = joint.pose(&q[link.q_range()]);
            offset += r_wj * x_jc.translation;
            r_wj * x_jc.rotation
        }
    };
    match &link.joint {
        Joint::Revolute { axis } => ws.s[link.v_start] = Motion::new(rotation * axis, Vector3::zeros()),
        joint => joint.columns(&r_wj, &rotation, &mut ws.s[link.v_range()]),
    }
    let own = &link.inertia;
    ws.body[i] = Inertia::new(own.mass, rotation * own.com, own.about_com.rotated(&rotation));
    ws.placed[i] = Placed { rotation, origin: parent_origin + offset, offset };
}

#[inline]
pub(crate) fn velocity_step(link: &Link, i: usize, v: &[f64], ws: &mut Workspace) {
    let v_p = ws.v[link.parent.0].at(&ws.placed[i].offset);
    match &link.joint {
        Joint::Revolute { .. } | Joint::Prismatic { .. } | Joint::Helical { .. } => {
            let sv = ws.s[link.v_start] * v[link.v_start];
            ws.v[i] = v_p + sv;
            ws.c[i] = v_p.cross(sv);
        }
        joint => {
            let (mut on_child, mut on_parent) = (Motion::zero(), Motion::zero());
            for (k, dof) in link.v_range().enumerate() {
                match joint.rider(k) {
                    Rider::Child => on_child += ws.s[dof] * v[dof],
                    Rider::Parent => on_parent += ws.s[dof] * v[dof],
                }
            }
            ws.v[i] = v_p + on_child + on_parent;
            ws.c[i] = ws.v[i].cross(on_child) + v_p.cross(on_parent);
        }
    }
}

/// World position of a point fixed in a link; wants `kinematics`.
pub fn point_position(ws: &Workspace, link: LinkId, p_link: &Vector3<f64>) -> Vector3<f64> {
    ws.pose(link).point(p_link)
}

/// World velocity of the point of a link that is now at `p_w`; wants `velocities`.
#[inline]
pub fn point_velocity(ws: &Workspace, link: LinkId, p_w: &Vector3<f64>) -> Vector3<f64> {
    point_velocity_of(ws, link, &ws.v[link.0], p_w)
}

/// The velocities that all links would have with velocities `v` of the joints; wants `kinematics` alone and leaves what
/// [`velocities`] wrote.
pub fn link_velocities(model: &Model, ws: &Workspace, v: &[f64], out: &mut Vec<Motion>) {
    out.clear();
    out.push(Motion::zero());
    for (link, placed) in model.links.iter().zip(&ws.placed).skip(1) {
        let mut of = out[link.parent.0].at(&placed.offset);
        for dof in link.v_range() {
            of += ws.s[dof] * v[dof];
        }
        out.push(of);
    }
}

/// Velocity of a point `p_w` of a link that moves so.
#[inline]
pub fn point_velocity_of(ws: &Workspace, link: LinkId, motion: &Motion, p_w: &Vector3<f64>) -> Vector3<f64> {
    motion.at(&(p_w - ws.placed[link.0].origin)).linear
}

/// Accelerations of all links when q̈ = 0 and there is no gravity, J̇ v: written where `acceleration` reads,
/// spatial, in world axes about each origin; wants `velocities`.
pub fn bias_accelerations(model: &Model, ws: &mut Workspace) {
    ws.a[0] = Motion::zero();
    for i in 1..model.links.len() {
        ws.a[i] = ws.a[model.links[i].parent.0].at(&ws.placed[i].offset) + ws.c[i];
    }
}

/// Classical acceleration of the point of a link now at `p_w`, from the link accelerations in `a`
/// (after `bias_accelerations`: the term J̇ v of that point).
pub fn point_acceleration(ws: &Workspace, link: LinkId, p_w: &Vector3<f64>) -> Vector3<f64> {
    let r = p_w - ws.placed[link.0].origin;
    let v_at = ws.v[link.0].at(&r);
    ws.a[link.0].at(&r).linear + v_at.angular.cross(&v_at.linear)
}
