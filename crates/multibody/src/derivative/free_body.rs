//! A rigid body in flight under a change (see `free_body`, `top`).
//!
//! ```text
//!     I (Ω⁺ - Ω) + τ(m) m × I m = dt N,     m = ½ (Ω + Ω⁺),     Q = ∂(τ m × I m)/∂m
//!     (I + ½ Q) δΩ⁺ = (I - ½ Q) δΩ + dt δN
//! ```
//! N, the moment about the centre of mass, stands in the body's axes at the middle of the step and turns with it; the origin
//! follows from the centre's parabola. Each body is a matrix of 6 × 15: its velocity at the end against turning, velocity,
//! moment and force.

use gudgeon_spatial::{Force, Inertia, Matrix3, Motion, Quaternion, Symmetric3, Vector3, skew};
use nalgebra::{SMatrix, SVector};

use super::flight::DriftShares;
use super::inertia::InertiaGradient;
use super::integrate::right_jacobian;
use super::shares::ModelShares;
use crate::free_body::{FreeBodies, FreeBody, unsprung};
use crate::load::StepLoad;
use crate::model::{Model, State};
use crate::top::{HALF_TURN, cayley_time};

/// Turning, angular velocity, velocity, moment (body axes), force (joint axes): three numbers each.
type Inputs = SVector<f64, 15>;

/// Radians in half a step: below this a body goes straight, and the slope of its Cayley time is no number worth having.
const STRAIGHT: f64 = 1e-9;

/// One body at one flight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BodyDerivative {
    pub(super) root: usize,
    pub(super) at: usize, // its first dof
    k: SMatrix<f64, 6, 15>,
    d: SMatrix<f64, 3, 15>, // of the drift: turning, velocities before, velocities after
    drifts: bool,
    placement: Matrix3<f64>,
    to_body: Matrix3<f64>, // world to body at the middle of the step
    parts: Vec<(usize, Vector3<f64>, Matrix3<f64>)>, // links, where they are and how they are turned in the root's frame
    body: Inertia,
    solve: Matrix3<f64>,  // (I + ½ Q)⁻¹
    w: [Vector3<f64>; 3], // Ω, Ω⁺, m
    tau: f64,
    r: [Matrix3<f64>; 2],
    force: [Vector3<f64>; 2], // joint axes, body axes
    dt: f64,
}

/// What varies.
struct Varied {
    turn: Vector3<f64>,
    w: Vector3<f64>,
    v: Vector3<f64>,
    moment: Vector3<f64>,
    force: Vector3<f64>,
}

fn three(x: &Inputs, k: usize) -> Vector3<f64> {
    Vector3::new(x[k], x[k + 1], x[k + 2])
}

/// The unsprung bodies of a model, at a state and under forces.
pub(super) fn bodies(
    free: &FreeBodies,
    model: &Model,
    state: &State,
    load: &StepLoad<'_>,
    out: &mut Vec<BodyDerivative>,
    v_free: &mut [f64],
) {
    free.fly(model, state, load, v_free);
    let flown = Flown { model, state, load, v_free };
    let mut n = 0;
    for body in &free.bodies {
        if !unsprung(model, model.links[body.root].v_start) {
            continue;
        }
        // in the memory of the last flight
        let parts = out.get_mut(n).map(|b| std::mem::take(&mut b.parts)).unwrap_or_default();
        let Some(b) = BodyDerivative::at(body, &flown, parts) else { continue };
        if n < out.len() {
            out[n] = b;
        } else {
            out.push(b);
        }
        n += 1;
    }
    out.truncate(n);
}

/// Where bodies fly, under what, and the velocities it led to.
struct Flown<'a> {
    model: &'a Model,
    state: &'a State,
    load: &'a StepLoad<'a>,
    v_free: &'a [f64],
}

/// τ(m), and Q = ∂(τ m × I m)/∂m.
fn gyration(matrix: &Matrix3<f64>, m: &Vector3<f64>, dt: f64) -> (f64, Matrix3<f64>) {
    let tau = cayley_time(m, dt);
    let im = matrix * m;
    let mut bend = (skew(m) * matrix - skew(&im)) * tau;
    let x = 0.5 * dt * m.norm();
    if (STRAIGHT..=HALF_TURN).contains(&x) {
        let slope = dt * (x * (1.0 + x.tan().powi(2)) - x.tan()) / (x * x);
        bend += m.cross(&im) * (m.transpose() * (slope * 0.5 * dt / m.norm()));
    }
    (tau, bend)
}

