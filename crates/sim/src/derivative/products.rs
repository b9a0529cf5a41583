//! Products of a step's derivative with a change of its inputs; those of its transpose are in `transpose`.
//!
//! ```text
//!     forces → flight → contacts → bounce → overlap undone → positions → loops        jvp runs this way, vjp back
//! ```
//! No matrix is formed: each stage is a few sweeps over the tree and a solve with factors that are there.

use gudgeon_contact::{ContactChange, Site};
use gudgeon_multibody::{InputChange, ModelShares, integrate_jvp};
use gudgeon_spatial::{Force, Motion, Vector6};

use super::commands::Told;
use super::linear::Linearization;
use super::parameters::Parameters;
use super::sites::SiteOf;
use super::stage::Changes;

/// A change of what goes into a step; lists may be empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Change<'a> {
    /// Of the position, in the tangent space, n_v.
    pub q: &'a [f64],
    /// Of the velocity, n_v.
    pub v: &'a [f64],
    /// Of the caller's joint forces, n_v.
    pub control: &'a [f64],
    /// Of what controllers are told: forces, velocities, targets, controls of actuators; one each.
    pub controllers: &'a [f64],
    /// Of the activations of actuators, one a controller: part of the state where there are some.
    pub activations: &'a [f64],
    /// Of forces on links, world axes about their origins, n_links.
    pub external: &'a [Force],
    /// Of friction, restitution and poses of shapes.
    pub parameters: Option<&'a Parameters>,
}

/// What a result is worth per unit of everything that goes into a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Worth {
    /// Of the position, in the tangent space, n_v.
    pub q: Vec<f64>,
    /// Of the velocity, n_v.
    pub v: Vec<f64>,
    /// Of the caller's joint forces, n_v.
    pub control: Vec<f64>,
    /// Of what controllers are told, one each.
    pub controllers: Vec<f64>,
    /// Of the activations of actuators, one a controller.
    pub activations: Vec<f64>,
    /// Of forces on links: per moment and per force, world axes about their origins, n_links.
    pub external: Vec<Motion>,
    /// Of the parameters.
    pub parameters: Parameters,
}

/// Memory of the products.
#[derive(Debug, Clone, Default)]
pub(super) struct ProductScratch {
    pub(super) zero: Vec<f64>,
    pub(super) dv_free: Vec<f64>,
    pub(super) dv_first: Vec<f64>,
    pub(super) dv_base: Vec<f64>,
    pub(super) dv_move: Vec<f64>,
    pub(super) dv_lift: Vec<f64>,
    pub(super) external: Vec<Force>,
    pub(super) moved: Vec<Motion>,
    pub(super) field: Vec<Motion>,
    pub(super) varied: Vec<Motion>,
    pub(super) spread: Vec<Motion>,
    pub(super) changes: Vec<ContactChange>,
    pub(super) lifts: Vec<ContactChange>,
    pub(super) shapes: Vec<[Vector6<f64>; 2]>,
    pub(super) on_moved: Vec<Force>,
    pub(super) on_varied: Vec<Force>,
    pub(super) on_x: Vec<Force>,
    pub(super) on_leaving: Vec<f64>,
    pub(super) on_height: Vec<f64>,
    pub(super) on_next: Vec<f64>,
    pub(super) on_move: Vec<f64>,
    pub(super) on_base: Vec<f64>,
    pub(super) driven: Vec<f64>,
    pub(super) tau: Vec<f64>,
    pub(super) start_q: Vec<f64>,
    pub(super) springs: ModelShares,
    pub(super) bias: Vec<f64>, // by row of the step
    pub(super) uncut: Vec<f64>,
    pub(super) unsettled: Vec<f64>,
}

impl ProductScratch {
    pub(super) fn new(n: usize) -> Self {
        let list = || vec![0.0; n];
        Self {
            zero: list(),
            dv_free: list(),
            dv_first: list(),
            dv_base: list(),
            dv_move: list(),
            dv_lift: list(),
            on_next: list(),
            on_move: list(),
            on_base: list(),
            driven: list(),
            tau: list(),
            ..Self::default()
        }
    }
}

