//! Velocities after a step by carrying momentum instead of integrating Coriolis forces.
//!
//! Each link flies on its own for `dt`, its momentum unchanged (its spin by an implicit gyroscopic step); then the
//! joints at the new place take back what they do not allow,
//! ```text
//!     q* = q ⊕ dt v
//!     h_i = m v_c,   ω⁺:  I (ω⁺ - ω) + dt ω⁺ × I ω⁺ = 0     (body axes, by Newton)
//!     M(q*) v⁺ = Σ J_i(q*)ᵀ (h_i + dt f_i) + dt τ + A v                     (A: armature and implicit terms)
//! ```
//! The projection is orthogonal in the kinetic metric and the implicit spin loses energy, so without forces
//! ½ v⁺ᵀ M(q*) v⁺ never exceeds ½ vᵀ M(q) v: the step is stable at any length and any speed. The price is first-order
//! dissipation, a relative ω² dt per second for a link that turns at ω. No Coriolis term is ever formed.

use gudgeon_spatial::{Force, Symmetric3, Vector3, skew};

use crate::aba::{Load, articulate_with, respond};
use crate::integrate::integrate;
use crate::kinematics::{kinematics, velocities};
use crate::model::{Model, State};
use crate::tolerances::MOMENTUM_ROUNDING;
use crate::workspace::Workspace;

/// Scratch of [`carried_velocity`].
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    flight: Vec<Flight>, // nb
    q: Vec<f64>,         // nq, q*
    b: Vec<f64>,         // nv
}

/// A link on its own.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Flight {
    linear: Vector3<f64>,    // momentum, N s
    spin_body: Vector3<f64>, // angular velocity after the gyroscopic step, link axes, rad/s
}

impl Carried {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self {
            flight: vec![Flight::default(); model.n_links()],
            q: vec![0.0; model.n_q()],
            b: vec![0.0; model.n_v()],
        }
    }

    /// The position q* = q ⊕ dt v at which the velocity holds and at which `ws` is left.
    pub fn q(&self) -> &[f64] {
        &self.q
    }
}

/// The velocity after `dt`, at q*, into `v_next`. Prescribed joints are not supported here; use the midpoint.
pub fn carried_velocity(
    model: &Model,
    state: &State,
    load: &Load<'_>,
    dt: f64,
    scratch: &mut Carried,
    ws: &mut Workspace,
    v_next: &mut [f64],
) {
    fly(model, state, dt, scratch, ws);
    land(model, state, load, dt, scratch, ws, v_next);
}

/// Each link on its own; `ws` is left at q*.
pub(crate) fn fly(model: &Model, state: &State, dt: f64, scratch: &mut Carried, ws: &mut Workspace) {
    kinematics(model, &state.q, ws);
    velocities(model, &state.v, ws);
    for i in 1..model.links.len() {
        let to_link = ws.placed[i].rotation.transpose();
        let about_com = model.links[i].inertia.about_com;
        scratch.flight[i] = Flight {
            linear: ws.body[i].momentum(ws.v[i]).linear,
            spin_body: gyroscopic_step(&about_com, &(to_link * ws.v[i].angular), dt),
        };
    }
    scratch.q.copy_from_slice(&state.q);
    integrate(model, &mut scratch.q, &state.v, dt);
    kinematics(model, &scratch.q, ws);
}

/// At the new place the joints take back what they do not allow.
pub(crate) fn land(
    model: &Model,
    state: &State,
    load: &Load<'_>,
    dt: f64,
    scratch: &mut Carried,
    ws: &mut Workspace,
    v_next: &mut [f64],
) {
    articulate_with(model, load, ws);
    ws.pa[0] = Force::zero();
    for i in 1..model.links.len() {
        let body = &ws.body[i];
        let linear = scratch.flight[i].linear + model.gravity * (body.mass * dt);
        let spin = ws.placed[i].rotation * scratch.flight[i].spin_body;
        let mut h = Force::new(body.about_com * &spin + body.com.cross(&linear), linear);
        if let Some(added) = load.added.get(i) {
            // added inertia resists departure from free flight
            h.angular += *added * &spin;
        }
        if let Some(f) = load.external.get(i) {
            h += *f * dt;
        }
        ws.pa[i] = -h;
    }
    for k in 0..model.n_v() {
        let a = load.diagonal.get(k).copied().unwrap_or(model.dofs[k].armature);
        scratch.b[k] = load.tau[k] * dt + a * state.v[k];
    }
    respond(model, Some(&scratch.b), v_next, ws);
}

/// Newton's method on I (x - ω) + dt x × I x = 0 from x = ω; the exact x never has more energy than ω, so a step that
/// has is scaled back.
fn gyroscopic_step(inertia: &Symmetric3, w: &Vector3<f64>, dt: f64) -> Vector3<f64> {
    let matrix = inertia.to_matrix();
    let iw = *inertia * w;
    let mut x = *w;
    for _ in 0..4 {
        let ix = *inertia * &x;
        let residual = ix - iw + x.cross(&ix) * dt;
        // rounding of the torque's own size: converged
        if residual.amax() <= MOMENTUM_ROUNDING * ix.amax() {
            break;
        }
        let jacobian = matrix + (skew(&x) * matrix - skew(&ix)) * dt;
        let [a, b, c] = [0, 1, 2].map(|k| Vector3::from(jacobian.column(k)));
        let bc = b.cross(&c);
        let det = a.dot(&bc);
        if det == 0.0 {
            break;
        }
        x -= Vector3::new(residual.dot(&bc), a.dot(&residual.cross(&c)), a.dot(&b.cross(&residual))) / det;
    }
    let (before, after) = (w.dot(&iw), x.dot(&(*inertia * &x)));
    if after > before { x * (before / after).sqrt() } else { x }
}
