//! Products with the transpose of a step's derivative: from what its outcome is worth to what everything that went into it is.
//!
//! ```text
//!     loops → positions → overlap undone → bounce → contacts → flight → forces        the stages of `products`, backwards
//! ```

use gudgeon_contact::{Adjoint, ContactChange};
use gudgeon_multibody::{DriftShares, FlightShares, integrate_vjp};
use gudgeon_spatial::{Force, Vector3, Vector6};

use super::commands::TellShares;
use super::linear::Linearization;
use super::parameters::Parameters;
use super::products::{ProductScratch, Worth, site};
use super::sites::SiteOf;
use super::stage::DofRow;

impl Linearization {
    /// Fills `out` with what the result is worth per unit of every input, where it is worth `on_q` per unit of the final
    /// position (tangent) and `on_v` of the final velocity.
    pub fn vjp(&mut self, on_q: &[f64], on_v: &[f64], out: &mut Worth) {
        self.vjp_with(on_q, on_v, &[], out);
    }

    /// As [`Self::vjp`], where the activations of actuators, one a controller, are worth `on_activations` (or nothing).
    pub fn vjp_with(&mut self, on_q: &[f64], on_v: &[f64], on_activations: &[f64], out: &mut Worth) {
        let mut sc = std::mem::take(&mut self.sc);
        self.begin_vjp(&mut sc, out);
        out.q.copy_from_slice(on_q);
        sc.on_next.copy_from_slice(on_v);
        self.end_vjp(&mut sc, out);
        self.middle_vjp(&mut sc, out);
        self.activation_shares(on_activations, &mut out.controllers, &mut out.activations);
        self.sc = sc;
    }

