//! From the answer to the state at the end of the step: forces, positions, loops.

use gudgeon_multibody::{LinkId, Loop, Model, Workspace, integrate};
use gudgeon_spatial::{Force, Vector3};

use super::Simulator;
use crate::contact_info::ContactInfo;
use crate::frame::Mode;
use crate::report::StepError;
use crate::settings::Integrator;

/// Newton's method ends a thousandfold below 1e-9 m, or does not end: what is left open by more, m or rad, cannot be
/// closed from where the step led.
pub(super) const OPEN_LOOP: f64 = 1e-6;

impl Simulator {
    /// Forces and modes of the contacts, forces of the joints, and which trees were pushed.
    pub(super) fn read_answer(&mut self, dt: f64) {
        let section = self.settings.facets.section();
        let Self { model, assembly, ladder, .. } = self;
        let impulses = &ladder.solution.impulses;
        for (k, (c, answer)) in self.contacts.iter_mut().zip(&ladder.solution.contacts).enumerate() {
            let [t1, t2] = section.tangents(&c.normal);
            let i = answer.impulse;
            c.force = (c.normal * i[0] + t1 * i[1] + t2 * i[2]) / dt;
            c.slip = t1 * answer.velocity[1] + t2 * answer.velocity[2];
            c.mode = answer.mode;
            if let Some((friction, most)) = assembly.given_friction(k, impulses) {
                c.force += (t1 * friction[0] + t2 * friction[1]) / dt;
                if c.mode != Mode::Open {
                    let within = friction.iter().all(|f| f.abs() < most);
                    c.mode = if within { Mode::Stick } else { Mode::Slip };
                }
            }
        }
        assembly.moments(impulses, |k, [n, x, y]| {
            let c = &mut self.contacts[k];
            let [t1, t2] = section.tangents(&c.normal);
            c.moment += (c.normal * n + t1 * x + t2 * y) / dt;
        });
        self.pushed.dofs.fill(false);
        assembly.pushed(impulses, &mut self.pushed.dofs);
        for dof in 0..model.n_v() {
            if self.pushed.dofs[dof] {
                self.pushed.trees[self.layout.tree[dof]] = true;
            }
        }
        assembly.joint_impulses(impulses, &mut self.forces.rows);
        self.forces.rows.iter_mut().for_each(|x| *x /= dt);
        let held = &mut self.forces.diagonal; // n_v, no longer needed in this step
        held.fill(0.0);
        assembly.held_joint_impulses(held);
        for (k, f) in self.forces.joints.iter_mut().enumerate() {
            *f += self.forces.rows[k] + held[k] / dt;
        }
    }

    /// Positions and velocities at the end of the step.
    pub(super) fn advance(&mut self, dt: f64) -> Result<(), StepError> {
        let carried = self.integrator() == Integrator::Carried;
        let rk4 = self.settings.integrator == Integrator::Rk4;
        self.time = self.clock.after(self.time, self.steps, dt);
        if carried {
            // the drift is done already; overlap is undone on top of it
            for k in 0..self.v.moves.len() {
                self.v.moves[k] -= self.v.next[k];
            }
            self.state.q.copy_from_slice(&self.ahead.q);
            integrate(&self.model, &mut self.state.q, &self.v.moves, dt);
        } else {
            for (dof, &group) in self.layout.tree.iter().enumerate() {
                if !self.pushed.trees[group] {
                    let end = if self.pushed.drifts[dof] { self.state.v[dof] } else { self.v.next[dof] };
                    self.v.moves[dof] = 0.5 * (self.state.v[dof] + end);
                }
            }
            let flying = |dof: usize| !rk4 && !self.pushed.trees[self.layout.tree[dof]];
            let bodies = self.stepper.free_bodies();
            bodies.drift(&self.model, &self.state, &self.v.next, dt, flying, &mut self.v.moves);
            integrate(&self.model, &mut self.state.q, &self.v.moves, dt);
            if rk4 {
                for link in self.model.links() {
                    if !link.v_range().any(|dof| self.pushed.trees[self.layout.tree[dof]]) {
                        let q = link.q_range();
                        self.state.q[q.clone()].copy_from_slice(&self.ahead.q[q]);
                    }
                }
            }
        }
        self.state.v.copy_from_slice(&self.v.next);
        self.tape.keep_moved(&self.state);
        self.steps += 1;
        self.drive.place(&mut self.state, self.time);
        self.check("position", true)?;
        if self.has_loops() {
            let prescribed = self.drive.prescribed.as_ref();
            let settled = self.settling.settle_with(&self.model, &mut self.state, prescribed, &mut self.ws);
            self.tape.start_metric = self.settling.in_metric_of_start();
            if settled.error.is_nan() || settled.error > OPEN_LOOP {
                return Err(self.open_loop());
            }
        }
        if carried && self.state.q != self.ahead.q {
            self.ahead.v.copy_from_slice(&self.v.next);
            self.stepper.transport(&self.model, &self.ahead, &self.state.q, &mut self.state.v);
            if self.has_loops() {
                self.settling.settle_velocities(&self.model, &mut self.state, &mut self.ws);
            }
        }
        self.stand();
        self.hold_energy(dt);
        if carried {
            let loops = self.assembly.held_impulses();
            expect(&mut self.forces.expected, &self.model, &self.contacts, loops, &self.ws, dt);
        }
        Ok(())
    }

