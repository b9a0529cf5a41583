//! Forward dynamics by the articulated-body algorithm [RBDA §7.3, Table 7.1], with prescribed joints [RBDA §9.2].
//!
//! ```text
//!     U = I^A S,  D = Sᵀ U + armature,  u = τ - Sᵀ p^A
//!     I^a = I^A - U D⁻¹ Uᵀ,   p^a = p^A + I^a c + U D⁻¹ u                      tips to base
//!     a′ = a_p.at(r) + c,     q̈ = D⁻¹ (u - Uᵀ a′),    a = a′ + S q̈            base to tips
//! ```
//! | book      | here              | shape  | unit            |
//! |-----------|-------------------|--------|-----------------|
//! | I^A, p^A  | `ia`, `pa`        | n_b    | kg m², kg; N m, N |
//! | U, D⁻¹, u | `u_col`, `d_inv`, `u` | n_v |                 |
//!
//! Departures. (1) A joint with several dofs is eliminated one column at a time, as a chain of massless links at
//! one place would be; the book inverts the d × d matrix D. The result is the same LDLᵀ, one pass serves every
//! joint, and single-dof joints pay nothing for it. (2) World axes about the link's origin, see `workspace`.
//! (3) A prescribed joint is not eliminated: I^a = I^A and its acceleration joins c; its force is read off at the
//! end. (4) The diagonal may hold implicit damping and stiffness besides the armature.

use gudgeon_spatial::{Force, Motion, Symmetric3, Vector3};
use multiversion::multiversion;

use crate::kinematics::{position_step, velocity_step};
use crate::model::{Model, State};
use crate::workspace::Workspace;

/// Joints that follow a given motion whatever it takes (Yamane's high-gain mode) [Yamane §V-A].
#[derive(Debug, Clone, PartialEq)]
pub struct Prescribed {
    /// Whether the joint of each link is driven, n_links.
    pub driven: Vec<bool>,
    /// Accelerations of the driven dofs, n_v; the others are ignored.
    pub qdd: Vec<f64>,
}

impl Prescribed {
    /// Nothing is driven.
    pub fn none(model: &Model) -> Self {
        Self { driven: vec![false; model.n_links()], qdd: vec![0.0; model.n_v()] }
    }

    /// Whether a dof belongs to a driven joint.
    pub fn drives(&self, model: &Model, dof: usize) -> bool {
        self.driven[model.dof_link[dof]]
    }
}

/// What acts on the model besides gravity.
#[derive(Debug, Clone, Copy, Default)]
pub struct Load<'a> {
    /// Joint forces, n_v; those of driven joints are ignored.
    pub tau: &'a [f64],
    /// One force per link, world axes about its origin; or empty.
    pub external: &'a [Force],
    /// Diagonal to use instead of the armature, n_v; or empty.
    pub diagonal: &'a [f64],
    /// Joints that follow a given motion.
    pub prescribed: Option<&'a Prescribed>,
    /// Rotational inertia added to each link about its centre of mass, world axes, kg m²; or empty. It resists angular
    /// acceleration but carries no momentum (see [`crate::geometric_inertia`]).
    pub added: &'a [Symmetric3],
    /// Whole trees, by link, that are left as the last evaluation had them; or empty.
    pub asleep: &'a [bool],
}

impl Load<'_> {
    fn sleeps(&self, link: usize) -> bool {
        self.asleep.get(link).is_some_and(|a| *a)
    }
}

/// Accelerations under joint forces `tau` and `external` forces (one per link, world axes about the link's origin,
/// or empty). Answer in `ws.qdd()`.
pub fn aba(model: &Model, state: &State, tau: &[f64], external: &[Force], ws: &mut Workspace) {
    forward_dynamics(model, state, &Load { tau, external, ..Load::default() }, ws);
}

/// As [`aba`], with everything that may act. With prescribed joints, their forces are in `ws.tau()`.
pub fn forward_dynamics(model: &Model, state: &State, load: &Load<'_>, ws: &mut Workspace) {
    passes(model, state, load, ws);
}