    /// Everything at zero.
    pub(super) fn begin_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        let n = self.n_v();
        for list in [&mut out.q, &mut out.v, &mut out.control] {
            list.clear();
            list.resize(n, 0.0);
        }
        out.controllers.clear();
        out.controllers.resize(self.n_controllers, 0.0);
        out.activations.clear();
        out.activations.resize(self.n_controllers, 0.0);
        sc.bias.clear();
        sc.bias.resize(self.n_rows, 0.0);
        sc.start_q.clear();
        sc.on_next.fill(0.0);
        sc.on_move.fill(0.0);
        self.external_zero(&mut out.external);
        if self.parameters_wanted || out.parameters.joint_friction.len() != n {
            let counts = [self.n_colliders(), self.n_pairs(), self.n_controllers];
            out.parameters.reset(&self.model, counts);
        }
    }

    /// From shares of the state at the end, positions in `out.q` and velocities in `sc.on_next`, back to those of the solves:
    /// of the velocity in `sc.on_next`, of what positions follow in `sc.on_move`.
    pub(super) fn end_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        if self.braked {
            self.brakes_vjp(sc, out);
        }
        if self.has_loops {
            sc.unsettled.clear();
            sc.unsettled.resize(out.q.len(), 0.0);
            self.settled.vjp(&self.model, &mut sc.on_next, &mut sc.unsettled, &mut out.q);
            self.settle.vjp(&self.model, &mut out.q);
            out.q.iter_mut().zip(&sc.unsettled).for_each(|(q, x)| *q += x);
            if self.parameters_wanted {
                let shares = &mut out.parameters.model;
                self.settled.parameter_shares(&self.model, shares);
                self.settle.parameter_shares(&self.model, shares);
            }
        }
        integrate_vjp(&self.model, &self.v_move, self.dt, &mut out.q, &mut sc.on_move);
        let Worth { q, v, parameters, .. } = &mut *out;
        let (on_move, on_next) = (&mut sc.on_move, &mut sc.on_next);
        let mut drift = DriftShares { q, v, next: on_next, model: &mut parameters.model };
        self.flight.drift_vjp(&self.passive, on_move, &self.flying, &mut drift);
        for k in 0..self.n_v() {
            if !self.pushed[k] {
                let half = 0.5 * std::mem::take(&mut sc.on_move[k]);
                out.v[k] += half;
                sc.on_next[k] += half;
            }
        }
    }

    /// From there back to everything that goes into the step; `out.q` and `out.v` are added to.
    pub(super) fn middle_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        let contacts = self.sites.len();
        for list in [&mut sc.on_leaving, &mut sc.on_height] {
            list.clear();
            list.resize(contacts, 0.0);
        }
        if self.recovery.active {
            if self.is_cut() {
                self.cuts_vjp(sc, out);
            }
            self.recovery_vjp(sc, out);
            if self.is_cut() {
                self.uncut(sc);
            }
        }
        self.solves_vjp(sc, out);
        self.flight_vjp(sc, out);
        out.q.iter_mut().zip(&sc.start_q).for_each(|(x, y)| *x += y);
    }

    fn brakes_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        // shares of the start go where those of the end are not yet carried back to
        sc.on_base.fill(0.0);
        sc.driven.fill(0.0);
        let Self { brakes, model, before, ws, end, q_end, .. } = self;
        let shares = &mut out.parameters.model;
        brakes.vjp(&mut out.q, &mut sc.on_next, &mut sc.on_base, &mut sc.driven, |share, b| {
            brakes.parameter_shares(model, share, b, (before, ws), (q_end, end), shares);
        });
        sc.start_q.clear();
        sc.start_q.extend_from_slice(&sc.on_base);
        out.v.iter_mut().zip(&sc.driven).for_each(|(x, y)| *x += y);
    }

    fn recovery_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        let (dt, sites, wanted) = (self.dt, &self.sites, self.parameters_wanted);
        let Worth { q, parameters, .. } = out;
        let on_height = &mut sc.on_height;
        self.recovery.vjp(
            &self.passive,
            &self.paths,
            &mut sc.on_move,
            q,
            |place, _, adjoint| {
                on_height[place] -= adjoint.change.bias / dt;
                if wanted {
                    pose_shares(&sites[place], adjoint, &mut parameters.pose);
                }
            },
            |_, _| {},
        );
        if wanted {
            self.recovery.parameter_shares(&self.passive, &self.ws, dt, true, &mut parameters.model);
        }
    }

    /// Contacts and what bounces; leaves the share of the free velocity in `sc.dv_free`.
    fn solves_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        let (dt, wanted) = (self.dt, self.parameters_wanted);
        if self.bounce.active {
            let (sites, rebounds) = (&self.sites, &self.rebounds);
            let Worth { q, parameters, .. } = out;
            let (on_leaving, bias) = (&mut sc.on_leaving, &mut sc.bias);
            let share = self.bounce.vjp(
                &self.passive,
                &self.paths,
                &mut sc.on_next,
                q,
                |place, _, adjoint| {
                    if rebounds.iter().any(|r| r.contact == place) {
                        on_leaving[place] -= adjoint.change.bias;
                    }
                    if wanted {
                        contact_shares(&sites[place], adjoint, parameters);
                    }
                },
                |row: &DofRow, share: f64| add_bias(bias, row, share),
            );
            for &(dof, side) in &self.bounce_joints.bound {
                parameters.joint_friction[dof] += side * dt * share[dof];
            }
            if wanted {
                self.bounce.parameter_shares(&self.passive, &self.ws, dt, true, &mut parameters.model);
            }
            self.rebound_vjp(sc, out);
        } else {
            sc.on_move.iter_mut().zip(&sc.on_next).for_each(|(m, x)| *m += x);
            sc.on_next.fill(0.0);
        }
        if self.contact.active {
            let sites = &self.sites;
            let Worth { q, parameters, .. } = out;
            let (springs, bias) = (&self.springs, &mut sc.bias);
            let (first, gains, rates) =
                (self.first_spring_row, &mut parameters.gain, &mut parameters.rate_gain);
            let mut frictions = std::mem::take(&mut parameters.friction);
            let mut pairs = std::mem::take(&mut parameters.pair_friction);
            let pose = &mut parameters.pose;
            let share = self.contact.vjp(
                &self.passive,
                &self.paths,
                &mut sc.on_move,
                q,
                |place, _, adjoint| {
                    if wanted {
                        friction_shares(&sites[place], adjoint, &mut frictions, &mut pairs);
                        pose_shares(&sites[place], adjoint, pose);
                    }
                },
                |row: &DofRow, share: f64| {
                    add_bias(bias, row, share);
                    spring_row(springs, first, row, share, dt, gains, rates);
                },
            );
            if !self.bounce.active {
                for &(dof, side) in &self.first_joints.bound {
                    parameters.joint_friction[dof] += side * dt * share[dof];
                }
            }
            (parameters.friction, parameters.pair_friction) = (frictions, pairs);
            if wanted {
                self.contact.parameter_shares(&self.passive, &self.ws, dt, true, &mut parameters.model);
            }
        }
        for k in 0..sc.dv_free.len() {
            sc.dv_free[k] = sc.on_move[k] + sc.on_next[k];
        }
    }

    /// From leaving speeds and heights back to velocities, gaps and restitution.
    fn rebound_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        let links = self.model.n_links();
        for list in [&mut sc.on_moved, &mut sc.on_x, &mut sc.on_varied] {
            list.clear();
            list.resize(links, Force::zero());
        }
        sc.on_base.fill(0.0);
        for r in 0..self.rebounds.len() {
            let rebound = self.rebounds[r];
            let s = &self.sites[rebound.contact];
            let (leaving, height) = (sc.on_leaving[rebound.contact], sc.on_height[rebound.contact]);
            let on: [f64; 4] =
                std::array::from_fn(|k| rebound.leaving[k] * leaving + rebound.height[k] * height);
            let (mut on_dp, mut on_dn) = (Vector3::zeros(), Vector3::zeros());
            let (a, b) = s.links;
            for (case, share) in [(0, on[0]), (1, on[1])] {
                let v = if case == 0 { &self.v_before } else { &self.v_base };
                self.fields.spread(&self.model, v, &mut sc.field);
                let at = |k: usize| self.fields.at(k, sc.field[k], &s.point);
                on_dn += (at(a) - at(b)) * share;
                let turn = sc.field[a].angular - sc.field[b].angular;
                let force = s.normal * share;
                on_dp += force.cross(&turn);
                sc.on_x.fill(Force::zero());
                sc.on_x[a] += self.fields.about(a, &s.point, Vector3::zeros(), force);
                sc.on_x[b] -= self.fields.about(b, &s.point, Vector3::zeros(), force);
                sc.on_varied.copy_from_slice(&sc.on_x);
                self.fields.vary_transposed(&self.model, v, &mut sc.on_varied, &mut sc.on_moved);
                let to = if case == 0 { &mut out.v } else { &mut sc.on_base };
                self.fields.gather(&self.model, &mut sc.on_x, to);
            }
            let (on_a, on_b) = site(s).vjp(&self.fields, &on_dp, &on_dn, on[2], &mut sc.on_moved);
            let change = ContactChange::default();
            let p = &mut out.parameters;
            pose_shares(s, &Adjoint { change, on_a, on_b }, &mut p.pose);
            if let Some(k) = s.mixed.pair {
                p.pair_restitution[k] += on[3];
            } else {
                p.restitution[s.colliders.0] += s.mixed.restitution[0] * on[3];
                p.restitution[s.colliders.1] += s.mixed.restitution[1] * on[3];
            }
        }
        self.fields.gather(&self.model, &mut sc.on_moved, &mut out.q);
        if self.base.active {
            self.base.vjp(&self.passive, &self.paths, &mut sc.on_base, &mut out.q, |_, _, _| {}, |_, _| {});
            if self.parameters_wanted {
                self.base.parameter_shares(&self.passive, &self.ws, self.dt, true, &mut out.parameters.model);
            }
        }
        sc.on_next.iter_mut().zip(&sc.on_base).for_each(|(x, b)| *x += b);
    }

    fn flight_vjp(&mut self, sc: &mut ProductScratch, out: &mut Worth) {
        sc.driven.fill(0.0);
        sc.tau.fill(0.0);
        if self.parameters_wanted {
            sc.springs.reset(&self.model);
        }
        let mut shares = FlightShares {
            q: &mut out.q,
            v: &mut out.v,
            tau: &mut sc.tau,
            driven: &mut sc.driven,
            external: &mut out.external,
            model: self.parameters_wanted.then_some(&mut sc.springs),
        };
        self.flight.vjp(&self.passive, &sc.dv_free, &mut shares);
        out.control.copy_from_slice(&sc.tau);
        let Worth { controllers, activations, q, v, .. } = &mut *out;
        let mut shares = TellShares { controllers, activations, q, v };
        self.command_shares(&sc.tau, &sc.bias, &mut sc.uncut, &mut shares);
        if !self.arms.is_empty() {
            sc.on_moved.clear();
            sc.on_moved.resize(self.model.n_links(), Force::zero());
            self.push_shares(&out.external, &mut sc.on_moved, &mut out.parameters.model);
            self.fields.gather(&self.model, &mut sc.on_moved, &mut out.q);
        }
        if self.parameters_wanted {
            self.share_springs(sc, out);
        }
    }

    /// Splits what springs and dampers are worth between the model's own and those of controllers.
    fn share_springs(&self, sc: &mut ProductScratch, out: &mut Worth) {
        let p = &mut out.parameters;
        for s in self.springs.iter().filter(|s| s.row.is_none()) {
            let k = s.dof;
            let (own, both) = (self.model.dofs()[k], self.passive.dofs()[k]);
            let paired = if both.stiffness > 0.0 { sc.springs.rest[k] / both.stiffness } else { 0.0 };
            // the diagonal's part of the contact solves is in the model's shares already
            let contact = p.model.stiffness[k];
            let contact_rate = p.model.damping[k];
            if s.told {
                p.gain[s.controller] += sc.springs.stiffness[k] + (s.target - both.rest) * paired + contact;
                p.rate_gain[s.controller] += sc.springs.damping[k] + s.velocity * sc.tau[k] + contact_rate;
            }
            sc.springs.stiffness[k] += (own.rest - both.rest) * paired;
            sc.springs.rest[k] = own.stiffness * paired;
        }
        p.model.add(1.0, &sc.springs);
    }
}