    /// Names the loop that is open widest.
    fn open_loop(&self) -> StepError {
        let name = |link: LinkId| self.model.link(link).name.clone();
        let gap = |l: &Loop| l.gap(&self.ws);
        let loops = self.model.loops().iter();
        let worst = loops.max_by(|a, b| gap(a).total_cmp(&gap(b)));
        let of_loop = worst.map(|l| (name(l.a), name(l.b), gap(l)));
        let of_coupling = self.model.couplings().iter().filter_map(|c| {
            let ends = [c.terms.first()?, c.terms.last()?].map(|t| name(self.model.dof_link(t.0)));
            let [a, b] = ends;
            Some((a, b, c.error(&self.model, &self.state.q).abs()))
        });
        let all = of_loop.into_iter().chain(of_coupling).max_by(|x, y| x.2.total_cmp(&y.2));
        let (a, b, open) = all.unwrap_or((String::new(), String::new(), f64::NAN));
        StepError::OpenLoop { a, b, gap: open, time: self.time }
    }

    /// A force that is no number is told before anything is made of it: an update that compares would pass it over.
    pub(super) fn check_forces(&self) -> Result<(), StepError> {
        let hint = "; a joint force or an external force given to the simulator is not finite";
        let fail = |what, link: Option<&gudgeon_multibody::Link>, value| {
            let link = link.map_or_else(String::new, |l| l.name.clone());
            Err(StepError::NotFinite { what, link, value, time: self.time, hint })
        };
        let links = self.model.links();
        if let Some(k) = self.drive.tau.iter().position(|x| !x.is_finite()) {
            let owner = links.iter().find(|l| l.v_range().contains(&k));
            return fail("joint force", owner, self.drive.tau[k]);
        }
        for (link, force) in links.iter().zip(&self.external) {
            if let Some(x) = force.linear.iter().chain(force.angular.iter()).find(|x| !x.is_finite()) {
                return fail("external force", Some(link), *x);
            }
        }
        Ok(())
    }

    pub(super) fn check(&self, what: &'static str, after: bool) -> Result<(), StepError> {
        let v = if after { &self.state.v } else { &self.v.free };
        let bad_v = v.iter().position(|x| !x.is_finite());
        let bad_q = self.state.q.iter().position(|x| !x.is_finite());
        if bad_v.is_none() && bad_q.is_none() {
            return Ok(());
        }
        let owner = self.model.links().iter().find(|l| {
            bad_v.is_some_and(|k| l.v_range().contains(&k)) || bad_q.is_some_and(|k| l.q_range().contains(&k))
        });
        let value = bad_v.map(|k| v[k]).or(bad_q.map(|k| self.state.q[k])).unwrap_or(f64::NAN);
        let given = self.control.iter().chain(self.external.iter().flat_map(|f| f.linear.iter()));
        let hint = if given.copied().all(f64::is_finite) {
            "; the step is too long for what moves here, or a force is too large"
        } else {
            "; a joint force or an external force given to the simulator is not finite"
        };
        let link = owner.map_or_else(String::new, |l| l.name.clone());
        Err(StepError::NotFinite { what, link, value, time: self.time, hint })
    }
}

/// What contacts and loops did to the links in the step before, world axes about the links' origins.
fn expect(
    forces: &mut Vec<Force>,
    model: &Model,
    contacts: &[ContactInfo],
    loops: &[f64],
    ws: &Workspace,
    dt: f64,
) {
    forces.clear();
    forces.resize(model.n_links(), Force::zero());
    let mut act = |link: LinkId, at: &Vector3<f64>, force: Vector3<f64>| {
        let arm = at - ws.pose(link).translation;
        forces[link.0] += Force::new(arm.cross(&force), force);
    };
    for c in contacts.iter().filter(|c| c.mode != Mode::Open) {
        act(c.a, &c.point, c.force);
        act(c.b, &c.point, -c.force);
    }
    let mut row = 0;
    for l in model.loops() {
        // the first three rows of a loop are a force at its joint, in the axes of its first frame; moments do not
        // tighten a string
        if let Some(impulse) = loops.get(row..row + 3) {
            let (x_a, x_b) = l.frames(ws);
            let force = x_a.rotation * Vector3::from_column_slice(impulse) / dt;
            act(l.a, &x_b.translation, -force);
            act(l.b, &x_b.translation, force);
        }
        row += l.n_rows();
    }
}