pub(super) fn site(s: &SiteOf) -> Site<'_> {
    Site { links: s.links, point: s.point, normal: s.normal, slopes: &s.slopes }
}

impl Linearization {
    /// The change of position (tangent) and velocity at the end of the step.
    pub fn jvp(&mut self, change: &Change<'_>, q_out: &mut [f64], v_out: &mut [f64]) {
        let mut sc = std::mem::take(&mut self.sc);
        let n = self.n_v();
        let zero = std::mem::take(&mut sc.zero);
        let dq = if change.q.is_empty() { &zero[..] } else { change.q };
        let dv = if change.v.is_empty() { &zero[..] } else { change.v };
        let du = if change.control.is_empty() { &zero[..] } else { change.control };
        self.fields.spread(&self.model, dq, &mut sc.moved);
        sc.external.clear();
        sc.external.extend_from_slice(change.external);
        if !self.arms.is_empty() {
            sc.external.resize(self.model.n_links(), Force::zero());
            self.push_changes(&sc.moved, &mut sc.external);
        }
        sc.dv_free.fill(0.0);
        sc.tau.copy_from_slice(du);
        let (controllers, activations) = (change.controllers, change.activations);
        let told = Told { controllers, activations, q: dq, v: dv };
        self.command_changes(told, &mut sc.tau, &mut sc.bias);
        let inputs = InputChange { q: dq, v: dv, tau: &sc.tau, external: &sc.external };
        self.flight.jvp(&self.passive, &inputs, &mut sc.dv_free);
        self.contact_changes(change.parameters, &mut sc);
        sc.dv_first.copy_from_slice(&sc.dv_free);
        if self.contact.active {
            let all = Changes {
                contacts: &sc.changes,
                shapes: &sc.shapes,
                dof_bias: &sc.bias,
                impulses: &[],
                paths: &self.paths,
            };
            self.contact.jvp(&self.passive, dq, all, &mut sc.dv_first);
        }
        v_out.copy_from_slice(&sc.dv_first);
        sc.lifts.clear();
        sc.lifts.resize(self.sites.len(), ContactChange::default());
        if self.bounce.active {
            self.rebound_jvp(dq, dv, change.parameters, &mut sc);
            let all = Changes {
                contacts: &sc.changes,
                shapes: &sc.shapes,
                dof_bias: &sc.bias,
                impulses: &[],
                paths: &self.paths,
            };
            v_out.copy_from_slice(&sc.dv_free);
            self.bounce.jvp(&self.passive, dq, all, v_out);
        }
        sc.dv_move.copy_from_slice(&sc.dv_first);
        if self.recovery.active {
            self.undone_jvp(dq, &mut sc);
            if self.is_cut() {
                self.cuts_jvp(dv, change.parameters, &mut sc);
            }
        }
        for k in 0..n {
            if !self.pushed[k] {
                sc.dv_move[k] = 0.5 * (dv[k] + v_out[k]);
            }
        }
        self.flight.drift_jvp(dq, dv, v_out, &self.flying, &mut sc.dv_move);
        q_out.copy_from_slice(dq);
        integrate_jvp(&self.model, &self.v_move, self.dt, q_out, &sc.dv_move);
        if self.has_loops {
            sc.unsettled.clear();
            sc.unsettled.extend_from_slice(q_out);
            self.settle.jvp(&self.model, q_out);
            self.settled.jvp(&self.model, &sc.unsettled, q_out, v_out);
        }
        self.brakes.jvp(dq, dv, q_out, v_out);
        sc.zero = zero;
        self.sc = sc;
    }

    /// What undoing overlap adds to what positions follow.
    fn undone_jvp(&mut self, dq: &[f64], sc: &mut ProductScratch) {
        let all = Changes {
            contacts: &sc.lifts,
            shapes: &sc.shapes,
            dof_bias: &[],
            impulses: &[],
            paths: &self.paths,
        };
        self.recovery.jvp(&self.passive, dq, all, &mut sc.dv_move);
        sc.dv_lift.copy_from_slice(&sc.dv_move);
    }