/// Keeps the share of a row's bias; rows of overlap undone have no number.
fn add_bias(bias: &mut [f64], row: &DofRow, share: f64) {
    if let Some(x) = bias.get_mut(row.of) {
        *x += share;
    }
}

fn friction_shares(s: &SiteOf, adjoint: &Adjoint, friction: &mut [f64], pairs: &mut [f64]) {
    let share = adjoint.change.mu * s.section;
    if let Some(k) = s.mixed.pair {
        pairs[k] += share;
    } else {
        friction[s.colliders.0] += s.mixed.friction[0] * share;
        friction[s.colliders.1] += s.mixed.friction[1] * share;
    }
}

fn pose_shares(s: &SiteOf, adjoint: &Adjoint, pose: &mut [Vector6<f64>]) {
    let both = [(s.colliders.0, &adjoint.on_a), (s.colliders.1, &adjoint.on_b)];
    for (k, (collider, on)) in both.into_iter().enumerate() {
        let (r, at) = &s.frames[k];
        let force = Force::from_vector(on);
        let moment = force.angular + (s.point - at).cross(&force.linear);
        pose[collider] += Force::new(r.tr_mul(&moment), r.tr_mul(&force.linear)).to_vector();
    }
}

fn contact_shares(s: &SiteOf, adjoint: &Adjoint, p: &mut Parameters) {
    friction_shares(s, adjoint, &mut p.friction, &mut p.pair_friction);
    pose_shares(s, adjoint, &mut p.pose);
}

/// A controller's spring that is a row: bias (k x − d v)/(dt k + d), compliance 1/(dt (dt k + d)).
fn spring_row(
    springs: &[super::parameters::SpringUse],
    first: usize,
    row: &DofRow,
    share: f64,
    dt: f64,
    gains: &mut [f64],
    rates: &mut [f64],
) {
    if row.of < first || row.of == usize::MAX {
        return;
    }
    let rows = springs.iter().filter_map(|s| s.row.map(|r| (s.controller, r)));
    let Some((controller, r)) = rows.clone().nth(row.of - first) else { return };
    let both = dt * r.stiffness + r.damping;
    let bias = (r.stiffness * r.stretch - r.damping * r.velocity) / both;
    // u = v + bias + C λ = 0 at the answer, so C λ = −(v + bias): its change with C is that over C
    let by_both = -1.0 / both;
    gains[controller] += share * ((r.stretch - dt * bias) / both + row.pull * by_both * dt);
    rates[controller] += share * ((-r.velocity - bias) / both + row.pull * by_both);
}
