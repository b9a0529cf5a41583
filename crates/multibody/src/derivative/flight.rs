//! The free velocity of a step against state, forces and parameters (see `step`).
//!
//! ```text
//!     trees    : v_m = v;  per round   a = FD(q ⊕ ½dt v_m, v_m),  v⁺ = v + dt a,  v_m ← ½ (v + v⁺)
//!     bodies   : `free_body`
//!     passive  : τ_p = τ − D v − K (q + dt v − rest),   M̃ = M + armature + dt D + dt² K
//! ```
//! Products run through the same evaluations, forwards for changes and backwards for shares. Which rounds a group of trees took
//! is kept as it was.

use gudgeon_spatial::{Force, Motion};

use super::forward::{AccelerationDerivative, AccelerationScratch, InputChange, Shares};
use super::free_body::{self, BodyDerivative};
use super::integrate::{integrate_jvp, integrate_vjp};
use super::shares::ModelShares;
use crate::aba::Load;
use crate::free_body::{FreeBodies, unsprung};
use crate::integrate::integrate;
use crate::load::StepLoad;
use crate::ltl::NotPositiveDefinite;
use crate::model::{Model, State};
use crate::passive::implicit_passive;
use crate::step::flight::{Middle, ROUNDS, Settling, Trees};

/// What a product with the transpose of a flight leaves, each added to.
#[derive(Debug)]
pub struct FlightShares<'a> {
    /// On the position, n_v.
    pub q: &'a mut [f64],
    /// On the velocity, n_v.
    pub v: &'a mut [f64],
    /// On the joint forces, n_v.
    pub tau: &'a mut [f64],
    /// On the accelerations of driven joints, n_v.
    pub driven: &'a mut [f64],
    /// On external forces about the links' origins, n_links.
    pub external: &'a mut [Motion],
    /// On the parameters, if asked for.
    pub model: Option<&'a mut ModelShares>,
}

/// What a product with the transpose of the drift leaves, each added to.
#[derive(Debug)]
pub struct DriftShares<'a> {
    /// On the position, n_v.
    pub q: &'a mut [f64],
    /// On the velocity at the start, n_v.
    pub v: &'a mut [f64],
    /// On the velocity at the end, n_v.
    pub next: &'a mut [f64],
    /// On the parameters.
    pub model: &'a mut ModelShares,
}

/// How a flight is to be taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Road<'a> {
    /// As [`crate::Stepper::flight`].
    Flight(Trees<'a>),
    /// Two evaluations of the midpoint rule with loops open.
    Open,
}

/// The free velocity of a step, ready for products.
#[derive(Debug, Clone, PartialEq)]
pub struct FlightDerivative {
    stages: Vec<AccelerationDerivative>,
    n_stages: usize,
    mid_v: Vec<Vec<f64>>,    // by stage: v_m at its start
    updated: Vec<Vec<bool>>, // by stage and dof: v_m was made anew before it
    alone: Vec<bool>,        // by dof: a body of its own
    bodies: Vec<BodyDerivative>,
    free: FreeBodies,
    settling: Settling,
    dt: f64,
    tau: Vec<f64>,
    diagonal: Vec<f64>,
    mid: State,
    start: State,
    v_free: Vec<f64>,
    sc: AccelerationScratch,
    x: [Vec<f64>; 5],
    fields: Vec<Motion>,
}

impl FlightDerivative {
    /// Room for `model`.
    pub fn new(model: &Model) -> Self {
        let n = model.n_v();
        Self {
            stages: Vec::new(),
            n_stages: 0,
            mid_v: Vec::new(),
            updated: Vec::new(),
            alone: vec![false; n],
            bodies: Vec::new(),
            free: FreeBodies::new(model),
            settling: Settling::default(),
            dt: 0.0,
            tau: Vec::new(),
            diagonal: vec![0.0; n],
            mid: State::neutral(model),
            start: State::neutral(model),
            v_free: vec![0.0; n],
            sc: AccelerationScratch::default(),
            x: std::array::from_fn(|_| vec![0.0; n]),
            fields: Vec::new(),
        }
    }

    /// The velocity it leads to.
    pub fn velocity(&self) -> &[f64] {
        &self.v_free
    }