    /// Twists of shapes alone, of the last product; by contact, or empty.
    pub(super) fn shape_changes(&self) -> &[[Vector6<f64>; 2]] {
        &self.sc.shapes
    }

    /// δv of the first solve, of the last product.
    pub(super) fn first_change(&self) -> &[f64] {
        &self.sc.dv_first
    }

    /// δ of what positions follow once overlap is undone, of the last product.
    pub(super) fn lift_change(&self) -> &[f64] {
        &self.sc.dv_lift
    }

    /// δv of the flight, of the last product.
    pub(super) fn free_change(&self) -> &[f64] {
        &self.sc.dv_free
    }

    /// Changes of friction and of the poses of shapes, by contact.
    fn contact_changes(&self, parameters: Option<&Parameters>, sc: &mut ProductScratch) {
        sc.changes.clear();
        sc.shapes.clear();
        sc.changes.resize(self.sites.len(), ContactChange::default());
        let Some(p) = parameters else { return };
        for (s, change) in self.sites.iter().zip(&mut sc.changes) {
            let (a, b) = s.colliders;
            change.mu = s.section
                * match s.mixed.pair {
                    Some(k) => p.pair_friction[k],
                    None => s.mixed.friction[0] * p.friction[a] + s.mixed.friction[1] * p.friction[b],
                };
            sc.shapes.push([0, 1].map(|k| {
                let own = Motion::from_vector(&p.pose[if k == 0 { a } else { b }]);
                let (r, at) = &s.frames[k];
                let turned = Motion::new(r * own.angular, r * own.linear);
                turned.at(&(s.point - at)).to_vector()
            }));
        }
    }

    /// Changes of leaving speeds into the biases, of heights into those of the recovery.
    fn rebound_jvp(
        &mut self,
        dq: &[f64],
        dv: &[f64],
        parameters: Option<&Parameters>,
        sc: &mut ProductScratch,
    ) {
        sc.dv_base.copy_from_slice(&sc.dv_free);
        if self.base.active {
            let none =
                Changes { contacts: &[], shapes: &[], dof_bias: &[], impulses: &[], paths: &self.paths };
            self.base.jvp(&self.passive, dq, none, &mut sc.dv_base);
        }
        for r in 0..self.rebounds.len() {
            let rebound = self.rebounds[r];
            let s = &self.sites[rebound.contact];
            let (dp, dn, dgap) = site(s).jvp(&self.fields, &sc.moved, sc.shapes.get(rebound.contact));
            let mut rates = [0.0; 2];
            let cases = [(&self.v_before, dv), (&self.v_base, &sc.dv_base[..])];
            for (rate, (v, dv)) in rates.iter_mut().zip(cases) {
                self.fields.spread(&self.model, v, &mut sc.field);
                self.fields.vary(&self.model, v, &sc.moved, &mut sc.varied);
                self.fields.spread(&self.model, dv, &mut sc.spread);
                let (a, b) = s.links;
                let between =
                    |f: &[Motion]| self.fields.at(a, f[a], &s.point) - self.fields.at(b, f[b], &s.point);
                let turn = sc.field[a].angular - sc.field[b].angular;
                let du = between(&sc.varied) + between(&sc.spread) + turn.cross(&dp);
                *rate = dn.dot(&between(&sc.field)) + s.normal.dot(&du);
            }
            let de = parameters.map_or(0.0, |p| match s.mixed.pair {
                Some(k) => p.pair_restitution[k],
                None => {
                    s.mixed.restitution[0] * p.restitution[s.colliders.0]
                        + s.mixed.restitution[1] * p.restitution[s.colliders.1]
                }
            });
            let causes = [rates[0], rates[1], dgap, de];
            let dot = |w: &[f64; 4]| w.iter().zip(causes).map(|(w, x)| w * x).sum::<f64>();
            sc.changes[rebound.contact].bias = -dot(&rebound.leaving);
            sc.lifts[rebound.contact].bias = -dot(&rebound.height) / self.dt;
        }
    }
}