impl BodyDerivative {
    /// One body of a flight; `parts` is memory. None if its equations have no solution.
    fn at(
        body: &FreeBody,
        flown: &Flown<'_>,
        mut parts: Vec<(usize, Vector3<f64>, Matrix3<f64>)>,
    ) -> Option<Self> {
        let Flown { model, state, load: &StepLoad { tau, external, dt }, v_free } = *flown;
        let link = &model.links[body.root];
        let inertia = body.inertia(model);
        let (q, v) = (&state.q[link.q_range()], &state.v[link.v_range()]);
        let w = Vector3::new(v[0], v[1], v[2]);
        let end = &v_free[link.v_range()];
        let w_next = Vector3::new(end[0], end[1], end[2]);
        let start = Quaternion::read(q);
        let middle = start.times(Quaternion::exp(&(w * (0.5 * dt)))).to_matrix();
        let u = (w + w_next) * (0.5 * dt);
        let r = [start.to_matrix(), start.times(Quaternion::exp(&u)).to_matrix()];
        let placement = link.placement.rotation;
        parts.clear();
        parts.push((body.root, Vector3::zeros(), Matrix3::identity()));
        parts.extend(body.welded.iter().map(|(k, p)| (*k, p.translation, p.rotation)));
        let t = &tau[link.v_range()];
        let mut force = Vector3::new(t[3], t[4], t[5]);
        for (k, _, _) in &parts {
            if let Some(f) = external.get(*k) {
                force += placement.tr_mul(&f.linear);
            }
        }
        let m = (w + w_next) * 0.5;
        let matrix = inertia.about_com.to_matrix();
        let (tau_c, bend) = gyration(&matrix, &m, dt);
        let solve = (matrix + bend * 0.5).try_inverse()?;
        let mut b = Self {
            root: body.root,
            at: link.v_start,
            k: SMatrix::zeros(),
            d: SMatrix::zeros(),
            drifts: inertia.com != Vector3::zeros(),
            placement,
            to_body: (placement * middle).transpose(),
            parts,
            body: inertia,
            solve,
            w: [w, w_next, m],
            tau: tau_c,
            r,
            force: [force, middle.tr_mul(&force)],
            dt,
        };
        // what turns with the body: moments and forces that stand in space
        let turning = b.turning(external);
        for c in 0..15 {
            let mut unit = Inputs::zeros();
            unit[c] = 1.0;
            let column = b.change(&matrix, &bend, &turning, &unit);
            b.k.set_column(c, &column);
            b.d.set_column(c, &b.drift_change(&unit));
        }
        Some(b)
    }

    /// δN for a unit turn of the middle, as a matrix.
    fn turning(&self, external: &[Force]) -> Matrix3<f64> {
        let mut out = Matrix3::zeros();
        for (k, t, _) in &self.parts {
            if let Some(f) = external.get(*k) {
                let (moment, force) = (self.to_body * f.angular, self.to_body * f.linear);
                out += skew(&moment) + skew(t) * skew(&force);
            }
        }
        out - skew(&self.body.com) * skew(&self.force[1])
    }

    /// Velocity at the end for unit changes.
    fn change(
        &self,
        inertia: &Matrix3<f64>,
        bend: &Matrix3<f64>,
        turning: &Matrix3<f64>,
        x: &Inputs,
    ) -> SVector<f64, 6> {
        let d = Varied {
            turn: three(x, 0),
            w: three(x, 3),
            v: three(x, 6),
            moment: three(x, 9),
            force: three(x, 12),
        };
        let dt = self.dt;
        let [w, w_next, _] = &self.w;
        let half = w * (0.5 * dt);
        let middle =
            Quaternion::exp(&half).to_matrix().tr_mul(&d.turn) + right_jacobian(&half) * d.w * (0.5 * dt);
        let to_middle = self.to_body * self.placement; // joint to body
        let moment = d.moment + turning * middle - self.body.com.cross(&(to_middle * d.force));
        let dx = self.solve * ((inertia - bend * 0.5) * d.w + moment * dt);
        let mut dv = d.v + d.force * (dt / self.body.mass);
        if self.drifts {
            let c = &self.body.com;
            let after = self.turn_after(&d.turn, &(d.w + dx));
            dv += self.r[0] * (d.turn.cross(&w.cross(c)) + d.w.cross(c))
                - self.r[1] * (after.cross(&w_next.cross(c)) + dx.cross(c));
        }
        SVector::from_iterator(dx.iter().chain(dv.iter()).copied())
    }