    /// The whole diagonal in place of the armature.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// Evaluates the flight as the step does, with a derivative at every evaluation. Answers false where the step carried
    /// momentum in place of finding a middle, which has no derivative here.
    pub fn compute(
        &mut self,
        model: &Model,
        state: &State,
        tau: &[f64],
        external: &[Force],
        dt: f64,
        road: Road<'_>,
    ) -> Result<bool, NotPositiveDefinite> {
        self.dt = dt;
        self.tau.clear();
        self.tau.extend_from_slice(tau);
        implicit_passive(model, state, dt, &mut self.tau, &mut self.diagonal);
        self.start.q.copy_from_slice(&state.q);
        self.start.v.copy_from_slice(&state.v);
        self.n_stages = 0;
        self.mid.v.copy_from_slice(&state.v);
        let Road::Flight(trees) = road else {
            self.alone.fill(false);
            self.bodies.clear();
            for _ in 0..2 {
                self.evaluate(model, external, false, |_| true)?;
            }
            return Ok(true);
        };
        let free = &self.free;
        let alone = |k: usize| free.alone()[k] && unsprung(model, model.links[model.dof_link[k]].v_start);
        self.settling.begin(model.n_v());
        for k in 0..model.n_v() {
            self.alone[k] = alone(k);
            if !self.alone[k] && !trees.pushed[k] {
                self.settling.state[trees.group[k]] = Middle::Moving;
            }
        }
        if self.alone.contains(&false) && !self.middle(model, state, external, trees)? {
            self.bodies.clear();
            return Ok(false);
        }
        let Self { free, bodies, v_free, .. } = self;
        free_body::bodies(free, model, state, &StepLoad { tau, external, dt }, bodies, v_free);
        Ok(true)
    }

    /// The rounds of `Stepper::flight`.
    fn middle(
        &mut self,
        model: &Model,
        state: &State,
        external: &[Force],
        trees: Trees<'_>,
    ) -> Result<bool, NotPositiveDefinite> {
        for round in 0..ROUNDS {
            if round > 0 {
                let Self { settling, mid, v_free, x, .. } = self;
                x[0].fill(0.0);
                if !settling.renew(round, trees.group, &state.v, v_free, &mut mid.v, |k| x[0][k] = 1.0) {
                    break;
                }
            }
            let made = std::mem::take(&mut self.x[0]);
            let done = self.evaluate(model, external, true, |k| made[k] > 0.0);
            self.x[0] = made;
            done?;
        }
        Ok(!self.settling.state.contains(&Middle::Lost))
    }

    /// One evaluation at the middle as it is; `made` says for which dofs it was made anew.
    fn evaluate(
        &mut self,
        model: &Model,
        external: &[Force],
        held: bool,
        made: impl Fn(usize) -> bool,
    ) -> Result<(), NotPositiveDefinite> {
        let stage = self.n_stages;
        self.n_stages += 1;
        if self.stages.len() < self.n_stages {
            self.stages.push(AccelerationDerivative::new(model));
            self.mid_v.push(vec![0.0; model.n_v()]);
            self.updated.push(vec![false; model.n_v()]);
        }
        let dt = self.dt;
        if !held && stage > 0 {
            for k in 0..model.n_v() {
                self.mid.v[k] = 0.5 * (self.start.v[k] + self.v_free[k]);
            }
        }
        self.mid.q.copy_from_slice(&self.start.q);
        integrate(model, &mut self.mid.q, &self.mid.v, 0.5 * dt);
        self.mid_v[stage].copy_from_slice(&self.mid.v);
        self.updated[stage].iter_mut().enumerate().for_each(|(k, u)| *u = made(k));
        let load = Load { tau: &self.tau, external, diagonal: &self.diagonal, ..Load::default() };
        self.stages[stage].compute(model, &self.mid, &load, held)?;
        for (k, a) in self.stages[stage].acceleration().iter().enumerate() {
            self.v_free[k] = self.start.v[k] + dt * a;
        }
        Ok(())
    }

    /// Products by matrices, which are made, or by sweeps again.
    pub fn by_matrices(&mut self, model: &Model, dense: bool) {
        self.stages[..self.n_stages].iter_mut().for_each(|s| s.by_matrices(model, dense));
    }

    /// `out` ← the change of the free velocity.
    pub fn jvp(&mut self, model: &Model, change: &InputChange<'_>, out: &mut [f64]) {
        let InputChange { q: dq, v: dv, tau: dtau, external } = *change;
        let dt = self.dt;
        let [dtau_p, dmid_q, dmid_v, da, _] = &mut self.x;
        dtau_p.copy_from_slice(dtau);
        for (k, dof) in model.dofs.iter().enumerate() {
            dtau_p[k] -= (dof.damping + dt * dof.stiffness) * dv[k] + dof.stiffness * dq[k];
        }
        dmid_v.copy_from_slice(dv);
        out.copy_from_slice(dv);
        for stage in 0..self.n_stages {
            if stage > 0 {
                for k in (0..dv.len()).filter(|&k| self.updated[stage][k]) {
                    dmid_v[k] = 0.5 * (dv[k] + out[k]);
                }
            }
            dmid_q.copy_from_slice(dq);
            integrate_jvp(model, &self.mid_v[stage], 0.5 * dt, dmid_q, dmid_v);
            da.fill(0.0);
            let change = InputChange { q: dmid_q, v: dmid_v, tau: dtau_p, external };
            self.stages[stage].jvp(model, &change, da, &mut self.sc);
            for k in 0..dv.len() {
                out[k] = dv[k] + dt * da[k];
            }
        }
        for body in &self.bodies {
            body.jvp(dq, dv, dtau, external, out);
        }
    }

