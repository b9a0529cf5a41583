//! The solves of a step that was done, each at its answer.

use super::held::held;
use super::linear::Linearization;
use super::rebound::Rebound;
use super::rows::first_motor_row;
use super::stage::Standing;
use super::support::LinearizeError;
use crate::simulator::{Simulator, View};

impl Linearization {
    /// The up to three solves of the step, and loops on the free velocity where a bounce asks for it.
    pub(super) fn solves(&mut self, sim: &Simulator, view: &View<'_>) -> Result<(), LinearizeError> {
        let (dt, tape) = (self.dt, &sim.tape);
        let (v_free, diagonal) = (self.flight.velocity(), self.flight.diagonal());
        let settings = &sim.settings;
        let locked: &[bool] = &[];
        let (made, loops) = (Some(view.inertia), self.has_loops);
        let at = Standing {
            state: &tape.before,
            ws: &self.ws,
            diagonal,
            loops,
            locked,
            made,
            shared: tape.shared,
        };
        self.first_spring_row = first_motor_row(view, dt) + view.drive.motors.len();
        // contacts
        let (paths, of) = (&self.paths, &self.row_paths);
        self.first_joints.read(view, &tape.first.impulses, dt, paths, of);
        let sites = &self.sites;
        self.v_first.copy_from_slice(&tape.v_first);
        self.held_first.clear();
        for (i, (c, a)) in view.contacts.iter().zip(&tape.first.contacts).enumerate() {
            if let Some(h) = held(c, a, settings, None) {
                self.held_first.push((i, h));
            }
        }
        let first = self.held_first.iter().map(|(i, h)| (*i, *h, &sites[*i].slopes));
        let (model, joints) = (&self.passive, &self.first_joints);
        if !self.contact.build(model, at, v_free, &tape.v_first, first, joints, paths) {
            return Err(LinearizeError::Inertia);
        }
        // what bounces
        self.v_base.copy_from_slice(&tape.v_free);
        self.rebounds.clear();
        if !view.bounces.is_empty() {
            if self.has_loops {
                let none = std::iter::empty();
                self.joints.reset(model.n_v());
                self.base.build(model, at, v_free, &tape.v_free, none, &self.joints, paths);
            }
            for b in view.bounces {
                let c = &view.contacts[b.contact];
                let mut field = std::mem::take(&mut self.field);
                let mut rate = |v: &[f64]| {
                    self.fields.spread(model, v, &mut field);
                    let at = |k: usize| self.fields.at(k, field[k], &c.point);
                    c.normal.dot(&(at(c.a.0) - at(c.b.0)))
                };
                let (before, free) = (rate(&tape.before.v), rate(&tape.v_free));
                let e = c.material.restitution;
                self.field = field;
                self.rebounds.push(Rebound::new(b.contact, before, free, c.gap, e, dt));
            }
            let answer = &sim.ladder.solution;
            let bounces = view.bounces;
            self.bounce_joints.read(view, &answer.impulses, dt, paths, of);
            let again = view.contacts.iter().zip(&answer.contacts).enumerate().filter_map(|(i, (c, a))| {
                let leaves = bounces.iter().any(|b| b.contact == i);
                Some((i, held(c, a, settings, leaves.then_some(0.0))?, &sites[i].slopes))
            });
            let at = Standing { shared: sim.ladder.shares_evenly(), ..at };
            if !self.bounce.build(model, at, v_free, view.v_next, again, &self.bounce_joints, paths) {
                return Err(LinearizeError::Inertia);
            }
        }
        // overlap undone
        if tape.recovery.iter().any(|x| *x != 0.0) {
            self.read_lifts(sim, view);
            self.build_lifts()?;
        }
        Ok(())
    }
}