    /// Turning of the body at the end of the step.
    fn turn_after(&self, turn: &Vector3<f64>, dw: &Vector3<f64>) -> Vector3<f64> {
        let u = self.w[2] * self.dt;
        Quaternion::exp(&u).to_matrix().tr_mul(turn) + right_jacobian(&u) * dw * (0.5 * self.dt)
    }

    /// What positions follow, for changes of turning, velocities before and velocities after.
    fn drift_change(&self, x: &Inputs) -> Vector3<f64> {
        let (turn, dw, dv, dx, dv_next) = (three(x, 0), three(x, 3), three(x, 6), three(x, 9), three(x, 12));
        let c = &self.body.com;
        let [w, w_next, _] = &self.w;
        let after = self.turn_after(&turn, &(dw + dx));
        (dv + dv_next
            + self.r[0] * (turn.cross(&w.cross(c)) + dw.cross(c))
            + self.r[1] * (after.cross(&w_next.cross(c)) + dx.cross(c)))
            * 0.5
            + (self.r[0] * turn.cross(c) - self.r[1] * after.cross(c)) / self.dt
    }

    /// The velocity at the end for changes of state and forces, into its places of `out`.
    pub(super) fn jvp(&self, dq: &[f64], dv: &[f64], dtau: &[f64], external: &[Force], out: &mut [f64]) {
        let at = self.at;
        let mut x = Inputs::zeros();
        for k in 0..3 {
            x[k] = dq[at + k];
            x[3 + k] = dv[at + k];
            x[6 + k] = dv[at + 3 + k];
            x[9 + k] = dtau[at + k];
            x[12 + k] = dtau[at + 3 + k];
        }
        for (k, t, _) in &self.parts {
            if let Some(f) = external.get(*k) {
                let moment = self.to_body * f.angular + t.cross(&(self.to_body * f.linear));
                let force = self.placement.tr_mul(&f.linear);
                for i in 0..3 {
                    x[9 + i] += moment[i];
                    x[12 + i] += force[i];
                }
            }
        }
        let y = self.k * x;
        out[at..at + 6].copy_from_slice(y.as_slice());
    }

    /// The transpose of [`Self::jvp`].
    pub(super) fn vjp(
        &self,
        w: &[f64],
        on_q: &mut [f64],
        on_v: &mut [f64],
        on_tau: &mut [f64],
        external: &mut [Motion],
    ) {
        let at = self.at;
        let y = SVector::<f64, 6>::from_column_slice(&w[at..at + 6]);
        let x = self.k.tr_mul(&y);
        for k in 0..3 {
            on_q[at + k] += x[k];
            on_v[at + k] += x[3 + k];
            on_v[at + 3 + k] += x[6 + k];
            on_tau[at + k] += x[9 + k];
            on_tau[at + 3 + k] += x[12 + k];
        }
        let (moment, force) = (three(&x, 9), three(&x, 12));
        for (k, t, _) in &self.parts {
            external[*k].angular += self.to_body.tr_mul(&moment);
            external[*k].linear += self.to_body.tr_mul(&moment.cross(t)) + self.placement * force;
        }
    }