    /// The transpose of [`Self::jvp`] on `w`.
    pub fn vjp(&mut self, model: &Model, w: &[f64], to: &mut FlightShares<'_>) {
        let dt = self.dt;
        for body in &self.bodies {
            body.vjp(w, to.q, to.v, to.tau, to.external);
            if let Some(shares) = &mut to.model {
                body.parameters(model, w, shares);
            }
        }
        let [on_free, on_q, on_mid, on_tau, wa] = &mut self.x;
        for k in 0..w.len() {
            on_free[k] = if self.alone[k] { 0.0 } else { w[k] };
        }
        if self.n_stages == 0 {
            return;
        }
        on_tau.fill(0.0);
        on_mid.fill(0.0);
        for stage in (0..self.n_stages).rev() {
            for k in 0..w.len() {
                to.v[k] += on_free[k];
                wa[k] = dt * on_free[k];
                on_free[k] = 0.0;
            }
            on_q.fill(0.0);
            let mut shares = Shares { q: on_q, v: on_mid, tau: on_tau, driven: to.driven };
            let d = &mut self.stages[stage];
            let y = d.vjp(model, wa, &mut shares, &mut self.sc);
            d.spread(model, y, &mut self.fields);
            for (i, on) in to.external.iter_mut().enumerate().skip(1) {
                *on += d.at_origin(i, self.fields[i]);
            }
            if let Some(shares) = &mut to.model {
                parameters(model, &self.start, dt, d, y, &self.fields, shares);
            }
            integrate_vjp(model, &self.mid_v[stage], 0.5 * dt, on_q, on_mid);
            for k in 0..w.len() {
                to.q[k] += on_q[k];
                if stage == 0 {
                    to.v[k] += on_mid[k];
                } else if self.updated[stage][k] {
                    // before it came v_m from the velocity of the stage before
                    to.v[k] += 0.5 * on_mid[k];
                    on_free[k] = 0.5 * on_mid[k];
                    on_mid[k] = 0.0;
                }
            }
        }
        for (k, dof) in model.dofs.iter().enumerate() {
            to.tau[k] += on_tau[k];
            to.v[k] -= (dof.damping + dt * dof.stiffness) * on_tau[k];
            to.q[k] -= dof.stiffness * on_tau[k];
        }
    }

    /// The change of what positions follow in flight, of bodies whose origin is not their centre of mass; `flying` by dof.
    pub fn drift_jvp(&self, dq: &[f64], dv: &[f64], dv_next: &[f64], flying: &[bool], out: &mut [f64]) {
        for body in self.bodies.iter().filter(|b| flying[b.at]) {
            body.drift_jvp(dq, dv, dv_next, out);
        }
    }

    /// The transpose of [`Self::drift_jvp`]: takes its share out of `w`.
    pub fn drift_vjp(&self, model: &Model, w: &mut [f64], flying: &[bool], to: &mut DriftShares<'_>) {
        for body in self.bodies.iter().filter(|b| flying[b.at]) {
            body.drift_vjp(model, w, to);
        }
    }
}

/// Shares of the parameters at one evaluation, where joint forces are paired with `y` and its field.
fn parameters(
    model: &Model,
    start: &State,
    dt: f64,
    d: &AccelerationDerivative,
    y: &[f64],
    fields: &[Motion],
    to: &mut ModelShares,
) {
    for i in 1..model.n_links() {
        d.inertia_share(model, i, fields[i], &mut to.inertia[i]);
        // a uniform field pushes every body at its centre
        let body = &model.links[i].inertia;
        let at = d.at_origin(i, fields[i]).at(&(d.rotation(i) * body.com));
        to.gravity += at.linear * body.mass;
    }
    let a = d.acceleration();
    for (k, dof) in model.dofs.iter().enumerate() {
        to.damping[k] -= y[k] * (start.v[k] + dt * a[k]);
        to.armature[k] -= y[k] * a[k];
        if let Some(at) = model.dof_coordinate(k) {
            to.stiffness[k] -= y[k] * (start.q[at] + dt * start.v[k] - dof.rest + dt * dt * a[k]);
            to.rest[k] += y[k] * dof.stiffness;
        }
    }
}