/// The three passes, for the widest instructions at hand: the same arithmetic, the same bits.
#[multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn passes(model: &Model, state: &State, load: &Load<'_>, ws: &mut Workspace) {
    bodies_alone(model, state, load, ws);
    articulated_inertias(model, load, ws);
    accelerations(model, load, ws);
    if let Some(prescribed) = load.prescribed {
        driving_forces(model, load, prescribed, ws);
    }
}

/// Pass 1 of 3, base to tips: each link as if alone.
#[inline]
fn bodies_alone(model: &Model, state: &State, load: &Load<'_>, ws: &mut Workspace) {
    ws.v[0] = Motion::zero();
    for i in (1..model.links.len()).filter(|&i| !load.sleeps(i)) {
        let link = &model.links[i];
        position_step(link, i, &state.q, ws);
        velocity_step(link, i, &state.v, ws);
        let body = &ws.body[i];
        ws.ia[i] = body.to_articulated();
        ws.pa[i] = ws.v[i].cross_force(body.momentum(ws.v[i]));
    }
    for (pa, f) in ws.pa.iter_mut().zip(load.external) {
        *pa -= *f;
    }
    for (ia, added) in ws.ia.iter_mut().zip(load.added) {
        ia.angular += *added;
    }
}

/// Pass 2 of 3, tips to base: articulated inertias and bias forces.
#[inline]
fn articulated_inertias(model: &Model, load: &Load<'_>, ws: &mut Workspace) {
    for i in (1..model.links.len()).rev().filter(|&i| !load.sleeps(i)) {
        let link = &model.links[i];
        let (mut ia, mut pa, mut c) = (ws.ia[i], ws.pa[i], ws.c[i]);
        match load.prescribed {
            Some(prescribed) if prescribed.driven[i] => {
                for dof in link.v_range() {
                    c += ws.s[dof] * prescribed.qdd[dof];
                }
            }
            _ => {
                for dof in link.v_range().rev() {
                    let s = ws.s[dof];
                    let u_col = ia * s;
                    let extra = load.diagonal.get(dof).copied().unwrap_or(model.dofs[dof].armature);
                    let d_inv = 1.0 / (s.dot(u_col) + extra);
                    let u = load.tau[dof] - s.dot(pa);
                    ia.subtract_outer(&u_col, d_inv);
                    pa += u_col * (d_inv * u);
                    ws.u_col[dof] = u_col;
                    ws.d_inv[dof] = d_inv;
                    ws.u[dof] = u;
                }
            }
        }

        // what the parent feels through the joint
        if link.parent.0 != 0 {
            pa += ia * c;
            let r = ws.placed[i].offset;
            ws.ia[link.parent.0] += ia.shifted(&r);
            ws.pa[link.parent.0] += pa.at(&-r);
        }
    }
}

/// Pass 3 of 3, base to tips: accelerations.
#[inline]
fn accelerations(model: &Model, load: &Load<'_>, ws: &mut Workspace) {
    ws.a[0] = Motion::new(Vector3::zeros(), -model.gravity);
    for i in (1..model.links.len()).filter(|&i| !load.sleeps(i)) {
        let link = &model.links[i];
        let mut a = ws.a[link.parent.0].at(&ws.placed[i].offset) + ws.c[i];
        let driven = load.prescribed.filter(|p| p.driven[i]);
        for dof in link.v_range() {
            let qdd = match driven {
                Some(p) => p.qdd[dof],
                None => ws.d_inv[dof] * (ws.u[dof] - a.dot(ws.u_col[dof])),
            };
            ws.qdd[dof] = qdd;
            a += ws.s[dof] * qdd;
        }
        ws.a[i] = a;
    }
}