    /// Shares of inertias and of gravity.
    pub(super) fn parameters(&self, model: &Model, w: &[f64], to: &mut ModelShares) {
        let at = self.at;
        let (on_w, on_v) =
            (Vector3::new(w[at], w[at + 1], w[at + 2]), Vector3::new(w[at + 3], w[at + 4], w[at + 5]));
        to.gravity += self.placement * on_v * self.dt;
        let [w0, w1, m] = &self.w;
        let c = &self.body.com;
        // δΩ⁺ also turns the end of the step, and with it the origin
        let u = m * self.dt;
        let to_end = self.r[1].tr_mul(&on_v);
        let mut on_dx = on_w;
        if self.drifts {
            let after = w1.cross(c).cross(&to_end);
            on_dx -= right_jacobian(&u).tr_mul(&after) * (0.5 * self.dt) + c.cross(&to_end);
        }
        let p = self.solve.tr_mul(&on_dx);
        // -pᵀ (δI (Ω⁺ - Ω) + τ m × δI m) + dt pᵀ δN
        let along = w1 - w0;
        let across = p.cross(m) * self.tau;
        let g = -(p * along.transpose() + across * m.transpose());
        let sym = (g + g.transpose()) * 0.5;
        let mut on_c = self.force[1].cross(&p) * -self.dt;
        on_c += self.r[0].tr_mul(&on_v).cross(w0) - to_end.cross(w1);
        let on_mass = -self.dt * on_v.dot(&self.force[0]) / (self.body.mass * self.body.mass);
        let total = self.body.mass;
        for (k, t, r) in &self.parts {
            let own = &model.links[*k].inertia;
            let arm = t + r * own.com - c;
            let steiner = Symmetric3::steiner(&arm).to_matrix();
            let by_arm = arm * (2.0 * sym.trace()) - sym * arm * 2.0;
            let back = r.transpose() * sym * r;
            let gradient = InertiaGradient {
                mass: on_mass + on_c.dot(&arm) / total + sym.component_mul(&steiner).sum(),
                com: r.tr_mul(&(on_c * (own.mass / total) + by_arm * own.mass)),
                about_com: [
                    back[(0, 0)],
                    2.0 * back[(0, 1)],
                    2.0 * back[(0, 2)],
                    back[(1, 1)],
                    2.0 * back[(1, 2)],
                    back[(2, 2)],
                ],
            };
            to.inertia[*k].add(1.0, &gradient);
        }
    }

    /// Shares of the masses and centres of the parts in that of the whole.
    fn share_center(&self, model: &Model, on_c: &Vector3<f64>, to: &mut ModelShares) {
        for (k, t, r) in &self.parts {
            let own = &model.links[*k].inertia;
            let arm = t + r * own.com - self.body.com;
            to.inertia[*k].mass += on_c.dot(&arm) / self.body.mass;
            to.inertia[*k].com += r.tr_mul(on_c) * (own.mass / self.body.mass);
        }
    }

    /// What positions follow in flight, where that is not the mean of the velocities.
    pub(super) fn drift_jvp(&self, dq: &[f64], dv: &[f64], dv_next: &[f64], out: &mut [f64]) {
        if !self.drifts {
            return;
        }
        let at = self.at;
        let mut x = Inputs::zeros();
        for k in 0..3 {
            x[k] = dq[at + k];
            x[3 + k] = dv[at + k];
            x[6 + k] = dv[at + 3 + k];
            x[9 + k] = dv_next[at + k];
            x[12 + k] = dv_next[at + 3 + k];
        }
        out[at + 3..at + 6].copy_from_slice((self.d * x).as_slice());
    }

    /// The transpose: takes the share of what positions follow out of `w`.
    pub(super) fn drift_vjp(&self, model: &Model, w: &mut [f64], to: &mut DriftShares<'_>) {
        let at = self.at;
        let on = Vector3::new(w[at + 3], w[at + 4], w[at + 5]);
        let [before, after] = [0, 1].map(|k| self.r[k].tr_mul(&on));
        let [w0, w1, _] = &self.w;
        let on_c = (before.cross(w0) + after.cross(w1)) * 0.5 + (before - after) / self.dt;
        self.share_center(model, &on_c, to.model);
        if !self.drifts {
            return;
        }
        let x = self.d.tr_mul(&Vector3::new(w[at + 3], w[at + 4], w[at + 5]));
        w[at + 3..at + 6].fill(0.0);
        for k in 0..3 {
            to.q[at + k] += x[k];
            to.v[at + k] += x[3 + k];
            to.v[at + 3 + k] += x[6 + k];
            to.next[at + k] += x[9 + k];
            to.next[at + 3 + k] += x[12 + k];
        }
    }
}
