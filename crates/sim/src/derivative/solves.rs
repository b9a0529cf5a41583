//! The solves of a step that was done, each at its answer.

use gudgeon_multibody::Workspace;

use super::held::held;
use super::linear::Linearization;
use super::paths::Paths;
use super::rebound::Rebound;
use super::rows::first_motor_row;
use super::stage::Standing;
use super::support::LinearizeError;
use crate::simulator::{Simulator, View};

impl Linearization {
    /// The up to three solves of the step, and loops on the free velocity where a bounce asks for it.
    pub(super) fn solves(&mut self, sim: &Simulator, view: &View<'_>) -> Result<(), LinearizeError> {
        let tape = &sim.tape;
        self.first_spring_row = first_motor_row(view, self.dt) + view.drive.motors.len();
        self.first_solve(sim, view)?;
        self.v_base.copy_from_slice(&tape.v_free);
        self.rebounds.clear();
        if !view.bounces.is_empty() {
            self.second_solve(sim, view)?;
        }
        // overlap undone
        if tape.recovery.iter().any(|x| *x != 0.0) {
            self.read_lifts(sim, view);
            self.build_lifts()?;
        }
        Ok(())
    }

    /// Contacts.
    fn first_solve(&mut self, sim: &Simulator, view: &View<'_>) -> Result<(), LinearizeError> {
        let (dt, tape) = (self.dt, &sim.tape);
        let (paths, of) = (&self.paths, &self.row_paths);
        self.first_joints.read(view, &tape.first.impulses, dt, paths, of);
        let sites = &self.sites;
        self.v_first.copy_from_slice(&tape.v_first);
        self.held_first.clear();
        for (i, (c, a)) in view.contacts.iter().zip(&tape.first.contacts).enumerate() {
            if let Some(h) = held(c, a, &sim.settings, None) {
                self.held_first.push((i, h));
            }
        }
        let first = self.held_first.iter().map(|(i, h)| (*i, *h, &sites[*i].slopes));
        let (model, joints) = (&self.passive, &self.first_joints);
        let at = standing(sim, view, &self.ws, &self.paths, self.flight.diagonal(), self.has_loops);
        let v_free = self.flight.velocity();
        if !self.contact.build(model, at, v_free, &tape.v_first, first, joints) {
            return Err(LinearizeError::Inertia);
        }
        Ok(())
    }

    /// What bounces.
    fn second_solve(&mut self, sim: &Simulator, view: &View<'_>) -> Result<(), LinearizeError> {
        let (dt, tape, settings) = (self.dt, &sim.tape, &sim.settings);
        let (paths, of) = (&self.paths, &self.row_paths);
        let (sites, model) = (&self.sites, &self.passive);
        let at = standing(sim, view, &self.ws, &self.paths, self.flight.diagonal(), self.has_loops);
        let v_free = self.flight.velocity();
        if self.has_loops {
            let none = std::iter::empty();
            self.joints.reset(model.n_v());
            self.base.build(model, at, v_free, &tape.v_free, none, &self.joints);
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
        if !self.bounce.build(model, at, v_free, view.v_next, again, &self.bounce_joints) {
            return Err(LinearizeError::Inertia);
        }
        Ok(())
    }
}

/// Where the rows of a step stand, with the inertia that was made of it.
fn standing<'a>(
    sim: &'a Simulator,
    view: &View<'a>,
    ws: &'a Workspace,
    paths: &'a Paths,
    diagonal: &'a [f64],
    loops: bool,
) -> Standing<'a> {
    let tape = &sim.tape;
    let made = Some(view.inertia);
    Standing { state: &tape.before, ws, diagonal, loops, locked: &[], made, shared: tape.shared, paths }
}