/// The forces the driven joints turned out to need; the given ones elsewhere.
fn driving_forces(model: &Model, load: &Load<'_>, prescribed: &Prescribed, ws: &mut Workspace) {
    for i in 1..model.links.len() {
        let link = &model.links[i];
        if prescribed.driven[i] {
            // I^A and p^A at i still hold everything behind the joint
            let f = ws.ia[i] * ws.a[i] + ws.pa[i];
            for dof in link.v_range() {
                ws.tau[dof] = ws.s[dof].dot(f) + model.dofs[dof].armature * ws.qdd[dof];
            }
        } else {
            ws.tau[link.v_range()].copy_from_slice(&load.tau[link.v_range()]);
        }
    }
}

/// The articulated inertias alone, at rest: after this [`apply_inverse`] and [`unit_force_response`] answer in O(n).
///
/// `diagonal` replaces the armature if not empty; driven joints do not move. Wants `kinematics`.
pub fn articulate(model: &Model, diagonal: &[f64], prescribed: Option<&Prescribed>, ws: &mut Workspace) {
    articulate_with(model, &Load { diagonal, prescribed, ..Load::default() }, ws);
}

/// As [`articulate`], with all that a load adds to the inertia.
pub fn articulate_with(model: &Model, load: &Load<'_>, ws: &mut Workspace) {
    let Load { diagonal, prescribed, added, .. } = *load;
    for i in 1..model.links.len() {
        ws.ia[i] = ws.body[i].to_articulated();
    }
    for (ia, added) in ws.ia.iter_mut().zip(added) {
        ia.angular += *added;
    }
    for i in (1..model.links.len()).rev() {
        let link = &model.links[i];
        let mut ia = ws.ia[i];
        for dof in link.v_range().rev() {
            if prescribed.is_some_and(|p| p.driven[i]) {
                ws.d_inv[dof] = 0.0;
                ws.u_col[dof] = Force::zero();
                continue;
            }
            let s = ws.s[dof];
            let u_col = ia * s;
            let extra = diagonal.get(dof).copied().unwrap_or(model.dofs[dof].armature);
            let d_inv = 1.0 / (s.dot(u_col) + extra);
            ia.subtract_outer(&u_col, d_inv);
            ws.u_col[dof] = u_col;
            ws.d_inv[dof] = d_inv;
        }
        if link.parent.0 != 0 {
            ws.ia[link.parent.0] += ia.shifted(&ws.placed[i].offset);
        }
    }
}

/// x = M⁻¹ b in O(n); wants `articulate`. Overwrites the bias forces and accelerations of `ws`.
pub fn apply_inverse(model: &Model, b: &[f64], x: &mut [f64], ws: &mut Workspace) {
    ws.pa.fill(Force::zero());
    respond(model, Some(b), x, ws);
}

/// The generalised accelerations that a force on one link causes, everything else silent; those of the links are
/// left in `ws` (see [`Workspace::acceleration`], here without gravity). Wants `articulate`.
pub fn unit_force_response(
    model: &Model,
    link: crate::LinkId,
    force: Force,
    x: &mut [f64],
    ws: &mut Workspace,
) {
    ws.pa.fill(Force::zero());
    ws.pa[link.0] = -force;
    respond(model, None, x, ws);
}

pub(crate) fn respond(model: &Model, b: Option<&[f64]>, x: &mut [f64], ws: &mut Workspace) {
    for i in (1..model.links.len()).rev() {
        let link = &model.links[i];
        let mut pa = ws.pa[i];
        for dof in link.v_range().rev() {
            let u = b.map_or(0.0, |b| b[dof]) - ws.s[dof].dot(pa);
            ws.u[dof] = u;
            pa += ws.u_col[dof] * (ws.d_inv[dof] * u);
        }
        ws.pa[link.parent.0] += pa.at(&-ws.placed[i].offset);
    }
    ws.a[0] = Motion::zero();
    for i in 1..model.links.len() {
        let link = &model.links[i];
        let mut a = ws.a[link.parent.0].at(&ws.placed[i].offset);
        for dof in link.v_range() {
            x[dof] = ws.d_inv[dof] * (ws.u[dof] - a.dot(ws.u_col[dof]));
            a += ws.s[dof] * x[dof];
        }
        ws.a[i] = a;
    }
}
